// Shapes scattered over a square or cube that grows with their number, so that the density stays
// the same.

#include "make.hpp"
#include "scenes/geometries.hpp"
#include "scenes/scenes.hpp"

namespace widephase::scenes {
namespace {

/// The side of a square or cube for `count` bodies: each has a cell of side `each`.
template <int D>
double side_of(std::size_t count, double each) {
  return each * root(static_cast<double>(count), D);
}

/// The side of a body's cell for which each body has 4 neighbours, which is 2 pairs of overlapping
/// bounds per body. `overlap` is the area or volume where the centre of another body must be for
/// the bounds to overlap, on average.
template <int D>
double length_each(double overlap) {
  return root(overlap / 4, D);
}

double uniform_radius(Random& random) { return random.uniform(0.3, 1); }

}  // namespace

/// The bounds of two balls with radii r and s overlap if the second centre is in a volume of (2 (r
/// + s))^D. The numbers are the averages of it for radii uniform in [0.3, 1].
template <int D>
double uniform_side(std::size_t count) {
  return side_of<D>(count, length_each<D>(D == 3 ? 20.12 : 7.09));
}
template double uniform_side<2>(std::size_t);
template double uniform_side<3>(std::size_t);

WIDEPHASE_GENERATOR(add_uniform) {
  const double side = uniform_side<D>(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::array<double, D> center = random.point<D>(0, side);
    add_ball(scene, center, uniform_radius(random));
  }
}

/// The density of radii is proportional to r^-(D + 1/2), so the share of radii above r is
/// proportional to r^-(D - 1/2). A uniform number to the power of -1 / (D - 1/2) = -2 / (2 D - 1)
/// is therefore such a radius.
WIDEPHASE_GENERATOR(add_power_law) {
  const double side = side_of<D>(count, D == 3 ? 0.01254 : 0.0317);
  constexpr int kRoot = 2 * D - 1;
  const double most = std::sqrt(D == 3 ? 1e15 : 1e9);  // 0.001^-(D - 1/2)
  for (std::size_t i = 0; i < count; ++i) {
    const std::array<double, D> center = random.point<D>(0, side);
    const double part = root(random.uniform(1, most), kRoot);
    add_ball(scene, center, 1 / (part * part));
  }
}

WIDEPHASE_GENERATOR(add_outliers) {
  const std::size_t first = row_count(balls_of(scene));
  add_uniform(scene, count, random);
  if (count == 0) return;
  for (int k = 0; k < D; ++k) {
    balls_of(scene).center(first + count / 3, k) = T(1e7);
    balls_of(scene).center(first + count / 2, k) = T(-1e7);
  }
}

/// Clusters overlap if their centres are near each other. A body in a cluster has fewer neighbours
/// than in the uniform scene.
WIDEPHASE_GENERATOR(add_clustered) {
  const double side = side_of<D>(count, 4);
  std::array<std::array<double, D>, 100> middles;
  for (std::array<double, D>& middle : middles) middle = random.point<D>(0, side);
  for (std::size_t i = 0; i < count; ++i) {
    std::array<double, D> center = middles[static_cast<std::size_t>(random.below(100))];
    for (double& value : center) value += side / 12 * random.normal();
    add_ball(scene, center, uniform_radius(random));
  }
}

namespace {

/// Boxes with one half extent along a random axis and the other across it.
template <int D, class T>
void add_along_axes(SceneColumns<D, T>& scene, std::size_t count, double side, double along,
                    double across, Random& random) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::array<double, D> center = random.point<D>(0, side);
    std::array<double, D> half;
    half.fill(across);
    half[static_cast<std::size_t>(random.below(D))] = along;
    add_aabb(scene, center, half);
  }
}

}  // namespace

WIDEPHASE_GENERATOR(add_plates) {
  add_along_axes(scene, count, side_of<D>(count, 5.5), 0.5, 5, random);
}

WIDEPHASE_GENERATOR(add_sticks) {
  add_along_axes(scene, count, side_of<D>(count, D == 3 ? 3.4 : 12), 15, 0.5, random);
}

namespace {

/// A third each: circles, boxes and polygons of 3 to 8 vertices.
template <class T>
void add_mixed_shapes(SceneColumns<2, T>& scene, std::size_t count, Random& random) {
  constexpr int kGeometries = 512;
  if (scene.geometries.offsets.empty()) {
    add_small_polygons(scene, kGeometries, 0.35, 1.05, random);
  }
  const double side = side_of<2>(count, length_each<2>(6.85));
  for (std::size_t i = 0; i < count; ++i) {
    const std::array<double, 2> center = random.point<2>(0, side);
    if (i % 3 == 0) {
      add_ball(scene, center, uniform_radius(random));
      continue;
    }
    const TurnRow<2> turn = any_turn<2>(random);
    if (i % 3 == 1) {
      add_box(scene, center, turn, random.point<2>(0.25, 0.8));
    } else {
      add_instance(scene.polygons, center, turn, random.below(kGeometries));
    }
  }
}

/// A fifth each: spheres, capsules, boxes, hulls of 8 to 32 vertices and cylinders.
template <class T>
void add_mixed_shapes(SceneColumns<3, T>& scene, std::size_t count, Random& random) {
  if (scene.geometries.offsets.empty()) add_hull_library(scene, 0.35, 1.05, random);
  const double side = side_of<3>(count, length_each<3>(21.6));
  for (std::size_t i = 0; i < count; ++i) {
    const std::array<double, 3> center = random.point<3>(0, side);
    if (i % 5 == 0) {
      add_ball(scene, center, uniform_radius(random));
      continue;
    }
    if (i % 5 == 1) {
      const std::array<double, 3> half_length = random.point<3>(-0.6, 0.6);
      add_capsule(scene, center, half_length, random.uniform(0.2, 0.6));
      continue;
    }
    const TurnRow<3> turn = any_turn<3>(random);
    if (i % 5 == 2) {
      add_box(scene, center, turn, random.point<3>(0.25, 0.8));
    } else if (i % 5 == 3) {
      add_instance(scene.hulls, center, turn, random.below(kHullLibrarySize));
    } else {
      const double half_height = random.uniform(0.25, 0.8);
      add_cylinder(scene, center, turn, half_height, random.uniform(0.25, 0.7));
    }
  }
}

}  // namespace

WIDEPHASE_GENERATOR(add_mixed) { add_mixed_shapes(scene, count, random); }

/// A third each: ellipsoids, cones and rounded cylinders.
template <class T>
void add_smooth(SceneColumns<3, T>& scene, std::size_t count, Random& random) {
  const double side = side_of<3>(count, length_each<3>(12.5));
  for (std::size_t i = 0; i < count; ++i) {
    const std::array<double, 3> center = random.point<3>(0, side);
    const TurnRow<3> turn = any_turn<3>(random);
    if (i % 3 == 0) {
      add_ellipsoid(scene, center, turn, random.point<3>(0.25, 0.9));
    } else if (i % 3 == 1) {
      const double half_height = random.uniform(0.3, 0.8);
      add_cone(scene, center, turn, half_height, random.uniform(0.3, 0.7));
    } else {
      const double half_height = random.uniform(0.15, 0.65);
      const double radius = random.uniform(0.15, 0.55);
      add_rounded_cylinder(scene, center, turn, half_height, radius, random.uniform(0.05, 0.2));
    }
  }
}
template void add_smooth(SceneColumns<3, float>&, std::size_t, Random&);
template void add_smooth(SceneColumns<3, double>&, std::size_t, Random&);

#define WIDEPHASE_INSTANTIATE(D, T)                                       \
  template void add_uniform(SceneColumns<D, T>&, std::size_t, Random&);   \
  template void add_power_law(SceneColumns<D, T>&, std::size_t, Random&); \
  template void add_outliers(SceneColumns<D, T>&, std::size_t, Random&);  \
  template void add_clustered(SceneColumns<D, T>&, std::size_t, Random&); \
  template void add_plates(SceneColumns<D, T>&, std::size_t, Random&);    \
  template void add_sticks(SceneColumns<D, T>&, std::size_t, Random&);    \
  template void add_mixed(SceneColumns<D, T>&, std::size_t, Random&);
WIDEPHASE_INSTANTIATE(2, float)
WIDEPHASE_INSTANTIATE(3, float)
WIDEPHASE_INSTANTIATE(2, double)
WIDEPHASE_INSTANTIATE(3, double)
#undef WIDEPHASE_INSTANTIATE

}  // namespace widephase::scenes
