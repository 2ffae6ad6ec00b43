#pragma once

#include "kernels/core/basis/box_features.hpp"
#include "kernels/core/round/ball.hpp"

namespace widephase {
namespace {

// aabb_aabb: the minimum translation over the axes if the boxes overlap, else their distance.
// Normal: A to B. Points: the corners of the rectangle (segment, point) where the facing features
// overlap, on A: 1 to 2 (2D), 1 to 4 (3D).
// Ties go to the lower axis, B leaving upwards first, status 1. Sides that coincide count as A's.
template <class F, int D>
struct AabbAabb {
  using A = AabbLanes<F, D>;
  using B = AabbLanes<F, D>;
  static constexpr int max_points = D == 2 ? 2 : 4;

  static WIDEPHASE_INLINE Manifold<F, D, max_points> contact(const A& a, const B& b, const F&) {
    const F zero = F(0), one = F(1);
    // Gaps: > 0 where B is beyond A's upper side (up) or below its lower side (down).
    F exit = a.max[0] - b.min[0];
    F exit_axis = zero;
    F exit_sign = one;
    F is_tie = zero;
    Vec<F, D> gap;
    F gap_count = zero;
    F gap2 = zero;
    for (int k = 0; k < D; ++k) {
      const F up = a.max[k] - b.min[k];    // B moves up by this to be free
      const F down = b.max[k] - a.min[k];  // B moves down
      const auto consider = [&](const F& candidate, const F& sign) __attribute__((always_inline)) {
        const auto is_better = candidate < exit;
        is_tie = select(is_better, zero, select(candidate == exit, one, is_tie));
        exit = select(is_better, candidate, exit);
        exit_axis = select(is_better, F(k), exit_axis);
        exit_sign = select(is_better, sign, exit_sign);
      };
      if (k != 0) consider(up, one);
      consider(down, F(-1));
      gap[k] = select(up < zero, negate(up), select(down < zero, down, zero));
      gap_count = gap_count + select(gap[k] == zero, zero, one);
      gap2 = gap2 + gap[k] * gap[k];
    }
    const auto is_apart = gap_count > zero;
    const auto is_face = whole(gap_count <= one);
    const F distance = sqrt(gap2);
    const F divisor = select(distance > zero, distance, one);

    Manifold<F, D, max_points> manifold;
    // A single gap is the negative exit of its axis, so face contacts use the same code.
    manifold.depth = select(is_face, exit, negate(distance));
    manifold.is_tie = select(is_apart, zero, is_tie);
    for (int k = 0; k < D; ++k) {
      manifold.normal[k] =
          select(is_face, select(exit_axis == F(k), exit_sign, zero), divide(gap[k], divisor));
    }

    // The boxes share a range of each free axis, all but the normal's. A corner lies at one of its
    // ends: corner bit 0 says at which of the first free axis, bit 1 of the second.
    MaskOf<F> is_first[D];
    Vec<F, D> low, high;            // the ends, or A's side across a normal's axis
    Vec<F, D> low_of_a, high_of_a;  // 1 where the end of a free axis is A's, not B's
    Vec<F, D> is_flat;              // 1 where the ends of a free axis coincide
    Vec<F, D> is_free;
    F free_axes = zero, free_axis_sum = zero, vertex_a = zero, vertex_b = zero;
    for (int k = 0; k < D; ++k) {
      const auto is_normal_axis =
          whole((is_face & (exit_axis == F(k))) | ((!is_face) & !(gap[k] == zero)));
      const auto is_up = whole(manifold.normal[k] > zero);
      const F free = select(is_normal_axis, zero, one);
      const F lower = greater(a.min[k], b.min[k]), upper = lesser(a.max[k], b.max[k]);
      const F side = select(is_up, a.max[k], a.min[k]);
      low[k] = select(is_normal_axis, side, lower);
      high[k] = select(is_normal_axis, side, upper);
      low_of_a[k] = select(a.min[k] >= b.min[k], free, zero);
      high_of_a[k] = select(a.max[k] <= b.max[k], free, zero);
      is_flat[k] = select(upper > lower, zero, free);
      is_free[k] = free;
      is_first[k] = whole(free_axes == zero);
      free_axes = free_axes + free;
      free_axis_sum = free_axis_sum + F(k) * free;
      vertex_a = vertex_a + select(is_normal_axis, select(is_up, F(1 << k), zero), zero);
      vertex_b = vertex_b + select(is_normal_axis, select(is_up, zero, F(1 << k)), zero);
    }
    const F normal_axes = F(D) - free_axes;

#pragma GCC unroll 4
    for (int corner = 0; corner < max_points; ++corner) {
      const auto at_end = [&](int k, const F& at_low, const F& at_high)
          __attribute__((always_inline)) {
        return at_corner(corner, is_first[k], at_low, at_high);
      };
      ManifoldPoint<F, D>& point = manifold.points[corner];
      // Sides as bits for the axes that a feature fixes, how many these are, and the last free one.
      F bits_a = zero, bits = zero, fixed_a = zero, fixed_axis_sum = zero, copies = zero;
      for (int k = 0; k < D; ++k) {
        point.position[k] = at_end(k, low[k], high[k]);
        const F of_a = at_end(k, low_of_a[k], high_of_a[k]);
        fixed_a = fixed_a + of_a;
        fixed_axis_sum = fixed_axis_sum + F(k) * of_a;
        bits_a = bits_a + F(1 << k) * at_end(k, zero, high_of_a[k]);
        bits = bits + F(1 << k) * at_end(k, zero, is_free[k]);
        copies = copies + at_end(k, zero, is_flat[k]);
      }
      // Corners beyond the free axes would repeat the others.
      F exists = select(copies > zero, zero, one);
      if (corner & 1) exists = select(free_axes < one, zero, exists);
      if (corner >> 1) exists = select(free_axes < F(2), zero, exists);
      point.depth = manifold.depth;
      // What A's feature fixes of the free axes, B's leaves free.
      point.feature = {
          box_feature<F, D>(vertex_a + bits_a, normal_axes + fixed_a,
                            free_axis_sum - fixed_axis_sum),
          box_feature<F, D>(vertex_b + (bits - bits_a), F(D) - fixed_a, fixed_axis_sum)};
      point.exists = exists;
    }
    sort_points(manifold.points);
    return manifold;
  }
};

}  // namespace
}  // namespace widephase
