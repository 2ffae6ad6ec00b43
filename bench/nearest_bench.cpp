// Shapes nearest to random points in 3D, float.
//
// Names: nearest/<scene>/<shapes>/<queries>/k<k>. `points` are spheres of radius 0 in a unit cube,
// `mixed` spheres, capsules and boxes, 0.43 per unit of volume, sizes 0.2 to 0.6. Counters, of one
// thread's CPU time: ns_query, the sorting included; build_ms, of the static scene; hash of
// answers. With Debian's libnanoflann-dev also, of its trees of the points: peer_ns, ratio (peer /
// ours), peer_build_ms and differ, answers whose distance is another by more than rounding.

#include <benchmark/benchmark.h>

#include <cmath>
#include <string>
#include <vector>

#include <widephase/nearest.hpp>

#include "pair_sets.hpp"

#if __has_include(<nanoflann.hpp>)
#include <nanoflann.hpp>
#endif

namespace widephase::bench {
namespace {

Column<float, 3> points_in(double side, std::size_t count, std::uint64_t seed) {
  Random random(seed);
  Column<float, 3> points;
  for (std::size_t i = 0; i < count; ++i) {
    std::array<float, 3> at;
    for (float& x : at) x = static_cast<float>(random.uniform(0, side));
    points.push_back(at);
  }
  return points;
}

SceneColumns<3, float> scene_of(bool is_points, std::size_t count, double side) {
  SceneColumns<3, float> scene;
  const Column<float, 3> places = points_in(side, count, 1);
  Random random(2);
  for (std::size_t i = 0; i < count; ++i) {
    const std::array<float, 3> at{places(i, 0), places(i, 1), places(i, 2)};
    if (is_points) {
      scene.spheres.center.push_back(at);
      scene.spheres.radius.push_back(0.0f);
    } else {
      append_in_turn(scene, i, at, random);
    }
  }
  return scene;
}

#if __has_include(<nanoflann.hpp>)
struct Cloud {
  std::vector<std::array<float, 3>> points;
  std::size_t kdtree_get_point_count() const { return points.size(); }
  float kdtree_get_pt(std::size_t i, std::size_t axis) const { return points[i][axis]; }
  template <class Box>
  bool kdtree_get_bbox(Box&) const {
    return false;
  }
};

void ask_peer(benchmark::State& state, const SceneColumns<3, float>& scene,
              const Column<float, 3>& points, std::size_t k, const NearestHits<3, float>& hits,
              double ours) {
  using Tree = nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<float, Cloud>,
                                                   Cloud, 3, std::uint32_t>;
  Cloud cloud;
  for (std::size_t i = 0; i < scene.spheres.center.size(); ++i) {
    const auto& center = scene.spheres.center;
    cloud.points.push_back({center(i, 0), center(i, 1), center(i, 2)});
  }
  double start = thread_seconds();
  const Tree tree(3, cloud, nanoflann::KDTreeSingleIndexAdaptorParams(10));
  state.counters["peer_build_ms"] = (thread_seconds() - start) * 1e3;
  std::vector<std::uint32_t> ids(points.size() * k);
  std::vector<float> squares(points.size() * k);
  double best = 1e9;
  for (int repeat = 0; repeat < 3; ++repeat) {
    start = thread_seconds();
    for (std::size_t i = 0; i < points.size(); ++i) {
      const float at[3] = {points(i, 0), points(i, 1), points(i, 2)};
      tree.knnSearch(at, k, &ids[i * k], &squares[i * k]);
    }
    best = std::min(best, thread_seconds() - start);
  }
  std::size_t differ = 0;
  for (std::size_t n = 0; n < squares.size(); ++n) {
    differ += std::abs(std::sqrt(squares[n]) - hits.distance[n]) > 1e-6f ? 1 : 0;
  }
  state.counters["peer_ns"] = best / static_cast<double>(points.size()) * 1e9;
  state.counters["ratio"] = best / ours;
  state.counters["differ"] = static_cast<double>(differ);
}
#endif

void run(benchmark::State& state, bool is_points, std::size_t shapes, std::size_t queries,
         std::size_t k) {
  const double side = is_points ? 1 : std::cbrt(static_cast<double>(shapes) / 0.43);
  const auto scene = scene_of(is_points, shapes, side);
  const Column<float, 3> points = points_in(side, queries, 3);
  Workspace<3, float> workspace;
  StaticScene<3, float> kept;
  CollideOptions options;
  options.threads.count = 1;
  build_static_scene(scene, kept, workspace, options);
  double start = thread_seconds();
  build_static_scene(scene, kept, workspace, options);
  state.counters["build_ms"] = (thread_seconds() - start) * 1e3;
  NearestHits<3, float> hits;
  const float any = std::numeric_limits<float>::max();
  nearest_shapes(kept, points, k, any, {}, hits, workspace, options);  // buffers grow once
  double best = 1e9;
  for (auto _ : state) {
    start = thread_seconds();
    nearest_shapes(kept, points, k, any, {}, hits, workspace, options);
    best = std::min(best, thread_seconds() - start);
  }
  state.counters["ns_query"] = best / static_cast<double>(queries) * 1e9;
  char text[20];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash(hits)));
  state.SetLabel(text);
#if __has_include(<nanoflann.hpp>)
  if (is_points) ask_peer(state, scene, points, k, hits, best);
#endif
}

}  // namespace
}  // namespace widephase::bench

int main(int argc, char** argv) {
  using namespace widephase::bench;
  for (const bool is_points : {true, false}) {
    for (const std::size_t shapes : {std::size_t{100000}, std::size_t{1000000}}) {
      for (const std::size_t queries : {std::size_t{100000}, std::size_t{1000000}}) {
        for (const std::size_t k : {std::size_t{1}, std::size_t{8}}) {
          const std::string name = std::string("nearest/") + (is_points ? "points/" : "mixed/") +
                                   std::to_string(shapes) + "/" + std::to_string(queries) + "/k" +
                                   std::to_string(k);
          benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
            run(state, is_points, shapes, queries, k);
          })->Iterations(3);
        }
      }
    }
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
