#pragma once

// Codes of a few bits each, looked up by index for many pairs of indices at once.

#include "kernels/lanes/eight.hpp"

namespace widephase {
namespace {

/// Stores eight whole numbers.
template <class T>
WIDEPHASE_INLINE void store_codes(std::int16_t* to, const Eight<T>& codes) {
#if defined(WIDEPHASE_ISA_avx512)
  const auto number = codes.part[0].data;
  __m256i whole;
  if constexpr (sizeof(T) == 4) {
    whole = _mm256_cvttps_epi32(number);
  } else {
    whole = _mm512_cvttpd_epi32(number);
  }
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm256_cvtepi32_epi16(whole));
#elif defined(WIDEPHASE_ISA_avx2)
  __m128i low, high;
  if constexpr (sizeof(T) == 4) {
    const __m256i whole = _mm256_cvttps_epi32(codes.part[0].data);
    low = _mm256_castsi256_si128(whole);
    high = _mm256_extracti128_si256(whole, 1);
  } else {
    low = _mm256_cvttpd_epi32(codes.part[0].data);
    high = _mm256_cvttpd_epi32(codes.part[1].data);
  }
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm_packs_epi32(low, high));
#else
  T number[8];
  store(number, codes);
  for (int k = 0; k < 8; ++k) to[k] = static_cast<std::int16_t>(number[k]);
#endif
}

template <class T>
WIDEPHASE_INLINE void store_codes(std::int16_t* to, const Sixteen<T>& codes) {
#if defined(WIDEPHASE_ISA_avx512)
  if constexpr (sizeof(T) == 4) {
    const __m512i whole = _mm512_cvttps_epi32(codes.part[0].data);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm512_cvtepi32_epi16(whole));
    return;
  }
#endif
  store_codes(to, low_half(codes));
  store_codes(to + 8, high_half(codes));
}

/// Whether some bit is set in all codes; there must be at least one code.
WIDEPHASE_INLINE bool have_common_bit(const std::int16_t* codes, int code_count) {
  int common = -1;
  for (int at = 0; at < code_count; ++at) common &= codes[at];
  return common != 0;
}

/// `find_pairs_apart` may write up to this many numbers beyond its results.
inline constexpr int kCodesBeyond = 16;

/// Finds the pairs of indices whose codes have no common bit, in ascending order, and returns how
/// many there are. `found` must have room for `pair_count` numbers and `kCodesBeyond` more.
WIDEPHASE_INLINE int find_pairs_apart(const std::int16_t* codes, int code_count,
                                      const std::int16_t* pairs, int pair_count,
                                      std::int16_t* found) {
  int count = 0;
#if defined(WIDEPHASE_ISA_avx512)
  // One instruction looks up 32 codes in a table of 64 in two registers.
  constexpr int kMostTables = 2;
  if (code_count <= 64 * kMostTables) {
    const auto load_words = [](const std::int16_t* from, int size) {
      const unsigned bits = size >= 32 ? ~0u : size <= 0 ? 0u : (1u << size) - 1;
      return _mm512_maskz_loadu_epi16(bits, from);
    };
    __m512i table[2 * kMostTables];
    for (int n = 0; n < 2 * kMostTables; ++n)
      table[n] = load_words(codes + 32 * n, code_count - 32 * n);
    const bool has_one_table = code_count <= 64;
    const __m512i in_second = _mm512_set1_epi16(64), low_half = _mm512_set1_epi32(0xffff);
    __m512i places = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const auto look_up = [&](const __m512i& numbers, unsigned asked) {
      __m512i of_both = _mm512_permutex2var_epi16(table[0], numbers, table[1]);
      if (!has_one_table) {
        const __m512i others = _mm512_permutex2var_epi16(table[2], numbers, table[3]);
        of_both =
            _mm512_mask_mov_epi16(of_both, _mm512_test_epi16_mask(numbers, in_second), others);
      }
      const __m512i common = _mm512_and_si512(of_both, _mm512_srli_epi32(of_both, 16));
      const unsigned apart =
          _mm512_mask_testn_epi32_mask(static_cast<__mmask16>(asked), common, low_half);
      const __m512i kept = _mm512_maskz_compress_epi32(static_cast<__mmask16>(apart), places);
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(found + count), _mm512_cvtepi32_epi16(kept));
      count += __builtin_popcount(apart);
      places = _mm512_add_epi32(places, _mm512_set1_epi32(16));
    };
    const int whole = pair_count & ~15, left = pair_count & 15;
    for (int first = 0; first < whole; first += 16) {
      look_up(_mm512_loadu_si512(pairs + 2 * first), 0xffff);
    }
    if (left > 0) look_up(load_words(pairs + 2 * whole, 2 * left), (1u << left) - 1);
    return count;
  }
#else
  static_cast<void>(code_count);
#endif
  for (int at = 0; at < pair_count; ++at) {
    found[count] = static_cast<std::int16_t>(at);
    count += (codes[pairs[2 * at]] & codes[pairs[2 * at + 1]]) == 0 ? 1 : 0;
  }
  return count;
}

}  // namespace
}  // namespace widephase
