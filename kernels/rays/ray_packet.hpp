#pragma once

// Rays that go together, loaded from the caller's columns. Their
// numbers are in arrays, from which batches of any width are read: positions may be wider than
// sizes (mixed precision).

#include "kernels/rays/surface_ray.hpp"
#include "kernels/rays/tree_tiles.hpp"

namespace widephase {
namespace {

template <class N>
WIDEPHASE_INLINE N at_row(const Plane<N>& plane, std::int64_t row) {
  N value;
  __builtin_memcpy(&value, reinterpret_cast<const char*>(plane.data) + row * plane.stride,
                   sizeof value);
  return value;
}

/// Numbers as a batch of another type.
template <class B, class N>
WIDEPHASE_INLINE B load_as(const N* from) {
  using T = RealOf<B>;
  if constexpr (sizeof(T) == sizeof(N)) {
    return load(from);
  } else {
    alignas(64) T number[LaneTraits<B>::count];
    for (int i = 0; i < LaneTraits<B>::count; ++i) number[i] = static_cast<T>(from[i]);
    return load(static_cast<const T*>(number));
  }
}
template <class N, class B>
WIDEPHASE_INLINE void store_as(N* to, const B& batch) {
  using T = RealOf<B>;
  if constexpr (sizeof(T) == sizeof(N)) {
    store(to, batch);
  } else {
    alignas(64) T number[LaneTraits<B>::count];
    store(number, batch);
    for (int i = 0; i < LaneTraits<B>::count; ++i) to[i] = static_cast<N>(number[i]);
  }
}

/// How much wider the far side of a box is taken, so that rounding never lets a ray miss a box by
/// its far side (Ize, Robust BVH Ray Traversal, 2013).
template <class P>
inline constexpr P kFarSide = sizeof(P) == 4 ? P(1 + 4 * 0x1p-24) : P(1 + 4 * 0x1p-53);
/// In mixed precision t has fewer digits than entries of boxes: what may still round to it.
template <class P, class S>
inline constexpr P kSameT = sizeof(P) == sizeof(S) ? P(1) : P(1 + 0x1p-22);

/// A bit for each of a packet's rays.
using RayBits = std::uint64_t;
static_assert(kPacketRays == 64);
WIDEPHASE_INLINE int count_of(RayBits bits) {
  return bit_count(static_cast<std::uint32_t>(bits)) +
         bit_count(static_cast<std::uint32_t>(bits >> 32));
}
WIDEPHASE_INLINE int first_of(RayBits bits) { return __builtin_ctzll(bits); }

template <int D, class T>
struct RayPacket {
  using S = SizeOf<T>;
  using P = PositionOf<T>;
  static constexpr int kRays = kPacketRays;
  static constexpr bool is_mixed = sizeof(S) != sizeof(P);

  alignas(64) P origin[D][kRays];
  alignas(64) S direction[D][kRays];  ///< scaled
  alignas(64) P inverse[D][kRays];    ///< 1 / direction
  /// The origins that the sides of boxes are compared with: the lower sides with `up`, the upper
  /// ones with `down`. They differ by the margin, and by rounding in the frame of a tree.
  alignas(64) P up[D][kRays];
  alignas(64) P down[D][kRays];
  alignas(64) S best[kRays];     ///< t so far, scaled; below 0 where nothing more is wanted
  alignas(64) P reached[kRays];  ///< in mixed precision the same, for boxes
  alignas(64) S scale[kRays];    ///< scaled direction = direction * scale, and t = scaled t * scale
  alignas(64) S max_t[kRays];
  alignas(64) std::int32_t shape[kRays];
  std::int64_t row[kRays];
  int count;       ///< rays; behind them are copies of the last
  RayBits live;    ///< their bits
  bool is_run;     ///< their rows are in order, without gaps
  RayBits inside;  ///< what they hit, they start in
  RayBits open;    ///< a limit of steps was met
  /// What rays meet of a surface, if that is their shape, in its own axes.
  TriangleMeet met[kRays];

  void set_best(int i, S t) {
    best[i] = t;
    if constexpr (is_mixed) reached[i] = static_cast<P>(t) * kSameT<P, S>;
  }
  /// What entries of boxes are compared with.
  const P* within() const {
    if constexpr (is_mixed) {
      return reached;
    } else {
      return best;
    }
  }
  CastStatus status(int i) const {
    if (shape[i] < 0) return CastStatus::none;
    if ((inside >> i & 1) != 0) return CastStatus::started_inside;
    return (open >> i & 1) != 0 ? CastStatus::bound : CastStatus::hit;
  }
};

/// The power of two at or below a positive number.
template <class S>
WIDEPHASE_INLINE S power_below(S number) {
  if constexpr (sizeof(S) == 4) {
    std::uint32_t bits;
    __builtin_memcpy(&bits, &number, sizeof bits);
    bits &= 0x7f800000u;
    __builtin_memcpy(&number, &bits, sizeof bits);
  } else {
    std::uint64_t bits;
    __builtin_memcpy(&bits, &number, sizeof bits);
    bits &= 0x7ff0000000000000u;
    __builtin_memcpy(&number, &bits, sizeof bits);
  }
  return number;
}

/// Numbers of the packet's rows.
template <class Packet, class N>
WIDEPHASE_INLINE void load_rows(const Packet& packet, const Plane<N>& plane,
                                N (&to)[Packet::kRays]) {
  if (packet.is_run && packet.count == Packet::kRays && plane.stride == sizeof(N)) {
    __builtin_memcpy(to, plane.data + packet.row[0], sizeof to);
    return;
  }
  for (int i = 0; i < Packet::kRays; ++i) to[i] = at_row(plane, packet.row[i]);
}
template <class Packet, class N>
WIDEPHASE_INLINE void store_rows(const Packet& packet, const N (&from)[Packet::kRays], N* column) {
  if (packet.is_run && packet.count == Packet::kRays) {
    __builtin_memcpy(column + packet.row[0], from, sizeof from);
    return;
  }
  for (int i = 0; i < packet.count; ++i) column[packet.row[i]] = from[i];
}

template <int D, class T>
void load_packet(const RayJob<D, T>& job, std::int64_t first, RayPacket<D, T>& packet) {
  using S = SizeOf<T>;
  using P = PositionOf<T>;
  const std::int64_t left = job.count - first;
  packet.count = static_cast<int>(left < kPacketRays ? left : kPacketRays);
  packet.live = ~RayBits{0} >> (kPacketRays - packet.count);
  packet.is_run = job.order == nullptr;
  for (int i = 0; i < kPacketRays; ++i) {
    const std::int64_t at = first + (i < packet.count ? i : packet.count - 1);
    packet.row[i] = job.order == nullptr ? job.first_ray + at : job.order[at];
  }
  S direction[D][kPacketRays], power[kPacketRays], scale[kPacketRays], most[kPacketRays];
  for (int k = 0; k < D; ++k) {
    load_rows(packet, job.origin[k], packet.origin[k]);
    load_rows(packet, job.direction[k], direction[k]);
  }
  if (job.max_t.data == nullptr) {
    for (int i = 0; i < kPacketRays; ++i) packet.max_t[i] = kLargest<S>;
  } else {
    load_rows(packet, job.max_t, packet.max_t);
  }
  for (int i = 0; i < kPacketRays; ++i) power[i] = 0;
  for (int k = 0; k < D; ++k) {
    for (int i = 0; i < kPacketRays; ++i) {
      const S size = direction[k][i] < 0 ? -direction[k][i] : direction[k][i];
      power[i] = size > power[i] ? size : power[i];
    }
  }
  for (int i = 0; i < kPacketRays; ++i) {
    power[i] = power_below(power[i]);
    scale[i] = S(1) / power[i];
    most[i] = packet.max_t[i] * power[i];
    most[i] = most[i] < kLargest<S> ? most[i] : kLargest<S>;
    most[i] = i < packet.count ? most[i] : S(-1);
  }
  for (int i = 0; i < kPacketRays; ++i) {
    packet.scale[i] = scale[i];
    packet.set_best(i, most[i]);
    packet.shape[i] = -1;
  }
  packet.inside = packet.open = 0;
  for (int k = 0; k < D; ++k) {
    for (int i = 0; i < kPacketRays; ++i) direction[k][i] = direction[k][i] * scale[i];
    for (int i = 0; i < kPacketRays; ++i) {
      packet.direction[k][i] = direction[k][i];
      packet.inverse[k][i] = P(1) / static_cast<P>(direction[k][i]);
    }
  }
}

/// A number, raised by more than the rounding of the two operations that led to it.
template <class P>
WIDEPHASE_INLINE P raised(P x, P by) {
  const P size = x < 0 ? -x : x;
  return x + size * by;
}

/// The origins in a tree's frame. In float that is the scene's own, and without a margin `up` and
/// `down` are the origin.
template <int D, class T>
WIDEPHASE_INLINE void set_frame(const PositionOf<T>* frame, PositionOf<T> margin,
                                RayPacket<D, T>& packet) {
  using P = PositionOf<T>;
  constexpr P kRaise = sizeof(P) == 4 ? P(0x1p-22) : P(0x1p-51);
  for (int k = 0; k < D; ++k) {
    const P shift = frame == nullptr ? P(0) : frame[k];
    if (margin == 0 && shift == 0) {
      __builtin_memcpy(packet.up[k], packet.origin[k], sizeof packet.up[k]);
      __builtin_memcpy(packet.down[k], packet.origin[k], sizeof packet.down[k]);
      continue;
    }
    for (int i = 0; i < kPacketRays; ++i) {
      const P at = packet.origin[k][i] - shift;
      packet.up[k][i] = raised(at + margin, kRaise);
      packet.down[k][i] = raised(at - margin, -kRaise);
    }
  }
}

}  // namespace
}  // namespace widephase
