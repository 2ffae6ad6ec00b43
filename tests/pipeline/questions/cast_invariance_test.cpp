// Casts do not depend on the order of rows and of pairs; a second call allocates nothing, a failing
// one leaves nothing. Halfspaces that move, and turned boxes whose
// faces are nearly parallel.

#include "support/allocations.hpp"

#include <gtest/gtest.h>

#include <widephase/widephase.hpp>

#include "reference/generate_turned3.hpp"
#include "support/casts.hpp"
#include "support/ground.hpp"
#include "support/two_scenes.hpp"

namespace widephase::test {
namespace {

template <int D, class T>
CastColumns<D, T> random_ways(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  CastColumns<D, T> ways;
  for (std::size_t i = 0; i < count; ++i) {
    Point<D> along = random.direction<D>();
    for (double& x : along) x = random.chance(0.1) ? 0 : 4 * x;
    ways.add(along, random.uniform(0.5, 2));
  }
  return ways;
}

template <int D, class T>
struct Cast {
  Workspace<D, T> workspace;
  StaticScene<D, T> kept;
  CastHits<D, T> hits;

  Cast(const SceneColumns<D, T>& kept_scene, const SceneColumns<D, T>& moving,
       const CastColumns<D, T>& ways, const ShapeCastOptions& options = {}) {
    build_static_scene(kept_scene, kept, workspace);
    cast_shapes(moving, ways.direction, ways.max_t, kept, hits, workspace, options);
  }
};

template <int D, class T>
void expect_same(const CastHits<D, T>& one, std::size_t i, const CastHits<D, T>& other,
                 std::size_t j) {
  EXPECT_EQ(one.t[i], other.t[j]);
  EXPECT_EQ(one.status[i], other.status[j]);
  EXPECT_EQ(one.feature[i], other.feature[j]);
  EXPECT_EQ(one.depth[i], other.depth[j]);
  for (int k = 0; k < D; ++k) {
    EXPECT_EQ(one.normal(i, k), other.normal(j, k));
    EXPECT_EQ(one.point(i, k), other.point(j, k));
  }
}

template <int D, class T>
void check_reversed(std::uint64_t seed) {
  const TwoScenes<D, T> two(mixed_scene<D, T>(scaled(200, 120), seed, 0), 4);
  const auto backwards = [](const auto& table) {
    std::vector<std::size_t> rows(row_count(table));
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = rows.size() - 1 - i;
    return rows;
  };
  const auto reversed = [](const SceneLayout& layout, std::int32_t id) {
    const auto kind = static_cast<std::size_t>(layout.kind_of(id));
    return layout.first[kind] + layout.first[kind + 1] - 1 - id;
  };
  const SceneLayout of_moving = layout_of(two.moving), of_kept = layout_of(two.kept);
  const auto count = static_cast<std::size_t>(of_moving.shape_count());
  const CastColumns<D, T> ways = random_ways<D, T>(count, seed + 1);
  CastColumns<D, T> other_ways;
  for (std::size_t i = 0; i < count; ++i) {
    const auto from = static_cast<std::size_t>(reversed(of_moving, static_cast<std::int32_t>(i)));
    other_ways.direction.push_back(ways.direction.row(from));
    other_ways.max_t.push_back(ways.max_t.row(from));
  }
  const Cast<D, T> one(two.kept, two.moving, ways);
  const Cast<D, T> other(rows_of(two.kept, backwards), rows_of(two.moving, backwards), other_ways);
  int found = 0;
  for (std::size_t i = 0; i < count; ++i) {
    SCOPED_TRACE(i);
    const auto j = static_cast<std::size_t>(reversed(of_moving, static_cast<std::int32_t>(i)));
    const std::int32_t shape = other.hits.shape[j];
    const std::int32_t there = shape < 0 ? -1 : reversed(of_kept, shape);
    if (one.hits.shape[i] != there) {  // two at once, of which each order has its first
      ASSERT_GE(one.hits.shape[i], 0);
      ASSERT_EQ(one.hits.t[i], other.hits.t[j]);
      continue;
    }
    expect_same(one.hits, i, other.hits, j);
    found += there >= 0 ? 1 : 0;
  }
  EXPECT_GT(found, 5);
}
TEST(cast_invariance, rows_in_another_order) {
  check_reversed<2, float>(41);
  check_reversed<3, double>(42);
}

template <int D, class T>
struct PairCasts {
  SceneColumns<D, T> scene = mixed_scene<D, T>(60, 45, 0);
  std::vector<Pair> pairs;
  CastColumns<D, T> ways;

  PairCasts() {
    const SceneLayout layout = layout_of(scene);
    for (std::int32_t a = 0; a < layout.shape_count(); ++a) {
      for (std::int32_t b = 0; b < layout.shape_count(); b += 3) {
        if (a == b ||
            !has_kernel(D, layout.kind_of(std::min(a, b)), layout.kind_of(std::max(a, b))))
          continue;
        pairs.push_back({a, b});
      }
    }
    ways = random_ways<D, T>(pairs.size(), 46);
  }
};

template <int D, class T>
void check_pairs() {
  const PairCasts<D, T> asked;
  Workspace<D, T> workspace;
  CastHits<D, T> one, other;
  ShapeCastOptions options;
  options.threads.count = 1;
  options.start_overlap = StartOverlap::leave_apart;
  const auto call = [&] {
    cast_pairs(asked.scene, asked.pairs, asked.ways.direction, asked.ways.max_t, one, workspace,
               options);
  };
  call();
  if (kCountsAllocations) {
    EXPECT_EQ(count_allocations(call), 0);
  }
  const std::size_t count = asked.pairs.size();
  std::vector<Pair> backwards;
  CastColumns<D, T> ways;
  for (std::size_t i = count; i-- > 0;) {
    backwards.push_back(asked.pairs[i]);
    ways.direction.push_back(asked.ways.direction.row(i));
    ways.max_t.push_back(asked.ways.max_t.row(i));
  }
  options.threads.count = 3;
  cast_pairs(asked.scene, backwards, ways.direction, ways.max_t, other, workspace, options);
  for (std::size_t i = 0; i < count; ++i) {
    ASSERT_EQ(one.shape[i], other.shape[count - 1 - i]);
    expect_same(one, i, other, count - 1 - i);
  }
}
TEST(cast_invariance, pairs_in_another_order_and_a_second_call) {
  check_pairs<2, float>();
  check_pairs<3, double>();
}

TEST(cast_invariance, a_failing_allocation_leaves_nothing) {
  if (!kCountsAllocations) GTEST_SKIP() << "the thread sanitizer keeps its own operator new";
  const TwoScenes<3, float> two(mixed_scene<3, float>(80, 47, 2), 3);
  const auto count = static_cast<std::size_t>(layout_of(two.moving).shape_count());
  const CastColumns<3, float> ways = random_ways<3, float>(count, 48);
  ShapeCastOptions options;
  options.threads.count = 1;
  options.start_overlap = StartOverlap::leave_apart;
  const Cast<3, float> whole(two.kept, two.moving, ways, options);
  const PairCasts<2, double> pairs;
  Workspace<2, double> of_pairs;
  CastHits<2, double> whole_pairs;
  cast_pairs(pairs.scene, pairs.pairs, pairs.ways.direction, pairs.ways.max_t, whole_pairs,
             of_pairs, options);
  bool is_done = false, are_pairs_done = false;
  for (long n = 1; !is_done || !are_pairs_done; ++n) {
    CastHits<3, float> hits = whole.hits;
    Workspace<3, float> fresh;
    is_done =
        is_done || !fail_allocation(n, [&] {
          cast_shapes(two.moving, ways.direction, ways.max_t, whole.kept, hits, fresh, options);
        });
    ASSERT_TRUE(is_done ? hash(hits) == hash(whole.hits) : hits.size() == 0) << n;
    CastHits<2, double> of_these = whole_pairs;
    Workspace<2, double> own;
    are_pairs_done = are_pairs_done || !fail_allocation(n, [&] {
                       cast_pairs(pairs.scene, pairs.pairs, pairs.ways.direction, pairs.ways.max_t,
                                  of_these, own, options);
                     });
    ASSERT_TRUE(are_pairs_done ? hash(of_these) == hash(whole_pairs) : of_these.size() == 0) << n;
  }
}

// Places of a tree that hold no shape were opened.
TEST(cast_invariance, a_way_may_end_at_the_largest_number) {
  SceneColumns<2, double> kept, moving;
  append(kept, ball<2>({5, 0}, 1));
  append(moving, ball<2>({0, 0}, 1));
  append(moving, ball<2>({0, 9}, 1));
  CastColumns<2, double> ways;
  const double most = std::numeric_limits<double>::max();
  ways.add({1, 0}, most);
  ways.add({1, 0}, most);
  const Cast<2, double> cast(kept, moving, ways);
  EXPECT_EQ(cast.hits.shape[0], 0);
  EXPECT_NEAR(cast.hits.t[0], 3, 1e-12);
  EXPECT_EQ(cast.hits.shape[1], -1);
  EXPECT_EQ(cast.hits.t[1], most);
}

TEST(cast_invariance, halfspaces_meet_every_kind_whichever_moves) {
  Ground<double> ground;
  const Height height = [](int row, int column) { return 0.25 * row - 0.5 * std::sin(column); };
  ground.place_field(ground.add_field(5, 6, 1, height), {1, 2, 3}, {0.6, 0, 0, 0.8});
  ground.place_mesh(ground.add_mesh_of({{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {1, 1, 3}},
                                       {{0, 1, 3}, {1, 2, 3}, {2, 0, 3}}),
                    {-4, 0, 1}, {0, 0.28, 0.96, 0}, 0.125);
  for (std::size_t k = 0; k < std::size(kShapes); ++k) {
    ground.add(kShapes[k], {2.0 * static_cast<double>(k), -3, 1}, {0.5, 0.75, 0.625},
               {0.36, 0.48, 0, 0.8});
  }
  SceneColumns<3, double>& scene = ground.scene;
  for (std::size_t k = 0; k < 3; ++k) {
    std::array<double, 3> normal{};
    normal[k] = 1;
    scene.halfspaces.normal.push_back(normal);
    scene.halfspaces.offset.push_back({-20});
  }
  Workspace<3, double> workspace;
  DistanceBuffer<3, double> measured;
  const SceneLayout layout = layout_of(scene);
  for (std::int32_t other = 0; other < layout.shape_count(); ++other) {
    if (layout.kind_of(other) == Kind::halfspace) continue;
    const bool is_triangles =
        layout.kind_of(other) == Kind::heightfield || layout.kind_of(other) == Kind::mesh;
    for (int axis = 0; axis < 3; ++axis) {
      const std::int32_t plane = layout.id(Kind::halfspace, axis);
      const Pair pair{plane, other};
      distances(scene, {&pair, 1}, measured, workspace);
      for (const bool is_plane_moving : {false, true}) {
        SCOPED_TRACE(std::to_string(axis) + " and " + std::to_string(other));
        const Pair asked = is_plane_moving ? Pair{other, plane} : pair;
        const double sign = is_plane_moving ? 1 : -1;
        // Forty along the normal, and a little beside.
        Point<3> along{sign * 0.5, sign * 0.25, sign * 0.125};
        along[axis] = sign * 40;
        CastColumns<3, double> way;
        way.add(along);
        CastHits<3, double> hits;
        cast_pairs(scene, {&asked, 1}, way.direction, way.max_t, hits, workspace);
        EXPECT_EQ(hits.shape[0], asked.a);
        EXPECT_NEAR(hits.t[0], measured.distance[0] / 40, 1e-9);
        EXPECT_NEAR(hits.normal(0, axis), -sign, 1e-12);
        EXPECT_EQ(hits.part[0] >= 0, is_plane_moving && is_triangles);
        // The point is on A where A stands.
        EXPECT_NEAR(hits.point(0, axis), is_plane_moving ? measured.point_b(0, axis) : -20, 1e-9);
      }
    }
  }
}

// What GJK alone left of the way between faces this parallel was 1e-8 of the size.
TEST(cast_invariance, faces_nearly_parallel_are_met_as_exactly_as_by_axes) {
  Random random(49);
  std::vector<CastCase<3>> boxes, hulls;
  for (std::size_t n = 0; n < scaled(600, 200); ++n) {
    const double tilt = std::pow(10, random.uniform(-11, -5));
    const Quaternion turn = random_orientation(random);
    Quaternion other = turn;
    double square = 0;
    for (double& x : other) {
      x += tilt * random.uniform(-1, 1);
      square += x * x;
    }
    for (double& x : other) x /= std::sqrt(square);
    const Point<3> half{random.uniform(0.2, 1), random.uniform(0.2, 1), random.uniform(0.2, 1)};
    const Point<3> along = random.direction<3>();
    Point<3> from, way;
    for (int k = 0; k < 3; ++k) {
      from[k] = random.uniform(-0.6, 0.6) - 3.5 * along[k];
      way[k] = 7 * along[k];
    }
    boxes.push_back({box({0, 0, 0}, turn, half), box(from, other, half), way});
    std::vector<Point<3>> corners;
    for (int v = 0; v < 8; ++v) {
      corners.push_back(
          {v & 1 ? half[0] : -half[0], v & 2 ? half[1] : -half[1], v & 4 ? half[2] : -half[2]});
    }
    hulls.push_back({boxes.back().a, hull(from, other, corners), way});
  }
  const AskedCasts<3, double> by_axes(boxes, {}), by_search(hulls, {});
  int found = 0;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    SCOPED_TRACE(i);
    ASSERT_EQ(by_axes.hits.status[i], by_search.hits.status[i]);
    const double rise = std::abs(by_axes.hits.normal(i, 0) * boxes[i].direction[0] +
                                 by_axes.hits.normal(i, 1) * boxes[i].direction[1] +
                                 by_axes.hits.normal(i, 2) * boxes[i].direction[2]);
    EXPECT_NEAR(by_axes.hits.t[i] * rise, by_search.hits.t[i] * rise, 2e-11);
    found += by_axes.hits.shape[i] >= 0 ? 1 : 0;
  }
  EXPECT_GT(found, 50);
}

}  // namespace
}  // namespace widephase::test
