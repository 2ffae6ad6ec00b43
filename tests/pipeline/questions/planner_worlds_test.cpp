// Worlds that are selected, left out, invalid, or answered with yes or no always agree with
// `collide` of the whole scene.
// Labels: threads dated own-sets

#include <gtest/gtest.h>

#include <widephase/distance.hpp>
#include <widephase/support.hpp>
#include <widephase/worlds.hpp>

#include "support/compare.hpp"
#include "support/error_of.hpp"
#include "support/methods.hpp"
#include "support/worlds_scene.hpp"

namespace widephase::test {
namespace {

bool is_wanted(const std::vector<std::int32_t>& worlds, const Pair& pair,
               const std::vector<std::uint8_t>& mask) {
  for (const std::int32_t id : {pair.a, pair.b}) {
    const std::int32_t world = worlds[static_cast<std::size_t>(id)];
    if (world >= 0 && mask[static_cast<std::size_t>(world)] == 0) return false;
  }
  return true;
}

std::vector<std::uint8_t> random_mask(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::uint8_t> mask;
  for (std::size_t w = 0; w < count; ++w) mask.push_back(random.chance(0.5) ? 200 : 0);
  return mask;
}

/// `some` has, in order, the contacts of `all` whose worlds are in the mask.
template <int D, class T>
void expect_part(const ContactBuffer<D, T>& all, const ContactBuffer<D, T>& some,
                 const std::vector<std::int32_t>& worlds, const std::vector<std::uint8_t>& mask,
                 bool with_sources = false) {
  ASSERT_TRUE(is_consistent(some));
  std::size_t at = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!is_wanted(worlds, all.pair[i], mask)) continue;
    ASSERT_LT(at, some.size());
    ASSERT_EQ(some.pair[at], all.pair[i]) << at;
    if (with_sources) {
      ASSERT_EQ(some.source[at], all.source[i]) << at;
    }
    ASSERT_EQ(answer_bits(some, at), answer_bits(all, i)) << describe(all, i);
    ++at;
  }
  ASSERT_EQ(at, some.size());
}

template <int D_, class T_>
struct In {
  static constexpr int D = D_;
  using T = T_;
};
template <class Parameters>
class worlds : public ::testing::Test {};
using Every = ::testing::Types<In<2, float>, In<2, double>, In<3, float>, In<3, double>>;
TYPED_TEST_SUITE(worlds, Every);

TYPED_TEST(worlds, that_a_mask_names_have_the_contacts_they_have_among_all) {
  constexpr int D = TypeParam::D;
  using T = typename TypeParam::T;
  const auto scene = worlds_scene<D, T>(700, 11);
  const std::vector<std::int32_t> world = world_by_id(scene);
  const std::vector<std::uint8_t> mask = random_mask(kWorlds, 12);
  for (const Order order : {Order::kind, Order::source, Order::id, Order::world}) {
    CollideOptions options;
    options.margin = 0.125;
    options.order = order;
    ContactBuffer<D, T> all, some;
    Workspace<D, T> workspace;
    collide<D, T>(scene, all, workspace, options);
    ASSERT_GT(all.size(), 50u);
    const std::vector<Pair> pairs(workspace.pairs().begin(), workspace.pairs().end());
    options.world_mask = mask;
    for (const Isa isa : usable_isas()) {
      options.isa = isa;
      for (const int threads : {1, 2, 3, 8}) {
        SCOPED_TRACE(std::string(isa_name(isa)) + ", " + std::to_string(threads) + " threads");
        options.threads.count = threads;
        collide<D, T>(scene, some, workspace, options);
        expect_part(all, some, world, mask);
        EXPECT_LT(some.size(), all.size());
        EXPECT_LT(workspace.pairs().size(), pairs.size());
        if (::testing::Test::HasFatalFailure()) return;
      }
    }
    // The caller's own pairs give the same contacts, with sources in the caller's list.
    std::vector<std::uint8_t> is_contact(pairs.size(), 9), expected(pairs.size(), 0);
    collide_pairs<D, T>(scene, pairs, some, workspace, options);
    expect_part(all, some, world, mask, true);
    for (const std::int64_t source : some.source) expected[static_cast<std::size_t>(source)] = 1;
    test_pairs<D, T>(scene, pairs, is_contact, workspace, options);
    EXPECT_EQ(is_contact, expected);
  }
}

TYPED_TEST(worlds, that_a_mask_leaves_out_altogether_leave_those_of_two_shapes_everywhere) {
  constexpr int D = TypeParam::D;
  using T = typename TypeParam::T;
  auto scene = worlds_scene<D, T>(400, 21);
  const std::vector<std::int32_t> world = world_by_id(scene);
  // More entries than worlds are allowed: a world may lose all its shapes.
  const std::vector<std::uint8_t> none(kWorlds + 40, 0), all_of_them(kWorlds + 40, 1);
  CollideOptions options;
  options.margin = 0.5;
  ContactBuffer<D, T> all, some;
  Workspace<D, T> workspace;
  collide<D, T>(scene, all, workspace, options);
  options.world_mask = none;
  collide<D, T>(scene, some, workspace, options);
  expect_part(all, some, world, none);
  options.world_mask = all_of_them;
  collide<D, T>(scene, some, workspace, options);
  EXPECT_TRUE(same_contacts(some, all));
  // Without a column of worlds, all shapes are in world 0.
  for (const Kind kind : kinds(D)) {
    with_table(scene, kind, [&](auto& table) { table.world.clear(); });
  }
  for (const std::uint8_t wanted : {0, 1}) {
    const std::vector<std::uint8_t> one{wanted};
    options.world_mask = one;
    collide<D, T>(scene, some, workspace, options);
    EXPECT_EQ(some.size() > 0, wanted == 1);
  }
}

// --- yes or no ---

TYPED_TEST(worlds, have_any_contact_where_collide_has_one) {
  constexpr int D = TypeParam::D;
  using T = typename TypeParam::T;
  std::size_t yes = 0, no = 0;
  for (const double spacing : {0.4, 1.5, 4.0}) {
    for (const double margin : {0.0, 0.25}) {
      const auto scene = worlds_scene<D, T>(scaled(600, 200), 31, spacing);
      const std::vector<std::int32_t> world = world_by_id(scene);
      const std::vector<std::uint8_t> mask = random_mask(kWorlds, 32);
      CollideOptions options;
      options.margin = margin;
      ContactBuffer<D, T> all;
      Workspace<D, T> workspace;
      collide<D, T>(scene, all, workspace, options);
      std::vector<std::uint8_t> expected(kWorlds + 2, 0);
      for (const Pair& pair : all.pair) {
        const std::int32_t of = std::max(world[static_cast<std::size_t>(pair.a)],
                                         world[static_cast<std::size_t>(pair.b)]);
        if (of >= 0) expected[static_cast<std::size_t>(of)] = 1;
      }
      std::vector<std::uint8_t> masked = expected;
      for (std::size_t w = 0; w < mask.size(); ++w) masked[w] &= mask[w] != 0 ? 1 : 0;
      for (std::size_t w = 0; w < kWorlds; ++w) ++(expected[w] != 0 ? yes : no);
      for (const Isa isa : usable_isas()) {
        for (const int threads : {1, 2, 3, 8}) {
          SCOPED_TRACE(std::string(isa_name(isa)) + ", " + std::to_string(threads) + " threads");
          options.isa = isa;
          options.threads.count = threads;
          options.world_mask = {};
          std::vector<std::uint8_t> is_contact(kWorlds + 2, 7);
          any_contact<D, T>(scene, is_contact, workspace, options);
          ASSERT_EQ(is_contact, expected);
          options.world_mask = mask;
          any_contact<D, T>(scene, is_contact, workspace, options);
          ASSERT_EQ(is_contact, masked);
        }
      }
    }
  }
  EXPECT_GT(yes, 20u);
  EXPECT_GT(no, 20u);
}

TYPED_TEST(worlds, have_any_contact_by_gjk_too) {
  constexpr int D = TypeParam::D;
  using T = typename TypeParam::T;
  const auto scene = worlds_scene<D, T>(300, 33, 0.8);
  const std::vector<std::int32_t> world = world_by_id(scene);
  CollideOptions options;
  options.method = Method::gjk_epa;
  ContactBuffer<D, T> all;
  Workspace<D, T> workspace;
  collide<D, T>(scene, all, workspace, options);
  std::vector<std::uint8_t> expected(kWorlds, 0), is_contact(kWorlds);
  for (const Pair& pair : all.pair) {
    const std::int32_t of =
        std::max(world[static_cast<std::size_t>(pair.a)], world[static_cast<std::size_t>(pair.b)]);
    if (of >= 0) expected[static_cast<std::size_t>(of)] = 1;
  }
  any_contact<D, T>(scene, is_contact, workspace, options);
  EXPECT_EQ(is_contact, expected);
}

TYPED_TEST(worlds, of_links_have_any_contact_where_collide_has_one) {
  // Worlds of 1 to 130 balls, on links of 1 to 20 that follow one another in the table, or of mixed
  // owners. Links next to each other never meet; body 3 never meets body 5.
  constexpr int D = TypeParam::D;
  using T = typename TypeParam::T;
  Random random(51);
  SceneColumns<D, T> scene;
  auto& balls = [&]() -> auto& {
    if constexpr (D == 2) {
      return scene.circles;
    } else {
      return scene.spheres;
    }
  }
  ();
  constexpr int kRobots = 60;
  for (std::int32_t world = 0; world < kRobots; ++world) {
    const std::int64_t count = random.integer(1, 130);
    std::int32_t link = 0;
    std::int64_t left = 0;
    for (std::int64_t i = 0; i < count; ++i, --left) {
      if (left == 0) {
        ++link;
        left = random.integer(1, world % 3 == 0 ? 2 : 20);
      }
      std::array<T, D> center;
      for (T& at : center) at = static_cast<T>(random.uniform(0, 3) + (link % 9));
      balls.center.push_back(center);
      balls.radius.push_back({static_cast<T>(random.uniform(0.01, world % 2 == 0 ? 0.05 : 0.2))});
      balls.world.push_back({random.chance(0.01) ? -1 : world});
      balls.owner.push_back(
          {world % 5 == 4 ? static_cast<std::int32_t>(random.integer(-1, 99)) : link % 80});
      balls.body.push_back({link % 7 - 1});
    }
  }
  for (std::int32_t link = 0; link < 80; ++link) scene.excluded_owners.push_back({link + 1, link});
  scene.excluded_bodies = {{3, 5}};
  CollideOptions options;
  ContactBuffer<D, T> all;
  Workspace<D, T> workspace;
  collide<D, T>(scene, all, workspace, options);
  const std::int64_t pairs = workspace.stats().pairs;
  std::vector<std::uint8_t> expected(kRobots, 0);
  for (const Pair& pair : all.pair) {
    const std::int32_t of = std::max(balls.world[static_cast<std::size_t>(pair.a)],
                                     balls.world[static_cast<std::size_t>(pair.b)]);
    if (of >= 0) expected[static_cast<std::size_t>(of)] = 1;
  }
  const auto yes = std::count(expected.begin(), expected.end(), std::uint8_t{1});
  EXPECT_GT(yes, 5);
  EXPECT_LT(yes, kRobots - 5);
  for (const Isa isa : usable_isas()) {
    for (const bool keeps_order : {false, true}) {
      options.isa = isa;
      options.keeps_order = keeps_order;
      std::vector<std::uint8_t> is_contact(kRobots, 7);
      any_contact<D, T>(scene, is_contact, workspace, options);
      EXPECT_EQ(is_contact, expected);
      EXPECT_EQ(workspace.stats().pairs, pairs);
    }
  }
}

TEST(any_contact, finds_the_only_hit_among_the_last_pairs_of_a_world) {
  // Circles of radius 1 on a diagonal, 1.5 apart along either axis: neighbours' bounds overlap, and
  // they are 2.12 apart. The last pair of world 1 is moved together.
  SceneColumns<2, float> scene;
  for (std::int32_t world = 0; world < 2; ++world) {
    for (int i = 0; i < 400; ++i) {
      const float at = 1.5f * static_cast<float>(i);
      scene.circles.center.push_back({at, at});
      scene.circles.radius.push_back({1});
      scene.circles.world.push_back({world});
    }
  }
  scene.circles.center(799, 0) -= 0.5f;  // (1, 1.5) from its neighbour: 1.80
  std::vector<std::uint8_t> is_contact(2);
  Workspace<2, float> workspace;
  any_contact<2, float>(scene, is_contact, workspace);
  EXPECT_EQ(is_contact, (std::vector<std::uint8_t>{0, 1}));
  EXPECT_EQ(workspace.stats().pairs, 798);
}

TEST(any_contact, is_not_that_of_two_shapes_that_are_everywhere) {
  SceneColumns<2, float> scene;
  scene.circles.center = {{0, 0}, {0.5f, 0}, {9, 9}, {0, 1}};
  scene.circles.radius = {1, 1, 1, 1};
  scene.circles.world = {-1, -1, 0, 2};
  std::vector<std::uint8_t> is_contact(3, 5);
  Workspace<2, float> workspace;
  any_contact<2, float>(scene, is_contact, workspace);
  EXPECT_EQ(is_contact, (std::vector<std::uint8_t>{0, 0, 1}));
}

// --- invalid worlds ---

/// Makes a shape of `world` invalid in one of several ways; false if it has no shape.
template <int D, class T>
bool spoil(SceneColumns<D, T>& scene, std::int32_t world, int way) {
  constexpr T kNan = std::numeric_limits<T>::quiet_NaN();
  bool is_done = false;
  for (const Kind kind : kinds(D)) {
    with_table(scene, kind, [&](auto& table) {
      for (std::size_t i = 0; i < row_count(table) && !is_done; ++i) {
        if (table.world[i] != world) continue;
        is_done = true;
        if (way == 0) table.fixed[i] = 7;
        if (way == 1) table.margin[i] = -1;
        if (way == 2) table.owner[i] = -9;
        if (way == 3) table.body[i] = std::numeric_limits<std::int32_t>::max();
        const bool is_moved = way == 4 || (D == 2 && way == 6);
        if constexpr (requires { table.center; }) {
          if (is_moved) table.center(i, 0) = kNan;
        } else if (is_moved) {
          is_done = false;
        }
        if constexpr (requires { table.geometry; }) {
          if (way == 5) table.geometry[i] = 1000000;
        } else if (way == 5) {
          is_done = false;
        }
        if constexpr (D == 3 && requires { table.turn; }) {
          if (way == 6) table.turn(i, 0) += T(0.5);
        } else if (D == 3 && way == 6) {
          is_done = false;
        }
      }
    });
  }
  return is_done;
}

TYPED_TEST(worlds, that_are_invalid_are_told_and_change_nothing_in_others) {
  constexpr int D = TypeParam::D;
  using T = typename TypeParam::T;
  const auto scene = worlds_scene<D, T>(700, 41);
  const std::vector<std::int32_t> world = world_by_id(scene);
  CollideOptions options;
  options.margin = 0.125;
  ContactBuffer<D, T> all, some;
  Workspace<D, T> workspace;
  collide<D, T>(scene, all, workspace, options);
  const std::vector<Pair> pairs(workspace.pairs().begin(), workspace.pairs().end());
  for (int way = 0; way < 7; ++way) {
    SCOPED_TRACE("way " + std::to_string(way));
    SceneColumns<D, T> spoilt = scene;
    std::vector<std::uint8_t> mask(kWorlds, 1), expected(kWorlds, 0);
    for (const std::size_t w : {0, 2, 7, 16}) {
      if (!spoil(spoilt, static_cast<std::int32_t>(w), way)) continue;
      mask[w] = 0;
      expected[w] = 1;
    }
    ASSERT_EQ(std::count(mask.begin(), mask.end(), 0) > 0, true);
    EXPECT_THROW((collide<D, T>(spoilt, some, workspace, options)), Error);
    std::vector<std::uint8_t> status(kWorlds + 1, 9);
    expected.push_back(0);
    for (const int threads : {1, 2, 8}) {
      options.threads.count = threads;
      options.world_status = status;
      collide<D, T>(spoilt, some, workspace, options);
      expect_part(all, some, world, mask);
      EXPECT_EQ(status, expected);
      status.assign(status.size(), 9);
      collide_pairs<D, T>(spoilt, pairs, some, workspace, options);
      expect_part(all, some, world, mask, true);
      EXPECT_EQ(status, expected);
      std::vector<std::uint8_t> is_contact(kWorlds, 3);
      any_contact<D, T>(spoilt, is_contact, workspace, options);
      for (std::size_t w = 0; w < kWorlds; ++w) {
        EXPECT_LE(is_contact[w], mask[w]) << w;
      }
    }
    // A world that is left out is reported as left out, and need not be valid.
    options.world_mask = mask;
    collide<D, T>(spoilt, some, workspace, options);
    expect_part(all, some, world, mask);
    for (std::size_t w = 0; w < kWorlds; ++w) EXPECT_EQ(status[w], mask[w] != 0 ? 0 : 2) << w;
    options.world_status = {};
    collide<D, T>(spoilt, some, workspace, options);
    expect_part(all, some, world, mask);
    options.world_mask = {};
  }
}

TEST(world_status, of_a_valid_scene_is_0_and_its_contacts_are_the_same) {
  const auto scene = worlds_scene<3, float>(300, 51);
  ContactBuffer<3, float> all, some;
  Workspace<3, float> workspace;
  collide<3, float>(scene, all, workspace);
  std::vector<std::uint8_t> status(kWorlds, 9);
  CollideOptions options;
  options.world_status = status;
  collide<3, float>(scene, some, workspace, options);
  EXPECT_TRUE(same_contacts(some, all));
  EXPECT_EQ(status, std::vector<std::uint8_t>(kWorlds, 0));
}

TEST(world_status, of_a_wide_shape_spares_the_periodic_domain) {
  // The wide ball alone would be too wide for the domain, but its world is invalid for another
  // reason.
  SceneColumns<2, float> scene;
  scene.domain = {{0, 0}, {10, 10}, {true, true}};
  scene.circles.center = {{0.5f, 5}, {9.5f, 5}, {5, 5}, {5, 5}};
  scene.circles.radius = {1, 1, 1000, -1};
  scene.circles.world = {0, 0, 1, 1};
  std::vector<std::uint8_t> status(2, 9);
  CollideOptions options;
  options.world_status = status;
  ContactBuffer<2, float> contacts;
  Workspace<2, float> workspace;
  collide<2, float>(scene, contacts, workspace, options);
  EXPECT_EQ(status, (std::vector<std::uint8_t>{0, 1}));
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_FLOAT_EQ(contacts.depth[0], 1);
}

TEST(world_status, of_a_halfspace_across_a_periodic_axis_is_invalid) {
  SceneColumns<2, float> scene;
  scene.domain = {{0, 0}, {10, 10}, {true, false}};
  scene.circles.center = {{5, 0}, {5, 0}};
  scene.circles.radius = {1, 1};
  scene.circles.world = {0, 1};
  scene.halfspaces.normal = {{0, 1}, {1, 0}};
  scene.halfspaces.offset = {0, 0};
  scene.halfspaces.world = {0, 1};
  std::vector<std::uint8_t> status(2, 9), is_contact(2, 9);
  CollideOptions options;
  Workspace<2, float> workspace;
  EXPECT_THROW((any_contact<2, float>(scene, is_contact, workspace, options)), Error);
  options.world_status = status;
  any_contact<2, float>(scene, is_contact, workspace, options);
  EXPECT_EQ(status, (std::vector<std::uint8_t>{0, 1}));
  EXPECT_EQ(is_contact, (std::vector<std::uint8_t>{1, 0}));
}

// --- errors ---

SceneColumns<2, float> three_worlds() {
  SceneColumns<2, float> scene;
  scene.circles.center = {{0, 0}, {1, 0}, {0, 0}, {1, 0}, {0, 0}, {1, 0}};
  scene.circles.radius = {1, 1, 1, 1, 1, 1};
  scene.circles.world = {0, 0, 1, 1, 2, 2};
  return scene;
}

TEST(world_errors, name_the_shape_of_the_world_that_was_asked_for) {
  SceneColumns<2, float> scene = three_worlds();
  scene.circles.radius[1] = -1;
  scene.circles.radius[5] = -2;
  const std::vector<std::uint8_t> mask{0, 1, 1};
  CollideOptions options;
  options.world_mask = mask;
  ContactBuffer<2, float> contacts;
  Workspace<2, float> workspace;
  EXPECT_EQ(error_of([&] { collide<2, float>(scene, contacts, workspace, options); }),
            "circle.radius[5] is -2; radius must be a finite number >= 0");
  EXPECT_EQ(contacts.size(), 0u);
}

TEST(world_errors, remain_where_no_world_can_be_left_out) {
  std::vector<std::uint8_t> status(3);
  CollideOptions options;
  options.world_status = status;
  ContactBuffer<2, float> contacts;
  Workspace<2, float> workspace;
  const auto error_with = [&](const auto& change) {
    SceneColumns<2, float> scene = three_worlds();
    scene.circles.radius[0] = -1;  // left out, so it is not the reported problem
    change(scene);
    return error_of([&] { collide<2, float>(scene, contacts, workspace, options); });
  };
  EXPECT_EQ(error_with([](auto&) {}), "no error");
  EXPECT_EQ(error_with([](auto& scene) {
              scene.circles.world[3] = -1;
              scene.circles.radius[3] = -3;
            }),
            "circle.radius[3] is -3; radius must be a finite number >= 0");
  EXPECT_EQ(error_with([](auto& scene) { scene.circles.world[4] = -2; }),
            "circle.world[4] is -2; it must be -1 to 2147483646");
  EXPECT_EQ(error_with([](auto& scene) { scene.circles.world.resize(5); }),
            "circle.world has 5 rows, but circle.center has 6");
  EXPECT_EQ(error_with([](auto& scene) { scene.excluded = {{0, 6}}; }),
            "excluded[0] names shape 6; the scene's ids are 0 to 5");
  EXPECT_EQ(error_with([](auto& scene) { scene.excluded_owners = {{0, 1}, {2, -1}}; }),
            "excluded_owners[1] is (2, -1); an owner must be 0 to 2147483646");
  EXPECT_EQ(error_with([](auto& scene) { scene.domain = {{0, 0}, {-1, 0}, {true, false}}; }),
            "domain.max[0] is -1 beside a min of 0; a periodic axis needs finite numbers and min < "
            "max");
}

TEST(world_errors, say_how_many_entries_there_must_be) {
  const SceneColumns<2, float> scene = three_worlds();
  std::vector<std::uint8_t> two(2, 1), three(3);
  ContactBuffer<2, float> contacts;
  Workspace<2, float> workspace;
  CollideOptions options;
  options.world_mask = two;
  EXPECT_EQ(error_of([&] { collide<2, float>(scene, contacts, workspace, options); }),
            "world_mask has 2 entries; the scene has 3 worlds, so give it as many or more");
  options.world_mask = {};
  options.world_status = two;
  EXPECT_EQ(error_of([&] { collide<2, float>(scene, contacts, workspace, options); }),
            "world_status has 2 entries; the scene has 3 worlds, so give it as many or more");
  EXPECT_EQ(error_of([&] { any_contact<2, float>(scene, two, workspace); }),
            "is_contact has 2 entries; the scene has 3 worlds, so give it as many or more");
  std::vector<WarmStart> words(1);
  options = {};
  options.warm_starts = words;
  EXPECT_EQ(
      error_of([&] { any_contact<2, float>(scene, three, workspace, options); }).substr(0, 11),
      "warm_starts");
  const std::vector<Pair> pairs{{0, 1}};
  DistanceBuffer<2, float> rows;
  options = {};
  options.world_mask = three;
  EXPECT_EQ(error_of([&] { distances<2, float>(scene, pairs, rows, workspace, options); }),
            "world_mask is not for distances, which answers all that it is asked; leave it empty");
  SupportBuffer<2, float> support;
  const std::vector<std::int32_t> ids{0};
  const Column<float, 2> direction{{1, 0}};
  EXPECT_EQ(error_of([&] {
              support_points<2, float>(scene, ids, direction, support, workspace, options);
            }).substr(0, 10),
            "world_mask");
}

TEST(world_errors, an_empty_scene_has_no_worlds) {
  const SceneColumns<3, float> scene;
  Workspace<3, float> workspace;
  std::vector<std::uint8_t> is_contact(2, 9);
  any_contact<3, float>(scene, {}, workspace);
  any_contact<3, float>(scene, is_contact, workspace);
  EXPECT_EQ(is_contact, (std::vector<std::uint8_t>{0, 0}));
}

}  // namespace
}  // namespace widephase::test
