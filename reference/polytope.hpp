#pragma once

// Cores in 3D as corners, edges and faces: a point has one corner, a segment two and an edge, a
// flat box one face, which looks both ways.
//
// Corners are rounded relative to the pair's size. Directions are not taken from corners, whose
// difference along a short edge would be mostly rounding, but from the shape, and are exact to
// rounding of unit vectors. Where two edges are nearly parallel, all that is computed from their
// directions goes through the difference of these, which is exact: see `cross_of_units` (vec.hpp).

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "reference/hull_polytope.hpp"
#include "reference/vec.hpp"

namespace widephase::test {

/// A shape's core relative to `origin`; not a cylinder's.
Polytope polytope_of(const Solid<3>& solid, const Vec<3>& origin);

/// The point of an edge that is nearest to `point`.
Vec<3> nearest_on_edge(const Polytope& polytope, const PolytopeEdge& edge, const Vec<3>& point);

/// Calls `consider(point)` for points of the surface; the nearest to `point` is among them.
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

/// Two cores, both relative to A's position: the difference of positions far from the origin is
/// exact, what is added to it is as small as the shapes.
struct PolytopePair {
  Polytope a;
  Polytope b;

  PolytopePair(const Solid<3>& solid_a, const Solid<3>& solid_b)
      : a(polytope_of(solid_a, widened(solid_a.p))), b(polytope_of(solid_b, widened(solid_a.p))) {}

  /// The translation of B along the unit vector `n` that parts the cores.
  Real support(const Vec<3>& n) const { return a.support(n) + b.support(times(n, -1)); }

  /// Unit directions, each with its opposite, among which the normals of all faces of A - B are,
  /// and more where it is flat. Edges that are parallel to the last digit span no face that is
  /// wider than rounding: without their directions the least support is right to rounding.
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
    // Points and segments along a line leave it in any way across.
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

  /// The shortest vector from a point on A's surface to one on B's among those between two edges
  /// and between a corner and a surface: from core to core when apart. Where they overlap it is no
  /// longer than the depth, since B, moved by that, touches.
  Vec<3> gap() const {
    std::vector<Vec<3>> vectors;
    const auto consider = [&](const Vec<3>& on_a, const Vec<3>& on_b) {
      vectors.push_back(minus(on_b, on_a));
    };
    for (const Vec<3>& corner : a.corners) {
      for_each_near(b, corner, [&](const Vec<3>& near) { consider(corner, near); });
    }
    for (const Vec<3>& corner : b.corners) {
      for_each_near(a, corner, [&](const Vec<3>& near) { consider(near, corner); });
    }
    for (const PolytopeEdge& edge_a : a.edges) {
      for (const PolytopeEdge& edge_b : b.edges) {
        // Where the line of B's edge comes nearest to that of A's. With v = B's direction, or its
        // opposite, on u's side, and w what v has across u: the vector between the lines has
        // nothing along w there. w comes from v - u and so has all its digits. t is off by rounding
        // over w's length, which moves the point of B away from A's line by rounding alone.
        const Vec<3>& u = edge_a.direction;
        const Real sign = dot(u, edge_b.direction) < 0 ? -1 : 1;
        const Vec<3> apart = minus(times(edge_b.direction, sign), u);
        const Vec<3> w = plus(apart, u, -dot(u, apart));
        const Real w2 = dot(w, w);
        if (!(w2 > 0)) continue;  // parallel: some corner is as near as any point
        const Vec<3>& from = b.corners[edge_b.from];
        const Real long_b = length(minus(b.corners[edge_b.to], from));
        const Real t = -sign * dot(minus(from, a.corners[edge_a.from]), w) / w2;
        if (t < 0 || t > long_b) continue;  // some corner is as near as any point
        const Vec<3> on_b = plus(from, edge_b.direction, t);
        consider(nearest_on_edge(a, edge_a, on_b), on_b);
      }
    }
    Real shortest2 = dot(vectors[0], vectors[0]);
    for (const Vec<3>& vector : vectors) shortest2 = std::min(shortest2, dot(vector, vector));
    // Beside the nearest points others are as near to rounding, by vectors that lean by its root.
    // Along the right one the cores are farthest apart.
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
};

}  // namespace widephase::test
