// The same shapes in float and in double, for the families in which wrong answers were found
// (support/generate_trouble3.hpp). Distances agree, yes and no agree unless rounding decides,
// searches end, and every answer for shapes that are apart proves itself (support/apart.hpp).
// Labels: many

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <string>

#include <widephase/distance.hpp>

#include "support/apart.hpp"
#include "support/generate_trouble3.hpp"
#include "support/methods.hpp"

namespace widephase::test {
namespace {

/// The number of pairs in all families together: 10^5, or ten times the environment variable
/// WIDEPHASE_MANY_PAIRS, which counts the pairs of two kinds in other tests.
std::size_t pair_count() {
  const char* text = std::getenv("WIDEPHASE_MANY_PAIRS");
  if (text != nullptr && std::atoll(text) > 0) {
    return 10 * static_cast<std::size_t>(std::atoll(text));
  }
  return scaled(100000, 5000);
}

std::vector<std::pair<Kind, Kind>> kinds_of(Trouble trouble) {
  std::vector<std::pair<Kind, Kind>> all;
  for (const Kind a : kinds(3)) {
    for (const Kind b : kinds(3)) {
      if (a <= b && has_pairs(trouble, a, b)) all.emplace_back(a, b);
    }
  }
  return all;
}

/// Errors by kinds and by text, with the pair of the first two of each.
struct Tally {
  std::size_t pairs = 0, open_in_float = 0, open_in_double = 0, apart = 0, touching = 0;
  std::map<std::string, std::size_t> faults;
  std::map<std::string, std::string> texts;

  void add(const std::string& fault, const std::string& what, const SolidPair<3>& pair) {
    if (++faults[fault] > 2) return;
    texts[fault] +=
        "\n    " + what + "\n      A " + describe(pair.a) + "\n      B " + describe(pair.b);
  }
  std::string text() const {
    std::string all;
    for (const auto& [fault, count] : faults) {
      all += "\n  " + std::to_string(count) + ": " + fault + texts.at(fault);
    }
    return all;
  }
};

template <class T>
struct Answers {
  DistanceBuffer<3, T> rows;
  std::vector<std::uint8_t> meets;
};

template <class T>
void ask(const std::vector<SolidPair<3>>& pairs, Method method, Workspace<3, T>& workspace,
         Answers<T>& answers) {
  const PairScene<3, T> input = shared_scene<T>(pairs);
  CollideOptions options;
  options.method = method;
  options.threads.count = 1;
  distances<3, T>(input.scene, input.pairs, answers.rows, workspace, options);
  answers.meets.resize(pairs.size());
  test_pairs<3, T>(input.scene, input.pairs, answers.meets, workspace, options);
}

void compare(Trouble trouble, Kind a, Kind b, std::size_t count, Method method, Tally& tally) {
  constexpr std::size_t kChunk = 1 << 14;
  const std::string kinds_text = std::string(kind_name(a, 3)) + "-" + std::string(kind_name(b, 3)) +
                                 " by " + name_of_method(method);
  Workspace<3, float> narrow_workspace;
  Workspace<3, double> wide_workspace;
  Answers<float> narrow;
  Answers<double> wide;
  for (std::size_t begin = 0; begin < count; begin += kChunk) {
    const auto pairs = troubled_pairs(trouble, a, b, std::min(kChunk, count - begin), 31 + begin);
    ask(pairs, method, narrow_workspace, narrow);
    ask(pairs, method, wide_workspace, wide);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const double size = static_cast<double>(pair_size(pairs[i].a, pairs[i].b));
      const double distance = wide.rows.distance[i];
      const double off = double{narrow.rows.distance[i]} - distance;
      const auto state = [&] {
        return "in float " + std::to_string(narrow.rows.distance[i] / size) + ", in double " +
               std::to_string(distance / size) + " of the size; status " +
               std::to_string(narrow.rows.status[i]) + ", " + std::to_string(wide.rows.status[i]);
      };
      const auto add = [&](const char* fault, const std::string& what) {
        tally.add(kinds_text + ": " + fault, what, pairs[i]);
      };
      if (!(std::abs(off) <= 1e-5 * size)) add("other distances", state());
      if (narrow.meets[i] != wide.meets[i] && std::abs(distance) > 1e-5 * size) {
        add("yes in one and no in the other", state());
      }
      if (wide.meets[i] != (distance <= 0 ? 1 : 0) && std::abs(distance) > 1e-12 * size) {
        add("in double a pair meets and has a distance, or neither", state());
      }
      const std::string in_float = apart_flaw(pairs[i].a, pairs[i].b, narrow.rows, i);
      if (!in_float.empty()) add("no certificate in float", in_float);
      const std::string in_double = apart_flaw(pairs[i].a, pairs[i].b, wide.rows, i);
      if (!in_double.empty()) add("no certificate in double", in_double);
      tally.open_in_float += narrow.rows.status[i] == 2 ? 1 : 0;
      tally.open_in_double += wide.rows.status[i] == 2 ? 1 : 0;
      tally.apart += distance > 1e-5 * size ? 1 : 0;
      tally.touching += std::abs(distance) < 1e-3 * size ? 1 : 0;
    }
    tally.pairs += pairs.size();
  }
}

/// Tests the certificate itself: a cube of half extent 1 and one that is 0.5 to the right of it.
TEST(apart, a_wrong_distance_normal_or_point_has_no_certificate) {
  const std::vector<SolidPair<3>> pairs{
      {box({0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}), aabb<3>({1.5, -1, -1}, {3.5, 1, 1})}};
  const auto check = [&]<class T>(T) {
    Workspace<3, T> workspace;
    Answers<T> answers;
    ask(pairs, Method::automatic, workspace, answers);
    const DistanceBuffer<3, T>& right = answers.rows;
    const auto flaw = [&](const DistanceBuffer<3, T>& rows) {
      return apart_flaw(pairs[0].a, pairs[0].b, rows, 0);
    };
    EXPECT_EQ(right.distance[0], T(0.5));
    EXPECT_EQ(flaw(right), "");
    const T little = sizeof(T) == 4 ? T(1e-3) : T(1e-10);
    DistanceBuffer<3, T> wrong = right;
    wrong.distance[0] += little;
    EXPECT_NE(flaw(wrong), "");
    wrong = right;
    wrong.normal.set(0, {T(0.8), T(0.6), T(0)});
    EXPECT_NE(flaw(wrong), "");
    // Both points go past the cubes' sides, as far from one another as before.
    wrong = right;
    wrong.point_a.set(0, {right.point_a(0, 0), T(1) + little, T(0)});
    wrong.point_b.set(0, {right.point_b(0, 0), T(1) + little, T(0)});
    EXPECT_NE(flaw(wrong), "");
  };
  check(float{});
  check(double{});
}

class float_against_double : public ::testing::TestWithParam<Trouble> {};

TEST_P(float_against_double, agree) {
  const auto kinds = kinds_of(GetParam());
  std::size_t each = pair_count() / kTroubles.size() / kinds.size();
  // Each of its hulls has its own form, which takes ten times as long to build as to query.
  if (GetParam() == Trouble::lattice) each /= 4;
  Tally tally;
  for (const auto& [a, b] : kinds) {
    for (const Method method : kMethods) {
      // A quarter by gjk_epa.
      const std::size_t count = method == Method::automatic ? each - each / 4 : each / 4;
      compare(GetParam(), a, b, count, method, tally);
    }
  }
  EXPECT_TRUE(tally.faults.empty()) << "of " << tally.pairs << tally.text();
  // Searches that end at their limit: one in ten thousand.
  const std::size_t most = 1 + tally.pairs / 10000;
  EXPECT_LE(tally.open_in_float, most) << "of " << tally.pairs;
  EXPECT_LE(tally.open_in_double, most) << "of " << tally.pairs;
  // The families are what they should be: many apart, many that touch or nearly do.
  EXPECT_GT(tally.apart, tally.pairs / 5);
  EXPECT_LT(tally.apart, tally.pairs - tally.pairs / 10);
  // With a few hundred pairs, the exact number depends on chance.
  EXPECT_GT(tally.touching, tally.pairs / (tally.pairs < 1000 ? 100 : 40));
}

INSTANTIATE_TEST_SUITE_P(families, float_against_double, ::testing::ValuesIn(kTroubles),
                         [](const auto& info) { return name_of(info.param); });

}  // namespace
}  // namespace widephase::test
