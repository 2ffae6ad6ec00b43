#pragma once

#include "kernels/core/cylinder/cylinder_lanes.hpp"
#include "kernels/core/gjk/point_about_axis.hpp"
#include "kernels/core/round/ball.hpp"

namespace widephase {
namespace {

// sphere_cylinder: in the plane of the cylinder's axis and the centre, which is in or beside a
// rectangle there.
// Frame: the scene's axes, with A's centre as the origin. Normal: A to B. Points: 1, on A.
// Features: whole; the cylinder's cap, side or part of a rim.
// Inside: along the axis before straight across it; B leaving up its axis, then along its first
// axis, status 1.
// Cost: 4 sqrt and 6 divisions per lane.
template <class F>
struct SphereCylinder {
  using A = SphereLanes<F, 3>;
  using B = CylinderLanes<F>;
  static constexpr int max_points = 1;

  static WIDEPHASE_INLINE Manifold<F, 3, 1> contact(const A& a, const B& b, const F&) {
    const F zero = F(0), one = F(1);
    const Vec<F, 3>& u = b.axis();
    const F &radius = b.own_radius(), &half = b.half_height();
    const Vec<F, 3> apart = a.center - b.center;
    const PointAboutAxis<F> point(apart, u);
    const NearestAboutAxis<F> at = nearest_of_cylinder(radius, half, point);
    const Vec<F, 3> gap = at.gap[1] * u + at.gap[0] * point.out;
    const F distance = length(gap);

    const F axial = half - abs(point.z), radial = radius - point.aside;
    const auto is_axial = axial <= radial, is_on_axis = point.aside == zero;
    const F up = select(point.z > zero, F(-1), one);
    const Vec<F, 3> across = select(is_on_axis, b.rotation.column[0], -point.out);
    const auto is_tie = (axial == radial) | select_mask<F>(is_axial, point.z == zero, is_on_axis);
    const Vec<F, 3> normal = select(at.is_inside, select(is_axial, up * u, across),
                                    -(gap / select(distance > zero, distance, one)));
    const F depth = select(at.is_inside, select(is_axial, axial, radial), negate(distance));

    // Where the cylinder's point is, to the digits that a search would have.
    const F z = select(at.is_inside & is_axial, negate(up * half), at.nearest[1]);
    const F aside = select(at.is_inside & !is_axial, radius, at.nearest[0]);
    const Vec<F, 3> toward = select(at.is_inside & !is_axial, -across, point.out);
    const F reach = sqrt((radius * radius + radius * radius) + half * half);
    const F slack =
        F(root_of_rounding) * reach + roundings<F>(32) * (reach + coordinate_size(apart));
    const auto is_at_end = half - abs(z) <= slack, is_at_side = radius - aside <= slack;
    const F upper = select(z > zero, one, zero);
    const F part = rim_parts(dot(b.rotation.column[0], toward), dot(b.rotation.column[1], toward));
    const F rim = edge_feature(F(kRimPoints) * upper + part);
    const F feature =
        select(is_at_end, select(is_at_side, rim, face_feature(upper)), face_feature(F(kSideFace)));

    Manifold<F, 3, 1> manifold;
    // Adding 0 turns -0 into 0: zeros of a normal have no sign, so mirrored pairs agree to the bit.
    for (int k = 0; k < 3; ++k) manifold.normal[k] = zero + normal[k];
    manifold.depth = depth + (a.radius + b.radius);
    manifold.is_tie = select(at.is_inside & is_tie, one, zero);
    manifold.points[0] = {
        a.center + a.radius * manifold.normal, manifold.depth, {zero, feature}, one};
    return manifold;
  }

 private:
  /// The square root of the largest relative error of one rounded operation.
  static constexpr RealOf<F> root_of_rounding =
      sizeof(RealOf<F>) == 4 ? RealOf<F>(0x1p-12) : RealOf<F>(0x1.6a09e667f3bcdp-27);
};

}  // namespace
}  // namespace widephase
