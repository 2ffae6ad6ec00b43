#pragma once

#include "kernels/core/basis/rows.hpp"

namespace widephase {
namespace {

/// A feature half (`feature_half` of types.hpp) as a floating-point number. It is exact in float
/// and double, and sorts like the bits.
template <class F>
struct FeaturePair {
  F a;
  F b;
};

template <class F>
WIDEPHASE_INLINE F vertex_feature(const F& index) {
  return F(1 << 14) + index;
}
template <class F>
WIDEPHASE_INLINE F edge_feature(const F& index) {
  return F(2 << 14) + index;
}
template <class F>
WIDEPHASE_INLINE F face_feature(const F& index) {
  return F(3 << 14) + index;
}
template <class F>
WIDEPHASE_INLINE MaskOf<F> comes_before(const FeaturePair<F>& x, const FeaturePair<F>& y) {
  return (x.a < y.a) | ((x.a == y.a) & (x.b < y.b));
}
template <class F>
WIDEPHASE_INLINE FeaturePair<F> select(const MaskOf<F>& mask, const FeaturePair<F>& yes,
                                       const FeaturePair<F>& no) {
  return {select(mask, yes.a, no.a), select(mask, yes.b, no.b)};
}

/// The smallest core depth that can make a contact. Below it the contact's depth, core depth plus
/// radii as rounded, is below -margin.
template <class F>
WIDEPHASE_INLINE F least_core_depth(const F& margin, const F& radii) {
  const F apart = margin + radii;
  return negate(apart + roundings<F>(4) * apart);
}

/// One contact point per lane, relative to the pair's origin; `exists` is 1 or 0.
template <class F, int D>
struct ManifoldPoint {
  Vec<F, D> position;  ///< on A
  F depth;
  FeaturePair<F> feature;
  F exists;
};

template <class F, int D>
WIDEPHASE_INLINE ManifoldPoint<F, D> select(const MaskOf<F>& mask, const ManifoldPoint<F, D>& yes,
                                            const ManifoldPoint<F, D>& no) {
  return {select(mask, yes.position, no.position), select(mask, yes.depth, no.depth),
          select(mask, yes.feature, no.feature), select(mask, yes.exists, no.exists)};
}

/// The result of a pair kernel: one pair per lane, with up to K points. The points that exist
/// ascend by feature; there may be holes between them.
template <class F, int D, int K>
struct Manifold {
  static constexpr int max_points = K;
  Vec<F, D> normal;  ///< unit, A to B
  F depth;
  F is_tie;  ///< 1 where the direction is not unique
  ManifoldPoint<F, D> points[K];
};

template <class F, int D, int K>
WIDEPHASE_INLINE Manifold<F, D, K> select(const MaskOf<F>& mask, const Manifold<F, D, K>& yes,
                                          const Manifold<F, D, K>& no) {
  Manifold<F, D, K> result{select(mask, yes.normal, no.normal),
                           select(mask, yes.depth, no.depth),
                           select(mask, yes.is_tie, no.is_tie),
                           {}};
  for (int p = 0; p < K; ++p) result.points[p] = select(mask, yes.points[p], no.points[p]);
  return result;
}

/// Sorts a manifold's points by ascending feature.
template <class F, int D>
WIDEPHASE_INLINE void sort_points(ManifoldPoint<F, D> (&points)[2]) {
  const auto is_swapped = whole(comes_before(points[1].feature, points[0].feature));
  const ManifoldPoint<F, D> first = select(is_swapped, points[1], points[0]);
  points[1] = select(is_swapped, points[0], points[1]);
  points[0] = first;
}

template <class F, int D>
WIDEPHASE_INLINE void sort_points(ManifoldPoint<F, D> (&points)[1]) {
  (void)points;
}

template <class F, int D>
WIDEPHASE_INLINE void order_points(ManifoldPoint<F, D>& x, ManifoldPoint<F, D>& y) {
  const auto is_swapped = whole(comes_before(y.feature, x.feature));
  const ManifoldPoint<F, D> first = select(is_swapped, y, x);
  y = select(is_swapped, x, y);
  x = first;
}

/// Whether every lane has at most its first point.
template <class F, int D>
WIDEPHASE_INLINE bool is_one_point(const ManifoldPoint<F, D> (&points)[4]) {
  const F others = (points[1].exists + points[2].exists) + points[3].exists;
  return !any<F>(others > F(0));
}

template <class F, int D>
WIDEPHASE_INLINE void sort_points(ManifoldPoint<F, D> (&points)[4]) {
  if (is_one_point(points)) return;
  order_points(points[0], points[1]);
  order_points(points[2], points[3]);
  order_points(points[0], points[2]);
  order_points(points[1], points[3]);
  order_points(points[1], points[2]);
}

/// Rotates a manifold by `rotation`, out of the frame in which it was found.
template <class Turn, class F, int D, int K>
WIDEPHASE_INLINE void turn_manifold(const Turn& rotation, Manifold<F, D, K>& manifold) {
  manifold.normal = rotate(rotation, manifold.normal);
  for (ManifoldPoint<F, D>& point : manifold.points) {
    point.position = rotate(rotation, point.position);
  }
}

/// Rotates it in the same way, then translates it by `center`, the frame's origin.
template <class Turn, class F, int D, int K>
WIDEPHASE_INLINE void leave_frame(const Turn& rotation, const Vec<F, D>& center,
                                  Manifold<F, D, K>& manifold) {
  turn_manifold(rotation, manifold);
  for (ManifoldPoint<F, D>& point : manifold.points) point.position = point.position + center;
}

}  // namespace
}  // namespace widephase
