#pragma once

#include "kernels/core/hull/box_hull.hpp"
#include "kernels/core/hull/hull_nearest3.hpp"
#include "kernels/core/hull/hull_points3.hpp"
#include "kernels/core/hull/line_queue3.hpp"
#include "kernels/core/hull/segment_hull.hpp"
#include "kernels/pairs/convex_convex.hpp"

namespace widephase {
namespace {

// hull_hull, box_hull, aabb_hull, capsule_hull: the separating axes by bounds; GJK if the cores are
// apart by at most the margin and both radii; then the manifold of the faces that meet.
//
// Frame: the scene's axes, with A's anchor as the origin. Normal: A to B. Points: 1 to 4, on A.
//
// Ties go to A's faces before B's before pairs of edges, the lowest first, status 1. Parallel faces
// of A and B count as one direction. A capsule's core is a hull of one edge.
//
// The steps, and where they are:
//   1. `begin`: each hull in the other's frame. A box is read as a hull (core/hull/box_hull.hpp), a
//      capsule's core as a hull of one edge (core/hull/segment_hull.hpp).
//   2. `find_axes`: faces, core/hull/hull_faces3.hpp and hull_heights3.hpp, then edges,
//      core/hull/hull_edges3.hpp.
//   3. `answer`: cores that are apart go to GJK, core/gjk/gjk3.hpp (capsules first try
//      core/hull/hull_nearest3.hpp), then to `answer` of kernels/pairs/convex_convex.hpp. Cores
//      that overlap along an axis: the deepest point by core/hull/hull_points3.hpp, or step 4.
//   4. `find_points`: faces clipped to faces, and capsules' cores to one or two faces, with
//      pairs in lanes, core/hull/face_queue3.hpp and line_queue3.hpp.
//   5. `manifold`: pairs that are still open, one at a time, core/faces/convex_manifold.hpp.
//
// Cost: per pair 2 or 3 support points and passes over all faces, then over all edges.
template <class F>
struct HullHull : private ConvexConvex<F> {
  using T = RealOf<F>;
  using Base = ConvexConvex<F>;
  using Base::is_warm_when_steady;
  using Base::max_points;
  using typename Base::A;
  using typename Base::Answers;
  using typename Base::B;
  static constexpr Kind b_kind = Kind::hull;
  static constexpr int lanes = LaneTraits<F>::count;

  /// For A of any other kind; B is a hull.
  union MadeHulls {
    BoxHull<T> boxes[lanes];
    SegmentHull<T> segments[lanes];
  };

  /// Batches. `begin` runs for each batch, `find_axes` for all together, then `answer` for each.
  /// The points of pairs over faces are found together.
  class Batches {
   public:
    static constexpr int most = kMostSearches;

    WIDEPHASE_INLINE void begin(int number, const ConvexLanes<F>& a, const ConvexLanes<F>& b,
                                const LaneCounter<F>& counter) {
      set_frames(a, b, made_, number, search_[number]);
      search_[number].live = counter.live;
    }

    void find_axes(int count, bool is_test, WarmStartLanes<F>* warm, LaneCounter<F>& counter) {
      find_hull_axes(search_, count, is_test, room_, warm, counter);
    }

    /// All points except those over faces.
    __attribute__((noinline)) void answer(int number, const ConvexLanes<F>& a,
                                          const ConvexLanes<F>& b, const F& margin,
                                          WarmStartLanes<F>& warm, LaneCounter<F>& counter) {
      HullSearch<F>& search = search_[number];
      Answers& answers = answers_[number];
      const F limit = least_core_depth(margin, a.radius + b.radius);
      const CorePair<F> pair(a, b);
      const F overlap = load(search.axis.overlap.number);
      // Which face has shown that cores are apart must not decide whether they are within reach.
      const F level = select(limit < F(0), roundings<F>(16) * load(search.size.number), F(0));
      // A box without an extent has faces that are edges: GJK and EPA find its points.
      auto is_near =
          (is_flat_box(a) & counter.live_lanes()) | ((overlap < F(0)) & (overlap >= limit - level));
      const unsigned by_face = answer_near(number, pair, overlap, limit, is_near, warm, counter);
      const unsigned by_axis = mask_bits((!is_near) & (overlap >= F(0))) | by_face;
      if (a.question == Question::contact || by_axis == 0) return;
      answer_by_axes(pair, by_axis, limit, search, faces_, lines_, answers, counter);
    }

    /// Cores that are apart within reach, in the lanes of `is_near`. Answers those of capsules that
    /// overlap the hull over a face, and takes them out of these. A function of its own, so that
    /// later steps can use its stack.
    __attribute__((noinline)) unsigned answer_near(int number, const CorePair<F>& pair,
                                                   const F& overlap, const F& limit,
                                                   MaskOf<F>& is_near, WarmStartLanes<F>& warm,
                                                   LaneCounter<F>& counter) {
      HullSearch<F>& search = search_[number];
      Answers& answers = answers_[number];
      const ConvexLanes<F>& a = pair.a.shape;
      Simplex3<F> simplex;
      SegmentFeatures<F> features{F(0), F(0)};
      unsigned by_face = 0, named = 0;
      if (a.form == CoreForm::segment) {
        by_face = find_nearest_of_capsules(pair, is_near, limit, search, warm, simplex, features,
                                           named, counter);
        is_near = is_near & !lanes_of<F>(by_face);
      } else if (any<F>(is_near)) {
        Base::find_nearest(pair, is_near, limit, warm, simplex, counter);
      } else {
        simplex.clear();
      }
      answers.set(simplex);
      answers.ask(a.question, warm);
      // Pairs that are apart by more than the limit keep the axis's overlap.
      store(answers.depth.number, select(is_near, load(answers.depth.number), overlap));
      by_line_[number] = 0;
      if (a.form == CoreForm::segment && a.question == Question::points) {
        const unsigned apart = named & mask_bits(is_near & (negate(simplex.distance) >= limit));
        by_line_[number] =
            add_lines(pair, apart, limit, search, features, answers, lines_, counter);
      }
      const ConvexShapeLanes<F> shapes_a(a), shapes_b(pair.b.shape);
      Base::answer_found(pair, shapes_a, shapes_b, is_near & !lanes_of<F>(by_line_[number]), limit,
                         answers, counter, alone_);
      if (warm.is_given) answers.keep(pair, mask_bits(is_near), warm);
      return by_face;
    }

    void find_points(LaneCounter<F>& counter) {
      faces_.put_points(counter);
      lines_.put_points(counter);
    }

    WIDEPHASE_INLINE Manifold<F, 3, 4> manifold(int number, const ConvexLanes<F>& a,
                                                const ConvexLanes<F>& b, const F& margin,
                                                LaneCounter<F>& counter) {
      if (answers_[number].points.open != 0) {
        answer_open(a, b, margin, search_[number], by_line_[number], answers_[number], counter,
                    alone_.faces);
      }
      return answers_[number].manifold(a, a.radius + b.radius);
    }

   private:
    HullSearch<F> search_[most];
    MadeHulls made_[most];
    Answers answers_[most];
    unsigned by_line_[most];  ///< the lanes of cores apart that went into the queue of lines
    FaceQueue<F> faces_;
    LineQueue<F> lines_;
    AxesRoom<F> room_;
    typename Base::Room alone_;  ///< for pairs that are answered one at a time
  };

 private:
  /// Cores that overlap along a known axis: stores the axis, then the contact points, except for
  /// pairs that the queues take and pairs that are left open.
  static WIDEPHASE_INLINE void answer_by_axes(const CorePair<F>& pair, unsigned found,
                                              const F& limit, const HullSearch<F>& search,
                                              FaceQueue<F>& queue, LineQueue<F>& lines,
                                              Answers& answers, LaneCounter<F>& counter) {
    const HullAxes<F>& axis = search.axis;
    const auto is_found = lanes_of<F>(found);
    const ConvexLanes<F>&a = pair.a.shape, &b = pair.b.shape;
    const F zero = F(0), one = F(1);
    // The frame of a capsule's core is the scene's axes.
    const Rotation3<F> turn_a =
        a.form == CoreForm::segment
            ? Rotation3<F>{{{{one, zero, zero}}, {{zero, one, zero}}, {{zero, zero, one}}}}
            : a.turn;
    const Vec<F, 3> normal = rotate(turn_a, axis_of(axis));
    const auto put = [&](Lanes<F>& to, const F& value) { store_where(is_found, to.number, value); };
    for (int k = 0; k < 3; ++k) put(answers.normal[k], normal[k]);
    put(answers.depth, load(axis.overlap.number));
    put(answers.status, load(axis.is_tie.number));
    counter.add_step_of(found);
    const unsigned edges = found & mask_bits(load(axis.is_edge.number) > zero);
    const unsigned faces = found & ~edges;
    unsigned open = found;
    if (a.question == Question::deepest) {
      if (edges != 0) open &= ~put_edge_points(search, turn_a, edges, answers.points);
      if (faces != 0) open &= ~put_vertex_points(search, turn_a, faces, answers.points);
    } else {
      const HullFrames<F> frames(turn_a, b.turn, pair.apart, limit);
      queue.steadiness = answers.steadiness;
      MeetingFace meeting[lanes];
      find_meeting_faces(search, faces, meeting);
      for (unsigned left = found; left != 0; left &= left - 1) {
        const int i = __builtin_ctz(left);
        if (queue.add(search, frames, i, meeting[i], answers.last[i], answers.points)) {
          open &= ~(1u << i);
          if (queue.is_full()) queue.put_points(counter);
        } else if (a.form == CoreForm::segment && (edges >> i & 1) != 0 &&
                   add_line(search, frames, i, answers, lines)) {
          open &= ~(1u << i);
          if (lines.is_full()) lines.put_points(counter);
        }
      }
    }
    answers.points.open |= open;
  }

  /// Puts a capsule's pair whose cores overlap into the queue of lines, if that takes it. A
  /// function of its own, as is `add_lines`, so that longer steps can use its stack.
  static __attribute__((noinline)) bool add_line(const HullSearch<F>& search,
                                                 const HullFrames<F>& frames, int lane,
                                                 Answers& answers, LineQueue<F>& lines) {
    const HullAxes<F>& axis = search.axis;
    const Vec<T, 3> normal = vec_of(axis.normal, lane), apart = vec_of(frames.apart, lane);
    const CorePoint<T> deepest{vec_of(axis.point, lane), axis.overlap[lane],
                               edge_feature(axis.edge_a[lane]), edge_feature(axis.edge_b[lane])};
    lines.steadiness = answers.steadiness;
    return lines.add(search, frames, lane, normal, deepest,
                     (deepest.on_a - apart) - deepest.depth * normal, answers.points);
  }

  /// Finds the points that no other step has found, one pair at a time.
  static __attribute__((noinline)) void answer_open(const ConvexLanes<F>& a,
                                                    const ConvexLanes<F>& b, const F& margin,
                                                    const HullSearch<F>& search, unsigned by_line,
                                                    Answers& answers, LaneCounter<F>& counter,
                                                    FacesRoom<T>& room) {
    const unsigned open = answers.points.open;
    counter.add_alone(bit_count(open));
    const ConvexShapeLanes<F> shapes_a(a), shapes_b(b);
    const Vec<F, 3> apart = CorePair<F>(a, b).apart;
    const Lanes<F> limits(least_core_depth(margin, a.radius + b.radius));
    const Lanes<F> x(apart[0]), y(apart[1]), z(apart[2]);
    for (unsigned left = open; left != 0; left &= left - 1) {
      const int i = __builtin_ctz(left);
      const ConvexShape<T> shape_a = shapes_a[i], shape_b = shapes_b[i];
      const ShapePair<T> pair{shape_a, shape_b, {{x[i], y[i], z[i]}}};
      if ((by_line >> i & 1) != 0) {
        Base::answer_apart(begin_pair(pair, limits[i], i, false, answers), answers, room);
      } else {
        answer_by_axis(shape_a, shape_b, pair.apart, limits[i], i, search, answers, room);
      }
    }
  }

  static __attribute__((noinline)) void set_frames(const ConvexLanes<F>& a, const ConvexLanes<F>& b,
                                                   MadeHulls* all_made, int number,
                                                   HullSearch<F>& search) {
    const Vec<F, 3> apart = CorePair<F>(a, b).apart;
    const ConvexShapeLanes<F> shapes_a(a), shapes_b(b);
    MadeHulls& made = all_made[number];
    BoundedHulls<F>* const side = search.side;
    // The frame of a capsule's core is the scene's axes.
    const bool is_segment = a.form == CoreForm::segment;
    const Rotation3<F> turn = is_segment ? b.turn : between(a.turn, b.turn);
    const Vec<F, 3> t = is_segment ? apart : rotate_back(a.turn, apart);
    side[0].other.set(turn, t);
    side[1].other.set(inverse(turn), -rotate_back(b.turn, apart));
    side[0].base = a.form == CoreForm::hull ? a.library
                   : is_segment             ? all_made[0].segments[0].numbers
                                            : all_made[0].boxes[0].numbers;
    side[1].base = b.library;
    T reach_a[lanes], reach_b[lanes];
    if (a.form != CoreForm::hull) store(reach_a, reach_of_axes(a));
    const Vec<F, 3> half = is_segment ? a.half[0] * a.turn.column[0] : a.half;
    const Lanes<F> halves[3] = {Lanes<F>(half[0]), Lanes<F>(half[1]), Lanes<F>(half[2])};
    for (int i = 0; i < lanes; ++i) {
      if (a.form == CoreForm::hull) {
        side[0].hull[i] = HullView<T>(a.library, a.indices, integer_in(shapes_a.place()[i]));
        reach_a[i] = side[0].hull[i].numbers[HullLayout::reach];
      } else if (is_segment) {
        made.segments[i].set(vec_of(halves, i));
        side[0].hull[i] = made.segments[i].view();
      } else if (i == 0 || !has_same_half(shapes_a, i, i - 1)) {
        made.boxes[i].set({halves[0][i], halves[1][i], halves[2][i]});
        side[0].hull[i] = made.boxes[i].view();
      } else {
        // The pairs of one box often follow one another in a list.
        side[0].hull[i] = side[0].hull[i - 1];
      }
      side[1].hull[i] = HullView<T>(b.library, b.indices, integer_in(shapes_b.place()[i]));
      reach_b[i] = side[1].hull[i].numbers[HullLayout::reach];
    }
    const F size = (load(reach_a) + load(reach_b)) + ((abs(t[0]) + abs(t[1])) + abs(t[2]));
    search.size = Lanes<F>(size);
    search.reach = Lanes<F>(lesser(load(reach_a), load(reach_b)));
    // Twice what an edge must beat a face by. Below it, results are as if every overlap were asked.
    search.most =
        Lanes<F>(a.question == Question::contact ? roundings<F>(64) * size : F(kLargest<T>));
  }

  /// A distance from the middle that no point of a core with half axes exceeds.
  static WIDEPHASE_INLINE F reach_of_axes(const ConvexLanes<F>& shape) {
    F square = F(0);
    for (int k = 0; k < 3; ++k) {
      const Vec<F, 3> axis = shape.half[k] * shape.turn.column[k];
      square = square + dot(axis, axis);
    }
    return sqrt(square);
  }
  /// Runs GJK only if rounding hides which feature of the hull is nearest; all others are `named`.
  /// Answers the lanes in which it is the axis's face, which gives the points.
  static WIDEPHASE_INLINE unsigned find_nearest_of_capsules(
      const CorePair<F>& pair, const MaskOf<F>& is_near, const F& limit,
      const HullSearch<F>& search, const WarmStartLanes<F>& warm, Simplex3<F>& simplex,
      SegmentFeatures<F>& features, unsigned& named, LaneCounter<F>& counter) {
    Simplex3<F> nearest;
    nearest.clear();
    const HullAxes<F>& axis = search.axis;
    unsigned by_face = 0;
    const unsigned open = find_nearest_of_segments(
        pair, search.side[1].hull, axis.face, negate(load(axis.overlap.number)),
        roundings<F>(16) * load(search.size.number), mask_bits(is_near), nearest, features, by_face,
        counter);
    named = mask_bits(is_near) & ~open;
    // An axis across two edges has its own points.
    by_face &= mask_bits(load(axis.is_edge.number) == F(0));
    if (open == 0) {
      simplex = nearest;
      return by_face;
    }
    const auto is_open = lanes_of<F>(open);
    Base::find_nearest(pair, is_open, limit, warm, simplex, counter);
    simplex = select(is_open, simplex, nearest);
    return by_face;
  }
  /// Compares to the bit.
  static WIDEPHASE_INLINE bool has_same_half(const ConvexShapeLanes<F>& shapes, int i, int j) {
    bool is_same = true;
    for (int k = 0; k < 3; ++k) {
      const T x = shapes.half[k][i], y = shapes.half[k][j];
      is_same &= __builtin_memcmp(&x, &y, sizeof x) == 0;
    }
    return is_same;
  }
  static WIDEPHASE_INLINE MaskOf<F> is_flat_box(const ConvexLanes<F>& shape) {
    if (shape.form == CoreForm::hull || shape.form == CoreForm::segment) return F(0) < F(0);
    const Vec<F, 3>& half = shape.half;
    return !((half[0] > F(0)) & (half[1] > F(0)) & (half[2] > F(0)));
  }

  /// What the axis says about a lane's pair.
  static WIDEPHASE_INLINE CoreContact<T> contact_of(const ConvexShape<T>& a,
                                                    const ConvexShape<T>& b, const Vec<T, 3>& apart,
                                                    T limit, int lane, const HullSearch<F>& search,
                                                    const Answers& answers) {
    const HullAxes<F>& axis = search.axis;
    const T overlap = axis.overlap[lane];
    const auto from_frame = [&](const Vec<T, 3>& v) {
      return a.form == CoreForm::segment ? v : rotate(a.turn, v);
    };
    CoreContact<T> contact;
    contact.normal =
        from_frame({{axis.normal[0][lane], axis.normal[1][lane], axis.normal[2][lane]}});
    contact.depth = overlap;
    contact.least_depth = limit;
    contact.steadiness = answers.steadiness;
    contact.last = answers.last[lane];
    CorePoint<T>& deepest = contact.deepest;
    deepest.depth = overlap;
    const HullView<T>& hull_a = search.side[0].hull[lane];
    const HullView<T>& hull_b = search.side[1].hull[lane];
    if (axis.is_edge[lane] > 0) {
      deepest.on_a = from_frame({{axis.point[0][lane], axis.point[1][lane], axis.point[2][lane]}});
      deepest.feature_a = edge_feature(axis.edge_a[lane]);
      deepest.feature_b = edge_feature(axis.edge_b[lane]);
    } else if (axis.side[lane] == 0) {
      deepest.on_a = (apart + rotate(b.turn, hull_b.vertex(static_cast<int>(axis.vertex[lane])))) +
                     overlap * contact.normal;
      deepest.feature_a = face_feature(axis.face[lane]);
      deepest.feature_b = vertex_feature(axis.vertex[lane]);
    } else {
      deepest.on_a = from_frame(hull_a.vertex(static_cast<int>(axis.vertex[lane])));
      deepest.feature_a = vertex_feature(axis.vertex[lane]);
      deepest.feature_b = face_feature(axis.face[lane]);
    }
    return contact;
  }
  static WIDEPHASE_INLINE Vec<T, 3> point_on_b(const CoreContact<T>& contact,
                                               const Vec<T, 3>& apart) {
    return (contact.deepest.on_a - apart) - contact.depth * contact.normal;
  }

  /// Puts pairs of a capsule whose cores are apart into the queue of lines. Answers which it takes.
  static __attribute__((noinline)) unsigned add_lines(const CorePair<F>& pair, unsigned asked,
                                                      const F& limit, const HullSearch<F>& search,
                                                      const SegmentFeatures<F>& features,
                                                      Answers& answers, LineQueue<F>& lines,
                                                      LaneCounter<F>& counter) {
    if (asked == 0) return 0;
    const Rotation3<F>& turn = pair.b.shape.turn;
    const HullFrames<F> frames(turn, turn, pair.apart, limit);
    const Lanes<F> of_a(features.of_segment), of_b(features.of_hull);
    lines.steadiness = answers.steadiness;
    unsigned taken = 0;
    for (unsigned left = asked; left != 0; left &= left - 1) {
      const int i = __builtin_ctz(left);
      const CorePoint<T> deepest{vec_of(answers.of_a, i), answers.depth[i], of_a[i], of_b[i]};
      if (!lines.add(search, frames, i, vec_of(answers.normal, i), deepest, vec_of(answers.of_b, i),
                     answers.points)) {
        continue;
      }
      taken |= 1u << i;
      if (lines.is_full()) lines.put_points(counter);
    }
    return taken;
  }

  static __attribute__((noinline)) void answer_by_axis(const ConvexShape<T>& a,
                                                       const ConvexShape<T>& b,
                                                       const Vec<T, 3>& apart, T limit, int lane,
                                                       const HullSearch<F>& search,
                                                       Answers& answers, FacesRoom<T>& room) {
    const HullAxes<F>& axis = search.axis;
    const T size = search.size[lane];
    const CoreContact<T> contact = contact_of(a, b, apart, limit, lane, search, answers);
    const CorePoint<T>& deepest = contact.deepest;
    ConvexFace<T>&face_a = room.a, &face_b = room.b;
    const Vec<T, 3> on_b = point_on_b(contact, apart);
    find_face(a, contact.normal, flush_slack(size), &deepest.on_a, face_a);
    find_face(b, -contact.normal, flush_slack(size), &on_b, face_b);
    CoreManifold<T> points;
    // If one of the two is a capsule, it is A.
    const bool is_met = find_points(face_a, face_b, apart, size, contact, points, room,
                                    static_cast<const ConvexShape<T>*>(nullptr), &b);
    if (axis.is_edge[lane] == 0 && (points.count == 1 || !is_met)) {
      const bool by_a = axis.side[lane] == 0;
      const auto in_own = [&](const CorePoint<T>& point) {
        return by_a ? rotate_back(a.turn, point.on_a)
                    : rotate_back(b.turn, (point.on_a - apart) - point.depth * contact.normal);
      };
      if (!find_points_beside(by_a ? b : a, by_a ? face_a : face_b, in_own(deepest), search, lane,
                              apart, contact, points, room)) {
        for (int n = 0; n < points.count; ++n) {
          name_face(in_own(points.points[n]), search, lane, points.points[n]);
        }
      }
    }
    answers.points.put(lane, points);
  }
  /// If the deepest vertex lies well beside the exit's face, an edge that begins there is nearly
  /// parallel to the face and passes over it. Then another face of that vertex meets the exit's
  /// face. Answers whether one does.
  static bool find_points_beside(const ConvexShape<T>& other, const ConvexFace<T>& own,
                                 const Vec<T, 3>& at, const HullSearch<F>& search, int lane,
                                 const Vec<T, 3>& apart, const CoreContact<T>& contact,
                                 CoreManifold<T>& points, FacesRoom<T>& room) {
    const HullAxes<F>& axis = search.axis;
    const T size = search.size[lane], slack = flush_slack(size);
    const bool by_a = axis.side[lane] == 0;
    const HullView<T>& hull = search.side[by_a ? 1 : 0].hull[lane];
    const CorePoint<T>& point = contact.deepest;
    const int face = static_cast<int>(axis.face[lane]);
    const HullView<T>& own_hull = search.side[by_a ? 0 : 1].hull[lane];
    if (hull.face_count == 0 || face >= own_hull.face_count ||
        own.face_feature != face_feature(T(face)) ||
        (by_a ? point.feature_b : point.feature_a) != vertex_feature(axis.vertex[lane]) ||
        !(inside_of_face(own_hull, face, at) < -slack)) {
      return false;
    }
    const int vertex = static_cast<int>(axis.vertex[lane]);
    CoreManifold<T> beside;
    for (int i = hull.vertex_starts()[vertex]; i < hull.vertex_starts()[vertex + 1]; ++i) {
      ConvexFace<T>& meeting = room.beside;
      set_hull_face(other, hull, hull.vertex_faces()[i], meeting);
      beside.count = 0;
      if (!put_face(own, meeting, apart, contact, 32 * kRounding<T> * size, slack, by_a, beside,
                    room.clipper)) {
        continue;
      }
      points = beside;
      return true;
    }
    return false;
  }
  /// A point beside the exit's face that lies on a neighbour's plane, up to rounding, gets the
  /// neighbour's feature.
  static void name_face(const Vec<T, 3>& at, const HullSearch<F>& search, int lane,
                        CorePoint<T>& point) {
    const bool is_a = search.axis.side[lane] == 0;
    T& feature = is_a ? point.feature_a : point.feature_b;
    if (feature != face_feature(search.axis.face[lane])) return;
    const HullView<T>& hull = search.side[is_a ? 0 : 1].hull[lane];
    const int own = static_cast<int>(search.axis.face[lane]);
    if (own >= hull.face_count) return;  // padding of a block, where numbers are beyond range
    T most = inside_of_face(hull, own, at);
    for (int face = 0; face < hull.face_count && most < 0; ++face) {
      const T below = hull.face_offset(face) - dot(hull.face_normal(face), at);
      if (!(below <= 16 * kRounding<T> * search.size[lane])) continue;
      const T inside = inside_of_face(hull, face, at);
      if (!(inside > most)) continue;
      most = inside;
      feature = face_feature(T(face));
    }
  }
};

}  // namespace
}  // namespace widephase
