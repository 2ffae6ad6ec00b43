// The least distance of each world equals that of all its pairs by `distances`, bit for bit.
// Labels: threads dated own-sets

#include <gtest/gtest.h>

#include <numeric>

#include <widephase/worlds.hpp>

#include "reference/scaled.hpp"
#include "support/distance_rows.hpp"
#include "support/error_of.hpp"
#include "support/methods.hpp"
#include "support/worlds_scene.hpp"

namespace widephase::test {
namespace {

/// All pairs that the filters allow, and the nearest one of each world.
template <int D, class T>
struct BruteForce {
  std::vector<Pair> pairs;
  DistanceBuffer<D, T> distances;
  std::vector<int> nearest;  ///< by world; -1 for none

  BruteForce(const SceneColumns<D, T>& scene, Method method) {
    const std::vector<std::int32_t> world = world_by_id(scene);
    const SceneLayout layout = layout_of(scene);
    std::vector<std::int32_t> world_of_pair;
    for (const Pair& pair : allowed_pairs(scene)) {
      const bool is_plane_a = layout.kind_of(pair.a) == Kind::halfspace;
      if (is_plane_a && layout.kind_of(pair.b) == Kind::halfspace) continue;
      const std::int32_t of = std::max(world[static_cast<std::size_t>(pair.a)],
                                       world[static_cast<std::size_t>(pair.b)]);
      if (of == -1) continue;
      pairs.push_back(pair);
      world_of_pair.push_back(of);
    }
    Workspace<D, T> workspace;
    CollideOptions options;
    options.method = method;
    widephase::distances<D, T>(scene, pairs, distances, workspace, options);
    nearest.assign(static_cast<std::size_t>(world_count<D, T>(scene)), -1);
    // Pairs are ascending, so the first of equals is the lowest.
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      int& least = nearest[static_cast<std::size_t>(world_of_pair[i])];
      if (least == -1 ||
          distances.distance[i] < distances.distance[static_cast<std::size_t>(least)]) {
        least = static_cast<int>(i);
      }
    }
  }
};

template <int D, class T>
void expect_rows(const WorldDistanceBuffer<D, T>& rows, const BruteForce<D, T>& brute,
                 const std::vector<std::uint8_t>& mask = {}) {
  ASSERT_EQ(rows.pair.size(), brute.nearest.size());
  ASSERT_EQ(rows.distance.size(), brute.nearest.size());
  for (std::size_t w = 0; w < rows.pair.size(); ++w) {
    SCOPED_TRACE("world " + std::to_string(w));
    const int least = brute.nearest[w];
    if (least == -1 || (!mask.empty() && mask[w] == 0)) {
      ASSERT_EQ(rows.pair[w], (Pair{-1, -1}));
      ASSERT_EQ(rows.distance[w], std::numeric_limits<T>::max());
      for (int k = 0; k < D; ++k) ASSERT_EQ(rows.normal(w, k), 0);
      continue;
    }
    const auto i = static_cast<std::size_t>(least);
    ASSERT_EQ(rows.pair[w], brute.pairs[i])
        << rows.distance[w] << " instead of " << brute.distances.distance[i];
    ASSERT_EQ(row_bits(rows, w), row_bits(brute.distances, i));
  }
}

/// On every instruction set and with several thread counts.
template <int D, class T>
BruteForce<D, T> expect_least(const SceneColumns<D, T>& scene, Method method = Method::automatic) {
  const BruteForce<D, T> brute(scene, method);
  Workspace<D, T> workspace;
  WorldDistanceBuffer<D, T> rows;
  for (const Isa isa : usable_isas()) {
    for (const int threads : {1, 2, 3, 8}) {
      SCOPED_TRACE(std::string(isa_name(isa)) + ", " + std::to_string(threads) + " threads");
      CollideOptions options;
      options.isa = isa;
      options.threads.count = threads;
      options.method = method;
      options.margin = 5;  // has no effect
      min_distance<D, T>(scene, rows, workspace, options);
      expect_rows(rows, brute);
      if (::testing::Test::HasFatalFailure()) return brute;
    }
  }
  return brute;
}

template <int D_, class T_>
struct In {
  static constexpr int D = D_;
  using T = T_;
};
template <class Parameters>
class min_distance_of : public ::testing::Test {};
using Every = ::testing::Types<In<2, float>, In<2, double>, In<3, float>, In<3, double>>;
TYPED_TEST_SUITE(min_distance_of, Every);

TYPED_TEST(min_distance_of, worlds_equals_brute_force) {
  constexpr int D = TypeParam::D;
  using T = typename TypeParam::T;
  std::size_t apart = 0, overlapping = 0, without = 0;
  for (const double spacing : {0.4, 1.5, 4.0, 20.0}) {
    for (const std::size_t count : {20, 120, 400}) {
      SCOPED_TRACE(std::to_string(spacing) + ", " + std::to_string(count));
      const auto scene = worlds_scene<D, T>(count, 71 + count, spacing);
      const BruteForce<D, T> brute = expect_least(scene);
      for (const int least : brute.nearest) {
        if (least == -1) {
          ++without;
        } else {
          const T distance = brute.distances.distance[static_cast<std::size_t>(least)];
          ++(distance > 0 ? apart : overlapping);
        }
      }
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
  EXPECT_GT(apart, 20u);
  EXPECT_GT(overlapping, 20u);
  EXPECT_GT(without, 10u);
}

TYPED_TEST(min_distance_of, one_world_without_filters_equals_brute_force) {
  constexpr int D = TypeParam::D;
  using T = typename TypeParam::T;
  for (const int halfspaces : {0, 3}) {
    for (const double spacing : {1.0, 30.0}) {
      SceneColumns<D, T> scene;
      add_mixed(scene, {scaled(300, 100), 81, spacing, halfspaces});
      expect_least(scene);
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
}

TYPED_TEST(min_distance_of, worlds_by_gjk_equals_brute_force) {
  constexpr int D = TypeParam::D;
  using T = typename TypeParam::T;
  for (const double spacing : {0.5, 3.0}) {
    expect_least(worlds_scene<D, T>(150, 83, spacing), Method::gjk_epa);
  }
}

TYPED_TEST(min_distance_of, worlds_far_from_the_origin_equals_brute_force) {
  constexpr int D = TypeParam::D;
  using T = typename TypeParam::T;
  // Neighbours are 8 apart and numbers round to 0.06 (float).
  SceneColumns<D, T> scene;
  Random random(85);
  for (int i = 0; i < 200; ++i) {
    Point<D> center = random.point<D>(0, 60);
    center[0] += 1e6;
    append(scene, random_solid<D>(random, bounded_kind(random, D), center, 0.5));
  }
  expect_least(scene);
}

TYPED_TEST(min_distance_of, masked_and_invalid_worlds_leaves_them_out) {
  constexpr int D = TypeParam::D;
  using T = typename TypeParam::T;
  auto scene = worlds_scene<D, T>(300, 87, 1.5);
  const BruteForce<D, T> brute(scene, Method::automatic);
  std::vector<std::uint8_t> mask(kWorlds), status(kWorlds, 9);
  for (std::size_t w = 0; w < kWorlds; ++w) mask[w] = w % 3 != 1;
  Workspace<D, T> workspace;
  WorldDistanceBuffer<D, T> rows;
  CollideOptions options;
  options.world_mask = mask;
  min_distance<D, T>(scene, rows, workspace, options);
  expect_rows(rows, brute, mask);
  // A capsule makes world 0 invalid.
  std::size_t row = 0;
  while (scene.capsules.world[row] != 0) ++row;
  scene.capsules.radius[row] = -1;
  options.world_status = status;
  min_distance<D, T>(scene, rows, workspace, options);
  EXPECT_EQ(status[0], 1);
  EXPECT_EQ(status[1], 2);
  EXPECT_EQ(status[2], 0);
  mask[0] = 0;
  expect_rows(rows, brute, mask);
}

TYPED_TEST(min_distance_of, clusters_whose_shapes_never_meet_equals_brute_force) {
  constexpr int D = TypeParam::D;
  using T = typename TypeParam::T;
  // Each cluster is one owner, far from the others, so the nearest pair is between two clusters.
  SceneColumns<D, T> scene;
  Random random(88);
  for (std::int32_t cluster = 0; cluster < 3; ++cluster) {
    for (int i = 0; i < 100; ++i) {
      Point<D> center = random.point<D>(0, 3);
      center[0] += 50 * cluster * cluster;
      append(scene, ball<D>(center, 0.3));
      balls(scene).owner.push_back({cluster});
    }
  }
  const BruteForce<D, T> brute = expect_least(scene);
  ASSERT_EQ(brute.nearest.size(), 1u);
  Workspace<D, T> workspace;
  WorldDistanceBuffer<D, T> rows;
  min_distance<D, T>(scene, rows, workspace);
  // 30,000 pairs pass the filters; few are tested.
  EXPECT_LT(workspace.stats().pairs, 1000);
}

TYPED_TEST(min_distance_of, equals_takes_the_lowest_pair) {
  constexpr int D = TypeParam::D;
  using T = typename TypeParam::T;
  // A grid of balls of radius 0.25 at whole numbers, shuffled: every neighbour is 0.5 away.
  SceneColumns<D, T> scene;
  std::vector<int> order(D == 2 ? 400 : 729);
  std::iota(order.begin(), order.end(), 0);
  Random random(89);
  for (std::size_t i = order.size(); i > 1; --i) {
    std::swap(order[i - 1],
              order[static_cast<std::size_t>(random.integer(0, static_cast<int>(i) - 1))]);
  }
  const int side = D == 2 ? 20 : 9;
  for (const int at : order) {
    Point<D> center{};
    for (int k = 0, rest = at; k < D; ++k, rest /= side) center[k] = rest % side;
    append(scene, ball<D>(center, 0.25));
  }
  const BruteForce<D, T> brute = expect_least(scene);
  EXPECT_EQ(brute.distances.distance[static_cast<std::size_t>(brute.nearest[0])], T(0.5));
  EXPECT_LT(brute.pairs[static_cast<std::size_t>(brute.nearest[0])].a, 5);
}

TYPED_TEST(min_distance_of, coincident_shapes_and_points_equals_brute_force) {
  constexpr int D = TypeParam::D;
  using T = typename TypeParam::T;
  SceneColumns<D, T> scene;
  for (int i = 0; i < 40; ++i) append(scene, ball<D>({}, i % 2 == 0 ? 0 : 1));
  for (int i = 0; i < 20; ++i) append(scene, ball<D>({3, 4}, 0));
  expect_least(scene);
}

TYPED_TEST(min_distance_of, a_large_world_has_no_contact_within_less) {
  constexpr int D = TypeParam::D;
  using T = typename TypeParam::T;
  SceneColumns<D, T> scene;
  Random random(91);
  const double side = D == 2 ? 3000 : 300;
  for (std::size_t i = 0; i < scaled(20000, 2000); ++i) {
    append(scene, ball<D>(random.point<D>(0, side), 0.01));
  }
  Workspace<D, T> workspace;
  WorldDistanceBuffer<D, T> rows;
  min_distance<D, T>(scene, rows, workspace);
  ASSERT_EQ(rows.pair.size(), 1u);
  const double distance = rows.distance[0];
  ASSERT_NE(rows.pair[0], (Pair{-1, -1}));
  EXPECT_GT(distance, 0);
  EXPECT_LT(workspace.stats().pairs, 1000);
  ContactBuffer<D, T> contacts;
  CollideOptions options;
  options.margin = distance;
  collide<D, T>(scene, contacts, workspace, options);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_EQ(contacts.pair[0], rows.pair[0]);
  EXPECT_EQ(contacts.depth[0], -rows.distance[0]);
}

TEST(min_distance_of_outlines, with_inner_edges_equals_brute_force) {
  // Squares of side 2 in three slices, the middle one 0.2 wide, and small circles. A circle in the
  // centre of a square separates over its upper or lower side, five times as far as out of the
  // slice.
  for (const double side : {2.0, 12.0, 50.0}) {
    SceneColumns<2, double> scene;
    scene.geometries.vertices = {{0, 0},   {0.9, 0}, {0.9, 2}, {0, 2}, {0.9, 0}, {1.1, 0},
                                 {1.1, 2}, {0.9, 2}, {1.1, 0}, {2, 0}, {2, 2},   {1.1, 2}};
    scene.geometries.offsets = {0, 4, 8, 12};
    scene.geometries.inner = {0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1};
    Random random(93);
    for (std::int32_t owner = 0; owner < 60; ++owner) {
      const Point<2> center = random.point<2>(0, side);
      const double angle = owner % 2 == 0 ? 0 : random.uniform(0, 6);
      for (std::int32_t part = 0; part < 3; ++part) {
        scene.polygons.center.push_back({center[0], center[1]});
        scene.polygons.turn.push_back({angle});
        scene.polygons.geometry.push_back({part});
        scene.polygons.owner.push_back({owner});
        scene.polygons.world.push_back({owner / 20});
      }
      scene.circles.center.push_back({center[0] + 1, center[1] + random.uniform(0.5, 1.5)});
      scene.circles.radius.push_back({0.01});
      scene.circles.world.push_back({owner / 10});
    }
    const BruteForce<2, double> brute = expect_least(scene);
    ASSERT_EQ(brute.nearest.size(), 6u);
  }
}

TEST(min_distance_rows, say_whose_it_is_and_where) {
  // World 0: circles of radius 1 at 0, 10 and 5: 3 between neighbours. World 1: one circle and the
  // floor below it. World 2: none. World 3: alone. The floor is everywhere.
  SceneColumns<2, float> scene;
  scene.circles.center = {{0, 50}, {10, 50}, {5, 50}, {0, 4}, {0, 7}};
  scene.circles.radius = {1, 1, 1, 1, 1};
  scene.circles.world = {0, 0, 0, 1, 3};
  scene.circles.mask = {~0u, ~0u, ~0u, ~0u, 0};
  scene.halfspaces.normal = {{0, 1}};
  scene.halfspaces.offset = {0};
  scene.halfspaces.world = {-1};
  Workspace<2, float> workspace;
  WorldDistanceBuffer<2, float> rows;
  min_distance<2, float>(scene, rows, workspace);
  ASSERT_EQ(rows.pair.size(), 4u);
  EXPECT_EQ(rows.pair[0], (Pair{0, 2}));
  EXPECT_EQ(rows.distance[0], 3);
  EXPECT_EQ(rows.normal(0, 0), 1);
  EXPECT_EQ(rows.point_a(0, 0), 1);
  EXPECT_EQ(rows.point_b(0, 0), 4);
  EXPECT_EQ(rows.pair[1], (Pair{3, 5}));
  EXPECT_EQ(rows.distance[1], 3);
  EXPECT_EQ(rows.point_b(1, 1), 0);
  for (const std::size_t w : {2, 3}) {
    EXPECT_EQ(rows.pair[w], (Pair{-1, -1}));
    EXPECT_EQ(rows.distance[w], std::numeric_limits<float>::max());
    EXPECT_EQ(rows.point_a(w, 1), 0);
  }
}

TEST(min_distance_rows, of_a_hundred_thousand_worlds) {
  // World w: circles of radius 1 at 0 and 2 + (w % 5) / 2, and one far away in every third.
  const auto worlds = static_cast<std::int32_t>(scaled(100000, 5000));
  SceneColumns<2, double> scene;
  for (std::int32_t world = 0; world < worlds; ++world) {
    for (const double at : {0.0, 2 + world % 5 * 0.5, 100.0}) {
      if (at == 100 && world % 3 != 0) continue;
      scene.circles.center.push_back({at, 0});
      scene.circles.radius.push_back({1});
      scene.circles.world.push_back({world});
    }
  }
  Workspace<2, double> workspace;
  WorldDistanceBuffer<2, double> rows;
  std::vector<std::uint8_t> is_contact(static_cast<std::size_t>(worlds));
  min_distance<2, double>(scene, rows, workspace);
  any_contact<2, double>(scene, is_contact, workspace);
  ASSERT_EQ(rows.pair.size(), is_contact.size());
  for (std::size_t w = 0; w < rows.pair.size(); ++w) {
    ASSERT_EQ(rows.distance[w], static_cast<double>(w % 5) * 0.5) << w;
    ASSERT_EQ(rows.pair[w].b, rows.pair[w].a + 1) << w;
    ASSERT_EQ(is_contact[w], w % 5 == 0 ? 1 : 0) << w;
  }
}

TEST(min_distance_errors, of_a_periodic_domain_and_of_an_empty_scene) {
  SceneColumns<2, float> scene;
  Workspace<2, float> workspace;
  WorldDistanceBuffer<2, float> rows;
  min_distance<2, float>(scene, rows, workspace);
  EXPECT_EQ(rows.pair.size(), 0u);
  scene.circles.center = {{0, 0}, {5, 5}};
  scene.circles.radius = {1, 1};
  scene.domain = {{0, 0}, {10, 10}, {false, true}};
  EXPECT_EQ(
      error_of([&] { min_distance<2, float>(scene, rows, workspace); }),
      "domain.periodic[1] is set; min_distance knows no images, so give it a domain that does "
      "not wrap");
  scene.domain = {};
  scene.circles.radius[1] = -1;
  EXPECT_EQ(error_of([&] { min_distance<2, float>(scene, rows, workspace); }),
            "circle.radius[1] is -1; radius must be a finite number >= 0");
}

}  // namespace
}  // namespace widephase::test
