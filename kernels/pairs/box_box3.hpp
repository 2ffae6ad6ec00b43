#pragma once

#include "core/box_faces3.hpp"

namespace widephase {
namespace {

// box_box, aabb_box in 3D: the fifteen separating axes, then the manifold of the features that face
// each other.
// Frame: A's. Normal: A to B. Points: on A; 1 to 4 where a face is the reference, 1 between edges
// and vertices. Features: vertices, edges and faces.
// Ties of the way out go to A's faces before B's before edges, lower axes first, B leaving upwards
// first, status 1. Faces of A and B that are parallel are one direction.
// Cost: the axes about 500 operations a lane, faces about 900, edges and vertices only in batches
// that have such pairs.
template <class F, class BoxA>
struct BoxBox3 {
  using A = BoxA;
  using B = BoxLanes<F, 3>;
  static constexpr int max_points = 4;

  static WIDEPHASE_INLINE Manifold<F, 3, 4> contact(const A& a, const B& b, const F& margin) {
    const F zero = F(0);
    const BoxPair3<F> pair = pair_of(a, b);
    const F radius_a = radius_of(a);
    const F reach = radius_a + b.radius;
    const F size = size_of(pair);
    const F rounding = roundings<F>(32) * size;
    BoxAxis3<F> axis = least_overlap(pair);
    if (any<F>(axis.number >= F(6))) take_flush_face(pair, flush_share<F>() * size, axis);

    Manifold<F, 3, 4> manifold;
    manifold.normal = axis.normal;
    manifold.depth = axis.overlap;
    manifold.is_tie = select(axis.overlap < zero, zero, axis.is_tie);
    const auto is_edge = axis.number >= F(6);
    const F limit = negate(margin) - reach;  // of the cores' depth
    auto is_met = face_points(pair, axis, limit, rounding, manifold);
    const auto is_near = axis.overlap >= limit;
    if (any<F>(is_edge & is_near)) {
      is_met = select_mask<F>(is_edge, edge_point(pair, axis, is_edge, rounding, manifold), is_met);
    }
    const auto is_vertex = (axis.overlap < zero) & is_near & !is_met;
    if (any<F>(is_vertex)) vertex_point(nearest_vertex(pair), is_vertex, manifold);

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
      const Vec<F, 3> center = center_of(a);
      for (ManifoldPoint<F, 3>& point : manifold.points) point.position = point.position + center;
    }
    return manifold;
  }

 private:
  static WIDEPHASE_INLINE Vec<F, 3> center_of(const AabbLanes<F, 3>& a) {
    return F(0.5f) * a.min + F(0.5f) * a.max;
  }
  static WIDEPHASE_INLINE F radius_of(const AabbLanes<F, 3>&) { return F(0); }
  static WIDEPHASE_INLINE F radius_of(const BoxLanes<F, 3>& a) { return a.radius; }

  static WIDEPHASE_INLINE BoxPair3<F> pair_of(const AabbLanes<F, 3>& a, const B& b) {
    const Vec<F, 3> t = b.center - center_of(a);
    return {b.rotation, t, F(0.5f) * a.max - F(0.5f) * a.min, b.half_extents,
            rotate_back(b.rotation, t)};
  }
  static WIDEPHASE_INLINE BoxPair3<F> pair_of(const BoxLanes<F, 3>& a, const B& b) {
    const Vec<F, 3> apart = b.center - a.center;
    return {between(a.rotation, b.rotation), rotate_back(a.rotation, apart), a.half_extents,
            b.half_extents, rotate_back(b.rotation, apart)};
  }

  /// What coordinates round by, as a share of it.
  static WIDEPHASE_INLINE F size_of(const BoxPair3<F>& pair) {
    const auto sum = [](const Vec<F, 3>& v) { return abs(v[0]) + abs(v[1]) + abs(v[2]); };
    return sum(pair.center) + (sum(pair.half_a) + sum(pair.half_b));
  }

  /// Where an edge axis leans from a face's direction by no more than `most_rise` over the face's
  /// whole width, it is that face which touches.
  static __attribute__((noinline)) void take_flush_face(const BoxPair3<F>& pair, const F& most_rise,
                                                        BoxAxis3<F>& axis) {
    const auto take = [&](const Vec<F, 3>& normal, const Vec<F, 3>& half, int first) {
      for (int k = 0; k < 3; ++k) {
        const int u = (k + 1) % 3, v = (k + 2) % 3;
        const F rise = abs(normal[u]) * half[u] + abs(normal[v]) * half[v];
        const auto is_flush =
            (axis.number >= F(6)) & (abs(normal[k]) > F(0.9f)) & (rise <= most_rise);
        axis.number = select(is_flush, F(first + k), axis.number);
      }
    };
    take(axis.normal, pair.half_a, 0);
    take(rotate_back(pair.turn, axis.normal), pair.half_b, 3);
  }

  /// Points of the cores, on A's, where a face is the reference. Answers where what is deepest of
  /// the other box lies over the face.
  static WIDEPHASE_INLINE MaskOf<F> face_points(const BoxPair3<F>& pair, const BoxAxis3<F>& axis,
                                                const F& limit, const F& rounding,
                                                Manifold<F, 3, 4>& manifold) {
    const F zero = F(0), one = F(1);
    const auto by_a = axis.number < F(3);
    const F number = select(by_a, axis.number, lesser(axis.number - F(3), F(2)));
    // The incident box's axes as rows along the reference box's, and its centre.
    const Rotation3<F> turn = select(by_a, pair.turn, inverse(pair.turn));
    const Vec<F, 3> center = select(by_a, pair.center, -pair.center_in_b);
    const Vec<F, 3> half = select(by_a, pair.half_a, pair.half_b);
    const Vec<F, 3> incident_half = select(by_a, pair.half_b, pair.half_a);
    // The reference face looks up its box's axis or down it.
    const F up = select(by_a, sign_of(at_index(axis.normal, number)),
                        negate(sign_of(dot(axis.normal, column_at(pair.turn, number)))));
    // Seen from the face: x and y along the next axes, z out of it.
    const auto seen = [&](const Vec<F, 3>& v) __attribute__((always_inline)) {
      const auto is_0 = number == zero, is_1 = number == one;
      return Vec<F, 3>{{select(is_0, v[1], select(is_1, v[2], v[0])),
                        select(is_0, v[2], select(is_1, v[0], v[1])),
                        up * select(is_0, v[0], select(is_1, v[1], v[2]))}};
    };
    const Vec<F, 3> columns[3] = {seen(turn.column[0]), seen(turn.column[1]), seen(turn.column[2])};
    // Out of the face along the normal, which leans where the face is only flush with it.
    const Vec<F, 3> out = seen(select(by_a, axis.normal, -rotate_back(pair.turn, axis.normal)));
    const Vec<F, 3> slopes{{dot(out, columns[0]), dot(out, columns[1]), dot(out, columns[2])}};
    F most = abs(slopes[0]), incident_axis = zero;
    for (int m = 1; m < 3; ++m) {
      const auto is_more = abs(slopes[m]) > most;
      most = select(is_more, abs(slopes[m]), most);
      incident_axis = select(is_more, F(m), incident_axis);
    }
    const Rotation3<F> incident{{columns[0], columns[1], columns[2]}};
    const F slope = at_index(slopes, incident_axis);
    const F toward = negate(sign_of(slope));
    const F u_axis = next_axis(incident_axis), v_axis = next_axis(u_axis);
    const Vec<F, 3> seen_half{{at_index(half, next_axis(number)),
                               at_index(half, next_axis(next_axis(number))),
                               at_index(half, number)}};
    // Along the normal onto the face's plane: height is counted along it.
    const F by_rise = divide(one, out[2]);
    const auto flattened = [&](const Vec<F, 3>& v) __attribute__((always_inline)) {
      const F height = v[2] * by_rise;
      return Vec<F, 3>{{v[0] - height * out[0], v[1] - height * out[1], height}};
    };
    Vec<F, 3> middle = seen(center) + (toward * at_index(incident_half, incident_axis)) *
                                          column_at(incident, incident_axis);
    middle[2] = middle[2] - seen_half[2];
    const FacePair3<F> faces{
        seen_half[0],
        seen_half[1],
        flattened(middle),
        flattened(at_index(incident_half, u_axis) * column_at(incident, u_axis)),
        flattened(at_index(incident_half, v_axis) * column_at(incident, v_axis)),
        BoxFaceFeatures<F>(number, one_where<F>(up > zero)),
        BoxFaceFeatures<F>(incident_axis, one_where<F>(toward > zero))};
    FacePoint<F> corners[kFaceCandidates];
    overlap_corners(faces, corners);
    FacePoint<F> kept[4];
    reduce_corners(corners, negate(limit), kept);
    const auto is_met = (kept[0].exists > zero) & (kept[0].height <= rounding - manifold.depth);
    // The deepest point is there whatever rounding says.
    kept[0].exists = one;

    // Back to A's frame.
    const auto axis_of = [&](const F& n) __attribute__((always_inline)) {
      return select(by_a, axis_at(n), column_at(pair.turn, n));
    };
    const Vec<F, 3> x = axis_of(next_axis(number)), y = axis_of(next_axis(next_axis(number)));
    const Vec<F, 3> origin =
        select(by_a, zero_vec<F, 3>(), pair.center) + (up * seen_half[2]) * axis_of(number);
    const Vec<F, 3> outward = select(by_a, axis.normal, -axis.normal);
    for (int p = 0; p < 4; ++p) {
      const FacePoint<F>& corner = kept[p];
      const F depth = p == 0 ? manifold.depth : lesser(negate(corner.height), manifold.depth);
      const Vec<F, 3> on_reference = origin + (corner.x * x + corner.y * y);
      manifold.points[p] = {select(by_a, on_reference, on_reference + corner.height * outward),
                            depth,
                            {select(by_a, corner.reference_feature, corner.incident_feature),
                             select(by_a, corner.incident_feature, corner.reference_feature)},
                            corner.exists};
    }
    return is_met;
  }

  /// The point between edges. Answers where both are met within their ends.
  static __attribute__((noinline)) MaskOf<F> edge_point(const BoxPair3<F>& pair,
                                                        const BoxAxis3<F>& axis,
                                                        const MaskOf<F>& is_edge, const F& rounding,
                                                        Manifold<F, 3, 4>& manifold) {
    const F zero = F(0), one = F(1);
    const F number = axis.number - F(6);
    const F i = select(number >= F(6), F(2), select(number >= F(3), one, zero));
    const F j = number - F(3) * i;
    const Vec<F, 3>& n = axis.normal;
    const Vec<F, 3> n_in_b = rotate_back(pair.turn, n);
    // The edges farthest along the normal: their middles, directions and halves.
    Vec<F, 3> middle_a, middle_in_b;
    F vertex_a = zero, vertex_b = zero;  // sides as bits of the axes across the edge
    for (int k = 0; k < 3; ++k) {
      const auto is_up_a = n[k] > zero, is_up_b = n_in_b[k] < zero;
      const auto is_along_a = i == F(k), is_along_b = j == F(k);
      const F half_a = select(is_up_a, pair.half_a[k], negate(pair.half_a[k]));
      const F half_b = select(is_up_b, pair.half_b[k], negate(pair.half_b[k]));
      middle_a[k] = select(is_along_a, zero, half_a);
      middle_in_b[k] = select(is_along_b, zero, half_b);
      vertex_a = vertex_a + select(is_along_a, zero, select(is_up_a, F(1 << k), zero));
      vertex_b = vertex_b + select(is_along_b, zero, select(is_up_b, F(1 << k), zero));
    }
    const Vec<F, 3> middle_b = pair.center + rotate(pair.turn, middle_in_b);
    const Vec<F, 3> along_a = axis_at(i), along_b = column_at(pair.turn, j);
    const F half_a = at_index(pair.half_a, i), half_b = at_index(pair.half_b, j);
    // The lines' nearest points, by a triple product: its error across the edges is the rounding
    // alone, however small their angle.
    const Vec<F, 3> apart = middle_b - middle_a;
    const Vec<F, 3> across = cross(along_a, along_b);
    const F on_line = divide_or_zero(dot(cross(apart, along_b), across), dot(across, across));
    const F s_first = clamp(on_line, negate(half_a), half_a);
    const F cosine = dot(along_a, along_b);
    const F t = clamp(s_first * cosine - dot(apart, along_b), negate(half_b), half_b);
    const F s = clamp(t * cosine + dot(apart, along_a), negate(half_a), half_a);
    const Vec<F, 3> on_a = middle_a + s * along_a, on_b = middle_b + t * along_b;
    const Vec<F, 3> way = on_b - on_a;
    const Vec<F, 3> astray = way - dot(way, n) * n;
    const auto is_met = dot(astray, astray) <= rounding * rounding;
    manifold.points[0] = select(is_edge,
                                ManifoldPoint<F, 3>{on_a,
                                                    manifold.depth,
                                                    {box_feature<F, 3>(vertex_a, F(2), i),
                                                     box_feature<F, 3>(vertex_b, F(2), j)},
                                                    one},
                                manifold.points[0]);
    for (int p = 1; p < 4; ++p) {
      manifold.points[p].exists = select(is_edge, zero, manifold.points[p].exists);
    }
    return is_met;
  }

  /// The point at a vertex that is nearest to the other box's edge or vertex.
  static WIDEPHASE_INLINE void vertex_point(const NearestVertex3<F>& nearest,
                                            const MaskOf<F>& is_vertex,
                                            Manifold<F, 3, 4>& manifold) {
    const F zero = F(0);
    const F distance = sqrt(nearest.distance2);
    manifold.normal =
        select(is_vertex, direction_or(nearest.way, distance, manifold.normal), manifold.normal);
    manifold.depth = select(is_vertex, negate(distance), manifold.depth);
    manifold.points[0] =
        select(is_vertex, ManifoldPoint<F, 3>{nearest.on_a, manifold.depth, nearest.feature, F(1)},
               manifold.points[0]);
    for (int p = 1; p < 4; ++p) {
      manifold.points[p].exists = select(is_vertex, zero, manifold.points[p].exists);
    }
  }
};

}  // namespace
}  // namespace widephase
