#pragma once

#include "core/ball.hpp"

namespace widephase {
namespace {

// capsule_halfspace: the heights of both ends over the plane.
// Normal: A to B, down into the solid. Points: 1 to 2, on A, under the ends.
// Features: the ends; whole. A core of no length has one point, at its first end.
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
    const auto has_length = dot(along, along) > F(0);
    const Vec<F, D> foot = a.radius * normal;
    return {normal,
            select(is_second_deeper, depth_b, depth_a),
            F(0),
            {{a.a + foot,
              depth_a,
              {vertex_feature(F(0)), F(0)},
              one_where<F>((depth_a >= negate(margin)) | !is_second_deeper)},
             {a.b + foot,
              depth_b,
              {vertex_feature(F(1)), F(0)},
              one_where<F>(((depth_b >= negate(margin)) & has_length) | is_second_deeper)}}};
  }
};

}  // namespace
}  // namespace widephase
