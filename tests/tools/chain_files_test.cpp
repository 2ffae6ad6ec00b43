// Chains in scene files: missing arrays, joined files, static scenes, pictures and pages.
// Labels: plain

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/scene_files.hpp"
#include "tools/formats/merge_scenes.hpp"
#include "tools/formats/point_sets.hpp"
#include "tools/pictures/picture.hpp"

namespace widephase::tools {
namespace {

/// A loop and a line of three segments, whose first one is a neighbour's; shapes name both.
constexpr const char* kScene = R"({"dimension": 2,
  "chains": {"vertices": [[1, 0], [0, 1], [-1, 0], [5, 0], [3, 0], [1, 0], [-2, 1]],
             "offsets": [0, 3, 7], "loop": [1, 0], "before": [0, 1]},
  "chain": {"center": [[1, 2], [4, 5]], "angle": [0, 0.5], "geometry": [1, 0], "radius": 0.5}})";

class chain_files : public widephase::test::SceneFiles {
 protected:
  static std::string error_of(const std::string& text) {
    try {
      SceneColumns<2, double> scene;
      load_text(text).to_columns(scene);
    } catch (const FileError& error) {
      return error.what();
    }
    return "no error";
  }
};

TEST_F(chain_files, come_back_from_every_format) {
  save(load_text(kScene), "a.npz");
  save(load("a.npz"), "b.json");
  save(load("b.json"), "c.npz");
  for (const char* name : {"scene.json", "a.npz", "b.json", "c.npz"}) {
    SceneColumns<2, double> scene;
    load(name).to_columns(scene);
    const auto& chains = scene.chain_geometries;
    ASSERT_EQ(chains.vertices.size(), 7u) << name;
    EXPECT_EQ(chains.vertices(6, 0), -2);
    EXPECT_EQ(numbers(chains.offsets), (std::vector<std::int64_t>{0, 3, 7}));
    EXPECT_EQ(numbers(chains.loop), (std::vector<std::uint8_t>{1, 0}));
    EXPECT_EQ(numbers(chains.before), (std::vector<std::int32_t>{0, 1}));
    EXPECT_TRUE(chains.two_sided.empty() && chains.after.empty()) << name;
    EXPECT_EQ(numbers(scene.chains.geometry), (std::vector<std::int32_t>{1, 0}));
    EXPECT_EQ(scene.chains.turn[1], 0.5);
    EXPECT_EQ(scene.chains.radius[1], 0.5);
    EXPECT_TRUE((validate<2, double>(scene).empty()));
  }
}

TEST_F(chain_files, need_all_of_their_arrays) {
  EXPECT_EQ(error_of(R"({"dimension": 2, "chains": {"vertices": [[0, 0], [1, 0]]}})"),
            "scene.json: chains.offsets is missing; chains.vertices needs it");
  EXPECT_EQ(error_of(R"({"dimension": 2, "chains": {"loop": [1]}})"),
            "scene.json: chains.vertices is missing; chains.loop needs it");
}

TEST_F(chain_files, are_numbered_on_where_files_become_one) {
  const SceneFile first = load_text(kScene);
  const SceneFile second = load_text(R"({"dimension": 2,
    "chains": {"vertices": [[0, 0], [9, 0]], "offsets": [0, 2], "two_sided": [1]},
    "chain": {"center": [[7, 7]], "angle": [0], "geometry": [0]}})");
  std::vector<std::string> notes;
  SceneColumns<2, double> scene;
  merged("both.npz", {&first, &second}, notes).to_columns(scene);
  const auto& chains = scene.chain_geometries;
  EXPECT_EQ(numbers(chains.offsets), (std::vector<std::int64_t>{0, 3, 7, 9}));
  ASSERT_EQ(chains.vertices.size(), 9u);
  EXPECT_EQ(chains.vertices(8, 0), 9);
  EXPECT_EQ(numbers(chains.loop), (std::vector<std::uint8_t>{1, 0, 0}));
  EXPECT_EQ(numbers(chains.two_sided), (std::vector<std::uint8_t>{0, 0, 1}));
  EXPECT_EQ(numbers(chains.before), (std::vector<std::int32_t>{0, 1, 0}));
  EXPECT_EQ(numbers(scene.chains.geometry), (std::vector<std::int32_t>{1, 0, 2}));
  EXPECT_TRUE((validate<2, double>(scene).empty()));
}

TEST_F(chain_files, go_to_the_static_scene) {
  SceneColumns<2, double> moving, kept;
  load_text(kScene).to_columns(moving);
  load_text(kScene).to_columns(kept);
  kept.chain_geometries.loop.clear();
  give_point_sets(moving, kept);
  EXPECT_TRUE(moving.chain_geometries.offsets.empty());
  EXPECT_EQ(numbers(moving.chains.geometry), (std::vector<std::int32_t>{3, 2}));
  const auto& chains = kept.chain_geometries;
  EXPECT_EQ(numbers(chains.offsets), (std::vector<std::int64_t>{0, 3, 7, 10, 14}));
  EXPECT_EQ(numbers(chains.loop), (std::vector<std::uint8_t>{0, 0, 1, 0}));
  EXPECT_EQ(numbers(chains.before), (std::vector<std::int32_t>{0, 1, 0, 1}));
  EXPECT_TRUE((validate<2, double>(kept).empty()));
}

TEST_F(chain_files, are_drawn_as_lines_of_their_own_segments) {
  SceneColumns<2, double> scene;
  load_text(kScene).to_columns(scene);
  const std::string picture = picture_of(scene, ContactBuffer<2, double>(), {});
  std::vector<std::size_t> segments;
  for (std::size_t at = picture.find("stroke-linecap=\"round\""); at != std::string::npos;
       at = picture.find("stroke-linecap=\"round\"", at + 1)) {
    const std::size_t path = picture.find(" d=\"", at) + 4;
    const std::string drawn = picture.substr(path, picture.find('"', path) - path);
    segments.push_back(0);
    for (const char letter : drawn) segments.back() += letter == 'L' ? 1u : 0u;
  }
  EXPECT_EQ(segments, (std::vector<std::size_t>{2, 3}));
}

/// Files of maps, whose lines become chains.
class chain_maps : public widephase::test::SceneFiles {
 protected:
  static std::string error_of(const std::string& text) {
    write("map.geojson", text);
    try {
      load("map.geojson");
    } catch (const FileError& error) {
      return error.what();
    }
    return "no error";
  }
};

constexpr const char* kWalls = R"({"type": "FeatureCollection", "features": [
  {"type": "Feature", "properties": {"name": "Wall"}, "geometry": {"type": "LineString",
   "coordinates": [[0, 0], [4, 0, 2.5], [4, 3]]}},
  {"type": "Feature", "geometry": {"type": "Point", "coordinates": [1, 1]}},
  {"type": "Feature", "geometry": {"type": "MultiLineString",
   "coordinates": [[[9, 0], [9, 2]], [[0, 9], [1, 9], [1, 8], [0, 9]]]}}]})";

TEST_F(chain_maps, have_a_two_sided_chain_for_each_line) {
  write("map.geojson", kWalls);
  std::vector<std::string> notes;
  const SceneFile file = read_scene("map.geojson", detect_format("map.geojson"), {}, notes);
  EXPECT_EQ(notes, std::vector<std::string>{"map.geojson: left out 1 object; lines become chains"});
  SceneColumns<2, double> scene;
  file.to_columns(scene);
  EXPECT_TRUE((validate<2, double>(scene).empty()));
  const auto& chains = scene.chain_geometries;
  EXPECT_EQ(numbers(chains.offsets), (std::vector<std::int64_t>{0, 3, 5, 8}));
  EXPECT_EQ(numbers(chains.loop), (std::vector<std::uint8_t>{0, 0, 1}));
  EXPECT_EQ(numbers(chains.two_sided), (std::vector<std::uint8_t>{1, 1, 1}));
  EXPECT_EQ(chains.vertices(1, 0), 4) << "heights are passed over";
  EXPECT_EQ(chains.vertices(7, 1), 8) << "a loop does not repeat its first vertex";
  EXPECT_EQ(numbers(scene.chains.geometry), (std::vector<std::int32_t>{0, 1, 2}));
  // Arcs of TopoJSON, one of them backwards.
  write("map.topojson", R"({"type": "Topology", "objects": {"road": {"type": "LineString",
    "arcs": [0, -2]}}, "arcs": [[[0, 0], [1, 0]], [[1, 5], [1, 0]]]})");
  SceneColumns<2, double> road;
  load("map.topojson").to_columns(road);
  EXPECT_EQ(numbers(road.chain_geometries.offsets), (std::vector<std::int64_t>{0, 3}));
  EXPECT_EQ(road.chain_geometries.vertices(2, 1), 5);
}

TEST_F(chain_maps, say_which_feature_is_wrong) {
  const auto feature = [](const std::string& type, const std::string& coordinates) {
    return R"({"type": "FeatureCollection", "features": [{"type": "Feature", "properties":
      {"name": "Wall"}, "geometry": {"type": ")" +
           type + R"(", "coordinates": )" + coordinates + "}}]}";
  };
  EXPECT_EQ(error_of(feature("LineString", "[[0, 0], [1]]")),
            "map.geojson: feature 0 (Wall), vertex 1: is [1]; expected two numbers such as [1.5, "
            "2]");
  EXPECT_EQ(error_of(feature("MultiLineString", "[[[0, 0], [1, 0]], 7]")),
            "map.geojson: feature 0 (Wall), line 1: is 7; expected a list");
  EXPECT_EQ(error_of(feature("LineString", "5")),
            "map.geojson: feature 0 (Wall): coordinates is 5; expected a list");
  EXPECT_EQ(error_of(feature("LineString", "[[2, 1], [2, 1], [2, 1]]")),
            "map.geojson: feature 0 (Wall): has no length; a line needs two vertices at different "
            "places");
  EXPECT_EQ(error_of(R"({"type": "LineString", "coordinates": [[0, 0]]})"),
            "map.geojson: has no length; a line needs two vertices at different places");
  EXPECT_EQ(error_of(feature("Polygon", "[[[0, 0], [1, 0], [0, 1]]]")),
            "map.geojson: holds no lines; outlines become convex parts by: widephase decompose "
            "map.geojson -o scene.npz");
  EXPECT_EQ(error_of("[[[0, 0], [1, 0]]]"),
            "map.geojson: holds no lines; expected GeoJSON or TopoJSON");
}

}  // namespace
}  // namespace widephase::tools
