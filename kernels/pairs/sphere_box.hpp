#pragma once

#include "kernels/pairs/sphere_aabb.hpp"

namespace widephase {
namespace {

// sphere_box, circle_box: sphere_aabb in the box's frame, with the box's radius added to the
// sphere's.
// Normal: A to B. Points: 1, on A. Features: whole; the box's vertex, edge or face.
// Inside: the face with the minimum translation; ties go to the lower axis, its low side first,
// status 1.
// Cost: 1 sqrt, D divisions per lane.
template <class F, int D>
struct SphereBox {
  using A = SphereLanes<F, D>;
  using B = BoxLanes<F, D>;
  static constexpr int max_points = 1;

  static WIDEPHASE_INLINE Manifold<F, D, 1> contact(const A& a, const B& b, const F& margin) {
    A ball = a;
    ball.center = rotate_back(b.rotation, a.center - b.center);
    const AabbLanes<F, D> box(-b.half_extents, b.half_extents);
    Manifold<F, D, 1> manifold = SphereAabb<F, D>::contact(ball, box, margin);
    manifold.normal = rotate(b.rotation, manifold.normal);
    manifold.depth = manifold.depth + b.radius;
    manifold.points[0].depth = manifold.depth;
    manifold.points[0].position = a.center + a.radius * manifold.normal;
    return manifold;
  }
};

}  // namespace
}  // namespace widephase
