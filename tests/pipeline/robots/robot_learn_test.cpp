// Which links meet in random configurations, against shares that geometry gives.
// Labels: own-sets

#include <gtest/gtest.h>

#include <cmath>

#include <widephase/learn_allowed.hpp>

#include "support/expect.hpp"
#include "support/robots.hpp"

namespace widephase {
namespace {

using namespace test::robots;

/// Links 0 and 4 turn about z, link 0 at a distance of 1. Links 1 to 3 are of the world: link 0
/// touches the first always, the second within a quarter turn to both sides, the third never.
RobotColumns four_links() {
  RobotColumns robot = robot_of(JointType::revolute);
  robot.joints.lower.push_back(-kPi);
  robot.joints.upper.push_back(kPi);
  const auto add = [&](std::int32_t body, const std::array<double, 3>& center, double radius) {
    robot.shapes.spheres.center.push_back(center);
    robot.shapes.spheres.radius.push_back(radius);
    robot.shapes.spheres.body.push_back(body);
    robot.shapes.spheres.owner.push_back(
        static_cast<std::int32_t>(robot.shapes.spheres.radius.size()) - 1);
  };
  add(0, {1, 0, 0}, 0.1);                              // turns
  add(-1, {0, 0, 0}, 1.0);                             // always
  add(-1, {1, 0, 0}, 2 * std::sin(0.25 * kPi) - 0.1);  // within a quarter turn to both sides
  add(-1, {9, 0, 0}, 0.1);                             // never
  add(0, {0, 0, 5}, 0.1);
  robot.shapes.excluded_owners.push_back({3, 4});
  return robot;
}

TEST(robot_learn, counts_are_shares_of_angles) {
  const Robot robot(four_links());
  Workspace<3, double> workspace;
  LearnedPairs learned;
  learn_allowed(robot, 5000, 1, learned, workspace);
  EXPECT_EQ(learned.samples, 5000);
  std::vector<std::array<std::int32_t, 2>> links;
  for (std::size_t i = 0; i < learned.links.size(); ++i) links.push_back(learned.links.row(i));
  // All but the shapes of one body, and the two that the robot excludes.
  EXPECT_EQ(links, (std::vector<std::array<std::int32_t, 2>>{
                       {0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {1, 4}, {2, 3}, {2, 4}}));
  EXPECT_EQ(learned.contacts[0], 5000);
  EXPECT_NEAR(static_cast<double>(learned.contacts[1]), 2500, 5 * std::sqrt(1250.0));
  EXPECT_EQ(learned.contacts[2], 0);
  // The same seed, the same counts, on every set; another gives others.
  LearnedPairs again, other;
  CollideOptions options;
  options.isa = test::usable_isas().front();
  learn_allowed(robot, 5000, 1, again, workspace, options);
  learn_allowed(robot, 5000, 2, other, workspace);
  EXPECT_EQ(again.contacts[1], learned.contacts[1]);
  EXPECT_NE(other.contacts[1], learned.contacts[1]);
}

// Limits beyond a turn are none: the share is that of one turn, wherever the limits are.
TEST(robot_learn, wide_limits_of_angles_are_one_turn) {
  RobotColumns columns = four_links();
  columns.joints.lower[0] = 0;
  columns.joints.upper[0] = 2.5 * kPi;
  Workspace<3, double> workspace;
  LearnedPairs learned;
  learn_allowed(Robot(columns), 2000, 1, learned, workspace);
  // From all of 0 to 450 degrees it would be 3 / 5.
  EXPECT_NEAR(static_cast<double>(learned.contacts[1]), 1000, 5 * std::sqrt(500.0));
}

// Rotations of a ball joint are uniform: the tip is above a height z with a share of (1 - z) / 2.
TEST(robot_learn, rotations_are_uniform) {
  RobotColumns columns = robot_of(JointType::ball);
  columns.shapes.spheres.center.push_back({0, 0, 1});
  columns.shapes.spheres.radius.push_back(0);
  columns.shapes.spheres.body.push_back(0);
  columns.shapes.spheres.owner.push_back(0);
  columns.shapes.aabbs.min.push_back({-2, -2, 0.5});
  columns.shapes.aabbs.max.push_back({2, 2, 2});
  columns.shapes.aabbs.owner.push_back(1);
  Workspace<3, double> workspace;
  LearnedPairs learned;
  learn_allowed(Robot(columns), 4000, 3, learned, workspace);
  ASSERT_EQ(learned.contacts.size(), 1u);
  EXPECT_NEAR(static_cast<double>(learned.contacts[0]), 1000, 5 * std::sqrt(750.0));
}

}  // namespace
}  // namespace widephase
