// Meshes in scenes: bounds, pairs, bodies, static scenes, worlds, vertices that move, threads, and
// what is refused.
// Labels: threads

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include <widephase/bodies.hpp>
#include <widephase/static_scene.hpp>
#include <widephase/transforms.hpp>

#include "support/allocations.hpp"
#include "support/error_of.hpp"
#include "support/mesh_shapes.hpp"

namespace widephase::test {
namespace {

/// A box mesh at the origin.
template <class T>
Ground<T> box_scene() {
  Ground<T> ground;
  const MeshShape box = box_mesh({1, 2, 3});
  ground.place_mesh(ground.add_mesh_of(box.vertices, box.triangles));
  ground.scene.meshes.fixed.clear();
  return ground;
}

/// Shapes of every kind over a grid of bumps.
template <class T>
Ground<T> bumpy_scene(int shapes) {
  Random random(23);
  Ground<T> ground;
  const auto z = [](double x, double y) { return 0.1 * std::sin(5 * x) * std::cos(4 * y); };
  add_shapes<T>(random, shapes, 6, z, ground);
  const MeshShape grid =
      grid_mesh(60, 0.1, [&](int row, int column) { return z(0.1 * column, 0.1 * row); });
  ground.place_mesh(ground.add_mesh_of(grid.vertices, grid.triangles));
  return ground;
}

template <class T>
class mesh_scenes : public ::testing::Test {};
template <class T_>
struct In {
  using T = T_;
};
using Precisions = testing::Types<In<float>, In<double>, In<Mixed>>;
TYPED_TEST_SUITE(mesh_scenes, Precisions);

TYPED_TEST(mesh_scenes, have_bounds_around_their_vertices_at_any_angle) {
  using T = typename TypeParam::T;
  Random random(41);
  Ground<T> ground = box_scene<T>();
  ground.scene.meshes = {};
  std::vector<Quat> turns;
  for (int i = 0; i < 100; ++i) {
    turns.push_back(any_turn(random));
    ground.place_mesh(0, {random.uniform(-5, 5), 1, 2}, turns.back(), 0.25);
  }
  Workspace<3, T> workspace;
  CollideOptions options;
  options.margin = 0.5;
  update_bounds<3, T>(ground.scene, workspace, options);
  for (std::size_t i = 0; i < turns.size(); ++i) {
    for (int k = 0; k < 3; ++k) {
      double low = 1e9, high = -1e9;
      for (const Point3d& vertex : box_mesh({1, 2, 3}).vertices) {
        const double at = turned(turns[i], vertex)[static_cast<std::size_t>(k)] +
                          static_cast<double>(ground.scene.meshes.center(i, k));
        low = std::min(low, at - 0.5);
        high = std::max(high, at + 0.5);
      }
      EXPECT_LE(static_cast<double>(workspace.bounds().min(i, k)), low + 1e-6);
      EXPECT_GE(static_cast<double>(workspace.bounds().min(i, k)), low - 1e-4);
      EXPECT_GE(static_cast<double>(workspace.bounds().max(i, k)), high - 1e-6);
      EXPECT_LE(static_cast<double>(workspace.bounds().max(i, k)), high + 1e-4);
    }
  }
}

TYPED_TEST(mesh_scenes, are_carried_by_bodies_and_copied_into_worlds) {
  using T = typename TypeParam::T;
  Ground<T> ground = box_scene<T>();
  SceneColumns<3, T>& scene = ground.scene;
  const double half = std::sqrt(0.5);
  scene.meshes.center.set(0, {1, 2, 3});
  scene.meshes.body = {0};
  scene.bodies.position = {{10, 0, 0}};
  scene.bodies.turn = {{0, 0, static_cast<SizeOf<T>>(half), static_cast<SizeOf<T>>(half)}};
  PlacedScene<3, T> placed;
  place(scene, SceneSpan<3, T>(scene).bodies, placed);
  // A quarter turn about z takes (1, 2, 3) to (-2, 1, 3).
  EXPECT_NEAR(static_cast<double>(placed.scene().meshes.center(0, 0)), 8, 1e-5);
  EXPECT_NEAR(static_cast<double>(placed.scene().meshes.center(0, 1)), 1, 1e-5);
  // The box turned too: a ball beside its long side, now along x, touches it.
  ground.add_sphere({8 + 2.25, 1, 3}, 0.5);
  const ContactBuffer<3, T> contacts = contacts_of(scene);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_NEAR(static_cast<double>(contacts.depth[0]), 0.25, 1e-5);
  EXPECT_NEAR(static_cast<double>(contacts.normal(0, 0)), -1, 1e-5);
  SceneColumns<3, T> farm;
  replicate(scene, 3, farm);
  EXPECT_EQ(farm.meshes.geometry.size(), 3u);
  EXPECT_EQ(farm.mesh_geometries.triangle_offsets.size(), 2u) << "all worlds share the mesh";
  EXPECT_TRUE((validate<3, T>(farm).empty()));
  EXPECT_EQ(contacts_of(farm).size(), 3u);
}

TYPED_TEST(mesh_scenes, are_named_by_moving_shapes_of_a_static_scene) {
  using T = typename TypeParam::T;
  Ground<T> still = box_scene<T>(), moving;
  Workspace<3, T> workspace;
  StaticScene<3, T> kept;
  build_static_scene<3, T>(still.scene, kept, workspace);
  moving.add_sphere({0, 0, 3.25}, 0.5);
  moving.add_sphere({50, 0, 1.25}, 0.5);
  moving.place_mesh(0, {50, 0, -2});
  ContactBuffer<3, T> contacts;
  collide<3, T>(moving.scene, kept, contacts, workspace);
  ASSERT_EQ(contacts.size(), 2u);
  EXPECT_EQ(contacts.depth[0], SizeOf<T>(0.25));
  EXPECT_EQ(contacts.depth[1], SizeOf<T>(0.25));
  moving.scene.meshes.geometry[0] = 1;
  EXPECT_EQ(error_of([&] { collide<3, T>(moving.scene, kept, contacts, workspace); }),
            "mesh.geometry[0] is 1; the scene has 1 geometries, counted from 0");
  moving.scene.meshes.geometry[0] = 0;
  const MeshShape box = box_mesh({1, 1, 1});
  moving.add_mesh_of(box.vertices, box.triangles);
  EXPECT_EQ(error_of([&] { collide<3, T>(moving.scene, kept, contacts, workspace); }),
            "mesh_geometries.vertices has 8 rows; moving shapes name the meshes of the static "
            "scene, so give all of them to build_static_scene");
}

TYPED_TEST(mesh_scenes, move_within_a_static_scene) {
  using T = typename TypeParam::T;
  Ground<T> still = box_scene<T>(), moving;
  still.place_mesh(0, {100, 0, 0});
  still.scene.meshes.fixed.clear();
  Workspace<3, T> workspace;
  StaticScene<3, T> kept;
  build_static_scene<3, T>(still.scene, kept, workspace);
  moving.add_sphere({200, 0, 3.25}, 0.5);
  ContactBuffer<3, T> contacts;
  collide<3, T>(moving.scene, kept, contacts, workspace);
  EXPECT_EQ(contacts.size(), 0u);
  still.scene.meshes.center.set(1, {200, 0, 0});
  const std::vector<std::int32_t> ids{1};
  update_static_scene<3, T>(still.scene, ids, kept, workspace);
  collide<3, T>(moving.scene, kept, contacts, workspace);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_EQ(contacts.pair[0], (Pair{0, 2}));
}

TYPED_TEST(mesh_scenes, follow_their_vertices) {
  using T = typename TypeParam::T;
  Ground<T> ground = bumpy_scene<T>(120);
  auto& vertices = ground.scene.mesh_geometries.vertices;
  Workspace<3, T> workspace;
  ContactBuffer<3, T> contacts;
  for (int step = 0; step < 4; ++step) {
    collide<3, T>(ground.scene, contacts, workspace);
    EXPECT_EQ(hash(contacts), hash(contacts_of(ground.scene)))
        << "a workspace that knows the mesh answers as one that does not";
    for (std::size_t v = 0; v < vertices.size(); ++v) {
      vertices(v, 2) +=
          static_cast<SizeOf<T>>(0.01 * std::sin(step + 0.1 * static_cast<double>(v)));
    }
  }
}

TYPED_TEST(mesh_scenes, are_alike_on_any_number_of_threads_and_set) {
  using T = typename TypeParam::T;
  const Ground<T> ground = bumpy_scene<T>(400);
  expect_alike_on_threads_and_sets(ground.scene);
}

TYPED_TEST(mesh_scenes, are_left_out_with_their_world) {
  using T = typename TypeParam::T;
  Ground<T> ground = box_scene<T>();
  ground.place_mesh(7);
  ground.scene.meshes.fixed.clear();
  ground.scene.meshes.world = {0, 1};
  Workspace<3, T> workspace;
  ContactBuffer<3, T> contacts;
  EXPECT_EQ(error_of([&] { collide<3, T>(ground.scene, contacts, workspace); }),
            "mesh.geometry[1] is 7; the scene has 1 geometries, counted from 0");
  std::vector<std::uint8_t> status(2);
  CollideOptions options;
  options.world_status = status;
  collide<3, T>(ground.scene, contacts, workspace, options);
  EXPECT_EQ(status[0], static_cast<std::uint8_t>(WorldStatus::answered));
  EXPECT_EQ(status[1], static_cast<std::uint8_t>(WorldStatus::invalid));
}

TYPED_TEST(mesh_scenes, have_no_periodic_domain) {
  using T = typename TypeParam::T;
  Ground<T> ground = box_scene<T>();
  Workspace<3, T> workspace;
  ContactBuffer<3, T> contacts;
  ground.scene.domain.max = {10, 10, 10};
  ground.scene.domain.periodic[1] = true;
  EXPECT_EQ(error_of([&] { collide<3, T>(ground.scene, contacts, workspace); }),
            "domain.periodic[1] is set, but a scene with height fields or meshes has no periodic "
            "axes; leave one of the two out");
}

// A mesh 0.01 of the largest number below a plane, thick by that number: the depth would be more.
TYPED_TEST(mesh_scenes, whose_depth_overflows_are_not_in_contact) {
  using T = typename TypeParam::T;
  constexpr double kMost = std::numeric_limits<SizeOf<T>>::max();
  Ground<T> ground = box_scene<T>();
  ground.scene.meshes = {};
  ground.place_mesh(0, {0, 0, -0.01 * kMost}, kLevel, kMost);
  ground.scene.meshes.fixed.clear();
  ground.scene.halfspaces.normal = {{0, 0, 1}};
  ground.scene.halfspaces.offset = {0};
  Workspace<3, T> workspace;
  ContactBuffer<3, T> contacts;
  collide<3, T>(ground.scene, contacts, workspace);
  EXPECT_EQ(contacts.size(), 0u);
  const std::vector<Pair> pairs{{1, 0}};
  std::vector<std::uint8_t> is_contact(1, 2);
  test_pairs<3, T>(ground.scene, pairs, is_contact, workspace);
  EXPECT_EQ(is_contact[0], 0);
  DistanceBuffer<3, T> found;
  EXPECT_THROW((distances<3, T>(ground.scene, pairs, found, workspace)), Error);
  ground.scene.meshes.radius = {static_cast<SizeOf<T>>(0.25 * kMost)};
  collide<3, T>(ground.scene, contacts, workspace);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_NEAR(static_cast<double>(contacts.depth[0]) / kMost, 0.26, 1e-6);
}

// The tree of 20 triangles has 12 places more, which have no bounds.
TYPED_TEST(mesh_scenes, have_no_triangles_at_infinity) {
  using T = typename TypeParam::T;
  using S = SizeOf<T>;
  constexpr S kMost = std::numeric_limits<S>::max();
  Ground<T> ground;
  MeshShape grid = grid_mesh(4, 1, [](int, int) { return 0.0; });
  grid.triangles.resize(20);
  ground.place_mesh(ground.add_mesh_of(grid.vertices, grid.triangles));
  ground.scene.meshes.fixed.clear();
  ground.scene.meshes.radius = {kMost};
  // The square of the capsule's length overflows, and in double the sum of both radii.
  ground.scene.capsules.a = {{0, 0, 0}};
  ground.scene.capsules.b = {{kMost / 2, 0, 0}};
  ground.scene.capsules.radius = {S(1)};
  ground.scene.spheres.center = {{0, 0, 1}};
  ground.scene.spheres.radius = {kMost};
  Workspace<3, T> workspace;
  ContactBuffer<3, T> contacts;
  const std::vector<Pair> pairs{{0, 2}, {1, 2}};
  collide_pairs<3, T>(ground.scene, pairs, contacts, workspace);
  EXPECT_EQ(contacts.size(), 0u);
}

TYPED_TEST(mesh_scenes, scale_with_their_vertices) {
  using T = typename TypeParam::T;
  Ground<T> ground = box_scene<T>();
  ground.scene.meshes.center.set(0, {1, 2, 3});
  ground.scene.meshes.radius = {SizeOf<T>(0.5)};
  scale<3, T>(ground.scene, 2);
  EXPECT_EQ(ground.scene.meshes.center(0, 2), 6);
  EXPECT_EQ(ground.scene.meshes.radius[0], 1);
  EXPECT_EQ(ground.scene.mesh_geometries.vertices(7, 2), 6);
}

TEST(mesh_calls, a_second_call_allocates_nothing) {
  if (!kCountsAllocations) GTEST_SKIP() << "the thread sanitizer keeps its own operator new";
  const Ground<float> ground = bumpy_scene<float>(200);
  const SceneSpan<3, float> scene(ground.scene);
  CollideOptions options;
  options.threads.count = 1;
  Workspace<3, float> workspace;
  ContactBuffer<3, float> contacts;
  collide<3, float>(scene, contacts, workspace, options);
  collide<3, float>(scene, contacts, workspace, options);
  EXPECT_EQ(count_allocations([&] { collide<3, float>(scene, contacts, workspace, options); }), 0);
}

}  // namespace
}  // namespace widephase::test
