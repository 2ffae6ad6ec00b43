#pragma once

// Cores in 2D as lists of corners, counter-clockwise: a point has one corner, a segment two. Side i
// goes from corner i to the next corner, and the last side to the first corner. So a segment has
// two sides, one in each direction, and a point has one side of length 0.

#include <algorithm>
#include <cmath>
#include <vector>

#include "reference/vec.hpp"

namespace widephase::test {

using Outline = std::vector<Vec<2>>;

/// The corners of a shape's core relative to `origin`. Those of a polygon are in the order of its
/// vertices.
Outline outline_of(const Solid<2>& solid, const Vec<2>& origin);

/// The corner at the end of side `i`.
inline const Vec<2>& next_corner(const Outline& outline, std::size_t i) {
  return outline[i + 1 < outline.size() ? i + 1 : 0];
}

/// The largest dot product of `n` with a corner.
inline Real support(const Outline& outline, const Vec<2>& n) {
  Real largest = dot(outline[0], n);
  for (const Vec<2>& corner : outline) largest = std::max(largest, dot(corner, n));
  return largest;
}

/// From `point` to the nearest point of the segment.
Vec<2> to_segment(const Vec<2>& point, const Vec<2>& from, const Vec<2>& to);

/// Distance of a point to the nearest side.
Real distance_to_sides(const Outline& outline, const Vec<2>& point);

/// Two cores, both relative to A's position. The difference of positions far from the origin is
/// exact, and all numbers added to it are as small as the shapes.
struct OutlinePair {
  Outline a;
  Outline b;

  OutlinePair(const Solid<2>& solid_a, const Solid<2>& solid_b)
      : a(outline_of(solid_a, widened(solid_a.p))), b(outline_of(solid_b, widened(solid_a.p))) {}

  /// The translation of B along the unit vector `n` that separates the cores.
  Real support(const Vec<2>& n) const {
    return test::support(a, n) + test::support(b, times(n, -1));
  }

  /// Unit directions from A to B. They include the normals of all sides of A - B.
  std::vector<Vec<2>> candidate_normals() const {
    std::vector<Vec<2>> normals;
    const auto add = [&](const Vec<2>& direction, Real sign) {
      const Real norm = length(direction);
      if (norm > 0) normals.push_back(times(direction, sign / norm));
    };
    for (const bool is_a : {true, false}) {
      const Outline& outline = is_a ? a : b;
      for (std::size_t i = 0; i < outline.size(); ++i) {
        const Vec<2> along = minus(next_corner(outline, i), outline[i]);
        add({along[1], -along[0]}, is_a ? 1 : -1);
        // Collinear segments separate at their ends.
        if (outline.size() == 2) add(along, 1);
      }
    }
    // Two points have no sides, so try the axes.
    for (const Vec<2>& axis : {Vec<2>{1, 0}, Vec<2>{0, 1}}) {
      add(axis, 1);
      add(axis, -1);
    }
    return normals;
  }

  /// The shortest vector from a point on A's sides to a point on B's sides. If the cores are apart,
  /// it is the gap between them. Among vectors of equal length to rounding, one perpendicular to a
  /// side is preferred: near the end of a side, the vector to the corner is as short, but its
  /// direction is off by the square root of rounding.
  Vec<2> gap() const {
    Vec<2> least = minus(b[0], a[0]);
    bool is_corner = true;
    const auto consider = [&](const Vec<2>& vector, const Vec<2>& from, const Vec<2>& to) {
      const bool is_end = (vector[0] == from[0] && vector[1] == from[1]) ||
                          (vector[0] == to[0] && vector[1] == to[1]);
      const Real allowed = is_corner && !is_end ? 1 + 1e-18L : 1;
      if (!(dot(vector, vector) < dot(least, least) * allowed)) return;
      least = vector;
      is_corner = is_end;
    };
    for (std::size_t i = 0; i < a.size(); ++i) {
      for (std::size_t j = 0; j < b.size(); ++j) {
        const Vec<2>&p = a[i], &next_p = next_corner(a, i), &q = b[j], &next_q = next_corner(b, j);
        consider(to_segment(p, q, next_q), minus(q, p), minus(next_q, p));
        consider(times(to_segment(q, p, next_p), -1), minus(q, p), minus(q, next_p));
      }
    }
    return least;
  }
};

}  // namespace widephase::test
