// A world gets the same answer alone and among others, and orders are what their names say.
// Labels: threads emulated-x86 emulated-arm dated

#include <gtest/gtest.h>

#include "support/compare.hpp"
#include "support/scenes.hpp"

namespace widephase::test {
namespace {

template <int D>
struct Placed {
  Solid<D> solid;
  std::int32_t world;
};

/// Shapes of worlds of the given sizes, in shuffled order; `everywhere` of them in world -1.
template <int D>
std::vector<Placed<D>> shuffled_worlds(const std::vector<int>& sizes, int everywhere,
                                       std::uint64_t seed) {
  Random random(seed);
  std::vector<Placed<D>> shapes;
  const auto add = [&](int count, std::int32_t world) {
    const double side = std::pow(count, 1.0 / D);
    for (int i = 0; i < count; ++i) {
      Solid<D> solid = random_solid<D>(random, bounded_kind(random, D), random.point<D>(0, side),
                                       random.uniform(0.2, 1));
      if (i % 50 == 7) solid = halfspace<D>(random.direction<D>(), 0);
      // Ties and touching occur in every world.
      if (i % 2 == 0 && solid.kind != Kind::halfspace) solid = snapped(solid);
      shapes.push_back({solid, world});
    }
  };
  for (std::size_t w = 0; w < sizes.size(); ++w) add(sizes[w], static_cast<std::int32_t>(w));
  add(everywhere, -1);
  for (std::size_t i = shapes.size(); i > 1; --i) {
    std::swap(shapes[i - 1],
              shapes[static_cast<std::size_t>(random.integer(0, static_cast<int>(i) - 1))]);
  }
  return shapes;
}

/// A scene of the shapes in `world` or in every world (all shapes if `world` is -1), and for each
/// id the index in `shapes`.
template <int D, class T>
struct WorldScene {
  SceneColumns<D, T> scene;
  std::vector<std::size_t> place_of_id;

  WorldScene(const std::vector<Placed<D>>& shapes, std::int32_t world, std::int32_t new_number) {
    for (const Kind kind : kinds(D)) {
      for (std::size_t i = 0; i < shapes.size(); ++i) {
        const Placed<D>& shape = shapes[i];
        if (shape.solid.kind != kind) continue;
        if (world != -1 && shape.world != -1 && shape.world != world) continue;
        append(scene, shape.solid);
        with_table(scene, kind, [&](auto& table) {
          table.world.push_back({world != -1 && shape.world != -1 ? new_number : shape.world});
        });
        place_of_id.push_back(i);
      }
    }
  }
};

template <int D, class T>
void collide_by_world(const SceneColumns<D, T>& scene, ContactBuffer<D, T>& contacts) {
  Workspace<D, T> workspace;
  CollideOptions options;
  options.order = Order::world;
  options.margin = 0.0625;
  collide<D, T>(scene, contacts, workspace, options);
}

template <int D, class T>
void worlds_answer_alone(const std::vector<int>& sizes, int everywhere, std::uint64_t seed) {
  const auto shapes = shuffled_worlds<D>(sizes, everywhere, seed);
  const WorldScene<D, T> all(shapes, -1, 0);
  ContactBuffer<D, T> among;
  collide_by_world(all.scene, among);
  ASSERT_TRUE(is_consistent(among));
  ASSERT_EQ(among.world_offset.size(), sizes.size() + 1);
  EXPECT_EQ(among.world_offset[sizes.size()], static_cast<std::int64_t>(among.size()));
  for (std::size_t w = 0; w < sizes.size(); ++w) {
    SCOPED_TRACE("world " + std::to_string(w) + " of " + std::to_string(sizes[w]));
    // With its own number and as world 0.
    for (const std::int32_t number : {static_cast<std::int32_t>(w), 0}) {
      const WorldScene<D, T> one(shapes, static_cast<std::int32_t>(w), number);
      ContactBuffer<D, T> alone;
      collide_by_world(one.scene, alone);
      if (sizes[w] == 0) continue;  // then number w isn't there
      ASSERT_EQ(alone.world_offset.size(), static_cast<std::size_t>(number) + 2);
      const auto same = [&](std::size_t i, std::size_t j, const char* part) {
        const auto place = [](const WorldScene<D, T>& scene, std::int32_t id) {
          return scene.place_of_id[static_cast<std::size_t>(id)];
        };
        ASSERT_EQ(place(one, alone.pair[i].a), place(all, among.pair[j].a)) << part << i;
        ASSERT_EQ(place(one, alone.pair[i].b), place(all, among.pair[j].b)) << part << i;
        ASSERT_EQ(answer_bits(alone, i), answer_bits(among, j))
            << part << describe(alone, i) << "\n"
            << describe(among, j);
      };
      const auto first_alone = alone.world_offset[static_cast<std::size_t>(number)];
      const auto first_among = among.world_offset[w];
      ASSERT_EQ(alone.world_offset[static_cast<std::size_t>(number) + 1] - first_alone,
                among.world_offset[w + 1] - first_among);
      for (auto i = first_alone; i < alone.world_offset[static_cast<std::size_t>(number) + 1];
           ++i) {
        same(static_cast<std::size_t>(i), static_cast<std::size_t>(first_among + i - first_alone),
             "in the world: ");
        if (::testing::Test::HasFatalFailure()) return;
      }
      // In both, pairs of two shapes of every world come first.
      ASSERT_EQ(alone.world_offset[0], among.world_offset[0]);
      for (std::int64_t i = 0; i < alone.world_offset[0]; ++i) {
        same(static_cast<std::size_t>(i), static_cast<std::size_t>(i), "everywhere: ");
        if (::testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

TEST(worlds, answer_alone_as_among_others_in_2d) {
  worlds_answer_alone<2, float>({40, 1, 2, 0, 300, 17, 64, 33, 5}, 0, 61);
  worlds_answer_alone<2, double>({40, 1, 2, 0, 100, 17, 64, 33, 5}, 30, 62);
}
TEST(worlds, answer_alone_as_among_others_in_3d) {
  worlds_answer_alone<3, float>({40, 1, 2, 0, 100, 17, 64, 33, 5}, 30, 63);
  worlds_answer_alone<3, double>({40, 1, 2, 0, 300, 17, 64, 33, 5}, 0, 64);
}
TEST(worlds, a_large_one_among_small_ones) {
  worlds_answer_alone<3, float>({20, static_cast<int>(scaled(3000, 300)), 20, 20}, 5, 65);
}
TEST(worlds, many_of_like_size) {
  worlds_answer_alone<2, float>(std::vector<int>(scaled(100, 20), 24), 3, 66);
}

template <int D, class T>
struct Ordered {
  SceneColumns<D, T> scene;
  std::vector<ShapeTags> tags;
  Column<Pair> pairs;
  ContactBuffer<D, T> contacts;

  explicit Ordered(Order order) {
    add_mixed(scene, {scaled(1500, 300), 67, 0.6});
    add_tags(scene, 7, 68);
    tags = tags_of(scene);
    Workspace<D, T> workspace;
    CollideOptions options;
    options.order = order;
    collide<D, T>(scene, contacts, workspace, options);
    pairs = workspace.pairs();
  }
  int kind_at(std::size_t i) const {
    const SceneLayout layout = layout_of(scene);
    return pair_kind(layout.kind_of(contacts.pair[i].a), layout.kind_of(contacts.pair[i].b));
  }
  /// Where the contacts of pair i go: before the worlds (-1) or into a world.
  std::int32_t world_at(std::size_t i) const {
    return std::max(tags[static_cast<std::size_t>(contacts.pair[i].a)].world,
                    tags[static_cast<std::size_t>(contacts.pair[i].b)].world);
  }
};

template <class T>
class orders : public ::testing::Test {};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(orders, Reals);

TYPED_TEST(orders, every_order_has_the_same_contacts) {
  const Ordered<2, TypeParam> by_kind(Order::kind);
  EXPECT_GT(by_kind.contacts.size(), 20u);
  for (const Order order : {Order::source, Order::id, Order::world}) {
    const Ordered<2, TypeParam> other(order);
    EXPECT_TRUE(is_consistent(other.contacts));
    EXPECT_TRUE(same_contact_set(other.contacts, by_kind.contacts));
    EXPECT_EQ(other.contacts.world_offset.empty(), order != Order::world);
  }
}
TYPED_TEST(orders, sources_name_the_pair) {
  for (const Order order : {Order::kind, Order::source, Order::id, Order::world}) {
    const Ordered<3, TypeParam> scene(order);
    ASSERT_GT(scene.contacts.size(), 10u);
    for (std::size_t i = 0; i < scene.contacts.size(); ++i) {
      ASSERT_EQ(scene.pairs[static_cast<std::size_t>(scene.contacts.source[i])],
                scene.contacts.pair[i]);
    }
  }
}
TYPED_TEST(orders, source_follows_the_pairs) {
  const Ordered<3, TypeParam> scene(Order::source);
  for (std::size_t i = 1; i < scene.contacts.size(); ++i) {
    ASSERT_LT(scene.contacts.source[i - 1], scene.contacts.source[i]);
  }
}
TYPED_TEST(orders, kind_groups_and_then_follows_the_pairs) {
  const Ordered<3, TypeParam> scene(Order::kind);
  for (std::size_t i = 1; i < scene.contacts.size(); ++i) {
    const auto before = std::pair(scene.kind_at(i - 1), scene.contacts.source[i - 1]);
    ASSERT_LT(before, std::pair(scene.kind_at(i), scene.contacts.source[i]));
  }
}
TYPED_TEST(orders, id_ascends) {
  const Ordered<3, TypeParam> scene(Order::id);
  for (std::size_t i = 1; i < scene.contacts.size(); ++i) {
    const Pair& before = scene.contacts.pair[i - 1];
    const Pair& after = scene.contacts.pair[i];
    ASSERT_LT(std::pair(before.a, before.b), std::pair(after.a, after.b));
  }
}
TYPED_TEST(orders, world_groups_and_its_offsets_say_where) {
  const Ordered<2, TypeParam> scene(Order::world);
  ASSERT_EQ(scene.contacts.world_offset.size(), 8u);
  for (std::size_t i = 0; i < scene.contacts.size(); ++i) {
    const std::int32_t world = scene.world_at(i);
    const auto place = static_cast<std::int64_t>(i);
    ASSERT_LT(place, scene.contacts.world_offset[static_cast<std::size_t>(world + 1)]);
    if (world >= 0) {
      ASSERT_GE(place, scene.contacts.world_offset[static_cast<std::size_t>(world)]);
    }
    if (i == 0 || scene.world_at(i - 1) != world) continue;
    const auto before = std::pair(scene.kind_at(i - 1), scene.contacts.source[i - 1]);
    ASSERT_LT(before, std::pair(scene.kind_at(i), scene.contacts.source[i]));
  }
}
TYPED_TEST(orders, id_of_the_callers_pairs_is_ascending_as_named) {
  SceneColumns<2, TypeParam> scene;
  for (int i = 0; i < 40; ++i) append(scene, ball<2>({0.125 * i, 0}, 1));
  std::vector<Pair> pairs;
  Random random(69);
  while (pairs.size() < 500) {
    const Pair pair{random.integer(0, 39), random.integer(0, 39)};
    if (pair.a != pair.b) pairs.push_back(pair);
  }
  ContactBuffer<2, TypeParam> contacts;
  Workspace<2, TypeParam> workspace;
  CollideOptions options;
  options.order = Order::id;
  collide_pairs<2, TypeParam>(scene, pairs, contacts, workspace, options);
  EXPECT_GT(contacts.size(), 200u);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    ASSERT_EQ(pairs[static_cast<std::size_t>(contacts.source[i])], contacts.pair[i]);
    if (i == 0) continue;
    const Pair& before = contacts.pair[i - 1];
    const Pair& after = contacts.pair[i];
    ASSERT_LE(std::pair(before.a, before.b), std::pair(after.a, after.b));
    if (before == after) {
      ASSERT_LT(contacts.source[i - 1], contacts.source[i]);
    }
  }
}

}  // namespace
}  // namespace widephase::test
