// Motions of robots: free ones are asked again at very many times, and hits where they are said to
// be.
// Labels: own-sets threads

#include <gtest/gtest.h>

#include <cmath>

#include <widephase/robot_motions.hpp>

#include "pipeline/robots/robot_contacts.hpp"
#include "support/error_of.hpp"
#include "support/expect.hpp"
#include "support/generate.hpp"
#include "support/robots.hpp"

namespace widephase {
namespace {

using namespace test::robots;

MotionChecks checks_of(const Robot& robot, const std::vector<double>& from,
                       const std::vector<double>& to, const Environment& around,
                       const MotionOptions& motions = {}, const CollideOptions& options = {}) {
  MotionChecks checks;
  Workspace<3, double> workspace;
  const std::size_t width = robot.values().size();
  check_motions(robot, Configurations<double>(from, width), Configurations<double>(to, width),
                around, checks, workspace, motions, options);
  return checks;
}

MotionOptions proof() {
  MotionOptions options;
  options.proof = true;
  return options;
}

/// Whether the robot touches at times of a motion.
std::vector<std::uint8_t> answers_at(const Robot& robot, const std::vector<double>& from,
                                     const std::vector<double>& to, std::size_t motion,
                                     const std::vector<double>& times, const Environment& around) {
  const std::size_t width = robot.values().size();
  std::vector<double> values;
  for (const double t : times) {
    for (std::size_t v = 0; v < width; ++v) {
      const double a = from[motion * width + v], b = to[motion * width + v];
      values.push_back(t == 1 ? b : a + t * (b - a));
    }
  }
  std::vector<std::uint8_t> answers(times.size());
  Workspace<3, double> workspace;
  any_contact(robot, Configurations<double>(values, width), around,
              std::span<std::uint8_t>(answers), workspace);
  return answers;
}

struct Counts {
  std::size_t free = 0, hit = 0, undecided = 0;
};

/// Asks what is proven free at 4,096 times, and hits at theirs.
Counts judge(const Robot& robot, const std::vector<double>& from, const std::vector<double>& to,
             const Environment& around) {
  const MotionChecks checks = checks_of(robot, from, to, around, proof());
  std::vector<double> times;
  for (int k = 0; k <= 4096; ++k) times.push_back(k / 4096.0);
  Counts counts;
  for (std::size_t m = 0; m < checks.status.size(); ++m) {
    const bool is_hit = checks.status[m] == MotionStatus::hit;
    EXPECT_EQ(std::isnan(checks.at[m]), !is_hit) << m;
    if (is_hit) {
      ++counts.hit;
      EXPECT_EQ(answers_at(robot, from, to, m, {checks.at[m]}, around)[0], 1) << m;
    } else if (checks.status[m] == MotionStatus::undecided) {
      ++counts.undecided;
    } else {
      ++counts.free;
      const auto answers = answers_at(robot, from, to, m, times, around);
      EXPECT_EQ(std::count(answers.begin(), answers.end(), 1), 0) << m;
    }
  }
  return counts;
}

TEST(robot_motions, proven_free_is_never_hit) {
  const std::size_t count = test::scaled(40, 20);
  Random random(11);
  const Robot arm(arm_of_balls());
  const SceneColumns<3, double> around = surroundings();
  const Environment environment{SceneSpan<3, double>(around)};
  std::vector<double> from = values_of(count), to;
  for (const double value : from) to.push_back(value + 0.4 * random.normal());
  const Counts of_arm = judge(arm, from, to, environment);
  EXPECT_GT(of_arm.free, 0u);
  EXPECT_GT(of_arm.hit, 0u);
  EXPECT_LE(of_arm.undecided, 1 + count / 10);
  const Robot tree(tree_of_all_types(random));
  const std::size_t width = tree.values().size();
  from.clear();
  to.clear();
  for (std::size_t i = 0; i < count * width; ++i) {
    from.push_back(0.7 * random.normal());
    to.push_back(from.back() + 0.3 * random.normal());
  }
  const Counts of_tree = judge(tree, from, to, environment);
  EXPECT_GT(of_tree.free, 0u);
  EXPECT_GT(of_tree.hit, 0u);
  EXPECT_LE(of_tree.undecided, 1 + count / 10);
}

// Float and double answer alike, but for which time is given and for what stays undecided.
TEST(robot_motions, float_agrees_with_double) {
  const std::size_t count = test::scaled(200, 40);
  Random random(17);
  SceneColumns<3, double> around = surroundings();
  const Environment environment{SceneSpan<3, double>(around)};
  std::size_t free = 0, hit = 0, undecided = 0;
  const auto compare = [&](const Robot& robot) {
    const std::size_t width = robot.values().size();
    std::vector<double> from, to;
    for (std::size_t i = 0; i < count * width; ++i) {
      from.push_back(0.7 * random.normal());
      to.push_back(from.back() + 0.3 * random.normal());
    }
    const Configurations<double> start(from, width), end(to, width);
    MotionChecks checks[3];
    for (const CheckUse use : {CheckUse::all, CheckUse::without_culls, CheckUse::none}) {
      Workspace<3, double> workspace;
      check_motions_with(robot, start, end, environment, checks[static_cast<int>(use)], workspace,
                         proof(), {}, {}, use);
    }
    for (std::size_t m = 0; m < count; ++m) {
      const auto status = [&](int use) { return checks[use].status[m]; };
      undecided += status(0) == MotionStatus::undecided ? 1 : 0;
      undecided += status(2) == MotionStatus::undecided ? 1 : 0;
      for (int use = 0; use < 2; ++use) {
        if (status(use) == MotionStatus::undecided || status(2) == MotionStatus::undecided) continue;
        EXPECT_EQ(status(use), status(2)) << m;
      }
      free += status(0) == MotionStatus::free ? 1 : 0;
      if (status(0) != MotionStatus::hit) continue;
      ++hit;
      EXPECT_EQ(answers_at(robot, from, to, m, {checks[0].at[m]}, environment)[0], 1) << m;
    }
  };
  compare(Robot(arm_of_balls()));
  for (int i = 0; i < 3; ++i) compare(Robot(tree_of_all_types(random)));
  EXPECT_GT(free, 0u);
  EXPECT_GT(hit, 0u);
  EXPECT_LE(undecided, 2 + count / 5);
}

/// A ball of radius 0.005 that slides along x.
RobotColumns sliding_ball() {
  RobotColumns robot = robot_of(JointType::prismatic, {1, 0, 0});
  robot.shapes.spheres.center.push_back({0, 0, 0});
  robot.shapes.spheres.radius.push_back(0.005);
  robot.shapes.spheres.body.push_back(0);
  return robot;
}

// Samples at multiples of 1/32 are 0.03125 apart; the plate is 1 mm thick at x = 0.0155.
TEST(robot_motions, a_plate_between_samples_is_found_by_proof) {
  const Robot robot(sliding_ball());
  SceneColumns<3, double> plate;
  plate.aabbs.min.push_back({0.015, -1, -1});
  plate.aabbs.max.push_back({0.016, 1, 1});
  const Environment around{SceneSpan<3, double>(plate)};
  EXPECT_EQ(checks_of(robot, {-1}, {1}, around).status[0], MotionStatus::free);
  const MotionChecks proven = checks_of(robot, {-1}, {1}, around, proof());
  EXPECT_EQ(proven.status[0], MotionStatus::hit);
  EXPECT_NEAR(-1 + 2 * proven.at[0], 0.0155, 0.0055);
  MotionOptions fine;
  fine.resolution = 0.005;
  const MotionChecks sampled = checks_of(robot, {-1}, {1}, around, fine);
  EXPECT_EQ(sampled.status[0], MotionStatus::hit);
  EXPECT_NEAR(-1 + 2 * sampled.at[0], 0.0125, 0.0026);  // the first that touches
  // Both ends count, and so do motions that stand still.
  const MotionChecks ends =
      checks_of(robot, {0.0155, -1, 0.0155, 0}, {1, 0.0155, 0.0155, 0}, around);
  EXPECT_EQ(ends.status[0], MotionStatus::hit);
  EXPECT_EQ(ends.at[0], 0);
  EXPECT_EQ(ends.status[1], MotionStatus::hit);
  EXPECT_EQ(ends.at[1], 1);
  EXPECT_EQ(ends.status[2], MotionStatus::hit);
  EXPECT_EQ(ends.status[3], MotionStatus::free);
  const MotionChecks still = checks_of(robot, {0.0155, 0}, {0.0155, 0}, around, proof());
  EXPECT_EQ(still.status[0], MotionStatus::hit);
  EXPECT_EQ(still.status[1], MotionStatus::free);
}

// Without limits float takes slides up to 0.008 for this robot, and leaves out what is farther: the
// middle of this motion is within, the plate is not.
TEST(robot_motions, parts_that_leave_what_float_knows_are_asked_in_double) {
  const Robot robot(sliding_ball());
  SceneColumns<3, double> plate;
  plate.aabbs.min.push_back({0.05, -1, -1});
  plate.aabbs.max.push_back({0.051, 1, 1});
  const MotionChecks checks =
      checks_of(robot, {-0.1}, {0.11}, Environment{SceneSpan<3, double>(plate)}, proof());
  EXPECT_EQ(checks.status[0], MotionStatus::hit);
}

// A tip of radius 0.002 at a distance of 1 turns past a ball as small, at an angle between samples:
// as a joint of one angle, in a plane, and as a quaternion.
TEST(robot_motions, a_ball_on_the_way_of_a_turn_is_found_by_proof) {
  SceneColumns<3, double> ball;
  ball.spheres.center.push_back({std::cos(0.76), std::sin(0.76), 0});
  ball.spheres.radius.push_back(0.002);
  const Environment around{SceneSpan<3, double>(ball)};
  const auto expect_hit = [&](JointType type, const std::vector<double>& from,
                              const std::vector<double>& to) {
    RobotColumns columns = robot_of(type);
    columns.shapes.spheres.center.push_back({1, 0, 0});
    columns.shapes.spheres.radius.push_back(0.002);
    columns.shapes.spheres.body.push_back(0);
    const Robot robot(columns);
    EXPECT_EQ(checks_of(robot, from, to, around).status[0], MotionStatus::free);
    EXPECT_EQ(checks_of(robot, from, to, around, proof()).status[0], MotionStatus::hit);
  };
  expect_hit(JointType::continuous, {0}, {1.5});
  expect_hit(JointType::planar, {0, 0, 0}, {0, 0, 1.5});
  expect_hit(JointType::ball, {0, 0, 0, 1}, {0, 0, 0.9, 1});
  expect_hit(JointType::floating, {0, 0, 0, 0, 0, 0, 1}, {0, 0, 0, 0, 0, 0.9, 1});
}

// Nothing is shown where the ball passes a wall at a distance of 1e-8, unless parts are as small.
TEST(robot_motions, what_is_too_near_stays_undecided) {
  const Robot robot(sliding_ball());
  SceneColumns<3, double> wall;
  wall.halfspaces.normal.push_back({0, 0, 1});
  wall.halfspaces.offset.push_back(-0.005 - 1e-8);
  const Environment around{SceneSpan<3, double>(wall)};
  EXPECT_EQ(checks_of(robot, {0}, {0.01}, around, proof()).status[0], MotionStatus::undecided);
  CollideOptions margin;
  margin.margin = 1e-7;
  EXPECT_EQ(checks_of(robot, {0}, {0.01}, around, proof(), margin).status[0], MotionStatus::hit);
  wall.halfspaces.offset[0] = -0.006;
  EXPECT_EQ(
      checks_of(robot, {0}, {0.01}, Environment{SceneSpan<3, double>(wall)}, proof()).status[0],
      MotionStatus::free);
}

// A ball turns about its own centre 1 mm beside another, while both slide far: no joint between
// them moves the one to the other.
TEST(robot_motions, links_that_stay_near_one_another_are_free) {
  RobotColumns columns = sliding_ball();
  add_body(columns, 0, {0.011, 0, 0});
  add_joint(columns, JointType::continuous, {0, 1, 0});
  columns.shapes.spheres.center.push_back({0, 0, 0});
  columns.shapes.spheres.radius.push_back(0.005);
  columns.shapes.spheres.body.push_back(1);
  columns.shapes.spheres.owner.push_back(0);
  columns.shapes.spheres.owner.push_back(1);
  const Robot robot(columns);
  EXPECT_EQ(checks_of(robot, {0, 0}, {5, 0.1}, {}, proof()).status[0], MotionStatus::free);
}

TEST(robot_motions, depend_on_nothing_else) {
  const Robot robot(arm_of_balls());
  const SceneColumns<3, double> around = surroundings();
  const Environment environment{SceneSpan<3, double>(around)};
  const std::vector<double> from = values_of(12);
  Random random(5);
  std::vector<double> to;
  for (const double value : from) to.push_back(value + 0.4 * random.normal());
  const auto same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
  for (const bool proves : {false, true}) {
    MotionOptions motions;
    motions.proof = proves;
    const MotionChecks all = checks_of(robot, from, to, environment, motions);
    CollideOptions options;
    options.threads.count = 3;
    options.isa = test::usable_isas().front();
    const MotionChecks other = checks_of(robot, from, to, environment, motions, options);
    for (std::size_t m = 0; m < 12; ++m) {
      const auto row = [&](const std::vector<double>& values) {
        return std::vector<double>(values.begin() + static_cast<std::ptrdiff_t>(5 * m),
                                   values.begin() + static_cast<std::ptrdiff_t>(5 * m + 5));
      };
      const MotionChecks alone = checks_of(robot, row(from), row(to), environment, motions);
      EXPECT_EQ(alone.status[0], all.status[m]);
      EXPECT_EQ(other.status[m], all.status[m]);
      EXPECT_TRUE(same(alone.at[0], all.at[m]) && same(other.at[m], all.at[m])) << m;
    }
  }
}

TEST(robot_motions, faults_are_told) {
  const Robot robot(sliding_ball());
  const auto error_of = [&](const std::vector<double>& from, const std::vector<double>& to,
                            const MotionOptions& options = {}) {
    return test::error_of([&] { checks_of(robot, from, to, {}, options); });
  };
  EXPECT_EQ(error_of({0, 1}, {0}), "to has 1 rows; expected 2, one for the start of each motion");
  EXPECT_EQ(error_of({0, std::nan("")}, {0, 0}),
            "from[1] has nan as joint0; expected a finite number up to 1e75");
  EXPECT_EQ(error_of({0, 0}, {0, INFINITY}),
            "to[1] has inf as joint0; expected a finite number up to 1e75");
  EXPECT_EQ(error_of({0, 0}, {0, 1e6}),
            "to[1] is so far away that it takes more than 10^7 samples; give a coarser resolution");
  EXPECT_EQ(error_of({0, 0}, {0, 1e6}, proof()),
            "to[1] is so far away that it has more than 10^7 parts of least_width; give a larger "
            "least_width");
  MotionOptions options;
  options.resolution = 0;
  EXPECT_EQ(error_of({0}, {0}, options), "resolution is 0; expected a finite number above 0");
  options.proof = true;  // which does not use it
  EXPECT_EQ(error_of({0}, {0}, options), "no error");
  options = proof();
  options.least_width = -1;
  EXPECT_EQ(error_of({0}, {0}, options), "least_width is -1; expected a finite number above 0");
  const Robot ball(robot_of(JointType::ball));
  EXPECT_EQ(test::error_of([&] {
              checks_of(ball, {0, 0, 0, 1, 1, 0, 0, 0}, {0, 0, 1, 0, -1, 0, 0, 0}, {});
            }),
            "to[1] has the opposite of the first quaternion as joint0.qx; the way between them "
            "goes through 0, so give a configuration in between");
  // A short end is not a way through 0, in either order.
  const std::vector<double> longer{0, 0, 0, 1}, shorter{0, 0, 1e-10, 0};
  for (const bool proves : {false, true}) {
    EXPECT_EQ(checks_of(ball, longer, shorter, {}, proves ? proof() : MotionOptions()).status[0],
              MotionStatus::free);
    EXPECT_EQ(checks_of(ball, shorter, longer, {}, proves ? proof() : MotionOptions()).status[0],
              MotionStatus::free);
  }
  Workspace<3, double> workspace;
  MotionChecks checks;
  EXPECT_EQ(test::error_of([&] {
              check_motions(ball, Configurations<double>(longer, 4),
                            Configurations<double>(std::vector<double>{1, 2}, 2), {}, checks,
                            workspace);
            }).find("to has 2 values in each; expected 4"),
            0u);
}

// Both quaternions may be as short as they are; those between are shorter.
TEST(robot_motions, faults_on_the_way_name_the_motion) {
  const Robot ball(robot_of(JointType::ball));
  SceneColumns<3, double> two_worlds;
  for (const std::int32_t world : {0, 1}) {
    two_worlds.spheres.center.push_back({9, 9, 9});
    two_worlds.spheres.radius.push_back(1);
    two_worlds.spheres.world.push_back(world);
  }
  const Environment around{SceneSpan<3, double>(two_worlds)};
  const std::vector<double> from{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1.1e-75},
      to{0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1.1e-75, 0};
  const std::vector<std::int32_t> worlds{1, 0, 1};
  MotionChecks checks;
  Workspace<3, double> workspace;
  const std::string error = test::error_of([&] {
    check_motions(ball, Configurations<double>(from, 4), Configurations<double>(to, 4), around,
                  checks, workspace, proof(), {}, worlds);
  });
  EXPECT_EQ(error.find("to[2] has a configuration on its way that has 0 as joint0.qx; expected "),
            0u)
      << error;
}

// At an end alone the ball touches the plate; within the motion it is free but near.
TEST(robot_motions, touch_at_an_end_is_a_hit_of_a_proof) {
  const Robot robot(sliding_ball());
  SceneColumns<3, double> plate;
  plate.aabbs.min.push_back({0.5, -1, -1});
  plate.aabbs.max.push_back({0.6, 1, 1});
  const Environment around{SceneSpan<3, double>(plate)};
  const MotionChecks checks = checks_of(robot, {0, 0.4951}, {0.4951, 0}, around, proof());
  EXPECT_EQ(checks.status[0], MotionStatus::hit);
  EXPECT_EQ(checks.at[0], 1);
  EXPECT_EQ(checks.status[1], MotionStatus::hit);
  EXPECT_EQ(checks.at[1], 0);
}

// No contact is found behind a surface of one side at any margin, so nothing is shown there.
TEST(robot_motions, proofs_refuse_surfaces_of_one_side) {
  const Robot robot(sliding_ball());
  const std::string rest =
      " has height fields or one-sided meshes; proofs are for solids and two-sided meshes, so "
      "check samples instead";
  SceneColumns<3, double> mesh;
  const double corners[] = {0.5, -1, -1, 0.5, 1, -1, 0.5, 0, 1};
  const std::int32_t triangle[] = {0, 1, 2};
  mesh.mesh_geometries.vertices.push_back({corners[0], corners[1], corners[2]});
  mesh.mesh_geometries.vertices.push_back({corners[3], corners[4], corners[5]});
  mesh.mesh_geometries.vertices.push_back({corners[6], corners[7], corners[8]});
  mesh.mesh_geometries.vertex_offsets.push_back(0);
  mesh.mesh_geometries.vertex_offsets.push_back(3);
  mesh.mesh_geometries.indices.push_back({triangle[0], triangle[1], triangle[2]});
  mesh.mesh_geometries.triangle_offsets.push_back(0);
  mesh.mesh_geometries.triangle_offsets.push_back(1);
  mesh.meshes.center.push_back({0, 0, 0});
  mesh.meshes.turn.push_back(kUnturned);
  mesh.meshes.geometry.push_back(0);
  const auto error_of = [&](const Robot& asked, const Environment& around) {
    return test::error_of([&] { checks_of(asked, {0}, {1}, around, proof()); });
  };
  EXPECT_EQ(error_of(robot, Environment{SceneSpan<3, double>(mesh)}), "environment" + rest);
  EXPECT_EQ(checks_of(robot, {0}, {1}, Environment{SceneSpan<3, double>(mesh)}).status[0],
            MotionStatus::hit);
  RobotColumns columns = sliding_ball();
  columns.shapes.meshes = mesh.meshes;
  columns.shapes.meshes.body.push_back(0);
  columns.shapes.mesh_geometries = mesh.mesh_geometries;
  EXPECT_EQ(error_of(Robot(columns), {}), "robot" + rest);
  mesh.mesh_geometries.two_sided.push_back(1);
  EXPECT_EQ(checks_of(robot, {0}, {1}, Environment{SceneSpan<3, double>(mesh)}, proof()).status[0],
            MotionStatus::hit);
}

// In surroundings this large distances are not known to less than a metre.
TEST(robot_motions, proofs_know_the_size_of_surroundings) {
  const Robot robot(sliding_ball());
  SceneColumns<3, double> box;
  box.aabbs.min.push_back({0.1, -1, -1});
  box.aabbs.max.push_back({1e9, 1, 1});
  const Environment around{SceneSpan<3, double>(box)};
  EXPECT_EQ(checks_of(robot, {0}, {0.01}, around, proof()).status[0], MotionStatus::undecided);
}

}  // namespace
}  // namespace widephase
