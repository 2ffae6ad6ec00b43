// Shapes on ground (ground_scene.hpp): on a height field of 256 x 256 samples in 4,096 worlds of 20
// shapes, and 10^5 in one world on a mesh of 10^6 triangles.
//
// Names: ground/<kind>/<worlds>x<shapes>, mesh/<kind>/<shapes>. Counters, of the thread's CPU time
// on one thread: ns_shape for a whole step (bounds, pairs, contacts), to_aim, that divided by the
// aim; contacts and points per shape; hash of the contacts.
//
// mesh/hull has debris, of 16 forms with 12 vertices, and a tracker, so that each step but the
// first is warm. .../two_threads alternates one thread and two and counts `speedup`, their least
// real times divided: only a machine with two idle cores tells it.
//
// mesh/build and mesh/refit: `update_bounds` of the mesh alone, read for the first time, and after
// its vertices have moved, in nanoseconds per triangle.

#include <benchmark/benchmark.h>

#include <chrono>
#include <functional>

#include <widephase/tracker.hpp>

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
/// The time of two threads as a part of that of one.
constexpr Aim kThreadAims[] = {
    {"ground/sphere", 1 / 1.85}, {"ground/capsule", 1 / 1.85}, {"ground/box", 1 / 1.85},
    {"mesh/sphere", 1 / 1.85},   {"mesh/capsule", 1 / 1.85},   {"mesh/box", 1 / 1.85},
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
  Tracker<3, float> tracker;
  ContactBuffer<3, float> contacts;
  const auto step = [&] {
    if (kind != Kind::hull) return collide(scene, contacts, workspace, options);
    collide(scene, contacts, workspace, tracker, options);
  };
  step();
  double best = 1e9;
  for (auto _ : state) {
    const double start = thread_seconds();
    step();
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

void run_two_threads(benchmark::State& state, Kind kind, bool is_mesh) {
  const SceneColumns<3, float> columns = scene_on(kind, is_mesh);
  const SceneSpan<3, float> scene = columns;
  Workspace<3, float> workspaces[2];
  ContactBuffer<3, float> contacts;
  double best[2] = {1e9, 1e9};
  const auto step = [&](int threads) {
    CollideOptions options;
    options.threads.count = threads;
    const auto start = std::chrono::steady_clock::now();
    collide(scene, contacts, workspaces[threads - 1], options);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    best[threads - 1] = std::min(best[threads - 1], taken.count());
  };
  for (const int threads : {1, 2}) step(threads);
  best[0] = best[1] = 1e9;
  for (auto _ : state) {
    for (const int threads : {1, 2}) step(threads);
  }
  state.counters["speedup"] = best[0] / best[1];
  report_aim(state, kThreadAims, (is_mesh ? "mesh/" : "ground/") + std::string(kind_name(kind, 3)),
             best[1] / best[0]);
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
    add("ground/" + name + "/4096x20/two_threads",
        [=](benchmark::State& state) { run_two_threads(state, kind, false); });
    add("mesh/" + name + "/100000/two_threads",
        [=](benchmark::State& state) { run_two_threads(state, kind, true); });
  }
  add("mesh/hull/100000", [](benchmark::State& state) { run(state, Kind::hull, true); });
  add("mesh/build/1000000", [](benchmark::State& state) { read_mesh(state, false); });
  add("mesh/refit/1000000", [](benchmark::State& state) { read_mesh(state, true); });
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
