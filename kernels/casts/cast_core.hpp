#pragma once

// A shape as casts read it: a convex core and a radius, in double and in three dimensions. A scene
// in 2D lies in the plane z = 0. Casts compute in double whatever the scene has: what is left of a
// way that nearly ends has few of its digits.

#include "kernels/core/surface/field_triangles.hpp"
#include "kernels/core/surface/placed_shape.hpp"
#include "kernels/rays/ray_shape.hpp"

namespace widephase {
namespace {

/// `corners` are up to four points: triangles, and the walls below the edges of a height field.
enum class CastForm : std::uint8_t {
  point,
  segment,
  box,
  blocks,
  cylinder,
  ellipsoid,
  cone,
  corners
};

template <class S>
struct CastCore {
  CastForm form = CastForm::point;
  Vector middle{{0, 0, 0}};
  Vector axis[3];  ///< half axes; for blocks and ellipsoids unit axes
  double radius = 0;
  double reach = 0;           ///< at least the distance of the core's points from its middle
  const S* blocks = nullptr;  ///< eight x, y and, in 3D, z; then the next block
  int block_count = 0, block_numbers = 0;
  bool is_flat = false;  ///< blocks have no z
  EllipsoidCore<SingleNumbers<double>> ellipsoid;
  Vector corner[4];      ///< relative to the middle
  int corner_count = 0;  ///< also of a polygon
  Vector turn[3];  ///< only for boxes: unit axes, and half extents along them
  double half[3];
};

/// A bound on a vector's coordinates.
WIDEPHASE_INLINE double size_of(const Vector& v) {
  return magnitude(v[0]) + magnitude(v[1]) + magnitude(v[2]);
}

/// A point of a core.
WIDEPHASE_INLINE Vector along_axes(const Vector (&axis)[3], double x, double y, double z) {
  return {{axis[0][0] * x + axis[1][0] * y + axis[2][0] * z,
           axis[0][1] * x + axis[1][1] * y + axis[2][1] * z,
           axis[0][2] * x + axis[1][2] * y + axis[2][2] * z}};
}

/// The farthest point along a direction, from the middle; of equal ones the first.
template <class S>
Vector farthest_of_core(const CastCore<S>& core, const Vector& along) {
  const auto side = [&](int k) { return dot(core.axis[k], along) > 0 ? 1.0 : -1.0; };
  switch (core.form) {
    case CastForm::point:
      return {{0, 0, 0}};
    case CastForm::segment:
      return scaled(core.axis[0], side(0));
    case CastForm::box:
      return along_axes(core.axis, side(0), side(1), side(2));
    case CastForm::blocks: {
      const double x = dot(core.axis[0], along), y = dot(core.axis[1], along);
      const double z = dot(core.axis[2], along);
      double best = -__builtin_inf();
      const S* at = core.blocks;
      for (int block = 0; block < core.block_count; ++block) {
        const S* const from = core.blocks + std::ptrdiff_t{block} * core.block_numbers;
        double height[8];
        for (int v = 0; v < 8; ++v) height[v] = x * double(from[v]) + y * double(from[8 + v]);
        if (!core.is_flat) {
          for (int v = 0; v < 8; ++v) height[v] += z * double(from[16 + v]);
        }
        for (int v = 0; v < 8; ++v) {
          if (!(height[v] > best)) continue;
          best = height[v];
          at = from + v;
        }
      }
      return along_axes(core.axis, double(at[0]), double(at[8]),
                        core.is_flat ? 0.0 : double(at[16]));
    }
    case CastForm::cylinder:
    case CastForm::cone: {
      const double x = dot(core.axis[0], along), y = dot(core.axis[1], along);
      const double size = root(x * x + y * y), height = dot(core.axis[2], along);
      const double share = size > 0 ? 1 / size : 0;
      if (core.form == CastForm::cylinder) {
        return along_axes(core.axis, x * share, y * share, height > 0 ? 1 : -1);
      }
      if (height + height > size) return core.axis[2];
      return along_axes(core.axis, x * share, y * share, -1);
    }
    case CastForm::ellipsoid: {
      const Vector local{
          {dot(core.axis[0], along), dot(core.axis[1], along), dot(core.axis[2], along)}};
      const Vector far = core.ellipsoid.farthest(local);
      return along_axes(core.axis, far[0], far[1], far[2]);
    }
    case CastForm::corners: {
      int best = 0;
      double most = dot(core.corner[0], along);
      for (int k = 1; k < core.corner_count; ++k) {
        const double height = dot(core.corner[k], along);
        if (!(height > most)) continue;
        most = height;
        best = k;
      }
      return core.corner[best];
    }
  }
  __builtin_unreachable();
}

template <class T>
inline constexpr bool kCastAnchors = sizeof(SizeOf<T>) != sizeof(PositionOf<T>);

template <int D, class T>
WIDEPHASE_INLINE const SizeOf<T>* cast_row(const RayShapes<D, T>& shapes, Kind kind,
                                           std::int32_t id) {
  return shapes.rows[static_cast<int>(kind)] + std::ptrdiff_t{id} * row_numbers<D>(kind);
}
/// Component k of a point of a shape. `from` is the point in its row, `number` that of its anchor.
template <int D, class T>
WIDEPHASE_INLINE double cast_place(const RayShapes<D, T>& shapes, Kind kind, std::int32_t id,
                                   const SizeOf<T>* from, int number, int k) {
  if constexpr (kCastAnchors<T>) {
    return shapes.anchors[static_cast<int>(kind)]
                         [std::ptrdiff_t{id} * anchor_numbers(kind) + 4 * number + k];
  } else {
    return double(from[k]);
  }
}
/// The anchor of a shape with one.
template <int D, class T>
Vector cast_center(const RayShapes<D, T>& shapes, Kind kind, std::int32_t id) {
  Vector center{{0, 0, 0}};
  const SizeOf<T>* const row = cast_row(shapes, kind, id);
  const bool has_rest = shapes.rests != nullptr && kind == (D == 2 ? Kind::polygon : Kind::hull);
  for (int k = 0; k < D; ++k) {
    center[k] = cast_place(shapes, kind, id, row, 0, k);
    if (has_rest) center[k] += double(shapes.rests[std::ptrdiff_t{id} * 4 + k]);
  }
  return center;
}

/// Whether a core is a box in space with sharp edges.
template <int D, class S>
WIDEPHASE_INLINE bool is_sharp_box(const CastCore<S>& core) {
  return D == 3 && core.form == CastForm::box && core.radius == 0;
}

template <class S>
void set_half_axes(const Vector (&turn)[3], const double (&half)[3], CastCore<S>& core) {
  double square = 0;
  for (int k = 0; k < 3; ++k) {
    core.axis[k] = scaled(turn[k], half[k]);
    core.turn[k] = turn[k];
    core.half[k] = half[k];
    square += dot(core.axis[k], core.axis[k]);
  }
  core.reach = root(square);
}
template <class S>
void set_blocks(const S* blocks, int count, int numbers, bool is_flat, CastCore<S>& core) {
  core.form = CastForm::blocks;
  core.blocks = blocks;
  core.block_count = count;
  core.block_numbers = numbers;
  core.is_flat = is_flat;
  double most = 0;
  for (int block = 0; block < count; ++block) {
    const S* const from = blocks + std::ptrdiff_t{block} * numbers;
    for (int v = 0; v < 8; ++v) {
      const double x = double(from[v]), y = double(from[8 + v]);
      const double z = is_flat ? 0 : double(from[16 + v]);
      const double square = x * x + y * y + z * z;
      most = square > most ? square : most;
    }
  }
  core.reach = root(most);
}

/// Makes the core of a convex shape.
template <int D, class T>
void make_core(const RayShapes<D, T>& shapes, Kind kind, std::int32_t id,
               CastCore<SizeOf<T>>& core) {
  using S = SizeOf<T>;
  const S* const row = cast_row(shapes, kind, id);
  core.middle = {{0, 0, 0}};
  for (Vector& axis : core.axis) axis = {{0, 0, 0}};
  core.radius = 0;
  core.reach = 0;
  Vector turn[3] = {{{1, 0, 0}}, {{0, 1, 0}}, {{0, 0, 1}}};
  const auto set_pose = [&] {
    core.middle = cast_center(shapes, kind, id);
    if constexpr (D == 2) {
      turn[0] = {{double(row[2]), double(row[3]), 0}};
      turn[1] = {{-double(row[3]), double(row[2]), 0}};
    } else {
      for (int k = 0; k < 3; ++k) {
        turn[k] = {{double(row[4 + 4 * k]), double(row[5 + 4 * k]), double(row[6 + 4 * k])}};
      }
      core.radius = double(row[3]);
    }
  };
  switch (kind) {
    case Kind::sphere:
      core.form = CastForm::point;
      core.middle = cast_center(shapes, kind, id);
      core.radius = double(row[3]);
      return;
    case Kind::capsule:
    case Kind::aabb: {
      const bool is_box = core_form(kind) == CoreForm::box;
      const S* const second = row + (is_box && D == 2 ? 2 : 4);
      core.form = is_box ? CastForm::box : CastForm::segment;
      core.radius = is_box ? 0 : double(row[3]);
      double square = 0;
      for (int k = 0; k < D; ++k) {
        const double from = cast_place(shapes, kind, id, row, 0, k);
        const double to = cast_place(shapes, kind, id, second, 1, k), half = 0.5 * (to - from);
        core.middle[k] = from + half;
        core.axis[is_box ? k : 0][k] = half;
        core.turn[k] = turn[k];
        core.half[k] = half;
        square += half * half;
      }
      core.reach = root(square);
      return;
    }
    case Kind::box: {
      set_pose();
      core.form = CastForm::box;
      if constexpr (D == 2) core.radius = double(row[6]);
      const double half[3] = {double(row[D == 2 ? 4 : 7]), double(row[D == 2 ? 5 : 11]),
                              D == 2 ? 0 : double(row[D == 2 ? 0 : 15])};
      set_half_axes(turn, half, core);
      return;
    }
    case Kind::polygon:
      if constexpr (D == 2) {
        set_pose();
        core.radius = double(row[4]);
        const int count = PolygonLayout::vertex_count(integer_in(row[6]));
        set_blocks(shapes.library + std::ptrdiff_t{PolygonLayout::record} * integer_in(row[5]),
                   PolygonLayout::block_count(count), PolygonLayout::block, true, core);
        core.corner_count = count;
        for (int k = 0; k < 3; ++k) core.axis[k] = turn[k];
      }
      return;
    case Kind::hull:
      if constexpr (D == 3) {
        set_pose();
        const HullView<S> hull(shapes.library, shapes.indices, integer_in(row[7]));
        set_blocks(hull.vertex_blocks(), hull.vertex_block_count(), HullLayout::vertex_block, false,
                   core);
        for (int k = 0; k < 3; ++k) core.axis[k] = turn[k];
      }
      return;
    case Kind::cylinder:
    case Kind::cone:
    case Kind::ellipsoid:
      if constexpr (D == 3) {
        set_pose();
        const double half[3] = {double(row[7]), double(row[11]), double(row[15])};
        set_half_axes(turn, half, core);
        const CoreForm form = core_form(kind);
        core.form = form == CoreForm::cylinder ? CastForm::cylinder
                    : form == CoreForm::cone   ? CastForm::cone
                                               : CastForm::ellipsoid;
        if (core.form != CastForm::ellipsoid) return;
        for (int k = 0; k < 3; ++k) core.axis[k] = turn[k];
        core.ellipsoid = EllipsoidCore<SingleNumbers<double>>(Vector{{half[0], half[1], half[2]}});
      }
      return;
    case Kind::halfspace:
    case Kind::heightfield:
    case Kind::mesh:
      break;
  }
  __builtin_unreachable();
}

}  // namespace
}  // namespace widephase
