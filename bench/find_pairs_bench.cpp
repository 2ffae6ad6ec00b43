// The broad phase, time a box from unordered boxes to pair arrays.
//
// Arguments: boxes, threads (0: all of the arena). Names: find_pairs<dimension, real>/scene.
// `hash` is of the pairs in their order: a faster run with another hash found other pairs.

#include <benchmark/benchmark.h>

#include <cmath>
#include <vector>

#include "scenes.hpp"

namespace widephase::bench {
namespace {

template <int D, class T>
struct Boxes {
  BoundsBuffer<D, T> bounds;
  std::vector<std::int32_t> world;

  explicit Boxes(std::size_t count) {
    bounds.min.resize(count);
    bounds.max.resize(count);
  }
  void set(std::size_t i, const double (&centre)[D], const double (&half)[D]) {
    for (int d = 0; d < D; ++d) {
      bounds.min(i, d) = static_cast<T>(centre[d] - half[d]);
      bounds.max(i, d) = static_cast<T>(centre[d] + half[d]);
    }
  }
};

template <int D>
void place(Random& random, double side, double (&centre)[D]) {
  for (double& x : centre) x = random.uniform(0, side);
}
template <int D>
void fill(double value, double (&half)[D]) {
  for (double& x : half) x = value;
}

/// Radii uniform in [0.3, 1], about 2 pairs a box: 4 neighbours each.
template <int D, class T>
Boxes<D, T> uniform(std::size_t count) {
  Random random(1);
  const double side = uniform_side<D>(count);
  Boxes<D, T> boxes(count);
  double centre[D];
  double half[D];
  for (std::size_t i = 0; i < count; ++i) {
    place(random, side, centre);
    fill(random.uniform(0.3, 1), half);
    boxes.set(i, centre, half);
  }
  return boxes;
}

/// Sizes of a power law over 1:1000, about 0.4 pairs a box.
template <int D, class T>
Boxes<D, T> power_law(std::size_t count) {
  Random random(2);
  const double side = (D == 3 ? 0.47 : 0.85) * std::pow(static_cast<double>(count), 1.0 / D);
  Boxes<D, T> boxes(count);
  double centre[D];
  double half[D];
  for (std::size_t i = 0; i < count; ++i) {
    place(random, side, centre);
    // Density of sizes ~ r^-(D + 1): as much volume in every octave.
    const double u = random.uniform(0, 1);
    const double least = std::pow(1000.0, -D);
    const double r = 0.05 * std::pow(1 - u * (1 - least), -1.0 / D);
    fill(r, half);
    boxes.set(i, centre, half);
  }
  return boxes;
}

/// A hundred normal clusters, as dense as the uniform scene on the whole.
template <int D, class T>
Boxes<D, T> clustered(std::size_t count) {
  Random random(3);
  const double side = 4 * std::pow(static_cast<double>(count), 1.0 / D);
  Boxes<D, T> boxes(count);
  double centres[100][D];
  for (auto& centre : centres) place(random, side, centre);
  double centre[D];
  double half[D];
  for (std::size_t i = 0; i < count; ++i) {
    const auto& middle = centres[random.below(100)];
    for (int d = 0; d < D; ++d) centre[d] = middle[d] + side / 12 * random.normal();
    fill(random.uniform(0.3, 1), half);
    boxes.set(i, centre, half);
  }
  return boxes;
}

/// 30:1 along one of the axes, about 11 pairs each in 3D.
template <int D, class T>
Boxes<D, T> sticks(std::size_t count) {
  Random random(4);
  const double side = (D == 3 ? 3.4 : 12.0) * std::pow(static_cast<double>(count), 1.0 / D);
  Boxes<D, T> boxes(count);
  double centre[D];
  double half[D];
  for (std::size_t i = 0; i < count; ++i) {
    place(random, side, centre);
    fill(0.5, half);
    half[random.below(D)] = 15;
    boxes.set(i, centre, half);
  }
  return boxes;
}

template <int D, class T>
Boxes<D, T> plates(std::size_t count) {
  Random random(5);
  const double side = 5.5 * std::pow(static_cast<double>(count), 1.0 / D);
  Boxes<D, T> boxes(count);
  double centre[D];
  double half[D];
  for (std::size_t i = 0; i < count; ++i) {
    place(random, side, centre);
    fill(5, half);
    half[random.below(D)] = 0.5;
    boxes.set(i, centre, half);
  }
  return boxes;
}

template <int D, class T>
Boxes<D, T> two_outliers(std::size_t count) {
  Boxes<D, T> boxes = uniform<D, T>(count);
  double half[D];
  double centre[D];
  fill(1.0, half);
  fill(1e7, centre);
  boxes.set(count / 3, centre, half);
  fill(-1e7, centre);
  boxes.set(count / 2, centre, half);
  return boxes;
}

/// Worlds of 256 uniform boxes, one after another.
template <int D, class T>
Boxes<D, T> worlds(std::size_t count) {
  Boxes<D, T> boxes(count);
  const Boxes<D, T> one = uniform<D, T>(256);
  Random random(6);
  double centre[D];
  double half[D];
  const double side = uniform_side<D>(256);
  for (std::size_t i = 0; i < count; ++i) {
    place(random, side, centre);
    fill(random.uniform(0.3, 1), half);
    boxes.set(i, centre, half);
    boxes.world.push_back(static_cast<std::int32_t>(i / 256));
  }
  return boxes;
}

std::uint64_t hash_of(const Column<Pair>& pairs) {
  std::uint64_t hash = 0xCBF29CE484222325u;
  for (const Pair& pair : pairs) {
    hash = (hash ^ static_cast<std::uint32_t>(pair.a)) * 0x100000001B3u;
    hash = (hash ^ static_cast<std::uint32_t>(pair.b)) * 0x100000001B3u;
  }
  return hash;
}

template <int D, class T, Boxes<D, T> (*kMake)(std::size_t)>
void find_pairs_in(benchmark::State& state) {
  const auto count = static_cast<std::size_t>(state.range(0));
  const Boxes<D, T> boxes = kMake(count);
  FilterSpan filters;
  filters.world = boxes.world;
  PairOptions options;
  options.threads.count = static_cast<int>(state.range(1));
  Column<Pair> pairs;
  PairWorkspace<D, T> workspace;
  find_pairs<D, T>(boxes.bounds, filters, {}, pairs, workspace, options);
  for (auto _ : state) {
    find_pairs<D, T>(boxes.bounds, filters, {}, pairs, workspace, options);
    benchmark::DoNotOptimize(pairs.plane());
  }
  const double boxes_done = static_cast<double>(count) * static_cast<double>(state.iterations());
  state.counters["time_a_box"] =
      benchmark::Counter(boxes_done, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.counters["pairs_a_box"] = static_cast<double>(pairs.size()) / static_cast<double>(count);
  state.counters["bytes_a_box"] =
      static_cast<double>(workspace.bytes()) / static_cast<double>(count);
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash_of(pairs)));
  state.SetLabel(text);
}

#define WIDEPHASE_BENCH(D, T, scene)                    \
  BENCHMARK(find_pairs_in<D, T, scene<D, T>>)           \
      ->Name("find_pairs<" #D ", " #T ">/" #scene)      \
      ->ArgsProduct({{10000, 100000, 1000000}, {1, 2}}) \
      ->UseRealTime()                                   \
      ->Unit(benchmark::kMicrosecond)

WIDEPHASE_BENCH(3, float, uniform)->Args({64, 1})->Args({10000000, 1});
WIDEPHASE_BENCH(3, float, power_law);
WIDEPHASE_BENCH(3, float, clustered);
WIDEPHASE_BENCH(3, float, sticks);
WIDEPHASE_BENCH(3, float, plates);
WIDEPHASE_BENCH(3, float, two_outliers);
WIDEPHASE_BENCH(2, float, uniform)->Args({64, 1});
WIDEPHASE_BENCH(2, float, power_law);
WIDEPHASE_BENCH(3, double, uniform);
WIDEPHASE_BENCH(2, double, uniform);
BENCHMARK(find_pairs_in<3, float, worlds<3, float>>)
    ->Name("find_pairs<3, float>/worlds")
    ->ArgsProduct({{4096 * 256}, {1, 2}})
    ->UseRealTime()
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(find_pairs_in<2, float, worlds<2, float>>)
    ->Name("find_pairs<2, float>/worlds")
    ->ArgsProduct({{4096 * 256}, {1, 2}})
    ->UseRealTime()
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace widephase::bench

BENCHMARK_MAIN();
