#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <widephase/decompose.hpp>

namespace widephase::tools {

/// The grid of a quantized TopoJSON file.
struct Grid {
  std::array<double, 2> scale{1, 1};  ///< the length of one step, not 0
  std::array<double, 2> translate{0, 0};

  /// The position of a grid point, rounded to double.
  std::array<double, 2> place(const std::array<double, 2>& steps) const {
    return {steps[0] * scale[0] + translate[0], steps[1] * scale[1] + translate[1]};
  }
};

/// A polygon with holes as read from a file; its numbers are not checked yet.
struct Outline {
  Column<double, 2> vertices;  ///< in grid steps if there is a grid
  std::optional<Grid> grid;
  std::vector<std::int64_t> ring_offsets{0};
  std::int32_t owner = 0;  ///< the index of its feature in the file
  std::string place;       ///< "feature 12 (Fiji), polygon 3"; empty if the file is one outline

  /// The position of a vertex.
  std::array<double, 2> position(std::size_t row) const {
    const std::array<double, 2> at{vertices(row, 0), vertices(row, 1)};
    return grid ? grid->place(at) : at;
  }
};

struct Outlines {
  std::vector<Outline> list;
  std::int32_t owner_count = 0;
  std::int64_t ignored_count = 0;  ///< geometries of other kinds, such as points
};

/// Reads GeoJSON, TopoJSON or plain rings. In a TopoJSON file it reads the object called `object`,
/// or all objects if that is empty.
Outlines read_outlines(const std::string& path, const std::string& object = {});

/// Reads the lines (`LineString`, `MultiLineString`) of GeoJSON or TopoJSON instead; each is an
/// outline of one ring, not closed unless its ends are equal.
Outlines read_lines(const std::string& path);

}  // namespace widephase::tools
