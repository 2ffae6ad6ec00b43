#pragma once

// Rasters of heights, such as elevation models, as height fields.

#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

#include "tools/formats/array.hpp"
#include "tools/formats/scene_file.hpp"

namespace widephase::tools {

/// What a reader collects. Files have their rows from north to south; a height field has them from
/// south to north, since y is north.
class HeightGrid {
 public:
  /// A `FileError` says what sizes a height field may have. Readers first check that the file can
  /// hold as many samples: their memory is allocated here.
  HeightGrid(const std::string& path, std::size_t rows, std::size_t columns);

  /// `row` is counted from the north. NaN is a hole; a `FileError` refuses infinite heights.
  void set(std::size_t row, std::size_t column, double height) {
    if (std::isinf(height)) refuse(row, column, height);
    heights_.values<double>()[(rows_ - 1 - row) * columns_ + column] = height;
  }

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }

  /// The scene of one `heightfield`. `west` and `south` are the place of sample (0, 0).
  SceneFile take(double west, double south, double cell_x, double cell_y);

 private:
  [[noreturn]] void refuse(std::size_t row, std::size_t column, double height) const;
  void expect_cell(double cell, std::size_t cells, std::string_view axis) const;

  std::string path_;
  std::size_t rows_, columns_;
  Array heights_;
};

/// Checks the sizes of a height field, for a message about `path`.
void check_field_size(const std::string& path, std::size_t rows, std::size_t columns);

/// Checks that a packed file of `bytes` may have so many heights, which have passed the check
/// above: 2^24, or 64 a byte. Ground packs to a byte for ten heights or fewer, but deflate makes a
/// thousand of a byte where all are equal, and a file of a megabyte must not fill memory.
void check_packed_size(const std::string& path, std::size_t rows, std::size_t columns,
                       std::size_t bytes);

/// The most bytes that compression makes of one in a TIFF, by LZW, whose entries take 9 bits or
/// more and stand for at most 4093 bytes. A file that declares more is false, and memory must not
/// be allocated for it.
inline constexpr std::size_t kMostByLzw = 4096;

SceneFile read_esri_grid(const std::string& path);
SceneFile read_geotiff(const std::string& path, std::vector<std::string>& notes);

}  // namespace widephase::tools
