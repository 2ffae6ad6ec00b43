#pragma once

// Distance of convex cores in 3D from support points alone: GJK on their Minkowski difference, one
// pair per lane. If they overlap, EPA starts from its simplex (core/epa/epa3.hpp).
//
// The nearest feature of the new simplex contains the newest vertex. A step tests three edges,
// three faces and the inside, and takes the nearest of those over which the origin lies. The other
// vertices stay in their places, and the newest takes an empty one. A step has far more numbers
// than there are registers, so its time goes into what it writes. Points on edges and faces are
// built along directions that are perpendicular to them by construction. These directions come from
// edges that are formed shape by shape. A difference of nearly equal points would have no digits
// left.
//
// GJK terminates, because the distance falls strictly from step to step. The difference of
// polyhedra has finitely many simplices. A search ends at a vertex that lies beyond the nearest
// point by no more than rounding, so the limit of steps is far above what any pair needs. A
// cylinder's rim has endlessly many points, but the remaining gap falls below the rounding of
// coordinates in a few dozen steps. If a search stops otherwise, `settle` checks whether one of its
// last faces separates the cores by as much as the distance says. If none does, the result is
// marked.
// Sources: Gilbert, Johnson, Keerthi 1988; van den Bergen, Collision Detection in Interactive 3D
// Environments, 4.3.

#include "kernels/core/basis/lane_counter.hpp"
#include "kernels/core/gjk/gjk_start.hpp"
#include "kernels/core/gjk/nearest_features3.hpp"

namespace widephase {
namespace {

inline constexpr int kMostGjkSteps3 = 128;
/// How many steps may pass without the distance falling.
inline constexpr int kMostStalls = 8;

/// The state in which GJK ended.
template <class F>
struct Simplex3 {
  DifferenceVertex3<F> v[4];  ///< the first `size` hold the nearest point, or the origin
  F size;
  Vec<F, 3> nearest;  ///< toward the difference's point nearest to the origin, if apart
  F distance;         ///< the cores' separation along `nearest`
  F share[3];         ///< barycentric weights of the nearest point
  F is_overlap;
  F is_capped;
  F reach2;  ///< squared size of the coordinates; they round by shares of its root

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

/// The vertices that a search keeps, in fixed places. The first place is never empty.
template <class F>
struct KeptVertices3 {
  VertexPair3<F> v[3];
  MaskOf<F> has_1, has_2;
};

template <class F>
WIDEPHASE_INLINE KeptVertices3<F> select(const MaskOf<F>& mask, const KeptVertices3<F>& yes,
                                         const KeptVertices3<F>& no) {
  KeptVertices3<F> result;
  for (int k = 0; k < 3; ++k) result.v[k] = select(mask, yes.v[k], no.v[k]);
  result.has_1 = select_mask<F>(mask, yes.has_1, no.has_1);
  result.has_2 = select_mask<F>(mask, yes.has_2, no.has_2);
  return result;
}

/// The edge from the newest vertex, w, to a kept one.
template <class F>
struct EdgeToKept3 {
  Vec<F, 3> along;
  F along2;
  F inverse2;        ///< 1 / along2
  Vec<F, 3> point;   ///< the kept vertex
  Vec<F, 3> turned;  ///< along x w

  WIDEPHASE_INLINE EdgeToKept3(const CorePair<F>& pair, const VertexPair3<F>& vertex,
                               const Vec<F, 3>& edge, const Vec<F, 3>& w)
      : along(edge),
        along2(dot(edge, edge)),
        inverse2(divide_or_zero(F(1), along2)),
        point(point_of(pair, vertex)),
        turned(cross(edge, w)) {}
};

/// The point of a simplex's face or edge nearest to the origin: `share * toward`, if `is_inside`.
template <class F>
struct NearestPoint3 {
  Vec<F, 3> toward;
  F share;
  F distance2;  ///< only for comparing candidates; the point's own square has more digits
  MaskOf<F> is_inside;
};

template <class F>
WIDEPHASE_INLINE NearestPoint3<F> nearest_on_edge(const EdgeToKept3<F>& to_p, const Vec<F, 3>& w,
                                                  const MaskOf<F>& exists) {
  const Vec<F, 3>& along = to_p.along;
  const F t = negate(dot(w, along)) * to_p.inverse2;
  // Perpendicular to the edge, computed from the end nearer to the foot.
  const Vec<F, 3> from = select(t > F(0.5f), to_p.point, w);
  const Vec<F, 3> turned = cross(along, from);
  const F beside = roundings<F>(64);  // as for faces
  return {cross(turned, along), to_p.inverse2, dot(turned, turned) * to_p.inverse2,
          exists & (t > negate(beside)) & (t < F(1) + beside)};
}

/// Corrects n = u x v to be perpendicular to both within rounding, however small their angle.
template <class F>
WIDEPHASE_INLINE Vec<F, 3> righted(const Vec<F, 3>& n, const EdgeToKept3<F>& u,
                                   const EdgeToKept3<F>& v) {
  const auto is_u = u.along2 >= v.along2;
  const Vec<F, 3> longer = select(is_u, u.along, v.along);
  return n - (dot(n, longer) * select(is_u, u.inverse2, v.inverse2)) * longer;
}

/// `across` is the cross product of the two edges.
template <class F>
WIDEPHASE_INLINE NearestPoint3<F> nearest_on_face(const EdgeToKept3<F>& to_p,
                                                  const EdgeToKept3<F>& to_q,
                                                  const Vec<F, 3>& across, const Vec<F, 3>& w,
                                                  const MaskOf<F>& exists) {
  const Vec<F, 3> n = righted(across, to_p, to_q);
  const F n2 = dot(n, n);
  // Twice the areas of the triangles between the foot and the edges, times |n|.
  const F area_p = dot(to_q.turned, n);
  const F area_q = negate(dot(to_p.turned, n));
  const F area_w = (n2 - area_p) - area_q;
  const auto has_area = n2 > parallel_sin2<F>() * (to_p.along2 * to_q.along2);
  // A foot outside the face by rounding only counts as inside. The plane is then just as good, and
  // the search continues along its normal.
  const F least = negate(roundings<F>(64)) * n2;
  const F inverse = divide(F(1), select(has_area, n2, F(1)));
  // Compute the height from the vertex with the largest share.
  const auto is_p = (area_p > area_w) & (area_p >= area_q);
  const auto is_q = (area_q > area_w) & (!is_p);
  const Vec<F, 3> from = select(is_p, to_p.point, select(is_q, to_q.point, w));
  const F height = dot(from, n), share = height * inverse;
  return {n, share, height * share,
          exists & has_area & (area_p > least) & (area_q > least) & (area_w > least)};
}

/// Whether a point and the origin lie on the same side of the plane through w with normal `n`.
/// `to_point` leads from w to the point. The origin may lie in the plane.
template <class F>
WIDEPHASE_INLINE MaskOf<F> is_on_side_of(const Vec<F, 3>& n, const Vec<F, 3>& w,
                                         const Vec<F, 3>& to_point) {
  const F of_point = dot(n, to_point), of_origin = negate(dot(n, w));
  const F zero = F(0);
  return ((of_point > zero) & (of_origin >= zero)) | ((of_point < zero) & (of_origin <= zero));
}

/// Sets the barycentric weights of the nearest point, for an origin that projects into the simplex.
template <class F>
WIDEPHASE_INLINE void set_shares(Simplex3<F>& found) {
  const F zero = F(0), one = F(1);
  const Vec<F, 3>& w = found.v[0].point;
  const Vec<F, 3> to_p = from_to(found.v[0], found.v[1]), to_q = from_to(found.v[0], found.v[2]);
  const F on_edge = divide_or_zero(negate(dot(w, to_p)), dot(to_p, to_p));
  const Vec<F, 3> n = across_both(to_p, to_q);
  const F inverse = divide_or_zero(one, dot(n, n));
  const F on_p = dot(cross(to_q, w), n) * inverse, on_q = dot(cross(w, to_p), n) * inverse;
  const auto has_two = found.size >= F(2), has_three = found.size >= F(3);
  found.share[1] = select(has_three, on_p, select(has_two, on_edge, zero));
  found.share[2] = select(has_three, on_q, zero);
  found.share[0] = (one - found.share[1]) - found.share[2];
}

template <class F>
WIDEPHASE_INLINE F squared_reach(const DifferenceVertex3<F>& vertex, const F& apart2) {
  return dot(vertex.of_a, vertex.of_a) + (dot(vertex.of_b, vertex.of_b) + apart2);
}

/// An exact power of two, mostly 1. Multiplied by it, lengths between 1e-6 and 1e9 (`double`: 1e-60
/// and 1e75) have eighth powers that neither overflow nor underflow.
template <class F>
WIDEPHASE_INLINE F scale_of(const F& length) {
  using T = RealOf<F>;
  constexpr bool kIsFloat = sizeof(T) == 4;
  const F large = F(kIsFloat ? T(0x1p12) : T(0x1p84)), small = F(kIsFloat ? T(0x1p-10) : T(0x1p-84));
  const F down = F(kIsFloat ? T(0x1p-20) : T(0x1p-168)), up = F(kIsFloat ? T(0x1p14) : T(0x1p120));
  return select(length > large, down, select(length < small, up, F(1)));
}

/// The separation of the cores along `direction` (from B to A), in the lanes of `live`.
template <class F>
WIDEPHASE_INLINE F separation_along(const CorePair<F>& pair, const Vec<F, 3>& direction,
                                    const MaskOf<F>& live) {
  const DifferenceVertex3<F> w = farthest(pair, -direction, live);
  return divide_or_zero(dot(direction, w.point), length(direction));
}

/// For lanes whose search stopped although vertex w lies beyond the nearest point. Tries the faces
/// and edges that w forms with the vertices of the last simplex. Keeps the direction along which
/// the cores are farthest apart, if that is more than along the nearest point.
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
  // Directions are products of three lengths. A cylinder's support point multiplies one by a half
  // axis and squares it: eighth powers.
  const F scale = scale_of(sqrt(found.reach2));
  const auto to = [&](const DifferenceVertex3<F>& v) { return scale * from_to(w, v); };
  const Vec<F, 3> to_0 = to(found.v[0]), to_1 = to(found.v[1]), to_2 = to(found.v[2]);
  ask(across_both(to_0, to_1), has_two);
  ask(across_both(to_1, to_2), has_three);
  ask(across_both(to_2, to_0), has_three);
  // The edges from w; each direction is perpendicular to its edge, in the plane of the origin.
  const auto ask_edge = [&](const DifferenceVertex3<F>& v, const MaskOf<F>& exists) {
    const Vec<F, 3> along = to(v);
    ask(cross(cross(along, scale * w.point), along), exists);
  };
  ask_edge(found.v[0], found.size >= F(1));
  ask_edge(found.v[1], has_two);
  ask_edge(found.v[2], has_three);
}

/// If bounds differ by no more than this, the search by features is not needed.
inline constexpr int kFeatureRoundings = 16;

/// The distance between the points that the weights give.
template <class F>
WIDEPHASE_INLINE F distance_by_shares(const CorePair<F>& pair, const Simplex3<F>& found) {
  Vec<F, 3> on_a = zero_vec<F, 3>(), on_b = on_a;
  for (int k = 0; k < 3; ++k) {
    on_a = on_a + found.share[k] * found.v[k].of_a;
    on_b = on_b + found.share[k] * found.v[k].of_b;
  }
  return length(on_a - (pair.apart + on_b));
}

/// The same for cores with vertices, from the nearest features among the vertices of the last
/// simplex. `points_apart` is the distance between the nearest points. Returns the lanes whose
/// bounds have met: there the cores are apart, or touch within rounding, at these points.
template <class F, class Counter>
__attribute__((noinline)) MaskOf<F> settle_by_features(const CorePair<F>& pair,
                                                       const DifferenceVertex3<F>& w,
                                                       const MaskOf<F>& asked,
                                                       Simplex3<F>& found, F& points_apart,
                                                       Counter& counter) {
  const F reach = sqrt(found.reach2);
  const F rounding = roundings<F>(kFeatureRoundings / 4) * reach;
  VertexSet3<F> a, b;
  for (int k = 0; k < 4; ++k) {
    const DifferenceVertex3<F>& v = k == 3 ? w : found.v[k];
    const auto exists = k == 3 ? asked : asked & (found.size > F(static_cast<RealOf<F>>(k)));
    a.add({v.of_a, v.a}, exists);
    b.add({v.of_b, v.b}, exists);
  }
  NearestPoints3<F> nearest;
  nearest.apart = found.distance;
  const F size = length(found.nearest);
  for (int k = 0; k < 3; ++k) nearest.direction[k] = divide_or_zero(found.nearest[k], size);
  find_nearest_features(pair, a, b, asked, rounding, nearest, counter);
  points_apart = select(asked, nearest.features.distance, points_apart);
  found.distance = select(asked, nearest.apart, found.distance);
  // If no direction separates the cores, an open pair goes to EPA with its simplex unchanged.
  const auto is_met =
      asked & (points_apart - found.distance <= F(kOpenShare<RealOf<F>>) * reach);
  const auto is_apart = is_met | (asked & (found.distance > roundings<F>(8) * reach));
  found.nearest = select(is_apart, nearest.direction, found.nearest);
  for (int k = 0; k < 3; ++k) {
    DifferenceVertex3<F>& v = found.v[k];
    v.of_a = select(is_apart, nearest.features.on_a, v.of_a);
    v.of_b = select(is_apart, nearest.features.on_b, v.of_b);
    v.a = select(is_apart, nearest.features.a[k], v.a);
    v.b = select(is_apart, nearest.features.b[k], v.b);
    found.share[k] = select(is_apart, F(k == 0 ? 1 : 0), found.share[k]);
  }
  found.size = select(is_apart, F(3), found.size);
  return is_met;
}

/// Runs GJK in the lanes of `live`; the others keep a single vertex. A search stops early once it
/// proves that the cores are more than `most` apart; then its vertices have no meaning. `Counter`
/// is a `LaneCounter`, or one that also records the steps.
template <class F, class Counter>
__attribute__((noinline)) void gjk(const CorePair<F>& pair, const MaskOf<F>& live,
                                   const GjkStart<F>& start, const F& most, Simplex3<F>& found,
                                   Counter& counter) {
  if (!any<F>(live)) {
    found.clear();
    return;
  }
  const F zero = F(0), one = F(1);
  // Coordinates round by this share of their size; the result need not be better than twice that.
  const F share2 = roundings<F>(4) * roundings<F>(4);
  const auto all = zero == zero, none = zero < zero;
  const F most2 = (most * most) * (one + roundings<F>(64));
  const F apart2 = dot(pair.apart, pair.apart);
  const auto has_start = start.own_count > zero;
  DifferenceVertex3<F> w = farthest(pair, start.direction, live & !has_start);
  if (start.count > 0) w = select(has_start, start.v[0], w);
  KeptVertices3<F> kept;
  kept.v[0] = kept.v[1] = kept.v[2] = VertexPair3<F>(w);
  kept.has_1 = kept.has_2 = none;
  VertexPair3<F> newest = kept.v[0];
  Vec<F, 3> nearest = w.point;
  F distance2 = dot(nearest, nearest);
  F reach2 = squared_reach(w, apart2);
  F gap = zero;  // how far w lies beyond the nearest point, times the distance
  const F touching = roundings<F>(8) * roundings<F>(8);
  auto is_overlap = distance2 <= touching * reach2;
  auto is_full = none;  // four vertices contain the origin
  auto is_live = live & !is_overlap;
  auto was_beyond = none;
  auto is_open = none;  // the search stopped before it closed the gap
  // Holds the first vertex of lanes that are not full. What few batches need begins with it only
  // there, as it is long to write.
  found.v[3] = w;
  DifferenceVertex3<F> last;  // the last w of open lanes
  bool has_last = false, has_best = false;
  const auto begin_last = [&] {
    if (!has_last) last = found.v[3];
    has_last = true;
  };
  F stalls = zero;
  // The best simplex of the steps that stalled: along its nearest point the cores are farthest
  // apart. If numbers overflow, it is taken without a comparison.
  KeptVertices3<F> best;
  Vec<F, 3> best_nearest;
  const auto begin_best = [&] {
    if (has_best) return;
    has_best = true;
    best.v[0] = best.v[1] = best.v[2] = VertexPair3<F>(found.v[3]);
    best.has_1 = best.has_2 = none;
    best_nearest = found.v[3].point;
  };
  F best_distance = negate(F(kLargest<RealOf<F>>));
  const auto apart_along_nearest = [&] {
    const F length = sqrt(distance2);
    return length - divide_or_zero(greater(gap, zero), length);
  };
  const auto set_open = [&](const MaskOf<F>& lanes) {
    if (!any<F>(lanes)) return;
    begin_last();
    is_open = is_open | lanes;
    last = select(lanes, w, last);
  };
  const bool is_smooth = !has_vertices(pair.a.shape.form) || !has_vertices(pair.b.shape.form);
  const auto is_vertex = [&](const VertexPair3<F>& v) {
    // Points of a rim have no numbers of their own.
    return is_smooth ? is_same(w.of_a, v.of_a) & is_same(w.of_b, v.of_b)
                     : (w.a == v.a) & (w.b == v.b);
  };
  int steps = 1, taken = 1;  // steps; vertices taken from the start
  while (any<F>(is_live)) {
    counter.add_step(is_live);
    // A vertex of the start may advance the search but cannot end it; only a new support point can.
    // Lanes without a start vertex wait.
    const bool is_asked = taken >= start.count;
    const auto may_end = is_asked ? all : none;
    if (is_asked) {
      w = farthest(pair, -nearest, is_live);
      ++steps;
    } else {
      w = select(start.own_count > F(taken), start.v[taken], difference_of(pair, kept.v[0]));
      ++taken;
    }
    counter.note(pair, kept, nearest, w);
    reach2 = select(is_live, greater(reach2, squared_reach(w, apart2)), reach2);
    // The gap is closed if w lies beyond the nearest point by no more than the edge to w rounds.
    // Comparing with zero is not enough. Rounding may keep the gap positive forever: in most
    // batches some lane went on until it had stalled too often. The limit of half the squared
    // distance still proves nearly touching cores apart.
    const Vec<F, 3> to_newest = from_to(w, newest);
    gap = select(is_live, dot(nearest, to_newest), gap);
    auto is_closed =
        gap <= lesser(roundings<F>(2) * (coordinate_size(to_newest) * coordinate_size(nearest)),
                      F(0.5f) * distance2);
    // A cylinder's rim never ends: stop when its points are no farther out than coordinates round.
    if (is_smooth) {
      is_closed = is_closed | (gap * gap <= share2 * (reach2 * distance2)) |
                  (gap < start.loose * distance2);
    }
    const auto is_known = is_vertex(kept.v[0]) | (kept.has_1 & is_vertex(kept.v[1])) |
                          (kept.has_2 & is_vertex(kept.v[2]));

    // If the cores are this far apart along some direction, nothing else needs to be known.
    const F proven = (distance2 - gap) - roundings<F>(64) * distance2;
    const auto is_beyond =
        is_live & may_end & (proven > zero) & (proven * proven > most2 * distance2);
    is_live = is_live & !is_beyond;
    was_beyond = was_beyond | is_beyond;
    const auto one_more = is_live & (!is_closed) & (!is_known);
    if (is_asked && !any<F>(one_more)) {
      set_open(is_live & !is_closed);
      is_overlap = is_overlap | (is_live & (distance2 <= touching * reach2));
      break;
    }

    // The nearest among the new vertex, its edges and its faces.
    const EdgeToKept3<F> edge_0(pair, kept.v[0], from_to(w, kept.v[0]), w.point);
    const F beyond_rounding = one + roundings<F>(4);
    F least = dot(w.point, w.point), share = one;
    Vec<F, 3> toward = w.point;
    const auto take = [&](const NearestPoint3<F>& at) __attribute__((always_inline)) {
      // If rounding hides which is nearer, the feature with more vertices has the better direction.
      const auto is_better = at.is_inside & (at.distance2 <= beyond_rounding * least);
      least = select(is_better, at.distance2, least);
      share = select(is_better, at.share, share);
      toward = select(is_better, at.toward, toward);
      return is_better;
    };
    auto keeps_0 = take(nearest_on_edge(edge_0, w.point, all)), keeps_1 = none, keeps_2 = none;
    auto is_within = none;
    // In the first steps of a batch no lane has a vertex in the last place.
    const bool has_three_places = any<F>(one_more & kept.has_2);
    if (has_three_places || any<F>(one_more & kept.has_1)) {
      const EdgeToKept3<F> edge_1(pair, kept.v[1], from_to(w, kept.v[1]), w.point);
      keeps_1 = take(nearest_on_edge(edge_1, w.point, kept.has_1));
      const Vec<F, 3> across_01 = cross(edge_0.along, edge_1.along);
      if (has_three_places) {
        const EdgeToKept3<F> edge_2(pair, kept.v[2], from_to(w, kept.v[2]), w.point);
        keeps_2 = take(nearest_on_edge(edge_2, w.point, kept.has_2));
        keeps_0 = keeps_0 & !(keeps_1 | keeps_2);
        keeps_1 = keeps_1 & !keeps_2;
        const Vec<F, 3> across_12 = cross(edge_1.along, edge_2.along);
        const Vec<F, 3> across_20 = cross(edge_2.along, edge_0.along);
        const auto by_01 = take(nearest_on_face(edge_0, edge_1, across_01, w.point, kept.has_1));
        const auto has_three = kept.has_1 & kept.has_2;
        const auto by_12 = take(nearest_on_face(edge_1, edge_2, across_12, w.point, has_three));
        const auto by_20 = take(nearest_on_face(edge_2, edge_0, across_20, w.point, kept.has_2));
        keeps_0 = ((keeps_0 | by_01) & !by_12) | by_20;
        keeps_1 = (keeps_1 | by_01 | by_12) & !by_20;
        keeps_2 = (keeps_2 & !by_01) | by_12 | by_20;
        // If the cores are apart, most steps know that already.
        const auto may_be_within = one_more & has_three & (dot(nearest, w.point) <= zero);
        if (any<F>(may_be_within)) {
          is_within = may_be_within & is_on_side_of(across_01, w.point, edge_2.along) &
                      is_on_side_of(across_12, w.point, edge_0.along) &
                      is_on_side_of(across_20, w.point, edge_1.along);
        }
      } else {
        keeps_0 = keeps_0 & !keeps_1;
        const auto by_01 = take(nearest_on_face(edge_0, edge_1, across_01, w.point, kept.has_1));
        keeps_0 = keeps_0 | by_01;
        keeps_1 = keeps_1 | by_01;
      }
    }
    const Vec<F, 3> point = share * toward;
    least = dot(point, point);

    // Close to the solution the distance stands still while its direction still changes.
    const auto is_stalling = one_more & may_end & (!is_within) & (least >= distance2);
    if (any<F>(is_stalling)) {
      begin_best();
      const F apart = apart_along_nearest();
      const auto is_better = is_stalling & (apart > best_distance);
      best_distance = select(is_better, apart, best_distance);
      best_nearest = select(is_better, nearest, best_nearest);
      best = select(is_better, kept, best);
      stalls = select(is_stalling, stalls + one, stalls);
    }
    const auto moves =
        one_more & (!is_within) &
        ((least < distance2) | (may_end & (stalls <= F(kMostStalls)) &
                                (least <= distance2 + roundings<F>(16) * distance2)));
    if (any<F>(is_within)) {
      is_full = is_full | is_within;
      found.v[3] = select(is_within, w, found.v[3]);
    }

    // The new vertex takes the place that holds none.
    const VertexPair3<F> of_w(w);
    newest = select(moves, of_w, newest);
    kept.v[0] = select(moves & !keeps_0, of_w, kept.v[0]);
    kept.v[1] = select(moves & keeps_0 & !keeps_1, of_w, kept.v[1]);
    kept.v[2] = select(moves & keeps_0 & keeps_1, of_w, kept.v[2]);
    kept.has_1 = select_mask<F>(moves, keeps_0 | keeps_1, kept.has_1);
    kept.has_2 = select_mask<F>(moves, keeps_2 | (keeps_0 & keeps_1), kept.has_2);
    nearest = select(moves, point, nearest);
    distance2 = select(moves, least, distance2);

    const auto is_touching = is_live & (distance2 <= touching * reach2);
    is_overlap = is_overlap | is_within | is_touching;
    const bool is_capped = steps >= kMostGjkSteps3;
    set_open((is_live & may_end & (!is_closed) & (!is_within) & (!moves)) |
             (is_capped ? moves & (!is_touching) : none));
    if (is_capped) break;
    is_live = (moves | (is_live & (!may_end) & !is_within)) & (!is_touching);
  }
  found.distance = apart_along_nearest();
  found.nearest = nearest;
  const auto is_best = live & (!is_overlap) & !(best_distance <= found.distance);
  if (any<F>(is_best)) {
    begin_best();
    found.distance = select(is_best, best_distance, found.distance);
    found.nearest = select(is_best, best_nearest, nearest);
    kept = select(is_best, best, kept);
  }
  found.v[0] = difference_of(pair, kept.v[0]);
  found.v[1] = difference_of(pair, select(kept.has_1, kept.v[1], kept.v[2]));
  found.v[2] = difference_of(pair, kept.v[2]);
  found.size =
      ((one + one_where<F>(kept.has_1)) + one_where<F>(kept.has_2)) + one_where<F>(is_full);
  F points_apart = sqrt(distance2);
  found.reach2 = reach2;
  if (is_smooth && any<F>(is_open)) settle(pair, last, is_open, found, counter);
  set_shares(found);
  if (!is_smooth) {
    // Beside a sliver a foot may wrongly count as inside; then its points are farther apart.
    points_apart = distance_by_shares(pair, found);
    const F rest = points_apart - found.distance, reach = sqrt(reach2);
    const auto asked =
        live & (!is_overlap) & (!was_beyond) & (rest > roundings<F>(kFeatureRoundings) * reach);
    if (any<F>(asked)) {
      begin_last();
      const auto is_met = settle_by_features(pair, last, asked, found, points_apart, counter);
      is_open = (is_open | asked) & !is_met;
    }
  }
  // Pairs that no direction separates by more than rounding go to EPA.
  is_overlap = is_overlap | (is_open & ((found.distance <= zero) |
                                        (found.distance * found.distance <= touching * reach2)));
  found.is_overlap = one_where<F>(is_overlap);
  const F rest = points_apart - found.distance;
  const F most_rest = F(kOpenShare<RealOf<F>>);
  found.is_capped = one_where<F>(is_open & (rest * rest > (most_rest * most_rest) * reach2));
}

/// A lower bound of the cores' depth: the radius of the ball about the origin inside a simplex of
/// four vertices; 0 or less if there is none.
template <class F>
WIDEPHASE_INLINE F least_depth(const Simplex3<F>& simplex) {
  const DifferenceVertex3<F>* const v = simplex.v;
  const F zero = F(0);
  // A sliver's normal, and so its height, has few digits: ignore it.
  const F least_sin2 = F(1.0f / 256);
  const auto height_over = [&](int i, int j, int k, int beyond) {
    const Vec<F, 3> to_j = from_to(v[i], v[j]), to_k = from_to(v[i], v[k]);
    const Vec<F, 3> n = cross(to_j, to_k);
    const F n2 = dot(n, n), height = negate(dot(n, v[i].point));
    const auto is_wide = n2 > least_sin2 * (dot(to_j, to_j) * dot(to_k, to_k));
    const auto is_down = dot(n, from_to(v[i], v[beyond])) < zero;
    return select(is_wide, divide_or_zero(select(is_down, negate(height), height), sqrt(n2)), zero);
  };
  const F least = lesser(lesser(height_over(0, 1, 2, 3), height_over(1, 2, 3, 0)),
                         lesser(height_over(2, 3, 0, 1), height_over(3, 0, 1, 2)));
  return select(simplex.size >= F(4), least, zero);
}

}  // namespace
}  // namespace widephase
