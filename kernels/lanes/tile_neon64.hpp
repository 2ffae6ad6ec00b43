#pragma once

#include <arm_neon.h>

namespace widephase {
namespace {

WIDEPHASE_INLINE int bit_count(std::uint32_t bits) { return vaddv_u8(vcnt_u8(vcreate_u8(bits))); }

// Row m moves the lanes of m's bits together: byte indices for a table look-up.
struct LaneTable {
  std::uint8_t bytes[16][16];
  std::uint8_t count[16];
  constexpr LaneTable() : bytes{}, count{} {
    for (int bits = 0; bits < 16; ++bits) {
      int found = 0;
      for (int i = 0; i < 4; ++i) {
        if (!(bits >> i & 1)) continue;
        for (int k = 0; k < 4; ++k) {
          bytes[bits][4 * found + k] = static_cast<std::uint8_t>(4 * i + k);
        }
        ++found;
      }
      count[bits] = static_cast<std::uint8_t>(found);
    }
  }
};
alignas(64) constexpr LaneTable kLaneTable;

template <int D>
struct TileLanes {
  float32x4_t min[4][D];
  float32x4_t max[4][D];
  WIDEPHASE_INLINE explicit TileLanes(const float* tile) {
#pragma GCC unroll 4
    for (int quad = 0; quad < 4; ++quad) {
#pragma GCC unroll 3
      for (int d = 0; d < D; ++d) {
        min[quad][d] = vld1q_f32(tile + d * kTileLanes + 4 * quad);
        max[quad][d] = vld1q_f32(tile + (D + d) * kTileLanes + 4 * quad);
      }
    }
  }
};

template <int D>
WIDEPHASE_INLINE std::uint32_t meets(const TileLanes<D>& tile, const float* box) {
  uint32x4_t is_met[4];
#pragma GCC unroll 3
  for (int d = 0; d < D; ++d) {
    const float32x4_t min = vdupq_n_f32(box[d * kTileLanes]);
    const float32x4_t max = vdupq_n_f32(box[(D + d) * kTileLanes]);
#pragma GCC unroll 4
    for (int quad = 0; quad < 4; ++quad) {
      const uint32x4_t is_axis_met =
          vandq_u32(vcleq_f32(tile.min[quad][d], max), vcgeq_f32(tile.max[quad][d], min));
      is_met[quad] = d == 0 ? is_axis_met : vandq_u32(is_met[quad], is_axis_met);
    }
  }
  const uint16x8_t low = vcombine_u16(vmovn_u32(is_met[0]), vmovn_u32(is_met[1]));
  const uint16x8_t high = vcombine_u16(vmovn_u32(is_met[2]), vmovn_u32(is_met[3]));
  const uint16x8_t weight = {1, 2, 4, 8, 16, 32, 64, 128};
  return static_cast<std::uint32_t>(vaddvq_u16(vandq_u16(low, weight))) |
         static_cast<std::uint32_t>(vaddvq_u16(vandq_u16(high, weight))) << 8;
}

WIDEPHASE_INLINE int32x4_t move_together(int32x4_t values, std::uint32_t quad_bits) {
  return vreinterpretq_s32_u8(
      vqtbl1q_u8(vreinterpretq_u8_s32(values), vld1q_u8(kLaneTable.bytes[quad_bits])));
}

WIDEPHASE_INLINE int store_pairs(Pair* out, std::uint32_t quad_bits, int32x4_t first,
                                 int32x4_t second) {
  std::int32_t* const numbers = &out->a;
  vst1q_s32(numbers, vzip1q_s32(first, second));
  vst1q_s32(numbers + 4, vzip2q_s32(first, second));
  return kLaneTable.count[quad_bits];
}

WIDEPHASE_INLINE int emit_ids(Pair* out, std::uint32_t bits, std::int32_t id,
                              const std::int32_t* ids) {
  const int32x4_t single = vdupq_n_s32(id);
  int count = 0;
#pragma GCC unroll 4
  for (int quad = 0; quad < 4; ++quad) {
    const std::uint32_t quad_bits = bits >> (4 * quad) & 15;
    const int32x4_t others = move_together(vld1q_s32(ids + 4 * quad), quad_bits);
    count +=
        store_pairs(out + count, quad_bits, vminq_s32(single, others), vmaxq_s32(single, others));
  }
  return count;
}

WIDEPHASE_INLINE int32x4_t lanes_of(std::uint32_t quad_bits, std::int32_t base) {
  const int32x4_t count_up = {0, 1, 2, 3};
  return vaddq_s32(move_together(count_up, quad_bits), vdupq_n_s32(base));
}

WIDEPHASE_INLINE int emit_lanes(Pair* out, std::uint32_t bits, bool is_single_first,
                                std::int32_t single, std::int32_t base) {
  const int32x4_t singles = vdupq_n_s32(single);
  const uint32x4_t is_first = vdupq_n_u32(is_single_first ? 0xFFFFFFFFu : 0u);
  int count = 0;
#pragma GCC unroll 4
  for (int quad = 0; quad < 4; ++quad) {
    const std::uint32_t quad_bits = bits >> (4 * quad) & 15;
    const int32x4_t others = lanes_of(quad_bits, base + 4 * quad);
    count += store_pairs(out + count, quad_bits, vbslq_s32(is_first, singles, others),
                         vbslq_s32(is_first, others, singles));
  }
  return count;
}

WIDEPHASE_INLINE int queue_lanes(std::int32_t* out, std::uint32_t* meta_out, std::uint32_t bits,
                                 std::int32_t base, std::uint32_t meta) {
  const uint32x4_t metas = vdupq_n_u32(meta);
  int count = 0;
#pragma GCC unroll 4
  for (int quad = 0; quad < 4; ++quad) {
    const std::uint32_t quad_bits = bits >> (4 * quad) & 15;
    vst1q_s32(out + count, lanes_of(quad_bits, base + 4 * quad));
    vst1q_u32(meta_out + count, metas);
    count += kLaneTable.count[quad_bits];
  }
  return count;
}

}  // namespace
}  // namespace widephase
