#pragma once

// Two boxes in space where neither has a face that touches: the point between two edges, or at a
// vertex that is nearest to the other box's edge or vertex.

#include "core/box_axes3.hpp"

namespace widephase {
namespace {

/// The point between edges. Answers where both are met within their ends.
template <class F>
__attribute__((noinline)) MaskOf<F> edge_point(const BoxPair3<F>& pair, const BoxAxis3<F>& axis,
                                               const F& rounding, ManifoldPoint<F, 3>& point) {
  const F zero = F(0);
  const auto [i, j] = crossed_axes(axis.number);
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
  const FeaturePair<F> feature{box_feature<F, 3>(vertex_a, F(2), i),
                               box_feature<F, 3>(vertex_b, F(2), j)};
  point = {on_a, axis.overlap, feature, F(1)};
  return is_met;
}

/// A vertex of one box and the other box's point nearest to it.
template <class F>
struct NearestVertex3 {
  Vec<F, 3> way;  ///< from A's point to B's, in A's frame
  F distance2;
  Vec<F, 3> on_a;
  FeaturePair<F> feature;
};

/// Of boxes whose cores are apart.
template <class F>
__attribute__((noinline)) NearestVertex3<F> nearest_vertex(const BoxPair3<F>& pair) {
  // A box's vertices, in the other box's frame, against that box.
  struct Found {
    Vec<F, 3> at;
    Vec<F, 3> way;  ///< from the box to the vertex
    F distance2;
    F vertex;
  };
  const auto search = [](const Vec<F, 3>& center, const Rotation3<F>& turn, const Vec<F, 3>& size,
                         const Vec<F, 3>& half) {
    Found found;
    for (int v = 0; v < 8; ++v) {
      const auto side = [&](int k) {
        const Vec<F, 3> up = size[k] * turn.column[k];
        return (v >> k & 1) != 0 ? up : -up;
      };
      const Vec<F, 3> at = center + ((side(0) + side(1)) + side(2));
      const Vec<F, 3> way =
          each_axis<F, 3>([&](int k) { return at[k] - clamp(at[k], negate(half[k]), half[k]); });
      const F distance2 = dot(way, way);
      if (v == 0) {
        found = {at, way, distance2, F(0)};
        continue;
      }
      const auto is_nearer = distance2 < found.distance2;
      found.at = select(is_nearer, at, found.at);
      found.way = select(is_nearer, way, found.way);
      found.distance2 = select(is_nearer, distance2, found.distance2);
      found.vertex = select(is_nearer, F(v), found.vertex);
    }
    return found;
  };
  const Rotation3<F>& r = pair.turn;
  const Found of_b = search(pair.center, r, pair.half_b, pair.half_a);
  const Found of_a = search(-pair.center_in_b, inverse(r), pair.half_a, pair.half_b);
  // Where a vertex is nearest to an edge's very end, both searches find the same distance but for
  // rounding, and only the way that is perpendicular to the edge is right: the one along which the
  // boxes are farther apart.
  const auto separation = [&](const Vec<F, 3>& way, const F& distance2) {
    const Vec<F, 3> across = rotate_back(r, way);
    return divide_or_zero(
        dot(way, pair.center) - (reach_along(way, pair.half_a) + reach_along(across, pair.half_b)),
        sqrt(distance2));
  };
  const Vec<F, 3> way_of_a = -rotate(r, of_a.way);
  const auto is_of_a = separation(way_of_a, of_a.distance2) > separation(of_b.way, of_b.distance2);
  return {select(is_of_a, way_of_a, of_b.way),
          select(is_of_a, of_a.distance2, of_b.distance2),
          select(is_of_a, pair.center + rotate(r, of_a.at), of_b.at - of_b.way),
          {select(is_of_a, vertex_feature(of_a.vertex), outer_feature(-of_b.way)),
           select(is_of_a, outer_feature(-of_a.way), vertex_feature(of_b.vertex))}};
}

/// The point at a vertex that is nearest to the other box's edge or vertex, and the way there.
template <class F>
WIDEPHASE_INLINE void vertex_point(const NearestVertex3<F>& nearest, const MaskOf<F>& is_vertex,
                                   BoxAxis3<F>& axis, ManifoldPoint<F, 3>& point) {
  const F distance = sqrt(nearest.distance2);
  axis.normal = select(is_vertex, direction_or(nearest.way, distance, axis.normal), axis.normal);
  axis.overlap = select(is_vertex, negate(distance), axis.overlap);
  axis.is_tie = select(is_vertex, F(0), axis.is_tie);
  axis.number = select(is_vertex, F(6), axis.number);
  point = select(is_vertex, {nearest.on_a, axis.overlap, nearest.feature, F(1)}, point);
}

}  // namespace
}  // namespace widephase
