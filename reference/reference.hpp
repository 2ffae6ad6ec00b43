#pragma once

// The minimum translation of two shapes by definition and exhaustion, sharing nothing with the
// kernels.
//
// Every shape but the halfspace is a core (point, segment, box, polygon) within a radius. A core
// other than a polygon is its centre plus all combinations, within [-1, 1] each, of a few
// generators, so the difference Z = A - B of two cores is again such a body, a zonotope. For a unit
// direction n let h(n) be the largest n.z over Z. Moving B by t along n parts the cores when t >=
// h(n), so
//
//   depth = radius A + radius B + the least h(n) over all n.
//
// Outside of Z the least h is minus the distance of the origin to Z: the least of |c + G x| over
// the cube of x, found by trying every face of the cube. Inside, it is the least h over the
// normals of Z's facets, all of which are perpendicular to D - 1 generators. Both halves are safe
// against rounding: each x tried, clamped, is a point of Z and each n tried bounds the depth from
// above; a bad candidate can only lose to the right one.
//
// A polygon or hull is no such body; pairs with one, and with a box, are taken by the corners of
// both cores (outline.hpp, polytope.hpp) in the same two halves: the least distance over every
// corner of one and every side of the other (in 3D face, and every two edges), the least h over the
// normals of all sides (in 3D faces, and across every two edges). Each distance tried is one of two
// points of the cores, each n tried bounds the depth from above.
//
// A cylinder is all core; cylinder.hpp tells how its pairs go.

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "reference/vec.hpp"

namespace widephase::test {

/// A halfspace's normal at unit length, and its offset divided likewise.
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
  Real core_distance = 0;  ///< of the cores; 0 where they meet
  Vec<D> core_gap{};       ///< the shortest vector from A's core to B's; 0 where they meet
  Real size = 0;           ///< what rounding is relative to
  /// Directions whose depth may be the least (all of those there are, in a halfspace's case).
  std::vector<Vec<D>> normals;
};

template <int D>
Real radius_of(const Solid<D>& solid) {
  const bool has_none =
      solid.kind == Kind::aabb || solid.kind == Kind::cylinder || solid.kind == Kind::halfspace;
  return has_none ? 0 : solid.size;
}

template <int D>
bool has_vertices(const Solid<D>& solid) {
  return solid.kind == Kind::polygon || solid.kind == Kind::hull;
}

/// Whether the shape's pairs are taken by corners: those of boxes are by choice, since generators
/// that are nearly parallel make the nearest point's place uncertain, if not its distance.
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

/// The largest n.z over the shape's core.
template <int D>
Real core_support(const Solid<D>& solid, const Vec<D>& n);

/// What rounding of a shape's own numbers is relative to: the reach of its core from the place
/// that positions it, which is the origin of a polygon's or hull's own frame.
template <int D>
Real core_reach(const Solid<D>& solid);

/// The translation along the unit vector `n` that parts the shapes; never less than the depth.
/// For a halfspace only the direction of its own normal parts anything; `n` is taken as that. Made
/// for a pair, called for many n.
template <int D>
std::function<Real(const Vec<D>&)> depths_of(const Solid<D>& a, const Solid<D>& b);

template <int D>
Real depth_along(const Solid<D>& a, const Solid<D>& b, const Vec<D>& n) {
  return depths_of(a, b)(n);
}

/// For any kinds but the halfspace.
Reference<2> outline_reference_of(const Solid<2>& a, const Solid<2>& b);
Reference<3> polytope_reference_of(const Solid<3>& a, const Solid<3>& b);

/// `reference_of` by the generators of both cores, of any kinds but polygon, hull, cylinder and
/// halfspace.
template <int D>
Reference<D> zonotope_reference_of(const Solid<D>& a, const Solid<D>& b);

template <int D>
Reference<D> reference_of(const Solid<D>& a, const Solid<D>& b);

/// Whether two different directions have the least depth within `tolerance`.
template <int D>
bool has_tie(const Solid<D>& a, const Solid<D>& b, const Reference<D>& reference, Real tolerance);

/// Distance of a point to the surface of a shape's core (for a halfspace, to its plane).
template <int D>
Real distance_to_core_surface(const Solid<D>& solid, const Vec<D>& point);

}  // namespace widephase::test
