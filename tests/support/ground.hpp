#pragma once

// Scenes of shapes of all kinds on a height field, written in doubles.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include <widephase/widephase.hpp>

#include "reference/random.hpp"

namespace widephase::test {

inline constexpr double kHole = std::numeric_limits<double>::quiet_NaN();
using Height = std::function<double(int row, int column)>;
using Quat = std::array<double, 4>;
inline constexpr Quat kLevel{0, 0, 0, 1};

inline Quat any_turn(Random& random) {
  Quat q{};
  double size = 0;
  for (double& x : q) {
    x = random.uniform(-1, 1);
    size += x * x;
  }
  for (double& x : q) x /= std::sqrt(size);
  return q;
}
inline std::array<double, 3> turned(const Quat& q, const std::array<double, 3>& v) {
  const double x = q[0], y = q[1], z = q[2], w = q[3];
  const double tx = 2 * (y * v[2] - z * v[1]), ty = 2 * (z * v[0] - x * v[2]);
  const double tz = 2 * (x * v[1] - y * v[0]);
  return {v[0] + w * tx + y * tz - z * ty, v[1] + w * ty + z * tx - x * tz,
          v[2] + w * tz + x * ty - y * tx};
}

/// A scene in which rows are written as doubles.
template <class T>
struct Ground {
  SceneColumns<3, T> scene;
  using Size = SizeOf<T>;
  using Position = PositionOf<T>;

  static std::array<Position, 3> at(const std::array<double, 3>& p) {
    return {static_cast<Position>(p[0]), static_cast<Position>(p[1]), static_cast<Position>(p[2])};
  }
  static std::array<Size, 4> turn(const Quat& q) {
    return {static_cast<Size>(q[0]), static_cast<Size>(q[1]), static_cast<Size>(q[2]),
            static_cast<Size>(q[3])};
  }
  static std::array<Size, 3> size(const std::array<double, 3>& p) {
    return {static_cast<Size>(p[0]), static_cast<Size>(p[1]), static_cast<Size>(p[2])};
  }

  std::int32_t add_field(int rows, int columns, double cell, const Height& height) {
    Column<Size> heights;
    for (int row = 0; row < rows; ++row) {
      for (int column = 0; column < columns; ++column) {
        heights.push_back({static_cast<Size>(height(row, column))});
      }
    }
    return add_heightfield(scene.heightfield_geometries, ColumnSpan<Size>(heights), columns,
                           static_cast<Size>(cell), static_cast<Size>(cell));
  }
  void place_field(std::int32_t geometry, const std::array<double, 3>& center = {},
                   const Quat& q = kLevel) {
    scene.heightfields.center.push_back(at(center));
    scene.heightfields.turn.push_back(turn(q));
    scene.heightfields.geometry.push_back({geometry});
    scene.heightfields.fixed.push_back({1});
  }
  void add_sphere(const std::array<double, 3>& center, double radius) {
    scene.spheres.center.push_back(at(center));
    scene.spheres.radius.push_back({static_cast<Size>(radius)});
  }
  void add_box(const std::array<double, 3>& center, const std::array<double, 3>& half,
               const Quat& q = kLevel, double radius = 0) {
    scene.boxes.center.push_back(at(center));
    scene.boxes.turn.push_back(turn(q));
    scene.boxes.half_extents.push_back(size(half));
    if (radius > 0 || !scene.boxes.radius.empty()) {
      scene.boxes.radius.push_back({static_cast<Size>(radius)});
    }
  }
  /// A shape of any kind, half extents about `half`, at any turn.
  void add(Kind kind, const std::array<double, 3>& center, const std::array<double, 3>& half,
           const Quat& q) {
    const auto posed = [&](auto& table) {
      table.center.push_back(at(center));
      table.turn.push_back(turn(q));
    };
    const std::array<double, 3> axis = turned(q, {0, 0, half[2]});
    switch (kind) {
      case Kind::sphere:
        return add_sphere(center, half[0]);
      case Kind::capsule:
        scene.capsules.a.push_back(
            at({center[0] - axis[0], center[1] - axis[1], center[2] - axis[2]}));
        scene.capsules.b.push_back(
            at({center[0] + axis[0], center[1] + axis[1], center[2] + axis[2]}));
        scene.capsules.radius.push_back({static_cast<Size>(half[0])});
        return;
      case Kind::aabb:
        scene.aabbs.min.push_back(
            at({center[0] - half[0], center[1] - half[1], center[2] - half[2]}));
        scene.aabbs.max.push_back(
            at({center[0] + half[0], center[1] + half[1], center[2] + half[2]}));
        return;
      case Kind::box:
        return add_box(center, half, q);
      case Kind::hull: {
        std::vector<Size> vertices;
        Column<Size, 3> points;
        for (int v = 0; v < 12; ++v) {
          const double up = -1 + v * (2.0 / 11), angle = 2.4 * v, wide = 1.2 - 0.5 * up * up;
          points.push_back(size(
              {half[0] * wide * std::cos(angle), half[1] * wide * std::sin(angle), half[2] * up}));
        }
        const std::int32_t hull = add_hull(scene.geometries, ColumnSpan<Size, 3>(points));
        posed(scene.hulls);
        scene.hulls.geometry.push_back({hull});
        return;
      }
      case Kind::cylinder:
      case Kind::cone: {
        const auto round = [&](auto& table) {
          posed(table);
          table.half_height.push_back({static_cast<Size>(half[2])});
          table.radius.push_back({static_cast<Size>(half[0])});
        };
        if (kind == Kind::cylinder) return round(scene.cylinders);
        return round(scene.cones);
      }
      case Kind::ellipsoid:
        posed(scene.ellipsoids);
        scene.ellipsoids.half_extents.push_back(size(half));
        return;
      case Kind::polygon:
      case Kind::halfspace:
      case Kind::heightfield:
      case Kind::mesh:
      case Kind::chain:
        break;
    }
  }
  std::int32_t add_mesh_of(const std::vector<std::array<double, 3>>& vertices,
                           const std::vector<std::array<std::int32_t, 3>>& triangles,
                           bool two_sided = false) {
    Column<Size, 3> points;
    for (const auto& vertex : vertices) points.push_back(size(vertex));
    Column<std::int32_t, 3> indices;
    for (const auto& triangle : triangles) indices.push_back(triangle);
    return add_mesh(scene.mesh_geometries, points.span(), indices.span(), two_sided);
  }
  void place_mesh(std::int32_t geometry, const std::array<double, 3>& center = {},
                  const Quat& q = kLevel, double radius = 0) {
    scene.meshes.center.push_back(at(center));
    scene.meshes.turn.push_back(turn(q));
    scene.meshes.geometry.push_back({geometry});
    scene.meshes.fixed.push_back({1});
    if (radius > 0 || !scene.meshes.radius.empty()) {
      scene.meshes.radius.push_back({static_cast<Size>(radius)});
    }
  }
  std::int32_t mesh_id(std::int32_t row = 0) const { return layout_of(scene).id(Kind::mesh, row); }
  std::int32_t field_id(std::int32_t row = 0) const {
    return layout_of(scene).id(Kind::heightfield, row);
  }
};

inline constexpr Kind kShapes[] = {Kind::sphere, Kind::capsule,  Kind::aabb,      Kind::box,
                                   Kind::hull,   Kind::cylinder, Kind::ellipsoid, Kind::cone};

template <class T>
ContactBuffer<3, T> contacts_of(const SceneColumns<3, T>& scene, CollideOptions options = {}) {
  Workspace<3, T> workspace;
  ContactBuffer<3, T> contacts;
  collide(scene, contacts, workspace, options);
  return contacts;
}

/// Contacts have the same bits on any number of threads and every instruction set.
template <class T>
void expect_alike_on_threads_and_sets(const SceneColumns<3, T>& scene) {
  CollideOptions options;
  options.threads.count = 1;
  options.isa = built_isas().front();
  const std::uint64_t expected = hash(contacts_of(scene, options));
  for (const Isa isa : built_isas()) {
    if (!cpu_has(isa)) continue;
    options.isa = isa;
    for (const int threads : {1, 2, 5}) {
      options.threads.count = threads;
      EXPECT_EQ(hash(contacts_of(scene, options)), expected);
    }
  }
}

/// Shapes of all kinds near ground, as deep as 0.03 and as high as 0.02, in worlds of their own.
template <class T>
void add_shapes(Random& random, int count, double width,
                const std::function<double(double, double)>& z, Ground<T>& ground) {
  for (int i = 0; i < count; ++i) {
    const Kind kind = kShapes[i % 8];
    const double x = random.uniform(1, width - 1), y = random.uniform(1, width - 1);
    const std::array<double, 3> half{random.uniform(0.05, 0.3), random.uniform(0.05, 0.3),
                                     random.uniform(0.05, 0.3)};
    const Quat q =
        i / 8 % 2 == 0 ? Quat{0, 0, std::sin(0.1 * i), std::cos(0.1 * i)} : any_turn(random);
    ground.add(kind, {x, y, z(x, y) + random.uniform(0.05, 0.45)}, half, q);
  }
}

}  // namespace widephase::test
