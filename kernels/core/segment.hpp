#pragma once

// Points and segments: closest points, and directions that keep their digits where the distance
// is near zero. Source: Ericson, Real-Time Collision Detection, 5.1.2 and 5.1.9.

#include "lanes/vec.hpp"

namespace widephase {
namespace {

/// Squared sine of the angle under which two segments count as parallel. A pair on either side
/// of it differs in depth by less than the sine times the length: 1e-6 (float), 1e-13 (double).
template <class F>
WIDEPHASE_INLINE F parallel_sin2() {
  return F(sizeof(RealOf<F>) == 4 ? RealOf<F>(1e-12) : RealOf<F>(1e-26));
}

/// Squared share of the shapes' size under which two points count as near, and the way between
/// them is cleared of rounding: its direction is good to about the rounding over this share, and
/// what that costs in depth is its square.
template <class F>
WIDEPHASE_INLINE F near2() {
  return F(RealOf<F>(1e-6));
}

/// A division that gives 0 for 0 / 0 and x / 0.
template <class F>
WIDEPHASE_INLINE F divide_or_zero(const F& dividend, const F& divisor) {
  const auto is_zero = divisor == F(0);
  return select(is_zero, F(0), dividend / select(is_zero, F(1), divisor));
}

/// The parameter of the point of a + t * along nearest to `point`, t in [0, 1]; 0 for a segment
/// of no length. `along2` is dot(along, along).
template <class F, int D>
WIDEPHASE_INLINE F closest_parameter(const Vec<F, D>& point, const Vec<F, D>& a,
                                     const Vec<F, D>& along, const F& along2) {
  return clamp(divide_or_zero(dot(point - a, along), along2), F(0), F(1));
}

/// a + t * (b - a), exact at both ends.
template <class F, int D>
WIDEPHASE_INLINE Vec<F, D> point_at(const Vec<F, D>& a, const Vec<F, D>& b, const F& t) {
  const Vec<F, D> between = a + t * (b - a);
  return select(t >= F(1), b, between);
}

/// `v` without its part along `along`.
template <class F, int D>
WIDEPHASE_INLINE Vec<F, D> without(const Vec<F, D>& v, const Vec<F, D>& along) {
  return v - divide_or_zero(dot(v, along), dot(along, along)) * along;
}

/// A unit vector perpendicular to `along`, and the first axis where `along` is zero: in 2D the
/// quarter turn to the left, in 3D across the axis of the least component.
template <class F>
WIDEPHASE_INLINE Vec<F, 2> any_perpendicular(const Vec<F, 2>& along) {
  const F size = length(along);
  const auto is_zero = size == F(0);
  return select(is_zero, first_axis<F, 2>(),
                perpendicular(along) / select(is_zero, F(1), size));
}
template <class F>
WIDEPHASE_INLINE Vec<F, 3> any_perpendicular(const Vec<F, 3>& along) {
  const F x = abs(along[0]), y = abs(along[1]), z = abs(along[2]);
  const auto is_x = (x <= y) & (x <= z);
  const auto is_y = y <= z;
  const F zero = F(0);
  const Vec<F, 3> across_x{{zero, along[2], negate(along[1])}};
  const Vec<F, 3> across_y{{negate(along[2]), zero, along[0]}};
  const Vec<F, 3> across_z{{along[1], negate(along[0]), zero}};
  const Vec<F, 3> across = select(is_x, across_x, select(is_y, across_y, across_z));
  const F size = length(across);
  const auto is_zero = size == zero;
  return select(is_zero, first_axis<F, 3>(), across / select(is_zero, F(1), size));
}

/// Parameters of the nearest points of two segments, and what kind of answer it is.
template <class F>
struct SegmentParameters {
  F s;                     ///< on the first, 0 ... 1
  F t;                     ///< on the second
  MaskOf<F> is_crossing;  ///< inside both, neither of no length, not parallel
};

/// Two segments, a + s * u and c + t * v, with their products.
template <class F, int D>
struct SegmentPair {
  Vec<F, D> u, v, w;  ///< w = c - a
  F uu, vv, uv, uw, vw;
  F inverse_uu, inverse_vv;  ///< 0 for a segment of no length

  WIDEPHASE_INLINE SegmentPair(const Vec<F, D>& a, const Vec<F, D>& b, const Vec<F, D>& c,
                               const Vec<F, D>& d)
      : u(b - a), v(d - c), w(c - a), uu(dot(u, u)), vv(dot(v, v)), uv(dot(u, v)), uw(dot(u, w)),
        vw(dot(v, w)), inverse_uu(divide_or_zero(F(1), uu)), inverse_vv(divide_or_zero(F(1), vv)) {}
};

/// The nearest of four endpoint-segment candidates: distances are compared between points, so that
/// no answer is worse than its own rounding, however nearly parallel the segments are. Ties go to
/// the first candidate: a's end, b's, c's, d's.
template <class F, int D>
WIDEPHASE_INLINE SegmentParameters<F> nearest_ends(const SegmentPair<F, D>& pair) {
  const F zero = F(0), one = F(1);
  SegmentParameters<F> best{zero, clamp(negate(pair.vw) * pair.inverse_vv, zero, one),
                            zero != zero};
  const Vec<F, D> first = pair.w + best.t * pair.v;
  F distance2 = dot(first, first);
  const auto consider = [&](const F& s, const F& t, const Vec<F, D>& between) {
    const F candidate = dot(between, between);
    const auto is_better = candidate < distance2;
    distance2 = lesser(distance2, candidate);
    best.s = select(is_better, s, best.s);
    best.t = select(is_better, t, best.t);
  };
  const F t_b = clamp((pair.uv - pair.vw) * pair.inverse_vv, zero, one);
  consider(one, t_b, (pair.w - pair.u) + t_b * pair.v);
  const F s_c = clamp(pair.uw * pair.inverse_uu, zero, one);
  consider(s_c, zero, pair.w - s_c * pair.u);
  const F s_d = clamp((pair.uw + pair.uv) * pair.inverse_uu, zero, one);
  consider(s_d, one, (pair.w + pair.v) - s_d * pair.u);
  return best;
}

template <class F>
WIDEPHASE_INLINE MaskOf<F> are_parallel(const Vec<F, 2>& u, const Vec<F, 2>& v, const F& uu,
                                        const F& vv) {
  const F area = cross(u, v);
  return area * area <= parallel_sin2<F>() * (uu * vv);
}
template <class F>
WIDEPHASE_INLINE MaskOf<F> are_parallel(const Vec<F, 3>& u, const Vec<F, 3>& v, const F& uu,
                                        const F& vv) {
  const Vec<F, 3> n = cross(u, v);
  return dot(n, n) <= parallel_sin2<F>() * (uu * vv);
}

/// Nearest points of two segments in 3D. The lines' own parameter s is taken from cross products:
/// its error is the rounding over the sine of the angle, so that the point is off across the other
/// line by the rounding alone, however small the angle.
template <class F>
WIDEPHASE_INLINE SegmentParameters<F> nearest_parameters(const SegmentPair<F, 3>& pair,
                                                         const Vec<F, 3>& n, const F& nn) {
  const F zero = F(0), one = F(1);
  const auto is_parallel = nn <= parallel_sin2<F>() * (pair.uu * pair.vv);
  const F on_line = dot(cross(pair.w, pair.v), n) / select(is_parallel, one, nn);
  const F s_first = select(is_parallel, zero, clamp(on_line, zero, one));
  const F t_free = (s_first * pair.uv - pair.vw) * pair.inverse_vv;
  const F t = clamp(t_free, zero, one);
  const F s = select(t == t_free, s_first,
                     clamp((t * pair.uv + pair.uw) * pair.inverse_uu, zero, one));
  return {s, t, (s > zero) & (s < one) & (t > zero) & (t < one) & (!is_parallel)};
}
template <class F>
WIDEPHASE_INLINE SegmentParameters<F> nearest_parameters(const SegmentPair<F, 3>& pair) {
  const Vec<F, 3> n = cross(pair.u, pair.v);
  return nearest_parameters(pair, n, dot(n, n));
}

/// The same in 2D, where segments that cross have distance 0.
template <class F>
WIDEPHASE_INLINE SegmentParameters<F> nearest_parameters(const SegmentPair<F, 2>& pair) {
  SegmentParameters<F> best = nearest_ends(pair);
  const F area = cross(pair.u, pair.v);
  const auto is_parallel = area * area <= parallel_sin2<F>() * (pair.uu * pair.vv);
  const F s = divide_or_zero(cross(pair.w, pair.v), area);
  const F t = divide_or_zero(cross(pair.w, pair.u), area);
  best.is_crossing = (s >= F(0)) & (s <= F(1)) & (t >= F(0)) & (t <= F(1)) & !is_parallel;
  best.s = select(best.is_crossing, s, best.s);
  best.t = select(best.is_crossing, t, best.t);
  return best;
}

}  // namespace
}  // namespace widephase
