// The Panda arm of 59 spheres in seven planning scenes, in random configurations: the answers of
// `any_contact` against distances in closed form in double, and proofs of motions against samples;
// these with hulls for links too.
// Labels: plain real-data long optimized

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include <widephase/hulls.hpp>
#include <widephase/robot_motions.hpp>

#include "reference/scaled.hpp"
#include "scenes/random.hpp"
#include "support/data_path.hpp"
#include "support/own_folder.hpp"
#include "tools/formats/read_scene.hpp"
#include "tools/robots/read_robot.hpp"

namespace widephase::test {
namespace {

using Vector = std::array<double, 3>;
using Quaternion = std::array<double, 4>;

double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/// The vector in the frame of a quaternion, or out of it with a `side` of -1.
Vector turned_back(const Quaternion& q, const Vector& v, double side = 1) {
  const Vector u{-side * q[0], -side * q[1], -side * q[2]};
  const auto cross = [](const Vector& a, const Vector& b) {
    return Vector{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  };
  const double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
  const Vector once = cross(u, v), twice = cross(u, once);
  Vector turned;
  for (std::size_t k = 0; k < 3; ++k) {
    turned[k] = v[k] + 2 * (q[3] * once[k] + twice[k]) / square;
  }
  return turned;
}

/// The squared distance of a point from a box or cylinder.
template <class Table>
double square_from(const Table& table, std::size_t row, const Vector& point) {
  Vector v;
  for (std::size_t k = 0; k < 3; ++k) v[k] = point[k] - table.center(row, static_cast<int>(k));
  v = turned_back(table.turn.row(row), v);
  const auto beyond = [](double x, double size) { return std::max(std::abs(x) - size, 0.0); };
  if constexpr (Table::kind == Kind::box) {
    for (std::size_t k = 0; k < 3; ++k) {
      v[k] = beyond(v[k], table.half_extents(row, static_cast<int>(k)));
    }
    return dot(v, v);
  } else {
    const double across = beyond(std::hypot(v[0], v[1]), table.radius[row]);
    const double along = beyond(v[2], table.half_height[row]);
    return across * across + along * along;
  }
}

struct Ball {
  Vector center;
  double radius;
  std::int32_t link;
};

/// How far two parts that may meet are apart at least, as far as it matters near 0.
double gap_of(const std::vector<Ball>& balls, const std::vector<std::uint8_t>& may_meet,
              std::size_t links, const SceneColumns<3, double>& around) {
  double least = 1;
  for (std::size_t a = 0; a < balls.size(); ++a) {
    const auto consider = [&](double square, double radius) {
      if (square < (radius + least) * (radius + least)) least = std::sqrt(square) - radius;
    };
    for (std::size_t b = 0; b < a; ++b) {
      const auto x = static_cast<std::size_t>(balls[a].link);
      const auto y = static_cast<std::size_t>(balls[b].link);
      if (may_meet[links * x + y] == 0) continue;
      Vector d;
      for (std::size_t k = 0; k < 3; ++k) d[k] = balls[a].center[k] - balls[b].center[k];
      consider(dot(d, d), balls[a].radius + balls[b].radius);
    }
    for (std::size_t row = 0; row < row_count(around.boxes); ++row) {
      consider(square_from(around.boxes, row, balls[a].center), balls[a].radius);
    }
    for (std::size_t row = 0; row < row_count(around.cylinders); ++row) {
      consider(square_from(around.cylinders, row, balls[a].center), balls[a].radius);
    }
    if (least < 0) return least;
  }
  return least;
}

class robot_check_data : public OwnFolder {};

TEST_F(robot_check_data, panda_in_seven_scenes) {
  const auto data = data_path("robots");
  if (!data) GTEST_SKIP() << "no data folder; set WIDEPHASE_DATA";
  const std::string unpack = "tar xjf '" + (*data / "panda-problems.tar.bz2").string() + "'";
  if (std::system(unpack.c_str()) != 0) GTEST_SKIP() << "no tar with bzip2";
  std::vector<std::string> notes;
  const std::string urdf = *data / "panda_spherized.urdf", srdf = *data / "panda.srdf";
  const Robot robot(tools::read_robot(urdf, tools::Format::urdf, srdf, {}, notes).columns);
  const std::size_t width = robot.values().size();
  ASSERT_EQ(width, 7u);
  const auto& spheres = robot.shapes().spheres;
  const std::size_t links = robot.columns().links.name.size();
  std::vector<std::uint8_t> may_meet(links * links, 1);
  for (std::size_t link = 0; link < links; ++link) may_meet[links * link + link] = 0;
  const auto& excluded = robot.shapes().excluded_owners;
  for (std::size_t row = 0; row < excluded.size(); ++row) {
    const auto a = static_cast<std::size_t>(excluded(row, 0));
    const auto b = static_cast<std::size_t>(excluded(row, 1));
    may_meet[links * a + b] = may_meet[links * b + a] = 0;
  }
  const std::size_t count = scaled(16384, 512);
  scenes::Random random(1);
  std::vector<double> values;
  for (std::size_t i = 0; i < count * width; ++i) {
    const RobotValue& value = robot.values()[i % width];
    values.push_back(random.uniform(value.lower, value.upper));
  }
  const Configurations<double> q(values, width);
  BodyTable<Owned<3, double>> poses;
  place(robot, q, poses);

  std::size_t scenes = 0;
  for (const auto& family : std::filesystem::directory_iterator("problems")) {
    SceneColumns<3, double> around;
    const std::string path = family.path() / "scene0001.yaml";
    tools::read_scene(path, tools::detect_format(path), {}).to_columns(around);
    around.bodies = {};
    const Environment environment{SceneSpan<3, double>(around)};
    ASSERT_EQ(environment.size(), row_count(around.boxes) + row_count(around.cylinders));
    std::vector<std::uint8_t> answers(count);
    Workspace<3, double> workspace;
    any_contact(robot, q, environment, std::span<std::uint8_t>(answers), workspace);
    std::size_t hits = 0;
    std::vector<Ball> balls(spheres.radius.size());
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t b = 0; b < balls.size(); ++b) {
        const std::size_t body = robot.body_count() * i + static_cast<std::size_t>(spheres.body[b]);
        Vector center = turned_back(poses.turn.row(body), spheres.center.row(b), -1);
        for (std::size_t k = 0; k < 3; ++k) center[k] += poses.position(body, static_cast<int>(k));
        balls[b] = {center, spheres.radius[b], spheres.owner[b]};
      }
      const double gap = gap_of(balls, may_meet, links, around);
      hits += answers[i];
      if (std::abs(gap) < 1e-12) continue;
      ASSERT_EQ(answers[i], gap < 0 ? 1 : 0) << path << " " << i << " " << gap;
    }
    EXPECT_GT(hits, count / 10) << path;
    EXPECT_LT(hits, count / 2) << path;
    ++scenes;
  }
  EXPECT_EQ(scenes, 7u);
}

/// In place of the balls of each link a hull of up to 32 vertices around them.
RobotColumns with_hulls(RobotColumns robot) {
  const auto balls = robot.shapes.spheres;
  robot.shapes.spheres = {};
  auto& hulls = robot.shapes.hulls;
  for (std::int32_t link = 0; link < static_cast<std::int32_t>(robot.links.name.size()); ++link) {
    Column<double, 3> points;
    for (std::size_t i = 0; i < balls.radius.size(); ++i) {
      if (balls.owner[i] != link) continue;
      for (std::size_t k = 0; k < 6; ++k) {
        auto point = balls.center.row(i);
        point[k % 3] += k < 3 ? balls.radius[i] : -balls.radius[i];
        points.push_back(point);
      }
    }
    if (points.empty()) continue;
    hulls.center.push_back({0, 0, 0});
    hulls.turn.push_back({0, 0, 0, 1});
    hulls.geometry.push_back(add_hull<double>(robot.shapes.geometries, points, 32).index);
    hulls.body.push_back(robot.links.body[static_cast<std::size_t>(link)]);
    hulls.owner.push_back(link);
  }
  return robot;
}

// What is proven free is not hit by 4,096 samples, and what is hit is.
TEST_F(robot_check_data, motions_of_panda_in_seven_scenes) {
  const auto data = data_path("robots");
  if (!data) GTEST_SKIP() << "no data folder; set WIDEPHASE_DATA";
  const std::string unpack = "tar xjf '" + (*data / "panda-problems.tar.bz2").string() + "'";
  if (std::system(unpack.c_str()) != 0) GTEST_SKIP() << "no tar with bzip2";
  std::vector<std::string> notes;
  const std::string urdf = *data / "panda_spherized.urdf", srdf = *data / "panda.srdf";
  const RobotColumns columns =
      tools::read_robot(urdf, tools::Format::urdf, srdf, {}, notes).columns;
  const Robot of_balls(columns), of_hulls(with_hulls(columns));
  ASSERT_EQ(row_count(of_hulls.shapes().hulls), 11u);
  const std::size_t count = scaled(50, 12), width = 7, samples = 4097;
  scenes::Random random(2);
  std::vector<double> from, to;
  for (std::size_t i = 0; i < count * width; ++i) {
    const RobotValue& value = of_balls.values()[i % width];
    from.push_back(random.uniform(value.lower, value.upper));
    to.push_back(from.back() + random.uniform(-0.6, 0.6));
  }
  MotionOptions proof;
  proof.proof = true;
  std::size_t free = 0, hit = 0, undecided = 0, scenes = 0;
  for (const auto& family : std::filesystem::directory_iterator("problems")) {
    SceneColumns<3, double> around;
    const std::string path = family.path() / "scene0001.yaml";
    tools::read_scene(path, tools::detect_format(path), {}).to_columns(around);
    around.bodies = {};
    const Environment environment{SceneSpan<3, double>(around)};
    const Robot& robot = scenes++ % 2 == 0 ? of_hulls : of_balls;
    Workspace<3, double> workspace;
    MotionChecks checks;
    check_motions(robot, Configurations<double>(from, width), Configurations<double>(to, width),
                  environment, checks, workspace, proof);
    for (std::size_t m = 0; m < count; ++m) {
      if (checks.status[m] == MotionStatus::undecided) {
        ++undecided;
        continue;
      }
      const bool is_hit = checks.status[m] == MotionStatus::hit;
      (is_hit ? hit : free) += 1;
      std::vector<double> values;
      for (std::size_t k = 0; k < (is_hit ? 1 : samples); ++k) {
        const double t =
            is_hit ? checks.at[m] : static_cast<double>(k) / static_cast<double>(samples - 1);
        for (std::size_t v = m * width; v < (m + 1) * width; ++v) {
          values.push_back(t == 1 ? to[v] : from[v] + t * (to[v] - from[v]));
        }
      }
      std::vector<std::uint8_t> answers(values.size() / width);
      any_contact(robot, Configurations<double>(values, width), environment,
                  std::span<std::uint8_t>(answers), workspace);
      ASSERT_EQ(std::count(answers.begin(), answers.end(), 1), is_hit ? 1 : 0) << path << " " << m;
    }
  }
  EXPECT_GE(free, count);
  EXPECT_GT(hit, count / 2);
  EXPECT_LE(undecided, 1 + count / 10);
}

}  // namespace
}  // namespace widephase::test
