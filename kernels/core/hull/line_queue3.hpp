#pragma once

// The points of a capsule's core that lies over a hull's face, with pairs in lanes: where the core
// is apart from the hull, or its exit is across an edge of the hull.
// core/faces/convex_manifold.hpp does the same one pair at a time (`put_line`). Here are only plain
// pairs, to the same bits. All others are left to it.

#include "kernels/core/hull/face_queue3.hpp"

namespace widephase {
namespace {

/// Pairs of several batches on the way to their points. A batch has only a few of them, so they
/// wait until all lanes have one.
template <class F>
class LineQueue {
 public:
  using T = RealOf<F>;
  static constexpr int lanes = LaneTraits<F>::count;
  T steadiness = 0;  ///< how much less deep a point that stands for the deepest may be

  /// Adds the pair of a segment A and a hull B in a lane of a search, with the normal from A to B.
  /// `on_b` is the deepest point on B. The points go to that lane of `table`. Answers false if the
  /// pair is not plain.
  WIDEPHASE_INLINE bool add(const HullSearch<F>& search, const HullFrames<F>& frames, int lane,
                            const Vec<T, 3>& normal, const CorePoint<T>& deepest,
                            const Vec<T, 3>& on_b, PointTable<F>& table) {
    const Vec<T, 3> half = search.side[0].hull[lane].vertex(1);
    if (!(dot(half, half) > 0)) return false;
    const HullView<T>& hull = search.side[1].hull[lane];
    const Rotation3<T> turn = frames.turn_of(1, lane);
    const Vec<T, 3> outward = -normal;
    const T size = search.size[lane], slack = flush_slack(size);
    const int face = facing_hull_face(turn, hull, outward, slack, &on_b);
    const Vec<T, 3> of_face = rotate(turn, hull.face_normal(face));
    const T slope = dot(of_face, outward);
    if (!(slope > kLeastSlope<T>) || !FaceRingLanes<F>::has_room(hull, face)) return false;
    const int beside = face_beside(turn, hull, face, deepest.feature_b,
                                   (2 * slope) * outward - of_face, outward, slack);
    if (beside >= 0 && !FaceRingLanes<F>::has_room(hull, beside)) return false;
    rings_[0].set(count_, hull, face);
    if (beside >= 0) rings_[1].set(count_, hull, beside);
    for (int k = 0; k < 3; ++k) {
      for (int j = 0; j < 3; ++j) turn_[k][j].number[count_] = turn.column[k][j];
      half_[k].number[count_] = half[k];
      apart_[k].number[count_] = frames.apart[k][lane];
      normal_[k].number[count_] = normal[k];
      deepest_[k].number[count_] = deepest.on_a[k];
    }
    feature_a_.number[count_] = deepest.feature_a;
    feature_b_.number[count_] = deepest.feature_b;
    depth_.number[count_] = deepest.depth;
    limit_.number[count_] = frames.limit[lane];
    size_.number[count_] = size;
    entry_[count_++] = {lane, &table};
    return true;
  }
  WIDEPHASE_INLINE bool is_full() const { return count_ == lanes; }

  /// Puts the points of all pairs. Those that turn out not to be plain stay open.
  __attribute__((noinline)) void put_points(LaneCounter<F>& counter) {
    if (count_ == 0) return;
    counter.add_queue(count_);
    for (FaceRingLanes<F>& ring : rings_) ring.fill();
    PointTable<F> found;
    const unsigned plain = LinePoints(*this).put(found);
    for (int n = 0; n < count_; ++n) {
      PointTable<F>& table = *entry_[n].table;
      if ((plain >> n & 1) != 0) {
        table.put(entry_[n].lane, found, n);
      } else {
        table.open |= 1u << entry_[n].lane;
      }
    }
    count_ = 0;
    for (FaceRingLanes<F>& ring : rings_) ring.clear();
  }

 private:
  struct Entry {
    int lane;
    PointTable<F>* table;
  };
  struct Point {
    Vec<F, 3> on_a;
    F depth, feature_a, feature_b;
    F along;  ///< on the line
  };

  /// The face beside another one (`find_face_beside`); -1 if there is none.
  static WIDEPHASE_INLINE int face_beside(const Rotation3<T>& turn, const HullView<T>& hull,
                                          int face, T feature, const Vec<T, 3>& across,
                                          const Vec<T, 3>& direction, T slack) {
    const bool is_edge = feature >= edge_feature(T(0)) && feature < face_feature(T(0));
    const int beside = is_edge ? face_across(hull, face, feature)
                               : facing_hull_face<T>(turn, hull, across, slack, nullptr);
    if (beside < 0 || beside == face ||
        !(dot(rotate(turn, hull.face_normal(beside)), direction) > kLeastSlope<T>)) {
      return -1;
    }
    if (feature >= edge_feature(T(0))) return beside;
    const int vertex = static_cast<int>(feature - vertex_feature(T(0)));
    const std::uint64_t faces = hull.faces_of(vertex, beside >> 6);
    return (faces >> (beside & 63) & 1) != 0 ? beside : -1;
  }

  /// The pairs of a queue, in lanes.
  class LinePoints {
   public:
    WIDEPHASE_INLINE explicit LinePoints(const LineQueue& queue)
        : rings_(queue.rings_),
          turn_{{load_vec(queue.turn_[0]), load_vec(queue.turn_[1]), load_vec(queue.turn_[2])}},
          half_(load_vec(queue.half_)),
          apart_(load_vec(queue.apart_)),
          normal_(load_vec(queue.normal_)),
          depth_(load(queue.depth_.number)),
          most_height_(negate(load(queue.limit_.number))),
          rounding_(roundings<F>(32) * load(queue.size_.number)),
          slack_(flush_slack_lanes(load(queue.size_.number))),
          steadiness_(F(queue.steadiness)) {
      stretch_ = half_ - -half_;
      const Vec<F, 3> once = stretch_ - dot(stretch_, normal_) * normal_;
      const Vec<F, 3> across = once - dot(once, normal_) * normal_;
      const F across2 = dot(across, across);
      length_ = sqrt(dot(stretch_, stretch_));
      const F least_across = roundings<F>(16) * length_;
      lies_ = across2 > least_across * least_across;
      along_ = across / select(lies_, sqrt(across2), F(1));
      deepest_ = {load_vec(queue.deepest_), depth_, load(queue.feature_a_.number),
                  load(queue.feature_b_.number), F(0)};
      deepest_.along = dot(deepest_.on_a, along_);
    }

    /// Puts the points of the plain pairs. Answers which these are.
    WIDEPHASE_INLINE unsigned put(PointTable<F>& table) {
      const F zero = F(0);
      has_any_ = F(0) > F(0);
      low_ = high_ = most_ = deepest_;
      const auto goes_on = clip(rings_[0], zero == zero);
      if (rings_[1].most_count > 0) {
        clip(rings_[1], goes_on & (load(rings_[1].count) > zero));
      }
      const F reach = rounding_ + slack_;
      const F lag = reach + select(depth_ >= zero, steadiness_, zero);
      const auto is_met = has_any_ & (most_.depth >= depth_ - lag);
      take(deepest_, !is_met);
      const auto is_one =
          have_one_name(low_, high_) | !(high_.along - low_.along > F(T(1e-4)) * length_);
      const auto is_single = lies_ & is_one & is_met & !may_lie_along_edge();
      const auto is_double = lies_ & !is_one;
      const auto is_deepest_at = [&](const Point& point) {
        const Vec<F, 3> off = point.on_a - deepest_.on_a;
        return dot(off, off) <= reach * reach;
      };
      const auto name = [&](const MaskOf<F>& where, Point& point) {
        point.feature_a = select(where, deepest_.feature_a, point.feature_a);
        point.feature_b = select(where, deepest_.feature_b, point.feature_b);
      };
      const F least = depth_ - greater(steadiness_, rounding_);
      const auto is_deep = (low_.depth >= least) | (high_.depth >= least);
      const auto is_near_low = most_.along - low_.along < high_.along - most_.along;
      const auto is_low = have_one_name(low_, most_) | (is_near_low & !have_one_name(high_, most_));
      move((!is_deep) & is_low, most_, low_);
      move((!is_deep) & !is_low, most_, high_);
      // If only one of the two is at the nearest point, it gets that one's name, unless one has it.
      const auto is_nameless = is_double & (depth_ < zero) &
                               !(have_one_name(low_, deepest_) | have_one_name(high_, deepest_));
      const auto is_first = is_deepest_at(low_), is_last = is_deepest_at(high_);
      name(is_nameless & is_first & !is_last, low_);
      name(is_nameless & is_last & !is_first, high_);
      name(is_deepest_at(most_), most_);
      move(is_single, most_, low_);
      move(is_single, most_, high_);
      const F most = greater(low_.depth, high_.depth);
      const auto is_exact = !(steadiness_ > zero);
      for (Point* point : {&low_, &high_}) {
        const F own = point->depth;
        point->depth =
            select((is_exact & (own >= most)) | !(own < depth_ - rounding_), depth_, own);
      }
      store_point(low_, 0, table);
      store_point(high_, 1, table);
      store(table.exists[1], one_where<F>(is_double));
      return mask_bits(is_single | is_double);
    }

   private:
    /// Clips the line to a face, and takes its ends (`FaceClipper`). Answers where a part of it
    /// that is deep enough may go on beside the face.
    __attribute__((noinline)) MaskOf<F> clip(const FaceRingLanes<F>& ring, const MaskOf<F>& asked) {
      const F zero = F(0), one = F(1);
      const Vec<F, 3> normal = rotate(turn_, ring.normals()), outward = -normal_;
      const PlaneAxes<F> axes(normal);
      const Vec<F, 3> origin = rotate(turn_, ring.corner_at(0));
      const F by_rise = divide(one, dot(outward, normal));
      struct Seen {
        Vec<F, 2> at;
        F height;
      };
      const auto on_plane = [&](const Vec<F, 3>& v) {
        return Vec<F, 2>{{dot(v, axes.x), dot(v, axes.y)}};
      };
      const auto seen = [&](const Vec<F, 3>& position) {
        const Vec<F, 3> from = position - origin;
        const F height = dot(from, normal) * by_rise;
        return Seen{on_plane(from - height * outward), height};
      };
      const Seen p = seen(-half_ - apart_), q = seen(half_ - apart_);
      StretchLanes<F> stretch{zero, one, zero, zero, asked};
      Vec<F, 2> rim[FaceRingLanes<F>::most], side[FaceRingLanes<F>::most];
      F side_length[FaceRingLanes<F>::most];
      // Corners after a lane's last one add no length, and their sides cut nothing off.
      for (int c = 0; c < ring.most_count; ++c) {
        rim[c] = on_plane(rotate(turn_, ring.corner_at(c)) - origin);
        side[c] = on_plane(rotate(turn_, ring.corner_at(c + 1) - ring.corner_at(c)));
        side_length[c] = length(side[c]);
        const F beyond = rounding_ * side_length[c];
        stretch.cut(cross(side[c], p.at - rim[c]) + beyond, cross(side[c], q.at - rim[c]) + beyond,
                    load(ring.edge_feature[c]));
      }
      FaceExtentLanes<F>(ring, rim, side, side_length, rounding_).cut(p.at, q.at, stretch);

      const auto is_high = [&](const F& height) { return !(height <= most_height_ + rounding_); };
      const auto is_within = stretch.is_within & !(stretch.enter > stretch.leave) &
                             !(is_high(p.height) & is_high(q.height));
      auto goes_on = zero == zero, has_cut = zero > zero;
      for (int end = 0; end < 2; ++end) {
        const F& at = end == 0 ? stretch.enter : stretch.leave;
        const F& feature = end == 0 ? stretch.enter_feature : stretch.leave_feature;
        const auto is_cut = feature > zero;  // features of a hull are above 0
        const auto between = [&](const F& first, const F& last) {
          return select(is_cut, first + at * (last - first), end == 0 ? first : last);
        };
        const F height = between(p.height, q.height);
        auto exists = is_within & !is_high(height);
        if (end == 1) exists = exists & ((!is_cut) | (stretch.leave > stretch.enter));
        goes_on = goes_on & !exists;
        has_cut = has_cut | (exists & is_cut);
        const F lowest = select(height < most_height_, height, most_height_);
        const Vec<F, 3> on_face =
            origin + (between(p.at[0], q.at[0]) * axes.x + between(p.at[1], q.at[1]) * axes.y);
        Point point{(apart_ + on_face) + lowest * outward, negate(lowest),
                    select(is_cut, edge_feature(zero), vertex_feature(F(static_cast<T>(end)))),
                    select(is_cut, feature, load(ring.face_feature)), zero};
        point.along = dot(point.on_a, along_);
        take(point, exists & !(point.depth > depth_ + (rounding_ + slack_)));
      }
      return goes_on | has_cut;
    }

    /// Whether the line is level and may lie along an edge of the first face, where there may be
    /// two points (`put_edges`).
    WIDEPHASE_INLINE MaskOf<F> may_lie_along_edge() const {
      const FaceRingLanes<F>& ring = rings_[0];
      const F least = F(4) * (slack_ * slack_) * dot(stretch_, stretch_);
      auto is_along = F(0) > F(0);
      for (int c = 0; c < ring.most_count; ++c) {
        const Vec<F, 3> edge = rotate(turn_, ring.corner_at(c + 1) - ring.corner_at(c));
        const Vec<F, 3> across = cross(stretch_, edge);
        is_along =
            is_along | ((F(static_cast<T>(c)) < load(ring.count)) & !(dot(across, across) > least));
      }
      return is_along & !(abs(dot(normal_, half_) - dot(normal_, -half_)) > slack_);
    }

    static WIDEPHASE_INLINE MaskOf<F> have_one_name(const Point& a, const Point& b) {
      return (a.feature_a == b.feature_a) & (a.feature_b == b.feature_b);
    }
    static WIDEPHASE_INLINE void move(const MaskOf<F>& where, const Point& from, Point& to) {
      to.on_a = select(where, from.on_a, to.on_a);
      to.depth = select(where, from.depth, to.depth);
      to.feature_a = select(where, from.feature_a, to.feature_a);
      to.feature_b = select(where, from.feature_b, to.feature_b);
      to.along = select(where, from.along, to.along);
    }
    WIDEPHASE_INLINE void take(const Point& point, const MaskOf<F>& exists) {
      const auto is_first = exists & !has_any_;
      move(is_first | (exists & (point.along < low_.along)), point, low_);
      move(is_first | (exists & (point.along > high_.along)), point, high_);
      move(is_first | (exists & (point.depth > most_.depth)), point, most_);
      has_any_ = has_any_ | exists;
    }
    static WIDEPHASE_INLINE void store_point(const Point& point, int number, PointTable<F>& table) {
      for (int k = 0; k < 3; ++k) store(table.position[number][k], point.on_a[k]);
      store(table.depth[number], point.depth);
      store(table.feature_a[number], point.feature_a);
      store(table.feature_b[number], point.feature_b);
    }

    const FaceRingLanes<F> (&rings_)[2];
    Rotation3<F> turn_;
    Vec<F, 3> half_, apart_, normal_;
    F depth_, most_height_, rounding_, slack_, steadiness_;
    Vec<F, 3> stretch_, along_;  ///< the line, and its direction across the normal
    F length_;
    MaskOf<F> lies_;  ///< not along the normal
    Point deepest_;
    MaskOf<F> has_any_;
    Point low_, high_, most_;  ///< the first and last points along the line, and the deepest
  };

  FaceRingLanes<F> rings_[2];  ///< the faces that the lines are over, and those beside them
  // Numbers for all lanes, although those without a pair decide nothing.
  Lanes<F> turn_[3][3]{}, half_[3]{}, apart_[3]{}, normal_[3]{}, deepest_[3]{};
  Lanes<F> feature_a_{}, feature_b_{}, depth_{}, limit_{}, size_{};
  Entry entry_[lanes];
  int count_ = 0;
};

}  // namespace
}  // namespace widephase
