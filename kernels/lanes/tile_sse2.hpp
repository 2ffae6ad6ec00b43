#pragma once

#include <emmintrin.h>

namespace widephase {
namespace {

// SSE2 has no instruction that counts bits, and the compiler's substitute is a function call.
WIDEPHASE_INLINE int bit_count(std::uint32_t bits) {
  bits -= bits >> 1 & 0x5555;
  bits = (bits & 0x3333) + (bits >> 2 & 0x3333);
  bits = (bits + (bits >> 4)) & 0x0F0F;
  return static_cast<int>((bits + (bits >> 8)) & 31);
}

// These would need 24 registers and there are 16, so the planes stay in the first-level cache.
template <int D>
struct TileLanes {
  const float* tile;
  WIDEPHASE_INLINE explicit TileLanes(const float* tile_) : tile(tile_) {}
};

template <int D>
WIDEPHASE_INLINE std::uint32_t meets(const TileLanes<D>& lanes, const float* box) {
  __m128 is_met[4];
#pragma GCC unroll 3
  for (int d = 0; d < D; ++d) {
    const __m128 min = _mm_set1_ps(box[d * kTileLanes]);
    const __m128 max = _mm_set1_ps(box[(D + d) * kTileLanes]);
    const float* const tile_min = lanes.tile + d * kTileLanes;
    const float* const tile_max = lanes.tile + (D + d) * kTileLanes;
#pragma GCC unroll 4
    for (int quad = 0; quad < 4; ++quad) {
      const __m128 is_axis_met = _mm_and_ps(_mm_cmpge_ps(max, _mm_load_ps(tile_min + 4 * quad)),
                                            _mm_cmple_ps(min, _mm_load_ps(tile_max + 4 * quad)));
      is_met[quad] = d == 0 ? is_axis_met : _mm_and_ps(is_met[quad], is_axis_met);
    }
  }
  const __m128i low = _mm_packs_epi32(_mm_castps_si128(is_met[0]), _mm_castps_si128(is_met[1]));
  const __m128i high = _mm_packs_epi32(_mm_castps_si128(is_met[2]), _mm_castps_si128(is_met[3]));
  return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_packs_epi16(low, high)));
}

// SSE2 has no shuffle by variable indices, so this takes one step per hit.
WIDEPHASE_INLINE int emit_ids(Pair* out, std::uint32_t bits, std::int32_t id,
                              const std::int32_t* ids) {
  int count = 0;
  for (; bits != 0; bits &= bits - 1) {
    const std::int32_t other = ids[__builtin_ctz(bits)];
    out[count].a = id < other ? id : other;
    out[count].b = id < other ? other : id;
    ++count;
  }
  return count;
}

WIDEPHASE_INLINE int emit_lanes(Pair* out, std::uint32_t bits, bool is_single_first,
                                std::int32_t single, std::int32_t base) {
  int count = 0;
  for (; bits != 0; bits &= bits - 1) {
    const std::int32_t other = base + __builtin_ctz(bits);
    out[count].a = is_single_first ? single : other;
    out[count].b = is_single_first ? other : single;
    ++count;
  }
  return count;
}

WIDEPHASE_INLINE int queue_lanes(std::int32_t* out, std::uint32_t* meta_out, std::uint32_t bits,
                                 std::int32_t base, std::uint32_t meta) {
  int count = 0;
  for (; bits != 0; bits &= bits - 1) {
    out[count] = base + __builtin_ctz(bits);
    meta_out[count] = meta;
    ++count;
  }
  return count;
}

}  // namespace
}  // namespace widephase
