#pragma once

// The tile tree: boxes in the order of a Hilbert curve, 16 per tile, and levels of 16 above them.
// Layouts: kernels/broad_table.hpp.

#include <cstddef>
#include <cstdint>

#include <widephase/columns.hpp>

#include "kernels/broad_table.hpp"
#include "pipeline/rows/pair_filter.hpp"

namespace widephase {

inline constexpr int kMostLevels = 12;

template <int D, class T>
struct TileTree {
  static constexpr bool kHasExact = sizeof(T) == 8;

  std::size_t box_count = 0;
  const std::int32_t* ids = nullptr;  ///< per row its id; null: first_id + row
  std::int32_t first_id = 0;
  T origin[D] = {};

  /// Double trees are asked for the boxes before rounding: a tree that lives longer than its source
  /// keeps a copy of them, kExactNumbers per row.
  bool keeps_exact = false;
  BoxSource<D, T> source{};
  Column<T> exact;
  Column<float> leaves;
  Column<float> upper;
  /// In float trees the ids of the boxes; in double trees their rows, see `id_of_row`.
  Column<std::int32_t> lane_ids;

  /// By tile; empty unless the tiles were cut by names.
  Column<SharedNames> names;

  int level_count = 0;  ///< the topmost has one tile with one lane: the root's box
  const float* level[kMostLevels] = {};
  std::size_t tile_count[kMostLevels] = {};

  std::int32_t id_of_row(std::int32_t row) const {
    return ids == nullptr ? first_id + row : ids[row];
  }
  std::size_t bytes() const {
    return exact.bytes() + leaves.bytes() + upper.bytes() + lane_ids.bytes() + names.bytes();
  }
};

}  // namespace widephase
