// widephase's broad phase against those of Bullet, CGAL, Embree and FCL, each if it was found: all
// overlapping pairs of boxes in random order, from scratch, on one thread.
//
// Names: broad/<scene>/<who>/<boxes>. Counters: ns_box; pairs per box; to_widephase, the time over
// ours if our row ran before; differ, the number of pairs that only one of the two found. FCL's
// boxes are made from a centre and half extents, so they may differ by a rounding.
//
// Time: the fastest of at least 3 passes (2 for 10^6 boxes), for 0.3 s or more, after one that is
// not timed. From scratch: a pass reuses nothing of the previous one except buffers.

#include <benchmark/benchmark.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <limits>
#include <map>

#include "load_peers.hpp"
#include "peers_broad.hpp"
#include "scenes.hpp"

namespace widephase::bench {
namespace {

/// Valid until the next scene is requested.
const BoundsBuffer<3, float>& boxes_of(const std::string& scene, std::size_t count) {
  static std::pair<std::string, std::size_t> made;
  static BoundsBuffer<3, float> boxes;
  if (made != std::pair(scene, count)) {
    const auto columns = generate<3, float>(scene, {count});
    Workspace<3, float> workspace;
    update_bounds<3, float>(columns, workspace);
    boxes = workspace.bounds();
    made = {scene, count};
  }
  return boxes;
}

class Ours : public BroadPeer {
 public:
  explicit Ours(const BoundsBuffer<3, float>& boxes) : boxes_(boxes) { options_.threads.count = 1; }
  std::span<const Pair> find() override {
    find_pairs<3, float>(boxes_, {}, {}, pairs_, workspace_, options_);
    return {pairs_.plane(), pairs_.size()};
  }

 private:
  const BoundsBuffer<3, float>& boxes_;
  PairOptions options_;
  Column<Pair> pairs_;
  PairWorkspace<3, float> workspace_;
};

struct Found {
  std::vector<Pair> pairs;  ///< sorted, each with the lower id first
  double ns_box;
};

void sort_pairs(std::vector<Pair>& pairs) {
  for (Pair& pair : pairs) {
    if (pair.a > pair.b) std::swap(pair.a, pair.b);
  }
  std::sort(pairs.begin(), pairs.end(),
            [](Pair x, Pair y) { return x.a != y.a ? x.a < y.a : x.b < y.b; });
}

/// The seconds of the fastest pass; `found` gets the pairs of the last one.
double best_of(BroadPeer& peer, int least_passes, std::span<const Pair>& found) {
  peer.find();
  double best = std::numeric_limits<double>::infinity(), all = 0;
  for (int i = 0; i < least_passes || all < 0.3; ++i) {
    const auto start = std::chrono::steady_clock::now();
    found = peer.find();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    best = std::min(best, taken.count());
    all += taken.count();
  }
  return best;
}

void run(benchmark::State& state, const std::string& scene, std::size_t count,
         const BroadPeerMaker& maker) {
  static std::map<std::string, Found> ours;
  const std::string key = scene + std::to_string(count);
  const BoundsBuffer<3, float>& boxes = boxes_of(scene, count);
  const std::unique_ptr<BroadPeer> peer = maker.make(boxes);
  std::span<const Pair> found;
  double best = 0;
  for (auto _ : state) best = best_of(*peer, count > 100'000 ? 2 : 3, found);
  std::vector<Pair> pairs(found.begin(), found.end());
  const double ns_box = best * 1e9 / static_cast<double>(count);
  state.counters["ns_box"] = ns_box;
  state.counters["pairs"] = static_cast<double>(pairs.size()) / static_cast<double>(count);
  sort_pairs(pairs);
  if (maker.who == "widephase") {
    ours[key] = {std::move(pairs), ns_box};
    return;
  }
  const auto known = ours.find(key);
  if (known == ours.end()) return;
  state.counters["to_widephase"] = ns_box / known->second.ns_box;
  std::vector<Pair> differing;
  std::set_symmetric_difference(pairs.begin(), pairs.end(), known->second.pairs.begin(),
                                known->second.pairs.end(), std::back_inserter(differing),
                                [](Pair x, Pair y) { return x.a != y.a ? x.a < y.a : x.b < y.b; });
  state.counters["differ"] = static_cast<double>(differing.size());
}

}  // namespace
}  // namespace widephase::bench

int main(int argc, char** argv) {
  using namespace widephase::bench;
  // Otherwise Embree builds trees and collides on all threads.
  const tbb::global_control one_thread(tbb::global_control::max_allowed_parallelism, 1);
  std::vector<BroadPeerMaker> makers =
      joined(load_peers<BroadPeers>(WIDEPHASE_PEERS_BROAD), &BroadPeers::makers);
  makers.insert(makers.begin(), {"widephase", make_broad<Ours>});
  for (const char* scene : {"uniform", "power_law", "outliers", "plates", "sticks"}) {
    for (const std::size_t count : {10'000u, 100'000u, 1'000'000u}) {
      // Peers need minutes for these scenes.
      const bool is_long = std::string(scene) == "plates" || std::string(scene) == "sticks";
      if (is_long && count > 100'000) continue;
      for (const BroadPeerMaker& maker : makers) {
        const std::string row =
            std::string("broad/") + scene + "/" + maker.who + "/" + std::to_string(count);
        benchmark::RegisterBenchmark(
            row.c_str(), [=](benchmark::State& state) { run(state, scene, count, maker); })
            ->Iterations(1)
            ->Unit(benchmark::kMillisecond)
            ->UseRealTime();
      }
    }
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
