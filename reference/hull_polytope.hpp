#pragma once

// The surface of a convex hull by brute force: a plane through three corners that has all other
// corners on one side is the plane of a face. Shares no code with the library's hulls.
//
// Corners are taken as they are. Five corners that lie in a plane only up to their rounding
// therefore give three triangles. Corners count as coplanar only if long double cannot tell the
// difference.

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "reference/vec.hpp"

namespace widephase::test {

struct PolytopeEdge {
  std::size_t from;
  std::size_t to;
  Vec<3> direction;  ///< of unit length, like the next two
};

struct PolytopeFace {
  Vec<3> normal;
  std::vector<std::size_t> corners;  ///< counter-clockwise when seen from outside
  std::vector<Vec<3>> along;         ///< from each corner to the next, cyclically
};

struct Polytope {
  std::vector<Vec<3>> corners;
  std::vector<PolytopeEdge> edges;
  std::vector<PolytopeFace> faces;
  /// Directions of edges and normals of faces. Parallel ones are listed once, also if they are
  /// opposite.
  std::vector<Vec<3>> directions;
  std::vector<Vec<3>> normals;

  /// The largest dot product of `n` with a corner.
  Real support(const Vec<3>& n) const {
    Real largest = dot(corners[0], n);
    for (const Vec<3>& corner : corners) largest = std::max(largest, dot(corner, n));
    return largest;
  }
};

inline Vec<3> direction_between(const Vec<3>& from, const Vec<3>& to) {
  const Vec<3> along = minus(to, from);
  return times(along, 1 / length(along));
}

/// The hull of `corners`, each of which must be a vertex of it.
Polytope exhausted_hull(const std::vector<Vec<3>>& corners);

/// The hull of a geometry in its own frame. Computed once per geometry, while it stays in the
/// cache.
const Polytope& hull_polytope(const std::vector<Point<3>>& vertices);

/// Rotated so that its axes become `axes`, then moved so that its origin is at `center`.
Polytope placed(Polytope polytope, const Vec<3>& center, const std::array<Vec<3>, 3>& axes);

}  // namespace widephase::test
