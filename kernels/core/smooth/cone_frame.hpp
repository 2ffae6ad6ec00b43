#pragma once

// Two cones that overlap, in lanes: the least of all directions, from a complete list of those that
// may be it.
//
// Along a unit direction n, from A to B, cones overlap by
//   f(n) = max(height_a n.a, radius_a |n x a|) + max(-height_b n.b, radius_b |n x b|) - n.d
// with the axes a and b from base to apex and the offset d of B's base. Any n gives an upper bound,
// so an answer can be wrong only by a direction that was not tried. A minimum above 0 is
//   - a base's normal;
//   - where a side's line touches the other cone: n is on the circle n.a = radius_a / side_a, or on
//     B's (`find_along_side`), or on both;
//   - between two rims (core/cylinder/rim_search.hpp).
// A vertex of one inside the other leaves that one across its base or side, and beside a rim it
// would leave farther along the rim's normals between these.
//
// Frame: a is (1, 0, 0), b is (k, s, 0) with s > 0, and d2 >= 0: A - B is its own mirror image in
// the plane of the axes, so the best direction has n2 >= 0. A is the cone of the larger radius.

#include "kernels/core/cylinder/cylinder_frame.hpp"
#include "kernels/core/support/difference3.hpp"

namespace widephase {
namespace {

template <class F>
struct ConeFrame {
  using T = RealOf<F>;
  static constexpr int row_size = 12;
  // For the search between rims: each cone has one, in the plane of its base.
  static constexpr bool is_cone = true;
  static constexpr int ends_a = 1, ends_b = 1;
  Vec<F, 3> d;
  F k, s;
  F radius_a, radius_b, height_a, height_b;
  F level_a, level_b;  ///< of the sides' normals along the axes
  F along_b;           ///< as in `CylinderFrame`
  F half_a = F(0), half_b = F(0);

  WIDEPHASE_INLINE void put(F* row) const {
    const F numbers[row_size] = {d[0],     d[1],     d[2],     k,       s,       radius_a,
                                 radius_b, height_a, height_b, level_a, level_b, along_b};
    for (int i = 0; i < row_size; ++i) row[i] = numbers[i];
  }
  static WIDEPHASE_INLINE ConeFrame of(const F* row) {
    return {{{row[0], row[1], row[2]}},
            row[3],
            row[4],
            row[5],
            row[6],
            row[7],
            row[8],
            row[9],
            row[10],
            row[11]};
  }

  WIDEPHASE_INLINE Vec<F, 3> axis_a() const { return {{F(1), F(0), F(0)}}; }
  WIDEPHASE_INLINE Vec<F, 3> axis_b() const { return {{k, s, F(0)}}; }
  /// The middle and the radius of an end of A about a direction, the apex or the rim.
  WIDEPHASE_INLINE Vec<F, 3> end_a(const MaskOf<F>& is_apex, const Vec<F, 3>&) const {
    return select(is_apex, height_a, F(0)) * axis_a();
  }
  WIDEPHASE_INLINE F end_radius_a(const MaskOf<F>& is_apex) const {
    return select(is_apex, F(0), radius_a);
  }

  WIDEPHASE_INLINE F overlap(const Vec<F, 3>& n) const {
    const F on_b = k * n[0] + s * n[1], beside = k * n[1] - s * n[0];
    return (greater(height_a * n[0], radius_a * sqrt(n[1] * n[1] + n[2] * n[2])) +
            greater(negate(height_b * on_b), radius_b * sqrt(beside * beside + n[2] * n[2]))) -
           dot(n, d);
  }
};

/// Where the overlap along a side's circle bends down, seen over x, while the other core's rim is
/// foremost: from `low` to `high` (`ConeSideTurn::find_all`). But for a linear function of x it is
///   -pull y + radius sqrt(1 - z^2)   with z = from + by x and bulge = radius by.
template <class F>
struct RimBend {
  using T = RealOf<F>;
  F low, high;
  MaskOf<F> exists;

  WIDEPHASE_INLINE RimBend(const F& pull, const F& bulge, const F& from, const F& by) {
    const F zero = F(0), one = F(1);
    const F ratio = divide(bulge * by, pull);
    const F root = cube_root(ratio), m = root * root;
    const F square = m - by * by, half = from * by, rest = (one - from * from) - m;
    const F under = half * half - square * rest;
    const F q = sqrt(greater(under, zero)), sum = half + select(half < zero, negate(q), q);
    const F first = divide_or_zero(sum, square), second = divide_or_zero(rest, sum);
    low = lesser(first, second);
    high = greater(first, second);
    exists = (square > zero) & (under > zero);
  }

 private:
  /// The cube root of a number between 1e-12 and 1e12, to rounding.
  static WIDEPHASE_INLINE F cube_root(const F& x) {
    // x^(21/64), and Newton's steps.
    const F fourth = sqrt(sqrt(x)), sixteenth = sqrt(sqrt(fourth));
    const F last = sqrt(sqrt(sixteenth)), third = F(T(1) / 3);
    F root = (fourth * sixteenth) * last;
    for (int step = 0; step < (sizeof(T) == 4 ? 3 : 4); ++step) {
      root = third * ((root + root) + divide_or_zero(x, root * root));
    }
    return root;
  }
};

/// One cone's side beside the other cone: the cone is about (1, 0, 0), the other's axis is
/// (k, s, 0), and its base is at (., d1, d2) from this one's, with d2 >= 0. So n is (level, wide x,
/// wide y) with a unit vector x, y.
template <class F>
struct ConeSideTurn {
  using T = RealOf<F>;
  F level, wide;
  F k, s, d1, d2;
  F other_radius, other_height, other_level;
  RoundFeature own;  ///< this side along the other cone's rim or at its apex

  /// Calls `take(exists, x, y, feature)` for all places that may be the least overlap, six at most.
  /// Answers the lanes where one was not found.
  ///
  /// The overlap is, but for a constant, -wide (d1 x + d2 y) + max(-other_height z, other_radius
  /// sqrt(1 - z^2)) with z = k level + s wide x. Seen over x, with y = sqrt(1 - x^2), it is convex
  /// where the other's apex is foremost. Where the rim is, its second derivative is positive where
  ///   1 - z^2 > m (1 - x^2),   m = (other_radius (s wide)^2 / (wide d2))^(2/3):
  /// on all but one interval. So there are no more than two minima, one on either side of it.
  template <class Take>
  WIDEPHASE_INLINE MaskOf<F> find_all(const Take& take) const {
    const F zero = F(0), one = F(1);
    const F from = k * level, by = s * wide;
    // Where apex and rim are as far: z is -other_level.
    const F corner = divide(negate(other_level) - from, by);
    const auto has_corner = (corner > F(-1)) & (corner < one);
    const F corner_y = sqrt(greater((one - corner) * (one + corner), zero));
    take(has_corner, corner, corner_y, RoundFeature::sides);
    for (const F& end : {one, F(-1)}) take(zero == zero, end, zero, own);
    const F to_x = d1 + other_height * s, to_apex = sqrt(to_x * to_x + d2 * d2);
    const F apex_x = divide_or_zero(to_x, to_apex);
    take((to_apex > zero) & (apex_x < corner), apex_x, divide_or_zero(d2, to_apex), own);

    // No offset may be zero. So small a change does not alter the answer.
    const F size = other_radius + (abs(d1) + d2);
    const F slope = negate(wide * d1), pull = wide * greater(d2, roundings<F>(16) * size);
    const F bulge = other_radius * by;
    const RimBend<F> bend(pull, bulge, from, by);
    const F &low = bend.low, &high = bend.high;
    const F left = select(has_corner, corner, F(-1));
    const auto bends_down = bend.exists & (low < one) & (high > left);
    const F left_y = select(has_corner, corner_y, zero);
    const auto is_rim = corner < one;
    const auto y_of = [&](const F& x) { return sqrt(greater((one - x) * (one + x), zero)); };
    const auto find = [&](const MaskOf<F>& exists, const RimTurn<F>& low_end,
                          const RimTurn<F>& high_end) {
      RimTurn<F> at;
      MaskOf<F> is_open = exists;
      const auto is_found =
          find_least(slope, pull, bulge, from, by, low_end, high_end, is_open, at);
      take(is_found, at.x, at.z, own);
      return is_open;
    };
    const RimTurn<F> right{one, zero}, leftmost{left, left_y};
    const auto has_low = bends_down & (low > left);
    const F last = lesser(high, one);
    const RimTurn<F> low_turn{low, y_of(low)}, high_turn{last, y_of(last)};
    auto is_open = find(
        is_rim,
        {select(bends_down, high_turn.x, leftmost.x), select(bends_down, high_turn.z, leftmost.z)},
        right);
    is_open = is_open | find(is_rim & has_low, leftmost, low_turn);
    return is_open;
  }

  /// Newton's steps from nearly the least place, where the other's apex or rim is foremost.
  WIDEPHASE_INLINE RimTurn<F> settle(RimTurn<F> at, int steps) const {
    const F zero = F(0), one = F(1);
    const F from = k * level, by = s * wide, tiny = F(T(1e-30));
    for (int step = 0; step < steps; ++step) {
      // Over a nearly level rim 1 - z^2 would have few digits.
      const F z = from + by * at.x, beside = (k * wide) * at.x - s * level, up = wide * at.z;
      const F square = greater(beside * beside + up * up, tiny);
      const auto is_apex = z < negate(other_level);
      const F over = divide(one, sqrt(square)), zy = (z * at.z) * over;
      const F bulge = select(is_apex, zero, other_radius * by);
      const F to_x = wide * select(is_apex, d1 + other_height * s, d1), to_y = wide * d2;
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

  /// Newton's steps to where the overlap's slope is zero, between a place where it falls and one
  /// where it rises, as x rises. Answers the lanes that have such places, and leaves in `is_open`
  /// those where the steps have not ended.
  static WIDEPHASE_INLINE MaskOf<F> find_least(const F& slope, const F& pull, const F& bulge,
                                               const F& from, const F& by, RimTurn<F> low,
                                               RimTurn<F> high, MaskOf<F>& is_open,
                                               RimTurn<F>& at) {
    constexpr int kMostSteps = sizeof(T) == 4 ? 28 : 56;
    const F zero = F(0), one = F(1), done = F(sizeof(T) == 4 ? T(1e-4) : T(1e-8));
    F bend;
    // How the overlap falls as x rises: its slope over the angle of (x, y).
    const auto fall_at = [&](const RimTurn<F>& of) {
      const F z = from + by * of.x, square = greater((one - z) * (one + z), roundings<F>(1));
      const F over = divide(one, sqrt(square)), zy = (z * of.z) * over;
      bend = (pull * of.z - slope * of.x) +
             bulge * ((z * of.x - by * (of.z * of.z)) * over - (by * over) * (zy * zy));
      return bulge * zy - (slope * of.z + pull * of.x);
    };
    is_open = is_open & (low.x < high.x) & (fall_at(low) > zero) & (fall_at(high) < zero);
    const auto is_found = is_open;
    const auto middle = [&] {
      const F x = low.x + high.x, y = low.z + high.z, size = sqrt(x * x + y * y);
      const auto is_known = size > F(T(0.01));
      const F inverse = divide(one, select(is_known, size, one));
      return RimTurn<F>{select(is_known, x * inverse, zero), select(is_known, y * inverse, one)};
    };
    at = middle();
    for (int step = 0; step < kMostSteps && any<F>(is_open); ++step) {
      const F fall = fall_at(at);
      const auto is_low = fall > zero;
      low.x = select(is_open & is_low, at.x, low.x);
      low.z = select(is_open & is_low, at.z, low.z);
      high.x = select(is_open & !is_low, at.x, high.x);
      high.z = select(is_open & !is_low, at.z, high.z);
      const F turn = select(bend > zero, negate(divide_or_zero(fall, bend)), zero);
      const F x = at.x - turn * at.z, y = at.z + turn * at.x;
      const F inverse = divide(one, sqrt(x * x + y * y));
      const F to_x = x * inverse, to_y = y * inverse;
      const auto is_step =
          (bend > zero) & (abs(turn) < one) & (to_y >= zero) & (to_x >= low.x) & (to_x <= high.x);
      const RimTurn<F> half = middle();
      at.x = select(is_open, select(is_step, to_x, half.x), at.x);
      at.z = select(is_open, select(is_step, to_y, half.z), at.z);
      is_open = is_open & !(is_step & (abs(turn) <= done)) & (low.x < high.x);
    }
    return is_found;
  }
};

/// The frame of two axes, a and b, and of an offset in it.
template <class F>
struct RoundAxes {
  using T = RealOf<F>;
  Vec<F, 3> e, w;  ///< across a: in the plane of the axes, and up from it
  Vec<F, 3> d;
  F k, s;
  MaskOf<F> are_across;  ///< the axes are not nearly parallel

  WIDEPHASE_INLINE RoundAxes(const Vec<F, 3>& a, const Vec<F, 3>& b, const Vec<F, 3>& offset) {
    const F zero = F(0), level = F(T(0x1p-7));
    w = cross(a, b);
    F sine = length(w);
    are_across = sine > level;
    const auto is_along = !are_across;
    if (any<F>(is_along)) {
      // Parallel axes: across the plane that has both; if they are one line, any direction across.
      const F least = roundings<F>(8);
      const Vec<F, 3> once = offset - dot(offset, a) * a, off = once - dot(once, a) * a;
      const auto is_steep = abs(a[0]) < F(0.6f);
      const Vec<F, 3> across{{select(is_steep, zero, negate(a[2])), select(is_steep, a[2], zero),
                              select(is_steep, negate(a[1]), a[0])}};
      const Vec<F, 3> beside = select(length(off) > least, cross(a, off), across);
      Vec<F, 3> along = select(sine > least, w, beside);
      // Again: what is left of nearly parallel axes is not across them.
      along = along / length(along);
      along = along - dot(along, a) * a;
      w = select(is_along, along, w);
      sine = select(is_along, length(along), sine);
    }
    w = w / sine;
    e = cross(w, a);
    e = e / length(e);
    const F cosine = dot(a, b), across = dot(e, b), size = sqrt(cosine * cosine + across * across);
    k = divide_or_zero(cosine, size);
    s = divide_or_zero(across, size);
    const F height = dot(offset, w);
    w = select(height < zero, -w, w);
    d = {{dot(offset, a), dot(offset, e), abs(height)}};
  }
};

/// Whether a direction mirrored in the plane of the axes is as short.
template <class F, class Pair>
WIDEPHASE_INLINE MaskOf<F> has_mirrored_tie(const Pair& pair, const Vec<F, 3>& n) {
  return (pair.frame.d[2] <= roundings<F>(2) * pair.extent) & (n[2] > F(0.05f));
}

/// The frame of a cone B with A, another one or a cylinder, and its axes in the scene. `Own`
/// derives from this; its `side_of_b()` has the places of B's side.
template <class F, class FrameOf, class Own>
struct PairWithCone {
  using T = RealOf<F>;
  using Frame = FrameOf;
  Frame frame;
  F extent;              ///< with which the rounding of the frame's numbers scales
  Vec<F, 3> a, e, w;     ///< the frame's axes in the scene, from A to B whichever is the larger
  F wide_a, wide_b;      ///< of the sides' normals across the axes
  MaskOf<F> is_swapped;  ///< `frame` has the second core as A
  MaskOf<F> is_even;     ///< neither flat nor thin, of like sizes, and with axes that cross

  WIDEPHASE_INLINE Vec<F, 3> to_scene(const Vec<F, 3>& n) const {
    return (n[0] * a + n[1] * e) + n[2] * w;
  }

  WIDEPHASE_INLINE ConeSideTurn<F> side_of_a() const {
    const Frame& f = frame;
    return {f.level_a, wide_a,     f.k,        f.s,       f.d[1],
            f.d[2],    f.radius_b, f.height_b, f.level_b, RoundFeature::side_rim};
  }
  WIDEPHASE_INLINE Vec<F, 3> from_side_a(const F& x, const F& y) const {
    return {{frame.level_a, wide_a * x, wide_a * y}};
  }
  WIDEPHASE_INLINE Vec<F, 3> from_side_b(const F& x, const F& y) const {
    const F out = wide_b * x, level = frame.level_b;
    return {{negate(frame.k * level + frame.s * out), frame.k * out - frame.s * level, wide_b * y}};
  }

  /// The direction nearby in which a side's line is opposite the other core's rim or apex.
  WIDEPHASE_INLINE Vec<F, 3> along_side_a(const Vec<F, 3>& n) const {
    const RimTurn<F> at = side_of_a().settle(turn_of(n[1], n[2]), kSideSteps);
    return from_side_a(at.x, at.z);
  }
  WIDEPHASE_INLINE Vec<F, 3> along_side_b(const Vec<F, 3>& n) const {
    const F beside = frame.k * n[1] - frame.s * n[0];
    const RimTurn<F> at = own().side_of_b().settle(turn_of(beside, n[2]), kSideSteps);
    return from_side_b(at.x, at.z);
  }

  /// The least overlap but for that between two rims. Clears the lanes of `is_known` where it was
  /// not found.
  LeastOverlap<F> find_least(MaskOf<F>& is_known) const {
    const Frame& f = frame;
    const F zero = F(0);
    const auto all = zero == zero;
    LeastOverlap<F> least;
    least.slack = roundings<F>(4) * extent;
    least.n = {{F(-1), zero, zero}};
    least.overlap = f.overlap(least.n);
    least.feature = F(static_cast<T>(RoundFeature::cap_a));
    if constexpr (Frame::ends_a == 2) {
      const Vec<F, 3> upper = f.axis_a();
      least.take(all, f.overlap(upper), upper, RoundFeature::cap_a);
    }
    const Vec<F, 3> b = f.axis_b();
    least.take(all, f.overlap(b), b, RoundFeature::cap_b);
    auto is_open = side_of_a().find_all(
        [&](const MaskOf<F>& exists, const F& x, const F& y, RoundFeature feature) {
          const Vec<F, 3> n = from_side_a(x, y);
          least.take(exists, f.overlap(n), n, feature);
        });
    is_open = is_open | own().side_of_b().find_all([&](const MaskOf<F>& exists, const F& x,
                                                       const F& y, RoundFeature feature) {
      const Vec<F, 3> n = from_side_b(x, y);
      least.take(exists, f.overlap(n), n, feature);
    });
    is_known = is_known & is_even & !is_open;
    return least;
  }

 protected:
  /// Takes the axes, once all else in the frame is set.
  WIDEPHASE_INLINE void put(const RoundAxes<F>& axes) {
    e = axes.e;
    w = axes.w;
    frame.k = axes.k;
    frame.s = axes.s;
    frame.d = axes.d;
    frame.along_b = frame.k * frame.d[1] - frame.s * frame.d[0];
  }

 private:
  static constexpr int kSideSteps = 4;

  WIDEPHASE_INLINE const Own& own() const { return static_cast<const Own&>(*this); }

  static WIDEPHASE_INLINE RimTurn<F> turn_of(const F& x, const F& y) {
    const F inverse = divide_or_zero(F(1), sqrt(x * x + y * y));
    return {x * inverse, y * inverse};
  }
};

/// Two cones' frame.
template <class F>
struct ConePair : PairWithCone<F, ConeFrame<F>, ConePair<F>> {
  using T = RealOf<F>;
  using Base = PairWithCone<F, ConeFrame<F>, ConePair<F>>;
  using Frame = ConeFrame<F>;
  using Base::a, Base::e, Base::w, Base::frame, Base::extent, Base::wide_a, Base::wide_b;
  using Base::is_even, Base::is_swapped;

  /// `apart` leads from A's middle to B's.
  ConePair(const ConvexLanes<F>& first, const ConvexLanes<F>& second, const Vec<F, 3>& apart) {
    const F one = F(1), two = F(2);
    is_swapped = first.half[0] < second.half[0];
    a = select(is_swapped, second.turn.column[2], first.turn.column[2]);
    const Vec<F, 3> b = select(is_swapped, first.turn.column[2], second.turn.column[2]);
    F half_a = select(is_swapped, second.half[2], first.half[2]);
    F half_b = select(is_swapped, first.half[2], second.half[2]);
    frame.radius_a = select(is_swapped, second.half[0], first.half[0]);
    frame.radius_b = select(is_swapped, first.half[0], second.half[0]);
    Vec<F, 3> d = select(is_swapped, -apart, apart);
    const F reach = greater(greater(half_a, frame.radius_a), greater(half_b, frame.radius_b));
    const UnitScale<F> scale(greater(reach, coordinate_size(d)));
    for (F* size : {&half_a, &half_b, &frame.radius_a, &frame.radius_b}) {
      *size = *size * scale.into;
    }
    d = (scale.into * d + half_a * a) - half_b * b;
    frame.height_a = two * half_a;
    frame.height_b = two * half_b;
    const auto set_side = [&](const F& radius, const F& height, F& level, F& wide) {
      const F side = sqrt(radius * radius + height * height);
      level = divide_or_zero(radius, side);
      wide = divide_or_zero(height, side);
    };
    set_side(frame.radius_a, frame.height_a, frame.level_a, wide_a);
    set_side(frame.radius_b, frame.height_b, frame.level_b, wide_b);

    const RoundAxes<F> axes(a, b, d);
    const F thin = F(T(0x1p-5)), small = F(T(0x1p-8));
    is_even = axes.are_across & (lesser(frame.level_a, wide_a) > thin) &
              (lesser(frame.level_b, wide_b) > thin) &
              (lesser(frame.radius_b + frame.height_b, frame.radius_a + frame.height_a) >
               small * (scale.into * reach));
    this->put(axes);
    extent = ((frame.height_a + frame.radius_a) + (frame.height_b + frame.radius_b)) +
             coordinate_size(frame.d);
    const F sign = select(is_swapped, F(-1), one);
    a = sign * a;
    e = sign * e;
    w = sign * w;
  }

  /// From B all is the other way round; a is (k, s) in its frame too.
  WIDEPHASE_INLINE ConeSideTurn<F> side_of_b() const {
    const Frame& f = frame;
    return {f.level_b, wide_b,     f.k,        f.s,       f.along_b,
            f.d[2],    f.radius_a, f.height_a, f.level_a, RoundFeature::rim_side};
  }
};

}  // namespace
}  // namespace widephase
