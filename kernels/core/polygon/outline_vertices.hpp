#pragma once

// Support points of a batch of outlines. Outlines of up to eight vertices are transposed once, one
// outline per lane, so that a support point is a chain of compares. Larger ones are searched one
// outline at a time, with eight vertices in lanes. Both give the same bits.

#include "kernels/core/polygon/polygon_edges.hpp"

namespace widephase {
namespace {

template <class F>
struct OutlineVertices {
  const PolygonPlaces<F>& places;
  int most;  ///< vertices of the largest outline
  F x[8];    ///< of the first eight vertices, the last one repeated
  F y[8];

  explicit OutlineVertices(const PolygonPlaces<F>& outlines)
      : places(outlines), most(most_vertices(outlines)) {
    constexpr int kLanes = LaneTraits<F>::count;
    std::int32_t x_row[kLanes], y_row[kLanes];
    for (int i = 0; i < kLanes; ++i) {
      x_row[i] = places.place(i) + PolygonLayout::vertex_x / PolygonLayout::record;
      y_row[i] = places.place(i) + PolygonLayout::vertex_y / PolygonLayout::record;
    }
    load_quads<2, 1>(places.library, x_row, x);
    load_quads<2, 1>(places.library, y_row, y);
  }
};

template <class F>
__attribute__((noinline)) F farthest_in_blocks(const OutlineVertices<F>& outlines,
                                               const Vec<F, 2>& direction, unsigned live,
                                               Vec<F, 2>& point) {
  const FarthestVertex<F> farthest = farthest_in_sectors(outlines.places, live, direction);
  point = farthest.point;
  return farthest.number;
}

/// The number of each outline's vertex farthest along `direction`, in the outline's frame; among
/// equal ones the lowest. Lanes that are not `live` get any vertex.
template <class F>
WIDEPHASE_INLINE F farthest_vertex(const OutlineVertices<F>& outlines, const Vec<F, 2>& direction,
                                   const MaskOf<F>& live, Vec<F, 2>& point) {
  if (outlines.most > 8) {
    Vec<F, 2> found;  // so that `point` need not have an address and can stay in registers
    const F number = farthest_in_blocks(outlines, direction, mask_bits(live), found);
    point = found;
    return number;
  }
  const F* const x = outlines.x;
  const F* const y = outlines.y;
  point = {{x[0], y[0]}};
  F number = F(0);
  F height = x[0] * direction[0] + y[0] * direction[1];
  for (int v = 1; v < outlines.most; ++v) {
    const F next = x[v] * direction[0] + y[v] * direction[1];
    const auto is_farther = next > height;
    height = greater(height, next);
    point = select(is_farther, Vec<F, 2>{{x[v], y[v]}}, point);
    number = select(is_farther, F(static_cast<RealOf<F>>(v)), number);
  }
  return number;
}

}  // namespace
}  // namespace widephase
