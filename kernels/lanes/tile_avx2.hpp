#pragma once

#include <immintrin.h>

namespace widephase {
namespace {

WIDEPHASE_INLINE int bit_count(std::uint32_t bits) { return __builtin_popcount(bits); }

// Row m lists the positions of m's set bits, lowest first; the rest is 0.
struct LaneTable {
  std::uint8_t place[256][8];
  constexpr LaneTable() : place{} {
    for (int bits = 0; bits < 256; ++bits) {
      int count = 0;
      for (int i = 0; i < 8; ++i) {
        if (bits >> i & 1) place[bits][count++] = static_cast<std::uint8_t>(i);
      }
    }
  }
};
alignas(64) constexpr LaneTable kLaneTable;

template <int D>
struct TileLanes {
  __m256 min[2][D];
  __m256 max[2][D];
  WIDEPHASE_INLINE explicit TileLanes(const float* tile) {
#pragma GCC unroll 2
    for (int half = 0; half < 2; ++half) {
#pragma GCC unroll 3
      for (int d = 0; d < D; ++d) {
        min[half][d] = _mm256_load_ps(tile + d * kTileLanes + 8 * half);
        max[half][d] = _mm256_load_ps(tile + (D + d) * kTileLanes + 8 * half);
      }
    }
  }
};

template <int D>
WIDEPHASE_INLINE std::uint32_t meets(const TileLanes<D>& tile, const float* box) {
  __m256 is_met[2];
#pragma GCC unroll 3
  for (int d = 0; d < D; ++d) {
    const __m256 min = _mm256_broadcast_ss(box + d * kTileLanes);
    const __m256 max = _mm256_broadcast_ss(box + (D + d) * kTileLanes);
#pragma GCC unroll 2
    for (int half = 0; half < 2; ++half) {
      const __m256 is_axis_met = _mm256_and_ps(_mm256_cmp_ps(tile.min[half][d], max, _CMP_LE_OQ),
                                               _mm256_cmp_ps(tile.max[half][d], min, _CMP_GE_OQ));
      is_met[half] = d == 0 ? is_axis_met : _mm256_and_ps(is_met[half], is_axis_met);
    }
  }
  return static_cast<std::uint32_t>(_mm256_movemask_ps(is_met[0])) |
         static_cast<std::uint32_t>(_mm256_movemask_ps(is_met[1])) << 8;
}

WIDEPHASE_INLINE __m256i places(std::uint32_t half_bits) {
  return _mm256_cvtepu8_epi32(
      _mm_loadl_epi64(reinterpret_cast<const __m128i*>(kLaneTable.place[half_bits])));
}

WIDEPHASE_INLINE int store_pairs(Pair* out, std::uint32_t half_bits, __m256i first,
                                 __m256i second) {
  const __m256i even = _mm256_unpacklo_epi32(first, second);
  const __m256i odd = _mm256_unpackhi_epi32(first, second);
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), _mm256_permute2x128_si256(even, odd, 0x20));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + 4),
                      _mm256_permute2x128_si256(even, odd, 0x31));
  return bit_count(half_bits);
}

WIDEPHASE_INLINE int emit_ids(Pair* out, std::uint32_t bits, std::int32_t id,
                              const std::int32_t* ids) {
  const __m256i single = _mm256_set1_epi32(id);
  int count = 0;
#pragma GCC unroll 2
  for (int half = 0; half < 2; ++half) {
    const std::uint32_t half_bits = bits >> (8 * half) & 255;
    const __m256i others = _mm256_permutevar8x32_epi32(
        _mm256_load_si256(reinterpret_cast<const __m256i*>(ids + 8 * half)), places(half_bits));
    count += store_pairs(out + count, half_bits, _mm256_min_epi32(single, others),
                         _mm256_max_epi32(single, others));
  }
  return count;
}

WIDEPHASE_INLINE int emit_lanes(Pair* out, std::uint32_t bits, bool is_single_first,
                                std::int32_t single, std::int32_t base) {
  const __m256i singles = _mm256_set1_epi32(single);
  const __m256i is_first = _mm256_set1_epi32(-static_cast<int>(is_single_first));
  int count = 0;
#pragma GCC unroll 2
  for (int half = 0; half < 2; ++half) {
    const std::uint32_t half_bits = bits >> (8 * half) & 255;
    const __m256i others = _mm256_add_epi32(places(half_bits), _mm256_set1_epi32(base + 8 * half));
    count += store_pairs(out + count, half_bits, _mm256_blendv_epi8(others, singles, is_first),
                         _mm256_blendv_epi8(singles, others, is_first));
  }
  return count;
}

WIDEPHASE_INLINE int queue_lanes(std::int32_t* out, std::uint32_t* meta_out, std::uint32_t bits,
                                 std::int32_t base, std::uint32_t meta) {
  const __m256i metas = _mm256_set1_epi32(static_cast<int>(meta));
  int count = 0;
#pragma GCC unroll 2
  for (int half = 0; half < 2; ++half) {
    const std::uint32_t half_bits = bits >> (8 * half) & 255;
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + count),
                        _mm256_add_epi32(places(half_bits), _mm256_set1_epi32(base + 8 * half)));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(meta_out + count), metas);
    count += bit_count(half_bits);
  }
  return count;
}

}  // namespace
}  // namespace widephase
