// Samples of motions in lanes, and a grid of lower bounds: as configurations asked one by one.
// Labels: own-sets threads

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <widephase/hulls.hpp>
#include <widephase/robot_motions.hpp>

#include "pipeline/robots/check_scene.hpp"
#include "pipeline/robots/robot_contacts.hpp"
#include "reference/scaled.hpp"
#include "support/expect.hpp"
#include "support/robots.hpp"

namespace widephase {
namespace {

using namespace test::robots;

/// Small shapes of all cores around a robot, and ground below it.
SceneColumns<3, double> many_shapes(std::size_t count) {
  SceneColumns<3, double> scene;
  Random random(5);
  const auto between = [&](double low, double high) {
    return low + (high - low) * static_cast<double>(random.below(1000)) / 999;
  };
  const auto place = [&] {
    const auto at = random.unit<3>();
    const double far = between(0.9, 2.2);
    return std::array{far * at[0], far * at[1], 1.2 + far * at[2]};
  };
  const auto size = [&] { return between(0.01, 0.05); };
  Column<double, 3> points;
  for (int i = 0; i < 9; ++i) points.push_back(random.unit<3>());
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (int k = 0; k < 3; ++k) points(i, k) = 0.3 + 0.05 * points(i, k);
  }
  const std::int32_t hull = add_hull<double>(scene.geometries, points);
  for (std::size_t i = 0; i < count; ++i) {
    scene.spheres.center.push_back(place());
    scene.spheres.radius.push_back(size());
    const auto a = place(), way = random.unit<3>();
    scene.capsules.a.push_back(a);
    scene.capsules.b.push_back({a[0] + 0.1 * way[0], a[1] + 0.1 * way[1], a[2] + 0.1 * way[2]});
    scene.capsules.radius.push_back(size());
    scene.boxes.center.push_back(place());
    scene.boxes.turn.push_back(random.unit<4>());
    scene.boxes.half_extents.push_back({size(), size(), size()});
    scene.cylinders.center.push_back(place());
    scene.cylinders.turn.push_back(random.unit<4>());
    scene.cylinders.half_height.push_back(size());
    scene.cylinders.radius.push_back(size());
    scene.cones.center.push_back(place());
    scene.cones.turn.push_back(random.unit<4>());
    scene.cones.half_height.push_back(size());
    scene.cones.radius.push_back(size());
    scene.hulls.center.push_back(place());
    scene.hulls.turn.push_back(random.unit<4>());
    scene.hulls.geometry.push_back(hull);
  }
  scene.halfspaces.normal.push_back({0, 0.6, 0.8});
  scene.halfspaces.offset.push_back(-1.3);
  return scene;
}

/// With the grid that many questions would make.
void expect_grid(const Robot& robot, const Environment& environment) {
  CheckQuestion question;
  question.count = 1e9;
  const CheckScene scene(robot.plan().check, environment.state(), question);
  ASSERT_NE(scene.job().near_obstacles, nullptr);
  ASSERT_NE(scene.job().obstacle_tree, nullptr);
}

/// In double.
std::vector<std::uint8_t> asked(const Robot& robot, const std::vector<double>& values,
                                const Environment& environment, CheckUse use,
                                const CollideOptions& options) {
  const Configurations<double> q(values, robot.values().size());
  std::vector<std::uint8_t> answers(q.count);
  Workspace<3, double> workspace;
  find_contacts_of(robot, q, environment, -1, std::span<std::uint8_t>(answers), workspace, options,
                   use);
  return answers;
}

TEST(robot_samples, a_grid_changes_no_answer) {
  const Robot robot(arm_of_balls());
  const SceneColumns<3, double> shapes = many_shapes(30);
  const Environment environment{SceneSpan<3, double>(shapes)};
  expect_grid(robot, environment);
  const std::vector<double> values = values_of(test::scaled(2000, 200));
  for (const double margin : {0.0, 0.03}) {
    CollideOptions options;
    options.margin = margin;
    const auto expected = asked(robot, values, environment, CheckUse::none, options);
    const auto hits = std::count(expected.begin(), expected.end(), 1);
    EXPECT_GT(hits, std::ssize(expected) / 10);
    EXPECT_LT(hits, std::ssize(expected) - std::ssize(expected) / 10);
    for (const Isa isa : test::usable_isas()) {
      options.isa = isa;
      EXPECT_EQ(asked(robot, values, environment, CheckUse::all, options), expected)
          << isa_name(isa);
    }
  }
}

// Lists so long that lanes walk through the tree: categories, worlds and links of all kinds.
TEST(robot_samples, a_tree_of_obstacles_changes_no_answer) {
  Random random(6);
  SceneColumns<3, double> shapes = many_shapes(100);
  for_each_table(shapes, [&](auto& table) {
    if constexpr (requires { table.category; }) {
      for (std::size_t row = 0; row < row_count(table); ++row) {
        table.category.push_back(1u << random.below(3));
        table.mask.push_back(static_cast<std::uint32_t>(random.below(8)));
        table.world.push_back(static_cast<std::int32_t>(random.below(3)) - 1);
      }
    }
  });
  const Environment environment{SceneSpan<3, double>(shapes)};
  const std::vector<double> values = values_of(test::scaled(1000, 100));
  for (const bool has_balls : {true, false}) {
    RobotColumns columns = arm_of_balls();
    auto& balls = columns.shapes.spheres;
    if (!has_balls) {
      for (std::size_t row = 0; row < row_count(balls); ++row) {
        columns.shapes.boxes.center.push_back(balls.center.row(row));
        columns.shapes.boxes.turn.push_back(random.unit<4>());
        columns.shapes.boxes.half_extents.push_back(
            {balls.radius[row], balls.radius[row] / 2, balls.radius[row] / 3});
      }
      columns.shapes.boxes.body = balls.body;
      columns.shapes.boxes.owner = balls.owner;
      balls = {};
    }
    for_each_table(columns.shapes, [&](auto& table) {
      if constexpr (requires { table.category; }) {
        for (std::size_t row = 0; row < row_count(table); ++row) {
          table.category.push_back(table.owner[row] % 2 == 0 ? 1 : 6);
          table.mask.push_back(table.owner[row] % 3 == 0 ? 7 : 3);
        }
      }
    });
    const Robot robot(columns);
    CheckQuestion question;
    question.count = 1e9;
    question.world = 1;
    const CheckScene scene(robot.plan().check, environment.state(), question);
    ASSERT_NE(scene.job().obstacle_tree, nullptr);
    std::int32_t listed = 0;
    for (std::size_t u = 0; u < scene.job().unit_count; ++u) {
      const CheckUnit& unit = scene.job().units[u];
      listed = std::max(listed, unit.last_obstacle - unit.first_obstacle);
    }
    EXPECT_GT(listed, 60);  // a few lanes walk
    const Configurations<double> q(values, robot.values().size());
    const auto ask = [&](CheckUse use, const CollideOptions& options) {
      std::vector<std::uint8_t> answers(q.count);
      Workspace<3, double> workspace;
      find_contacts_of(robot, q, environment, 1, std::span<std::uint8_t>(answers), workspace,
                       options, use);
      return answers;
    };
    CollideOptions options;
    const auto expected = ask(CheckUse::none, options);
    const auto hits = std::count(expected.begin(), expected.end(), 1);
    EXPECT_GT(hits, std::ssize(expected) / 20);
    EXPECT_LT(hits, std::ssize(expected) - std::ssize(expected) / 20);
    for (const Isa isa : test::usable_isas()) {
      options.isa = isa;
      EXPECT_EQ(ask(CheckUse::all, options), expected) << has_balls << " " << isa_name(isa);
    }
  }
}

// The robot's largest number is that of a place in the grid.
TEST(robot_samples, cells_are_no_nearer_than_they_know) {
  Obstacle ball;
  ball.core = CheckCore::point;
  ball.center = {0.3, -0.2, 0.9};
  ball.radius = 0.25;
  Obstacle ground;
  ground.core = CheckCore::halfspace;
  ground.axis[2] = {0, 0, 1};
  ground.size[0] = -0.5;
  const std::vector<Obstacle> obstacles{ball, ground};
  const std::vector<std::int32_t> ids{0, 1};
  const ObstacleGrid grid({{-2, -1, -0.7}, {2, 1, 2}, -1}, 2, obstacles, ids);
  const CheckGrid& cells = grid.grid();
  std::size_t index = 0;
  double most_lost = 0;
  for (std::int32_t z = 0; z < cells.size[2]; ++z) {
    for (std::int32_t y = 0; y < cells.size[1]; ++y) {
      for (std::int32_t x = 0; x < cells.size[0]; ++x, ++index) {
        const std::int32_t cell[] = {x, y, z};
        double at[3], square = 0;
        for (std::size_t k = 0; k < 3; ++k) {
          at[k] = static_cast<double>(cells.first[k]) + cell[k] * static_cast<double>(cells.step);
          square += (at[k] - ball.center[k]) * (at[k] - ball.center[k]);
        }
        const double apart = std::max(std::min(std::sqrt(square) - 0.25, at[2] + 0.5), 0.0);
        const double known = cells.apart[index] * static_cast<double>(cells.unit);
        ASSERT_LE(known, apart) << x << " " << y << " " << z;
        most_lost = std::max(most_lost, apart - known);
      }
    }
  }
  EXPECT_LT(most_lost, 1.1 * static_cast<double>(cells.unit) + 1e-4);
}

/// Motions by samples against their samples one by one. Returns how many hit.
std::size_t compare_samples(const Robot& robot, const std::vector<double>& from,
                            const std::vector<double>& to, const Environment& environment) {
  const std::size_t width = robot.values().size(), count = from.size() / width;
  MotionOptions motions;
  std::vector<MotionStatus> status;
  std::vector<double> at;
  std::size_t hits = 0;
  for (std::size_t m = 0; m < count; ++m) {
    double square = 0;
    for (std::size_t v = m * width; v < (m + 1) * width; ++v) {
      square += (to[v] - from[v]) * (to[v] - from[v]);
    }
    const double steps = std::max(1.0, std::ceil(std::sqrt(square) / motions.resolution));
    std::vector<double> values;
    for (double k = 0; k <= steps; ++k) {
      const double t = k / steps;
      for (std::size_t v = m * width; v < (m + 1) * width; ++v) {
        values.push_back(t == 1 ? to[v] : from[v] + t * (to[v] - from[v]));
      }
    }
    const auto answers = asked(robot, values, environment, CheckUse::none, {});
    const auto first = std::find(answers.begin(), answers.end(), 1) - answers.begin();
    const bool is_hit = first != std::ssize(answers);
    status.push_back(is_hit ? MotionStatus::hit : MotionStatus::free);
    at.push_back(is_hit ? static_cast<double>(first) / steps : -1);
    hits += is_hit ? 1 : 0;
  }
  for (const Isa isa : test::usable_isas()) {
    CollideOptions options;
    options.isa = isa;
    MotionChecks checks;
    Workspace<3, double> workspace;
    check_motions(robot, Configurations<double>(from, width), Configurations<double>(to, width),
                  environment, checks, workspace, motions, options);
    for (std::size_t m = 0; m < count; ++m) {
      EXPECT_EQ(checks.status[m], status[m]) << m << " " << isa_name(isa);
      if (status[m] == MotionStatus::hit) {
        EXPECT_EQ(checks.at[m], at[m]) << m << " " << isa_name(isa);
      }
    }
  }
  return hits;
}

TEST(robot_samples, motions_hit_where_their_first_sample_does) {
  const std::size_t count = test::scaled(100, 20);
  Random random(7);
  const Robot arm(arm_of_balls());
  const SceneColumns<3, double> shapes = many_shapes(8);
  const Environment environment{SceneSpan<3, double>(shapes)};
  expect_grid(arm, environment);
  // Lengths from less than a step to several blocks, so that motions share blocks.
  std::vector<double> from = values_of(count), to;
  const std::size_t width = from.size() / count;
  for (std::size_t m = 0; m < count; ++m) {
    const double far = std::array{0.0, 0.004, 0.05, 0.3, 1.0}[m % 5];
    for (std::size_t v = 0; v < width; ++v) {
      to.push_back(from[m * width + v] + far * random.normal());
    }
  }
  const std::size_t hits = compare_samples(arm, from, to, environment);
  EXPECT_GT(hits, count / 10);
  EXPECT_LT(hits, count);
}

// Boxes and capsules leave many samples unsure; joints are of all types, some far from 0.
TEST(robot_samples, unsure_samples_are_asked_in_double) {
  const std::size_t count = test::scaled(30, 10);
  Random random(9);
  const Robot tree(tree_of_all_types(random));
  const std::size_t width = tree.values().size();
  const SceneColumns<3, double> shapes = many_shapes(3);
  const Environment environment{SceneSpan<3, double>(shapes)};
  std::vector<double> from, to;
  for (std::size_t i = 0; i < count * width; ++i) {
    from.push_back(0.7 * random.normal());
    to.push_back(from.back() + 0.3 * random.normal());
  }
  // The second joint turns; its angle is beyond what the check takes.
  from[7] = 3e6;
  to[7] = 3e6 + 0.5;
  EXPECT_GT(compare_samples(tree, from, to, environment), 0u);
}

}  // namespace
}  // namespace widephase
