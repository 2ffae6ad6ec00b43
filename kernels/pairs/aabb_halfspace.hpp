#pragma once

#include "kernels/core/round/ball.hpp"

namespace widephase {
namespace {

// aabb_halfspace: the corners of the face whose normal points most into the solid (ties: the lowest
// axis).
// Normal: A to B, down into the solid. Points: 1 to 2 (2D), 1 to 4 (3D): the box's corners.
// Features: vertices; whole. A face without width gives each of its corners once.
template <class F, int D>
struct AabbHalfspace {
  using A = AabbLanes<F, D>;
  using B = HalfspaceLanes<F, D>;
  static constexpr int max_points = D == 2 ? 2 : 4;

  static WIDEPHASE_INLINE Manifold<F, D, max_points> contact(const A& a, const B& b,
                                                             const F& margin) {
    const F zero = F(0), one = F(1);
    // The axis of the face that points most into the solid.
    F face_axis = zero;
    F steepest = abs(b.normal[0]);
    for (int k = 1; k < D; ++k) {
      const auto is_better = abs(b.normal[k]) > steepest;
      steepest = select(is_better, abs(b.normal[k]), steepest);
      face_axis = select(is_better, F(k), face_axis);
    }
    Manifold<F, D, max_points> manifold;
    manifold.normal = -b.normal;
    manifold.is_tie = zero;
    // The other axes in ascending order, so that corner bits follow the order of vertex numbers.
    for (int corner = 0; corner < max_points; ++corner) {
      ManifoldPoint<F, D>& point = manifold.points[corner];
      F vertex = zero;
      F exists = one;
      F free_axes = zero;  // free axes below axis k
      for (int k = 0; k < D; ++k) {
        const auto is_face_axis = face_axis == F(k);
        const F low_bit = F(corner & 1), high_bit = F(corner >> 1 & 1);
        const F corner_side = select(free_axes == zero, low_bit, high_bit);
        const F face_side = select(b.normal[k] < zero, one, zero);
        const F side = select(is_face_axis, face_side, corner_side);
        const auto is_upper = side > zero;
        point.position[k] = select(is_upper, a.max[k], a.min[k]);
        vertex = vertex + select(is_upper, F(1 << k), zero);
        const auto is_copy = is_upper & !is_face_axis & (a.max[k] == a.min[k]);
        exists = select(is_copy, zero, exists);
        free_axes = select(is_face_axis, free_axes, free_axes + one);
      }
      point.depth = b.offset - dot(b.normal, point.position);
      point.feature = {vertex_feature(vertex), zero};
      point.exists = exists;
    }
    manifold.depth = manifold.points[0].depth;
    for (int p = 1; p < max_points; ++p) {
      manifold.depth = greater(manifold.depth, manifold.points[p].depth);
    }
    for (ManifoldPoint<F, D>& point : manifold.points) {
      const auto is_kept = (point.depth >= negate(margin)) | (point.depth == manifold.depth);
      point.exists = select(is_kept, point.exists, zero);
    }
    return manifold;
  }
};

}  // namespace
}  // namespace widephase
