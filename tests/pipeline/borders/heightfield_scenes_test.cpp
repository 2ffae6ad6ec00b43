// Height fields in scenes: bounds, pairs, bodies, static scenes, worlds, and what is refused.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include <widephase/bodies.hpp>
#include <widephase/collide.hpp>
#include <widephase/distance.hpp>
#include <widephase/heightfields.hpp>
#include <widephase/static_scene.hpp>
#include <widephase/support.hpp>
#include <widephase/transforms.hpp>

#include "reference/generate_turned3.hpp"
#include "reference/random.hpp"
#include "reference/solids.hpp"
#include "support/error_of.hpp"

namespace widephase::test {
namespace {

constexpr double kHole = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A field of 3 rows and 4 columns, cells of 2 by 1, with a hill of 1 and a hole in a corner.
template <class T>
std::int32_t add_hill(SceneColumns<3, T>& scene) {
  using Size = SizeOf<T>;
  const Column<Size> heights{0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, Size(kHole)};
  return add_heightfield(scene.heightfield_geometries, heights, 4, Size(2), Size(1));
}

template <class T>
void add_field(SceneColumns<3, T>& scene, const Point<3>& center, const Quaternion& turn,
               std::int32_t geometry = 0) {
  auto& table = scene.heightfields;
  table.center.push_back({static_cast<PositionOf<T>>(center[0]),
                          static_cast<PositionOf<T>>(center[1]),
                          static_cast<PositionOf<T>>(center[2])});
  table.turn.push_back({static_cast<SizeOf<T>>(turn[0]), static_cast<SizeOf<T>>(turn[1]),
                        static_cast<SizeOf<T>>(turn[2]), static_cast<SizeOf<T>>(turn[3])});
  table.geometry.push_back({geometry});
}

/// The scene with one hill at the origin.
template <class T>
SceneColumns<3, T> hill_scene() {
  SceneColumns<3, T> scene;
  add_hill(scene);
  add_field(scene, {0, 0, 0}, {0, 0, 0, 1});
  return scene;
}

/// `v` rotated by a quaternion x y z w, whose length is only near 1.
std::array<double, 3> rotated_by(const Quaternion& q, const std::array<double, 3>& v) {
  const auto cross = [](const std::array<double, 3>& a, const std::array<double, 3>& b) {
    return std::array<double, 3>{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                                 a[0] * b[1] - a[1] * b[0]};
  };
  const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  const std::array<double, 3> u{q[0] / length, q[1] / length, q[2] / length};
  std::array<double, 3> t = cross(u, v);
  for (double& x : t) x *= 2;
  const std::array<double, 3> ut = cross(u, t);
  std::array<double, 3> answer;
  for (std::size_t k = 0; k < 3; ++k) answer[k] = v[k] + q[3] / length * t[k] + ut[k];
  return answer;
}

template <class T>
class heightfield_scenes : public ::testing::Test {};
/// `Mixed` has no name at run time.
template <class T_>
struct In {
  using T = T_;
};
using Precisions = testing::Types<In<float>, In<double>, In<Mixed>>;
TYPED_TEST_SUITE(heightfield_scenes, Precisions);

TYPED_TEST(heightfield_scenes, are_as_high_as_their_samples_and_have_no_floor) {
  using T = typename TypeParam::T;
  SceneColumns<3, T> scene = hill_scene<T>();
  scene.heightfields.center.set(0, {10, 20, 30});
  Workspace<3, T> workspace;
  CollideOptions options;
  options.margin = 0.5;
  update_bounds<3, T>(scene, workspace, options);
  const auto& bounds = workspace.bounds();
  // 3 cells of 2 along x, 2 cells of 1 along y, up to 1; each side grows by a quarter.
  EXPECT_NEAR(bounds.min(0, 0), 9.75, 5e-5);
  EXPECT_NEAR(bounds.max(0, 0), 16.25, 5e-5);
  EXPECT_NEAR(bounds.min(0, 1), 19.75, 5e-5);
  EXPECT_NEAR(bounds.max(0, 1), 22.25, 5e-5);
  EXPECT_EQ(bounds.min(0, 2), -kInfinity);
  EXPECT_NEAR(bounds.max(0, 2), 31.25, 5e-5);
}

TYPED_TEST(heightfield_scenes, have_bounds_around_all_that_is_below_them_at_any_angle) {
  using T = typename TypeParam::T;
  Random random(41);
  SceneColumns<3, T> scene;
  add_hill(scene);
  std::vector<Quaternion> turns;
  for (int i = 0; i < 200; ++i) {
    const double angle = random.uniform(0, 3);
    turns.push_back(i % 4 == 0 ? Quaternion{0, 0, std::sin(angle), std::cos(angle)}
                               : random_orientation(random));
    add_field(scene, random.point<3>(-5, 5), turns.back());
  }
  Workspace<3, T> workspace;
  update_bounds<3, T>(scene, workspace);
  for (std::size_t i = 0; i < turns.size(); ++i) {
    for (const double x : {0.0, 6.0}) {
      for (const double y : {0.0, 2.0}) {
        for (const double z : {1.0, -1e6}) {
          const std::array<double, 3> at = rotated_by(turns[i], {x, y, z});
          for (int k = 0; k < 3; ++k) {
            const double place = at[static_cast<std::size_t>(k)] +
                                 static_cast<double>(scene.heightfields.center(i, k));
            const double slack = z < 0 ? 1 : 1e-5;  // a float's rounding of such a distance
            EXPECT_GE(place, static_cast<double>(workspace.bounds().min(i, k)) - slack) << i;
            EXPECT_LE(place, static_cast<double>(workspace.bounds().max(i, k)) + slack) << i;
          }
        }
      }
    }
    // Upright ones end at their sides.
    if (i % 4 != 0) continue;
    EXPECT_TRUE(std::isfinite(workspace.bounds().min(i, 0)));
    EXPECT_TRUE(std::isfinite(workspace.bounds().max(i, 1)));
  }
}

TYPED_TEST(heightfield_scenes, pair_with_what_is_deep_below_and_not_with_what_is_beside) {
  using T = typename TypeParam::T;
  SceneColumns<3, T> scene = hill_scene<T>();
  append(scene, ball<3>({3, 1, -1000}, 0.5));  // 0: below
  append(scene, ball<3>({3, 1, 1.25}, 0.5));   // 1: on the hill
  append(scene, ball<3>({3, 1, 1.75}, 0.5));   // 2: above
  append(scene, ball<3>({-1, 1, 0}, 0.5));     // 3: beside
  append(scene, ball<3>({6.25, 1, -5}, 0.5));  // 4: across the border
  Workspace<3, T> workspace;
  ContactBuffer<3, T> contacts;
  collide<3, T>(scene, contacts, workspace);
  std::set<std::int32_t> met;
  for (std::size_t i = 0; i < workspace.pairs().size(); ++i) {
    const Pair pair = workspace.pairs()[i];
    if (pair.b == 5) met.insert(pair.a);
    if (pair.a == 5) met.insert(pair.b);
  }
  EXPECT_EQ(met, (std::set<std::int32_t>{0, 1, 4}));
}

TYPED_TEST(heightfield_scenes, of_holes_alone_are_valid) {
  using T = typename TypeParam::T;
  using Size = SizeOf<T>;
  SceneColumns<3, T> scene;
  const Size hole = Size(kHole);
  add_heightfield(scene.heightfield_geometries, Column<Size>{hole, hole, hole, hole}, 2, Size(1),
                  Size(1));
  add_field(scene, {0, 0, 0}, {0, 0, 0, 1});
  append(scene, ball<3>({0.5, 0.5, 0}, 1));
  Workspace<3, T> workspace;
  ContactBuffer<3, T> contacts;
  collide<3, T>(scene, contacts, workspace);
  EXPECT_EQ(contacts.size(), 0u);
}

TYPED_TEST(heightfield_scenes, that_differ_meet_by_their_worlds) {
  using T = typename TypeParam::T;
  SceneColumns<3, T> scene;
  add_hill(scene);
  constexpr std::int32_t kWorlds = 40;
  for (std::int32_t world = 0; world < kWorlds; ++world) {
    add_field(scene, {0, 0, 0}, {0, 0, 0, 1});
    scene.heightfields.world.push_back({world});
    append(scene, ball<3>({2, 1, -1}, 0.5));
    balls(scene).world.push_back({world});
  }
  Workspace<3, T> workspace;
  ContactBuffer<3, T> contacts;
  collide<3, T>(scene, contacts, workspace);
  ASSERT_EQ(workspace.pairs().size(), static_cast<std::size_t>(kWorlds));
  for (std::size_t i = 0; i < workspace.pairs().size(); ++i) {
    EXPECT_EQ(workspace.pairs()[i].a + kWorlds, workspace.pairs()[i].b);
  }
}

TYPED_TEST(heightfield_scenes, are_carried_by_bodies_and_copied_into_worlds) {
  using T = typename TypeParam::T;
  SceneColumns<3, T> scene = hill_scene<T>();
  const double half = std::sqrt(0.5);
  scene.heightfields.center.set(0, {1, 2, 3});
  scene.heightfields.body = {0};
  scene.bodies.position = {{10, 0, 0}};
  scene.bodies.turn = {{0, 0, static_cast<SizeOf<T>>(half), static_cast<SizeOf<T>>(half)}};
  PlacedScene<3, T> placed;
  place(scene, SceneSpan<3, T>(scene).bodies, placed);
  // A quarter turn about z takes (1, 2, 3) to (-2, 1, 3).
  EXPECT_NEAR(placed.scene().heightfields.center(0, 0), 8, 1e-5);
  EXPECT_NEAR(placed.scene().heightfields.center(0, 1), 1, 1e-5);
  EXPECT_NEAR(placed.scene().heightfields.turn(0, 2), half, 1e-6);
  EXPECT_EQ(placed.scene().heightfields.geometry[0], 0);
  SceneColumns<3, T> farm;
  replicate(scene, 3, farm);
  EXPECT_EQ(farm.heightfields.geometry.size(), 3u);
  EXPECT_EQ(farm.heightfield_geometries.columns.size(), 1u) << "all worlds share the field";
  EXPECT_EQ(farm.heightfield_geometries.heights.size(), 12u);
  EXPECT_EQ(farm.heightfield_geometries.cell(0, 0), 2);
  EXPECT_TRUE((validate<3, T>(farm).empty()));
}

TYPED_TEST(heightfield_scenes, are_named_by_moving_shapes_of_a_static_scene) {
  using T = typename TypeParam::T;
  SceneColumns<3, T> still = hill_scene<T>(), moving;
  Workspace<3, T> workspace;
  StaticScene<3, T> kept;
  build_static_scene<3, T>(still, kept, workspace);
  EXPECT_GE(kept.bytes(), 24 * sizeof(SizeOf<T>)) << "its own heights and the kernels' copy";
  still.heightfield_geometries.heights.clear();  // it has its own
  append(moving, ball<3>({3, 1, -3}, 0.5));
  append(moving, ball<3>({50, 1, -3}, 0.5));
  add_field(moving, {100, 0, 0}, {0, 0, 0, 1});
  ContactBuffer<3, T> contacts;
  collide<3, T>(moving, kept, contacts, workspace);
  ASSERT_EQ(workspace.pairs().size(), 1u);
  EXPECT_EQ(workspace.pairs()[0], (Pair{0, 3}));
  moving.heightfields.geometry[0] = 1;
  EXPECT_EQ(error_of([&] { collide<3, T>(moving, kept, contacts, workspace); }),
            "heightfield.geometry[0] is 1; the scene has 1 geometries, counted from 0");
  moving.heightfields.geometry[0] = 0;
  add_hill(moving);
  EXPECT_EQ(error_of([&] { collide<3, T>(moving, kept, contacts, workspace); }),
            "heightfield_geometries.heights has 12 rows; moving shapes name the fields of the "
            "static scene, so give all of them to build_static_scene");
}

TYPED_TEST(heightfield_scenes, move_within_a_static_scene) {
  using T = typename TypeParam::T;
  SceneColumns<3, T> still = hill_scene<T>(), moving;
  add_field(still, {100, 0, 0}, {0, 0, 0, 1});
  Workspace<3, T> workspace;
  StaticScene<3, T> kept;
  build_static_scene<3, T>(still, kept, workspace);
  append(moving, ball<3>({203, 1, -3}, 0.5));
  ContactBuffer<3, T> contacts;
  collide<3, T>(moving, kept, contacts, workspace);
  EXPECT_EQ(workspace.pairs().size(), 0u);
  still.heightfields.center.set(1, {200, 0, 0});
  const std::vector<std::int32_t> ids{1};
  update_static_scene<3, T>(still, ids, kept, workspace);
  collide<3, T>(moving, kept, contacts, workspace);
  ASSERT_EQ(workspace.pairs().size(), 1u);
  EXPECT_EQ(workspace.pairs()[0], (Pair{0, 2}));
  add_hill(still);
  EXPECT_EQ(error_of([&] { update_static_scene<3, T>(still, ids, kept, workspace); }),
            "heightfield_geometries.heights has 24 rows; the static scene was built with 12, so "
            "build it anew where fields change");
}

TYPED_TEST(heightfield_scenes, are_left_out_with_their_world) {
  using T = typename TypeParam::T;
  SceneColumns<3, T> scene = hill_scene<T>();
  add_field(scene, {0, 0, 0}, {0, 0, 0, 1}, 7);
  scene.heightfields.world = {0, 1};
  Workspace<3, T> workspace;
  ContactBuffer<3, T> contacts;
  EXPECT_EQ(error_of([&] { collide<3, T>(scene, contacts, workspace); }),
            "heightfield.geometry[1] is 7; the scene has 1 geometries, counted from 0");
  std::vector<std::uint8_t> status(2);
  CollideOptions options;
  options.world_status = status;
  collide<3, T>(scene, contacts, workspace, options);
  EXPECT_EQ(status[0], static_cast<std::uint8_t>(WorldStatus::answered));
  EXPECT_EQ(status[1], static_cast<std::uint8_t>(WorldStatus::invalid));
}

TYPED_TEST(heightfield_scenes, have_no_periodic_domain_or_farthest_point) {
  using T = typename TypeParam::T;
  SceneColumns<3, T> scene = hill_scene<T>();
  Workspace<3, T> workspace;
  ContactBuffer<3, T> contacts;
  scene.domain.max = {10, 10, 10};
  scene.domain.periodic[1] = true;
  const std::string expected =
      "domain.periodic[1] is set, but a scene with height fields or meshes has no periodic axes; "
      "leave one "
      "of the two out";
  EXPECT_EQ(error_of([&] { collide<3, T>(scene, contacts, workspace); }), expected);
  std::vector<std::uint8_t> status(1);
  CollideOptions options;
  options.world_status = status;
  EXPECT_EQ(error_of([&] { collide<3, T>(scene, contacts, workspace, options); }), expected);
  scene.domain = {};
  add_field(scene, {0, 0, 0}, {0, 0, 0, 1});
  const std::vector<std::int32_t> ids{1};
  Column<SizeOf<T>, 3> direction{{0, 0, 1}};
  SupportBuffer<3, T> support;
  EXPECT_EQ(error_of([&] { support_points<3, T>(scene, ids, direction, support, workspace); }),
            "ids[0] names a heightfield, which has no farthest point");
}

TYPED_TEST(heightfield_scenes, scale_with_their_heights_and_cells) {
  using T = typename TypeParam::T;
  SceneColumns<3, T> scene = hill_scene<T>();
  scene.heightfields.center.set(0, {1, 2, 3});
  scale<3, T>(scene, 2);
  EXPECT_EQ(scene.heightfields.center(0, 2), 6);
  EXPECT_EQ(scene.heightfield_geometries.heights[5], 2);
  EXPECT_EQ(scene.heightfield_geometries.cell(0, 0), 4);
  EXPECT_EQ(scene.heightfield_geometries.cell(0, 1), 2);
  EXPECT_TRUE(std::isnan(scene.heightfield_geometries.heights[11]));
}

}  // namespace
}  // namespace widephase::test
