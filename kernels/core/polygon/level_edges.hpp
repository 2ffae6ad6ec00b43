#pragma once

// Treats edges of a polygon that are level with one another, except for rounding, as one edge.
// Otherwise rounding would choose which of them is the nearest. Each point is named by the edge
// that it lies on.

#include "kernels/core/polygon/polygon_places.hpp"

namespace widephase {
namespace {

/// A run of edges, from first to last, counter-clockwise.
template <class F>
struct EdgeRange {
  F first;
  F last;
};
/// The number of the edge after the run, or before it where the lane is not `is_next`.
template <class F>
WIDEPHASE_INLINE F neighbor_number(const PolygonPlaces<F>& places, const EdgeRange<F>& edges,
                                   const MaskOf<F>& is_next) {
  return neighbor_number(places, select(is_next, edges.last, edges.first), is_next);
}

/// Joins an edge with the edges that are level with it, except for rounding. Let a shape be `far`
/// away. If all edges up to a neighbour move the line by no more than that distance rounds,
/// rounding decides which of them is the nearest. The shape may also lie beyond the end of them
/// all. The joined edge keeps this edge's normal and feature.
template <class F>
__attribute__((noinline)) EdgeRange<F> join_level_edges(const PolygonPlaces<F>& places,
                                                        const F& number, const F& far,
                                                        EdgeLanes<F>& edge) {
  const F zero = F(0);
  const F rounding = roundings<F>(16) * far +
                     roundings<F>(4) * (coordinate_size(edge.p) + coordinate_size(edge.q));
  EdgeRange<F> range{number, number};
  for (const bool is_next : {true, false}) {
    F& end = is_next ? range.last : range.first;
    F fall = zero;
    auto is_open = zero == zero;
    for (int step = 0; step < most_vertices(places); ++step) {
      const F after = neighbor_number(places, end, F(is_next ? 1 : 0) > zero);
      const EdgeLanes<F> next = polygon_edge_apart(places, after);
      fall = fall + abs(cross(edge.normal, next.normal)) * coordinate_size(next.q - next.p);
      is_open = is_open &
                (record_number(places, is_next ? end : after, PolygonLayout::flat_after) > zero) &
                (fall <= rounding) & (dot(edge.normal, next.normal) > zero);
      if (!any<F>(is_open)) break;
      end = select(is_open, after, end);
      if (is_next) {
        edge.q = select(is_open, next.q, edge.q);
        edge.feature_q = select(is_open, next.feature_q, edge.feature_q);
      } else {
        edge.p = select(is_open, next.p, edge.p);
        edge.feature_p = select(is_open, next.feature_p, edge.feature_p);
      }
    }
  }
  return range;
}
/// Loads the edge of a number and joins it with its level neighbours.
template <class F>
WIDEPHASE_INLINE EdgeRange<F> level_edges(const PolygonPlaces<F>& places, const F& number,
                                          const F& far, EdgeLanes<F>& edge) {
  edge = polygon_edge(places, number);
  if (!places.has_flat) return {number, number};
  // The call gets copies, so that the originals need no address and can stay in registers.
  const F first = number, distance = far;
  EdgeLanes<F> joined = edge;
  const EdgeRange<F> range = join_level_edges(places, first, distance, joined);
  edge = joined;
  return range;
}

/// The edge that the other outline's nearest (or deepest) point lies over. Among nearly level edges
/// rounding may choose one whose end the point lies beyond. `opposed(normal)` gives the other
/// outline's edge most opposed to a normal, in the polygon's frame.
template <class F, class Opposed>
__attribute__((noinline)) F edge_below(const PolygonPlaces<F>& places, F number, const F& far,
                                       const Opposed& opposed) {
  const F zero = F(0);
  const F rounding = roundings<F>(16) * far;
  struct Over {
    EdgeLanes<F> edge;
    F height;
    F past_q, past_p;  ///< how far the lowest point lies beyond the ends; positive if beyond
  };
  const auto over = [&](const F& of) {
    const EdgeLanes<F> edge = polygon_edge_apart(places, of);
    const EdgeLanes<F> other = opposed(edge.normal);
    const F height_p = dot(edge.normal, other.p - edge.p);
    const F height_q = dot(edge.normal, other.q - edge.p);
    const Vec<F, 2> lowest = select(height_q < height_p, other.q, other.p);
    const Vec<F, 2> along = perpendicular(edge.normal);
    return Over{edge, lesser(height_p, height_q), dot(along, lowest - edge.q),
                dot(along, edge.p - lowest)};
  };
  Over now = over(number);
  auto is_open = zero == zero;
  for (int step = 0; step < most_vertices(places); ++step) {
    const auto is_next = now.past_q > zero;
    const auto is_previous = now.past_p > zero;
    const F after = neighbor_number(places, number, is_next);
    const F corner =
        record_number(places, select(is_next, number, after), PolygonLayout::flat_after);
    is_open = is_open & (is_next | is_previous) & (corner > zero);
    if (!any<F>(is_open)) break;
    // If the point lies between the normals of both edges, the corner is the nearest: stay.
    const Over next = over(after);
    is_open = is_open & (next.height >= now.height - rounding) &
              (select(is_next, next.past_p, next.past_q) < zero);
    number = select(is_open, after, number);
    now.height = select(is_open, next.height, now.height);
    now.past_q = select(is_open, next.past_q, now.past_q);
    now.past_p = select(is_open, next.past_p, now.past_p);
  }
  return number;
}

/// The edge that faces a reference edge of another outline. Among nearly level edges, the most
/// opposed one may lie beyond an end of the reference edge. `edge_of(number)` gives the polygon's
/// edges in the frame of the reference edge.
template <class F, class EdgeOf>
__attribute__((noinline)) F edge_across(const PolygonPlaces<F>& places, F number, const F& far,
                                        const EdgeLanes<F>& reference, const EdgeOf& edge_of) {
  const F zero = F(0);
  const Vec<F, 2> along = perpendicular(reference.normal);
  const F end = dot(along, reference.q - reference.p);
  const F middle = F(static_cast<RealOf<F>>(0.5)) * end;
  const F rounding = roundings<F>(16) * far;
  auto is_open = zero == zero;
  for (int step = 0; step < most_vertices(places); ++step) {
    const EdgeLanes<F> edge = edge_of(number);
    const Vec<F, 2> to_p = edge.p - reference.p, to_q = edge.q - reference.p;
    const F along_p = dot(along, to_p), along_q = dot(along, to_q);
    const F fall = dot(reference.normal, to_p - to_q);
    const auto is_past = (lesser(along_p, along_q) > end) | (greater(along_p, along_q) < zero);
    // Step over the end nearer to the reference edge's middle, so that the next edge is no farther.
    const auto is_next =
        is_past & (fall >= negate(rounding)) & (abs(along_q - middle) <= abs(along_p - middle));
    const auto is_previous =
        is_past & (fall <= rounding) & (abs(along_p - middle) < abs(along_q - middle));
    const F after = neighbor_number(places, number, is_next);
    const F corner =
        record_number(places, select(is_next, number, after), PolygonLayout::flat_after);
    is_open = is_open & (is_next | is_previous) & (corner > zero);
    if (!any<F>(is_open)) break;
    number = select(is_open, after, number);
  }
  return number;
}

/// The feature of the edge in a range that holds a point, given in the polygon's frame.
template <class F>
__attribute__((noinline)) F level_edge_feature(const PolygonPlaces<F>& places,
                                               const EdgeRange<F>& range, const Vec<F, 2>& point) {
  const F zero = F(0);
  F number = range.first;
  auto is_open = zero == zero;
  for (int step = 0; step < most_vertices(places); ++step) {
    const EdgeLanes<F> edge = polygon_edge_apart(places, number);
    is_open = is_open & !(number == range.last) &
              (dot(perpendicular(edge.normal), point - edge.q) > zero);
    if (!any<F>(is_open)) break;
    number = select(is_open, neighbor_number(places, number, zero == zero), number);
  }
  return edge_feature(number);
}

/// The position and orientation of one frame in another.
template <class F>
struct Placement {
  Rotation<F> turn;
  Vec<F, 2> center;
};
template <class F>
WIDEPHASE_INLINE Placement<F> select(const MaskOf<F>& mask, const Placement<F>& yes,
                                     const Placement<F>& no) {
  return {select(mask, yes.turn, no.turn), select(mask, yes.center, no.center)};
}
template <class F>
WIDEPHASE_INLINE Placement<F> not_moved() {
  return {{F(1), F(0)}, zero_vec<F, 2>()};
}

template <class F>
WIDEPHASE_INLINE EdgeLanes<F> placed(const EdgeLanes<F>& edge, const Placement<F>& at) {
  return {at.center + rotate(at.turn, edge.p),
          at.center + rotate(at.turn, edge.q),
          rotate(at.turn, edge.normal),
          edge.feature,
          edge.feature_p,
          edge.feature_q};
}

/// Several edges joined as one.
template <class F>
struct JoinedEdge {
  const PolygonPlaces<F>& places;
  const EdgeRange<F>& range;
  F feature;  ///< the feature that stands for all of them
  MaskOf<F> is_of_a;
};

/// Names each point of joined edges by the edge that it lies on. `at` places the polygon in the
/// manifold's frame.
template <class F>
__attribute__((noinline)) void name_points(const JoinedEdge<F>& edge, const Placement<F>& at,
                                           const F& radius_a, const F& radius_b,
                                           Manifold<F, 2, 2>& manifold) {
  const auto is_of_a = edge.is_of_a;
  const auto is_joined = !(edge.range.first == edge.range.last);
  if (!any<F>(is_joined)) return;
  for (ManifoldPoint<F, 2>& point : manifold.points) {
    // From A's surface to the core that has the edges.
    const F inwards = select(is_of_a, negate(radius_a), radius_b - point.depth);
    const Vec<F, 2> core = point.position + inwards * manifold.normal;
    const F name =
        level_edge_feature(edge.places, edge.range, rotate_back(at.turn, core - at.center));
    FeaturePair<F>& feature = point.feature;
    feature.a = select(is_joined & is_of_a & (feature.a == edge.feature), name, feature.a);
    feature.b = select(is_joined & (!is_of_a) & (feature.b == edge.feature), name, feature.b);
  }
  sort_points(manifold.points);
}

}  // namespace
}  // namespace widephase
