#pragma once

// What a ray finds below it on a height field: samples, triangles, walls. Places along x and y are
// in cells.

#include "kernels/core/surface/field_triangles.hpp"
#include "kernels/rays/surface_ray.hpp"

namespace widephase {
namespace {

template <class T>
class FieldGround {
 protected:
  FieldGround(const HeightfieldView<T>& field, const SurfaceRay& ray) : field_(field), ray_(ray) {
    for (int k = 0; k < 2; ++k) {
      cell_[k] = double(field.cell[k]);
      from_[k] = ray.origin[k] / cell_[k];
      speed_[k] = ray.direction[k] / cell_[k];
    }
    cells_[0] = field.columns - 1;
    cells_[1] = field.rows - 1;
    const double low = magnitude(double(field.low)), high = magnitude(double(field.high));
    size_ = low > high ? low : high;
  }

  /// The surface at a place.
  struct Over {
    bool is_there = false;
    TrianglePlace at{0, 0, 0};
    double height = 0;
  };

  double sample(std::int32_t row, std::int32_t col) const {
    return double(field_.heights[std::ptrdiff_t{row} * field_.columns + col]);
  }
  bool is_in(const TrianglePlace& at) const {
    return at.row >= 0 && at.col >= 0 && at.row < cells_[1] && at.col < cells_[0];
  }
  bool is_there(const TrianglePlace& at) const {
    if (!is_in(at)) return false;
    const double sum = sample(at.row, at.col) + sample(at.row + 1, at.col + 1) +
                       (at.half == 0 ? sample(at.row, at.col + 1) : sample(at.row + 1, at.col));
    return sum == sum;
  }
  std::int32_t number_of(const TrianglePlace& at) const {
    return 2 * (at.row * field_.columns + at.col) + at.half;
  }
  Vector vertex_of(const TrianglePlace& at, int k) const {
    const SamplePlace s = sample_of(at, k);
    return {{double(s.col) * cell_[0], double(s.row) * cell_[1], sample(s.row, s.col)}};
  }
  /// How steep a triangle is along both axes, by cells.
  void slopes(const TrianglePlace& at, double& x, double& y) const {
    const double low = sample(at.row, at.col), high = sample(at.row + 1, at.col + 1);
    const double side = at.half == 0 ? sample(at.row, at.col + 1) : sample(at.row + 1, at.col);
    x = at.half == 0 ? side - low : high - side;
    y = at.half == 0 ? high - side : side - low;
  }
  Vector normal_of(const TrianglePlace& at) const {
    double x, y;
    slopes(at, x, y);
    return unit_of(Vector{{-x / cell_[0], -y / cell_[1], 1}});
  }
  double height_at(const TrianglePlace& at, double x, double y) const {
    double along_x, along_y;
    slopes(at, along_x, along_y);
    return sample(at.row, at.col) + (along_x * (x - at.col) + along_y * (y - at.row));
  }
  /// The outward normal of a wall under an edge.
  Vector wall_normal(const TrianglePlace& at, int edge) const {
    const Vector along = vertex_of(at, (edge + 1) % 3) - vertex_of(at, edge);
    return unit_of(Vector{{along[1], -along[0], 0}});
  }
  /// Whether a neighbour goes on behind a border, which has no wall then.
  bool goes_on(const TrianglePlace& at, int edge) const {
    const TrianglePlace other = across_edge(at, edge).place;
    const int side = other.col < 0            ? 0
                     : other.col >= cells_[0] ? 1
                     : other.row < 0          ? 2
                     : other.row >= cells_[1] ? 3
                                              : -1;
    return side >= 0 && field_.neighbours[side] >= 0;
  }
  /// The triangle over a place, borders included; of several the lowest that is there.
  Over over(double x, double y) const {
    Over found;
    if (!(x >= 0 && x <= cells_[0] && y >= 0 && y <= cells_[1])) return found;
    const auto last_row = static_cast<std::int32_t>(y), last_col = static_cast<std::int32_t>(x);
    for (std::int32_t row = last_row - (y == last_row ? 1 : 0); row <= last_row; ++row) {
      for (std::int32_t col = last_col - (x == last_col ? 1 : 0); col <= last_col; ++col) {
        const double right = x - col, up = y - row;
        for (int half = 0; half < 2; ++half) {
          if (half == 0 ? up > right : up < right) continue;
          const TrianglePlace at{row, col, half};
          if (!is_there(at)) continue;
          return {true, at, height_at(at, x, y)};
        }
      }
    }
    return found;
  }

  SurfaceMeet face(const TrianglePlace& at, double t) const {
    return {true, false, t > 0 ? t : 0, normal_of(at), number_of(at), surface_face()};
  }
  /// A wall; a seam to a neighbour counts as the face beside it.
  SurfaceMeet wall(const TrianglePlace& at, int edge, double t) const {
    SurfaceMeet meet = face(at, t);
    if (edge < 0 || goes_on(at, edge)) return meet;
    meet.normal = wall_normal(at, edge);
    meet.feature = surface_edge(edge);
    return meet;
  }

  /// Where the ray is no higher than the highest sample; false if it never is.
  bool find_low_part(double& from, double& to) const {
    const double top = double(field_.high) + ray_.reach, rise = ray_.direction[2];
    const double above = ray_.origin[2] - top;
    const double slack = 1e-12 * (size_ + ray_.reach + magnitude(ray_.origin[2]));
    if (rise == 0) return above <= slack;
    const double t = (slack - above) / rise;
    if (rise < 0) {
      from = t > from ? t : from;
    } else {
      to = t < to ? t : to;
    }
    return from <= to;
  }
  double z_at(double t) const { return ray_.origin[2] + t * ray_.direction[2]; }

  const HeightfieldView<T>& field_;
  const SurfaceRay& ray_;
  double cell_[2];
  std::int32_t cells_[2];
  double from_[2], speed_[2];  // in cells
  double size_;                // of the heights
};

}  // namespace
}  // namespace widephase
