#pragma once

// Outlines from files for the tests of `decompose`.

#include "reference/scaled.hpp"
#include "support/outlines.hpp"
#include "tools/formats/cut_outline.hpp"

namespace widephase::test {

/// The rings of an outline; `point_of` gives each point by its row.
template <class PointOf>
Rings rings_by_row(const tools::Outline& outline, PointOf&& point_of) {
  Rings rings;
  for (std::size_t ring = 0; ring + 1 < outline.ring_offsets.size(); ++ring) {
    auto& points = rings.emplace_back();
    for (std::int64_t i = outline.ring_offsets[ring]; i < outline.ring_offsets[ring + 1]; ++i) {
      points.push_back(point_of(static_cast<std::size_t>(i)));
    }
  }
  return rings;
}

inline Rings rings_of(const tools::Outline& outline) {
  return rings_by_row(outline, [&](std::size_t row) {
    const auto [x, y] = outline.position(row);
    return Point2{x, y};
  });
}

/// In steps of the file's grid, if it has one.
inline Rings rings_in_steps(const tools::Outline& outline) {
  return rings_by_row(outline, [&](std::size_t row) {
    return Point2{outline.vertices(row, 0), outline.vertices(row, 1)};
  });
}

}  // namespace widephase::test
