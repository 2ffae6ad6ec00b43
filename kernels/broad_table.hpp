#pragma once

// The functions that the broad phase needs from an instruction set: plain functions over plain
// structs. The driver (pipeline/broad/find_pairs.cpp) decides what runs, and these functions run
// it. Every instruction set's object includes this header, so it has no inline function.
//
// Layouts. They are the same for every set, because the order of the pairs follows from them:
//   row    a box as 2 * D floats, min then max, padded to kRowFloats: one cache line fetches it
//   tile   16 boxes as 2 * D planes of 16 floats, min then max; an empty lane is NaN in all planes
//          (an infinite box would meet an empty lane of +inf, -inf)
//   lane   16 * tile + position in the tile; lane i of a level is tile i of the level below
//   record key << 32 | row
//   slot   where a row of a kept order is stored; the slots of a block are adjacent, and so are its
//          lanes

#include <cstddef>
#include <cstdint>

#include <widephase/types.hpp>

namespace widephase {

inline constexpr int kTileLanes = 16;
/// Slots and lanes per block.
inline constexpr int kBlockBits = 13;
inline constexpr int kBlockLanes = 1 << kBlockBits;
/// The most pairs of tiles that one call of `walk` takes.
inline constexpr int kBlockPairs = 64;
template <int D>
inline constexpr int kTileFloats = 2 * D * kTileLanes;
template <int D>
inline constexpr int kRowFloats = D == 2 ? 4 : 8;
/// Numbers per unrounded row. Only double has them: the walk's boxes are rounded outwards.
template <int D>
inline constexpr int kExactNumbers = 2 * D;
/// By how much of its size each bound of such a box is moved outwards.
inline constexpr float kOutwards = 0x1p-22f;

/// The caller's boxes in place: row k is box `ids[k]`, or `first + k` if `ids` is null.
template <int D, class T>
struct BoxSource {
  const T* min[D];
  const T* max[D];
  std::ptrdiff_t min_stride;  ///< bytes
  std::ptrdiff_t max_stride;
  const std::int32_t* ids;
  std::int32_t first;
};

/// The smallest and largest finite min + max (twice the centre) along each axis.
template <int D, class T>
struct CentreRange {
  T min[D];
  T max[D];
};

/// How centres become keys: trunc((min + max - range.min) * scale), with `bits` bits per axis.
template <int D, class T>
struct KeyFrame {
  T min[D];
  T scale;
  int bits;
  T origin[D];  ///< the origin of the walk's boxes; 0 for float
};

/// A job to copy boxes into tiles, in the order of `records`.
template <int D>
struct GatherJob {
  const float* rows;
  const std::uint64_t* records;
  std::size_t count;
  /// Whether rows are stored in slots; then records are row << 32 | slot.
  bool has_slots;
  const std::int32_t* ids;  ///< a row's id; if null, the id is first + row
  std::int32_t first;
  float* tiles;
  std::int32_t* lane_ids;
  float* parents;  ///< the level above; each of its lanes is a tile's box
  std::size_t first_tile;
  bool counts_sticking;
  /// One box per tile, min then max. A tile's boxes that are not inside it are strays, and their
  /// lanes stay empty. If null, there are no strays.
  const float* homes;
  std::uint16_t* strays;  ///< one bit per lane of each tile
};

/// One level of a walk over two trees, or over one tree and itself. Each lane of `parents` is the
/// box of a tile.
struct WalkLevel {
  const float* tiles[2];
  const float* parents[2];
  const std::int32_t* ids[2];  ///< of the lanes; if null, the result is pairs of lanes
  bool is_self;
  /// Whether a lane meets itself: true for nodes, false for shapes.
  bool with_itself;
};

/// The most pairs of one call of `walk` that are noted.
inline constexpr std::uint32_t kMostUnsure = 256;
/// Pairs found whose boxes overlap by no more than the slack along an axis.
struct UnsurePairs {
  float slack;
  std::uint32_t count;  ///< more than `kMostUnsure` if not all are noted
  std::uint32_t at[kMostUnsure];
};

/// Solid where dot(normal, p) <= offset, in the frame of the tree's boxes.
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
  /// Makes rows, records and, unless null, unrounded rows of boxes `begin` to `end`. With `slots`,
  /// row i is stored at index slots[i] of the rows, and `records` is null.
  void (*make_rows)(const BoxSource<D, T>& source, const KeyFrame<D, T>& frame, std::size_t begin,
                    std::size_t end, const std::int32_t* slots, float* rows, T* exact,
                    std::uint64_t* records);
  void (*row_range)(const float* rows, const std::uint64_t* records, std::size_t count,
                    CentreRange<D, float>& range);
  void (*row_keys)(const float* rows, const KeyFrame<D, float>& frame, std::uint64_t* records,
                   std::size_t count);
  /// The first i from `begin` on with i + 16 < end and equal keys at i and i + 16; otherwise `end`.
  std::size_t (*find_run)(const std::uint64_t* records, std::size_t begin, std::size_t end);
  /// Fills tiles `begin` to `end` of the job. Returns how many shapes stick out of their tile or,
  /// with homes, how many are strays.
  std::size_t (*gather_tiles)(const GatherJob<D>& job, std::size_t begin, std::size_t end);
  /// Sets one bit per lane: the shape is wider than its tile's centres are apart.
  void (*sticking)(const float* tiles, std::size_t count, std::uint16_t* masks);
  /// Makes lane i of `parents` the box of tile i.
  void (*raise_level)(const float* tiles, std::size_t begin, std::size_t end, float* parents);
  /// Takes at most kBlockPairs pairs of tiles and writes the pairs of lanes that meet, or of their
  /// ids with the lower id first. It stores at most 256 pairs per pair of tiles, plus 16. With
  /// `unsure`, which needs ids, it also notes unsure pairs.
  std::size_t (*walk)(const WalkLevel& level, const Pair* list, std::size_t count, Pair* out,
                      UnsurePairs* unsure);
  /// Takes pairs (tile of one tree, node of another) and opens only the `side`.
  std::size_t (*descend)(const WalkLevel& level, int side, const Pair* list, std::size_t count,
                         Pair* out);
  /// Takes pairs (tile of tree 0, halfspace); writes pairs of a lane, or its id, and the halfspace.
  std::size_t (*halfspaces)(const WalkLevel& level, const HalfspaceRow<D>* halfspaces,
                            const Pair* list, std::size_t count, Pair* out);
};

}  // namespace widephase
