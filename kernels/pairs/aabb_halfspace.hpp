#pragma once

#include "kernels/core/basis/box_features.hpp"
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
    // The ends of the axes along the face; across it, both are its side. Corner bits follow the
    // other axes in ascending order, and so the order of vertex numbers.
    Vec<F, D> low, high, low_bit, high_bit;
    Vec<F, D> is_flat;  // 1 where the ends of an axis along the face coincide
    MaskOf<F> is_first[D];
    F free_axes = zero;  // below axis k
    for (int k = 0; k < D; ++k) {
      const auto is_face_axis = whole(face_axis == F(k));
      const auto is_down = whole(b.normal[k] < zero);
      low[k] = select(is_face_axis, select(is_down, a.max[k], a.min[k]), a.min[k]);
      high[k] = select(is_face_axis, low[k], a.max[k]);
      low_bit[k] = select(is_face_axis, select(is_down, F(1 << k), zero), zero);
      high_bit[k] = select(is_face_axis, low_bit[k], F(1 << k));
      is_flat[k] = select(is_face_axis, zero, select(a.max[k] == a.min[k], one, zero));
      is_first[k] = whole(free_axes == zero);
      free_axes = free_axes + select(is_face_axis, zero, one);
    }
#pragma GCC unroll 4
    for (int corner = 0; corner < max_points; ++corner) {
      ManifoldPoint<F, D>& point = manifold.points[corner];
      F vertex = zero, copies = zero;
      for (int k = 0; k < D; ++k) {
        point.position[k] = at_corner(corner, is_first[k], low[k], high[k]);
        vertex = vertex + at_corner(corner, is_first[k], low_bit[k], high_bit[k]);
        copies = copies + at_corner(corner, is_first[k], zero, is_flat[k]);
      }
      point.depth = b.offset - dot(b.normal, point.position);
      point.feature = {vertex_feature(vertex), zero};
      point.exists = select(copies > zero, zero, one);
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
