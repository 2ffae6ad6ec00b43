#pragma once

// Codes of a few bits each, looked up by index for many pairs of indices at once.

#include "kernels/lanes/eight.hpp"

namespace widephase {
namespace {

template <class T>
class CommonBits;

/// Codes of as many numbers as a row has, at first without a bit.
template <class T, int N>
class CodeRow {
 public:
  /// Sets the next bit in all codes except where x > y.
  WIDEPHASE_INLINE void set_unless_greater(const Row<T, N>& x, const Row<T, N>& y) {
#if defined(WIDEPHASE_ISA_avx512)
    unsigned kept = 0;
#pragma GCC unroll 16
    for (int i = 0; i < Row<T, N>::parts; ++i) {
      kept |= mask_bits(x.part[i] > y.part[i]) << (i * Row<T, N>::lanes);
    }
    // A half without numbers gets the bit, too.
    codes_ = _mm256_mask_add_epi16(codes_, static_cast<__mmask16>(~kept), codes_, bit_);
    bit_ = _mm256_add_epi16(bit_, bit_);
#else
    codes_ = codes_ + select_greater(x, y, row_of<N>(T(0)), bit_);
    bit_ = bit_ + bit_;
#endif
  }
  WIDEPHASE_INLINE void store(std::int16_t* to) const {
#if defined(WIDEPHASE_ISA_avx512)
    if constexpr (N == 16) {
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), codes_);
    } else {
      _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm256_castsi256_si128(codes_));
    }
#else
    if constexpr (N == 16) {
      store_eight(to, low_half(codes_));
      store_eight(to + 8, high_half(codes_));
    } else {
      store_eight(to, codes_);
    }
#endif
  }

 private:
#if defined(WIDEPHASE_ISA_avx512)
  friend class CommonBits<T>;
  __m256i codes_ = _mm256_setzero_si256(), bit_ = _mm256_set1_epi16(1);
#else
  Row<T, N> codes_ = row_of<N>(T(0)), bit_ = row_of<N>(T(1));  ///< as numbers

#if defined(WIDEPHASE_ISA_avx2)
  friend class CommonBits<T>;
  static WIDEPHASE_INLINE __m128i words_of(const Eight<T>& codes) {
    __m128i low, high;
    if constexpr (sizeof(T) == 4) {
      const __m256i whole = _mm256_cvttps_epi32(codes.part[0].data);
      low = _mm256_castsi256_si128(whole);
      high = _mm256_extracti128_si256(whole, 1);
    } else {
      low = _mm256_cvttpd_epi32(codes.part[0].data);
      high = _mm256_cvttpd_epi32(codes.part[1].data);
    }
    return _mm_packs_epi32(low, high);
  }
#endif
  static WIDEPHASE_INLINE void store_eight(std::int16_t* to, const Eight<T>& codes) {
#if defined(WIDEPHASE_ISA_avx2)
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), words_of(codes));
#else
    T number[8];
    widephase::store(number, codes);
    for (int k = 0; k < 8; ++k) to[k] = static_cast<std::int16_t>(number[k]);
#endif
  }
#endif
};

/// The bits that are set in all codes of rows.
template <class T>
class CommonBits {
 public:
  /// `stored` are the row's codes in memory.
  template <int N>
  WIDEPHASE_INLINE void add(const CodeRow<T, N>& row, const std::int16_t* stored) {
#if defined(WIDEPHASE_ISA_avx512)
    static_cast<void>(stored);
    common_ = _mm256_and_si256(common_, row.codes_);
#elif defined(WIDEPHASE_ISA_avx2)
    static_cast<void>(stored);
    if constexpr (N == 16) {
      common_ = _mm_and_si128(common_, row.words_of(low_half(row.codes_)));
      common_ = _mm_and_si128(common_, row.words_of(high_half(row.codes_)));
    } else {
      common_ = _mm_and_si128(common_, row.words_of(row.codes_));
    }
#else
    static_cast<void>(row);
    for (int k = 0; k < N; ++k) common_ &= stored[k];
#endif
  }
  WIDEPHASE_INLINE bool has_any() const {
#if defined(WIDEPHASE_ISA_avx512) || defined(WIDEPHASE_ISA_avx2)
#if defined(WIDEPHASE_ISA_avx512)
    __m128i both =
        _mm_and_si128(_mm256_castsi256_si128(common_), _mm256_extracti128_si256(common_, 1));
#else
    __m128i both = common_;
#endif
    both = _mm_and_si128(both, _mm_unpackhi_epi64(both, both));
    const auto four = static_cast<std::uint64_t>(_mm_cvtsi128_si64(both));
    const std::uint64_t two = four & four >> 32;
    return (two & two >> 16 & 0xffff) != 0;
#else
    return common_ != 0;
#endif
  }

 private:
#if defined(WIDEPHASE_ISA_avx512)
  __m256i common_ = _mm256_set1_epi16(-1);
#elif defined(WIDEPHASE_ISA_avx2)
  __m128i common_ = _mm_set1_epi16(-1);
#else
  int common_ = -1;
#endif
};

/// `find_pairs_apart` may write up to this many numbers beyond its results.
inline constexpr int kCodesBeyond = 16;

#if defined(WIDEPHASE_ISA_avx2)
/// One byte of each of up to 16 codes a table, looked up by number.
template <int Tables>
struct CodeBytes {
  __m256i table[Tables];

  WIDEPHASE_INLINE __m256i look_up(const __m256i& numbers) const {
    __m256i found[Tables];
    for (int t = 0; t < Tables; ++t) found[t] = _mm256_shuffle_epi8(table[t], numbers);
    // The bit of 16 chooses between neighbours, those of 32 and 64 between what was chosen. A
    // byte's highest bit decides, so that the neighbour's bits below do not matter.
    int shift = 3;
    for (int step = 1; step < Tables; step *= 2) {
      const __m256i bit = _mm256_slli_epi16(numbers, shift--);
      for (int t = 0; t < Tables; t += 2 * step) {
        found[t] = _mm256_blendv_epi8(found[t], found[t + step], bit);
      }
    }
    return found[0];
  }
};

/// `find_pairs_apart` for up to 16 * Tables codes and eight pairs at least.
template <int Tables>
WIDEPHASE_INLINE int find_pairs_apart_by_bytes(const std::int16_t* codes, int code_count,
                                               const std::int16_t* pairs, int pair_count,
                                               std::int16_t* found) {
  const __m256i low_bytes = _mm256_set1_epi16(0xff), zero = _mm256_setzero_si256();
  const auto words_at = [&](int first) {
    return first < code_count ? _mm_loadu_si128(reinterpret_cast<const __m128i*>(codes + first))
                              : _mm_setzero_si128();
  };
  CodeBytes<Tables> low, high;
  __m128i all_high = _mm_setzero_si128();
  for (int t = 0; t < Tables; ++t) {
    const __m128i first = words_at(16 * t), second = words_at(16 * t + 8);
    const __m128i low_byte = _mm256_castsi256_si128(low_bytes);
    const __m128i highs = _mm_packus_epi16(_mm_srli_epi16(first, 8), _mm_srli_epi16(second, 8));
    low.table[t] = _mm256_broadcastsi128_si256(
        _mm_packus_epi16(_mm_and_si128(first, low_byte), _mm_and_si128(second, low_byte)));
    high.table[t] = _mm256_broadcastsi128_si256(highs);
    all_high = _mm_or_si128(all_high, highs);
  }
  const bool has_high = _mm_testz_si128(all_high, all_high) == 0;
  int count = 0;
  const auto put = [&](unsigned bits, int first) {
    const __m128i order = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(kOrders8.lanes + bits));
    _mm_storeu_si128(
        reinterpret_cast<__m128i*>(found + count),
        _mm_add_epi16(_mm_cvtepu8_epi16(order), _mm_set1_epi16(static_cast<std::int16_t>(first))));
    count += __builtin_popcount(bits);
  };
  // Eight pairs from each of two places, less those whose bits are not in `kept`.
  const auto look_up = [&](int first, int second, unsigned kept) {
    const auto eight_at = [&](int at) {
      return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(pairs + 2 * at));
    };
    const __m256i numbers =
        _mm256_permute4x64_epi64(_mm256_packus_epi16(eight_at(first), eight_at(second)), 0xd8);
    const auto common_of = [&](const CodeBytes<Tables>& bytes) {
      const __m256i of_both = bytes.look_up(numbers);
      return _mm256_and_si256(of_both, _mm256_srli_epi16(of_both, 8));
    };
    __m256i common = common_of(low);
    if (has_high) common = _mm256_or_si256(common, common_of(high));
    const __m256i apart = _mm256_cmpeq_epi16(_mm256_and_si256(common, low_bytes), zero);
    const unsigned bits =
        kept & static_cast<unsigned>(_mm_movemask_epi8(_mm_packs_epi16(
                   _mm256_castsi256_si128(apart), _mm256_extracti128_si256(apart, 1))));
    put(bits & 0xff, first);
    put(bits >> 8, second);
  };
  int first = 0;
  for (; first + 16 <= pair_count; first += 16) look_up(first, first + 8, 0xffff);
  const int left = pair_count - first, last = pair_count - 8;
  if (left > 8) {
    look_up(first, last, 0xff | (0xff00u << (16 - left) & 0xff00u));
  } else if (left > 0) {
    look_up(last, last, 0xffu << (8 - left) & 0xffu);
  }
  return count;
}
#endif

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
#elif defined(WIDEPHASE_ISA_avx2)
  if (code_count <= 128 && pair_count >= 8) {
    if (code_count <= 16) {
      return find_pairs_apart_by_bytes<1>(codes, code_count, pairs, pair_count, found);
    }
    if (code_count <= 32) {
      return find_pairs_apart_by_bytes<2>(codes, code_count, pairs, pair_count, found);
    }
    if (code_count <= 64) {
      return find_pairs_apart_by_bytes<4>(codes, code_count, pairs, pair_count, found);
    }
    return find_pairs_apart_by_bytes<8>(codes, code_count, pairs, pair_count, found);
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
