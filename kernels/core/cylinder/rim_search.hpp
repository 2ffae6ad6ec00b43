#pragma once

// Where the rims of two cylinders are the exit or the nearest points (frame and f:
// core/cylinder/cylinder_frame.hpp).
//
// A point of B's rim at psi is radius_b (cos psi (-s, k, 0) + sin psi (0, 0, 1)) from the rim's
// middle. The common normal of two circles meets both axes. So the nearest point of A's rim is at
// the angle phi of u, the point's offset from A's axis, and psi is a foot if, with v the same of
// A's point about B's axis,
//   E(psi) = cos psi v_y - sin psi v_x = 0,     dD^2 / dpsi = -2 radius_b E,
// where D is the distance of the two points; f is D for rims that overlap, -D for others. The least
// f is where sin psi and sin phi are in [0, 1], radius_b sin psi <= d2, radius_a sin phi <= d2, and
// the normal points out over the ends that the rims belong to:
//   end_a (k cos phi sin psi - cos psi sin phi) >= 0, end_b (cos phi sin psi - k cos psi sin phi)
//   >= 0.
//
// Half a turn of psi is halved again and again, for each pair of ends. An interval is dropped if it
// is proven that none of its directions is the least: by the bounds of all these numbers from their
// values in its middle and from how fast they can change. |dD / dpsi| <= radius_b, |dphi / dpsi| <=
// radius_b / |u|, and so on. What is left at the last level is so short that Newton steps on the
// sphere end at its foot. They are taken only where f falls. A pair of which too much is left, with
// rims nearly in one plane and along one another, is left open.

#include "kernels/core/basis/lane_counter.hpp"
#include "kernels/core/cylinder/cylinder_frame.hpp"

namespace widephase {
namespace {

/// The pairs of a batch as rows, and the intervals that are left of them. `Frame` is that of two
/// cylinders or of two cones that overlap (core/smooth/cone_frame.hpp).
template <class F, class Frame = CylinderFrame<F>>
class RimSearch {
 public:
  using T = RealOf<F>;
  static constexpr int lanes = LaneTraits<F>::count;

  /// Looks for a lower overlap in the lanes of `asked`. Answers the lanes that it leaves open.
  __attribute__((noinline)) unsigned find(const Frame& frame, unsigned asked,
                                          LeastOverlap<F>& least, LaneCounter<F>& counter) {
    put_rows(frame, least.overlap);
    for (int& count : of_pair_) count = 0;
    begin(frame, least.overlap, asked);
    counter.add_step_of(asked);
    unsigned open = 0;
    T width = T(kFirst);
    for (int level = 0;; ++level) {
      for (int i = 0; i < lanes; ++i) {
        if (of_pair_[i] > kMostOfPair) open |= 1u << i;
        of_pair_[i] = 0;
      }
      drop(open);
      if (count_ == 0 || level == kLevels) break;
      width = width * T(0.5);
      halve(width, level, counter);
    }
    ask(asked & ~open, least, counter);
    return open;
  }

 private:
  static constexpr int kWindows = 12, kLevels = sizeof(T) == 4 ? 5 : 10;
  static constexpr int kMostOfPair = 20, kRoom = lanes * 4 * kWindows + lanes;
  static constexpr double kFirst = 0.13089969389957471827;  ///< half a window
  static constexpr int row_size = 16;

  struct Intervals {
    std::int32_t pair[kRoom + lanes], code[kRoom + lanes];
    T cosine[kRoom + lanes], sine[kRoom + lanes];
  };
  WIDEPHASE_INLINE Intervals& now() { return intervals_[which_]; }
  WIDEPHASE_INLINE const Intervals& now() const { return intervals_[which_]; }

  /// What depends on B's end and on psi.
  struct OnB {
    F c, s;     ///< of psi
    F cp, sp;   ///< of phi
    F turn;     ///< bound on |dphi / dpsi|
    F turning;  ///< dphi / dpsi in the middle
    F off;      ///< from A's rim, seen along its axis
    F across;   ///< for cones: bound on the sine between the rims' tangents
    MaskOf<F> is_out, is_over;
  };

  WIDEPHASE_INLINE static OnB on_b(const Frame& f, const F& end_b, const F& c, const F& s,
                                   const F& lowest, T width) {
    const F one = F(1), half = F(width), slack = roundings<F>(64);
    OnB at;
    at.c = c;
    at.s = s;
    const F ux = (f.d[1] - (end_b * f.half_b) * f.s) - (f.k * f.radius_b) * c;
    const F uy = f.d[2] - f.radius_b * s;
    const F from = sqrt(ux * ux + uy * uy), inverse = divide_or_zero(one, from);
    at.cp = ux * inverse;
    at.sp = uy * inverse;
    const F nearest = from - f.radius_b * half;
    const auto is_near = !(nearest > F(T(1e-4)) * f.radius_b);
    at.turn = select(is_near, F(T(1e6)), divide_or_zero(f.radius_b, select(is_near, one, nearest)));
    at.turning = negate((f.radius_b * inverse) * (at.cp * c + f.k * (at.sp * s)));
    at.off = from - f.radius_a;
    const F sector = end_b * (at.cp * s - f.k * (c * at.sp));
    const F most = (one + at.turn) * half + slack;
    const F by_phi = (f.radius_a * at.turn) * half;
    F least = negate(most);
    if constexpr (Frame::is_cone) {
      const F on_a = f.k * (at.cp * s) - c * at.sp, beside = f.s * s;
      at.across = sqrt(on_a * on_a + beside * beside) + most;
      least = least - f.level_b * at.across;
    }
    at.is_out = (sector < least) | (f.radius_b * lowest > f.d[2] + slack) |
                (f.radius_a * at.sp > (f.d[2] + by_phi) + slack) |
                (at.sp < negate(at.turn * half + slack));
    const F over = (f.radius_a * at.sp + f.radius_b * s) - f.d[2];
    const F by_both = (by_phi + f.radius_b * half) + slack;
    at.is_over = over > by_both;
    // Cores that overlap have no direction along which rims are apart.
    if constexpr (Frame::is_cone) at.is_out = at.is_out | (over < negate(by_both));
    return at;
  }

  /// Whether an interval of this half width about psi may hold the least overlap.
  WIDEPHASE_INLINE static MaskOf<F> may_hold(const Frame& f, const OnB& at, const F& end_a,
                                             const F& end_b, const F& best, T width) {
    const F zero = F(0), one = F(1), half = F(width), slack = roundings<F>(64);
    const F sector = end_a * (f.k * (at.cp * at.s) - at.c * at.sp);
    F lag = (one + at.turn) * half + slack;
    if constexpr (Frame::is_cone) lag = lag + f.level_a * at.across;
    const auto is_in = sector >= negate(lag);
    const F vx = (f.along_b + (end_a * f.half_a) * f.s) - (f.k * f.radius_a) * at.cp;
    const F vy = f.d[2] - f.radius_a * at.sp;
    const F foot = at.c * vy - at.s * vx;
    // Bounds on E's first and second derivative, and the first one in the middle: E falls at a
    // foot.
    const F by_turn = f.radius_a * at.turn, size = (abs(vx) + abs(vy)) + by_turn * half;
    const F slope = size + by_turn, bend = size + (F(3) * by_turn) * (one + at.turn);
    const F fall =
        (at.s * vy + at.c * vx) + (f.radius_a * at.turning) * (at.c * at.cp + f.k * (at.s * at.sp));
    const F bent = bend * half, steepest = lesser(slope, abs(fall) + F(0.5f) * bent);
    const auto has_foot = (abs(foot) <= steepest * half + slack) & (fall >= negate(bent + slack));
    const F along =
        ((f.d[0] - end_a * f.half_a) - (end_b * f.half_b) * f.k) + (f.s * f.radius_b) * at.c;
    const F square = along * along + at.off * at.off;
    // How far D can be from its middle value, and its square, whose slope is E's.
    const F by = f.radius_b * half;
    const F by_square = (by + by) * (abs(foot) + (F(0.5f) * steepest) * half) + slack;
    const F top = greater(best + by, zero), low = greater(negate(best) - by, zero);
    const F least = greater(best, zero), most = lesser(best, zero);
    auto is_lower = (square <= top * top + slack) & (square - by_square <= least * least);
    if constexpr (!Frame::is_cone) {
      is_lower =
          select_mask<F>(at.is_over, is_lower,
                         (square >= low * low - slack) & (square + by_square >= most * most));
    }
    return is_in & has_foot & is_lower & !at.is_out;
  }

  void put_rows(const Frame& f, const F& best) {
    F numbers[Frame::row_size + 1];
    f.put(numbers);
    numbers[Frame::row_size] = best;
    for (int k = 0; k <= Frame::row_size; ++k) {
      const Lanes<F> number(numbers[k]);
      for (int i = 0; i < lanes; ++i) rows_[i * row_size + k] = number[i];
    }
  }
  WIDEPHASE_INLINE Frame frame_of(const std::int32_t* pairs, F& best) const {
    F row[row_size];
    load_quads<4, 1>(rows_, pairs, row);
    best = row[Frame::row_size];
    return Frame::of(row);
  }

  /// If most of a batch are not asked, lanes take several windows of each pair.
  __attribute__((noinline)) void begin(const Frame& batch, const F& batch_best, unsigned asked) {
    count_ = 0;
    const int asked_count = bit_count(asked);
    int copies = 1;
    for (const int most : {2, 3, 4, 6, 12}) copies = most * asked_count <= lanes ? most : copies;
    std::int32_t pairs[lanes], copy_of[lanes];
    unsigned live = asked;
    Frame frame = batch;
    F best = batch_best;
    if (copies == 1) {
      for (int i = 0; i < lanes; ++i) {
        pairs[i] = i;
        copy_of[i] = 0;
      }
    } else {
      const int used = copies * asked_count;
      unsigned left = asked;
      for (int i = 0; i < lanes; ++i) {
        copy_of[i] = i < used ? i / asked_count : 0;
        pairs[i] = i < used ? __builtin_ctz(left) : pairs[0];
        left = (left & (left - 1)) != 0 ? left & (left - 1) : asked;
      }
      live = (2u << (used - 1)) - 1;
      frame = frame_of(pairs, best);
    }
    T copy_numbers[lanes];
    for (int i = 0; i < lanes; ++i) copy_numbers[i] = static_cast<T>(copy_of[i]);
    const F copy = load(copy_numbers);
    for (int window = 0; window < kWindows; window += copies) {
      const auto per_copy = [&](const auto& number_of) {
        F numbers = F(number_of(window));
        for (int n = 1; n < copies; ++n) {
          numbers = select(copy == F(static_cast<T>(n)), F(number_of(window + n)), numbers);
        }
        return numbers;
      };
      const F c = per_copy(window_cosine), s = per_copy(window_sine);
      const F lowest = per_copy(lowest_sine);
      for (int end_b = Frame::first_end_b; end_b < 2; ++end_b) {
        const F sign_b = F(end_b == 0 ? -1 : 1);
        const OnB at = on_b(frame, sign_b, c, s, lowest, T(kFirst));
        if ((live & ~mask_bits(at.is_out)) == 0) continue;
        for (int end_a = 0; end_a < Frame::ends_a; ++end_a) {
          const auto is_left = may_hold(frame, at, F(end_a == 0 ? -1 : 1), sign_b, best, T(kFirst));
          for (unsigned left = mask_bits(is_left) & live; left != 0; left &= left - 1) {
            const int i = __builtin_ctz(left), here = window + copy_of[i];
            add(pairs[i], (here << 2) | end_a | end_b << 1, window_cosine(here), window_sine(here));
          }
        }
      }
    }
  }
  WIDEPHASE_INLINE void add(int pair, int code, T c, T s) {
    now().pair[count_] = pair;
    now().code[count_] = code;
    now().cosine[count_] = c;
    now().sine[count_++] = s;
    ++of_pair_[pair];
  }
  /// Removes the intervals of pairs that are left open.
  void drop(unsigned open) {
    if (open == 0) return;
    int kept = 0;
    for (int n = 0; n < count_; ++n) {
      if ((open >> now().pair[n] & 1) != 0) continue;
      now().pair[kept] = now().pair[n];
      now().code[kept] = now().code[n];
      now().cosine[kept] = now().cosine[n];
      now().sine[kept++] = now().sine[n];
    }
    count_ = kept;
  }
  /// Replaces each interval by those of its halves, of half width `width`, that may hold the least.
  __attribute__((noinline)) void halve(T width, int level, LaneCounter<F>& counter) {
    which_ = 1 - which_;
    Intervals& old = intervals_[1 - which_];
    const int count = count_;
    count_ = 0;
    const F turn_c = F(kCosines[level]), turn_s = F(kSines[level]);
    for (int first = 0; first < count; first += lanes) {
      const int live = count - first < lanes ? count - first : lanes;
      counter.add_queue(live);
      for (int i = live; i < lanes; ++i) {
        old.pair[first + i] = old.pair[first];
        old.code[first + i] = old.code[first];
        old.cosine[first + i] = old.cosine[first];
        old.sine[first + i] = old.sine[first];
      }
      F best;
      const Frame frame = frame_of(old.pair + first, best);
      T ends_a[lanes], ends_b[lanes];
      for (int i = 0; i < lanes; ++i) {
        const int code = old.code[first + i];
        ends_a[i] = (code & 1) != 0 ? T(1) : T(-1);
        ends_b[i] = (code & 2) != 0 ? T(1) : T(-1);
      }
      const F end_a = load(ends_a), end_b = load(ends_b);
      const F c = load(old.cosine + first), s = load(old.sine + first);
      for (const int half : {0, 1}) {
        const F by = half == 0 ? negate(turn_s) : turn_s;
        const F to_c = c * turn_c - s * by, to_s = s * turn_c + c * by;
        // The lowest point of the interval is at one of its ends, or the interval is half a window
        // from them at least.
        const F lowest = to_s - F(width) * abs(to_c);
        const OnB at = on_b(frame, end_b, to_c, to_s, lowest - F(width * width), width);
        const unsigned left =
            mask_bits(may_hold(frame, at, end_a, end_b, best, width)) & ((2u << (live - 1)) - 1);
        if (left == 0) continue;
        const Lanes<F> cosines(to_c), sines(to_s);
        for (unsigned bits = left; bits != 0; bits &= bits - 1) {
          const int i = __builtin_ctz(bits);
          if (count_ == kRoom - lanes) break;
          const int code = old.code[first + i];
          add(old.pair[first + i], (code & 3) | ((code >> 2) * 2 + half) << 2, cosines[i],
              sines[i]);
        }
      }
    }
  }

  /// Finds the foot in each interval that is left, and puts the lowest of each pair in `least`.
  __attribute__((noinline)) void ask(unsigned asked, LeastOverlap<F>& least,
                                     LaneCounter<F>& counter) {
    if (count_ == 0) return;
    Lanes<F> overlap(least.overlap),
        n[3] = {Lanes<F>(least.n[0]), Lanes<F>(least.n[1]), Lanes<F>(least.n[2])};
    int codes[lanes];
    for (int& code : codes) code = -1;
    for (int first = 0; first < count_; first += lanes) {
      const int live = count_ - first < lanes ? count_ - first : lanes;
      counter.add_queue(live);
      for (int i = live; i < lanes; ++i) {
        now().pair[first + i] = now().pair[first];
        now().code[first + i] = now().code[first];
        now().cosine[first + i] = now().cosine[first];
        now().sine[first + i] = now().sine[first];
      }
      F best;
      const Frame frame = frame_of(now().pair + first, best);
      LeastOverlap<F> found;
      find_foot(frame, first, found);
      const Lanes<F> overlaps(found.overlap), x(found.n[0]), y(found.n[1]), z(found.n[2]);
      for (int i = 0; i < live; ++i) {
        const int pair = now().pair[first + i], code = now().code[first + i];
        // The lowest number of equal ones, in whatever order they come.
        const bool is_less =
            overlaps[i] < overlap[pair] || (overlaps[i] == overlap[pair] && code < codes[pair]);
        if (!is_less) continue;
        overlap.number[pair] = overlaps[i];
        n[0].number[pair] = x[i];
        n[1].number[pair] = y[i];
        n[2].number[pair] = z[i];
        codes[pair] = code;
      }
    }
    T is_rims[lanes];
    for (int i = 0; i < lanes; ++i) {
      is_rims[i] = codes[i] >= 0 && (asked >> i & 1) != 0 ? T(1) : T(0);
    }
    least.take(load(is_rims) > F(0), load(overlap.number),
               {{load(n[0].number), load(n[1].number), load(n[2].number)}}, RoundFeature::rims);
  }

  /// The direction between the rims' points in the middle of an interval, and Newton steps from it.
  void find_foot(const Frame& f, int first, LeastOverlap<F>& found) const {
    constexpr int kChords = sizeof(T) == 4 ? 5 : 8, kSteps = 2;
    const F zero = F(0), one = F(1);
    T ends_a[lanes], ends_b[lanes];
    for (int i = 0; i < lanes; ++i) {
      ends_a[i] = (now().code[first + i] & 1) != 0 ? T(1) : T(-1);
      ends_b[i] = (now().code[first + i] & 2) != 0 ? T(1) : T(-1);
    }
    const F up_a = load(ends_a) * f.half_a, up_b = load(ends_b) * f.half_b;
    const F from_a = f.d[1] - up_b * f.s, from_b = f.along_b + up_a * f.s;
    F c = load(now().cosine + first), s = load(now().sine + first);
    F ux, uy, cp, sp;
    // Sets phi; answers E.
    const auto foot_at = [&](const F& cosine, const F& sine) {
      ux = from_a - (f.k * f.radius_b) * cosine;
      uy = f.d[2] - f.radius_b * sine;
      const F inverse = divide_or_zero(one, sqrt(ux * ux + uy * uy));
      cp = ux * inverse;
      sp = uy * inverse;
      return cosine * (f.d[2] - f.radius_a * sp) - sine * (from_b - (f.k * f.radius_a) * cp);
    };
    // Where E falls through 0 between the interval's ends: by its chord, an end that stays is
    // halved. Elsewhere the middle stays.
    const F turn_c = F(kCosines[kLevels - 1]), turn_s = F(kSines[kLevels - 1]);
    F low_c = c * turn_c + s * turn_s, low_s = s * turn_c - c * turn_s;
    F high_c = c * turn_c - s * turn_s, high_s = s * turn_c + c * turn_s;
    F low = foot_at(low_c, low_s), high = foot_at(high_c, high_s), last = zero;
    const auto falls = (low > zero) & (high < zero);
    for (int step = 0; step < kChords; ++step) {
      const F share = divide_or_zero(low, low - high);
      const F to_c = low_c + share * (high_c - low_c), to_s = low_s + share * (high_s - low_s);
      const F inverse = divide(one, sqrt(to_c * to_c + to_s * to_s));
      const F cosine = to_c * inverse, sine = to_s * inverse;
      const F foot = foot_at(cosine, sine);
      const auto is_low = foot > zero;
      high = select(is_low & (last > zero), F(0.5f) * high, high);
      low = select((!is_low) & (last < zero), F(0.5f) * low, low);
      last = select(is_low, one, F(-1));
      low = select(is_low, foot, low);
      low_c = select(is_low, cosine, low_c);
      low_s = select(is_low, sine, low_s);
      high = select(is_low, high, foot);
      high_c = select(is_low, high_c, cosine);
      high_s = select(is_low, high_s, sine);
      c = select(falls, cosine, c);
      s = select(falls, sine, s);
    }
    // No farther than where the rim is as high as A's axis.
    const auto is_beyond = f.radius_b * s > f.d[2];
    const F most_s = clamp(divide_or_zero(f.d[2], f.radius_b), zero, one);
    s = select(is_beyond, most_s, s);
    c = select(is_beyond, select(c < zero, F(-1), one) * sqrt((one - s) * (one + s)), c);
    foot_at(c, s);
    // Squares of a tiny vector would vanish.
    const auto upwards = [&](const Vec<F, 3>& v) {
      const F size = length(v);
      const auto is_known = size > F(T(1e-15));
      const F by = divide(select(v[2] < zero, F(-1), one), select(is_known, size, one));
      return select(is_known, by * v, {{zero, zero, one}});
    };
    // Across both rims, or from point to point.
    const Vec<F, 3> across = upwards({{f.k * (cp * s) - sp * c, f.s * (cp * s), f.s * (sp * s)}});
    const Vec<F, 3> between = upwards({{((f.d[0] - up_b * f.k) - up_a) + (f.s * f.radius_b) * c,
                                        ux - f.radius_a * cp, uy - f.radius_a * sp}});
    found = {f.overlap(across), across, zero};
    found.take(zero == zero, f.overlap(between), between, RoundFeature::rims);
    const Vec<F, 3> level{{negate(between[0]), negate(between[1]), between[2]}};
    found.take(between[2] <= roundings<F>(8), f.overlap(level), level, RoundFeature::rims);
    for (int step = 0; step < kSteps; ++step) {
      const Vec<F, 3>& n = found.n;
      const F on_b = f.k * n[0] + f.s * n[1], beside = f.k * n[1] - f.s * n[0];
      const F sine_a = sqrt(n[1] * n[1] + n[2] * n[2]);
      const F sine_b = sqrt(beside * beside + n[2] * n[2]);
      const F by_a = divide_or_zero(one, sine_a), by_b = divide_or_zero(one, sine_b);
      const F half_a = select(n[0] < zero, negate(f.half_a), f.half_a);
      const F half_b = select(on_b < zero, negate(f.half_b), f.half_b);
      const F rim_a = f.radius_a * by_a, rim_b = f.radius_b * by_b;
      const Vec<F, 3> gap{{((half_a + half_b * f.k) - (rim_b * beside) * f.s) - f.d[0],
                           ((rim_a * n[1] + half_b * f.s) + (rim_b * beside) * f.k) - f.d[1],
                           (rim_a * n[2] + rim_b * n[2]) - f.d[2]}};
      const F height = dot(gap, n);
      // Along A's rim and across it; B's rim in the same plane.
      const Vec<F, 3> u{{zero, negate(n[2]) * by_a, n[1] * by_a}}, v = cross(n, u);
      const Vec<F, 3> t{{(f.s * n[2]) * by_b, negate((f.k * n[2]) * by_b), beside * by_b}};
      const F slope_u = dot(gap, u), slope_v = dot(gap, v), tu = dot(t, u), tv = dot(t, v);
      const F uu = (rim_a + rim_b * (tu * tu)) - height, uv = rim_b * (tu * tv);
      const F vv = rim_b * (tv * tv) - height, area = uu * vv - uv * uv;
      const auto is_bowl = (area > zero) & (uu > zero);
      const F share = select(is_bowl, divide_or_zero(one, area), zero), most = F(T(0.2));
      const F du = clamp((uv * slope_v - vv * slope_u) * share, negate(most), most);
      const F dv = clamp((uv * slope_u - uu * slope_v) * share, negate(most), most);
      const Vec<F, 3> moved = (n + du * u) + dv * v;
      const Vec<F, 3> next = divide(one, length(moved)) * moved;
      found.take(zero == zero, f.overlap(next), next, RoundFeature::rims);
    }
  }

  static constexpr T window_cosine(int window) {
    return window < 6 ? kMiddles[window] : -kMiddles[11 - window];
  }
  static constexpr T window_sine(int window) {
    return kMiddles[window < 6 ? 5 - window : window - 6];
  }
  static constexpr T lowest_sine(int window) {
    return kEdgeSines[window < 6 ? window : 11 - window];
  }
  /// Cosines of the windows' middles, from 7.5 degrees in steps of 15, and sines of their ends.
  static constexpr T kMiddles[6] = {T(0.99144486137381041), T(0.92387953251128676),
                                    T(0.79335334029123517), T(0.60876142900872064),
                                    T(0.38268343236508977), T(0.13052619222005159)};
  static constexpr T kEdgeSines[6] = {T(0),
                                      T(0.25881904510252076),
                                      T(0.5),
                                      T(0.70710678118654752),
                                      T(0.86602540378443865),
                                      T(0.96592582628906829)};
  /// Cosines and sines of a quarter of a window, then of half that, and so on.
  static constexpr T kCosines[10] = {
      T(0.9978589232386035), T(0.9994645874763657), T(0.9998661379095618), T(0.9999665339174011),
      T(0.9999916334443506), T(0.9999979083589002), T(0.9999994770895884), T(0.9999998692723885),
      T(0.9999999673180966), T(0.9999999918295241)};
  static constexpr T kSines[10] = {T(0.06540312923014306),   T(0.03271908282177614),
                                   T(0.01636173162648678),   T(0.008181139603937128),
                                   T(0.004090604026234789),  T(0.0020453062911640948),
                                   T(0.0010226536803383045), T(0.0005113269070136974),
                                   T(0.0002556634618624173), T(0.00012783173197565472)};

  alignas(64) T rows_[lanes * row_size] = {};
  int count_ = 0;
  int of_pair_[lanes] = {};
  int which_ = 0;
  Intervals intervals_[2];
};

}  // namespace
}  // namespace widephase
