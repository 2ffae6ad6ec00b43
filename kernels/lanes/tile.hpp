#pragma once

// The vocabulary of the broad phase: testing a box against the 16 boxes of a tile, and moving the
// lanes of a 16-bit mask together. Each set's file provides:
//   TileLanes<D>(tile)             a loaded tile, in registers if it fits
//   meets(lanes, box)              bit i: box i of the tile overlaps the closed box; false for NaN
//   emit_ids(out, bits, id, ids)   for each bit i: {min, max} of id and ids[i]
//   emit_lanes(out, bits, is_single_first, single, base)
//                                  for each bit i: {single, base + i} if is_single_first,
//                                  otherwise {base + i, single}
//   queue_lanes(out, meta_out, bits, base, meta)
//                                  for each bit i: out gets base + i, meta_out gets meta
//   bit_count(bits)
// Emitters may write 16 entries from `out` on, whatever the bits are, and return how many are
// valid. A box is a pointer to its lane in a tile; its numbers are kTileLanes apart.
//
// WideFloat, WideInt, WideUint and Quad are the compiler's own vectors, of the set's width and of
// 16 bytes. They serve steps that need only operators and fixed shuffles. Plain loops over arrays
// are used only where the compiler vectorizes them by itself.

#include <cstddef>
#include <cstdint>

#include <widephase/types.hpp>

#include "kernels/broad_table.hpp"
#include "kernels/lanes/inline.hpp"

namespace widephase {
namespace {

#if defined(WIDEPHASE_ISA_avx512)
inline constexpr int kWideBytes = 64;
#elif defined(WIDEPHASE_ISA_avx2)
inline constexpr int kWideBytes = 32;
#else
inline constexpr int kWideBytes = 16;
#endif
inline constexpr int kWideLanes = kWideBytes / 4;

typedef float WideFloat __attribute__((vector_size(kWideBytes)));
typedef std::int32_t WideInt __attribute__((vector_size(kWideBytes)));
typedef std::uint32_t WideUint __attribute__((vector_size(kWideBytes)));
template <class Wide, class T>
WIDEPHASE_INLINE Wide load_wide(const T* from) {
  static_assert(sizeof(T) == 4);
  Wide wide;
  __builtin_memcpy(&wide, from, sizeof wide);
  return wide;
}
template <class Wide, class T>
WIDEPHASE_INLINE void store_wide(T* to, Wide wide) {
  __builtin_memcpy(to, &wide, sizeof wide);
}

/// A quarter of a tile's plane, half of a 3D row, or a whole 2D row.
typedef float Quad __attribute__((vector_size(16)));

WIDEPHASE_INLINE Quad load_quad(const float* from) {
  Quad quad;
  __builtin_memcpy(&quad, from, sizeof quad);
  return quad;
}
WIDEPHASE_INLINE void store_quad(float* to, Quad quad) { __builtin_memcpy(to, &quad, sizeof quad); }

WIDEPHASE_INLINE void transpose(Quad& a, Quad& b, Quad& c, Quad& d) {
  const Quad ac_low = __builtin_shufflevector(a, c, 0, 4, 1, 5);
  const Quad ac_high = __builtin_shufflevector(a, c, 2, 6, 3, 7);
  const Quad bd_low = __builtin_shufflevector(b, d, 0, 4, 1, 5);
  const Quad bd_high = __builtin_shufflevector(b, d, 2, 6, 3, 7);
  a = __builtin_shufflevector(ac_low, bd_low, 0, 4, 1, 5);
  b = __builtin_shufflevector(ac_low, bd_low, 2, 6, 3, 7);
  c = __builtin_shufflevector(ac_high, bd_high, 0, 4, 1, 5);
  d = __builtin_shufflevector(ac_high, bd_high, 2, 6, 3, 7);
}

/// A NaN on the left is ignored.
WIDEPHASE_INLINE Quad lower(Quad x, Quad least) { return x < least ? x : least; }
WIDEPHASE_INLINE Quad higher(Quad x, Quad most) { return x > most ? x : most; }
WIDEPHASE_INLINE float lowest(Quad x) {
  x = lower(__builtin_shufflevector(x, x, 2, 3, 0, 1), x);
  return x[1] < x[0] ? x[1] : x[0];
}
WIDEPHASE_INLINE float highest(Quad x) {
  x = higher(__builtin_shufflevector(x, x, 2, 3, 0, 1), x);
  return x[1] > x[0] ? x[1] : x[0];
}

}  // namespace
}  // namespace widephase

#if defined(WIDEPHASE_ISA_avx512)
#include "kernels/lanes/tile_avx512.hpp"
#elif defined(WIDEPHASE_ISA_avx2)
#include "kernels/lanes/tile_avx2.hpp"
#elif defined(WIDEPHASE_ISA_sse2)
#include "kernels/lanes/tile_sse2.hpp"
#elif defined(WIDEPHASE_ISA_neon64)
#include "kernels/lanes/tile_neon64.hpp"
#else
#include "kernels/lanes/tile_scalar.hpp"
#endif
