#pragma once

// The least overlap of two ellipsoids, or of a ball and one, with pairs in lanes: Newton steps on
// the sphere, and a proof that no other direction is shorter.
//
// Along a unit direction n two ellipsoids overlap by f(n) = |A n| + |B n| - n.d, where the rows of
// A and B are their half axes and d leads from A's middle to B's. Any n gives an upper bound.
//
// The proof: turn B's row space by R so that R B n is along A n, and let M = A + R B. By the
// triangle inequality |M m| <= |A m| + |B m| for all m, with equality for n. So f is at least the
// overlap of the single ellipsoid M and the point d, and equal for n. A point inside an ellipsoid
// leaves it along n, where n is stationary, by no more than along any other direction if
// M'M - f(n) |M n| is positive semidefinite, and only then (a quadratic constraint has no duality
// gap). What is left of R is a turn about A n; the one that makes the trace of M'M greatest is
// taken. Where cores are apart the stationary direction is the only one, without a proof.
// Sources: Boyd and Vandenberghe, Convex Optimization, 2004, B.1; Kurzhanski and Valyi, Ellipsoidal
// Calculus for Estimation and Control, 1997, 3.2 (ellipsoids inside of a sum).

#include "kernels/core/basis/lane_counter.hpp"
#include "kernels/core/basis/unit_scale.hpp"
#include "kernels/core/support/difference3.hpp"

namespace widephase {
namespace {

/// Two directions across a unit vector, so that the three are right-handed.
/// Source: Duff et al., Building an Orthonormal Basis, Revisited, 2017.
template <class F>
struct AcrossUnit {
  Vec<F, 3> s, t;

  WIDEPHASE_INLINE explicit AcrossUnit(const Vec<F, 3>& n) {
    const F one = F(1), sign = select(n[2] < F(0), F(-1), one);
    const F by = negate(divide(one, sign + n[2])), both = n[0] * n[1] * by;
    s = {{one + sign * (n[0] * n[0] * by), sign * both, negate(sign * n[0])}};
    t = {{both, sign + n[1] * n[1] * by, negate(n[1])}};
  }
};

/// An ellipsoid, or a ball's core, in the units of its pair.
template <class F>
struct EllipsoidInUnits {
  Vec<F, 3> axis[3];  ///< half axes; zeros for a ball's core
  F most;             ///< the greatest half extent
  F share;            ///< the least one, divided by the greatest; 1 for a ball
  F square[6];        ///< of the axes: xx, yy, zz, xy, xz, yz
  // Along the direction last asked about:
  Vec<F, 3> local;  ///< unit direction of the axes' extents along it
  Vec<F, 3> point;  ///< the support point
  F height;         ///< its height

  WIDEPHASE_INLINE EllipsoidInUnits(const ConvexLanes<F>& shape, const F& into) {
    const Vec<F, 3> half = shape.half;  // zeros for a ball
    for (int k = 0; k < 3; ++k) axis[k] = (into * half[k]) * shape.turn.column[k];
    most = greater(greater(half[0], half[1]), half[2]);
    const F least = lesser(lesser(half[0], half[1]), half[2]);
    share = shape.form == CoreForm::point ? F(1) : divide_or_zero(least, most);
    const auto sum = [&](int i, int j) {
      return (axis[0][i] * axis[0][j] + axis[1][i] * axis[1][j]) + axis[2][i] * axis[2][j];
    };
    for (int k = 0; k < 3; ++k) square[k] = sum(k, k);
    square[3] = sum(0, 1);
    square[4] = sum(0, 2);
    square[5] = sum(1, 2);
  }
  WIDEPHASE_INLINE void ask(const Vec<F, 3>& n) {
    for (int k = 0; k < 3; ++k) local[k] = dot(axis[k], n);
    height = length(local);
    for (int k = 0; k < 3; ++k) local[k] = divide_or_zero(local[k], height);
    point = across(local);
  }
  /// The axes' sum with these weights.
  WIDEPHASE_INLINE Vec<F, 3> across(const Vec<F, 3>& by) const {
    return (by[0] * axis[0] + by[1] * axis[1]) + by[2] * axis[2];
  }
  /// How far the point moves per radian, in all directions together.
  WIDEPHASE_INLINE F bend() const {
    return divide_or_zero(((square[0] + square[1]) + square[2]) - dot(point, point), height);
  }
};

template <class F>
struct EllipsoidExit {
  using T = RealOf<F>;
  Vec<F, 3> n;           ///< the direction, of unit length
  Vec<F, 3> on_a, on_b;  ///< support points of the cores, relative to their middles
  F depth;               ///< of the cores; where they are beyond the limit, an upper bound
  MaskOf<F> is_beyond;   ///< the cores are less deep than the limit
  MaskOf<F> is_found;    ///< the direction is the shortest, proven
  MaskOf<F> is_on_a;     ///< A's point is known better than B's

  /// Searches in the lanes of `live`. `limit` is the least depth of the cores that is asked for. A
  /// function of its own, so that later steps can use its stack.
  __attribute__((noinline)) EllipsoidExit(const CorePair<F>& pair, const MaskOf<F>& live,
                                          const F& limit, LaneCounter<F>& counter) {
    const ConvexLanes<F>&of_a = pair.a.shape, &of_b = pair.b.shape;
    const auto longest = [](const ConvexLanes<F>& shape) {
      return greater(greater(shape.half[0], shape.half[1]), shape.half[2]);
    };
    const F reach = greater(greater(longest(of_a), longest(of_b)), coordinate_size(pair.apart));
    const UnitScale<F> unit(reach);
    EllipsoidInUnits<F> a(of_a, unit.into), b(of_b, unit.into);
    const Vec<F, 3> d = unit.into * pair.apart;
    // Flatter ones, and those of very different sizes, would lose digits.
    const F flat = F(T(0x1p-5)), small = F(T(0x1p-10)) * reach;
    const auto is_even = [&](const EllipsoidInUnits<F>& of, const ConvexLanes<F>& shape) {
      return shape.form == CoreForm::point ? F(0) == F(0) : (of.share >= flat) & (of.most >= small);
    };
    const auto is_fit = live & is_even(a, of_a) & is_even(b, of_b);
    // The balls of rolling that cores have less than their ellipsoids.
    const F balls = unit.into * (a.share * a.share * a.most + b.share * b.share * b.most);
    const F far = unit.into * limit - F(roundings<F>(64));
    n = start(a, b, d);
    is_beyond = F(0) > F(0);
    const F done = F(sizeof(T) == 4 ? T(0x1p-14) : T(0x1p-28));
    auto is_open = is_fit;
    for (int step = 0; step < kMostSteps && any<F>(is_open); ++step) {
      counter.add_step(is_open);
      a.ask(n);
      b.ask(n);
      const Vec<F, 3> gap = (a.point + b.point) - d;
      const F overlap = dot(n, gap);
      is_beyond = is_beyond | (is_open & (overlap - balls < far));
      is_open = is_open & !is_beyond;
      Vec<F, 3> to = n;
      const F size = turn(a, b, gap, overlap, to);
      n = select(is_open, to, n);
      is_open = is_open & !(size <= done);
    }
    const auto is_steady = is_fit & !is_beyond & !is_open;
    a.ask(n);
    b.ask(n);
    is_found = is_steady & is_shortest(a, b, dot(n, (a.point + b.point) - d));
    on_a = farthest(pair.a, n, live).point;
    on_b = farthest(pair.b, -n, live).point;
    depth = dot(n, on_a - (pair.apart + on_b));
    is_found = is_found | (is_steady & (depth < F(0)));
    is_on_a = a.bend() <= b.bend();
  }

 private:
  static constexpr int kMostSteps = 12;

  /// The normal where the ray to d leaves the ellipsoid whose squared heights are the sums of both.
  static WIDEPHASE_INLINE Vec<F, 3> start(const EllipsoidInUnits<F>& a,
                                          const EllipsoidInUnits<F>& b, const Vec<F, 3>& d) {
    F q[6];
    for (int k = 0; k < 6; ++k) q[k] = a.square[k] + b.square[k];
    const Vec<F, 3> row[3] = {{{q[0], q[3], q[4]}}, {{q[3], q[1], q[5]}}, {{q[4], q[5], q[2]}}};
    const Vec<F, 3> to = {{dot(cross(row[1], row[2]), d), dot(cross(row[2], row[0]), d),
                           dot(cross(row[0], row[1]), d)}};
    const F size = length(to);
    return select(size > F(0), to / select(size > F(0), size, F(1)), first_axis<F, 3>());
  }

  /// Takes a Newton step from n, along which the overlap bends by at least a share of its greatest
  /// bend, so that it leads down where there is no minimum too. Answers its length, or a long one
  /// where the overlap hardly bends: there rounding would choose the direction.
  static WIDEPHASE_INLINE F turn(const EllipsoidInUnits<F>& a, const EllipsoidInUnits<F>& b,
                                 const Vec<F, 3>& gap, const F& overlap, Vec<F, 3>& n) {
    const F zero = F(0), half = F(T(0.5)), share = F(T(0.05)), most = F(T(0.7));
    const AcrossUnit<F> across(n);
    const F by_a = divide_or_zero(F(1), a.height), by_b = divide_or_zero(F(1), b.height);
    F m[6];
    for (int k = 0; k < 6; ++k) m[k] = by_a * a.square[k] + by_b * b.square[k];
    const auto times = [&](const Vec<F, 3>& v) {
      return Vec<F, 3>{{(m[0] * v[0] + m[3] * v[1]) + m[4] * v[2],
                        (m[3] * v[0] + m[1] * v[1]) + m[5] * v[2],
                        (m[4] * v[0] + m[5] * v[1]) + m[2] * v[2]}};
    };
    const Vec<F, 3>&s = across.s, &t = across.t;
    const Vec<F, 3> of_s = times(s), of_t = times(t);
    const F a_s = dot(a.point, s), a_t = dot(a.point, t);
    const F b_s = dot(b.point, s), b_t = dot(b.point, t);
    F ss = ((dot(s, of_s) - by_a * (a_s * a_s)) - by_b * (b_s * b_s)) - overlap;
    F tt = ((dot(t, of_t) - by_a * (a_t * a_t)) - by_b * (b_t * b_t)) - overlap;
    const F st = (dot(s, of_t) - by_a * (a_s * a_t)) - by_b * (b_s * b_t);
    const F middle = half * (ss + tt), aside = half * (ss - tt);
    const F spread = sqrt(aside * aside + st * st);
    const F more = greater(share * (abs(middle) + spread) - (middle - spread), zero);
    ss = ss + more;
    tt = tt + more;
    const F slope_s = dot(gap, s), slope_t = dot(gap, t);
    const F inverse = divide_or_zero(F(-1), ss * tt - st * st);
    F by_s = inverse * (tt * slope_s - st * slope_t),
      by_t = inverse * (ss * slope_t - st * slope_s);
    const F size = sqrt(by_s * by_s + by_t * by_t);
    const F less = select(size > most, divide_or_zero(most, size), F(1));
    n = n + ((less * by_s) * s + (less * by_t) * t);
    n = n / length(n);
    return select(middle - spread > roundings<F>(1 << 16), size, F(1));
  }

  /// Whether no other direction can be as short as the one that was asked about, by the proof above
  /// with a part in 32 to spare: then its mirror images and neighbours are longer by more than
  /// rounding.
  static WIDEPHASE_INLINE MaskOf<F> is_shortest(const EllipsoidInUnits<F>& a,
                                                const EllipsoidInUnits<F>& b, const F& overlap) {
    const AcrossUnit<F> of_a(a.local), of_b(b.local);
    const Vec<F, 3> a_s = a.across(of_a.s), a_t = a.across(of_a.t);
    const Vec<F, 3> b_s = b.across(of_b.s), b_t = b.across(of_b.t);
    const F level = dot(a_s, b_s) + dot(a_t, b_t), aside = dot(a_t, b_s) - dot(a_s, b_t);
    const F size = sqrt(level * level + aside * aside);
    // Beside a ball's core any turn will do.
    const F cosine = select(size > F(0), divide_or_zero(level, size), F(1));
    const F sine = divide_or_zero(aside, size);
    // The rows of M, in a basis of which A n is the first direction.
    const Vec<F, 3> m[3] = {a.point + b.point, a_s + (cosine * b_s - sine * b_t),
                            a_t + (cosine * b_t + sine * b_s)};
    const F least = (F(T(1.03125)) * overlap) * (a.height + b.height);
    const F of_0 = dot(m[0], m[0]), of_1 = dot(m[1], m[1]), of_2 = dot(m[2], m[2]);
    const F noise = roundings<F>(64) * ((of_0 + of_1) + of_2);
    // Pivots.
    const F p0 = of_0 - least, to_1 = dot(m[0], m[1]), to_2 = dot(m[0], m[2]);
    const F by_1 = divide_or_zero(to_1, p0), by_2 = divide_or_zero(to_2, p0);
    const F p1 = (of_1 - least) - by_1 * to_1, both = dot(m[1], m[2]) - by_1 * to_2;
    const F p2 = ((of_2 - least) - by_2 * to_2) - divide_or_zero(both, p1) * both;
    return (p0 > noise) & (p1 > noise) & (p2 > noise);
  }
};

}  // namespace
}  // namespace widephase
