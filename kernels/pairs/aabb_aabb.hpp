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
    const auto is_face = gap_count <= one;
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

    for (int corner = 0; corner < max_points; ++corner) {
      ManifoldPoint<F, D>& point = manifold.points[corner];
      F exists = one;
      F free_axes = zero;                  // free axes below k; the shared interval runs along them
      F vertex_a = zero, vertex_b = zero;  // sides as bits, for the axes that a feature fixes
      F fixed_a = zero, fixed_b = zero;    // how many axes the feature fixes
      F edge_axis_a = zero, edge_axis_b = zero;  // the last axis that it leaves free
      for (int k = 0; k < D; ++k) {
        const auto is_normal_axis =
            (is_face & (exit_axis == F(k))) | ((!is_face) & !(gap[k] == zero));
        const auto is_up = manifold.normal[k] > zero;
        const F corner_side = select(free_axes == zero, F(corner & 1), F(corner >> 1 & 1));
        const auto is_upper = corner_side > zero;
        const F low = greater(a.min[k], b.min[k]);
        const F high = lesser(a.max[k], b.max[k]);
        point.position[k] =
            select(is_normal_axis, select(is_up, a.max[k], a.min[k]), select(is_upper, high, low));
        const auto is_copy = is_upper & !is_normal_axis & (!(high > low));
        exists = select(is_copy, zero, exists);
        free_axes = select(is_normal_axis, free_axes, free_axes + one);

        const auto from_a =
            (is_upper & (a.max[k] <= b.max[k])) | ((!is_upper) & (a.min[k] >= b.min[k]));
        const auto fixes_a = is_normal_axis | from_a;
        const auto fixes_b = is_normal_axis | !from_a;
        const auto upper_a = (is_normal_axis & is_up) | ((!is_normal_axis) & is_upper);
        const auto upper_b = (is_normal_axis & !is_up) | ((!is_normal_axis) & is_upper);
        add_axis(k, fixes_a, upper_a, vertex_a, fixed_a, edge_axis_a);
        add_axis(k, fixes_b, upper_b, vertex_b, fixed_b, edge_axis_b);
      }
      // Corners beyond the free axes would repeat the others.
      if (corner & 1) exists = select(free_axes < one, zero, exists);
      if (corner >> 1) exists = select(free_axes < F(2), zero, exists);
      point.depth = manifold.depth;
      point.feature = {box_feature<F, D>(vertex_a, fixed_a, edge_axis_a),
                       box_feature<F, D>(vertex_b, fixed_b, edge_axis_b)};
      point.exists = exists;
    }
    sort_points(manifold.points);
    return manifold;
  }

 private:
  static WIDEPHASE_INLINE void add_axis(int k, const MaskOf<F>& is_fixed, const MaskOf<F>& is_upper,
                                        F& vertex, F& fixed_count, F& free_axis) {
    vertex = vertex + select(is_fixed & is_upper, F(1 << k), F(0));
    fixed_count = fixed_count + select(is_fixed, F(1), F(0));
    free_axis = select(is_fixed, free_axis, free_axis + F(k));
  }
};

}  // namespace
}  // namespace widephase
