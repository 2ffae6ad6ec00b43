// Our own sine and cosine against those of libm in long double (64 bits of mantissa or more).
// Labels: emulated-arm own-sets

#include "soa/turn.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "reference/scaled.hpp"

namespace widephase {
namespace {

constexpr double kPi = 3.141592653589793;

/// The larger error of cosine and sine.
long double miss(double angle) {
  const Turn2<double> turn = turn_of(angle);
  const long double cosine = std::cos(static_cast<long double>(angle));
  const long double sine = std::sin(static_cast<long double>(angle));
  return std::max(std::abs(turn.cosine - cosine), std::abs(turn.sine - sine));
}

TEST(turn, angles_up_to_a_million_are_exact_to_1e_16) {
  std::mt19937_64 random(1);
  for (const double most : {1e-8, 1e-3, kPi / 4, kPi, 100.0, 1e6}) {
    std::uniform_real_distribution<double> angles(-most, most);
    for (std::size_t i = 0; i < test::scaled(300000, 1000); ++i) {
      const double angle = angles(random);
      ASSERT_LE(miss(angle), 1e-16L) << angle;
    }
  }
}

TEST(turn, multiples_of_an_eighth_and_their_neighbours) {
  for (int i = -100000; i <= 100000; ++i) {
    const double angle = i * (kPi / 4);
    ASSERT_LE(miss(angle), 1e-16L) << i;
    ASSERT_LE(miss(std::nextafter(angle, 1e9)), 1e-16L) << i;
    ASSERT_LE(miss(std::nextafter(angle, -1e9)), 1e-16L) << i;
  }
}

TEST(turn, small_angles_keep_all_their_digits) {
  // sin(x) = x (1 - x^2 / 6): the second term is below half a unit of x under 1e-8.
  for (const double angle : {1e-9, 1e-20, 1e-160, 1e-300, 5e-324}) {
    EXPECT_EQ(turn_of(angle).sine, angle);
    EXPECT_EQ(turn_of(-angle).sine, -angle);
    EXPECT_EQ(turn_of(angle).cosine, 1);
  }
  EXPECT_EQ(turn_of(0.0).sine, 0);
  EXPECT_EQ(turn_of(0.0).cosine, 1);
  EXPECT_EQ(turn_of(-0.0).sine, 0);
}

TEST(turn, negative_angles_mirror_to_the_bit) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> angles(-50, 50);
  for (int i = 0; i < 100000; ++i) {
    const double angle = angles(random);
    ASSERT_EQ(turn_of(angle).cosine, turn_of(-angle).cosine) << angle;
    ASSERT_EQ(turn_of(angle).sine, -turn_of(-angle).sine) << angle;
  }
}

TEST(turn, beyond_a_million_the_error_is_that_of_rounding_the_angle) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> exponent(6, std::log10(kMostAngle));
  for (std::size_t i = 0; i < test::scaled(300000, 1000); ++i) {
    const double angle = std::pow(10, exponent(random));
    ASSERT_LE(miss(angle), 4e-16L * angle) << angle;
  }
}

TEST(turn, is_at_most_one_for_every_double) {
  std::mt19937_64 random(4);
  for (std::size_t i = 0; i < test::scaled(1000000, 1000); ++i) {
    const std::uint64_t bits = random();
    const double angle = std::bit_cast<double>(bits);
    const Turn2<double> turn = turn_of(angle);
    ASSERT_LE(std::abs(turn.cosine), 1) << angle;
    ASSERT_LE(std::abs(turn.sine), 1) << angle;
  }
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double above = std::nextafter(kMostAngle, kInfinity);
  for (const double angle :
       {above, -above, 1e300, kInfinity, -kInfinity, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_EQ(turn_of(angle).cosine, 1) << angle;
    EXPECT_EQ(turn_of(angle).sine, 0) << angle;
  }
  EXPECT_NE(turn_of(kMostAngle).sine, 0);
}

TEST(turn, of_a_float_is_that_of_the_double_rounded) {
  for (const float angle : {0.5f, -2.25f, 3.1415927f, 1e6f}) {
    EXPECT_EQ(turn_of(angle).cosine,
              static_cast<float>(turn_of(static_cast<double>(angle)).cosine));
    EXPECT_EQ(turn_of(angle).sine, static_cast<float>(turn_of(static_cast<double>(angle)).sine));
  }
}

TEST(turn, bits_are_the_same_on_every_cpu) {
  // FNV-1a over the bits of cosines and sines; it changes only with the algorithm.
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto add = [&](double value) {
    hash = (hash ^ std::bit_cast<std::uint64_t>(value)) * 0x100000001b3;
  };
  std::mt19937_64 random(5);
  for (int i = 0; i < 20000; ++i) {
    // A 53-bit number below 2^20 with either sign: exact, unlike the distributions of the library.
    const auto part = static_cast<double>(static_cast<std::int64_t>(random() >> 10) - (1LL << 53));
    const Turn2<double> turn = turn_of(part / static_cast<double>(1LL << 33));
    add(turn.cosine);
    add(turn.sine);
  }
  EXPECT_EQ(hash, 12174884147149744689u);
}

TEST(turn, a_column_in_a_loop_has_the_same_bits_as_its_rows) {
  std::vector<double> angles(1003);
  for (std::size_t i = 0; i < angles.size(); ++i) angles[i] = std::ldexp(0.37, int(i % 40)) + 0.1;
  std::vector<double> cosines(angles.size());
  std::vector<double> sines(angles.size());
  for (std::size_t i = 0; i < angles.size(); ++i) {
    const Turn2<double> turn = turn_of(angles[i]);
    cosines[i] = turn.cosine;
    sines[i] = turn.sine;
  }
  for (std::size_t i = 0; i < angles.size(); ++i) {
    volatile double angle = angles[i];
    EXPECT_EQ(turn_of(double(angle)).cosine, cosines[i]);
    EXPECT_EQ(turn_of(double(angle)).sine, sines[i]);
  }
}

TEST(turn, parts_of_a_circle_have_exact_quarters_and_mirror) {
  for (int parts = 1; parts <= 256; ++parts) {
    for (int part = 0; part < 2 * parts; ++part) {
      const Turn2<double> turn = turn_of_part(part, parts);
      const long double angle = 2 * std::acos(-1.0L) * part / parts;
      ASSERT_LE(std::abs(turn.cosine - std::cos(angle)), 1e-16L) << part << "/" << parts;
      ASSERT_LE(std::abs(turn.sine - std::sin(angle)), 1e-16L) << part << "/" << parts;
      if (part > parts) continue;
      EXPECT_EQ(turn.cosine, turn_of_part(parts - part, parts).cosine) << part << "/" << parts;
      EXPECT_EQ(turn.sine, -turn_of_part(parts - part, parts).sine) << part << "/" << parts;
      if (parts % 2 != 0 || 2 * part > parts) continue;
      EXPECT_EQ(turn.cosine, -turn_of_part(parts / 2 - part, parts).cosine) << part << "/" << parts;
      EXPECT_EQ(turn.sine, turn_of_part(parts / 2 - part, parts).sine) << part << "/" << parts;
    }
  }
  EXPECT_EQ(turn_of_part(1, 4).cosine, 0);
  EXPECT_EQ(turn_of_part(1, 4).sine, 1);
  EXPECT_EQ(turn_of_part(6, 12).cosine, -1);
  EXPECT_EQ(turn_of_part(6, 12).sine, 0);
  EXPECT_EQ(turn_of_part(48, 64).sine, -1);
}

}  // namespace
}  // namespace widephase
