#pragma once

// The candidates of a walk: one shape against the rays of a packet that enter its box.

#include "kernels/rays/ray_reader.hpp"

namespace widephase {
namespace {

template <int D, class T>
class RayCandidates : public RayReader<D, T> {
 public:
  using Reader = RayReader<D, T>;
  using Reader::job_;
  using Reader::kLanes;
  using Reader::shapes_;
  using typename Reader::F;
  using typename Reader::Packet;
  using typename Reader::S;

  RayCandidates(const RayJob<D, T>& job, RayCounts& counts) : Reader(job), counts_(counts) {}

 protected:
  /// A shape against the rays of `rays`, which enter its box at `entry`; all others have an
  /// infinite one, or are of batches without one of them. True if one of them has a new best.
  bool meet(Packet& packet, Kind kind, std::int32_t id, RayBits rays,
            const S (&entry)[kPacketRays]) {
    counts_.tests += count_of(rays);
    switch (kind) {
      case Kind::sphere:
        return meet_own<Kind::sphere>(packet, id, rays, entry);
      case Kind::capsule:
        return meet_own<Kind::capsule>(packet, id, rays, entry);
      case Kind::box:
        return meet_own<Kind::box>(packet, id, rays, entry);
      case Kind::aabb:
      case Kind::halfspace:
      case Kind::polygon:
      case Kind::hull:
      case Kind::cylinder:
      case Kind::ellipsoid:
      case Kind::cone:
        return meet_any(packet, kind, id, rays, entry);
      case Kind::heightfield:
      case Kind::mesh:
      case Kind::chain:
        return meet_surface(packet, kind, id, rays, entry);
    }
    __builtin_unreachable();
  }

  RayCounts& counts_;

 private:
  /// Frequent kinds have a function of their own, in which a shape never leaves the registers.
  template <Kind K>
  __attribute__((noinline)) bool meet_own(Packet& packet, std::int32_t id, RayBits rays,
                                          const S (&entry)[kPacketRays]) {
    if (job_.inside == Inside::exit) return meet_any(packet, K, id, rays, entry);
    return meet_lanes(
        packet, id, rays, entry,
        [&](const ShapeLanes<F, D>& lanes, const Vec<F, D>& origin, const RayLanes<F, D>& ray,
            unsigned live) {
          const RayMeet<F, D> in = meet_shape<Side::enter, Packet::is_mixed>(
              K, lanes, origin, ray, shapes_.library, shapes_.indices, live);
          return entering(in, job_.inside);
        },
        K);
  }
  __attribute__((noinline)) bool meet_any(Packet& packet, Kind kind, std::int32_t id, RayBits rays,
                                          const S (&entry)[kPacketRays]) {
    return meet_lanes(
        packet, id, rays, entry,
        [&](const ShapeLanes<F, D>& lanes, const Vec<F, D>& origin, const RayLanes<F, D>& ray,
            unsigned live) {
          return answer_shape<Packet::is_mixed>(kind, lanes, origin, ray, shapes_.library,
                                                shapes_.indices, live, job_.inside);
        },
        kind);
  }
  template <class Answer>
  WIDEPHASE_INLINE bool meet_lanes(Packet& packet, std::int32_t id, RayBits rays,
                                   const S (&entry)[kPacketRays], const Answer& answer_of,
                                   Kind kind) {
    const F grow = F(this->grow_of(id));
    bool has_new = false;
    for (int first = 0; first < kPacketRays; first += kLanes) {
      const auto live = static_cast<unsigned>(rays >> first & LaneTraits<F>::all);
      if (live == 0) continue;
      ShapeLanes<F, D> lanes;
      this->broadcast(packet, kind, id, first, lanes);
      const RayLanes<F, D> ray(this->directions(packet, first), grow);
      const RayAnswer<F> answer = answer_of(lanes, this->origins(packet, first), ray, live);
      const F t = greater(answer.t, load(entry + first)), best = load(packet.best + first);
      if ((mask_bits(answer.is_met & (t <= best)) & live) == 0) continue;
      has_new |= keep_lanes(packet, first, id, answer, t, best, live);
    }
    return has_new;
  }

  /// Keeps the least (t, id) of each ray; true if one is new.
  WIDEPHASE_INLINE bool keep_lanes(Packet& packet, int first, std::int32_t id,
                                   const RayAnswer<F>& answer, const F& t, const F& best,
                                   unsigned live) {
    const RayBits inside = static_cast<RayBits>(mask_bits(answer.is_inside)) << first;
    const RayBits open = static_cast<RayBits>(mask_bits(answer.open > F(0))) << first;
    const auto is_less = answer.is_met & (t < best);
    unsigned less = mask_bits(is_less) & live;
    unsigned single = mask_bits(answer.is_met & (t == best)) & live;
    if (job_.may_meet != nullptr || Packet::is_mixed || job_.any != nullptr) {
      single |= less;
      less = 0;
    }
    if (less != 0) {
      store_where<F>(is_less, packet.best + first, t);
      for (int i = 0; i < kLanes; ++i) {
        packet.shape[first + i] = (less >> i & 1) != 0 ? id : packet.shape[first + i];
      }
      const RayBits is_new = static_cast<RayBits>(less) << first;
      packet.inside = (packet.inside & ~is_new) | (inside & is_new);
      packet.open = (packet.open & ~is_new) | (open & is_new);
    }
    bool has_new = less != 0;
    if (single == 0) return has_new;
    const Lanes<F> times(t);
    for (; single != 0; single &= single - 1) {
      const int i = __builtin_ctz(single), at = first + i;
      has_new |= keep(packet, at, id, times[i], (inside >> at & 1) != 0, (open >> at & 1) != 0);
    }
    return has_new;
  }
  bool keep(Packet& packet, int ray, std::int32_t id, S t, bool is_inside, bool is_open) {
    const std::int32_t before = packet.shape[ray];
    const bool is_better =
        t < packet.best[ray] || (t == packet.best[ray] && (before < 0 || id < before));
    if (!is_better) return false;
    if (job_.may_meet != nullptr && !job_.may_meet(job_.filter, id, packet.row[ray])) return false;
    packet.shape[ray] = id;
    const RayBits bit = RayBits{1} << ray;
    packet.inside = is_inside ? packet.inside | bit : packet.inside & ~bit;
    packet.open = is_open ? packet.open | bit : packet.open & ~bit;
    packet.set_best(ray, job_.any != nullptr ? S(-1) : t);
    return true;
  }

  /// A surface against the rays of `rays`, one by one.
  bool meet_surface(Packet& packet, Kind kind, std::int32_t id, RayBits rays,
                    const S (&entry)[kPacketRays]) {
    bool has_new = false;
    for (; rays != 0; rays &= rays - 1) {
      const int i = first_of(rays);
      const auto placed = place_surface(shapes_, packet, kind, id, i, this->grow_of(id));
      const SurfaceMeet answer = placed.answer(job_.inside);
      if (!answer.is_met || !(answer.t <= double(kLargest<S>))) continue;
      const S own = static_cast<S>(answer.t), t = own > entry[i] ? own : entry[i];
      if (!(t <= packet.best[i]) || !keep(packet, i, id, t, answer.is_inside, false)) continue;
      packet.met[i] = {answer.normal, answer.t, answer.part, answer.feature};
      has_new = true;
    }
    return has_new;
  }
};

}  // namespace
}  // namespace widephase
