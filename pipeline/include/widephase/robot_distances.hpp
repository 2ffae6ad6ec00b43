#pragma once

// How far robots are from themselves and their surroundings, and how that changes.

#include <limits>

#include <widephase/robot.hpp>

namespace widephase {

/// What `min_distance` gives of a robot.
struct RobotDistanceOptions {
  /// Configurations whose least distance is greater have no pair.
  double limit = std::numeric_limits<double>::infinity();
  bool has_gradient = false;  ///< whether `gradient` is written
};

/// The nearest pair of each configuration: one row per configuration. A is the robot's `shape`, B
/// the obstacle or `other_shape`. Without a pair all ids are -1, the distance is the largest finite
/// number, and all else is 0.
struct RobotDistances : RobotPairs {
  Column<double> distance;    ///< below 0 for shapes that overlap: minus the depth
  Column<double, 3> normal;   ///< unit, from A to B
  Column<double, 3> point_a;  ///< of A, nearest to B
  Column<double, 3> point_b;  ///< of B, nearest to A
  /// How fast the distance grows with each value of the configuration: as many per row as values.
  /// Values of mimicked joints have the sum of all that follow them. A quaternion's parts are those
  /// of one that is normalized. Not defined where two pairs are equally near.
  Column<double> gradient;
};

/// The least distance of each configuration, over all pairs that `any_contact` asks. Margins do not
/// count. Throws `Error` as `any_contact` does; after one `distances` stay as they were.
template <class T>
WIDEPHASE_API void min_distance(const Robot& robot, const Configurations<T>& q,
                                const Environment& environment, RobotDistances& distances,
                                Workspace<3, double>& workspace,
                                const RobotDistanceOptions& wanted = {},
                                const CollideOptions& options = {},
                                std::span<const std::int32_t> worlds = {});

}  // namespace widephase
