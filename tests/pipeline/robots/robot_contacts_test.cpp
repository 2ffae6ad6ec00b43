// Whether configurations of a robot touch it or what surrounds it: against distances of balls in
// closed form, for any number of configurations, sets and threads; and what is refused.
// Labels: own-sets threads

#include <gtest/gtest.h>

#include <cmath>

#include <widephase/robot.hpp>

#include "support/error_of.hpp"
#include "support/expect.hpp"
#include "support/robots.hpp"

namespace widephase {
namespace {

using namespace test::robots;

std::vector<std::uint8_t> answers_of(const Robot& robot, const std::vector<double>& values,
                                     const Environment& around,
                                     const CollideOptions& options = {}) {
  std::vector<std::uint8_t> answers(values.size() / robot.values().size(), 7);
  Workspace<3, double> workspace;
  any_contact(robot, Configurations<double>(values, robot.values().size()), around,
              std::span<std::uint8_t>(answers), workspace, options);
  return answers;
}

/// The least gap between two balls that may meet, in the configuration of the poses from `first`.
double gap_of(const RobotColumns& robot, const Poses3& poses, std::size_t first,
              const SceneColumns<3, double>* around) {
  struct Ball {
    std::array<Real, 3> at;
    double radius;
    std::int32_t link;
  };
  const auto& spheres = robot.shapes.spheres;
  std::vector<Ball> balls;
  for (std::size_t i = 0; i < spheres.radius.size(); ++i) {
    const std::size_t body = first + static_cast<std::size_t>(spheres.body[i]);
    const auto center = spheres.center.row(i), origin = poses.position.row(body);
    const Matrix placed = shifted(origin[0], origin[1], origin[2]) * turned(poses.turn.row(body)) *
                          shifted(center[0], center[1], center[2]);
    balls.push_back(
        {{placed.at[0][3], placed.at[1][3], placed.at[2][3]}, spheres.radius[i], spheres.owner[i]});
  }
  for (std::size_t i = 0; around != nullptr && i < around->spheres.radius.size(); ++i) {
    const auto center = around->spheres.center.row(i);
    balls.push_back({{center[0], center[1], center[2]}, around->spheres.radius[i], -1});
  }
  Real least = 1e9;
  for (std::size_t a = 0; a < balls.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      const std::int32_t x = balls[b].link, y = balls[a].link;
      if (x == y || (y >= 0 && y == x + 1) || (x == 0 && y == 2)) continue;
      Real square = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        square += (balls[a].at[k] - balls[b].at[k]) * (balls[a].at[k] - balls[b].at[k]);
      }
      least = std::min(least, std::sqrt(square) - balls[a].radius - balls[b].radius);
    }
  }
  return static_cast<double>(least);
}

TEST(robot_contacts, configurations_touch_where_balls_are_near) {
  const RobotColumns columns = arm_of_balls();
  const Robot robot(columns);
  const SceneColumns<3, double> around = surroundings();
  const Environment environment{SceneSpan<3, double>(around)};
  const std::vector<double> values = values_of(300);
  Poses3 poses;
  place(robot, Configurations<double>(values, 5), poses);
  for (const double margin : {0.0, 0.1}) {
    CollideOptions options;
    options.margin = margin;
    const auto alone = answers_of(robot, values, {}, options);
    const auto among = answers_of(robot, values, environment, options);
    std::size_t hits = 0, more = 0;
    for (std::size_t i = 0; i < 300; ++i) {
      EXPECT_EQ(alone[i], gap_of(columns, poses, 5 * i, nullptr) <= margin ? 1 : 0) << i;
      EXPECT_EQ(among[i], gap_of(columns, poses, 5 * i, &around) <= margin ? 1 : 0) << i;
      hits += alone[i];
      more += among[i];
    }
    EXPECT_GT(hits, 5u);
    EXPECT_GT(more, hits + 15);
    EXPECT_LT(more, 285u);
  }
}

TEST(robot_contacts, numbers_sets_and_threads_change_no_answer) {
  const Robot robot(arm_of_balls());
  const SceneColumns<3, double> around = surroundings();
  const Environment environment{SceneSpan<3, double>(around)};
  const std::size_t count = 4096 + 5;  // two scenes of worlds
  const std::vector<double> values = values_of(count);
  const auto all = answers_of(robot, values, environment);
  for (const Isa isa : test::usable_isas()) {
    for (const int threads : {1, 3}) {
      CollideOptions options;
      options.isa = isa;
      options.threads.count = threads;
      EXPECT_EQ(answers_of(robot, values, environment, options), all)
          << isa_name(isa) << " " << threads;
    }
  }
  for (const std::size_t some : {0u, 1u, 17u}) {
    const std::size_t first = count - 20;
    const std::vector<double> own(values.begin() + static_cast<std::ptrdiff_t>(5 * first),
                                  values.begin() + static_cast<std::ptrdiff_t>(5 * (first + some)));
    const std::vector<std::uint8_t> expected(
        all.begin() + static_cast<std::ptrdiff_t>(first),
        all.begin() + static_cast<std::ptrdiff_t>(first + some));
    EXPECT_EQ(answers_of(robot, own, environment), expected) << some;
  }
  // Numbers of float, which are those of double here.
  std::vector<float> narrow(values.begin(), values.begin() + 100);
  const std::vector<double> wide(narrow.begin(), narrow.end());
  std::vector<std::uint8_t> answers(20);
  Workspace<3, double> workspace;
  any_contact(robot, Configurations<float>(narrow, 5), environment,
              std::span<std::uint8_t>(answers), workspace);
  EXPECT_EQ(answers, answers_of(robot, wide, environment));
}

TEST(robot_contacts, faults_are_told) {
  const Robot robot(arm_of_balls());
  std::vector<double> values = values_of(4100);
  values[5 * 4097 + 1] = std::nan("");
  values[5 * 4099 + 1] = std::nan("");
  EXPECT_EQ(test::error_of([&] { answers_of(robot, values, {}); }),
            "q[4097] has nan as joint1; expected a finite number up to 2^50 radians");
  values.resize(10);
  CollideOptions options;
  options.margin = -1;
  EXPECT_EQ(test::error_of([&] { answers_of(robot, values, {}, options); }),
            "margin is -1; it must be finite and >= 0");
  std::vector<std::uint8_t> none;
  Workspace<3, double> workspace;
  const auto ask = [&](std::size_t width, const Environment& environment,
                       const std::vector<std::int32_t>& worlds) {
    return test::error_of([&] {
      any_contact(robot, Configurations<double>(values, width), environment,
                  std::span<std::uint8_t>(none), workspace, {}, worlds);
    });
  };
  EXPECT_EQ(ask(5, {}, {}), "is_contact has 0 entries; expected 2 or more");
  none.resize(10);
  EXPECT_EQ(ask(1, {}, {}).substr(0, 38), "q has 1 values in each; expected 5 (jo");
  SceneColumns<3, double> around = surroundings();
  around.spheres.world[3] = 2;
  const Environment environment{SceneSpan<3, double>(around)};
  EXPECT_EQ(environment.world_count(), 3);
  EXPECT_EQ(ask(5, environment, {}),
            "worlds is empty, and the environment has 3 worlds; give the world of each "
            "configuration");
  EXPECT_EQ(ask(5, environment, {1}), "worlds has 1 entries; expected 2");
  EXPECT_EQ(ask(5, environment, {1, -1}), "worlds[1] is -1; expected the number of a world");
  around.spheres.radius[5] = -1;
  EXPECT_EQ(test::error_of([&] { const Environment wrong{SceneSpan<3, double>(around)}; }),
            "sphere.radius[5] is -1; radius must be a finite number >= 0");
}

// Whatever is wrong, the answers of the caller stay as they were.
TEST(robot_contacts, errors_change_no_answer) {
  const Robot robot(arm_of_balls());
  std::vector<double> values = values_of(3);
  values[5 * 2 + 1] = std::nan("");
  SceneColumns<3, double> around = surroundings();
  around.spheres.world[3] = 1;
  const Environment of_worlds{SceneSpan<3, double>(around)};
  Workspace<3, double> workspace;
  std::vector<std::uint8_t> answers(3, 7);
  FirstContacts first;
  first.shape = {7};
  const auto ask = [&](std::size_t width, const Environment& environment,
                       const std::vector<std::int32_t>& worlds) {
    const Configurations<double> q(values, width);
    const auto of_any = test::error_of([&] {
      any_contact(robot, q, environment, std::span<std::uint8_t>(answers), workspace, {}, worlds);
    });
    const auto of_first =
        test::error_of([&] { first_contact(robot, q, environment, first, workspace, {}, worlds); });
    EXPECT_NE(of_first, "");
    if (width == 5) {
      EXPECT_EQ(of_any, of_first);
    }
    EXPECT_EQ(answers, (std::vector<std::uint8_t>{7, 7, 7}));
    EXPECT_EQ(first.shape.size(), 1u);
    EXPECT_EQ(first.shape[0], 7);
    EXPECT_TRUE(first.link.empty() && first.obstacle.empty() && first.other_shape.empty());
  };
  ask(5, {}, {});
  ask(1, {}, {});
  ask(5, of_worlds, {});
  ask(5, of_worlds, {0, 1, 1});
}

}  // namespace
}  // namespace widephase
