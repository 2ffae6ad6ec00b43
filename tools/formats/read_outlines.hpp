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
  std::array<double, 2> scale{1, 1};  ///< the length of a step, not 0
  std::array<double, 2> translate{0, 0};

  /// Rounded.
  std::array<double, 2> place(const std::array<double, 2>& steps) const {
    return {steps[0] * scale[0] + translate[0], steps[1] * scale[1] + translate[1]};
  }
};

/// A polygon with holes as a file holds it; its numbers are not checked yet.
struct Outline {
  Column<double, 2> vertices;  ///< where there is a grid, in its steps
  std::optional<Grid> grid;
  std::vector<std::int64_t> ring_offsets{0};
  std::int32_t owner = 0;  ///< its feature's place in the file
  std::string place;       ///< "feature 12 (Fiji), polygon 3"; empty where the file is one outline

  /// Where a vertex lies.
  std::array<double, 2> position(std::size_t row) const {
    const std::array<double, 2> at{vertices(row, 0), vertices(row, 1)};
    return grid ? grid->place(at) : at;
  }
};

struct Outlines {
  std::vector<Outline> list;
  std::int32_t owner_count = 0;
  std::int64_t ignored_count = 0;  ///< geometries without area (points, lines), which have no parts
};

/// GeoJSON, TopoJSON or plain rings. Of a TopoJSON file's objects the one called `object`, or all
/// where that is empty.
Outlines read_outlines(const std::string& path, const std::string& object = {});

}  // namespace widephase::tools
