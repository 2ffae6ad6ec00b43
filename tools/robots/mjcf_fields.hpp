#pragma once

// The <hfield> assets of MJCF as height fields.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tools/formats/read_scene.hpp"
#include "tools/formats/text.hpp"
#include "tools/robots/mjcf_model.hpp"
#include "tools/robots/robot_scene.hpp"

namespace widephase::tools {

class MjcfFields {
 public:
  MjcfFields(const ReadOptions& options, RobotScene& scene)
      : folders_(options.allow_files), scene_(scene) {}

  /// Adds the shape of a geom of type hfield, whose frame is `frame`, and returns its number.
  std::size_t add_shape(MjcfModel& model, const tinyxml2::XMLElement& geom, const Frame3& frame,
                        const ShapeTags& tags);

  /// "hills.xml: 1 height field is solid below without end, ..."
  void write_notes(const std::string& path, std::vector<std::string>& notes) const;

 private:
  /// A field, whose sample (0, 0) is at `corner` of the geom's frame.
  struct Field {
    std::int32_t geometry = -1;
    Vector3 corner{};
  };
  /// Heights in any unit, from -y to +y.
  struct Samples {
    std::size_t rows = 0, columns = 0;
    std::vector<double> values;
  };

  Field add_field(MjcfModel& model, const tinyxml2::XMLElement& asset);
  Samples read_samples(MjcfModel& model, const tinyxml2::XMLElement& asset);
  Samples read_file_of(MjcfModel& model, const tinyxml2::XMLElement& asset);
  Samples read_elevation(const MjcfModel& model, const tinyxml2::XMLElement& asset,
                         std::size_t rows, std::size_t columns) const;

  std::vector<std::string> folders_;
  RobotScene& scene_;
  std::size_t bytes_left_ = kMostFileBytes;  ///< all files together have the limit of one
  std::map<const tinyxml2::XMLElement*, Field> known_;
  double thickest_ = 0;
};

}  // namespace widephase::tools
