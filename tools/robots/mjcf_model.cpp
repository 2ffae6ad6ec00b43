#include "tools/robots/mjcf_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include "tools/formats/file_error.hpp"
#include "tools/formats/text.hpp"

namespace widephase::tools {

namespace {

using tinyxml2::XMLElement;

constexpr int kMostIncluded = 32;  ///< files within files that include them

/// The given numbers, then the inherited ones that they do not replace.
std::string overwritten(const char* inherited, const char* given) {
  std::vector<std::string_view> words, first;
  split_white(inherited, words);
  split_white(given, first);
  std::string text = given;
  for (std::size_t i = first.size(); i < words.size(); ++i) text.append(" ").append(words[i]);
  return text;
}

/// The attributes that give an orientation; an element has at most one of them.
constexpr std::array<const char*, 5> kOrientations{"quat", "axisangle", "euler", "xyaxes", "zaxis"};

bool is_orientation(std::string_view name) {
  return std::find(kOrientations.begin(), kOrientations.end(), name) != kOrientations.end();
}

bool has_orientation(const XMLElement& element) {
  return std::any_of(kOrientations.begin(), kOrientations.end(),
                     [&](const char* name) { return element.Attribute(name) != nullptr; });
}

}  // namespace

/// A file whose elements are in the model, and how it came there.
struct MjcfModel::Included {
  const std::string& path;
  std::string resolved;    ///< the path with links resolved
  const Included* parent;  ///< the file that includes it; null: it is the model's own file
  int depth;
  const ReadNamed& read_named;
};

namespace {

/// What an element's copy says of where it came from, for it and all within it.
void set_origins(XMLElement& copy, const XMLElement& original, const std::string& path,
                 std::deque<XmlOrigin>& origins) {
  copy.SetUserData(&origins.emplace_back(&path, original.GetLineNum()));
  const XMLElement* from = original.FirstChildElement();
  for (XMLElement* e = copy.FirstChildElement(); e != nullptr; e = e->NextSiblingElement()) {
    set_origins(*e, *from, path, origins);
    from = from->NextSiblingElement();
  }
}

std::string resolved_path(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::weakly_canonical(path, ignored).string();
}

}  // namespace

MjcfModel::MjcfModel(std::string path, const std::string& text, const ReadNamed& read_named)
    : path_(std::move(path)) {
  document_ = parse_xml(path_, text, "mujoco");
  const Included own{path_, resolved_path(path_), nullptr, 0, read_named};
  included_.insert(own.resolved);
  expand_includes(root(), own);
  classes_[main_class_] = {};
  read_compiler();
  for (XMLElement* e = root().FirstChildElement("default"); e != nullptr;
       e = e->NextSiblingElement("default")) {
    read_defaults(*e, classes_[main_class_], true);
  }
  for (const std::string_view kind : {"mesh", "hfield"}) read_assets(kind);
}

void MjcfModel::fail(const XMLElement& element, const std::string& message) const {
  throw error_at(path_, element, message);
}

void MjcfModel::expand_includes(XMLElement& parent, const Included& from) {
  for (XMLElement* e = parent.FirstChildElement(); e != nullptr;) {
    XMLElement* const next = e->NextSiblingElement();
    if (std::string_view(e->Name()) == "include") {
      expand_include(parent, *e, from);
    } else {
      expand_includes(*e, from);
    }
    e = next;
  }
}

/// MuJoCo looks in the folder of the model's own file, then in that of the including file.
std::string MjcfModel::path_of_include(const XMLElement& include, const Included& from) const {
  const std::string file = required_attribute(path_, include, "file");
  std::string path = path_beside(path_, file);
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored)) return path;
  const std::string beside = path_beside(from.path, file);
  return std::filesystem::exists(beside, ignored) ? beside : path;
}

/// Replaces the element by copies of those within the file's first element.
void MjcfModel::expand_include(XMLElement& parent, XMLElement& include, const Included& from) {
  if (!include.NoChildren()) fail(include, "has elements within <include>; expected none");
  const std::string path = path_of_include(include, from);
  const std::string resolved = resolved_path(path);
  for (const Included* around = &from; around != nullptr; around = around->parent) {
    if (around->resolved != resolved) continue;
    fail(include, fmt::format("includes {} within itself", path));
  }
  if (from.depth >= kMostIncluded) {
    fail(include, fmt::format("is in a file within {} others that include it; expected fewer",
                              kMostIncluded));
  }
  if (!included_.insert(resolved).second) {
    fail(include, fmt::format("includes {} a second time; MuJoCo includes a file once", path));
  }
  const std::string& kept_path = included_paths_.emplace_back(path);
  const auto document = parse_xml(path, from.read_named(path), nullptr);
  const XMLElement* const root = document->RootElement();
  if (root == nullptr || root->FirstChildElement() == nullptr) {
    throw FileError(path, "has no elements to include");
  }
  std::vector<XMLElement*> copies;
  tinyxml2::XMLNode* at = &include;
  for (const XMLElement* e = root->FirstChildElement(); e != nullptr; e = e->NextSiblingElement()) {
    at = parent.InsertAfterChild(at, e->DeepClone(document_.get()));
    copies.push_back(at->ToElement());
    set_origins(*copies.back(), *e, kept_path, origins_);
  }
  parent.DeleteChild(&include);
  const Included inner{kept_path, resolved, &from, from.depth + 1, from.read_named};
  for (XMLElement* copy : copies) {
    if (std::string_view(copy->Name()) == "include") {
      expand_include(parent, *copy, inner);
    } else {
      expand_includes(*copy, inner);
    }
  }
}

void MjcfModel::read_assets(std::string_view kind) {
  auto& assets = assets_[std::string(kind)];
  for (XMLElement* asset = root().FirstChildElement("asset"); asset != nullptr;
       asset = asset->NextSiblingElement("asset")) {
    for (XMLElement* e = asset->FirstChildElement(kind.data()); e != nullptr;
         e = e->NextSiblingElement(kind.data())) {
      std::string name(attribute(*e, "name"));
      if (name.empty()) {
        const std::string file(attribute(*e, "file"));
        name = file.substr(file.rfind('/') + 1);
        name = name.substr(0, name.rfind('.'));
      }
      if (!name.empty() && !assets.emplace(name, e).second) {
        fail(*e, fmt::format("has a second {} of the name {}", kind, in_quotes(name)));
      }
    }
  }
}

XMLElement* MjcfModel::find_asset(std::string_view kind, std::string_view name) {
  const auto& assets = assets_.find(kind)->second;
  const auto found = assets.find(name);
  return found == assets.end() ? nullptr : found->second;
}

std::string MjcfModel::path_of_asset(std::string file) const {
  if (strips_paths_) file.erase(0, file.rfind('/') + 1);
  if (file.starts_with('/') || mesh_folder_.empty()) return path_beside(path_, file);
  return path_beside(path_, mesh_folder_ + (mesh_folder_.ends_with('/') ? "" : "/") + file);
}

void MjcfModel::read_compiler() {
  std::string asset_folder;
  for (const XMLElement* e = root().FirstChildElement("compiler"); e != nullptr;
       e = e->NextSiblingElement("compiler")) {
    if (const std::string_view angle = attribute(*e, "angle"); !angle.empty()) {
      is_degrees_ = angle == "degree";
      if (!is_degrees_ && angle != "radian") {
        fail(*e, fmt::format("has the angle {}; expected degree or radian", in_quotes(angle)));
      }
    }
    if (const std::string_view dir = attribute(*e, "assetdir"); !dir.empty()) asset_folder = dir;
    if (const std::string_view dir = attribute(*e, "meshdir"); !dir.empty()) mesh_folder_ = dir;
    if (e->Attribute("strippath") != nullptr) strips_paths_ = attribute(*e, "strippath") == "true";
    if (e->Attribute("autolimits") != nullptr) {
      has_auto_limits_ = attribute(*e, "autolimits") == "true";
    }
    if (attribute(*e, "coordinate") == "global") {
      fail(*e, "has global coordinates; expected local ones");
    }
    if (const std::string_view sequence = attribute(*e, "eulerseq"); !sequence.empty()) {
      if (sequence.size() != 3 || sequence.find_first_not_of("xyzXYZ") != sequence.npos) {
        fail(*e, fmt::format("has the eulerseq {}; expected three of x, y, z, X, Y, Z",
                             in_quotes(sequence)));
      }
      euler_sequence_ = sequence;
    }
  }
  if (mesh_folder_.empty()) mesh_folder_ = asset_folder;
}

void MjcfModel::read_defaults(XMLElement& element, std::vector<XMLElement*> inherited,
                              bool is_main) {
  std::string name(attribute(element, "class"));
  if (name.empty() && !is_main) fail(element, "has a nested <default> without class");
  if (name.empty()) name = "main";
  if (is_main) main_class_ = name;
  // A class's own settings come first, wherever they are in the file; nested classes inherit them.
  for (XMLElement* e = element.FirstChildElement(); e != nullptr; e = e->NextSiblingElement()) {
    const std::string_view kind = e->Name();
    if (kind != "geom" && kind != "joint" && kind != "mesh") continue;
    inherited.insert(inherited.begin(), e);
  }
  classes_[name] = inherited;
  for (XMLElement* e = element.FirstChildElement("default"); e != nullptr;
       e = e->NextSiblingElement("default")) {
    read_defaults(*e, inherited, false);
  }
}

void MjcfModel::inherit(XMLElement& element, std::string_view child_class) const {
  std::string_view name = attribute(element, "class");
  if (name.empty()) name = child_class;
  if (name.empty()) name = main_class_;
  const auto found = classes_.find(name);
  if (found == classes_.end()) {
    fail(element, fmt::format("has {} of the class {}, which is not there", element_text(element),
                              in_quotes(name)));
  }
  for (const XMLElement* from : found->second) {
    if (std::string_view(from->Name()) != element.Name()) continue;
    const bool is_turned = has_orientation(element);
    for (const auto* a = from->FirstAttribute(); a != nullptr; a = a->Next()) {
      if (const char* given = element.Attribute(a->Name()); given != nullptr) {
        if (std::string_view(a->Name()) == "size") {
          element.SetAttribute("size", overwritten(a->Value(), given).c_str());
        }
        continue;
      }
      if (std::string_view(a->Name()) == "class") continue;
      if (is_turned && is_orientation(a->Name())) continue;
      element.SetAttribute(a->Name(), a->Value());
    }
  }
}

double MjcfModel::radians(const XMLElement& element, double angle) const {
  const double result = angle * (is_degrees_ ? 3.14159265358979323846 / 180 : 1);
  if (has_direction(result)) return result;
  fail(element, fmt::format("has an angle of {} radians in {}; expected at most 2^50", result,
                            element_text(element)));
}

Quaternion MjcfModel::turn_of_euler(const XMLElement& element, const Vector3& angles) const {
  Quaternion turn{0, 0, 0, 1};
  for (std::size_t i = 0; i < 3; ++i) {
    const char letter = euler_sequence_[i];
    const bool is_fixed = letter >= 'X' && letter <= 'Z';  // else the rotated axis
    Vector3 axis{};
    axis[static_cast<std::size_t>(letter - (is_fixed ? 'X' : 'x'))] = 1;
    const Quaternion next = turn_about(axis, radians(element, angles[i]));
    turn = is_fixed ? product(next, turn) : product(turn, next);
  }
  return normalized(turn);
}

Frame3 MjcfModel::frame_of(const XMLElement& e) const {
  Frame3 frame;
  frame.position = attribute_vector(path_, e, "pos", {});
  int forms = 0;
  for (const char* name : kOrientations) forms += e.Attribute(name) != nullptr ? 1 : 0;
  if (forms > 1) fail(e, fmt::format("has two orientations in {}", element_text(e)));
  const auto numbers = [&](const char* name, std::size_t count) {
    return attribute_numbers(path_, e, name, count, count);
  };
  const auto expect_length = [&](const char* name, double size) {
    if (!(size > 0)) fail(e, fmt::format("has {} without direction in {}", name, element_text(e)));
  };
  if (const auto q = numbers("quat", 4); !q.empty()) {  // w x y z
    expect_length("quat", std::max(length({q[0], q[1], q[2]}), std::abs(q[3])));
    frame.orientation = normalized({q[1], q[2], q[3], q[0]});
  }
  if (const auto a = numbers("axisangle", 4); !a.empty()) {
    expect_length("axisangle", length({a[0], a[1], a[2]}));
    frame.orientation = turn_about({a[0], a[1], a[2]}, radians(e, a[3]));
  }
  if (const auto a = numbers("euler", 3); !a.empty()) {
    frame.orientation = turn_of_euler(e, {a[0], a[1], a[2]});
  }
  if (const auto a = numbers("xyaxes", 6); !a.empty()) {
    const Vector3 x{a[0], a[1], a[2]}, y{a[3], a[4], a[5]};
    expect_length("xyaxes", length(cross(normalized(x), normalized(y))));
    frame.orientation = turn_of_axes(x, y);
  }
  if (const auto a = numbers("zaxis", 3); !a.empty()) {
    expect_length("zaxis", length({a[0], a[1], a[2]}));
    frame.orientation = turn_of_z({a[0], a[1], a[2]});
  }
  return frame;
}

}  // namespace widephase::tools
