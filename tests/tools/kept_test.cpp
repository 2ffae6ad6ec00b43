// What the command line answers world by world, and with a scene that is kept.

#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <string>

#include "support/command.hpp"

namespace {

using kept = widephase::test::Command;
using widephase::test::value_of;

std::ptrdiff_t count_of(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  return std::distance(std::sregex_iterator(text.begin(), text.end(), regex),
                       std::sregex_iterator());
}

TEST_F(kept, owners_of_two_files_are_different_objects) {
  // Two balls and two boxes in one place, each with the owners 0 and 1. Were these the same, as in
  // one scene, ball 0 would never meet box 0, nor, by the level's excluded owners, box 1.
  write("balls.json", R"({"sphere": {"center": [[0, 0, 0], [0, 0, 0]], "radius": 1,
    "owner": [0, 1]}})");
  write("level.json", R"({"aabb": {"min": [[0, 0, 0], [0, 0, 0]], "max": [[1, 1, 1], [1, 1, 1]],
    "owner": [0, 1], "fixed": 1}, "excluded_owners": [[0, 1]]})");
  const Outcome outcome = run("collide balls.json --kept level.json --json");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(value_of(outcome.out, "contacts"), "5");  // the balls, and each with both boxes
  ASSERT_EQ(run("convert balls.json level.json -o both.npz").code, 0);
  EXPECT_EQ(value_of(run("collide both.npz --json").out, "contacts"), "5");
  // What the scene itself excludes stays excluded.
  write("pair.json", R"({"sphere": {"center": [[0, 0, 0], [0, 0, 0]], "radius": 1,
    "owner": [0, 5]}, "excluded_owners": [[0, 5], [0, 9]]})");
  EXPECT_EQ(value_of(run("collide pair.json --kept level.json --json").out, "contacts"), "4");
  EXPECT_NE(run("distance balls.json --kept level.json --moving-pairs false").out.find("world 0"),
            std::string::npos);
  write("beyond.json", R"({"sphere": {"center": [[0, 0, 0]], "radius": 1, "owner": 2147483646}})");
  EXPECT_EQ(run("collide beyond.json --kept level.json").err,
            "level.json: has owners from 0 to 1, which cannot be numbered on from 2147483646: they "
            "would exceed 2147483647\n");
}

TEST_F(kept, a_kept_file_without_worlds_is_in_all_of_them) {
  write("balls.json", R"({"dimension": 2,
    "circle": {"center": [[0, 0], [0, 0], [0, 0]], "radius": 1, "world": [0, 1, 2]}})");
  write("wall.json", R"({"dimension": 2, "aabb": {"min": [[0, 0]], "max": [[1, 1]]}})");
  const Outcome outcome = run("collide balls.json --kept wall.json --json");
  EXPECT_EQ(value_of(outcome.out, "contacts"), "3");
  EXPECT_EQ(outcome.err, "wall.json names no world: its shapes are in all 3 worlds (world -1)\n");
  ASSERT_EQ(run("convert balls.json wall.json -o both.npz").code, 0);
  EXPECT_EQ(value_of(run("collide both.npz --json").out, "contacts"), "3");
  EXPECT_EQ(run("distance balls.json --kept wall.json").err, outcome.err);
  write("wall.json", R"({"dimension": 2,
    "aabb": {"min": [[0, 0]], "max": [[1, 1]], "world": 1}})");
  EXPECT_EQ(value_of(run("collide balls.json --kept wall.json --json").out, "contacts"), "1");
}

// Three worlds with a ball each, at 0, 2 and 5, and a wall of all worlds from 0.5 to 1.25: the
// first two touch it by 0.5 and 0.25 with a radius of 1, the third is 2.75 away. A ball of radius
// 0.25 at -2 in world 2 meets nothing.
constexpr const char* kBalls = R"({"dimension": 2,
  "circle": {"center": [[0, 0], [2, 0], [5, 0], [-2, 0]], "radius": [1, 1, 1, 0.25],
             "world": [0, 1, 2, 2], "name": ["near", "behind", "far", "left"]}})";
constexpr const char* kWall = R"({"dimension": 2, "aabb": {"min": [[0.5, -9]],
  "max": [[1.25, 9]], "world": -1, "name": ["wall"]}})";

TEST_F(kept, each_world_says_what_it_has) {
  write("balls.json", kBalls);
  write("wall.json", kWall);
  const Outcome outcome = run("collide balls.json --kept wall.json");
  EXPECT_NE(outcome.out.find("  contacts   2, in 2 of 3 worlds\n"), std::string::npos)
      << outcome.out;
  const std::string json = run("collide balls.json --kept wall.json --json").out;
  EXPECT_EQ(value_of(json, "worlds_in_contact"), "2");
  const std::string table = json.substr(json.find("\"by_world\""));
  EXPECT_EQ(std::regex_replace(table, std::regex("\\s"), ""),
            "\"by_world\":[{\"world\":0,\"contacts\":1,\"max_depth\":0.5},"
            "{\"world\":1,\"contacts\":1,\"max_depth\":0.25}]}");
}

TEST_F(kept, a_picture_of_a_world_has_its_contacts_alone) {
  write("balls.json", kBalls);
  write("wall.json", kWall);
  ASSERT_EQ(run("convert balls.json wall.json -o both.npz").code, 0);
  for (const std::string scene : {"both.npz", "balls.json --kept wall.json"}) {
    const auto picture_of_world = [&](const std::string& world) {
      EXPECT_EQ(run("collide " + scene + " --picture w.svg --world " + world).code, 0);
      return read("w.svg");
    };
    const std::string first = picture_of_world("1"), last = picture_of_world("2");
    EXPECT_NE(first.find("2 shapes, 1 contact<"), std::string::npos) << first;
    EXPECT_NE(last.find("3 shapes, 0 contacts<"), std::string::npos) << last;
    EXPECT_EQ(run("collide " + scene + " --picture all.svg").code, 0);
    // A point is a line of no length with round ends.
    EXPECT_EQ(count_of(first, "[0-9]h0"), 1);
    EXPECT_EQ(count_of(last, "[0-9]h0"), 0);
    EXPECT_EQ(count_of(read("all.svg"), "[0-9]h0"), 2);
  }
}

TEST_F(kept, moving_shapes_need_not_meet_one_another) {
  write("balls.json", R"({"dimension": 2, "circle": {"center": [[0, 0], [1, 0]], "radius": 1}})");
  write("wall.json", kWall);
  const auto contacts = [](const std::string& options) {
    return value_of(run("collide balls.json --kept wall.json --json " + options).out, "contacts");
  };
  EXPECT_EQ(contacts(""), "3");
  EXPECT_EQ(contacts("--moving-pairs true"), "3");
  EXPECT_EQ(contacts("--moving-pairs=False"), "2");
  for (const std::string command : {"collide", "distance"}) {
    const Outcome alone = run(command + " balls.json --moving-pairs false");
    EXPECT_EQ(alone.code, 2);
    EXPECT_NE(alone.err.find("leaves the pairs with --kept FILE; add it"), std::string::npos)
        << alone.err;
  }
}

TEST_F(kept, distance_tells_the_nearest_pair_of_each_world) {
  write("balls.json", kBalls);
  write("wall.json", kWall);
  const Outcome outcome =
      run("distance balls.json --kept wall.json --moving-pairs false -o clear.csv");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out,
            "world 0: near and wall, -0.5\n"
            "world 1: behind and wall, -0.25\n"
            "world 2: left and wall, 2.25\n"
            "  wrote clear.csv\n");
  const std::string csv = read("clear.csv");
  EXPECT_TRUE(
      csv.starts_with("distance,a,b,nx,ny,ax,ay,bx,by,feature,world,kind_a,kind_b,row_a,"
                      "row_b,key_a,key_b,body_a,body_b,kept_a,kept_b,name_a,name_b\n"))
      << csv;
  EXPECT_NE(csv.find("\n2.25,3,4,1,0,-1.75,0,0.5,0,"), std::string::npos) << csv;
  EXPECT_TRUE(csv.ends_with(",2,circle,aabb,3,0,3,0,-1,-1,0,1,left,wall\n")) << csv;
  const std::string json = run("distance balls.json --kept wall.json --json").out;
  EXPECT_EQ(value_of(json, "worlds"), "3");
  EXPECT_EQ(value_of(json.substr(json.find("\"world\": 2")), "distance"), "2.25");
  EXPECT_EQ(value_of(json.substr(json.find("\"world\": 2")), "a"), "\"left\"");
  // Alone the balls of world 2 are 5.75 apart; the other worlds have no pair.
  EXPECT_EQ(run("distance balls.json").out, "world 2: far and left, 5.75\nno pair in 2 worlds\n");
  EXPECT_EQ(run("distance balls.json -o balls.json").code, 2);
  EXPECT_EQ(run("distance balls.json -o clear.txt").code, 2);
  write("pairs.json", R"({"circle": {"center": [[0, 0], [3, 0]], "radius": 1}, "dimension": 2,
    "pairs": [[0, 1]]})");
  EXPECT_NE(run("distance pairs.json").err.find("pairs.json: has pairs of its own"),
            std::string::npos);
}

TEST_F(kept, words_for_distances_lead_there) {
  write_row();
  for (const char* word : {"distances", "min_distance", "min-distance", "Distance"}) {
    EXPECT_NE(run(std::string(word) + " row.csv").err.find("did you mean distance?"),
              std::string::npos)
        << word;
  }
  for (const char* word : {"--nearest", "--min-distance", "--distances"}) {
    EXPECT_NE(run(std::string("collide row.csv ") + word)
                  .err.find("did you mean widephase "
                            "distance?"),
              std::string::npos)
        << word;
  }
  EXPECT_EQ(run("distance row.csv").out, "world 0: circle 0 and circle 1, -0.5\n");
}

}  // namespace
