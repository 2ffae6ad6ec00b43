#include "tools/robots/mjcf_joints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "tools/formats/file_error.hpp"
#include "tools/formats/text.hpp"

namespace widephase::tools {

namespace {

using tinyxml2::XMLElement;

constexpr std::size_t kAnyCount = std::numeric_limits<std::size_t>::max();

MjcfJointType type_of(const MjcfModel& model, const XMLElement& e) {
  if (std::string_view(e.Name()) == "freejoint") return MjcfJointType::free;
  const std::string_view type = attribute(e, "type");
  if (type.empty() || type == "hinge") return MjcfJointType::hinge;
  if (type == "slide") return MjcfJointType::slide;
  if (type == "ball") return MjcfJointType::ball;
  if (type == "free") return MjcfJointType::free;
  model.fail(e, fmt::format("has {} of type {}; expected hinge, slide, ball or free",
                            element_text(e), in_quotes(type)));
}

void read_range(const MjcfModel& model, const XMLElement& e, MjcfJoint& joint) {
  const auto range = attribute_numbers(model.path(), e, "range", 2, 2);
  const std::string_view limited = attribute(e, "limited");
  const bool is_limited = limited == "true" || (limited != "false" && model.has_auto_limits());
  if (range.empty() || !is_limited) return;
  const bool is_angle = joint.type == MjcfJointType::hinge;
  joint.lower = is_angle ? model.radians(e, range[0]) : range[0];
  joint.upper = is_angle ? model.radians(e, range[1]) : range[1];
}

/// A quaternion w x y z.
Quaternion quaternion_at(const std::vector<double>& values, std::size_t at) {
  return {values[at + 1], values[at + 2], values[at + 3], values[at]};
}

/// Moves a weld's frame by one of its joints, whose numbers begin at `at`.
void apply(const MjcfJoint& joint, const std::vector<double>& values, std::size_t& at,
           Frame3& frame, const std::string& path) {
  const auto read_turn = [&] {
    const Quaternion turn = quaternion_at(values, at);
    at += 4;
    if (turn != Quaternion{}) return normalized(turn);
    throw FileError(path, fmt::format("has the joint {} at a quaternion of no length", joint.name));
  };
  if (joint.type == MjcfJointType::free) {
    frame.position = {values[at], values[at + 1], values[at + 2]};
    at += 3;
    frame.orientation = read_turn();
    return;
  }
  if (joint.type == MjcfJointType::slide) {
    const double value = values[at++] - joint.reference;
    frame.position = sum(frame.position, turned(frame.orientation, scaled(joint.axis, value)));
    return;
  }
  Quaternion turn;
  if (joint.type == MjcfJointType::ball) {
    turn = read_turn();
  } else {
    const double value = values[at++];
    if (!has_direction(value)) {
      throw FileError(path, fmt::format("has the joint {} at an angle of {} radians; expected at "
                                        "most 2^50",
                                        joint.name, value));
    }
    turn = turn_about(joint.axis, value - joint.reference);
  }
  // The joint's own place stays where it is.
  const Vector3 anchor = moved(frame, joint.position);
  frame.orientation = normalized(product(frame.orientation, turn));
  frame.position = difference(anchor, turned(frame.orientation, joint.position));
}

std::vector<const XMLElement*> keys_of(MjcfModel& model) {
  std::vector<const XMLElement*> keys;
  for (const XMLElement* frames = model.root().FirstChildElement("keyframe"); frames != nullptr;
       frames = frames->NextSiblingElement("keyframe")) {
    for (const XMLElement* key = frames->FirstChildElement("key"); key != nullptr;
         key = key->NextSiblingElement("key")) {
      keys.push_back(key);
    }
  }
  return keys;
}

}  // namespace

MjcfJoint read_mjcf_joint(const MjcfModel& model, const XMLElement& e, const Frame3& frame) {
  MjcfJoint joint;
  joint.name = attribute(e, "name");
  joint.type = type_of(model, e);
  if (joint.type == MjcfJointType::free) return joint;
  joint.position = moved(frame, attribute_vector(model.path(), e, "pos", {}));
  if (joint.type == MjcfJointType::ball) return joint;
  const Vector3 axis = attribute_vector(model.path(), e, "axis", joint.axis);
  if (axis == Vector3{}) {
    model.fail(e, fmt::format("has an axis of no length in {}", element_text(e)));
  }
  joint.axis = normalized(turned(frame.orientation, axis));
  const double reference = attribute_number(model.path(), e, "ref", 0);
  joint.reference = joint.type == MjcfJointType::hinge ? model.radians(e, reference) : reference;
  read_range(model, e, joint);
  return joint;
}

std::vector<JointValue> joint_values_of(const std::vector<MjcfWeld>& welds) {
  std::vector<JointValue> values;
  std::size_t number = 0;
  for (const MjcfWeld& weld : welds) {
    for (const MjcfJoint& joint : weld.joints) {
      const std::string name = joint.name.empty() ? fmt::format("joint{}", number) : joint.name;
      ++number;
      if (joint.type == MjcfJointType::hinge || joint.type == MjcfJointType::slide) {
        values.push_back(
            {name, joint.reference, joint.type == MjcfJointType::hinge, joint.lower, joint.upper});
        continue;
      }
      const bool is_free = joint.type == MjcfJointType::free;
      const Frame3 start = is_free ? weld.frame : Frame3{};
      const auto add = [&](const char* part, double value) {
        values.push_back({fmt::format("{}.{}", name, part), value, false, {}, {}});
      };
      if (is_free) {
        add("x", start.position[0]);
        add("y", start.position[1]);
        add("z", start.position[2]);
      }
      add("qw", start.orientation[3]);
      add("qx", start.orientation[0]);
      add("qy", start.orientation[1]);
      add("qz", start.orientation[2]);
    }
  }
  return values;
}

std::vector<Frame3> frames_of(const std::vector<MjcfWeld>& welds, const std::vector<double>& values,
                              const std::string& path) {
  std::vector<Frame3> frames(welds.size());
  std::size_t at = 0;
  for (std::size_t w = 1; w < welds.size(); ++w) {  // each after its parent
    frames[w] = product(frames[welds[w].parent], welds[w].in_parent);
    for (const MjcfJoint& joint : welds[w].joints) apply(joint, values, at, frames[w], path);
  }
  return frames;
}

void add_robot(const std::vector<MjcfWeld>& welds, RobotColumns& robot) {
  constexpr JointType kTypes[] = {JointType::revolute, JointType::prismatic, JointType::ball,
                                  JointType::floating};
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  robot.quaternions = QuaternionOrder::wxyz;
  RobotJoints& joints = robot.joints;
  for (std::size_t w = 1; w < welds.size(); ++w) {
    const MjcfWeld& weld = welds[w];
    // The values of a free joint are its place in the world.
    const bool is_free = !weld.joints.empty() && weld.joints.front().type == MjcfJointType::free;
    const Frame3 origin = is_free ? Frame3{} : weld.in_parent;
    robot.bodies.name.push_back(weld.name);
    robot.bodies.parent.push_back(is_free ? -1 : welds[weld.parent].body);
    robot.bodies.position.push_back(origin.position);
    robot.bodies.turn.push_back(origin.orientation);
    for (const MjcfJoint& joint : weld.joints) {
      const std::string& name = joint.name;
      joints.name.push_back(name.empty() ? fmt::format("joint{}", joints.name.size()) : name);
      joints.type.push_back({kTypes[static_cast<std::size_t>(joint.type)]});
      joints.body.push_back(weld.body);
      joints.axis.push_back(joint.axis);
      joints.anchor.push_back(joint.type == MjcfJointType::slide ? Vector3{} : joint.position);
      joints.lower.push_back(joint.lower.value_or(-kInfinity));
      joints.upper.push_back(joint.upper.value_or(kInfinity));
      joints.multiplier.push_back(1.0);
      joints.offset.push_back(-joint.reference);
    }
  }
}

const XMLElement& find_keyframe(MjcfModel& model, const std::string& name) {
  const std::vector<const XMLElement*> keys = keys_of(model);
  for (const XMLElement* key : keys) {
    if (attribute(*key, "name") == name) return *key;
  }
  std::int64_t number = 0;
  if (parse_number(name, number) && number >= 0 && static_cast<std::size_t>(number) < keys.size()) {
    return *keys[static_cast<std::size_t>(number)];
  }
  if (keys.empty()) {
    throw UsageError(
        fmt::format("{} has no keyframes; leave {} out", model.path(), option("keyframe")));
  }
  std::vector<std::string> names;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::string_view own = attribute(*keys[i], "name");
    names.push_back(own.empty() ? fmt::format("{}", i) : std::string(own));
  }
  throw UsageError(fmt::format("{} does not have the keyframe {}; it has {}", model.path(),
                               in_quotes(name), fmt::join(names, ", ")));
}

Frame3 mocap_frame(const MjcfModel& model, const XMLElement& key, std::size_t index,
                   const Frame3& initial) {
  Frame3 frame = initial;
  const auto positions = attribute_numbers(model.path(), key, "mpos", 0, kAnyCount);
  if (positions.size() >= 3 * index + 3) {
    for (std::size_t k = 0; k < 3; ++k) frame.position[k] = positions[3 * index + k];
  }
  const auto turns = attribute_numbers(model.path(), key, "mquat", 0, kAnyCount);
  if (turns.size() >= 4 * index + 4) {
    const Quaternion turn = quaternion_at(turns, 4 * index);
    if (turn == Quaternion{}) {
      model.fail(key, fmt::format("has mquat of no length in {}", element_text(key)));
    }
    frame.orientation = normalized(turn);
  }
  return frame;
}

void start_at(const MjcfModel& model, const XMLElement& key, std::vector<JointValue>& values) {
  const auto given = attribute_numbers(model.path(), key, "qpos", 0, values.size());
  for (std::size_t i = 0; i < given.size(); ++i) values[i].start = given[i];
}

}  // namespace widephase::tools
