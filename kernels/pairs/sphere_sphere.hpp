#pragma once

#include "kernels/core/round/ball.hpp"

namespace widephase {
namespace {

// sphere_sphere, circle_circle: the line of centres.
// Normal: A to B. Points: 1, on A. Features: whole, whole.
// Concentric: along the first axis, status 1.
// Cost: 1 sqrt, D divisions per lane.
template <class F, int D>
struct SphereSphere {
  using A = SphereLanes<F, D>;
  using B = SphereLanes<F, D>;
  static constexpr int max_points = 1;

  static WIDEPHASE_INLINE Manifold<F, D, 1> contact(const A& a, const B& b, const F&) {
    const Vec<F, D> apart = b.center - a.center;
    const F distance = length(apart);
    const Vec<F, D> normal = direction_or(apart, distance, first_axis<F, D>());
    return one_point(normal, (a.radius + b.radius) - distance, one_where<F>(distance == F(0)),
                     a.center + a.radius * normal, {F(0), F(0)});
  }
};

}  // namespace
}  // namespace widephase
