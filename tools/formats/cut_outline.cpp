#include "tools/formats/cut_outline.hpp"

#include <cmath>

#include "geometry/orientation.hpp"

namespace widephase::tools {

namespace {

using Parts = GeometryTable<Owned<2, double>>;

/// The same limit as `decompose` has for outlines without a grid.
void check_positions(const Outline& outline) {
  for (std::size_t ring = 0; ring + 1 < outline.ring_offsets.size(); ++ring) {
    const std::int64_t first = outline.ring_offsets[ring];
    for (std::int64_t i = first; i < outline.ring_offsets[ring + 1]; ++i) {
      const auto [x, y] = outline.position(static_cast<std::size_t>(i));
      if (std::abs(x) <= 1e75 && std::abs(y) <= 1e75) continue;
      throw OutlineError(static_cast<std::int64_t>(ring), i - first,
                         "is scaled to a place beyond 1e75; coordinates must be at most that");
    }
  }
}

/// Converts parts from grid steps to positions. They stay counter-clockwise if one axis is
/// mirrored.
Parts scaled(const Parts& parts, const Grid& grid) {
  Parts result;
  result.offsets = parts.offsets;
  const bool is_mirrored = (grid.scale[0] < 0) != (grid.scale[1] < 0);
  for (std::size_t part = 0; part + 1 < parts.offsets.size(); ++part) {
    const auto begin = static_cast<std::size_t>(parts.offsets[part]);
    const auto end = static_cast<std::size_t>(parts.offsets[part + 1]);
    for (std::size_t i = 0; i < end - begin; ++i) {
      const std::size_t row = is_mirrored ? end - 1 - i : begin + i;
      const std::size_t edge = !is_mirrored ? row : row == begin ? end - 1 : row - 1;
      result.vertices.push_back(grid.place({parts.vertices(row, 0), parts.vertices(row, 1)}));
      result.inner.push_back({parts.inner[edge]});
    }
  }
  return result;
}

/// Rounding could make a convex polygon flat or concave: checks every corner.
bool are_strictly_convex(const Parts& parts) {
  const auto point = [&](std::size_t row) {
    return Point2{parts.vertices(row, 0), parts.vertices(row, 1)};
  };
  for (std::size_t part = 0; part + 1 < parts.offsets.size(); ++part) {
    const auto begin = static_cast<std::size_t>(parts.offsets[part]);
    const auto end = static_cast<std::size_t>(parts.offsets[part + 1]);
    for (std::size_t row = begin; row < end; ++row) {
      const std::size_t previous = (row == begin ? end : row) - 1;
      const std::size_t next = row + 1 == end ? begin : row + 1;
      if (orientation(point(previous), point(row), point(next)) <= 0) return false;
    }
  }
  return true;
}

}  // namespace

DecomposeReport cut_outline(const Outline& outline, Parts& parts) {
  const OutlineSpan span{outline.vertices, outline.ring_offsets};
  if (!outline.grid) return decompose(span, parts);
  check_positions(outline);
  Parts steps;
  DecomposeReport report = decompose(span, steps);
  const Parts placed = scaled(steps, *outline.grid);
  if (!are_strictly_convex(placed)) {
    throw OutlineError(0, -1,
                       "has corners that are lost where its grid is scaled; doubles are too coarse "
                       "there for steps so short");
  }
  if (parts.offsets.empty()) parts.offsets.push_back({0});
  const auto base = static_cast<std::int64_t>(parts.vertices.size());
  for (std::size_t row = 0; row < placed.vertices.size(); ++row) {
    parts.vertices.push_back({placed.vertices(row, 0), placed.vertices(row, 1)});
    parts.inner.push_back({placed.inner[row]});
  }
  for (std::size_t part = 1; part < placed.offsets.size(); ++part) {
    parts.offsets.push_back({base + placed.offsets[part]});
  }
  report.area *= std::abs(outline.grid->scale[0] * outline.grid->scale[1]);
  return report;
}

}  // namespace widephase::tools
