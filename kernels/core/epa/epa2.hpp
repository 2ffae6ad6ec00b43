#pragma once

// The minimum translation that separates two convex outlines in 2D, from support points: EPA, from
// GJK's simplex. The polytope is a closed list of edges in any order, each with its ends. A new
// vertex splits one edge in two. A segment through the origin is a polytope of two edges, there and
// back, so touching and flat differences need no special case. A point on the origin first looks
// for a second vertex in four directions.
//
// Every lane writes its new vertex and edge at the same index, the number of the step, even if it
// has none. Every lane also passes over all edges to read or write its nearest one. So whole
// batches are loaded and stored. (Reading and writing numbers lane by lane took twice as long per
// step.)
//
// EPA terminates. A step either adds a vertex of the difference, of which there are at most nA + nB
// = 128, or removes an edge that belongs to the difference, of which there are as many. The limit
// of steps is above their sum.
// Source: van den Bergen, Proximity Queries and Penetration Depth Computation on 3D Game Objects,
// 2001.

#include "kernels/core/gjk/gjk2.hpp"

namespace widephase {
namespace {

inline constexpr int kMostEpaSteps = 260;

/// The nearest features of a pair or, if it overlaps, those of the shortest exit.
template <class F>
struct NearestFeatures {
  F is_edge;  ///< 1: edge of the difference from vertex a[0] - b[0] to a[1] - b[1]; 0: vertex
  F is_tie;   ///< 1 where the exit is not unique
  F is_capped;
  Vec<F, 2> separation;  ///< from A to B, in A's frame, of any length
  F a[2];
  F b[2];
};

/// The line through an edge that is walked counter-clockwise.
template <class F>
struct EdgeLine {
  Vec<F, 2> outward;  ///< as long as the edge
  F distance;         ///< from the origin
};
template <class F>
WIDEPHASE_INLINE EdgeLine<F> line_of(const DifferenceVertex<F>& from,
                                     const DifferenceVertex<F>& to) {
  const Vec<F, 2> outward = -perpendicular(from_to(from, to));
  return {outward, divide_or_zero(dot(outward, from.point), length(outward))};
}

/// The polytopes of a batch, one per lane. Edge e starts at vertex e.
template <class F>
class Polytope {
  static constexpr int kMostVertices = kMostEpaSteps + 3;

 public:
  using T = RealOf<F>;

  /// Its arrays, too large for a stack. The count stays outside, because the next step waits for
  /// it.
  struct Room {
    DifferenceVertex<F> vertex[kMostVertices];
    F to[kMostVertices];  ///< the index of the vertex where the edge ends
    F distance[kMostVertices];
  };

  Polytope(const Simplex<F>& simplex, Room& room)
      : vertex_(room.vertex), to_(room.to), distance_(room.distance) {
    // The simplex's vertices are vertices of the difference. If their orientation is certain, use
    // all three in the order of the boundary. Otherwise use only the longest edge, there and back.
    const F zero = F(0), one = F(1), two = F(2);
    const EdgeLine<F> pq = line_of(simplex.p, simplex.q), qr = line_of(simplex.q, simplex.r),
                      rp = line_of(simplex.r, simplex.p);
    const F pq2 = dot(pq.outward, pq.outward), qr2 = dot(qr.outward, qr.outward),
            rp2 = dot(rp.outward, rp.outward);
    const auto has_three = simplex.size == F(3);
    const auto is_qr = has_three & (qr2 > pq2);
    const auto is_rp = has_three & (rp2 > select(is_qr, qr2, pq2));
    const F longest2 = select(is_rp, rp2, select(is_qr, qr2, pq2));
    const F area = cross(pq.outward, qr.outward);
    const F least = F(static_cast<T>(0.001)) * longest2;
    const auto is_left = has_three & (area > least), is_right = has_three & (area < negate(least));
    const auto has_area = is_left | is_right;
    const F distance = select(is_rp, rp.distance, select(is_qr, qr.distance, pq.distance));
    const auto turned = [&](const F& x) { return select(is_right, negate(x), x); };
    const auto begins_at_r = is_rp & (!has_area), begins_at_q = is_qr & !(has_area | is_rp);
    const auto goes_to_r = is_right | begins_at_q, goes_to_p = begins_at_r;
    vertex_[0] = select(begins_at_r, simplex.r, select(begins_at_q, simplex.q, simplex.p));
    vertex_[1] = select(goes_to_p, simplex.p, select(goes_to_r, simplex.r, simplex.q));
    vertex_[2] = select(is_right, simplex.q, simplex.r);
    // A left-out vertex must not match any vertex.
    vertex_[2].a = select(has_area, vertex_[2].a, F(-1));
    put_edge(0, one,
             select(has_area, turned(select(is_right, rp.distance, pq.distance)), distance));
    put_edge(1, select(has_area, two, zero),
             select(has_area, turned(qr.distance), negate(distance)));
    put_edge(2, zero,
             select(has_area, turned(select(is_right, pq.distance, rp.distance)), beyond()));
    count_ = 3;
  }

  /// The distance of removed edges: larger than that of any edge.
  static F beyond() { return F(kLargest<T>); }

  /// The nearest edge of each lane; among equal ones the first.
  struct Nearest {
    F place;
    F distance;
    F next_distance;  ///< of the second nearest
    F to;             ///< the index of its end q
    DifferenceVertex<F> p, q;
  };
  WIDEPHASE_INLINE Nearest nearest() const {
    Nearest found{F(0), distance_[0], beyond(), to_[0], vertex_[0], vertex_[0]};
    for (int e = 1; e < count_; ++e) {
      const F distance = distance_[e];
      const auto is_nearer = distance < found.distance;
      found.next_distance =
          select(is_nearer, found.distance, lesser(found.next_distance, distance));
      found.place = select(is_nearer, F(static_cast<T>(e)), found.place);
      found.distance = select(is_nearer, distance, found.distance);
      found.to = select(is_nearer, to_[e], found.to);
      found.p = select(is_nearer, vertex_[e], found.p);
    }
    for (int v = 1; v < count_; ++v) {
      found.q = select(found.to == F(static_cast<T>(v)), vertex_[v], found.q);
    }
    return found;
  }

  /// Calls op(p, q, distance) for the edges of a lane, each from point p to q.
  template <class Op>
  void for_each_edge(int lane, const Op& op) const {
    const auto point = [&](int v) {
      const Lanes<F> x(vertex_[v].point[0]), y(vertex_[v].point[1]);
      return Vec<T, 2>{{x[lane], y[lane]}};
    };
    for (int e = 0; e < count_; ++e) {
      const Lanes<F> distance(distance_[e]), to(to_[e]);
      if (!(distance[lane] < kLargest<T>)) continue;
      op(point(e), point(static_cast<int>(to[lane])), distance[lane]);
    }
  }

  WIDEPHASE_INLINE MaskOf<F> has(const DifferenceVertex<F>& w) const {
    auto found = is_same(vertex_[0], w);
    for (int v = 1; v < count_; ++v) found = found | is_same(vertex_[v], w);
    return found;
  }

  /// Puts vertex w between the ends of the nearest edge, which becomes the edge from p to w. In
  /// lanes where that edge `is_final` it is removed instead, and w is not added.
  WIDEPHASE_INLINE void split(const Nearest& edge, const DifferenceVertex<F>& w,
                              const MaskOf<F>& is_final) {
    const F at_w = F(static_cast<T>(count_));
    const F first = select(is_final, beyond(), line_of(edge.p, w).distance);
    const F second = select(is_final, beyond(), line_of(w, edge.q).distance);
    for (int e = 0; e < count_; ++e) {
      const auto is_split = edge.place == F(static_cast<T>(e));
      distance_[e] = select(is_split, first, distance_[e]);
      to_[e] = select(is_split, at_w, to_[e]);
    }
    vertex_[count_] = w;
    vertex_[count_].a = select(is_final, F(-1), w.a);
    put_edge(count_, edge.to, second);
    ++count_;
  }

 private:
  WIDEPHASE_INLINE void put_edge(int at, const F& to, const F& distance) {
    to_[at] = to;
    distance_[at] = distance;
  }

  int count_;  ///< of vertices, and also of edges
  DifferenceVertex<F> (&vertex_)[kMostVertices];
  F (&to_)[kMostVertices];
  F (&distance_)[kMostVertices];
};

/// Finds a second vertex for simplices of one vertex in `live`. Returns where there is none.
template <class F>
__attribute__((noinline)) MaskOf<F> add_second_vertex(const OutlinePair<F>& pair,
                                                      const MaskOf<F>& live, Simplex<F>& simplex) {
  const F zero = F(0), one = F(1);
  const Vec<F, 2> x = first_axis<F, 2>();
  const Vec<F, 2> directions[4] = {x, -x, perpendicular(x), -perpendicular(x)};
  F is_single = select(live, select(simplex.size == one, one, zero), zero);
  for (const Vec<F, 2>& direction : directions) {
    const DifferenceVertex<F> w = farthest(pair, direction, live);
    const auto is_second =
        (is_single > zero) &
        (!((w.point[0] == simplex.p.point[0]) & (w.point[1] == simplex.p.point[1])));
    simplex.q = select(is_second, w, simplex.q);
    simplex.size = select(is_second, F(2), simplex.size);
    is_single = select(is_second, zero, is_single);
  }
  return is_single > zero;
}

/// Runs EPA in the lanes whose simplex has the origin on or within it.
template <class F, class Counter>
__attribute__((noinline)) void epa(const OutlinePair<F>& pair, Simplex<F>& simplex,
                                   NearestFeatures<F>& found, Counter& counter,
                                   typename Polytope<F>::Room& room) {
  const F zero = F(0), one = F(1);
  auto is_live = simplex.is_overlap > zero;
  // The vertices touch, or the cores have no extent.
  if (any<F>(is_live & (simplex.size == one))) {
    const auto is_point = add_second_vertex(pair, is_live, simplex);
    found.is_edge = select(is_point, zero, found.is_edge);
    found.is_tie = select(is_point, one, found.is_tie);
    found.separation = select(is_point, zero_vec<F, 2>(), found.separation);
    is_live = is_live & (!is_point);
  }
  Polytope<F> polytope(simplex, room);
  // The nearest edge that is known to belong to the difference.
  F final_distance = Polytope<F>::beyond();
  Vec<F, 2> final_outward = zero_vec<F, 2>();
  for (int steps = 1; any<F>(is_live); ++steps) {
    counter.add_step(is_live);
    const auto edge = polytope.nearest();
    const EdgeLine<F> line = line_of(edge.p, edge.q);
    const DifferenceVertex<F> w = farthest(pair, line.outward, is_live);
    const Vec<F, 2> to_w = from_to(edge.p, w), from_q = from_to(edge.q, w);
    const F gain = dot(line.outward, to_w);
    const F outward2 = dot(line.outward, line.outward);
    // A vertex of the polytope is beyond one of its edges only by rounding. A vertex that differs
    // from an end of the edge only by the rounding of B's rotation is not new either.
    const F beside2 = touching2<F>() * dot(w.of_b, w.of_b);
    // A vertex past an end of the edge, and beyond it only by rounding, lies on the boundary's next
    // edge. Adding it would reverse this edge. Among several vertices nearly in a line, any may be
    // the support point.
    const Vec<F, 2> along = perpendicular(line.outward);
    const auto is_beside = (dot(to_w, along) <= zero) | (dot(from_q, along) >= zero);
    const F rounding = roundings<F>(4), place = roundings<F>(16);
    const F gain2 = gain * gain;
    const auto is_final =
        polytope.has(w) | (dot(to_w, to_w) <= beside2) | (dot(from_q, from_q) <= beside2) |
        (gain <= zero) | (gain2 <= (rounding * rounding) * (dot(to_w, to_w) * outward2)) |
        (is_beside & (gain2 <= (place * place) * (reach2_of(pair, w) * outward2)));
    // Another edge as near as the known one, in another direction.
    const auto has_known = final_distance < Polytope<F>::beyond();
    const F turn = cross(line.outward, final_outward);
    const F apart = roundings<F>(64);
    const auto is_other =
        (dot(line.outward, final_outward) <= zero) |
        (turn * turn > (apart * apart) * (outward2 * dot(final_outward, final_outward)));
    const auto is_tie = has_known & is_final & (edge.distance <= final_distance) & is_other;
    const auto is_capped = zero < F(steps == kMostEpaSteps ? 1 : 0);
    const auto is_done = is_capped | is_tie | (has_known & (edge.distance > final_distance)) |
                         (is_final & (edge.next_distance > edge.distance));
    const auto is_first = is_live & (!has_known) & (is_final | is_capped);

    found.is_edge = select(is_first, one, found.is_edge);
    found.separation = select(is_first, line.outward, found.separation);
    found.a[0] = select(is_first, edge.p.a, found.a[0]);
    found.b[0] = select(is_first, edge.p.b, found.b[0]);
    found.a[1] = select(is_first, edge.q.a, found.a[1]);
    found.b[1] = select(is_first, edge.q.b, found.b[1]);
    found.is_tie = select(is_live & is_tie, one, found.is_tie);
    found.is_capped = select(is_live & is_capped, one, found.is_capped);
    final_distance = select(is_first, edge.distance, final_distance);
    final_outward = select(is_first, line.outward, final_outward);
    counter.note(polytope, edge, w, is_final);
    is_live = is_live & (!is_done);
    if (any<F>(is_live)) polytope.split(edge, w, is_final);
  }
}

/// The nearest features from GJK's last simplices, and from EPA in the lanes that overlap.
template <class F, class Counter>
WIDEPHASE_INLINE NearestFeatures<F> nearest_features(const OutlinePair<F>& pair,
                                                     Simplex<F>& simplex, Counter& counter,
                                                     typename Polytope<F>::Room& room) {
  NearestFeatures<F> found{one_where<F>(simplex.size == F(2)),
                           F(0),
                           simplex.is_capped,
                           -simplex.nearest,
                           {simplex.p.a, simplex.q.a},
                           {simplex.p.b, simplex.q.b}};
  if (any<F>(simplex.is_overlap > F(0))) epa(pair, simplex, found, counter, room);
  return found;
}
/// The same, starting with GJK.
template <class F, class Counter>
WIDEPHASE_INLINE NearestFeatures<F> nearest_features(const OutlinePair<F>& pair, Counter& counter,
                                                     typename Polytope<F>::Room& room) {
  Simplex<F> simplex;
  gjk(pair, simplex, counter);
  counter.note(simplex);
  return nearest_features(pair, simplex, counter, room);
}

}  // namespace
}  // namespace widephase
