#pragma once

#include "kernels/core/box/box_edges3.hpp"
#include "kernels/core/box/box_faces3.hpp"

namespace widephase {
namespace {

// box_box, aabb_box in 3D: the fifteen separating axes, then the manifold of the features that face
// each other.
// Frame: A's. Normal: A to B. Points: on A; 1 to 4 corners of the overlap of the faces that meet,
// seen along the normal, whichever axis is the exit.
// Features: vertices, edges and faces.
// Ties go to A's faces before B's before edges, lower axes first, B leaving upwards first, status
// 1. Parallel faces of A and B count as one direction. With steadiness, last step's face comes
// before a face that overlaps by less, if the difference is within the steadiness; likewise any
// face comes before edges, status 0.
// Cost: about 800 vector instructions per batch of 16 for the axes, 3,000 for the points of pairs
// that they leave; edges and vertices only in batches that have such pairs.
template <class F, class BoxA>
struct BoxBox3 {
  using A = BoxA;
  using B = BoxLanes<F, 3>;
  static constexpr int max_points = 4;
  static constexpr bool is_warm_when_steady = true;

  /// The axis of least overlap. If a pair is farther apart along it than the margin, there is no
  /// contact.
  using FirstLook = BoxAxis3<F>;
  static WIDEPHASE_INLINE MaskOf<F> first_look(const A& a, const B& b, const F& margin,
                                               FirstLook& axis) {
    axis = least_overlap(pair_of(a, b));
    return axis.overlap >= least_core_depth(margin, radius_of(a) + b.radius);
  }

  static WIDEPHASE_INLINE Manifold<F, 3, 4> contact(const A& a, const B& b, const F& margin,
                                                    BoxAxis3<F> axis, WarmStartLanes<F>& warm) {
    const F zero = F(0);
    const BoxPair3<F> pair = pair_of(a, b);
    const F radius_a = radius_of(a);
    const F reach = radius_a + b.radius;
    const F size = size_of(pair);
    const F rounding = roundings<F>(32) * size;

    const BoxAxis3<F> least = axis;
    F is_steady = zero;
    if (warm.is_given) is_steady = take_steady_face(pair, warm, axis);

    Manifold<F, 3, 4> manifold;
    const F limit = least_core_depth(margin, reach);
    // The point that the search found, if the exit is not a face. It joins the points if the faces
    // miss it.
    ManifoldPoint<F, 3> found;
    MaskOf<F> is_met;
    const auto put_points = [&](const MaskOf<F>& asked) __attribute__((always_inline)) {
      Manifold<F, 3, 4> points;
      points.normal = axis.normal;
      points.depth = axis.overlap;
      points.is_tie = select(axis.overlap < zero, zero, axis.is_tie);
      BoxAxis3<F> facing = axis;
      const bool has_found = any<F>(axis.number >= F(6));
      if (has_found) facing.number = facing_face(pair, axis);
      const auto is_over =
          face_points(pair, facing, limit, rounding, warm, has_found ? &found : nullptr, points);
      if (has_found) {
        // A single point is the one that the search found, with its features. So is a distance's
        // nearest point.
        const auto is_alone =
            (found.exists > zero) & ((limit < F(-kLargest<RealOf<F>> / 16)) |
                                     (((points.points[1].exists + points.points[2].exists) +
                                       points.points[3].exists) == zero));
        points.points[0] = select(is_alone, found, points.points[0]);
        for (int p = 1; p < 4; ++p) {
          points.points[p].exists = select(is_alone, zero, points.points[p].exists);
        }
      }
      manifold = select(asked, points, manifold);
      return is_over;
    };
    for (;;) {
      const auto is_edge = axis.number >= F(6);
      auto edge_is_met = is_edge;
      found.exists = zero;
      if (any<F>(is_edge & (axis.overlap >= limit))) {
        edge_is_met = edge_point(pair, axis, rounding, found);
        found.exists = one_where<F>(is_edge);
      }
      is_met = put_points(zero == zero);
      // The points over the steady face must be as deep as that face, within the steadiness.
      const auto is_beside = (is_steady > zero) & !is_met;
      is_met = select_mask<F>(is_edge, edge_is_met, is_met);
      if (!warm.is_given) break;
      if (!any<F>(is_beside)) {
        note_faces(axis.number, 3, warm);  // no face if edges are the exit
        break;
      }
      axis = select(is_beside, least, axis);
      is_steady = select(is_beside, zero, is_steady);
    }
    const auto is_vertex = (axis.overlap < zero) & (axis.overlap >= limit) & !is_met;
    if (any<F>(is_vertex)) {
      const F share = F(0.5f);  // of rounding: this far beside a face or edge still counts as met
      vertex_point(nearest_vertex(pair, axis, share * rounding, is_vertex), is_vertex, axis, found);
      (void)put_points(is_vertex);
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
