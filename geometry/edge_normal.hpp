#pragma once

#include <algorithm>
#include <array>
#include <cmath>

namespace widephase {

/// The unit outward normal of an edge of a counter-clockwise outline, from p to q. Coordinates may
/// be as small or large as a double can be: where squares would vanish or overflow they are scaled
/// by powers of two, which have no rounding.
inline std::array<double, 2> edge_normal(std::array<double, 2> p, std::array<double, 2> q) {
  double x = q[0] - p[0], y = q[1] - p[1];
  const double most = std::max(std::abs(x), std::abs(y));
  if (!(most > 0x1p-400 && most < 0x1p400)) {
    if (!(std::isfinite(x) && std::isfinite(y))) {
      x = q[0] / 2 - p[0] / 2;
      y = q[1] / 2 - p[1] / 2;
    }
    int exponent = 0;
    std::frexp(std::max(std::abs(x), std::abs(y)), &exponent);
    x = std::ldexp(x, -exponent);
    y = std::ldexp(y, -exponent);
  }
  const double length = std::sqrt(x * x + y * y);
  return {y / length, -x / length};
}

}  // namespace widephase
