#pragma once

// A convex shape that moves against a chain, in the plane of the chain's axes: each own segment
// near its way is a convex shape of its own, and the least t counts. Of equal t the lowest segment
// is named. A one-sided segment is met only by shapes whose inner point, the mean of a polygon's
// corners, the middle of others, is then in front of its line.
// Normal: out of the chain, to the shape.

#include "kernels/casts/outline_cast.hpp"
#include "kernels/casts/surface_cast.hpp"
#include "kernels/rays/ray_chain.hpp"

namespace widephase {
namespace {

template <class S>
class ChainCaster {
 public:
  /// `shape` is in the chain's axes, as `way` is.
  ChainCaster(const ChainView<S>& chain, const CastCore<S>& shape, const CastWay& way,
              double thickness)
      : chain_(chain), shape_(shape), way_(way) {
    segment_.form = CastForm::segment;
    segment_.radius = thickness;
    for (Vector& axis : segment_.axis) axis = {{0, 0, 0}};
    reach_ = shape.radius + thickness + way.margin;
    inner_ = shape.form == CastForm::blocks ? mean_corner() : Vector{{0, 0, 0}};
  }

  SurfaceCast cast() {
    double low[2], high[2], size = 0;
    for (int k = 0; k < 2; ++k) {
      Vector up{{0, 0, 0}};
      up[k] = 1;
      high[k] = shape_.middle[k] + farthest_of_core(shape_, up)[k] + reach_;
      low[k] = shape_.middle[k] + farthest_of_core(shape_, -up)[k] - reach_;
      const double most = magnitude(low[k]) + magnitude(high[k]);
      size = most > size ? most : size;
    }
    const double slack = 1e-9 * (size + shape_.reach + reach_) + way_.tolerance;
    for (int k = 0; k < 2; ++k) {
      low[k] -= slack;
      high[k] += slack;
    }
    walk_chain_way(
        chain_, low, high, way_.along, 0,
        [&] {
          const double end = way_.most + 1e-9 * way_.most;
          return last() < end ? last() : end;
        },
        [&](std::int32_t segment) { ask(segment); });
    return best_;
  }

 private:
  /// What is met later is not wanted.
  double last() const {
    return best_.meet.is_met && best_.meet.t < way_.enough ? best_.meet.t : way_.enough;
  }
  /// The mean of a polygon's corners, from its middle.
  Vector mean_corner() const {
    Vector sum{{0, 0, 0}};
    for (int k = 0; k < shape_.corner_count; ++k) {
      const S* const from =
          shape_.blocks + std::ptrdiff_t{k / 8} * shape_.block_numbers + std::ptrdiff_t{k % 8};
      sum = sum + along_axes(shape_.axis, double(from[0]), double(from[8]), 0);
    }
    return scaled(sum, 1.0 / shape_.corner_count);
  }

  void ask(std::int32_t segment) {
    const Vector a = chain_vertex(chain_, segment), b = chain_vertex(chain_, segment + 1);
    segment_.axis[0] = scaled(b - a, 0.5);
    segment_.middle = a + segment_.axis[0];
    segment_.reach = root(dot(segment_.axis[0], segment_.axis[0]));
    CastWay way = way_;
    way.enough = last();
    ConvexMeet meet = cast_outlines(segment_, shape_, way);
    if (!meet.is_met) return;
    Vector normal = chain_normal(chain_, segment);
    const Vector moved = shape_.middle + scaled(way_.along, meet.t);
    const bool is_front = dot(normal, moved + inner_ - a) >= 0;
    if (!chain_.is_two_sided && !is_front) return;
    int feature = 0;
    if (!meet.is_start) {
      if (!is_front) normal = -normal;
      take_own_normal(normal, a, moved, meet);
      feature = put_points(a, b, moved, meet);
    }
    best_.take(meet, chain_.number[segment], feature);
  }

  double rounding_of(const Vector& moved) const {
    return 4 *
           (kCastEnd * (shape_.reach + segment_.reach + reach_) + kCastRounding * size_of(moved));
  }
  /// Where a corner of the shape comes down on an end of the segment, many lines support both. If
  /// the segment's own is one of them, as where the chain goes on level, its normal counts: so no
  /// joint is felt.
  void take_own_normal(const Vector& normal, const Vector& on_line, const Vector& moved,
                       ConvexMeet& meet) const {
    const Vector lowest = moved + farthest_of_core(shape_, -normal);
    if (dot(normal, lowest - on_line) - reach_ >= -rounding_of(moved)) meet.normal = normal;
  }
  /// The points that touch, and the feature of the segment.
  int put_points(const Vector& a, const Vector& b, const Vector& moved, ConvexMeet& meet) const {
    const Vector& normal = meet.normal;
    const Vector lowest = farthest_of_core(shape_, -normal);
    const Vector along = b - a;
    const double rise = dot(normal, along), rounding = rounding_of(moved);
    const double whole = dot(along, along);  // 0 for a segment whose square vanishes
    double share = rise > 0 ? 1 : 0;
    // Level, it is touched under the shape's lowest corner; else its higher end is.
    if (magnitude(rise) <= rounding) {
      share = whole > 0 ? dot(along, moved + lowest - a) / whole : 0;
    }
    const int feature = share <= 0  ? surface_vertex(0)
                        : share < 1 ? surface_edge(0)
                                    : surface_vertex(1);
    Vector on_core = a + scaled(along, share);
    if (share <= 0) on_core = a;
    if (share >= 1) on_core = b;
    meet.has_points = true;
    meet.on_a = on_core + scaled(normal, segment_.radius);
    // The shape's own is right across, at the margin.
    meet.on_b = meet.on_a + scaled(normal, way_.margin) - scaled(way_.along, meet.t);
    return feature;
  }

  const ChainView<S>& chain_;
  const CastCore<S>& shape_;
  const CastWay& way_;
  CastCore<S> segment_;
  SurfaceCast best_;
  Vector inner_;
  double reach_;
};

}  // namespace
}  // namespace widephase
