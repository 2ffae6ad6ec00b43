#pragma once

// Overlapping cores that are round about the same direction, at least one of them a cylinder: two
// cylinders along one another, a capsule's core along a cylinder, a point in a cylinder. The
// minimum translation is along the axis or straight across it. A search would find all exits across
// nearly equally short, and would not end. The same holds for the distance of cores that lie over
// or beside one another.

#include "kernels/core/faces/convex_manifold.hpp"
#include "kernels/core/support/polytope3.hpp"

namespace widephase {
namespace {

/// How far a vector leads along an axis and beside it.
template <class T>
struct OffAxis {
  T along, aside;
  Vec<T, 3> across;

  OffAxis(const Vec<T, 3>& vector, const Vec<T, 3>& axis) : along(dot(vector, axis)) {
    // Twice: what is left of a long offset along the axis is mostly rounding, which is not
    // perpendicular to the axis. Where that lies along the axis again, nothing is left.
    const Vec<T, 3> once = vector - along * axis;
    across = once - dot(once, axis) * axis;
    const T distance = root(dot(across, across));
    const bool is_across = magnitude(dot(across, axis)) <= 64 * kRounding<T> * distance;
    // Far below the rounding of the offset, squares may vanish.
    aside = is_across && 64 * distance > kRounding<T> * magnitude(along) ? distance : T(0);
  }
  /// The direction straight away from a core's axis; on it, the core's first axis.
  Vec<T, 3> out(const ConvexShape<T>& shape) const {
    return aside > 0 ? (1 / aside) * across : shape.turn.column[0];
  }
};

/// A core that is round about an axis: its ends and its radius.
template <class T>
struct RoundCore {
  bool is_round;
  Vec<T, 3> along;  ///< of the axis; 0 for a point
  Vec<T, 3> half;   ///< from the middle to the upper end
  T radius;
};
template <class T>
WIDEPHASE_INLINE RoundCore<T> round_core(const ConvexShape<T>& shape) {
  const Vec<T, 3> none{{0, 0, 0}};
  switch (shape.form) {
    case CoreForm::point:
      return {true, none, none, 0};
    case CoreForm::segment:
      return {true, shape.axis[0], shape.axis[0], 0};
    case CoreForm::cylinder:
      if (shape.reach == 0) return {true, none, none, 0};
      return {true, shape.turn.column[2], shape.axis[2], root(dot(shape.axis[0], shape.axis[0]))};
    case CoreForm::box:
    case CoreForm::hull:
    case CoreForm::ellipsoid:
    case CoreForm::cone:
      break;
  }
  return {false, none, none, 0};
}

/// The vertices of a core of this form that a point at `height` along its axis lies between.
template <class T>
WIDEPHASE_INLINE int ends_at(CoreForm form, T height, T half, int (&numbers)[3]) {
  const bool is_end = magnitude(height) >= half;
  numbers[0] = height > 0 || !is_end ? 1 : 0;
  numbers[1] = numbers[2] = 0;
  return form == CoreForm::segment && !is_end ? 2 : 1;
}

/// Answers whether the cores are coaxial in this sense, and finds their exit. Ties go to the axis,
/// B leaving upwards, then to the cylinder's first axis. Cores that are apart (`is_apart`) must lie
/// over or beside one another.
template <class T>
bool find_coaxial_exit(const ShapePair<T>& pair, bool is_apart, LeastExit<T>& exit) {
  const RoundCore<T> a = round_core(pair.a), b = round_core(pair.b);
  if (!a.is_round || !b.is_round) return false;
  // If one cylinder is a point, the axis is the other's.
  const bool is_a = pair.a.form == CoreForm::cylinder && (pair.a.reach > 0 || b.radius == 0);
  const ConvexShape<T>& cylinder = is_a ? pair.a : pair.b;
  if (cylinder.form != CoreForm::cylinder) return false;
  const Vec<T, 3>& u = cylinder.turn.column[2];
  // Tilted so little that their caps are flush.
  const T tilt = flush_slack(T(0.5));
  for (const Vec<T, 3>& along : {a.along, b.along}) {
    const Vec<T, 3> astray = cross(u, along);
    if (!(dot(astray, astray) <= (tilt * tilt) * dot(along, along))) return false;
  }
  const T half_a = magnitude(dot(a.half, u)), half_b = magnitude(dot(b.half, u));
  const OffAxis<T> off(pair.apart, u);
  const T z = off.along, distance = off.aside;
  const T axial = (half_a + half_b) - magnitude(z), radial = (a.radius + b.radius) - distance;
  // Cores that overlap only by rounding may be apart by it here.
  const T reach = ((a.radius + b.radius) + (half_a + half_b)) + (magnitude(z) + distance);
  const T least = is_apart ? greater_of(axial, radial) : lesser_of(axial, radial);
  if (least < -8 * kRounding<T> * reach) return false;
  const auto middle_of = [](T low, T high) { return T(0.5) * (low + high); };
  const Vec<T, 3> out = off.out(cylinder);
  const bool is_axial = axial <= radial;
  const T side = z < 0 ? T(-1) : T(1);
  T height, aside;  // of the point, from A's middle
  if (is_axial) {
    exit.direction = side * u;
    exit.depth = axial;
    height = side * half_a;
    aside = middle_of(-lesser_of(a.radius, b.radius - distance),
                      lesser_of(a.radius, distance + b.radius));
  } else {
    exit.direction = out;
    exit.depth = radial;
    aside = a.radius;
    height = middle_of(-lesser_of(half_a, half_b - z), lesser_of(half_a, z + half_b));
  }
  exit.is_capped = false;
  exit.is_tie = axial == radial || (is_axial ? z == 0 : distance == 0);
  exit.witness.on_a = height * u + aside * out;
  exit.witness.on_b = (exit.witness.on_a - exit.depth * exit.direction) - pair.apart;
  const T sign_a = dot(a.half, u) < 0 ? T(-1) : T(1), sign_b = dot(b.half, u) < 0 ? T(-1) : T(1);
  const int count_a = ends_at(pair.a.form, sign_a * height, half_a, exit.witness.a);
  const int count_b =
      ends_at(pair.b.form, sign_b * dot(exit.witness.on_b, u), half_b, exit.witness.b);
  // One count serves both cores, so a single end is named twice.
  exit.witness.count = count_a > count_b ? count_a : count_b;
  if (count_a < exit.witness.count) exit.witness.a[1] = exit.witness.a[0];
  if (count_b < exit.witness.count) exit.witness.b[1] = exit.witness.b[0];
  return true;
}

}  // namespace
}  // namespace widephase
