#pragma once

// box_heightfield, aabb_heightfield: which triangles near a box it hits, and which are far from it.
// A box hits a triangle if it meets what is below it: an endless prism. All axes that may part
// these two convex bodies are asked (separating axes: Gottschalk, Lin, Manocha 1996).

#include "kernels/core/surface/triangle_look.hpp"

namespace widephase {
namespace {

template <class T>
class BoxLook : public TriangleLook<T, BoxLook<T>> {
  using Base = TriangleLook<T, BoxLook<T>>;
  using Base::kLanes;
  using Base::limit_;
  using Base::spread;
  using Base::touching_;
  using Base::triangles_;
  using typename Base::F;
  friend Base;

 public:
  BoxLook(const FieldTriangles<T>& surface, const ConvexShape<T>& core, double limit,
          double touching)
      : Base(surface, limit, touching) {
    for (int k = 0; k < 3; ++k) axis_[k] = widened(core.axis[k]);
    for (int n = 0; n < 8; ++n) corner_[n] = widened(vertex_of(core, n));
  }

 private:
  /// How far a box's half reaches along a direction.
  F reach_along(const Vec<F, 3>& u) const {
    return (abs(dot(spread(axis_[0]), u)) + abs(dot(spread(axis_[1]), u))) +
           abs(dot(spread(axis_[2]), u));
  }

  void measure_batch(std::int32_t first, TriangleList& list) {
    const F zero(0), touching(touching_);
    const TriangleLanes<F> triangle(triangles_, first);
    const Vec<F, 3>* const v = triangle.vertex;
    const Vec<F, 3> across = cross(v[1] - v[0], v[2] - v[0]);
    const F area2 = dot(across, across);
    const Vec<F, 3> normal = across / sqrt(area2);
    F slope[3];
    for (int k = 0; k < 3; ++k) slope[k] = dot(spread(axis_[k]), normal);
    const F below = dot(normal, v[0]) + ((abs(slope[0]) + abs(slope[1])) + abs(slope[2]));
    const auto is_near = (area2 > zero) & (below >= F(0 - limit_ - 2 * touching_));
    if (!any<F>(is_near)) return;
    const F gap = widest_gap(triangle);
    const auto is_hit = is_near & (below > negate(touching)) & (gap <= touching);
    const auto is_kept =
        is_near & (is_hit | ((gap <= F(limit_ + 2 * touching_)) & (F(limit_) > touching)));
    const unsigned kept = mask_bits(is_kept), hits = mask_bits(is_hit);
    if (kept == 0) return;
    unsigned ups[3];
    for (int k = 0; k < 3; ++k) ups[k] = mask_bits(slope[k] < zero);
    for (int k = 0; k < 3; ++k) store(normal_[k], normal[k]);
    for (int lane = 0; lane < kLanes && first + lane < triangles_.count; ++lane) {
      if ((kept >> lane & 1) == 0) continue;
      ListedTriangle& listed = this->put(list, first + lane);
      for (int k = 0; k < 3; ++k) listed.normal[k] = normal_[k][lane];
      int number = 0;
      for (int k = 0; k < 3; ++k) number |= static_cast<int>(ups[k] >> lane & 1) << k;
      listed.lowest = {corner_[number], number};
      listed.below = dot(listed.normal, listed.vertex[0] - corner_[number]);
      if ((hits >> lane & 1) != 0) Base::set_hit(listed);
    }
  }

  /// The widest gap between the box and a prism along an axis other than the triangle's normal;
  /// below 0 where they overlap along all.
  F widest_gap(const TriangleLanes<F>& triangle) const {
    const F zero(0), one(1);
    const Vec<F, 3>* const v = triangle.vertex;
    F widest = F(-kInfinite<double>);
    const auto add = [&](const MaskOf<F>& counts, const F& gap) {
      widest = select(counts & (gap > widest), gap, widest);
    };
    Vec<F, 3> edge[3];
    for (int k = 0; k < 3; ++k) edge[k] = v[(k + 1) % 3] - v[k];
    // The prism's sides, outward.
    for (int k = 0; k < 3; ++k) {
      const F size = sqrt(edge[k][0] * edge[k][0] + edge[k][1] * edge[k][1]);
      const Vec<F, 3> out{{divide(edge[k][1], size), divide(negate(edge[k][0]), size), zero}};
      add(size > zero, negate(dot(out, v[k])) - reach_along(out));
    }
    // Directions that look up or level, of any length: the prism is below its highest vertex.
    const auto add_direction = [&](const Vec<F, 3>& along, const F& least2) {
      const F square = dot(along, along);
      const auto counts = square > least2;
      const F size = sqrt(select(counts, square, one)), reach = reach_along(along);
      const F heights[3] = {dot(along, v[0]), dot(along, v[1]), dot(along, v[2])};
      const F high = greater(greater(heights[0], heights[1]), heights[2]);
      const F low = lesser(lesser(heights[0], heights[1]), heights[2]);
      const auto is_up = along[2] > zero, is_down = along[2] < zero;
      add(counts & !is_down, divide(negate(reach) - high, size));
      add(counts & !is_up, divide(low - reach, size));
    };
    for (int k = 0; k < 3; ++k) {
      const Vec<F, 3> axis = spread(axis_[k]);
      const F axis2 = dot(axis, axis);
      add_direction(axis, zero);
      add_direction({{negate(axis[1]), axis[0], zero}}, F(1e-16) * axis2);
      for (int j = 0; j < 3; ++j) {
        add_direction(cross(edge[j], axis), F(1e-16) * (axis2 * dot(edge[j], edge[j])));
      }
    }
    return widest;
  }

  Vector axis_[3], corner_[8];
  alignas(64) double normal_[3][kLanes];
};

}  // namespace
}  // namespace widephase
