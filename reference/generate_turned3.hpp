#pragma once

// Boxes in 3D for the families of `generate.hpp`.

#include <cmath>
#include <vector>

#include "reference/generate_turned.hpp"

namespace widephase::test {

/// A turn by `angle` about `axis`, of any length but 0.
inline Quaternion about(const Point<3>& axis, double angle) {
  const double norm = std::sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
  const double s = std::sin(angle / 2) / norm;
  return {s * axis[0], s * axis[1], s * axis[2], std::cos(angle / 2)};
}

/// First `second`, then `first`.
Quaternion product(const Quaternion& first, const Quaternion& second);

inline double square_of(const Quaternion& q) {
  return q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
}

inline Quaternion scaled_by(Quaternion q, double factor) {
  for (double& value : q) value *= factor;
  return q;
}

inline Point<3> rotated(const Quaternion& q, const Point<3>& v) {
  const Quaternion r = product(product(q, {v[0], v[1], v[2], 0}), {-q[0], -q[1], -q[2], q[3]});
  const double square = square_of(q);
  return {r[0] / square, r[1] / square, r[2] / square};
}

/// The 24 rotations of a cube, each up to its sign.
const std::vector<Quaternion>& cube_rotations();

/// Odd numbers of eighths of a turn about the axes, an edge's diagonal and the cube's; the latter
/// also after a rotation of the cube.
const std::vector<Quaternion>& eighth_turns();

inline const Quaternion& any_of(Random& random, const std::vector<Quaternion>& choice) {
  return choice[static_cast<std::size_t>(random.integer(0, static_cast<int>(choice.size()) - 1))];
}

inline Quaternion grid_orientation(Random& random) {
  const Quaternion q = any_of(random, random.chance(0.6) ? cube_rotations() : eighth_turns());
  return random.chance(0.5) ? q : scaled_by(q, -1);
}

/// Any turn; one in ten is one of the grid's, one in ten misses unit length by as much as a scene
/// may.
inline Quaternion random_orientation(Random& random) {
  if (random.chance(0.1)) return grid_orientation(random);
  const Quaternion q = random.direction<4>();
  return random.chance(0.1) ? scaled_by(q, 1 + random.uniform(-4.9e-5, 4.9e-5)) : q;
}

/// A box of about `size`; one in ten is a sliver, half are rounded.
Solid<3> random_box3(Random& random, const Point<3>& center, double size);

/// Half extents in quarters, 0 among them.
inline Solid<3> grid_box3(Random& random, const Point<3>& center) {
  Point<3> half;
  for (double& value : half) value = random.integer(0, 4) * 0.25;
  return box(center, grid_orientation(random), half, grid_radius(random));
}

/// Moves half of a box's numbers, but its radius, by 1e-9 to 1e-2: edges and faces that were
/// parallel nearly are.
void shake_box3(Random& random, Solid<3>& solid);

/// The turn of the grid that is nearest.
Quaternion snapped(const Quaternion& orientation);

/// The shape turned by `turn` about the origin. An aabb can't be.
Solid<3> turned_by(const Quaternion& turn, Solid<3> solid);

inline SolidPair<3> turned_by(const Quaternion& turn, const SolidPair<3>& pair) {
  return {turned_by(turn, pair.a), turned_by(turn, pair.b)};
}

/// Boxes in special places about the box from -1 to 1.
std::vector<Solid<3>> special_boxes3();

/// Needles and plates: extents of a thousandth and a ten-thousandth of the longest; some two share
/// their centre or their turn.
std::vector<SolidPair<3>> thin_boxes(std::size_t count, std::uint64_t seed);

/// Boxes with one centre, turned alike, by grid turns against each other, or anyhow; some centres
/// are off by rounding.
std::vector<SolidPair<3>> concentric_boxes(std::size_t count, std::uint64_t seed);

/// A box on another, face to face: turned about the upright by nothing, a grid's angle or any,
/// moved sideways, touching or nearly so; the stack is turned as a whole, most anyhow, which leaves
/// the faces flush to rounding.
std::vector<SolidPair<3>> stacked_boxes(std::size_t count, std::uint64_t seed);

}  // namespace widephase::test
