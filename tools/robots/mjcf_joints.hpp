#pragma once

// The joints of MJCF, and the frames that their values (MuJoCo's qpos) give to bodies.

#include <optional>
#include <string>
#include <vector>

#include <widephase/robot.hpp>

#include "tools/robots/joint_values.hpp"
#include "tools/robots/mjcf_model.hpp"

namespace widephase::tools {

enum class MjcfJointType { hinge, slide, ball, free };

struct MjcfJoint {
  std::string name;
  MjcfJointType type = MjcfJointType::hinge;
  Vector3 position{};  ///< in the body's frame
  Vector3 axis{0, 0, 1};
  double reference = 0;  ///< the value in the initial configuration
  std::optional<double> lower, upper;
};

/// Bodies that move as one. Each weld that can move, or is posed from outside (mocap), is a body of
/// the scene.
struct MjcfWeld {
  std::string name;  ///< of its first body; empty: none
  std::size_t parent = 0;
  Frame3 in_parent;  ///< in the initial configuration
  Frame3 frame;      ///< relative to the world, likewise
  std::int32_t body = -1;
  bool is_fixed = false;  ///< it never moves relative to the world, or is a mocap body
  std::vector<MjcfJoint> joints;
  std::vector<std::size_t> shapes;
};

/// A <joint> or <freejoint> within `frame` of its body.
MjcfJoint read_mjcf_joint(const MjcfModel& model, const tinyxml2::XMLElement& element,
                          const Frame3& frame);

/// The numbers that pose the welds, in the order of MuJoCo's qpos, as in the initial configuration.
std::vector<JointValue> joint_values_of(const std::vector<MjcfWeld>& welds);

/// The frame of each weld for these numbers; the first is the world's. `path` is for messages.
std::vector<Frame3> frames_of(const std::vector<MjcfWeld>& welds, const std::vector<double>& values,
                              const std::string& path);

/// The welds that move, or are posed from outside, as a robot's bodies, and their joints. Its
/// values are those of `joint_values_of`.
void add_robot(const std::vector<MjcfWeld>& welds, RobotColumns& robot);

/// The <key> of <keyframe> with this name or, counted from 0, number.
const tinyxml2::XMLElement& find_keyframe(MjcfModel& model, const std::string& name);

/// The frame that a keyframe gives to mocap body `index`; `initial` if it gives none.
Frame3 mocap_frame(const MjcfModel& model, const tinyxml2::XMLElement& key, std::size_t index,
                   const Frame3& initial);

/// Lets the values start as in a keyframe.
void start_at(const MjcfModel& model, const tinyxml2::XMLElement& key,
              std::vector<JointValue>& values);

}  // namespace widephase::tools
