#pragma once

// Scenes that the benchmarks share (pair_sets.hpp has lists of pairs). Seeded: every run has the
// same.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <widephase/collide.hpp>
#include <widephase/hulls.hpp>
#include <widephase/polygons.hpp>

namespace widephase::bench {

/// What a row set out to reach, in the row's unit.
struct Aim {
  const char* row;
  double value;
};

/// Adds the counter `to_aim`, measured over aimed at, where the row has an aim.
template <class State, std::size_t N>
void report_aim(State& state, const Aim (&aims)[N], const std::string& row, double measured) {
  for (const Aim& aim : aims) {
    if (row == aim.row) state.counters["to_aim"] = measured / aim.value;
  }
}

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  double uniform(double low, double high) {
    return low + (high - low) * static_cast<double>(engine_() >> 11) * 0x1p-53;
  }
  double normal() { return normal_(engine_); }
  int below(int count) { return static_cast<int>(engine_() % static_cast<std::uint64_t>(count)); }
  template <class List>
  void shuffle(List& list) {
    for (std::size_t i = list.size(); i > 1; --i) std::swap(list[i - 1], list[engine_() % i]);
  }

 private:
  std::mt19937_64 engine_;
  std::normal_distribution<double> normal_;
};

/// The side of a domain in which `count` shapes of radii uniform in [0.3, 1] have 4 neighbours
/// each: 2 pairs of overlapping bounds a shape.
template <int D>
double uniform_side(std::size_t count) {
  // The bounds of two radii r, s overlap within a volume of (2 (r + s))^D, on average:
  const double volume = D == 3 ? 20.12 : 7.09;
  return std::pow(static_cast<double>(count) * volume / 4, 1.0 / D);
}

/// Random points of [0, side]^D and radii in [0.3, 1], stored in random order.
template <int D, class T>
SceneColumns<D, T> uniform_balls(std::size_t count, std::uint64_t seed = 1) {
  const double side = uniform_side<D>(count);
  Random random(seed);
  SceneColumns<D, T> scene;
  auto& balls = [&]() -> auto& {
    if constexpr (D == 2)
      return scene.circles;
    else
      return scene.spheres;
  }();
  balls.center.resize_uninitialized(count);
  balls.radius.resize_uninitialized(count);
  for (std::size_t i = 0; i < count; ++i) {
    for (int k = 0; k < D; ++k) balls.center(i, k) = static_cast<T>(random.uniform(0, side));
    balls.radius[i] = static_cast<T>(random.uniform(0.3, 1));
  }
  return scene;
}

/// Radii by a power law over 1:1000 (density ~ r^-3.5), about 0.4 pairs a body.
template <int D, class T>
SceneColumns<D, T> power_law_balls(std::size_t count) {
  const double side = 0.01254 * std::cbrt(static_cast<double>(count));
  Random random(2);
  SceneColumns<D, T> scene;
  scene.spheres.center.resize_uninitialized(count);
  scene.spheres.radius.resize_uninitialized(count);
  for (std::size_t i = 0; i < count; ++i) {
    for (int k = 0; k < D; ++k)
      scene.spheres.center(i, k) = static_cast<T>(random.uniform(0, side));
    const double exponent = -2.5;
    const double low = std::pow(0.001, exponent), high = std::pow(1.0, exponent);
    scene.spheres.radius[i] = static_cast<T>(std::pow(random.uniform(high, low), 1 / exponent));
  }
  return scene;
}

/// The same shapes in the order of a coarse curve through space.
template <class T>
void sort_in_space(SceneColumns<3, T>& scene) {
  const std::size_t count = scene.spheres.radius.size();
  T most = 0;
  for (std::size_t i = 0; i < count; ++i) {
    for (int k = 0; k < 3; ++k) most = std::max(most, scene.spheres.center(i, k));
  }
  std::vector<std::pair<std::uint32_t, std::uint32_t>> order(count);
  for (std::size_t i = 0; i < count; ++i) {
    std::uint32_t key = 0;
    for (int bit = 9; bit >= 0; --bit) {
      for (int k = 0; k < 3; ++k) {
        const auto cell = static_cast<std::uint32_t>(scene.spheres.center(i, k) / most * 1023);
        key = key << 1 | (cell >> bit & 1);
      }
    }
    order[i] = {key, static_cast<std::uint32_t>(i)};
  }
  std::sort(order.begin(), order.end());
  SceneColumns<3, T> sorted;
  sorted.spheres.center.resize_uninitialized(count);
  sorted.spheres.radius.resize_uninitialized(count);
  for (std::size_t i = 0; i < count; ++i) {
    sorted.spheres.center.set(i, scene.spheres.center.row(order[i].second));
    sorted.spheres.radius[i] = scene.spheres.radius[order[i].second];
  }
  scene = std::move(sorted);
}

/// Adds `count` hulls of 3 to 8 points near ellipses of semi-axes in [low, high] around the origin.
/// Most keep all their points, and no two vertices come nearer than about 0.1 semi-axes.
template <class T>
void add_small_polygons(SceneColumns<2, T>& scene, int count, double low, double high,
                        Random& random) {
  for (int g = 0; g < count; ++g) {
    const int corners = 3 + random.below(6);
    const double x = random.uniform(low, high), y = random.uniform(low, high);
    Column<T, 2> points;
    for (int i = 0; i < corners; ++i) {
      const double angle = 2 * std::numbers::pi * (i + random.uniform(0.1, 0.9)) / corners;
      const double out = random.uniform(0.95, 1);
      points.push_back(
          {static_cast<T>(out * x * std::cos(angle)), static_cast<T>(out * y * std::sin(angle))});
    }
    add_polygon(scene.geometries, points);
  }
}

/// Adds `count` polygons of 64 vertices near ellipses of semi-axes in [low, high] around the
/// origin.
template <class T>
void add_large_polygons(SceneColumns<2, T>& scene, int count, double low, double high,
                        Random& random) {
  for (int g = 0; g < count; ++g) {
    const double x = random.uniform(low, high), y = random.uniform(low, high);
    Column<T, 2> points;
    for (int i = 0; i < kMostPolygonVertices; ++i) {
      const double angle = 2 * std::numbers::pi * i / kMostPolygonVertices;
      // A corner stands out by 1 - cos(2 pi / 64) = 0.0048 radii: it keeps more than half of that.
      const double out = random.uniform(0.999, 1.001);
      points.push_back(
          {static_cast<T>(out * x * std::cos(angle)), static_cast<T>(out * y * std::sin(angle))});
    }
    add_polygon(scene.geometries, points);
  }
}

/// Adds `count` hulls of `vertices` (4 or more) points on ellipsoids of semi-axes in [low, high]
/// around the origin. All points are vertices, spread evenly but for a random part of their
/// spacing.
template <class T>
void add_hulls(SceneColumns<3, T>& scene, int count, int vertices, double low, double high,
               Random& random) {
  const double golden_angle = std::numbers::pi * (3 - std::sqrt(5.0));
  for (int g = 0; g < count; ++g) {
    const std::array<double, 3> semi_axes{random.uniform(low, high), random.uniform(low, high),
                                          random.uniform(low, high)};
    Column<T, 3> points;
    for (int i = 0; i < vertices; ++i) {
      // Bands of equal height have equal areas of the unit ball; the angle spreads its points.
      const double height = 1 - 2 * (i + random.uniform(0.2, 0.8)) / vertices;
      const double angle = golden_angle * i + random.uniform(-0.3, 0.3);
      const double across = std::sqrt(1 - height * height);
      points.push_back({static_cast<T>(semi_axes[0] * across * std::cos(angle)),
                        static_cast<T>(semi_axes[1] * across * std::sin(angle)),
                        static_cast<T>(semi_axes[2] * height)});
    }
    add_hull(scene.geometries, points);
  }
}

/// As many circles, boxes and polygons of 3 to 8 vertices (512 geometries), all of about the same
/// size, at any angle, in random order, about 2 pairs of overlapping bounds a shape.
template <class T>
SceneColumns<2, T> mixed_shapes(std::size_t count) {
  const double area = 6.85;  // of the sum of two bounds, on average
  const double side = std::sqrt(static_cast<double>(count) * area / 4);
  Random random(3);
  SceneColumns<2, T> scene;
  add_small_polygons(scene, 512, 0.35, 1.05, random);
  const auto place = [&] {
    const double x = random.uniform(0, side), y = random.uniform(0, side);
    return std::array<T, 2>{static_cast<T>(x), static_cast<T>(y)};
  };
  const auto number = [&](double low, double high) {
    return static_cast<T>(random.uniform(low, high));
  };
  for (std::size_t i = 0; i < count; ++i) {
    if (i % 3 == 0) {
      scene.circles.center.push_back(place());
      scene.circles.radius.push_back({number(0.3, 1)});
    } else if (i % 3 == 1) {
      scene.boxes.center.push_back(place());
      scene.boxes.turn.push_back({number(0, 2 * std::numbers::pi)});
      const T half_x = number(0.25, 0.8), half_y = number(0.25, 0.8);
      scene.boxes.half_extents.push_back({half_x, half_y});
    } else {
      scene.polygons.center.push_back(place());
      scene.polygons.turn.push_back({number(0, 2 * std::numbers::pi)});
      scene.polygons.geometry.push_back({random.below(512)});
    }
  }
  return scene;
}

}  // namespace widephase::bench
