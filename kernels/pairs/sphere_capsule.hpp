#pragma once

#include "kernels/core/round/ball.hpp"

namespace widephase {
namespace {

// sphere_capsule, circle_capsule: the core's point nearest to the centre.
// Normal: A to B. Points: 1, on A. Features: whole; the capsule's end or side.
// A centre on the core: the normal is perpendicular to it (the first axis if it has no length),
// status 1.
// Cost: 1 sqrt, D + 2 divisions per lane.
template <class F, int D>
struct SphereCapsule {
  using A = SphereLanes<F, D>;
  using B = CapsuleLanes<F, D>;
  static constexpr int max_points = 1;

  static WIDEPHASE_INLINE Manifold<F, D, 1> contact(const A& a, const B& b, const F&) {
    // Not the difference of the ends: for a short core far away, their rounding, seen from the
    // centre, would turn the core. The nearest point would move aside by the same share of the
    // distance.
    const Vec<F, D>& along = b.along;
    const F along2 = dot(along, along);
    const F t = closest_parameter(a.center, b.a, along, along2);
    Vec<F, D> apart = select(t >= F(1), b.b, b.a + t * along) - a.center;
    Vec<F, D> otherwise = first_axis<F, D>();
    const auto is_near = dot(apart, apart) <= near2<F>() * along2;
    if (any<F>(is_near)) {
      // Makes the gap beside the core perpendicular to it, because the difference of nearly equal
      // points has a direction of noise. Also at an end, if the gap would lead along the core's own
      // body.
      const F onward = dot(apart, along);
      const auto is_side = ((t > F(0)) | (onward < F(0))) & ((t < F(1)) | (onward > F(0)));
      apart = select(is_near & is_side, cleared_of(apart, along), apart);
      otherwise = select(is_near, any_perpendicular(along), otherwise);
    }
    const F distance = length(apart);
    const Vec<F, D> normal = direction_or(apart, distance, otherwise);
    return one_point(normal, (a.radius + b.radius) - distance, one_where<F>(distance == F(0)),
                     a.center + a.radius * normal, {F(0), capsule_feature(t)});
  }
};

}  // namespace
}  // namespace widephase
