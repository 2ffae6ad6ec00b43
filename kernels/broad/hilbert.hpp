#pragma once

// Hilbert keys of cells in lanes: Skilling, "Programming the Hilbert curve" (2004), with the
// exchanges and inversions as masked xors. With this curve half as many pairs of tiles meet as with
// Morton's.

#include "kernels/lanes/tile.hpp"

namespace widephase {
namespace {

// Moves the bits of x to every D-th position: 10 bits in 3D, 15 in 2D.
template <int D>
WIDEPHASE_INLINE WideUint spread_bits(WideUint x) {
  if constexpr (D == 2) {
    x = (x | x << 8) & 0x00FF00FFu;
    x = (x | x << 4) & 0x0F0F0F0Fu;
    x = (x | x << 2) & 0x33333333u;
    x = (x | x << 1) & 0x55555555u;
  } else {
    x = (x | x << 16) & 0x030000FFu;
    x = (x | x << 8) & 0x0300F00Fu;
    x = (x | x << 4) & 0x030C30C3u;
    x = (x | x << 2) & 0x09249249u;
  }
  return x;
}

template <int D>
WIDEPHASE_INLINE WideUint hilbert_index(WideUint (&x)[D], int bits) {
  for (int bit = bits - 1; bit > 0; --bit) {
    const std::uint32_t below = (1u << bit) - 1;
    x[0] ^= (0u - (x[0] >> bit & 1u)) & below;
#pragma GCC unroll 2
    for (int d = 1; d < D; ++d) {
      const WideUint is_set = 0u - (x[d] >> bit & 1u);
      const WideUint swapped = (x[0] ^ x[d]) & below & ~is_set;
      x[0] ^= swapped | (is_set & below);
      x[d] ^= swapped;
    }
  }
#pragma GCC unroll 2
  for (int d = 1; d < D; ++d) x[d] ^= x[d - 1];
  // Skilling's last loop flips all bits below each set bit of the last axis: a prefix parity.
  WideUint parity = x[D - 1] >> 1;
  parity ^= parity >> 1;
  parity ^= parity >> 2;
  parity ^= parity >> 4;
  parity ^= parity >> 8;
  WideUint index = spread_bits<D>(x[D - 1] ^ parity);
#pragma GCC unroll 2
  for (int d = D - 2; d >= 0; --d) index |= spread_bits<D>(x[d] ^ parity) << (D - 1 - d);
  return index;
}

}  // namespace
}  // namespace widephase
