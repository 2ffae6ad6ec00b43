// Nearest shapes against the distances of all shapes, which other tests judge by the reference:
// every bit of every row, filters and worlds by their rules written out.
// Labels: threads emulated-x86 emulated-arm dated other-compiler

#include "support/allocations.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include <widephase/widephase.hpp>

#include "support/error_of.hpp"
#include "support/executors.hpp"
#include "support/ground.hpp"
#include "support/scenes.hpp"
#include "support/worlds_scene.hpp"

namespace widephase::test {
namespace {

template <int D, class T>
using Points = Column<PositionOf<T>, D>;

template <int D, class T>
Points<D, T> points_about(std::size_t count, double side, std::uint64_t seed, double origin = 0) {
  Random random(seed);
  Points<D, T> points;
  for (std::size_t i = 0; i < count; ++i) {
    const Point<D> at = random.point<D>(-0.3 * side, 1.3 * side);
    std::array<PositionOf<T>, D> row;
    // Every third one is where sides, corners and middles of shapes in quarters are.
    for (std::size_t k = 0; k < D; ++k) {
      row[k] =
          static_cast<PositionOf<T>>(origin + (i % 3 == 0 ? std::round(at[k] * 4) / 4 : at[k]));
    }
    points.push_back(row);
  }
  return points;
}

template <int D, class T>
SceneSpan<D, T> as_balls(const Points<D, T>& points) {
  static constexpr SizeOf<T> kNone = 0;
  SceneSpan<D, T> scene;
  auto& balls = [&]() -> auto& {
    if constexpr (D == 2) {
      return scene.circles;
    } else {
      return scene.spheres;
    }
  }
  ();
  balls.center = points;
  balls.radius = ColumnSpan<SizeOf<T>>::repeated(&kNone, points.size());
  return scene;
}

/// The answer by the distances of all shapes to all points.
template <int D, class T, class MayMeet>
NearestHits<D, T> by_all_distances(const StaticScene<D, T>& kept, const Points<D, T>& points,
                                   std::size_t k, SizeOf<T> most, const MayMeet& may_meet,
                                   Domain<D, PositionOf<T>> domain = {}) {
  SceneSpan<D, T> balls = as_balls<D, T>(points);
  balls.domain = domain;
  balls.kept = &kept;
  const auto count = static_cast<std::int32_t>(points.size());
  std::vector<Pair> pairs;
  for (std::int32_t i = 0; i < count; ++i) {
    for (std::int32_t id = 0; id < static_cast<std::int32_t>(kept.size()); ++id) {
      pairs.push_back({count + id, i});
    }
  }
  Workspace<D, T> workspace;
  DistanceBuffer<D, T> all;
  distances(balls, pairs, all, workspace);
  NearestHits<D, T> hits;
  hits.k = k;
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < points.size(); ++i) {
    order.clear();
    for (std::size_t n = i * kept.size(); n < (i + 1) * kept.size(); ++n) {
      const bool is_wanted = all.distance[n] <= most && may_meet(pairs[n].a - count, i);
      if (is_wanted) order.push_back(n);
    }
    std::sort(order.begin(), order.end(), [&](std::size_t left, std::size_t right) {
      const SizeOf<T> of_left = all.distance[left], of_right = all.distance[right];
      return of_left != of_right ? of_left < of_right : left < right;
    });
    for (std::size_t n = 0; n < k; ++n) {
      std::array<SizeOf<T>, D> normal{};
      std::array<PositionOf<T>, D> point{};
      if (n >= order.size()) {
        hits.shape.push_back(-1);
        hits.distance.push_back(std::numeric_limits<SizeOf<T>>::max());
      } else {
        hits.shape.push_back(pairs[order[n]].a - count);
        hits.distance.push_back(all.distance[order[n]]);
        for (int axis = 0; axis < D; ++axis) {
          normal[static_cast<std::size_t>(axis)] = all.normal(order[n], axis);
          point[static_cast<std::size_t>(axis)] = all.point_a(order[n], axis);
        }
      }
      hits.normal.push_back(normal);
      hits.point.push_back(point);
    }
  }
  return hits;
}
const auto all_may_meet = [](std::int32_t, std::size_t) { return true; };

template <int D, class T>
void expect_same(const NearestHits<D, T>& hits, const NearestHits<D, T>& expected) {
  ASSERT_EQ(hits.k, expected.k);
  ASSERT_EQ(hits.size(), expected.size());
  for (std::size_t row = 0; row < hits.size(); ++row) {
    ASSERT_EQ(hits.shape[row], expected.shape[row]) << row;
    ASSERT_EQ(hits.distance[row], expected.distance[row]) << row;
  }
  EXPECT_EQ(hash(hits), hash(expected));
}

template <class T>
constexpr SizeOf<T> kAnyFar = std::numeric_limits<SizeOf<T>>::max();

template <int D, class T>
void check_scene(const SceneColumns<D, T>& scene, double side, std::uint64_t seed,
                 double origin = 0, const CollideOptions& build = {}) {
  Workspace<D, T> workspace;
  StaticScene<D, T> kept;
  build_static_scene(scene, kept, workspace, build);
  const Points<D, T> points = points_about<D, T>(scaled(150, 60), side, seed, origin);
  NearestHits<D, T> hits;
  int found = 0, inside = 0;
  for (const std::size_t k : {std::size_t{1}, std::size_t{3}, kept.size() + 2}) {
    for (const SizeOf<T> most : {kAnyFar<T>, SizeOf<T>(0.25), SizeOf<T>(0)}) {
      SCOPED_TRACE(testing::Message() << k << " within " << most);
      nearest_shapes(kept, points, k, most, {}, hits, workspace);
      expect_same(hits, by_all_distances(kept, points, k, most, all_may_meet));
      for (std::size_t row = 0; row < hits.size(); ++row) {
        found += hits.shape[row] >= 0 ? 1 : 0;
        inside += hits.distance[row] < 0 ? 1 : 0;
      }
    }
  }
  EXPECT_GT(found, 100);
  EXPECT_GT(inside, 5);
}

template <int D, class T>
void check_mixed(std::uint64_t seed) {
  for (const double spacing : {0.5, 1.2, 4.0}) {
    SCOPED_TRACE(spacing);
    const std::size_t count = scaled(300, 100);
    SceneColumns<D, T> scene;
    add_mixed(scene, {.count = count, .seed = seed, .spacing = spacing, .halfspace_count = 1});
    check_scene(scene, spacing * std::pow(static_cast<double>(count), 1.0 / D), seed + 1);
  }
}

TEST(nearest, of_all_shapes_in_2d) {
  check_mixed<2, float>(1);
  check_mixed<2, double>(2);
  check_mixed<2, Mixed>(3);
}
TEST(nearest, of_all_shapes_in_3d) {
  check_mixed<3, float>(4);
  check_mixed<3, double>(5);
  check_mixed<3, Mixed>(6);
}

TEST(nearest, margins_of_shapes_and_of_the_kept_scene_do_not_count) {
  const auto check = []<class T>(std::uint64_t seed) {
    const std::size_t count = scaled(300, 100);
    SceneColumns<3, T> scene;
    add_mixed(scene, {.count = count, .seed = seed, .halfspace_count = 0});
    Random random(seed);
    for_each_table(scene, [&](auto& table) {
      for (std::size_t row = 0; row < row_count(table); ++row) {
        table.margin.push_back(static_cast<SizeOf<T>>(random.uniform(0, 0.7)));
      }
    });
    CollideOptions options;
    options.margin = 0.5;
    check_scene(scene, 1.2 * std::cbrt(static_cast<double>(count)), seed + 1, 0, options);
  };
  check.operator()<float>(11);
  check.operator()<double>(12);
}

TEST(nearest, height_fields_are_solids_endless_downwards) {
  const auto check = []<class T>(std::uint64_t seed) {
    Random random(seed);
    Ground<T> ground;
    const std::int32_t hills =
        ground.add_field(9, 9, 1, [&](int, int) { return random.uniform(-0.5, 0.5); });
    ground.place_field(hills);
    ground.place_field(hills, {0, 0, 2}, any_turn(random));
    for (int i = 0; i < 60; ++i) {
      ground.add(kinds(3)[static_cast<std::size_t>(random.integer(0, 3))],
                 {random.uniform(0, 8), random.uniform(0, 8), random.uniform(0, 4)},
                 {0.2, 0.3, 0.4}, any_turn(random));
    }
    check_scene(ground.scene, 8, seed + 1);
  };
  check.operator()<float>(21);
  check.operator()<double>(22);
}

TEST(nearest, far_from_the_origin) {
  const auto check = []<int D, class T>(double origin, std::uint64_t seed) {
    Random random(seed);
    SceneColumns<D, T> scene;
    for (int i = 0; i < 200; ++i) {
      const Kind kind = kinds(D)[static_cast<std::size_t>(i) % kinds(D).size()];
      if (kind == Kind::halfspace || kind == Kind::heightfield) continue;
      Point<D> at = random.point<D>(0, 8);
      for (double& x : at) x += origin;
      append(scene, random_solid<D>(random, kind, at, 1));
    }
    check_scene(scene, 8, seed + 1, origin);
  };
  check.operator()<3, float>(1e4, 31);
  check.operator()<2, float>(-3e3, 32);
  check.operator()<3, double>(1e7, 33);
  check.operator()<3, Mixed>(1e7, 34);
  check.operator()<2, Mixed>(-1e6, 35);
}

TEST(nearest, of_equally_near_shapes_the_lowest_ids) {
  SceneColumns<3, float> scene;
  for (int i = 0; i < 700; ++i) append(scene, ball<3>({1, 2, 3}, 0.5));
  for (int i = 0; i < 700; ++i) append(scene, aabb<3>({4, 1.5, 2.5}, {5, 2.5, 3.5}));
  Workspace<3, float> workspace;
  StaticScene<3, float> kept;
  build_static_scene(scene, kept, workspace);
  // Halfway between balls and boxes, which are 1 and 1.5 away from x = 2.5; and in the boxes.
  const Points<3, float> points{{2.5f, 2, 3}, {2.75f, 2, 3}, {4.25f, 2, 3}};
  NearestHits<3, float> hits;
  nearest_shapes(kept, points, 5, kAnyFar<float>, {}, hits, workspace);
  ASSERT_EQ(hits.size(), 15u);
  for (int n = 0; n < 5; ++n) {
    const auto at = static_cast<std::size_t>(n);
    EXPECT_EQ(hits.shape[at], n);
    EXPECT_EQ(hits.distance[at], 1);
    EXPECT_EQ(hits.normal(at, 0), 1);
    EXPECT_EQ(hits.point(at, 0), 1.5f);
    EXPECT_EQ(hits.shape[5 + at], n);
    EXPECT_EQ(hits.distance[5 + at], 1.25f);
    EXPECT_EQ(hits.shape[10 + at], 700 + n);
    EXPECT_EQ(hits.distance[10 + at], -0.25f);
    EXPECT_EQ(hits.normal(10 + at, 0), -1);
    EXPECT_EQ(hits.point(10 + at, 0), 4);
  }
}

TEST(nearest, many_shapes_about_one_point_take_room_that_grows) {
  // All 3,000 balls are candidates of all 2,500 points, since each is within 1e-6 of the least.
  SceneColumns<2, float> scene;
  for (int i = 0; i < 3000; ++i) append(scene, ball<2>({0, 0}, 1 + 1e-7 * (i % 7)));
  Workspace<2, float> workspace;
  StaticScene<2, float> kept;
  build_static_scene(scene, kept, workspace);
  Points<2, float> points;
  for (int i = 0; i < 40; ++i) points.push_back({0.01f * static_cast<float>(i), 0.5f});
  NearestHits<2, float> hits;
  nearest_shapes(kept, points, 2, kAnyFar<float>, {}, hits, workspace);
  expect_same(hits, by_all_distances(kept, points, 2, kAnyFar<float>, all_may_meet));
}

template <int D, class T>
void check_filters(std::uint64_t seed) {
  const SceneColumns<D, T> scene = worlds_scene<D, T>(scaled(600, 300), seed);
  Workspace<D, T> workspace;
  StaticScene<D, T> kept;
  build_static_scene(scene, kept, workspace);
  const std::vector<ShapeTags> tags = tags_of(scene);
  const Points<D, T> points = points_about<D, T>(300, 6, seed + 1);
  Random random(seed + 2);
  Column<std::int32_t> world, owner, body;
  Column<std::uint32_t> category, mask;
  Column<std::int32_t, 2> excluded;
  for (std::size_t i = 0; i < points.size(); ++i) {
    world.push_back(random.integer(-1, kWorlds - 1));
    owner.push_back(random.integer(-1, 3));
    body.push_back(random.integer(-1, 3));
    category.push_back(static_cast<std::uint32_t>(random.integer(1, 15)));
    mask.push_back(static_cast<std::uint32_t>(random.integer(1, 15)));
    excluded.push_back(
        {random.integer(0, static_cast<int>(kept.size()) - 1), static_cast<std::int32_t>(i)});
  }
  std::vector<std::uint8_t> wanted(kWorlds);
  for (std::size_t w = 0; w < wanted.size(); ++w) wanted[w] = w % 4 != 1;
  FilterSpan filters;
  filters.world = world;
  filters.owner = owner;
  filters.body = body;
  filters.category = category;
  filters.mask = mask;
  filters.excluded = excluded;
  const auto are_listed = [&](std::int32_t a, std::int32_t b) {
    for (std::size_t i = 0; i < scene.excluded_owners.size(); ++i) {
      const std::int32_t one = scene.excluded_owners(i, 0), other = scene.excluded_owners(i, 1);
      if ((one == a && other == b) || (one == b && other == a)) return true;
    }
    return false;
  };
  for (const bool has_mask : {false, true}) {
    filters.world_mask =
        has_mask ? std::span<const std::uint8_t>(wanted) : std::span<const std::uint8_t>();
    const auto is_left_out = [&](std::int32_t of) {
      return has_mask && of >= 0 && wanted[static_cast<std::size_t>(of)] == 0;
    };
    const auto may_meet = [&](std::int32_t id, std::size_t i) {
      const ShapeTags& shape = tags[static_cast<std::size_t>(id)];
      return (shape.world == world[i] || shape.world == -1 || world[i] == -1) &&
             !is_left_out(world[i]) && !is_left_out(shape.world) &&
             (shape.category & mask[i]) != 0 && (category[i] & shape.mask) != 0 &&
             (shape.owner != owner[i] || shape.owner == -1) &&
             (shape.body != body[i] || shape.body == -1) && excluded(i, 0) != id &&
             !are_listed(shape.owner, owner[i]);
    };
    NearestHits<D, T> hits;
    nearest_shapes(kept, points, 4, kAnyFar<T>, filters, hits, workspace);
    expect_same(hits, by_all_distances(kept, points, 4, kAnyFar<T>, may_meet, scene.domain));
    // The options may give the mask too.
    const std::uint64_t by_filters = hash(hits);
    CollideOptions options;
    std::swap(options.world_mask, filters.world_mask);
    nearest_shapes(kept, points, 4, kAnyFar<T>, filters, hits, workspace, options);
    EXPECT_EQ(hash(hits), by_filters);
  }
}

// Points of world -1 ask shapes of all worlds, which must have an entry too.
TEST(nearest, a_mask_has_an_entry_for_each_world_of_shapes) {
  SceneColumns<3, float> scene;
  for (const float x : {0.f, 4.f}) append(scene, ball<3>({x, 0, 0}, 1));
  scene.spheres.world = {0, 70000};
  Workspace<3, float> workspace;
  StaticScene<3, float> kept;
  build_static_scene(scene, kept, workspace);
  const Points<3, float> points{{4, 0, 0}};
  const Column<std::int32_t> world{-1};
  FilterSpan filters;
  filters.world = world;
  std::vector<std::uint8_t> mask{1};
  filters.world_mask = mask;
  NearestHits<3, float> hits;
  EXPECT_EQ(error_of([&] { nearest_shapes(kept, points, 1, 9.f, filters, hits, workspace); }),
            "world_mask has 1 entries; the largest world is 70000, so give it one more");
  mask.resize(70001);
  filters.world_mask = mask;
  nearest_shapes(kept, points, 1, 9.f, filters, hits, workspace);
  EXPECT_EQ(hits.shape[0], 0);
}

TEST(nearest, filters_and_worlds_by_their_rules) {
  check_filters<2, float>(101);
  check_filters<3, float>(102);
  check_filters<3, double>(103);
  check_filters<3, Mixed>(104);
}

template <int D, class T>
void check_invariance(std::uint64_t seed) {
  SceneColumns<D, T> scene;
  add_mixed(scene, {.count = 3000, .seed = seed});
  Workspace<D, T> workspace;
  StaticScene<D, T> kept;
  build_static_scene(scene, kept, workspace);
  const Points<D, T> points = points_about<D, T>(5000, D == 2 ? 60 : 17, seed + 1);
  NearestHits<D, T> hits, others;
  nearest_shapes(kept, points, 3, kAnyFar<T>, {}, hits, workspace);
  for (const Isa isa : built_isas()) {
    if (!cpu_has(isa)) continue;
    for (const int threads : {1, 2, 5}) {
      CollideOptions options;
      options.isa = isa;
      options.threads.count = threads;
      Workspace<D, T> fresh;
      nearest_shapes(kept, points, 3, kAnyFar<T>, {}, others, fresh, options);
      EXPECT_EQ(hash(others), hash(hits)) << isa_name(isa) << ", " << threads << " threads";
    }
  }
  std::vector<std::size_t> order(points.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  Random random(seed);
  for (std::size_t i = order.size() - 1; i > 0; --i) {
    std::swap(order[i], order[static_cast<std::size_t>(random.integer(0, static_cast<int>(i)))]);
  }
  Points<D, T> shuffled;
  for (const std::size_t from : order) {
    std::array<PositionOf<T>, D> row;
    for (std::size_t k = 0; k < D; ++k) row[k] = points(from, static_cast<int>(k));
    shuffled.push_back(row);
  }
  nearest_shapes(kept, shuffled, 3, kAnyFar<T>, {}, others, workspace);
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t n = 0; n < 3; ++n) {
      ASSERT_EQ(others.shape[3 * i + n], hits.shape[3 * order[i] + n]);
      ASSERT_EQ(others.distance[3 * i + n], hits.distance[3 * order[i] + n]);
    }
  }
}
TEST(nearest, sets_threads_and_the_order_of_points_change_no_bit) {
  check_invariance<2, float>(201);
  check_invariance<3, float>(202);
  check_invariance<3, double>(203);
  check_invariance<3, Mixed>(204);
}

TEST(nearest, nothing_to_find_and_nothing_to_ask) {
  Workspace<3, float> workspace;
  StaticScene<3, float> kept;
  NearestHits<3, float> hits;
  Points<3, float> points;
  const auto expect_none = [&] {
    nearest_shapes(kept, {}, 2, kAnyFar<float>, {}, hits, workspace);
    EXPECT_EQ(hits.size(), 0u);
    nearest_shapes(kept, points, 2, kAnyFar<float>, {}, hits, workspace);
    ASSERT_EQ(hits.size(), 2u);
    EXPECT_EQ(hits.shape[1], -1);
    EXPECT_EQ(hits.distance[1], std::numeric_limits<float>::max());
    EXPECT_EQ(hits.normal(1, 0) + hits.point(1, 2), 0);
  };
  points.push_back({1, 2, 3});
  expect_none();
  SceneColumns<3, float> nothing;
  build_static_scene(nothing, kept, workspace);
  expect_none();
}

TEST(nearest, errors_name_array_and_row) {
  SceneColumns<2, float> scene;
  append(scene, ball<2>({0, 0}, 1));
  Workspace<2, float> workspace;
  StaticScene<2, float> kept;
  build_static_scene(scene, kept, workspace);
  Points<2, float> points{{1, 2}, {3, 4}, {5, 6}};
  NearestHits<2, float> hits;
  std::size_t k = 1;
  float most = 1;
  FilterSpan filters;
  CollideOptions options;
  const auto said = [&] {
    return error_of(
        [&] { nearest_shapes(kept, points, k, most, filters, hits, workspace, options); });
  };
  EXPECT_EQ(said(), "no error");
  k = 0;
  EXPECT_EQ(said(), "k is 0 for 3 points; it must be 1 or more, and both together below 2^31");
  EXPECT_EQ(hits.size(), 0u);
  k = std::size_t{1} << 30;
  EXPECT_EQ(said().substr(0, 26), "k is 1073741824 for 3 poin");
  k = 1;
  most = -1;
  EXPECT_EQ(said(), "max_distance is -1; it must be a number >= 0");
  most = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(said(), "max_distance is nan; it must be a number >= 0");
  most = std::numeric_limits<float>::infinity();
  EXPECT_EQ(said(), "no error");
  points(1, 1) = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(said(), "points[1] is nan along axis 1; it must be finite");
  points(1, 1) = -std::numeric_limits<float>::infinity();
  EXPECT_EQ(said(), "points[1] is -inf along axis 1; it must be finite");
  points(1, 1) = 0;
  Column<std::int32_t> world{0, 0};
  filters.world = world;
  EXPECT_EQ(said(), "world has 2 rows; give one per point (3) or none");
  world.push_back(-2);
  filters.world = world;
  EXPECT_EQ(said().substr(0, 14), "world[2] is -2");
  filters.world = {};
  const std::vector<std::uint8_t> bytes(3);
  filters.fixed = ColumnSpan<std::uint8_t>::interleaved(bytes.data(), bytes.size());
  EXPECT_EQ(said(), "fixed is not for points: all static shapes are fixed");
  filters = {};
  options.world_mask = bytes;
  filters.world_mask = bytes;
  EXPECT_EQ(said(),
            "world_mask is given by the options and by the filters; leave one of them empty");
  filters = {};
  EXPECT_EQ(said(), "no error");
  std::vector<std::uint8_t> status(3);
  options.world_status = status;
  EXPECT_NE(said(), "no error");
  options = {};
  filters = {};
  scene.domain.min = {-9, -9};
  scene.domain.max = {9, 9};
  scene.domain.periodic = {true, false};
  build_static_scene(scene, kept, workspace);
  EXPECT_EQ(said(),
            "domain is periodic; nearest_shapes knows no images, so keep a scene that does not "
            "wrap");
}

TEST(nearest, a_second_call_allocates_nothing_and_a_failing_one_leaves_nothing) {
  if (!kCountsAllocations) GTEST_SKIP() << "the thread sanitizer keeps its own operator new";
  const SceneColumns<3, float> scene = worlds_scene<3, float>(2000, 401);
  Workspace<3, float> workspace;
  StaticScene<3, float> kept;
  CollideOptions options;
  options.threads.count = 1;
  build_static_scene(scene, kept, workspace, options);
  const Points<3, float> points = points_about<3, float>(4000, 6, 402);
  const SceneSpan<3, float> balls = as_balls<3, float>(points);
  Column<std::int32_t> world;
  for (std::size_t i = 0; i < points.size(); ++i) {
    world.push_back(static_cast<std::int32_t>(i % (kWorlds + 1)) - 1);
  }
  FilterSpan filters;
  filters.world = world;
  NearestHits<3, float> hits;
  std::vector<std::uint8_t> overlaps(points.size());
  const auto calls = [&] {
    nearest_shapes(kept, points, 4, 2.0f, filters, hits, workspace, options);
    any_overlap(balls, kept, overlaps, workspace, options);
  };
  calls();
  const std::uint64_t whole = hash(hits);
  EXPECT_EQ(count_allocations(calls), 0);
  const std::size_t bytes = workspace.bytes();
  calls();
  EXPECT_EQ(workspace.bytes(), bytes);
  EXPECT_EQ(hash(hits), whole);
  for (long n = 1;; ++n) {
    NearestHits<3, float> partial;
    Workspace<3, float> fresh;
    const bool has_failed = fail_allocation(
        n, [&] { nearest_shapes(kept, points, 4, 2.0f, filters, partial, fresh, options); });
    if (!has_failed) {
      EXPECT_EQ(hash(partial), whole);
      break;
    }
    ASSERT_EQ(partial.size(), 0u) << n;
  }
  const std::vector<std::uint8_t> untouched(points.size(), 7);
  for (long n = 1;; ++n) {
    std::vector<std::uint8_t> bytes = untouched;
    Workspace<3, float> fresh;
    if (!fail_allocation(n, [&] { any_overlap(balls, kept, bytes, fresh, options); })) {
      EXPECT_EQ(bytes, overlaps);
      break;
    }
    ASSERT_EQ(bytes, untouched) << n;
  }
}

}  // namespace
}  // namespace widephase::test
