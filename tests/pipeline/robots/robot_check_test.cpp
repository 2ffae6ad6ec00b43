// The check of robots in float: with it and without, with culls and without, the answers are the
// same bytes, for all kinds of shapes and joints, also where the margin is the distance itself.
// Labels: own-sets threads

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <widephase/hulls.hpp>
#include <widephase/robot.hpp>
#include <widephase/worlds.hpp>

#include "pipeline/robots/enclosing_balls.hpp"
#include "pipeline/robots/robot_contacts.hpp"
#include "reference/scaled.hpp"
#include "support/error_of.hpp"
#include "support/expect.hpp"
#include "support/shaped_robots.hpp"

namespace widephase {
namespace {

using namespace test::robots;
using Shapes = SceneColumns<3, double>;

std::vector<std::uint8_t> found(const Robot& robot, const std::vector<double>& values,
                                const Environment& environment, CheckUse use, double margin = 0,
                                Isa isa = Isa::widest, bool moving_pairs = true) {
  const Configurations<double> q(values, robot.values().size());
  std::vector<std::uint8_t> answers(q.count);
  Workspace<3, double> workspace;
  CollideOptions options;
  options.margin = margin;
  options.isa = isa;
  options.moving_pairs = moving_pairs;
  find_contacts_of(robot, q, environment, -1, std::span<std::uint8_t>(answers), workspace, options,
                   use);
  return answers;
}

std::size_t sum_of(const std::vector<std::uint8_t>& answers) {
  return static_cast<std::size_t>(std::count(answers.begin(), answers.end(), 1));
}

TEST(robot_check, answers_are_those_in_double) {
  Random random(1);
  std::size_t hits = 0, all = 0;
  for (std::size_t n = 0; n < test::scaled(24, 4); ++n) {
    const Robot robot(robot_with_shapes(random, n % 2 == 0));
    if (robot.values().empty()) continue;
    EXPECT_TRUE(robot.plan().check.is_there);
    const Environment environment{SceneSpan<3, double>(obstacles(random))};
    const std::vector<double> values = values_of(robot, 50, random);
    for (const bool moving_pairs : {true, false}) {
      const auto expected =
          found(robot, values, environment, CheckUse::none, 0.01, Isa::widest, moving_pairs);
      for (const Isa isa : test::usable_isas()) {
        ASSERT_EQ(found(robot, values, environment, CheckUse::all, 0.01, isa, moving_pairs),
                  expected)
            << n << " " << isa_name(isa);
      }
      ASSERT_EQ(found(robot, values, environment, CheckUse::without_culls, 0.01, Isa::widest,
                      moving_pairs),
                expected)
          << n;
      hits += sum_of(expected);
      all += expected.size();
    }
  }
  EXPECT_GT(hits, all / 20);
  EXPECT_LT(hits, all - all / 20);
}

/// The least distance in each configuration, in double.
std::vector<double> gaps_of(const Robot& robot, const std::vector<double>& values,
                            const Shapes& around) {
  const Configurations<double> q(values, robot.values().size());
  Shapes worlds, fixed = around;
  replicate<3, double>(robot.shapes(), static_cast<std::int32_t>(q.count), worlds);
  place(robot, q, worlds.bodies);
  for_each_table(fixed, [](auto& table) { table.world.resize(row_count(table), -1); });
  StaticScene<3, double> kept;
  Workspace<3, double> workspace;
  build_static_scene<3, double>(fixed, kept, workspace);
  SceneSpan<3, double> scene = worlds;
  scene.kept = &kept;
  WorldDistanceBuffer<3, double> distances;
  min_distance<3, double>(scene, distances, workspace);
  std::vector<double> gaps;
  for (std::size_t i = 0; i < q.count; ++i) gaps.push_back(distances.distance[i]);
  return gaps;
}

// A margin that is the distance of a configuration, and its neighbours by 1e-9 and by 1e-6: what is
// surely so in float must not be wrong there.
TEST(robot_check, margins_at_the_distance_itself) {
  Random random(2);
  std::size_t between = 0;
  for (std::size_t n = 0; n < test::scaled(12, 3); ++n) {
    RobotColumns columns = robot_with_shapes(random, true);
    for_each_table(columns.shapes, [](auto& table) { table.margin.clear(); });
    const Robot robot(columns);
    if (robot.values().empty()) continue;
    const Shapes around = obstacles(random);
    const Environment environment{SceneSpan<3, double>(around)};
    const std::vector<double> values = values_of(robot, 16, random);
    for (const double gap : gaps_of(robot, values, around)) {
      if (gap <= 0 || gap > 2) continue;
      for (const double factor : {1.0, 1 - 1e-9, 1 + 1e-9, 1 - 1e-6, 1 + 1e-6}) {
        const double margin = gap * factor;
        const auto expected = found(robot, values, environment, CheckUse::none, margin);
        ASSERT_EQ(found(robot, values, environment, CheckUse::all, margin), expected) << n;
        between += sum_of(expected);
      }
    }
  }
  EXPECT_GT(between, 50u);
}

/// One ball on a slide along x, at 1 in the middle of a body that turns.
RobotColumns ball_on_arm() {
  RobotColumns robot = robot_of(JointType::revolute);
  robot.shapes.spheres.center.push_back({1, 0, 0});
  robot.shapes.spheres.radius.push_back(0.1);
  robot.shapes.spheres.body.push_back(0);
  robot.shapes.spheres.owner.push_back(0);
  robot.links.name.push_back("arm");
  robot.links.body.push_back(0);
  robot.links.position.push_back({0, 0, 0});
  robot.links.turn.push_back(kUnturned);
  return robot;
}

// The ball goes round at a distance of 1. At each kind of obstacle it touches for the angles that
// follow from the obstacle's place: those beyond x = 1.05 touch for angles up to acos(0.95).
TEST(robot_check, every_kind_of_obstacle_is_met) {
  const Robot robot(ball_on_arm());
  const double most = std::acos(0.95);
  std::vector<Shapes> scenes(5);
  scenes[0].aabbs.min.push_back({1.05, -1, -1});
  scenes[0].aabbs.max.push_back({2, 1, 1});
  scenes[1].boxes.center.push_back({1.55, 0, 0});
  scenes[1].boxes.turn.push_back({0, 0, std::sqrt(0.5), std::sqrt(0.5)});
  scenes[1].boxes.half_extents.push_back({1, 0.5, 1});
  scenes[2].halfspaces.normal.push_back({-1, 0, 0});
  scenes[2].halfspaces.offset.push_back(-1.05);
  scenes[3].hulls.geometry.push_back(add_box_hull(scenes[3].geometries, 0.5, 1, 1));
  scenes[3].hulls.center.push_back({1.55, 0, 0});
  scenes[3].hulls.turn.push_back(kUnturned);
  // A rim at x = 1.05 all along z, which is the cylinder's axis.
  scenes[4].cylinders.center.push_back({1.55, 0, 0});
  scenes[4].cylinders.turn.push_back(kUnturned);
  scenes[4].cylinders.half_height.push_back(1);
  scenes[4].cylinders.radius.push_back(0.5);
  for (std::size_t i = 0; i < scenes.size(); ++i) {
    // The round one by the law of cosines: at 0.6 from (1.55, 0).
    const double last = i == 4 ? std::acos((1 + 1.55 * 1.55 - 0.36) / (2 * 1.55)) : most;
    const std::vector<double> values{0, last - 1e-3, last + 1e-3, -last + 1e-3, -last - 1e-3, 3};
    const Environment environment{SceneSpan<3, double>(scenes[i])};
    for (const CheckUse use : {CheckUse::all, CheckUse::without_culls, CheckUse::none}) {
      EXPECT_EQ(found(robot, values, environment, use),
                (std::vector<std::uint8_t>{1, 1, 0, 1, 0, 0}))
          << i;
    }
  }
}

// A normal that is a little too long or too short stands for a plane at offset / length.
TEST(robot_check, halfspaces_are_divided_by_the_length_of_their_normal) {
  for (const double length : {1.00004, 0.99996}) {
    RobotColumns columns = ball_on_arm();
    // The planes are at 999.96 and at 1000.04: above one, and in the other.
    columns.shapes.spheres.center = {};
    columns.shapes.spheres.center.push_back({0, 0, length > 1 ? 999.995 : 1000.035});
    columns.shapes.spheres.radius = {0.02};
    Shapes around;
    around.halfspaces.normal.push_back({0, 0, length});
    around.halfspaces.offset.push_back(1000);
    const Environment environment{SceneSpan<3, double>(around)};
    for (const CheckUse use : {CheckUse::all, CheckUse::without_culls, CheckUse::none}) {
      EXPECT_EQ(found(Robot(columns), {0}, environment, use)[0], length > 1 ? 0 : 1) << length;
    }
  }
}

// Hulls with a front at x = 1.05, whose vertices are counted from a place far away; thin ones are
// boxes in the check.
TEST(robot_check, hulls_far_from_their_center_are_met) {
  const Robot robot(ball_on_arm());
  const double last = std::acos(0.95);
  const std::vector<double> values{0, last - 1e-3, last + 1e-3, -last + 1e-3, -last - 1e-3, 3};
  for (const double half : {0.5, 5e-6}) {
    for (const bool is_turned : {false, true}) {
      Column<double, 3> points;
      for (const double x : {-half, half}) {
        for (const double y : {-1.0, 1.0}) {
          for (const double z : {-1.0, 1.0}) points.push_back({x - 1e6, y, z});
        }
      }
      Shapes around;
      around.hulls.geometry.push_back(add_hull<double>(around.geometries, points));
      around.hulls.center.push_back({(is_turned ? -1e6 : 1e6) + 1.05 + half, 0, 0});
      around.hulls.turn.push_back(is_turned ? Turns{0, 0, 1, 0} : kUnturned);
      const Environment environment{SceneSpan<3, double>(around)};
      for (const CheckUse use : {CheckUse::all, CheckUse::without_culls, CheckUse::none}) {
        EXPECT_EQ(found(robot, values, environment, use),
                  (std::vector<std::uint8_t>{1, 1, 0, 1, 0, 0}))
            << half << " " << is_turned;
      }
    }
  }
}

// The squared lengths of its sides have no inverses in float.
TEST(robot_check, tiny_hulls_are_met) {
  const Robot robot(ball_on_arm());
  Shapes around;
  around.hulls.geometry.push_back(add_box_hull(around.geometries, 1e-20, 1e-20, 1e-20));
  around.hulls.center.push_back({1.1, 0, 0});
  around.hulls.turn.push_back(kUnturned);
  around.hulls.radius.push_back(0.05);
  const Environment environment{SceneSpan<3, double>(around)};
  for (const CheckUse use : {CheckUse::all, CheckUse::without_culls, CheckUse::none}) {
    EXPECT_EQ(found(robot, {0, 0.5}, environment, use), (std::vector<std::uint8_t>{1, 0}));
  }
}

TEST(robot_check, first_contacts_have_the_lowest_ids) {
  Random random(4);
  for (std::size_t n = 0; n < test::scaled(8, 3); ++n) {
    // With hulls of its own the robot is asked as one scene with the obstacles.
    const RobotColumns columns = robot_with_shapes(random, n % 2 == 0);
    const Robot robot(columns);
    if (robot.values().empty()) continue;
    const Shapes around = obstacles(random);
    const Environment environment{SceneSpan<3, double>(around)};
    const std::vector<double> values = values_of(robot, 20, random);
    const Configurations<double> q(values, robot.values().size());
    FirstContacts first;
    Workspace<3, double> workspace;
    first_contact(robot, q, environment, first, workspace);
    const auto answers = found(robot, values, environment, CheckUse::all);
    for (std::size_t i = 0; i < q.count; ++i) {
      ASSERT_EQ(first.shape[i] >= 0, answers[i] == 1);
      if (answers[i] == 0) {
        EXPECT_EQ(first.obstacle[i], -1);
        EXPECT_EQ(first.other_shape[i], -1);
        EXPECT_EQ(first.link[i], -1);
        continue;
      }
      EXPECT_EQ(first.obstacle[i] >= 0, first.other_shape[i] < 0);
      // Without all obstacles before it, and with the robot's pairs alone, the same pair is found.
      const bool is_self = first.obstacle[i] < 0;
      EXPECT_LT(first.shape[i], is_self ? first.other_shape[i] : 1 << 20);
      const std::vector<double> own(
          values.begin() + static_cast<std::ptrdiff_t>(i * q.width),
          values.begin() + static_cast<std::ptrdiff_t>((i + 1) * q.width));
      if (is_self) {
        EXPECT_EQ(found(robot, own, {}, CheckUse::none)[0], 1);
      }
      if (!is_self) {
        EXPECT_EQ(found(robot, own, environment, CheckUse::none, 0, Isa::widest, false)[0], 1);
      }
    }
  }
}

// Ball 0 touches obstacles 1 and 2, ball 1 touches ball 2 and obstacle 0.
TEST(robot_check, the_first_contact_is_that_of_the_rule) {
  RobotColumns columns = ball_on_arm();
  for (const double x : {2.0, 2.15}) {
    columns.shapes.spheres.center.push_back({x, 0, 0});
    columns.shapes.spheres.radius.push_back(0.1);
    columns.shapes.spheres.body.push_back(-1);
    columns.shapes.spheres.owner.push_back(x == 2 ? 1 : 2);
  }
  for (const char* name : {"near", "far"}) {
    columns.links.name.push_back(name);
    columns.links.body.push_back(-1);
    columns.links.position.push_back({0, 0, 0});
    columns.links.turn.push_back(kUnturned);
  }
  Shapes around;
  for (const auto& at : {std::array<double, 3>{2, 0.1, 0}, std::array<double, 3>{1, 0.1, 0},
                         std::array<double, 3>{1, -0.1, 0}}) {
    around.spheres.center.push_back(at);
    around.spheres.radius.push_back(0.05);
  }
  const Robot robot(columns);
  const std::vector<double> values{0, 3};
  FirstContacts first;
  Workspace<3, double> workspace;
  const auto ask = [&](const Environment& environment) {
    first_contact(robot, Configurations<double>(values, 1), environment, first, workspace);
  };
  ask(Environment{SceneSpan<3, double>(around)});
  EXPECT_EQ(first.shape[0], 0);
  EXPECT_EQ(first.link[0], 0);
  EXPECT_EQ(first.obstacle[0], 1);
  EXPECT_EQ(first.shape[1], 1);
  EXPECT_EQ(first.link[1], 1);
  EXPECT_EQ(first.obstacle[1], 0);
  EXPECT_EQ(first.other_shape[1], -1);
  ask({});
  EXPECT_EQ(first.shape[1], 1);
  EXPECT_EQ(first.obstacle[1], -1);
  EXPECT_EQ(first.other_shape[1], 2);
  EXPECT_EQ(first.other_link[1], 2);
}

// A ball at x = 1 in world 2 and one at x = -1 in world 0; one at y = 1 in all.
TEST(robot_check, configurations_meet_their_own_worlds) {
  const Robot robot(ball_on_arm());
  Shapes around;
  around.spheres.center = {};
  for (const auto& at : {std::array<double, 3>{1, 0, 0}, std::array<double, 3>{-1, 0, 0},
                         std::array<double, 3>{0, 1, 0}}) {
    around.spheres.center.push_back(at);
    around.spheres.radius.push_back(0.1);
  }
  around.spheres.world = {2, 0, -1};
  const Environment environment{SceneSpan<3, double>(around)};
  const std::vector<double> values{0, 0, 0, kPi, kPi, kPi, kPi / 2, kPi / 2, kPi / 2};
  const std::vector<std::int32_t> worlds{2, 1, 0, 0, 2, 7, 0, 1, 2};
  std::vector<std::uint8_t> answers(9);
  Workspace<3, double> workspace;
  const Configurations<double> q(values, 1);
  any_contact(robot, q, environment, std::span<std::uint8_t>(answers), workspace, {}, worlds);
  EXPECT_EQ(answers, (std::vector<std::uint8_t>{1, 0, 0, 1, 0, 0, 1, 1, 1}));
  FirstContacts first;
  first_contact(robot, q, environment, first, workspace, {}, worlds);
  const std::vector<std::int32_t> expected{0, -1, -1, 1, -1, -1, 2, 2, 2};
  for (std::size_t i = 0; i < 9; ++i) EXPECT_EQ(first.obstacle[i], expected[i]) << i;
  const std::vector<double> wrong{0, 0, std::nan(""), 0, std::nan("")};
  EXPECT_EQ(test::error_of([&] {
              any_contact(robot, Configurations<double>(wrong, 1), environment,
                          std::span<std::uint8_t>(answers), workspace, {},
                          std::vector<std::int32_t>{2, 1, 3, 1, 0});
            }),
            "q[2] has nan as joint0; expected a finite number up to 2^50 radians");
}

// An error of another array than the caller's names a row of that one.
TEST(robot_check, rows_of_other_arrays_stay) {
  const Robot robot(ball_on_arm());
  Shapes around;
  around.spheres.center.push_back({1, 0, 0});
  around.spheres.radius.push_back(0.1);
  around.spheres.world = {2};
  const Environment environment{SceneSpan<3, double>(around)};
  const std::vector<double> values{0, 0, 0};
  const auto told = [&](const char* array, std::int64_t row) {
    return test::error_of([&] {
      for_each_world(robot, Configurations<double>(values, 1), environment,
                     std::vector<std::int32_t>{1, 0, 1}, {},
                     [&](const auto&, std::int32_t world, const std::size_t*) {
                       if (world == 1) throw Error(Finding{array, row, "is wrong"});
                     });
    });
  };
  EXPECT_EQ(told("q", 1), "q[2] is wrong");
  EXPECT_EQ(told("sphere.radius", 1), "sphere.radius[1] is wrong");
  EXPECT_EQ(told("sphere.radius", 1000), "sphere.radius[1000] is wrong");
}

// A rod of length 2 and 0.2 across: each of its places is in a ball, and the balls are small; those
// inside do not reach beyond the rod.
TEST(robot_check, balls_are_around_hulls_and_inside) {
  Random random(5);
  std::vector<std::array<double, 3>> vertices;
  const auto way = random.unit<3>();
  for (int i = 0; i < 40; ++i) {
    const auto around = random.unit<3>();
    const double along = i % 2 == 0 ? 1 : -1;
    std::array<double, 3> vertex{};
    for (std::size_t k = 0; k < 3; ++k) vertex[k] = 5 + along * way[k] + 0.1 * around[k];
    vertices.push_back(vertex);
  }
  const std::vector<Ball> balls = balls_of_hull(vertices, 32);
  EXPECT_GT(balls.size(), 5u);
  double least = -1;
  for (const Ball& ball : balls) {
    EXPECT_LT(ball.most, 0.25);
    least = std::max(least, ball.least);
    for (std::size_t i = 0; i < test::scaled(1000, 100); ++i) {
      const auto to = random.unit<3>();
      double farthest = -1e9;
      for (const auto& vertex : vertices) farthest = std::max(farthest, dot(vertex, to));
      ASSERT_LE(dot(ball.center, to) + ball.least, farthest);
    }
  }
  EXPECT_GT(least, 0.03);
  for (std::size_t i = 0; i < test::scaled(1000, 100); ++i) {
    std::array<double, 3> place{};
    double all = 0;
    for (const auto& vertex : vertices) {
      const double share = std::pow(std::abs(random.normal()), 8);
      for (std::size_t k = 0; k < 3; ++k) place[k] += share * vertex[k];
      all += share;
    }
    for (double& part : place) part /= all;
    ASSERT_TRUE(std::any_of(balls.begin(), balls.end(), [&](const Ball& ball) {
      return length(plus(place, -1, ball.center)) <= ball.most;
    }));
  }
  // The middle of a slice may be outside: nothing is known of what touches it.
  for (const Ball& ball : balls_of_hull({{.18, -.36, -.4},
                                         {.72, .96, .82},
                                         {.52, .54, -.78},
                                         {-.8, -.1, .55},
                                         {.333, .211, .253},
                                         {.22, .239, .543}},
                                        32)) {
    EXPECT_TRUE(ball.least > 0 || ball.least < -1e29) << ball.least;
  }
  // Without a volume there is one ball.
  EXPECT_EQ(balls_of_hull({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}, 32).size(), 1u);
}

// Angles and lengths beyond what float can reduce are asked in double.
TEST(robot_check, far_values_are_asked_in_double) {
  const Robot robot(ball_on_arm());
  Shapes around;
  around.spheres.center.push_back({1, 0, 0});
  around.spheres.radius.push_back(0.1);
  const Environment environment{SceneSpan<3, double>(around)};
  const double turn = 2 * kPi * 1e9;  // a whole number of turns up to 1e-6
  EXPECT_EQ(found(robot, {turn, turn + 1, 1e15}, environment, CheckUse::all),
            found(robot, {turn, turn + 1, 1e15}, environment, CheckUse::none));
  EXPECT_EQ(found(robot, {turn, turn + 1}, environment, CheckUse::all)[0], 1);
}

}  // namespace
}  // namespace widephase
