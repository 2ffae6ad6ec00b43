// Steadiness: the face of the last step is kept while its depth is within a bound of the least. The
// depth is then measured along that face's normal, and is within the bound of the least. In 3D this
// holds for shapes that overlap, in 2D for all in contact.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include <widephase/stream_contacts.hpp>
#include <widephase/tracker.hpp>

#include "support/compare.hpp"
#include "support/error_of.hpp"
#include "support/mixed_pairs.hpp"
#include "support/pair_kinds.hpp"

namespace widephase::test {
namespace {

/// The contacts of a list, in its order.
template <class T, int D>
ContactBuffer<D, T> contacts_of(const std::vector<SolidPair<D>>& solids, CollideOptions options) {
  const PairScene<D, T> input(solids);
  options.order = Order::source;
  ContactBuffer<D, T> contacts;
  Workspace<D, T> workspace;
  collide_pairs<D, T>(input.scene, input.pairs, contacts, workspace, options);
  return contacts;
}

std::vector<std::pair<Kind, Kind>> steady_kinds(int dimension) {
  if (dimension == 2) {
    return {{Kind::capsule, Kind::aabb},    {Kind::capsule, Kind::box},
            {Kind::capsule, Kind::polygon}, {Kind::aabb, Kind::box},
            {Kind::box, Kind::box},         {Kind::aabb, Kind::polygon},
            {Kind::polygon, Kind::polygon}, {Kind::box, Kind::polygon}};
  }
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

SolidPair<2> moved_a_little(const SolidPair<2>& pair, Random& random) {
  SolidPair<2> after{pair.a, moved<2>(pair.b, random.point<2>(-0.1, 0.1))};
  after.b.angle += random.uniform(-0.1, 0.1);
  return after;
}

/// Checks that the depth is how far B must move along the normal to separate, by the support points
/// of both.
template <class T, int D>
void expect_exact_along_the_normal(const std::vector<SolidPair<D>>& solids,
                                   const ContactBuffer<D, T>& contacts, double rounding) {
  const PairScene<D, T> input(solids);
  std::vector<std::int32_t> ids;
  Column<T, D> directions;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    auto direction = contacts.normal.row(i);
    ids.push_back(contacts.pair[i].a);
    directions.push_back(direction);
    ids.push_back(contacts.pair[i].b);
    for (T& part : direction) part = -part;
    directions.push_back(direction);
  }
  SupportBuffer<D, T> support;
  Workspace<D, T> workspace;
  support_points<D, T>(input.scene, ids, directions.span(), support, workspace);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    double along = 0;
    for (int k = 0; k < D; ++k) {
      along += static_cast<double>(support.point(2 * i, k) - support.point(2 * i + 1, k)) *
               static_cast<double>(contacts.normal(i, k));
    }
    EXPECT_NEAR(contacts.depth[i], along, rounding) << i;
  }
}

/// Returns how many contacts kept a face other than the one of least depth.
template <int D, class T>
std::int64_t expect_within_the_bound(Kind a, Kind b, bool is_swapped, double margin) {
  constexpr double kBound = 0.2;
  const double rounding = sizeof(T) == 4 ? 2e-5 : 1e-12;
  std::vector<SolidPair<D>> solids = random_pairs<D>(a, b,
                                                     scaled(b == Kind::hull ? 50
                                                            : D == 2        ? 200
                                                                            : 400,
                                                            40),
                                                     401);
  if (is_swapped) {
    for (SolidPair<D>& pair : solids) std::swap(pair.a, pair.b);
  }
  std::vector<WarmStart> words(solids.size());
  Random random(402);
  std::int64_t kept = 0;
  for (int step = 0; step < 4; ++step) {
    CollideOptions options;
    options.margin = margin;
    const ContactBuffer<D, T> exact = contacts_of<T>(solids, options);
    options.warm_starts = words;
    options.steadiness = kBound;
    const ContactBuffer<D, T> steady = contacts_of<T>(solids, options);
    EXPECT_EQ(steady.size(), exact.size());
    if (steady.size() != exact.size()) return 0;
    std::vector<SolidPair<D>> parted;
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
        EXPECT_GE(depth, static_cast<T>(-margin));
        deepest = std::max(deepest, depth);
      }
      EXPECT_GE(deepest, steady.depth[i] - kBound - rounding);
      double along = 0;
      for (int k = 0; k < D; ++k) along += steady.normal(i, k) * exact.normal(i, k);
      const bool is_kept = along < 0.999;
      kept += is_kept ? 1 : 0;
      // Moved out by its depth, a pair no longer overlaps.
      SolidPair<D> pair = solids[source];
      Point<D> way;
      for (int k = 0; k < D; ++k)
        way[k] = steady.depth[i] * static_cast<double>(steady.normal(i, k));
      pair.b = moved<D>(pair.b, way);
      parted.push_back(pair);
    }
    const ContactBuffer<D, T> left = contacts_of<T>(parted, {});
    for (const T depth : left.depth) EXPECT_LE(depth, 4 * rounding);
    expect_exact_along_the_normal(solids, steady, rounding);
    for (SolidPair<D>& pair : solids) pair = moved_a_little(pair, random);
  }
  return kept;
}

TEST(steadiness, keeps_depths_within_the_bound) {
  std::int64_t kept = 0;
  for (const auto& [a, b] : steady_kinds(3)) {
    for (const bool is_swapped : {false, true}) {
      SCOPED_TRACE(std::string(kind_name(a, 3)) + " " + std::string(kind_name(b, 3)));
      kept += expect_within_the_bound<3, float>(a, b, is_swapped, 0);
      kept += expect_within_the_bound<3, double>(a, b, is_swapped, 0);
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(kept, static_cast<std::int64_t>(scaled(50, 4)));
}

TEST(steadiness, keeps_depths_within_the_bound_in_2d) {
  for (const auto& [a, b] : steady_kinds(2)) {
    std::int64_t kept = 0;
    SCOPED_TRACE(std::string(kind_name(a, 2)) + " " + std::string(kind_name(b, 2)));
    for (const double margin : {0.0, 0.15}) {
      for (const bool is_swapped : {false, true}) {
        kept += expect_within_the_bound<2, float>(a, b, is_swapped, margin);
        kept += expect_within_the_bound<2, double>(a, b, is_swapped, margin);
        if (HasFailure()) return;
      }
    }
    EXPECT_GT(kept, static_cast<std::int64_t>(scaled(30, 4))) << kept;
  }
}

/// With any words, and where there is nothing to keep.
template <int D>
void expect_no_harm_of_any_words(Kind a, Kind b) {
  SCOPED_TRACE(std::string(kind_name(a, D)) + " " + std::string(kind_name(b, D)));
  const std::vector<SolidPair<D>> solids = random_pairs<D>(a, b, scaled(100, 30), 403);
  const ContactBuffer<D, float> exact = contacts_of<float>(solids, {});
  Random random(404);
  std::vector<WarmStart> words(solids.size());
  const auto spoil = [&] {
    for (WarmStart& word : words) {
      const auto bits = [&](int most) {
        return static_cast<std::uint64_t>(random.uniform(0, most));
      };
      word = {bits(8) | bits(random.chance(0.1) ? 300 : 8) << 8, 0, {}};
      if (random.chance(0.2)) word.axis = ~std::uint64_t{0};
      for (std::uint32_t& name : word.points) {
        const auto half = [&] { return static_cast<std::uint32_t>(bits(4) << 14 | bits(8)); };
        name = half() << 16 | half();
      }
    }
  };
  spoil();
  CollideOptions options;
  options.warm_starts = words;
  if (b != Kind::hull) {
    const std::vector<WarmStart> before = words;
    EXPECT_TRUE(same_contacts(contacts_of<float>(solids, options), exact));
    EXPECT_TRUE(words == before);  // boxes and outlines have no searches
  }
  for (const double bound : {1e-3, 0.1}) {
    spoil();
    options.steadiness = bound;
    const ContactBuffer<D, float> steady = contacts_of<float>(solids, options);
    ASSERT_EQ(steady.size(), exact.size());
    for (std::size_t i = 0; i < steady.size(); ++i) {
      EXPECT_LE(steady.depth[i], exact.depth[i] + bound + 2e-5) << i;
      EXPECT_GE(steady.depth[i], exact.depth[i] - 2e-5) << i;
    }
  }
}

TEST(steadiness, of_0_changes_no_bit_and_any_words_keep_to_the_bound) {
  for (const auto& [a, b] : steady_kinds(2)) expect_no_harm_of_any_words<2>(a, b);
  for (const auto& [a, b] : steady_kinds(3)) expect_no_harm_of_any_words<3>(a, b);
}

/// Cubes (squares) that overlap at a corner: the depths along x and y are equal except for a
/// jitter. Without steadiness the normal flips between them.
template <class T, int D>
int turns_of_the_normal(const Solid<D>& a, const Solid<D>& b, double steadiness) {
  Tracker<D, T> tracker;
  Workspace<D, T> workspace;
  ContactBuffer<D, T> contacts;
  CollideOptions options;
  options.steadiness = steadiness;
  int turns = 0, lost = 0;
  Point<D> before{};
  for (int step = 0; step < 20; ++step) {
    const double jitter = step % 2 == 0 ? 1e-3 : -1e-3;
    SceneColumns<D, T> scene;
    append(scene, a);
    Point<D> way{1.8 + jitter, 1.8 - jitter};
    if constexpr (D == 3) way[2] = 0.05;
    append(scene, moved<D>(b, way));
    collide<D, T>(scene, contacts, workspace, tracker, options);
    EXPECT_EQ(contacts.size(), 1u);
    Point<D> normal;
    for (int k = 0; k < D; ++k) normal[k] = contacts.normal(0, k);
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
      // The jitter is 0.002 either way: a smaller bound does not hold it.
      EXPECT_EQ(turns_of_the_normal<T>(a, b, 0.001), 19);
    }
  };
  check(float{});
  check(double{});
}

TEST(steadiness, holds_the_edge_that_a_body_rests_on_in_2d) {
  const Solid<2> square = box({0, 0}, 0, {1, 1}), flat = aabb<2>({-1, -1}, {1, 1});
  const Solid<2> outline = polygon({0, 0}, 0, {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}});
  std::vector<Point<2>> corners;  // twelve, including the upper and right side of a square
  for (int k = 0; k < 10; ++k) {
    const double angle = (90 + 20 * k) * std::numbers::pi / 180;
    corners.push_back({std::cos(angle), std::sin(angle)});
  }
  corners.push_back({1, -1});
  corners.push_back({1, 1});
  const Solid<2> large = polygon({0, 0}, 0, corners);
  const auto check = [&]<class T>(T) {
    for (const auto& [a, b] : {std::pair{square, square},
                               {flat, square},
                               {flat, outline},
                               {square, outline},
                               {outline, outline},
                               {large, outline}}) {
      SCOPED_TRACE(describe(a) + " " + describe(b));
      EXPECT_EQ(turns_of_the_normal<T>(a, b, 0), 19);
      EXPECT_EQ(turns_of_the_normal<T>(a, b, 0.005), 0);
      EXPECT_EQ(turns_of_the_normal<T>(a, b, 0.001), 19);
    }
  };
  check(float{});
  check(double{});
}

/// Six shapes on one another, each half over the end of the one below and tilted alternately. The
/// upper edge of one and the lower edge of the other alternate as the least depth. Returns how
/// often the normal switches between them.
template <class T>
int changes_in_a_stack(const Solid<2>& lowest, const Solid<2>& body, double steadiness) {
  Tracker<2, T> tracker;
  Workspace<2, T> workspace;
  ContactBuffer<2, T> contacts, exact;
  constexpr int kBodies = 6;
  constexpr double kTilt = 0.002;
  int changes = 0;
  bool was_lower[kBodies] = {};
  for (int step = 0; step < 20; ++step) {
    SceneColumns<2, T> scene;
    double angles[kBodies];
    for (int i = 0; i < kBodies; ++i) {
      Solid<2> solid = moved<2>(i == 0 ? lowest : body, {i % 2 * 0.5, i * 1.99});
      angles[i] = (i + step) % 2 == 0 ? kTilt : -kTilt;
      if (solid.kind == Kind::aabb) angles[i] = 0;
      solid.angle = angles[i];
      append(scene, solid);
    }
    CollideOptions options;
    options.margin = 0.01;
    options.order = Order::id;
    collide<2, T>(scene, exact, workspace, options);
    options.steadiness = steadiness;
    collide<2, T>(scene, contacts, workspace, tracker, options);
    EXPECT_EQ(contacts.size(), std::size_t{kBodies - 1});
    EXPECT_EQ(exact.size(), contacts.size());
    if (contacts.size() != kBodies - 1 || exact.size() != contacts.size()) return -1;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      const double tilt = std::abs(std::asin(static_cast<double>(contacts.normal(i, 0))) +
                                   angles[contacts.pair[i].a]);
      const bool is_lower = tilt < kTilt / 4;
      changes += step > 0 && is_lower != was_lower[i] ? 1 : 0;
      was_lower[i] = is_lower;
      EXPECT_LE(contacts.depth[i], exact.depth[i] + steadiness + 1e-6);
      EXPECT_GE(contacts.depth[i], exact.depth[i] - 1e-6);
      EXPECT_EQ(contacts.offset[i + 1] - contacts.offset[i], 2) << i;
    }
  }
  return changes;
}

TEST(steadiness, keeps_the_edges_of_a_stack_in_2d) {
  const Solid<2> square = box({0, 0}, 0, {1, 1}), rounded = box({0, 0}, 0, {0.9, 0.9}, 0.1);
  const std::vector<Point<2>> corners{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  const Solid<2> outline = polygon({0, 0}, 0, corners);
  const auto check = [&]<class T>(T) {
    for (const auto& [lowest, body] : {std::pair{square, square},
                                       {rounded, rounded},
                                       {aabb<2>({-1, -1}, {1, 1}), square},
                                       {square, outline},
                                       {outline, outline}}) {
      SCOPED_TRACE(describe(lowest) + " " + describe(body));
      EXPECT_GT(changes_in_a_stack<T>(lowest, body, 0), 50);
      EXPECT_EQ(changes_in_a_stack<T>(lowest, body, 0.01), 0);
    }
  };
  check(float{});
  check(double{});
}

/// Takes two steps with a list and returns the contacts of the second.
template <class T>
ContactBuffer<2, T> second_step(const std::vector<SolidPair<2>>& first,
                                const std::vector<SolidPair<2>>& second, CollideOptions options,
                                std::vector<WarmStart>& words) {
  words.assign(first.size(), {});
  options.warm_starts = words;
  options.margin = 0.05;
  options.steadiness = 0.2;
  contacts_of<T>(first, options);
  return contacts_of<T>(second, options);
}

TEST(steadiness, has_the_same_bits_everywhere_in_2d) {
  const auto check = [&]<class T>() {
    std::vector<SolidPair<2>> first = mixed_pairs<2>(scaled(40, 4), 406);
    for (const auto& [a, b] : steady_kinds(2)) {
      for (const SolidPair<2>& pair : random_pairs<2>(a, b, scaled(120, 20), 407)) {
        first.push_back(pair);
      }
    }
    std::vector<SolidPair<2>> second;
    Random random(408);
    for (const SolidPair<2>& pair : first) second.push_back(moved_a_little(pair, random));
    CollideOptions options;
    options.isa = usable_isas().front();
    options.threads.count = 1;
    std::vector<WarmStart> expected_words, words;
    const ContactBuffer<2, T> expected = second_step<T>(first, second, options, expected_words);
    options.margin = 0.05;
    EXPECT_FALSE(same_contacts(contacts_of<T>(second, options), expected));
    for (const Isa isa : usable_isas()) {
      options.isa = isa;
      for (const int threads : {1, 2, 3, 8}) {
        options.threads.count = threads;
        EXPECT_TRUE(same_contacts(second_step<T>(first, second, options, words), expected))
            << isa_name(isa) << ", " << threads << " threads";
        EXPECT_TRUE(words == expected_words) << isa_name(isa) << ", " << threads << " threads";
      }
    }
  };
  check.template operator()<float>();
  check.template operator()<double>();
  check.template operator()<Mixed>();
}

/// The lower right half of a square from (0, 0) to (2, 2), whose diagonal is an inner edge.
template <class T>
SceneColumns<2, T> half_of_a_square() {
  SceneColumns<2, T> scene;
  scene.geometries.vertices = {{0, 0}, {2, 0}, {2, 2}};
  scene.geometries.offsets = {0, 3};
  scene.geometries.inner = {0, 0, 1};
  scene.polygons.center = {{0, 0}};
  scene.polygons.turn = {0};
  scene.polygons.geometry = {0};
  scene.polygons.radius = {0};
  return scene;
}

TEST(steadiness, holds_over_the_edges_of_an_outline_alone) {
  const std::vector<Pair> pairs{{0, 1}};
  const auto check = [&]<class T>(T) {
    for (const Solid<2>& solid :
         {box({0, 0}, 0, {0.2, 0.2}), aabb<2>({-0.2, -0.2}, {0.2, 0.2}),
          capsule<2>({-0.1, 0}, {0.1, 0.05}, 0.1),
          polygon({0, 0}, 0, {{-0.2, -0.2}, {0.2, -0.2}, {0.2, 0.2}, {-0.2, 0.2}})}) {
      SCOPED_TRACE(describe(solid));
      // Separates over the right side or the lower one, by about 0.6 each. Over the diagonal it
      // would take about as much, which is never used, whatever the words.
      for (std::uint64_t face = 0; face < 12; ++face) {
        for (const std::uint64_t side : {0, 1}) {
          int turns = 0, diagonals = 0;
          bool was_x = false;
          std::vector<WarmStart> words{{1 | side << 1 | face << 8, 0}};
          for (int step = 0; step < 4; ++step) {
            const double jitter = step % 2 == 0 ? 1e-3 : -1e-3;
            SceneColumns<2, T> scene = half_of_a_square<T>();
            append(scene, moved<2>(solid, {1.6 + jitter, 0.4 + jitter}));
            scene.geometries.inner.resize(scene.geometries.vertices.size(), 0);
            CollideOptions options;
            options.steadiness = 0.3;
            options.warm_starts = words;
            ContactBuffer<2, T> contacts;
            Workspace<2, T> workspace;
            collide_pairs<2, T>(scene, pairs, contacts, workspace, options);
            ASSERT_EQ(contacts.size(), 1u);
            const T x = contacts.normal(0, 0), y = contacts.normal(0, 1);
            diagonals += x * y < T(-0.4) ? 1 : 0;
            const bool is_x = std::abs(x) > T(0.9);
            turns += step > 0 && is_x != was_x ? 1 : 0;
            was_x = is_x;
          }
          EXPECT_EQ(turns, 0) << face;
          EXPECT_EQ(diagonals, 0) << face;
        }
      }
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
  const PairScene<2, float> flat(random_pairs<2>(Kind::box, Kind::box, 3, 405));
  Workspace<2, float> flat_workspace;
  ContactBuffer<2, float> flat_contacts;
  CollideOptions alone;
  alone.steadiness = 0.1;
  EXPECT_EQ(error_of([&] {
              collide_pairs<2, float>(flat.scene, flat.pairs, flat_contacts, flat_workspace, alone);
            }),
            "steadiness goes by the last step; give warm_starts or a Tracker with it");
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
    // The face of the first step is kept, even where the other one is less deep.
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
