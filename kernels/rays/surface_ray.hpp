#pragma once

// One ray and one triangle of a surface, in the surface's own axes and in double, which keeps the
// digits of float far away. A lone ray computes no lanes, so nothing here depends on other rays.

#include "kernels/core/surface/placed_shape.hpp"
#include "kernels/rays/ray_lanes.hpp"

namespace widephase {
namespace {

/// A ray in a surface's axes. `reach` is the radius of the ball that is cast.
struct SurfaceRay {
  Vector origin, direction;
  double reach;
  double most;  ///< nothing behind it is wanted

  Vector at(double t) const { return origin + scaled(direction, t); }
};

/// What a ray meets of a surface.
struct SurfaceMeet {
  bool is_met = false;
  bool is_inside = false;  ///< the ray starts in it or on it
  double t = 0;
  Vector normal{{0, 0, 0}};  ///< unit, outwards
  std::int32_t part = -1;    ///< triangle or segment
  int feature = 0;           ///< `vertex_feature` and so on, within the triangle

  /// Takes what is met earlier; at the same t faces before edges before vertices, then the lowest
  /// triangle.
  void take(const SurfaceMeet& other) {
    if (!other.is_met) return;
    const bool is_same = is_met && other.t == t;
    const int rank = feature >> 14, of_other = other.feature >> 14;
    const bool is_before = of_other > rank || (of_other == rank && other.part < part);
    if (!is_met || other.t < t || (is_same && is_before)) *this = other;
  }
};

WIDEPHASE_INLINE int surface_vertex(int k) { return (1 << 14) + k; }
WIDEPHASE_INLINE int surface_edge(int k) { return (2 << 14) + k; }
WIDEPHASE_INLINE int surface_face() { return 3 << 14; }

/// The same of a surface that is met, kept for the answer.
struct TriangleMeet {
  Vector normal;
  double t;
  std::int32_t part;
  int feature;
};

/// A stretch of a ray within a convex body, with what is crossed at either end.
struct Stretch {
  double low = __builtin_inf(), high = -__builtin_inf();
  int low_feature = 0, high_feature = 0;
  Vector low_normal{{0, 0, 0}}, high_normal{{0, 0, 0}};

  bool is_empty() const { return !(low <= high); }
  /// Grows by a part of the same body: it is convex, so what is between belongs to it.
  void add(double from, double to, int feature, const Vector& at_from, const Vector& at_to) {
    if (!(from <= to)) return;
    if (from < low) {
      low = from;
      low_feature = feature;
      low_normal = at_from;
    }
    if (to > high) {
      high = to;
      high_feature = feature;
      high_normal = at_to;
    }
  }
};

/// The part of a way in which a box meets another.
struct BoxStretch {
  double from, to;
  bool is_empty() const { return !(from <= to); }
  /// Cuts along one axis: the moving box is [low, high], the other [below, above].
  void cut(double low, double high, double speed, double below, double above) {
    if (speed == 0) {
      if (!(low <= above && high >= below)) to = -__builtin_inf();
      return;
    }
    const double near = speed > 0 ? below - high : above - low;
    const double far = speed > 0 ? above - low : below - high;
    const double in = near / speed, out = far / speed;
    from = in > from ? in : from;
    to = out < to ? out : to;
  }
};

/// Cuts a stretch to where `height` + t * `rise` >= 0.
WIDEPHASE_INLINE void cut_half(double height, double rise, double& from, double& to) {
  if (rise == 0) {
    if (!(height >= 0)) to = -__builtin_inf();
    return;
  }
  const double t = -height / rise;
  if (rise > 0) {
    from = t > from ? t : from;
  } else {
    to = t < to ? t : to;
  }
}

WIDEPHASE_INLINE double floor_of(double x) {
  if (!(magnitude(x) < 0x1p52)) return x;
  const auto whole = static_cast<double>(static_cast<std::int64_t>(x));
  return whole > x ? whole - 1 : whole;
}

/// A vector over its length, or `other` if it has none.
WIDEPHASE_INLINE Vector unit_or(const Vector& v, const Vector& other) {
  const double size = root(dot(v, v));
  return size > 0 ? scaled(v, 1 / size) : other;
}

/// A ball about a vertex. `other` is the normal of one without size.
WIDEPHASE_INLINE void add_ball(const SurfaceRay& ray, const Vector& vertex, int feature,
                               Stretch& body, const Vector& other = {{0, 0, 1}}) {
  const double length2 = dot(ray.direction, ray.direction);
  const Vector apart = vertex - ray.origin;
  const double middle = dot(apart, ray.direction) / length2;
  const Vector across = apart - scaled(ray.direction, middle);
  const double rest = ray.reach * ray.reach - dot(across, across);
  if (!(rest >= 0)) return;
  const double half = root(rest / length2);
  const auto normal = [&](double t) { return unit_or(ray.at(t) - vertex, other); };
  body.add(middle - half, middle + half, feature, normal(middle - half), normal(middle + half));
}

/// The cylinder about an edge, whose ends `vertex` and `vertex` + `along`; endless along `along` if
/// it `is_endless`.
WIDEPHASE_INLINE void add_cylinder(const SurfaceRay& ray, const Vector& vertex, const Vector& along,
                                   bool is_endless, int feature, Stretch& body) {
  const double along2 = dot(along, along);
  if (!(along2 > 0)) return;
  const Vector apart = ray.origin - vertex;
  const double place = dot(apart, along) / along2, speed = dot(ray.direction, along) / along2;
  const Vector across = apart - scaled(along, place), rise = ray.direction - scaled(along, speed);
  const double rise2 = dot(rise, rise), reach2 = ray.reach * ray.reach;
  double from = -__builtin_inf(), to = __builtin_inf();
  if (rise2 <= 1e-28 * dot(ray.direction, ray.direction)) {
    if (!(dot(across, across) <= reach2)) return;
  } else {
    const double middle = -dot(across, rise) / rise2;
    const Vector nearest = across + scaled(rise, middle);
    const double rest = reach2 - dot(nearest, nearest);
    if (!(rest >= 0)) return;
    const double half = root(rest / rise2);
    from = middle - half;
    to = middle + half;
  }
  cut_half(place, speed, from, to);
  if (!is_endless) cut_half(1 - place, -speed, from, to);
  const auto normal = [&](double t) {
    return unit_or(across + scaled(rise, t), across_of(unit_of(along)));
  };
  if (from <= to) {
    body.add(from, to, feature, normal(from < -1e300 ? 0 : from), normal(to > 1e300 ? 0 : to));
  }
}

/// All within `reach` of a triangle. Edges and vertices that triangles share have the same bits in
/// all of them: an edge is computed from its lower end, which `is_turned` says by edge.
WIDEPHASE_INLINE Stretch triangle_stretch(const SurfaceRay& ray, const Vector (&vertex)[3],
                                          const Vector& normal, const bool (&is_turned)[3]) {
  Stretch body;
  double from = -__builtin_inf(), to = __builtin_inf();
  const Vector apart = ray.origin - vertex[0];
  const double height = dot(normal, apart), rise = dot(normal, ray.direction);
  cut_half(height + ray.reach, rise, from, to);
  cut_half(ray.reach - height, -rise, from, to);
  for (int k = 0; k < 3; ++k) {
    const Vector inward = cross(normal, vertex[(k + 1) % 3] - vertex[k]);
    cut_half(dot(inward, ray.origin - vertex[k]), dot(inward, ray.direction), from, to);
  }
  if (from <= to) {
    const auto side = [&](double t) { return height + t * rise < 0 ? -normal : normal; };
    body.add(from, to, surface_face(), side(from), side(to));
  }
  for (int k = 0; k < 3; ++k) {
    const Vector &first = vertex[is_turned[k] ? (k + 1) % 3 : k],
                 &last = vertex[is_turned[k] ? k : (k + 1) % 3];
    add_cylinder(ray, first, last - first, false, surface_edge(k), body);
  }
  for (int k = 0; k < 3; ++k) add_ball(ray, vertex[k], surface_vertex(k), body);
  return body;
}

}  // namespace
}  // namespace widephase
