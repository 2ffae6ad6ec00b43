#pragma once

// A box, a cylinder, a cone or a hull A and an ellipsoid B, and the direction from which no small
// turn leads to a shorter exit or to a longer gap, with pairs in lanes. For a hull it comes from
// elsewhere.
//
// Frame: A's, with its middle as the origin, in the units of the pair. Along n the cores overlap by
//   f(n) = h_A(n) + |S n| - n.m,
// where the rows of S are B's half axes and m is its middle. f has kinks where A has edges or faces
// across n: there a component of n is 0, or n lies along a cylinder's or cone's axis or is one of
// its side's normals. Newton's steps on the sphere end at kinks, and leave them where f falls
// beside them. Where f is below 0 it is convex there, and has one minimum.

#include "kernels/core/smooth/ellipsoid_exit.hpp"

namespace widephase {
namespace {

template <class F>
struct ConvexOverEllipsoid {
  using T = RealOf<F>;
  Vec<F, 3> axis[3];  ///< B's half axes
  Vec<F, 3> middle;   ///< B's
  Vec<F, 3> half;     ///< A's half extents; for one about an axis radius, radius and half height
  F unit;             ///< with which a hull's vertices are to be multiplied
  Vec<F, 3> n;        ///< the direction that has been found
  F cosine;           ///< of the angle around it within which it is proven
  F least;            ///< what the overlap along all other directions is to reach

  /// `apart` leads from A's middle to B's; all is multiplied by `into`.
  WIDEPHASE_INLINE void set(const ConvexLanes<F>& a, const ConvexLanes<F>& b,
                            const Vec<F, 3>& apart, const F& into) {
    for (int k = 0; k < 3; ++k) {
      axis[k] = (into * b.half[k]) * rotate_back(a.turn, b.turn.column[k]);
    }
    middle = into * rotate_back(a.turn, apart);
    half = a.form == CoreForm::hull ? zero_vec<F, 3>() : into * a.half;
    unit = into;
    n = zero_vec<F, 3>();
    cosine = least = F(0);
  }

  /// A's support point. `hulls` are the hulls of the lanes, if A is one.
  WIDEPHASE_INLINE Vec<F, 3> own(const Vec<F, 3>& to, CoreForm form, const HullVertices<F>& hulls,
                                 unsigned live) const {
    if (form == CoreForm::hull) return unit * farthest_vertex(hulls, to, live).point;
    Vec<F, 3> point =
        each_axis<F, 3>([&](int k) { return select(to[k] < F(0), negate(half[k]), half[k]); });
    if (form == CoreForm::cylinder || form == CoreForm::cone) {
      const F across = sqrt(to[0] * to[0] + to[1] * to[1]);
      F by = divide_or_zero(half[0], across);
      if (form == CoreForm::cone) {
        const auto is_apex = (half[2] + half[2]) * to[2] > half[0] * across;
        by = select(is_apex, F(0), by);
        point[2] = select(is_apex, half[2], negate(half[2]));
      }
      point[0] = by * to[0];
      point[1] = by * to[1];
    }
    return point;
  }
  /// The ellipsoid's, from its middle, and its height.
  WIDEPHASE_INLINE Vec<F, 3> other(const Vec<F, 3>& to, F& height) const {
    Vec<F, 3> local = each_axis<F, 3>([&](int k) { return dot(axis[k], to); });
    height = length(local);
    const F by = divide_or_zero(F(1), height);
    for (int k = 0; k < 3; ++k) local[k] = by * local[k];
    return (local[0] * axis[0] + local[1] * axis[1]) + local[2] * axis[2];
  }
  WIDEPHASE_INLINE MaskOf<F> is_near(const Vec<F, 3>& to) const { return dot(n, to) >= cosine; }
};

/// The descent from a direction.
template <class F>
struct EllipsoidDescent {
  using T = RealOf<F>;
  using Mask = MaskOf<F>;
  static constexpr int kMostSteps = 14;
  const ConvexOverEllipsoid<F>& pair;
  bool is_round;  ///< A is a cylinder or a cone
  F most;         ///< the ellipsoid's greatest half axis
  Vec<F, 3> n;
  F overlap;      ///< along n
  F side[3];      ///< of A's vertex, 1 or -1; for a round A its end
  F is_level[3];  ///< whether A's edges along this axis are across n; for a round A its side's line
  F is_pole;      ///< whether n is along a round A's axis
  F side_up, side_out;  ///< a round A's side's normal, along its axis and across
  Mask is_steady;

  /// Starts from n, in the lanes of `live`.
  __attribute__((noinline))
  EllipsoidDescent(const ConvexOverEllipsoid<F>& of, CoreForm form, const F& longest,
                   const Vec<F, 3>& start, const Mask& live, LaneCounter<F>& counter)
      : pair(of),
        is_round(form == CoreForm::cylinder || form == CoreForm::cone),
        most(longest),
        n(start) {
    const F zero = F(0), one = F(1);
    if (is_round) set_side(form == CoreForm::cone);
    const F done = F(sizeof(T) == 4 ? T(0x1p-14) : T(0x1p-28));
    auto is_open = live;
    for (int k = 0; k < 3; ++k) {
      side[k] = select(n[k] < zero, F(-1), one);
      is_level[k] = select(n[k] == zero, one, zero);
    }
    is_pole = zero;
    if (is_round) {
      is_pole = is_level[0] * is_level[1];
      is_level[0] = is_level[1] = zero;
      side[2] = select(n[2] < side_up, F(-1), one);
      is_level[2] = select(n[2] == side_up, one, zero);
    }
    for (int step = 0; step < kMostSteps && any<F>(is_open); ++step) {
      counter.add_step(is_open);
      // What has ended must not change by how long others of its batch take.
      const Vec<F, 3> last = n;
      const F sides[3] = {side[0], side[1], side[2]};
      const F level[3] = {is_level[0], is_level[1], is_level[2]}, pole = is_pole;
      ask();
      const F size = turn();
      n = select(is_open, n, last);
      for (int k = 0; k < 3; ++k) {
        side[k] = select(is_open, side[k], sides[k]);
        is_level[k] = select(is_open, is_level[k], level[k]);
      }
      is_pole = select(is_open, is_pole, pole);
      is_open = is_open & !(size <= done);
    }
    ask();
    is_steady = live & (!is_open) & !is_leaving_;
  }

  /// For a hull: n is given, and A's point along it. A line of A lies across n and along `axis`, if
  /// `line` is above 0, or a face does, if `face` is; these are how far the point lies from their
  /// ends.
  EllipsoidDescent(const ConvexOverEllipsoid<F>& of, const F& longest, const Vec<F, 3>& at,
                   const Vec<F, 3>& own, const Vec<F, 3>& axis, const F& line, const F& face,
                   const Mask& live)
      : pair(of),
        is_round(false),
        most(longest),
        n(at),
        is_pole(F(0)),
        is_steady(live),
        axis_(axis),
        line_(line),
        face_(face) {
    for (int k = 0; k < 3; ++k) is_level[k] = side[k] = spare_[k] = F(0);
    point_ = pair.other(n, height_);
    gap_ = own + (point_ - pair.middle);
    overlap = dot(n, gap_);
  }

  /// The cosine of the angle around n within which no other direction is as short; 2 if there is
  /// none. For n turned by t around a tangent u, with p the point of A that the ellipsoid's own
  /// point is opposite of, and a kink along the axis k that is e_k from its end,
  ///   f - f(n) >= |P S u|^2 sin^2 t / (2 |S n|) + sum e_k |u_k| sin t - f(n) (1 - cos t),
  /// where P leads across S n. All is bounded from below by sin^2 t times a quadratic form of u.
  WIDEPHASE_INLINE F proven() const {
    const F zero = F(0), one = F(1), half = F(T(0.5));
    const AcrossUnit<F> across(n);
    const Vec<F, 3>&s = across.s, &t = across.t;
    F ss, tt, st;
    forms(s, t, ss, tt, st);
    F kink_ss = zero, kink_tt = zero, kink_st = zero, disc_ss = zero, disc_tt = zero,
      disc_st = zero;
    const auto add_kink = [&](const F& reach, int k) {
      kink_ss = kink_ss + reach * (s[k] * s[k]);
      kink_tt = kink_tt + reach * (t[k] * t[k]);
      kink_st = kink_st + reach * (s[k] * t[k]);
    };
    for (int k = 0; k < 3; ++k) add_kink(is_level[k] * spare_[k], k);
    const F of_s = dot(axis_, s), of_t = dot(axis_, t);
    kink_ss = kink_ss + (line_ * (of_s * of_s) + face_);
    kink_tt = kink_tt + (line_ * (of_t * of_t) + face_);
    kink_st = kink_st + line_ * (of_s * of_t);
    if (is_round) {
      const F cap = is_pole * spare_[0];
      kink_ss = kink_ss + cap;
      kink_tt = kink_tt + cap;
      // The cap's disc.
      const F by = half * pair.half[0] * (one - is_pole);
      const F us = round_[0] * s[0] + round_[1] * s[1], ut = round_[0] * t[0] + round_[1] * t[1];
      disc_ss = by * (us * us);
      disc_tt = by * (ut * ut);
      disc_st = by * (us * ut);
    }
    F best = F(T(2));
    const F noise = roundings<F>(256) * (height_ + most);
    for (const Angle& angle : kAngles) {
      const F sine = F(angle.sine), cosine = F(angle.cosine);
      const F wide = divide(half, height_ + sine * most), by = divide(one, sine);
      const F all_ss = (wide * ss + by * kink_ss) + disc_ss;
      const F all_tt = (wide * tt + by * kink_tt) + disc_tt;
      const F both = (wide * st + by * kink_st) + disc_st;
      const F aside = half * (all_ss - all_tt);
      const F low = half * (all_ss + all_tt) - sqrt(aside * aside + both * both);
      const auto is_out = low * (one + cosine) > F(T(1.03125)) * overlap + noise;
      best = select(is_out & (cosine < best), cosine, best);
    }
    return best;
  }

 private:
  struct Angle {
    T sine, cosine;
  };
  static constexpr Angle kAngles[] = {
      {T(0.9855), T(0.1698)}, {T(0.901), T(0.4339)},  {T(0.7810), T(0.6246)},
      {T(0.6574), T(0.7536)}, {T(0.5425), T(0.8401)}, {T(0.4429), T(0.8966)},
      {T(0.3586), T(0.9335)}, {T(0.2889), T(0.9574)}, {T(0.1500), T(0.9887)},
      {T(0.0750), T(0.9972)}, {T(0.0375), T(0.9993)}};

  /// Evaluates n: the gap between the support points, and whether kinks hold n.
  WIDEPHASE_INLINE void ask() {
    const F zero = F(0), one = F(1);
    point_ = pair.other(n, height_);
    gap_ = point_ - pair.middle;
    is_leaving_ = zero > one;
    const auto hold = [&](int k, const F& line, const F& at) {
      spare_[k] = line - abs(at);
      const auto was_level = is_level[k] > zero;
      const auto leaves = was_level & (spare_[k] < zero);
      is_leaving_ = is_leaving_ | leaves;
      is_level[k] = select(leaves, zero, is_level[k]);
      side[k] = select(leaves, select(at < zero, F(-1), one), side[k]);
      gap_[k] = gap_[k] + side[k] * pair.half[k];
    };
    is_line_ = zero > one;
    if (!is_round) {
      for (int k = 0; k < 3; ++k) hold(k, pair.half[k], negate(gap_[k]));
      overlap = dot(n, gap_);
      return;
    }
    out_size_ = sqrt(n[0] * n[0] + n[1] * n[1]);
    const F by_out = divide_or_zero(one, out_size_);
    for (int k = 0; k < 2; ++k) out_[k] = by_out * n[k];
    // How far above the middle of the side's line B's point is.
    const F beside = (gap_[0] * out_[0] + gap_[1] * out_[1]) + F(T(0.5)) * (pair.half[0] + high_);
    hold(2, line_half_, side_up * beside - side_out * gap_[2]);
    radius_ = select(side[2] > zero, high_, pair.half[0]);
    const F aside = sqrt(gap_[0] * gap_[0] + gap_[1] * gap_[1]);
    spare_[0] = spare_[1] = radius_ - aside;
    is_line_ = (is_pole > zero) & (spare_[0] < zero);
    is_leaving_ = is_leaving_ | is_line_;
    is_pole = select(is_line_, zero, is_pole);
    const F by_gap = divide_or_zero(F(-1), aside);
    for (int k = 0; k < 2; ++k) {
      out_[k] = select(is_line_, by_gap * gap_[k], out_[k]);
      gap_[k] = gap_[k] + radius_ * out_[k];
    }
    round_[0] = negate(out_[1]);
    round_[1] = out_[0];
    overlap = dot(n, gap_);
  }
  WIDEPHASE_INLINE void set_side(bool is_cone) {
    high_ = is_cone ? F(0) : pair.half[0];
    const F low = pair.half[0] - high_, up = pair.half[2] + pair.half[2];
    const F line = sqrt(low * low + up * up);
    line_half_ = F(T(0.5)) * line;
    side_up = divide_or_zero(low, line);
    side_out = divide_or_zero(up, line);
  }

  /// |P S u|^2 as a quadratic form.
  WIDEPHASE_INLINE void forms(const Vec<F, 3>& s, const Vec<F, 3>& t, F& ss, F& tt, F& st) const {
    ss = tt = st = F(0);
    for (int k = 0; k < 3; ++k) {
      const F u = dot(pair.axis[k], s), v = dot(pair.axis[k], t);
      ss = ss + u * u;
      tt = tt + v * v;
      st = st + u * v;
    }
    // The point's part along s is its height's slope.
    const F a = dot(point_, s), b = dot(point_, t);
    ss = ss - a * a;
    tt = tt - b * b;
    st = st - a * b;
  }

  /// Takes a step. Answers its length, and a long one where steps are to go on.
  WIDEPHASE_INLINE F turn() {
    const F zero = F(0), one = F(1), half = F(T(0.5)), share = F(T(0.05)), longest = F(T(0.7));
    const AcrossUnit<F> across(n);
    Vec<F, 3> s = across.s;
    auto is_line = is_line_, is_held = is_pole > zero;
    for (int k = 0; k < 3; ++k) {
      const auto here = is_level[k] > zero;
      is_held = is_held | (is_line & here);
      is_line = is_line | here;
      Vec<F, 3> along = each_axis<F, 3>([&](int j) { return j == k ? one : zero; });
      if (is_round) along = {{negate(side_up * out_[0]), negate(side_up * out_[1]), side_out}};
      s = select(here, along, s);
    }
    if (is_round) s = select(is_line_, {{round_[0], round_[1], zero}}, s);
    const Vec<F, 3> t = cross(n, s);
    F ss, tt, st;
    forms(s, t, ss, tt, st);
    const F by_height = divide_or_zero(one, height_);
    const F by_other = by_height * tt;
    ss = by_height * ss - overlap;
    tt = by_other - overlap;
    st = by_height * st;
    if (is_round) {
      const F bend = divide_or_zero(radius_, out_size_);
      const F us = round_[0] * s[0] + round_[1] * s[1], ut = round_[0] * t[0] + round_[1] * t[1];
      ss = ss + bend * (us * us);
      tt = tt + bend * (ut * ut);
      st = st + bend * (us * ut);
    }
    const F middle = half * (ss + tt), aside = half * (ss - tt);
    const F spread = sqrt(aside * aside + st * st);
    const F more = greater(share * (abs(middle) + spread) - (middle - spread), zero);
    ss = ss + more;
    F alone = abs(tt);
    if (is_round) {
      // Along the circle of the side's normals no point of A moves out.
      const F out = (out_[0] * gap_[0] + out_[1] * gap_[1]) - radius_;
      alone = select(is_level[2] > zero, abs(by_other - divide_or_zero(out, side_out)), alone);
    }
    tt = tt + more;
    const F slope_s = dot(gap_, s), slope_t = dot(gap_, t);
    const F inverse = divide_or_zero(F(-1), ss * tt - st * st);
    F by_s = inverse * (tt * slope_s - st * slope_t),
      by_t = inverse * (ss * slope_t - st * slope_s);
    // One select for each: with two in a row clang 19 does not end where it compiles this with the
    // address sanitizer for AVX-512.
    by_s = select(is_line | is_held, zero, by_s);
    by_t = select(is_held, zero, select(is_line, negate(divide_or_zero(slope_t, alone)), by_t));
    F size = sqrt(by_s * by_s + by_t * by_t);
    const F less = select(size > longest, divide_or_zero(longest, size), one);
    n = n + ((less * by_s) * s + (less * by_t) * t);
    auto is_new = is_leaving_;
    const auto cross_kink = [&](int k, const F& beyond, const F& at) {
      const auto crosses = !(beyond * side[k] > zero);
      is_new = is_new | (crosses & !(is_level[k] > zero));
      const auto is_on = crosses | (is_level[k] > zero);
      n[k] = select(is_on, at, n[k]);
      is_level[k] = select(crosses, one, is_level[k]);
    };
    if (is_round) {
      const auto crosses =
          (!(n[0] * out_[0] + n[1] * out_[1] > zero)) & !(is_pole > zero) & (radius_ > zero);
      const F beside = sqrt(n[0] * n[0] + n[1] * n[1]);
      cross_kink(2, side_out * n[2] - side_up * beside, divide_or_zero(side_up, side_out) * beside);
      is_new = is_new | crosses;
      is_pole = select(crosses, one, is_pole);
      const auto is_on = is_pole > zero;
      n[0] = select(is_on, zero, n[0]);
      n[1] = select(is_on, zero, n[1]);
    } else {
      for (int k = 0; k < 3; ++k) cross_kink(k, n[k], zero);
    }
    const F all = length(n);
    // Where it has no length, it lies on all kinks, and other steps have to go on from there.
    n = select(all > zero, n / select(all > zero, all, one), first_axis<F, 3>());
    return select(is_new, one, size);
  }

  Vec<F, 3> point_, gap_;
  F height_, spare_[3], out_[2], round_[2], out_size_;
  F line_half_, high_, radius_;  ///< the side's line; the upper end's radius, and that of `side`
  Vec<F, 3> axis_ = zero_vec<F, 3>();
  F line_ = F(0), face_ = F(0);
  Mask is_leaving_, is_line_;
};

}  // namespace
}  // namespace widephase
