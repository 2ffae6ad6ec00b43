// The subcommand cast: files of rays, what is written, and exit codes.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

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
  const Outcome narrow =
      run("cast balls.json --rays rays.csv --json --repeat 2 --isa " + narrowest_isa());
  EXPECT_EQ(value_of(narrow.out, "hash"), value_of(json, "hash")) << narrow.err;
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

/// The numbers of the path with an id, two per place: M from L to, for each ray.
std::vector<std::string> lines_of(const std::string& picture, const std::string& id) {
  const std::size_t at = picture.find("<path id=\"" + id + "\"");
  if (at == std::string::npos) return {};
  const std::size_t begin = picture.find(" d=\"", at) + 4;
  std::vector<std::string> lines;
  std::string path = picture.substr(begin, picture.find('"', begin) - begin);
  for (std::size_t next; !path.empty(); path = next == path.npos ? "" : path.substr(next)) {
    next = path.find('M', 1);
    lines.push_back(path.substr(0, next));
  }
  return lines;
}

TEST_F(cast, a_picture_shows_rays_and_hits) {
  write("disc.json", R"({"circle": {"center": [[0, 0]], "radius": [1]}})");
  // A hit from the left, a miss of a given length, one without end, one that starts inside.
  write("rays.csv", "ox,oy,dx,dy,max_t\n-4,0,1,0,100\n-4,2,0,1,1\n-4,2,2,0,1000\n0,0,0,1,9\n");
  const Outcome outcome = run("cast disc.json --rays rays.csv --picture hits.svg");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "2 of 4 rays hit\n  wrote hits.svg\n");
  const std::string picture = read("hits.svg");
  EXPECT_NE(picture.find(">1 shape, 2 of 4 rays hit</text>"), std::string::npos);
  EXPECT_NE(picture.find(">hits of a shape</text>"), std::string::npos);
  EXPECT_NE(picture.find(">hit point and normal</text>"), std::string::npos);
  const std::vector<std::string> hits = lines_of(picture, "hit-rays");
  const std::vector<std::string> misses = lines_of(picture, "missed-rays");
  ASSERT_EQ(hits.size(), 2u);
  ASSERT_EQ(misses.size(), 2u);
  // From -4 to -1 level on the page; the other one has no length.
  double from_x, from_y, to_x, to_y;
  ASSERT_EQ(std::sscanf(hits[0].c_str(), "M%lf %lfL%lf %lf", &from_x, &from_y, &to_x, &to_y), 4);
  EXPECT_EQ(from_y, to_y);
  const double unit = (to_x - from_x) / 3;
  EXPECT_GT(unit, 100);
  ASSERT_EQ(std::sscanf(misses[0].c_str(), "M%lf %lfL%lf %lf", &from_x, &from_y, &to_x, &to_y), 4);
  EXPECT_NEAR(from_y - to_y, unit, 0.2);
  EXPECT_EQ(from_x, to_x);
  // As far as the scene is wide: from (-4, -1) to (1, 2), and a little.
  ASSERT_EQ(std::sscanf(misses[1].c_str(), "M%lf %lfL%lf %lf", &from_x, &from_y, &to_x, &to_y), 4);
  EXPECT_NEAR((to_x - from_x) / unit, std::sqrt(34), 0.01);
}

TEST_F(cast, a_picture_shows_one_world_where_asked) {
  write("balls.json", kBalls);
  write("rays.csv",
        "ox,oy,oz,dx,dy,dz,world\n-3,0,0,1,0,0,0\n-3,0,0,1,0,0,1\n-3,0,0,0,1,0,1\n"
        "-3,0,0,1,0,0,-1\n");
  EXPECT_EQ(run("cast balls.json --rays rays.csv --picture all.svg").code, 0);
  EXPECT_NE(read("all.svg").find("3 of 4 rays hit"), std::string::npos);
  EXPECT_EQ(run("cast balls.json --rays rays.csv --picture one.svg --world 0").code, 0);
  EXPECT_NE(read("one.svg").find("2 of 2 rays hit"), std::string::npos);
  EXPECT_EQ(run("cast balls.json --rays rays.csv --picture two.svg --world 5").code, 2);
}

TEST_F(cast, a_page_has_the_rays) {
  write("balls.json", kBalls);
  write("rays.csv", "ox,oy,oz,dx,dy,dz\n-3,0,0,1,0,0\n-3,0,0,0,1,0\n");
  const Outcome outcome = run("cast balls.json --rays rays.csv --page hits.html");
  if (!WIDEPHASE_HAS_VIEW) {
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.err.find("this build has no page"), std::string::npos);
    return;
  }
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "1 of 2 rays hit\n  wrote hits.html\n");
  const std::string page = read("hits.html");
  for (const char* array : {"ray_row", "ray_from", "ray_to", "ray_point", "ray_normal", "ray_t"}) {
    EXPECT_NE(page.find("\"" + std::string(array) + "\":{"), std::string::npos) << array;
  }
  EXPECT_NE(page.find("\"ray_shape\":{\"type\":\"i\""), std::string::npos);
  EXPECT_EQ(run("view balls.json -o scene.html").code, 0);
  EXPECT_EQ(read("scene.html").find("\"ray_row\":{"), std::string::npos);
}

TEST_F(cast, a_periodic_scene_is_at_fault_itself) {
  write("box.json", R"({"sphere": {"center": [[1, 1, 1]], "radius": [0.5]},
    "domain": {"min": [0, 0, 0], "max": [9, 9, 9], "periodic": [true, false, false]}})");
  write("rays.csv", "ox,oy,oz,dx,dy,dz\n0,0,0,1,0,0\n");
  const Outcome outcome = run("cast box.json --rays rays.csv");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.err.substr(0, 29), "box.json: domain is periodic;");
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
  fails("--rays rays.csv --picture rays.png", 2, "widephase cast: ");
  fails("--rays rays.csv --page rays.svg", 2, "widephase cast: ");
  fails("--rays rays.csv --any --picture any.svg", 2,
        "widephase cast: --any does not find where rays hit");
  fails("--rays rays.csv --world 0", 2,
        "widephase cast: --world chooses what --picture and --page show");
}

}  // namespace
