#pragma once

// Points and edges beside a cone, in lanes and in the cone's frame. The distance from a point has a
// closed form. Along an edge its square is convex, with a slope that is continuous, so Newton's
// steps within bounds find where it is least.

#include "kernels/core/support/convex.hpp"

namespace widephase {
namespace {

/// A cone with its sides' normal, and points in its own frame beside it.
template <class F>
struct ConeBeside {
  using T = RealOf<F>;
  F radius, half;
  F side_r,
      side_z;  ///< the side's outward unit normal, across the axis and along it
  F length;    ///< of the side

  WIDEPHASE_INLINE explicit ConeBeside(const ConvexLanes<F>& cone)
      : radius(cone.half[0]), half(cone.half[2]) {
    // Divided by the longer one first, so that no square overflows or vanishes.
    const F zero = F(0), longer = greater(radius, half + half);
    const F wide = divide_or_zero(radius, longer), high = divide_or_zero(half + half, longer);
    const F size = sqrt(wide * wide + high * high);
    side_r = select(size > zero, divide_or_zero(high, size), F(1));
    side_z = divide_or_zero(wide, size);
    length = longer * size;
  }
};

/// A point beside a cone, in the cone's frame: the gap to it, and what is
/// nearest there.
template <class F>
struct BesideCone {
  F r, gap_r, gap_z;
  MaskOf<F> is_apex, is_rim, is_under, is_within;

  WIDEPHASE_INLINE BesideCone(const ConeBeside<F>& cone, const Vec<F, 3>& at)
      : r(sqrt(at[0] * at[0] + at[1] * at[1])) {
    const F zero = F(0), from_apex = at[2] - cone.half, z = at[2] + cone.half;
    const F above = r * cone.side_r + from_apex * cone.side_z;
    const F down = r * cone.side_z - from_apex * cone.side_r;
    is_under = (z < zero) & (r <= cone.radius);
    is_within = (z >= zero) & (from_apex <= zero) & (r <= cone.radius) & !(above > zero);
    is_apex = (down < zero) & !is_under;
    is_rim = (down > cone.length) & !is_under;
    gap_r = select(is_apex, r, select(is_rim, r - cone.radius, above * cone.side_r));
    gap_z = select(is_apex, from_apex, select(is_rim, z, above * cone.side_z));
    gap_r = select(is_under | is_within, zero, gap_r);
    gap_z = select(is_under, z, select(is_within, zero, gap_z));
  }
};

/// The place on an edge that is nearest to a cone, both in the cone's frame.
template <class F>
struct EdgeBesideCone {
  using T = RealOf<F>;
  static constexpr int kMostSteps = sizeof(T) == 4 ? 12 : 16;
  F at;  ///< in halves from the middle, from -1 to 1

  /// The edge's middle and half; `start` is a place near the nearest one.
  WIDEPHASE_INLINE
  EdgeBesideCone(const ConeBeside<F>& cone, const Vec<F, 3>& middle, const Vec<F, 3>& half,
                 const F& start, MaskOf<F> is_open)
      : at(start) {
    const F zero = F(0), one = F(1), done = F(sizeof(T) == 4 ? T(1e-4) : T(1e-8));
    F low = F(T(-1.5)), high = F(T(1.5));
    for (int step = 0; step < kMostSteps && any<F>(is_open); ++step) {
      const Vec<F, 3> point = middle + at * half;
      const BesideCone<F> beside(cone, point);
      const F inverse = divide_or_zero(one, beside.r);
      const F half_r = (point[0] * half[0] + point[1] * half[1]) * inverse;
      const F turned = (point[0] * half[1] - point[1] * half[0]) * inverse;
      const F slope = beside.gap_r * half_r + beside.gap_z * half[2];
      const F along = cone.side_r * half_r + cone.side_z * half[2];
      const F across = select(beside.is_under | beside.is_within, zero, half_r);
      const F bend = select(beside.is_apex | beside.is_rim | beside.is_under,
                            across * across + half[2] * half[2], along * along) +
                     (beside.gap_r * inverse) * (turned * turned);
      const auto is_high = slope > zero;
      high = select(is_high, at, high);
      low = select(is_high, low, at);
      const F newton = clamp(at - divide_or_zero(slope, bend), F(-1), one);
      const auto is_between = (newton > low) & (newton < high);
      const F middle_of = clamp(F(0.5f) * (low + high), F(-1), one);
      const F next = select(is_between, newton, middle_of);
      const F moved = abs(next - at);
      is_open = is_open & !(slope == zero);
      at = select(is_open, next, at);
      is_open = is_open & (moved > done);
    }
  }
};

}  // namespace
}  // namespace widephase
