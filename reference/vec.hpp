#pragma once

// Vectors of long double, for the references.

#include <array>
#include <cmath>

#include "reference/solids.hpp"

namespace widephase::test {

using Real = long double;

template <int D>
using Vec = Tuple<D, Real>;

template <int D>
Vec<D> plus(Vec<D> u, const Vec<D>& v, Real scale = 1) {
  for (int k = 0; k < D; ++k) u[k] += scale * v[k];
  return u;
}
template <int D>
Vec<D> minus(Vec<D> u, const Vec<D>& v) {
  return plus(u, v, -1);
}
template <int D>
Vec<D> times(Vec<D> u, Real scale) {
  for (Real& value : u) value *= scale;
  return u;
}
template <int D>
Real dot(const Vec<D>& u, const Vec<D>& v) {
  Real sum = 0;
  for (int k = 0; k < D; ++k) sum += u[k] * v[k];
  return sum;
}
template <int D>
Real length(const Vec<D>& u) {
  return std::sqrt(dot(u, u));
}
inline Vec<3> cross(const Vec<3>& u, const Vec<3>& v) {
  return {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
}
/// The cross product of unit vectors. Nearly parallel ones lose no digits: u x v = u x (v - u),
/// where v - u is exact and nearly perpendicular to u, so each product is as small as the result.
inline Vec<3> cross_of_units(const Vec<3>& u, const Vec<3>& v) {
  return cross(u, dot(u, v) > 0 ? minus(v, u) : plus(v, u));
}
inline Real cross(const Vec<2>& u, const Vec<2>& v) { return u[0] * v[1] - u[1] * v[0]; }
/// `v` rotated counter-clockwise by an angle in radians, taken as stored.
inline Vec<2> turned_by(double angle, const Vec<2>& v) {
  // The corners of an outline ask for one angle, one after the other.
  thread_local double last = 0;
  thread_local Real c = 1, s = 0;
  if (angle != last) {
    last = angle;
    c = std::cos(static_cast<Real>(angle));
    s = std::sin(static_cast<Real>(angle));
  }
  return {c * v[0] - s * v[1], s * v[0] + c * v[1]};
}
template <int D>
Vec<D> widened(const Point<D>& point) {
  Vec<D> result;
  for (int k = 0; k < D; ++k) result[k] = point[k];
  return result;
}
/// The axes rotated by a quaternion of any length but 0, as unit vectors.
inline std::array<Vec<3>, 3> axes_of(const Quaternion& orientation) {
  const Vec<4> stored = widened(orientation);
  const auto [x, y, z, w] = times(stored, 1 / length(stored)).values;
  return {Vec<3>{1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)},
          Vec<3>{2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)},
          Vec<3>{2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)}};
}
/// The coordinates of `v` along `axes`.
inline Vec<3> along_axes(const std::array<Vec<3>, 3>& axes, const Vec<3>& v) {
  return {dot(axes[0], v), dot(axes[1], v), dot(axes[2], v)};
}

}  // namespace widephase::test
