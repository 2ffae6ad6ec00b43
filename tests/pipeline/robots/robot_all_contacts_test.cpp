// All contacts of configurations, with links and depths, against balls in closed form; and shapes
// that links carry.
// Labels: own-sets threads

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include <widephase/hulls.hpp>
#include <widephase/robot.hpp>

#include "support/error_of.hpp"
#include "support/expect.hpp"
#include "support/robots.hpp"

namespace widephase {
namespace {

using namespace test::robots;

RobotContacts contacts_of(const Robot& robot, const std::vector<double>& values,
                          const Environment& around, const CollideOptions& options = {},
                          const std::vector<std::int32_t>& worlds = {}) {
  RobotContacts found;
  Workspace<3, double> workspace;
  contacts(robot, Configurations<double>(values, robot.values().size()), around, found, workspace,
           options, worlds);
  return found;
}

std::vector<std::uint8_t> answers_of(const Robot& robot, const std::vector<double>& values,
                                     const Environment& around) {
  std::vector<std::uint8_t> answers(values.size() / robot.values().size());
  Workspace<3, double> workspace;
  any_contact(robot, Configurations<double>(values, robot.values().size()), around,
              std::span<std::uint8_t>(answers), workspace);
  return answers;
}

/// Which pairs touch, in the order of `contacts`: the configuration, the shape, the obstacle, the
/// other shape.
using Row = std::array<std::int64_t, 4>;
std::vector<Row> rows_of(const RobotContacts& found) {
  std::vector<Row> rows;
  for (std::size_t i = 0; i < found.depth.size(); ++i) {
    rows.push_back(
        {found.configuration[i], found.shape[i], found.obstacle[i], found.other_shape[i]});
  }
  return rows;
}

TEST(robot_all_contacts, are_those_of_balls) {
  const RobotColumns columns = arm_of_balls();
  const Robot robot(columns);
  const SceneColumns<3, double> around = surroundings();
  const std::vector<double> values = values_of(200);
  Poses3 poses;
  place(robot, Configurations<double>(values, 5), poses);
  CollideOptions options;
  options.margin = 0.05;
  const RobotContacts found =
      contacts_of(robot, values, Environment{SceneSpan<3, double>(around)}, options);
  const auto& balls = columns.shapes.spheres;
  using Point = std::array<double, 3>;
  std::vector<Row> expected;
  std::vector<Point> ways;
  std::vector<double> depths;
  for (std::size_t i = 0; i < 200; ++i) {
    std::vector<Point> at;
    for (std::size_t ball = 0; ball < 10; ++ball) {
      const std::size_t body = 5 * i + static_cast<std::size_t>(balls.body[ball]);
      const Point center = balls.center.row(ball), origin = poses.position.row(body);
      const Matrix placed = shifted(origin[0], origin[1], origin[2]) *
                            turned(poses.turn.row(body)) * shifted(center[0], center[1], center[2]);
      at.push_back({static_cast<double>(placed.at[0][3]), static_cast<double>(placed.at[1][3]),
                    static_cast<double>(placed.at[2][3])});
    }
    const auto add = [&](std::size_t a, std::int64_t obstacle, std::int64_t other, const Point& to,
                         double radii) {
      Point way{};
      double square = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        way[k] = to[k] - at[a][k];
        square += way[k] * way[k];
      }
      const double distance = std::sqrt(square);
      if (distance - radii > 0.05) return;
      expected.push_back(
          {static_cast<std::int64_t>(i), static_cast<std::int64_t>(a), obstacle, other});
      for (double& part : way) part /= distance;
      ways.push_back(way);
      depths.push_back(radii - distance);
    };
    for (std::size_t a = 0; a < 10; ++a) {
      for (std::size_t o = 0; o < around.spheres.radius.size(); ++o) {
        add(a, static_cast<std::int64_t>(o), -1, around.spheres.center.row(o),
            balls.radius[a] + around.spheres.radius[o]);
      }
      for (std::size_t b = a + 1; b < 10; ++b) {
        const std::int32_t x = balls.owner[a], y = balls.owner[b];
        if (x == y || y == x + 1 || (x == 0 && y == 2)) continue;
        add(a, -1, static_cast<std::int64_t>(b), at[b], balls.radius[a] + balls.radius[b]);
      }
    }
  }
  ASSERT_EQ(rows_of(found), expected);
  ASSERT_GT(expected.size(), 50u);
  ASSERT_EQ(found.offset.size(), expected.size() + 1);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(found.depth[i], depths[i], 1e-12);
    EXPECT_EQ(found.link[i], found.shape[i] / 2);
    EXPECT_EQ(found.other_link[i], found.other_shape[i] < 0 ? -1 : found.other_shape[i] / 2);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(found.normal.row(i)[k], ways[i][k], 1e-9);
    }
    ASSERT_EQ(found.offset[i + 1] - found.offset[i], 1);
    EXPECT_NEAR(found.point_depth[static_cast<std::size_t>(found.offset[i])], depths[i], 1e-12);
  }
}

// A robot with a hull is joined with the obstacles, which have the lower ids then. The point stays
// on the robot, and the normal leaves it.
TEST(robot_all_contacts, robots_are_a_on_either_way) {
  RobotColumns columns = robot_of(JointType::prismatic, {1, 0, 0});
  add_box_hull(columns.shapes.geometries, 1, 1, 1);
  columns.shapes.hulls.center.push_back({0, 0, 0});
  columns.shapes.hulls.turn.push_back(kUnturned);
  columns.shapes.hulls.geometry.push_back(0);
  columns.shapes.hulls.body.push_back(0);
  columns.shapes.hulls.owner.push_back(0);
  SceneColumns<3, double> ball;
  ball.spheres.center.push_back({2, 0, 0});
  ball.spheres.radius.push_back(0.75);
  const RobotContacts found =
      contacts_of(Robot(columns), {0, -1, 0.5}, Environment{SceneSpan<3, double>(ball)});
  ASSERT_EQ(rows_of(found), (std::vector<Row>{{2, 0, 0, -1}}));
  EXPECT_NEAR(found.depth[0], 0.25, 1e-12);
  EXPECT_NEAR(found.normal(0, 0), 1, 1e-12);
  EXPECT_NEAR(found.point(0, 0), 1.5, 1e-12);
}

// Sets, threads and parts of the configurations give the same bits; each world its own obstacles.
TEST(robot_all_contacts, depend_on_nothing_else) {
  const Robot robot(arm_of_balls());
  SceneColumns<3, double> around = surroundings();
  const Environment environment{SceneSpan<3, double>(around)};
  const std::vector<double> values = values_of(1030);  // three scenes of worlds
  const RobotContacts all = contacts_of(robot, values, environment);
  const auto same = [&](const RobotContacts& found) {
    bool are_same = rows_of(found) == rows_of(all) && found.offset.size() == all.offset.size();
    for (std::size_t i = 0; are_same && i < all.depth.size(); ++i) {
      are_same = found.depth[i] == all.depth[i] && found.point.row(i) == all.point.row(i) &&
                 found.normal.row(i) == all.normal.row(i);
    }
    return are_same;
  };
  for (const Isa isa : test::usable_isas()) {
    CollideOptions options;
    options.isa = isa;
    options.threads.count = 3;
    EXPECT_TRUE(same(contacts_of(robot, values, environment, options))) << isa_name(isa);
  }
  const std::vector<double> last(values.end() - 5 * 20, values.end());
  std::vector<Row> expected;
  for (Row row : rows_of(all)) {
    if (row[0] < 1010) continue;
    row[0] -= 1010;
    expected.push_back(row);
  }
  EXPECT_EQ(rows_of(contacts_of(robot, last, environment)), expected);
  // Obstacles 0 to 5 are of world 1, the others of world 2; configurations alternate.
  std::vector<std::int32_t> worlds;
  for (int i = 0; i < 1030; ++i) worlds.push_back(1 + i % 2);
  for (std::size_t o = 0; o < 12; ++o) around.spheres.world[o] = o < 6 ? 1 : 2;
  std::vector<Row> own;
  for (const Row& row : rows_of(all)) {
    if (row[2] < 0 || (row[2] < 6) == (row[0] % 2 == 0)) own.push_back(row);
  }
  EXPECT_EQ(
      rows_of(contacts_of(robot, values, Environment{SceneSpan<3, double>(around)}, {}, worlds)),
      own);
}

// Ids of excluded pairs were those of the robot alone, where obstacles came between its kinds.
TEST(robot_all_contacts, excluded_shapes_of_a_robot_with_hulls_never_meet) {
  RobotColumns columns = robot_of(JointType::prismatic, {1, 0, 0});
  add_box_hull(columns.shapes.geometries, 1, 1, 1);
  columns.shapes.hulls.center.push_back({0, 0, 0});
  columns.shapes.hulls.turn.push_back(kUnturned);
  columns.shapes.hulls.geometry.push_back(0);
  columns.shapes.hulls.body.push_back(0);
  columns.shapes.hulls.owner.push_back(0);
  columns.shapes.spheres.center.push_back({0, 0, 0});
  columns.shapes.spheres.radius.push_back(0.5);
  columns.shapes.spheres.owner.push_back(1);
  columns.shapes.excluded.push_back({0, 1});  // the sphere and the hull
  SceneColumns<3, double> ball;
  ball.spheres.center.push_back({9, 0, 0});
  ball.spheres.radius.push_back(1);
  const Environment far{SceneSpan<3, double>(ball)};
  EXPECT_EQ(answers_of(Robot(columns), {0}, far), (std::vector<std::uint8_t>{0}));
  columns.shapes.excluded.clear();
  EXPECT_EQ(answers_of(Robot(columns), {0}, far), (std::vector<std::uint8_t>{1}));
}

/// A ball and a box at the end of the arm, a quarter turned about x.
Attachment grasped() {
  Attachment attachment;
  attachment.name = "cup";
  attachment.link = 4;
  attachment.position = {0, 0, 0.5};
  attachment.turn = {std::sqrt(0.5), 0, 0, std::sqrt(0.5)};
  attachment.shapes.spheres.center.push_back({0, 0.25, 0});  // at z = 0.75 of the link
  attachment.shapes.spheres.radius.push_back(0.2);
  attachment.shapes.boxes.center.push_back({0.1, 0, 0});
  attachment.shapes.boxes.turn.push_back(kUnturned);
  attachment.shapes.boxes.half_extents.push_back({0.1, 0.2, 0.05});
  return attachment;
}

/// The same in the columns of the robot.
RobotColumns with_grasped(RobotColumns columns) {
  auto& shapes = columns.shapes;
  shapes.spheres.center.push_back({0, 0, 0.75});
  shapes.spheres.radius.push_back(0.2);
  shapes.spheres.body.push_back(4);
  shapes.spheres.owner.push_back(5);
  shapes.boxes.center.push_back({0.1, 0, 0.5});
  shapes.boxes.turn.push_back({std::sqrt(0.5), 0, 0, std::sqrt(0.5)});
  shapes.boxes.half_extents.push_back({0.1, 0.2, 0.05});
  shapes.boxes.body.push_back(4);
  shapes.boxes.owner.push_back(5);
  shapes.excluded_owners.push_back({4, 5});
  return columns;
}

TEST(robot_all_contacts, attachments_are_as_shapes_of_the_file) {
  const Robot bare(arm_of_balls());
  const Robot carrying = bare.attached(grasped());
  const Robot expected(with_grasped(arm_of_balls()));
  const SceneColumns<3, double> around = surroundings();
  const Environment environment{SceneSpan<3, double>(around)};
  const std::vector<double> values = values_of(400);
  const RobotContacts found = contacts_of(carrying, values, environment);
  EXPECT_EQ(rows_of(found), rows_of(contacts_of(expected, values, environment)));
  EXPECT_EQ(answers_of(carrying, values, environment), answers_of(expected, values, environment));
  EXPECT_NE(answers_of(carrying, values, environment), answers_of(bare, values, environment));
  EXPECT_EQ(carrying.columns().links.name.back(), "cup");
  std::size_t of_cup = 0;
  for (std::size_t i = 0; i < found.link.size(); ++i) {
    of_cup += found.link[i] == 5 || found.other_link[i] == 5 ? 1 : 0;
  }
  EXPECT_GT(of_cup, 10u);
  // The frame of its link.
  Poses3 poses;
  RobotOptions options;
  options.frames = RobotFrames::links;
  place(carrying, Configurations<double>({values.data(), 5}, 5), poses, options);
  const std::vector<Matrix> frames =
      reference_of(bare.columns(), {values.begin(), values.begin() + 5});
  EXPECT_LT(miss(poses, 5, frames[4] * shifted(0, 0, 0.5) * turned(grasped().turn), 1), 1e-12);
  // Dropped, it is the bare robot again; and what it may touch is left out.
  const Robot dropped = carrying.detached("cup");
  EXPECT_EQ(answers_of(dropped, values, environment), answers_of(bare, values, environment));
  EXPECT_TRUE(dropped.attachments().empty());
  Attachment tolerant = grasped();
  tolerant.allowed = {0, 1, 2, 3};
  const RobotContacts among = contacts_of(bare.attached(tolerant), values, {});
  for (std::size_t i = 0; i < among.link.size(); ++i) {
    EXPECT_NE(among.link[i], 5);
    EXPECT_NE(among.other_link[i], 5);
  }
}

TEST(robot_all_contacts, attachments_by_name) {
  const Robot bare(arm_of_balls());
  Attachment cup = grasped(), spoon = grasped();
  spoon.name = "spoon";
  spoon.link = 5;  // in the cup
  spoon.allowed = {4};
  const Robot both = bare.attached(cup).attached(spoon);
  ASSERT_EQ(both.attachments().size(), 2u);
  EXPECT_EQ(test::error_of([&] { (void)both.detached("cup"); }),
            "name is cup, which carries spoon; detach that first");
  EXPECT_EQ(test::error_of([&] { (void)both.detached("fork"); }),
            "name is fork; attached are: cup, spoon");
  EXPECT_EQ(both.detached("spoon").attachments().size(), 1u);
  spoon.link = 4;
  spoon.allowed = {5};
  const Robot beside = bare.attached(cup).attached(spoon).detached("cup");
  ASSERT_EQ(beside.attachments().size(), 1u);
  EXPECT_EQ(beside.columns().links.name.back(), "spoon");
  EXPECT_TRUE(beside.attachments()[0].allowed.empty());
  cup.name = "link2";
  EXPECT_EQ(test::error_of([&] { (void)bare.attached(cup); }),
            "name is link2, which a link has; give the attachment another");
  cup.name = "cup";
  cup.link = 9;
  EXPECT_EQ(test::error_of([&] { (void)bare.attached(cup); }), "link is 9; the robot has 5 links");
  cup.link = 4;
  cup.allowed = {1, -1};
  EXPECT_EQ(test::error_of([&] { (void)bare.attached(cup); }),
            "allowed[1] is -1; the robot has 5 links");
  cup.allowed = {};
  cup.shapes.halfspaces.normal.push_back({0, 0, 1});
  cup.shapes.halfspaces.offset.push_back(0);
  EXPECT_EQ(test::error_of([&] { (void)bare.attached(cup); }),
            "shapes have a halfspace; expected shapes that are convex and have an end");
  cup = grasped();
  cup.shapes.spheres.radius[0] = -1;
  EXPECT_EQ(test::error_of([&] { (void)bare.attached(cup); }),
            "sphere.radius[0] is -1; radius must be a finite number >= 0");
  cup = grasped();
  cup.shapes.aabbs.min.push_back({0, 0, 0});
  cup.shapes.aabbs.max.push_back({1, 1, 1});
  EXPECT_EQ(test::error_of([&] { (void)bare.attached(cup); }),
            "shapes have an aabb, which can't turn with its link; make it a box");
}

// The robot's only shape is of category 2, and meets that alone.
TEST(robot_all_contacts, shapes_without_a_category_meet_all) {
  RobotColumns columns = robot_of(JointType::prismatic, {1, 0, 0});
  columns.shapes.spheres.center.push_back({0, 0, 0});
  columns.shapes.spheres.radius.push_back(1);
  columns.shapes.spheres.body.push_back(0);
  const auto links = static_cast<std::int32_t>(columns.links.name.size());
  columns.shapes.spheres.owner.push_back(links);
  columns.shapes.spheres.category.push_back(2);
  columns.shapes.spheres.mask.push_back(2);
  for (const std::int32_t body : {0, -1}) {
    columns.links.name.push_back(body == 0 ? "hand" : "base");
    columns.links.body.push_back(body);
    columns.links.position.push_back({0, 0, 0});
    columns.links.turn.push_back(kUnturned);
  }
  SceneColumns<3, double> ball;
  ball.spheres.center.push_back({1.5, 0, 0});
  ball.spheres.radius.push_back(1);
  const Robot robot(columns);
  EXPECT_EQ(answers_of(robot, {0}, Environment{SceneSpan<3, double>(ball)}),
            (std::vector<std::uint8_t>{1}));
  Attachment stand;
  stand.name = "stand";
  stand.link = links + 1;
  stand.shapes = ball;
  EXPECT_EQ(answers_of(robot.attached(stand), {0}, {}), (std::vector<std::uint8_t>{1}));
  stand.shapes.spheres.category.push_back(1);
  EXPECT_EQ(answers_of(robot.attached(stand), {0}, {}), (std::vector<std::uint8_t>{0}));
}

// The robot's own triangle and field are not where those of its surroundings are.
TEST(robot_all_contacts, robots_and_surroundings_may_both_have_surfaces) {
  RobotColumns columns = robot_of(JointType::prismatic, {1, 0, 0});
  columns.shapes = surfaces_at(50, -50);
  columns.shapes.meshes.body.push_back(-1);
  columns.shapes.heightfields.body.push_back(-1);
  columns.shapes.heightfields.center = {};  // not below the ground around
  columns.shapes.heightfields.center.push_back({10, -2, 0});
  columns.shapes.spheres.center.push_back({0, 0, 0});
  columns.shapes.spheres.radius.push_back(0.5);
  columns.shapes.spheres.body.push_back(0);
  const SceneColumns<3, double> around = surfaces_at(3, -0.4);
  const Environment environment{SceneSpan<3, double>(around)};
  const RobotContacts found = contacts_of(Robot(columns), {0, 3, 8}, environment);
  ASSERT_EQ(found.depth.size(), 2u);
  EXPECT_EQ(found.configuration[0], 0);  // on the field
  EXPECT_NEAR(found.depth[0], 0.1, 1e-12);
  EXPECT_EQ(found.configuration[1], 1);  // through the triangle
  EXPECT_NEAR(found.depth[1], 0.5, 1e-12);
}

}  // namespace
}  // namespace widephase
