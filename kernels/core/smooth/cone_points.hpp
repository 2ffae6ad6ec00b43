#pragma once

// The points of two cones, or of a cylinder or a segment and a cone, that are opposite one another
// along a direction, in lanes. Whether they are, to rounding, says whether these features meet
// along it.

#include <type_traits>

#include "kernels/core/cylinder/cylinder_lanes.hpp"
#include "kernels/core/faces/convex_manifold.hpp"
#include "kernels/core/smooth/cone_frame.hpp"

namespace widephase {
namespace {

/// A direction in the frame of two cones, and the features of theirs that it is normal to.
template <class F>
struct ConeDirection {
  Vec<F, 3> n;
  F feature;  ///< a `RoundFeature`; `rims` is an apex or a rim of each
};

/// As `put_edges`, for a side's line with the square of its half, and a place on it in halves: an
/// end, as far as `slack` from it, or the line.
template <class F>
WIDEPHASE_INLINE F line_feature(const F& at, const F& length2, const F& slack) {
  using T = RealOf<F>;
  const F side = F(static_cast<T>(kSideLine)), one = F(1), half = F(0.5f);
  const F near = half * divide_or_zero(slack, sqrt(length2)), share = half * (at + one);
  return select(share <= near, vertex_feature(side),
                select(share >= one - near, vertex_feature(side + one), edge_feature(side)));
}

/// Whether a cone shows its base to a direction, or is so flat or thin that this is not told
/// (`find_cone_face`).
template <class F>
WIDEPHASE_INLINE MaskOf<F> may_show_base(const ConvexLanes<F>& cone, const Vec<F, 3>& direction,
                                         const F& slack) {
  const Vec<F, 3>(&turn)[3] = cone.turn.column;
  const F &radius = cone.half[0], height = cone.half[2] + cone.half[2];
  const F slope = dot(turn[2], direction);
  const F x = dot(turn[0], direction), y = dot(turn[1], direction), size = sqrt(x * x + y * y);
  const F side = sqrt(radius * radius + height * height);
  return (negate(slope) * side > height * size + radius * slope) |
         !((radius > F(0)) & (height > F(2) * slack));
}

/// What a cone shows to a direction, in lanes.
template <class F>
struct FacingCone {
  using T = RealOf<F>;
  const ConvexLanes<F>& cone;
  F reach;
  F up, rim;               ///< how far the apex is along the direction; the rim beyond the base
  MaskOf<F> is_apex;       ///< that is foremost
  Vec<F, 3> foremost;      ///< the apex or the rim's point
  Vec<F, 3> middle, line;  ///< the side's line, by its middle and its half toward the apex

  WIDEPHASE_INLINE FacingCone(const ConvexLanes<F>& of, const Vec<F, 3>& direction) : cone(of) {
    const Vec<F, 3> first = half_axis(0), second = half_axis(1), apex = half_axis(2);
    reach = sqrt((dot(first, first) + dot(second, second)) + dot(apex, apex));
    const F x = dot(first, direction), y = dot(second, direction);
    up = dot(apex, direction);
    rim = sqrt(x * x + y * y);
    is_apex = up + up > rim;
    const Vec<F, 3> out = divide_or_zero(x, rim) * first + divide_or_zero(y, rim) * second;
    foremost = select(is_apex, apex, out - apex);
    middle = F(0.5f) * out;
    line = apex - middle;
  }
  WIDEPHASE_INLINE Vec<F, 3> half_axis(int k) const { return cone.half[k] * cone.turn.column[k]; }
  /// The end that is foremost: the apex, as the upper one, or the rim.
  WIDEPHASE_INLINE MaskOf<F> is_end() const { return is_apex; }
  /// How far the rim's point moves per radian, and where to.
  WIDEPHASE_INLINE F bend() const { return divide_or_zero(cone.half[0] * cone.half[0], rim); }
  WIDEPHASE_INLINE Vec<F, 3> tangent() const {
    return divide_or_zero(F(1), cone.half[0]) * cross(cone.turn.column[2], middle + middle);
  }
  /// More of the rim than a point, or a line of the side, as in `level_count`.
  WIDEPHASE_INLINE MaskOf<F> is_rim_level(const F& slack) const {
    return (rim <= F(32) * slack) & !(up + up > slack);
  }
  WIDEPHASE_INLINE MaskOf<F> is_line_level(const F& slack) const {
    return abs((up + up) - rim) <= slack;
  }
  /// How far a point in the base's plane lies outside of the rim.
  WIDEPHASE_INLINE F beside_base(const Vec<F, 3>& point) const {
    const Vec<F, 3>& u = cone.turn.column[2];
    return length(point - dot(u, point) * u) - cone.half[0];
  }
  /// For a point of the side's line where it crosses another one.
  WIDEPHASE_INLINE F feature_on_line(const Vec<F, 3>& point, const F& slack) const {
    const F length2 = dot(line, line);
    const F at = clamp(divide_or_zero(dot(point - middle, line), length2), F(-1), F(1));
    return line_feature(at, length2, slack);
  }
  /// As `feature_between`.
  WIDEPHASE_INLINE F feature_at(const Vec<F, 3>& point, const F& rounding) const {
    const F zero = F(0), &radius = cone.half[0], &half = cone.half[2];
    const F near = sqrt(F(kRounding<T>)) * reach + rounding;
    const Vec<F, 3>(&turn)[3] = cone.turn.column;
    const F x = dot(turn[0], point), y = dot(turn[1], point), z = dot(turn[2], point);
    const F across = sqrt(x * x + y * y);
    const auto is_at_base = z + half <= near;
    const auto is_at_rim = is_at_base & (radius > zero) & (radius - across <= near);
    const auto is_at_apex = (half - z <= near) & (across <= near);
    const F side = F(static_cast<T>(kSideLine));
    const F face =
        face_feature(select(is_at_base & (up < zero), zero, F(static_cast<T>(kSideFace))));
    const F inner = select(is_at_base & (radius == zero), vertex_feature(side), face);
    return select(is_at_rim, edge_feature(rim_parts(x, y)),
                  select(is_at_apex, vertex_feature(side + F(1)), inner));
  }
};

/// The same of a cylinder. Both its ends are rims.
template <class F>
struct FacingCylinder {
  using T = RealOf<F>;
  const ConvexLanes<F>& cylinder;
  F reach;
  F up, rim;           ///< how far the upper end's middle is along the direction; the rim beyond it
  MaskOf<F> is_apex;   ///< none is
  MaskOf<F> is_upper;  ///< the foremost end
  Vec<F, 3> foremost;
  Vec<F, 3> middle, line;

  WIDEPHASE_INLINE FacingCylinder(const ConvexLanes<F>& of, const Vec<F, 3>& direction)
      : cylinder(of), is_apex(F(1) < F(0)) {
    const Vec<F, 3> first = of.half[0] * of.turn.column[0], second = of.half[1] * of.turn.column[1];
    line = of.half[2] * of.turn.column[2];
    reach = sqrt((dot(first, first) + dot(second, second)) + dot(line, line));
    const F x = dot(first, direction), y = dot(second, direction);
    up = dot(line, direction);
    rim = sqrt(x * x + y * y);
    is_upper = up > F(0);
    middle = divide_or_zero(x, rim) * first + divide_or_zero(y, rim) * second;
    foremost = middle + select(is_upper, line, -line);
  }
  WIDEPHASE_INLINE MaskOf<F> is_end() const { return is_upper; }
  WIDEPHASE_INLINE F bend() const {
    return divide_or_zero(cylinder.half[0] * cylinder.half[0], rim);
  }
  WIDEPHASE_INLINE Vec<F, 3> tangent() const {
    return divide_or_zero(F(1), cylinder.half[0]) * cross(cylinder.turn.column[2], middle);
  }
  WIDEPHASE_INLINE MaskOf<F> is_rim_level(const F& slack) const { return rim <= F(32) * slack; }
  WIDEPHASE_INLINE MaskOf<F> is_line_level(const F& slack) const { return F(2) * abs(up) <= slack; }
  WIDEPHASE_INLINE F beside_base(const Vec<F, 3>& point) const {
    const Vec<F, 3>& u = cylinder.turn.column[2];
    return length(point - dot(u, point) * u) - cylinder.half[0];
  }
  WIDEPHASE_INLINE F feature_at(const Vec<F, 3>& point, const F& rounding) const {
    const Vec<F, 3>(&turn)[3] = cylinder.turn.column;
    const F near = sqrt(F(kRounding<T>)) * reach + rounding;
    return cylinder_features_at(dot(turn[0], point), dot(turn[1], point), dot(turn[2], point),
                                cylinder.half[0], cylinder.half[2], near);
  }
};

/// The same of a segment, which is a line itself. Its ends are vertices.
template <class F>
struct FacingSegment {
  F reach, up, rim = F(0);
  MaskOf<F> is_apex, is_upper;
  Vec<F, 3> foremost, middle = zero_vec<F, 3>(), line;

  WIDEPHASE_INLINE FacingSegment(const ConvexLanes<F>& segment, const Vec<F, 3>& direction)
      : is_apex(F(1) < F(0)) {
    line = segment.half[0] * segment.turn.column[0];
    reach = sqrt(dot(line, line));
    up = dot(line, direction);
    is_upper = up > F(0);
    foremost = select(is_upper, line, -line);
  }
  WIDEPHASE_INLINE F bend() const { return F(0); }
  WIDEPHASE_INLINE Vec<F, 3> tangent() const { return zero_vec<F, 3>(); }
  WIDEPHASE_INLINE MaskOf<F> is_rim_level(const F&) const { return F(1) < F(0); }
  WIDEPHASE_INLINE MaskOf<F> is_line_level(const F& slack) const { return F(2) * abs(up) <= slack; }
  WIDEPHASE_INLINE F beside_base(const Vec<F, 3>&) const { return F(0); }
};

/// What A shows to a direction, by how many ends it has that are rims or, for a segment, none.
template <class F, int Ends>
using FacingOf =
    std::conditional_t<Ends == 0, FacingSegment<F>,
                       std::conditional_t<Ends == 1, FacingCone<F>, FacingCylinder<F>>>;

/// The points of two cones, or of a cylinder or a segment and a cone, that are opposite one another
/// along a direction.
template <class F, class Pair = ConePair<F>>
struct OppositePoints {
  using T = RealOf<F>;
  using FacingA = FacingOf<F, Pair::Frame::ends_a>;
  Vec<F, 3> normal;
  FacingA a;
  FacingCone<F> b;
  MaskOf<F> is_sides, is_line_a, is_line_b, is_cap_a, is_cap_b;
  MaskOf<F> is_end_a, is_end_b;  ///< the apex, or the end of a line there
  F depth;                       ///< along the normal, by support points
  F at_a, at_b, a2, b2, area;    ///< of lines: where in halves, and squares of these
  Vec<F, 3> on_a, on_b;
  F off;  ///< how far the points are from being opposite, or over the base
  F size, rounding, slack;
  MaskOf<F> is_crossing;  ///< two lines meet in one point
  MaskOf<F> is_several;   ///< faces or lines are level with one another (`may_be_several`)

  OppositePoints(const Pair& cones, const ConeDirection<F>& at, const ConvexLanes<F>& cone_a,
                 const ConvexLanes<F>& cone_b, const Vec<F, 3>& apart)
      : normal(unit(cones.to_scene(at.n))), a(cone_a, normal), b(cone_b, -normal) {
    const auto is = [&](RoundFeature feature) { return at.feature == F(static_cast<T>(feature)); };
    const auto own = [&](RoundFeature feature, RoundFeature other) {
      return select_mask<F>(cones.is_swapped, is(other), is(feature));
    };
    is_sides = is(RoundFeature::sides);
    is_line_a = is_sides | own(RoundFeature::side_rim, RoundFeature::rim_side);
    is_line_b = is_sides | own(RoundFeature::rim_side, RoundFeature::side_rim);
    is_cap_a = own(RoundFeature::cap_a, RoundFeature::cap_b);
    is_cap_b = own(RoundFeature::cap_b, RoundFeature::cap_a);
    depth = dot(normal, (a.foremost - b.foremost) - apart);
    find_points(apart);
    size = (a.reach + b.reach) + ((abs(apart[0]) + abs(apart[1])) + abs(apart[2]));
    rounding = F(32 * kRounding<T>) * size;
    slack = F(T(1.25)) * flush_slack_lanes(size);
    find_level();
  }

  /// How far the points are from ends of lines or borders of bases.
  WIDEPHASE_INLINE F to_end() const {
    const F one = F(1), large = F(kLargest<T>);
    const auto on = [&](const MaskOf<F>& is_line, const F& at, const F& length2,
                        const MaskOf<F>& is_cap, const auto& cone, const Vec<F, 3>& point) {
      return select(is_line, (one - abs(at)) * sqrt(length2),
                    select(is_cap, negate(cone.beside_base(point)), large));
    };
    return lesser(on(is_line_a, at_a, a2, is_cap_a, a, on_a),
                  on(is_line_b, at_b, b2, is_cap_b, b, on_b));
  }

 private:
  static WIDEPHASE_INLINE Vec<F, 3> unit(const Vec<F, 3>& v) { return v / length(v); }

  WIDEPHASE_INLINE void find_level() {
    const auto is_flat_a = a.is_rim_level(slack), is_flat_b = b.is_rim_level(slack);
    const auto is_along_a = a.is_line_level(slack), is_along_b = b.is_line_level(slack);
    is_crossing = is_sides & is_along_a & is_along_b & (F(4) * area > (slack * slack) * a2);
    is_several = ((is_flat_a | is_along_a) & (is_flat_b | is_along_b) & !is_crossing) |
                 (is_flat_a & !is_cap_a) | (is_flat_b & !is_cap_b);
  }

  /// As `put_opposite`.
  WIDEPHASE_INLINE void find_points(const Vec<F, 3>& apart) {
    const F zero = F(0), one = F(1);
    const Vec<F, 3> none = zero_vec<F, 3>(), way = depth * normal;
    const Vec<F, 3> from_a = select(is_line_a, a.middle, a.foremost);
    const Vec<F, 3> from_b = select(is_line_b, b.middle, b.foremost);
    const Vec<F, 3> line_a = select(is_line_a, a.line, none);
    const Vec<F, 3> line_b = select(is_line_b, b.line, none);
    const Vec<F, 3> gap = ((from_a - from_b) - apart) - way, across = cross(line_a, line_b);
    a2 = dot(line_a, line_a);
    b2 = dot(line_b, line_b);
    area = dot(across, across);
    const F crossing = divide_or_zero(dot(cross(line_b, gap), across), area);
    at_b = clamp(divide_or_zero(dot(gap + crossing * line_a, line_b), b2), F(-1), one);
    at_a = clamp(divide_or_zero(negate(dot(gap - at_b * line_b, line_a)), a2), F(-1), one);
    const Vec<F, 3> beside = (gap + at_a * line_a) - at_b * line_b;
    is_end_a = select_mask<F>(is_line_a, at_a > zero, a.is_apex & !is_cap_a);
    is_end_b = select_mask<F>(is_line_b, at_b > zero, b.is_apex & !is_cap_b);
    // The direction leaves open where along a nearly level rim its point is. Then the other cone's
    // point says more: on the rim's tangent it is on the rim but for a square.
    const F bend_a = select(is_line_a | is_end_a, zero, a.bend());
    const F bend_b = select(is_line_b | is_end_b, zero, b.bend());
    const auto is_by_b = is_cap_a | ((bend_b < bend_a) & !is_cap_b);
    const Vec<F, 3> opposite_b = (apart + (from_b + at_b * line_b)) + way;
    on_a = select(is_by_b, opposite_b, from_a + at_a * line_a);
    on_b = (on_a - way) - apart;
    const Vec<F, 3> tangent = select(bend_b < bend_a, a.tangent(), b.tangent());
    const F astray = F(16 * kRounding<T>) * greater(bend_a, bend_b);
    const F along = clamp(dot(beside, tangent), negate(astray), astray);
    off = select(is_cap_a, a.beside_base(on_a),
                 select(is_cap_b, b.beside_base(on_b), length(beside - along * tangent)));
  }
};

}  // namespace
}  // namespace widephase
