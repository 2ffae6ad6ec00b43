#pragma once

// Whether part of a core is straight below a vertex, an edge or part of a triangle: told at once
// where that is clear, else GJK must.

#include "kernels/core/surface/polygon_nearest.hpp"

namespace widephase {
namespace {

enum class Told : std::uint8_t { no, yes, unclear };

/// For a box: it and what is straight below a vertex, an edge or a flat polygon are convex, so an
/// axis parts them or they meet (separating axes). `touching` is the distance within which they
/// touch.
template <class T>
Told box_is_below(const ConvexShape<T>& core, const Vector* corners, int count, double touching) {
  Vector axis[3];
  for (int k = 0; k < 3; ++k) axis[k] = widened(core.axis[k]);
  bool is_clear = true;  // that they meet
  // Asks a direction, and its opposite if it is level; of any length.
  const auto parts = [&](const Vector& u) {
    const double square = dot(u, u);
    double reach = 0;
    for (const Vector& a : axis) reach += magnitude(dot(a, u));
    double low = dot(corners[0], u), high = low;
    for (int k = 1; k < count; ++k) {
      const double other = dot(corners[k], u);
      low = other < low ? other : low;
      high = other > high ? other : high;
    }
    const double limit = touching * root(square);
    const double over = 0 - reach - high, under = low - reach;
    // What is below reaches endlessly against a direction that looks up.
    const double gap = u[2] > 0 ? over : (u[2] < 0 ? under : (over > under ? over : under));
    if (gap > limit) return true;
    if (gap > -4 * limit && square > 0) is_clear = false;
    return false;
  };
  for (int k = 0; k < 3; ++k) {
    if (parts(axis[k])) return Told::no;
    if (parts({{0 - axis[k][1], axis[k][0], 0}})) return Told::no;
  }
  Vector normal{{0, 0, 0}};
  for (int k = 2; k < count; ++k) {
    normal = normal + cross(corners[k - 1] - corners[0], corners[k] - corners[0]);
  }
  if (count > 2 && parts(normal)) return Told::no;
  for (int c = 1; c < count + (count > 2 ? 1 : 0); ++c) {
    const Vector along = corners[c % count] - corners[c - 1];
    if (parts({{along[1], 0 - along[0], 0}})) return Told::no;
    for (const Vector& a : axis) {
      if (parts(cross(along, a))) return Told::no;
    }
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
