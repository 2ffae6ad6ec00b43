#pragma once

// Two cylinders in lanes, and the overlap along a direction. A capsule's core is a cylinder without
// a radius.
//
// Both are symmetric about their middles, so A - B is the sum K of the two about 0, moved. Along a
// unit direction n they overlap by
//   f(n) = half_a |n.a| + radius_a |n x a| + half_b |n.b| + radius_b |n x b| - n.d
// with the axes a and b and the offset d of B's middle. The least of all n is the minimum
// translation or, below 0, the distance. Any n gives an upper bound, so an answer can be wrong only
// by a direction that was not tried.
//
// Frame: a is (1, 0, 0), b is (k, s, 0) with s >= 0, and d2 >= 0: K is its own mirror image in the
// plane of the axes, so the best direction has n2 >= 0. A is the cylinder of the larger radius.
//
// Where the normal of K's surface is constant or turns about one axis, the least overlap has a
// closed form: a cap, side against side, and a side along a rim, where it is the foot of a point on
// an ellipse (core/cylinder/cylinder_edges.hpp). What is left are two rims
// (core/cylinder/rim_search.hpp) and, for axes that are parallel and for a rim without a radius,
// the corner between cap and side.

#include "kernels/core/basis/lane_array.hpp"
#include "kernels/core/basis/unit_scale.hpp"
#include "kernels/core/round/segment.hpp"
#include "kernels/lanes/limits.hpp"

namespace widephase {
namespace {

/// A cylinder about an axis of unit length.
template <class F>
struct AboutAxis {
  Vec<F, 3> axis;
  F half, radius;
};

/// The feature of the difference that a direction is normal to. `side_rim` is A's side along B's
/// rim, or a vertex of B without a radius.
enum class RoundFeature : std::uint8_t { cap_a, cap_b, sides, side_rim, rim_side, rims };
constexpr int kRoundFeatures = 6;

/// The least overlap so far, with its direction in the frame.
template <class F>
struct LeastOverlap {
  F overlap;
  Vec<F, 3> n;
  F feature;        ///< a `RoundFeature`
  F is_tie = F(0);  ///< 1 where another direction is as short
  F slack = F(0);   ///< a later direction must be shorter by more than this

  WIDEPHASE_INLINE void take(const MaskOf<F>& exists, const F& other, const Vec<F, 3>& direction,
                             RoundFeature of) {
    const auto is_equal =
        exists & (other <= overlap + slack) & (dot(direction, n) < F(RealOf<F>(0.999)));
    const auto is_less = exists & (other < overlap - slack);
    overlap = select(is_less, other, overlap);
    n = select(is_less, direction, n);
    feature = select(is_less, F(static_cast<RealOf<F>>(of)), feature);
    is_tie = select(is_less, F(0), select(is_equal, F(1), is_tie));
  }
};

/// A direction across an axis, turned towards z.
template <class F>
struct RimTurn {
  F x, z;
};

template <class F>
struct CylinderFrame {
  using T = RealOf<F>;
  static constexpr int row_size = 10;
  static constexpr bool is_cone = false;
  static constexpr int ends_a = 2, ends_b = 2;
  Vec<F, 3> d;
  F k, s;
  F half_a, half_b, radius_a, radius_b;
  F along_b;  ///< d.b across the plane's other axis: k d1 - s d0

  WIDEPHASE_INLINE void put(F* row) const {
    const F numbers[row_size] = {d[0],   d[1],   d[2],     k,        s,
                                 half_a, half_b, radius_a, radius_b, along_b};
    for (int i = 0; i < row_size; ++i) row[i] = numbers[i];
  }
  static WIDEPHASE_INLINE CylinderFrame of(const F* row) {
    return {{{row[0], row[1], row[2]}}, row[3], row[4], row[5], row[6], row[7], row[8], row[9]};
  }

  WIDEPHASE_INLINE F overlap(const Vec<F, 3>& n) const {
    const F of_b = k * n[1] - s * n[0];
    return ((half_a * abs(n[0]) + radius_a * sqrt(n[1] * n[1] + n[2] * n[2])) +
            (half_b * abs(k * n[0] + s * n[1]) + radius_b * sqrt(of_b * of_b + n[2] * n[2]))) -
           dot(n, d);
  }

  /// Where sqrt((radius k x)^2 + (radius z)^2) - x X - z Z is least on the quarter of the circle
  /// with x >= 0 and z >= 0, for Z >= 0. A lane that is done stays as it is.
  __attribute__((noinline)) RimTurn<F> find_turn(const F& radius, const F& to_x,
                                                 const F& to_z) const {
    constexpr bool kIsFloat = sizeof(T) == 4;
    constexpr int kLeastSteps = kIsFloat ? 3 : 4, kMostSteps = kIsFloat ? 17 : 40;
    const F zero = F(0), one = F(1), done = F(sizeof(T) == 4 ? T(1e-3) : T(1e-5));
    // No half axis, and no offset, may be zero. So small a change does not alter the answer.
    const F share = roundings<F>(4);
    const F least = share * ((radius + abs(to_x)) + to_z) + F(T(1e-30));
    const F tall = greater(radius, least), wide = greater(radius * abs(k), least);
    const F x = greater(abs(to_x), least), z = greater(to_z, least);
    const F at_x = wide * x, at_z = tall * z, flat = (radius * s) * (radius * s);
    F t = greater(at_x, at_z - flat);
    auto is_open = zero == zero;
    for (int step = 1; step <= kMostSteps && any<F>(is_open); ++step) {
      const F beyond = t + flat, px = divide(at_x, t), pz = divide(at_z, beyond);
      const F xx = px * px, zz = pz * pz, sum = xx + zz;
      const F by = divide(sum * (sqrt(sum) - one), divide(xx, t) + divide(zz, beyond));
      t = select(is_open, t + by, t);
      if (step >= kLeastSteps) is_open = is_open & (abs(by) > done * t);
    }
    F nx = divide(x, t), nz = divide(z, t + flat);
    const auto is_far = to_x < zero;
    if (any<F>(is_far)) {
      // The foot beyond the long half axis; if there is none, straight up.
      const F rise = divide_or_zero(at_z, flat);
      const F rest = sqrt(greater((one - rise) * (one + rise), share * share));
      F q = divide(at_x, rest);
      auto exists = is_far & (at_z < flat) & (q < flat);
      is_open = exists;
      for (int step = 1; step <= kMostSteps && any<F>(is_open); ++step) {
        const F beyond = flat - q, px = divide_or_zero(at_x, q), pz = divide_or_zero(at_z, beyond);
        const F xx = px * px, zz = pz * pz;
        const F slope = divide_or_zero(xx, q) - divide_or_zero(zz, beyond);
        const F by = divide_or_zero((xx + zz) - one, slope + slope);
        exists = exists & ((!is_open) | ((slope > zero) & (q + by < flat)));
        q = select(is_open & exists, q + by, q);
        is_open = is_open & exists;
        if (step >= kLeastSteps) is_open = is_open & (abs(by) > done * q);
      }
      nx = select(is_far, select(exists, divide_or_zero(x, q), zero), nx);
      nz = select(is_far, select(exists, divide_or_zero(z, flat - q), one), nz);
    }
    const auto to_unit = [&] {
      const F size = sqrt(nx * nx + nz * nz);
      nx = divide(nx, size);
      nz = divide(nz, size);
    };
    to_unit();
    for (int step = 0; step < (sizeof(T) == 4 ? 1 : 2); ++step) {
      const F bx = wide * nx, bz = tall * nz, out = sqrt(bx * bx + bz * bz), area = tall * wide;
      const F slope = (nz * to_x - nx * to_z) + divide_or_zero(flat * (nx * nz), out);
      const F bend =
          divide_or_zero(area * area, out * (out * out)) - ((out - nx * to_x) - nz * to_z);
      const F by = select(bend > zero, negate(divide_or_zero(slope, bend)), zero);
      const F turn = clamp(by, F(-0.25f), F(0.25f));
      const F to_nx = greater(nx - turn * nz, zero), to_nz = greater(nz + turn * nx, zero);
      nx = to_nx;
      nz = to_nz;
      to_unit();
    }
    return {nx, nz};
  }
};

/// Whether another direction is as short: turned about the axis of a cylinder by a twentieth, or
/// mirrored in the plane of the axes.
template <class F>
WIDEPHASE_INLINE MaskOf<F> has_turned_tie(const CylinderFrame<F>& f, const LeastOverlap<F>& least,
                                          const F& rounding) {
  const F turn = F(0.05f), zero = F(0);
  const Vec<F, 3>& n = least.n;
  const Vec<F, 3> about_a{{zero, negate(n[2]), n[1]}};
  const Vec<F, 3> about_b{{f.s * n[2], negate(f.k * n[2]), f.k * n[1] - f.s * n[0]}};
  auto is_tie = (abs(f.d[2]) <= rounding) & (n[2] > turn);
  const auto ask = [&](const Vec<F, 3>& round, const F& radius) {
    for (const F& by : {turn, negate(turn)}) {
      const Vec<F, 3> to = n + by * round, other = to / length(to), off = other - n;
      is_tie = is_tie | ((radius > zero) & (dot(off, off) >= F(0.5f) * (turn * turn)) &
                         (f.overlap(other) <= least.overlap + rounding));
    }
  };
  ask(about_a, f.radius_a);
  ask(about_b, f.radius_b);
  return is_tie;
}

/// Two cylinders' frame, and the way back from it.
template <class F>
struct CylinderPair {
  using T = RealOf<F>;
  CylinderFrame<F> frame;
  F extent;           ///< with which the rounding of the frame's numbers scales
  Vec<F, 3> a, e, w;  ///< the frame's axes in the scene, from A to B whichever is the larger
  F back;             ///< from the frame's scale to the scene's
  MaskOf<F> is_swapped, is_parallel;

  CylinderPair(const AboutAxis<F>& first, const AboutAxis<F>& second, const Vec<F, 3>& apart) {
    const F zero = F(0), one = F(1);
    is_swapped = first.radius < second.radius;
    a = select(is_swapped, second.axis, first.axis);
    const Vec<F, 3> b = select(is_swapped, first.axis, second.axis);
    Vec<F, 3> d = select(is_swapped, -apart, apart);
    frame.half_a = select(is_swapped, second.half, first.half);
    frame.half_b = select(is_swapped, first.half, second.half);
    frame.radius_a = select(is_swapped, second.radius, first.radius);
    frame.radius_b = select(is_swapped, first.radius, second.radius);
    const F reach =
        greater(greater(frame.half_a, frame.radius_a), greater(frame.half_b, frame.radius_b));
    const UnitScale<F> scale(greater(reach, greater(greater(abs(d[0]), abs(d[1])), abs(d[2]))));
    back = scale.back;
    for (F* size : {&frame.half_a, &frame.half_b, &frame.radius_a, &frame.radius_b}) {
      *size = *size * scale.into;
    }
    d = scale.into * d;

    w = cross(a, b);
    const F least = roundings<F>(8) * roundings<F>(8);
    is_parallel = !(dot(w, w) > least);
    const F along = dot(d, a);
    if (any<F>(is_parallel)) {
      // Any direction across will do if the middles are on one axis.
      const Vec<F, 3> once = d - along * a, off = once - dot(once, a) * a;
      const auto is_steep = abs(a[0]) < F(0.6f);
      const Vec<F, 3> across{{select(is_steep, zero, negate(a[2])), select(is_steep, a[2], zero),
                              select(is_steep, negate(a[1]), a[0])}};
      w = select(is_parallel, select(dot(off, off) > least, off, across), w);
    }
    // Twice: what is left of nearly parallel axes is not across them.
    w = w / length(w);
    w = w - dot(w, a) * a;
    w = w / length(w);
    const F height = dot(d, w);
    w = select(height < zero, -w, w);
    e = cross(w, a);
    const F cosine = dot(a, b), sine = dot(b, e);
    const F size = sqrt(cosine * cosine + sine * sine);
    frame.k = divide(select(sine < zero, negate(cosine), cosine), size);
    frame.s = divide(abs(sine), size);
    frame.d = {{along, dot(d, e), abs(height)}};
    frame.along_b = frame.k * frame.d[1] - frame.s * frame.d[0];
    extent = ((frame.half_a + frame.radius_a) + (frame.half_b + frame.radius_b)) +
             coordinate_size(frame.d);
    const F sign = select(is_swapped, F(-1), one);
    a = sign * a;
    e = sign * e;
    w = sign * w;
  }

  WIDEPHASE_INLINE Vec<F, 3> to_scene(const Vec<F, 3>& n) const {
    return (n[0] * a + n[1] * e) + n[2] * w;
  }

  /// The least overlap but for that between two rims.
  LeastOverlap<F> find_least() const {
    const CylinderFrame<F>& f = frame;
    const F zero = F(0), one = F(1);
    const auto all = zero == zero;
    const auto sign_of = [&](const F& x) { return select(x < zero, F(-1), one); };
    const F beside = f.d[1], high = f.d[2], on_b = f.k * f.d[0] + f.s * beside;
    LeastOverlap<F> least;
    least.slack = roundings<F>(2) * extent;
    least.overlap = ((f.half_a + f.half_b * abs(f.k)) + f.radius_b * f.s) - abs(f.d[0]);
    least.n = {{sign_of(f.d[0]), zero, zero}};
    least.feature = F(static_cast<T>(RoundFeature::cap_a));
    const F up = sign_of(on_b);
    least.take(f.radius_b > zero, ((f.half_b + f.half_a * abs(f.k)) + f.radius_a * f.s) - abs(on_b),
               {{up * f.k, up * f.s, zero}}, RoundFeature::cap_b);
    least.take(all, (f.radius_a + f.radius_b) - high, {{zero, zero, one}}, RoundFeature::sides);
    {
      const F x = abs(beside) - f.half_b * f.s;
      const RimTurn<F> at = f.find_turn(f.radius_b, x, high);
      const Vec<F, 3> n{{zero, sign_of(beside) * at.x, at.z}};
      least.take(all, f.overlap(n), n, RoundFeature::side_rim);
    }
    {
      const F x = abs(f.along_b) - f.half_a * f.s;
      const RimTurn<F> at = f.find_turn(f.radius_a, x, high);
      const F turned = sign_of(f.along_b) * at.x;
      const Vec<F, 3> n{{negate(f.s * turned), f.k * turned, at.z}};
      least.take(all, f.overlap(n), n, RoundFeature::rim_side);
    }
    const auto has_corner = is_parallel | (f.radius_b == zero);
    if (any<F>(has_corner)) {
      for (const F& end : {f.half_b, negate(f.half_b)}) {
        const F x = f.d[0] + end * f.k;
        const F y = select(is_parallel, zero, beside + end * f.s);
        const F from = sqrt(y * y + high * high);
        const F above = abs(x) - f.half_a;
        const F out = from - select(is_parallel, f.radius_a + f.radius_b, f.radius_a);
        const F size = sqrt(above * above + out * out);
        const F over = divide_or_zero(out, size * from);
        const Vec<F, 3> n{{sign_of(x) * divide_or_zero(above, size), over * y, over * high}};
        least.take(has_corner & (above > zero) & (out > zero), f.overlap(n), n, RoundFeature::rims);
      }
    }
    return least;
  }
};

}  // namespace
}  // namespace widephase
