// Two meshes, rough balls of 10^4 or 10^5 triangles each, from crossing to apart: yes or no, and
// distances, cold and begun at the last step's triangles (warm_test, warm), beside FCL where it is
// found.
//
// Counters: us_pair, microseconds of thread CPU time per pair, the least; meet, the share of pairs
// that cross; us_fcl and ratio, FCL's time and that over ours (of the first poses alone); differ,
// how many of these it answers otherwise, by more than 1e-4 of the radius.

#include <benchmark/benchmark.h>

#include <cmath>

#include <widephase/distance.hpp>
#include <widephase/meshes.hpp>

#include "scenes.hpp"

#ifdef WIDEPHASE_FCL
#include "two_meshes_fcl.hpp"
#endif

namespace widephase::bench {
namespace {

constexpr std::size_t kPoses = 10000;
#ifdef WIDEPHASE_FCL
constexpr std::size_t kPosesOfFcl = 1000;
#endif

/// A cube's faces of `cells` x `cells` squares, blown up to a ball of radius 1 with dents.
void add_ball(SceneColumns<3, float>& scene, int cells) {
  Column<float, 3> vertices;
  Column<std::int32_t, 3> triangles;
  for (int face = 0; face < 6; ++face) {
    const auto first = static_cast<std::int32_t>(vertices.size());
    for (int row = 0; row <= cells; ++row) {
      for (int column = 0; column <= cells; ++column) {
        double p[3], size = 0;
        const double side = face % 2 == 0 ? 1 : -1;
        p[face / 2] = side;
        p[(face / 2 + 1) % 3] = 2.0 * column / cells - 1;
        p[(face / 2 + 2) % 3] = side * (2.0 * row / cells - 1);
        for (const double x : p) size += x * x;
        for (double& x : p) x /= std::sqrt(size);
        const double dents = std::sin(9 * p[0]) * std::sin(11 * p[1]) * std::sin(7 * p[2] + 1);
        const double radius = 1 + 0.08 * dents;
        vertices.push_back({static_cast<float>(radius * p[0]), static_cast<float>(radius * p[1]),
                            static_cast<float>(radius * p[2])});
      }
    }
    for (int row = 0; row < cells; ++row) {
      for (int column = 0; column < cells; ++column) {
        const std::int32_t at = first + row * (cells + 1) + column, next = at + cells + 1;
        triangles.push_back({at, at + 1, next + 1});
        triangles.push_back({at, next + 1, next});
      }
    }
  }
  add_mesh<float>(scene.mesh_geometries, vertices.span(), triangles.span());
}

/// Mesh 0 at the origin, the others around it, from a tenth of the radius deep to a fifth apart.
SceneColumns<3, float> pose_meshes(int cells) {
  Random random(33);
  SceneColumns<3, float> scene;
  add_ball(scene, cells);
  const auto place = [&](const double(&at)[3], const double(&q)[4]) {
    scene.meshes.center.push_back(
        {static_cast<float>(at[0]), static_cast<float>(at[1]), static_cast<float>(at[2])});
    scene.meshes.turn.push_back({static_cast<float>(q[0]), static_cast<float>(q[1]),
                                 static_cast<float>(q[2]), static_cast<float>(q[3])});
    scene.meshes.geometry.push_back({0});
  };
  place({0, 0, 0}, {0, 0, 0, 1});
  const auto any = [&](auto& v) {
    double size = 0;
    for (double& x : v) size += (x = random.uniform(-1, 1), x * x);
    for (double& x : v) x /= std::sqrt(size);
  };
  for (std::size_t i = 0; i < kPoses; ++i) {
    double at[3], q[4];
    any(at);
    any(q);
    const double apart = random.uniform(1.9, 2.2);
    for (double& x : at) x *= apart;
    place(at, q);
  }
  return scene;
}

/// The next step: all but the first have moved by a thousandth of their radius.
SceneColumns<3, float> moved(SceneColumns<3, float> scene) {
  for (std::size_t i = 1; i < scene.meshes.center.size(); ++i) {
    scene.meshes.center(i, static_cast<int>(i % 3)) += i % 2 == 0 ? 1e-3f : -1e-3f;
  }
  return scene;
}

enum class Ask { test, warm_test, distance, warm };

void two_meshes(benchmark::State& state, Ask ask) {
  const SceneColumns<3, float> before = pose_meshes(static_cast<int>(state.range(0)));
  const bool is_warm = ask == Ask::warm || ask == Ask::warm_test;
  const bool is_test = ask == Ask::test || ask == Ask::warm_test;
  const SceneColumns<3, float> scene = is_warm ? moved(before) : before;
  std::vector<Pair> pairs;
  for (std::size_t i = 1; i <= kPoses; ++i) pairs.push_back({0, static_cast<std::int32_t>(i)});
  CollideOptions options;
  options.threads.count = 1;
  Workspace<3, float> workspace;
  std::vector<std::uint8_t> meets(kPoses);
  DistanceBuffer<3, float> found;
  std::vector<WarmStart> words(kPoses), begun;
  const auto answer = [&](const SceneColumns<3, float>& of) {
    if (is_test) {
      test_pairs<3, float>(of, pairs, meets, workspace, options);
    } else {
      distances<3, float>(of, pairs, found, workspace, options);
    }
  };
  if (is_warm) {
    options.warm_starts = words;
    answer(before);
  }
  const double seconds = least_seconds(state, [&] {
    begun = words;
    if (is_warm) options.warm_starts = begun;
    answer(scene);
  });
  const double ours = seconds / kPoses * 1e6;
  const auto is_met = [&](std::size_t i) {
    return is_test ? meets[i] != 0 : found.distance[i] <= 0;
  };
  double met = 0;
  for (std::size_t i = 0; i < kPoses; ++i) met += is_met(i) ? 1 : 0;
  state.counters["us_pair"] = ours;
  state.counters["meet"] = met / kPoses;
#ifdef WIDEPHASE_FCL
  const TwoMeshesFcl peer(scene.mesh_geometries);
  double differ = 0;
  const double start = thread_seconds();
  for (std::size_t i = 0; i < kPosesOfFcl; ++i) {
    if (is_test) {
      differ += peer.meets(scene, i + 1) == (meets[i] != 0) ? 0 : 1;
    } else {
      differ += std::abs(peer.distance(scene, i + 1) - found.distance[i]) < 1e-4f ? 0 : 1;
    }
  }
  const double theirs = (thread_seconds() - start) / kPosesOfFcl * 1e6;
  state.counters["us_fcl"] = theirs;
  state.counters["ratio"] = theirs / ours;
  state.counters["differ"] = differ;
#endif
}

BENCHMARK_CAPTURE(two_meshes, test, Ask::test)->Arg(29)->Arg(91)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(two_meshes, warm_test, Ask::warm_test)
    ->Arg(29)
    ->Arg(91)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(two_meshes, distance, Ask::distance)
    ->Arg(29)
    ->Arg(91)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(two_meshes, warm, Ask::warm)->Arg(29)->Arg(91)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace widephase::bench

BENCHMARK_MAIN();
