#pragma once

// Cylinders for the families of `generate.hpp`, and families of those that have flat ends.

#include <cmath>
#include <vector>

#include "reference/generate_hulls.hpp"

namespace widephase::test {

/// A cylinder of about `size`; one in ten is a needle or a disc of a thousandth and less, some have
/// no height or no radius.
Solid<3> random_cylinder(Random& random, const Point<3>& center, double size);

/// Both sizes in quarters, 0 among them.
inline Solid<3> grid_cylinder(Random& random, const Point<3>& center) {
  const Quaternion orientation = grid_orientation(random);
  const double half_height = random.integer(0, 4) * 0.25;
  return cylinder(center, orientation, half_height, random.integer(0, 4) * 0.25);
}

/// Moves half of a cylinder's numbers by 1e-9 to 1e-2.
void shake_cylinder(Random& random, Solid<3>& solid);

/// Cylinders in special places about the box from -1 to 1.
std::vector<Solid<3>> special_cylinders();

/// Long shapes, one edge across another at an angle from 1e-9 to 0.1,
/// many at 0.003 and 1e-6 rad, that overlap or are apart by little. A kernel that takes the edges
/// for parallel reports the depth of a face, which here may be many times as much. None where
/// neither shape can turn.
std::vector<SolidPair<3>> crossing_edges(Kind a, Kind b, std::size_t count, std::uint64_t seed);

/// One on another, face to face: turned about the upright by nothing, a grid's angle or any, moved
/// sideways, touching or nearly so. Without an aabb the stack is turned as a whole, most anyhow,
/// which leaves the faces flush to rounding.
std::vector<SolidPair<3>> stacked_solids(Kind a, Kind b, std::size_t count, std::uint64_t seed);

/// Any two about one centre, the second one turned alike, by a grid's turn or anyhow; some centres
/// are off by rounding.
std::vector<SolidPair<3>> concentric_solids(Kind a, Kind b, std::size_t count, std::uint64_t seed);

/// Two without rounding whose corners are in one place but for rounding; half of them lie on either
/// side of it, so that they touch there.
std::vector<SolidPair<3>> corner_to_corner(Kind a, Kind b, std::size_t count, std::uint64_t seed);

}  // namespace widephase::test
