// Rays by widephase.h: the bits of the C++ library, and what is refused.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include <widephase/widephase.h>
#include <widephase/rays.hpp>

namespace widephase::test {
namespace {

#define EXPECT_OK(call) EXPECT_EQ(call, WIDEPHASE_OK) << widephase_error_message()

/// A ball and a box in worlds 0 and 1, asked by four rays.
struct Asked {
  const double center[3] = {0, 0, 0}, radius = 1;
  const double low[3] = {2, -1, -1}, high[3] = {4, 1, 1};
  const std::int32_t world_of_ball = 0, world_of_box = 1;
  const double origin[3] = {-3, 0.5, 0.25};
  const double direction[4][3] = {{1, 0, 0}, {2, 0, 0}, {0, 1, 0}, {1, 0, 0}};
  const double max_t[4] = {10, 10, 2, 1};
  const std::int32_t world[4] = {0, 1, -1, -1};

  widephase_scene* scene = nullptr;
  widephase_static_scene* kept = nullptr;
  widephase_workspace* workspace = nullptr;
  widephase_rays* rays = nullptr;
  widephase_hits* hits = nullptr;

  Asked() {
    EXPECT_OK(widephase_scene_create(3, WIDEPHASE_DOUBLE, &scene));
    const auto set = [&](const char* name, widephase_type type, const void* data) {
      EXPECT_OK(widephase_scene_set(scene, name, type, data, 1, 24));
    };
    set("sphere.center", WIDEPHASE_FLOAT64, center);
    set("sphere.radius", WIDEPHASE_FLOAT64, &radius);
    set("sphere.world", WIDEPHASE_INT32, &world_of_ball);
    set("aabb.min", WIDEPHASE_FLOAT64, low);
    set("aabb.max", WIDEPHASE_FLOAT64, high);
    set("aabb.world", WIDEPHASE_INT32, &world_of_box);
    EXPECT_OK(widephase_workspace_create(&workspace));
    EXPECT_OK(widephase_static_scene_create(&kept));
    EXPECT_OK(widephase_static_scene_build(kept, scene, workspace, nullptr));
    EXPECT_OK(widephase_hits_create(&hits));
    EXPECT_OK(widephase_rays_create(3, WIDEPHASE_DOUBLE, &rays));
    EXPECT_OK(widephase_rays_set(rays, "origin", WIDEPHASE_FLOAT64, origin, 4, 0));
    const widephase_array directions = widephase_rows(WIDEPHASE_FLOAT64, direction, 4, 3, 24);
    EXPECT_OK(widephase_rays_set_array(rays, "direction", &directions));
    EXPECT_OK(widephase_rays_set(rays, "max_t", WIDEPHASE_FLOAT64, max_t, 4, 8));
    EXPECT_OK(widephase_rays_set(rays, "world", WIDEPHASE_INT32, world, 4, 4));
  }
  ~Asked() {
    widephase_rays_destroy(&rays);
    widephase_hits_destroy(&hits);
    widephase_static_scene_destroy(&kept);
    widephase_workspace_destroy(&workspace);
    widephase_scene_destroy(&scene);
  }

  widephase_array get(const char* name, widephase_type type) const {
    widephase_array array;
    EXPECT_OK(widephase_hits_get(hits, name, type, &array));
    return array;
  }
};

TEST(c_rays, have_the_bits_of_cpp) {
  const Asked asked;
  SceneColumns<3, double> scene;
  scene.spheres.center.push_back({0, 0, 0});
  scene.spheres.radius.push_back(1);
  scene.spheres.world.push_back(0);
  scene.aabbs.min.push_back({2, -1, -1});
  scene.aabbs.max.push_back({4, 1, 1});
  scene.aabbs.world.push_back(1);
  Workspace<3, double> workspace;
  StaticScene<3, double> kept;
  build_static_scene(scene, kept, workspace);
  RaySpan<3, double> rays;
  rays.origin = ColumnSpan<double, 3>::repeated(asked.origin, 4);
  rays.direction = ColumnSpan<double, 3>::interleaved(asked.direction[0], 4);
  rays.max_t = std::span<const double>(asked.max_t);
  rays.filters.world = std::span<const std::int32_t>(asked.world);
  for (const int inside : {0, 1, 2}) {
    widephase_options options;
    widephase_options_init(&options, sizeof options);
    options.inside = inside;
    options.margin = 0.25;
    CastOptions wanted;
    wanted.inside = static_cast<Inside>(inside);
    wanted.margin = 0.25;
    RayHits<3, double> hits;
    cast_rays(kept, rays, hits, workspace, wanted);
    EXPECT_OK(widephase_cast_rays(asked.kept, asked.rays, asked.hits, asked.workspace, &options));
    const auto same = [&](const char* name, const auto& column, widephase_type type, int width) {
      const widephase_array array = asked.get(name, type);
      ASSERT_EQ(array.rows, 4);
      ASSERT_EQ(array.width, width);
      for (int w = 0; w < width; ++w) {
        EXPECT_EQ(std::memcmp(array.planes[w], column.plane(w), 4 * sizeof(column(0, 0))), 0)
            << name;
      }
    };
    same("shape", hits.shape, WIDEPHASE_INT32, 1);
    same("t", hits.t, WIDEPHASE_FLOAT64, 1);
    same("normal", hits.normal, WIDEPHASE_FLOAT64, 3);
    same("point", hits.point, WIDEPHASE_FLOAT64, 3);
    same("feature", hits.feature, WIDEPHASE_UINT32, 1);
    same("status", hits.status, WIDEPHASE_UINT8, 1);
    // The ball grown to 1.25 in world 0, the box in world 1, both in all worlds.
    EXPECT_EQ(hits.shape[0], 0);
    EXPECT_EQ(hits.shape[1], 1);
    EXPECT_EQ(hits.t[1], 2.375);
    EXPECT_EQ(hits.shape[2], -1);
    EXPECT_EQ(hits.shape[3], -1);
    std::uint8_t is_hit[4] = {9, 9, 9, 9};
    EXPECT_OK(widephase_any_hit(asked.kept, asked.rays, is_hit, 4, asked.workspace, &options));
    for (int i = 0; i < 4; ++i) EXPECT_EQ(is_hit[i], i < 2 ? 1 : 0);
  }
}

TEST(c_rays, kept_scenes_are_built_again_in_their_order) {
  constexpr int kBalls = 40, kSteps = 3;
  double center[kBalls][3];
  const double radius = 0.25;
  for (int i = 0; i < kBalls; ++i) {
    for (int k = 0; k < 3; ++k) center[i][k] = (i * (7 + 4 * k)) % 41;
  }
  const Asked asked;
  widephase_scene* scene = nullptr;
  widephase_static_scene* again = nullptr;
  EXPECT_OK(widephase_scene_create(3, WIDEPHASE_DOUBLE, &scene));
  EXPECT_OK(widephase_scene_set(scene, "sphere.center", WIDEPHASE_FLOAT64, center, kBalls, 24));
  EXPECT_OK(widephase_scene_set(scene, "sphere.radius", WIDEPHASE_FLOAT64, &radius, kBalls, 0));
  EXPECT_OK(widephase_static_scene_create(&again));
  double origin[kBalls][3];
  widephase_rays* rays = nullptr;
  EXPECT_OK(widephase_rays_create(3, WIDEPHASE_DOUBLE, &rays));
  EXPECT_OK(widephase_rays_set(rays, "origin", WIDEPHASE_FLOAT64, origin, kBalls, 24));
  EXPECT_OK(widephase_rays_set(rays, "direction", WIDEPHASE_FLOAT64, asked.direction, kBalls, 0));
  widephase_options options;
  widephase_options_init(&options, sizeof(options));
  for (int step = 0; step < kSteps; ++step) {
    for (int i = 0; i < kBalls; ++i) {
      center[i][0] += 0.5;
      for (int k = 0; k < 3; ++k) origin[i][k] = center[i][k] - (k == 0 ? 30 : 0);
    }
    std::vector<double> times[2];
    for (const bool keeps : {false, true}) {
      widephase_static_scene* const kept = keeps ? again : asked.kept;
      options.keeps_order = keeps ? 1 : 0;
      EXPECT_OK(widephase_static_scene_build(kept, scene, asked.workspace, &options));
      EXPECT_OK(widephase_cast_rays(kept, rays, asked.hits, asked.workspace, nullptr));
      const widephase_array t = asked.get("t", WIDEPHASE_FLOAT64);
      ASSERT_EQ(t.rows, kBalls);
      const auto* const numbers = static_cast<const double*>(t.planes[0]);
      times[keeps ? 1 : 0].assign(numbers, numbers + kBalls);
    }
    EXPECT_EQ(times[0], times[1]);
    EXPECT_LE(*std::max_element(times[0].begin(), times[0].end()), 29.75);
  }
  widephase_rays_destroy(&rays);
  widephase_static_scene_destroy(&again);
  widephase_scene_destroy(&scene);
}

TEST(c_rays, what_is_wrong_is_told) {
  const Asked asked;
  const auto says = [](widephase_result result, const char* array, const char* message) {
    EXPECT_EQ(result, WIDEPHASE_INVALID);
    EXPECT_STREQ(widephase_error_array(), array);
    EXPECT_STREQ(widephase_error_message(), message);
  };
  const auto cast = [&](const widephase_options* options = nullptr) {
    return widephase_cast_rays(asked.kept, asked.rays, asked.hits, asked.workspace, options);
  };
  const double wrong[4] = {1, -1, 1, 1};
  EXPECT_OK(widephase_rays_set(asked.rays, "max_t", WIDEPHASE_FLOAT64, wrong, 4, 8));
  says(cast(), "max_t", "max_t[1] is -1; it must be a finite number >= 0");
  EXPECT_EQ(widephase_error_row(), 1);
  EXPECT_OK(widephase_rays_set(asked.rays, "max_t", WIDEPHASE_FLOAT64, nullptr, 0, 0));
  EXPECT_OK(cast());
  widephase_options options;
  widephase_options_init(&options, sizeof options);
  options.inside = 3;
  says(cast(&options), "options.inside", "options.inside is 3; expected 0 to 2");
  says(widephase_rays_set(asked.rays, "origins", WIDEPHASE_FLOAT64, wrong, 1, 0), "name",
       "name is 'origins'; rays have origin, direction, max_t, world, category, mask, owner, body, "
       "excluded, excluded_owners, excluded_bodies");
  widephase_rays* flat = nullptr;
  says(widephase_rays_create(4, WIDEPHASE_FLOAT, &flat), "dimension",
       "dimension is 4; expected 2 or 3");
  EXPECT_OK(widephase_rays_create(2, WIDEPHASE_FLOAT, &flat));
  says(widephase_cast_rays(asked.kept, flat, asked.hits, asked.workspace, nullptr), "static_scene",
       "static_scene holds no scene of the rays' dimension and precision");
  widephase_rays_destroy(&flat);
  EXPECT_EQ(flat, nullptr);
  std::uint8_t few[1];
  EXPECT_EQ(widephase_any_hit(asked.kept, asked.rays, few, 1, asked.workspace, nullptr),
            WIDEPHASE_INVALID);
}

}  // namespace
}  // namespace widephase::test
