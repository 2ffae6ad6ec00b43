#pragma once

// Rays against boxes: sixteen rays and one box, one ray and the sixteen boxes of a tile, and a
// bound over both. The rules are those of ray_walk.hpp.

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

  static Box tile_box(const float* tile, int lane) {
    Box box;
    for (int k = 0; k < D; ++k) {
      box.low[k] = static_cast<P>(tile[k * kTileLanes + lane]);
      box.high[k] = static_cast<P>(tile[(D + k) * kTileLanes + lane]);
    }
    return box;
  }
  /// Which rays enter a box before their best t, and when.
  static WIDEPHASE_INLINE unsigned enter_box(const Packet& packet, const Box& box,
                                             const P (&up)[D][kPacketRays],
                                             const P (&down)[D][kPacketRays],
                                             S (&entry)[kPacketRays]) {
    const B zero = B(0), far_side = B(kFarSide<P>);
    unsigned bits = 0;
    for (int first = 0; first < kPacketRays; first += kBoxLanes) {
      B from = zero, to = load(packet.within + first);
      for (int k = 0; k < D; ++k) {
        const B inverse = load(packet.inverse[k] + first);
        const B low = (B(box.low[k]) - load(up[k] + first)) * inverse;
        const B high = (B(box.high[k]) - load(down[k] + first)) * inverse;
        const auto is_down = inverse < zero;
        from = greater(from, select(is_down, high, low));
        to = lesser(to, select(is_down, low, high) * far_side);
      }
      store_as(entry + first, from);
      bits |= mask_bits(from <= to) << first;
    }
    return bits & packet.live;
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
      span.up = packet.up[k][0];
      span.down = packet.down[k][0];
      span.least = span.most = packet.inverse[k][0];
      // Asked of the directions: 1 / direction of 0 and -0 with others mixed spans everything.
      bool is_level = packet.direction[k][0] == 0;
      for (int i = 1; i < packet.count; ++i) {
        const P inverse = packet.inverse[k][i];
        span.up = packet.up[k][i] > span.up ? packet.up[k][i] : span.up;
        span.down = packet.down[k][i] < span.down ? packet.down[k][i] : span.down;
        span.least = inverse < span.least ? inverse : span.least;
        span.most = inverse > span.most ? inverse : span.most;
        is_level &= packet.direction[k][i] == 0;
      }
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
      B from = zero, to = B(packet.within[ray]);
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
    P from = 0, to = packet.within[ray];
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
};

}  // namespace
}  // namespace widephase
