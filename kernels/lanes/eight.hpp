#pragma once

// Eight numbers of one shape, as against a batch, which holds one number of each of many pairs:
// vertices or faces in lanes. Two registers on the narrow sets, half of one on AVX-512 in float,
// eight numbers everywhere, so that every set does the same arithmetic in the same order.

#include "lanes/lanes.hpp"

namespace widephase {
namespace {

#if defined(WIDEPHASE_ISA_avx512)
WIDEPHASE_INLINE HalfFloats load_part(const float* from) {
  return HalfFloats::load_unaligned(from);
}
WIDEPHASE_INLINE Doubles load_part(const double* from) { return load(from); }
WIDEPHASE_INLINE void store_part(float* to, const HalfFloats& x) { x.store_unaligned(to); }
WIDEPHASE_INLINE void store_part(double* to, const Doubles& x) { store(to, x); }
#else
template <class T>
WIDEPHASE_INLINE Batch<T> load_part(const T* from) {
  return load(from);
}
template <class T>
WIDEPHASE_INLINE void store_part(T* to, const Batch<T>& x) {
  store(to, x);
}
#endif
template <class T>
using PartOf = decltype(load_part(static_cast<const T*>(nullptr)));

template <class T>
struct Eight {
  static constexpr int lanes = static_cast<int>(sizeof(PartOf<T>) / sizeof(T));
  static constexpr int parts = 8 / lanes;
  PartOf<T> part[parts];
};

template <class T, class Op>
WIDEPHASE_INLINE Eight<T> each_part(const Op& op) {
  Eight<T> result;
#pragma GCC unroll 8
  for (int i = 0; i < Eight<T>::parts; ++i) result.part[i] = op(i);
  return result;
}

template <class T>
WIDEPHASE_INLINE Eight<T> load_eight(const T* from) {
  return each_part<T>([&](int i) { return load_part(from + i * Eight<T>::lanes); });
}
template <class T>
WIDEPHASE_INLINE Eight<T> eight_of(T number) {
  return each_part<T>([&](int) { return PartOf<T>(number); });
}
template <class T>
WIDEPHASE_INLINE void store(T* to, const Eight<T>& x) {
#pragma GCC unroll 8
  for (int i = 0; i < Eight<T>::parts; ++i) store_part(to + i * Eight<T>::lanes, x.part[i]);
}
template <class T>
WIDEPHASE_INLINE Eight<T> operator+(const Eight<T>& a, const Eight<T>& b) {
  return each_part<T>([&](int i) { return a.part[i] + b.part[i]; });
}
template <class T>
WIDEPHASE_INLINE Eight<T> operator-(const Eight<T>& a, const Eight<T>& b) {
  return each_part<T>([&](int i) { return a.part[i] - b.part[i]; });
}
template <class T>
WIDEPHASE_INLINE Eight<T> operator*(const Eight<T>& a, const Eight<T>& b) {
  return each_part<T>([&](int i) { return a.part[i] * b.part[i]; });
}
template <class T>
WIDEPHASE_INLINE Eight<T> lesser(const Eight<T>& a, const Eight<T>& b) {
  return each_part<T>([&](int i) { return lesser(a.part[i], b.part[i]); });
}
template <class T>
WIDEPHASE_INLINE Eight<T> greater(const Eight<T>& a, const Eight<T>& b) {
  return each_part<T>([&](int i) { return greater(a.part[i], b.part[i]); });
}
template <class T>
WIDEPHASE_INLINE Eight<T> abs(const Eight<T>& x) {
  return each_part<T>([&](int i) { return abs(x.part[i]); });
}
template <class T>
WIDEPHASE_INLINE Eight<T> sqrt(const Eight<T>& x) {
  return each_part<T>([&](int i) { return sqrt(x.part[i]); });
}
/// `yes` where x > y, else `no`.
template <class T>
WIDEPHASE_INLINE Eight<T> select_greater(const Eight<T>& x, const Eight<T>& y, const Eight<T>& yes,
                                         const Eight<T>& no) {
  return each_part<T>(
      [&](int i) { return select(x.part[i] > y.part[i], yes.part[i], no.part[i]); });
}
/// Number i's x >= y in bit i.
template <class T>
WIDEPHASE_INLINE unsigned bits_at_least(const Eight<T>& x, const Eight<T>& y) {
  unsigned bits = 0;
#pragma GCC unroll 8
  for (int i = 0; i < Eight<T>::parts; ++i) {
    bits |= mask_bits(x.part[i] >= y.part[i]) << (i * Eight<T>::lanes);
  }
  return bits;
}

}  // namespace
}  // namespace widephase
