#pragma once

// Casts that meet where a straight or flat part of a surface ends: where a capsule's end or a rim
// begins, or the arc along the edge of a box that something round moves around. Both parts are then
// equally near to rounding, and a choice between them by distance alone has half the digits.

#include <optional>

#include "support/casts.hpp"

namespace widephase::test {

/// The axes of a solid, as it is turned.
template <int D>
std::array<Vec<D>, D> axes_of_solid(const Solid<D>& solid) {
  if constexpr (D == 2) {
    return {turned_by(solid.angle, {1, 0}), turned_by(solid.angle, {0, 1})};
  } else {
    return axes_of(solid.orientation);
  }
}

/// The corners of a core that has some: a ball's centre, a capsule's ends, vertices.
template <int D>
std::vector<Vec<D>> core_corners(const Solid<D>& solid) {
  const Vec<D> p = widened(solid.p), q = widened(solid.q);
  if (solid.kind == Kind::sphere) return {p};
  if (solid.kind == Kind::capsule) return {p, q};
  std::vector<Vec<D>> corners;
  const auto axes = axes_of_solid(solid);
  const auto add = [&](const Vec<D>& local) {
    Vec<D> corner = p;
    for (int k = 0; k < D; ++k) corner = plus(corner, axes[k], local[k]);
    corners.push_back(corner);
  };
  for (const Point<D>& v : solid.vertices) add(widened(v));
  if (!corners.empty()) return corners;
  for (int number = 0; number < (1 << D); ++number) {
    Vec<D> corner = p;
    for (int k = 0; k < D; ++k) {
      const bool is_high = ((number >> k) & 1) != 0;
      if (solid.kind == Kind::box) corner = plus(corner, axes[k], is_high ? q[k] : -q[k]);
      if (solid.kind == Kind::aabb && is_high) corner[k] = q[k];
    }
    corners.push_back(corner);
  }
  return corners;
}

/// A place of a surface where a straight or flat part ends, its normal there, and the way on.
template <int D>
struct Seam {
  Vec<D> place, normal, on;
};

template <int D>
Vec<D> unit_across(Random& random, const Vec<D>& unit) {
  const Vec<D> any = widened(random.direction<D>());
  const Vec<D> across = plus(any, unit, -dot(any, unit));
  return times(across, 1 / length(across));
}

/// A random one. None for kinds that have no such part, and for cores without length.
template <int D>
std::optional<Seam<D>> random_seam(Random& random, const Solid<D>& solid) {
  const Vec<D> p = widened(solid.p), q = widened(solid.q);
  const auto axes = axes_of_solid(solid);
  const auto side = [&] { return random.chance(0.5) ? Real{1} : Real{-1}; };
  switch (solid.kind) {
    case Kind::capsule: {
      const Vec<D> along = minus(q, p);
      if (length(along) == 0) return std::nullopt;
      const Vec<D> on = times(along, 1 / length(along));
      const Vec<D> normal = unit_across(random, on);
      return Seam<D>{plus(q, normal, solid.size), normal, on};
    }
    case Kind::aabb:
    case Kind::box: {
      const bool is_box = solid.kind == Kind::box;
      const int face = random.integer(0, D - 1);
      const int edge = (face + random.integer(1, D - 1)) % D;
      Seam<D> seam{p, {}, {}};
      for (int k = 0; k < D; ++k) {
        Vec<D> axis = axes[k];
        Real half = q[k];
        if (!is_box) {
          axis = {};
          axis[k] = 1;
          half = (q[k] - p[k]) / 2;
          seam.place[k] += half;
        }
        const Real sign = side();
        if (k == face) seam.normal = times(axis, sign);
        if (k == edge) seam.on = times(axis, sign);
        const bool is_along = k != face && k != edge;
        seam.place = plus(seam.place, axis, is_along ? random.uniform(-1, 1) * half : sign * half);
      }
      if (is_box) seam.place = plus(seam.place, seam.normal, solid.size);
      return seam;
    }
    case Kind::polygon:
      if constexpr (D == 2) {
        const std::vector<Vec<2>> corners = core_corners(solid);
        const std::size_t at = random.bits() % corners.size();
        const Vec<2> edge = minus(corners[(at + 1) % corners.size()], corners[at]);
        const Vec<2> on = times(edge, 1 / length(edge)), normal{on[1], -on[0]};
        const bool is_first = random.chance(0.5);
        return Seam<2>{
            plus(is_first ? corners[at] : corners[(at + 1) % corners.size()], normal, solid.size),
            normal, is_first ? times(on, -1) : on};
      }
      return std::nullopt;
    case Kind::cylinder:
    case Kind::cone:
      if constexpr (D == 3) {
        const Vec<3> round = unit_across(random, axes[2]);
        const Vec<3> end = times(axes[2], solid.kind == Kind::cone ? -1 : side());
        const Vec<3> rim = plus(plus(p, end, q[2]), round, solid.size);
        const bool is_flat = solid.kind == Kind::cone || random.chance(0.5);
        const Vec<3>& normal = is_flat ? end : round;
        return Seam<3>{plus(rim, normal, solid.rounding), normal, is_flat ? round : end};
      }
      return std::nullopt;
    case Kind::sphere:
    case Kind::hull:
    case Kind::ellipsoid:
    case Kind::halfspace:
    case Kind::heightfield:
    case Kind::mesh:
    case Kind::chain:
      return std::nullopt;
  }
  return std::nullopt;
}

/// A moves or stands, with a seam; the other shape meets it with a corner. About `count` cases.
template <int D>
std::vector<CastCase<D>> seam_casts(Kind a, Kind b, std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<CastCase<D>> cases;
  for (std::size_t i = 0; i < count; ++i) {
    const bool is_level = random.chance(0.3);  // all numbers in quarters
    const Solid<D> first =
        is_level ? grid_solid<D>(random, a) : random_solid<D>(random, a, random.point<D>(-2, 2), 1);
    Solid<D> second =
        is_level ? grid_solid<D>(random, b) : random_solid<D>(random, b, random.point<D>(-2, 2), 1);
    const std::optional<Seam<D>> seam = random_seam(random, first);
    if (!seam) continue;
    const Vec<D>& normal = seam->normal;
    // The moving shape's lowest point comes to lie beside the seam.
    const double beside =
        random.chance(0.1) ? 0
                           : std::pow(10, random.uniform(-12, -3)) * (random.chance(0.5) ? 1 : -1);
    const Vec<D> to = plus(seam->place, seam->on, beside);
    const std::vector<Vec<D>> corners = core_corners(second);
    const Vec<D> lowest = *std::ranges::min_element(
        corners, {}, [&](const Vec<D>& corner) { return dot(corner, normal); });
    const Vec<D> by = minus(to, plus(lowest, normal, -second.size));
    Vec<D> along = widened(random.direction<D>());
    if (dot(along, normal) > 0) along = times(along, -1);
    along = times(along, random.uniform(0.5, 4));
    const double back = random.uniform(0.2, 0.9);
    Point<D> start, direction;
    for (int k = 0; k < D; ++k) {
      start[k] = static_cast<double>(by[k] - back * along[k]);
      direction[k] = static_cast<double>(along[k]);
    }
    second = moved(second, start);
    if (random.chance(0.5)) {
      cases.push_back({first, second, direction});
    } else {
      for (double& value : direction) value = -value;
      cases.push_back({second, first, direction});
    }
  }
  return cases;
}

}  // namespace widephase::test
