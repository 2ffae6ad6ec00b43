#pragma once

// From rays to what they hit: through trees of boxes, then a kernel per shape.
//
// Many rays go through a tree together, or each alone. Neither this nor
// their order changes an answer, by four rules.
//   1. The entry into a box is (side - origin) * (1 / direction). Rounding is monotone, so no box
//      loses what one inside of it would keep, and no bound over several rays what one of them
//      would keep. The running bounds stay where a new one is NaN (0 * infinity).
//   2. Candidates are the shapes whose own box passes that test, in the scene's numbers. A lane's
//      bits do not depend on its neighbours, and a lone ray runs the same kernels.
//   3. t is never below the entry into the shape's box.
//   4. The answer is the least (t, id); nodes that are entered at the best t are opened.

#include "kernels/rays/ray_answers.hpp"
#include "kernels/rays/ray_boxes.hpp"
#include "kernels/rays/ray_candidates.hpp"

namespace widephase {
namespace {

/// A node that is still to be opened by the rays that enter it.
template <class S>
struct RayNode {
  RayBits rays;
  S entry;
  std::int32_t tile;
  std::int32_t level;
};
/// A tile costs a lone ray about as much as so many tests of a box with sixteen rays.
inline constexpr std::int64_t kTestsATile = 6;
/// Rays of all directions go alone if fewer than so many share a tile.
inline constexpr std::int64_t kFewSharing = 16;
/// Up to as many rays of a packet open a node one by one.
inline constexpr int kMostApart = 4;

template <int D, class T>
class RayWalker : public RayCandidates<D, T> {
 public:
  using Candidates = RayCandidates<D, T>;
  using Candidates::counts_;
  using Candidates::job_;
  using Candidates::shapes_;
  using typename Candidates::F;
  using typename Candidates::P;
  using typename Candidates::Packet;
  using typename Candidates::S;

  RayWalker(const RayJob<D, T>& job, RayCounts& counts) : Candidates(job, counts) {
    for (S& entry : own_) entry = kInfinite<S>;
  }

  /// Answers the rays of a packet into it.
  void walk(Packet& packet, bool together) {
    for (int n = 0; n < job_.halfspace_count; ++n) {
      alignas(64) S entry[kPacketRays] = {};
      const std::int32_t id = job_.halfspaces[n];
      this->meet(packet, this->kind(id), id, packet.live, entry);
    }
    tiles_ = rays_ = tests_ = 0;
    has_way_ = false;
    has_exact_ = false;
    for (int t = 0; t < job_.tree_count; ++t) {
      const RayTree<D, P>& tree = job_.trees[t];
      set_frame<D, T>(kHasOwnFrame<P> ? tree.origin : nullptr, static_cast<P>(job_.margin), packet);
      if (together) {
        walk_together(packet, tree);
      } else {
        for (int i = 0; i < packet.count; ++i) {
          walk_alone(packet, tree, i, {0, S(0), 0, first_level(tree)});
        }
      }
    }
    if (together) counts_.packet_rays += packet.count;
  }
  /// Whether the packet's rays would have cost less alone.
  bool was_scattered() const {
    if (kTestsATile * (tiles_ - rays_) + tests_ > 0) return true;
    return !has_way_ && rays_ < kFewSharing * tiles_;
  }

 private:
  using Boxes = RayBoxes<D, T>;
  using Box = typename Boxes::Box;
  using Node = RayNode<S>;

  bool has_own_boxes() const { return shapes_.box_min[0] != nullptr; }
  Box own_box(std::int32_t id) const {
    Box box;
    for (int k = 0; k < D; ++k) {
      box.low[k] = shapes_.box_min[k][id];
      box.high[k] = shapes_.box_max[k][id];
    }
    return box;
  }

  /// Adds a child below its nearer siblings, which end at `bottom`.
  static WIDEPHASE_INLINE void push(Node* nodes, int bottom, int& count, const Node& node) {
    int at = count++;
    for (; at > bottom && nodes[at - 1].entry < node.entry; --at) nodes[at] = nodes[at - 1];
    nodes[at] = node;
  }
  /// Those of a node's rays that may still hit something in it.
  static WIDEPHASE_INLINE RayBits rays_left(const Packet& packet, const Node& node) {
    RayBits bits = 0;
    for (int first = 0; first < kPacketRays; first += Candidates::kLanes) {
      const auto is_left = load(packet.best + first) >= F(node.entry);
      bits |= static_cast<RayBits>(mask_bits(is_left)) << first;
    }
    return bits & node.rays;
  }

  static int sixteens_of(RayBits rays) {
    int count = 0;
    for (int first = 0; first < kPacketRays; first += 16) {
      count += (rays >> first & 0xffff) != 0 ? 1 : 0;
    }
    return count;
  }

  void walk_together(Packet& packet, const RayTree<D, P>& tree) {
    typename Boxes::Span spans[D];
    typename Boxes::Ways ways;
    Boxes::find_spans(packet, spans);
    Boxes::find_ways(packet, ways);
    for (const typename Boxes::Span& span : spans) has_way_ |= span.use != Boxes::Span::Use::none;
    Node nodes[kMostOpenNodes];
    int count = 0;
    nodes[count++] = {packet.live, S(0), 0, first_level(tree)};
    S farthest = largest_of(packet.best);
    bool has_met = false;
    alignas(64) S entry[kTileLanes], own[kPacketRays];
    while (count != 0) {
      const Node node = nodes[--count];
      const RayBits rays = rays_left(packet, node);
      if (rays == 0) continue;
      if (count_of(rays) <= kMostApart) {
        for (RayBits left = rays; left != 0; left &= left - 1) {
          walk_alone(packet, tree, first_of(left), node);
        }
        has_met = true;
        continue;
      }
      if (has_met) farthest = largest_of(packet.best);
      has_met = false;
      const float* const tile = tile_of(tree, node.level, node.tile);
      ++counts_.tiles;
      ++tiles_;
      rays_ += count_of(rays);
      unsigned bits = Boxes::may_enter(tile, spans, static_cast<P>(farthest) * kSameT<P, S>, entry);
      tests_ += bit_count(bits) * sixteens_of(rays);
      const std::int32_t first_lane = node.tile * kTileLanes;
      if (node.level == 0) {
        has_met = meet_leaf(packet, tree, ways, rays, tile, bits, first_lane);
        continue;
      }
      const int bottom = count;
      for (; bits != 0; bits &= bits - 1) {
        const int lane = __builtin_ctz(bits);
        const RayBits enter = Boxes::enter_lane(packet, ways, rays, tile, lane, own);
        if (enter == 0) continue;
        push(nodes, bottom, count, {enter, entry[lane], first_lane + lane, node.level - 1});
      }
      if (count != bottom) fetch_tile(tree, node.level - 1, nodes[count - 1].tile);
    }
  }

  /// The shapes of a leaf's lanes; true if one of the rays has a new best.
  bool meet_leaf(Packet& packet, const RayTree<D, P>& tree, const typename Boxes::Ways& ways,
                 RayBits rays, const float* tile, unsigned bits, std::int32_t first_lane) {
    std::int32_t ids[kTileLanes];
    Kind kinds[kTileLanes];
    RayBits enter[kTileLanes];
    int found = 0;
    for (; bits != 0; bits &= bits - 1) {
      const int lane = __builtin_ctz(bits);
      S(&entry)[kPacketRays] = entries_[found];
      enter[found] = Boxes::enter_lane(packet, ways, rays, tile, lane, entry);
      if (enter[found] == 0) continue;
      const std::int32_t id = ids[found] = id_of(tree, first_lane + lane);
      if (has_own_boxes()) {
        set_exact(packet);
        enter[found] =
            Boxes::enter_box(packet, enter[found], own_box(id), exact_up_, exact_down_, entry);
        if (enter[found] == 0) continue;
      }
      const Kind kind = kinds[found++] = this->kind(id);
      __builtin_prefetch(this->row_of(kind, id));
    }
    bool has_met = false;
    for (int n = 0; n < found; ++n) {
      has_met |= this->meet(packet, kinds[n], ids[n], enter[n], entries_[n]);
    }
    return has_met;
  }

  /// One ray from a node on.
  void walk_alone(Packet& packet, const RayTree<D, P>& tree, int ray, const Node& from) {
    if (packet.best[ray] < 0) return;
    Node nodes[kMostOpenNodes];
    int count = 0;
    nodes[count++] = from;
    alignas(64) S entry[kTileLanes];
    while (count != 0) {
      const Node node = nodes[--count];
      if (node.entry > packet.best[ray]) continue;
      const float* const tile = tile_of(tree, node.level, node.tile);
      ++counts_.tiles;
      unsigned bits = Boxes::enter_boxes(packet, ray, tile, entry);
      const std::int32_t first_lane = node.tile * kTileLanes;
      if (node.level != 0) {
        const int bottom = count, level = node.level - 1;
        for (; bits != 0; bits &= bits - 1) {
          const int lane = __builtin_ctz(bits);
          push(nodes, bottom, count, {0, entry[lane], first_lane + lane, level});
        }
        if (count != bottom) fetch_tile(tree, level, nodes[count - 1].tile);
        if (count > 1) fetch_tile(tree, nodes[count - 2].level, nodes[count - 2].tile);
        continue;
      }
      Node leaves[kTileLanes];
      int left = 0;
      for (; bits != 0; bits &= bits - 1) {
        const int lane = __builtin_ctz(bits);
        const std::int32_t id = id_of(tree, first_lane + lane);
        const Kind kind = this->kind(id);
        __builtin_prefetch(this->row_of(kind, id));
        push(leaves, 0, left, {0, entry[lane], id, static_cast<int>(kind)});
      }
      while (left != 0) {
        const Node& leaf = leaves[--left];
        if (leaf.entry > packet.best[ray]) break;
        meet_alone(packet, ray, static_cast<Kind>(leaf.level), leaf.tile, leaf.entry);
        if (packet.best[ray] < 0) return;
      }
    }
  }
  void meet_alone(Packet& packet, int ray, Kind kind, std::int32_t id, S entry) {
    if (has_own_boxes()) {
      set_exact(packet);
      P up[D], down[D];
      for (int k = 0; k < D; ++k) {
        up[k] = exact_up_[k][ray];
        down[k] = exact_down_[k][ray];
      }
      if (!Boxes::enters(packet, ray, own_box(id), up, down, entry)) return;
    }
    own_[ray] = entry;
    this->meet(packet, kind, id, RayBits{1} << ray, own_);
    own_[ray] = kInfinite<S>;
  }

  /// The origins in the scene's numbers, once per packet.
  void set_exact(const Packet& packet) {
    if (has_exact_) return;
    has_exact_ = true;
    constexpr P kRaise = sizeof(P) == 4 ? P(0x1p-22) : P(0x1p-51);
    const P margin = static_cast<P>(job_.margin);
    for (int k = 0; k < D; ++k) {
      for (int i = 0; i < kPacketRays; ++i) {
        const P at = packet.origin[k][i];
        exact_up_[k][i] = margin == 0 ? at : raised(at + margin, kRaise);
        exact_down_[k][i] = margin == 0 ? at : raised(at - margin, -kRaise);
      }
    }
  }

  /// What a packet opened together, the rays that shared it, and tests of boxes by sixteen rays.
  std::int64_t tiles_ = 0, rays_ = 0, tests_ = 0;
  bool has_way_ = false;  ///< along some axis its rays go the same way
  bool has_exact_ = false;
  alignas(64) S own_[kPacketRays];  ///< infinite between two shapes
  alignas(64) S entries_[kTileLanes][kPacketRays];
  alignas(64) P exact_up_[D][kPacketRays];
  alignas(64) P exact_down_[D][kPacketRays];
};

/// After a packet whose rays share little, so many groups go alone, then twice as many, up to the
/// second number.
inline constexpr std::int64_t kFewestAlone = 4, kMostAlone = 16;

template <int D, class T>
void cast_rays(const RayJob<D, T>& job, RayCounts& counts) {
  RayWalker<D, T> walker(job, counts);
  RayAnswers<D, T> answers(job);
  RayPacket<D, T> packet;
  std::int64_t alone = 0, next_alone = kFewestAlone;
  for (std::int64_t first = 0; first < job.count; first += kPacketRays) {
    load_packet(job, first, packet);
    const bool together = job.path == RayPath::packets ||
                          (job.path == RayPath::by_counts && alone == 0 && packet.count > 1);
    walker.walk(packet, together);
    answers.write(packet);
    for (int i = 0; i < packet.count; ++i) counts.hits += packet.shape[i] >= 0 ? 1 : 0;
    if (alone > 0) {
      --alone;
    } else if (together && walker.was_scattered()) {
      alone = next_alone;
      next_alone = next_alone < kMostAlone ? 2 * next_alone : kMostAlone;
    } else {
      next_alone = kFewestAlone;
    }
  }
}

}  // namespace
}  // namespace widephase
