#pragma once

// The core of an ellipsoid: what is left when the largest ball that rolls inside of it is taken
// away. An ellipsoid is its core plus this ball, as a capsule is a segment plus a ball. The ball's
// radius is the least radius of curvature, the square of the least half extent divided by the
// greatest. So a search has less to do the rounder the ellipsoid is; a ball's core is its middle.
// Source: Blaschke, Kreis und Kugel, 1916 (rolling); Schneider, Convex Bodies, theorem 3.2.12.

#include "kernels/core/round/segment.hpp"

namespace widephase {
namespace {

/// The operations that `EllipsoidCore` needs, for numbers in lanes.
template <class F>
struct LaneNumbers {
  using N = F;
  static WIDEPHASE_INLINE F root(const F& x) { return sqrt(x); }
  static WIDEPHASE_INLINE F ratio(const F& x, const F& y) { return divide_or_zero(x, y); }
  static WIDEPHASE_INLINE F least(const F& x, const F& y) { return lesser(x, y); }
  static WIDEPHASE_INLINE F most(const F& x, const F& y) { return greater(x, y); }
};
/// For single numbers.
template <class T>
struct SingleNumbers {
  using N = T;
  static WIDEPHASE_INLINE T root(T x) {
    if constexpr (sizeof(T) == 4) return __builtin_sqrtf(x);
    return __builtin_sqrt(x);
  }
  static WIDEPHASE_INLINE T ratio(T x, T y) { return y == 0 ? T(0) : x / y; }
  static WIDEPHASE_INLINE T least(T x, T y) { return y < x ? y : x; }
  static WIDEPHASE_INLINE T most(T x, T y) { return y > x ? y : x; }
};

template <class Numbers>
struct EllipsoidCore {
  using N = typename Numbers::N;
  N most;      ///< the greatest half extent; what follows is in units of it, or of its square
  N share[3];  ///< half extents
  N above[3];  ///< how far their squares are above the least one's
  N below[3];  ///< and below the greatest one's
  N ball;      ///< the ball's radius, the least square

  EllipsoidCore() = default;
  WIDEPHASE_INLINE explicit EllipsoidCore(const Vec<N, 3>& half)
      : most(Numbers::most(Numbers::most(half[0], half[1]), half[2])) {
    const N least = Numbers::least(Numbers::least(half[0], half[1]), half[2]);
    const N low = Numbers::ratio(least, most);
    for (int k = 0; k < 3; ++k) {
      share[k] = Numbers::ratio(half[k], most);
      // Differences before squares: nearly equal extents keep all digits.
      above[k] = Numbers::ratio(half[k] - least, most) * (share[k] + low);
      below[k] = Numbers::ratio(most - half[k], most) * (N(1) + share[k]);
    }
    ball = low * low;
  }
  /// The support point along a direction in the ellipsoid's frame, in that frame. The middle for a
  /// direction along which the ellipsoid has no extent.
  WIDEPHASE_INLINE Vec<N, 3> farthest(const Vec<N, 3>& local) const {
    N square = N(0), own = N(0), less = N(0);
    for (int k = 0; k < 3; ++k) {
      const N part = local[k] * local[k], by = share[k] * local[k];
      square = square + part;
      own = own + by * by;
      less = less + below[k] * part;
    }
    const N length = Numbers::root(square), height = Numbers::root(own);
    // The length less the height, without cancellation.
    const N lag = ball * Numbers::ratio(less, length + height);
    const N scale = Numbers::ratio(most, height * length);
    Vec<N, 3> point;
    for (int k = 0; k < 3; ++k) point[k] = (local[k] * (above[k] * length + lag)) * scale;
    return point;
  }
};

}  // namespace
}  // namespace widephase
