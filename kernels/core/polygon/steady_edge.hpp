#pragma once

// Steadiness in 2D: two outlines in contact keep last step's reference edge under two conditions.
// Its separation is the greatest within the steadiness, and the nearest point lies over it. If a
// batch's words name another edge, its answer is computed beside the plain one.

#include "kernels/core/basis/lane_counter.hpp"
#include "kernels/core/basis/warm_start.hpp"
#include "kernels/core/polygon/edge_manifold.hpp"

namespace widephase {
namespace {

/// Edge numbers in the words of outlines: A's start at 0, B's start here.
inline constexpr int kEdgesASide = 256;

/// Takes the answer over last step's edge, where it is another edge and still qualifies. Returns
/// where.
template <class F>
WIDEPHASE_INLINE MaskOf<F> take_last_edge(const MaskOf<F>& is_other, const F& margin,
                                          const F& steadiness, const Manifold<F, 2, 2>& last,
                                          Manifold<F, 2, 2>& manifold) {
  const F least = negate(margin);
  F deepest = F(-kLargest<RealOf<F>>);
  for (const ManifoldPoint<F, 2>& point : last.points) {
    deepest = greater(deepest, select(point.exists > F(0), point.depth, deepest));
  }
  const auto is_kept = is_other & (manifold.depth >= least) &
                       (last.depth <= manifold.depth + steadiness) & (deepest >= least) &
                       (deepest >= last.depth - steadiness);
  manifold.normal = select(is_kept, last.normal, manifold.normal);
  manifold.depth = select(is_kept, last.depth, manifold.depth);
  manifold.is_tie = select(is_kept, F(0), manifold.is_tie);
  for (int p = 0; p < 2; ++p) {
    manifold.points[p] = select(is_kept, last.points[p], manifold.points[p]);
  }
  return is_kept;
}

}  // namespace
}  // namespace widephase
