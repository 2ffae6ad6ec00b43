// A second call of the same size allocates no memory.
// Labels: long host

#include <gtest/gtest.h>

#include <functional>

#include <widephase/widephase.hpp>

#include "reference/scaled.hpp"
#include "support/allocations.hpp"
#include "support/compare.hpp"
#include "support/executors.hpp"
#include "support/scenes.hpp"

namespace widephase::test {
namespace {

TEST(allocations, are_counted) {
  // A call by name, because the compiler may remove a new expression but not this call.
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
  for (const std::size_t count :
       {std::size_t{1}, std::size_t{16}, std::size_t{64}, std::size_t{700}, scaled(5000, 1000)}) {
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

/// Every call that reuses a workspace or a result, one after the other on one workspace.
template <int D, class T>
void expect_no_allocation_by_any_call(const SceneColumns<D, T>& scene, CollideOptions options) {
  const SceneSpan<D, T> view(scene);
  Workspace<D, T> workspace;
  PairWorkspace<D, T> tree_workspace;
  ContactBuffer<D, T> contacts, of_list;
  DistanceBuffer<D, T> of_pairs;
  WorldDistanceBuffer<D, T> of_worlds;
  SupportBuffer<D, T> support;
  PlacedScene<D, T> placed;
  BoundsTree<D, T> tree;
  Column<Pair> tree_pairs;
  Column<std::int32_t, 2> bodies;
  collide<D, T>(view, contacts, workspace, options);
  const std::vector<Pair> pairs(workspace.pairs().begin(), workspace.pairs().end());
  const BoundsBuffer<D, T> bounds = workspace.bounds();
  std::vector<WarmStart> warm_starts(pairs.size());
  std::vector<std::uint8_t> is_contact(pairs.size()),
      is_world(static_cast<std::size_t>(world_count(view)));
  const SceneLayout layout = layout_of(view);
  const std::vector<std::int32_t> ids = bounded_ids(layout_of(view));
  Column<T, D> directions;
  for (std::size_t i = 0; i < ids.size(); ++i) directions.push_back({T(1), T(2)});
  std::size_t streamed = 0;
  const auto sink = [&](const ContactBuffer<D, T>& chunk) { streamed += chunk.size(); };
  PairOptions pair_options;
  pair_options.threads = options.threads;
  CollideOptions warm = options;
  warm.warm_starts = warm_starts;
  CollideOptions capped = options;
  capped.max_pairs = pairs.size();
  capped.max_contacts = contacts.size();
  capped.max_points = contacts.point_count();
  CollideOptions any_order = options;
  any_order.order = Order::world;

  const std::pair<const char*, std::function<void()>> calls[] = {
      {"collide", [&] { collide<D, T>(view, contacts, workspace, any_order); }},
      {"collide within caps", [&] { collide<D, T>(view, contacts, workspace, capped); }},
      {"stream_collide", [&] { stream_collide<D, T>(view, sink, workspace, options); }},
      {"collide_pairs", [&] { collide_pairs<D, T>(view, pairs, of_list, workspace, warm); }},
      {"stream_contacts",
       [&] {
         update_bounds<D, T>(view, workspace, options);
         stream_contacts<D, T>(view, pairs, sink, workspace, options);
       }},
      {"test_pairs", [&] { test_pairs<D, T>(view, pairs, is_contact, workspace, options); }},
      {"distances", [&] { distances<D, T>(view, pairs, of_pairs, workspace, options); }},
      {"support_points",
       [&] { support_points<D, T>(view, ids, directions, support, workspace, options); }},
      {"any_contact", [&] { any_contact<D, T>(view, is_world, workspace, options); }},
      {"min_distance", [&] { min_distance<D, T>(view, of_worlds, workspace, options); }},
      {"place", [&] { place<D, T>(view, view.bodies, placed, options.threads); }},
      {"contact_bodies", [&] { contact_bodies<D, T>(view, of_list, bodies); }},
      {"build_tree", [&] { build_tree<D, T>(bounds, {}, {}, tree, tree_workspace, pair_options); }},
      {"find_pairs of a tree",
       [&] { find_pairs<D, T>(tree, bounds, {}, tree_pairs, tree_workspace, pair_options); }},
  };
  for (const auto& [name, call] : calls) call();
  ASSERT_GT(streamed, 100u);
  const std::size_t bytes = workspace.bytes() + tree_workspace.bytes();
  for (const auto& [name, call] : calls) EXPECT_EQ(count_allocations(call), 0) << name;
  EXPECT_EQ(workspace.bytes() + tree_workspace.bytes(), bytes);
}

template <int D, class T>
void expect_no_allocation_by_any_call() {
  Threads many;
  many.executor = {run_backwards, nullptr, 4};
  for (const Threads& threads : {Threads{1, {}}, many}) {
    for (const Method method : {Method::automatic, Method::gjk_epa}) {
      SCOPED_TRACE(testing::Message()
                   << threads.executor.threads << " threads, " << static_cast<int>(method));
      CollideOptions options;
      options.threads = threads;
      options.method = method;
      options.margin = 0.125;
      SceneColumns<D, T> plain;
      add_mixed(plain, {scaled(D == 2 ? 4000 : 800, 600), 114, 0.8, 1});
      expect_no_allocation_by_any_call(plain, options);
      SceneColumns<D, T> carried;
      add_mixed(carried, {scaled(D == 2 ? 1500 : 500, 400), 115, 0.5});
      add_tags(carried, 7, 116);
      Random random(117);
      for (int body = 0; body <= 30; ++body) {
        std::array<T, D> position;
        for (T& x : position) x = static_cast<T>(random.uniform(-1, 1));
        carried.bodies.position.push_back(position);
      }
      carried.excluded_bodies = {{1, 2}, {30, 0}, {4, 4}};
      expect_no_allocation_by_any_call(carried, options);
    }
  }
}

TEST(allocations, second_call_makes_none_whatever_is_called_in_2d) {
  expect_no_allocation_by_any_call<2, float>();
  expect_no_allocation_by_any_call<2, double>();
}
TEST(allocations, second_call_makes_none_whatever_is_called_in_3d) {
  expect_no_allocation_by_any_call<3, float>();
  expect_no_allocation_by_any_call<3, double>();
}

TEST(allocations, calls_beyond_their_caps_leave_room_for_the_next) {
  SceneColumns<3, float> scene;
  add_mixed(scene, {2000, 118, 0.7});
  CollideOptions options;
  options.threads.count = 1;
  ContactBuffer<3, float> contacts;
  Workspace<3, float> workspace;
  const auto call = [&] { collide<3, float>(scene, contacts, workspace, options); };
  call();
  const std::size_t contact_count = contacts.size();
  options.max_contacts = contact_count - 1;
  EXPECT_THROW(call(), CapacityError);
  options.max_contacts = contact_count;
  options.max_pairs = 7;
  EXPECT_THROW(call(), CapacityError);
  options.max_pairs = kNoCap;
  call();
  EXPECT_EQ(count_allocations(call), 0);
}

TEST(allocations, a_tracker_makes_none_while_ids_change) {
  SceneColumns<3, float> scenes[2];
  for (int turn = 0; turn < 2; ++turn) {
    for (std::int64_t i = 0; i < 2000; ++i) {
      const auto key = turn == 0 ? i : 1999 - i;
      const auto x = static_cast<double>(key % 50), y = static_cast<double>(key / 50);
      append(scenes[turn], ball<3>({x, y, 0}, 0.6));
      scenes[turn].spheres.key.push_back({key});
    }
  }
  ContactBuffer<3, float> contacts;
  Workspace<3, float> workspace;
  Tracker<3, float> tracker;
  CollideOptions options;
  options.threads.count = 1;
  const auto steps = [&] {
    for (const auto& scene : scenes) {
      collide<3, float>(SceneSpan<3, float>(scene), contacts, workspace, tracker, options);
    }
  };
  steps();
  steps();
  EXPECT_EQ(count_allocations(steps), 0);
  for (const std::int64_t last : tracker.last_contact()) EXPECT_GE(last, 0);
}

TEST(allocations, a_tracker_makes_none_that_matches_points_by_place) {
  // Cubes in a row that bodies carry, each lower one deeper in the next, in two orders.
  SceneColumns<3, double> scenes[2];
  for (int turn = 0; turn < 2; ++turn) {
    for (int i = 0; i < 500; ++i) {
      const int place = turn == 0 ? i : 499 - i;
      append(scenes[turn], box({0, 0, 0}, {0, 0, 0, 1}, {0.5, 0.5, 0.5}));
      scenes[turn].boxes.key.push_back({place});
      scenes[turn].boxes.body.push_back({i});
      scenes[turn].bodies.position.push_back({0.99 * place, 0, 0});
      scenes[turn].bodies.turn.push_back({0, 0, 0, 1});
    }
  }
  ContactBuffer<3, double> contacts;
  Workspace<3, double> workspace;
  Tracker<3, double> tracker;
  CollideOptions options;
  options.threads.count = 1;
  options.steadiness = 0.001;
  const std::vector<Pair> pairs{{0, 1}, {1, 2}, {7, 6}};
  const auto steps = [&] {
    for (const auto& scene : scenes) {
      const SceneSpan<3, double> view(scene);
      collide<3, double>(view, contacts, workspace, tracker, options);
      update_bounds<3, double>(view, workspace, options);
      CollideOptions warm = options;
      warm.warm_starts = begin_step<3, double>(view, pairs, tracker, options);
      find_contacts<3, double>(view, pairs, contacts, workspace, warm);
      end_step<3, double>(contacts, tracker, options);
    }
  };
  steps();
  steps();
  EXPECT_EQ(count_allocations(steps), 0);
  const std::size_t bytes = tracker.bytes();
  steps();
  EXPECT_EQ(tracker.bytes(), bytes);
}

TEST(allocations, second_call_makes_none_for_worlds) {
  expect_no_allocation_by_worlds<2, double>(700, 20);
  expect_no_allocation_by_worlds<3, float>(3000, 5);
  expect_no_allocation_by_worlds<3, Mixed>(700, 20);
}

TEST(allocations, second_call_makes_none_against_a_static_scene) {
  SceneColumns<3, float> still;
  add_mixed(still, {3000, 121, 0.8});
  SceneColumns<3, float> moving;
  add_mixed(moving, {700, 122, 0.8, 0});
  moving.hulls = {};
  moving.geometries = {};
  for (const bool has_tags : {false, true}) {
    if (has_tags) add_tags(moving, 4, 123);
    CollideOptions options;
    options.threads.count = 1;
    options.margin = 0.0625;
    ContactBuffer<3, float> contacts;
    Workspace<3, float> workspace;
    StaticScene<3, float> kept;
    build_static_scene<3, float>(still, kept, workspace, options);
    const auto call = [&] { collide<3, float>(moving, kept, contacts, workspace, options); };
    call();
    call();  // a kind that does not move gives its rows to and fro
    EXPECT_EQ(count_allocations(call), 0);
    const std::size_t bytes = workspace.bytes();
    call();
    EXPECT_EQ(workspace.bytes(), bytes);
    EXPECT_GT(contacts.size(), 0u);
  }
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

TEST(allocations, none_when_contacts_come_and_go) {
  // The same pairs of boxes in a row: two thirds apart in one step, none in the next.
  const auto row_of = [](double spacing) {
    SceneColumns<3, float> scene;
    for (int i = 0; i < 6000; ++i) {
      const double x = i <= 2000 ? i : i * spacing;
      append(scene, aabb<3>({x, 0, 0}, {x + 1, 1, 1}));
    }
    return scene;
  };
  const SceneColumns<3, float> apart = row_of(2), touching = row_of(1);
  std::vector<Pair> pairs;
  for (std::int32_t i = 0; i + 1 < 6000; ++i) pairs.push_back({i, i + 1});
  for (const Order order : {Order::kind, Order::source, Order::id, Order::world}) {
    CollideOptions options;
    options.threads.count = 1;
    options.order = order;
    ContactBuffer<3, float> contacts;
    Workspace<3, float> workspace;
    const auto step = [&](const SceneColumns<3, float>& scene) {
      collide_pairs<3, float>(scene, pairs, contacts, workspace, options);
    };
    step(apart);
    ASSERT_EQ(contacts.size(), 2000u);
    EXPECT_EQ(count_allocations([&] { step(touching); }), 0);
    ASSERT_EQ(contacts.size(), pairs.size());
    EXPECT_EQ(count_allocations([&] { step(apart); }), 0);
  }
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
