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

TEST(reference, leaning_box_and_a_circle) {
  // Axes (0.8, 0.6) and (-0.6, 0.8): the centre is 1.5 up the second, the face at 1; radius 0.75.
  const auto r =
      reference_of<2>(ball<2>({-0.9, 1.2}, 0.75), box({0, 0}, std::atan2(0.6, 0.8), {2, 1}));
  EXPECT_NEAR(static_cast<double>(r.depth), 0.25, 1e-15);
  EXPECT_NEAR(static_cast<double>(r.normals[0][0]), 0.6, 1e-15);
  EXPECT_NEAR(static_cast<double>(r.normals[0][1]), -0.8, 1e-15);
}

TEST(reference, rounded_corner_of_a_box_to_a_vertex) {
  // From (1, 1) to (4, 5): 5; radii 2 and 3.5.
  const Solid<2> triangle = polygon({4, 5}, 0, {{0, 0}, {4, 0}, {0, 3}}, 3.5);
  const auto r = reference_of<2>(box({0, 0}, 0, {1, 1}, 2), triangle);
  EXPECT_DOUBLE_EQ(static_cast<double>(r.depth), 0.5);
  EXPECT_DOUBLE_EQ(static_cast<double>(r.core_gap[0]), 3);
  EXPECT_DOUBLE_EQ(static_cast<double>(r.core_gap[1]), 4);
}

TEST(reference, a_polygon_leaves_through_the_nearest_side) {
  // The point (1, 0.5) is 0.5 above the lower side of the 3-4-5 triangle, 1 from the left one, 1.4
  // from the long one. In a frame 10 off, rounding is relative to that.
  const Solid<2> triangle = polygon({-10, 0}, 0, {{10, 0}, {14, 0}, {10, 3}});
  const auto r = reference_of<2>(ball<2>({1, 0.5}, 0.25), triangle);
  EXPECT_DOUBLE_EQ(static_cast<double>(r.depth), 0.75);
  EXPECT_EQ(r.core_distance, 0);
  EXPECT_GT(r.size, 20);
  EXPECT_FALSE((has_tie<2>(ball<2>({1, 0.5}, 0.25), triangle, r, 1e-9L)));
}

TEST(reference, a_tilted_box_on_the_floor) {
  // Axes (0.96, 0.28) and (-0.28, 0.96): its lowest corner is 2 * 0.28 + 0.96 below its centre.
  const auto r =
      reference_of<2>(box({0, 0.25}, std::atan2(0.28, 0.96), {2, 1}), halfspace<2>({0, 1}, 0));
  EXPECT_NEAR(static_cast<double>(r.depth), 1.27, 1e-15);
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
  for (const Kind a : kinds(D)) {
    for (const Kind b : kinds(D)) {
      if (a == Kind::halfspace || b == Kind::halfspace) continue;
      no_direction_beats_it(random_pairs<D>(a, b, scaled(50, 5), 1));
      no_direction_beats_it(sized_pairs<D>(a, b, scaled(50, 5), 2));
      no_direction_beats_it(grid_pairs<D>(a, b, scaled(100, 10), 3));
      no_direction_beats_it(near_grid_pairs<D>(a, b, scaled(100, 10), 4));
    }
  }
}

/// A polygon with the corners of a box, in the order that a box's features do not have.
Solid<2> as_polygon(const Solid<2>& solid) {
  return polygon(solid.p, solid.angle, rectangle(solid.q[0], solid.q[1]), solid.size);
}

/// By generators and by corners: two ways that share no more than vectors.
TEST(reference, corners_agree_with_generators) {
  const auto check = [](const std::vector<SolidPair<2>>& pairs) {
    for (const auto& [a, b] : pairs) {
      const Reference<2> expected = zonotope_reference_of(a, b);
      const Reference<2> r = outline_reference_of(a, b);
      const double tolerance = 1e-17 * static_cast<double>(expected.size);
      const std::string text = describe(a) + " and " + describe(b);
      ASSERT_NEAR(static_cast<double>(r.size - expected.size), 0, tolerance) << text;
      ASSERT_NEAR(static_cast<double>(r.depth - expected.depth), 0, tolerance) << text;
      // Along sides that are nearly parallel the nearest points are as good as any.
      ASSERT_NEAR(static_cast<double>(length(minus(r.core_gap, expected.core_gap))), 0,
                  1e6 * tolerance)
          << text;
      // Corners try more directions.
      if (r.core_distance == 0 && has_tie(a, b, expected, 1e-9L)) {
        ASSERT_TRUE(has_tie(a, b, r, 1e-9L)) << text;
      }
      if (a.kind != Kind::box || a.q[0] == 0 || a.q[1] == 0) continue;
      const Reference<2> same = reference_of(as_polygon(a), b);
      ASSERT_NEAR(static_cast<double>(same.depth - expected.depth), 0, tolerance) << text;
      const Vec<2> n = expected.normals[0];
      ASSERT_NEAR(static_cast<double>(depth_along(a, b, n) - depth_along(as_polygon(a), b, n)), 0,
                  tolerance)
          << text;
    }
  };
  for (const Kind a : {Kind::circle, Kind::capsule, Kind::aabb, Kind::box}) {
    for (const Kind b : {Kind::circle, Kind::capsule, Kind::aabb, Kind::box}) {
      check(random_pairs<2>(a, b, scaled(200, 20), 5));
      check(sized_pairs<2>(a, b, scaled(200, 20), 6));
      check(grid_pairs<2>(a, b, scaled(400, 40), 7));
      check(near_grid_pairs<2>(a, b, scaled(400, 40), 8));
      check(special_pairs<2>(a, b));
    }
  }
}

TEST(reference, distances_to_a_box_agree_with_a_polygons) {
  Random random(9);
  for (std::size_t i = 0; i < scaled(500, 50); ++i) {
    Solid<2> solid = random_box(random, random.point<2>(-1, 1), 1);
    const Vec<2> point = widened(random.point<2>(-2, 2));
    const Real expected = distance_to_core_surface(as_polygon(solid), point);
    ASSERT_NEAR(static_cast<double>(distance_to_core_surface(solid, point) - expected), 0, 1e-17);
    const Solid<2> plane = halfspace<2>(random.direction<2>(), random.uniform(-1, 1));
    ASSERT_NEAR(static_cast<double>(reference_of(solid, plane).depth -
                                    reference_of(as_polygon(solid), plane).depth),
                0, 1e-17);
    // Without a turn, the distance to an aabb.
    solid.angle = 0;
    const Solid<2> level = aabb<2>({-solid.q[0], -solid.q[1]}, solid.q);
    const Vec<2> local = minus(point, widened(solid.p));
    ASSERT_NEAR(static_cast<double>(distance_to_core_surface(solid, point) -
                                    distance_to_core_surface(level, local)),
                0, 1e-17);
  }
}

/// Every polygon of every family is one that the library accepts, in either precision.
TEST(reference, polygons_of_families_are_strictly_convex) {
  const auto check = [](const std::vector<SolidPair<2>>& pairs) {
    for (const auto& pair : pairs) {
      for (const Solid<2>& solid : {stored<float>(pair.a), stored<double>(pair.a)}) {
        const std::size_t count = solid.vertices.size();
        ASSERT_GE(count, 3u) << describe(pair.a);
        ASSERT_LE(count, 64u);
        Real area = 0;
        for (std::size_t i = 0; i < count; ++i) {
          const Vec<2> u = widened(solid.vertices[i]);
          const Vec<2> v = widened(solid.vertices[(i + 1) % count]);
          const Vec<2> w = widened(solid.vertices[(i + 2) % count]);
          ASSERT_GT(cross(minus(v, u), minus(w, v)), 0) << describe(solid);
          area += cross(minus(u, widened(solid.vertices[0])), minus(v, u)) / 2;
        }
        // Once round: no star.
        Real turn = 0;
        for (std::size_t i = 0; i < count; ++i) {
          const Vec<2> u = widened(solid.vertices[i]);
          const Vec<2> v = widened(solid.vertices[(i + 1) % count]);
          const Vec<2> w = widened(solid.vertices[(i + 2) % count]);
          turn += std::atan2(cross(minus(v, u), minus(w, v)), dot(minus(v, u), minus(w, v)));
        }
        ASSERT_GT(area, 0) << describe(solid);
        ASSERT_NEAR(static_cast<double>(turn), 8 * kEighthTurn, 1e-9) << describe(solid);
      }
    }
  };
  constexpr Kind kPolygon = Kind::polygon;
  check(random_pairs<2>(kPolygon, kPolygon, 500, 12));
  check(sized_pairs<2>(kPolygon, kPolygon, 500, 13));
  check(grid_pairs<2>(kPolygon, kPolygon, 500, 14));
  check(near_grid_pairs<2>(kPolygon, kPolygon, 500, 15));
  check(special_pairs<2>(kPolygon, kPolygon));
}

TEST(reference, no_direction_beats_it_in_2d) { no_direction_beats_any_kind<2>(); }
TEST(reference, no_direction_beats_it_in_3d) { no_direction_beats_any_kind<3>(); }

}  // namespace
}  // namespace widephase::test
