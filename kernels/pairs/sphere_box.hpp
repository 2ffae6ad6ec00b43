#pragma once

#include "pairs/sphere_aabb.hpp"

namespace widephase {
namespace {

// circle_box: circle_aabb in the box's frame, the box's radius beside the circle's.
// Normal: A to B. Points: 1, on A. Features: whole; the box's vertex or face.
// Inside: the face of least exit; ties go to axis 0, the low side first, status 1.
// Cost: 1 sqrt, 2 divisions a lane.
template <class F>
struct SphereBox2 {
  using A = SphereLanes<F, 2>;
  using B = BoxLanes<F, 2>;
  static constexpr int max_points = 1;

  static WIDEPHASE_INLINE Manifold<F, 2, 1> contact(const A& a, const B& b, const F& margin) {
    A ball = a;
    ball.center = rotate_back(b.rotation, a.center - b.center);
    const AabbLanes<F, 2> box(-b.half_extents, b.half_extents);
    Manifold<F, 2, 1> manifold = SphereAabb<F, 2>::contact(ball, box, margin);
    manifold.normal = rotate(b.rotation, manifold.normal);
    manifold.depth = manifold.depth + b.radius;
    manifold.points[0].depth = manifold.depth;
    manifold.points[0].position = a.center + a.radius * manifold.normal;
    return manifold;
  }
};

}  // namespace
}  // namespace widephase
