#pragma once

// The public batch function of widephase/support.hpp: outlines of one kind, a lane a question, the
// vertices of each in lanes.

#include "core/closest.hpp"
#include "core/gjk2.hpp"
#include "core/outline_features.hpp"

namespace widephase {
namespace {

template <class F, class T>
void support_points(const SupportRun<T>& run) {
  constexpr int kLanes = LaneTraits<F>::count;
  for (std::int64_t first = 0; first < run.count; first += kLanes) {
    const std::int64_t live = run.count - first;
    std::int32_t index[2 * kLanes];
    for (int i = 0; i < kLanes; ++i) index[2 * i] = run.ids[first + (i < live ? i : live - 1)];
    F row[8];
    load_quads<2>(run.rows, index, row);
    const PolygonLanes<F> shape(row, run.library);
    const PolygonPlaces<F> places(shape);
    const T* vertices[kLanes];
    std::int32_t blocks[kLanes];
    for (int i = 0; i < kLanes; ++i) {
      vertices[i] = places.blocks(i) + PolygonLayout::vertex_x;
      blocks[i] = places.block_count(i);
    }
    const Vec<F, 2> direction = load_rows<F>(run.direction, first, run.count);
    const Vec<F, 2> local = rotate_back(shape.rotation, direction);
    Vec<F, 2> vertex;
    const F number = farthest_vertex<F>(vertices, blocks, local, has_blocks(places), vertex);
    const F size = length(direction);
    const Vec<F, 2> point =
        shape.center + (rotate(shape.rotation, vertex) + divide(shape.radius, size) * direction);
    for (int k = 0; k < 2; ++k) store_live(run.point[k] + first, point[k], live);
    EdgeLanes<F> edge{};
    edge.feature_p = vertex_feature(number);
    name_features(run.kind, edge);
    const Lanes<F> features(edge.feature_p);
    for (int i = 0; i < kLanes && i < live; ++i) {
      run.feature[first + i] = static_cast<std::uint32_t>(features[i]);
    }
  }
}

}  // namespace
}  // namespace widephase
