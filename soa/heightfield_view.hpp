#pragma once

// What kernels read of a height field. Every instruction set's object includes this header, so it
// has no function.

#include <cstdint>

namespace widephase {

/// A height field as kernels read it. After the last sample of a library memory may be read for
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
};

}  // namespace widephase
