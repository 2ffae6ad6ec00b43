#pragma once

#include "kernels/core/polygon/inner_edges.hpp"

namespace widephase {
namespace {

// circle_polygon: the face with the greatest separation; beyond its end, the vertex there.
// Frame: the polygon's. Normal: A to B. Points: 1, on A. Features: whole; the polygon's vertex or
// edge.
// Inside: the face with the minimum translation; ties go to the lowest face, status 1. Edges inside
// an owner: core/polygon/inner_edges.hpp.
// Cost: faces in lanes, one pair at a time; 1 sqrt and 2 divisions per lane beside vertices.
template <class F>
struct SpherePolygon {
  using A = SphereLanes<F, 2>;
  using B = PolygonLanes<F>;
  static constexpr int max_points = 1;

  static WIDEPHASE_INLINE Manifold<F, 2, 1> contact(const A& a, const B& b, const F&) {
    const F zero = F(0), one = F(1);
    const Vec<F, 2> center = rotate_back(b.rotation, a.center - b.center);
    const PolygonPlaces<F> places(b);
    const Greatest<F> best = best_face(places, center, PolygonLayout::offset);
    EdgeLanes<F> face;
    const F far = coordinate_size(center);
    F number = best.number;
    if (places.has_flat) {
      number = edge_below(places, number, far, [&](const Vec<F, 2>&) {
        return EdgeLanes<F>{center, center, zero_vec<F, 2>(), zero, zero, zero};
      });
    }
    const EdgeRange<F> range = level_edges(places, number, far, face);
    const Vec<F, 2> along = perpendicular(face.normal);
    const Vec<F, 2> from_p = center - face.p;
    const F height = dot(face.normal, from_p);
    const F place = dot(along, from_p);
    const F beyond = place - clamp(place, zero, dot(along, face.q - face.p));
    // When a squared length underflows, report the face.
    const F apart2 = beyond * beyond + height * height;
    const auto is_vertex = (height > zero) & !(beyond == zero) & (apart2 > zero);
    const auto is_next = beyond > zero;
    Vec<F, 2> outward = face.normal;
    F distance = height;
    F feature = face.feature;
    if (any<F>(is_vertex)) {
      F apart = sqrt(apart2);
      const F size = select(is_vertex, apart, one);
      Vec<F, 2> toward = divide(height, size) * face.normal + divide(beyond, size) * along;
      F vertex = select(is_next, face.feature_q, face.feature_p);
      // Rounding may put the direction outside the vertex's cone of normals. This happens if the
      // vertex nearly touches, or if the next edge is parallel to the face up to rounding. Then the
      // next edge is the nearest feature.
      const EdgeLanes<F> next = polygon_edge_apart(places, neighbor_number(places, range, is_next));
      const F turn = select(is_next, one, F(-1));
      const auto is_past = is_vertex & (turn * cross(next.normal, toward) > zero) &
                           (dot(next.normal, toward) > zero);
      toward = select(is_past, next.normal, toward);
      apart = select(is_past, dot(next.normal, height * face.normal + beyond * along), apart);
      vertex = select(is_past, next.feature, vertex);
      outward = select(is_vertex, toward, outward);
      distance = select(is_vertex, apart, distance);
      feature = select(is_vertex, vertex, feature);
    }
    if (places.has_flat) {
      const F name = level_edge_feature(places, range, center - distance * outward);
      feature = select(feature == face.feature, name, feature);
    }
    const Vec<F, 2> normal = -rotate(b.rotation, outward);
    Manifold<F, 2, 1> manifold = one_point(normal, (a.radius + b.radius) - distance,
                                           select(height > zero, zero, best.is_tie),
                                           a.center + a.radius * normal, {zero, feature});
    if (any<F>(b.has_inner > zero)) {
      const A circle = a;  // copies: the originals need no address and stay in registers
      const B with_inner = b;
      Manifold<F, 2, 1> felt = manifold;
      take_outer_face(circle, with_inner, felt);
      manifold = felt;
    }
    return manifold;
  }

 private:
  static __attribute__((noinline)) void take_outer_face(const A& a, const B& b,
                                                        Manifold<F, 2, 1>& manifold) {
    const Vec<F, 2> center = rotate_back(b.rotation, a.center - b.center);
    const PolygonPlaces<F> places(b);
    const Greatest<F> outer = best_face(places, center, PolygonLayout::outer_offset);
    const EdgeLanes<F> edge = polygon_edge_apart(places, outer.number);
    const Vec<F, 2> into = -rotate(b.rotation, edge.normal);
    const F depth = (a.radius + b.radius) - dot(edge.normal, center - edge.p);
    take_outer(b.has_inner > F(0), is_inner_feature(places, manifold.points[0].feature.b) > F(0),
               has_face(outer),
               one_point(into, depth, outer.is_tie, a.center + a.radius * into,
                         FeaturePair<F>{F(0), edge.feature}),
               manifold);
  }
  static WIDEPHASE_INLINE Greatest<F> best_face(const PolygonPlaces<F>& places,
                                                const Vec<F, 2>& center, int offset) {
    using T = RealOf<F>;
    const Lanes<F> x(center[0]), y(center[1]);
    return greatest_over(places, has_blocks(places),
                         [&](int i, const T* block) __attribute__((always_inline)) {
                           return (load_eight(block + PolygonLayout::normal_x) * eight_of(x[i]) +
                                   load_eight(block + PolygonLayout::normal_y) * eight_of(y[i])) -
                                  load_eight(block + offset);
                         });
  }
};

}  // namespace
}  // namespace widephase
