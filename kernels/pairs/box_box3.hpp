#pragma once

#include "core/box_edges3.hpp"
#include "core/box_faces3.hpp"

namespace widephase {
namespace {

// box_box, aabb_box in 3D: the fifteen separating axes, then the manifold of the features that face
// each other.
// Frame: A's. Normal: A to B. Points: on A; 1 to 4 where a face is the reference, 1 between edges
// and vertices. Features: vertices, edges and faces.
// Ties of the way out go to A's faces before B's before edges, lower axes first, B leaving upwards
// first, status 1. Faces of A and B that are parallel are one direction. With steadiness last
// step's face comes before any that overlaps by less within it, status 0.
// Cost: about 800 vector instructions a batch of 16 for the axes, 3,000 for the points of pairs
// that they leave; edges and vertices only in batches that have such pairs.
template <class F, class BoxA>
struct BoxBox3 {
  using A = BoxA;
  using B = BoxLanes<F, 3>;
  static constexpr int max_points = 4;
  static constexpr bool is_warm_when_steady = true;

  /// The axis of least overlap. A pair that is farther apart along it than the margin has no
  /// contact.
  using FirstLook = BoxAxis3<F>;
  static WIDEPHASE_INLINE MaskOf<F> first_look(const A& a, const B& b, const F& margin,
                                               FirstLook& axis) {
    axis = least_overlap(pair_of(a, b));
    return axis.overlap >= least_core_depth(margin, radius_of(a) + b.radius);
  }

  static WIDEPHASE_INLINE Manifold<F, 3, 4> contact(const A& a, const B& b, const F& margin,
                                                    BoxAxis3<F> axis, WarmStarts<F>& warm) {
    const F zero = F(0);
    const BoxPair3<F> pair = pair_of(a, b);
    const F radius_a = radius_of(a);
    const F reach = radius_a + b.radius;
    const F size = size_of(pair);
    const F rounding = roundings<F>(32) * size;
    if (any<F>(axis.number >= F(6))) take_flush_face(pair, flush_share<F>() * size, axis);

    const BoxAxis3<F> least = axis;
    F is_last = zero;
    if (warm.is_given) is_last = take_last_face(pair, warm, axis);

    Manifold<F, 3, 4> manifold;
    const F limit = least_core_depth(margin, reach);
    MaskOf<F> is_met;
    for (;;) {
      manifold.normal = axis.normal;
      manifold.depth = axis.overlap;
      manifold.is_tie = select(axis.overlap < zero, zero, axis.is_tie);
      const F steadiness = select(axis.overlap < zero, zero, F(warm.steadiness));
      is_met = face_points(pair, axis, limit, rounding, steadiness, manifold);
      if (!warm.is_given) break;
      // Of last step's face what lies over it must be as deep as that, but for the steadiness.
      const auto is_beside = (is_last > zero) & !is_met;
      if (!any<F>(is_beside)) {
        note_faces(axis.number, 3, warm);  // none where edges are the way out
        break;
      }
      axis = select(is_beside, least, axis);
      is_last = select(is_beside, zero, is_last);
    }
    const auto is_edge = axis.number >= F(6);
    const auto is_near = axis.overlap >= limit;
    if (any<F>(is_edge & is_near)) {
      is_met = select_mask<F>(is_edge, edge_point(pair, axis, is_edge, rounding, manifold), is_met);
    }
    const auto is_vertex = (axis.overlap < zero) & is_near & !is_met;
    if (any<F>(is_vertex)) {
      const F share = F(0.5f);  // of what lies aside of a face or edge and still counts as met
      vertex_point(nearest_vertex(pair, axis, share * rounding, is_vertex), is_vertex, manifold);
    }

    // From cores to surfaces.
    manifold.depth = manifold.depth + reach;
    for (ManifoldPoint<F, 3>& point : manifold.points) {
      point.depth = point.depth + reach;
      point.position = point.position + radius_a * manifold.normal;
    }
    sort_points(manifold.points);
    if constexpr (requires { a.rotation; }) {
      turn_manifold(a.rotation, manifold);
    } else {
      const Vec<F, 3> center = a.bounds_center();
      for (ManifoldPoint<F, 3>& point : manifold.points) point.position = point.position + center;
    }
    return manifold;
  }

 private:
  static WIDEPHASE_INLINE F radius_of(const AabbLanes<F, 3>&) { return F(0); }
  static WIDEPHASE_INLINE F radius_of(const BoxLanes<F, 3>& a) { return a.radius; }

  static WIDEPHASE_INLINE BoxPair3<F> pair_of(const AabbLanes<F, 3>& a, const B& b) {
    const Vec<F, 3> t = b.center - a.bounds_center();
    return {b.rotation, t, F(0.5f) * a.max - F(0.5f) * a.min, b.half_extents,
            rotate_back(b.rotation, t)};
  }
  static WIDEPHASE_INLINE BoxPair3<F> pair_of(const BoxLanes<F, 3>& a, const B& b) {
    const Vec<F, 3> apart = b.center - a.center;
    return {between(a.rotation, b.rotation), rotate_back(a.rotation, apart), a.half_extents,
            b.half_extents, rotate_back(b.rotation, apart)};
  }
};

}  // namespace
}  // namespace widephase
