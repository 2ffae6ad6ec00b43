#pragma once

#include "kernels/core/round/ball.hpp"

namespace widephase {
namespace {

// capsule_capsule in 3D: the nearest points of the cores.
// Normal: A to B. Points: 1; 2 at the ends of the interval that parallel cores share.
// Features: ends and sides.
// If the cores cross inside both, the normal is the cross product of their axes, status 1 (both
// ways along it are equally long). Cores that touch otherwise take the cross product too. If those
// are parallel, the normal is perpendicular to A's core (to B's if A has no length, the first axis
// if neither has), status 1.
// Cost: 2 sqrt and about 20 divisions per lane.
template <class F>
struct CapsuleCapsule3 {
  static constexpr int D = 3;
  using A = CapsuleLanes<F, 3>;
  using B = CapsuleLanes<F, 3>;
  static constexpr int max_points = 2;

  static WIDEPHASE_INLINE Manifold<F, 3, 2> contact(const A& a, const B& b, const F& margin) {
    const F zero = F(0), one = F(1);
    const SegmentPair<F, 3> pair(a.a, a.b, b.a, b.b);
    const Vec<F, 3>&u = pair.u, &v = pair.v;
    Vec<F, 3> n = cross(u, v);
    const F nn = dot(n, n);
    const auto is_parallel = are_parallel(nn, pair.uu, pair.vv);
    const SegmentParameters<F> at = nearest_parameters(pair, is_parallel);
    const Vec<F, 3> on_a = point_at(a.a, a.b, at.s), on_b = point_at(b.a, b.b, at.t);

    Vec<F, 3> apart = on_b - on_a;
    const F apart2 = dot(apart, apart);
    // If the gap is more than 2% of the length, its direction is accurate to 50 roundings.
    const F near2 = F(0.0004f);
    const auto is_near = apart2 <= near2 * (pair.uu + pair.vv);
    // If the cores cross inside both, the normal is the cross product, which stays accurate however
    // close they are. Elsewhere the normal is the gap between the points.
    const F level2 = F(0.01f);  // squared sine above which the product loses at most one digit
    const auto is_level = (at.is_crossing | is_near) & (nn <= level2 * (pair.uu * pair.vv));
    if (any<F>(is_level)) n = select(is_level, across_both(u, v), n);
    const F height = dot(pair.w, n);
    Vec<F, 3> toward = select(height < zero, -n, n);
    if (any<F>(is_near & !at.is_crossing)) {
      apart = select(is_near, farthest_gap(pair, toward, is_parallel, at, apart), apart);
      const Vec<F, 3> across = any_perpendicular(select(pair.uu > zero, u, v));
      toward = select(is_parallel, across, toward);
    }
    // Points that are closer to one another than their rounding have no gap between them.
    const auto is_touching = (dot(apart, apart) == zero) | (apart2 <= pair.touching2());
    const auto is_along_cross = at.is_crossing | is_touching;
    const Vec<F, 3> gap = select(is_along_cross, toward, apart);
    const F size = length(gap);
    const Vec<F, 3> normal = gap / select(size > zero, size, one);
    const F distance = select(at.is_crossing, divide(abs(height), select(size > zero, size, one)),
                              select(is_touching, zero, size));

    Manifold<F, 3, 2> manifold;
    const F reach = a.radius + b.radius;
    manifold.normal = normal;
    manifold.depth = reach - distance;
    manifold.is_tie = one_where<F>(distance == zero);

    ManifoldPoint<F, 3>& first = manifold.points[0];
    ManifoldPoint<F, 3>& second = manifold.points[1];
    first = {on_a + a.radius * normal,
             manifold.depth,
             {capsule_feature(at.s), capsule_feature(at.t)},
             one};
    second = first;
    second.exists = zero;

    // The interval that parallel cores share, in A's parameter.
    const F start = pair.uw * pair.inverse_uu;
    const F end = (pair.uw + pair.uv) * pair.inverse_uu;
    const F low = greater(lesser(start, end), zero);
    const F high = lesser(greater(start, end), one);
    const auto is_stretch = is_parallel & (pair.vv > zero) & (high > low) & !at.is_crossing;
    if (any<F>(is_stretch)) {
      const auto point_on_stretch = [&](const F& s) __attribute__((always_inline)) {
        const F t = clamp(divide_or_zero(s - start, end - start), zero, one);
        const F t_exact = select(s == start, zero, select(s == end, one, t));
        const Vec<F, 3> core_a = point_at(a.a, a.b, s), core_b = point_at(b.a, b.b, t_exact);
        const F depth = reach - dot(core_b - core_a, normal);
        return ManifoldPoint<F, 3>{
            core_a + a.radius * normal, depth, {capsule_feature(s), capsule_feature(t_exact)}, one};
      };
      ManifoldPoint<F, 3> point_low = point_on_stretch(low);
      ManifoldPoint<F, 3> point_high = point_on_stretch(high);
      // The deeper point has the pair's depth, to the bit.
      const auto is_low_deeper = point_low.depth >= point_high.depth;
      point_low.depth =
          select(is_low_deeper, manifold.depth, lesser(point_low.depth, manifold.depth));
      point_high.depth =
          select(is_low_deeper, lesser(point_high.depth, manifold.depth), manifold.depth);
      point_low.exists = one_where<F>(point_low.depth >= negate(margin));
      point_high.exists = one_where<F>(point_high.depth >= negate(margin));
      first = select(is_stretch, point_low, first);
      second = select(is_stretch, point_high, second);
      sort_points(manifold.points);
    }
    return manifold;
  }

 private:
  /// The separation along any direction is at most the cores' distance, and along the nearest
  /// points' gap it is exactly that. If the cores nearly touch, the difference of two points has
  /// lost its direction. If they are nearly parallel, rounding also hides which features are
  /// nearest. So this compares the gaps of all these features and takes the one with the greatest
  /// separation.
  static __attribute__((noinline)) Vec<F, 3> farthest_gap(const SegmentPair<F, 3>& pair,
                                                          const Vec<F, 3>& across_cores,
                                                          const MaskOf<F>& is_parallel,
                                                          const SegmentParameters<F>& at,
                                                          const Vec<F, 3>& apart) {
    const F zero = F(0), one = F(1);
    const auto separation = [&](const Vec<F, 3>& gap) __attribute__((always_inline)) {
      const F size = length(gap);
      const F low = dot(gap, pair.w) + lesser(dot(gap, pair.v), zero);
      const F high = greater(dot(gap, pair.u), zero);
      return divide(low - high, select(size > zero, size, one));
    };
    Vec<F, 3> best = cleared(pair.u, pair.v, is_parallel, at, apart);
    F greatest = separation(best);
    // Takes another gap only if it separates more by more than rounding.
    const F least_gain = sqrt(pair.touching2());
    const F distance = length(apart);
    const auto consider = [&](const Vec<F, 3>& gap) __attribute__((always_inline)) {
      const F found = separation(gap);
      const auto is_better = found > greatest + least_gain;
      const F size = length(gap);
      best = select(is_better, divide(distance, select(size > zero, size, one)) * gap, best);
      greatest = select(is_better, found, greatest);
    };
    if (!any<F>(distance > greatest + least_gain)) return best;
    consider(cleared_of(apart, pair.u));
    consider(cleared_of(apart, pair.v));
    consider(across_cores);
    return best;
  }

  /// The gap from one core's point to the other's, without the parts that nearest points cannot
  /// have: a part along a core that continues on both sides, and a part into a core that ends
  /// there. Rounding adds such parts, and if the cores nearly touch, there is nothing else in the
  /// gap.
  static WIDEPHASE_INLINE Vec<F, 3> cleared(const Vec<F, 3>& u, const Vec<F, 3>& v,
                                            const MaskOf<F>& is_parallel,
                                            const SegmentParameters<F>& at,
                                            const Vec<F, 3>& apart) {
    const F zero = F(0), one = F(1);
    const auto is_inside_a = (at.s > zero) & (at.s < one);
    const auto is_inside_b = (at.t > zero) & (at.t < one);
    const Vec<F, 3> nothing = zero_vec<F, 3>();
    const Vec<F, 3> along = select(is_inside_a, u, select(is_inside_b, v, nothing));
    // From each end along its own core, negated for B, as the gap is from A to B: it must not point
    // there.
    const Vec<F, 3> body_a = select(at.s <= zero, u, -u);
    const Vec<F, 3> body_b = select(at.t <= zero, -v, v);
    const auto is_one_inside = is_inside_a | is_inside_b;
    // If the cores are parallel, the direction across them is rounding noise.
    const Vec<F, 3> beside = cleared_of(select(is_inside_a, body_b, body_a), along);
    const Vec<F, 3> body = select(is_one_inside, select(is_parallel, nothing, beside), body_a);
    const Vec<F, 3> across = cleared_of(apart, along);
    const Vec<F, 3> gap = select(dot(across, body) > zero, cleared_of(across, body), across);
    return select((!is_one_inside) & (dot(gap, body_b) > zero), cleared_of(gap, body_b), gap);
  }
};

}  // namespace
}  // namespace widephase
