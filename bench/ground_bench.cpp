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
// tiles/<kind>/<shapes>: shapes at rest on a static floor of 10^4 flush boxes, and in turn on one
// box of its size; to_one_box is the ratio of their steps, wrong counts normals that are not the
// floor's.
//
// mesh/build and mesh/refit: `update_bounds` of the mesh alone, read for the first time, and after
// its vertices have moved, in nanoseconds per triangle.

#include <benchmark/benchmark.h>

#include <chrono>
#include <functional>

#include <widephase/static_scene.hpp>
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
/// The step on tiles as a part of that on one box.
constexpr Aim kTileAims[] = {{"tiles/sphere", 1.15}, {"tiles/capsule", 1.15}, {"tiles/box", 1.15}};
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
  const double best = least_seconds(state, step);
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

constexpr int kTilesASide = 100;
constexpr int kShapesOnTiles = 100000;

void run_tiles(benchmark::State& state, Kind kind) {
  Random random(6);
  const auto real = [](double x) { return static_cast<float>(x); };
  StaticScene<3, float> floors[2];
  Workspace<3, float> workspaces[2];
  CollideOptions options;
  options.threads.count = 1;
  options.moving_pairs = false;
  options.flush_tolerance = 1e-4;
  for (const int side : {1, kTilesASide}) {
    SceneColumns<3, float> tiles;
    const double width = double(kTilesASide) / side;
    for (int i = 0; i < side * side; ++i) {
      const double x = (i % side + 0.5) * width, y = (i / side + 0.5) * width;
      tiles.boxes.center.push_back({real(x), real(y), -0.5f});
      tiles.boxes.turn.push_back({0, 0, 0, 1});
      tiles.boxes.half_extents.push_back({real(0.5 * width), real(0.5 * width), 0.5f});
      tiles.boxes.owner.push_back(0);
    }
    const int at = side == 1 ? 0 : 1;
    build_static_scene<3, float>(tiles, floors[at], workspaces[at], options);
  }
  SceneColumns<3, float> shapes;
  for (int i = 0; i < kShapesOnTiles; ++i) {
    const double x = random.uniform(1, kTilesASide - 1), y = random.uniform(1, kTilesASide - 1);
    const double yaw = random.uniform(0, 3), deep = random.uniform(0.0001, 0.001);
    const double size = random.uniform(0.03, 0.06);
    if (kind == Kind::sphere) {
      shapes.spheres.center.push_back({real(x), real(y), real(size - deep)});
      shapes.spheres.radius.push_back(real(size));
    } else if (kind == Kind::capsule) {
      const double u = size * std::cos(yaw), v = size * std::sin(yaw);
      shapes.capsules.a.push_back({real(x - u), real(y - v), real(size - deep)});
      shapes.capsules.b.push_back({real(x + u), real(y + v), real(size - deep)});
      shapes.capsules.radius.push_back(real(size));
    } else {
      shapes.boxes.center.push_back({real(x), real(y), real(size - deep)});
      shapes.boxes.turn.push_back({0, 0, real(std::sin(yaw / 2)), real(std::cos(yaw / 2))});
      shapes.boxes.half_extents.push_back({real(size), real(1.3 * size), real(size)});
    }
  }
  SceneSpan<3, float> scene = shapes;
  ContactBuffer<3, float> contacts;
  double best[2] = {1e9, 1e9};
  const auto step = [&](int at) {
    scene.kept = &floors[at];
    const double start = thread_seconds();
    collide<3, float>(scene, contacts, workspaces[at], options);
    best[at] = std::min(best[at], thread_seconds() - start);
  };
  for (const int at : {0, 1}) step(at);
  best[0] = best[1] = 1e9;
  for (auto _ : state) {
    for (const int at : {0, 1}) step(at);
  }
  std::size_t wrong = 0;
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    wrong += std::abs(contacts.normal(c, 2)) < 0.9999f ? 1u : 0u;
  }
  state.counters["ns_shape"] = best[1] / kShapesOnTiles * 1e9;
  state.counters["to_one_box"] = best[1] / best[0];
  report_aim(state, kTileAims, "tiles/" + std::string(kind_name(kind, 3)), best[1] / best[0]);
  state.counters["wrong"] = static_cast<double>(wrong);
  state.counters["contacts"] = static_cast<double>(contacts.size()) / kShapesOnTiles;
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
    add("ground/" + name + "/4096x20/two_threads",
        [=](benchmark::State& state) { run_two_threads(state, kind, false); });
    add("mesh/" + name + "/100000/two_threads",
        [=](benchmark::State& state) { run_two_threads(state, kind, true); });
    add("tiles/" + name + "/100000", [=](benchmark::State& state) { run_tiles(state, kind); });
  }
  add("mesh/hull/100000", [](benchmark::State& state) { run(state, Kind::hull, true); });
  add("mesh/build/1000000", [](benchmark::State& state) { read_mesh(state, false); });
  add("mesh/refit/1000000", [](benchmark::State& state) { read_mesh(state, true); });
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
