#include "support/many_pairs3.hpp"

namespace widephase::test {

template <class T>
const HullLibrary<T>& hull_library(int corners) {
  static std::map<int, std::unique_ptr<HullLibrary<T>>> libraries;
  auto& library = libraries[corners];
  if (!library) library = std::make_unique<HullLibrary<T>>(corners);
  return *library;
}

template <class T>
FastShape fast_shape(const SceneColumns<3, T>& scene, Kind kind, std::size_t row,
                     const std::vector<FastPolytope>& polytopes) {
  const auto vector = [row](const auto& column) {
    return Vec3d{static_cast<double>(column(row, 0)), static_cast<double>(column(row, 1)),
                 static_cast<double>(column(row, 2))};
  };
  FastShape shape;
  shape.kind = kind;
  const auto turn = [&](const auto& table) {
    shape.center = vector(table.center);
    shape.axes =
        axes_of(table.turn(row, 0), table.turn(row, 1), table.turn(row, 2), table.turn(row, 3));
  };
  if (kind == Kind::sphere) {
    shape.center = vector(scene.spheres.center);
    shape.radius = scene.spheres.radius[row];
  } else if (kind == Kind::capsule) {
    const Vec3d a = vector(scene.capsules.a), b = vector(scene.capsules.b);
    shape.center = 0.5 * (a + b);
    shape.generators[0] = 0.5 * (b - a);
    shape.radius = scene.capsules.radius[row];
  } else if (kind == Kind::aabb) {
    const Vec3d min = vector(scene.aabbs.min), max = vector(scene.aabbs.max);
    shape.center = 0.5 * (min + max);
    shape.half = 0.5 * (max - min);
  } else if (kind == Kind::box) {
    turn(scene.boxes);
    shape.half = vector(scene.boxes.half_extents);
    shape.radius = scene.boxes.radius[row];
  } else if (kind == Kind::hull) {
    turn(scene.hulls);
    shape.hull = &polytopes[static_cast<std::size_t>(scene.hulls.geometry[row])];
    shape.radius = scene.hulls.radius[row];
  } else if (kind == Kind::cylinder) {
    turn(scene.cylinders);
    shape.half_height = scene.cylinders.half_height[row];
    shape.cylinder_radius = scene.cylinders.radius[row];
    shape.radius = value_or(scene.cylinders.rounding, row, SizeOf<T>(0));
  } else if (kind == Kind::ellipsoid) {
    turn(scene.ellipsoids);
    shape.half = vector(scene.ellipsoids.half_extents);
    shape.radius = value_or(scene.ellipsoids.rounding, row, SizeOf<T>(0));
  } else if (kind == Kind::cone) {
    turn(scene.cones);
    shape.half_height = scene.cones.half_height[row];
    shape.cylinder_radius = scene.cones.radius[row];
    shape.radius = value_or(scene.cones.rounding, row, SizeOf<T>(0));
  } else {
    const Vec3d normal = vector(scene.halfspaces.normal);
    shape.center = 1 / length(normal) * normal;
    shape.offset = scene.halfspaces.offset[row] / length(normal);
  }
  finish(shape);
  return shape;
}

#define WIDEPHASE_INSTANTIATE(T)                                                                \
  template class ManyPairsRun<T>;                                                               \
  template const HullLibrary<T>& hull_library<T>(int corners);                                  \
  template FastShape fast_shape<T>(const SceneColumns<3, T>& scene, Kind kind, std::size_t row, \
                                   const std::vector<FastPolytope>& polytopes)
WIDEPHASE_INSTANTIATE(float);
WIDEPHASE_INSTANTIATE(double);
WIDEPHASE_INSTANTIATE(Mixed);
#undef WIDEPHASE_INSTANTIATE

}  // namespace widephase::test
