// In 2D, tiles of one owner that lie flush (`flush_tolerance`) are a floor for every kind at any
// angle, and what other engines were seen to get wrong with floors of parts. The reference is a
// half-plane.
// Labels: dated

#include <gtest/gtest.h>

#include <string>

#include "reference/scaled.hpp"
#include "support/flat_tiles.hpp"

namespace widephase::test {
namespace {

struct FlatCase {
  FlatTiling tiling = FlatTiling::even;
  Kind tile = Kind::box;
  FlatPose pose;
  double gap = 0, step = 0;
  double tolerance = kFlatTolerance;
  double turn_tolerance = 3e-5;
  bool is_moving = false;  ///< the tiles: no static scene
};

/// Shapes 0.001 to 0.01 deep in a floor, at any angle and nearly level.
template <class T>
void expect_floor(const FlatCase& asked, Kind kind, std::size_t count, std::uint64_t seed) {
  SCOPED_TRACE(std::string(kind_name(kind, 2)));
  Random random(seed);
  SceneColumns<2, T> ground, scene;
  for (const Solid<2>& tile :
       flat_tiles(random, asked.tiling, asked.tile, asked.pose, asked.gap, asked.step)) {
    append<2, T>(ground, stored<T>(tile));
  }
  for_each_table(ground, [](auto& table) { table.owner.resize(row_count(table), 7); });
  const std::size_t tiles =
      row_count(ground.aabbs) + row_count(ground.boxes) + row_count(ground.polygons);
  SceneColumns<2, T> both = ground;
  std::vector<Solid<2>> bodies;
  const Point<2> up = asked.pose.up();
  for (std::size_t i = 0; i < count; ++i) {
    const double level = std::pow(10, random.uniform(-7, -2)) * (random.chance(0.5) ? 1 : -1);
    const double angle = random.chance(0.5) ? random.uniform(-3.2, 3.2) : level;
    Solid<2> solid = flat_body(random, kind, asked.pose.angle + angle);
    const Point<2> place = asked.pose.placed({random.uniform(-3, 3), 0});
    const double depth = random.uniform(0.001, 0.01);
    solid = moved(solid, place);
    const double rise = depth_below(solid, place, up) - depth;
    solid = stored<T>(moved(solid, {rise * up[0], rise * up[1]}));
    bodies.push_back(solid);
    append<2, T>(scene, solid);
    append<2, T>(both, solid);
  }
  if (kind == Kind::polygon) {  // point sets are the static scene's
    const std::size_t own = row_count(ground.polygons);
    for (std::size_t i = 0; i < count; ++i) {
      scene.polygons.geometry[i] = both.polygons.geometry[own + i];
    }
    ground.geometries = both.geometries;
  }
  scene.geometries = {};
  CollideOptions options;
  options.flush_tolerance = asked.tolerance;
  options.threads.count = 1;
  options.moving_pairs = false;
  Workspace<2, T> workspace;
  StaticScene<2, T> kept;
  ContactBuffer<2, T> contacts;
  build_static_scene<2, T>(ground, kept, workspace, options);
  collide<2, T>(scene, kept, contacts, workspace, options);
  std::vector<double> deepest(count, -1);
  std::size_t wrong = 0;
  std::string first;
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const bool is_a = contacts.pair[c].a < static_cast<std::int32_t>(count);
    const auto body = static_cast<std::size_t>(is_a ? contacts.pair[c].a : contacts.pair[c].b);
    const std::int32_t tile =
        (is_a ? contacts.pair[c].b : contacts.pair[c].a) - static_cast<std::int32_t>(count);
    ASSERT_LT(static_cast<std::size_t>(tile), tiles);
    const double sign = is_a ? -1 : 1;
    const Point<2> away{sign * static_cast<double>(contacts.normal(c, 0)),
                        sign * static_cast<double>(contacts.normal(c, 1))};
    deepest[body] = std::max(deepest[body], static_cast<double>(contacts.depth[c]));
    if (flat_distance(away, up) <= asked.turn_tolerance) continue;
    if (wrong++ == 0) {
      first = describe(bodies[body]) + " off by " + std::to_string(flat_distance(away, up)) +
              " depth " + std::to_string(contacts.depth[c]) + " on " +
              describe(solid_of<2, T>(ground, tile));
    }
  }
  EXPECT_EQ(wrong, 0u) << "of " << contacts.size() << ": " << first;
  const double allowed = (sizeof(SizeOf<T>) == 4 ? 3e-6 : 1e-11) +
                         (sizeof(PositionOf<T>) == 4 ? 4e-7 : 4e-16) * std::abs(asked.pose.at[0]) +
                         asked.gap + asked.step;
  for (std::size_t i = 0; i < count; ++i) {
    EXPECT_NEAR(deepest[i], depth_below(bodies[i], asked.pose.at, up), allowed)
        << describe(bodies[i]);
  }
}

template <class T>
void expect_floors(const FlatCase& asked, std::size_t count, std::uint64_t seed) {
  for (const Kind kind : kFlatBodies) expect_floor<T>(asked, kind, count, seed);
}

TEST(flush2, a_floor_of_tiles_is_a_floor) {
  const std::size_t count = scaled(400, 40);
  for (const FlatTiling tiling : {FlatTiling::even, FlatTiling::mixed, FlatTiling::bricks}) {
    for (const Kind tile : {Kind::aabb, Kind::box, Kind::polygon}) {
      SCOPED_TRACE(testing::Message()
                   << "tiling " << static_cast<int>(tiling) << " of " << kind_name(tile, 2));
      FlatCase asked;
      asked.tiling = tiling;
      asked.tile = tile;
      expect_floors<float>(asked, count, 1);
      expect_floors<double>(asked, count / 2, 2);
    }
  }
}

TEST(flush2, a_floor_of_wedges_that_leans_is_a_floor) {
  for (const double angle : {0.0, 0.7, -2.5}) {
    FlatCase asked;
    asked.pose.angle = angle;
    for (const FlatTiling tiling : {FlatTiling::wedges, FlatTiling::mixed}) {
      asked.tiling = tiling;
      expect_floors<float>(asked, scaled(400, 40), 3);
      expect_floors<double>(asked, scaled(200, 20), 4);
      expect_floors<Mixed>(asked, scaled(200, 20), 4);
    }
  }
}

TEST(flush2, a_floor_far_from_the_origin_is_a_floor) {
  FlatCase asked;
  asked.pose.at = {1e6, -3e6};
  asked.pose.angle = 0.4;
  for (const FlatTiling tiling : {FlatTiling::wedges, FlatTiling::bricks}) {
    asked.tiling = tiling;
    expect_floors<double>(asked, scaled(200, 20), 5);
    expect_floors<Mixed>(asked, scaled(200, 20), 5);
  }
}

TEST(flush2, gaps_and_steps_within_the_tolerance_are_not_felt) {
  FlatCase asked;
  asked.tolerance = 1e-3;
  asked.gap = 1e-3;
  asked.step = 5e-4;
  asked.turn_tolerance = 1e-2;
  for (const FlatTiling tiling : {FlatTiling::even, FlatTiling::mixed, FlatTiling::bricks}) {
    asked.tiling = tiling;
    expect_floors<float>(asked, scaled(400, 40), 6);
  }
}

/// A shape of a kind that slides over parts: `judge(x, normal, depth)` for each contact.
template <class Judge>
void slide(const std::vector<Solid<2>>& parts, Kind kind, double from, double to, double height,
           const Judge& judge) {
  const std::size_t steps = scaled(400, 80);
  std::vector<Solid<2>> bodies;
  for (std::size_t step = 0; step < steps; ++step) {
    const double x = from + (to - from) * static_cast<double>(step) / static_cast<double>(steps);
    const Point<2> half{0.3, 0.2};
    const std::vector<Point<2>> keel{{-0.3, 0}, {-0.2, -0.2}, {0.2, -0.2}, {0.3, 0}, {0, 0.2}};
    bodies.push_back(kind == Kind::circle ? ball<2>({x, height}, half[1])
                     : kind == Kind::box  ? box({x, height}, 0, half)
                                          : polygon({x, height}, 0, keel));
  }
  const FlatAsked<float> asked(parts, bodies);
  std::vector<std::size_t> contacts(steps);
  for (std::size_t c = 0; c < asked.contacts.size(); ++c) {
    const Pair pair = asked.contacts.pair[c];
    const auto number_of = [&](std::int32_t id) {
      return static_cast<std::size_t>(std::ranges::find(asked.ids, id) - asked.ids.begin());
    };
    const std::size_t a = number_of(pair.a), b = number_of(pair.b), count = parts.size();
    const std::size_t step = std::max(a, b) - count;
    const double sign = a < count ? 1 : -1;
    ++contacts[step];
    judge(bodies[step].p[0],
          Point<2>{sign * static_cast<double>(asked.contacts.normal(c, 0)),
                   sign * static_cast<double>(asked.contacts.normal(c, 1))},
          static_cast<double>(asked.contacts.depth[c]));
  }
  EXPECT_TRUE(std::ranges::all_of(contacts, [](std::size_t count) { return count > 0; }));
}
constexpr Kind kSliders[] = {Kind::circle, Kind::box, Kind::polygon};

TEST(flush2, box2d_341_a_polygon_slides_over_a_crest_wherever_the_parts_go_on) {
  // From level tiles over a crest at 0 to a wedge that falls, and what lies beyond it.
  for (const double beyond : {-3.0, -1.5, -0.5}) {
    const std::vector<Solid<2>> parts{aabb<2>({-4, -1}, {-2, 0}), box({-1, -0.5}, 0, {1, 0.5}),
                                      polygon({0, 0}, 0, {{0, 0}, {0, -1}, {3, -4}, {3, -1}}),
                                      polygon({0, 0}, 0, {{3, -1}, {3, -4}, {6, -4}, {6, beyond}})};
    for (const Kind kind : kSliders) {
      const double end = kind == Kind::circle ? 0.01 : 0.2;  // where it leaves the crest
      slide(parts, kind, -3, end, 0.199, [](double x, const Point<2>& normal, double) {
        EXPECT_GE(normal[0], -1e-5) << x;
        EXPECT_LE(normal[0], std::sqrt(0.1) + 1e-5) << x;  // the wedge's
        EXPECT_GT(normal[1], 0.9) << x;
      });
    }
  }
}

TEST(flush2, box2d_553_wheels_roll_over_teeth_without_jumps) {
  // Teeth of two wedges each: over the tip at (1, 1) the normal turns steadily.
  std::vector<Solid<2>> teeth;
  for (const double x : {-1.0, 1.0, 3.0}) {
    teeth.push_back(polygon({x, 0}, 0, {{-1, 0}, {0, 0}, {0, 1}}));
    teeth.push_back(polygon({x, 0}, 0, {{0, 0}, {1, 0}, {0, 1}}));
  }
  std::vector<Solid<2>> wheels;
  for (int step = 0; step <= 400; ++step) wheels.push_back(ball<2>({0.8 + 0.001 * step, 1.7}, 1));
  const FlatAsked<double> asked(teeth, wheels);
  for (std::size_t step = 0; step < wheels.size(); ++step) {
    const double x = wheels[step].p[0] - 1, length = std::hypot(x, 0.7);
    for (const std::size_t half : {2, 3}) {
      const auto found = asked.between(half, teeth.size() + step);
      ASSERT_EQ(found.size(), 1u);
      EXPECT_NEAR(found[0].normal[0], x / length, 1e-12);
      EXPECT_NEAR(found[0].depth, 1 - length, 1e-12);
    }
  }
}

TEST(flush2, box2d_607_flush_parts_of_every_kind_are_smooth) {
  const std::vector<Solid<2>> parts{aabb<2>({-5, -1}, {-2, 0}), box({-1.5, -0.5}, 0, {0.5, 0.5}),
                                    polygon({0, 0}, 0, {{-1, -1}, {0, -0.5}, {0, 0}, {-1, 0}}),
                                    polygon({0, 0}, 0, {{0, 0}, {0, -0.5}, {0.5, -2}, {0.5, 0}}),
                                    aabb<2>({0.5, -1}, {5, 0})};
  for (const Kind kind : kSliders) {
    slide(parts, kind, -4, 3, 0.199, [](double x, const Point<2>& normal, double depth) {
      EXPECT_LT(flat_distance(normal, {0, 1}), 1e-5) << x;
      EXPECT_NEAR(depth, 0.001, 2e-6) << x;
    });
  }
}

TEST(flush2, a_step_beyond_the_tolerance_is_felt) {
  // The right block is higher by ten tolerances: a crate that comes from the left meets its side.
  const std::vector<Solid<2>> blocks{aabb<2>({-1, -1}, {0, 0}),
                                     aabb<2>({0, -1}, {1, 10 * kFlatTolerance})};
  const FlatAsked<double> asked(blocks, {box({-0.0999, 0.0999}, 0, {0.1, 0.1})});
  const auto found = asked.between(1, 2);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_LT(flat_distance(found[0].normal, {-1, 0}), 1e-9);
}

TEST(flush2, bodies_at_rest_on_seams_keep_their_points) {
  // Trembling by a tenth of the steadiness in place and angle, each over one joint or more. Their
  // ends are farther from joints than the margin: there contacts come and go.
  Random random(9);
  SceneColumns<2, float> ground, moving;
  for (const Solid<2>& tile : flat_tiles(random, FlatTiling::even, Kind::box, {})) {
    append<2, float>(ground, stored<float>(tile));
  }
  ground.boxes.owner.resize(row_count(ground.boxes), 1);
  constexpr int kCount = 100;
  std::vector<Point<2>> at, half;
  while (at.size() < kCount) {
    const double x = random.uniform(-3, 3), wide = random.uniform(0.3, 0.6);
    const auto off_joint = [](double end) { return std::abs(end - 0.5 * std::round(2 * end)); };
    if (std::min(off_joint(x - wide), off_joint(x + wide)) < 0.02) continue;
    half.push_back({wide, random.uniform(0.1, 0.4)});
    at.push_back({x, half.back()[1] - 0.001});
    append<2, float>(moving, stored<float>(box(at.back(), 0, half.back())));
  }
  CollideOptions options;
  options.flush_tolerance = kFlatTolerance;
  options.moving_pairs = false;
  options.margin = 0.01;
  Workspace<2, float> workspace;
  StaticScene<2, float> kept;
  build_static_scene<2, float>(ground, kept, workspace, options);
  options.steadiness = 5e-4;
  Tracker<2, float> tracker;
  ContactBuffer<2, float> contacts;
  std::size_t points = 0, lost = 0;
  for (std::size_t step = 0; step < scaled(60, 20); ++step) {
    for (std::size_t n = 0; n < kCount; ++n) {
      for (int k = 0; k < 2; ++k) {
        moving.boxes.center(n, k) = static_cast<float>(at[n][k] + random.uniform(-5e-5, 5e-5));
      }
      moving.boxes.turn[n] = static_cast<float>(random.uniform(-5e-5, 5e-5));
    }
    SceneSpan<2, float> span = moving;
    span.kept = &kept;
    collide<2, float>(span, contacts, workspace, tracker, options);
    for (std::size_t c = 0; c < contacts.size(); ++c) {
      ASSERT_GT(std::abs(contacts.normal(c, 1)), 1 - 1e-7f);
    }
    if (step < 2) continue;
    for (const std::int64_t last : tracker.last_point()) {
      ++points;
      lost += last < 0 ? 1 : 0;
    }
  }
  EXPECT_GT(points, 400 * (scaled(60, 20) - 2));
  EXPECT_EQ(lost, 0u);
}

}  // namespace
}  // namespace widephase::test
