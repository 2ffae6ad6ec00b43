// The broad phase: time per box, from unordered boxes to pair arrays.
//
// Arguments: boxes, threads (0: all of the arena). Names: find_pairs<dimension, real>/scene. Two
// sets: build_tree<dimension, real>/scene has the same arguments. ask_tree<dimension, real>/query
// asks a tree of uniform boxes; its arguments are boxes in the tree, boxes that ask, threads. Its
// time is per box that asks; it includes sorting these boxes but not building the tree. `to_aim`
// exists if there is an aim. `hash` depends on the order of the pairs: a faster run with another
// hash found other pairs.

#include <benchmark/benchmark.h>

#include <chrono>
#include <cmath>
#include <string>
#include <utility>

#include <widephase/bounds_tree.hpp>

#include "scenes.hpp"

namespace widephase::bench {
namespace {

/// The bounds of a scene's shapes, and their worlds if it has several.
template <int D, class T>
struct Boxes {
  BoundsBuffer<D, T> bounds;
  Column<std::int32_t> world;

  Boxes(const char* name, const scenes::Recipe& recipe) {
    SceneColumns<D, T> scene = generate<D, T>(name, recipe);
    Workspace<D, T> workspace;
    update_bounds<D, T>(scene, workspace);
    bounds = workspace.bounds();
    // Each of these scenes has only one kind of shape.
    for_each_table(scene, [&](auto& table) {
      if (row_count(table) > 0) world = std::move(table.world);
    });
  }
  explicit Boxes(std::size_t count) {
    bounds.min.resize(count);
    bounds.max.resize(count);
  }
  void set(std::size_t i, const std::array<double, D>& centre, double half) {
    for (std::size_t d = 0; d < D; ++d) {
      bounds.min(i, d) = static_cast<T>(centre[d] - half);
      bounds.max(i, d) = static_cast<T>(centre[d] + half);
    }
  }
};

/// Boxes with centres in [0, side]^D and half widths uniform in [low, high].
template <int D, class T>
Boxes<D, T> boxes_in(double side, std::size_t count, double low, double high, std::uint64_t seed) {
  Random random(seed);
  Boxes<D, T> boxes(count);
  std::array<double, D> centre;
  for (std::size_t i = 0; i < count; ++i) {
    for (double& x : centre) x = random.uniform(0, side);
    boxes.set(i, centre, random.uniform(low, high));
  }
  return boxes;
}

// Worst cases, by name.

/// One box encloses all others.
Boxes<3, float> one_huge(std::size_t count) {
  Boxes<3, float> boxes("uniform", {count, 1, 1});
  boxes.set(count / 2, {0, 0, 0}, 1e6);
  return boxes;
}
/// Uniform boxes in four groups that are 1e6 apart.
Boxes<3, float> far_apart(std::size_t count) {
  Boxes<3, float> boxes = boxes_in<3, float>(scenes::uniform_side<3>(count / 4), count, 0.3, 1, 7);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t d = 0; d < 3; ++d) {
      boxes.bounds.min(i, d) += 1e6f * static_cast<float>(i % 4);
      boxes.bounds.max(i, d) += 1e6f * static_cast<float>(i % 4);
    }
  }
  return boxes;
}
/// All boxes have the same centre but different sizes. Every pair overlaps, so the time is that of
/// writing n (n - 1) / 2 pairs.
Boxes<3, float> one_place(std::size_t count) { return boxes_in<3, float>(0, count, 0.3, 1, 8); }
/// The same with equal sizes.
Boxes<3, float> identical(std::size_t count) { return boxes_in<3, float>(0, count, 1, 1, 8); }

/// Worlds with 256 uniform boxes each.
template <int D, class T>
Boxes<D, T> worlds(std::size_t count) {
  return {"uniform", {count, 6, count / 256}};
}
template <int D, class T>
Boxes<D, T> uniform(std::size_t count) {
  return {"uniform", {count, 1, 1}};
}

// Queries to a tree of uniform boxes.

/// Boxes like those in the tree, spread over all of it.
template <int D, class T>
Boxes<D, T> moving(std::size_t tree_count, std::size_t count) {
  return boxes_in<D, T>(scenes::uniform_side<D>(tree_count), count, 0.3, 1, 9);
}
/// Boxes that contain about 1/10,000 of the space: 100 boxes of a tree of 10^6, and those that
/// cross their sides.
template <int D, class T>
Boxes<D, T> regions(std::size_t tree_count, std::size_t count) {
  const double side = scenes::uniform_side<D>(tree_count);
  const double half = 0.5 * side * std::pow(1e-4, 1.0 / D);
  return boxes_in<D, T>(side, count, half, half, 10);
}

std::uint64_t hash_of(const Column<Pair>& pairs) {
  std::uint64_t hash = 0xCBF29CE484222325u;
  for (const Pair& pair : pairs) {
    hash = (hash ^ static_cast<std::uint32_t>(pair.a)) * 0x100000001B3u;
    hash = (hash ^ static_cast<std::uint32_t>(pair.b)) * 0x100000001B3u;
  }
  return hash;
}

void report(benchmark::State& state, std::size_t count, const Column<Pair>& pairs,
            std::size_t bytes) {
  const double boxes_done = static_cast<double>(count) * static_cast<double>(state.iterations());
  state.counters["time_a_box"] =
      benchmark::Counter(boxes_done, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.counters["pairs_a_box"] = static_cast<double>(pairs.size()) / static_cast<double>(count);
  state.counters["bytes_a_box"] = static_cast<double>(bytes) / static_cast<double>(count);
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash_of(pairs)));
  state.SetLabel(text);
}

template <int D, class T>
FilterSpan filters_of(const Boxes<D, T>& boxes) {
  FilterSpan filters;
  filters.world = boxes.world;
  return filters;
}

template <int D, class T>
void find_pairs_of(benchmark::State& state, const Boxes<D, T>& boxes) {
  const FilterSpan filters = filters_of(boxes);
  PairOptions options;
  options.threads.count = static_cast<int>(state.range(1));
  Column<Pair> pairs;
  PairWorkspace<D, T> workspace;
  find_pairs<D, T>(boxes.bounds, filters, {}, pairs, workspace, options);
  for (auto _ : state) {
    find_pairs<D, T>(boxes.bounds, filters, {}, pairs, workspace, options);
    benchmark::DoNotOptimize(pairs.plane());
  }
  report(state, boxes.bounds.size(), pairs, workspace.bytes());
}

template <int D, class T>
void build_tree_of(benchmark::State& state, const Boxes<D, T>& boxes) {
  const FilterSpan filters = filters_of(boxes);
  PairOptions options;
  options.threads.count = static_cast<int>(state.range(1));
  BoundsTree<D, T> tree;
  PairWorkspace<D, T> workspace;
  Column<Pair> pairs;
  build_tree<D, T>(boxes.bounds, filters, {}, tree, workspace, options);
  for (auto _ : state) {
    build_tree<D, T>(boxes.bounds, filters, {}, tree, workspace, options);
    benchmark::ClobberMemory();
  }
  // Query the tree with its own boxes: the hash then shows its order.
  find_pairs<D, T>(tree, boxes.bounds, filters, pairs, workspace, options);
  report(state, boxes.bounds.size(), pairs, tree.bytes());
}

/// Boxes that fly straight on, and turn back after their centre has left the box around all
/// centres. The distance per step is `speed` times the mean distance of neighbours.
class Flight {
 public:
  Flight(Boxes<3, float> boxes, double speed) : boxes_(std::move(boxes)) {
    const std::size_t count = boxes_.bounds.size();
    velocity_.resize(count);
    for (std::size_t d = 0; d < 3; ++d) low_[d] = high_[d] = centre(0, d);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t d = 0; d < 3; ++d) {
        low_[d] = std::min(low_[d], centre(i, d));
        high_[d] = std::max(high_[d], centre(i, d));
      }
    }
    const double gap = (high_[0] - low_[0]) / std::cbrt(static_cast<double>(count));
    Random random(12);
    for (std::size_t i = 0; i < count; ++i) {
      std::array<double, 3> v;
      double square = 0;
      do {
        square = 0;
        for (double& x : v) x = random.uniform(-1, 1);
        for (const double x : v) square += x * x;
      } while (square > 1 || square < 1e-4);
      for (std::size_t d = 0; d < 3; ++d) {
        velocity_(i, d) = static_cast<float>(v[d] * speed * gap / std::sqrt(square));
      }
    }
  }
  const BoundsBuffer<3, float>& bounds() const { return boxes_.bounds; }

  void step() {
    for (std::size_t d = 0; d < 3; ++d) {
      for (std::size_t i = 0; i < boxes_.bounds.size(); ++i) {
        float& v = velocity_(i, d);
        const float at = centre(i, d);
        if (at < low_[d]) v = std::abs(v);
        if (at > high_[d]) v = -std::abs(v);
        boxes_.bounds.min(i, d) += v;
        boxes_.bounds.max(i, d) += v;
      }
    }
  }

 private:
  float centre(std::size_t i, std::size_t d) const {
    return 0.5f * (boxes_.bounds.min(i, d) + boxes_.bounds.max(i, d));
  }

  Boxes<3, float> boxes_;
  Column<float, 3> velocity_;
  float low_[3];
  float high_[3];
};

/// Steps in which boxes fly a hundredth of the mean distance of neighbours. The flight is not
/// timed. The result is the mean, including the steps that sort all boxes anew.
void steps_of(benchmark::State& state, const char* name, std::uint64_t seed, bool keeps_order) {
  const auto count = static_cast<std::size_t>(state.range(0));
  Flight flight({name, {count, seed, 1}}, 0.01);
  PairOptions options;
  options.threads.count = static_cast<int>(state.range(1));
  options.keeps_order = keeps_order;
  Column<Pair> pairs;
  PairWorkspace<3, float> workspace;
  double worst = 0;
  for (int i = 0; i < 3; ++i)
    find_pairs<3, float>(flight.bounds(), {}, {}, pairs, workspace, options);
  for (auto _ : state) {
    flight.step();
    const auto begin = std::chrono::steady_clock::now();
    find_pairs<3, float>(flight.bounds(), {}, {}, pairs, workspace, options);
    benchmark::DoNotOptimize(pairs.plane());
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    state.SetIterationTime(taken.count());
    worst = std::max(worst, taken.count());
  }
  state.counters["worst_ns_a_box"] = worst / static_cast<double>(count) * 1e9;
  report(state, count, pairs, workspace.bytes());
}

constexpr Aim kAims[] = {{"ask_tree<3, float>/moving/1000000/100000/1", 120}};

template <int D, class T>
void ask_tree_about(benchmark::State& state, const std::string& row,
                    Boxes<D, T> (*make)(std::size_t, std::size_t)) {
  const auto tree_count = static_cast<std::size_t>(state.range(0));
  const auto count = static_cast<std::size_t>(state.range(1));
  const Boxes<D, T> boxes = uniform<D, T>(tree_count);
  const Boxes<D, T> asked = make(tree_count, count);
  PairOptions options;
  options.threads.count = static_cast<int>(state.range(2));
  BoundsTree<D, T> tree;
  PairWorkspace<D, T> workspace;
  Column<Pair> pairs;
  build_tree<D, T>(boxes.bounds, {}, {}, tree, workspace, options);
  find_pairs<D, T>(tree, asked.bounds, {}, pairs, workspace, options);
  double best = std::numeric_limits<double>::infinity();
  for (auto _ : state) {
    const auto begin = std::chrono::steady_clock::now();
    find_pairs<D, T>(tree, asked.bounds, {}, pairs, workspace, options);
    benchmark::DoNotOptimize(pairs.plane());
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    best = std::min(best, taken.count());
  }
  const double nanoseconds = best / static_cast<double>(count) * 1e9;
  state.counters["best_ns_a_box"] = nanoseconds;
  std::string name = row;
  for (int k = 0; k < 3; ++k) name += "/" + std::to_string(state.range(k));
  report_aim(state, kAims, name, nanoseconds);
  report(state, count, pairs, workspace.bytes());
}

template <int D, class T>
std::string row_name(const char* call, const char* scene) {
  return std::string(call) + "<" + std::to_string(D) + ", " +
         (sizeof(T) == sizeof(float) ? "float" : "double") + ">/" + scene;
}

template <class Run>
benchmark::internal::Benchmark* add_row(const std::string& row, const Run& run) {
  return benchmark::RegisterBenchmark(row.c_str(), run)
      ->UseRealTime()
      ->Unit(benchmark::kMicrosecond);
}

/// Rows of 10^4 to 10^6 boxes of a named scene, on one thread and on two.
template <int D, class T>
benchmark::internal::Benchmark* add(const char* name, std::uint64_t seed) {
  return add_row(row_name<D, T>("find_pairs", name),
                 [=](benchmark::State& state) {
                   find_pairs_of<D, T>(state,
                                       {name, {static_cast<std::size_t>(state.range(0)), seed, 1}});
                 })
      ->ArgsProduct({{10000, 100000, 1000000}, {1, 2}});
}
/// Rows of the boxes that `make` returns; the caller adds the arguments.
template <int D, class T>
benchmark::internal::Benchmark* add(const char* name, Boxes<D, T> (*make)(std::size_t)) {
  return add_row(row_name<D, T>("find_pairs", name), [=](benchmark::State& state) {
    find_pairs_of<D, T>(state, make(static_cast<std::size_t>(state.range(0))));
  });
}
void add_steps(const char* name, std::uint64_t seed) {
  for (const bool keeps_order : {false, true}) {
    const std::string call = keeps_order ? "step_order_kept" : "step_sorted_anew";
    benchmark::RegisterBenchmark(
        row_name<3, float>(call.c_str(), name).c_str(),
        [=](benchmark::State& state) { steps_of(state, name, seed, keeps_order); })
        ->Unit(benchmark::kMicrosecond)
        ->UseManualTime()
        ->ArgsProduct({{10000, 100000, 1000000, 10000000}, {1, 2}});
  }
}
template <int D, class T>
void add_build(const char* name, Boxes<D, T> (*make)(std::size_t)) {
  add_row(row_name<D, T>("build_tree", name), [=](benchmark::State& state) {
    build_tree_of<D, T>(state, make(static_cast<std::size_t>(state.range(0))));
  })->ArgsProduct({{1000000}, {1, 2}});
}
template <int D, class T>
benchmark::internal::Benchmark* add_ask(const char* name,
                                        Boxes<D, T> (*make)(std::size_t, std::size_t)) {
  const std::string row = row_name<D, T>("ask_tree", name);
  return add_row(row, [=](benchmark::State& state) { ask_tree_about<D, T>(state, row, make); });
}

}  // namespace
}  // namespace widephase::bench

int main(int argc, char** argv) {
  using namespace widephase::bench;
  add<3, float>("uniform", 1)->Args({64, 1})->Args({10000000, 1});
  add<3, float>("power_law", 2);
  add<3, float>("clustered", 3);
  add<3, float>("sticks", 4);
  add<3, float>("plates", 5);
  add<3, float>("outliers", 1);
  add("one_huge", one_huge)->ArgsProduct({{10000, 100000, 1000000}, {1, 2}});
  add("far_apart", far_apart)->ArgsProduct({{10000, 100000, 1000000}, {1, 2}});
  add("one_place", one_place)->Args({5000, 1});
  add("identical", identical)->Args({5000, 1});
  add<2, float>("uniform", 1)->Args({64, 1});
  add<2, float>("power_law", 2);
  add<3, double>("uniform", 1);
  add<2, double>("uniform", 1);
  add("worlds", worlds<3, float>)->ArgsProduct({{4096 * 256}, {1, 2}});
  add("worlds", worlds<2, float>)->ArgsProduct({{4096 * 256}, {1, 2}});
  add_steps("uniform", 1);
  add_steps("power_law", 2);
  add_build("uniform", uniform<3, float>);
  add_build("worlds", worlds<3, float>);
  add_build("uniform", uniform<3, double>);
  add_build("uniform", uniform<2, float>);
  add_ask("moving", moving<3, float>)
      ->ArgsProduct({{1000000}, {1, 100, 10000, 100000, 1000000}, {1}})
      ->Args({1000000, 100000, 2})
      ->Args({100, 100000, 1});
  add_ask("regions", regions<3, float>)->ArgsProduct({{1000000}, {1000}, {1, 2}});
  add_ask("moving", moving<3, double>)->Args({1000000, 100000, 1});
  add_ask("moving", moving<2, float>)->Args({1000000, 100000, 1});
  add_ask("regions", regions<2, float>)->Args({1000000, 1000, 1});
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
