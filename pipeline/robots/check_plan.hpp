#pragma once

// A robot as the check in float reads it (kernels/robots/check.hpp): its frames, and its shapes as
// balls in units of those that meet the same others.

#include <array>
#include <vector>

#include <widephase/robot.hpp>

#include "kernels/robot_table.hpp"

namespace widephase {

/// Numbers of the check that a configuration may have; with others it is asked in double.
struct CheckLimit {
  std::int32_t slot;
  double most;  ///< of the absolute value
};

/// A ball in the frame of a body, in double.
struct BodyBall {
  std::array<double, 3> center;
  double radius;
};

/// A unit, and where it can be.
struct PlannedUnit {
  CheckUnit unit;
  std::array<double, 3> around;  ///< the bound's centre is within `reach` of this place
  double reach;
  bool meets_surroundings;
  std::int32_t body, shape;     ///< of its first shape, and that one
  bool is_exact;                ///< whether its shapes are balls
  BodyBall bound;               ///< around all, in the frame of the body
  std::vector<BodyBall> balls;  ///< around its shapes, likewise
  float inner;                  ///< as of `DistanceJob`
};

/// What distances ask of a ball.
struct ShapeBall {
  std::int32_t shape;
  float least;            ///< as of `CheckBall`, without the shape's margin
  std::uint8_t is_whole;  ///< whether it is the shape
};

struct CheckPlan {
  /// Larger shapes and margins are asked in double.
  static constexpr double kMostRadius = 1e12;
  /// Whether the robot has such a plan. A robot with shapes without bounds, in a periodic domain or
  /// of very many shapes has none.
  bool is_there = false;
  bool takes(double margin) const { return is_there && margin < kMostRadius; }
  std::vector<CheckNode> nodes;
  std::vector<PlannedUnit> units;  ///< the farthest from the base first
  std::vector<CheckBall> balls;
  std::vector<ShapeBall> shape_balls;  ///< of the same
  std::vector<CheckConvex> convexes;
  std::vector<float> vertices;
  std::vector<CheckPair> pairs;
  std::vector<CheckLimit> limits;
  double size = 0;  ///< no coordinate of a ball's centre is beyond it
  /// How far the distance of a bound's centre from the axis of a joint may be off.
  double lever_error = 0;
};

/// Lanes of a block whose numbers the check takes.
unsigned plain_lanes(const CheckPlan& plan, const double* numbers);

struct RobotPlan;
CheckPlan check_plan_of(const RobotColumns& robot, const RobotPlan& plan);

}  // namespace widephase
