// Times of impact of random pairs, one thread, float, with rotation: B comes from 3.5 away and goes
// 6 far past where A is, where sizes are about 1; both turn by up to about 40 degrees. The margin
// is 0.005 and the tolerance a quarter of it, as Box2D has them.
//
// Names: impact/<dimension>d/<kinds>. Counters, of the thread's CPU time: ns_pair, with normals and
// all else; met, their share; bound, answers where a limit was met. Beside a peer: peer_ns, ratio,
// and of the answers peer_missed (it says never where we say when) and we_missed. The label is a
// hash of our answers.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "impact_peers.hpp"
#include "pair_sets.hpp"

namespace widephase::bench {
namespace {

constexpr std::size_t kPairs = 16384;
constexpr double kMargin = 0.005;

/// Places body `i`, an even one where A is and an odd one on its course, at any orientation.
template <int D>
void add_body(Moving<D>& moving, std::size_t i, Random& random) {
  std::array<float, D> start, end;
  const std::array<double, D> along = direction_of<D>(random);
  for (std::size_t k = 0; k < D; ++k) {
    const double from = i % 2 == 0 ? 0 : random.uniform(-1, 1) - 3.5 * along[k];
    start[k] = static_cast<float>(from);
    end[k] = static_cast<float>(from + (i % 2 == 0 ? random.uniform(-0.3, 0.3) : 6 * along[k]));
  }
  moving.scene.bodies.position.push_back(start);
  moving.position_end.push_back(end);
  if constexpr (D == 2) {
    const double angle = random.uniform(-3, 3);
    moving.scene.bodies.turn.push_back(static_cast<float>(angle));
    moving.turn_end.push_back(static_cast<float>(angle + random.uniform(-0.7, 0.7)));
  } else {
    std::array<double, 4> q;
    for (double& x : q) x = random.uniform(-1, 1);
    std::array<double, 4> by{random.uniform(-0.4, 0.4), random.uniform(-0.4, 0.4),
                             random.uniform(-0.4, 0.4), 1};
    std::array<double, 4> turned{by[3] * q[0] + by[0] * q[3] + by[1] * q[2] - by[2] * q[1],
                                 by[3] * q[1] - by[0] * q[2] + by[1] * q[3] + by[2] * q[0],
                                 by[3] * q[2] + by[0] * q[1] - by[1] * q[0] + by[2] * q[3],
                                 by[3] * q[3] - by[0] * q[0] - by[1] * q[1] - by[2] * q[2]};
    const auto unit = [](const std::array<double, 4>& from) {
      double square = 0;
      for (const double x : from) square += x * x;
      std::array<float, 4> to;
      for (std::size_t w = 0; w < 4; ++w) to[w] = static_cast<float>(from[w] / std::sqrt(square));
      return to;
    };
    moving.scene.bodies.turn.push_back(unit(q));
    moving.turn_end.push_back(unit(turned));
  }
}

/// Polygons of 3 to 8 vertices on ellipses.
Moving<2> polygons_of(std::size_t pairs) {
  Moving<2> moving;
  Random random(11);
  auto& sets = moving.scene.geometries;
  sets.offsets.push_back(0);
  for (std::size_t i = 0; i < 2 * pairs; ++i) {
    const int corners = 3 + static_cast<int>(random.uniform(0, 5.999));
    const double wide = random.uniform(0.3, 0.9), high = random.uniform(0.3, 0.9);
    for (int v = 0; v < corners; ++v) {
      const double angle = 2 * std::numbers::pi * (v + random.uniform(-0.3, 0.3)) / corners;
      sets.vertices.push_back(
          {static_cast<float>(wide * std::cos(angle)), static_cast<float>(high * std::sin(angle))});
    }
    sets.offsets.push_back(static_cast<std::int64_t>(sets.vertices.size()));
    auto& table = moving.scene.polygons;
    table.center.push_back({0, 0});
    table.turn.push_back(0);
    table.geometry.push_back(static_cast<std::int32_t>(i));
    table.body.push_back(static_cast<std::int32_t>(i));
    add_body<2>(moving, i, random);
  }
  return moving;
}

Moving<3> boxes_of(std::size_t pairs) {
  Moving<3> moving;
  Random random(11);
  const auto half = [&] { return static_cast<float>(random.uniform(0.3, 0.9)); };
  for (std::size_t i = 0; i < 2 * pairs; ++i) {
    auto& table = moving.scene.boxes;
    table.center.push_back({0, 0, 0});
    table.turn.push_back({0, 0, 0, 1});
    table.half_extents.push_back({half(), half(), half()});
    table.body.push_back(static_cast<std::int32_t>(i));
    add_body<3>(moving, i, random);
  }
  return moving;
}

/// The least time of some calls.
template <class Call>
double least_seconds(int calls, const Call& call) {
  double best = 1e9;
  for (int i = 0; i < calls; ++i) {
    const double start = thread_seconds();
    call();
    best = std::min(best, thread_seconds() - start);
  }
  return best;
}

/// `run_peer(times)` leaves them empty if there is none.
template <int D, class RunPeer>
void run(benchmark::State& state, const Moving<D>& moving, const RunPeer& run_peer) {
  Motion<D, float> motion;
  motion.position_end = moving.position_end;
  if constexpr (D == 2) {
    motion.angle_end = moving.turn_end;
  } else {
    motion.orientation_end = moving.turn_end;
  }
  const std::size_t count = moving.position_end.size() / 2;
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < count; ++i) {
    const auto a = static_cast<std::int32_t>(2 * i);
    pairs.push_back({a, a + 1});
  }
  Workspace<D, float> workspace;
  ImpactHits<D, float> hits;
  ShapeCastOptions options;
  options.threads.count = 1;
  options.margin = kMargin;
  options.tolerance = kMargin / 4;
  const auto call = [&] {
    time_of_impact<D, float>(moving.scene, motion, pairs, hits, workspace, options);
  };
  call();
  double seconds = 1e9;
  for (auto _ : state) seconds = std::min(seconds, least_seconds(1, call));
  double met = 0, bound = 0;
  for (std::size_t i = 0; i < count; ++i) {
    met += hits.pair[i].a >= 0 ? 1 : 0;
    bound += hits.status[i] == static_cast<std::uint8_t>(CastStatus::bound) ? 1 : 0;
  }
  const double ns = seconds / static_cast<double>(count) * 1e9;
  state.counters["ns_pair"] = ns;
  state.counters["met"] = met / static_cast<double>(count);
  state.counters["bound"] = bound;
  PeerTimes times;
  const double of_peer = least_seconds(2, [&] { run_peer(times); });
  if (!times.empty()) {
    double peer_missed = 0, we_missed = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const bool is_met = hits.pair[i].a >= 0;
      peer_missed += is_met && !times.is_met[i] ? 1 : 0;
      we_missed += !is_met && times.is_met[i] ? 1 : 0;
    }
    state.counters["peer_ns"] = of_peer / static_cast<double>(count) * 1e9;
    state.counters["ratio"] = of_peer / seconds;
    state.counters["peer_missed"] = peer_missed;
    state.counters["we_missed"] = we_missed;
  }
  char text[20];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash(hits)));
  state.SetLabel(text);
}

}  // namespace
}  // namespace widephase::bench

int main(int argc, char** argv) {
  using namespace widephase::bench;
  benchmark::RegisterBenchmark("impact/2d/polygon_polygon", [](benchmark::State& state) {
    const Moving<2> moving = polygons_of(kPairs);
    run<2>(state, moving, [&]([[maybe_unused]] PeerTimes& times) {
#ifdef WIDEPHASE_BOX2D
      static Box2dImpacts peer(moving);
      peer.run(times);
#endif
    });
  })->Iterations(3);
  benchmark::RegisterBenchmark("impact/3d/box_box", [](benchmark::State& state) {
    const Moving<3> moving = boxes_of(kPairs);
    run<3>(state, moving, [&]([[maybe_unused]] PeerTimes& times) {
#ifdef WIDEPHASE_BULLET
      static BulletImpacts peer(moving);
      peer.run(times, kMargin);
#endif
    });
  })->Iterations(3);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
