// What robots name: meshes as hulls, included files, keyframes, values of joints, and pairs that
// meet.
// Labels: plain

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
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

using Scene = SceneColumns<3, double>;

class robot_files : public widephase::test::OwnFolder {
 protected:
  void write(const std::string& path, std::string_view text) {
    const auto folder = std::filesystem::path(path).parent_path();
    if (!folder.empty()) std::filesystem::create_directories(folder);
    std::ofstream(path, std::ios::binary) << text;
  }
  Scene load(const std::string& path, const std::string& text) {
    write(path, text);
    notes.clear();
    Scene scene;
    read_scene(path, detect_format(path), options, notes).to_columns(scene);
    EXPECT_TRUE((validate<3, double>(scene).empty()));
    return scene;
  }
  std::string error(const std::string& path, const std::string& text) {
    try {
      load(path, text);
    } catch (const std::exception& error) {
      return error.what();
    }
    return "no error";
  }
  /// Lowest and highest coordinates of a geometry's vertices.
  static std::array<double, 6> bounds(const Scene& scene, std::size_t geometry = 0) {
    std::array<double, 6> result{1e9, 1e9, 1e9, -1e9, -1e9, -1e9};
    for (std::int64_t v = scene.geometries.offsets[geometry];
         v < scene.geometries.offsets[geometry + 1]; ++v) {
      for (std::size_t k = 0; k < 3; ++k) {
        const double x =
            scene.geometries.vertices(static_cast<std::size_t>(v), static_cast<int>(k));
        result[k] = std::min(result[k], x);
        result[3 + k] = std::max(result[3 + k], x);
      }
    }
    return result;
  }
  static void expect_bounds(const Scene& scene, const std::array<double, 6>& expected,
                            std::size_t geometry = 0) {
    const auto found = bounds(scene, geometry);
    for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(found[k], expected[k], 1e-12) << k;
  }
  /// The centre of sphere `row`, placed by its body.
  static std::array<double, 3> center(const Scene& scene, std::size_t row) {
    PlacedScene<3, double> placed;
    place(scene, SceneSpan<3, double>(scene).bodies, placed);
    const auto& spheres = placed.scene().spheres;
    return {spheres.center(row, 0), spheres.center(row, 1), spheres.center(row, 2)};
  }
  static void expect_center(const Scene& scene, std::size_t row,
                            const std::array<double, 3>& expected) {
    const auto found = center(scene, row);
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_NEAR(found[k], expected[k], 1e-12) << row << " " << k;
  }
  static std::vector<Pair> contacts_of(const Scene& scene) {
    ContactBuffer<3, double> contacts;
    Workspace<3, double> workspace;
    CollideOptions options;
    options.order = Order::id;
    collide(scene, contacts, workspace, options);
    return {contacts.pair.begin(), contacts.pair.end()};
  }

  ReadOptions options;
  std::vector<std::string> notes;
};

/// The corner of a unit cube: a tetrahedron from the origin along x, y and z.
constexpr const char* kCorner =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\ng a\nf 1 2 3\nf 1 2 4\ng b\nf 1 3 4\nf 2 3 4\n";

/// A robot of one link with a mesh.
std::string with_mesh(const std::string& attributes) {
  return R"(<robot><link name="hand"><collision><origin xyz="5 0 0"/><geometry>
<mesh filename=")" +
         attributes + R"("/></geometry></collision></link></robot>)";
}

std::string text_stl() {
  std::string text = "solid corner\n";
  for (const char* facet :
       {"0 0 0;1 0 0;0 1 0;", "0 0 0;1 0 0;0 0 1;", "0 0 0;0 1 0;0 0 1;", "1 0 0;0 1 0;0 0 1;"}) {
    text += "facet normal 0 0 0\nouter loop\n";
    std::string corners = facet;
    for (std::size_t at = 0; at < corners.size();) {
      const std::size_t end = corners.find(';', at);
      text += "vertex " + corners.substr(at, end - at) + "\n";
      at = end + 1;
    }
    text += "endloop\nendfacet\n";
  }
  return text + "endsolid\n";
}

std::string binary_stl() {
  constexpr float kFacets[4][9] = {{0, 0, 0, 1, 0, 0, 0, 1, 0},
                                   {0, 0, 0, 1, 0, 0, 0, 0, 1},
                                   {0, 0, 0, 0, 1, 0, 0, 0, 1},
                                   {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  std::string bytes(84 + 4 * 50, '\0');
  bytes[80] = 4;
  for (std::size_t i = 0; i < 4; ++i) {
    std::memcpy(bytes.data() + 84 + 50 * i + 12, kFacets[i], sizeof kFacets[i]);
  }
  return bytes;
}

TEST_F(robot_files, urdf_meshes_become_hulls) {
  write("corner.obj", kCorner);
  write("corner.stl", text_stl());
  write("corner2.STL", binary_stl());
  for (const char* file : {"corner.obj", "corner.stl", "corner2.STL"}) {
    // Mirrored in y: from the origin to 2, -1 and 0.5. Both groups of the OBJ are one hull.
    const Scene scene = load("a.urdf", with_mesh(std::string(file) + "\" scale=\"2 -1 0.5"));
    ASSERT_EQ(scene.hulls.center.size(), 1u) << file;
    EXPECT_EQ(scene.geometries.vertices.size(), 4u);
    expect_bounds(scene, {0, -1, 0, 2, 0, 0.5});
    EXPECT_EQ(scene.hulls.center(0, 0), 5);
    EXPECT_EQ(scene.hulls.body[0], 0);
    EXPECT_EQ(notes, std::vector<std::string>{"a.urdf: 1 mesh became a convex hull"});
  }
  // Points without faces are a mesh too.
  write("points.obj", "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 1\nv 0.1 0.1 0.1\n");
  expect_bounds(load("a.urdf", with_mesh("points.obj")), {0, 0, 0, 1, 2, 1});
  // Three links: the same file twice in one size, once in another.
  const auto collision = [](const std::string& mesh) {
    return "<collision><geometry><mesh " + mesh + "/></geometry></collision>";
  };
  const Scene scene =
      load("a.urdf", "<robot><link name=\"a\">" + collision(R"(filename="corner.obj")") +
                         collision(R"(filename="corner.obj" scale="1 1 1")") +
                         collision(R"(filename="corner.obj" scale="1 1 2")") + "</link></robot>");
  EXPECT_EQ(scene.hulls.geometry[0], 0);
  EXPECT_EQ(scene.hulls.geometry[1], 0);
  EXPECT_EQ(scene.hulls.geometry[2], 1);
  EXPECT_EQ(notes, std::vector<std::string>{"a.urdf: 2 meshes became convex hulls"});
}

TEST_F(robot_files, urdf_meshes_are_named_by_package_uri_and_path) {
  const auto said = [&](const std::string& name) { return error("robot/a.urdf", with_mesh(name)); };
  for (const char* path :
       {"robot/meshes/a b.obj", "ws/arms/m.obj", "ws/arms/sub/m.obj", "far/m.obj"})
    write(path, kCorner);
  std::filesystem::create_symlink("../../far/m.obj", "robot/meshes/link.obj");
  const std::string here = std::filesystem::current_path();
  EXPECT_EQ(said("meshes/a b.obj"), "no error");
  EXPECT_EQ(said("file://" + here + "/robot/meshes/a%20b.obj"), "no error");
  EXPECT_EQ(said(here + "/robot/meshes/a b.obj"), "no error");
  const auto outside = [](const std::string& path) {
    return "robot/a.urdf: line 2 names a mesh of hand: " + path +
           ": is not below the folder of robot/a.urdf, which names it; --allow-files DIR reads "
           "files below DIR too";
  };
  EXPECT_EQ(said("../far/m.obj"), outside("robot/../far/m.obj"));
  EXPECT_EQ(said("meshes/link.obj"), outside("robot/meshes/link.obj"));
  EXPECT_EQ(said("file://" + here + "/far/m.obj"), outside(here + "/far/m.obj"));
  EXPECT_EQ(said("package://arms/m.obj"),
            "robot/a.urdf: line 2 names a mesh of the package \"arms\"; --package-path DIR says "
            "where it is: in DIR, or DIR itself");
  options.package_path = {"robot", "ws"};
  EXPECT_EQ(said("package://arms/m.obj"), "no error");
  EXPECT_EQ(said("package://arms/none.obj"),
            "robot/a.urdf: line 2 names the mesh \"arms/none.obj\", which is not below robot, ws");
  EXPECT_EQ(said("package://../far/m.obj"), outside("robot/../far/m.obj"));
  options.package_path = {"ws/arms"};  // the package itself
  EXPECT_EQ(said("package://arms/sub/m.obj"), "no error");
  options.package_path = {};
  options.allow_files = {"far"};
  EXPECT_EQ(said("meshes/link.obj"), "no error");
  EXPECT_EQ(said("http://x/m.obj"),
            "robot/a.urdf: line 2 names the mesh \"http://x/m.obj\"; expected package://, file:// "
            "or a path");
  EXPECT_EQ(said("none.stl"),
            "robot/a.urdf: line 2 names a mesh of hand: robot/none.stl: cannot be opened: No such "
            "file or directory");
}

TEST_F(robot_files, meshes_that_are_not_read_are_refused_with_what_to_run) {
  const auto said = [&](const std::string& name) { return error("a.urdf", with_mesh(name)); };
  EXPECT_EQ(said("hand.DAE"),
            "a.urdf: line 2 names a mesh of hand: hand.DAE: is of the format dae, which is not "
            "read; convert it to OBJ or STL and name that: assimp export hand.DAE hand.obj");
  EXPECT_EQ(said("my hand.glb"),
            "a.urdf: line 2 names a mesh of hand: my hand.glb: is of the format glb, which is not "
            "read; convert it to OBJ or STL and name that: assimp export 'my hand.glb' "
            "'my hand.obj'");
  EXPECT_EQ(said("hand.msh"),
            "a.urdf: line 2 names a mesh of hand: hand.msh: is not a mesh that is read; expected "
            ".obj, .stl or .ply");
  write("flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 3 4\n");
  const std::string flat = said("flat.obj");
  EXPECT_TRUE(flat.starts_with("a.urdf: line 2 names a mesh of hand: flat.obj: ")) << flat;
  write("empty.obj", "# nothing\n");
  EXPECT_EQ(said("empty.obj"),
            "a.urdf: line 2 names a mesh of hand: empty.obj: has no vertices; expected a mesh");
  EXPECT_EQ(said("x.obj\" scale=\"1 2"),
            "a.urdf: line 2 has scale \"1 2\" in <mesh>; expected 3 finite numbers");
  write("corner.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n");
  EXPECT_EQ(said("corner.obj\" scale=\"1 0 1"),
            "a.urdf: line 2 names a mesh of hand: corner.obj: has fewer than 4 distinct points; a "
            "hull needs 4 that span a volume; its scale has a 0");
  EXPECT_EQ(error("m.xml", R"(<mujoco><asset><mesh name="m" file=""/></asset><worldbody>
<geom type="mesh" mesh="m"/></worldbody></mujoco>)"),
            "m.xml: line 1 has <mesh name=\"m\"> without file or vertex");
  EXPECT_EQ(error("b.urdf", R"(<robot><link name="a"><visual><geometry><mesh filename="a.obj"/>
</geometry></visual></link><link name="b"/><joint name="j" type="fixed"><parent link="a"/>
<child link="b"/></joint></robot>)"),
            "b.urdf: has no <collision> in any of its 2 links; only collision geometry is read, "
            "not <visual>");
}

TEST_F(robot_files, hulls_of_many_vertices_are_enclosed_by_simpler_ones) {
  // 300 points on a unit sphere, each a vertex of their hull, by the golden angle.
  std::string text;
  for (int i = 0; i < 300; ++i) {
    const double z = 1 - (2 * i + 1) / 300.0, r = std::sqrt(1 - z * z), a = 2.399963229728653 * i;
    text += "v " + std::to_string(r * std::cos(a)) + " " + std::to_string(r * std::sin(a)) + " " +
            std::to_string(z) + "\n";
  }
  for (int i = 1; i + 2 <= 300; ++i) {
    text +=
        "f " + std::to_string(i) + " " + std::to_string(i + 1) + " " + std::to_string(i + 2) + "\n";
  }
  write("ball.obj", text);
  for (const int most : {0, 20}) {
    options.max_vertices = most;
    const Scene scene = load("a.urdf", with_mesh("ball.obj"));
    const auto limit = static_cast<std::size_t>(most == 0 ? 255 : most);
    EXPECT_LE(scene.geometries.vertices.size(), limit);
    EXPECT_GE(scene.geometries.vertices.size(), limit / 2);
    ASSERT_EQ(notes.size(), 2u);
    EXPECT_TRUE(notes[1].starts_with("a.urdf: 1 of these hulls would have more than " +
                                     std::to_string(limit) +
                                     " vertices; simpler hulls that enclose them exceed them by at "
                                     "most 0."))
        << notes[1];
    EXPECT_TRUE(notes[1].ends_with(" (ball.obj)")) << notes[1];
    // What encloses the points reaches as far as they do.
    EXPECT_GE(bounds(scene)[5], 1 - 1 / 300.0 - 1e-6);
  }
}

TEST_F(robot_files, mjcf_meshes_are_assets) {
  write("model/assets/corner.obj", kCorner);
  write("model/assets/part.stl", binary_stl());
  const Scene scene = load("model/m.xml", R"(<mujoco><compiler assetdir="nowhere" meshdir="assets"/>
    <default><mesh scale="2 2 2"/><default class="flat"><mesh scale="1 1 -3"/></default></default>
    <asset><mesh file="corner.obj"/><mesh name="part" class="flat" file="part.stl"/>
      <mesh name="moved" scale="1 1 3" refpos="1 0 0" refquat="1 0 0 1" file="corner.obj"/>
      <mesh name="inline" vertex="0 0 0 1 0 0 0 1 0 0 0 1 0.1 0.1 0.1"/>
      <mesh name="unused" file="none.obj"/></asset>
    <worldbody><geom type="mesh" mesh="corner" pos="0 0 7"/><geom type="mesh" mesh="part"/>
      <geom type="mesh" mesh="moved"/><geom type="mesh" mesh="inline"/>
      <geom type="mesh" mesh="corner"/></worldbody></mujoco>)");
  ASSERT_EQ(scene.hulls.center.size(), 5u);
  expect_bounds(scene, {0, 0, 0, 2, 2, 2}, 0);
  EXPECT_EQ(scene.hulls.center(0, 2), 7);
  expect_bounds(scene, {0, 0, -3, 1, 1, 0}, 1);
  // Less (1, 0, 0) the corners are (-1, 0, 0), (0, 0, 0), (-1, 1, 0) and (-1, 0, 1); turned back by
  // a quarter about z, (x, y) is (y, -x): (0, 1, 0), (0, 0, 0), (1, 1, 0), (0, 1, 1); then z
  // times 3.
  expect_bounds(scene, {0, 0, 0, 1, 1, 3}, 2);
  expect_bounds(scene, {0, 0, 0, 2, 2, 2}, 3);
  EXPECT_EQ(scene.hulls.geometry[4], 0);
  EXPECT_EQ(notes, std::vector<std::string>{"model/m.xml: 4 meshes became convex hulls"});
  const auto said = [&](const std::string& asset, const std::string& geom) {
    return error("m.xml", "<mujoco><asset>" + asset + "</asset><worldbody>\n" + geom +
                              "</worldbody></mujoco>");
  };
  EXPECT_EQ(said("", R"(<geom type="mesh" mesh="x"/>)"),
            "m.xml: line 2 has <geom> with the mesh \"x\", which is not a <mesh> of <asset>");
  EXPECT_EQ(said(R"(<mesh name="x" builtin="sphere"/>)", R"(<geom type="mesh" mesh="x"/>)"),
            "m.xml: line 1 has <mesh name=\"x\"> made by builtin, which is not read; expected file "
            "or vertex");
  EXPECT_EQ(said(R"(<mesh name="x" file="x.msh"/>)", R"(<geom type="mesh" mesh="x"/>)"),
            "m.xml: line 1 has a mesh: x.msh: is not a mesh that is read; expected .obj, "
            ".stl or .ply");
  EXPECT_EQ(said(R"(<mesh file="x.obj"/>)", R"(<geom type="box" mesh="x"/>)"),
            "m.xml: line 2 has <geom> of type box fitted to a mesh, which is not read; expected "
            "type mesh, or sizes");
}

TEST_F(robot_files, mjcf_includes_are_parts_of_the_model) {
  // The files of the main model's folder first, then those beside the including file.
  write("sub/arm.xml", R"(<arm><body pos="0 0 1"><include file="hand.xml"/></body></arm>)");
  write("sub/hand.xml", R"(<x><geom size="0.5"/><geom class="big"/></x>)");
  write("classes.xml", R"(<mujocoinclude><default class="big"><geom size="3"/></default>
</mujocoinclude>)");
  const std::string text = R"(<mujoco><default><include file="classes.xml"/></default>
<worldbody><geom size="1"/><include file="sub/arm.xml"/><geom size="2"/></worldbody></mujoco>)";
  const Scene scene = load("m.xml", text);
  ASSERT_EQ(scene.spheres.radius.size(), 4u);
  for (const auto& [row, radius] : {std::pair<std::size_t, double>{0, 1}, {1, 0.5}, {2, 3}, {3, 2}})
    EXPECT_EQ(scene.spheres.radius[row], radius);
  EXPECT_EQ(scene.spheres.center(1, 2), 1);
  // An element's error names the file that it is in.
  write("sub/hand.xml", "<x>\n<geom/>\n</x>");
  EXPECT_EQ(error("m.xml", text),
            "sub/hand.xml: line 2 has <geom> of type sphere without a number above 0 in size");
  write("sub/hand.xml", "<x>\n<geom pos=\"1\"/>\n</x>");
  EXPECT_EQ(error("m.xml", text),
            "sub/hand.xml: line 2 has pos \"1\" in <geom>; expected 3 finite numbers");
}

TEST_F(robot_files, mjcf_includes_that_cannot_be_are_refused) {
  const auto said = [&](const std::string& inside) {
    return error("m.xml", "<mujoco>\n" + inside + "</mujoco>");
  };
  const std::string include = R"(<include file="b.xml"/>)";
  EXPECT_EQ(said(include), "b.xml: cannot be opened: No such file or directory");
  write("b.xml", "<a><worldbody/></a>");
  EXPECT_EQ(said(include), "no error");
  EXPECT_EQ(said(include + "\n" + include),
            "m.xml: line 3 includes b.xml a second time; MuJoCo includes a file once");
  EXPECT_EQ(said("<include/>"), "m.xml: line 2 has <include> without file");
  EXPECT_EQ(said(R"(<include file="b.xml"><a/></include>)"),
            "m.xml: line 2 has elements within <include>; expected none");
  write("b.xml", "<a>\n<include file=\"c.xml\"/></a>");
  write("c.xml", "<a>\n\n<include file=\"./b.xml\"/></a>");
  EXPECT_EQ(said(include), "c.xml: line 3 includes ./b.xml within itself");
  write("b.xml", "<a/>");
  EXPECT_EQ(said(include), "b.xml: has no elements to include");
  write("b.xml", "<a");
  EXPECT_TRUE(said(include).starts_with("b.xml: line 1 is not XML"));
  write("out/b.xml", "<a><worldbody/></a>");
  write("in/m.xml", "");
  EXPECT_EQ(error("in/m.xml", R"(<mujoco><include file="../out/b.xml"/></mujoco>)"),
            "in/../out/b.xml: is not below the folder of in/m.xml, which names it; --allow-files "
            "DIR reads files below DIR too");
  for (int i = 0; i < 40; ++i) {
    write("f" + std::to_string(i) + ".xml",
          "<a><include file=\"f" + std::to_string(i + 1) + ".xml\"/></a>");
  }
  EXPECT_EQ(said(R"(<include file="f0.xml"/>)"),
            "f31.xml: line 1 is in a file within 32 others that include it; expected fewer");
}

// A cart on a slide along x (its value is 0.5 where the file has it), on it a pole that turns about
// y at its foot, 1 below the pole's frame; a ball on a ball joint at the pole's frame, 2 along x;
// and a free body. Each carries a sphere.
constexpr const char* kCart = R"(<mujoco><compiler angle="radian"/>
<default><default class="turn"><joint range="-2 2" axis="0 3 0"/></default></default>
<worldbody><geom type="plane" size="9 9 1"/>
  <body name="cart"><joint name="slide" type="slide" axis="1 0 0" ref="0.5" range="-1 1"/>
    <geom size="0.1"/>
    <body name="pole" pos="0 0 1"><joint name="hinge" class="turn" pos="0 0 -1"/><geom size="0.1"/>
      <body name="ball"><frame pos="0 0 0"><joint name="ball" type="ball"/></frame>
        <geom pos="2 0 0" size="0.1"/></body></body></body>
  <body name="free" pos="0 5 0"><freejoint/><geom size="0.1" pos="0 0 1"/></body></worldbody>
<keyframe><key name="home" qpos="0.5 1.5707963267948966 0.7071067811865476 0 0 0.7071067811865476"/>
  <key qpos="0 0 1 0 0 0 1 2 3 2 0 0 0"/></keyframe></mujoco>)";

TEST_F(robot_files, mjcf_joints_and_keyframes_pose_bodies) {
  Scene scene = load("cart.xml", kCart);
  const auto as_in_file = [&] {
    expect_center(scene, 0, {0, 0, 0});
    expect_center(scene, 1, {0, 0, 1});
    expect_center(scene, 2, {2, 0, 1});
    expect_center(scene, 3, {0, 5, 1});
  };
  as_in_file();
  options.joints = "0.5,0,1,0,0,0,0,5,0,1,0,0,0";
  scene = load("cart.xml", kCart);
  as_in_file();
  EXPECT_TRUE(scene.spheres.world.empty());
  // A quarter turn of the pole about its foot takes its frame from (0, 0, 1) to (1, 0, 0), x to -z
  // and z to x. The ball joint turns x to y first.
  options.joints.clear();
  options.keyframe = "home";
  scene = load("cart.xml", kCart);
  expect_center(scene, 1, {1, 0, 0});
  expect_center(scene, 2, {1, 2, 0});
  expect_center(scene, 3, {0, 5, 1});  // the keyframe has no numbers for it
  options.keyframe = "1";
  scene = load("cart.xml", kCart);
  expect_center(scene, 0, {-0.5, 0, 0});
  expect_center(scene, 2, {1.5, 0, 1});
  expect_center(scene, 3, {1, 2, 4});
  options.keyframe = "away";
  EXPECT_EQ(error("cart.xml", kCart),
            "cart.xml does not have the keyframe \"away\"; it has home, 1");
  EXPECT_EQ(error("m.xml", "<mujoco><worldbody/></mujoco>"),
            "m.xml has no keyframes; leave --keyframe out");
}

TEST_F(robot_files, mjcf_configurations_are_worlds) {
  // A header of some names: the others are as in the keyframe, the pole lying along x.
  write("q.csv", "slide\n0.5\n1\n-1\n");
  options.joints = "q.csv";
  options.keyframe = "home";
  const Scene scene = load("cart.xml", kCart);
  ASSERT_EQ(scene.spheres.radius.size(), 12u);
  ASSERT_EQ(scene.halfspaces.offset.size(), 1u) << "the floor is in all worlds once";
  EXPECT_EQ(scene.halfspaces.world[0], -1);
  EXPECT_EQ(scene.bodies.position.size(), 12u);
  expect_center(scene, 1, {1, 0, 0});
  expect_center(scene, 5, {1.5, 0, 0});
  expect_center(scene, 9, {-0.5, 0, 0});
  EXPECT_EQ(scene.spheres.world[9], 2);
  EXPECT_TRUE(notes.empty());
  const auto said = [&](const std::string& text) {
    write("q.csv", text);
    return error("cart.xml", kCart);
  };
  const std::string all =
      "13 values (slide, hinge, ball.qw, ball.qx, ball.qy, ball.qz, joint3.x, joint3.y, joint3.z, "
      "joint3.qw, joint3.qx, joint3.qy, joint3.qz)";
  EXPECT_EQ(
      said("slide,wheel\n0,0\n"),
      "q.csv: line 1 names \"wheel\", which the robot does not have (--ignore-columns leaves such "
      "columns out); expected some of " +
          all);
  EXPECT_EQ(said("slide,slide\n0,0\n"),
            "q.csv: line 1 names \"slide\" twice; expected some of " + all);
  EXPECT_EQ(said("hinge,slide\n0\n"), "q.csv: line 2 is \"0\"; expected 2 values, as its header");
  EXPECT_EQ(said("ball.qw\n0\n"), "no error") << "ball.qz is left as in the keyframe";
  EXPECT_EQ(said("ball.qw,ball.qz\n0,0\n"),
            "cart.xml: has the joint ball at a quaternion of no length");
}

TEST_F(robot_files, joints_beyond_limits_and_degrees_are_warned_of) {
  const auto text = [](const std::string& type, const std::string& limit) {
    return R"(<robot><link name="a"/><link name="b"><collision><geometry><sphere radius="1"/>
</geometry></collision></link><joint name="elbow" type=")" +
           type + R"("><parent link="a"/><child link="b"/>)" + limit + "</joint></robot>";
  };
  const std::string limited = text("revolute", R"(<limit lower="-2" upper="2.5"/>)");
  const auto said = [&](const std::string& robot, const std::string& joints) {
    options.joints = joints;
    load("a.urdf", robot);
    return notes.empty() ? "" : notes[0];
  };
  EXPECT_EQ(said(limited, "2.5"), "");
  EXPECT_EQ(said(limited, "2.5000001"), "") << "float32 and decimals round";
  EXPECT_EQ(said(limited, "2.6"),
            "--joints: warning: configuration 0 has elbow at 2.6, beyond its limits -2 to 2.5");
  EXPECT_EQ(said(limited, "90"),
            "--joints: warning: configuration 0 has elbow at 90, beyond its limits -2 to 2.5; "
            "angles are in radians, and this looks like degrees");
  write("q.csv", "0\n-3\n3\n");
  EXPECT_EQ(said(limited, "q.csv"),
            "q.csv: warning: configuration 1 has elbow at -3, beyond its limits -2 to 2.5 (as in 1 "
            "more)");
  EXPECT_EQ(said(text("continuous", R"(<limit lower="-2" upper="2"/>)"), "7"), "");
  EXPECT_EQ(said(text("continuous", ""), "90"),
            "--joints: warning: configuration 0 has elbow at 90; angles are in radians, and this "
            "looks like degrees");
  EXPECT_EQ(said(text("prismatic", R"(<limit lower="0" upper="0.04"/>)"), "90"),
            "--joints: warning: configuration 0 has elbow at 90, beyond its limits 0 to 0.04");
  EXPECT_EQ(said(text("prismatic", R"(<limit effort="1"/>)"), "90"), "");
  options.joints = "0.5,100,1,0,0,0,0,0,0,1,0,0,0";
  load("cart.xml", kCart);
  EXPECT_EQ(notes, std::vector<std::string>{
                       "--joints: warning: configuration 0 has hinge at 100, beyond its limits -2 "
                       "to 2; angles are in radians, and this looks like degrees"});
}

TEST_F(robot_files, mjcf_pairs_meet_whatever_else_says) {
  // Spheres in one place. The trunk (1) and the arm (2) joined to it never meet, nor does the
  // excluded leg (3) meet the arm, nor the hand (4) without bits anything, and the ghost (0)
  // neither.
  const auto text = [](const std::string& contact) {
    return R"(<mujoco><worldbody><geom name="ghost" size="1" contype="0" conaffinity="0"/>
    <body name="b1"><freejoint/><geom name="trunk" size="1"/><geom name="head" size="1"/>
      <body name="b2"><joint/><geom name="arm" size="1"/></body></body>
    <body name="b3"><freejoint/><geom name="leg" size="1"/></body>
    <body name="b4"><freejoint/><geom name="hand" size="1" contype="0" conaffinity="0"/></body>
    </worldbody><contact><exclude body1="b2" body2="b3"/>)" +
           contact + "</contact></mujoco>";
  };
  const auto pair = [](const std::string& a, const std::string& b) {
    return "<pair geom1=\"" + a + "\" geom2=\"" + b + "\"/>";
  };
  // Without pairs ghost and hand are left out: trunk 0, head 1, arm 2, leg 3.
  EXPECT_EQ(contacts_of(load("m.xml", text(""))), (std::vector<Pair>{{0, 3}, {1, 3}}));
  // A parent and its child.
  EXPECT_EQ(contacts_of(load("m.xml", text(pair("arm", "trunk")))),
            (std::vector<Pair>{{0, 2}, {0, 3}, {1, 3}}));
  // Excluded bodies.
  EXPECT_EQ(contacts_of(load("m.xml", text(pair("arm", "leg")))),
            (std::vector<Pair>{{0, 3}, {1, 3}, {2, 3}}));
  // Without bits: ghost 0, trunk 1, head 2, arm 3, leg 4, hand 5. Ghost meets leg, hand meets arm.
  EXPECT_EQ(contacts_of(load("m.xml", text(pair("ghost", "leg") + pair("hand", "arm")))),
            (std::vector<Pair>{{0, 4}, {1, 4}, {2, 4}, {3, 5}}));
  EXPECT_TRUE(notes.empty());
  load("m.xml", text("\n" + pair("trunk", "head")));
  EXPECT_EQ(notes, std::vector<std::string>{"m.xml: line 7 pairs trunk and head, which do not move "
                                            "relative to each other and never meet here"});
  EXPECT_EQ(error("m.xml", text(pair("trunk", "tail"))),
            "m.xml: line 6 pairs the geom \"tail\", which is not there");
  EXPECT_EQ(error("m.xml", text(R"(<pair geom1="trunk"/>)")),
            "m.xml: line 6 has <pair> without geom2");
  // Each of 20 copies pairs with its own, which are 40 sets of partners: 32 bits are too few.
  const auto copies = [](int count) {
    return "<mujoco><worldbody><replicate count=\"" + std::to_string(count) +
           R"("><body><freejoint/><geom name="a" size="1" contype="0" conaffinity="0"/></body>
           <body><freejoint/><geom name="b" size="1" contype="0" conaffinity="0"/></body>
           </replicate></worldbody><contact><pair geom1="a" geom2="b"/></contact></mujoco>)";
  };
  EXPECT_EQ(contacts_of(load("m.xml", copies(16))).size(), 16u);
  EXPECT_EQ(error("m.xml", copies(17)),
            "m.xml: has geoms of more than 32 different contype, conaffinity and partners in "
            "<pair>; category and mask have 32 bits");
}

TEST_F(robot_files, mjcf_without_contacts_meets_nothing) {
  const Scene scene = load("m.xml", R"(<mujoco><option><flag contact="disable"/></option>
    <worldbody><body><freejoint/><geom size="1"/></body><body><freejoint/><geom size="1"/></body>
    </worldbody></mujoco>)");
  EXPECT_TRUE(contacts_of(scene).empty());
  EXPECT_EQ(notes,
            std::vector<std::string>{"m.xml: line 1 has contact=\"disable\" in <flag>, so no "
                                     "shapes meet; leave it out to let them"});
}

TEST_F(robot_files, mjcf_mocap_bodies_are_posed_by_keyframes) {
  const std::string text = R"(<mujoco><worldbody><body mocap="true"><geom size="1"/></body>
    <body mocap="true" pos="0 0 1"><geom size="1" pos="2 0 0"/></body></worldbody>
    <keyframe><key mpos="1 2 3" /><key mpos="0 0 0 4 0 0" mquat="1 0 0 0 1 0 0 1"/></keyframe>
    </mujoco>)";
  options.keyframe = "0";
  Scene scene = load("m.xml", text);
  expect_center(scene, 0, {1, 2, 3});
  expect_center(scene, 1, {2, 0, 1});
  EXPECT_EQ(scene.spheres.fixed[1], 1);
  options.keyframe = "1";
  scene = load("m.xml", text);
  expect_center(scene, 1, {4, 2, 0});  // a quarter turn about z takes its x to y
}

TEST_F(robot_files, planning_scenes_are_in_all_worlds) {
  const std::string text =
      "world:\n  collision_objects:\n    - {id: ball, primitives: [{type: sphere, dimensions: "
      "[1]}], primitive_poses: [{position: [0, 0, 0], orientation: [0, 0, 0, 1]}]}\n";
  EXPECT_EQ(load("s.yaml", text).spheres.world[0], -1);
  options.world = 3;
  EXPECT_EQ(load("s.yaml", text).spheres.world[0], 3);
  options.world = -1;
  EXPECT_EQ(
      load("m.xml", R"(<mujoco><worldbody><geom size="1"/></worldbody></mujoco>)").spheres.world[0],
      -1);
  EXPECT_EQ(error("s.json", R"({"sphere": {"center": [[0, 0, 0]], "radius": [1], "world": [0]}})"),
            "s.json names worlds of its own (sphere.world); leave --world out");
}

}  // namespace
}  // namespace widephase::tools
