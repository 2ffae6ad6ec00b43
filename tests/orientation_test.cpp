// The side of a line, exactly: against whole numbers of 128 bits and at the edges of rounding.

#include "orientation.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>

#include "support/scaled.hpp"

namespace widephase {
namespace {

using Point = std::array<double, 2>;

TEST(orientation, left_right_and_on_the_line) {
  EXPECT_EQ(orientation({0, 0}, {1, 0}, {0, 1}), 1);
  EXPECT_EQ(orientation({0, 0}, {1, 0}, {0, -1}), -1);
  EXPECT_EQ(orientation({0, 0}, {1, 0}, {7, 0}), 0);
  EXPECT_EQ(orientation({1, 1}, {1, 1}, {7, 3}), 0);
}

TEST(orientation, points_one_rounding_off_the_diagonal) {
  // On y = x from 12 to 24: around (0.5, 0.5), steps of 2^-53 decide the side.
  for (int i = -64; i <= 64; ++i) {
    for (int j = -64; j <= 64; ++j) {
      const Point c{0.5 + std::ldexp(i, -53), 0.5 + std::ldexp(j, -53)};
      const int expected = (c[1] > c[0]) - (c[1] < c[0]);
      ASSERT_EQ(orientation({12, 12}, {24, 24}, c), expected) << i << " " << j;
      ASSERT_EQ(orientation({24, 24}, c, {12, 12}), expected) << i << " " << j;
      ASSERT_EQ(orientation({24, 24}, {12, 12}, c), -expected) << i << " " << j;
    }
  }
}

TEST(orientation, whole_numbers_near_a_line) {
  // Numbers below 2^53 and a third point next to the line through the others.
  __extension__ using Wide = __int128;
  std::mt19937_64 random(1);
  for (const int bits : {10, 26, 40, 53}) {
    const std::int64_t most = std::int64_t{1} << (bits - 1);
    std::uniform_int_distribution<std::int64_t> any(-most, most);
    std::uniform_int_distribution<std::int64_t> step(-1, 1);
    for (std::size_t i = 0; i < test::scaled(100000, 1000); ++i) {
      const std::int64_t ax = any(random), ay = any(random), bx = any(random), by = any(random);
      const std::int64_t cx = ax + (bx - ax) / 2 + step(random),
                         cy = ay + (by - ay) / 2 + step(random);
      const Wide exact = Wide(bx - ax) * (cy - ay) - Wide(by - ay) * (cx - ax);
      const Point a{double(ax), double(ay)}, b{double(bx), double(by)}, c{double(cx), double(cy)};
      const int expected = (exact > 0) - (exact < 0);
      ASSERT_EQ(orientation(a, b, c), expected) << ax << " " << ay << " " << bx << " " << by;
      ASSERT_EQ(orientation(b, a, c), -expected);
      ASSERT_EQ(orientation(c, a, b), expected);
    }
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
}  // namespace widephase
