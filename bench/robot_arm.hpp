#pragma once

// The arm and the shelf of arms.hpp as a `Robot` and its surroundings.

#include <string>

#include <widephase/robot.hpp>

#include "arms.hpp"

namespace widephase::bench {

/// As many as the Panda arm has.
inline constexpr std::size_t kArmJoints = 7;

/// The arm of `make_arms`, whose joints turn about z and y in turn.
inline RobotColumns arm_of_balls() {
  RobotColumns robot;
  for (std::int32_t body = 0; body <= static_cast<std::int32_t>(kArmJoints); ++body) {
    const double height = body == 0 ? 0 : kJointHeights[body - 1];
    robot.bodies.name.push_back("body" + std::to_string(body));
    robot.bodies.parent.push_back(body - 1);
    robot.bodies.position.push_back({0, 0, height});
    robot.bodies.turn.push_back({0, 0, 0, 1});
    if (body == 0) continue;
    const bool is_about_z = body % 2 == 1;
    robot.joints.name.push_back("joint" + std::to_string(body));
    robot.joints.type.push_back(JointType::revolute);
    robot.joints.body.push_back(body);
    robot.joints.axis.push_back({0, is_about_z ? 0.0 : 1.0, is_about_z ? 1.0 : 0.0});
    robot.joints.lower.push_back(is_about_z ? -2.8 : -1.6);
    robot.joints.upper.push_back(is_about_z ? 2.8 : 1.6);
  }
  const Arms arms = make_arms(1, 1);
  const auto& balls = arms.carried.spheres;
  for (std::int32_t link = 0; link < 11; ++link) {
    robot.links.name.push_back("link" + std::to_string(link));
    robot.links.body.push_back(kArmLinks[link].body);
    robot.links.position.push_back({0, 0, 0});
    robot.links.turn.push_back({0, 0, 0, 1});
  }
  for (std::size_t i = 0; i < balls.radius.size(); ++i) {
    robot.shapes.spheres.center.push_back(
        {balls.center(i, 0), balls.center(i, 1), balls.center(i, 2)});
    robot.shapes.spheres.radius.push_back(balls.radius[i]);
    robot.shapes.spheres.body.push_back(balls.body[i]);
    robot.shapes.spheres.owner.push_back(balls.owner[i]);
  }
  const auto& excluded = arms.carried.excluded_owners;
  for (std::size_t row = 0; row < excluded.size(); ++row) {
    if (excluded(row, 1) < 11) robot.shapes.excluded_owners.push_back(excluded.row(row));
  }
  return robot;
}

/// The shelf without the table, the last box, in which the arm stands.
inline SceneColumns<3, float> shelf_before_arm() {
  SceneColumns<3, float> shelf = shelf_of_boxes();
  const std::size_t boxes = row_count(shelf.boxes) - 1;
  shelf.boxes.center.resize(boxes, {});
  shelf.boxes.half_extents.resize(boxes, {});
  shelf.boxes.turn.resize(boxes, {});
  shelf.boxes.world.resize(boxes, 0);
  shelf.boxes.fixed.resize(boxes, 0);
  shelf.boxes.owner.resize(boxes, 0);
  return shelf;
}

/// Small boxes around an arm, but for a column that it stands in.
inline SceneColumns<3, float> small_boxes(std::size_t count) {
  SceneColumns<3, float> scene;
  Random random(4);
  const double size = 0.35 / std::cbrt(static_cast<double>(count));
  while (row_count(scene.boxes) < count) {
    std::array<float, 3> at{}, half{};
    for (float& x : at) x = static_cast<float>(random.uniform(-1.1, 1.1));
    if (at[0] * at[0] + at[1] * at[1] < 0.16f) continue;
    for (float& x : half) x = static_cast<float>(size * random.uniform(0.3, 1.3));
    scene.boxes.center.push_back(at);
    scene.boxes.half_extents.push_back(half);
    const auto turn = random.orientation();
    scene.boxes.turn.push_back({static_cast<float>(turn[0]), static_cast<float>(turn[1]),
                                static_cast<float>(turn[2]), static_cast<float>(turn[3])});
  }
  return scene;
}

/// Uniform within the limits, one after the other.
inline std::vector<double> random_values(const Robot& robot, std::size_t count,
                                         std::uint64_t seed) {
  Random random(seed);
  std::vector<double> values;
  for (std::size_t i = 0; i < count * robot.values().size(); ++i) {
    const RobotValue& value = robot.values()[i % robot.values().size()];
    values.push_back(random.uniform(value.lower, value.upper));
  }
  return values;
}

/// Goals at a distance of 1 from the starts.
template <class T>
std::vector<T> goals_from(const std::vector<T>& starts) {
  Random random(9);
  std::vector<T> goals = starts;
  for (std::size_t first = 0; first < goals.size(); first += kArmJoints) {
    double way[kArmJoints], square = 0;
    for (double& d : way) {
      d = random.normal();
      square += d * d;
    }
    for (std::size_t k = 0; k < kArmJoints; ++k) {
      goals[first + k] += static_cast<T>(way[k] / std::sqrt(square));
    }
  }
  return goals;
}

}  // namespace widephase::bench
