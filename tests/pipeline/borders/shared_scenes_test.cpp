// Many threads call at once, each with its own workspace, with shared input: a scene, a static
// scene, a tree of boxes, point sets. Each gets the same bits as a single call.
// Labels: threads valgrind

#include <gtest/gtest.h>

#include <thread>

#include <widephase/bodies.hpp>
#include <widephase/bounds_tree.hpp>
#include <widephase/widephase.hpp>

#include "support/compare.hpp"
#include "support/scenes.hpp"

namespace widephase::test {
namespace {

template <class U, int W>
bool same(const Column<U, W>& left, const Column<U, W>& right) {
  if (left.size() != right.size()) return false;
  for (int w = 0; w < W; ++w) {
    for (std::size_t i = 0; i < left.size(); ++i) {
      if (bits_of(left(i, w)) != bits_of(right(i, w))) return false;
    }
  }
  return true;
}

template <int D, class T>
struct Shared {
  SceneColumns<D, T> scene;
  SceneColumns<D, T> moving;  ///< against `kept`, whose point sets it names
  StaticScene<D, T> kept;
  BoundsTree<D, T> tree;
  BoundsBuffer<D, T> bounds;
  std::vector<Pair> pairs;
  std::vector<std::int32_t> ids;
  Column<T, D> directions;
  Column<T, D> body_position;  ///< of as many bodies as the scene's shapes name
  CollideOptions options;
};

/// Circles or spheres.
template <int D, class T>
const auto& first_table(const SceneSpan<D, T>& scene) {
  if constexpr (D == 2) {
    return scene.circles;
  } else {
    return scene.spheres;
  }
}

template <int D, class T>
struct Answers {
  ContactBuffer<D, T> contacts, of_tracker, of_kept;
  DistanceBuffer<D, T> distances;
  WorldDistanceBuffer<D, T> nearest;
  Column<Pair> tree_pairs;
  std::vector<std::uint8_t> is_contact, of_pairs;
  std::vector<std::uint32_t> chunk_sizes;
  ContactBuffer<D, T> of_list;
  SupportBuffer<D, T> support;
  Column<T, D> placed;  ///< centres of round shapes
  std::size_t findings = 99;

  friend bool operator==(const Answers& a, const Answers& b) {
    return hash(a.contacts) == hash(b.contacts) && hash(a.of_tracker) == hash(b.of_tracker) &&
           hash(a.of_kept) == hash(b.of_kept) && same(a.distances.distance, b.distances.distance) &&
           same(a.distances.point_a, b.distances.point_a) &&
           same(a.nearest.distance, b.nearest.distance) && a.is_contact == b.is_contact &&
           to_vector(a.tree_pairs) == to_vector(b.tree_pairs) && a.chunk_sizes == b.chunk_sizes &&
           a.of_pairs == b.of_pairs && hash(a.of_list) == hash(b.of_list) &&
           same(a.support.point, b.support.point) && same(a.placed, b.placed) &&
           a.findings == b.findings;
  }
  static std::vector<Pair> to_vector(const Column<Pair>& pairs) {
    return {pairs.begin(), pairs.end()};
  }
};

/// All calls, one after the other, starting with number `first`.
template <int D, class T>
void answer(const Shared<D, T>& shared, int first, Answers<D, T>& answers) {
  Workspace<D, T> workspace;
  PairWorkspace<D, T> pair_workspace;
  Tracker<D, T> tracker;
  const SceneSpan<D, T> scene(shared.scene);
  answers.is_contact.assign(static_cast<std::size_t>(world_count(scene)), 0);
  PairOptions pair_options;
  pair_options.threads = shared.options.threads;
  constexpr int kCalls = 9;
  for (int i = 0; i < kCalls; ++i) {
    switch ((first + i) % kCalls) {
      case 0:
        collide<D, T>(scene, answers.contacts, workspace, shared.options);
        break;
      case 1:
        distances<D, T>(scene, shared.pairs, answers.distances, workspace);
        break;
      case 2:
        for (int step = 0; step < 2; ++step) {
          collide<D, T>(scene, answers.of_tracker, workspace, tracker, shared.options);
        }
        break;
      case 3:
        collide<D, T>(shared.moving, shared.kept, answers.of_kept, workspace, shared.options);
        break;
      case 4:
        min_distance<D, T>(scene, answers.nearest, workspace, shared.options);
        any_contact<D, T>(scene, answers.is_contact, workspace, shared.options);
        break;
      case 5: {
        answers.chunk_sizes.clear();
        const auto sink = [&](const ContactBuffer<D, T>& chunk) {
          answers.chunk_sizes.push_back(static_cast<std::uint32_t>(chunk.size()));
        };
        stream_collide<D, T>(scene, sink, workspace, shared.options);
        break;
      }
      case 6:
        collide_pairs<D, T>(scene, shared.pairs, answers.of_list, workspace, shared.options);
        answers.of_pairs.assign(shared.pairs.size(), 2);
        test_pairs<D, T>(scene, shared.pairs, answers.of_pairs, workspace, shared.options);
        break;
      case 7: {
        answers.findings = validate<D, T>(scene).size();
        support_points<D, T>(scene, shared.ids, shared.directions, answers.support, workspace,
                             shared.options);
        PlacedScene<D, T> placed;
        Poses<D, T> poses;
        poses.position = shared.body_position;
        place<D, T>(scene, poses, placed, shared.options.threads);
        const auto& balls = first_table(placed.scene());
        answers.placed.clear();
        for (std::size_t i = 0; i < balls.center.size(); ++i) {
          std::array<T, D> row;
          for (int k = 0; k < D; ++k) row[k] = balls.center(i, k);
          answers.placed.push_back(row);
        }
        break;
      }
      default:
        find_pairs<D, T>(shared.tree, shared.bounds, {}, answers.tree_pairs, pair_workspace,
                         pair_options);
    }
  }
}

template <int D, class T>
void expect_bits_of_a_call_alone(int threads_of_a_call) {
  Shared<D, T> shared;
  shared.options.threads.count = threads_of_a_call;
  shared.options.margin = 0.0625;
  add_mixed(shared.scene, {scaled(600, 150), 311, 0.6});
  add_tags(shared.scene, 5, 312);
  add_mixed(shared.moving, {200, 313, 0.6, 0});
  // They name point sets of the static scene.
  auto& instances = [&]() -> auto& {
    if constexpr (D == 2) {
      return shared.moving.polygons;
    } else {
      return shared.moving.hulls;
    }
  }();
  const auto sets = static_cast<std::int32_t>(shared.scene.geometries.offsets.size()) - 1;
  ASSERT_GT(sets, 0);
  for (std::size_t i = 0; i < instances.geometry.size(); ++i) instances.geometry[i] %= sets;
  shared.moving.geometries = {};
  Workspace<D, T> workspace;
  ContactBuffer<D, T> contacts;
  collide<D, T>(shared.scene, contacts, workspace, shared.options);
  shared.pairs.assign(workspace.pairs().begin(), workspace.pairs().end());
  shared.bounds = workspace.bounds();
  Random random(314);
  for (std::int32_t id = 0; id < 50; ++id) {
    shared.ids.push_back(id);
    shared.directions.push_back(as_row<D, T>(random.point<D>(0.25, 1)));
  }
  for (int body = 0; body <= 30; ++body) {
    shared.body_position.push_back(as_row<D, T>(random.point<D>(-1, 1)));
  }
  PairWorkspace<D, T> pair_workspace;
  build_tree<D, T>(shared.bounds, {}, {}, shared.tree, pair_workspace);
  build_static_scene<D, T>(shared.scene, shared.kept, workspace, shared.options);

  Answers<D, T> alone;
  answer(shared, 0, alone);
  EXPECT_GT(alone.contacts.size(), 50u);
  EXPECT_GT(alone.of_kept.size(), 50u);
  EXPECT_GT(alone.tree_pairs.size(), 50u);
  EXPECT_GT(alone.of_list.size(), 50u);
  EXPECT_EQ(alone.findings, 0u);
  EXPECT_GT(alone.placed.size(), 10u);
  // Each begins with another call.
  std::array<Answers<D, T>, 4> at_once;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] { answer(shared, 2 * t, at_once[static_cast<std::size_t>(t)]); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const Answers<D, T>& own : at_once) EXPECT_TRUE(own == alone);
}

TEST(shared_scenes, threads_have_the_bits_of_a_call_alone_in_2d) {
  expect_bits_of_a_call_alone<2, float>(1);
  expect_bits_of_a_call_alone<2, double>(2);
}
TEST(shared_scenes, threads_have_the_bits_of_a_call_alone_in_3d) {
  expect_bits_of_a_call_alone<3, float>(1);
  expect_bits_of_a_call_alone<3, double>(2);
}

/// Each thread has its own tables; the points that they are built from are shared.
TEST(shared_scenes, threads_build_hulls_of_the_same_points) {
  Random random(314);
  Column<double, 3> points;
  for (int i = 0; i < 100; ++i) points.push_back(as_row<3, double>(random.point<3>(-1, 1)));
  const auto build = [&](GeometryTable<Owned<3, double>>& table) {
    for (int i = 0; i < 3; ++i) {
      add_hull(table, points);
      add_hull(table, points, 12);
    }
  };
  GeometryTable<Owned<3, double>> alone;
  build(alone);
  std::array<GeometryTable<Owned<3, double>>, 4> at_once;
  std::vector<std::thread> threads;
  for (auto& table : at_once) threads.emplace_back([&build, &table] { build(table); });
  for (std::thread& thread : threads) thread.join();
  for (const auto& table : at_once) {
    EXPECT_TRUE(same(table.vertices, alone.vertices) && same(table.offsets, alone.offsets));
  }
}

}  // namespace
}  // namespace widephase::test
