#pragma once

// Tiles of 16 boxes and the levels above them.

#include "broad/centres.hpp"

namespace widephase {
namespace {

WIDEPHASE_INLINE float lowest(const float* values) {
  float half[8];
  for (int i = 0; i < 8; ++i) half[i] = values[i + 8] < values[i] ? values[i + 8] : values[i];
  for (int i = 0; i < 4; ++i) half[i] = half[i + 4] < half[i] ? half[i + 4] : half[i];
  for (int i = 0; i < 2; ++i) half[i] = half[i + 2] < half[i] ? half[i + 2] : half[i];
  return half[1] < half[0] ? half[1] : half[0];
}

// The box of a tile, NaN lanes left out. An empty tile gets +inf, -inf, which meets infinite boxes
// only: their lanes are NaN and nothing comes of it.
template <int D>
WIDEPHASE_INLINE void store_box(const float* tile, float* parents, std::size_t lane) {
  float* const box = parents + lane / kTileLanes * kTileFloats<D> + lane % kTileLanes;
  for (int k = 0; k < 2 * D; ++k) {
    const float side = k < D ? 1.0f : -1.0f;
    alignas(64) float values[kTileLanes];
    for (int i = 0; i < kTileLanes; ++i) {
      const float value = tile[k * kTileLanes + i] * side;
      values[i] = value == value ? value : kInfinite<float>;
    }
    box[k * kTileLanes] = lowest(values) * side;
  }
}

// Bit i: box i is wider than the tile's centres are apart, so that the tile grows by it rather
// than by where its boxes are.
template <int D>
WIDEPHASE_INLINE std::uint32_t sticking_lanes(const float* tile) {
  float widest = 0;
  for (int d = 0; d < D; ++d) {
    alignas(64) float low[kTileLanes];
    alignas(64) float high[kTileLanes];
    for (int i = 0; i < kTileLanes; ++i) {
      const float centre = tile[d * kTileLanes + i] + tile[(D + d) * kTileLanes + i];
      const float size = centre < 0 ? -centre : centre;
      low[i] = size <= kLargest<float> ? centre : kInfinite<float>;
      high[i] = size <= kLargest<float> ? -centre : kInfinite<float>;
    }
    const float width = -lowest(high) - lowest(low);
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
    for (std::size_t i = 0; i < kTileLanes; ++i) {
      const std::int32_t row =
          i < live ? static_cast<std::int32_t>(job.records[first + i] & 0xFFFFFFFFu) : 0;
      ids[i] = job.ids == nullptr ? job.first + row : job.ids[row];
    }
    store_box<D>(tile, job.parents, index);
    if (job.counts_sticking) sticking += static_cast<std::size_t>(bit_count(sticking_lanes<D>(tile)));
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
