#include <widephase/heightfields.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "geometry/add_geometry.hpp"
#include "soa/column_layout.hpp"
#include "soa/instantiate.hpp"
#include "soa/number_text.hpp"
#include "soa/resize_together.hpp"

namespace widephase {

template <class T>
std::int32_t add_heightfield(HeightfieldTable<Owned<3, T>>& table,
                             const std::type_identity_t<ColumnSpan<T>>& heights,
                             std::int32_t columns, std::type_identity_t<T> cell_x,
                             std::type_identity_t<T> cell_y) {
  require_layout("heights", heights);
  const auto samples = static_cast<std::int64_t>(heights.size());
  if (columns < kFewestSamples) {
    throw Error(Finding{
        "columns", -1,
        "is " + number(columns) + "; a field has " + number(kFewestSamples) + " columns or more"});
  }
  if (samples % columns != 0 || samples / columns < kFewestSamples || samples > kMostSamples) {
    throw Error(Finding{"heights", -1,
                        "has " + number(samples) + " samples; a field has " +
                            number(kFewestSamples) + " or more rows of " + number(columns) +
                            " columns, and up to " + number(kMostSamples) + " samples"});
  }
  expect_length("cell_x", cell_x);
  expect_length("cell_y", cell_y);
  const auto expect_side = [](const char* name, T cell, std::int64_t cells) {
    if (std::isfinite(static_cast<T>(cells) * cell)) return;
    throw Error(Finding{name, -1,
                        "is " + number(cell) + ", so that " + number(cells) +
                            " cells have no finite length; use a smaller unit"});
  };
  expect_side("cell_x", cell_x, columns - 1);
  expect_side("cell_y", cell_y, samples / columns - 1);
  for (std::size_t i = 0; i < heights.size(); ++i) {
    if (!std::isinf(heights(i))) continue;
    throw Error(Finding{
        "heights", static_cast<std::int64_t>(i),
        "is " + number(heights(i)) + "; a height must be a finite number, or NaN for a hole"});
  }
  const std::size_t fields = table.columns.size();
  if (fields >= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
    throw Error("the table holds 2147483647 height fields already; share them between shapes");
  }
  std::vector<T> given(heights.size());  // `heights` may be those of the table
  for (std::size_t i = 0; i < heights.size(); ++i) given[i] = heights(i);
  // Reserve room first: what follows cannot fail half way.
  const std::size_t before = table.heights.size();
  make_room(table.heights, before + given.size());
  make_room(table.offsets, fields + 2);
  make_room(table.columns, fields + 1);
  make_room(table.cell, fields + 1);
  if (!table.neighbours.empty()) table.neighbours.resize(fields + 1, -1);
  table.heights.resize_uninitialized(before + given.size());
  std::copy(given.begin(), given.end(), table.heights.plane() + before);
  if (table.offsets.empty()) table.offsets.push_back({0});
  table.offsets.push_back({static_cast<std::int64_t>(before + given.size())});
  table.columns.push_back({columns});
  table.cell.push_back({cell_x, cell_y});
  return static_cast<std::int32_t>(fields);
}

template <class Storage>
HeightfieldTriangle<typename Storage::Real> heightfield_triangle(
    const HeightfieldTable<Storage>& table, std::int32_t index, std::int32_t triangle) {
  using T = typename Storage::Real;
  const auto count = static_cast<std::int64_t>(table.columns.size());
  if (index < 0 || index >= count) {
    throw Error(Finding{"index", -1,
                        "is " + number(index) + "; the table has " + number(count) +
                            " height fields, counted from 0"});
  }
  const auto f = static_cast<std::size_t>(index);
  const std::int64_t columns = table.columns(f);
  const std::int64_t rows = (table.offsets(f + 1) - table.offsets(f)) / columns;
  const std::int64_t row = triangle / 2 / columns, column = triangle / 2 % columns;
  if (triangle < 0 || row >= rows - 1 || column >= columns - 1) {
    throw Error(Finding{"triangle", -1,
                        "is " + number(triangle) + ", which field " + number(index) +
                            " does not have; triangles are 2 * (row * columns + column), or that "
                            "plus 1, of a cell of " +
                            number(rows) + " rows and " + number(columns) + " columns of samples"});
  }
  constexpr std::int64_t kCorners[2][3][2] = {{{0, 0}, {0, 1}, {1, 1}}, {{0, 0}, {1, 1}, {1, 0}}};
  HeightfieldTriangle<T> answer{};
  for (int v = 0; v < 3; ++v) {
    const std::int64_t r = row + kCorners[triangle % 2][v][0];
    const std::int64_t c = column + kCorners[triangle % 2][v][1];
    answer.vertices[v][0] = static_cast<T>(c) * table.cell(f, 0);
    answer.vertices[v][1] = static_cast<T>(r) * table.cell(f, 1);
    answer.vertices[v][2] =
        table.heights(static_cast<std::size_t>(table.offsets(f) + r * columns + c));
    answer.is_hole |= std::isnan(answer.vertices[v][2]);
  }
  return answer;
}

#define WIDEPHASE_INSTANTIATE(T)                                                                \
  template WIDEPHASE_API std::int32_t add_heightfield(                                          \
      HeightfieldTable<Owned<3, T>>&, const std::type_identity_t<ColumnSpan<T>>&, std::int32_t, \
      std::type_identity_t<T>, std::type_identity_t<T>);                                        \
  template WIDEPHASE_API HeightfieldTriangle<T> heightfield_triangle(                           \
      const HeightfieldTable<Owned<3, T>>&, std::int32_t, std::int32_t);                        \
  template WIDEPHASE_API HeightfieldTriangle<T> heightfield_triangle(                           \
      const HeightfieldTable<Borrowed<3, T>>&, std::int32_t, std::int32_t);
WIDEPHASE_FOR_EACH_REAL(WIDEPHASE_INSTANTIATE)

}  // namespace widephase
