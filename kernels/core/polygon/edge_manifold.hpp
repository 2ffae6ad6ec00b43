#pragma once

// The manifold of two convex outlines in 2D, from the two edges that face each other. Every 2D pair
// with an edge ends here, however the edges were found.
//
// The separation of an edge with unit outward normal n is the least n.(q - p) over the other
// outline's points q. Over all directions the separation has one maximum: the distance (outlines
// apart) or minus the depth (overlapping). Over edge normals it is largest at the edge that holds
// the nearest point of the Minkowski difference, or at one that ends there. So the edge of the
// largest separation and the other outline's edge most opposed to it hold the nearest points. These
// are face against vertex, or vertex against vertex beyond the edge's end.
// Sources: Ericson, Real-Time Collision Detection, 5.2.1 and 9.3; clipping as in Gregorius, GDC
// 2015.

#include "kernels/core/round/ball.hpp"

namespace widephase {
namespace {

/// An edge of an outline, walked counter-clockwise: the outside is on the right. A point is an edge
/// with normal 0 and p = q.
template <class F>
struct EdgeLanes {
  Vec<F, 2> p;
  Vec<F, 2> q;
  Vec<F, 2> normal;  ///< unit, outwards
  F feature;         ///< of the edge, and of its ends
  F feature_p;
  F feature_q;
};

template <class F>
WIDEPHASE_INLINE EdgeLanes<F> select(const MaskOf<F>& mask, const EdgeLanes<F>& yes,
                                     const EdgeLanes<F>& no) {
  return {select(mask, yes.p, no.p),
          select(mask, yes.q, no.q),
          select(mask, yes.normal, no.normal),
          select(mask, yes.feature, no.feature),
          select(mask, yes.feature_p, no.feature_p),
          select(mask, yes.feature_q, no.feature_q)};
}

/// Two edges that face each other, in a frame near both.
template <class F>
struct FacingEdges {
  EdgeLanes<F> reference;  ///< the one with the greater separation
  EdgeLanes<F> incident;   ///< the edge of the other outline most opposed to it
  F is_by_a;               ///< 1 where A's is the reference
  F is_tie;                ///< 1 where another direction has the same separation
};

/// The edges after a facing pair, or before it where the lane is not `is_next`: their normals, and
/// the features to report if they turn out to be the nearest (0 keeps the vertex).
template <class F>
struct NeighborNormals {
  Vec<F, 2> reference;
  Vec<F, 2> incident;
  F reference_feature = F(0);
  F incident_feature = F(0);
};

/// Why an edge is the reference edge.
enum class ReferenceEdge {
  nearest,  ///< nearest of all edges, or next to the nearest vertex
  outer,    ///< nearest of the edges that count; the normal is always its own
  last,     ///< last step's; the normal is its own, each point has its own depth and exists only
            ///< if it lies over the edge
};

/// `neighbors(is_next)` gives `NeighborNormals`; it is called only if vertices face each other.
/// Points are on A, in the frame of the edges.
template <ReferenceEdge Reason = ReferenceEdge::nearest, class F, class NeighborsOf>
WIDEPHASE_INLINE Manifold<F, 2, 2> edge_manifold(const FacingEdges<F>& edges, const F& radius_a,
                                                 const F& radius_b, const F& margin,
                                                 const NeighborsOf& neighbors) {
  const F zero = F(0), one = F(1);
  const auto by_a = edges.is_by_a > zero;
  const EdgeLanes<F>& reference = edges.reference;
  const EdgeLanes<F>& incident = edges.incident;
  const Vec<F, 2>& face = reference.normal;
  const Vec<F, 2> along = perpendicular(face);
  const Vec<F, 2> to_p = incident.p - reference.p, to_q = incident.q - reference.p;
  const F end = dot(along, reference.q - reference.p);
  const F height_p = dot(face, to_p), height_q = dot(face, to_q);
  const F along_p = dot(along, to_p), along_q = dot(along, to_q);

  // The incident edge's end nearest to the reference edge's line (or deepest behind it). If the
  // whole edge lies beyond an end of the reference edge and in front of its line, take the end
  // nearest to that end. If vertices do not count, because other edges may be nearer, only the line
  // decides.
  const F clamped_p = clamp(along_p, zero, end), clamped_q = clamp(along_q, zero, end);
  // An overshoot within the rounding of the frame's coordinates counts as zero.
  const F rounding =
      roundings<F>(4) * ((coordinate_size(reference.p) + coordinate_size(reference.q)) +
                         (coordinate_size(incident.p) + coordinate_size(incident.q)));
  const auto past_end = [&](const F& by) { return select(abs(by) <= rounding, zero, by); };
  const F beyond_p = past_end(along_p - clamped_p), beyond_q = past_end(along_q - clamped_q);
  const auto is_past =
      ((beyond_p > zero) & (beyond_q > zero)) | ((beyond_p < zero) & (beyond_q < zero));
  const F run_pq = along_q - along_p, rise_pq = height_q - height_p;
  const F toward_q = negate(beyond_p * run_pq + height_p * rise_pq);
  const auto has_vertices = zero < F(Reason == ReferenceEdge::nearest ? 1 : 0);
  const auto is_q_near = select_mask<F>(
      is_past & (lesser(height_p, height_q) > zero) & has_vertices,
      toward_q + toward_q > run_pq * run_pq + rise_pq * rise_pq, height_q < height_p);
  const F near_height = select(is_q_near, height_q, height_p);
  const F near_along = select(is_q_near, along_q, along_p);
  const F far_along = select(is_q_near, along_p, along_q);
  const F rise = select(is_q_near, negate(rise_pq), rise_pq);
  const F run = select(is_q_near, negate(run_pq), run_pq);

  // Vertices face each other if the near end lies beyond an end of the reference edge, and that end
  // is not over the incident edge either.
  const F beyond = select(is_q_near, beyond_q, beyond_p);
  const F clamped = select(is_q_near, clamped_q, clamped_p);
  const F far_clamped = select(is_q_near, clamped_p, clamped_q);
  // If the edges' lines alone are farther apart than the margin, skip the vertices: they do not
  // touch. When a squared length underflows, report the face.
  const F reach = radius_a + radius_b;
  const F apart2 = beyond * beyond + near_height * near_height;
  const auto is_vertex = has_vertices & (near_height > zero) & !(beyond == zero) & (apart2 > zero) &
                         (near_height - rounding <= reach + margin) &
                         (negate(beyond) * run - near_height * rise <= zero);

  Manifold<F, 2, 2> manifold;
  Vec<F, 2> direction = face;
  F distance = near_height;
  F is_tie = select(near_height > zero, zero, edges.is_tie);
  Vec<F, 2> near_core = select(is_q_near, incident.q, incident.p);
  F past_reference = zero,
    past_incident = zero;  // features of edges found nearer than the vertices
  const auto is_high = beyond > zero;
  if (any<F>(is_vertex)) {
    F apart = sqrt(apart2);
    const F size = select(is_vertex, apart, one);
    Vec<F, 2> toward = divide(near_height, size) * face + divide(beyond, size) * along;
    // Rounding may move the direction out of the cone between the normals of the edges that end
    // there. It happens where the vertices nearly touch, or where one of those edges is level with
    // this one except for rounding. Then that edge is the nearest.
    const Vec<F, 2> gap = near_height * face + beyond * along;
    const NeighborNormals<F> next = neighbors(is_high);
    const Vec<F, 2> of_incident = -next.incident;
    const F turn = select(is_high, one, F(-1));
    // A core without width has a next edge that faces the other way; no direction is past it.
    const auto is_past_reference = is_vertex & (turn * cross(next.reference, toward) > zero) &
                                   (dot(next.reference, toward) > zero);
    toward = select(is_past_reference, next.reference, toward);
    apart = select(is_past_reference, dot(next.reference, gap), apart);
    past_reference = select(is_past_reference, next.reference_feature, zero);
    const F is_end_of_incident = select(is_high, one_where<F>(is_q_near), one_where<F>(!is_q_near));
    const auto is_past_incident = is_vertex & (is_end_of_incident > zero) &
                                  (turn * cross(of_incident, toward) > zero) &
                                  (dot(of_incident, toward) > zero);
    toward = select(is_past_incident, of_incident, toward);
    apart = select(is_past_incident, dot(of_incident, gap), apart);
    past_reference = select(is_past_incident, zero, past_reference);
    past_incident = select(is_past_incident, next.incident_feature, zero);
    // The point of that edge that faces the reference edge's end.
    const Vec<F, 2> end_point = select(is_high, reference.q, reference.p);
    near_core = select(is_past_incident, end_point + apart * toward, near_core);
    direction = select(is_vertex, toward, direction);
    distance = select(is_vertex, apart, distance);
  }
  manifold.normal = select(by_a, direction, -direction);
  manifold.depth = reach - distance;
  manifold.is_tie = is_tie;

  // The contact point on A for a point of the incident edge, at `height` above the reference edge.
  const Vec<F, 2> from = select(is_q_near, incident.q, incident.p);
  const Vec<F, 2> to = select(is_q_near, incident.p, incident.q);
  const auto position_of = [&](const Vec<F, 2>& core,
                               const F& height) __attribute__((always_inline)) {
    return core + select(by_a, radius_a - height, radius_a) * manifold.normal;
  };
  const F near_feature = select(is_q_near, incident.feature_q, incident.feature_p);
  const F far_feature = select(is_q_near, incident.feature_p, incident.feature_q);
  const F reference_end = select(is_high, reference.feature_q, reference.feature_p);

  // The edges face each other, but the near end lies past the reference edge's end: clip there.
  const auto is_cut = (!is_vertex) & !(beyond == zero) & !(run == zero);
  F near_face_height = near_height;
  if (any<F>(is_cut)) {
    const F share =
        select(is_cut, clamp(divide(negate(beyond), select(is_cut, run, one)), zero, one), zero);
    near_core = select(is_cut, point_at(from, to, share), near_core);
    near_face_height = select(is_cut, near_height + share * rise, near_height);
  }
  const auto is_end = is_vertex | is_cut;
  const F first_reference = select(past_reference > zero, past_reference,
                                   select(is_end, reference_end, reference.feature));
  const F first_incident =
      select(past_incident > zero, past_incident, select(is_cut, incident.feature, near_feature));
  manifold.points[0] = {position_of(near_core, select(is_vertex, distance, near_face_height)),
                        manifold.depth,
                        {select(by_a, first_reference, first_incident),
                         select(by_a, first_incident, first_reference)},
                        one};
  manifold.points[1] = manifold.points[0];
  manifold.points[1].exists = zero;
  if constexpr (Reason == ReferenceEdge::last) {
    manifold.points[0].depth = reach - near_face_height;
    manifold.points[0].exists = one_where<F>(!is_past);
  }

  // The second point: the incident edge's other end, clipped to the reference edge.
  const auto is_two = (!is_vertex) & (abs(far_clamped - clamped) > least_stretch<F>() * end);
  if (any<F>(is_two)) {
    const auto is_clipped = !(far_clamped == far_along);
    const F share = select(is_clipped & !(run == zero),
                           clamp(divide_or_zero(far_clamped - near_along, run), zero, one), one);
    const F height = near_height + share * rise;
    const F depth = lesser(reach - height, manifold.depth);
    const F second_reference =
        select(is_clipped, select(far_along > end, reference.feature_q, reference.feature_p),
               reference.feature);
    const F second_incident = select(is_clipped, incident.feature, far_feature);
    const ManifoldPoint<F, 2> second{position_of(point_at(from, to, share), height),
                                     depth,
                                     {select(by_a, second_reference, second_incident),
                                      select(by_a, second_incident, second_reference)},
                                     one_where<F>(depth >= negate(margin))};
    manifold.points[1] = select(is_two, second, manifold.points[1]);
    sort_points(manifold.points);
  }
  return manifold;
}

/// The manifold of an outline (A) and a halfspace (B), from the outline's edge whose normal points
/// most into the solid. `normal` points into it; `height` is the plane's height along -normal.
template <class F>
WIDEPHASE_INLINE Manifold<F, 2, 2> plane_manifold(const EdgeLanes<F>& edge, const F& radius,
                                                  const Vec<F, 2>& normal, const F& height,
                                                  const F& margin) {
  const F depth_p = (height + dot(normal, edge.p)) + radius;
  const F depth_q = (height + dot(normal, edge.q)) + radius;
  Manifold<F, 2, 2> manifold;
  manifold.normal = normal;
  manifold.depth = greater(depth_p, depth_q);
  manifold.is_tie = F(0);
  const auto point_at_end = [&](const Vec<F, 2>& end, const F& depth,
                                const F& feature) __attribute__((always_inline)) {
    const auto is_kept = (depth >= negate(margin)) | (depth == manifold.depth);
    return ManifoldPoint<F, 2>{
        end + radius * normal, depth, {feature, F(0)}, one_where<F>(is_kept)};
  };
  manifold.points[0] = point_at_end(edge.p, depth_p, edge.feature_p);
  manifold.points[1] = point_at_end(edge.q, depth_q, edge.feature_q);
  sort_points(manifold.points);
  // An edge of no length has only one end.
  const auto is_point = (edge.p[0] == edge.q[0]) & (edge.p[1] == edge.q[1]);
  manifold.points[1].exists = select(is_point, F(0), manifold.points[1].exists);
  return manifold;
}

}  // namespace
}  // namespace widephase
