#pragma once

// Shared code of the generators. Each generator appends `count` bodies of one world to a scene,
// with the floor or walls that they need.

#include <array>
#include <cmath>
#include <type_traits>

#include <widephase/scene.hpp>

#include "scenes/random.hpp"

namespace widephase::scenes {

#define WIDEPHASE_GENERATOR(name) \
  template <int D, class T>       \
  void name(SceneColumns<D, T>& scene, std::size_t count, Random& random)

// scattered.cpp
WIDEPHASE_GENERATOR(add_uniform);
WIDEPHASE_GENERATOR(add_power_law);
WIDEPHASE_GENERATOR(add_outliers);
WIDEPHASE_GENERATOR(add_clustered);
WIDEPHASE_GENERATOR(add_plates);
WIDEPHASE_GENERATOR(add_sticks);
WIDEPHASE_GENERATOR(add_mixed);
template <class T>
void add_smooth(SceneColumns<3, T>& scene, std::size_t count, Random& random);
// heaps.cpp
WIDEPHASE_GENERATOR(add_packed);
WIDEPHASE_GENERATOR(add_stacks);
WIDEPHASE_GENERATOR(add_pyramid);
WIDEPHASE_GENERATOR(add_pile);
template <class T>
void add_corridor(SceneColumns<2, T>& scene, std::size_t count, Random& random);
template <class T>
void add_smooth_pile(SceneColumns<3, T>& scene, std::size_t count, Random& random);
// level.cpp
template <class T>
void add_level(SceneColumns<3, T>& scene, std::size_t count, Random& random);
template <class T>
void add_walls(SceneColumns<3, T>& scene, std::size_t count, Random& random);
// terrain.cpp
template <class T>
void add_terrain(SceneColumns<3, T>& scene, std::size_t count, Random& random);
template <class T>
void add_stairs(SceneColumns<3, T>& scene, std::size_t count, Random& random);

/// The n-th root of a number >= 0, to a few roundings; std::pow differs between systems. Newton's
/// method starts above the root and descends until rounding stops it.
inline double root(double number, int n) {
  if (number == 0) return 0;
  int exponent = 0;
  std::frexp(number, &exponent);
  // number < 2^exponent, so this is above the root, by a factor of about two at most.
  double value = std::ldexp(1, (exponent + (exponent > 0 ? n - 1 : 0)) / n);
  for (;;) {
    double power = 1;
    for (int i = 1; i < n; ++i) power *= value;
    const double next = ((n - 1) * value + number / power) / n;
    if (!(next < value)) return value;
    value = next;
  }
}

template <int D>
using Point = std::type_identity_t<std::array<double, D>>;

template <int D, class T>
auto& balls_of(SceneColumns<D, T>& scene) {
  if constexpr (D == 2) {
    return scene.circles;
  } else {
    return scene.spheres;
  }
}

template <class T, std::size_t N>
std::array<T, N> rounded(const std::array<double, N>& values) {
  std::array<T, N> row;
  for (std::size_t i = 0; i < N; ++i) row[i] = static_cast<T>(values[i]);
  return row;
}

template <int D, class T>
void add_ball(SceneColumns<D, T>& scene, const Point<D>& center, double radius) {
  balls_of(scene).center.push_back(rounded<T>(center));
  balls_of(scene).radius.push_back({static_cast<T>(radius)});
}

template <int D, class T>
void add_aabb(SceneColumns<D, T>& scene, const Point<D>& center, const Point<D>& half) {
  std::array<double, D> min, max;
  for (std::size_t k = 0; k < D; ++k) {
    min[k] = center[k] - half[k];
    max[k] = center[k] + half[k];
  }
  scene.aabbs.min.push_back(rounded<T>(min));
  scene.aabbs.max.push_back(rounded<T>(max));
}

/// The orientation of a row: an angle in 2D, x y z w in 3D.
template <int D>
using TurnRow = std::array<double, D == 2 ? 1 : 4>;

template <int D>
TurnRow<D> level() {
  TurnRow<D> turn{};
  if constexpr (D == 3) turn[3] = 1;
  return turn;
}

template <int D, class T>
void add_box(SceneColumns<D, T>& scene, const Point<D>& center,
             const std::type_identity_t<TurnRow<D>>& turn, const Point<D>& half) {
  scene.boxes.center.push_back(rounded<T>(center));
  scene.boxes.turn.push_back(rounded<T>(turn));
  scene.boxes.half_extents.push_back(rounded<T>(half));
}

/// Adds an instance of a polygon or hull.
template <class Instances, int D = Instances::D>
void add_instance(Instances& instances, const Point<D>& center, const TurnRow<D>& turn,
                  std::int32_t geometry) {
  using T = typename Instances::Real;
  instances.center.push_back(rounded<T>(center));
  instances.turn.push_back(rounded<T>(turn));
  instances.geometry.push_back({geometry});
}

template <class T>
void add_capsule(SceneColumns<3, T>& scene, const std::array<double, 3>& center,
                 const std::array<double, 3>& half_length, double radius) {
  std::array<double, 3> a, b;
  for (std::size_t k = 0; k < 3; ++k) {
    a[k] = center[k] - half_length[k];
    b[k] = center[k] + half_length[k];
  }
  scene.capsules.a.push_back(rounded<T>(a));
  scene.capsules.b.push_back(rounded<T>(b));
  scene.capsules.radius.push_back({static_cast<T>(radius)});
}

/// Adds a cylinder or a cone.
template <class Table>
void add_round(Table& table, const std::array<double, 3>& center, const TurnRow<3>& turn,
               double half_height, double radius) {
  using T = typename Table::Real;
  table.center.push_back(rounded<T>(center));
  table.turn.push_back(rounded<T>(turn));
  table.half_height.push_back({static_cast<T>(half_height)});
  table.radius.push_back({static_cast<T>(radius)});
}

template <class T>
void add_cylinder(SceneColumns<3, T>& scene, const std::array<double, 3>& center,
                  const TurnRow<3>& turn, double half_height, double radius) {
  add_round(scene.cylinders, center, turn, half_height, radius);
}

template <class T>
void add_cone(SceneColumns<3, T>& scene, const std::array<double, 3>& center,
              const TurnRow<3>& turn, double half_height, double radius) {
  add_round(scene.cones, center, turn, half_height, radius);
}

/// The scene's cylinders must all be rounded.
template <class T>
void add_rounded_cylinder(SceneColumns<3, T>& scene, const std::array<double, 3>& center,
                          const TurnRow<3>& turn, double half_height, double radius,
                          double rounding) {
  add_round(scene.cylinders, center, turn, half_height, radius);
  scene.cylinders.rounding.push_back({static_cast<T>(rounding)});
}

template <class T>
void add_ellipsoid(SceneColumns<3, T>& scene, const std::array<double, 3>& center,
                   const TurnRow<3>& turn, const std::array<double, 3>& half) {
  scene.ellipsoids.center.push_back(rounded<T>(center));
  scene.ellipsoids.turn.push_back(rounded<T>(turn));
  scene.ellipsoids.half_extents.push_back(rounded<T>(half));
}

/// A fixed halfspace: everything beyond `offset` along an axis, on the lower or upper side.
template <int D, class T>
void add_wall(SceneColumns<D, T>& scene, int axis, bool is_lower, double offset) {
  std::array<T, D> normal{};
  normal[static_cast<std::size_t>(axis)] = static_cast<T>(is_lower ? 1 : -1);
  scene.halfspaces.normal.push_back(normal);
  scene.halfspaces.offset.push_back({static_cast<T>(is_lower ? offset : -offset)});
  scene.halfspaces.fixed.push_back({1});
}

/// A uniformly distributed orientation.
template <int D>
TurnRow<D> any_turn(Random& random) {
  if constexpr (D == 2) {
    return {random.uniform(0, 6.283185307179586)};
  } else {
    return random.orientation();
  }
}

}  // namespace widephase::scenes
