#pragma once

// Boxes copied into the leaves of a float tree as they stand, or in a given order.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

#include "kernels/broad_table.hpp"
#include "pipeline/broad/tile_tree.hpp"

namespace widephase {

/// Fills a tile of a float tree. Whole tiles are read, also past the last box: columns are
/// padded.
template <int D, class T>
void copy_tile(TileTree<D, T>& tree, const BoxSource<D, T>& source, std::size_t first,
               std::size_t live, std::size_t t) {
  static_assert(Column<T>::padding_bytes >= kTileLanes * sizeof(T));
  float* const tile = tree.leaves.plane() + t * kTileFloats<D>;
  std::int32_t* const ids = tree.lane_ids.plane() + t * kTileLanes;
  // Dead lanes get all bits, which is a NaN.
  constexpr std::uint32_t kAll = ~std::uint32_t{0};
  static constexpr std::uint32_t kLiveThenDead[2 * kTileLanes] = {
      0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,
      0,    0,    0,    0,    0,    kAll, kAll, kAll, kAll, kAll, kAll,
      kAll, kAll, kAll, kAll, kAll, kAll, kAll, kAll, kAll, kAll};
  const std::uint32_t* const dead = kLiveThenDead + kTileLanes - live;
  for (std::size_t i = 0; i < live; ++i) {
    ids[i] = tree.id_of_row(static_cast<std::int32_t>(first + i));
  }
  for (std::size_t i = live; i < kTileLanes; ++i) ids[i] = 0;
  typedef std::uint32_t Quad __attribute__((vector_size(16)));
  const auto copy = [&](const T* numbers, std::ptrdiff_t stride, float* plane) {
    T gathered[kTileLanes];
    const T* from = numbers + source.first + first;
    if (source.ids != nullptr || stride != sizeof(T)) {
      const auto* const bytes = reinterpret_cast<const char*>(numbers);
      for (std::size_t i = 0; i < kTileLanes; ++i) {
        std::memcpy(gathered + i, bytes + ids[i < live ? i : 0] * stride, sizeof(T));
      }
      from = gathered;
    }
#pragma GCC unroll 4
    for (int i = 0; i < kTileLanes; i += 4) {
      Quad bits, is_dead;
      std::memcpy(&bits, from + i, sizeof bits);
      std::memcpy(&is_dead, dead + i, sizeof is_dead);
      bits |= is_dead;
      std::memcpy(plane + i, &bits, sizeof bits);
    }
  };
  for (int d = 0; d < D; ++d) {
    copy(source.min[d], source.min_stride, tile + d * kTileLanes);
    copy(source.max[d], source.max_stride, tile + (D + d) * kTileLanes);
  }
}

/// Fills the first tile of a float tree of at most 16 boxes. Only these are read, and any of them
/// may have a NaN or min > max: its lane stays empty.
template <int D, class T>
void copy_few(TileTree<D, T>& tree, const BoxSource<D, T>& source) {
  static_assert(sizeof(T) == sizeof(float));
  const std::size_t live = tree.box_count;
  std::int32_t* const ids = tree.lane_ids.plane();
  for (std::size_t i = 0; i < kTileLanes; ++i) {
    ids[i] = i < live ? tree.id_of_row(static_cast<std::int32_t>(i)) : 0;
  }
  float* const tile = tree.leaves.plane();
  const auto copy = [&](const T* numbers, std::ptrdiff_t stride, float* plane) {
    if (source.ids == nullptr && stride == sizeof(T) && live == kTileLanes) {
      std::memcpy(plane, numbers + source.first, kTileLanes * sizeof(T));
      return;
    }
    const auto* const bytes = reinterpret_cast<const char*>(numbers);
    for (std::size_t i = 0; i < live; ++i) {
      std::memcpy(plane + i, bytes + ids[i] * stride, sizeof(T));
    }
  };
  for (int d = 0; d < D; ++d) {
    copy(source.min[d], source.min_stride, tile + d * kTileLanes);
    copy(source.max[d], source.max_stride, tile + (D + d) * kTileLanes);
  }
  for (int k = 0; k < 2 * D; ++k) {
    float* const plane = tile + k * kTileLanes;
    std::fill(plane + live, plane + kTileLanes, std::numeric_limits<float>::quiet_NaN());
  }
  for (int lane = 0; lane < kTileLanes; ++lane) {
    bool is_valid = true;
    for (int d = 0; d < D; ++d) {
      is_valid &= tile[d * kTileLanes + lane] <= tile[(D + d) * kTileLanes + lane];
    }
    for (int k = 0; k < 2 * D; ++k) {
      float& number = tile[k * kTileLanes + lane];
      number = is_valid ? number : std::numeric_limits<float>::quiet_NaN();
    }
  }
}

/// Fills so many tiles, lane by lane with the row that a list names.
template <int D, class T>
void copy_tiles(TileTree<D, T>& tree, const BoxSource<D, T>& source, const std::int32_t* rows,
                std::size_t tiles) {
  constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
  const auto at = [](const T* numbers, std::ptrdiff_t stride, std::int32_t id) {
    T number;
    std::memcpy(&number, reinterpret_cast<const char*>(numbers) + id * stride, sizeof number);
    return number;
  };
  for (std::size_t lane = 0; lane < tiles * kTileLanes; ++lane) {
    float* const box = tree.leaves.plane() + lane / kTileLanes * kTileFloats<D> + lane % kTileLanes;
    const bool is_live = lane < tree.box_count;
    const std::int32_t id = is_live ? tree.id_of_row(rows[lane]) : 0;
    tree.lane_ids[lane] = id;
    for (int d = 0; d < D; ++d) {
      box[d * kTileLanes] = is_live ? at(source.min[d], source.min_stride, id) : kNone;
      box[(D + d) * kTileLanes] = is_live ? at(source.max[d], source.max_stride, id) : kNone;
    }
  }
}

}  // namespace widephase
