#pragma once

// From rays to what they hit: through trees of boxes, then a kernel per shape.
//
// Sixteen rays go through a tree together, or each alone. Neither this nor their order changes an
// answer, by four rules.
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
  S entry;
  std::int32_t tile;
  std::uint16_t level;
  std::uint16_t rays;
};
/// A packet's rays share little if fewer than one in so many entered the boxes that it tested.
inline constexpr std::int64_t kFewLanes = 10;
/// Up to as many rays of a packet open a node one by one.
inline constexpr int kMostApart = 2;

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
      this->meet(packet, job_.halfspaces[n], packet.live, entry);
    }
    tested_ = confirmed_ = 0;
    has_exact_ = false;
    for (int t = 0; t < job_.tree_count; ++t) {
      const RayTree<D, P>& tree = job_.trees[t];
      set_frame<D, T>(kHasOwnFrame<P> ? tree.origin : nullptr, static_cast<P>(job_.margin), packet);
      if (together) {
        walk_together(packet, tree);
      } else {
        for (int i = 0; i < packet.count; ++i) {
          walk_alone(packet, tree, i, {S(0), 0, top_level(tree), 0});
        }
      }
    }
    if (together) counts_.packet_rays += packet.count;
  }
  /// Whether most rays of the packet had no use for what it opened.
  bool was_scattered() const { return confirmed_ * kFewLanes < tested_; }

 private:
  using Boxes = RayBoxes<D, T>;
  using Box = typename Boxes::Box;
  using Node = RayNode<S>;

  static std::uint16_t top_level(const RayTree<D, P>& tree) {
    return static_cast<std::uint16_t>(first_level(tree));
  }
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
  static WIDEPHASE_INLINE unsigned rays_left(const Packet& packet, const Node& node) {
    unsigned bits = 0;
    for (int first = 0; first < kPacketRays; first += Candidates::kLanes) {
      bits |= mask_bits(load(packet.best + first) >= F(node.entry)) << first;
    }
    return bits & node.rays;
  }

  void walk_together(Packet& packet, const RayTree<D, P>& tree) {
    typename Boxes::Span spans[D];
    typename Boxes::Ways ways;
    Boxes::find_spans(packet, spans);
    Boxes::find_ways(packet, ways);
    Node nodes[kMostOpenNodes];
    int count = 0;
    nodes[count++] = {S(0), 0, top_level(tree), static_cast<std::uint16_t>(packet.live)};
    S farthest = largest_of(packet.best);
    alignas(64) S entry[kTileLanes], own[kPacketRays];
    while (count != 0) {
      const Node node = nodes[--count];
      const unsigned rays = rays_left(packet, node);
      if (rays == 0) continue;
      if (bit_count(rays) <= kMostApart) {
        for (unsigned left = rays; left != 0; left &= left - 1) {
          walk_alone(packet, tree, __builtin_ctz(left), node);
        }
        farthest = largest_of(packet.best);
        continue;
      }
      const float* const tile = tile_of(tree, node.level, node.tile);
      ++counts_.tiles;
      unsigned bits = Boxes::may_enter(tile, spans, static_cast<P>(farthest) * kSameT<P, S>, entry);
      const std::int32_t first_lane = node.tile * kTileLanes;
      if (node.level != 0) {
        const int bottom = count;
        const auto level = static_cast<std::uint16_t>(node.level - 1);
        for (; bits != 0; bits &= bits - 1) {
          const int lane = __builtin_ctz(bits);
          const unsigned enter = Boxes::enter_lane(packet, ways, tile, lane, own) & rays;
          tested_ += kPacketRays;
          confirmed_ += bit_count(enter);
          if (enter == 0) continue;
          push(nodes, bottom, count,
               {entry[lane], first_lane + lane, level, static_cast<std::uint16_t>(enter)});
        }
        if (count != bottom) fetch_tile(tree, level, nodes[count - 1].tile);
        continue;
      }
      Node leaves[kTileLanes];
      int left = 0;
      for (; bits != 0; bits &= bits - 1) {
        const int lane = __builtin_ctz(bits);
        this->fetch_row(id_of(tree, first_lane + lane));
        push(leaves, 0, left, {entry[lane], lane, 0, static_cast<std::uint16_t>(rays)});
      }
      bool has_met = false;
      while (left != 0) {
        const Node& leaf = leaves[--left];
        if (leaf.entry > farthest) break;
        const unsigned enter = Boxes::enter_lane(packet, ways, tile, leaf.tile, own) & rays;
        tested_ += kPacketRays;
        confirmed_ += bit_count(enter);
        if (enter == 0) continue;
        if (meet_candidate(packet, id_of(tree, first_lane + leaf.tile), enter, own)) {
          farthest = largest_of(packet.best);
          has_met = true;
        }
      }
      if (has_met && farthest < 0) return;
    }
  }
  bool meet_candidate(Packet& packet, std::int32_t id, unsigned rays, S (&entry)[kPacketRays]) {
    if (has_own_boxes()) {
      set_exact(packet);
      rays = Boxes::enter_box(packet, own_box(id), exact_up_, exact_down_, entry);
      if (rays == 0) return false;
    }
    return this->meet(packet, id, rays, entry);
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
        const int bottom = count;
        const auto level = static_cast<std::uint16_t>(node.level - 1);
        for (; bits != 0; bits &= bits - 1) {
          const int lane = __builtin_ctz(bits);
          push(nodes, bottom, count, {entry[lane], first_lane + lane, level, 0});
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
        this->fetch_row(id);
        push(leaves, 0, left, {entry[lane], id, 0, 0});
      }
      while (left != 0) {
        const Node& leaf = leaves[--left];
        if (leaf.entry > packet.best[ray]) break;
        meet_alone(packet, ray, leaf.tile, leaf.entry);
        if (packet.best[ray] < 0) return;
      }
    }
  }
  void meet_alone(Packet& packet, int ray, std::int32_t id, S entry) {
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
    this->meet(packet, id, 1u << ray, own_);
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

  std::int64_t tested_ = 0, confirmed_ = 0;
  bool has_exact_ = false;
  alignas(64) S own_[kPacketRays];  ///< infinite between two shapes
  alignas(64) P exact_up_[D][kPacketRays];
  alignas(64) P exact_down_[D][kPacketRays];
};

/// After a packet whose rays share little, so many groups go alone, then twice as many, up to the
/// second number.
inline constexpr std::int64_t kFewestAlone = 4, kMostAlone = 64;

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
