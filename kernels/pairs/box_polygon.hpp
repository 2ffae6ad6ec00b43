#pragma once

#include "kernels/core/polygon/box_edges.hpp"
#include "kernels/core/polygon/inner_edges.hpp"
#include "kernels/core/polygon/steady_edge.hpp"

namespace widephase {
namespace {

// box_polygon, aabb_polygon: the separating axes of the box and of the polygon's faces, then the
// manifold of the edges.
// Frame: the polygon's. Normal: A to B. Points: 1 or 2, on A.
// Features: the box's vertices and faces; the polygon's vertices and edges.
// Ties go to the box's axes before the polygon's faces, axis 0 first, B leaving upwards first,
// status 1. With steadiness, last step's face comes before a face that separates by more, if the
// difference is within the steadiness, status 0.
// Cost: faces and vertices in lanes, one pair at a time; 1 division per lane with two points; 1
// sqrt and 2 more between vertices.
template <class F, class BoxA>
struct BoxPolygon {
  using A = BoxA;
  using B = PolygonLanes<F>;
  static constexpr int max_points = 2;
  static constexpr bool is_warm_when_steady = true;

  static WIDEPHASE_INLINE Manifold<F, 2, 2> contact(const A& shape_a, const B& b, const F& margin,
                                                    WarmStartLanes<F>& warm, LaneCounter<F>&) {
    const BoxLanes<F, 2> a(shape_a);
    const PlacedBox<F> box{rotate_back(b.rotation, a.center - b.center),
                           between(b.rotation, a.rotation), a.half_extents};
    const PolygonPlaces<F> places(b);
    const Posed pair(box, a.radius, b, places, margin);
    const Greatest<F> face = best_face(pair, PolygonLayout::offset);
    const Rotation<F>& turn = box.rotation;
    const BoxExtents extents{
        extent_over(pair.places, pair.is_large, Vec<F, 2>{{turn.cosine, turn.sine}}),
        extent_over(pair.places, pair.is_large, Vec<F, 2>{{negate(turn.sine), turn.cosine}})};
    const Reference reference = best_reference(pair, face, extents);
    Manifold<F, 2, 2> manifold = answer<ReferenceEdge::nearest>(pair, reference);
    if (warm.is_given || any<F>(b.has_inner > F(0))) {
      // Copies: the originals need no address and stay in registers.
      const PlacedBox<F> of_box = box;
      const F radius = a.radius, kept_margin = margin;
      const B copy_b = b;
      F number = reference.number;
      Manifold<F, 2, 2> felt = manifold;
      if (any<F>(b.has_inner > F(0))) {
        const BoxExtents along = extents;
        take_outer_face(of_box, radius, copy_b, kept_margin, along, number, felt);
      }
      if (warm.is_given) keep_last_face(of_box, radius, copy_b, kept_margin, number, warm, felt);
      manifold = felt;
    }
    leave_frame(b.rotation, b.center, manifold);
    return manifold;
  }

 private:
  using Posed = BesidePolygon<F, PlacedBox<F>>;
  /// The extents of a polygon's vertices along the box's axes.
  struct BoxExtents {
    Extent<F> along_x, along_y;
  };

  /// The polygon's face with the greatest separation.
  static WIDEPHASE_INLINE Greatest<F> best_face(const Posed& pair, int offset) {
    using T = RealOf<F>;
    const PlacedBox<F>& box = pair.shape;
    const Lanes<F> cosine(box.rotation.cosine), sine(box.rotation.sine);
    const Lanes<F> x(box.center[0]), y(box.center[1]);
    const Lanes<F> half_x(box.half_extents[0]), half_y(box.half_extents[1]);
    return greatest_over(
        pair.places, pair.is_large, [&](int i, const T* block) __attribute__((always_inline)) {
          const Eight<T> c8 = eight_of(cosine[i]), s8 = eight_of(sine[i]);
          const Eight<T> nx = load_eight(block + PolygonLayout::normal_x);
          const Eight<T> ny = load_eight(block + PolygonLayout::normal_y);
          const Eight<T> reach = abs(nx * c8 + ny * s8) * eight_of(half_x[i]) +
                                 abs(ny * c8 - nx * s8) * eight_of(half_y[i]);
          return ((nx * eight_of(x[i]) + ny * eight_of(y[i])) - load_eight(block + offset)) - reach;
        });
  }

  /// The reference face: 0 and 1 are the upper and the lower face of the box's axis 0, 2 and 3
  /// those of axis 1. The polygon's faces start at `kEdgesASide`.
  struct Reference {
    F number;
    F is_tie;
    Vec<F, 2> across_box;  ///< from A to B
    F polygon_number;      ///< of the polygon's face, even if that is not the reference
    EdgeLanes<F> of_polygon;
  };
  static WIDEPHASE_INLINE MaskOf<F> is_of_polygon(const Reference& reference) {
    return reference.number >= F(kEdgesASide);
  }
  /// The outward normal of a face of the box.
  static WIDEPHASE_INLINE Vec<F, 2> over_box_face(const PlacedBox<F>& box, const F& number) {
    const F zero = F(0), one = F(1);
    const Vec<F, 2> local{{select(number == zero, one, select(number == one, F(-1), zero)),
                           select(number == F(2), one, select(number == F(3), F(-1), zero))}};
    return rotate(box.rotation, local);
  }

  /// The minimum translation, given the polygon's best face and its extents.
  static WIDEPHASE_INLINE Reference best_reference(const Posed& pair, const Greatest<F>& face,
                                                   const BoxExtents& vertices) {
    const F zero = F(0), one = F(1);
    const PlacedBox<F>& box = pair.shape;
    const Extent<F> extents[2] = {vertices.along_x, vertices.along_y};
    const Vec<F, 2> middle = rotate_back(box.rotation, box.center);

    F best = (extents[0].low - middle[0]) - box.half_extents[0];
    F number = zero, is_tie = zero;
    const auto consider = [&](const F& separation, int candidate) __attribute__((always_inline)) {
      const auto is_better = separation > best;
      is_tie = select(is_better, zero, select(separation == best, one, is_tie));
      best = select(is_better, separation, best);
      number = select(is_better, F(candidate), number);
    };
    consider((middle[0] - extents[0].high) - box.half_extents[0], 1);
    consider((extents[1].low - middle[1]) - box.half_extents[1], 2);
    consider((middle[1] - extents[1].high) - box.half_extents[1], 3);
    const Vec<F, 2> across_box = over_box_face(box, number);
    const EdgeLanes<F> best_face = polygon_edge(pair.places, face.number);
    const auto is_face = face.value > best;
    const Vec<F, 2> between_axes = across_box + best_face.normal;
    const auto is_other = dot(between_axes, between_axes) > roundings<F>(16) * roundings<F>(16);
    is_tie = select(is_face, face.is_tie,
                    select((face.value == best) & is_other, one,
                           select(face.value == best, greater(is_tie, face.is_tie), is_tie)));
    return {select(is_face, F(kEdgesASide) + face.number, number), is_tie, across_box, face.number,
            best_face};
  }

  /// The contact over a reference face.
  template <ReferenceEdge Reason>
  static WIDEPHASE_INLINE Manifold<F, 2, 2> answer(const Posed& pair, const Reference& over) {
    const F zero = F(0), one = F(1);
    const PlacedBox<F>& box = pair.shape;
    const PolygonPlaces<F>& places = pair.places;
    const bool is_large = pair.is_large;
    const auto is_face = is_of_polygon(over);
    const F far = coordinate_size(box.center) + coordinate_size(box.half_extents);
    const Vec<F, 2> toward = select(is_face, -over.of_polygon.normal, over.across_box);  // A to B
    const EdgeLanes<F> of_box = opposed_box_edge(box, -toward);
    EdgeLanes<F> of_polygon = over.of_polygon;
    F polygon_number = over.polygon_number;
    if (any<F>(!is_face)) {
      polygon_number = select(is_face, polygon_number, edge_along(places, -toward, is_large));
      of_polygon = polygon_edge(places, polygon_number);
    }
    const EdgeRange<F> range = pair.join_level(
        polygon_number, is_face, far,
        [&](const Vec<F, 2>& normal) { return opposed_box_edge(box, normal); }, of_box, of_polygon);
    const FacingEdges<F> edges{select(is_face, of_polygon, of_box),
                               select(is_face, of_box, of_polygon), one_where<F>(!is_face),
                               over.is_tie};
    const auto neighbors = [&](const MaskOf<F>& is_next) {
      const Vec<F, 2> next_of_box = select(is_next, one, F(-1)) * perpendicular(of_box.normal);
      const EdgeLanes<F> next = polygon_edge_apart(places, neighbor_number(places, range, is_next));
      return NeighborNormals<F>{
          select(is_face, next.normal, next_of_box), select(is_face, next_of_box, next.normal),
          select(is_face, next.feature, zero), select(is_face, zero, next.feature)};
    };
    Manifold<F, 2, 2> manifold =
        edge_manifold<Reason>(edges, pair.radius_a, pair.radius_b, pair.margin, neighbors);
    pair.name_level_edges(range, of_polygon.feature, manifold);
    return manifold;
  }
  static __attribute__((noinline)) void take_outer_face(const PlacedBox<F>& box, const F& radius,
                                                        const B& b, const F& margin,
                                                        const BoxExtents& extents, F& number,
                                                        Manifold<F, 2, 2>& manifold) {
    const PolygonPlaces<F> places(b);
    const Posed pair(box, radius, b, places, margin);
    const Greatest<F> outer = best_face(pair, PolygonLayout::outer_offset);
    const Reference reference = best_reference(pair, outer, extents);
    const auto is_taken = take_outer(
        b.has_inner > F(0), is_inner_feature(places, manifold.points[0].feature.b) > F(0),
        F(0) < F(1), answer<ReferenceEdge::outer>(pair, reference), manifold);
    number = select(is_taken, reference.number, number);
  }
  static __attribute__((noinline)) void keep_last_face(const PlacedBox<F>& box, const F& radius,
                                                       const B& b, const F& margin, F number,
                                                       WarmStartLanes<F>& warm,
                                                       Manifold<F, 2, 2>& manifold) {
    const F zero = F(0);
    const PolygonPlaces<F> places(b);
    const F last = last_faces(warm, kEdgesASide);
    const F of_polygon = last - F(kEdgesASide);
    auto is_other = (last >= zero) & !(last == number) &
                    ((last < F(4)) | ((of_polygon >= zero) & (of_polygon < places.counts())));
    if (any<F>(is_other)) {
      const Posed pair(box, radius, b, places, margin);
      const F face = select(is_other & (of_polygon >= zero), of_polygon, zero);
      if (any<F>(b.has_inner > zero)) {
        is_other = is_other & !((of_polygon >= zero) & (is_inner_edge(places, face) > zero));
      }
      const Reference over_last{last, zero, over_box_face(box, last), face,
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
