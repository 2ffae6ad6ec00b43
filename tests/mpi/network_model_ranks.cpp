// The communication of up to 4,096 ranks, played through in one process: who sends how much to whom, and what that takes
// on a network of given latency and bandwidth, against the model of docs/scaling.md.
// Ranks: 1

#include <algorithm>
#include <cmath>
#include <map>

#include "mpi/ranks.hpp"
#include "scenes/random.hpp"

namespace widephase::test {
namespace {

constexpr double kLatency = 2e-6;            // seconds per message
constexpr double kBandwidth = 100e9 / 8;     // bytes per second and rank
constexpr double kRowBytes = 20;             // a sphere in float with its row

struct Played {
  double copies = 0;      ///< per body
  double neighbours = 0;  ///< of the rank that has the most
  double seconds = 0;     ///< of the rank that sends the longest
};

/// `bodies` cubes of side `width`, evenly spread over a cube of `side` bricks per axis, each of side 1.
Played play(int side, int bodies, double width) {
  const std::vector<double> low(3, 0.0), high(3, side);
  const Bricks bricks(3, low, high, std::vector<int>(3, side));
  std::map<std::pair<int, int>, int> sent;  // rows by sender and receiver
  scenes::Random random(11);
  std::vector<int> ranks;
  Played played;
  for (int i = 0; i < bodies; ++i) {
    const std::array<double, 3> center = random.point<3>(0, side);
    std::array<double, 3> min, max;
    for (std::size_t k = 0; k < 3; ++k) {
      min[k] = center[k] - width / 2;
      max[k] = center[k] + width / 2;
    }
    const int owner = bricks.owner_of(center.data());
    bricks.ranks_of(min.data(), max.data(), ranks);
    for (const int rank : ranks) {
      if (rank == owner) continue;
      ++sent[{owner, rank}];
      played.copies += 1.0 / bodies;
    }
  }
  std::map<int, std::pair<int, double>> of_rank;  // messages, rows
  for (const auto& [way, rows] : sent) {
    of_rank[way.first].first += 1;
    of_rank[way.first].second += rows;
  }
  for (const auto& [rank, load] : of_rank) {
    played.neighbours = std::max(played.neighbours, static_cast<double>(load.first));
    played.seconds = std::max(
        played.seconds, load.first * kLatency + load.second * kRowBytes / kBandwidth);
  }
  return played;
}

TEST(network_model, copies_are_those_of_boxes_that_reach_over_the_sides_of_bricks) {
  // A cube of width w lies in 1 + w bricks along an axis on average, but beyond the outermost sides there are none:
  // 1 + w (m - 1) / m of m bricks.
  for (const int side : {2, 4, 16}) {
    const int bodies = std::max(20000, 30 * side * side * side);
    for (const double width : {0.05, 0.3}) {
      const Played played = play(side, bodies, width);
      const double along = 1 + width * (side - 1) / side;
      const double model = along * along * along - 1;
      EXPECT_NEAR(played.copies, model, 0.06 * model) << side << " bricks per axis, width " << width;
    }
  }
}

TEST(network_model, a_step_of_4096_ranks_waits_for_26_neighbours_at_most) {
  // The 18 bricks beyond sides and edges get some of 30 bodies; few bodies lie at a corner.
  const Played played = play(16, 30 * 4096, 0.3);
  EXPECT_GE(played.neighbours, 18);
  EXPECT_LE(played.neighbours, 26);
  // With so few bodies the latencies of the messages are nearly all.
  EXPECT_GE(played.seconds, 18 * kLatency);
  EXPECT_LE(played.seconds, 26 * kLatency + 200 * kRowBytes / kBandwidth);
}

}  // namespace
}  // namespace widephase::test
