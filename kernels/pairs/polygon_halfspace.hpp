#pragma once

#include "core/polygon_edges.hpp"

namespace widephase {
namespace {

// polygon_halfspace: the ends of the edge that looks most into the solid, the lowest of equals.
// Normal: A to B, down into the solid. Points: 1 to 2, on A. Features: vertices; whole.
template <class F>
struct PolygonHalfspace {
  using A = PolygonLanes<F>;
  using B = HalfspaceLanes<F, 2>;
  static constexpr int max_points = 2;

  static WIDEPHASE_INLINE Manifold<F, 2, 2> contact(const A& a, const B& b, const F& margin) {
    const PolygonPlaces<F> places(a);
    const Vec<F, 2> down = -b.normal;
    const F number = edge_along(places, rotate_back(a.rotation, down), has_blocks(places));
    EdgeLanes<F> edge;
    level_edges(places, number, F(0), edge);
    return plane_manifold(placed(edge, Placement<F>{a.rotation, a.center}), a.radius, down,
                          b.offset, margin);
  }
};

}  // namespace
}  // namespace widephase
