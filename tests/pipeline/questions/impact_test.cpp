// Times of impact of every pair of kinds against the reference: nothing is missed, nothing is late,
// and what is left at t is within the tolerance.
// Labels: long dated

#include <gtest/gtest.h>

#include <widephase/impact.hpp>

#include "support/generate.hpp"
#include "support/moving_solids.hpp"
#include "support/pair_kinds.hpp"
#include "support/verify.hpp"

namespace widephase::test {
namespace {

void turn_randomly(Random& random, BodyWay<2>& way, double most) {
  way.angle_start = random.uniform(-3, 3);
  way.angle_end = way.angle_start + random.uniform(-most, most);
}
void turn_randomly(Random& random, BodyWay<3>& way, double most) {
  const Point<4> start = random.direction<4>();
  const Point<3> axis = random.direction<3>();
  const double half = random.uniform(0, most) / 2;
  way.turn_start = {start[0], start[1], start[2], start[3]};
  // The turn about the axis times the start.
  const double s = std::sin(half), c = std::cos(half);
  const Vec<3> u{s * axis[0], s * axis[1], s * axis[2]}, v{start[0], start[1], start[2]};
  const Vec<3> imaginary = plus(plus(times(v, c), u, start[3]), cross(u, v));
  for (int k = 0; k < 3; ++k) way.turn_end[k] = static_cast<double>(imaginary[k]);
  way.turn_end[3] = static_cast<double>(c * start[3] - dot(u, v));
  // The same turn by the other sign.
  if (random.chance(0.3)) {
    for (double& value : way.turn_end) value = -value;
  }
}

enum class Family {
  any,
  spin,
  bullet,
  still,
  graze,
  inside,
  half_turn,  // of both, in opposite senses
  arms,       // bodies that keep together and rotate
  thin,       // rods and plates
  near,       // 1e-9 to 1e-3 apart or overlapping at the start, in the middle or at the end
  far,        // from the origin
  sized       // as large or small as is promised
};
constexpr int kFamilies = 12;

/// Flattens or stretches a solid of the kinds that have lengths for this.
template <int D>
void make_thin(Random& random, Solid<D>& solid) {
  const double factor = std::pow(10, random.uniform(-5, -1));
  if (solid.kind == Kind::box || solid.kind == Kind::ellipsoid) {
    solid.q[random.integer(0, D - 1)] *= factor;
    if (random.chance(0.3)) solid.q[random.integer(0, D - 1)] *= factor;
  } else if (solid.kind == Kind::capsule) {
    solid.size *= factor;
  }
}

/// A turn that comes near to half a turn.
void turn_by_half(Random& random, BodyWay<2>& way, double sense) {
  way.angle_start = random.uniform(-3, 3);
  way.angle_end = way.angle_start + sense * (3.1415 - std::pow(10, random.uniform(-3, -0.5)));
}
void turn_by_half(Random& random, BodyWay<3>& way, double) {
  turn_randomly(random, way, random.uniform(3, 3.1415));
}

/// Moves B so that the solids are `gap` apart at t, and sometimes along the surface there.
template <int D>
void bring_near(Random& random, MovingPair<D>& pair, double gap, Real t) {
  const Solid<D> a = placed(pair.a, pair.way_a, t), b = placed(pair.b, pair.way_b, t);
  const Reference<D> found = reference_of(a, b);
  if (found.normals.empty()) return;
  const Vec<D> normal = found.normals[0];
  Real along = 0;
  for (int k = 0; k < D; ++k) {
    along +=
        (Real{pair.way_b.end[k]} - pair.way_b.start[k] - pair.way_a.end[k] + pair.way_a.start[k]) *
        normal[k];
  }
  const Real left = random.chance(0.5) ? along : random.chance(0.5) ? 0 : 2 * along;
  for (int k = 0; k < D; ++k) {
    const Real by = (found.depth + gap) * normal[k];
    pair.way_b.start[k] += static_cast<double>(by + t * left * normal[k]);
    pair.way_b.end[k] += static_cast<double>(by - (1 - t) * left * normal[k]);
  }
}

template <int D>
MovingPair<D> moving_pair(Random& random, Kind a, Kind b, Family family) {
  MovingPair<D> pair;
  const double off = family == Family::arms ? 1.5 : 0.4;
  const auto solid = [&](Kind kind) {
    // Anywhere near the origin of its body.
    return random_solid<D>(random, kind, random.point<D>(-off, off), random.uniform(0.3, 1));
  };
  pair.a = solid(a);
  pair.b = solid(b);
  if (family == Family::thin) {
    make_thin(random, pair.a);
    make_thin(random, pair.b);
  }
  const double most = family == Family::spin ? 3.1 : family == Family::bullet ? 0.5 : 2;
  const bool is_sliding = family == Family::near && random.chance(0.5);
  const auto turn = [&](Kind kind, BodyWay<D>& way, double sense) {
    if (kind == Kind::aabb || is_sliding) return;
    if (family == Family::half_turn) {
      turn_by_half(random, way, sense);
    } else {
      turn_randomly(random, way, most);
    }
  };
  turn(a, pair.way_a, 1);
  turn(b, pair.way_b, -1);
  if (family == Family::bullet) pair.way_a.angle_end = pair.way_a.angle_start;
  if (family == Family::bullet) pair.way_a.turn_end = pair.way_a.turn_start;
  // B passes A at some distance.
  const Point<D> direction = random.direction<D>(), aside = random.direction<D>();
  const double apart = family == Family::arms     ? 0
                       : family == Family::inside ? random.uniform(0, 0.3)
                                                  : random.uniform(0.5, 4);
  const double miss = family == Family::graze  ? random.uniform(0.8, 2.2)
                      : family == Family::arms ? 0
                                               : random.uniform(0, 1.5);
  const double length = family == Family::bullet ? random.uniform(50, 500)
                        : family == Family::still || family == Family::arms ? 0
                        : family == Family::spin || family == Family::half_turn
                            ? random.uniform(0, 1)
                            : random.uniform(0, 8);
  for (int k = 0; k < D; ++k) {
    pair.way_a.start[k] = random.uniform(-1, 1);
    pair.way_a.end[k] = pair.way_a.start[k];
    if (family == Family::any || family == Family::arms) {
      pair.way_a.end[k] += random.uniform(-0.5, 0.5);
    }
    pair.way_b.start[k] = pair.way_a.start[k] - apart * direction[k] + miss * aside[k];
    pair.way_b.end[k] = pair.way_b.start[k] + length * direction[k];
    if (family == Family::arms) pair.way_b.end[k] = pair.way_a.end[k];
  }
  if (family == Family::near) {
    const double gap = std::pow(10, random.uniform(-9, -3)) * (random.chance(0.3) ? -1 : 1);
    bring_near(random, pair, gap, Real(random.integer(0, 2)) / 2);
  }
  return pair;
}

/// The pair at another scale.
template <int D>
MovingPair<D> times_as_large(MovingPair<D> pair, double scale) {
  const auto enlarge = [&](Point<D>& point) {
    for (double& x : point) x *= scale;
  };
  for (Solid<D>* solid : {&pair.a, &pair.b}) {
    if (solid->kind != Kind::halfspace) enlarge(solid->p);
    enlarge(solid->q);
    for (auto& vertex : solid->vertices) enlarge(vertex);
    solid->size *= scale;
    solid->rounding *= scale;
  }
  for (BodyWay<D>* way : {&pair.way_a, &pair.way_b}) {
    enlarge(way->start);
    enlarge(way->end);
  }
  return pair;
}

struct Counts {
  int met = 0, none = 0, inside = 0, bound = 0;
};

template <int D, class T>
Counts check(Kind a, Kind b, Family family, std::size_t count, std::uint64_t seed) {
  constexpr bool kIsFloat = sizeof(SizeOf<T>) == 4, kIsFloatPlace = sizeof(PositionOf<T>) == 4;
  Random random(seed + 97 * static_cast<unsigned>(a) + 7 * static_cast<unsigned>(b));
  const double scale = family != Family::sized ? 1
                       : kIsFloat              ? std::pow(10, random.uniform(-5, 7))
                                               : std::pow(10, random.uniform(-55, 70));
  const double away = family != Family::far ? 0 : kIsFloatPlace ? 1e3 : 1e6;
  std::vector<MovingPair<D>> pairs;
  for (std::size_t i = 0; i < count; ++i) {
    MovingPair<D> pair = moving_pair<D>(random, a, b, family);
    if (scale != 1) pair = times_as_large(pair, scale);
    if (away != 0 && a != Kind::halfspace && b != Kind::halfspace) {
      for (int k = 0; k < D; ++k) {
        const double by = random.uniform(-away, away);
        for (BodyWay<D>* way : {&pair.way_a, &pair.way_b}) way->start[k] += by, way->end[k] += by;
      }
    }
    pair.a = stored<T>(pair.a);
    pair.b = stored<T>(pair.b);
    pair.way_a = stored_way<T>(pair.way_a);
    pair.way_b = stored_way<T>(pair.way_b);
    pairs.push_back(pair);
  }
  const MovingScene<D, T> moving(pairs);
  Workspace<D, T> workspace;
  ImpactHits<D, T> hits;
  ShapeCastOptions options;
  const double place =
      4 * away * static_cast<double>(std::numeric_limits<PositionOf<T>>::epsilon());
  // Large lengths are no options, so those pairs take 1e-4 of the smaller shape.
  const bool is_relative = family == Family::sized;
  options.tolerance = is_relative ? 0 : std::max(1e-4, 8 * place);
  options.margin = seed % 2 == 0 || is_relative ? 0 : 0.05;
  if (seed % 3 == 0) options.method = Method::gjk_epa;
  time_of_impact(moving.scene, moving.motion(), moving.pairs, hits, workspace, options);
  EXPECT_EQ(hits.size(), count);
  Counts counts;
  int wrong_count = 0;
  for (std::size_t i = 0; i < count && wrong_count < 5; ++i) {
    const ImpactRow row{static_cast<CastStatus>(hits.status[i]), static_cast<double>(hits.t[i])};
    const Real size = std::min<Real>(10 * scale, reach_of(pairs[i].a)) +
                      std::min<Real>(10 * scale, reach_of(pairs[i].b));
    // t is rounded too, which moves shapes by a part of how far they go.
    const Real rounding = 4 * kDepthTolerance<T> * size +
                          2 * std::numeric_limits<SizeOf<T>>::epsilon() * fastest_change(pairs[i]) +
                          kOpenTolerance * size + static_cast<Real>(place);
    const Real tolerance = is_relative
                               ? 1e-4L * std::min(reach_of(pairs[i].a), reach_of(pairs[i].b))
                               : static_cast<Real>(options.tolerance);
    const std::string flaw = impact_flaw(pairs[i], row, static_cast<Real>(options.margin),
                                         tolerance, rounding, family == Family::near ? 512 : 4096);
    counts.met += row.status == CastStatus::hit;
    counts.none += row.status == CastStatus::none;
    counts.inside += row.status == CastStatus::started_inside;
    counts.bound += row.status == CastStatus::bound;
    if (flaw.empty()) continue;
    ++wrong_count;
    ADD_FAILURE() << "family " << static_cast<int>(family) << " pair " << i << ": " << flaw
                  << "status " << static_cast<int>(row.status) << " t " << row.t << " rounding "
                  << rounding << "\n  A " << describe(pairs[i].a) << "\n  B "
                  << describe(pairs[i].b);
  }
  return counts;
}

TEST(impact, the_quick_bound_is_below_the_reference_and_exact_where_cores_overlap) {
  const auto check_bound = []<int D>(Kind a, Kind b) {
    Random random(9);
    int overlaps = 0;
    for (std::size_t i = 0; i < scaled(60, 20); ++i) {
      const MovingPair<D> pair = moving_pair<D>(random, a, b, Family::any);
      const auto quick = quick_gap(pair);
      ASSERT_TRUE(quick);
      for (const Real t : {0.0L, 0.3L, 0.5L, 1.0L}) {
        const Real exact = separation_at(pair, t), bound = quick(t);
        EXPECT_LE(bound, exact + 1e-9L);
        if (exact + pair.a.size + pair.b.size >= 0) continue;
        EXPECT_NEAR(static_cast<double>(bound), static_cast<double>(exact), 1e-9);
        ++overlaps;
      }
    }
    EXPECT_GT(overlaps, 0);
  };
  check_bound.operator()<2>(Kind::polygon, Kind::box);
  check_bound.operator()<2>(Kind::polygon, Kind::polygon);
  check_bound.operator()<2>(Kind::box, Kind::box);
  check_bound.operator()<3>(Kind::box, Kind::box);
}

class impact_pairs : public ::testing::TestWithParam<PairKindCase> {};

TEST_P(impact_pairs, never_missed_never_late) {
  const auto check_families = []<int D, class T>(Kind a, Kind b) {
    // References of cylinders and hulls are slow; polygons and boxes are asked for most often.
    const auto is = [&](Kind kind) { return a == kind || b == kind; };
    const auto is_cheap = [](Kind kind) { return kind == Kind::box || kind == Kind::polygon; };
    const bool is_slow = is(Kind::cylinder) || (D == 3 && is(Kind::hull));
    const std::size_t most = is_slow ? 1 : is_cheap(a) && is_cheap(b) ? 6 : 2;
    const std::size_t count = scaled(most, 1);
    for (int f = 0; f < kFamilies; ++f) {
      const auto family = static_cast<Family>(f);
      const Counts counts = check<D, T>(a, b, family, count, 100U + static_cast<unsigned>(f));
      // Beside a halfspace that turns there is no axis along which a gap keeps.
      const bool is_hard = is(Kind::halfspace);
      // Nearly half a turn in the plane is fast without end in the middle. Their t is early, as is
      // checked above.
      const bool is_fast = family == Family::spin || family == Family::half_turn;
      // One in thousands of pairs may keep so near that it meets the limit of steps.
      const int most_bound =
          is_hard || is_fast ? 2 + static_cast<int>(count) / 12 : static_cast<int>(count) / 1000;
      EXPECT_LE(counts.bound, most_bound) << "family " << f;
      // Few pairs may all be apart.
      if (family == Family::inside && count >= 20) {
        EXPECT_GT(counts.inside, 0);
      }
    }
  };
  for_each_real(GetParam(), check_families);
  SCOPED_TRACE("mixed");
  if (GetParam().dimension == 2) {
    check_families.operator()<2, Mixed>(GetParam().a, GetParam().b);
  } else {
    check_families.operator()<3, Mixed>(GetParam().a, GetParam().b);
  }
}

INSTANTIATE_TEST_SUITE_P(kinds, impact_pairs, ::testing::ValuesIn(all_pair_kinds()), case_name);

}  // namespace
}  // namespace widephase::test
