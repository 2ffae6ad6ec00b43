// Casts of moving shapes through static scenes against the casts of all pairs that the filters
// allow, and overlaps at the start against `distances`, bit for bit; threads and instruction sets;
// surfaces against the distances along the way.
// Labels: threads emulated-x86 emulated-arm

#include "support/allocations.hpp"

#include <gtest/gtest.h>

#include <widephase/widephase.hpp>

#include "support/casts.hpp"
#include "support/error_of.hpp"
#include "support/executors.hpp"
#include "support/ground.hpp"
#include "support/two_scenes.hpp"

namespace widephase::test {
namespace {

template <int D, class T>
CastColumns<D, T> ways_for(std::size_t count, std::uint64_t seed, double length) {
  Random random(seed);
  CastColumns<D, T> ways;
  for (std::size_t i = 0; i < count; ++i) {
    Point<D> along = random.direction<D>();
    const double size = length * random.uniform(0, 1);
    // Some are level, a few do not move.
    for (double& x : along) x = random.chance(0.2) ? 0 : x * size;
    ways.add(along, random.chance(0.1) ? 0 : random.uniform(0.5, 2));
  }
  return ways;
}

template <int D, class T>
std::vector<std::uint64_t> row_bits(const CastHits<D, T>& hits, std::size_t row) {
  std::vector<std::uint64_t> bits;
  const auto add = [&](double number) { bits.push_back(std::bit_cast<std::uint64_t>(number)); };
  add(static_cast<double>(hits.t[row]));
  add(hits.feature[row]);
  add(hits.status[row]);
  add(static_cast<double>(hits.depth[row]));
  for (int k = 0; k < D; ++k) {
    add(static_cast<double>(hits.normal(row, k)));
    add(static_cast<double>(hits.point(row, k)));
  }
  return bits;
}

template <class P>
struct cast_scenes : testing::Test {};
TYPED_TEST_SUITE(cast_scenes, Precisions);

template <int D, class T>
void check_scene(const TwoScenes<D, T>& two, const ShapeCastOptions& options, double length) {
  Workspace<D, T> workspace;
  StaticScene<D, T> kept;
  build_static_scene(two.kept, kept, workspace);
  const std::int32_t count = layout_of(two.moving).shape_count();
  const CastColumns<D, T> ways = ways_for<D, T>(static_cast<std::size_t>(count), 5, length);
  CastHits<D, T> hits;
  cast_shapes(two.moving, ways.direction, ways.max_t, kept, hits, workspace, options);
  ASSERT_EQ(hits.size(), static_cast<std::size_t>(count));

  std::vector<Pair> pairs;
  CastColumns<D, T> of_pairs;
  for (const Pair joined : allowed_pairs(two.joined)) {
    Pair pair{two.reported[static_cast<std::size_t>(joined.a)],
              two.reported[static_cast<std::size_t>(joined.b)]};
    if (pair.a < pair.b) std::swap(pair.a, pair.b);
    if (pair.a < count || pair.b >= count) continue;
    pairs.push_back(pair);
    of_pairs.direction.push_back(ways.direction.row(static_cast<std::size_t>(pair.b)));
    of_pairs.max_t.push_back(ways.max_t.row(static_cast<std::size_t>(pair.b)));
  }
  SceneSpan<D, T> moving = two.moving;
  moving.kept = &kept;
  CastHits<D, T> all;
  cast_pairs(moving, pairs, of_pairs.direction, of_pairs.max_t, all, workspace, options);
  std::vector<std::int64_t> best(static_cast<std::size_t>(count), -1);
  for (std::size_t n = 0; n < pairs.size(); ++n) {
    if (all.shape[n] < 0) continue;
    EXPECT_EQ(all.shape[n], pairs[n].a);
    std::int64_t& so_far = best[static_cast<std::size_t>(pairs[n].b)];
    const auto is_before = [&](std::size_t other) {
      return all.t[n] < all.t[other] || (all.t[n] == all.t[other] && pairs[n].a < pairs[other].a);
    };
    if (so_far < 0 || is_before(static_cast<std::size_t>(so_far))) {
      so_far = static_cast<std::int64_t>(n);
    }
  }
  int found = 0, starts = 0;
  for (std::int32_t i = 0; i < count; ++i) {
    const auto row = static_cast<std::size_t>(i);
    SCOPED_TRACE("moving shape " + std::to_string(i));
    if (best[row] < 0) {
      EXPECT_EQ(hits.shape[row], -1);
      EXPECT_EQ(hits.t[row], ways.max_t[row]);
      EXPECT_EQ(hits.status[row], static_cast<std::uint8_t>(CastStatus::none));
      continue;
    }
    const auto n = static_cast<std::size_t>(best[row]);
    ASSERT_EQ(hits.shape[row], pairs[n].a - count);
    ASSERT_EQ(row_bits(hits, row), row_bits(all, n));
    ++found;
    starts += hits.status[row] == static_cast<std::uint8_t>(CastStatus::started_inside) ? 1 : 0;
  }
  EXPECT_GT(found, 5);
  if (options.start_overlap == StartOverlap::pass) {
    EXPECT_EQ(starts, 0);
  } else {
    EXPECT_GT(starts, 0);
  }

  // Overlaps at the start are those of `distances`.
  DistanceBuffer<D, T> measured;
  distances(moving, pairs, measured, workspace);
  for (std::size_t n = 0; n < pairs.size(); ++n) {
    const bool is_start = all.status[n] == static_cast<std::uint8_t>(CastStatus::started_inside);
    if (!is_start) continue;
    ASSERT_EQ(all.depth[n], -measured.distance[n]);
    ASSERT_EQ(all.feature[n], measured.feature[n] >> 16);
    double rise = 0;
    for (int k = 0; k < D; ++k) {
      ASSERT_EQ(all.normal(n, k), measured.normal(n, k));
      ASSERT_EQ(all.point(n, k), measured.point_a(n, k));
      rise += static_cast<double>(measured.normal(n, k)) *
              static_cast<double>(of_pairs.direction(n, k));
    }
    if (options.start_overlap == StartOverlap::leave_apart) {
      ASSERT_LT(rise, 0);
    }
  }

  // Nothing depends on threads, sets or the memory of the last call.
  const std::uint64_t expected = hash(hits);
  for (const Isa isa : usable_isas()) {
    for (const int threads : {1, 2, 5}) {
      ShapeCastOptions other = options;
      other.isa = isa;
      other.threads.count = threads;
      Workspace<D, T> fresh;
      CastHits<D, T> again;
      cast_shapes(two.moving, ways.direction, ways.max_t, kept, again, fresh, other);
      EXPECT_EQ(hash(again), expected);
      cast_shapes(two.moving, ways.direction, ways.max_t, kept, again, fresh, other);
      EXPECT_EQ(hash(again), expected);
    }
  }
}

TYPED_TEST(cast_scenes, least_t_and_lowest_id_of_all_pairs) {
  constexpr int D = TypeParam::D;
  using T = typename TypeParam::T;
  const TwoScenes<D, T> two(mixed_scene<D, T>(scaled(160, 80), 21, 0), 4);
  for (const StartOverlap start :
       {StartOverlap::report, StartOverlap::leave_apart, StartOverlap::pass}) {
    ShapeCastOptions options;
    options.start_overlap = start;
    SCOPED_TRACE(static_cast<int>(start));
    check_scene<D, T>(two, options, 6);
  }
}

TYPED_TEST(cast_scenes, worlds_filters_and_margins) {
  constexpr int D = TypeParam::D;
  using T = typename TypeParam::T;
  const TwoScenes<D, T> two(mixed_scene<D, T>(scaled(300, 200), 22, 3), 3);
  ShapeCastOptions options;
  options.margin = 0.25;
  check_scene<D, T>(two, options, 6);
  options.margin = 0;
  options.start_overlap = StartOverlap::leave_apart;
  check_scene<D, T>(two, options, 6);
}

TYPED_TEST(cast_scenes, the_second_call_allocates_nothing) {
  constexpr int D = TypeParam::D;
  using T = typename TypeParam::T;
  const TwoScenes<D, T> two(mixed_scene<D, T>(scaled(200, 200), 23, 3), 3);
  Workspace<D, T> workspace;
  StaticScene<D, T> kept;
  build_static_scene(two.kept, kept, workspace);
  const auto count = static_cast<std::size_t>(layout_of(two.moving).shape_count());
  const CastColumns<D, T> ways = ways_for<D, T>(count, 6, 5);
  ShapeCastOptions options;
  options.threads.count = 1;
  CastHits<D, T> hits;
  for (const StartOverlap start : {StartOverlap::report, StartOverlap::leave_apart}) {
    options.start_overlap = start;
    cast_shapes(two.moving, ways.direction, ways.max_t, kept, hits, workspace, options);
    const long before = allocation_count;
    cast_shapes(two.moving, ways.direction, ways.max_t, kept, hits, workspace, options);
    EXPECT_EQ(allocation_count - before, 0);
  }
}

// --- Surfaces ---

/// A turn by seven degrees, so that the ground falls along y.
constexpr Quat kLeaning{-0.0625, 0, 0, 0.998044963916957};

/// The distance of the pair once B has moved, by `distances` in double.
struct MovedDistance {
  Ground<double> ground;
  Workspace<3, double> workspace;
  DistanceBuffer<3, double> answer;

  double operator()(const std::function<void(Ground<double>&)>& add) {
    Ground<double> both = ground;
    add(both);
    const Pair pair{layout_of(both.scene).shape_count() - 1, 0};  // surfaces are the last kinds
    distances(both.scene, {&pair, 1}, answer, workspace);
    return answer.distance[0];
  }
};

template <class T>
void check_surface(const Ground<double>& ground, const Ground<T>& kept_ground, double fall,
                   std::uint64_t seed) {
  Random random(seed);
  Workspace<3, T> workspace;
  StaticScene<3, T> kept;
  build_static_scene(kept_ground.scene, kept, workspace);
  MovedDistance measure{ground, {}, {}};
  int found = 0, missed = 0;
  for (std::size_t n = 0; n < scaled(160, 60); ++n) {
    const Kind kind = kShapes[n % std::size(kShapes)];
    if (kind == Kind::hull) continue;  // its points would be another scene's
    const std::array<double, 3> center{random.uniform(1, 7), random.uniform(1, 7),
                                       random.uniform(2.5, 4)};
    const std::array<double, 3> half{random.uniform(0.1, 0.5), random.uniform(0.1, 0.5),
                                     random.uniform(0.1, 0.5)};
    const Quat turn = any_turn(random);
    const std::array<double, 3> along{random.uniform(-4, 4), random.uniform(-4, 4),
                                      -fall * random.uniform(0.2, 1)};
    Ground<T> mover;
    mover.add(kind, center, half, turn);
    CastColumns<3, T> way;
    way.add({along[0], along[1], along[2]});
    CastHits<3, T> hits;
    cast_shapes(mover.scene, way.direction, way.max_t, kept, hits, workspace);
    const double t = static_cast<double>(hits.t[0]);
    SCOPED_TRACE(std::string(kind_name(kind, 3)) + ", case " + std::to_string(n) + ", t " +
                 std::to_string(t) + ", status " + std::to_string(int{hits.status[0]}));
    const auto gap = [&](double at) {
      return measure([&](Ground<double>& both) {
        both.add(kind,
                 {center[0] + at * along[0], center[1] + at * along[1], center[2] + at * along[2]},
                 half, turn);
      });
    };
    const double tolerance = sizeof(SizeOf<T>) == 4 ? 5e-5 : 1e-7;
    for (int step = 0; step < 12; ++step) {
      const double before = t * step / 12;
      ASSERT_GT(gap(before), -tolerance) << "it is late at " << before;
    }
    if (hits.shape[0] < 0) {
      ++missed;
      continue;
    }
    ++found;
    EXPECT_EQ(hits.status[0], static_cast<std::uint8_t>(CastStatus::hit));
    EXPECT_GE(hits.part[0], 0);
    EXPECT_NEAR(gap(t), 0, tolerance);
  }
  EXPECT_GT(3 * found, missed);
  EXPECT_GT(missed, 2);
}

template <class P>
struct cast_surfaces : testing::Test {};
using Numbers = testing::Types<Precision<3, float>, Precision<3, double>, Precision<3, Mixed>>;
TYPED_TEST_SUITE(cast_surfaces, Numbers);

TYPED_TEST(cast_surfaces, fields_with_holes) {
  const Height height = [](int row, int column) {
    if (row == 4 && column == 5) return kHole;
    return 0.6 * std::sin(1.3 * row) * std::cos(0.9 * column);
  };
  for (const Quat& q : {kLevel, kLeaning}) {
    Ground<double> ground;
    ground.place_field(ground.add_field(9, 9, 1, height), {}, q);
    Ground<typename TypeParam::T> kept;
    kept.place_field(kept.add_field(9, 9, 1, height), {}, q);
    check_surface(ground, kept, 5, 31);
  }
}

/// What a ball meets of a flat field from (0, 0) to (8, 8).
template <class T>
CastHits<3, T> cast_ball_to_flat_field(const std::array<double, 3>& center, double radius,
                                       const Point<3>& along, double most = 1) {
  Ground<T> ground, mover;
  ground.place_field(ground.add_field(9, 9, 1, [](int, int) { return 0.0; }));
  mover.add_sphere(center, radius);
  Workspace<3, T> workspace;
  StaticScene<3, T> kept;
  build_static_scene(ground.scene, kept, workspace);
  CastColumns<3, T> way;
  way.add(along, most);
  CastHits<3, T> hits;
  cast_shapes(mover.scene, way.direction, way.max_t, kept, hits, workspace);
  return hits;
}

TYPED_TEST(cast_surfaces, starts_in_a_field_are_told_whatever_the_way) {
  using T = typename TypeParam::T;
  for (const Point<3>& along :
       {Point<3>{0, 0, 0}, {0, 0, 1}, {0, 0, -1}, {2, 0, 0}, {0, -2, 0}, {1, 1, 1}}) {
    SCOPED_TRACE(std::to_string(along[0]) + ' ' + std::to_string(along[1]) + ' ' +
                 std::to_string(along[2]));
    // The centre is 0.25 above the surface.
    const auto on = cast_ball_to_flat_field<T>({4.3, 4.2, 0.25}, 0.5, along);
    EXPECT_EQ(on.status[0], static_cast<std::uint8_t>(CastStatus::started_inside));
    EXPECT_EQ(on.t[0], 0);
    EXPECT_NEAR(static_cast<double>(on.depth[0]), 0.25, 1e-6);
    // Far below the samples, half in the wall below the border; the centre is outside.
    const auto beside = cast_ball_to_flat_field<T>({-0.3, 4.2, -5}, 0.5, along);
    EXPECT_EQ(beside.status[0], static_cast<std::uint8_t>(CastStatus::started_inside));
    EXPECT_EQ(beside.t[0], 0);
    // And beside the wall.
    const auto free = cast_ball_to_flat_field<T>({-3, 4.2, -5}, 0.5, along);
    EXPECT_EQ(free.status[0], static_cast<std::uint8_t>(CastStatus::none));
  }
}

TYPED_TEST(cast_surfaces, a_wall_that_is_met_before_its_triangle_is_named) {
  // Beside the corner (8, 0) at a height of -0.2 the ball meets the upright edge below it, before
  // the corner itself: both belong to triangle 14, the first one of the last cell of the first row.
  const auto hits =
      cast_ball_to_flat_field<typename TypeParam::T>({10, -0.1, -0.2}, 0.5, {-1, 0, 0}, 3);
  EXPECT_EQ(hits.part[0], 14);
  // The walls below two of its edges end there, and either may be named.
  EXPECT_TRUE(hits.feature[0] == feature_half(Feature::edge, 0) ||
              hits.feature[0] == feature_half(Feature::edge, 1))
      << hits.feature[0];
  EXPECT_NEAR(static_cast<double>(hits.t[0]), 2 - std::sqrt(0.24), 1e-6);
  EXPECT_NEAR(static_cast<double>(hits.normal(0, 2)), 0, 1e-6);
}

TYPED_TEST(cast_surfaces, what_is_met_later_changes_no_bit_of_a_field) {
  using T = typename TypeParam::T;
  Random random(33);
  Ground<T> alone;
  alone.place_field(alone.add_field(9, 9, 1, [&](int row, int column) {
    return row % 4 == 1 && column % 3 == 1 ? kHole : random.uniform(-0.6, 0.6);
  }));
  // Halfspaces are asked first; this one is met behind the field.
  Ground<T> both = alone;
  both.scene.halfspaces.normal.push_back({0, 0, 1});
  both.scene.halfspaces.offset.push_back({-1});
  Workspace<3, T> workspace;
  StaticScene<3, T> kept, kept_both;
  build_static_scene(alone.scene, kept, workspace);
  build_static_scene(both.scene, kept_both, workspace);
  Ground<T> movers;
  CastColumns<3, T> ways;
  for (std::size_t n = 0; n < scaled(2000, 500); ++n) {
    movers.add_sphere({random.uniform(-1, 9), random.uniform(-1, 9), random.uniform(-0.5, 3)},
                      random.uniform(0.05, 0.4));
    ways.add({random.uniform(-4, 4), random.uniform(-4, 4), random.uniform(-4, 1)}, 2);
  }
  CastHits<3, T> hits, hits_both;
  cast_shapes(movers.scene, ways.direction, ways.max_t, kept, hits, workspace);
  cast_shapes(movers.scene, ways.direction, ways.max_t, kept_both, hits_both, workspace);
  const std::int32_t field = layout_of(both.scene).id(Kind::heightfield, 0);
  int compared = 0;
  for (std::size_t i = 0; i < hits.size(); ++i) {
    if (hits_both.shape[i] != field) continue;
    ++compared;
    ASSERT_EQ(row_bits(hits_both, i), row_bits(hits, i));
    ASSERT_EQ(hits_both.part[i], hits.part[i]);
  }
  EXPECT_GT(compared, 50);
}

template <class G>
void add_tent(G& ground, bool is_two_sided, const Quat& q = kLevel, double radius = 0) {
  const std::int32_t mesh =
      ground.add_mesh_of({{0, 0, 0}, {8, 0, 0}, {8, 8, 0}, {0, 8, 0}, {4, 4, 2}},
                         {{0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}}, is_two_sided);
  ground.place_mesh(mesh, {}, q, radius);
}
TYPED_TEST(cast_surfaces, meshes) {
  for (const bool is_two_sided : {false, true}) {
    Ground<double> ground;
    add_tent(ground, is_two_sided);
    Ground<typename TypeParam::T> kept;
    add_tent(kept, is_two_sided);
    check_surface(ground, kept, 4, 32);
  }
}

TYPED_TEST(cast_surfaces, thick_meshes_that_lean) {
  Ground<double> ground;
  add_tent(ground, false, kLeaning, 0.25);
  Ground<typename TypeParam::T> kept;
  add_tent(kept, false, kLeaning, 0.25);
  check_surface(ground, kept, 4, 34);
}

}  // namespace
}  // namespace widephase::test
