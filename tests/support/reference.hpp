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

#include "support/cylinder.hpp"
#include "support/outline.hpp"
#include "support/polytope.hpp"
#include "support/zonotope.hpp"

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
bool is_polygon(const Solid<D>& solid) {
  return D == 2 && solid.kind == Kind::polygon;
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
Real core_support(const Solid<D>& solid, const Vec<D>& n) {
  if constexpr (D == 2) {
    if (is_polygon(solid)) return support(outline_of(solid, {}), n);
  } else {
    if (is_cylinder(solid)) return cylinder_of(solid, {}).support(n);
    if (solid.kind == Kind::hull) return polytope_of(solid, {}).support(n);
  }
  return core_of(solid).support(n);
}

/// What rounding of a shape's own numbers is relative to: the reach of its core from the place
/// that positions it, which is the origin of a polygon's or hull's own frame.
template <int D>
Real core_reach(const Solid<D>& solid) {
  if (is_cylinder(solid)) return std::hypot(Real{solid.q[D - 1]}, Real{solid.size});
  if (has_vertices(solid)) {
    Real reach = 0;
    for (const Point<D>& v : solid.vertices) reach = std::max(reach, length(widened(v)));
    return reach;
  }
  return core_of(solid).reach();
}

/// The place that `core_reach` counts from.
template <int D>
Vec<D> core_center(const Solid<D>& solid) {
  const bool has_own = has_vertices(solid) || is_cylinder(solid);
  return has_own ? widened(solid.p) : core_of(solid).center;
}

/// The translation along the unit vector `n` that parts the shapes; never less than the depth.
/// For a halfspace only the direction of its own normal parts anything; `n` is taken as that. Made
/// for a pair, called for many n.
template <int D>
auto depths_of(const Solid<D>& a, const Solid<D>& b) {
  using Along = std::function<Real(const Vec<D>&)>;
  if (a.kind == Kind::halfspace || b.kind == Kind::halfspace) {
    const Plane<D> plane = plane_of(a.kind == Kind::halfspace ? a : b);
    const Solid<D>& other = a.kind == Kind::halfspace ? b : a;
    const Real depth =
        plane.offset + core_support(other, times(plane.normal, -1)) + radius_of(other);
    return Along([depth](const Vec<D>&) { return depth; });
  }
  const auto by = [radius = radius_of(a) + radius_of(b)](auto pair) {
    return Along([radius, pair](const Vec<D>& n) { return pair.support(n) + radius; });
  };
  if constexpr (D == 2) {
    if (has_outline(a) || has_outline(b)) return by(OutlinePair(a, b));
  } else {
    if (is_cylinder(a) || is_cylinder(b)) return by(CylinderPair(a, b));
    if (has_polytope(a) || has_polytope(b)) return by(PolytopePair(a, b));
  }
  return by(difference(a, b));
}

template <int D>
Real depth_along(const Solid<D>& a, const Solid<D>& b, const Vec<D>& n) {
  return depths_of(a, b)(n);
}

/// `reference_of` by the corners of both cores, given as `OutlinePair` or `PolytopePair`.
template <int D, class CornerPair>
Reference<D> corner_reference_of(const Solid<D>& a, const Solid<D>& b, const CornerPair& pair) {
  Reference<D> result;
  const Real radius = radius_of(a) + radius_of(b);
  result.size =
      length(minus(core_center(a), core_center(b))) + core_reach(a) + core_reach(b) + radius;
  result.normals = pair.candidate_normals();
  Real least = pair.support(result.normals[0]);
  for (const Vec<D>& n : result.normals) least = std::min(least, pair.support(n));
  const Vec<D> gap = pair.gap();
  const Real distance = length(gap);
  // Else they touch to rounding.
  if (distance > 1e-17L * result.size) {
    const Vec<D> n = times(gap, 1 / distance);
    // Flat cores apart in one plane: no candidate need show it. The gap of cores that overlap,
    // which is one of their surfaces, parts nothing.
    if (least < 0 || (D == 3 && pair.support(n) < 0)) {
      result.core_distance = distance;
      result.core_gap = gap;
      result.depth = radius - distance;
      result.normals.insert(result.normals.begin(), n);
      return result;
    }
  }
  result.depth = radius + std::max<Real>(least, 0);
  return result;
}

/// Of any kinds but the halfspace.
inline Reference<2> outline_reference_of(const Solid<2>& a, const Solid<2>& b) {
  return corner_reference_of(a, b, OutlinePair(a, b));
}
inline Reference<3> polytope_reference_of(const Solid<3>& a, const Solid<3>& b) {
  return corner_reference_of(a, b, PolytopePair(a, b));
}

/// Of a cylinder and any kind but the halfspace.
inline Reference<3> cylinder_reference_of(const Solid<3>& a, const Solid<3>& b) {
  Reference<3> result;
  const Real radius = radius_of(a) + radius_of(b);
  result.size =
      length(minus(core_center(a), core_center(b))) + core_reach(a) + core_reach(b) + radius;
  const CylinderPair pair(a, b);
  const auto least = pair.least_directions(1e-3L * result.size);
  for (const auto& [depth, n] : least) result.normals.push_back(n);
  const auto& [depth, n] = least[0];
  result.depth = radius + depth;
  if (depth < 0) {
    result.core_distance = -depth;
    // Directions that differ by the root of what the depth rounds by have the same depth: of a
    // point the gap is known better.
    result.core_gap = pair.is_of_point() ? pair.gap_of_point() : times(n, -depth);
  }
  return result;
}

/// `reference_of` by the generators of both cores, of any kinds but polygon, hull, cylinder and
/// halfspace.
template <int D>
Reference<D> zonotope_reference_of(const Solid<D>& a, const Solid<D>& b) {
  Reference<D> result;
  const Real radius = radius_of(a) + radius_of(b);
  const Zonotope<D> z = difference(a, b);
  result.size = length(z.center) + z.reach() + radius;
  const Vec<D> nearest = nearest_to_origin(z);
  result.normals = candidate_normals(z);
  const Real distance = length(nearest);
  if (distance > 1e-17L * result.size) {
    result.core_distance = distance;
    result.core_gap = times(nearest, -1);
    result.depth = radius - distance;
    result.normals.insert(result.normals.begin(), times(nearest, -1 / distance));
    return result;
  }
  Real least = z.support(result.normals[0]);
  for (const Vec<D>& n : result.normals) least = std::min(least, z.support(n));
  result.depth = radius + std::max<Real>(least, 0);
  return result;
}

template <int D>
Reference<D> reference_of(const Solid<D>& a, const Solid<D>& b) {
  Reference<D> result;
  const Real radius = radius_of(a) + radius_of(b);
  if (a.kind == Kind::halfspace || b.kind == Kind::halfspace) {
    const bool is_first = a.kind == Kind::halfspace;
    const Plane<D> plane = plane_of(is_first ? a : b);
    const Solid<D>& other = is_first ? b : a;
    result.normals = {times(plane.normal, is_first ? 1 : -1)};
    result.depth = depth_along(a, b, result.normals[0]);
    // Unlike a difference of positions, normal.p - offset rounds relative to where things lie.
    result.size = length(core_center(other)) + core_reach(other) + radius + std::abs(plane.offset);
    return result;
  }
  if constexpr (D == 2) {
    if (has_outline(a) || has_outline(b)) return outline_reference_of(a, b);
  } else {
    if (is_cylinder(a) || is_cylinder(b)) return cylinder_reference_of(a, b);
    if (has_polytope(a) || has_polytope(b)) return polytope_reference_of(a, b);
  }
  return zonotope_reference_of(a, b);
}

/// Whether two different directions have the least depth within `tolerance`.
template <int D>
bool has_tie(const Solid<D>& a, const Solid<D>& b, const Reference<D>& reference, Real tolerance) {
  const auto depth = depths_of(a, b);
  std::vector<Vec<D>> least;
  for (const Vec<D>& n : reference.normals) {
    if (depth(n) <= reference.depth + tolerance) least.push_back(n);
  }
  for (const Vec<D>& n : least) {
    if (length(minus(n, least[0])) > 1e-15L) return true;
  }
  return false;
}

/// Distance of a point to the surface of a shape's core (for a halfspace, to its plane).
template <int D>
Real distance_to_core_surface(const Solid<D>& solid, const Vec<D>& point) {
  if (solid.kind == Kind::halfspace) {
    const Plane<D> plane = plane_of(solid);
    return std::abs(dot(plane.normal, point) - plane.offset);
  }
  if constexpr (D == 2) {
    if (has_outline(solid)) return distance_to_sides(outline_of(solid, point), {});
  } else {
    if (is_cylinder(solid)) return distance_to_cylinder(cylinder_of(solid, {}), point);
    if (has_polytope(solid)) return distance_to_surface(polytope_of(solid, point), {});
  }
  if (solid.kind != Kind::aabb) {
    Zonotope<D> core = core_of(solid);
    core.center = minus(core.center, point);
    return length(nearest_to_origin(core));
  }
  Vec<D> outside{};
  Real inside = solid.q[0] - point[0];
  for (int k = 0; k < D; ++k) {
    const Real below = solid.p[k] - point[k];
    const Real above = point[k] - solid.q[k];
    outside[k] = std::max<Real>({below, above, 0});
    inside = std::min({inside, -below, -above});
  }
  return inside > 0 ? inside : length(outside);
}

}  // namespace widephase::test
