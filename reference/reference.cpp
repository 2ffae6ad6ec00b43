#include "reference/reference.hpp"

#include "reference/cylinder.hpp"
#include "reference/outline.hpp"
#include "reference/polytope.hpp"
#include "reference/random.hpp"
#include "reference/round_core.hpp"
#include "reference/zonotope.hpp"

namespace widephase::test {

namespace {

template <int D>
bool is_polygon(const Solid<D>& solid) {
  return D == 2 && solid.kind == Kind::polygon;
}

}  // namespace

template <int D>
Real core_support(const Solid<D>& solid, const Vec<D>& n) {
  if constexpr (D == 2) {
    if (is_polygon(solid)) return support(outline_of(solid, {}), n);
  } else {
    if (is_cylinder(solid)) return cylinder_of(solid, {}).support(n);
    if (is_searched(solid)) return dot(round_core(solid, {}).point(n), n);
    if (solid.kind == Kind::hull) return polytope_of(solid, {}).support(n);
  }
  return core_of(solid).support(n);
}

template <int D>
Real core_reach(const Solid<D>& solid) {
  if (is_cylinder(solid) || solid.kind == Kind::cone) {
    return std::hypot(Real{solid.q[D - 1]}, Real{solid.size});
  }
  if (is_searched(solid)) return *std::ranges::max_element(solid.q);
  if (has_vertices(solid)) {
    Real reach = 0;
    for (const Point<D>& v : solid.vertices) reach = std::max(reach, length(widened(v)));
    return reach;
  }
  return core_of(solid).reach();
}

namespace {

/// The point from which `core_reach` is measured.
template <int D>
Vec<D> core_center(const Solid<D>& solid) {
  const bool has_own = has_vertices(solid) || is_cylinder(solid) || is_searched(solid);
  return has_own ? widened(solid.p) : core_of(solid).center;
}

}  // namespace

template <int D>
std::function<Real(const Vec<D>&)> depths_of(const Solid<D>& a, const Solid<D>& b) {
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
    if (is_searched(a) || is_searched(b)) return by(RoundPair(a, b));
    if (is_cylinder(a) || is_cylinder(b)) return by(CylinderPair(a, b));
    if (has_polytope(a) || has_polytope(b)) return by(PolytopePair(a, b));
  }
  return by(difference(a, b));
}

namespace {

/// `reference_of` from the corners of both cores, as an `OutlinePair` or `PolytopePair`.
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
  // Otherwise they touch to rounding.
  if (distance > 1e-17L * result.size) {
    const Vec<D> n = times(gap, 1 / distance);
    // Flat cores may be apart within one plane, which no candidate has to show. If cores overlap,
    // the gap between their surfaces does not separate them.
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

}  // namespace

Reference<2> outline_reference_of(const Solid<2>& a, const Solid<2>& b) {
  return corner_reference_of(a, b, OutlinePair(a, b));
}

Reference<3> polytope_reference_of(const Solid<3>& a, const Solid<3>& b) {
  return corner_reference_of(a, b, PolytopePair(a, b));
}

namespace {

/// For a cylinder and any kind except a halfspace.
Reference<3> cylinder_reference_of(const Solid<3>& a, const Solid<3>& b) {
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
    // Directions that differ by the square root of rounding have the same depth to rounding. For a
    // point the gap is known more exactly.
    result.core_gap = pair.is_of_point() ? pair.gap_of_point() : times(n, -depth);
  }
  return result;
}

/// From a sphere's centre to the nearest point of an ellipsoid's or a cone's core.
Vec<3> gap_of_point(const Solid<3>& sphere, const Solid<3>& other) {
  const RoundCore core = round_core(other, widened(sphere.p));
  const Vec<3> local = core.local(times(core.center, -1));
  const Vec<3> nearest = core.kind == Kind::cone ? nearest_on_cone(core.half[2], core.radius, local)
                                                 : nearest_on_ellipsoid(core.half, local);
  return plus(core.center, core.turned(nearest));
}

/// For an ellipsoid or a cone and any kind except a halfspace.
Reference<3> round_reference_of(const Solid<3>& a, const Solid<3>& b) {
  Reference<3> result;
  const Real radius = radius_of(a) + radius_of(b);
  result.size =
      length(minus(core_center(a), core_center(b))) + core_reach(a) + core_reach(b) + radius;
  const auto least = RoundPair(a, b).least(result.size);
  for (const auto& [depth, n] : least.directions) result.normals.push_back(n);
  const auto& [depth, n] = least.directions[0];
  result.depth = radius + depth;
  if (depth < 0) {
    result.core_distance = -depth;
    // A direction is known to the root of rounding, the gap of a point to rounding.
    const bool is_a = a.kind == Kind::sphere;
    result.core_gap = is_a || b.kind == Kind::sphere ? gap_of_point(is_a ? a : b, is_a ? b : a)
                                                     : times(n, -depth);
    if (!is_a && b.kind == Kind::sphere) result.core_gap = times(result.core_gap, -1);
  }
  return result;
}

}  // namespace

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
    // Unlike a difference of positions, normal.p - offset has rounding that grows with the distance
    // from the origin.
    result.size = length(core_center(other)) + core_reach(other) + radius + std::abs(plane.offset);
    return result;
  }
  if constexpr (D == 2) {
    if (has_outline(a) || has_outline(b)) return outline_reference_of(a, b);
  } else {
    if (is_searched(a) || is_searched(b)) return round_reference_of(a, b);
    if (is_cylinder(a) || is_cylinder(b)) return cylinder_reference_of(a, b);
    if (has_polytope(a) || has_polytope(b)) return polytope_reference_of(a, b);
  }
  return zonotope_reference_of(a, b);
}

/// Looks for another direction with a depth of `limit`: mirror images of a known one in planes of
/// the solids' axes, and down from random ones. Depths differ by at most the size times the angle.
template <class Depth>
bool finds_other_direction(const Depth& depth, const Vec<3>& known, Real limit, Real size,
                           const std::vector<Quaternion>& orientations) {
  constexpr Real kOther = 0.02L;  // radians
  for (const Quaternion& orientation : orientations) {
    for (const Vec<3>& axis : axes_of(orientation)) {
      const Vec<3> image = minus(known, times(axis, 2 * dot(axis, known) / dot(axis, axis)));
      if (length(minus(image, known)) > kOther && depth(image) <= limit) return true;
    }
  }
  // At random all around, then about the least of these. Creases leave narrow ways down.
  Random random(1);
  std::vector<std::pair<Real, Vec<3>>> starts;
  for (int n = 0; n < 3000; ++n) {
    const Vec<3> at = widened(random.direction<3>());
    if (length(minus(at, known)) > kOther) starts.push_back({depth(at), at});
  }
  std::ranges::sort(starts, {}, [](const auto& start) { return start.first; });
  starts.resize(60);
  for (auto [least, n] : starts) {
    Real step = 0.05L;
    for (int n_try = 0; n_try < 2000 && least - limit <= 8 * size * step; ++n_try) {
      const Vec<3> to = plus(n, times(widened(random.direction<3>()), step));
      const Vec<3> unit = times(to, 1 / length(to));
      const Real there = depth(unit);
      if (there < least) {
        n = unit;
        least = there;
      } else {
        step *= 0.985L;
      }
      if (least <= limit) break;
    }
    if (least <= limit && length(minus(n, known)) > kOther) return true;
  }
  return false;
}

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
  if constexpr (D == 3) {
    if (is_searched(a) || is_searched(b)) {
      // Going down at random ends about 1e-10 above the depth.
      const Real limit = reference.depth + std::max(tolerance, 1e-9L * reference.size);
      return finds_other_direction(depth, reference.normals[0], limit, reference.size,
                                   {a.orientation, b.orientation});
    }
  }
  return false;
}

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
    if (is_searched(solid)) {
      const RoundCore core = round_core(solid, point);
      const Vec<3> there = core.local(times(core.center, -1));
      if (solid.kind == Kind::cone) return distance_to_cone(solid.q[2], solid.size, there);
      return distance_to_ellipsoid(widened(solid.q), there);
    }
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

#define WIDEPHASE_INSTANTIATE(D)                                                                  \
  template Real core_support<D>(const Solid<D>& solid, const Vec<D>& n);                          \
  template Real core_reach<D>(const Solid<D>& solid);                                             \
  template std::function<Real(const Vec<D>&)> depths_of<D>(const Solid<D>& a, const Solid<D>& b); \
  template Reference<D> zonotope_reference_of<D>(const Solid<D>& a, const Solid<D>& b);           \
  template Reference<D> reference_of<D>(const Solid<D>& a, const Solid<D>& b);                    \
  template bool has_tie<D>(const Solid<D>& a, const Solid<D>& b, const Reference<D>& reference,   \
                           Real tolerance);                                                       \
  template Real distance_to_core_surface<D>(const Solid<D>& solid, const Vec<D>& point)
WIDEPHASE_INSTANTIATE(2);
WIDEPHASE_INSTANTIATE(3);
#undef WIDEPHASE_INSTANTIATE

}  // namespace widephase::test
