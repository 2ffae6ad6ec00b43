#pragma once

// From the patches that kernels find (kernels/surface_table.hpp) to contacts. How many a pair has
// is not known before, so this grows the room, and the kernels only say how much they need.

#include <widephase/contacts.hpp>

#include "kernels/surface_table.hpp"
#include "soa/ascending.hpp"
#include "soa/kind_traits.hpp"
#include "soa/mirrored_feature.hpp"
#include "soa/turn.hpp"

namespace widephase {

/// The cosine of an angle in degrees, alike on every machine; an angle of 0 leaves normals some
/// rounding.
inline double patch_cosine(double degrees) {
  constexpr double kRadians = 0.017453292519943295;
  return turn_of(degrees * kRadians).cosine - 1e-9;
}

/// Writes patch after patch to contacts that `resize(contacts, points)` makes room for, without
/// those whose depth or points have overflowed (kernels/core/run/emit.hpp leaves out other pairs').
template <int D, class T>
class PatchWriter {
 public:
  using Size = SizeOf<T>;
  PatchWriter(const SurfaceRun<Size, D>& run, ContactBuffer<D, T>& contacts)
      : run_(run.pairs), contacts_(contacts) {}

  template <class Resize>
  void write(const SurfaceAnswer<Size, D>& answer, const Resize& resize) {
    if (answer.count == 0) return;
    std::size_t contact = contacts_.size(), point = contacts_.point_count();
    std::size_t patches = 0, points = 0;
    for (std::int64_t p = 0; p < answer.count; ++p) {
      if (!is_finite(answer.patches[p])) continue;
      ++patches;
      points += static_cast<std::size_t>(answer.patches[p].point_count);
    }
    resize(contact + patches, point + points);
    for (std::int64_t p = 0; p < answer.count; ++p) {
      const SurfacePatch<Size, D>& patch = answer.patches[p];
      if (!is_finite(patch)) continue;
      const std::int64_t at = answer.begin + (answer.pair == nullptr ? 0 : answer.pair[p]);
      const Pair pair = run_.pairs[at];
      const Pair own = ascending(pair);
      const bool is_flipped = pair.a != own.a;
      contacts_.pair[contact] = pair;
      contacts_.source[contact] = run_.source == nullptr ? run_.first_source + at : run_.source[at];
      for (int k = 0; k < D; ++k) {
        contacts_.normal(contact, k) = is_flipped ? 0 - patch.normal[k] : patch.normal[k];
      }
      contacts_.depth[contact] = patch.depth;
      contacts_.status[contact] = patch.status;
      contacts_.offset[contact] = static_cast<std::int64_t>(point);
      for (std::int32_t n = 0; n < patch.point_count; ++n, ++point) {
        write_point(patch, patch.points[n], own.a, is_flipped, point);
      }
      ++contact;
    }
  }

 private:
  static bool is_finite(const SurfacePatch<Size, D>& patch) {
    double sum = static_cast<double>(patch.depth - patch.depth);  // 0, or NaN
    for (int k = 0; k < D; ++k) sum += static_cast<double>(patch.normal[k]);
    for (std::int32_t n = 0; n < patch.point_count; ++n) {
      const SurfacePoint<Size, D>& point = patch.points[n];
      sum += static_cast<double>(point.depth - point.depth);
      for (int k = 0; k < D; ++k) sum += point.offset[k] - point.offset[k];
    }
    return sum - sum == 0;
  }
  void write_point(const SurfacePatch<Size, D>& patch, const SurfacePoint<Size, D>& from,
                   std::int32_t own_a, bool is_flipped, std::size_t point) {
    for (int k = 0; k < D; ++k) {
      auto at = static_cast<PositionOf<T>>(anchor(own_a, k) + from.offset[k]);
      if (is_flipped) {
        at -= static_cast<PositionOf<T>>(from.depth) * static_cast<PositionOf<T>>(patch.normal[k]);
      }
      contacts_.point(point, k) = at;
    }
    contacts_.point_depth[point] = from.depth;
    contacts_.feature[point] = is_flipped ? mirrored_feature(from.feature) : from.feature;
    contacts_.part(point, is_flipped ? 0 : 1) = from.part;
    contacts_.part(point, is_flipped ? 1 : 0) =
        traits_of(run_.kind_a).is_surface ? from.part_a : -1;
  }
  /// The point of A that its row begins with. A halfspace has none.
  double anchor(std::int32_t id, int k) const {
    if (traits_of(run_.kind_a).is_unbounded) return 0;
    if constexpr (is_mixed<T>) {
      return run_.anchors_a[std::ptrdiff_t{id} * run_.anchor_width_a + k];
    } else {
      return static_cast<double>(run_.rows_a[std::ptrdiff_t{id} * row_width(run_.kind_a, D) + k]);
    }
  }

  const PairRun<D, Size>& run_;
  ContactBuffer<D, T>& contacts_;
};

/// Returns how many patches were left out.
template <int D, class T, class Resize>
std::int64_t append_patches(const SurfaceTable<SizeOf<T>, D>& table,
                            const SurfaceRun<SizeOf<T>, D>& run, ContactBuffer<D, T>& contacts,
                            Column<std::byte>& room, const Resize& resize) {
  PatchWriter<D, T> writer(run, contacts);
  std::int64_t left_out = 0;
  for (std::int64_t i = 0; i < run.pairs.count;) {
    SurfaceAnswer<SizeOf<T>, D> answer =
        table.find_patches(run, i, {room.plane(), room.capacity()});
    while (answer.bytes_needed > 0) {
      room.reserve(answer.bytes_needed + answer.bytes_needed / 2);
      answer = table.find_patches(run, i, {room.plane(), room.capacity()});
    }
    writer.write(answer, resize);
    left_out += answer.left_out;
    i = answer.end;
  }
  return left_out;
}

}  // namespace widephase
