#pragma once

// The geoms of MJCF as shapes.

#include <map>
#include <string>
#include <vector>

#include "tools/robots/mjcf_fields.hpp"
#include "tools/robots/mjcf_model.hpp"
#include "tools/robots/robot_meshes.hpp"
#include "tools/robots/robot_scene.hpp"

namespace widephase::tools {

class MjcfGeoms {
 public:
  MjcfGeoms(const ReadOptions& options, RobotScene& scene)
      : scene_(scene), meshes_(options, scene), fields_(options, scene) {}

  /// Adds the shape of a <geom>, within a frame of its body, and returns its number.
  std::size_t add_shape(MjcfModel& model, const tinyxml2::XMLElement& geom, const Frame3& around,
                        const ShapeTags& tags);
  /// What became of meshes and height fields.
  void write_notes(const std::string& path, std::vector<std::string>& notes) const {
    meshes_.write_notes(path, notes);
    fields_.write_notes(path, notes);
  }

 private:
  std::int32_t geometry_of(MjcfModel& model, const tinyxml2::XMLElement& geom);
  std::int32_t add_mesh(MjcfModel& model, tinyxml2::XMLElement& asset, const std::string& name);
  MeshGroup read_arrays(const MjcfModel& model, const tinyxml2::XMLElement& asset) const;

  RobotScene& scene_;
  RobotMeshes meshes_;
  MjcfFields fields_;
  std::map<const tinyxml2::XMLElement*, std::int32_t> geometries_;  ///< of <mesh> assets
};

}  // namespace widephase::tools
