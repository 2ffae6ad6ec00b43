#pragma once

// Distance of convex cores in space from support points alone: GJK on their Minkowski difference,
// a lane a pair. Where they overlap its simplex is where EPA begins (core/epa3.hpp).
//
// The nearest feature of the new simplex holds the newest vertex: three edges, three faces and the
// inside are asked, and the nearest of all that face the origin is taken. Points on edges and faces
// are made along directions that are perpendicular to them by construction, from the ways between
// vertices shape by shape: a difference of nearly equal points would have no digits left.
//
// GJK ends: the distance falls strictly from step to step. Differences of polyhedra have finitely
// many simplices, and the limit is far above what any pair takes: a search ends at a vertex that
// lies no farther than the way there rounds. For cylinders, whose vertices have no end, the way
// still to go falls below what coordinates round by in a few dozen steps. A
// search that stops otherwise is asked whether one of its last faces parts the cores by as much as
// the distance says (`settle`); where none does, its answer is marked. Sources: Gilbert, Johnson,
// Keerthi 1988; van den Bergen, Collision Detection in Interactive 3D Environments, 4.3.

#include "core/lane_counter.hpp"
#include "core/warm_start.hpp"

namespace widephase {
namespace {

inline constexpr int kMostGjkSteps3 = 128;
/// Steps that may pass without the distance falling.
inline constexpr int kMostStalls = 8;

/// Where GJK has ended.
template <class F>
struct Simplex3 {
  DifferenceVertex3<F> v[4];  ///< the first `size` hold the nearest point, or the origin
  F size;
  Vec<F, 3> nearest;  ///< the difference's point nearest to the origin, where it is apart
  F distance;         ///< by which the cores are apart along it
  F share[3];         ///< of the vertices in the nearest point
  F is_overlap;
  F is_capped;
  F reach2;  ///< coordinates round by shares of its root

  WIDEPHASE_INLINE void clear() {
    const F zero = F(0);
    for (DifferenceVertex3<F>& vertex : v) {
      vertex = {zero_vec<F, 3>(), zero_vec<F, 3>(), zero_vec<F, 3>(), zero, zero};
    }
    nearest = zero_vec<F, 3>();
    size = share[0] = F(1);
    distance = share[1] = share[2] = is_overlap = is_capped = reach2 = zero;
  }
};

template <class F>
WIDEPHASE_INLINE Simplex3<F> select(const MaskOf<F>& mask, const Simplex3<F>& yes,
                                    const Simplex3<F>& no) {
  Simplex3<F> result;
  for (int k = 0; k < 4; ++k) result.v[k] = select(mask, yes.v[k], no.v[k]);
  for (int k = 0; k < 3; ++k) result.share[k] = select(mask, yes.share[k], no.share[k]);
  result.nearest = select(mask, yes.nearest, no.nearest);
  result.size = select(mask, yes.size, no.size);
  result.distance = select(mask, yes.distance, no.distance);
  result.is_overlap = select(mask, yes.is_overlap, no.is_overlap);
  result.is_capped = select(mask, yes.is_capped, no.is_capped);
  result.reach2 = select(mask, yes.reach2, no.reach2);
  return result;
}

/// The nearest point of a simplex's face or edge, if it lies inside that.
template <class F>
struct NearestPoint3 {
  Vec<F, 3> point;
  F distance2;  ///< no number where it does not: none is as far, even where distances overflow
  F share[3];   ///< of the vertices, which sum to 1
};

template <class F>
WIDEPHASE_INLINE NearestPoint3<F> nearest_on_edge(const DifferenceVertex3<F>& w,
                                                  const DifferenceVertex3<F>& p,
                                                  const MaskOf<F>& exists) {
  const Vec<F, 3> along = way(w, p);
  const F along2 = dot(along, along);
  const F toward_p = negate(dot(w.point, along));
  const F t = divide_or_zero(toward_p, along2);
  // Perpendicular to the edge, from the end that is nearer to the foot.
  const Vec<F, 3> from = select(t > F(0.5f), p.point, w.point);
  const F inverse2 = divide_or_zero(F(1), along2);
  const Vec<F, 3> point = inverse2 * cross(cross(along, from), along);
  const F beside = roundings<F>(64);  // as for faces
  const auto is_inside = exists & (t > negate(beside)) & (t < F(1) + beside);
  return {
      point, select(is_inside, dot(point, point), F(kNoNumber<RealOf<F>>)), {F(1) - t, t, F(0)}};
}

/// u x v, perpendicular to both to rounding of a unit vector however small their angle: what the
/// products of the longer one's components round by is mostly along it, and is taken away.
template <class F>
WIDEPHASE_INLINE Vec<F, 3> across_both(const Vec<F, 3>& u, const Vec<F, 3>& v) {
  const Vec<F, 3> n = cross(u, v);
  const F u2 = dot(u, u), v2 = dot(v, v);
  const auto is_u = u2 >= v2;
  const Vec<F, 3> longer = select(is_u, u, v);
  return n - divide_or_zero(dot(n, longer), select(is_u, u2, v2)) * longer;
}

template <class F>
WIDEPHASE_INLINE NearestPoint3<F> nearest_on_face(const DifferenceVertex3<F>& w,
                                                  const DifferenceVertex3<F>& p,
                                                  const DifferenceVertex3<F>& q,
                                                  const MaskOf<F>& exists) {
  const Vec<F, 3> to_p = way(w, p), to_q = way(w, q);
  const Vec<F, 3> n = across_both(to_p, to_q);
  const F n2 = dot(n, n);
  // Twice the areas that the foot makes with the edges, times the face's.
  const F area_p = dot(cross(to_q, w.point), n);
  const F area_q = dot(cross(w.point, to_p), n);
  const F area_w = (n2 - area_p) - area_q;
  const auto has_area = n2 > parallel_sin2<F>() * (dot(to_p, to_p) * dot(to_q, to_q));
  // A foot that is beside the face by rounding counts as inside: what the plane says is then as
  // good, and the search goes on along its normal.
  const F least = negate(roundings<F>(64)) * n2;
  const auto is_inside = exists & has_area & (area_p > least) & (area_q > least) & (area_w > least);
  const F inverse = divide(F(1), select(has_area, n2, F(1)));
  // From the vertex that has the most of it.
  const auto is_p = (area_p > area_w) & (area_p >= area_q);
  const auto is_q = (area_q > area_w) & (!is_p);
  const Vec<F, 3> from = select(is_p, p.point, select(is_q, q.point, w.point));
  const Vec<F, 3> point = (dot(from, n) * inverse) * n;
  return {point,
          select(is_inside, dot(point, point), F(kNoNumber<RealOf<F>>)),
          {area_w * inverse, area_p * inverse, area_q * inverse}};
}

/// How far the face's plane through w, p and q has the origin inside: above 0 where r and the
/// origin are on the same side.
template <class F>
WIDEPHASE_INLINE MaskOf<F> is_on_side_of(const DifferenceVertex3<F>& w,
                                         const DifferenceVertex3<F>& p,
                                         const DifferenceVertex3<F>& q,
                                         const DifferenceVertex3<F>& r) {
  const Vec<F, 3> n = cross(way(w, p), way(w, q));
  const F of_r = dot(n, way(w, r)), of_origin = negate(dot(n, w.point));
  const F zero = F(0);
  return ((of_r > zero) & (of_origin >= zero)) | ((of_r < zero) & (of_origin <= zero));
}

template <class F>
WIDEPHASE_INLINE F squared_reach(const CorePair<F>& pair, const DifferenceVertex3<F>& vertex) {
  return dot(vertex.of_a, vertex.of_a) +
         (dot(vertex.of_b, vertex.of_b) + dot(pair.apart, pair.apart));
}

/// By how much the cores are apart along `direction` (from B to A), in the lanes of `live`.
template <class F>
WIDEPHASE_INLINE F separation_along(const CorePair<F>& pair, const Vec<F, 3>& direction,
                                    const MaskOf<F>& live) {
  const DifferenceVertex3<F> w = farthest(pair, -direction, live);
  return divide_or_zero(dot(direction, w.point), length(direction));
}

/// In lanes whose search stopped though a vertex lies beyond: of the faces of the last simplex that
/// vertex w would have made with its ends, the one along which the cores are farthest apart, if
/// that is more than along the nearest point.
template <class F, class Counter>
__attribute__((noinline)) void settle(const CorePair<F>& pair, const DifferenceVertex3<F>& w,
                                      const MaskOf<F>& is_open, Simplex3<F>& found,
                                      Counter& counter) {
  const auto ask = [&](const Vec<F, 3>& n, const MaskOf<F>& exists) {
    counter.add_step(is_open);
    const F side = dot(n, found.nearest);
    const Vec<F, 3> toward = select(side < F(0), -n, n);
    const F apart = separation_along(pair, toward, is_open);
    const auto is_better = is_open & exists & (apart > found.distance);
    const F size = length(toward);
    found.nearest = select(is_better, divide_or_zero(apart, size) * toward, found.nearest);
    found.distance = select(is_better, apart, found.distance);
  };
  const auto has_two = found.size >= F(2), has_three = found.size >= F(3);
  const Vec<F, 3> to_0 = way(w, found.v[0]), to_1 = way(w, found.v[1]), to_2 = way(w, found.v[2]);
  ask(cross(to_0, to_1), has_two);
  ask(cross(to_1, to_2), has_three);
  ask(cross(to_2, to_0), has_three);
  // The edges from w.
  const auto ask_edge = [&](const DifferenceVertex3<F>& v, const MaskOf<F>& exists) {
    const Vec<F, 3> along = way(w, v);
    ask(cross(cross(along, w.point), along), exists);
  };
  ask_edge(found.v[0], found.size >= F(1));
  ask_edge(found.v[1], has_two);
  ask_edge(found.v[2], has_three);
}

/// In the lanes of `live`; the others keep a single vertex. Cores that are apart by more than
/// `most` are shown to be, by some way and a vertex of no meaning. `Counter` is a `LaneCounter`, or
/// one that notes the steps as well.
template <class F, class Counter>
__attribute__((noinline)) void gjk(const CorePair<F>& pair, const MaskOf<F>& live,
                                   const GjkStart<F>& start, const F& most, Simplex3<F>& found,
                                   Counter& counter) {
  const F zero = F(0), one = F(1);
  if (!any<F>(live)) {
    found.clear();
    return;
  }
  // Coordinates round by this share of their size, and the answer need not be better than twice.
  const F share2 = roundings<F>(4) * roundings<F>(4);
  const auto all = zero == zero;
  const F most2 = (most * most) * (one + roundings<F>(64));
  DifferenceVertex3<F>* const v = found.v;
  const auto has_start = start.own_count > zero;
  v[0] = farthest(pair, start.direction, live & !has_start);
  if (start.count > 0) v[0] = select(has_start, start.v[0], v[0]);
  v[1] = v[2] = v[3] = v[0];
  F size = one, steps = one;
  F share[3] = {one, zero, zero};
  Vec<F, 3> nearest = v[0].point;
  F distance2 = dot(nearest, nearest);
  F reach2 = squared_reach(pair, v[0]);
  F gap = zero;  // what w lies beyond the nearest point, times the distance
  const F touching = roundings<F>(8) * roundings<F>(8);
  auto is_overlap = distance2 <= touching * reach2;
  auto is_live = live & !is_overlap;
  DifferenceVertex3<F> w = v[0];
  F is_open = zero;  // 1 where the search stopped before the gap was closed
  F stalls = zero;
  // The simplex along whose nearest point the cores are farthest apart, of those that stalled.
  Simplex3<F> best;
  best.distance = negate(F(kLargest<RealOf<F>>));
  // Taken as it is where numbers are beyond range.
  best.nearest = nearest;
  best.size = one;
  for (int k = 0; k < 3; ++k) {
    best.v[k] = v[0];
    best.share[k] = share[k];
  }
  const auto apart_along_nearest = [&] {
    const F length = sqrt(distance2);
    return length - divide_or_zero(greater(gap, zero), length);
  };
  const bool is_smooth = pair.a.shape.kind == Kind::cylinder || pair.b.shape.kind == Kind::cylinder;
  int taken = 1;  // of the start's vertices
  while (any<F>(is_live)) {
    counter.add_step(is_live);
    // A vertex of the start brings the search on or does not; one that is asked may end it. Lanes
    // without one wait.
    const bool is_asked = taken >= start.count;
    const auto may_end = is_asked ? all : one < zero;
    DifferenceVertex3<F> next;
    if (is_asked) {
      next = farthest(pair, -nearest, is_live);
    } else {
      next = select(start.own_count > F(taken), start.v[taken], v[0]);
      ++taken;
    }
    w = select(is_live, next, w);
    counter.note(v, size, nearest, w);
    reach2 = select(is_live, greater(reach2, squared_reach(pair, next)), reach2);
    const auto has_two = size >= F(2), has_three = size >= F(3);
    // Beyond the nearest point by no more than the way to w rounds. Rounding may make that more
    // than nothing for ever: some lane of most batches went on until it had stalled too often.
    // Cores that nearly touch are shown to be apart all the same.
    const Vec<F, 3> to_w = way(v[0], w);
    gap = select(is_live, negate(dot(nearest, to_w)), gap);
    auto is_closed =
        gap <= lesser(roundings<F>(2) * (coordinate_size(to_w) * coordinate_size(nearest)),
                      F(0.5f) * distance2);
    // A cylinder's rim goes on for ever: until its points are no farther out than coordinates
    // round by.
    if (is_smooth) is_closed = is_closed | (gap * gap <= share2 * (reach2 * distance2));
    const auto is_known = is_same(w.point, v[0].point) | (has_two & is_same(w.point, v[1].point)) |
                          (has_three & is_same(w.point, v[2].point));

    // Along a direction in which the cores are so far apart nothing else need be known.
    const F proven = (distance2 - gap) - roundings<F>(64) * distance2;
    const auto is_beyond =
        is_live & may_end & (proven > zero) & (proven * proven > most2 * distance2);
    is_live = is_live & !is_beyond;
    const auto one_more = is_live & (!is_closed) & (!is_known);
    if (is_asked && !any<F>(one_more)) {
      is_open = select(is_live & !is_closed, one, is_open);
      is_overlap = is_overlap | (is_live & (distance2 <= touching * reach2));
      break;
    }
    const auto is_within = one_more & has_three & (dot(nearest, w.point) <= zero) &
                           is_on_side_of(w, v[0], v[1], v[2]) & is_on_side_of(w, v[1], v[2], v[0]) &
                           is_on_side_of(w, v[2], v[0], v[1]);

    // The nearest of the new vertex, its edges and its faces.
    F least = dot(w.point, w.point);
    Vec<F, 3> point = w.point;
    F new_size = one;
    F new_share[3] = {one, zero, zero};
    F first = zero, second = zero;  // which of v[0 ... 2] are the next two
    const auto take = [&](const NearestPoint3<F>& at, int i, int j) __attribute__((always_inline)) {
      // Where rounding hides which is nearer, the feature of more vertices has the better
      // direction.
      const auto is_better = at.distance2 <= least + roundings<F>(4) * least;
      least = select(is_better, at.distance2, least);
      point = select(is_better, at.point, point);
      new_size = select(is_better, F(j < 0 ? 2 : 3), new_size);
      for (int k = 0; k < 3; ++k) new_share[k] = select(is_better, at.share[k], new_share[k]);
      first = select(is_better, F(i), first);
      if (j >= 0) second = select(is_better, F(j), second);
    };
    take(nearest_on_edge(w, v[0], all), 0, -1);
    if (any<F>(one_more & has_two)) {
      take(nearest_on_edge(w, v[1], has_two), 1, -1);
      take(nearest_on_face(w, v[0], v[1], has_two), 0, 1);
    }
    if (any<F>(one_more & has_three)) {
      take(nearest_on_edge(w, v[2], has_three), 2, -1);
      take(nearest_on_face(w, v[1], v[2], has_three), 1, 2);
      take(nearest_on_face(w, v[2], v[0], has_three), 2, 0);
    }
    // Close to the answer the distance stands still while its direction still turns.
    const auto is_stalling = one_more & may_end & (!is_within) & (least >= distance2);
    if (any<F>(is_stalling)) {
      const F apart = apart_along_nearest();
      const auto is_better = is_stalling & (apart > best.distance);
      best.distance = select(is_better, apart, best.distance);
      best.nearest = select(is_better, nearest, best.nearest);
      best.size = select(is_better, size, best.size);
      for (int k = 0; k < 3; ++k) {
        best.v[k] = select(is_better, v[k], best.v[k]);
        best.share[k] = select(is_better, share[k], best.share[k]);
      }
      stalls = select(is_stalling, stalls + one, stalls);
    }
    const auto moves =
        one_more & (!is_within) &
        ((least < distance2) | (may_end & (stalls <= F(kMostStalls)) &
                                (least <= distance2 + roundings<F>(16) * distance2)));
    is_open = select(is_live & may_end & (!is_closed) & (!is_within) & (!moves), one, is_open);

    const auto pick = [&](const F& index) __attribute__((always_inline)) {
      return select(index == zero, v[0], select(index == one, v[1], v[2]));
    };
    const DifferenceVertex3<F> v1 = pick(first), v2 = pick(second);
    v[3] = select(is_within, w, v[3]);
    v[2] = select(moves, v2, v[2]);
    v[1] = select(moves, v1, v[1]);
    v[0] = select(moves, w, v[0]);
    size = select(moves, new_size, select(is_within, F(4), size));
    for (int k = 0; k < 3; ++k) share[k] = select(moves, new_share[k], share[k]);
    nearest = select(moves, point, nearest);
    distance2 = select(moves, least, distance2);
    steps = select(is_live & may_end, steps + one, steps);

    const auto is_touching = is_live & (distance2 <= touching * reach2);
    is_overlap = is_overlap | is_within | is_touching;
    const auto is_capped = steps >= F(kMostGjkSteps3);
    is_open = select(moves & is_capped & (!is_touching), one, is_open);
    is_live = (moves | (is_live & (!may_end) & !is_within)) & (!is_touching) & (!is_capped);
  }
  const F apart = apart_along_nearest();
  const auto is_last = (best.distance <= apart) | is_overlap;
  found.distance = select(is_last, apart, best.distance);
  found.nearest = select(is_last, nearest, best.nearest);
  found.size = select(is_last, size, best.size);
  for (int k = 0; k < 3; ++k) {
    v[k] = select(is_last, v[k], best.v[k]);
    found.share[k] = select(is_last, share[k], best.share[k]);
  }
  const auto open = is_open > zero;
  if (any<F>(open)) settle(pair, w, open, found, counter);
  // What no direction parts by more than rounding is left to EPA.
  is_overlap =
      is_overlap |
      (open & ((found.distance <= zero) | (found.distance * found.distance <= touching * reach2)));
  found.is_overlap = one_where<F>(is_overlap);
  found.reach2 = reach2;
  const F rest = sqrt(distance2) - found.distance;
  const F most_rest = F(kOpenShare<RealOf<F>>);
  found.is_capped = one_where<F>(open & (rest * rest > (most_rest * most_rest) * reach2));
}

/// How deep cores are at least: the radius of the ball about the origin within a simplex of four
/// vertices; 0 or less where there is none.
template <class F>
WIDEPHASE_INLINE F least_depth(const Simplex3<F>& simplex) {
  const DifferenceVertex3<F>* const v = simplex.v;
  const F zero = F(0);
  // A sliver's normal, and so its height, has few digits: it says nothing.
  const F least_sin2 = F(1.0f / 256);
  const auto height_over = [&](int i, int j, int k, int beyond) {
    const Vec<F, 3> to_j = way(v[i], v[j]), to_k = way(v[i], v[k]);
    const Vec<F, 3> n = cross(to_j, to_k);
    const F n2 = dot(n, n), height = negate(dot(n, v[i].point));
    const auto is_wide = n2 > least_sin2 * (dot(to_j, to_j) * dot(to_k, to_k));
    const auto is_down = dot(n, way(v[i], v[beyond])) < zero;
    return select(is_wide, divide_or_zero(select(is_down, negate(height), height), sqrt(n2)), zero);
  };
  const F least = lesser(lesser(height_over(0, 1, 2, 3), height_over(1, 2, 3, 0)),
                         lesser(height_over(2, 3, 0, 1), height_over(3, 0, 1, 2)));
  return select(simplex.size >= F(4), least, zero);
}

}  // namespace
}  // namespace widephase
