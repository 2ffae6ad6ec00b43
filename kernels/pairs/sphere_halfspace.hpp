#pragma once

#include "kernels/core/round/ball.hpp"

namespace widephase {
namespace {

// sphere_halfspace, circle_halfspace: the centre's height over the plane.
// Normal: A to B, down into the solid. Points: 1, on A. Features: whole, whole.
template <class F, int D>
struct SphereHalfspace {
  using A = SphereLanes<F, D>;
  using B = HalfspaceLanes<F, D>;
  static constexpr int max_points = 1;

  static WIDEPHASE_INLINE Manifold<F, D, 1> contact(const A& a, const B& b, const F&) {
    const F height = dot(b.normal, a.center) - b.offset;
    const Vec<F, D> normal = -b.normal;
    return one_point(normal, a.radius - height, F(0), a.center + a.radius * normal, {F(0), F(0)});
  }
};

}  // namespace
}  // namespace widephase
