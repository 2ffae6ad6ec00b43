#pragma once

// Rows of quads in float, transposed to columns of eight: a batch of AVX2, half of one of AVX-512.

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "kernels/lanes/inline.hpp"

namespace widephase {
namespace {

/// `out[k]` gets number k of the rows at every `Stride`-th index. `Part` is eight floats.
template <int Q, int Stride, class Part>
WIDEPHASE_INLINE void load_eight_quads(const float* rows, const std::int32_t* index,
                                       Part (&out)[4 * Q]) {
  __m256 r[Q][4];
  // Loads all quads of a row together, so that one address per row is enough.
  for (int i = 0; i < 4; ++i) {
    const float* row[2];
    for (int j = 0; j < 2; ++j) {
      row[j] = rows + static_cast<std::ptrdiff_t>(index[Stride * (i + 4 * j)]) * (4 * Q);
    }
    for (int q = 0; q < Q; ++q) {
      r[q][i] = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(row[0] + 4 * q)),
                                     _mm_loadu_ps(row[1] + 4 * q), 1);
    }
  }
  for (int q = 0; q < Q; ++q) {
    const __m256 low01 = _mm256_unpacklo_ps(r[q][0], r[q][1]);
    const __m256 high01 = _mm256_unpackhi_ps(r[q][0], r[q][1]);
    const __m256 low23 = _mm256_unpacklo_ps(r[q][2], r[q][3]);
    const __m256 high23 = _mm256_unpackhi_ps(r[q][2], r[q][3]);
    out[4 * q + 0] = Part(_mm256_shuffle_ps(low01, low23, 0x44));
    out[4 * q + 1] = Part(_mm256_shuffle_ps(low01, low23, 0xee));
    out[4 * q + 2] = Part(_mm256_shuffle_ps(high01, high23, 0x44));
    out[4 * q + 3] = Part(_mm256_shuffle_ps(high01, high23, 0xee));
  }
}

}  // namespace
}  // namespace widephase
