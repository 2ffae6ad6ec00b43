#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <widephase/decompose.hpp>

namespace widephase::tools {

/// A polygon with holes as a file holds it; its numbers are not checked yet.
struct Outline {
  Column<double, 2> vertices;
  std::vector<std::int64_t> ring_offsets{0};
  std::int32_t owner = 0;  ///< its feature's place in the file
  std::string place;       ///< "feature 12 (Fiji), polygon 3"; empty where the file is one outline
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
