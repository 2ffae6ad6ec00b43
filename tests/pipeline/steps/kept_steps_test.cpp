// What a step has beside contacts, asked of a scene with a static one: the answers are those of one
// scene that has the static shapes as fixed ones.
// Labels: threads dated

#include <gtest/gtest.h>

#include <algorithm>

#include <widephase/bodies.hpp>
#include <widephase/capacity.hpp>
#include <widephase/distance.hpp>
#include <widephase/stream_contacts.hpp>
#include <widephase/support.hpp>
#include <widephase/tracker.hpp>
#include <widephase/worlds.hpp>

#include "reference/scaled.hpp"
#include "support/error_of.hpp"
#include "support/two_scenes.hpp"

namespace widephase::test {
namespace {

template <class Case>
class kept_steps_of : public testing::Test {};
TYPED_TEST_SUITE(kept_steps_of, Precisions);

template <int D, class T>
SceneColumns<D, T> shapes_of(std::uint64_t seed, int worlds) {
  return mixed_scene<D, T>(scaled(500, 100), seed, worlds);
}

/// The moving scene with the static one, and both as one.
template <int D, class T>
struct Asked {
  TwoScenes<D, T> scenes;
  StaticScene<D, T> kept;
  SceneSpan<D, T> both;
  Workspace<D, T> workspace, of_joined;

  explicit Asked(const SceneColumns<D, T>& all, std::size_t nth = 3) : scenes(all, nth) {
    build_static_scene<D, T>(scenes.kept, kept, workspace);
    both = scenes.moving;
    both.kept = &kept;
  }
  std::int32_t reported(std::int32_t id) const {
    return id < 0 ? id : scenes.reported[static_cast<std::size_t>(id)];
  }
  Pair reported(Pair pair) const { return {reported(pair.a), reported(pair.b)}; }
  /// Pairs of any two shapes, either first, by joined ids.
  std::vector<Pair> any_pairs(std::size_t count, bool has_halfspaces) const {
    const SceneLayout layout = layout_of(scenes.joined);
    Random random(7);
    std::vector<Pair> pairs;
    while (pairs.size() < count) {
      const auto id = [&] {
        return static_cast<std::int32_t>(random.integer(0, layout.shape_count() - 1));
      };
      const Pair pair{id(), id()};
      const bool is_free = is_bounded(layout, pair.a) && is_bounded(layout, pair.b);
      if (pair.a != pair.b && (has_halfspaces || is_free)) pairs.push_back(pair);
    }
    return pairs;
  }
  std::vector<Pair> reported(const std::vector<Pair>& pairs) const {
    std::vector<Pair> named;
    for (const Pair pair : pairs) named.push_back(reported(pair));
    return named;
  }
};

template <int D, class T, class Name>
std::map<std::pair<std::int32_t, std::int32_t>, std::size_t> places(
    const ContactBuffer<D, T>& contacts, const Name& name) {
  std::map<std::pair<std::int32_t, std::int32_t>, std::size_t> result;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Pair pair = name(contacts.pair[i]);
    result[{pair.a, pair.b}] = i;
  }
  return result;
}

/// Steps of a tracker over both scenes beside those of another over the joined one.
template <int D, class T>
void expect_same_steps(const CollideOptions& options) {
  SceneColumns<D, T> all = shapes_of<D, T>(11, 2);
  all.excluded.clear();  // its ids would shift
  int kind = 0;
  for_each_table(all, [&](auto& table) {
    ++kind;
    table.key.resize(row_count(table));
    for (std::size_t row = 0; row < table.key.size(); ++row) {
      table.key[row] = 100000 * kind + static_cast<std::int64_t>(row);
    }
  });
  Tracker<D, T> tracker, of_joined;
  Asked<D, T> first(all);
  ContactBuffer<D, T> contacts, joined;
  std::vector<std::vector<std::uint64_t>> last_bits;
  std::vector<std::size_t> joined_of_contact, joined_of_point;  // of the last step
  std::size_t went_on = 0, ended = 0, points_went_on = 0;
  Random random(5);
  for (int step = 0; step < 5; ++step) {
    SceneColumns<D, T> moved = all;
    for_each_table(moved, [&](auto& table) {
      using Table = std::remove_cvref_t<decltype(table)>;
      for (std::size_t row = 0; row < row_count(table); row += 3) {
        for (int k = 0; k < D; ++k) {
          const auto by = static_cast<PositionOf<T>>(random.uniform(-0.02, 0.02));
          if constexpr (requires { table.center; }) table.center(row, k) += by;
          if constexpr (Table::kind == Kind::capsule) table.a(row, k) += by;
        }
      }
    });
    // Each step leaves other moving shapes out, so that ids shift.
    const TwoScenes<D, T> scenes(
        moved, 3, [&](std::size_t row) { return step > 1 && row / 3 % 7 == std::size_t(step); });
    StaticScene<D, T> rebuilt;
    SceneSpan<D, T> both = scenes.moving;
    both.kept = &first.kept;
    if (step == 3) {
      build_static_scene<D, T>(scenes.kept, rebuilt, first.workspace);
      both.kept = &rebuilt;
    }
    collide<D, T>(both, contacts, first.workspace, tracker, options);
    collide<D, T>(scenes.joined, joined, first.of_joined, of_joined, options);
    ASSERT_EQ(contacts.size(), joined.size());
    const auto there = places(joined, [&](Pair pair) {
      return Pair{scenes.reported[static_cast<std::size_t>(pair.a)],
                  scenes.reported[static_cast<std::size_t>(pair.b)]};
    });
    std::vector<std::size_t> now_joined(contacts.size()), point_joined(contacts.point_count());
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      const auto found = there.find({contacts.pair[i].a, contacts.pair[i].b});
      ASSERT_NE(found, there.end());
      const std::size_t j = found->second;
      now_joined[i] = j;
      EXPECT_EQ(answer_bits(contacts, i), answer_bits(joined, j));
      const std::int64_t before = tracker.last_contact()[i];
      EXPECT_EQ(before < 0 ? -1
                           : static_cast<std::int64_t>(
                                 joined_of_contact[static_cast<std::size_t>(before)]),
                of_joined.last_contact()[j]);
      went_on += before >= 0 ? 1 : 0;
      for (std::int64_t p = 0; p < contacts.offset[i + 1] - contacts.offset[i]; ++p) {
        const auto own = static_cast<std::size_t>(contacts.offset[i] + p);
        const auto other = static_cast<std::size_t>(joined.offset[j] + p);
        point_joined[own] = other;
        const std::int64_t was = tracker.last_point()[own];
        EXPECT_EQ(was < 0
                      ? -1
                      : static_cast<std::int64_t>(joined_of_point[static_cast<std::size_t>(was)]),
                  of_joined.last_point()[other]);
        points_went_on += was >= 0 ? 1 : 0;
      }
    }
    const auto keys = [](const EndedContacts& of) {
      std::vector<std::array<std::int64_t, 3>> rows;
      for (std::size_t i = 0; i < of.size(); ++i) {
        rows.push_back({of.key(i, 0), of.key(i, 1), of.world[i]});
      }
      std::sort(rows.begin(), rows.end());
      return rows;
    };
    EXPECT_EQ(keys(tracker.ended()), keys(of_joined.ended()));
    ended += tracker.ended().size();
    joined_of_contact = now_joined;
    joined_of_point = point_joined;
  }
  EXPECT_GT(went_on, 0u);
  EXPECT_GT(points_went_on, 0u);
  EXPECT_GT(ended, 0u);
}

TYPED_TEST(kept_steps_of, a_tracker_follows_both) {
  expect_same_steps<TypeParam::D, typename TypeParam::T>({});
}
TYPED_TEST(kept_steps_of, a_tracker_with_steadiness_follows_both) {
  CollideOptions options;
  options.steadiness = 0.01;
  expect_same_steps<TypeParam::D, typename TypeParam::T>(options);
  options.method = Method::gjk_epa;
  expect_same_steps<TypeParam::D, typename TypeParam::T>(options);
}

TYPED_TEST(kept_steps_of, questions_of_worlds_are_those_of_the_joined_scene) {
  constexpr int D = TypeParam::D;
  using T = typename TypeParam::T;
  for (const int worlds : {0, 6}) {
    Asked<D, T> asked(shapes_of<D, T>(21, worlds));
    const auto count = static_cast<std::size_t>(world_count<D, T>(asked.both));
    EXPECT_EQ(count, static_cast<std::size_t>(world_count<D, T>(asked.scenes.joined)));
    std::vector<std::uint8_t> mask(count, 1), status(count, 9), joined_status(count, 9);
    for (const bool is_masked : {false, true}) {
      CollideOptions options, of_joined;
      if (is_masked && worlds == 0) continue;
      if (is_masked) {
        mask[1] = 0;
        options.world_mask = of_joined.world_mask = mask;
        options.world_status = status;
        of_joined.world_status = joined_status;
      }
      for (const Method method : {Method::automatic, Method::gjk_epa}) {
        options.method = of_joined.method = method;
        std::vector<std::uint8_t> hits(count, 7), joined_hits(count, 7);
        any_contact<D, T>(asked.both, hits, asked.workspace, options);
        any_contact<D, T>(asked.scenes.joined, joined_hits, asked.of_joined, of_joined);
        EXPECT_EQ(hits, joined_hits);
        WorldDistanceBuffer<D, T> least, joined_least;
        min_distance<D, T>(asked.both, least, asked.workspace, options);
        min_distance<D, T>(asked.scenes.joined, joined_least, asked.of_joined, of_joined);
        ASSERT_EQ(least.pair.size(), count);
        for (std::size_t w = 0; w < count; ++w) {
          EXPECT_EQ(least.pair[w], asked.reported(joined_least.pair[w]));
          EXPECT_EQ(least.distance[w], joined_least.distance[w]);
          for (int k = 0; k < D; ++k) EXPECT_EQ(least.point_a(w, k), joined_least.point_a(w, k));
        }
        EXPECT_EQ(status, joined_status);
      }
    }
  }
}

TYPED_TEST(kept_steps_of, given_pairs_and_ids_are_answered_as_in_the_joined_scene) {
  constexpr int D = TypeParam::D;
  using T = typename TypeParam::T;
  Asked<D, T> asked(shapes_of<D, T>(31, 3));
  const std::vector<Pair> pairs = asked.any_pairs(3000, true);
  const std::vector<Pair> named = asked.reported(pairs);
  std::vector<std::uint8_t> mask{1, 0, 1};
  for (const Method method : {Method::automatic, Method::gjk_epa}) {
    CollideOptions options;
    options.method = method;
    options.world_mask = mask;
    ContactBuffer<D, T> contacts, joined;
    for (const Order order : {Order::source, Order::world, Order::kind}) {
      options.order = order;
      collide_pairs<D, T>(asked.both, named, contacts, asked.workspace, options);
      collide_pairs<D, T>(asked.scenes.joined, pairs, joined, asked.of_joined, options);
      for (std::size_t i = 0; i < joined.size(); ++i) {
        joined.pair[i] = asked.reported(joined.pair[i]);
      }
      EXPECT_TRUE(same_contacts(contacts, joined));
      EXPECT_TRUE(std::equal(contacts.world_offset.begin(), contacts.world_offset.end(),
                             joined.world_offset.begin(), joined.world_offset.end()));
    }
    EXPECT_GT(contacts.size(), 0u);
    std::vector<std::uint8_t> hits(pairs.size()), joined_hits(pairs.size());
    test_pairs<D, T>(asked.both, named, hits, asked.workspace, options);
    test_pairs<D, T>(asked.scenes.joined, pairs, joined_hits, asked.of_joined, options);
    EXPECT_EQ(hits, joined_hits);

    options.world_mask = {};
    const std::vector<Pair> near = asked.any_pairs(2000, false);
    DistanceBuffer<D, T> rows, joined_rows;
    distances<D, T>(asked.both, asked.reported(near), rows, asked.workspace, options);
    distances<D, T>(asked.scenes.joined, near, joined_rows, asked.of_joined, options);
    for (std::size_t i = 0; i < near.size(); ++i) {
      EXPECT_EQ(rows.distance[i], joined_rows.distance[i]);
      EXPECT_EQ(rows.feature[i], joined_rows.feature[i]);
      for (int k = 0; k < D; ++k) EXPECT_EQ(rows.point_b(i, k), joined_rows.point_b(i, k));
    }
  }
  std::vector<std::int32_t> ids = bounded_ids(layout_of(asked.scenes.joined)), named_ids;
  Column<SizeOf<T>, D> up;
  for (const std::int32_t id : ids) named_ids.push_back(asked.reported(id));
  up.resize(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) up(i, D - 1) = 1;
  SupportBuffer<D, T> farthest, joined_farthest;
  support_points<D, T>(asked.both, named_ids, up, farthest, asked.workspace);
  support_points<D, T>(asked.scenes.joined, ids, up, joined_farthest, asked.of_joined);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    for (int k = 0; k < D; ++k) EXPECT_EQ(farthest.point(i, k), joined_farthest.point(i, k));
    EXPECT_EQ(farthest.feature[i], joined_farthest.feature[i]);
  }
  const auto all = static_cast<std::int32_t>(asked.scenes.reported.size());
  const std::vector<Pair> wrong{{0, all}};
  ContactBuffer<D, T> none;
  EXPECT_EQ(error_of([&] { collide_pairs<D, T>(asked.both, wrong, none, asked.workspace); }),
            "pairs[0] names shape " + std::to_string(all) + "; the scene's ids are 0 to " +
                std::to_string(all - 1));
}

TYPED_TEST(kept_steps_of, given_pairs_wrap_around_periodic_domains) {
  constexpr int D = TypeParam::D;
  using T = typename TypeParam::T;
  SceneColumns<D, T> all;
  add_mixed(all, {scaled(300, 100), 61, 1.0, 0});
  for (int k = 0; k < D; ++k) {
    all.domain.min[k] = 1;
    all.domain.max[k] = 40;
    all.domain.periodic[k] = true;
  }
  Asked<D, T> asked(all, 2);
  const std::vector<Pair> pairs = asked.any_pairs(4000, false);
  ContactBuffer<D, T> contacts, joined;
  CollideOptions options;
  options.margin = 0;
  collide_pairs<D, T>(asked.both, asked.reported(pairs), contacts, asked.workspace, options);
  collide_pairs<D, T>(asked.scenes.joined, pairs, joined, asked.of_joined, options);
  for (std::size_t i = 0; i < joined.size(); ++i) joined.pair[i] = asked.reported(joined.pair[i]);
  EXPECT_GT(joined.size(), 0u);
  EXPECT_TRUE(same_contacts(contacts, joined));
}

TYPED_TEST(kept_steps_of, caps_count_both) {
  constexpr int D = TypeParam::D;
  using T = typename TypeParam::T;
  Asked<D, T> asked(shapes_of<D, T>(41, 2));
  const auto counts_of = [&](const SceneSpan<D, T>& scene, const CollideOptions& options) {
    ContactBuffer<D, T> contacts;
    Workspace<D, T> workspace;
    try {
      collide<D, T>(scene, contacts, workspace, options);
    } catch (const CapacityError& error) {
      EXPECT_TRUE(error.needed().exact);
      return error.needed().pairs;
    }
    return std::int64_t{-1};
  };
  CollideOptions options;
  ContactBuffer<D, T> contacts;
  for (const bool moving_pairs : {true, false}) {
    options.max_pairs = kNoCap;
    options.moving_pairs = moving_pairs;
    collide<D, T>(asked.both, contacts, asked.workspace, options);
    const auto found = static_cast<std::int64_t>(asked.workspace.pairs().size());
    ASSERT_GT(found, 1);
    options.max_pairs = static_cast<std::size_t>(found);
    EXPECT_EQ(counts_of(asked.both, options), -1);
    options.max_pairs -= 1;
    EXPECT_EQ(counts_of(asked.both, options), found);
    if (moving_pairs) {
      EXPECT_EQ(counts_of(asked.scenes.joined, options), found);
    }
  }
}

TYPED_TEST(kept_steps_of, stages_and_streams_are_the_call) {
  constexpr int D = TypeParam::D;
  using T = typename TypeParam::T;
  Asked<D, T> asked(shapes_of<D, T>(51, 2));
  ContactBuffer<D, T> contacts, same, chunks;
  collide<D, T>(asked.both, contacts, asked.workspace);
  EXPECT_GT(contacts.size(), 0u);
  update_bounds<D, T>(asked.both, asked.workspace);
  find_pairs<D, T>(asked.both, asked.workspace);
  const Column<Pair>& pairs = asked.workspace.pairs();
  find_contacts<D, T>(asked.both, {pairs.plane(), pairs.size()}, same, asked.workspace);
  EXPECT_TRUE(same_contacts(contacts, same));
  // The same pairs as the caller's own.
  const std::vector<Pair> own(pairs.begin(), pairs.end());
  find_contacts<D, T>(asked.both, own, same, asked.workspace);
  EXPECT_TRUE(same_contacts(contacts, same));
  EXPECT_THROW((find_contacts<D, T>(asked.scenes.moving, own, same, asked.workspace)), Error);
  EXPECT_THROW((find_pairs<D, T>(asked.scenes.moving, asked.workspace)), Error);
  std::size_t at = 0;
  stream_collide<D, T>(
      asked.both,
      [&](const ContactBuffer<D, T>& chunk) {
        for (std::size_t i = 0; i < chunk.size(); ++i, ++at) {
          EXPECT_EQ(chunk.pair[i], contacts.pair[at]);
          EXPECT_EQ(answer_bits(chunk, i), answer_bits(contacts, at));
        }
      },
      asked.workspace);
  EXPECT_EQ(at, contacts.size());

  // A tracker's step by stages.
  Tracker<D, T> tracker, staged;
  CollideOptions options;
  options.steadiness = 0.01;
  for (int step = 0; step < 2; ++step) {
    collide<D, T>(asked.both, contacts, asked.workspace, tracker, options);
    CollideOptions own_words = options;
    own_words.warm_starts = begin_step<D, T>(asked.both, own, staged, options);
    update_bounds<D, T>(asked.both, asked.workspace, options);
    find_contacts<D, T>(asked.both, own, same, asked.workspace, own_words);
    end_step<D, T>(same, staged, options);
    EXPECT_TRUE(same_contacts(contacts, same));
    EXPECT_TRUE(std::equal(tracker.last_point().begin(), tracker.last_point().end(),
                           staged.last_point().begin(), staged.last_point().end()));
  }
}

TEST(kept_steps, bodies_of_both_are_named) {
  // Two bodies move; the static scene has one that carries its second box, numbered behind these.
  SceneColumns<2, float> moving, level;
  moving.bodies.position = {{0, 0}, {10, 0}};
  moving.circles.center = {{0, 0}, {0, 0}};
  moving.circles.radius = {1, 1};
  moving.circles.body = {0, 1};
  level.bodies.position = {{9, 0}};
  level.aabbs.min = {{0.5f, 0}, {0, 0}};
  level.aabbs.max = {{1.5f, 1}, {0.5f, 1}};
  level.aabbs.body = {-1, 0};
  Workspace<2, float> workspace;
  StaticScene<2, float> kept;
  build_static_scene<2, float>(level, kept, workspace);
  moving.kept = &kept;
  ContactBuffer<2, float> contacts;
  CollideOptions options;
  options.order = Order::id;
  collide<2, float>(moving, contacts, workspace, options);
  Column<std::int32_t, 2> bodies;
  contact_bodies<2, float>(moving, contacts, bodies);
  ASSERT_EQ(contacts.size(), 2u);
  EXPECT_EQ(contacts.pair[0], (Pair{0, 2}));
  EXPECT_EQ(contacts.pair[1], (Pair{1, 3}));
  EXPECT_EQ(bodies(0, 0), 0);
  EXPECT_EQ(bodies(0, 1), -1);
  EXPECT_EQ(bodies(1, 0), 1);
  EXPECT_EQ(bodies(1, 1), 2);
  // By that number it is excluded; what is left is the nearest pair too.
  moving.excluded_bodies = {{2, 1}};
  collide<2, float>(moving, contacts, workspace, options);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_EQ(contacts.pair[0], (Pair{0, 2}));
  WorldDistanceBuffer<2, float> least;
  min_distance<2, float>(moving, least, workspace);
  EXPECT_EQ(least.pair[0], (Pair{0, 2}));
  // A halfspace of that body too.
  level.halfspaces.normal = {{0, 1}};
  level.halfspaces.offset = {0};
  level.halfspaces.body = {0};
  build_static_scene<2, float>(level, kept, workspace);
  collide<2, float>(moving, contacts, workspace, options);
  ASSERT_EQ(contacts.size(), 2u);
  EXPECT_EQ(contacts.pair[1], (Pair{0, 4}));
}

TEST(kept_steps, moving_shapes_need_not_meet_one_another) {
  // Two balls overlap; each is 1 from its own wall.
  SceneColumns<2, float> moving, level;
  moving.circles.center = {{0, 0}, {1, 0}};
  moving.circles.radius = {1, 1};
  level.aabbs.min = {{-3, -1}, {3.5f, -1}};
  level.aabbs.max = {{-2, 1}, {4, 1}};
  Workspace<2, float> workspace;
  StaticScene<2, float> kept;
  build_static_scene<2, float>(level, kept, workspace);
  moving.kept = &kept;
  CollideOptions options;
  options.moving_pairs = false;
  std::vector<std::uint8_t> hits(1);
  any_contact<2, float>(moving, hits, workspace, options);
  EXPECT_EQ(hits[0], 0);
  WorldDistanceBuffer<2, float> least;
  min_distance<2, float>(moving, least, workspace, options);
  EXPECT_EQ(least.pair[0], (Pair{0, 2}));
  EXPECT_EQ(least.distance[0], 1);
  options.moving_pairs = true;
  any_contact<2, float>(moving, hits, workspace, options);
  EXPECT_EQ(hits[0], 1);
  min_distance<2, float>(moving, least, workspace, options);
  EXPECT_EQ(least.distance[0], -1);
}

TEST(kept_steps, ids_of_both_are_located) {
  SceneColumns<2, float> moving, level;
  moving.circles.center = {{0, 0}, {3, 0}};
  moving.circles.radius = {1, 1};
  moving.capsules.a = moving.capsules.b = {{0, 3}};
  moving.capsules.radius = {1};
  level.capsules = moving.capsules;
  level.aabbs.min = {{0, 0}, {2, 2}};
  level.aabbs.max = {{1, 1}, {3, 3}};
  Workspace<2, float> workspace;
  StaticScene<2, float> kept;
  build_static_scene<2, float>(level, kept, workspace);
  std::vector<Kind> kinds(6);
  std::vector<std::int32_t> rows(6);
  const std::vector<std::int32_t> ids{5, 4, 3, 2, 1, 0};
  const auto located = [&] {
    return error_of([&] { locate(SceneSpan<2, float>(moving), ids, kinds, rows); });
  };
  EXPECT_EQ(located(), "ids[0] is 5; the scene's ids are 0 to 2");
  moving.kept = &kept;
  EXPECT_EQ(located(), "no error");
  EXPECT_EQ(kinds, (std::vector<Kind>{Kind::aabb, Kind::aabb, Kind::capsule, Kind::capsule,
                                      Kind::sphere, Kind::sphere}));
  EXPECT_EQ(rows, (std::vector<std::int32_t>{1, 0, 0, 0, 1, 0}));
  for (const std::int32_t id : {-1, 6}) {
    const std::vector<std::int32_t> wrong{0, id};
    EXPECT_EQ(error_of([&] {
                locate(SceneSpan<2, float>(moving), wrong, {kinds.data(), 2}, {rows.data(), 2});
              }),
              "ids[1] is " + std::to_string(id) +
                  "; the ids of the scene and of what it keeps are 0 to 5");
  }
}

TEST(kept_steps, contacts_persist_while_the_level_changes) {
  // A ball lies on tile 0 of a floor. Keys are rows. First the number of moving shapes changes,
  // then a tile is added behind, then tile 0 is another shape by its key.
  const auto level_of = [](std::vector<std::int64_t> keys) {
    SceneColumns<3, float> level;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const auto x = static_cast<float>(2 * i);
      level.aabbs.min.push_back({x - 1, -1, -1});
      level.aabbs.max.push_back({x + 1, 1, 0});
      level.aabbs.key.push_back({keys[i]});
    }
    return level;
  };
  SceneColumns<3, float> moving;
  moving.spheres.center = {{0, 0, 0.5f}};
  moving.spheres.radius = {0.5f};
  Workspace<3, float> workspace;
  StaticScene<3, float> kept;
  build_static_scene<3, float>(level_of({7, 8}), kept, workspace);
  moving.kept = &kept;
  Tracker<3, float> tracker;
  ContactBuffer<3, float> contacts;
  const auto step = [&] {
    collide<3, float>(moving, contacts, workspace, tracker);
    ASSERT_EQ(contacts.size(), 1u);
  };
  step();
  EXPECT_EQ(tracker.last_contact()[0], -1);
  // The ball in the air has the key 7 too, which is not the tile's.
  moving.spheres.center.push_back({0, 0, 50});
  moving.spheres.radius.push_back({0.5f});
  moving.spheres.key = {0, 7};
  step();
  EXPECT_EQ(tracker.last_contact()[0], 0);
  EXPECT_EQ(tracker.last_point()[0], 0);
  build_static_scene<3, float>(level_of({7, 8, 9}), kept, workspace);
  step();
  EXPECT_EQ(tracker.last_contact()[0], 0);
  EXPECT_EQ(tracker.ended().size(), 0u);
  build_static_scene<3, float>(level_of({6, 8, 9}), kept, workspace);
  step();
  EXPECT_EQ(tracker.last_contact()[0], -1);
  ASSERT_EQ(tracker.ended().size(), 1u);
  EXPECT_EQ(tracker.ended().key(0, 1), 7);
  // The ball of key 0 and the tile of key 7, not the ball in the air.
  EXPECT_EQ(tracker.ended().kept(0, 0), 0);
  EXPECT_EQ(tracker.ended().kept(0, 1), 1);
  // Without a static scene the contact ends, and begins anew when it is back.
  moving.kept = nullptr;
  collide<3, float>(moving, contacts, workspace, tracker);
  EXPECT_EQ(contacts.size(), 0u);
  EXPECT_EQ(tracker.ended().size(), 1u);
}

}  // namespace
}  // namespace widephase::test
