#pragma once

// The minimum translation of a cone that overlaps a segment, the core of a capsule, with pairs in
// lanes: the least of a complete list of directions.
//
// Frame: the scene's axes, with the segment's middle as the origin and h as its half. A direction n
// leads from the segment to the cone, whose axis from base to apex is u. Along n they overlap by
//   f(n) = |n.h| - n.m + max(radius |n - (n.u) u|, -height n.u)   with the base's middle m.
// A minimum above 0 is, as in core/smooth/cone_axes3.hpp, for a core without faces,
//   - the base's normal;
//   - where an end is below the cone's side, straight out through that;
//   - across the segment, where it crosses a line of the side: two directions;
//   - across the segment, where it crosses the rim: the feet of the rim's ellipse, seen along it.
//
// The same list tells whether the cores overlap. If they do not, one of these has f <= 0: a line
// that meets the cone beyond an end of the segment enters it through the base or the side, and the
// direction through which that end would leave has the rest of the segment on its far side. A line
// that misses the cone passes, seen along it, beside an ellipse and the two tangents from the apex.
//
// Not found are ties: directions within rounding of the least, or about which the depth hardly
// changes; cones that are flat or thin; segments as short as rounding; lines or faces that are
// level with one another.

#include "kernels/core/smooth/cone_edges.hpp"
#include "kernels/core/smooth/cone_points.hpp"

namespace widephase {
namespace {

/// A segment and a cone for `OppositePoints`, with directions in the scene's axes.
template <class F>
struct SegmentConePair {
  struct Frame {
    static constexpr int ends_a = 0;
  };
  MaskOf<F> is_swapped = F(1) < F(0);

  WIDEPHASE_INLINE const Vec<F, 3>& to_scene(const Vec<F, 3>& n) const { return n; }
};

/// The least direction of a list so far. One that another one reaches within `slack`, or about
/// which the depth hardly bends, is a tie.
template <class F>
struct LeastDirection {
  F slack;
  F overlap = F(kInfinite<RealOf<F>>);
  Vec<F, 3> n = zero_vec<F, 3>();
  F feature = F(0), is_tie = F(0);

  WIDEPHASE_INLINE void take(const MaskOf<F>& exists, const F& other, const Vec<F, 3>& direction,
                             RoundFeature of, const MaskOf<F>& is_flat) {
    using T = RealOf<F>;
    const auto is_better = exists & (other < overlap);
    const auto is_near =
        exists & (abs(other - overlap) <= slack) & (dot(direction, n) < F(T(0.999)));
    const auto is_lower = exists & (other < overlap - slack);
    const F before = select(is_lower, F(0), is_tie);
    is_tie = greater(before, one_where<F>(is_near | (is_better & is_flat)));
    overlap = select(is_better, other, overlap);
    n = select(is_better, direction, n);
    feature = select(is_better, F(static_cast<T>(of)), feature);
  }
};

template <class F>
class SegmentConeExits {
 public:
  using T = RealOf<F>;
  using Points = OppositePoints<F, SegmentConePair<F>>;

  explicit SegmentConeExits(const CorePair<F>& pair) : pair_(pair) {}

  /// Looks in the lanes of `asked`.
  __attribute__((noinline)) void find(unsigned asked, LaneCounter<F>& counter) {
    counter.add_step_of(asked);
    const LeastDirection<F> least = find_least();
    normal = least.n;
    depth = least.overlap;
    feature = least.feature;
    const F rounding = roundings<F>(32) * size_;
    apart = asked & mask_bits(least.overlap < negate(rounding));
    const unsigned open =
        asked & is_even_ & mask_bits((least.overlap > rounding) & !(least.is_tie > F(0)));
    found = 0;
    if (open != 0) settle(open);
  }

  /// Lanes whose cores overlap, and whose points along the direction are known; lanes whose cores
  /// are surely apart, with an upper bound of the depth.
  unsigned found = 0, apart = 0;
  Vec<F, 3> normal, on_a, on_b;
  F depth;
  F feature;               ///< a `RoundFeature`; the segment is A, and an end of it a rim
  F feature_a, feature_b;  ///< those of the contact

 private:
  __attribute__((noinline)) LeastDirection<F> find_least() {
    const F zero = F(0), one = F(1);
    const Vec<F, 3>& h = pair_.a.axis[0];
    const Vec<F, 3>& u = pair_.b.shape.turn.column[2];
    const Vec<F, 3>& apart_by = pair_.apart;
    const F &radius = pair_.b.shape.half[0], &half = pair_.b.shape.half[2], height = half + half;
    const F reach = length(h), side = sqrt(radius * radius + height * height);
    const F level = divide_or_zero(radius, side), wide = divide_or_zero(height, side);
    size_ = ((radius + height) + reach) + coordinate_size(apart_by);
    // At other scales fourth powers of lengths vanish or overflow.
    constexpr T kMostExtent = static_cast<T>(sizeof(T) == 4 ? 1e8 : 1e70);
    const F thin = F(T(0x1p-5)), slack = roundings<F>(4) * size_;
    is_even_ =
        mask_bits((radius > thin * side) & (height > thin * side) & (size_ < F(kMostExtent)) &
                  (side > F(T(1) / kMostExtent)) & (reach > F(64) * slack));
    const auto all = zero == zero, none = one < zero;

    LeastDirection<F> least{slack};
    const F along = dot(u, h);
    least.take(all, abs(along) + (half - dot(u, apart_by)), u, RoundFeature::cap_b, none);

    const Vec<F, 3> apex = apart_by + half * u;
    for (const F& end : {F(-1), one}) {
      const Vec<F, 3> vertex = end * h, to = apex - vertex;
      const F up = dot(to, u);
      const Vec<F, 3> once = to - up * u, aside = once - dot(once, u) * u;
      const F distance = length(aside);
      const Vec<F, 3> n = divide_or_zero(wide, distance) * aside - level * u;
      const F beyond = greater(F(-2) * dot(n, vertex), zero);
      // About the axis the depth bends by the distance.
      const auto is_flat = !(F(kTurnedShare<T>) * (wide * distance) > slack);
      least.take(all, (level * up - wide * distance) + beyond, n, RoundFeature::rim_side, is_flat);
    }
    take_across(least, divide_or_zero(one, reach) * h, apart_by - half * u);
    return least;
  }

  /// The directions across the segment. x is the part of u across it.
  WIDEPHASE_INLINE void take_across(LeastDirection<F>& least, const Vec<F, 3>& e,
                                    const Vec<F, 3>& base) const {
    const F zero = F(0), one = F(1);
    const Vec<F, 3>& u = pair_.b.shape.turn.column[2];
    const F &radius = pair_.b.shape.half[0], &half = pair_.b.shape.half[2], height = half + half;
    const F level = divide_or_zero(radius, sqrt(radius * radius + height * height));
    const F cosine = dot(u, e);
    const Vec<F, 3> once = u - cosine * e, across = once - dot(once, e) * e;
    const F sine = length(across);
    const auto is_astray = sine > roundings<F>(16);
    // Along the axis any direction across will do.
    const auto is_steep = abs(e[0]) < F(0.6f);
    const Vec<F, 3> any_across{{select(is_steep, zero, negate(e[2])), select(is_steep, e[2], zero),
                                select(is_steep, negate(e[1]), e[0])}};
    const Vec<F, 3> beside = select(is_astray, across, any_across);
    const Vec<F, 3> x = divide_or_zero(one, length(beside)) * beside, y = cross(e, x);
    const F qx = negate(dot(base, x)), qy = negate(dot(base, y)), of_apex = qx - height * sine;
    const F flat = (radius * sine) * (radius * sine);
    const Ellipse<F> rim{qx, qy, radius, radius * abs(cosine), flat};
    const auto take = [&](const MaskOf<F>& exists, const F& nx, const F& ny, const F& by_rim,
                          RoundFeature of, const MaskOf<F>& is_flat) {
      // Whatever is foremost counts, so that no answer is too low.
      least.take(exists, greater(by_rim, of_apex * nx + qy * ny), nx * x + ny * y, of, is_flat);
    };
    const F crossing = negate(divide_or_zero(level, sine));
    const auto crosses = is_astray & (crossing >= F(-1));
    const F rest = sqrt(greater((one - crossing) * (one + crossing), zero));
    for (const F& ny : {rest, negate(rest)}) {
      take(crosses, crossing, ny, rim.overlap(crossing, ny), RoundFeature::sides, one < zero);
    }
    const F near = roundings<F>(32);
    const auto is_on_rim = [&](const PlaneExit<F>& at) {
      return at.exists & (at.x * sine >= negate(level + near));
    };
    const auto take_foot = [&](const PlaneExit<F>& at) {
      const F out = rim.reach(at.x, at.y), ab = rim.a * rim.b;
      const F bend = divide_or_zero(ab * ab, out * (out * out)) - at.overlap;
      const auto is_flat = F(kTurnedShare<T>) * bend <= least.slack;
      take(is_on_rim(at), at.x, at.y, at.overlap, RoundFeature::side_rim, is_flat);
    };
    take_foot(rim.find_nearest(zero == zero));
    take_foot(rim.find_beyond(zero == zero));
  }

  /// Finds the points that are opposite one another along the directions, and their features.
  __attribute__((noinline)) void settle(unsigned open) {
    const Points points(SegmentConePair<F>{}, {normal, feature}, pair_.a.shape, pair_.b.shape,
                        pair_.apart);
    const auto is_settled = lanes_of<F>(open) & (points.depth > points.rounding) &
                            (points.depth <= depth + points.rounding) &
                            (points.off <= points.rounding) & !points.is_several;
    found = mask_bits(is_settled);
    const F zero = F(0);
    normal = select(is_settled, points.normal, normal);
    depth = select(is_settled, points.depth, depth);
    on_a = points.on_a;
    on_b = points.on_b;
    feature_a = select(points.is_line_a, edge_feature(zero),
                       vertex_feature(one_where<F>(points.a.is_upper)));
    feature_b = points.b.feature_at(on_b, points.rounding);
    put_crossing(points);
  }

  /// Where lines cross, the point and its features are those of `put_edges`.
  WIDEPHASE_INLINE void put_crossing(const Points& points) {
    const F zero = F(0), one = F(1), slack = flush_slack_lanes(points.size);
    const Vec<F, 3> along_a = points.a.line + points.a.line, from_a = -points.a.line;
    const Vec<F, 3> along_b = points.b.line + points.b.line,
                    from_b = points.b.middle - points.b.line;
    const Vec<F, 3> to_b = (pair_.apart + from_b) - from_a, across = cross(along_a, along_b);
    const F a2 = dot(along_a, along_a), b2 = dot(along_b, along_b), area = dot(across, normal);
    const F t = divide_or_zero(dot(cross(to_b, along_b), normal), area);
    const F s = divide_or_zero(dot(t * along_a - to_b, along_b), b2);
    const auto is_beside = [&](const F& at, const F& length2) {
      const F beyond = greater(negate(at), at - one);
      return (beyond > zero) & ((beyond * beyond) * length2 > slack * slack);
    };
    const auto crosses = points.a.is_line_level(slack) & points.b.is_line_level(slack) &
                         (dot(across, across) > (slack * slack) * a2) & !(area == zero) &
                         !(is_beside(t, a2) | is_beside(s, b2));
    const auto feature_at = [&](const F& at, const F& length2, const F& first) {
      const F from_end = divide_or_zero(slack, sqrt(length2));
      return select(at <= from_end, vertex_feature(first),
                    select(at >= one - from_end, vertex_feature(first + one), edge_feature(first)));
    };
    feature_a = select(crosses, feature_at(t, a2, zero), feature_a);
    feature_b = select(crosses, feature_at(s, b2, F(static_cast<T>(kSideLine))), feature_b);
    on_a = select(crosses, from_a + clamp(t, zero, one) * along_a, on_a);
    on_b = select(crosses, (on_a - depth * normal) - pair_.apart, on_b);
  }

  const CorePair<F>& pair_;
  F size_;
  unsigned is_even_ = 0;
};

}  // namespace
}  // namespace widephase
