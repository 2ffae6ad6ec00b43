#pragma once

// A parsed MJCF file, with the settings that its elements inherit.

#include <algorithm>
#include <deque>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tools/formats/xml_values.hpp"
#include "tools/robots/frame3.hpp"

namespace widephase::tools {

inline bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

class MjcfModel {
 public:
  /// Reads a file that this one names.
  using ReadNamed = std::function<std::string(const std::string& path)>;

  /// Parses the text of a file, with the elements of the files that it includes.
  MjcfModel(std::string path, const std::string& text, const ReadNamed& read_named);

  const std::string& path() const { return path_; }
  tinyxml2::XMLElement& root() { return *document_->FirstChildElement("mujoco"); }

  /// Gives a geom, joint or mesh the attributes of its class that it lacks. `child_class` is the
  /// class set by the elements around it; empty if none.
  void inherit(tinyxml2::XMLElement& element, std::string_view child_class) const;
  /// The frame of an element, from `pos` and its orientation in any form.
  Frame3 frame_of(const tinyxml2::XMLElement& element) const;
  /// The orientation from the `euler` angles of an element, in the file's unit and sequence.
  Quaternion turn_of_euler(const tinyxml2::XMLElement& element, const Vector3& angles) const;

  /// Converts an angle from the file's unit to radians.
  double radians(const tinyxml2::XMLElement& element, double angle) const;
  /// The <mesh> or <hfield> (`kind`) of <asset> with this name; null if there is none.
  tinyxml2::XMLElement* find_asset(std::string_view kind, std::string_view name);
  /// The path of the file of such an asset.
  std::string path_of_asset(std::string file) const;
  /// Whether a joint with a range is limited, unless it says.
  bool has_auto_limits() const { return has_auto_limits_; }

  [[noreturn]] void fail(const tinyxml2::XMLElement& element, const std::string& message) const;

 private:
  struct Included;
  void expand_includes(tinyxml2::XMLElement& parent, const Included& from);
  void expand_include(tinyxml2::XMLElement& parent, tinyxml2::XMLElement& include,
                      const Included& from);
  std::string path_of_include(const tinyxml2::XMLElement& include, const Included& from) const;
  void read_compiler();
  void read_assets(std::string_view kind);
  void read_defaults(tinyxml2::XMLElement& element, std::vector<tinyxml2::XMLElement*> inherited,
                     bool is_main);

  std::string path_;
  std::set<std::string> included_;  ///< with links resolved, this file too
  std::deque<std::string> included_paths_;
  std::deque<XmlOrigin> origins_;  ///< of copied elements, which point to them
  std::unique_ptr<tinyxml2::XMLDocument> document_;
  /// For each class the <geom>, <joint> and <mesh> elements that its own inherit from, the nearest
  /// first.
  std::map<std::string, std::vector<tinyxml2::XMLElement*>, std::less<>> classes_;
  std::string main_class_ = "main";
  bool is_degrees_ = true;
  std::string euler_sequence_ = "xyz";
  std::string mesh_folder_;
  bool strips_paths_ = false;
  bool has_auto_limits_ = true;
  /// For each kind by name.
  std::map<std::string, std::map<std::string, tinyxml2::XMLElement*, std::less<>>, std::less<>>
      assets_;
};

}  // namespace widephase::tools
