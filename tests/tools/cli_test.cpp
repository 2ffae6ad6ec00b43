// The program as users see it: exit codes, messages, what it prints and what it writes.
// Labels: long host

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include "support/command.hpp"
#include "tools/commands/call_options.hpp"
#include "tools/formats/npz.hpp"

namespace {

namespace tools = widephase::tools;

namespace fs = std::filesystem;

using cli = widephase::test::Command;
using widephase::test::value_of;

TEST_F(cli, a_scene_collides_with_one_that_is_kept) {
  // A triangle of the scene and a square of the level overlap by 0.5, each with its own point set;
  // a ball of the level, of radius 0.75, is 0.5 from the triangle's corner.
  write("moving.json", R"({"dimension": 2,
    "polygon": {"center": [[0, 0]], "angle": [0], "geometry": [0]},
    "polygons": {"vertices": [[0, 0], [2, 0], [0, 2]], "offsets": [0, 3]}})");
  write("level.json", R"({"dimension": 2, "circle": {"center": [[2.5, 0]], "radius": [0.75]},
    "polygon": {"center": [[-1.5, 0]], "angle": [0], "geometry": [0]},
    "polygons": {"vertices": [[0, 0], [2, 0], [2, 1], [0, 1]], "offsets": [0, 4]}})");
  const Outcome outcome =
      run("collide moving.json --kept level.json -o found.csv --order id --json");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(value_of(outcome.out, "shapes"), "3");
  EXPECT_EQ(value_of(outcome.out, "contacts"), "2");
  EXPECT_EQ(value_of(outcome.out, "max_depth"), "0.5");
  const std::string found = read("found.csv");
  EXPECT_NE(found.find("\n0,2,-1,"), std::string::npos) << found;  // triangle and square
  EXPECT_NE(found.find("\n1,0,-1,0,1.75,0,0.25"), std::string::npos) << found;  // ball and corner
  ASSERT_EQ(run("collide moving.json --kept level.json --picture both.svg").code, 0);
  const std::string both = read("both.svg");
  EXPECT_NE(both.find("3 shapes, 2 contacts<"), std::string::npos);
  // The same shapes as one scene: the triangle by its own point set, the square by the other. The
  // ball of the level comes last, in place of first.
  write("one.json", R"({"dimension": 2, "circle": {"center": [[2.5, 0]], "radius": [0.75]},
    "polygon": {"center": [[0, 0], [-1.5, 0]], "angle": [0, 0], "geometry": [0, 1]},
    "polygons": {"vertices": [[0, 0], [2, 0], [0, 2], [0, 0], [2, 0], [2, 1], [0, 1]],
                 "offsets": [0, 3, 7]}})");
  ASSERT_EQ(run("collide one.json --picture one.svg").code, 0);
  const auto outlines = [](const std::string& picture) {
    std::vector<std::string> paths;
    const std::regex pattern("<path d=\"M[^\"]*Z\"/>");
    for (std::sregex_iterator it(picture.begin(), picture.end(), pattern), end; it != end; ++it) {
      paths.push_back(it->str());
    }
    return paths;
  };
  EXPECT_EQ(outlines(both).size(), 2u);
  EXPECT_EQ(outlines(both), outlines(read("one.svg")));
  EXPECT_EQ(run("collide moving.json --kept level.json -o level.json").code, 2);
  write("solid.csv", "x,y,z,radius\n0,0,0,1\n");
  EXPECT_NE(run("collide moving.json --kept solid.csv").err.find("solid.csv: is in 3D"),
            std::string::npos);
}

TEST_F(cli, a_floor_in_world_0_alone_is_a_warning) {
  write("farm.json", R"({"dimension": 2,
    "circle": {"center": [[0, 0], [0, 0]], "radius": [1, 1], "world": [0, 1]},
    "halfspace": {"normal": [[0, 1]], "offset": [0]}})");
  const Outcome outcome = run("collide farm.json --json");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(value_of(outcome.out, "contacts"), "1");
  EXPECT_EQ(outcome.err,
            "farm.json: warning: halfspace.world is not given, so its 1 row is in world 0 of 2 "
            "only; -1 puts them in all\n");
}

TEST_F(cli, json_is_one_object_in_the_order_of_the_contract) {
  write_row();
  const Outcome outcome = run("collide row.csv --json");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(value_of(outcome.out, "shapes"), "3");
  EXPECT_EQ(value_of(outcome.out, "worlds"), "1");
  EXPECT_EQ(value_of(outcome.out, "contacts"), "1");
  EXPECT_EQ(value_of(outcome.out, "points"), "1");
  EXPECT_EQ(value_of(outcome.out, "max_depth"), "0.5");
  EXPECT_EQ(value_of(outcome.out, "precision"), "\"double\"");
  EXPECT_TRUE(std::regex_match(value_of(outcome.out, "hash"), std::regex("\"[0-9a-f]{16}\"")));
  EXPECT_EQ(value_of(outcome.out, "content_hash"),
            value_of(run("collide row.csv --json --order id --threads 2").out, "content_hash"));
  std::size_t at = 0;
  for (const char* key :
       {"shapes", "worlds",        "pairs",   "contacts",  "points",    "max_depth",
        "hash",   "isa",           "threads", "precision", "seconds",   "load",
        "broad",  "narrow",        "total",   "bytes",     "workspace", "contacts",
        "kinds",  "circle_circle", "pairs",   "contacts",  "seconds",   "lanes"}) {
    at = outcome.out.find("\"" + std::string(key) + "\":", at);
    EXPECT_NE(at, std::string::npos) << key;
  }
  EXPECT_EQ(outcome.out.front(), '{');
  EXPECT_TRUE(outcome.out.ends_with("}\n"));
}

TEST_F(cli, far_beyond_a_cap_pairs_are_counted_no_further) {
  // 12 circles at one place: 66 pairs, more than 64 times 1.
  std::string rows = "x,y,radius\n";
  for (int i = 0; i < 12; ++i) rows += "0,0,1\n";
  write("many.csv", rows);
  EXPECT_EQ(run("collide many.csv --max-pairs 1").err,
            "many.csv: has at least 64 pairs; --max-pairs allows 1\n");
  EXPECT_EQ(run("collide many.csv --max-pairs 2").err,
            "many.csv: has 66 pairs; --max-pairs allows 2\n");
}

TEST_F(cli, caps_stop_with_the_exact_numbers) {
  // Three circles that overlap one another: 3 pairs and contacts.
  write("heap.csv", "x,y,radius\n0,0,1\n0.5,0,1\n1,0,1\n");
  EXPECT_EQ(run("collide heap.csv --max-pairs 3 --max-contacts 3").code, 0);
  const Outcome pairs = run("collide heap.csv --max-pairs 2 --max-contacts 0 -o c.npz");
  EXPECT_EQ(pairs.code, 1);
  EXPECT_EQ(pairs.out, "");
  EXPECT_EQ(pairs.err, "heap.csv: has 3 pairs; --max-pairs allows 2\n");
  const Outcome contacts = run("collide heap.csv --max-contacts 2 -o c.npz --json");
  EXPECT_EQ(contacts.code, 1);
  EXPECT_EQ(contacts.out, "");
  EXPECT_EQ(contacts.err, "heap.csv: has 3 contacts; --max-contacts allows 2\n");
  EXPECT_FALSE(fs::exists("c.npz"));
  for (const char* count : {"-1", "1,000", "1000000000000000000000"}) {
    const Outcome wrong = run(std::string("collide heap.csv --max-pairs=") + count);
    EXPECT_EQ(wrong.code, 2) << count;
    EXPECT_NE(wrong.err.find("--max-pairs: " + std::string(count) + " is not "), std::string::npos)
        << wrong.err;
    EXPECT_NE(wrong.err.find("expected an integer from 0 to 9223372036854775807"),
              std::string::npos)
        << wrong.err;
  }
  EXPECT_EQ(run("collide heap.csv --max-contacts 1.5").code, 2);
}

TEST_F(cli, table_for_people) {
  write_row();
  const Outcome outcome = run("collide row.csv -o c.csv");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(outcome.out.starts_with("row.csv: 3 circles in 1 world (2D)\n")) << outcome.out;
  EXPECT_NE(outcome.out.find("wrote c.csv"), std::string::npos);
  // A is circle 0, the point is on its right side, and B is in direction +x.
  EXPECT_TRUE(read("c.csv").starts_with("a,b,nx,ny,px,py,point_depth,feature,world,"));
  EXPECT_NE(read("c.csv").find("\n0,1,1,0,1,0,0.5,"), std::string::npos);
}

TEST_F(cli, the_demo_finds_all_sets_alike_and_writes_its_page) {
  const Outcome outcome = run("demo --seconds 0.2 --json -o page.html --picture world.svg");
  EXPECT_EQ(outcome.code, 0) << outcome.err << outcome.out;
  EXPECT_EQ(outcome.err, "");
  EXPECT_NE(outcome.out.find("\"right\": true"), std::string::npos);
  std::size_t runs = 0;
  for (std::size_t at = outcome.out.find("\"isa\""); at != std::string::npos; ++runs) {
    at = outcome.out.find("\"isa\"", at + 1);
  }
  const std::string info = run("info --json").out;
  const std::regex has_set("\"cpu_has\": true");
  const auto sets = std::distance(std::sregex_iterator(info.begin(), info.end(), has_set), {});
  // Two scenes with at least one thread.
  EXPECT_GE(runs, 2 * static_cast<std::size_t>(sets));
  EXPECT_NE(outcome.out.find("\"hull_hull\""), std::string::npos);
  EXPECT_NE(read("page.html").find("worlds in 3D"), std::string::npos);
  EXPECT_NE(read("world.svg").find("</svg>"), std::string::npos);
  EXPECT_EQ(files_in_folder(), 2u);
  for (const char* odd : {"0", "nan", "inf", "3601"}) {
    EXPECT_EQ(run(std::string("demo --seconds ") + odd).code, 2) << odd;
  }
  EXPECT_EQ(run("demo -o page.svg").code, 2);
  EXPECT_EQ(run("demo --seconds 0.1 -o no/page.html").code, 1);
}

TEST_F(cli, margin_reports_what_is_apart) {
  write_row();
  EXPECT_EQ(value_of(run("collide row.csv --json --margin 1").out, "contacts"), "2");
  EXPECT_EQ(value_of(run("collide row.csv --json --margin 0.9").out, "contacts"), "1");
}

TEST_F(cli, options_change_no_answer) {
  write_row();
  const std::string hash = value_of(run("collide row.csv --json").out, "hash");
  const std::string isa = "--isa " + narrowest_isa();
  for (const std::string options : {"--threads 1", isa.c_str(), "--method sat", "--repeat 3",
                                    "--order source", "--precision double"}) {
    const Outcome outcome = run("collide row.csv --json " + options);
    EXPECT_EQ(value_of(outcome.out, "hash"), hash) << options << outcome.err;
  }
  const Outcome single = run("collide row.csv --json --precision float");
  EXPECT_EQ(value_of(single.out, "precision"), "\"float\"");
}

TEST_F(cli, mixed_precision_keeps_what_float_loses_far_away) {
  // At 1e6, two circles of radius 1 are 1.5 + 1/64 apart, where floats are a sixteenth apart.
  write("far.json", R"({"circle": {"center": [[1000000, 0], [1000001.515625, 0]], "radius": 1}})");
  const Outcome mixed = run("collide far.json --json --precision mixed -o far.csv");
  EXPECT_EQ(mixed.code, 0) << mixed.err;
  EXPECT_EQ(value_of(mixed.out, "precision"), "\"mixed\"");
  EXPECT_EQ(value_of(mixed.out, "max_depth"), "0.484375");
  EXPECT_NE(read("far.csv").find("\n0,1,1,0,1000001,0,0.484375,0,"), std::string::npos)
      << read("far.csv");
  const Outcome single = run("collide far.json --json --precision float");
  EXPECT_EQ(value_of(single.out, "max_depth"), "0.5");
  EXPECT_NE(run("collide far.json --precision mixed -v").out.find("in mixed"), std::string::npos);
  EXPECT_EQ(run("collide far.json --precision mixed --picture far.svg -o far.npz").code, 0);
}

TEST_F(cli, pairs_of_the_file_replace_the_broad_phase) {
  write("scene.json", R"({"circle": {"center": [[0,0],[1,0],[9,0]], "radius": 1},
                          "pairs": [[1,0],[2,0],[1,0]]})");
  const Outcome outcome = run("collide scene.json --json -o c.csv");
  EXPECT_EQ(value_of(outcome.out, "pairs"), "3");
  EXPECT_EQ(value_of(outcome.out, "contacts"), "2");
  EXPECT_EQ(std::stod(value_of(outcome.out, "broad")), 0);
  EXPECT_NE(read("c.csv").find("\n1,0,-1,0,0,0,1,"), std::string::npos) << read("c.csv");
  write("scene.json",
        R"({"circle": {"center": [[0,0],[1,0]], "radius": 1}, "pairs": [[0,1],[0,7]]})");
  const Outcome broken = run("collide scene.json");
  EXPECT_EQ(broken.code, 1);
  EXPECT_TRUE(broken.err.starts_with("scene.json: pairs[1] ")) << broken.err;
  write("scene.json", R"({"circle": {"center": [[0,0],[1,0]], "radius": 1}, "pairs": [[1,1]]})");
  EXPECT_TRUE(run("collide scene.json").err.starts_with("scene.json: pairs[0] "));
}

TEST_F(cli, invalid_shapes_are_errors_and_can_be_dropped) {
  write("scene.json", R"({"circle": {"center": [[0,0],[5,5],[1,0],[9,9]], "radius": [1,-2,1,1]},
                          "excluded": [[1,2]]})");
  const Outcome broken = run("collide scene.json --json -o c.csv");
  EXPECT_EQ(broken.code, 1);
  EXPECT_EQ(broken.out, "");
  EXPECT_TRUE(broken.err.starts_with("scene.json: circle.radius[1] is -2; ")) << broken.err;
  EXPECT_EQ(files_in_folder(), 1u);
  const Outcome dropped = run("collide scene.json --json --drop-invalid -o c.csv");
  EXPECT_EQ(dropped.code, 0);
  EXPECT_TRUE(dropped.err.starts_with("scene.json: circle.radius[1] is -2; ")) << dropped.err;
  EXPECT_EQ(value_of(dropped.out, "shapes"), "3");
  // Shapes 0 and 2 touch and keep their ids although 1 was dropped.
  EXPECT_NE(read("c.csv").find("\n0,2,1,0,"), std::string::npos) << read("c.csv");
}

TEST_F(cli, owners_that_never_meet_are_read) {
  // Three circles in one place with owners 0, 1 and 2: without the pair (0, 1), two contacts
  // remain.
  const std::string circles =
      R"({"circle": {"center": [[0,0],[0,0],[0,0]], "radius": 1, "owner": [0,1,2]})";
  write("scene.json", circles + R"(, "excluded_owners": [[1,0]]})");
  EXPECT_EQ(value_of(run("collide scene.json --json").out, "contacts"), "2");
  EXPECT_EQ(run("convert scene.json -o scene.npz").code, 0);
  EXPECT_EQ(value_of(run("collide scene.npz --json").out, "contacts"), "2");
  write("scene.json", circles + R"(, "excluded_owners": [[1,0],[0,-1]]})");
  const Outcome broken = run("collide scene.json");
  EXPECT_EQ(broken.code, 1);
  EXPECT_TRUE(broken.err.starts_with("scene.json: excluded_owners[1] is (0, -1); ")) << broken.err;
}

TEST_F(cli, dropped_shapes_take_their_pairs_along) {
  write("scene.json", R"({"circle": {"center": [[0,0],[5,5],[1,0]], "radius": [1,-2,1]},
                          "pairs": [[0,1],[2,0],[1,2]]})");
  const Outcome outcome = run("collide scene.json --json --drop-invalid -o c.csv");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(value_of(outcome.out, "pairs"), "1");
  EXPECT_NE(read("c.csv").find("\n2,0,-1,0,"), std::string::npos) << read("c.csv");
}

TEST_F(cli, shapes_of_geometries_without_a_hull_can_be_dropped) {
  // Geometry 0 has three points on a line, 1 is the unit square, 2 has two points. The circle
  // reaches 0.5 across the side x = 1 of polygon 3, which is shape 4. Polygons 0 and 2 overlap it
  // too, and no shape names polygon 4.
  const std::string scene = R"({"circle": {"center": [[1.5,0.5]], "radius": 1},
    "polygons": {"vertices": [[0,0],[1,1],[2,2],[0,0],[1,0],[1,1],[0,1],[0,0],[1,0]],
                 "offsets": [0,3,7,9])";
  const std::string polygons = R"(}, "polygon": {"center": [[0,0],[5,5],[0,0],[0,0],[0,0]],
    "angle": 0, "geometry": [0,1,0,1,9]})";
  write("scene.json", scene + polygons + "}");
  const std::string line =
      "scene.json: polygons.offsets[0] begins geometry 0, which has its points on a line, within 4 "
      "epsilons of its extent; a polygon needs 3 that span an area";
  const Outcome broken = run("collide scene.json --json -o c.csv");
  EXPECT_EQ(broken.code, 1);
  EXPECT_EQ(broken.out, "");
  EXPECT_EQ(broken.err, line + "\n");
  const Outcome dropped = run("collide scene.json --json --drop-invalid -o c.csv");
  EXPECT_EQ(dropped.code, 0);
  EXPECT_EQ(dropped.err, line + R"( (polygons 0, 2 left out)
scene.json: polygons.offsets[2] begins geometry 2, which has fewer than 3 distinct points; a polygon needs 3 that span an area (no polygon names it)
scene.json: polygon.geometry[4] is 9; the scene has 3 geometries, counted from 0 (left out)
)");
  EXPECT_EQ(value_of(dropped.out, "shapes"), "3");
  EXPECT_EQ(value_of(dropped.out, "contacts"), "1");
  // The circle's leftmost point is at x = 0.5.
  EXPECT_NE(read("c.csv").find("\n0,4,-1,0,0.5,0.5,0.5,"), std::string::npos) << read("c.csv");
  // If the side x = 1 is inner, y = 1 or y = 0 remain: half the square plus the radius. The
  // remaining geometries keep their flags.
  write("scene.json", scene + R"(, "inner": [0,0,0,0,1,0,0,0,0])" + polygons + "}");
  const Outcome inner = run("collide scene.json --json --drop-invalid -o c.csv");
  EXPECT_EQ(inner.code, 0) << inner.err;
  EXPECT_TRUE(inner.err.starts_with("scene.json: polygons.vertices[0] does not turn within "))
      << inner.err;
  EXPECT_NE(inner.err.find(" as given (polygons 0, 2 left out)\n"), std::string::npos) << inner.err;
  EXPECT_EQ(value_of(inner.out, "max_depth"), "1.5");
}

TEST_F(cli, messages_name_options_and_columns_of_files) {
  // 300 points on a sphere are all vertices, and a hull has at most 255.
  std::string vertices;
  for (int i = 0; i < 300; ++i) {
    const double z = 1 - (2 * i + 1.0) / 300, turn = 2.4 * i, r = std::sqrt(1 - z * z);
    vertices += (i == 0 ? "[" : ",[") + std::to_string(r * std::cos(turn)) + "," +
                std::to_string(r * std::sin(turn)) + "," + std::to_string(z) + "]";
  }
  write("ball.json", R"({"hulls": {"vertices": [)" + vertices + R"(], "offsets": [0,300]},
    "hull": {"center": [[0,0,0]], "orientation": [[0,0,0,1]], "geometry": [0]}})");
  const Outcome ball = run("collide ball.json");
  EXPECT_EQ(ball.code, 1);
  EXPECT_NE(ball.err.find("widephase convert --max-vertices makes simpler ones of meshes"),
            std::string::npos)
      << ball.err;
  EXPECT_EQ(ball.err.find("add_hull"), std::string::npos) << ball.err;
  write("box.json", R"({"box": {"center": [[0,0,0]], "orientation": [[0,0,1,1]],
    "half_extents": [[1,1,1]]}})");
  EXPECT_EQ(run("collide box.json").err,
            "box.json: box.orientation[0] has squared length 2; it must be 1 within 1e-4\n");
  write("strange.bin", std::string(1, '\0'));
  EXPECT_NE(run("collide strange.bin").err.find("say which with widephase convert --from: npz"),
            std::string::npos);
}

TEST_F(cli, help_has_the_options_of_the_call) {
  const std::string help = run("collide --help").out;
  const widephase::CollideOptions defaults;
  widephase::for_each_option(
      [&](const widephase::Option& option, const auto&) {
        std::string name = "--" + std::string(option.name);
        std::replace(name.begin(), name.end(), '_', '-');
        const bool is_there = help.find("  " + name + " ") != std::string::npos;
        const bool is_wanted =
            option.calls.has_any({widephase::Call::collide, widephase::Call::collide_static}) &&
            tools::why_not_on_command_line(option.name).empty();
        EXPECT_EQ(is_there, is_wanted) << name;
      },
      defaults);
}

TEST_F(cli, hulls_without_volume_can_be_dropped) {
  // Two spheres that overlap by 1, and a hull of a square.
  write("scene.json", R"({"sphere": {"center": [[0,0,0],[1,0,0]], "radius": 1},
    "hulls": {"vertices": [[0,0,0],[1,0,0],[1,1,0],[0,1,0]], "offsets": [0,4]},
    "hull": {"center": [[0,0,0]], "orientation": [[0,0,0,1]], "geometry": [0]}})");
  const std::string problem =
      "scene.json: hulls.offsets[0] begins geometry 0, which has its points in a plane, within 16 "
      "epsilons of its extent; a hull needs 4 that span a volume";
  const Outcome broken = run("collide scene.json --json");
  EXPECT_EQ(broken.code, 1);
  EXPECT_EQ(broken.err, problem + "\n");
  const Outcome dropped = run("collide scene.json --json --drop-invalid");
  EXPECT_EQ(dropped.code, 0);
  EXPECT_EQ(dropped.err, problem + " (hull 0 left out)\n");
  EXPECT_EQ(value_of(dropped.out, "shapes"), "2");
  EXPECT_EQ(std::stod(value_of(dropped.out, "max_depth")), 1);
}

TEST_F(cli, wrong_usage_is_2_and_says_what_to_do) {
  write_row();
  for (const char* arguments : {"",
                                "collide",
                                "fly",
                                "collide row.csv --margin -1",
                                "collide row.csv --margin nan",
                                "collide row.csv --margin far",
                                "collide row.csv --most-patches -1",
                                "collide row.csv --most-patches few",
                                "collide row.csv --patch-angle 91",
                                "collide row.csv --patch-angle nan",
                                "collide row.csv --flush-tolerance -1",
                                "collide row.csv --flush-tolerance inf",
                                "collide row.csv --isa mmx",
                                "collide row.csv --threads -3",
                                "collide row.csv --order size",
                                "collide row.csv --precision half",
                                "collide row.csv --repeat 0",
                                "collide row.csv -o ./row.csv",
                                "collide row.csv --unknown",
                                "collide row.csv -o c.txt",
                                "collide row.csv --picture c.png",
                                "collide row.csv --world 0",
                                "collide row.csv --picture a.svg --world 5",
                                "convert row.csv",
                                "convert row.csv -o row.txt",
                                "convert row.csv -o a.npz --radius 1",
                                "convert row.csv -o a.npz --unit cm",
                                "convert row.csv -o a.npz --dimension 3",
                                "convert row.csv -o a.npz --periodic xy",
                                "convert row.csv -o a.npz --max-vertices 8",
                                "convert row.csv -o a.npz --max-vertices 3",
                                "convert row.csv -o a.npz --from tea",
                                "convert row.csv -o a.npz --from trajectory",
                                "info --more"}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 2) << arguments << outcome.err;
    EXPECT_EQ(outcome.out, "") << arguments;
    EXPECT_TRUE(outcome.err.starts_with("widephase")) << outcome.err;
    EXPECT_NE(outcome.err.find("--help"), std::string::npos) << arguments;
    EXPECT_EQ(files_in_folder(), 1u) << arguments;
  }
}

TEST_F(cli, what_is_no_text_is_refused_and_does_not_reach_the_terminal) {
  // A compressed archive starts like this; the comma looks like the first line of a CSV.
  write("rows.tar.bz2", "BZh91AY&SY,\x1b[31m\x80\x01\n\xff,");
  const Outcome archive = run("collide rows.tar.bz2");
  EXPECT_EQ(archive.code, 1);
  EXPECT_EQ(archive.err, "rows.tar.bz2: is compressed; unpack it first\n");
  write("red.csv", "x,y,\x1b[31mradius\xff,gr\xc3\xb6sse\n");
  EXPECT_EQ(run("collide red.csv").err,
            "red.csv: line 1 is \"x,y,\\x1b[31mradius\\xff,gr\xc3\xb6sse\"; expected the header "
            "x,y[,z],radius[,world]\n");
  // A name that the message repeats.
  write("red.json", R"({"type": "FeatureCollection", "features": [{"type": "Feature",
      "properties": {"name": "\u001b[31m"}, "geometry": {"type": "Polygon",
      "coordinates": [[[0,0],[1,0]]]}}]})");
  const Outcome skipped = run("decompose red.json --skip-invalid");
  EXPECT_EQ(skipped.code, 0);
  EXPECT_TRUE(skipped.err.starts_with("red.json: feature 0 (\\x1b[31m), ring 0 ")) << skipped.err;
}

TEST_F(cli, bad_input_is_1_in_one_sentence) {
  write_row();
  write("letters.csv", "x,y,radius\n0,0,1\n0,zero,1\n");
  write("nan.csv", "x,y,radius\n0,nan,1\n");
  write("upside.json", R"({"aabb": {"min": [[1, 1]], "max": [[0, 0]]}})");
  write("thin.json", R"({"circle": {"center": [[0, 0], [1, 1]], "radius": 1},
        "domain": {"min": [0, 0], "max": [2, 2], "periodic": [1, 1]}})");
  write("cylinder.json", R"({"cylinder": {"center": [[0, 0, 0]], "orientation": [[0, 0, 0, 1]],
        "half_height": -1, "radius": 1}, "sphere": {"center": [[0, 0, 0]], "radius": 1}})");
  write("crowd.txt", "1 0 0 0\n2 0 0 0\n");
  write("cut.npz", "PK\3\4 and no more");
  for (const char* path : {"letters.csv", "nan.csv", "upside.json", "thin.json", "cylinder.json",
                           "crowd.txt", "cut.npz", "missing.npz"}) {
    const Outcome outcome = run(std::string("collide ") + path + " --json -o out.npz");
    EXPECT_EQ(outcome.code, 1) << path;
    EXPECT_EQ(outcome.out, "") << path;
    EXPECT_TRUE(outcome.err.starts_with(std::string(path) + ": ")) << outcome.err;
    EXPECT_EQ(outcome.err.find('\n'), outcome.err.size() - 1) << outcome.err;
    EXPECT_FALSE(fs::exists("out.npz")) << path;
  }
  EXPECT_EQ(run("collide crowd.txt").err,
            "crowd.txt: is of the format trajectory; convert it first: widephase convert crowd.txt "
            "--radius 0.2 -o scene.npz\n");
  EXPECT_EQ(run("collide letters.csv").err,
            "letters.csv: line 3 has \"zero\" where a number is expected\n");
}

TEST_F(cli, every_method_finds_the_polygons_contacts) {
  // A triangle's corner at (1.9, 0.5) in a box from 1.5 on: 0.4 deep along x. A circle beside it.
  write("polygons.json", R"({"polygons": {"vertices": [[0, 0], [1.9, 0.5], [0, 1], [0, 0.5]],
        "offsets": [0, 4]},
        "polygon": {"center": [[0, 0]], "angle": [0], "geometry": [0]},
        "box": {"center": [[2.5, 0.5]], "angle": 0, "half_extents": [[1, 2]]},
        "circle": {"center": [[-0.5, 0.5]], "radius": 0.75}})");
  for (const char* method : {"auto", "sat", "gjk_epa"}) {
    const Outcome outcome =
        run(std::string("collide polygons.json --json --margin 0.1 --method ") + method);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(value_of(outcome.out, "contacts"), "2") << method;
    EXPECT_NEAR(std::stod(value_of(outcome.out, "max_depth")), 0.4, 1e-12) << method;
    EXPECT_NE(outcome.out.find("box_polygon"), std::string::npos) << method;
    EXPECT_NE(outcome.out.find("circle_polygon"), std::string::npos) << method;
  }
}

TEST_F(cli, every_method_finds_the_contacts_of_hulls_and_cylinders) {
  // In a cylinder from z = -1 to 1 a ball of radius 1 at z = 0.5: 0.5 below the cap, so 1.5 deep. A
  // cube from x = 2.75 to 3.75, 0.25 deep in the cylinder's side, which is at 3, and in a box that
  // begins at 3.5.
  write("solids.json", R"({"sphere": {"center": [[0, 0, 0.5]], "radius": 1},
        "box": {"center": [[4.5, 0, 0]], "orientation": [[0, 0, 0, 1]], "half_extents": [[1, 2, 2]]},
        "hulls": {"vertices": [[-0.5, -0.5, -0.5], [0.5, -0.5, -0.5], [-0.5, 0.5, -0.5],
          [0.5, 0.5, -0.5], [-0.5, -0.5, 0.5], [0.5, -0.5, 0.5], [-0.5, 0.5, 0.5],
          [0.5, 0.5, 0.5]], "offsets": [0, 8]},
        "hull": {"center": [[3.25, 0, 0]], "orientation": [[0, 0, 0, 1]], "geometry": [0]},
        "cylinder": {"center": [[0, 0, 0]], "orientation": [[0, 0, 0, 1]], "half_height": 1,
          "radius": 3}})");
  for (const char* method : {"auto", "sat", "gjk_epa"}) {
    const Outcome outcome = run(std::string("collide solids.json --json --method ") + method);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(value_of(outcome.out, "contacts"), "3") << method;
    EXPECT_NEAR(std::stod(value_of(outcome.out, "max_depth")), 1.5, 1e-12) << method;
    for (const char* pair : {"sphere_cylinder", "box_hull", "hull_cylinder"}) {
      EXPECT_NE(outcome.out.find(pair), std::string::npos) << method << ", " << pair;
    }
  }
}

TEST_F(cli, a_file_without_read_permission) {
  write_row();
  fs::permissions("row.csv", fs::perms::none);
  if (std::ifstream("row.csv")) GTEST_SKIP() << "this user may read everything";
  const Outcome outcome = run("collide row.csv");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.err, "row.csv: cannot be opened: Permission denied\n");
}

TEST_F(cli, a_full_disk_leaves_the_old_file) {
  // 3,000 touching circles: the archive exceeds the shell's limit of 4 blocks of 512 or 1,024
  // bytes.
  std::ofstream text("row.csv");
  text << "x,y,radius\n";
  for (int i = 0; i < 3000; ++i) text << i * 1.7 << ",0." << i * 7919 % 1000 << ",1\n";
  text.close();
  write("out.npz", "old");
  const Outcome outcome = run("collide row.csv -o out.npz", "ulimit -f 4;");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.err, "out.npz: cannot be written: File too large\n");
  EXPECT_EQ(read("out.npz"), "old");
  EXPECT_EQ(files_in_folder(), 2u);
  const Outcome converted = run("convert row.csv -o out.npz", "ulimit -f 4;");
  EXPECT_EQ(converted.code, 1);
  EXPECT_EQ(read("out.npz"), "old");
  EXPECT_EQ(files_in_folder(), 2u);
}

TEST_F(cli, a_full_standard_output_is_told) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  write_row();
  const int status = std::system((std::string("$WIDEPHASE_EMULATOR ") + WIDEPHASE_CLI +
                                  " collide row.csv --json >/dev/full 2>.err")
                                     .c_str());
  EXPECT_EQ(WEXITSTATUS(status), 1);
  EXPECT_EQ(read(".err"), "standard output: cannot be written: No space left on device\n");
}

TEST_F(cli, what_cannot_be_printed_is_told_wherever_it_is) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  write_row();
  const auto code_of = [](const std::string& arguments) {
    const std::string command =
        std::string("$WIDEPHASE_EMULATOR ") + WIDEPHASE_CLI + " " + arguments;
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  };
  // The help is longer than a buffer, so the write that fails is not the last one.
  for (const char* arguments :
       {"collide row.csv", "collide --help", "--version", "info --json",
        "convert row.csv -o row.npz", "generate uniform --count 10 -o made.npz"}) {
    EXPECT_EQ(code_of(std::string(arguments) + " >/dev/full 2>.err"), 1) << arguments;
    EXPECT_TRUE(read(".err").starts_with("standard output: cannot be written: ")) << read(".err");
  }
  // If standard error is full there is no message, and the exit code is the same.
  EXPECT_EQ(code_of("collide none.csv >.out 2>/dev/full"), 1);
  EXPECT_EQ(code_of("collide >.out 2>/dev/full"), 2);
  EXPECT_EQ(code_of("collide row.csv >.out 2>/dev/full"), 0);
}

TEST_F(cli, closed_streams_end_no_program_and_lend_no_file_their_number) {
  if (std::getenv("WIDEPHASE_EMULATOR") != nullptr)
    GTEST_SKIP() << "the emulator takes their numbers";
  write_row();
  const auto code_of = [](const std::string& arguments) {
    const std::string command =
        std::string("$WIDEPHASE_EMULATOR ") + WIDEPHASE_CLI + " " + arguments;
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  };
  EXPECT_EQ(code_of("collide row.csv >&- 2>&-"), 1);
  EXPECT_EQ(code_of("collide row.csv >&- 2>.err"), 1);
  EXPECT_EQ(read(".err"), "standard output: cannot be written: Bad file descriptor\n");
  EXPECT_EQ(code_of("collide none.csv >&- 2>&-"), 1);
  EXPECT_EQ(code_of("collide >&- 2>&-"), 2);
  EXPECT_EQ(code_of("collide row.csv <&- 2>&- >.out"), 0);
  // Contacts are written completely even if nothing can be printed.
  EXPECT_EQ(code_of("collide row.csv -o open.csv >.out 2>.err"), 0);
  EXPECT_EQ(code_of("collide row.csv -o closed.csv <&- >&- 2>&-"), 1);
  EXPECT_EQ(read("closed.csv"), read("open.csv"));
  fs::remove(".out");
  fs::remove(".err");
  EXPECT_EQ(files_in_folder(), 3u);
}

TEST_F(cli, a_read_only_file_stays) {
  write_row();
  write("c.npz", "mine");
  fs::permissions("c.npz", fs::perms::owner_read | fs::perms::group_read | fs::perms::others_read);
  for (const char* arguments : {"collide row.csv -o c.npz", "convert row.csv -o c.npz",
                                "generate uniform --count 3 -o c.npz"}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 1) << arguments;
    EXPECT_EQ(outcome.err,
              "c.npz: may not be written (its mode is 444); name another file, or allow it with "
              "chmod u+w\n");
  }
  EXPECT_EQ(read("c.npz"), "mine");
  EXPECT_EQ(files_in_folder(), 2u);
}

TEST_F(cli, depths_are_printed_with_all_their_digits) {
  // Two balls of radius 1 that overlap by 2^-20: six digits would hide it.
  write("near.csv", "x,y,radius\n0,0,1\n1.99999904632568359375,0,1\n");
  const Outcome outcome = run("collide near.csv");
  EXPECT_NE(outcome.out.find("  9.5367431640625e-07\n"), std::string::npos) << outcome.out;
}

TEST_F(cli, a_style_and_folders_are_given_to_convert) {
  write("data.spheres",
        "balls\n\n1 atoms\n1 atom types\n0 9 xlo xhi\n0 9 ylo yhi\n0 9 zlo zhi\n\nAtoms\n\n"
        "1 1 1 2 5 5 5\n");
  const Outcome unclear = run("convert data.spheres -o spheres.json");
  EXPECT_EQ(unclear.code, 1);
  EXPECT_NE(unclear.err.find("say so with --style sphere"), std::string::npos) << unclear.err;
  EXPECT_EQ(run("convert data.spheres --style sphere -o spheres.json").code, 0);
  EXPECT_EQ(run("convert data.spheres --style full -o spheres.json").code, 2);
  fs::create_directories("main");
  fs::create_directories("other");
  write("other/kid.xml", R"(<mujoco><worldbody><geom size="3"/></worldbody></mujoco>)");
  write("main/all.xml", R"(<mujoco><asset><model name="kid" file="../other/kid.xml"/></asset>
    <worldbody><attach model="kid" prefix="a_"/></worldbody></mujoco>)");
  EXPECT_EQ(run("convert main/all.xml -o all.json").code, 1);
  for (const char* options : {"--allow-files other main/all.xml",
                              "main/all.xml --allow-files main --allow-files other"}) {
    const Outcome outcome = run("convert " + std::string(options) + " -o all.json");
    EXPECT_EQ(outcome.code, 0) << outcome.err;
  }
  EXPECT_EQ(run("convert main/all.xml --allow-files nowhere -o all.json").code, 2);
}

TEST_F(cli, parts_of_outlines_collide_in_every_precision) {
  // A notch whose rim has a corner 1e-9 high, which float flattens.
  write("notch.json",
        "[[[0, 0], [4, 0], [4, 2], [3, 2.000000001], [2, 2], [2, 1], [1, 2], [0, 2]]]");
  ASSERT_EQ(run("decompose notch.json -o notch.npz").code, 0);
  for (const char* precision : {"float", "mixed", "double"}) {
    const Outcome outcome = run(std::string("collide notch.npz --precision ") + precision);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
  }
}

TEST_F(cli, a_forced_instruction_set_that_does_not_exist) {
  write_row();
  const Outcome outcome = run("collide row.csv", "WIDEPHASE_ISA=mmx");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("mmx"), std::string::npos);
  EXPECT_EQ(outcome.err.find('\n'), outcome.err.size() - 1);
}

/// A pyramid over a square: five vertices.
const std::string kPyramid =
    "v 0 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\nv 1 1 1\nf 4 3 2 1\nf 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\n";

TEST_F(cli, meshes_become_hulls) {
  write("parts.obj", kPyramid + "o second\n" + kPyramid);
  const Outcome converted = run("convert parts.obj -o parts.npz");
  EXPECT_EQ(converted.code, 0) << converted.err;
  EXPECT_EQ(converted.err, "");
  EXPECT_EQ(converted.out, "parts.npz: 2 hulls in 1 world (3D)\n");
  const Outcome simpler = run("convert parts.obj --max-vertices 4 -o parts.json");
  EXPECT_EQ(simpler.code, 0) << simpler.err;
  EXPECT_TRUE(
      simpler.err.starts_with("parts.obj: group 0 is enclosed by a hull of 4 vertices, "
                              "which exceeds its own by at most "))
      << simpler.err;
  EXPECT_NE(simpler.err.find("\nparts.obj: group 1 \"second\" is enclosed"), std::string::npos);
  const Outcome collided = run("collide parts.obj");
  EXPECT_EQ(collided.code, 1);
  EXPECT_EQ(collided.err,
            "parts.obj: is of the format obj; convert it first: widephase convert parts.obj -o "
            "scene.npz\n");
  write("part.txt", "solid leaf\nendsolid leaf\n");
  const Outcome empty = run("convert part.txt --from stl -o part.npz");
  EXPECT_EQ(empty.code, 1);
  EXPECT_EQ(empty.err, "part.txt: has no faces; expected a group of them for each hull\n");
}

TEST_F(cli, crowd_from_trajectory_to_picture) {
  write("crowd.txt", "# id frame x/cm y/cm\n1 5 0 0\n2 5 30 0\n1 6 0 0\n2 6 90 0\n3 6 300 100\n");
  const Outcome converted = run("convert crowd.txt --radius 0.2 -o crowd.npz");
  EXPECT_EQ(converted.code, 0) << converted.err;
  EXPECT_EQ(converted.out, "crowd.npz: 5 circles in 2 worlds (2D), frames 5 to 6\n");
  // In frame 5 the two stand 0.3 m apart with 0.4 m of radii.
  const Outcome outcome =
      run("collide crowd.npz --json -o c.npz --order world --picture crowd.svg");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(value_of(outcome.out, "worlds"), "2");
  EXPECT_EQ(value_of(outcome.out, "contacts"), "1");
  EXPECT_TRUE(value_of(outcome.out, "max_depth").starts_with("0.1"));
  EXPECT_TRUE(read("c.npz").find("world_offset.npy") != std::string::npos);
  const std::string all = read("crowd.svg");
  EXPECT_TRUE(all.starts_with("<svg ")) << all.substr(0, 80);
  EXPECT_TRUE(all.ends_with("</svg>\n"));
  EXPECT_NE(all.find("5 shapes of 2 worlds on top of one another, 1 contact<"), std::string::npos);
  EXPECT_EQ(run("collide crowd.npz --picture one.svg --world 1").code, 0);
  EXPECT_NE(read("one.svg").find("3 shapes, 0 contacts<"), std::string::npos);
}

TEST_F(cli, empty_scenes_are_valid) {
  write("empty.csv", "x,y,z,radius\n");
  const Outcome outcome = run("collide empty.csv --json -o c.npz --picture p.svg");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(value_of(outcome.out, "contacts"), "0");
  EXPECT_EQ(value_of(outcome.out, "max_depth"), "0.0");
  EXPECT_TRUE(fs::exists("c.npz"));
  EXPECT_TRUE(fs::exists("p.svg"));
}

TEST_F(cli, pictures_of_every_kind) {
  write("flat.json", R"({"circle": {"center": [[0, 0]], "radius": 1}, "capsule": {"a": [[1, 0]],
    "b": [[3, 1]], "radius": 0.5}, "aabb": {"min": [[-3, -1]], "max": [[-0.5, 1]]},
    "halfspace": {"normal": [[0, 1]], "offset": -1}})");
  write("solid.json", R"({"sphere": {"center": [[0, 0, 0]], "radius": 1}, "capsule": {"a":
    [[1, 0, 0]], "b": [[3, 1, 0]], "radius": 0.5}, "aabb": {"min": [[-3, -1, -1]], "max":
    [[-0.5, 1, 1]]}, "box": {"center": [[0, 3, 0]], "orientation": [[0, 0, 0.6, 0.8]],
    "half_extents": [[1, 2, 0.5]], "radius": 0.25},
    "hulls": {"vertices": [[0, 0, 0], [2, 0, 0], [0, 2, 0], [0, 0, 2]], "offsets": [0, 4]},
    "hull": {"center": [[0, 0.5, 0]], "orientation": [[0, 0, 0, 1]], "geometry": [0]},
    "cylinder": {"center": [[1, 2, 0]], "orientation": [[0.6, 0, 0, 0.8]], "half_height": 1,
    "radius": 0.5, "rounding": 0.25}, "halfspace": {"normal": [[0, 0, 1]], "offset": -1},
    "ellipsoid": {"center": [[-2, 2, 0]], "orientation": [[0.6, 0, 0, 0.8]],
    "half_extents": [[1, 0.5, 0.25]]}, "cone": {"center": [[2, -2, 0]],
    "orientation": [[0, 0, 0, 1]], "half_height": 1, "radius": 0.5},
    "domain": {"min": [-4, -4, -4], "max": [4, 4, 4]}})");
  for (const char* name : {"flat", "solid"}) {
    const Outcome outcome =
        run(std::string("collide ") + name + ".json --picture " + name + ".svg");
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const std::string picture = read(std::string(name) + ".svg");
    EXPECT_TRUE(picture.ends_with("</svg>\n"));
    EXPECT_EQ(picture.find("nan"), std::string::npos);
    EXPECT_EQ(picture.find("inf"), std::string::npos);
  }
}

TEST_F(cli, pictures_of_boxes_and_polygons_show_their_corners) {
  // The domain is 11 by 6. With 2% of 11 around it, the page is 1144 pixels wide, 100 per unit: (x,
  // y) is drawn at (50 + 100 x, 696 - 100 y).
  write("flat.json", R"({
    "box": {"center": [[2, 3], [4.5, 3], [6, 4.5]], "angle": [1.5707963267948966, 0, 0],
            "half_extents": [[1, 0.5], [0.5, 0.5], [0.5, 0]], "radius": [0, 0.25, 0.25]},
    "polygon": {"center": [[7, 3], [9, 3]], "angle": [3.141592653589793, 0], "geometry": 0,
                "radius": [0, 0.25]},
    "polygons": {"vertices": [[0, 0], [0.8, 0], [0, 0.6]], "offsets": [0, 3]},
    "domain": {"min": [0, 0], "max": [11, 6]}})");
  const Outcome outcome = run("collide flat.json --picture flat.svg");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const std::string picture = read("flat.svg");
  for (const char* path : {
           // A quarter turn makes the box 1 wide and 2 high; its first corner is then the lower
           // right.
           "M300 496L300 296L200 296L200 496Z",
           // Each side is moved out by 0.25, with a quarter of a circle between sides.
           "M450 471L550 471A25 25 0 0 0 575 446L575 346A25 25 0 0 0 550 321L450 321"
           "A25 25 0 0 0 425 346L425 446A25 25 0 0 0 450 471Z",
           // Without height: a capsule.
           "M600 271L700 271A25 25 0 0 0 700 221L600 221A25 25 0 0 0 600 271Z",
           // Half a turn about the corner of the right angle.
           "M750 396L670 396L750 456Z",
           // The normal of the long side is (0.6, 0.8): a radius of 0.25 moves it by (0.15, 0.2).
           "M950 421L1030 421A25 25 0 0 0 1045 376L965 316A25 25 0 0 0 925 336L925 396"
           "A25 25 0 0 0 950 421Z",
       }) {
    EXPECT_NE(picture.find(path), std::string::npos) << path << '\n' << picture;
  }
}

/// The faces of boxes in a picture of a 3D scene, as written.
std::vector<std::string> faces_in(const std::string& picture) {
  std::vector<std::string> faces;
  const std::regex pattern("<path class=\"f[^>]*>");
  for (std::sregex_iterator it(picture.begin(), picture.end(), pattern), end; it != end; ++it) {
    faces.push_back(it->str());
  }
  return faces;
}

TEST_F(cli, boxes_in_space_are_collided_and_show_three_faces) {
  // A cube rotated about z stands 0.25 deep in a slab, completely above it: four points. A ball of
  // radius 1 is 0.25 deep in the cube's upper face at 2.75: one point. The third box is alone.
  write("solid.json", R"({"box": {"center": [[0, 0, 0], [0, 0, 1.75], [9, 0, 0]],
    "orientation": [[0, 0, 0, 1], [0, 0, 0.6, 0.8], [0.5, 0.5, 0.5, 0.5]],
    "half_extents": [[2, 2, 1], [1, 1, 1], [1, 2, 3]], "radius": [0, 0, 0.25]},
    "sphere": {"center": [[0, 0, 3.5]], "radius": 1}})");
  const Outcome outcome = run("collide solid.json --json -o c.csv --picture solid.svg");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(value_of(outcome.out, "shapes"), "4");
  EXPECT_EQ(value_of(outcome.out, "contacts"), "2");
  EXPECT_EQ(value_of(outcome.out, "points"), "5");
  EXPECT_NEAR(std::stod(value_of(outcome.out, "max_depth")), 0.25, 1e-12);
  EXPECT_NE(outcome.out.find("box_box"), std::string::npos);
  EXPECT_NE(outcome.out.find("sphere_box"), std::string::npos);
  // The ball is shape 0, and the slab's normal points up to the cube.
  EXPECT_NE(read("c.csv").find("\n0,2,0,0,-1,0,0,2.5,0.25,"), std::string::npos) << read("c.csv");
  EXPECT_NE(read("c.csv").find("\n1,2,0,0,1,"), std::string::npos) << read("c.csv");
  const std::string picture = read("solid.svg");
  EXPECT_TRUE(picture.ends_with("</svg>\n"));
  EXPECT_NE(picture.find("4 shapes, 2 contacts<"), std::string::npos);
  EXPECT_EQ(picture.find("nan"), std::string::npos);
  EXPECT_EQ(picture.find("inf"), std::string::npos);
  EXPECT_EQ(faces_in(picture).size(), 9u) << picture;
}

TEST_F(cli, an_upright_box_is_drawn_as_the_aabb_at_its_place) {
  // Rounded by 0.5, which the picture shows as sharp edges that are farther out.
  write("box.json", R"({"box": {"center": [[1, 2, 3]], "orientation": [[0, 0, 0, 1]],
    "half_extents": [[0.5, 1.5, 2.5]], "radius": 0.5}})");
  write("aabb.json", R"({"aabb": {"min": [[0, 0, 0]], "max": [[2, 4, 6]]}})");
  for (const char* name : {"box", "aabb"}) {
    const Outcome outcome =
        run(std::string("collide ") + name + ".json --picture " + name + ".svg");
    EXPECT_EQ(outcome.code, 0) << outcome.err;
  }
  EXPECT_EQ(faces_in(read("aabb.svg")).size(), 3u);
  EXPECT_EQ(faces_in(read("box.svg")), faces_in(read("aabb.svg")));
}

TEST_F(cli, boxes_and_polygons_of_no_size_are_drawn) {
  write("thin.json", R"({"box": {"center": [[0, 0], [2, 0], [4, 0]], "angle": 0.5,
    "half_extents": [[0, 0], [1, 0], [0, 0]], "radius": [0.5, 0, 0]}})");
  const Outcome outcome = run("collide thin.json --picture thin.svg");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const std::string picture = read("thin.svg");
  EXPECT_TRUE(picture.ends_with("</svg>\n"));
  EXPECT_EQ(picture.find("nan"), std::string::npos);
  EXPECT_EQ(picture.find("inf"), std::string::npos);
}

/// Two features: an L of two parts, and a square with a crossing outline beside it.
const char* const kRooms = R"({"type": "FeatureCollection", "features": [
  {"type": "Feature", "properties": {"name": "hall"}, "geometry": {"type": "Polygon",
   "coordinates": [[[0,0],[4,0],[4,2],[2,2],[2,4],[0,4],[0,0]]]}},
  {"type": "Feature", "properties": {"name": "yard"}, "geometry": {"type": "MultiPolygon",
   "coordinates": [[[[5,0],[6,0],[6,1],[5,1]]], [[[8,0],[9,1],[9,0],[8,2]]]]}}]})";

TEST_F(cli, outlines_become_a_scene_with_an_owner_a_feature) {
  write("rings.json", "[[[0,0],[4,0],[4,2],[2,2],[2,4],[0,4]]]");
  const Outcome outcome = run("decompose rings.json -o parts.json --picture parts.svg");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(
      outcome.out.starts_with("rings.json: 2 parts with 8 vertices of 1 outline under 1 owner\n"))
      << outcome.out;
  EXPECT_NE(outcome.out.find("wrote parts.json"), std::string::npos);
  const std::string scene = read("parts.json");
  EXPECT_NE(scene.find("\"owner\": [0,0]"), std::string::npos) << scene;
  EXPECT_NE(scene.find("\"geometry\": [0,1]"), std::string::npos);
  EXPECT_NE(scene.find("\"offsets\": [0,4,8]"), std::string::npos);
  const std::string picture = read("parts.svg");
  EXPECT_TRUE(picture.starts_with("<svg "));
  EXPECT_TRUE(picture.ends_with("</svg>\n"));
  EXPECT_NE(picture.find("stroke-dasharray"), std::string::npos);
  // The archive holds the same and is a scene that other commands read.
  EXPECT_EQ(run("decompose rings.json -o parts.npz").code, 0);
  EXPECT_EQ(run("convert parts.npz -o again.json").out, "again.json: 2 polygons in 1 world (2D)\n");
  EXPECT_EQ(read("again.json"), scene);
}

TEST_F(cli, invalid_outlines_are_errors_and_can_be_skipped) {
  write("rooms.geojson", kRooms);
  const std::string problem =
      "rooms.geojson: feature 1 (yard), polygon 1, ring 0, vertex 0 at (8, 0) begins an edge "
      "that crosses the edge from vertex 2 of ring 0; the edges of an outline must not cross";
  const Outcome broken = run("decompose rooms.geojson --json -o parts.npz");
  EXPECT_EQ(broken.code, 1);
  EXPECT_EQ(broken.out, "");
  EXPECT_EQ(broken.err, problem + "\n");
  EXPECT_EQ(files_in_folder(), 1u);
  const Outcome skipped = run("decompose rooms.geojson --json -o parts.json --skip-invalid");
  EXPECT_EQ(skipped.code, 0);
  EXPECT_EQ(skipped.err, problem + " (left out)\n");
  EXPECT_EQ(value_of(skipped.out, "outlines"), "2");
  EXPECT_EQ(value_of(skipped.out, "owners"), "2");
  EXPECT_EQ(value_of(skipped.out, "vertices"), "11");
  EXPECT_EQ(value_of(skipped.out, "parts"), "3");
  EXPECT_EQ(value_of(skipped.out, "area"), "13.0");
  EXPECT_EQ(value_of(skipped.out, "repaired"), "0");
  EXPECT_EQ(value_of(skipped.out, "skipped"), "1");
  EXPECT_NE(read("parts.json").find("\"owner\": [0,0,1]"), std::string::npos);
}

TEST_F(cli, files_without_outlines_are_valid) {
  write("none.json", R"({"type": "FeatureCollection", "features": []})");
  const Outcome outcome = run("decompose none.json --json -o none.npz --picture none.svg");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(value_of(outcome.out, "parts"), "0");
  EXPECT_EQ(run("collide none.npz").code, 0);
}

TEST_F(cli, wrong_usage_of_decompose) {
  write("rings.json", "[[[0,0],[1,0],[0,1]]]");
  for (const char* arguments :
       {"decompose", "decompose rings.json -o parts.csv", "decompose rings.json -o rings.json",
        "decompose rings.json --picture ./rings.json", "decompose rings.json --picture parts.png",
        "decompose rings.json --object left", "decompose rings.json --drop"}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 2) << arguments << outcome.err;
    EXPECT_EQ(outcome.out, "") << arguments;
    EXPECT_TRUE(outcome.err.starts_with("widephase decompose: ")) << outcome.err;
    EXPECT_EQ(files_in_folder(), 1u) << arguments;
  }
  EXPECT_EQ(run("decompose missing.json").err,
            "missing.json: cannot be opened: No such file or directory\n");
}

TEST_F(cli, generated_scenes_are_those_of_their_seed_and_can_be_collided) {
  const Outcome made = run("generate stack --count 50 --seed 7 -o stack.npz");
  EXPECT_EQ(made.code, 0) << made.err;
  EXPECT_EQ(made.err, "");
  EXPECT_TRUE(made.out.starts_with(
      "stack.npz: 50 boxes, 1 halfspace in 1 world (3D), float, seed 7, hash "))
      << made.out;
  // Five stacks of ten: each has nine faces between boxes and one on the floor.
  const Outcome collided = run("collide stack.npz --json");
  EXPECT_EQ(collided.code, 0) << collided.err;
  EXPECT_EQ(value_of(collided.out, "shapes"), "51");
  EXPECT_EQ(value_of(collided.out, "contacts"), "50");
  EXPECT_EQ(value_of(collided.out, "precision"), "\"float\"");

  const auto hash_of = [](const std::string& arguments) {
    const Outcome outcome = run("generate " + arguments + " -o other.npz --json");
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return value_of(outcome.out, "hash");
  };
  const std::string hash = hash_of("stack --count 50 --seed 7");
  EXPECT_NE(made.out.find("hash " + hash.substr(1, 16)), std::string::npos) << made.out;
  EXPECT_EQ(hash_of("stack --count 50 --seed 7 --dimension 3 --precision float --worlds 1"), hash);
  EXPECT_EQ(read("other.npz"), read("stack.npz"));
  for (const char* other :
       {"stack --count 50 --seed 8", "stack --count 51 --seed 7",
        "stack --count 50 --seed 7 --precision double", "stack --count 50 --seed 7 --dimension 2",
        "stack --count 50 --seed 7 --worlds 2"}) {
    EXPECT_NE(hash_of(other), hash) << other;
  }
}

TEST_F(cli, every_generator_of_the_help_makes_a_scene_to_collide) {
  const std::string help = run("generate --help").out;
  int found = 0;
  for (const char* name : {"uniform", "power_law", "outliers", "clustered", "packed", "plates",
                           "sticks", "mixed", "stack", "pyramid", "pile", "corridor", "worlds",
                           "smooth", "smooth_pile", "terrain", "stairs", "level", "walls"}) {
    ++found;
    EXPECT_NE(help.find("  " + std::string(name) + " "), std::string::npos) << name;
    const Outcome made = run("generate " + std::string(name) + " --count 500 -o a.npz --json");
    EXPECT_EQ(made.code, 0) << name << made.err;
    EXPECT_EQ(value_of(made.out, "count"), "500");
    const Outcome collided = run("collide a.npz --json");
    EXPECT_EQ(collided.code, 0) << name << collided.err;
    EXPECT_EQ(value_of(collided.out, "shapes"), value_of(made.out, "shapes")) << name;
    EXPECT_EQ(value_of(collided.out, "worlds"), value_of(made.out, "worlds")) << name;
    EXPECT_NE(value_of(collided.out, "contacts"), "0") << name;
  }
  // The list above is the one in the help: each line has two blanks and a name; an empty line
  // before and after.
  const std::size_t begin = help.find("Scenes:\n");
  const std::string lines = help.substr(begin, help.find("\n\n", begin) + 1 - begin);
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n') - 1, found) << lines;
}

TEST_F(cli, generated_scenes_as_text_and_without_shapes) {
  EXPECT_EQ(run("generate uniform --count 3 --dimension 2 --worlds 3 -o a.csv").code, 0);
  EXPECT_TRUE(read("a.csv").starts_with("x,y,radius,world\n")) << read("a.csv");
  EXPECT_EQ(run("generate pyramid --count 3 --dimension 2 -o a.json").code, 0);
  // Two boxes on the floor and one on both: four contacts.
  EXPECT_EQ(value_of(run("collide a.json --json").out, "contacts"), "4");
  const Outcome none = run("generate pile --count 0 -o none.npz");
  EXPECT_EQ(none.code, 0) << none.err;
  EXPECT_TRUE(none.out.starts_with("none.npz: no shapes in 0 worlds (3D), float, ")) << none.out;
  EXPECT_EQ(value_of(run("collide none.npz --json").out, "contacts"), "0");
  // CSV cannot hold boxes.
  const Outcome boxes = run("generate stack --count 3 -o b.csv");
  EXPECT_EQ(boxes.code, 1);
  EXPECT_TRUE(boxes.err.starts_with("b.csv: box.center has no place in CSV")) << boxes.err;
  EXPECT_FALSE(fs::exists("b.csv"));
}

TEST_F(cli, wrong_usage_of_generate) {
  for (const auto& [arguments, message] : std::vector<std::pair<std::string, std::string>>{
           {"generate -o a.npz", "SCENE"},
           {"generate uniform", "--out"},
           {"generate vortex -o a.npz",
            "vortex is not a scene; expected one of uniform, power_law, "},
           {"generate uniform -o a.txt",
            "a.txt does not end in .npz, .json or .csv; rename it or say the format with --to\n"},
           {"generate uniform -o a.npz --count -1", "--count"},
           {"generate uniform -o a.npz --count 100000001", "an integer from 0 to 100000000"},
           {"generate uniform -o a.npz --count 1e-3",
            "--count: 1e-3 is not a whole number; expected an integer from 0 to 100000000"},
           {"generate uniform --json -o /dev/stdout", "would both write to standard output"},
           {"generate uniform -o a.npz --count many", "--count"},
           {"generate uniform -o a.npz --seed -1", "--seed"},
           {"generate uniform -o a.npz --worlds 0", "--worlds"},
           {"generate uniform -o a.npz --count 5 --worlds 6", "--worlds 6"},
           {"generate uniform -o a.npz --dimension 4", "--dimension"},
           {"generate uniform -o a.npz --precision half", "--precision"},
           {"generate corridor -o a.npz --dimension 3",
            "corridor is made in 2D alone; leave --dimension 3 out"}}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 2) << arguments << outcome.err;
    EXPECT_EQ(outcome.out, "") << arguments;
    EXPECT_TRUE(outcome.err.starts_with("widephase generate: ")) << outcome.err;
    EXPECT_NE(outcome.err.find(message), std::string::npos) << arguments << outcome.err;
    EXPECT_EQ(files_in_folder(), 0u) << arguments;
  }
}

// web/tests check the page itself in a browser.
TEST_F(cli, view_writes_a_page_where_the_build_has_one) {
  write_row();
  ASSERT_EQ(run("collide row.csv -o contacts.npz").code, 0);
  const bool has_page = run("info --json").out.find("\"view\": true") != std::string::npos;
  EXPECT_EQ(has_page, WIDEPHASE_HAS_VIEW);
  const Outcome outcome = run("view row.csv contacts.npz -o row.html");
  if (!has_page) {
    EXPECT_EQ(outcome.code, 2);
    EXPECT_TRUE(
        outcome.err.starts_with("widephase view: this build has no page; collide --picture"))
        << outcome.err;
    EXPECT_NE(run("--help").out.find("(not in this build)"), std::string::npos);
    EXPECT_FALSE(fs::exists("row.html"));
    return;
  }
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(outcome.out.starts_with("row.csv: 3 circles in 1 world (2D)\n  wrote row.html ("));
  EXPECT_TRUE(read("row.html").starts_with("<!DOCTYPE html>"));
  EXPECT_TRUE(read("row.html").ends_with("</html>\n"));
  // The found contacts are those of the file, although in another order.
  ASSERT_EQ(run("view row.csv -o found.html").code, 0);
  EXPECT_EQ(read("found.html"), read("row.html"));
}

TEST_F(cli, view_refuses_what_it_cannot_show) {
  write_row();
  write("one.csv", "x,y,radius\n0,0,1\n");
  write("bad.csv", "x,y,radius\n0,0,-1\n");
  ASSERT_EQ(run("collide row.csv -o contacts.npz").code, 0);
  const std::size_t files = files_in_folder();
  for (const auto& [arguments, message] : std::vector<std::pair<std::string, std::string>>{
           {"view row.csv", "--out"},
           {"view row.csv -o page.svg", "--out page.svg does not end in .html"},
           {"view row.csv contacts.npz --margin 1 -o page.html", "--margin is for contacts that"},
           {"view row.csv --margin -1 -o page.html", "-1 is not a margin"},
           {"view row.csv --world -1 -o page.html", "--world"}}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 2) << arguments << outcome.err;
    EXPECT_NE(outcome.err.find(message), std::string::npos) << arguments << outcome.err;
  }
  if (!WIDEPHASE_HAS_VIEW) return;
  EXPECT_EQ(run("view row.csv --world 1 -o page.html").code, 2);
  for (const auto& [arguments, message] : std::vector<std::pair<std::string, std::string>>{
           {"view none.csv -o page.html", "none.csv: "},
           {"view bad.csv -o page.html", "bad.csv: circle.radius[0] is -1"},
           {"view row.csv row.csv -o page.html", "row.csv: "},
           {"view one.csv contacts.npz -o page.html",
            "contacts.npz: pair[0] names shape 1; the scene has 1 shape"}}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 1) << arguments << outcome.err;
    EXPECT_TRUE(outcome.err.starts_with(message)) << arguments << outcome.err;
  }
  EXPECT_EQ(files_in_folder(), files);
}

TEST_F(cli, view_refuses_contacts_that_are_none) {
  if (!WIDEPHASE_HAS_VIEW) GTEST_SKIP() << "this build has no page";
  using tools::Array;
  write_row();
  const auto view = [](const std::string& replaced, const Array& by) {
    std::vector<tools::NamedArray> arrays;
    arrays.push_back({"pair", Array::of(std::vector<std::int32_t>{0, 1}, {1, 2})});
    arrays.push_back({"normal", Array::of(std::vector<float>{1, 0}, {1, 2})});
    arrays.push_back({"depth", Array::of(std::vector<float>{0.5f})});
    arrays.push_back({"offset", Array::of(std::vector<std::int64_t>{0, 1})});
    arrays.push_back({"point", Array::of(std::vector<float>{1, 0}, {1, 2})});
    arrays.push_back({"point_depth", Array::of(std::vector<float>{0.5f})});
    arrays.push_back({"feature", Array::of(std::vector<std::uint32_t>{0})});
    arrays.push_back({"kept", Array::of(std::vector<std::uint8_t>{0, 0}, {1, 2})});
    std::vector<tools::ArrayView> views;
    for (const tools::NamedArray& entry : arrays) {
      const Array& array = entry.name == replaced ? by : entry.array;
      views.push_back({entry.name, array.type(), array.shape(), array.bytes().data()});
    }
    tools::OutputFile file("given.npz");
    tools::write_npz(views, file);
    file.commit();
    return run("view row.csv given.npz -o page.html");
  };
  EXPECT_EQ(view("", {}).code, 0);
  fs::remove("page.html");
  const auto pair = [](std::int32_t a, std::int32_t b) {
    return Array::of(std::vector<std::int32_t>{a, b}, {1, 2});
  };
  const auto expect = [&](const char* name, const Array& by, const std::string& message) {
    const Outcome outcome = view(name, by);
    EXPECT_EQ(outcome.code, 1) << message;
    EXPECT_TRUE(outcome.err.starts_with("given.npz: " + message)) << outcome.err;
    EXPECT_FALSE(fs::exists("page.html")) << message;
  };
  expect("pair", Array::of(std::vector<double>{0, 1}, {1, 2}), "pair holds no integers");
  expect("pair", pair(0, 3), "pair[0] names shape 3; the scene has 3 shapes");
  expect("pair", pair(-1, 1), "pair[0] is -1; expected 0 to");
  expect("pair", pair(1, 1), "pair[0] is a shape with itself");
  expect("pair", Array::of(std::vector<std::int32_t>{0, 1}), "pair has the shape (2,)");
  expect("kept", Array::of(std::vector<std::uint8_t>{0, 1}, {1, 2}),
         "kept names shapes of a kept scene, which is not in this one: join both files");
  expect("depth", Array::of(std::vector<float>{std::nanf("")}), "depth[0] is not finite");
  expect("normal", Array::of(std::vector<float>{1, 0, 0}, {1, 3}), "normal has the shape (1, 3)");
  expect("feature", Array::of(std::vector<std::int64_t>{-1}), "feature[0] is -1");
  expect("feature", Array::of(std::vector<std::int64_t>{std::int64_t{1} << 40}), "feature[0] is");
  for (const auto& [from, to] : {std::pair{1, 1}, {0, 0}, {0, 2}}) {
    expect("offset", Array::of(std::vector<std::int64_t>{from, to}),
           "offset is out of order; expected numbers that rise from 0");
  }
}

TEST_F(cli, info_tells_what_chains_are) {
  write("walls.json", R"({"dimension": 2, "chains": {
    "vertices": [[0, 0], [3, 0], [3, 4], [5, 4], [0, 0], [1, 0], [1, 1], [0, 1]],
    "offsets": [0, 4, 8], "loop": [0, 1], "two_sided": [1, 0], "after": [1, 0]}})");
  const std::string out = run("info walls.json").out;
  EXPECT_NE(out.find("Chains:\n  0    3 segments (1 of them beyond), open, two-sided, length 7\n"
                     "  1    4 segments, a loop, one-sided, length 4\n"),
            std::string::npos)
      << out;
  EXPECT_NE(run("info walls.json --json").out.find("\"length\": 7.0"), std::string::npos);
  write("bad.json", R"({"dimension": 2, "chains": {"vertices": [[0, 0], [3, 0]],
    "offsets": [0, 5]}})");
  EXPECT_EQ(run("info bad.json").err,
            "bad.json: has no whole chain 0: chains.offsets do not fit chains.vertices\n");
}

TEST_F(cli, info_counts_what_is_wrong_with_a_mesh) {
  // A square, its first half twice and its second half seen from behind, and a sliver.
  write("scan.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 2 3 1\nf 1 4 3\nf 1 2 2\n");
  EXPECT_EQ(run("convert scan.obj --surface -o scan.npz").code, 0);
  EXPECT_NE(
      run("info scan.npz")
          .out.find(
              "Meshes:\n  0    4 triangles, 4 vertices; edges: 5 at borders, 1 of them flips; 1 "
              "duplicate, 1 without area\n"),
      std::string::npos)
      << run("info scan.npz").out;
  EXPECT_NE(run("info scan.npz --json").out.find("\"duplicates\": 1"), std::string::npos);
  write("bad.json", R"({"dimension": 3, "meshes": {"vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0]],
    "indices": [[0, 1, 3]], "vertex_offsets": [0, 3], "triangle_offsets": [0, 1]}})");
  EXPECT_EQ(run("info bad.json").err,
            "bad.json: meshes.indices[0] names vertex 3; mesh 0 has 3 vertices, counted from 0\n");
  EXPECT_NE(run("convert scan.obj --surface --weld 0 -o scan.npz").err.find("not a distance"),
            std::string::npos);
}

TEST_F(cli, info_help_and_version) {
  const Outcome info = run("info");
  EXPECT_EQ(info.code, 0);
  EXPECT_TRUE(info.out.starts_with("widephase 0."));
  EXPECT_NE(info.out.find(narrowest_isa()), std::string::npos);
  EXPECT_NE(info.out.find("halfspace"), std::string::npos);
  const Outcome json = run("info --json");
  for (const char* key : {"version", "isas", "chosen", "cpu", "view", "threads", "pairs"}) {
    EXPECT_NE(json.out.find("\"" + std::string(key) + "\":"), std::string::npos) << key;
  }
  for (const char* arguments : {"--help", "collide --help", "convert --help", "decompose --help",
                                "demo --help", "generate --help", "view --help", "info --help"}) {
    const Outcome help = run(arguments);
    EXPECT_EQ(help.code, 0);
    EXPECT_NE(help.out.find("\n\nExample:\n  widephase "), std::string::npos) << arguments;
  }
  EXPECT_TRUE(run("--version").out.starts_with("widephase 0."));
}

// A hand 2 to the right of its base, and a shelf's ball that the hand's sinks 0.05 into.
constexpr const char* kHand = R"(<robot name="r"><link name="base"><collision><geometry>
  <box size="1 1 1"/></geometry></collision></link><link name="hand"><collision><geometry>
  <sphere radius="0.1"/></geometry></collision></link><joint name="j" type="revolute">
  <parent link="base"/><child link="hand"/><origin xyz="2 0 0"/></joint></robot>)";
constexpr const char* kShelf = R"(world: {collision_objects: [
  {id: shelf_top, primitives: [{type: sphere, dimensions: [1]}],
   primitive_poses: [{position: [3.05, 0, 0], orientation: [0, 0, 0, 1]}]}]})";

TEST_F(cli, shapes_have_the_names_of_their_links_and_objects) {
  write("arm.urdf", kHand);
  write("shelf.yaml", kShelf);
  const Outcome converted = run("convert arm.urdf shelf.yaml --joints 0.5 -o both.npz");
  ASSERT_EQ(converted.code, 0) << converted.err;
  EXPECT_EQ(converted.out, "both.npz: 2 spheres, 1 box in 1 world (3D)\n");
  const Outcome collided = run("collide both.npz -o contacts.csv");
  EXPECT_EQ(collided.code, 0) << collided.err;
  EXPECT_NE(collided.out.find(": hand meets shelf_top in world 0\n"), std::string::npos)
      << collided.out;
  const std::string contacts = read("contacts.csv");
  EXPECT_TRUE(contacts.ends_with(",hand,shelf_top\n")) << contacts;
  EXPECT_NE(contacts.find(",body_a,body_b,name_a,name_b\n"), std::string::npos);
  // The same with the shelf kept: its row counts from 0, and its side says that it is kept.
  EXPECT_EQ(run("convert arm.urdf -o arm.npz").code, 0);
  EXPECT_EQ(run("convert shelf.yaml -o shelf.npz").code, 0);
  EXPECT_NE(run("collide arm.npz --kept shelf.npz -o contacts.csv")
                .out.find(": hand meets shelf_top in world 0\n"),
            std::string::npos);
  EXPECT_TRUE(read("contacts.csv").ends_with(",0,sphere,sphere,0,0,0,0,1,-1,0,1,hand,shelf_top\n"))
      << read("contacts.csv");
  // Names are in no hash, and in messages of what is wrong.
  EXPECT_EQ(run("convert arm.urdf -o arm.json").code, 0);
  std::string broken = read("arm.json");
  broken.replace(broken.find("\"radius\": [0.1]"), 15, "\"radius\": [-1]");
  write("arm.json", broken);
  EXPECT_NE(run("collide arm.json").err.find("sphere.radius[0] is -1"), std::string::npos);
  EXPECT_NE(run("collide arm.json").err.find(" (it is hand)\n"), std::string::npos);
  EXPECT_NE(run("info both.npz").out.find("2 different: hand, shelf_top\n"), std::string::npos);
  EXPECT_NE(shell("widephase info - < both.npz").out.find("2 different: hand, shelf_top\n"),
            std::string::npos);
}

// An elevation model is converted, told of and collided with what else is in the scene: a ball of
// radius 1, 0.25 in the ground beside the hole.
TEST_F(cli, elevation_models_become_height_fields) {
  write("hill.asc",
        "ncols 3\nnrows 3\nxllcenter 0\nyllcenter 0\ncellsize 2\n"
        "-9999 1 1\n1 1 1\n1 1 1\n");
  write("ball.json", R"({"sphere": {"center": [[3, 1, 1.75]], "radius": 1}})");
  EXPECT_EQ(run("convert hill.asc ball.json -o scene.npz").code, 0);
  EXPECT_NE(run("info scene.npz")
                .out.find("\nHeight fields:\n  0    3 rows of 3, cells 2 by 2, "
                          "heights 1 to 1, 1 hole, 72 bytes\n"),
            std::string::npos)
      << run("info scene.npz").out;
  EXPECT_NE(run("info scene.npz --json").out.find("\"holes\": 1"), std::string::npos);
  const std::string collided = run("collide scene.npz -o contacts.csv").out;
  EXPECT_NE(read("contacts.csv").find(",0.25,"), std::string::npos) << collided;
  EXPECT_NE(run("collide hill.asc")
                .err.find("hill.asc: is of the format esri-grid; convert it "
                          "first: widephase convert hill.asc -o scene.npz"),
            std::string::npos)
      << run("collide hill.asc").err;
  // Offsets beyond the heights are for `collide` to refuse; `info` does not read there.
  EXPECT_EQ(run("convert scene.npz -o scene.json").code, 0);
  std::string broken = read("scene.json");
  broken.replace(broken.find("\"offsets\": [0,9]"), 16, "\"offsets\": [0,12]");
  write("scene.json", broken);
  EXPECT_NE(run("info scene.json").err.find("has no whole rows of heights for field 0"),
            std::string::npos)
      << run("info scene.json").err;
}

TEST_F(cli, frames_choose_worlds) {
  write("crowd.txt", "1 0 0 0\n1 10 0 0\n2 10 0.3 0\n1 50 0 0\n");
  const Outcome converted = run("convert crowd.txt --radius 0.2 -o crowd.npz");
  EXPECT_EQ(converted.out, "crowd.npz: 4 circles in 3 worlds (2D), frames 0 to 50\n");
  const std::string collided = run("collide crowd.npz").out;
  EXPECT_NE(collided.find(": circle 1 (key 1) meets circle 2 (key 2) in frame 10 (world 1)\n"),
            std::string::npos)
      << collided;
  EXPECT_EQ(run("collide crowd.npz --picture one.svg --frame 10").code, 0);
  EXPECT_NE(read("one.svg").find("crowd.npz, frame 10 (world 1)"), std::string::npos);
  EXPECT_EQ(run("collide crowd.npz --picture same.svg --world 1").code, 0);
  EXPECT_EQ(read("one.svg"), read("same.svg"));
  const auto error = [](const std::string& options) {
    return run("collide crowd.npz --picture no.svg " + options).err;
  };
  const std::string have = "crowd.npz has 3 worlds, numbered from 0, of frames 0 to 50; ";
  EXPECT_NE(error("--world 10")
                .find(have + "--world 10 is not among them (--frame 10 goes by the "
                             "number of the frame)\n"),
            std::string::npos);
  EXPECT_NE(error("--frame 12")
                .find(have + "--frame 12 is not among them, the nearest is 10 "
                             "(world 1)\n"),
            std::string::npos);
  EXPECT_EQ(run("collide crowd.npz --picture no.svg --world 1 --frame 10").code, 2);
  write_row();
  EXPECT_NE(run("collide row.csv --picture no.svg --frame 1")
                .err.find("row.csv has 1 world, numbered from 0, and no numbers of frames "
                          "(world.frame); use --world\n"),
            std::string::npos);
}

}  // namespace
