#pragma once

// Chooses at most four of many points for one pair at a time: the rule of
// core/faces/four_corners.hpp for any number of corners; prisms and rims have hundreds.
// core/faces/four_corners_lanes.hpp does the same for pairs in lanes. Both take the same steps, but
// cannot be one function. Lanes compare all values before they take a corner, and so must measure
// from the first corner chosen. Then sums round differently, and of corners that are nearly equally
// good another one would stay.

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

template <class T>
class FourCorners {
 public:
  /// `count` is at least 2. Corners within `least` of one another are one.
  FourCorners(const FaceCorner<T>* corners, int count, const LastingAxes<T>& axes, T least)
      : corners_(corners), count_(count), axes_(axes), least_(least) {}

  /// Puts the chosen corners in `kept` and answers how many. One is as deep as the deepest, within
  /// `level`. If two are at one place, the one at a vertex of the reference face stands for it, or
  /// of the incident face with `incident_first`.
  int choose(T level, bool incident_first, FaceCorner<T> (&kept)[4]) {
    // Which is best is as good as random, so loops over corners select instead of branching.
    int low = 0, high = 0;  // step 1
    T least = at(corners_[0])[0], most = least;
    deepest_ = 0;
    for (int n = 1; n < count_; ++n) {
      deepest_ = corners_[n].height < corners_[deepest_].height ? n : deepest_;
      const T along = at(corners_[n])[0];
      high = along > most ? n : high;
      most = along > most ? along : most;
      low = along < least ? n : low;
      least = along < least ? along : least;
    }
    int chosen[4] = {high, low};
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
  /// Corners with the same name are one point, at the place of the deeper one.
  int put_named(const int (&chosen)[4], int count, T level, bool incident_first,
                FaceCorner<T> (&kept)[4]) const {
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
  int choose_beside(int (&four)[4]) const {
    const Vec<T, 2> from = at(corners_[four[0]]), to = at(corners_[four[1]]), line = to - from;
    const T width = root(dot(line, line));
    if (!(width > least_)) return 1;
    // Turned a little, so that of two equally far the same one is taken; a hexagon has two.
    const T lead = kTieTurn<T> / dot(line, line);
    const Vec<T, 2> middle = T(0.5) * (from + to);
    const auto side = [&](const Vec<T, 2>& x) { return cross(line, x - from); };
    const auto turned_side = [&](const Vec<T, 2>& x) {
      // By a share of itself: in a strip nearly along the line, no corner must fall behind it.
      return side(x) + (lead * dot(line, x - middle)) * magnitude(side(x));
    };
    int third = -1, fourth = -1;
    T most = 0;
    for (int n = 0; n < count_; ++n) {
      const Vec<T, 2> x = at(corners_[n]);
      const T turned = turned_side(x), size = side(x) > 0 ? turned : -turned;
      const bool is_better = (magnitude(side(x)) > least_ * width) & (size > most);
      most = is_better ? size : most;
      third = is_better ? n : third;
    }
    if (third < 0) return 2;
    four[2] = third;
    const Vec<T, 2> top = at(corners_[third]);
    const T turn = side(top) > 0 ? T(1) : T(-1);
    const auto beyond = [&](const Vec<T, 2>& a, const Vec<T, 2>& b, const Vec<T, 2>& x) {
      return -turn * cross(b - a, x - a);
    };
    most = least_ * width;
    for (int n = 0; n < count_; ++n) {
      const Vec<T, 2> x = at(corners_[n]);
      const T opposite = kOppositeWeight<T> * (-turn * turned_side(x));
      T size = -turn * side(x) > least_ * width ? opposite : T(0);
      const T right = beyond(to, top, x), left = beyond(top, from, x);
      size = right > size ? right : size;
      size = left > size ? left : size;
      const bool is_better = size > most;
      most = is_better ? size : most;
      fourth = is_better ? n : fourth;
    }
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
  void take_larger(int (&chosen)[4]) const {
    const FaceCorner<T>&a = corners_[chosen[2]], &b = corners_[chosen[3]];
    int others[4] = {chosen[2], chosen[3], 0, 0};
    T most[2] = {-kInfinite<T>, -kInfinite<T>};
    for (int n = 0; n < count_; ++n) {
      const T side = (b.x - a.x) * (corners_[n].y - a.y) - (b.y - a.y) * (corners_[n].x - a.x);
      for (int s = 0; s < 2; ++s) {
        const T value = s == 0 ? side : -side;
        const bool is_better = value > most[s];
        most[s] = is_better ? value : most[s];
        others[2 + s] = is_better ? n : others[2 + s];
      }
    }
    if (!(area_of(others) > kLeastGain<T> * area_of(chosen))) return;
    for (int n = 0; n < 4; ++n) chosen[n] = others[n];
  }
  /// Step 5: puts the deepest in the place of another one, or takes the four that begin with the
  /// deepest, if their area is larger.
  void put_deepest(int (&chosen)[4], int count) const {
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
    T most2 = 0;
    for (int n = 0; n < count_; ++n) {
      const Vec<T, 2> off = at(corners_[n]) - at(corners_[deepest_]);
      if (!(dot(off, off) > most2)) continue;
      most2 = dot(off, off);
      others[1] = n;
    }
    if (count == 4 && choose_beside(others) == 4 && area_of(others) > area_of(chosen)) {
      for (int n = 0; n < 4; ++n) chosen[n] = others[n];
    }
  }

  /// Among corners at this place that are as deep, within `level`: the one whose name lasts.
  FaceCorner<T> named(int n, T level, bool incident_first) const {
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
    for (int m = 0; m < count_ && rank > 0; ++m) {
      const T x = corners_[m].x - corners_[n].x, y = corners_[m].y - corners_[n].y;
      const bool is_there =
          (x * x + y * y <= least_ * least_) & (corners_[m].height <= corners_[n].height + level);
      const int here = rank_of(corners_[m]);
      const bool is_better = is_there & (here < rank);
      best = is_better ? m : best;
      rank = is_better ? here : rank;
    }
    return corners_[best];
  }

  const FaceCorner<T>* corners_;
  int count_;
  LastingAxes<T> axes_;
  T least_;
  int deepest_ = -1;
};

}  // namespace
}  // namespace widephase
