#pragma once

// The nearest points of two polyhedra in 3D, for pairs where rounding hides them from GJK. One pair
// per lane.
//
// Between edges that are nearly parallel, the faces of the Minkowski difference are slivers.
// Rounding then decides where the origin projects into a sliver, and GJK cycles in its last simplex
// without closing the gap. Its vertices are still exact, and each names a vertex of A and one of B.
// So both cores keep a few vertices of their own. The nearest features of these are found in closed
// form from their edges and triangles, whose directions are exact to rounding.
//
// Support points along the gap between the features give a lower bound on how far the cores are
// apart; this is the proof. If the bound is less than the distance of the points, the new vertices
// are added, as in GJK. Gaps that are equally short except for rounding are all tried, because only
// support points tell which of them separates the cores.
// Source of the closed forms: Ericson, Real-Time Collision Detection, 5.1.9 and 5.1.5.

#include "kernels/core/basis/lane_counter.hpp"
#include "kernels/core/round/segment.hpp"
#include "kernels/core/support/difference3.hpp"

namespace widephase {
namespace {

inline constexpr int kMostFeatureSteps = 16;

/// Some vertices of a core, one core per lane.
template <class F>
struct VertexSet3 {
  static constexpr int most = 5;
  SupportPoint3<F> vertex[most];  ///< the first `count` of a lane are in use
  F count = F(0);

  WIDEPHASE_INLINE VertexSet3() {
    for (SupportPoint3<F>& v : vertex) v = {zero_vec<F, 3>(), F(0)};
  }
  WIDEPHASE_INLINE MaskOf<F> has(int k) const { return count > F(static_cast<RealOf<F>>(k)); }
  WIDEPHASE_INLINE int most_count() const {
    int result = 0;
    while (result < most && any<F>(has(result))) ++result;
    return result;
  }
  WIDEPHASE_INLINE MaskOf<F> has_number(const F& number) const {
    auto is_known = F(0) > F(0);
    for (int k = 0; k < most; ++k) is_known = is_known | (has(k) & (vertex[k].number == number));
    return is_known;
  }
  /// Adds a vertex if it is new and there is room. It also fills the places after it.
  WIDEPHASE_INLINE void add(const SupportPoint3<F>& v, const MaskOf<F>& where) {
    const auto is_new = where & !has_number(v.number);
    for (int k = 0; k < most; ++k) {
      const auto is_put = is_new & !has(k);
      vertex[k].point = select(is_put, v.point, vertex[k].point);
      vertex[k].number = select(is_put, v.number, vertex[k].number);
    }
    count = select(is_new & (count < F(most)), count + F(1), count);
  }
  WIDEPHASE_INLINE void clear(const MaskOf<F>& where) { count = select(where, F(0), count); }
};

/// A candidate for the nearest features of two sets.
template <class F>
struct NearFeatures3 {
  Vec<F, 3> on_a, on_b;  ///< relative to the cores' middles
  F distance;
  Vec<F, 3> gap;  ///< from B to A, of any length
  F inner;        ///< degrees of freedom of the points; more make the gap's direction more accurate
  Vec<F, 3> across;
  MaskOf<F> has_across;  ///< `across`, perpendicular to both edges, is worth trying beside the gap
  F a[3], b[3];          ///< vertices; some may be equal

  WIDEPHASE_INLINE void clear() {
    const F zero = F(0);
    on_a = on_b = gap = across = zero_vec<F, 3>();
    distance = F(kLargest<RealOf<F>>);
    has_across = zero > zero;
    inner = zero;
    for (int k = 0; k < 3; ++k) a[k] = b[k] = zero;
  }
};
template <class F>
WIDEPHASE_INLINE void take(const MaskOf<F>& mask, const NearFeatures3<F>& from,
                           NearFeatures3<F>& to) {
  to.on_a = select(mask, from.on_a, to.on_a);
  to.on_b = select(mask, from.on_b, to.on_b);
  to.distance = select(mask, from.distance, to.distance);
  to.gap = select(mask, from.gap, to.gap);
  to.inner = select(mask, from.inner, to.inner);
  for (int k = 0; k < 3; ++k) {
    to.a[k] = select(mask, from.a[k], to.a[k]);
    to.b[k] = select(mask, from.b[k], to.b[k]);
  }
}

template <class F>
WIDEPHASE_INLINE NearFeatures3<F> nearest_of_edges(const CorePair<F>& pair,
                                                   const SupportPoint3<F>& a0,
                                                   const SupportPoint3<F>& a1,
                                                   const SupportPoint3<F>& b0,
                                                   const SupportPoint3<F>& b1) {
  const F zero = F(0), one = F(1);
  const SegmentPair<F, 3> lines(a1.point - a0.point, b1.point - b0.point,
                                (pair.apart + b0.point) - a0.point);
  const SegmentGap3<F> between = gap_between(
      lines, [&](const MaskOf<F>& is_far_a, const MaskOf<F>& is_far_b)
                 __attribute__((always_inline)) {
                   return select(is_far_a, a1.point, a0.point) -
                          (pair.apart + select(is_far_b, b1.point, b0.point));
                 });
  const F &s = between.at.s, &t = between.at.t;
  NearFeatures3<F> result;
  result.on_a = point_at(a0.point, a1.point, s);
  result.on_b = point_at(b0.point, b1.point, t);
  result.distance = length(result.on_a - (pair.apart + result.on_b));
  result.gap = between.gap;
  result.inner = between.inner;
  result.across = select(dot(between.across, between.gap) < zero, -between.across, between.across);
  result.has_across = (!between.is_parallel) & (!between.at.is_crossing);
  result.a[0] = select(s < one, a0.number, a1.number);
  result.b[0] = select(t < one, b0.number, b1.number);
  result.a[1] = result.a[2] = select(s > zero, a1.number, a0.number);
  result.b[1] = result.b[2] = select(t > zero, b1.number, b0.number);
  return result;
}

/// For a vertex straight above a triangle; clears `exists` in the other lanes.
template <class F>
WIDEPHASE_INLINE NearFeatures3<F> nearest_on_triangle(const CorePair<F>& pair, bool is_a,
                                                      const SupportPoint3<F> (&corner)[3],
                                                      const SupportPoint3<F>& vertex,
                                                      MaskOf<F>& exists) {
  const F zero = F(0), one = F(1);
  const Vec<F, 3> u = corner[1].point - corner[0].point, v = corner[2].point - corner[0].point;
  const Vec<F, 3> n = across_both(u, v);
  const F n2 = dot(n, n);
  const auto has_area = !are_parallel(n2, dot(u, u), dot(v, v));
  const F inverse = divide(one, select(has_area, n2, one));
  const Vec<F, 3> offset = is_a ? pair.apart : -pair.apart;
  const auto to_vertex = [&](int k) { return (offset + vertex.point) - corner[k].point; };
  const Vec<F, 3> to = to_vertex(0);
  const F share_1 = dot(cross(to, v), n) * inverse, share_2 = dot(cross(u, to), n) * inverse;
  const F share_0 = (one - share_1) - share_2;
  // A foot outside by rounding only counts as inside: its direction is just as good.
  const F least = negate(roundings<F>(64));
  exists = exists & has_area & (share_0 >= least) & (share_1 >= least) & (share_2 >= least);
  const auto is_1 = (share_1 > share_0) & (share_1 >= share_2);
  const auto is_2 = (share_2 > share_0) & (!is_1);
  const F height = dot(select(is_1, to_vertex(1), select(is_2, to_vertex(2), to)), n) * inverse;
  const Vec<F, 3> gap = height * n;  // to the vertex
  const Vec<F, 3> under = (offset + vertex.point) - gap;
  NearFeatures3<F> result;
  result.on_a = is_a ? under : vertex.point;
  result.on_b = is_a ? vertex.point : under;
  result.distance = length(gap);
  result.gap = is_a ? -gap : gap;
  result.inner = F(2);
  result.across = gap;
  result.has_across = zero > one;
  for (int k = 0; k < 3; ++k) {
    result.a[k] = is_a ? corner[k].number : vertex.number;
    result.b[k] = is_a ? vertex.number : corner[k].number;
  }
  return result;
}

/// Calls `visit(features, exists)` for the edges and triangles of both sets.
template <class F, class Visit>
WIDEPHASE_INLINE void for_each_near_features(const CorePair<F>& pair, const VertexSet3<F>& a,
                                             const VertexSet3<F>& b, Visit&& visit) {
  const int count_a = a.most_count(), count_b = b.most_count();
  const VertexSet3<F>* const sets[2] = {&a, &b};
  const int counts[2] = {count_a, count_b};
  for (int side = 0; side < 2; ++side) {
    const VertexSet3<F>&own = *sets[side], &other = *sets[1 - side];
    for (int k = 2; k < counts[side]; ++k) {
      for (int j = 1; j < k; ++j) {
        for (int i = 0; i < j; ++i) {
          const SupportPoint3<F> corner[3] = {own.vertex[i], own.vertex[j], own.vertex[k]};
          for (int n = 0; n < counts[1 - side]; ++n) {
            MaskOf<F> exists = own.has(k) & other.has(n);
            const NearFeatures3<F> features =
                nearest_on_triangle(pair, side == 0, corner, other.vertex[n], exists);
            visit(features, exists);
          }
        }
      }
    }
  }
  // A set of one vertex has one edge, from the vertex to itself.
  for (int j = 1; j == 1 || j < count_a; ++j) {
    for (int i = 0; i < j; ++i) {
      for (int n = 1; n == 1 || n < count_b; ++n) {
        for (int m = 0; m < n; ++m) {
          visit(nearest_of_edges(pair, a.vertex[i], a.vertex[j], b.vertex[m], b.vertex[n]),
                (a.has(j) | (F(static_cast<RealOf<F>>(j)) == F(1))) &
                    (b.has(n) | (F(static_cast<RealOf<F>>(n)) == F(1))));
        }
      }
    }
  }
}

/// The nearest points of two cores, and the best proven separation.
template <class F>
struct NearestPoints3 {
  NearFeatures3<F> features;
  F apart;              ///< the proven separation along `direction`
  Vec<F, 3> direction;  ///< unit, from B to A
};

/// Searches in the lanes of `asked`, starting from vertices of both cores that are near each other.
/// On entry `found.apart` and `direction` hold what is already known. Coordinates round by
/// `rounding`.
template <class F, class Counter>
__attribute__((noinline)) void find_nearest_features(const CorePair<F>& pair, VertexSet3<F>& a,
                                                     VertexSet3<F>& b, const MaskOf<F>& asked,
                                                     const F& rounding, NearestPoints3<F>& found,
                                                     Counter& counter) {
  found.features.clear();
  auto is_live = asked;
  for (int step = 0; step < kMostFeatureSteps && any<F>(is_live); ++step) {
    NearFeatures3<F> nearest;
    nearest.clear();
    for_each_near_features(
        pair, a, b, [&](const NearFeatures3<F>& at, const MaskOf<F>& exists)
                        __attribute__((always_inline)) {
                          const auto is_better =
                              exists & ((at.distance < nearest.distance - rounding) |
                                        ((at.inner > nearest.inner) &
                                         (at.distance <= nearest.distance + rounding)));
                          take(is_better, at, nearest);
                        });
    take(is_live & (nearest.distance < found.features.distance), nearest, found.features);

    DifferenceVertex3<F> best{zero_vec<F, 3>(), zero_vec<F, 3>(), zero_vec<F, 3>(), F(0), F(0)};
    const auto is_open = [&] {
      return is_live & (found.features.distance - found.apart > F(4) * rounding);
    };
    // If rounding hides which direction is better, keep the one between the nearest points.
    const auto ask = [&](const Vec<F, 3>& gap, const MaskOf<F>& where, const F& least_gain) {
      counter.add_step(where);
      const DifferenceVertex3<F> w = farthest(pair, -gap, where);
      const F size = length(gap);
      const F apart = divide_or_zero(dot(gap, w.point), size);
      const auto is_better = where & (size > F(0)) & (apart - found.apart > least_gain);
      found.apart = select(is_better, apart, found.apart);
      for (int k = 0; k < 3; ++k) {
        found.direction[k] = select(is_better, divide_or_zero(gap[k], size), found.direction[k]);
      }
      best = select(is_better, w, best);
      return w;
    };
    const DifferenceVertex3<F> first = ask(nearest.gap, is_live, negate(rounding));
    best = first;
    if (any<F>(is_open())) {
      for_each_near_features(
          pair, a, b, [&](const NearFeatures3<F>& at, const MaskOf<F>& exists) {
            const auto is_near =
                exists & is_open() & (at.distance <= nearest.distance + rounding);
            if (!any<F>(is_near)) return;
            ask(at.gap, is_near, rounding);
            const auto has_across = is_near & at.has_across & is_open();
            if (any<F>(has_across)) ask(at.across, has_across, rounding);
          });
      // If crossing edges are far apart, the difference of their points has more digits.
      const Vec<F, 3> gap = nearest.on_a - (pair.apart + nearest.on_b);
      if (any<F>(is_open())) ask(gap, is_open(), rounding);
    }

    // The next sets: the nearest features, and the vertices found beyond them.
    const auto is_known = a.has_number(first.a) & b.has_number(first.b) & a.has_number(best.a) &
                          b.has_number(best.b);
    is_live = is_open() & !is_known;
    if (!any<F>(is_live)) break;
    a.clear(is_live);
    b.clear(is_live);
    for (int k = 0; k < 3; ++k) {
      a.add(vertex_at(pair.a, nearest.a[k]), is_live);
      b.add(vertex_at(pair.b, nearest.b[k]), is_live);
    }
    a.add({first.of_a, first.a}, is_live);
    b.add({first.of_b, first.b}, is_live);
    a.add({best.of_a, best.a}, is_live);
    b.add({best.of_b, best.b}, is_live);
  }
}

}  // namespace
}  // namespace widephase
