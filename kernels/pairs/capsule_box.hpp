#pragma once

#include "core/box_edges.hpp"

namespace widephase {
namespace {

// capsule_box, capsule_aabb in 2D: the separating axes of the box and of the core, then the
// manifold of the edges.
// Frame: the box's. Normal: A to B. Points: 1 or 2, on A: the incident edge clipped to the
// reference edge; between corners and ends the one nearest pair.
// Features: the core's ends and side; the box's vertices and faces.
// Ties of the way out go to the box's faces before the core's side, axis 0 before axis 1, B leaving
// upwards first, status 1. A core of no length has no side.
// Cost: 1 sqrt and 2 divisions a lane, 1 division more with two points; 1 sqrt and 2 more between
// corners.
template <class F, class BoxB>
struct CapsuleBox2 {
  using A = CapsuleLanes<F, 2>;
  using B = BoxB;
  static constexpr int max_points = 2;

  static WIDEPHASE_INLINE Manifold<F, 2, 2> contact(const A& a, const B& shape_b, const F& margin) {
    const F zero = F(0), one = F(1);
    const BoxLanes<F, 2> b(shape_b);
    const PlacedBox<F> box{zero_vec<F, 2>(), {one, zero}, b.half_extents};
    const CoreOutline<F> core(rotate_back(b.rotation, a.a - b.center),
                              rotate_back(b.rotation, a.b - b.center));
    const Vec<F, 2>& h = b.half_extents;

    // In the order of preference; the numbers are those of `toward` below.
    F best = negate(greater(core.a[0], core.b[0])) - h[0];
    F axis = zero, is_tie = zero;
    const auto consider = [&](const F& separation, int number) __attribute__((always_inline)) {
      const auto is_better = separation > best;
      is_tie = select(is_better, zero, select(separation == best, one, is_tie));
      best = select(is_better, separation, best);
      axis = select(is_better, F(number), axis);
    };
    consider(lesser(core.a[0], core.b[0]) - h[0], 1);
    consider(negate(greater(core.a[1], core.b[1])) - h[1], 2);
    consider(lesser(core.a[1], core.b[1]) - h[1], 3);
    const F place = dot(core.side, core.a);
    const F width = abs(core.side[0]) * h[0] + abs(core.side[1]) * h[1];
    // The side of a core along an axis is that of a face; one of no length has none.
    const F along_axis = roundings<F>(8);
    const auto has_side = (abs(core.side[0]) > along_axis) & (abs(core.side[1]) > along_axis);
    const F side_separation = abs(place) - width;
    const auto is_side = has_side & (side_separation > best);
    is_tie = select(is_side, one_where<F>(place == zero),
                    select(has_side & (side_separation == best), one, is_tie));

    // From the core to the box, across the box's face or the core's side.
    const Vec<F, 2> across_face{{select(axis == zero, one, select(axis == one, F(-1), zero)),
                                 select(axis == F(2), one, select(axis == F(3), F(-1), zero))}};
    const Vec<F, 2> across_side = select(place > zero, -core.side, core.side);
    const Vec<F, 2> toward = select(is_side, across_side, across_face);
    const EdgeLanes<F> of_core = core.opposed_edge(-toward);
    const EdgeLanes<F> of_box = opposed_box_edge(box, toward);
    const FacingEdges<F> edges{select(is_side, of_core, of_box), select(is_side, of_box, of_core),
                               one_where<F>(is_side), is_tie};
    const auto neighbors = [&](const MaskOf<F>& is_next) __attribute__((always_inline)) {
      const Vec<F, 2> next_of_core = -of_core.normal;
      const Vec<F, 2> next_of_box = select(is_next, one, F(-1)) * perpendicular(of_box.normal);
      return NeighborNormals<F>{select(is_side, next_of_core, next_of_box),
                                select(is_side, next_of_box, next_of_core)};
    };
    Manifold<F, 2, 2> manifold = edge_manifold(edges, a.radius, b.radius, margin, neighbors);
    if constexpr (requires(B shape) { shape.rotation; }) turn_manifold(b.rotation, manifold);
    for (ManifoldPoint<F, 2>& point : manifold.points) point.position = point.position + b.center;
    return manifold;
  }
};

}  // namespace
}  // namespace widephase
