// Shape casts by widephase.h: the bits of the C++ library, and what is refused.

#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include <widephase/widephase.h>

namespace widephase::test {
namespace {

#define EXPECT_OK(call) EXPECT_EQ(call, WIDEPHASE_OK) << widephase_error_message()

/// A box that stays, and two balls that move, the second one from within the box.
struct Asked {
  const double low[3] = {-1, -1, -1}, high[3] = {1, 1, 1};
  const double center[2][3] = {{5, 0, 0}, {1, 0, 0}}, radius = 0.5;
  const double direction[2][3] = {{-7, 0, 0}, {1, 0, 0}};

  widephase_scene* level = nullptr;
  widephase_scene* moving = nullptr;
  widephase_static_scene* kept = nullptr;
  widephase_workspace* workspace = nullptr;
  widephase_rays* ways = nullptr;
  widephase_hits* hits = nullptr;
  widephase_options options;

  Asked() {
    widephase_options_init(&options, sizeof(options));
    EXPECT_OK(widephase_scene_create(3, WIDEPHASE_DOUBLE, &level));
    EXPECT_OK(widephase_scene_set(level, "aabb.min", WIDEPHASE_FLOAT64, low, 1, 24));
    EXPECT_OK(widephase_scene_set(level, "aabb.max", WIDEPHASE_FLOAT64, high, 1, 24));
    EXPECT_OK(widephase_scene_create(3, WIDEPHASE_DOUBLE, &moving));
    EXPECT_OK(widephase_scene_set(moving, "sphere.center", WIDEPHASE_FLOAT64, center, 2, 24));
    EXPECT_OK(widephase_scene_set(moving, "sphere.radius", WIDEPHASE_FLOAT64, &radius, 2, 0));
    EXPECT_OK(widephase_workspace_create(&workspace));
    EXPECT_OK(widephase_static_scene_create(&kept));
    EXPECT_OK(widephase_static_scene_build(kept, level, workspace, nullptr));
    EXPECT_OK(widephase_rays_create(3, WIDEPHASE_DOUBLE, &ways));
    EXPECT_OK(widephase_rays_set(ways, "direction", WIDEPHASE_FLOAT64, direction, 2, 24));
    EXPECT_OK(widephase_hits_create(&hits));
  }
  ~Asked() {
    widephase_rays_destroy(&ways);
    widephase_hits_destroy(&hits);
    widephase_static_scene_destroy(&kept);
    widephase_workspace_destroy(&workspace);
    widephase_scene_destroy(&level);
    widephase_scene_destroy(&moving);
  }
  widephase_result cast() {
    return widephase_cast_shapes(kept, moving, ways, hits, workspace, &options);
  }
  double number(const char* name, int row) {
    widephase_array array;
    EXPECT_OK(widephase_hits_get(hits, name, WIDEPHASE_FLOAT64, &array));
    return static_cast<const double*>(array.planes[0])[row];
  }
  int id(int row) {
    widephase_array array;
    EXPECT_OK(widephase_hits_get(hits, "shape", WIDEPHASE_INT32, &array));
    return static_cast<const std::int32_t*>(array.planes[0])[row];
  }
};

TEST(c_casts, moving_shapes) {
  Asked asked;
  EXPECT_OK(asked.cast());
  EXPECT_EQ(asked.id(0), 0);
  EXPECT_EQ(asked.number("t", 0), 0.5);  // from 5 to 1.5
  EXPECT_EQ(asked.number("normal", 0), 1);
  EXPECT_EQ(asked.number("point", 0), 1);
  EXPECT_EQ(asked.id(1), 0);
  EXPECT_EQ(asked.number("t", 1), 0);
  EXPECT_EQ(asked.number("depth", 1), 0.5);
  asked.options.start_overlap = 1;  // it leaves
  EXPECT_OK(asked.cast());
  EXPECT_EQ(asked.id(0), 0);
  EXPECT_EQ(asked.id(1), -1);
  asked.options.start_overlap = 2;
  asked.options.tolerance = 0.5;
  EXPECT_OK(asked.cast());
  EXPECT_EQ(asked.id(1), -1);
  EXPECT_LE(asked.number("t", 0), 0.5);
  EXPECT_GE(asked.number("t", 0), 0.5 - 0.5 / 7);
}

TEST(c_casts, pairs) {
  Asked asked;
  EXPECT_OK(widephase_scene_set_kept(asked.moving, asked.kept));
  const std::int32_t pairs[2][2] = {{2, 0}, {0, 1}};  // the box, and ball 0 for ball 1
  EXPECT_OK(widephase_cast_pairs(asked.moving, pairs[0], 2, asked.ways, asked.hits, asked.workspace,
                                 &asked.options));
  EXPECT_EQ(asked.id(0), 2);
  EXPECT_EQ(asked.number("t", 0), 0.5);
  EXPECT_EQ(asked.id(1), -1);
  EXPECT_EQ(asked.number("t", 1), 1);
}

TEST(c_casts, wrong_input_is_refused) {
  Asked asked;
  asked.options.start_overlap = 3;
  EXPECT_EQ(asked.cast(), WIDEPHASE_INVALID);
  EXPECT_STREQ(widephase_error_array(), "options.start_overlap");
  asked.options.start_overlap = 0;
  asked.options.tolerance = -1;
  EXPECT_EQ(asked.cast(), WIDEPHASE_INVALID);
  EXPECT_STREQ(widephase_error_array(), "tolerance");
  asked.options.tolerance = 0;
  widephase_rays* other = nullptr;
  EXPECT_OK(widephase_rays_create(2, WIDEPHASE_DOUBLE, &other));
  EXPECT_EQ(
      widephase_cast_shapes(asked.kept, asked.moving, other, asked.hits, asked.workspace, nullptr),
      WIDEPHASE_INVALID);
  EXPECT_STREQ(widephase_error_array(), "ways");
  widephase_rays_destroy(&other);
  EXPECT_EQ(widephase_cast_shapes(asked.kept, asked.moving, nullptr, asked.hits, asked.workspace,
                                  nullptr),
            WIDEPHASE_INVALID);
  EXPECT_EQ(
      widephase_cast_pairs(nullptr, nullptr, 0, asked.ways, asked.hits, asked.workspace, nullptr),
      WIDEPHASE_INVALID);
}

}  // namespace
}  // namespace widephase::test
