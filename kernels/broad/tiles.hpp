#pragma once

// Tiles of 16 boxes and the levels above them.

#include "broad/centres.hpp"

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

// The box of a tile, NaN lanes left out. An empty tile gets +inf, -inf, which meets infinite boxes
// only: their lanes are NaN and nothing comes of it.
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

// False only where no box can stick out: along an axis the centres are at least as far apart as
// the tile is wide less its widest box.
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

// Bit i: box i is wider than the tile's centres are apart, so that the tile grows by it rather
// than by where its boxes are.
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
      // Infinite centres are no centres.
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

// Records whose rows are asked for ahead of use: rows come from all over memory.
inline constexpr std::size_t kFetchAhead = 4 * kTileLanes;

template <int D>
std::size_t gather_tiles(const GatherJob<D>& job, std::size_t begin, std::size_t end) {
  std::size_t sticking = 0;
  for (std::size_t t = begin; t < end; ++t) {
    const std::size_t first = t * kTileLanes;
    const std::size_t live = job.count - first < kTileLanes ? job.count - first : kTileLanes;
    const std::size_t index = job.first_tile + t;
    float* const tile = job.tiles + index * kTileFloats<D>;
    std::int32_t* const ids = job.lane_ids + index * kTileLanes;
    if (first + kFetchAhead + kTileLanes <= job.count) {
      const std::uint64_t* const next = job.records + first + kFetchAhead;
      for (int i = 0; i < kTileLanes; ++i) {
        __builtin_prefetch(job.rows + (next[i] & 0xFFFFFFFFu) * kRowFloats<D>);
      }
    }
    gather_rows<D>(job.rows, job.records + first, live, tile);
    for (std::size_t i = 0; i < live; ++i) {
      const std::int32_t row = static_cast<std::int32_t>(job.records[first + i] & 0xFFFFFFFFu);
      ids[i] = job.ids == nullptr ? job.first + row : job.ids[row];
    }
    for (std::size_t i = live; i < kTileLanes; ++i) ids[i] = 0;
    store_box<D>(tile, job.parents, index);
    if (job.counts_sticking && may_stick<D>(tile, lane_box<D>(job.parents, index))) {
      sticking += static_cast<std::size_t>(bit_count(sticking_lanes<D>(tile)));
    }
  }
  return sticking;
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
