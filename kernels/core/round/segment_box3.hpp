#pragma once

// A segment and a box in 3D, in the box's frame: finds the segment's nearest point. The derivative
// of the squared distance along the segment is monotone, and linear between the crossings of the
// box's planes.

#include "kernels/core/round/segment.hpp"

namespace widephase {
namespace {

/// The parameter of the segment's point nearest to an axis-aligned box; the middle if many are
/// nearest. `at_min` and `at_max` are the parameters at the box's planes.
template <class F>
WIDEPHASE_INLINE F nearest_to_box(const Vec<F, 3>& start, const Vec<F, 3>& end, const Vec<F, 3>& u,
                                  const Vec<F, 3>& min, const Vec<F, 3>& max,
                                  const Vec<F, 3>& at_min, const Vec<F, 3>& at_max) {
  constexpr int D = 3;
  const F zero = F(0), one = F(1);
  // Half the derivative of the squared distance.
  // The planes are moved outward by the rounding error of a point on the segment. At a crossing of
  // a plane that axis must add nothing; otherwise noise outweighs the slopes of a nearly level
  // segment.
  Vec<F, D> low_plane, high_plane;
  for (int k = 0; k < D; ++k) {
    const F size = greater(abs(u[k]), greater(abs(min[k]), abs(max[k])));
    const F rounding = roundings<F>(8) * size;
    low_plane[k] = min[k] - rounding;
    high_plane[k] = max[k] + rounding;
  }
  const auto slope_at = [&](const Vec<F, D>& p) __attribute__((always_inline)) {
    return dot(
        u, each_axis<F, D>([&](int k) { return p[k] - clamp(p[k], low_plane[k], high_plane[k]); }));
  };
  const auto slope = [&](const F& t) __attribute__((always_inline)) {
    return slope_at(start + t * u);
  };
  const F slope_start = slope_at(start), slope_end = slope_at(end);
  F low = zero, low_slope = slope_start;  // the last parameter known with slope <= 0
  F high = one, high_slope = slope_end;   // the first with slope >= 0
  const auto consider = [&](const F& unclamped) __attribute__((always_inline)) {
    const F t = clamp(unclamped, zero, one);
    const F value = slope(t);
    const auto is_low = (value <= zero) & (t > low);
    low = select(is_low, t, low);
    low_slope = select(is_low, value, low_slope);
    const auto is_high = (value >= zero) & (t < high);
    high = select(is_high, t, high);
    high_slope = select(is_high, value, high_slope);
  };
  for (int k = 0; k < D; ++k) {
    consider(at_min[k]);
    consider(at_max[k]);
  }
  const F rise = high_slope - low_slope;
  const F between =
      select(rise > zero, low + (high - low) * divide_or_zero(negate(low_slope), rise),
             F(0.5f) * (low + high));
  return select(slope_start > zero, zero, select(slope_end < zero, one, clamp(between, zero, one)));
}

}  // namespace
}  // namespace widephase
