#pragma once

// Rays against boxes: the rays of a packet and one box, one ray and the sixteen boxes of a tile,
// and a bound over both. The rules are those of ray_walk.hpp.

#include "kernels/rays/ray_packet.hpp"

namespace widephase {
namespace {

template <int D, class T>
struct RayBoxes {
  using S = SizeOf<T>;
  using P = PositionOf<T>;
  using B = Batch<P>;
  using Packet = RayPacket<D, T>;
  static constexpr int kBoxLanes = LaneTraits<B>::count;

  struct Box {
    P low[D], high[D];
  };

  /// Which sides of boxes the rays of a packet come to first, if that is the same for all rays.
  struct Ways {
    bool is_one_way;
    const P *near[D], *far[D];        ///< the origins that these sides are compared with
    int near_plane[D], far_plane[D];  ///< of a tile
  };
  static WIDEPHASE_INLINE void find_ways(const Packet& packet, Ways& ways) {
    ways.is_one_way = true;
    for (int k = 0; k < D; ++k) {
      int downs = 0;
      for (int i = 0; i < kPacketRays; ++i) downs += packet.inverse[k][i] < 0 ? 1 : 0;
      ways.is_one_way &= downs == 0 || downs == kPacketRays;
      const bool is_down = downs != 0;
      ways.near[k] = is_down ? packet.down[k] : packet.up[k];
      ways.far[k] = is_down ? packet.up[k] : packet.down[k];
      ways.near_plane[k] = (is_down ? D + k : k) * kTileLanes;
      ways.far_plane[k] = (is_down ? k : D + k) * kTileLanes;
    }
  }

  /// Which of some rays enter a box of a tile before their best t, and when; never, for the others
  /// of their batches.
  static WIDEPHASE_INLINE RayBits enter_lane(const Packet& packet, const Ways& ways, RayBits rays,
                                             const float* tile, int lane, S (&entry)[kPacketRays]) {
    if (!ways.is_one_way) {
      Box box;
      for (int k = 0; k < D; ++k) {
        box.low[k] = static_cast<P>(tile[k * kTileLanes + lane]);
        box.high[k] = static_cast<P>(tile[(D + k) * kTileLanes + lane]);
      }
      return enter_box(packet, rays, box, packet.up, packet.down, entry);
    }
    RayBits bits = 0;
    for (int first = 0; first < kPacketRays; first += kBoxLanes) {
      if (kPacketRays > kBoxLanes && (rays >> first & LaneTraits<B>::all) == 0) continue;
      B from = B(0), to = load(packet.within() + first);
      for (int k = 0; k < D; ++k) {
        const B inverse = load(packet.inverse[k] + first);
        const B near = B(static_cast<P>(tile[ways.near_plane[k] + lane]));
        const B far = B(static_cast<P>(tile[ways.far_plane[k] + lane]));
        from = greater(from, (near - load(ways.near[k] + first)) * inverse);
        to = lesser(to, (far - load(ways.far[k] + first)) * inverse * B(kFarSide<P>));
      }
      bits |= put_entry(from, to, entry + first) << first;
    }
    return bits & rays;
  }
  /// The same for any box and the origins that its sides are compared with.
  static WIDEPHASE_INLINE RayBits enter_box(const Packet& packet, RayBits rays, const Box& box,
                                            const P (&up)[D][kPacketRays],
                                            const P (&down)[D][kPacketRays],
                                            S (&entry)[kPacketRays]) {
    const B zero = B(0), far_side = B(kFarSide<P>);
    RayBits bits = 0;
    for (int first = 0; first < kPacketRays; first += kBoxLanes) {
      if (kPacketRays > kBoxLanes && (rays >> first & LaneTraits<B>::all) == 0) continue;
      B from = zero, to = load(packet.within() + first);
      for (int k = 0; k < D; ++k) {
        const B inverse = load(packet.inverse[k] + first);
        const B low = (B(box.low[k]) - load(up[k] + first)) * inverse;
        const B high = (B(box.high[k]) - load(down[k] + first)) * inverse;
        const auto is_down = inverse < zero;
        from = greater(from, select(is_down, high, low));
        to = lesser(to, select(is_down, low, high) * far_side);
      }
      bits |= put_entry(from, to, entry + first) << first;
    }
    return bits & rays;
  }

  /// What all rays of a packet have in common along one axis.
  struct Span {
    enum class Use { none, steep, level } use;
    bool is_down;
    P up, down;     ///< the largest and the least origin
    P least, most;  ///< of 1 / direction
  };
  static void find_spans(const Packet& packet, Span (&spans)[D]) {
    constexpr P kMost = sizeof(P) == 4 ? P(1e30) : P(1e250);
    for (int k = 0; k < D; ++k) {
      Span& span = spans[k];
      // Behind the last ray are copies of it.
      span.up = largest_of(packet.up[k]);
      span.down = least_of(packet.down[k]);
      span.least = least_of(packet.inverse[k]);
      span.most = largest_of(packet.inverse[k]);
      // Asked of the directions: 1 / direction of 0 and -0 with others mixed spans everything.
      int level = 0;
      for (int i = 0; i < kPacketRays; ++i) level += packet.direction[k][i] == 0 ? 1 : 0;
      const bool is_level = level == kPacketRays;
      span.is_down = span.most < 0;
      const bool is_one_way = (span.least > 0) | (span.most < 0);
      const bool is_usable = is_one_way && span.least >= -kMost && span.most <= kMost;
      span.use = is_level ? Span::Use::level : is_usable ? Span::Use::steep : Span::Use::none;
    }
  }

  /// Which boxes of a tile some ray of the packet may enter before `within`, and a bound on when.
  static WIDEPHASE_INLINE unsigned may_enter(const float* tile, const Span (&spans)[D], P within,
                                             S (&entry)[kTileLanes]) {
    const B zero = B(0);
    unsigned bits = 0;
    for (int first = 0; first < kTileLanes; first += kBoxLanes) {
      B from = zero, to = B(within);
      auto is_in = load_as<B>(tile + first) <= load_as<B>(tile + D * kTileLanes + first);
      for (int k = 0; k < D; ++k) {
        const Span& span = spans[k];
        if (span.use == Span::Use::none) continue;
        const B low = load_as<B>(tile + k * kTileLanes + first);
        const B high = load_as<B>(tile + (D + k) * kTileLanes + first);
        if (span.use == Span::Use::level) {
          is_in = is_in & (low <= B(span.up)) & (high >= B(span.down));
          continue;
        }
        const B to_low = low - B(span.up), to_high = high - B(span.down);
        const B near = span.is_down ? to_high : to_low, far = span.is_down ? to_low : to_high;
        from = greater(from, lesser(near * B(span.least), near * B(span.most)));
        to = lesser(to, greater(far * B(span.least), far * B(span.most)) * B(kFarSide<P>));
      }
      store_as(entry + first, from);
      bits |= mask_bits(is_in & (from <= to)) << first;
    }
    return bits;
  }

  /// The same for one ray, exactly.
  static WIDEPHASE_INLINE unsigned enter_boxes(const Packet& packet, int ray, const float* tile,
                                               S (&entry)[kTileLanes]) {
    const B zero = B(0);
    unsigned bits = 0;
    for (int first = 0; first < kTileLanes; first += kBoxLanes) {
      B from = zero, to = B(packet.within()[ray]);
      const auto is_box = load_as<B>(tile + first) <= load_as<B>(tile + D * kTileLanes + first);
      for (int k = 0; k < D; ++k) {
        const P inverse = packet.inverse[k][ray];
        const B low = load_as<B>(tile + k * kTileLanes + first) - B(packet.up[k][ray]);
        const B high = load_as<B>(tile + (D + k) * kTileLanes + first) - B(packet.down[k][ray]);
        from = greater(from, (inverse < 0 ? high : low) * B(inverse));
        to = lesser(to, (inverse < 0 ? low : high) * B(inverse) * B(kFarSide<P>));
      }
      store_as(entry + first, from);
      bits |= mask_bits(is_box & (from <= to)) << first;
    }
    return bits;
  }
  /// One ray against one box.
  static bool enters(const Packet& packet, int ray, const Box& box, const P (&up)[D],
                     const P (&down)[D], S& entry) {
    P from = 0, to = packet.within()[ray];
    for (int k = 0; k < D; ++k) {
      const P inverse = packet.inverse[k][ray];
      const P low = (box.low[k] - up[k]) * inverse, high = (box.high[k] - down[k]) * inverse;
      const P near = inverse < 0 ? high : low;
      const P far = (inverse < 0 ? low : high) * kFarSide<P>;
      from = near > from ? near : from;
      to = far < to ? far : to;
    }
    entry = static_cast<S>(from);
    return from <= to;
  }

 private:
  static WIDEPHASE_INLINE RayBits put_entry(const B& from, const B& to, S* entry) {
    const auto enters = from <= to;
    store_as(entry, select(enters, from, B(kInfinite<P>)));
    return mask_bits(enters);
  }
};

}  // namespace
}  // namespace widephase
