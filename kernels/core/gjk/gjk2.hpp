#pragma once

// Distance of convex outlines in 2D from support points alone: GJK on the outlines' Minkowski
// difference. If they overlap, EPA starts from its simplex (core/epa/epa2.hpp).
//
// One pair per lane. A lane that has finished keeps its result until all lanes of the batch have.
// Its large outlines are no longer scanned. (An earlier version gave a finished lane to the next
// pair at once. It took 64 ns per pair of polygons of 3 to 8 vertices; this one takes 28. Moving a
// pair into a lane means loads and stores of single numbers, which cost more than the waiting.)
//
// GJK terminates. While a single vertex is the nearest point, its distance falls strictly, so no
// vertex of the difference comes twice. Once two vertices bracket the nearest point, each step
// moves one of them inwards along the boundary. The difference has at most nA + nB vertices, so 2
// (nA + nB) steps are enough: 256 for the largest outlines. A search also ends at a vertex that is
// already known, or that lies no farther than rounding. The limit of steps backs up both.
// Sources: Gilbert, Johnson, Keerthi 1988; van den Bergen, Collision Detection in Interactive 3D
// Environments, 4.3.

#include "kernels/core/basis/lane_counter.hpp"
#include "kernels/core/polygon/outline_vertices.hpp"

namespace widephase {
namespace {

inline constexpr int kMostGjkSteps = 256;

/// A batch of pairs of outlines: their vertices, and the placement of B in A's frame.
template <class F>
struct OutlinePair {
  OutlineVertices<F> a;
  OutlineVertices<F> b;
  Placement<F> b_in_a;
};

/// A vertex of the Minkowski difference A - B: its position, and the two vertices that make it.
template <class F>
struct DifferenceVertex {
  Vec<F, 2> point;
  Vec<F, 2> of_a;  ///< relative to A's origin
  Vec<F, 2> of_b;  ///< relative to B's origin, in A's frame
  F a;             ///< numbers of the vertices
  F b;
};
template <class F>
WIDEPHASE_INLINE DifferenceVertex<F> select(const MaskOf<F>& mask, const DifferenceVertex<F>& yes,
                                            const DifferenceVertex<F>& no) {
  return {select(mask, yes.point, no.point), select(mask, yes.of_a, no.of_a),
          select(mask, yes.of_b, no.of_b), select(mask, yes.a, no.a), select(mask, yes.b, no.b)};
}
/// The vector from one vertex to another. It is formed shape by shape, so that the edge of a small
/// shape keeps its digits, even if the other shape's origin is far away.
template <class F>
WIDEPHASE_INLINE Vec<F, 2> from_to(const DifferenceVertex<F>& from, const DifferenceVertex<F>& to) {
  return (to.of_a - from.of_a) - (to.of_b - from.of_b);
}
template <class F>
WIDEPHASE_INLINE MaskOf<F> is_same(const DifferenceVertex<F>& x, const DifferenceVertex<F>& y) {
  return (x.a == y.a) & (x.b == y.b);
}

/// The support point of the difference along `direction`, in the lanes of `live`.
template <class F>
WIDEPHASE_INLINE DifferenceVertex<F> farthest(const OutlinePair<F>& pair,
                                              const Vec<F, 2>& direction, const MaskOf<F>& live) {
  Vec<F, 2> of_b;
  DifferenceVertex<F> vertex;
  vertex.a = farthest_vertex(pair.a, direction, live, vertex.of_a);
  vertex.b = farthest_vertex(pair.b, -rotate_back(pair.b_in_a.turn, direction), live, of_b);
  vertex.of_b = rotate(pair.b_in_a.turn, of_b);
  vertex.point = vertex.of_a - (pair.b_in_a.center + vertex.of_b);
  return vertex;
}

/// The squared size of the coordinates that a vertex was made of, or more.
template <class F>
WIDEPHASE_INLINE F reach2_of(const OutlinePair<F>& pair, const DifferenceVertex<F>& vertex) {
  return dot(vertex.of_a, vertex.of_a) +
         (dot(vertex.of_b, vertex.of_b) + dot(pair.b_in_a.center, pair.b_in_a.center));
}
/// A squared distance under this share of the squared coordinates is only their rounding.
template <class F>
WIDEPHASE_INLINE F touching2() {
  return roundings<F>(8) * roundings<F>(8);
}

/// The point of the segment from x to w that is nearest to the origin.
template <class F>
struct NearestOnSegment {
  Vec<F, 2> point;
  F distance2;
  MaskOf<F> is_at_w;
};
template <class F>
WIDEPHASE_INLINE NearestOnSegment<F> nearest_on_segment(const DifferenceVertex<F>& from,
                                                        const DifferenceVertex<F>& to) {
  const Vec<F, 2>&x = from.point, &w = to.point;
  const Vec<F, 2> along = from_to(from, to);
  const F along2 = dot(along, along);
  const auto is_at_w = dot(w, along) <= F(0);
  const auto is_at_x = dot(x, along) >= F(0);
  // Perpendicular to the segment by construction. Near the origin, a difference of points would
  // lose the direction.
  const Vec<F, 2> across = perpendicular(along);
  const F share = divide_or_zero(dot(across, x), along2);
  const Vec<F, 2> point = select(is_at_w, w, select(is_at_x, x, share * across));
  return {point, dot(point, point), is_at_w};
}

/// The state in which GJK ended.
template <class F>
struct Simplex {
  DifferenceVertex<F> p, q, r;
  /// How many of p, q, r hold the nearest point (1 or 2), or have the origin on or within them (1
  /// to 3).
  F size;
  Vec<F, 2> nearest;  ///< the difference's point nearest to the origin, if the outlines are apart
  F is_overlap;       ///< 1 where the origin is on or within
  F is_capped;        ///< 1 where the limit of steps was reached
};

/// `Counter` is a `LaneCounter`, or one that also records the steps.
template <class F, class Counter>
__attribute__((noinline)) void gjk(const OutlinePair<F>& pair, Simplex<F>& found,
                                   Counter& counter) {
  const F zero = F(0), one = F(1), two = F(2);
  const F rounding2 = roundings<F>(4) * roundings<F>(4);
  // From B's origin to A's. If they coincide, any direction will do.
  const auto is_concentric = (pair.b_in_a.center[0] == zero) & (pair.b_in_a.center[1] == zero);
  DifferenceVertex<F> p =
      farthest(pair, select(is_concentric, -first_axis<F, 2>(), pair.b_in_a.center), zero == zero);
  DifferenceVertex<F> q = p, r = p;
  F size = one, steps = one;
  Vec<F, 2> nearest = p.point;
  F distance2 = dot(nearest, nearest);
  F reach2 = reach2_of(pair, p);
  auto is_overlap = distance2 <= touching2<F>() * reach2;
  auto is_live = !is_overlap;
  while (any<F>(is_live)) {
    counter.add_step(is_live);
    const DifferenceVertex<F> w = farthest(pair, -nearest, is_live);
    counter.note(p, q, size, nearest, w);
    reach2 = greater(reach2, reach2_of(pair, w));
    const auto has_two = size == two;
    // How far w lies beyond the line through the nearest point, multiplied by the distance.
    const Vec<F, 2> to_w = from_to(p, w);
    const F gain = negate(dot(nearest, to_w));
    const auto is_known = is_same(w, p) | (has_two & is_same(w, q));
    const auto is_stuck =
        (gain <= zero) | (gain * gain <= rounding2 * (dot(to_w, to_w) * distance2));

    // The nearest point lies on the edge from w to p or to q, or is w itself.
    const NearestOnSegment<F> to_p = nearest_on_segment(p, w);
    const NearestOnSegment<F> to_q = nearest_on_segment(q, w);
    const auto is_q = has_two & (to_q.distance2 < to_p.distance2);
    const auto is_vertex = select_mask<F>(is_q, to_q.is_at_w, to_p.is_at_w);

    // The origin is within the triangle p, q, w if it is on the inner side of both new edges.
    const F orientation = cross(from_to(p, q), to_w);
    const F side_q = cross(from_to(q, w), -q.point);
    const F side_p = cross(-to_w, -w.point);
    const auto is_within = has_two & (!is_known) &
                           (((orientation > zero) & (side_q >= zero) & (side_p >= zero)) |
                            ((orientation < zero) & (side_q <= zero) & (side_p <= zero)));
    const auto ends_within = is_live & is_within;
    const auto moves = is_live & (!is_known) & (!is_stuck) & (!is_within);

    r = select(ends_within, w, r);
    q = select(moves & (!is_vertex), select(is_q, q, p), q);
    p = select(moves, w, p);
    size = select(moves, select(is_vertex, one, two), select(ends_within, F(3), size));
    nearest = select(moves, select(is_q, to_q.point, to_p.point), nearest);
    distance2 = select(moves, select(is_q, to_q.distance2, to_p.distance2), distance2);
    steps = select(is_live, steps + one, steps);

    const auto is_touching = is_live & (distance2 <= touching2<F>() * reach2);
    is_overlap = is_overlap | ends_within | is_touching;
    is_live = moves & (!is_touching) & (steps < F(kMostGjkSteps));
  }
  found = {
      p, q, r, size, nearest, one_where<F>(is_overlap), one_where<F>(steps >= F(kMostGjkSteps))};
}

}  // namespace
}  // namespace widephase
