#pragma once

#include "kernels/core/cylinder/cores_on_line.hpp"
#include "kernels/core/smooth/cone_axes3.hpp"
#include "kernels/pairs/convex_convex.hpp"

namespace widephase {
namespace {

// aabb_cone, box_cone, hull_cone: as kernels/pairs/convex_convex.hpp, but a first look leaves out
// pairs that are apart along the line between their middles (core/cylinder/cores_on_line.hpp), and
// the minimum translation comes from a complete list of directions (core/smooth/cone_axes3.hpp),
// the distance from features that are proven nearest (core/convex/polytope_gaps.hpp). What these
// leave open goes to EPA, or is settled one pair at a time.
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
    const unsigned proven = answer_gaps(pair, shapes_a, shapes_b, limit, answers, counter, room);
    const auto left = lanes_of<F>(counter.live & ~proven);
    answer_found(pair, shapes_a, shapes_b, left, limit, answers, counter, room);
    if (warm.is_given) answers.keep(pair, LaneTraits<F>::all, warm);
    return answers.manifold(a, a.radius + b.radius);
  }
  /// Answers cores that are apart where the distance is proven. Answers which.
  static __attribute__((noinline)) unsigned answer_gaps(const CorePair<F>& pair,
                                                        const ConvexShapeLanes<F>& shapes_a,
                                                        const ConvexShapeLanes<F>& shapes_b,
                                                        const F& limit, Answers& answers,
                                                        LaneCounter<F>& counter, Room& room) {
    const Simplex3<F>& simplex = *answers.simplex;
    const unsigned near =
        counter.live & Base::near_and_apart(simplex, limit, pair.a.shape.question);
    if (near == 0) return 0;
    PolytopeGaps<F>& gaps = room.gaps.make(pair, shapes_a, simplex);
    gaps.find(near, counter);
    const unsigned proven = gaps.proven();
    if (proven == 0) return 0;
    gaps.put(shapes_b, answers);
    if (!answers.wants_points) return proven;
    Base::answer_proven(pair, shapes_a, shapes_b, proven, limit, gaps.found().on_a,
                        {gaps.vertex_of_a(0), gaps.vertex_of_a(1), gaps.vertex_of_a(2)}, answers,
                        counter, room);
    return proven;
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
