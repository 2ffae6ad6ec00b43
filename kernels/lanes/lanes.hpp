#pragma once

// The vocabulary of the kernels: batches of lanes, masks, and the few operations that the vector
// library lacks. A kernel's template parameter F is `Batch<T>`: an xsimd batch of the object's
// instruction set, or our own scalar batch. Kernels use + - *, comparisons, & | ! on masks, and
// divide, sqrt, select, abs from here. They never use min, max, fma, reciprocal or a libm function,
// because their bits differ between sets. They also avoid the batch's own /, which is an estimate
// on NEON, and its !=, which for NaN is true on some sets and false on others.
//
// A name that ends in `Lanes` means one thing per lane, such as a box or the clipper of a face,
// with a batch for each number. The same name without it means the thing of a single pair.
//
// Each set's file provides, for float and double:
//   divide(a, b), sqrt(x)               correctly rounded
//   mask_bits(mask)                     bit i is lane i's truth value
//   load_quads<Q, S>(rows, index, out)  rows of 4 * Q numbers, transposed: out[k] = number k of
//                                       row index[S * i] in lane i (S is 2: ids come in pairs)
//   zip(a, b, low, high)                a0 b0 a1 b1 ... in two batches
//   lesser(a, b), greater(a, b)         select(b < a, b, a) and select(b > a, b, a); x86 has an
//                                       instruction with exactly this meaning
//   Compressor<T>(bits)                 moves the lanes of `bits` together: `store...` writes whole
//                                       vectors, of which the first count() rows are valid
//                                       whole vectors, of which the first count() rows are valid

#include <cstddef>
#include <cstdint>

#include <widephase/types.hpp>

#include "kernels/lanes/inline.hpp"
#include "kernels/lanes/limits.hpp"

#if defined(WIDEPHASE_ISA_scalar)
#include "kernels/lanes/scalar.hpp"
#else
#include <xsimd/xsimd.hpp>
#if defined(WIDEPHASE_ISA_sse2)
#include "kernels/lanes/sse2.hpp"
#elif defined(WIDEPHASE_ISA_avx2)
#include "kernels/lanes/avx2.hpp"
#elif defined(WIDEPHASE_ISA_avx512)
#include "kernels/lanes/avx512.hpp"
#elif defined(WIDEPHASE_ISA_neon64)
#include "kernels/lanes/neon64.hpp"
#else
#error "one of WIDEPHASE_ISA_scalar, _sse2, _avx2, _avx512, _neon64 must be defined"
#endif

namespace widephase {
namespace {

static_assert(Arch::supported(), "the compiler's flags must be those of the instruction set");

template <class T>
using Batch = xsimd::batch<T, Arch>;

template <class T>
WIDEPHASE_INLINE Batch<T> select(const xsimd::batch_bool<T, Arch>& mask, const Batch<T>& yes,
                                 const Batch<T>& no) {
  return xsimd::select(mask, yes, no);
}
template <class T>
WIDEPHASE_INLINE Batch<T> abs(const Batch<T>& x) {
  return xsimd::abs(x);
}
template <class T>
WIDEPHASE_INLINE Batch<T> load(const T* from) {
  return Batch<T>::load_unaligned(from);
}
template <class T>
WIDEPHASE_INLINE void store(T* to, const Batch<T>& x) {
  x.store_unaligned(to);
}

}  // namespace
}  // namespace widephase
#endif

namespace widephase {
namespace {

/// The number type, the mask type and the lane count of a batch.
template <class F>
struct LaneTraits {
  using Real = typename F::value_type;
  using Mask = typename F::batch_bool_type;
  static constexpr int count = static_cast<int>(sizeof(F) / sizeof(Real));
  static constexpr unsigned all = count == 32 ? ~0u : (1u << count) - 1u;
};
template <class F>
using RealOf = typename LaneTraits<F>::Real;
template <class F>
using MaskOf = typename LaneTraits<F>::Mask;

/// 0 - x. For 0, the batch's own sign change gives -0 on some sets and 0 on others. So the scalar
/// batch has none, and kernels use this.
template <class F>
WIDEPHASE_INLINE F negate(const F& x) {
  return F(0) - x;
}

template <class F>
WIDEPHASE_INLINE F clamp(const F& x, const F& low, const F& high) {
  return lesser(greater(x, low), high);
}
template <class F>
WIDEPHASE_INLINE MaskOf<F> select_mask(const MaskOf<F>& mask, const MaskOf<F>& yes,
                                       const MaskOf<F>& no) {
  return (mask & yes) | ((!mask) & no);
}
/// The same mask, as a vector of whole numbers. Clang takes it for bits: those that outlive a
/// branch it packs to 16 bits a lane, and unpacks them again for each use.
template <class Mask>
WIDEPHASE_INLINE Mask whole(const Mask& mask) {
#if defined(__clang__) && (defined(WIDEPHASE_ISA_sse2) || defined(WIDEPHASE_ISA_avx2))
  auto lanes = mask.data;
  asm("" : "+x"(lanes));
  return Mask(lanes);
#elif defined(__clang__) && defined(WIDEPHASE_ISA_neon64)
  auto lanes = mask.data;
  asm("" : "+w"(lanes));
  return Mask(lanes);
#else
  return mask;
#endif
}
/// `count` times the largest relative error of one rounded operation.
template <class F>
WIDEPHASE_INLINE F roundings(int count) {
  using T = RealOf<F>;
  return F(static_cast<T>(count) * static_cast<T>(sizeof(T) == 4 ? 0x1p-24 : 0x1p-53));
}
/// Stores only the lanes of the mask.
template <class F>
WIDEPHASE_INLINE void store_where(const MaskOf<F>& mask, RealOf<F>* to, const F& value) {
  store(to, select(mask, value, load(to)));
}
template <class F>
WIDEPHASE_INLINE F one_where(const MaskOf<F>& mask) {
  return select(mask, F(1), F(0));
}
template <class F>
WIDEPHASE_INLINE bool any(const MaskOf<F>& mask) {
  return mask_bits(mask) != 0;
}

}  // namespace
}  // namespace widephase
