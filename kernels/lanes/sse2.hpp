#pragma once

#include <emmintrin.h>

namespace widephase {
namespace {

using Arch = xsimd::sse2;
using Floats = xsimd::batch<float, Arch>;
using Doubles = xsimd::batch<double, Arch>;

WIDEPHASE_INLINE Floats divide(const Floats& a, const Floats& b) {
  return Floats(_mm_div_ps(a.data, b.data));
}
WIDEPHASE_INLINE Doubles divide(const Doubles& a, const Doubles& b) {
  return Doubles(_mm_div_pd(a.data, b.data));
}
WIDEPHASE_INLINE Floats sqrt(const Floats& x) { return Floats(_mm_sqrt_ps(x.data)); }
WIDEPHASE_INLINE Doubles sqrt(const Doubles& x) { return Doubles(_mm_sqrt_pd(x.data)); }

WIDEPHASE_INLINE unsigned mask_bits(const xsimd::batch_bool<float, Arch>& mask) {
  return static_cast<unsigned>(_mm_movemask_ps(mask.data));
}
WIDEPHASE_INLINE unsigned mask_bits(const xsimd::batch_bool<double, Arch>& mask) {
  return static_cast<unsigned>(_mm_movemask_pd(mask.data));
}

WIDEPHASE_INLINE Floats lesser(const Floats& a, const Floats& b) {
  return Floats(_mm_min_ps(b.data, a.data));
}
WIDEPHASE_INLINE Floats greater(const Floats& a, const Floats& b) {
  return Floats(_mm_max_ps(b.data, a.data));
}
WIDEPHASE_INLINE Doubles lesser(const Doubles& a, const Doubles& b) {
  return Doubles(_mm_min_pd(b.data, a.data));
}
WIDEPHASE_INLINE Doubles greater(const Doubles& a, const Doubles& b) {
  return Doubles(_mm_max_pd(b.data, a.data));
}

template <int Q, int Stride = 2>
WIDEPHASE_INLINE void load_quads(const float* rows, const std::int32_t* index,
                                 Floats (&out)[4 * Q]) {
  for (int q = 0; q < Q; ++q) {
    __m128 r[4];
    for (int i = 0; i < 4; ++i) {
      r[i] = _mm_loadu_ps(rows + static_cast<std::ptrdiff_t>(index[Stride * i]) * (4 * Q) + 4 * q);
    }
    const __m128 low01 = _mm_unpacklo_ps(r[0], r[1]);
    const __m128 high01 = _mm_unpackhi_ps(r[0], r[1]);
    const __m128 low23 = _mm_unpacklo_ps(r[2], r[3]);
    const __m128 high23 = _mm_unpackhi_ps(r[2], r[3]);
    out[4 * q + 0] = Floats(_mm_movelh_ps(low01, low23));
    out[4 * q + 1] = Floats(_mm_movehl_ps(low23, low01));
    out[4 * q + 2] = Floats(_mm_movelh_ps(high01, high23));
    out[4 * q + 3] = Floats(_mm_movehl_ps(high23, high01));
  }
}

template <int Q, int Stride = 2>
WIDEPHASE_INLINE void load_quads(const double* rows, const std::int32_t* index,
                                 Doubles (&out)[4 * Q]) {
  const double* row0 = rows + static_cast<std::ptrdiff_t>(index[0]) * (4 * Q);
  const double* row1 = rows + static_cast<std::ptrdiff_t>(index[Stride]) * (4 * Q);
  for (int k = 0; k < 4 * Q; k += 2) {
    const __m128d a = _mm_loadu_pd(row0 + k);
    const __m128d b = _mm_loadu_pd(row1 + k);
    out[k] = Doubles(_mm_unpacklo_pd(a, b));
    out[k + 1] = Doubles(_mm_unpackhi_pd(a, b));
  }
}

WIDEPHASE_INLINE void zip(const Floats& a, const Floats& b, Floats& low, Floats& high) {
  const __m128 x = a.data, y = b.data;
  low = Floats(_mm_unpacklo_ps(x, y));
  high = Floats(_mm_unpackhi_ps(x, y));
}
WIDEPHASE_INLINE void zip(const Doubles& a, const Doubles& b, Doubles& low, Doubles& high) {
  const __m128d x = a.data, y = b.data;
  low = Doubles(_mm_unpacklo_pd(x, y));
  high = Doubles(_mm_unpackhi_pd(x, y));
}

template <class T>
class Compressor;

// SSE2 has no shuffle by a variable. Each lane is stored at the index that counts the set lanes
// below it, in ascending order. So the next set lane overwrites one that is not set.
template <>
class Compressor<float> {
 public:
  WIDEPHASE_INLINE explicit Compressor(unsigned bits)
      : place1_(static_cast<int>(bits & 1)),
        place2_(place1_ + static_cast<int>(bits >> 1 & 1)),
        place3_(place2_ + static_cast<int>(bits >> 2 & 1)),
        count_(place3_ + static_cast<int>(bits >> 3 & 1)) {}
  WIDEPHASE_INLINE int count() const { return count_; }
  WIDEPHASE_INLINE void store(float* to, const Floats& x) const {
    const __m128 v = x.data;
    _mm_store_ss(to, v);
    _mm_store_ss(to + place1_, _mm_shuffle_ps(v, v, 0x55));
    _mm_store_ss(to + place2_, _mm_movehl_ps(v, v));
    _mm_store_ss(to + place3_, _mm_shuffle_ps(v, v, 0xff));
  }
  WIDEPHASE_INLINE void store_halves(std::uint32_t* to, const Floats& high,
                                     const Floats& low) const {
    const __m128i word =
        _mm_or_si128(_mm_slli_epi32(_mm_cvttps_epi32(high.data), 16), _mm_cvttps_epi32(low.data));
    store(reinterpret_cast<float*>(to), Floats(_mm_castsi128_ps(word)));
  }
  WIDEPHASE_INLINE void store_bytes(std::uint8_t* to, const Floats& x) const {
    const __m128i half = _mm_packs_epi32(_mm_cvttps_epi32(x.data), _mm_setzero_si128());
    const unsigned bytes = static_cast<unsigned>(_mm_cvtsi128_si32(_mm_packus_epi16(half, half)));
    to[0] = static_cast<std::uint8_t>(bytes);
    to[place1_] = static_cast<std::uint8_t>(bytes >> 8);
    to[place2_] = static_cast<std::uint8_t>(bytes >> 16);
    to[place3_] = static_cast<std::uint8_t>(bytes >> 24);
  }
  WIDEPHASE_INLINE void store_pairs(Pair* to, const Pair* from) const {
    const Pair p0 = from[0], p1 = from[1], p2 = from[2], p3 = from[3];
    to[0] = p0;
    to[place1_] = p1;
    to[place2_] = p2;
    to[place3_] = p3;
  }
  WIDEPHASE_INLINE void store_sources(std::int64_t* to, const std::int64_t* from) const {
    const std::int64_t s0 = from[0], s1 = from[1], s2 = from[2], s3 = from[3];
    to[0] = s0;
    to[place1_] = s1;
    to[place2_] = s2;
    to[place3_] = s3;
  }
  WIDEPHASE_INLINE void store_sources(std::int64_t* to, std::int64_t first) const {
    to[0] = first;
    to[place1_] = first + 1;
    to[place2_] = first + 2;
    to[place3_] = first + 3;
  }

 private:
  int place1_, place2_, place3_, count_;
};

template <>
class Compressor<double> {
 public:
  WIDEPHASE_INLINE explicit Compressor(unsigned bits)
      : place1_(static_cast<int>(bits & 1)), count_(place1_ + static_cast<int>(bits >> 1 & 1)) {}
  WIDEPHASE_INLINE int count() const { return count_; }
  WIDEPHASE_INLINE void store(double* to, const Doubles& x) const {
    _mm_storel_pd(to, x.data);
    _mm_storeh_pd(to + place1_, x.data);
  }
  WIDEPHASE_INLINE void store_halves(std::uint32_t* to, const Doubles& high,
                                     const Doubles& low) const {
    const __m128i word =
        _mm_or_si128(_mm_slli_epi32(_mm_cvttpd_epi32(high.data), 16), _mm_cvttpd_epi32(low.data));
    to[0] = static_cast<std::uint32_t>(_mm_cvtsi128_si32(word));
    to[place1_] = static_cast<std::uint32_t>(_mm_cvtsi128_si32(_mm_srli_si128(word, 4)));
  }
  WIDEPHASE_INLINE void store_bytes(std::uint8_t* to, const Doubles& x) const {
    const __m128i word = _mm_cvttpd_epi32(x.data);
    to[0] = static_cast<std::uint8_t>(_mm_cvtsi128_si32(word));
    to[place1_] = static_cast<std::uint8_t>(_mm_cvtsi128_si32(_mm_srli_si128(word, 4)));
  }
  WIDEPHASE_INLINE void store_pairs(Pair* to, const Pair* from) const {
    const Pair p0 = from[0], p1 = from[1];
    to[0] = p0;
    to[place1_] = p1;
  }
  WIDEPHASE_INLINE void store_sources(std::int64_t* to, const std::int64_t* from) const {
    const std::int64_t s0 = from[0], s1 = from[1];
    to[0] = s0;
    to[place1_] = s1;
  }
  WIDEPHASE_INLINE void store_sources(std::int64_t* to, std::int64_t first) const {
    to[0] = first;
    to[place1_] = first + 1;
  }

 private:
  int place1_, count_;
};

}  // namespace
}  // namespace widephase
