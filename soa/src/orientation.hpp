#pragma once

// On which side of a line a point lies, exactly.

#include <algorithm>
#include <array>
#include <cmath>

namespace widephase {

namespace orientation_parts {

/// Bound of the rounding error of the determinant, relative to the sum of its two products
/// (Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric
/// Predicates", 1997, section 4.2): (3 + 16 e) e with e = 2^-53.
inline constexpr double kFilter = 3.3306690738754716e-16;
/// Sums of products outside of these are decided exactly: below, a product may have lost digits
/// to underflow; above, it may have overflowed.
inline constexpr double kLeastSum = 1e-280;
inline constexpr double kMostSum = 1e300;

/// a + b = sum + error (Knuth).
inline double two_sum(double a, double b, double& error) {
  const double sum = a + b;
  const double part = sum - a;
  error = (a - (sum - part)) + (b - part);
  return sum;
}

/// a * b = product + error, without fma (Dekker, with Veltkamp's split).
inline double two_product(double a, double b, double& error) {
  constexpr double kSplitter = 134217729;  // 2^27 + 1
  const auto high_half = [](double value) {
    const double large = kSplitter * value;
    return large - (large - value);
  };
  const double product = a * b;
  const double a_high = high_half(a), b_high = high_half(b);
  const double a_low = a - a_high, b_low = b - b_high;
  error = a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low);
  return product;
}

/// The sign of ax by - ay bx + bx cy - by cx + cx ay - cy ax, summed up without any error.
[[gnu::noinline]] inline int exact_orientation(const std::array<double, 2>& a,
                                               const std::array<double, 2>& b,
                                               const std::array<double, 2>& c) {
  // Scaled by a power of two so that products neither overflow nor, unless coordinates of one
  // call differ in size by more than 1e130, vanish.
  double largest = 0;
  for (const auto& point : {a, b, c}) {
    largest = std::max({largest, std::abs(point[0]), std::abs(point[1])});
  }
  int exponent = 0;
  std::frexp(largest, &exponent);
  const auto scaled = [&](double value) { return std::ldexp(value, -exponent); };
  const std::array<double, 2> p[3]{
      {scaled(a[0]), scaled(a[1])}, {scaled(b[0]), scaled(b[1])}, {scaled(c[0]), scaled(c[1])}};
  // An expansion: doubles that do not overlap, ascending, whose sum is the exact value so far
  // (Shewchuk, Grow-Expansion). Its last component that is not 0 has its sign.
  double sum[12];
  int count = 0;
  const auto add = [&](double value) {
    for (int i = 0; i < count; ++i) value = two_sum(value, sum[i], sum[i]);
    sum[count++] = value;
  };
  for (int i = 0; i < 3; ++i) {
    const auto& from = p[i];
    const auto& to = p[(i + 1) % 3];
    double error = 0;
    const double forth = two_product(from[0], to[1], error);
    add(error);
    add(forth);
    const double back = two_product(-from[1], to[0], error);
    add(error);
    add(back);
  }
  for (int i = count - 1; i >= 0; --i) {
    if (sum[i] != 0) return sum[i] > 0 ? 1 : -1;
  }
  return 0;
}

}  // namespace orientation_parts

/// 1 where c lies left of the line from a to b, -1 where it lies right of it, 0 where it lies on
/// the line or a == b. Exact for finite numbers that differ in size by less than 1e130.
inline int orientation(const std::array<double, 2>& a, const std::array<double, 2>& b,
                       const std::array<double, 2>& c) {
  const double left = (a[0] - c[0]) * (b[1] - c[1]);
  const double right = (a[1] - c[1]) * (b[0] - c[0]);
  const double determinant = left - right;
  const double sum = std::abs(left) + std::abs(right);
  const bool is_sure = std::abs(determinant) > orientation_parts::kFilter * sum &&
                       sum >= orientation_parts::kLeastSum && sum <= orientation_parts::kMostSum;
  if (is_sure) return determinant > 0 ? 1 : -1;
  return orientation_parts::exact_orientation(a, b, c);
}

}  // namespace widephase
