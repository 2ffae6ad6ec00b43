#pragma once

// Chooses at most four of many points for one pair at a time: the rule of
// core/faces/four_corners.hpp for any number of corners; prisms and rims have hundreds.
// core/faces/four_corners_lanes.hpp does the same for pairs in lanes; here the corners are, eight
// at a time. Both take the same steps, but cannot be one function. Pairs in lanes compare all
// values before they take a corner, and so must measure from the first corner chosen. Then sums
// round differently, and of corners that are nearly equally good another one would stay.

#include "kernels/core/basis/eights.hpp"
#include "kernels/core/faces/four_corners.hpp"
#include "kernels/core/support/convex_shape.hpp"

namespace widephase {
namespace {

template <class T>
bool has_one_name(const FaceCorner<T>& a, const FaceCorner<T>& b) {
  return a.reference_feature == b.reference_feature && a.incident_feature == b.incident_feature;
}

/// Twice the area of two to four corners, in any order, like `area_of_four` in lanes.
template <class T>
T area_of(const FaceCorner<T>* corners, int count) {
  const auto from = [&](int p, int q) {
    return Vec<T, 2>{{corners[q].x - corners[p].x, corners[q].y - corners[p].y}};
  };
  if (count < 3) return 0;
  if (count == 3) return magnitude(cross(from(0, 1), from(0, 2)));
  const T first = magnitude(cross(from(0, 2), from(1, 3)));
  const T second = magnitude(cross(from(0, 1), from(2, 3)));
  const T third = magnitude(cross(from(0, 3), from(1, 2)));
  const T more = second > third ? second : third;
  return first > more ? first : more;
}

/// Which number has the largest value: the first of equals, `none` if none is above `least`.
/// Numbers that are not a number never are.
template <class T>
class FirstGreatest {
 public:
  FirstGreatest(T least, int none)
      : value_(eight_of(least)), number_(eight_of(static_cast<T>(none))) {}
  /// The next eight.
  WIDEPHASE_INLINE void add(const Eight<T>& values) {
    number_ = select_greater(values, value_, next_, number_);
    value_ = greater(value_, values);
    next_ = next_ + eight_of(T(8));
  }
  WIDEPHASE_INLINE int number() const {
    const T most = reduce_eight(value_, [](T a, T b) { return greater_of(a, b); });
    return lowest_number(number_, bits_at_least(value_, eight_of(most)));
  }

 private:
  Eight<T> value_, number_, next_ = count_up<T>();
};

template <class T>
class FourCorners {
 public:
  /// `count` is at least 2. Corners within `least` of one another are one.
  FourCorners(const FaceCorner<T>* corners, int count, const LastingAxes<T>& axes, T least)
      : corners_(corners), count_(count), axes_(axes), least_(least) {
    if (count_ <= kRoom) fill(0);
  }

  /// Puts the chosen corners in `kept` and answers how many. One is as deep as the deepest, within
  /// `level`. If two are at one place, the one at a vertex of the reference face stands for it, or
  /// of the incident face with `incident_first`.
  int choose(T level, bool incident_first, FaceCorner<T> (&kept)[4]) {
    const T first = at(corners_[0])[0];  // step 1
    FirstGreatest<T> high(first, 0), low(0 - first, 0), deepest(0 - corners_[0].height, 0);
    const Eight<T> zero = eight_of(T(0));
    for_each_eight([&](int k) {
      const Eight<T> along = load_eight(along_ + k);
      high.add(along);
      low.add(zero - along);
      deepest.add(zero - load_eight(height_ + k));
    });
    deepest_ = deepest.number();
    int chosen[4] = {high.number(), low.number()};
    int count = choose_beside(chosen);
    if (count == 1) chosen[0] = deepest_;
    if (count == 4) take_larger(chosen);
    bool has_deepest = false;
    for (int n = 0; n < count; ++n) {
      has_deepest |= corners_[chosen[n]].height <= corners_[deepest_].height + level;
    }
    if (!has_deepest) put_deepest(chosen, count);
    return put_named(chosen, count, level, incident_first, kept);
  }
  /// The smallest height of all corners, once they are chosen.
  T least_height() const { return corners_[deepest_].height; }

 private:
  static constexpr int kRoom = 32;

  /// Puts the corners from `first` on in lanes, as many as there is room for. Places beyond the
  /// last one are not a number, which no comparison takes.
  void fill(int first) {
    const int count = count_ - first < kRoom ? count_ - first : kRoom;
    for (int n = 0; n < count; ++n) {
      const FaceCorner<T>& corner = corners_[first + n];
      x_[n] = corner.x;
      y_[n] = corner.y;
      height_[n] = corner.height;
    }
    filled_ = (count + 7) / 8 * 8;
    for (int n = count; n < filled_; ++n) x_[n] = y_[n] = height_[n] = kNoNumber<T>;
    for (int k = 0; k < filled_; k += 8) {
      const Eight<T> x = load_eight(x_ + k), y = load_eight(y_ + k);
      const auto along = [&](const Vec<T, 2>& axis) {
        return eight_of(axis[0]) * x + eight_of(axis[1]) * y;
      };
      store(along_ + k, along(axes_.first));
      store(across_ + k, along(axes_.second));
    }
  }
  /// Calls `op(k)` for all corners, eight at a time: they are in the lanes from `k` on.
  template <class Op>
  WIDEPHASE_INLINE void for_each_eight(const Op& op) {
    if (count_ <= kRoom) {
      for (int k = 0; k < filled_; k += 8) op(k);
      return;
    }
    for (int first = 0; first < count_; first += kRoom) {
      fill(first);
      for (int k = 0; k < filled_; k += 8) op(k);
    }
  }

  /// Corners with the same name are one point, at the place of the deeper one.
  int put_named(const int (&chosen)[4], int count, T level, bool incident_first,
                FaceCorner<T> (&kept)[4]) {
    int named_count = 0;
    for (int n = 0; n < count; ++n) {
      const FaceCorner<T> corner = named(chosen[n], level, incident_first);
      int same = 0;
      while (same < named_count && !has_one_name(kept[same], corner)) ++same;
      if (same == named_count) {
        kept[named_count++] = corner;
      } else if (corner.height < kept[same].height) {
        kept[same] = corner;
      }
    }
    return named_count;
  }
  /// In the axes of the chosen face, about which a rim or a prism looks alike from either side.
  Vec<T, 2> at(const FaceCorner<T>& corner) const {
    const Vec<T, 2>&first = axes_.first, &second = axes_.second;
    return {
        {first[0] * corner.x + first[1] * corner.y, second[0] * corner.x + second[1] * corner.y}};
  }
  /// Steps 2 and 3: chooses the third and the fourth beside two. Answers how many there are.
  int choose_beside(int (&four)[4]) {
    const Vec<T, 2> from = at(corners_[four[0]]), to = at(corners_[four[1]]), line = to - from;
    const T width = root(dot(line, line));
    if (!(width > least_)) return 1;
    // Turned a little, so that of two equally far the same one is taken; a hexagon has two.
    const T lead = kTieTurn<T> / dot(line, line);
    const Vec<T, 2> middle = T(0.5) * (from + to);
    const Eight<T> zero = eight_of(T(0)), line_x = eight_of(line[0]), line_y = eight_of(line[1]);
    const auto crossed = [&](const Vec<T, 2>& a, const Vec<T, 2>& b, const Vec<T, 2>& origin,
                             int k) {
      const Eight<T> x = load_eight(along_ + k) - eight_of(origin[0]);
      const Eight<T> y = load_eight(across_ + k) - eight_of(origin[1]);
      return eight_of(b[0] - a[0]) * y - eight_of(b[1] - a[1]) * x;
    };
    // By a share of itself: in a strip nearly along the line, no corner must fall behind it.
    const auto turned_side = [&](const Eight<T>& side, int k) {
      const Eight<T> x = load_eight(along_ + k) - eight_of(middle[0]);
      const Eight<T> y = load_eight(across_ + k) - eight_of(middle[1]);
      return side + (eight_of(lead) * (line_x * x + line_y * y)) * abs(side);
    };
    const Eight<T> least = eight_of(least_ * width), none = eight_of(-kInfinite<T>);
    FirstGreatest<T> highest(T(0), -1);
    for_each_eight([&](int k) {
      const Eight<T> side = crossed(from, to, from, k), turned = turned_side(side, k);
      const Eight<T> size = select_greater(side, zero, turned, zero - turned);
      highest.add(select_greater(abs(side), least, size, none));
    });
    const int third = highest.number();
    if (third < 0) return 2;
    four[2] = third;
    const Vec<T, 2> top = at(corners_[third]);
    const T turn = cross(line, top - from) > 0 ? T(1) : T(-1);
    const Eight<T> back = eight_of(-turn);
    FirstGreatest<T> farthest(least_ * width, -1);
    for_each_eight([&](int k) {
      const Eight<T> side = crossed(from, to, from, k);
      const Eight<T> opposite = eight_of(kOppositeWeight<T>) * (back * turned_side(side, k));
      Eight<T> size = select_greater(back * side, least, opposite, zero);
      size = greater(size, back * crossed(to, top, to, k));
      farthest.add(greater(size, back * crossed(top, from, top, k)));
    });
    const int fourth = farthest.number();
    if (fourth < 0) return 3;
    four[3] = fourth;
    return 4;
  }
  T area_of(const int (&four)[4]) const {
    const FaceCorner<T> corners[4] = {corners_[four[0]], corners_[four[1]], corners_[four[2]],
                                      corners_[four[3]]};
    return widephase::area_of(corners, 4);
  }
  /// Step 4.
  void take_larger(int (&chosen)[4]) {
    const FaceCorner<T>&a = corners_[chosen[2]], &b = corners_[chosen[3]];
    FirstGreatest<T> left(-kInfinite<T>, 0), right(-kInfinite<T>, 0);
    const Eight<T> x = eight_of(b.x - a.x), y = eight_of(b.y - a.y);
    for_each_eight([&](int k) {
      const Eight<T> side =
          x * (load_eight(y_ + k) - eight_of(a.y)) - y * (load_eight(x_ + k) - eight_of(a.x));
      left.add(side);
      right.add(eight_of(T(0)) - side);
    });
    const int others[4] = {chosen[2], chosen[3], left.number(), right.number()};
    if (!(area_of(others) > kLeastGain<T> * area_of(chosen))) return;
    for (int n = 0; n < 4; ++n) chosen[n] = others[n];
  }
  /// Step 5: puts the deepest in the place of another one, or takes the four that begin with the
  /// deepest, if their area is larger.
  void put_deepest(int (&chosen)[4], int count) {
    int best = 0;
    T most = -kInfinite<T>;
    for (int p = 0; p < count; ++p) {
      int four[4] = {chosen[0], chosen[1], chosen[2], chosen[3]};
      four[p] = deepest_;
      const T x = corners_[chosen[p]].x - corners_[deepest_].x;
      const T y = corners_[chosen[p]].y - corners_[deepest_].y;
      const T value = count == 4 ? area_of(four) : -(x * x + y * y);
      if (!(value > most)) continue;
      most = value;
      best = p;
    }
    chosen[best] = deepest_;
    // Or the deepest first, then the one farthest from it, and two beside these.
    int others[4] = {deepest_, deepest_};
    const Vec<T, 2> from = at(corners_[deepest_]);
    FirstGreatest<T> farthest(T(0), 0);
    for_each_eight([&](int k) {
      const Eight<T> x = load_eight(along_ + k) - eight_of(from[0]);
      const Eight<T> y = load_eight(across_ + k) - eight_of(from[1]);
      farthest.add(x * x + y * y);
    });
    others[1] = farthest.number();
    if (count == 4 && choose_beside(others) == 4 && area_of(others) > area_of(chosen)) {
      for (int n = 0; n < 4; ++n) chosen[n] = others[n];
    }
  }

  /// Among corners at this place that are as deep, within `level`: the one whose name lasts.
  FaceCorner<T> named(int n, T level, bool incident_first) {
    const auto is_vertex = [](T feature) {
      return static_cast<int>((feature >= T(1 << 14)) & (feature < T(2 << 14)));
    };
    const auto rank_of = [&](const FaceCorner<T>& corner) {
      const int of_reference = is_vertex(corner.reference_feature);
      const int of_incident = is_vertex(corner.incident_feature);
      const int of_first = incident_first ? of_incident : of_reference;
      return (1 - of_first) * (2 - (of_reference | of_incident));
    };
    int best = n, rank = rank_of(corners_[n]);
    if (rank == 0) return corners_[best];
    const Eight<T> from_x = eight_of(corners_[n].x), from_y = eight_of(corners_[n].y);
    const Eight<T> least2 = eight_of(least_ * least_);
    const Eight<T> most_height = eight_of(corners_[n].height + level);
    int first = 0;
    for_each_eight([&](int k) {
      const Eight<T> x = load_eight(x_ + k) - from_x, y = load_eight(y_ + k) - from_y;
      unsigned there = bits_at_least(least2, x * x + y * y) &
                       bits_at_least(most_height, load_eight(height_ + k));
      for (; there != 0; there &= there - 1) {  // few
        const int m = first + __builtin_ctz(there), here = rank_of(corners_[m]);
        const bool is_better = here < rank;
        best = is_better ? m : best;
        rank = is_better ? here : rank;
      }
      first += 8;
    });
    return corners_[best];
  }

  const FaceCorner<T>* corners_;
  int count_;
  LastingAxes<T> axes_;
  T least_;
  int deepest_ = -1;
  int filled_ = 0;  ///< the corners in lanes, a multiple of eight
  alignas(64) T x_[kRoom], y_[kRoom], height_[kRoom], along_[kRoom], across_[kRoom];
};

}  // namespace
}  // namespace widephase
