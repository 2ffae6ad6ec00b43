#pragma once

// Helpers for contacts of one point.

#include "kernels/core/basis/box_features.hpp"
#include "kernels/core/round/segment.hpp"

namespace widephase {
namespace {

template <class F, int D>
WIDEPHASE_INLINE Manifold<F, D, 1> one_point(const Vec<F, D>& normal, const F& depth,
                                             const F& is_tie, const Vec<F, D>& position,
                                             const FeaturePair<F>& feature) {
  return {normal, depth, is_tie, {{position, depth, feature, F(1)}}};
}

/// `apart` divided by its length, `distance`; `otherwise` where the distance is zero.
template <class F, int D>
WIDEPHASE_INLINE Vec<F, D> direction_or(const Vec<F, D>& apart, const F& distance,
                                        const Vec<F, D>& otherwise) {
  const auto is_zero = distance == F(0);
  return select(is_zero, otherwise, apart / select(is_zero, F(1), distance));
}

/// A capsule's feature at parameter t of its core: one of the ends, or the side between them.
template <class F>
WIDEPHASE_INLINE F capsule_feature(const F& t) {
  return select(t <= F(0), vertex_feature(F(0)),
                select(t >= F(1), vertex_feature(F(1)), edge_feature(F(0))));
}

}  // namespace
}  // namespace widephase
