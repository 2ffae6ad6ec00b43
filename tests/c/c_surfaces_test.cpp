// What widephase.h says of height fields, meshes and chains that are not valid: one sentence by
// array and row, whichever call is the first to read them; and what it answers of chains.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <widephase/widephase.h>

namespace widephase::test {
namespace {

#define EXPECT_OK(call) EXPECT_EQ(call, WIDEPHASE_OK) << widephase_error_message()

/// A square of two triangles and a field of two cells, as arrays that a test may spoil.
struct Surfaces {
  std::vector<float> vertices{0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
  std::vector<std::int32_t> indices{0, 1, 2, 0, 2, 3};
  std::vector<std::int64_t> vertex_offsets{0, 4}, triangle_offsets{0, 2};
  std::vector<std::int32_t> beyond{1};
  std::vector<float> heights{0, 0, 0, 0, 0, 0};
  std::vector<std::int64_t> offsets{0, 6};
  std::vector<std::int32_t> columns{3}, neighbours{-1, -1, -1, -1};
  std::vector<float> cell{1, 2};

  void give(widephase_scene* scene) const {
    const auto set = [&](const char* name, widephase_type type, const auto& array, int width) {
      const auto rows = static_cast<std::int64_t>(array.size()) / width;
      EXPECT_OK(widephase_scene_set(scene, name, type, array.data(), rows,
                                    static_cast<std::int64_t>(sizeof(array[0])) * width));
    };
    set("meshes.vertices", WIDEPHASE_FLOAT32, vertices, 3);
    set("meshes.indices", WIDEPHASE_INT32, indices, 3);
    set("meshes.vertex_offsets", WIDEPHASE_INT64, vertex_offsets, 1);
    set("meshes.triangle_offsets", WIDEPHASE_INT64, triangle_offsets, 1);
    set("meshes.beyond", WIDEPHASE_INT32, beyond, 1);
    set("heightfields.heights", WIDEPHASE_FLOAT32, heights, 1);
    set("heightfields.offsets", WIDEPHASE_INT64, offsets, 1);
    set("heightfields.columns", WIDEPHASE_INT32, columns, 1);
    set("heightfields.neighbours", WIDEPHASE_INT32, neighbours, 4);
    set("heightfields.cell", WIDEPHASE_FLOAT32, cell, 2);
  }
};

struct Mistake {
  std::function<void(Surfaces&)> make;
  const char* array;
  std::int64_t row;
  const char* message;
};

const Mistake kMistakes[] = {
    {[](Surfaces& s) { s.indices[4] = -1; }, "meshes.indices", 1,
     "meshes.indices[1] names vertex -1; mesh 0 has 4 vertices, counted from 0"},
    {[](Surfaces& s) { s.vertices[7] = std::nanf(""); }, "meshes.vertices", 2,
     "meshes.vertices[2] is nan; a vertex must be three finite numbers"},
    {[](Surfaces& s) { s.vertex_offsets[1] = 5; }, "meshes.vertex_offsets", 1,
     "meshes.vertex_offsets[1] is 5; the last offset must be the count of vertices, 4"},
    {[](Surfaces& s) {
       s.triangle_offsets = {0, 2, 1, 2};
     },
     "meshes.triangle_offsets", 2,
     "meshes.triangle_offsets[2] is 1, below the 2 before it; geometries lie one after the other"},
    {[](Surfaces& s) { s.indices = {0, 1, 1, 2, 2, 2}; }, "meshes.triangle_offsets", 0,
     "meshes.triangle_offsets[0] begins mesh 0, which has 2 triangles; a mesh must have a triangle "
     "with an area that is not beyond its borders"},
    {[](Surfaces& s) { s.beyond[0] = 2; }, "meshes.triangle_offsets", 0,
     "meshes.triangle_offsets[0] begins mesh 0, which has 2 triangles; a mesh must have a triangle "
     "with an area that is not beyond its borders"},
    {[](Surfaces& s) { s.beyond[0] = -1; }, "meshes.beyond", 0,
     "meshes.beyond[0] is -1; mesh 0 has 2 triangles"},
    {[](Surfaces& s) { s.beyond[0] = 3; }, "meshes.beyond", 0,
     "meshes.beyond[0] is 3; mesh 0 has 2 triangles"},
    {[](Surfaces& s) {
       s.beyond = {0, 0};
     },
     "meshes.beyond", -1, "meshes.beyond has 2 rows, but meshes.vertex_offsets has 1 meshes"},
    {[](Surfaces& s) { s.columns[0] = 6; }, "heightfields.offsets", 0,
     "heightfields.offsets[0] begins field 0, which has 1 row; a field has 2 rows or more"},
    {[](Surfaces& s) { s.columns[0] = 4; }, "heightfields.offsets", 0,
     "heightfields.offsets[0] begins field 0, which has 6 samples, but rows of 4; it must have "
     "whole rows"},
    {[](Surfaces& s) { s.offsets[0] = 1; }, "heightfields.offsets", 0,
     "heightfields.offsets[0] is 1; the first geometry begins at 0"},
    {[](Surfaces& s) { s.cell[1] = 0; }, "heightfields.cell", 0,
     "heightfields.cell[0] is 0 along y; a cell's sizes must be finite numbers > 0"},
    {[](Surfaces& s) { s.neighbours[2] = 1; }, "heightfields.neighbours", 0,
     "heightfields.neighbours[0] names field 1 at -y; the scene has 1 fields, counted from 0, and "
     "-1 means none"},
};

TEST(c_surfaces, what_is_wrong_is_one_sentence_by_array_and_row) {
  widephase_workspace* workspace = nullptr;
  widephase_contacts* contacts = nullptr;
  widephase_scene* scene = nullptr;
  EXPECT_OK(widephase_workspace_create(&workspace));
  EXPECT_OK(widephase_contacts_create(&contacts));
  EXPECT_OK(widephase_scene_create(3, WIDEPHASE_FLOAT, &scene));
  const Surfaces right;
  right.give(scene);
  EXPECT_OK(widephase_collide(scene, contacts, workspace, nullptr));
  for (const Mistake& mistake : kMistakes) {
    SCOPED_TRACE(mistake.message);
    Surfaces wrong;
    mistake.make(wrong);
    wrong.give(scene);
    // The second time it has been read before, and is as wrong.
    for (int time = 0; time < 2; ++time) {
      EXPECT_EQ(widephase_collide(scene, contacts, workspace, nullptr), WIDEPHASE_INVALID);
      EXPECT_STREQ(widephase_error_array(), mistake.array);
      EXPECT_EQ(widephase_error_row(), mistake.row);
      EXPECT_STREQ(widephase_error_message(), mistake.message);
    }
    right.give(scene);
    EXPECT_OK(widephase_collide(scene, contacts, workspace, nullptr));
  }
  widephase_scene_destroy(&scene);
  widephase_contacts_destroy(&contacts);
  widephase_workspace_destroy(&workspace);
}

/// Level ground of two segments, free above it, and a triangle; a circle 0.25 deep in the first
/// segment.
struct Chains {
  std::vector<float> vertices{2, 0, 0, 0, -2, 0, 8, 0, 9, 0, 8, 1};
  std::vector<std::int64_t> offsets{0, 3, 6};
  std::vector<std::uint8_t> loop{0, 1}, two_sided{0, 0};
  std::vector<std::int32_t> before{0, 0}, after{1, 0}, geometry{0};
  std::vector<float> center{0, 0}, angle{0}, circle{1, 0.25f}, radius{0.5f};

  void give(widephase_scene* scene) const {
    const auto set = [&](const char* name, widephase_type type, const auto& array, int width) {
      const auto rows = static_cast<std::int64_t>(array.size()) / width;
      EXPECT_OK(widephase_scene_set(scene, name, type, array.data(), rows,
                                    static_cast<std::int64_t>(sizeof(array[0])) * width));
    };
    set("chains.vertices", WIDEPHASE_FLOAT32, vertices, 2);
    set("chains.offsets", WIDEPHASE_INT64, offsets, 1);
    set("chains.loop", WIDEPHASE_UINT8, loop, 1);
    set("chains.two_sided", WIDEPHASE_UINT8, two_sided, 1);
    set("chains.before", WIDEPHASE_INT32, before, 1);
    set("chains.after", WIDEPHASE_INT32, after, 1);
    set("chain.center", WIDEPHASE_FLOAT32, center, 2);
    set("chain.angle", WIDEPHASE_FLOAT32, angle, 1);
    set("chain.geometry", WIDEPHASE_INT32, geometry, 1);
    set("circle.center", WIDEPHASE_FLOAT32, circle, 2);
    set("circle.radius", WIDEPHASE_FLOAT32, radius, 1);
  }
};

TEST(c_surfaces, chains_are_columns_and_their_contacts_name_segments) {
  widephase_workspace* workspace = nullptr;
  widephase_contacts* contacts = nullptr;
  widephase_scene* scene = nullptr;
  EXPECT_OK(widephase_workspace_create(&workspace));
  EXPECT_OK(widephase_contacts_create(&contacts));
  EXPECT_OK(widephase_scene_create(2, WIDEPHASE_FLOAT, &scene));
  Chains chains;
  const auto part_of_only_point = [&] {
    chains.give(scene);
    EXPECT_OK(widephase_collide(scene, contacts, workspace, nullptr));
    widephase_array part;
    EXPECT_OK(widephase_contacts_get(contacts, "part", WIDEPHASE_INT32, &part));
    if (part.rows != 1) return -2;
    EXPECT_EQ(static_cast<const std::int32_t*>(part.planes[0])[0], -1);
    return static_cast<int>(static_cast<const std::int32_t*>(part.planes[1])[0]);
  };
  EXPECT_EQ(part_of_only_point(), 0);
  chains.circle = {-1, 0.25f};
  EXPECT_EQ(part_of_only_point(), -2) << "the second segment is a neighbour's";
  chains.after = {0, 0};
  EXPECT_EQ(part_of_only_point(), 1);
  chains.circle = {-1, -0.25f};
  EXPECT_EQ(part_of_only_point(), -2) << "it is behind the ground";
  chains.two_sided = {1, 0};
  EXPECT_EQ(part_of_only_point(), 1);
  // The last segment of the triangle, from (8, 1) to (8, 0).
  chains.geometry = {1};
  chains.circle = {7.75f, 0.5f};
  EXPECT_EQ(part_of_only_point(), 2);

  const auto error_of = [&](const Chains& wrong) -> std::string {
    wrong.give(scene);
    EXPECT_EQ(widephase_collide(scene, contacts, workspace, nullptr), WIDEPHASE_INVALID);
    return widephase_error_message();
  };
  Chains wrong;
  wrong.offsets[2] = 7;
  EXPECT_EQ(error_of(wrong),
            "chains.offsets[2] is 7; the last offset must be the count of vertices, 6");
  wrong = {};
  wrong.after[1] = 1;
  EXPECT_EQ(error_of(wrong), "chains.after[1] is 1; chain 1 is a loop, which has no end");
  wrong = {};
  wrong.loop = {1};
  EXPECT_EQ(error_of(wrong), "chains.loop has 1 rows, but chains.offsets has 2 chains");
  wrong = {};
  wrong.vertices[5] = std::nanf("");
  EXPECT_EQ(error_of(wrong), "chains.vertices[2] is nan; a vertex must be two finite numbers");
  widephase_scene_destroy(&scene);
  widephase_contacts_destroy(&contacts);
  widephase_workspace_destroy(&workspace);
}

}  // namespace
}  // namespace widephase::test
