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
    const F slack = limit_ > touching_ ? F(limit_ + 2 * touching_) : touching;
    MaskOf<F> is_parted, is_far;
    find_gaps(triangle, touching, slack, is_parted, is_far);
    const auto is_hit = is_near & (below > negate(touching)) & !is_parted;
    const auto is_kept = is_near & (is_hit | ((!is_far) & (F(limit_) > touching)));
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
      if ((hits >> lane & 1) != 0) set_hit(listed);
    }
  }

  /// Whether a gap between the box and a prism, along an axis other than the triangle's normal, is
  /// wider than `touching`, and whether one is wider than `slack`.
  void find_gaps(const TriangleLanes<F>& triangle, const F& touching, const F& slack,
                 MaskOf<F>& is_parted, MaskOf<F>& is_far) const {
    const F zero(0);
    const Vec<F, 3>* const v = triangle.vertex;
    const F touching2 = touching * touching, slack2 = slack * slack;
    is_parted = is_far = zero < zero;
    // `square` is the squared length of the axis that the gap is seen along.
    const auto add = [&](const MaskOf<F>& counts, const F& gap, const F& square) {
      const auto is_gap = counts & (gap > zero);
      const F gap2 = gap * gap;
      is_parted = is_parted | (is_gap & (gap2 > touching2 * square));
      is_far = is_far | (is_gap & (gap2 > slack2 * square));
    };
    Vec<F, 3> edge[3];
    for (int k = 0; k < 3; ++k) edge[k] = v[(k + 1) % 3] - v[k];
    // The prism's sides, outward.
    for (int k = 0; k < 3; ++k) {
      const Vec<F, 3> out{{edge[k][1], negate(edge[k][0]), zero}};
      const F square = out[0] * out[0] + out[1] * out[1];
      add(square > zero, negate(dot(out, v[k])) - reach_along(out), square);
    }
    // Other directions: the prism is below its highest vertex as seen along one that looks up.
    const auto add_direction = [&](const Vec<F, 3>& along, const F& least2) {
      const F square = dot(along, along), reach = reach_along(along);
      const auto counts = square > least2;
      const F heights[3] = {dot(along, v[0]), dot(along, v[1]), dot(along, v[2])};
      const F high = greater(greater(heights[0], heights[1]), heights[2]);
      const F low = lesser(lesser(heights[0], heights[1]), heights[2]);
      add(counts & (along[2] >= zero), negate(reach) - high, square);
      add(counts & (along[2] <= zero), low - reach, square);
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
  }

  Vector axis_[3], corner_[8];
  alignas(64) double normal_[3][kLanes];
};

}  // namespace
}  // namespace widephase
