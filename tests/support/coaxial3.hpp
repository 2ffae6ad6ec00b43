#pragma once

// Proves depths of cores that are round about one axis, or nearly: there the search over all
// directions finds an arc of equal ones, and comes to no end.
//
// Turned and moved onto A's axis, no point of B goes farther than `shift`, and so no depth changes
// by more. Then the depth depends on the angle to the axis alone, and is bounded from below between
// two angles as in direction_search.hpp.

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "support/fast_reference3.hpp"

namespace widephase::test {

/// The axis that a core is round about; length 0 if there is none, or if it is a point.
inline Vec3d round_axis(const FastShape& shape) {
  if (shape.kind == Kind::cylinder || shape.kind == Kind::cone) return shape.axes[2];
  if (shape.kind == Kind::capsule && length(shape.generators[0]) > 0) {
    return 1 / length(shape.generators[0]) * shape.generators[0];
  }
  if (shape.kind != Kind::ellipsoid) return {};
  if (shape.half.x == shape.half.y) return shape.axes[2];
  if (shape.half.y == shape.half.z) return shape.axes[0];
  return shape.half.z == shape.half.x ? shape.axes[1] : Vec3d{};
}

/// The core turned so that its axis becomes `to`, by at most a right angle.
inline FastShape turned_onto(FastShape shape, Vec3d axis, Vec3d to) {
  // v + w x v + w x (w x v) / (1 + c), for w = axis x to and c = axis.to
  const Vec3d w = cross(axis, to);
  const auto turn = [&](Vec3d v) {
    const Vec3d once = cross(w, v);
    return v + once + 1 / (1 + dot(axis, to)) * cross(w, once);
  };
  for (Vec3d& v : shape.axes) v = turn(v);
  for (Vec3d& v : shape.generators) v = turn(v);
  return shape;
}

/// Whether every direction separates two cores by at least `least`, which is more than 0. Answers
/// false too if they have no common axis, but for a shift of at most `slack`, or if it is open.
inline bool takes_at_least(const FastShape& a, const FastShape& b, double least, double slack) {
  Vec3d axis_a = round_axis(a), axis_b = round_axis(b);
  const bool is_point_a = a.kind == Kind::sphere, is_point_b = b.kind == Kind::sphere;
  if (is_point_a) axis_a = axis_b;
  if (is_point_b) axis_b = axis_a;
  if (!(length(axis_a) > 0 && length(axis_b) > 0)) return false;
  if (dot(axis_a, axis_b) < 0) axis_b = -axis_b;
  const Vec3d apart = b.center - a.center;
  const double up = dot(apart, axis_a);
  if (!(dot(axis_a, axis_b) > 0.5)) return false;
  const double tilt = is_point_b ? 0 : length(axis_b - axis_a);
  const double size = length(apart) + a.reach + b.reach;
  const double shift = length(apart - up * axis_a) + tilt * b.reach + 1e-15 * size;
  if (!(shift <= slack)) return false;
  FastShape at_a = a, at_b = is_point_b ? b : turned_onto(b, axis_b, axis_a);
  at_a.center = {};
  at_b.center = up * axis_a;
  Vec3d side = cross(axis_a, std::abs(axis_a.x) < 0.7 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0});
  side = 1 / length(side) * side;
  struct Node {
    Vec3d n, point;
    double height;
  };
  const auto node_at = [&](Vec3d n) {
    n = 1 / length(n) * n;
    const Vec3d point = at_a.farthest(n) - at_b.farthest(-n);
    return Node{n, point, dot(point, n)};
  };
  const double bound = least + shift;
  const Node top = node_at(axis_a), middle = node_at(side), bottom = node_at(-axis_a);
  std::vector<std::array<Node, 2>> open{{top, middle}, {middle, bottom}};
  for (int count = 0; !open.empty(); ++count) {
    const auto [p, q] = open.back();
    open.pop_back();
    if (count == 4000 || !(p.height >= bound && q.height >= bound)) return false;
    // The average of both points that is as high along either direction is so between them.
    const double p_at_q = dot(p.point, q.n), q_at_p = dot(q.point, p.n);
    double known = std::max(std::min(p.height, p_at_q), std::min(q.height, q_at_p));
    const double over = (p.height - q_at_p) + (q.height - p_at_q);
    const double share = over > 0 ? (q.height - q_at_p) / over : -1;
    if (share > 0 && share < 1) {
      known = std::max(known, std::min(share * p.height + (1 - share) * q_at_p,
                                       share * p_at_q + (1 - share) * q.height));
    }
    if (known >= bound) continue;
    const Node between = node_at(p.n + q.n);
    open.push_back({p, between});
    open.push_back({between, q});
  }
  return true;
}

}  // namespace widephase::test
