#pragma once

// Rays against spheres and capsules.

#include "kernels/rays/ray_lanes.hpp"

namespace widephase {
namespace {

// ray_sphere: the point of the line nearest to the centre, and half of the chord about it. This
// keeps the digits of far balls, which b^2 - 4ac would lose (Haines et al., Ray Tracing Gems, 2019,
// chapter 7). A ray that only touches is met.
// Normal: from the centre; a ball without radius has the opposite of the direction.
// Cost: 2 divisions, 1 sqrt per lane.
template <Side S, class F, int D>
WIDEPHASE_INLINE RayMeet<F, D> ray_ball(const Vec<F, D>& center, const F& reach,
                                        const RayLanes<F, D>& ray) {
  const F zero = F(0);
  const F along = dot(center, ray.direction), middle = divide(along, ray.length2);
  const Vec<F, D> across = center - middle * ray.direction;  // from the line to the centre
  const F reach2 = reach * reach;
  const F rest = reach2 - dot(across, across);
  const F half = sqrt(divide(greater(rest, zero), ray.length2));
  RayMeet<F, D> meet;
  meet.is_inside = dot(center, center) <= reach2;
  meet.is_met = meet.is_inside | ((rest >= zero) & (along > zero));
  meet.t = greater(side_of<S>(middle, half), zero);
  meet.open = zero;
  meet.normal = (S == Side::enter ? negate(half) : half) * ray.direction - across;
  meet.feature = zero;
  meet.point = zero_vec<F, D>();
  return meet;
}

template <Side S, class F, int D>
WIDEPHASE_INLINE RayMeet<F, D> ray_sphere(const SphereLanes<F, D>& shape,
                                          const RayLanes<F, D>& ray) {
  RayMeet<F, D> meet = ray_ball<S>(shape.center, shape.radius + ray.grow, ray);
  meet.normal = usable_normal<S>(meet.normal, ray);
  meet.point = shape.radius * meet.normal;
  return meet;
}

/// A segment within a radius, in the ray's frame.
template <class F, int D>
struct SegmentLanes {
  Vec<F, D> a, b;
  Vec<F, D> along;  ///< b - a
};

// ray_capsule: the infinite cylinder about the axis, in 2D the strip. Where the ray crosses it
// beside the segment, the nearer end's ball decides, as it does for rays along the axis.
// The normal is not of unit length, and `point` is on the segment.
// Cost: 5 divisions, 2 sqrt per lane.
template <Side S, class F, int D>
WIDEPHASE_INLINE RayMeet<F, D> ray_segment(const SegmentLanes<F, D>& core, const F& reach,
                                           const RayLanes<F, D>& ray) {
  const F zero = F(0), one = F(1), reach2 = reach * reach;
  const Vec<F, D>&direction = ray.direction, from = -core.a;
  const F along2 = dot(core.along, core.along);
  const auto is_point = along2 <= zero;
  const F share = divide(one, select(is_point, one, along2));
  const F place = dot(from, core.along) * share, speed = dot(direction, core.along) * share;

  MaskOf<F> is_level, is_beside, is_toward;
  F t;
  Vec<F, D> out;  // from the axis
  if constexpr (D == 2) {
    const Vec<F, 2> left = perpendicular(core.along);
    const F apart = dot(from, left), rise = dot(direction, left), width = reach * sqrt(along2);
    is_level = is_point | (rise * rise <= (parallel_sin2<F>() * ray.length2) * along2);
    // A line that goes right enters at the left side.
    const auto is_left = S == Side::enter ? rise < zero : rise > zero;
    const F divisor = select(is_level, one, rise);
    t = divide(select(is_left, width, negate(width)) - apart, divisor);
    out = select(is_left, left, -left);
    is_beside = !is_level;
    is_toward = apart * rise < zero;
  } else {
    const Vec<F, D> across = from - place * core.along, rise = direction - speed * core.along;
    const F rise2 = dot(rise, rise);
    is_level = is_point | (rise2 <= parallel_sin2<F>() * ray.length2);
    const F divisor = select(is_level, one, rise2);
    const F middle = divide(negate(dot(across, rise)), divisor);
    const Vec<F, D> nearest = across + middle * rise;
    const F rest = reach2 - dot(nearest, nearest);
    const F half = sqrt(divide(greater(rest, zero), divisor));
    t = side_of<S>(middle, half);
    const Vec<F, D> by = (S == Side::enter ? negate(half) : half) * rise;
    const auto is_thin = reach <= zero;  // the axis itself is met: its normals are across it
    out = select(is_thin, S == Side::enter ? -rise : rise, nearest + by);
    is_beside = (!is_level) & (rest >= zero);
    is_toward = middle > zero;
  }
  const F at = place + t * speed;
  const auto is_between = (at >= zero) & (at <= one);
  is_beside = is_beside & is_between;
  const auto is_b =
      select_mask<F>(is_level, S == Side::enter ? speed < zero : speed > zero, at > F(0.5f));
  const Vec<F, D> end = select(is_b, core.b, core.a);
  const RayMeet<F, D> ball = ray_ball<S>(end, reach, ray);

  RayMeet<F, D> meet;
  const F nearest = clamp(place, zero, one);
  const Vec<F, D> apart = core.a + nearest * core.along;
  meet.is_inside = (dot(apart, apart) <= reach2) | (dot(core.b, core.b) <= reach2);
  const auto is_side_met = (t >= zero) | (is_toward & (place >= zero) & (place <= one));
  meet.is_met = meet.is_inside | (is_beside & is_side_met) | ((!is_beside) & ball.is_met);
  meet.t = select(is_beside, greater(t, zero), ball.t);
  meet.open = zero;
  // Normals of an end without radius point away from the segment. For a ray that comes over the
  // segment, the nearest of them is across it.
  const auto is_from_inside = select_mask<F>(is_b, S == Side::enter ? speed > zero : speed < zero,
                                             S == Side::enter ? speed < zero : speed > zero);
  const auto is_across = (reach <= zero) & (!is_level) & is_from_inside;
  meet.normal = select(is_beside | is_across, out, ball.normal);
  meet.point = select(is_beside, clamp(at, zero, one) * core.along,
                      select(is_b, core.along, zero_vec<F, D>()));
  meet.feature = select(is_beside, edge_feature(zero), vertex_feature(select(is_b, one, zero)));
  return meet;
}

template <Side S, class F, int D>
WIDEPHASE_INLINE RayMeet<F, D> ray_capsule(const CapsuleLanes<F, D>& shape,
                                           const RayLanes<F, D>& ray) {
  RayMeet<F, D> meet = ray_segment<S>(SegmentLanes<F, D>{shape.a, shape.b, shape.along},
                                      shape.radius + ray.grow, ray);
  meet.normal = usable_normal<S>(meet.normal, ray);
  meet.point = meet.point + shape.radius * meet.normal;
  return meet;
}

}  // namespace
}  // namespace widephase
