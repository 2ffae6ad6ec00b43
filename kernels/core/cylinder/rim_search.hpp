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

/// Two rims along a direction n, in a frame where A's axis is (1, 0, 0) and B's (k, s, 0).
template <class F>
struct RimsAlong {
  F k, s;
  Vec<F, 3> n;
  F beside;        ///< of n, across B's axis in the plane of both axes
  F by_a, by_b;    ///< one over the sines of n and the axes
  F rim_a, rim_b;  ///< the radii times these

  WIDEPHASE_INLINE RimsAlong(const F& axis_k, const F& axis_s, const F& radius_a, const F& radius_b,
                             const Vec<F, 3>& direction)
      : k(axis_k), s(axis_s), n(direction), beside(k * n[1] - s * n[0]) {
    const F sine_a = sqrt(n[1] * n[1] + n[2] * n[2]);
    const F sine_b = sqrt(beside * beside + n[2] * n[2]);
    by_a = divide_or_zero(F(1), sine_a);
    by_b = divide_or_zero(F(1), sine_b);
    rim_a = radius_a * by_a;
    rim_b = radius_b * by_b;
  }

  struct Step {
    Vec<F, 3> next;
    F du, dv;           ///< how far, along A's rim and across it
    MaskOf<F> is_bowl;  ///< elsewhere there is no step
  };
  /// Newton's step on the sphere to where the rims are nearest, at most `most` along and across A's
  /// rim. `gap` is from the rims' points along n, their offset taken away.
  WIDEPHASE_INLINE Step step(const Vec<F, 3>& gap, const F& most) const {
    const F zero = F(0), one = F(1), height = dot(gap, n);
    // Along A's rim and across it; B's rim in the same plane.
    const Vec<F, 3> u{{zero, negate(n[2]) * by_a, n[1] * by_a}}, v = cross(n, u);
    const Vec<F, 3> t{{(s * n[2]) * by_b, negate((k * n[2]) * by_b), beside * by_b}};
    const F slope_u = dot(gap, u), slope_v = dot(gap, v), tu = dot(t, u), tv = dot(t, v);
    const F uu = (rim_a + rim_b * (tu * tu)) - height, uv = rim_b * (tu * tv);
    const F vv = rim_b * (tv * tv) - height, area = uu * vv - uv * uv;
    const auto is_bowl = (area > zero) & (uu > zero);
    const F share = select(is_bowl, divide_or_zero(one, area), zero);
    const F du = clamp((uv * slope_v - vv * slope_u) * share, negate(most), most);
    const F dv = clamp((uv * slope_u - uu * slope_v) * share, negate(most), most);
    const Vec<F, 3> moved = (n + du * u) + dv * v;
    return {divide(one, length(moved)) * moved, du, dv, is_bowl};
  }
};

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
    begin(frame, asked);
    counter.add_step_of(asked);
    unsigned open = 0;
    T width = T(kFirst);
    for (int level = 0;; ++level) {
      const unsigned full = full_pairs();
      drop(full);
      open |= full;
      if (now().count == 0 || level == kLevels) break;
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

  static constexpr int kSpans = Frame::ends_b * kWindows;  ///< of a pair: each window for each end

  /// Columns of numbers, with room for one more batch behind the last.
  template <int Columns, int Most>
  struct Rows {
    int count = 0;
    T column[Columns][Most + lanes];

    WIDEPHASE_INLINE F at(int number, int first) const { return load(column[number] + first); }
    /// Appends the lanes of `kept`.
    WIDEPHASE_INLINE void add(unsigned kept, const F (&numbers)[Columns]) {
      const Compressor<T> left(kept);
      for (int k = 0; k < Columns; ++k) left.store(column[k] + count, numbers[k]);
      count += left.count();
    }
    /// Fills the last batch up with rows of the first pair.
    WIDEPHASE_INLINE void fill_up() {
      for (auto& numbers : column) store(numbers + count, F(0));
    }
  };
  enum Number { of_pair, of_window, cosine, sine, end_b, end_a, number_count, lowest = end_a };
  using Spans = Rows<number_count, lanes * kSpans + kSpans>;
  using Intervals = Rows<number_count, kRoom>;
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

  /// The pairs of which too much is left.
  unsigned full_pairs() const {
    int counts[lanes] = {};
    unsigned full = 0;
    if (now().count <= kMostOfPair) return full;
    for (int n = 0; n < now().count; ++n) ++counts[static_cast<int>(now().column[of_pair][n])];
    for (int i = 0; i < lanes; ++i) full |= (counts[i] > kMostOfPair ? 1u : 0u) << i;
    return full;
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
  WIDEPHASE_INLINE Frame frame_of(const T* pairs, F& best) const {
    std::int32_t index[lanes];
    for (int i = 0; i < lanes; ++i) index[i] = static_cast<std::int32_t>(pairs[i]);
    F row[row_size];
    load_quads<4, 1>(rows_, index, row);
    best = row[Frame::row_size];
    return Frame::of(row);
  }
  static WIDEPHASE_INLINE unsigned first_lanes(int live) { return (2u << (live - 1)) - 1; }

  /// Lists the windows of each pair that do not lie higher than A's axis. So pairs of which few are
  /// left share a batch.
  void list_spans(const Frame& frame, unsigned asked) {
    F reached = F(1);
    for (int window = 1; window < kWindows / 2; ++window) {
      const F low = frame.radius_b * F(lowest_sine(window));
      reached = reached + select(low > frame.d[2] + roundings<F>(64), F(0), F(1));
    }
    const Lanes<F> windows(reached);
    spans_.count = 0;
    for (; asked != 0; asked &= asked - 1) {
      const int pair = __builtin_ctz(asked);
      const int count = 2 * Frame::ends_b * static_cast<int>(windows[pair]);
      for (int n = 0; n < count; n += lanes) {
        const int to = spans_.count + n;
        store(spans_.column[of_pair] + to, F(static_cast<T>(pair)));
        for (int k = of_window; k < number_count; ++k) {
          store(spans_.column[k] + to, load(kSpanRows.number[k] + n));
        }
      }
      spans_.count += count;
    }
    spans_.fill_up();
  }
  __attribute__((noinline)) void begin(const Frame& batch, unsigned asked) {
    list_spans(batch, asked);
    now().count = 0;
    for (int first = 0; first < spans_.count; first += lanes) {
      const int rest = spans_.count - first;
      const unsigned live = rest < lanes ? first_lanes(rest) : LaneTraits<F>::all;
      F best;
      const Frame frame = frame_of(spans_.column[of_pair] + first, best);
      const F c = spans_.at(cosine, first), s = spans_.at(sine, first);
      const F to_b = spans_.at(end_b, first);
      const OnB at = on_b(frame, to_b, c, s, spans_.at(lowest, first), T(kFirst));
      if ((live & ~mask_bits(at.is_out)) == 0) continue;
      for (int end = 0; end < Frame::ends_a; ++end) {
        const F to_a = F(end == 0 ? -1 : 1);
        const unsigned left = mask_bits(may_hold(frame, at, to_a, to_b, best, T(kFirst))) & live;
        now().add(left, {spans_.at(of_pair, first), spans_.at(of_window, first), c, s, to_b, to_a});
      }
    }
    now().fill_up();
  }
  /// Removes the intervals of pairs that are left open.
  void drop(unsigned open) {
    if (open == 0) return;
    int kept = 0;
    for (int n = 0; n < now().count; ++n) {
      if ((open >> static_cast<int>(now().column[of_pair][n]) & 1) != 0) continue;
      for (auto& numbers : now().column) numbers[kept] = numbers[n];
      ++kept;
    }
    now().count = kept;
    now().fill_up();
  }
  /// Replaces each interval by those of its halves, of half width `width`, that may hold the least.
  __attribute__((noinline)) void halve(T width, int level, LaneCounter<F>& counter) {
    const Intervals& old = now();
    which_ = 1 - which_;
    now().count = 0;
    const F turn_c = F(kCosines[level]), turn_s = F(kSines[level]);
    for (int first = 0; first < old.count; first += lanes) {
      const int live = old.count - first < lanes ? old.count - first : lanes;
      counter.add_queue(live);
      F best;
      const Frame frame = frame_of(old.column[of_pair] + first, best);
      const F to_a = old.at(end_a, first), to_b = old.at(end_b, first);
      const F c = old.at(cosine, first), s = old.at(sine, first);
      const F window = old.at(of_window, first) + old.at(of_window, first);
      for (const int half : {0, 1}) {
        const F by = half == 0 ? negate(turn_s) : turn_s;
        const F to_c = c * turn_c - s * by, to_s = s * turn_c + c * by;
        // The lowest point of the interval is at one of its ends, or the interval is half a window
        // from them at least.
        const F low = to_s - F(width) * abs(to_c);
        const OnB at = on_b(frame, to_b, to_c, to_s, low - F(width * width), width);
        const unsigned left =
            mask_bits(may_hold(frame, at, to_a, to_b, best, width)) & first_lanes(live);
        now().add(left, {old.at(of_pair, first), half == 0 ? window : window + F(1), to_c, to_s,
                         to_b, to_a});
      }
    }
    now().fill_up();
  }

  /// Finds the foot in each interval that is left, and puts the lowest of each pair in `least`.
  __attribute__((noinline)) void ask(unsigned asked, LeastOverlap<F>& least,
                                     LaneCounter<F>& counter) {
    if (now().count == 0) return;
    Lanes<F> overlap(least.overlap),
        n[3] = {Lanes<F>(least.n[0]), Lanes<F>(least.n[1]), Lanes<F>(least.n[2])};
    T codes[lanes];
    for (T& code : codes) code = -1;
    for (int first = 0; first < now().count; first += lanes) {
      const int live = now().count - first < lanes ? now().count - first : lanes;
      counter.add_queue(live);
      F best;
      const Frame frame = frame_of(now().column[of_pair] + first, best);
      LeastOverlap<F> found;
      find_foot(frame, first, found);
      const Lanes<F> overlaps(found.overlap), x(found.n[0]), y(found.n[1]), z(found.n[2]);
      for (int i = 0; i < live; ++i) {
        const int pair = static_cast<int>(now().column[of_pair][first + i]);
        // By the window, then B's end, then A's.
        const T window = now().column[of_window][first + i];
        const T ends = T(2) * now().column[end_b][first + i] + now().column[end_a][first + i];
        const T code = T(8) * window + (ends + T(3));
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
    const F up_a = now().at(end_a, first) * f.half_a, up_b = now().at(end_b, first) * f.half_b;
    const F from_a = f.d[1] - up_b * f.s, from_b = f.along_b + up_a * f.s;
    F c = now().at(cosine, first), s = now().at(sine, first);
    F ux, uy, cp, sp;
    // Sets phi; answers E.
    const auto foot_at = [&](const F& cos, const F& sin) {
      ux = from_a - (f.k * f.radius_b) * cos;
      uy = f.d[2] - f.radius_b * sin;
      const F inverse = divide_or_zero(one, sqrt(ux * ux + uy * uy));
      cp = ux * inverse;
      sp = uy * inverse;
      return cos * (f.d[2] - f.radius_a * sp) - sin * (from_b - (f.k * f.radius_a) * cp);
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
      const F next_c = to_c * inverse, next_s = to_s * inverse;
      const F foot = foot_at(next_c, next_s);
      const auto is_low = foot > zero;
      high = select(is_low & (last > zero), F(0.5f) * high, high);
      low = select((!is_low) & (last < zero), F(0.5f) * low, low);
      last = select(is_low, one, F(-1));
      low = select(is_low, foot, low);
      low_c = select(is_low, next_c, low_c);
      low_s = select(is_low, next_s, low_s);
      high = select(is_low, high, foot);
      high_c = select(is_low, high_c, next_c);
      high_s = select(is_low, high_s, next_s);
      c = select(falls, next_c, c);
      s = select(falls, next_s, s);
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
      const F on_b = f.k * n[0] + f.s * n[1];
      const RimsAlong<F> rims(f.k, f.s, f.radius_a, f.radius_b, n);
      const F half_a = select(n[0] < zero, negate(f.half_a), f.half_a);
      const F half_b = select(on_b < zero, negate(f.half_b), f.half_b);
      const F out_b = rims.rim_b * rims.beside;
      const Vec<F, 3> gap{{((half_a + half_b * f.k) - out_b * f.s) - f.d[0],
                           ((rims.rim_a * n[1] + half_b * f.s) + out_b * f.k) - f.d[1],
                           (rims.rim_a * n[2] + rims.rim_b * n[2]) - f.d[2]}};
      const Vec<F, 3> next = rims.step(gap, F(T(0.2))).next;
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

  /// The windows as rows, for B's ends, the upper one if it has one. From the lowest up, so that
  /// those of a pair are the first ones.
  struct SpanRows {
    T number[number_count][kSpans + lanes] = {};
    constexpr SpanRows() {
      for (int n = 0; n < kSpans; ++n) {
        const int side = n / Frame::ends_b, from_low = side / 2;
        const int window = side % 2 == 0 ? from_low : kWindows - 1 - from_low;
        number[of_window][n] = static_cast<T>(window);
        number[cosine][n] = window_cosine(window);
        number[sine][n] = window_sine(window);
        number[end_b][n] = n % Frame::ends_b + 1 < Frame::ends_b ? T(-1) : T(1);
        number[lowest][n] = lowest_sine(window);
      }
    }
  };
  static constexpr SpanRows kSpanRows{};

  alignas(64) T rows_[lanes * row_size] = {};
  Spans spans_;
  int which_ = 0;
  Intervals intervals_[2];
};

}  // namespace
}  // namespace widephase
