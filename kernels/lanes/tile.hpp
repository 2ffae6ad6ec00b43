#pragma once

// The vocabulary of the broad phase: a box against the 16 boxes of a tile, and moving the lanes of
// a 16-bit mask together. Each set's file gives
//   TileLanes<D>(tile)             the tile at hand, in registers where it fits
//   meets(lanes, box)              bit i: box i of the tile overlaps the closed box; false for NaN
//   emit_ids(out, bits, id, ids)   for each bit i: {min, max} of id and ids[i]
//   emit_lanes<F>(out, bits, single, base)
//                                  for each bit i: {single, base + i} if F, else {base + i, single}
//   queue_lanes(out, meta_out, bits, base, meta)
//                                  for each bit i: out gets base + i, meta_out gets meta
//   bit_count(bits)
// Emitters may write 16 entries from `out` on whatever the bits, and return how many are valid.
// A box is a pointer to its lane within a tile: its numbers lie kTileLanes apart.
//
// `Wide<float>`, `Wide<std::uint32_t>`: the compiler's own vectors of the set's width, for steps
// that need no more than operators.

#include <cstddef>
#include <cstdint>

#include <widephase/types.hpp>

#include "broad/broad_table.hpp"

#define WIDEPHASE_INLINE inline __attribute__((always_inline))

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

}  // namespace
}  // namespace widephase

#if defined(WIDEPHASE_ISA_avx512)
#include "lanes/tile_avx512.hpp"
#elif defined(WIDEPHASE_ISA_avx2)
#include "lanes/tile_avx2.hpp"
#elif defined(WIDEPHASE_ISA_sse2)
#include "lanes/tile_sse2.hpp"
#elif defined(WIDEPHASE_ISA_neon64)
#include "lanes/tile_neon64.hpp"
#else
#include "lanes/tile_scalar.hpp"
#endif
