// The cost model of docs/scaling.md against measurements: the whole pipeline on one thread, from
// 10^4 to 10^7 bodies.
//
// Names: scaling/<scene>/<bodies>. Counters in nanoseconds per body: measured; predicted; and the
// parts of the prediction. Its parts are instructions (the cost of a body with as many pairs among
// 4,096 bodies, where all data is in the core's own caches), streams and rows (what memory adds).
// error is predicted over measured, minus 1. bytes is what a body streams.
// machine/<bodies>: what the prediction knows about memory, for the footprint of so many bodies.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "scenes.hpp"
#include "soa/large_pages.hpp"

namespace widephase::bench {
namespace {

using Clock = std::chrono::steady_clock;

/// The seconds of the fastest of several passes.
template <class Pass>
double best_of(const Pass& pass) {
  double best = std::numeric_limits<double>::infinity(), all = 0;
  for (int i = 0; i < 5 || (all < 0.2 && i < 1000); ++i) {
    const auto start = Clock::now();
    pass();
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    best = std::min(best, seconds);
    all += seconds;
  }
  return best;
}

constexpr std::size_t kInCore = 4096;

/// The approximate bytes of workspace and contacts per body, without the rows.
constexpr std::size_t kStreamed = 208;
/// The words of one box on its way into the tree.
constexpr std::size_t kRowWords = 4;
constexpr std::size_t kColumns = 16;

/// The cost of memory for the footprint of so many bodies.
struct Memory {
  double ns_a_byte;    ///< per byte read or written in order
  double ns_a_spread;  ///< per byte written to sixteen arrays at once, like contacts
  double ns_a_row;     ///< per row of 32 bytes, read at random
};

/// The measurements alternate, like the passes of a step, so that each finds in the caches what the
/// others left there.
Memory measure_memory(std::size_t bodies) {
  const std::size_t words = bodies * kStreamed / 2 / sizeof(std::uint64_t);
  Column<std::uint64_t> from, to, rows;
  resize_scratch(from, words);
  resize_scratch(to, words);
  resize_scratch(rows, bodies * kRowWords);
  std::fill_n(from.plane(), from.size(), std::uint64_t{1});
  std::fill_n(rows.plane(), rows.size(), std::uint64_t{1});
  std::vector<std::uint32_t> order(bodies);
  Random random(5);
  for (std::size_t i = 0; i < bodies; ++i) {
    const auto j = static_cast<std::size_t>(random.uniform(0, static_cast<double>(i + 1)));
    order[i] = order[j];
    order[j] = static_cast<std::uint32_t>(i);
  }
  const auto copy = [&] {
    const std::uint64_t* const in = from.plane();
    std::uint64_t* const out = to.plane();
    // Not a plain copy, because that of the C library bypasses the caches.
    for (std::size_t i = 0; i < words; ++i) out[i] = in[i] + 1;
    benchmark::ClobberMemory();
  };
  const std::size_t column = to.size() / kColumns / 16 * 16;
  const auto spread = [&] {
    std::uint64_t* const out = to.plane();
    for (std::size_t i = 0; i < column; i += 8) {
      for (std::size_t k = 0; k < kColumns; ++k) {
        std::fill_n(out + k * column + i, 8, static_cast<std::uint64_t>(i));
      }
    }
    benchmark::ClobberMemory();
  };
  const auto gather = [&] {
    std::uint64_t sum[kRowWords] = {};
    for (const std::uint32_t place : order) {
      for (std::size_t k = 0; k < kRowWords; ++k) sum[k] += rows[place * kRowWords + k];
    }
    benchmark::DoNotOptimize(sum);
  };
  const auto seconds_of = [](const auto& pass) {
    const auto start = Clock::now();
    pass();
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  Memory least{1e9, 1e9, 1e9};
  const auto stream_bytes = static_cast<double>(2 * words * sizeof(std::uint64_t));
  const auto spread_bytes = static_cast<double>(kColumns * column * sizeof(std::uint64_t));
  double all = 0;
  for (int i = 0; i < 5 || all < 0.3; ++i) {
    const double copying = seconds_of(copy);
    const double gathering = seconds_of(gather);
    const double spreading = seconds_of(spread);
    least.ns_a_byte = std::min(least.ns_a_byte, copying * 1e9 / stream_bytes);
    least.ns_a_row = std::min(least.ns_a_row, gathering * 1e9 / static_cast<double>(bodies));
    least.ns_a_spread = std::min(least.ns_a_spread, spreading * 1e9 / spread_bytes);
    all += copying + gathering + spreading;
  }
  return least;
}

const Memory& memory_of(std::size_t bodies) {
  static std::map<std::size_t, Memory> known;
  const auto [place, is_new] = known.try_emplace(bodies);
  if (is_new) place->second = measure_memory(bodies);
  return place->second;
}

/// A scene with the bytes that its bodies move through memory, by the layouts of docs/memory.md.
struct Model {
  const char* scene;
  double column_bytes;  ///< of the scene, per body
  double packed_bytes;  ///< of the packed row, per body
};
constexpr Model kModels[] = {{"uniform", 16, 16}, {"power_law", 16, 16}, {"stack", 40, 64}};

/// Bounds are written and read twice, and become rows and records. Records are counted, sorted in
/// three passes, scanned, and gathered into tiles.
constexpr double kTreeBytes = 24 + 2 * 24 + (32 + 8) + 8 + 3 * 16 + 8 + (8 + 28);
/// Written once and read once.
constexpr double kPairBytes = 16;
constexpr double kContactBytes = 41, kPointBytes = 20;

struct Step {
  double ns = 0;  ///< per body
  double pairs = 0, contacts = 0, points = 0;
};

/// One thread's `collide` of several scenes in turn, with the seeds 1, 2, ...
Step measure(const char* name, std::size_t bodies, std::size_t scene_count) {
  std::vector<SceneColumns<3, float>> scenes;
  for (std::uint64_t seed = 1; seed <= scene_count; ++seed) {
    scenes.push_back(generate<3, float>(name, {bodies, seed}));
  }
  CollideOptions options;
  options.threads.count = 1;
  Workspace<3, float> workspace;
  ContactBuffer<3, float> contacts;
  Step step;
  const auto collide_all = [&] {
    for (const SceneSpan<3, float> scene : scenes) collide(scene, contacts, workspace, options);
  };
  collide_all();  // buffers grow once
  const double scale = 1 / static_cast<double>(bodies * scene_count);
  step.ns = best_of(collide_all) * 1e9 * scale;
  for (const SceneSpan<3, float> scene : scenes) {
    collide(scene, contacts, workspace, options);
    step.pairs += static_cast<double>(workspace.stats().pairs) * scale;
    step.contacts += static_cast<double>(contacts.size()) * scale;
    step.points += static_cast<double>(contacts.point_count()) * scale;
  }
  return step;
}

const Step& in_core(const char* name) {
  static std::map<std::string, Step> known;
  const auto [place, is_new] = known.try_emplace(name);
  if (is_new) place->second = measure(name, kInCore, 16);
  return place->second;
}

/// The cost of a pair of spheres in the caches, without its bodies, from two scenes with many and
/// with few pairs.
double a_pair() {
  const Step &many = in_core("uniform"), &few = in_core("power_law");
  return (many.ns - few.ns) / (many.pairs - few.pairs);
}

void compare(benchmark::State& state, const Model& model, std::size_t bodies) {
  const Step& small = in_core(model.scene);
  const Memory& near = memory_of(kInCore);
  const Memory& far = memory_of(bodies);
  Step large;
  for (auto _ : state) large = measure(model.scene, bodies, bodies < 100'000 ? 8 : 1);
  const double bytes =
      model.column_bytes + model.packed_bytes + kTreeBytes + kPairBytes * large.pairs;
  const double contact_bytes = kContactBytes * large.contacts + kPointBytes * large.points;
  // One row per body to gather its tile. Per pair, one of its two packed rows is in the cache
  // already.
  const double rows = 1 + large.pairs;
  const double instructions = small.ns + a_pair() * (large.pairs - small.pairs);
  const double streams = bytes * (far.ns_a_byte - near.ns_a_byte) +
                         contact_bytes * (far.ns_a_spread - near.ns_a_spread);
  const double fetches = rows * (far.ns_a_row - near.ns_a_row);
  const double predicted = instructions + streams + fetches;
  state.counters["measured"] = large.ns;
  state.counters["predicted"] = predicted;
  state.counters["instructions"] = instructions;
  state.counters["streams"] = streams;
  state.counters["rows"] = fetches;
  state.counters["error"] = predicted / large.ns - 1;
  state.counters["pairs"] = large.pairs;
  state.counters["bytes"] = bytes + contact_bytes;
}

void tell_memory(benchmark::State& state, std::size_t bodies) {
  for (auto _ : state) benchmark::DoNotOptimize(memory_of(bodies));
  state.counters["ns_a_byte"] = memory_of(bodies).ns_a_byte;
  state.counters["ns_a_spread"] = memory_of(bodies).ns_a_spread;
  state.counters["ns_a_row"] = memory_of(bodies).ns_a_row;
}

}  // namespace
}  // namespace widephase::bench

int main(int argc, char** argv) {
  using namespace widephase::bench;
  constexpr std::size_t kCounts[] = {10'000, 100'000, 1'000'000, 10'000'000};
  benchmark::RegisterBenchmark("machine/4096", tell_memory, kInCore)->Iterations(1);
  for (const std::size_t bodies : kCounts) {
    benchmark::RegisterBenchmark(("machine/" + std::to_string(bodies)).c_str(), tell_memory, bodies)
        ->Iterations(1);
  }
  for (const Model& model : kModels) {
    for (const std::size_t bodies : kCounts) {
      const std::string row = std::string("scaling/") + model.scene + "/" + std::to_string(bodies);
      benchmark::RegisterBenchmark(row.c_str(), compare, model, bodies)
          ->Iterations(1)
          ->Unit(benchmark::kMillisecond);
    }
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
