#pragma once

// Shapes on a square of ground that all worlds share, 20 in each world, two in five of them near
// the ground (legs), the others above.

#include <cmath>

#include <widephase/heightfields.hpp>
#include <widephase/hulls.hpp>
#include <widephase/meshes.hpp>

#include "scenes.hpp"

namespace widephase::bench {

inline constexpr int kGroundSamples = 256;  // along a side of the height field
inline constexpr float kGroundCell = 0.1f;
inline constexpr int kGroundShapes = 20;  // of a world

/// Waves with noise of 0.03 on them.
inline Column<float> ground_heights(Random& random, int samples = kGroundSamples) {
  Column<float> heights;
  for (int row = 0; row < samples; ++row) {
    for (int column = 0; column < samples; ++column) {
      const double x = 0.06 * column, y = 0.06 * row;
      const double wave =
          0.5 * std::sin(x) * std::cos(1.3 * y) + 0.25 * std::sin(2.1 * x + 1) * std::sin(2.7 * y);
      heights.push_back({static_cast<float>(0.6 * wave + random.uniform(-0.03, 0.03))});
    }
  }
  return heights;
}

inline constexpr int kDebrisForms = 16;
/// Hulls of 12 points on ellipsoids as wide as the boxes are.
inline void add_debris_forms(SceneColumns<3, float>& scene, Random& random) {
  for (int form = 0; form < kDebrisForms; ++form) {
    Column<float, 3> points;
    double half[3];
    for (double& h : half) h = random.uniform(0.05, 0.12);
    for (int p = 0; p < 12; ++p) {
      double at[3], size = 0;
      for (double& x : at) size += (x = random.uniform(-1, 1), x * x);
      for (int k = 0; k < 3; ++k) at[k] *= half[k] / std::sqrt(size);
      points.push_back(
          {static_cast<float>(at[0]), static_cast<float>(at[1]), static_cast<float>(at[2])});
    }
    add_hull(scene.geometries, ColumnSpan<float, 3>(points));
  }
}

/// Shapes on ground of such heights, without the ground itself. Only the ground is
/// met: all have one owner.
inline SceneColumns<3, float> shapes_on_ground(Kind kind, int count, bool has_worlds,
                                               const Column<float>& heights, int samples,
                                               Random& random) {
  SceneColumns<3, float> scene;
  const auto real = [](double x) { return static_cast<float>(x); };
  const double last = (samples - 16) / 10.;
  for (int i = 0; i < count; ++i) {
    const double x = random.uniform(1, last), y = random.uniform(1, last);
    const auto row = static_cast<std::size_t>(y / 0.1), column = static_cast<std::size_t>(x / 0.1);
    const std::size_t sample = row * static_cast<std::size_t>(samples) + column;
    const bool is_near = random.uniform(0, 1) < 0.4;
    const double z =
        heights[sample] + (is_near ? random.uniform(-0.02, 0.08) : random.uniform(0.15, 1));
    const std::int32_t world = has_worlds ? i / kGroundShapes : 0;
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
    } else if (kind == Kind::hull) {
      if (scene.geometries.offsets.empty()) add_debris_forms(scene, random);
      scene.hulls.center.push_back({real(x), real(y), real(z)});
      scene.hulls.turn.push_back({real(std::sin(tilt / 2) * std::cos(yaw / 2)),
                                  real(std::sin(tilt / 2) * std::sin(yaw / 2)),
                                  real(std::cos(tilt / 2) * std::sin(yaw / 2)),
                                  real(std::cos(tilt / 2) * std::cos(yaw / 2))});
      scene.hulls.geometry.push_back({random.below(kDebrisForms)});
      scene.hulls.world.push_back({world});
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
  const auto own = [](auto& table, std::size_t count) { table.owner.resize(count, 1); };
  own(scene.spheres, scene.spheres.radius.size());
  own(scene.capsules, scene.capsules.radius.size());
  own(scene.boxes, scene.boxes.center.size());
  own(scene.hulls, scene.hulls.center.size());
  return scene;
}

/// Adds a height field, or a mesh of the same triangles, in all worlds.
inline void add_ground(SceneColumns<3, float>& scene, const Column<float>& heights, int samples,
                       bool is_mesh) {
  const auto add = [&](auto& table, std::int32_t geometry) {
    table.center.push_back({0, 0, 0});
    table.turn.push_back({0, 0, 0, 1});
    table.geometry.push_back({geometry});
    table.world.push_back({-1});
    table.fixed.push_back({1});
  };
  if (!is_mesh) {
    add(scene.heightfields,
        add_heightfield(scene.heightfield_geometries, ColumnSpan<float>(heights), samples,
                        kGroundCell, kGroundCell));
    return;
  }
  Column<float, 3> vertices;
  Column<std::int32_t, 3> triangles;
  for (int row = 0; row < samples; ++row) {
    for (int column = 0; column < samples; ++column) {
      const int at = row * samples + column, above = at + samples;
      vertices.push_back({static_cast<float>(column) * kGroundCell,
                          static_cast<float>(row) * kGroundCell,
                          heights[static_cast<std::size_t>(at)]});
      if (row + 1 == samples || column + 1 == samples) continue;
      triangles.push_back({at, at + 1, above + 1});
      triangles.push_back({at, above + 1, above});
    }
  }
  add(scene.meshes,
      add_mesh<float>(scene.mesh_geometries, vertices.span(), triangles.span(), false));
}

}  // namespace widephase::bench
