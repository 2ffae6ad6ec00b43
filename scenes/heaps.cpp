// Ordered scenes: lattices, stacks, heaps on a floor, a crowd between walls.
//
// Resting bodies overlap slightly in a physics engine. So do these: where faces lie on faces, by
// kOverlap.

#include "scenes/geometries.hpp"

#include "make.hpp"

namespace widephase::scenes {
namespace {

constexpr double kOverlap = 0.005;

/// The smallest n whose D-th power is at least `count`.
template <int D>
std::size_t lattice_side(std::size_t count) {
  const auto power = [](std::size_t n) { return D == 2 ? n * n : n * n * n; };
  auto side = static_cast<std::size_t>(root(static_cast<double>(count), D));
  if (side > 0) --side;  // the root may have been rounded up
  while (power(side) < count) ++side;
  return side;
}

/// Calls `visit(place)` for `count` places of a heap, starting with the lowest layer. Each place of
/// a higher layer is above the middle of two places in 2D, or of a square of four in 3D. place[D -
/// 1] is the layer, counted from 0. The other coordinates are in units of the distance between
/// neighbours.
template <int D, class Visit>
void for_each_place(std::size_t count, const Visit& visit) {
  // Uses as few layers as possible. They have n, n - 1, ... places in 2D, and squares of these
  // sides in 3D.
  std::size_t side = 0;
  for (std::size_t places = 0; places < count;) {
    ++side;
    places += D == 2 ? side : side * side;
  }
  std::size_t visited = 0;
  for (std::size_t layer = 0; layer < side; ++layer) {
    const std::size_t across = side - layer;
    for (std::size_t i = 0; i < (D == 2 ? across : across * across); ++i) {
      if (visited++ == count) return;
      std::array<double, D> place;
      place[0] = static_cast<double>(i % across) + 0.5 * static_cast<double>(layer);
      if (D == 3) place[1] = static_cast<double>(i / across) + 0.5 * static_cast<double>(layer);
      place[D - 1] = static_cast<double>(layer);
      visit(place);
    }
  }
}

/// A rotation about the vertical by up to about a quarter turn either way; none in 2D.
template <int D>
TurnRow<D> any_turn_about_vertical(Random& random) {
  TurnRow<D> turn = level<D>();
  if constexpr (D == 3) {
    // The tangent of half the angle: sine and cosine are rational functions of it.
    const double tangent = random.uniform(-0.5, 0.5);
    turn[2] = 2 * tangent / (1 + tangent * tangent);
    turn[3] = (1 - tangent * tangent) / (1 + tangent * tangent);
  }
  return turn;
}

}  // namespace

/// Each shape fills a cell of side 1 and touches the shapes of neighbouring cells, except that a
/// ball does not reach neighbours across an edge or a corner.
WIDEPHASE_GENERATOR(add_packed) {
  const std::size_t side = lattice_side<D>(count);
  std::array<double, D> half;
  half.fill(0.5);
  for (std::size_t i = 0; i < count; ++i) {
    std::array<double, D> center;
    std::size_t rest = i;
    for (double& value : center) {
      value = static_cast<double>(rest % side) + 0.5;
      rest /= side;
    }
    const int kind = random.below(3);
    if (kind == 0) {
      add_ball(scene, center, 0.5);
    } else if (kind == 1) {
      add_aabb(scene, center, half);
    } else {
      add_box(scene, center, level<D>(), half);
    }
  }
}

/// Stacks are 2 apart. Their boxes, of size about 1, are slightly off centre and rotated about the
/// vertical.
WIDEPHASE_GENERATOR(add_stacks) {
  constexpr std::size_t kHigh = 10;
  const std::size_t stacks = (count + kHigh - 1) / kHigh;
  const std::size_t side = D == 2 ? stacks : lattice_side<2>(stacks);
  double top = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t stack = i / kHigh;
    if (i % kHigh == 0) top = 0;
    std::array<double, D> half = random.point<D>(0.4, 0.6);
    std::array<double, D> center = random.point<D>(-0.05, 0.05);
    center[0] += 2 * static_cast<double>(stack % side);
    if (D == 3) center[1] += 2 * static_cast<double>(stack / side);
    center[D - 1] = top - kOverlap + half[D - 1];
    top = center[D - 1] + half[D - 1];
    add_box(scene, center, any_turn_about_vertical<D>(random), half);
  }
  add_wall(scene, D - 1, true, 0);
}

/// Cubes of side 1, placed 1.1 apart in a layer, each on two below (four in 3D).
WIDEPHASE_GENERATOR(add_pyramid) {
  std::array<double, D> half;
  half.fill(0.5);
  for_each_place<D>(count, [&](std::array<double, D> place) {
    for (int k = 0; k < D - 1; ++k) place[k] = 1.1 * place[k] + random.uniform(-0.02, 0.02);
    place[D - 1] = 0.5 - kOverlap + place[D - 1] * (1 - kOverlap);
    add_box(scene, place, level<D>(), half);
  });
  add_wall(scene, D - 1, true, 0);
}

namespace {

/// Half of the bodies are polygons, the others boxes and circles, all with a radius of about 0.5.
template <class T>
void add_body(SceneColumns<2, T>& scene, const std::array<double, 2>& center, Random& random) {
  constexpr int kGeometries = 64;
  if (scene.geometries.offsets.empty()) {
    add_small_polygons(scene, kGeometries, 0.5, 0.56, random);
  }
  const int kind = random.below(4);
  if (kind == 0) return add_ball(scene, center, random.uniform(0.43, 0.48));
  const TurnRow<2> turn = any_turn<2>(random);
  if (kind == 1) return add_box(scene, center, turn, random.point<2>(0.36, 0.44));
  add_instance(scene.polygons, center, turn, random.below(kGeometries));
}

/// Half of the bodies are hulls, a quarter boxes, the others spheres, capsules and cylinders.
template <class T>
void add_body(SceneColumns<3, T>& scene, const std::array<double, 3>& center, Random& random) {
  if (scene.geometries.offsets.empty()) add_hull_library(scene, 0.47, 0.53, random);
  const int kind = random.below(12);
  if (kind == 0) return add_ball(scene, center, random.uniform(0.43, 0.48));
  if (kind == 1) {
    const std::array<double, 3> half_length = random.point<3>(-0.12, 0.12);
    return add_capsule(scene, center, half_length, random.uniform(0.34, 0.4));
  }
  const TurnRow<3> turn = any_turn<3>(random);
  if (kind == 2) {
    const double half_height = random.uniform(0.36, 0.42);
    return add_cylinder(scene, center, turn, half_height, random.uniform(0.36, 0.44));
  }
  if (kind < 6) return add_box(scene, center, turn, random.point<3>(0.34, 0.42));
  add_instance(scene.hulls, center, turn, random.below(kHullLibrarySize));
}

}  // namespace

namespace {

/// Calls `add(center)` for each body of a closest packing on a floor: round bodies of radius 0.5
/// would have 12 neighbours each (6 in 2D).
template <int D, class T, class Add>
void add_heap(SceneColumns<D, T>& scene, std::size_t count, Random& random, const Add& add) {
  constexpr double kApart = D == 2 ? 0.9 : 0.925;
  const double layer = kApart * std::sqrt(D == 2 ? 0.75 : 0.5);
  for_each_place<D>(count, [&](const std::array<double, D>& place) {
    std::array<double, D> center = random.point<D>(-0.02, 0.02);
    for (int k = 0; k < D - 1; ++k) center[k] += kApart * place[k];
    center[D - 1] += 0.5 * kApart + layer * place[D - 1];
    add(center);
  });
  add_wall(scene, D - 1, true, 0);
}

}  // namespace

/// These bodies touch about half of their neighbours.
WIDEPHASE_GENERATOR(add_pile) {
  add_heap(scene, count, random,
           [&](const std::array<double, D>& center) { add_body(scene, center, random); });
}

/// Half of the bodies are ellipsoids, the others cones and rounded cylinders, all with a radius of
/// about 0.5.
template <class T>
void add_smooth_pile(SceneColumns<3, T>& scene, std::size_t count, Random& random) {
  add_heap(scene, count, random, [&](const std::array<double, 3>& center) {
    const int kind = random.below(4);
    const TurnRow<3> turn = any_turn<3>(random);
    if (kind == 0) {
      const double half_height = random.uniform(0.42, 0.5);
      add_cone(scene, center, turn, half_height, random.uniform(0.42, 0.5));
    } else if (kind == 1) {
      const double half_height = random.uniform(0.3, 0.36), radius = random.uniform(0.3, 0.38);
      add_rounded_cylinder(scene, center, turn, half_height, radius, random.uniform(0.05, 0.1));
    } else {
      add_ellipsoid(scene, center, turn, random.point<3>(0.38, 0.56));
    }
  });
}

/// Each person has a cell of half a metre and is within 0.1 m of its centre along each axis. There
/// are 16 times as many cells along the corridor as across it. Category 1 walks in one direction,
/// category 2 in the other.
template <class T>
void add_corridor(SceneColumns<2, T>& scene, std::size_t count, Random& random) {
  constexpr double kPlace = 0.5;
  const std::size_t across = lattice_side<2>((count + 15) / 16);
  for (std::size_t i = 0; i < count; ++i) {
    std::array<double, 2> center = random.point<2>(-0.1, 0.1);
    center[0] += kPlace * (static_cast<double>(i / across) + 0.5);
    center[1] += kPlace * (static_cast<double>(i % across) + 0.6);
    add_ball(scene, center, random.uniform(0.18, 0.25));
    scene.circles.category.push_back({random.below(2) == 0 ? 1u : 2u});
  }
  add_wall(scene, 1, true, 0);
  add_wall(scene, 1, false, kPlace * (static_cast<double>(across) + 0.2));
}

#define WIDEPHASE_INSTANTIATE(D, T)                                     \
  template void add_packed(SceneColumns<D, T>&, std::size_t, Random&);  \
  template void add_stacks(SceneColumns<D, T>&, std::size_t, Random&);  \
  template void add_pyramid(SceneColumns<D, T>&, std::size_t, Random&); \
  template void add_pile(SceneColumns<D, T>&, std::size_t, Random&);
WIDEPHASE_INSTANTIATE(2, float)
WIDEPHASE_INSTANTIATE(3, float)
WIDEPHASE_INSTANTIATE(2, double)
WIDEPHASE_INSTANTIATE(3, double)
#undef WIDEPHASE_INSTANTIATE
template void add_corridor(SceneColumns<2, float>&, std::size_t, Random&);
template void add_corridor(SceneColumns<2, double>&, std::size_t, Random&);
template void add_smooth_pile(SceneColumns<3, float>&, std::size_t, Random&);
template void add_smooth_pile(SceneColumns<3, double>&, std::size_t, Random&);

}  // namespace widephase::scenes
