#pragma once

// Rays against cylinders, cones and ellipsoids. In their own frames, sharp, they have closed forms;
// rounded ones are approached along the distance of the sharp one.

#include "kernels/core/faces/convex_face.hpp"
#include "kernels/core/support/ellipsoid_core.hpp"
#include "kernels/rays/ray_box.hpp"
#include "kernels/rays/ray_round.hpp"

namespace widephase {
namespace {

/// The stretch of a rim in a direction across the axis (core/faces/convex_face.hpp), as a feature.
template <class F>
WIDEPHASE_INLINE F rim_feature(const F& x, const F& y, const F& first) {
  using T = RealOf<F>;
  const F zero = F(0);
  F part = zero;
  for (int k = 0; k < kRimPoints; ++k) {
    const F from = F(rim_cosine<T>(k)) * y - F(rim_sine<T>(k)) * x;
    const F to = F(rim_cosine<T>(k + 1)) * y - F(rim_sine<T>(k + 1)) * x;
    part = select((from >= zero) & (to < zero), F(static_cast<T>(k)), part);
  }
  return edge_feature(first + part);
}

/// Overwrites the lanes of `is_round` by the answer of an approach: `gap` is the vector from the
/// sharp core to the point that was reached.
template <class F>
WIDEPHASE_INLINE void put_approach(const Approach<F>& found, const MaskOf<F>& is_round,
                                   const MaskOf<F>& is_inside, const Vec<F, 3>& at,
                                   const Vec<F, 3>& gap, const F& feature, RayMeet<F, 3>& meet) {
  const auto is_gap = is_round & (coordinate_size(gap) > F(0));
  meet.is_inside = select_mask<F>(is_round, is_inside, meet.is_inside);
  meet.is_met = select_mask<F>(is_round, is_inside | found.is_reached, meet.is_met);
  meet.t = select(is_round, greater(found.t, F(0)), meet.t);
  meet.open = select(is_round, found.open, meet.open);
  meet.normal = select(is_gap, gap, meet.normal);
  meet.feature = select(is_gap, feature, meet.feature);
  meet.point = select(is_gap, at - gap, meet.point);
}

/// Turns an answer of the shape's own frame into the scene's axes.
template <Side S, class F>
WIDEPHASE_INLINE void turn_back(const BoxLanes<F, 3>& shape, const F& rounding,
                                const RayLanes<F, 3>& ray, RayMeet<F, 3>& meet) {
  meet.normal = usable_normal<S>(rotate(shape.rotation, meet.normal), ray);
  meet.point = rotate(shape.rotation, meet.point) + rounding * meet.normal;
}

/// A slab along z and a circle across it, in one interval: faces 0 and 1 are the caps, 2 the side.
template <class F>
struct CylinderPart {
  Interval<F> part;
  MaskOf<F> is_inside;
  Vec<F, 2> across;  ///< from the axis to the line, in the plane across the axis
  F half;            ///< of the chord
};

template <class F>
WIDEPHASE_INLINE CylinderPart<F> cylinder_part(const LocalRay<F, 3, Rotation3<F>>& local,
                                               const F& radius, const F& half_height) {
  const F zero = F(0);
  CylinderPart<F> found;
  const F low = negate(half_height) - local.origin[2], high = half_height - local.origin[2];
  found.part.cut_slab(low, high, local.direction[2], zero);
  const Vec<F, 2> from{{local.origin[0], local.origin[1]}};
  const Vec<F, 2> along{{local.direction[0], local.direction[1]}};
  const F along2 = dot(along, along), radius2 = radius * radius, toward = negate(dot(from, along));
  const auto is_level = along2 <= F(kLeastNormal<RealOf<F>>);
  const F divisor = select(is_level, F(1), along2);
  const F middle = select(is_level, zero, divide(toward, divisor));
  found.across = from + middle * along;
  const F rest = radius2 - dot(found.across, found.across);
  found.half = sqrt(divide(greater(rest, zero), divisor));
  const auto is_in_circle = dot(from, from) <= radius2;
  // Outside of the circle and not toward it, rounding must not find a chord behind the origin.
  found.part.is_empty =
      found.part.is_empty | (rest < zero) | ((!is_in_circle) & ((toward <= zero) | is_level));
  const F face = F(kSideFace);
  found.part.cut(select(is_level, found.part.low, middle - found.half), face,
                 select(is_level, found.part.high, middle + found.half), face);
  found.is_inside = is_in_circle & (low <= zero) & (high >= zero);
  return found;
}

// ray_cylinder: the slab between the caps and the circle about the axis; a cap before the side
// where both are met at once.
// Cost: 4 divisions, 1 sqrt per lane.
template <Side S, class F>
WIDEPHASE_INLINE RayMeet<F, 3> ray_cylinder_core(const LocalRay<F, 3, Rotation3<F>>& local,
                                                 const F& radius, const F& half_height,
                                                 const F& reach) {
  const F zero = F(0), one = F(1);
  const CylinderPart<F> found = cylinder_part(local, radius, half_height);
  RayMeet<F, 3> meet;
  meet.is_inside = found.is_inside;
  meet.is_met = found.is_inside | found.part.is_met();
  meet.t = greater(S == Side::enter ? found.part.low : found.part.high, zero);
  meet.open = zero;
  const F face = S == Side::enter ? found.part.low_face : found.part.high_face;
  const auto is_side = face == F(kSideFace);
  const Vec<F, 3> at = local.at(meet.t);
  const F half = S == Side::enter ? negate(found.half) : found.half;
  const auto is_thin = radius <= zero;  // the axis itself is met: its normals are across it
  const F thin = S == Side::enter ? F(-1) : one;
  const F x =
      select(is_thin, thin, half) * local.direction[0] + select(is_thin, zero, found.across[0]);
  const F y =
      select(is_thin, thin, half) * local.direction[1] + select(is_thin, zero, found.across[1]);
  const F size = sqrt(x * x + y * y);
  const F share = divide_or_zero(radius, size);
  const F cap = select(face == one, one, F(-1));
  meet.feature = face_feature(face);
  meet.normal = {{select(is_side, x, zero), select(is_side, y, zero), select(is_side, zero, cap)}};
  meet.point = {
      {select(is_side, share * x, at[0]), select(is_side, share * y, at[1]),
       select(is_side, clamp(at[2], negate(half_height), half_height), cap * half_height)}};
  const auto is_round = reach > zero;
  if (!any<F>(is_round)) return meet;

  const CylinderPart<F> larger = cylinder_part(local, radius + reach, half_height + reach);
  const auto apart = [&](const Vec<F, 3>& p) {
    const F out = sqrt(p[0] * p[0] + p[1] * p[1]);
    const F scale = divide_or_zero(greater(out - radius, zero), out);
    return Vec<F, 3>{
        {scale * p[0], scale * p[1], p[2] - clamp(p[2], negate(half_height), half_height)}};
  };
  const Vec<F, 3> start = apart(local.origin);
  const auto is_inside = dot(start, start) <= reach * reach;
  const Approach<F> answer =
      approach_side<S>(local.origin, local.direction, larger.part.low, larger.part.high, reach,
                       distance_rounding(local.origin, radius + half_height + reach),
                       is_round & (is_inside | larger.part.is_met()), apart);
  const Vec<F, 3> reached = local.at(answer.t), gap = apart(reached);
  const auto is_upper = gap[2] > zero, is_level = gap[2] == zero;
  const auto is_over = (gap[0] == zero) & (gap[1] == zero);
  const F rim = rim_feature(gap[0], gap[1], select(is_upper, F(kRimPoints), zero));
  const F feature = select(is_level, face_feature(F(kSideFace)),
                           select(is_over, face_feature(select(is_upper, one, zero)), rim));
  put_approach(answer, is_round, is_inside, reached, gap, feature, meet);
  return meet;
}

template <Side S, class F>
WIDEPHASE_INLINE RayMeet<F, 3> ray_cylinder(const BoxLanes<F, 3>& shape,
                                            const RayLanes<F, 3>& ray) {
  const LocalRay local(shape.center, shape.rotation, ray.direction);
  RayMeet<F, 3> meet = ray_cylinder_core<S>(local, shape.half_extents[0], shape.half_extents[2],
                                            shape.radius + ray.grow);
  turn_back<S>(shape, shape.radius, ray, meet);
  return meet;
}

/// The part of a line within the infinite cone below an apex, whose side has the slope
/// radius / height: height^2 (x^2 + y^2) <= radius^2 depth^2, depth >= 0.
template <class F>
WIDEPHASE_INLINE void cut_cone(const Vec<F, 2>& from, const Vec<F, 2>& along, const F& depth,
                               const F& sinking, const F& radius, const F& height,
                               Interval<F>& part) {
  const F zero = F(0);
  const Vec<F, 2> out = height * from, out_by = height * along;
  const F in = radius * depth, in_by = radius * sinking;
  // a t^2 + 2 b t + c >= 0. b^2 - a c is a difference of two squares that both vanish for a line
  // through the apex: computed as such it keeps its digits.
  const F out_size = sqrt(dot(out, out)), by_size = sqrt(dot(out_by, out_by));
  const F a = (in_by - by_size) * (in_by + by_size);
  const F b = in * in_by - dot(out, out_by);
  const F c = (in - out_size) * (in + out_size);
  const Vec<F, 2> skew = in_by * out - in * out_by;
  const F turn = cross(out, out_by);
  const F size = sqrt(dot(skew, skew)), turned = abs(turn);
  const F rest = (size - turned) * (size + turned);
  const F root = sqrt(greater(rest, zero));
  const F q = select(b < zero, root - b, negate(b + root));
  const auto is_steep = a >= zero;
  const auto has_q = !(q == zero);
  const F other = divide(c, select(has_q, q, F(1)));
  const F first = divide(q, select(a == zero, F(1), a));
  const F infinite = F(kInfinite<RealOf<F>>);
  // A line along the side has one root only.
  const F r1 = select(a == zero, select(q < zero, negate(infinite), infinite), first);
  const F r2 = select(has_q, other, r1);
  const F low = lesser(r1, r2), high = greater(r1, r2);
  const auto is_sinking = sinking > zero;
  const F face = F(kSideFace);
  // Steep lines are inside beyond one root; the others between both, if that is below the apex.
  const F middle_depth = depth + F(0.5f) * (low + high) * sinking;
  const auto is_missed = (rest < zero) | (middle_depth < zero);
  // The axis of a cone without width.
  const auto is_constant = (a == zero) & (!has_q);
  part.is_empty = part.is_empty | ((!is_steep) & is_missed) | (is_constant & (c < zero));
  const F from_steep = select(is_sinking, high, negate(infinite));
  const F to_steep = select(is_sinking, infinite, low);
  part.cut(select(is_constant, part.low, select(is_steep, from_steep, low)), face,
           select(is_constant, part.high, select(is_steep, to_steep, high)), face);
}

// ray_cone: the slab above the base and the infinite cone below the apex, seen from the point of
// the line nearest to the middle. The base comes before the side where both are met at once. A flat
// cone is a disc, a cylinder of no height.
// Cost: 9 divisions, 5 sqrt per lane.
template <Side S, class F>
WIDEPHASE_INLINE RayMeet<F, 3> ray_cone_core(const LocalRay<F, 3, Rotation3<F>>& local,
                                             const F& radius, const F& half_height, const F& reach,
                                             const F& length2) {
  const F zero = F(0), one = F(1), height = half_height + half_height;
  const F shift = divide(negate(dot(local.origin, local.direction)), length2);
  const Vec<F, 3> from = local.at(shift);
  const F depth = half_height - from[2], sinking = negate(local.direction[2]);
  const Vec<F, 2> along{{local.direction[0], local.direction[1]}};
  Interval<F> part;
  // Below the base the depth is more than the height: face 1 is the way out upwards, never met.
  const F base_low = negate(half_height) - from[2];
  part.cut_slab(base_low, base_low + height, local.direction[2], zero);
  cut_cone<F>({{from[0], from[1]}}, along, depth, sinking, radius, height, part);
  const F own_depth = half_height - local.origin[2];
  const F out2 = local.origin[0] * local.origin[0] + local.origin[1] * local.origin[1];
  const F width = radius * own_depth;
  RayMeet<F, 3> meet;
  meet.is_inside =
      (own_depth >= zero) & (own_depth <= height) & (height * height * out2 <= width * width);
  const F low = part.low + shift, high = part.high + shift;
  const auto is_line_met = (!part.is_empty) & (part.low <= part.high) & (high >= zero);
  meet.is_met = meet.is_inside | is_line_met;
  meet.t = greater(S == Side::enter ? low : high, zero);
  meet.open = zero;
  const F face = S == Side::enter ? part.low_face : part.high_face;
  const auto is_base = face == zero;
  const F t = S == Side::enter ? part.low : part.high;
  const Vec<F, 3> at = from + t * local.direction;
  const F size = sqrt(at[0] * at[0] + at[1] * at[1]);
  const auto is_apex = size <= zero;
  const F x = divide_or_zero(at[0], size), y = divide_or_zero(at[1], size);
  // The place on the side from the apex to the rim, by both coordinates: a flat cone has few digits
  // of the height.
  const F slant2 = radius * radius + height * height;
  const F fallen = half_height - at[2];
  const F down = clamp(divide_or_zero(radius * size + height * fallen, slant2), zero, one);
  const F below = down * height, out = down * radius;
  meet.feature =
      select(is_base, face_feature(zero),
             select(is_apex, vertex_feature(F(kSideLine + 1)), face_feature(F(kSideFace))));
  const auto is_thin = (radius <= zero) & (below > zero);  // its axis is met
  const F thin = S == Side::enter ? F(-1) : one;
  const auto across = [&](int k, const F& of_side) {
    return select(is_base, zero,
                  select(is_thin, thin * local.direction[k], select(is_apex, zero, of_side)));
  };
  const F up = select(is_thin, zero, select(is_apex, one, radius));
  meet.normal = {{across(0, height * x), across(1, height * y), select(is_base, F(-1), up)}};
  meet.point = {{select(is_base, at[0], out * x), select(is_base, at[1], out * y),
                 select(is_base, negate(half_height), half_height - below)}};

  const auto is_flat = height <= zero;
  if (any<F>(is_flat)) {
    const RayMeet<F, 3> disc = ray_cylinder_core<S>(local, radius, zero, zero);
    meet.is_inside = select_mask<F>(is_flat, disc.is_inside, meet.is_inside);
    meet.is_met = select_mask<F>(is_flat, disc.is_met, meet.is_met);
    meet.t = select(is_flat, disc.t, meet.t);
    meet.normal = select(is_flat, disc.normal, meet.normal);
    meet.point = select(is_flat, disc.point, meet.point);
    meet.feature = select(is_flat, disc.feature, meet.feature);
  }
  const auto is_round = reach > zero;
  if (!any<F>(is_round)) return meet;

  const CylinderPart<F> larger = cylinder_part(local, radius + reach, half_height + reach);
  // Where the nearest point lies: along the side from the rim (0) to the apex (1), or the base (2).
  F place = zero;
  const auto apart = [&](const Vec<F, 3>& p) {
    const F p_out = sqrt(p[0] * p[0] + p[1] * p[1]);
    const F across = p_out - radius, rise = p[2] + half_height;
    const F share = clamp(divide_or_zero(height * rise - radius * across, slant2), zero, one);
    const auto is_under = (rise < zero) & (across <= zero);
    // The last two are for cones without height or width.
    const auto is_in = (height * across + radius * rise <= zero) & (rise >= zero) &
                       (across <= zero) & (rise <= height);
    place = select(is_under, F(2), share);
    const F gap_out = select(is_in | is_under, zero, across + share * radius);
    const F gap_up = select(is_in, zero, select(is_under, rise, rise - share * height));
    const F scale = divide_or_zero(gap_out, p_out);
    return Vec<F, 3>{{scale * p[0], scale * p[1], gap_up}};
  };
  const Vec<F, 3> start = apart(local.origin);
  const auto is_inside = dot(start, start) <= reach * reach;
  const Approach<F> answer =
      approach_side<S>(local.origin, local.direction, larger.part.low, larger.part.high, reach,
                       distance_rounding(local.origin, radius + half_height + reach),
                       is_round & (is_inside | larger.part.is_met()), apart);
  const Vec<F, 3> reached = local.at(answer.t), gap = apart(reached);
  const F side =
      select(place == zero, rim_feature(reached[0], reached[1], zero),
             select(place == one, vertex_feature(F(kSideLine + 1)), face_feature(F(kSideFace))));
  const F feature = select(place == F(2), face_feature(zero), side);
  put_approach(answer, is_round, is_inside, reached, gap, feature, meet);
  return meet;
}

template <Side S, class F>
WIDEPHASE_INLINE RayMeet<F, 3> ray_cone(const BoxLanes<F, 3>& shape, const RayLanes<F, 3>& ray) {
  const LocalRay local(shape.center, shape.rotation, ray.direction);
  RayMeet<F, 3> meet =
      ray_cone_core<S>(local, shape.half_extents[0], shape.half_extents[2], shape.radius + ray.grow,
                       dot(local.direction, local.direction));
  turn_back<S>(shape, shape.radius, ray, meet);
  return meet;
}

/// Extents below this share of the longest one count as this share: the ellipsoid is as flat as the
/// numbers can tell.
template <class T>
inline constexpr T kFlattest = sizeof(T) == 4 ? T(0x1p-22) : T(0x1p-50);
/// Newton's steps to the nearest point of an ellipsoid.
inline constexpr int kMostNearest = 24;

/// The vector to a point from the nearest one of an ellipsoid; 0 inside. The nearest point x has
/// p = x + s * (x / a^2) with the root s of sum (a p / (a^2 + s))^2 = 1. One over the root of that
/// sum is nearly straight in s and concave, so Newton's steps from below never pass the root
/// (Conn, Gould and Toint, Trust-Region Methods, 2000, section 7.3.1).
template <class F>
WIDEPHASE_INLINE Vec<F, 3> ellipsoid_gap(const Vec<F, 3>& half, const Vec<F, 3>& p) {
  const F zero = F(0), one = F(1);
  F s = zero;
  for (int k = 0; k < 3; ++k) s = greater(s, half[k] * (abs(p[k]) - half[k]));
  F inside = zero;
  for (int k = 0; k < 3; ++k) {
    const F share = divide(p[k], half[k]);
    inside = inside + share * share;
  }
  auto is_open = inside > one;
  const auto is_outside = is_open;
  for (int step = 0; step < kMostNearest && any<F>(is_open); ++step) {
    F sum = zero, slope = zero;
    for (int k = 0; k < 3; ++k) {
      const F divisor = half[k] * half[k] + s, part = divide(half[k] * p[k], divisor);
      sum = sum + part * part;
      slope = slope + divide(part * part, divisor);
    }
    const F next = s + divide((sqrt(sum) - one) * sum, select(slope > zero, slope, one));
    is_open = is_open & (next > s);
    s = select(is_open, next, s);
  }
  return each_axis<F, 3>(
      [&](int k) { return select(is_outside, divide(s * p[k], half[k] * half[k] + s), zero); });
}

// ray_ellipsoid: the line is scaled so that the ellipsoid is the unit ball. The discriminant is
// direction^2 - |origin x direction|^2 (Lagrange's identity), in which no large terms cancel even
// if the ellipsoid is flat.
// Cost: 11 divisions, 1 sqrt per lane.
template <Side S, class F>
WIDEPHASE_INLINE RayMeet<F, 3> ray_ellipsoid_core(const LocalRay<F, 3, Rotation3<F>>& local,
                                                  const Vec<F, 3>& half_extents, const F& reach) {
  const F zero = F(0), one = F(1);
  const F most = greater(greater(half_extents[0], half_extents[1]), half_extents[2]);
  const auto is_point = most <= zero;
  const F least = select(is_point, one, F(kFlattest<RealOf<F>>) * most);
  const Vec<F, 3> half = each_axis<F, 3>([&](int k) { return greater(half_extents[k], least); });
  const auto scaled = [&](const Vec<F, 3>& v) {
    return each_axis<F, 3>([&](int k) { return divide(v[k], half[k]); });
  };
  const Vec<F, 3> from = scaled(local.origin), along = scaled(local.direction);
  const F along2 = dot(along, along), toward = negate(dot(from, along));
  const Vec<F, 3> moment = cross(from, along);
  const F rest = along2 - dot(moment, moment);
  const F middle = divide(toward, along2), chord = divide(sqrt(greater(rest, zero)), along2);
  RayMeet<F, 3> meet;
  meet.is_inside = dot(from, from) <= one;
  meet.is_met = meet.is_inside | ((rest >= zero) & (toward > zero));
  meet.t = greater(side_of<S>(middle, chord), zero);
  meet.open = zero;
  meet.feature = zero;
  const Vec<F, 3> nearest = cross(along, moment);
  const F half_chord = S == Side::enter ? negate(chord) : chord;
  for (int k = 0; k < 3; ++k) {
    const F on_ball = divide(nearest[k], along2) + half_chord * along[k];
    meet.point[k] = half[k] * on_ball;
    meet.normal[k] = on_ball * divide(most, half[k]);
  }
  if (any<F>(is_point)) {
    const RayMeet<F, 3> ball =
        ray_ball<S>(-local.origin, zero, RayLanes<F, 3>(local.direction, zero));
    meet.is_inside = select_mask<F>(is_point, ball.is_inside, meet.is_inside);
    meet.is_met = select_mask<F>(is_point, ball.is_met, meet.is_met);
    meet.t = select(is_point, ball.t, meet.t);
    meet.normal = select(is_point, zero_vec<F, 3>(), meet.normal);
    meet.point = select(is_point, zero_vec<F, 3>(), meet.point);
  }
  const auto is_round = reach > zero;
  if (!any<F>(is_round)) return meet;

  Interval<F> part;
  for (int k = 0; k < 3; ++k) {
    const F side = half_extents[k] + reach;
    part.cut_slab(negate(side) - local.origin[k], side - local.origin[k], local.direction[k],
                  F(static_cast<RealOf<F>>(2 * k)));
  }
  const auto apart = [&](const Vec<F, 3>& p) {
    return select(is_point, p, ellipsoid_gap<F>(half, p));
  };
  const Vec<F, 3> start = apart(local.origin);
  const auto is_inside = dot(start, start) <= reach * reach;
  const Approach<F> answer =
      approach_side<S>(local.origin, local.direction, part.low, part.high, reach,
                       distance_rounding(local.origin, coordinate_size(half) + reach),
                       is_round & (is_inside | part.is_met()), apart);
  const Vec<F, 3> reached = local.at(answer.t), gap = apart(reached);
  put_approach(answer, is_round, is_inside, reached, gap, zero, meet);
  return meet;
}

template <Side S, class F>
WIDEPHASE_INLINE RayMeet<F, 3> ray_ellipsoid(const BoxLanes<F, 3>& shape,
                                             const RayLanes<F, 3>& ray) {
  const F zero = F(0);
  const LocalRay local(shape.center, shape.rotation, ray.direction);
  // The row's radius is the rounding plus that of the ball that rolls inside, as it was packed.
  const Vec<F, 3>& half = shape.half_extents;
  const F least = lesser(lesser(half[0], half[1]), half[2]);
  const F most = greater(greater(half[0], half[1]), half[2]);
  const F ball = least * divide_or_zero(least, most);
  const F rounding = greater(shape.radius - ball, zero);
  RayMeet<F, 3> meet = ray_ellipsoid_core<S>(local, half, rounding + ray.grow);
  turn_back<S>(shape, rounding, ray, meet);
  return meet;
}

}  // namespace
}  // namespace widephase
