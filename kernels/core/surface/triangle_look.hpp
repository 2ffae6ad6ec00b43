#pragma once

// A first look at the triangles near a core, in lanes, in double: those that are far from it are
// never listed.

#include "kernels/core/surface/triangle_lanes.hpp"

namespace widephase {
namespace {

/// What all cores share. `Look` has `measure_batch(first, list)`, which calls `put` for
/// triangles of `triangles_` from `first` on.
template <class T, class Look>
class TriangleLook {
 public:
  TriangleLook(const FieldTriangles<T>& surface, double limit, double touching)
      : limit_(limit), touching_(touching), surface_(surface) {}

  /// Lists what is not far of the triangles that rise to `low`, of cells that are the field's own.
  void list(double low, TriangleList& list) {
    triangles_.count = 0;
    for (std::int32_t row = list.cells.row; row < list.cells.end_row; ++row) {
      for (std::int32_t col = list.cells.column; col < list.cells.end_column; ++col) {
        if (triangles_.count + 2 > CellTriangles::most) measure(list);
        add_cell(surface_.field(), surface_.origin(), low, row, col, triangles_, place_);
      }
    }
    measure(list);
  }

 protected:
  using F = Batch<double>;
  static constexpr int kLanes = CellTriangles::lanes;

  static Vec<F, 3> spread(const Vector& v) { return {{F(v[0]), F(v[1]), F(v[2])}}; }

  /// Lists a triangle as one that is neither hit nor known to be near.
  ListedTriangle& put(TriangleList& list, std::int32_t t) const {
    ListedTriangle& triangle = list.triangle[list.count];
    triangle.place = place_[t];
    triangle.is_own = true;
    triangle.is_behind = triangle.is_flipped = false;
    for (int k = 0; k < 3; ++k) triangle.vertex[k] = triangles_.vertex(t, k);
    begin_search(triangle);
    list.place_of[list.index_of(triangle.place)] = list.count++;
    return triangle;
  }

  double limit_, touching_;
  CellTriangles triangles_;

 private:
  void measure(TriangleList& list) {
    triangles_.pad();
    for (std::int32_t first = 0; first < triangles_.count; first += kLanes) {
      static_cast<Look&>(*this).measure_batch(first, list);
    }
    triangles_.count = 0;
  }

  const FieldTriangles<T>& surface_;
  TrianglePlace place_[CellTriangles::most];
};

}  // namespace
}  // namespace widephase
