#pragma once

// A capsule's core as a hull in the library's form (core/support/hull_view.hpp) with one edge and
// no face, for kernels that read hulls. Its edge faces all directions perpendicular to it: both of
// its normals are zero.

#include "kernels/core/support/convex_shape.hpp"

namespace widephase {
namespace {

template <class T>
struct SegmentHull {
  static constexpr int edges = HullLayout::header + HullLayout::vertex_block;
  T numbers[edges + HullLayout::edge];

  /// From -half to half.
  void set(const Vec<T, 3>& half) {
    for (T& number : numbers) number = 0;
    const Eight<T> beside = count_up<T>() - eight_of(T(1));
    const Eight<T> is_other = beside * beside;
    for (int k = 0; k < 3; ++k) {
      store(numbers + HullLayout::header + 8 * k,
            select_greater(is_other, eight_of(T(0)), eight_of(-half[k]), eight_of(half[k])));
      numbers[edges + k] = -half[k];
      numbers[edges + 3 + k] = half[k];
    }
    for (int n = 0; n < 2; ++n) numbers[edges + HullLayout::edge_gaps + n] = kLargest<T>;
    const std::int32_t second = 1;
    __builtin_memcpy(&numbers[edges + HullLayout::edge_vertices + 1], &second, sizeof second);
  }
  HullView<T> view() const {
    HullView<T> hull;
    hull.numbers = numbers;
    hull.starts = nullptr;
    hull.faces_at = HullLayout::header;
    hull.edges_at = edges;
    hull.vertex_count = 2;
    hull.face_count = 0;
    hull.edge_count = 1;
    return hull;
  }
};

}  // namespace
}  // namespace widephase
