#pragma once

// What is read of shapes and rays, one shape for all lanes or one for each.

#include "kernels/rays/ray_packet.hpp"
#include "kernels/rays/ray_surface.hpp"

namespace widephase {
namespace {

template <int D, class T>
class RayReader {
 public:
  using S = SizeOf<T>;
  using P = PositionOf<T>;
  using F = Batch<S>;
  using Packet = RayPacket<D, T>;
  static constexpr bool is_mixed = Packet::is_mixed;
  static constexpr int kLanes = LaneTraits<F>::count;

  explicit RayReader(const RayJob<D, T>& job) : job_(job), shapes_(*job.shapes) {}

 protected:
  Kind kind(std::int32_t id) const { return kind_of(shapes_.first, id); }
  S grow_of(std::int32_t id) const {
    return shapes_.margins == nullptr ? job_.margin : job_.margin + shapes_.margins[id];
  }
  const S* row_of(Kind kind, std::int32_t id) const {
    return shapes_.rows[static_cast<int>(kind)] + std::ptrdiff_t{id} * row_numbers<D>(kind);
  }
  bool has_rests(Kind kind) const {
    return kind == (D == 2 ? Kind::polygon : Kind::hull) && shapes_.rests != nullptr;
  }

  static WIDEPHASE_INLINE Vec<F, D> directions(const Packet& packet, int first) {
    return each_axis<F, D>([&](int k) { return load(packet.direction[k] + first); });
  }
  /// In mixed precision shapes are placed relative to the origins.
  static WIDEPHASE_INLINE Vec<F, D> origins(const Packet& packet, int first) {
    if constexpr (is_mixed) {
      return zero_vec<F, D>();
    } else {
      return each_axis<F, D>([&](int k) { return load(packet.origin[k] + first); });
    }
  }

  /// One shape for the rays from `first` on.
  WIDEPHASE_INLINE void broadcast(const Packet& packet, Kind kind, std::int32_t id, int first,
                                  ShapeLanes<F, D>& lanes) const {
    const int width = row_numbers<D>(kind);
    const S* const row = row_of(kind, id);
    for (int n = 0; n < width; ++n) lanes.row[n] = F(row[n]);
    lanes.rest = zero_vec<F, D>();
    if (has_rests(kind)) {
      const S* const rest = shapes_.rests + std::ptrdiff_t{id} * 4;
      lanes.rest = each_axis<F, D>([&](int axis) { return F(rest[axis]); });
    }
    if constexpr (is_mixed) {
      S apart[kMostAnchorNumbers][kLanes];
      for (int i = 0; i < kLanes; ++i) place_apart(packet, kind, id, first + i, i, apart);
      for (int n = 0; n < anchor_numbers(kind); ++n) lanes.apart[n] = load(apart[n]);
    }
  }
  /// A shape of one kind and one of the packet's rays for each lane.
  void gather(const Packet& packet, Kind kind, const std::int32_t (&ids)[kLanes],
              const int (&rays)[kLanes], ShapeLanes<F, D>& lanes, F& grow) const {
    S rest[D][kLanes] = {}, grows[kLanes], apart[kMostAnchorNumbers][kLanes];
    gather_rows(kind, ids, lanes.row);
    for (int i = 0; i < kLanes; ++i) {
      grows[i] = grow_of(ids[i]);
      for (int axis = 0; axis < D && has_rests(kind); ++axis) {
        rest[axis][i] = shapes_.rests[std::ptrdiff_t{ids[i]} * 4 + axis];
      }
      if constexpr (is_mixed) place_apart(packet, kind, ids[i], rays[i], i, apart);
    }
    if constexpr (is_mixed) {
      for (int n = 0; n < anchor_numbers(kind); ++n) lanes.apart[n] = load(apart[n]);
    }
    lanes.rest = each_axis<F, D>([&](int axis) { return load(rest[axis]); });
    grow = load(grows);
  }

  const RayJob<D, T>& job_;
  const RayShapes<D, T>& shapes_;

 private:
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
  /// The packed rows of one kind's shapes.
  void gather_rows(Kind kind, const std::int32_t (&ids)[kLanes], F (&row)[kMostRowNumbers]) const {
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
};

}  // namespace
}  // namespace widephase
