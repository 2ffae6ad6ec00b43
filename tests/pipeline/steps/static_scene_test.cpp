// Moving shapes against a static scene give the contacts of `collide` over both as one scene.
// Labels: threads dated

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <thread>

#include <widephase/static_scene.hpp>

#include "reference/scaled.hpp"
#include "support/compare.hpp"
#include "support/error_of.hpp"
#include "support/scenes.hpp"
#include "support/two_scenes.hpp"

namespace widephase::test {
namespace {

template <int D, class T>
Answers<D, T> joined_answers(const TwoScenes<D, T>& scenes, bool moving_pairs,
                             const CollideOptions& options) {
  Workspace<D, T> workspace;
  ContactBuffer<D, T> contacts;
  collide<D, T>(scenes.joined, contacts, workspace, options);
  Answers<D, T> answers = answers_of(
      contacts, [&](std::int32_t id) { return scenes.reported[static_cast<std::size_t>(id)]; });
  const std::int32_t count = layout_of(scenes.moving).shape_count();
  std::erase_if(answers, [&](const auto& answer) {
    return !moving_pairs && answer.first.first < count && answer.first.second < count;
  });
  return answers;
}

template <class Case>
class static_scene_of : public testing::Test {};
TYPED_TEST_SUITE(static_scene_of, Precisions);

TYPED_TEST(static_scene_of, contacts_are_those_of_the_joined_scene_to_the_bit) {
  constexpr int D = TypeParam::D;
  using T = typename TypeParam::T;
  std::set<int> kinds_met;
  // One workspace is used for all of them in turn.
  Workspace<D, T> workspace;
  ContactBuffer<D, T> contacts;
  for (const int worlds : {0, 1, 5}) {
    for (const std::size_t nth : {2, 9}) {
      const TwoScenes<D, T> scenes(mixed_scene<D, T>(scaled(900, 60), 31 + nth, worlds), nth);
      CollideOptions options;
      options.margin = worlds == 1 ? 0.125 : 0;
      StaticScene<D, T> kept;
      build_static_scene<D, T>(scenes.kept, kept, workspace, options);
      EXPECT_EQ(kept.size(), static_cast<std::size_t>(layout_of(scenes.kept).shape_count()));
      for (const bool moving_pairs : {true, false}) {
        options.moving_pairs = moving_pairs;
        collide<D, T>(scenes.moving, kept, contacts, workspace, options);
        EXPECT_TRUE(is_consistent(contacts));
        const auto answers = answers_of(contacts, [](std::int32_t id) { return id; });
        EXPECT_FALSE(answers.empty());
        EXPECT_TRUE(answers == joined_answers(scenes, moving_pairs, options))
            << worlds << " worlds, every " << nth;
        for (int kind = 0; kind < kPairKindCount; ++kind) {
          const auto& stats = workspace.stats().kinds[static_cast<std::size_t>(kind)];
          if (stats.contacts > 0) kinds_met.insert(kind);
        }
      }
    }
  }
  if (scaled(100) < 100) return;
  for (const Kind a : kinds(D)) {
    for (const Kind b : kinds(D)) {
      if (!has_kernel(D, a, b)) continue;
      EXPECT_TRUE(kinds_met.contains(pair_kind(a, b))) << pair_kind_name(pair_kind(a, b), D);
    }
  }
}

TYPED_TEST(static_scene_of, orders_are_those_of_docs) {
  constexpr int D = TypeParam::D;
  using T = typename TypeParam::T;
  const TwoScenes<D, T> scenes(mixed_scene<D, T>(scaled(700, 60), 41, 4), 3);
  Workspace<D, T> workspace;
  StaticScene<D, T> kept;
  build_static_scene<D, T>(scenes.kept, kept, workspace);
  const SceneLayout moving = layout_of(scenes.moving), of_kept = layout_of(scenes.kept);
  const auto kind_of = [&](std::int32_t id) {
    return id < moving.shape_count() ? moving.kind_of(id)
                                     : of_kept.kind_of(id - moving.shape_count());
  };
  CollideOptions options;
  ContactBuffer<D, T> contacts;
  collide<D, T>(scenes.moving, kept, contacts, workspace, options);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Pair pair = contacts.pair[i];
    EXPECT_EQ(workspace.pairs()[static_cast<std::size_t>(contacts.source[i])], pair);
    const Kind a = kind_of(pair.a), b = kind_of(pair.b);
    EXPECT_TRUE(a < b || (a == b && pair.a < pair.b));
    if (i == 0) continue;
    const Pair before = contacts.pair[i - 1];
    const auto key = [&](Pair of, std::size_t row) {
      return std::pair(pair_kind(kind_of(of.a), kind_of(of.b)), contacts.source[row]);
    };
    EXPECT_LT(key(before, i - 1), key(pair, i));
  }
  options.order = Order::id;
  collide<D, T>(scenes.moving, kept, contacts, workspace, options);
  for (std::size_t i = 1; i < contacts.size(); ++i) {
    const Pair before = contacts.pair[i - 1], pair = contacts.pair[i];
    EXPECT_LT(std::pair(before.a, before.b), std::pair(pair.a, pair.b));
  }
  // By world, as in the joined scene.
  options.order = Order::world;
  collide<D, T>(scenes.moving, kept, contacts, workspace, options);
  Workspace<D, T> of_joined;
  ContactBuffer<D, T> joined;
  collide<D, T>(scenes.joined, joined, of_joined, options);
  EXPECT_TRUE(std::equal(contacts.world_offset.begin(), contacts.world_offset.end(),
                         joined.world_offset.begin(), joined.world_offset.end()));
  ASSERT_EQ(contacts.world_offset.size(), 5u);
}

TYPED_TEST(static_scene_of, masks_and_invalid_worlds_are_those_of_the_joined_scene) {
  constexpr int D = TypeParam::D;
  using T = typename TypeParam::T;
  TwoScenes<D, T> scenes(mixed_scene<D, T>(scaled(700, 60), 51, 6), 3);
  // A world without moving shapes.
  for (auto* scene : {&scenes.kept, &scenes.joined}) {
    for_each_table(*scene, [](auto& table) {
      if (row_count(table) == 0) return;
      const std::size_t last = row_count(table) - 1;
      table.world[last] = 6;
    });
  }
  Workspace<D, T> workspace;
  StaticScene<D, T> kept;
  build_static_scene<D, T>(scenes.kept, kept, workspace);
  std::size_t spoilt = 0;
  while (scenes.moving.capsules.world[spoilt] == -1) ++spoilt;
  scenes.moving.capsules.radius[spoilt] = scenes.joined.capsules.radius[spoilt] = -1;
  std::vector<std::uint8_t> mask(7, 1), status(7), joined_status(7);
  mask[6] = mask[static_cast<std::size_t>((scenes.moving.capsules.world[spoilt] + 1) % 6)] = 0;
  CollideOptions options;
  options.world_mask = mask;
  options.world_status = status;
  ContactBuffer<D, T> contacts;
  collide<D, T>(scenes.moving, kept, contacts, workspace, options);
  const auto answers = answers_of(contacts, [](std::int32_t id) { return id; });
  options.world_status = joined_status;
  EXPECT_TRUE(answers == joined_answers(scenes, true, options));
  EXPECT_EQ(status, joined_status);
  EXPECT_FALSE(answers.empty());
  mask.pop_back();
  options.world_mask = mask;
  EXPECT_EQ(error_of([&] { collide<D, T>(scenes.moving, kept, contacts, workspace, options); }),
            "world_mask has 6 entries; the scene has 7 worlds, so give it as many or more");
}

TYPED_TEST(static_scene_of, periodic_domains_are_those_of_the_joined_scene) {
  constexpr int D = TypeParam::D;
  using T = typename TypeParam::T;
  SceneColumns<D, T> all, narrow;
  const std::size_t count = scaled(700, 300);
  add_mixed(all, {count, 61, 1.0, 0});
  Workspace<D, T> workspace;
  update_bounds<D, T>(all, workspace);
  using Position = PositionOf<T>;
  const BoundsBuffer<D, Position>& bounds = workspace.bounds();
  std::size_t id = 0;
  for_each_table_pair(all, narrow, [&](const auto& from, auto& to) {
    const std::size_t first = id;
    id += row_count(from);
    for_each_field_pair(from, to, [&](const auto&, const auto& source, auto& target) {
      for (std::size_t row = 0; row < source.size(); ++row) {
        bool is_narrow = true;
        for (int k = 0; k < D; ++k) {
          is_narrow &= bounds.max(first + row, k) - bounds.min(first + row, k) < 3;
        }
        if (is_narrow) target.push_back(source.row(row));
      }
    });
  });
  narrow.geometries = all.geometries;
  // Shapes wrap around the domain.
  const auto side = static_cast<Position>(std::pow(static_cast<double>(count), 1.0 / D));
  for (int k = 0; k < D; ++k) {
    narrow.domain.min[k] = side / 2;
    narrow.domain.max[k] = side / 2 + std::max(side, Position(6.5));
    narrow.domain.periodic[k] = true;
  }
  const TwoScenes<D, T> scenes(narrow, 4);
  StaticScene<D, T> kept;
  build_static_scene<D, T>(scenes.kept, kept, workspace);
  ContactBuffer<D, T> contacts;
  collide<D, T>(scenes.moving, kept, contacts, workspace);
  const auto answers = answers_of(contacts, [](std::int32_t id) { return id; });
  EXPECT_TRUE(answers == joined_answers(scenes, true, {}));
  EXPECT_FALSE(answers.empty());
}

TYPED_TEST(static_scene_of, is_asked_step_after_step_with_more_and_fewer_shapes) {
  constexpr int D = TypeParam::D;
  using T = typename TypeParam::T;
  const SceneColumns<D, T> all = mixed_scene<D, T>(scaled(800, 60), 71, 3);
  const SceneColumns<D, T> others = mixed_scene<D, T>(scaled(800, 60), 72, 0);
  Workspace<D, T> workspace;
  ContactBuffer<D, T> contacts;
  const TwoScenes<D, T> rest(others, 5);
  StaticScene<D, T> kept, kept_others;
  build_static_scene<D, T>(rest.kept, kept_others, workspace);
  // The kept rows are every fifth shape that is left out, whichever shapes move.
  const TwoScenes<D, T> most(all, 5);
  build_static_scene<D, T>(most.kept, kept, workspace);
  for (const std::size_t share : {4, 1, 3, 1, 1000}) {
    SceneColumns<D, T> some;
    for_each_table_pair(most.moving, some, [&](const auto& from, auto& to) {
      for_each_field_pair(from, to, [&](const auto&, const auto& source, auto& target) {
        for (std::size_t row = 0; row < source.size(); row += share) {
          target.push_back(source.row(row));
        }
      });
    });
    collide<D, T>(some, kept, contacts, workspace);
    ContactBuffer<D, T> fresh;
    Workspace<D, T> other;
    collide<D, T>(some, kept, fresh, other);
    EXPECT_TRUE(same_contacts(contacts, fresh));
    if (share == 3) collide<D, T>(rest.moving, kept_others, contacts, workspace);
  }
}

TYPED_TEST(static_scene_of, threads_and_sets_change_no_bit) {
  constexpr int D = TypeParam::D;
  using T = typename TypeParam::T;
  const TwoScenes<D, T> scenes(mixed_scene<D, T>(scaled(1500, 60), 81, 2), 2);
  Workspace<D, T> workspace;
  CollideOptions options;
  options.threads.count = 1;
  StaticScene<D, T> kept;
  build_static_scene<D, T>(scenes.kept, kept, workspace, options);
  ContactBuffer<D, T> contacts;
  collide<D, T>(scenes.moving, kept, contacts, workspace, options);
  for (const Isa isa : built_isas()) {
    if (!cpu_has(isa)) continue;
    for (const int threads : {1, 2, 3, 5, 8}) {
      options.threads.count = threads;
      options.isa = isa;
      StaticScene<D, T> again;
      Workspace<D, T> other;
      build_static_scene<D, T>(scenes.kept, again, other, options);
      ContactBuffer<D, T> same;
      collide<D, T>(scenes.moving, again, same, other, options);
      EXPECT_TRUE(same_contacts(contacts, same)) << threads;
    }
  }
}

/// Positions are on a grid that double has at both places, so that B has the same position relative
/// to A.
TEST(static_scene, of_mixed_precision_is_as_exact_far_away) {
  const auto contacts_at = [](double distance) {
    SceneColumns<3, Mixed> still, moving;
    Random random(96);
    const Point<3> to{distance, -distance, distance};
    constexpr Kind kKinds[] = {Kind::sphere,   Kind::capsule,   Kind::aabb, Kind::box,
                               Kind::cylinder, Kind::ellipsoid, Kind::cone};
    for (int i = 0; i < 112; ++i) {
      const Solid<3> solid = random_solid<3>(random, kKinds[i % 7], random.point<3>(0, 4), 0.5);
      append(i % 4 == 0 ? moving : still, moved<3>(snapped<3>(solid), to));
    }
    Workspace<3, Mixed> workspace;
    ContactBuffer<3, Mixed> contacts;
    StaticScene<3, Mixed> kept;
    build_static_scene<3, Mixed>(still, kept, workspace);
    CollideOptions options;
    options.order = Order::id;
    collide<3, Mixed>(moving, kept, contacts, workspace, options);
    return contacts;
  };
  const ContactBuffer<3, Mixed> near = contacts_at(0), far = contacts_at(1 << 20);
  ASSERT_EQ(near.size(), far.size());
  EXPECT_GT(near.size(), 10u);
  for (std::size_t i = 0; i < near.size(); ++i) {
    EXPECT_EQ(near.pair[i], far.pair[i]);
    EXPECT_EQ(near.depth[i], far.depth[i]) << i;
    for (int k = 0; k < 3; ++k) EXPECT_EQ(near.normal(i, k), far.normal(i, k)) << i;
  }
}

TEST(static_scene, bodies_of_the_moving_scene_carry_its_shapes) {
  SceneColumns<3, double> moving, still;
  Random random(95);
  constexpr std::int32_t kBodies = 40;
  for (std::int32_t body = 0; body < kBodies; ++body) {
    const Point<3> at = random.point<3>(0, 8);
    moving.bodies.position.push_back({at[0], at[1], at[2]});
    moving.bodies.turn.push_back({0, 0, 0.6, 0.8});
    for (int i = 0; i < 3; ++i) {
      append(moving, random_solid<3>(random, Kind::box, random.point<3>(-1, 1), 0.5));
      moving.boxes.body.push_back({body});
    }
  }
  for (int i = 0; i < 100; ++i) {
    append(still, random_solid<3>(random, bounded_kind(random, 3), random.point<3>(0, 8), 0.5));
  }
  TwoScenes<3, double> scenes(still, 1000000);  // all are kept except the first of each kind
  const auto carry = [&](SceneColumns<3, double>& scene) {
    SceneColumns<3, double> more = moving;
    more.boxes.fixed.resize(more.boxes.center.size());
    SceneColumns<3, double> all = scene;
    all.boxes.fixed.resize(all.boxes.center.size());
    all.boxes.body.resize(all.boxes.center.size());
    for (std::size_t row = 0; row < all.boxes.body.size(); ++row) all.boxes.body[row] = -1;
    for_each_field_pair(all.boxes, more.boxes, [](const auto&, const auto& rows, auto& to) {
      for (std::size_t row = 0; row < rows.size(); ++row) {
        to.push_back(rows.row(row));
      }
    });
    scene.boxes = more.boxes;
    scene.bodies = moving.bodies;
  };
  // Before all other boxes, in the moving scene and in the joined one.
  carry(scenes.moving);
  carry(scenes.joined);
  const std::int32_t added = 3 * kBodies;
  const std::int32_t first = layout_of(scenes.moving).id(Kind::box, 0);
  const std::int32_t joined_first = layout_of(scenes.joined).id(Kind::box, 0);
  for (std::int32_t& id : scenes.reported) id += id >= first ? added : 0;
  for (std::int32_t i = 0; i < added; ++i) {
    scenes.reported.insert(scenes.reported.begin() + joined_first + i, first + i);
  }
  Workspace<3, double> workspace;
  ContactBuffer<3, double> contacts;
  StaticScene<3, double> kept;
  build_static_scene<3, double>(scenes.kept, kept, workspace);
  collide<3, double>(scenes.moving, kept, contacts, workspace);
  const auto answers = answers_of(contacts, [](std::int32_t id) { return id; });
  EXPECT_TRUE(answers == joined_answers(scenes, true, {}));
  EXPECT_GT(answers.size(), 20u);
}

TEST(static_scene, is_shared_by_threads) {
  const TwoScenes<3, float> scenes(mixed_scene<3, float>(scaled(1500, 60), 91, 2), 3);
  Workspace<3, float> workspace;
  StaticScene<3, float> kept;
  build_static_scene<3, float>(scenes.kept, kept, workspace);
  ContactBuffer<3, float> contacts[4];
  std::vector<std::thread> threads;
  for (ContactBuffer<3, float>& own : contacts) {
    threads.emplace_back([&] {
      Workspace<3, float> of_thread;
      for (int step = 0; step < 3; ++step) {
        collide<3, float>(scenes.moving, kept, own, of_thread);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const ContactBuffer<3, float>& own : contacts) {
    EXPECT_TRUE(same_contacts(contacts[0], own));
  }
}

TEST(static_scene, empty_ones_have_no_contacts_of_theirs) {
  SceneColumns<2, float> moving;
  moving.circles.center = {{0, 0}, {1, 0}};
  moving.circles.radius = {1, 1};
  Workspace<2, float> workspace;
  ContactBuffer<2, float> contacts;
  StaticScene<2, float> kept;
  collide<2, float>(moving, kept, contacts, workspace);
  EXPECT_EQ(contacts.size(), 1u);
  build_static_scene<2, float>(moving, kept, workspace);
  collide<2, float>(SceneColumns<2, float>(), kept, contacts, workspace);
  EXPECT_EQ(contacts.size(), 0u);
}

TEST(static_scene, wrong_input_is_told) {
  SceneColumns<2, float> moving, still;
  moving.circles.center = {{0, 0}};
  moving.circles.radius = {1};
  still.circles = moving.circles;
  Workspace<2, float> workspace;
  ContactBuffer<2, float> contacts;
  StaticScene<2, float> kept;
  const auto message = [&](const SceneColumns<2, float>& scene, const CollideOptions& options) {
    try {
      collide<2, float>(scene, kept, contacts, workspace, options);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  CollideOptions margin;
  margin.margin = 0.5;
  build_static_scene<2, float>(still, kept, workspace, margin);
  EXPECT_EQ(message(moving, margin), "no error");
  margin.margin = 0.75;
  EXPECT_EQ(message(moving, margin),
            "the margin is 0.75; the static scene was built for margins up to 0.5, so build it "
            "with the largest one");
  auto wrong = moving;
  wrong.halfspaces.normal = {{0, 1}};
  wrong.halfspaces.offset = {0};
  EXPECT_EQ(message(wrong, {}),
            "halfspace.normal has 1 rows; halfspaces do not move, give them to "
            "build_static_scene");
  wrong = moving;
  wrong.geometries.vertices = {{0, 0}, {1, 0}, {0, 1}};
  wrong.geometries.offsets = {0, 3};
  EXPECT_EQ(
      message(wrong, {}),
      "geometries.vertices has 3 rows; moving shapes name the point sets of the static scene, "
      "so give all of them to build_static_scene");
  wrong = moving;
  wrong.domain.max = {10, 10};
  wrong.domain.periodic = {true, false};
  EXPECT_EQ(message(wrong, {}),
            "domain is another than the static scene's; give both the same one");
  wrong = moving;
  wrong.excluded = {{0, 2}};
  EXPECT_EQ(message(wrong, {}),
            "excluded[0] is (0, 2); there are 1 moving shapes and 1 static ones behind them, "
            "whose ids begin at 0");
  wrong.excluded = {{0, 1}};
  EXPECT_EQ(message(wrong, {}), "no error");
  EXPECT_EQ(contacts.size(), 0u);
  wrong = moving;
  wrong.circles.radius = {-1};
  EXPECT_EQ(message(wrong, {}), "circle.radius[0] is -1; radius must be a finite number >= 0");
  EXPECT_EQ(contacts.size(), 0u);
  CollideOptions gjk;
  gjk.method = Method::gjk_epa;
  EXPECT_EQ(message(moving, gjk), "no error");
  CollideOptions steady;
  steady.steadiness = 0.5;
  EXPECT_EQ(message(moving, steady),
            "steadiness goes by the last step; give warm_starts or a Tracker with it");
  CollideOptions caps;
  caps.max_contacts = 0;
  EXPECT_EQ(message(moving, caps), "max_contacts is 0; the answer needs 1");
  EXPECT_EQ(contacts.size(), 0u);
  caps.max_contacts = 1;
  EXPECT_EQ(message(moving, caps), "no error");
  caps.max_pairs = 1;
  EXPECT_EQ(message(moving, caps), "no error");
  caps.max_pairs = 0;
  EXPECT_EQ(message(moving, caps), "max_pairs is 0; the answer needs 1");
  wrong = moving;
  wrong.kept = &kept;
  EXPECT_EQ(error_of([&] {
              StaticScene<2, float> other;
              build_static_scene<2, float>(wrong, other, workspace);
            }),
            "kept is given; a static scene keeps no other one, so join the two");
  // After an error, the static scene is empty.
  still.circles.radius = {-1};
  EXPECT_NE(error_of([&] { build_static_scene<2, float>(still, kept, workspace); }), "no error");
  EXPECT_EQ(kept.size(), 0u);
}

TEST(static_scene, its_pairs_are_not_those_of_the_stages) {
  SceneColumns<3, float> moving, still;
  for (int i = 0; i < 40; ++i) append(still, ball<3>({0.5 * i, 0, 0}, 0.5));
  append(moving, ball<3>({10, 0, 0}, 0.5));
  Workspace<3, float> workspace;
  ContactBuffer<3, float> contacts;
  StaticScene<3, float> kept;
  build_static_scene<3, float>(still, kept, workspace);
  update_bounds<3, float>(moving, workspace);
  collide<3, float>(moving, kept, contacts, workspace);
  ASSERT_GT(contacts.size(), 0u);
  EXPECT_EQ(workspace.bounds().min.size(), 1u);
  const std::span<const Pair> pairs(workspace.pairs().plane(), workspace.pairs().size());
  EXPECT_THROW((find_contacts<3, float>(moving, pairs, contacts, workspace)), Error);
}

}  // namespace
}  // namespace widephase::test
