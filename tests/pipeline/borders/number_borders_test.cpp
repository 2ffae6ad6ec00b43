// Numbers of a caller are checked before they are used: threads below 0, unlimited worlds. Each is
// refused by its name, and the message writes the number with enough digits to tell it from others.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <widephase/bounds_tree.hpp>
#include <widephase/distance.hpp>
#include <widephase/static_scene.hpp>
#include <widephase/stream_contacts.hpp>
#include <widephase/support.hpp>
#include <widephase/tracker.hpp>
#include <widephase/worlds.hpp>

#include "support/error_of.hpp"
#include "support/scenes.hpp"

namespace widephase::test {
namespace {

TEST(borders, threads_below_none) {
  SceneColumns<3, float> scene;
  append(scene, ball<3>({0, 0, 0}, 1));
  append(scene, ball<3>({1, 0, 0}, 1));
  CollideOptions options;
  options.threads.count = -1;
  PairOptions pair_options;
  pair_options.threads.count = -1;
  const std::string text =
      "threads.count is -1; it must be 0, for all of the arena's threads, or more";
  const std::vector<Pair> list{{0, 1}};
  std::vector<std::uint8_t> one(1);
  ContactBuffer<3, float> contacts;
  DistanceBuffer<3, float> found;
  WorldDistanceBuffer<3, float> by_world;
  SupportBuffer<3, float> support;
  Workspace<3, float> workspace;
  Tracker<3, float> tracker;
  StaticScene<3, float> kept;
  build_static_scene<3, float>(scene, kept, workspace);
  PlacedScene<3, float> placed;
  const std::vector<std::int32_t> ids{0};
  const float up[3] = {0, 0, 1};
  const auto direction = ColumnSpan<float, 3>::interleaved(up, 1);
  const auto sink = [](const ContactBuffer<3, float>&) {};
  PairWorkspace<3, float> pair_workspace;
  BoundsTree<3, float> tree;
  BoundsBuffer<3, float> boxes;
  Column<Pair> pairs;
  const auto refuses = [&](const char* call, const auto& action) {
    EXPECT_EQ(error_of(action), text) << call;
  };
  refuses("collide", [&] { collide<3, float>(scene, contacts, workspace, options); });
  refuses("static", [&] { collide<3, float>(scene, kept, contacts, workspace, options); });
  refuses("build", [&] { build_static_scene<3, float>(scene, kept, workspace, options); });
  refuses("tracker", [&] { collide<3, float>(scene, contacts, workspace, tracker, options); });
  refuses("pairs", [&] { collide_pairs<3, float>(scene, list, contacts, workspace, options); });
  refuses("test", [&] { test_pairs<3, float>(scene, list, one, workspace, options); });
  refuses("distances", [&] { distances<3, float>(scene, list, found, workspace, options); });
  refuses("stream", [&] { stream_collide<3, float>(scene, sink, workspace, options); });
  refuses("any", [&] { any_contact<3, float>(scene, one, workspace, options); });
  refuses("min", [&] { min_distance<3, float>(scene, by_world, workspace, options); });
  refuses("support",
          [&] { support_points<3, float>(scene, ids, direction, support, workspace, options); });
  refuses("begin_step", [&] { begin_step<3, float>(scene, list, tracker, options); });
  begin_step<3, float>(scene, list, tracker);
  refuses("end_step", [&] { end_step<3, float>(contacts, tracker, options); });
  refuses("place", [&] { place<3, float>(scene, {}, placed, options.threads); });
  update_bounds<3, float>(scene, workspace);
  refuses("update_bounds", [&] { update_bounds<3, float>(scene, workspace, options); });
  update_bounds<3, float>(scene, workspace);
  refuses("find_pairs", [&] { find_pairs<3, float>(scene, workspace, options); });
  refuses("find_contacts",
          [&] { find_contacts<3, float>(scene, list, contacts, workspace, options); });
  refuses("boxes",
          [&] { find_pairs<3, float>(boxes, {}, {}, pairs, pair_workspace, pair_options); });
  refuses("build_tree",
          [&] { build_tree<3, float>(boxes, {}, {}, tree, pair_workspace, pair_options); });
  refuses("tree",
          [&] { find_pairs<3, float>(tree, boxes, {}, pairs, pair_workspace, pair_options); });
}

// --- worlds ---

/// Three balls that touch one another, one of them in another world.
template <int D, class T>
SceneColumns<D, T> with_world(std::int32_t world) {
  SceneColumns<D, T> scene;
  for (int i = 0; i < 3; ++i) append(scene, ball<D>({0.5 * i}, 1));
  for_each_table(scene, [&](auto& table) {
    if (std::remove_cvref_t<decltype(table)>::kind != Kind::sphere) return;
    for (const std::int32_t of : {0, world, 0}) table.world.push_back({of});
  });
  return scene;
}

template <int D, class T>
void check_worlds_without_bound() {
  constexpr std::int32_t kFew = 1 << 24;  // 64 * 3 is less
  const std::string name = D == 2 ? "circle" : "sphere";
  ContactBuffer<D, T> contacts;
  Workspace<D, T> workspace;
  Tracker<D, T> tracker;
  WorldDistanceBuffer<D, T> least;
  StaticScene<D, T> kept;
  for (const std::int32_t world : {kFew, 2147483646}) {
    const SceneColumns<D, T> scene = with_world<D, T>(world);
    const SceneColumns<D, T> near = with_world<D, T>(1);
    const auto text = [&](const std::string& what, int shapes = 3) {
      return name + ".world[1] is " + std::to_string(world) + "; " + what +
             " takes room for every world up to the largest, of " + std::to_string(shapes) +
             " shapes for worlds below 16777216; number the worlds from 0 on without large gaps";
    };
    std::vector<std::uint8_t> one(1);
    CollideOptions by_world, masked, told;
    by_world.order = Order::world;
    masked.world_mask = one;
    told.world_status = one;
    EXPECT_EQ(error_of([&] { any_contact<D, T>(scene, one, workspace); }), text("any_contact"));
    EXPECT_EQ(error_of([&] { min_distance<D, T>(scene, least, workspace); }), text("min_distance"));
    EXPECT_EQ(error_of([&] { collide<D, T>(scene, contacts, workspace, by_world); }),
              text("order world"));
    EXPECT_EQ(contacts.size(), 0u);
    EXPECT_EQ(error_of([&] { collide<D, T>(scene, contacts, workspace, masked); }),
              text("world_mask"));
    EXPECT_EQ(error_of([&] { collide<D, T>(scene, contacts, workspace, told); }),
              text("world_status"));
    // Either a static scene or what moves over it may have it.
    build_static_scene<D, T>(near, kept, workspace);
    EXPECT_EQ(error_of([&] { collide<D, T>(scene, kept, contacts, workspace, by_world); }),
              text("order world", 6));
    EXPECT_EQ(error_of([&] { collide<D, T>(scene, kept, contacts, workspace, masked); }),
              text("world_mask", 6));
    build_static_scene<D, T>(scene, kept, workspace);
    EXPECT_EQ(error_of([&] { collide<D, T>(near, kept, contacts, workspace, by_world); }),
              text("order world", 6));
    EXPECT_EQ(error_of([&] { collide<D, T>(near, kept, contacts, workspace, told); }),
              text("world_status", 6));
    // The others take no room by it: ball 1 is alone, 0 and 2 are at distance 1 with radii of 1.
    for (const Order order : {Order::kind, Order::source, Order::id}) {
      CollideOptions options;
      options.order = order;
      collide<D, T>(scene, contacts, workspace, options);
      ASSERT_EQ(contacts.size(), 1u);
      EXPECT_EQ(contacts.depth[0], 1);
      collide<D, T>(scene, contacts, workspace, tracker, options);
      EXPECT_EQ(contacts.size(), 1u);
      collide<D, T>(near, kept, contacts, workspace, options);
      EXPECT_GT(contacts.size(), 1u);
    }
    EXPECT_LT(workspace.bytes() + tracker.bytes() + kept.bytes(), std::size_t{1} << 22);
  }
  // The largest world that is answered.
  const SceneColumns<D, T> scene = with_world<D, T>(kFew - 1);
  CollideOptions options;
  options.order = Order::world;
  collide<D, T>(scene, contacts, workspace, options);
  EXPECT_EQ(contacts.world_offset.size(), static_cast<std::size_t>(kFew) + 1);
  std::vector<std::uint8_t> is_contact(kFew);
  any_contact<D, T>(scene, is_contact, workspace);
  EXPECT_EQ(is_contact[0], 1);
  EXPECT_EQ(is_contact[kFew - 1], 0);
}

TEST(borders, worlds_without_bound) {
  static_assert(most_worlds(3) == 1 << 24 && most_worlds(1 << 18) == 1 << 24);
  static_assert(most_worlds(1 << 20) == 1 << 26);
  check_worlds_without_bound<2, double>();
  check_worlds_without_bound<3, float>();
}

// --- numbers in messages ---

TEST(borders, numbers_have_the_digits_that_tell_them_apart) {
  // A margin of 1e-8 beside one of 2e-8; with six decimals both would be 0.
  SceneColumns<3, double> scene;
  append(scene, ball<3>({0, 0, 0}, 1));
  StaticScene<3, double> kept;
  Workspace<3, double> workspace;
  ContactBuffer<3, double> contacts;
  CollideOptions options;
  options.margin = 1e-8;
  build_static_scene<3, double>(scene, kept, workspace, options);
  options.margin = 2e-8;
  std::string text;
  try {
    collide<3, double>(scene, kept, contacts, workspace, options);
  } catch (const Error& error) {
    text = error.what();
  }
  EXPECT_EQ(text,
            "the margin is 2e-08; the static scene was built for margins up to 1e-08, so build it "
            "with the largest one");
  // A periodic axis 1e-9 long, and boxes of twice that.
  BoundsBuffer<2, double> boxes;
  for (int i = 0; i < 2; ++i) {
    boxes.min.push_back({0, 0});
    boxes.max.push_back({2e-9, 1});
  }
  Domain<2, double> domain;
  domain.max = {1e-9, 1};
  domain.periodic = {true, false};
  Column<Pair> pairs;
  PairWorkspace<2, double> scratch;
  EXPECT_EQ(error_of([&] { find_pairs<2, double>(boxes, {}, domain, pairs, scratch); }),
            "domain.max[0] is 1e-09, which makes the axis 1e-09 long; a periodic axis must be "
            "longer than the two largest widths of bounds along it together, 2e-09 and 2e-09");
  domain.min = {3e-9, 0};
  EXPECT_EQ(error_of([&] { find_pairs<2, double>(boxes, {}, domain, pairs, scratch); }),
            "domain.max[0] is 1e-09 with domain.min 3e-09; a periodic axis must be finite and "
            "longer than 0");
}

}  // namespace
}  // namespace widephase::test
