// Scenes moved, rotated and scaled: every shape by its geometry, and contacts that move along.
// Labels: emulated-arm dated

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <widephase/collide.hpp>
#include <widephase/transforms.hpp>

#include "reference/generate_turned3.hpp"
#include "support/polygons.hpp"
#include "support/scenes.hpp"

namespace widephase::test {
namespace {

constexpr double kPi = 3.141592653589793;

/// A shape of every kind.
template <class T>
SceneColumns<2, T> one_of_each() {
  SceneColumns<2, T> scene;
  scene.circles.center = {{1, 2}};
  scene.circles.radius = {T(0.5)};
  scene.circles.margin = {T(0.25)};
  scene.circles.world = {3};
  scene.capsules.a = {{0, 1}};
  scene.capsules.b = {{4, 1}};
  scene.capsules.radius = {2};
  scene.boxes.center = {{1, 0}};
  scene.boxes.turn = {T(0.5)};
  scene.boxes.half_extents = {{3, 1}};
  scene.boxes.radius = {T(0.125)};
  scene.polygons.center = {{0, 2}};
  scene.polygons.turn = {1};
  scene.polygons.geometry = {0};
  add_box_polygon(scene.geometries, 1, 2);
  scene.halfspaces.normal = {{0, 1}};
  scene.halfspaces.offset = {-1};
  return scene;
}

template <class T>
class transforms : public testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(transforms, Reals);

TYPED_TEST(transforms, translate_moves_positions_and_nothing_else) {
  using T = TypeParam;
  SceneColumns<2, T> scene = one_of_each<T>();
  scene.aabbs.min = {{0, 0}};
  scene.aabbs.max = {{1, 2}};
  scene.domain = {{-1, -1}, {9, 9}, {true, false}};
  translate(scene, {10, 100});
  EXPECT_EQ(scene.circles.center.row(0), (std::array<T, 2>{11, 102}));
  EXPECT_EQ(scene.circles.radius[0], T(0.5));
  EXPECT_EQ(scene.circles.margin[0], T(0.25));
  EXPECT_EQ(scene.circles.world[0], 3);
  EXPECT_EQ(scene.capsules.a.row(0), (std::array<T, 2>{10, 101}));
  EXPECT_EQ(scene.capsules.b.row(0), (std::array<T, 2>{14, 101}));
  EXPECT_EQ(scene.aabbs.min.row(0), (std::array<T, 2>{10, 100}));
  EXPECT_EQ(scene.aabbs.max.row(0), (std::array<T, 2>{11, 102}));
  EXPECT_EQ(scene.boxes.center.row(0), (std::array<T, 2>{11, 100}));
  EXPECT_EQ(scene.boxes.half_extents.row(0), (std::array<T, 2>{3, 1}));
  EXPECT_EQ(scene.polygons.center.row(0), (std::array<T, 2>{10, 102}));
  EXPECT_EQ(scene.polygons.turn[0], 1);
  EXPECT_EQ(scene.geometries.vertices.row(2), (std::array<T, 2>{1, 2}));
  // Solid below y = -1: now below y = 99.
  EXPECT_EQ(scene.halfspaces.normal.row(0), (std::array<T, 2>{0, 1}));
  EXPECT_EQ(scene.halfspaces.offset[0], 99);
  EXPECT_EQ(scene.domain.min, (std::array<T, 2>{9, 99}));
  EXPECT_EQ(scene.domain.max, (std::array<T, 2>{19, 109}));
}

TYPED_TEST(transforms, scale_multiplies_distances_sizes_margins_and_vertices) {
  using T = TypeParam;
  SceneColumns<2, T> scene = one_of_each<T>();
  scene.domain = {{-1, -1}, {9, 9}, {true, false}};
  // Twice as far from (1, 1).
  scale(scene, 2, {1, 1});
  EXPECT_EQ(scene.circles.center.row(0), (std::array<T, 2>{1, 3}));
  EXPECT_EQ(scene.circles.radius[0], 1);
  EXPECT_EQ(scene.circles.margin[0], T(0.5));
  EXPECT_EQ(scene.capsules.a.row(0), (std::array<T, 2>{-1, 1}));
  EXPECT_EQ(scene.capsules.b.row(0), (std::array<T, 2>{7, 1}));
  EXPECT_EQ(scene.capsules.radius[0], 4);
  EXPECT_EQ(scene.boxes.center.row(0), (std::array<T, 2>{1, -1}));
  EXPECT_EQ(scene.boxes.turn[0], T(0.5));
  EXPECT_EQ(scene.boxes.half_extents.row(0), (std::array<T, 2>{6, 2}));
  EXPECT_EQ(scene.boxes.radius[0], T(0.25));
  EXPECT_EQ(scene.polygons.center.row(0), (std::array<T, 2>{-1, 3}));
  EXPECT_TRUE(scene.polygons.radius.empty());
  // Geometries scale about their own origin.
  EXPECT_EQ(scene.geometries.vertices.row(0), (std::array<T, 2>{-2, -4}));
  // y = -1 lies 2 below the point, then 4.
  EXPECT_EQ(scene.halfspaces.normal.row(0), (std::array<T, 2>{0, 1}));
  EXPECT_EQ(scene.halfspaces.offset[0], -3);
  EXPECT_EQ(scene.domain.min, (std::array<T, 2>{-3, -3}));
  EXPECT_EQ(scene.domain.max, (std::array<T, 2>{17, 17}));
}

TYPED_TEST(transforms, a_quarter_turn_about_a_point) {
  using T = TypeParam;
  constexpr T kRounding = 8 * std::numeric_limits<T>::epsilon();
  SceneColumns<2, T> scene = one_of_each<T>();
  // About (1, 1): (x, y) goes to (2 - y, x).
  rotate(scene, static_cast<T>(kPi / 2), {1, 1});
  const auto expect_near = [&](const Column<T, 2>& column, T x, T y) {
    EXPECT_NEAR(column(0, 0), x, kRounding);
    EXPECT_NEAR(column(0, 1), y, kRounding);
  };
  expect_near(scene.circles.center, 0, 1);
  expect_near(scene.capsules.a, 1, 0);
  expect_near(scene.capsules.b, 1, 4);
  expect_near(scene.boxes.center, 2, 1);
  EXPECT_NEAR(scene.boxes.turn[0], 0.5 + kPi / 2, kRounding);
  EXPECT_EQ(scene.boxes.half_extents.row(0), (std::array<T, 2>{3, 1}));
  expect_near(scene.polygons.center, 0, 0);
  EXPECT_NEAR(scene.polygons.turn[0], 1 + kPi / 2, kRounding);
  EXPECT_EQ(scene.geometries.vertices.row(0), (std::array<T, 2>{-1, -2}));
  // Solid below y = -1 becomes solid right of x = 3: -x <= -3.
  expect_near(scene.halfspaces.normal, -1, 0);
  EXPECT_NEAR(scene.halfspaces.offset[0], -3, kRounding);
}

TYPED_TEST(transforms, a_point_on_a_wall_stays_on_it) {
  // The origin of a circle lies on the wall of a halfspace, before and after any movement.
  using T = TypeParam;
  Random random(1);
  for (int i = 0; i < 1000; ++i) {
    SceneColumns<2, T> scene;
    const Point<2> normal = random.direction<2>();
    const Point<2> point = random.point<2>(-10, 10);
    append(scene, ball<2>(point, 1));
    append(scene, halfspace<2>(normal, normal[0] * point[0] + normal[1] * point[1]));
    const auto about = random.point<2>(-10, 10);
    const std::array<T, 2> place{static_cast<T>(about[0]), static_cast<T>(about[1])};
    const auto miss = [&] {
      const double distance =
          static_cast<double>(scene.halfspaces.normal(0, 0)) * double(scene.circles.center(0, 0)) +
          static_cast<double>(scene.halfspaces.normal(0, 1)) * double(scene.circles.center(0, 1)) -
          static_cast<double>(scene.halfspaces.offset[0]);
      return std::abs(distance);
    };
    const double rounding = 60.0 * static_cast<double>(std::numeric_limits<T>::epsilon());
    translate(scene, place);
    ASSERT_LE(miss(), rounding);
    rotate(scene, static_cast<T>(random.uniform(-7, 7)), place);
    ASSERT_LE(miss(), 2 * rounding);
    scale(scene, T(3), place);
    ASSERT_LE(miss(), 8 * rounding);
  }
}

TYPED_TEST(transforms, turning_forth_and_back_in_small_steps) {
  using T = TypeParam;
  SceneColumns<2, T> scene = one_of_each<T>();
  const SceneColumns<2, T> before = scene;
  for (int i = 0; i < 100; ++i) rotate(scene, T(0.0625), {3, -2});
  for (int i = 0; i < 100; ++i) rotate(scene, T(-0.0625), {3, -2});
  const double rounding = 2000.0 * static_cast<double>(std::numeric_limits<T>::epsilon());
  for (int k = 0; k < 2; ++k) {
    EXPECT_NEAR(scene.circles.center(0, k), before.circles.center(0, k), rounding);
    EXPECT_NEAR(scene.capsules.b(0, k), before.capsules.b(0, k), rounding);
    EXPECT_NEAR(scene.halfspaces.normal(0, k), before.halfspaces.normal(0, k), rounding);
  }
  EXPECT_NEAR(scene.halfspaces.offset[0], before.halfspaces.offset[0], rounding);
  EXPECT_EQ(scene.boxes.turn[0], before.boxes.turn[0]);  // the angles are multiples of 1/16
  EXPECT_TRUE((validate<2, T>(scene).empty()));
}

template <int D, class T>
std::uint64_t contacts_hash(const SceneColumns<D, T>& scene, double depth_scale) {
  ContactBuffer<D, T> contacts;
  Workspace<D, T> workspace;
  collide<D, T>(scene, contacts, workspace);
  EXPECT_GT(contacts.size(), 100u);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    contacts.depth[i] *= static_cast<T>(depth_scale);
  }
  for (std::size_t i = 0; i < contacts.point_count(); ++i) {
    contacts.point_depth[i] *= static_cast<T>(depth_scale);
    for (int k = 0; k < D; ++k) contacts.point(i, k) *= static_cast<T>(depth_scale);
  }
  return hash(contacts);
}

template <int D, class T>
void expect_scaled_contacts() {
  SceneColumns<D, T> scene;
  add_mixed(scene, {});
  add_tags(scene, 3, 7);
  const std::uint64_t before = contacts_hash(scene, 1);
  scale(scene, T(8));
  EXPECT_EQ(contacts_hash(scene, 0.125), before);
  scale(scene, T(1) / 64);
  EXPECT_EQ(contacts_hash(scene, 8), before);
}

TYPED_TEST(transforms, contacts_scale_by_powers_of_two_to_the_bit) {
  expect_scaled_contacts<2, TypeParam>();
  expect_scaled_contacts<3, TypeParam>();
}

/// Cylinders and boxes that overlap their neighbours deeply; some are flat or thin.
TYPED_TEST(transforms, contacts_of_cylinders_scale_by_powers_of_two_to_the_bit) {
  using T = TypeParam;
  Random random(71);
  SceneColumns<3, T> scene;
  for (int i = 0; i < 600; ++i) {
    const Quaternion q = random_orientation(random);
    std::array<T, 3> center{};
    for (T& number : center) number = static_cast<T>(random.uniform(-2, 2));
    scene.cylinders.center.push_back(center);
    scene.cylinders.turn.push_back(
        {static_cast<T>(q[0]), static_cast<T>(q[1]), static_cast<T>(q[2]), static_cast<T>(q[3])});
    scene.cylinders.radius.push_back({static_cast<T>(random.uniform(0.02, 0.6))});
    scene.cylinders.half_height.push_back({static_cast<T>(random.uniform(0.02, 0.6))});
    scene.boxes.center.push_back({center[1], center[2], center[0]});
    scene.boxes.turn.push_back(scene.cylinders.turn.row(scene.cylinders.turn.size() - 1));
    scene.boxes.half_extents.push_back(
        {static_cast<T>(random.uniform(0.02, 0.6)), T(0.25), T(0.1)});
  }
  const std::uint64_t before = contacts_hash(scene, 1);
  for (const double factor : {0x1p-6, 8.0, 0x1p20}) {
    scale(scene, static_cast<T>(factor));
    EXPECT_EQ(contacts_hash(scene, 1 / factor), before) << factor;
    scale(scene, static_cast<T>(1 / factor));
  }
}

template <int D>
void expect_translated_contacts() {
  // Quarters and integer steps: every number is exact before and after.
  SceneColumns<D, double> scene;
  Random random(3);
  for (int i = 0; i < 500; ++i)
    append(scene, grid_solid<D>(random, kinds(D)[static_cast<std::size_t>(i % 3)]));
  Point<D> normal{};
  normal[D - 1] = 1;
  append(scene, halfspace<D>(normal, -0.25));
  ContactBuffer<D, double> before;
  ContactBuffer<D, double> after;
  Workspace<D, double> workspace;
  CollideOptions options;
  options.order = Order::id;
  collide<D, double>(scene, before, workspace, options);
  std::array<double, D> offset;
  for (int k = 0; k < D; ++k) offset[static_cast<std::size_t>(k)] = 16 - 100 * k;
  translate(scene, offset);
  collide<D, double>(scene, after, workspace, options);
  ASSERT_EQ(before.size(), after.size());
  ASSERT_GT(before.size(), 100u);
  for (std::size_t i = 0; i < before.size(); ++i) {
    ASSERT_EQ(before.pair[i], after.pair[i]);
    ASSERT_EQ(before.depth[i], after.depth[i]);
    ASSERT_EQ(before.normal.row(i), after.normal.row(i));
  }
}

TEST(scene_transforms, contacts_move_along_in_2d_and_3d) {
  expect_translated_contacts<2>();
  expect_translated_contacts<3>();
}

TEST(scene_transforms, three_dimensions_scale_every_size) {
  SceneColumns<3, double> scene;
  scene.hulls.center = {{1, 2, 3}};
  scene.hulls.turn = {{0, 0, 0, 1}};
  scene.hulls.geometry = {0};
  scene.geometries.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  scene.geometries.offsets = {0, 4};
  scene.cylinders.center = {{0, 0, 1}};
  scene.cylinders.turn = {{1, 0, 0, 0}};
  scene.cylinders.half_height = {2};
  scene.cylinders.radius = {0.5};
  scene.cylinders.rounding = {0.125};
  scene.ellipsoids.center = {{1, 1, 0}};
  scene.ellipsoids.turn = {{0, 1, 0, 0}};
  scene.ellipsoids.half_extents = {{1, 0, 4}};
  scene.ellipsoids.rounding = {2};
  scene.cones.center = {{0, 2, 1}};
  scene.cones.turn = {{1, 0, 0, 0}};
  scene.cones.half_height = {0.5};
  scene.cones.radius = {2};
  scene.boxes.center = {{1, 0, 2}};
  scene.boxes.turn = {{0, 0, 0.6, 0.8}};
  scene.boxes.half_extents = {{1, 2, 3}};
  scene.boxes.radius = {0.25};
  scale(scene, 3);
  EXPECT_EQ(scene.hulls.center.row(0), (std::array<double, 3>{3, 6, 9}));
  EXPECT_EQ(scene.hulls.turn.row(0), (std::array<double, 4>{0, 0, 0, 1}));
  EXPECT_EQ(scene.geometries.vertices.row(3), (std::array<double, 3>{0, 0, 3}));
  EXPECT_EQ(scene.cylinders.center.row(0), (std::array<double, 3>{0, 0, 3}));
  EXPECT_EQ(scene.cylinders.turn.row(0), (std::array<double, 4>{1, 0, 0, 0}));
  EXPECT_EQ(scene.cylinders.half_height[0], 6);
  EXPECT_EQ(scene.cylinders.radius[0], 1.5);
  EXPECT_EQ(scene.cylinders.rounding[0], 0.375);
  EXPECT_EQ(scene.ellipsoids.center.row(0), (std::array<double, 3>{3, 3, 0}));
  EXPECT_EQ(scene.ellipsoids.turn.row(0), (std::array<double, 4>{0, 1, 0, 0}));
  EXPECT_EQ(scene.ellipsoids.half_extents.row(0), (std::array<double, 3>{3, 0, 12}));
  EXPECT_EQ(scene.ellipsoids.rounding[0], 6);
  EXPECT_EQ(scene.cones.center.row(0), (std::array<double, 3>{0, 6, 3}));
  EXPECT_EQ(scene.cones.half_height[0], 1.5);
  EXPECT_EQ(scene.cones.radius[0], 6);
  EXPECT_TRUE(scene.cones.rounding.empty());
  EXPECT_EQ(scene.boxes.center.row(0), (std::array<double, 3>{3, 0, 6}));
  EXPECT_EQ(scene.boxes.turn.row(0), (std::array<double, 4>{0, 0, 0.6, 0.8}));
  EXPECT_EQ(scene.boxes.half_extents.row(0), (std::array<double, 3>{3, 6, 9}));
  EXPECT_EQ(scene.boxes.radius[0], 0.75);
}

TEST(scene_transforms, turned_boxes_move_along_with_their_contacts) {
  // A cube rotated about z on another, 0.25 deep; every number is exact except the rotation.
  SceneColumns<3, double> scene;
  append(scene, box({0, 0, 0}, {0, 0, 0, 1}, {2, 2, 1}));
  append(scene, box({0, 0, 1.75}, {0, 0, 0.6, 0.8}, {1, 1, 1}, 0));
  ContactBuffer<3, double> before;
  ContactBuffer<3, double> after;
  Workspace<3, double> workspace;
  collide<3, double>(scene, before, workspace);
  translate(scene, {16, -100, 8});
  EXPECT_EQ(scene.boxes.center.row(1), (std::array<double, 3>{16, -100, 9.75}));
  EXPECT_EQ(scene.boxes.turn.row(1), (std::array<double, 4>{0, 0, 0.6, 0.8}));
  EXPECT_EQ(scene.boxes.half_extents.row(1), (std::array<double, 3>{1, 1, 1}));
  collide<3, double>(scene, after, workspace);
  ASSERT_EQ(before.size(), 1u);
  ASSERT_EQ(after.size(), 1u);
  EXPECT_EQ(before.depth[0], after.depth[0]);
  EXPECT_EQ(before.normal.row(0), after.normal.row(0));
  ASSERT_EQ(before.point_count(), 4u);
  ASSERT_EQ(after.point_count(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(before.feature[i], after.feature[i]);
    EXPECT_NEAR(before.point(i, 0) + 16, after.point(i, 0), 1e-13);
    EXPECT_NEAR(before.point(i, 1) - 100, after.point(i, 1), 1e-13);
    EXPECT_NEAR(before.point(i, 2) + 8, after.point(i, 2), 1e-13);
  }
}

TEST(scene_transforms, polygons_around_their_origin_stay_convex_when_scaled) {
  Random random(5);
  for (int i = 0; i < 2000; ++i) {
    SceneColumns<2, float> scene;
    // Corners that are one or two tolerances from straight could be bent inward by rounding.
    Column<float, 2> points;
    const double bulge = random.uniform(0, 1e-6);
    for (int k = 0; k < 12; ++k) {
      const double x = random.uniform(-1, 1);
      const double y = 1 + bulge * (1 - x * x);
      points.push_back({static_cast<float>(x), static_cast<float>(k % 2 == 0 ? y : -y)});
    }
    add_polygon(scene.geometries, points);
    ASSERT_TRUE((validate<2, float>(scene).empty()));
    scale(scene, static_cast<float>(random.uniform(0.1, 10)));
    ASSERT_TRUE((validate<2, float>(scene).empty())) << i;
  }
}

TEST(scene_transforms, refuse_bad_arguments_and_change_nothing) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  SceneColumns<2, float> scene = one_of_each<float>();
  EXPECT_EQ(error_of([&] { translate(scene, {0, nan}); }),
            "offset[1] is nan; it must be a finite number");
  EXPECT_EQ(error_of([&] { rotate(scene, nan, {0, 0}); }),
            "angle is nan; it must be radians, up to 2^50");
  EXPECT_EQ(error_of([&] { rotate(scene, 1, {nan, 0}); }),
            "about[0] is nan; it must be a finite number");
  for (const float factor : {0.0f, -1.0f}) {
    EXPECT_EQ(error_of([&] { scale(scene, factor); }).substr(0, 7), "factor ");
  }
  EXPECT_EQ(error_of([&] { scale(scene, nan); }),
            "factor is nan; it must be a finite number above 0");
  EXPECT_EQ(scene.circles.center.row(0), (std::array<float, 2>{1, 2}));

  scene.domain = {{0, 0}, {1, 1}, {true, false}};
  EXPECT_EQ(error_of([&] { rotate(scene, 1, {0, 0}); }),
            "domain.periodic domains wrap along the axes and can't turn; leave the domain out");
  scene.domain.periodic = {};
  EXPECT_EQ(error_of([&] { rotate(scene, 1, {0, 0}); }), "no error");
  scene.aabbs.min = {{0, 0}};
  scene.aabbs.max = {{1, 1}};
  EXPECT_EQ(error_of([&] { rotate(scene, 1, {0, 0}); }),
            "aabb shapes lie along the axes and can't turn; make them boxes first");
}

TEST(scene_transforms, an_empty_scene_stays_empty) {
  SceneColumns<2, double> scene;
  translate(scene, {1, 2});
  rotate(scene, 1, {1, 1});
  scale(scene, 2);
  EXPECT_EQ(layout_of(scene).shape_count(), 0);
  EXPECT_EQ(scene.domain.max[0], 0);
}

}  // namespace
}  // namespace widephase::test
