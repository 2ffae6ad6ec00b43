// Links that are no balls, asked as convexes in float: what is decided there, and that answers are
// those in double also where the margin is the distance itself, for flat, tiny and far shapes;
// parts of motions likewise.
// Labels: own-sets

#include <gtest/gtest.h>

#include <cmath>

#include <widephase/hulls.hpp>
#include <widephase/robot_distances.hpp>

#include "pipeline/robots/check_scene.hpp"
#include "pipeline/robots/lane_prover.hpp"
#include "pipeline/robots/robot_contacts.hpp"
#include "pipeline/robots/robot_plan.hpp"
#include "reference/scaled.hpp"
#include "support/expect.hpp"
#include "support/robots.hpp"

namespace widephase {
namespace {

using namespace test::robots;
using Shapes = SceneColumns<3, double>;
using Vector = std::array<double, 3>;

constexpr Kind kKinds[] = {Kind::capsule, Kind::box, Kind::hull, Kind::cylinder, Kind::sphere};

/// A shape of some tenths of `size` about a place; flat ones have one length that is 0 or tiny.
void add_shape(Random& random, Kind kind, const Vector& at, double size, bool is_flat,
               Shapes& scene) {
  const auto length = [&] { return size * (0.1 + 0.1 * std::abs(random.normal())); };
  const double flat = is_flat ? (random.below(2) == 0 ? 1e-12 : 1e-4) * size : length();
  const double rounding = random.below(2) == 0 ? 0.0 : 0.05 * size;
  switch (kind) {
    case Kind::capsule: {
      const Vector way = random.unit<3>();
      const double far = is_flat ? flat : 3 * length();
      scene.capsules.a.push_back(at);
      scene.capsules.b.push_back(
          {at[0] + far * way[0], at[1] + far * way[1], at[2] + far * way[2]});
      scene.capsules.radius.push_back(length());
      break;
    }
    case Kind::box:
      scene.boxes.center.push_back(at);
      scene.boxes.turn.push_back(random.unit<4>());
      scene.boxes.half_extents.push_back({length(), 2 * length(), flat});
      scene.boxes.radius.push_back(rounding);
      break;
    case Kind::hull: {
      Column<double, 3> points;
      const double third = is_flat ? 1e-3 * size : 3 * length();
      for (int i = 0; i < 16; ++i) {
        const Vector p = random.unit<3>();
        points.push_back({0.2 * size * p[0], 0.3 * size * p[1], third * p[2]});
      }
      scene.hulls.center.push_back(at);
      scene.hulls.turn.push_back(random.unit<4>());
      scene.hulls.geometry.push_back(add_hull<double>(scene.geometries, points));
      scene.hulls.radius.push_back(rounding);
      break;
    }
    case Kind::cylinder:
      scene.cylinders.center.push_back(at);
      scene.cylinders.turn.push_back(random.unit<4>());
      scene.cylinders.half_height.push_back(is_flat ? 1e-4 * size : 2 * length());
      scene.cylinders.radius.push_back(length());
      scene.cylinders.rounding.push_back(rounding);
      break;
    case Kind::aabb:
    case Kind::ellipsoid:
    case Kind::cone:
    case Kind::polygon:
    case Kind::halfspace:
    case Kind::heightfield:
    case Kind::mesh:
    case Kind::chain:
      FAIL() << "a kind that is not in the list";
      break;
    case Kind::sphere:
      scene.spheres.center.push_back(at);
      scene.spheres.radius.push_back(length());
  }
}

/// Two bodies that float, each a link with one shape. A third one has none: float takes slides of
/// up to eight times its distance, here 4 sizes and twice `far`.
RobotColumns pair_of_links(Random& random, Kind first, Kind second, double size, bool is_flat,
                           double far) {
  RobotColumns robot;
  std::vector<std::int32_t> bodies[kKindCount];
  for (const Kind kind : {first, second}) {
    const auto body = static_cast<std::int32_t>(robot.bodies.name.size());
    add_body(robot, -1);
    add_joint(robot, JointType::floating);
    robot.links.name.push_back("link" + std::to_string(body));
    robot.links.body.push_back(body);
    robot.links.position.push_back({0, 0, 0});
    robot.links.turn.push_back(kUnturned);
    add_shape(random, kind, {0.1 * size, 0, -0.2 * size}, size, is_flat, robot.shapes);
    bodies[static_cast<std::size_t>(kind)].push_back(body);
  }
  for_each_table(robot.shapes, [&](auto& table) {
    const auto kind = static_cast<std::size_t>(std::remove_cvref_t<decltype(table)>::kind);
    for (const std::int32_t body : bodies[kind]) {
      table.body.push_back(body);
      table.owner.push_back(body);
    }
  });
  add_body(robot, -1, {0.5 * size + 0.25 * far, 0, 0});
  return robot;
}

/// A shape of each kind about a place.
Environment one_of_each(Random& random, const Vector& middle, double size, bool is_flat) {
  Shapes around;
  for (const Kind kind : kKinds) {
    const Vector at = random.vector<3>();
    add_shape(random, kind,
              {middle[0] + size * at[0], middle[1] + size * at[1], middle[2] + size * at[2]}, size,
              is_flat, around);
  }
  return Environment{SceneSpan<3, double>(around)};
}

/// Places of both bodies about `middle`, with turns.
std::vector<double> values_of(std::size_t count, const Vector& middle, double size,
                              Random& random) {
  std::vector<double> values;
  for (std::size_t i = 0; i < 2 * count; ++i) {
    for (const double at : middle) values.push_back(at + 0.4 * size * random.normal());
    for (const double part : random.unit<4>()) values.push_back(part);
  }
  return values;
}

std::vector<std::uint8_t> found(const Robot& robot, const std::vector<double>& values,
                                const Environment& environment, CheckUse use, double margin = 0,
                                Isa isa = Isa::widest) {
  const Configurations<double> q(values, robot.values().size());
  std::vector<std::uint8_t> answers(q.count);
  Workspace<3, double> workspace;
  CollideOptions options;
  options.margin = margin;
  options.isa = isa;
  find_contacts_of(robot, q, environment, -1, std::span<std::uint8_t>(answers), workspace, options,
                   use);
  return answers;
}

/// The answers of a block in float: 1 touches, 0 apart, 2 unsure.
std::vector<int> checked(const Robot& robot, const std::vector<double>& values,
                         const Environment& environment) {
  const CheckScene scene(robot.plan().check, environment.state(), {});
  CheckJob job = scene.job();
  const std::size_t width = robot.values().size(), count = values.size() / width;
  std::vector<double> numbers(width * kRobotBlock);
  for (std::size_t v = 0; v < width; ++v) {
    for (std::size_t i = 0; i < kRobotBlock; ++i) {
      numbers[v * kRobotBlock + i] = values[std::min(i, count - 1) * width + v];
    }
  }
  std::vector<float> scratch(kRobotBlock *
                             (16 * job.node_count + 3 * (job.unit_count + job.ball_count)));
  const auto is_placed = std::make_unique<bool[]>(job.unit_count);
  job.numbers = numbers.data();
  job.scratch = scratch.data();
  job.is_placed = is_placed.get();
  job.wanted = (1u << count) - 1;
  robot_table(test::usable_isas().front()).check(job);
  std::vector<int> answers;
  for (std::size_t i = 0; i < count; ++i) {
    answers.push_back((job.unsure >> i & 1) != 0 ? 2 : static_cast<int>(job.touching >> i & 1));
  }
  return answers;
}

// Boxes of half extents 0.5, 0.05, 0.05 along x: the balls around two that lie side by side reach
// 0.505, far into each other, and the balls inside only 0.05. At 0.15 above each other they are
// 0.05 apart; at 0.3 along x and 0.08 above they overlap, by no ball inside of them.
TEST(robot_convexes, long_boxes_side_by_side_are_decided_in_float) {
  RobotColumns columns = robot_of(JointType::floating);
  columns.shapes.boxes.center.push_back({0, 0, 0});
  columns.shapes.boxes.turn.push_back(kUnturned);
  columns.shapes.boxes.half_extents.push_back({0.5, 0.05, 0.05});
  columns.shapes.boxes.body.push_back(0);
  const Robot robot(columns);
  Shapes around;
  around.boxes.center.push_back({0, 0, 0});
  around.boxes.turn.push_back(kUnturned);
  around.boxes.half_extents.push_back({0.5, 0.05, 0.05});
  const std::vector<double> values = {0,   0, 0.15, 0, 0, 0, 1, 0.3, 0, 0.08, 0, 0, 0, 1,
                                      0.3, 0, 0.1,  0, 0, 0, 1, 0.9, 0, 0.09, 0, 0, 0, 1};
  const std::vector<int> answers =
      checked(robot, values, Environment{SceneSpan<3, double>(around)});
  // The third is the distance itself: 0 in numbers that float does not have.
  EXPECT_EQ(answers, (std::vector<int>{0, 1, 2, 1}));
}

// Balls on the axis of a cylinder of radius 0.3 and half height 0.4, whose cap they are 0.002 away
// from or 0.002 deep in: across the axis the direction between the two is rounding noise.
TEST(robot_convexes, balls_on_the_axis_of_a_cylinder) {
  Random random(4);
  for (int n = 0; n < 40; ++n) {
    const Turns turn = random.unit<4>();
    RobotColumns columns = robot_of(JointType::floating);
    columns.shapes.cylinders.center.push_back({0, 0, 0});
    columns.shapes.cylinders.turn.push_back(turn);
    columns.shapes.cylinders.radius.push_back(0.3);
    columns.shapes.cylinders.half_height.push_back(0.4);
    columns.shapes.cylinders.body.push_back(0);
    const Robot robot(columns);
    const Matrix frame = turned(turn);
    Shapes around;
    Vector at{};
    for (std::size_t k = 0; k < 3; ++k) at[k] = 0.5 * static_cast<double>(frame.at[k][2]);
    around.spheres.center.push_back(at);
    around.spheres.radius.push_back(n % 2 == 0 ? 0.098 : 0.102);
    const Environment environment{SceneSpan<3, double>(around)};
    ASSERT_EQ(checked(robot, {0, 0, 0, 0, 0, 0, 1}, environment)[0], n % 2) << n;
  }
}

// So near to the axis that squares of lengths across it have lost their digits.
TEST(robot_convexes, a_capsule_above_the_axis_of_a_cylinder) {
  RobotColumns columns = robot_of(JointType::prismatic, {1, 0, 0});
  columns.shapes.cylinders.center.push_back({0, 0, 0});
  columns.shapes.cylinders.turn.push_back({0, 0, 0, 1});
  columns.shapes.cylinders.radius.push_back(1);
  columns.shapes.cylinders.half_height.push_back(0.5);
  columns.shapes.cylinders.body.push_back(0);
  const Robot robot(columns);
  Shapes around;
  around.capsules.a.push_back({-1.25, 0, 3});
  around.capsules.b.push_back({1.25, 0, 0.5});
  around.capsules.radius.push_back(0.159075);
  std::vector<double> slides;
  for (double slide = 1e-24; slide < 1e-18; slide *= 1.03) {
    slides.push_back(slide);
    slides.push_back(-slide);
  }
  const Environment environment{SceneSpan<3, double>(around)};
  for (const Isa isa : test::usable_isas()) {
    EXPECT_EQ(found(robot, slides, environment, CheckUse::all, 0, isa),
              found(robot, slides, environment, CheckUse::none, 0, isa));
  }
}

// Numbers of that size are not compared in float.
TEST(robot_convexes, a_margin_larger_than_all_that_never_touches) {
  RobotColumns columns = robot_of(JointType::prismatic, {1, 0, 0});
  columns.shapes.spheres.center.push_back({0, 0, 0});
  columns.shapes.spheres.radius.push_back(0.1);
  columns.shapes.spheres.body.push_back(0);
  Shapes around;
  around.spheres.center.push_back({1e35, 1e35, 1e35});
  around.spheres.radius.push_back(0.5e35);
  const Environment environment{SceneSpan<3, double>(around)};
  EXPECT_EQ(found(Robot(columns), {0}, environment, CheckUse::all, 1e35)[0], 0);
  EXPECT_EQ(found(Robot(columns), {0}, environment, CheckUse::all, 2e35)[0], 1);
}

// Nearly all of many random ones are decided in float, as in double.
TEST(robot_convexes, few_are_unsure) {
  Random random(1);
  std::size_t all = 0, unsure = 0, hits = 0;
  for (const Kind first : kKinds) {
    for (const Kind second : kKinds) {
      const Robot robot(pair_of_links(random, first, second, 1, false, 0));
      const std::vector<double> values = values_of(kRobotBlock, {0, 0, 0}, 1, random);
      const auto expected = found(robot, values, Environment(), CheckUse::none);
      const std::vector<int> answers = checked(robot, values, Environment());
      for (std::size_t i = 0; i < answers.size(); ++i) {
        ++all;
        hits += expected[i];
        if (answers[i] == 2) {
          ++unsure;
        } else {
          EXPECT_EQ(answers[i], expected[i]) << "configuration " << i;
        }
      }
    }
  }
  EXPECT_LE(unsure, all / 50);
  EXPECT_GT(hits, all / 10);
  EXPECT_LT(hits, all - all / 10);
}

// All pairs of kinds, with each other and with obstacles; sizes and places that differ by powers of
// ten, and shapes that are flat.
TEST(robot_convexes, answers_are_those_in_double) {
  Random random(2);
  std::size_t hits = 0, all = 0;
  for (std::size_t n = 0; n < test::scaled(40, 6); ++n) {
    const Kind first = kKinds[n % 5], second = kKinds[n / 5 % 5];
    const double size = std::pow(10.0, static_cast<double>(random.below(7)) - 4);
    const double far = random.below(3) == 0 ? 1000 * size : 0;
    const bool is_flat = random.below(3) == 0;
    const Robot robot(pair_of_links(random, first, second, size, is_flat, far));
    const Vector middle{far, -far, 0.5 * far};
    const Environment environment = one_of_each(random, middle, size, is_flat);
    const std::vector<double> values = values_of(40, middle, size, random);
    const double margin = random.below(2) == 0 ? 0.0 : 0.02 * size;
    const auto expected = found(robot, values, environment, CheckUse::none, margin);
    for (const Isa isa : test::usable_isas()) {
      ASSERT_EQ(found(robot, values, environment, CheckUse::all, margin, isa), expected)
          << n << " " << isa_name(isa);
    }
    ASSERT_EQ(found(robot, values, environment, CheckUse::without_culls, margin), expected) << n;
    for (const std::uint8_t answer : expected) hits += answer;
    all += expected.size();
  }
  EXPECT_GT(hits, all / 10);
  EXPECT_LT(hits, all - all / 20);
}

// A margin that is the distance of two links, and its neighbours: what is surely so in float must
// not be wrong there.
TEST(robot_convexes, margins_at_the_distance_itself) {
  Random random(3);
  std::size_t touching = 0, asked = 0;
  for (std::size_t n = 0; n < test::scaled(25, 5); ++n) {
    const double far = n % 3 == 0 ? 30 : 0;
    const Robot robot(
        pair_of_links(random, kKinds[n % 5], kKinds[(n / 5 + n) % 5], 1, n % 4 == 0, far));
    const std::vector<double> values = values_of(8, {far, far, 0}, 1, random);
    RobotDistances distances;
    Workspace<3, double> workspace;
    min_distance(robot, Configurations<double>(values, robot.values().size()), Environment(),
                 distances, workspace);
    for (std::size_t i = 0; i < 8; ++i) {
      const double gap = distances.distance[i];
      if (!(gap > 0)) continue;
      const std::vector<double> own(values.begin() + static_cast<std::ptrdiff_t>(14 * i),
                                    values.begin() + static_cast<std::ptrdiff_t>(14 * i + 14));
      for (const double factor :
           {1.0, 1 - 1e-9, 1 + 1e-9, 1 - 1e-7, 1 + 1e-7, 1 - 1e-6, 1 + 1e-6}) {
        const auto expected = found(robot, own, Environment(), CheckUse::none, gap * factor);
        ASSERT_EQ(found(robot, own, Environment(), CheckUse::all, gap * factor), expected)
            << n << " " << i << " " << factor;
        touching += expected[0];
        ++asked;
      }
    }
  }
  EXPECT_GT(touching, asked / 4);
  EXPECT_LT(touching, asked - asked / 4);
}

// Parts of motions of two links among obstacles: free ones do not touch at any of 17 times in
// double, hits do so at their middle, and where a part is open its middle does not.
TEST(robot_convexes, parts_of_motions) {
  Random random(5);
  std::size_t counts[4]{}, all = 0;
  for (std::size_t n = 0; n < test::scaled(40, 8); ++n) {
    const double size = n % 4 == 3 ? std::pow(10.0, static_cast<double>(random.below(7)) - 4) : 1;
    const double far = n % 8 == 7 ? 1000 * size : 0;
    const bool is_flat = n % 4 == 2;
    const Robot robot(pair_of_links(random, kKinds[n % 5], kKinds[n / 5 % 5], size, is_flat, far));
    const Vector middle{far, -far, 0.5 * far};
    const Environment environment = one_of_each(random, middle, size, is_flat);
    const std::vector<double> from = values_of(40, middle, size, random);
    std::vector<double> to = from;
    for (std::size_t v = 0; v < to.size(); ++v) {
      to[v] += 0.2 * (v % 7 < 3 ? size : 1) * random.normal();
    }
    CollideOptions options;
    options.margin = n % 3 == 0 ? 0.02 * size : 0;
    const ProofScene scene(robot, environment.state(), {options.margin});
    const std::size_t width = robot.values().size(), count = from.size() / width;
    std::vector<Interval> parts;
    for (std::size_t m = 0; m < count; ++m) {
      const double half = std::pow(0.5, 1 + static_cast<double>(m % 6));
      parts.push_back({m, half + (1 - 2 * half) * 0.1 * static_cast<double>(m % 11), half, {}, {}});
    }
    const LaneProver prover(robot, scene, {from.data(), to.data(), width, count}, options);
    std::vector<PartAnswer> answers(count);
    std::vector<OpenPairs> listed(count);
    prover.ask(parts, answers, listed);
    std::vector<double> values;
    for (const Interval& part : parts) {
      for (int k = -8; k <= 8; ++k) {
        const double t = part.t + part.width * k / 8;
        for (std::size_t v = part.motion * width; v < (part.motion + 1) * width; ++v) {
          values.push_back(from[v] + t * (to[v] - from[v]));
        }
      }
    }
    const auto expected = found(robot, values, environment, CheckUse::none, options.margin);
    for (std::size_t i = 0; i < count; ++i) {
      const auto first = expected.begin() + static_cast<std::ptrdiff_t>(17 * i);
      switch (answers[i]) {
        case PartAnswer::free:
          ASSERT_EQ(std::count(first, first + 17, 1), 0) << n << " " << i;
          break;
        case PartAnswer::hit:
          ASSERT_EQ(first[8], 1) << n << " " << i;
          break;
        case PartAnswer::open:
          ASSERT_EQ(first[8], 0) << n << " " << i;
          break;
        case PartAnswer::unknown:
          break;
      }
      if (is_flat || size != 1) continue;
      ++counts[static_cast<std::size_t>(answers[i])];
      ++all;
    }
  }
  EXPECT_GT(counts[static_cast<std::size_t>(PartAnswer::free)], all / 10);
  EXPECT_GT(counts[static_cast<std::size_t>(PartAnswer::hit)], all / 10);
  EXPECT_GT(counts[static_cast<std::size_t>(PartAnswer::open)], all / 10);
  EXPECT_LE(counts[static_cast<std::size_t>(PartAnswer::unknown)], all / 50);
}

}  // namespace
}  // namespace widephase
