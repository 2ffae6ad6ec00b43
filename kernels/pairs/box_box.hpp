#pragma once

#include "kernels/core/polygon/box_edges.hpp"
#include "kernels/core/polygon/steady_edge.hpp"

namespace widephase {
namespace {

// box_box, aabb_box in 2D: the separating axes of both boxes, then the manifold of the edges.
// Frame: A's. Normal: A to B. Points: 1 or 2, on A: the incident edge clipped to the reference
// edge; between corners, one point for the nearest pair.
// Features: vertices and faces.
// Ties go to A's axes before B's, axis 0 before axis 1, B leaving upwards first, status 1. Parallel
// axes of A and B count as one. With steadiness, last step's axis comes before an axis that
// separates by more, if the difference is within the steadiness, status 0.
// Cost: 1 division per lane with two points; 1 sqrt and 2 more between corners.
template <class F, class BoxA>
struct BoxBox2 {
  using A = BoxA;
  using B = BoxLanes<F, 2>;
  static constexpr int max_points = 2;
  static constexpr bool is_warm_when_steady = true;

  /// The axis with the least overlap, and B's centre along it. If the boxes are farther apart along
  /// it than the margin and rounding, there is no contact.
  struct FirstLook {
    F axis;
    F place;
    F is_tie;
  };
  static WIDEPHASE_INLINE MaskOf<F> first_look(const A& shape_a, const B& b, const F& margin,
                                               FirstLook& found) {
    const F zero = F(0), one = F(1);
    const BoxLanes<F, 2> a(shape_a);
    const PlacedBox<F> box_b = placed(a, b);
    const F abs_c = abs(box_b.rotation.cosine), abs_s = abs(box_b.rotation.sine);
    const Vec<F, 2>& t = box_b.center;
    const Vec<F, 2> t_b = rotate_back(box_b.rotation, t);
    const Vec<F, 2>&h = a.half_extents, &k = b.half_extents;
    const F separations[4] = {abs(t[0]) - (h[0] + (k[0] * abs_c + k[1] * abs_s)),
                              abs(t[1]) - (h[1] + (k[0] * abs_s + k[1] * abs_c)),
                              abs(t_b[0]) - (k[0] + (h[0] * abs_c + h[1] * abs_s)),
                              abs(t_b[1]) - (k[1] + (h[0] * abs_s + h[1] * abs_c))};
    // If the centres are level along an axis, both ways along it are equally long.
    const F places[4] = {t[0], t[1], t_b[0], t_b[1]};
    F best = separations[0];
    found = {zero, t[0], one_where<F>(t[0] == zero)};
    for (int i = 1; i < 4; ++i) {
      const auto is_better = separations[i] > best;
      auto is_other = separations[i] == best;
      if (i >= 2) {
        // If B's axis is parallel to A's best axis, both are one axis, not a tie.
        const F sine = select(found.axis == F(i - 2), abs_s, abs_c);
        is_other = is_other & ((found.axis >= F(2)) | (sine > roundings<F>(16)));
      }
      found.is_tie =
          select(is_better, one_where<F>(places[i] == zero), select(is_other, one, found.is_tie));
      best = select(is_better, separations[i], best);
      found.place = select(is_better, places[i], found.place);
      found.axis = select(is_better, F(i), found.axis);
    }
    const F size = coordinate_size(t) + (coordinate_size(h) + coordinate_size(k));
    const F reach = (a.radius + b.radius) + margin;
    return best <= reach + roundings<F>(64) * (size + reach);
  }

  static WIDEPHASE_INLINE Manifold<F, 2, 2> contact(const A& shape_a, const B& b, const F& margin,
                                                    const FirstLook& found,
                                                    WarmStartLanes<F>& warm) {
    const BoxLanes<F, 2> a(shape_a);
    const PlacedBox<F> box_a{zero_vec<F, 2>(), upright(), a.half_extents};
    const PlacedBox<F> box_b = placed(a, b);
    Manifold<F, 2, 2> manifold = answer<ReferenceEdge::nearest>(
        box_a, box_b, a.radius, b.radius, margin, found.axis, found.place, found.is_tie);
    if (warm.is_given) {
      // Copies: the originals need no address and stay in registers.
      const PlacedBox<F> of_a = box_a, of_b = box_b;
      const F radius_a = a.radius, radius_b = b.radius, kept_margin = margin,
              least_axis = found.axis;
      Manifold<F, 2, 2> steady = manifold;
      keep_last_axis(of_a, of_b, radius_a, radius_b, kept_margin, least_axis, warm, steady);
      manifold = steady;
    }
    if constexpr (requires(A box) { box.rotation; }) {
      turn_manifold(a.rotation, manifold);
    } else {
      for (ManifoldPoint<F, 2>& point : manifold.points) point.position = point.position + a.center;
    }
    return manifold;
  }

 private:
  static WIDEPHASE_INLINE Rotation<F> upright() { return {F(1), F(0)}; }
  /// B in A's frame.
  static WIDEPHASE_INLINE PlacedBox<F> placed(const BoxLanes<F, 2>& a, const B& b) {
    return {rotate_back(a.rotation, b.center - a.center), between(a.rotation, b.rotation),
            b.half_extents};
  }
  static WIDEPHASE_INLINE Vec<F, 2> unit_axis(const Rotation<F>& r, const F& axis) {
    const auto is_y = axis > F(0);
    return {{select(is_y, negate(r.sine), r.cosine), select(is_y, r.cosine, r.sine)}};
  }
  /// The edge whose normal points most along `direction`.
  static WIDEPHASE_INLINE EdgeLanes<F> facing_edge(const PlacedBox<F>& box,
                                                   const Vec<F, 2>& direction) {
    return opposed_box_edge(box, -direction);
  }

  /// The contact for a given axis (A's are 0 and 1, B's are 2 and 3), with B's centre along it.
  template <ReferenceEdge Reason>
  static WIDEPHASE_INLINE Manifold<F, 2, 2> answer(const PlacedBox<F>& box_a,
                                                   const PlacedBox<F>& box_b, const F& radius_a,
                                                   const F& radius_b, const F& margin,
                                                   const F& axis, const F& place, const F& is_tie) {
    const F zero = F(0), one = F(1);
    const auto by_a = axis < F(2);
    const F axis_of_box = select(by_a, axis, axis - F(2));
    // If the centres are level, B leaves upwards: over A's upper face, or A below B's lower face.
    const F sign = select(by_a, select(place < zero, F(-1), one), select(place < zero, one, F(-1)));
    // The axis gives one box's edge, the other edge is the most opposed one; finds both at once.
    const Vec<F, 2> reference_axis =
        select(by_a, unit_axis(upright(), axis_of_box), unit_axis(box_b.rotation, axis_of_box));
    const Vec<F, 2> toward = select(by_a, sign, negate(sign)) * reference_axis;  // from A to B
    const EdgeLanes<F> edge_a = facing_edge(box_a, toward), edge_b = facing_edge(box_b, -toward);
    const FacingEdges<F> edges{select(by_a, edge_a, edge_b), select(by_a, edge_b, edge_a),
                               one_where<F>(by_a), is_tie};
    const auto neighbors = [&](const MaskOf<F>& is_next) __attribute__((always_inline)) {
      const F turn = select(is_next, one, F(-1));
      return NeighborNormals<F>{turn * perpendicular(edges.reference.normal),
                                turn * perpendicular(edges.incident.normal)};
    };
    return edge_manifold<Reason>(edges, radius_a, radius_b, margin, neighbors);
  }

  static __attribute__((noinline)) void keep_last_axis(const PlacedBox<F>& box_a,
                                                       const PlacedBox<F>& box_b, const F& radius_a,
                                                       const F& radius_b, const F& margin, F axis,
                                                       WarmStartLanes<F>& warm,
                                                       Manifold<F, 2, 2>& manifold) {
    const F zero = F(0);
    const F last = last_faces(warm, 2);
    const auto is_other = (last >= zero) & !(last == axis);
    if (any<F>(is_other)) {
      const Vec<F, 2>& t = box_b.center;
      const Vec<F, 2> t_b = rotate_back(box_b.rotation, t);
      const F number = select(is_other, last, zero);
      const F place = select(number < F(2), select(number == zero, t[0], t[1]),
                             select(number == F(2), t_b[0], t_b[1]));
      const Manifold<F, 2, 2> over_last = answer<ReferenceEdge::last>(
          box_a, box_b, radius_a, radius_b, margin, number, place, zero);
      const auto is_kept =
          take_last_edge(is_other, margin, F(warm.steadiness), over_last, manifold);
      axis = select(is_kept, last, axis);
    }
    note_faces(axis, 2, warm);
  }
};

}  // namespace
}  // namespace widephase
