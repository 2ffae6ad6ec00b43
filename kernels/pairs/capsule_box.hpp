#pragma once

#include "kernels/core/polygon/box_edges.hpp"
#include "kernels/core/polygon/steady_edge.hpp"

namespace widephase {
namespace {

// capsule_box, capsule_aabb in 2D: the separating axes of the box and of the core, then the
// manifold of the edges.
// Frame: the box's. Normal: A to B. Points: 1 or 2, on A: the incident edge clipped to the
// reference edge; between corners and ends, one point for the nearest pair.
// Features: the core's ends and side; the box's vertices and faces.
// Ties go to the box's faces before the core's side, axis 0 before axis 1, B leaving upwards first,
// status 1. A core without length has no side. With steadiness, last step's face or side comes
// before one that separates by more, if the difference is within the steadiness, status 0.
// Cost: 1 sqrt and 2 divisions per lane, 1 division more with two points; 1 sqrt and 2 more between
// corners.
template <class F, class BoxB>
struct CapsuleBox2 {
  using A = CapsuleLanes<F, 2>;
  using B = BoxB;
  static constexpr int max_points = 2;
  static constexpr bool is_warm_when_steady = true;

  static WIDEPHASE_INLINE Manifold<F, 2, 2> contact(const A& a, const B& shape_b, const F& margin,
                                                    WarmStartLanes<F>& warm, LaneCounter<F>&) {
    const F zero = F(0), one = F(1);
    const BoxLanes<F, 2> b(shape_b);
    const CoreOutline<F> core(rotate_back(b.rotation, a.a - b.center),
                              rotate_back(b.rotation, a.b - b.center));
    const Vec<F, 2>& h = b.half_extents;

    // In order of preference, with the numbers of `answer`.
    F best = negate(greater(core.a[0], core.b[0])) - h[0];
    F axis = F(kFaces), is_tie = zero;
    const auto consider = [&](const F& separation, int number) __attribute__((always_inline)) {
      const auto is_better = separation > best;
      is_tie = select(is_better, zero, select(separation == best, one, is_tie));
      best = select(is_better, separation, best);
      axis = select(is_better, F(kFaces + number), axis);
    };
    consider(lesser(core.a[0], core.b[0]) - h[0], 1);
    consider(negate(greater(core.a[1], core.b[1])) - h[1], 2);
    consider(lesser(core.a[1], core.b[1]) - h[1], 3);
    const F place = dot(core.side, core.a);
    const F width = abs(core.side[0]) * h[0] + abs(core.side[1]) * h[1];
    const auto is_own = has_side(core);
    const F side_separation = abs(place) - width;
    const auto is_side = is_own & (side_separation > best);
    is_tie = select(is_side, one_where<F>(place == zero),
                    select(is_own & (side_separation == best), one, is_tie));
    axis = select(is_side, F(kSide), axis);
    Manifold<F, 2, 2> manifold =
        answer<ReferenceEdge::nearest>(core, h, a.radius, b.radius, margin, axis, is_tie);
    if (warm.is_given) {
      // Copies: the originals need no address and stay in registers.
      const CoreOutline<F> of_core = core;
      const Vec<F, 2> half_extents = h;
      const F radius_a = a.radius, radius_b = b.radius, kept_margin = margin, least = axis;
      Manifold<F, 2, 2> steady = manifold;
      keep_last(of_core, half_extents, radius_a, radius_b, kept_margin, least, warm, steady);
      manifold = steady;
    }
    if constexpr (requires(B shape) { shape.rotation; }) turn_manifold(b.rotation, manifold);
    for (ManifoldPoint<F, 2>& point : manifold.points) point.position = point.position + b.center;
    return manifold;
  }

 private:
  // Numbers of exits: across the core's side, and over the first of the box's faces.
  static constexpr int kSide = 0;
  static constexpr int kFaces = 4;

  /// A core's side that is parallel to an axis is the same as a face; a core without length has no
  /// side.
  static WIDEPHASE_INLINE MaskOf<F> has_side(const CoreOutline<F>& core) {
    const F along_axis = roundings<F>(8);
    return (abs(core.side[0]) > along_axis) & (abs(core.side[1]) > along_axis);
  }

  /// The contact over a face or over the core's side.
  template <ReferenceEdge Reason>
  static WIDEPHASE_INLINE Manifold<F, 2, 2> answer(const CoreOutline<F>& core,
                                                   const Vec<F, 2>& half_extents, const F& radius_a,
                                                   const F& radius_b, const F& margin,
                                                   const F& axis, const F& is_tie) {
    const F zero = F(0), one = F(1);
    const PlacedBox<F> box{zero_vec<F, 2>(), {one, zero}, half_extents};
    const auto is_side = axis == F(kSide);
    const F place = dot(core.side, core.a);
    // From the core to the box, across the box's face or the core's side.
    const F face = axis - F(kFaces);
    const Vec<F, 2> across_face{{select(face == zero, one, select(face == one, F(-1), zero)),
                                 select(face == F(2), one, select(face == F(3), F(-1), zero))}};
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
    return edge_manifold<Reason>(edges, radius_a, radius_b, margin, neighbors);
  }

  static __attribute__((noinline)) void keep_last(const CoreOutline<F>& core,
                                                  const Vec<F, 2>& half_extents, const F& radius_a,
                                                  const F& radius_b, const F& margin, F axis,
                                                  WarmStartLanes<F>& warm,
                                                  Manifold<F, 2, 2>& manifold) {
    const F zero = F(0);
    const F last = last_faces(warm, kFaces);
    const auto is_other =
        (!(last == axis)) & ((last >= F(kFaces)) | ((last == F(kSide)) & has_side(core)));
    if (any<F>(is_other)) {
      const auto is_kept = take_last_edge(
          is_other, margin, F(warm.steadiness),
          answer<ReferenceEdge::last>(core, half_extents, radius_a, radius_b, margin, last, zero),
          manifold);
      axis = select(is_kept, last, axis);
    }
    note_faces(axis, kFaces, warm);
  }
};

}  // namespace
}  // namespace widephase
