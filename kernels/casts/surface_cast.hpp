#pragma once

// A convex shape that moves against a surface of triangles, in the surface's axes: each triangle
// near its way is a convex shape of its own, and the least t counts. Of equal t the lowest triangle
// is named.
//
// A height field is solid below: below its borders and holes it has walls, which belong to the
// triangle above; a shape starts in it also where its middle is below the surface. A one-sided
// triangle of a mesh is met only by shapes whose middle is then in front of its plane.
// Normal: out of the surface, to the shape.

#include "kernels/casts/convex_cast.hpp"
#include "kernels/core/surface/mesh_walk.hpp"
#include "kernels/rays/surface_ray.hpp"

namespace widephase {
namespace {

struct SurfaceCast {
  ConvexMeet meet;
  std::int32_t part = -1;
  int feature = 0;

  /// Takes what is met earlier, at the same t the lowest triangle.
  void take(const ConvexMeet& other, std::int32_t of_part, int of_feature) {
    if (!other.is_met) return;
    const bool is_first = !meet.is_met || other.t < meet.t;
    if (!is_first && !(other.t == meet.t && of_part < part)) return;
    const bool was_start = meet.is_start;
    meet = other;
    meet.is_start = meet.is_start || was_start;
    part = of_part;
    feature = of_feature;
  }
};

template <class S>
WIDEPHASE_INLINE Vector mesh_vertex(const MeshView<S>& mesh, std::int32_t triangle, int k) {
  const S* const at =
      mesh.positions + 3 * std::ptrdiff_t{mesh.corners[3 * std::ptrdiff_t{triangle} + k]};
  return {{double(at[0]), double(at[1]), double(at[2])}};
}
template <class S>
WIDEPHASE_INLINE Vector field_vertex(const HeightfieldView<S>& field, const SamplePlace& at) {
  return {{double(at.col) * double(field.cell[0]), double(at.row) * double(field.cell[1]),
           double(field.heights[std::ptrdiff_t{at.row} * field.columns + at.col])}};
}

template <class S>
class SurfaceCaster {
 public:
  /// `shape` is in the surface's axes, as `way` is.
  SurfaceCaster(const CastCore<S>& shape, const CastWay& way, double thickness)
      : shape_(shape), way_(way) {
    corners_.form = CastForm::corners;
    corners_.radius = thickness;
    double size = 0;
    const double reach = shape.radius + thickness + way.margin;
    for (int k = 0; k < 3; ++k) {
      Vector up{{0, 0, 0}};
      up[k] = 1;
      high_[k] = shape.middle[k] + farthest_of_core(shape, up)[k] + reach;
      low_[k] = shape.middle[k] + farthest_of_core(shape, -up)[k] - reach;
      const double most = magnitude(low_[k]) + magnitude(high_[k]);
      size = most > size ? most : size;
    }
    slack_ = 1e-9 * (size + shape.reach + reach) + way.tolerance;
    for (int k = 0; k < 3; ++k) {
      low_[k] -= slack_;
      high_[k] += slack_;
    }
  }

  SurfaceCast cast_mesh(const MeshView<S>& mesh) {
    walk_mesh_way(mesh, [&](std::int32_t number) {
      Vector vertex[3];
      for (int k = 0; k < 3; ++k) vertex[k] = mesh_vertex(mesh, number, k);
      const ConvexMeet meet = cast_triangle(vertex);
      if (!meet.is_met) return;
      if (!mesh.is_two_sided) {
        const Vector across = cross(vertex[1] - vertex[0], vertex[2] - vertex[0]);
        const Vector middle = shape_.middle + scaled(way_.along, meet.t);
        if (!(dot(across, middle - vertex[0]) >= 0)) return;
      }
      best_.take(meet, number, feature_of(meet.corners));
    });
    return best_;
  }

  SurfaceCast cast_field(const HeightfieldView<S>& field) {
    if (!(field.low <= field.high)) return best_;  // holes alone
    field_ = &field;
    BoxStretch whole{0, end()};
    const double wide[2] = {double(field.cell[0]) * (field.columns - 1),
                            double(field.cell[1]) * (field.rows - 1)};
    for (int k = 0; k < 2; ++k) whole.cut(low_[k], high_[k], way_.along[k], 0, wide[k]);
    // Endless downwards, but below the lowest sample a way straight down meets nothing new: all
    // that it meets there it meets at the start.
    const bool is_plumb = way_.along[0] == 0 && way_.along[1] == 0;
    const double lowest = double(field.low) - slack_;
    const double floor = !is_plumb ? -__builtin_inf() : high_[2] < lowest ? high_[2] : lowest;
    whole.cut(low_[2], high_[2], way_.along[2], floor, double(field.high) + slack_);
    if (!whole.is_empty()) {
      const double x = magnitude(way_.along[0]) * double(field.cell[1]);
      const double y = magnitude(way_.along[1]) * double(field.cell[0]);
      walk_field(whole, x >= y ? 0 : 1);
    }
    if (!best_.meet.is_start && is_below()) {
      best_.meet = ConvexMeet();
      best_.meet.is_met = best_.meet.is_start = true;
      best_.part = -1;
    }
    return best_;
  }

 private:
  /// What is met later is not wanted.
  double last() const {
    return best_.meet.is_met && best_.meet.t < way_.enough ? best_.meet.t : way_.enough;
  }
  /// Where the way ends, but for rounding.
  double end() const { return way_.most + 1e-9 * way_.most; }
  /// How far it has gone along an axis; 0 for a way without length, also at infinity.
  double gone(int axis, double t) const { return way_.along[axis] == 0 ? 0 : way_.along[axis] * t; }
  static int feature_of(int corners) {
    switch (corners) {
      case 1:
        return surface_vertex(0);
      case 2:
        return surface_vertex(1);
      case 4:
        return surface_vertex(2);
      case 3:
        return surface_edge(0);
      case 6:
        return surface_edge(1);
      case 5:
        return surface_edge(2);
      default:
        return surface_face();
    }
  }
  ConvexMeet cast_corners(const Vector* vertex, int count) {
    corners_.middle = vertex[0];
    corners_.corner_count = count;
    double most = 0;
    for (int k = 0; k < count; ++k) {
      corners_.corner[k] = vertex[k] - vertex[0];
      const double square = dot(corners_.corner[k], corners_.corner[k]);
      most = square > most ? square : most;
    }
    corners_.reach = root(most);
    CastWay way = way_;
    way.enough = last();
    return cast_convex(corners_, shape_, way);
  }

  /// A corner of the shape that comes down on a triangle's edge or vertex has many planes that
  /// support both, and the last one that moved it is any of them. If the triangle's own is one of
  /// them, as where the surface goes on level, its normal counts: so no inner edge is felt.
  ConvexMeet cast_triangle(const Vector (&vertex)[3]) {
    ConvexMeet meet = cast_corners(vertex, 3);
    Vector normal;
    if (!meet.is_met || meet.is_start || !triangle_normal(vertex, normal)) return meet;
    if (dot(normal, meet.normal) < 0) normal = -normal;
    const Vector middle = shape_.middle + scaled(way_.along, meet.t);
    const Vector lowest = middle + farthest_of_core(shape_, -normal);
    const double reach = shape_.radius + corners_.radius + way_.margin;
    const double size = (shape_.reach + corners_.reach) + reach;
    const double rounding = 4 * (kCastEnd * size + kCastRounding * size_of(middle));
    if (!(dot(normal, lowest - vertex[0]) - reach >= -rounding)) return meet;
    const Vector turn = normal - meet.normal;
    meet.on_a = meet.on_a + scaled(turn, corners_.radius);
    meet.on_b = meet.on_b - scaled(turn, shape_.radius);
    meet.normal = normal;
    return meet;
  }

  struct OpenCastTile {
    int level;
    std::int32_t number;
    double entry;
  };
  /// Calls `op(number)` for triangles whose bounds the shape's bounds meet on their way, the near
  /// ones first.
  template <class Op>
  void walk_mesh_way(const MeshView<S>& mesh, const Op& op) {
    if (mesh.level_count == 0) return;
    OpenCastTile open[kMostOpenTiles];
    int count = 1;
    open[0] = {mesh.level_count - 1, 0, 0};
    while (count > 0) {
      const OpenCastTile at = open[--count];
      if (at.entry > last()) continue;
      const S* const tile = mesh_tile(mesh, at.level, at.number);
      const int bottom = count;  // the tile's own, the nearest last
      for (int i = 0; i < kMeshTile; ++i) {
        BoxStretch way{0, end()};
        for (int k = 0; k < 3; ++k) {
          way.cut(low_[k], high_[k], way_.along[k], double(tile[k * kMeshTile + i]),
                  double(tile[(3 + k) * kMeshTile + i]));
        }
        if (way.is_empty() || way.from > last() || !has_bounds(tile, i)) continue;
        int place = count++;
        for (; place > bottom && open[place - 1].entry < way.from; --place) {
          open[place] = open[place - 1];
        }
        open[place] = {at.level - 1, at.number * kMeshTile + i, way.from};
      }
      if (at.level != 0) continue;
      while (count > bottom) {
        --count;
        if (!(open[count].entry > last())) op(mesh.order[open[count].number]);
      }
    }
  }

  // --- Height fields ---

  double sample(std::int32_t row, std::int32_t col) const {
    return double(field_->heights[std::ptrdiff_t{row} * field_->columns + col]);
  }
  bool is_there(const TrianglePlace& at) const {
    if (at.row < 0 || at.col < 0 || at.row >= field_->rows - 1 || at.col >= field_->columns - 1) {
      return false;
    }
    const double sum = sample(at.row, at.col) + sample(at.row + 1, at.col + 1) +
                       (at.half == 0 ? sample(at.row, at.col + 1) : sample(at.row + 1, at.col));
    return sum == sum;
  }
  /// Whether a neighbour goes on behind a border, which has no wall then.
  bool goes_on(const TrianglePlace& at) const {
    const int side = at.col < 0                      ? 0
                     : at.col >= field_->columns - 1 ? 1
                     : at.row < 0                    ? 2
                     : at.row >= field_->rows - 1    ? 3
                                                     : -1;
    return side >= 0 && field_->neighbours[side] >= 0;
  }
  /// The cells along an axis whose stretch is from `from` to `to`.
  void cells_between(int axis, double from, double to, std::int32_t& first,
                     std::int32_t& end) const {
    const std::int32_t cells = (axis == 0 ? field_->columns : field_->rows) - 1;
    const double cell = double(field_->cell[axis]);
    const double low = from / cell, high = to / cell;
    first = low > 0 ? (low < cells ? static_cast<std::int32_t>(low) : cells) : 0;
    end = high < cells ? (high >= 0 ? static_cast<std::int32_t>(high) + 1 : 0) : cells;
    if (first > 0 && low == first) --first;
  }
  /// Goes through the rows of cells across the axis along which the way is the longest.
  void walk_field(const BoxStretch& whole, int axis) {
    const int other = 1 - axis;
    const double speed = way_.along[axis];
    std::int32_t first, end;
    const double at_from = gone(axis, whole.from), at_to = gone(axis, whole.to);
    cells_between(axis, low_[axis] + (speed < 0 ? at_to : at_from),
                  high_[axis] + (speed < 0 ? at_from : at_to), first, end);
    const double cell = double(field_->cell[axis]);
    for (std::int32_t n = first; n < end; ++n) {
      const std::int32_t line = speed < 0 ? end - 1 - (n - first) : n;
      BoxStretch way = whole;
      way.cut(low_[axis], high_[axis], speed, double(line) * cell, double(line + 1) * cell);
      if (way.from > last()) return;
      if (way.is_empty()) continue;
      std::int32_t from, to;
      const double a = gone(other, way.from), b = gone(other, way.to);
      cells_between(other, low_[other] + (a < b ? a : b), high_[other] + (a < b ? b : a), from, to);
      for (std::int32_t k = from; k < to; ++k) {
        BoxStretch in_cell = way;
        in_cell.cut(low_[other], high_[other], way_.along[other],
                    double(k) * double(field_->cell[other]),
                    double(k + 1) * double(field_->cell[other]));
        if (in_cell.is_empty() || in_cell.from > last()) continue;
        cast_cell(axis == 0 ? k : line, axis == 0 ? line : k, in_cell);
      }
    }
  }
  /// `way` does not depend on what else was met: walls go down as far as the shape may come on it.
  void cast_cell(std::int32_t row, std::int32_t col, const BoxStretch& way) {
    const double fall_from = gone(2, way.from), fall_to = gone(2, way.to);
    const double bottom = low_[2] + (fall_from < fall_to ? fall_from : fall_to);
    const double top = high_[2] + (fall_from < fall_to ? fall_to : fall_from);
    for (int half = 0; half < 2; ++half) {
      const TrianglePlace at{row, col, half};
      if (!is_there(at)) continue;
      Vector vertex[3];
      double lowest = __builtin_inf(), highest = -__builtin_inf();
      for (int k = 0; k < 3; ++k) {
        vertex[k] = field_vertex(*field_, sample_of(at, k));
        lowest = vertex[k][2] < lowest ? vertex[k][2] : lowest;
        highest = vertex[k][2] > highest ? vertex[k][2] : highest;
      }
      if (!(bottom <= highest)) continue;
      const std::int32_t number = 2 * (row * field_->columns + col) + half;
      if (top >= lowest) {
        const ConvexMeet meet = cast_triangle(vertex);
        best_.take(meet, number, feature_of(meet.corners));
      }
      for (int edge = 0; edge < 3; ++edge) {
        const TrianglePlace across = across_edge(at, edge).place;
        if (is_there(across) || goes_on(across)) continue;
        const Vector &a = vertex[edge], &b = vertex[(edge + 1) % 3];
        const double foot = (bottom < lowest ? bottom : lowest) - (top - bottom);
        const Vector wall[4] = {a, b, {{b[0], b[1], foot}}, {{a[0], a[1], foot}}};
        best_.take(cast_corners(wall, 4), number, surface_edge(edge));
      }
    }
  }
  /// Whether the shape's middle starts below the surface.
  bool is_below() const {
    const double x = shape_.middle[0] / double(field_->cell[0]);
    const double y = shape_.middle[1] / double(field_->cell[1]);
    const std::int32_t columns = field_->columns - 1, rows = field_->rows - 1;
    if (!(x >= 0 && x <= columns && y >= 0 && y <= rows)) return false;
    std::int32_t col = static_cast<std::int32_t>(x), row = static_cast<std::int32_t>(y);
    col = col < columns ? col : columns - 1;
    row = row < rows ? row : rows - 1;
    const double right = x - col, up = y - row;
    const TrianglePlace at{row, col, up > right ? 1 : 0};
    if (!is_there(at)) return false;
    const double low = sample(row, col), high = sample(row + 1, col + 1);
    const double side = at.half == 0 ? sample(row, col + 1) : sample(row + 1, col);
    const double along_x = at.half == 0 ? side - low : high - side;
    const double along_y = at.half == 0 ? high - side : side - low;
    return shape_.middle[2] <= low + (along_x * right + along_y * up);
  }

  const CastCore<S>& shape_;
  const CastWay& way_;
  const HeightfieldView<S>* field_ = nullptr;
  CastCore<S> corners_;
  SurfaceCast best_;
  double low_[3], high_[3];  // the shape's bounds at the start, grown
  double slack_;
};

}  // namespace
}  // namespace widephase
