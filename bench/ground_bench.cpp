// Shapes on a height field of 256 x 256 samples that all worlds share: 4,096 worlds of 20 shapes,
// two in five of them near the ground (legs), the others above.
//
// Names: ground/<kind>/<worlds>x<shapes>. Counters, of the thread's CPU time on one thread:
// ns_shape for a whole step (bounds, pairs, contacts), to_aim, that divided by the aim, narrow, its
// part for contacts; contacts and points per shape; hash of the contacts.

#include <benchmark/benchmark.h>

#include <cmath>

#include <widephase/heightfields.hpp>

#include "scenes.hpp"

namespace widephase::bench {
namespace {

constexpr int kSamples = 256;
constexpr double kCell = 0.1;
constexpr int kWorlds = 4096;
constexpr int kShapes = 20;

/// Nanoseconds per shape.
constexpr Aim kAims[] = {
    {"ground/sphere", 70},
    {"ground/capsule", 130},
    {"ground/box", 350},
};

/// Waves with noise of 0.03 on them.
SceneColumns<3, float> ground(Random& random) {
  SceneColumns<3, float> scene;
  Column<float> heights;
  for (int row = 0; row < kSamples; ++row) {
    for (int column = 0; column < kSamples; ++column) {
      const double x = 0.06 * column, y = 0.06 * row;
      const double wave =
          0.5 * std::sin(x) * std::cos(1.3 * y) + 0.25 * std::sin(2.1 * x + 1) * std::sin(2.7 * y);
      heights.push_back({static_cast<float>(0.6 * wave + random.uniform(-0.03, 0.03))});
    }
  }
  add_heightfield(scene.heightfield_geometries, ColumnSpan<float>(heights), kSamples,
                  static_cast<float>(kCell), static_cast<float>(kCell));
  scene.heightfields.center.push_back({0, 0, 0});
  scene.heightfields.turn.push_back({0, 0, 0, 1});
  scene.heightfields.geometry.push_back({0});
  scene.heightfields.world.push_back({-1});
  scene.heightfields.fixed.push_back({1});
  return scene;
}

SceneColumns<3, float> shapes_on_ground(Kind kind) {
  Random random(5);
  SceneColumns<3, float> scene = ground(random);
  const Column<float>& heights = scene.heightfield_geometries.heights;
  const auto real = [](double x) { return static_cast<float>(x); };
  for (int i = 0; i < kWorlds * kShapes; ++i) {
    const double x = random.uniform(1, 24), y = random.uniform(1, 24);
    const auto sample =
        static_cast<std::size_t>(y / kCell) * kSamples + static_cast<std::size_t>(x / kCell);
    const bool is_near = random.uniform(0, 1) < 0.4;
    const double z =
        heights[sample] + (is_near ? random.uniform(-0.02, 0.08) : random.uniform(0.15, 1));
    const std::int32_t world = i / kShapes;
    const double tilt = 0.3 * random.uniform(-1, 1), yaw = random.uniform(0, 3);
    if (kind == Kind::sphere) {
      scene.spheres.center.push_back({real(x), real(y), real(z)});
      scene.spheres.radius.push_back({real(random.uniform(0.05, 0.1))});
      scene.spheres.world.push_back({world});
    } else if (kind == Kind::capsule) {
      const double up = 0.1 * std::sin(3 * tilt), along = 0.1 * std::cos(3 * tilt);
      const double dx = along * std::cos(yaw), dy = along * std::sin(yaw);
      scene.capsules.a.push_back({real(x - dx), real(y - dy), real(z - up)});
      scene.capsules.b.push_back({real(x + dx), real(y + dy), real(z + up)});
      scene.capsules.radius.push_back({real(random.uniform(0.04, 0.06))});
      scene.capsules.world.push_back({world});
    } else {
      const auto half = [&] { return real(random.uniform(0.05, 0.12)); };
      scene.boxes.center.push_back({real(x), real(y), real(z)});
      scene.boxes.half_extents.push_back({half(), half(), half()});
      scene.boxes.turn.push_back({real(std::sin(tilt / 2) * std::cos(yaw / 2)),
                                  real(std::sin(tilt / 2) * std::sin(yaw / 2)),
                                  real(std::cos(tilt / 2) * std::sin(yaw / 2)),
                                  real(std::cos(tilt / 2) * std::cos(yaw / 2))});
      scene.boxes.world.push_back({world});
    }
  }
  // Only the ground: shapes of one owner never meet.
  const auto own = [](auto& table, std::size_t count) { table.owner.resize(count, 1); };
  own(scene.spheres, scene.spheres.radius.size());
  own(scene.capsules, scene.capsules.radius.size());
  own(scene.boxes, scene.boxes.center.size());
  return scene;
}

void run(benchmark::State& state, Kind kind) {
  const SceneColumns<3, float> columns = shapes_on_ground(kind);
  const SceneSpan<3, float> scene = columns;
  CollideOptions options;
  options.threads.count = 1;
  Workspace<3, float> workspace;
  ContactBuffer<3, float> contacts;
  collide(scene, contacts, workspace, options);
  double best = 1e9, narrow = 0;
  for (auto _ : state) {
    const double start = thread_seconds();
    collide(scene, contacts, workspace, options);
    const double seconds = thread_seconds() - start;
    if (seconds >= best) continue;
    best = seconds;
    narrow = workspace.stats().narrow_seconds;
  }
  constexpr double n = kWorlds * kShapes;
  state.counters["ns_shape"] = best / n * 1e9;
  report_aim(state, kAims, "ground/" + std::string(kind_name(kind, 3)), best / n * 1e9);
  state.counters["narrow"] = narrow / n * 1e9;
  state.counters["contacts"] = static_cast<double>(contacts.size()) / n;
  state.counters["points"] = static_cast<double>(contacts.point_count()) / n;
  char text[20];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash(contacts)));
  state.SetLabel(text);
}

}  // namespace
}  // namespace widephase::bench

int main(int argc, char** argv) {
  using namespace widephase;
  for (const Kind kind : {Kind::sphere, Kind::capsule, Kind::box}) {
    const std::string row = "ground/" + std::string(kind_name(kind, 3)) + "/4096x20";
    benchmark::RegisterBenchmark(row.c_str(), [=](benchmark::State& state) {
      bench::run(state, kind);
    })->Unit(benchmark::kMillisecond);
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
