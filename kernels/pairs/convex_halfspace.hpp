#pragma once

#include "kernels/core/basis/lane_counter.hpp"
#include "kernels/core/basis/warm_start.hpp"
#include "kernels/core/faces/convex_features.hpp"
#include "kernels/core/faces/convex_manifold.hpp"
#include "kernels/core/round/segment.hpp"

namespace widephase {
namespace {

// hull_halfspace, cylinder_halfspace, halfspace_ellipsoid, halfspace_cone: the core's support point
// into the solid, and the corners of the face, edge or cap that faces it.
// Normal: A to B, down into the solid. Points: 1 to 4, on A. Features: A's; whole.
template <class F>
struct ConvexHalfspace {
  using A = ConvexLanes<F>;
  using B = HalfspaceLanes<F, 3>;
  using T = RealOf<F>;
  static constexpr int lanes = LaneTraits<F>::count;
  static constexpr int max_points = 4;

  static constexpr bool is_warm_when_steady = true;

  using Room = FacesRoom<T>;

  static Manifold<F, 3, 4> contact(const A& a, const B& b, const F& margin, WarmStartLanes<F>& warm,
                                   LaneCounter<F>&, Room& room) {
    const F zero = F(0);
    const ConvexCore<F> core(a);
    const Vec<F, 3> middle = a.anchor + a.middle;
    Manifold<F, 3, 4> result;
    result.normal = -b.normal;
    result.is_tie = zero;
    const F height = dot(b.normal, middle) - b.offset;  // of the middle over the plane
    const Vec<F, 3> lowest = farthest(core, result.normal, zero == zero).point;
    const F depth = negate(height + dot(b.normal, lowest));
    result.depth = depth + a.radius;
    const F limit = least_core_depth(margin, a.radius);
    const unsigned near = mask_bits(depth >= limit);

    const ConvexShapeLanes<F> shapes(a);
    const Lanes<F> heights(height), depths(depth), limits(limit);
    const Lanes<F> normals[3] = {Lanes<F>(b.normal[0]), Lanes<F>(b.normal[1]),
                                 Lanes<F>(b.normal[2])};
    PointTable<F> table;
    for (int i = 0; i < lanes; ++i) {
      if ((near >> i & 1) == 0) continue;
      const Vec<T, 3> normal{{normals[0][i], normals[1][i], normals[2][i]}};
      table.put(i, points_of(shapes[i], normal, heights[i], depths[i], limits[i], warm.steadiness,
                             warm.last_points(i), room));
    }
    table.read(middle + a.radius * result.normal, a.radius, result);
    return result;
  }

 private:
  static __attribute__((noinline)) CoreManifold<T> points_of(const ConvexShape<T>& shape,
                                                             const Vec<T, 3>& plane_normal,
                                                             T height, T depth, T limit,
                                                             T steadiness, const PointNames& last,
                                                             Room& room) {
    ConvexFace<T>&plane = room.a, &face = room.b;
    plane.count = 0;
    plane.radius = 0;
    plane.corner[0] = -height * plane_normal;
    plane.normal = plane_normal;
    plane.face_feature = 0;
    const T rounding = 32 * kRounding<T> * shape.reach;
    find_face<T>(shape, -plane_normal, rounding, nullptr, face);
    if (shape.form == CoreForm::segment && face.count == 2) {
      // A capsule that stands has only its lower end (pairs/capsule_halfspace.hpp).
      const Vec<T, 3> along = face.corner[1] - face.corner[0];
      const T rise = dot(along, plane_normal);
      if (rise * rise > T(kStandingShare) * dot(along, along)) {
        face.count = 1;
        if (rise < 0) face.corner[0] = face.corner[1];
        if (rise < 0) face.corner_feature[0] = face.corner_feature[1];
      }
    }
    FaceClipper<T>& clipper =
        room.clipper.make(plane, face, Vec<T, 3>{{0, 0, 0}}, plane_normal, rounding, -limit);
    clipper.clip();
    // The lowest point of a rim that leans is not one of the rim's sampled points.
    if (!(clipper.least_height() + depth <= rounding + steadiness)) {
      const ShapePoint<T> lowest = farthest(shape, -plane_normal);
      clipper.join(
          lowest.point + depth * plane_normal, -depth, 0,
          feature_between(shape, &lowest.number, 1, -plane_normal, lowest.point, rounding));
    }
    const T spare = steadiness - (clipper.least_height() + depth);
    const T level = spare > rounding ? spare : rounding;
    FaceCorner<T> kept[4];
    CoreManifold<T> manifold;
    manifold.count = clipper.choose(level, true, true, steadiness, last, kept);
    for (int n = 0; n < manifold.count; ++n) {
      const FaceCorner<T>& corner = kept[n];
      manifold.points[n] = {clipper.position_of(corner) + corner.height * plane_normal,
                            -corner.height, corner.incident_feature, 0};
    }
    set_pair_depth(depth, rounding, steadiness, manifold);
    return manifold;
  }
};

}  // namespace
}  // namespace widephase
