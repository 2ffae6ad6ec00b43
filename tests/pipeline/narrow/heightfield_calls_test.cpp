// Calls with height fields: memory that is kept, memory that fails, static scenes, worlds.
// Labels: threads

#include <gtest/gtest.h>

#include <widephase/static_scene.hpp>

#include "support/allocations.hpp"
#include "support/executors.hpp"
#include "support/ground.hpp"

namespace widephase::test {
namespace {

double hills(double x, double y) { return 0.2 * std::sin(5 * x) * std::cos(4 * y); }

/// Shapes on hills, also on one another.
Ground<float> hilly(int shapes) {
  Random random(23);
  Ground<float> ground;
  add_shapes<float>(random, shapes, 6, hills, ground);
  ground.place_field(ground.add_field(
      61, 61, 0.1, [](int row, int column) { return hills(0.1 * column, 0.1 * row); }));
  return ground;
}

TEST(heightfield_calls, a_second_call_allocates_nothing) {
  if (!kCountsAllocations) GTEST_SKIP() << "the thread sanitizer keeps its own operator new";
  const Ground<float> ground = hilly(200);
  const SceneSpan<3, float> scene(ground.scene);
  for (const Order order : {Order::kind, Order::id}) {
    CollideOptions options;
    options.threads.count = 1;
    options.order = order;
    Workspace<3, float> workspace;
    ContactBuffer<3, float> contacts;
    collide<3, float>(scene, contacts, workspace, options);
    collide<3, float>(scene, contacts, workspace, options);
    EXPECT_EQ(count_allocations([&] { collide<3, float>(scene, contacts, workspace, options); }),
              0);
  }
}

TEST(heightfield_calls, a_failing_allocation_ends_the_call_and_no_thread_waits_for_ever) {
  if (!kCountsAllocations) GTEST_SKIP() << "the thread sanitizer keeps its own operator new";
  const Ground<float> ground = hilly(48);
  const SceneSpan<3, float> scene(ground.scene);
  OwnThreads own{3};
  std::vector<Threads> all = all_threads(own);
  Threads one;
  one.count = 1;
  all.push_back(one);
  ContactBuffer<3, float> expected;
  {
    Workspace<3, float> workspace;
    collide<3, float>(scene, expected, workspace);
  }
  for (const Threads& threads : all) {
    CollideOptions options;
    options.threads = threads;
    for (long failing = 1;; failing += 1 + failing / 8) {
      Workspace<3, float> workspace;
      ContactBuffer<3, float> contacts;
      const bool has_failed =
          fail_allocation(failing, [&] { collide<3, float>(scene, contacts, workspace, options); });
      collide<3, float>(scene, contacts, workspace, options);
      ASSERT_EQ(hash(contacts), hash(expected)) << "allocation " << failing;
      if (!has_failed) break;
    }
  }
}

TEST(heightfield_calls, a_static_field_answers_as_one_scene) {
  const Ground<float> joined = hilly(120);
  Ground<float> moving = joined, kept;
  moving.scene.heightfields = {};
  moving.scene.heightfield_geometries = {};
  moving.scene.geometries = {};  // point sets are the static scene's
  kept.scene.geometries = joined.scene.geometries;
  kept.scene.heightfields = joined.scene.heightfields;
  kept.scene.heightfield_geometries = joined.scene.heightfield_geometries;
  Workspace<3, float> workspace;
  StaticScene<3, float> level;
  build_static_scene<3, float>(kept.scene, level, workspace);
  SceneSpan<3, float> scene(moving.scene);
  scene.kept = &level;
  CollideOptions options;
  options.order = Order::id;
  ContactBuffer<3, float> of_two, of_one;
  collide<3, float>(scene, of_two, workspace, options);
  collide<3, float>(joined.scene, of_one, workspace, options);
  ASSERT_GT(of_one.part.size(), 0u);
  ASSERT_EQ(of_two.size(), of_one.size());
  for (std::size_t i = 0; i < of_one.size(); ++i) {  // a pair's place in the list may differ
    of_two.source[i] = of_one.source[i] = 0;
  }
  EXPECT_EQ(hash(of_two), hash(of_one));
}

TEST(heightfield_calls, one_field_serves_every_world) {
  // Two worlds with the same ball at two heights; the field is in all worlds.
  Ground<float> ground;
  ground.place_field(ground.add_field(5, 5, 1, [](int, int) { return 0.0; }));
  ground.scene.heightfields.world.push_back({-1});
  ground.add_sphere({2.2, 1.7, 0.4}, 0.5);
  ground.add_sphere({2.2, 1.7, 0.6}, 0.5);
  ground.scene.spheres.world.push_back({0});
  ground.scene.spheres.world.push_back({1});
  Workspace<3, float> workspace;
  std::vector<std::uint8_t> any(2);
  any_contact<3, float>(ground.scene, any, workspace);
  EXPECT_EQ(any[0], 1);
  EXPECT_EQ(any[1], 0);
  WorldDistanceBuffer<3, float> nearest;
  min_distance<3, float>(ground.scene, nearest, workspace);
  ASSERT_EQ(nearest.distance.size(), 2u);
  EXPECT_NEAR(nearest.distance[0], -0.1, 1e-6);
  EXPECT_NEAR(nearest.distance[1], 0.1, 1e-6);
}

}  // namespace
}  // namespace widephase::test
