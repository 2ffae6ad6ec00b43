#pragma once

// How high a point lies above the surface of a shape, in long double and by definition: the
// distance outside, minus the depth inside. Along a line it is convex, so that a search finds where
// a ray enters. It shares no code with the kernels of rays.

#include <functional>
#include <vector>

#include "reference/vec.hpp"

namespace widephase::test {

/// The height of points above the surface of `solid`, rounding included. Make it once per shape.
/// Inside of an ellipsoid only the sign is right.
template <int D>
std::function<Real(const Vec<D>&)> heights_of(const Solid<D>& solid);

/// What a ray does with one shape.
struct RayReference {
  bool starts_inside = false;
  bool is_hit = false;  ///< from t = 0 on, whatever its end
  Real enter = 0;       ///< 0 where it starts inside
  Real leave = 0;
  Real least_height = 0;  ///< from t = 0 on
};

/// `heights` are those of the shape; `end` is a t beyond which the ray does not come near it.
template <int D>
RayReference ray_reference_of(const std::function<Real(const Vec<D>&)>& heights,
                              const Vec<D>& origin, const Vec<D>& direction, Real end);

}  // namespace widephase::test
