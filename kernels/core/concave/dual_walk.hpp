#pragma once

// Two trees opened together: the pairs of pieces whose bounds are near, the nearest first.
//
// Frame: A's. The bounds of B's places are turned into it and grown by what that rounds. Of each
// pair of places the larger one is opened: sixteen bounds at once against one. What is near is put
// on a stack, the nearest on top, so the first pairs bound the others; the stack has room for
// sixteen places per level of both trees. Every set takes the same way.

#include "kernels/core/concave/sides.hpp"

namespace widephase {
namespace {

/// `coordinate_size` of one vector.
template <int D>
WIDEPHASE_INLINE double size_along_axes(const Vec<double, D>& v) {
  double sum = 0;
  for (int k = 0; k < D; ++k) sum += magnitude(v[k]);
  return sum;
}

/// Where B's frame is in A's: its axes are the columns.
template <int D>
struct FramePlace {
  Vec<double, D> axis[D], origin;

  Vec<double, D> direction(const Vec<double, D>& v) const {
    Vec<double, D> sum = scaled(axis[0], v[0]);
    for (int k = 1; k < D; ++k) sum = sum + scaled(axis[k], v[k]);
    return sum;
  }
  Vec<double, D> point(const Vec<double, D>& v) const { return direction(v) + origin; }
  Vec<double, D> back(const Vec<double, D>& v) const {
    Vec<double, D> own;
    for (int k = 0; k < D; ++k) own[k] = dot(axis[k], v - origin);
    return own;
  }
  Vec<double, D> direction_back(const Vec<double, D>& v) const {
    Vec<double, D> own;
    for (int k = 0; k < D; ++k) own[k] = dot(axis[k], v);
    return own;
  }
};

/// A pair of places that is to be opened, with their bounds.
template <class T, int D>
struct OpenPlaces {
  T distance2;
  int level_a, level_b;
  std::int32_t a, b;
  T low_a[D], high_a[D], low_b[D], high_b[D];
};

template <class T, int D>
class DualWalk {
  using Side = ConcaveSide<T, D>;
  using Open = OpenPlaces<T, D>;

 public:
  /// No tree has as many levels as this.
  static constexpr int kMostLevels = 17;
  static constexpr int kMostOpen = 2 * kMostLevels * kPlaces;

  DualWalk(const Side& a, const Side& b, const FramePlace<D>& place, Open* stack)
      : a_(a), b_(b), stack_(stack) {
    for (int k = 0; k < D; ++k) {
      for (int j = 0; j < D; ++j) turn_[k][j] = static_cast<T>(place.axis[j][k]);
      shift_[k] = static_cast<T>(place.origin[k]);
    }
  }

  /// Calls `op(a, b)` for pairs of pieces whose bounds are no farther apart than the root of
  /// `best2`, which `op` may lower, until it answers false.
  template <class Op>
  void walk(const double& best2, const Op& op) {
    if (a_.top() < 0 || b_.top() < 0) return;
    int count = 1;
    stack_[0] = root();
    while (count > 0) {
      const Open open = stack_[--count];
      if (!(open.distance2 <= most2(best2))) continue;
      if (open.level_a == 0 && open.level_b == 0) {
        bool goes_on = true;
        a_.for_each_piece(open.a, [&](std::int32_t a) {
          b_.for_each_piece(open.b, [&](std::int32_t b) { goes_on = goes_on && op(a, b); });
        });
        if (!goes_on) return;
        continue;
      }
      const bool opens_a =
          open.level_b == 0 ||
          (open.level_a > 0 && size_of(open.low_a, open.high_a) >= size_of(open.low_b, open.high_b));
      opens_a ? open_a(open, most2(best2), count) : open_b(open, most2(best2), count);
    }
  }

 private:
  /// Squares of distances round too.
  static T most2(double best2) { return static_cast<T>(best2) * (1 + 32 * kRounding<T>); }
  static T size_of(const T (&low)[D], const T (&high)[D]) {
    T sum = 0;
    for (int k = 0; k < D; ++k) sum += high[k] - low[k];
    return sum;
  }

  Open root() const {
    Open open{};
    open.level_a = a_.top();
    open.level_b = b_.top();
    a_.root(open.low_a, open.high_a);
    T low[D], high[D];
    b_.root(low, high);
    for (int k = 0; k < D; ++k) {
      T middle = shift_[k], reach = 0, size = magnitude(shift_[k]);
      for (int j = 0; j < D; ++j) {
        const T at = T(0.5) * low[j] + T(0.5) * high[j], half = T(0.5) * high[j] - T(0.5) * low[j];
        middle += turn_[k][j] * at;
        reach += magnitude(turn_[k][j]) * half;
        size += magnitude(turn_[k][j]) * (magnitude(at) + half);
      }
      reach += kGrowth * size;
      open.low_b[k] = middle - reach;
      open.high_b[k] = middle + reach;
    }
    return open;
  }

  /// Puts the places of a tile that are near on the stack.
  template <class Set>
  void push(const T (&distance2)[kPlaces], T most, int& count, const Set& set) {
    int order[kPlaces], near = 0;  // the farthest first
    for (int i = 0; i < kPlaces; ++i) {
      if (!(distance2[i] <= most)) continue;
      int to = near++;
      for (; to > 0 && distance2[order[to - 1]] < distance2[i]; --to) order[to] = order[to - 1];
      order[to] = i;
    }
    for (int n = 0; n < near; ++n) {
      Open& to = stack_[count++];
      set(order[n], to);
      to.distance2 = distance2[order[n]];
    }
  }

  void open_a(const Open& open, T most, int& count) {
    using F = Batch<T>;
    constexpr int lanes = LaneTraits<F>::count;
    alignas(64) T scratch[Side::kBoundNumbers];
    alignas(64) T distance2[kPlaces];
    const T* const bounds = a_.bounds(open.level_a, open.a, scratch);
    for (int first = 0; first < kPlaces; first += lanes) {
      F sum(0);
      for (int k = 0; k < D; ++k) {
        const F low = load(bounds + k * kPlaces + first);
        const F high = load(bounds + (D + k) * kPlaces + first);
        const F gap = greater(greater(low - F(open.high_b[k]), F(open.low_b[k]) - high), F(0));
        sum = sum + gap * gap;
      }
      store(distance2 + first, sum);
    }
    mark_absent(bounds, distance2);
    push(distance2, most, count, [&](int i, Open& to) {
      to = open;
      to.level_a = open.level_a - 1;
      to.a = a_.child(open.level_a, open.a, i);
      for (int k = 0; k < D; ++k) {
        to.low_a[k] = bounds[k * kPlaces + i];
        to.high_a[k] = bounds[(D + k) * kPlaces + i];
      }
    });
  }

  void open_b(const Open& open, T most, int& count) {
    using F = Batch<T>;
    constexpr int lanes = LaneTraits<F>::count;
    alignas(64) T scratch[Side::kBoundNumbers];
    alignas(64) T moved[Side::kBoundNumbers];
    alignas(64) T distance2[kPlaces];
    const T* const bounds = b_.bounds(open.level_b, open.b, scratch);
    for (int first = 0; first < kPlaces; first += lanes) {
      F at[D], half[D];
      for (int k = 0; k < D; ++k) {
        const F low = F(T(0.5)) * load(bounds + k * kPlaces + first);
        const F high = F(T(0.5)) * load(bounds + (D + k) * kPlaces + first);
        at[k] = low + high;
        half[k] = high - low;
      }
      F sum(0);
      for (int k = 0; k < D; ++k) {
        F middle(shift_[k]), reach(0), size(magnitude(shift_[k]));
        for (int j = 0; j < D; ++j) {
          middle = middle + F(turn_[k][j]) * at[j];
          reach = reach + F(magnitude(turn_[k][j])) * half[j];
          size = size + F(magnitude(turn_[k][j])) * (abs(at[j]) + half[j]);
        }
        reach = reach + F(kGrowth) * size;
        const F low = middle - reach, high = middle + reach;
        store(moved + k * kPlaces + first, low);
        store(moved + (D + k) * kPlaces + first, high);
        const F gap = greater(greater(low - F(open.high_a[k]), F(open.low_a[k]) - high), F(0));
        sum = sum + gap * gap;
      }
      store(distance2 + first, sum);
    }
    mark_absent(bounds, distance2);
    push(distance2, most, count, [&](int i, Open& to) {
      to = open;
      to.level_b = open.level_b - 1;
      to.b = b_.child(open.level_b, open.b, i);
      for (int k = 0; k < D; ++k) {
        to.low_b[k] = moved[k * kPlaces + i];
        to.high_b[k] = moved[(D + k) * kPlaces + i];
      }
    });
  }

  /// Places that are not there are not near, even if all is.
  static void mark_absent(const T* bounds, T (&distance2)[kPlaces]) {
    for (int i = 0; i < kPlaces; ++i) {
      if (!(bounds[i] < kInfinite<T>)) distance2[i] = kNoNumber<T>;
    }
  }

  /// What turning and moving bounds rounds, by all that is summed.
  static constexpr T kGrowth = 32 * kRounding<T>;

  const Side &a_, &b_;
  Open* const stack_;
  T turn_[D][D], shift_[D];
};

}  // namespace
}  // namespace widephase
