#pragma once

// What `place` reads of a robot: its frames and moving joints in the order of the kernel, and where
// the numbers of each joint come from. And what the check in float reads of it.

#include <array>
#include <memory>
#include <mutex>
#include <vector>

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

/// Shapes that move together are a part.
struct RobotParts {
  struct Part {
    std::int32_t body;
    std::array<double, 3> center;  ///< of a ball about them, in the body's frame
    double radius;
  };
  std::vector<Part> parts;
  std::vector<std::int32_t> part_of_shape;
};

/// Those of a robot, from when they are first asked for.
class KeptParts {
 public:
  template <class Make>
  const RobotParts& get(Make make) const {
    const std::lock_guard lock(mutex_);
    if (!parts_) parts_ = std::make_unique<const RobotParts>(make());
    return *parts_;
  }

 private:
  mutable std::mutex mutex_;
  mutable std::unique_ptr<const RobotParts> parts_;
};

struct RobotPlan {
  std::vector<RobotStep> steps;  ///< of the bodies, parents before children; then of the links
  std::size_t body_count = 0, link_count = 0;
  std::vector<RobotJoint> joints;
  std::vector<RobotSlots> slots;  ///< one per joint that moves
  std::size_t slot_count = 0;
  CheckPlan check;
  std::shared_ptr<const KeptParts> parts = std::make_shared<KeptParts>();  ///< `MotionTree`'s
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
