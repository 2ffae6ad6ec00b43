#pragma once

// Two boxes in 3D whose exit is not a face. The contact point lies between two edges, or at a
// vertex that is nearest to the other box's edge or vertex. It may come in addition to the corners
// of their faces.

#include "kernels/core/box/box_axes3.hpp"
#include "kernels/core/round/segment_box3.hpp"

namespace widephase {
namespace {

/// Finds the point between two edges. Returns where it lies within the ends of both.
template <class F>
__attribute__((noinline)) MaskOf<F> edge_point(const BoxPair3<F>& pair, const BoxAxis3<F>& axis,
                                               const F& rounding, ManifoldPoint<F, 3>& point) {
  const F zero = F(0);
  const auto [i, j] = crossed_axes(axis.number);
  const Vec<F, 3>& n = axis.normal;
  const Vec<F, 3> n_in_b = rotate_back(pair.turn, n);
  // The support edges along the normal: their middles, directions and half lengths.
  Vec<F, 3> middle_a, middle_in_b;
  F vertex_a = zero, vertex_b = zero;  // the sides of the axes across the edge, as bits
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
  // The lines' nearest points, by a triple product. Across the edges its error is only the
  // rounding, however small their angle.
  const Vec<F, 3> apart = middle_b - middle_a;
  const Vec<F, 3> across = cross(along_a, along_b);
  const F on_line = divide_or_zero(dot(cross(apart, along_b), across), dot(across, across));
  const F s_first = clamp(on_line, negate(half_a), half_a);
  const F cosine = dot(along_a, along_b);
  const F t = clamp(s_first * cosine - dot(apart, along_b), negate(half_b), half_b);
  const F s = clamp(t * cosine + dot(apart, along_a), negate(half_a), half_a);
  const Vec<F, 3> on_a = middle_a + s * along_a, on_b = middle_b + t * along_b;
  const Vec<F, 3> gap = on_b - on_a;
  const Vec<F, 3> astray = gap - dot(gap, n) * n;
  const auto is_met = dot(astray, astray) <= rounding * rounding;
  const FeaturePair<F> feature{box_feature<F, 3>(vertex_a, F(2), i),
                               box_feature<F, 3>(vertex_b, F(2), j)};
  point = {on_a, axis.overlap, feature, F(1)};
  return is_met;
}

/// The nearest points of two boxes that are apart, if one of them is a vertex or both are on edges.
template <class F>
struct NearestOfBoxes3 {
  F distance;
  Vec<F, 3> normal;  ///< A to B, in A's frame
  F separation;      ///< along the normal: the distance, except for the rounding of the normal
  Vec<F, 3> on_a;
  FeaturePair<F> feature;
};

/// The separation of the boxes along a direction from A to B.
template <class F>
WIDEPHASE_INLINE F separation_along(const BoxPair3<F>& pair, const Vec<F, 3>& gap,
                                    const F& length) {
  const Vec<F, 3> across = rotate_back(pair.turn, gap);
  return divide_or_zero(
      dot(gap, pair.center) - (reach_along(gap, pair.half_a) + reach_along(across, pair.half_b)),
      length);
}

/// Takes a gap as the normal if the boxes are farther apart along it.
template <class F>
WIDEPHASE_INLINE void consider_gap(const BoxPair3<F>& pair, const Vec<F, 3>& gap,
                                   NearestOfBoxes3<F>& nearest) {
  const F size = length(gap);
  const F separation = separation_along(pair, gap, size);
  const auto is_better = (size > F(0)) & (separation > nearest.separation);
  nearest.normal = select(is_better, direction_or(gap, size, gap), nearest.normal);
  nearest.separation = select(is_better, separation, nearest.separation);
}

/// Takes B's edge nearest to A if it is nearer than what was found. For two nearly parallel edges,
/// rounding hides which axis separates them, and whether they meet within their ends.
template <class F>
__attribute__((noinline)) void take_nearest_edge(const BoxPair3<F>& pair, const F& rounding,
                                                 const MaskOf<F>& is_wanted,
                                                 NearestOfBoxes3<F>& nearest) {
  const F zero = F(0), one = F(1), two = F(2);
  const Vec<F, 3>& half = pair.half_a;
  Vec<F, 3> nearest_at, nearest_gap;
  F nearest2 = F(kLargest<RealOf<F>>), nearest_t = zero, nearest_edge = zero;
  for (int j = 0; j < 3; ++j) {
    const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
    const Vec<F, 3> along = (two * pair.half_b[j]) * pair.turn.column[j];
    const Vec<F, 3> inverse = each_axis<F, 3>([&](int k) { return divide_or_zero(one, along[k]); });
    for (int side = 0; side < 4; ++side) {
      const F up1 = F((side & 1) != 0 ? 1 : -1), up2 = F((side & 2) != 0 ? 1 : -1);
      const Vec<F, 3> middle = pair.center + ((up1 * pair.half_b[j1]) * pair.turn.column[j1] +
                                              (up2 * pair.half_b[j2]) * pair.turn.column[j2]);
      const Vec<F, 3> start = middle - F(0.5f) * along, end = middle + F(0.5f) * along;
      const Vec<F, 3> at_min =
          each_axis<F, 3>([&](int k) { return (negate(half[k]) - start[k]) * inverse[k]; });
      const Vec<F, 3> at_max =
          each_axis<F, 3>([&](int k) { return (half[k] - start[k]) * inverse[k]; });
      const F t = nearest_to_box(start, end, along, -half, half, at_min, at_max);
      const Vec<F, 3> at = point_at(start, end, t);
      const Vec<F, 3> gap =
          each_axis<F, 3>([&](int k) { return at[k] - clamp(at[k], negate(half[k]), half[k]); });
      const F distance2 = dot(gap, gap);
      const auto is_nearer = distance2 < nearest2;
      nearest2 = select(is_nearer, distance2, nearest2);
      nearest_at = select(is_nearer, at, nearest_at);
      nearest_gap = select(is_nearer, gap, nearest_gap);
      nearest_t = select(is_nearer, t, nearest_t);
      nearest_edge = select(is_nearer, F(4 * j + side), nearest_edge);
    }
  }
  const F distance = sqrt(nearest2);
  const auto is_nearer = is_wanted & (distance < nearest.distance - rounding);
  if (!any<F>(is_nearer)) return;
  // The edge's axis, and the sides of the axes across it as bits.
  const F j = select(nearest_edge >= F(8), two, select(nearest_edge >= F(4), one, zero));
  const F side = nearest_edge - F(4) * j;
  const F up2 = one_where<F>(side >= two), up1 = side - two * up2;
  const auto weight = [&](const F& axis) { return select(axis == zero, one, axis + axis); };
  const F sides = up1 * weight(next_axis(j)) + up2 * weight(next_axis(next_axis(j)));
  const auto is_end = (nearest_t <= zero) | (nearest_t >= one);
  const F end = vertex_feature(sides + select(nearest_t >= one, weight(j), zero));
  const FeaturePair<F> feature{outer_feature(-nearest_gap),
                               select(is_end, end, box_feature<F, 3>(sides, F(2), j))};
  nearest.distance = select(is_nearer, distance, nearest.distance);
  nearest.on_a = select(is_nearer, nearest_at - nearest_gap, nearest.on_a);
  nearest.feature = select(is_nearer, feature, nearest.feature);
  NearestOfBoxes3<F> better = nearest;
  consider_gap(pair, nearest_gap, better);
  // Try the direction perpendicular to both edges, if A's nearest feature can be an edge.
  for (int i = 0; i < 3; ++i) {
    const Vec<F, 3> across = cross(axis_at(F(i)), column_at(pair.turn, j));
    const Vec<F, 3> toward = select(dot(across, nearest_gap) < zero, -across, across);
    const auto is_along = (nearest_gap[i] == zero) & (dot(across, across) > parallel_sin2<F>());
    consider_gap(pair, select(is_along, toward, nearest_gap), better);
  }
  nearest.normal = select(is_nearer, better.normal, nearest.normal);
  nearest.separation = select(is_nearer, better.separation, nearest.separation);
}

/// For boxes whose cores are apart, if the face or edges of the axis do not meet.
template <class F>
__attribute__((noinline)) NearestOfBoxes3<F> nearest_vertex(const BoxPair3<F>& pair,
                                                           const BoxAxis3<F>& axis,
                                                           const F& rounding,
                                                           const MaskOf<F>& is_wanted) {
  // Tests one box's vertices, in the other box's frame, against that other box.
  struct Found {
    Vec<F, 3> at;
    Vec<F, 3> gap;  ///< from the box to the vertex
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
      const Vec<F, 3> gap =
          each_axis<F, 3>([&](int k) { return at[k] - clamp(at[k], negate(half[k]), half[k]); });
      const F distance2 = dot(gap, gap);
      if (v == 0) {
        found = {at, gap, distance2, F(0)};
        continue;
      }
      const auto is_nearer = distance2 < found.distance2;
      found.at = select(is_nearer, at, found.at);
      found.gap = select(is_nearer, gap, found.gap);
      found.distance2 = select(is_nearer, distance2, found.distance2);
      found.vertex = select(is_nearer, F(v), found.vertex);
    }
    return found;
  };
  const Rotation3<F>& r = pair.turn;
  const Found of_b = search(pair.center, r, pair.half_b, pair.half_a);
  const Found of_a = search(-pair.center_in_b, inverse(r), pair.half_a, pair.half_b);
  // If a vertex is nearest to the very end of an edge, both searches find the same distance except
  // for rounding. Only the gap perpendicular to the edge is right; along it the boxes are farther
  // apart.
  const Vec<F, 3> gap_of_a = -rotate(r, of_a.gap), gap_of_b = of_b.gap;
  const F distance_a = sqrt(of_a.distance2), distance_b = sqrt(of_b.distance2);
  const F separation_a = separation_along(pair, gap_of_a, distance_a);
  const F separation_b = separation_along(pair, gap_of_b, distance_b);
  const auto is_of_a = select_mask<F>(abs(distance_a - distance_b) <= rounding,
                                      separation_a > separation_b, distance_a < distance_b);
  const F distance = select(is_of_a, distance_a, distance_b);
  NearestOfBoxes3<F> nearest{
      distance,
      direction_or(select(is_of_a, gap_of_a, gap_of_b), distance, axis.normal),
      select(is_of_a, separation_a, separation_b),
      select(is_of_a, pair.center + rotate(r, of_a.at), of_b.at - of_b.gap),
      {select(is_of_a, vertex_feature(of_a.vertex), outer_feature(-of_b.gap)),
       select(is_of_a, outer_feature(-of_a.gap), vertex_feature(of_b.vertex))}};

  // Every direction's separation is at most the distance, and the gap of the nearest points has
  // exactly that. If it falls short, there are two cases. The points are so near that their gap has
  // lost its direction; the other vertex's gap or an axis then has it. Or other points are nearer.
  const auto is_short = [&] {
    return is_wanted & (nearest.separation < nearest.distance - rounding);
  };
  if (!any<F>(is_short())) return nearest;
  // A component that adds less than rounding to the gap's length may come from rounding at an end.
  const F least2 = (rounding + rounding) * nearest.distance;
  const auto without_least = [&](const Vec<F, 3>& gap) {
    return each_axis<F, 3>([&](int k) { return select(gap[k] * gap[k] <= least2, F(0), gap[k]); });
  };
  NearestOfBoxes3<F> better = nearest;
  consider_gap(pair, gap_of_a, better);
  consider_gap(pair, gap_of_b, better);
  consider_gap(pair, -rotate(r, without_least(of_a.gap)), better);
  consider_gap(pair, without_least(gap_of_b), better);
  // The points lie beside the axis unless it is their own direction.
  const auto is_axis_better = negate(axis.overlap) > better.separation + rounding;
  better.normal = select(is_axis_better, axis.normal, better.normal);
  better.separation = select(is_axis_better, negate(axis.overlap), better.separation);
  const auto was_short = is_short();
  nearest.normal = select(was_short, better.normal, nearest.normal);
  nearest.separation = select(was_short, better.separation, nearest.separation);
  const auto stays_short = is_short();
  if (any<F>(stays_short)) take_nearest_edge(pair, rounding, stays_short, nearest);
  return nearest;
}

/// Takes the vertex nearest to the other box's edge or vertex as the point, and the gap to it.
template <class F>
WIDEPHASE_INLINE void vertex_point(const NearestOfBoxes3<F>& nearest, const MaskOf<F>& is_vertex,
                                   BoxAxis3<F>& axis, ManifoldPoint<F, 3>& point) {
  axis.normal = select(is_vertex, nearest.normal, axis.normal);
  axis.overlap = select(is_vertex, negate(nearest.distance), axis.overlap);
  axis.is_tie = select(is_vertex, F(0), axis.is_tie);
  axis.number = select(is_vertex, F(6), axis.number);
  point = select(is_vertex, {nearest.on_a, axis.overlap, nearest.feature, F(1)}, point);
}

}  // namespace
}  // namespace widephase
