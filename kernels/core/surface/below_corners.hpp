#pragma once

// Whether part of a core is straight below a vertex, an edge or part of a triangle: told at once
// where that is clear, else GJK must.

#include "kernels/core/surface/listed_triangles.hpp"
#include "kernels/lanes/vec.hpp"

namespace widephase {
namespace {

/// Where a box is on vertical lines.
struct BoxColumns {
  Vector axis[3];
  double half2[3], inverse[3];  ///< of an axis; 0: it is level

  template <class T>
  explicit BoxColumns(const ConvexShape<T>& core) {
    for (int k = 0; k < 3; ++k) {
      axis[k] = widened(core.axis[k]);
      half2[k] = dot(axis[k], axis[k]);
      const double rise2 = axis[k][2] * axis[k][2];
      inverse[k] = rise2 > 1e-12 * half2[k] ? 1 / axis[k][2] : 0;
    }
  }
  /// Whether a point is above some of the box, or in it, by more than `slack`.
  bool is_below(const Vector& point, double slack) const {
    double low = -kInfinite<double>, high = point[2];
    for (int k = 0; k < 3; ++k) {
      const double from = axis[k][0] * point[0] + axis[k][1] * point[1];
      if (inverse[k] == 0) return false;
      const double a = (0 - half2[k] - from) * inverse[k], b = (half2[k] - from) * inverse[k];
      low = (a < b ? a : b) > low ? (a < b ? a : b) : low;
      high = (a < b ? b : a) < high ? (a < b ? b : a) : high;
    }
    return high - low > slack;
  }
};

/// For a box: it and what is straight below a vertex, an edge or a flat polygon of up to 4 corners
/// are convex, so an axis parts them or they meet (separating axes, in lanes). `touching` is the
/// distance within which they touch.
WIDEPHASE_INLINE Told box_is_below(const BoxColumns& box, const Vector* corners, int count,
                                   double touching) {
  using F = Batch<double>;
  constexpr int lanes = LaneTraits<F>::count, most = 32;
  static_assert(most % lanes == 0);
  alignas(64) double direction[3][most] = {};
  int asked = 0;
  // Each with its opposite if it is level; of any length.
  const auto ask = [&](const Vector& u) {
    for (int k = 0; k < 3; ++k) direction[k][asked] = u[k];
    ++asked;
  };
  for (const Vector& a : box.axis) {
    ask(a);
    ask({{0 - a[1], a[0], 0}});
  }
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
  bool is_clear = true;  // that they meet
  const F zero(0), touch(touching);
  for (int first = 0; first < asked; first += lanes) {
    const Vec<F, 3> u{
        {load(direction[0] + first), load(direction[1] + first), load(direction[2] + first)}};
    const auto along = [&](const Vector& v) {
      return dot(Vec<F, 3>{{F(v[0]), F(v[1]), F(v[2])}}, u);
    };
    const F square = dot(u, u);
    const F reach = (abs(along(box.axis[0])) + abs(along(box.axis[1]))) + abs(along(box.axis[2]));
    F low = along(corners[0]), high = low;
    for (int k = 1; k < count; ++k) {
      const F other = along(corners[k]);
      low = lesser(low, other);
      high = greater(high, other);
    }
    const F limit = touch * sqrt(square);
    const F over = negate(reach) - high, under = low - reach;
    // What is below reaches endlessly against a direction that looks up.
    const F gap = select(u[2] > zero, over, select(u[2] < zero, under, greater(over, under)));
    if (any<F>(gap > limit)) return Told::no;
    is_clear &= !any<F>((gap > F(-4) * limit) & (square > zero));
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
