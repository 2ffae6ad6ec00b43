// Height fields in scene files: holes, missing arrays, joined files, static scenes, pictures,
// pages.
// Labels: plain

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include <widephase/heightfields.hpp>

#include "support/scene_files.hpp"
#include "tools/formats/merge_scenes.hpp"
#include "tools/formats/point_sets.hpp"
#include "tools/pictures/picture.hpp"

namespace widephase::tools {
namespace {

/// A field of two rows and a hill with a hole beside it, of three; shapes name both.
constexpr const char* kScene = R"({
  "heightfields": {"heights": [0, 1, 2, 3, 4, 5, 0.5, null, 0.5, 7, 0.5, 0.5],
                   "offsets": [0, 6, 12], "columns": [3, 2], "cell": [[0.5, 2], [1, 1]]},
  "heightfield": {"center": [[1, 2, 3], [4, 5, 6]],
                  "orientation": [[0, 0, 0, 1], [0, 0, 0.6, 0.8]], "geometry": [1, 0]}})";

class heightfield_files : public widephase::test::SceneFiles {};

TEST_F(heightfield_files, come_back_from_every_format) {
  save(load_text(kScene), "a.npz");
  save(load("a.npz"), "b.json");
  save(load("b.json"), "c.npz");
  for (const char* name : {"scene.json", "a.npz", "b.json", "c.npz"}) {
    SceneColumns<3, double> scene;
    load(name).to_columns(scene);
    const auto& fields = scene.heightfield_geometries;
    ASSERT_EQ(fields.heights.size(), 12u) << name;
    EXPECT_EQ(fields.heights[5], 5);
    EXPECT_TRUE(std::isnan(fields.heights[7]));
    EXPECT_EQ(numbers(fields.offsets), (std::vector<std::int64_t>{0, 6, 12}));
    EXPECT_EQ(numbers(fields.columns), (std::vector<std::int32_t>{3, 2}));
    EXPECT_EQ(fields.cell.row(0), (std::array<double, 2>{0.5, 2}));
    EXPECT_TRUE(fields.neighbours.empty());
    EXPECT_EQ(numbers(scene.heightfields.geometry), (std::vector<std::int32_t>{1, 0}));
    EXPECT_EQ(scene.heightfields.turn(1, 2), 0.6);
    EXPECT_TRUE((validate<3, double>(scene).empty()));
  }
}

TEST_F(heightfield_files, say_in_which_precision_the_scene_is) {
  SceneColumns<3, float> narrow;
  add_heightfield(narrow.heightfield_geometries, Column<float>{0, 0, 0, 0}, 2, 1.0f, 1.0f);
  narrow.heightfields.center = {{0, 0, 0}};
  narrow.heightfields.turn = {{0, 0, 0, 1}};
  narrow.heightfields.geometry = {0};
  save(SceneFile("narrow", arrays_of(SceneSpan<3, float>(narrow))), "narrow.npz");
  EXPECT_EQ(load("narrow.npz").precision(), Precision::single);
  EXPECT_EQ(load_text(kScene).precision(), Precision::twofold);
}

TEST_F(heightfield_files, need_all_of_their_arrays) {
  EXPECT_EQ(error_of(R"({"heightfields": {"heights": [0, 0, 0, 0], "columns": [2],
                        "cell": [[1, 1]]}})"),
            "scene.json: heightfields.offsets is missing; heightfields.heights needs it");
  EXPECT_EQ(error_of(R"({"heightfields": {"neighbours": [[-1, -1, -1, -1]]}})"),
            "scene.json: heightfields.heights is missing; heightfields.neighbours needs it");
  EXPECT_EQ(error_of(R"({"heightfields": {"heights": [0, 0], "offsets": [0, 2], "columns": [2],
                        "cell": [1, 1]}})"),
            "scene.json: heightfields.cell has the shape (2,); expected (n, 2)");
  EXPECT_EQ(error_of(R"({"sphere": {"center": [[0, 0, null]], "radius": 1}})"),
            "scene.json: sphere.center[0] is null; expected a number");
  EXPECT_NE(error_of(R"({"dimension": 2, "heightfields": {"heights": [0]}})")
                .find("is not an array of a 2D scene"),
            std::string::npos);
}

TEST_F(heightfield_files, are_numbered_on_where_files_become_one) {
  const SceneFile first = load_text(kScene);
  const SceneFile second = load_text(R"({
    "hulls": {"vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], "offsets": [0, 4]},
    "hull": {"center": [[0, 0, 0]], "orientation": [[0, 0, 0, 1]], "geometry": [0]},
    "heightfields": {"heights": [9, 9, 9, 9], "offsets": [0, 4], "columns": [2],
                     "cell": [[1, 1]], "neighbours": [[0, 0, -1, -1]]},
    "heightfield": {"center": [[7, 7, 7]], "orientation": [[0, 0, 0, 1]], "geometry": [0]}})");
  std::vector<std::string> notes;
  SceneColumns<3, double> scene;
  merged("both.npz", {&first, &second}, notes).to_columns(scene);
  const auto& fields = scene.heightfield_geometries;
  EXPECT_EQ(numbers(fields.offsets), (std::vector<std::int64_t>{0, 6, 12, 16}));
  EXPECT_EQ(numbers(fields.columns), (std::vector<std::int32_t>{3, 2, 2}));
  EXPECT_EQ(fields.heights[15], 9);
  EXPECT_EQ(numbers(scene.heightfields.geometry), (std::vector<std::int32_t>{1, 0, 2}));
  EXPECT_EQ(numbers(scene.hulls.geometry), (std::vector<std::int32_t>{0}));
  ASSERT_EQ(fields.neighbours.size(), 3u);
  EXPECT_EQ(fields.neighbours.row(0), (std::array<std::int32_t, 4>{-1, -1, -1, -1}));
  EXPECT_EQ(fields.neighbours.row(2), (std::array<std::int32_t, 4>{2, 2, -1, -1}));
  EXPECT_TRUE((validate<3, double>(scene).empty()));
}

TEST_F(heightfield_files, go_to_the_static_scene) {
  SceneColumns<3, double> moving, kept;
  load_text(kScene).to_columns(moving);
  load_text(kScene).to_columns(kept);
  moving.heightfield_geometries.neighbours = {{-1, -1, -1, -1}, {1, 1, -1, -1}};
  give_point_sets(moving, kept);
  EXPECT_TRUE(moving.heightfield_geometries.offsets.empty());
  EXPECT_EQ(numbers(moving.heightfields.geometry), (std::vector<std::int32_t>{3, 2}));
  const auto& fields = kept.heightfield_geometries;
  EXPECT_EQ(numbers(fields.offsets), (std::vector<std::int64_t>{0, 6, 12, 18, 24}));
  ASSERT_EQ(fields.neighbours.size(), 4u);
  EXPECT_EQ(fields.neighbours.row(1), (std::array<std::int32_t, 4>{-1, -1, -1, -1}));
  EXPECT_EQ(fields.neighbours.row(3), (std::array<std::int32_t, 4>{3, 3, -1, -1}));
  EXPECT_TRUE((validate<3, double>(kept).empty()));
}

/// How often a word occurs.
std::size_t count_of(const std::string& text, const std::string& word) {
  std::size_t count = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    ++count;
  }
  return count;
}

TEST_F(heightfield_files, are_drawn_cell_by_cell_without_holes) {
  // Two rows of flat cells, all of one shade, as one path; the hole takes two of four cells away.
  SceneColumns<3, double> scene;
  Column<double> heights;
  for (int i = 0; i < 15; ++i) heights.push_back(i == 4 ? std::nan("") : 0.0);
  add_heightfield(scene.heightfield_geometries, heights, 5, 1.0, 1.0);
  scene.heightfields.center = {{0, 0, 0}};
  scene.heightfields.turn = {{0, 0, 0, 1}};
  scene.heightfields.geometry = {0};
  const std::string picture = picture_of(scene, ContactBuffer<3, double>(), {});
  const std::size_t begin = picture.find("<g class=\"field\"");
  ASSERT_NE(begin, std::string::npos);
  const std::string field = picture.substr(begin, picture.find("</g>", begin) - begin);
  EXPECT_EQ(count_of(field, "<path"), 1u);
  // Four of two rows of cells; a hole at the end of the first row of samples takes one away.
  EXPECT_EQ(count_of(field, "Z"), 7u);
  // Seen from below nothing of it is drawn.
  scene.heightfields.turn = {{1, 0, 0, 0}};
  const std::string below = picture_of(scene, ContactBuffer<3, double>(), {});
  EXPECT_NE(below.find("<g class=\"field\" stroke-width=\".4\" stroke-linejoin=\"round\">\n</g>"),
            std::string::npos);
}

}  // namespace
}  // namespace widephase::tools
