#pragma once

#include "kernels/core/cylinder/box_line_points.hpp"
#include "kernels/core/cylinder/cores_on_line.hpp"
#include "kernels/pairs/convex_convex.hpp"

namespace widephase {
namespace {

// aabb_cylinder, box_cylinder, hull_cylinder: whether the cores overlap; if so, the minimum
// translation over all pairs of features; EPA where rounding leaves that open. Frame: the scene's
// axes, with A's anchor as the origin. Normal: A to B. Points: 1 to 4, on A.
// Ties: faces before caps before vertices before edges, the lowest first, status 1.
//
// The steps, and where they are:
//   1. A box, with pairs in lanes: the least overlap in closed form,
//      core/cylinder/cylinder_box_axes3.hpp. It also shows which cores are apart by more than the
//      limit.
//   2. A hull, and boxes that are apart or that step 1 leaves open: the distance, with pairs in
//      lanes, by GJK, core/gjk/gjk3.hpp. If the cores overlap, the minimum translation in closed
//      form, core/cylinder/cylinder_axes3.hpp. It reads a box as a hull (core/hull/box_hull.hpp).
//      If that fails, EPA, core/epa/epa3.hpp.
//   3. One pair at a time, `answer_overlap` and `answer_apart` of kernels/pairs/convex_convex.hpp.
//      Distances that GJK has left open and other special cases of cylinders:
//      core/cylinder/cylinder_contact.hpp. The faces that meet: core/faces/convex_face.hpp. The
//      deepest point: core/convex/one_pair3.hpp.
//   4. The points: core/faces/convex_manifold.hpp clips a box's face, edge or vertex and the
//      cylinder's cap or side against each other, with core/faces/face_clipper.hpp. Where a line of
//      the side lies over a box, pairs are in lanes, core/cylinder/box_line_points.hpp.
template <class F>
struct CylinderConvex : private ConvexConvex<F> {
  using T = RealOf<F>;
  using Base = ConvexConvex<F>;
  using Base::is_warm_when_steady;
  using Base::max_points;
  using typename Base::A;
  using typename Base::Answers;
  using typename Base::B;
  static constexpr Kind b_kind = Kind::cylinder;
  using typename Base::Room;

  static Manifold<F, 3, 4> contact(const ConvexLanes<F>& a, const ConvexLanes<F>& b,
                                   const F& margin, WarmStartLanes<F>& warm,
                                   LaneCounter<F>& counter, Room& room) {
    const F reach = a.radius + b.radius;
    const F limit = least_core_depth(margin, reach);
    const CorePair<F> pair(a, b);
    const ConvexShapeLanes<F> shapes_a(a), shapes_b(b);
    Simplex3<F> simplex;
    Answers answers;
    unsigned left = counter.live;
    if (a.form == CoreForm::box) {
      simplex.clear();
      answers.set(simplex);
      answers.ask(a.question, warm);
      left &= ~answer_box(pair, shapes_a, shapes_b, limit, answers, counter, room);
    }
    if (left == counter.live) {
      search(pair, shapes_a, shapes_b, left, limit, warm, simplex, answers, counter, room);
    } else if (left != 0) {
      Answers found;
      search(pair, shapes_a, shapes_b, left, limit, warm, simplex, found, counter, room);
      for (; left != 0; left &= left - 1) answers.take(__builtin_ctz(left), found);
    }
    if (warm.is_given) answers.keep(pair, LaneTraits<F>::all, warm);
    return answers.manifold(a, reach);
  }

 private:
  /// Answers these lanes by GJK and what follows it.
  static WIDEPHASE_INLINE void search(const CorePair<F>& pair, const ConvexShapeLanes<F>& shapes_a,
                                      const ConvexShapeLanes<F>& shapes_b, unsigned asked,
                                      const F& limit, const WarmStartLanes<F>& warm,
                                      Simplex3<F>& simplex, Answers& answers,
                                      LaneCounter<F>& counter, Room& room) {
    const auto is_asked = lanes_of<F>(asked);
    Base::find_nearest(pair, is_asked, limit, warm, simplex, counter);
    answers.set(simplex);
    answers.ask(pair.a.shape.question, warm);
    CylinderAxes<F> axes(pair, shapes_a, simplex);
    Base::answer_found(pair, shapes_a, shapes_b, is_asked, limit, answers, counter, room, &axes);
  }

  /// Answers boxes that overlap the cylinder or are farther from it than the limit. Answers which.
  static __attribute__((noinline)) unsigned answer_box(const CorePair<F>& pair,
                                                       const ConvexShapeLanes<F>& shapes_a,
                                                       const ConvexShapeLanes<F>& shapes_b,
                                                       const F& limit, Answers& answers,
                                                       LaneCounter<F>& counter, Room& room) {
    CylinderBoxAxes<F> axes(pair);
    const bool is_test = pair.a.shape.question == Question::contact;
    axes.find(counter.live, is_test, counter);
    const BoxExits<F> exits = axes.exits();
    const Vec<F, 3> normal = rotate(pair.a.shape.turn, exits.normal);
    answers.depth = Lanes<F>(exits.overlap);
    for (int k = 0; k < 3; ++k) answers.normal[k] = Lanes<F>(normal[k]);
    unsigned answered = axes.apart_by(limit), left = axes.overlapping();
    if (is_test) return answered | left;
    if (left != 0 && answers.wants_points && !(answers.steadiness > 0)) {
      const unsigned found = put_line_points(pair, exits, left, limit, answers, counter);
      answered |= found;
      left &= ~found;
    }
    const Lanes<F> limits(limit), x(pair.apart[0]), y(pair.apart[1]), z(pair.apart[2]);
    for (; left != 0; left &= left - 1) {
      const int i = __builtin_ctz(left);
      if (answer_one({shapes_a[i], shapes_b[i], {{x[i], y[i], z[i]}}}, limits[i], i, axes, answers,
                     counter, room)) {
        answered |= 1u << i;
      }
    }
    return answered;
  }
  /// Answers the lanes of `asked` where a line of the side lies over the box. Answers which.
  static WIDEPHASE_INLINE unsigned put_line_points(const CorePair<F>& pair,
                                                   const BoxExits<F>& exits, unsigned asked,
                                                   const F& limit, Answers& answers,
                                                   LaneCounter<F>& counter) {
    BoxLinePoints<F> points(pair, exits, limit);
    const unsigned found = points.put(asked, answers.points);
    counter.add_step_of(asked);
    if (found == 0) return 0;
    const auto is_found = lanes_of<F>(found);
    for (int k = 0; k < 3; ++k) {
      store_where(is_found, answers.normal[k].number, points.normal[k]);
    }
    store_where(is_found, answers.depth.number, points.depth);
    store_where(is_found, answers.status.number, one_where<F>(points.has_tie()));
    return found;
  }
  static __attribute__((noinline)) bool answer_one(const ShapePair<T>& pair, T limit, int lane,
                                                   const CylinderBoxAxes<F>& axes, Answers& answers,
                                                   LaneCounter<F>& counter, Room& room) {
    counter.add_alone(1);
    const DirectExit<T> direct = axes.exit(lane, pair, size_of(pair));
    if (!direct.is_found) return false;
    const OnePair<T> begun = begin_pair(pair, limit, lane, true, answers);
    return Base::answer_overlap(begun, direct, answers, counter, room);
  }
};

/// aabb_cylinder, box_cylinder: a first look leaves out pairs that are apart along the line between
/// their middles.
template <class F>
struct BoxCylinder : CylinderConvex<F> {
  struct FirstLook {};
  static WIDEPHASE_INLINE MaskOf<F> first_look(const ConvexLanes<F>& a, const ConvexLanes<F>& b,
                                               const F& margin, FirstLook&) {
    const CoresOnLine<F> line(a, b, margin);
    const AboutAxis<F> cylinder{b.turn.column[2], b.half[2], b.half[0]};
    return line.may_meet(line.reach_of_box(a) + line.reach_of(cylinder),
                         coordinate_size(a.half) + (cylinder.half + cylinder.radius));
  }
};

/// hull_cylinder: the same first look, with the hull's farthest vertex along that line.
template <class F>
struct HullCylinder : CylinderConvex<F> {
  struct FirstLook {};
  static WIDEPHASE_INLINE MaskOf<F> first_look(const ConvexLanes<F>& a, const ConvexLanes<F>& b,
                                               const F& margin, FirstLook&) {
    const CoresOnLine<F> line(a, b, margin);
    F extent;
    const F reach = line.reach_of_hull(a, extent);
    const AboutAxis<F> cylinder{b.turn.column[2], b.half[2], b.half[0]};
    return line.may_meet(reach + line.reach_of(cylinder),
                         extent + (cylinder.half + cylinder.radius));
  }
};

}  // namespace
}  // namespace widephase
