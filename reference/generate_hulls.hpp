#pragma once

// Hulls for the families of `generate.hpp`.

#include <cmath>
#include <vector>

#include "reference/generate_turned3.hpp"

namespace widephase::test {

/// The vertices of the points' hull if it exists in each precision, or else `otherwise`.
std::vector<Point<3>> usable(const std::vector<Point<3>>& points,
                             const std::vector<Point<3>>& otherwise);

std::vector<Point<3>> scaled_by(std::vector<Point<3>> points, const Point<3>& scale);

std::vector<Point<3>> shifted_by(std::vector<Point<3>> points, const Point<3>& offset);

/// The corners of a box, in the same order as a box's.
std::vector<Point<3>> block(double x, double y, double z);

/// A right prism over a flat outline, from -half to half.
std::vector<Point<3>> prism(const std::vector<Point<2>>& outline, double half);

inline std::vector<Point<3>> octahedron(double x, double y, double z) {
  return {{-x, 0, 0}, {x, 0, 0}, {0, -y, 0}, {0, y, 0}, {0, 0, -z}, {0, 0, z}};
}

/// `count` points on the sphere of radius `size`, or in the cube about the origin, where fewer of
/// them are vertices.
std::vector<Point<3>> cloud(Random& random, int count, double size, bool is_round);

/// The vertices of a hull of about `size`: tetrahedra, blocks, prisms, mostly 5 to 16 random
/// points, sometimes 32 or 64, some needles of 1 to 1000 and some plates of 1e-4 of their width.
std::vector<Point<3>> random_hull_vertices(Random& random, double size);

/// One in five is far from the origin of its frame; half are rounded.
Solid<3> random_hull(Random& random, const Point<3>& center, double size);

/// Vertices in quarters: blocks, tetrahedra, octahedra, octagonal prisms, or any points.
Solid<3> grid_hull(Random& random, const Point<3>& center);

/// Changes half of a hull's numbers, but not its radius, by 1e-9 to 1e-2. Vertices that were in one
/// plane are then nearly so.
void shake_hull(Random& random, Solid<3>& solid);

/// Hulls in special positions around the box from -1 to 1.
std::vector<Solid<3>> special_hulls();

}  // namespace widephase::test
