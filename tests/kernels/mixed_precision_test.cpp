// Sizes in float with positions in double: far shapes get the same answers as near ones.
// Labels: threads dated

#include <gtest/gtest.h>

#include <widephase/bodies.hpp>
#include <widephase/support.hpp>
#include <widephase/transforms.hpp>
#include <widephase/worlds.hpp>

#include "support/compare.hpp"
#include "support/distance_rows.hpp"
#include "support/pair_kinds.hpp"
#include "support/scenes.hpp"
#include "support/verify.hpp"

namespace widephase::test {
namespace {

class mixed_precision_pairs : public ::testing::TestWithParam<PairKindCase> {};

/// Calls `check<D>(a, b)`.
template <class Check>
void in_its_dimension(const PairKindCase& pair, Check&& check) {
  if (pair.dimension == 2) {
    check.template operator()<2>(pair.a, pair.b);
  } else {
    check.template operator()<3>(pair.a, pair.b);
  }
}

/// The pairs moved by whole numbers along every axis.
template <int D>
std::vector<SolidPair<D>> moved_pairs(std::vector<SolidPair<D>> pairs, double far) {
  Point<D> offset;
  for (int k = 0; k < D; ++k) offset[k] = k == 1 ? -far : far + k;
  for (SolidPair<D>& pair : pairs) pair = {moved(pair.a, offset), moved(pair.b, offset)};
  return pairs;
}

TEST_P(mixed_precision_pairs, random_shapes_a_million_away) {
  // The reference has 64 bits, so the tolerances are those of float at the size of the shapes.
  in_its_dimension(GetParam(), []<int D>(Kind a, Kind b) {
    check_pairs_everywhere<D, Mixed>(moved_pairs<D>(random_pairs<D>(a, b, scaled(60, 20), 31), 1e6),
                                     {0, 0.5});
  });
}

TEST_P(mixed_precision_pairs, sizes_from_a_thousandth_to_ten_thousand_far_away) {
  in_its_dimension(GetParam(), []<int D>(Kind a, Kind b) {
    check_pairs_everywhere<D, Mixed>(far_pairs<D>(sized_pairs<D>(a, b, scaled(60, 20), 32), 33),
                                     {0, 0.01});
  });
}

TEST_P(mixed_precision_pairs, touching_shapes_far_away) {
  in_its_dimension(GetParam(), []<int D>(Kind a, Kind b) {
    check_pairs_everywhere<D, Mixed>(moved_pairs<D>(grid_pairs<D>(a, b, scaled(60, 20), 34), 1e6),
                                     {0, 0.25});
  });
}

template <int D>
std::vector<SolidPair<D>> pairs_of_all_kinds(std::size_t count, std::uint64_t seed) {
  std::vector<SolidPair<D>> all;
  for (const Kind a : kinds(D)) {
    for (const Kind b : kinds(D)) {
      if (!has_kernel(D, a, b)) continue;
      for (const auto& family :
           {random_pairs<D>(a, b, count, seed), grid_pairs<D>(a, b, count, seed)}) {
        all.insert(all.end(), family.begin(), family.end());
      }
    }
  }
  return all;
}

template <int D, class T>
ContactBuffer<D, T> contacts_of(const PairScene<D, T>& input, Method method = Method::automatic) {
  Workspace<D, T> workspace;
  ContactBuffer<D, T> contacts;
  CollideOptions options;
  options.margin = 0.25;
  options.order = Order::source;
  options.method = method;
  collide_pairs<D, T>(input.scene, input.pairs, contacts, workspace, options);
  return contacts;
}

/// Numbers in eighths plus multiples of 2^-20, which a shift by 2^20 does not change.
template <int D>
Solid<D> with_short_places(Solid<D> solid) {
  const auto cut = [](double& value) { value = std::round(value * 0x1p20) * 0x1p-20; };
  if (solid.kind != Kind::halfspace) {
    for (double& value : solid.p) cut(value);
  }
  if (solid.kind == Kind::capsule || solid.kind == Kind::aabb) {
    for (double& value : solid.q) cut(value);
  }
  return solid;
}

template <int D>
void check_exact_moves() {
  std::vector<SolidPair<D>> near = pairs_of_all_kinds<D>(scaled(40, 10), 35);
  std::erase_if(near, [](const SolidPair<D>& pair) {
    return pair.a.kind == Kind::halfspace || pair.b.kind == Kind::halfspace;
  });
  for (SolidPair<D>& pair : near) pair = {with_short_places(pair.a), with_short_places(pair.b)};
  Point<D> offset{};
  offset[0] = 0x1p20;
  offset[D - 1] = -0x1p21;
  std::vector<SolidPair<D>> far = near;
  for (SolidPair<D>& pair : far) pair = {moved(pair.a, offset), moved(pair.b, offset)};
  const PairScene<D, Mixed> near_scene(near), far_scene(far);
  for (const Method method : {Method::automatic, Method::gjk_epa}) {
    const auto expected = contacts_of(near_scene, method),
               contacts = contacts_of(far_scene, method);
    ASSERT_EQ(contacts.size(), expected.size());
    ASSERT_GT(contacts.size(), near.size() / 4);
    ASSERT_EQ(contacts.point_count(), expected.point_count());
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      ASSERT_EQ(contacts.source[i], expected.source[i]);
      ASSERT_EQ(contacts.depth[i], expected.depth[i]) << describe(expected, i);
      ASSERT_EQ(contacts.status[i], expected.status[i]);
      for (int k = 0; k < D; ++k) ASSERT_EQ(contacts.normal(i, k), expected.normal(i, k));
    }
    for (std::size_t p = 0; p < contacts.point_count(); ++p) {
      ASSERT_EQ(contacts.feature[p], expected.feature[p]);
      ASSERT_EQ(contacts.point_depth[p], expected.point_depth[p]);
      // At a position of 2^21, the last digit of an added number is worth 2^-31.
      for (int k = 0; k < D; ++k) {
        ASSERT_NEAR(contacts.point(p, k), expected.point(p, k) + offset[k], 0x1p-30);
      }
    }
  }
}

TEST(mixed_precision, an_exact_move_changes_no_bit_of_depths_and_normals) {
  check_exact_moves<2>();
  check_exact_moves<3>();
}

/// For any offset, positions in double round, by 1e-10 at 1e6.
template <int D>
void check_moves() {
  std::vector<SolidPair<D>> near = pairs_of_all_kinds<D>(scaled(40, 10), 42);
  for (SolidPair<D>& pair : near) pair = {stored<Mixed>(pair.a), stored<Mixed>(pair.b)};
  const PairScene<D, Mixed> near_scene(near), far_scene(moved_pairs<D>(near, 1e6));
  Workspace<D, Mixed> workspace;
  DistanceBuffer<D, Mixed> expected, answers;
  distances<D, Mixed>(near_scene.scene, near_scene.pairs, expected, workspace);
  distances<D, Mixed>(far_scene.scene, far_scene.pairs, answers, workspace);
  for (std::size_t i = 0; i < near.size(); ++i) {
    const double size = static_cast<double>(reference_of(near[i].a, near[i].b).size);
    ASSERT_NEAR(answers.distance[i], expected.distance[i], 1e-6 * size)
        << describe(near[i].a) << "\n"
        << describe(near[i].b);
  }
}

TEST(mixed_precision, depths_a_million_away_are_those_at_the_origin) {
  check_moves<2>();
  check_moves<3>();
}

template <int D>
void check_float_numbers() {
  std::vector<SolidPair<D>> pairs = pairs_of_all_kinds<D>(scaled(40, 10), 36);
  std::erase_if(pairs, [](const SolidPair<D>& pair) {
    return pair.a.kind == Kind::halfspace || pair.b.kind == Kind::halfspace;
  });
  for (SolidPair<D>& pair : pairs) pair = {stored<float>(pair.a), stored<float>(pair.b)};
  for (const Method method : {Method::automatic, Method::gjk_epa}) {
    PairScene<D, float> single(pairs);
    PairScene<D, Mixed> mixed(pairs);
    center_point_sets(single.scene);
    center_point_sets(mixed.scene);
    const auto expected = contacts_of(single, method);
    const auto contacts = contacts_of(mixed, method);
    ASSERT_EQ(contacts.size(), expected.size());
    ASSERT_EQ(contacts.point_count(), expected.point_count());
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      ASSERT_EQ(contacts.pair[i], expected.pair[i]);
      ASSERT_EQ(contacts.depth[i], expected.depth[i]) << describe(expected, i);
      ASSERT_EQ(contacts.status[i], expected.status[i]);
      for (int k = 0; k < D; ++k) ASSERT_EQ(contacts.normal(i, k), expected.normal(i, k));
      const bool is_flipped = contacts.pair[i].a > contacts.pair[i].b;
      for (auto j = contacts.offset[i]; j < contacts.offset[i + 1]; ++j) {
        const auto p = static_cast<std::size_t>(j);
        ASSERT_EQ(contacts.feature[p], expected.feature[p]);
        ASSERT_EQ(contacts.point_depth[p], expected.point_depth[p]);
        for (int k = 0; k < D && !is_flipped; ++k) {
          ASSERT_EQ(static_cast<float>(contacts.point(p, k)), expected.point(p, k));
        }
      }
    }
  }
}

TEST(mixed_precision, numbers_that_float_holds_have_the_answers_of_float) {
  check_float_numbers<2>();
  check_float_numbers<3>();
}

/// A scene of all kinds and filters, moved away by 1e6.
template <int D>
SceneColumns<D, Mixed> far_scene(std::size_t count, std::uint64_t seed, int worlds = 0) {
  SceneColumns<D, Mixed> near;
  add_mixed(near, {count, seed});
  SceneColumns<D, Mixed> far;
  const std::int32_t shapes = layout_of(near).shape_count();
  Point<D> offset;
  for (int k = 0; k < D; ++k) offset[k] = 1e6 * (k + 1);
  for (std::int32_t id = 0; id < shapes; ++id) append(far, moved(solid_of(near, id), offset));
  if (worlds > 0) add_tags(far, worlds, seed + 1);
  return far;
}

/// Pairs from the scene's own bounds, in double.
template <int D>
void check_scene() {
  const SceneColumns<D, Mixed> scene = far_scene<D>(scaled(600, 100), 37, 3);
  Workspace<D, Mixed> workspace;
  ContactBuffer<D, Mixed> contacts, by_pairs;
  CollideOptions options;
  options.order = Order::id;
  options.margin = 0.0625;
  collide<D, Mixed>(scene, contacts, workspace, options);
  ASSERT_TRUE(is_consistent(contacts));
  ASSERT_GT(contacts.size(), scaled(600, 100) / 20);
  const std::vector<Pair> all = allowed_pairs(scene);
  Workspace<D, Mixed> other;
  collide_pairs<D, Mixed>(scene, all, by_pairs, other, options);
  EXPECT_TRUE(same_contact_set(contacts, by_pairs));
  const BoundsBuffer<D, double>& bounds = workspace.bounds();
  const SceneLayout layout = layout_of(scene);
  const auto are_bounded = [&](Pair pair) {
    return is_bounded(layout, pair.a) && is_bounded(layout, pair.b);
  };
  std::size_t overlaps = 0;
  for (const Pair pair : all) {
    bool is_met = true;
    for (int k = 0; k < D; ++k) {
      const auto a = static_cast<std::size_t>(pair.a), b = static_cast<std::size_t>(pair.b);
      is_met &= bounds.min(a, k) <= bounds.max(b, k) && bounds.min(b, k) <= bounds.max(a, k);
    }
    overlaps += is_met && are_bounded(pair) ? 1 : 0;
  }
  std::size_t found = 0;
  for (const Pair pair : workspace.pairs()) {
    found += are_bounded(pair) ? 1 : 0;
  }
  EXPECT_EQ(found, overlaps);
  // No looser than the precision of sizes: a float box at 1e6 would be off by a sixteenth.
  for (const std::int32_t id : bounded_ids(layout)) {
    const Solid<D> solid = solid_of(scene, id);
    Point<D> axis{};
    axis[0] = 1;
    Vec<D> along{};
    along[0] = 1;
    const double high = static_cast<double>(core_support(solid, along) + radius_of(solid));
    const double margin = tags_of(scene)[static_cast<std::size_t>(id)].margin + 0.0625 / 2;
    EXPECT_GE(bounds.max(static_cast<std::size_t>(id), 0), high + margin - 1e-9);
    EXPECT_LE(bounds.max(static_cast<std::size_t>(id), 0), high + margin + 1e-5);
  }
}

TEST(mixed_precision, a_scene_finds_its_pairs_far_away) {
  check_scene<2>();
  check_scene<3>();
}

template <int D>
void check_threads_and_sets() {
  const SceneColumns<D, Mixed> scene = far_scene<D>(scaled(3000, 600), 38, 2);
  ContactBuffer<D, Mixed> expected;
  for (const Isa isa : usable_isas()) {
    for (int threads = 1; threads <= 8; threads += isa == usable_isas().front() ? 1 : 7) {
      Workspace<D, Mixed> workspace;
      ContactBuffer<D, Mixed> contacts;
      CollideOptions options;
      options.isa = isa;
      options.threads.count = threads;
      options.margin = 0.0625;
      collide<D, Mixed>(scene, contacts, workspace, options);
      if (expected.size() == 0) expected = contacts;
      EXPECT_TRUE(same_contacts(contacts, expected)) << isa_name(isa) << ", " << threads;
      EXPECT_EQ(hash(contacts), hash(expected));
    }
  }
  EXPECT_GT(expected.size(), scaled(3000, 600) / 20);
}

TEST(mixed_precision, sets_and_threads_agree) {
  check_threads_and_sets<2>();
  check_threads_and_sets<3>();
}

template <int D>
void check_distances() {
  std::vector<SolidPair<D>> pairs = pairs_of_all_kinds<D>(scaled(20, 8), 39);
  const std::vector<SolidPair<D>> near = pairs;
  pairs = moved_pairs<D>(pairs, 0x1p20);
  const PairScene<D, Mixed> input(pairs);
  Workspace<D, Mixed> workspace;
  DistanceBuffer<D, Mixed> answers;
  distances<D, Mixed>(input.scene, input.pairs, answers, workspace);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Solid<D> a = stored<Mixed>(pairs[i].a), b = stored<Mixed>(pairs[i].b);
    const auto reference = reference_of(a, b);
    const double tolerance = 2e-5 * static_cast<double>(reference.size);
    ASSERT_NEAR(answers.distance[i], static_cast<double>(-reference.depth), tolerance)
        << describe(a) << "\n"
        << describe(b);
    for (int k = 0; k < D; ++k) {
      ASSERT_NEAR(answers.point_b(i, k),
                  answers.point_a(i, k) + double(answers.distance[i]) * answers.normal(i, k), 1e-9);
    }
  }
}

TEST(mixed_precision, distances_far_away) {
  check_distances<2>();
  check_distances<3>();
}

template <int D>
void check_worlds() {
  const SceneColumns<D, Mixed> scene = far_scene<D>(scaled(400, 100), 40, 5);
  Workspace<D, Mixed> workspace;
  ContactBuffer<D, Mixed> contacts;
  CollideOptions options;
  options.order = Order::world;
  collide<D, Mixed>(scene, contacts, workspace, options);
  const auto worlds = static_cast<std::size_t>(world_count<D, Mixed>(scene));
  std::vector<std::uint8_t> is_contact(worlds, 2);
  any_contact<D, Mixed>(scene, is_contact, workspace);
  WorldDistanceBuffer<D, Mixed> least;
  min_distance<D, Mixed>(scene, least, workspace);
  const SceneLayout layout = layout_of(scene);
  std::vector<Pair> pairs;
  for (const Pair pair : allowed_pairs(scene)) {
    if (is_bounded(layout, pair.a) || is_bounded(layout, pair.b)) pairs.push_back(pair);
  }
  DistanceBuffer<D, Mixed> all;
  distances<D, Mixed>(scene, pairs, all, workspace);
  const std::vector<ShapeTags> tags = tags_of(scene);
  for (std::size_t w = 0; w < worlds; ++w) {
    EXPECT_EQ(is_contact[w] != 0, contacts.world_offset[w + 1] > contacts.world_offset[w]);
    float nearest = std::numeric_limits<float>::max();
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const std::int32_t world = std::max(tags[static_cast<std::size_t>(pairs[i].a)].world,
                                          tags[static_cast<std::size_t>(pairs[i].b)].world);
      if (world == static_cast<std::int32_t>(w)) nearest = std::min(nearest, all.distance[i]);
    }
    EXPECT_EQ(least.distance[w], nearest);
  }
}

TEST(mixed_precision, worlds_far_away) {
  check_worlds<2>();
  check_worlds<3>();
}

TEST(mixed_precision, a_periodic_domain_far_away) {
  // Spheres of radius 0.75 at the two ends of a domain from 1e6 to 1e6 + 16: 1 apart across it. The
  // second one is stored 3 periods away.
  SceneColumns<3, Mixed> scene;
  const double low = 1e6 + 1.0 / 1024;
  scene.spheres.center = {{low + 0.5, 0, 0}, {low + 15.5 + 48, 0, 0}};
  scene.spheres.radius = {0.75f, 0.75f};
  scene.domain.min = {low, 0, 0};
  scene.domain.max = {low + 16, 0, 0};
  scene.domain.periodic = {true, false, false};
  Workspace<3, Mixed> workspace;
  ContactBuffer<3, Mixed> contacts;
  collide<3, Mixed>(scene, contacts, workspace);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_EQ(contacts.depth[0], 0.5f);
  EXPECT_EQ(contacts.normal(0, 0), -1);
  EXPECT_EQ(contacts.point(0, 0), low + 0.5 - 0.75);
  // With the pair in the other order, the point is on the other sphere, near where that one is
  // stored.
  const std::vector<Pair> pairs{{1, 0}};
  collide_pairs<3, Mixed>(scene, pairs, contacts, workspace);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_EQ(contacts.normal(0, 0), 1);
  EXPECT_EQ(contacts.point(0, 0), low + 15.5 + 48 + 0.75);
}

TEST(mixed_precision, bodies_far_away) {
  // Balls of radius 0.5 on two bodies, 0.75 apart with a part of 2^-20, at 1e6.
  const double far = 1e6;
  SceneColumns<3, Mixed> scene;
  scene.spheres.center = {{1, 0, 0}, {-1, 0, 0}};
  scene.spheres.radius = {0.5f, 0.5f};
  scene.spheres.body = {0, 1};
  scene.bodies.position = {{far, far, far}, {far + 2.75 + 0x1p-20, far, far}};
  Workspace<3, Mixed> workspace;
  ContactBuffer<3, Mixed> contacts;
  collide<3, Mixed>(scene, contacts, workspace);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_EQ(contacts.depth[0], 0.25f - 0x1p-20f);
  EXPECT_EQ(contacts.point(0, 0), far + 1.5);
}

TEST(mixed_precision, scenes_are_moved_in_double) {
  // A ball on a plane, moved to 1e6 and back by offsets that are exact in double.
  SceneColumns<2, Mixed> scene;
  scene.circles.center = {{0.25, 0.5}};
  scene.circles.radius = {0.5f};
  scene.halfspaces.normal = {{0, 1}};
  scene.halfspaces.offset = {0.125};
  translate(scene, {1e6, -1e6});
  EXPECT_EQ(scene.circles.center.row(0), (std::array<double, 2>{1e6 + 0.25, 0.5 - 1e6}));
  EXPECT_EQ(scene.halfspaces.offset[0], 0.125 - 1e6);
  scale(scene, 2, {1e6, -1e6});
  EXPECT_EQ(scene.circles.center.row(0), (std::array<double, 2>{1e6 + 0.5, 1 - 1e6}));
  EXPECT_EQ(scene.circles.radius[0], 1);
  EXPECT_EQ(scene.halfspaces.offset[0], 0.25 - 1e6);
  SceneColumns<2, Mixed> worlds;
  replicate<2, Mixed>(scene, 2, worlds);
  Workspace<2, Mixed> workspace;
  ContactBuffer<2, Mixed> contacts;
  collide<2, Mixed>(worlds, contacts, workspace);
  ASSERT_EQ(contacts.size(), 2u);
  EXPECT_EQ(contacts.depth[1], 0.25f);
  EXPECT_EQ(contacts.point.row(1), (std::array<double, 2>{1e6 + 0.5, -1e6}));
}

TEST(mixed_precision, planes_far_away) {
  // The plane through (1e6, 1e6) along (3, 4): a ball of radius 0.25 whose centre is 0.125 above.
  SceneColumns<2, Mixed> scene;
  scene.circles.center = {{1e6 - 0.125 * 0.6, 1e6 - 0.125 * 0.8}};
  scene.circles.radius = {0.25f};
  scene.halfspaces.normal = {{-0.6f, -0.8f}};
  const double length = std::hypot(double(0.6f), double(0.8f));
  scene.halfspaces.offset = {-(double(0.6f) + double(0.8f)) * 1e6};
  Workspace<2, Mixed> workspace;
  ContactBuffer<2, Mixed> contacts;
  collide<2, Mixed>(scene, contacts, workspace);
  ASSERT_EQ(contacts.size(), 1u);
  const double height = 0.125 * (0.6 * double(0.6f) + 0.8 * double(0.8f)) / length;
  EXPECT_NEAR(contacts.depth[0], 0.25 - height, 1e-7);
}

TEST(mixed_precision, support_points_far_away) {
  SceneColumns<3, Mixed> scene;
  scene.spheres.center = {{1e6 + 0.125, -1e6, 3}};
  scene.spheres.radius = {0.5f};
  scene.aabbs.min = {{1e6, 1e6, 1e6}};
  scene.aabbs.max = {{1e6 + 0.25, 1e6 + 1, 1e6 + 2}};
  const std::vector<std::int32_t> ids{0, 1};
  const Column<float, 3> direction{{1, 0, 0}, {1, 1, -1}};
  Workspace<3, Mixed> workspace;
  SupportBuffer<3, Mixed> support;
  support_points<3, Mixed>(scene, ids, direction, support, workspace);
  EXPECT_EQ(support.point.row(0), (std::array<double, 3>{1e6 + 0.625, -1e6, 3}));
  EXPECT_EQ(support.point.row(1), (std::array<double, 3>{1e6 + 0.25, 1e6 + 1, 1e6}));
}

TEST(mixed_precision, warm_starts_go_on_far_away) {
  const std::vector<SolidPair<3>> pairs =
      moved_pairs<3>(random_pairs<3>(Kind::hull, Kind::hull, scaled(100, 30), 41), 1e6);
  std::vector<Reference<3>> references;
  std::vector<SolidPair<3>> kept;
  for (const SolidPair<3>& pair : pairs) {
    kept.push_back({stored<Mixed>(pair.a), stored<Mixed>(pair.b)});
    references.push_back(reference_of(kept.back().a, kept.back().b));
  }
  std::vector<WarmStart> warm(kept.size());
  for (int step = 0; step < 2; ++step) {
    check_pairs<3, Mixed>(kept, references, 0.5, usable_isas().back(), Method::automatic, warm);
  }
}

TEST(mixed_precision, wrong_positions_are_told_as_they_are) {
  SceneColumns<3, Mixed> scene;
  scene.spheres.center = {{0, 0, 0}, {0, std::numeric_limits<double>::infinity(), 0}};
  scene.spheres.radius = {1, 1};
  Workspace<3, Mixed> workspace;
  ContactBuffer<3, Mixed> contacts;
  try {
    collide<3, Mixed>(scene, contacts, workspace);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "sphere.center[1] is inf; center must be a finite number");
  }
  // A float sphere as far away as double allows collides with nothing, and no number overflows.
  scene.spheres.center = {{0, 0, 0}, {1e300, 0, 0}};
  collide<3, Mixed>(scene, contacts, workspace);
  EXPECT_EQ(contacts.size(), 0u);
}

INSTANTIATE_TEST_SUITE_P(kinds, mixed_precision_pairs, ::testing::ValuesIn(all_pair_kinds()),
                         case_name);

TEST(mixed_precision, a_scene_finds_the_pairs_of_aabbs_that_touch_but_for_rounding) {
  SceneColumns<3, Mixed> scene;
  append(scene, aabb<3>({0, 0, 0}, {1, 1, 1}));
  append(scene, aabb<3>({1 + 1e-9, 0, 0}, {2, 1, 1}));
  const std::vector<Pair> pairs{{0, 1}};
  Workspace<3, Mixed> workspace;
  ContactBuffer<3, Mixed> contacts;
  collide_pairs<3, Mixed>(scene, pairs, contacts, workspace);
  const std::size_t count = contacts.size();
  collide<3, Mixed>(scene, contacts, workspace);
  EXPECT_EQ(contacts.size(), count);
}

}  // namespace
}  // namespace widephase::test
