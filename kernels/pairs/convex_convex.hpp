#pragma once

#include "kernels/core/convex/convex_answers.hpp"
#include "kernels/core/convex/nearest_points3.hpp"
#include "kernels/core/convex/one_pair3.hpp"
#include "kernels/core/convex/polytope_gaps.hpp"
#include "kernels/core/convex/steady_face3.hpp"
#include "kernels/core/cylinder/cylinder_axes3.hpp"
#include "kernels/core/gjk/point_about_axis.hpp"
#include "kernels/core/smooth/point_at_ellipsoid.hpp"
#include "kernels/core/smooth/point_in_cone.hpp"
#include "kernels/core/smooth/smooth_exits.hpp"
#include "kernels/core/smooth/smooth_ties.hpp"

namespace widephase {
namespace {

// capsule_ellipsoid, sphere_cone, and with gjk_epa any two shapes in 3D except halfspaces: by
// support points alone.
//
// Frame: the scene's axes, with A's anchor as the origin. Normal: A to B. Points: 1 to 4, on A.
//
// Ties: the face of the Minkowski difference that EPA visits first, status 1.
//
// The steps, and where they are:
//   1. The distance, with pairs in lanes: GJK, core/gjk/gjk3.hpp. A point and a cylinder or
//      a cone have a closed form, core/gjk/point_about_axis.hpp. If only the deepest point is
//      asked for and the cores are apart, GJK gives it, core/convex/nearest_points3.hpp; beside an
//      ellipsoid or cone a short search or none, then core/convex/polytope_gaps.hpp.
//   2. If the cores overlap, the minimum translation, one pair at a time: EPA, core/epa/epa3.hpp.
//      Closed forms come before EPA: for cylinders along one another, core/cylinder/coaxial.hpp,
//      a point in a cone, core/smooth/point_in_cone.hpp, and for a cylinder and a core with
//      vertices, core/cylinder/cylinder_axes3.hpp, for a cone and such a core,
//      core/smooth/cone_axes3.hpp, for a cone and another one or a cylinder,
//      core/smooth/cone_exits.hpp, for an ellipsoid and a hull,
//      core/smooth/exits_over_ellipsoid.hpp
//      (`CylinderConvex`, `ConeConvex`, `ConeCone`, `HullEllipsoid` pass these in). For an
//      ellipsoid or what these leave open a coarse polytope will do,
//      core/smooth/smooth_exits.hpp. With steadiness
//      a face may come first, core/convex/steady_face3.hpp.
//   3. Other special cases of cylinders, core/cylinder/cylinder_contact.hpp, and the gaps of
//      ellipsoids and cones, core/smooth/smooth_contact.hpp, smooth_steps.hpp and
//      point_at_ellipsoid.hpp.
//   4. The faces that meet, core/faces/convex_face.hpp, and the deepest point,
//      core/convex/one_pair3.hpp.
//   5. The points over these faces, core/faces/convex_manifold.hpp.
//
// Cost: GJK with pairs in lanes; EPA and manifolds one pair at a time.
template <class F>
struct ConvexConvex {
  using A = ConvexLanes<F>;
  using B = ConvexLanes<F>;
  using T = RealOf<F>;
  using Answers = ConvexAnswers<F>;
  static constexpr int max_points = 4;
  static constexpr bool is_warm_when_steady = false;

  struct Room {
    RoomFor<ExitSearch<T>> search;
    RoomFor<ExitSettler<T>> settler;
    FacesRoom<T> faces;
    ConvexAnswers<F> found;  ///< by another search
    RoomFor<PolytopeGaps<F>> gaps;
  };

  static Manifold<F, 3, 4> contact(const A& a, const B& b, const F& margin, WarmStartLanes<F>& warm,
                                   LaneCounter<F>& counter, Room& room) {
    const CorePair<F> pair(a, b);
    const F limit = least_core_depth(margin, a.radius + b.radius);
    if (a.question == Question::deepest && PolytopeGaps<F>::is_for(a.form, b.form)) {
      return contact_by_gaps(pair, limit, warm, counter, room,
                             [&](const auto& shapes_a, const auto& shapes_b,
                                 const MaskOf<F>& is_left, Answers& answers) {
                               answer_found(pair, shapes_a, shapes_b, is_left, limit, answers,
                                            counter, room);
                             });
    }
    return contact_by_search(pair, limit, warm, counter, room);
  }

 protected:
  // A function of its own, so that distances do not need its stack.
  static __attribute__((noinline)) Manifold<F, 3, 4> contact_by_search(const CorePair<F>& pair,
                                                                       const F& limit,
                                                                       WarmStartLanes<F>& warm,
                                                                       LaneCounter<F>& counter,
                                                                       Room& room) {
    const A &a = pair.a.shape, &b = pair.b.shape;
    const auto all = counter.live_lanes();
    Simplex3<F> simplex;
    const bool is_searched = !find_nearest_of_point(pair, simplex);
    if (is_searched) find_nearest(pair, all, limit, warm, simplex, counter);
    Answers answers(simplex);
    answers.ask(a.question, warm);
    const ConvexShapeLanes<F> shapes_a(a), shapes_b(b);
    answer_found(pair, shapes_a, shapes_b, all, limit, answers, counter, room);
    if (warm.is_given && is_searched) answers.keep(pair, LaneTraits<F>::all, warm);
    return answers.manifold(a, a.radius + b.radius);
  }
  /// As if a search had found nothing.
  static __attribute__((noinline)) void clear(Answers& answers, Question question,
                                              const WarmStartLanes<F>& warm) {
    Simplex3<F> none;
    none.clear();
    answers.set(none);
    answers.simplex = nullptr;
    answers.ask(question, warm);
  }

  /// Runs GJK in the lanes of `live`, each from where its last search ended. With a smooth core it
  /// may end where its bounds differ by the share `loose`.
  static WIDEPHASE_INLINE void find_nearest(const CorePair<F>& pair, const MaskOf<F>& live,
                                            const F& limit, const WarmStartLanes<F>& warm,
                                            Simplex3<F>& simplex, LaneCounter<F>& counter,
                                            T loose = 0) {
    GjkStart<F> start(pair);
    if (warm.is_given) start.read(pair, warm);
    start.loose = F(loose);
    gjk(pair, live, start, negate(limit), simplex, counter);
  }

  /// Where a short search ends.
  static constexpr T kLoose = T(1e-3);

  /// Cores that overlap by more than rounding, whatever EPA would say.
  static WIDEPHASE_INLINE MaskOf<F> is_surely_deep(const Simplex3<F>& simplex) {
    return least_depth(simplex) > roundings<F>(256) * sqrt(simplex.reach2);
  }

  /// Where settling a smooth core may move the depth over the limit, or below it.
  static WIDEPHASE_INLINE MaskOf<F> is_close(const Simplex3<F>& simplex, const F& limit) {
    return negate(simplex.distance) - limit <= roundings<F>(64) * sqrt(simplex.reach2);
  }

  /// Answers the lanes where GJK has searched and the cores are at least as deep as `limit`. `axes`
  /// has closed forms of exits: `find(overlapping, counter)` finds those of lanes, `exit(lane,
  /// pair, size)` answers one.
  template <class Axes = CylinderAxes<F>>
  static WIDEPHASE_INLINE void answer_found(const CorePair<F>& pair,
                                            const ConvexShapeLanes<F>& shapes_a,
                                            const ConvexShapeLanes<F>& shapes_b,
                                            const MaskOf<F>& is_searched, const F& limit,
                                            Answers& answers, LaneCounter<F>& counter, Room& room,
                                            Axes* axes = nullptr) {
    const Simplex3<F>& simplex = *answers.simplex;
    auto is_overlap = is_searched & (simplex.is_overlap > F(0));
    auto is_near = is_overlap | (is_searched & (negate(simplex.distance) >= limit));
    if (pair.a.shape.question == Question::contact && any<F>(is_near)) {
      // Distances are known, and a lower bound of each depth. Only shallow pairs need EPA.
      const auto is_deep = is_overlap & is_surely_deep(simplex);
      store(answers.depth.number,
            select(is_deep, least_depth(simplex), load(answers.depth.number)));
      is_overlap = is_overlap & !is_deep;
      const CoreForm form_a = pair.a.shape.form, form_b = pair.b.shape.form;
      const bool is_settled =
          (is_smooth(form_a) || is_smooth(form_b)) && !is_point_about_axis(form_a, form_b);
      const auto may_move = is_settled ? is_close(simplex, limit) : F(1) < F(0);
      is_near = is_overlap | (is_near & !is_deep & ((simplex.is_capped > F(0)) | may_move));
    }
    if (pair.a.shape.question == Question::deepest && has_vertices(pair.a.shape.form) &&
        has_vertices(pair.b.shape.form)) {
      put_nearest_points(pair, shapes_a, shapes_b, is_near & !is_overlap, answers);
      is_near = is_overlap;
    }
    const unsigned near = mask_bits(is_near), overlapping = mask_bits(is_overlap);
    if (near == 0) return;
    if (axes != nullptr) axes->find(overlapping, counter);
    const Lanes<F> limits(limit), x(pair.apart[0]), y(pair.apart[1]), z(pair.apart[2]);
    for (unsigned left = near; left != 0; left &= left - 1) {
      const int i = __builtin_ctz(left);
      const bool overlaps = (overlapping >> i & 1) != 0;
      const ConvexShape<T> shape_a = shapes_a[i], shape_b = shapes_b[i];
      const ShapePair<T> pair_of_lane{shape_a, shape_b, {{x[i], y[i], z[i]}}};
      DirectExit<T> direct;
      if (overlaps && axes != nullptr) direct = axes->exit(i, pair_of_lane, size_of(pair_of_lane));
      answer(pair_of_lane, limits[i], i, overlaps, direct, answers, counter, room);
    }
  }

  // Functions of their own, so that later steps can use their stack.
  static __attribute__((noinline)) void search_briefly(const CorePair<F>& pair, const F& limit,
                                                       const WarmStartLanes<F>& warm,
                                                       Simplex3<F>& simplex,
                                                       LaneCounter<F>& counter) {
    find_nearest(pair, counter.live_lanes(), limit, warm, simplex, counter, kLoose);
  }
  /// The whole search in some lanes.
  static __attribute__((noinline)) void search_on(const CorePair<F>& pair, unsigned asked,
                                                  const F& limit, const WarmStartLanes<F>& warm,
                                                  Simplex3<F>& simplex, LaneCounter<F>& counter) {
    const auto is_asked = lanes_of<F>(asked);
    Simplex3<F> last;
    find_nearest(pair, is_asked, limit, warm, last, counter);
    simplex = select(is_asked, last, simplex);
  }

  /// Only the deepest point of a core with vertices and a smooth one: features that are proven
  /// nearest answer cores that are apart, from where a short search has ended. The rest is
  /// searched, and then answered by `answer_rest(shapes_a, shapes_b, is_left, answers)`.
  template <class AnswerRest>
  static __attribute__((noinline)) Manifold<F, 3, 4> contact_by_gaps(
      const CorePair<F>& pair, const F& limit, WarmStartLanes<F>& warm, LaneCounter<F>& counter,
      Room& room, const AnswerRest& answer_rest) {
    const ConvexLanes<F>&a = pair.a.shape, &b = pair.b.shape;
    const ConvexShapeLanes<F> shapes_a(a), shapes_b(b);
    Simplex3<F> simplex;
    unsigned asked = counter.live;
    if (a.form == CoreForm::segment) {
      simplex.clear();
    } else {
      search_briefly(pair, limit, warm, simplex, counter);
      asked &= near_and_apart(simplex, limit, a.question);
    }
    PolytopeGaps<F>& gaps = room.gaps.make(pair, shapes_a, simplex);
    gaps.find(asked, counter);
    const unsigned open = asked & ~gaps.proven();
    if (open != 0) search_on(pair, open, limit, warm, simplex, counter);
    Answers answers(simplex);
    answers.ask(a.question, warm);
    const auto is_left = lanes_of<F>(counter.live & ~gaps.proven());
    answer_rest(shapes_a, shapes_b, is_left, answers);
    gaps.put(shapes_b, answers);
    if (warm.is_given) answers.keep(pair, LaneTraits<F>::all, warm);
    return answers.manifold(a, a.radius + b.radius);
  }

  /// Takes the distances that `gaps` proves: of all lanes if only the deepest point is asked for,
  /// else of those that a search finds apart within the limit. The rest is searched, and then
  /// answered by `answer_rest(is_left, answers)`.
  template <class Gaps, class AnswerRest>
  static WIDEPHASE_INLINE Manifold<F, 3, 4> contact_beside(const CorePair<F>& pair, const F& limit,
                                                           WarmStartLanes<F>& warm, Gaps& gaps,
                                                           LaneCounter<F>& counter, Room& room,
                                                           const AnswerRest& answer_rest) {
    const ConvexLanes<F>&a = pair.a.shape, &b = pair.b.shape;
    if (a.question == Question::deepest) gaps.find(counter.live, counter);
    unsigned open = counter.live & ~gaps.proven();
    Simplex3<F> simplex;
    find_nearest(pair, lanes_of<F>(open), limit, warm, simplex, counter);
    Answers answers(simplex);
    answers.ask(a.question, warm);
    if (a.question != Question::deepest) {
      const unsigned near = open & near_and_apart(simplex, limit, a.question);
      if (near != 0) gaps.find(near, counter);
      open &= ~gaps.proven();
    }
    if (open != 0) answer_rest(lanes_of<F>(open), answers);
    if (gaps.proven() != 0) {
      gaps.put(answers);
      if (answers.wants_points) put_faces(pair, gaps, limit, answers, counter, room);
    }
    if (warm.is_given) answers.keep(pair, LaneTraits<F>::all, warm);
    return answers.manifold(a, a.radius + b.radius);
  }
  /// Cores that are apart within the limit; for yes or no only those that settling may move over
  /// it, so that both questions have the same answer.
  static WIDEPHASE_INLINE unsigned near_and_apart(const Simplex3<F>& simplex, const F& limit,
                                                  Question question) {
    auto is_near = (negate(simplex.distance) >= limit) & !(simplex.is_overlap > F(0));
    if (question == Question::contact) is_near = is_near & is_close(simplex, limit);
    return mask_bits(is_near);
  }
  /// Cores that are apart meet in one point, unless a face looks at the other one.
  template <class Gaps>
  static __attribute__((noinline)) void put_faces(const CorePair<F>& pair, const Gaps& gaps,
                                                  const F& limit, Answers& answers,
                                                  LaneCounter<F>& counter, Room& room) {
    const unsigned faces = gaps.faces();
    if (faces == 0) return;
    const ConvexShapeLanes<F> shapes_a(pair.a.shape), shapes_b(pair.b.shape);
    const F none = F(0);
    answer_proven(pair, shapes_a, shapes_b, faces, limit, gaps.found().on_a, {none, none, none},
                  answers, counter, room);
  }

  /// Answers the lanes of `open` by support points.
  static __attribute__((noinline)) void answer_by_search(const ConvexLanes<F>& a,
                                                         const ConvexLanes<F>& b, const F& limit,
                                                         unsigned open, Answers& answers,
                                                         LaneCounter<F>& counter, Room& room) {
    const CorePair<F> pair(a, b);
    const ConvexShapeLanes<F> shapes_a(a), shapes_b(b);
    const auto is_open = lanes_of<F>(open);
    Simplex3<F> simplex;
    gjk(pair, is_open, GjkStart<F>(pair), negate(limit), simplex, counter);
    Answers& found = room.found;
    found.set(simplex);
    found.wants_points = answers.wants_points;
    found.steadiness = answers.steadiness;
    for (int i = 0; i < LaneTraits<F>::count; ++i) found.last[i] = answers.last[i];
    answer_found(pair, shapes_a, shapes_b, is_open, limit, found, counter, room);
    for (unsigned left = open; left != 0; left &= left - 1) {
      answers.take(__builtin_ctz(left), found);
    }
  }

  /// Takes one pair from where GJK has ended to its points.
  static __attribute__((noinline)) void answer(const ShapePair<T>& pair, T limit, int lane,
                                               bool is_overlap, const DirectExit<T>& direct,
                                               Answers& answers, LaneCounter<F>& counter,
                                               Room& room) {
    const OnePair<T> begun = begin_pair(pair, limit, lane, is_overlap, answers);
    counter.add_alone(1);
    if (!is_overlap) {
      answer_apart(begun, answers, room.faces);
    } else if (!answer_overlap(begun, direct, answers, counter, room)) {
      // The face or cap is the exit only by rounding, and the deepest point lies beside it. EPA
      // begins where GJK ended.
      counter.add_alone(1);
      answer_overlap(begun, {}, answers, counter, room);
    }
  }

  /// The direction is GJK's, unless a better one is known between features of a cylinder.
  static void answer_apart(OnePair<T> one, Answers& answers, FacesRoom<T>& room) {
    const int lane = one.lane;
    one.contact.depth = answers.depth[lane];
    for (int k = 0; k < 3; ++k) one.contact.normal[k] = answers.normal[k][lane];
    if (answers.status[lane] == T(2) && has_cylinder(one.pair)) {
      const Settled settled =
          settle_distance(one.pair, one.size, one.rounding, one.contact, one.witness, room);
      if (settled != Settled::no) answers.status.number[lane] = 0;
      one.is_settled = settled == Settled::on_cap;
    }
    if (is_smooth(one.pair)) {
      LeastExit<T> gap{one.contact.normal, one.contact.depth, false, false, one.witness};
      one.is_settled =
          is_point_about_axis(one.pair.a.form, one.pair.b.form) ||
          find_gap_at_ellipsoid(one.pair, one.rounding, gap) ||
          settle_smooth(one.pair, one.size, one.rounding, false, gap.direction, gap.depth,
                        gap.witness, room) ||
          (answers.status[lane] == T(2) && settle_gap(one.pair, one.size, one.rounding, gap, room));
      one.contact.normal = gap.direction;
      one.contact.depth = gap.depth;
      one.witness = gap.witness;
      if (one.is_settled) answers.status.number[lane] = 0;
      answers.put_direction(lane, one.contact.normal, one.contact.depth);
    }
    answer_points(one, answers, room);
  }

  /// Finds the points of cores whose direction and depth are proven and in the answers. `on_a` are
  /// their nearest or deepest points, exactly, and `vertices` those of A about these.
  static __attribute__((noinline)) void answer_proven(
      const CorePair<F>& pair, const ConvexShapeLanes<F>& shapes_a,
      const ConvexShapeLanes<F>& shapes_b, unsigned asked, const F& limit, const Vec<F, 3>& on_a,
      const F (&vertices)[3], Answers& answers, LaneCounter<F>& counter, Room& room) {
    const auto in_lanes = [](const Vec<F, 3>& v) {
      return Vec<Lanes<F>, 3>{{Lanes<F>(v[0]), Lanes<F>(v[1]), Lanes<F>(v[2])}};
    };
    const Lanes<F> limits(limit);
    const auto apart = in_lanes(pair.apart), points = in_lanes(on_a);
    const Lanes<F> numbers[3] = {Lanes<F>(vertices[0]), Lanes<F>(vertices[1]),
                                 Lanes<F>(vertices[2])};
    for (; asked != 0; asked &= asked - 1) {
      const int i = __builtin_ctz(asked);
      const ConvexShape<T> shape_a = shapes_a[i], shape_b = shapes_b[i];
      const ShapePair<T> shapes{shape_a, shape_b, {{apart[0][i], apart[1][i], apart[2][i]}}};
      const bool overlaps = answers.depth[i] > 0;
      OnePair<T> one = begin_pair(shapes, limits[i], i, overlaps, answers);
      counter.add_alone(1);
      one.is_settled = true;
      one.contact.depth = answers.depth[i];
      one.witness.count = 3;
      for (int k = 0; k < 3; ++k) {
        one.contact.normal[k] = answers.normal[k][i];
        one.witness.on_a[k] = points[k][i];
        one.witness.a[k] = static_cast<int>(numbers[k][i]);
        one.witness.b[k] = 0;
      }
      one.witness.on_b = (one.witness.on_a - one.contact.depth * one.contact.normal) - shapes.apart;
      if (overlaps && answers.steadiness > 0 && answer_by_face(one, answers, room.faces)) continue;
      answer_points(one, answers, room.faces);
    }
  }

  /// Finds the minimum translation, then the points. Answers false if the closed form `direct` has
  /// a face or cap that does not meet the other core.
  static bool answer_overlap(OnePair<T> one, const DirectExit<T>& direct, Answers& answers,
                             LaneCounter<F>& counter, Room& room) {
    const int lane = one.lane;
    LeastExit<T> exit = find_exit(one, direct, answers, counter, room);
    one.contact.normal = exit.direction;
    one.contact.depth = exit.depth;
    one.witness = exit.witness;
    answers.put_direction(lane, exit.direction, exit.depth);
    answers.put_vertices(lane, exit.witness);
    answers.status.number[lane] = exit.is_capped ? T(2) : exit.is_tie ? T(1) : T(0);
    if (answers.steadiness > 0 && one.pair.a.form != CoreForm::point && !exit.is_capped &&
        answer_by_face(one, answers, room.faces)) {
      return true;
    }
    return answer_points(one, answers, room.faces);
  }

  /// Uses the closed form if there is one, else EPA.
  static LeastExit<T> find_exit(OnePair<T>& one, const DirectExit<T>& direct,
                                const Answers& answers, LaneCounter<F>& counter, Room& room) {
    LeastExit<T> exit;
    if (find_coaxial_exit(one.pair, false, exit)) return exit;
    one.is_settled = find_point_in_cone_exit(one.pair, exit);
    if (one.is_settled) return exit;
    if (direct.is_found) {
      exit = direct.exit;
      one.feature = direct.feature;
      one.is_settled = direct.is_settled;
    } else {
      exit = search_exit(one, *answers.simplex, counter, room);
    }
    if (has_cylinder(one.pair) && !exit.is_tie && !exit.is_capped) {
      exit.is_tie = has_turned_tie(one.pair, exit, 2 * kRounding<T> * one.size);
    }
    return exit;
  }

  /// Runs EPA from GJK's last simplex.
  static __attribute__((noinline)) LeastExit<T> search_exit(OnePair<T>& one,
                                                            const Simplex3<F>& last,
                                                            LaneCounter<F>& counter, Room& room) {
    PolytopeVertex<T> simplex[4];
    for (int v = 0; v < one.simplex_size; ++v) simplex[v] = simplex_vertex(last, v, one.lane);
    ExitSearch<T>& search = room.search.make(one.pair, one.size);
    LeastExit<T> exit = search.find(simplex, one.simplex_size, one.witness);
    if (is_smooth(one.pair)) {
      ExitSettler<T>& settler = room.settler.make(one.pair, one.size, one.rounding, &room.faces);
      one.is_settled = settle_exit(search, settler, one.size, one.rounding, exit);
      exit.is_tie = exit.is_tie || has_smooth_tie(one.pair, exit.direction, exit.depth,
                                                  2 * kRounding<T> * one.size);
    }
    counter.add_alone(search.asked());
    return exit;
  }

  /// With steadiness: the points over a face that stays the exit. Answers whether there is one.
  static bool answer_by_face(const OnePair<T>& one, Answers& answers, FacesRoom<T>& room) {
    CoreContact<T> steady;
    CoreManifold<T> points;
    if (!find_steady_face(one.pair, one.size, one.contact, steady, points, room)) return false;
    answers.put_direction(one.lane, steady.normal, steady.depth);
    // A tie is over if the chosen face has another direction.
    if (dot(steady.normal, one.contact.normal) < T(0.999)) answers.status.number[one.lane] = 0;
    answers.points.put(one.lane, points);
    return true;
  }

  /// Finds the points for a known direction and depth. Answers false if a closed form has a face or
  /// cap that does not meet the other core.
  static bool answer_points(OnePair<T>& one, Answers& answers, FacesRoom<T>& room) {
    if (has_cylinder(one.pair)) {
      settle_cylinders(one);
      answers.put_direction(one.lane, one.contact.normal, one.contact.depth);
    }
    CoreManifold<T> points;
    if (!find_points_of(one, answers.wants_points, points, room)) return false;
    answers.points.put(one.lane, points);
    return true;
  }
};

}  // namespace
}  // namespace widephase
