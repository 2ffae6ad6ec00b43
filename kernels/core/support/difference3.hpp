#pragma once

// The Minkowski difference of two convex cores in 3D, one pair per lane.

#include "kernels/core/support/convex.hpp"

namespace widephase {
namespace {

/// Two cores; `apart` leads from A's middle to B's.
template <class F>
struct CorePair {
  ConvexCore<F> a;
  ConvexCore<F> b;
  Vec<F, 3> apart;

  WIDEPHASE_INLINE CorePair(const ConvexLanes<F>& shape_a, const ConvexLanes<F>& shape_b)
      : a(shape_a),
        b(shape_b),
        apart((shape_b.anchor + shape_b.middle) - (shape_a.anchor + shape_a.middle)) {}
};

/// A vertex of the Minkowski difference A - B.
template <class F>
struct DifferenceVertex3 {
  Vec<F, 3> point;
  Vec<F, 3> of_a;  ///< relative to A's middle
  Vec<F, 3> of_b;  ///< relative to B's middle
  F a;             ///< numbers of the vertices
  F b;
};
template <class F>
WIDEPHASE_INLINE DifferenceVertex3<F> select(const MaskOf<F>& mask, const DifferenceVertex3<F>& yes,
                                             const DifferenceVertex3<F>& no) {
  return {select(mask, yes.point, no.point), select(mask, yes.of_a, no.of_a),
          select(mask, yes.of_b, no.of_b), select(mask, yes.a, no.a), select(mask, yes.b, no.b)};
}
/// The same without the point, which can be computed from the rest.
template <class F>
struct VertexPair3 {
  Vec<F, 3> of_a;
  Vec<F, 3> of_b;
  F a;
  F b;

  WIDEPHASE_INLINE VertexPair3() = default;
  WIDEPHASE_INLINE explicit VertexPair3(const DifferenceVertex3<F>& vertex)
      : of_a(vertex.of_a), of_b(vertex.of_b), a(vertex.a), b(vertex.b) {}
};
template <class F>
WIDEPHASE_INLINE VertexPair3<F> select(const MaskOf<F>& mask, const VertexPair3<F>& yes,
                                       const VertexPair3<F>& no) {
  VertexPair3<F> result;
  result.of_a = select(mask, yes.of_a, no.of_a);
  result.of_b = select(mask, yes.of_b, no.of_b);
  result.a = select(mask, yes.a, no.a);
  result.b = select(mask, yes.b, no.b);
  return result;
}
template <class V, class W>
WIDEPHASE_INLINE auto from_to(const V& from, const W& to) {
  return (to.of_a - from.of_a) - (to.of_b - from.of_b);
}
template <class F>
WIDEPHASE_INLINE MaskOf<F> is_same(const Vec<F, 3>& x, const Vec<F, 3>& y) {
  return (x[0] == y[0]) & (x[1] == y[1]) & (x[2] == y[2]);
}

template <class F>
WIDEPHASE_INLINE DifferenceVertex3<F> difference_of(const CorePair<F>& pair,
                                                    const SupportPoint3<F>& a,
                                                    const SupportPoint3<F>& b) {
  return {a.point - (pair.apart + b.point), a.point, b.point, a.number, b.number};
}
template <class F>
WIDEPHASE_INLINE Vec<F, 3> point_of(const CorePair<F>& pair, const VertexPair3<F>& vertex) {
  return vertex.of_a - (pair.apart + vertex.of_b);
}
template <class F>
WIDEPHASE_INLINE DifferenceVertex3<F> difference_of(const CorePair<F>& pair,
                                                    const VertexPair3<F>& vertex) {
  return {point_of(pair, vertex), vertex.of_a, vertex.of_b, vertex.a, vertex.b};
}
template <class F>
WIDEPHASE_INLINE DifferenceVertex3<F> farthest(const CorePair<F>& pair, const Vec<F, 3>& direction,
                                               const MaskOf<F>& live) {
  const ConvexLanes<F>&a = pair.a.shape, &b = pair.b.shape;
  if (a.form != CoreForm::hull || b.form != CoreForm::hull) {
    return difference_of(pair, farthest(pair.a, direction, live),
                         farthest(pair.b, -direction, live));
  }
  SupportPoint3<F> of_a, of_b;
  farthest_vertices(pair.a.vertices, rotate_back(a.turn, direction), pair.b.vertices,
                    rotate_back(b.turn, -direction), mask_bits(live), of_a, of_b);
  of_a.point = rotate(a.turn, of_a.point);
  of_b.point = rotate(b.turn, of_b.point);
  return difference_of(pair, of_a, of_b);
}

}  // namespace
}  // namespace widephase
