#pragma once

// What kernels read of a chain. Every instruction set's object includes this header, so it has no
// function.

#include <cstdint>

namespace widephase {

/// Segments and their bounds are taken this many at a time.
inline constexpr int kChainTile = 16;
inline constexpr int kChainTileNumbers = 4 * kChainTile;
/// Sixteen to the power of this is more than the segments of a chain.
inline constexpr int kMostChainLevels = 8;

/// A chain as kernels read it: the segments that have a length, one after the other, and a tree of
/// their bounds.
///
/// Segment i leads from position i to the next one; the last one of a loop to a copy of the first
/// position. The tree is implicit: place i of level 0 is segment i, and place i of the next level
/// is tile i, which has the bounds of the places 16 i ... 16 i + 15: their least x, their least y,
/// then the greatest. Places past the last are beyond infinity: their least numbers are the
/// greatest.
template <class T>
struct ChainView {
  const T* positions = nullptr;          ///< x, y by vertex
  const std::int32_t* number = nullptr;  ///< of each segment in its table
  const T* tiles = nullptr;              ///< level after level
  std::int32_t segment_count = 0;
  std::int32_t own_begin = 0;  ///< those before it and from `own_end` on are neighbours'
  std::int32_t own_end = 0;
  int level_count = 1;
  std::int32_t level_begin[kMostChainLevels] = {};  ///< the first tile of each level
  T low[2] = {};                                    ///< the bounds of the own ones
  T high[2] = {};
  bool is_loop = false;
  bool is_two_sided = false;
};

}  // namespace widephase
