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
  if constexpr (sizeof(T) == 4) {
    const auto quad = [&](int i, int q) {
      return _mm_loadu_ps(rows + static_cast<std::ptrdiff_t>(index[i]) * 8 + 4 * q);
    };
    for (int q = 0; q < 2; ++q) {
      __m256 r[4];
      for (int i = 0; i < 4; ++i) {
        r[i] = _mm256_insertf128_ps(_mm256_castps128_ps256(quad(i, q)), quad(i + 4, q), 1);
      }
      const __m256 low01 = _mm256_unpacklo_ps(r[0], r[1]);
      const __m256 high01 = _mm256_unpackhi_ps(r[0], r[1]);
      const __m256 low23 = _mm256_unpacklo_ps(r[2], r[3]);
      const __m256 high23 = _mm256_unpackhi_ps(r[2], r[3]);
      column[4 * q + 0] = HalfFloats(_mm256_shuffle_ps(low01, low23, 0x44));
      column[4 * q + 1] = HalfFloats(_mm256_shuffle_ps(low01, low23, 0xee));
      column[4 * q + 2] = HalfFloats(_mm256_shuffle_ps(high01, high23, 0x44));
      column[4 * q + 3] = HalfFloats(_mm256_shuffle_ps(high01, high23, 0xee));
    }
  }
#endif
  if constexpr (sizeof(column[0]) == sizeof(Batch<T>)) load_quads<2, 1>(rows, index, column);
}

}  // namespace
}  // namespace widephase
