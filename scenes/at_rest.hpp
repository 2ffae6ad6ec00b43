#pragma once

// Bodies at rest on a surface, which has one height at each place: `ground.height(x, y)`.

#include <algorithm>
#include <cmath>
#include <limits>

#include "make.hpp"
#include "scenes/geometries.hpp"
#include "soa/turn.hpp"

namespace widephase::scenes {

/// A body has a square of its own, in which it is up to `kAside` from the middle: at most 0.6 wide
/// to each side, none reaches another one's.
inline constexpr double kPlace = 1.5;
inline constexpr double kAside = 0.14;

/// How high a body must be to overlap the surface by 0.01, if its underside is `below(distance)`
/// under its center within `reach` of its axis.
template <class Ground, class Below>
double rest(const Ground& ground, double x, double y, double reach, const Below& below) {
  constexpr int kRings = 3;
  constexpr int kRays = 12;
  double most = ground.height(x, y) + below(0.0);
  for (int ring = 1; ring <= kRings; ++ring) {
    const double distance = reach * ring / kRings;
    for (int ray = 0; ray < kRays; ++ray) {
      const Turn2<double> turn = turn_of(6.283185307179586 * ray / kRays);
      const double under =
          ground.height(x + distance * turn.cosine, y + distance * turn.sine) + below(distance);
      most = std::max(most, under);
    }
  }
  return most - 0.01;
}

/// A rotation about z.
inline std::array<double, 4> any_yaw(Random& random) {
  const Turn2<double> half = turn_of(random.uniform(0, 3.141592653589793));
  return {0, 0, half.sine, half.cosine};
}

/// A sphere, a capsule that lies, or an upright box, hull, cylinder, ellipsoid or cone.
template <class T, class Ground>
void add_at_rest(SceneColumns<3, T>& scene, const Ground& ground, double x, double y,
                 Random& random) {
  const int kind = random.below(8);
  const double size = random.uniform(0.2, 0.4);
  const auto round = [](double reach, double height) {
    return [=](double distance) {
      const double share = distance / reach;
      return height * std::sqrt(std::max(1 - share * share, 0.0));
    };
  };
  const auto flat = [](double height) { return [=](double) { return height; }; };
  if (kind < 2) {
    return add_ball(scene, {x, y, rest(ground, x, y, size, round(size, size))}, size);
  }
  const std::array<double, 4> turn = any_yaw(random);
  if (kind == 2) {
    const double radius = 0.5 * size;
    // Along x after the turn.
    const std::array<double, 3> half_length{size * (turn[3] * turn[3] - turn[2] * turn[2]),
                                            size * 2 * turn[2] * turn[3], 0};
    double z = -std::numeric_limits<double>::max();
    for (const double share : {-1.0, -0.5, 0.0, 0.5, 1.0}) {
      z = std::max(z, rest(ground, x + share * half_length[0], y + share * half_length[1], radius,
                           round(radius, radius)));
    }
    return add_capsule(scene, {x, y, z}, half_length, radius);
  }
  const double half_height = random.uniform(0.15, 0.3);
  if (kind < 5) {
    const double z = rest(ground, x, y, std::sqrt(2.0) * size, flat(half_height));
    return add_box(scene, {x, y, z}, turn, {size, size, half_height});
  }
  if (kind == 5) {
    const double z = rest(ground, x, y, 0.3, round(0.3, 0.25));
    return add_instance(scene.hulls, {x, y, z}, turn, random.below(kHullLibrarySize));
  }
  if (kind == 6) {
    const double z = rest(ground, x, y, size, flat(half_height));
    if (random.below(2) == 0) return add_cone(scene, {x, y, z}, turn, half_height, size);
    return add_cylinder(scene, {x, y, z}, turn, half_height, size);
  }
  const double z = rest(ground, x, y, size, round(size, half_height));
  add_ellipsoid(scene, {x, y, z}, turn, {size, 0.75 * size, half_height});
}

/// Calls visit(x, y) in the squares of `count` bodies, of `side` times `side` squares; beyond that
/// many, in all again.
template <class Visit>
void for_each_place(int side, std::size_t count, Random& random, const Visit& visit) {
  std::size_t left = count;
  while (left > 0) {
    for (int place = 0; place < side * side && left > 0; ++place) {
      const int others = side * side - place;
      if (static_cast<std::size_t>(random.below(others)) >= left) continue;
      --left;
      const double x = kPlace * (place % side + 0.5) + random.uniform(-kAside, kAside);
      const double y = kPlace * (place / side + 0.5) + random.uniform(-kAside, kAside);
      visit(x, y);
    }
  }
}

}  // namespace widephase::scenes
