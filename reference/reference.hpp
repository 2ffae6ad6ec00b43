#pragma once

// The minimum translation of two shapes by definition and brute force. It shares no code with the
// kernels.
//
// Every shape except the halfspace is a core (point, segment, box, polygon) within a radius. A core
// other than a polygon is its centre plus all combinations, with coefficients in [-1, 1], of a few
// generators. The difference Z = A - B of two cores is then such a body again, a zonotope. For a
// unit direction n let h(n) be the largest n.z over Z. Moving B by t along n separates the cores if
// t >= h(n), so
//
//   depth = radius A + radius B + the least h(n) over all n.
//
// If the origin is outside of Z, the least h is minus its distance to Z: the least of |c + G x|
// over the cube of x, found by trying every face of the cube. If it is inside, the least h is over
// the normals of Z's facets, each of which is perpendicular to D - 1 generators. Both cases are
// safe against rounding. Each x that is tried, clamped, gives a point of Z. Each n that is tried
// bounds the depth from above. So a bad candidate can only lose to the right one.
//
// A polygon or hull is not a zonotope. Pairs with one, or with a box, use the corners of both cores
// (outline.hpp, polytope.hpp) in the same two cases. For the distance: every corner of one with
// every side of the other, in 3D with every face, and every two edges. For the least h: the normals
// of all sides, in 3D of all faces, and the directions perpendicular to every two edges. Each
// distance that is tried is between two points of the cores; each n that is tried bounds the depth
// from above.
//
// Pairs with a cylinder are explained in cylinder.hpp, with an ellipsoid or a cone in
// round_core.hpp.

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "reference/vec.hpp"

namespace widephase::test {

/// A halfspace with its normal scaled to unit length and its offset divided by the same factor.
template <int D>
struct Plane {
  Vec<D> normal;
  Real offset;
};

template <int D>
Plane<D> plane_of(const Solid<D>& solid) {
  const Vec<D> normal = widened(solid.p);
  const Real norm = length(normal);
  return {times(normal, 1 / norm), static_cast<Real>(solid.size) / norm};
}

template <int D>
struct Reference {
  Real depth = 0;          ///< the minimum translation, negative when apart
  Real core_distance = 0;  ///< of the cores; 0 if they meet
  Vec<D> core_gap{};       ///< the shortest vector from A's core to B's; 0 if they meet
  Real size = 0;           ///< the length that rounding is relative to
  /// Directions that may have the least depth; with a halfspace there is only one.
  std::vector<Vec<D>> normals;
};

template <int D>
Real radius_of(const Solid<D>& solid) {
  if (solid.kind == Kind::aabb || solid.kind == Kind::halfspace) return 0;
  return is_round(solid.kind) ? solid.rounding : solid.size;
}

template <int D>
bool has_vertices(const Solid<D>& solid) {
  return solid.kind == Kind::polygon || solid.kind == Kind::hull;
}

/// Whether pairs of the shape are computed from corners. For boxes this is a choice: nearly
/// parallel generators leave the position of the nearest point uncertain, though not its distance.
template <int D>
bool has_outline(const Solid<D>& solid) {
  return D == 2 && (solid.kind == Kind::box || solid.kind == Kind::polygon);
}

/// The same in 3D, for the same reason.
template <int D>
bool has_polytope(const Solid<D>& solid) {
  return D == 3 && (solid.kind == Kind::box || solid.kind == Kind::hull);
}
template <int D>
bool is_cylinder(const Solid<D>& solid) {
  return D == 3 && solid.kind == Kind::cylinder;
}
template <int D>
bool is_searched(const Solid<D>& solid) {
  return D == 3 && is_searched(solid.kind);
}

/// The largest dot product of `n` with a point of the shape's core.
template <int D>
Real core_support(const Solid<D>& solid, const Vec<D>& n);

/// The length that the rounding of a shape's own numbers is relative to. It is how far its core
/// reaches from its position, which for a polygon or hull is the origin of its own frame.
template <int D>
Real core_reach(const Solid<D>& solid);

/// The translation along the unit vector `n` that separates the shapes; never less than the depth.
/// A halfspace is only separated along its normal, so `n` is taken as that. Make it once per pair,
/// then call it for many n.
template <int D>
std::function<Real(const Vec<D>&)> depths_of(const Solid<D>& a, const Solid<D>& b);

template <int D>
Real depth_along(const Solid<D>& a, const Solid<D>& b, const Vec<D>& n) {
  return depths_of(a, b)(n);
}

/// For all kinds except halfspaces.
Reference<2> outline_reference_of(const Solid<2>& a, const Solid<2>& b);
Reference<3> polytope_reference_of(const Solid<3>& a, const Solid<3>& b);

/// `reference_of` from the generators of both cores, for all kinds whose core is a point, a segment
/// or a box.
template <int D>
Reference<D> zonotope_reference_of(const Solid<D>& a, const Solid<D>& b);

template <int D>
Reference<D> reference_of(const Solid<D>& a, const Solid<D>& b);

/// Whether two different directions have the least depth to within `tolerance`.
template <int D>
bool has_tie(const Solid<D>& a, const Solid<D>& b, const Reference<D>& reference, Real tolerance);

/// Distance of a point to the surface of a shape's core, or to the plane of a halfspace.
template <int D>
Real distance_to_core_surface(const Solid<D>& solid, const Vec<D>& point);

}  // namespace widephase::test
