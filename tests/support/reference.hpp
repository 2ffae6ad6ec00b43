#pragma once

// The minimum translation of two shapes by definition and exhaustion, sharing nothing with the
// kernels.
//
// Every shape but the halfspace is a core (point, segment, box) within a radius. A core is its
// centre plus all combinations, within [-1, 1] each, of a few generators, so the difference
// Z = A - B of two cores is again such a body, a zonotope. For a unit direction n let h(n) be the
// largest n.z over Z. Moving B by t along n parts the cores when t >= h(n), so
//
//   depth = radius A + radius B + the least h(n) over all n.
//
// Outside of Z the least h is minus the distance of the origin to Z: the least of |c + G x| over
// the cube of x, found by trying every face of the cube. Inside, it is the least h over the
// normals of Z's facets, all of which are perpendicular to D - 1 generators. Both halves are safe
// against rounding: each x tried, clamped, is a point of Z and each n tried bounds the depth from
// above; a bad candidate can only lose to the right one.

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "support/solids.hpp"

namespace widephase::test {

using Real = long double;

template <int D>
using Vec = Tuple<D, Real>;

template <int D>
Vec<D> plus(Vec<D> u, const Vec<D>& v, Real scale = 1) {
  for (int k = 0; k < D; ++k) u[k] += scale * v[k];
  return u;
}
template <int D>
Vec<D> minus(Vec<D> u, const Vec<D>& v) {
  return plus(u, v, -1);
}
template <int D>
Vec<D> times(Vec<D> u, Real scale) {
  for (Real& value : u) value *= scale;
  return u;
}
template <int D>
Real dot(const Vec<D>& u, const Vec<D>& v) {
  Real sum = 0;
  for (int k = 0; k < D; ++k) sum += u[k] * v[k];
  return sum;
}
template <int D>
Real length(const Vec<D>& u) {
  return std::sqrt(dot(u, u));
}
inline Vec<3> cross(const Vec<3>& u, const Vec<3>& v) {
  return {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
}
template <int D>
Vec<D> widened(const Point<D>& point) {
  Vec<D> result;
  for (int k = 0; k < D; ++k) result[k] = point[k];
  return result;
}

template <int D>
struct Zonotope {
  Vec<D> center{};
  std::vector<Vec<D>> generators;

  /// The largest n.z.
  Real support(const Vec<D>& n) const {
    Real sum = dot(n, center);
    for (const Vec<D>& g : generators) sum += std::abs(dot(n, g));
    return sum;
  }
  /// No point is farther than this from the centre.
  Real reach() const {
    Real sum = 0;
    for (const Vec<D>& g : generators) sum += length(g);
    return sum;
  }
};

template <int D>
Real radius_of(const Solid<D>& solid) {
  return solid.kind == Kind::sphere || solid.kind == Kind::capsule ? solid.size : 0;
}

template <int D>
Zonotope<D> core_of(const Solid<D>& solid) {
  Zonotope<D> core;
  if (solid.kind == Kind::sphere) {
    core.center = widened(solid.p);
    return core;
  }
  const Vec<D> p = widened(solid.p);
  const Vec<D> q = widened(solid.q);
  core.center = times(plus(p, q), 0.5L);
  const Vec<D> half = times(minus(q, p), 0.5L);
  if (solid.kind == Kind::capsule) {
    if (length(half) > 0) core.generators.push_back(half);
    return core;
  }
  for (int k = 0; k < D; ++k) {
    if (half[k] > 0) {
      core.generators.push_back({});
      core.generators.back()[k] = half[k];
    }
  }
  return core;
}

/// A - B. Generators along one axis are joined, so that there are at most four.
template <int D>
Zonotope<D> difference(const Solid<D>& a, const Solid<D>& b) {
  Zonotope<D> result = core_of(a);
  const Zonotope<D> other = core_of(b);
  result.center = minus(result.center, other.center);
  for (const Vec<D>& g : other.generators) {
    bool is_joined = false;
    for (Vec<D>& known : result.generators) {
      int zeros = 0;
      for (int k = 0; k < D; ++k) zeros += known[k] == 0 && g[k] == 0;
      if (is_joined || zeros != D - 1) continue;
      for (int k = 0; k < D; ++k) known[k] = std::abs(known[k]) + std::abs(g[k]);
      is_joined = true;
    }
    if (!is_joined) result.generators.push_back(g);
  }
  return result;
}

/// The point of Z nearest to the origin.
template <int D>
Vec<D> nearest_to_origin(const Zonotope<D>& zonotope) {
  const std::size_t count = zonotope.generators.size();
  std::size_t face_count = 1;
  for (std::size_t i = 0; i < count; ++i) face_count *= 3;
  Vec<D> best = zonotope.center;
  std::size_t best_free_count = 0;
  bool is_first = true;
  for (std::size_t face = 0; face < face_count; ++face) {
    // Digit i of `face` in base 3: generator i at -1, at +1, or free.
    std::vector<Vec<D>> free;
    Vec<D> base = zonotope.center;
    std::size_t code = face;
    for (std::size_t i = 0; i < count; ++i, code /= 3) {
      if (code % 3 == 2) {
        free.push_back(zonotope.generators[i]);
      } else {
        base = plus(base, zonotope.generators[i], code % 3 == 0 ? -1 : 1);
      }
    }
    // Dependent free generators are needless: some other face has the same minimum.
    if (free.size() > static_cast<std::size_t>(D)) continue;
    // Least squares by Gram-Schmidt: w[i] is free[i] without what lies along the earlier ones,
    // so the last coordinate is solved first.
    std::vector<Vec<D>> w = free;
    bool is_dependent = false;
    for (std::size_t i = 0; i < free.size(); ++i) {
      for (int pass = 0; pass < 2; ++pass) {
        for (std::size_t j = 0; j < i; ++j) {
          w[i] = plus(w[i], w[j], -dot(w[i], w[j]) / dot(w[j], w[j]));
        }
      }
      is_dependent = is_dependent || !(dot(w[i], w[i]) > 0);
    }
    if (is_dependent) continue;
    bool is_inside = true;
    for (std::size_t i = free.size(); i-- > 0;) {
      const Real x = -dot(base, w[i]) / dot(w[i], w[i]);
      is_inside = is_inside && std::abs(x) <= 1;
      base = plus(base, free[i], std::clamp<Real>(x, -1, 1));
    }
    // A face's own minimum beats those of its sides by less than rounding near them; the face's
    // then has the more exact direction.
    const Real distance2 = dot(base, base);
    const Real best2 = dot(best, best);
    const bool is_finer =
        is_inside && free.size() > best_free_count && distance2 <= best2 * (1 + 1e-18L);
    if (is_first || distance2 < best2 || is_finer) {
      best = base;
      best_free_count = free.size();
    }
    is_first = false;
  }
  return best;
}

/// Unit directions among which the normals of all facets of Z are, and more where Z is flat.
template <int D>
std::vector<Vec<D>> candidate_normals(const Zonotope<D>& zonotope) {
  std::vector<Vec<D>> normals;
  const auto add = [&](const Vec<D>& direction) {
    const Real norm = length(direction);
    if (!(norm > 0)) return;
    normals.push_back(times(direction, 1 / norm));
    normals.push_back(times(direction, -1 / norm));
  };
  std::vector<Vec<D>> directions;
  for (const Vec<D>& g : zonotope.generators) directions.push_back(times(g, 1 / length(g)));
  for (int k = 0; k < D; ++k) {
    directions.push_back({});
    directions.back()[k] = 1;
    add(directions.back());
  }
  if constexpr (D == 2) {
    for (const Vec<D>& g : directions) add({-g[1], g[0]});
  } else {
    for (std::size_t i = 0; i < directions.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) add(cross(directions[i], directions[j]));
    }
  }
  return normals;
}

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

/// The translation along the unit vector `n` that parts the shapes; never less than the depth.
/// For a halfspace only the direction of its own normal parts anything; `n` is taken as that.
template <int D>
Real depth_along(const Solid<D>& a, const Solid<D>& b, const Vec<D>& n) {
  if (a.kind == Kind::halfspace || b.kind == Kind::halfspace) {
    const Plane<D> plane = plane_of(a.kind == Kind::halfspace ? a : b);
    const Solid<D>& other = a.kind == Kind::halfspace ? b : a;
    return plane.offset + core_of(other).support(times(plane.normal, -1)) + radius_of(other);
  }
  return difference(a, b).support(n) + radius_of(a) + radius_of(b);
}

template <int D>
Reference<D> reference_of(const Solid<D>& a, const Solid<D>& b) {
  Reference<D> result;
  const Real radius = radius_of(a) + radius_of(b);
  if (a.kind == Kind::halfspace || b.kind == Kind::halfspace) {
    const bool is_first = a.kind == Kind::halfspace;
    const Plane<D> plane = plane_of(is_first ? a : b);
    const Zonotope<D> core = core_of(is_first ? b : a);
    result.normals = {times(plane.normal, is_first ? 1 : -1)};
    result.depth = depth_along(a, b, result.normals[0]);
    // Unlike a difference of positions, normal.p - offset rounds relative to where things lie.
    result.size = length(core.center) + core.reach() + radius + std::abs(plane.offset);
    return result;
  }
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

/// Whether two different directions have the least depth within `tolerance`.
template <int D>
bool has_tie(const Solid<D>& a, const Solid<D>& b, const Reference<D>& reference, Real tolerance) {
  std::vector<Vec<D>> least;
  for (const Vec<D>& n : reference.normals) {
    if (depth_along(a, b, n) <= reference.depth + tolerance) least.push_back(n);
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
