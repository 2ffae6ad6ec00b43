#pragma once

#include <immintrin.h>

namespace widephase {
namespace {

WIDEPHASE_INLINE int bit_count(std::uint32_t bits) { return __builtin_popcount(bits); }

template <int D>
struct TileLanes {
  __m512 min[D];
  __m512 max[D];
  WIDEPHASE_INLINE explicit TileLanes(const float* tile) {
#pragma GCC unroll 3
    for (int d = 0; d < D; ++d) {
      min[d] = _mm512_load_ps(tile + d * kTileLanes);
      max[d] = _mm512_load_ps(tile + (D + d) * kTileLanes);
    }
  }
};

template <int D>
WIDEPHASE_INLINE std::uint32_t meets(const TileLanes<D>& tile, const float* box) {
  __mmask16 bits = 0xFFFF;
#pragma GCC unroll 3
  for (int d = 0; d < D; ++d) {
    bits = _mm512_mask_cmp_ps_mask(bits, tile.min[d], _mm512_set1_ps(box[(D + d) * kTileLanes]),
                                   _CMP_LE_OQ);
    bits =
        _mm512_mask_cmp_ps_mask(bits, tile.max[d], _mm512_set1_ps(box[d * kTileLanes]), _CMP_GE_OQ);
  }
  return bits;
}

// A compressing store to memory is several times slower than compressing in a register and storing
// the whole vector.
WIDEPHASE_INLINE int store_pairs(Pair* out, std::uint32_t bits, __m512i first, __m512i second) {
  const __m512i low_index =
      _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  const __m512i high_index = _mm512_add_epi32(low_index, _mm512_set1_epi32(8));
  _mm512_storeu_si512(out, _mm512_permutex2var_epi32(first, low_index, second));
  const int count = bit_count(bits);
  // More than 8 hits are rare, so the branch is predictable. A store costs two cycles.
  if (__builtin_expect(count > 8, 0)) {
    _mm512_storeu_si512(out + 8, _mm512_permutex2var_epi32(first, high_index, second));
  }
  return count;
}

WIDEPHASE_INLINE int emit_ids(Pair* out, std::uint32_t bits, std::int32_t id,
                              const std::int32_t* ids) {
  const __m512i others =
      _mm512_maskz_compress_epi32(static_cast<__mmask16>(bits), _mm512_load_si512(ids));
  const __m512i single = _mm512_set1_epi32(id);
  // The forms without a mask trigger a g++ 12 warning about a value left undefined on purpose.
  const __mmask16 all = 0xFFFF;
  return store_pairs(out, bits, _mm512_maskz_min_epi32(all, single, others),
                     _mm512_maskz_max_epi32(all, single, others));
}

WIDEPHASE_INLINE __m512i lanes_of(std::uint32_t bits, std::int32_t base) {
  const __m512i count_up = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  return _mm512_add_epi32(_mm512_maskz_compress_epi32(static_cast<__mmask16>(bits), count_up),
                          _mm512_set1_epi32(base));
}

WIDEPHASE_INLINE int emit_lanes(Pair* out, std::uint32_t bits, bool is_single_first,
                                std::int32_t single, std::int32_t base) {
  const __m512i others = lanes_of(bits, base);
  const __m512i singles = _mm512_set1_epi32(single);
  const __mmask16 is_first = static_cast<__mmask16>(-static_cast<int>(is_single_first));
  return store_pairs(out, bits, _mm512_mask_mov_epi32(others, is_first, singles),
                     _mm512_mask_mov_epi32(singles, is_first, others));
}

WIDEPHASE_INLINE int queue_lanes(std::int32_t* out, std::uint32_t* meta_out, std::uint32_t bits,
                                 std::int32_t base, std::uint32_t meta) {
  _mm512_storeu_si512(out, lanes_of(bits, base));
  _mm512_storeu_si512(meta_out, _mm512_set1_epi32(static_cast<int>(meta)));
  return bit_count(bits);
}

}  // namespace
}  // namespace widephase
