// Rays against static scenes in 3D, float.
//
// Names: rays/<pattern>/<scene>/<shapes>/<question>. Scenes are spheres, capsules and boxes with
// any orientation alike: `dense` 0.43 shapes per unit of volume, `sparse` 0.005, sizes 0.2 to 0.6.
// Patterns: `lidar`, 64 x 1024 rays of a full turn from each sensor; `height`, 16 x 12 rays down
// from each place; `apart`, origins and directions of any kind. `worlds/terrain`: height scans of
// 11 x 17 rays down, 0.1 apart, about a robot per world of the scene `terrain`, whose field all
// worlds share. Origins are outside of all shapes. `worlds/steps`: shapes move, and the static
// scene is built anew, with `keeps_order` or without; build_ms and trees_ms, of the trees that the
// first question makes. `two_threads`: speedup, by the clock on the wall, the
// best of 30 calls. Counters, of one thread's CPU time: ns_ray; build_ms, of the static scene;
// hits, the share of rays that hit; tiles and tests per ray; packets, the share of rays that went
// together; hash of answers. With Debian's libembree-dev also, of Embree's user geometry: peer_ns
// of its better mode, ratio (peer / ours), peer_build_ms and differ, answers that are others by
// more than rounding. It gets the worlds of `worlds/height` side by side in one scene.

#include <benchmark/benchmark.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "rays_report.hpp"

namespace widephase::bench {
namespace {

/// Shapes of three kinds in a cube of a side; a world each if `worlds` is more than 1.
SceneColumns<3, float> three_kinds(std::size_t count, double side, std::uint64_t seed,
                                   int worlds = 1) {
  Random random(seed);
  SceneColumns<3, float> scene;
  for (int w = 0; w < worlds; ++w) {
    for (std::size_t i = 0; i < count; ++i) {
      std::array<float, 3> center, other, half;
      const double size = random.uniform(0.2, 0.6);
      for (std::size_t k = 0; k < 3; ++k) {
        center[k] = static_cast<float>(random.uniform(0, side));
        other[k] = center[k] + static_cast<float>(size * random.uniform(-1, 1));
        half[k] = static_cast<float>(size * random.uniform(0.3, 0.8));
      }
      switch (i % 3) {
        case 0:
          scene.spheres.center.push_back(center);
          scene.spheres.radius.push_back(static_cast<float>(size * 0.8));
          if (worlds > 1) scene.spheres.world.push_back(w);
          break;
        case 1:
          scene.capsules.a.push_back(center);
          scene.capsules.b.push_back(other);
          scene.capsules.radius.push_back(static_cast<float>(size * 0.4));
          if (worlds > 1) scene.capsules.world.push_back(w);
          break;
        default: {
          std::array<float, 4> turn;
          const std::array<double, 4> orientation = random.orientation();
          std::copy(orientation.begin(), orientation.end(), turn.begin());
          scene.boxes.center.push_back(center);
          scene.boxes.half_extents.push_back(half);
          scene.boxes.turn.push_back(turn);
          if (worlds > 1) scene.boxes.world.push_back(w);
        }
      }
    }
  }
  return scene;
}

/// Places of a cube that are in no shape.
std::vector<std::array<double, 3>> free_places(const StaticScene<3, float>& kept, double side,
                                               std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::array<double, 3>> places;
  Workspace<3, float> workspace;
  while (places.size() < count) {
    Rays rays;
    std::vector<std::array<double, 3>> tried;
    for (int i = 0; i < 4096; ++i) {
      tried.push_back({random.uniform(0, side), random.uniform(0, side), random.uniform(0, side)});
      rays.add(tried.back(), {1, 0, 0});
      rays.max_t.push_back(0);
    }
    std::vector<std::uint8_t> is_inside(tried.size());
    any_hit(kept, rays.span(), is_inside, workspace);
    for (std::size_t i = 0; i < tried.size() && places.size() < count; ++i) {
      if (is_inside[i] == 0) places.push_back(tried[i]);
    }
  }
  return places;
}

Rays rays_of(const std::string& pattern, const StaticScene<3, float>& kept, double side,
             std::size_t count) {
  Rays rays;
  Random random(7);
  if (pattern == "lidar") {
    for (const auto& from : free_places(kept, side, (count + 65535) / 65536, 3)) {
      for (int ring = 0; ring < 64; ++ring) {
        const double up = (ring - 32) * 0.01;
        for (int step = 0; step < 1024; ++step) {
          const double turn = step * (2 * 3.14159265358979 / 1024);
          rays.add(from, {std::cos(turn), std::sin(turn), up});
        }
      }
    }
  } else if (pattern == "height") {
    for (const auto& place : free_places(kept, side, count / 192, 4)) {
      for (int x = 0; x < 16; ++x) {
        for (int y = 0; y < 12; ++y) {
          rays.add({place[0] + 0.1 * x, place[1] + 0.1 * y, side + 1}, {0, 0, -1});
        }
      }
    }
  } else {
    for (const auto& from : free_places(kept, side, count, 5)) {
      std::array<double, 3> along;
      double length2 = 0;
      do {
        length2 = 0;
        for (double& of_axis : along) {
          of_axis = random.uniform(-1, 1);
          length2 += of_axis * of_axis;
        }
      } while (length2 > 1 || length2 < 0.01);
      rays.add(from, along);
    }
  }
  return rays;
}

#ifdef WIDEPHASE_EMBREE
/// Where a world lies among the others.
Point place_of(std::int32_t world, double apart) {
  const auto step = static_cast<float>(apart);
  return {static_cast<float>(world % 64) * step, static_cast<float>(world / 64) * step, 0};
}
/// The shapes of `three_kinds`, and how far each world is moved.
std::vector<PeerShape> peer_shapes(const SceneColumns<3, float>& scene, double apart) {
  std::vector<PeerShape> shapes;
  const auto at = [&](const Column<float, 3>& column, std::size_t row) {
    return Point{column(row, 0), column(row, 1), column(row, 2)};
  };
  const auto add = [&](PeerShape shape, const Column<std::int32_t>& world, std::size_t row) {
    const Point by = place_of(world.empty() ? 0 : world[row], apart);
    for (std::size_t k = 0; k < 3; ++k) shape.center[k] += by[k];
    shapes.push_back(shape);
  };
  for (std::size_t i = 0; i < scene.spheres.center.size(); ++i) {
    add({PeerShape::Form::sphere, at(scene.spheres.center, i), {}, {}, scene.spheres.radius[i]},
        scene.spheres.world, i);
  }
  for (std::size_t i = 0; i < scene.capsules.a.size(); ++i) {
    const Point a = at(scene.capsules.a, i), b = at(scene.capsules.b, i);
    const Point along{b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    add({PeerShape::Form::capsule, a, {along}, {}, scene.capsules.radius[i]}, scene.capsules.world,
        i);
  }
  for (std::size_t i = 0; i < scene.boxes.center.size(); ++i) {
    PeerShape box{
        PeerShape::Form::box, at(scene.boxes.center, i), {}, at(scene.boxes.half_extents, i), 0};
    const auto& turn = scene.boxes.turn;
    const float x = turn(i, 0), y = turn(i, 1), z = turn(i, 2), w = turn(i, 3);
    box.axis[0] = {1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)};
    box.axis[1] = {2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)};
    box.axis[2] = {2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)};
    add(box, scene.boxes.world, i);
  }
  return shapes;
}

void ask_embree(benchmark::State& state, const SceneColumns<3, float>& scene, const Rays& rays,
                bool is_coherent, bool any, double apart, const std::vector<float>& ours,
                double seconds) {
  const double start = thread_seconds();
  EmbreeRays peer(peer_shapes(scene, apart));
  state.counters["peer_build_ms"] = (thread_seconds() - start) * 1e3;
  Column<float, 3> origin;
  for (std::size_t i = 0; i < rays.origin.size(); ++i) {
    const Point by = place_of(rays.world.empty() ? 0 : rays.world[i], apart);
    origin.push_back({rays.origin(i, 0) + by[0], rays.origin(i, 1) + by[1], rays.origin(i, 2)});
  }
  compare(state, peer, origin, rays, is_coherent, any, ours, seconds);
}
#endif

void run(benchmark::State& state, const std::string& pattern, double density, std::size_t shapes,
         bool any) {
  const double side = std::cbrt(static_cast<double>(shapes) / density);
  const auto scene = three_kinds(shapes, side, 1);
  Workspace<3, float> workspace;
  StaticScene<3, float> kept;
  CollideOptions options;
  options.threads.count = 1;
  build_static_scene(scene, kept, workspace, options);
  const double start = thread_seconds();
  build_static_scene(scene, kept, workspace, options);
  const double build = thread_seconds() - start;
  const Rays rays = rays_of(pattern, kept, side, 65536);
  std::vector<float> times;
  [[maybe_unused]] const double best = report(state, kept, rays, any, build, times);
#ifdef WIDEPHASE_EMBREE
  ask_embree(state, scene, rays, pattern != "apart", any, 0, times, best);
#endif
}

void run_worlds(benchmark::State& state, int worlds, std::size_t shapes, int rays_each) {
  const double side = std::cbrt(static_cast<double>(shapes) / 0.43);
  const auto scene = three_kinds(shapes, side, 1, worlds);
  Workspace<3, float> workspace;
  StaticScene<3, float> kept;
  CollideOptions options;
  options.threads.count = 1;
  build_static_scene(scene, kept, workspace, options);
  const double start = thread_seconds();
  build_static_scene(scene, kept, workspace, options);
  const double build = thread_seconds() - start;
  Rays rays;
  Random random(9);
  for (int w = 0; w < worlds; ++w) {
    const double x = random.uniform(0, side - 1.6), y = random.uniform(0, side - 1.2);
    for (int i = 0; i < rays_each; ++i) {
      rays.add({x + 0.1 * (i % 16), y + 0.1 * (i / 16), side + 1}, {0, 0, -1});
      rays.world.push_back(w);
    }
  }
  std::vector<float> times;
  [[maybe_unused]] const double best = report(state, kept, rays, false, build, times);
#ifdef WIDEPHASE_EMBREE
  ask_embree(state, scene, rays, true, false, 30, times, best);
#endif
}

/// Steps in which all shapes move a little, the static scene is built anew, and each world's tree
/// is made, by a ray of no length.
void run_steps(benchmark::State& state, int worlds, std::size_t shapes, bool keeps_order) {
  const double side = std::cbrt(static_cast<double>(shapes) / 0.43);
  auto scene = three_kinds(shapes, side, 1, worlds);
  Workspace<3, float> workspace;
  StaticScene<3, float> kept;
  CollideOptions options;
  options.threads.count = 1;
  options.keeps_order = keeps_order;
  Rays rays;
  for (int w = 0; w < worlds; ++w) {
    rays.add({0, 0, 0}, {1, 0, 0});
    rays.max_t.push_back(0);
    rays.world.push_back(w);
  }
  std::vector<std::uint8_t> hits(rays.origin.size());
  CastOptions asking;
  asking.threads.count = 1;
  Random random(13);
  double build = 0, trees = 0;
  int steps = 0;
  for (auto _ : state) {
    const auto by = static_cast<float>(random.uniform(-0.02, 0.02));
    for (std::size_t i = 0; i < scene.spheres.center.size(); ++i) scene.spheres.center(i, 0) += by;
    for (std::size_t i = 0; i < scene.boxes.center.size(); ++i) scene.boxes.center(i, 1) += by;
    const double start = thread_seconds();
    build_static_scene(scene, kept, workspace, options);
    const double built = thread_seconds();
    any_hit(kept, rays.span(), hits, workspace, asking);
    if (++steps <= 2) continue;  // buffers grow
    build += built - start;
    trees += thread_seconds() - built;
  }
  const double timed = std::max(1, steps - 2);
  state.counters["build_ms"] = build / timed * 1e3;
  state.counters["trees_ms"] = trees / timed * 1e3;
}

void run_terrain(benchmark::State& state, std::size_t worlds, std::size_t shapes, bool any) {
  const auto scene =
      scenes::generate<3, float>("terrain", {.count = worlds * shapes, .worlds = worlds});
  const auto& fields = scene.heightfield_geometries;
  const double side = (fields.columns[0] - 1) * static_cast<double>(fields.cell(0, 0));
  Workspace<3, float> workspace;
  StaticScene<3, float> kept;
  CollideOptions options;
  options.threads.count = 1;
  build_static_scene(scene, kept, workspace, options);
  const double start = thread_seconds();
  build_static_scene(scene, kept, workspace, options);
  const double build = thread_seconds() - start;
  Rays rays;
  Random random(11);
  for (std::size_t w = 0; w < worlds; ++w) {
    const double x = random.uniform(0, side - 1), y = random.uniform(0, side - 1.6);
    for (int i = 0; i < 187; ++i) {
      rays.add({scene.heightfields.center(0, 0) + x + 0.1 * (i % 11),
                scene.heightfields.center(0, 1) + y + 0.1 * (i / 11), 20},
               {0, 0, -1});
      rays.world.push_back(static_cast<std::int32_t>(w));
    }
  }
  std::vector<float> times;
  report(state, kept, rays, any, build, times);
}

void run_two_threads(benchmark::State& state) {
  const double side = std::cbrt(100000 / 0.43);
  const auto scene = three_kinds(100000, side, 1);
  Workspace<3, float> workspace;
  StaticScene<3, float> kept;
  build_static_scene(scene, kept, workspace, CollideOptions());
  const Rays rays = rays_of("lidar", kept, side, 262144);
  RayHits<3, float> hits;
  double best[2] = {1e9, 1e9};
  std::uint64_t hashes[2] = {};
  for (auto _ : state) {
    for (int pass = 0; pass < 60; ++pass) {
      CastOptions options;
      options.threads.count = 1 + pass % 2;
      const auto start = std::chrono::steady_clock::now();
      cast_rays(kept, rays.span(), hits, workspace, options);
      const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
      best[pass % 2] = std::min(best[pass % 2], taken.count());
      hashes[pass % 2] = hash(hits);
    }
  }
  state.counters["speedup"] = best[0] / best[1];
  state.counters["differ"] = hashes[0] == hashes[1] ? 0 : 1;
}

}  // namespace
}  // namespace widephase::bench

int main(int argc, char** argv) {
  using namespace widephase::bench;
  for (const std::size_t shapes : {std::size_t{64}, std::size_t{100000}, std::size_t{1000000}}) {
    for (const auto& [scene, density] : {std::pair{"dense", 0.43}, std::pair{"sparse", 0.005}}) {
      for (const char* pattern : {"lidar", "height", "apart"}) {
        for (const bool any : {false, true}) {
          const std::string name = std::string("rays/") + pattern + "/" + scene + "/" +
                                   std::to_string(shapes) + (any ? "/any" : "/nearest");
          benchmark::RegisterBenchmark(name.c_str(), [pattern, density = density, shapes,
                                                      any](benchmark::State& state) {
            run(state, pattern, density, shapes, any);
          })->Iterations(5);
        }
      }
    }
  }
  benchmark::RegisterBenchmark("worlds/height/4096x64x192", [](benchmark::State& state) {
    run_worlds(state, 4096, 64, 192);
  })->Iterations(5);
  for (const bool keeps : {false, true}) {
    benchmark::RegisterBenchmark(
        keeps ? "worlds/steps/4096x64/order_kept" : "worlds/steps/4096x64/sorted_anew",
        [keeps](benchmark::State& state) { run_steps(state, 4096, 64, keeps); })
        ->Iterations(34);
  }
  for (const bool any : {false, true}) {
    benchmark::RegisterBenchmark(
        any ? "worlds/terrain/4096x20x187/any" : "worlds/terrain/4096x20x187",
        [any](benchmark::State& state) { run_terrain(state, 4096, 20, any); })
        ->Iterations(5);
  }
  benchmark::RegisterBenchmark("two_threads", run_two_threads)->Iterations(1);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
