#pragma once

// A ray in the axes of a surface of triangles, and back.

#include "kernels/rays/ray_field.hpp"
#include "kernels/rays/ray_shape.hpp"

namespace widephase {
namespace {

template <class T>
class PlacedSurface {
 public:
  using S = SizeOf<T>;

  /// `apart` is the ray's origin from the surface's anchor, in the scene's axes as `along` is.
  PlacedSurface(Kind kind, const S* row, const RayShapes<3, T>& shapes, const Vector& apart,
                const Vector& along, double reach, double most)
      : kind_(kind), along_(along), margin_(reach) {
    find_axes(row, axis_);
    field_ = &shapes.fields[integer_in(row[7])];
    ray_ = {to_surface(apart), to_surface(along), reach, most};
  }

  SurfaceMeet answer(Inside inside) const {
    const FieldRay<S> field(*field_, ray_);
    SurfaceMeet meet = field.enter();
    if (!meet.is_inside || inside == Inside::hit) return meet;
    if (inside == Inside::leave) return {};
    meet = field.leave();
    meet.is_inside = true;
    return meet;
  }
  Vector to_scene(const Vector& v) const {
    return scaled(axis_[0], v[0]) + scaled(axis_[1], v[1]) + scaled(axis_[2], v[2]);
  }
  /// The point on the surface from its anchor, in the scene's axes.
  Vector point_of(const SurfaceMeet& meet) const {
    return to_scene(ray_.at(meet.t) - scaled(meet.normal, margin_));
  }
  /// The opposite of the direction, unit.
  Vector against() const { return -unit_of(along_); }

 private:
  Vector to_surface(const Vector& v) const {
    return {{dot(axis_[0], v), dot(axis_[1], v), dot(axis_[2], v)}};
  }

  Kind kind_;
  const HeightfieldView<S>* field_;
  Vector axis_[3];
  Vector along_;
  double margin_;
  SurfaceRay ray_;
};

}  // namespace
}  // namespace widephase
