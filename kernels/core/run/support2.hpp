#pragma once

// The public batch function of widephase/support.hpp in 2D: outlines of one kind, one query per
// lane, with the vertices of each in lanes.

#include "kernels/core/polygon/outline_features.hpp"
#include "kernels/core/polygon/outline_vertices.hpp"
#include "kernels/core/run/support_run.hpp"

namespace widephase {
namespace {

/// A box's outline runs counter-clockwise through corners 0, 1, 3, 2. If corners 2 and 3 are
/// equally far, the outline's lower vertex is corner 3; this replaces it by corner 2.
template <class F>
WIDEPHASE_INLINE void prefer_corner_2(const OutlineVertices<F>& outlines,
                                      const Vec<F, 2>& direction, F& number, Vec<F, 2>& vertex) {
  const Vec<F, 2> other{{outlines.x[3], outlines.y[3]}};
  // Computed exactly as in `farthest_vertex`.
  const auto along = [&](const Vec<F, 2>& v) { return v[0] * direction[0] + v[1] * direction[1]; };
  const auto is_tie = (number == F(2)) & (along(other) == along(vertex));
  number = select(is_tie, F(3), number);
  vertex = select(is_tie, other, vertex);
}

template <class F, class T>
void support_points(const SupportRun<2, T>& run) {
  for (std::int64_t first = 0; first < run.count; first += LaneTraits<F>::count) {
    const std::int64_t live = run.count - first;
    const LaneIds<F> ids(run.ids + first, live);
    F row[4 * PolygonLanes<F>::quads];
    load_quads<PolygonLanes<F>::quads>(run.rows, ids.index, row);
    const PolygonLanes<F> shape(row, run.library);
    const PolygonPlaces<F> places(shape);
    const OutlineVertices<F> outlines(places);
    const Vec<F, 2> direction = load_rows<F>(run.direction, first, run.count);
    const Vec<F, 2> local = rotate_back(shape.rotation, direction);
    Vec<F, 2> vertex;
    F number = farthest_vertex(outlines, local, F(0) == F(0), vertex);
    if (run.kind == Kind::aabb || run.kind == Kind::box) {
      prefer_corner_2(outlines, local, number, vertex);
    }
    const F size = length(direction);
    const Vec<F, 2> from_center =
        (rotate(shape.rotation, vertex) + divide(shape.radius, size) * direction) +
        rests_of(run, ids);
    const Vec<F, 2> point = shape.center + from_center;
    for (int k = 0; k < 2; ++k) store_live(run.point[k] + first, point[k], live);
    EdgeLanes<F> edge{};
    edge.feature_p = vertex_feature(number);
    name_features(run.kind, edge);
    store_features(run.feature + first, edge.feature_p, live);
  }
}

}  // namespace
}  // namespace widephase
