// The reference itself: by hand, and against random directions, which can only do worse.

#include "support/reference.hpp"

#include <gtest/gtest.h>

#include "support/generate.hpp"

namespace widephase::test {
namespace {

TEST(reference, circles_overlap_by_the_sum_of_radii_less_the_distance) {
  // Centres 5 apart (3, 4), radii 3 and 2.5: overlap 0.5.
  const auto r = reference_of<2>(ball<2>({0, 0}, 3), ball<2>({3, 4}, 2.5));
  EXPECT_DOUBLE_EQ(static_cast<double>(r.depth), 0.5);
  EXPECT_DOUBLE_EQ(static_cast<double>(r.normals[0][0]), 0.6);
  EXPECT_DOUBLE_EQ(static_cast<double>(r.normals[0][1]), 0.8);
}

TEST(reference, crossing_segments_leave_over_the_nearest_end) {
  // A lies on x from -2 to 2; B crosses it along y from -1 to 3: pushed up by 1, B's lower end
  // leaves A. Radii 0.25 and 0.5 on top: 1.75.
  const auto r =
      reference_of<2>(capsule<2>({-2, 0}, {2, 0}, 0.25), capsule<2>({0, -1}, {0, 3}, 0.5));
  EXPECT_DOUBLE_EQ(static_cast<double>(r.depth), 1.75);
  EXPECT_FALSE(
      (has_tie<2>(capsule<2>({-2, 0}, {2, 0}, 0.25), capsule<2>({0, -1}, {0, 3}, 0.5), r, 1e-9L)));
}

TEST(reference, crossing_segments_in_3d_leave_either_way) {
  // The segments meet in a point; along z both ways take the radii alone.
  const auto a = capsule<3>({-2, 0, 0}, {2, 0, 0}, 0.25);
  const auto b = capsule<3>({0, -1, 0}, {0, 3, 0}, 0.5);
  const auto r = reference_of<3>(a, b);
  EXPECT_DOUBLE_EQ(static_cast<double>(r.depth), 0.75);
  EXPECT_TRUE(has_tie(a, b, r, 1e-9L));
}

TEST(reference, box_diagonal_to_a_sphere) {
  // Corner (1, 1, 1) to centre (2, 3, 3): 3 away; radius 2: apart by 1.
  const auto r = reference_of<3>(ball<3>({2, 3, 3}, 2), aabb<3>({-1, -1, -1}, {1, 1, 1}));
  EXPECT_DOUBLE_EQ(static_cast<double>(r.depth), -1);
  EXPECT_DOUBLE_EQ(static_cast<double>(r.normals[0][0]), -1. / 3);
}

TEST(reference, halfspace_below_a_box) {
  // The floor y <= 0.5, a box standing from 0.25 on: 0.25 deep, the floor leaves downwards.
  const auto r = reference_of<3>(aabb<3>({0, 0.25, 0}, {1, 2, 1}), halfspace<3>({0, 1, 0}, 0.5));
  EXPECT_DOUBLE_EQ(static_cast<double>(r.depth), 0.25);
  EXPECT_DOUBLE_EQ(static_cast<double>(r.normals[0][1]), -1);
}

template <int D>
void no_direction_beats_it(const std::vector<SolidPair<D>>& pairs) {
  Random random(11);
  for (const auto& [a, b] : pairs) {
    const Reference<D> r = reference_of(a, b);
    Real least = 1e300L;
    for (const Vec<D>& n : r.normals) least = std::min(least, depth_along(a, b, n));
    // Some direction attains it: with the distance a point attains, that proves both.
    ASSERT_NEAR(static_cast<double>((least - r.depth) / r.size), 0, 1e-14)
        << describe(a) << " and " << describe(b);
    for (int i = 0; i < 40; ++i) {
      const Vec<D> n = widened(random.direction<D>());
      const Vec<D> unit = times(n, 1 / length(n));
      ASSERT_GE(static_cast<double>(depth_along(a, b, unit) - r.depth), -1e-14 * r.size)
          << describe(a) << " and " << describe(b);
    }
  }
}

template <int D>
void no_direction_beats_any_kind() {
  for (const Kind a : {Kind::sphere, Kind::capsule, Kind::aabb}) {
    for (const Kind b : {Kind::sphere, Kind::capsule, Kind::aabb}) {
      no_direction_beats_it(random_pairs<D>(a, b, scaled(50, 5), 1));
      no_direction_beats_it(sized_pairs<D>(a, b, scaled(50, 5), 2));
      no_direction_beats_it(grid_pairs<D>(a, b, scaled(100, 10), 3));
      no_direction_beats_it(near_grid_pairs<D>(a, b, scaled(100, 10), 4));
    }
  }
}

TEST(reference, no_direction_beats_it_in_2d) { no_direction_beats_any_kind<2>(); }
TEST(reference, no_direction_beats_it_in_3d) { no_direction_beats_any_kind<3>(); }

}  // namespace
}  // namespace widephase::test
