// Polygons in scene files: point sets become hulls on loading, and errors name the file.
// Labels: plain

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "support/own_folder.hpp"
#include "tools/formats/cut_outline.hpp"
#include "tools/formats/file_error.hpp"
#include "tools/formats/read_outlines.hpp"
#include "tools/formats/read_scene.hpp"

namespace widephase::tools {
namespace {

namespace fs = std::filesystem;

class polygon_files : public widephase::test::OwnFolder {
 protected:
  /// A scene of one polygon that names geometry 1 of `polygons`.
  template <class T = double>
  static SceneColumns<2, T> load(const std::string& polygons) {
    std::ofstream("scene.json") << R"({"polygons": )" << polygons << R"(,
      "polygon": {"center": [[5, 5]], "angle": [0], "geometry": [1]}})";
    SceneColumns<2, T> scene;
    read_scene("scene.json", detect_format("scene.json"), {}).to_columns(scene);
    return scene;
  }
  template <class T = double>
  static std::string load_error(const std::string& polygons) {
    try {
      load<T>(polygons);
    } catch (const FileError& error) {
      return error.what();
    }
    return "no error";
  }
  template <class T>
  static std::vector<std::vector<SizeOf<T>>> vertices(const SceneColumns<2, T>& scene) {
    std::vector<std::vector<SizeOf<T>>> rows;
    for (std::size_t row = 0; row < scene.geometries.vertices.size(); ++row) {
      rows.push_back({scene.geometries.vertices(row, 0), scene.geometries.vertices(row, 1)});
    }
    return rows;
  }

 private:
};

TEST_F(polygon_files, point_sets_become_hulls_and_indices_stay) {
  // A clockwise triangle with its centre, then a square in any order.
  const std::string polygons = R"({"vertices": [[0, 0], [1, 3], [1, 1], [3, 0],
    [0, 0], [1, 1], [1, 0], [0, 1], [0, 0]], "offsets": [0, 4, 9]})";
  const auto scene = load(polygons);
  EXPECT_EQ(vertices(scene), (std::vector<std::vector<double>>{
                                 {0, 0}, {3, 0}, {1, 3}, {0, 0}, {1, 0}, {1, 1}, {0, 1}}));
  EXPECT_EQ(
      std::vector<std::int64_t>(scene.geometries.offsets.begin(), scene.geometries.offsets.end()),
      (std::vector<std::int64_t>{0, 3, 7}));
  EXPECT_EQ(scene.polygons.geometry[0], 1);
  EXPECT_TRUE((validate<2, double>(scene).empty()));
  EXPECT_EQ(vertices(load<float>(polygons)).size(), 7u);
}

TEST_F(polygon_files, hulls_are_built_in_the_precision_of_the_scene) {
  // A corner 1e-8 below the base: one of four in double, on the base in float.
  const std::string polygons = R"({"vertices": [[0, 0], [1, 0], [0, 1],
    [0, 0], [0.5, -1e-8], [1, 0], [0, 1]], "offsets": [0, 3, 7]})";
  EXPECT_EQ(vertices(load<double>(polygons)).size(), 7u);
  EXPECT_EQ(vertices(load<float>(polygons)).size(), 6u);
}

TEST_F(polygon_files, inner_edges_want_polygons_as_given) {
  const std::string good = R"([[0, 0], [1, 0], [0, 1], [1, 1], [0, 2], [0, 1]])";
  const auto scene =
      load(R"({"offsets": [0, 3, 6], "inner": [0, 7, 0, 0, 1, 0], "vertices": )" + good + "}");
  EXPECT_EQ(vertices(scene).size(), 6u);
  EXPECT_EQ(scene.geometries.inner[1], 1);  // any number but 0
  EXPECT_TRUE((validate<2, double>(scene).empty()));
  EXPECT_EQ(load_error(R"({"offsets": [0, 3, 6], "inner": [0, 1, 0, 0, 1, 0],
    "vertices": [[0, 0], [1, 0], [0, 1], [1, 1], [0, 1], [0, 2]]})"),
            "scene.json: polygons.vertices[3] turns clockwise within geometry 1; polygons with "
            "inner edges must be convex and counter-clockwise as given");
  EXPECT_EQ(load_error(R"({"offsets": [0, 3, 6], "inner": [0, 1, 0], "vertices": )" + good + "}"),
            "scene.json: polygons.inner has 3 rows, but polygons.vertices has 6");
}

TEST_F(polygon_files, errors_name_file_array_row_and_geometry) {
  EXPECT_EQ(load_error(R"({"vertices": [[0, 0], [1, 0], [0, 1]], "offsets": [0, 3, 3]})"),
            "scene.json: polygons.offsets[1] begins geometry 1, which has fewer than 3 distinct "
            "points; a polygon needs 3 that span an area");
  EXPECT_EQ(load_error(R"({"vertices": [[0, 0], [1, 0], [0, 1]], "offsets": [0, 4]})"),
            "scene.json: polygons.offsets[1] is 4; the last offset must be the count of vertices, "
            "3");
  EXPECT_EQ(load_error(R"({"vertices": [[0, 0], [1, 0], [0, 1]], "offsets": []})"),
            "scene.json: polygons.offsets is empty, but polygons.vertices has 3 rows; it must "
            "begin with 0 and end with their count");
  // A number that double can hold but float cannot.
  EXPECT_NE(load_error<float>(R"({"vertices": [[0, 0], [1e300, 0], [0, 1]], "offsets": [0, 3]})")
                .find("polygons.vertices"),
            std::string::npos);
}

TEST_F(polygon_files, outlines_that_are_not_convex_become_empty_when_asked_for) {
  // A clockwise triangle, a correct one, and two points; the flags stay with their edges.
  std::ofstream("scene.json") << R"({"polygons": {"offsets": [0, 3, 6, 8],
    "inner": [1, 1, 1, 0, 1, 0, 0, 0], "vertices": [[0, 0], [0, 1], [1, 0],
    [0, 0], [1, 0], [0, 1], [5, 5], [6, 6]]}})";
  SceneColumns<2, double> scene;
  std::vector<Finding> refused;
  read_scene("scene.json", Format::json).to_columns(scene, &refused);
  ASSERT_EQ(refused.size(), 2u);
  EXPECT_EQ(refused[0].text_in({}),
            "polygons.vertices[0] turns clockwise within geometry 0; polygons with inner edges "
            "must be convex and counter-clockwise as given");
  EXPECT_EQ(refused[1].text_in({}),
            "polygons.offsets[2] begins geometry 2, which has 2 vertices; a polygon has 3 to 64");
  const auto& table = scene.geometries;
  EXPECT_EQ(std::vector<std::int64_t>(table.offsets.begin(), table.offsets.end()),
            (std::vector<std::int64_t>{0, 0, 3, 3}));
  EXPECT_EQ(vertices(scene), (std::vector<std::vector<double>>{{0, 0}, {1, 0}, {0, 1}}));
  EXPECT_EQ(std::vector<std::uint8_t>(table.inner.begin(), table.inner.end()),
            (std::vector<std::uint8_t>{0, 1, 0}));
}

TEST_F(polygon_files, parts_that_float_flattens_are_mended_and_clockwise_ones_refused) {
  // The corner (0.5, 1 + 1e-9) is on the upper side in float. A clockwise order in the file is
  // still an error.
  const std::string square = "[0, 0], [1, 0], [1, 1], [0.5, 1.000000001], [0, 1]";
  const std::string start = R"({"offsets": [0, 5, 8], "inner": [0, 1, 1, 1, 0, 0, 0, 1], )";
  const std::string right = start + "\"vertices\": [" + square + ", [0, 0], [1, 0], [0, 1]]}";
  EXPECT_EQ(vertices(load<double>(right)).size(), 8u);
  const auto narrow = load<float>(right);
  EXPECT_EQ(vertices(narrow).size(), 7u);
  EXPECT_EQ(std::vector<int>(narrow.geometries.inner.begin(), narrow.geometries.inner.end()),
            (std::vector<int>{0, 1, 1, 0, 0, 0, 1}));
  EXPECT_TRUE((validate<2, float>(narrow).empty()));
  EXPECT_EQ(vertices(load<Mixed>(right)).size(), 7u);
  const std::string wrong = start + "\"vertices\": [" + square + ", [0, 0], [0, 1], [1, 0]]}";
  for (const std::string& error : {load_error<float>(wrong), load_error<Mixed>(wrong)}) {
    EXPECT_EQ(error,
              "scene.json: polygons.vertices[5] turns clockwise within geometry 1; polygons with "
              "inner edges must be convex and counter-clockwise as given");
  }
}

TEST_F(polygon_files, steps_of_a_grid_below_float_are_read) {
  // A quantized square of 10 steps of 1e-7 with a notch, at (100, 100), where floats are 7.6e-6
  // apart: exact in double, one point in float, which becomes two small triangles.
  std::ofstream("grid.json") << R"({"type": "Topology", "transform":
    {"scale": [1e-7, 1e-7], "translate": [100, 100]}, "objects": {"a": {"type": "Polygon",
    "arcs": [[0]]}}, "arcs": [[[0, 0], [10, 0], [0, 10], [-5, -5], [-5, 5], [0, -10]]]})";
  SceneColumns<2, double> cut;
  cut_outline(read_outlines("grid.json").list[0], cut.geometries);
  SceneColumns<2, float> narrow;
  SceneFile::of("parts.npz", cut).to_columns(narrow);
  EXPECT_EQ(narrow.geometries.offsets.size(), cut.geometries.offsets.size());
  EXPECT_TRUE((validate<2, float>(narrow).empty()));
}

}  // namespace
}  // namespace widephase::tools
