#pragma once

// A first look at a pair with a cylinder, a cone or an ellipsoid: most pairs that are apart are so
// along the line between their middles.

#include "kernels/core/cylinder/cylinder_frame.hpp"
#include "kernels/core/support/convex.hpp"

namespace widephase {
namespace {

template <class F>
struct CoresOnLine {
  using T = RealOf<F>;
  F limit;
  Vec<F, 3> apart;
  F size2;

  WIDEPHASE_INLINE CoresOnLine(const ConvexLanes<F>& a, const ConvexLanes<F>& b, const F& margin)
      : limit(least_core_depth(margin, a.radius + b.radius)),
        apart((b.anchor + b.middle) - (a.anchor + a.middle)),
        size2(dot(apart, apart)) {}

  /// How far a core's rim reaches from its middle along the line, times the line's length. The root
  /// of a difference of squares would be too inexact for a line nearly along the axis.
  WIDEPHASE_INLINE F rim_of(const AboutAxis<F>& core) const {
    return core.radius * length(cross(core.axis, apart));
  }
  /// The same of a core from its middle.
  WIDEPHASE_INLINE F reach_of(const AboutAxis<F>& core) const {
    return core.half * abs(dot(core.axis, apart)) + rim_of(core);
  }
  /// The same of a cone, with `axis` from its middle to its apex; `side` is 1 for A and -1 for B.
  WIDEPHASE_INLINE F reach_of_cone(const AboutAxis<F>& cone, const F& side) const {
    const F along = side * dot(cone.axis, apart), apex = cone.half * along;
    return greater(apex, rim_of(cone) - apex);
  }
  /// The same of a box.
  WIDEPHASE_INLINE F reach_of_box(const ConvexLanes<F>& box) const {
    F reach = F(0);
    for (int k = 0; k < 3; ++k) reach = reach + box.half[k] * abs(dot(box.turn.column[k], apart));
    return reach;
  }
  /// The same of an ellipsoid's core: the ellipsoid less the ball that rolls in it.
  WIDEPHASE_INLINE F reach_of_ellipsoid(const ConvexLanes<F>& of) const {
    F square = F(0);
    for (int k = 0; k < 3; ++k) {
      const F along = of.half[k] * dot(of.turn.column[k], apart);
      square = square + along * along;
    }
    const F most = greater(greater(of.half[0], of.half[1]), of.half[2]);
    const F least = lesser(lesser(of.half[0], of.half[1]), of.half[2]);
    return sqrt(square) - (divide_or_zero(least, most) * least) * sqrt(size2);
  }
  /// The same of a hull A, from its vertices; `extent` becomes the most that any of them reaches.
  WIDEPHASE_INLINE F reach_of_hull(const ConvexLanes<F>& a, F& extent) const {
    constexpr int kLanes = LaneTraits<F>::count;
    const Lanes<F> places(a.place());
    HullVertices<F> vertices;
    T reach[kLanes];
    for (int i = 0; i < kLanes; ++i) {
      const HullView<T> hull(a.library, a.indices, integer_in(places[i]));
      vertices.set(i, hull);
      reach[i] = hull.numbers[HullLayout::reach];
    }
    extent = load(reach);
    FarthestFours<F> fours;
    fours.scan(vertices, rotate_back(a.turn, apart), LaneTraits<F>::all);
    F height;
    fours.farthest(height);
    return height;
  }
  /// Whether cores that reach so far together, and whose coordinates add up to `extent`, may
  /// overlap by the limit. Squares of tiny numbers are too inexact to tell.
  WIDEPHASE_INLINE MaskOf<F> may_meet(const F& reaches, const F& extent) const {
    const F size = sqrt(size2), rounding = roundings<F>(256) * (extent + size);
    return (!(reaches - size2 < (limit - rounding) * size)) |
           (size2 < F(sizeof(T) == 4 ? T(1e-24) : T(1e-260)));
  }
};

}  // namespace
}  // namespace widephase
