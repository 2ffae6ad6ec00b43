// The whole pipeline: bounds, pairs, contacts, from columns in random order to contact arrays.
//
// Names: collide/<scene>/<shapes>/<threads>. `discs` and `mixed2` (circles, turned boxes, polygons
// of 3 to 8 vertices) are in 2D. Counters: ns_shape; to_aim, that over what was aimed at; broad
// (bounds and pairs) and narrow, of the same nanoseconds; pairs and contacts a shape; MB of
// scratch; hash of the contacts. `call` rows are the cost of a call on few pairs or shapes.

#include <benchmark/benchmark.h>

#include <chrono>
#include <string>

#include "pair_sets.hpp"

namespace widephase::bench {
namespace {

/// Nanoseconds a shape.
constexpr Aim kAims[] = {
    {"collide/spheres/1000000/1", 90},
    {"collide/power_law/1000000/1", 60},
    {"collide/discs/1000000/1", 50},
    {"collide/mixed2/1000000/1", 150},
};

using Clock = std::chrono::steady_clock;

template <int D, class T>
void run(benchmark::State& state, const std::string& name, const SceneColumns<D, T>& columns,
         int threads) {
  const SceneSpan<D, T> scene = columns;
  CollideOptions options;
  options.threads.count = threads;
  Workspace<D, T> workspace;
  ContactBuffer<D, T> contacts;
  collide(scene, contacts, workspace, options);  // buffers grow once
  double best = 1e9, bounds = 0, narrow = 0;
  for (auto _ : state) {
    const auto start = Clock::now();
    collide(scene, contacts, workspace, options);
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    if (seconds >= best) continue;
    best = seconds;
    bounds = workspace.stats().broad_seconds;
    narrow = workspace.stats().narrow_seconds;
  }
  const auto n = static_cast<double>(layout_of(scene).shape_count());
  state.counters["ns_shape"] = best / n * 1e9;
  report_aim(state, kAims, name, best / n * 1e9);
  state.counters["broad"] = bounds / n * 1e9;
  state.counters["narrow"] = narrow / n * 1e9;
  state.counters["pairs"] = static_cast<double>(workspace.pairs().size()) / n;
  state.counters["contacts"] = static_cast<double>(contacts.size()) / n;
  state.counters["scratch_MB"] = static_cast<double>(workspace.bytes()) / 1e6;
  char text[20];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash(contacts)));
  state.SetLabel(text);
}

/// W worlds of 256 spheres each, or all of them in one world at the same density.
SceneColumns<3, float> worlds_of_balls(std::int32_t worlds, bool is_apart) {
  const std::size_t each = 256;
  if (!is_apart) return uniform_balls<3, float>(each * static_cast<std::size_t>(worlds));
  SceneColumns<3, float> all;
  for (std::int32_t world = 0; world < worlds; ++world) {
    const auto one = uniform_balls<3, float>(each, static_cast<std::uint64_t>(world) + 1);
    for (std::size_t i = 0; i < each; ++i) {
      all.spheres.center.push_back(one.spheres.center.row(i));
      all.spheres.radius.push_back({one.spheres.radius[i]});
      all.spheres.world.push_back({world});
    }
  }
  return all;
}

void call_pairs(benchmark::State& state) {
  const auto count = static_cast<std::size_t>(state.range(0));
  PairSet<3, float> set = PairSetMaker<3, float>().make(Kind::sphere, Kind::sphere, count);
  const SceneSpan<3, float> scene = set.scene;
  CollideOptions options;
  Workspace<3, float> workspace;
  ContactBuffer<3, float> contacts;
  for (auto _ : state) {
    collide_pairs(scene, set.sorted, contacts, workspace, options);
    benchmark::DoNotOptimize(contacts.depth.plane());
  }
}

void call_scene(benchmark::State& state) {
  const auto columns = uniform_balls<3, float>(static_cast<std::size_t>(state.range(0)));
  const SceneSpan<3, float> scene = columns;
  CollideOptions options;
  Workspace<3, float> workspace;
  ContactBuffer<3, float> contacts;
  for (auto _ : state) {
    collide(scene, contacts, workspace, options);
    benchmark::DoNotOptimize(contacts.depth.plane());
  }
}

template <class Make>
void add(const std::string& name, Make make) {
  for (const int threads : {1, 2}) {
    const std::string row = name + "/" + std::to_string(threads);
    benchmark::RegisterBenchmark(row.c_str(),
                                 [=](benchmark::State& state) { run(state, row, make(), threads); })
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
  }
}

}  // namespace
}  // namespace widephase::bench

int main(int argc, char** argv) {
  using namespace widephase;
  using namespace widephase::bench;
  for (const int pairs : {16, 256, 4096}) {
    benchmark::RegisterBenchmark("call/pairs", call_pairs)->Arg(pairs);
  }
  for (const int shapes : {1, 16, 64, 256, 1024}) {
    benchmark::RegisterBenchmark("call/scene", call_scene)->Arg(shapes);
  }
  for (const std::size_t count : {10'000u, 100'000u, 1'000'000u}) {
    const std::string shapes = "/" + std::to_string(count);
    add("collide/spheres" + shapes, [=] { return uniform_balls<3, float>(count); });
    add("collide/spheres_double" + shapes, [=] { return uniform_balls<3, double>(count); });
    add("collide/power_law" + shapes, [=] { return power_law_balls<3, float>(count); });
    add("collide/discs" + shapes, [=] { return uniform_balls<2, float>(count); });
    add("collide/mixed2" + shapes, [=] { return mixed_shapes<float>(count); });
  }
  for (const std::size_t count : {100'000u, 10'000'000u}) {
    add("collide/spheres_in_spatial_order/" + std::to_string(count), [=] {
      auto scene = uniform_balls<3, float>(count);
      sort_in_space(scene);
      return scene;
    });
  }
  add("collide/4096_worlds_of_256/1048576", [] { return worlds_of_balls(4096, true); });
  add("collide/one_world_of_as_many/1048576", [] { return worlds_of_balls(4096, false); });
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
