#pragma once

#include <algorithm>
#include <array>
#include <cmath>

namespace widephase {

/// The unit outward normal of an edge (x, y) of a counter-clockwise outline. Its two numbers may be
/// as small or large as a double: it is scaled by a power of two first, which has no rounding.
inline std::array<double, 2> edge_normal(double x, double y) {
  int exponent = 0;
  std::frexp(std::max(std::abs(x), std::abs(y)), &exponent);
  x = std::ldexp(x, -exponent);
  y = std::ldexp(y, -exponent);
  const double length = std::sqrt(x * x + y * y);
  return {y / length, -x / length};
}

}  // namespace widephase
