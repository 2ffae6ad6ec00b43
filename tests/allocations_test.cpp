// A second call of the same size allocates nothing.

#include <gtest/gtest.h>

#include <widephase/worlds.hpp>

#include "support/allocations.hpp"
#include "support/compare.hpp"
#include "support/executors.hpp"
#include "support/scenes.hpp"

namespace widephase::test {
namespace {

TEST(allocations, are_counted) {
  // A call by name, which unlike a new expression no compiler may leave out.
  EXPECT_EQ(count_allocations([] { ::operator delete(::operator new(100)); }), 1);
  EXPECT_GE(count_allocations([] { Column<float, 3> column{{1, 2, 3}}; }), 1);
}

template <int D, class T>
void expect_no_allocation(const SceneColumns<D, T>& scene, CollideOptions options) {
  options.threads.count = 1;
  const SceneSpan<D, T> view(scene);
  for (const Order order : {Order::kind, Order::source, Order::id, Order::world}) {
    SCOPED_TRACE(static_cast<int>(order));
    options.order = order;
    ContactBuffer<D, T> contacts;
    Workspace<D, T> workspace;
    collide<D, T>(view, contacts, workspace, options);
    EXPECT_EQ(count_allocations([&] { collide<D, T>(view, contacts, workspace, options); }), 0);
    const std::size_t bytes = workspace.bytes();
    collide<D, T>(view, contacts, workspace, options);
    EXPECT_EQ(workspace.bytes(), bytes);

    const std::vector<Pair> pairs(workspace.pairs().begin(), workspace.pairs().end());
    std::vector<std::uint8_t> is_contact(pairs.size());
    collide_pairs<D, T>(view, pairs, contacts, workspace, options);
    EXPECT_EQ(
        count_allocations([&] { collide_pairs<D, T>(view, pairs, contacts, workspace, options); }),
        0);
    test_pairs<D, T>(view, pairs, is_contact, workspace, options);
    EXPECT_EQ(
        count_allocations([&] { test_pairs<D, T>(view, pairs, is_contact, workspace, options); }),
        0);
    const auto stages = [&] {
      update_bounds<D, T>(view, workspace, options);
      find_pairs<D, T>(view, workspace, options);
      find_contacts<D, T>(view, pairs, contacts, workspace, options);
    };
    stages();
    EXPECT_EQ(count_allocations(stages), 0);
  }
}

template <int D, class T>
void expect_no_allocation_in_any_scene() {
  for (const std::size_t count : {1, 16, 64, 700, 5000}) {
    SCOPED_TRACE(count);
    SceneColumns<D, T> plain;
    add_mixed(plain, {count, 101});
    expect_no_allocation(plain, {});
    SceneColumns<D, T> tagged;
    add_mixed(tagged, {count, 102, 0.6});
    add_tags(tagged, 5, 103);
    CollideOptions options;
    options.margin = 0.125;
    expect_no_allocation(tagged, options);
  }
}

template <int D, class T>
void expect_no_allocation_by_worlds(std::size_t count, int worlds) {
  SceneColumns<D, T> scene;
  add_mixed(scene, {count, 112, 0.6});
  add_tags(scene, worlds, 113);
  std::size_t spoilt = 0;  // makes its world invalid
  while (scene.capsules.world[spoilt] == -1) ++spoilt;
  scene.capsules.radius[spoilt] = -1;
  const SceneSpan<D, T> view(scene);
  std::vector<std::uint8_t> mask(static_cast<std::size_t>(worlds), 1);
  for (std::size_t w = 0; w < mask.size(); w += 3) mask[w] = 0;
  std::vector<std::uint8_t> status(mask.size()), is_contact(mask.size());
  CollideOptions options;
  options.threads.count = 1;
  options.world_mask = mask;
  options.world_status = status;
  ContactBuffer<D, T> contacts;
  WorldDistanceBuffer<D, T> distances;
  Workspace<D, T> workspace;
  const auto calls = [&] {
    collide<D, T>(view, contacts, workspace, options);
    any_contact<D, T>(view, is_contact, workspace, options);
    min_distance<D, T>(view, distances, workspace, options);
  };
  calls();
  EXPECT_EQ(count_allocations(calls), 0);
  const std::size_t bytes = workspace.bytes();
  calls();
  EXPECT_EQ(workspace.bytes(), bytes);
}

TEST(allocations, second_call_makes_none_for_worlds) {
  expect_no_allocation_by_worlds<2, double>(700, 20);
  expect_no_allocation_by_worlds<3, float>(3000, 5);
  expect_no_allocation_by_worlds<3, Mixed>(700, 20);
}

TEST(allocations, second_call_makes_none_in_2d) {
  expect_no_allocation_in_any_scene<2, float>();
  expect_no_allocation_in_any_scene<2, double>();
  expect_no_allocation_in_any_scene<2, Mixed>();
}
TEST(allocations, second_call_makes_none_in_3d) {
  expect_no_allocation_in_any_scene<3, float>();
  expect_no_allocation_in_any_scene<3, double>();
  expect_no_allocation_in_any_scene<3, Mixed>();
}

TEST(allocations, second_call_makes_none_in_a_periodic_domain) {
  SceneColumns<3, float> scene;
  Random random(104);
  scene.domain = {{0, 0, 0}, {16, 16, 16}, {true, true, true}};
  for (int i = 0; i < 2000; ++i) append(scene, ball<3>(random.point<3>(-4, 20), 0.75));
  expect_no_allocation(scene, {});
}

TEST(allocations, none_when_shapes_move_and_none_when_fewer) {
  // A buffer that served more serves less: other places, other counts, other contacts.
  ContactBuffer<3, float> contacts;
  Workspace<3, float> workspace;
  CollideOptions options;
  options.threads.count = 1;
  SceneColumns<3, float> dense;
  add_mixed(dense, {3000, 105, 0.6});
  SceneColumns<3, float> sparse;
  add_mixed(sparse, {2000, 106, 2.0});
  // Other geometries would be read anew.
  for (SceneColumns<3, float>* scene : {&dense, &sparse}) {
    scene->hulls = {};
    scene->geometries = {};
  }
  collide<3, float>(dense, contacts, workspace, options);
  const SceneSpan<3, float> view(sparse);
  EXPECT_EQ(count_allocations([&] { collide<3, float>(view, contacts, workspace, options); }), 0);
}

TEST(allocations, a_workspace_serves_other_scenes_and_answers_as_a_fresh_one) {
  Workspace<2, float> reused;
  ContactBuffer<2, float> contacts;
  for (const std::size_t count : {500, 3, 2000, 0, 64, 1500}) {
    SceneColumns<2, float> scene;
    add_mixed(scene, {count, 107 + count, 0.7, count == 0 ? 0 : 2});
    if (count % 3 == 0) add_tags(scene, count == 0 ? 1 : 4, 108);
    CollideOptions options;
    options.margin = count == 64 ? 0.5 : 0;
    options.order = count == 3 ? Order::world : Order::kind;
    collide<2, float>(scene, contacts, reused, options);
    ContactBuffer<2, float> expected;
    Workspace<2, float> fresh;
    collide<2, float>(scene, expected, fresh, options);
    EXPECT_TRUE(same_contacts(contacts, expected)) << count;
    EXPECT_EQ(reused.stats().shapes, fresh.stats().shapes);
    EXPECT_EQ(reused.pairs().size(), fresh.pairs().size());
  }
}

TEST(allocations, second_call_makes_none_for_many_threads_and_long_lists) {
  SceneColumns<3, float> scene;
  add_mixed(scene, {1000, 110});
  const std::int32_t count = layout_of(scene).shape_count();
  Random random(111);
  std::vector<Pair> pairs;
  while (pairs.size() < 300000) {
    const Pair pair{random.integer(0, count - 1), random.integer(0, count - 1)};
    if (pair.a != pair.b) pairs.push_back(pair);
  }
  for (const std::size_t length : {std::size_t{20000}, pairs.size()}) {
    CollideOptions options;
    options.margin = 1;
    options.threads.count = 1;
    if (length == 20000) options.threads.executor = {run_backwards, nullptr, 4};
    const std::span<const Pair> list = std::span(pairs).first(length);
    ContactBuffer<3, float> contacts;
    Workspace<3, float> workspace;
    collide_pairs<3, float>(scene, list, contacts, workspace, options);
    ASSERT_GT(contacts.size(), 100u);
    EXPECT_EQ(count_allocations(
                  [&] { collide_pairs<3, float>(scene, list, contacts, workspace, options); }),
              0);
  }
}

TEST(allocations, workspaces_move) {
  SceneColumns<2, float> scene;
  add_mixed(scene, {100, 109});
  ContactBuffer<2, float> expected;
  Workspace<2, float> first;
  collide<2, float>(scene, expected, first);
  Workspace<2, float> second(std::move(first));
  EXPECT_EQ(second.stats().shapes, layout_of(scene).shape_count());
  Workspace<2, float> third;
  third = std::move(second);
  ContactBuffer<2, float> contacts;
  collide<2, float>(scene, contacts, third);
  EXPECT_TRUE(same_contacts(contacts, expected));
}

}  // namespace
}  // namespace widephase::test
