#pragma once

// Boxes and capsules in 2D as outlines: picks one edge by its normal, one pair per lane.

#include "kernels/core/polygon/edge_manifold.hpp"

namespace widephase {
namespace {

template <class F>
struct PlacedBox {
  Vec<F, 2> center;
  Rotation<F> rotation;
  Vec<F, 2> half_extents;
};

/// The box's edge on side `sign` (1 or -1) of `axis` (0 or 1).
template <class F>
WIDEPHASE_INLINE EdgeLanes<F> box_edge(const PlacedBox<F>& box, const F& axis, const F& sign) {
  const F zero = F(0), one = F(1), two = F(2), three = F(3);
  const auto is_y = axis > zero;
  const auto is_upper = sign > zero;
  const Rotation<F>& r = box.rotation;
  const Vec<F, 2> direction{
      {select(is_y, negate(r.sine), r.cosine), select(is_y, r.cosine, r.sine)}};
  const Vec<F, 2> normal = sign * direction;
  const F out = select(is_y, box.half_extents[1], box.half_extents[0]);
  const F half = select(is_y, box.half_extents[0], box.half_extents[1]);
  const Vec<F, 2> middle = box.center + out * normal;
  const Vec<F, 2> reach = half * perpendicular(normal);
  return {middle - reach,
          middle + reach,
          normal,
          face_feature(axis + axis + select(is_upper, one, zero)),
          vertex_feature(select(is_y, select(is_upper, three, zero), select(is_upper, one, two))),
          vertex_feature(select(is_y, select(is_upper, two, one), select(is_upper, three, zero)))};
}

/// The edge whose normal is most opposed to `direction`; among equal ones that of axis 0.
template <class F>
WIDEPHASE_INLINE EdgeLanes<F> opposed_box_edge(const PlacedBox<F>& box,
                                               const Vec<F, 2>& direction) {
  const Vec<F, 2> local = rotate_back(box.rotation, direction);
  const auto is_y = abs(local[1]) > abs(local[0]);
  const F part = select(is_y, local[1], local[0]);
  return box_edge(box, one_where<F>(is_y), select(part > F(0), F(-1), F(1)));
}

/// A capsule's core as an outline of two edges. A core of no length is a point without edges.
template <class F>
struct CoreOutline {
  Vec<F, 2> a;
  Vec<F, 2> b;
  Vec<F, 2> side;  ///< unit, left of a to b; 0 where the core has no length

  WIDEPHASE_INLINE CoreOutline(const Vec<F, 2>& start, const Vec<F, 2>& finish)
      : a(start), b(finish) {
    const Vec<F, 2> u = finish - start;
    const F size = length(u);
    side = perpendicular(u) / select(size == F(0), F(1), size);
  }
  /// The edge on the left (1) or right (-1).
  WIDEPHASE_INLINE EdgeLanes<F> edge(const F& sign) const {
    const auto is_left = sign > F(0);
    const F at_a = vertex_feature(F(0)), at_b = vertex_feature(F(1));
    return {select(is_left, b, a), select(is_left, a, b),       sign * side,
            edge_feature(F(0)),    select(is_left, at_b, at_a), select(is_left, at_a, at_b)};
  }
  WIDEPHASE_INLINE EdgeLanes<F> opposed_edge(const Vec<F, 2>& direction) const {
    return edge(select(dot(direction, side) > F(0), F(-1), F(1)));
  }
};

}  // namespace
}  // namespace widephase
