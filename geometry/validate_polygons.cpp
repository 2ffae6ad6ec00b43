#include "geometry/validate_polygons.hpp"

#include <cmath>
#include <optional>

#include <widephase/polygons.hpp>

#include "geometry/orientation.hpp"
#include "geometry/validate_offsets.hpp"
#include "soa/instantiate.hpp"
#include "soa/number_text.hpp"

namespace widephase {

namespace {

std::string geometry_text(std::size_t geometry) { return "geometry " + number(geometry); }

/// What to do about an outline that is not a convex polygon.
std::string advice(bool has_inner) {
  return has_inner ? "; polygons with inner edges must be convex and counter-clockwise as given"
                   : "; build polygons by add_polygon, which takes any point set";
}

/// The vertices of one geometry.
template <class T>
struct Outline {
  const ColumnSpan<T, 2>& vertices;
  std::size_t begin;
  std::size_t end;

  std::size_t next(std::size_t row) const { return row + 1 == end ? begin : row + 1; }
  std::size_t previous(std::size_t row) const { return (row == begin ? end : row) - 1; }
  std::array<double, 2> point(std::size_t row) const {
    return {static_cast<double>(vertices(row, 0)), static_cast<double>(vertices(row, 1))};
  }
  /// Whether the edge that begins here points upwards, or straight to the right.
  bool is_upwards(std::size_t row) const {
    const auto from = point(row), to = point(next(row));
    return to[1] > from[1] || (to[1] == from[1] && to[0] > from[0]);
  }
};

template <class T>
std::optional<Finding> wrong_outline(const Outline<T>& outline, std::size_t geometry,
                                     bool has_inner) {
  const std::size_t count = outline.end - outline.begin;
  if (count < kFewestPolygonVertices || count > kMostPolygonVertices) {
    return Finding{"polygons.offsets", static_cast<std::int64_t>(geometry),
                   "begins " + geometry_text(geometry) + ", which has " + number(count) +
                       " vertices; a polygon has " + number(kFewestPolygonVertices) + " to " +
                       number(kMostPolygonVertices)};
  }
  const auto found = [](std::size_t row, std::string message) {
    return Finding{"polygons.vertices", static_cast<std::int64_t>(row), std::move(message)};
  };
  for (std::size_t row = outline.begin; row < outline.end; ++row) {
    for (const double value : outline.point(row)) {
      if (std::isfinite(value)) continue;
      return found(row, "is " + number(value) + " in " + geometry_text(geometry) +
                            "; a vertex must be two finite numbers");
    }
  }
  int rounds = 0;
  for (std::size_t row = outline.begin; row < outline.end; ++row) {
    const std::size_t previous = outline.previous(row);
    const auto point = outline.point(row);
    if (point == outline.point(previous)) {
      return found(row, "repeats the vertex before it within " + geometry_text(geometry) +
                            advice(has_inner));
    }
    const int turn = orientation(point_of(outline.point(previous)), point_of(point),
                                 point_of(outline.point(outline.next(row))));
    if (turn <= 0) {
      return found(row, (turn < 0 ? "turns clockwise within " : "does not turn within ") +
                            geometry_text(geometry) + advice(has_inner));
    }
    // Only left turns, each less than 180 degrees: once per round, the direction passes from the
    // lower half of the circle into the upper one.
    rounds += !outline.is_upwards(previous) && outline.is_upwards(row) ? 1 : 0;
  }
  if (rounds == 1) return std::nullopt;
  return found(outline.begin, "begins " + geometry_text(geometry) + ", whose outline goes round " +
                                  number(rounds) + " times" + advice(has_inner));
}

/// Whether an outline of 3 to 64 vertices is certainly valid, without branches except at the end.
/// Numbers that are not finite leave a doubt too, since then no sum of products is within its
/// limits.
template <class T>
bool is_surely_convex(const ColumnSpan<T, 2>& vertices, std::size_t begin, std::size_t end) {
  const auto x = [&](std::size_t row) { return static_cast<double>(vertices(row, 0)); };
  const auto y = [&](std::size_t row) { return static_cast<double>(vertices(row, 1)); };
  double from_x = x(end - 1), from_y = y(end - 1);
  double edge_x = from_x - x(end - 2), edge_y = from_y - y(end - 2);
  const auto is_upwards = [](double dx, double dy) {
    return static_cast<int>(dy > 0) | (static_cast<int>(dy == 0) & static_cast<int>(dx > 0));
  };
  int was_upwards = is_upwards(edge_x, edge_y);
  int rounds = 0;
  int is_sure = 1;
  for (std::size_t row = begin; row < end; ++row) {
    const double to_x = x(row), to_y = y(row);
    const double dx = to_x - from_x, dy = to_y - from_y;
    const double left = edge_x * dy, right = edge_y * dx;
    const double sum = std::abs(left) + std::abs(right);
    is_sure &= static_cast<int>(left - right > orientation_parts::kFilter * sum) &
               static_cast<int>(sum >= orientation_parts::kLeastSum) &
               static_cast<int>(sum <= orientation_parts::kMostSum);
    const int goes_upwards = is_upwards(dx, dy);
    rounds += goes_upwards & ~was_upwards;
    was_upwards = goes_upwards;
    from_x = to_x;
    from_y = to_y;
    edge_x = dx;
    edge_y = dy;
  }
  return is_sure != 0 && rounds == 1;
}

}  // namespace

template <class T>
std::optional<Finding> wrong_polygon_layout(const GeometryTable<Borrowed<2, T>>& polygons) {
  if (auto wrong = wrong_offsets(polygons)) return wrong;
  const std::size_t vertices = polygons.vertices.size();
  if (polygons.inner.empty() || polygons.inner.size() == vertices) return std::nullopt;
  return Finding{"polygons.inner", -1,
                 "has " + number(polygons.inner.size()) + " rows, but polygons.vertices has " +
                     number(vertices)};
}

template <class T>
std::vector<Finding> polygon_findings(const GeometryTable<Borrowed<2, T>>& polygons,
                                      std::size_t limit) {
  std::vector<Finding> findings;
  if (limit == 0) return findings;
  if (auto wrong = wrong_polygon_layout(polygons)) return {*std::move(wrong)};
  for (std::size_t g = 0; g + 1 < polygons.offsets.size() && findings.size() < limit; ++g) {
    const Outline<T> outline{polygons.vertices, static_cast<std::size_t>(polygons.offsets(g)),
                             static_cast<std::size_t>(polygons.offsets(g + 1))};
    if (auto wrong = wrong_outline(outline, g, !polygons.inner.empty()))
      findings.push_back(*std::move(wrong));
  }
  for (std::size_t row = 0; row < polygons.inner.size() && findings.size() < limit; ++row) {
    if (polygons.inner(row) <= 1) continue;
    findings.push_back(
        {"polygons.inner", static_cast<std::int64_t>(row),
         "is " + number(static_cast<int>(polygons.inner(row))) + "; it must be 0 or 1"});
  }
  return findings;
}

template <class T>
bool are_valid_polygons(const GeometryTable<Borrowed<2, T>>& polygons) {
  const auto& offsets = polygons.offsets;
  const auto vertices = static_cast<std::int64_t>(polygons.vertices.size());
  if (offsets.empty()) return vertices == 0 && polygons.inner.empty();
  std::int64_t end = offsets(0);
  bool has_sizes = end == 0;
  for (std::size_t g = 1; g < offsets.size(); ++g) {
    const std::int64_t begin = end;
    end = offsets(g);
    // Modulo 2^64: offsets may be any numbers.
    const std::uint64_t count = static_cast<std::uint64_t>(end) - static_cast<std::uint64_t>(begin);
    has_sizes &= count >= kFewestPolygonVertices && count <= kMostPolygonVertices;
  }
  if (!has_sizes || end != vertices) return false;
  if (!polygons.inner.empty() && polygons.inner.size() != polygons.vertices.size()) return false;
  std::uint8_t flags = 0;
  for (std::size_t row = 0; row < polygons.inner.size(); ++row) flags |= polygons.inner(row);
  if (flags > 1) return false;
  for (std::size_t g = 0; g + 1 < offsets.size(); ++g) {
    const auto begin = static_cast<std::size_t>(offsets(g));
    const auto after = static_cast<std::size_t>(offsets(g + 1));
    if (is_surely_convex(polygons.vertices, begin, after)) continue;
    if (wrong_outline(Outline<T>{polygons.vertices, begin, after}, g, false)) return false;
  }
  return true;
}

#define WIDEPHASE_INSTANTIATE(T)                                                              \
  template std::optional<Finding> wrong_polygon_layout(const GeometryTable<Borrowed<2, T>>&); \
  template std::vector<Finding> polygon_findings(const GeometryTable<Borrowed<2, T>>&,        \
                                                 std::size_t);                                \
  template bool are_valid_polygons(const GeometryTable<Borrowed<2, T>>&);
WIDEPHASE_FOR_EACH_REAL(WIDEPHASE_INSTANTIATE)

}  // namespace widephase
