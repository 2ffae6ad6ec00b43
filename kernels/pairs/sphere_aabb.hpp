#pragma once

#include "kernels/core/basis/box_features.hpp"
#include "kernels/core/round/ball.hpp"

namespace widephase {
namespace {

// sphere_aabb, circle_aabb: the box's point nearest to the centre.
// Normal: A to B. Points: 1, on A. Features: whole; the box's vertex, edge or face.
// Inside: the face with the minimum translation; ties go to the lower axis, its low side first,
// status 1.
// A centre on the surface counts as inside.
// Cost: 1 sqrt, D divisions per lane.
template <class F, int D>
struct SphereAabb {
  using A = SphereLanes<F, D>;
  using B = AabbLanes<F, D>;
  static constexpr int max_points = 1;

  static WIDEPHASE_INLINE Manifold<F, D, 1> contact(const A& a, const B& b, const F&) {
    const F zero = F(0);
    const Vec<F, D> apart = each_axis<F, D>(
        [&](int k) { return clamp(a.center[k], b.min[k], b.max[k]) - a.center[k]; });
    const F distance = length(apart);
    const auto is_inside = distance == zero;

    // Faces are numbered in order of preference: 2 k for the low side of axis k, 2 k + 1 for the
    // high side.
    F exit = a.center[0] - b.min[0];
    F exit_face = zero;
    F is_tie = zero;
    const auto consider = [&](int face, const F& candidate) __attribute__((always_inline)) {
      const auto is_better = candidate < exit;
      is_tie = select(is_better, zero, select(candidate == exit, F(1), is_tie));
      exit = lesser(exit, candidate);
      exit_face = select(is_better, F(face), exit_face);
    };
    for (int k = 0; k < D; ++k) {
      if (k != 0) consider(2 * k, a.center[k] - b.min[k]);
      consider(2 * k + 1, b.max[k] - a.center[k]);
    }
    const Vec<F, D> exit_normal = each_axis<F, D>([&](int k) {
      return select(exit_face == F(2 * k), F(1), select(exit_face == F(2 * k + 1), F(-1), zero));
    });

    const Vec<F, D> normal = direction_or(apart, distance, exit_normal);
    const F feature = select(is_inside, face_feature(exit_face), outer_feature(apart));
    return one_point(normal, select(is_inside, a.radius + exit, a.radius - distance),
                     select(is_inside, is_tie, zero), a.center + a.radius * normal,
                     {zero, feature});
  }
};

}  // namespace
}  // namespace widephase
