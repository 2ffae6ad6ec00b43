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

#include "kernels/rays/ray_boxes.hpp"
#include "kernels/rays/ray_surface.hpp"

namespace widephase {
namespace {

/// A node that is still to be opened.
template <class S>
struct RayNode {
  S entry;
  std::int32_t tile;
  std::int32_t level;
};
/// A packet's rays share little if fewer than one in so many entered the boxes that it tested.
inline constexpr std::int64_t kFewLanes = 10;

template <int D, class T>
class RayWalker {
 public:
  using S = SizeOf<T>;
  using P = PositionOf<T>;
  using F = Batch<S>;
  using Packet = RayPacket<D, T>;
  static constexpr bool is_mixed = sizeof(S) != sizeof(P);
  static constexpr int kLanes = LaneTraits<F>::count;

  RayWalker(const RayJob<D, T>& job, RayCounts& counts)
      : job_(job), shapes_(*job.shapes), counts_(counts), margin_(job.margin) {}

  /// Answers the rays of a packet into it.
  void walk(Packet& packet, bool together) {
    for (int n = 0; n < job_.halfspace_count; ++n) {
      const std::int32_t id = job_.halfspaces[n];
      alignas(64) S entry[kPacketRays] = {};
      meet_packet(packet, kind_of(shapes_.first, id), id, packet.live, entry);
    }
    tested_ = confirmed_ = 0;
    for (int t = 0; t < job_.tree_count; ++t) {
      const RayTree<D, P>& tree = job_.trees[t];
      set_frame<D, T>(kHasOwnFrame<P> ? tree.origin : nullptr, static_cast<P>(margin_), packet);
      if (together) {
        walk_together(packet, tree);
      } else {
        for (int i = 0; i < packet.count; ++i) {
          if (packet.best[i] >= 0) walk_alone(packet, tree, i);
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

  Box own_box(std::int32_t id) const {
    Box box;
    for (int k = 0; k < D; ++k) {
      box.low[k] = shapes_.box_min[k][id];
      box.high[k] = shapes_.box_max[k][id];
    }
    return box;
  }
  bool has_own_boxes() const { return shapes_.box_min[0] != nullptr; }

  // --- Nodes ---

  /// Adds the children of a tile, the nearest on top.
  static WIDEPHASE_INLINE int push(RayNode<S>* nodes, int count, unsigned bits,
                                   const S (&entry)[kTileLanes], std::int32_t tile,
                                   std::int32_t level) {
    const int bottom = count;
    for (; bits != 0; bits &= bits - 1) {
      const int lane = __builtin_ctz(bits);
      const RayNode<S> node{entry[lane], tile * kTileLanes + lane, level};
      int at = count++;
      for (; at > bottom && nodes[at - 1].entry < node.entry; --at) nodes[at] = nodes[at - 1];
      nodes[at] = node;
    }
    return count;
  }
  void fetch_row(std::int32_t id) const {
    const Kind kind = kind_of(shapes_.first, id);
    __builtin_prefetch(shapes_.rows[static_cast<int>(kind)] +
                       std::ptrdiff_t{id} * row_numbers<D>(kind));
  }
  void walk_together(Packet& packet, const RayTree<D, P>& tree) {
    typename Boxes::Span spans[D];
    Boxes::find_spans(packet, spans);
    RayNode<S> nodes[kMostOpenNodes];
    int count = 0;
    nodes[count++] = {S(0), 0, first_level(tree)};
    S farthest = largest_of(packet.best);
    alignas(64) S entry[kTileLanes], own[kPacketRays];
    while (count != 0) {
      const RayNode<S> node = nodes[--count];
      if (node.entry > farthest) continue;
      const float* const tile = tile_of(tree, node.level, node.tile);
      ++counts_.tiles;
      unsigned bits = Boxes::may_enter(tile, spans, static_cast<P>(farthest) * kSameT<P, S>, entry);
      if (node.level != 0) {
        unsigned kept = 0;
        for (unsigned left = bits; left != 0; left &= left - 1) {
          const int lane = __builtin_ctz(left);
          const unsigned rays =
              Boxes::enter_box(packet, Boxes::tile_box(tile, lane), packet.up, packet.down, own);
          tested_ += kPacketRays;
          confirmed_ += bit_count(rays);
          kept |= rays != 0 ? 1u << lane : 0u;
        }
        count = push(nodes, count, kept, entry, node.tile, node.level - 1);
        if (count != 0) fetch_tile(tree, nodes[count - 1].level, nodes[count - 1].tile);
        continue;
      }
      for (unsigned left = bits; left != 0; left &= left - 1) {
        fetch_row(id_of(tree, node.tile * kTileLanes + __builtin_ctz(left)));
      }
      RayNode<S> leaves[kTileLanes];
      int left = push(leaves, 0, bits, entry, node.tile, 0);
      bool has_met = false;
      while (left != 0) {
        const RayNode<S>& leaf = leaves[--left];
        if (leaf.entry > farthest) break;
        const int lane = leaf.tile % kTileLanes;
        unsigned rays =
            Boxes::enter_box(packet, Boxes::tile_box(tile, lane), packet.up, packet.down, own);
        tested_ += kPacketRays;
        confirmed_ += bit_count(rays);
        if (rays == 0) continue;
        const std::int32_t id = id_of(tree, leaf.tile);
        if (has_own_boxes()) {
          set_exact(packet);
          rays = Boxes::enter_box(packet, own_box(id), exact_up_, exact_down_, own);
          if (rays == 0) continue;
        }
        if (meet_packet(packet, kind_of(shapes_.first, id), id, rays, own)) {
          farthest = largest_of(packet.best);
          has_met = true;
        }
      }
      if (has_met && farthest < 0) return;
    }
  }

  void walk_alone(Packet& packet, const RayTree<D, P>& tree, int ray) {
    RayNode<S> nodes[kMostOpenNodes];
    int count = 0;
    nodes[count++] = {S(0), 0, first_level(tree)};
    alignas(64) S entry[kTileLanes];
    while (count != 0) {
      const RayNode<S> node = nodes[--count];
      if (node.entry > packet.best[ray]) continue;
      const float* const tile = tile_of(tree, node.level, node.tile);
      ++counts_.tiles;
      unsigned bits = Boxes::enter_boxes(packet, ray, tile, entry);
      if (node.level != 0) {
        count = push(nodes, count, bits, entry, node.tile, node.level - 1);
        if (count != 0) fetch_tile(tree, nodes[count - 1].level, nodes[count - 1].tile);
        continue;
      }
      meet_leaf(packet, tree, ray, node.tile, bits, entry);
      if (packet.best[ray] < 0) return;
    }
  }

  // --- Shapes ---

  /// The origins in the scene's numbers, once per packet.
  void set_exact(const Packet& packet) {
    if (exact_of_ == &packet && exact_row_ == packet.row[0]) return;
    exact_of_ = &packet;
    exact_row_ = packet.row[0];
    constexpr P kRaise = sizeof(P) == 4 ? P(0x1p-22) : P(0x1p-51);
    const P margin = static_cast<P>(margin_);
    for (int k = 0; k < D; ++k) {
      for (int i = 0; i < kPacketRays; ++i) {
        const P at = packet.origin[k][i];
        exact_up_[k][i] = margin == 0 ? at : raised(at + margin, kRaise);
        exact_down_[k][i] = margin == 0 ? at : raised(at - margin, -kRaise);
      }
    }
  }

  /// One shape for all lanes.
  void broadcast(Kind kind, std::int32_t id, ShapeLanes<F, D>& lanes) const {
    const int k = static_cast<int>(kind), width = row_numbers<D>(kind);
    const S* const row = shapes_.rows[k] + std::ptrdiff_t{id} * width;
    for (int n = 0; n < width; ++n) lanes.row[n] = F(row[n]);
    lanes.rest = zero_vec<F, D>();
    if (shapes_.rests == nullptr || !has_rests(kind)) return;
    const S* const rest = shapes_.rests + std::ptrdiff_t{id} * 4;
    lanes.rest = each_axis<F, D>([&](int axis) { return F(rest[axis]); });
  }
  static constexpr bool has_rests(Kind kind) {
    return kind == (D == 2 ? Kind::polygon : Kind::hull);
  }
  S grow_of(std::int32_t id) const {
    return shapes_.margins == nullptr ? margin_ : margin_ + shapes_.margins[id];
  }
  /// In mixed precision: the anchors of one shape relative to one ray's origin.
  void place_apart(const Packet& packet, Kind kind, std::int32_t id, int ray, int lane,
                   S (&apart)[kMostAnchorNumbers][kLanes]) const {
    const int k = static_cast<int>(kind);
    const int width = anchor_numbers(kind);
    const P* const anchor = shapes_.anchors[k] + std::ptrdiff_t{id} * width;
    if (is_plane(kind)) {
      P offset = anchor[3];
      for (int axis = 0; axis < D; ++axis) offset -= anchor[axis] * packet.origin[axis][ray];
      for (int n = 0; n < 3; ++n) apart[n][lane] = 0;
      apart[3][lane] = static_cast<S>(offset);
      return;
    }
    for (int n = 0; n < width; ++n) {
      const int axis = n % 4;
      apart[n][lane] = axis < D ? static_cast<S>(anchor[n] - packet.origin[axis][ray]) : S(0);
    }
  }

  /// One shape against the rays of `rays`; true if one of them has a new best.
  bool meet_packet(Packet& packet, Kind kind, std::int32_t id, unsigned rays,
                   const S (&entry)[kPacketRays]) {
    if constexpr (D == 3) {
      if (is_surface(kind)) return meet_surface(packet, kind, id, rays, entry);
    }
    ShapeLanes<F, D> lanes;
    broadcast(kind, id, lanes);
    const F grow = F(grow_of(id));
    counts_.tests += bit_count(rays);
    bool has_new = false;
    for (int first = 0; first < kPacketRays; first += kLanes) {
      const unsigned live = rays >> first & LaneTraits<F>::all;
      if (live == 0) continue;
      Vec<F, D> origin = zero_vec<F, D>();
      if constexpr (is_mixed) {
        S apart[kMostAnchorNumbers][kLanes];
        for (int i = 0; i < kLanes; ++i) place_apart(packet, kind, id, first + i, i, apart);
        for (int n = 0; n < anchor_numbers(kind); ++n) lanes.apart[n] = load(apart[n]);
      } else {
        origin = each_axis<F, D>([&](int k) { return load(packet.origin[k] + first); });
      }
      const RayLanes<F, D> ray(
          each_axis<F, D>([&](int k) { return load(packet.direction[k] + first); }), grow);
      const RayAnswer<F> answer = answer_shape<is_mixed>(kind, lanes, origin, ray, shapes_.library,
                                                         shapes_.indices, live, job_.inside);
      const F t = greater(answer.t, load(entry + first));
      unsigned bits = mask_bits(answer.is_met & (t <= load(packet.best + first))) & live;
      if (bits == 0) continue;
      const Lanes<F> times(t), open(answer.open);
      const unsigned inside = mask_bits(answer.is_inside);
      for (; bits != 0; bits &= bits - 1) {
        const int i = __builtin_ctz(bits);
        has_new |= keep(packet, first + i, id, times[i], (inside >> i & 1) != 0, open[i] > 0);
      }
    }
    return has_new;
  }

  /// A surface against the rays of `rays`, one by one.
  bool meet_surface(Packet& packet, Kind kind, std::int32_t id, unsigned rays,
                    const S (&entry)[kPacketRays]) {
    counts_.tests += bit_count(rays);
    bool has_new = false;
    for (; rays != 0; rays &= rays - 1) {
      const int i = __builtin_ctz(rays);
      has_new |= meet_surface(packet, kind, id, i, entry[i]);
    }
    return has_new;
  }
  bool meet_surface(Packet& packet, Kind kind, std::int32_t id, int ray, S entry) {
    const auto placed = place_surface(shapes_, packet, kind, id, ray, grow_of(id));
    const SurfaceMeet meet = placed.answer(job_.inside);
    if (!meet.is_met || !(meet.t <= double(kLargest<S>))) return false;
    const S own = static_cast<S>(meet.t), t = own > entry ? own : entry;
    return t <= packet.best[ray] && keep(packet, ray, id, t, meet.is_inside, false);
  }

  /// The candidates of a leaf against one ray, those of a kind together.
  void meet_leaf(Packet& packet, const RayTree<D, P>& tree, int ray, std::int32_t tile,
                 unsigned bits, const S (&entries)[kTileLanes]) {
    std::int32_t ids[kTileLanes];
    Kind kinds[kTileLanes];
    S entry[kTileLanes];
    for (unsigned left = bits; left != 0; left &= left - 1) {
      const int lane = __builtin_ctz(left);
      ids[lane] = id_of(tree, tile * kTileLanes + lane);
      fetch_row(ids[lane]);
      entry[lane] = entries[lane];
      if (has_own_boxes()) {
        set_exact(packet);
        P up[D], down[D];
        for (int k = 0; k < D; ++k) {
          up[k] = exact_up_[k][ray];
          down[k] = exact_down_[k][ray];
        }
        if (!Boxes::enters(packet, ray, own_box(ids[lane]), up, down, entry[lane])) {
          bits &= ~(1u << lane);
          continue;
        }
      }
      kinds[lane] = kind_of(shapes_.first, ids[lane]);
    }
    while (bits != 0) {
      // Lanes behind the last candidate are copies of the first.
      const int first = __builtin_ctz(bits);
      const Kind kind = kinds[first];
      if constexpr (D == 3) {
        if (is_surface(kind)) {
          ++counts_.tests;
          meet_surface(packet, kind, ids[first], ray, entry[first]);
          if (packet.best[ray] < 0) return;
          bits &= bits - 1;
          continue;
        }
      }
      std::int32_t chosen[kLanes];
      S entered[kLanes];
      int rays[kLanes];
      for (int i = 0; i < kLanes; ++i) {
        chosen[i] = ids[first];
        entered[i] = entry[first];
        rays[i] = ray;
      }
      int count = 0;
      for (unsigned left = bits; left != 0 && count < kLanes; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        if (kinds[lane] != kind) continue;
        chosen[count] = ids[lane];
        entered[count++] = entry[lane];
        bits &= ~(1u << lane);
      }
      counts_.tests += count;
      ShapeLanes<F, D> lanes;
      Vec<F, D> origin, direction;
      F grow;
      gather(packet, kind, chosen, rays, lanes, origin, direction, grow);
      const unsigned live = (LaneTraits<F>::all >> (kLanes - count));
      const RayAnswer<F> answer =
          answer_shape<is_mixed>(kind, lanes, origin, RayLanes<F, D>(direction, grow),
                                 shapes_.library, shapes_.indices, live, job_.inside);
      const F t = greater(answer.t, load(entered));
      unsigned met = mask_bits(answer.is_met & (t <= F(packet.best[ray]))) & live;
      if (met == 0) continue;
      const Lanes<F> times(t), open(answer.open);
      const unsigned inside = mask_bits(answer.is_inside);
      for (; met != 0; met &= met - 1) {
        const int i = __builtin_ctz(met);
        keep(packet, ray, chosen[i], times[i], (inside >> i & 1) != 0, open[i] > 0);
      }
      if (packet.best[ray] < 0) return;
    }
  }

  /// The packed rows of one kind's shapes.
  void load_rows(Kind kind, const std::int32_t (&ids)[kLanes], F (&row)[kMostRowNumbers]) const {
    const S* const rows = shapes_.rows[static_cast<int>(kind)];
    const auto load_into = [&]<int Quads>(std::integral_constant<int, Quads>) {
      F numbers[4 * Quads];
      load_quads<Quads, 1>(rows, ids, numbers);
      for (int n = 0; n < 4 * Quads; ++n) row[n] = numbers[n];
    };
    switch (row_numbers<D>(kind)) {
      case 4:
        return load_into(std::integral_constant<int, 1>());
      case 8:
        return load_into(std::integral_constant<int, 2>());
      case 16:
        return load_into(std::integral_constant<int, 4>());
    }
    __builtin_unreachable();
  }

  /// A shape and a ray of its own per lane.
  void gather(const Packet& packet, Kind kind, const std::int32_t (&ids)[kLanes],
              const int (&rays)[kLanes], ShapeLanes<F, D>& lanes, Vec<F, D>& origin,
              Vec<F, D>& direction, F& grow) const {
    S rest[D][kLanes] = {}, from[D][kLanes], along[D][kLanes];
    S grows[kLanes], apart[kMostAnchorNumbers][kLanes];
    const bool has_rest = shapes_.rests != nullptr && has_rests(kind);
    load_rows(kind, ids, lanes.row);
    for (int i = 0; i < kLanes; ++i) {
      grows[i] = grow_of(ids[i]);
      for (int axis = 0; axis < D; ++axis) {
        along[axis][i] = packet.direction[axis][rays[i]];
        from[axis][i] = static_cast<S>(packet.origin[axis][rays[i]]);
        if (has_rest) rest[axis][i] = shapes_.rests[std::ptrdiff_t{ids[i]} * 4 + axis];
      }
      if constexpr (is_mixed) place_apart(packet, kind, ids[i], rays[i], i, apart);
    }
    if constexpr (is_mixed) {
      for (int n = 0; n < anchor_numbers(kind); ++n) lanes.apart[n] = load(apart[n]);
    }
    lanes.rest = each_axis<F, D>([&](int axis) { return load(rest[axis]); });
    origin =
        is_mixed ? zero_vec<F, D>() : each_axis<F, D>([&](int axis) { return load(from[axis]); });
    direction = each_axis<F, D>([&](int axis) { return load(along[axis]); });
    grow = load(grows);
  }

  /// Keeps the least (t, id); true if that is new.
  bool keep(Packet& packet, int ray, std::int32_t id, S t, bool is_inside, bool is_open) {
    const std::int32_t before = packet.shape[ray];
    const bool is_better =
        t < packet.best[ray] || (t == packet.best[ray] && (before < 0 || id < before));
    if (!is_better) return false;
    if (job_.may_meet != nullptr && !job_.may_meet(job_.filter, id, packet.row[ray])) return false;
    packet.shape[ray] = id;
    packet.status[ray] =
        is_inside ? CastStatus::started_inside : (is_open ? CastStatus::bound : CastStatus::hit);
    packet.set_best(ray, job_.any != nullptr ? S(-1) : t);
    return true;
  }

 public:
  // --- Answers ---

  void write(const Packet& packet) {
    for (int i = 0; i < packet.count; ++i) counts_.hits += packet.shape[i] >= 0 ? 1 : 0;
    if (job_.any != nullptr) {
      for (int i = 0; i < packet.count; ++i) {
        job_.any[packet.row[i]] = packet.shape[i] >= 0 ? 1 : 0;
      }
      return;
    }
    unsigned hits = 0;
    for (int i = 0; i < packet.count; ++i) {
      const std::int64_t row = packet.row[i];
      const bool is_hit = packet.shape[i] >= 0;
      const S t = packet.best[i] * packet.scale[i];
      job_.shape[row] = packet.shape[i];
      job_.t[row] = is_hit && t < packet.max_t[i] ? t : packet.max_t[i];
      job_.status[row] = static_cast<std::uint8_t>(packet.status[i]);
      hits |= is_hit ? 1u << i : 0u;
      if (job_.part != nullptr) job_.part[row] = -1;
      if (job_.feature == nullptr || is_hit) continue;
      job_.feature[row] = 0;
      for (int k = 0; k < D; ++k) {
        job_.normal[k][row] = 0;
        job_.point[k][row] = end_of(packet, i, k);
      }
    }
    if (job_.feature == nullptr) return;
    while (hits != 0) {
      const int first = __builtin_ctz(hits);
      const Kind kind = kind_of(shapes_.first, packet.shape[first]);
      if constexpr (D == 3) {
        if (is_surface(kind)) {
          write_triangle(job_, packet, kind, first, grow_of(packet.shape[first]));
          hits &= hits - 1;
          continue;
        }
      }
      std::int32_t ids[kLanes];
      int rays[kLanes];
      for (int i = 0; i < kLanes; ++i) {
        ids[i] = packet.shape[first];
        rays[i] = first;
      }
      int count = 0;
      for (unsigned left = hits; left != 0 && count < kLanes; left &= left - 1) {
        const int ray = __builtin_ctz(left);
        if (kind_of(shapes_.first, packet.shape[ray]) != kind) continue;
        ids[count] = packet.shape[ray];
        rays[count++] = ray;
        hits &= ~(1u << ray);
      }
      write_surfaces(packet, kind, ids, rays, count);
    }
  }

 private:
  /// Where a ray that hits nothing ends.
  P end_of(const Packet& packet, int ray, int k) const {
    const P origin = packet.origin[k][ray];
    if (job_.max_t.data == nullptr) return origin;
    const P way = static_cast<P>(packet.max_t[ray]) *
                  static_cast<P>(at_row(job_.direction[k], packet.row[ray]));
    const P end = origin + way;
    return end > kLargest<P> ? kLargest<P> : (end < -kLargest<P> ? -kLargest<P> : end);
  }

  void write_surfaces(const Packet& packet, Kind kind, const std::int32_t (&ids)[kLanes],
                      const int (&rays)[kLanes], int count) {
    ShapeLanes<F, D> lanes;
    Vec<F, D> origin, direction;
    F grow;
    gather(packet, kind, ids, rays, lanes, origin, direction, grow);
    const unsigned live = (LaneTraits<F>::all >> (kLanes - count));
    const RaySurface<F, D> surface =
        surface_of_shape<is_mixed>(kind, lanes, origin, RayLanes<F, D>(direction, grow),
                                   shapes_.library, shapes_.indices, live, job_.inside);
    const Lanes<F> feature(surface.feature);
    const unsigned starts = mask_bits(surface.is_start);
    for (int i = 0; i < count; ++i) {
      job_.feature[packet.row[rays[i]]] = static_cast<std::uint32_t>(feature[i]);
    }
    const int index = static_cast<int>(kind);
    for (int k = 0; k < D; ++k) {
      const Lanes<F> normal(surface.normal[k]), point(surface.point[k]);
      for (int i = 0; i < count; ++i) {
        const std::int64_t row = packet.row[rays[i]];
        const P start = packet.origin[k][rays[i]];
        P anchor;
        if (is_plane(kind)) {
          anchor = start;
        } else if constexpr (is_mixed) {
          anchor = shapes_.anchors[index][std::ptrdiff_t{ids[i]} * anchor_numbers(kind) + k];
        } else {
          anchor = shapes_.rows[index][std::ptrdiff_t{ids[i]} * row_numbers<D>(kind) + k];
        }
        job_.normal[k][row] = normal[i];
        const P at = anchor + static_cast<P>(point[i]);
        const bool is_finite = at <= kLargest<P> && at >= -kLargest<P>;
        job_.point[k][row] = (starts >> i & 1) != 0 || !is_finite ? start : at;
      }
    }
  }

  const RayJob<D, T>& job_;
  const RayShapes<D, T>& shapes_;
  RayCounts& counts_;
  S margin_;
  std::int64_t tested_ = 0, confirmed_ = 0;
  const Packet* exact_of_ = nullptr;
  std::int64_t exact_row_ = -1;
  alignas(64) P exact_up_[D][kPacketRays];
  alignas(64) P exact_down_[D][kPacketRays];
};

/// After a packet whose rays share little, so many groups go alone, then twice as many, up to the
/// second number.
inline constexpr std::int64_t kFewestAlone = 4, kMostAlone = 64;

template <int D, class T>
void cast_rays(const RayJob<D, T>& job, RayCounts& counts) {
  RayWalker<D, T> walker(job, counts);
  RayPacket<D, T> packet;
  std::int64_t alone = 0, next_alone = kFewestAlone;
  for (std::int64_t first = 0; first < job.count; first += kPacketRays) {
    load_packet(job, first, packet);
    const bool together = job.path == RayPath::packets ||
                          (job.path == RayPath::by_counts && alone == 0 && packet.count > 1);
    walker.walk(packet, together);
    walker.write(packet);
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
