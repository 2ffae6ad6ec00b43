// The triangles of a mesh of 10^6 whose bounds meet those of 10^5 boxes, by a kept tree
// (`find_pairs` with a `BoundsTree`), beside Embree's rtcCollide where it is found. Its own tree of
// the triangles is kept too; both make what they need of the boxes anew.
//
// Counters: ns_box, nanoseconds of thread CPU time per box, the least; to_aim, that divided by the
// aim; triangles per box, which are the same pairs; ratio, Embree's time over ours.

#include <benchmark/benchmark.h>

#include <widephase/bounds_tree.hpp>

#include "ground_scene.hpp"

#ifdef WIDEPHASE_EMBREE
#include "near_embree.hpp"
#endif

namespace widephase::bench {
namespace {

constexpr int kSamples = 708;  // 10^6 triangles
constexpr int kBoxes = 100000;
constexpr Aim kAims[] = {{"near", 130}};

BoundsBuffer<3, float> bounds_of_triangles(const MeshTable<Owned<3, float>>& mesh) {
  BoundsBuffer<3, float> bounds;
  for (std::size_t t = 0; t < mesh.indices.size(); ++t) {
    std::array<float, 3> low, high;
    for (std::size_t k = 0; k < 3; ++k) {
      const auto corner = [&](std::size_t c) {
        return mesh.vertices(static_cast<std::size_t>(mesh.indices(t, c)), k);
      };
      low[k] = std::min({corner(0), corner(1), corner(2)});
      high[k] = std::max({corner(0), corner(1), corner(2)});
    }
    bounds.min.push_back(low);
    bounds.max.push_back(high);
  }
  return bounds;
}

void run(benchmark::State& state) {
  Random random(5);
  const Column<float> heights = ground_heights(random, kSamples);
  const SceneColumns<3, float> shapes =
      shapes_on_ground(Kind::box, kBoxes, false, heights, kSamples, random);
  CollideOptions options;
  options.threads.count = 1;
  Workspace<3, float> workspace;
  update_bounds<3, float>(shapes, workspace, options);
  const BoundsBuffer<3, float>& boxes = workspace.bounds();
  SceneColumns<3, float> ground;
  add_ground(ground, heights, kSamples, true);
  const BoundsBuffer<3, float> triangles = bounds_of_triangles(ground.mesh_geometries);

  PairOptions wanted;
  wanted.threads.count = 1;
  PairWorkspace<3, float> room;
  BoundsTree<3, float> tree;
  build_tree<3, float>(triangles, {}, {}, tree, room, wanted);
  Column<Pair> pairs;
  const double seconds =
      least_seconds(state, [&] { find_pairs<3, float>(tree, boxes, {}, pairs, room, wanted); });
  const double ours = seconds / kBoxes * 1e9;
  state.counters["ns_box"] = ours;
  state.counters["triangles"] = static_cast<double>(pairs.size()) / kBoxes;
  report_aim(state, kAims, "near", ours);
#ifdef WIDEPHASE_EMBREE
  NearEmbree peer(triangles);
  double theirs = 1e9;
  for (int pass = 0; pass < 5; ++pass) {
    const double start = thread_seconds();
    peer.find(boxes);
    theirs = std::min(theirs, (thread_seconds() - start) / kBoxes * 1e9);
  }
  state.counters["ns_embree"] = theirs;
  state.counters["ratio"] = theirs / ours;
  if (peer.pair_count() != pairs.size()) state.SkipWithError("Embree finds other pairs");
#endif
}

BENCHMARK(run)->Name("near/100000/1000000")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace widephase::bench

BENCHMARK_MAIN();
