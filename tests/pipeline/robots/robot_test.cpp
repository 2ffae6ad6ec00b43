// Robots: every type of joint against a reference of its own in long double, which multiplies
// matrices; the same bits on every instruction set, thread count and batch; and what is refused.
// Labels: own-sets threads

#include <widephase/robot.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <random>

#include <widephase/worlds.hpp>

#include "reference/scaled.hpp"
#include "support/error_of.hpp"
#include "support/expect.hpp"
#include "support/robots.hpp"

namespace widephase {
namespace {

using namespace test::robots;
using test::error_of, test::scaled, test::usable_isas;

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
  for (std::size_t n = 0; n < scaled(60, 8); ++n) {
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
    options.isa = usable_isas().front();
    options.threads.count = 1;
    const Poses3 all = placed(robot, values, options);
    for (const Isa isa : usable_isas()) {
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

// A length may be more than any angle, and an angle mimicked as a length less than any length.
TEST(robot, mimics_of_another_unit_have_their_own_limits) {
  const auto said = [](JointType first, JointType second, double multiplier, double value) {
    RobotColumns columns = robot_of(first);
    add_body(columns, 0);
    add_joint(columns, second);
    columns.joints.mimic = {-1, 0};
    columns.joints.multiplier = {1, multiplier};
    columns.joints.offset = {0, 0};
    const Robot robot(columns);
    return error_of([&] { placed(robot, {value}); });
  };
  using enum JointType;
  EXPECT_EQ(said(prismatic, continuous, 1e-10, 1e20), "no error");
  EXPECT_EQ(said(prismatic, continuous, 1, 1e20),
            "q[0] has 1e+20 as joint0; expected that joint1, which mimics it, moves by up to 2^50 "
            "radians");
  EXPECT_EQ(said(continuous, prismatic, 1e70, 1e6),
            "q[0] has 1e+06 as joint0; expected that joint1, which mimics it, moves by up to 1e75");
  EXPECT_EQ(said(continuous, prismatic, 1e70, 1e4), "no error");
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
    return error_of([&] { placed(robot, values, options); });
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
  EXPECT_EQ(error_of([&] { Configurations<double>(std::vector<double>(11), 5); }),
            "q has 11 values; expected a multiple of 5");
  Configurations<double> nowhere;
  nowhere.count = nowhere.width = 1;
  Poses3 none;
  EXPECT_EQ(error_of([&] { place(robot, nowhere, none); }), "q has no address");
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
  EXPECT_EQ(error_of([&] {
              placed(ball, {0, 0, 0, 1, 0, 0, 0, 0});
            }),
            "q[1] has 0 as joint0.qx; expected a quaternion of a length from 1e-75 to "
            "1e75");
  // The wrong width.
  EXPECT_EQ(error_of([&] { place(ball, Configurations<double>(values, 2), poses); }),
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
    return error_of([&] { Robot robot(columns); });
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
            "start has nan as joint0; expected a finite number up to 2^50 radians");
  EXPECT_EQ(said([](RobotColumns& robot) {
              robot.shapes.spheres.center.push_back({0, 0, 0});
              robot.shapes.spheres.radius.push_back(-1.0);
            }),
            "sphere.radius[0] is -1; radius must be a finite number >= 0");
}

}  // namespace
}  // namespace widephase
