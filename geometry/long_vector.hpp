#pragma once

// Cross products with twice the digits of a double: normals of slivers are as accurate as others.

#include <algorithm>
#include <cmath>

#include "geometry/orientation.hpp"
#include "geometry/vector3.hpp"

namespace widephase {

inline TwoTerms sum_of(TwoTerms a, TwoTerms b) {
  const TwoTerms high = two_sum(a.high, b.high);
  return two_sum(high.high, high.low + (a.low + b.low));
}
inline TwoTerms product_of(TwoTerms a, TwoTerms b) {
  const TwoTerms high = two_product(a.high, b.high);
  return two_sum(high.high, high.low + (a.high * b.low + a.low * b.high));
}
inline TwoTerms negative(TwoTerms a) { return {-a.high, -a.low}; }

struct LongVector {
  TwoTerms x{}, y{}, z{};
};

inline LongVector long_difference(Point3 a, Point3 b) {
  return {two_sum(a.x, -b.x), two_sum(a.y, -b.y), two_sum(a.z, -b.z)};
}

inline void add_cross(const LongVector& u, const LongVector& v, LongVector& total) {
  const auto add = [](TwoTerms p, TwoTerms q, TwoTerms r, TwoTerms s, TwoTerms& to) {
    to = sum_of(to, sum_of(product_of(p, q), negative(product_of(r, s))));
  };
  add(u.y, v.z, u.z, v.y, total.x);
  add(u.z, v.x, u.x, v.z, total.y);
  add(u.x, v.y, u.y, v.x, total.z);
}

inline void add(const LongVector& v, LongVector& total) {
  total.x = sum_of(total.x, v.x);
  total.y = sum_of(total.y, v.y);
  total.z = sum_of(total.z, v.z);
}

inline double size_of(const LongVector& v) {
  return std::max({std::abs(v.x.high), std::abs(v.y.high), std::abs(v.z.high)});
}

/// All 0 if rounding may have left nothing of a sum of products of about `square`.
inline Point3 unit_of(const LongVector& v, double square) {
  const double size = size_of(v);
  if (!(size > 0x1p-90 * square)) return {};
  const Point3 direction{v.x.high / size, v.y.high / size, v.z.high / size};
  return times(1 / length(direction), direction);
}

}  // namespace widephase
