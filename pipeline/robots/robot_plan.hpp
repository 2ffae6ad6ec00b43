#pragma once

// What `place` reads of a robot: its frames and moving joints in the order of the kernel, and where
// the numbers of each joint come from. And what the check in float reads of it.

#include <memory>
#include <mutex>
#include <vector>

#include <widephase/bounds.hpp>
#include <widephase/robot.hpp>

#include "kernels/robot_table.hpp"
#include "pipeline/robots/check_plan.hpp"

namespace widephase {

/// The largest length of a configuration, as of coordinates elsewhere.
inline constexpr double kMostLength = 1e75;

/// Numbers of a joint, from values of a configuration: number k is multiplier * value + offset of
/// value `value + k`. Quaternions are taken as they are.
struct RobotSlots {
  std::int32_t slot;   ///< of the first number
  std::int32_t value;  ///< of the configuration
  std::int32_t joint;  ///< a row of the robot's joints
  JointMotion motion;
  double multiplier, offset;
};

/// Bounds of a robot's shapes in its first configuration, found when they are first asked for:
/// that takes its hulls apart.
class StartBounds {
 public:
  const BoundsBuffer<3, double>& of(const SceneColumns<3, double>& shapes);

 private:
  std::mutex mutex_;
  bool is_known_ = false;
  BoundsBuffer<3, double> bounds_;
};

struct RobotPlan {
  std::vector<RobotStep> steps;  ///< of the bodies, parents before children; then of the links
  std::size_t body_count = 0, link_count = 0;
  std::vector<RobotJoint> joints;
  std::vector<RobotSlots> slots;  ///< one per joint that moves
  std::size_t slot_count = 0;
  CheckPlan check;
  std::shared_ptr<StartBounds> start_bounds = std::make_shared<StartBounds>();
};

/// How many numbers a motion has.
constexpr std::int32_t number_count(JointMotion motion) {
  switch (motion) {
    case JointMotion::turn:
    case JointMotion::slide:
      return 1;
    case JointMotion::plane:
      return 3;
    case JointMotion::ball:
      return 4;
    case JointMotion::floating:
      return 7;
  }
  return 0;
}

}  // namespace widephase
