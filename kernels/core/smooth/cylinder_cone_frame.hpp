#pragma once

// A cylinder and a cone that overlap, in lanes: the least of all directions, from a complete list
// of those that may be it. As for two cones (core/smooth/cone_frame.hpp), with
//   f(n) = half_a |n.a| + radius_a |n x a| + max(-height_b n.b, radius_b |n x b|) - n.d
// and the offset d from the cylinder's middle to the cone's base. A minimum above 0 is
//   - a cap's normal or the base's;
//   - where the cylinder's side touches the cone: n is on the circle n.a = 0;
//   - where the cone's side touches one of the cylinder's rims: n is on the circle
//     n.b = -level_b (`ConeSideAtRims`);
//   - between the cone's rim and one of the cylinder's (core/cylinder/rim_search.hpp).
//
// Frame: a is (1, 0, 0), b is (k, s, 0) with s > 0, and d2 >= 0. A is the cylinder.

#include "kernels/core/smooth/cone_frame.hpp"

namespace widephase {
namespace {

template <class F>
struct CylinderConeFrame {
  using T = RealOf<F>;
  static constexpr int row_size = 11;
  // For the search between rims: overlaps are as those of two cones, of which one has two rims.
  static constexpr bool is_cone = true;
  static constexpr int ends_a = 2, ends_b = 1;
  Vec<F, 3> d;
  F k, s;
  F radius_a, radius_b, half_a, height_b;
  F level_b;  ///< of the side's normals along the axis
  F along_b;  ///< as in `CylinderFrame`
  F half_b = F(0), level_a = F(0);

  WIDEPHASE_INLINE void put(F* row) const {
    const F numbers[row_size] = {d[0],     d[1],   d[2],     k,       s,      radius_a,
                                 radius_b, half_a, height_b, level_b, along_b};
    for (int i = 0; i < row_size; ++i) row[i] = numbers[i];
  }
  static WIDEPHASE_INLINE CylinderConeFrame of(const F* row) {
    return {{{row[0], row[1], row[2]}},
            row[3],
            row[4],
            row[5],
            row[6],
            row[7],
            row[8],
            row[9],
            row[10]};
  }

  WIDEPHASE_INLINE Vec<F, 3> axis_a() const { return {{F(1), F(0), F(0)}}; }
  WIDEPHASE_INLINE Vec<F, 3> axis_b() const { return {{k, s, F(0)}}; }
  /// As in `ConeFrame`: the rim that a direction leads to.
  WIDEPHASE_INLINE Vec<F, 3> end_a(const MaskOf<F>&, const Vec<F, 3>& n) const {
    return {{select(n[0] < F(0), negate(half_a), half_a), F(0), F(0)}};
  }
  WIDEPHASE_INLINE F end_radius_a(const MaskOf<F>&) const { return radius_a; }

  WIDEPHASE_INLINE F overlap(const Vec<F, 3>& n) const {
    const F on_b = k * n[0] + s * n[1], beside = k * n[1] - s * n[0];
    return ((half_a * abs(n[0]) + radius_a * sqrt(n[1] * n[1] + n[2] * n[2])) +
            greater(negate(height_b * on_b), radius_b * sqrt(beside * beside + n[2] * n[2]))) -
           dot(n, d);
  }
};

/// A cone's side beside a cylinder's rims, as `ConeSideTurn`: the cone is about (1, 0, 0), the
/// cylinder's axis is (k, s, 0) and its middle opposite (., d1, d2).
template <class F>
struct ConeSideAtRims {
  using T = RealOf<F>;
  F level, wide;
  F k, s, d1, d2;
  F radius, half;  ///< the cylinder's

  /// Calls `take(exists, x, y, feature)` for all places that may be the least overlap, except where
  /// the cylinder's side is level: there both sides' circles meet. Answers the lanes where one was
  /// not found.
  ///
  /// The overlap is, but for a constant, -wide (d1 x + d2 y) + half |z| + radius sqrt(1 - z^2) with
  /// z = k level + s wide x. Seen over x, it has a kink upward where z is 0, and on either side of
  /// it the same second derivative, which is negative on one interval at most. So there are no more
  /// than two minima, one on either side of that.
  template <class Take>
  WIDEPHASE_INLINE MaskOf<F> find_all(const Take& take) const {
    const F zero = F(0), one = F(1);
    const F from = k * level, by = s * wide;
    for (const F& end : {one, F(-1)}) take(zero == zero, end, zero, RoundFeature::rim_side);
    // No offset may be zero. So small a change does not alter the answer.
    const F size = (radius + half) + (abs(d1) + d2);
    const F pull = wide * greater(d2, roundings<F>(16) * size), bulge = radius * by;
    // At the upper rim, z > 0, and at the lower one.
    const F upper = negate(wide * (d1 - half * s)), lower = negate(wide * (d1 + half * s));
    const F kink = divide(negate(from), by);
    const auto y_of = [&](const F& x) { return sqrt(greater((one - x) * (one + x), zero)); };
    const RimTurn<F> at_kink{kink, y_of(kink)};
    // There z is 0, and so is the rim's own slope.
    const auto falls_on = upper * at_kink.z + pull * kink < zero;

    const RimBend<F> bend(pull, bulge, from, by);
    const auto bends_down = bend.exists & (bend.low < one) & (bend.high > F(-1));
    const auto find = [&](const MaskOf<F>& exists, const RimTurn<F>& left,
                          const RimTurn<F>& right) {
      const auto has_kink = (kink > left.x) & (kink < right.x);
      const auto is_upper = select_mask<F>(has_kink, falls_on, kink <= left.x);
      const auto from_kink = has_kink & is_upper, to_kink = has_kink & !is_upper;
      RimTurn<F> at;
      MaskOf<F> is_open = exists;
      const auto is_found = ConeSideTurn<F>::find_least(
          select(is_upper, upper, lower), pull, bulge, from, by,
          {select(from_kink, kink, left.x), select(from_kink, at_kink.z, left.z)},
          {select(to_kink, kink, right.x), select(to_kink, at_kink.z, right.z)}, is_open, at);
      take(is_found, at.x, at.z, RoundFeature::rim_side);
      return is_open;
    };
    const RimTurn<F> first{F(-1), zero}, last{one, zero};
    const F after = select(bends_down, lesser(bend.high, one), first.x);
    const F before = greater(bend.low, first.x);
    const auto has_low = bends_down & (bend.low > first.x);
    auto is_open = find(zero == zero, {after, y_of(after)}, last);
    is_open = is_open | find(has_low, first, {before, y_of(before)});
    return is_open;
  }

  /// Newton's steps from nearly the least place.
  WIDEPHASE_INLINE RimTurn<F> settle(RimTurn<F> at, int steps) const {
    const F zero = F(0), one = F(1);
    const F from = k * level, by = s * wide, tiny = F(T(1e-30)), bulge = radius * by;
    for (int step = 0; step < steps; ++step) {
      // Over a nearly level rim 1 - z^2 would have few digits.
      const F z = from + by * at.x, beside = (k * wide) * at.x - s * level, up = wide * at.z;
      const F square = greater(beside * beside + up * up, tiny);
      const F over = divide(one, sqrt(square)), zy = (z * at.z) * over;
      const F end = select(z < zero, negate(half), half);
      const F to_x = wide * (d1 - end * s), to_y = wide * d2;
      const F fall = bulge * zy + (to_x * at.z - to_y * at.x);
      const F bend = (to_y * at.z + to_x * at.x) +
                     bulge * ((z * at.x - by * (at.z * at.z)) * over - (by * over) * (zy * zy));
      const F turn = clamp(select(bend > zero, negate(divide_or_zero(fall, bend)), zero),
                           F(T(-0.3)), F(T(0.3)));
      const F x = at.x - turn * at.z, y = greater(at.z + turn * at.x, zero);
      const F inverse = divide_or_zero(one, sqrt(x * x + y * y));
      at = {x * inverse, y * inverse};
    }
    return at;
  }
};

/// The frame of a cylinder and a cone.
template <class F>
struct CylinderConePair : PairWithCone<F, CylinderConeFrame<F>, CylinderConePair<F>> {
  using T = RealOf<F>;
  using Base = PairWithCone<F, CylinderConeFrame<F>, CylinderConePair<F>>;
  using Base::a, Base::frame, Base::extent, Base::wide_a, Base::wide_b;
  using Base::is_even, Base::is_swapped;

  /// `apart` leads from the cylinder's middle to the cone's.
  CylinderConePair(const ConvexLanes<F>& cylinder, const ConvexLanes<F>& cone,
                   const Vec<F, 3>& apart) {
    const F two = F(2);
    a = cylinder.turn.column[2];
    const Vec<F, 3>& b = cone.turn.column[2];
    const F reach =
        greater(greater(cylinder.half[2], cylinder.half[0]), greater(cone.half[2], cone.half[0]));
    const UnitScale<F> scale(greater(reach, coordinate_size(apart)));
    const F half_b = cone.half[2] * scale.into;
    frame.half_a = cylinder.half[2] * scale.into;
    frame.radius_a = cylinder.half[0] * scale.into;
    frame.radius_b = cone.half[0] * scale.into;
    frame.height_b = two * half_b;
    const F side = sqrt(frame.radius_b * frame.radius_b + frame.height_b * frame.height_b);
    frame.level_b = divide_or_zero(frame.radius_b, side);
    wide_a = F(1);
    wide_b = divide_or_zero(frame.height_b, side);
    is_swapped = F(1) < F(0);

    const RoundAxes<F> axes(a, b, scale.into * apart - half_b * b);
    const F thin = F(T(0x1p-5)), small = F(T(0x1p-8));
    const F of_a = frame.radius_a + two * frame.half_a;
    is_even = axes.are_across & (lesser(frame.radius_a, two * frame.half_a) > thin * of_a) &
              (lesser(frame.level_b, wide_b) > thin) &
              (lesser(of_a, frame.radius_b + frame.height_b) > small * (scale.into * reach));
    this->put(axes);
    extent = (of_a + (frame.height_b + frame.radius_b)) + coordinate_size(frame.d);
  }

  /// From B all is the other way round; a is (k, s) in its frame too.
  WIDEPHASE_INLINE ConeSideAtRims<F> side_of_b() const {
    const CylinderConeFrame<F>& f = frame;
    return {f.level_b, wide_b, f.k, f.s, f.along_b, f.d[2], f.radius_a, f.half_a};
  }
};

}  // namespace
}  // namespace widephase
