#pragma once

// The answers of a packet, written to the caller's columns: where its rays hit, sixteen at a time
// by the kinds of the shapes.

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
    unsigned hits = 0, triangles = 0;
    for (int i = 0; i < packet.count; ++i) hits |= packet.shape[i] >= 0 ? 1u << i : 0u;
    for (int i = 0; i < kPacketRays; ++i) feature_[i] = 0;
    for (int k = 0; k < D; ++k) {
      for (int i = 0; i < kPacketRays; ++i) normal_[k][i] = 0;
    }
    if (hits != packet.live) put_ends(packet);
    for (int first = 0; first < kPacketRays; first += kLanes) {
      for (unsigned left = hits >> first & LaneTraits<F>::all; left != 0;) {
        const Kind kind = this->kind(packet.shape[first + __builtin_ctz(left)]);
        unsigned same = 0;
        for (unsigned bits = left; bits != 0; bits &= bits - 1) {
          const int i = __builtin_ctz(bits);
          same |= this->kind(packet.shape[first + i]) == kind ? 1u << i : 0u;
        }
        left &= ~same;
        if (is_surface(kind)) {
          triangles |= same << first;
        } else {
          put_surfaces(packet, kind, first, same);
        }
      }
    }
    store_rows(packet, feature_, job_.feature);
    for (int k = 0; k < D; ++k) {
      store_rows(packet, normal_[k], job_.normal[k]);
      store_rows(packet, point_[k], job_.point[k]);
    }
    if (job_.part == nullptr) return;
    for (int i = 0; i < packet.count; ++i) job_.part[packet.row[i]] = -1;
    if constexpr (D == 3) {
      for (; triangles != 0; triangles &= triangles - 1) {
        const int i = __builtin_ctz(triangles);
        const std::int32_t id = packet.shape[i];
        write_triangle(job_, packet, this->kind(id), i, this->grow_of(id));
      }
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

  /// The rays from `first` on that hit a shape of one kind.
  void put_surfaces(const Packet& packet, Kind kind, int first, unsigned rays) {
    // The other lanes are copies.
    std::int32_t ids[kLanes];
    for (int i = 0; i < kLanes; ++i) {
      ids[i] = packet.shape[first + ((rays >> i & 1) != 0 ? i : __builtin_ctz(rays))];
    }
    ShapeLanes<F, D> lanes;
    F grow;
    this->gather(packet, kind, ids, first, lanes, grow);
    const RayLanes<F, D> ray(this->directions(packet, first), grow);
    const RaySurface<F, D> surface =
        surface_of_shape<Packet::is_mixed>(kind, lanes, this->origins(packet, first), ray,
                                           shapes_.library, shapes_.indices, rays, job_.inside);
    const Lanes<F> feature(surface.feature);
    const unsigned starts = mask_bits(surface.is_start);
    for (int i = 0; i < kLanes; ++i) {
      const auto of_lane = static_cast<std::uint32_t>((rays >> i & 1) != 0 ? feature[i] : S(0));
      feature_[first + i] = (rays >> i & 1) != 0 ? of_lane : feature_[first + i];
    }
    for (int k = 0; k < D; ++k) {
      const Lanes<F> normal(surface.normal[k]), point(surface.point[k]), row(lanes.row[k]);
      for (int i = 0; i < kLanes; ++i) {
        const bool is_own = (rays >> i & 1) != 0, is_start = (starts >> i & 1) != 0;
        const P start = packet.origin[k][first + i];
        P anchor = static_cast<P>(row[i]);
        if (is_plane(kind)) {
          anchor = start;
        } else if constexpr (Packet::is_mixed) {
          anchor = shapes_.anchors[static_cast<int>(kind)]
                                  [std::ptrdiff_t{ids[i]} * anchor_numbers(kind) + k];
        }
        const P at = anchor + static_cast<P>(point[i]);
        const bool is_finite = at <= kLargest<P> && at >= -kLargest<P>;
        normal_[k][first + i] = is_own ? normal[i] : normal_[k][first + i];
        const P on_shape = is_start || !is_finite ? start : at;
        point_[k][first + i] = is_own ? on_shape : point_[k][first + i];
      }
    }
  }

  alignas(64) S normal_[D][kPacketRays];
  alignas(64) P point_[D][kPacketRays];
  alignas(64) std::uint32_t feature_[kPacketRays];
};

}  // namespace
}  // namespace widephase
