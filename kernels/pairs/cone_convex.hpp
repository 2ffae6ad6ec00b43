#pragma once

#include "kernels/core/cylinder/cores_on_line.hpp"
#include "kernels/core/smooth/cone_axes3.hpp"
#include "kernels/pairs/convex_convex.hpp"

namespace widephase {
namespace {

// aabb_cone, box_cone, hull_cone: as kernels/pairs/convex_convex.hpp, but a first look leaves out
// pairs that are apart along the line between their middles (core/cylinder/cores_on_line.hpp), and
// the minimum translation comes from a complete list of directions (core/smooth/cone_axes3.hpp).
// What that leaves open goes to EPA.
template <class F>
struct ConeConvex : private ConvexConvex<F> {
  using T = RealOf<F>;
  using Base = ConvexConvex<F>;
  using Base::is_warm_when_steady;
  using Base::max_points;
  using typename Base::A;
  using typename Base::Answers;
  using typename Base::B;
  static constexpr Kind b_kind = Kind::cone;

  struct Room : Base::Room {
    RoomFor<ConeAxes<F>> axes;
  };

  static Manifold<F, 3, 4> contact(const A& a, const B& b, const F& margin, WarmStartLanes<F>& warm,
                                   LaneCounter<F>& counter, Room& room) {
    const CorePair<F> pair(a, b);
    const F limit = least_core_depth(margin, a.radius + b.radius);
    if (a.question != Question::deepest) {
      return contact_by_list(pair, limit, warm, counter, room);
    }
    return Base::contact_by_gaps(pair, limit, warm, counter, room,
                                 [&](const auto& shapes_a, const auto& shapes_b,
                                     const MaskOf<F>& is_left, Answers& answers) {
                                   answer_found(pair, shapes_a, shapes_b, is_left, limit, answers,
                                                counter, room);
                                 });
  }

 protected:
  /// A function of its own, so that distances do not need its stack.
  static __attribute__((noinline)) Manifold<F, 3, 4> contact_by_list(const CorePair<F>& pair,
                                                                     const F& limit,
                                                                     WarmStartLanes<F>& warm,
                                                                     LaneCounter<F>& counter,
                                                                     Room& room) {
    const A &a = pair.a.shape, &b = pair.b.shape;
    const auto all = counter.live_lanes();
    Simplex3<F> simplex;
    Base::find_nearest(pair, all, limit, warm, simplex, counter);
    Answers answers(simplex);
    answers.ask(a.question, warm);
    const ConvexShapeLanes<F> shapes_a(a), shapes_b(b);
    answer_found(pair, shapes_a, shapes_b, all, limit, answers, counter, room);
    if (warm.is_given) answers.keep(pair, LaneTraits<F>::all, warm);
    return answers.manifold(a, a.radius + b.radius);
  }
  static WIDEPHASE_INLINE void answer_found(const CorePair<F>& pair,
                                            const ConvexShapeLanes<F>& shapes_a,
                                            const ConvexShapeLanes<F>& shapes_b,
                                            const MaskOf<F>& is_asked, const F& limit,
                                            Answers& answers, LaneCounter<F>& counter, Room& room) {
    ConeAxes<F>& axes = room.axes.make(pair, shapes_a, *answers.simplex, &room.faces);
    Base::answer_found(pair, shapes_a, shapes_b, is_asked, limit, answers, counter, room, &axes);
  }

  static WIDEPHASE_INLINE MaskOf<F> may_meet(const CoresOnLine<F>& line, const B& b,
                                             const F& of_other, const F& reach_of_other) {
    const AboutAxis<F> cone{b.turn.column[2], b.half[2], b.half[0]};
    return line.may_meet(of_other + line.reach_of_cone(cone, F(-1)),
                         reach_of_other + (cone.half + cone.radius));
  }
};

/// aabb_cone, box_cone.
template <class F>
struct BoxCone : ConeConvex<F> {
  struct FirstLook {};
  static WIDEPHASE_INLINE MaskOf<F> first_look(const ConvexLanes<F>& a, const ConvexLanes<F>& b,
                                               const F& margin, FirstLook&) {
    const CoresOnLine<F> line(a, b, margin);
    return ConeConvex<F>::may_meet(line, b, line.reach_of_box(a), coordinate_size(a.half));
  }
};

/// hull_cone: with the hull's farthest vertex along that line.
template <class F>
struct HullCone : ConeConvex<F> {
  struct FirstLook {};
  static WIDEPHASE_INLINE MaskOf<F> first_look(const ConvexLanes<F>& a, const ConvexLanes<F>& b,
                                               const F& margin, FirstLook&) {
    const CoresOnLine<F> line(a, b, margin);
    F extent;
    const F reach = line.reach_of_hull(a, extent);
    return ConeConvex<F>::may_meet(line, b, reach, extent);
  }
};

}  // namespace
}  // namespace widephase
