// The convex hulls of a game, placed at random, against the reference.
// Labels: real-data many long own-sets

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "support/data_path.hpp"
#include "support/generate.hpp"
#include "support/hull_clouds.hpp"
#include "support/verify.hpp"

namespace widephase::test {
namespace {

/// Vertices relative to the centre of their bounds; empty for a flat cloud.
std::vector<Point<3>> centred(const Vertices3& cloud) {
  std::vector<Point<3>> points;
  Point<3> low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
  for (const Vertex3& v : cloud) {
    points.push_back({v[0], v[1], v[2]});
    for (int k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], points.back()[k]);
      high[k] = std::max(high[k], points.back()[k]);
    }
  }
  Point<3> back;
  for (int k = 0; k < 3; ++k) back[k] = -(low[k] + high[k]) / 2;
  return usable(shifted_by(points, back), {});
}

std::vector<SolidPair<3>> placed_clouds(const std::vector<Vertices3>& clouds, std::size_t count,
                                        Random& random) {
  const auto any = [&] {
    for (;;) {
      const auto last = static_cast<int>(clouds.size()) - 1;
      const auto vertices = centred(clouds[static_cast<std::size_t>(random.integer(0, last))]);
      if (vertices.empty()) continue;
      return hull({0, 0, 0}, random_orientation(random), vertices);
    }
  };
  std::vector<SolidPair<3>> pairs;
  for (std::size_t i = 0; i < count; ++i) {
    SolidPair<3> pair{any(), any()};
    const double reach = static_cast<double>(core_reach(pair.a) + core_reach(pair.b));
    const Point<3> direction = random.direction<3>();
    // From concentric to just apart.
    const double apart = reach * random.uniform(0, 1);
    for (int k = 0; k < 3; ++k) pair.b.p[k] = apart * direction[k];
    if (random.chance(0.2)) pair.b.size = 0.05 * reach;
    pairs.push_back(pair);
  }
  return pairs;
}

TEST(hulls_data, placed_clouds_collide_as_the_reference_says) {
  const auto path = data_path("hulls/convex_hulls.bin");
  if (!path) GTEST_SKIP() << "no data: WIDEPHASE_DATA is not set and ../shared/data is not there";
  const std::vector<Vertices3> clouds = read_clouds(*path);
  ASSERT_EQ(clouds.size(), 3378u);
  Random random(1);
  // A tenth of the pairs that preset `many` uses for other kinds.
  const char* many = std::getenv("WIDEPHASE_MANY_PAIRS");
  const std::size_t asked =
      many == nullptr ? 0 : static_cast<std::size_t>(std::max(std::atoll(many), 0LL)) / 10;
  std::size_t left = asked > 0 ? asked : scaled(3000, 100);
  for (bool is_first = true; left > 0; is_first = false) {
    const auto pairs = placed_clouds(clouds, std::min<std::size_t>(left, 3000), random);
    left -= pairs.size();
    std::size_t overlap_count = 0;
    const std::size_t sample = is_first ? std::min(scaled(200, 50), pairs.size()) : 0;
    for (std::size_t i = 0; i < sample; ++i) {
      overlap_count += reference_of(pairs[i].a, pairs[i].b).depth > 0 ? 1 : 0;
    }
    if (is_first) {
      EXPECT_GT(overlap_count, sample / 5);
      EXPECT_LT(overlap_count, sample * 4 / 5);
    }
    check_pairs_everywhere<3, float>(pairs, {0, 0.01});
    check_pairs_everywhere<3, double>(pairs, {0, 0.01});
  }
}

}  // namespace
}  // namespace widephase::test
