// A floor of tiles of one owner that lie flush (`flush_tolerance`) is a floor, for every kind at any
// yaw and lean. The reference is a plane.
// Labels: dated

#include <gtest/gtest.h>

#include <string>

#include "reference/scaled.hpp"
#include "support/floor_tiles.hpp"

namespace widephase::test {
namespace {

struct Tally {
  std::size_t bodies = 0, contacts = 0;
  std::size_t wrong = 0;   ///< contacts with another normal
  std::size_t none = 0;    ///< bodies without a contact
  std::size_t depths = 0;  ///< bodies whose deepest contact has another depth
  std::string first;       ///< what is wrong
};

struct Case {
  Tiling tiling = Tiling::grid;
  Kind tile = Kind::box;
  Pose pose;
  double lean = 0;  ///< of the bodies, the most
  double gap = 0, step = 0;
  double tolerance = kTolerance;
  double turn_tolerance = 3e-5;
};

template <class T>
Tally on_floor(Kind kind, const Case& asked, std::size_t count, std::uint64_t seed) {
  Random random(seed);
  SceneColumns<3, T> ground, scene;
  for (const Solid<3>& tile :
       floor_tiles(random, asked.tiling, asked.tile, asked.pose, asked.gap, asked.step)) {
    append<3, T>(ground, stored<T>(tile));
  }
  for_each_table(ground, [](auto& table) { table.owner.resize(row_count(table), 7); });
  std::vector<Solid<3>> bodies;
  const Point<3> up = asked.pose.up();
  for (std::size_t i = 0; i < count; ++i) {
    const Quaternion yaw = about({0, 0, 1}, random.uniform(-3.2, 3.2));
    const Quaternion lean =
        about(random.direction<3>(), asked.lean * std::pow(10, random.uniform(-7, 0)));
    Solid<3> solid = body_of(random, kind, product(asked.pose.turn, product(yaw, lean)));
    const Point<3> place = asked.pose.placed({random.uniform(-3, 3), random.uniform(-3, 3), 0});
    const double depth = random.uniform(0.001, 0.01);
    const double rise = depth_below(moved(solid, place), place, up) - depth;
    solid = stored<T>(moved(solid, plus(place, {rise * up[0], rise * up[1], rise * up[2]})));
    bodies.push_back(solid);
    append<3, T>(scene, solid);
  }
  CollideOptions options;
  options.flush_tolerance = asked.tolerance;
  options.threads.count = 1;
  options.moving_pairs = false;
  Workspace<3, T> workspace;
  StaticScene<3, T> kept;
  ContactBuffer<3, T> contacts;
  if (kind == Kind::hull) {  // point sets are the static scene's
    const std::size_t tiles = row_count(ground.hulls);
    SceneColumns<3, T> both = ground;
    for (const Solid<3>& solid : bodies) append<3, T>(both, solid);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      scene.hulls.geometry[i] = both.hulls.geometry[tiles + i];
    }
    ground.geometries = both.geometries;
  }
  scene.geometries = {};
  build_static_scene<3, T>(ground, kept, workspace, options);
  collide<3, T>(scene, kept, contacts, workspace, options);
  Tally tally;
  tally.bodies = count;
  tally.contacts = contacts.size();
  std::vector<double> deepest(count, -1);
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const bool is_a = contacts.pair[c].a < static_cast<std::int32_t>(count);
    const auto body = static_cast<std::size_t>(is_a ? contacts.pair[c].a : contacts.pair[c].b);
    double off2 = 0;
    for (int k = 0; k < 3; ++k) {
      const double away = static_cast<double>(contacts.normal(c, k)) * (is_a ? -1 : 1);
      off2 += (away - up[k]) * (away - up[k]);
    }
    deepest[body] = std::max(deepest[body], static_cast<double>(contacts.depth[c]));
    if (off2 > asked.turn_tolerance * asked.turn_tolerance) {
      ++tally.wrong;
      if (tally.first.empty()) {
        tally.first =
            describe(bodies[body]) + " off by " + std::to_string(std::sqrt(off2)) + " depth " +
            std::to_string(contacts.depth[c]) + " on " +
            describe(solid_of<3, T>(ground, (is_a ? contacts.pair[c].b : contacts.pair[c].a) -
                                                static_cast<std::int32_t>(count)));
      }
    }
  }
  const double allowed = (sizeof(SizeOf<T>) == 4 ? 5e-6 : 1e-11) +
                         (sizeof(PositionOf<T>) == 4 ? 4e-7 : 0) * std::abs(asked.pose.at[0]) +
                         asked.gap + asked.step + asked.lean * asked.turn_tolerance;
  for (std::size_t i = 0; i < count; ++i) {
    if (deepest[i] < 0) {
      ++tally.none;
      continue;
    }
    const double depth = depth_below(bodies[i], asked.pose.at, up);
    if (std::abs(deepest[i] - depth) <= allowed) continue;
    ++tally.depths;
    if (tally.first.empty()) {
      tally.first = describe(bodies[i]) + " depth " + std::to_string(deepest[i]) + " not " +
                    std::to_string(depth);
    }
  }
  return tally;
}

template <class T>
void expect_floor(const Case& asked, std::size_t count, std::uint64_t seed) {
  for (const Kind kind : kBodies) {
    SCOPED_TRACE(std::string(kind_name(kind, 3)));
    const Tally tally = on_floor<T>(kind, asked, count, seed);
    EXPECT_EQ(tally.wrong, 0u) << "of " << tally.contacts << ": " << tally.first;
    EXPECT_EQ(tally.none, 0u);
    EXPECT_EQ(tally.depths, 0u) << tally.first;
  }
}

TEST(flush, a_floor_of_tiles_is_a_floor) {
  const std::size_t count = scaled(400, 40);
  for (const Tiling tiling : {Tiling::grid, Tiling::bricks, Tiling::mixed}) {
    for (const Kind tile : {Kind::aabb, Kind::box, Kind::hull}) {
      for (const double lean : {0.0, 1e-2}) {
        SCOPED_TRACE(testing::Message() << "tiling " << static_cast<int>(tiling) << " of "
                                        << kind_name(tile, 3) << " lean " << lean);
        Case asked;
        asked.tiling = tiling;
        asked.tile = tile;
        asked.lean = lean;
        expect_floor<float>(asked, count, 1);
        expect_floor<double>(asked, count / 4, 2);
      }
    }
  }
}

TEST(flush, a_floor_of_prisms_is_a_floor) {
  Case asked;
  asked.tiling = Tiling::prisms;
  for (const double lean : {0.0, 1e-2}) {
    asked.lean = lean;
    expect_floor<float>(asked, scaled(400, 40), 3);
    expect_floor<double>(asked, scaled(100, 20), 4);
  }
}

TEST(flush, a_floor_that_leans_is_a_floor) {
  Case asked;
  asked.pose.turn = product(about({0, 0, 1}, 0.7), about({1, 0, 0}, 0.4));
  for (const Tiling tiling : {Tiling::grid, Tiling::mixed, Tiling::prisms}) {
    asked.tiling = tiling;
    asked.lean = 1e-2;
    expect_floor<float>(asked, scaled(400, 40), 5);
    expect_floor<double>(asked, scaled(100, 20), 6);
    expect_floor<Mixed>(asked, scaled(100, 20), 6);
  }
}

TEST(flush, a_floor_far_from_the_origin_is_a_floor) {
  Case asked;
  asked.pose.at = {1e6, -2e6, 3e6};
  asked.pose.turn = about({1, 0, 0}, 0.4);
  asked.tiling = Tiling::mixed;
  asked.lean = 1e-2;
  expect_floor<double>(asked, scaled(100, 20), 7);
  expect_floor<Mixed>(asked, scaled(100, 20), 7);
}

TEST(flush, gaps_and_steps_within_the_tolerance_are_not_felt) {
  Case asked;
  asked.tolerance = 1e-3;
  asked.gap = 1e-3;
  asked.step = 5e-4;
  asked.turn_tolerance = 1e-2;
  for (const Tiling tiling : {Tiling::grid, Tiling::bricks, Tiling::mixed}) {
    asked.tiling = tiling;
    expect_floor<float>(asked, scaled(400, 40), 8);
  }
}

TEST(flush, bodies_at_rest_on_seams_keep_their_points) {
  // Trembling by a tenth of the steadiness, each over a corner of four tiles.
  Random random(9);
  SceneColumns<3, float> ground, moving;
  for (const Solid<3>& tile : floor_tiles(random, Tiling::grid, Kind::box, {})) {
    append<3, float>(ground, stored<float>(tile));
  }
  ground.boxes.owner.resize(row_count(ground.boxes), 1);
  constexpr std::size_t kCount = 100;
  std::vector<Solid<3>> bodies;
  while (bodies.size() < kCount) {
    const Point<3> half{random.uniform(0.2, 0.4), random.uniform(0.2, 0.4), 0.2};
    const double x = random.integer(-2, 2) + random.uniform(-0.1, 0.1);
    const double y = random.integer(-2, 2) + random.uniform(-0.1, 0.1);
    bodies.push_back(box({x, y, 0.199}, about({0, 0, 1}, random.uniform(-3, 3)), half));
    append<3, float>(moving, stored<float>(bodies.back()));
  }
  CollideOptions options;
  options.flush_tolerance = kTolerance;
  options.moving_pairs = false;
  options.margin = 0.01;
  Workspace<3, float> workspace;
  StaticScene<3, float> kept;
  build_static_scene<3, float>(ground, kept, workspace, options);
  options.steadiness = 5e-4;
  Tracker<3, float> tracker;
  ContactBuffer<3, float> contacts;
  std::size_t points = 0, lost = 0;
  for (std::size_t step = 0; step < scaled(40, 20); ++step) {
    for (std::size_t n = 0; n < kCount; ++n) {
      const auto tremble = [&] { return random.uniform(-5e-5, 5e-5); };
      for (int k = 0; k < 3; ++k) {
        moving.boxes.center(n, k) = static_cast<float>(bodies[n].p[k] + tremble());
      }
      const Quaternion turn =
          product(bodies[n].orientation, about(random.direction<3>(), tremble()));
      for (int k = 0; k < 4; ++k) moving.boxes.turn(n, k) = static_cast<float>(turn[k]);
    }
    SceneSpan<3, float> span = moving;
    span.kept = &kept;
    collide<3, float>(span, contacts, workspace, tracker, options);
    for (std::size_t c = 0; c < contacts.size(); ++c) {
      ASSERT_GT(std::abs(contacts.normal(c, 2)), 1 - 1e-6f);
    }
    if (step < 2) continue;
    for (const std::int64_t last : tracker.last_point()) {
      ++points;
      lost += last < 0 ? 1 : 0;
    }
  }
  EXPECT_GT(points, 800 * (scaled(40, 20) - 2));
  EXPECT_EQ(lost, 0u);
}

}  // namespace
}  // namespace widephase::test
