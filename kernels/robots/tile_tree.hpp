#pragma once

// A walk through a tree of boxes, from its root to those that are near a place, sixteen at a time.
// Cost: some 30 operations per tile.

#include "kernels/lanes/vec.hpp"
#include "kernels/robot_table.hpp"

namespace widephase {
namespace {

template <class F>
class TileTree {
 public:
  explicit TileTree(const CheckTiles& tree) : tree_(tree) {}

  WIDEPHASE_INLINE const float* tile_of(int level, std::int32_t tile) const {
    return tree_.tiles + std::ptrdiff_t{kTileNumbers} * (tree_.level_begin[level] + tile);
  }
  /// The places of a tile whose squared distance is at most `near`.
  WIDEPHASE_INLINE unsigned near_boxes(int level, std::int32_t tile, const Vec<F, 3>& p,
                                       const F& near) const {
    const float* const at = tile_of(level, tile);
    unsigned bits = 0;
    for (int i = 0; i < kMeshTile; i += kLanes) {
      const Vec<F, 3> beyond = each_axis<F, 3>([&](int k) {
        const F under = load(at + k * kMeshTile + i) - p[k];
        const F over = p[k] - load(at + (3 + k) * kMeshTile + i);
        return greater(greater(under, over), F(0));
      });
      bits |= mask_bits(dot(beyond, beyond) <= near) << i;
    }
    return bits;
  }
  /// Calls `found(tile)` for tiles of level 0 that are near, until one ends the walk with true.
  /// Returns whether one did.
  template <class Found>
  WIDEPHASE_INLINE bool walk(const Vec<F, 3>& p, const F& near, const Found& found) const {
    const int top = tree_.level_count - 1;
    if (top == 0) return found(0);
    std::int32_t tile[kMostMeshLevels];
    unsigned open[kMostMeshLevels];
    tile[top] = 0;
    open[top] = near_boxes(top, 0, p, near);
    for (int level = top; level <= top;) {
      if (open[level] == 0) {
        ++level;
        continue;
      }
      const std::int32_t next = kMeshTile * tile[level] + __builtin_ctz(open[level]);
      open[level] &= open[level] - 1;
      if (level == 1) {
        if (found(next)) return true;
        continue;
      }
      --level;
      tile[level] = next;
      open[level] = near_boxes(level, next, p, near);
    }
    return false;
  }

 private:
  static constexpr int kLanes = LaneTraits<F>::count;
  static constexpr int kTileNumbers = 6 * kMeshTile;

  const CheckTiles& tree_;
};

}  // namespace
}  // namespace widephase
