#include "support/apart.hpp"

#include <sstream>

#include "support/resting_points.hpp"

namespace widephase::test {

namespace {

/// The centre of a shape; for an aabb or capsule, the point halfway between its ends.
template <int D>
Vec<D> middle_of(const Solid<D>& solid) {
  if (solid.kind != Kind::aabb && solid.kind != Kind::capsule) return widened(solid.p);
  return times(plus(widened(solid.p), widened(solid.q)), 0.5L);
}

template <int D>
Real reach_of(const Solid<D>& solid) {
  if (solid.kind == Kind::capsule || solid.kind == Kind::aabb) {
    return length(minus(widened(solid.q), widened(solid.p))) / 2 + radius_of(solid);
  }
  return core_reach(solid) + radius_of(solid);
}

/// How far a shape reaches along the unit vector `n`, measured from the origin.
template <int D>
Real outermost(const Solid<D>& solid, const Vec<D>& n) {
  const Vec<D> p = widened(solid.p), q = widened(solid.q);
  if (solid.kind == Kind::sphere) return dot(n, p) + solid.size;
  if (solid.kind == Kind::capsule) return std::max(dot(n, p), dot(n, q)) + solid.size;
  Real most = 0;
  if (solid.kind == Kind::aabb) {
    for (int k = 0; k < D; ++k) most += std::max(n[k] * p[k], n[k] * q[k]);
    return most;
  }
  Vec<D> local;
  if constexpr (D == 2) {
    local = turned_by(-solid.angle, n);
  } else {
    local = along_axes(axes_of(solid.orientation), n);
    if (solid.kind == Kind::cylinder) {
      return dot(n, p) + std::hypot(local[0], local[1]) * solid.size +
             std::abs(local[2]) * solid.q[2] + solid.rounding;
    }
    if (solid.kind == Kind::cone) {
      const Real rim = std::hypot(local[0], local[1]) * solid.size - local[2] * solid.q[2];
      return dot(n, p) + std::max(rim, local[2] * solid.q[2]) + solid.rounding;
    }
    if (solid.kind == Kind::ellipsoid) {
      for (int k = 0; k < D; ++k) local[k] *= q[k];
      return dot(n, p) + length(local) + solid.rounding;
    }
  }
  if (solid.kind == Kind::box) {
    for (int k = 0; k < D; ++k) most += std::abs(local[k]) * q[k];
  } else {
    most = dot(local, widened(solid.vertices[0]));
    for (const Point<D>& vertex : solid.vertices) {
      most = std::max(most, dot(local, widened(vertex)));
    }
  }
  return dot(n, p) + most + solid.size;
}

/// The gap between A and B along the unit vector `n` from A to B.
template <int D>
Real gap_along(const Solid<D>& a, const Solid<D>& b, const Vec<D>& n) {
  if (a.kind == Kind::halfspace || b.kind == Kind::halfspace) {
    const Plane<D> plane = plane_of(a.kind == Kind::halfspace ? a : b);
    const Solid<D>& other = a.kind == Kind::halfspace ? b : a;
    return -outermost(other, times(plane.normal, -1)) - plane.offset;
  }
  return -outermost(b, times(n, -1)) - outermost(a, n);
}

/// The distance from a shape to a point outside of it.
Real above(const Solid<3>& solid, const Vec<3>& point) { return height_over_surface(solid, point); }
Real above(const Solid<2>& solid, const Vec<2>& point) {
  if (solid.kind == Kind::halfspace) {
    const Plane<2> plane = plane_of(solid);
    return dot(plane.normal, point) - plane.offset;
  }
  // A point inside the core is near its surface, or else the other conditions fail.
  return distance_to_core_surface(solid, point) - radius_of(solid);
}

}  // namespace

template <int D>
Real pair_size(const Solid<D>& a, const Solid<D>& b) {
  if (b.kind == Kind::halfspace) return length(middle_of(a)) + reach_of(a) + std::abs(b.size);
  if (a.kind == Kind::halfspace) return pair_size(b, a);
  return length(minus(middle_of(a), middle_of(b))) + reach_of(a) + reach_of(b);
}

template <int D, class T>
std::string apart_flaw(const Solid<D>& a, const Solid<D>& b, const DistanceBuffer<D, T>& rows,
                       std::size_t i) {
  const Real size = pair_size(a, b);
  const Real tolerance = kDepthTolerance<T> * size;
  const Real distance = rows.distance[i];
  if (distance <= 4 * tolerance) return "";
  Vec<D> normal, point_a, point_b;
  for (int k = 0; k < D; ++k) {
    normal[k] = rows.normal(i, k);
    point_a[k] = rows.point_a(i, k);
    point_b[k] = rows.point_b(i, k);
  }
  Real place = size;
  for (int k = 0; k < D; ++k) place = std::max(place, std::abs(point_a[k]));
  const Real rounding = 4 * kUnitTolerance<PositionOf<T>> * place;
  // On a round side, a distance that is longer by rounding may belong to a point that is the square
  // root of rounding away.
  const Real aside = has_round(a, b) ? std::sqrt(kDepthTolerance<T>) * size : 0;
  std::ostringstream text;
  text.precision(12);
  const Real between = length(minus(point_b, point_a));
  if (!(std::abs(between - distance) <= tolerance + rounding)) {
    text << "the points are " << between << " from one another; ";
  }
  const Real gap = gap_along(a, b, times(normal, 1 / length(normal)));
  if (!(std::abs(gap - distance) <= tolerance)) {
    text << "along the normal the shapes are " << gap << " apart; ";
  }
  const Real above_a = above(a, point_a), above_b = above(b, point_b);
  // Along nearly parallel edges, points are less exact than the distance.
  if (!(above_a <= 8 * tolerance + rounding + aside)) {
    text << "point_a is " << above_a << " outside of A; ";
  }
  if (!(above_b <= 8 * tolerance + rounding + aside)) {
    text << "point_b is " << above_b << " outside of B; ";
  }
  if (!text.str().empty()) text << "the distance is " << distance << "; ";
  return text.str();
}

#define WIDEPHASE_INSTANTIATE(D, T)                                           \
  template std::string apart_flaw<D, T>(const Solid<D>& a, const Solid<D>& b, \
                                        const DistanceBuffer<D, T>& rows, std::size_t i)
WIDEPHASE_INSTANTIATE(2, float);
WIDEPHASE_INSTANTIATE(2, double);
WIDEPHASE_INSTANTIATE(3, float);
WIDEPHASE_INSTANTIATE(3, double);
#undef WIDEPHASE_INSTANTIATE
template Real pair_size<2>(const Solid<2>&, const Solid<2>&);
template Real pair_size<3>(const Solid<3>&, const Solid<3>&);

}  // namespace widephase::test
