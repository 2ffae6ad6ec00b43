#pragma once

#include "kernels/core/cylinder/cores_on_line.hpp"
#include "kernels/core/smooth/ellipsoid_gaps.hpp"
#include "kernels/pairs/convex_convex.hpp"

namespace widephase {
namespace {

// ellipsoid_cone: as kernels/pairs/convex_convex.hpp, but a first look leaves out pairs that are
// apart along the line between their middles (core/cylinder/cores_on_line.hpp), and if only the
// nearest points are asked for, the distance comes from a descent in lanes
// (core/smooth/ellipsoid_gaps.hpp).
template <class F>
struct EllipsoidCone : protected ConvexConvex<F> {
  using Base = ConvexConvex<F>;
  using Base::is_warm_when_steady;
  using Base::max_points;
  using typename Base::A;
  using typename Base::Answers;
  using typename Base::B;
  using typename Base::Room;
  static constexpr Kind b_kind = Kind::cone;

  struct FirstLook {};
  static WIDEPHASE_INLINE MaskOf<F> first_look(const A& a, const B& b, const F& margin,
                                               FirstLook&) {
    const CoresOnLine<F> line(a, b, margin);
    const AboutAxis<F> cone{b.turn.column[2], b.half[2], b.half[0]};
    return line.may_meet(line.reach_of_ellipsoid(a) + line.reach_of_cone(cone, F(-1)),
                         coordinate_size(a.half) + coordinate_size(b.half));
  }

  static Manifold<F, 3, 4> contact(const A& a, const B& b, const F& margin, WarmStartLanes<F>& warm,
                                   LaneCounter<F>& counter, Room& room) {
    const CorePair<F> pair(a, b);
    const F limit = least_core_depth(margin, a.radius + b.radius);
    EllipsoidGaps<F> gaps(pair);
    return Base::contact_beside(
        pair, limit, warm, gaps, counter, room, [&](const MaskOf<F>& is_left, Answers& answers) {
          const ConvexShapeLanes<F> shapes_a(a), shapes_b(b);
          Base::answer_found(pair, shapes_a, shapes_b, is_left, limit, answers, counter, room);
        });
  }
};

}  // namespace
}  // namespace widephase
