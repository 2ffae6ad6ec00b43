// The reference for surfaces: derived by hand on planes, ridges, valleys, tips and holes, the two
// ways to find a ball's places against each other, against other shapes and random directions.
// Labels: plain reference

#include <gtest/gtest.h>

#include "reference/reference.hpp"
#include "reference/surface_contacts.hpp"
#include "support/generate.hpp"

namespace widephase::test {
namespace {

const Quaternion kLevel{0, 0, 0, 1};

/// 8 by 8 cells of size 1, z = height(x, y).
template <class Height>
HeightSamples square(Height&& height) {
  return height_samples(9, 9, {1, 1}, height);
}
HeightSamples flat() {
  return square([](double, double) { return 0.; });
}
/// A ridge along y at x = 4 that falls by 1 per 1 on both sides.
HeightSamples ridge() {
  return square([](double x, double) { return -std::abs(x - 4); });
}
HeightSamples valley() {
  return square([](double x, double) { return std::abs(x - 4); });
}
/// A pyramid whose tip is at (4, 4, 0): it falls by 1 per 1 along the axes.
HeightSamples tip() {
  return square([](double x, double y) { return -std::max(std::abs(x - 4), std::abs(y - 4)); });
}
HeightSamples bumpy(Random& random, double height) {
  return square([&](double, double) { return random.uniform(-height, height); });
}

Kind convex_kind(Random& random) {
  return kConvexKinds[static_cast<std::size_t>(random.integer(0, 7))];
}

/// Relative to the shape's position.
Surface around(const Surface& surface, const Solid<3>& solid) {
  const std::array<Vec<3>, 3> axes{Vec<3>{1, 0, 0}, Vec<3>{0, 1, 0}, Vec<3>{0, 0, 1}};
  return surface.placed(times(widened(solid.p), -1), axes);
}

/// The places that are as deep as -margin, felt, and no nearer than rounding to not being felt.
std::vector<SurfacePlace> felt_places(const Surface& world, const Solid<3>& solid, Real margin) {
  const Surface surface = around(world, solid);
  const SurfacePair pair(solid, surface);
  std::vector<SurfacePlace> places;
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    const SurfacePlace place = pair.place(t);
    if (place.depth >= -margin && place.most_slack <= 1e-12L) places.push_back(place);
  }
  return places;
}

void expect_all(const HeightSamples& samples, const Solid<3>& solid, const Vec<3>& normal,
                double depth, std::size_t least_count = 1, Real margin = 0) {
  const auto places = felt_places(surface_of(samples), solid, margin);
  EXPECT_GE(places.size(), least_count) << describe(solid);
  for (const SurfacePlace& place : places) {
    EXPECT_LT(length(minus(place.normal, normal)), 1e-6L) << describe(solid);
    EXPECT_NEAR(static_cast<double>(place.depth), depth, 1e-9) << describe(solid);
    EXPECT_LE(place.depth - place.lower, 1e-9L) << describe(solid);
  }
}

TEST(reference_surface, numbers_corners_and_holes) {
  // 3 by 4 samples, of which the one at row 1, column 2 is missing: it is a corner of six
  // triangles.
  HeightSamples samples = height_samples(3, 4, {2, 0.5}, [](double x, double y) { return x + y; });
  EXPECT_EQ(surface_of(samples).triangles.size(), 12u);
  samples.at(1, 2) = std::nan("");
  const Surface surface = surface_of(samples);
  ASSERT_EQ(surface.triangles.size(), 6u);
  // Four samples in a row: the cells of row 0 begin at 0, 2 and 4, those of row 1 at 8, 10 and 12.
  // The missing sample is the third corner of both triangles of cell 2, the last of 4's second,
  // the second of 10's first, the first of both of 12.
  EXPECT_EQ(surface.numbers, (std::vector<std::int32_t>{0, 1, 4, 8, 9, 11}));
  const auto expect_corner = [&](std::size_t t, std::size_t k, Vec<3> corner) {
    EXPECT_EQ(length(minus(surface.corner(t, k), corner)), 0);
  };
  expect_corner(2, 0, {4, 0, 4});
  expect_corner(2, 1, {6, 0, 6});
  expect_corner(2, 2, {6, 0.5L, 6.5L});
  for (const Vec<3>& normal : surface.normals) EXPECT_GT(normal[2], 0);
  EXPECT_EQ(height_at(samples, 1, 0.125), 1.125);
  EXPECT_TRUE(std::isnan(height_at(samples, 3.9, 0.45)));
  EXPECT_TRUE(std::isnan(height_at(samples, -0.1, 0)));
}

TEST(reference_surface, a_ball_on_a_plane_has_one_place_wherever_it_is) {
  // Over a face, an edge along an axis, a diagonal, a vertex.
  for (const Point<3> at : {Point<3>{3.4, 3.2, 0.4}, {3.5, 3, 0.4}, {3.5, 3.5, 0.4}, {3, 3, 0.4}}) {
    const Solid<3> solid = ball<3>(at, 0.5);
    expect_all(flat(), solid, {0, 0, 1}, 0.1);
    const auto places = ball_places(surface_of(flat()), widened(at), 1e-12L);
    ASSERT_EQ(places.size(), 1u);
    EXPECT_EQ(places[0].distance, Real{0.4});
  }
  EXPECT_EQ(ball_places(surface_of(flat()), {3.4L, 3.2L, 1}, 0)[0].number, 2 * (3 * 9 + 3));
  EXPECT_EQ(ball_places(surface_of(flat()), {3.5L, 3.5L, 1}, 0)[0].feature, Feature::edge);
  EXPECT_EQ(ball_places(surface_of(flat()), {3, 3, 1}, 0)[0].number, 2 * (2 * 9 + 2));
  // From below as from above.
  EXPECT_EQ(ball_places(surface_of(flat()), {3.4L, 3.2L, -1}, 0).size(), 1u);
}

TEST(reference_surface, a_ball_beside_a_ridge_and_in_a_valley) {
  const Real half = std::sqrt(Real{0.5});
  // 1 above the ridge: straight down to it. 1 above the valley's bottom: two slopes.
  const auto on_ridge = ball_places(surface_of(ridge()), {4, 3.3L, 1}, 0);
  ASSERT_EQ(on_ridge.size(), 1u);
  EXPECT_EQ(on_ridge[0].feature, Feature::edge);
  EXPECT_EQ(on_ridge[0].distance, 1);
  const auto in_valley = ball_places(surface_of(valley()), {4, 3.3L, 1}, 0);
  ASSERT_EQ(in_valley.size(), 2u);
  for (const BallPlace& place : in_valley) EXPECT_NEAR(double(place.distance), double(half), 1e-15);
  // 0.3 below the valley's bottom the nearest point is the bottom.
  const auto below = ball_places(surface_of(valley()), {4, 3.3L, -0.3L}, 0);
  ASSERT_EQ(below.size(), 1u);
  EXPECT_EQ(below[0].feature, Feature::edge);
  // Over a tip, one vertex. Beyond a border, its edge.
  EXPECT_EQ(ball_places(surface_of(tip()), {4, 4, 1}, 0)[0].feature, Feature::vertex);
  const auto beyond = ball_places(surface_of(flat()), {-3, 3.3L, -4}, 0);
  ASSERT_EQ(beyond.size(), 1u);
  EXPECT_EQ(beyond[0].distance, 5);
}

TEST(reference_surface, every_kind_rests_on_a_plane_as_on_a_halfspace) {
  Random random(401);
  for (const Kind kind : kConvexKinds) {
    for (int i = 0; i < 8; ++i) {
      Solid<3> solid = random_solid<3>(random, kind, {0, 0, 0}, 1);
      const double low = static_cast<double>(core_support(solid, {0, 0, -1}) + radius_of(solid));
      // From 0.05 deep to 0.05 apart.
      const double depth = random.uniform(-0.05, 0.05);
      solid = moved(solid, {4.1, 3.9, low - depth});
      const Solid<3> floor = halfspace<3>({0, 0, 1}, 0);
      EXPECT_NEAR(static_cast<double>(reference_of(solid, floor).depth), depth, 1e-9);
      expect_all(flat(), solid, {0, 0, 1}, depth, 1, 0.06L);
    }
  }
}

TEST(reference_surface, boxes_on_ridges_tips_and_valleys) {
  const double half = std::sqrt(0.5);
  const Point<3> size{1, 1, 0.5};
  // Its lower face 0.1 below the ridge or tip: up by 0.1, where a slope alone would take more.
  expect_all(ridge(), box({4, 4.2, 0.4}, kLevel, size), {0, 0, 1}, 0.1, 2);
  const Surface at_tip = surface_of(tip());
  const Solid<3> over_tip = box({4, 4, 0.4}, kLevel, size);
  const auto places = felt_places(at_tip, over_tip, 0);
  ASSERT_GE(places.size(), 4u);
  for (const SurfacePlace& place : places) EXPECT_NEAR(double(place.depth), 0.1, 1e-9);
  // A box of 2 by 2 in a valley of 45 degrees: edges 1 from the middle are 0.1 over the slopes if
  // its face is at 1.1; at 0.9 each slope takes 0.1 times the root of a half.
  EXPECT_TRUE(felt_places(surface_of(valley()), box({4, 4.2, 1.6}, kLevel, size), 0).empty());
  const auto in_valley = felt_places(surface_of(valley()), box({4, 4.2, 1.4}, kLevel, size), 0);
  ASSERT_GE(in_valley.size(), 2u);
  for (const SurfacePlace& place : in_valley) {
    EXPECT_NEAR(double(place.depth), 0.1 * half, 1e-9);
    EXPECT_NEAR(double(place.normal[2]), half, 1e-9);
  }
}

TEST(reference_surface, a_capsule_across_a_ridge_leaves_between_both_edges) {
  // Its core is 0.1 below the ridge and crosses it at a right angle: up.
  expect_all(ridge(), capsule<3>({3, 4.3, -0.1}, {5, 4.3, -0.1}, 0.25), {0, 0, 1}, 0.35, 2);
  // 0.1 above it.
  expect_all(ridge(), capsule<3>({3, 4.3, 0.1}, {5, 4.3, 0.1}, 0.25), {0, 0, 1}, 0.15, 2);
}

TEST(reference_surface, balls_find_the_same_places_by_features_and_by_triangles) {
  Random random(402);
  for (int i = 0; i < 60; ++i) {
    const Surface world = surface_of(bumpy(random, 0.7));
    const Vec<3> center{random.uniform(0.5, 7.5), random.uniform(0.5, 7.5),
                        random.uniform(0.8, 1.6)};
    const Solid<3> solid = ball<3>({double(center[0]), double(center[1]), double(center[2])}, 1.5);
    const auto by_triangle = felt_places(world, solid, 0);
    std::size_t count = 0;
    for (const BallPlace& place : ball_places(world, widened(solid.p), 1e-12L)) {
      if (place.distance > 1.5L) continue;
      ++count;
      std::size_t same = 0;
      for (const SurfacePlace& other : by_triangle) {
        const bool is_same =
            length(minus(plus(other.point, widened(solid.p)), place.point)) < 1e-12L;
        if (!is_same) continue;
        ++same;
        EXPECT_NEAR(double(other.depth), double(1.5L - place.distance), 1e-12);
      }
      EXPECT_GE(same, 1u);
    }
    std::vector<Vec<3>> different;
    for (const SurfacePlace& other : by_triangle) {
      bool is_new = true;
      for (const Vec<3>& known : different) {
        is_new = is_new && length(minus(known, other.point)) > 1e-12L;
      }
      if (is_new) different.push_back(other.point);
    }
    EXPECT_EQ(different.size(), count);
  }
}

TEST(reference_surface, two_triangles_are_as_far_as_their_rectangle) {
  Random random(403);
  const Surface world =
      surface_of(height_samples(2, 2, {1.5, 0.75}, [](double, double) { return 0.25; }));
  const Solid<3> plate = aabb<3>({0, 0, 0.25}, {1.5, 0.75, 0.25});
  for (const Kind kind : kConvexKinds) {
    for (int i = 0; i < 20; ++i) {
      const Solid<3> solid = random_solid<3>(random, kind, random.point<3>(-1, 2), 0.5);
      const Reference<3> reference = reference_of(solid, plate);
      if (!(reference.core_distance > 1e-3L)) continue;
      const Surface surface = around(world, solid);
      const SurfacePair pair(solid, surface);
      const Real least = std::max(pair.least_core_way_out(0), pair.least_core_way_out(1));
      // An ellipsoid's core is a smaller one here.
      const Real more = pair.radius() - radius_of(solid);
      EXPECT_NEAR(double(-least - more), double(reference.core_distance), 1e-9) << describe(solid);
    }
  }
}

TEST(reference_surface, no_felt_direction_beats_a_crossing_place) {
  Random random(404);
  std::size_t crossing = 0;
  for (int i = 0; i < 40; ++i) {
    const Surface world = surface_of(bumpy(random, 0.5));
    const Solid<3> solid = random_solid<3>(random, convex_kind(random),
                                           {random.uniform(2, 6), random.uniform(2, 6), 0.6}, 1);
    const Surface surface = around(world, solid);
    const SurfacePair pair(solid, surface);
    for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
      if (pair.least_core_way_out(t) <= 0) continue;
      const SurfacePlace place = pair.place(t);
      EXPECT_TRUE(place.crosses);
      ++crossing;
      EXPECT_LE(place.depth - place.lower, 1e-6L * pair.size()) << describe(solid);
      EXPECT_NEAR(double(pair.way_out(t, place.normal)), double(place.depth), 1e-9);
      EXPECT_LE(pair.angle_to_felt(t, place.normal, 1e-12L), 1e-9L);
      for (const auto& [feature, part] : felt_parts(surface, t)) {
        if (pair.depth_below(feature) < 0) continue;
        Vec<3> n{};
        for (const Vec<3>& corner : part) n = plus(n, corner, Real{random.uniform(0, 1)});
        n = times(n, 1 / length(n));
        EXPECT_GE(pair.way_out(t, n), place.lower - 1e-9L);
        EXPECT_LE(pair.angle_to_felt(t, n, 1e-12L), 1e-9L);
        // Felt at the corner that is foremost along it, unless it is the face's own normal.
        if (part.size() < 3) continue;
        std::size_t foremost = 0;
        for (std::size_t k = 1; k < 3; ++k) {
          if (dot(surface.corner(t, k), n) > dot(surface.corner(t, foremost), n)) foremost = k;
        }
        EXPECT_LE(surface.slack_at_vertex(surface.triangles[t][foremost], n), 1e-12L);
      }
    }
  }
  EXPECT_GT(crossing, 50u);
}

TEST(reference_surface, a_slope_is_no_least_way_out_beside_a_ridge) {
  // A box whose lower face is 0.1 below the ridge leaves upwards. The slope's own normal takes
  // more, and less as it turns to the ridge's; sideways the box would leave the front of both
  // slopes.
  const Solid<3> solid = box({4, 4.2, 0.4}, kLevel, {1, 1, 0.5});
  const Surface surface = around(surface_of(ridge()), solid);
  const SurfacePair pair(solid, surface);
  const auto at = static_cast<std::size_t>(std::ranges::find(surface.numbers, 2 * (4 * 9 + 4)) -
                                           surface.numbers.begin());
  const auto [gain, there] = pair.gain_nearby(at, surface.normals[at], 0);
  // The corner is 1 + 0.1 below the slope's top, so a turn by 0.01 saves about 0.01 of what is
  // across: (1 - 0.1) times the root of a half.
  EXPECT_NEAR(static_cast<double>(gain), 0.009 * std::sqrt(0.5), 1e-4);
  EXPECT_GT(there[2], surface.normals[at][2]);
  EXPECT_LT(pair.gain_nearby(at, {0, 0, 1}, 0).first, 1e-12L);
  // It reaches below the triangles under it, not below those two cells away.
  EXPECT_TRUE(pair.reaches_below(at, 1e-12L));
  EXPECT_FALSE(pair.reaches_below(at + 4, 1e-12L));
}

TEST(reference_surface, cutting_a_field_at_a_seam_changes_no_place) {
  Random random(405);
  for (int i = 0; i < 10; ++i) {
    const HeightSamples whole = bumpy(random, 0.5);
    HeightSamples low{9, 5, {1, 1}, {}}, high{9, 5, {1, 1}, {}};
    for (std::size_t row = 0; row < 9; ++row) {
      for (std::size_t column = 0; column < 5; ++column) {
        low.heights.push_back(whole.at(row, column));
        high.heights.push_back(whole.at(row, column + 4));
      }
    }
    const Solid<3> solid = random_solid<3>(random, convex_kind(random), {4, 4, 1}, 1);
    const Surface left = surface_of(low, {nullptr, &high, nullptr, nullptr});
    Surface right = surface_of(high, {&low, nullptr, nullptr, nullptr});
    for (Vec<3>& vertex : right.vertices) vertex[0] += 4;
    std::vector<SurfacePlace> cut;
    for (const Surface* part : std::array<const Surface*, 2>{&left, &right}) {
      const Surface surface = around(*part, solid);
      const SurfacePair pair(solid, surface);
      for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
        if (surface.numbers[t] < 0) continue;
        const SurfacePlace place = pair.place(t);
        if (place.depth >= -0.5L && place.most_slack <= 1e-12L) cut.push_back(place);
      }
    }
    const auto all = felt_places(surface_of(whole), solid, 0.5L);
    ASSERT_EQ(cut.size(), all.size());
    for (const SurfacePlace& place : all) {
      EXPECT_TRUE(std::ranges::any_of(cut, [&](const SurfacePlace& other) {
        return std::abs(other.depth - place.depth) < 1e-9L &&
               length(minus(other.normal, place.normal)) < 1e-4L;
      }));
    }
  }
}

}  // namespace
}  // namespace widephase::test
