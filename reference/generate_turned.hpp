#pragma once

// Boxes and polygons for the families of `generate.hpp`.

#include <cmath>
#include <vector>

#include "reference/solids.hpp"

namespace widephase::test {

inline constexpr double kEighthTurn = 0.78539816339744830962;

inline Point<2> scaled_by(const Point<2>& point, double x, double y) {
  return {point[0] * x, point[1] * y};
}

/// `vertices` if at least three remain after rounding to float, or else `otherwise`.
inline std::vector<Point<2>> usable(std::vector<Point<2>> vertices,
                                    const std::vector<Point<2>>& otherwise) {
  vertices = strictly_convex(vertices);
  return stored<float>(polygon({}, 0, vertices)).vertices.size() >= 3 ? vertices : otherwise;
}

inline std::vector<Point<2>> rectangle(double x, double y) {
  return {{-x, -y}, {x, -y}, {x, y}, {-x, y}};
}

/// `count` corners of a regular polygon; the first is at angle `first`.
std::vector<Point<2>> regular(int count, double radius, double first = 0);

/// At most `count` corners, at distances of `inner` to 1 times `radius` from the origin.
std::vector<Point<2>> random_vertices(Random& random, int count, double radius, double inner);

inline double random_angle(Random& random) {
  if (random.chance(0.1)) return random.integer(-8, 8) * kEighthTurn;
  return random.chance(0.05) ? random.uniform(-1000, 1000) : random.uniform(-4, 4);
}

/// A box of about `size`; one in ten is a sliver, half are rounded.
Solid<2> random_box(Random& random, const Point<2>& center, double size);

/// A polygon of about `size`: mostly with 3 to 8 corners, some with 9 to 16, some regular, some
/// with 64, some slivers. One in five is far from the origin of its frame; half are rounded.
Solid<2> random_polygon(Random& random, const Point<2>& center, double size);

inline double grid_angle(Random& random) {
  return (random.chance(0.6) ? 2 * random.integer(-2, 2) : random.integer(-4, 8)) * kEighthTurn;
}
inline double grid_radius(Random& random) {
  return random.chance(0.5) ? 0 : random.integer(1, 3) * 0.25;
}

/// Half extents in quarters, possibly 0; the angle is a multiple of 45 degrees.
inline Solid<2> grid_box(Random& random, const Point<2>& center) {
  const Point<2> half{random.integer(0, 4) * 0.25, random.integer(0, 4) * 0.25};
  return box(center, grid_angle(random), half, grid_radius(random));
}

/// Vertices in quarters: rectangles, triangles, diamonds, octagons, or any points.
Solid<2> grid_polygon(Random& random, const Point<2>& center);

/// Changes half of the numbers of a box or polygon, but not its radius, by 1e-9 to 1e-2. Edges that
/// were parallel are then nearly so.
void shake_turned(Random& random, Solid<2>& solid);

/// Boxes in special positions around the box from -1 to 1.
std::vector<Solid<2>> special_boxes();

/// Polygons in special positions around the box from -1 to 1.
std::vector<Solid<2>> special_polygons();

}  // namespace widephase::test
