#pragma once

// Parts of a concave outline: edges between parts lie inside their owner and must not be felt. A
// pair's yes or no is that of its cores and radii; where the nearest features of a part belong to
// such an edge, the direction is that of the least exit over the other edges instead, and only
// those make ties. Parts without any other edge keep theirs, with status 1.

#include "kernels/core/polygon/polygon_edges.hpp"

namespace widephase {
namespace {

/// 1 where an edge lies inside its owner.
template <class F>
WIDEPHASE_INLINE F is_inner_edge(const PolygonPlaces<F>& places, const F& number) {
  return record_number(places, number, PolygonLayout::inner);
}

/// 1 where an edge or a vertex, by its feature, belongs to an edge inside the owner.
template <class F>
WIDEPHASE_INLINE F is_inner_feature(const PolygonPlaces<F>& places, const F& feature) {
  const auto is_edge = feature >= edge_feature(F(0));
  const F number = select(is_edge, feature - edge_feature(F(0)), feature - vertex_feature(F(0)));
  const F before = neighbor_number(places, number, F(1) < F(0));
  const F of_edge = is_inner_edge(places, number);
  return select(is_edge, of_edge, greater(of_edge, is_inner_edge(places, before)));
}

/// Takes the answer over outline edges for shapes that have inner ones, where the plain answer is
/// an inner edge's or may tie with one; `has_outer` where there is an outline edge at all. Shapes
/// that are apart stay so. Answers where it is taken.
template <class F, int K>
WIDEPHASE_INLINE MaskOf<F> take_outer(const MaskOf<F>& has_inner, const MaskOf<F>& is_inner,
                                      const MaskOf<F>& has_outer, Manifold<F, 2, K> outer,
                                      Manifold<F, 2, K>& manifold) {
  const auto is_felt = has_inner & (is_inner | (manifold.is_tie > F(0)));
  const F most = select(manifold.depth < F(0), manifold.depth, outer.depth);
  outer.depth = lesser(outer.depth, most);
  for (ManifoldPoint<F, 2>& point : outer.points) point.depth = lesser(point.depth, most);
  const auto is_taken = is_felt & has_outer;
  manifold.normal = select(is_taken, outer.normal, manifold.normal);
  manifold.depth = select(is_taken, outer.depth, manifold.depth);
  manifold.is_tie = select(is_taken, outer.is_tie, select(is_felt, F(1), manifold.is_tie));
  for (int p = 0; p < K; ++p) {
    manifold.points[p] = select(is_taken, outer.points[p], manifold.points[p]);
  }
  return is_taken;
}

/// What `greatest_of` gives where no face is an outline's.
template <class F>
WIDEPHASE_INLINE MaskOf<F> has_face(const Greatest<F>& face) {
  return face.value > F(-kLargest<RealOf<F>> / 8);
}

}  // namespace
}  // namespace widephase
