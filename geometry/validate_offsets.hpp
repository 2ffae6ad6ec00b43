#pragma once

#include <optional>

#include <widephase/shapes.hpp>

#include "geometry/add_geometry.hpp"
#include "soa/column_layout.hpp"

namespace widephase {

/// What is wrong with offsets of which each geometry's end is the next one's begin; `elements` is
/// the array that they divide, of `count` rows, and `what` its word.
inline std::optional<Finding> wrong_offsets(const char* array,
                                            const ColumnSpan<std::int64_t>& offsets,
                                            const char* elements, std::size_t count,
                                            const char* what) {
  if (auto wrong = wrong_layout(offsets); !wrong.empty()) return Finding{array, -1, wrong};
  if (offsets.empty()) {
    if (count == 0) return std::nullopt;
    return Finding{array, -1,
                   std::string("is empty, but ") + elements + " has " + number(count) +
                       " rows; it must begin with 0 and end with their count"};
  }
  if (offsets(0) != 0) {
    return Finding{array, 0, "is " + number(offsets(0)) + "; the first geometry begins at 0"};
  }
  for (std::size_t i = 1; i < offsets.size(); ++i) {
    if (offsets(i) >= offsets(i - 1)) continue;
    return Finding{array, static_cast<std::int64_t>(i),
                   "is " + number(offsets(i)) + ", below the " + number(offsets(i - 1)) +
                       " before it; geometries lie one after the other"};
  }
  const std::int64_t last = offsets(offsets.size() - 1);
  if (last == static_cast<std::int64_t>(count)) return std::nullopt;
  return Finding{array, static_cast<std::int64_t>(offsets.size()) - 1,
                 "is " + number(last) + "; the last offset must be the count of " + what + ", " +
                     number(count)};
}

/// What is wrong with the offsets of a table of point sets, if anything.
template <int D, class T>
std::optional<Finding> wrong_offsets(const GeometryTable<Borrowed<D, T>>& table) {
  constexpr GeometryWords kWords = geometry_words<D>();
  if (auto wrong = wrong_layout(table.offsets); !wrong.empty()) {
    return Finding{kWords.offsets, -1, wrong};
  }
  if (auto wrong = wrong_layout(table.vertices); !wrong.empty()) {
    return Finding{kWords.vertices, -1, wrong};
  }
  if (auto wrong = wrong_layout(table.inner); !wrong.empty()) {
    return Finding{D == 2 ? "polygons.inner" : "hulls.inner", -1, wrong};
  }
  return wrong_offsets(kWords.offsets, table.offsets, kWords.vertices, table.vertices.size(),
                       "vertices");
}

}  // namespace widephase
