#pragma once

// Rows of eight numbers at any places, transposed to columns. A column is a batch, or half a batch
// where that holds more than eight numbers.

#include "kernels/lanes/eight.hpp"

namespace widephase {
namespace {

/// The batch that eight numbers take, or the first of several.
template <class T>
using EightPart = typename PartOf<T, 8>::type;

/// `column[k]` gets number k of the rows at index[0], index[1] ..., one per lane.
template <class T>
WIDEPHASE_INLINE void load_columns(const T* rows, const std::int32_t* index,
                                   EightPart<T> (&column)[8]) {
#if defined(WIDEPHASE_ISA_avx512)
  if constexpr (sizeof(T) == 4) load_eight_quads<2, 1>(rows, index, column);
#endif
  if constexpr (sizeof(column[0]) == sizeof(Batch<T>)) load_quads<2, 1>(rows, index, column);
}

}  // namespace
}  // namespace widephase
