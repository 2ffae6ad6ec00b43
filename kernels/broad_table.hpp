#pragma once

// What the broad phase asks of an instruction set: plain functions over plain structs.
// The driver (pipeline/broad/find_pairs.cpp) decides what runs, these functions run it. This header
// is read by every instruction set's object, so it holds no inline function.
//
// Layouts, the same on every set because the order of the pairs follows from them:
//   row    a box as 2 * D floats, min then max, padded to kRowFloats: one cache line fetches it
//   tile   16 boxes as 2 * D planes of 16 floats, min then max; an empty lane is NaN in all planes
//          (an infinite box would meet an empty lane of +inf, -inf)
//   lane   16 * tile + place in the tile; lane i of a level is tile i of the level below
//   record key << 32 | row
//   slot   where the row of a kept order lies: slots of one block lie together, and so do its lanes

#include <cstddef>
#include <cstdint>

#include <widephase/types.hpp>

namespace widephase {

inline constexpr int kTileLanes = 16;
/// Slots and lanes of a block.
inline constexpr int kBlockBits = 13;
inline constexpr int kBlockLanes = 1 << kBlockBits;
/// Pairs of tiles that a walk takes at a time.
inline constexpr int kBlockPairs = 64;
template <int D>
inline constexpr int kTileFloats = 2 * D * kTileLanes;
template <int D>
inline constexpr int kRowFloats = D == 2 ? 4 : 8;
/// Numbers of an unrounded row: double only, where the walk's boxes are rounded outwards.
template <int D>
inline constexpr int kExactNumbers = 2 * D;

/// The caller's boxes in place: row k is box `ids[k]`, or `first + k` where `ids` is null.
template <int D, class T>
struct BoxSource {
  const T* min[D];
  const T* max[D];
  std::ptrdiff_t min_stride;  ///< bytes
  std::ptrdiff_t max_stride;
  const std::int32_t* ids;
  std::int32_t first;
};

/// Smallest and largest min + max (twice the centre) over the finite ones, along each axis.
template <int D, class T>
struct CentreRange {
  T min[D];
  T max[D];
};

/// How centres become keys: trunc((min + max - range.min) * scale), `bits` bits an axis.
template <int D, class T>
struct KeyFrame {
  T min[D];
  T scale;
  int bits;
  T origin[D];  ///< what the walk's boxes are relative to; 0 for float
};

/// Boxes in the order of `records` on their way into tiles.
template <int D>
struct GatherJob {
  const float* rows;
  const std::uint64_t* records;
  std::size_t count;
  /// Whether rows lie in slots, and records are row << 32 | slot.
  bool has_slots;
  const std::int32_t* ids;  ///< a row's id; null: first + row
  std::int32_t first;
  float* tiles;
  std::int32_t* lane_ids;
  float* parents;  ///< the level above, whose lane is a tile's box
  std::size_t first_tile;
  bool counts_sticking;
  /// A box a tile, min then max: boxes of the tile that are not within it are strays, whose lanes
  /// stay empty. Null: there are none.
  const float* homes;
  std::uint16_t* strays;  ///< a bit a lane of each tile
};

/// One level of a walk over two trees, or over one tree and itself. The boxes of the tiles are
/// lanes of `parents`.
struct WalkLevel {
  const float* tiles[2];
  const float* parents[2];
  const std::int32_t* ids[2];  ///< of the lanes; null: the lanes themselves are wanted
  bool is_self;
  /// Whether a lane meets itself: wanted of nodes, not of shapes.
  bool with_itself;
};

/// Solid where dot(normal, p) <= offset; in the frame of the tree's boxes.
template <int D>
struct HalfspaceRow {
  float normal[D];
  float offset;
  std::int32_t id;
};

template <int D, class T>
struct BroadTable {
  void (*centre_range)(const BoxSource<D, T>& source, std::size_t begin, std::size_t end,
                       CentreRange<D, T>& range);
  /// Rows, records and (double only, else null) unrounded rows of boxes `begin` to `end`. With
  /// `slots` row i goes to the place slots[i] of the rows, and `records` is null.
  void (*make_rows)(const BoxSource<D, T>& source, const KeyFrame<D, T>& frame, std::size_t begin,
                    std::size_t end, const std::int32_t* slots, float* rows, T* exact,
                    std::uint64_t* records);
  void (*row_range)(const float* rows, const std::uint64_t* records, std::size_t count,
                    CentreRange<D, float>& range);
  void (*row_keys)(const float* rows, const KeyFrame<D, float>& frame, std::uint64_t* records,
                   std::size_t count);
  /// The first i from `begin` with i + 16 < end and equal keys at i and i + 16; else `end`.
  std::size_t (*find_run)(const std::uint64_t* records, std::size_t begin, std::size_t end);
  /// Fills tiles `begin` to `end` of the job; how many shapes stick out of their tile, or, with
  /// homes, are strays.
  std::size_t (*gather_tiles)(const GatherJob<D>& job, std::size_t begin, std::size_t end);
  /// A bit a lane: the shape is wider than its tile's centres are apart.
  void (*sticking)(const float* tiles, std::size_t count, std::uint16_t* masks);
  /// Lane i of `parents` becomes the box of tile i.
  void (*raise_level)(const float* tiles, std::size_t begin, std::size_t end, float* parents);
  /// At most kBlockPairs pairs of tiles; the pairs of lanes that meet, or of their ids, lower
  /// first. At most 256 a pair of tiles and 16 more are stored.
  std::size_t (*walk)(const WalkLevel& level, const Pair* list, std::size_t count, Pair* out);
  /// Pairs (tile of one tree, node of another) of which only the `side` is opened.
  std::size_t (*descend)(const WalkLevel& level, int side, const Pair* list, std::size_t count,
                         Pair* out);
  /// Pairs (tile, halfspace) of tree 0: those of a lane, or its id, and the halfspace.
  std::size_t (*halfspaces)(const WalkLevel& level, const HalfspaceRow<D>* halfspaces,
                            const Pair* list, std::size_t count, Pair* out);
};

}  // namespace widephase
