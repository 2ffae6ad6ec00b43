#pragma once

// Rays against boxes of both kinds, and halfspaces.

#include "kernels/rays/ray_lanes.hpp"

namespace widephase {
namespace {

/// A box in its own axes with the ray's origin as the origin, and how to write a point on it.
template <class F, int D>
struct SlabLanes {
  Vec<F, D> low, high;    ///< its sides
  Vec<F, D> base;         ///< the ray's origin, relative to the anchor
  Vec<F, D> least, most;  ///< its sides, relative to the anchor
  Vec<F, D> direction;
};

// ray_box, ray_aabb: three slabs. The face that is entered last is hit; among equal ones that of
// the lowest axis, its low side first. With a radius, the cast of a ball against the sharp box:
// where the larger box is entered beside a face, `approach` leads on to an edge or corner.
// The normal is in the box's axes, and the point on the sharp box.
// Cost: 2 divisions per axis and lane.
template <Side S, class F, int D>
WIDEPHASE_INLINE RayMeet<F, D> ray_slabs(const SlabLanes<F, D>& box, const F& reach) {
  const F zero = F(0), one = F(1);
  RayMeet<F, D> meet;
  Interval<F> part;
  meet.is_inside = zero == zero;
  for (int k = 0; k < D; ++k) {
    const F low = box.low[k] - reach, high = box.high[k] + reach;
    part.cut_slab(low, high, box.direction[k], F(static_cast<RealOf<F>>(2 * k)));
    meet.is_inside = meet.is_inside & (low <= zero) & (high >= zero);
  }
  meet.is_met = meet.is_inside | part.is_met();
  const F face = S == Side::enter ? part.low_face : part.high_face;
  meet.t = greater(S == Side::enter ? part.low : part.high, zero);
  meet.open = zero;
  meet.feature = face_feature(face);
  const Vec<F, D> place = box.base + meet.t * box.direction;
  for (int k = 0; k < D; ++k) {
    const auto is_low = face == F(static_cast<RealOf<F>>(2 * k));
    const auto is_high = face == F(static_cast<RealOf<F>>(2 * k + 1));
    meet.normal[k] = select(is_low, F(-1), select(is_high, one, zero));
    meet.point[k] =
        select(is_low, box.least[k],
               select(is_high, box.most[k], clamp(place[k], box.least[k], box.most[k])));
  }
  const auto is_round = reach > zero;
  if (!any<F>(is_round)) return meet;

  const auto apart = [&](const Vec<F, D>& p) {
    return each_axis<F, D>([&](int k) { return p[k] - clamp(p[k], box.low[k], box.high[k]); });
  };
  const Vec<F, D> start = apart(zero_vec<F, D>());
  const auto is_inside = dot(start, start) <= reach * reach;
  const F rounding = distance_rounding(box.low, coordinate_size(box.high) + reach);
  const Approach<F> found = approach_side<S>(zero_vec<F, D>(), box.direction, part.low, part.high,
                                             reach, rounding, is_round & meet.is_met, apart);
  const Vec<F, D> gap = apart(found.t * box.direction);
  const auto is_gap = is_round & (coordinate_size(gap) > zero);
  meet.is_inside = select_mask<F>(is_round, is_inside, meet.is_inside);
  meet.is_met = select_mask<F>(is_round, is_inside | found.is_reached, meet.is_met);
  meet.t = select(is_round, greater(found.t, zero), meet.t);
  meet.open = select(is_round, found.open, zero);
  meet.normal = select(is_gap, gap, meet.normal);
  meet.feature = select(is_gap, outer_feature(-gap), meet.feature);
  for (int k = 0; k < D; ++k) {
    const F at = clamp(box.base[k] + found.t * box.direction[k], box.least[k], box.most[k]);
    const F on_side = select(gap[k] < zero, box.least[k], select(gap[k] > zero, box.most[k], at));
    meet.point[k] = select(is_gap, on_side, meet.point[k]);
  }
  return meet;
}

template <Side S, class F, int D>
WIDEPHASE_INLINE RayMeet<F, D> ray_aabb(const AabbLanes<F, D>& shape, const RayLanes<F, D>& ray) {
  const SlabLanes<F, D> box{
      shape.min, shape.max, -shape.min, zero_vec<F, D>(), shape.max - shape.min, ray.direction};
  RayMeet<F, D> meet = ray_slabs<S>(box, ray.grow);
  meet.normal = usable_normal<S>(meet.normal, ray);
  return meet;
}

template <Side S, class F, int D>
WIDEPHASE_INLINE RayMeet<F, D> ray_box(const BoxLanes<F, D>& shape, const RayLanes<F, D>& ray) {
  const LocalRay local(shape.center, shape.rotation, ray.direction);
  const Vec<F, D> least = -shape.half_extents;
  const SlabLanes<F, D> box{least - local.origin, shape.half_extents - local.origin,
                            local.origin,         least,
                            shape.half_extents,   local.direction};
  RayMeet<F, D> meet = ray_slabs<S>(box, shape.radius + ray.grow);
  meet.normal = usable_normal<S>(rotate(shape.rotation, meet.normal), ray);
  meet.point = rotate(shape.rotation, meet.point) + shape.radius * meet.normal;
  return meet;
}

// ray_halfspace: the plane. The point is relative to the ray's origin. From inside, a ray that does
// not come nearer to the plane never leaves: it is not met.
// Cost: 1 division per lane.
template <Side S, class F, int D>
WIDEPHASE_INLINE RayMeet<F, D> ray_halfspace(const HalfspaceLanes<F, D>& shape,
                                             const RayLanes<F, D>& ray) {
  const F zero = F(0), depth = shape.offset + ray.grow;  // of the origin below the plane
  const F rise = dot(shape.normal, ray.direction);
  RayMeet<F, D> meet;
  meet.is_inside = depth >= zero;
  const auto is_moving = S == Side::enter ? rise < zero : rise > zero;
  meet.t = greater(divide(depth, select(is_moving, rise, F(1))), zero);
  meet.is_met = S == Side::enter ? meet.is_inside | is_moving : meet.is_inside & is_moving;
  meet.open = zero;
  meet.feature = zero;
  meet.normal = usable_normal<S>(shape.normal, ray);
  meet.point = meet.t * ray.direction - ray.grow * meet.normal;
  return meet;
}

}  // namespace
}  // namespace widephase
