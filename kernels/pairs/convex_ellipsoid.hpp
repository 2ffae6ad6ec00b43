#pragma once

#include "kernels/core/cylinder/cores_on_line.hpp"
#include "kernels/core/smooth/ellipsoid_gaps.hpp"
#include "kernels/core/smooth/exits_over_ellipsoid.hpp"
#include "kernels/pairs/convex_convex.hpp"

namespace widephase {
namespace {

// aabb_ellipsoid, box_ellipsoid, hull_ellipsoid, cylinder_ellipsoid: as
// kernels/pairs/convex_convex.hpp, but a first look leaves out pairs that are apart along the line
// between their middles, and the minimum translation comes from a descent and its proof, with pairs
// in lanes (core/smooth/exits_over_ellipsoid.hpp), before GJK. What the proof leaves open goes to
// GJK and EPA: flat ellipsoids, shapes of very different sizes, ties.
template <class F>
struct HullEllipsoid : protected ConvexConvex<F> {
  using T = RealOf<F>;
  using Base = ConvexConvex<F>;
  using Base::is_warm_when_steady;
  using Base::max_points;
  using typename Base::A;
  using typename Base::Answers;
  using typename Base::B;
  static constexpr Kind b_kind = Kind::ellipsoid;

  struct Room : Base::Room {
    DirectionTriangles<F> triangles;
    RoomFor<EllipsoidExits<F>> exits;
  };

  struct FirstLook {};
  static WIDEPHASE_INLINE MaskOf<F> first_look(const ConvexLanes<F>& a, const ConvexLanes<F>& b,
                                               const F& margin, FirstLook&) {
    const CoresOnLine<F> line(a, b, margin);
    F extent;
    const F reach = line.reach_of_hull(a, extent);
    return line.may_meet(reach + line.reach_of_ellipsoid(b), extent + coordinate_size(b.half));
  }

  static Manifold<F, 3, 4> contact(const A& a, const B& b, const F& margin, WarmStartLanes<F>& warm,
                                   LaneCounter<F>& counter, Room& room) {
    const F limit = least_core_depth(margin, a.radius + b.radius);
    const CorePair<F> pair(a, b);
    const ConvexShapeLanes<F> shapes_a(a), shapes_b(b);
    EllipsoidExits<F>& exits = room.exits.make(pair, shapes_a, limit, &room.triangles, &room.faces);
    if (a.question == Question::deepest && PolytopeGaps<F>::is_for(a.form, b.form)) {
      return Base::contact_by_gaps(
          pair, limit, warm, counter, room,
          [&](const auto&, const auto&, const MaskOf<F>& is_left, Answers& answers) {
            Base::answer_found(pair, shapes_a, shapes_b, is_left, limit, answers, counter, room,
                               &exits);
          });
    }
    return contact_by_exits(pair, shapes_a, shapes_b, limit, warm, exits, counter, room);
  }

 private:
  /// A function of its own, so that distances do not need its stack.
  static __attribute__((noinline)) Manifold<F, 3, 4> contact_by_exits(
      const CorePair<F>& pair, const ConvexShapeLanes<F>& shapes_a,
      const ConvexShapeLanes<F>& shapes_b, const F& limit, WarmStartLanes<F>& warm,
      EllipsoidExits<F>& exits, LaneCounter<F>& counter, Room& room) {
    const A &a = pair.a.shape, &b = pair.b.shape;
    EllipsoidGaps<F> gaps(pair);
    Simplex3<F> simplex;
    Answers answers;
    unsigned left = counter.live;
    if (a.form == CoreForm::cylinder && a.question == Question::deepest) {
      gaps.find(left, counter);
      left &= ~gaps.proven();
    }
    if (a.question != Question::contact) {
      Base::clear(answers, a.question, warm);
      exits.find(left, counter);
      put(pair, shapes_a, shapes_b, limit, exits, answers, counter, room);
      for (unsigned apart = exits.apart(); apart != 0; apart &= apart - 1) {
        const int i = __builtin_ctz(apart);
        answers.put_direction(i, exits.direction(i), exits.depth(i));
      }
      left &= ~(exits.found() | exits.apart());
    }
    if (left == counter.live) {
      search(pair, shapes_a, shapes_b, left, limit, warm, gaps, simplex, answers, counter, room);
    } else if (left != 0) {
      Answers& found = room.found;
      search(pair, shapes_a, shapes_b, left, limit, warm, gaps, simplex, found, counter, room);
      for (; left != 0; left &= left - 1) answers.take(__builtin_ctz(left), found);
    }
    if (gaps.proven() != 0) gaps.put(answers);
    if (warm.is_given) answers.keep(pair, LaneTraits<F>::all, warm);
    return answers.manifold(a, a.radius + b.radius);
  }

  /// Answers these lanes by GJK and what follows it, but where `gaps` proves their distances.
  static WIDEPHASE_INLINE void search(const CorePair<F>& pair, const ConvexShapeLanes<F>& shapes_a,
                                      const ConvexShapeLanes<F>& shapes_b, unsigned asked,
                                      const F& limit, const WarmStartLanes<F>& warm,
                                      EllipsoidGaps<F>& gaps, Simplex3<F>& simplex,
                                      Answers& answers, LaneCounter<F>& counter, Room& room) {
    Base::find_nearest(pair, lanes_of<F>(asked), limit, warm, simplex, counter);
    answers.set(simplex);
    answers.ask(pair.a.shape.question, warm);
    const Question question = pair.a.shape.question;
    if (question != Question::deepest && pair.a.shape.form == CoreForm::cylinder) {
      const unsigned near = asked & Base::near_and_apart(simplex, limit, question);
      if (near != 0) gaps.find(near, counter);
      asked &= ~gaps.proven();
    }
    Base::answer_found(pair, shapes_a, shapes_b, lanes_of<F>(asked), limit, answers, counter, room);
  }

  /// Puts the points of the exits that are found.
  static __attribute__((noinline)) void put(const CorePair<F>& pair,
                                            const ConvexShapeLanes<F>& shapes_a,
                                            const ConvexShapeLanes<F>& shapes_b, const F& limit,
                                            EllipsoidExits<F>& exits, Answers& answers,
                                            LaneCounter<F>& counter, Room& room) {
    const Lanes<F> limits(limit), x(pair.apart[0]), y(pair.apart[1]), z(pair.apart[2]);
    for (unsigned left = exits.found(); left != 0; left &= left - 1) {
      const int i = __builtin_ctz(left);
      const ConvexShape<T> shape_a = shapes_a[i], shape_b = shapes_b[i];
      const ShapePair<T> one{shape_a, shape_b, {{x[i], y[i], z[i]}}};
      counter.add_alone(1);
      const DirectExit<T> direct = exits.exit(i, one, size_of(one));
      if (!direct.is_found) {
        exits.drop(i);
        continue;
      }
      const OnePair<T> begun = begin_pair(one, limits[i], i, true, answers);
      Base::answer_overlap(begun, direct, answers, counter, room);
    }
  }
};

/// aabb_ellipsoid, box_ellipsoid, cylinder_ellipsoid.
template <class F>
struct SolidEllipsoid : HullEllipsoid<F> {
  using typename HullEllipsoid<F>::FirstLook;
  static WIDEPHASE_INLINE MaskOf<F> first_look(const ConvexLanes<F>& a, const ConvexLanes<F>& b,
                                               const F& margin, FirstLook&) {
    const CoresOnLine<F> line(a, b, margin);
    const F of_a = a.form == CoreForm::cylinder
                       ? line.reach_of(AboutAxis<F>{a.turn.column[2], a.half[2], a.half[0]})
                       : line.reach_of_box(a);
    return line.may_meet(of_a + line.reach_of_ellipsoid(b),
                         coordinate_size(a.half) + coordinate_size(b.half));
  }
};

}  // namespace
}  // namespace widephase
