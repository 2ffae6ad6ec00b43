#pragma once

// Boxes in 3D for the families of `generate.hpp`.

#include <cmath>
#include <vector>

#include "reference/generate_turned.hpp"

namespace widephase::test {

/// The rotation by `angle` about `axis`, which may have any length but 0.
inline Quaternion about(const Point<3>& axis, double angle) {
  const double norm = std::sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
  const double s = std::sin(angle / 2) / norm;
  return {s * axis[0], s * axis[1], s * axis[2], std::cos(angle / 2)};
}

/// The rotation `second` followed by `first`.
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

/// The 24 rotations of a cube, each with one of its two signs.
const std::vector<Quaternion>& cube_rotations();

/// Rotations by an odd number of eighths of a turn, about the axes, face diagonals and space
/// diagonals. Each also comes after a rotation of the cube.
const std::vector<Quaternion>& eighth_turns();

inline const Quaternion& any_of(Random& random, const std::vector<Quaternion>& choice) {
  return choice[static_cast<std::size_t>(random.integer(0, static_cast<int>(choice.size()) - 1))];
}

inline Quaternion grid_orientation(Random& random) {
  const Quaternion q = any_of(random, random.chance(0.6) ? cube_rotations() : eighth_turns());
  return random.chance(0.5) ? q : scaled_by(q, -1);
}

/// Any orientation. One in ten is from the grid. One in ten misses unit length by as much as a
/// scene may.
inline Quaternion random_orientation(Random& random) {
  if (random.chance(0.1)) return grid_orientation(random);
  const Quaternion q = random.direction<4>();
  return random.chance(0.1) ? scaled_by(q, 1 + random.uniform(-4.9e-5, 4.9e-5)) : q;
}

/// A box of about `size`; one in ten is a sliver, half are rounded.
Solid<3> random_box3(Random& random, const Point<3>& center, double size);

/// Half extents in quarters, possibly 0.
inline Solid<3> grid_box3(Random& random, const Point<3>& center) {
  Point<3> half;
  for (double& value : half) value = random.integer(0, 4) * 0.25;
  return box(center, grid_orientation(random), half, grid_radius(random));
}

/// Changes half of a box's numbers, but not its radius, by 1e-9 to 1e-2. Edges and faces that were
/// parallel are then nearly so.
void shake_box3(Random& random, Solid<3>& solid);

/// The nearest orientation of the grid.
Quaternion snapped(const Quaternion& orientation);

/// The shape rotated by `turn` about the origin; not for an aabb.
Solid<3> turned_by(const Quaternion& turn, Solid<3> solid);

inline SolidPair<3> turned_by(const Quaternion& turn, const SolidPair<3>& pair) {
  return {turned_by(turn, pair.a), turned_by(turn, pair.b)};
}

/// Boxes in special positions around the box from -1 to 1.
std::vector<Solid<3>> special_boxes3();

/// Needles and plates: a thousandth or a ten-thousandth as thin as they are long. Some pairs share
/// a centre or an orientation.
std::vector<SolidPair<3>> thin_boxes(std::size_t count, std::uint64_t seed);

/// Boxes with the same centre, and with equal orientations, orientations that differ by one of the
/// grid, or any. Some centres differ by rounding.
std::vector<SolidPair<3>> concentric_boxes(std::size_t count, std::uint64_t seed);

/// A box on another, face to face. The upper one may be rotated about the vertical, by an angle of
/// the grid or any angle, and shifted sideways. The boxes touch or nearly touch. The whole stack is
/// rotated, in most cases arbitrarily, so that the faces are flush only to rounding.
std::vector<SolidPair<3>> stacked_boxes(std::size_t count, std::uint64_t seed);

}  // namespace widephase::test
