// URDF (ROS's Unified Robot Description Format): the collision geometry of a robot's links. Forward
// kinematics places them, once per requested configuration.

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include <widephase/robot.hpp>

#include "tools/formats/file_error.hpp"
#include "tools/formats/read_scene.hpp"
#include "tools/formats/text.hpp"
#include "tools/formats/xml_values.hpp"
#include "tools/robots/joint_values.hpp"
#include "tools/robots/read_allowed.hpp"
#include "tools/robots/read_robot.hpp"
#include "tools/robots/robot_meshes.hpp"
#include "tools/robots/robot_scene.hpp"

namespace widephase::tools {

namespace {

using tinyxml2::XMLElement;

constexpr JointType kTypes[] = {JointType::fixed,     JointType::revolute, JointType::continuous,
                                JointType::prismatic, JointType::planar,   JointType::floating};

struct Joint {
  std::string name;
  JointType type = JointType::fixed;
  std::size_t parent = 0;
  std::size_t child = 0;
  Frame3 origin;
  Vector3 axis{1, 0, 0};
  std::string mimic;  ///< the joint whose value it copies; empty: it has its own value
  double multiplier = 1;
  double offset = 0;
  std::optional<double> lower, upper;
};

struct Link {
  std::string name;
  const XMLElement* element = nullptr;
  std::vector<std::size_t> joints;  ///< those that lead to its children
  bool has_parent = false;
  std::int32_t body = -1;
  Frame3 in_body;
};

class UrdfReader {
 public:
  UrdfReader(const std::string& path, const ReadOptions& options, std::vector<std::string>& notes)
      : path_(path), options_(options), notes_(notes), meshes_(options, scene_) {}

  /// `srdf` names a file of links that may touch; empty: neighbours may.
  RobotFile robot(const std::string& srdf) {
    const auto document = parse_xml(path_, read_text(path_, kMostTreeBytes), "robot");
    const XMLElement& robot = *document->FirstChildElement("robot");
    refuse_xacro(robot);
    read_links(robot);
    read_joints(robot);
    make_bodies();
    for (std::size_t link = 0; link < links_.size(); ++link) add_shapes(link);
    if (srdf.empty()) exclude_neighbours();
    meshes_.write_notes(path_, notes_);
    RobotFile file;
    add_bodies(file.columns.bodies);
    add_joints(file.columns.joints);
    add_links(file.columns.links);
    file.columns.shapes = scene_.take();
    file.names = scene_.names();
    file.name = attribute(robot, "name");
    if (!srdf.empty()) {
      file.columns.shapes.excluded_owners = read_allowed(srdf, file.columns.links.name, notes_);
    }
    return file;
  }

  SceneFile read() {
    const RobotFile file = robot(options_.srdf);
    expect_collision();
    const Robot robot = robot_of(path_, file.columns);
    const SceneColumns<3, double>& arm = robot.shapes();
    const std::vector<JointValue> values = joint_values_of(robot);
    const auto configurations =
        read_joint_values(options_.joints, values, options_.ignore_columns, notes_);
    check_size(arm, configurations.size(), options_.joints);
    std::vector<double> all;
    for (const auto& row : configurations) all.insert(all.end(), row.begin(), row.end());
    Configurations<double> given(all, values.size());
    given.count = configurations.size();
    try {
      return scene_in_configurations(path_, robot, file.names, given);
    } catch (const Error& error) {
      if (!error.finding()) throw;
      const Finding& finding = *error.finding();
      throw FileError(path_, fmt::format("cannot be placed in configuration {} of {}, which {}",
                                         finding.row, option("joints"), finding.message));
    }
  }

 private:
  /// Every configuration has all shapes, bodies and excluded pairs of the robot.
  void check_size(const SceneColumns<3, double>& arm, std::size_t count,
                  const std::string& joints) const {
    const std::size_t each =
        std::max({scene_.shape_count(), arm.bodies.position.size(), arm.excluded.size()});
    if (count <= kMostRobotShapes / each) return;
    throw FileError(joints, fmt::format("has {} configurations of a robot of {} shapes, {} bodies "
                                        "and {} excluded pairs; expected at most {} of each in all",
                                        count, scene_.shape_count(), arm.bodies.position.size(),
                                        arm.excluded.size(), kMostRobotShapes));
  }
  [[noreturn]] void fail(const XMLElement& element, const std::string& message) const {
    throw FileError(path_, element.GetLineNum(), message);
  }

  void refuse_xacro(const XMLElement& parent) const {
    for (const XMLElement* e = parent.FirstChildElement(); e != nullptr;
         e = e->NextSiblingElement()) {
      if (std::string_view(e->Name()).starts_with("xacro:")) {
        fail(*e, fmt::format("has <{}>; expand the file by xacro first", e->Name()));
      }
    }
  }

  void read_links(const XMLElement& robot) {
    for (const XMLElement* e = robot.FirstChildElement("link"); e != nullptr;
         e = e->NextSiblingElement("link")) {
      refuse_xacro(*e);
      const std::string name = required_attribute(path_, *e, "name");
      if (!link_of_name_.emplace(name, links_.size()).second) {
        fail(*e, fmt::format("has a second link of the name {}", name));
      }
      Link& link = links_.emplace_back();
      link.name = name;
      link.element = e;
    }
    if (!links_.empty()) return;
    for (const char* element : {"disable_collisions", "group", "group_state", "end_effector"}) {
      if (robot.FirstChildElement(element) == nullptr) continue;
      throw FileError(path_,
                      fmt::format("has no <link> but <{}>, as SRDF has, which is not read; convert "
                                  "the URDF, and give pairs of links that never meet as "
                                  "excluded_owners",
                                  element));
    }
    throw FileError(path_, "has no <link>");
  }

  std::size_t named_link(const XMLElement& joint, const char* role) const {
    const XMLElement* e = joint.FirstChildElement(role);
    if (e == nullptr) fail(joint, fmt::format("has {} without <{}>", element_text(joint), role));
    const auto found = link_of_name_.find(required_attribute(path_, *e, "link"));
    if (found == link_of_name_.end()) {
      fail(*e, fmt::format("names the link {}, which is not there",
                           required_attribute(path_, *e, "link")));
    }
    return found->second;
  }

  void read_joints(const XMLElement& robot) {
    for (const XMLElement* e = robot.FirstChildElement("joint"); e != nullptr;
         e = e->NextSiblingElement("joint")) {
      refuse_xacro(*e);
      Joint joint;
      joint.name = required_attribute(path_, *e, "name");
      if (!joint_names_.insert(joint.name).second) {
        fail(*e, fmt::format("has a second joint of the name {}", joint.name));
      }
      joint.type = read_type(*e);
      joint.parent = named_link(*e, "parent");
      joint.child = named_link(*e, "child");
      joint.origin = read_origin(*e);
      if (joint.type != JointType::fixed) read_motion(*e, joint);
      Link& child = links_[joint.child];
      if (child.has_parent) {
        fail(*e, fmt::format("makes {} the child of a second joint", child.name));
      }
      child.has_parent = true;
      links_[joint.parent].joints.push_back(joints_.size());
      joints_.push_back(std::move(joint));
    }
  }

  JointType read_type(const XMLElement& joint) const {
    const std::string type = required_attribute(path_, joint, "type");
    for (const JointType known : kTypes) {
      if (joint_type_name(known) == type) return known;
    }
    fail(joint, fmt::format("has {} of type {}; expected fixed, revolute, continuous, prismatic, "
                            "planar or floating",
                            element_text(joint), in_quotes(type)));
  }

  void read_motion(const XMLElement& e, Joint& joint) {
    if (const XMLElement* axis = e.FirstChildElement("axis")) {
      joint.axis = attribute_vector(path_, *axis, "xyz", joint.axis);
      if (joint.axis == Vector3{}) {
        fail(*axis, fmt::format("has an axis of no length in {}", element_text(e)));
      }
      joint.axis = normalized(joint.axis);
    } else if (joint.type == JointType::planar) {
      // By the format's words it is x; programs that plan motions take z.
      fail(e, fmt::format("has {} without <axis>, in whose plane programs disagree; add one",
                          element_text(e)));
    }
    if (const XMLElement* mimic = e.FirstChildElement("mimic")) {
      joint.mimic = required_attribute(path_, *mimic, "joint");
      joint.multiplier = attribute_number(path_, *mimic, "multiplier", 1);
      joint.offset = attribute_number(path_, *mimic, "offset", 0);
      if (!has_one_value(joint.type)) {
        fail(e, fmt::format("has <mimic> in {}; expected it in a joint of one value",
                            element_text(e)));
      }
    }
    const XMLElement* limit = e.FirstChildElement("limit");
    if (limit == nullptr || !has_one_value(joint.type)) return;
    if (joint.type == JointType::continuous) return;
    // A limit that is not given is 0; with neither there is only one of effort or velocity.
    if (limit->Attribute("lower") == nullptr && limit->Attribute("upper") == nullptr) return;
    joint.lower = attribute_number(path_, *limit, "lower", 0);
    joint.upper = attribute_number(path_, *limit, "upper", 0);
    if (joint.lower <= joint.upper) return;
    fail(e, fmt::format("has limits from {} to {} in {}; expected lower <= upper", *joint.lower,
                        *joint.upper, element_text(e)));
  }

  Frame3 read_origin(const XMLElement& parent) const {
    Frame3 frame;
    const XMLElement* origin = parent.FirstChildElement("origin");
    if (origin == nullptr) return frame;
    frame.position = attribute_vector(path_, *origin, "xyz", {});
    const Vector3 angles = attribute_vector(path_, *origin, "rpy", {});
    for (const double angle : angles) {
      if (has_direction(angle)) continue;
      fail(*origin, fmt::format("has an angle of {} radians in rpy; expected at most 2^50", angle));
    }
    frame.orientation = normalized(turn_of_rpy(angles));
    return frame;
  }

  /// The row of the joint whose value another one takes.
  std::int32_t mimicked_by(const Joint& joint) const {
    if (joint.mimic.empty()) return -1;
    const auto is_named = [&](const Joint& other) { return other.name == joint.mimic; };
    const auto named = std::find_if(joints_.begin(), joints_.end(), is_named);
    if (named == joints_.end() || !has_one_value(named->type) || !named->mimic.empty()) {
      throw FileError(path_, fmt::format("has the joint {}, which mimics {}; expected a joint that "
                                         "moves by a value of its own",
                                         joint.name, in_quotes(joint.mimic)));
    }
    return static_cast<std::int32_t>(named - joints_.begin());
  }

  void add_bodies(RobotBodies& bodies) const {
    bodies.name.resize(body_count_);
    bodies.parent.resize(body_count_, -1);
    bodies.position.resize(body_count_);
    bodies.turn.resize(body_count_);
    for (std::size_t body = 0; body < body_count_; ++body) bodies.turn(body, 3) = 1;
    bodies.name[0] = links_[order_[0]].name;
    for (const Joint& joint : joints_) {
      if (joint.type == JointType::fixed) continue;
      const Link& parent = links_[joint.parent];
      const Frame3 origin = product(parent.in_body, joint.origin);
      const auto body = static_cast<std::size_t>(links_[joint.child].body);
      bodies.name[body] = links_[joint.child].name;
      bodies.parent[body] = parent.body;
      bodies.position.set(body, origin.position);
      bodies.turn.set(body, origin.orientation);
    }
  }

  void add_joints(RobotJoints& joints) const {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    for (const Joint& joint : joints_) {
      joints.name.push_back(joint.name);
      joints.type.push_back({joint.type});
      joints.body.push_back(links_[joint.child].body);
      joints.axis.push_back(joint.axis);
      joints.lower.push_back(joint.lower.value_or(-kInfinity));
      joints.upper.push_back(joint.upper.value_or(kInfinity));
      joints.mimic.push_back(mimicked_by(joint));
      joints.multiplier.push_back(joint.multiplier);
      joints.offset.push_back(joint.offset);
    }
  }

  void add_links(RobotLinks& links) const {
    for (const Link& link : links_) {
      links.name.push_back(link.name);
      links.body.push_back(link.body);
      links.position.push_back(link.in_body.position);
      links.turn.push_back(link.in_body.orientation);
    }
  }

  /// Joins links with fixed joints into one body, in the frame of the first of these links.
  void make_bodies() {
    const auto is_root = [](const Link& link) { return !link.has_parent; };
    const auto root = std::find_if(links_.begin(), links_.end(), is_root);
    if (root == links_.end()) throw FileError(path_, "has joints in a ring; expected a tree");
    const auto second = std::find_if(root + 1, links_.end(), is_root);
    if (second != links_.end()) {
      throw FileError(path_, fmt::format("has two links without a joint to a parent, {} and {}; "
                                         "expected one tree",
                                         root->name, second->name));
    }
    // Order the links from the root on, each after its parent.
    order_ = {static_cast<std::size_t>(root - links_.begin())};
    root->body = scene_.add_body({}, root->name);
    for (std::size_t next = 0; next < order_.size(); ++next) {
      const Link& parent = links_[order_[next]];
      for (const std::size_t j : parent.joints) {
        Link& child = links_[joints_[j].child];
        const bool is_joined = joints_[j].type == JointType::fixed;
        child.body = is_joined ? parent.body : scene_.add_body({}, child.name);
        if (is_joined) child.in_body = product(parent.in_body, joints_[j].origin);
        order_.push_back(joints_[j].child);
      }
    }
    for (const Link& link : links_) {
      if (link.body < 0) {
        throw FileError(path_,
                        fmt::format("has joints in a ring about {}; expected a tree", link.name));
      }
      body_count_ = std::max(body_count_, static_cast<std::size_t>(link.body) + 1);
    }
    shapes_of_body_.resize(body_count_);
  }

  void expect_collision() const {
    if (scene_.shape_count() != 0) return;
    throw FileError(
        path_, fmt::format("has no <collision> in {}; only collision geometry is "
                           "read, not <visual>",
                           links_.size() == 1 ? "its link"
                                              : fmt::format("any of its {} links", links_.size())));
  }

  void add_shapes(std::size_t index) {
    const Link& link = links_[index];
    for (const XMLElement* e = link.element->FirstChildElement("collision"); e != nullptr;
         e = e->NextSiblingElement("collision")) {
      refuse_xacro(*e);
      const XMLElement* geometry = e->FirstChildElement("geometry");
      const XMLElement* shape = geometry == nullptr ? nullptr : geometry->FirstChildElement();
      if (shape == nullptr)
        fail(*e, fmt::format("has a <collision> without shape in {}", link.name));
      ShapeTags tags;
      tags.body = link.body;
      tags.owner = static_cast<std::int32_t>(index);
      tags.name = link.name;
      shapes_of_body_[static_cast<std::size_t>(link.body)].push_back(
          add_shape(*shape, product(link.in_body, read_origin(*e)), link.name, tags));
    }
  }

  std::size_t add_shape(const XMLElement& shape, const Frame3& frame, const std::string& link,
                        const ShapeTags& tags) {
    const std::string_view kind = shape.Name();
    if (kind == "sphere")
      return scene_.add_sphere(frame.position, read_size(shape, "radius"), tags);
    if (kind == "box") {
      if (shape.Attribute("size") == nullptr) fail(shape, "has <box> without size");
      const Vector3 size = attribute_vector(path_, shape, "size", {});
      if (size[0] < 0 || size[1] < 0 || size[2] < 0) fail(shape, "has a size below 0");
      return scene_.add_box(frame, scaled(size, 0.5), tags);
    }
    if (kind == "cylinder") {
      return scene_.add_cylinder(frame, read_size(shape, "length") / 2, read_size(shape, "radius"),
                                 tags);
    }
    if (kind == "capsule") {
      const Vector3 end{0, 0, read_size(shape, "length") / 2};
      return scene_.add_capsule(moved(frame, scaled(end, -1)), moved(frame, end),
                                read_size(shape, "radius"), tags);
    }
    if (kind == "mesh") return meshes_.add_shape(frame, add_mesh(shape, link), tags);
    fail(shape, fmt::format("has <{}> as collision geometry of {}; expected sphere, box, cylinder, "
                            "capsule or mesh",
                            kind, link));
  }

  std::int32_t add_mesh(const XMLElement& mesh, const std::string& link) {
    const std::string name = required_attribute(path_, mesh, "filename");
    MeshPlace place;
    place.scale = attribute_vector(path_, mesh, "scale", place.scale);
    const std::string path = path_of_mesh(mesh, name);
    try {
      return meshes_.add_file({path, path_, ""}, place);
    } catch (const FileError& error) {
      fail(mesh, fmt::format("names a mesh of {}: {}", link, error.what()));
    }
  }

  /// The file that a mesh's URI or path names.
  std::string path_of_mesh(const XMLElement& mesh, const std::string& name) const {
    constexpr std::string_view kPackage = "package://", kFile = "file://";
    if (name.starts_with(kPackage)) return path_in_package(mesh, name.substr(kPackage.size()));
    if (name.starts_with(kFile)) {
      std::string path = without_percents(name.substr(kFile.size()));
      if (path.starts_with("localhost/")) path.erase(0, path.find('/'));
      return path_beside(path_, path);
    }
    if (name.find("://") != name.npos) {
      fail(mesh, fmt::format("names the mesh {}; expected package://, file:// or a path",
                             in_quotes(name)));
    }
    return path_beside(path_, name);
  }

  /// `name` is the package's name and the path in it. Each folder of the option holds packages, or
  /// is the package.
  std::string path_in_package(const XMLElement& mesh, const std::string& name) const {
    const std::size_t slash = std::min(name.find('/'), name.size());
    const std::string package = name.substr(0, slash);
    std::error_code ignored;
    for (const std::string& folder : options_.package_path) {
      const std::filesystem::path base(folder);
      const std::string in_folder = base / name;
      if (std::filesystem::exists(in_folder, ignored)) return in_folder;
      const std::string own = std::filesystem::weakly_canonical(base, ignored).filename();
      const std::string in_package = base / name.substr(std::min(slash + 1, name.size()));
      if (own == package && std::filesystem::exists(in_package, ignored)) return in_package;
    }
    if (options_.package_path.empty()) {
      fail(mesh, fmt::format("names a mesh of the package {}; {} says where it is: in DIR, or DIR "
                             "itself",
                             in_quotes(package), option("package_path", "DIR")));
    }
    fail(mesh, fmt::format("names the mesh {}, which is not below {}", in_quotes(name),
                           fmt::join(options_.package_path, ", ")));
  }

  /// A URI writes some characters as % and two hexadecimal digits.
  static std::string without_percents(const std::string& text) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
      unsigned byte = 0;
      const char* const digits = text.data() + i + 1;
      if (text[i] == '%' && i + 2 < text.size() &&
          std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2) {
        result += static_cast<char>(byte);
        i += 2;
      } else {
        result += text[i];
      }
    }
    return result;
  }

  double read_size(const XMLElement& shape, const char* name) const {
    required_attribute(path_, shape, name);
    const double size = attribute_number(path_, shape, name, 0);
    if (size < 0)
      fail(shape, fmt::format("has {} {} in <{}>; expected >= 0", name, size, shape.Name()));
    return size;
  }

  /// Bodies connected by a joint overlap there, so they never collide.
  void exclude_neighbours() {
    for (const Joint& joint : joints_) {
      const std::int32_t parent = links_[joint.parent].body, child = links_[joint.child].body;
      if (parent == child) continue;
      if (!scene_.exclude(shapes_of_body_[static_cast<std::size_t>(parent)],
                          shapes_of_body_[static_cast<std::size_t>(child)])) {
        throw FileError(path_, fmt::format("makes more than {} pairs that never meet, by {} and "
                                           "joints before it",
                                           kMostExcluded, joint.name));
      }
    }
  }

  const std::string& path_;
  const ReadOptions& options_;
  std::vector<std::string>& notes_;
  RobotScene scene_;
  RobotMeshes meshes_;
  std::vector<Link> links_;
  std::map<std::string, std::size_t> link_of_name_;
  std::vector<Joint> joints_;
  std::set<std::string> joint_names_;
  std::vector<std::size_t> order_;
  std::size_t body_count_ = 0;
  std::vector<std::vector<std::size_t>> shapes_of_body_;
};

}  // namespace

RobotFile read_urdf_robot(const std::string& path, const std::string& srdf,
                          const ReadOptions& options, std::vector<std::string>& notes) {
  return UrdfReader(path, options, notes).robot(srdf);
}

SceneFile read_urdf(const std::string& path, const ReadOptions& options,
                    std::vector<std::string>& notes) {
  return UrdfReader(path, options, notes).read();
}

}  // namespace widephase::tools
