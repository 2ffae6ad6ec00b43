#pragma once

#include "kernels/lanes/eight_quads.hpp"

namespace widephase {
namespace {

using Arch = xsimd::avx2;
using Floats = xsimd::batch<float, Arch>;
using Doubles = xsimd::batch<double, Arch>;

WIDEPHASE_INLINE Floats divide(const Floats& a, const Floats& b) {
  return Floats(_mm256_div_ps(a.data, b.data));
}
WIDEPHASE_INLINE Doubles divide(const Doubles& a, const Doubles& b) {
  return Doubles(_mm256_div_pd(a.data, b.data));
}
WIDEPHASE_INLINE Floats sqrt(const Floats& x) { return Floats(_mm256_sqrt_ps(x.data)); }
WIDEPHASE_INLINE Doubles sqrt(const Doubles& x) { return Doubles(_mm256_sqrt_pd(x.data)); }

WIDEPHASE_INLINE unsigned mask_bits(const xsimd::batch_bool<float, Arch>& mask) {
  return static_cast<unsigned>(_mm256_movemask_ps(mask.data));
}
WIDEPHASE_INLINE unsigned mask_bits(const xsimd::batch_bool<double, Arch>& mask) {
  return static_cast<unsigned>(_mm256_movemask_pd(mask.data));
}

WIDEPHASE_INLINE Floats lesser(const Floats& a, const Floats& b) {
  return Floats(_mm256_min_ps(b.data, a.data));
}
WIDEPHASE_INLINE Floats greater(const Floats& a, const Floats& b) {
  return Floats(_mm256_max_ps(b.data, a.data));
}
WIDEPHASE_INLINE Doubles lesser(const Doubles& a, const Doubles& b) {
  return Doubles(_mm256_min_pd(b.data, a.data));
}
WIDEPHASE_INLINE Doubles greater(const Doubles& a, const Doubles& b) {
  return Doubles(_mm256_max_pd(b.data, a.data));
}

template <int Q, int Stride = 2>
WIDEPHASE_INLINE void load_quads(const float* rows, const std::int32_t* index,
                                 Floats (&out)[4 * Q]) {
  load_eight_quads<Q, Stride>(rows, index, out);
}

template <int Q, int Stride = 2>
WIDEPHASE_INLINE void load_quads(const double* rows, const std::int32_t* index,
                                 Doubles (&out)[4 * Q]) {
  for (int q = 0; q < Q; ++q) {
    __m256d r[4];
    for (int i = 0; i < 4; ++i) {
      r[i] =
          _mm256_loadu_pd(rows + static_cast<std::ptrdiff_t>(index[Stride * i]) * (4 * Q) + 4 * q);
    }
    const __m256d even01 = _mm256_unpacklo_pd(r[0], r[1]);
    const __m256d odd01 = _mm256_unpackhi_pd(r[0], r[1]);
    const __m256d even23 = _mm256_unpacklo_pd(r[2], r[3]);
    const __m256d odd23 = _mm256_unpackhi_pd(r[2], r[3]);
    out[4 * q + 0] = Doubles(_mm256_permute2f128_pd(even01, even23, 0x20));
    out[4 * q + 1] = Doubles(_mm256_permute2f128_pd(odd01, odd23, 0x20));
    out[4 * q + 2] = Doubles(_mm256_permute2f128_pd(even01, even23, 0x31));
    out[4 * q + 3] = Doubles(_mm256_permute2f128_pd(odd01, odd23, 0x31));
  }
}

WIDEPHASE_INLINE void zip(const Floats& a, const Floats& b, Floats& low, Floats& high) {
  const __m256 x = _mm256_unpacklo_ps(a.data, b.data);
  const __m256 y = _mm256_unpackhi_ps(a.data, b.data);
  low = Floats(_mm256_permute2f128_ps(x, y, 0x20));
  high = Floats(_mm256_permute2f128_ps(x, y, 0x31));
}
WIDEPHASE_INLINE void zip(const Doubles& a, const Doubles& b, Doubles& low, Doubles& high) {
  const __m256d x = _mm256_unpacklo_pd(a.data, b.data);
  const __m256d y = _mm256_unpackhi_pd(a.data, b.data);
  low = Doubles(_mm256_permute2f128_pd(x, y, 0x20));
  high = Doubles(_mm256_permute2f128_pd(x, y, 0x31));
}

/// For each mask of N lanes: the set lanes, in order, one byte per entry.
template <int N>
struct CompressOrders {
  std::uint64_t lanes[1 << N];
};
template <int N>
constexpr CompressOrders<N> compress_orders(int words_a_lane) {
  CompressOrders<N> orders{};
  for (unsigned bits = 0; bits < (1u << N); ++bits) {
    int place = 0;
    for (int lane = 0; lane < N; ++lane) {
      if ((bits >> lane & 1) == 0) continue;
      for (int word = 0; word < words_a_lane; ++word) {
        orders.lanes[bits] |= static_cast<std::uint64_t>(lane * words_a_lane + word) << 8 * place++;
      }
    }
  }
  return orders;
}
constexpr CompressOrders<8> kOrders8 = compress_orders<8>(1);
constexpr CompressOrders<4> kOrders4 = compress_orders<4>(1);
constexpr CompressOrders<4> kOrders4Double = compress_orders<4>(2);

WIDEPHASE_INLINE __m256i widen_order(std::uint64_t order) {
  return _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(static_cast<long long>(order)));
}

WIDEPHASE_INLINE void compress_words(void* to, __m256i words, unsigned bits) {
  _mm256_storeu_si256(static_cast<__m256i*>(to),
                      _mm256_permutevar8x32_epi32(words, widen_order(kOrders4Double.lanes[bits])));
}
WIDEPHASE_INLINE void compress_words(void* to, const void* from, unsigned bits) {
  compress_words(to, _mm256_loadu_si256(static_cast<const __m256i*>(from)), bits);
}
WIDEPHASE_INLINE void compress_iota(std::int64_t* to, std::int64_t first, unsigned bits) {
  compress_words(to, _mm256_add_epi64(_mm256_set1_epi64x(first), _mm256_setr_epi64x(0, 1, 2, 3)),
                 bits);
}

template <class T>
class Compressor;

template <>
class Compressor<float> {
 public:
  WIDEPHASE_INLINE explicit Compressor(unsigned bits)
      : bits_(bits),
        low_count_(__builtin_popcount(bits & 15)),
        order_(widen_order(kOrders8.lanes[bits])) {}
  WIDEPHASE_INLINE int count() const { return __builtin_popcount(bits_); }
  WIDEPHASE_INLINE void store(float* to, const Floats& x) const {
    _mm256_storeu_ps(to, _mm256_permutevar8x32_ps(x.data, order_));
  }
  WIDEPHASE_INLINE void store_halves(std::uint32_t* to, const Floats& high,
                                     const Floats& low) const {
    const __m256i word = _mm256_or_si256(_mm256_slli_epi32(_mm256_cvttps_epi32(high.data), 16),
                                         _mm256_cvttps_epi32(low.data));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm256_permutevar8x32_epi32(word, order_));
  }
  WIDEPHASE_INLINE void store_bytes(std::uint8_t* to, const Floats& x) const {
    const __m256i word = _mm256_permutevar8x32_epi32(_mm256_cvttps_epi32(x.data), order_);
    const __m128i half =
        _mm_packs_epi32(_mm256_castsi256_si128(word), _mm256_extracti128_si256(word, 1));
    _mm_storel_epi64(reinterpret_cast<__m128i*>(to), _mm_packus_epi16(half, half));
  }
  WIDEPHASE_INLINE void store_pairs(Pair* to, const Pair* from) const {
    compress_words(to, from, bits_ & 15);
    compress_words(to + low_count_, from + 4, bits_ >> 4);
  }
  WIDEPHASE_INLINE void store_sources(std::int64_t* to, const std::int64_t* from) const {
    compress_words(to, from, bits_ & 15);
    compress_words(to + low_count_, from + 4, bits_ >> 4);
  }
  WIDEPHASE_INLINE void store_sources(std::int64_t* to, std::int64_t first) const {
    compress_iota(to, first, bits_ & 15);
    compress_iota(to + low_count_, first + 4, bits_ >> 4);
  }

 private:
  unsigned bits_;
  int low_count_;
  __m256i order_;
};

template <>
class Compressor<double> {
 public:
  WIDEPHASE_INLINE explicit Compressor(unsigned bits)
      : bits_(bits),
        order_(widen_order(kOrders4Double.lanes[bits])),
        half_order_(
            _mm_cvtepu8_epi32(_mm_cvtsi64_si128(static_cast<long long>(kOrders4.lanes[bits])))) {}
  WIDEPHASE_INLINE int count() const { return __builtin_popcount(bits_); }
  WIDEPHASE_INLINE void store(double* to, const Doubles& x) const {
    _mm256_storeu_ps(reinterpret_cast<float*>(to),
                     _mm256_permutevar8x32_ps(_mm256_castpd_ps(x.data), order_));
  }
  WIDEPHASE_INLINE void store_halves(std::uint32_t* to, const Doubles& high,
                                     const Doubles& low) const {
    const __m128i word = _mm_or_si128(_mm_slli_epi32(_mm256_cvttpd_epi32(high.data), 16),
                                      _mm256_cvttpd_epi32(low.data));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), compressed(word));
  }
  WIDEPHASE_INLINE void store_bytes(std::uint8_t* to, const Doubles& x) const {
    const __m128i half =
        _mm_packs_epi32(compressed(_mm256_cvttpd_epi32(x.data)), _mm_setzero_si128());
    const int bytes = _mm_cvtsi128_si32(_mm_packus_epi16(half, half));
    __builtin_memcpy(to, &bytes, 4);
  }
  WIDEPHASE_INLINE void store_pairs(Pair* to, const Pair* from) const {
    compress_words(to, from, bits_);
  }
  WIDEPHASE_INLINE void store_sources(std::int64_t* to, const std::int64_t* from) const {
    compress_words(to, from, bits_);
  }
  WIDEPHASE_INLINE void store_sources(std::int64_t* to, std::int64_t first) const {
    compress_iota(to, first, bits_);
  }

 private:
  WIDEPHASE_INLINE __m128i compressed(__m128i word) const {
    return _mm_castps_si128(_mm_permutevar_ps(_mm_castsi128_ps(word), half_order_));
  }
  unsigned bits_;
  __m256i order_;
  __m128i half_order_;
};

}  // namespace
}  // namespace widephase
