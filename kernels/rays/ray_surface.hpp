#pragma once

// A ray in the axes of a surface, and back.

#include <type_traits>

#include "kernels/rays/ray_chain.hpp"
#include "kernels/rays/ray_field_ball.hpp"
#include "kernels/rays/ray_mesh.hpp"
#include "kernels/rays/ray_packet.hpp"

namespace widephase {
namespace {

template <class Surface>
SurfaceMeet answer_of(const Surface& surface, Inside inside) {
  SurfaceMeet meet = surface.enter();
  if (!meet.is_inside || inside == Inside::hit) return meet;
  if (inside == Inside::leave) return {};
  meet = surface.leave();
  meet.is_inside = true;
  return meet;
}

template <class T>
class PlacedSurface {
 public:
  using S = SizeOf<T>;

  /// `apart` is the ray's origin from the surface's anchor, in the scene's axes as `along` is.
  PlacedSurface(Kind kind, const S* row, const RayShapes<3, T>& shapes, const Vector& apart,
                const Vector& along, double reach, double most)
      : kind_(kind), along_(along), margin_(reach) {
    find_axes(row, axis_);
    const int number = integer_in(row[7]);
    if (traits_of(kind).is_sheet) {
      mesh_ = &shapes.meshes[number];
    } else {
      field_ = &shapes.fields[number];
      tops_ = shapes.tops == nullptr ? nullptr : &shapes.tops[number];
    }
    // A mesh has thickness.
    ray_ = {to_surface(apart), to_surface(along), reach + double(row[3]), most};
  }

  SurfaceMeet answer(Inside inside) const {
    if (traits_of(kind_).is_sheet) return answer_of(MeshRay<S>(*mesh_, ray_), inside);
    return answer_of(FieldRay<S>(*field_, tops_, ray_), inside);
  }
  Vector to_scene(const Vector& v) const {
    return scaled(axis_[0], v[0]) + scaled(axis_[1], v[1]) + scaled(axis_[2], v[2]);
  }
  /// The point on the surface from its anchor, in the scene's axes.
  Vector point_of(const TriangleMeet& meet) const {
    return to_scene(ray_.at(meet.t) - scaled(meet.normal, margin_));
  }
  /// The opposite of the direction, unit.
  Vector against() const { return -unit_of(along_); }

 private:
  Vector to_surface(const Vector& v) const {
    return {{dot(axis_[0], v), dot(axis_[1], v), dot(axis_[2], v)}};
  }

  Kind kind_;
  const HeightfieldView<S>* field_ = nullptr;
  const FieldTops<S>* tops_ = nullptr;
  const MeshView<S>* mesh_ = nullptr;
  Vector axis_[3];
  Vector along_;
  double margin_;
  SurfaceRay ray_;
};

/// A chain, in the plane z = 0.
template <class T>
class PlacedChain {
 public:
  using S = SizeOf<T>;

  /// As a `PlacedSurface`.
  PlacedChain(Kind, const S* row, const RayShapes<2, T>& shapes, const Vector& apart,
              const Vector& along, double reach, double most)
      : chain_(shapes.chains[integer_in(row[5])]),
        axis_(unit_along({{double(row[2]), double(row[3])}})),
        along_(along),
        margin_(reach) {
    ray_ = {to_chain(apart), to_chain(along), reach + double(row[4]), most};
  }

  SurfaceMeet answer(Inside inside) const {
    SurfaceMeet meet = answer_of(ChainRay<S>(chain_, ray_), inside);
    if (meet.part >= 0) meet.part = chain_.number[meet.part];
    return meet;
  }
  Vector to_scene(const Vector& v) const {
    return {{axis_[0] * v[0] - axis_[1] * v[1], axis_[1] * v[0] + axis_[0] * v[1], 0}};
  }
  Vector point_of(const TriangleMeet& meet) const {
    return to_scene(ray_.at(meet.t) - scaled(meet.normal, margin_));
  }
  Vector against() const { return -unit_of(along_); }

 private:
  Vector to_chain(const Vector& v) const {
    return {{axis_[0] * v[0] + axis_[1] * v[1], axis_[0] * v[1] - axis_[1] * v[0], 0}};
  }

  const ChainView<S>& chain_;
  Vector2 axis_;
  Vector along_;
  double margin_;
  SurfaceRay ray_;
};

/// A surface's anchor along an axis.
template <int D, class T>
double anchor_of(const RayShapes<D, T>& shapes, Kind kind, std::int32_t id, int axis) {
  const int k = static_cast<int>(kind);
  if constexpr (sizeof(SizeOf<T>) != sizeof(PositionOf<T>)) {
    return shapes.anchors[k][std::ptrdiff_t{id} * anchor_numbers(kind) + axis];
  } else {
    return double(shapes.rows[k][std::ptrdiff_t{id} * row_numbers<D>(kind) + axis]);
  }
}

template <int D, class T, class Packet>
auto place_surface(const RayShapes<D, T>& shapes, const Packet& packet, Kind kind, std::int32_t id,
                   int ray, SizeOf<T> reach) {
  using S = SizeOf<T>;
  using Placed = std::conditional_t<D == 3, PlacedSurface<T>, PlacedChain<T>>;
  const int k = static_cast<int>(kind);
  const S* const row = shapes.rows[k] + std::ptrdiff_t{id} * row_numbers<D>(kind);
  Vector apart{{0, 0, 0}}, along{{0, 0, 0}};
  for (int axis = 0; axis < D; ++axis) {
    const double anchor = anchor_of(shapes, kind, id, axis);
    apart[axis] = double(packet.origin[axis][ray]) - anchor;
    along[axis] = double(packet.direction[axis][ray]);
  }
  // In float t may round down to the best so far.
  const double most = double(packet.best[ray]);
  return Placed(kind, row, shapes, apart, along, double(reach),
                most + most * double(kRounding<S>) * 2);
}

/// What a ray hits of a surface.
template <int D, class T, class Packet>
void write_piece(const RayJob<D, T>& job, const Packet& packet, Kind kind, int ray,
                 SizeOf<T> reach) {
  using S = SizeOf<T>;
  using P = PositionOf<T>;
  const std::int32_t id = packet.shape[ray];
  const std::int64_t row = packet.row[ray];
  const auto placed = place_surface(*job.shapes, packet, kind, id, ray, reach);
  const TriangleMeet& meet = packet.met[ray];
  const bool is_start = (packet.inside >> ray & 1) != 0 && job.inside != Inside::exit;
  const Vector normal = is_start ? placed.against() : placed.to_scene(meet.normal);
  const Vector point = placed.point_of(meet);
  job.feature[row] = is_start ? 0 : static_cast<std::uint32_t>(meet.feature);
  job.part[row] = is_start ? -1 : meet.part;
  for (int axis = 0; axis < D; ++axis) {
    job.normal[axis][row] = static_cast<S>(normal[axis]) + S(0);
    const P at = static_cast<P>(anchor_of(*job.shapes, kind, id, axis) + point[axis]);
    const bool is_finite = at <= kLargest<P> && at >= -kLargest<P>;
    job.point[axis][row] = is_start || !is_finite ? packet.origin[axis][ray] : at;
  }
}

}  // namespace
}  // namespace widephase
