#pragma once

// A parsed MJCF file, with the settings that its elements inherit.

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tools/formats/xml_values.hpp"
#include "tools/robots/frame3.hpp"

namespace widephase::tools {

class MjcfModel {
 public:
  /// Parses the text of a file.
  MjcfModel(std::string path, const std::string& text);

  const std::string& path() const { return path_; }
  tinyxml2::XMLElement& root() { return *document_->FirstChildElement("mujoco"); }

  /// Gives a geom the attributes of its class that it lacks. `child_class` is the class set by the
  /// elements around it; empty if none.
  void inherit(tinyxml2::XMLElement& geom, std::string_view child_class) const;
  /// The frame of an element, from `pos` and its orientation in any form.
  Frame3 frame_of(const tinyxml2::XMLElement& element) const;
  /// The orientation from the `euler` angles of an element, in the file's unit and sequence.
  Quaternion turn_of_euler(const tinyxml2::XMLElement& element, const Vector3& angles) const;

  [[noreturn]] void fail(const tinyxml2::XMLElement& element, const std::string& message) const;

 private:
  /// Converts an angle from the file's unit to radians.
  double radians(const tinyxml2::XMLElement& element, double angle) const;
  void refuse_includes(const tinyxml2::XMLElement& parent) const;
  void read_compiler();
  void read_defaults(tinyxml2::XMLElement& element, std::vector<tinyxml2::XMLElement*> inherited,
                     bool is_main);

  std::string path_;
  std::unique_ptr<tinyxml2::XMLDocument> document_;
  /// For each class the <geom> elements that its geoms inherit from, its own first.
  std::map<std::string, std::vector<tinyxml2::XMLElement*>, std::less<>> classes_;
  std::string main_class_ = "main";
  bool is_degrees_ = true;
  std::string euler_sequence_ = "xyz";
};

}  // namespace widephase::tools
