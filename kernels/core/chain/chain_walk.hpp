#pragma once

// The way to a chain's segments: through the tree of their bounds, in their order.

#include "kernels/core/chain/vector2.hpp"
#include "kernels/core/support/widened_box.hpp"
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

/// A box that takes bounds which meet it, and some that miss it by less than T rounds.
template <class T>
struct ChainBox : WidenedBox<T, 2> {
  using WidenedBox<T, 2>::WidenedBox;
  using WidenedBox<T, 2>::least;
  using WidenedBox<T, 2>::most;

  /// Bit i: it takes the bounds of place i of a tile.
  WIDEPHASE_INLINE unsigned takes(const T* tile) const {
    using F = Batch<T>;
    constexpr int lanes = LaneTraits<F>::count;
    static_assert(kChainTile % lanes == 0);
    unsigned bits = 0;
    for (int first = 0; first < kChainTile; first += lanes) {
      const auto number = [&](int k) { return load(tile + k * kChainTile + first); };
      bits |= mask_bits(((number(0) <= F(most[0])) & (number(2) >= F(least[0]))) &
                        ((number(1) <= F(most[1])) & (number(3) >= F(least[1]))))
              << first;
    }
    return bits;
  }
};

/// Calls `op(segment)`, ascending, for those whose bounds a box takes.
template <class T, class Op>
WIDEPHASE_INLINE void walk_chain(const ChainView<T>& chain, const ChainBox<T>& box, const Op& op) {
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
    unsigned bits = box.takes(chain_tile(chain, at.level, at.number));
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
