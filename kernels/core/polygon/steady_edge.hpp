#pragma once

// Steadiness in the plane: last step's reference edge stays the one of two outlines in contact
// while its separation is the greatest but for the steadiness, and what is nearest lies over it.
// The answer over that edge is made beside the plain one, in batches that have another edge in
// their words.

#include "kernels/core/basis/lane_counter.hpp"
#include "kernels/core/basis/warm_start.hpp"
#include "kernels/core/polygon/edge_manifold.hpp"

namespace widephase {
namespace {

/// Edges in the words of outlines: A's by their numbers, B's from here on.
inline constexpr int kEdgesASide = 256;

/// Takes the answer over last step's edges, where they are others than those at hand and stay.
/// Answers where.
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
