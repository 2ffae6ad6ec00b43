#pragma once

// Eight or sixteen numbers of one shape, such as vertices or faces in lanes. A batch, in contrast,
// holds one number of each of many pairs. Eight numbers are two registers on the narrow sets, and
// half a register on AVX-512 in float. The count is the same everywhere, so that every set does the
// same arithmetic in the same order.

#include "kernels/lanes/lanes.hpp"

namespace widephase {
namespace {

template <class T, int N>
struct PartOf {
  using type = Batch<T>;
};
#if defined(WIDEPHASE_ISA_avx512)
template <>
struct PartOf<float, 8> {
  using type = HalfFloats;
};
#endif

template <class Part, class T>
WIDEPHASE_INLINE Part load_part(const T* from) {
#if defined(WIDEPHASE_ISA_avx512)
  return Part::load_unaligned(from);
#else
  return load(from);
#endif
}
template <class Part, class T>
WIDEPHASE_INLINE void store_part(T* to, const Part& x) {
#if defined(WIDEPHASE_ISA_avx512)
  x.store_unaligned(to);
#else
  store(to, x);
#endif
}

template <class T, int N>
struct Row {
  using Part = typename PartOf<T, N>::type;
  static constexpr int lanes = static_cast<int>(sizeof(Part) / sizeof(T));
  static constexpr int parts = N / lanes;
  Part part[parts];
};
template <class T>
using Eight = Row<T, 8>;
template <class T>
using Sixteen = Row<T, 16>;

template <class T, int N, class Op>
WIDEPHASE_INLINE Row<T, N> each_part(const Op& op) {
  Row<T, N> result;
#pragma GCC unroll 16
  for (int i = 0; i < Row<T, N>::parts; ++i) result.part[i] = op(i);
  return result;
}

template <int N, class T>
WIDEPHASE_INLINE Row<T, N> load_row(const T* from) {
  using Part = typename Row<T, N>::Part;
  return each_part<T, N>([&](int i) { return load_part<Part>(from + i * Row<T, N>::lanes); });
}
template <class T>
WIDEPHASE_INLINE Eight<T> load_eight(const T* from) {
  return load_row<8>(from);
}
template <int N, class T>
WIDEPHASE_INLINE Row<T, N> row_of(T number) {
  return each_part<T, N>([&](int) { return typename Row<T, N>::Part(number); });
}
template <class T>
WIDEPHASE_INLINE Eight<T> eight_of(T number) {
  return row_of<8>(number);
}
template <class T, int N>
WIDEPHASE_INLINE void store(T* to, const Row<T, N>& x) {
#pragma GCC unroll 16
  for (int i = 0; i < Row<T, N>::parts; ++i) store_part(to + i * Row<T, N>::lanes, x.part[i]);
}
template <class T, int N>
WIDEPHASE_INLINE Row<T, N> operator+(const Row<T, N>& a, const Row<T, N>& b) {
  return each_part<T, N>([&](int i) { return a.part[i] + b.part[i]; });
}
template <class T, int N>
WIDEPHASE_INLINE Row<T, N> operator-(const Row<T, N>& a, const Row<T, N>& b) {
  return each_part<T, N>([&](int i) { return a.part[i] - b.part[i]; });
}
template <class T, int N>
WIDEPHASE_INLINE Row<T, N> operator*(const Row<T, N>& a, const Row<T, N>& b) {
  return each_part<T, N>([&](int i) { return a.part[i] * b.part[i]; });
}
template <class T, int N>
WIDEPHASE_INLINE Row<T, N> lesser(const Row<T, N>& a, const Row<T, N>& b) {
  return each_part<T, N>([&](int i) { return lesser(a.part[i], b.part[i]); });
}
template <class T, int N>
WIDEPHASE_INLINE Row<T, N> greater(const Row<T, N>& a, const Row<T, N>& b) {
  return each_part<T, N>([&](int i) { return greater(a.part[i], b.part[i]); });
}
template <class T, int N>
WIDEPHASE_INLINE Row<T, N> abs(const Row<T, N>& x) {
  return each_part<T, N>([&](int i) { return abs(x.part[i]); });
}
template <class T, int N>
WIDEPHASE_INLINE Row<T, N> sqrt(const Row<T, N>& x) {
  return each_part<T, N>([&](int i) { return sqrt(x.part[i]); });
}
/// `yes` where x > y, else `no`.
template <class T, int N>
WIDEPHASE_INLINE Row<T, N> select_greater(const Row<T, N>& x, const Row<T, N>& y,
                                          const Row<T, N>& yes, const Row<T, N>& no) {
  return each_part<T, N>(
      [&](int i) { return select(x.part[i] > y.part[i], yes.part[i], no.part[i]); });
}
/// `yes` where the bit of the number's place is set, else `no`.
template <class T>
WIDEPHASE_INLINE Eight<T> select_bits(unsigned bits, const Eight<T>& yes, const Eight<T>& no) {
#if defined(WIDEPHASE_ISA_avx512)
  if constexpr (sizeof(T) == 4) {
    return {{_mm256_mask_mov_ps(no.part[0].data, static_cast<__mmask8>(bits), yes.part[0].data)}};
  }
#endif
  T is_set[8];
  for (int k = 0; k < 8; ++k) is_set[k] = static_cast<T>(bits >> k & 1);
  return select_greater(load_eight(is_set), eight_of(T(0)), yes, no);
}
/// Bit i: number i of x is >= that of y.
template <class T, int N>
WIDEPHASE_INLINE unsigned bits_at_least(const Row<T, N>& x, const Row<T, N>& y) {
  unsigned bits = 0;
#pragma GCC unroll 16
  for (int i = 0; i < Row<T, N>::parts; ++i) {
    bits |= mask_bits(x.part[i] >= y.part[i]) << (i * Row<T, N>::lanes);
  }
  return bits;
}

#if defined(WIDEPHASE_ISA_avx512)
WIDEPHASE_INLINE Sixteen<float> join(const Eight<float>& low, const Eight<float>& high) {
  return {{_mm512_insertf32x8(_mm512_castps256_ps512(low.part[0].data), high.part[0].data, 1)}};
}
WIDEPHASE_INLINE Eight<float> low_half(const Sixteen<float>& x) {
  return {{_mm512_castps512_ps256(x.part[0].data)}};
}
WIDEPHASE_INLINE Eight<float> high_half(const Sixteen<float>& x) {
  return {{_mm512_extractf32x8_ps(x.part[0].data, 1)}};
}
#endif
template <class T>
WIDEPHASE_INLINE Sixteen<T> join(const Eight<T>& low, const Eight<T>& high) {
  constexpr int kParts = Eight<T>::parts;
  return each_part<T, 16>([&](int i) { return i < kParts ? low.part[i] : high.part[i - kParts]; });
}
template <class T>
WIDEPHASE_INLINE Eight<T> low_half(const Sixteen<T>& x) {
  return each_part<T, 8>([&](int i) { return x.part[i]; });
}
template <class T>
WIDEPHASE_INLINE Eight<T> high_half(const Sixteen<T>& x) {
  return each_part<T, 8>([&](int i) { return x.part[i + Eight<T>::parts]; });
}

}  // namespace
}  // namespace widephase
