// Chains in scenes: bounds, bodies, worlds, static scenes, trackers, vertices that move, questions,
// threads, and what is refused.
// Labels: threads

#include <gtest/gtest.h>

#include <cmath>

#include <widephase/bodies.hpp>
#include <widephase/static_scene.hpp>
#include <widephase/transforms.hpp>

#include "support/allocations.hpp"
#include "support/error_of.hpp"
#include "support/lines.hpp"

namespace widephase::test {
namespace {

const std::vector<Point2d> kSquare{{-1, -2}, {1, -2}, {1, 2}, {-1, 2}};

/// A solid of 2 x 4 at the origin.
template <class T>
Lines<T> square_scene() {
  Lines<T> lines;
  lines.place(lines.add(kSquare, {.loop = true}));
  lines.scene.chains.fixed.clear();
  return lines;
}

/// Shapes of every kind over hills.
template <class T>
Lines<T> hilly_scene(int shapes) {
  Random random(31);
  Lines<T> lines;
  const auto height = [](double x) { return 0.2 * std::sin(3 * x); };
  std::vector<double> places;
  for (int i = 0; i <= 400; ++i) places.push_back(0.05 * i);
  lines.place(lines.add(line_of(places, height)));
  for (int i = 0; i < shapes; ++i) {
    const double x = random.uniform(1, 19);
    lines.add_shape(kFlatShapes[i % 5], {x, height(x) + random.uniform(0.05, 0.3)},
                    {random.uniform(0.05, 0.3), random.uniform(0.05, 0.3)}, random.uniform(-3, 3));
  }
  return lines;
}

template <class T>
class chain_scenes : public ::testing::Test {};
template <class T_>
struct In {
  using T = T_;
};
using Precisions = testing::Types<In<float>, In<double>, In<Mixed>>;
TYPED_TEST_SUITE(chain_scenes, Precisions);

TYPED_TEST(chain_scenes, have_bounds_around_their_vertices_at_any_angle) {
  using T = typename TypeParam::T;
  Random random(41);
  Lines<T> lines = square_scene<T>();
  lines.scene.chains = {};
  std::vector<double> angles;
  for (int i = 0; i < 100; ++i) {
    angles.push_back(random.uniform(-4, 4));
    lines.place(0, {random.uniform(-5, 5), 1}, angles.back(), 0.25);
  }
  Workspace<2, T> workspace;
  CollideOptions options;
  options.margin = 0.5;
  update_bounds<2, T>(lines.scene, workspace, options);
  for (std::size_t i = 0; i < angles.size(); ++i) {
    double low = 1e9, high = -1e9;
    for (const Point2d& p : kSquare) {
      const double x = std::cos(angles[i]) * p[0] - std::sin(angles[i]) * p[1] +
                       static_cast<double>(lines.scene.chains.center(i, 0));
      low = std::min(low, x - 0.5);
      high = std::max(high, x + 0.5);
    }
    EXPECT_LE(static_cast<double>(workspace.bounds().min(i, 0)), low + 1e-6);
    EXPECT_GE(static_cast<double>(workspace.bounds().min(i, 0)), low - 1e-4);
    EXPECT_GE(static_cast<double>(workspace.bounds().max(i, 0)), high - 1e-6);
    EXPECT_LE(static_cast<double>(workspace.bounds().max(i, 0)), high + 1e-4);
  }
}

TYPED_TEST(chain_scenes, are_carried_by_bodies_and_copied_into_worlds) {
  using T = typename TypeParam::T;
  Lines<T> lines = square_scene<T>();
  SceneColumns<2, T>& scene = lines.scene;
  scene.chains.center.set(0, {1, 2});
  scene.chains.body = {0};
  scene.bodies.position = {{10, 0}};
  scene.bodies.turn = {{static_cast<SizeOf<T>>(std::acos(-1.0) / 2)}};
  // A quarter turn takes (1, 2) to (-2, 1), and the long side along x: it ends at 8 + 2.
  lines.add_circle({10.25, 1}, 0.5);
  const ContactBuffer<2, T> contacts = contacts_of(scene);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_NEAR(static_cast<double>(contacts.depth[0]), 0.25, 1e-5);
  EXPECT_NEAR(static_cast<double>(contacts.normal(0, 0)), -1, 1e-5);
  SceneColumns<2, T> farm;
  replicate(scene, 3, farm);
  EXPECT_EQ(farm.chains.geometry.size(), 3u);
  EXPECT_EQ(farm.chain_geometries.offsets.size(), 2u) << "all worlds share the chain";
  EXPECT_TRUE((validate<2, T>(farm).empty()));
  EXPECT_EQ(contacts_of(farm).size(), 3u);
}

TYPED_TEST(chain_scenes, stand_in_static_scenes_and_move_among_them) {
  using T = typename TypeParam::T;
  Lines<T> still = square_scene<T>(), moving;
  Workspace<2, T> workspace;
  StaticScene<2, T> kept;
  build_static_scene<2, T>(still.scene, kept, workspace);
  moving.add_circle({0, 2.25}, 0.5);
  moving.add_circle({50, 1.25}, 0.5);
  moving.place(0, {50, -1});
  ContactBuffer<2, T> contacts;
  collide<2, T>(moving.scene, kept, contacts, workspace);
  ASSERT_EQ(contacts.size(), 2u);
  EXPECT_EQ(contacts.depth[0], SizeOf<T>(0.25));
  EXPECT_EQ(contacts.depth[1], SizeOf<T>(0.25));
  moving.scene.chains.geometry[0] = 1;
  EXPECT_EQ(error_of([&] { collide<2, T>(moving.scene, kept, contacts, workspace); }),
            "chain.geometry[0] is 1; the scene has 1 geometries, counted from 0");
  moving.scene.chains.geometry[0] = 0;
  moving.add(kSquare);
  EXPECT_EQ(error_of([&] { collide<2, T>(moving.scene, kept, contacts, workspace); }),
            "chain_geometries.vertices has 4 rows; moving shapes name the chains of the static "
            "scene, so give all of them to build_static_scene");
}

TYPED_TEST(chain_scenes, follow_their_vertices) {
  using T = typename TypeParam::T;
  Lines<T> lines = hilly_scene<T>(100);
  auto& vertices = lines.scene.chain_geometries.vertices;
  Workspace<2, T> workspace;
  ContactBuffer<2, T> contacts;
  for (int step = 0; step < 4; ++step) {
    collide<2, T>(lines.scene, contacts, workspace);
    EXPECT_GT(contacts.size(), 50u);
    EXPECT_EQ(hash(contacts), hash(contacts_of(lines.scene)))
        << "a workspace that knows the chain answers as one that does not";
    for (std::size_t v = 0; v < vertices.size(); ++v) {
      vertices(v, 1) += static_cast<SizeOf<T>>(0.01 * std::sin(step + 0.1 * double(v)));
    }
  }
}

TYPED_TEST(chain_scenes, are_alike_on_any_number_of_threads_and_set) {
  using T = typename TypeParam::T;
  const Lines<T> lines = hilly_scene<T>(300);
  CollideOptions options;
  options.threads.count = 1;
  options.isa = built_isas().front();
  const std::uint64_t expected = hash(contacts_of(lines.scene, options));
  for (const Isa isa : built_isas()) {
    if (!cpu_has(isa)) continue;
    options.isa = isa;
    for (const int threads : {1, 2, 5}) {
      options.threads.count = threads;
      EXPECT_EQ(hash(contacts_of(lines.scene, options)), expected);
    }
  }
}

TYPED_TEST(chain_scenes, answer_questions_as_their_contacts_do) {
  using T = typename TypeParam::T;
  Lines<T> lines = hilly_scene<T>(120);
  const ContactBuffer<2, T> contacts = contacts_of(lines.scene);
  std::vector<Pair> pairs;
  for (std::int32_t id = 0; id < lines.chain_id(); ++id) pairs.push_back({id, lines.chain_id()});
  std::vector<double> depth(pairs.size(), -1);
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    if (contacts.pair[c].b != lines.chain_id()) continue;
    double& deepest = depth[static_cast<std::size_t>(contacts.pair[c].a)];
    deepest = std::max(deepest, static_cast<double>(contacts.depth[c]));
  }
  Workspace<2, T> workspace;
  std::vector<std::uint8_t> is_contact(pairs.size());
  test_pairs<2, T>(lines.scene, pairs, is_contact, workspace);
  DistanceBuffer<2, T> found;
  distances<2, T>(lines.scene, pairs, found, workspace);
  int apart = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    EXPECT_EQ(is_contact[i] != 0, depth[i] >= 0) << i;
    const double distance = static_cast<double>(found.distance[i]);
    EXPECT_GE(distance, 0);
    if (depth[i] > 0) {
      EXPECT_EQ(distance, 0) << i;
    }
    if (distance == 0) continue;
    ++apart;
    const double x = static_cast<double>(found.point_b(i, 0) - found.point_a(i, 0));
    const double y = static_cast<double>(found.point_b(i, 1) - found.point_a(i, 1));
    EXPECT_NEAR(std::hypot(x, y), distance, 1e-5);
    EXPECT_NEAR(x, distance * static_cast<double>(found.normal(i, 0)), 1e-5);
  }
  EXPECT_GT(apart, 3);
  std::vector<std::uint8_t> any(1);
  any_contact<2, T>(lines.scene, any, workspace);
  EXPECT_EQ(any[0], 1);
}

TYPED_TEST(chain_scenes, have_the_least_distance_of_a_world) {
  using T = typename TypeParam::T;
  Lines<T> lines = square_scene<T>();
  lines.add_circle({0, 5}, 0.5);  // 2.5 above the square
  lines.add_circle({9, 0}, 0.5);  // 7.5 beside it
  WorldDistanceBuffer<2, T> least;
  Workspace<2, T> workspace;
  min_distance<2, T>(lines.scene, least, workspace);
  ASSERT_EQ(least.distance.size(), 1u);
  EXPECT_NEAR(static_cast<double>(least.distance[0]), 2.5, 1e-6);
}

TYPED_TEST(chain_scenes, are_followed_by_trackers) {
  using T = typename TypeParam::T;
  Lines<T> lines;
  lines.place(lines.add(line_of({-4, -1.3, 0.1, 0.2, 1.4, 4}, [](double) { return 0.0; })));
  lines.add_box({0, 0.49}, {0.5, 0.5});
  Workspace<2, T> workspace;
  Tracker<2, T> tracker;
  ContactBuffer<2, T> contacts;
  collide<2, T>(lines.scene, contacts, workspace, tracker);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_EQ(tracker.last_contact()[0], -1);
  lines.scene.boxes.center.set(0, {PositionOf<T>(0.01), PositionOf<T>(0.49)});
  collide<2, T>(lines.scene, contacts, workspace, tracker);
  ASSERT_EQ(contacts.point_count(), 2u);
  EXPECT_EQ(tracker.last_contact()[0], 0);
  EXPECT_EQ(tracker.last_point()[0], 0);
  EXPECT_EQ(tracker.last_point()[1], 1);
}

TYPED_TEST(chain_scenes, keep_the_deepest_patches) {
  using T = typename TypeParam::T;
  Lines<T> lines;
  lines.place(lines.add({{3, 3}, {0, 0}, {-3, 3}}));
  lines.add_circle({0.1, 0.5}, 0.45);
  CollideOptions options;
  options.most_patches = 1;
  const ContactBuffer<2, T> all = contacts_of(lines.scene);
  const ContactBuffer<2, T> one = contacts_of(lines.scene, options);
  ASSERT_EQ(all.size(), 2u);
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one.depth[0], std::max(all.depth[0], all.depth[1]));
}

TYPED_TEST(chain_scenes, are_where_they_are_far_from_the_origin) {
  using T = typename TypeParam::T;
  if (std::is_same_v<T, float>) return;
  Lines<T> lines = square_scene<T>();
  lines.scene.chains.center.set(0, {PositionOf<T>(1e6), PositionOf<T>(-2e6)});
  lines.add_circle({1e6 + 1.25, -2e6}, 0.5);
  const ContactBuffer<2, T> contacts = contacts_of(lines.scene);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_NEAR(static_cast<double>(contacts.depth[0]), 0.25, 1e-6);
  EXPECT_NEAR(static_cast<double>(contacts.point(0, 0)), 1e6 + 0.75, 1e-6);
}

TYPED_TEST(chain_scenes, are_refused_where_they_are_not_known) {
  using T = typename TypeParam::T;
  Lines<T> lines = square_scene<T>();
  Workspace<2, T> workspace;
  ContactBuffer<2, T> contacts;
  lines.add_circle({0, 5}, 0.5);
  lines.scene.domain.max = {10, 10};
  lines.scene.domain.periodic[1] = true;
  EXPECT_EQ(error_of([&] { collide<2, T>(lines.scene, contacts, workspace); }),
            "domain.periodic[1] is set, but a scene with chains has no periodic axes; leave one of "
            "the two out");
  lines.scene.domain = {};
  lines.place(0);
  lines.scene.chains.fixed.clear();
  const std::vector<Pair> chains{{1, 2}};
  const Column<SizeOf<T>, 2> down{{0, -1}};
  CastHits<2, T> found;
  EXPECT_EQ(
      error_of([&] { cast_pairs<2, T>(lines.scene, chains, down.span(), {}, found, workspace); }),
      "pairs[0] names a chain and a chain, which are never cast at each other; leave such pairs "
      "out");
  StaticScene<2, T> kept;
  build_static_scene<2, T>(lines.scene, kept, workspace);
  const Column<SizeOf<T>, 2> ways{{0, -1}, {0, -1}, {0, -1}};
  try {
    cast_shapes<2, T>(lines.scene, ways.span(), {}, kept, found, workspace);
    ADD_FAILURE() << "chains are moved";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "cast_shapes moves convex shapes; cast surfaces as B of cast_pairs");
  }
}

TYPED_TEST(chain_scenes, are_hit_by_bodies_that_move) {
  using T = typename TypeParam::T;
  Lines<T> lines = square_scene<T>();
  lines.scene.chains.body = {0};
  lines.add_circle({}, 0.5);
  lines.add_circle({}, 0.5);
  lines.scene.circles.body = {1, 2};
  lines.scene.bodies.position = {{0, 0}, {0, 5}, {8, 0}};
  // The first falls by 5 and is met by the top at 2 after 2.5 of them, the second goes away.
  const Column<PositionOf<T>, 2> end{{0, 0}, {0, 0}, {10, 0}};
  Motion<2, T> motion;
  motion.position_end = end.span();
  const std::vector<Pair> pairs{{0, 2}, {1, 2}};
  ImpactHits<2, T> hits;
  Workspace<2, T> workspace;
  time_of_impact<2, T>(lines.scene, motion, pairs, hits, workspace);
  EXPECT_NEAR(static_cast<double>(hits.t[0]), 0.5, 1e-4);
  EXPECT_LE(static_cast<double>(hits.t[0]), 0.5 + 1e-6);
  EXPECT_NEAR(static_cast<double>(hits.normal(0, 1)), -1, 1e-5);
  EXPECT_EQ(hits.part(0, 1), 2) << "the top is the third segment";
  EXPECT_EQ(hits.pair[1].a, -1);
}

TYPED_TEST(chain_scenes, are_near_points) {
  using T = typename TypeParam::T;
  Lines<T> lines = square_scene<T>();
  lines.add_circle({9, 0}, 0.5);
  Workspace<2, T> workspace;
  StaticScene<2, T> kept;
  build_static_scene<2, T>(lines.scene, kept, workspace);
  // 3 above the square, and within it: 0.25 from its side.
  const Column<PositionOf<T>, 2> points{{0, 5}, {PositionOf<T>(0.75), 0}};
  NearestHits<2, T> hits;
  nearest_shapes<2, T>(kept, points.span(), 1, SizeOf<T>(100), {}, hits, workspace);
  ASSERT_EQ(hits.size(), 2u);
  EXPECT_EQ(hits.shape[0], 1);
  EXPECT_EQ(hits.shape[1], 1);
  EXPECT_NEAR(static_cast<double>(hits.distance[0]), 3, 1e-6);
  EXPECT_NEAR(static_cast<double>(hits.distance[1]), 0.25, 1e-6);
}

TYPED_TEST(chain_scenes, scale_and_turn_with_their_vertices) {
  using T = typename TypeParam::T;
  Lines<T> lines = square_scene<T>();
  lines.scene.chains.center.set(0, {1, 2});
  lines.scene.chains.radius = {SizeOf<T>(0.5)};
  scale<2, T>(lines.scene, 2);
  EXPECT_EQ(lines.scene.chains.center(0, 1), 4);
  EXPECT_EQ(lines.scene.chains.radius[0], 1);
  EXPECT_EQ(lines.scene.chain_geometries.vertices(2, 1), 4);
  rotate(lines.scene, SizeOf<T>(0.5), {0, 0});
  EXPECT_EQ(lines.scene.chains.turn[0], SizeOf<T>(0.5));
}

TEST(chain_calls, a_second_call_allocates_nothing) {
  if (!kCountsAllocations) GTEST_SKIP() << "the thread sanitizer keeps its own operator new";
  const Lines<float> lines = hilly_scene<float>(200);
  const SceneSpan<2, float> scene(lines.scene);
  CollideOptions options;
  options.threads.count = 1;
  Workspace<2, float> workspace;
  ContactBuffer<2, float> contacts;
  collide<2, float>(scene, contacts, workspace, options);
  collide<2, float>(scene, contacts, workspace, options);
  EXPECT_EQ(count_allocations([&] { collide<2, float>(scene, contacts, workspace, options); }), 0);
}

}  // namespace
}  // namespace widephase::test
