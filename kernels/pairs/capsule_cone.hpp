#pragma once

#include "kernels/core/cylinder/cores_on_line.hpp"
#include "kernels/core/cylinder/round_points.hpp"
#include "kernels/core/smooth/segment_cone_exits.hpp"
#include "kernels/pairs/convex_convex.hpp"

namespace widephase {
namespace {

// capsule_cone: a first look leaves out pairs that are apart along the line between their middles
// (core/cylinder/cores_on_line.hpp). Then, with pairs in lanes and without a search, the minimum
// translation from a complete list of directions (core/smooth/segment_cone_exits.hpp), which also
// tells which cores are apart, and the distance of these (core/convex/polytope_gaps.hpp). What the
// lists leave open goes to GJK and EPA (kernels/pairs/convex_convex.hpp).
//
// Frame: the scene's axes, with A's anchor as the origin. Normal: A to B. Points: 1 or 2, on A.
// Beside the cone's side there is one. Over its base, the segment's ends or where it passes the rim
// (core/cylinder/round_points.hpp); what is not plain there, core/faces/convex_manifold.hpp, one
// pair at a time.
template <class F>
struct CapsuleCone : private ConvexConvex<F> {
  using T = RealOf<F>;
  using Base = ConvexConvex<F>;
  using Base::max_points;
  using typename Base::A;
  using typename Base::Answers;
  using typename Base::B;
  static constexpr Kind b_kind = Kind::cone;
  static constexpr bool is_warm_when_steady = true;

  struct Room : Base::Room {
    Answers answers;
    Simplex3<F> none;
  };

  struct FirstLook {};
  static WIDEPHASE_INLINE MaskOf<F> first_look(const A& a, const B& b, const F& margin,
                                               FirstLook&) {
    const CoresOnLine<F> line(a, b, margin);
    const AboutAxis<F> cone{b.turn.column[2], b.half[2], b.half[0]};
    return line.may_meet(line.reach_of_box(a) + line.reach_of_cone(cone, F(-1)),
                         length(a.turn.column[0]) + (cone.half + cone.radius));
  }

  static Manifold<F, 3, 4> contact(const A& a, const B& b, const F& margin, WarmStartLanes<F>& warm,
                                   LaneCounter<F>& counter, Room& room) {
    const F reach = a.radius + b.radius;
    const F limit = least_core_depth(margin, reach);
    Answers& answers = room.answers;
    const unsigned left = answer_by_lists(a, b, limit, warm, counter, room);
    if (left != 0) Base::answer_by_search(a, b, limit, left, answers, counter, room);
    return answers.manifold(a, reach);
  }

 private:
  struct Lists {
    const CorePair<F>& pair;
    ConvexShapeLanes<F> shapes_a, shapes_b;
    F limit;
  };

  // Functions of their own, so that later steps can use their stack.

  /// Answers the lanes that are left open.
  static __attribute__((noinline)) unsigned answer_by_lists(const A& a, const B& b, const F& limit,
                                                            const WarmStartLanes<F>& warm,
                                                            LaneCounter<F>& counter, Room& room) {
    const CorePair<F> pair(a, b);
    const Lists lists{pair, ConvexShapeLanes<F>(a), ConvexShapeLanes<F>(b), limit};
    Answers& answers = room.answers;
    room.none.clear();
    answers.set(room.none);
    answers.ask(a.question, warm);
    unsigned left = counter.live;
    // Distances are mostly of cores that are apart.
    if (a.question == Question::deepest) left &= ~answer_apart(lists, left, answers, counter, room);
    if (left != 0) left &= ~answer_listed(lists, left, answers, counter, room);
    return left;
  }

  /// Answers the lanes of `asked` whose cores overlap, or are farther apart than the limit, and
  /// then those that are apart. Answers which.
  static __attribute__((noinline)) unsigned answer_listed(const Lists& lists, unsigned asked,
                                                          Answers& answers, LaneCounter<F>& counter,
                                                          Room& room) {
    SegmentConeExits<F> exits(lists.pair);
    exits.find(asked, counter);
    const unsigned beyond = exits.apart & mask_bits(exits.depth < lists.limit);
    put_direction(lanes_of<F>(exits.found | beyond), exits.normal, exits.depth, answers);
    unsigned answered = exits.found | beyond;
    if (exits.found != 0 && lists.pair.a.shape.question != Question::contact) {
      put_overlaps(lists, exits, answers, counter, room);
    }
    const unsigned apart = exits.apart & ~beyond;
    // Those of distances were asked before.
    if (apart != 0 && lists.pair.a.shape.question != Question::deepest) {
      answered |= answer_apart(lists, apart, answers, counter, room);
    }
    return answered;
  }
  static WIDEPHASE_INLINE void put_direction(const MaskOf<F>& where, const Vec<F, 3>& normal,
                                             const F& depth, Answers& answers) {
    for (int k = 0; k < 3; ++k) store_where(where, answers.normal[k].number, normal[k]);
    store_where(where, answers.depth.number, depth);
  }

  /// The points of cores that overlap.
  static WIDEPHASE_INLINE void put_overlaps(const Lists& lists, const SegmentConeExits<F>& exits,
                                            Answers& answers, LaneCounter<F>& counter, Room& room) {
    unsigned left = exits.found;
    if (!(answers.steadiness > 0)) {
      const unsigned single =
          left & (answers.wants_points ? beside_base(lists.pair, exits.normal) : left);
      const auto is_single = lanes_of<F>(single);
      for (int k = 0; k < 3; ++k) {
        store_where(is_single, answers.points.position[0][k], exits.on_a[k]);
      }
      store_where(is_single, answers.points.depth[0], exits.depth);
      store_where(is_single, answers.points.feature_a[0], exits.feature_a);
      store_where(is_single, answers.points.feature_b[0], exits.feature_b);
      left &= ~single;
      if (left != 0) {
        left &= ~put_over_base(lists, left, exits.normal, exits.depth, exits.feature, exits.on_a,
                               exits.on_b, answers, counter);
      }
    }
    if (left == 0) return;
    const auto is = [&](RoundFeature of) { return exits.feature == F(static_cast<T>(of)); };
    const auto is_line = is(RoundFeature::sides) | is(RoundFeature::side_rim);
    const F end = one_where<F>(dot(lists.pair.a.axis[0], exits.normal) > F(0));
    const F first = select(is_line, F(0), end), second = select(is_line, F(1), end);
    Base::answer_proven(lists.pair, lists.shapes_a, lists.shapes_b, left, lists.limit, exits.on_a,
                        {first, second, second}, answers, counter, room);
  }

  /// The lanes in which the cone shows its side or its apex.
  static WIDEPHASE_INLINE unsigned beside_base(const CorePair<F>& pair, const Vec<F, 3>& normal) {
    const ConvexLanes<F>& cone = pair.b.shape;
    const F size = ((cone.half[0] + cone.half[2]) + length(pair.a.axis[0])) +
                   (cone.half[2] + coordinate_size(pair.apart));
    return mask_bits(!may_show_base(cone, -normal, flush_slack_lanes(size)));
  }

  /// The points of the lanes of `asked` that may be over the base. Answers the lanes that are done.
  static __attribute__((noinline)) unsigned put_over_base(const Lists& lists, unsigned asked,
                                                          const Vec<F, 3>& normal, const F& depth,
                                                          const F& feature, const Vec<F, 3>& on_a,
                                                          const Vec<F, 3>& on_b, Answers& answers,
                                                          LaneCounter<F>& counter) {
    const ConvexLanes<F>&segment = lists.pair.a.shape, &cone = lists.pair.b.shape;
    // A base that is nearly seen from its edge has corners beyond the pair's depth by rounding.
    const auto is_seen = lanes_of<F>(asked) & (dot(cone.turn.column[2], normal) > F(T(1) / 16));
    asked = mask_bits(is_seen);
    if (asked == 0) return 0;
    counter.add_step_of(asked);
    RoundPoints<F> points(segment, cone, is_seen, lists.pair.apart, normal, depth, lists.limit,
                          feature, on_a, on_b);
    return points.put(asked, true, answers.points);
  }

  /// Answers the lanes of `asked` that are apart, where the distance is proven. Answers which.
  static __attribute__((noinline)) unsigned answer_apart(const Lists& lists, unsigned asked,
                                                         Answers& answers, LaneCounter<F>& counter,
                                                         Room& room) {
    PolytopeGaps<F>& gaps = room.gaps.make(lists.pair, lists.shapes_a, *answers.simplex);
    gaps.find(asked, counter);
    const unsigned proven = gaps.proven();
    if (proven == 0) return 0;
    gaps.put(lists.shapes_b, answers);
    if (!answers.wants_points) return proven;
    unsigned left = proven & ~beside_base(lists.pair, gaps.found().normal) &
                    mask_bits(gaps.found().depth >= lists.limit);
    if (left == 0) return proven;
    const auto is_line = gaps.vertex_of_a(0) < gaps.vertex_of_a(1);
    const F feature = select(is_line, F(static_cast<T>(RoundFeature::side_rim)),
                             F(static_cast<T>(RoundFeature::cap_b)));
    const Vec<F, 3> on_b =
        (gaps.found().on_a - gaps.found().depth * gaps.found().normal) - lists.pair.apart;
    if (!(answers.steadiness > 0)) {
      left &= ~put_over_base(lists, left, gaps.found().normal, gaps.found().depth, feature,
                             gaps.found().on_a, on_b, answers, counter);
    }
    if (left != 0) {
      Base::answer_proven(
          lists.pair, lists.shapes_a, lists.shapes_b, left, lists.limit, gaps.found().on_a,
          {gaps.vertex_of_a(0), gaps.vertex_of_a(1), gaps.vertex_of_a(2)}, answers, counter, room);
    }
    return proven;
  }
};

}  // namespace
}  // namespace widephase
