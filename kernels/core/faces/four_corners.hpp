#pragma once

// Which corners of the overlap of two faces become a contact's points: at most four. This file has
// the rule and its numbers. core/faces/four_corners_lanes.hpp applies it to pairs in lanes, and
// core/faces/four_corners_single.hpp to one pair at a time.
//
// A body at rest jitters, and still the same four corners must be chosen. So no choice begins with
// the deepest corner, which depends on jitter, nor with an angle at which usual shapes have ties:
//
// 1. the two extremes along a direction of one body's own face: a diagonal of its axes, where boxes
//    have their corners, turned by 0.14 rad;
// 2. the corner farthest from the line through them, measured a little turned, so that of two
//    equally far corners the same one is taken;
// 3. the corner that adds most area to these three, where area beyond the line counts 1.75 times;
// 4. in a strip along that direction these may be a sliver: then the two corners farthest from the
//    line through the third and the fourth replace the first two, if that gives a tenth more area;
// 5. unless one of the four is as deep as the deepest, up to rounding or the steadiness: the
//    deepest replaces the corner whose loss leaves most area. Or, if their area is larger: the
//    deepest, the one farthest from it and two beside these.
//
// The first three steps keep the centroid of all corners within the four. Proof: let the extremes
// be (0, 0) and (L, 0), and the third corner (x, h). (A shear, which keeps centroids, makes the
// direction of step 1 theirs.) The area beyond the side from the second to the third corner is
// within a triangle of width L - x and height h. Its moment about that side is at most ((L - x) /
// L)^2 times the moment of the three. The area beyond the first side by less than h / sqrt(3)
// weighs less about it than the three do. For deeper areas the fourth corner is there, since no
// corner on the other sides adds 1.75 times as much.

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

/// Corners closer to each other than this share of the smaller face are one.
template <class T>
inline constexpr T kOneCornerShare = T(1e-4);
/// The direction of the diagonal of a face's axes, turned by 0.14 rad.
template <class T>
inline constexpr T kDiagonalCosine = T(0.601516563128517);
template <class T>
inline constexpr T kDiagonalSine = T(0.7988603283941799);
/// The weight of area beyond the line through the extremes.
template <class T>
inline constexpr T kOppositeWeight = T(1.75);
/// The turn that decides between two corners equally far from that line.
template <class T>
inline constexpr T kTieTurn = T(0.1);
/// Other corners replace a sliver if their area is larger by this factor.
template <class T>
inline constexpr T kLeastGain = T(1.1);

/// The directions by which corners are chosen, as seen in the plane of the corners.
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
