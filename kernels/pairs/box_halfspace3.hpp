#pragma once

#include "kernels/pairs/aabb_halfspace.hpp"

namespace widephase {
namespace {

// box_halfspace in 3D: aabb_halfspace in the box's frame, with the plane moved by the box's radius.
// Normal: A to B, down into the solid. Points: 1 to 4, on A. Features and ties: those of
// aabb_halfspace.
template <class F>
struct BoxHalfspace3 {
  using A = BoxLanes<F, 3>;
  using B = HalfspaceLanes<F, 3>;
  static constexpr int max_points = 4;

  static WIDEPHASE_INLINE Manifold<F, 3, 4> contact(const A& a, const B& b, const F& margin) {
    B plane = b;
    plane.normal = rotate_back(a.rotation, b.normal);
    plane.offset = (b.offset - dot(b.normal, a.center)) + a.radius;
    const AabbLanes<F, 3> box(-a.half_extents, a.half_extents);
    Manifold<F, 3, 4> manifold = AabbHalfspace<F, 3>::contact(box, plane, margin);
    leave_frame(a.rotation, a.center, manifold);
    manifold.normal = -b.normal;
    for (ManifoldPoint<F, 3>& point : manifold.points) {
      point.position = point.position + a.radius * manifold.normal;
    }
    return manifold;
  }
};

}  // namespace
}  // namespace widephase
