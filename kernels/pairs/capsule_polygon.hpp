#pragma once

#include "kernels/core/polygon/box_edges.hpp"
#include "kernels/core/polygon/inner_edges.hpp"
#include "kernels/core/polygon/steady_edge.hpp"

namespace widephase {
namespace {

// capsule_polygon: the separating axes of the polygon's faces and of the core, then the manifold
// of the edges.
// Frame: the polygon's. Normal: A to B. Points: 1 or 2, on A.
// Features: the core's ends and side; the polygon's vertices and edges.
// Ties go to the polygon's faces, the lowest first, before the core's side, status 1. A core
// without length has no side. With steadiness, last step's face or side comes before one that
// separates by more, if the difference is within the steadiness, status 0.
// Cost: faces and vertices in lanes, one pair at a time; 1 sqrt and 3 divisions per lane, 1 sqrt
// and 2 more between vertices.
template <class F>
struct CapsulePolygon {
  using A = CapsuleLanes<F, 2>;
  using B = PolygonLanes<F>;
  static constexpr int max_points = 2;
  static constexpr bool is_warm_when_steady = true;

  static WIDEPHASE_INLINE Manifold<F, 2, 2> contact(const A& a, const B& b, const F& margin,
                                                    WarmStartLanes<F>& warm, LaneCounter<F>&) {
    const CoreOutline<F> core(rotate_back(b.rotation, a.a - b.center),
                              rotate_back(b.rotation, a.b - b.center));
    const PolygonPlaces<F> places(b);
    const Posed pair(core, a.radius, b, places, margin);
    const Greatest<F> face = best_face(pair, PolygonLayout::offset);
    const Extent<F> extent = extent_over(pair.places, pair.is_large, core.side);
    const Reference reference = best_reference(pair, face, extent);
    Manifold<F, 2, 2> manifold = answer<ReferenceEdge::nearest>(pair, reference);
    if (warm.is_given || any<F>(b.has_inner > F(0))) {
      // Copies: the originals need no address and stay in registers.
      const CoreOutline<F> of_core = core;
      const F radius = a.radius, kept_margin = margin;
      const B copy_b = b;
      const Extent<F> across = extent;
      F number = reference.number;
      Manifold<F, 2, 2> felt = manifold;
      if (any<F>(b.has_inner > F(0))) {
        take_outer_face(of_core, radius, copy_b, kept_margin, across, number, felt);
      }
      if (warm.is_given) {
        keep_last(of_core, radius, copy_b, kept_margin, across, number, warm, felt);
      }
      manifold = felt;
    }
    leave_frame(b.rotation, b.center, manifold);
    return manifold;
  }

 private:
  using Posed = BesidePolygon<F, CoreOutline<F>>;

  static WIDEPHASE_INLINE MaskOf<F> has_side(const CoreOutline<F>& core) {
    return !((core.side[0] == F(0)) & (core.side[1] == F(0)));
  }

  /// The polygon's face with the greatest separation.
  static WIDEPHASE_INLINE Greatest<F> best_face(const Posed& pair, int offset) {
    using T = RealOf<F>;
    const CoreOutline<F>& core = pair.shape;
    const Lanes<F> ax(core.a[0]), ay(core.a[1]), bx(core.b[0]), by(core.b[1]);
    return greatest_over(pair.places, pair.is_large,
                         [&](int i, const T* block) __attribute__((always_inline)) {
                           const Eight<T> nx = load_eight(block + PolygonLayout::normal_x);
                           const Eight<T> ny = load_eight(block + PolygonLayout::normal_y);
                           return lesser(nx * eight_of(ax[i]) + ny * eight_of(ay[i]),
                                         nx * eight_of(bx[i]) + ny * eight_of(by[i])) -
                                  load_eight(block + offset);
                         });
  }

  /// The reference edge: 0 is the core's side, the polygon's edges start at `kEdgesASide`.
  struct Reference {
    F number;
    F is_tie;
    Vec<F, 2> across_side;  ///< from A to B
    F polygon_number;       ///< of the polygon's face, even if that is not the reference
    EdgeLanes<F> of_polygon;
  };
  static WIDEPHASE_INLINE Vec<F, 2> across_core(const CoreOutline<F>& core,
                                                const Extent<F>& extent) {
    const F place = dot(core.side, core.a);
    return select(extent.low - place >= place - extent.high, core.side, -core.side);
  }

  /// The minimum translation, given the best face and the extent across the core.
  static WIDEPHASE_INLINE Reference best_reference(const Posed& pair, const Greatest<F>& face,
                                                   const Extent<F>& extent) {
    const CoreOutline<F>& core = pair.shape;
    const F place = dot(core.side, core.a);
    const F left = extent.low - place, right = place - extent.high;
    const F side_separation = greater(left, right);
    const auto is_side = has_side(core) & (side_separation > face.value);
    const Vec<F, 2> across_side = across_core(core, extent);
    const EdgeLanes<F> best_face = polygon_edge(pair.places, face.number);
    // If the core's side is parallel to a face, both are one direction, not a tie.
    const Vec<F, 2> between = across_side + best_face.normal;
    const Vec<F, 2> along = core.b - core.a;
    const F length2 = dot(along, along), far2 = length2 + dot(core.a, core.a);
    // As between polygons, but the core's side is known only to the rounding of its ends.
    const auto is_other =
        dot(between, between) * length2 > (roundings<F>(16) * roundings<F>(16)) * far2;
    const F is_tie = select(
        is_side, one_where<F>(left == right),
        select(has_side(core) & (side_separation == face.value) & is_other, F(1), face.is_tie));
    return {select(is_side, F(0), F(kEdgesASide) + face.number), is_tie, across_side, face.number,
            best_face};
  }

  /// The contact over a reference edge.
  template <ReferenceEdge Reason>
  static WIDEPHASE_INLINE Manifold<F, 2, 2> answer(const Posed& pair, const Reference& over) {
    const CoreOutline<F>& core = pair.shape;
    const PolygonPlaces<F>& places = pair.places;
    const auto is_side = over.number == F(0);
    const F far = coordinate_size(core.a) + coordinate_size(core.b);
    const Vec<F, 2> toward = select(is_side, over.across_side, -over.of_polygon.normal);  // A to B
    const EdgeLanes<F> of_core = core.opposed_edge(-toward);
    EdgeLanes<F> of_polygon = over.of_polygon;
    F polygon_number = over.polygon_number;
    if (any<F>(is_side)) {
      polygon_number = select(is_side, edge_along(places, -toward, pair.is_large), polygon_number);
      of_polygon = polygon_edge(places, polygon_number);
    }
    const EdgeRange<F> range = pair.join_level(
        polygon_number, !is_side, far,
        [&](const Vec<F, 2>& normal) { return core.opposed_edge(normal); }, of_core, of_polygon);
    const FacingEdges<F> edges{select(is_side, of_core, of_polygon),
                               select(is_side, of_polygon, of_core), one_where<F>(is_side),
                               over.is_tie};
    const auto neighbors = [&](const MaskOf<F>& is_next) {
      const Vec<F, 2> next_of_core = -of_core.normal;
      const EdgeLanes<F> next = polygon_edge_apart(places, neighbor_number(places, range, is_next));
      return NeighborNormals<F>{
          select(is_side, next_of_core, next.normal), select(is_side, next.normal, next_of_core),
          select(is_side, F(0), next.feature), select(is_side, next.feature, F(0))};
    };
    Manifold<F, 2, 2> manifold =
        edge_manifold<Reason>(edges, pair.radius_a, pair.radius_b, pair.margin, neighbors);
    pair.name_level_edges(range, of_polygon.feature, manifold);
    return manifold;
  }
  static __attribute__((noinline)) void take_outer_face(const CoreOutline<F>& core, const F& radius,
                                                        const B& b, const F& margin,
                                                        const Extent<F>& extent, F& number,
                                                        Manifold<F, 2, 2>& manifold) {
    const PolygonPlaces<F> places(b);
    const Posed pair(core, radius, b, places, margin);
    const Greatest<F> outer = best_face(pair, PolygonLayout::outer_offset);
    const Reference reference = best_reference(pair, outer, extent);
    const auto is_taken = take_outer(
        b.has_inner > F(0), is_inner_feature(places, manifold.points[0].feature.b) > F(0),
        has_face(outer) | has_side(core), answer<ReferenceEdge::outer>(pair, reference), manifold);
    number = select(is_taken, reference.number, number);
  }
  static __attribute__((noinline)) void keep_last(const CoreOutline<F>& core, const F& radius,
                                                  const B& b, const F& margin,
                                                  const Extent<F>& extent, F number,
                                                  WarmStartLanes<F>& warm,
                                                  Manifold<F, 2, 2>& manifold) {
    const F zero = F(0);
    const PolygonPlaces<F> places(b);
    const F last = last_faces(warm, kEdgesASide);
    const F of_polygon = last - F(kEdgesASide);
    auto is_other = (!(last == number)) & (((last == zero) & has_side(core)) |
                                           ((of_polygon >= zero) & (of_polygon < places.counts())));
    if (any<F>(is_other)) {
      const Posed pair(core, radius, b, places, margin);
      const F face = select(is_other & (of_polygon >= zero), of_polygon, zero);
      if (any<F>(b.has_inner > zero)) {
        is_other = is_other & !((of_polygon >= zero) & (is_inner_edge(places, face) > zero));
      }
      const Reference over_last{last, zero, across_core(core, extent), face,
                                polygon_edge(places, face)};
      const auto is_kept = take_last_edge(is_other, margin, F(warm.steadiness),
                                          answer<ReferenceEdge::last>(pair, over_last), manifold);
      number = select(is_kept, last, number);
    }
    note_faces(number, kEdgesASide, warm);
  }
};

}  // namespace
}  // namespace widephase
