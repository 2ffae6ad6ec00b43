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

enum class Family { any, spin, bullet, still, graze, inside };

template <int D>
MovingPair<D> moving_pair(Random& random, Kind a, Kind b, Family family) {
  MovingPair<D> pair;
  const auto solid = [&](Kind kind) {
    // Anywhere near the origin of its body.
    return random_solid<D>(random, kind, random.point<D>(-0.4, 0.4), random.uniform(0.3, 1));
  };
  pair.a = solid(a);
  pair.b = solid(b);
  const double most = family == Family::spin ? 3.1 : family == Family::bullet ? 0.5 : 2;
  if (a != Kind::aabb) turn_randomly(random, pair.way_a, most);
  if (b != Kind::aabb) turn_randomly(random, pair.way_b, most);
  if (family == Family::bullet) pair.way_a.angle_end = pair.way_a.angle_start;
  if (family == Family::bullet) pair.way_a.turn_end = pair.way_a.turn_start;
  // B passes A at some distance.
  const Point<D> direction = random.direction<D>(), aside = random.direction<D>();
  const double apart = family == Family::inside ? random.uniform(0, 0.3) : random.uniform(0.5, 4);
  const double miss = family == Family::graze ? random.uniform(0.8, 2.2) : random.uniform(0, 1.5);
  const double length = family == Family::bullet  ? random.uniform(50, 500)
                        : family == Family::still ? 0
                        : family == Family::spin  ? random.uniform(0, 1)
                                                  : random.uniform(0, 8);
  for (int k = 0; k < D; ++k) {
    pair.way_a.start[k] = random.uniform(-1, 1);
    pair.way_a.end[k] = pair.way_a.start[k];
    if (family == Family::any) pair.way_a.end[k] += random.uniform(-0.5, 0.5);
    pair.way_b.start[k] = pair.way_a.start[k] - apart * direction[k] + miss * aside[k];
    pair.way_b.end[k] = pair.way_b.start[k] + length * direction[k];
  }
  return pair;
}

struct Counts {
  int met = 0, none = 0, inside = 0, bound = 0;
};

template <int D, class T>
Counts check(Kind a, Kind b, Family family, std::size_t count, std::uint64_t seed) {
  Random random(seed + 97 * static_cast<unsigned>(a) + 7 * static_cast<unsigned>(b));
  std::vector<MovingPair<D>> pairs;
  for (std::size_t i = 0; i < count; ++i) {
    MovingPair<D> pair = moving_pair<D>(random, a, b, family);
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
  options.tolerance = 1e-4;
  options.margin = seed % 2 == 0 ? 0 : 0.05;
  time_of_impact(moving.scene, moving.motion(), moving.pairs, hits, workspace, options);
  EXPECT_EQ(hits.size(), count);
  Counts counts;
  int wrong_count = 0;
  for (std::size_t i = 0; i < count && wrong_count < 5; ++i) {
    const ImpactRow row{static_cast<CastStatus>(hits.status[i]), static_cast<double>(hits.t[i])};
    const Real size =
        std::min<Real>(10, reach_of(pairs[i].a)) + std::min<Real>(10, reach_of(pairs[i].b));
    // t is rounded too, which moves shapes by a part of their way.
    const Real rounding = 4 * kDepthTolerance<T> * size +
                          2 * std::numeric_limits<SizeOf<T>>::epsilon() * fastest_change(pairs[i]) +
                          kOpenTolerance * size;
    const std::string flaw = impact_flaw(pairs[i], row, static_cast<Real>(options.margin),
                                         static_cast<Real>(options.tolerance), rounding);
    counts.met += row.status == CastStatus::hit;
    counts.none += row.status == CastStatus::none;
    counts.inside += row.status == CastStatus::started_inside;
    counts.bound += row.status == CastStatus::bound;
    if (flaw.empty()) continue;
    ++wrong_count;
    ADD_FAILURE() << "family " << static_cast<int>(family) << " pair " << i << ": " << flaw
                  << "status " << static_cast<int>(row.status) << " t " << row.t << "\n  A "
                  << describe(pairs[i].a) << "\n  B " << describe(pairs[i].b);
  }
  return counts;
}

class impact_pairs : public ::testing::TestWithParam<PairKindCase> {};

TEST_P(impact_pairs, never_missed_never_late) {
  for_each_real(GetParam(), []<int D, class T>(Kind a, Kind b) {
    const std::size_t count = count_for(a, b, 24, 4);
    for (const Family family : {Family::any, Family::spin, Family::bullet, Family::still,
                                Family::graze, Family::inside}) {
      const Counts counts = check<D, T>(a, b, family, count, 100 + static_cast<unsigned>(family));
      // Beside a halfspace that turns there is no axis along which a gap keeps.
      const bool is_hard = a == Kind::halfspace || b == Kind::halfspace;
      // Nearly half a turn in the plane is fast without end in the middle. Their t is early, as is
      // checked above.
      const int most = is_hard || family == Family::spin ? 2 : 0;
      EXPECT_LE(counts.bound, most) << "family " << static_cast<int>(family);
      // Few pairs, as sanitizers take, may all be apart.
      if (family == Family::inside && count >= 20) {
        EXPECT_GT(counts.inside, 0);
      }
    }
  });
}

INSTANTIATE_TEST_SUITE_P(kinds, impact_pairs, ::testing::ValuesIn(all_pair_kinds()), case_name);

}  // namespace
}  // namespace widephase::test
