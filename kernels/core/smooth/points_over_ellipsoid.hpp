#pragma once

// The points of a box, a cylinder or a cone and an ellipsoid that are opposite one another along
// the direction that a descent has ended at (core/smooth/ellipsoid_descent.hpp), in lanes. Whether
// they are, to rounding, says whether these features meet along it.

#include "kernels/core/smooth/ellipsoid_descent.hpp"
#include "kernels/core/support/difference3.hpp"

namespace widephase {
namespace {

template <class F>
struct PointsOverEllipsoid {
  using T = RealOf<F>;
  Vec<F, 3> normal;            ///< in the scene, to the ellipsoid
  F depth;                     ///< along it
  Vec<F, 3> on_own, on_other;  ///< from the cores' middles
  F off;                       ///< how far the points are from being opposite
  F to_end;                    ///< of the feature of `own`

  /// `apart` leads to the ellipsoid `other`.
  WIDEPHASE_INLINE PointsOverEllipsoid(const EllipsoidDescent<F>& descent,
                                       const ConvexCore<F>& own_core,
                                       const ConvexCore<F>& other_core, const Vec<F, 3>& apart,
                                       const F& size, const MaskOf<F>& live) {
    const F zero = F(0);
    const ConvexLanes<F>&own = own_core.shape, &other = other_core.shape;
    Vec<F, 3> n = rotate(own.turn, descent.n);
    n = n / length(n);
    const Vec<F, 3> to_other = farthest(other_core, -n, live).point;
    depth = dot(n, farthest(own_core, n, live).point - (apart + to_other));
    const Vec<F, 3> opposite = (apart + to_other) + depth * n, at = rotate_back(own.turn, opposite);
    const auto is_level = [&](int k) { return descent.is_level[k] > zero; };
    Vec<F, 3> point;
    to_end = size;
    auto is_on_own = zero == zero;
    if (!descent.is_round) {
      for (int k = 0; k < 3; ++k) {
        point[k] = select(is_level(k), at[k], descent.side[k] * own.half[k]);
        to_end = select(is_level(k), lesser(to_end, own.half[k] - abs(at[k])), to_end);
      }
      is_on_own = !((is_level(0) & is_level(1)) | (is_level(1) & is_level(2)) |
                    (is_level(2) & is_level(0)));
    } else {
      const auto is_upper = descent.side[2] > zero, is_pole = descent.is_pole > zero;
      const F low = own.half[0], high = own.form == CoreForm::cone ? zero : low;
      const F sine = sqrt(descent.n[0] * descent.n[0] + descent.n[1] * descent.n[1]);
      const F x = divide_or_zero(descent.n[0], sine), y = divide_or_zero(descent.n[1], sine);
      const F middle = F(T(0.5)) * (low + high), end = select(is_upper, high, low);
      const F along =
          descent.side_out * at[2] - descent.side_up * ((x * at[0] + y * at[1]) - middle);
      const F radius = select(is_level(2), middle - descent.side_up * along, end);
      const F height = select(is_level(2), descent.side_out * along, descent.side[2] * own.half[2]);
      point = {{select(is_pole, at[0], radius * x), select(is_pole, at[1], radius * y), height}};
      const F fall = low - high, up = own.half[2] + own.half[2];
      const F line_half = F(T(0.5)) * sqrt(fall * fall + up * up);
      to_end = select(is_level(2), lesser(to_end, line_half - abs(along)), to_end);
      const F inside = end - sqrt(at[0] * at[0] + at[1] * at[1]);
      to_end = select(is_pole, lesser(to_end, inside), to_end);
      // The point that moves less as the direction turns is known better.
      const F by = divide_or_zero(radius, sine);
      const Vec<F, 3> local = rotate_back(other.turn, n);
      F squares = zero, above = zero, below = zero;
      for (int k = 0; k < 3; ++k) {
        const F square = other.half[k] * other.half[k], part = square * (local[k] * local[k]);
        squares = squares + square;
        below = below + part;
        above = above + square * part;
      }
      const F bend = divide_or_zero(squares - divide_or_zero(above, below), sqrt(below));
      is_on_own = (by <= bend) & !is_pole;
    }
    off = length(at - point);
    normal = n;
    const Vec<F, 3> of_own = rotate(own.turn, point);
    on_own = select(is_on_own, of_own, opposite);
    on_other = select(is_on_own, (of_own - depth * n) - apart, to_other);
  }
};

}  // namespace
}  // namespace widephase
