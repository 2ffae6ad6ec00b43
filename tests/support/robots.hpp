#pragma once

// Robots for tests, and their forward kinematics by matrices in long double.

#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include <widephase/robot.hpp>

namespace widephase::test::robots {

using Real = long double;
using Turns = std::array<double, 4>;
using Poses3 = BodyTable<Owned<3, double>>;
constexpr Turns kUnturned{0, 0, 0, 1};
constexpr double kPi = std::numbers::pi;

/// A frame as a matrix of three rows: the images of the axes, and the origin.
struct Matrix {
  Real at[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
};
inline Matrix operator*(const Matrix& a, const Matrix& b) {
  Matrix product;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 4; ++j) {
      product.at[i][j] = j == 3 ? a.at[i][3] : 0;
      for (int k = 0; k < 3; ++k) product.at[i][j] += a.at[i][k] * b.at[k][j];
    }
  }
  return product;
}
inline Matrix shifted(Real x, Real y, Real z) {
  Matrix matrix;
  matrix.at[0][3] = x;
  matrix.at[1][3] = y;
  matrix.at[2][3] = z;
  return matrix;
}
/// Rodrigues' formula.
inline Matrix turned(const std::array<Real, 3>& axis, Real angle) {
  const Real length = std::sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
  const Real x = axis[0] / length, y = axis[1] / length, z = axis[2] / length;
  const Real c = std::cos(angle), s = std::sin(angle), v = 1 - c;
  return {{{x * x * v + c, x * y * v - z * s, x * z * v + y * s, 0},
           {y * x * v + z * s, y * y * v + c, y * z * v - x * s, 0},
           {z * x * v - y * s, z * y * v + x * s, z * z * v + c, 0}}};
}
/// By a quaternion x y z w of any length.
inline Matrix turned(const Turns& q) {
  const Real part =
      std::hypot(static_cast<Real>(q[0]), static_cast<Real>(q[1]), static_cast<Real>(q[2]));
  if (part == 0) return {};
  return turned({q[0], q[1], q[2]}, 2 * std::atan2(part, static_cast<Real>(q[3])));
}

/// The numbers of a joint as its file gives them, and the motion that these mean.
inline Matrix motion_of(const RobotJoints& joints, std::size_t row,
                        const std::vector<double>& numbers) {
  const std::array<Real, 3> axis{joints.axis(row, 0), joints.axis(row, 1), joints.axis(row, 2)};
  const auto about_anchor = [&](const Matrix& turn) {
    if (joints.anchor.empty()) return turn;
    const Real x = joints.anchor(row, 0), y = joints.anchor(row, 1), z = joints.anchor(row, 2);
    return shifted(x, y, z) * turn * shifted(-x, -y, -z);
  };
  const auto along_axis = [&](Real length) {
    return shifted(axis[0] * length, axis[1] * length, axis[2] * length);
  };
  switch (joints.type[row]) {
    case JointType::fixed:
      return {};
    case JointType::revolute:
    case JointType::continuous:
      return about_anchor(turned(axis, numbers[0]));
    case JointType::prismatic:
      return along_axis(numbers[0]);
    case JointType::planar: {
      // The frame's z is rotated to the axis about their cross product, and back.
      const Real across = std::hypot(axis[0], axis[1]);
      const Matrix to = across == 0 && axis[2] > 0
                            ? Matrix{}
                            : turned(across == 0 ? std::array<Real, 3>{1, 0, 0}
                                                 : std::array<Real, 3>{-axis[1], axis[0], 0},
                                     std::atan2(across, axis[2]));
      const Matrix moved = to * shifted(numbers[0], numbers[1], 0);
      return shifted(moved.at[0][3], moved.at[1][3], moved.at[2][3]) * turned(axis, numbers[2]);
    }
    case JointType::floating:
      return shifted(numbers[0], numbers[1], numbers[2]) *
             turned(Turns{numbers[3], numbers[4], numbers[5], numbers[6]});
    case JointType::ball:
      return about_anchor(turned(Turns{numbers[0], numbers[1], numbers[2], numbers[3]}));
  }
  return {};
}

inline std::size_t width_of(JointType type) {
  constexpr std::size_t kWidths[] = {0, 1, 1, 1, 3, 7, 4};
  return kWidths[static_cast<std::size_t>(type)];
}

/// The frames of the bodies in a configuration with quaternions x y z w.
inline std::vector<Matrix> reference_of(const RobotColumns& robot,
                                        const std::vector<double>& values) {
  const RobotJoints& joints = robot.joints;
  std::vector<std::size_t> first(joints.name.size());
  std::size_t next = 0;
  for (std::size_t row = 0; row < joints.name.size(); ++row) {
    first[row] = next;
    if (joints.mimic.empty() || joints.mimic[row] < 0) next += width_of(joints.type[row]);
  }
  std::vector<Matrix> frames(robot.bodies.name.size());
  std::vector<bool> is_done(frames.size());
  for (std::size_t round = 0; round < frames.size(); ++round) {
    for (std::size_t body = 0; body < frames.size(); ++body) {
      const std::int32_t parent = robot.bodies.parent[body];
      if (is_done[body] || (parent >= 0 && !is_done[static_cast<std::size_t>(parent)])) continue;
      const auto& at = robot.bodies.position;
      frames[body] = (parent < 0 ? Matrix{} : frames[static_cast<std::size_t>(parent)]) *
                     shifted(at(body, 0), at(body, 1), at(body, 2)) *
                     turned(robot.bodies.turn.row(body));
      for (std::size_t row = 0; row < joints.name.size(); ++row) {
        if (joints.body[row] != static_cast<std::int32_t>(body)) continue;
        const std::int32_t mimic = joints.mimic.empty() ? -1 : joints.mimic[row];
        std::vector<double> numbers(width_of(joints.type[row]));
        for (std::size_t k = 0; k < numbers.size(); ++k) {
          numbers[k] = values[first[mimic < 0 ? row : static_cast<std::size_t>(mimic)] + k];
        }
        if (!joints.multiplier.empty() && numbers.size() == 1) {
          numbers[0] = joints.multiplier[row] * numbers[0] + joints.offset[row];
        }
        frames[body] = frames[body] * motion_of(joints, row, numbers);
      }
      is_done[body] = true;
    }
  }
  return frames;
}

/// How far a pose is from a frame: the largest difference of an image of an axis or the origin, the
/// latter relative to `size`.
inline double miss(const Poses3& poses, std::size_t row, const Matrix& frame, double size) {
  const Turns turn = poses.turn.row(row);
  const Matrix matrix = turned(turn);
  Real most = 0;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      most = std::max(most, std::abs(matrix.at[i][j] - frame.at[i][j]));
    }
    most = std::max(most, std::abs(poses.position(row, i) - frame.at[i][3]) / size);
  }
  Real square = 0;
  for (const double part : turn) square += static_cast<Real>(part) * part;
  return static_cast<double>(std::max(most, std::abs(square - 1)));
}

inline void add_body(RobotColumns& robot, std::int32_t parent,
                     const std::array<double, 3>& position = {}, const Turns& turn = kUnturned) {
  robot.bodies.name.push_back("body" + std::to_string(robot.bodies.name.size()));
  robot.bodies.parent.push_back(parent);
  robot.bodies.position.push_back(position);
  robot.bodies.turn.push_back(turn);
}
inline void add_joint(RobotColumns& robot, JointType type,
                      const std::array<double, 3>& axis = {0, 0, 1}) {
  robot.joints.name.push_back("joint" + std::to_string(robot.joints.name.size()));
  robot.joints.type.push_back({type});
  robot.joints.body.push_back(static_cast<std::int32_t>(robot.bodies.name.size()) - 1);
  robot.joints.axis.push_back(axis);
}
/// One body with one joint.
inline RobotColumns robot_of(JointType type, const std::array<double, 3>& axis = {0, 0, 1}) {
  RobotColumns robot;
  add_body(robot, -1);
  add_joint(robot, type, axis);
  return robot;
}
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  double normal() { return normal_(engine_); }
  std::size_t below(std::size_t count) { return engine_() % count; }
  template <std::size_t N>
  std::array<double, N> vector() {
    std::array<double, N> numbers{};
    for (double& part : numbers) part = normal();
    return numbers;
  }
  template <std::size_t N>
  std::array<double, N> unit() {
    std::array<double, N> numbers = vector<N>();
    double square = 0;
    for (const double part : numbers) square += part * part;
    for (double& part : numbers) part /= std::sqrt(square);
    return numbers;
  }

 private:
  std::mt19937_64 engine_;
  std::normal_distribution<double> normal_;
};

/// A tree of 1 to 60 bodies with joints of every type, several on a body, mimics, limits and links.
inline RobotColumns random_robot(Random& random) {
  RobotColumns robot;
  const std::size_t count = 1 + random.below(60);
  for (std::size_t body = 0; body < count; ++body) {
    // A few children of the world, else of a body before.
    const bool is_root = body == 0 || random.below(8) == 0;
    add_body(robot, is_root ? -1 : static_cast<std::int32_t>(random.below(body)),
             random.vector<3>(), random.below(2) == 0 ? kUnturned : random.unit<4>());
    for (std::size_t n = random.below(3); n > 0; --n) {
      const auto type = static_cast<JointType>(random.below(7));
      std::array<double, 3> axis = random.unit<3>();
      if (random.below(3) == 0) axis = {0, 0, random.below(2) == 0 ? 1.0 : -1.0};
      add_joint(robot, type, axis);
      const bool has_one = type == JointType::revolute || type == JointType::continuous ||
                           type == JointType::prismatic;
      const bool has_anchor = (has_one && type != JointType::prismatic) || type == JointType::ball;
      robot.joints.anchor.push_back(has_anchor && random.below(2) == 0 ? random.vector<3>()
                                                                       : std::array<double, 3>{});
      const bool is_scaled = has_one && random.below(2) == 0;
      robot.joints.multiplier.push_back(is_scaled ? random.normal() : 1.0);
      robot.joints.offset.push_back(is_scaled ? random.normal() : 0.0);
      std::int32_t mimic = -1;
      for (std::size_t other = 0; has_one && other + 1 < robot.joints.name.size(); ++other) {
        const JointType named = robot.joints.type[other];
        if (robot.joints.mimic[other] < 0 && random.below(20) == 0 &&
            (named == JointType::revolute || named == JointType::prismatic)) {
          mimic = static_cast<std::int32_t>(other);
        }
      }
      robot.joints.mimic.push_back(mimic);
    }
    robot.links.name.push_back("link" + std::to_string(body));
    robot.links.body.push_back(static_cast<std::int32_t>(body));
    robot.links.position.push_back(random.vector<3>());
    robot.links.turn.push_back(random.unit<4>());
  }
  return robot;
}

/// An arm of five turning bodies, each a link with two balls. Neighbours and links 0 and 2 never
/// meet.
inline RobotColumns arm_of_balls() {
  RobotColumns robot;
  auto& balls = robot.shapes.spheres;
  for (std::int32_t i = 0; i < 5; ++i) {
    add_body(robot, i - 1, {0, 0, 0.5});
    add_joint(robot, JointType::revolute,
              i % 2 == 0 ? std::array<double, 3>{0, 0, 1} : std::array<double, 3>{1, 0, 0});
    robot.links.name.push_back("link" + std::to_string(i));
    robot.links.body.push_back(i);
    robot.links.position.push_back({0, 0, 0});
    robot.links.turn.push_back(kUnturned);
    for (const double z : {0.15, 0.35}) {
      balls.center.push_back({0.02, 0, z});
      balls.radius.push_back(0.1 + 0.02 * z);
      balls.body.push_back(i);
      balls.owner.push_back(i);
    }
    if (i > 0) robot.shapes.excluded_owners.push_back({i - 1, i});
  }
  robot.shapes.excluded_owners.push_back({0, 2});
  return robot;
}

/// Twelve balls about that arm, in all worlds.
inline SceneColumns<3, double> surroundings() {
  SceneColumns<3, double> scene;
  Random random(2);
  for (int i = 0; i < 12; ++i) {
    const std::array<double, 3> at = random.unit<3>();
    scene.spheres.center.push_back({1.6 * at[0], 1.6 * at[1], 1.2 + 1.6 * at[2]});
    scene.spheres.radius.push_back(0.25);
    scene.spheres.world.push_back(-1);
  }
  return scene;
}

/// A two-sided triangle across x = `x`, and a square field of heights `z`.
inline SceneColumns<3, double> surfaces_at(double x, double z) {
  SceneColumns<3, double> scene;
  auto& meshes = scene.mesh_geometries;
  meshes.vertices.push_back({x, -1, -1});
  meshes.vertices.push_back({x, 1, -1});
  meshes.vertices.push_back({x, 0, 1});
  meshes.vertex_offsets.push_back(0);
  meshes.vertex_offsets.push_back(3);
  meshes.indices.push_back({0, 1, 2});
  meshes.triangle_offsets.push_back(0);
  meshes.triangle_offsets.push_back(1);
  meshes.two_sided.push_back(1);
  scene.meshes.center.push_back({0, 0, 0});
  scene.meshes.turn.push_back(kUnturned);
  scene.meshes.geometry.push_back(0);
  auto& fields = scene.heightfield_geometries;
  for (int k = 0; k < 4; ++k) fields.heights.push_back(z);
  fields.offsets.push_back(0);
  fields.offsets.push_back(4);
  fields.columns.push_back(2);
  fields.cell.push_back({4, 4});
  scene.heightfields.center.push_back({-2, -2, 0});
  scene.heightfields.turn.push_back(kUnturned);
  scene.heightfields.geometry.push_back(0);
  return scene;
}

/// Configurations of that arm.
inline std::vector<double> values_of(std::size_t count) {
  Random random(3);
  std::vector<double> values(5 * count);
  for (double& value : values) value = 1.5 * random.normal();
  return values;
}

/// Bodies of joints of every type, each with a box or a capsule; and some that move along.
inline RobotColumns tree_of_all_types(Random& random) {
  RobotColumns robot;
  constexpr JointType kTypes[] = {JointType::floating, JointType::revolute, JointType::prismatic,
                                  JointType::ball,     JointType::planar,   JointType::continuous};
  for (std::int32_t i = 0; i < 6; ++i) {
    add_body(robot, i == 4 ? 1 : i - 1, {0, 0, i == 0 ? 0.0 : 0.6}, random.unit<4>());
    add_joint(robot, kTypes[i], random.unit<3>());
    const bool turns = kTypes[i] != JointType::prismatic && kTypes[i] != JointType::planar &&
                       kTypes[i] != JointType::floating;
    robot.joints.anchor.push_back(turns ? std::array{0.1, 0.2, -0.1} : std::array{0.0, 0.0, 0.0});
    robot.joints.mimic.push_back(i == 5 ? 1 : -1);
    robot.joints.multiplier.push_back(i == 5 ? -0.5 : 1.0);
    robot.joints.offset.push_back(i == 5 ? 0.25 : 0.0);
    auto& shapes = robot.shapes;
    if (i % 2 == 0) {
      shapes.boxes.center.push_back({0, 0, 0.2});
      shapes.boxes.turn.push_back(random.unit<4>());
      shapes.boxes.half_extents.push_back({0.05, 0.1, 0.15});
      shapes.boxes.body.push_back(i);
      shapes.boxes.owner.push_back(i);
    } else {
      shapes.capsules.a.push_back({0, 0, 0});
      shapes.capsules.b.push_back({0, 0, 0.3});
      shapes.capsules.radius.push_back(0.05);
      shapes.capsules.body.push_back(i);
      shapes.capsules.owner.push_back(i);
    }
    if (i > 0) shapes.excluded_owners.push_back({i == 4 ? 1 : i - 1, i});
  }
  return robot;
}

}  // namespace widephase::test::robots
