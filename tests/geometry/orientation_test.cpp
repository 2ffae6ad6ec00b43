// The sign of an orientation against 128-bit integers, where doubles would round.
// Labels: plain

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include "geometry/orientation.hpp"
#include "reference/scaled.hpp"
#include "reference/solids.hpp"

namespace widephase::test {
namespace {

__extension__ using Wide = __int128;

struct Whole {
  std::int64_t x;
  std::int64_t y;
};

int wide_orientation(Whole a, Whole b, Whole c) {
  const Wide left = (static_cast<Wide>(a.x) - c.x) * (static_cast<Wide>(b.y) - c.y);
  const Wide right = (static_cast<Wide>(a.y) - c.y) * (static_cast<Wide>(b.x) - c.x);
  return (left > right) - (left < right);
}

/// Exact: coordinates are below 2^53.
Point2 point(Whole p, double unit = 1) {
  return {static_cast<double>(p.x) * unit, static_cast<double>(p.y) * unit};
}

void expect_same(Whole a, Whole b, Whole c) {
  const int expected = wide_orientation(a, b, c);
  for (const double unit : {1.0, 0x1p-240, 0x1p190}) {
    const Point2 p = point(a, unit);
    const Point2 q = point(b, unit);
    const Point2 r = point(c, unit);
    ASSERT_EQ(orientation(p, q, r), expected);
    ASSERT_EQ(orientation(q, r, p), expected);
    ASSERT_EQ(orientation(r, q, p), -expected);
  }
  ASSERT_EQ(orientation_by_exact_sum(point(a), point(b), point(c)), expected);
}

TEST(orientation, counter_clockwise_is_1) {
  EXPECT_EQ(orientation({0, 0}, {1, 0}, {0, 1}), 1);
  EXPECT_EQ(orientation({0, 0}, {0, 1}, {1, 0}), -1);
  EXPECT_EQ(orientation({0, 0}, {1, 1}, {3, 3}), 0);
  EXPECT_EQ(orientation({2, 5}, {2, 5}, {3, 3}), 0);
}

TEST(orientation, random_large_numbers) {
  Random random(1);
  const auto any = [&] { return static_cast<std::int64_t>(random.bits() >> 11) - (1LL << 52); };
  for (std::size_t i = 0; i < scaled(100000, 1000); ++i) {
    expect_same({any(), any()}, {any(), any()}, {any(), any()});
  }
}

TEST(orientation, points_beside_a_long_line_by_less_than_rounding) {
  // b lies k steps of (dx, dy) from a, c lies m steps, off the line by at most 1 in each
  // coordinate: the determinant is tiny beside its two products of about 2^100.
  Random random(2);
  for (std::size_t i = 0; i < scaled(100000, 1000); ++i) {
    const Whole step{random.integer(-(1 << 26), 1 << 26), random.integer(-(1 << 26), 1 << 26)};
    const Whole a{random.integer(-(1 << 29), 1 << 29), random.integer(-(1 << 29), 1 << 29)};
    const auto along = [&](std::int64_t count, int dx, int dy) {
      return Whole{a.x + count * step.x + dx, a.y + count * step.y + dy};
    };
    const Whole b = along(random.integer(1, 1 << 24), 0, 0);
    const Whole c = along(random.integer(1, 1 << 24), random.integer(-1, 1), random.integer(-1, 1));
    expect_same(a, b, c);
  }
}

TEST(orientation, neighbours_of_the_diagonal_by_ulps) {
  // 0.5 + i ulps against the diagonal through 12 and 24: in 2^-53 all are whole numbers.
  constexpr double kUnit = 0x1p-53;
  for (std::int64_t i = 0; i < 64; ++i) {
    for (std::int64_t k = 0; k < 64; ++k) {
      const Whole a{(1LL << 52) + i, (1LL << 52) + k};
      const Whole b{12LL << 53, 12LL << 53};
      const Whole c{24LL << 53, 24LL << 53};
      ASSERT_EQ(orientation(point(a, kUnit), point(b, kUnit), point(c, kUnit)),
                wide_orientation(a, b, c));
    }
  }
}

TEST(orientation, exact_sums_keep_what_rounding_drops) {
  double terms[4];
  int count = 0;
  for (const double value : {1.0, 1e40, 1e-40, -1e40, -1.0}) {
    count = add_exactly(terms, count, value);
  }
  ASSERT_EQ(count, 1);
  EXPECT_EQ(terms[0], 1e-40);
  EXPECT_EQ(sign_of_sum(terms, count), 1);
  count = add_exactly(terms, count, -1e-40);
  EXPECT_EQ(sign_of_sum(terms, count), 0);
}

TEST(orientation, products_without_fma) {
  Random random(3);
  for (int i = 0; i < 1000; ++i) {
    const auto a = static_cast<std::int64_t>(random.bits() >> 11);
    const auto b = static_cast<std::int64_t>(random.bits() >> 11);
    const TwoTerms product = two_product(static_cast<double>(a), static_cast<double>(b));
    EXPECT_EQ(static_cast<Wide>(product.high) + static_cast<Wide>(product.low),
              static_cast<Wide>(a) * b);
  }
}

TEST(orientation, holds_for_the_least_and_the_greatest_numbers) {
  for (const double size : {1e-320, 1e-300, 1e-200, 1e200, 1e300, 1.7e308}) {
    EXPECT_EQ(orientation({0, 0}, {size, 0}, {0, size}), 1) << size;
    EXPECT_EQ(orientation({0, 0}, {0, size}, {size, 0}), -1) << size;
    EXPECT_EQ(orientation({-size, -size}, {0, 0}, {size, size}), 0) << size;
    EXPECT_EQ(orientation({-size, -size}, {size, size}, {0, size / 2}), 1) << size;
  }
}

}  // namespace
}  // namespace widephase::test
