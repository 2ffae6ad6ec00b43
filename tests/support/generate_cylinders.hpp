#pragma once

// Cylinders for the families of `generate.hpp`, and families of shapes with flat ends.

#include <cmath>
#include <vector>

#include "reference/generate_hulls.hpp"

namespace widephase::test {

/// A cylinder of about `size`. One in ten is a needle or disc, thinner than a thousandth; some have
/// no height or no radius. One in four is rounded.
Solid<3> random_cylinder(Random& random, const Point<3>& center, double size);

/// All sizes in quarters, possibly 0.
inline Solid<3> grid_cylinder(Random& random, const Point<3>& center) {
  const Quaternion orientation = grid_orientation(random);
  const double half_height = random.integer(0, 4) * 0.25;
  const double radius = random.integer(0, 4) * 0.25;
  return cylinder(center, orientation, half_height, radius,
                  random.chance(0.7) ? 0 : random.integer(0, 3) * 0.25);
}

/// Changes half of a cylinder's numbers by 1e-9 to 1e-2.
void shake_cylinder(Random& random, Solid<3>& solid);

/// Cylinders in special positions around the box from -1 to 1.
std::vector<Solid<3>> special_cylinders();

/// Long shapes with one edge across another, at an angle from 1e-9 to 0.1, often 0.003 or 1e-6 rad.
/// They overlap or are apart by little. A kernel that treats the edges as parallel reports the
/// depth of a face, which may be many times as large here. Empty if neither shape can rotate.
std::vector<SolidPair<3>> crossing_edges(Kind a, Kind b, std::size_t count, std::uint64_t seed);

/// One shape on another, face to face. The upper one may be rotated about the vertical, by an angle
/// of the grid or any angle, and shifted sideways. They touch or nearly touch. Without an aabb, the
/// stack is rotated as a whole, in most cases arbitrarily, so that the faces are flush only to
/// rounding.
std::vector<SolidPair<3>> stacked_solids(Kind a, Kind b, std::size_t count, std::uint64_t seed);

/// Two shapes with the same centre. The second has the same orientation, differs by a rotation of
/// the grid, or has any. Some centres differ by rounding.
std::vector<SolidPair<3>> concentric_solids(Kind a, Kind b, std::size_t count, std::uint64_t seed);

/// Two shapes with radius 0, whose corners coincide to rounding. Half of the pairs are on opposite
/// sides of the corner, so that they touch there.
std::vector<SolidPair<3>> corner_to_corner(Kind a, Kind b, std::size_t count, std::uint64_t seed);

}  // namespace widephase::test
