#pragma once

// A point and a cylinder that are apart, with pairs in lanes, in closed form. A search would
// approach the side's normal by ever smaller steps.

#include "kernels/core/gjk/gjk3.hpp"

namespace widephase {
namespace {

/// Answers whether the cores are a point and a cylinder, and finds where GJK would have ended. A
/// point on the surface counts as inside.
template <class F>
bool find_nearest_of_cylinder(const CorePair<F>& pair, Simplex3<F>& found) {
  const bool is_a = pair.a.shape.form == CoreForm::cylinder;
  const ConvexLanes<F>& cylinder = is_a ? pair.a.shape : pair.b.shape;
  const ConvexLanes<F>& other = is_a ? pair.b.shape : pair.a.shape;
  if (cylinder.form != CoreForm::cylinder || other.form != CoreForm::point) return false;
  const F zero = F(0);
  const Vec<F, 3>& u = cylinder.turn.column[2];
  const F radius = cylinder.half[0], half = cylinder.half[2];
  const Vec<F, 3> point = is_a ? pair.apart : -pair.apart;  // from the cylinder's middle
  const F z = dot(point, u);
  // Twice: what is left of a long offset along the axis is mostly rounding, which is not
  // perpendicular to the axis.
  const Vec<F, 3> once = point - z * u;
  const Vec<F, 3> across = once - dot(once, u) * u;
  const F distance = length(across);
  const F above = abs(z) - half, beside = distance - radius;
  const auto is_above = above > zero, is_beside = beside > zero;
  const F side = select(z < zero, F(-1), F(1));
  const Vec<F, 3> out{{divide_or_zero(across[0], distance), divide_or_zero(across[1], distance),
                       divide_or_zero(across[2], distance)}};
  const Vec<F, 3> gap =
      select(is_above, side * above, zero) * u + select(is_beside, beside, zero) * out;
  const Vec<F, 3> nearest =
      select(is_above, side * half, z) * u + select(is_beside, radius, distance) * out;
  const Vec<F, 3> origin = zero_vec<F, 3>();
  const F number = select(z > zero, F(1), zero);
  found.nearest = is_a ? -gap : gap;
  found.distance = length(gap);
  found.v[0] = {found.nearest, is_a ? nearest : origin, is_a ? origin : nearest,
                is_a ? number : zero, is_a ? zero : number};
  found.v[1] = found.v[2] = found.v[3] = found.v[0];
  found.size = F(1);
  found.share[0] = F(1);
  found.share[1] = found.share[2] = zero;
  found.is_overlap = one_where<F>((!is_above) & (!is_beside));
  found.is_capped = found.reach2 = zero;
  return true;
}

}  // namespace
}  // namespace widephase
