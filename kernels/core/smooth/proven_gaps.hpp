#pragma once

#include "kernels/core/basis/manifold.hpp"
#include "kernels/lanes/vec.hpp"

namespace widephase {
namespace {

/// The nearest points of cores that are apart, in the lanes where they are proven.
template <class F>
struct ProvenGaps {
  unsigned lanes = 0;
  Vec<F, 3> normal = zero_vec<F, 3>(), on_a = zero_vec<F, 3>();
  F depth = F(0), feature_a = F(0), feature_b = F(0);

  /// Takes those of `is_proven`.
  WIDEPHASE_INLINE void keep(const MaskOf<F>& is_proven, const Vec<F, 3>& n, const F& along,
                             const Vec<F, 3>& point, const F& of_a, const F& of_b) {
    normal = select(is_proven, n, normal);
    on_a = select(is_proven, point, on_a);
    depth = select(is_proven, along, depth);
    feature_a = select(is_proven, of_a, feature_a);
    feature_b = select(is_proven, of_b, feature_b);
    lanes |= mask_bits(is_proven);
  }
  /// Puts them into the answers of a batch (`ConvexAnswers`).
  template <class Answers>
  void put(Answers& answers) const {
    const auto is_proven = lanes_of<F>(lanes);
    auto& points = answers.points;
    for (int k = 0; k < 3; ++k) {
      store_where(is_proven, answers.normal[k].number, normal[k]);
      store_where(is_proven, points.position[0][k], on_a[k]);
    }
    store_where(is_proven, answers.depth.number, depth);
    store_where(is_proven, answers.status.number, F(0));
    store_where(is_proven, points.depth[0], depth);
    store_where(is_proven, points.feature_a[0], feature_a);
    store_where(is_proven, points.feature_b[0], feature_b);
  }
};

}  // namespace
}  // namespace widephase
