#pragma once

// Outlines from files, as the tests of `decompose` take them.

#include "read_outlines.hpp"
#include "support/outlines.hpp"
#include "support/scaled.hpp"

namespace widephase::test {

inline Rings rings_of(const tools::Outline& outline) {
  Rings rings;
  for (std::size_t ring = 0; ring + 1 < outline.ring_offsets.size(); ++ring) {
    auto& points = rings.emplace_back();
    for (std::int64_t i = outline.ring_offsets[ring]; i < outline.ring_offsets[ring + 1]; ++i) {
      const auto row = static_cast<std::size_t>(i);
      points.push_back({outline.vertices(row, 0), outline.vertices(row, 1)});
    }
  }
  return rings;
}

inline DecomposeReport cut_outline(const tools::Outline& outline, Parts& parts) {
  return decompose({outline.vertices, outline.ring_offsets}, parts);
}

}  // namespace widephase::test
