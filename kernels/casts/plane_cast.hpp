#pragma once

// A halfspace stands, anything else moves: the gap is that of the lowest point over the plane, and
// linear in t. That of a convex shape is a support point; that of a surface is a vertex of its
// triangles or segments, the wall below a height field aside, as in plane_search.hpp.
// Normal: out of the halfspace. Cost: a support point; of a surface, each of its vertices.

#include "kernels/casts/chain_cast.hpp"

namespace widephase {
namespace {

struct CastPlane {
  Vector normal;
  double offset;
};

template <int D, class T>
CastPlane plane_of(const RayShapes<D, T>& shapes, std::int32_t id) {
  using S = SizeOf<T>;
  const S* const row = cast_row(shapes, Kind::halfspace, id);
  CastPlane plane{{{0, 0, 0}}, 0};
  if constexpr (kCastAnchors<T>) {
    const double* const at = shapes.anchors[static_cast<int>(Kind::halfspace)] +
                             std::ptrdiff_t{id} * anchor_numbers(Kind::halfspace);
    for (int k = 0; k < D; ++k) plane.normal[k] = at[k];
    plane.offset = at[3];
  } else {
    for (int k = 0; k < D; ++k) plane.normal[k] = double(row[k]) + double(row[4 + k]);
    plane.offset = double(row[3]) + double(row[7]);
  }
  return plane;
}

/// `lowest` is the core's lowest point over the plane, `size` a bound on the shape's extent.
WIDEPHASE_INLINE ConvexMeet meet_plane(const CastPlane& plane, const Vector& lowest, double radius,
                                       double size, const CastWay& way) {
  ConvexMeet meet;
  const double height = dot(plane.normal, lowest) - plane.offset - radius - way.margin;
  const double rise = dot(plane.normal, way.along);
  const double rounding = kCastEnd * (size + radius + way.margin) +
                          kCastRounding * (magnitude(plane.offset) + size_of(lowest));
  const double end = way.tolerance > rounding ? way.tolerance : rounding;
  meet.is_start = height <= rounding;
  if (!meet.is_start) {
    if (!(rise < 0)) return {};
    const double t = height / -rise;
    if (!(t <= way.enough)) return {};
    if (t > way.most && height + way.most * rise > end) return {};
    meet.t = t < way.most ? t : way.most;
  }
  meet.is_met = true;
  meet.normal = plane.normal;
  meet.on_b = lowest - scaled(plane.normal, radius);
  const Vector there = meet.on_b + scaled(way.along, meet.t);
  meet.on_a = there - scaled(plane.normal, dot(plane.normal, there) - plane.offset);
  return meet;
}

template <class S>
ConvexMeet cast_to_plane(const CastPlane& plane, const CastCore<S>& shape, const CastWay& way) {
  const Vector lowest = shape.middle + farthest_of_core(shape, -plane.normal);
  return meet_plane(plane, lowest, shape.radius, shape.reach, way);
}

/// The lowest vertex of a surface along a direction, of equal ones that of the lowest triangle or
/// segment.
struct LowestVertex {
  Vector at{{0, 0, 0}};
  double height = __builtin_inf();
  std::int32_t part = -1;
  int vertex = 0;

  void take(const Vector& up, const Vector& other, std::int32_t of_part, int of_vertex) {
    const double other_height = dot(up, other);
    if (!(other_height < height) && !(other_height == height && of_part < part)) return;
    at = other;
    height = other_height;
    part = of_part;
    vertex = of_vertex;
  }
};
template <class S>
LowestVertex lowest_vertex(const MeshView<S>& mesh, const Vector& up) {
  LowestVertex lowest;
  for (std::int32_t place = 0; place < mesh.place_count; ++place) {
    const std::int32_t number = mesh.order[place];
    for (int k = 0; k < 3; ++k) {
      lowest.take(up, mesh_vertex(mesh, number, k), number, k);
    }
  }
  return lowest;
}
template <class S>
LowestVertex lowest_vertex(const HeightfieldView<S>& field, const Vector& up) {
  LowestVertex lowest;
  for (std::int32_t row = 0; row + 1 < field.rows; ++row) {
    for (std::int32_t col = 0; col + 1 < field.columns; ++col) {
      for (int half = 0; half < 2; ++half) {
        Vector vertex[3];
        double sum = 0;
        for (int k = 0; k < 3; ++k) {
          vertex[k] = field_vertex(field, sample_of(TrianglePlace{row, col, half}, k));
          sum += vertex[k][2];
        }
        if (!(sum == sum)) continue;  // a hole
        const std::int32_t number = 2 * (row * field.columns + col) + half;
        for (int k = 0; k < 3; ++k) lowest.take(up, vertex[k], number, k);
      }
    }
  }
  return lowest;
}

/// A vertex is named by the lowest own segment that has it.
template <class S>
LowestVertex lowest_vertex(const ChainView<S>& chain, const Vector& up) {
  LowestVertex lowest;
  for (std::int32_t segment = chain.own_begin; segment < chain.own_end; ++segment) {
    for (int k = 0; k < 2; ++k) {
      lowest.take(up, chain_vertex(chain, segment + k), chain.number[segment], k);
    }
  }
  return lowest;
}

/// Where a surface is: its axes in the scene, its radius and the number of its geometry.
template <int D>
struct SurfacePlace {
  Vector axis[3];
  double radius;
  int geometry;

  template <class S>
  explicit SurfacePlace(const S* row)
      : radius(double(row[D == 2 ? 4 : 3])), geometry(integer_in(row[D == 2 ? 5 : 7])) {
    if constexpr (D == 2) {
      const Vector2 along = unit_along({{double(row[2]), double(row[3])}});
      axis[0] = in_plane(along);
      axis[1] = in_plane(-right_of(along));
      axis[2] = {{0, 0, 1}};
    } else {
      find_axes(row, axis);
    }
  }
  Vector to_surface(const Vector& v) const {
    return {{dot(axis[0], v), dot(axis[1], v), dot(axis[2], v)}};
  }
  Vector to_scene(const Vector& v) const { return along_axes(axis, v[0], v[1], v[2]); }
};

template <int D, class T>
SurfaceCast cast_surface_to_plane(const RayShapes<D, T>& shapes, const CastPlane& plane, Kind kind,
                                  std::int32_t id, const CastWay& way) {
  const SurfacePlace<D> place(cast_row(shapes, kind, id));
  const Vector up = place.to_surface(plane.normal);
  LowestVertex lowest;
  if constexpr (D == 2) {
    lowest = lowest_vertex(shapes.chains[place.geometry], up);
  } else {
    lowest = traits_of(kind).is_sheet ? lowest_vertex(shapes.meshes[place.geometry], up)
                                      : lowest_vertex(shapes.fields[place.geometry], up);
  }
  SurfaceCast cast;
  if (lowest.part < 0) return cast;  // holes alone
  const Vector& at = lowest.at;
  cast.meet = meet_plane(plane, cast_center(shapes, kind, id) + place.to_scene(at), place.radius,
                         size_of(at), way);
  cast.part = lowest.part;
  cast.feature = surface_vertex(lowest.vertex);
  return cast;
}

}  // namespace
}  // namespace widephase
