// The nearest pair of robots' configurations, and the gradient of its distance against differences.
// Labels: own-sets threads

#include <gtest/gtest.h>

#include <cmath>

#include <widephase/robot_distances.hpp>

#include "support/error_of.hpp"
#include "support/expect.hpp"
#include "support/generate.hpp"
#include "support/robots.hpp"

namespace widephase {
namespace {

using namespace test::robots;

RobotDistances distances_of(const Robot& robot, const std::vector<double>& values,
                            const Environment& around, const RobotDistanceOptions& wanted = {},
                            const CollideOptions& options = {}) {
  RobotDistances found;
  Workspace<3, double> workspace;
  min_distance(robot, Configurations<double>(values, robot.values().size()), around, found,
               workspace, wanted, options);
  return found;
}

/// Central differences of the distance, where the same pair is nearest on both sides.
void expect_gradients(const Robot& robot, const std::vector<double>& values,
                      const Environment& around) {
  const std::size_t width = robot.values().size(), count = values.size() / width;
  RobotDistanceOptions wanted;
  wanted.has_gradient = true;
  const RobotDistances found = distances_of(robot, values, around, wanted);
  ASSERT_EQ(found.gradient.size(), values.size());
  constexpr double kStep = 1e-6;
  std::vector<double> moved;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t v = 0; v < width; ++v) {
      for (const double step : {-kStep, kStep}) {
        for (std::size_t w = 0; w < width; ++w) {
          moved.push_back(values[i * width + w] + (v == w ? step : 0));
        }
      }
    }
  }
  const RobotDistances beside = distances_of(robot, moved, around);
  std::size_t compared = 0, moves = 0;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const std::size_t i = k / width, low = 2 * k, high = low + 1;
    const auto same = [&](std::size_t other) {
      return beside.shape[other] == found.shape[i] && beside.obstacle[other] == found.obstacle[i] &&
             beside.other_shape[other] == found.other_shape[i];
    };
    if (!same(low) || !same(high)) continue;
    const double difference = (beside.distance[high] - beside.distance[low]) / (2 * kStep);
    EXPECT_NEAR(found.gradient[k], difference, 1e-4) << i << " " << robot.values()[k % width].name;
    ++compared;
    moves += std::abs(difference) > 0.05 ? 1 : 0;
  }
  EXPECT_GT(compared, values.size() / 2);
  EXPECT_GT(moves, values.size() / 10);
}

TEST(robot_distances, gradients_are_differences) {
  const std::size_t count = test::scaled(60, 12);
  const SceneColumns<3, double> around = surroundings();
  const Environment environment{SceneSpan<3, double>(around)};
  const Robot arm(arm_of_balls());
  expect_gradients(arm, values_of(count), environment);
  expect_gradients(arm, values_of(count), {});
  for (const QuaternionOrder order : {QuaternionOrder::xyzw, QuaternionOrder::wxyz}) {
    Random random(4);
    RobotColumns columns = tree_of_all_types(random);
    columns.quaternions = order;
    const Robot tree(columns);
    std::vector<double> values;
    for (std::size_t i = 0; i < count * tree.values().size(); ++i) {
      values.push_back(0.7 * random.normal());
    }
    expect_gradients(tree, values, environment);
  }
}

TEST(robot_distances, nearest_points_and_answers_agree) {
  const Robot robot(arm_of_balls());
  const SceneColumns<3, double> around = surroundings();
  const Environment environment{SceneSpan<3, double>(around)};
  const std::vector<double> values = values_of(600);  // two scenes of worlds
  const RobotDistances found = distances_of(robot, values, environment);
  std::vector<std::uint8_t> answers(600);
  Workspace<3, double> workspace;
  any_contact(robot, Configurations<double>(values, 5), environment,
              std::span<std::uint8_t>(answers), workspace);
  for (std::size_t i = 0; i < 600; ++i) {
    EXPECT_EQ(answers[i], found.distance[i] <= 0 ? 1 : 0) << i;
    EXPECT_EQ(found.link[i], found.shape[i] / 2);
    EXPECT_EQ(found.obstacle[i] < 0, found.other_shape[i] >= 0);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(found.point_a.row(i)[k] + found.distance[i] * found.normal.row(i)[k],
                  found.point_b.row(i)[k], 1e-12);
    }
  }
  EXPECT_TRUE(found.gradient.empty());
  // Those beyond a limit have no pair; one configuration alone has the same bits.
  RobotDistanceOptions near;
  near.limit = 0.05;
  near.has_gradient = true;
  const RobotDistances limited = distances_of(robot, values, environment, near);
  std::size_t beyond = 0;
  for (std::size_t i = 0; i < 600; ++i) {
    const bool is_beyond = found.distance[i] > 0.05;
    beyond += is_beyond ? 1 : 0;
    EXPECT_EQ(limited.shape[i], is_beyond ? -1 : found.shape[i]);
    EXPECT_EQ(limited.distance[i],
              is_beyond ? std::numeric_limits<double>::max() : found.distance[i]);
    if (is_beyond) {
      EXPECT_EQ(limited.gradient[5 * i + 1], 0);
    }
  }
  EXPECT_GT(beyond, 50u);
  EXPECT_LT(beyond, 590u);
  CollideOptions options;
  options.threads.count = 3;
  options.isa = test::usable_isas().front();
  const RobotDistances alone =
      distances_of(robot, {values.end() - 5, values.end()}, environment, {}, options);
  EXPECT_EQ(alone.distance[0], found.distance[599]);
  EXPECT_EQ(alone.shape[0], found.shape[599]);
}

// A ball at x = 1 that slides along x, and a wall at x = 3: the distance shrinks by what it slides.
TEST(robot_distances, of_one_ball) {
  RobotColumns columns = robot_of(JointType::prismatic, {1, 0, 0});
  columns.shapes.spheres.center.push_back({1, 0, 0});
  columns.shapes.spheres.radius.push_back(0.5);
  columns.shapes.spheres.body.push_back(0);
  const Robot robot(columns);
  SceneColumns<3, double> wall;
  wall.aabbs.min.push_back({3, -9, -9});
  wall.aabbs.max.push_back({4, 9, 9});
  RobotDistanceOptions wanted;
  wanted.has_gradient = true;
  const RobotDistances found =
      distances_of(robot, {0, 1.75}, Environment{SceneSpan<3, double>(wall)}, wanted);
  EXPECT_NEAR(found.distance[0], 1.5, 1e-12);
  EXPECT_NEAR(found.distance[1], -0.25, 1e-12);
  EXPECT_NEAR(found.gradient[0], -1, 1e-12);
  EXPECT_NEAR(found.gradient[1], -1, 1e-12);
  EXPECT_NEAR(found.normal(0, 0), 1, 1e-12);
  EXPECT_NEAR(found.point_a(0, 0), 1.5, 1e-12);
  const RobotDistances none = distances_of(robot, {0}, {}, wanted);
  EXPECT_EQ(none.shape[0], -1);
  EXPECT_EQ(none.distance[0], std::numeric_limits<double>::max());
  EXPECT_EQ(none.gradient[0], 0);
  EXPECT_EQ(test::error_of([&] {
              distances_of(robot, {0, std::nan("")}, {});
            }),
            "q[1] has nan as joint0; expected a finite number up to 1e75");
  wanted.limit = std::nan("");
  EXPECT_EQ(test::error_of([&] { distances_of(robot, {0}, {}, wanted); }),
            "limit is nan; expected a number");
}

}  // namespace
}  // namespace widephase
