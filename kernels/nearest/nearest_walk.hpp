#pragma once

// From points to the shapes that may be nearest to them: sixteen points go through a tree of boxes
// together (Roussopoulos, Kelley and Vincent, Nearest Neighbor Queries, 1995).
//
// A box bounds the distance of its shape from both sides. Shapes whose lower bound is above the
// k-th least upper bound are left out. The bounds are wider than the rounding of the kernels, which
// measure the others later: so no answer depends on the tree, on a point's neighbours or on the
// instruction set.
//   Below: the distance of the box. A point in the box is no deeper in the shape than the box's
//     nearest side is away.
//   Above: a shape that touches all sides of its box has a point on the nearest side; one that is
//     convex and symmetric has the box's middle. Balls and boxes along the axes are known.

#include "kernels/nearest_table.hpp"
#include "kernels/rays/ray_packet.hpp"

namespace widephase {
namespace {

template <int D, class P>
class NearestWalker {
 public:
  using B = Batch<P>;
  using N = Batch<float>;
  static constexpr int kLanes = LaneTraits<B>::count, kNodeLanes = LaneTraits<N>::count;

  explicit NearestWalker(const NearestJob<D, P>& job) : job_(job) {
    const float least = 1e-6f, given = static_cast<float>(job.slack);
    node_slack_ = given > least ? given : least;
  }

  /// Finds the candidates of up to 16 points from `first` on; false if there is no room for them.
  bool walk(std::int64_t first) {
    load_points(first);
    for (int n = 0; n < job_.halfspace_count; ++n) {
      if (!has_room()) return false;
      P* const least = job_.least + found_ * kPacketPoints;
      for (int i = 0; i < kPacketPoints; ++i) least[i] = -kLargest<P>;
      const unsigned bits = allowed(job_.halfspaces[n], live_);
      if (bits != 0) job_.found[found_++] = {job_.halfspaces[n], bits};
    }
    for (int t = 0; t < job_.tree_count; ++t) {
      if (!walk_tree(job_.trees[t])) return false;
    }
    leave_far();
    pairs_ = 0;
    for (std::size_t n = 0; n < found_; ++n) {
      pairs_ += static_cast<std::size_t>(bit_count(job_.found[n].points));
    }
    return true;
  }

  int point_count() const { return count_; }
  /// The candidates that were found, as pairs.
  std::size_t pairs() const { return pairs_; }
  /// Writes the candidates as pairs, point by point.
  void write(Pair* pairs, std::int32_t* pair_count) const {
    std::int32_t next[kPacketPoints] = {};
    const auto for_pairs = [&](const auto& op) {
      for (std::size_t n = 0; n < found_; ++n) {
        for (unsigned bits = job_.found[n].points; bits != 0; bits &= bits - 1) {
          op(job_.found[n].shape, __builtin_ctz(bits));
        }
      }
    };
    for_pairs([&](std::int32_t, int i) { ++next[i]; });
    std::int32_t sum = 0;
    for (int i = 0; i < count_; ++i) {
      pair_count[i] = next[i];
      sum += next[i];
      next[i] = sum - next[i];
    }
    for_pairs([&](std::int32_t shape, int i) {
      pairs[next[i]++] = {shape, static_cast<std::int32_t>(row_[i])};
    });
  }

 private:
  /// A node that is still to be opened: the square of its least distance, and how much wider its
  /// shapes' bounds may be.
  struct Node {
    float square;
    float slack;
    std::int32_t tile;
    std::int32_t level;
  };

  void load_points(std::int64_t first) {
    const std::int64_t left = job_.count - first;
    count_ = static_cast<int>(left < kPacketPoints ? left : kPacketPoints);
    live_ = (1u << count_) - 1u;
    found_ = 0;
    for (int i = 0; i < kPacketPoints; ++i) {
      const std::int64_t at = first + (i < count_ ? i : count_ - 1);
      row_[i] = job_.order == nullptr ? job_.first_point + at : job_.order[at];
      for (int k = 0; k < D; ++k) point_[k][i] = at_row(job_.point[k], row_[i]);
      set_best(i, job_.most);
    }
    fetch_points(first + kPacketPoints);
    for (std::int64_t n = 0; n < job_.k * kPacketPoints; ++n) job_.bounds[n] = job_.most;
  }
  /// Fetches the memory of the points from one on: in a curve's order their rows are anywhere.
  void fetch_points(std::int64_t first) const {
    for (std::int64_t at = first; job_.order != nullptr && at < first + kPacketPoints; ++at) {
      if (at >= job_.count) return;
      for (int k = 0; k < D; ++k) {
        __builtin_prefetch(reinterpret_cast<const char*>(job_.point[k].data) +
                           job_.order[at] * job_.point[k].stride);
      }
    }
  }
  void set_best(int i, P best) {
    best_[i] = best;
    node_best_[i] = raised(best);
  }
  /// Rounded upwards, and finite: later products may overflow, but are not NaN.
  static WIDEPHASE_INLINE float raised(P best) {
    constexpr P kMost = P(1e38f);
    const P size = best < 0 ? -best : best;
    const P above = best + size * P(0x1p-22);
    return static_cast<float>(above < kMost ? (above > -kMost ? above : -kMost) : kMost);
  }

  /// The points in a tree's frame, rounded to both sides. In float that is the scene's own.
  void set_frame(const RayTree<D, P>& tree) {
    for (int k = 0; k < D; ++k) {
      for (int i = 0; i < kPacketPoints; ++i) {
        if constexpr (kHasOwnFrame<P>) {
          const P at = point_[k][i] - tree.origin[k];
          const P size = at < 0 ? -at : at;
          constexpr P kMost = P(1e38f);
          const P low = at - size * P(0x1p-22), high = at + size * P(0x1p-22);
          low_[k][i] = static_cast<float>(low < kMost ? (low > -kMost ? low : -kMost) : kMost);
          high_[k][i] = static_cast<float>(high < kMost ? (high > -kMost ? high : -kMost) : kMost);
        } else {
          low_[k][i] = high_[k][i] = point_[k][i];
        }
      }
      least_[k] = low_[k][0];
      most_[k] = high_[k][0];
      for (int i = 1; i < count_; ++i) {
        least_[k] = low_[k][i] < least_[k] ? low_[k][i] : least_[k];
        most_[k] = high_[k][i] > most_[k] ? high_[k][i] : most_[k];
      }
    }
  }
  /// The square of the distance within which boxes are of use.
  template <class F>
  WIDEPHASE_INLINE F reach(const F& best, const F& slack) const {
    const F within = greater(best + slack, F(0)) * F(1 + 4 * node_slack_);
    return within * within + F(1e-36f);
  }
  bool is_far(const Node& node, float farthest) const {
    const float sum = farthest + node.slack;
    const float within = (sum > 0 ? sum : 0) * (1 + 4 * node_slack_);
    return node.square > within * within + 1e-36f;
  }

  /// Which boxes of a tile may matter to some point of the packet.
  WIDEPHASE_INLINE unsigned near_boxes(const float* tile, float farthest,
                                       float (&square)[kTileLanes],
                                       float (&slack)[kTileLanes]) const {
    unsigned bits = 0;
    for (int first = 0; first < kTileLanes; first += kNodeLanes) {
      N squares = N(0), size = N(0);
      auto is_in = load(tile + first) <= load(tile + D * kTileLanes + first);
      for (int k = 0; k < D; ++k) {
        const N low = load(tile + k * kTileLanes + first);
        const N high = load(tile + (D + k) * kTileLanes + first);
        const N apart = greater(greater(low - N(most_[k]), N(least_[k]) - high), N(0));
        squares = squares + apart * apart;
        size = size + (high - low);
      }
      size = size * N(node_slack_);
      store(square + first, squares);
      store(slack + first, size);
      bits |= mask_bits(is_in & (squares <= reach(N(farthest), size))) << first;
    }
    return bits;
  }
  /// Whether one box of a tile may matter to one of the points.
  WIDEPHASE_INLINE unsigned near_points(const float* tile, int lane, float slack) const {
    unsigned bits = 0;
    for (int first = 0; first < kPacketPoints; first += kNodeLanes) {
      N squares = N(0);
      for (int k = 0; k < D; ++k) {
        const N low = N(tile[k * kTileLanes + lane]), high = N(tile[(D + k) * kTileLanes + lane]);
        const N apart =
            greater(greater(low - load(high_[k] + first), load(low_[k] + first) - high), N(0));
        squares = squares + apart * apart;
      }
      bits |= mask_bits(squares <= reach(load(node_best_ + first), N(slack))) << first;
    }
    return bits & live_;
  }

  static float root_of(float square) {
    alignas(64) float root[kNodeLanes];
    store(root, sqrt(N(square)));
    return root[0];
  }
  /// Before the walk, a bound for each point from the leaf that a straight descent finds: the k-th
  /// least distance of the far corners of its boxes. All shapes of a leaf are there, so it holds.
  void bound_by_descent(const RayTree<D, P>& tree) {
    if (!job_.is_scattered || job_.may_meet != nullptr || job_.k > kTileLanes) return;
    alignas(64) float square[kTileLanes];
    for (int i = 0; i < count_; ++i) {
      std::int32_t tile = 0;
      for (int level = first_level(tree);; --level) {
        const float* const boxes = tile_of(tree, level, tile);
        const bool is_leaf = level == 0;
        for (int first = 0; first < kTileLanes; first += kNodeLanes) {
          N squares = N(0);
          const auto is_in = load(boxes + first) <= load(boxes + D * kTileLanes + first);
          for (int k = 0; k < D; ++k) {
            const N low = load(boxes + k * kTileLanes + first);
            const N high = load(boxes + (D + k) * kTileLanes + first);
            const N to_high = high - N(low_[k][i]), to_low = N(high_[k][i]) - low;
            const N side = is_leaf ? greater(to_high, to_low) : abs(to_high - to_low);
            squares = squares + side * side;
          }
          store(square + first, select(is_in, squares, N(kLargest<float>)));
        }
        int least = 0;
        if (is_leaf) {
          for (std::int64_t n = 1; n < job_.k; ++n) {
            for (int lane = least = 0; lane < kTileLanes; ++lane) {
              if (square[lane] < square[least]) least = lane;
            }
            square[least] = kLargest<float>;
          }
        }
        least = 0;
        for (int lane = 1; lane < kTileLanes; ++lane) {
          if (square[lane] < square[least]) least = lane;
        }
        // In a float's squares 1e18 is far, and 1e-36 vanishes. Squares that overflow are no less
        // than those of lanes without a box.
        if (!(square[least] < 1e36f)) break;
        if (!is_leaf) {
          tile = tile * kTileLanes + least;
          continue;
        }
        const P far = static_cast<P>(root_of(square[least] + 1e-36f));
        const P bound = far * (1 + P(4) * static_cast<P>(node_slack_) + 8 * job_.slack);
        if (bound < best_[i]) set_best(i, bound);
        break;
      }
    }
  }

  /// Adds children of a tile, the nearest on top.
  static WIDEPHASE_INLINE int push(Node* nodes, int count, unsigned bits,
                                   const float (&square)[kTileLanes],
                                   const float (&slack)[kTileLanes], std::int32_t tile,
                                   std::int32_t level) {
    const int bottom = count;
    for (; bits != 0; bits &= bits - 1) {
      const int lane = __builtin_ctz(bits);
      const Node node{square[lane], slack[lane], tile * kTileLanes + lane, level};
      int at = count++;
      for (; at > bottom && nodes[at - 1].square < node.square; --at) nodes[at] = nodes[at - 1];
      nodes[at] = node;
    }
    return count;
  }

  bool walk_tree(const RayTree<D, P>& tree) {
    set_frame(tree);
    bound_by_descent(tree);
    Node nodes[kMostOpenNodes];
    int count = 0;
    nodes[count++] = {0, 0, 0, first_level(tree)};
    float most = largest_of(node_best_);
    alignas(64) float square[kTileLanes], slack[kTileLanes];
    while (count != 0) {
      const Node node = nodes[--count];
      if (is_far(node, most)) continue;
      const float* const tile = tile_of(tree, node.level, node.tile);
      unsigned bits = near_boxes(tile, most, square, slack);
      if (node.level != 0) {
        unsigned kept = 0;
        for (; bits != 0; bits &= bits - 1) {
          const int lane = __builtin_ctz(bits);
          kept |= near_points(tile, lane, slack[lane]) != 0 ? 1u << lane : 0u;
        }
        count = push(nodes, count, kept, square, slack, node.tile, node.level - 1);
        if (count != 0) fetch_tile(tree, nodes[count - 1].level, nodes[count - 1].tile);
        continue;
      }
      // In no order: boxes that the packet's own box overlaps are equally near.
      bool has_new = false;
      for (; bits != 0; bits &= bits - 1) {
        const int lane = __builtin_ctz(bits);
        const unsigned near = near_points(tile, lane, slack[lane]);
        if (near == 0) continue;
        if (!has_room()) return false;
        has_new |= measure(tree, tile, node.tile * kTileLanes + lane, near);
      }
      if (has_new) most = largest_of(node_best_);
    }
    return true;
  }

  /// The bounds of one shape's distances to the points of `near`; true if one of them is the
  /// least so far.
  bool measure(const RayTree<D, P>& tree, const float* tile, std::int32_t leaf, unsigned near) {
    const std::int32_t id = id_of(tree, leaf);
    const Kind kind = kind_of(job_.first_of_kind, id);
    P low[D], high[D], size = 0, magnitude = 0;
    for (int k = 0; k < D; ++k) {
      if (job_.box_min[0] != nullptr) {
        low[k] = job_.box_min[k][id];
        high[k] = job_.box_max[k][id];
      } else {
        low[k] = static_cast<P>(tile[k * kTileLanes + leaf % kTileLanes]);
        high[k] = static_cast<P>(tile[(D + k) * kTileLanes + leaf % kTileLanes]);
      }
      size += high[k] - low[k];
      magnitude += (low[k] < 0 ? -low[k] : low[k]) + (high[k] < 0 ? -high[k] : high[k]);
    }
    constexpr P kRounding = sizeof(P) == 4 ? P(0x1p-20) : P(0x1p-49);
    // Below this squares vanish.
    constexpr P kTiny = sizeof(P) == 4 ? P(1e-18f) : P(1e-153);
    const P apart_most = 2 * job_.grown + kRounding * magnitude + kTiny;
    const B slack = B(job_.slack), zero = B(0);
    P* const least_of = job_.least + found_ * kPacketPoints;
    alignas(64) P most_of[kPacketPoints] = {};
    unsigned kept = 0;
    for (int first = 0; first < kPacketPoints; first += kLanes) {
      const unsigned wanted = near >> first & LaneTraits<B>::all;
      if (wanted == 0) continue;
      B middle = zero;
      for (int k = 0; k < D; ++k) {
        const B from_middle = load(point_[k] + first) - B((low[k] + high[k]) * P(0.5));
        middle = middle + from_middle * from_middle;
      }
      B box = zero, most = zero, far = zero;
      B gain = B(-kLargest<P>);  // what is saved along the axis whose nearest side is touched
      P uneven = 0;
      // For all kinds but balls, which their middle tells.
      const auto measure_sides = [&](bool knows_depth) {
        B squares = zero, widest = B(-kLargest<P>);
        for (int k = 0; k < D; ++k) {
          const B at = load(point_[k] + first);
          const B to_low = B(low[k]) - at, to_high = at - B(high[k]);
          const B apart = greater(to_low, to_high);
          widest = greater(widest, apart);
          const B out = greater(apart, zero);
          squares = squares + out * out;
          const B near_side = lesser(abs(to_low), abs(to_high));
          const B far_side = greater(abs(to_low), abs(to_high));
          far = far + far_side * far_side;
          gain = greater(gain, far_side * far_side - near_side * near_side);
        }
        box = select(widest > zero, sqrt(squares), knows_depth ? widest : B(-size));
      };
      const bool knows_depth = !job_.has_inner_edges;
      switch (kind) {
        case Kind::sphere:
          box = sqrt(middle) - B((high[0] - low[0]) * P(0.5));
          most = box;
          uneven = kRounding * magnitude;  // its sides are rounded outwards
          break;
        case Kind::aabb:
          measure_sides(knows_depth);
          most = box;
          break;
        case Kind::capsule:
        case Kind::box:
        case Kind::cylinder:
        case Kind::ellipsoid:
          measure_sides(knows_depth);
          most = sqrt(lesser(middle, greater(far - gain, zero) + B(kRounding) * far));
          break;
        case Kind::polygon:
        case Kind::hull:
        case Kind::halfspace:
        case Kind::cone:
        case Kind::heightfield:
          measure_sides(knows_depth);
          most = sqrt(far);
          break;
        case Kind::mesh:  // its triangles may be deeper than its box
        case Kind::chain:
          measure_sides(false);
          most = sqrt(far);
          break;
      }
      const B least = box - slack * (abs(box) + B(size)) - B(uneven);
      most = most + slack * (abs(most) + B(size)) + B(apart_most);
      // What overflows is kept, and told by the kernels.
      kept |= (wanted & ~mask_bits(least > load(best_ + first))) << first;
      store(least_of + first, least);
      store(most_of + first, most);
    }
    kept = allowed(id, kept);
    if (kept == 0) return false;
    job_.found[found_++] = {id, kept};
    const unsigned improved = kept & better(most_of);
    if (job_.k == 1) {
      P best[kPacketPoints];  // of its own, so that these loops become batches
      for (int i = 0; i < kPacketPoints; ++i) {
        best[i] = (improved >> i & 1u) != 0 ? most_of[i] : best_[i];
      }
      for (int i = 0; i < kPacketPoints; ++i) set_best(i, best[i]);
    } else {
      for (unsigned bits = improved; bits != 0; bits &= bits - 1) {
        const int i = __builtin_ctz(bits);
        add_bound(i, most_of[i]);
      }
    }
    return improved != 0;
  }

  /// Those of the points that may meet the shape.
  unsigned allowed(std::int32_t id, unsigned points) const {
    if (job_.may_meet == nullptr) return points;
    unsigned kept = 0;
    for (unsigned bits = points; bits != 0; bits &= bits - 1) {
      const int i = __builtin_ctz(bits);
      kept |= job_.may_meet(job_.filter, id, row_[i]) ? 1u << i : 0u;
    }
    return kept;
  }
  /// For which points these bounds are less than those so far.
  unsigned better(const P (&most)[kPacketPoints]) const {
    unsigned bits = 0;
    for (int first = 0; first < kPacketPoints; first += kLanes) {
      bits |= mask_bits(load(most + first) < load(best_ + first)) << first;
    }
    return bits;
  }
  /// Keeps the k least upper bounds of a point in a heap, the largest first.
  void add_bound(int i, P most) {
    P* const bounds = job_.bounds + job_.k * i;
    std::int64_t at = 0;
    for (;;) {
      std::int64_t child = 2 * at + 1;
      if (child >= job_.k) break;
      if (child + 1 < job_.k && bounds[child + 1] > bounds[child]) ++child;
      if (!(bounds[child] > most)) break;
      bounds[at] = bounds[child];
      at = child;
    }
    bounds[at] = most;
    if (bounds[0] < best_[i]) set_best(i, bounds[0]);
  }

  /// Room for one more candidate.
  bool has_room() {
    if (found_ < job_.found_room) return true;
    leave_far();
    // Leaving few would be paid for again and again.
    return found_ <= job_.found_room / 4 * 3;
  }
  /// Leaves out the candidates that have become too far.
  void leave_far() {
    std::size_t kept = 0;
    for (std::size_t n = 0; n < found_; ++n) {
      const P* const from = job_.least + n * kPacketPoints;
      unsigned far = 0;
      for (int first = 0; first < kPacketPoints; first += kLanes) {
        far |= mask_bits(load(from + first) > load(best_ + first)) << first;
      }
      const NearCandidate of{job_.found[n].shape, job_.found[n].points & ~far};
      if (of.points == 0) continue;
      P* const to = job_.least + kept * kPacketPoints;
      for (int first = 0; first < kPacketPoints && kept != n; first += kLanes) {
        store(to + first, load(from + first));
      }
      job_.found[kept++] = of;
    }
    found_ = kept;
  }

  const NearestJob<D, P>& job_;
  float node_slack_;
  int count_ = 0;
  unsigned live_ = 0;
  std::size_t found_ = 0, pairs_ = 0;
  std::int64_t row_[kPacketPoints];
  alignas(64) P point_[D][kPacketPoints];
  alignas(64) P best_[kPacketPoints];
  alignas(64) float node_best_[kPacketPoints];
  alignas(64) float low_[D][kPacketPoints];
  alignas(64) float high_[D][kPacketPoints];
  float least_[D], most_[D];
};

template <int D, class P>
NearestDone find_nearest(const NearestJob<D, P>& job) {
  NearestWalker<D, P> walker(job);
  NearestDone done{};
  while (done.points < job.count) {
    if (!walker.walk(done.points)) break;
    if (walker.pairs() > job.pair_room - done.pairs) break;
    walker.write(job.pairs + done.pairs, job.pair_count + done.points);
    done.pairs += walker.pairs();
    done.points += walker.point_count();
  }
  return done;
}

}  // namespace
}  // namespace widephase
