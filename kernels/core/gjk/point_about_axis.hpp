#pragma once

// A point and a cylinder or a cone, in closed form: in the plane of the axis and the point. A
// search would approach the side's normal by ever smaller steps. Apart with pairs in lanes; the
// exit of a point in a cone one pair at a time (for a cylinder see core/cylinder/coaxial.hpp).

#include "kernels/core/gjk/gjk3.hpp"

namespace widephase {
namespace {

/// A point from the middle of a core that is round about an axis: beside the axis and along it.
template <class F>
struct PointAboutAxis {
  F aside, z;
  Vec<F, 3> out;  ///< the direction straight away from the axis; 0 on it

  WIDEPHASE_INLINE PointAboutAxis(const Vec<F, 3>& point, const Vec<F, 3>& u) : z(dot(point, u)) {
    // Twice: what is left of a long offset along the axis is mostly rounding, which is not
    // perpendicular to the axis. Where that lies along the axis again, nothing is left.
    const Vec<F, 3> once = point - z * u;
    const Vec<F, 3> across = once - dot(once, u) * u;
    const F length_across = length(across);
    // Far below the rounding of the offset, squares may vanish.
    const auto is_across = (abs(dot(across, u)) <= roundings<F>(64) * length_across) &
                           (F(64) * length_across > roundings<F>(1) * abs(z));
    aside = select(is_across, length_across, F(0));
    for (int k = 0; k < 3; ++k) out[k] = divide_or_zero(across[k], aside);
  }
};

/// Where a point is nearest to a core about its axis, and the gap from there to the point; both
/// across the axis and along it. A point on the surface counts as inside.
template <class F>
struct NearestAboutAxis {
  F nearest[2], gap[2];
  F number;  ///< the end of the core
  MaskOf<F> is_inside;
};

template <class F>
WIDEPHASE_INLINE NearestAboutAxis<F> nearest_of_cylinder(const F& radius, const F& half,
                                                         const PointAboutAxis<F>& point) {
  const F zero = F(0);
  const F above = abs(point.z) - half, beside = point.aside - radius;
  const auto is_above = above > zero, is_beside = beside > zero;
  const F side = select(point.z < zero, F(-1), F(1));
  return {{select(is_beside, radius, point.aside), select(is_above, side * half, point.z)},
          {select(is_beside, beside, zero), select(is_above, side * above, zero)},
          select(point.z > zero, F(1), zero),
          (!is_above) & (!is_beside)};
}

template <class F>
WIDEPHASE_INLINE NearestAboutAxis<F> nearest_of_cone(const ConvexLanes<F>& cone,
                                                     const PointAboutAxis<F>& point) {
  const F zero = F(0);
  const F radius = cone.half[0], half = cone.half[2], &r = point.aside, &z = point.z;
  // The side's normal, and its length from the apex to the rim. Divided by the longer one first, so
  // that no square overflows or vanishes.
  const F longer = greater(radius, half + half);
  const F wide = divide_or_zero(radius, longer), high = divide_or_zero(half + half, longer);
  const F size = sqrt(wide * wide + high * high);
  const F normal_r = select(size > zero, divide_or_zero(high, size), F(1));
  const F normal_z = divide_or_zero(wide, size);
  const F length = longer * size;
  const F above = r * normal_r + (z - half) * normal_z;  // the side's plane
  const F down = r * normal_z + (half - z) * normal_r;   // from the apex along the side
  const auto is_under = (z < negate(half)) & (r <= radius);
  // Without a radius the plane of the side does not end at the apex, without a height at the rim.
  const auto is_within = (abs(z) <= half) & (r <= radius) & (!(above > zero));
  const auto is_apex = down<zero, is_rim = down> length;
  const F aside = select(is_apex, r, select(is_rim, r - radius, above * normal_r));
  const F along = select(is_apex, z - half, select(is_rim, z + half, above * normal_z));
  const F gap[2] = {select(is_within | is_under, zero, aside),
                    select(is_within, zero, select(is_under, z + half, along))};
  // A gap of rounding has no direction.
  const F least = roundings<F>(8) * ((radius + half) + (r + abs(z)));
  const auto is_inside = is_within | (abs(gap[0]) + abs(gap[1]) <= least);
  return {{r - gap[0], z - gap[1]},
          {gap[0], gap[1]},
          select((!is_under) & (down + down < length), F(1), zero),
          is_inside};
}

/// Whether `find_nearest_of_point` answers two cores.
inline bool is_point_about_axis(CoreForm a, CoreForm b) {
  const auto is_round = [](CoreForm form) {
    return form == CoreForm::cylinder || form == CoreForm::cone;
  };
  return (a == CoreForm::point && is_round(b)) || (is_round(a) && b == CoreForm::point);
}

/// Answers whether the cores are a point and a cylinder or a cone, and finds where GJK would have
/// ended.
template <class F>
bool find_nearest_of_point(const CorePair<F>& pair, Simplex3<F>& found) {
  if (!is_point_about_axis(pair.a.shape.form, pair.b.shape.form)) return false;
  const bool is_a = pair.b.shape.form == CoreForm::point;
  const ConvexLanes<F>& round = is_a ? pair.a.shape : pair.b.shape;
  const F zero = F(0);
  const Vec<F, 3>& u = round.turn.column[2];
  const PointAboutAxis<F> point(is_a ? pair.apart : -pair.apart, u);
  const NearestAboutAxis<F> at = round.form == CoreForm::cone
                                     ? nearest_of_cone(round, point)
                                     : nearest_of_cylinder(round.half[0], round.half[2], point);
  const Vec<F, 3> gap = at.gap[1] * u + at.gap[0] * point.out;
  const Vec<F, 3> nearest = at.nearest[1] * u + at.nearest[0] * point.out;
  const Vec<F, 3> origin = zero_vec<F, 3>();
  found.nearest = is_a ? -gap : gap;
  found.distance = length(gap);
  found.v[0] = {found.nearest, is_a ? nearest : origin, is_a ? origin : nearest,
                is_a ? at.number : zero, is_a ? zero : at.number};
  found.v[1] = found.v[2] = found.v[3] = found.v[0];
  found.size = F(1);
  found.share[0] = F(1);
  found.share[1] = found.share[2] = zero;
  found.is_overlap = one_where<F>(at.is_inside);
  found.is_capped = found.reach2 = zero;
  return true;
}

}  // namespace
}  // namespace widephase
