// Shapes on ground (ground_scene.hpp): on a height field of 256 x 256 samples in 4,096 worlds of 20
// shapes, and 10^5 in one world on a mesh of 10^6 triangles.
//
// Names: ground/<kind>/<worlds>x<shapes>, mesh/<kind>/<shapes>. Counters, of the thread's CPU time
// on one thread: ns_shape for a whole step (bounds, pairs, contacts), to_aim, that divided by the
// aim; contacts and points per shape; hash of the contacts.
//
// mesh/build and mesh/refit: `update_bounds` of the mesh alone, read for the first time, and after
// its vertices have moved, in nanoseconds per triangle.

#include <benchmark/benchmark.h>

#include <functional>

#include "ground_scene.hpp"

namespace widephase::bench {
namespace {

constexpr int kWorlds = 4096;
constexpr int kMeshSamples = 708;  // 10^6 triangles
constexpr int kMeshShapes = 100000;
constexpr double kMeshTriangles = 2.0 * (kMeshSamples - 1) * (kMeshSamples - 1);

/// Nanoseconds per shape, or per triangle.
constexpr Aim kAims[] = {
    {"ground/sphere", 70}, {"ground/capsule", 130}, {"ground/box", 350},
    {"mesh/sphere", 250},  {"mesh/build", 200},     {"mesh/refit", 20},
};

SceneColumns<3, float> scene_on(Kind kind, bool is_mesh) {
  Random random(5);
  const int samples = is_mesh ? kMeshSamples : kGroundSamples;
  const int count = is_mesh ? kMeshShapes : kWorlds * kGroundShapes;
  const Column<float> heights = ground_heights(random, samples);
  SceneColumns<3, float> scene = shapes_on_ground(kind, count, !is_mesh, heights, samples, random);
  add_ground(scene, heights, samples, is_mesh);
  return scene;
}

void run(benchmark::State& state, Kind kind, bool is_mesh) {
  const SceneColumns<3, float> columns = scene_on(kind, is_mesh);
  const SceneSpan<3, float> scene = columns;
  CollideOptions options;
  options.threads.count = 1;
  Workspace<3, float> workspace;
  ContactBuffer<3, float> contacts;
  collide(scene, contacts, workspace, options);
  double best = 1e9;
  for (auto _ : state) {
    const double start = thread_seconds();
    collide(scene, contacts, workspace, options);
    best = std::min(best, thread_seconds() - start);
  }
  const double n = layout_of(columns).shape_count() - 1;
  state.counters["ns_shape"] = best / n * 1e9;
  report_aim(state, kAims, (is_mesh ? "mesh/" : "ground/") + std::string(kind_name(kind, 3)),
             best / n * 1e9);
  state.counters["contacts"] = static_cast<double>(contacts.size()) / n;
  state.counters["points"] = static_cast<double>(contacts.point_count()) / n;
  char text[20];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash(contacts)));
  state.SetLabel(text);
}

void read_mesh(benchmark::State& state, bool is_refit) {
  Random random(5);
  SceneColumns<3, float> scene;
  add_ground(scene, ground_heights(random, kMeshSamples), kMeshSamples, true);
  CollideOptions options;
  options.threads.count = 1;
  Workspace<3, float> kept;
  update_bounds<3, float>(scene, kept, options);
  double best = 1e9;
  float step = 0x1p-10f;
  for (auto _ : state) {
    Workspace<3, float> fresh;
    Column<float, 3>& vertices = scene.mesh_geometries.vertices;
    for (std::size_t v = 0; is_refit && v < vertices.size(); ++v) vertices(v, 2) += step;
    step = -step;
    const double start = thread_seconds();
    update_bounds<3, float>(scene, is_refit ? kept : fresh, options);
    best = std::min(best, thread_seconds() - start);
  }
  const double taken = best / kMeshTriangles * 1e9;
  state.counters["ns_triangle"] = taken;
  report_aim(state, kAims, is_refit ? "mesh/refit" : "mesh/build", taken);
}

void add(const std::string& row, const std::function<void(benchmark::State&)>& op) {
  benchmark::RegisterBenchmark(row.c_str(), op)->Unit(benchmark::kMillisecond);
}

}  // namespace
}  // namespace widephase::bench

int main(int argc, char** argv) {
  using namespace widephase;
  using namespace widephase::bench;
  for (const Kind kind : {Kind::sphere, Kind::capsule, Kind::box}) {
    const std::string name(kind_name(kind, 3));
    add("ground/" + name + "/4096x20", [=](benchmark::State& state) { run(state, kind, false); });
    add("mesh/" + name + "/100000", [=](benchmark::State& state) { run(state, kind, true); });
  }
  add("mesh/build/1000000", [](benchmark::State& state) { read_mesh(state, false); });
  add("mesh/refit/1000000", [](benchmark::State& state) { read_mesh(state, true); });
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
