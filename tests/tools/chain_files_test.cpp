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

}  // namespace
}  // namespace widephase::tools
