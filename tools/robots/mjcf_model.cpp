#include "tools/robots/mjcf_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tools/formats/file_error.hpp"
#include "tools/formats/text.hpp"

namespace widephase::tools {

namespace {

using tinyxml2::XMLElement;

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

MjcfModel::MjcfModel(std::string path, const std::string& text) : path_(std::move(path)) {
  document_ = parse_xml(path_, text, "mujoco");
  refuse_includes(root());
  classes_[main_class_] = {};
  read_compiler();
  for (XMLElement* e = root().FirstChildElement("default"); e != nullptr;
       e = e->NextSiblingElement("default")) {
    read_defaults(*e, classes_[main_class_], true);
  }
}

void MjcfModel::fail(const XMLElement& element, const std::string& message) const {
  throw FileError(path_, element.GetLineNum(), message);
}

void MjcfModel::refuse_includes(const XMLElement& parent) const {
  for (const XMLElement* e = parent.FirstChildElement(); e != nullptr;
       e = e->NextSiblingElement()) {
    if (std::string_view(e->Name()) == "include") fail(*e, "has <include>, which is not read");
    refuse_includes(*e);
  }
}

void MjcfModel::read_compiler() {
  for (const XMLElement* e = root().FirstChildElement("compiler"); e != nullptr;
       e = e->NextSiblingElement("compiler")) {
    if (const std::string_view angle = attribute(*e, "angle"); !angle.empty()) {
      is_degrees_ = angle == "degree";
      if (!is_degrees_ && angle != "radian") {
        fail(*e, fmt::format("has the angle {}; expected degree or radian", in_quotes(angle)));
      }
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
}

void MjcfModel::read_defaults(XMLElement& element, std::vector<XMLElement*> inherited,
                              bool is_main) {
  std::string name(attribute(element, "class"));
  if (name.empty() && !is_main) fail(element, "has a nested <default> without class");
  if (name.empty()) name = "main";
  if (is_main) main_class_ = name;
  // A class's own settings come first, wherever they are in the file; nested classes inherit them.
  for (XMLElement* e = element.FirstChildElement("geom"); e != nullptr;
       e = e->NextSiblingElement("geom")) {
    inherited.insert(inherited.begin(), e);
  }
  classes_[name] = inherited;
  for (XMLElement* e = element.FirstChildElement("default"); e != nullptr;
       e = e->NextSiblingElement("default")) {
    read_defaults(*e, inherited, false);
  }
}

void MjcfModel::inherit(XMLElement& geom, std::string_view child_class) const {
  std::string_view name = attribute(geom, "class");
  if (name.empty()) name = child_class;
  if (name.empty()) name = main_class_;
  const auto found = classes_.find(name);
  if (found == classes_.end()) {
    fail(geom, fmt::format("has {} of the class {}, which is not there", element_text(geom),
                           in_quotes(name)));
  }
  for (const XMLElement* from : found->second) {
    const bool is_turned = has_orientation(geom);
    for (const auto* a = from->FirstAttribute(); a != nullptr; a = a->Next()) {
      if (const char* given = geom.Attribute(a->Name()); given != nullptr) {
        if (std::string_view(a->Name()) == "size") {
          geom.SetAttribute("size", overwritten(a->Value(), given).c_str());
        }
        continue;
      }
      if (std::string_view(a->Name()) == "class") continue;
      if (is_turned && is_orientation(a->Name())) continue;
      geom.SetAttribute(a->Name(), a->Value());
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
