#pragma once

// Two caps that face each other and are nearly parallel: where their rims cross. The direction
// leaves the place on either rim open by rounding over the sine of its angle to the cap's axis. So
// it is the places that are moved until they are opposite. If the square of the tilt is rounding,
// the direction too follows from where the rims cross, in closed form.

#include "kernels/core/smooth/smooth_steps.hpp"

namespace widephase {
namespace {

/// The rim of a cap, from the middle of A.
template <class T>
struct CapRim {
  Vec<T, 3> middle, out;  ///< `out` is the cap's normal, out of the core
  T radius;

  CapRim(const ConvexShape<T>& shape, const SmoothFeature<T>& rim, const Vec<T, 3>& from) {
    const bool is_upper = rim.number[0] == 1;
    middle = is_upper ? from + shape.axis[2] : from - shape.axis[2];
    out = is_upper ? shape.turn.column[2] : -shape.turn.column[2];
    radius = root(dot(shape.axis[0], shape.axis[0]));
  }
};

/// Finds the meeting of two rims about the normal in `at`. Answers whether they are such rims and
/// cross where both have that normal.
template <class T>
bool meet_at_level_rims(const ShapePair<T>& pair, SmoothMeeting<T>& at) {
  if (at.a.form != SmoothForm::rim || at.b.form != SmoothForm::rim) return false;
  const CapRim<T> a(pair.a, at.a, {{0, 0, 0}}), b(pair.b, at.b, pair.apart);
  const Vec<T, 3> tilt = -(a.out + b.out), near = at.normal - a.out;
  constexpr T kMostTilt2 = kRounding<T>;
  if (!(dot(tilt, tilt) <= kMostTilt2 && dot(near, near) <= kMostTilt2)) return false;
  // The circles in the plane of A's cap: along the line of their middles, and across it.
  const Vec<T, 3> apart = b.middle - a.middle;
  const Vec<T, 3> beside = apart - dot(apart, a.out) * a.out;
  const T distance = root(dot(beside, beside));
  if (!(distance > 0)) return false;
  const T along = T(0.5) * (distance + (a.radius - b.radius) * (a.radius + b.radius) / distance);
  const T across2 = (a.radius - along) * (a.radius + along);
  const T least = T(1e-2) * lesser_of(a.radius, b.radius);
  if (!(across2 > least * least)) return false;
  const Vec<T, 3> x = (1 / distance) * beside, y = unit_of(cross(a.out, x));
  for (const T side : {root(across2), -root(across2)}) {
    // Either rim has the normals out + s e, with e from its middle to the point and s > 0. So
    // a.out + s e = -(b.out + t f).
    const T e_x = along / a.radius, e_y = side / a.radius;
    const T f_x = (along - distance) / b.radius, f_y = side / b.radius;
    const T area = e_x * f_y - e_y * f_x, tilt_x = dot(tilt, x), tilt_y = dot(tilt, y);
    const T s = (tilt_x * f_y - tilt_y * f_x) / area, t = (e_x * tilt_y - e_y * tilt_x) / area;
    if (!(s >= 0 && t >= 0)) continue;
    const Vec<T, 3> out = e_x * x + e_y * y;
    at.normal = unit_of(a.out + s * out);
    at.depth = dot(at.normal, farthest(pair, at.normal).point);
    at.witness.on_a = a.middle + a.radius * out;
    at.witness.on_b = (at.witness.on_a - at.depth * at.normal) - pair.apart;
    at.bend = 0;
    at.to_end = 0;
    return true;
  }
  return false;
}

/// Moves the points of two rims along these to where they are opposite along the normal in `at`, as
/// far as that leaves the places open. Leaves points that it gives to `rounding`, and rims that
/// touch rather than cross.
template <class T>
void put_rims_opposite(const ShapePair<T>& pair, T rounding, const SmoothMeeting<T>& at,
                       SmoothPoints<T>& points) {
  if (at.a.form != SmoothForm::rim || at.b.form != SmoothForm::rim) return;
  constexpr int kSteps = 3;
  constexpr T kLeastSine = T(0.01);
  const T astray = (16 * kRounding<T>)*(points.a.curvature + points.b.curvature);
  if (!(astray > rounding)) return;
  const CapRim<T> of_a(pair.a, at.a, {{0, 0, 0}}), of_b(pair.b, at.b, {{0, 0, 0}});
  Vec<T, 3> on_a = points.a.point, on_b = points.b.point;
  for (int step = 0; step < kSteps; ++step) {
    const Vec<T, 3> out_a = unit_of(on_a - of_a.middle), out_b = unit_of(on_b - of_b.middle);
    const Vec<T, 3> along_a = cross(of_a.out, out_a), along_b = cross(of_b.out, out_b);
    const Vec<T, 3> beside = ((on_a - on_b) - pair.apart) - at.depth * at.normal;
    const T sine = dot(cross(along_a, along_b), at.normal);
    if (!(magnitude(sine) > kLeastSine)) return;
    const T by_a = dot(cross(along_b, beside), at.normal) / sine;
    const T by_b = dot(cross(along_a, beside), at.normal) / sine;
    on_a = of_a.middle + of_a.radius * unit_of(of_a.radius * out_a + by_a * along_a);
    on_b = of_b.middle + of_b.radius * unit_of(of_b.radius * out_b + by_b * along_b);
  }
  const auto is_far = [](const Vec<T, 3>& to, const SmoothPoint<T>& from) {
    const Vec<T, 3> moved = to - from.point;
    return !(root(dot(moved, moved)) <= (16 * kRounding<T>)*from.curvature);
  };
  if (is_far(on_a, points.a) || is_far(on_b, points.b)) return;
  points.a.point = on_a;
  points.b.point = on_b;
  points.gap = (on_a - on_b) - pair.apart;
}

}  // namespace
}  // namespace widephase
