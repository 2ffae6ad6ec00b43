#pragma once

#include <widephase/pairs.hpp>

namespace widephase {

/// `find_pairs` over a scene: ids from `first_halfspace` on are halfspaces, whose rows of `bounds`
/// are ignored. One meets the boxes whose support point (the corner lowest along its unit normal)
/// it holds, dot(normal, corner) <= offset up to rounding in favour of the pair; two halfspaces
/// never meet. `halfspace_offset` already holds the margin. A world's pairs with halfspaces follow
/// its pairs of boxes.
template <int D, class T>
void find_scene_pairs(const BoundsSpan<D, T>& bounds, std::int32_t first_halfspace,
                      const ColumnSpan<T, D>& halfspace_normal,
                      const ColumnSpan<T>& halfspace_offset, const FilterSpan& filters,
                      const Domain<D, T>& domain, Column<Pair>& pairs,
                      PairWorkspace<D, T>& workspace, const PairOptions& options);

}  // namespace widephase
