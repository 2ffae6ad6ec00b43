#pragma once

// The answers of a packet, written to the caller's columns. Where its rays hit is found for the
// shapes of one kind after the other.

#include "kernels/rays/ray_reader.hpp"

namespace widephase {
namespace {

template <int D, class T>
class RayAnswers : public RayReader<D, T> {
 public:
  using Reader = RayReader<D, T>;
  using Reader::job_;
  using Reader::kLanes;
  using Reader::shapes_;
  using typename Reader::F;
  using typename Reader::P;
  using typename Reader::Packet;
  using typename Reader::S;

  explicit RayAnswers(const RayJob<D, T>& job) : Reader(job) {}

  void write(const Packet& packet) {
    const auto is_hit = [&](int i) { return packet.shape[i] >= 0; };
    if (job_.any != nullptr) {
      std::uint8_t any[kPacketRays];
      for (int i = 0; i < kPacketRays; ++i) any[i] = is_hit(i) ? 1 : 0;
      return store_rows(packet, any, job_.any);
    }
    S t[kPacketRays];
    std::uint8_t status[kPacketRays];
    for (int i = 0; i < kPacketRays; ++i) {
      const S scaled = packet.best[i] * packet.scale[i];
      t[i] = is_hit(i) && scaled < packet.max_t[i] ? scaled : packet.max_t[i];
      status[i] = static_cast<std::uint8_t>(packet.status(i));
    }
    store_rows(packet, packet.shape, job_.shape);
    store_rows(packet, t, job_.t);
    store_rows(packet, status, job_.status);
    if (job_.feature == nullptr) return;
    write_surfaces(packet);
  }

 private:
  void write_surfaces(const Packet& packet) {
    RayBits hits = 0;
    for (int i = 0; i < kPacketRays; ++i) {
      hits |= RayBits{packet.shape[i] >= 0} << i;
      feature_[i] = 0;
      kind_[i] = 0;
    }
    for (int k = 0; k < D; ++k) {
      for (int i = 0; i < kPacketRays; ++i) normal_[k][i] = 0;
    }
    if (hits != packet.live) put_ends(packet);
    for (int k = 1; k < kKindCount; ++k) {
      const std::int32_t from = shapes_.first[k];
      for (int i = 0; i < kPacketRays; ++i) kind_[i] += packet.shape[i] >= from ? 1 : 0;
    }
    RayBits on_surfaces = 0;
    for (RayBits left = hits; left != 0;) {
      const std::int32_t number = kind_[first_of(left)];
      RayBits same = 0;
      for (int i = 0; i < kPacketRays; ++i) same |= RayBits{kind_[i] == number} << i;
      same &= left;
      left &= ~same;
      const Kind kind = static_cast<Kind>(number);
      if (is_surface(kind)) {
        on_surfaces |= same;
      } else {
        put_surfaces(packet, kind, same);
      }
    }
    store_rows(packet, feature_, job_.feature);
    for (int k = 0; k < D; ++k) {
      store_rows(packet, normal_[k], job_.normal[k]);
      store_rows(packet, point_[k], job_.point[k]);
    }
    if (job_.part == nullptr) return;
    for (int i = 0; i < packet.count; ++i) job_.part[packet.row[i]] = -1;
    for (; on_surfaces != 0; on_surfaces &= on_surfaces - 1) {
      const int i = first_of(on_surfaces);
      const std::int32_t id = packet.shape[i];
      write_piece(job_, packet, this->kind(id), i, this->grow_of(id));
    }
  }

  /// Where rays that hit nothing end.
  void put_ends(const Packet& packet) {
    for (int k = 0; k < D; ++k) {
      for (int i = 0; i < kPacketRays; ++i) {
        const P origin = packet.origin[k][i];
        point_[k][i] = origin;
        if (job_.max_t.data == nullptr) continue;
        const P way = static_cast<P>(packet.max_t[i]) *
                      static_cast<P>(at_row(job_.direction[k], packet.row[i]));
        const P end = origin + way;
        point_[k][i] = end > kLargest<P> ? kLargest<P> : (end < -kLargest<P> ? -kLargest<P> : end);
      }
    }
  }

  /// The rays that hit a shape of one kind, as many as there are lanes at a time.
  void put_surfaces(const Packet& packet, Kind kind, RayBits rays) {
    while (rays != 0) {
      // The lanes behind the last ray are copies of the first.
      int at[kLanes], count = 0;
      for (; rays != 0 && count < kLanes; rays &= rays - 1) at[count++] = first_of(rays);
      for (int i = count; i < kLanes; ++i) at[i] = at[0];
      std::int32_t ids[kLanes];
      S origin[D][kLanes], direction[D][kLanes];
      for (int i = 0; i < kLanes; ++i) {
        ids[i] = packet.shape[at[i]];
        for (int k = 0; k < D; ++k) {
          origin[k][i] = Packet::is_mixed ? S(0) : static_cast<S>(packet.origin[k][at[i]]);
          direction[k][i] = packet.direction[k][at[i]];
        }
      }
      ShapeLanes<F, D> lanes;
      F grow;
      this->gather(packet, kind, ids, at, lanes, grow);
      const RayLanes<F, D> ray(each_axis<F, D>([&](int k) { return load(direction[k]); }), grow);
      const RaySurface<F, D> surface = surface_of_shape<Packet::is_mixed>(
          kind, lanes, each_axis<F, D>([&](int k) { return load(origin[k]); }), ray,
          shapes_.library, shapes_.indices, LaneTraits<F>::all >> (kLanes - count), job_.inside);
      const Lanes<F> feature(surface.feature);
      for (int i = 0; i < count; ++i) feature_[at[i]] = static_cast<std::uint32_t>(feature[i]);
      const unsigned starts = mask_bits(surface.is_start);
      for (int k = 0; k < D; ++k) {
        const Lanes<F> normal(surface.normal[k]), point(surface.point[k]), row(lanes.row[k]);
        for (int i = 0; i < count; ++i) {
          const P start = packet.origin[k][at[i]];
          P anchor = static_cast<P>(row[i]);
          if (is_plane(kind)) {
            anchor = start;
          } else if constexpr (Packet::is_mixed) {
            anchor = shapes_.anchors[static_cast<int>(kind)]
                                    [std::ptrdiff_t{ids[i]} * anchor_numbers(kind) + k];
          }
          const P on_shape = anchor + static_cast<P>(point[i]);
          const bool is_finite = on_shape <= kLargest<P> && on_shape >= -kLargest<P>;
          normal_[k][at[i]] = normal[i];
          point_[k][at[i]] = (starts >> i & 1) != 0 || !is_finite ? start : on_shape;
        }
      }
    }
  }

  alignas(64) std::int32_t kind_[kPacketRays];
  alignas(64) S normal_[D][kPacketRays];
  alignas(64) P point_[D][kPacketRays];
  alignas(64) std::uint32_t feature_[kPacketRays];
};

}  // namespace
}  // namespace widephase
