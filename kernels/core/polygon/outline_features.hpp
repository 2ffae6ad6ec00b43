#pragma once

#include "kernels/core/polygon/polygon_edges.hpp"

namespace widephase {
namespace {

/// Renames an outline's features as its kind numbers them: boxes number vertices by sides and have
/// faces, capsules have one edge, circles have a single feature.
template <class F>
WIDEPHASE_INLINE void name_features(Kind kind, EdgeLanes<F>& edge) {
  const F zero = F(0), one = F(1), two = F(2), three = F(3);
  switch (kind) {
    case Kind::circle:
      edge.feature = edge.feature_p = edge.feature_q = zero;
      return;
    case Kind::capsule:
      edge.feature = edge_feature(zero);
      return;
    case Kind::aabb:
    case Kind::box: {
      // Counter-clockwise from the lower corner: corners 0, 1, 3, 2 and faces 2, 1, 3, 0.
      const auto corner = [&](const F& feature) {
        return select(feature == vertex_feature(two), vertex_feature(three),
                      select(feature == vertex_feature(three), vertex_feature(two), feature));
      };
      edge.feature_p = corner(edge.feature_p);
      edge.feature_q = corner(edge.feature_q);
      const F number = edge.feature - edge_feature(zero);
      edge.feature = face_feature(select(
          number == zero, two, select(number == one, one, select(number == two, three, zero))));
      return;
    }
    case Kind::polygon:
    case Kind::hull:  // no outline, as for the kinds below
    case Kind::cylinder:
    case Kind::ellipsoid:
    case Kind::cone:
    case Kind::halfspace:
    case Kind::heightfield:
    case Kind::mesh:
    case Kind::chain:
      return;
  }
}

/// The feature of an outline between two of its vertices. `is_named` is set where they are the same
/// vertex or neighbours.
template <class F>
WIDEPHASE_INLINE F feature_between(const PolygonPlaces<F>& places, Kind kind, const F& first,
                                   const F& second, MaskOf<F>& is_named) {
  const auto is_next = first == first;
  const auto is_vertex = first == second;
  const auto is_forth = neighbor_number(places, first, is_next) == second;
  const auto is_back = neighbor_number(places, second, is_next) == first;
  is_named = is_vertex | is_forth | is_back;
  EdgeLanes<F> edge{};
  edge.feature = edge_feature(select(is_forth, first, second));
  edge.feature_p = vertex_feature(first);
  name_features(kind, edge);
  return select(is_vertex, edge.feature_p, edge.feature);
}

}  // namespace
}  // namespace widephase
