#pragma once

// Part of a field about a shape: where its samples are and which way its triangles look, found once
// for all questions that ask a triangle and what is beside it.

#include "kernels/core/support/convex_shape.hpp"
#include "kernels/lanes/vec.hpp"

namespace widephase {
namespace {

/// Cells [row, end_row) x [column, end_column).
struct CellRange {
  std::int32_t row, end_row, column, end_column;
  std::int64_t count() const {
    if (end_row <= row || end_column <= column) return 0;
    return std::int64_t{end_row - row} * (end_column - column);
  }
};

/// Samples [row, row + rows) x [column, column + columns), and the cells between them, which have
/// one row and one column less. Numbers of both lie `stride` apart from row to row.
struct FieldWindow {
  /// More cells than this are not worth it: few of them are asked.
  static constexpr std::int64_t kMostCells = 4096;

  std::int32_t row = 0, column = 0, rows = 0, columns = 0;
  std::int32_t stride = 0;
  double* z = nullptr;        ///< of samples; NaN: a hole, or beyond all fields
  double* normal[2][3] = {};  ///< by half and axis
  double* size[2] = {};       ///< of their triangles; above 0 and finite: the triangle exists
  /// How high the third vertex across edge k is over their triangles; not a number if it does not
  /// exist. A concave edge's is above 0.
  double* rise[2][3] = {};
  double *x = nullptr, *y = nullptr;  ///< by column, by row
  std::uint8_t* was_asked = nullptr;  ///< by sample: its ways out (felt_ways.hpp)
  bool is_whole = false;              ///< all samples are the field's own, and none is a hole

  static std::int32_t stride_of(std::int32_t columns) {
    constexpr std::int32_t lanes = LaneTraits<Batch<double>>::count;
    return (columns + lanes) / lanes * lanes + lanes;
  }
  static std::size_t numbers_of(std::int32_t rows, std::int32_t columns) {
    const std::size_t plane =
        static_cast<std::size_t>(rows) * static_cast<std::size_t>(stride_of(columns));
    return 15 * plane + static_cast<std::size_t>(stride_of(columns) + rows) + plane / 8 + 1;
  }
  void set_memory(double* memory) {
    stride = stride_of(columns);
    const std::ptrdiff_t plane = std::ptrdiff_t{rows} * stride;
    z = memory;
    for (int half = 0; half < 2; ++half) {
      for (int k = 0; k < 3; ++k) normal[half][k] = memory + (1 + 4 * half + k) * plane;
      size[half] = memory + (4 + 4 * half) * plane;
      for (int k = 0; k < 3; ++k) rise[half][k] = memory + (9 + 3 * half + k) * plane;
    }
    x = memory + 15 * plane;
    y = x + stride;
    was_asked = reinterpret_cast<std::uint8_t*>(y + rows);
  }
  void forget_asked() {
    for (std::ptrdiff_t k = 0; k < std::ptrdiff_t{rows} * stride; ++k) was_asked[k] = 0;
  }

  bool has_sample(std::int32_t at_row, std::int32_t at_column) const {
    return is_in(at_row - row, rows) && is_in(at_column - column, columns);
  }
  bool has_cell(std::int32_t at_row, std::int32_t at_column) const {
    return is_in(at_row - row, rows - 1) && is_in(at_column - column, columns - 1);
  }
  std::ptrdiff_t index_of(std::int32_t at_row, std::int32_t at_column) const {
    return std::ptrdiff_t{at_row - row} * stride + (at_column - column);
  }

  /// Finds the normals, as `triangle_normal` does, once the samples are there. The last batch of a
  /// row reads and writes beyond its end.
  void find_normals() {
    using F = Batch<double>;
    constexpr std::int32_t lanes = LaneTraits<F>::count;
    for (std::int32_t r = 0; r + 1 < rows; ++r) {
      const F y0(y[r]), y1(y[r + 1]);
      for (std::int32_t c = 0; c + 1 < columns; c += lanes) {
        const std::ptrdiff_t at = std::ptrdiff_t{r} * stride + c;
        const F x0 = load(x + c), x1 = load(x + c + 1);
        const Vec<F, 3> from{{x0, y0, load(z + at)}}, to{{x1, y1, load(z + at + stride + 1)}};
        const Vec<F, 3> under{{x1, y0, load(z + at + 1)}}, over{{x0, y1, load(z + at + stride)}};
        put_normals(0, at, cross(under - from, to - from));
        put_normals(1, at, cross(to - from, over - from));
      }
    }
  }

  /// Finds the rises, once normals are there, of cells that have one on each side.
  void find_rises() {
    using F = Batch<double>;
    constexpr std::int32_t lanes = LaneTraits<F>::count;
    for (std::int32_t r = 1; r + 2 < rows; ++r) {
      const F y_before(y[r - 1]), y0(y[r]), y1(y[r + 1]), y_beyond(y[r + 2]);
      for (std::int32_t c = 1; c + 2 < columns; c += lanes) {
        const std::ptrdiff_t at = std::ptrdiff_t{r} * stride + c;
        const F x_before = load(x + c - 1), x0 = load(x + c), x1 = load(x + c + 1);
        const F x_beyond = load(x + c + 2);
        const auto height = [&](int row, int col) { return load(z + at + row * stride + col); };
        const Vec<F, 3> from{{x0, y0, height(0, 0)}}, to{{x1, y1, height(1, 1)}};
        const Vec<F, 3> under{{x1, y0, height(0, 1)}}, over{{x0, y1, height(1, 0)}};
        const auto put = [&](int half, int edge, const Vec<F, 3>& third, const Vec<F, 3>& begin) {
          const Vec<F, 3> own{
              {load(normal[half][0] + at), load(normal[half][1] + at), load(normal[half][2] + at)}};
          store(rise[half][edge] + at, dot(own, third - begin));
        };
        put(0, 0, {{x0, y_before, height(-1, 0)}}, from);
        put(0, 1, {{x_beyond, y1, height(1, 2)}}, under);
        put(0, 2, over, to);
        put(1, 0, under, from);
        put(1, 1, {{x1, y_beyond, height(2, 1)}}, to);
        put(1, 2, {{x_before, y0, height(0, -1)}}, over);
      }
    }
  }

  /// Calls `op(row, column, half)` for the triangles of cells in the window whose normals are
  /// wanted, ascending, until it answers false. `is_wanted(normals)` tells of a batch.
  template <class IsWanted, class Op>
  bool for_each_wanted(const CellRange& cells, const IsWanted& is_wanted, const Op& op) const {
    using F = Batch<double>;
    constexpr std::int32_t lanes = LaneTraits<F>::count;
    for (std::int32_t r = cells.row; r < cells.end_row; ++r) {
      for (std::int32_t c = cells.column; c < cells.end_column; c += lanes) {
        const std::ptrdiff_t at = index_of(r, c);
        unsigned wanted[2];
        for (int half = 0; half < 2; ++half) {
          Vec<F, 3> here;
          for (int k = 0; k < 3; ++k) here[k] = load(normal[half][k] + at);
          wanted[half] = mask_bits(is_wanted(here));
        }
        unsigned any = wanted[0] | wanted[1];
        // Beyond the last cell of a row nothing was found.
        if (cells.end_column - c < lanes) any &= (1u << (cells.end_column - c)) - 1;
        for (; any != 0; any &= any - 1) {
          const int lane = __builtin_ctz(any);
          for (int half = 0; half < 2; ++half) {
            if ((wanted[half] >> lane & 1) != 0 && !op(r, c + lane, half)) return false;
          }
        }
      }
    }
    return true;
  }

 private:
  static bool is_in(std::int32_t at, std::int32_t end) { return at >= 0 && at < end; }
  template <class F>
  void put_normals(int half, std::ptrdiff_t at, const Vec<F, 3>& across) {
    const F length = sqrt(dot(across, across));
    store(size[half] + at, length);
    for (int k = 0; k < 3; ++k) store(normal[half][k] + at, divide(across[k], length));
  }
};

}  // namespace
}  // namespace widephase
