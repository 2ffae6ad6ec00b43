#pragma once

// Which of the corners of an overlap of two faces are a contact's points: at most four. This is the
// rule and its numbers; core/faces/four_corners_lanes.hpp has it for pairs in lanes, and
// core/faces/four_corners_single.hpp for one pair at a time.
//
// A body at rest trembles, and the same four must be chosen all the same. So no choice begins with
// the deepest corner, which trembling decides, nor at an angle at which usual shapes have ties:
//
// 1. the two extremes along a direction of one body's own face: a diagonal of its axes, where boxes
//    have their corners, turned by 0.14 rad;
// 2. the corner farthest from the line through them, measured a little turned, so that of two as
//    far the same one is taken;
// 3. the corner that adds most area to these three, where what lies beyond the line counts 1.75
//    times;
// 4. in a strip along that direction, where these may be a sliver, the two corners farthest from
//    the line through the third and the fourth in the place of the first two, where that has a
//    tenth more area;
// 5. unless one of the four is as deep but for a rounding or the steadiness, the deepest in the
//    place of the one whose loss leaves most area; or the deepest, the one farthest from it and two
//    beside these, where that has more.
//
// The first three steps hold the centroid of all corners within the four. For let the extremes be
// (0, 0) and (L, 0) (a shear, which keeps centroids, makes the direction theirs), and the third (x,
// h). What lies beyond the side from the second to the third is within a triangle of width L - x
// and height h, whose moment about that side is at most that of the three times ((L - x) / L)^2;
// and what lies beyond the first side by less than h / sqrt(3) weighs less about it than the three
// do. For deeper ones the fourth corner is there, since no corner on the other sides adds 1.75
// times as much.

#include "kernels/core/basis/manifold.hpp"

namespace widephase {
namespace {

/// A point of the overlap of two faces.
template <class F>
struct FacePoint {
  F x, y;
  F height;  ///< of the incident face above the reference face
  F reference_feature, incident_feature;
  F exists;
};
template <class F>
WIDEPHASE_INLINE FacePoint<F> select(const MaskOf<F>& mask, const FacePoint<F>& yes,
                                     const FacePoint<F>& no) {
  return {select(mask, yes.x, no.x),
          select(mask, yes.y, no.y),
          select(mask, yes.height, no.height),
          select(mask, yes.reference_feature, no.reference_feature),
          select(mask, yes.incident_feature, no.incident_feature),
          select(mask, yes.exists, no.exists)};
}

/// A corner of the overlap of two faces, seen along the normal on the reference face.
template <class T>
struct FaceCorner {
  T x, y;
  T height;  ///< of the incident face above the reference face
  T reference_feature, incident_feature;
};

/// Corners within this share of the smaller face are one.
template <class T>
inline constexpr T kOneCornerShare = T(1e-4);
/// The direction of the diagonal of a face's axes, turned by 0.14 rad.
template <class T>
inline constexpr T kDiagonalCosine = T(0.601516563128517);
template <class T>
inline constexpr T kDiagonalSine = T(0.7988603283941799);
/// What lies beyond the line through the extremes counts so many times.
template <class T>
inline constexpr T kOppositeWeight = T(1.75);
/// The turn by which one of two corners as far from that line is taken.
template <class T>
inline constexpr T kTieTurn = T(0.1);
/// How many times the area other corners must have to be taken for a sliver.
template <class T>
inline constexpr T kLeastGain = T(1.1);

/// The directions by which corners are chosen, as seen on the plane in which these lie.
template <class F>
struct LastingAxes {
  Vec<F, 2> first, second;

  /// The diagonals of a face's own axes, turned by 0.14 rad.
  static WIDEPHASE_INLINE LastingAxes turned(const Vec<F, 2>& x, const Vec<F, 2>& y) {
    const F cosine = F(kDiagonalCosine<RealOf<F>>);
    const F sine = F(kDiagonalSine<RealOf<F>>);
    return {cosine * x + sine * y, cosine * y - sine * x};
  }
};

}  // namespace
}  // namespace widephase
