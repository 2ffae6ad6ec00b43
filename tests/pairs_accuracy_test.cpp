// Every pair of kinds on every instruction set against the reference: random shapes, and sizes
// mixed over seven decades.

#include <gtest/gtest.h>

#include "support/generate.hpp"
#include "support/pair_kinds.hpp"
#include "support/verify.hpp"

namespace widephase::test {
namespace {

class pairs_accuracy : public ::testing::TestWithParam<PairKindCase> {};

TEST_P(pairs_accuracy, random_shapes) {
  for_each_real(GetParam(), []<int D, class T>(Kind a, Kind b) {
    check_pairs_everywhere<D, T>(random_pairs<D>(a, b, scaled(400, 40), 21), {0, 0.5});
  });
}

TEST_P(pairs_accuracy, sizes_from_a_thousandth_to_ten_thousand) {
  for_each_real(GetParam(), []<int D, class T>(Kind a, Kind b) {
    check_pairs_everywhere<D, T>(sized_pairs<D>(a, b, scaled(400, 40), 22), {0, 0.01});
  });
}

TEST_P(pairs_accuracy, far_from_the_origin) {
  for_each_real(GetParam(), []<int D, class T>(Kind a, Kind b) {
    check_pairs_everywhere<D, T>(far_pairs<D>(random_pairs<D>(a, b, scaled(200, 40), 23), 24),
                                 {0, 0.5});
  });
}

/// Outlines of 3 to 64 corners side by side, most of more than eight: regular and flattened ones,
/// the same twice, turned by whole edges or nearly so, about one centre, touching, apart.
std::vector<SolidPair<2>> pairs_of_many_corners(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  const auto outline = [&] {
    const int corners = random.chance(0.2) ? random.integer(3, 8) : random.integer(9, 64);
    const double size = random.chance(0.5) ? 1 : random.uniform(0.5, 2);
    const std::vector<Point<2>> round = regular(corners, size);
    const double flat = random.chance(0.5) ? 1 : std::pow(10, random.uniform(-2, 0));
    std::vector<Point<2>> vertices;
    for (const Point<2>& v : round) vertices.push_back(scaled_by(v, 1, flat));
    return polygon({0, 0}, random_angle(random), usable(vertices, round),
                   random.chance(0.7) ? 0 : random.uniform(0, 0.5));
  };
  std::vector<SolidPair<2>> pairs;
  for (std::size_t i = 0; i < count; ++i) {
    SolidPair<2> pair{outline(), outline()};
    if (random.chance(0.4)) {
      pair.b = pair.a;
      const auto corners = static_cast<double>(pair.b.vertices.size());
      if (random.chance(0.7)) pair.b.angle += 8 * kEighthTurn * random.integer(0, 63) / corners;
      if (random.chance(0.3)) pair.b.angle += std::pow(10, random.uniform(-16, -1));
    }
    const Point<2> direction = random.chance(0.3) ? Point<2>{1, 0} : random.direction<2>();
    double apart = random.uniform(0, 4);
    if (random.chance(0.4)) apart = random.integer(0, 2);
    if (random.chance(0.1)) apart = std::pow(10, random.uniform(-16, -1));
    pair.b.p = {direction[0] * apart, direction[1] * apart};
    pairs.push_back(pair);
  }
  return pairs;
}

TEST(polygon_polygon, many_corners) {
  check_pairs_everywhere<2, float>(pairs_of_many_corners(scaled(600, 40), 25), {0, 0.5});
  check_pairs_everywhere<2, double>(pairs_of_many_corners(scaled(600, 40), 26), {0, 0.5});
}

INSTANTIATE_TEST_SUITE_P(kinds, pairs_accuracy, ::testing::ValuesIn(all_pair_kinds()), case_name);

}  // namespace
}  // namespace widephase::test
