#pragma once

// Codes of a few bits, looked up by number for many pairs of numbers at once.

#include "lanes/eight.hpp"

namespace widephase {
namespace {

/// Eight whole numbers.
template <class T>
WIDEPHASE_INLINE void store_codes(std::int16_t* to, const Eight<T>& codes) {
  T number[8];
  store(number, codes);
  for (int k = 0; k < 8; ++k) to[k] = static_cast<std::int16_t>(number[k]);
}

/// Which of `pair_count` pairs of numbers have codes without a bit in common, ascending; answers
/// how many. `found` has room for all.
WIDEPHASE_INLINE int find_pairs_apart(const std::int16_t* codes, int code_count,
                                      const std::int16_t* pairs, int pair_count,
                                      std::int16_t* found) {
  int count = 0;
  int first = 0;
#if defined(WIDEPHASE_ISA_avx512)
  // Up to 64 codes fit into two registers, of which one instruction looks up 32.
  if (code_count <= 64) {
    const auto load_words = [](const std::int16_t* from, int size) {
      const unsigned bits = size >= 32 ? ~0u : size <= 0 ? 0u : (1u << size) - 1;
      return _mm512_maskz_loadu_epi16(bits, from);
    };
    const __m512i low = load_words(codes, code_count);
    const __m512i high = load_words(codes + 32, code_count - 32);
    for (; first < pair_count; first += 16) {
      const __m512i numbers = load_words(pairs + 2 * first, 2 * (pair_count - first));
      const __m512i of_both = _mm512_permutex2var_epi16(low, numbers, high);
      const __m512i common = _mm512_and_si512(of_both, _mm512_srli_epi32(of_both, 16));
      unsigned apart = _mm512_testn_epi32_mask(common, _mm512_set1_epi32(0xffff));
      const int left = pair_count - first;
      if (left < 16) apart &= (1u << left) - 1;
      for (; apart != 0; apart &= apart - 1) {
        found[count++] = static_cast<std::int16_t>(first + __builtin_ctz(apart));
      }
    }
    return count;
  }
#else
  static_cast<void>(code_count);
#endif
  for (; first < pair_count; ++first) {
    found[count] = static_cast<std::int16_t>(first);
    count += (codes[pairs[2 * first]] & codes[pairs[2 * first + 1]]) == 0 ? 1 : 0;
  }
  return count;
}

}  // namespace
}  // namespace widephase
