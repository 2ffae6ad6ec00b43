#pragma once

// The exit of a point in a cone, in closed form: straight out through the side, or down through the
// base.

#include "kernels/core/cylinder/coaxial.hpp"
#include "kernels/core/smooth/smooth_features.hpp"

namespace widephase {
namespace {

/// Answers whether the cores are a point and a cone that overlap, and finds their exit. Ties go to
/// the base; on the axis, to the cone's first axis.
template <class T>
bool find_point_in_cone_exit(const ShapePair<T>& pair, LeastExit<T>& exit) {
  const bool is_a = pair.a.form == CoreForm::cone;
  const CoreForm other = is_a ? pair.b.form : pair.a.form;
  if (other != CoreForm::point || !(is_a || pair.b.form == CoreForm::cone)) return false;
  const ConvexShape<T>& cone = is_a ? pair.a : pair.b;
  const Vec<T, 3>& u = cone.turn.column[2];
  const Vec<T, 3> middle = is_a ? pair.apart : -pair.apart;  // of the point, from the cone's
  const OffAxis<T> off(middle, u);
  const T half = root(dot(cone.axis[2], cone.axis[2]));
  const ConeSide<T> side(cone);
  const T above_base = off.along + half;
  const T below_side = (half - off.along) * side.along - off.aside * side.across;
  const bool is_base = above_base <= below_side;
  const Vec<T, 3> normal = is_base ? -u : side.across * off.out(cone) + side.along * u;
  const T depth = is_base ? above_base : below_side;
  exit.direction = is_a ? normal : -normal;
  exit.depth = depth > 0 ? depth : T(0);
  exit.is_capped = false;
  exit.is_tie = above_base == below_side || (!is_base && off.aside == 0);
  const Vec<T, 3> on_cone = middle + exit.depth * normal, on_point{{0, 0, 0}};
  exit.witness.on_a = is_a ? on_cone : on_point;
  exit.witness.on_b = is_a ? on_point : on_cone;
  exit.witness.count = is_base ? 1 : 2;
  for (int k = 0; k < 3; ++k) {
    exit.witness.a[k] = is_a && !is_base && k > 0 ? 1 : 0;
    exit.witness.b[k] = !is_a && !is_base && k > 0 ? 1 : 0;
  }
  return true;
}

}  // namespace
}  // namespace widephase
