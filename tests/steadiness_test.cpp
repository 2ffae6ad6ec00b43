// Steadiness: last step's face stays the way out while it is the least but for a bound. The depth
// is then that of leaving along the face's normal, and within the bound of the least.

#include <gtest/gtest.h>

#include <limits>

#include <widephase/stream_contacts.hpp>
#include <widephase/tracker.hpp>

#include "support/compare.hpp"
#include "support/error_of.hpp"
#include "support/mixed_pairs.hpp"
#include "support/pair_kinds.hpp"

namespace widephase::test {
namespace {

/// Contacts of a list in its order.
template <class T>
ContactBuffer<3, T> contacts_of(const std::vector<SolidPair<3>>& solids, CollideOptions options) {
  const PairScene<3, T> input(solids);
  options.order = Order::source;
  ContactBuffer<3, T> contacts;
  Workspace<3, T> workspace;
  collide_pairs<3, T>(input.scene, input.pairs, contacts, workspace, options);
  return contacts;
}

std::vector<std::pair<Kind, Kind>> steady_kinds() {
  return {{Kind::aabb, Kind::box},
          {Kind::box, Kind::box},
          {Kind::aabb, Kind::hull},
          {Kind::box, Kind::hull},
          {Kind::hull, Kind::hull}};
}

SolidPair<3> moved_a_little(const SolidPair<3>& pair, Random& random) {
  const Point<3> by = random.point<3>(-0.1, 0.1);
  SolidPair<3> after{pair.a, moved<3>(pair.b, by)};
  if (after.b.kind != Kind::aabb) after.b = turned_by(about({by[1], by[2], by[0]}, by[0]), after.b);
  return after;
}

/// The depth is how far B must leave along the normal, by the support points of both.
template <class T>
void expect_exact_along_the_normal(const std::vector<SolidPair<3>>& solids,
                                   const ContactBuffer<3, T>& contacts, double rounding) {
  const PairScene<3, T> input(solids);
  std::vector<std::int32_t> ids;
  Column<T, 3> directions;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const auto [x, y, z] = contacts.normal.row(i);
    ids.push_back(contacts.pair[i].a);
    directions.push_back({x, y, z});
    ids.push_back(contacts.pair[i].b);
    directions.push_back({-x, -y, -z});
  }
  SupportBuffer<3, T> support;
  Workspace<3, T> workspace;
  support_points<3, T>(input.scene, ids, directions.span(), support, workspace);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    double along = 0;
    for (int k = 0; k < 3; ++k) {
      along += static_cast<double>(support.point(2 * i, k) - support.point(2 * i + 1, k)) *
               static_cast<double>(contacts.normal(i, k));
    }
    EXPECT_NEAR(contacts.depth[i], along, rounding) << i;
  }
}

/// Answers how many contacts kept another face than the least.
template <class T>
std::int64_t expect_within_the_bound(Kind a, Kind b, bool is_swapped) {
  constexpr double kBound = 0.2;
  const double rounding = sizeof(T) == 4 ? 2e-5 : 1e-12;
  std::vector<SolidPair<3>> solids =
      random_pairs<3>(a, b, scaled(b == Kind::hull ? 50 : 400, 40), 401);
  if (is_swapped) {
    for (SolidPair<3>& pair : solids) std::swap(pair.a, pair.b);
  }
  std::vector<WarmStart> words(solids.size());
  Random random(402);
  std::int64_t kept = 0;
  for (int step = 0; step < 4; ++step) {
    CollideOptions options;
    const ContactBuffer<3, T> exact = contacts_of<T>(solids, options);
    options.warm_starts = words;
    options.steadiness = kBound;
    const ContactBuffer<3, T> steady = contacts_of<T>(solids, options);
    EXPECT_EQ(steady.size(), exact.size());
    if (steady.size() != exact.size()) return 0;
    std::vector<SolidPair<3>> parted;
    for (std::size_t i = 0; i < steady.size(); ++i) {
      SCOPED_TRACE(describe(exact, i) + "\n" + describe(steady, i));
      const auto source = static_cast<std::size_t>(steady.source[i]);
      EXPECT_EQ(steady.source[i], exact.source[i]);
      EXPECT_LE(steady.depth[i], exact.depth[i] + kBound + rounding);
      EXPECT_GE(steady.depth[i], exact.depth[i] - rounding);
      T deepest = steady.point_depth[static_cast<std::size_t>(steady.offset[i])];
      for (auto p = steady.offset[i]; p < steady.offset[i + 1]; ++p) {
        const T depth = steady.point_depth[static_cast<std::size_t>(p)];
        EXPECT_LE(depth, steady.depth[i]);
        EXPECT_GE(depth, 0);
        deepest = std::max(deepest, depth);
      }
      EXPECT_GE(deepest, steady.depth[i] - kBound - rounding);
      double along = 0;
      for (int k = 0; k < 3; ++k) along += steady.normal(i, k) * exact.normal(i, k);
      const bool is_kept = along < 0.999;
      kept += is_kept ? 1 : 0;
      // Moved out by its depth a pair overlaps no longer.
      SolidPair<3> pair = solids[source];
      Point<3> way;
      for (int k = 0; k < 3; ++k)
        way[k] = steady.depth[i] * static_cast<double>(steady.normal(i, k));
      pair.b = moved<3>(pair.b, way);
      parted.push_back(pair);
    }
    const ContactBuffer<3, T> left = contacts_of<T>(parted, {});
    for (const T depth : left.depth) EXPECT_LE(depth, 4 * rounding);
    expect_exact_along_the_normal(solids, steady, rounding);
    for (SolidPair<3>& pair : solids) pair = moved_a_little(pair, random);
  }
  return kept;
}

TEST(steadiness, keeps_depths_within_the_bound) {
  std::int64_t kept = 0;
  for (const auto& [a, b] : steady_kinds()) {
    for (const bool is_swapped : {false, true}) {
      SCOPED_TRACE(std::string(kind_name(a, 3)) + " " + std::string(kind_name(b, 3)));
      kept += expect_within_the_bound<float>(a, b, is_swapped);
      kept += expect_within_the_bound<double>(a, b, is_swapped);
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(kept, static_cast<std::int64_t>(scaled(50, 4)));
}

/// Whatever the words, and where there is nothing to keep.
TEST(steadiness, of_0_changes_no_bit_and_any_words_keep_to_the_bound) {
  for (const auto& [a, b] : steady_kinds()) {
    SCOPED_TRACE(std::string(kind_name(a, 3)) + " " + std::string(kind_name(b, 3)));
    const std::vector<SolidPair<3>> solids = random_pairs<3>(a, b, scaled(100, 30), 403);
    const ContactBuffer<3, float> exact = contacts_of<float>(solids, {});
    Random random(404);
    std::vector<WarmStart> words(solids.size());
    const auto spoil = [&] {
      for (WarmStart& word : words) {
        const auto bits = [&] { return static_cast<std::uint64_t>(random.uniform(0, 8)); };
        word = {bits() | bits() << 8, 0};
        if (random.chance(0.2)) word.axis = ~std::uint64_t{0};
      }
    };
    spoil();
    CollideOptions options;
    options.warm_starts = words;
    if (a != Kind::hull && b == Kind::box) {
      const std::vector<WarmStart> before = words;
      EXPECT_TRUE(same_contacts(contacts_of<float>(solids, options), exact));
      EXPECT_TRUE(words == before);  // boxes search nothing
    }
    for (const double bound : {1e-3, 0.1}) {
      spoil();
      options.steadiness = bound;
      const ContactBuffer<3, float> steady = contacts_of<float>(solids, options);
      ASSERT_EQ(steady.size(), exact.size());
      for (std::size_t i = 0; i < steady.size(); ++i) {
        EXPECT_LE(steady.depth[i], exact.depth[i] + bound + 2e-5) << i;
        EXPECT_GE(steady.depth[i], exact.depth[i] - 2e-5) << i;
      }
    }
  }
}

/// A cube at an inner corner of two others' faces: the ways out across x and y are level but for a
/// jitter. Without steadiness the normal goes to and fro.
template <class T>
int turns_of_the_normal(const Solid<3>& a, const Solid<3>& b, double steadiness) {
  Tracker<3, T> tracker;
  Workspace<3, T> workspace;
  ContactBuffer<3, T> contacts;
  CollideOptions options;
  options.steadiness = steadiness;
  int turns = 0, lost = 0;
  Point<3> before{};
  for (int step = 0; step < 20; ++step) {
    const double jitter = step % 2 == 0 ? 1e-3 : -1e-3;
    SceneColumns<3, T> scene;
    append(scene, a);
    append(scene, moved<3>(b, {1.8 + jitter, 1.8 - jitter, 0.05}));
    collide<3, T>(scene, contacts, workspace, tracker, options);
    EXPECT_EQ(contacts.size(), 1u);
    Point<3> normal;
    for (int k = 0; k < 3; ++k) normal[k] = contacts.normal(0, k);
    if (step > 0 && normal[0] * before[0] + normal[1] * before[1] < 0.5) ++turns;
    for (const std::int64_t last : tracker.last_point()) lost += step > 0 && last < 0 ? 1 : 0;
    before = normal;
  }
  EXPECT_EQ(lost == 0, turns == 0);
  return turns;
}

TEST(steadiness, holds_the_face_that_a_body_rests_on) {
  const Quaternion level{0, 0, 0, 1};
  const Solid<3> cube = box({0, 0, 0}, level, {1, 1, 1}, 0);
  std::vector<Point<3>> corners;
  for (int v = 0; v < 8; ++v) {
    corners.push_back({v & 1 ? 1. : -1., v & 2 ? 1. : -1., v & 4 ? 1. : -1.});
  }
  const Solid<3> hull_cube = hull({0, 0, 0}, level, corners, 0);
  const auto check = [&]<class T>(T) {
    for (const auto& [a, b] : {std::pair{cube, cube},
                               {cube, hull_cube},
                               {hull_cube, hull_cube},
                               {aabb<3>({-1, -1, -1}, {1, 1, 1}), cube}}) {
      EXPECT_EQ(turns_of_the_normal<T>(a, b, 0), 19);
      EXPECT_EQ(turns_of_the_normal<T>(a, b, 0.005), 0);
      // The jitter is 0.002 either way: a lesser bound does not hold it.
      EXPECT_EQ(turns_of_the_normal<T>(a, b, 0.001), 19);
    }
  };
  check(float{});
  check(double{});
}

TEST(steadiness, is_a_length_that_goes_by_the_last_step) {
  const PairScene<3, float> input(random_pairs<3>(Kind::box, Kind::box, 3, 405));
  std::vector<WarmStart> words(3);
  Workspace<3, float> workspace;
  ContactBuffer<3, float> contacts;
  DistanceBuffer<3, float> rows;
  CollideOptions options;
  const auto error = [&] {
    return error_of(
        [&] { collide_pairs<3, float>(input.scene, input.pairs, contacts, workspace, options); });
  };
  options.steadiness = 0.1;
  EXPECT_EQ(error(), "steadiness goes by the last step; give warm_starts or a Tracker with it");
  options.warm_starts = words;
  EXPECT_EQ(
      error_of([&] { distances<3, float>(input.scene, input.pairs, rows, workspace, options); }),
      "steadiness is not for distances, which answers exactly; leave it 0");
  options.steadiness = -1;
  EXPECT_EQ(error(), "steadiness is -1; it must be a finite number >= 0");
  options.steadiness = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(error(), "steadiness is nan; it must be a finite number >= 0");
}

TEST(steadiness, holds_in_streams) {
  std::vector<WarmStart> words(1), streamed_words(1);
  Workspace<3, float> workspace;
  ContactBuffer<3, float> contacts;
  const std::vector<Pair> pairs{{0, 1}};
  for (const double shift : {0.02, 0.0, -0.02, 0.01}) {
    SceneColumns<3, float> scene;
    append(scene, box({0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}));
    append(scene, box({1.5 + shift, 1.501, 0}, {0, 0, 0, 1}, {1, 1, 1}));
    CollideOptions options;
    options.steadiness = 0.1;
    options.warm_starts = words;
    collide_pairs<3, float>(scene, pairs, contacts, workspace, options);
    ASSERT_EQ(contacts.size(), 1u);
    // The first step's face, also where the other one is less deep.
    EXPECT_EQ(contacts.normal(0, 0), 1) << shift;
    options.warm_starts = streamed_words;
    const auto expect_the_same = [&](const ContactBuffer<3, float>& chunk) {
      for (int k = 0; k < 3; ++k) EXPECT_EQ(chunk.normal(0, k), contacts.normal(0, k)) << shift;
    };
    stream_contacts<3, float>(scene, pairs, expect_the_same, workspace, options);
  }
}

}  // namespace
}  // namespace widephase::test
