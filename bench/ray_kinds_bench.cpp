// Rays against shapes of one kind in 3D, float.
//
// `mesh`: from inside a bumpy ball of 10^6 triangles, beside Embree's own triangles; `field`: over
// ground of 1,025 x 1,025 samples, beside the same of its triangles. `lidar` and `apart` as in
// rays_bench. `kernel/<kind>`: 256 equal shapes in one place, so that nearly all time is that of
// tests; ns_test is the time of one, with that of the shape's box. Other counters are those of
// rays_bench.

#include <widephase/heightfields.hpp>
#include <widephase/hulls.hpp>
#include <widephase/meshes.hpp>

#include "rays_report.hpp"

namespace widephase::bench {
namespace {

/// Triangles between samples of a grid, which may be closed along its rows.
struct Grid {
  Column<float, 3> vertices;
  Column<std::int32_t, 3> indices;
  template <class PlaceOf>
  Grid(int rows, int columns, const PlaceOf& place_of_sample) {
    for (int row = 0; row < rows; ++row) {
      for (int column = 0; column < columns; ++column) {
        vertices.push_back(place_of_sample(row, column));
      }
    }
    for (int row = 0; row + 1 < rows; ++row) {
      for (int column = 0; column + 1 < columns; ++column) {
        const int low = row * columns + column, high = low + columns;
        indices.push_back({low, low + 1, high + 1});
        indices.push_back({low, high + 1, high});
      }
    }
  }
};

/// Rays from places: a full turn of 64 x 1,024 from each, or one of any direction.
Rays rays_from(const std::vector<std::array<double, 3>>& places, bool is_lidar) {
  Rays rays;
  Random random(21);
  for (const auto& from : places) {
    for (int i = 0; i < (is_lidar ? 65536 : 1); ++i) {
      const double turn = is_lidar ? (i % 1024) * 0.00613592315 : random.uniform(0, 6.2831853);
      const double up = is_lidar ? (i / 1024 - 48) * 0.01 : random.uniform(-0.9, 0.9);
      rays.add(from, {std::cos(turn), std::sin(turn), up});
    }
  }
  return rays;
}

void run_surface(benchmark::State& state, bool is_field, bool is_lidar, bool any) {
  SceneColumns<3, float> scene;
  const auto real = [](double x) { return static_cast<float>(x); };
  const auto ground = [](double x, double y) {
    return 0.6 * std::sin(0.11 * x) * std::cos(0.13 * y) + 0.1 * std::sin(1.1 * x + 0.7 * y);
  };
  constexpr int kSamples = 1025, kRows = 709;
  const Grid grid =
      is_field ? Grid(kSamples, kSamples,
                      [&](int row, int column) {
                        const double x = 0.1 * column, y = 0.1 * row;
                        return std::array<float, 3>{real(x), real(y), real(ground(x, y))};
                      })
               : Grid(kRows, kRows, [&](int row, int column) {
                   const double up = row * (3.14159265358979 / (kRows - 1));
                   const double turn = column % (kRows - 1) * (2 * 3.14159265358979 / (kRows - 1));
                   const double radius = 10 + 0.2 * std::sin(20 * up) * std::cos(17 * turn);
                   return std::array<float, 3>{real(radius * std::sin(up) * std::cos(turn)),
                                               real(radius * std::sin(up) * std::sin(turn)),
                                               real(radius * std::cos(up))};
                 });
  const auto add = [](auto& table) {
    table.center.push_back({0, 0, 0});
    table.turn.push_back({0, 0, 0, 1});
    table.geometry.push_back({0});
  };
  if (is_field) {
    Column<float> heights;
    for (std::size_t i = 0; i < grid.vertices.size(); ++i) heights.push_back(grid.vertices(i, 2));
    add_heightfield(scene.heightfield_geometries, ColumnSpan<float>(heights), kSamples, 0.1f, 0.1f);
    add(scene.heightfields);
  } else {
    add_mesh(scene.mesh_geometries, grid.vertices, grid.indices, true);
    add(scene.meshes);
  }
  std::vector<std::array<double, 3>> places;
  Random random(22);
  for (int i = 0; i < (is_lidar ? 1 : 65536); ++i) {
    const double x = random.uniform(-4, 4), y = random.uniform(-4, 4);
    const double z = is_field ? random.uniform(0.9, 3) : random.uniform(-4, 4);
    places.push_back({is_field ? 51.2 + 10 * x : x, is_field ? 51.2 + 10 * y : y, z});
  }
  const Rays rays = rays_from(places, is_lidar);
  Workspace<3, float> workspace;
  StaticScene<3, float> kept;
  CollideOptions options;
  options.threads.count = 1;
  const double start = thread_seconds();
  build_static_scene(scene, kept, workspace, options);
  const double build = thread_seconds() - start;
  std::vector<float> times;
  [[maybe_unused]] const double best = report(state, kept, rays, any, build, times);
#ifdef WIDEPHASE_EMBREE
  const double began = thread_seconds();
  EmbreeRays peer(grid.vertices, grid.indices);
  state.counters["peer_build_ms"] = (thread_seconds() - began) * 1e3;
  compare(state, peer, rays.origin, rays, is_lidar, any, times, best);
#endif
}

/// Parallel rays that come down on shapes that are all alike, half of them beside these.
void run_kernel(benchmark::State& state, Kind kind) {
  SceneColumns<3, float> scene;
  Random random(31);
  for (int i = 0; i < 256; ++i) {
    random = Random(31);
    if (kind == Kind::sphere) {
      scene.spheres.center.push_back({0, 0, 0});
      scene.spheres.radius.push_back(1.0f);
    } else if (kind == Kind::capsule) {
      scene.capsules.a.push_back({-0.4f, -0.5f, -0.3f});
      scene.capsules.b.push_back({0.4f, 0.5f, 0.3f});
      scene.capsules.radius.push_back(0.5f);
    } else if (kind == Kind::cylinder) {
      scene.cylinders.center.push_back({0, 0, 0});
      scene.cylinders.turn.push_back({0.6f, 0, 0, 0.8f});
      scene.cylinders.half_height.push_back(0.7f);
      scene.cylinders.radius.push_back(0.5f);
    } else {
      std::array<float, 4> turn;
      const std::array<double, 4> orientation = random.orientation();
      std::copy(orientation.begin(), orientation.end(), turn.begin());
      if (kind == Kind::box) {
        scene.boxes.center.push_back({0, 0, 0});
        scene.boxes.half_extents.push_back({0.7f, 0.5f, 0.9f});
        scene.boxes.turn.push_back(turn);
        continue;
      }
      if (i == 0) {
        Column<float, 3> points;
        for (int n = 0; n < 16; ++n) {
          const double z = (n + 0.5) / 8 - 1, out = std::sqrt(1 - z * z), at = 2.399963 * n;
          points.push_back({static_cast<float>(out * std::cos(at)),
                            static_cast<float>(out * std::sin(at)), static_cast<float>(z)});
        }
        add_hull(scene.geometries, points);
      }
      scene.hulls.center.push_back({0, 0, 0});
      scene.hulls.turn.push_back(turn);
      scene.hulls.geometry.push_back({0});
    }
  }
  Rays rays;
  for (int i = 0; i < 16384; ++i) {
    rays.add({-1.1 + 2.2 * (i % 128) / 127, -1.1 + 2.2 * (i / 128) / 127, 3}, {0.02, 0.03, -1});
  }
  Workspace<3, float> workspace;
  StaticScene<3, float> kept;
  CollideOptions options;
  options.threads.count = 1;
  build_static_scene(scene, kept, workspace, options);
  std::vector<float> times;
  const double best = report(state, kept, rays, false, 0, times);
  const double tests = state.counters["tests"] * static_cast<double>(rays.origin.size());
  state.counters["ns_test"] = best / tests * 1e9;
}

}  // namespace
}  // namespace widephase::bench

int main(int argc, char** argv) {
  using namespace widephase::bench;
  using widephase::Kind;
  for (const bool is_field : {false, true}) {
    for (const bool is_lidar : {true, false}) {
      for (const bool any : {false, true}) {
        const std::string name = std::string(is_field ? "field/" : "mesh/") +
                                 (is_lidar ? "lidar" : "apart") + (any ? "/any" : "/nearest");
        benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
          run_surface(state, is_field, is_lidar, any);
        })->Iterations(5);
      }
    }
  }
  for (const Kind kind : {Kind::sphere, Kind::capsule, Kind::box, Kind::cylinder, Kind::hull}) {
    const std::string name = "kernel/" + std::string(widephase::kind_name(kind, 3));
    benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
      run_kernel(state, kind);
    })->Iterations(9);
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
