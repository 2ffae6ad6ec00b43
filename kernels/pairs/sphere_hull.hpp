#pragma once

#include "kernels/core/hull/hull_nearest3.hpp"
#include "kernels/pairs/convex_convex.hpp"

namespace widephase {
namespace {

// sphere_hull: tests the centre against all faces, in lanes, one pair at a time. Inside the hull
// the nearest face counts, outside the nearest feature (core/hull/hull_nearest3.hpp).
// Frame: the scene's axes, with A's centre as the origin. Normal: A to B. Points: 1, on A.
// Ties: a centre in the middle leaves through the lowest face, status 1. If rounding hides the
// nearest feature, GJK answers the pair (kernels/pairs/convex_convex.hpp).
template <class F>
struct SphereHull : private ConvexConvex<F> {
  using T = RealOf<F>;
  using Base = ConvexConvex<F>;
  using typename Base::A;
  using typename Base::Answers;
  using typename Base::B;
  using typename Base::Room;
  static constexpr int lanes = LaneTraits<F>::count;
  static constexpr int max_points = 1;

  static __attribute__((noinline)) Manifold<F, 3, 1> contact(const ConvexLanes<F>& a,
                                                             const ConvexLanes<F>& b,
                                                             const F& margin,
                                                             LaneCounter<F>& counter, Room& room) {
    const F zero = F(0), reach = a.radius + b.radius;
    const F limit = least_core_depth(margin, reach);
    const Vec<F, 3> apart = (b.anchor + b.middle) - (a.anchor + a.middle);
    const PointHulls<F> pairs(b, -rotate_back(b.turn, apart));
    NearestOnHulls<F> nearest;
    find_highest_faces(pairs, counter.live, nearest);
    const F highest = load(nearest.depth.number);
    const unsigned inside = counter.live & mask_bits(highest >= greater(limit, zero));
    const unsigned outside = counter.live & mask_bits((highest < zero) & (highest >= limit));
    for (Lanes<F>& axis : nearest.toward) axis = Lanes<F>(zero);
    for (unsigned left = inside; left != 0; left &= left - 1) {
      const int i = __builtin_ctz(left);
      const Vec<T, 3> normal = pairs.hull[i].face_normal(static_cast<int>(nearest.face[i]));
      for (int k = 0; k < 3; ++k) nearest.toward[k].number[i] = normal[k];
    }
    nearest.feature = Lanes<F>(face_feature(load(nearest.face.number)));
    nearest.open = 0;
    if (outside != 0) {
      find_nearest_outside(pairs, outside, rounding_of(pairs), nearest, counter);
    }

    Manifold<F, 3, 1> manifold;
    const Vec<F, 3> toward{{load(nearest.toward[0].number), load(nearest.toward[1].number),
                            load(nearest.toward[2].number)}};
    manifold.normal = -rotate(b.turn, toward);
    manifold.depth = load(nearest.depth.number);
    manifold.is_tie = one_where<F>(lanes_of<F>(has_level_faces(pairs, inside, nearest)));
    F feature = load(nearest.feature.number);
    if (nearest.open != 0) {
      answer_by_gjk(a, b, limit, nearest.open, manifold, feature, counter, room);
    }
    // Adding 0 turns -0 into 0: zeros of a normal have no sign, so mirrored pairs agree to the bit.
    for (int k = 0; k < 3; ++k) manifold.normal[k] = zero + manifold.normal[k];
    manifold.depth = manifold.depth + reach;
    manifold.points[0] = {
        (a.anchor + a.middle) + a.radius * manifold.normal, manifold.depth, {zero, feature}, F(1)};
    return manifold;
  }

 private:
  /// A bound on the rounding of coordinates.
  static WIDEPHASE_INLINE F rounding_of(const PointHulls<F>& pairs) {
    T reach[lanes];
    for (int i = 0; i < lanes; ++i) reach[i] = pairs.hull[i].numbers[HullLayout::reach];
    const Vec<F, 3>& at = pairs.point;
    return roundings<F>(16) * (load(reach) + ((abs(at[0]) + abs(at[1])) + abs(at[2])));
  }

  static __attribute__((noinline)) void answer_by_gjk(const ConvexLanes<F>& a,
                                                      const ConvexLanes<F>& b, const F& limit,
                                                      unsigned asked, Manifold<F, 3, 1>& manifold,
                                                      F& feature, LaneCounter<F>& counter,
                                                      Room& room) {
    const CorePair<F> pair(a, b);
    const ConvexShapeLanes<F> shapes_a(a), shapes_b(b);
    const auto by_gjk = lanes_of<F>(asked);
    Simplex3<F> simplex;
    gjk(pair, by_gjk, GjkStart<F>(pair), negate(limit), simplex, counter);
    Answers answers(simplex);
    Base::answer_found(pair, shapes_a, shapes_b, by_gjk, limit, answers, counter, room);
    for (int k = 0; k < 3; ++k) {
      manifold.normal[k] = select(by_gjk, load(answers.normal[k].number), manifold.normal[k]);
    }
    manifold.depth = select(by_gjk, load(answers.depth.number), manifold.depth);
    manifold.is_tie = select(by_gjk, load(answers.status.number), manifold.is_tie);
    feature = select(by_gjk, load(answers.points.feature_b[0]), feature);
  }
};

}  // namespace
}  // namespace widephase
