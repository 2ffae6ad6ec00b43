#pragma once

// What rays and points read of trees and shapes on their way, sixteen at a time.

#include "kernels/rays/ray_shape.hpp"

namespace widephase {
namespace {

/// More than a walk has open: each level leaves at most 15 nodes behind.
inline constexpr int kMostOpenNodes = 16 * 13;

/// Whether the boxes of trees are in frames of their own, not the scene's numbers.
template <class P>
inline constexpr bool kHasOwnFrame = sizeof(P) == 8;

template <int D, class P>
WIDEPHASE_INLINE int first_level(const RayTree<D, P>& tree) {
  return tree.level_count > 1 ? tree.level_count - 2 : 0;
}
template <int D, class P>
WIDEPHASE_INLINE const float* tile_of(const RayTree<D, P>& tree, int level, std::int32_t tile) {
  return tree.levels[level] +
         static_cast<std::size_t>(static_cast<std::uint32_t>(tile)) * kTileFloats<D>;
}
template <int D, class P>
WIDEPHASE_INLINE void fetch_tile(const RayTree<D, P>& tree, int level, std::int32_t number) {
  const float* const tile = tile_of(tree, level, number);
  for (int line = 0; line < 2 * D; ++line) __builtin_prefetch(tile + line * kTileLanes);
}
/// The shape in a lane of the leaves.
template <int D, class P>
WIDEPHASE_INLINE std::int32_t id_of(const RayTree<D, P>& tree, std::int32_t lane) {
  const std::int32_t at = tree.lanes[static_cast<std::uint32_t>(lane)];
  if constexpr (!kHasOwnFrame<P>) return at;
  return tree.ids == nullptr ? tree.first_id + at : tree.ids[at];
}
/// The kind of a shape, by the first id of each kind.
WIDEPHASE_INLINE Kind kind_of(const std::int32_t* first, std::int32_t id) {
  int kind = 0;
  for (int k = 1; k < kKindCount; ++k) kind += id >= first[k] ? 1 : 0;
  return static_cast<Kind>(kind);
}

/// The largest or the least of 16 or 64 numbers.
template <bool IsLargest, class S, int N>
WIDEPHASE_INLINE S extreme_of(const S (&numbers)[N]) {
  using F = Batch<S>;
  constexpr int kLanes = LaneTraits<F>::count;
  F found = load(numbers);
  for (int first = kLanes; first < N; first += kLanes) {
    const F next = load(numbers + first);
    if constexpr (IsLargest) {
      found = greater(found, next);
    } else {
      found = lesser(found, next);
    }
  }
  alignas(64) S of_lane[kLanes];
  store(of_lane, found);
  for (int half = kLanes / 2; half != 0; half /= 2) {
    for (int i = 0; i < half; ++i) {
      const S other = of_lane[i + half];
      if (IsLargest ? other > of_lane[i] : other < of_lane[i]) of_lane[i] = other;
    }
  }
  return of_lane[0];
}
template <class S, int N>
WIDEPHASE_INLINE S largest_of(const S (&numbers)[N]) {
  return extreme_of<true>(numbers);
}
template <class S, int N>
WIDEPHASE_INLINE S least_of(const S (&numbers)[N]) {
  return extreme_of<false>(numbers);
}

}  // namespace
}  // namespace widephase
