#pragma once

// Chooses at most four of many points for pairs in lanes: the rule of core/faces/four_corners.hpp
// for faces of few corners.

#include "kernels/core/faces/four_corners.hpp"

namespace widephase {
namespace {

/// Corners with the same name are one point, at the place of the deeper one.
template <class F>
WIDEPHASE_INLINE void keep_one_of_each_name(FacePoint<F> (&kept)[4]) {
  const F zero = F(0);
  for (int p = 1; p < 4; ++p) {
    for (int q = 0; q < p; ++q) {
      const auto is_one = (kept[p].exists > zero) & (kept[q].exists > zero) &
                          (kept[p].reference_feature == kept[q].reference_feature) &
                          (kept[p].incident_feature == kept[q].incident_feature);
      kept[q] = select(is_one & (kept[p].height < kept[q].height), kept[p], kept[q]);
      kept[p].exists = select(is_one, zero, kept[p].exists);
    }
  }
}

/// Twice the area of four points: the greatest over the three ways to pair them as diagonals.
template <class F>
WIDEPHASE_INLINE F area_of_four(const FacePoint<F> (&four)[4]) {
  const auto from = [&](int p, int q) __attribute__((always_inline)) {
    return Vec<F, 2>{{four[q].x - four[p].x, four[q].y - four[p].y}};
  };
  return greater(abs(cross(from(0, 2), from(1, 3))),
                 greater(abs(cross(from(0, 1), from(2, 3))), abs(cross(from(0, 3), from(1, 2)))));
}

/// Puts the deepest in the place of the corner whose loss leaves most area, or of the nearest
/// corner if there are fewer than four. The areas of the four triangles of four points add up to
/// twice the area that they span.
template <class F>
WIDEPHASE_INLINE void put_deepest(const FacePoint<F>& deepest, const MaskOf<F>& is_put,
                                  FacePoint<F> (&kept)[4]) {
  const F zero = F(0);
  Vec<F, 2> from[4];
  for (int p = 0; p < 4; ++p) from[p] = {{kept[p].x - deepest.x, kept[p].y - deepest.y}};
  const F of_01 = cross(from[0], from[1]), of_12 = cross(from[1], from[2]);
  const F of_23 = cross(from[2], from[3]), of_30 = cross(from[3], from[0]);
  const F of_02 = cross(from[0], from[2]), of_13 = cross(from[1], from[3]);
  const F by_01 = abs(of_01), by_12 = abs(of_12), by_23 = abs(of_23), by_30 = abs(of_30);
  const F by_02 = abs(of_02), by_13 = abs(of_13);
  const F areas[4] = {(by_12 + by_23) + (by_13 + abs((of_12 + of_23) - of_13)),
                      (by_23 + by_30) + (by_02 + abs((of_23 + of_30) + of_02)),
                      (by_30 + by_01) + (by_13 + abs((of_30 + of_01) + of_13)),
                      (by_01 + by_12) + (by_02 + abs((of_01 + of_12) - of_02))};
  const auto is_four = kept[3].exists > zero;
  F best = F(-kLargest<RealOf<F>>), place = zero;
  for (int p = 0; p < 4; ++p) {
    const F value = select(is_four, areas[p], negate(dot(from[p], from[p])));
    const auto is_better = (kept[p].exists > zero) & (value > best);
    best = select(is_better, value, best);
    place = select(is_better, F(static_cast<RealOf<F>>(p)), place);
  }
  for (int p = 0; p < 4; ++p) {
    const auto is_here = is_put & (place == F(static_cast<RealOf<F>>(p)));
    kept[p] = select(is_here, deepest, kept[p]);
    kept[p].exists = select(is_here, F(1), kept[p].exists);
  }
}

/// Keeps up to four of those among the first `count` corners (three or more) that exist. `deepest`
/// is one of them, or stands in if there is none. `HasTies` says whether corners of a regular
/// polygon may be among them; between two boxes' faces there are none.
template <int Most, bool HasTies, class F>
WIDEPHASE_INLINE void choose_corners(const FacePoint<F>* corners, int count,
                                     const FacePoint<F>& deepest, const LastingAxes<F>& axes,
                                     const F& least, const F& level, FacePoint<F> (&kept)[4]) {
  const F zero = F(0), one = F(1), weight = F(kOppositeWeight<RealOf<F>>);
  // All values are compared, in three chains, before the first candidate is taken: moves that each
  // depend on the one before would wait for one another.
  F values[Most];
  const auto greatest_of = [&](const F(&of)[Most]) __attribute__((always_inline)) {
    F most[3] = {of[0], of[1], of[2]};
    for (int n = 3; n < count; ++n) most[n % 3] = greater(most[n % 3], of[n]);
    return greater(greater(most[0], most[1]), most[2]);
  };
  const auto least_of = [&](const F(&of)[Most]) __attribute__((always_inline)) {
    F lowest[3] = {of[0], of[1], of[2]};
    for (int n = 3; n < count; ++n) lowest[n % 3] = lesser(lowest[n % 3], of[n]);
    return lesser(lesser(lowest[0], lowest[1]), lowest[2]);
  };
  const auto greatest_value = [&]() __attribute__((always_inline)) { return greatest_of(values); };
  const auto first_of = [&](const F& value) __attribute__((always_inline)) {
    FacePoint<F> found = corners[count - 1];
    for (int n = count - 2; n >= 0; --n) {
      found = select(values[n] == value, corners[n], found);
    }
    return found;
  };
  const auto is_one_at = [&](int n, const F(&of)[Most], const F& value)
      __attribute__((always_inline)) {
    return (corners[n].exists > zero) & (of[n] == value);
  };
  // The first one that exists, which one of them must.
  const auto first_there = [&](const F(&of)[Most], const F& value) __attribute__((always_inline)) {
    FacePoint<F> found = corners[count - 1];
    for (int n = count - 2; n >= 0; --n) {
      found = select(is_one_at(n, of, value), corners[n], found);
    }
    return found;
  };
  const F none = F(-kLargest<RealOf<F>>);
  // From the first one chosen, which has the greatest x. Those that do not exist are put there.
  F x[Most], y[Most];
  const auto position_of = [&](const FacePoint<F>& corner) __attribute__((always_inline)) {
    return Vec<F, 2>{{axes.first[0] * corner.x + axes.first[1] * corner.y,
                      axes.second[0] * corner.x + axes.second[1] * corner.y}};
  };
  const auto measure_from = [&](const FacePoint<F>& first) __attribute__((always_inline)) {
    const Vec<F, 2> from = position_of(first);
    for (int n = 0; n < count; ++n) {
      const auto is_there = corners[n].exists > zero;
      const Vec<F, 2> at = position_of(corners[n]);
      x[n] = select(is_there, at[0] - from[0], zero);
      y[n] = select(is_there, at[1] - from[1], zero);
    }
  };
  // Chooses the third and the fourth beside two.
  const auto choose_beside = [&](FacePoint<F>(&four)[4]) __attribute__((always_inline)) {
    const Vec<F, 2> from = position_of(four[0]);
    const Vec<F, 2> line = position_of(four[1]) - from;
    const F width2 = dot(line, line);
    const auto has_second = width2 > least * least;
    const F least_area = least * sqrt(width2), half = F(0.5f) * width2;
    const F lead = divide_or_zero(F(kTieTurn<RealOf<F>>), width2);
    F side[Most], turned_side[Most];
    for (int n = 0; n < count; ++n) {
      side[n] = turned_side[n] = line[0] * y[n] - line[1] * x[n];
      values[n] = abs(side[n]);
      if (HasTies) {
        // By a share of itself: in a strip nearly along the line, no corner must fall behind it.
        const F along = lead * ((line[0] * x[n] + line[1] * y[n]) - half);
        turned_side[n] = side[n] + along * abs(side[n]);
        const F size = select(side[n] > zero, turned_side[n], negate(turned_side[n]));
        values[n] = select(abs(side[n]) > least_area, size, zero);
      }
    }
    const F third = greatest_value();
    four[2] = first_of(third);
    const auto has_third = has_second & (third > (HasTies ? zero : least_area));
    const Vec<F, 2> top = position_of(four[2]) - from;
    const F turn = select(cross(line, top) < zero, negate(one), one);
    // How far a point lies beyond a side, as a linear function that is 0 on the side.
    const Vec<F, 2> right = turn * (top - line), left = turn * top;
    const F right_offset = cross(right, line);
    for (int n = 0; n < count; ++n) {
      F opposite = negate(weight * turn) * turned_side[n];
      if (HasTies) opposite = select(negate(turn * side[n]) > least_area, opposite, zero);
      const F to_right = (x[n] * right[1] - y[n] * right[0]) + right_offset;
      const F to_left = y[n] * left[0] - x[n] * left[1];
      values[n] = greater(opposite, greater(to_right, to_left));
    }
    const F fourth = greatest_value();
    four[3] = first_of(fourth);
    four[0].exists = one;
    four[1].exists = one_where<F>(has_second);
    four[2].exists = one_where<F>(has_third);
    four[3].exists = one_where<F>(has_third & (fourth > least_area));
  };

  for (int n = 0; n < count; ++n) {
    values[n] = select(corners[n].exists > zero, position_of(corners[n])[0], none);
  }
  const F farthest = greatest_value();
  const auto has_any = farthest > none;
  kept[0] = select(has_any, first_of(farthest), deepest);
  measure_from(kept[0]);
  kept[1] = select(has_any, first_there(x, least_of(x)), deepest);
  choose_beside(kept);
  // In a strip along that direction the four may be a sliver. Then takes the two farthest from the
  // line through the third and the fourth, and these two.
  const auto is_four = kept[3].exists > zero;
  if (any<F>(is_four)) {
    const Vec<F, 2> first = position_of(kept[0]), from = position_of(kept[2]) - first;
    const Vec<F, 2> line = (position_of(kept[3]) - first) - from;
    F sides[Most];
    for (int n = 0; n < count; ++n)
      sides[n] = line[0] * (y[n] - from[1]) - line[1] * (x[n] - from[0]);
    const F farthest_sides[2] = {greatest_of(sides), least_of(sides)};
    FacePoint<F> others[4] = {kept[2], kept[3]};
    // Their places are enough to see whether any lane takes them.
    for (int side = 0; side < 2; ++side) {
      FacePoint<F>& other = others[2 + side] = corners[count - 1];
      for (int n = count - 2; n >= 0; --n) {
        const auto is_it = is_one_at(n, sides, farthest_sides[side]);
        other.x = select(is_it, corners[n].x, other.x);
        other.y = select(is_it, corners[n].y, other.y);
      }
    }
    const auto is_larger =
        is_four & (area_of_four(others) > F(kLeastGain<RealOf<F>>) * area_of_four(kept));
    if (any<F>(is_larger)) {
      for (int side = 0; side < 2; ++side) {
        others[2 + side] = first_there(sides, farthest_sides[side]);
      }
      for (int p = 0; p < 4; ++p) {
        kept[p] = select(is_larger, others[p], kept[p]);
        kept[p].exists = select(is_larger, one, kept[p].exists);
      }
    }
  }

  F lowest = kept[0].height;
  for (int p = 1; p < 4; ++p) {
    lowest = select(kept[p].exists > zero, lesser(kept[p].height, lowest), lowest);
  }
  const auto is_put = (lowest > deepest.height + level) | !(kept[1].exists > zero);
  if (any<F>(is_put)) {
    put_deepest(deepest, is_put, kept);
    if (HasTies) {
      // Or the deepest first, then the one farthest from it, and two beside these.
      FacePoint<F> others[4] = {deepest};
      measure_from(deepest);
      for (int n = 0; n < count; ++n) values[n] = x[n] * x[n] + y[n] * y[n];
      others[1] = first_of(greatest_value());
      choose_beside(others);
      const auto is_larger = is_put & (others[3].exists > zero) & (kept[3].exists > zero) &
                             (area_of_four(others) > area_of_four(kept));
      for (int p = 0; p < 4; ++p) kept[p] = select(is_larger, others[p], kept[p]);
    }
  }
  if (HasTies) keep_one_of_each_name(kept);
}

/// The depths of the chosen points, from their heights. The deepest has the pair's depth, whatever
/// rounding says, unless with steadiness another may stand for it. None is below `limit`.
template <class F>
WIDEPHASE_INLINE void find_depths(const FacePoint<F> (&kept)[4], const F& depth, const F& rounding,
                                  const F& steadiness, const F& limit, F (&depths)[4]) {
  F lowest = kept[0].height;
  for (int p = 1; p < 4; ++p) {
    lowest = select(kept[p].exists > F(0), lesser(kept[p].height, lowest), lowest);
  }
  const auto is_exact = !(steadiness > F(0));
  for (int p = 0; p < 4; ++p) {
    const F own = lesser(greater(negate(kept[p].height), limit), depth);
    const auto is_deepest = is_exact & (kept[p].height <= lowest);
    depths[p] = select(is_deepest | (own >= depth - rounding), depth, own);
  }
}

}  // namespace
}  // namespace widephase
