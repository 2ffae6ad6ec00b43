// collide against collide_pairs with every pair that the filters allow.
// Labels: threads other-compiler long dated

#include <gtest/gtest.h>

#include <algorithm>

#include <widephase/distance.hpp>
#include <widephase/static_scene.hpp>

#include "reference/random.hpp"
#include "support/compare.hpp"
#include "support/scenes.hpp"

namespace widephase::test {
namespace {

template <class Parameters>
class collide_scene : public ::testing::Test {};

template <int Dimension, class Scalar>
struct In {
  static constexpr int D = Dimension;
  using T = Scalar;
};
using Every = ::testing::Types<In<2, float>, In<2, double>, In<3, float>, In<3, double>>;
TYPED_TEST_SUITE(collide_scene, Every);

template <int D, class T>
void every_pair(const SceneColumns<D, T>& scene, const CollideOptions& options,
                ContactBuffer<D, T>& contacts) {
  Workspace<D, T> workspace;
  const std::vector<Pair> pairs = allowed_pairs(scene);
  collide_pairs<D, T>(scene, pairs, contacts, workspace, options);
}

template <int D, class T>
void expect_every_contact(const SceneColumns<D, T>& scene, const CollideOptions& options,
                          std::size_t least_count) {
  ContactBuffer<D, T> expected;
  every_pair(scene, options, expected);
  ASSERT_GE(expected.size(), least_count);
  ContactBuffer<D, T> contacts;
  Workspace<D, T> workspace;
  collide<D, T>(scene, contacts, workspace, options);
  EXPECT_TRUE(is_consistent(contacts));
  EXPECT_TRUE(same_contact_set(contacts, expected));

  // The margin of a pair is the sum of the call's and both shapes'.
  const std::vector<ShapeTags> tags = tags_of(scene);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Pair& pair = contacts.pair[i];
    ASSERT_LT(pair.a, pair.b);
    const double margin = options.margin + tags[static_cast<std::size_t>(pair.a)].margin +
                          tags[static_cast<std::size_t>(pair.b)].margin;
    ASSERT_GE(contacts.depth[i], -margin - 1e-5) << describe(contacts, i);
  }

  const CollideStats& stats = workspace.stats();
  EXPECT_EQ(stats.shapes, layout_of(scene).shape_count());
  EXPECT_EQ(stats.pairs, static_cast<std::int64_t>(workspace.pairs().size()));
  std::int64_t contact_count = 0;
  std::int64_t point_count = 0;
  std::int64_t pair_count = 0;
  for (const auto& kind : stats.kinds) {
    contact_count += kind.contacts;
    point_count += kind.points;
    pair_count += kind.pairs;
    EXPECT_GE(kind.lanes, 0);
    EXPECT_LE(kind.lanes, 1);
  }
  EXPECT_EQ(contact_count, static_cast<std::int64_t>(contacts.size()));
  EXPECT_EQ(point_count, static_cast<std::int64_t>(contacts.point_count()));
  EXPECT_EQ(pair_count, stats.pairs);
}

TYPED_TEST(collide_scene, finds_every_contact) {
  constexpr int D = TypeParam::D;
  using T = typename TypeParam::T;
  for (const std::size_t count : {2u, 15u, 16u, 17u, 60u, 250u, 900u}) {
    SCOPED_TRACE(count);
    SceneColumns<D, T> scene;
    add_mixed(scene, {count, 70 + count, 0.8});
    expect_every_contact(scene, CollideOptions{}, count / 4);
  }
}

TYPED_TEST(collide_scene, finds_every_contact_within_the_margin) {
  constexpr int D = TypeParam::D;
  using T = typename TypeParam::T;
  SceneColumns<D, T> scene;
  add_mixed(scene, {scaled(700, 100), 71});
  for (const double margin : {0.25, 0.3, 2.0}) {
    CollideOptions options;
    options.margin = margin;
    expect_every_contact(scene, options, 50);
  }
}

TYPED_TEST(collide_scene, finds_every_contact_that_filters_let_through) {
  constexpr int D = TypeParam::D;
  using T = typename TypeParam::T;
  for (const int worlds : {1, 5, 40}) {
    SceneColumns<D, T> scene;
    add_mixed(scene, {900, 72, worlds == 1 ? 0.8 : 0.3});
    add_tags(scene, worlds, 73);
    CollideOptions options;
    options.margin = 0.0625;
    expect_every_contact(scene, options, 30);
  }
}

TYPED_TEST(collide_scene, finds_nothing_but_contacts_with_one_filter_at_a_time) {
  constexpr int D = TypeParam::D;
  using T = typename TypeParam::T;
  for (int filter = 0; filter < 8; ++filter) {
    SCOPED_TRACE(filter);
    SceneColumns<D, T> tagged;
    add_mixed(tagged, {300, 74, 0.6});
    add_tags(tagged, 3, 75);
    SceneColumns<D, T> scene;
    add_mixed(scene, {300, 74, 0.6});
    if (filter == 6) scene.excluded = tagged.excluded;
    if (filter == 7) scene.excluded_owners = {{0, 1}, {1, 2}, {9, 3}, {4, 4}, {8, 1000000000}};
    // Only in some tables: the others keep their defaults.
    for (const Kind kind : {Kind::sphere, Kind::aabb}) {
      with_table(scene, kind, [&](auto& table) {
        with_table(tagged, kind, [&](auto& source) {
          if constexpr (std::is_same_v<decltype(table), decltype(source)>) {
            if (filter == 0) table.world = source.world;
            if (filter == 1) table.category = source.category;
            if (filter == 2) table.mask = source.mask;
            if (filter == 3 || filter == 7) table.owner = source.owner;
            if (filter == 4) table.fixed = source.fixed;
            if (filter == 5) table.margin = source.margin;
          }
        });
      });
    }
    expect_every_contact(scene, CollideOptions{}, 50);
  }
}

TYPED_TEST(collide_scene, stages_called_alone_do_what_collide_does) {
  constexpr int D = TypeParam::D;
  using T = typename TypeParam::T;
  SceneColumns<D, T> scene;
  add_mixed(scene, {scaled(600, 100), 76, 0.7});
  add_tags(scene, 4, 77);
  CollideOptions options;
  options.margin = 0.125;
  options.order = Order::world;
  ContactBuffer<D, T> expected;
  Workspace<D, T> workspace;
  collide<D, T>(scene, expected, workspace, options);
  const Column<Pair> pairs = workspace.pairs();

  Workspace<D, T> staged;
  update_bounds<D, T>(scene, staged, options);
  ASSERT_EQ(staged.bounds().size(), static_cast<std::size_t>(layout_of(scene).shape_count()));
  find_pairs<D, T>(scene, staged, options);
  ASSERT_EQ(staged.pairs().size(), pairs.size());
  EXPECT_TRUE(std::equal(pairs.begin(), pairs.end(), staged.pairs().begin()));
  ContactBuffer<D, T> contacts;
  const Column<Pair> staged_pairs = staged.pairs();
  find_contacts<D, T>(scene, std::span(staged_pairs.begin(), staged_pairs.end()), contacts, staged,
                      options);
  EXPECT_TRUE(same_contacts(contacts, expected));
  // The workspace's own pairs may be passed in place.
  ContactBuffer<D, T> again;
  find_contacts<D, T>(scene, std::span(staged.pairs().begin(), staged.pairs().end()), again, staged,
                      options);
  EXPECT_TRUE(same_contacts(again, expected));
}

TYPED_TEST(collide_scene, calls_that_need_no_bounds_leave_none_to_find_pairs_of) {
  constexpr int D = TypeParam::D;
  using T = typename TypeParam::T;
  SceneColumns<D, T> scene;
  add_mixed(scene, {40, 78, 0.7});
  const std::vector<Pair> pairs{{0, 1}};
  std::vector<std::uint8_t> is_contact(1);
  Workspace<D, T> workspace;
  update_bounds<D, T>(scene, workspace);
  test_pairs<D, T>(scene, pairs, is_contact, workspace);
  EXPECT_THROW((find_pairs<D, T>(scene, workspace)), Error);
  DistanceBuffer<D, T> rows;
  update_bounds<D, T>(scene, workspace);
  distances<D, T>(scene, pairs, rows, workspace);
  EXPECT_THROW((find_pairs<D, T>(scene, workspace)), Error);
  // Contacts of a list need no pairs in the workspace.
  ContactBuffer<D, T> contacts, expected;
  find_contacts<D, T>(scene, pairs, contacts, workspace);
  collide_pairs<D, T>(scene, pairs, expected, workspace);
  EXPECT_TRUE(same_contacts(contacts, expected));
}

TYPED_TEST(collide_scene, a_call_that_fails_leaves_nothing_to_its_stages) {
  constexpr int D = TypeParam::D;
  using T = typename TypeParam::T;
  SceneColumns<D, T> scene;
  add_mixed(scene, {40, 78, 0.7});
  SceneColumns<D, T> wrong = scene;
  wrong.aabbs.min(0, 0) = std::numeric_limits<SizeOf<T>>::infinity();
  const std::vector<Pair> pairs{{0, 1}};
  CollideOptions no_margin;
  no_margin.margin = -1;
  const auto fail_by_margin = [&](Workspace<D, T>& workspace) {
    update_bounds<D, T>(scene, workspace, no_margin);
  };
  const auto fail_by_number = [&](Workspace<D, T>& workspace) {
    update_bounds<D, T>(wrong, workspace);
  };
  const auto expect_refusal = [&](const auto& fail, Workspace<D, T>& workspace) {
    EXPECT_THROW(fail(workspace), Error);
    ContactBuffer<D, T> contacts;
    EXPECT_THROW((find_pairs<D, T>(scene, workspace)), Error);
    EXPECT_THROW((find_contacts<D, T>(scene, pairs, contacts, workspace)), Error);
    EXPECT_EQ(contacts.size(), 0u);
  };
  Workspace<D, T> fresh, used;
  expect_refusal(fail_by_margin, fresh);
  expect_refusal(fail_by_number, fresh);
  update_bounds<D, T>(scene, used);
  expect_refusal(fail_by_margin, used);
  update_bounds<D, T>(scene, used);
  expect_refusal(fail_by_number, used);
  update_bounds<D, T>(scene, used);
  EXPECT_NO_THROW((find_pairs<D, T>(scene, used)));
}

TYPED_TEST(collide_scene, bounds_hold_the_shapes) {
  constexpr int D = TypeParam::D;
  using T = typename TypeParam::T;
  SceneColumns<D, T> scene;
  add_mixed(scene, {100, 78});
  Workspace<D, T> workspace;
  update_bounds<D, T>(scene, workspace);
  const SceneLayout layout = layout_of(scene);
  for (const std::int32_t id : bounded_ids(layout)) {
    const Solid<D> solid = solid_of(scene, id);
    for (int k = 0; k < D; ++k) {
      Vec<D> axis{};
      axis[k] = 1;
      const Real high = core_support(solid, axis) + radius_of(solid);
      const Real low = -core_support(solid, times(axis, -1)) - radius_of(solid);
      const auto row = static_cast<std::size_t>(id);
      const Real min = workspace.bounds().min(row, k);
      const Real max = workspace.bounds().max(row, k);
      EXPECT_LE(static_cast<double>(min - low), 0) << describe(solid);
      EXPECT_GE(static_cast<double>(max - high), 0) << describe(solid);
      // Rounded outward, by no more than rounding requires.
      EXPECT_NEAR(static_cast<double>(low - min), 0, sizeof(T) == 4 ? 1e-4 : 1e-12);
      EXPECT_NEAR(static_cast<double>(max - high), 0, sizeof(T) == 4 ? 1e-4 : 1e-12);
    }
  }
}

TYPED_TEST(collide_scene, contacts_of_a_scene_are_right) {
  constexpr int D = TypeParam::D;
  using T = typename TypeParam::T;
  SceneColumns<D, T> scene;
  add_mixed(scene, {scaled(1000, 100), 79, 0.9});
  ContactBuffer<D, T> contacts;
  Workspace<D, T> workspace;
  CollideOptions options;
  options.margin = 0.0625;
  collide<D, T>(scene, contacts, workspace, options);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Solid<D> a = solid_of(scene, contacts.pair[i].a);
    const Solid<D> b = solid_of(scene, contacts.pair[i].b);
    ASSERT_EQ(
        (contact_problem<D, T>(a, b, reference_of(a, b), options.margin, contact_at(contacts, i))),
        "")
        << describe(a) << "\n"
        << describe(b) << "\n"
        << describe(contacts, i);
  }
}

TYPED_TEST(collide_scene, empty_scenes_have_no_contacts) {
  constexpr int D = TypeParam::D;
  using T = typename TypeParam::T;
  SceneColumns<D, T> scene;
  ContactBuffer<D, T> contacts;
  Workspace<D, T> workspace;
  for (const Order order : {Order::kind, Order::source, Order::id, Order::world}) {
    CollideOptions options;
    options.order = order;
    collide<D, T>(scene, contacts, workspace, options);
    EXPECT_TRUE(is_consistent(contacts));
    EXPECT_EQ(contacts.size(), 0u);
    collide_pairs<D, T>(scene, {}, contacts, workspace, options);
    EXPECT_TRUE(is_consistent(contacts));
    EXPECT_EQ(contacts.size(), 0u);
  }
  test_pairs<D, T>(scene, {}, {}, workspace);
  EXPECT_EQ((world_count<D, T>(scene)), 0);

  append(scene, ball<D>({}, 1));
  EXPECT_EQ((world_count<D, T>(scene)), 1);
  collide<D, T>(scene, contacts, workspace);
  EXPECT_TRUE(is_consistent(contacts));
  EXPECT_EQ(contacts.size(), 0u);
  EXPECT_EQ(workspace.pairs().size(), 0u);
}

TYPED_TEST(collide_scene, halfspaces_alone_never_meet) {
  constexpr int D = TypeParam::D;
  using T = typename TypeParam::T;
  SceneColumns<D, T> scene;
  for (int i = 0; i < 40; ++i) append(scene, halfspace<D>({i % 2 == 0 ? 1.0 : -1.0}, i));
  ContactBuffer<D, T> contacts;
  Workspace<D, T> workspace;
  collide<D, T>(scene, contacts, workspace);
  EXPECT_EQ(contacts.size(), 0u);
}

TYPED_TEST(collide_scene, a_callers_pairs_pass_no_filter) {
  constexpr int D = TypeParam::D;
  using T = typename TypeParam::T;
  SceneColumns<D, T> scene;
  append(scene, ball<D>({}, 1));
  append(scene, ball<D>({1}, 1));
  balls(scene).fixed = {1, 1};
  balls(scene).world = {0, 1};
  balls(scene).owner = {3, 3};
  balls(scene).mask = {0, 0};
  scene.excluded = {{0, 1}};
  ContactBuffer<D, T> contacts;
  Workspace<D, T> workspace;
  collide<D, T>(scene, contacts, workspace);
  EXPECT_EQ(contacts.size(), 0u);
  const std::vector<Pair> pairs{{1, 0}, {0, 1}, {1, 0}};
  collide_pairs<D, T>(scene, pairs, contacts, workspace);
  ASSERT_EQ(contacts.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(contacts.pair[i], pairs[static_cast<std::size_t>(contacts.source[i])]);
  }
}

TEST(collide, in_a_kept_order_gives_the_same_contacts) {
  Random random(11);
  SceneColumns<3, float> moving, ground;
  for (int i = 0; i < 3000; ++i) {
    std::array<float, 3> centre;
    for (float& x : centre) x = static_cast<float>(random.uniform(0, 20));
    moving.spheres.center.push_back(centre);
    moving.spheres.radius.push_back({0.6f});
  }
  ground.halfspaces.normal.push_back({0, 0, 1});
  ground.halfspaces.offset.push_back({1});
  Workspace<3, float> plain_workspace, kept_workspace, static_workspace;
  StaticScene<3, float> still;
  build_static_scene<3, float>(ground, still, static_workspace);
  ContactBuffer<3, float> plain, kept;
  CollideOptions plain_options, kept_options;
  plain_options.order = kept_options.order = Order::id;
  kept_options.keeps_order = true;
  const auto expect_same = [&] {
    ASSERT_GT(plain.size(), 1000u);
    ASSERT_EQ(plain.size(), kept.size());
    for (std::size_t i = 0; i < plain.size(); ++i) {
      ASSERT_EQ(plain.pair[i].a, kept.pair[i].a);
      ASSERT_EQ(plain.pair[i].b, kept.pair[i].b);
      ASSERT_EQ(plain.depth[i], kept.depth[i]);
    }
  };
  for (int step = 0; step < 4; ++step) {
    collide<3, float>(moving, plain, plain_workspace, plain_options);
    collide<3, float>(moving, kept, kept_workspace, kept_options);
    expect_same();
    if (step > 0) {
      EXPECT_FALSE(std::ranges::equal(plain_workspace.pairs(), kept_workspace.pairs()));
    }
    collide<3, float>(moving, still, plain, static_workspace, plain_options);
    collide<3, float>(moving, still, kept, static_workspace, kept_options);
    expect_same();
    for (std::size_t i = 0; i < 3000; ++i) {
      for (int d = 0; d < 3; ++d) {
        moving.spheres.center(i, d) += static_cast<float>(random.uniform(-0.05, 0.05));
      }
    }
  }
}

TEST(collide, counts_of_kinds_are_those_of_the_last_call) {
  SceneColumns<3, float> balls, boxes;
  for (const float x : {0.0f, 1.0f, 2.0f}) {
    append(balls, ball<3>({x, 0, 0}, 0.6));
    append(boxes, aabb<3>({x, 0, 0}, {x + 1.5, 1, 1}));
  }
  const auto kind_of = [](Kind kind) { return static_cast<std::size_t>(pair_kind(kind, kind)); };
  Workspace<3, float> workspace;
  ContactBuffer<3, float> contacts;
  collide<3, float>(balls, contacts, workspace);
  collide<3, float>(boxes, contacts, workspace);
  const CollideStats& stats = workspace.stats();
  EXPECT_EQ(stats.kinds[kind_of(Kind::sphere)].pairs, 0);
  EXPECT_EQ(stats.kinds[kind_of(Kind::sphere)].seconds, 0);
  EXPECT_EQ(stats.kinds[kind_of(Kind::aabb)].pairs, 2);
  EXPECT_EQ(stats.kinds[kind_of(Kind::aabb)].contacts, 2);
  EXPECT_GT(stats.kinds[kind_of(Kind::aabb)].seconds, 0);
  EXPECT_LE(stats.kinds[kind_of(Kind::aabb)].seconds, stats.narrow_seconds);
  update_bounds<3, float>(balls, workspace);
  EXPECT_EQ(stats.kinds[kind_of(Kind::aabb)].pairs, 0);
  EXPECT_EQ(stats.pairs, 0);
  EXPECT_EQ(stats.narrow_seconds, 0);
}

TEST(collide, counts_are_zero_after_a_call_that_fails) {
  SceneColumns<3, float> scene;
  for (const float x : {0.0f, 1.0f}) append(scene, ball<3>({x, 0, 0}, 0.6));
  Workspace<3, float> workspace;
  ContactBuffer<3, float> contacts;
  collide<3, float>(scene, contacts, workspace);
  EXPECT_EQ(workspace.stats().shapes, 2);
  scene.spheres.radius[1] = -1;
  EXPECT_THROW((collide<3, float>(scene, contacts, workspace)), Error);
  EXPECT_EQ(workspace.stats().shapes, 0);
  EXPECT_EQ(workspace.stats().pairs, 0);
  EXPECT_EQ(workspace.stats().broad_seconds, 0);
  EXPECT_EQ(workspace.stats().narrow_seconds, 0);
}

TEST(layout, locate_gives_kinds_and_rows) {
  SceneColumns<3, float> scene;
  for (int i = 0; i < 3; ++i) append(scene, ball<3>({}, 1));
  for (int i = 0; i < 2; ++i) append(scene, aabb<3>({}, {1, 1, 1}));
  append(scene, halfspace<3>({0, 0, 1}, 0));
  const SceneLayout layout = layout_of(scene);
  const std::vector<std::int32_t> ids{5, 0, 4, 2, 3};
  std::vector<Kind> kinds(5);
  std::vector<std::int32_t> rows(5);
  locate(layout, ids, kinds, rows);
  EXPECT_EQ(kinds, (std::vector<Kind>{Kind::halfspace, Kind::sphere, Kind::aabb, Kind::sphere,
                                      Kind::aabb}));
  EXPECT_EQ(rows, (std::vector<std::int32_t>{0, 0, 1, 2, 0}));
  const std::vector<std::int32_t> wrong{0, 6};
  EXPECT_THROW(locate(layout, wrong, {kinds.data(), 2}, {rows.data(), 2}), Error);
  const std::vector<std::int32_t> negative{-1};
  EXPECT_THROW(locate(layout, negative, {kinds.data(), 1}, {rows.data(), 1}), Error);
}

}  // namespace
}  // namespace widephase::test
