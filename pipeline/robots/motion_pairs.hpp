#pragma once

// What of a robot may meet what, and whether a pair is farther apart than it moves within a part of
// a motion: by balls around the robot's shapes, in double. A pair is found apart by the bounds of
// its units, or else ball by ball.

#include <array>
#include <vector>

#include "pipeline/robots/environment_state.hpp"
#include "pipeline/robots/motion_tree.hpp"

namespace widephase {

class MotionPairs {
 public:
  /// `tree` is one of the robot, and `world` that of the environment. What is not farther apart
  /// than `margin` touches.
  MotionPairs(const Robot& robot, const MotionTree& tree, const Environment& environment,
              std::int32_t world, double margin, bool moving_pairs);

  std::size_t size() const { return pairs_.size(); }
  /// Whether the balls of a pair are its shapes, so that nothing else shows more.
  bool is_exact(std::int32_t pair) const {
    return pairs_[static_cast<std::size_t>(pair)].is_exact;
  }

  /// The configuration of the tree is another one now.
  void placed(const MotionTree& tree);
  /// Whether a pair is surely apart at all times within `width`. `share` and `slack` are added to
  /// what it moves; `only_bounds` asks no balls.
  bool is_apart(std::int32_t pair, double width, double share, double slack, bool only_bounds);

 private:
  using Vector = std::array<double, 3>;
  struct Pair {
    std::int32_t a;         ///< a unit
    std::int32_t b;         ///< a unit; -1: an obstacle
    std::int32_t obstacle;  ///< of the environment
    bool is_exact;
  };
  struct Unit {
    std::int32_t body, part;
    Vector center;  ///< of its bound, in the frame of the body
    double radius;
    std::size_t first_ball, last_ball;
  };
  const Vector& place_bound(std::size_t unit);
  void place_balls(std::size_t unit);

  const std::vector<Obstacle>& obstacles_;
  double margin_;
  std::vector<Unit> units_;
  std::vector<Vector> balls_;  ///< in the frame of the body
  std::vector<double> radii_;
  std::vector<Pair> pairs_;
  // What the configuration changes:
  const MotionTree* tree_ = nullptr;
  std::vector<Vector> bound_, ball_;  ///< in the world
  std::vector<std::uint8_t> is_bound_placed_, is_placed_;
  double width_ = -1;          ///< of `reach_`
  std::vector<double> reach_;  ///< of each unit; below 0: unknown
};

}  // namespace widephase
