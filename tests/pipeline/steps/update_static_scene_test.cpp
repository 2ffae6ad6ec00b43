// Rows of a static scene that are read again: every answer is that of one built from scratch, and a
// tracker goes on.
// Labels: threads dated

#include <gtest/gtest.h>

#include <thread>

#include <widephase/static_scene.hpp>
#include <widephase/tracker.hpp>
#include <widephase/worlds.hpp>

#include "reference/scaled.hpp"
#include "support/error_of.hpp"
#include "support/two_scenes.hpp"

namespace widephase::test {
namespace {

template <class Case>
class updated : public testing::Test {};
TYPED_TEST_SUITE(updated, Precisions);

/// Moves every `nth` shape that names no geometry, and gives it other tags; answers the ids.
template <int D, class T>
std::vector<std::int32_t> change(SceneColumns<D, T>& scene, std::size_t nth, int worlds,
                                 Random& random) {
  const SceneLayout layout = layout_of(scene);
  std::vector<std::int32_t> ids;
  for_each_table(scene, [&](auto& table) {
    constexpr Kind kKind = std::remove_cvref_t<decltype(table)>::kind;
    for (std::size_t row = 0; row < row_count(table); row += nth) {
      for (int k = 0; k < D; ++k) {
        const auto by = static_cast<PositionOf<T>>(random.uniform(-0.5, 0.5));
        if constexpr (requires { table.center; }) table.center(row, k) += by;
        if constexpr (kKind == Kind::capsule) table.a(row, k) += by;
      }
      if constexpr (kKind == Kind::halfspace) table.offset[row] += static_cast<PositionOf<T>>(0.25);
      if (worlds != 0) {
        table.world[row] = static_cast<std::int32_t>(random.integer(-1, worlds - 1));
        table.owner[row] = static_cast<std::int32_t>(random.integer(-1, 3));
        table.category[row] = 1u << random.integer(0, 2);
        table.margin[row] = static_cast<SizeOf<T>>(random.uniform(0, 0.1));
      }
      ids.push_back(layout.id(kKind, static_cast<std::int32_t>(row)));
    }
  });
  return ids;
}

template <int D, class T>
void expect_same_answers(const SceneColumns<D, T>& moving, const StaticScene<D, T>& kept,
                         const StaticScene<D, T>& rebuilt, Workspace<D, T>& workspace,
                         const CollideOptions& options) {
  SceneSpan<D, T> both = moving, expected = moving;
  both.kept = &kept;
  expected.kept = &rebuilt;
  ContactBuffer<D, T> contacts, of_rebuilt;
  Workspace<D, T> other;
  collide<D, T>(both, contacts, workspace, options);
  collide<D, T>(expected, of_rebuilt, other, options);
  ASSERT_GT(contacts.size(), 0u);
  EXPECT_TRUE(same_contacts(contacts, of_rebuilt));
  if (moving.domain.is_periodic()) return;
  const auto worlds = static_cast<std::size_t>(world_count<D, T>(both));
  ASSERT_EQ(worlds, static_cast<std::size_t>(world_count<D, T>(expected)));
  std::vector<std::uint8_t> hits(worlds), expected_hits(worlds);
  any_contact<D, T>(both, hits, workspace, options);
  any_contact<D, T>(expected, expected_hits, other, options);
  EXPECT_EQ(hits, expected_hits);
  WorldDistanceBuffer<D, T> least, expected_least;
  min_distance<D, T>(both, least, workspace, options);
  min_distance<D, T>(expected, expected_least, other, options);
  for (std::size_t w = 0; w < worlds; ++w) {
    EXPECT_EQ(least.pair[w], expected_least.pair[w]);
    EXPECT_EQ(least.distance[w], expected_least.distance[w]);
  }
}

TYPED_TEST(updated, rows_answer_as_if_all_were_built_anew) {
  constexpr int D = TypeParam::D;
  using T = typename TypeParam::T;
  for (const int worlds : {0, 1, 40}) {
    for (const bool is_periodic : {false, true}) {
      SCOPED_TRACE(std::to_string(worlds) + (is_periodic ? " worlds, periodic" : " worlds"));
      SceneColumns<D, T> all = mixed_scene<D, T>(scaled(600, 200), 3, worlds);
      if (is_periodic) {
        all = {};
        add_mixed(all, {scaled(300, 100), 61, 1.0, 0});
        if (worlds != 0) add_tags(all, worlds, 5);
        for (int k = 0; k < D; ++k) {
          all.domain.min[k] = -10;
          all.domain.max[k] = 60;
          all.domain.periodic[k] = true;
        }
      }
      TwoScenes<D, T> scenes(all, 3);
      scenes.moving.excluded.clear();
      CollideOptions options;
      options.margin = 0.125;
      Workspace<D, T> workspace;
      StaticScene<D, T> kept;
      build_static_scene<D, T>(scenes.kept, kept, workspace, options);
      expect_same_answers<D, T>(scenes.moving, kept, kept, workspace, options);
      Random random(4);
      for (const std::size_t nth : {std::size_t{5}, std::size_t{1}, std::size_t{50}}) {
        std::vector<std::int32_t> ids = change(scenes.kept, nth, worlds, random);
        std::reverse(ids.begin(), ids.end());
        ids.push_back(ids.front());  // order and repeats do not matter
        update_static_scene<D, T>(scenes.kept, ids, kept, workspace);
        StaticScene<D, T> rebuilt;
        build_static_scene<D, T>(scenes.kept, rebuilt, workspace, options);
        expect_same_answers<D, T>(scenes.moving, kept, rebuilt, workspace, options);
        if (::testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

/// Boxes of half extents 1 with gaps of 1 between them along x, under balls of radius 1 whose
/// centres are 1.5 above the boxes' centres: each ball is 0.5 deep in its box.
template <class T>
struct Row {
  SceneColumns<3, T> level, balls;

  explicit Row(int count) {
    for (int i = 0; i < count; ++i) {
      level.boxes.center.push_back({PositionOf<T>(3) * PositionOf<T>(i), 0, 0});
      level.boxes.turn.push_back({0, 0, 0, 1});
      level.boxes.half_extents.push_back({1, 1, 1});
      balls.spheres.center.push_back({PositionOf<T>(3) * PositionOf<T>(i), 0, PositionOf<T>(1.5)});
      balls.spheres.radius.push_back({1});
    }
  }
};

TEST(updated_rows, of_a_tracker_go_on_by_key_and_end_where_they_move_away) {
  Row<float> row(5);
  row.level.boxes.key = {10, 11, 12, 13, 14};
  row.level.boxes.world = {0, 0, 0, 0, 0};
  Workspace<3, float> workspace;
  StaticScene<3, float> kept;
  build_static_scene<3, float>(row.level, kept, workspace);
  SceneSpan<3, float> both = row.balls;
  both.kept = &kept;
  Tracker<3, float> tracker;
  ContactBuffer<3, float> contacts;
  CollideOptions options;
  options.order = Order::id;
  collide<3, float>(both, contacts, workspace, tracker, options);
  ASSERT_EQ(contacts.size(), 5u);

  // Box 1 sinks by 0.25, box 2 goes away, box 3 is another one, box 4 is in a world without balls.
  // Ball 0 and box 0 are as they were.
  row.level.boxes.center(1, 2) = -0.25f;
  row.level.boxes.center(2, 2) = -9;
  row.level.boxes.key[3] = 99;
  row.level.boxes.world[4] = 1;
  const std::vector<std::int32_t> ids{1, 2, 3, 4};
  update_static_scene<3, float>(row.level, ids, kept, workspace);
  collide<3, float>(both, contacts, workspace, tracker, options);
  ASSERT_EQ(contacts.size(), 3u);
  EXPECT_EQ(contacts.depth[0], 0.5f);
  EXPECT_EQ(contacts.depth[1], 0.25f);
  EXPECT_EQ(contacts.depth[2], 0.5f);
  const auto& last = tracker.last_contact();
  EXPECT_EQ((std::vector<std::int64_t>(last.begin(), last.end())),
            (std::vector<std::int64_t>{0, 1, -1}));
  std::vector<std::int64_t> ended;
  for (std::size_t i = 0; i < tracker.ended().size(); ++i) {
    ended.push_back(std::max(tracker.ended().key(i, 0), tracker.ended().key(i, 1)));
  }
  std::sort(ended.begin(), ended.end());
  EXPECT_EQ(ended, (std::vector<std::int64_t>{12, 13, 14}));
}

TEST(updated_rows, keep_points_by_place_as_the_shape_moves) {
  // With steadiness a point is matched by its place on the shape, which has frames of both steps.
  Row<double> row(2);
  Workspace<3, double> workspace;
  StaticScene<3, double> kept;
  build_static_scene<3, double>(row.level, kept, workspace);
  SceneSpan<3, double> both = row.balls;
  both.kept = &kept;
  Tracker<3, double> tracker, of_rebuilt;
  ContactBuffer<3, double> contacts;
  Workspace<3, double> other;
  CollideOptions options;
  options.steadiness = 0.01;
  for (int step = 0; step < 3; ++step) {
    row.level.boxes.center(0, 2) = 0.001 * step;
    const std::vector<std::int32_t> ids{0};
    update_static_scene<3, double>(row.level, ids, kept, workspace);
    collide<3, double>(both, contacts, workspace, tracker, options);
    StaticScene<3, double> rebuilt;
    build_static_scene<3, double>(row.level, rebuilt, other);
    SceneSpan<3, double> expected = row.balls;
    expected.kept = &rebuilt;
    collide<3, double>(expected, contacts, other, of_rebuilt, options);
    ASSERT_EQ(tracker.last_point().size(), of_rebuilt.last_point().size());
    for (std::size_t i = 0; i < tracker.last_point().size(); ++i) {
      EXPECT_EQ(tracker.last_point()[i], of_rebuilt.last_point()[i]);
      EXPECT_EQ(tracker.last_point()[i], step == 0 ? -1 : static_cast<std::int64_t>(i));
    }
  }
}

TEST(updated_rows, may_bring_columns_that_the_scene_lacked) {
  Row<float> row(3);
  Workspace<3, float> workspace;
  StaticScene<3, float> kept;
  build_static_scene<3, float>(row.level, kept, workspace);
  row.balls.spheres.owner = {7, 7, 7};
  row.level.boxes.owner = {-1, 7, -1};
  row.level.boxes.world = {0, 0, 5};
  row.level.boxes.key = {0, 8, 9};
  const std::vector<std::int32_t> ids{1, 2};
  update_static_scene<3, float>(row.level, ids, kept, workspace);
  SceneSpan<3, float> both = row.balls;
  both.kept = &kept;
  EXPECT_EQ((world_count<3, float>(both)), 6);
  ContactBuffer<3, float> contacts;
  collide<3, float>(both, contacts, workspace);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_EQ(contacts.pair[0], (Pair{0, 3}));
}

TEST(updated_rows, are_placed_by_their_bodies) {
  Row<float> row(2);
  row.level.boxes.body = {0, 1};
  row.level.bodies.position = {{0, 0, 0}, {0, 0, 0}};
  Workspace<3, float> workspace;
  StaticScene<3, float> kept;
  build_static_scene<3, float>(row.level, kept, workspace);
  row.level.bodies.position.set(1, {0, 0, 0.25f});
  const std::vector<std::int32_t> ids{1};
  update_static_scene<3, float>(row.level, ids, kept, workspace);
  ContactBuffer<3, float> contacts;
  collide<3, float>(row.balls, kept, contacts, workspace);
  ASSERT_EQ(contacts.size(), 2u);
  EXPECT_EQ(contacts.depth[0] + contacts.depth[1], 0.5f + 0.75f);
}

TEST(updated_rows, that_are_wrong_are_named_and_change_nothing) {
  Row<float> row(3);
  Workspace<3, float> workspace;
  StaticScene<3, float> kept;
  const std::vector<std::int32_t> last{2};
  const auto text = [&](const SceneColumns<3, float>& scene, const std::vector<std::int32_t>& ids) {
    return error_of([&] { update_static_scene<3, float>(scene, ids, kept, workspace); });
  };
  try {
    update_static_scene<3, float>(row.level, last, kept, workspace);
    ADD_FAILURE() << "an empty one was updated";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "the static scene is empty; call build_static_scene before its rows change");
  }
  build_static_scene<3, float>(row.level, kept, workspace);
  SceneColumns<3, float> wrong = row.level;
  wrong.boxes.center(2, 1) = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(text(wrong, last).starts_with("box.center[2] is nan; ")) << text(wrong, last);
  EXPECT_EQ(text(wrong, {0, 1}), "no error");  // row 2 is not read
  wrong = row.level;
  wrong.boxes.center(0, 2) = 50;
  wrong.boxes.owner = {-1, -1, -5};
  EXPECT_TRUE(text(wrong, {0, 2}).starts_with("box.owner[2] is -5; ")) << text(wrong, {0, 2});
  EXPECT_EQ(text(row.level, {0, -1}),
            "ids[1] is -1; the static scene has 3 shapes, whose ids begin at 0");
  EXPECT_EQ(text(Row<float>(2).level, {0}),
            "box has 2 rows; the static scene was built with 3, so build it anew where their "
            "number changes");
  wrong = row.level;
  wrong.boxes.half_extents.push_back({1, 1, 1});
  EXPECT_TRUE(text(wrong, {0}).starts_with("box.half_extents has 4 rows")) << text(wrong, {0});
  wrong = row.level;
  wrong.domain = {{0, 0, 0}, {99, 99, 99}, {true, false, false}};
  EXPECT_EQ(text(wrong, {0}), "domain is another than the static scene's; build it anew");
  wrong = row.level;
  wrong.geometries.vertices.push_back({0, 0, 0});
  wrong.geometries.offsets = {0, 1};
  EXPECT_TRUE(text(wrong, {0}).starts_with("geometries.vertices has 1 rows; ")) << text(wrong, {0});
  ContactBuffer<3, float> contacts;
  collide<3, float>(row.balls, kept, contacts, workspace);
  ASSERT_EQ(contacts.size(), 3u);
  for (const float depth : contacts.depth) EXPECT_EQ(depth, 0.5f);
  EXPECT_EQ(text(row.level, {}), "no error");
  collide<3, float>(row.balls, kept, contacts, workspace);
  EXPECT_EQ(contacts.size(), 3u);
}

TEST(static_trees, are_made_by_the_first_threads_that_ask) {
  // 200 worlds of a ball 0.5 deep in a box, and each thread's own workspace. All ask at once for
  // trees that nobody has made: for the contacts, and for the least distance.
  constexpr int kWorlds = 200;
  Row<float> row(kWorlds);
  for (std::int32_t w = 0; w < kWorlds; ++w) {
    row.level.boxes.world.push_back({w});
    row.balls.spheres.world.push_back({w});
  }
  Workspace<3, float> workspace;
  StaticScene<3, float> kept;
  build_static_scene<3, float>(row.level, kept, workspace);
  const std::size_t bytes = kept.bytes();
  SceneSpan<3, float> both = row.balls;
  both.kept = &kept;
  std::vector<std::thread> threads;
  std::vector<int> right(4, 0);
  for (std::size_t t = 0; t < right.size(); ++t) {
    threads.emplace_back([&, t] {
      Workspace<3, float> own;
      ContactBuffer<3, float> contacts;
      WorldDistanceBuffer<3, float> least;
      CollideOptions options;
      options.threads.count = 1;
      if (t % 2 == 0) collide<3, float>(both, contacts, own, options);
      min_distance<3, float>(both, least, own, options);
      if (t % 2 == 1) collide<3, float>(both, contacts, own, options);
      bool is_right = contacts.size() == kWorlds && least.distance.size() == kWorlds;
      for (const float distance : least.distance) is_right &= distance == -0.5f;
      right[t] = is_right ? 1 : 0;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, std::vector<int>(4, 1));
  EXPECT_GT(kept.bytes(), bytes);
}

}  // namespace
}  // namespace widephase::test
