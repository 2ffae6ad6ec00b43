// widephase check: a robot from files against a shelf, by names, and its exit codes.
// Labels: host

#include <gtest/gtest.h>

#include <string>

#include "support/command.hpp"

namespace {

using check_command = widephase::test::Command;
using widephase::test::value_of;

/// A ball on an arm of length 1 about z. At a quarter turn it is 3 mm in the shelf's board; at 0 it
/// is free; at the angle 2.5, beyond its limit, it is free too.
void write_files(const auto& write) {
  write("arm.urdf", R"(<robot name="arm"><link name="post"><collision><geometry>
<sphere radius="0.1"/></geometry></collision></link><link name="hand"><collision>
<origin xyz="1 0 0"/><geometry><sphere radius="0.1"/></geometry></collision></link>
<joint name="turn" type="revolute"><parent link="post"/><child link="hand"/><axis xyz="0 0 1"/>
<limit lower="-2" upper="2"/></joint></robot>)");
  write("shelf.yaml", R"(world:
  collision_objects:
    - id: shelf_top
      primitives: [{type: box, dimensions: [0.2, 0.2, 2]}]
      primitive_poses: [{position: [0, 1.197, 0], orientation: [0, 0, 0, 1]}]
)");
  write("q.csv", "turn\n0\n1.5707963267948966\n0.5\n");
}

TEST_F(check_command, names_what_meets) {
  write_files([](const char* path, const char* text) { write(path, text); });
  const Outcome hit = run("check arm.urdf --joints q.csv --against shelf.yaml");
  EXPECT_EQ(hit.code, 3) << hit.err;
  EXPECT_EQ(hit.out, "row 1: hand meets shelf_top, 3 mm deep\n1 of 3 configurations hits\n");
  EXPECT_EQ(hit.err, "");
  const Outcome free = run("check arm.urdf --joints 0.5 --against shelf.yaml");
  EXPECT_EQ(free.code, 0) << free.err;
  EXPECT_EQ(free.out, "0 of 1 configuration hit\n");
  EXPECT_EQ(run("check arm.urdf --joints q.csv").code, 0);
  const Outcome near =
      run("check arm.urdf --joints 1.5507963267948966 --against shelf.yaml --margin 0.01");
  EXPECT_EQ(near.code, 3);
  const Outcome json = run("check arm.urdf --joints q.csv --against shelf.yaml --json");
  EXPECT_EQ(json.code, 3);
  EXPECT_EQ(value_of(json.out, "configurations"), "3");
  EXPECT_EQ(value_of(json.out, "row"), "1");
  EXPECT_EQ(value_of(json.out, "link"), "\"hand\"");
  EXPECT_EQ(value_of(json.out, "other"), "\"shelf_top\"");
  EXPECT_NEAR(std::stod(value_of(json.out, "depth")), 0.003, 1e-12);
}

// From the angle 0 to 3 the hand passes the shelf; by 0.3 it is as far as it was.
TEST_F(check_command, asks_motions_and_distances) {
  write_files([](const char* path, const char* text) { write(path, text); });
  write("path.csv", "turn\n0\n0.3\n1.9\n");
  const Outcome hit = run("check arm.urdf --joints path.csv --against shelf.yaml --motions");
  EXPECT_EQ(hit.code, 3) << hit.err;
  EXPECT_EQ(hit.out.find("rows 1 to 2: at 0."), 0u) << hit.out;
  EXPECT_NE(hit.out.find("hand meets shelf_top"), std::string::npos) << hit.out;
  EXPECT_NE(hit.out.find("1 of 2 motions hits\n"), std::string::npos) << hit.out;
  const Outcome free = run("check arm.urdf --joints path.csv --motions --json");
  EXPECT_EQ(free.code, 0) << free.out << free.err;
  EXPECT_EQ(value_of(free.out, "motions"), "2");
  EXPECT_NE(free.out.find("\"proof\": true"), std::string::npos) << free.out;
  // The shelf is met from 1.49 to 1.65; of samples 0.8 apart, from 0.3 on, none is there.
  const std::string path = "check arm.urdf --joints path.csv --against shelf.yaml --motions ";
  EXPECT_EQ(run(path + "--resolution 0.8").code, 0);
  const Outcome sampled = run(path + "--resolution 0.1 --json");
  EXPECT_EQ(sampled.code, 3);
  EXPECT_NE(sampled.out.find("\"proof\": false"), std::string::npos) << sampled.out;
  EXPECT_EQ(value_of(sampled.out, "resolution"), "0.1");
  EXPECT_EQ(value_of(sampled.out, "status"), "\"hit\"");
  const Outcome wrong = run(path + "--resolution 0");
  EXPECT_EQ(wrong.code, 2);
  EXPECT_NE(wrong.err.find("0 is not a distance; expected a finite number > 0"), std::string::npos)
      << wrong.err;
  EXPECT_EQ(run("check arm.urdf --joints path.csv --resolution 0.1").code, 2);
  EXPECT_EQ(run("check arm.urdf --joints 0 --motions").code, 2);
  EXPECT_EQ(run("check arm.urdf --joints path.csv --motions --distance").code, 2);
  const Outcome near = run("check arm.urdf --joints q.csv --against shelf.yaml --distance --json");
  EXPECT_EQ(near.code, 3);
  EXPECT_EQ(value_of(near.out, "hits"), "1");
  const Outcome far = run("check arm.urdf --joints 0.5 --against shelf.yaml --distance");
  EXPECT_EQ(far.code, 0);
  EXPECT_EQ(far.out.find("row 0: hand and shelf_top, 0."), 0u) << far.out;
}

// The hand's ball of radius 0.1 reaches 3 mm into the first point's of 0.05.
TEST_F(check_command, takes_points_with_a_radius) {
  write_files([](const char* path, const char* text) { write(path, text); });
  write("cloud.ply",
        "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\n"
        "property double z\nend_header\n0 5 0\n0 1 0.147\n");
  write("cloud.csv", "z,x,y\n0,0,5\n0.147,0,1\n");
  for (const std::string cloud : {"cloud.ply", "cloud.csv"}) {
    const std::string command = "check arm.urdf --joints q.csv --radius 0.05 --against " + cloud;
    const Outcome hit = run(command);
    EXPECT_EQ(hit.code, 3) << hit.err;
    EXPECT_EQ(hit.out, "row 1: hand meets sphere 1, 3 mm deep\n1 of 3 configurations hits\n");
    EXPECT_EQ(run(command + " --motions").code, 3);
    EXPECT_NE(run(command + " --distance").out.find("row 1: hand and sphere 1, -0.003"),
              std::string::npos);
  }
  // Vertices that no face names are points too.
  write("scan.ply",
        "ply\nformat ascii 1.0\nelement vertex 5\nproperty float x\nproperty float y\n"
        "property double z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"
        "0 5 0\n0 6 0\n0 7 0\n1 7 0\n0 1 0.147\n3 1 2 3\n");
  const Outcome scan = run("check arm.urdf --joints q.csv --radius 0.05 --against scan.ply");
  EXPECT_EQ(scan.out.find("row 1: hand meets sphere 4, 3 mm deep"), 0u) << scan.out << scan.err;
  EXPECT_EQ(run("check arm.urdf --radius 0.05").code, 2);
  EXPECT_EQ(run("check arm.urdf --radius -1 --against cloud.csv").code, 2);
  EXPECT_EQ(run("check arm.urdf --radius 1 --against cloud.csv --against shelf.yaml").code, 2);
  EXPECT_EQ(run("check arm.urdf --radius 1 --against shelf.yaml").code, 2);
}

// A page has a step for each configuration, or many along motions and the one that hits.
TEST_F(check_command, writes_a_page) {
  write_files([](const char* path, const char* text) { write(path, text); });
  write("path.csv", "turn\n0\n1.9\n");
  EXPECT_EQ(run("check arm.urdf --joints q.csv -o page.svg").code, 2);
  const std::string ask = "check arm.urdf --against shelf.yaml -o page.html ";
  const Outcome rows = run(ask + "--joints q.csv");
  if (!WIDEPHASE_HAS_VIEW) {
    EXPECT_EQ(rows.code, 2);
    EXPECT_NE(rows.err.find("this build has no page"), std::string::npos) << rows.err;
    return;
  }
  EXPECT_EQ(rows.code, 3) << rows.err;
  EXPECT_NE(rows.out.find("wrote page.html (3 steps, "), std::string::npos) << rows.out;
  EXPECT_EQ(rows.out.find("row 1: hand meets shelf_top"), 0u) << rows.out;
  const std::string page = read("page.html");
  EXPECT_NE(page.find("\"word\":\"step\""), std::string::npos);
  EXPECT_NE(page.find("shelf_top"), std::string::npos);
  // 38 parts of 0.05, their ends, and where it hits.
  const Outcome motions = run(ask + "--joints path.csv --motions");
  EXPECT_EQ(motions.code, 3) << motions.err;
  EXPECT_NE(motions.out.find("wrote page.html (40 steps, "), std::string::npos) << motions.out;
  const Outcome json = run(ask + "--joints path.csv --json");
  EXPECT_EQ(json.out.find("{"), 0u);
  EXPECT_EQ(json.out.find("wrote"), std::string::npos);
}

// By the joint alone the two links never meet; by a SRDF that disables nothing they may.
TEST_F(check_command, takes_the_pairs_of_a_srdf) {
  write_files([](const char* path, const char* text) { write(path, text); });
  write("fat.urdf", R"(<robot name="arm"><link name="post"><collision><geometry>
<sphere radius="1"/></geometry></collision></link><link name="hand"><collision>
<origin xyz="1 0 0"/><geometry><sphere radius="0.1"/></geometry></collision></link>
<joint name="turn" type="revolute"><parent link="post"/><child link="hand"/><axis xyz="0 0 1"/>
<limit lower="-2" upper="2"/></joint></robot>)");
  write("all.srdf", "\n  <robot name=\"arm\"/>");
  EXPECT_EQ(run("check fat.urdf --joints 0").code, 0);
  const Outcome meets = run("check fat.urdf --joints 0 --srdf all.srdf");
  EXPECT_EQ(meets.code, 3) << meets.err;
  EXPECT_EQ(meets.out, "row 0: post meets hand, 100 mm deep\n1 of 1 configuration hits\n");
}

/// An arm about the base's z at its x = 1. On it are a hand at the base's origin, a ball at x = 5,
/// and one that swings on a circle through the origin.
constexpr const char* kFourBodies = R"(<robot name="r&amp;d">
<link name="base"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
<link name="arm"><collision><origin xyz="1 0 0"/><geometry><sphere radius="0.1"/></geometry>
</collision></link>
<link name="hand"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
<link name="far &lt;5&gt;"><collision><origin xyz="5 0 0"/><geometry><sphere radius="0.1"/></geometry>
</collision></link>
<link name="swing"><collision><origin xyz="1 0 0"/><geometry><sphere radius="0.1"/></geometry>
</collision></link>
<joint name="turn" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/>
</joint>
<joint name="h" type="continuous"><parent link="arm"/><child link="hand"/><axis xyz="0 0 1"/></joint>
<joint name="f" type="continuous"><parent link="arm"/><child link="far &lt;5&gt;"/><axis xyz="0 0 1"/>
</joint>
<joint name="s" type="continuous"><parent link="arm"/><child link="swing"/><axis xyz="0 0 1"/>
<origin xyz="1 0 0"/></joint></robot>)";

// What always or never touches in random configurations makes a SRDF; robots and the scenes that
// they are converted to leave out the same pairs by it.
TEST_F(check_command, learns_which_links_never_meet) {
  write("four.urdf", kFourBodies);
  const Outcome learned = run("check four.urdf --learn 200 --write-srdf four.srdf");
  EXPECT_EQ(learned.code, 0) << learned.err;
  EXPECT_EQ(learned.out,
            "200 random configurations, seed 1\n"
            "4 pairs of neighbours, which were not asked\n"
            "1 pair that touched in all samples\n"
            "3 pairs that touched in none, which is known of the samples alone\n"
            "2 pairs that touched in some, and stay\n"
            "  wrote four.srdf\n");
  const std::string srdf = read("four.srdf");
  const auto has = [&](const char* text) { return srdf.find(text) != std::string::npos; };
  EXPECT_TRUE(has(R"(<robot name="r&amp;d">)")) << srdf;
  EXPECT_TRUE(has(R"(link1="base" link2="arm" reason="Adjacent")")) << srdf;
  EXPECT_TRUE(has(R"(link1="base" link2="hand" reason="Always")")) << srdf;
  EXPECT_TRUE(has(R"(link1="base" link2="far &lt;5&gt;" reason="Never")")) << srdf;
  EXPECT_TRUE(has("in none of 200 random configurations")) << srdf;
  const Outcome json = run("check four.urdf --learn 200 --seed 7 --json");
  EXPECT_EQ(json.code, 0);
  EXPECT_EQ(value_of(json.out, "samples"), "200");
  EXPECT_EQ(value_of(json.out, "seed"), "7");
  const int share = std::stoi(value_of(json.out, "contacts"));  // within 0.2 of half a turn: 6%
  EXPECT_GT(share, 2);
  EXPECT_LT(share, 40);
  // Without the file the hand is in the base. With it the swing meets both, after half a turn.
  EXPECT_EQ(run("check four.urdf").code, 3);
  EXPECT_EQ(run("check four.urdf --srdf four.srdf").code, 0);
  const Outcome swing = run("check four.urdf --srdf four.srdf --joints 0,0,0,3.141592653589793");
  EXPECT_EQ(swing.out,
            "row 0: base meets swing, 200 mm deep (1 more)\n1 of 1 configuration hits\n");
  for (const auto& [options, contacts] :
       {std::pair{"", "3"}, {"--srdf four.srdf", "2"}}) {  // base, hand and swing in one place
    const std::string convert = "convert four.urdf --joints 0,0,0,3.141592653589793 -o four.npz ";
    EXPECT_EQ(run(convert + options).code, 0);
    EXPECT_EQ(value_of(run("collide four.npz --json").out, "contacts"), contacts) << options;
  }
}

TEST_F(check_command, faults_of_learning_are_told) {
  write("four.urdf", kFourBodies);
  const Outcome own = run("check four.urdf --learn 5 --write-srdf four.urdf");
  EXPECT_EQ(own.code, 2);
  EXPECT_NE(own.err.find("four.urdf is read here; name another file"), std::string::npos);
  EXPECT_EQ(run("check four.urdf --learn 5 --ignore-columns").code, 2);
  EXPECT_EQ(run("check four.urdf --learn 0").code, 2);
  EXPECT_EQ(run("check four.urdf --learn 9 --joints 0").code, 2);
  EXPECT_EQ(run("check four.urdf --seed 9").code, 2);
  EXPECT_EQ(run("check four.urdf --write-srdf a.srdf").code, 2);
  EXPECT_EQ(run("check four.urdf --learn 9 --json --write-srdf -").code, 2);
  write("names.xml", R"(<mujoco><worldbody><body><freejoint/><geom size="1"/></body>
<body><freejoint/><geom size="1"/></body></worldbody></mujoco>)");
  const Outcome nameless = run("check names.xml --learn 9 --write-srdf a.srdf");
  EXPECT_EQ(nameless.code, 1);
  EXPECT_EQ(nameless.err,
            "a.srdf: cannot be written: link 0 of the robot has no name, by which SRDF knows it\n");
  write("a.csv", "x,y,z,radius\n0,0,0,1\n");
  EXPECT_EQ(run("convert a.csv --srdf four.srdf -o a.npz").code, 2);
}

TEST_F(check_command, faults_are_told) {
  write_files([](const char* path, const char* text) { write(path, text); });
  const Outcome wide = run("check arm.urdf --joints 0,1");
  EXPECT_EQ(wide.code, 2);
  EXPECT_EQ(wide.err.substr(0, 70),
            "widephase check: --joints has 2 values; expected 1 values (turn)\nRun w");
  const Outcome no_robot = run("check shelf.yaml --joints 0");
  EXPECT_EQ(no_robot.code, 1);
  EXPECT_EQ(no_robot.err, "shelf.yaml: is read as planning; expected a robot in URDF or MJCF\n");
  write("flat.csv", "x,y,radius\n0,0,1\n");
  EXPECT_EQ(run("check arm.urdf --against flat.csv").err, "flat.csv: is in 2D; robots are in 3D\n");
  EXPECT_EQ(run("check arm.urdf --againts shelf.yaml").code, 2);
  const Outcome help = run("check --help");
  EXPECT_EQ(help.code, 0);
  EXPECT_NE(help.out.find("widephase check arm.urdf --srdf arm.srdf --joints q.csv"),
            std::string::npos);
}

}  // namespace
