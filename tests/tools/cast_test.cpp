// The subcommand cast: files of rays, what is written, and exit codes.

#include <gtest/gtest.h>

#include <string>

#include "support/command.hpp"

namespace {

using cast = widephase::test::Command;
using widephase::test::value_of;

/// A unit ball at the origin in world 0, one at (5, 0, 0) in all worlds.
constexpr const char* kBalls = R"({"sphere": {"center": [[0, 0, 0], [5, 0, 0]], "radius": 1,
  "world": [0, -1]}})";

TEST_F(cast, rays_of_a_csv_are_answered_row_by_row) {
  write("balls.json", kBalls);
  write("rays.csv",
        "dx,dy,dz,ox,oy,oz,max_t,world\n1,0,0,-3,0,0,9,0\n2,0,0,-3,0,0,9,1\n0,1,0,-3,0,0,9,0\n");
  const Outcome outcome = run("cast balls.json --rays rays.csv -o hits.csv");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "2 of 3 rays hit\n  wrote hits.csv\n");
  // 3 - 1 away; world 1 has only the second ball, 8 - 1 away at twice the speed.
  EXPECT_EQ(read("hits.csv"),
            "shape,t,nx,ny,nz,px,py,pz,feature,status\n"
            "0,2,-1,0,0,-1,0,0,0,0\n"
            "1,3.5,-1,0,0,4,0,0,0,0\n"
            "-1,9,0,0,0,-3,9,0,0,3\n");
  const std::string json = run("cast balls.json --rays rays.csv --json --threads 1").out;
  EXPECT_EQ(value_of(json, "rays"), "3");
  EXPECT_EQ(value_of(json, "hits"), "2");
  EXPECT_EQ(value_of(json, "threads"), "1");
  EXPECT_EQ(
      value_of(json, "hash"),
      value_of(run("cast balls.json --rays rays.csv --json --isa scalar --repeat 2").out, "hash"));
  for (const char* key : {"load", "build", "cast", "tiles", "tests", "packets"}) {
    EXPECT_NE(value_of(json, key), "") << key;
  }
  const Outcome any = run("cast balls.json --rays rays.csv --any -o any.csv --json");
  EXPECT_EQ(value_of(any.out, "hits"), "2");
  EXPECT_EQ(read("any.csv"), "hit\n1\n1\n0\n");
  EXPECT_EQ(run("cast balls.json --rays rays.csv -o hits.npz").code, 0);
  EXPECT_EQ(read("hits.npz").substr(0, 2), "PK");
}

TEST_F(cast, a_scene_with_a_field_names_triangles) {
  write("field.json",
        R"({"heightfields": {"heights": [0, 0, 0, 0], "offsets": [0, 4], "columns": [2],
            "cell": [[1, 1]]}, "heightfield": {"center": [[0, 0, 0]],
            "orientation": [[0, 0, 0, 1]], "geometry": [0]}})");
  write("rays.csv", "ox,oy,oz,dx,dy,dz,max_t\n0.25,0.5,1,0,0,-1,4\n3,0,1,0,0,-1,4\n");
  const Outcome outcome = run("cast field.json --rays rays.csv -o hits.csv");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  // Above the diagonal: triangle 1; its face is feature 3 * 2^14.
  EXPECT_EQ(read("hits.csv"),
            "shape,t,nx,ny,nz,px,py,pz,feature,status,part\n"
            "0,1,0,0,1,0.25,0.5,0,49152,0,1\n"
            "-1,4,0,0,0,3,0,-3,0,3,-1\n");
}

TEST_F(cast, options_reach_the_rays) {
  write("balls.json", kBalls);
  write("rays.csv", "ox,oy,oz,dx,dy,dz\n0.5,0,0,1,0,0\n");
  const auto first_row = [&](const std::string& options) {
    EXPECT_EQ(run("cast balls.json --rays rays.csv -o hits.csv " + options).code, 0);
    const std::string text = read("hits.csv");
    const std::size_t line = text.find('\n') + 1;
    return text.substr(line, text.find(',', text.find(',', line) + 1) - line);
  };
  EXPECT_EQ(first_row(""), "0,0");
  EXPECT_EQ(first_row("--inside exit"), "0,0.5");
  EXPECT_EQ(first_row("--inside leave"), "1,3.5");
  EXPECT_EQ(first_row("--inside leave --margin 0.5 --precision float"), "1,3");
}

TEST_F(cast, what_is_wrong_is_told) {
  write("balls.json", kBalls);
  write("rays.csv", "ox,oy,oz,dx,dy,dz\n0,0,0,0,0,0\n");
  const auto fails = [&](const std::string& arguments, int code, const std::string& message) {
    const Outcome outcome = run("cast balls.json " + arguments);
    EXPECT_EQ(outcome.code, code);
    EXPECT_EQ(outcome.err.substr(0, message.size()), message);
  };
  fails("--rays rays.csv", 1, "rays.csv: direction[0] must be finite");
  write("flat.csv", "ox,oy,dx,dy\n0,0,1,0\n");
  fails("--rays flat.csv", 1,
        "flat.csv: line 1 is \"ox,oy,dx,dy\"; expected the header "
        "ox,oy,oz,dx,dy,dz[,max_t][,world] of rays in 3D");
  write("short.csv", "ox,oy,oz,dx,dy,dz\n0,0,0\n");
  fails("--rays short.csv", 1, "short.csv: line 2 has 3 values; the header names 6");
  write("word.csv", "ox,oy,oz,dx,dy,dz\n0,0,0,1,x,0\n");
  fails("--rays word.csv", 1, "word.csv: line 2 has \"x\" where a number is expected");
  fails("--rays missing.csv", 1, "missing.csv: ");
  fails("", 2, "widephase cast: ");
  fails("--rays rays.csv -o hits.txt", 2, "widephase cast: ");
  fails("--rays rays.csv -o rays.csv", 2, "widephase cast: rays.csv is an input");
  fails("--rays rays.csv --inside out", 2, "widephase cast: ");
}

}  // namespace
