#pragma once

// capsule_heightfield: how far the triangles near a segment are from it, in lanes, in double: far,
// apart or hit, as near_triangles.hpp tells by GJK. Only those that are not far are listed.

#include "kernels/core/surface/triangle_look.hpp"

namespace widephase {
namespace {

/// Where a segment from -half to half is nearest to triangles that it does not cross.
template <class F>
struct SegmentLanes {
  F distance2;
  F feature;  ///< as of `ListedTriangle`
  F share;    ///< of the segment, from its first end: 0 to 1
  Vec<F, 3> on_triangle;
};

template <class F>
WIDEPHASE_INLINE SegmentLanes<F> nearest_to_segment(const TriangleLanes<F>& triangle,
                                                    const Vec<F, 3>& half, const Vec<F, 3>& across,
                                                    const F& area2) {
  const F zero(0), one(1), least(kLeastShare);
  SegmentLanes<F> nearest;
  nearest.distance2 = F(kInfinite<double>);
  nearest.feature = nearest.share = zero;
  nearest.on_triangle = triangle.vertex[0];
  const auto add = [&](const MaskOf<F>& counts, const F& distance2, const F& feature,
                       const F& share, const Vec<F, 3>& on_triangle) {
    const auto is_nearer = counts & (distance2 < nearest.distance2);
    nearest.distance2 = select(is_nearer, distance2, nearest.distance2);
    nearest.feature = select(is_nearer, feature, nearest.feature);
    nearest.share = select(is_nearer, share, nearest.share);
    nearest.on_triangle = select(is_nearer, on_triangle, nearest.on_triangle);
  };
  const Vec<F, 3> from = -half, along = half + half;
  const F along2 = dot(along, along);
  const auto has_length = along2 > zero;
  for (int end = 0; end < 2; ++end) {
    const Vec<F, 3>& point = end == 0 ? from : half;
    const Vec<F, 3> a = triangle.vertex[0] - point, b = triangle.vertex[1] - point;
    const Vec<F, 3> c = triangle.vertex[2] - point;
    const auto is_inside = (dot(cross(a, b), across) > zero) & (dot(cross(b, c), across) > zero) &
                           (dot(cross(c, a), across) > zero);
    const F height = dot(a, across);
    const F shift = divide(height, area2);
    add(is_inside, height * shift, F(kOfFace), F(double(end)), point + shift * across);
  }
  for (int k = 0; k < 3; ++k) {
    const Vec<F, 3>& origin = triangle.vertex[k];
    const Vec<F, 3> edge = triangle.vertex[(k + 1) % 3] - origin;
    const Vec<F, 3> apart = from - origin;
    const F edge2 = dot(edge, edge), both = dot(along, edge);
    const F on_edge = dot(edge, apart), on_along = dot(along, apart);
    const auto clamped = [&](const F& x) {
      return select(x > zero, select(x < one, x, one), zero);
    };
    const F flat = along2 * edge2 - both * both;
    const F middle = clamped(divide(both * on_edge - on_along * edge2, flat));
    F s = select(flat > zero, middle, zero);
    F t = divide(both * s + on_edge, edge2);
    const auto is_before = t<zero, is_past = t> one;
    t = clamped(t);
    const F again = select(is_past, both - on_along, negate(on_along));
    s = select((is_before | is_past) & has_length, clamped(divide(again, along2)), s);
    const Vec<F, 3> on_triangle = origin + t * edge;
    const Vec<F, 3> between = (from + s * along) - on_triangle;
    F feature = select(one - t > least, F(kOfEdge + k), F(kOfVertex + (k + 1) % 3));
    feature = select(t > least, feature, F(kOfVertex + k));
    add(edge2 > zero, dot(between, between), feature, s, on_triangle);
  }
  return nearest;
}

/// Whether part of a segment is over or under triangles, and there below them or not farther over
/// them than `touching`.
template <class F>
WIDEPHASE_INLINE MaskOf<F> is_segment_below(const TriangleLanes<F>& triangle, const Vec<F, 3>& half,
                                            const F& below_first, const F& below_last,
                                            const F& touching) {
  const F zero(0);
  F first(0), last(1);  // the part between, as shares
  MaskOf<F> is_met = first <= last;
  for (int k = 0; k < 3; ++k) {
    const Vec<F, 3>&a = triangle.vertex[k], &b = triangle.vertex[(k + 1) % 3];
    const F x = b[0] - a[0], y = b[1] - a[1];
    const F at_first = x * (negate(half[1]) - a[1]) - y * (negate(half[0]) - a[0]);
    const F at_last = x * (half[1] - a[1]) - y * (half[0] - a[0]);
    const auto is_out = at_first < zero, leaves = at_last < zero;
    const F turn = divide(at_first, at_first - at_last);
    is_met = is_met & !(is_out & leaves);
    first = select(is_out & !leaves & (turn > first), turn, first);
    last = select(leaves & !is_out & (turn < last), turn, last);
  }
  const F grows = below_last - below_first, least = negate(touching);
  const auto is_below =
      (below_first + grows * first >= least) | (below_first + grows * last >= least);
  return is_met & (first <= last) & is_below;
}

template <class T>
class SegmentLook : public TriangleLook<T, SegmentLook<T>> {
  using Base = TriangleLook<T, SegmentLook<T>>;
  using Base::kLanes;
  using Base::limit_;
  using Base::spread;
  using Base::touching_;
  using Base::triangles_;
  using typename Base::F;
  friend Base;

 public:
  /// The segment is the core's, about the origin of the surface's positions.
  SegmentLook(const FieldTriangles<T>& surface, const ConvexShape<T>& core, double limit,
              double touching)
      : Base(surface, limit, touching), half_(widened(core.axis[0])) {}

 private:
  void measure_batch(std::int32_t first, TriangleList& list) {
    const Vec<F, 3> half = spread(half_);
    const F zero(0), limit(limit_), touching(touching_);
    const TriangleLanes<F> triangle(triangles_, first);
    const Vec<F, 3>* const v = triangle.vertex;
    const Vec<F, 3> across = cross(v[1] - v[0], v[2] - v[0]);
    const F area2 = dot(across, across);
    const Vec<F, 3> normal = across / sqrt(area2);
    const F below_first = dot(normal, v[0] + half), below_last = dot(normal, v[0] - half);
    const auto is_last = below_last > below_first;
    const F below = select(is_last, below_last, below_first);
    const auto is_near = (area2 > zero) & (below >= negate(limit + touching));
    if (!any<F>(is_near)) return;
    const Vec<F, 3> lowest = select(is_last, half, -half);
    const auto is_hit = is_near & (below > negate(touching)) &
                        (is_over(triangle, lowest) |
                         is_segment_below(triangle, half, below_first, below_last, touching));
    const SegmentLanes<F> nearest = nearest_to_segment(triangle, half, across, area2);
    F distance = sqrt(nearest.distance2);
    F feature = nearest.feature;
    // As near as the plane: then the face is nearest too, and rounding has named its edge.
    const auto is_plane = (below < zero) & (distance <= touching - below);
    feature = select(is_plane, F(kOfFace), feature);
    distance = select(is_plane, negate(below), distance);
    const auto is_apart = (limit > touching) & (distance <= limit);
    const unsigned hits = mask_bits(is_hit | ((distance <= touching) & is_apart));
    const unsigned near = mask_bits(is_near & (is_hit | is_apart));
    if (near == 0) return;
    store(feature_, feature);
    store(distance_, distance);
    store(below_, below);
    store(share_, nearest.share);
    for (int k = 0; k < 3; ++k) {
      store(normal_[k], normal[k]);
      store(point_[k], nearest.on_triangle[k]);
    }
    const unsigned lasts = mask_bits(is_last);
    for (int lane = 0; lane < kLanes && first + lane < triangles_.count; ++lane) {
      if ((near >> lane & 1) == 0) continue;
      ListedTriangle& listed = this->put(list, first + lane);
      set(listed, lane, (lasts >> lane & 1) != 0);
      if ((hits >> lane & 1) != 0) set_hit(listed);
    }
  }

  void set(ListedTriangle& triangle, int lane, bool is_last) const {
    triangle.state = TriangleState::apart;
    triangle.feature = static_cast<int>(feature_[lane]);
    for (int k = 0; k < 3; ++k) {
      triangle.normal[k] = normal_[k][lane];
      triangle.on_triangle[k] = point_[k][lane];
    }
    triangle.below = below_[lane];
    triangle.lowest = {is_last ? half_ : -half_, is_last ? 1 : 0};
    triangle.distance = distance_[lane];
    const double share = share_[lane];
    triangle.on_core = scaled(half_, 2 * share - 1);
    triangle.away = triangle.normal;
    if (triangle.feature != kOfFace) {
      const Vector apart = triangle.on_core - triangle.on_triangle;
      if (dot(apart, apart) > 0) triangle.away = unit_of(apart);
    }
    triangle.core_vertices = share > 0 && share < 1 ? 2 : 1;
    triangle.core_vertex[0] = share < 1 ? 0 : 1;
    triangle.core_vertex[1] = 1;
  }

  Vector half_;
  alignas(64) double feature_[kLanes], distance_[kLanes], below_[kLanes], share_[kLanes];
  alignas(64) double normal_[3][kLanes], point_[3][kLanes];
};

}  // namespace
}  // namespace widephase
