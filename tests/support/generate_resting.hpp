#pragma once

// Bodies of size 1 that rest on one another, nearly level, for the tables of tests/resting.

#include <cmath>
#include <string_view>
#include <vector>

#include "reference/generate_hulls.hpp"

namespace widephase::test {

/// A `PairScene` in which hulls with equal vertices share a geometry, as in a simulation. The lists
/// here have thousands of bodies of one form, whose hull is then built once.
template <class T>
PairScene<3, T> shared_scene(const std::vector<SolidPair<3>>& solids);

/// A body centred at the origin, from -size/2 to size/2 along z. The names are "aabb", "box",
/// "hull" (a cube), "prism" with its number of sides ("prism32"), "cylinder" (standing), "rounded"
/// (a standing cylinder, with a rounding of a tenth of the size), "lying" with its rotation in
/// degrees about its axis, which is along x ("lying5"), "capsule" (lying along x), "ellipsoid",
/// "cone" (standing on its base), "upturned" (a cone on its apex), "lying_cone" (on a line of its
/// side, along x; lower than the others) and "plane" (solid below size/2).
Solid<3> resting_body(std::string_view name, double size);

/// How many points the upper body must have at least, where a face, a line or a point of it is on
/// one that is flat and as large.
std::size_t least_points(std::string_view upper);

/// How the upper body is placed on the lower one. Lengths are relative to the size.
struct RestingPose {
  double tilt = 0;       ///< in radians, about a horizontal axis
  double direction = 0;  ///< of that axis, measured from x
  double yaw = 0;        ///< about the vertical, before the tilt
  Point<2> offset{};     ///< horizontal, from the lower body's centre to the upper one's
  double overlap = 0;    ///< if neither body is tilted
};

/// The orientation of the upper body.
Quaternion turn_of(const RestingPose& pose);

/// The lower body is A. Its top is at the height of the origin, and its centre is below `place`.
SolidPair<3> resting_pair(std::string_view lower, std::string_view upper, const RestingPose& pose,
                          double size, const Point<3>& place = {});

/// A number with normal distribution (Box and Muller 1958).
double normal_number(Random& random);

/// A random pose: an offset of up to `farthest` in x and y, tilted about any horizontal axis, with
/// any yaw.
RestingPose random_pose(Random& random, double tilt, double farthest, double overlap);

}  // namespace widephase::test
