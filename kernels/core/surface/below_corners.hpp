#pragma once

// Whether part of a core is straight below a vertex, an edge or part of a triangle: told at once
// where that is clear, else GJK must.

#include "kernels/core/surface/listed_triangles.hpp"
#include "kernels/lanes/vec.hpp"

namespace widephase {
namespace {

/// Where a box is on vertical lines, and how it is seen along directions of its own.
struct BoxColumns {
  static constexpr int kDirections = 8;
  Vector axis[3];
  double half2[3], half[3], inverse[3];  ///< of an axis; inverse 0: it is level
  /// The axes, and what is level across each; the last ones are zero. How far the box reaches along
  /// them, and their lengths.
  alignas(64) double direction[3][kDirections], reach[kDirections], length[kDirections];

  template <class T>
  explicit BoxColumns(const ConvexShape<T>& core) {
    if (core.form != CoreForm::box) return;
    using F = Batch<double>;
    for (int k = 0; k < 3; ++k) {
      axis[k] = widened(core.axis[k]);
      half2[k] = dot(axis[k], axis[k]);
      half[k] = root(half2[k]);
      const double rise2 = axis[k][2] * axis[k][2];
      inverse[k] = rise2 > 1e-12 * half2[k] ? 1 / axis[k][2] : 0;
      const double level[3] = {0 - axis[k][1], axis[k][0], 0};
      for (int j = 0; j < 3; ++j) {
        direction[j][2 * k] = axis[k][j];
        direction[j][2 * k + 1] = level[j];
        if (k < 2) direction[j][6 + k] = 0;
      }
    }
    for (int first = 0; first < kDirections; first += LaneTraits<F>::count) {
      const Vec<F, 3> u = load_direction(first);
      store(reach + first, reach_along(u));
      store(length + first, sqrt(dot(u, u)));
    }
  }
  Vec<Batch<double>, 3> load_direction(int first) const {
    return {{load(direction[0] + first), load(direction[1] + first), load(direction[2] + first)}};
  }
  template <class F>
  F reach_along(const Vec<F, 3>& u) const {
    const auto along = [&](const Vector& v) {
      return abs(dot(Vec<F, 3>{{F(v[0]), F(v[1]), F(v[2])}}, u));
    };
    return (along(axis[0]) + along(axis[1])) + along(axis[2]);
  }
  /// Whether a point is above some of the box, or in it, by more than `slack`.
  bool is_below(const Vector& point, double slack) const {
    double low = -kInfinite<double>, high = point[2], from[3];
    for (int k = 0; k < 3; ++k) {
      from[k] = axis[k][0] * point[0] + axis[k][1] * point[1];
      if (inverse[k] == 0) continue;
      const double a = (0 - half2[k] - from[k]) * inverse[k];
      const double b = (half2[k] - from[k]) * inverse[k];
      low = (a < b ? a : b) > low ? (a < b ? a : b) : low;
      high = (a < b ? b : a) < high ? (a < b ? b : a) : high;
    }
    bool is = high - low > slack;
    for (int k = 0; k < 3; ++k) {
      if (inverse[k] != 0) continue;
      const double rise = magnitude(axis[k][2]) * (magnitude(low) + magnitude(high));
      is &= magnitude(from[k]) + rise < half2[k] - slack * half[k];
    }
    return is;
  }
};

/// For a box: it and what is straight below a vertex, an edge or a flat polygon of up to 4 corners
/// are convex, so an axis parts them or they meet (separating axes, in lanes). `touching` is the
/// distance within which they touch.
WIDEPHASE_INLINE Told box_is_below(const BoxColumns& box, const Vector* corners, int count,
                                   double touching) {
  using F = Batch<double>;
  constexpr int lanes = LaneTraits<F>::count, most = 24;
  static_assert(most % lanes == 0 && BoxColumns::kDirections % lanes == 0);
  const F zero(0), touch(touching);
  bool is_clear = true;  // that they meet
  // Whether they are apart along one of a batch of directions.
  const auto parts = [&](const Vec<F, 3>& u, const F& reach, const F& length) {
    const auto along = [&](const Vector& v) {
      return dot(Vec<F, 3>{{F(v[0]), F(v[1]), F(v[2])}}, u);
    };
    F low = along(corners[0]), high = low;
    for (int k = 1; k < count; ++k) {
      const F other = along(corners[k]);
      low = lesser(low, other);
      high = greater(high, other);
    }
    const F limit = touch * length;
    const F over = negate(reach) - high, under = low - reach;
    // What is below reaches endlessly against a direction that looks up.
    const F gap = select(u[2] > zero, over, select(u[2] < zero, under, greater(over, under)));
    is_clear &= !any<F>((gap > F(-4) * limit) & (length > zero));
    return any<F>(gap > limit);
  };
  for (int first = 0; first < BoxColumns::kDirections; first += lanes) {
    if (parts(box.load_direction(first), load(box.reach + first), load(box.length + first))) {
      return Told::no;
    }
  }
  if (count == 1) return is_clear ? Told::yes : Told::unclear;
  for (int k = 0; k < count; ++k) {
    if (box.is_below(corners[k], 16 * touching)) return Told::yes;
  }
  alignas(64) double direction[3][most];
  int asked = 0;
  // Each with its opposite if it is level; of any length.
  const auto ask = [&](const Vector& u) {
    for (int k = 0; k < 3; ++k) direction[k][asked] = u[k];
    ++asked;
  };
  Vector normal{{0, 0, 0}};
  for (int k = 2; k < count; ++k) {
    normal = normal + cross(corners[k - 1] - corners[0], corners[k] - corners[0]);
  }
  if (count > 2) ask(normal);
  for (int c = 1; c < count + (count > 2 ? 1 : 0); ++c) {
    const Vector along = corners[c % count] - corners[c - 1];
    ask({{along[1], 0 - along[0], 0}});
    for (const Vector& a : box.axis) ask(cross(along, a));
  }
  while (asked % lanes != 0) ask({{0, 0, 0}});
  for (int first = 0; first < asked; first += lanes) {
    const Vec<F, 3> u{
        {load(direction[0] + first), load(direction[1] + first), load(direction[2] + first)}};
    if (parts(u, box.reach_along(u), sqrt(dot(u, u)))) return Told::no;
  }
  return is_clear ? Told::yes : Told::unclear;
}

/// For a segment from -half to half.
WIDEPHASE_INLINE Told segment_is_below(const Vector& half, const Vector* corners, int count,
                                       double touching) {
  const Vector along = count == 2 ? corners[1] - corners[0] : half;
  const double size = root(along[0] * along[0] + along[1] * along[1]);
  if (!(size > 0)) return Told::unclear;
  const double x = along[1] / size, y = 0 - along[0] / size;  // across, level
  if (count == 1) {
    const double off = x * corners[0][0] + y * corners[0][1];
    return magnitude(off) > touching ? Told::no : Told::unclear;
  }
  const double middle = 0 - (x * corners[0][0] + y * corners[0][1]);
  const double end = x * half[0] + y * half[1];
  const double first = middle - end, last = middle + end;
  if ((first > touching && last > touching) || (first < -touching && last < -touching)) {
    return Told::no;
  }
  const bool is_across = (first > 4 * touching && last < -4 * touching) ||
                         (last > 4 * touching && first < -4 * touching);
  if (!is_across) return Told::unclear;
  const Vector point = scaled(half, 0 - middle / end);
  const double there =
      ((point[0] - corners[0][0]) * along[0] + (point[1] - corners[0][1]) * along[1]) / size;
  const double height = corners[0][2] + along[2] * (there / size) - point[2];
  // Elsewhere they come nearer than where the segment crosses, by the sine of its angle at most.
  const double across = magnitude(end), reach = root(dot(half, half));
  const double length = root(dot(along, along));
  double off = there > size - there ? there - size : 0 - there;
  off = 0 - height * (size / length) > off ? 0 - height * (size / length) : off;
  if (off * across > 4 * touching * reach) return Told::no;
  return off < -4 * touching ? Told::yes : Told::unclear;
}

}  // namespace
}  // namespace widephase
