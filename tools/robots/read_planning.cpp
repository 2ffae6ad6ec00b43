// Planning scenes in YAML as MoveIt writes them (moveit_msgs/PlanningScene): the primitives of
// world.collision_objects.

#include <cmath>

#include "tools/formats/read_scene.hpp"
#include "tools/robots/robot_scene.hpp"
#include "tools/robots/yaml_values.hpp"

namespace widephase::tools {

namespace {

class PlanningReader {
 public:
  explicit PlanningReader(const std::string& path) : path_(path) {}

  SceneFile read(const YAML::Node& root) {
    const YAML::Node world = value_at(root, "world");
    const YAML::Node objects = value_at(world, "collision_objects");
    if (!objects || !objects.IsSequence()) {
      throw FileError(path_, "has no world.collision_objects; expected a planning scene");
    }
    for (const YAML::Node& map : {root, world, root["robot_state"]}) {
      if (map) expect_single_keys(map);
    }
    expect_none(root["robot_state"], "attached_collision_objects", "robot_state");
    expect_none(world, "octomap", "world");
    count_shapes(objects);
    for (std::size_t i = 0; i < objects.size(); ++i) {
      read_object(objects[i], static_cast<std::int32_t>(i));
    }
    return scene_file_of(path_, scene_.take(), scene_.names());
  }

 private:
  [[noreturn]] void fail(const YAML::Node& node, const std::string& message) const {
    fail_at(path_, node.Mark(), message);
  }

  /// Aliases can name one list many times, so a short file could fill the memory.
  void count_shapes(const YAML::Node& objects) const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < objects.size(); ++i) {
      const YAML::Node object = objects[i];
      if (!object.IsMap()) continue;  // reported when it is read
      const YAML::Node primitives = object["primitives"];
      if (primitives && primitives.IsSequence()) count += primitives.size();
      if (count <= kMostRobotShapes) continue;
      fail(object, fmt::format("makes more than {} primitives in all", kMostRobotShapes));
    }
  }

  /// Refuses geometry that this reader cannot read, rather than skip it.
  void expect_none(const YAML::Node& map, const char* name, const std::string& where) const {
    if (!map || !map.IsMap()) return;
    const YAML::Node node = map[name];
    if (!node || node.IsNull() || (!node.IsScalar() && node.size() == 0)) return;
    fail(node,
         fmt::format("has {} in {}, which are not read; expected primitives alone", name, where));
  }

  void expect_single_keys(const YAML::Node& map) const { tools::expect_single_keys(path_, map); }

  void read_object(const YAML::Node& object, std::int32_t owner) {
    if (!object.IsMap()) fail(object, "is not a collision object");
    expect_single_keys(object);
    const YAML::Node id = object["id"];
    const std::string given = id && id.IsScalar() ? id.Scalar() : std::string();
    const std::string name = given.empty() ? fmt::format("number {}", owner) : given;
    for (const char* other : {"meshes", "planes"}) expect_none(object, other, name);
    const YAML::Node operation = object["operation"];
    const std::string word = operation && operation.IsScalar() ? operation.Scalar() : "";
    if (operation && word != "0" && word != "add") {
      fail(object, fmt::format("has the operation {} in {}, which is not read; expected add (0) or "
                               "none",
                               in_quotes(word), name));
    }
    const YAML::Node header = object["header"];
    if (header) expect_single_keys(header);
    const YAML::Node frame_id = value_at(header, "frame_id");
    if (frame_id && frame_id.IsScalar() && frame_id.Scalar() != "" &&
        frame_id.Scalar() != "world") {
      fail(frame_id, fmt::format("has {} in the frame {}; expected the world's", name,
                                 in_quotes(frame_id.Scalar())));
    }
    const Frame3 base = object["pose"] ? read_pose(object["pose"], name) : Frame3{};
    const YAML::Node primitives = object["primitives"];
    const YAML::Node poses = object["primitive_poses"];
    const std::size_t count = length_of_list(primitives, object, "primitives", name);
    const std::size_t pose_count = length_of_list(poses, object, "primitive_poses", name);
    if (count != pose_count) {
      fail(object,
           fmt::format("has {} primitives and {} primitive_poses in {}", count, pose_count, name));
    }
    for (std::size_t i = 0; i < count; ++i) {
      add(primitives[i], product(base, read_pose(poses[i], name)), owner, given, name);
    }
  }

  /// 0 if the object has no such list.
  std::size_t length_of_list(const YAML::Node& list, const YAML::Node& object, const char* field,
                             const std::string& name) const {
    if (!list) return 0;
    if (list.IsSequence()) return list.size();
    fail(object, fmt::format("has {} in {} that are not a list", field, name));
  }

  /// Obstacles do not move and do not collide with one another. `id` is theirs, `name` for
  /// messages.
  void add(const YAML::Node& primitive, const Frame3& frame, std::int32_t owner,
           const std::string& id, const std::string& name) {
    ShapeTags tags;
    tags.name = id;
    tags.owner = owner;
    tags.fixed = 1;
    if (!primitive.IsMap()) fail(primitive, fmt::format("is not a primitive of {}", name));
    expect_single_keys(primitive);
    const YAML::Node type = primitive["type"];
    const std::string word = type && type.IsScalar() ? type.Scalar() : "";
    const YAML::Node sizes = primitive["dimensions"];
    if (word == "box") {
      const auto size = read_sizes<3>(sizes, primitive, name);
      scene_.add_box(frame, {size[0] / 2, size[1] / 2, size[2] / 2}, tags);
    } else if (word == "cylinder") {
      const auto size = read_sizes<2>(sizes, primitive, name);  // height, radius
      scene_.add_cylinder(frame, size[0] / 2, size[1], tags);
    } else if (word == "cone") {
      const auto size = read_sizes<2>(sizes, primitive, name);  // height, radius; its tip is up
      scene_.add_cone(frame, size[0] / 2, size[1], tags);
    } else if (word == "sphere") {
      scene_.add_sphere(frame.position, read_sizes<1>(sizes, primitive, name)[0], tags);
    } else {
      fail(primitive, fmt::format("has a primitive of type {} in {}; expected box, cylinder, "
                                  "cone or sphere",
                                  in_quotes(word), name));
    }
  }

  template <std::size_t N>
  std::array<double, N> read_sizes(const YAML::Node& node, const YAML::Node& parent,
                                   const std::string& name) const {
    const auto sizes = read_numbers<N>(node, parent, "dimensions", name);
    for (const double size : sizes) {
      if (size < 0)
        fail(node, fmt::format("has dimensions of {} in {}; expected >= 0", size, name));
    }
    return sizes;
  }

  template <std::size_t N>
  std::array<double, N> read_numbers(const YAML::Node& node, const YAML::Node& parent,
                                     const char* field, const std::string& name) const {
    std::array<double, N> numbers{};
    bool fits = node && node.IsSequence() && node.size() == N;
    for (std::size_t i = 0; fits && i < N; ++i) {
      fits = node[i].IsScalar() && parse_number(node[i].Scalar(), numbers[i]) &&
             std::isfinite(numbers[i]);
    }
    if (!fits) {
      fail(parent, fmt::format("needs {} as {} finite numbers in {}", field, N, name));
    }
    return numbers;
  }

  Frame3 read_pose(const YAML::Node& pose, const std::string& name) const {
    if (!pose.IsMap()) fail(pose, fmt::format("has no pose in {}", name));
    expect_single_keys(pose);
    Frame3 frame;
    frame.position = read_numbers<3>(pose["position"], pose, "position", name);
    const Quaternion given = read_numbers<4>(pose["orientation"], pose, "orientation", name);
    double square = 0;
    for (const double value : given) square += value * value;
    if (!(std::abs(square - 1) <= 1e-4)) {
      fail(pose,
           fmt::format("has an orientation of squared length {} in {}; expected 1", square, name));
    }
    frame.orientation = normalized(given);
    return frame;
  }

  const std::string& path_;
  RobotScene scene_;
};

}  // namespace

SceneFile read_planning(const std::string& path) {
  return read_yaml(path, [&](const YAML::Node& root) { return PlanningReader(path).read(root); });
}

}  // namespace widephase::tools
