#pragma once

// Two sharp boxes: along each of the fifteen axes of their faces and pairs of edges the overlap of
// their shadows is a stretch of t (Gottschalk, Lin and Manocha, OBBTree, 1996, with motion as in
// Eberly, Dynamic Collision Detection using Oriented Bounding Boxes, 1999). They meet at the
// largest entry, if it is not behind the least exit. Any axis bounds t from below, so an axis that
// rounding has bent makes t early, never late. Normal: A to B, the axis of the largest entry; ties
// go to A's faces before B's before edges, the lowest first. Cost: 15 divisions per lane.

#include "kernels/casts/convex_cast.hpp"

namespace widephase {
namespace {

/// The least squared length of an axis between edges that counts.
inline constexpr double kLeastEdgeAxis = 1e-24;

/// Numbers of boxes in lanes, as they are gathered.
struct BoxLanesOfCasts {
  using F = Batch<double>;
  static constexpr int lanes = LaneTraits<F>::count;
  alignas(64) double axis[2][9][lanes];  ///< unit axes of A and B
  alignas(64) double half[2][3][lanes];
  alignas(64) double apart[3][lanes];  ///< from A's middle to B's
  alignas(64) double along[3][lanes];
  alignas(64) double end[lanes];  ///< what rounding leaves of a way
  alignas(64) double t[lanes];
  alignas(64) double normal[3][lanes];
  unsigned is_met, is_start;

  template <class S>
  void put(int lane, const CastCore<S>& a, const CastCore<S>& b, const CastWay& way) {
    const CastCore<S>* const sides[2] = {&a, &b};
    for (int side = 0; side < 2; ++side) {
      for (int k = 0; k < 3; ++k) {
        for (int j = 0; j < 3; ++j) axis[side][3 * k + j][lane] = sides[side]->turn[k][j];
        half[side][k][lane] = sides[side]->half[k];
      }
    }
    const Vector from = b.middle - a.middle;
    for (int k = 0; k < 3; ++k) {
      apart[k][lane] = from[k];
      along[k][lane] = way.along[k];
    }
    end[lane] = kCastEnd * (a.reach + b.reach) + kCastRounding * size_of(from);
  }
  void repeat(int from, int lane) {
    for (int side = 0; side < 2; ++side) {
      for (int k = 0; k < 9; ++k) axis[side][k][lane] = axis[side][k][from];
      for (int k = 0; k < 3; ++k) half[side][k][lane] = half[side][k][from];
    }
    for (int k = 0; k < 3; ++k) {
      apart[k][lane] = apart[k][from];
      along[k][lane] = along[k][from];
    }
    end[lane] = end[from];
  }
};

/// Finds t, without regard to where the ways end.
__attribute__((noinline)) void cast_boxes(BoxLanesOfCasts& boxes) {
  using F = Batch<double>;
  const F zero(0), one(1);
  Vec<F, 3> axis[2][3], half[2];
  for (int side = 0; side < 2; ++side) {
    for (int k = 0; k < 3; ++k) {
      axis[side][k] = {{load(boxes.axis[side][3 * k]), load(boxes.axis[side][3 * k + 1]),
                        load(boxes.axis[side][3 * k + 2])}};
      half[side][k] = load(boxes.half[side][k]);
    }
  }
  const Vec<F, 3> apart{{load(boxes.apart[0]), load(boxes.apart[1]), load(boxes.apart[2])}};
  const Vec<F, 3> along{{load(boxes.along[0]), load(boxes.along[1]), load(boxes.along[2])}};
  const F end = load(boxes.end);
  F enter = F(-__builtin_inf()), leave = F(__builtin_inf());
  auto is_met = zero <= zero, is_start = zero <= zero;
  Vec<F, 3> normal = axis[0][0];
  const auto ask = [&](const Vec<F, 3>& line, const MaskOf<F>& is_axis) {
    const F from = dot(line, apart), speed = dot(line, along);
    F reach = zero;
    for (int side = 0; side < 2; ++side) {
      for (int k = 0; k < 3; ++k) reach = reach + half[side][k] * abs(dot(line, axis[side][k]));
    }
    const F wide = reach + end * coordinate_size(line);
    const auto is_level = speed == zero, is_up = speed > zero;
    const auto is_over = abs(from) <= wide;
    const F divisor = select(is_level, one, speed);
    const F near = select(is_up, negate(reach), reach), far = select(is_up, wide, negate(wide));
    const F in = divide(near - from, divisor), out = divide(far - from, divisor);
    is_start = is_start & (is_over | !is_axis);
    is_met = is_met & (is_over | !is_level | !is_axis);
    const auto is_later = is_axis & (!is_level) & (in > enter);
    enter = select(is_later, in, enter);
    normal = select(is_later, select(is_up, -line, line), normal);
    leave = select(is_axis & (!is_level) & (out < leave), out, leave);
  };
  const auto all = zero <= zero;
  for (int side = 0; side < 2; ++side) {
    for (int k = 0; k < 3; ++k) ask(axis[side][k], all);
  }
  for (int k = 0; k < 3; ++k) {
    for (int j = 0; j < 3; ++j) {
      const Vec<F, 3> line = cross(axis[0][k], axis[1][j]);
      ask(line, dot(line, line) > F(kLeastEdgeAxis));
    }
  }
  is_met = is_start | (is_met & (enter <= leave) & (leave >= zero));
  store(boxes.t, select(is_start | (enter < zero), zero, enter));
  for (int k = 0; k < 3; ++k) store(boxes.normal[k], normal[k]);
  boxes.is_met = mask_bits(is_met);
  boxes.is_start = mask_bits(is_start);
}

/// The answer of a lane. Its points are measured later.
WIDEPHASE_INLINE ConvexMeet boxes_meet(const BoxLanesOfCasts& boxes, int lane, const CastWay& way) {
  ConvexMeet meet;
  if (((boxes.is_met >> lane) & 1) == 0) return meet;
  meet.is_start = ((boxes.is_start >> lane) & 1) != 0;
  meet.t = boxes.t[lane];
  meet.normal =
      unit_of(Vector{{boxes.normal[0][lane], boxes.normal[1][lane], boxes.normal[2][lane]}});
  meet.has_points = false;
  if (!meet.is_start && meet.t > way.most) {
    // What is left of the way is less than its rounding.
    const double left = (meet.t - way.most) * magnitude(dot(meet.normal, way.along));
    if (!(left <= boxes.end[lane])) return {};
    meet.t = way.most;
  }
  if (!(meet.t <= way.enough)) return {};
  meet.is_met = true;
  return meet;
}

}  // namespace
}  // namespace widephase
