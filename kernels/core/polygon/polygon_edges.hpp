#pragma once

// The edges of polygons that face another outline, joined with the edges that are level with them.
// One part is for a shape and one polygon, the other for two outlines.

#include "kernels/core/polygon/level_edges.hpp"

namespace widephase {
namespace {

/// The number of each polygon's edge whose normal is most along `direction` (of about unit length),
/// in the polygon's frame. Near the direction the cosine cannot tell edges apart, but the sine can.
template <class F>
WIDEPHASE_INLINE F edge_along(const PolygonPlaces<F>& places, const Vec<F, 2>& direction,
                              bool has_blocks) {
  using T = RealOf<F>;
  const Lanes<F> x(direction[0]), y(direction[1]);
  return greatest_over<false>(places, has_blocks,
                              [&](int i, const T* block) __attribute__((always_inline)) {
                                const Eight<T> dx = eight_of(x[i]), dy = eight_of(y[i]);
                                const Eight<T> nx = load_eight(block + PolygonLayout::normal_x);
                                const Eight<T> ny = load_eight(block + PolygonLayout::normal_y);
                                const Eight<T> cosine = nx * dx + ny * dy;
                                const Eight<T> sine = abs(nx * dy - ny * dx);
                                return select_greater(cosine, eight_of(T(0.7)),
                                                      eight_of(T(2)) - sine, cosine);
                              })
      .number;
}

template <class F>
__attribute__((noinline)) F edge_along_apart(const PolygonPlaces<F>& places,
                                             const Vec<F, 2>& direction, bool has_blocks) {
  return edge_along(places, direction, has_blocks);
}

/// A shape and a polygon; the shape is in the polygon's frame.
template <class F, class Shape>
struct BesidePolygon {
  const Shape& shape;
  const F& radius_a;
  const F& radius_b;
  const F& margin;
  const PolygonPlaces<F>& places;
  bool is_large;

  WIDEPHASE_INLINE BesidePolygon(const Shape& a, const F& radius_of_a, const PolygonLanes<F>& b,
                                 const PolygonPlaces<F>& places_of_b, const F& kept_margin)
      : shape(a),
        radius_a(radius_of_a),
        radius_b(b.radius),
        margin(kept_margin),
        places(places_of_b),
        is_large(has_blocks(places)) {}

  /// Joins an edge of the polygon with its level neighbours. It starts at the edge that the shape
  /// is over, or, if the shape's edge is the reference, at the edge that faces it. `opposed` is as
  /// in `edge_below`.
  template <class Opposed>
  WIDEPHASE_INLINE EdgeRange<F> join_level(const F& number, const MaskOf<F>& is_reference,
                                           const F& far, const Opposed& opposed,
                                           const EdgeLanes<F>& of_shape, EdgeLanes<F>& edge) const {
    if (!places.has_flat) return {number, number};
    const F across = edge_across(places, number, far, of_shape,
                                 [&](const F& of) { return polygon_edge_apart(places, of); });
    const F first = select(is_reference, edge_below(places, number, far, opposed), across);
    edge = polygon_edge_apart(places, first);
    return join_level_edges(places, first, far, edge);
  }
  /// Names each point of the polygon's joined edges by the edge that it lies on.
  WIDEPHASE_INLINE void name_level_edges(const EdgeRange<F>& range, const F& feature,
                                         Manifold<F, 2, 2>& manifold) const {
    if (!places.has_flat) return;
    name_points(JoinedEdge<F>{places, range, feature, F(1) < F(0)}, not_moved<F>(), radius_a,
                radius_b, manifold);
  }
};

/// The places of A's outlines where the mask is set, of B's elsewhere.
template <class F, class A, class B>
WIDEPHASE_INLINE PolygonPlaces<F> selected_places(const MaskOf<F>& is_a, const A& a, const B& b) {
  return {a.library, select(is_a, a.place, b.place), select(is_a, a.counts, b.counts)};
}

/// Two outlines in one frame: the one with the reference edge, and the other.
template <class F>
struct FacingOutlines {
  const PolygonPlaces<F>& reference;
  const PolygonPlaces<F>& incident;
  Placement<F> reference_at;
  Placement<F> incident_at;

  struct Ranges {
    EdgeRange<F> of_reference;
    EdgeRange<F> of_incident;
  };
  /// Joins two edges, each in its outline's own frame, with their level neighbours.
  WIDEPHASE_INLINE Ranges join_level(F reference_number, F incident_number,
                                     EdgeLanes<F>& reference_edge,
                                     EdgeLanes<F>& incident_edge) const {
    if (!reference.has_flat && !incident.has_flat) {
      return {{reference_number, reference_number}, {incident_number, incident_number}};
    }
    const FacingOutlines copy = *this;  // as in `level_edges`
    EdgeLanes<F> joined_reference = reference_edge, joined_incident = incident_edge;
    const Ranges ranges =
        copy.join(reference_number, incident_number, joined_reference, joined_incident);
    reference_edge = joined_reference;
    incident_edge = joined_incident;
    return ranges;
  }
  __attribute__((noinline)) Ranges join(F reference_number, F incident_number,
                                        EdgeLanes<F>& reference_edge,
                                        EdgeLanes<F>& incident_edge) const {
    const F far = coordinate_size(reference_at.center - incident_at.center) +
                  ((coordinate_size(reference_edge.p) + coordinate_size(reference_edge.q)) +
                   (coordinate_size(incident_edge.p) + coordinate_size(incident_edge.q)));
    const Placement<F> incident_in_reference{
        between(reference_at.turn, incident_at.turn),
        rotate_back(reference_at.turn, incident_at.center - reference_at.center)};
    const auto opposed_number = [&](const Vec<F, 2>& normal) {
      return edge_along_apart(incident, -rotate_back(incident_in_reference.turn, normal),
                              has_blocks(incident));
    };
    // Any of several level edges may be the most opposed one; joined, they contain the deepest
    // point.
    const F below = edge_below(reference, reference_number, far, [&](const Vec<F, 2>& normal) {
      const F number = opposed_number(normal);
      EdgeLanes<F> edge = polygon_edge_apart(incident, number);
      join_level_edges(incident, number, far, edge);
      return placed(edge, incident_in_reference);
    });
    reference_edge = polygon_edge_apart(reference, below);
    incident_number =
        select(below == reference_number, incident_number, opposed_number(reference_edge.normal));
    const EdgeRange<F> of_reference = join_level_edges(reference, below, far, reference_edge);
    incident_number =
        edge_across(incident, incident_number, far, reference_edge, [&](const F& number) {
          return placed(polygon_edge_apart(incident, number), incident_in_reference);
        });
    incident_edge = polygon_edge_apart(incident, incident_number);
    return {of_reference, join_level_edges(incident, incident_number, far, incident_edge)};
  }
  /// Names each point of the joined edges by the edge that it lies on.
  WIDEPHASE_INLINE void name_level_edges(const Ranges& ranges, const FacingEdges<F>& edges,
                                         const F& radius_a, const F& radius_b,
                                         Manifold<F, 2, 2>& manifold) const {
    if (!reference.has_flat && !incident.has_flat) return;
    const auto by_a = edges.is_by_a > F(0);
    name_points(JoinedEdge<F>{reference, ranges.of_reference, edges.reference.feature, by_a},
                reference_at, radius_a, radius_b, manifold);
    name_points(JoinedEdge<F>{incident, ranges.of_incident, edges.incident.feature, !by_a},
                incident_at, radius_a, radius_b, manifold);
  }
  /// The edges after two ranges, or before them where the lane is not `is_next`.
  WIDEPHASE_INLINE NeighborNormals<F> neighbors(const Ranges& ranges,
                                                const MaskOf<F>& is_next) const {
    const EdgeLanes<F> of_reference =
        polygon_edge_apart(reference, neighbor_number(reference, ranges.of_reference, is_next));
    const EdgeLanes<F> of_incident =
        polygon_edge_apart(incident, neighbor_number(incident, ranges.of_incident, is_next));
    return {rotate(reference_at.turn, of_reference.normal),
            rotate(incident_at.turn, of_incident.normal), of_reference.feature,
            of_incident.feature};
  }
};

}  // namespace
}  // namespace widephase
