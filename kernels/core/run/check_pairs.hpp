#pragma once

#include "kernels/table.hpp"

namespace widephase {
namespace {

/// Collects sign bits, so that the loops are only subtractions and ors, which the compiler
/// vectorizes. An id with its own sign bit set is outside any range, whatever the other flags say.
inline PairCheck check_pairs(const Pair* pairs, std::size_t count, IdRange a, IdRange b) {
  static_assert(sizeof(Pair) == 2 * sizeof(std::int32_t));
  const auto* const ids = reinterpret_cast<const std::uint32_t*>(pairs);
  const std::uint32_t first[2] = {static_cast<std::uint32_t>(a.first),
                                  static_cast<std::uint32_t>(b.first)};
  const std::uint32_t last[2] = {static_cast<std::uint32_t>(a.end - 1),
                                 static_cast<std::uint32_t>(b.end - 1)};
  std::uint32_t outside[2] = {0, 0};
  for (std::size_t i = 0; i < count; ++i) {
    for (int w = 0; w < 2; ++w) {
      const std::uint32_t id = ids[2 * i + w];
      outside[w] |= id | (id - first[w]) | (last[w] - id);
    }
  }
  std::uint64_t equal = 0, descending = 0;
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t word;
    __builtin_memcpy(&word, &pairs[i], sizeof word);
    const std::uint64_t x = word & 0xffffffffu, y = word >> 32;
    equal |= (x ^ y) - 1;
    descending |= y - x;
  }
  constexpr std::uint32_t kSign = 0x80000000u;
  return {((outside[0] | outside[1]) & kSign) != 0, (equal >> 63) != 0, (descending >> 63) != 0};
}

}  // namespace
}  // namespace widephase
