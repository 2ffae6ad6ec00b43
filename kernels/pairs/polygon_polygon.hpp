#pragma once

#include "kernels/core/polygon/cutting_planes.hpp"
#include "kernels/core/polygon/inner_edges.hpp"
#include "kernels/core/polygon/steady_edge.hpp"

namespace widephase {
namespace {

// polygon_polygon: the separating axes of both polygons' faces, then the manifold of the edges.
// Frame: A's. Normal: A to B. Points: 1 or 2, on A. Features: vertices and edges.
// Ties go to A's faces before B's, the lowest first, status 1. Faces of A and B that face each
// other squarely count as one direction. With steadiness, last step's face comes before a face that
// separates by more, if the difference is within the steadiness, status 0.
// Cost: faces in lanes against the other's vertices, one pair at a time; beyond eight vertices only
// the few that cutting planes leave. For pairs that no face separates: 1 division per lane with two
// points; 1 sqrt and 2 more between vertices.
// Pairs are split by size only beyond eight vertices (pipeline/narrow/size_classes.hpp). Pairs of 3
// and 4 vertices alone take 29 ns where 3 to 8 take 32.5: too little gain to pay for putting
// contacts back in order.
template <class F>
struct PolygonPolygon {
  using A = PolygonLanes<F>;
  using B = PolygonLanes<F>;
  static constexpr int max_points = 2;
  static constexpr bool is_warm_when_steady = true;

  struct BestFaces {
    Greatest<F> a;
    Greatest<F> b;
  };
  /// The faces with the greatest separations. If a pair is farther apart than the margin along one
  /// of them, there is no contact.
  using FirstLook = BestFaces;
  static WIDEPHASE_INLINE MaskOf<F> first_look(const A& a, const B& b, const F& margin,
                                               FirstLook& best) {
    const PolygonPlaces<F> places_a(a), places_b(b);
    const Posed pair(a, b, places_a, places_b, margin);
    best = best_faces(pair, PolygonLayout::offset);
    return !pair.is_apart(greater(best.a.value, best.b.value));
  }

  static WIDEPHASE_INLINE Manifold<F, 2, 2> contact(const A& a, const B& b, const F& margin,
                                                    const BestFaces& best,
                                                    WarmStartLanes<F>& warm) {
    const PolygonPlaces<F> places_a(a), places_b(b);
    const Posed pair(a, b, places_a, places_b, margin);
    Manifold<F, 2, 2> manifold = answer<ReferenceEdge::nearest>(pair, best);
    if (warm.is_given || any<F>((a.has_inner > F(0)) | (b.has_inner > F(0)))) {
      const A copy_a = a;  // copies: the originals need no address and stay in registers
      const B copy_b = b;
      const F kept_margin = margin;
      F face = face_of(best);
      Manifold<F, 2, 2> felt = manifold;
      if (any<F>((a.has_inner > F(0)) | (b.has_inner > F(0)))) {
        take_outer_faces(copy_a, copy_b, kept_margin, face, felt);
      }
      if (warm.is_given) keep_last_face(copy_a, copy_b, kept_margin, face, warm, felt);
      manifold = felt;
    }
    turn_manifold(a.rotation, manifold);
    return manifold;
  }

 private:
  struct Posed {
    const A& a;
    const B& b;
    const PolygonPlaces<F>& places_a;
    const PolygonPlaces<F>& places_b;
    const F& margin;
    Placement<F> b_in_a;
    int most_a;  ///< vertex count of the batch's largest polygon
    int most_b;

    WIDEPHASE_INLINE Posed(const A& polygon_a, const B& polygon_b, const PolygonPlaces<F>& of_a,
                           const PolygonPlaces<F>& of_b, const F& kept_margin)
        : a(polygon_a),
          b(polygon_b),
          places_a(of_a),
          places_b(of_b),
          margin(kept_margin),
          b_in_a{between(a.rotation, b.rotation), rotate_back(a.rotation, b.center - a.center)},
          most_a(most_vertices(places_a)),
          most_b(most_vertices(places_b)) {}
    bool is_large() const { return most_a > 8 || most_b > 8; }
    /// Whether a separation along a face's normal is beyond the margin by more than the points'
    /// rounding, for outlines up to hundreds of times as long as wide.
    WIDEPHASE_INLINE MaskOf<F> is_apart(const F& separation) const {
      const F reach = (a.radius + b.radius) + margin;
      const F slack = roundings<F>(4096) * (coordinate_size(b_in_a.center) + reach);
      return separation > reach + slack;
    }
    WIDEPHASE_INLINE Placement<F> a_in_b() const {
      return {Rotation<F>{b_in_a.turn.cosine, negate(b_in_a.turn.sine)},
              -rotate_back(b_in_a.turn, b_in_a.center)};
    }
  };
  static WIDEPHASE_INLINE BestFaces best_faces(const Posed& pair, int offset) {
    if (pair.is_large()) {
      const Posed copy = pair;
      return best_faces_of_large(copy, offset);
    }
    const Placement<F>&at = pair.b_in_a, back = pair.a_in_b();
    const Lanes<F> cosine(at.turn.cosine), sine(at.turn.sine), sine_back(back.turn.sine);
    const Lanes<F> x(at.center[0]), y(at.center[1]);
    const Lanes<F> x_back(back.center[0]), y_back(back.center[1]);
    EightValues<F> of_a, of_b;
    for (int i = 0; i < LaneTraits<F>::count; ++i) {
      const RealOf<F>*const a = pair.places_a.blocks(i), *const b = pair.places_b.blocks(i);
      of_a.set(i, separations(a, offset, cosine[i], sine[i], x[i], y[i], b, pair.most_b));
      of_b.set(
          i, separations(b, offset, cosine[i], sine_back[i], x_back[i], y_back[i], a, pair.most_a));
    }
    return {greatest_of(of_a), greatest_of(of_b)};
  }
  /// The largest over A's faces; B's replaces it only if it is larger.
  static __attribute__((noinline)) BestFaces best_faces_of_large(const Posed& pair, int offset) {
    CuttingPlanes<F> of_a(pair.places_a, pair.places_b, pair.b_in_a, offset);
    const Greatest<F> best_a = of_a.search(of_a.nearest_vertex(), F(CuttingPlanes<F>::kLowest));
    // Pairs that are known to be apart need no other face.
    const unsigned open = LaneTraits<F>::all & ~mask_bits(pair.is_apart(best_a.value));
    CuttingPlanes<F> of_b(pair.places_b, pair.places_a, pair.a_in_b(), offset, open);
    return {best_a, of_b.search(best_a.number, best_a.value)};
  }

  /// The reference face's number: A's faces keep their numbers, B's start at `kEdgesASide`.
  static WIDEPHASE_INLINE F face_of(const BestFaces& best) {
    return select(best.a.value >= best.b.value, best.a.number, F(kEdgesASide) + best.b.number);
  }

  /// The contact for the best faces.
  template <ReferenceEdge Reason>
  static WIDEPHASE_INLINE Manifold<F, 2, 2> answer(const Posed& pair, const BestFaces& best) {
    const auto by_a = best.a.value >= best.b.value;
    const PolygonPlaces<F> of_reference = selected_places<F>(by_a, pair.a, pair.b);
    const PolygonPlaces<F> of_incident = selected_places<F>(by_a, pair.b, pair.a);
    const FacingOutlines<F> facing{of_reference, of_incident,
                                   select(by_a, not_moved<F>(), pair.b_in_a),
                                   select(by_a, pair.b_in_a, not_moved<F>())};
    const F reference_number = select(by_a, best.a.number, best.b.number);
    EdgeLanes<F> reference = polygon_edge(facing.reference, reference_number);
    const Vec<F, 2> outward = rotate(facing.reference_at.turn, reference.normal);
    const F incident_number = edge_along(
        facing.incident, -rotate_back(facing.incident_at.turn, outward), pair.is_large());
    EdgeLanes<F> incident = polygon_edge(facing.incident, incident_number);
    const auto ranges = facing.join_level(reference_number, incident_number, reference, incident);
    reference = placed(reference, facing.reference_at);
    incident = placed(incident, facing.incident_at);
    const Vec<F, 2> apart = reference.normal + incident.normal;
    const auto is_other = dot(apart, apart) > roundings<F>(16) * roundings<F>(16);
    const auto is_equal = best.a.value == best.b.value;
    const F is_tie = select(is_equal & is_other, F(1),
                            select(is_equal, greater(best.a.is_tie, best.b.is_tie),
                                   select(by_a, best.a.is_tie, best.b.is_tie)));
    const FacingEdges<F> edges{reference, incident, one_where<F>(by_a), is_tie};
    Manifold<F, 2, 2> manifold = edge_manifold<Reason>(
        edges, pair.a.radius, pair.b.radius, pair.margin,
        [&](const MaskOf<F>& is_next) { return facing.neighbors(ranges, is_next); });
    facing.name_level_edges(ranges, edges, pair.a.radius, pair.b.radius, manifold);
    return manifold;
  }
  static __attribute__((noinline)) void take_outer_faces(const A& a, const B& b, const F& margin,
                                                         F& face, Manifold<F, 2, 2>& manifold) {
    const PolygonPlaces<F> places_a(a), places_b(b);
    const Posed pair(a, b, places_a, places_b, margin);
    const BestFaces outer = best_faces(pair, PolygonLayout::outer_offset);
    const FeaturePair<F>& nearest = manifold.points[0].feature;
    const auto is_inner = (is_inner_feature(places_a, nearest.a) > F(0)) |
                          (is_inner_feature(places_b, nearest.b) > F(0));
    const auto is_taken = take_outer((a.has_inner > F(0)) | (b.has_inner > F(0)), is_inner,
                                     has_face(outer.a) | has_face(outer.b),
                                     answer<ReferenceEdge::outer>(pair, outer), manifold);
    face = select(is_taken, face_of(outer), face);
  }
  static __attribute__((noinline)) void keep_last_face(const A& a, const B& b, const F& margin,
                                                       F face, WarmStartLanes<F>& warm,
                                                       Manifold<F, 2, 2>& manifold) {
    const F zero = F(0);
    const PolygonPlaces<F> places_a(a), places_b(b);
    const F last = last_faces(warm, kEdgesASide);
    const auto is_of_a = last < F(kEdgesASide);
    const F number = select(is_of_a, last, last - F(kEdgesASide));
    auto is_other = (last >= zero) & !(last == face) &
                    (number < select(is_of_a, places_a.counts(), places_b.counts()));
    if (any<F>(is_other)) {
      const F of_a = select(is_other & is_of_a, number, zero);
      const F of_b = select(is_other & !is_of_a, number, zero);
      is_other =
          is_other & !(greater(inner_of(a, places_a, of_a), inner_of(b, places_b, of_b)) > zero);
      const Posed pair(a, b, places_a, places_b, margin);
      const BestFaces last_face{{one_where<F>(is_of_a), of_a, zero},
                                {one_where<F>(!is_of_a), of_b, zero}};
      const auto is_kept = take_last_edge(is_other, margin, F(warm.steadiness),
                                          answer<ReferenceEdge::last>(pair, last_face), manifold);
      face = select(is_kept, last, face);
    }
    note_faces(face, kEdgesASide, warm);
  }
  /// 1 where an edge of a polygon lies inside its owner.
  static WIDEPHASE_INLINE F inner_of(const PolygonLanes<F>& polygon, const PolygonPlaces<F>& places,
                                     const F& number) {
    return any<F>(polygon.has_inner > F(0)) ? is_inner_edge(places, number) : F(0);
  }
};

}  // namespace
}  // namespace widephase
