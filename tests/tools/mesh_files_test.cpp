// Meshes in scene files: missing arrays, joined files, static scenes, pictures.
// Labels: plain

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <widephase/meshes.hpp>

#include "support/scene_files.hpp"
#include "tools/formats/merge_scenes.hpp"
#include "tools/formats/point_sets.hpp"
#include "tools/pictures/picture.hpp"

namespace widephase::tools {
namespace {

/// A square of two triangles and a triangle; shapes name both.
constexpr const char* kScene = R"({
  "meshes": {"vertices": [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 0], [2, 0, 0], [0, 2, 5]],
             "vertex_offsets": [0, 4, 7], "indices": [[0, 1, 2], [0, 2, 3], [0, 1, 2]],
             "triangle_offsets": [0, 2, 3], "two_sided": [0, 1]},
  "mesh": {"center": [[1, 2, 3], [4, 5, 6]],
           "orientation": [[0, 0, 0, 1], [0, 0, 0.6, 0.8]], "geometry": [1, 0], "radius": 0.5}})";

class mesh_files : public widephase::test::SceneFiles {};

TEST_F(mesh_files, come_back_from_every_format) {
  save(load_text(kScene), "a.npz");
  save(load("a.npz"), "b.json");
  save(load("b.json"), "c.npz");
  for (const char* name : {"scene.json", "a.npz", "b.json", "c.npz"}) {
    SceneColumns<3, double> scene;
    load(name).to_columns(scene);
    const auto& meshes = scene.mesh_geometries;
    ASSERT_EQ(meshes.vertices.size(), 7u) << name;
    EXPECT_EQ(meshes.vertices(6, 2), 5);
    EXPECT_EQ(numbers(meshes.vertex_offsets), (std::vector<std::int64_t>{0, 4, 7}));
    EXPECT_EQ(meshes.indices.row(1), (std::array<std::int32_t, 3>{0, 2, 3}));
    EXPECT_EQ(numbers(meshes.triangle_offsets), (std::vector<std::int64_t>{0, 2, 3}));
    EXPECT_EQ(numbers(meshes.two_sided), (std::vector<std::uint8_t>{0, 1}));
    EXPECT_EQ(numbers(scene.meshes.geometry), (std::vector<std::int32_t>{1, 0}));
    EXPECT_EQ(scene.meshes.radius[1], 0.5);
    EXPECT_TRUE((validate<3, double>(scene).empty()));
  }
}

TEST_F(mesh_files, need_all_of_their_arrays) {
  EXPECT_EQ(error_of(R"({"meshes": {"vertices": [[0, 0, 0]], "indices": [[0, 0, 0]],
                        "triangle_offsets": [0, 1]}})"),
            "scene.json: meshes.vertex_offsets is missing; meshes.vertices needs it");
  EXPECT_EQ(error_of(R"({"meshes": {"two_sided": [1]}})"),
            "scene.json: meshes.vertices is missing; meshes.two_sided needs it");
}

TEST_F(mesh_files, are_numbered_on_where_files_become_one) {
  const SceneFile first = load_text(kScene);
  const SceneFile second = load_text(R"({
    "meshes": {"vertices": [[0, 0, 0], [9, 0, 0], [0, 9, 0]], "vertex_offsets": [0, 3],
               "indices": [[0, 1, 2]], "triangle_offsets": [0, 1]},
    "mesh": {"center": [[7, 7, 7]], "orientation": [[0, 0, 0, 1]], "geometry": [0]}})");
  std::vector<std::string> notes;
  SceneColumns<3, double> scene;
  merged("both.npz", {&first, &second}, notes).to_columns(scene);
  const auto& meshes = scene.mesh_geometries;
  EXPECT_EQ(numbers(meshes.vertex_offsets), (std::vector<std::int64_t>{0, 4, 7, 10}));
  EXPECT_EQ(numbers(meshes.triangle_offsets), (std::vector<std::int64_t>{0, 2, 3, 4}));
  EXPECT_EQ(meshes.vertices(8, 0), 9);
  EXPECT_EQ(meshes.indices.row(3), (std::array<std::int32_t, 3>{0, 1, 2}));
  EXPECT_EQ(numbers(meshes.two_sided), (std::vector<std::uint8_t>{0, 1, 0}));
  EXPECT_EQ(numbers(scene.meshes.geometry), (std::vector<std::int32_t>{1, 0, 2}));
  EXPECT_TRUE((validate<3, double>(scene).empty()));
}

TEST_F(mesh_files, go_to_the_static_scene) {
  SceneColumns<3, double> moving, kept;
  load_text(kScene).to_columns(moving);
  load_text(kScene).to_columns(kept);
  kept.mesh_geometries.two_sided.clear();
  give_point_sets(moving, kept);
  EXPECT_TRUE(moving.mesh_geometries.vertex_offsets.empty());
  EXPECT_EQ(numbers(moving.meshes.geometry), (std::vector<std::int32_t>{3, 2}));
  const auto& meshes = kept.mesh_geometries;
  EXPECT_EQ(numbers(meshes.vertex_offsets), (std::vector<std::int64_t>{0, 4, 7, 11, 14}));
  EXPECT_EQ(numbers(meshes.triangle_offsets), (std::vector<std::int64_t>{0, 2, 3, 5, 6}));
  EXPECT_EQ(numbers(meshes.two_sided), (std::vector<std::uint8_t>{0, 0, 0, 1}));
  EXPECT_TRUE((validate<3, double>(kept).empty()));
}

TEST_F(mesh_files, are_drawn_triangle_by_triangle_from_both_sides) {
  SceneColumns<3, double> scene;
  load_text(kScene).to_columns(scene);
  scene.meshes.geometry = {0, 0};
  const std::string picture = picture_of(scene, ContactBuffer<3, double>(), {});
  std::size_t corners = 0;
  for (std::size_t at = picture.find("<g class=\"field\""); at != std::string::npos;
       at = picture.find("<g class=\"field\"", at + 1)) {
    const std::string drawn = picture.substr(at, picture.find("</g>", at) - at);
    for (const char letter : drawn) corners += letter == 'Z' ? 1u : 0u;
  }
  EXPECT_EQ(corners, 4u) << "two squares of two triangles each";
}

}  // namespace
}  // namespace widephase::tools
