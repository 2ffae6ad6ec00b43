// Casts of random pairs, one thread, float: B comes from 3.5 away along a direction of length 7 to
// where A is, where sizes are about 1, so that most pairs meet.
//
// Names: casts/<dimension>d/<kinds>. Counters, of the thread's CPU time: ns_pair, with normals and
// all else; hits, their share; bound, answers where a limit was met. The label is a hash of the
// answers. casts/scene/<moving>/<kept> asks boxes and capsules through a scene of balls, boxes and
// capsules, 0.43 per unit of volume: ns_shape.
//
// With Debian's libbullet-dev also, of its convex casts: peer_ns; ratio, peer / ours; differ, the
// share of pairs of which one alone is met, or whose places of contact are more than 0.01 apart
// (sizes are about 1; Bullet ends up to 0.001 before the contact).

#include <benchmark/benchmark.h>

#include <cmath>
#include <string>

#include <widephase/casts.hpp>

#include "pair_sets.hpp"
#ifdef WIDEPHASE_BULLET
#include "casts_bullet.hpp"
#endif

namespace widephase::bench {
namespace {

/// Moves a row of a table.
template <int D, class Table>
void move_row(Table& table, std::size_t row, const std::array<double, D>& by) {
  const auto add = [&](auto& column) {
    for (int k = 0; k < D; ++k) {
      column(row, k) += static_cast<float>(by[static_cast<std::size_t>(k)]);
    }
  };
  if constexpr (requires { table.a; }) {
    add(table.a);
    add(table.b);
  } else if constexpr (requires { table.min; }) {
    add(table.min);
    add(table.max);
  } else if constexpr (requires { table.center; }) {
    add(table.center);
  }
}

void put_hash(benchmark::State& state, std::uint64_t value) {
  char text[20];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
  state.SetLabel(text);
}

#ifdef WIDEPHASE_BULLET
/// Asks Bullet for the first of the pairs and compares its answers.
void ask_bullet(benchmark::State& state, const PairSet<3, float>& set,
                const Column<float, 3>& direction, const CastHits<3, float>& hits, double ours) {
  constexpr std::size_t kAsked = 4096;
  BulletCasts peer(set.scene);
  const std::size_t count = std::min(kAsked, set.sorted.size());
  std::vector<float> found(count);
  double best = 1e9;
  for (int round = 0; round < 2; ++round) {
    const double start = thread_seconds();
    for (std::size_t i = 0; i < count; ++i) {
      found[i] = peer.cast(set.sorted[i], direction.row(i));
    }
    best = std::min(best, thread_seconds() - start);
  }
  double differ = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const bool is_met = hits.shape[i] >= 0;
    const bool is_same =
        is_met == (found[i] <= 1) && (!is_met || 7 * std::abs(found[i] - hits.t[i]) <= 0.01f);
    differ += is_same ? 0 : 1;
  }
  const double peer_ns = best / static_cast<double>(count) * 1e9;
  state.counters["peer_ns"] = peer_ns;
  state.counters["ratio"] = peer_ns / ours;
  state.counters["differ"] = differ / static_cast<double>(count);
}
#endif

template <int D>
void run_pairs(benchmark::State& state, Kind a, Kind b, std::size_t count) {
  PairSet<D, float> set = PairSetMaker<D, float>().make(a, b, count);
  const SceneLayout layout = layout_of(SceneSpan<D, float>(set.scene));
  Random random(7);
  Column<float, D> of_shape, direction;
  of_shape.resize(static_cast<std::size_t>(layout.shape_count()));
  const std::int32_t first = layout.first[static_cast<int>(b)] + (a == b ? layout.count(b) / 2 : 0);
  for (std::int32_t id = first; id < layout.first[static_cast<int>(b) + 1]; ++id) {
    std::array<double, D> along = direction_of<D>(random), back;
    for (std::size_t k = 0; k < D; ++k) {
      of_shape(static_cast<std::size_t>(id), static_cast<int>(k)) =
          static_cast<float>(7 * along[k]);
      back[k] = -3.5 * along[k];
    }
    for_each_table(set.scene, [&](auto& table) {
      if (std::remove_cvref_t<decltype(table)>::kind != b) return;
      move_row<D>(table, static_cast<std::size_t>(layout.row(id)), back);
    });
  }
  for (const Pair pair : set.sorted) {
    direction.push_back(of_shape.row(static_cast<std::size_t>(pair.b)));
  }
  Workspace<D, float> workspace;
  CastHits<D, float> hits;
  ShapeCastOptions options;
  options.threads.count = 1;
  cast_pairs(set.scene, set.sorted, direction, {}, hits, workspace, options);
  double best = 1e9;
  for (auto _ : state) {
    const double start = thread_seconds();
    cast_pairs(set.scene, set.sorted, direction, {}, hits, workspace, options);
    best = std::min(best, thread_seconds() - start);
  }
  double found = 0, bound = 0;
  for (std::size_t i = 0; i < hits.size(); ++i) {
    found += hits.shape[i] >= 0 ? 1 : 0;
    bound += hits.status[i] == static_cast<std::uint8_t>(CastStatus::bound) ? 1 : 0;
  }
  state.counters["ns_pair"] = best / static_cast<double>(count) * 1e9;
  state.counters["hits"] = found / static_cast<double>(count);
  state.counters["bound"] = bound;
#ifdef WIDEPHASE_BULLET
  if constexpr (D == 3) {
    if (is_of_bullet(a) && is_of_bullet(b)) {
      ask_bullet(state, set, direction, hits, best / static_cast<double>(count) * 1e9);
    }
  }
#endif
  put_hash(state, hash(hits));
}

SceneColumns<3, float> scene_of(std::size_t count, double side, std::uint64_t seed) {
  SceneColumns<3, float> scene;
  Random random(seed);
  for (std::size_t i = 0; i < count; ++i) {
    std::array<float, 3> at;
    for (float& x : at) x = static_cast<float>(random.uniform(0, side));
    append_in_turn(scene, i, at, random);
  }
  return scene;
}

void run_scene(benchmark::State& state, std::size_t moving_count, std::size_t kept_count) {
  const double side = std::cbrt(static_cast<double>(kept_count) / 0.43);
  const SceneColumns<3, float> level = scene_of(kept_count, side, 1);
  const SceneColumns<3, float> moving = scene_of(moving_count, side, 2);
  Random random(3);
  Column<float, 3> direction;
  for (std::size_t i = 0; i < moving_count; ++i) {
    const std::array<double, 3> along = direction_of<3>(random);
    const double length = random.uniform(0.5, 4);
    direction.push_back({static_cast<float>(length * along[0]),
                         static_cast<float>(length * along[1]),
                         static_cast<float>(length * along[2])});
  }
  Workspace<3, float> workspace;
  StaticScene<3, float> kept;
  build_static_scene(level, kept, workspace);
  ShapeCastOptions options;
  options.threads.count = 1;
  CastHits<3, float> hits;
  cast_shapes(moving, direction, {}, kept, hits, workspace, options);
  double best = 1e9;
  for (auto _ : state) {
    const double start = thread_seconds();
    cast_shapes(moving, direction, {}, kept, hits, workspace, options);
    best = std::min(best, thread_seconds() - start);
  }
  state.counters["ns_shape"] = best / static_cast<double>(moving_count) * 1e9;
  put_hash(state, hash(hits));
}

template <int D>
void add_pairs() {
  for (const Kind a : kinds_in(D)) {
    for (const Kind b : kinds_in(D)) {
      if (b < a || !has_kernel(D, a, b) || has_halfspace(a, b)) continue;
      const std::string name =
          "casts/" + std::to_string(D) + "d/" + set_name(a, b, Variant::plain, D);
      benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
        run_pairs<D>(state, a, b, 16384);
      })->Iterations(3);
    }
  }
}

}  // namespace
}  // namespace widephase::bench

int main(int argc, char** argv) {
  using namespace widephase::bench;
  add_pairs<2>();
  add_pairs<3>();
  benchmark::RegisterBenchmark("casts/scene/10000/100000", [](benchmark::State& state) {
    run_scene(state, 10000, 100000);
  })->Iterations(3);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
