#pragma once

// A cylinder or a cone and an ellipsoid that are apart, in lanes: the nearest points. The descent
// of core/smooth/ellipsoid_descent.hpp starts along the line between the middles; where the cores
// are apart, the overlap below 0 has one minimum. That direction's separation is a lower bound of
// the distance, and the gap between two points of the cores is an upper bound. Where the two differ
// by no more than rounding, the distance is proven, however the direction was found. Other pairs
// are left to GJK, and so are flat ellipsoids and flat or thin cylinders and cones.

#include "kernels/core/smooth/cone_points.hpp"
#include "kernels/core/smooth/points_over_ellipsoid.hpp"
#include "kernels/core/smooth/proven_gaps.hpp"

namespace widephase {
namespace {

template <class F>
class EllipsoidGaps {
 public:
  using T = RealOf<F>;

  /// The ellipsoid is A or B.
  explicit EllipsoidGaps(const CorePair<F>& pair) : pair_(pair) {}

  /// Looks in the lanes of `asked`.
  __attribute__((noinline)) void find(unsigned asked, LaneCounter<F>& counter) {
    const bool is_first = pair_.a.shape.form != CoreForm::ellipsoid;
    const ConvexCore<F>&own = is_first ? pair_.a : pair_.b, &other = is_first ? pair_.b : pair_.a;
    const Vec<F, 3> apart = is_first ? pair_.apart : -pair_.apart;
    const auto most_of = [](const Vec<F, 3>& v) { return greater(greater(v[0], v[1]), v[2]); };
    const auto least_of = [](const Vec<F, 3>& v) { return lesser(lesser(v[0], v[1]), v[2]); };
    const Vec<F, 3>&half = own.shape.half, &axes = other.shape.half;
    const F most = most_of(axes), longest = most_of(half);
    const auto is_fit = lanes_of<F>(asked) & (least_of(axes) >= F(T(0x1p-5)) * most) &
                        (least_of(half) >= F(T(0x1p-5)) * longest) & (longest > F(0)) &
                        (most > F(0));
    if (!any<F>(is_fit)) return;
    const UnitScale<F> unit(greater(greater(longest, most), coordinate_size(apart)));
    ConvexOverEllipsoid<F> of;
    of.set(own.shape, other.shape, apart, unit.into);
    const F far = length(of.middle);
    const Vec<F, 3> start =
        select(far > F(0), of.middle / select(far > F(0), far, F(1)), first_axis<F, 3>());
    const EllipsoidDescent<F> descent(of, own.shape.form, unit.into * most, start, is_fit, counter);
    prove(descent, own, other, apart, is_fit, is_first);
  }

  unsigned proven() const { return found_.lanes; }
  const ProvenGaps<F>& found() const { return found_; }
  /// The proven lanes with several points: an ellipsoid that is not flat has one.
  static unsigned faces() { return 0; }
  template <class Answers>
  void put(Answers& answers) const {
    found_.put(answers);
  }

 private:
  __attribute__((noinline)) void prove(const EllipsoidDescent<F>& descent, const ConvexCore<F>& own,
                                       const ConvexCore<F>& other, const Vec<F, 3>& apart,
                                       const MaskOf<F>& asked, bool is_first) {
    const F zero = F(0);
    const F size = (length(own.shape.half) + length(other.shape.half)) +
                   ((abs(apart[0]) + abs(apart[1])) + abs(apart[2]));
    const F rounding = F(32 * kRounding<T>) * size;
    const PointsOverEllipsoid<F> points(descent, own, other, apart, size, asked);
    const Vec<F, 3> gap = points.on_own - (apart + points.on_other);
    const auto is_proven = asked & (points.depth < negate(rounding)) & (points.off <= rounding) &
                           (length(gap) + points.depth <= F(0.25f) * rounding) &
                           (points.to_end >= zero);
    const F feature =
        own.shape.form == CoreForm::cone
            ? FacingCone<F>(own.shape, points.normal).feature_at(points.on_own, rounding)
            : FacingCylinder<F>(own.shape, points.normal).feature_at(points.on_own, rounding);
    found_.keep(is_proven, is_first ? points.normal : -points.normal, points.depth,
                is_first ? points.on_own : points.on_other, is_first ? feature : zero,
                is_first ? zero : feature);
  }

  const CorePair<F>& pair_;
  ProvenGaps<F> found_;
};

}  // namespace
}  // namespace widephase
