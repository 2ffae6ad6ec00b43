#pragma once

// Bodies of size 1 that rest on one another, nearly level, for the tables of tests/resting.

#include <cmath>
#include <string_view>
#include <vector>

#include "reference/generate_hulls.hpp"

namespace widephase::test {

/// `PairScene` in which hulls with the same vertices share one geometry, as a simulation's do. The
/// lists here have thousands of bodies of one form, whose hull is then built once.
template <class T>
PairScene<3, T> shared_scene(const std::vector<SolidPair<3>>& solids);

/// A body about the origin that reaches from -size/2 to size/2 along z: "aabb", "box", "hull" (a
/// cube), "prism" and its sides ("prism32"), "cylinder" (standing), "lying" and by how many degrees
/// it is turned about its axis, which is along x ("lying5"), "capsule" (lying along x), "plane"
/// (solid below size/2).
Solid<3> resting_body(std::string_view name, double size);

/// How the upper body lies on the lower one. Lengths are in sizes.
struct RestingPose {
  double tilt = 0;       ///< radians, about a level axis
  double direction = 0;  ///< of that axis, from x
  double yaw = 0;        ///< about the upright, before the tilt
  Point<2> offset{};     ///< of the upper body's centre from the lower one's, sideways
  double overlap = 0;    ///< where neither is tilted
};

/// The turn of the upper body.
Quaternion turn_of(const RestingPose& pose);

/// The lower body is A, its top at the origin's height and its centre below `place`.
SolidPair<3> resting_pair(std::string_view lower, std::string_view upper, const RestingPose& pose,
                          double size, const Point<3>& place = {});

/// A number of the normal distribution (Box and Muller 1958).
double normal_number(Random& random);

/// Any offset up to `farthest` in x and y, tilted about any level axis, with any yaw.
RestingPose random_pose(Random& random, double tilt, double farthest, double overlap);

}  // namespace widephase::test
