#pragma once

// Parts of a concave outline: an edge between two parts lies inside their owner and must not affect
// contacts. Whether a pair overlaps depends on cores and radii only. If a part's nearest feature
// belongs to an inner edge, the direction is that of least exit over the other edges instead, and
// only those make ties. A part without any outline edge keeps its plain answer, with status 1.

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

/// For shapes with inner edges: replaces the plain answer by the one over outline edges, if the
/// plain one comes from an inner edge or is a tie. `has_outer` says where there is an outline edge
/// at all. Shapes that are apart stay apart. Returns where it was replaced.
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

/// Whether `greatest_of` found an outline edge; without one its value is far below any separation.
template <class F>
WIDEPHASE_INLINE MaskOf<F> has_face(const Greatest<F>& face) {
  return face.value > F(-kLargest<RealOf<F>> / 8);
}

}  // namespace
}  // namespace widephase
