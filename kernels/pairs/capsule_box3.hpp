#pragma once

#include "kernels/pairs/capsule_aabb3.hpp"

namespace widephase {
namespace {

// capsule_box in 3D: capsule_aabb in the box's frame, with the box's radius added to the capsule's.
// Normal: A to B. Points: 1 or 2, on A. Features, ties and cost: those of capsule_aabb.
template <class F>
struct CapsuleBox3 {
  using A = CapsuleLanes<F, 3>;
  using B = BoxLanes<F, 3>;
  static constexpr int max_points = 2;
  static constexpr bool is_warm_when_steady = true;

  using FirstLook = typename CapsuleAabb3<F>::FirstLook;
  static WIDEPHASE_INLINE MaskOf<F> first_look(const A& a, const B& b, const F& margin,
                                               FirstLook& nearest) {
    return CapsuleAabb3<F>::first_look(in_frame(a, b), frame_of(b), margin, nearest);
  }

  static WIDEPHASE_INLINE Manifold<F, 3, 2> contact(const A& a, const B& b, const F& margin,
                                                    const FirstLook& nearest,
                                                    const WarmStartLanes<F>& warm) {
    Manifold<F, 3, 2> manifold =
        CapsuleAabb3<F>::contact(in_frame(a, b), frame_of(b), margin, nearest, warm);
    // Moves the points to the capsule's own surface.
    for (ManifoldPoint<F, 3>& point : manifold.points) {
      point.position = point.position - b.radius * manifold.normal;
    }
    leave_frame(b.rotation, b.center, manifold);
    return manifold;
  }

 private:
  static WIDEPHASE_INLINE AabbLanes<F, 3> frame_of(const B& b) {
    return {-b.half_extents, b.half_extents};
  }
  /// The capsule in the box's frame, with both radii.
  static WIDEPHASE_INLINE A in_frame(const A& a, const B& b) {
    A capsule = a;
    capsule.a = rotate_back(b.rotation, a.a - b.center);
    capsule.b = rotate_back(b.rotation, a.b - b.center);
    // A core that is parallel to a face must be so in the box's frame too. A rise of no more than
    // rounding has no direction, so it is cleared.
    F reach = F(0);
    for (int k = 0; k < 3; ++k) reach = reach + (abs(capsule.a[k]) + abs(capsule.b[k]));
    const F rounding = roundings<F>(4) * reach;
    capsule.b = each_axis<F, 3>([&](int k) {
      const auto is_level = abs(capsule.b[k] - capsule.a[k]) <= rounding;
      return select(is_level, capsule.a[k], capsule.b[k]);
    });
    capsule.radius = a.radius + b.radius;
    return capsule;
  }
};

}  // namespace
}  // namespace widephase
