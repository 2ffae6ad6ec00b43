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

/// The nearest of four endpoint-segment candidates: distances are compared between real points,
/// so that no answer is worse than its own rounding, however nearly parallel the segments are.
/// Ties go to the first candidate: a's end, b's, c's, d's.
template <class F, int D>
WIDEPHASE_INLINE SegmentParameters<F> nearest_ends(const Vec<F, D>& a, const Vec<F, D>& b,
                                                   const Vec<F, D>& c, const Vec<F, D>& d,
                                                   F& distance2) {
  const Vec<F, D> u = b - a, v = d - c;
  const F uu = dot(u, u), vv = dot(v, v);
  const F zero = F(0), one = F(1);
  SegmentParameters<F> best{zero, closest_parameter(a, c, v, vv), zero != zero};
  Vec<F, D> apart = point_at(c, d, best.t) - a;
  distance2 = dot(apart, apart);
  const auto consider = [&](const F& s, const F& t, const Vec<F, D>& between) {
    const F candidate = dot(between, between);
    const auto is_better = candidate < distance2;
    distance2 = select(is_better, candidate, distance2);
    best.s = select(is_better, s, best.s);
    best.t = select(is_better, t, best.t);
  };
  const F t_b = closest_parameter(b, c, v, vv);
  consider(one, t_b, point_at(c, d, t_b) - b);
  const F s_c = closest_parameter(c, a, u, uu);
  consider(s_c, zero, c - point_at(a, b, s_c));
  const F s_d = closest_parameter(d, a, u, uu);
  consider(s_d, one, d - point_at(a, b, s_d));
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

/// Nearest points of segments a-b and c-d in 3D.
template <class F>
WIDEPHASE_INLINE SegmentParameters<F> nearest_parameters(const Vec<F, 3>& a, const Vec<F, 3>& b,
                                                         const Vec<F, 3>& c, const Vec<F, 3>& d) {
  F distance2;
  SegmentParameters<F> best = nearest_ends(a, b, c, d, distance2);
  const Vec<F, 3> u = b - a, v = d - c, w = c - a;
  const Vec<F, 3> n = cross(u, v);
  const F nn = dot(n, n);
  const auto is_parallel = nn <= parallel_sin2<F>() * (dot(u, u) * dot(v, v));
  const F s = divide_or_zero(dot(cross(w, v), n), nn);
  const F t = divide_or_zero(dot(cross(w, u), n), nn);
  const auto is_inside =
      (s > F(0)) & (s < F(1)) & (t > F(0)) & (t < F(1)) & !is_parallel;
  best.s = select(is_inside, s, best.s);
  best.t = select(is_inside, t, best.t);
  best.is_crossing = is_inside;
  return best;
}

/// The same in 2D, where segments that cross have distance 0.
template <class F>
WIDEPHASE_INLINE SegmentParameters<F> nearest_parameters(const Vec<F, 2>& a, const Vec<F, 2>& b,
                                                         const Vec<F, 2>& c, const Vec<F, 2>& d) {
  F distance2;
  SegmentParameters<F> best = nearest_ends(a, b, c, d, distance2);
  const Vec<F, 2> u = b - a, v = d - c, w = c - a;
  const F area = cross(u, v);
  const auto is_parallel = area * area <= parallel_sin2<F>() * (dot(u, u) * dot(v, v));
  const F s = divide_or_zero(cross(w, v), area);
  const F t = divide_or_zero(cross(w, u), area);
  const auto is_inside =
      (s >= F(0)) & (s <= F(1)) & (t >= F(0)) & (t <= F(1)) & !is_parallel;
  best.s = select(is_inside, s, best.s);
  best.t = select(is_inside, t, best.t);
  best.is_crossing = is_inside;
  return best;
}

}  // namespace
}  // namespace widephase
