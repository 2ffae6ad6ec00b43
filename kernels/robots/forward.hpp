#pragma once

// Forward kinematics with configurations in lanes. Frames are a position and a unit quaternion in
// double, relative to the world.
//
// All lanes have the same robot, so its constants are broadcast, and what a robot leaves out (an
// origin without rotation) is skipped for all lanes alike. A product of two quaternions misses unit
// length by rounding alone; one step of Newton's method for 1 / sqrt, (3 - |q|^2) / 2, keeps that
// from adding up along a chain.
// Cost: some 150 operations per joint and lane, a third of them for sine and cosine.

#include "kernels/core/run/turns.hpp"
#include "kernels/lanes/vec.hpp"
#include "kernels/robot_table.hpp"

namespace widephase {
namespace {

template <class F>
struct LaneFrame {
  Vec<F, 3> position;
  Vec<F, 3> vector;  ///< of the quaternion
  F scalar;          ///< its real part
};

template <class F>
WIDEPHASE_INLINE Vec<F, 3> broadcast(const double* numbers) {
  return each_axis<F, 3>([&](int k) { return F(numbers[k]); });
}

/// The vector rotated by a unit quaternion: v + 2 w (u x v) + 2 u x (u x v).
template <class F>
WIDEPHASE_INLINE Vec<F, 3> turned(const LaneFrame<F>& frame, const Vec<F, 3>& v) {
  const Vec<F, 3> half = cross(frame.vector, v);
  const Vec<F, 3> across = half + half;
  return (v + frame.scalar * across) + cross(frame.vector, across);
}

/// Moves the frame's own origin by `v`, given in the frame.
template <class F>
WIDEPHASE_INLINE void shift(LaneFrame<F>& frame, const Vec<F, 3>& v) {
  frame.position = frame.position + turned(frame, v);
}

/// Rotates the frame by a quaternion given in the frame.
template <class F>
WIDEPHASE_INLINE void turn(LaneFrame<F>& frame, const Vec<F, 3>& vector, const F& scalar) {
  const Vec<F, 3> a = frame.vector;
  const F w = frame.scalar;
  frame.vector = (w * vector + scalar * a) + cross(a, vector);
  frame.scalar = w * scalar - dot(a, vector);
}

template <class F>
WIDEPHASE_INLINE void keep_unit(LaneFrame<F>& frame) {
  const F square = dot(frame.vector, frame.vector) + frame.scalar * frame.scalar;
  const F scale = F(1.5) - F(0.5) * square;
  frame.vector = scale * frame.vector;
  frame.scalar = scale * frame.scalar;
}

/// The numbers of a block, from a lane on.
template <class F>
class RobotLanes {
 public:
  RobotLanes(const RobotJob& job, std::size_t lane) : job_(job), lane_(lane) {}

  WIDEPHASE_INLINE F number(std::int32_t slot) const {
    return load(job_.numbers + static_cast<std::size_t>(slot) * kRobotBlock + lane_);
  }
  WIDEPHASE_INLINE Vec<F, 3> vector(std::int32_t slot) const {
    return each_axis<F, 3>([&](int k) { return number(slot + k); });
  }

  WIDEPHASE_INLINE LaneFrame<F> frame(std::int32_t index) const {
    if (index < 0) return {zero_vec<F, 3>(), zero_vec<F, 3>(), F(1)};
    const double* from = frames_at(index);
    const auto at = [&](int k) { return load(from + static_cast<std::size_t>(k) * kRobotBlock); };
    return {each_axis<F, 3>(at), each_axis<F, 3>([&](int k) { return at(3 + k); }), at(6)};
  }
  WIDEPHASE_INLINE void set_frame(std::int32_t index, const LaneFrame<F>& frame) const {
    double* const to = frames_at(index);
    for (int k = 0; k < 3; ++k) {
      store(to + static_cast<std::size_t>(k) * kRobotBlock, frame.position[k]);
      store(to + static_cast<std::size_t>(3 + k) * kRobotBlock, frame.vector[k]);
    }
    store(to + 6 * kRobotBlock, frame.scalar);
  }

  WIDEPHASE_INLINE void turn_about_axis(LaneFrame<F>& moved, std::size_t joint) const {
    const F sine = load(job_.sines + joint * kRobotBlock + lane_);
    const F cosine = load(job_.cosines + joint * kRobotBlock + lane_);
    turn(moved, sine * broadcast<F>(job_.joints[joint].axis), cosine);
  }

  /// By the quaternion in four slots, normalized.
  WIDEPHASE_INLINE void turn_by(LaneFrame<F>& moved, std::int32_t slot) const {
    const Vec<F, 3> v = vector(slot);
    const F w = number(slot + 3);
    const F length = sqrt(dot(v, v) + w * w);
    turn(moved, v / length, divide(w, length));
  }

  WIDEPHASE_INLINE void move(LaneFrame<F>& moved, std::size_t index) const {
    const RobotJoint& joint = job_.joints[index];
    const Vec<F, 3> anchor = broadcast<F>(joint.anchor);
    if (joint.has_anchor) shift(moved, anchor);
    switch (joint.motion) {
      case JointMotion::turn:
        turn_about_axis(moved, index);
        break;
      case JointMotion::slide:
        shift(moved, number(joint.slot) * broadcast<F>(joint.axis));
        break;
      case JointMotion::plane:
        shift(moved, number(joint.slot) * broadcast<F>(joint.plane[0]) +
                         number(joint.slot + 1) * broadcast<F>(joint.plane[1]));
        turn_about_axis(moved, index);
        break;
      case JointMotion::ball:
        turn_by(moved, joint.slot);
        break;
      case JointMotion::floating:
        shift(moved, vector(joint.slot));
        turn_by(moved, joint.slot + 3);
        break;
    }
    if (joint.has_anchor) shift(moved, -anchor);
  }

  WIDEPHASE_INLINE void place() const {
    for (std::size_t s = 0; s < job_.step_count; ++s) {
      const RobotStep& step = job_.steps[s];
      LaneFrame<F> moved = frame(step.parent);
      shift(moved, broadcast<F>(step.position));
      if (step.has_turn) turn(moved, broadcast<F>(step.turn), F(step.turn[3]));
      for (std::int32_t j = step.first_joint; j < step.last_joint; ++j) {
        move(moved, static_cast<std::size_t>(j));
      }
      keep_unit(moved);
      set_frame(step.frame, moved);
    }
  }

 private:
  WIDEPHASE_INLINE double* frames_at(std::int32_t index) const {
    return job_.frames + static_cast<std::size_t>(index) * kFrameNumbers * kRobotBlock + lane_;
  }

  const RobotJob& job_;
  std::size_t lane_;
};

/// Cosine and sine of half the angle of each joint that rotates.
void find_joint_turns(const RobotJob& job) {
  double halves[kRobotBlock];
  for (std::size_t j = 0; j < job.joint_count; ++j) {
    const RobotJoint& joint = job.joints[j];
    const bool is_plane = joint.motion == JointMotion::plane;
    if (!is_plane && joint.motion != JointMotion::turn) continue;
    const std::size_t slot = static_cast<std::size_t>(joint.slot) + (is_plane ? 2 : 0);
    for (std::size_t i = 0; i < kRobotBlock; ++i) {
      halves[i] = 0.5 * job.numbers[slot * kRobotBlock + i];
    }
    find_turns(halves, kRobotBlock, job.cosines + j * kRobotBlock, job.sines + j * kRobotBlock);
  }
}

void place_robot(const RobotJob& job) {
  using F = Batch<double>;
  constexpr std::size_t kLanes = LaneTraits<F>::count;
  static_assert(kRobotBlock % kLanes == 0);
  find_joint_turns(job);
  for (std::size_t lane = 0; lane < kRobotBlock; lane += kLanes) {
    RobotLanes<F>(job, lane).place();
  }
}

}  // namespace
}  // namespace widephase
