#pragma once

// Cylinders in lanes, and which of the sixteen parts of a rim a direction points to.

#include "kernels/core/basis/manifold.hpp"
#include "kernels/core/faces/convex_face.hpp"

namespace widephase {
namespace {

/// A cylinder's row is that of a box with two half extents for the radius. `BoxLanes::radius` is
/// the rounding.
template <class F>
struct CylinderLanes : BoxLanes<F, 3> {
  static constexpr Kind row_kind = Kind::cylinder;
  using BoxLanes<F, 3>::BoxLanes;

  WIDEPHASE_INLINE const Vec<F, 3>& axis() const { return this->rotation.column[2]; }
  WIDEPHASE_INLINE const F& own_radius() const { return this->half_extents[0]; }
  WIDEPHASE_INLINE const F& half_height() const { return this->half_extents[2]; }
};

/// `rim_part` (core/faces/convex_face.hpp) in lanes, to the bit; 0 for a direction without length.
template <class F>
WIDEPHASE_INLINE F rim_parts(const F& x, const F& y) {
  using T = RealOf<F>;
  const F zero = F(0), one = F(1);
  // Turned back by quarters of a turn until it lies in the first one.
  const auto is_first = (y >= zero) & (x > zero), is_second = (x <= zero) & (y > zero);
  const auto is_third = (y <= zero) & (x < zero);
  const F along = select(is_first, x, select(is_second, y, select(is_third, negate(x), negate(y))));
  const F aside = select(is_first, y, select(is_second, negate(x), select(is_third, negate(y), x)));
  F part = select(is_first, zero, select(is_second, F(4), select(is_third, F(8), F(12))));
  part = part - one;
  for (int k = 0; k < 4; ++k) {
    const F left = F(rim_cosine<T>(k)) * aside - F(rim_sine<T>(k)) * along;
    part = part + select(left >= zero, one, zero);
  }
  part = select(part < zero, F(kRimPoints - 1), part);
  return select((x == zero) & (y == zero), zero, part);
}

/// `cylinder_feature_at` (core/faces/convex_features.hpp) in lanes, for a point in the cylinder's
/// frame.
template <class F>
WIDEPHASE_INLINE F cylinder_features_at(const F& x, const F& y, const F& z, const F& radius,
                                        const F& half, const F& rounding) {
  using T = RealOf<F>;
  const F upper = one_where<F>(z > F(0));
  const auto is_at_end = half - abs(z) <= rounding;
  const auto is_at_side = radius - sqrt(x * x + y * y) <= rounding;
  const F rim = edge_feature(F(kRimPoints) * upper + rim_parts(x, y));
  return select(is_at_end, select(is_at_side, rim, face_feature(upper)),
                face_feature(F(static_cast<T>(kSideFace))));
}

}  // namespace
}  // namespace widephase
