#pragma once

// The surface of a convex hull by exhaustion: the plane through any three corners that has all
// others on one side is that of a face. Shares nothing with the library's hulls.
//
// Corners are taken as they are, so what is a face of five corners but for rounding is three
// triangles here; corners count as in one plane where long double can't tell.

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
  Vec<3> direction;  ///< of unit length, as are the next two
};

struct PolytopeFace {
  Vec<3> normal;
  std::vector<std::size_t> corners;  ///< counter-clockwise, seen against the normal
  std::vector<Vec<3>> along;         ///< from a corner to the next, the last to the first
};

struct Polytope {
  std::vector<Vec<3>> corners;
  std::vector<PolytopeEdge> edges;
  std::vector<PolytopeFace> faces;
  /// Directions of the edges and faces, each once whichever way it goes.
  std::vector<Vec<3>> directions;
  std::vector<Vec<3>> normals;

  /// The largest n.z.
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

/// The hull of `corners`, all of which are corners of it.
Polytope exhausted_hull(const std::vector<Vec<3>>& corners);

/// The hull of a geometry, in its own frame. Found once a geometry, while it is in use.
const Polytope& hull_polytope(const std::vector<Point<3>>& vertices);

/// Turned so that its axes are `axes`, then its origin put at `center`.
Polytope placed(Polytope polytope, const Vec<3>& center, const std::array<Vec<3>, 3>& axes);

}  // namespace widephase::test
