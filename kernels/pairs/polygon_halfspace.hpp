#pragma once

#include "kernels/core/polygon/polygon_edges.hpp"

namespace widephase {
namespace {

// polygon_halfspace: the ends of the edge whose normal points most into the solid, the lowest of
// equals.
// Normal: A to B, down into the solid. Points: 1 to 2, on A. Features: vertices; whole.
template <class F>
struct PolygonHalfspace {
  using A = PolygonLanes<F>;
  using B = HalfspaceLanes<F, 2>;
  static constexpr int max_points = 2;

  static WIDEPHASE_INLINE Manifold<F, 2, 2> contact(const A& a, const B& b, const F& margin) {
    const PolygonPlaces<F> places(a);
    const Vec<F, 2> down = -b.normal;
    const Vec<F, 2> along = rotate_back(a.rotation, down);
    F number = edge_along(places, along, has_blocks(places));
    if (places.has_flat) number = deepest_edge(places, number, along);
    EdgeLanes<F> edge;
    level_edges(places, number, F(0), edge);
    return plane_manifold(placed(edge, Placement<F>{a.rotation, a.center}), a.radius, down,
                          b.offset, margin);
  }

 private:
  /// The edge that ends at the vertex farthest along `down`. Among edges that are nearly parallel
  /// to one another, rounding may have chosen any.
  static __attribute__((noinline)) F deepest_edge(const PolygonPlaces<F>& places, F number,
                                                  const Vec<F, 2>& down) {
    auto is_open = F(0) == F(0);
    for (int step = 0; step < most_vertices(places); ++step) {
      const EdgeLanes<F> edge = polygon_edge_apart(places, number);
      const F depth_p = dot(down, edge.p), depth_q = dot(down, edge.q);
      const auto is_next = depth_q > depth_p;
      const F after = neighbor_number(places, number, is_next);
      const EdgeLanes<F> next = polygon_edge_apart(places, after);
      is_open = is_open & (dot(down, select(is_next, next.q, next.p)) > greater(depth_p, depth_q));
      if (!any<F>(is_open)) break;
      number = select(is_open, after, number);
    }
    return number;
  }
};

}  // namespace
}  // namespace widephase
