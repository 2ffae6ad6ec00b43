#pragma once

// The public batch function of widephase/support.hpp in 3D: convex cores of one kind, one query per
// lane. A hull's vertices are all tested, eight at a time. Hill climbing over the hull's edges was
// rejected: each lane would take its own path, and among equally far vertices it would return the
// first one it meets.

#include "kernels/core/faces/convex_face.hpp"
#include "kernels/core/run/support_run.hpp"

namespace widephase {
namespace {

/// The support point of a cylinder or a cone, relative to its middle, and its feature. On a
/// cylinder it lies on the upper rim if the direction points up the axis, otherwise on the lower
/// one. On a cone it is the apex if that is farther out than the rim. Along the axis it is the
/// middle of the cap.
template <class F>
struct RoundSupport {
  Vec<F, 3> point;
  F feature;
};

template <class F>
WIDEPHASE_INLINE RoundSupport<F> farthest_of_round(const ConvexLanes<F>& shape,
                                                   const Vec<F, 3>& direction) {
  using T = RealOf<F>;
  const F zero = F(0), one = F(1);
  const Rotation3<F>& turn = shape.turn;
  const F across_x = dot(turn.column[0], direction), across_y = dot(turn.column[1], direction);
  // Divide by the longer one first: for a direction nearly along the axis, a square would lose
  // digits.
  const F longer = greater(abs(across_x), abs(across_y));
  const F scaled_x = divide_or_zero(across_x, longer), scaled_y = divide_or_zero(across_y, longer);
  const F size = sqrt(scaled_x * scaled_x + scaled_y * scaled_y);
  const F x = divide_or_zero(scaled_x, size), y = divide_or_zero(scaled_y, size);

  // The stretch of the rim that starts at rim point `part`, as in `find_cylinder_face`.
  F part = zero, is_rim_point = zero;
  for (int k = 0; k < kRimPoints; ++k) {
    const F from = F(rim_cosine<T>(k)) * y - F(rim_sine<T>(k)) * x;
    const F to = F(rim_cosine<T>(k + 1)) * y - F(rim_sine<T>(k + 1)) * x;
    const auto is_here = (from >= zero) & (to < zero);
    part = select(is_here, F(static_cast<T>(k)), part);
    is_rim_point = select(is_here, select(from == zero, one, zero), is_rim_point);
  }
  const F along = dot(turn.column[2], direction);
  const bool is_cone = shape.form == CoreForm::cone;
  const F doubled = (shape.half[2] + shape.half[2]) * divide_or_zero(along, longer);
  const auto is_upper =
      is_cone ? select_mask<F>(longer == zero, along > zero, doubled > shape.half[0] * size)
              : along > zero;
  const auto is_along_axis = longer == zero;
  const auto is_thin = shape.half[0] == zero;  // its rims are points
  const F first = select(is_upper, F(kRimPoints), zero);
  const F rim =
      select(is_rim_point > zero, vertex_feature(first + part), edge_feature(first + part));
  const F cap = face_feature(select(is_upper, one, zero));
  const Vec<F, 3> out = (shape.half[0] * x) * turn.column[0] + (shape.half[1] * y) * turn.column[1];
  const Vec<F, 3> up = shape.half[2] * turn.column[2];
  F feature = select(is_thin, vertex_feature(first), select(is_along_axis, cap, rim));
  if (!is_cone) return {out + select(is_upper, up, -up), feature};
  feature = select(is_upper, vertex_feature(F(static_cast<T>(kSideLine + 1))), feature);
  return {select(is_upper, up, out - up), feature};
}

template <class F, class T>
void support_points(const SupportRun<3, T>& run) {
  const auto all = F(0) == F(0);
  for (std::int64_t first = 0; first < run.count; first += LaneTraits<F>::count) {
    const std::int64_t live = run.count - first;
    const LaneIds<F> ids(run.ids + first, live);
    const auto shape = ConvexLanes<F>::load(run, run.kind, run.rows, ids.index);
    const Vec<F, 3> direction = load_rows<F>(run.direction, first, run.count);
    Vec<F, 3> core;
    F feature = F(0);
    if (shape.form == CoreForm::cylinder || shape.form == CoreForm::cone) {
      const RoundSupport<F> found = farthest_of_round(shape, direction);
      core = found.point;
      feature = found.feature;
    } else if (shape.form == CoreForm::ellipsoid) {
      // An ellipsoid squares a direction's components: none may overflow or vanish.
      const F longest = greater(greater(abs(direction[0]), abs(direction[1])), abs(direction[2]));
      core = farthest(ConvexCore<F>(shape), divide(F(1), longest) * direction, all).point;
    } else {
      const SupportPoint3<F> found = farthest(ConvexCore<F>(shape), direction, all);
      core = found.point;
      if (shape.form != CoreForm::point) feature = vertex_feature(found.number);
    }
    const Vec<F, 3> rounding = divide(shape.radius, length(direction)) * direction;
    const Vec<F, 3> from_anchor = ((shape.middle + core) + rounding) + rests_of(run, ids);
    const Vec<F, 3> point = shape.anchor + from_anchor;
    for (int k = 0; k < 3; ++k) store_live(run.point[k] + first, point[k], live);
    store_features(run.feature + first, feature, live);
  }
}

}  // namespace
}  // namespace widephase
