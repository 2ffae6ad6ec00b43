// Robots: every type of joint against a reference of its own in long double, which multiplies
// matrices; the same bits on every instruction set, thread count and batch; and what is refused.
// Labels: own-sets threads

#include <widephase/robot.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <numbers>
#include <random>

#include <widephase/worlds.hpp>

#include "reference/scaled.hpp"
#include "support/error_of.hpp"
#include "support/expect.hpp"

namespace widephase {
namespace {

using Real = long double;
using Turns = std::array<double, 4>;
using Poses3 = BodyTable<Owned<3, double>>;
constexpr Turns kUnturned{0, 0, 0, 1};
constexpr double kPi = std::numbers::pi;

/// A frame as a matrix of three rows: the images of the axes, and the origin.
struct Matrix {
  Real at[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
};
Matrix operator*(const Matrix& a, const Matrix& b) {
  Matrix product;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 4; ++j) {
      product.at[i][j] = j == 3 ? a.at[i][3] : 0;
      for (int k = 0; k < 3; ++k) product.at[i][j] += a.at[i][k] * b.at[k][j];
    }
  }
  return product;
}
Matrix shifted(Real x, Real y, Real z) {
  Matrix matrix;
  matrix.at[0][3] = x;
  matrix.at[1][3] = y;
  matrix.at[2][3] = z;
  return matrix;
}
/// Rodrigues' formula.
Matrix turned(const std::array<Real, 3>& axis, Real angle) {
  const Real length = std::sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
  const Real x = axis[0] / length, y = axis[1] / length, z = axis[2] / length;
  const Real c = std::cos(angle), s = std::sin(angle), v = 1 - c;
  return {{{x * x * v + c, x * y * v - z * s, x * z * v + y * s, 0},
           {y * x * v + z * s, y * y * v + c, y * z * v - x * s, 0},
           {z * x * v - y * s, z * y * v + x * s, z * z * v + c, 0}}};
}
/// By a quaternion x y z w of any length.
Matrix turned(const Turns& q) {
  const Real part =
      std::hypot(static_cast<Real>(q[0]), static_cast<Real>(q[1]), static_cast<Real>(q[2]));
  if (part == 0) return {};
  return turned({q[0], q[1], q[2]}, 2 * std::atan2(part, static_cast<Real>(q[3])));
}

/// The numbers of a joint as its file gives them, and the motion that these mean.
Matrix motion_of(const RobotJoints& joints, std::size_t row, const std::vector<double>& numbers) {
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

std::size_t width_of(JointType type) {
  constexpr std::size_t kWidths[] = {0, 1, 1, 1, 3, 7, 4};
  return kWidths[static_cast<std::size_t>(type)];
}

/// The frames of the bodies in a configuration with quaternions x y z w.
std::vector<Matrix> reference_of(const RobotColumns& robot, const std::vector<double>& values) {
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
double miss(const Poses3& poses, std::size_t row, const Matrix& frame, double size) {
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

void add_body(RobotColumns& robot, std::int32_t parent, const std::array<double, 3>& position = {},
              const Turns& turn = kUnturned) {
  robot.bodies.name.push_back("body" + std::to_string(robot.bodies.name.size()));
  robot.bodies.parent.push_back(parent);
  robot.bodies.position.push_back(position);
  robot.bodies.turn.push_back(turn);
}
void add_joint(RobotColumns& robot, JointType type, const std::array<double, 3>& axis = {0, 0, 1}) {
  robot.joints.name.push_back("joint" + std::to_string(robot.joints.name.size()));
  robot.joints.type.push_back({type});
  robot.joints.body.push_back(static_cast<std::int32_t>(robot.bodies.name.size()) - 1);
  robot.joints.axis.push_back(axis);
}
/// One body with one joint.
RobotColumns robot_of(JointType type, const std::array<double, 3>& axis = {0, 0, 1}) {
  RobotColumns robot;
  add_body(robot, -1);
  add_joint(robot, type, axis);
  return robot;
}
Poses3 placed(const Robot& robot, const std::vector<double>& values,
              const RobotOptions& options = {}) {
  Poses3 poses;
  place(robot, Configurations<double>(values, robot.values().size()), poses, options);
  return poses;
}
void expect_row(const Column<double, 3>& column, std::size_t row,
                const std::array<double, 3>& expected) {
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(column(row, k), expected[static_cast<std::size_t>(k)], 1e-15) << row << " " << k;
  }
}
void expect_turn(const Poses3& poses, std::size_t row, const Turns& expected) {
  for (int k = 0; k < 4; ++k) {
    EXPECT_NEAR(poses.turn(row, k), expected[static_cast<std::size_t>(k)], 1e-15)
        << row << " " << k;
  }
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
RobotColumns random_robot(Random& random) {
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

std::vector<double> random_values(const Robot& robot, std::size_t count, Random& random) {
  std::vector<double> values;
  for (std::size_t i = 0; i < count * robot.values().size(); ++i) {
    values.push_back(2 * random.normal());
  }
  return values;
}

bool are_same(const Poses3& a, const Poses3& b) {
  if (a.position.size() != b.position.size()) return false;
  for (int w = 0; w < 4; ++w) {
    const std::size_t bytes = a.turn.size() * sizeof(double);
    if (bytes == 0) continue;
    if (w < 3 && std::memcmp(a.position.plane(w), b.position.plane(w), bytes) != 0) return false;
    if (std::memcmp(a.turn.plane(w), b.turn.plane(w), bytes) != 0) return false;
  }
  return true;
}

TEST(robot, each_type_of_joint_moves_as_its_word_says) {
  const double half = std::sqrt(0.5);
  // A quarter turn about y; a slide by 3 along y.
  for (const JointType type : {JointType::revolute, JointType::continuous}) {
    const Poses3 poses = placed(Robot(robot_of(type, {0, 1, 0})), {kPi / 2});
    expect_row(poses.position, 0, {0, 0, 0});
    expect_turn(poses, 0, {0, half, 0, half});
  }
  Poses3 poses = placed(Robot(robot_of(JointType::prismatic, {0, 1, 0})), {3});
  expect_row(poses.position, 0, {0, 3, 0});
  expect_turn(poses, 0, kUnturned);
  // In the plane z = 0, and in that across x, into which the shortest rotation from z to x takes x
  // to -z and leaves y.
  poses = placed(Robot(robot_of(JointType::planar)), {2, 3, kPi / 2});
  expect_row(poses.position, 0, {2, 3, 0});
  expect_turn(poses, 0, {0, 0, half, half});
  poses = placed(Robot(robot_of(JointType::planar, {1, 0, 0})), {2, 3, kPi / 2});
  expect_row(poses.position, 0, {0, 3, -2});
  expect_turn(poses, 0, {half, 0, 0, half});
  // Quaternions count as normalized.
  poses = placed(Robot(robot_of(JointType::floating)), {1, 2, 3, 0, 0, 5, 5});
  expect_row(poses.position, 0, {1, 2, 3});
  expect_turn(poses, 0, {0, 0, half, half});
  poses = placed(Robot(robot_of(JointType::ball)), {1e-9, 0, 0, 1e-9});
  expect_turn(poses, 0, {half, 0, 0, half});
  poses = placed(Robot(robot_of(JointType::fixed)), {});
  EXPECT_EQ(poses.position.size(), 0u);  // no values, so no configurations
}

TEST(robot, an_anchor_stays_where_it_is) {
  // About the point (1, 0, 0) by half a turn about z: the origin goes to (2, 0, 0).
  RobotColumns columns = robot_of(JointType::revolute);
  columns.joints.anchor.push_back({1, 0, 0});
  expect_row(placed(Robot(columns), {kPi}).position, 0, {2, 0, 0});
}

TEST(robot, quaternions_come_in_either_order) {
  RobotColumns columns = robot_of(JointType::floating);
  columns.quaternions = QuaternionOrder::wxyz;
  const Robot robot(columns);
  expect_turn(placed(robot, {0, 0, 0, 0.6, 0.8, 0, 0}), 0, {0.8, 0, 0, 0.6});
  std::string names;
  for (const RobotValue& value : robot.values()) names += value.name + " ";
  EXPECT_EQ(names, "joint0.x joint0.y joint0.z joint0.qw joint0.qx joint0.qy joint0.qz ");
}

TEST(robot, mimics_and_several_joints_of_a_body) {
  // A slide along x, then a turn about z in the frame as moved; a second body slides against the
  // first joint at half its speed, from 0.5 on.
  RobotColumns columns = robot_of(JointType::prismatic, {1, 0, 0});
  add_joint(columns, JointType::revolute);
  add_body(columns, -1);
  add_joint(columns, JointType::prismatic, {1, 0, 0});
  columns.joints.mimic = {-1, -1, 0};
  columns.joints.multiplier = {1, 1, -0.5};
  columns.joints.offset = {0, 0, 0.5};
  const Robot robot(columns);
  ASSERT_EQ(robot.values().size(), 2u);
  const Poses3 poses = placed(robot, {3, kPi});
  expect_row(poses.position, 0, {3, 0, 0});
  expect_turn(poses, 0, {0, 0, 1, 0});
  expect_row(poses.position, 1, {-1, 0, 0});
}

TEST(robot, random_trees_are_those_of_the_reference) {
  Random random(1);
  for (std::size_t n = 0; n < test::scaled(60, 8); ++n) {
    const RobotColumns columns = random_robot(random);
    const Robot robot(columns);
    const std::vector<double> values = random_values(robot, 5, random);
    if (values.empty()) continue;
    const Poses3 poses = placed(robot, values);
    RobotOptions options;
    options.frames = RobotFrames::links;
    const Poses3 links = placed(robot, values, options);
    const std::size_t width = robot.values().size(), bodies = robot.body_count();
    for (std::size_t i = 0; i < 5; ++i) {
      const std::vector<double> own(values.begin() + static_cast<std::ptrdiff_t>(i * width),
                                    values.begin() + static_cast<std::ptrdiff_t>((i + 1) * width));
      const std::vector<Matrix> frames = reference_of(columns, own);
      for (std::size_t body = 0; body < bodies; ++body) {
        // Chains of up to 60 bodies and 120 joints, each of rounding; lengths of about 10.
        ASSERT_LT(miss(poses, i * bodies + body, frames[body], 10), 1e-14) << n << " " << body;
        const auto& at = columns.links.position;
        const Matrix link = frames[body] * shifted(at(body, 0), at(body, 1), at(body, 2)) *
                            turned(columns.links.turn.row(body));
        ASSERT_LT(miss(links, i * bodies + body, link, 10), 1e-14) << n << " " << body;
      }
    }
  }
}

TEST(robot, a_long_chain_keeps_unit_quaternions) {
  // 5,000 joints: rounding of each product would leave 1e-13 of the length.
  RobotColumns columns;
  for (std::int32_t i = 0; i < 5000; ++i) {
    add_body(columns, i - 1, {0, 0, 1e-3}, {0.6, 0, 0, 0.8});
    add_joint(columns, JointType::revolute, {0, 0.8, 0.6});
  }
  const Robot robot(columns);
  Random random(2);
  const Poses3 poses = placed(robot, random_values(robot, 1, random));
  double square = 0;
  for (int k = 0; k < 4; ++k) square += poses.turn(4999, k) * poses.turn(4999, k);
  EXPECT_NEAR(square, 1, 1e-15);
}

TEST(robot, sets_threads_and_other_configurations_change_no_bit) {
  Random random(3);
  for (int n = 0; n < 3;) {
    const RobotColumns columns = random_robot(random);
    const Robot robot(columns);
    const std::size_t width = robot.values().size(), count = 1100;
    if (width < 20) continue;
    ++n;
    const std::vector<double> values = random_values(robot, count, random);
    RobotOptions options;
    options.isa = test::usable_isas().front();
    options.threads.count = 1;
    const Poses3 all = placed(robot, values, options);
    for (const Isa isa : test::usable_isas()) {
      options.isa = isa;
      for (const int threads : {1, 2, 3}) {
        options.threads.count = threads;
        EXPECT_TRUE(are_same(placed(robot, values, options), all))
            << isa_name(isa) << " " << threads;
      }
    }
    // Alone, and in batches that end within and at the end of a block of lanes.
    for (const std::size_t batch : {1u, 15u, 16u, 17u, 33u}) {
      const std::size_t first = 100;
      const std::vector<double> own(
          values.begin() + static_cast<std::ptrdiff_t>(first * width),
          values.begin() + static_cast<std::ptrdiff_t>((first + batch) * width));
      const Poses3 poses = placed(robot, own);
      for (std::size_t row = 0; row < batch * robot.body_count(); ++row) {
        const std::size_t there = first * robot.body_count() + row;
        EXPECT_EQ(poses.position.row(row), all.position.row(there)) << batch << " " << row;
        EXPECT_EQ(poses.turn.row(row), all.turn.row(there)) << batch << " " << row;
      }
    }
  }
}

TEST(robot, floats_with_strides_are_those_of_doubles_rounded) {
  const Robot robot([] {
    RobotColumns columns = robot_of(JointType::revolute, {0, 0.6, 0.8});
    add_body(columns, 0, {1, 2, 3});
    add_joint(columns, JointType::prismatic, {1, 0, 0});
    return columns;
  }());
  // Two configurations (0.1, 0.2) and (0.3, 0.4), the last value first, every second number.
  const float given[] = {0.4f, 9, 0.3f, 9, 0.2f, 9, 0.1f, 9};
  Configurations<float> configurations;
  configurations.first = given + 6;
  configurations.count = configurations.width = 2;
  configurations.row_stride = -4 * static_cast<std::ptrdiff_t>(sizeof(float));
  configurations.value_stride = -2 * static_cast<std::ptrdiff_t>(sizeof(float));
  BodyTable<Owned<3, float>> poses;
  place(robot, configurations, poses);
  const Poses3 wide = placed(robot, {0.1f, 0.2f, 0.3f, 0.4f});
  ASSERT_EQ(poses.position.size(), 4u);
  for (std::size_t row = 0; row < 4; ++row) {
    for (int k = 0; k < 3; ++k) {
      EXPECT_EQ(poses.position(row, k), static_cast<float>(wide.position(row, k)));
    }
    for (int k = 0; k < 4; ++k)
      EXPECT_EQ(poses.turn(row, k), static_cast<float>(wide.turn(row, k)));
  }
}

TEST(robot, worlds_in_configurations_collide) {
  // A ball at the end of an arm of 1, which turns about z, and a ball at (1, 0, 0) in all worlds.
  RobotColumns columns = robot_of(JointType::revolute);
  columns.links.name = {"arm"};
  columns.links.body.push_back(0);
  columns.links.position.push_back({0, 0, 0});
  columns.links.turn.push_back(kUnturned);
  auto& balls = columns.shapes.spheres;
  balls.center = {{1, 0, 0}, {1, 0, 0}};
  balls.radius = {0.1, 0.1};
  balls.body = {0, -1};
  balls.world = {0, -1};
  const Robot robot(columns);
  EXPECT_EQ(robot.shapes().bodies.position.size(), 1u);
  SceneColumns<3, double> worlds;
  replicate<3, double>(robot.shapes(), 3, worlds);
  const std::vector<double> angles{0, 1, -0.15};  // 0.15 along the circle: both radii are 0.2
  place(robot, Configurations<double>(angles, 1), worlds.bodies);
  std::vector<std::uint8_t> hit(3);
  Workspace<3, double> workspace;
  any_contact<3, double>(worlds, hit, workspace);
  EXPECT_EQ(hit, (std::vector<std::uint8_t>{1, 0, 1}));
}

TEST(robot, values_without_a_meaning_are_told) {
  RobotColumns columns = robot_of(JointType::revolute);
  columns.joints.lower = {-1};
  columns.joints.upper = {2};
  add_body(columns, 0);
  add_joint(columns, JointType::revolute);
  columns.joints.lower.push_back(-100.0);
  columns.joints.upper.push_back(100.0);
  columns.joints.mimic = {-1, 0};
  columns.joints.multiplier = {1, 1024};
  columns.joints.offset = {0, 0};
  const Robot robot(columns);
  const double nan = std::nan("");
  const auto said = [&](const std::vector<double>& values, bool checks_limits = false) {
    RobotOptions options;
    options.checks_limits = checks_limits;
    return test::error_of([&] { placed(robot, values, options); });
  };
  EXPECT_EQ(said({0, 1, nan, nan}),
            "q[2] has nan as joint0; expected a finite number up to 2^50 radians");
  EXPECT_EQ(said({0, 0x1p51}),
            "q[1] has 2251799813685248 as joint0; expected a finite number up to 2^50 "
            "radians");
  EXPECT_EQ(said({0x1p45}),
            "q[0] has 35184372088832 as joint0; expected that joint1, which mimics it, "
            "moves by up to 2^50 radians");
  EXPECT_EQ(said({0, 3}), "no error");
  EXPECT_EQ(said({0, 3}, true), "q[1] has 3 as joint0; expected a value in [-1, 2]");
  Poses3 poses;
  const std::vector<double> values{0, nan, 3, 2};
  Column<ConfigurationStatus> status;
  RobotOptions options;
  options.status = &status;
  options.checks_limits = true;
  place(robot, Configurations<double>(values, 1), poses, options);
  ASSERT_EQ(status.size(), 4u);
  EXPECT_EQ(status[0], ConfigurationStatus::placed);
  EXPECT_EQ(status[1], ConfigurationStatus::invalid);
  EXPECT_EQ(status[2], ConfigurationStatus::beyond_limits);
  EXPECT_EQ(status[3], ConfigurationStatus::placed);
  EXPECT_TRUE(std::isnan(poses.position(2, 0)));
  EXPECT_TRUE(std::isnan(poses.turn(3, 3)));
  EXPECT_EQ(poses.position.row(4), placed(robot, {3}).position.row(0));
  // A quaternion of no length.
  const Robot ball(robot_of(JointType::ball));
  EXPECT_EQ(test::error_of([&] {
              placed(ball, {0, 0, 0, 1, 0, 0, 0, 0});
            }),
            "q[1] has 0 as joint0.qx; expected a quaternion of a length from 1e-75 to "
            "1e75");
  // The wrong width.
  EXPECT_EQ(test::error_of([&] { place(ball, Configurations<double>(values, 2), poses); }),
            "q has 2 values in each; expected 4 (joint0.qx, joint0.qy, joint0.qz, "
            "joint0.qw)");
}

TEST(robot, none_and_a_robot_without_joints) {
  const Robot ball(robot_of(JointType::ball));
  EXPECT_EQ(placed(ball, {}).position.size(), 0u);
  RobotColumns columns;
  add_body(columns, -1, {1, 2, 3});
  const Robot post(columns);
  Configurations<double> configurations;
  configurations.count = 20;
  Poses3 poses;
  place(post, configurations, poses);
  ASSERT_EQ(poses.position.size(), 20u);
  expect_row(poses.position, 19, {1, 2, 3});
}

TEST(robot, faulty_columns_are_refused) {
  const auto said = [](const auto& change) {
    RobotColumns columns = robot_of(JointType::revolute);
    add_body(columns, 0);
    add_joint(columns, JointType::prismatic);
    change(columns);
    return test::error_of([&] { Robot robot(columns); });
  };
  EXPECT_EQ(said([](RobotColumns& robot) { robot.bodies.parent.push_back(0); }),
            "bodies.parent has 3 rows; expected 2");
  EXPECT_EQ(said([](RobotColumns& robot) {
              robot.bodies.parent = {1, 0};
            }),
            "bodies.parent[0] leads around a ring; expected a tree");
  EXPECT_EQ(said([](RobotColumns& robot) {
              robot.bodies.parent = {-1, 2};
            }),
            "bodies.parent[1] is 2; there are 2 rows, and -1 is none");
  EXPECT_EQ(said([](RobotColumns& robot) {
              robot.bodies.position.set(1, {0, NAN, 0});
            }),
            "bodies.position[1] has nan; expected finite numbers");
  EXPECT_EQ(said([](RobotColumns& robot) {
              robot.bodies.turn.set(1, {0, 0, 0, 2});
            }),
            "bodies.turn[1] is not a quaternion of unit length; normalize it");
  EXPECT_EQ(said([](RobotColumns& robot) {
              robot.joints.body = {0, 2};
            }),
            "joints.body[1] is 2; there are 2 rows");
  EXPECT_EQ(said([](RobotColumns& robot) {
              robot.joints.axis.set(0, {0, 0, 2});
            }),
            "joints.axis[0] is not of unit length; normalize it");
  EXPECT_EQ(said([](RobotColumns& robot) {
              robot.joints.anchor = {{0, 0, 0}, {1, 0, 0}};
            }),
            "joints.anchor[1] is not 0 for a joint that is not revolute, continuous or ball");
  EXPECT_EQ(said([](RobotColumns& robot) {
              robot.joints.lower = {0, 1};
              robot.joints.upper = {0, 0};
            }),
            "joints.lower[1] is 1, and upper 0; expected a range, of infinite numbers for none");
  EXPECT_EQ(said([](RobotColumns& robot) {
              robot.joints.mimic = {1, 0};
            }),
            "joints.mimic[0] is 1; expected, for a joint of one value, another that has one of its "
            "own");
  EXPECT_EQ(said([](RobotColumns& robot) { robot.start = {1}; }), "start has 1 rows; expected 2");
  EXPECT_EQ(said([](RobotColumns& robot) {
              robot.start = {NAN, 0};
            }),
            "q[0] has nan as joint0; expected a finite number up to 2^50 radians");
  EXPECT_EQ(said([](RobotColumns& robot) {
              robot.shapes.spheres.center.push_back({0, 0, 0});
              robot.shapes.spheres.radius.push_back(-1.0);
            }),
            "sphere.radius[0] is -1; radius must be a finite number >= 0");
}

}  // namespace
}  // namespace widephase
