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
ChainBounds bounds_of_segment(const ChainView<T>& chain, std::int32_t segment) {
  const T* const at = chain.positions + 2 * std::ptrdiff_t{segment};
  ChainBounds bounds;
  for (int k = 0; k < 2; ++k) {
    const double a = double(at[k]), b = double(at[2 + k]);
    bounds.low[k] = a < b ? a : b;
    bounds.high[k] = a < b ? b : a;
  }
  return bounds;
}
/// The bounds of a place of a level.
template <class T>
ChainBounds bounds_of_place(const ChainView<T>& chain, int level, std::int32_t place) {
  if (level == 0) return bounds_of_segment(chain, place);
  const T* const at = chain.tiles + 4 * std::ptrdiff_t{chain.level_begin[level] + place};
  return {{double(at[0]), double(at[1])}, {double(at[2]), double(at[3])}};
}
template <class T>
std::int32_t places_of(const ChainView<T>& chain, int level) {
  std::int32_t places = chain.segment_count;
  for (int k = 0; k < level; ++k) places = (places + kChainTile - 1) / kChainTile;
  return places;
}

/// Calls `op(segment)`, ascending, for those whose bounds, and those of the tiles that they are in,
/// are wanted.
template <class T, class Wanted, class Op>
void walk_chain(const ChainView<T>& chain, const Wanted& is_wanted, const Op& op) {
  std::int32_t at[kMostChainLevels], end[kMostChainLevels];
  const int top = chain.level_count - 1;
  int level = top;
  at[top] = 0;
  end[top] = places_of(chain, top);
  while (level <= top) {
    if (at[level] == end[level]) {
      ++level;
      continue;
    }
    const std::int32_t place = at[level]++;
    if (!is_wanted(bounds_of_place(chain, level, place))) continue;
    if (level == 0) {
      op(place);
      continue;
    }
    --level;
    const std::int32_t places = places_of(chain, level);
    at[level] = place * kChainTile;
    end[level] = at[level] + kChainTile < places ? at[level] + kChainTile : places;
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
