#include "tools/formats/height_grid.hpp"

#include <fmt/format.h>

#include <algorithm>

#include <widephase/heightfields.hpp>

#include "tools/formats/file_error.hpp"

namespace widephase::tools {

void check_field_size(const std::string& path, std::size_t rows, std::size_t columns) {
  constexpr auto kMost = static_cast<std::size_t>(kMostSamples);
  constexpr std::size_t kFewest = kFewestSamples;
  if (rows >= kFewest && columns >= kFewest && rows <= kMost / columns) return;
  throw FileError(path, fmt::format("has {} {} of {} heights; a height field has {} or more rows "
                                    "and columns, and up to {} heights",
                                    rows, rows == 1 ? "row" : "rows", columns, kFewest, kMost));
}

void check_packed_size(const std::string& path, std::size_t rows, std::size_t columns,
                       std::size_t bytes) {
  constexpr std::size_t kAlways = std::size_t{1} << 24, kEach = 64;
  if (rows * columns <= std::max(kAlways, kEach * bytes)) return;
  throw FileError(path, fmt::format("has {} bytes, too few for its {} rows of {} heights: beyond "
                                    "{} heights it must have a byte for every {}",
                                    bytes, rows, columns, kAlways, kEach));
}

HeightGrid::HeightGrid(const std::string& path, std::size_t rows, std::size_t columns)
    : path_(path), rows_(rows), columns_(columns) {
  check_field_size(path, rows, columns);
  heights_ = Array(Type::float64, {rows * columns});
}

void HeightGrid::refuse(std::size_t row, std::size_t column, double height) const {
  throw FileError(path_, fmt::format("has {} in row {}, column {}, counted from 0; a height must "
                                     "be a finite number or no data",
                                     height, row, column));
}

void HeightGrid::expect_cell(double cell, std::size_t cells, std::string_view axis) const {
  if (cell > 0 && std::isfinite(static_cast<double>(cells) * cell)) return;
  throw FileError(path_, fmt::format("has {} cells of size {} along {}; expected a size above 0 "
                                     "and a finite length",
                                     cells, cell, axis));
}

SceneFile HeightGrid::take(double west, double south, double cell_x, double cell_y) {
  expect_cell(cell_x, columns_ - 1, "x");
  expect_cell(cell_y, rows_ - 1, "y");
  const auto count = static_cast<std::int64_t>(heights_.count());
  const auto columns = static_cast<std::int32_t>(columns_);
  std::vector<NamedArray> arrays;
  const auto add = [&]<class T>(const char* name, const std::vector<T>& values,
                                std::vector<std::size_t> shape) {
    arrays.push_back({name, Array::of(values, std::move(shape))});
  };
  add("dimension", std::vector<std::int32_t>{3}, {});
  add("heightfield.center", std::vector<double>{west, south, 0}, {1, 3});
  add("heightfield.orientation", std::vector<double>{0, 0, 0, 1}, {1, 4});
  add("heightfield.geometry", std::vector<std::int32_t>{0}, {1});
  arrays.push_back({"heightfields.heights", std::move(heights_)});
  add("heightfields.offsets", std::vector<std::int64_t>{0, count}, {2});
  add("heightfields.columns", std::vector<std::int32_t>{columns}, {1});
  add("heightfields.cell", std::vector<double>{cell_x, cell_y}, {1, 2});
  return SceneFile(path_, std::move(arrays));
}

}  // namespace widephase::tools
