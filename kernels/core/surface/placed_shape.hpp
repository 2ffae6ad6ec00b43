#pragma once

// A convex shape in the axes of a surface.

#include "kernels/core/surface/polygon_nearest.hpp"

namespace widephase {
namespace {

template <class T>
struct PlacedShape {
  ConvexShape<T> core;        ///< in the field's axes, about its middle
  ConvexShape<double> exact;  ///< the same in double, for cores without vertices
  double radius;
  double thickness;    ///< of a mesh
  Vector inner;        ///< a point of the core, about its middle
  Vector middle;       ///< in the field's frame
  Vector from_anchor;  ///< the middle from the anchor of the shape's row, in the field's axes
  Vector axis[3];      ///< the field's axes in the scene's
  Vector rest;         ///< what rounding removed from the anchor, in the scene's axes
  std::int32_t field;  ///< its number in the library

  /// How far apart the core and the surface touch.
  double radii() const { return radius + thickness; }
  Vector to_scene(const Vector& v) const {
    return scaled(axis[0], v[0]) + scaled(axis[1], v[1]) + scaled(axis[2], v[2]);
  }
  Vector to_field(const Vector& v) const {
    return {{dot(axis[0], v), dot(axis[1], v), dot(axis[2], v)}};
  }
};

/// Makes the axes of a rotation, which T rounded, perpendicular unit vectors in double: into the
/// field's axes and back is then nowhere.
template <class T>
void find_axes(const T* row, Vector (&axis)[3]) {
  const Vector x{{double(row[4]), double(row[5]), double(row[6])}};
  const Vector y{{double(row[8]), double(row[9]), double(row[10])}};
  axis[0] = unit_of(x);
  axis[1] = unit_of(y - scaled(axis[0], dot(axis[0], y)));
  axis[2] = cross(axis[0], axis[1]);
}

/// A core without vertices, by its axes in the scene and its half extents.
template <class T>
ConvexShape<double> exact_core(CoreForm form, const Vector (&turn)[3], const T (&half)[3],
                               const PlacedShape<T>& placed) {
  ConvexShape<double> core;
  core.form = form;
  core.library = nullptr;
  core.indices = nullptr;
  core.place = 0;
  double square = 0;
  for (int k = 0; k < 3; ++k) {
    core.turn.column[k] = placed.to_field(turn[k]);
    core.axis[k] = scaled(core.turn.column[k], double(half[k]));
    square += dot(core.axis[k], core.axis[k]);
  }
  core.reach = root(square);
  if (form == CoreForm::ellipsoid) {
    core.ellipsoid = EllipsoidCore<SingleNumbers<double>>(
        Vector{{double(half[0]), double(half[1]), double(half[2])}});
  }
  return core;
}

/// The shape's id before the surface's, whose kind is the last.
WIDEPHASE_INLINE Pair ascending_pair(const Pair& pair) {
  return pair.a < pair.b ? pair : Pair{pair.b, pair.a};
}
/// The margin of a pair that `ascending_pair` answered.
template <class T>
WIDEPHASE_INLINE double margin_of(const PairRun<3, T>& run, const Pair& own) {
  double margin = double(run.margin);
  if (run.margins != nullptr) margin += double(run.margins[own.a]) + double(run.margins[own.b]);
  return margin;
}

/// From a field's origin to the anchor of a shape's row, in the scene's axes. `rest` is what
/// rounding removed from the anchor.
template <class T>
WIDEPHASE_INLINE Vector from_field(const PairRun<3, T>& run, const Pair& own, const T* row,
                                   const T* field, Vector& rest) {
  Vector apart;
  for (int k = 0; k < 3; ++k) {
    if constexpr (sizeof(T) == 4) {
      if (run.anchors_a != nullptr) {
        apart[k] = run.anchors_a[std::ptrdiff_t{own.a} * run.anchor_width_a + k] -
                   run.anchors_b[std::ptrdiff_t{own.b} * run.anchor_width_b + k];
        continue;
      }
    }
    apart[k] = double(row[k]) - double(field[k]);
  }
  rest = {{0, 0, 0}};
  if (run.rests_a != nullptr) {
    for (int k = 0; k < 3; ++k) rest[k] = double(run.rests_a[std::ptrdiff_t{own.a} * 4 + k]);
  }
  return apart + rest;
}

template <class T>
PlacedShape<T> place_shape(const PairRun<3, T>& run, const Pair& own) {
  const T* const row =
      run.rows_a + std::ptrdiff_t{own.a} * (4 * ConvexLanes<Batch<T>>::quads_of(run.kind_a));
  const T* const field = run.rows_b + std::ptrdiff_t{own.b} * 16;
  PlacedShape<T> placed;
  find_axes(field, placed.axis);
  placed.field = integer_in(field[7]);
  placed.thickness = double(field[3]);
  placed.inner = {{0, 0, 0}};
  const Vector apart = from_field(run, own, row, field, placed.rest);
  ConvexShape<T>& core = placed.core;
  core.form = core_form(run.kind_a);
  core.library = run.library;
  core.indices = run.indices;
  core.place = 0;
  placed.radius = double(row[3]);
  placed.from_anchor = {{0, 0, 0}};
  Vector turn[3] = {{{0, 0, 0}}, {{0, 0, 0}}, {{0, 0, 0}}};
  T half[3] = {0, 0, 0};
  switch (core.form) {
    case CoreForm::point:
      break;
    case CoreForm::segment:
      for (int k = 0; k < 3; ++k) turn[0][k] = 0.5 * double(row[4 + k] - row[k]);
      placed.from_anchor = turn[0];
      half[0] = 1;
      break;
    case CoreForm::box:
    case CoreForm::hull:
    case CoreForm::cylinder:
    case CoreForm::ellipsoid:
    case CoreForm::cone:
      if (ConvexLanes<Batch<T>>::quads_of(run.kind_a) == 2) {  // an aabb's
        for (int k = 0; k < 3; ++k) {
          turn[k][k] = 1;
          half[k] = T(0.5) * (row[4 + k] - row[k]);
          placed.from_anchor[k] = double(half[k]);
        }
        placed.radius = 0;
        break;
      }
      for (int k = 0; k < 3; ++k) {
        for (int j = 0; j < 3; ++j) turn[k][j] = double(row[4 + 4 * k + j]);
        half[k] = row[7 + 4 * k];
      }
      break;
  }
  T square = 0;
  for (int k = 0; k < 3; ++k) {
    core.turn.column[k] = narrowed<T>(placed.to_field(turn[k]));
    core.axis[k] = half[k] * core.turn.column[k];
    square += dot(core.axis[k], core.axis[k]);
  }
  core.reach = root(square);
  if (core.form == CoreForm::ellipsoid) {
    core.ellipsoid = EllipsoidCore<SingleNumbers<T>>(Vec<T, 3>{{half[0], half[1], half[2]}});
  }
  if (core.form == CoreForm::hull) {
    core.place = integer_in(half[0]);
    const T* const numbers = core.hull().numbers;
    core.reach = numbers[HullLayout::reach];
    const T* const inner = numbers + HullLayout::inner;
    placed.inner = widened(rotate(core.turn, Vec<T, 3>{{inner[0], inner[1], inner[2]}}));
  }
  if (!has_vertices(core.form)) placed.exact = exact_core(core.form, turn, half, placed);
  placed.from_anchor = placed.to_field(placed.from_anchor);
  placed.middle = placed.to_field(apart) + placed.from_anchor;
  return placed;
}

}  // namespace
}  // namespace widephase
