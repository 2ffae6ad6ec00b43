// Pairs with an ellipsoid, a cone or a rounded cylinder, of every family, in very large numbers:
// each answer is judged from both sides (support/judge3.hpp), and each pair also runs in the other
// order.
// Labels: many long dated optimized

#include <gtest/gtest.h>

#include <cstdlib>

#include "support/round_pairs3.hpp"

namespace widephase::test {
namespace {

/// Every two kinds once, if one of them is round: of old kinds, only the rounded cylinder is new.
std::vector<ManyPairs> round_kinds() {
  std::vector<ManyPairs> all;
  for (const Kind a : kinds(3)) {
    for (const Kind b : kinds(3)) {
      if (b < a || !has_kernel(3, a, b) || !(is_round(a) || is_round(b))) continue;
      all.push_back({a, b});
    }
  }
  return all;
}

/// The environment variable WIDEPHASE_MANY_PAIRS, or a few.
std::size_t pair_count() {
  const char* text = std::getenv("WIDEPHASE_MANY_PAIRS");
  if (text != nullptr && std::atoll(text) > 0) return static_cast<std::size_t>(std::atoll(text));
  return scaled(24, 4);
}

class round_pairs3 : public ::testing::TestWithParam<ManyPairs> {
 protected:
  template <class T>
  void check(RoundFamily family, std::size_t count, double margin, std::uint64_t seed,
             Method method = Method::automatic) {
    SCOPED_TRACE(name_of(family) +
                 (std::is_same_v<T, Mixed>   ? " in mixed precision"
                  : std::is_same_v<T, float> ? " in float"
                                             : " in double") +
                 (method == Method::gjk_epa ? " by gjk_epa" : ""));
    const ManyTally tally = RoundPairsRun<T>(GetParam(), family, margin, seed, method).run(count);
    EXPECT_EQ(tally.pairs, count);
    // Known limit: where flat or thin shapes without an extent lie along one another but for
    // rounding, as on the grid, their points may be anywhere on them.
    const std::string aside = kFaultNames[static_cast<std::size_t>(Fault::point_outside)];
    for (const auto& [fault, times] : tally.faults) {
      if (fault == kOpenName) {
        open_count_ += times;
        open_texts_ += tally.text();
        continue;
      }
      const bool is_known = fault == aside && family == RoundFamily::grid;
      EXPECT_LE(times, is_known ? 1 + count / 50 : 0) << tally.text();
    }
    contact_count_ += tally.contacts;
  }

  /// A search that comes to no end says so, and is rare over all families.
  void TearDown() override {
    EXPECT_LE(open_count_, most_open(contact_count_)) << "of " << contact_count_ << " contacts\n"
                                                      << open_texts_;
  }

 private:
  std::size_t contact_count_ = 0, open_count_ = 0;
  std::string open_texts_;
};

TEST_P(round_pairs3, in_float) {
  const std::size_t count = pair_count();
  for (const RoundFamily family : kRoundFamilies) {
    check<float>(family, count - count / 4, 0, 1);
    check<float>(family, count / 4, 0.25, 2);
  }
}

TEST_P(round_pairs3, a_quarter_in_double) {
  const std::size_t count = pair_count() / 4;
  for (const RoundFamily family : kRoundFamilies) {
    check<double>(family, count - count / 4, 0, 3);
    check<double>(family, count / 4, 0.25, 4);
  }
}

TEST_P(round_pairs3, a_quarter_in_mixed_precision_far_away) {
  const std::size_t count = pair_count() / 4;
  for (const RoundFamily family : kRoundFamilies) {
    check<Mixed>(family, count - count / 4, 0, 7);
    check<Mixed>(family, count / 4, 0.25, 8);
  }
}

TEST_P(round_pairs3, an_eighth_by_gjk_and_epa) {
  const std::size_t count = pair_count() / 8;
  for (const RoundFamily family : kRoundFamilies) {
    check<float>(family, count - count / 4, 0, 5, Method::gjk_epa);
    check<double>(family, count / 4, 0.25, 6, Method::gjk_epa);
  }
}

/// Tests the judge itself: its search finds what takes less than two tolerances more than the least
/// depth, and nothing below that. Where nearly all directions are alike it may leave that open.
TEST(judge3_round, knows_the_least_depth) {
  constexpr double kTolerance = 1e-5;
  std::size_t count = 0, open_count = 0;
  Judge judge;
  for (const ManyPairs& kinds : round_kinds()) {
    if (kinds.b == Kind::halfspace || kinds.a == Kind::halfspace) continue;
    if (!is_searched(kinds.a) && !is_searched(kinds.b)) continue;
    for (const RoundFamily family : kRoundFamilies) {
      RoundPairsRun<double> run(kinds, family, 0, 11);
      run.make(scaled(10, 3));
      for (const auto& [id_a, id_b] : run.pairs()) {
        const FastShape a = run.shape(id_a), b = run.shape(id_b);
        const double tolerance = kTolerance * Judge::size_of(a, b);
        const Reference<3> exact = reference_of(run.solid(id_a), run.solid(id_b));
        const double least = static_cast<double>(exact.depth) - a.radius - b.radius;
        if (!(least > 2 * tolerance)) continue;
        ++count;
        const Verdict right = judge.least_direction(a, b, least, tolerance);
        EXPECT_NE(right.fault, Fault::beaten) << run.describe_pair({id_a, id_b});
        const Verdict wrong = judge.least_direction(a, b, least + 2.1 * tolerance, tolerance);
        EXPECT_NE(wrong.fault, Fault::none) << run.describe_pair({id_a, id_b});
        open_count += right.fault == Fault::unproven ? 1 : 0;
        open_count += wrong.fault == Fault::unproven ? 1 : 0;
      }
    }
  }
  EXPECT_GT(count, scaled(500, 100));
  EXPECT_LE(open_count, 2 + count / 50);
}

/// A needle nearly along the axis of a spheroid, where the slow reference ends 4e-9 too deep.
TEST(judge3_round, proves_a_depth_along_a_valley) {
  const Solid<3> spheroid = ellipsoid(
      {-2.0522961423248169, -1.1762239245814863, 1.4467385403073516},
      {0.018250988414650508, -0.87909635870032687, -0.37916966361820187, 0.28824791366699287},
      {0.75331464564201556, 0.75331464564201556, 0.9983885441725816}, 0.34061995047268778);
  const Solid<3> needle = box(
      {-1.5460757483152894, -1.8141887306080311, 1.9779000206076471},
      {0.81250950059088833, -0.33611283704078454, -0.41619425470722909, -0.23160054959916296},
      {0.00016684136398709159, 0.00016684136398709159, 0.77285064463284003}, 0.040855141209752956);
  const PairScene<3, double> input({{spheroid, needle}});
  const FastShape a = fast_shape<double>(input.scene, Kind::ellipsoid, 0, {});
  const FastShape b = fast_shape<double>(input.scene, Kind::box, 0, {});
  const double known = 1.0991898365376704 - a.radius - b.radius;
  const double tolerance = 1e-12 * Judge::size_of(a, b);
  EXPECT_EQ(Judge().least_direction(a, b, known, tolerance, true).fault, Fault::none);
}

std::string case_name(const ::testing::TestParamInfo<ManyPairs>& info) {
  return name_of(info.param);
}

INSTANTIATE_TEST_SUITE_P(kinds, round_pairs3, ::testing::ValuesIn(round_kinds()), case_name);

}  // namespace
}  // namespace widephase::test
