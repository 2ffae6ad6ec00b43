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

/// `vertices` as they are when each precision keeps three of them apart; `otherwise` else.
inline std::vector<Point<2>> usable(std::vector<Point<2>> vertices,
                                    const std::vector<Point<2>>& otherwise) {
  vertices = strictly_convex(vertices);
  return stored<float>(polygon({}, 0, vertices)).vertices.size() >= 3 ? vertices : otherwise;
}

inline std::vector<Point<2>> rectangle(double x, double y) {
  return {{-x, -y}, {x, -y}, {x, y}, {-x, y}};
}

/// `count` corners on a circle; the first is at angle `first`.
std::vector<Point<2>> regular(int count, double radius, double first = 0);

/// At most `count` corners, from `inner` to 1 times `radius` away from the origin.
std::vector<Point<2>> random_vertices(Random& random, int count, double radius, double inner);

inline double random_angle(Random& random) {
  if (random.chance(0.1)) return random.integer(-8, 8) * kEighthTurn;
  return random.chance(0.05) ? random.uniform(-1000, 1000) : random.uniform(-4, 4);
}

/// A box of about `size`; one in ten is a sliver, half are rounded.
Solid<2> random_box(Random& random, const Point<2>& center, double size);

/// A polygon of about `size`: mostly of 3 to 8 corners, some of 9 to 16, some regular, some of 64,
/// some slivers. One in five lies far from the origin of its frame, half are rounded.
Solid<2> random_polygon(Random& random, const Point<2>& center, double size);

inline double grid_angle(Random& random) {
  return (random.chance(0.6) ? 2 * random.integer(-2, 2) : random.integer(-4, 8)) * kEighthTurn;
}
inline double grid_radius(Random& random) {
  return random.chance(0.5) ? 0 : random.integer(1, 3) * 0.25;
}

/// Half extents in quarters, 0 among them; the angle a multiple of 45 degrees.
inline Solid<2> grid_box(Random& random, const Point<2>& center) {
  const Point<2> half{random.integer(0, 4) * 0.25, random.integer(0, 4) * 0.25};
  return box(center, grid_angle(random), half, grid_radius(random));
}

/// Vertices in quarters: rectangles, triangles, diamonds, octagons, any.
Solid<2> grid_polygon(Random& random, const Point<2>& center);

/// Moves half of a box's or polygon's numbers, but its radius, by 1e-9 to 1e-2: edges that were
/// parallel nearly are.
void shake_turned(Random& random, Solid<2>& solid);

/// Boxes in special places about the box from -1 to 1.
std::vector<Solid<2>> special_boxes();

/// Polygons in special places about the box from -1 to 1.
std::vector<Solid<2>> special_polygons();

}  // namespace widephase::test
