#pragma once

// The order of a tile tree's boxes, kept from one call to the next.
//
// Rows (boxes in the caller's order) are written into slots: slots whose lanes are in one block of
// tiles are adjacent. So tiles are gathered from a part of memory that the cache holds, although
// neighbours in space may be anywhere in the caller's arrays. Boxes that leave the home of their
// tile become strays, which are sorted anew in each call and have their own tiles.

#include <limits>

#include <widephase/columns.hpp>

#include "kernels/broad_table.hpp"

namespace widephase {

/// Below this many boxes sorting is cheap, and no order is kept.
inline constexpr std::size_t kLeastKept = 512;
/// One box in this many may be a stray; beyond that all are sorted anew.
inline constexpr std::size_t kBoxesAStray = 16;
/// A home is its tile's box when it was sorted, widened on each side by this share of its longest
/// side.
inline constexpr float kHomeMargin = 0.5f;

template <int D, class T>
struct KeptOrder {
  std::int32_t world = 0;
  std::size_t box_count = 0;  ///< 0: nothing is kept
  std::size_t tile_count = 0;
  T origin[D] = {};
  Column<std::int32_t> slots;     ///< per row
  Column<std::int32_t> rows;      ///< per slot; the slot `box_count` has no box
  Column<std::uint64_t> records;  ///< row << 32 | slot of a lane
  Column<float> homes;            ///< one box per tile, min then max
  Column<std::uint64_t> strays;   ///< slots

  std::size_t least_opened = 0;
  std::size_t opened_in_vain = 0;

  /// Counts the pairs of leaves that a walk opened.
  void count_opened(std::size_t opened) {
    least_opened = opened < least_opened ? opened : least_opened;
    opened_in_vain += opened - least_opened;
  }
  /// Whether the calls since the last sort have opened so many superfluous pairs of leaves that
  /// they cost about as much as sorting anew: one per box.
  bool is_worn() const { return opened_in_vain > box_count; }

  std::uint64_t record_of(std::uint64_t record) const {
    const std::uint64_t slot = record & 0xFFFFFFFFu;
    return static_cast<std::uint64_t>(rows[slot]) << 32 | slot;
  }

  static std::size_t most_strays(std::size_t count) { return count / kBoxesAStray; }
  static std::size_t most_stray_tiles(std::size_t count) {
    return most_strays(count) / kTileLanes + 1;
  }

  std::size_t bytes() const {
    return slots.bytes() + rows.bytes() + records.bytes() + homes.bytes() + strays.bytes();
  }
};

}  // namespace widephase
