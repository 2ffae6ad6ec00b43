#pragma once

#include "kernels/core/polygon/box_edges.hpp"

namespace widephase {
namespace {

// box_halfspace in 2D: the corners of the face whose normal points most into the solid (ties: axis
// 0).
// Normal: A to B, down into the solid. Points: 1 to 2, on A. Features: vertices; whole.
template <class F>
struct BoxHalfspace2 {
  using A = BoxLanes<F, 2>;
  using B = HalfspaceLanes<F, 2>;
  static constexpr int max_points = 2;

  static WIDEPHASE_INLINE Manifold<F, 2, 2> contact(const A& a, const B& b, const F& margin) {
    const PlacedBox<F> box{a.center, a.rotation, a.half_extents};
    return plane_manifold(opposed_box_edge(box, b.normal), a.radius, -b.normal, b.offset, margin);
  }
};

}  // namespace
}  // namespace widephase
