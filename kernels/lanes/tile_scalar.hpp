#pragma once

namespace widephase {
namespace {

// Not every set has an instruction that counts bits; the compiler's substitute is a function call.
WIDEPHASE_INLINE int bit_count(std::uint32_t bits) {
  bits -= bits >> 1 & 0x5555;
  bits = (bits & 0x3333) + (bits >> 2 & 0x3333);
  bits = (bits + (bits >> 4)) & 0x0F0F;
  return static_cast<int>((bits + (bits >> 8)) & 31);
}

template <int D>
struct TileLanes {
  const float* tile;
  WIDEPHASE_INLINE explicit TileLanes(const float* tile_) : tile(tile_) {}
};

template <int D>
WIDEPHASE_INLINE std::uint32_t meets(const TileLanes<D>& lanes, const float* box) {
  std::uint32_t bits = 0;
  for (int i = 0; i < kTileLanes; ++i) {
    std::uint32_t is_met = 1;
    for (int d = 0; d < D; ++d) {
      is_met &=
          static_cast<std::uint32_t>(lanes.tile[d * kTileLanes + i] <= box[(D + d) * kTileLanes]) &
          static_cast<std::uint32_t>(lanes.tile[(D + d) * kTileLanes + i] >= box[d * kTileLanes]);
    }
    bits |= is_met << i;
  }
  return bits;
}

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
