#pragma once

// The shapes of a scene, one by one, as the makers of peers need them.

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "pair_sets.hpp"

namespace widephase::bench {

/// A shape of a scene of spheres, capsules, boxes, hulls, cylinders, ellipsoids and cones. All
/// numbers are the scene's, except the position and rotation of a capsule, which are computed in
/// double.
struct PeerShape {
  Kind kind;
  std::array<double, 3> center;
  std::array<double, 4> turn;  ///< x y z w; for a capsule, it rotates z to the capsule's axis
  /// Sphere: radius. Capsule: radius, half the length of its core. Box, ellipsoid: half extents.
  /// Cylinder, cone, about the z axis, with the cone's apex above its center: radius, half height.
  std::array<double, 3> size;
  std::size_t geometry;  ///< for hulls
  double rounding = 0;   ///< outside of the size, for `PeerMaker::has_rounding`
};

/// The smallest rotation that takes z to the direction of (x, y, z).
inline std::array<double, 4> turn_from_z(double x, double y, double z) {
  const double length = std::sqrt(x * x + y * y + z * z);
  // (z cross d, 1 + z . d), normalized; for -z any axis perpendicular to z will do.
  const double w = 1 + z / length;
  if (w < 1e-12) return {1, 0, 0, 0};
  const double norm = std::sqrt((x * x + y * y) / (length * length) + w * w);
  return {-y / length / norm, x / length / norm, 0, w / norm};
}

/// All shapes of a scene, by id.
inline std::vector<PeerShape> peer_shapes(const SceneColumns<3, float>& scene) {
  std::vector<PeerShape> shapes;
  const auto place = [](const auto& table, std::size_t i) {
    PeerShape shape{};
    for (int k = 0; k < 3; ++k) shape.center[k] = table.center(i, k);
    for (int k = 0; k < 4; ++k) shape.turn[k] = table.turn(i, k);
    return shape;
  };
  for (std::size_t i = 0; i < scene.spheres.radius.size(); ++i) {
    PeerShape shape{Kind::sphere, {}, {0, 0, 0, 1}, {scene.spheres.radius[i], 0, 0}, 0};
    for (int k = 0; k < 3; ++k) shape.center[k] = scene.spheres.center(i, k);
    shapes.push_back(shape);
  }
  for (std::size_t i = 0; i < scene.capsules.radius.size(); ++i) {
    std::array<double, 3> center{}, along{};
    for (int k = 0; k < 3; ++k) {
      center[k] = (double{scene.capsules.a(i, k)} + scene.capsules.b(i, k)) / 2;
      along[k] = double{scene.capsules.b(i, k)} - scene.capsules.a(i, k);
    }
    const double half = std::hypot(along[0], along[1], along[2]) / 2;
    shapes.push_back({Kind::capsule,
                      center,
                      turn_from_z(along[0], along[1], along[2]),
                      {scene.capsules.radius[i], half, 0},
                      0});
  }
  for (std::size_t i = 0; i < row_count(scene.boxes); ++i) {
    PeerShape shape = place(scene.boxes, i);
    shape.kind = Kind::box;
    for (int k = 0; k < 3; ++k) shape.size[k] = scene.boxes.half_extents(i, k);
    shape.rounding = value_or(scene.boxes.radius, i, 0.0f);
    shapes.push_back(shape);
  }
  for (std::size_t i = 0; i < row_count(scene.hulls); ++i) {
    PeerShape shape = place(scene.hulls, i);
    shape.kind = Kind::hull;
    shape.rounding = value_or(scene.hulls.radius, i, 0.0f);
    shape.geometry = static_cast<std::size_t>(scene.hulls.geometry[i]);
    shapes.push_back(shape);
  }
  const auto add_about_axis = [&](Kind kind, const auto& table) {
    for (std::size_t i = 0; i < row_count(table); ++i) {
      PeerShape shape = place(table, i);
      shape.kind = kind;
      shape.size = {table.radius[i], table.half_height[i], 0};
      shape.rounding = value_or(table.rounding, i, 0.0f);
      shapes.push_back(shape);
    }
  };
  add_about_axis(Kind::cylinder, scene.cylinders);
  for (std::size_t i = 0; i < row_count(scene.ellipsoids); ++i) {
    PeerShape shape = place(scene.ellipsoids, i);
    shape.kind = Kind::ellipsoid;
    for (int k = 0; k < 3; ++k) shape.size[k] = scene.ellipsoids.half_extents(i, k);
    shape.rounding = value_or(scene.ellipsoids.rounding, i, 0.0f);
    shapes.push_back(shape);
  }
  add_about_axis(Kind::cone, scene.cones);
  return shapes;
}

/// The number of geometries that hulls share.
inline std::size_t geometry_count(const SceneColumns<3, float>& scene) {
  return scene.geometries.offsets.empty() ? 0 : scene.geometries.offsets.size() - 1;
}

/// The vertices of a geometry.
inline std::vector<std::array<float, 3>> geometry_vertices(const SceneColumns<3, float>& scene,
                                                           std::size_t geometry) {
  std::vector<std::array<float, 3>> vertices;
  for (auto v = static_cast<std::size_t>(scene.geometries.offsets[geometry]);
       v < static_cast<std::size_t>(scene.geometries.offsets[geometry + 1]); ++v) {
    vertices.push_back({scene.geometries.vertices(v, 0), scene.geometries.vertices(v, 1),
                        scene.geometries.vertices(v, 2)});
  }
  return vertices;
}

}  // namespace widephase::bench
