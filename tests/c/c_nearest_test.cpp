// Nearest shapes and overlaps by widephase.h: the bits of the C++ library, and what is refused.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string>

#include <widephase/widephase.h>

namespace widephase::test {
namespace {

#define EXPECT_OK(call) EXPECT_EQ(call, WIDEPHASE_OK) << widephase_error_message()

/// A ball and a box, kept, and the handles that ask them.
struct Asked {
  const double center[3] = {0, 0, 0}, radius = 1;
  const double low[3] = {2, -1, -1}, high[3] = {4, 1, 1};

  widephase_scene* scene = nullptr;
  widephase_static_scene* kept = nullptr;
  widephase_workspace* workspace = nullptr;
  widephase_rays* points = nullptr;
  widephase_nearest* nearest = nullptr;

  Asked() {
    EXPECT_OK(widephase_scene_create(3, WIDEPHASE_DOUBLE, &scene));
    EXPECT_OK(widephase_scene_set(scene, "sphere.center", WIDEPHASE_FLOAT64, center, 1, 24));
    EXPECT_OK(widephase_scene_set(scene, "sphere.radius", WIDEPHASE_FLOAT64, &radius, 1, 8));
    EXPECT_OK(widephase_scene_set(scene, "aabb.min", WIDEPHASE_FLOAT64, low, 1, 24));
    EXPECT_OK(widephase_scene_set(scene, "aabb.max", WIDEPHASE_FLOAT64, high, 1, 24));
    EXPECT_OK(widephase_workspace_create(&workspace));
    EXPECT_OK(widephase_static_scene_create(&kept));
    EXPECT_OK(widephase_static_scene_build(kept, scene, workspace, nullptr));
    EXPECT_OK(widephase_rays_create(3, WIDEPHASE_DOUBLE, &points));
    EXPECT_OK(widephase_nearest_create(&nearest));
  }
  ~Asked() {
    widephase_rays_destroy(&points);
    widephase_nearest_destroy(&nearest);
    widephase_static_scene_destroy(&kept);
    widephase_workspace_destroy(&workspace);
    widephase_scene_destroy(&scene);
  }
};

TEST(c_nearest, shapes_of_points) {
  Asked asked;
  // 0.25 before the box and 0.75 behind the ball; 0.5 deep in the ball.
  const double at[2][3] = {{1.75, 0, 0}, {-0.5, 0, 0}};
  EXPECT_OK(widephase_rays_set(asked.points, "origin", WIDEPHASE_FLOAT64, at, 2, 24));
  EXPECT_OK(widephase_nearest_shapes(asked.kept, asked.points, 2, INFINITY, asked.nearest,
                                     asked.workspace, nullptr));
  widephase_array array;
  EXPECT_OK(widephase_nearest_get(asked.nearest, "shape", WIDEPHASE_INT32, &array));
  ASSERT_EQ(array.rows, 4);
  const auto* shape = static_cast<const std::int32_t*>(array.planes[0]);
  EXPECT_EQ(shape[0], 1);
  EXPECT_EQ(shape[1], 0);
  EXPECT_EQ(shape[2], 0);
  EXPECT_EQ(shape[3], 1);
  EXPECT_OK(widephase_nearest_get(asked.nearest, "distance", WIDEPHASE_FLOAT64, &array));
  const auto* distance = static_cast<const double*>(array.planes[0]);
  EXPECT_EQ(distance[0], 0.25);
  EXPECT_EQ(distance[1], 0.75);
  EXPECT_EQ(distance[2], -0.5);
  EXPECT_EQ(distance[3], 2.5);
  EXPECT_OK(widephase_nearest_get(asked.nearest, "normal", WIDEPHASE_FLOAT64, &array));
  EXPECT_EQ(static_cast<const double*>(array.planes[0])[0], -1);
  EXPECT_OK(widephase_nearest_get(asked.nearest, "point", WIDEPHASE_FLOAT64, &array));
  EXPECT_EQ(static_cast<const double*>(array.planes[0])[2], -1);
}

TEST(c_nearest, overlaps_of_moving_shapes) {
  Asked asked;
  widephase_scene* moving = nullptr;
  EXPECT_OK(widephase_scene_create(3, WIDEPHASE_DOUBLE, &moving));
  const double at[3][3] = {{1.25, 0, 0}, {3, 0, 0}, {0, 9, 0}}, radius = 0.125;
  EXPECT_OK(widephase_scene_set(moving, "sphere.center", WIDEPHASE_FLOAT64, at, 3, 24));
  EXPECT_OK(widephase_scene_set(moving, "sphere.radius", WIDEPHASE_FLOAT64, &radius, 3, 0));
  std::uint8_t is_overlap[3] = {7, 7, 7};
  EXPECT_OK(widephase_any_overlap(asked.kept, moving, is_overlap, 3, asked.workspace, nullptr));
  EXPECT_EQ(is_overlap[0], 0);
  EXPECT_EQ(is_overlap[1], 1);
  EXPECT_EQ(is_overlap[2], 0);
  EXPECT_EQ(widephase_any_overlap(asked.kept, moving, is_overlap, 2, asked.workspace, nullptr),
            WIDEPHASE_INVALID);
  widephase_scene_destroy(&moving);
}

TEST(c_nearest, wrong_input_is_told) {
  Asked asked;
  const double at[2][3] = {{0, 0, 0}, {0, 0, NAN}};
  EXPECT_OK(widephase_rays_set(asked.points, "origin", WIDEPHASE_FLOAT64, at, 2, 24));
  const auto said = [&](std::int64_t k, double most) -> std::string {
    const widephase_result result = widephase_nearest_shapes(
        asked.kept, asked.points, k, most, asked.nearest, asked.workspace, nullptr);
    return result == WIDEPHASE_OK ? "no error" : widephase_error_message();
  };
  EXPECT_EQ(said(1, 1), "points[1] is nan along axis 2; it must be finite");
  EXPECT_EQ(said(0, 1), "k is 0; it must be 1 or more");
  EXPECT_EQ(said(1, -1), "max_distance is -1; it must be a number >= 0");
  EXPECT_EQ(widephase_nearest_shapes(nullptr, asked.points, 1, 1, asked.nearest, asked.workspace,
                                     nullptr),
            WIDEPHASE_INVALID);
}

}  // namespace
}  // namespace widephase::test
