// Times of impact by widephase.h: the bits of the C++ library, and what is refused.

#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include <widephase/widephase.h>
#include <widephase/impact.hpp>

namespace widephase::test {
namespace {

#define EXPECT_OK(call) EXPECT_EQ(call, WIDEPHASE_OK) << widephase_error_message()

/// A rod on a body at the origin and a ball on one that comes from the left; a wall that stands.
struct Asked {
  const double position[2][2] = {{0, 0}, {-9, 0}}, end[2][2] = {{0, 0}, {9, 0}};
  const double angle[2] = {0, 0}, angle_end[2] = {1, 0};
  const double center[2] = {0, 0}, zero = 0, half[2] = {1, 0.25}, radius = 0.5;
  const double low[2] = {4, -9}, high[2] = {5, 9};
  const std::int32_t bodies[2] = {0, 1};

  widephase_scene* scene = nullptr;
  widephase_workspace* workspace = nullptr;
  widephase_impacts* impacts = nullptr;
  widephase_array position_end, turn_end;

  Asked() {
    EXPECT_OK(widephase_scene_create(2, WIDEPHASE_DOUBLE, &scene));
    const auto set = [&](const char* name, const void* data, std::int64_t rows,
                         std::int64_t stride) {
      EXPECT_OK(widephase_scene_set(scene, name, WIDEPHASE_FLOAT64, data, rows, stride));
    };
    set("circle.center", center, 1, 16);
    set("circle.radius", &radius, 1, 8);
    set("aabb.min", low, 1, 16);
    set("aabb.max", high, 1, 16);
    set("box.center", center, 1, 16);
    set("box.angle", &zero, 1, 8);
    set("box.half_extents", half, 1, 16);
    set("bodies.position", position, 2, 16);
    set("bodies.angle", angle, 2, 8);
    EXPECT_OK(widephase_scene_set(scene, "circle.body", WIDEPHASE_INT32, bodies + 1, 1, 4));
    EXPECT_OK(widephase_scene_set(scene, "box.body", WIDEPHASE_INT32, bodies, 1, 4));
    EXPECT_OK(widephase_workspace_create(&workspace));
    EXPECT_OK(widephase_impacts_create(&impacts));
    position_end = widephase_rows(WIDEPHASE_FLOAT64, end, 2, 2, 16);
    turn_end = widephase_rows(WIDEPHASE_FLOAT64, angle_end, 2, 1, 8);
  }
  ~Asked() {
    widephase_impacts_destroy(&impacts);
    widephase_workspace_destroy(&workspace);
    widephase_scene_destroy(&scene);
  }
  template <class N>
  const N* column(const char* name, widephase_type type, int plane = 0) {
    widephase_array array;
    EXPECT_OK(widephase_impacts_get(impacts, name, type, &array));
    return static_cast<const N*>(array.planes[plane]);
  }
};

TEST(c_impact, the_bits_of_the_library) {
  Asked asked;
  // The same in C++.
  SceneColumns<2, double> scene;
  scene.circles.center.push_back({0, 0});
  scene.circles.radius.push_back(0.5);
  scene.circles.body.push_back(1);
  scene.aabbs.min.push_back({4, -9});
  scene.aabbs.max.push_back({5, 9});
  scene.boxes.center.push_back({0, 0});
  scene.boxes.turn.push_back(0);
  scene.boxes.half_extents.push_back({1, 0.25});
  scene.boxes.body.push_back(0);
  Column<double, 2> end;
  Column<double> angle_end;
  for (int b = 0; b < 2; ++b) {
    scene.bodies.position.push_back({asked.position[b][0], 0});
    scene.bodies.turn.push_back(0);
    end.push_back({asked.end[b][0], 0});
    angle_end.push_back(asked.angle_end[b]);
  }
  Motion<2, double> motion;
  motion.position_end = end;
  motion.angle_end = angle_end;
  Workspace<2, double> workspace;
  ImpactHits<2, double> hits;
  first_impacts(scene, motion, hits, workspace);
  EXPECT_OK(widephase_first_impacts(asked.scene, &asked.position_end, &asked.turn_end,
                                    asked.impacts, asked.workspace, nullptr));
  const auto* t = asked.column<double>("t", WIDEPHASE_FLOAT64);
  const auto* a = asked.column<std::int32_t>("pair", WIDEPHASE_INT32, 0);
  for (std::size_t body = 0; body < 2; ++body) {
    EXPECT_EQ(t[body], hits.t[body]);
    EXPECT_EQ(asked.column<double>("normal", WIDEPHASE_FLOAT64)[body], hits.normal(body, 0));
    EXPECT_EQ(asked.column<double>("point", WIDEPHASE_FLOAT64)[body], hits.point(body, 0));
    EXPECT_EQ(asked.column<std::uint32_t>("feature", WIDEPHASE_UINT32)[body], hits.feature[body]);
  }
  // Both meet one another: the ball, shape 0, and the rod, shape 2.
  EXPECT_EQ(a[0], 0);
  EXPECT_EQ(a[1], 2);
  EXPECT_EQ(t[0], t[1]);

  const std::int32_t pairs[] = {1, 0, 1, 2};
  EXPECT_OK(widephase_time_of_impact(asked.scene, &asked.position_end, nullptr, pairs, 2,
                                     asked.impacts, asked.workspace, nullptr));
  // From -9 the ball meets the wall at 3.5: after 12.5 of 18.
  EXPECT_NEAR(asked.column<double>("t", WIDEPHASE_FLOAT64)[0], 12.5 / 18, 1e-5);
  EXPECT_EQ(asked.column<std::uint8_t>("status", WIDEPHASE_UINT8)[1], 3);
  EXPECT_EQ(asked.column<double>("depth", WIDEPHASE_FLOAT64)[0], 0);
}

TEST(c_impact, options_and_errors) {
  Asked asked;
  const std::int32_t pairs[] = {1, 0};
  widephase_options options;
  widephase_options_init(&options, sizeof options);
  EXPECT_EQ(options.start_overlap, 0);
  EXPECT_EQ(options.tolerance, 0);
  const auto call = [&] {
    return widephase_time_of_impact(asked.scene, &asked.position_end, &asked.turn_end, pairs, 1,
                                    asked.impacts, asked.workspace, &options);
  };
  EXPECT_OK(call());
  options.tolerance = -1;
  EXPECT_EQ(call(), WIDEPHASE_INVALID);
  EXPECT_EQ(std::strncmp(widephase_error_message(), "tolerance is -1", 15), 0)
      << widephase_error_message();
  options.tolerance = 0;
  options.start_overlap = 3;
  EXPECT_EQ(call(), WIDEPHASE_INVALID);
  EXPECT_STREQ(widephase_error_message(), "options.start_overlap is 3; expected 0 to 2");
  options.start_overlap = 2;
  EXPECT_OK(call());
  asked.turn_end.type = WIDEPHASE_FLOAT32;
  EXPECT_EQ(call(), WIDEPHASE_INVALID);
  EXPECT_NE(std::strstr(widephase_error_message(), "turn_end"), nullptr);
  const double angles[] = {4, 0};
  asked.turn_end = widephase_rows(WIDEPHASE_FLOAT64, angles, 2, 1, 8);
  EXPECT_EQ(call(), WIDEPHASE_INVALID);
  EXPECT_EQ(std::strncmp(widephase_error_message(), "turn_end[0] is 4 and the angle", 30), 0)
      << widephase_error_message();
  asked.turn_end = widephase_rows(WIDEPHASE_FLOAT64, angles, 1, 1, 8);
  EXPECT_EQ(widephase_first_impacts(asked.scene, &asked.position_end, &asked.turn_end,
                                    asked.impacts, asked.workspace, nullptr),
            WIDEPHASE_INVALID);
  EXPECT_EQ(std::strncmp(widephase_error_message(), "turn_end has 1 row", 18), 0)
      << widephase_error_message();
  EXPECT_EQ(widephase_time_of_impact(asked.scene, nullptr, nullptr, pairs, 1, nullptr,
                                     asked.workspace, nullptr),
            WIDEPHASE_INVALID);
  EXPECT_EQ(
      widephase_first_impacts(nullptr, nullptr, nullptr, asked.impacts, asked.workspace, nullptr),
      WIDEPHASE_INVALID);
  widephase_array array;
  widephase_impacts* empty = nullptr;
  EXPECT_OK(widephase_impacts_create(&empty));
  EXPECT_EQ(widephase_impacts_get(empty, "t", WIDEPHASE_FLOAT64, &array), WIDEPHASE_INVALID);
  widephase_impacts_destroy(&empty);
  EXPECT_EQ(empty, nullptr);
}

}  // namespace
}  // namespace widephase::test
