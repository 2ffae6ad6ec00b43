#pragma once

// Points and edges beside an ellipsoid's core, in lanes: the outward direction where it is nearest.
// A point as in core/smooth/point_at_ellipsoid.hpp. For an edge's line the same in the plane across
// it: the ellipsoid's shadow along the line is an ellipse, and the line a point.

#include "kernels/core/support/difference3.hpp"

namespace widephase {
namespace {

/// In N dimensions: the s at which the squares of product / (s + above) add up to 1, by Newton's
/// steps for the reciprocal of the root of that sum. At least one number of `above` is 0.
template <class F, int N>
WIDEPHASE_INLINE F ellipsoid_root(const F (&product)[N], const F (&above)[N], MaskOf<F> is_open) {
  using T = RealOf<F>;
  constexpr int kMostSteps = 24;
  const F zero = F(0), one = F(1);
  F s = zero;
  for (int k = 0; k < N; ++k) {
    s = s + select(above[k] == zero, product[k] * product[k], zero);
  }
  s = sqrt(s);
  for (int step = 0; step < kMostSteps && any<F>(is_open); ++step) {
    F sum = zero, slope = zero;
    for (int k = 0; k < N; ++k) {
      const F inverse = divide_or_zero(one, s + above[k]), share = product[k] * inverse;
      sum = sum + share * share;
      slope = slope + (share * share) * inverse;
    }
    const F next = s + divide_or_zero(sum * (sqrt(sum) - one), slope);
    is_open = is_open & (sum > one) & (next > s + F(2 * kRounding<T>) * s);
    s = select(is_open, next, s);
  }
  return s;
}

template <class F>
WIDEPHASE_INLINE Vec<F, 3> unit_or_zero(const Vec<F, 3>& v) {
  return divide_or_zero(F(1), length(v)) * v;
}

/// The direction at a point, in the ellipsoid's frame.
template <class F>
WIDEPHASE_INLINE Vec<F, 3> out_of_ellipsoid(const EllipsoidCore<LaneNumbers<F>>& core,
                                            const Vec<F, 3>& point, const MaskOf<F>& asked) {
  const F inverse = divide_or_zero(F(1), core.most);
  F product[3], above[3];
  Vec<F, 3> normal;
  for (int k = 0; k < 3; ++k) {
    normal[k] = inverse * point[k];
    product[k] = core.share[k] * abs(normal[k]);
    above[k] = core.above[k];
  }
  const F s = ellipsoid_root(product, above, asked);
  for (int k = 0; k < 3; ++k) normal[k] = divide_or_zero(normal[k], s + above[k]);
  return unit_or_zero(normal);
}

/// The direction at a line through a point along the unit vector e, in the ellipsoid's frame.
template <class F>
WIDEPHASE_INLINE Vec<F, 3> out_of_ellipsoid_across(const EllipsoidCore<LaneNumbers<F>>& core,
                                                   const Vec<F, 3>& e, const Vec<F, 3>& point,
                                                   const MaskOf<F>& asked) {
  const F zero = F(0), one = F(1);
  // Two axes across the line.
  const auto is_steep = abs(e[0]) < F(0.6f);
  const Vec<F, 3> x =
      unit_or_zero<F>({{select(is_steep, zero, negate(e[2])), select(is_steep, e[2], zero),
                        select(is_steep, negate(e[1]), e[0])}});
  const Vec<F, 3> y = cross(e, x);
  // The shadow's squares along them, and its own axes.
  F of_x = zero, of_y = zero, both = zero;
  for (int k = 0; k < 3; ++k) {
    const F square = core.share[k] * core.share[k];
    of_x = of_x + square * (x[k] * x[k]);
    of_y = of_y + square * (y[k] * y[k]);
    both = both + square * (x[k] * y[k]);
  }
  const F middle = F(0.5f) * (of_x + of_y), half = F(0.5f) * (of_x - of_y);
  const F reach = sqrt(half * half + both * both);
  const auto is_x = half >= zero;
  F cosine = select(is_x, reach + half, both), sine = select(is_x, both, reach - half);
  const F size = sqrt(cosine * cosine + sine * sine);
  cosine = select(size > zero, divide_or_zero(cosine, size), one);
  sine = divide_or_zero(sine, size);
  const Vec<F, 3> u = cosine * x + sine * y, v = cosine * y - sine * x;
  const F inverse = divide_or_zero(one, core.most);
  const F at_u = inverse * dot(u, point), at_v = inverse * dot(v, point);
  const F product[2] = {sqrt(middle + reach) * abs(at_u),
                        sqrt(greater(middle - reach, zero)) * abs(at_v)};
  const F above[2] = {reach + reach, zero};
  const F s = ellipsoid_root(product, above, asked);
  return unit_or_zero(divide_or_zero(at_u, s + above[0]) * u + divide_or_zero(at_v, s) * v);
}

}  // namespace
}  // namespace widephase
