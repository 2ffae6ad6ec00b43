#pragma once

// Cylinders and the cores of capsules in lanes: the face, the line or the rim's point that looks
// along a direction. core/faces/convex_face.hpp takes one core at a time.

#include "kernels/core/cylinder/cylinder_lanes.hpp"
#include "kernels/core/faces/face_clipper_lanes.hpp"

namespace widephase {
namespace {

/// A core about an axis, with what its face along a direction has.
template <class F>
struct RoundFaces {
  using T = RealOf<F>;
  bool is_segment;
  Vec<F, 3> turn[3], across[2];  ///< unit axes; half axes across a cylinder's axis
  Vec<F, 3> up, axis;            ///< from the middle to the upper end; that of unit length
  F reach, half, radius;
  Vec<F, 3> out;  ///< from the axis to the rim's point along the direction, or to the side's line
  Vec<F, 3> foremost;
  F is_up;  ///< 1 if that is a point of the upper end
  MaskOf<F> is_cap, is_upper;

  WIDEPHASE_INLINE RoundFaces(const ConvexLanes<F>& core, const Vec<F, 3>& direction)
      : is_segment(core.form == CoreForm::segment) {
    const F zero = F(0), one = F(1);
    const auto axis_at = [&](int k) { return core.half[k] * core.turn.column[k]; };
    for (int k = 0; k < 3; ++k) turn[k] = core.turn.column[k];
    up = axis_at(is_segment ? 0 : 2);
    F square = zero;
    for (int k = 0; k < 3; ++k) square = square + dot(axis_at(k), axis_at(k));
    reach = sqrt(square);
    half = sqrt(dot(up, up));
    axis = up / select(half > zero, half, one);
    is_up = one_where<F>(dot(up, direction) > zero);
    radius = zero;
    is_cap = is_upper = zero > zero;
    out = across[0] = across[1] = zero_vec<F, 3>();
    for (int k = 0; !is_segment && k < 2; ++k) across[k] = axis_at(k);
    foremost = foremost_along(direction);
    if (is_segment) return;
    radius = sqrt(dot(across[0], across[0]));
    F size;
    out = rim_along(turn[0], turn[1], direction, size);
    const F slope = dot(turn[2], direction);
    is_cap = abs(slope) > size;
    is_upper = slope > zero;
  }
  /// Whether the same end is the farther one along another direction.
  WIDEPHASE_INLINE MaskOf<F> keeps_end(const Vec<F, 3>& direction) const {
    return one_where<F>(dot(up, direction) > F(0)) == is_up;
  }
  /// The farthest point along a direction.
  WIDEPHASE_INLINE Vec<F, 3> foremost_along(const Vec<F, 3>& direction) const {
    const Vec<F, 3> end = select(dot(up, direction) > F(0), up, -up);
    F size;
    return is_segment ? end : rim_along(across[0], across[1], direction, size) + end;
  }
  /// How far a point is over an end or off the side, whichever is more.
  WIDEPHASE_INLINE F beyond(const Vec<F, 3>& point) const {
    const F height = dot(point, axis);
    const Vec<F, 3> aside = point - height * axis;
    return greater(abs(height) - half, sqrt(dot(aside, aside)) - radius);
  }
  /// Whether both ends of its line are as far out, within `slack`.
  WIDEPHASE_INLINE MaskOf<F> is_line_level(const Vec<F, 3>& direction, const F& slack) const {
    const F low = dot(direction, out - up), high = dot(direction, out + up);
    const F highest = greater(low, high);
    return !((highest - low > slack) | (highest - high > slack));
  }
  /// Where a cap is level with the direction, or a line, as in `level_count`.
  WIDEPHASE_INLINE MaskOf<F> is_cap_level(const Vec<F, 3>& direction, const F& slack) const {
    if (is_segment) return F(0) > F(0);
    return leans_by_at_most(direction, F(32) * slack);
  }
  /// Whether two neighbours among the rim's sixteen points may both be level: the lower one is at
  /// least a sixteenth of half a turn from the foremost, and lags by a 52nd of what the cap leans.
  WIDEPHASE_INLINE MaskOf<F> may_have_level_edge(const Vec<F, 3>& direction, const F& slack) const {
    return leans_by_at_most(direction, F(100) * slack);
  }
  WIDEPHASE_INLINE MaskOf<F> is_axis_level(const Vec<F, 3>& direction, const F& slack) const {
    return F(2) * abs(dot(up, direction)) <= slack;
  }
  /// Where the upper or the lower end, as `is_up` says, is outermost about a direction
  /// (`rim_feature`): a rim's point, or a segment's end or, where `is_line`, its middle.
  struct Outermost {
    Vec<F, 3> point, turn;
    F curvature;
    MaskOf<F> is_known;
  };
  WIDEPHASE_INLINE Outermost outermost(const Vec<F, 3>& direction, const MaskOf<F>& is_line) const {
    const F zero = F(0), one = F(1);
    const Vec<F, 3> end = select(is_up > zero, up, -up), none = zero_vec<F, 3>();
    if (is_segment) return {select(is_line, none, end), none, zero, zero == zero};
    const F x = dot(turn[0], direction), y = dot(turn[1], direction);
    const F sine = sqrt(x * x + y * y);
    const auto has_sine = sine > zero;
    const F divisor = select(has_sine, sine, one);
    const F cos = divide(x, divisor), sin = divide(y, divisor);
    return {(cos * across[0] + sin * across[1]) + end, cos * turn[1] - sin * turn[0],
            divide(radius, divisor), has_sine};
  }
  WIDEPHASE_INLINE F end_feature(int end) const {
    return vertex_feature(F(static_cast<T>(end + (is_segment ? 0 : kSideLine))));
  }
  WIDEPHASE_INLINE F line_feature() const {
    return edge_feature(F(static_cast<T>(is_segment ? 0 : kSideLine)));
  }
  /// The feature at a point (`feature_between`). A segment's is its line if `is_line`.
  WIDEPHASE_INLINE F feature_at(const Vec<F, 3>& point, const MaskOf<F>& is_line,
                                const F& rounding) const {
    if (is_segment) return select(is_line, line_feature(), vertex_feature(is_up));
    const F near = sqrt(F(kRounding<T>)) * reach + rounding;
    return cylinder_features_at(dot(turn[0], point), dot(turn[1], point), dot(turn[2], point),
                                radius, half, near);
  }

 private:
  WIDEPHASE_INLINE MaskOf<F> leans_by_at_most(const Vec<F, 3>& direction, const F& most) const {
    const Vec<F, 3> aside = cross(turn[2], direction);
    return dot(across[0], across[0]) * dot(aside, aside) <= most * most;
  }
  /// From the axis to the rim, by the direction's parts along these two.
  WIDEPHASE_INLINE Vec<F, 3> rim_along(const Vec<F, 3>& first, const Vec<F, 3>& second,
                                       const Vec<F, 3>& direction, F& size) const {
    const F x = dot(first, direction), y = dot(second, direction);
    size = sqrt(x * x + y * y);
    const F divisor = select(size > F(0), size, F(1));
    return divide(x, divisor) * across[0] + divide(y, divisor) * across[1];
  }
};

}  // namespace
}  // namespace widephase
