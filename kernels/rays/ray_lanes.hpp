#pragma once

// Rays in lanes, and what all shapes need to meet them.
//
// A shape is moved so that the ray's origin is the origin: its numbers then keep their digits far
// away. Directions are scaled so that their longest component is from 1 to 2, and so is t.
//
// A shape answers for one side: where a ray from outside enters it, or where a ray from inside
// leaves it. A lane's answer never depends on its neighbours.

#include "kernels/core/basis/box_features.hpp"
#include "kernels/core/basis/lane_array.hpp"
#include "kernels/core/basis/rows.hpp"
#include "kernels/core/round/segment.hpp"

namespace widephase {
namespace {

/// Where a line crosses a surface.
enum class Side : bool { enter, leave };

template <class F, int D>
struct RayLanes {
  Vec<F, D> direction;
  F length2;  ///< its square
  F grow;     ///< a distance at which the shape counts as hit

  WIDEPHASE_INLINE RayLanes(const Vec<F, D>& along, const F& margin)
      : direction(along), length2(dot(along, along)), grow(margin) {}
};

template <class F, int D>
struct RayMeet {
  MaskOf<F> is_met;     ///< from t = 0 on
  MaskOf<F> is_inside;  ///< the origin is in the shape or on its surface
  F t;                  ///< of the side; lanes that start inside have no t for entering
  F open;               ///< 1 where a limit of steps was met
  Vec<F, D> normal;     ///< outwards, of any length
  Vec<F, D> point;      ///< on the shape, relative to its anchor
  F feature;
};

template <class F>
WIDEPHASE_INLINE MaskOf<F> no_lane() {
  return F(1) < F(0);
}

/// Solutions of a quadratic lie at middle - half and middle + half.
template <Side S, class F>
WIDEPHASE_INLINE F side_of(const F& middle, const F& half) {
  return S == Side::enter ? middle - half : middle + half;
}

/// `v`, or the direction (leaving) or its opposite (entering) where `v` has no length.
template <Side S, class F, int D>
WIDEPHASE_INLINE Vec<F, D> usable_normal(const Vec<F, D>& v, const RayLanes<F, D>& ray) {
  const Vec<F, D> other = S == Side::enter ? -ray.direction : ray.direction;
  const F longest = [&] {
    F most = abs(v[0]);
    for (int k = 1; k < D; ++k) most = greater(most, abs(v[k]));
    return most;
  }();
  const auto is_usable = (longest > F(0)) & (longest <= F(kLargest<RealOf<F>>));
  const Vec<F, D> from = select(is_usable, v, other);
  const F scale = select(is_usable, longest, F(1));
  const Vec<F, D> scaled = each_axis<F, D>([&](int k) { return divide(from[k], scale); });
  const F size = length(scaled);
  return each_axis<F, D>([&](int k) { return F(0) + divide(scaled[k], size); });
}

/// A convex interval of t, with the number of the face at either end.
template <class F>
struct Interval {
  F low = F(-kInfinite<RealOf<F>>);
  F high = F(kInfinite<RealOf<F>>);
  F low_face = F(0), high_face = F(0);
  MaskOf<F> is_empty = no_lane<F>();

  /// Cuts off what lies before `from` or behind `to`; the face that was there first stays where
  /// both are equal.
  WIDEPHASE_INLINE void cut(const F& from, const F& from_face, const F& to, const F& to_face) {
    low_face = select(from > low, from_face, low_face);
    low = greater(low, from);
    high_face = select(to < high, to_face, high_face);
    high = lesser(high, to);
  }
  /// Cuts to one slab: `low_side` <= t * speed <= `high_side`, with faces `face` and `face` + 1.
  WIDEPHASE_INLINE void cut_slab(const F& low_side, const F& high_side, const F& speed,
                                 const F& face) {
    const F zero = F(0), one = F(1);
    const auto is_level = speed == zero, is_down = speed < zero;
    const F divisor = select(is_level, one, speed);
    const F from = divide(select(is_down, high_side, low_side), divisor);
    const F to = divide(select(is_down, low_side, high_side), divisor);
    is_empty = is_empty | (is_level & ((low_side > zero) | (high_side < zero)));
    cut(select(is_level, low, from), face + select(is_down, one, zero), select(is_level, high, to),
        face + select(is_down, zero, one));
  }
  /// Whether the part from t = 0 on is not empty.
  WIDEPHASE_INLINE MaskOf<F> is_met() const { return (!is_empty) & (low <= high) & (high >= F(0)); }
};

/// The most steps of `approach`. Each halves at least the time to a contact that is only touched;
/// all others converge as squares.
inline constexpr int kMostApproaches = 64;

template <class F>
struct Approach {
  F t;
  MaskOf<F> is_reached;
  F open;
};

/// The first t from `from` on at which origin + t * direction is within `reach` of a convex core.
/// `apart(point)` is the vector from the core to a point, 0 inside. The distance is convex in t, so
/// each step along its tangent ends before the contact or beyond the minimum: Newton's method, and
/// the ray cast of van den Bergh (2004) with exact supporting planes. `rounding` bounds that of a
/// distance.
template <class F, int D, class Apart>
WIDEPHASE_INLINE Approach<F> approach(const Vec<F, D>& origin, const Vec<F, D>& direction,
                                      const F& from, const F& reach, const F& rounding,
                                      const MaskOf<F>& wanted, const Apart& apart) {
  const F zero = F(0);
  Approach<F> answer{from, no_lane<F>(), zero};
  MaskOf<F> is_open = wanted;
  for (int step = 0; step < kMostApproaches && any<F>(is_open); ++step) {
    const Vec<F, D> gap = apart(origin + answer.t * direction);
    const F distance = length(gap), above = distance - reach;
    const F falling = negate(dot(gap, direction));
    const auto is_there = is_open & (above <= rounding);
    answer.is_reached = answer.is_reached | is_there;
    is_open = is_open & (!is_there) & (falling > zero);
    const F next = answer.t + divide(above * distance, select(is_open, falling, F(1)));
    // Where no digit of t changes any more, it is reached.
    const auto is_still = is_open & (next <= answer.t);
    answer.is_reached = answer.is_reached | is_still;
    is_open = is_open & (!is_still) & (next <= F(kLargest<RealOf<F>>));
    answer.t = select(is_open, next, answer.t);
  }
  answer.open = select(is_open, F(1), zero);
  answer.is_reached = answer.is_reached | is_open;
  return answer;
}

/// `approach` for either side: a ray leaves where one that comes back from far beyond would enter.
template <Side S, class F, int D, class Apart>
WIDEPHASE_INLINE Approach<F> approach_side(const Vec<F, D>& origin, const Vec<F, D>& direction,
                                           const F& low, const F& high, const F& reach,
                                           const F& rounding, const MaskOf<F>& wanted,
                                           const Apart& apart) {
  if constexpr (S == Side::enter) {
    return approach(origin, direction, greater(low, F(0)), reach, rounding, wanted, apart);
  } else {
    const auto is_finite = wanted & (high <= F(kLargest<RealOf<F>>));
    const F end = select(is_finite, high, F(0));
    Approach<F> back =
        approach(origin + end * direction, -direction, F(0), reach, rounding, is_finite, apart);
    back.t = end - back.t;
    return back;
  }
}

/// A bound on the rounding of distances about a shape of that size, that far away.
template <class F, int D>
WIDEPHASE_INLINE F distance_rounding(const Vec<F, D>& origin, const F& size) {
  return roundings<F>(6) * (coordinate_size(origin) + size);
}

/// The ray in a shape's frame whose middle is at `center`.
template <class F, int D, class Turn>
struct LocalRay {
  Vec<F, D> origin;
  Vec<F, D> direction;
  WIDEPHASE_INLINE LocalRay(const Vec<F, D>& center, const Turn& turn, const Vec<F, D>& along)
      : origin(-rotate_back(turn, center)), direction(rotate_back(turn, along)) {}
  WIDEPHASE_INLINE Vec<F, D> at(const F& t) const { return origin + t * direction; }
};

}  // namespace
}  // namespace widephase
