#pragma once

// Cores in 3D as corners, edges and faces. A point has one corner. A segment has two corners and an
// edge. A flat box has one face, which is seen from both sides.
//
// Corners are rounded relative to the pair's size. Directions are not computed from corners,
// because the difference of corners along a short edge would be mostly rounding. They come from the
// shape instead and are exact to the rounding of unit vectors. For two nearly parallel edges, all
// results use the difference of their directions, which is exact: see `cross_of_units` (vec.hpp).

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "reference/hull_polytope.hpp"
#include "reference/vec.hpp"

namespace widephase::test {

/// A shape's core relative to `origin`, for kinds other than cylinders.
Polytope polytope_of(const Solid<3>& solid, const Vec<3>& origin);

/// The point of an edge that is nearest to `point`.
Vec<3> nearest_on_edge(const Polytope& polytope, const PolytopeEdge& edge, const Vec<3>& point);

/// Calls `consider(point)` for some points of the surface, including the one nearest to `point`.
template <class Consider>
void for_each_near(const Polytope& polytope, const Vec<3>& point, Consider&& consider) {
  consider(polytope.corners[0]);
  for (const PolytopeEdge& edge : polytope.edges) {
    consider(nearest_on_edge(polytope, edge, point));
  }
  for (const PolytopeFace& face : polytope.faces) {
    const Vec<3> start = minus(polytope.corners[face.corners[0]], point);
    const Vec<3> foot = plus(point, face.normal, dot(start, face.normal));
    bool is_inside = true;
    for (std::size_t i = 0; i < face.corners.size(); ++i) {
      const Vec<3> inwards = cross(face.normal, face.along[i]);
      is_inside = is_inside && dot(minus(foot, polytope.corners[face.corners[i]]), inwards) >= 0;
    }
    if (is_inside) consider(foot);
  }
}

Real distance_to_surface(const Polytope& polytope, const Vec<3>& point);

/// Two cores, both relative to A's position. The difference of positions far from the origin is
/// exact, and all numbers added to it are as small as the shapes.
struct PolytopePair {
  Polytope a;
  Polytope b;

  PolytopePair(const Solid<3>& solid_a, const Solid<3>& solid_b)
      : a(polytope_of(solid_a, widened(solid_a.p))), b(polytope_of(solid_b, widened(solid_a.p))) {}
  PolytopePair(Polytope core_a, Polytope core_b) : a(std::move(core_a)), b(std::move(core_b)) {}

  /// The translation of B along the unit vector `n` that separates the cores.
  Real support(const Vec<3>& n) const { return a.support(n) + b.support(times(n, -1)); }

  /// Unit directions, each with its opposite. They include the normals of all faces of A - B, and
  /// more if A - B is flat. Edges that are parallel to the last digit span a face no wider than
  /// rounding, so the least support is right to rounding without their cross product.
  std::vector<Vec<3>> candidate_normals() const {
    std::vector<Vec<3>> normals;
    const auto add = [&](const Vec<3>& direction) {
      const Real norm = length(direction);
      if (!(norm > 0)) return;
      normals.push_back(times(direction, 1 / norm));
      normals.push_back(times(direction, -1 / norm));
    };
    for (const Polytope* core : {&a, &b}) {
      for (const Vec<3>& normal : core->normals) add(normal);
    }
    for (const Vec<3>& u : a.directions) {
      for (const Vec<3>& v : b.directions) add(cross_of_units(u, v));
    }
    if (!a.faces.empty() || !b.faces.empty()) return normals;
    // Points and collinear segments separate in any direction perpendicular to their line.
    for (int k = 0; k < 3; ++k) {
      Vec<3> axis{};
      axis[k] = 1;
      add(axis);
      for (const Polytope* core : {&a, &b}) {
        for (const Vec<3>& u : core->directions) add(cross_of_units(u, axis));
      }
    }
    return normals;
  }

  /// The shortest vector from a point on A's surface to one on B's, between two edges or between a
  /// corner and a surface. If the cores are apart, it is the gap between them. If they overlap, it
  /// is no longer than the depth: B moved by the depth touches A.
  Vec<3> gap() const {
    std::vector<Vec<3>> vectors;
    for (const auto& [on_a, on_b] : near_pairs()) vectors.push_back(minus(on_b, on_a));
    Real shortest2 = dot(vectors[0], vectors[0]);
    for (const Vec<3>& vector : vectors) shortest2 = std::min(shortest2, dot(vector, vector));
    // Points around the nearest ones are as near to rounding, but their vectors lean by its square
    // root. The right vector is the one along which the cores are farthest apart.
    Vec<3> best{};
    Real farthest = -std::numeric_limits<Real>::infinity();
    for (const Vec<3>& vector : vectors) {
      const Real norm = length(vector);
      if (norm * norm > shortest2 * (1 + 1e-17L)) continue;
      const Real apart = norm > 0 ? -support(times(vector, 1 / norm)) : 0;
      if (apart > farthest) best = vector;
      farthest = std::max(farthest, apart);
    }
    return best;
  }

  /// Pairs of points on both surfaces, A's first. If the cores are apart, those that are nearest to
  /// each other are among them, and all corners of the set of such points.
  std::vector<std::pair<Vec<3>, Vec<3>>> near_pairs() const {
    std::vector<std::pair<Vec<3>, Vec<3>>> pairs;
    const auto consider = [&](const Vec<3>& on_a, const Vec<3>& on_b) {
      pairs.emplace_back(on_a, on_b);
    };
    for (const Vec<3>& corner : a.corners) {
      for_each_near(b, corner, [&](const Vec<3>& near) { consider(corner, near); });
    }
    for (const Vec<3>& corner : b.corners) {
      for_each_near(a, corner, [&](const Vec<3>& near) { consider(near, corner); });
    }
    for (const PolytopeEdge& edge_a : a.edges) {
      for (const PolytopeEdge& edge_b : b.edges) {
        // The point where the line of B's edge is nearest to the line of A's. Let v be B's
        // direction or its opposite, with dot(u, v) >= 0, and let w be the part of v perpendicular
        // to u. At that point the vector between the lines has no component along w. w is computed
        // from v - u, so it keeps all its digits. The error of t is rounding divided by the length
        // of w, so it changes the distance of B's point from A's line only by rounding.
        const Vec<3>& u = edge_a.direction;
        const Real sign = dot(u, edge_b.direction) < 0 ? -1 : 1;
        const Vec<3> apart = minus(times(edge_b.direction, sign), u);
        const Vec<3> w = plus(apart, u, -dot(u, apart));
        const Real w2 = dot(w, w);
        if (!(w2 > 0)) continue;  // parallel: a corner is as near as any other point
        const Vec<3>& from = b.corners[edge_b.from];
        const Real long_b = length(minus(b.corners[edge_b.to], from));
        const Real t = -sign * dot(minus(from, a.corners[edge_a.from]), w) / w2;
        if (t < 0 || t > long_b) continue;  // a corner is as near as any other point
        const Vec<3> on_b = plus(from, edge_b.direction, t);
        consider(nearest_on_edge(a, edge_a, on_b), on_b);
      }
    }
    return pairs;
  }
};

}  // namespace widephase::test
