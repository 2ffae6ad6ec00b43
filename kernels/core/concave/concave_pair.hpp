#pragma once

// Two surfaces (height fields, meshes; chains in 2D): whether they cross, and where they are
// nearest.
//
// Frame: A's own, in double. They cross where pieces meet, or are nearer than rounding moves them.
// A field is a solid: what is on or straight below its surface meets it, the other's surface alone,
// so what is below two fields does not. Of pairs that cross, and of equally near ones, the first on
// the way is taken, which depends on the pair alone.

#include "kernels/core/concave/piece_pairs.hpp"

namespace widephase {
namespace {

/// How many places of a tile are looked at for a first bound.
inline constexpr int kFewWays = 3;

/// A pair of pieces and where they meet or are nearest, in A's frame.
template <int D>
struct PiecePair {
  std::int32_t a, b;
  double distance;
  PieceMeeting<D> meeting;
};

template <class T, int D>
class ConcavePair {
 protected:
  using Side = ConcaveSide<T, D>;
  using Point = Vec<double, D>;
  using Walk = DualWalk<T, D>;

 public:
  ConcavePair(const SurfaceRun<T, D>& run, std::int64_t i, const SurfaceRoom& room)
      : run_(run),
        own_(in_order(run.pairs.pairs[i])),
        a_(run, run.pairs.kind_a, row(run.pairs.rows_a, own_.a)),
        b_(run, run.pairs.kind_b, row(run.pairs.rows_b, own_.b)),
        arena_(room) {
    Point apart;
    for (int k = 0; k < D; ++k) {
      apart[k] =
          double(row(run.pairs.rows_b, own_.b)[k]) - double(row(run.pairs.rows_a, own_.a)[k]);
      if constexpr (sizeof(T) == 4) {
        if (run.pairs.anchors_a != nullptr) {
          apart[k] = run.pairs.anchors_b[std::ptrdiff_t{own_.b} * run.pairs.anchor_width_b + k] -
                     run.pairs.anchors_a[std::ptrdiff_t{own_.a} * run.pairs.anchor_width_a + k];
        }
      }
    }
    place_.origin = a_.from_scene(apart);
    for (int k = 0; k < D; ++k) place_.axis[k] = a_.from_scene(b_.axis(k));
    radii_ = a_.thickness() + b_.thickness();
    margin_ = double(run.pairs.margin);
    if (run.pairs.margins != nullptr) {
      margin_ += double(run.pairs.margins[own_.a]) + double(run.pairs.margins[own_.b]);
    }
    const std::int64_t source =
        run.pairs.source == nullptr ? run.pairs.first_source + i : run.pairs.source[i];
    words_ = run.pairs.warm_starts == nullptr ? nullptr : run.pairs.warm_starts + source;
  }

 protected:
  static Pair in_order(const Pair& pair) { return pair.a < pair.b ? pair : Pair{pair.b, pair.a}; }
  static const T* row(const T* rows, std::int32_t id) {
    return rows + std::ptrdiff_t{id} * (D == 2 ? 8 : 16);
  }

  /// Takes room and finds how large the pair is. False if the arena is too small.
  bool begin() {
    stack_ = arena_.template take<OpenedTile<T, D>>(Walk::kMostOpened);
    batch_ = arena_.template take<PieceBatch<D>>(1);
    T low[D], high[D];
    size_ = 0;
    const auto add = [&](const Side& side) {
      side.root(low, high);
      for (int k = 0; k < D; ++k) {
        const double a = magnitude(double(low[k])), b = magnitude(double(high[k]));
        size_ += a > b ? a : b;
      }
    };
    add(a_);
    add(b_);
    for (int k = 0; k < D; ++k) size_ += magnitude(place_.origin[k]);
    touching_ = 16 * kRounding<double> * size_;
    if (batch_ != nullptr) batch_->count = 0;
    return stack_ != nullptr && batch_ != nullptr;
  }
  /// Whether squares of sizes are numbers.
  bool has_squares() const { return size_ < (sizeof(T) == 4 ? 1e15 : 1e100); }

  /// Calls `op(batch)` for pairs of pieces whose bounds are no farther apart than the root of
  /// `best2`, up to sixteen at a time, until it answers false.
  template <class Op>
  void for_batches(const double& best2, const Op& op, int most_ways = kPlaces) {
    PieceBatch<D>& batch = *batch_;
    std::int32_t last = -1;
    Point corners_a[D], corners_b[D];
    bool goes_on = true;
    batch.count = 0;
    Walk(a_, b_, place_, most_ways, stack_).walk(best2, [&](std::int32_t a, std::int32_t b) {
      if (a != last) a_.corners(a, corners_a);
      last = a;
      placed_corners(b, corners_b);
      batch.add(a, corners_a, b, corners_b);
      if (batch.count < PieceBatch<D>::most) return true;
      goes_on = op(batch);
      batch.count = 0;
      return goes_on;
    });
    if (goes_on && batch.count > 0) op(batch);
  }
  void placed_corners(std::int32_t b, Point (&corners)[D]) const {
    b_.corners(b, corners);
    for (Point& corner : corners) corner = place_.point(corner);
  }
  void corners_of(const PiecePair<D>& pair, Point (&a)[D], Point (&b)[D]) const {
    a_.corners(pair.a, a);
    placed_corners(pair.b, b);
  }

  /// Where a field's own up is.
  Point up_of(bool is_a) const { return is_a ? Point{{0, 0, 1}} : place_.axis[2]; }
  /// Makes a batch of the pieces of the pair's word. False if they are none.
  bool ask_last() {
    const std::uint64_t word = words_ == nullptr ? 0 : words_->simplex;
    const auto a = static_cast<std::int64_t>(word >> 32) - 1;
    const auto b = static_cast<std::int64_t>(word & 0xffffffff) - 1;
    if (!a_.has_piece(a) || !b_.has_piece(b)) return false;
    Point corners_a[D], corners_b[D];
    a_.corners(static_cast<std::int32_t>(a), corners_a);
    placed_corners(static_cast<std::int32_t>(b), corners_b);
    batch_->count = 0;
    batch_->add(static_cast<std::int32_t>(a), corners_a, static_cast<std::int32_t>(b), corners_b);
    return true;
  }
  /// Whether the one pair of the batch has a part of one piece below a solid's other one.
  bool is_below() {
    if constexpr (D == 3) {
      for (const bool is_a_top : {true, false}) {
        if (!(is_a_top ? a_ : b_).is_solid()) continue;
        batch_->find_below(is_a_top, up_of(is_a_top), touching_);
        if (batch_->place[0] >= 0) return true;
      }
    }
    return false;
  }
  void keep_last(const PiecePair<D>& found) {
    if (words_ == nullptr) return;
    words_->simplex = static_cast<std::uint64_t>(found.a + std::int64_t{1}) << 32 |
                      static_cast<std::uint64_t>(found.b + std::int64_t{1});
  }

  /// Whether the surfaces cross, and a place where they do.
  bool find_crossing(PiecePair<D>& found) {
    bool crosses = false;
    const double touching2 = touching_ * touching_;
    // As deep as either reaches from the other.
    a_.set_floor(4 * size_);
    b_.set_floor(4 * size_);
    for_batches(touching2, [&](PieceBatch<D>& batch) {
      const auto take = [&](const auto& is, const auto& meeting_of) {
        for (int i = 0; i < batch.count && !crosses; ++i) {
          if (!is(i)) continue;
          Point a[D], b[D];
          batch.corners_of(batch.a, i, a);
          batch.corners_of(batch.b, i, b);
          found = {batch.number_a[i], batch.number_b[i], 0,
                   meeting_of(a, b, static_cast<int>(batch.place[i]))};
          crosses = true;
        }
      };
      if constexpr (D == 3) {
        for (const bool is_a_top : {true, false}) {
          if (crosses || !(is_a_top ? a_ : b_).is_solid()) continue;
          const Vector up = up_of(is_a_top);
          batch.find_below(is_a_top, up, touching_);
          take([&](int i) { return batch.place[i] >= 0; },
               [&](const Point(&a)[D], const Point(&b)[D], int place) {
                 if (is_a_top) return meeting_below(a, b, up, place);
                 PieceMeeting<D> meeting = meeting_below(b, a, up, place);
                 const int feature_b = meeting.feature_a;
                 meeting.feature_a = meeting.feature_b;
                 meeting.feature_b = feature_b;
                 return meeting;
               });
        }
        if (a_.is_solid() || b_.is_solid()) return !crosses;
      }
      batch.find_nearest(touching2);
      take([&](int i) { return batch.distance2[i] <= touching2; },
           [](const Point(&a)[D], const Point(&b)[D], int place) {
             return nearest_of_pair(a, b, place);
           });
      return !crosses;
    });
    a_.set_floor(0);
    b_.set_floor(0);
    return crosses;
  }

  /// The nearest pieces of surfaces that do not cross, if they are no farther apart than `most`;
  /// with `ends_at_first` any that are as near. False if there are none.
  bool find_nearest(double most, bool ends_at_first, PiecePair<D>& found) {
    double best2 = most * most;
    bool has = false;
    const auto take = [&](const PieceBatch<D>& batch, int i) {
      best2 = batch.distance2[i];
      found.a = batch.number_a[i];
      found.b = batch.number_b[i];
      candidate_ = static_cast<int>(batch.place[i]);
      has = true;
    };
    if (ask_last()) {
      batch_->find_nearest(best2);
      if (batch_->distance2[0] <= best2) take(*batch_, 0);
    }
    const auto ask = [&](PieceBatch<D>& batch) {
      batch.find_nearest(best2);
      for (int i = 0; i < batch.count; ++i) {
        const bool is_nearer = has ? batch.distance2[i] < best2 : batch.distance2[i] <= best2;
        if (is_nearer) take(batch, i);
      }
      return !(has && ends_at_first);
    };
    // A few ways first: what they find bounds the others.
    if (!has) for_batches(best2, ask, kFewWays);
    if (!(has && ends_at_first)) for_batches(best2, ask);
    if (!has) return false;
    keep_last(found);
    Point corners_a[D], corners_b[D];
    corners_of(found, corners_a, corners_b);
    found.meeting = nearest_of_pair(corners_a, corners_b, candidate_);
    found.distance = root(best2);
    return true;
  }

  const SurfaceRun<T, D>& run_;
  Pair own_;
  Side a_, b_;
  FramePlace<D> place_;
  Arena arena_;
  WarmStart* words_;
  OpenedTile<T, D>* stack_ = nullptr;
  PieceBatch<D>* batch_ = nullptr;
  double radii_, margin_;
  double size_;      ///< all is nearer to A's origin
  double touching_;  ///< nearer ones meet
  int candidate_ = 0;
};

}  // namespace
}  // namespace widephase
