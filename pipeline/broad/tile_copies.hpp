#pragma once

// Boxes copied into the leaves of a float tree as they stand, or in a given order.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

#include "kernels/broad_table.hpp"
#include "pipeline/broad/tile_tree.hpp"

namespace widephase {

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
