// Every point of a scene with a surface of triangles has its parts, in every order of contacts, on
// any threads, in streams and with a static scene; the tracker tells of patches the same by
// `collide` and by its two parts.
// Labels: threads

#include <gtest/gtest.h>

#include <widephase/heightfields.hpp>
#include <widephase/static_scene.hpp>
#include <widephase/stream_contacts.hpp>
#include <widephase/tracker.hpp>

#include "support/compare.hpp"
#include "support/executors.hpp"
#include "support/mixed_pairs.hpp"
#include "support/scenes.hpp"

namespace widephase::test {
namespace {

constexpr std::int32_t kColumns = 24;

/// A field of bumps about the origin, in every world.
template <class T>
SceneColumns<3, T> field(Random& random) {
  SceneColumns<3, T> scene;
  Column<SizeOf<T>> heights;
  for (std::int32_t i = 0; i < kColumns * kColumns; ++i) {
    heights.push_back({static_cast<SizeOf<T>>(random.uniform(-0.15, 0.15))});
  }
  auto& table = scene.heightfields;
  add_heightfield(scene.heightfield_geometries, ColumnSpan<SizeOf<T>>(heights), kColumns, 0.5, 0.5);
  table.center.push_back({-6, -6, 0});
  table.turn.push_back({0, 0, 0, 1});
  table.geometry.push_back({0});
  table.world.push_back({-1});
  return scene;
}

/// Shapes of all kinds near the field, some of which meet one another.
template <class T>
void add_shapes(Random& random, int count, int worlds, SceneColumns<3, T>& scene) {
  for (int i = 0; i < count; ++i) {
    const Kind kind = bounded_kind(random, 3);
    append(scene,
           random_solid<3>(
               random, kind,
               {random.uniform(-5, 5), random.uniform(-5, 5), random.uniform(-0.1, 0.5)}, 0.5));
    with_table(scene, kind,
               [&](auto& table) { table.world.push_back({random.integer(0, worlds - 1)}); });
  }
}

/// Points of a pair with the field name one of its triangles, others none; counts the former.
template <class T>
std::size_t expect_parts(const SceneLayout& layout, const ContactBuffer<3, T>& contacts) {
  EXPECT_EQ(contacts.part.size(), contacts.point_count());
  std::size_t count = 0;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    for (auto p = static_cast<std::size_t>(contacts.offset[i]);
         p < static_cast<std::size_t>(contacts.offset[i + 1]); ++p) {
      for (int side = 0; side < 2; ++side) {
        const std::int32_t id = side == 0 ? contacts.pair[i].a : contacts.pair[i].b;
        const std::int32_t part = contacts.part(p, side);
        if (layout.kind_of(id) == Kind::heightfield) {
          EXPECT_TRUE(part >= 0 && part < 2 * kColumns * (kColumns - 1)) << part;
          ++count;
        } else {
          EXPECT_EQ(part, -1);
        }
      }
    }
  }
  return count;
}

template <class T>
void expect_parts_everywhere() {
  Random random(2911);
  SceneColumns<3, T> scene = field<T>(random);
  add_shapes(random, 600, 3, scene);
  const SceneLayout layout = layout_of(scene);
  Workspace<3, T> workspace;
  for (const Order order : {Order::kind, Order::source, Order::id, Order::world}) {
    ContactBuffer<3, T> expected;
    for (const int threads : {1, 2, 3, 8}) {
      ContactBuffer<3, T> contacts;
      CollideOptions options;
      options.order = order;
      options.threads.count = threads;
      collide<3, T>(scene, contacts, workspace, options);
      if (threads == 1) {
        const std::size_t of_field = expect_parts(layout, contacts);
        EXPECT_GT(of_field, 300u);
        EXPECT_GT(contacts.point_count(), of_field + 300);
        expected = contacts;
      }
      EXPECT_EQ(hash(contacts), hash(expected)) << static_cast<int>(order) << ", " << threads;
    }
    // The pairs named the other way round: parts change sides.
    CollideOptions options;
    options.order = order;
    std::vector<Pair> pairs(workspace.pairs().begin(), workspace.pairs().end());
    for (Pair& pair : pairs) std::swap(pair.a, pair.b);
    ContactBuffer<3, T> swapped;
    collide_pairs<3, T>(scene, pairs, swapped, workspace, options);
    expect_parts(layout, swapped);
    EXPECT_EQ(swapped.point_count(), expected.point_count());
  }
  ContactBuffer<3, T> whole;
  collide<3, T>(scene, whole, workspace);
  std::size_t at = 0;
  const auto take = [&](const ContactBuffer<3, T>& chunk) {
    ASSERT_EQ(chunk.part.size(), chunk.point_count());
    for (std::size_t p = 0; p < chunk.point_count(); ++p, ++at) {
      ASSERT_LT(at, whole.point_count());
      EXPECT_EQ(chunk.part(p, 0), whole.part(at, 0));
      EXPECT_EQ(chunk.part(p, 1), whole.part(at, 1));
    }
  };
  stream_collide<3, T>(scene, take, workspace);
  EXPECT_EQ(at, whole.point_count());
  // Without the field there are none.
  SceneColumns<3, T> bare = scene;
  bare.heightfields = {};
  collide<3, T>(bare, whole, workspace);
  EXPECT_GT(whole.point_count(), 300u);
  EXPECT_EQ(whole.part.size(), 0u);
}

TEST(parts, are_there_for_all_points_or_none) {
  expect_parts_everywhere<float>();
  expect_parts_everywhere<double>();
  expect_parts_everywhere<Mixed>();
}

/// Patches of one pair lie together and share their source.
TEST(parts, of_patches_ascend) {
  Random random(2912);
  SceneColumns<3, float> scene = field<float>(random);
  add_shapes(random, 300, 1, scene);
  Workspace<3, float> workspace;
  ContactBuffer<3, float> contacts;
  collide<3, float>(scene, contacts, workspace);
  std::size_t patches = 0;
  std::int32_t last = -1;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    std::int32_t lowest = contacts.part(static_cast<std::size_t>(contacts.offset[i]), 1);
    for (auto p = static_cast<std::size_t>(contacts.offset[i]);
         p < static_cast<std::size_t>(contacts.offset[i + 1]); ++p) {
      lowest = std::min(lowest, contacts.part(p, 1));
    }
    const bool is_next = i > 0 && contacts.source[i] == contacts.source[i - 1];
    if (is_next) {
      ++patches;
      EXPECT_EQ(contacts.pair[i], contacts.pair[i - 1]);
      EXPECT_GE(lowest, last);
    }
    last = lowest;
  }
  EXPECT_GT(patches, 50u);
}

/// The tracker's answers as one list.
template <class T>
std::vector<std::int64_t> told(const Tracker<3, T>& tracker) {
  std::vector<std::int64_t> all(tracker.last_contact().begin(), tracker.last_contact().end());
  all.insert(all.end(), tracker.last_point().begin(), tracker.last_point().end());
  all.insert(all.end(), tracker.ended().contact.begin(), tracker.ended().contact.end());
  return all;
}

TEST(parts, are_tracked_the_same_by_all_calls) {
  Random random(2913);
  SceneColumns<3, float> scene = field<float>(random);
  add_shapes(random, 300, 1, scene);
  for (const double steadiness : {0.0, 0.01}) {
    Workspace<3, float> workspace;
    Tracker<3, float> one, several, by_stages;
    std::size_t gone_on = 0, points = 0;
    for (int step = 0; step < 5; ++step) {
      for (std::size_t i = 0; i < scene.spheres.center.size(); ++i)
        scene.spheres.center(i, 0) += 0.005f;
      for (std::size_t i = 0; i < scene.boxes.center.size(); ++i)
        scene.boxes.center(i, 1) += 0.0005f;
      CollideOptions options;
      options.margin = 0.02;
      options.steadiness = steadiness;
      options.threads.count = 1;
      ContactBuffer<3, float> contacts;
      collide<3, float>(scene, contacts, workspace, one, options);
      const std::vector<std::int64_t> expected = told(one);
      for (const std::int64_t last : one.last_point()) points += last >= 0 ? 1 : 0;
      for (std::size_t i = 1; step > 0 && i < contacts.size(); ++i) {
        const bool is_next = contacts.source[i] == contacts.source[i - 1];
        if (is_next && one.last_contact()[i] >= 0) ++gone_on;
      }
      options.threads.count = 4;
      collide<3, float>(scene, contacts, workspace, several, options);
      EXPECT_EQ(told(several), expected);
      const std::vector<Pair> pairs(workspace.pairs().begin(), workspace.pairs().end());
      options.warm_starts = begin_step<3, float>(scene, pairs, by_stages, options);
      find_contacts<3, float>(scene, pairs, contacts, workspace, options);
      end_step<3, float>(contacts, by_stages, options);
      EXPECT_EQ(told(by_stages), expected);
    }
    EXPECT_GT(gone_on, 50u);
    EXPECT_GT(points, 500u);
  }
}

TEST(parts, keep_the_deepest_patches_that_are_asked_for) {
  Random random(2914);
  SceneColumns<3, float> scene = field<float>(random);
  add_shapes(random, 300, 1, scene);
  Workspace<3, float> workspace;
  ContactBuffer<3, float> all, few;
  collide<3, float>(scene, all, workspace);
  std::int64_t left_out = 0;
  for (const int most : {1, 2, 1000}) {
    CollideOptions options;
    options.most_patches = most;
    collide<3, float>(scene, few, workspace, options);
    std::size_t j = 0;
    for (std::size_t i = 0; i < all.size();) {
      std::size_t end = i + 1;
      while (end < all.size() && all.source[end] == all.source[i]) ++end;
      std::vector<std::size_t> deepest;
      for (std::size_t k = i; k < end; ++k) deepest.push_back(k);
      std::sort(deepest.begin(), deepest.end(), [&](std::size_t a, std::size_t b) {
        return all.depth[a] == all.depth[b] ? a < b : all.depth[a] > all.depth[b];
      });
      deepest.resize(std::min(deepest.size(), static_cast<std::size_t>(most)));
      std::sort(deepest.begin(), deepest.end());
      for (const std::size_t k : deepest) {
        ASSERT_LT(j, few.size());
        EXPECT_EQ(few.source[j], all.source[k]);
        EXPECT_EQ(few.depth[j], all.depth[k]);
        EXPECT_EQ(few.normal(j, 0), all.normal(k, 0));
        ++j;
      }
      i = end;
    }
    EXPECT_EQ(j, few.size());
    std::int64_t counted = 0;
    for (const auto& kind : workspace.stats().kinds) counted += kind.left_out;
    EXPECT_EQ(counted, static_cast<std::int64_t>(all.size() - few.size()));
    left_out += counted;
  }
  EXPECT_GT(left_out, 50);
}

}  // namespace
}  // namespace widephase::test
