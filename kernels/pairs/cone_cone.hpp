#pragma once

#include "kernels/core/cylinder/cores_on_line.hpp"
#include "kernels/core/smooth/cone_exits.hpp"
#include "kernels/core/smooth/cone_gaps.hpp"
#include "kernels/pairs/convex_convex.hpp"

namespace widephase {
namespace {

// cone_cone: as kernels/pairs/convex_convex.hpp, but a first look leaves out pairs that are apart
// along the line between their middles (core/cylinder/cores_on_line.hpp). Directions come from
// complete lists, with pairs in lanes: the minimum translation (core/smooth/cone_exits.hpp) and the
// distance (core/smooth/cone_gaps.hpp). If only the nearest points are asked for, the distance
// needs no search; else a search tells first which cores are apart. What the lists leave open goes
// to GJK and EPA: exits of flat and thin cones, of those of very different sizes or with axes that
// are nearly parallel, ties; distances where faces or lines are level.
template <class F, class Pair = ConePair<F>>
struct ConeCone : protected ConvexConvex<F> {
  using T = RealOf<F>;
  using Base = ConvexConvex<F>;
  using Base::is_warm_when_steady;
  using Base::max_points;
  using typename Base::A;
  using typename Base::Answers;
  using typename Base::B;
  static constexpr Kind b_kind = Kind::cone;

  struct Room : Base::Room {
    typename ConeExits<F, Pair>::Rims rims;
  };

  struct FirstLook {};
  static WIDEPHASE_INLINE MaskOf<F> first_look(const A& a, const B& b, const F& margin,
                                               FirstLook&) {
    const CoresOnLine<F> line(a, b, margin);
    const AboutAxis<F> first{a.turn.column[2], a.half[2], a.half[0]};
    const AboutAxis<F> second{b.turn.column[2], b.half[2], b.half[0]};
    return line.may_meet(line.reach_of_cone(first, F(1)) + line.reach_of_cone(second, F(-1)),
                         (first.half + first.radius) + (second.half + second.radius));
  }

  static Manifold<F, 3, 4> contact(const A& a, const B& b, const F& margin, WarmStartLanes<F>& warm,
                                   LaneCounter<F>& counter, Room& room) {
    const CorePair<F> pair(a, b);
    const F limit = least_core_depth(margin, a.radius + b.radius);
    ConeGaps<F, Pair> gaps(pair);
    return Base::contact_beside(
        pair, limit, warm, gaps, counter, room, [&](const MaskOf<F>& is_left, Answers& answers) {
          const ConvexShapeLanes<F> shapes_a(a), shapes_b(b);
          ConeExits<F, Pair> exits(pair, shapes_a, shapes_b, room.rims, room.faces);
          Base::answer_found(pair, shapes_a, shapes_b, is_left, limit, answers, counter, room,
                             &exits);
        });
  }
};

}  // namespace
}  // namespace widephase
