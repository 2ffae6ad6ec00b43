// Robots from URDF with SRDF and from MJCF: their columns, their pairs that never meet, and their
// poses, which are those of the scenes that the same files become.
// Labels: plain

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include <widephase/collide.hpp>

#include "support/own_folder.hpp"
#include "tools/formats/file_error.hpp"
#include "tools/robots/read_robot.hpp"

namespace widephase::tools {
namespace {

class robot_models : public widephase::test::OwnFolder {
 protected:
  static Robot load(const std::string& path, const std::string& srdf = "",
                    const ReadOptions& options = {}) {
    notes.clear();
    return robot_of(path, read_robot(path, detect_format(path), srdf, options, notes).columns);
  }
  static std::string error(const std::string& path, const std::string& srdf = "",
                           const ReadOptions& options = {}) {
    try {
      load(path, srdf, options);
    } catch (const std::exception& error) {
      return error.what();
    }
    return "no error";
  }
  static BodyTable<Owned<3, double>> poses_of(const Robot& robot, const std::vector<double>& values,
                                              RobotFrames frames = RobotFrames::bodies) {
    BodyTable<Owned<3, double>> poses;
    RobotOptions options;
    options.frames = frames;
    place(robot, Configurations<double>(values, robot.values().size()), poses, options);
    return poses;
  }
  static std::string names_of(const Robot& robot) {
    std::string names;
    for (const RobotValue& value : robot.values()) names += value.name + " ";
    return names;
  }
  static void expect_row(const Column<double, 3>& column, std::size_t row,
                         const std::array<double, 3>& expected) {
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(column(row, k), expected[static_cast<std::size_t>(k)], 1e-12) << row << " " << k;
    }
  }
  /// The scene that a file becomes in one configuration has the poses of its robot.
  static void expect_poses_of_scene(const std::string& path, const Robot& robot,
                                    const std::vector<double>& values) {
    ReadOptions options;
    for (const double value : values) {
      options.joints += (options.joints.empty() ? "" : ",") + std::to_string(value);
    }
    std::vector<double> rounded;
    for (const double value : values) rounded.push_back(std::stod(std::to_string(value)));
    SceneColumns<3, double> scene;
    read_scene(path, detect_format(path), options).to_columns(scene);
    const auto poses = poses_of(robot, rounded);
    ASSERT_EQ(scene.bodies.position.size(), robot.body_count());
    for (std::size_t body = 0; body < robot.body_count(); ++body) {
      expect_row(scene.bodies.position, body, poses.position.row(body));
      double dot = 0;  // a quaternion and its negative are one rotation
      for (int k = 0; k < 4; ++k) dot += poses.turn(body, k) * scene.bodies.turn(body, k);
      EXPECT_NEAR(std::abs(dot), 1, 1e-12) << body;
    }
  }
  static std::vector<std::array<std::int32_t, 2>> excluded_owners(const Robot& robot) {
    const auto& column = robot.shapes().excluded_owners;
    std::vector<std::array<std::int32_t, 2>> pairs;
    for (std::size_t i = 0; i < column.size(); ++i) pairs.push_back(column.row(i));
    return pairs;
  }
  /// The number of pairs of shapes in contact at the start.
  static std::size_t contacts_of(const Robot& robot) {
    ContactBuffer<3, double> contacts;
    Workspace<3, double> workspace;
    collide<3, double>(robot.shapes(), contacts, workspace);
    return contacts.size();
  }

  static inline std::vector<std::string> notes;  ///< of the last file
};

/// A cart that floats, a base on it that moves in the plane, an arm, and two fingers, the second of
/// which follows the first. The flange is fixed to the arm. All links with balls overlap.
constexpr const char* kCart = R"(<robot name="cart"><link name="world"/><link name="cart"/>
<link name="base"><collision><geometry><sphere radius="1"/></geometry></collision></link>
<link name="arm"><collision><geometry><sphere radius="1"/></geometry></collision></link>
<link name="flange"><collision><geometry><sphere radius="1"/></geometry></collision></link>
<link name="left"><collision><geometry><sphere radius="1"/></geometry></collision></link>
<link name="right"><collision><geometry><sphere radius="1"/></geometry></collision></link>
<joint name="float" type="floating"><parent link="world"/><child link="cart"/></joint>
<joint name="drive" type="planar"><parent link="cart"/><child link="base"/><axis xyz="0 0 2"/>
</joint>
<joint name="turn" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/>
<origin xyz="0 0 0.5"/><limit lower="-1" upper="2" effort="1" velocity="1"/></joint>
<joint name="mount" type="fixed"><parent link="arm"/><child link="flange"/><origin xyz="1 0 0"/>
</joint>
<joint name="open" type="prismatic"><parent link="flange"/><child link="left"/>
<axis xyz="0 1 0"/></joint>
<joint name="follow" type="prismatic"><parent link="flange"/><child link="right"/>
<axis xyz="0 1 0"/><mimic joint="open" multiplier="-2" offset="0.1"/></joint></robot>)";

TEST_F(robot_models, urdf_has_every_type_of_joint) {
  write("cart.urdf", kCart);
  const Robot robot = load("cart.urdf");
  EXPECT_EQ(names_of(robot),
            "float.x float.y float.z float.qx float.qy float.qz float.qw drive.x drive.y "
            "drive.angle turn open ");
  EXPECT_EQ(robot.values()[10].lower, -1);
  EXPECT_EQ(robot.values()[10].upper, 2);
  EXPECT_EQ(robot.body_count(), 6u);  // the flange is on the arm's body
  EXPECT_EQ(robot.columns().bodies.name[3], "arm");
  // The cart stands at (10, 0, 0), turned by half a turn about z. There the base has moved by (1,
  // 2) to (9, -2, 0) and turned back by half a turn. The arm points along y: the flange is at (9,
  // -1, 0.5), where the left finger has moved by 0.3 against x, and the right one by 0.1 - 2 * 0.3
  // against x.
  const double half = std::sqrt(0.5), quarter = 1.5707963267948966;
  const std::vector<double> q{10, 0, 0, 0, 0, 1, 0, 1, 2, 2 * quarter, quarter, 0.3};
  const auto bodies = poses_of(robot, q);
  expect_row(bodies.position, 1, {10, 0, 0});
  expect_row(bodies.position, 2, {9, -2, 0});
  expect_row(bodies.position, 3, {9, -2, 0.5});
  expect_row(bodies.position, 4, {8.7, -1, 0.5});
  expect_row(bodies.position, 5, {9.5, -1, 0.5});
  EXPECT_NEAR(std::abs(bodies.turn(3, 2)), half, 1e-12);
  const auto links = poses_of(robot, q, RobotFrames::links);
  ASSERT_EQ(links.position.size(), 7u);
  expect_row(links.position, 4, {9, -1, 0.5});
  expect_poses_of_scene("cart.urdf", robot, q);
}

TEST_F(robot_models, srdf_says_which_links_never_meet) {
  write("cart.urdf", kCart);
  // Without one, bodies that a joint connects never meet: base and arm, base and flange, arm and
  // flange (one body) with both fingers. Left are the base with the fingers and the two fingers.
  EXPECT_EQ(contacts_of(load("cart.urdf")), 3u);
  const auto with = [&](const std::string& elements) {
    write("cart.srdf", "<robot name=\"cart\"><group name=\"g\"/>" + elements + "</robot>");
    return load("cart.urdf", "cart.srdf");
  };
  // All ten pairs of five balls overlap; arm and flange are one body.
  EXPECT_EQ(contacts_of(with("")), 9u);
  const char* kLinks[] = {"base", "arm", "flange", "left", "right"};
  for (int a = 0; a < 5; ++a) {
    for (int b = 0; b < a; ++b) {
      const bool is_one_body = a == 2 && b == 1;
      EXPECT_EQ(contacts_of(with("<disable_collisions link1=\"" + std::string(kLinks[a]) +
                                 "\" link2=\"" + kLinks[b] + "\" reason=\"Never\"/>")),
                is_one_body ? 9u : 8u);
    }
  }
  const Robot robot = with(R"(<disable_default_collisions link="left"/>
    <enable_collisions link1="right" link2="left"/><enable_collisions link1="left" link2="arm"/>
    <disable_collisions link1="arm" link2="left"/>)");
  // Left is link 5 of seven; it meets the right finger, link 6, alone.
  EXPECT_EQ(excluded_owners(robot),
            (std::vector<std::array<std::int32_t, 2>>{{0, 5}, {1, 5}, {2, 5}, {3, 5}, {4, 5}}));
  EXPECT_EQ(contacts_of(robot), 6u);
}

TEST_F(robot_models, a_matrix_says_which_links_never_meet) {
  write("cart.urdf", kCart);
  // A file of its own, as a tool prints it: names, then a row per name.
  write("own.yaml", R"(entry_names: [base, left, right]
entry_values:
  - enabled: [false, true, false]
  - enabled: [True, True, 0]
  - enabled: [false, 0, false]
default_entry_names: []
default_entry_values: []
)");
  Robot robot = load("cart.urdf", "own.yaml");
  EXPECT_EQ(excluded_owners(robot), (std::vector<std::array<std::int32_t, 2>>{{2, 5}}));
  EXPECT_EQ(contacts_of(robot), 8u);  // of 9, as with a SRDF
  EXPECT_EQ(notes, std::vector<std::string>{});
  // In a planning scene. Left (link 5) may touch all by default. Its own values come first: base
  // (2) true, right (6) false. Arm (3) is false by default, and both must be true.
  write("scene.yaml", R"(name: scene
allowed_collision_matrix:
  entry_names: [left, right, base, shelf]
  entry_values:
    - {enabled: [false, false, true, false]}
    - {enabled: [false, false, false, false]}
    - {enabled: [true, false, false, false]}
    - {enabled: [false, false, false, false]}
  default_entry_names: [left, arm]
  default_entry_values: [true, false]
world: {collision_objects: []}
)");
  robot = load("cart.urdf", "scene.yaml");
  EXPECT_EQ(excluded_owners(robot),
            (std::vector<std::array<std::int32_t, 2>>{{0, 5}, {1, 5}, {2, 5}, {4, 5}}));
  EXPECT_EQ(
      notes,
      (std::vector<std::string>{
          "scene.yaml: lets all touch \"left\" by default; obstacles meet such a link all the "
          "same",
          "scene.yaml: names \"shelf\", which the robot does not have; left out"}));
  // Left and flange are true by default, so these two are, and so is a link without a default.
  write("defaults.yaml", R"(allowed_collision_matrix:
  entry_names:
  default_entry_names: [left, flange, arm, world, cart, right]
  default_entry_values: [true, true, false, false, false, false]
)");
  EXPECT_EQ(excluded_owners(load("cart.urdf", "defaults.yaml")),
            (std::vector<std::array<std::int32_t, 2>>{{2, 4}, {2, 5}, {4, 5}}));
}

TEST_F(robot_models, faulty_matrices_are_refused_by_name) {
  write("cart.urdf", kCart);
  const auto said = [&](const std::string& text) {
    write("m.yaml", text);
    return error("cart.urdf", "m.yaml");
  };
  const auto matrix = [&](const std::string& names, const std::string& rows,
                          const std::string& rest = "") {
    return said("\nentry_names: [" + names + "]\nentry_values: " + rows + "\n" + rest);
  };
  const std::string two = "[{enabled: [0, 1]}, {enabled: [1, 0]}]";
  EXPECT_EQ(matrix("arm, left", two), "no error");
  const std::string none =
      "m.yaml: has no allowed_collision_matrix; expected the SRDF of a robot, or MoveIt's matrix "
      "in YAML";
  EXPECT_EQ(said(""), none);
  EXPECT_EQ(said("world: {}"), none);
  EXPECT_EQ(said("allowed_collision_matrix: 7"), none);
  EXPECT_EQ(said("entry_names: [a"), "m.yaml: line 1 is not YAML (end of sequence flow not found)");
  EXPECT_EQ(matrix("", "[]"),
            "m.yaml: line 2 has an allowed_collision_matrix without names; expected one of a "
            "robot's links");
  EXPECT_EQ(said("entry_names: []\nentry_names: []"),
            "m.yaml: line 2 has \"entry_names\" again; a map has a key once");
  EXPECT_EQ(said("entry_names: arm"), "m.yaml: line 1 has entry_names that are not a list");
  EXPECT_EQ(said("entry_names: [[arm]]"), "m.yaml: line 1 has entry_names that are not all texts");
  EXPECT_EQ(matrix("arm, arm", two), "m.yaml: line 2 has \"arm\" again in entry_names");
  EXPECT_EQ(matrix("arm", two),
            "m.yaml: line 2 has 2 entry_values; expected 1, one per name of entry_names");
  EXPECT_EQ(matrix("arm, left", "[{enabled: [0, 1]}, {enabled: [1]}]"),
            "m.yaml: line 3 has 1 values in enabled of left; expected 2, one per name");
  EXPECT_EQ(matrix("arm, left", "[{enabled: [0, 1]}, [1, 0]]"),
            "m.yaml: line 3 has no list enabled of left");
  EXPECT_NE(matrix("arm, left", "[{enabled: [0, 1]}, {enabled: [1, 0], enabled: [0, 0]}]")
                .find("has \"enabled\" again"),
            std::string::npos);
  EXPECT_EQ(matrix("arm, left", "[{enabled: [0, 1]}, {enabled: [2, 0]}]"),
            "m.yaml: line 3 has \"2\" in enabled of left; expected true or false");
  EXPECT_EQ(matrix("arm, left", "[{enabled: [0, 1]}, {enabled: [0, 0]}]"),
            "m.yaml: line 2 says true for arm with left, and false for left with arm; expected the "
            "same");
  const std::string is_other =
      "which is not a link of the robot; obstacles meet every link, so set it to false";
  EXPECT_EQ(matrix("arm, hand", two), "m.yaml: line 2 lets arm touch \"hand\", " + is_other);
  EXPECT_EQ(matrix("shelf, arm", two), "m.yaml: line 2 lets arm touch \"shelf\", " + is_other);
  EXPECT_EQ(matrix("shelf, hand", two), "no error");  // what robots do not have
  EXPECT_EQ(matrix("arm, left", two, "default_entry_names: [hand]\ndefault_entry_values: [1]"),
            "m.yaml: line 2 lets all touch \"hand\" by default, " + is_other);
  EXPECT_EQ(matrix("arm, left", two, "default_entry_names: [arm]"),
            "m.yaml: has 0 values in default_entry_values; expected 1, one per name");
  std::string many;
  for (int name = 0; name <= 2000; ++name) many += (name == 0 ? "n" : ", n") + std::to_string(name);
  EXPECT_EQ(matrix(many, "[]"), "m.yaml: line 2 has 2001 entry_names; expected at most 1000");
}

TEST_F(robot_models, faulty_files_are_refused_by_name) {
  write("cart.urdf", kCart);
  write("a.srdf", "<robot>\n<disable_collisions link1=\"arm\" link2=\"hand\"/></robot>");
  EXPECT_EQ(error("cart.urdf", "a.srdf"),
            "a.srdf: line 2 names the link \"hand\", which the robot does not have");
  write("a.srdf", "<robot>\n<disable_collisions link1=\"arm\"/></robot>");
  EXPECT_EQ(error("cart.urdf", "a.srdf"), "a.srdf: line 2 has <disable_collisions> without link2");
  EXPECT_EQ(error("cart.urdf", "cart.urdf"),
            "cart.urdf: has <link>, as URDF has; expected the SRDF of a robot");
  EXPECT_NE(error("cart.urdf", "none.srdf"), "no error");
  // All pairs of 710 links.
  std::string links, disabled;
  for (int link = 0; link < 710; ++link) {
    const std::string name = "\"l" + std::to_string(link) + "\"";
    links += "<link name=" + name + "/>";
    if (link > 0) {
      links += "<joint name=" + name + " type=\"fixed\"><parent link=\"l0\"/><child link=" + name +
               "/></joint>";
    }
    disabled += "<disable_default_collisions link=" + name + "/>";
  }
  write("many.urdf", "<robot name=\"many\">" + links + "</robot>");
  write("many.srdf", "<robot name=\"many\">" + disabled + "</robot>");
  EXPECT_EQ(error("many.urdf", "many.srdf"), "many.srdf: disables more than 250000 pairs of links");
  ReadOptions options;
  options.keyframe = "home";
  EXPECT_EQ(error("cart.urdf", "", options), "--keyframe is for MJCF; cart.urdf is URDF");
  write("m.xml", "<mujoco><worldbody/></mujoco>");
  EXPECT_EQ(error("m.xml", "a.srdf"),
            "--srdf is for URDF; m.xml is MJCF, which excludes pairs itself");
  write("s.json", R"({"dimension": 3})");
  EXPECT_EQ(error("s.json"), "s.json: is read as json; expected a robot in URDF or MJCF");
  const auto joint = [&](const std::string& text) {
    write("a.urdf",
          "<robot><link name=\"a\"/><link name=\"b\"/><link name=\"c\"/>" + text + "</robot>");
    return error("a.urdf");
  };
  const std::string fixed =
      R"(<joint name="k" type="fixed"><parent link="b"/><child link="c"/></joint>)";
  EXPECT_EQ(
      joint(R"(<joint name="j" type="planar"><parent link="a"/><child link="b"/></joint>)" + fixed),
      "a.urdf: line 1 has <joint name=\"j\"> without <axis>, in whose plane programs "
      "disagree; add one");
  EXPECT_EQ(
      joint(R"(<joint name="j" type="floating"><parent link="a"/><child link="b"/>
<mimic joint="k"/></joint>)" +
            fixed),
      "a.urdf: line 1 has <mimic> in <joint name=\"j\">; expected it in a joint of one value");
  EXPECT_EQ(joint(R"(<joint name="j" type="revolute"><parent link="a"/><child link="b"/>
<limit lower="2" upper="1"/></joint>)" +
                  fixed),
            "a.urdf: line 1 has limits from 2 to 1 in <joint name=\"j\">; expected lower <= upper");
}

TEST_F(robot_models, mjcf_has_the_poses_of_its_scene) {
  write("m.xml", R"(<mujoco><compiler angle="radian"/><worldbody>
  <geom type="plane" size="1 1 1"/>
  <body name="torso" pos="0 0 1"><freejoint name="root"/><geom size="0.1"/>
    <body name="hip" pos="0.1 0.2 -0.3" quat="1 1 0 0">
      <joint name="x" axis="1 0 0" pos="0.1 0 0" ref="0.25" range="-1 1"/>
      <joint name="y" axis="0 1 1" pos="0 0.2 0"/>
      <joint name="slide" type="slide" axis="0 0 3"/>
      <geom size="0.1" pos="0 0 -0.2"/>
      <body name="shin" pos="0 0 -0.5"><geom size="0.05"/>
        <body name="foot" pos="0 0 -0.5"><joint name="ankle" type="ball" pos="0 0 0.1"/>
          <geom size="0.1"/></body></body></body></body>
  <body name="weight" mocap="true" pos="3 0 0"><geom size="0.1"/></body></worldbody>
  <keyframe><key name="up" qpos="0 0 2 1 0 0 0 0.5"/></keyframe></mujoco>)");
  const Robot robot = load("m.xml");
  EXPECT_EQ(names_of(robot),
            "root.x root.y root.z root.qw root.qx root.qy root.qz x y slide ankle.qw ankle.qx "
            "ankle.qy ankle.qz ");
  EXPECT_EQ(robot.body_count(), 4u);
  EXPECT_EQ(robot.columns().links.name,
            (std::vector<std::string>{"torso", "hip", "shin", "foot", "weight"}));
  EXPECT_EQ(robot.values()[2].start, 1);
  EXPECT_EQ(robot.values()[7].start, 0.25);
  EXPECT_EQ(robot.values()[7].upper, 1);
  ReadOptions options;
  options.keyframe = "up";
  EXPECT_EQ(load("m.xml", "", options).values()[2].start, 2);
  EXPECT_EQ(load("m.xml", "", options).values()[7].start, 0.5);
  // The floor is there once however many worlds there are.
  SceneColumns<3, double> worlds;
  replicate<3, double>(robot.shapes(), 3, worlds);
  EXPECT_EQ(worlds.halfspaces.offset.size(), 1u);
  EXPECT_EQ(worlds.spheres.radius.size(), 15u);
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 20; ++i) {
    std::vector<double> q(robot.values().size());
    for (double& value : q) value = normal(random);
    expect_poses_of_scene("m.xml", robot, q);
  }
  // The start is the scene without joints.
  SceneColumns<3, double> scene;
  read_scene("m.xml", Format::mjcf).to_columns(scene);
  for (std::size_t body = 0; body < 4; ++body) {
    expect_row(scene.bodies.position, body, robot.shapes().bodies.position.row(body));
  }
}

}  // namespace
}  // namespace widephase::tools
