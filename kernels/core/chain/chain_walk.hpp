#pragma once

// The way to a chain's segments: through the tree of their bounds, in their order.

#include "kernels/core/chain/vector2.hpp"
#include "soa/chain_view.hpp"

namespace widephase {
namespace {

struct ChainBounds {
  double low[2], high[2];
};

template <class T>
WIDEPHASE_INLINE const T* chain_tile(const ChainView<T>& chain, int level, std::int32_t number) {
  return chain.tiles + std::ptrdiff_t{kChainTileNumbers} * (chain.level_begin[level] + number);
}
/// The bounds of a place of a level.
template <class T>
ChainBounds bounds_of_place(const ChainView<T>& chain, int level, std::int32_t place) {
  const T* const at = chain_tile(chain, level, place / kChainTile) + place % kChainTile;
  return {{double(at[0]), double(at[kChainTile])},
          {double(at[2 * kChainTile]), double(at[3 * kChainTile])}};
}
template <class T>
std::int32_t places_of(const ChainView<T>& chain, int level) {
  std::int32_t places = chain.segment_count;
  for (int k = 0; k < level; ++k) places = (places + kChainTile - 1) / kChainTile;
  return places;
}

/// Calls `op(segment)`, ascending, for those whose bounds, and those of the tiles that they are in,
/// are wanted. `takes(low, high)` tells of a batch of bounds, each by axis.
template <class T, class Takes, class Op>
WIDEPHASE_INLINE void walk_chain(const ChainView<T>& chain, const Takes& takes, const Op& op) {
  using F = Batch<T>;
  constexpr int lanes = LaneTraits<F>::count;
  static_assert(kChainTile % lanes == 0);
  if (chain.segment_count == 0) return;
  struct OpenTile {
    int level;
    std::int32_t number;
  };
  OpenTile open[kMostChainLevels * kChainTile];
  int count = 1;
  open[0] = {chain.level_count - 1, 0};
  while (count > 0) {
    const OpenTile at = open[--count];
    const T* const tile = chain_tile(chain, at.level, at.number);
    unsigned bits = 0;
    for (int first = 0; first < kChainTile; first += lanes) {
      Vec<F, 2> low, high;
      for (int k = 0; k < 2; ++k) {
        low[k] = load(tile + k * kChainTile + first);
        high[k] = load(tile + (2 + k) * kChainTile + first);
      }
      bits |= mask_bits(takes(low, high)) << first;
    }
    const std::int32_t begin = at.number * kChainTile;
    if (at.level == 0) {
      for (; bits != 0; bits &= bits - 1) op(begin + __builtin_ctz(bits));
      continue;
    }
    while (bits != 0) {  // the lowest last, which is the next
      const int place = 31 - __builtin_clz(bits);
      open[count++] = {at.level - 1, begin + place};
      bits &= ~(1u << place);
    }
  }
}
/// Those whose bounds meet a box, and some that miss it by less than T rounds.
template <class T, class Op>
WIDEPHASE_INLINE void walk_chain_box(const ChainView<T>& chain, const double (&low)[2],
                                     const double (&high)[2], const Op& op) {
  using F = Batch<T>;
  T least[2], most[2];
  for (int k = 0; k < 2; ++k) {
    least[k] = static_cast<T>(low[k]);
    most[k] = static_cast<T>(high[k]);
    if (sizeof(T) == 4) {
      least[k] -= 4 * kRounding<T> * magnitude(least[k]) + kLeastNormal<T>;
      most[k] += 4 * kRounding<T> * magnitude(most[k]) + kLeastNormal<T>;
    }
    // Places past the last one are beyond all numbers.
    least[k] = least[k] >= -kLargest<T> ? least[k] : -kLargest<T>;
    most[k] = most[k] <= kLargest<T> ? most[k] : kLargest<T>;
  }
  walk_chain(
      chain,
      [&](const Vec<F, 2>& tile_low, const Vec<F, 2>& tile_high) {
        return ((tile_low[0] <= F(most[0])) & (tile_high[0] >= F(least[0]))) &
               ((tile_low[1] <= F(most[1])) & (tile_high[1] >= F(least[1])));
      },
      op);
}

/// The square of how far bounds are from a point.
WIDEPHASE_INLINE double distance2_of(const ChainBounds& bounds, const Vector2& point) {
  double sum = 0;
  for (int k = 0; k < 2; ++k) {
    const double below = bounds.low[k] - point[k], above = point[k] - bounds.high[k];
    const double apart = below > 0 ? below : above > 0 ? above : 0;
    sum += apart * apart;
  }
  return sum;
}

}  // namespace
}  // namespace widephase
