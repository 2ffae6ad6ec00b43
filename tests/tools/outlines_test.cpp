// Readers of outlines: what they accept, what they refuse, and their messages.
// Labels: plain

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <widephase/scene.hpp>

#include "geometry/orientation.hpp"
#include "support/outline_files.hpp"
#include "support/own_folder.hpp"
#include "tools/formats/file_error.hpp"

namespace widephase::test {
namespace {

namespace fs = std::filesystem;
using namespace widephase::tools;

class outlines : public widephase::test::OwnFolder {
 protected:
  static Outlines load(const std::string& text, const std::string& object = {}) {
    std::ofstream("f.json") << text;
    return read_outlines("f.json", object);
  }
  static std::string error_of(const std::string& text, const std::string& object = {}) {
    try {
      load(text, object);
    } catch (const std::exception& error) {
      return error.what();
    }
    return "no error";
  }
  static std::vector<std::int32_t> owners(const Outlines& all) {
    std::vector<std::int32_t> list;
    for (const Outline& outline : all.list) list.push_back(outline.owner);
    return list;
  }
  static std::vector<std::string> places(const Outlines& all) {
    std::vector<std::string> list;
    for (const Outline& outline : all.list) list.push_back(outline.place);
    return list;
  }

 private:
};

const std::string kTriangle = "[[[0,0],[1,0],[0,1]]]";
const std::string kPolygon = R"({"type": "Polygon", "coordinates": )" + kTriangle + "}";

TEST_F(outlines, plain_rings_are_one_outline) {
  const Outlines all = load("[[[0,0],[9,0],[0,9]], [[1,1],[2,1],[1,2.5]]]");
  ASSERT_EQ(all.list.size(), 1u);
  EXPECT_EQ(all.owner_count, 1);
  const Rings rings = rings_of(all.list[0]);
  ASSERT_EQ(rings.size(), 2u);
  EXPECT_EQ(rings[1][2], (Point2{1, 2.5}));
  EXPECT_EQ(all.list[0].place, "");
}

TEST_F(outlines, a_geometry_a_feature_and_a_collection) {
  EXPECT_EQ(places(load(kPolygon)), std::vector<std::string>{""});
  EXPECT_EQ(
      places(load(R"({"type": "Feature", "properties": null, "geometry": )" + kPolygon + "}")),
      std::vector<std::string>{""});
  const Outlines all = load(
      R"({"type": "FeatureCollection", "features": [
        {"type": "Feature", "properties": {"name": "North"}, "geometry": {"type": "MultiPolygon",
         "coordinates": [)" +
      kTriangle + "," + kTriangle + R"(]}},
        {"type": "Feature", "id": 7, "properties": {}, "geometry": {"type": "Point",
         "coordinates": [1, 2]}},
        {"type": "Feature", "geometry": null},
        {"type": "Feature", "id": "x", "geometry": {"type": "GeometryCollection", "geometries": [)" +
      kPolygon + R"(, {"type": "LineString", "coordinates": []}]}}]})");
  // A feature without an outline still counts: owners are positions in the file.
  EXPECT_EQ(owners(all), (std::vector<std::int32_t>{0, 0, 3}));
  EXPECT_EQ(all.owner_count, 4);
  EXPECT_EQ(all.ignored_count, 3);
  EXPECT_EQ(places(all),
            (std::vector<std::string>{"feature 0 (North), polygon 0",
                                      "feature 0 (North), polygon 1", "feature 3 (x)"}));
}

TEST_F(outlines, members_of_a_bare_collection_have_owners_of_their_own) {
  const Outlines all =
      load(R"({"type": "GeometryCollection", "geometries": [)" + kPolygon + "," + kPolygon + "]}");
  EXPECT_EQ(owners(all), (std::vector<std::int32_t>{0, 1}));
  EXPECT_EQ(all.list[1].place, "geometry 1");
}

TEST_F(outlines, heights_are_passed_over) {
  EXPECT_EQ(rings_of(load("[[[0,0,5],[1,0,5],[0,1,5]]]").list[0])[0][1], (Point2{1, 0}));
}

// Two squares side by side; arc 1 is the side that they share, from (2, 2) down to (2, 0).
const std::string kArcs = R"("arcs": [[[2,0],[0,0],[0,2],[2,2]], [[2,2],[2,0]],
    [[2,0],[4,0],[4,2],[2,2]]])";
const std::string kObjects = R"("objects": {"left": {"type": "Polygon", "arcs": [[0, 1]]},
    "both": {"type": "GeometryCollection", "geometries": [
      {"type": "Polygon", "arcs": [[0, 1]], "properties": {"name": "L"}},
      {"type": "MultiPolygon", "arcs": [[[2, 1]]]},
      {"type": null}]}})";

TEST_F(outlines, arcs_are_joined_forwards_and_backwards) {
  const Outlines all = load(R"({"type": "Topology", )" + kObjects + "," + kArcs + "}");
  ASSERT_EQ(all.list.size(), 3u);
  EXPECT_EQ(owners(all), (std::vector<std::int32_t>{0, 1, 2}));
  EXPECT_EQ(all.owner_count, 4);
  EXPECT_EQ(all.ignored_count, 1);
  EXPECT_EQ(places(all), (std::vector<std::string>{"object left", "object both, geometry 1 (L)",
                                                   "object both, geometry 2, polygon 0"}));
  const Rings left = rings_of(all.list[0]);
  EXPECT_EQ(left[0], (std::vector<Point2>{{2, 0}, {0, 0}, {0, 2}, {2, 2}, {2, 0}}));
  const Outlines reversed = load(R"({"type": "Topology", "objects": {"left": {"type": "Polygon",
      "arcs": [[-2, -1]]}}, )" + kArcs +
                                 "}");
  EXPECT_EQ(rings_of(reversed.list[0])[0],
            (std::vector<Point2>{{2, 0}, {2, 2}, {0, 2}, {0, 0}, {2, 0}}));
}

TEST_F(outlines, quantized_arcs_are_steps) {
  const Outlines all = load(R"({"type": "Topology", "transform": {"scale": [0.5, 2],
      "translate": [10, 20]}, "objects": {"o": {"type": "Polygon", "arcs": [[0]]}},
      "arcs": [[[0,0],[4,0],[0,1],[-4,-1]]]})");
  EXPECT_EQ(rings_of(all.list[0])[0],
            (std::vector<Point2>{{10, 20}, {12, 20}, {12, 22}, {10, 20}}));
}

/// A topology with one ring, in steps of a tenth, starting at (-180, 0.3).
std::string ring_in_steps(const std::string& steps, const std::string& scale = "[0.1, 0.1]",
                          const std::string& translate = "[-180, 0.3]") {
  return R"({"type": "Topology", "transform": {"scale": )" + scale + R"(, "translate": )" +
         translate + R"(}, "objects": {"o": {"type": "Polygon", "arcs": [[0]]}}, "arcs": [)" +
         steps + "]}";
}

TEST_F(outlines, a_vertex_on_an_edge_of_the_grid_is_not_rounded_over_it) {
  // An edge of m times (3, 1), and a dent whose tip lies on it after one step. Rounding puts some
  // of the twelve tips outside.
  std::size_t outside = 0;
  for (int tip = 1; tip <= 12; ++tip) {
    const int end = tip + 5;
    const auto step = [](int x, int y) { return fmt::format("[{},{}]", x, y); };
    const std::string steps = "[[0,0]," + step(3 * end, end) + "," + step(0, 100) + "," +
                              step(3 * (tip - end), tip - end - 100) + "," +
                              step(-3 * tip, 100 - tip + end) + "," + step(0, -100 - end) + "]";
    const Outlines all = load(ring_in_steps(steps));
    const tools::Outline& outline = all.list[0];
    Parts parts;
    const DecomposeReport report = cut_outline(outline, parts);
    EXPECT_EQ(report.touching_points, 1);
    const Rings steps_rings = rings_in_steps(outline);
    const auto area = static_cast<double>(area_of(steps_rings)) / 100;
    EXPECT_NEAR(report.area, area, 1e-9 * area);
    long double parts_area = 0;
    for (const auto& polygon : polygons_of(parts)) parts_area += area_of(polygon);
    EXPECT_NEAR(static_cast<double>(parts_area), area, 1e-9 * area);
    SceneColumns<2, double> scene;
    scene.geometries = parts;
    EXPECT_TRUE((validate<2, double>(scene).empty()));
    const Rings rings = rings_of(outline);
    EXPECT_EQ(rings[0][1], (Point2{3 * end * 0.1 - 180, end * 0.1 + 0.3}));
    outside += orientation(rings[0][0], rings[0][1], rings[0][3]) < 0;
  }
  EXPECT_GT(outside, 0u);
}

TEST_F(outlines, arcs_that_are_named_too_often_are_refused_before_they_are_joined) {
  // An arc of 10,000 points, forth and back 5,001 times: more than 10^8 vertices.
  std::string points = "[0,0]", ring = "0,-1";
  for (int i = 1; i < 10'000; ++i) points += ",[0,0]";
  for (int i = 0; i < 5'000; ++i) ring += ",0,-1";
  EXPECT_EQ(error_of(R"({"type": "Topology", "objects": {"o": {"type": "Polygon", "arcs": [[)" +
                     ring + R"(]]}}, "arcs": [[)" + points + "]]}"),
            "f.json: ring 0: makes more than 100000000 vertices in all, from arcs that are named "
            "again and again");
}

TEST_F(outlines, an_axis_that_is_turned_round_keeps_parts_counter_clockwise) {
  // An L of 3 squares with y pointing down.
  const Outlines all =
      load(ring_in_steps("[[0,0],[2,0],[0,1],[-1,0],[0,1],[-1,0],[0,-2]]", "[1, -2]", "[0, 0]"));
  Parts parts;
  const DecomposeReport report = cut_outline(all.list[0], parts);
  EXPECT_EQ(report.area, 6);
  EXPECT_EQ(parts_problem(rings_of(all.list[0]), parts, report), "");
}

TEST_F(outlines, steps_that_are_lost_when_they_are_scaled_are_refused) {
  const auto refusal = [](const std::string& text) -> std::string {
    Parts parts;
    try {
      cut_outline(load(text).list[0], parts);
    } catch (const OutlineError& error) {
      EXPECT_EQ(parts.vertices.size(), 0u);
      return error.what();
    }
    return "no error";
  };
  const std::string square = "[[0,0],[1,0],[0,1],[-1,0],[0,-1]]";
  EXPECT_EQ(refusal(ring_in_steps(square, "[1e-3, 1e-3]", "[1e15, 0]")),
            "outline.rings[0] has corners that are lost where its grid is scaled; doubles are too "
            "coarse there for steps so short");
  EXPECT_EQ(refusal(ring_in_steps(square, "[1, 1e76]", "[0, 0]")),
            "outline.rings[0][2] is scaled to a place beyond 1e75; coordinates must be at most "
            "that");
  EXPECT_EQ(error_of(ring_in_steps(square, "[1, 0]")),
            "f.json: transform, scale: is [1,0]; expected two numbers other than 0");
}

TEST_F(outlines, an_object_is_chosen_by_name) {
  const std::string text = R"({"type": "Topology", )" + kObjects + "," + kArcs + "}";
  EXPECT_EQ(load(text, "left").list.size(), 1u);
  EXPECT_EQ(owners(load(text, "both")), (std::vector<std::int32_t>{0, 1}));
  EXPECT_EQ(error_of(text, "right"), "f.json has no object \"right\"; its objects are left, both");
  EXPECT_EQ(error_of(kPolygon, "left"),
            "f.json is not TopoJSON, whose objects have names; leave --object out");
}

TEST_F(outlines, what_is_wrong_is_named_by_feature_ring_and_vertex) {
  EXPECT_EQ(error_of("{}"),
            "f.json: holds no outlines; expected GeoJSON, TopoJSON or rings such as [[[0, 0], [2, "
            "0], [1, 2]]]");
  EXPECT_TRUE(error_of("{").starts_with("f.json: is not JSON: parse error"));
  EXPECT_EQ(error_of("[[[0,0],[1,0],[0,\"1\"]]]"),
            "f.json: ring 0, vertex 2: is [0,\"1\"]; expected two numbers such as [1.5, 2]");
  EXPECT_EQ(error_of("[1, 2]"), "f.json: ring 0: is 1; expected a list");
  EXPECT_EQ(error_of("[]"), "f.json: is []; expected a list of rings");
  EXPECT_EQ(error_of(R"({"type": "Circle"})"),
            "f.json: has the type \"Circle\"; expected Polygon, MultiPolygon or another of "
            "GeoJSON's geometries");
  EXPECT_EQ(error_of(R"({"type": "Polygon"})"), "f.json: has no coordinates");
  EXPECT_EQ(error_of(R"({"type": "FeatureCollection", "features": [{"type": "Feature", "id": 4,
      "geometry": {"type": "Polygon", "coordinates": [[[0,0],[1]]]}}]})"),
            "f.json: feature 0 (4), ring 0, vertex 1: is [1]; expected two numbers such as [1.5, "
            "2]");
  EXPECT_EQ(error_of(R"({"type": "FeatureCollection", "features": [)" + kPolygon + "]}"),
            "f.json: feature 0: has the type \"Polygon\"; expected Feature");
  EXPECT_EQ(error_of(R"({"type": "FeatureCollection", "features": 3})"),
            "f.json: features is 3; expected a list");
  EXPECT_EQ(error_of(std::string(65, '[') + std::string(65, ']')),
            "f.json: line 1 opens a bracket within 64 others; expected at most 64 within one "
            "another");
  const auto topology = [&](const std::string& ring) {
    return error_of(R"({"type": "Topology", "objects": {"o": {"type": "Polygon", "arcs": [)" +
                    ring + "]}}," + kArcs + "}");
  };
  EXPECT_EQ(topology("[3]"), "f.json: ring 0: names arc 3; the file has 3 arcs, counted from 0");
  EXPECT_EQ(topology("[-4]"), "f.json: ring 0: names arc -4; the file has 3 arcs, counted from 0");
  EXPECT_EQ(topology("[0, 0]"),
            "f.json: ring 0: goes on with arc 0, which does not begin where the arc before ends");
  EXPECT_EQ(topology("[18446744073709551615]"),
            "f.json: ring 0: names arc 18446744073709551615; the file has 3 arcs, counted from 0");
  EXPECT_EQ(topology("[0.5]"), "f.json: ring 0: has 0.5 for an arc; expected a whole number");
}

}  // namespace
}  // namespace widephase::test
