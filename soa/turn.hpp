#pragma once

// Our own sine and cosine: those of libm differ between systems and between CPUs. They use only
// sums, products and bit operations in double, without branches. So the bits are the same
// everywhere (with -ffp-contract=off), and a loop over a column is vectorized with each instruction
// set (kernels/core/run/turns.hpp). Functions used there are always inlined, so that no copy of
// them is left for sets to share.

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace widephase {

/// A rotation by an angle in 2D: (x, y) goes to (cosine x - sine y, sine x + cosine y).
template <class T>
struct Turn2 {
  T cosine;
  T sine;
};

/// Angles beyond this many radians count as 0: neighbouring doubles are then a quarter of a radian
/// or more apart and give no meaningful direction.
inline constexpr double kMostAngle = 1125899906842624;  // 2^50

namespace turn_parts {

/// Cody and Waite's parts of pi / 2 (Software Manual for the Elementary Functions, 1980): 33 bits,
/// 33 bits and a double. Up to 2^20 quarters, their products with the two short ones are exact.
inline constexpr double kQuarter[] = {0x1.921fb54400000p+0, 0x1.0b4611a600000p-34,
                                      0x1.3198a2e037073p-69};
inline constexpr double kQuartersPerRadian = 0x1.45f306dc9c883p-1;  // 2 / pi

/// 1.5 * 2^52: adding it rounds to an integer, whose low bits are those of the sum.
inline constexpr double kRounder = 6755399441055744.0;

/// Sine and cosine of high + low, where |high| is at most an eighth of a turn and |low| a rounding
/// of it. The polynomials interpolate (sin(x) / x - 1) / x^2 and (cos(x) - 1 + x^2 / 2) / x^4 over
/// z = x^2 in [0, (pi / 4)^2] at the nodes of Chebyshev, in 60 digits. With rounded coefficients,
/// sine is off by 1.4e-17 and cosine by 9e-19.
[[gnu::always_inline]] inline Turn2<double> eighth(double high, double low) {
  const double z = high * high;
  constexpr double kSine[] = {-0x1.5555555555555p-3, 0x1.1111111110bb1p-7,   -0x1.a01a019e8357dp-13,
                              0x1.71de37961e4c6p-19, -0x1.ae600a926c89ap-26, 0x1.5e0af186af739p-33};
  constexpr double kCosine[] = {0x1.5555555555555p-5,  -0x1.6c16c16c16966p-10,
                                0x1.a01a019f4e867p-16, -0x1.27e4fa17a41b4p-22,
                                0x1.1eeb68b109173p-29, -0x1.907d7aebd5e3dp-37};
  double s = kSine[5];
  double c = kCosine[5];
  for (int i = 4; i >= 0; --i) {
    s = s * z + kSine[i];
    c = c * z + kCosine[i];
  }
  // sin(high + low) = sin(high) + low cos(high), cos likewise. 1 - z / 2 has lost the low digits of
  // z; (1 - one) - half_z restores them.
  const double half_z = 0.5 * z;
  const double one = 1 - half_z;
  const double sine = high + (high * z * s + low * one);
  const double cosine = one + (((1 - one) - half_z) + (z * z * c - high * low));
  return {cosine, sine};
}

/// A rotation by `quarters` more (modulo 4, in two's complement).
[[gnu::always_inline]] inline Turn2<double> turn_quarters(const Turn2<double>& turn,
                                                          std::uint64_t quarters) {
  std::uint64_t sine = std::bit_cast<std::uint64_t>(turn.sine);
  std::uint64_t cosine = std::bit_cast<std::uint64_t>(turn.cosine);
  const std::uint64_t swapped = (sine ^ cosine) & (0 - (quarters & 1));
  sine ^= swapped ^ (quarters & 2) << 62;
  cosine ^= swapped ^ ((quarters + 1) & 2) << 62;
  return {std::bit_cast<double>(cosine), std::bit_cast<double>(sine)};
}

}  // namespace turn_parts

/// Cosine and sine of an angle in radians. Up to 1e6 both are within 1e-16 of the exact value. Up
/// to 2^50 they are within 4e-16 times the angle, about the effect of rounding the angle itself.
/// Larger angles, NaN and infinity count as 0. Never above 1.
[[gnu::always_inline]] inline Turn2<double> turn_of(double angle) {
  using namespace turn_parts;
  // A mask instead of a choice between two numbers: g++ 12 vectorizes it.
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(angle);
  const std::uint64_t magnitude = bits & ~(std::uint64_t{1} << 63);
  // The bits of positive doubles are in the order of the doubles; the difference is negative
  // for those above.
  const std::uint64_t is_above = 0 - ((std::bit_cast<std::uint64_t>(kMostAngle) - magnitude) >> 63);
  const double x = std::bit_cast<double>(bits & ~is_above);
  const double rounded = x * kQuartersPerRadian + kRounder;
  const double quarters = rounded - kRounder;
  // The remainder, as a sum of two doubles: the second product is subtracted with its rounding
  // error (Knuth's two-sum), since little may be left of x - first.
  const double first = x - quarters * kQuarter[0];
  const double second = quarters * kQuarter[1];
  const double difference = first - second;
  const double part = difference - first;
  const double error = (first - (difference - part)) - (second + part);
  const double third = error - quarters * kQuarter[2];
  const double high = difference + third;
  const double low = (difference - high) + third;
  return turn_quarters(eighth(high, low), std::bit_cast<std::uint64_t>(rounded));
}

/// The same, computed in double and rounded.
[[gnu::always_inline]] inline Turn2<float> turn_of(float angle) {
  const Turn2<double> turn = turn_of(static_cast<double>(angle));
  return {static_cast<float>(turn.cosine), static_cast<float>(turn.sine)};
}

/// `part` of `parts` equal steps around the circle, both below 2^27 and `part` >= 0, to 1e-16.
/// Quarters of the circle are exact, and points that mirror one another across an axis have the
/// same bits.
inline Turn2<double> turn_of_part(std::int32_t part, std::int32_t parts) {
  using namespace turn_parts;
  const std::int32_t quarters = (8 * part + parts) / (2 * parts);
  // rest = numerator / parts of a quarter, at most a half, as a sum: `coarse` has 20 bits, so that
  // its products with parts and with the first part of the quarter are exact.
  const auto numerator = static_cast<double>(4 * part - quarters * parts);
  constexpr double kCoarser = 6442450944.0;  // 1.5 * 2^32
  const double coarse = (numerator / parts + kCoarser) - kCoarser;
  const double fine = (numerator - coarse * parts) / parts;
  const double first = coarse * kQuarter[0];
  const double second = fine * kQuarter[0] + (coarse + fine) * kQuarter[1];
  const double high = first + second;
  Turn2<double> turn = eighth(high, (first - high) + second);
  // An eighth of a turn is the only place where rounding sine and cosine separately breaks the
  // mirror.
  if (coarse == 0.5 || coarse == -0.5) turn.sine = coarse < 0 ? -turn.cosine : turn.cosine;
  return turn_quarters(turn, static_cast<std::uint64_t>(quarters));
}

/// A rotation in 3D: the images of the axes.
template <class T>
struct Turn3 {
  std::array<std::array<T, 3>, 3> column;
};

/// Whether a quaternion x y z w has unit length, as in `Rule::unit`.
inline bool is_unit(const std::array<double, 4>& quaternion) {
  double square = 0;
  for (const double value : quaternion) square += value * value;
  return std::abs(square - 1) <= 1e-4;
}

/// The rotation by a quaternion x y z w of nearly unit length, which counts as normalized. Computed
/// in double; no square root is needed.
template <class T>
Turn3<T> turn_of(const std::array<double, 4>& quaternion) {
  const auto [x, y, z, w] = quaternion;
  const double twice = 2 / (x * x + y * y + z * z + w * w);
  const auto rounded = [](double value) { return static_cast<T>(value); };
  return {{{{rounded(1 - twice * (y * y + z * z)), rounded(twice * (x * y + z * w)),
             rounded(twice * (x * z - y * w))},
            {rounded(twice * (x * y - z * w)), rounded(1 - twice * (x * x + z * z)),
             rounded(twice * (y * z + x * w))},
            {rounded(twice * (x * z + y * w)), rounded(twice * (y * z - x * w)),
             rounded(1 - twice * (x * x + y * y))}}}};
}

}  // namespace widephase
