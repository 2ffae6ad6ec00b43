#pragma once

#include "kernels/core/round/ball.hpp"

namespace widephase {
namespace {

// capsule_halfspace: the heights of both ends over the plane.
// Normal: A to B, down into the solid. Points: 1 to 2, on A, below the ends. In 3D a core that
// stands, within 18 degrees of the normal, has only the point below its lower end: the upper one
// would be deep inside the capsule. Features: the ends; whole. A core without length has one point,
// at its first end.
template <class F, int D>
struct CapsuleHalfspace {
  using A = CapsuleLanes<F, D>;
  using B = HalfspaceLanes<F, D>;
  static constexpr int max_points = 2;

  static WIDEPHASE_INLINE Manifold<F, D, 2> contact(const A& a, const B& b, const F& margin) {
    const Vec<F, D> normal = -b.normal;
    const F depth_a = a.radius - (dot(b.normal, a.a) - b.offset);
    const F depth_b = a.radius - (dot(b.normal, a.b) - b.offset);
    const auto is_second_deeper = depth_b > depth_a;
    const Vec<F, D> along = a.b - a.a;
    const F length2 = dot(along, along);
    auto has_second = length2 > F(0);
    if (D == 3) {
      const F rise = depth_b - depth_a;
      has_second = has_second & (rise * rise <= F(kStandingShare) * length2);
    }
    const Vec<F, D> foot = a.radius * normal;
    return {normal,
            select(is_second_deeper, depth_b, depth_a),
            F(0),
            {{a.a + foot,
              depth_a,
              {vertex_feature(F(0)), F(0)},
              one_where<F>(((depth_a >= negate(margin)) & has_second) | !is_second_deeper)},
             {a.b + foot,
              depth_b,
              {vertex_feature(F(1)), F(0)},
              one_where<F>(((depth_b >= negate(margin)) & has_second) | is_second_deeper)}}};
  }
};

}  // namespace
}  // namespace widephase
