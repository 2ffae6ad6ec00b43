#pragma once

// Two trees opened together: the pairs of pieces whose bounds are near, the nearest first.
//
// Frame: A's. The bounds of B's places are turned into it and grown by what that rounds. Of each
// pair of places the larger one is opened: sixteen bounds at once against one. The way goes down to
// the one whose middle is nearest first, so the first pairs of pieces bound the others; a stack
// holds one opened tile per level of both trees. Every set takes the same way.

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

/// Places of one side with their bounds.
template <class T, int D>
struct BoundedPlace {
  int level;
  std::int32_t place;
  T low[D], high[D];
};

/// A tile that was opened against a place of the other side.
template <class T, int D>
struct OpenedTile {
  bool is_of_a;
  int level;  ///< of its places
  std::int32_t tile;
  int near, next;        ///< how many of its places are near, and which is the next one
  int order[kPlaces];    ///< of these
  T distance2[kPlaces];  ///< between the bounds; not a number for places that are not there
  T bounds[2 * D][kPlaces];
  BoundedPlace<T, D> other;
};

template <class T, int D>
class DualWalk {
  using Side = ConcaveSide<T, D>;
  using Opened = OpenedTile<T, D>;
  using Place = BoundedPlace<T, D>;

 public:
  /// More than the levels of a tree.
  static constexpr int kMostLevels = 17;
  static constexpr int kMostOpened = 2 * kMostLevels;

  /// `most_ways`: how many places of an opened tile are gone to.
  DualWalk(const Side& a, const Side& b, const FramePlace<D>& place, int most_ways, Opened* stack)
      : a_(a), b_(b), most_ways_(most_ways), stack_(stack) {
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
    int count = 0;
    bool goes_on = true;
    const auto go_to = [&](const Place& a, const Place& b) {
      if (a.level == 0 && b.level == 0) {
        a_.for_each_piece(a.place, [&](std::int32_t of_a) {
          b_.for_each_piece(b.place,
                            [&](std::int32_t of_b) { goes_on = goes_on && op(of_a, of_b); });
        });
        return;
      }
      const bool opens_a = b.level == 0 || (a.level > 0 && size_of(a) >= size_of(b));
      opens_a ? open(true, a, b, most2(best2), stack_[count++])
              : open(false, b, a, most2(best2), stack_[count++]);
    };
    go_to(root_of_a(), root_of_b());
    while (count > 0 && goes_on) {
      Opened& top = stack_[count - 1];
      if (top.next == top.near) {
        --count;
        continue;
      }
      const int i = top.order[top.next++];
      if (!(top.distance2[i] <= most2(best2))) continue;
      Place place{top.level, (top.is_of_a ? a_ : b_).child(top.level + 1, top.tile, i), {}, {}};
      for (int k = 0; k < D; ++k) {
        place.low[k] = top.bounds[k][i];
        place.high[k] = top.bounds[D + k][i];
      }
      top.is_of_a ? go_to(place, top.other) : go_to(top.other, place);
    }
  }

 private:
  /// Squares of distances round too.
  static T most2(double best2) { return static_cast<T>(best2) * (1 + 32 * kRounding<T>); }
  static T size_of(const Place& place) {
    T sum = 0;
    for (int k = 0; k < D; ++k) sum += place.high[k] - place.low[k];
    return sum;
  }

  Place root_of_a() const {
    Place root{a_.top(), 0, {}, {}};
    a_.root(root.low, root.high);
    return root;
  }
  Place root_of_b() const {
    Place root{b_.top(), 0, {}, {}};
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
      root.low[k] = middle - reach;
      root.high[k] = middle + reach;
    }
    return root;
  }

  /// Opens a place of a level above 0 against one of the other side.
  void open(bool is_of_a, const Place& opened, const Place& other, T most, Opened& to) const {
    using F = Batch<T>;
    constexpr int lanes = LaneTraits<F>::count;
    alignas(64) T scratch[Side::kBoundNumbers];
    alignas(64) T apart2[kPlaces];
    to.is_of_a = is_of_a;
    to.level = opened.level - 1;
    to.tile = opened.place;
    to.other = other;
    const T* const bounds = (is_of_a ? a_ : b_).bounds(opened.level, opened.place, scratch);
    for (int first = 0; first < kPlaces; first += lanes) {
      Vec<F, D> low, high;
      for (int k = 0; k < D; ++k) {
        low[k] = load(bounds + k * kPlaces + first);
        high[k] = load(bounds + (D + k) * kPlaces + first);
      }
      const MaskOf<F> is_there = low[0] < F(kInfinite<T>);
      if (!is_of_a) turn(low, high);
      F gap2(0), middle2(0);
      for (int k = 0; k < D; ++k) {
        store(to.bounds[k] + first, low[k]);
        store(to.bounds[D + k] + first, high[k]);
        const F before = F(other.low[k]) - high[k], beyond = low[k] - F(other.high[k]);
        const F gap = greater(greater(before, beyond), F(0));
        const F twice = before - beyond;  // from middle to middle
        gap2 = gap2 + gap * gap;
        middle2 = middle2 + twice * twice;
      }
      store(to.distance2 + first, select(is_there, gap2, F(kNoNumber<T>)));
      store(apart2 + first, middle2);
    }
    to.next = to.near = 0;
    for (int i = 0; i < kPlaces; ++i) {
      if (!(to.distance2[i] <= most)) continue;
      int at = to.near++;
      for (; at > 0 && apart2[i] < apart2[to.order[at - 1]]; --at) to.order[at] = to.order[at - 1];
      to.order[at] = i;
    }
    to.near = to.near < most_ways_ ? to.near : most_ways_;
  }

  /// Turns bounds of B into A's frame.
  template <class F>
  void turn(Vec<F, D>& low, Vec<F, D>& high) const {
    F at[D], half[D];
    for (int k = 0; k < D; ++k) {
      at[k] = F(T(0.5)) * low[k] + F(T(0.5)) * high[k];
      half[k] = F(T(0.5)) * high[k] - F(T(0.5)) * low[k];
    }
    for (int k = 0; k < D; ++k) {
      F middle(shift_[k]), reach(0), size(magnitude(shift_[k]));
      for (int j = 0; j < D; ++j) {
        const F part(magnitude(turn_[k][j]));
        middle = middle + F(turn_[k][j]) * at[j];
        reach = reach + part * half[j];
        size = size + part * (abs(at[j]) + half[j]);
      }
      reach = reach + F(kGrowth) * size;
      low[k] = middle - reach;
      high[k] = middle + reach;
    }
  }

  /// What turning and moving bounds rounds, by all that is summed.
  static constexpr T kGrowth = 32 * kRounding<T>;

  const Side &a_, &b_;
  const int most_ways_;
  Opened* const stack_;
  T turn_[D][D], shift_[D];
};

}  // namespace
}  // namespace widephase
