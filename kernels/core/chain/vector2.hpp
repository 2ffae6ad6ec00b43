#pragma once

// Vectors of the plane in double, as chains have them.

#include "kernels/core/support/convex_shape.hpp"

namespace widephase {
namespace {

using Vector2 = Vec<double, 2>;

WIDEPHASE_INLINE Vector2 scaled(const Vector2& v, double by) { return {{v[0] * by, v[1] * by}}; }
WIDEPHASE_INLINE double length_of(const Vector2& v) { return root(dot(v, v)); }
/// The unit vector along v; along x where it has no length.
WIDEPHASE_INLINE Vector2 unit_along(Vector2 v) {
  double square = dot(v, v);
  if (!(square > 1e-280 && square < 1e280)) {  // it may vanish or overflow
    const double x = magnitude(v[0]), y = magnitude(v[1]), most = x > y ? x : y;
    if (!(most > 0 && most < kInfinite<double>)) return {{1, 0}};
    v = {{v[0] / most, v[1] / most}};
    square = dot(v, v);
  }
  return scaled(v, 1 / root(square));
}
/// v turned right by a quarter turn.
WIDEPHASE_INLINE Vector2 right_of(const Vector2& v) { return {{v[1], 0 - v[0]}}; }

}  // namespace
}  // namespace widephase
