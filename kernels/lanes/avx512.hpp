#pragma once

#include "kernels/lanes/eight_quads.hpp"

namespace widephase {
namespace {

using Arch = xsimd::avx512bw;
using Floats = xsimd::batch<float, Arch>;
using Doubles = xsimd::batch<double, Arch>;
/// Eight floats: half a batch.
using HalfFloats = xsimd::batch<float, xsimd::avx2>;

WIDEPHASE_INLINE Floats divide(const Floats& a, const Floats& b) {
  return Floats(_mm512_div_ps(a.data, b.data));
}
WIDEPHASE_INLINE Doubles divide(const Doubles& a, const Doubles& b) {
  return Doubles(_mm512_div_pd(a.data, b.data));
}
WIDEPHASE_INLINE Floats sqrt(const Floats& x) { return Floats(_mm512_sqrt_ps(x.data)); }
WIDEPHASE_INLINE Doubles sqrt(const Doubles& x) { return Doubles(_mm512_sqrt_pd(x.data)); }

WIDEPHASE_INLINE unsigned mask_bits(const xsimd::batch_bool<float, Arch>& mask) {
  return static_cast<__mmask16>(mask.data);
}
WIDEPHASE_INLINE unsigned mask_bits(const xsimd::batch_bool<double, Arch>& mask) {
  return static_cast<__mmask8>(mask.data);
}

WIDEPHASE_INLINE Floats lesser(const Floats& a, const Floats& b) {
  return Floats(_mm512_min_ps(b.data, a.data));
}
WIDEPHASE_INLINE Floats greater(const Floats& a, const Floats& b) {
  return Floats(_mm512_max_ps(b.data, a.data));
}
WIDEPHASE_INLINE Doubles lesser(const Doubles& a, const Doubles& b) {
  return Doubles(_mm512_min_pd(b.data, a.data));
}
WIDEPHASE_INLINE Doubles greater(const Doubles& a, const Doubles& b) {
  return Doubles(_mm512_max_pd(b.data, a.data));
}

WIDEPHASE_INLINE HalfFloats lesser(const HalfFloats& a, const HalfFloats& b) {
  return HalfFloats(_mm256_min_ps(b.data, a.data));
}
WIDEPHASE_INLINE HalfFloats greater(const HalfFloats& a, const HalfFloats& b) {
  return HalfFloats(_mm256_max_ps(b.data, a.data));
}
WIDEPHASE_INLINE HalfFloats abs(const HalfFloats& x) { return xsimd::abs(x); }
WIDEPHASE_INLINE HalfFloats divide(const HalfFloats& a, const HalfFloats& b) {
  return HalfFloats(_mm256_div_ps(a.data, b.data));
}
WIDEPHASE_INLINE HalfFloats sqrt(const HalfFloats& x) { return HalfFloats(_mm256_sqrt_ps(x.data)); }
WIDEPHASE_INLINE HalfFloats select(const xsimd::batch_bool<float, xsimd::avx2>& mask,
                                   const HalfFloats& yes, const HalfFloats& no) {
  return xsimd::select(mask, yes, no);
}
WIDEPHASE_INLINE unsigned mask_bits(const xsimd::batch_bool<float, xsimd::avx2>& mask) {
  return static_cast<unsigned>(_mm256_movemask_ps(mask.data));
}

/// Transposes four rows of four numbers in each 128 bits.
WIDEPHASE_INLINE void transpose_quads(__m512 (&r)[4]) {
  const __m512 low01 = _mm512_unpacklo_ps(r[0], r[1]);
  const __m512 high01 = _mm512_unpackhi_ps(r[0], r[1]);
  const __m512 low23 = _mm512_unpacklo_ps(r[2], r[3]);
  const __m512 high23 = _mm512_unpackhi_ps(r[2], r[3]);
  r[0] = _mm512_shuffle_ps(low01, low23, 0x44);
  r[1] = _mm512_shuffle_ps(low01, low23, 0xee);
  r[2] = _mm512_shuffle_ps(high01, high23, 0x44);
  r[3] = _mm512_shuffle_ps(high01, high23, 0xee);
}

template <int Q, int Stride = 2>
WIDEPHASE_INLINE void load_quads(const float* rows, const std::int32_t* index,
                                 Floats (&out)[4 * Q]) {
  // Broadcasting loads under a mask do not need the shuffle port.
  const auto row = [&](int lane) {
    return rows + static_cast<std::ptrdiff_t>(index[Stride * lane]) * (4 * Q);
  };
  if constexpr (Q == 1) {
    __m512 r[4];
    for (int i = 0; i < 4; ++i) {
      r[i] = _mm512_castps128_ps512(_mm_loadu_ps(row(i)));
      r[i] = _mm512_mask_broadcast_f32x4(r[i], 0x00f0, _mm_loadu_ps(row(i + 4)));
      r[i] = _mm512_mask_broadcast_f32x4(r[i], 0x0f00, _mm_loadu_ps(row(i + 8)));
      r[i] = _mm512_mask_broadcast_f32x4(r[i], 0xf000, _mm_loadu_ps(row(i + 12)));
    }
    transpose_quads(r);
    for (int k = 0; k < 4; ++k) out[k] = Floats(r[k]);
  } else {
    static_assert(Q % 2 == 0);
    // Takes two quads of two rows at a time: half as many loads, but half again as many shuffles.
    __m512 low[Q / 2][4], high[Q / 2][4];
    for (int i = 0; i < 4; ++i) {
      const float* const from[4] = {row(i), row(i + 4), row(i + 8), row(i + 12)};
      for (int h = 0; h < Q / 2; ++h) {
        const auto two_rows = [&](const float* first, const float* second) {
          const __m512 two = _mm512_castps256_ps512(_mm256_loadu_ps(first + 8 * h));
          return _mm512_mask_broadcast_f32x8(two, 0xff00, _mm256_loadu_ps(second + 8 * h));
        };
        low[h][i] = two_rows(from[0], from[1]);
        high[h][i] = two_rows(from[2], from[3]);
      }
    }
    for (int h = 0; h < Q / 2; ++h) {
      transpose_quads(low[h]);
      transpose_quads(high[h]);
      for (int k = 0; k < 4; ++k) {
        out[8 * h + k] = Floats(_mm512_shuffle_f32x4(low[h][k], high[h][k], 0x88));
        out[8 * h + 4 + k] = Floats(_mm512_shuffle_f32x4(low[h][k], high[h][k], 0xdd));
      }
    }
  }
}

template <int Q, int Stride = 2>
WIDEPHASE_INLINE void load_quads(const double* rows, const std::int32_t* index,
                                 Doubles (&out)[4 * Q]) {
  const __m512i low_halves = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
  const __m512i high_halves = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
  __m512d r[Q][4];
  for (int i = 0; i < 4; ++i) {
    const double* row[2];
    for (int j = 0; j < 2; ++j) {
      row[j] = rows + static_cast<std::ptrdiff_t>(index[Stride * (i + 4 * j)]) * (4 * Q);
    }
    for (int q = 0; q < Q; ++q) {
      const __m512d two = _mm512_castpd256_pd512(_mm256_loadu_pd(row[0] + 4 * q));
      r[q][i] = _mm512_mask_broadcast_f64x4(two, 0xf0, _mm256_loadu_pd(row[1] + 4 * q));
    }
  }
  for (int q = 0; q < Q; ++q) {
    const __m512d even01 = _mm512_unpacklo_pd(r[q][0], r[q][1]);
    const __m512d odd01 = _mm512_unpackhi_pd(r[q][0], r[q][1]);
    const __m512d even23 = _mm512_unpacklo_pd(r[q][2], r[q][3]);
    const __m512d odd23 = _mm512_unpackhi_pd(r[q][2], r[q][3]);
    out[4 * q + 0] = Doubles(_mm512_permutex2var_pd(even01, low_halves, even23));
    out[4 * q + 1] = Doubles(_mm512_permutex2var_pd(odd01, low_halves, odd23));
    out[4 * q + 2] = Doubles(_mm512_permutex2var_pd(even01, high_halves, even23));
    out[4 * q + 3] = Doubles(_mm512_permutex2var_pd(odd01, high_halves, odd23));
  }
}

WIDEPHASE_INLINE void zip(const Floats& a, const Floats& b, Floats& low, Floats& high) {
  const __m512i low_index =
      _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  const __m512i high_index =
      _mm512_setr_epi32(8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
  const __m512 x = a.data, y = b.data;
  low = Floats(_mm512_permutex2var_ps(x, low_index, y));
  high = Floats(_mm512_permutex2var_ps(x, high_index, y));
}
WIDEPHASE_INLINE void zip(const Doubles& a, const Doubles& b, Doubles& low, Doubles& high) {
  const __m512i low_index = _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11);
  const __m512i high_index = _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15);
  const __m512d x = a.data, y = b.data;
  low = Doubles(_mm512_permutex2var_pd(x, low_index, y));
  high = Doubles(_mm512_permutex2var_pd(x, high_index, y));
}

WIDEPHASE_INLINE void compress_words(void* to, const void* from, unsigned bits) {
  const __m512i words =
      _mm512_maskz_compress_epi64(static_cast<__mmask8>(bits), _mm512_loadu_si512(from));
  _mm512_storeu_si512(to, words);
}

WIDEPHASE_INLINE void compress_iota(std::int64_t* to, std::int64_t first, unsigned bits) {
  const __m512i iota =
      _mm512_add_epi64(_mm512_set1_epi64(first), _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7));
  _mm512_storeu_si512(to, _mm512_maskz_compress_epi64(static_cast<__mmask8>(bits), iota));
}

template <class T>
class Compressor;

template <>
class Compressor<float> {
 public:
  WIDEPHASE_INLINE explicit Compressor(unsigned bits)
      : bits_(static_cast<__mmask16>(bits)), low_count_(__builtin_popcount(bits & 0xff)) {}
  WIDEPHASE_INLINE int count() const { return __builtin_popcount(bits_); }
  WIDEPHASE_INLINE void store(float* to, const Floats& x) const {
    _mm512_storeu_ps(to, _mm512_maskz_compress_ps(bits_, x.data));
  }
  WIDEPHASE_INLINE void store_halves(std::uint32_t* to, const Floats& high,
                                     const Floats& low) const {
    const __m512i word = _mm512_or_si512(_mm512_slli_epi32(_mm512_cvttps_epi32(high.data), 16),
                                         _mm512_cvttps_epi32(low.data));
    _mm512_storeu_si512(to, _mm512_maskz_compress_epi32(bits_, word));
  }
  WIDEPHASE_INLINE void store_bytes(std::uint8_t* to, const Floats& x) const {
    const __m512i word = _mm512_maskz_compress_epi32(bits_, _mm512_cvttps_epi32(x.data));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm512_cvtepi32_epi8(word));
  }
  WIDEPHASE_INLINE void store_pairs(Pair* to, const Pair* from) const {
    compress_words(to, from, bits_ & 0xff);
    compress_words(to + low_count_, from + 8, bits_ >> 8);
  }
  WIDEPHASE_INLINE void store_sources(std::int64_t* to, const std::int64_t* from) const {
    compress_words(to, from, bits_ & 0xff);
    compress_words(to + low_count_, from + 8, bits_ >> 8);
  }
  WIDEPHASE_INLINE void store_sources(std::int64_t* to, std::int64_t first) const {
    compress_iota(to, first, bits_ & 0xff);
    compress_iota(to + low_count_, first + 8, bits_ >> 8);
  }

 private:
  __mmask16 bits_;
  int low_count_;
};

template <>
class Compressor<double> {
 public:
  WIDEPHASE_INLINE explicit Compressor(unsigned bits) : bits_(static_cast<__mmask8>(bits)) {}
  WIDEPHASE_INLINE int count() const { return __builtin_popcount(bits_); }
  WIDEPHASE_INLINE void store(double* to, const Doubles& x) const {
    _mm512_storeu_pd(to, _mm512_maskz_compress_pd(bits_, x.data));
  }
  WIDEPHASE_INLINE void store_halves(std::uint32_t* to, const Doubles& high,
                                     const Doubles& low) const {
    const __m256i word = _mm256_or_si256(_mm256_slli_epi32(_mm512_cvttpd_epi32(high.data), 16),
                                         _mm512_cvttpd_epi32(low.data));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm256_maskz_compress_epi32(bits_, word));
  }
  WIDEPHASE_INLINE void store_bytes(std::uint8_t* to, const Doubles& x) const {
    const __m256i word = _mm256_maskz_compress_epi32(bits_, _mm512_cvttpd_epi32(x.data));
    _mm_storel_epi64(reinterpret_cast<__m128i*>(to), _mm256_cvtepi32_epi8(word));
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
  __mmask8 bits_;
};

}  // namespace
}  // namespace widephase
