// Rays and shape casts against chains: no ray passes at a joint, no joint is felt, and answers are
// those of the segments as capsules of their own.
// Labels: threads

#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include <widephase/casts.hpp>
#include <widephase/rays.hpp>
#include <widephase/static_scene.hpp>

#include "reference/scaled.hpp"
#include "reference/solids.hpp"
#include "support/asked_rays.hpp"
#include "support/lines.hpp"

namespace widephase::test {
namespace {

template <class T>
class chain_casts : public ::testing::Test {};
template <class T_>
struct In {
  using T = T_;
};
using Precisions = testing::Types<In<float>, In<double>, In<Mixed>>;
TYPED_TEST_SUITE(chain_casts, Precisions);

template <class T>
double accuracy() {
  return sizeof(SizeOf<T>) == 4 ? 2e-5 : 1e-10;
}

template <class T>
RayHits<2, T> hits_of(const SceneColumns<2, T>& scene, const std::vector<Point2d>& origins,
                      const std::vector<Point2d>& directions, const CastOptions& options = {}) {
  Workspace<2, T> workspace;
  StaticScene<2, T> kept;
  build_static_scene<2, T>(scene, kept, workspace);
  RayColumns<2, T> rays;
  for (const Point2d& origin : origins) rays.origin.push_back(Lines<T>::at(origin));
  for (const Point2d& direction : directions) rays.direction.push_back(Lines<T>::size(direction));
  return answers<2, T>(kept, rays.span(), RayPath::by_counts, options);
}

template <class T>
CastHits<2, T> casts_of(SceneColumns<2, T> moving, const std::vector<Point2d>& directions,
                        SceneColumns<2, T> ground, const ShapeCastOptions& options = {}) {
  // Moving shapes name the point sets of the static scene.
  std::swap(ground.geometries, moving.geometries);
  Workspace<2, T> workspace;
  StaticScene<2, T> kept;
  build_static_scene<2, T>(ground, kept, workspace);
  Column<SizeOf<T>, 2> along;
  for (const Point2d& direction : directions) along.push_back(Lines<T>::size(direction));
  CastHits<2, T> hits;
  cast_shapes<2, T>(moving, along.span(), {}, kept, hits, workspace, options);
  return hits;
}

/// The segments of a line as capsules of their own.
template <class T>
Lines<T> capsules_of(const std::vector<Point2d>& line, double radius) {
  Lines<T> lines;
  for (std::size_t v = 0; v + 1 < line.size(); ++v) {
    lines.scene.capsules.a.push_back(Lines<T>::at(line[v]));
    lines.scene.capsules.b.push_back(Lines<T>::at(line[v + 1]));
    lines.scene.capsules.radius.push_back({Lines<T>::number(radius)});
  }
  return lines;
}

/// A line of so many vertices, whose coordinates T holds.
template <class T>
std::vector<Point2d> jagged_line(Random& random, int vertices) {
  std::vector<Point2d> line;
  double x = 3;
  for (int v = 0; v < vertices; ++v, x -= random.uniform(0.05, 0.4)) {
    line.push_back({static_cast<double>(static_cast<SizeOf<T>>(x)),
                    static_cast<double>(static_cast<SizeOf<T>>(random.uniform(-0.4, 0.4)))});
  }
  return line;
}

TYPED_TEST(chain_casts, no_ray_leaves_a_room_at_a_joint) {
  using T = typename TypeParam::T;
  Random random(91);
  for (int n = 0; n < static_cast<int>(scaled(60, 20)); ++n) {
    // Clockwise, so the front is inside.
    std::vector<Point2d> ring;
    const int count = random.integer(8, 60);
    for (int v = 0; v < count; ++v) {
      const double far = random.uniform(2, 3), turn = -v * 6.283185307179586 / count;
      ring.push_back({far * std::cos(turn), far * std::sin(turn)});
    }
    Lines<T> lines;
    const bool is_turned = n % 2 == 1;
    const Point2d center{is_turned ? random.uniform(-9, 9) : 0, is_turned ? 5.3 : 0};
    const double angle = is_turned ? random.uniform(-3, 3) : 0;
    lines.place(lines.add(ring, {.loop = true, .two_sided = n % 3 == 0}), center, angle);
    std::vector<Point2d> origins, directions;
    for (const Point2d& p : ring) {
      const Point2d at{center[0] + std::cos(angle) * p[0] - std::sin(angle) * p[1],
                       center[1] + std::sin(angle) * p[0] + std::cos(angle) * p[1]};
      for (int k = 0; k < 4; ++k) {
        const Point2d from{center[0] + k * random.uniform(-0.1, 0.1), center[1]};
        origins.push_back(from);
        directions.push_back(less2(at, from));
      }
    }
    const RayHits<2, T> hits = hits_of(lines.scene, origins, directions);
    for (std::size_t i = 0; i < hits.size(); ++i) {
      ASSERT_EQ(hits.shape[i], 0) << n << ": ray " << i << " passed";
      EXPECT_GE(hits.part[i], 0);
      EXPECT_EQ(hits.feature[i], 2u << 14) << "the inside of a segment";
      // From the middle all vertices are seen.
      if (i % 4 == 0) {
        EXPECT_NEAR(static_cast<double>(hits.t[i]), 1, 1e-4);
      }
    }
  }
}

TYPED_TEST(chain_casts, rays_and_balls_meet_what_the_segments_alone_have) {
  using T = typename TypeParam::T;
  Random random(92);
  int found = 0, differing = 0;
  for (int n = 0; n < static_cast<int>(scaled(120, 30)); ++n) {
    const std::vector<Point2d> line = jagged_line<T>(random, n % 3 == 0 ? 400 : 25);
    const double radius = n % 2 == 0 ? 0 : 0.05;
    CastOptions options;
    options.margin = n % 4 < 2 ? 0 : 0.1;
    Lines<T> lines;
    lines.place(lines.add(line, {.two_sided = true}), {}, 0, radius);
    const Lines<T> capsules = capsules_of<T>(line, radius);
    std::vector<Point2d> origins, directions;
    for (int i = 0; i < 64; ++i) {
      origins.push_back({random.uniform(-4, 4), random.uniform(0.6, 3)});
      directions.push_back({random.uniform(-1, 1), random.uniform(-1, -0.1)});
    }
    const RayHits<2, T> expected = hits_of(capsules.scene, origins, directions, options);
    const RayHits<2, T> hits = hits_of(lines.scene, origins, directions, options);
    for (std::size_t i = 0; i < hits.size(); ++i) {
      // Rays along a capsule's side are hit or not by rounding.
      if ((hits.shape[i] < 0) != (expected.shape[i] < 0)) {
        EXPECT_TRUE(radius + options.margin > 0 || sizeof(SizeOf<T>) == 4) << n << ": " << i;
        ++differing;
        continue;
      }
      if (hits.shape[i] < 0) continue;
      ++found;
      EXPECT_EQ(hits.shape[i], 0);
      EXPECT_NEAR(static_cast<double>(hits.t[i]), static_cast<double>(expected.t[i]),
                  20 * accuracy<T>())
          << n << ": " << i;
      for (int k = 0; k < 2; ++k) {
        EXPECT_NEAR(static_cast<double>(hits.point(i, k)),
                    static_cast<double>(expected.point(i, k)), 1e-3);
      }
    }
  }
  EXPECT_GT(found, 300);
  EXPECT_LT(differing, found / 100);
}

TEST(chain_casts_in_double, ways_of_any_length_meet) {
  for (const double along : {1e-110, 1e110}) {
    Lines<double> lines;
    lines.place(lines.add({{1, 0}, {-1, 0}}));
    const RayHits<2, double> hits = hits_of(lines.scene, {{0.25, 1}}, {{0, -along}}, {});
    ASSERT_EQ(hits.shape[0], 0) << along;
    EXPECT_NEAR(hits.t[0] * along, 1, 1e-12) << along;
  }
}

TEST(chain_casts_in_double, segments_whose_square_vanishes_have_points) {
  Lines<double> lines, moving;
  lines.place(lines.add({{0, 0}, {1e-170, 0}}, {.two_sided = true}));
  moving.add_box({0, 2}, {0.5, 0.5});
  const CastHits<2, double> found = casts_of(moving.scene, {{0, -4}}, lines.scene);
  ASSERT_EQ(found.shape[0], 0);
  EXPECT_NEAR(found.t[0], 1.5 / 4, 1e-9);
  for (int k = 0; k < 2; ++k) EXPECT_NEAR(found.point(0, k), 0, 1e-9);
}

TYPED_TEST(chain_casts, one_sided_segments_let_rays_and_shapes_from_behind_pass) {
  using T = typename TypeParam::T;
  // Along x to the left: the front is above.
  for (const bool two_sided : {false, true}) {
    for (const double from : {2.0, -2.0}) {
      Lines<T> lines, moving;
      lines.place(lines.add({{3, 0}, {1, 0}, {-1, 0}, {-3, 0}}, {.two_sided = two_sided}));
      const bool is_met = two_sided || from > 0;
      for (const double margin : {0.0, 0.5}) {
        CastOptions options;
        options.margin = margin;
        const RayHits<2, T> hits =
            hits_of(lines.scene, {{0.25, from}}, {{0, from > 0 ? -1.0 : 1.0}}, options);
        ASSERT_EQ(hits.shape[0], is_met ? 0 : -1) << from;
        if (!is_met) continue;
        EXPECT_NEAR(static_cast<double>(hits.t[0]), 2 - margin, 1e-6);
        EXPECT_NEAR(static_cast<double>(hits.normal(0, 1)), from > 0 ? 1 : -1, 1e-6);
        EXPECT_NEAR(static_cast<double>(hits.point(0, 1)), 0, 1e-6);
        EXPECT_EQ(hits.part[0], 1);
      }
      moving.add_box({0.5, from}, {0.25, 0.5});
      const CastHits<2, T> found = casts_of(moving.scene, {{0, -2 * from}}, lines.scene);
      ASSERT_EQ(found.shape[0], is_met ? 0 : -1) << from;
      if (!is_met) continue;
      EXPECT_NEAR(static_cast<double>(found.t[0]), 1.5 / 4, 1e-6);
      EXPECT_NEAR(static_cast<double>(found.normal(0, 1)), from > 0 ? 1 : -1, 1e-6);
      EXPECT_NEAR(static_cast<double>(found.point(0, 1)), 0, 1e-6);
      EXPECT_EQ(found.part[0], 1);
    }
  }
}

TYPED_TEST(chain_casts, rays_that_start_in_a_thick_chain_leave_it_where_its_last_segment_ends) {
  using T = typename TypeParam::T;
  Lines<T> lines;
  lines.place(lines.add({{3, 0}, {1, 0}, {-1, 0}, {-3, 0}}, {.two_sided = true}), {}, 0, 0.5);
  for (const Inside inside : {Inside::hit, Inside::leave, Inside::exit}) {
    CastOptions options;
    options.inside = inside;
    const RayHits<2, T> hits = hits_of(lines.scene, {{0, 0.25}}, {{1, 0}}, options);
    ASSERT_EQ(hits.shape[0], inside == Inside::leave ? -1 : 0);
    if (inside == Inside::leave) continue;
    // The round end about (3, 0): x = 3 + root(0.5² - 0.25²).
    const double end = inside == Inside::hit ? 0 : 3 + std::sqrt(0.1875);
    EXPECT_NEAR(static_cast<double>(hits.t[0]), end, 1e-6);
    EXPECT_EQ(hits.status[0], static_cast<std::uint8_t>(CastStatus::started_inside));
    EXPECT_NEAR(static_cast<double>(hits.normal(0, 0)),
                inside == Inside::hit ? -1 : 2 * std::sqrt(0.1875), 1e-6);
  }
}

TYPED_TEST(chain_casts, rays_pass_segments_of_neighbours) {
  using T = typename TypeParam::T;
  Lines<T> lines;
  lines.place(lines.add({{3, 0}, {1, 0}, {-1, 0}, {-3, 0}}, {.before = 1, .after = 1}));
  const RayHits<2, T> hits =
      hits_of(lines.scene, {{2, 1}, {0, 1}, {-2, 1}}, {{0, -1}, {0, -1}, {0, -1}});
  EXPECT_EQ(hits.shape[0], -1);
  EXPECT_EQ(hits.part[1], 1);
  EXPECT_EQ(hits.shape[2], -1);
}

TYPED_TEST(chain_casts, shapes_meet_what_the_segments_alone_have) {
  using T = typename TypeParam::T;
  Random random(93);
  int found = 0;
  for (int n = 0; n < static_cast<int>(scaled(60, 20)); ++n) {
    const std::vector<Point2d> line = jagged_line<T>(random, n % 3 == 0 ? 400 : 25);
    const double radius = n % 2 == 0 ? 0 : 0.05;
    Lines<T> lines, moving;
    lines.place(lines.add(line, {.two_sided = true}), {}, 0, radius);
    const Lines<T> capsules = capsules_of<T>(line, radius);
    ShapeCastOptions options;
    options.margin = n % 4 < 2 ? 0 : 0.1;
    std::vector<Point2d> directions;
    for (int i = 0; i < 40; ++i) {
      moving.add_shape(kFlatShapes[i % 5], {random.uniform(-4, 4), random.uniform(1.3, 3)},
                       {random.uniform(0.1, 0.5), random.uniform(0.1, 0.5)}, random.uniform(-3, 3));
      directions.push_back({random.uniform(-3, 3), random.uniform(-5, -1)});
    }
    const CastHits<2, T> expected = casts_of(moving.scene, directions, capsules.scene, options);
    const CastHits<2, T> hits = casts_of(moving.scene, directions, lines.scene, options);
    for (std::size_t i = 0; i < hits.size(); ++i) {
      ASSERT_EQ(hits.shape[i] < 0, expected.shape[i] < 0) << n << ": " << i;
      if (hits.shape[i] < 0) continue;
      ++found;
      EXPECT_NEAR(static_cast<double>(hits.t[i]), static_cast<double>(expected.t[i]), accuracy<T>())
          << n << ": " << i;
      double apart = 0, turn = 0;
      for (int k = 0; k < 2; ++k) {
        apart =
            std::max(apart, std::abs(static_cast<double>(hits.point(i, k) - expected.point(i, k))));
        turn = std::max(turn,
                        std::abs(static_cast<double>(hits.normal(i, k) - expected.normal(i, k))));
      }
      EXPECT_LT(apart, 1e-3) << n << ": " << i;
      EXPECT_LT(turn, 1e-3) << n << ": " << i;
    }
  }
  EXPECT_GT(found, 200);
}

TYPED_TEST(chain_casts, shapes_that_land_on_level_ground_have_its_normal_at_every_joint) {
  using T = typename TypeParam::T;
  Random random(94);
  for (int n = 0; n < static_cast<int>(scaled(200, 60)); ++n) {
    // Joints and corners on a grid, so that many meet exactly.
    std::vector<double> places{-8};
    while (places.back() < 8) places.push_back(places.back() + 0.25 * random.integer(1, 3));
    Lines<T> lines, moving;
    lines.place(lines.add(line_of(places, [](double) { return 0.0; })));
    std::vector<Point2d> directions;
    for (int i = 0; i < 20; ++i) {
      const double height = 1 + 0.25 * random.integer(0, 4);
      const Point2d half{0.25 * random.integer(1, 3), 0.25 * random.integer(1, 3)};
      moving.add_shape(kFlatShapes[i % 5], {0.25 * random.integer(-6, 6), height}, half,
                       i % 2 == 0 ? 0 : 0.7853981633974483 * random.integer(0, 7));
      directions.push_back({random.integer(-2, 2) * 1.0, -2.0});
    }
    const CastHits<2, T> hits = casts_of(moving.scene, directions, lines.scene);
    for (std::size_t i = 0; i < hits.size(); ++i) {
      ASSERT_EQ(hits.shape[i], 0) << n << ": " << i;
      if (hits.status[i] != static_cast<std::uint8_t>(CastStatus::hit)) continue;
      EXPECT_NEAR(static_cast<double>(hits.normal(i, 0)), 0, 1e-6) << n << ": " << i;
      EXPECT_NEAR(static_cast<double>(hits.normal(i, 1)), 1, 1e-6) << n << ": " << i;
      EXPECT_NEAR(static_cast<double>(hits.point(i, 1)), 0, 1e-6) << n << ": " << i;
    }
  }
}

TYPED_TEST(chain_casts, answers_are_alike_on_any_number_of_threads_way_and_set) {
  using T = typename TypeParam::T;
  Random random(95);
  Lines<T> lines, moving;
  lines.place(lines.add(jagged_line<T>(random, 60)), {0.25, 0}, 0.5, 0.05);
  lines.place(lines.add(jagged_line<T>(random, 60), {.two_sided = true}), {-1, 1}, -0.5);
  RayColumns<2, T> rays;
  Column<SizeOf<T>, 2> along;
  // More than one thread takes at a time.
  for (int i = 0; i < 1500; ++i) {
    const Point2d from{random.uniform(-4, 4), random.uniform(-3, 4)};
    const Point2d way{random.uniform(-1, 1), random.uniform(-2, -0.1)};
    rays.origin.push_back(Lines<T>::at(from));
    rays.direction.push_back(Lines<T>::size(way));
    if (i >= 300) continue;
    moving.add_circle(from, random.uniform(0.1, 0.3));
    along.push_back(Lines<T>::size({3 * way[0], 3 * way[1]}));
  }
  Workspace<2, T> workspace;
  StaticScene<2, T> kept;
  build_static_scene<2, T>(lines.scene, kept, workspace);
  CastOptions of_rays;
  ShapeCastOptions of_shapes;
  std::optional<std::array<std::uint64_t, 2>> expected;
  for (const Isa isa : usable_isas()) {
    of_rays.isa = of_shapes.isa = isa;
    for (const int threads : {1, 3}) {
      of_rays.threads.count = of_shapes.threads.count = threads;
      for (const RayPath path : {RayPath::packets, RayPath::singles}) {
        CastHits<2, T> hits;
        cast_shapes<2, T>(moving.scene, along.span(), {}, kept, hits, workspace, of_shapes);
        const std::array<std::uint64_t, 2> found{
            hash(answers<2, T>(kept, rays.span(), path, of_rays)), hash(hits)};
        if (!expected) expected = found;
        EXPECT_EQ(found, *expected) << isa_name(isa) << ", " << threads << " threads";
      }
    }
  }
}

TYPED_TEST(chain_casts, pairs_move_chains_and_stop_at_planes) {
  using T = typename TypeParam::T;
  // A solid of 2 x 4 that falls on a circle, on a halfspace, and a circle that falls on it.
  Lines<T> lines;
  lines.place(lines.add({{-1, -2}, {1, -2}, {1, 2}, {-1, 2}}, {.loop = true}), {0, 5},
              1.5707963267948966);
  lines.add_circle({0.5, 0}, 1);
  lines.scene.halfspaces.normal.push_back({0, 1});
  lines.scene.halfspaces.offset.push_back({0});
  const SceneLayout layout = layout_of(lines.scene);
  const std::int32_t chain = lines.chain_id(), plane = layout.id(Kind::halfspace, 0);
  const std::vector<Pair> pairs{{0, chain}, {chain, 0}, {plane, chain}};
  const Column<SizeOf<T>, 2> along{{0, -10}, {0, 10}, {0, -10}};
  CastHits<2, T> hits;
  Workspace<2, T> workspace;
  cast_pairs<2, T>(lines.scene, pairs, along.span(), {}, hits, workspace);
  // Turned by a right angle, its lower side is at y = 4: 3 above the circle's top.
  EXPECT_NEAR(static_cast<double>(hits.t[0]), 0.3, 1e-6);
  EXPECT_NEAR(static_cast<double>(hits.normal(0, 1)), 1, 1e-6);
  EXPECT_NEAR(static_cast<double>(hits.point(0, 1)), 1, 1e-5);
  EXPECT_EQ(hits.part[0], -1);
  EXPECT_NEAR(static_cast<double>(hits.t[1]), 0.3, 1e-6);
  EXPECT_NEAR(static_cast<double>(hits.normal(1, 1)), -1, 1e-6);
  EXPECT_NEAR(static_cast<double>(hits.point(1, 0)), 0.5, 1e-5);
  EXPECT_NEAR(static_cast<double>(hits.point(1, 1)), 4, 1e-5);
  EXPECT_EQ(hits.part[1], 3) << "the last segment, from (-1, 2) to (-1, -2), looks down";
  EXPECT_NEAR(static_cast<double>(hits.t[2]), 0.4, 1e-6);
  EXPECT_NEAR(static_cast<double>(hits.normal(2, 1)), 1, 1e-6);
}

TYPED_TEST(chain_casts, what_overlaps_at_the_start_has_the_answer_of_distances) {
  using T = typename TypeParam::T;
  Lines<T> lines, moving;
  lines.place(lines.add({{3, 0}, {0, 0}, {-3, 0}}));
  moving.add_circle({0.1, 0.3}, 0.5);
  const CastHits<2, T> hits = casts_of(moving.scene, {{0, -1}}, lines.scene);
  EXPECT_EQ(hits.status[0], static_cast<std::uint8_t>(CastStatus::started_inside));
  Lines<T> both = lines;
  both.scene.circles = moving.scene.circles;
  const Pair pair{both.chain_id(), 0};
  DistanceBuffer<2, T> expected;
  Workspace<2, T> workspace;
  distances<2, T>(both.scene, {&pair, 1}, expected, workspace);
  EXPECT_EQ(hits.depth[0], -expected.distance[0]);
  for (int k = 0; k < 2; ++k) {
    EXPECT_EQ(hits.normal(0, k), expected.normal(0, k));
    EXPECT_EQ(hits.point(0, k), expected.point_a(0, k));
  }
  ShapeCastOptions apart;
  apart.start_overlap = StartOverlap::leave_apart;
  EXPECT_EQ(casts_of(moving.scene, {{0, 1}}, lines.scene, apart).shape[0], -1);
  EXPECT_EQ(casts_of(moving.scene, {{0, -1}}, lines.scene, apart).shape[0], 0);
}

}  // namespace
}  // namespace widephase::test
