// The sign of an orientation in 3D against 128-bit integers, where doubles would round.
// Labels: plain reference

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>

#include "geometry/orientation3.hpp"
#include "reference/scaled.hpp"
#include "reference/solids.hpp"

namespace widephase::test {
namespace {

__extension__ using Wide = __int128;

using Whole = std::array<std::int64_t, 3>;

/// Exact for coordinates below 2^40: the determinant is below 6 * 2^123.
int wide_orientation(Whole a, Whole b, Whole c, Whole d) {
  const auto minor = [](Whole u, Whole v, int i, int k) {
    return static_cast<Wide>(u[i]) * v[k] - static_cast<Wide>(u[k]) * v[i];
  };
  Whole u{}, v{}, w{};
  for (std::size_t k = 0; k < 3; ++k) {
    u[k] = b[k] - a[k];
    v[k] = c[k] - a[k];
    w[k] = d[k] - a[k];
  }
  const Wide determinant =
      minor(u, v, 1, 2) * w[0] + minor(u, v, 2, 0) * w[1] + minor(u, v, 0, 1) * w[2];
  return (determinant > 0) - (determinant < 0);
}

Point3 point(Whole p, double unit = 1) {
  return {static_cast<double>(p[0]) * unit, static_cast<double>(p[1]) * unit,
          static_cast<double>(p[2]) * unit};
}

void expect_same(Whole a, Whole b, Whole c, Whole d) {
  const int expected = wide_orientation(a, b, c, d);
  for (const double unit : {1.0, 0x1p-240, 0x1p200}) {
    const Point3 p = point(a, unit), q = point(b, unit), r = point(c, unit), s = point(d, unit);
    ASSERT_EQ(orientation(p, q, r, s), expected);
    ASSERT_EQ(orientation(q, r, p, s), expected);
    ASSERT_EQ(orientation(q, p, r, s), -expected);
    ASSERT_EQ(orientation(s, r, q, p), expected);
    ASSERT_EQ(OrientedPlane(p, q, r).side(s), expected);
    ASSERT_EQ(OrientedPlane(q, p, r).side(s), -expected);
  }
  ASSERT_EQ(orientation_by_exact_sum(point(a), point(b), point(c), point(d)), expected);
}

TEST(orientation3, above_a_counter_clockwise_triangle_is_1) {
  EXPECT_EQ(orientation({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}), 1);
  EXPECT_EQ(orientation({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {5, 5, -1}), -1);
  EXPECT_EQ(orientation({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {7, -3, 0}), 0);
  EXPECT_EQ(orientation({0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {0, 5, 1}), 0);
  EXPECT_EQ(orientation({1, 2, 3}, {1, 2, 3}, {0, 1, 0}, {0, 0, 1}), 0);
}

TEST(orientation3, random_large_numbers) {
  Random random(1);
  const auto any = [&] { return static_cast<std::int64_t>(random.bits() >> 24) - (1LL << 39); };
  const auto anywhere = [&] { return Whole{any(), any(), any()}; };
  for (std::size_t i = 0; i < scaled(50000, 500); ++i) {
    expect_same(anywhere(), anywhere(), anywhere(), anywhere());
  }
}

TEST(orientation3, points_beside_a_plane_by_less_than_rounding) {
  // b, c and d lie whole steps of two directions from a, off the plane by at most 1 in each
  // coordinate: the determinant is small beside its products of up to 2^120.
  Random random(2);
  int in_plane = 0;
  const std::size_t count = scaled(50000, 500);
  for (std::size_t i = 0; i < count; ++i) {
    const auto any = [&](int bits) { return random.integer(-(1 << bits), 1 << bits); };
    const auto any_step = [&] { return Whole{any(17), any(17), any(17)}; };
    const Whole a{any(29), any(29), any(29)}, u = any_step(), v = any_step();
    const auto beside = [&](int off) {
      Whole p = a;
      const std::int64_t along_u = any(20), along_v = any(20);
      for (std::size_t k = 0; k < 3; ++k) {
        p[k] += along_u * u[k] + along_v * v[k] + random.integer(-off, off);
      }
      return p;
    };
    const Whole b = beside(0), c = beside(0), d = beside(static_cast<int>(i % 2));
    in_plane += wide_orientation(a, b, c, d) == 0 ? 1 : 0;
    expect_same(a, b, c, d);
  }
  EXPECT_GE(in_plane, static_cast<int>(count / 2));
}

TEST(orientation3, neighbours_of_a_plane_by_ulps) {
  // 0.5 + i ulps against the plane x + y + z = 1.5 + j ulps through three points far apart, in
  // units of 2^-38.
  constexpr double kUnit = 0x1p-38;
  constexpr std::int64_t kHalf = 1LL << 37;
  for (std::int64_t i = -16; i <= 16; ++i) {
    for (std::int64_t j = -16; j <= 16; ++j) {
      const Whole a{kHalf + i, kHalf + j, kHalf - i};
      const Whole b{3 * kHalf, 0, 0}, c{0, 3 * kHalf, 0}, d{0, 0, 3 * kHalf};
      ASSERT_EQ(orientation(point(b, kUnit), point(c, kUnit), point(d, kUnit), point(a, kUnit)),
                wide_orientation(b, c, d, a));
    }
  }
}

TEST(orientation3, differences_that_are_rounded_keep_their_sign) {
  // 1e-60 above the plane through three points near 1: the difference of coordinates is lost to
  // rounding.
  const double tiny = 1e-60;
  EXPECT_EQ(orientation({1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, tiny, tiny}), 1);
  EXPECT_EQ(orientation({1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, -tiny, tiny}), 0);
  EXPECT_EQ(orientation({1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, -tiny, -tiny}), -1);
}

TEST(orientation3, numbers_of_all_sizes_near_a_plane_have_the_sign_of_the_exact_sum) {
  // Coordinates from 2^-60 to 1, so that most differences are rounded; a fourth point between the
  // three, moved by 2^-40 to 2^-120 or not at all.
  Random random(3);
  std::array<int, 3> seen{};
  for (std::size_t i = 0; i < scaled(20000, 500); ++i) {
    const auto any = [&] { return std::ldexp(random.uniform(-1, 1), random.integer(-60, 0)); };
    const Point3 a{any(), any(), any()}, b{any(), any(), any()}, c{any(), any(), any()};
    const double s = random.integer(0, 4) * 0.25, t = random.integer(0, 4) * 0.25;
    Point3 d = sum(a, sum(times(s, difference(b, a)), times(t, difference(c, a))));
    if (i % 4 != 0) d.z += std::ldexp(random.uniform(-1, 1), -random.integer(40, 120));
    const int expected = orientation_by_exact_sum(a, b, c, d);
    ASSERT_EQ(orientation(a, b, c, d), expected);
    ASSERT_EQ(orientation(c, b, a, d), -expected);
    ASSERT_EQ(OrientedPlane(a, b, c).side(d), expected);
    ++seen[static_cast<std::size_t>(expected + 1)];
  }
  for (const int count : seen) EXPECT_GT(count, 10);
}

TEST(orientation3, holds_for_the_sizes_that_it_promises) {
  for (const double size : {1e-75, 1e-30, 1e30, 1e75}) {
    EXPECT_EQ(orientation({size, 0, 0}, {0, size, 0}, {0, 0, size}, {size, size, size}), 1);
    EXPECT_EQ(orientation({size, 0, 0}, {0, size, 0}, {0, 0, size}, {size, size, -size}), 0);
    EXPECT_EQ(orientation({size, 0, 0}, {0, size, 0}, {0, 0, size}, {1e-75, -1e-75, -1e-75}), -1);
  }
}

TEST(orientation3, three_points_on_one_line) {
  EXPECT_TRUE(are_on_one_line({0, 0, 0}, {1, 2, 3}, {3, 6, 9}));
  EXPECT_TRUE(are_on_one_line({1, 1, 1}, {1, 1, 1}, {3, 6, 9}));
  EXPECT_FALSE(are_on_one_line({0, 0, 0}, {1, 2, 3}, {3, 6, 9.000000000000002}));
  EXPECT_FALSE(are_on_one_line({0, 0, 0}, {0, 0, 1}, {0, 1e-60, 2}));
}

}  // namespace
}  // namespace widephase::test
