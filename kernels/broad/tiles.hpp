#pragma once

// Tiles of 16 boxes and the levels above them.

#include "kernels/broad/centres.hpp"

namespace widephase {
namespace {

template <int D>
WIDEPHASE_INLINE const float* lane_box(const float* tiles, std::int32_t lane) {
  const std::size_t index = static_cast<std::uint32_t>(lane);
  return tiles + index / kTileLanes * kTileFloats<D> + index % kTileLanes;
}
template <int D>
WIDEPHASE_INLINE const float* tile_at(const float* tiles, std::int32_t tile) {
  return tiles + static_cast<std::size_t>(static_cast<std::uint32_t>(tile)) * kTileFloats<D>;
}

// The box of a tile, without NaN lanes. An empty tile gets +inf, -inf. Such a box meets only
// infinite boxes, and since its lanes are NaN no pair comes of it.
template <int D>
WIDEPHASE_INLINE void store_box(const float* tile, float* parents, std::size_t lane) {
  float* const box = parents + lane / kTileLanes * kTileFloats<D> + lane % kTileLanes;
  for (int d = 0; d < D; ++d) {
    Quad least = Quad{} + kInfinite<float>;
    Quad most = Quad{} - kInfinite<float>;
#pragma GCC unroll 4
    for (int i = 0; i < kTileLanes; i += 4) {
      least = lower(load_quad(tile + d * kTileLanes + i), least);
      most = higher(load_quad(tile + (D + d) * kTileLanes + i), most);
    }
    box[d * kTileLanes] = lowest(least);
    box[(D + d) * kTileLanes] = highest(most);
  }
}

// Returns false only if no box can stick out: along some axis the centres are at least as far apart
// as the tile is wide, minus the width of its widest box.
template <int D>
WIDEPHASE_INLINE bool may_stick(const float* tile, const float* box) {
  float widest = 0;
  float apart = 0;
  for (int d = 0; d < D; ++d) {
    Quad extent = Quad{};
#pragma GCC unroll 4
    for (int i = 0; i < kTileLanes; i += 4) {
      extent =
          higher(load_quad(tile + (D + d) * kTileLanes + i) - load_quad(tile + d * kTileLanes + i),
                 extent);
    }
    const float of_axis = highest(extent);
    const float spread = box[(D + d) * kTileLanes] - box[d * kTileLanes] - of_axis;
    widest = of_axis > widest ? of_axis : widest;
    apart = spread > apart ? spread : apart;
  }
  return !(widest < apart);
}

// Bit i: box i is wider than the tile's centres are apart. Its width, and not the boxes' positions,
// then makes the tile large.
template <int D>
WIDEPHASE_INLINE std::uint32_t sticking_lanes(const float* tile) {
  float widest = 0;
  for (int d = 0; d < D; ++d) {
    Quad least = Quad{} + kInfinite<float>;
    Quad most = Quad{} - kInfinite<float>;
#pragma GCC unroll 4
    for (int i = 0; i < kTileLanes; i += 4) {
      const Quad centre =
          load_quad(tile + d * kTileLanes + i) + load_quad(tile + (D + d) * kTileLanes + i);
      // Infinite centres are ignored.
      least = lower(centre >= -kLargest<float> ? centre : least, least);
      most = higher(centre <= kLargest<float> ? centre : most, most);
    }
    const float width = highest(most) - lowest(least);
    widest = width > widest ? width : widest;
  }
  widest *= 0.5f;
  std::uint32_t bits = 0;
  for (int i = 0; i < kTileLanes; ++i) {
    std::uint32_t is_sticking = 0;
    for (int d = 0; d < D; ++d) {
      const float extent = tile[(D + d) * kTileLanes + i] - tile[d * kTileLanes + i];
      is_sticking |= static_cast<std::uint32_t>(extent > widest);
    }
    bits |= is_sticking << i;
  }
  return bits;
}

// Bit i: box i is not inside the home box. The home has no NaN; empty lanes count as inside.
template <int D>
WIDEPHASE_INLINE std::uint32_t stray_lanes(const float* tile, const float* home) {
  alignas(64) std::int32_t is_stray[kTileLanes];
  WideInt any = {};
  for (int lane = 0; lane < kTileLanes; lane += kWideLanes) {
    WideInt is_outside = {};
    for (int d = 0; d < D; ++d) {
      is_outside |= load_wide<WideFloat>(tile + d * kTileLanes + lane) < home[d];
      is_outside |= load_wide<WideFloat>(tile + (D + d) * kTileLanes + lane) > home[D + d];
    }
    any |= is_outside;
    store_wide(is_stray + lane, is_outside);
  }
  std::int32_t found = 0;
  for (int lane = 0; lane < kWideLanes; ++lane) found |= any[lane];
  if (found == 0) return 0;
  std::uint32_t bits = 0;
  for (int i = 0; i < kTileLanes; ++i) bits |= static_cast<std::uint32_t>(is_stray[i] & 1) << i;
  return bits;
}

template <int D>
WIDEPHASE_INLINE void clear_lanes(float* tile, std::uint32_t bits) {
  for (int i = 0; i < kTileLanes; ++i) {
    for (int k = 0; k < 2 * D && (bits >> i & 1) != 0; ++k) {
      tile[k * kTileLanes + i] = __builtin_nanf("");
    }
  }
}

// Prefetches rows of the next block in memory order, one tile's share per call.
template <int D>
WIDEPHASE_INLINE void fetch_next_block(const GatherJob<D>& job, std::size_t lane) {
  const std::size_t slot = lane + kBlockLanes;
  if (slot + kTileLanes > job.count) return;
  const float* const rows = job.rows + slot * kRowFloats<D>;
  for (int line = 0; line < kRowFloats<D>; ++line) {
    __builtin_prefetch(rows + line * kTileLanes, 0, 2);
  }
}

template <int D>
std::size_t gather_tiles(const GatherJob<D>& job, std::size_t begin, std::size_t end) {
  std::size_t found = 0;
  for (std::size_t t = begin; t < end; ++t) {
    const std::size_t first = t * kTileLanes;
    const std::size_t live = job.count - first < kTileLanes ? job.count - first : kTileLanes;
    const std::size_t index = job.first_tile + t;
    float* const tile = job.tiles + index * kTileFloats<D>;
    std::int32_t* const ids = job.lane_ids + index * kTileLanes;
    if (job.has_slots) {
      fetch_next_block<D>(job, first);
    } else if (first + kFetchAhead + kTileLanes <= job.count) {
      const std::uint64_t* const next = job.records + first + kFetchAhead;
      for (int i = 0; i < kTileLanes; ++i) {
        __builtin_prefetch(job.rows + (next[i] & 0xFFFFFFFFu) * kRowFloats<D>, 0, 2);
      }
    }
    gather_rows<D>(job.rows, job.records + first, live, tile);
    const int row_bit = job.has_slots ? 32 : 0;
    for (std::size_t i = 0; i < live; ++i) {
      const auto row = static_cast<std::int32_t>(job.records[first + i] >> row_bit & 0xFFFFFFFFu);
      ids[i] = job.ids == nullptr ? job.first + row : job.ids[row];
    }
    for (std::size_t i = live; i < kTileLanes; ++i) ids[i] = 0;
    if (job.homes != nullptr) {
      const std::uint32_t strays = stray_lanes<D>(tile, job.homes + index * 2 * D);
      job.strays[index] = static_cast<std::uint16_t>(strays);
      found += static_cast<std::size_t>(bit_count(strays));
      if (strays != 0) clear_lanes<D>(tile, strays);
    }
    store_box<D>(tile, job.parents, index);
    if (job.counts_sticking && may_stick<D>(tile, lane_box<D>(job.parents, index))) {
      found += static_cast<std::size_t>(bit_count(sticking_lanes<D>(tile)));
    }
  }
  return found;
}

template <int D>
void sticking(const float* tiles, std::size_t count, std::uint16_t* masks) {
  for (std::size_t t = 0; t < count; ++t) {
    masks[t] = static_cast<std::uint16_t>(sticking_lanes<D>(tiles + t * kTileFloats<D>));
  }
}

template <int D>
void raise_level(const float* tiles, std::size_t begin, std::size_t end, float* parents) {
  for (std::size_t t = begin; t < end; ++t) store_box<D>(tiles + t * kTileFloats<D>, parents, t);
}

}  // namespace
}  // namespace widephase
