// Points with a radius around a robot: every answer is that of as many spheres, to the byte, and
// that of distances in closed form; for clouds of all sizes, however they lie.
// Labels: own-sets threads

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <widephase/robot_distances.hpp>
#include <widephase/robot_motions.hpp>

#include "pipeline/robots/robot_contacts.hpp"
#include "reference/scaled.hpp"
#include "support/error_of.hpp"
#include "support/expect.hpp"
#include "support/robots.hpp"

namespace widephase {
namespace {

using namespace test::robots;
using Points = std::vector<std::array<double, 3>>;

Environment points_of(const Points& points, double radius, int threads = 0) {
  Threads all;
  all.count = threads;
  const double* const first = points.empty() ? nullptr : points.front().data();
  return Environment::points(ColumnSpan<double, 3>::interleaved(first, points.size()), radius, all);
}
Environment spheres_of(const Points& points, double radius) {
  SceneColumns<3, double> scene;
  for (const auto& point : points) {
    scene.spheres.center.push_back(point);
    scene.spheres.radius.push_back(radius);
  }
  return Environment{SceneSpan<3, double>(scene)};
}

/// How a cloud lies about the arm, which reaches some 2.5 from the origin.
enum class Cloud { shell, plane, line, clusters, equal, far_ones, lone_ones };
constexpr Cloud kClouds[] = {Cloud::shell, Cloud::plane,    Cloud::line,     Cloud::clusters,
                             Cloud::equal, Cloud::far_ones, Cloud::lone_ones};

Points cloud_of(Cloud cloud, std::size_t count, Random& random) {
  Points points;
  const auto middle = random.unit<3>();
  while (points.size() < count) {
    const auto way = random.unit<3>(), noise = random.vector<3>();
    std::array<double, 3> at{1.7 * way[0], 1.7 * way[1], 1.2 + 1.7 * way[2]};
    if (cloud == Cloud::plane) at = {noise[0], 0.9, 1.2 + noise[2]};
    if (cloud == Cloud::line) at = {0.7, 0.25, 1.2 + noise[2]};
    if (cloud == Cloud::clusters) {
      const double side = points.size() % 3 == 0 ? 1 : -1.2;
      for (std::size_t k = 0; k < 3; ++k) at[k] = side * middle[k] + 0.05 * noise[k];
      at[2] += 1.2;
    }
    if (cloud == Cloud::equal) at = {0.8, -0.6, 1.5};
    // Beyond what a grid of the others covers: out of reach, and within it.
    if (cloud == Cloud::far_ones && points.size() % 150 == 100) at[0] *= 300;
    if (cloud == Cloud::lone_ones && points.size() % 150 != 100) {
      for (std::size_t k = 0; k < 3; ++k) at[k] = -1.3 * middle[k] + 0.05 * noise[k];
    }
    points.push_back(at);
  }
  return points;
}

std::vector<std::uint8_t> found(const Robot& robot, const std::vector<double>& values,
                                const Environment& environment, CheckUse use, double margin,
                                Isa isa = Isa::widest, int threads = 0) {
  const Configurations<double> q(values, robot.values().size());
  std::vector<std::uint8_t> answers(q.count);
  Workspace<3, double> workspace;
  CollideOptions options;
  options.margin = margin;
  options.isa = isa;
  options.threads.count = threads;
  find_contacts_of(robot, q, environment, -1, std::span<std::uint8_t>(answers), workspace, options,
                   use);
  return answers;
}

/// The least gap of each configuration between the arm's balls and the points.
std::vector<double> gaps_of(const RobotColumns& columns, const Robot& robot,
                            const std::vector<double>& values, const Points& points,
                            double radius) {
  Poses3 poses;
  place(robot, Configurations<double>(values, 5), poses);
  std::vector<double> gaps;
  const auto& balls = columns.shapes.spheres;
  for (std::size_t i = 0; i < values.size() / 5; ++i) {
    double least = 1e9;
    for (std::size_t b = 0; b < balls.radius.size(); ++b) {
      const std::size_t body = 5 * i + static_cast<std::size_t>(balls.body[b]);
      const auto center = balls.center.row(b), origin = poses.position.row(body);
      const Matrix at = shifted(origin[0], origin[1], origin[2]) * turned(poses.turn.row(body)) *
                        shifted(center[0], center[1], center[2]);
      for (const auto& point : points) {
        Real square = 0;
        for (std::size_t k = 0; k < 3; ++k) {
          square += (at.at[k][3] - point[k]) * (at.at[k][3] - point[k]);
        }
        least = std::min(least, static_cast<double>(std::sqrt(square)) - balls.radius[b] - radius);
      }
    }
    gaps.push_back(least);
  }
  return gaps;
}

std::size_t sum_of(const std::vector<std::uint8_t>& answers) {
  return static_cast<std::size_t>(std::count(answers.begin(), answers.end(), 1));
}

TEST(robot_points, answers_are_those_of_spheres_and_of_distances) {
  RobotColumns columns = arm_of_balls();
  // The arm does not meet itself, so that answers are those about points.
  for (std::int32_t a = 0; a < 5; ++a) {
    for (std::int32_t b = 0; b < a; ++b) columns.shapes.excluded_owners.push_back({b, a});
  }
  const Robot robot(columns);
  const std::vector<double> values = test::robots::values_of(25);
  Random random(5);
  std::size_t hits = 0, all = 0;
  for (const Cloud cloud : kClouds) {
    for (const std::size_t count : {1u, 15u, 16u, 17u, 255u, 257u, 600u}) {
      const Points points = cloud_of(cloud, count, random);
      // None, smaller than a cell, and larger than many.
      for (const double radius : {0.0, 0.01, 0.4}) {
        const Environment environment = points_of(points, radius);
        ASSERT_EQ(environment.size(), count);
        ASSERT_EQ(environment.world_count(), 1);
        const std::vector<double> gaps = gaps_of(columns, robot, values, points, radius);
        for (const double margin : {0.0, 0.15}) {
          std::vector<std::uint8_t> expected;
          for (const double gap : gaps) {
            ASSERT_GT(std::abs(gap - margin), 1e-12);
            expected.push_back(gap <= margin ? 1 : 0);
          }
          const auto ask = [&](CheckUse use, Isa isa = Isa::widest) {
            return found(robot, values, environment, use, margin, isa);
          };
          const std::string where = std::to_string(static_cast<int>(cloud)) + " " +
                                    std::to_string(count) + " " + std::to_string(radius);
          for (const Isa isa : test::usable_isas()) {
            ASSERT_EQ(ask(CheckUse::all, isa), expected) << where << " " << isa_name(isa);
          }
          ASSERT_EQ(ask(CheckUse::without_culls), expected) << where;
          ASSERT_EQ(ask(CheckUse::none), expected) << where;
          ASSERT_EQ(found(robot, values, spheres_of(points, radius), CheckUse::all, margin),
                    expected)
              << where;
          hits += sum_of(expected);
          all += expected.size();
        }
      }
    }
  }
  EXPECT_GT(hits, all / 10);
  EXPECT_LT(hits, all - all / 10);
}

// Margins that are the distance of a configuration, and its neighbours: what is surely so in float
// must not be wrong there. Far from the origin float has fewer digits, and more is asked in double.
TEST(robot_points, margins_at_the_distance_itself) {
  Random random(6);
  for (const double shift : {0.0, 1000.0, 1e6}) {
    RobotColumns columns = arm_of_balls();
    columns.bodies.position(0, 0) += shift;
    for (std::int32_t a = 0; a < 5; ++a) {
      for (std::int32_t b = 0; b < a; ++b) columns.shapes.excluded_owners.push_back({b, a});
    }
    const Robot robot(columns);
    const std::vector<double> values =
        test::robots::values_of(test::scaled(shift == 0 ? 150 : 12, 12));
    for (const Cloud cloud : {Cloud::shell, Cloud::far_ones}) {
      Points points = cloud_of(cloud, 400, random);
      for (auto& point : points) point[0] += shift;
      const Environment environment = points_of(points, 0.005);
      std::size_t between = 0, count = 0;
      const std::vector<double> gaps = gaps_of(columns, robot, values, points, 0.005);
      for (std::size_t i = 0; i < gaps.size(); ++i) {
        if (gaps[i] <= 0) continue;
        const std::vector<double> one(values.begin() + static_cast<std::ptrdiff_t>(5 * i),
                                      values.begin() + static_cast<std::ptrdiff_t>(5 * i + 5));
        for (const double factor : {1.0, 1 - 1e-9, 1 + 1e-9, 1 - 1e-5, 1 + 1e-5}) {
          const double margin = gaps[i] * factor;
          const auto expected = found(robot, one, environment, CheckUse::none, margin);
          ASSERT_EQ(found(robot, one, environment, CheckUse::all, margin), expected) << i;
          ASSERT_EQ(found(robot, one, environment, CheckUse::without_culls, margin), expected) << i;
          between += sum_of(expected);
          ++count;
        }
      }
      EXPECT_GT(between, 0u);
      EXPECT_LT(between, count);
    }
  }
}

// Numbers of configurations, threads of either call, and sets.
TEST(robot_points, numbers_sets_and_threads_change_no_answer) {
  const Robot robot(arm_of_balls());
  Random random(7);
  const Points points = cloud_of(Cloud::shell, test::scaled(5000, 2000), random);
  const std::vector<double> values = test::robots::values_of(1100);
  const Environment environment = points_of(points, 0.01, 1);
  const auto all = found(robot, values, environment, CheckUse::all, 0);
  EXPECT_GT(sum_of(all), 100u);
  EXPECT_LT(sum_of(all), 1000u);
  for (const Isa isa : test::usable_isas()) {
    for (const int threads : {1, 3}) {
      ASSERT_EQ(
          found(robot, values, points_of(points, 0.01, threads), CheckUse::all, 0, isa, threads),
          all);
    }
  }
  for (const std::size_t count : {0u, 1u, 17u}) {
    const std::vector<double> some(values.begin(),
                                   values.begin() + static_cast<std::ptrdiff_t>(5 * count));
    ASSERT_EQ(
        found(robot, some, environment, CheckUse::all, 0),
        std::vector<std::uint8_t>(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count)));
  }
  // Points of float are those of double.
  std::vector<float> narrow;
  Points wide;
  for (std::size_t i = 0; i < 500; ++i) {
    for (const double number : points[i]) narrow.push_back(static_cast<float>(number));
    wide.push_back({narrow[3 * i], narrow[3 * i + 1], narrow[3 * i + 2]});
  }
  const auto of_float =
      Environment::points(ColumnSpan<float, 3>::interleaved(narrow.data(), 500), 0.01);
  EXPECT_EQ(found(robot, values, of_float, CheckUse::all, 0),
            found(robot, values, points_of(wide, 0.01), CheckUse::all, 0));
}

template <class T, int W>
void expect_equal(const Column<T, W>& a, const Column<T, W>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t row = 0; row < a.size(); ++row) {
    for (int w = 0; w < W; ++w) {
      if (a(row, w) == a(row, w) || b(row, w) == b(row, w)) {
        ASSERT_EQ(a(row, w), b(row, w)) << row;
      }
    }
  }
}
void expect_equal_pairs(const RobotPairs& a, const RobotPairs& b) {
  expect_equal(a.shape, b.shape);
  expect_equal(a.link, b.link);
  expect_equal(a.obstacle, b.obstacle);
  expect_equal(a.other_shape, b.other_shape);
  expect_equal(a.other_link, b.other_link);
}

/// With a proof, `at` is some time that touches.
void expect_touching(const Robot& robot, const Configurations<double>& from,
                     const Configurations<double>& to, const Environment& around,
                     const MotionChecks& checks) {
  Workspace<3, double> workspace;
  const std::size_t width = robot.values().size();
  for (std::size_t row = 0; row < checks.status.size(); ++row) {
    if (checks.status[row] != MotionStatus::hit) continue;
    std::vector<double> there;
    for (std::size_t v = 0; v < width; ++v) {
      const double a = from.first[row * width + v], b = to.first[row * width + v];
      there.push_back(checks.at[row] == 1 ? b : a + checks.at[row] * (b - a));
    }
    std::vector<std::uint8_t> is_contact(1);
    any_contact(robot, Configurations<double>(there, width), around, std::span(is_contact),
                workspace);
    EXPECT_EQ(is_contact[0], 1) << row << " at " << checks.at[row];
  }
}

/// All other questions have the answers of as many spheres. Obstacles are rows of points.
void expect_answers_of_spheres(const Robot& robot, const std::vector<double>& values,
                               const Points& points, std::size_t& obstacles) {
  const Environment cloud = points_of(points, 0.02), spheres = spheres_of(points, 0.02);
  const Configurations<double> q(values, robot.values().size());
  Workspace<3, double> workspace;
  FirstContacts first, first_spheres;
  first_contact(robot, q, cloud, first, workspace);
  first_contact(robot, q, spheres, first_spheres, workspace);
  expect_equal_pairs(first, first_spheres);
  RobotContacts all, all_spheres;
  contacts(robot, q, cloud, all, workspace);
  contacts(robot, q, spheres, all_spheres, workspace);
  expect_equal_pairs(all, all_spheres);
  expect_equal(all.depth, all_spheres.depth);
  expect_equal(all.point, all_spheres.point);
  for (std::size_t i = 0; i < all.obstacle.size(); ++i) obstacles += all.obstacle[i] >= 0 ? 1 : 0;
  RobotDistances distances, distances_spheres;
  RobotDistanceOptions gradients;
  gradients.has_gradient = true;
  min_distance(robot, q, cloud, distances, workspace, gradients);
  min_distance(robot, q, spheres, distances_spheres, workspace, gradients);
  expect_equal_pairs(distances, distances_spheres);
  expect_equal(distances.distance, distances_spheres.distance);
  expect_equal(distances.gradient, distances_spheres.gradient);
  std::vector<double> ends = values;
  for (double& value : ends) value += 0.2;
  const Configurations<double> to(ends, robot.values().size());
  for (const bool proof : {false, true}) {
    MotionOptions options;
    options.proof = proof;
    MotionChecks checks, checks_spheres;
    check_motions(robot, q, to, cloud, checks, workspace, options);
    check_motions(robot, q, to, spheres, checks_spheres, workspace, options);
    expect_equal(checks.status, checks_spheres.status);
    if (!proof) expect_equal(checks.at, checks_spheres.at);
    expect_touching(robot, q, to, cloud, checks);
    expect_touching(robot, q, to, spheres, checks_spheres);
  }
}

TEST(robot_points, other_questions_have_the_answers_of_spheres) {
  Random random(8);
  std::size_t obstacles = 0;
  const Robot arm(arm_of_balls());
  const std::vector<double> values = test::robots::values_of(12);
  for (const Cloud cloud : {Cloud::shell, Cloud::clusters, Cloud::far_ones}) {
    expect_answers_of_spheres(arm, values, cloud_of(cloud, 300, random), obstacles);
  }
  // Boxes and capsules are enclosed by balls that touch nothing for sure.
  const Robot tree(tree_of_all_types(random));
  std::vector<double> numbers;
  for (std::size_t i = 0; i < 4 * tree.values().size(); ++i) numbers.push_back(random.normal());
  expect_answers_of_spheres(tree, numbers, cloud_of(Cloud::shell, 300, random), obstacles);
  EXPECT_GT(obstacles, 10u);
}

Robot ball_on_slide() {
  RobotColumns robot = robot_of(JointType::prismatic, {1, 0, 0});
  robot.shapes.spheres.center.push_back({0, 0, 0});
  robot.shapes.spheres.radius.push_back(0.05);
  robot.shapes.spheres.body.push_back(0);
  return Robot(robot);
}

// Numbers that float does not have are asked in double; beside them others are asked as ever.
TEST(robot_points, far_configurations_beside_near_ones) {
  const Robot robot = ball_on_slide();
  const Environment points = points_of({{0.5, 0, 0}, {0.6, 0, 0}, {0, 3, 0}}, 0.01);
  for (const Isa isa : test::usable_isas()) {
    EXPECT_EQ(found(robot, {0, 1e40, 0.5, -1e40, 1e75}, points, CheckUse::all, 0, isa),
              (std::vector<std::uint8_t>{0, 0, 1, 0, 0}));
  }
}

// Proofs begin with the same parts, so a hit is found at the same time.
TEST(robot_points, motions_that_hit_on_the_way) {
  const Robot robot = ball_on_slide();
  const Points points{{0.5, 0, 0}, {0, 3, 0}};
  const std::vector<double> from{0, 0, 0.56005, 0.3}, to{1, 0.4, 0.56085, 0.52};
  MotionOptions proof;
  proof.proof = true;
  Workspace<3, double> workspace;
  MotionChecks checks, checks_spheres;
  const Configurations<double> start(from, 1), end(to, 1);
  check_motions(robot, start, end, points_of(points, 0.01), checks, workspace, proof);
  check_motions(robot, start, end, spheres_of(points, 0.01), checks_spheres, workspace, proof);
  expect_equal(checks.status, checks_spheres.status);
  expect_touching(robot, start, end, points_of(points, 0.01), checks);
  expect_touching(robot, start, end, spheres_of(points, 0.01), checks_spheres);
  EXPECT_EQ(checks.status[0], MotionStatus::hit);
  EXPECT_EQ(checks.at[0], 0.5);
  EXPECT_EQ(checks.status[1], MotionStatus::free);
  // Shorter than what is never halved, and free by less than it moves.
  EXPECT_EQ(checks.status[2], MotionStatus::free);
  EXPECT_EQ(checks.status[3], MotionStatus::hit);
}

// A category of its own keeps a link from meeting points no more than from meeting spheres.
TEST(robot_points, links_without_a_mask_meet_no_point) {
  RobotColumns columns = arm_of_balls();
  columns.shapes.spheres.mask.resize(10, ~std::uint32_t{0});
  columns.shapes.spheres.category.resize(10, 4u);
  const std::vector<double> still(5, 0);
  const Points points{{0.02, 0, 2.85}};  // the centre of the last ball
  const auto ask = [&] {
    return found(Robot(columns), still, points_of(points, 0.01), CheckUse::all, 0)[0];
  };
  EXPECT_EQ(ask(), 1);
  columns.shapes.spheres.mask[9] = 0;
  EXPECT_EQ(ask(), 0);
}

// Without points nothing is there; numbers that float does not have are asked in double.
TEST(robot_points, none_and_enormous_ones) {
  const Robot robot(arm_of_balls());
  const std::vector<double> values = test::robots::values_of(50);
  const Environment none = points_of({}, 0.1);
  EXPECT_EQ(none.size(), 0u);
  EXPECT_EQ(found(robot, values, none, CheckUse::all, 0),
            found(robot, values, Environment(), CheckUse::all, 0));
  const Points points{{1e20, 0, 0}, {0, 0.6, 1.5}};
  EXPECT_EQ(found(robot, values, points_of(points, 0.3), CheckUse::all, 0),
            found(robot, values, spheres_of(points, 0.3), CheckUse::none, 0));
  EXPECT_EQ(found(robot, values, points_of({{0, 0.6, 1.5}}, 1e13), CheckUse::all, 0),
            std::vector<std::uint8_t>(50, 1));
}

TEST(robot_points, faults_are_told) {
  const auto said = [](const Points& points, double radius, int threads = 0) {
    return test::error_of([&] { points_of(points, radius, threads); });
  };
  const double infinite = std::numeric_limits<double>::infinity();
  EXPECT_EQ(said({{0, 0, 0}, {0, std::nan(""), 0}}, 0.1),
            "points[1] is nan along axis 1; it must be finite");
  EXPECT_EQ(said({{0, 0, 0}, {0, 0, 1}, {0, 0, -infinite}}, 0.1),
            "points[2] is -inf along axis 2; it must be finite");
  EXPECT_EQ(said({{0, 0, 0}}, -0.1), "radius is -0.1; it must be a finite number >= 0");
  EXPECT_EQ(said({}, std::nan("")), "radius is nan; it must be a finite number >= 0");
  EXPECT_EQ(said({{0, 0, 0}}, infinite), "radius is inf; it must be a finite number >= 0");
  EXPECT_EQ(said({{0, 0, 0}}, 0.1, -1),
            "threads.count is -1; it must be 0, for all of the arena's threads, or more");
  EXPECT_EQ(test::error_of([] {
              Environment::points(ColumnSpan<double, 3>::interleaved(nullptr, 3), 0.1);
            }).substr(0, 6),
            "points");
}

}  // namespace
}  // namespace widephase
