// Least distances of robots, and whether they touch, by the pairs that balls leave, against those
// of scenes of worlds: the same bytes.
// Labels: own-sets threads

#include <gtest/gtest.h>

#include <limits>

#include "pipeline/robots/near_pairs.hpp"
#include "pipeline/robots/robot_contacts.hpp"
#include "support/error_of.hpp"
#include "support/expect.hpp"
#include "support/shaped_robots.hpp"

namespace widephase {
namespace {

using namespace test::robots;

RobotDistances found(const Robot& robot, const std::vector<double>& values,
                     const Environment& around, CheckUse use, const RobotDistanceOptions& wanted,
                     const CollideOptions& options = {},
                     std::span<const std::int32_t> worlds = {}) {
  RobotDistances found;
  Workspace<3, double> workspace;
  find_least_distances(robot, Configurations<double>(values, robot.values().size()), around, found,
                       workspace, wanted, options, worlds, use);
  return found;
}

template <class T, int W>
void expect_equal(const Column<T, W>& a, const Column<T, W>& b, const char* name) {
  ASSERT_EQ(a.size(), b.size()) << name;
  for (std::size_t row = 0; row < a.size(); ++row) {
    ASSERT_EQ(a.row(row), b.row(row)) << name << " " << row;
  }
}

void expect_same(const RobotDistances& a, const RobotDistances& b) {
  expect_equal(a.shape, b.shape, "shape");
  expect_equal(a.link, b.link, "link");
  expect_equal(a.obstacle, b.obstacle, "obstacle");
  expect_equal(a.other_shape, b.other_shape, "other_shape");
  expect_equal(a.distance, b.distance, "distance");
  expect_equal(a.normal, b.normal, "normal");
  expect_equal(a.point_a, b.point_a, "point_a");
  expect_equal(a.point_b, b.point_b, "point_b");
  expect_equal(a.gradient, b.gradient, "gradient");
}

TEST(near_pairs, have_the_least_distances_of_scenes) {
  Random random(5);
  std::size_t apart = 0, overlapping = 0, beyond = 0, all = 0;
  for (std::size_t n = 0; n < test::scaled(40, 8); ++n) {
    const Robot robot(robot_with_shapes(random, n % 2 == 0));
    if (robot.values().empty()) continue;
    SceneColumns<3, double> around = obstacles(random);
    for_each_table(around, [&](auto& table) {
      for (std::size_t row = 0; row < row_count(table); ++row) {
        table.margin.push_back(random.below(3) == 0 ? 0.2 : 0.0);
      }
    });
    const Environment environment{SceneSpan<3, double>(around)};
    ASSERT_TRUE(can_list_near_pairs(robot, environment));
    const std::vector<double> values = values_of(robot, 20, random);
    RobotDistanceOptions wanted;
    wanted.has_gradient = n % 3 == 0;
    constexpr double kLimits[] = {std::numeric_limits<double>::infinity(), 0.3, 0, -0.1};
    wanted.limit = kLimits[n % 4];
    CollideOptions options;
    options.moving_pairs = n % 5 != 0;
    options.margin = n % 3 == 0 ? 0.1 : 0;
    const RobotDistances expected =
        found(robot, values, environment, CheckUse::none, wanted, options);
    for (const Isa isa : test::usable_isas()) {
      options.isa = isa;
      expect_same(found(robot, values, environment, CheckUse::all, wanted, options), expected);
      if (testing::Test::HasFatalFailure()) FAIL() << n << " " << isa_name(isa);
    }
    for (std::size_t i = 0; i < expected.distance.size(); ++i, ++all) {
      beyond += expected.shape[i] < 0 ? 1 : 0;
      apart += expected.shape[i] >= 0 && expected.distance[i] > 0 ? 1 : 0;
      overlapping += expected.distance[i] < 0 ? 1 : 0;
    }
  }
  EXPECT_GT(apart, all / 20);
  EXPECT_GT(overlapping, all / 20);
  EXPECT_GT(beyond, all / 20);
}

// Every shape and obstacle is there twice, and some obstacles touch some balls exactly.
TEST(near_pairs, that_are_equally_near) {
  Random random(6);
  for (std::size_t n = 0; n < test::scaled(12, 4); ++n) {
    RobotColumns columns = robot_with_shapes(random, true);
    auto& balls = columns.shapes.spheres;
    const std::size_t count = balls.radius.size();
    for (std::size_t row = 0; row < count; ++row) {
      balls.center.push_back(balls.center.row(row));
      balls.radius.push_back(balls.radius[row]);
      balls.body.push_back(balls.body[row]);
      balls.owner.push_back(balls.owner[row]);
      balls.category.push_back(balls.category[row]);
      balls.margin.push_back(balls.margin[row]);
    }
    const Robot robot(columns);
    if (robot.values().empty()) continue;
    SceneColumns<3, double> around;
    for (int i = 0; i < 4; ++i) {
      const auto at = random.vector<3>();
      for (int twice = 0; twice < 2; ++twice) {
        around.spheres.center.push_back({3 * at[0], 3 * at[1], 3 * at[2]});
        around.spheres.radius.push_back(0.2);
        around.aabbs.min.push_back({-3 * at[0], -3 * at[1], 3 * at[2]});
        around.aabbs.max.push_back({0.5 - 3 * at[0], 0.5 - 3 * at[1], 0.5 + 3 * at[2]});
      }
    }
    const Environment environment{SceneSpan<3, double>(around)};
    const std::vector<double> values = values_of(robot, 20, random);
    for (const Isa isa : test::usable_isas()) {
      CollideOptions options;
      options.isa = isa;
      expect_same(found(robot, values, environment, CheckUse::all, {}, options),
                  found(robot, values, environment, CheckUse::none, {}, options));
      if (testing::Test::HasFatalFailure()) FAIL() << n << " " << isa_name(isa);
    }
  }
}

// A small ball deep in a box, and a large one whose centre is hardly in it, on a body that turns
// about both.
TEST(near_pairs, are_as_deep_as_they_are) {
  RobotColumns columns = robot_of(JointType::revolute, {1, 0, 0});
  auto& balls = columns.shapes.spheres;
  balls.center.push_back({0.05, 0, 0});
  balls.radius.push_back(0.3);
  balls.center.push_back({1.05, 0, 0});
  balls.radius.push_back(0.1);
  balls.body.push_back(0);
  balls.body.push_back(0);
  const Robot robot(columns);
  SceneColumns<3, double> around;
  around.boxes.center.push_back({5, 0, 0});
  around.boxes.half_extents.push_back({5, 9, 9});
  around.boxes.turn.push_back({0, 0, 0, 1});
  const Environment environment{SceneSpan<3, double>(around)};
  const std::vector<double> values{-0.5, 0, 0.5, 3};
  for (const Isa isa : test::usable_isas()) {
    CollideOptions options;
    options.isa = isa;
    const RobotDistances deep = found(robot, values, environment, CheckUse::all, {}, options);
    const NearPairs near(robot, environment, -1, 1e9, options);
    EXPECT_EQ(near.find(Configurations<double>(values, 1)).unknown.size(), 0u);
    EXPECT_NEAR(deep.distance[1], -1.15, 1e-12);
    EXPECT_EQ(deep.shape[1], 1);
    expect_same(deep, found(robot, values, environment, CheckUse::none, {}, options));
  }
}

// With balls alone that are apart, hardly more than one pair of a configuration is left.
TEST(near_pairs, are_few) {
  Random random(7);
  std::size_t pairs = 0, configurations = 0;
  for (std::size_t n = 0; n < 8; ++n) {
    const Robot robot(robot_with_shapes(random, true));
    if (robot.values().empty()) continue;
    SceneColumns<3, double> around;
    around.halfspaces.normal.push_back({0, 0, 1});
    around.halfspaces.offset.push_back(-30);
    const Environment environment{SceneSpan<3, double>(around)};
    const std::vector<double> values = values_of(robot, 32, random);
    CollideOptions options;
    options.moving_pairs = false;
    const NearPairs near(robot, environment, -1, 1e9, options);
    const NearPairList list = near.find(Configurations<double>(values, robot.values().size()));
    EXPECT_EQ(list.unknown.size(), 0u);
    pairs += list.pairs.size();
    configurations += 32;
  }
  EXPECT_GE(pairs, configurations);
  EXPECT_LT(pairs, 2 * configurations);
}

/// Obstacles with margins and surfaces, of world -1 and of three others.
SceneColumns<3, double> obstacles_of_worlds(Random& random) {
  SceneColumns<3, double> scene = obstacles(random);
  const SceneColumns<3, double> surfaces = surfaces_at(1.1, -1);
  scene.meshes = surfaces.meshes;
  scene.mesh_geometries = surfaces.mesh_geometries;
  scene.heightfields = surfaces.heightfields;
  scene.heightfield_geometries = surfaces.heightfield_geometries;
  for_each_table(scene, [&](auto& table) {
    for (std::size_t row = 0; row < row_count(table); ++row) {
      table.margin.push_back(random.below(3) == 0 ? 0.1 : 0.0);
      table.world.push_back(static_cast<std::int32_t>(random.below(4)) - 1);
    }
  });
  return scene;
}

TEST(near_pairs, of_worlds_have_the_least_distances_of_scenes) {
  Random random(8);
  std::size_t met = 0;
  for (std::size_t n = 0; n < test::scaled(15, 5); ++n) {
    const Robot robot(robot_with_shapes(random, n % 2 == 0));
    if (robot.values().empty()) continue;
    const Environment environment{SceneSpan<3, double>(obstacles_of_worlds(random))};
    const std::vector<double> values = values_of(robot, 12, random);
    std::vector<std::int32_t> worlds;
    for (int i = 0; i < 12; ++i) worlds.push_back(static_cast<std::int32_t>(random.below(4)));
    CollideOptions options;
    options.isa = n % 2 == 0 ? Isa::widest : test::usable_isas().front();
    const RobotDistances expected =
        found(robot, values, environment, CheckUse::none, {}, options, worlds);
    expect_same(found(robot, values, environment, CheckUse::all, {}, options, worlds), expected);
    if (testing::Test::HasFatalFailure()) FAIL() << n;
    for (std::size_t i = 0; i < 12; ++i) met += expected.obstacle[i] >= 0 ? 1 : 0;
  }
  EXPECT_GT(met, 0u);
}

// Also in configurations that the check in float would decide.
TEST(near_pairs, within_a_margin_touch_where_scenes_do) {
  Random random(9);
  std::size_t hits = 0, all = 0, unknown = 0;
  for (std::size_t n = 0; n < test::scaled(15, 5); ++n) {
    const Robot robot(robot_with_shapes(random, n % 3 == 0));
    if (robot.values().empty()) continue;
    const Environment environment{SceneSpan<3, double>(obstacles_of_worlds(random))};
    ASSERT_TRUE(can_list_near_pairs(robot, environment));
    const std::vector<double> values = values_of(robot, 12, random);
    const Configurations<double> q(values, robot.values().size());
    CollideOptions options;
    constexpr double kMargins[] = {0, 0.05, 0.4};
    options.margin = kMargins[n % 3];
    options.moving_pairs = n % 4 != 0;
    options.threads.count = n % 5 == 0 ? 2 : 1;
    for (const std::int32_t world : {-1, 0, 2}) {
      const auto answers = [&](CheckUse use) {
        std::vector<std::uint8_t> is_contact(q.count);
        Workspace<3, double> workspace;
        find_contacts_of(robot, q, environment, world, std::span<std::uint8_t>(is_contact),
                         workspace, options, use);
        return is_contact;
      };
      const std::vector<std::uint8_t> expected = answers(CheckUse::none);
      ASSERT_EQ(answers(CheckUse::all), expected) << n;
      for (const Isa isa : test::usable_isas()) {
        options.isa = isa;
        const NearPairs near(robot, environment, world, options.margin, options);
        const NearPairList list = near.find(q);
        Workspace<3, double> workspace;
        std::vector<std::uint8_t> is_touching(list.pairs.size()), found(q.count);
        ListedPairs(robot, environment, workspace, options)
            .find_touching(q, list.pairs, std::span<std::uint8_t>(is_touching));
        for (std::size_t i = 0; i < is_touching.size(); ++i) {
          if (is_touching[i] != 0) found[list.pairs[i].configuration] = 1;
        }
        for (const std::int64_t i : list.unknown) {
          found[static_cast<std::size_t>(i)] = expected[static_cast<std::size_t>(i)];
        }
        ASSERT_EQ(found, expected) << n << " " << isa_name(isa);
        if (isa == test::usable_isas().front()) unknown += list.unknown.size();
      }
      options.isa = Isa::widest;
      for (const std::uint8_t answer : expected) hits += answer;
      all += expected.size();
    }
  }
  EXPECT_GT(hits, all / 10);
  EXPECT_LT(hits, all - all / 10);
  EXPECT_LT(unknown, all / 4);
}

// An ellipsoid among three balls, which float cannot decide: a cap counts the pairs of scenes.
TEST(near_pairs, are_not_asked_where_pairs_are_capped) {
  RobotColumns columns = robot_of(JointType::prismatic, {1, 0, 0});
  columns.shapes.ellipsoids.center.push_back({0, 0, 0});
  columns.shapes.ellipsoids.turn.push_back(kUnturned);
  columns.shapes.ellipsoids.half_extents.push_back({0.1, 0.2, 0.3});
  columns.shapes.ellipsoids.body.push_back(0);
  const Robot robot(columns);
  SceneColumns<3, double> around;
  for (const double x : {0.0, 0.1, 0.2}) {
    around.spheres.center.push_back({x, 0, 0.35});
    around.spheres.radius.push_back(0.1);
  }
  const Environment environment{SceneSpan<3, double>(around)};
  const std::vector<double> values{0.1};
  const auto answer = [&](CheckUse use, std::size_t most) {
    std::uint8_t is_contact = 7;
    Workspace<3, double> workspace;
    CollideOptions options;
    options.max_pairs = most;
    find_contacts_of(robot, Configurations<double>(values, 1), environment, -1,
                     std::span<std::uint8_t>(&is_contact, 1), workspace, options, use);
    return is_contact;
  };
  for (const CheckUse use : {CheckUse::all, CheckUse::none}) {
    EXPECT_EQ(answer(use, kNoCap), 1);
    EXPECT_EQ(answer(use, 3), 1);
    EXPECT_NE(test::error_of([&] { answer(use, 2); }), "no error");
  }
}

}  // namespace
}  // namespace widephase
