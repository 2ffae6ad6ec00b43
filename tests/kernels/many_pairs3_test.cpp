// Hundreds of thousands of random pairs of every two kinds in 3D. Each answer is judged from both
// sides (support/fast_reference3.hpp), and each pair also runs in the other order, by every method.
// Labels: many long dated

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "support/many_pairs3.hpp"

namespace widephase::test {
namespace {

constexpr std::array<Kind, 5> kClosedForms{Kind::sphere, Kind::capsule, Kind::aabb, Kind::box,
                                           Kind::halfspace};

/// Every two kinds once; pairs with hulls twice, with few and with many corners. Ellipsoids and
/// cones are in round_pairs3_test.cpp.
std::vector<ManyPairs> many_pairs() {
  std::vector<ManyPairs> all;
  for (const Kind a : kinds(3)) {
    for (const Kind b : kinds(3)) {
      if (b < a || !has_kernel(3, a, b) || is_searched(a) || is_searched(b)) continue;
      const bool has_hull = a == Kind::hull || b == Kind::hull;
      all.push_back({a, b, has_hull ? 16 : 0});
      if (has_hull) all.push_back({a, b, 64});
    }
  }
  return all;
}

std::string case_name(const ::testing::TestParamInfo<ManyPairs>& info) {
  return name_of(info.param);
}

/// 10^6 of closed forms, 10^5 with a cylinder or a hull of up to 16 corners, 10^4 of larger ones;
/// the environment variable WIDEPHASE_MANY_PAIRS sets one number for all.
std::size_t pair_count(const ManyPairs& pairs) {
  const char* text = std::getenv("WIDEPHASE_MANY_PAIRS");
  if (text != nullptr && std::atoll(text) > 0) return static_cast<std::size_t>(std::atoll(text));
  const auto is_closed = [](Kind kind) {
    return std::ranges::find(kClosedForms, kind) != kClosedForms.end();
  };
  std::size_t count = is_closed(pairs.a) && is_closed(pairs.b) ? 1000000 : 100000;
  if (pairs.corners > 16) count = 10000;
#ifndef NDEBUG
  // The judge is not optimized in debug builds, unlike the kernels.
  count /= 10;
#endif
  return scaled(count, 1000);
}

template <class T>
void check_many(const ManyPairs& pairs, std::size_t count, double margin, std::uint64_t seed,
                Method method = Method::automatic) {
  const ManyTally tally = ManyPairsRun<T>(pairs, margin, seed, method).run(count);
  // Known limit (docs/conventions.md, Methods): on a cylinder thinner than 1e-4 of its size points
  // are aside by the root of the band.
  const bool is_round =
      pairs.b == Kind::cylinder || (pairs.a == Kind::cylinder && pairs.b != Kind::halfspace);
  const std::string aside = kFaultNames[static_cast<std::size_t>(Fault::point_outside)];
  for (const auto& [fault, times] : tally.faults) {
    const std::size_t most = is_round && fault == aside ? 1 + count / 20000 : 0;
    EXPECT_LE(times, most) << tally.text();
  }
  EXPECT_EQ(tally.pairs, count);
  EXPECT_LE(tally.second_looks, 10 + count / 100);
  if (count < 1000) return;  // too few for shares
  // Neither all apart nor all deep.
  EXPECT_GT(tally.contacts, count / 5);
  EXPECT_LT(tally.contacts, count - count / 20);
  const bool are_thin = is_thin(pairs.a) && is_thin(pairs.b);
  if (!are_thin && pairs.b != Kind::halfspace) {
    EXPECT_GT(tally.overlapping_cores, count / 20);
  }
}

/// Tests the judge itself: for overlapping cores its least depth equals that of the slow reference.
TEST(judge3, knows_the_least_depth) {
  for (const ManyPairs& kinds : many_pairs()) {
    if (kinds.b == Kind::halfspace) continue;
    SCOPED_TRACE(name_of(kinds));
    std::size_t overlap_count = 0;
    ManyPairsRun<double> run(kinds, 0, 6);
    const std::size_t count = scaled(kinds.corners > 16 ? 20 : 100, 20);
    run.make(count);
    for (const auto& [a, b] : run.pairs()) {
      const auto exact = reference_of(run.solid(a), run.solid(b));
      const FastShape fast_a = run.shape(a), fast_b = run.shape(b);
      const Real radius = fast_a.radius + fast_b.radius;
      if (exact.depth <= radius + 1e-9L) continue;
      ++overlap_count;
      const double least = Judge().least_core_depth(fast_a, fast_b);
      EXPECT_NEAR(least, static_cast<double>(exact.depth - radius), 1e-12)
          << run.describe_pair({a, b});
    }
    // Points and segments have no inside to overlap.
    EXPECT_EQ(overlap_count == 0, is_thin(kinds.a) && is_thin(kinds.b));
  }
}

/// The judge detects a depth that is off by two tolerances, and a worse direction with its own
/// depth, whether the cores overlap or are apart.
TEST(judge3, sees_wrong_answers) {
  Random random(7);
  for (const ManyPairs& kinds : many_pairs()) {
    SCOPED_TRACE(name_of(kinds));
    ManyPairsRun<float> run(kinds, 0.25, 8);
    run.make(scaled(kinds.corners > 16 ? 200 : 1000, 50));
    run.collide();
    std::size_t seen_count = 0;
    for (std::size_t i = 0; i < run.contacts().size(); ++i) {
      const FastShape a = run.shape(run.contacts().pair[i].a);
      const FastShape b = run.shape(run.contacts().pair[i].b);
      const FastAnswer answer = run.answer_at(run.contacts(), i);
      if (run.verdict_of(a, b, answer).fault != Fault::none) continue;
      const double tolerance = run.tolerance_of(a, b);
      for (const double error : {2.1 * tolerance, -2.1 * tolerance}) {
        FastAnswer wrong = answer;
        wrong.depth += error;
        wrong.point_depth += error;
        EXPECT_NE(run.verdict_of(a, b, wrong).fault, Fault::none);
      }
      if (kinds.b == Kind::halfspace) continue;
      FastAnswer worse = answer;
      const Point<3> aside = random.direction<3>();
      worse.normal = worse.normal + random.uniform(0, 1) * Vec3d{aside[0], aside[1], aside[2]};
      worse.normal = 1 / length(worse.normal) * worse.normal;
      worse.depth = a.radius + b.radius + LeastDepth(a, b).along(worse.normal);
      worse.point_depth = worse.depth;
      if (!(worse.depth > answer.depth + 2.1 * tolerance)) continue;
      const Verdict verdict = run.verdict_of(a, b, worse);
      EXPECT_NE(verdict.fault, Fault::none) << run.describe_pair(run.contacts().pair[i]);
      // It is not excused by status 2 either.
      const double error = worse.depth - answer.depth + tolerance;
      EXPECT_FALSE(run.is_said(2, verdict, error, a, b));
      ++seen_count;
    }
    if (kinds.b != Kind::halfspace) {
      EXPECT_GT(seen_count, run.contacts().size() / 2);
    }
  }
}

class many_pairs3 : public ::testing::TestWithParam<ManyPairs> {};

TEST_P(many_pairs3, in_float) {
  const std::size_t count = pair_count(GetParam());
  check_many<float>(GetParam(), count - count / 4, 0, 1);
  check_many<float>(GetParam(), count / 4, 0.25, 2);
}

TEST_P(many_pairs3, a_tenth_in_double) {
  const std::size_t count = pair_count(GetParam()) / 10;
  check_many<double>(GetParam(), count - count / 4, 0, 3);
  check_many<double>(GetParam(), count / 4, 0.25, 4);
}

TEST_P(many_pairs3, a_fiftieth_by_gjk_and_epa) {
  const std::size_t count = pair_count(GetParam()) / 50;
  check_many<float>(GetParam(), count - count / 4, 0, 5, Method::gjk_epa);
  check_many<double>(GetParam(), count / 4, 0.25, 6, Method::gjk_epa);
}

INSTANTIATE_TEST_SUITE_P(kinds, many_pairs3, ::testing::ValuesIn(many_pairs()), case_name);

}  // namespace
}  // namespace widephase::test
