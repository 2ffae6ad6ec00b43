#pragma once

// The exact sign of an orientation in the plane: rounded arithmetic if its error bound decides,
// else exact sums. After J. R. Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast
// Robust Geometric Predicates" (1997): the filter is section 4.2's, the sums are section 2.4's.
// Needs -ffp-contract=off, round to nearest, and coordinates of one call that are 0 or differ in
// size by less than 1e130.

#include <algorithm>
#include <array>
#include <cmath>

namespace widephase {

struct Point2 {
  double x = 0;
  double y = 0;
  friend bool operator==(const Point2&, const Point2&) = default;
};

inline Point2 point_of(const std::array<double, 2>& coordinates) {
  return {coordinates[0], coordinates[1]};
}

/// A number as the unevaluated sum of a double and its rounding error.
struct TwoTerms {
  double high;
  double low;
};

inline TwoTerms two_sum(double a, double b) {
  const double sum = a + b;
  const double b_part = sum - a;
  const double a_part = sum - b_part;
  return {sum, (a - a_part) + (b - b_part)};
}

/// No fma, which not every CPU has: the factors are split into halves of 26 bits, whose products
/// are exact (Dekker).
inline TwoTerms two_product(double a, double b) {
  constexpr double kSplitter = 134217729;  // 2^27 + 1
  const auto split = [](double value) {
    const double scaled = kSplitter * value;
    const double high = scaled - (scaled - value);
    return TwoTerms{high, value - high};
  };
  const double product = a * b;
  const TwoTerms p = split(a);
  const TwoTerms q = split(b);
  const double rest = product - p.high * q.high - p.low * q.high - p.high * q.low;
  return {product, p.low * q.low - rest};
}

constexpr int sign_of(double value) { return (value > 0) - (value < 0); }

/// Adds a number to an exact sum: `count` terms that do not overlap, the smallest first, none of
/// them 0. Writes at most one more term and returns how many there are.
inline int add_exactly(double* terms, int count, double value) {
  int kept = 0;
  for (int i = 0; i < count; ++i) {
    const TwoTerms sum = two_sum(value, terms[i]);
    value = sum.high;
    if (sum.low != 0) terms[kept++] = sum.low;
  }
  if (value != 0) terms[kept++] = value;
  return kept;
}

/// The largest term outweighs all others together.
inline int sign_of_sum(const double* terms, int count) {
  return count == 0 ? 0 : sign_of(terms[count - 1]);
}

/// The determinant multiplied out, so that no difference of coordinates is rounded.
inline int orientation_by_exact_sum(Point2 a, Point2 b, Point2 c) {
  double terms[12];
  int count = 0;
  const auto add_product = [&](double p, double q) {
    const TwoTerms product = two_product(p, q);
    count = add_exactly(terms, count, product.low);
    count = add_exactly(terms, count, product.high);
  };
  add_product(a.x, b.y);
  add_product(-a.y, b.x);
  add_product(b.x, c.y);
  add_product(-b.y, c.x);
  add_product(c.x, a.y);
  add_product(-c.y, a.x);
  return sign_of_sum(terms, count);
}

namespace orientation_parts {

/// The rounding error of the determinant, as a share of its two products.
inline constexpr double kFilter = (3 + 16 * 0x1p-53) * 0x1p-53;
/// Sizes between which no product loses bits to overflow or underflow.
inline constexpr double kLeastSum = 1e-280;
inline constexpr double kMostSum = 1e300;

/// The exact sum of points scaled by a power of two to about 1.
[[gnu::noinline]] inline int exact(Point2 a, Point2 b, Point2 c) {
  const double largest = std::max(
      {std::abs(a.x), std::abs(a.y), std::abs(b.x), std::abs(b.y), std::abs(c.x), std::abs(c.y)});
  int exponent = 0;
  std::frexp(largest, &exponent);
  const auto scaled = [&](Point2 p) {
    return Point2{std::ldexp(p.x, -exponent), std::ldexp(p.y, -exponent)};
  };
  return orientation_by_exact_sum(scaled(a), scaled(b), scaled(c));
}

}  // namespace orientation_parts

/// 1 if a, b, c turn counter-clockwise, -1 if clockwise, 0 if they lie on one line.
inline int orientation(Point2 a, Point2 b, Point2 c) {
  const double left = (a.x - c.x) * (b.y - c.y);
  const double right = (a.y - c.y) * (b.x - c.x);
  const double determinant = left - right;
  const double sum = std::abs(left) + std::abs(right);
  const bool is_sure = std::abs(determinant) > orientation_parts::kFilter * sum &&
                       sum >= orientation_parts::kLeastSum && sum <= orientation_parts::kMostSum;
  if (is_sure) return sign_of(determinant);
  // On one line along an axis: differences have the exact sign.
  if ((a.x == c.x || b.y == c.y) && (a.y == c.y || b.x == c.x)) return 0;
  return orientation_parts::exact(a, b, c);
}

}  // namespace widephase
