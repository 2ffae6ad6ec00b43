#pragma once

// How far points are from the core of an obstacle, in float and in lanes.

#include "kernels/robots/frames.hpp"

namespace widephase {
namespace {

/// The squared distance of points from the core of an obstacle, up to rounding of lengths.
template <class F>
class CoreDistance {
 public:
  CoreDistance(const CheckJob& job, const CheckObstacle& obstacle)
      : job_(job), obstacle_(obstacle) {}

  WIDEPHASE_INLINE F square(const Vec<F, 3>& p) const {
    const Vec<F, 3> v = p - broadcast<F>(obstacle_.center);
    switch (obstacle_.core) {
      case CheckCore::point:
        return dot(v, v);
      case CheckCore::segment:
        return to_segment(v, obstacle_.axis[0], obstacle_.size[0]);
      case CheckCore::box:
        return to_box(v);
      case CheckCore::cylinder:
        return to_cylinder(v);
      case CheckCore::halfspace: {
        const F height = outside(dot(broadcast<F>(obstacle_.axis[2]), p), obstacle_.size[0]);
        return height * height;
      }
      case CheckCore::hull:
        return to_hull(v);
    }
    return F(0);
  }

 private:
  static WIDEPHASE_INLINE F outside(const F& x, float size) { return greater(x - F(size), F(0)); }
  static WIDEPHASE_INLINE F to_segment(const Vec<F, 3>& v, const float* along, float inverse) {
    const Vec<F, 3> d = broadcast<F>(along);
    const F t = clamp(dot(v, d) * F(inverse), F(0), F(1));
    const Vec<F, 3> rest = v - t * d;
    return dot(rest, rest);
  }
  WIDEPHASE_INLINE F to_box(const Vec<F, 3>& v) const {
    const Vec<F, 3> beyond = each_axis<F, 3>([&](int k) {
      return outside(abs(dot(v, broadcast<F>(obstacle_.axis[k]))), obstacle_.size[k]);
    });
    return dot(beyond, beyond);
  }
  WIDEPHASE_INLINE F to_cylinder(const Vec<F, 3>& v) const {
    const Vec<F, 3> z = broadcast<F>(obstacle_.axis[2]);
    const F along = dot(v, z);
    const Vec<F, 3> across = v - along * z;
    const F radial = outside(sqrt(dot(across, across)), obstacle_.size[0]);
    const F axial = outside(abs(along), obstacle_.size[2]);
    return radial * radial + axial * axial;
  }
  /// From outside the nearest of all faces. A face is as far as its plane where the point lies over
  /// it, else as far as the nearest of its sides.
  F to_hull(const Vec<F, 3>& v) const {
    F nearest = F(1e30f), highest = F(-1e30f);
    for (std::int32_t f = obstacle_.first_face; f < obstacle_.last_face; ++f) {
      const CheckFace& face = job_.faces[f];
      const F height = dot(v, broadcast<F>(face.normal)) - F(face.height);
      highest = greater(highest, height);
      F to_sides = F(1e30f), least_inward = F(1e30f);
      for (std::int32_t s = face.first_side; s < face.last_side; ++s) {
        const CheckSide& side = job_.sides[s];
        const Vec<F, 3> w = v - broadcast<F>(side.from);
        least_inward = lesser(least_inward, dot(w, broadcast<F>(side.inward)));
        to_sides = lesser(to_sides, to_segment(w, side.along, side.inverse));
      }
      nearest = lesser(nearest, select(least_inward >= F(0), height * height, to_sides));
    }
    return select(highest <= F(0), F(0), nearest);
  }

  const CheckJob& job_;
  const CheckObstacle& obstacle_;
};

}  // namespace
}  // namespace widephase
