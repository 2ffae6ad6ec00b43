// ESRI's ASCII grids (.asc): a header of names and numbers, then the heights row by row, the
// northern one first. Heights may be broken into lines anywhere.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "tools/formats/file_error.hpp"
#include "tools/formats/height_grid.hpp"
#include "tools/formats/text.hpp"

namespace widephase::tools {

namespace {

constexpr double kUsualNoData = -9999;  ///< the format's own, where the header does not say

/// Takes the next word off a line; empty at its end. Lines may be as long as the file, so they are
/// not split into a list.
std::string_view next_word(std::string_view& line) {
  constexpr std::string_view kBlanks = " \t\r\f\v";
  const std::size_t begin = std::min(line.find_first_not_of(kBlanks), line.size());
  const std::size_t end = std::min(line.find_first_of(kBlanks, begin), line.size());
  const std::string_view word = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return word;
}

class GridReader {
 public:
  GridReader(const std::string& path, const std::string& text)
      : path_(path), size_(text.size()), lines_(text) {}

  SceneFile read() {
    read_header();
    const std::size_t columns = count_of(ncols), rows = count_of(nrows);
    const auto [west, cell_x] = along(xllcorner, xllcenter, dx);
    const auto [south, cell_y] = along(yllcorner, yllcenter, dy);
    check_field_size(path_, rows, columns);
    // A height takes a digit and a blank.
    if (rows * columns > size_ / 2 + 1) {
      throw FileError(path_, fmt::format("has {} bytes, too few for the {} rows of {} heights that "
                                         "its header names",
                                         size_, rows, columns));
    }
    HeightGrid grid(path_, rows, columns);
    read_heights(grid);
    return grid.take(west, south, cell_x, cell_y);
  }

 private:
  /// The names of a header, in lower case.
  enum Name {
    ncols,
    nrows,
    xllcorner,
    xllcenter,
    yllcorner,
    yllcenter,
    cellsize,
    dx,
    dy,
    nodata_value,
    name_count
  };
  static constexpr std::array<std::string_view, name_count> kNames{
      "ncols",     "nrows",    "xllcorner", "xllcenter", "yllcorner",
      "yllcenter", "cellsize", "dx",        "dy",        "nodata_value"};

  [[noreturn]] void fail(const std::string& what) const {
    throw FileError(path_, lines_.number(), what);
  }

  /// Leaves `line_` at the first line that begins with a number.
  void read_header() {
    while (lines_.next(line_)) {
      std::string_view rest = line_;
      const std::string_view word = next_word(rest);
      double number;
      if (word.empty()) continue;
      if (parse_number(word, number)) return;
      const std::string lower = lower_case(word);
      const auto found = std::ranges::find(kNames, lower);
      if (found == kNames.end()) {
        fail(fmt::format("begins with {}; expected {}, or a height", in_quotes(word),
                         fmt::join(kNames, ", ")));
      }
      std::optional<double>& value = values_[static_cast<std::size_t>(found - kNames.begin())];
      if (value) fail(fmt::format("has a second {}", lower));
      const std::string_view given = next_word(rest);
      if (!parse_number(given, number) || !next_word(rest).empty()) {
        fail(fmt::format("is {}; expected {} and a number", in_quotes(line_), lower));
      }
      value = number;
    }
    line_ = {};
  }

  double number_of(Name name) const {
    if (values_[name]) return *values_[name];
    throw FileError(path_, fmt::format("has no {} in its header", kNames[name]));
  }

  std::size_t count_of(Name name) const {
    const double count = number_of(name);
    if (count >= 1 && count <= 4294967295.0 && count == std::floor(count)) {
      return static_cast<std::size_t>(count);
    }
    throw FileError(path_,
                    fmt::format("has {} {}; expected a whole number above 0", kNames[name], count));
  }

  /// The place of the first sample along an axis and the size of a cell.
  std::array<double, 2> along(Name corner, Name center, Name size) const {
    if (values_[corner] && values_[center]) {
      throw FileError(path_, fmt::format("has {} and {}; expected one of them", kNames[corner],
                                         kNames[center]));
    }
    if (values_[cellsize] && values_[size]) {
      throw FileError(path_,
                      fmt::format("has cellsize and {}; expected one of them", kNames[size]));
    }
    if (!values_[cellsize] && !values_[size]) {
      throw FileError(path_,
                      fmt::format("has neither cellsize nor {} in its header", kNames[size]));
    }
    const double cell = values_[size] ? *values_[size] : *values_[cellsize];
    // A sample is at the centre of its cell.
    const double first = values_[center] ? *values_[center] : number_of(corner) + cell / 2;
    if (std::isfinite(first)) return {first, cell};
    throw FileError(path_, fmt::format("begins at {} by {}; expected a finite number", first,
                                       kNames[values_[center] ? center : corner]));
  }

  void read_heights(HeightGrid& grid) {
    const double no_data = values_[nodata_value].value_or(kUsualNoData);
    const std::size_t count = grid.rows() * grid.columns();
    std::size_t read = 0;
    do {
      for (std::string_view word = next_word(line_); !word.empty(); word = next_word(line_)) {
        if (read == count) {
          fail(fmt::format("has more heights than the {} rows of {} that the header names",
                           grid.rows(), grid.columns()));
        }
        const std::size_t row = read / grid.columns(), column = read % grid.columns();
        double height;
        if (!parse_number(word, height) || std::isinf(height)) {
          fail(fmt::format("has {} in row {}, column {}, counted from 0; expected a finite number",
                           in_quotes(word), row, column));
        }
        grid.set(row, column, height == no_data ? std::nan("") : height);
        ++read;
      }
    } while (lines_.next(line_));
    if (read == count) return;
    throw FileError(path_, fmt::format("ends after {} of the {} heights that its header names; the "
                                       "file is not whole",
                                       read, count));
  }

  const std::string& path_;
  std::size_t size_;
  Lines lines_;
  std::string_view line_;
  std::array<std::optional<double>, name_count> values_;
};

}  // namespace

SceneFile read_esri_grid(const std::string& path) {
  return GridReader(path, read_text(path)).read();
}

}  // namespace widephase::tools
