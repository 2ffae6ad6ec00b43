#pragma once

// The function that `place` of a robot needs from an instruction set: forward kinematics of a block
// of configurations, one per lane. Every such object includes this header, so it has no inline
// function.

#include <cstddef>
#include <cstdint>

#include <widephase/isa.hpp>

namespace widephase {

/// Configurations that are placed together, on every instruction set.
inline constexpr std::size_t kRobotBlock = 16;
/// Numbers of a frame: position, then quaternion x y z w.
inline constexpr std::size_t kFrameNumbers = 7;

/// How the numbers of a joint move its frame.
enum class JointMotion : std::uint8_t {
  turn,      ///< one angle about the axis
  slide,     ///< one length along the axis
  plane,     ///< two lengths along `plane`, then an angle about the axis
  ball,      ///< a quaternion x y z w of any length above 0
  floating,  ///< three lengths, then a quaternion likewise
};

/// A joint that moves.
struct RobotJoint {
  JointMotion motion;
  bool has_anchor;     ///< whether `anchor` is not the frame's origin
  std::int32_t slot;   ///< of its first number
  double axis[3];      ///< of unit length, in the frame that it moves
  double anchor[3];    ///< a point that a turn or ball leaves where it is
  double plane[2][3];  ///< unit vectors across the axis
};

/// A frame, which follows its parent by an origin and by joints, one after the other.
struct RobotStep {
  std::int32_t frame;
  std::int32_t parent;  ///< the frame it is given in; -1: the world
  bool has_turn;        ///< whether `turn` is not the identity
  double position[3];
  double turn[4];  ///< x y z w, of unit length
  std::int32_t first_joint, last_joint;
};

/// A block of configurations. Number n of lane i is at n * kRobotBlock + i of an array that is
/// aligned to 64 bytes.
struct RobotJob {
  const RobotStep* steps;  ///< parents before their children
  std::size_t step_count;
  const RobotJoint* joints;
  std::size_t joint_count;
  const double* numbers;  ///< of all slots, finite
  double* cosines;        ///< room for one of each joint: of half its angle
  double* sines;          ///< likewise
  double* frames;         ///< written: kFrameNumbers per frame
};

struct RobotTable {
  void (*place)(const RobotJob& job);
};

/// The table of an instruction set that is in this build and that the CPU has (`chosen_isa`).
const RobotTable& robot_table(Isa isa);

}  // namespace widephase
