// Robots, MuJoCo models and planning scenes as scenes: small files with numbers that can be
// followed.
// Labels: plain

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <widephase/bodies.hpp>
#include <widephase/collide.hpp>

#include "support/own_folder.hpp"
#include "tools/formats/file_error.hpp"
#include "tools/formats/npy.hpp"
#include "tools/formats/read_scene.hpp"

namespace widephase::tools {
namespace {

class robots : public widephase::test::OwnFolder {
 protected:
  static SceneColumns<3, double> load(const std::string& path, const std::string& text,
                                      const std::string& joints = "") {
    std::ofstream(path) << text;
    ReadOptions options;
    options.joints = joints;
    SceneColumns<3, double> scene;
    read_scene(path, detect_format(path), options).to_columns(scene);
    EXPECT_TRUE((validate<3, double>(scene).empty()));
    return scene;
  }
  static std::string error(const std::string& path, const std::string& text,
                           const std::string& joints = "") {
    try {
      load(path, text, joints);
    } catch (const std::exception& error) {
      return error.what();
    }
    return "no error";
  }
  static std::string times(const std::string& text, int count) {
    std::string all;
    for (int i = 0; i < count; ++i) all += text;
    return all;
  }
  static PlacedScene<3, double> placed(const SceneColumns<3, double>& scene) {
    PlacedScene<3, double> result;
    place(scene, SceneSpan<3, double>(scene).bodies, result);
    return result;
  }
  template <class C>
  static void expect_row(const C& column, std::size_t row, const std::array<double, 3>& expected) {
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(column(row, k), expected[static_cast<std::size_t>(k)], 1e-12) << row << " " << k;
    }
  }
  /// Where a shape's orientation takes z.
  template <class Table>
  static Column<double, 3> z_of(const Table& table, std::size_t row) {
    const double x = table.turn(row, 0), y = table.turn(row, 1), z = table.turn(row, 2),
                 w = table.turn(row, 3);
    return {{2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)}};
  }
  static std::vector<Pair> contacts_of(const SceneColumns<3, double>& scene) {
    ContactBuffer<3, double> contacts;
    Workspace<3, double> workspace;
    CollideOptions options;
    options.order = Order::id;
    collide(scene, contacts, workspace, options);
    return {contacts.pair.begin(), contacts.pair.end()};
  }
};

// A post with an arm that rotates about z at height 1. At the arm's end, 2 along x, is a slide that
// moves along the arm. The tool is fixed to the slide, rotated by a quarter turn about z.
constexpr const char* kArm = R"(<?xml version="1.0"?>
<robot name="arm">
  <material name="grey"/>
  <link name="post"><inertial/><collision>
    <origin xyz="0 0 0.5"/><geometry><cylinder radius="0.1" length="1"/></geometry>
  </collision></link>
  <link name="beam"><visual><geometry><mesh filename="beam.stl"/></geometry></visual><collision>
    <origin xyz="1 0 0" rpy="0 1.5707963267948966 0"/>
    <geometry><capsule radius="0.1" length="2"/></geometry>
  </collision></link>
  <link name="slide"/>
  <link name="tool"><collision>
    <origin xyz="0.5 0 0"/><geometry><box size="1 0.2 0.4"/></geometry>
  </collision><collision>
    <geometry><sphere radius="0.3"/></geometry>
  </collision></link>
  <joint name="turn" type="revolute"><parent link="post"/><child link="beam"/>
    <origin xyz="0 0 1"/><axis xyz="0 0 2"/><limit lower="-1" upper="1"/></joint>
  <joint name="push" type="prismatic"><parent link="beam"/><child link="slide"/>
    <origin xyz="2 0 0"/></joint>
  <joint name="bolt" type="fixed"><parent link="slide"/><child link="tool"/>
    <origin rpy="0 0 1.5707963267948966"/></joint>
</robot>)";

TEST_F(robots, urdf_links_stand_where_the_joints_put_them) {
  // All joints 0: the tool's box is half a metre along y (its x) from (2, 0, 1).
  const auto scene = load("arm.urdf", kArm);
  ASSERT_EQ(scene.bodies.position.size(), 3u) << "post, beam, slide with tool";
  const auto at_rest = placed(scene);
  expect_row(at_rest.scene().cylinders.center, 0, {0, 0, 0.5});
  expect_row(at_rest.scene().capsules.a, 0, {0, 0, 1});
  expect_row(at_rest.scene().capsules.b, 0, {2, 0, 1});
  expect_row(at_rest.scene().spheres.center, 0, {2, 0, 1});
  expect_row(at_rest.scene().boxes.center, 0, {2, 0.5, 1});
  expect_row(scene.boxes.half_extents, 0, {0.5, 0.1, 0.2});
  EXPECT_EQ(scene.cylinders.half_height[0], 0.5);
  // Links are owners by their place in the file.
  EXPECT_EQ(scene.cylinders.owner[0], 0);
  EXPECT_EQ(scene.capsules.owner[0], 1);
  EXPECT_EQ(scene.spheres.owner[0], 3);
  EXPECT_EQ(scene.boxes.owner[0], 3);
  EXPECT_EQ(scene.spheres.body[0], scene.boxes.body[0]);
  // The arm overlaps the post and the tool at their joints, and the tool's shapes overlap one
  // another.
  EXPECT_TRUE(contacts_of(scene).empty());

  // A quarter turn and a push of 0.5: the slide is at (0, 2.5, 1), its x along y, the tool's x
  // along -x, so the box is at (-0.5, 2.5, 1).
  const auto turned = placed(load("arm.urdf", kArm, "1.5707963267948966,0.5"));
  expect_row(turned.scene().capsules.b, 0, {0, 2, 1});
  expect_row(turned.scene().spheres.center, 0, {0, 2.5, 1});
  expect_row(turned.scene().boxes.center, 0, {-0.5, 2.5, 1});
}

TEST_F(robots, urdf_configurations_are_worlds) {
  std::ofstream("motion.csv") << "push,turn\n0,0\n0.5,1.5707963267948966\n-1.9,0\n";
  const auto scene = load("arm.urdf", kArm, "motion.csv");
  ASSERT_EQ(scene.spheres.radius.size(), 3u);
  const auto poses = placed(scene);
  expect_row(poses.scene().spheres.center, 0, {2, 0, 1});
  expect_row(poses.scene().spheres.center, 1, {0, 2.5, 1});
  EXPECT_EQ(scene.spheres.world[2], 2);
  EXPECT_EQ(scene.spheres.body[2], 8);
  // Pulled in to x = 0.1, the tool is in the post: the sphere (id 2), the box (id 8) and the
  // cylinder (id 11) of world 2; the neighbours are the beam's.
  EXPECT_EQ(contacts_of(scene), (std::vector<Pair>{{2, 11}, {8, 11}}));
  // Without a header the order is that of the file: turn, push.
  std::ofstream("plain.csv") << "0,0\n1.5707963267948966,0.5\n";
  const auto plain = placed(load("arm.urdf", kArm, "plain.csv"));
  ASSERT_EQ(plain.scene().spheres.radius.size(), 2u);
  expect_row(plain.scene().spheres.center, 1, {0, 2.5, 1});
  const double values[] = {0, 0, 1.5707963267948966, 0.5};
  std::ofstream("motion.npy", std::ios::binary)
      << npy_header(Type::float64, {2, 2})
      << std::string_view(reinterpret_cast<const char*>(values), sizeof values);
  const auto from_array = placed(load("arm.urdf", kArm, "motion.npy"));
  ASSERT_EQ(from_array.scene().spheres.radius.size(), 2u);
  expect_row(from_array.scene().spheres.center, 0, {2, 0, 1});
  expect_row(from_array.scene().spheres.center, 1, {0, 2.5, 1});
  std::ofstream("bad.csv") << "0,0\n1\n";
  EXPECT_EQ(error("arm.urdf", kArm, "bad.csv"),
            "bad.csv: line 2 is \"1\"; expected 2 values (turn, push)");
  EXPECT_EQ(error("arm.urdf", kArm, "1,2,3"),
            "--joints has 3 values; expected 2 values (turn, push)");
  for (const char* text : {"1,nan", "1,a"}) {
    EXPECT_EQ(error("arm.urdf", kArm, text),
              std::string("--joints ") + text +
                  " is neither 2 finite numbers between commas nor a file; the joints are turn, "
                  "push");
  }
  EXPECT_EQ(error("arm.urdf", kArm, "none.csv"),
            "none.csv: cannot be opened: No such file or directory");
  std::ofstream("header.csv") << "push,turn\n";
  EXPECT_EQ(error("arm.urdf", kArm, "header.csv"),
            "header.csv: has no line of values below the header");
  EXPECT_EQ(error("post.urdf", R"(<robot><link name="post"><collision><geometry>
            <sphere radius="1"/></geometry></collision></link></robot>)",
                  "1"),
            "--joints is for robots with joints that move, and this one has none; leave --joints "
            "out");
}

TEST_F(robots, urdf_angles_are_about_fixed_axes) {
  // Roll 0.3 about x first, then pitch 0.4 about y, then yaw 0.5 about z: the third column of
  // Rz Ry Rx is where the capsule's axis goes.
  const auto scene = placed(load("a.urdf", R"(<robot><link name="a"><collision>
    <origin rpy="0.3 0.4 0.5"/><geometry><capsule radius="0.1" length="2"/></geometry>
    </collision></link></robot>)"));
  const double sr = std::sin(0.3), cr = std::cos(0.3), sp = std::sin(0.4), cp = std::cos(0.4);
  const double sy = std::sin(0.5), cy = std::cos(0.5);
  expect_row(scene.scene().capsules.b, 0,
             {cy * sp * cr + sy * sr, sy * sp * cr - cy * sr, cp * cr});
}

/// Two links and a joint between them, along or about an axis; a ball on the second.
std::string two_links(const std::string& type, const std::string& inside) {
  return R"(<robot><link name="a"/><link name="b"><collision><origin xyz="1 0 0"/>
<geometry><sphere radius="1"/></geometry></collision></link>
<joint name="j" type=")" +
         type + R"("><parent link="a"/><child link="b"/>)" + inside + "</joint></robot>";
}

TEST_F(robots, urdf_numbers_of_any_size) {
  // An axis has a direction whatever its length: 2 along x, from 1.
  for (const char* axis : {"1e200 0 0", "1e-200 0 0", "1e308 0 0"}) {
    const auto text = two_links("prismatic", "<axis xyz=\"" + std::string(axis) + "\"/>");
    expect_row(placed(load("a.urdf", text, "2")).scene().spheres.center, 0, {3, 0, 0});
  }
  // A quarter turn about y takes x to -z.
  const auto turn = two_links("continuous", R"(<axis xyz="0 1e-300 0"/>)");
  expect_row(placed(load("a.urdf", turn, "1.5707963267948966")).scene().spheres.center, 0,
             {0, 0, -1});
  // Beyond 2^50 radians neighbouring doubles are a quarter of a radian apart.
  EXPECT_EQ(
      error("a.urdf", turn, "1e16"),
      "a.urdf: cannot be placed in configuration 0 of --joints, which has 1e+16 as j; expected a "
      "finite number up to 2^50 radians");
  EXPECT_EQ(error("a.urdf", two_links("fixed", R"(<origin rpy="0 1e16 0"/>)")),
            "a.urdf: line 3 has an angle of 1e+16 radians in rpy; expected at most 2^50");
  // The sum of 1e308 and 1e308 is not a double.
  const std::string sum = error("a.urdf", R"(<robot><link name="a"/><link name="b"><collision>
<origin xyz="1e308 0 0"/><geometry><sphere radius="1"/></geometry></collision></link>
<joint name="j" type="fixed"><parent link="a"/><child link="b"/><origin xyz="1e308 0 0"/></joint>
</robot>)");
  EXPECT_TRUE(sum.starts_with("a.urdf: makes a robot whose sphere.center[0] ")) << sum;
  const std::string bare =
      error("a.urdf", R"(<robot><link name="a"><collision><geometry><sphere radius="1"/></geometry>
</collision></link><link name="b"/><link name="c"/>
<joint name="j" type="prismatic"><parent link="a"/><child link="b"/><origin xyz="1e308 0 0"/></joint>
<joint name="k" type="prismatic"><parent link="b"/><child link="c"/><origin xyz="1e308 0 0"/></joint>
</robot>)");
  EXPECT_TRUE(bare.starts_with("a.urdf: makes a robot whose bodies.position[2] is inf")) << bare;
}

TEST_F(robots, urdf_mimics_follow) {
  // The second finger opens twice as far, the other way: 0.1 - 2 * 0.3 = -0.5.
  const auto scene = placed(load("hand.urdf", R"(<robot name="hand"><link name="palm"/>
    <link name="left"><collision><geometry><sphere radius="1"/></geometry></collision></link>
    <link name="right"><collision><geometry><sphere radius="1"/></geometry></collision></link>
    <joint name="open" type="prismatic"><parent link="palm"/><child link="left"/>
      <axis xyz="0 1 0"/></joint>
    <joint name="follow" type="prismatic"><parent link="palm"/><child link="right"/>
      <axis xyz="0 1 0"/><mimic joint="open" multiplier="-2" offset="0.1"/></joint></robot>)",
                                 "0.3"));
  expect_row(scene.scene().spheres.center, 0, {0, 0.3, 0});
  expect_row(scene.scene().spheres.center, 1, {0, -0.5, 0});
}

TEST_F(robots, urdf_that_cannot_be_read_is_refused_by_name) {
  EXPECT_EQ(error("a.urdf", R"(<robot><link name="hand"><collision><geometry>
<plane normal="0 0 1"/></geometry></collision></link></robot>)"),
            "a.urdf: line 2 has <plane> as collision geometry of hand; expected sphere, box, "
            "cylinder, capsule or mesh");
  EXPECT_EQ(error("a.urdf", R"(<robot><link name="a"/><link name="b"/></robot>)"),
            "a.urdf: has two links without a joint to a parent, a and b; expected one tree");
  EXPECT_EQ(error("a.urdf", R"(<robot><link name="a"/><link name="b"/><joint name="j" type="screw">
<parent link="a"/><child link="b"/></joint></robot>)"),
            "a.urdf: line 1 has <joint name=\"j\"> of type \"screw\"; expected fixed, revolute, "
            "continuous, prismatic, planar or floating");
  EXPECT_EQ(error("a.urdf", R"(<robot><xacro:include filename="b"/></robot>)"),
            "a.urdf: line 1 has <xacro:include>; expand the file by xacro first");
  EXPECT_EQ(error("a.urdf", R"(<robot><link name="a"><collision><geometry><sphere radius="x"/>
</geometry></collision></link></robot>)"),
            "a.urdf: line 1 has radius \"x\" in <sphere>; expected 1 finite number");
  EXPECT_EQ(error("a.urdf", R"(<robot><link name="a"/><link name="b"/><link name="c"/>
<joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint>
<joint name="j" type="fixed"><parent link="b"/><child link="c"/></joint></robot>)"),
            "a.urdf: line 3 has a second joint of the name j");
  EXPECT_EQ(error("a.urdf", ""), "a.urdf: is empty");
}

TEST_F(robots, formats_are_told_by_the_first_element) {
  const auto scene = load("model.xml",
                          "\xef\xbb\xbf<?xml version=\"1.0\"?>\n<!-- no <robot> -->\n"
                          R"(<mujoco><worldbody><geom size="2"/></worldbody></mujoco>)");
  EXPECT_EQ(scene.spheres.radius[0], 2);
  std::ofstream("other.xml") << "<scene><robot/></scene>";
  EXPECT_THROW(detect_format("other.xml"), FileError);
}

TEST_F(robots, mjcf_geoms_inherit_their_class) {
  // Degrees by default; class "big" nests in the main one, whose geoms are capsules.
  const auto scene = load("model.xml", R"(<mujoco>
    <default><geom type="capsule" size="0.1 0.5"/>
      <default class="big"><geom size="0.2 1"/></default></default>
    <worldbody>
      <geom type="plane" size="0 0 1" pos="0 0 -1"/>
      <body pos="0 0 5" childclass="big"><freejoint/>
        <geom/>
        <geom class="main" pos="1 0 0" euler="0 90 0"/>
        <geom type="box" size="1 2 3" quat="0 1 0 0" pos="0 0 9"/>
        <geom fromto="0 0 0 0 3 4" size=".3"/>
        <geom type="mesh" mesh="skin" contype="0" conaffinity="0"/>
      </body>
    </worldbody><actuator/><sensor/></mujoco>)");
  ASSERT_EQ(scene.capsules.radius.size(), 3u);
  const auto world = placed(scene);
  EXPECT_EQ(scene.capsules.radius[0], 0.2);
  expect_row(world.scene().capsules.a, 0, {0, 0, 6});
  expect_row(world.scene().capsules.b, 0, {0, 0, 4});
  EXPECT_EQ(scene.capsules.radius[1], 0.1);
  expect_row(world.scene().capsules.a, 1, {1.5, 0, 5});  // z was turned to x
  expect_row(world.scene().capsules.a, 2, {0, 0, 5});
  expect_row(world.scene().capsules.b, 2, {0, 3, 9});
  expect_row(world.scene().boxes.center, 0, {0, 0, 14});
  EXPECT_EQ(world.scene().boxes.turn(0, 0), 1);  // half a turn about x, w x y z in the file
  expect_row(world.scene().halfspaces.normal, 0, {0, 0, 1});
  EXPECT_EQ(world.scene().halfspaces.offset[0], -1);
  EXPECT_EQ(scene.capsules.owner[0], 0);
  EXPECT_TRUE(scene.halfspaces.owner.empty()) << "the world is no owner";
}

TEST_F(robots, mjcf_ellipsoids_are_given_by_half_their_axes) {
  // An egg of half axes 1, 2 and 3 lies on its side: a quarter turn about y takes its z to x and
  // its x to the vertical. With its middle at a height of 0.75 it is 0.25 deep in the floor.
  const auto scene = load("model.xml", R"(<mujoco>
    <default><default class="egg"><geom type="ellipsoid" size="1 2 3"/></default></default>
    <worldbody>
      <geom type="plane" size="0 0 1"/>
      <body pos="0 0 0.75" euler="0 90 0"><freejoint/><geom class="egg"/></body>
      <body pos="9 0 20"><freejoint/>
        <geom type="ellipsoid" fromto="1 0 0 1 6 8" size=".3 7"/>
        <geom class="egg" size="4"/>
      </body>
    </worldbody></mujoco>)");
  ASSERT_EQ(scene.ellipsoids.center.size(), 3u);
  const auto world = placed(scene);
  expect_row(scene.ellipsoids.half_extents, 0, {1, 2, 3});
  expect_row(world.scene().ellipsoids.center, 0, {0, 0, 0.75});
  ContactBuffer<3, double> contacts;
  Workspace<3, double> workspace;
  collide(scene, contacts, workspace);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_NEAR(contacts.depth[0], 0.25, 1e-12);
  // Round about the line from (1, 0, 0) to (1, 6, 8) of the body's frame, 10 long: the second
  // number of its size counts for nothing. Its z goes back along the line, as a capsule's.
  expect_row(scene.ellipsoids.half_extents, 1, {0.3, 0.3, 5});
  expect_row(world.scene().ellipsoids.center, 1, {10, 3, 24});
  expect_row(z_of(scene.ellipsoids, 1), 0, {0, -0.6, -0.8});
  expect_row(scene.ellipsoids.half_extents, 2,
             {4, 2, 3});  // one size of three, the others its class's
}

TEST_F(robots, mjcf_sizes_overwrite_the_first_of_their_class) {
  // The class says radius 0.1 and half height 0.5, its child radius 0.2, the geom radius 0.3.
  const auto scene = load("model.xml", R"(<mujoco>
    <default><geom type="capsule" size="0.1 0.5"/>
      <default class="wide"><geom size="0.2"/></default></default>
    <worldbody><geom size="0.3"/><geom class="wide"/></worldbody></mujoco>)");
  EXPECT_EQ(scene.capsules.radius[0], 0.3);
  expect_row(scene.capsules.a, 0, {0, 0, 0.5});
  EXPECT_EQ(scene.capsules.radius[1], 0.2);
  expect_row(scene.capsules.a, 1, {0, 0, 0.5});
}

TEST_F(robots, mjcf_orientations_in_every_form) {
  // Where z goes: the end of a capsule of half height 1.
  const auto end = [](const std::string& attributes, const std::string& compiler = "") {
    const auto scene = load("model.xml", "<mujoco><compiler " + compiler +
                                             R"(/><worldbody><geom type="capsule" size="0.1 1" )" +
                                             attributes + "/></worldbody></mujoco>");
    return scene.capsules.a;
  };
  expect_row(end(R"(axisangle="0 2 0 90")"), 0, {1, 0, 0});
  expect_row(end(R"(axisangle="0 1e-200 0 1.5707963267948966")", R"(angle="radian")"), 0,
             {1, 0, 0});
  expect_row(end(R"(xyaxes="0 1 0 0 0 3")"), 0, {1, 0, 0});   // x to y, y to z
  expect_row(end(R"(xyaxes="0 1 0 1 1 0")"), 0, {0, 0, -1});  // of (1, 1, 0) across y, x is left
  expect_row(end(R"(xyaxes="0 1e200 0 0 0 1e-200")"), 0, {1, 0, 0});
  expect_row(end(R"(zaxis="3 0 4")"), 0, {0.6, 0, 0.8});
  expect_row(end(R"(zaxis="0 0 -5")"), 0, {0, 0, -1});
  expect_row(end(R"(zaxis="3e200 0 4e200")"), 0, {0.6, 0, 0.8});
  expect_row(end(R"(quat="1e-200 0 1e-200 0")"), 0, {1, 0, 0});  // a quarter turn about y
  expect_row(end(R"(fromto="1 0 0 -1 0 0")"), 0, {1, 0, 0});
  // About the axes as turned so far, Rz Ry: z goes to x by Ry and that to y by Rz. About the fixed
  // ones, Ry Rz: z stays by Rz and goes to x by Ry.
  expect_row(end(R"(euler="90 90 0")", R"(eulerseq="zyx")"), 0, {0, 1, 0});
  expect_row(end(R"(euler="90 90 0")", R"(eulerseq="ZYX")"), 0, {1, 0, 0});
  // 2e17 degrees are 3.5e15 radians, and 2^50 is 1.1e15.
  const auto said = [](const std::string& attributes) {
    return error("m.xml",
                 "<mujoco><worldbody><geom size=\"1\" " + attributes + "/></worldbody></mujoco>");
  };
  for (const char* attributes : {R"(euler="0 0 2e17")", R"(axisangle="0 0 1 2e17")"}) {
    EXPECT_TRUE(said(attributes).starts_with("m.xml: line 1 has an angle of 34906585039886"))
        << said(attributes);
  }
  EXPECT_EQ(said(R"(xyaxes="0 1 0 0 2 0")"),
            "m.xml: line 1 has xyaxes without direction in <geom>");
}

TEST_F(robots, mjcf_copies_turn_by_multiples_of_the_angles) {
  // MuJoCo's rule: copy 2 has Rx(60) Ry(80) by the default sequence xyz, not (Rx(30) Ry(40))^2.
  // With sines and cosines of 30 and 40 degrees its quaternion is (s30 c40, c30 s40, s30 s40, c30
  // c40). It stands at x + Rx(30) Ry(40) x = (1 + c40, s30 s40, -c30 s40).
  const auto scene = load("model.xml", R"(<mujoco><worldbody>
    <replicate count="3" offset="1 0 0" euler="30 40 0"><geom type="box" size="1 1 1"/></replicate>
    </worldbody></mujoco>)");
  ASSERT_EQ(scene.boxes.center.size(), 3u);
  expect_row(scene.boxes.center, 0, {0, 0, 0});
  expect_row(scene.boxes.center, 1, {1, 0, 0});
  expect_row(scene.boxes.center, 2, {1.7660444431189780, 0.3213938048432697, -0.5566703992264194});
  const double expected[4] = {0.3830222215594890, 0.5566703992264194, 0.3213938048432697,
                              0.6634139481689384};
  for (int k = 0; k < 4; ++k) EXPECT_NEAR(scene.boxes.turn(2, k), expected[k], 1e-12) << k;
}

TEST_F(robots, mjcf_bodies_that_hang_together_do_not_meet) {
  // Five spheres in one place: the trunk, a head welded to it, an arm joined to the trunk, a hand
  // joined to the arm, and a leg beside it. Leg and hand are excluded. So the hand only collides
  // with the trunk and its head, and the leg with the arm. All are inside the world's sphere (id 0)
  // and collide with it.
  const std::string text = R"(<mujoco><worldbody><geom size="1"/>
    <body name="trunk"><freejoint/><geom size="1"/>
      <body name="head"><geom size="1"/></body>
      <body name="arm"><joint/><geom size="1"/>
        <body name="hand"><joint/><geom size="1"/></body></body>
      <body name="leg"><frame><joint/></frame><geom size="1"/></body>
    </body></worldbody>
    <contact><exclude body1="leg" body2="hand"/></contact></mujoco>)";
  const auto scene = load("model.xml", text);
  EXPECT_EQ(scene.bodies.position.size(), 4u);
  EXPECT_EQ(scene.spheres.fixed[0], 1);
  EXPECT_EQ(contacts_of(scene),
            (std::vector<Pair>{{0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}, {1, 4}, {2, 4}, {3, 5}}));
  std::string with_flag = text;
  with_flag.insert(8, R"(<option><flag filterparent="disable"/></option>)");
  // Parents now collide too: trunk and head with arm and leg, arm with hand.
  EXPECT_EQ(contacts_of(load("model.xml", with_flag)).size(), 8u + 2 + 2 + 1);
}

TEST_F(robots, mjcf_excluded_bodies_of_many_copies_are_looked_up_by_copy) {
  // Each of 100,000 copies has a leg and a foot: the pairs are as many, not the square of that.
  const auto scene = load("model.xml", R"(<mujoco><worldbody><replicate count="100000">
    <body name="leg"><geom size="1"/></body><body name="foot"><geom size="1"/></body></replicate>
    </worldbody><contact><exclude body1="foot" body2="leg"/></contact></mujoco>)");
  EXPECT_EQ(scene.excluded.size(), 100'000u);
  EXPECT_EQ(scene.excluded(99'999, 0), 199'999);
  EXPECT_EQ(scene.excluded(99'999, 1), 199'998);
  // The world's hand (0) collides with no finger; a palm collides with none of its own copy,
  // wherever it is.
  const auto hands = load("model.xml", R"(<mujoco><worldbody>
    <body name="hand"><geom size="1"/></body>
    <replicate count="2"><body name="palm"><geom size="1"/></body>
      <replicate count="2"><body name="finger"><geom size="1"/></body></replicate></replicate>
    </worldbody><contact><exclude body1="finger" body2="hand"/>
    <exclude body1="palm" body2="finger"/></contact></mujoco>)");
  std::vector<std::array<std::int32_t, 2>> pairs;
  for (std::size_t i = 0; i < hands.excluded.size(); ++i) pairs.push_back(hands.excluded.row(i));
  EXPECT_EQ(pairs, (std::vector<std::array<std::int32_t, 2>>{
                       {2, 0}, {3, 0}, {5, 0}, {6, 0}, {1, 2}, {1, 3}, {4, 5}, {4, 6}}));
}

TEST_F(robots, mjcf_and_urdf_that_exclude_too_many_pairs_are_refused) {
  // 10,001 shapes beside 10,000: more than 10^8 pairs.
  const std::string geom = "<geom size=\"1\"/>";
  EXPECT_EQ(error("m.xml", "<mujoco><worldbody>\n<body name=\"a\">" + times(geom, 10'001) +
                               "</body><body name=\"b\">" + times(geom, 10'000) +
                               "</body></worldbody><contact>\n<exclude body1=\"a\" body2=\"b\"/>"
                               "</contact></mujoco>"),
            "m.xml: line 3 makes more than 100000000 pairs that never meet");
  EXPECT_EQ(
      error("m.xml", "<mujoco><worldbody><body><joint/>" + times(geom, 10'001) + "<body><joint/>" +
                         times(geom, 10'000) + "</body></body></worldbody></mujoco>"),
      "m.xml: line 1 makes more than 100000000 pairs that never meet");
  const std::string ball = "<collision><geometry><sphere radius=\"1\"/></geometry></collision>";
  EXPECT_EQ(error("a.urdf", "<robot><link name=\"a\">" + times(ball, 10'001) +
                                "</link><link name=\"b\">" + times(ball, 10'000) +
                                "</link><joint name=\"j\" type=\"revolute\"><parent link=\"a\"/>"
                                "<child link=\"b\"/></joint></robot>"),
            "a.urdf: makes more than 100000000 pairs that never meet, by j and joints before it");
}

TEST_F(robots, mjcf_copies_of_too_many_shapes_are_refused_before_they_are_made) {
  // A million copies of 99 spheres in a body are 10^8; the 100th, on line 2, is too many.
  const std::string geoms = times("<geom size=\"1\"/>", 99);
  EXPECT_EQ(error("m.xml", "<mujoco><worldbody><replicate count=\"1000000\"><body>" + geoms +
                               "\n<geom size=\"1\"/></body></replicate></worldbody></mujoco>"),
            "m.xml: line 2 makes more than 100000000 bodies and shapes, by <replicate> and "
            "<attach>");
  // Nested copies: 900 times 900 copies of more than 123 shapes.
  EXPECT_EQ(error("m.xml", "<mujoco><worldbody><replicate count=\"900\"><replicate count=\"900\">" +
                               geoms + geoms + "</replicate></replicate></worldbody></mujoco>"),
            "m.xml: line 1 makes more than 100000000 bodies and shapes, by <replicate> and "
            "<attach>");
  // Elements beside the copies exist only once.
  const auto scene =
      load("m.xml", "<mujoco><worldbody><replicate count=\"9\"><replicate count=\"9\">" + geoms +
                        "</replicate></replicate>" + geoms + "</worldbody></mujoco>");
  EXPECT_EQ(scene.spheres.radius.size(), 82u * 99u);
}

TEST_F(robots, mjcf_contact_bits_are_kept_pair_for_pair) {
  // All overlap. MuJoCo's rule, (type & affinity') or (type' & affinity), of (1, 1), (2, 0), (4,
  // 2), (0, 1): 0-1: no, 0-2: no, 0-3: 1 & 1; 1-2: 2 & 2; 1-3: no; 2-3: no.
  const auto scene = load("model.xml", R"(<mujoco><worldbody>
    <body><freejoint/><geom size="1"/></body>
    <body><freejoint/><geom size="1" contype="2" conaffinity="0"/></body>
    <body><freejoint/><geom size="1" contype="4" conaffinity="2"/></body>
    <body><freejoint/><geom size="1" contype="0" conaffinity="1"/></body></worldbody></mujoco>)");
  EXPECT_EQ(contacts_of(scene), (std::vector<Pair>{{0, 3}, {1, 2}}));
  // MuJoCo's numbers are signed: -1 has all bits, -2^31 the last.
  const auto full = load("model.xml", R"(<mujoco><worldbody>
    <body><freejoint/><geom size="1" contype="-1" conaffinity="0"/></body>
    <body><freejoint/><geom size="1" contype="0" conaffinity="-2147483648"/></body>
    <body><freejoint/><geom size="1" contype="2147483647" conaffinity="4"/></body>
    </worldbody></mujoco>)");
  EXPECT_EQ(contacts_of(full), (std::vector<Pair>{{0, 1}, {0, 2}}));
}

TEST_F(robots, mjcf_models_are_attached_and_repeated) {
  // Four copies around the origin, each a quarter turn further, of a leg at (1, 0) with a foot on a
  // joint at (1, 0, -1); the third is at (-1, 0). Foot and shin of a leg are excluded only within
  // one copy.
  std::ofstream("leg.xml") << R"(<mujoco><compiler angle="radian"/><worldbody>
    <body name="hip"><body name="shin"><freejoint/><geom size="0.1"/><body name="knee"><joint/>
      <body name="foot" pos="0 0 -1"><joint/><geom size="0.2"/></body></body></body></body>
    </worldbody><contact><exclude body1="shin" body2="foot"/></contact></mujoco>)";
  const auto scene = load("all.xml", R"(<mujoco><asset><model name="leg" file="leg.xml"/></asset>
    <worldbody><replicate count="4" euler="0 0 90"><frame pos="1 0 0">
      <attach model="leg" body="shin" prefix="a_"/></frame></replicate></worldbody></mujoco>)");
  ASSERT_EQ(scene.spheres.radius.size(), 8u);
  EXPECT_EQ(scene.excluded.size(), 4u);
  const auto world = placed(scene);
  expect_row(world.scene().spheres.center, 0, {1, 0, 0});
  expect_row(world.scene().spheres.center, 1, {1, 0, -1});
  expect_row(world.scene().spheres.center, 2, {0, 1, 0});
  expect_row(world.scene().spheres.center, 5, {-1, 0, -1});
  // A frame of the model alone, with what is in it.
  std::ofstream("hand.xml") << R"(<mujoco><worldbody><geom size="1"/><frame name="palm" pos="0 0 2">
    <geom size="2"/></frame></worldbody></mujoco>)";
  const auto hand = load("all.xml", R"(<mujoco><asset><model name="hand" file="hand.xml"/></asset>
    <worldbody><frame pos="1 0 0"><attach model="hand" frame="palm" prefix="a_"/></frame>
    </worldbody></mujoco>)");
  ASSERT_EQ(hand.spheres.radius.size(), 1u);
  EXPECT_EQ(hand.spheres.radius[0], 2);
  expect_row(hand.spheres.center, 0, {1, 0, 2});
  // A <model> without a name is named after its file.
  std::ofstream("kid.xml")
      << R"(<mujoco model="kid"><worldbody><geom size="3"/></worldbody></mujoco>)";
  const auto kid = load("all.xml", R"(<mujoco><asset><model file="kid.xml"/></asset>
    <worldbody><attach model="kid" prefix="a_"/></worldbody></mujoco>)");
  EXPECT_EQ(kid.spheres.radius[0], 3);
}

TEST_F(robots, mjcf_names_regular_files_below_its_folder_alone) {
  // main/all.xml names a model. Near it are other/kid.xml, a pipe, links to files inside and
  // outside of main, and a link to a device.
  std::filesystem::create_directories("main/sub");
  std::filesystem::create_directory("other");
  const std::string kid = R"(<mujoco><worldbody><geom size="3"/></worldbody></mujoco>)";
  for (const char* path : {"main/kid.xml", "main/sub/kid.xml", "other/kid.xml"}) {
    std::ofstream(path) << kid;
  }
  ASSERT_EQ(mkfifo("main/pipe", 0600), 0);
  std::filesystem::create_symlink("sub/kid.xml", "main/inside.xml");
  std::filesystem::create_symlink("../other/kid.xml", "main/outside.xml");
  std::filesystem::create_symlink("/dev/zero", "main/zero.xml");
  std::filesystem::create_directory_symlink("../other", "main/folder");
  const auto said = [](const std::string& file, const std::vector<std::string>& allowed = {}) {
    std::ofstream("main/all.xml") << R"(<mujoco><asset><model name="kid" file=")" << file
                                  << R"("/></asset><worldbody><attach model="kid" prefix="a_"/>
                                     </worldbody></mujoco>)";
    ReadOptions options;
    options.allow_files = allowed;
    try {
      read_scene("main/all.xml", Format::mjcf, options);
    } catch (const std::exception& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  const std::string here = std::filesystem::current_path();
  for (const char* file : {"kid.xml", "sub/kid.xml", "sub/../kid.xml", "inside.xml"}) {
    EXPECT_EQ(said(file), "no error") << file;
  }
  EXPECT_EQ(said(here + "/main/kid.xml"), "no error");
  const auto outside = [](const std::string& path) {
    return path +
           ": is not below the folder of main/all.xml, which names it; --allow-files DIR "
           "reads files below DIR too";
  };
  for (const char* file : {"../other/kid.xml", "outside.xml", "folder/kid.xml", "zero.xml"}) {
    EXPECT_EQ(said(file), outside("main/" + std::string(file)));
  }
  EXPECT_EQ(said(here + "/other/kid.xml"), outside(here + "/other/kid.xml"));
  // A folder whose name starts with that of an allowed folder is a different one.
  std::filesystem::create_directory("oth");
  EXPECT_EQ(said("outside.xml", {"oth"}), outside("main/outside.xml"));
  for (const char* file : {"../other/kid.xml", "outside.xml", "folder/kid.xml", "kid.xml"}) {
    EXPECT_EQ(said(file, {"oth", "other"}), "no error") << file;
  }
  const std::string no_file =
      ": is not a regular file, which a file that another one names must be";
  EXPECT_EQ(said("pipe"), "main/pipe" + no_file);
  EXPECT_EQ(said("zero.xml", {"/dev"}), "main/zero.xml" + no_file);
  EXPECT_EQ(said("sub"), "main/sub" + no_file);
  EXPECT_EQ(said("none.xml"), "main/none.xml: cannot be opened: No such file or directory");
  EXPECT_EQ(said("kid.xml", {"none"}), "--allow-files none is not a folder");
  // All models together have the limit of one file: 2^30 bytes minus the sizes read before.
  std::filesystem::resize_file("main/sub/kid.xml", std::size_t{1} << 30);
  EXPECT_TRUE(said("sub/kid.xml").starts_with("main/sub/kid.xml: has more than 10737"));
}

TEST_F(robots, mjcf_that_cannot_be_read_is_refused_by_name) {
  const auto said = [](const std::string& inside) {
    return error("m.xml", "<mujoco><worldbody>" + inside + "</worldbody></mujoco>");
  };
  EXPECT_EQ(
      said(R"(<geom name="gear" type="sdf" size="1 2 3"/>)"),
      "m.xml: line 1 has <geom name=\"gear\"> of type \"sdf\"; expected plane, sphere, capsule, "
      "cylinder, box, ellipsoid, mesh or hfield (or contype and conaffinity 0, if it is there to "
      "be seen)");
  EXPECT_EQ(
      said(R"(<geom type="hfield" hfield="hills"/>)"),
      "m.xml: line 1 has <geom> with the hfield \"hills\", which is not a <hfield> of <asset>");
  EXPECT_EQ(said(R"(<geom type="ellipsoid" size="1 2"/>)"),
            "m.xml: line 1 has <geom> of type ellipsoid without 3 numbers above 0 in size");
  EXPECT_EQ(said(R"(<composite/>)"),
            "m.xml: line 1 has <composite>, which is not read; expected geoms and bodies");
  EXPECT_EQ(said(R"(<geom class="none" size="1"/>)"),
            "m.xml: line 1 has <geom> of the class \"none\", which is not there");
  EXPECT_EQ(said(R"(<geom type="box" size="1 1"/>)"),
            "m.xml: line 1 has <geom> of type box without 3 numbers above 0 in size");
  EXPECT_EQ(
      error("m.xml", R"(<mujoco><option collision="predefined"/></mujoco>)"),
      "m.xml: line 1 has the collision \"predefined\" in <option>, which is not read; expected "
      "all");
  for (const char* joint : {"<freejoint/>", "<frame><joint/></frame>"}) {
    EXPECT_EQ(said("<body><replicate count=\"2\">" + std::string(joint) + "</replicate></body>"),
              "m.xml: line 1 has a joint in <replicate> outside of its bodies; expected joints in "
              "bodies");
  }
  EXPECT_EQ(
      said(R"(<replicate count="1000000"><replicate count="2"/></replicate>)"),
      "m.xml: line 1 makes more than 1000000 copies in all, by <replicate> and <attach> within "
      "one another");
  EXPECT_EQ(error("m.xml", R"(<mujoco><contact><exclude body1="a" body2="b"/></contact></mujoco>)"),
            "m.xml: line 1 excludes the body \"a\", which is not there");
}

TEST_F(robots, mjcf_of_many_elements_within_one_another_does_not_end_the_stack) {
  // XML nests as deeply as its parser allows, and attached models continue from there.
  EXPECT_EQ(error("m.xml", R"(<mujoco model="m"><asset><model file="m.xml"/></asset><worldbody>)" +
                               times("<body>", 80) + R"(<attach model="m" prefix="a"/>)" +
                               times("</body>", 80) + "</worldbody></mujoco>"),
            "m.xml: line 1 is within 1000 other elements, with those that it is attached to; "
            "expected fewer");
  EXPECT_EQ(error("m.xml", R"(<mujoco model="m"><asset><model file="m.xml"/></asset><worldbody>
                              <attach model="m" prefix="a"/></worldbody></mujoco>)"),
            "m.xml: line 2 attaches a model within itself");
}

TEST_F(robots, planning_scenes_are_their_primitives) {
  const auto scene = load("scene.yaml", R"(
world:
  collision_objects:
    - id: shelf
      primitives: [{type: box, dimensions: [2, 4, 6]}, {type: cylinder, dimensions: [3, 0.5]}]
      primitive_poses:
        - {position: [1, 2, 3], orientation: [0, 0, 0, 1]}
        - {position: [0, 0, 1], orientation: [1, 0, 0, 0]}
    - id: ball
      pose: {position: [0, 0, 10], orientation: [0, 0, 1, 0]}
      primitives: [{type: sphere, dimensions: [0.25]}]
      primitive_poses: [{position: [1, 0, 0], orientation: [0, 0, 0, 1]}]
    - id: hat
      primitives: [{type: cone, dimensions: [3, 0.5]}]
      primitive_poses: [{position: [0, 0, 4], orientation: [1, 0, 0, 0]}]
)");
  EXPECT_EQ(scene.cones.half_height[0], 1.5);  // height before radius
  EXPECT_EQ(scene.cones.radius[0], 0.5);
  expect_row(scene.cones.center, 0, {0, 0, 4});     // half way between base and tip
  expect_row(z_of(scene.cones, 0), 0, {0, 0, -1});  // the tip is at z = 2.5
  EXPECT_EQ(scene.cones.owner[0], 2);
  expect_row(scene.boxes.half_extents, 0, {1, 2, 3});
  expect_row(scene.boxes.center, 0, {1, 2, 3});
  EXPECT_EQ(scene.cylinders.half_height[0], 1.5);  // height before radius
  EXPECT_EQ(scene.cylinders.radius[0], 0.5);
  expect_row(scene.spheres.center, 0, {-1, 0, 10});  // half a turn about z, then up
  EXPECT_EQ(scene.spheres.owner[0], 1);
  EXPECT_EQ(scene.boxes.fixed[0], 1);
  EXPECT_EQ(error("s.yaml", "world:\n  collision_objects:\n    - id: jug\n      meshes: [{}]\n"),
            "s.yaml: line 4 has meshes in jug, which are not read; expected primitives alone");
  EXPECT_EQ(error("s.yaml", "a: [1\n").substr(0, 17), "s.yaml: line 2 is");
  const auto said = [](const std::string& inside) {
    return error("s.yaml", "world:\n  collision_objects:\n    - {id: jug, " + inside + "}\n");
  };
  EXPECT_EQ(said("primitives: {type: sphere}, primitive_poses: []"),
            "s.yaml: line 3 has primitives in jug that are not a list");
  EXPECT_EQ(said("primitives: ~"), "s.yaml: line 3 has primitives in jug that are not a list");
  EXPECT_EQ(said("primitives: [], primitive_poses: 3"),
            "s.yaml: line 3 has primitive_poses in jug that are not a list");
  EXPECT_EQ(said("primitives: [7], primitive_poses: [{position: [0, 0, 0], orientation: [0, 0, 0, "
                 "1]}]"),
            "s.yaml: line 3 is not a primitive of jug");
  EXPECT_EQ(
      said("operation: remove"),
      "s.yaml: line 3 has the operation \"remove\" in jug, which is not read; expected add (0) "
      "or none");
  EXPECT_EQ(said("meshes: 3"),
            "s.yaml: line 3 has meshes in jug, which are not read; expected primitives alone");
  EXPECT_EQ(said("operation: add, meshes: []"), "no error");
  EXPECT_EQ(said("operation: 0"), "no error");
  EXPECT_EQ(error("s.yaml", "a: 1\n"),
            "s.yaml: has no world.collision_objects; expected a planning scene");
}

TEST_F(robots, a_key_twice_hides_no_obstacle) {
  const std::string pose = "primitive_poses: [{position: [1, 2, 3], orientation: [0, 0, 0, 1]}]";
  const std::string sphere = "primitives: [{type: sphere, dimensions: [1]}], ";
  const auto said = [](const std::string& inside) {
    return error("s.yaml", "world:\n  collision_objects:\n    - {" + inside + "}\n");
  };
  EXPECT_EQ(said(sphere + pose), "no error");
  EXPECT_EQ(said(sphere + sphere + pose),
            "s.yaml: line 3 has \"primitives\" again; a map has a key once");
  EXPECT_EQ(said("primitives: [{type: box, type: sphere, dimensions: [1]}], " + pose),
            "s.yaml: line 3 has \"type\" again; a map has a key once");
  EXPECT_EQ(error("s.yaml", "world: {collision_objects: []}\nworld: {collision_objects: [1]}\n"),
            "s.yaml: line 2 has \"world\" again; a map has a key once");
  // The XML parser itself refuses it.
  EXPECT_EQ(error("m.xml", R"(<mujoco><worldbody><geom size="1" size="2"/></worldbody></mujoco>)"),
            "m.xml: line 1 is not XML (XML_ERROR_PARSING_ATTRIBUTE)");
}

TEST_F(robots, planning_scenes_whose_aliases_make_too_many_shapes_are_refused) {
  // 10,001 times the same 10,000 spheres: more than 10^8.
  EXPECT_EQ(error("s.yaml",
                  "sphere: &s {type: sphere, dimensions: [1]}\n"
                  "pose: &p {position: [0, 0, 0], orientation: [0, 0, 0, 1]}\n"
                  "spheres: &n [*s" +
                      times(", *s", 9'999) +
                      "]\n"
                      "poses: &q [*p" +
                      times(", *p", 9'999) +
                      "]\n"
                      "ball: &b {primitives: *n, primitive_poses: *q}\n"
                      "world: {collision_objects: [*b" +
                      times(", *b", 10'000) + "]}\n"),
            "s.yaml: line 5 makes more than 100000000 primitives in all");
}

TEST_F(robots, urdf_in_too_many_configurations_is_refused) {
  // 10,001 configurations of 10,000 spheres: more than 10^8.
  const std::string ball = "<collision><geometry><sphere radius=\"1\"/></geometry></collision>";
  std::ofstream("turns.csv") << times("0\n", 10'001);
  EXPECT_EQ(
      error("a.urdf",
            "<robot><link name=\"a\">" + times(ball, 10'000) +
                "</link><link name=\"b\"/><joint name=\"j\" type=\"revolute\">"
                "<parent link=\"a\"/><child link=\"b\"/></joint></robot>",
            "turns.csv"),
      "turns.csv: has 10001 configurations of a robot of 10000 shapes, 2 bodies and 0 excluded "
      "pairs; expected at most 100000000 of each in all");
}

TEST_F(robots, bodies_are_read_from_scene_files) {
  // A body at (10, 0), turned by a quarter: the circle at (1, 0) goes to (10, 1).
  std::ofstream("scene.json") << R"({"circle": {"center": [[1, 0]], "radius": 1, "body": 0},
    "bodies": {"position": [[10, 0]], "angle": [1.5707963267948966]}})";
  SceneColumns<2, double> scene;
  read_scene("scene.json", Format::json).to_columns(scene);
  PlacedScene<2, double> world;
  place(scene, SceneSpan<2, double>(scene).bodies, world);
  EXPECT_NEAR(world.scene().circles.center(0, 0), 10, 1e-15);
  EXPECT_EQ(world.scene().circles.center(0, 1), 1);
  std::ofstream("odd.json") << R"({"dimension": 2, "bodies": {"angle": [1]}})";
  EXPECT_THROW(read_scene("odd.json", Format::json), FileError);
  OutputFile file("again.json");
  write_scene(read_scene("scene.json", Format::json), Format::json, file);
  file.commit();
  SceneColumns<2, double> again;
  read_scene("again.json", Format::json).to_columns(again);
  EXPECT_EQ(again.bodies.turn[0], scene.bodies.turn[0]);
  EXPECT_EQ(again.bodies.position(0, 0), 10);
}

}  // namespace
}  // namespace widephase::tools
