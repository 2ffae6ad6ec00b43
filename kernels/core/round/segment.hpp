#pragma once

// Points and segments: closest points, and directions that keep their digits where the distance
// is near zero. Source: Ericson, Real-Time Collision Detection, 5.1.2 and 5.1.9.

#include "kernels/lanes/vec.hpp"

namespace widephase {
namespace {

/// Squared sine under which two segments count as parallel. Treating a pair either way changes the
/// depth by less than the sine times the length: 1e-6 of it (float), 1e-13 (double).
template <class F>
WIDEPHASE_INLINE F parallel_sin2() {
  return F(sizeof(RealOf<F>) == 4 ? RealOf<F>(1e-12) : RealOf<F>(1e-26));
}

/// Two points count as near if their squared distance is under this share of the squared length of
/// the shapes; then rounding is cleared from the gap between them. Beyond it, at 1% of the length,
/// the gap's direction is good to a hundred roundings. That moves the far end of a shape by under
/// 1e-5 of its length.
template <class F>
WIDEPHASE_INLINE F near2() {
  return F(RealOf<F>(1e-4));
}

/// A core stands on a plane, within 18 degrees of the normal, if the square of its rise is more
/// than this share of its squared length.
inline constexpr float kStandingShare = 0.9025f;

/// The smallest shared stretch that gives a second point, as a share of the side's length.
template <class F>
WIDEPHASE_INLINE F least_stretch() {
  return F(sizeof(RealOf<F>) == 4 ? RealOf<F>(1e-6) : RealOf<F>(1e-14));
}

/// In 3D a face counts as flush with what it touches if the gap is within this share of the shapes'
/// size. Then the face gives the points, even if an edge is nearer by as little.
template <class F>
WIDEPHASE_INLINE F flush_share() {
  return F(sizeof(RealOf<F>) == 4 ? RealOf<F>(8e-7) : RealOf<F>(8e-14));
}

/// A division that gives 0 if the divisor is 0.
template <class F>
WIDEPHASE_INLINE F divide_or_zero(const F& dividend, const F& divisor) {
  const auto is_zero = divisor == F(0);
  return select(is_zero, F(0), divide(dividend, select(is_zero, F(1), divisor)));
}

/// The t in [0, 1] at which a + t * along is nearest to `point`; 0 if the segment has no length.
/// `along2` is dot(along, along).
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

/// The same, but zero if only rounding noise of the subtraction is left. A rest little larger than
/// the noise has again a part along `along`, so that part is removed too.
template <class F, int D>
WIDEPHASE_INLINE Vec<F, D> cleared_of(const Vec<F, D>& v, const Vec<F, D>& along) {
  const F noise = roundings<F>(32);  // relative to `v`
  const F inverse2 = divide_or_zero(F(1), dot(along, along));
  const auto less = [&](const Vec<F, D>& w) { return w - (dot(w, along) * inverse2) * along; };
  const Vec<F, D> rest = less(v);
  return select(dot(rest, rest) <= (noise * noise) * dot(v, v), zero_vec<F, D>(), less(rest));
}

/// u x v, perpendicular to both within the rounding of a unit vector, however small their angle.
/// The rounding error of the cross product lies mostly along the longer vector; that part is
/// removed.
template <class F>
WIDEPHASE_INLINE Vec<F, 3> across_both(const Vec<F, 3>& u, const Vec<F, 3>& v) {
  const Vec<F, 3> n = cross(u, v);
  const F u2 = dot(u, u), v2 = dot(v, v);
  const auto is_u = u2 >= v2;
  const Vec<F, 3> longer = select(is_u, u, v);
  return n - divide_or_zero(dot(n, longer), select(is_u, u2, v2)) * longer;
}

/// A unit vector perpendicular to `along`; the first axis if `along` is zero. In 2D it is the
/// quarter turn to the left. In 3D it is also perpendicular to the axis of the smallest component.
template <class F>
WIDEPHASE_INLINE Vec<F, 2> any_perpendicular(const Vec<F, 2>& along) {
  const F size = length(along);
  const auto is_zero = size == F(0);
  return select(is_zero, first_axis<F, 2>(), perpendicular(along) / select(is_zero, F(1), size));
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

/// Parameters of the nearest points of two segments, and whether they cross.
template <class F>
struct SegmentParameters {
  F s;                    ///< on the first, 0 ... 1
  F t;                    ///< on the second
  MaskOf<F> is_crossing;  ///< both points are inside; the segments have length and are not parallel
};

/// Two segments, a + s * u and c + t * v, with their dot products.
template <class F, int D>
struct SegmentPair {
  Vec<F, D> u, v, w;  ///< w = c - a
  F uu, vv, uv, uw, vw;
  F inverse_uu, inverse_vv;  ///< 0 for a segment of no length

  WIDEPHASE_INLINE SegmentPair(const Vec<F, D>& a, const Vec<F, D>& b, const Vec<F, D>& c,
                               const Vec<F, D>& d)
      : SegmentPair(b - a, d - c, c - a) {}
  WIDEPHASE_INLINE SegmentPair(const Vec<F, D>& first, const Vec<F, D>& second,
                               const Vec<F, D>& between)
      : u(first),
        v(second),
        w(between),
        uu(dot(u, u)),
        vv(dot(v, v)),
        uv(dot(u, v)),
        uw(dot(u, w)),
        vw(dot(v, w)),
        inverse_uu(divide_or_zero(F(1), uu)),
        inverse_vv(divide_or_zero(F(1), vv)) {}

  /// The square of the rounding error of a distance between the two.
  WIDEPHASE_INLINE F touching2() const {
    const F share = roundings<F>(8);
    return (share * share) * ((uu + vv) + dot(w, w));
  }
};

/// Nearest points, starting from `on_line`, the parameter s of the lines' own nearest points.
/// Clamps s, projects to get t, and projects back to s if t was clamped (Ericson 5.1.9). The error
/// of s is the rounding divided by the sine of the angle. So the point is off across the other line
/// by no more than the rounding, however small the angle.
template <class F, int D>
WIDEPHASE_INLINE SegmentParameters<F> nearest_from(const SegmentPair<F, D>& pair, const F& on_line,
                                                   const MaskOf<F>& is_parallel) {
  const F zero = F(0), one = F(1);
  const F s_first = select(is_parallel, zero, clamp(on_line, zero, one));
  const F t_free = (s_first * pair.uv - pair.vw) * pair.inverse_vv;
  const F t = clamp(t_free, zero, one);
  const F s_again = clamp((t * pair.uv + pair.uw) * pair.inverse_uu, zero, one);
  const F s = select((t == t_free) & (pair.vv > zero), s_first, s_again);
  return {s, t, (s > zero) & (s < one) & (t > zero) & (t < one) & (!is_parallel)};
}

/// The squared area of the parallelogram of two vectors.
template <class F>
WIDEPHASE_INLINE F squared_area(const Vec<F, 2>& u, const Vec<F, 2>& v) {
  const F area = cross(u, v);
  return area * area;
}
template <class F>
WIDEPHASE_INLINE F squared_area(const Vec<F, 3>& u, const Vec<F, 3>& v) {
  const Vec<F, 3> n = cross(u, v);
  return dot(n, n);
}
template <class F>
WIDEPHASE_INLINE MaskOf<F> are_parallel(const F& squared_area, const F& uu, const F& vv) {
  return squared_area <= parallel_sin2<F>() * (uu * vv);
}

/// Nearest points of two segments. Segments that cross in 2D have distance 0.
template <class F>
WIDEPHASE_INLINE SegmentParameters<F> nearest_parameters(const SegmentPair<F, 2>& pair,
                                                         const MaskOf<F>& is_parallel) {
  const F area = cross(pair.u, pair.v);
  const F on_line = divide(cross(pair.w, pair.v), select(is_parallel, F(1), area));
  return nearest_from(pair, on_line, is_parallel);
}
template <class F>
WIDEPHASE_INLINE SegmentParameters<F> nearest_parameters(const SegmentPair<F, 3>& pair,
                                                         const MaskOf<F>& is_parallel) {
  const Vec<F, 3> n = cross(pair.u, pair.v);
  const F on_line = divide(dot(cross(pair.w, pair.v), n), select(is_parallel, F(1), dot(n, n)));
  return nearest_from(pair, on_line, is_parallel);
}

/// The gap between the nearest points of two segments in 3D. By construction it is perpendicular to
/// each segment whose nearest point is not an end, so it keeps its digits however short it is.
template <class F>
struct SegmentGap3 {
  SegmentParameters<F> at;
  Vec<F, 3> gap;  ///< from the second segment to the first
  F distance2;
  F inner;           ///< how many of the nearest points are not ends
  Vec<F, 3> across;  ///< perpendicular to both lines, in either sense
  MaskOf<F> is_parallel;
};

/// `between(is_far_a, is_far_b)` is the gap from an end of the second segment to an end of the
/// first. A mask selects the far end instead of the near one.
template <class F, class Between>
WIDEPHASE_INLINE SegmentGap3<F> gap_between(const SegmentPair<F, 3>& lines, Between&& between) {
  const F zero = F(0), one = F(1), half = F(0.5f);
  const Vec<F, 3> n = across_both(lines.u, lines.v);
  const F n2 = dot(n, n);
  const auto is_parallel = are_parallel(n2, lines.uu, lines.vv);
  const F on_line = divide(dot(cross(lines.w, lines.v), n), select(is_parallel, one, n2));
  const SegmentParameters<F> at = nearest_from(lines, on_line, is_parallel);
  const auto is_inner_s = (at.s > zero) & (at.s < one), is_inner_t = (at.t > zero) & (at.t < one);
  // Start from the ends nearer to the two points.
  const Vec<F, 3> start = between(at.s > half, at.t > half);
  const Vec<F, 3> along = select(is_inner_t, lines.v, lines.u);
  const F inverse = select(is_inner_t, lines.inverse_vv, lines.inverse_uu);
  const Vec<F, 3> beside = inverse * cross(cross(along, start), along);
  const F share = divide(dot(start, n), select(is_parallel, one, n2));
  const Vec<F, 3> gap =
      select(at.is_crossing, share * n, select(is_inner_s | is_inner_t, beside, start));
  const F inner = select(is_inner_s, one, zero) + select(is_inner_t, one, zero);
  return {at, gap, dot(gap, gap), inner, n, is_parallel};
}

}  // namespace
}  // namespace widephase
