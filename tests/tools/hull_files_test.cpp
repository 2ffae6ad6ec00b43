// Hulls in scene files: point sets become hulls on loading, and errors name the file.
// Labels: plain

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include <widephase/hulls.hpp>

#include "support/own_folder.hpp"
#include "tools/formats/file_error.hpp"
#include "tools/formats/read_scene.hpp"

namespace widephase::tools {
namespace {

class hull_files : public widephase::test::OwnFolder {
 protected:
  /// A scene of one hull that names geometry 1 of `hulls`.
  template <class T = double>
  static SceneColumns<3, T> load(const std::string& hulls) {
    std::ofstream("scene.json") << R"({"hulls": )" << hulls << R"(, "hull":
      {"center": [[5, 5, 5]], "orientation": [[0, 0, 0, 1]], "geometry": [1]}})";
    SceneColumns<3, T> scene;
    read_scene("scene.json", detect_format("scene.json"), {}).to_columns(scene);
    return scene;
  }
  template <class T = double>
  static std::string load_error(const std::string& hulls) {
    try {
      load<T>(hulls);
    } catch (const FileError& error) {
      return error.what();
    }
    return "no error";
  }
  template <class T>
  static std::vector<std::vector<T>> vertices(const SceneColumns<3, T>& scene) {
    std::vector<std::vector<T>> rows;
    for (std::size_t row = 0; row < scene.geometries.vertices.size(); ++row) {
      const auto vertex = scene.geometries.vertices.row(row);
      rows.emplace_back(vertex.begin(), vertex.end());
    }
    return rows;
  }
};

TEST_F(hull_files, point_sets_become_hulls_and_indices_stay) {
  // A tetrahedron with a point inside, then a pyramid with the centre of its base.
  const std::string hulls = R"({"vertices": [[0, 0, 0], [1, 1, 1], [4, 0, 0], [0, 4, 0], [0, 0, 4],
    [1, 1, 2], [1, 1, 0], [0, 0, 0], [2, 0, 0], [0, 2, 0], [2, 2, 0]], "offsets": [0, 5, 11]})";
  const auto scene = load(hulls);
  EXPECT_EQ(vertices(scene), (std::vector<std::vector<double>>{{0, 0, 0},
                                                               {4, 0, 0},
                                                               {0, 4, 0},
                                                               {0, 0, 4},
                                                               {1, 1, 2},
                                                               {0, 0, 0},
                                                               {2, 0, 0},
                                                               {0, 2, 0},
                                                               {2, 2, 0}}));
  EXPECT_EQ(
      std::vector<std::int64_t>(scene.geometries.offsets.begin(), scene.geometries.offsets.end()),
      (std::vector<std::int64_t>{0, 4, 9}));
  EXPECT_EQ(scene.hulls.geometry[0], 1);
  EXPECT_TRUE((validate<3, double>(scene).empty()));
  EXPECT_EQ(vertices(load<float>(hulls)).size(), 9u);
}

TEST_F(hull_files, hulls_are_built_in_the_precision_of_the_scene) {
  // A tip 1e-7 below the base: one of five in double, on the base in float.
  const std::string hulls = R"({"vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1],
    [0, 0, 0], [1, 0, 0], [0.25, 0.25, -1e-7], [0, 1, 0], [0, 0, 1]], "offsets": [0, 4, 9]})";
  EXPECT_EQ(vertices(load<double>(hulls)).size(), 9u);
  EXPECT_EQ(vertices(load<float>(hulls)).size(), 8u);
}

TEST_F(hull_files, errors_name_file_array_row_and_geometry) {
  const std::string points = R"([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0]])";
  EXPECT_EQ(load_error(R"({"vertices": )" + points + R"(, "offsets": [0, 4, 5]})"),
            "scene.json: hulls.offsets[1] begins geometry 1, which has fewer than 4 distinct "
            "points; a hull needs 4 that span a volume");
  EXPECT_EQ(load_error(R"({"vertices": )" + points + R"(, "offsets": [0, 4]})"),
            "scene.json: hulls.offsets[1] is 4; the last offset must be the count of vertices, 5");
  EXPECT_EQ(load_error(R"({"vertices": )" + points + R"(, "offsets": []})"),
            "scene.json: hulls.offsets is empty, but hulls.vertices has 5 rows; it must begin with "
            "0 and end with their count");
  EXPECT_EQ(load_error(R"({"vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]],
    "offsets": [0, 4]})"),
            "scene.json: hulls.offsets[0] begins geometry 0, which has its points in a plane, "
            "within 16 epsilons of its extent; a hull needs 4 that span a volume");
  // A number that double can hold but float cannot.
  EXPECT_NE(load_error<float>(R"({"vertices": [[0, 0, 0], [1e300, 0, 0], [0, 1, 0], [0, 0, 1]],
    "offsets": [0, 4]})")
                .find("hulls.vertices"),
            std::string::npos);
}

TEST_F(hull_files, point_sets_without_a_hull_become_empty_when_asked_for) {
  // A square, a tetrahedron, a point, and the tetrahedron again.
  const std::string tetrahedron = "[0, 0, 0], [4, 0, 0], [0, 4, 0], [0, 0, 4]";
  std::ofstream("scene.json") << R"({"hulls": {"vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0],
    [1, 1, 0], )" << tetrahedron
                              << ", [1, 0, 0], " << tetrahedron
                              << R"(], "offsets": [0, 4, 8, 9, 13]}})";
  std::ofstream("good.json") << R"({"hulls": {"vertices": [)" << tetrahedron
                             << R"(], "offsets": [0, 4]}})";
  const auto empty = [](const std::string& path, std::vector<std::int64_t>& offsets) {
    SceneColumns<3, double> scene;
    std::vector<Finding> refused{{"hulls.offsets", 9, "is of a scene before"}};
    read_scene(path, Format::json).to_columns(scene, &refused);
    offsets.assign(scene.geometries.offsets.begin(), scene.geometries.offsets.end());
    std::vector<std::string> texts;
    for (const Finding& finding : refused) texts.push_back(finding.text_in({}));
    return texts;
  };
  std::vector<std::int64_t> offsets;
  EXPECT_EQ(empty("scene.json", offsets),
            (std::vector<std::string>{
                "hulls.offsets[0] begins geometry 0, which has its points in a plane, within 16 "
                "epsilons of its extent; a hull needs 4 that span a volume",
                "hulls.offsets[2] begins geometry 2, which has fewer than 4 distinct points; a "
                "hull needs 4 that span a volume"}));
  EXPECT_EQ(offsets, (std::vector<std::int64_t>{0, 0, 4, 4, 8}));
  EXPECT_TRUE(empty("good.json", offsets).empty());
  EXPECT_EQ(offsets, (std::vector<std::int64_t>{0, 4}));
}

/// Every number of a scene, with the lengths of its columns.
template <int D, class T>
std::vector<double> numbers_of(const SceneColumns<D, T>& scene) {
  std::vector<double> numbers;
  const auto add = [&](const auto& column) {
    numbers.push_back(static_cast<double>(column.size()));
    for (std::size_t i = 0; i < column.size(); ++i) {
      for (const auto value : column.row(i)) numbers.push_back(static_cast<double>(value));
    }
  };
  for_each_table(scene, [&](const auto& table) {
    for_each_field(table, [&](const auto&, const auto& column) { add(column); });
  });
  add(scene.excluded);
  add(scene.geometries.vertices);
  add(scene.geometries.offsets);
  for (std::size_t k = 0; k < D; ++k) {
    numbers.insert(numbers.end(), {static_cast<double>(scene.domain.min[k]),
                                   static_cast<double>(scene.domain.max[k]),
                                   scene.domain.periodic[k] ? 1.0 : 0.0});
  }
  return numbers;
}

TEST_F(hull_files, columns_of_a_scene_are_the_same_from_its_file) {
  SceneColumns<3, float> scene;
  scene.spheres.center = {{0.1f, 0, 0}, {5, 6, 7}};
  scene.spheres.radius = {1, 0.3f};
  scene.spheres.world = {0, -1};
  scene.spheres.mask = {~0u, 5};
  add_box_hull(scene.geometries, 1, 2, 3);
  scene.hulls.center = {{-1, -2, -3}};
  scene.hulls.turn = {{0, 0, 0, 1}};
  scene.hulls.geometry = {0};
  scene.hulls.fixed = {1};
  scene.excluded = {{0, 2}};
  scene.domain = {{-9, -8, -7}, {9, 8, 7}, {false, true, false}};
  OutputFile file("scene.npz");
  write_scene(SceneFile::of("scene.npz", scene), Format::npz, file);
  file.commit();
  const SceneFile read = read_scene("scene.npz", Format::npz);
  EXPECT_EQ(read.precision(), Precision::single);
  SceneColumns<3, float> back;
  read.to_columns(back);
  EXPECT_EQ(numbers_of(back), numbers_of(scene));
}

}  // namespace
}  // namespace widephase::tools
