#include "reference/height.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "reference/reference.hpp"

namespace widephase::test {

namespace {

template <int D>
Real distance_to_segment(const Vec<D>& p, const Vec<D>& a, const Vec<D>& b) {
  const Vec<D> along = minus(b, a);
  const Real along2 = dot(along, along);
  const Real share =
      along2 > 0 ? std::clamp<Real>(dot(minus(p, a), along) / along2, 0, 1) : Real{0};
  return length(minus(p, plus(a, along, share)));
}

/// Above a convex outline in the plane, counter-clockwise: inside the nearest side counts.
Real height_over_outline(const std::vector<Vec<2>>& corners, const Vec<2>& p) {
  Real inside = -std::numeric_limits<Real>::infinity(), outside = -inside;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vec<2>&a = corners[i], &b = corners[(i + 1) % corners.size()];
    const Vec<2> along = minus(b, a);
    outside = std::min(outside, distance_to_segment<2>(p, a, b));
    if (length(along) > 0) {
      inside = std::max(inside, -cross(along, minus(p, a)) / length(along));
    }
  }
  return inside >= 0 ? outside : inside;  // an outline without area has no inside
}

struct Facet {
  Vec<3> normal;
  Real offset;
};

Real distance_to_triangle(const Vec<3>& p, const std::array<Vec<3>, 3>& t) {
  const Vec<3> normal = cross(minus(t[1], t[0]), minus(t[2], t[0]));
  const Real size = length(normal);
  Real least =
      std::min({distance_to_segment<3>(p, t[0], t[1]), distance_to_segment<3>(p, t[1], t[2]),
                distance_to_segment<3>(p, t[2], t[0])});
  if (!(size > 0)) return least;
  for (std::size_t i = 0; i < 3; ++i) {
    if (dot(cross(minus(t[(i + 1) % 3], t[i]), minus(p, t[i])), normal) < 0) return least;
  }
  return std::min(least, std::abs(dot(minus(p, t[0]), normal)) / size);
}

/// Every three vertices that have all others on one side.
std::function<Real(const Vec<3>&)> heights_over_hull(const std::vector<Vec<3>>& v) {
  std::vector<Facet> facets;
  std::vector<std::array<Vec<3>, 3>> triangles;
  Real size = 0;
  for (const Vec<3>& a : v) size = std::max(size, length(a));
  for (std::size_t i = 0; i < v.size(); ++i) {
    for (std::size_t j = i + 1; j < v.size(); ++j) {
      for (std::size_t k = j + 1; k < v.size(); ++k) {
        Vec<3> normal = cross(minus(v[j], v[i]), minus(v[k], v[i]));
        const Real area = length(normal);
        if (!(area > size * size * 1e-15L)) continue;
        normal = times(normal, 1 / area);
        Real low = 0, high = 0;
        for (const Vec<3>& other : v) {
          const Real above = dot(normal, minus(other, v[i]));
          low = std::min(low, above);
          high = std::max(high, above);
        }
        const Real tolerance = size * 1e-13L * std::max<Real>(1, size * size / area);
        if (high > tolerance && low < -tolerance) continue;
        if (high > tolerance) normal = times(normal, -1);
        facets.push_back({normal, dot(normal, v[i])});
        triangles.push_back({v[i], v[j], v[k]});
      }
    }
  }
  return [facets, triangles](const Vec<3>& p) {
    const auto above = [&](const Facet& facet) { return dot(facet.normal, p) - facet.offset; };
    Real inside = -std::numeric_limits<Real>::infinity();
    std::size_t highest = 0;
    for (std::size_t f = 0; f < facets.size(); ++f) {
      const Real here = above(facets[f]);
      if (here > inside) highest = f;
      inside = std::max(inside, here);
    }
    if (inside <= 0) return inside;
    // A triangle is no nearer than its plane.
    Real outside = distance_to_triangle(p, triangles[highest]);
    for (std::size_t f = 0; f < facets.size(); ++f) {
      if (std::abs(above(facets[f])) > outside) continue;
      outside = std::min(outside, distance_to_triangle(p, triangles[f]));
    }
    return outside;
  };
}

template <int D>
Real height_over_box(const Vec<D>& half, const Vec<D>& p) {
  Vec<D> out{};
  Real inside = -std::numeric_limits<Real>::infinity();
  for (int k = 0; k < D; ++k) {
    const Real above = std::abs(p[k]) - half[k];
    out[k] = std::max<Real>(above, 0);
    inside = std::max(inside, above);
  }
  return inside > 0 ? length(out) : inside;
}

Real height_over_ellipsoid(Vec<3> half, const Vec<3>& p) {
  const Real most = std::max({half[0], half[1], half[2]});
  if (!(most > 0)) return length(p);
  for (Real& h : half) h = std::max(h, most * 1e-18L);
  Real share2 = 0;
  for (int k = 0; k < 3; ++k) share2 += p[k] / half[k] * (p[k] / half[k]);
  const Real least = std::min({half[0], half[1], half[2]});
  if (share2 <= 1) return (std::sqrt(share2) - 1) * least;
  // The nearest point x has p = x (1 + s / a^2); halving finds s.
  Real low = 0, high = most * length(p);
  for (int step = 0; step < 200; ++step) {
    const Real s = (low + high) / 2;
    Real sum = 0;
    for (int k = 0; k < 3; ++k) {
      const Real part = half[k] * p[k] / (half[k] * half[k] + s);
      sum += part * part;
    }
    Real& side = sum > 1 ? low : high;
    if (side == s) break;  // no number is between them
    side = s;
  }
  Vec<3> gap{};
  for (int k = 0; k < 3; ++k) gap[k] = high * p[k] / (half[k] * half[k] + high);
  return length(gap);
}

/// `v` in the frame of a pose, without the position.
Vec<2> in_frame(const Solid<2>& solid, const Vec<2>& v) { return turned_by(-solid.angle, v); }
Vec<3> in_frame(const Solid<3>& solid, const Vec<3>& v) {
  return along_axes(axes_of(solid.orientation), v);
}

template <int D>
std::function<Real(const Vec<D>&)> core_heights_of(const Solid<D>& solid) {
  const Vec<D> center = widened(solid.p), half = widened(solid.q);
  const auto local = [solid, center](const Vec<D>& p) { return in_frame(solid, minus(p, center)); };
  switch (solid.kind) {
    case Kind::sphere:
      return [center](const Vec<D>& p) { return length(minus(p, center)); };
    case Kind::capsule:
      return [center, half](const Vec<D>& p) { return distance_to_segment<D>(p, center, half); };
    case Kind::aabb: {
      const Vec<D> middle = times(plus(center, half), Real{1} / 2);
      const Vec<D> sides = times(minus(half, center), Real{1} / 2);
      return
          [middle, sides](const Vec<D>& p) { return height_over_box<D>(sides, minus(p, middle)); };
    }
    case Kind::box:
      return [half, local](const Vec<D>& p) { return height_over_box<D>(half, local(p)); };
    case Kind::halfspace: {
      const Plane<D> plane = plane_of(solid);
      return [plane](const Vec<D>& p) { return dot(plane.normal, p) - plane.offset; };
    }
    case Kind::polygon:
      if constexpr (D == 2) {
        std::vector<Vec<2>> corners;
        for (const Point<2>& v : solid.vertices) corners.push_back(widened(v));
        return [corners, local](const Vec<2>& p) { return height_over_outline(corners, local(p)); };
      }
      break;
    case Kind::hull:
      if constexpr (D == 3) {
        std::vector<Vec<3>> corners;
        for (const Point<3>& v : solid.vertices) corners.push_back(widened(v));
        const auto heights = heights_over_hull(corners);
        return [heights, local](const Vec<3>& p) { return heights(local(p)); };
      }
      break;
    case Kind::cylinder:
      if constexpr (D == 3) {
        const Vec<2> profile{static_cast<Real>(solid.size), half[2]};
        return [profile, local](const Vec<3>& p) {
          const Vec<3> at = local(p);
          return height_over_box<2>(profile, {std::hypot(at[0], at[1]), at[2]});
        };
      }
      break;
    case Kind::cone:
      if constexpr (D == 3) {
        const Real radius = solid.size, h = half[2];
        const std::vector<Vec<2>> profile{{-radius, -h}, {radius, -h}, {0, h}};
        return [profile, local](const Vec<3>& p) {
          const Vec<3> at = local(p);
          return height_over_outline(profile, {std::hypot(at[0], at[1]), at[2]});
        };
      }
      break;
    case Kind::ellipsoid:
      if constexpr (D == 3) {
        return [half, local](const Vec<3>& p) { return height_over_ellipsoid(half, local(p)); };
      }
      break;
    case Kind::heightfield:  // no convex shapes
    case Kind::mesh:
    case Kind::chain:
      break;
  }
  return {};
}

}  // namespace

template <int D>
std::function<Real(const Vec<D>&)> heights_of(const Solid<D>& solid) {
  const Real radius = radius_of(solid);
  const auto heights = core_heights_of(solid);
  return [heights, radius](const Vec<D>& p) { return heights(p) - radius; };
}

template <int D>
RayReference ray_reference_of(const std::function<Real(const Vec<D>&)>& heights,
                              const Vec<D>& origin, const Vec<D>& direction, Real end) {
  const auto height = [&](Real t) { return heights(plus(origin, direction, t)); };
  RayReference answer;
  const Real at_start = height(0);
  answer.starts_inside = at_start <= 0;
  // The height is convex. A golden section keeps one of both places for the next step.
  constexpr Real kShare = 0.61803398874989484820L;
  Real low = 0, high = end;
  Real a = high - kShare * (high - low), b = low + kShare * (high - low);
  Real at_a = height(a), at_b = height(b);
  for (int step = 0; step < 140 && low < a && a < b && b < high; ++step) {
    if (at_a > at_b) {
      low = std::exchange(a, b);
      at_a = at_b;
      b = low + kShare * (high - low);
      at_b = height(b);
    } else {
      high = std::exchange(b, a);
      at_b = at_a;
      a = high - kShare * (high - low);
      at_a = height(a);
    }
  }
  Real lowest = (low + high) / 2;
  answer.least_height = height(lowest);
  if (at_start < answer.least_height) {
    answer.least_height = at_start;
    lowest = 0;
  }
  answer.is_hit = answer.least_height <= 0;
  if (!answer.is_hit) {
    answer.enter = lowest;
    return answer;
  }
  const auto root = [&](Real outside, Real inside) {
    for (int step = 0; step < 120; ++step) {
      const Real middle = (outside + inside) / 2;
      Real& side = height(middle) > 0 ? outside : inside;
      if (side == middle) break;  // no number is between them
      side = middle;
    }
    return inside;
  };
  answer.enter = answer.starts_inside ? 0 : root(0, lowest);
  answer.leave = root(end, lowest);
  return answer;
}

#define WIDEPHASE_INSTANTIATE(D)                                                       \
  template std::function<Real(const Vec<D>&)> heights_of<D>(const Solid<D>&);          \
  template RayReference ray_reference_of<D>(const std::function<Real(const Vec<D>&)>&, \
                                            const Vec<D>&, const Vec<D>&, Real)
WIDEPHASE_INSTANTIATE(2);
WIDEPHASE_INSTANTIATE(3);
#undef WIDEPHASE_INSTANTIATE

}  // namespace widephase::test
