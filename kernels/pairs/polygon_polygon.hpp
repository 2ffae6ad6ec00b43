#pragma once

#include "core/cutting_planes.hpp"
#include "core/inner_edges.hpp"

namespace widephase {
namespace {

// polygon_polygon: the separating axes of both polygons' faces, then the manifold of the edges.
// Frame: A's. Normal: A to B. Points: 1 or 2, on A. Features: vertices and edges.
// Ties of the way out go to A's faces before B's, the lowest first, status 1. Faces of A and B that
// face each other squarely are one direction.
// Cost: faces in lanes against the other's vertices, a pair at a time, beyond eight vertices only
// the few that cutting planes leave; 1 division a lane with two points; 1 sqrt and 2 more between
// vertices.
template <class F>
struct PolygonPolygon {
  using A = PolygonLanes<F>;
  using B = PolygonLanes<F>;
  static constexpr int max_points = 2;

  static WIDEPHASE_INLINE Manifold<F, 2, 2> contact(const A& a, const B& b, const F& margin) {
    const Rotation<F> turn = between(a.rotation, b.rotation);
    const Vec<F, 2> center = rotate_back(a.rotation, b.center - a.center);
    const PolygonPlaces<F> places_a(a), places_b(b);
    const bool is_large = has_blocks(places_a) || has_blocks(places_b);
    const Poses poses{turn, center};
    const BestFaces best = best_faces(places_a, places_b, poses, is_large, PolygonLayout::offset);
    Manifold<F, 2, 2> manifold = answer<true>(a, b, margin, poses, best, is_large);
    const auto has_inner = (a.has_inner > F(0)) | (b.has_inner > F(0));
    if (any<F>(has_inner)) {
      const BestFaces outer =
          best_faces(places_a, places_b, poses, is_large, PolygonLayout::outer_offset);
      const FeaturePair<F>& nearest = manifold.points[0].feature;
      const auto is_inner = (is_inner_feature(places_a, nearest.a) > F(0)) |
                            (is_inner_feature(places_b, nearest.b) > F(0));
      take_outer(has_inner, is_inner, has_face(outer.a) | has_face(outer.b),
                 outer_answer(a, b, margin, poses, outer, is_large), manifold);
    }
    turn_manifold(a.rotation, manifold);
    return manifold;
  }

 private:
  /// Where B lies in A's frame.
  struct Poses {
    Rotation<F> turn;
    Vec<F, 2> center;
  };
  struct BestFaces {
    Greatest<F> a;
    Greatest<F> b;
  };
  static WIDEPHASE_INLINE BestFaces best_faces(const PolygonPlaces<F>& a, const PolygonPlaces<F>& b,
                                               const Poses& poses, bool is_large, int offset) {
    if (is_large) return best_faces_of_large(a, b, poses, offset);
    return {best_face(a, b, poses.turn, poses.center, offset),
            best_face(b, a, back(poses).turn, back(poses).center, offset)};
  }
  /// Where A lies in B's frame.
  static WIDEPHASE_INLINE Poses back(const Poses& poses) {
    return {Rotation<F>{poses.turn.cosine, negate(poses.turn.sine)},
            -rotate_back(poses.turn, poses.center)};
  }
  /// Of A the greatest; of B, unless it is less.
  static __attribute__((noinline)) BestFaces best_faces_of_large(const PolygonPlaces<F>& a,
                                                                 const PolygonPlaces<F>& b,
                                                                 const Poses& poses, int offset) {
    const Poses a_in_b = back(poses);
    CuttingPlanes<F> of_a(a, b, poses.turn, poses.center, offset);
    of_a.begin_near();
    const Greatest<F> best_a = of_a.search(F(CuttingPlanes<F>::kLowest));
    CuttingPlanes<F> of_b(b, a, a_in_b.turn, a_in_b.center, offset);
    of_b.begin_at(best_a.number);
    return {best_a, of_b.search(best_a.value)};
  }

  /// The contact, given the best faces.
  template <bool HasVertices>
  static WIDEPHASE_INLINE Manifold<F, 2, 2> answer(const A& a, const B& b, const F& margin,
                                                   const Poses& poses, const BestFaces& best,
                                                   bool is_large) {
    const F zero = F(0), one = F(1);
    const Rotation<F> upright{one, zero};
    const Rotation<F>& turn = poses.turn;
    const Vec<F, 2>& center = poses.center;
    const Greatest<F>&best_a = best.a, &best_b = best.b;
    const auto by_a = best_a.value >= best_b.value;

    const PolygonPlaces<F> reference_places(a.library, select(by_a, a.place, b.place),
                                            select(by_a, a.vertex_count, b.vertex_count));
    const PolygonPlaces<F> incident_places(a.library, select(by_a, b.place, a.place),
                                           select(by_a, b.vertex_count, a.vertex_count));
    const Rotation<F> reference_turn = select(by_a, upright, turn);
    const Rotation<F> incident_turn = select(by_a, turn, upright);
    const F reference_number = select(by_a, best_a.number, best_b.number);
    const EdgeLanes<F> reference = placed(polygon_edge(reference_places, reference_number),
                                          reference_turn, select(by_a, zero_vec<F, 2>(), center));
    const F incident_number =
        edge_along(incident_places, -rotate_back(incident_turn, reference.normal), is_large);
    const EdgeLanes<F> incident = placed(polygon_edge(incident_places, incident_number),
                                         incident_turn, select(by_a, center, zero_vec<F, 2>()));
    const Vec<F, 2> apart = reference.normal + incident.normal;
    const auto is_other = dot(apart, apart) > roundings<F>(8) * roundings<F>(8);
    const auto is_equal = best_a.value == best_b.value;
    const F is_tie = select(is_equal & is_other, one,
                            select(is_equal, greater(best_a.is_tie, best_b.is_tie),
                                   select(by_a, best_a.is_tie, best_b.is_tie)));
    const FacingEdges<F> edges{reference, incident, one_where<F>(by_a), is_tie};
    const auto neighbors = [&](const MaskOf<F>& is_next) {
      const EdgeLanes<F> next_reference = polygon_edge_apart(
          reference_places, neighbor_number(reference_places, reference_number, is_next));
      const EdgeLanes<F> next_incident = polygon_edge_apart(
          incident_places, neighbor_number(incident_places, incident_number, is_next));
      return NeighborNormals<F>{rotate(reference_turn, next_reference.normal),
                                rotate(incident_turn, next_incident.normal), next_reference.feature,
                                next_incident.feature};
    };
    return edge_manifold<HasVertices>(edges, a.radius, b.radius, margin, neighbors);
  }
  static __attribute__((noinline)) Manifold<F, 2, 2> outer_answer(const A& a, const B& b,
                                                                  const F& margin,
                                                                  const Poses& poses,
                                                                  const BestFaces& best,
                                                                  bool is_large) {
    return answer<false>(a, b, margin, poses, best, is_large);
  }

  /// The face of the greatest separation from the other polygon, which lies in this one's frame at
  /// `center`, turned by `turn`. Both have at most eight vertices.
  static WIDEPHASE_INLINE Greatest<F> best_face(const PolygonPlaces<F>& own,
                                                const PolygonPlaces<F>& other,
                                                const Rotation<F>& turn, const Vec<F, 2>& center,
                                                int offset) {
    const Lanes<F> cosine(turn.cosine), sine(turn.sine), x(center[0]), y(center[1]);
    Candidates<F> faces(false);
    for (int i = 0; i < LaneTraits<F>::count; ++i) {
      faces.set(i, separations(own.blocks(i), offset, cosine[i], sine[i], x[i], y[i],
                               other.blocks(i), 1));
    }
    return greatest_of(faces);
  }
};

}  // namespace
}  // namespace widephase
