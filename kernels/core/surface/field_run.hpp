#pragma once

// What the pairs of a run share of a field, and which shapes are well above it. Most shapes of a
// scene with terrain are, so this is a few operations per shape.

#include "kernels/core/surface/listed_triangles.hpp"
#include "kernels/lanes/vec.hpp"

namespace widephase {
namespace {

template <class T>
class FieldRun {
 public:
  explicit FieldRun(const SurfaceRun<T>& run) : run_(run) {}

  bool is_of(std::int32_t id) const { return id == id_; }
  void set_field(std::int32_t id) {
    id_ = id;
    row_ = run_.pairs.rows_b + std::ptrdiff_t{id} * 16;
    find_axes(row_, axis_);
    number_ = integer_in(row_[7]);
    field_ = &run_.fields[number_];
    for (int k = 0; k < 2; ++k) inverse_cell_[k] = 1 / double(field_->cell[k]);
    has_neighbours_ = false;
    for (const std::int32_t other : field_->neighbours) has_neighbours_ |= other >= 0;
  }
  const HeightfieldView<T>& field() const { return *field_; }
  FieldTriangles<T> triangles(const Vector& origin) const {
    return FieldTriangles<T>(run_.fields, number_, origin);
  }

  Vector to_scene(const Vector& v) const {
    return scaled(axis_[0], v[0]) + scaled(axis_[1], v[1]) + scaled(axis_[2], v[2]);
  }
  Vector to_field(const Vector& v) const {
    return {{dot(axis_[0], v), dot(axis_[1], v), dot(axis_[2], v)}};
  }
  /// From the field's origin to the anchor of a shape's row, in the scene's axes.
  Vector from_origin(const Pair& own, const T* row, Vector& rest) const {
    return from_field(run_.pairs, own, row, row_, rest);
  }

  enum class Cells : std::uint8_t { none, some, beyond };
  /// Cells that bounds meet, or touch to rounding; `beyond`: a neighbour may have some. `half` are
  /// half sizes, at least 0.
  Cells find_cells(const Vector& centre, const Vector& half, CellRange& cells) const {
    std::int32_t* const from[2] = {&cells.column, &cells.row};
    std::int32_t* const to[2] = {&cells.end_column, &cells.end_row};
    const std::int32_t ends[2] = {field_->columns - 1, field_->rows - 1};
    for (int k = 0; k < 2; ++k) {
      const double end = double(ends[k]);
      const double a = (centre[k] - half[k]) * inverse_cell_[k];
      const double b = (centre[k] + half[k]) * inverse_cell_[k];
      const double rounding = 1e-12 * (magnitude(a) + magnitude(b));
      const double first = a - rounding, last = b + rounding;
      if (has_neighbours_ && (!(first > 0) || !(last < end))) return Cells::beyond;
      if (!(last >= 0) || !(first <= end)) return Cells::none;
      const std::int32_t floor = first > 0 ? static_cast<std::int32_t>(first) : 0;
      *from[k] = floor < ends[k] ? floor : ends[k] - 1;
      *to[k] = last < end ? static_cast<std::int32_t>(last) + 1 : ends[k];
    }
    return Cells::some;
  }

  /// Whether bounds are higher than every sample that may be near.
  bool is_above(double low) const { return low > double(field_->high) && !has_neighbours_; }
  /// Whether a sample of the cells is as high as a height.
  bool has_sample(const CellRange& cells, double low) const {
    using F = Batch<T>;
    constexpr int lanes = LaneTraits<F>::count;
    constexpr T iota[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    static_assert(lanes <= 16);
    T least = static_cast<T>(low);
    least -= 4 * kRounding<T> * magnitude(least);
    const F height(least), lane = load(iota);
    unsigned bits = 0;
    for (std::int32_t col = cells.column; col <= cells.end_column && bits == 0; col += lanes) {
      const auto is_in = lane <= F(static_cast<T>(cells.end_column - col));
      const T* heights = field_->heights + std::ptrdiff_t{cells.row} * field_->columns + col;
      for (std::int32_t row = cells.row; row <= cells.end_row; ++row) {
        bits |= mask_bits(is_in & (load(heights) >= height));
        heights += field_->columns;
      }
    }
    return bits != 0;
  }

  /// Whether a shape's bounds are above the field or beside it, and no neighbour is near.
  bool is_far(const Pair& pair) {
    const Pair own = ascending_pair(pair);
    if (!is_of(own.b)) set_field(own.b);
    const CoreForm form = core_form(run_.pairs.kind_a);
    const int quads = ConvexLanes<Batch<T>>::quads_of(run_.pairs.kind_a);
    const T* const row = run_.pairs.rows_a + std::ptrdiff_t{own.a} * (4 * quads);
    Vector rest, half{{0, 0, 0}}, middle = from_origin(own, row, rest);
    double radius = double(row[3]);
    if (quads == 2) {
      Vector along;
      for (int k = 0; k < 3; ++k) along[k] = 0.5 * (double(row[4 + k]) - double(row[k]));
      middle = middle + along;
      if (form == CoreForm::segment) {
        half = to_field(along);
      } else {
        radius = 0;
        for (int k = 0; k < 3; ++k) {
          for (int j = 0; j < 3; ++j) half[k] += magnitude(axis_[k][j] * along[j]);
        }
      }
    } else if (form == CoreForm::hull) {
      const auto place = integer_in(row[7]);
      const HullView<T> hull(run_.pairs.library, run_.pairs.indices, place);
      for (int k = 0; k < 3; ++k) half[k] = double(hull.numbers[HullLayout::reach]);
    } else if (quads == 4) {
      for (int j = 0; j < 3; ++j) {
        const T* const turn = row + 4 + 4 * j;
        const Vector along{{double(turn[0]), double(turn[1]), double(turn[2])}};
        for (int k = 0; k < 3; ++k) half[k] += magnitude(dot(axis_[k], along) * double(turn[3]));
      }
    } else if (quads != 1) {
      return false;
    }
    double reach = margin_of(run_.pairs, own) + radius;
    reach = reach > 0 ? reach : 0;
    double size = 0;
    for (int k = 0; k < 3; ++k) size += magnitude(half[k]);
    const Vector centre = to_field(middle);
    for (int k = 0; k < 3; ++k) {
      half[k] = magnitude(half[k]) + (reach + 16 * double(kRounding<T>) * (size + reach));
    }
    const double square = dot(centre, centre) + dot(half, half);
    if (!(square - square == 0)) return false;
    const double low = centre[2] - half[2];
    if (is_above(low)) return true;
    CellRange cells;
    const Cells found = find_cells(centre, half, cells);
    if (found != Cells::some) return found == Cells::none;
    return !has_sample(cells, low);
  }

 private:
  const SurfaceRun<T>& run_;
  std::int32_t id_ = -1, number_ = 0;
  const T* row_ = nullptr;
  const HeightfieldView<T>* field_ = nullptr;
  bool has_neighbours_ = false;
  double inverse_cell_[2];
  Vector axis_[3];
};

}  // namespace
}  // namespace widephase
