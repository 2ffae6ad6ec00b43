#pragma once

// A moving shape on its way through trees: each box is grown by the shape's bounds, so a box that
// the point at their middle does not enter cannot hold anything that is met. Entries of boxes are
// computed in double and early by more than all rounding of casts; so which shapes are asked, and
// in which order, changes no answer: it is the least t, of equal ones the lowest id.

#include "kernels/casts/cast_pair.hpp"

namespace widephase {
namespace {

/// What boxes are grown by beyond the shape's bounds, as a share of all numbers that take part.
inline constexpr double kCastSlack = 1e-6;

template <int D, class T>
class CastWalker {
 public:
  using S = SizeOf<T>;
  using P = PositionOf<T>;

  CastWalker(const CastSceneJob<D, T>& job) : job_(job), shapes_(*job.ways.shapes) {}

  /// False if there was no room for the starts.
  bool walk(std::int32_t id, CastDone& done) {
    const Kind kind = kind_of(job_.first_moving, id);
    const std::int32_t joined = id + job_.shift_moving[static_cast<int>(kind)];
    const CastMover<D, T> mover(shapes_, joined);
    mover_ = &mover;
    row_ = id;
    done_ = &done;
    way_ = way_of_row(job_.ways, id);
    best_ = kNothingFound;
    best_t_ = way_.most;
    has_room_ = true;
    for (int n = 0; n < job_.halfspace_count; ++n) ask(job_.halfspaces[n]);
    if (is_convex(mover.kind)) {
      find_bounds(mover.core);
      for (int t = 0; t < job_.tree_count && has_room_; ++t) walk_tree(job_.trees[t]);
    }
    job_.found[id] = best_;
    return has_room_;
  }

 private:
  void find_bounds(const CastCore<S>& core) {
    double margin = double(job_.ways.margin);
    if (shapes_.margins != nullptr) margin += double(shapes_.margins[mover_->id]);
    const double reach = core.radius + margin + job_.ways.tolerance;
    size_ = core.reach + reach;
    for (int k = 0; k < D; ++k) {
      Vector up{{0, 0, 0}};
      up[k] = 1;
      const double high = core.middle[k] + farthest_of_core(core, up)[k] + reach;
      const double low = core.middle[k] + farthest_of_core(core, -up)[k] - reach;
      const double slack = kCastSlack * (size_ + magnitude(low) + magnitude(high));
      high_[k] = high + slack;
      low_[k] = low - slack;
    }
  }
  /// When the shape's bounds enter a box; above all t if they do not.
  double entry(const float* tile, int lane, const double (&origin)[D]) const {
    double from = 0, to = way_.most;
    for (int k = 0; k < D; ++k) {
      const float low = tile[k * kTileLanes + lane], high = tile[(D + k) * kTileLanes + lane];
      if (!(low <= high)) return __builtin_inf();  // an empty lane; `origin` may hide that
      const double below = double(low) + origin[k], above = double(high) + origin[k];
      const double slack = kCastSlack * (magnitude(below) + magnitude(above));
      const double speed = way_.along[k];
      const double near = speed > 0 ? below - slack - high_[k] : above + slack - low_[k];
      const double far = speed > 0 ? above + slack - low_[k] : below - slack - high_[k];
      if (speed == 0) {
        if (below - slack > high_[k] || above + slack < low_[k]) return __builtin_inf();
        continue;
      }
      const double in = near / speed, out = far / speed;
      from = in > from ? in : from;
      to = out < to ? out : to;
    }
    return from <= to ? from : __builtin_inf();
  }
  /// t is rounded, and of equal ones the lowest id counts.
  double within() const { return best_t_ + best_t_ * (4 * double(kRounding<S>)); }

  void walk_tree(const RayTree<D, P>& tree) {
    struct OpenNode {
      std::int32_t number;
      std::int32_t level;
      double entry;
    };
    double origin[D] = {};
    if constexpr (kHasOwnFrame<P>) {
      for (int k = 0; k < D; ++k) origin[k] = double(tree.origin[k]);
    }
    OpenNode open[kMostOpenNodes + kTileLanes];
    int count = 1;
    open[0] = {0, tree.level_count - 1, 0};
    while (count > 0 && has_room_) {
      const OpenNode node = open[--count];
      if (node.entry > within()) continue;
      const float* const tile = tile_of(tree, node.level, node.number);
      const int bottom = count;  // the tile's own, the nearest last
      for (int i = 0; i < kTileLanes; ++i) {
        const double from = entry(tile, i, origin);
        // `within` overflows where max_t is the largest number.
        if (from == __builtin_inf() || !(from <= within())) continue;
        int place = count++;
        for (; place > bottom && open[place - 1].entry < from; --place) {
          open[place] = open[place - 1];
        }
        open[place] = {node.number * kTileLanes + i, node.level - 1, from};
      }
      if (node.level != 0) continue;
      while (count > bottom && has_room_) {
        --count;
        if (!(open[count].entry > within())) ask(id_of(tree, open[count].number));
      }
    }
  }

  void ask(std::int32_t kept) {
    if (!has_room_) return;
    const Kind kind = kind_of(job_.first_kept, kept);
    const std::int32_t joined = kept + job_.shift_kept[static_cast<int>(kind)];
    if (job_.may_meet != nullptr && !job_.may_meet(job_.filter, joined, mover_->id)) return;
    way_.margin = margin_of_cast(job_.ways, joined, mover_->id);
    way_.enough = best_.shape < 0 ? __builtin_inf() : within();
    ++done_->tests;
    const PairCast cast = cast_pair(shapes_, joined, *mover_, way_);
    if (!cast.meet.is_met) return;
    if (cast.meet.is_start && job_.starts != nullptr) {
      if (done_->starts == job_.room) {
        has_room_ = false;
        return;
      }
      job_.starts[done_->starts++] = {kept, static_cast<std::int32_t>(row_)};
      return;
    }
    if (cast.meet.is_start && !job_.has_starts) return;
    const double t = rounded_t<S>(cast.meet.t, way_.most);
    if (best_.shape >= 0 && !(t < best_t_ || (t == best_t_ && kept < best_.shape))) return;
    put_found(cast, kept, t, best_);
    best_t_ = t;
  }

  const CastSceneJob<D, T>& job_;
  const RayShapes<D, T>& shapes_;
  const CastMover<D, T>* mover_ = nullptr;
  std::int64_t row_ = 0;
  CastDone* done_ = nullptr;
  CastWay way_;
  CastFound best_;
  double best_t_ = 0;
  double size_ = 0;
  double low_[D], high_[D];
  bool has_room_ = true;
};

template <int D, class T>
CastDone cast_scene(const CastSceneJob<D, T>& job) {
  CastDone done{};
  CastWalker<D, T> walker(job);
  for (std::int64_t i = 0; i < job.count; ++i) {
    const auto id = static_cast<std::int32_t>(job.order == nullptr ? job.first + i
                                                                   : std::int64_t{job.order[i]});
    const std::int64_t starts = done.starts;
    if (!walker.walk(id, done)) {
      done.starts = starts;
      return done;
    }
    ++done.shapes;
  }
  return done;
}

}  // namespace
}  // namespace widephase
