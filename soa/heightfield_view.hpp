#pragma once

// What kernels read of a height field. Every instruction set's object includes this header, so it
// has no function.

#include <cstdint>

namespace widephase {

/// Sixteen to the power of this is more than the cells of a field along one side.
inline constexpr int kMostFieldLevels = 16;

/// A height field as kernels read it, with a tree of bounds over its cells.
///
/// A place of level 1 has four by four cells, a place of the next level four by four of these, as
/// far as the field reaches; places of a level are row-major, the least and the greatest height of
/// each. After the last sample of a library memory may be read for
/// `Column::padding_bytes`.
template <class T>
struct HeightfieldView {
  const T* heights;                 ///< row-major samples; NaN: a hole
  std::int32_t rows = 0;            ///< of samples, >= 2
  std::int32_t columns = 0;         ///< of samples, >= 2
  T cell[2] = {};                   ///< sizes along x and y
  T low = 0;                        ///< the least height
  T high = 0;                       ///< the greatest; below `low` if all samples are holes
  std::int32_t neighbours[4] = {};  ///< fields at -x, +x, -y, +y; -1 none
  const T* tiles = nullptr;         ///< level after level, two numbers per place
  int level_count = 0;              ///< the level of the place that has all cells
  std::int32_t level_begin[kMostFieldLevels] = {};  ///< the first place of each level, from 1 on
};

}  // namespace widephase
