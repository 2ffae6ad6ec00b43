#pragma once

// Which of the corners of an overlap of two faces are a contact's points: at most four, pairs in lanes.
//
// A body at rest trembles, and the same four must be chosen all the same. So no choice begins with the
// deepest corner, which trembling decides, nor at an angle at which usual shapes have ties:
//
// 1. the two extremes along a direction of one body's own face: a diagonal of its axes, where boxes have
//    their corners, turned by 0.14 rad;
// 2. the corner farthest from the line through them, measured a little turned, so that of two as far
//    the same one is taken;
// 3. the corner that adds most area to these three, where what lies beyond the line counts 1.75 times;
// 4. the deepest in the place of the one nearest to it, unless one of the four is as deep but for a
//    rounding or the steadiness.
//
// The first three steps hold the centroid of all corners within the four. For let the extremes be
// (0, 0) and (L, 0) (a shear, which keeps centroids, makes the direction theirs), and the third (x, h).
// What lies beyond the side from the second to the third is within a triangle of width L - x and height
// h, whose moment about that side is at most that of the three times ((L - x) / L)^2; and what lies
// beyond the first side by less than h / sqrt(3) weighs less about it than the three do. For deeper
// ones the fourth corner is there, since no corner on the other sides adds 1.75 times as much.

#include "core/manifold.hpp"

namespace widephase {
namespace {

/// A point of the overlap of two faces.
template <class F>
struct FacePoint {
  F x, y;
  F height;  ///< of the incident face above the reference face
  F reference_feature, incident_feature;
  F exists;
};
template <class F>
WIDEPHASE_INLINE FacePoint<F> select(const MaskOf<F>& mask, const FacePoint<F>& yes,
                                     const FacePoint<F>& no) {
  return {select(mask, yes.x, no.x),
          select(mask, yes.y, no.y),
          select(mask, yes.height, no.height),
          select(mask, yes.reference_feature, no.reference_feature),
          select(mask, yes.incident_feature, no.incident_feature),
          select(mask, yes.exists, no.exists)};
}

/// Corners within this share of the smaller body's face are one.
template <class F>
inline constexpr RealOf<F> kOneCornerShare = static_cast<RealOf<F>>(1e-4);

/// The directions by which corners are chosen, as seen on the plane in which these lie.
template <class F>
struct LastingAxes {
  Vec<F, 2> first, second;

  /// The diagonals of a face's own axes, turned by 0.14 rad.
  static WIDEPHASE_INLINE LastingAxes turned(const Vec<F, 2>& x, const Vec<F, 2>& y) {
    const F cosine = F(static_cast<RealOf<F>>(0.601516563128517));
    const F sine = F(static_cast<RealOf<F>>(0.7988603283941799));
    return {cosine * x + sine * y, cosine * y - sine * x};
  }
};

/// One name is one point, at the deeper one's place.
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

/// Of the first `count` corners that exist, of three or more, up to four; `deepest` is one of them, or
/// what stands where there is none. `HasTies` says whether corners of a regular polygon may be among them,
/// as of no two boxes' faces.
template <int Most, bool HasTies, class F>
WIDEPHASE_INLINE void choose_corners(const FacePoint<F>* corners, int count,
                                     const FacePoint<F>& deepest, const LastingAxes<F>& axes,
                                     const F& least, const F& level, FacePoint<F> (&kept)[4]) {
  const F zero = F(0), one = F(1), weight = F(1.75f);
  // All values are compared, in three chains, before the first candidate of one is taken: moves
  // that each decide on the next would wait for one another.
  F values[Most];
  const auto greatest_value = [&]() __attribute__((always_inline)) {
    F most[3] = {values[0], values[1], values[2]};
    for (int n = 3; n < count; ++n) most[n % 3] = greater(most[n % 3], values[n]);
    return greater(greater(most[0], most[1]), most[2]);
  };
  const auto first_of = [&](const F& value) __attribute__((always_inline)) {
    FacePoint<F> found = corners[count - 1];
    for (int n = count - 2; n >= 0; --n) {
      found = select(values[n] == value, corners[n], found);
    }
    return found;
  };
  const F none = F(-kLargest<RealOf<F>>);
  F x[Most], y[Most];
  const auto place_of = [&](const FacePoint<F>& corner) __attribute__((always_inline)) {
    return Vec<F, 2>{{axes.first[0] * corner.x + axes.first[1] * corner.y,
                      axes.second[0] * corner.x + axes.second[1] * corner.y}};
  };
  for (int n = 0; n < count; ++n) {
    const Vec<F, 2> at = place_of(corners[n]);
    x[n] = at[0];
    y[n] = at[1];
    values[n] = select(corners[n].exists > zero, x[n], none);
  }
  const F farthest = greatest_value();
  const auto has_any = farthest > none;
  kept[0] = select(has_any, first_of(farthest), deepest);
  // From the first on; what does not exist is there itself.
  const Vec<F, 2> from = place_of(kept[0]);
  for (int n = 0; n < count; ++n) {
    const auto is_there = corners[n].exists > zero;
    x[n] = select(is_there, x[n] - from[0], zero);
    y[n] = select(is_there, y[n] - from[1], zero);
    values[n] = select(is_there, negate(x[n]), none);
  }
  kept[1] = select(has_any, first_of(greatest_value()), deepest);
  const Vec<F, 2> way = place_of(kept[1]) - from;
  const F width2 = dot(way, way);
  const auto has_second = width2 > least * least;
  const F least_area = least * sqrt(width2), half = F(0.5f) * width2;
  const F lead = divide_or_zero(F(0.1f), width2);
  F side[Most], turned_side[Most];
  for (int n = 0; n < count; ++n) {
    side[n] = turned_side[n] = way[0] * y[n] - way[1] * x[n];
    values[n] = abs(side[n]);
    if (HasTies) {
      // By a share of itself: of a strip all but along the line no corner must fall behind it.
      const F along = lead * ((way[0] * x[n] + way[1] * y[n]) - half);
      turned_side[n] = side[n] + along * abs(side[n]);
      const F size = select(side[n] > zero, turned_side[n], negate(turned_side[n]));
      values[n] = select(abs(side[n]) > least_area, size, zero);
    }
  }
  const F third = greatest_value();
  kept[2] = first_of(third);
  const auto has_third = has_second & (third > (HasTies ? zero : least_area));
  const Vec<F, 2> top = place_of(kept[2]) - from;
  const F turn = select(cross(way, top) < zero, negate(one), one);
  // What lies beyond a side, as a linear function: 0 on it.
  const Vec<F, 2> right = turn * (top - way), left = turn * top;
  const F right_offset = cross(right, way);
  for (int n = 0; n < count; ++n) {
    F opposite = negate(weight * turn) * turned_side[n];
    if (HasTies) opposite = select(negate(turn * side[n]) > least_area, opposite, zero);
    const F to_right = (x[n] * right[1] - y[n] * right[0]) + right_offset;
    const F to_left = y[n] * left[0] - x[n] * left[1];
    values[n] = greater(opposite, greater(to_right, to_left));
  }
  const F fourth = greatest_value();
  kept[3] = first_of(fourth);
  const auto has_fourth = has_third & (fourth > least_area);
  kept[0].exists = one;
  kept[1].exists = one_where<F>(has_second);
  kept[2].exists = one_where<F>(has_third);
  kept[3].exists = one_where<F>(has_fourth);
  // The deepest, in the place of the nearest.
  F lowest = kept[0].height, nearest2 = F(kLargest<RealOf<F>>), place = zero;
  for (int p = 0; p < 4; ++p) {
    const auto is_there = kept[p].exists > zero;
    const Vec<F, 2> off{{deepest.x - kept[p].x, deepest.y - kept[p].y}};
    const F distance2 = dot(off, off);
    lowest = select(is_there, lesser(kept[p].height, lowest), lowest);
    const auto is_nearer = is_there & (distance2 < nearest2);
    nearest2 = select(is_nearer, distance2, nearest2);
    place = select(is_nearer, F(static_cast<RealOf<F>>(p)), place);
  }
  const auto is_put = (lowest > deepest.height + level) | !has_second;
  for (int p = 0; p < 4; ++p) {
    const auto is_here = is_put & (place == F(static_cast<RealOf<F>>(p)));
    kept[p] = select(is_here, deepest, kept[p]);
    kept[p].exists = select(is_here, one, kept[p].exists);
  }
  if (HasTies) keep_one_of_each_name(kept);
}

/// The depths of the points that are chosen, by their heights: the deepest has the pair's, whatever
/// rounding says, but where with steadiness another may stand for it. None is below `limit`.
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
