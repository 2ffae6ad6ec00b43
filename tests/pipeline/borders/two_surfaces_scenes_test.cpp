// Two surfaces in scenes: filters, owners, worlds, static scenes, trackers, warm starts, threads
// and sets, memory that is kept and memory that fails, and what is refused.
// Labels: threads

#include <gtest/gtest.h>

#include <widephase/impact.hpp>
#include <widephase/static_scene.hpp>
#include <widephase/tracker.hpp>

#include "support/allocations.hpp"
#include "support/error_of.hpp"
#include "support/executors.hpp"
#include "support/lines.hpp"
#include "support/mesh_shapes.hpp"
#include "support/two_surfaces.hpp"

namespace widephase::test {
namespace {

double hills(double x, double y) { return 0.2 * std::sin(2 * x) * std::cos(1.5 * y); }

/// Rough balls over hills, some of which cross; nothing is fixed.
template <class T>
Ground<T> rolling_scene(int count) {
  Random random(29);
  Ground<T> ground;
  ground.place_field(ground.add_field(
      41, 41, 0.25, [](int row, int column) { return hills(0.25 * column, 0.25 * row); }));
  for (int form = 0; form < 2; ++form) {
    const MeshShape ball = bumpy_ball(random, 2, 0.1);
    ground.add_mesh_of(ball.vertices, ball.triangles, form == 1);
  }
  for (int i = 0; i < count; ++i) {
    const double x = random.uniform(1, 9), y = random.uniform(1, 9);
    ground.place_mesh(i % 2, {x, y, hills(x, y) + random.uniform(0.8, 1.4)}, any_turn(random));
  }
  ground.scene.heightfields.fixed.clear();
  ground.scene.meshes.fixed.clear();
  return ground;
}

template <class T>
class two_surfaces_scenes : public ::testing::Test {};
template <class Scalar>
struct In {
  using T = Scalar;
};
using Precisions = ::testing::Types<In<float>, In<double>, In<Mixed>>;
TYPED_TEST_SUITE(two_surfaces_scenes, Precisions);

TYPED_TEST(two_surfaces_scenes, have_one_answer_on_threads_and_sets_and_in_all_calls) {
  using T = typename TypeParam::T;
  const Ground<T> ground = rolling_scene<T>(24);
  CollideOptions options;
  options.margin = SizeOf<T>(0.05);
  const ContactBuffer<3, T> contacts = contacts_of(ground.scene, options);
  std::size_t crossing = 0, apart = 0;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    (contacts.status[i] == static_cast<int>(Status::crossing) ? crossing : apart) += 1;
    for (auto p = contacts.offset[i]; p < contacts.offset[i + 1]; ++p) {
      EXPECT_GE(contacts.part(static_cast<std::size_t>(p), 0), 0);
      EXPECT_GE(contacts.part(static_cast<std::size_t>(p), 1), 0);
    }
  }
  EXPECT_GT(crossing, 5u);
  EXPECT_GT(apart, 2u);
  expect_alike_on_threads_and_sets(ground.scene);
  // Yes or no, and least distances, are of the same pairs.
  Workspace<3, T> workspace;
  std::vector<Pair> pairs;
  for (std::int32_t a = 0; a < 25; ++a) {
    for (std::int32_t b = a + 1; b < 25; ++b) pairs.push_back({a, b});
  }
  std::vector<std::uint8_t> meets(pairs.size());
  test_pairs<3, T>(ground.scene, pairs, meets, workspace, options);
  std::set<std::pair<std::int32_t, std::int32_t>> found;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    found.insert({contacts.pair[i].a, contacts.pair[i].b});
  }
  EXPECT_EQ(found.size(), static_cast<std::size_t>(std::count(meets.begin(), meets.end(), 1)));
  std::vector<std::uint8_t> world(1);
  any_contact<3, T>(ground.scene, world, workspace, options);
  EXPECT_EQ(world[0], 1);
  WorldDistanceBuffer<3, T> least;
  min_distance<3, T>(ground.scene, least, workspace);
  EXPECT_EQ(least.distance[0], 0);
  EXPECT_EQ(least.status[0], static_cast<int>(Status::crossing));
}

TYPED_TEST(two_surfaces_scenes, that_are_apart_have_the_least_distance_of_all_pairs) {
  using T = typename TypeParam::T;
  Ground<T> ground = rolling_scene<T>(12);
  for (std::size_t i = 0; i < 12; ++i)
    ground.scene.meshes.center(i, 2) += PositionOf<T>(3 * (i + 1));
  std::vector<Pair> pairs;
  for (std::int32_t a = 0; a < 13; ++a) {
    for (std::int32_t b = a + 1; b < 13; ++b) pairs.push_back({a, b});
  }
  Workspace<3, T> workspace;
  DistanceBuffer<3, T> all;
  CollideOptions options;
  std::vector<WarmStart> words(pairs.size());
  options.warm_starts = words;
  distances<3, T>(ground.scene, pairs, all, workspace, options);
  WorldDistanceBuffer<3, T> least;
  min_distance<3, T>(ground.scene, least, workspace);
  EXPECT_EQ(least.distance[0],
            *std::min_element(all.distance.plane(), all.distance.plane() + pairs.size()));
  // The next step's words lead to the same distances; whatever they say.
  DistanceBuffer<3, T> warm;
  distances<3, T>(ground.scene, pairs, warm, workspace, options);
  for (std::size_t i = 0; i < pairs.size(); ++i) EXPECT_EQ(warm.distance[i], all.distance[i]);
  Random random(3);
  for (WarmStart& word : words) word.simplex = random.bits() & 0x000000ff000000ffu;
  distances<3, T>(ground.scene, pairs, warm, workspace, options);
  for (std::size_t i = 0; i < pairs.size(); ++i) EXPECT_EQ(warm.distance[i], all.distance[i]);
}

TYPED_TEST(two_surfaces_scenes, are_asked_first_where_they_met_and_any_words_give_one_answer) {
  using T = typename TypeParam::T;
  Ground<T> ground = rolling_scene<T>(24);
  std::vector<Pair> pairs;
  for (std::int32_t a = 0; a < 25; ++a) {
    for (std::int32_t b = a + 1; b < 25; ++b) pairs.push_back({a, b});
  }
  Workspace<3, T> workspace;
  CollideOptions cold, warm;
  std::vector<WarmStart> words(pairs.size());
  warm.warm_starts = words;
  Random random(31);
  std::size_t met = 0;
  for (int step = 0; step < 40; ++step) {
    cold.margin = warm.margin = SizeOf<T>(step % 2 == 0 ? 0 : 0.1);
    std::vector<std::uint8_t> meets(pairs.size()), again(pairs.size());
    test_pairs<3, T>(ground.scene, pairs, meets, workspace, cold);
    test_pairs<3, T>(ground.scene, pairs, again, workspace, warm);
    EXPECT_EQ(again, meets) << step;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (meets[i] == 0) continue;
      ++met;
      EXPECT_NE(words[i].simplex, 0u) << step << " " << i;
      if (step < 20) continue;  // any pieces from then on
      words[i].simplex = (random.bits() % 400) << 32 | random.bits() % 400;
    }
    for (std::size_t i = 0; i < 24; ++i) {
      ground.scene.meshes.center(i, static_cast<int>(i % 3)) +=
          PositionOf<T>(random.uniform(-0.02, 0.02));
    }
  }
  EXPECT_GT(met, 400u);
}

TYPED_TEST(two_surfaces_scenes, that_are_near_from_behind_do_not_meet_whatever_words_say) {
  // A box within another one, 0.05 from each of its faces, which look outwards.
  using T = typename TypeParam::T;
  Ground<T> ground;
  for (const double half : {1.0, 0.95}) {
    const MeshShape box = box_mesh({half, half, half});
    ground.add_mesh_of(box.vertices, box.triangles);
  }
  ground.place_mesh(0);
  ground.place_mesh(1);
  const Pair pair{0, 1};
  Workspace<3, T> workspace;
  CollideOptions options;
  options.margin = SizeOf<T>(0.1);
  std::vector<WarmStart> words(1);
  options.warm_starts = words;
  DistanceBuffer<3, T> nearest;
  distances<3, T>(ground.scene, {&pair, 1}, nearest, workspace, options);
  EXPECT_NEAR(static_cast<double>(nearest.distance[0]), 0.05, 1e-6);
  ASSERT_NE(words[0].simplex, 0u);
  std::vector<std::uint8_t> meets(1, 7);
  test_pairs<3, T>(ground.scene, {&pair, 1}, meets, workspace, options);
  EXPECT_EQ(meets[0], 0);
}

TYPED_TEST(two_surfaces_scenes, meet_only_where_filters_let_them) {
  using T = typename TypeParam::T;
  const auto count = [](const Ground<T>& ground) { return contacts_of(ground.scene).size(); };
  const auto scene = [] {
    Ground<T> ground;
    const MeshShape box = box_mesh({1, 1, 1});
    ground.add_mesh_of(box.vertices, box.triangles);
    ground.place_mesh(0);
    ground.place_mesh(0, {0.5, 0.5, 0.5});
    ground.scene.meshes.fixed.clear();
    return ground;
  };
  EXPECT_EQ(count(scene()), 1u);
  Ground<T> ground = scene();
  ground.scene.meshes.fixed = {1, 1};
  EXPECT_EQ(count(ground), 0u);
  ground.scene.meshes.fixed = {1, 0};
  EXPECT_EQ(count(ground), 1u);
  ground = scene();
  ground.scene.meshes.owner = {3, 3};
  EXPECT_EQ(count(ground), 0u);
  ground = scene();
  ground.scene.meshes.world = {0, 1};
  EXPECT_EQ(count(ground), 0u);
  ground.scene.meshes.world = {-1, 1};
  EXPECT_EQ(count(ground), 1u);
  ground = scene();
  ground.scene.meshes.category = {1, 2};
  ground.scene.meshes.mask = {1, 2};
  EXPECT_EQ(count(ground), 0u);
  // An owner of two boxes meets a mesh box by box.
  ground = scene();
  ground.scene.meshes.owner = {3, 3};
  ground.add_box({1.5, 0, 0}, {0.75, 0.25, 0.25});
  ground.add_box({1.5, 0, 0.25}, {0.75, 0.25, 0.25});
  ground.scene.boxes.owner = {4, 4};
  EXPECT_EQ(count(ground), 4u);
}

TYPED_TEST(two_surfaces_scenes, kept_in_a_static_scene_are_met_as_in_one) {
  using T = typename TypeParam::T;
  const Ground<T> joined = rolling_scene<T>(8);
  SceneColumns<3, T> moving = joined.scene, kept_scene = joined.scene;
  moving.heightfields = {};
  moving.heightfield_geometries = {};
  moving.mesh_geometries = {};  // the static scene's
  kept_scene.meshes = {};
  Workspace<3, T> workspace;
  StaticScene<3, T> level;
  CollideOptions options;
  options.margin = SizeOf<T>(0.05);
  build_static_scene<3, T>(kept_scene, level, workspace, options);
  SceneSpan<3, T> scene(moving);
  scene.kept = &level;
  options.order = Order::id;
  ContactBuffer<3, T> of_two, of_one;
  collide<3, T>(scene, of_two, workspace, options);
  collide<3, T>(joined.scene, of_one, workspace, options);
  ASSERT_EQ(of_two.size(), of_one.size());
  EXPECT_GT(of_two.size(), 4u);
  EXPECT_EQ(of_two.point_count(), of_one.point_count());
}

TYPED_TEST(two_surfaces_scenes, keep_their_points_from_step_to_step) {
  using T = typename TypeParam::T;
  Ground<T> ground;
  const MeshShape box = box_mesh({1, 1, 1});
  ground.add_mesh_of(box.vertices, box.triangles);
  ground.place_mesh(0);
  ground.place_mesh(0, {0.25, 0.25, 2.0625});
  ground.scene.meshes.fixed.clear();
  CollideOptions options;
  options.margin = SizeOf<T>(0.125);
  Tracker<3, T> tracker;
  Workspace<3, T> workspace;
  ContactBuffer<3, T> contacts;
  collide<3, T>(ground.scene, contacts, workspace, tracker, options);
  ASSERT_EQ(contacts.point_count(), 4u);
  ground.scene.meshes.center.set(
      1, {PositionOf<T>(0.2505), PositionOf<T>(0.2495), PositionOf<T>(2.0615)});
  collide<3, T>(ground.scene, contacts, workspace, tracker, options);
  ASSERT_EQ(contacts.point_count(), 4u);
  for (std::size_t p = 0; p < 4; ++p) EXPECT_GE(tracker.last_point()[p], 0) << p;
}

TYPED_TEST(two_surfaces_scenes, are_not_cast_at_each_other) {
  using T = typename TypeParam::T;
  Ground<T> ground = rolling_scene<T>(2);
  Workspace<3, T> workspace;
  ImpactHits<3, T> hits;
  EXPECT_EQ(error_of([&] {
              time_of_impact<3, T>(ground.scene, {}, std::vector<Pair>{{1, 2}}, hits, workspace);
            }),
            "pairs[0] names two meshes, which have no time of impact; leave such pairs out");
}

TEST(two_surfaces_calls, a_second_call_allocates_nothing) {
  if (!kCountsAllocations) GTEST_SKIP() << "the thread sanitizer keeps its own operator new";
  const Ground<float> ground = rolling_scene<float>(16);
  const SceneSpan<3, float> scene(ground.scene);
  CollideOptions options;
  options.threads.count = 1;
  options.margin = 0.1f;
  Workspace<3, float> workspace;
  ContactBuffer<3, float> contacts;
  collide<3, float>(scene, contacts, workspace, options);
  collide<3, float>(scene, contacts, workspace, options);
  EXPECT_EQ(count_allocations([&] { collide<3, float>(scene, contacts, workspace, options); }), 0);
}

TEST(two_surfaces_calls, a_failing_allocation_ends_the_call_and_the_next_one_answers) {
  if (!kCountsAllocations) GTEST_SKIP() << "the thread sanitizer keeps its own operator new";
  const Ground<float> ground = rolling_scene<float>(6);
  const SceneSpan<3, float> scene(ground.scene);
  CollideOptions options;
  options.margin = 0.1f;
  ContactBuffer<3, float> expected;
  {
    Workspace<3, float> workspace;
    collide<3, float>(scene, expected, workspace, options);
  }
  for (const int threads : {1, 3}) {
    options.threads.count = threads;
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

}  // namespace
}  // namespace widephase::test
