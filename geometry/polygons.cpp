#include <widephase/polygons.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

#include "geometry/add_geometry.hpp"
#include "geometry/edge_normal.hpp"
#include "geometry/orientation.hpp"
#include "geometry/validate_polygons.hpp"
#include "soa/instantiate.hpp"
#include "soa/turn.hpp"

namespace widephase {

namespace {

using Point = std::array<double, 2>;

Point difference(const Point& a, const Point& b) { return {a[0] - b[0], a[1] - b[1]}; }
double cross(const Point& a, const Point& b) { return a[0] * b[1] - a[1] * b[0]; }
double dot(const Point& a, const Point& b) { return a[0] * b[0] + a[1] * b[1]; }

/// The rows of `points` in ascending x, then y, without repeats: of equal points the first.
std::vector<std::size_t> sorted_rows(const std::vector<Point>& points) {
  std::vector<std::size_t> rows(points.size());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  std::sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
    return points[a] != points[b] ? points[a] < points[b] : a < b;
  });
  const auto last = std::unique(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
    return points[a] == points[b];
  });
  rows.erase(last, rows.end());
  return rows;
}

/// Andrew's monotone chain: the lower side from left to right, then the upper one back; for at
/// least 2 rows. Returns fewer than 3 rows for points on a line.
std::vector<std::size_t> strict_hull(const std::vector<Point>& points,
                                     const std::vector<std::size_t>& rows) {
  std::vector<std::size_t> hull;
  const auto add_chain = [&](auto begin, auto end) {
    const std::size_t first = hull.size();
    for (auto row = begin; row != end; ++row) {
      while (hull.size() >= first + 2 &&
             orientation(point_of(points[hull[hull.size() - 2]]), point_of(points[hull.back()]),
                         point_of(points[*row])) <= 0) {
        hull.pop_back();
      }
      hull.push_back(*row);
    }
    hull.pop_back();  // it begins the other chain
  };
  add_chain(rows.begin(), rows.end());
  add_chain(rows.rbegin(), rows.rend());
  return hull;
}

/// Drops the corners of a hull that are nearer than `tolerance * extent` to the line through their
/// neighbours. At most one of two neighbours is dropped in a pass, so that a run of them is thinned
/// out evenly. So the outline moves by at most a few tolerances, however many there are.
void drop_flat_corners(const std::vector<Point>& points, double extent, double tolerance,
                       std::vector<std::size_t>& hull) {
  // In units of the extent, so that no product overflows.
  const auto edge = [&](std::size_t from, std::size_t to) {
    const Point side = difference(points[to], points[from]);
    return Point{side[0] / extent, side[1] / extent};
  };
  std::size_t count_before = 0;
  while (hull.size() != count_before && hull.size() >= kFewestPolygonVertices) {
    count_before = hull.size();
    std::vector<std::size_t> kept;
    bool is_first_dropped = false;
    bool is_previous_dropped = false;
    for (std::size_t i = 0; i < hull.size(); ++i) {
      const std::size_t before = hull[(i == 0 ? hull.size() : i) - 1];
      const std::size_t after = hull[i + 1 == hull.size() ? 0 : i + 1];
      const Point chord = edge(before, after);
      const double height = cross(edge(before, hull[i]), chord);
      const bool is_flat = std::abs(height) <= tolerance * std::sqrt(dot(chord, chord));
      const bool is_dropped =
          is_flat && !is_previous_dropped && !(is_first_dropped && i + 1 == hull.size());
      if (!is_dropped) kept.push_back(hull[i]);
      if (i == 0) is_first_dropped = is_dropped;
      is_previous_dropped = is_dropped;
    }
    hull.swap(kept);
  }
}

double extent_of(const std::vector<Point>& points) {
  Point low = points[0];
  Point high = points[0];
  for (const Point& point : points) {
    for (int k = 0; k < 2; ++k) {
      low[k] = std::min(low[k], point[k]);
      high[k] = std::max(high[k], point[k]);
    }
  }
  return std::max(high[0] - low[0], high[1] - low[1]);
}

/// The rows of `points` that are its hull, as add_polygon promises, or why there is none.
std::optional<Refusal> find_hull(const std::vector<Point>& points, double epsilon,
                                 std::vector<std::size_t>& hull) {
  if (auto refusal = refuse_numbers(points)) return refusal;
  const std::vector<std::size_t> rows = sorted_rows(points);
  if (rows.size() < kFewestPolygonVertices) {
    return Refusal{-1, "has fewer than 3 distinct points; a polygon needs 3 that span an area"};
  }
  hull = strict_hull(points, rows);
  drop_flat_corners(points, extent_of(points), kFlatCornerEpsilons * epsilon, hull);
  if (hull.size() < kFewestPolygonVertices) {
    return Refusal{-1, "has its points on a line, within " +
                           number(static_cast<int>(kFlatCornerEpsilons)) +
                           " epsilons of its extent; a polygon needs 3 that span an area"};
  }
  if (hull.size() > static_cast<std::size_t>(kMostPolygonVertices)) {
    return Refusal{-1, "has a hull of " + number(hull.size()) +
                           " vertices; a polygon has at most " + number(kMostPolygonVertices)};
  }
  std::rotate(hull.begin(), std::min_element(hull.begin(), hull.end()), hull.end());
  return std::nullopt;
}

template <class T>
std::int32_t add_points(GeometryTable<Owned<2, T>>& polygons, const ColumnSpan<T, 2>& column) {
  require_layout("points", column);
  const std::vector<Point> points = points_of<T, 2>(column, 0, column.size());
  std::vector<std::size_t> hull;
  const auto refusal = find_hull(points, std::numeric_limits<T>::epsilon(), hull);
  if (refusal) throw refused_points<2>(*refusal);
  return append_geometry(polygons, points, hull);
}

/// Empties the outlines that are not convex; those that are stay as they are.
template <class T>
void empty_outlines(const std::vector<Finding>& findings, GeometryTable<Owned<2, T>>& polygons,
                    std::vector<Finding>& refused) {
  const auto& offsets = polygons.offsets;
  std::vector<bool> is_refused(offsets.size() - 1, false);
  for (const Finding& finding : findings) {
    const bool names_geometry = finding.array == geometry_words<2>().offsets;
    const auto after = std::upper_bound(offsets.begin(), offsets.end(), finding.row);
    const auto g = names_geometry ? static_cast<std::size_t>(finding.row)
                                  : static_cast<std::size_t>(after - offsets.begin()) - 1;
    if (!is_refused[g]) refused.push_back(finding);
    is_refused[g] = true;
  }
  GeometryTable<Owned<2, T>> kept;
  kept.offsets.push_back({0});
  for (std::size_t g = 0; g < is_refused.size(); ++g) {
    for (std::int64_t row = offsets[g]; row < offsets[g + 1] && !is_refused[g]; ++row) {
      kept.vertices.push_back(polygons.vertices.row(static_cast<std::size_t>(row)));
      kept.inner.push_back({polygons.inner[static_cast<std::size_t>(row)]});
    }
    kept.offsets.push_back({static_cast<std::int64_t>(kept.vertices.size())});
  }
  polygons = std::move(kept);
}

template <class T>
void build_hulls(GeometryTable<Owned<2, T>>& polygons, std::vector<Finding>* refused) {
  const GeometryTable<Borrowed<2, T>> given{polygons.vertices, polygons.offsets, polygons.inner};
  if (auto finding = wrong_polygon_layout(given)) throw Error(*std::move(finding));
  if (polygons.inner.empty()) {
    const auto find = [](const std::vector<Point>& points, std::vector<std::size_t>& hull) {
      return find_hull(points, std::numeric_limits<T>::epsilon(), hull);
    };
    polygons = convex_table(polygons, find, refused);
    return;
  }
  constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
  const std::vector<Finding> findings = polygon_findings(given, refused == nullptr ? 1 : kAll);
  if (findings.empty()) return;
  if (refused == nullptr) throw Error(findings.front());
  empty_outlines(findings, polygons, *refused);
}

/// A polygon in double, its rounded vertices, and what becomes of it.
struct RoundedPolygon {
  std::vector<Point> exact;
  std::vector<Point> rounded;
  std::vector<std::uint8_t> inner;  ///< of the edge from each vertex to the next; may be empty

  std::size_t next(std::size_t row) const { return row + 1 == exact.size() ? 0 : row + 1; }

  /// The mark of the edges from one row to another: 1 if those inside the owner are longer in
  /// total.
  std::uint8_t inner_between(std::size_t from, std::size_t to) const {
    if (next(from) == to) return inner[from];
    double length = 0;  // of inner edges, minus that of the outline's
    for (std::size_t row = from; row != to; row = next(row)) {
      const Point edge = difference(exact[next(row)], exact[row]);
      length += (inner[row] != 0 ? 1 : -1) * std::sqrt(dot(edge, edge));
    }
    return length > 0 ? 1 : 0;
  }
};

/// Rows of a polygon: its ends, the lower one first, and the vertex farthest from the line between
/// them.
struct Ends {
  std::size_t low = 0;
  std::size_t high = 1;
  std::size_t aside = 0;
};

Ends ends_of(const std::vector<Point>& points) {
  Ends ends;
  double longest = -1;
  for (std::size_t a = 0; a < points.size(); ++a) {
    for (std::size_t b = a + 1; b < points.size(); ++b) {
      const Point side = difference(points[b], points[a]);
      if (!(dot(side, side) > longest)) continue;
      longest = dot(side, side);
      ends.low = a;
      ends.high = b;
    }
  }
  const Point side = difference(points[ends.high], points[ends.low]);
  double farthest = -1;
  for (std::size_t row = 0; row < points.size(); ++row) {
    const double height = std::abs(cross(side, difference(points[row], points[ends.low])));
    if (row == ends.low || row == ends.high || !(height > farthest)) continue;
    farthest = height;
    ends.aside = row;
  }
  return ends;
}

/// The triangle of a polygon that rounding left without area: its ends and the vertex farthest from
/// the line between them, which is moved until the three turn left again.
///
/// The turn is linear in the moved vertex. Rounding took at most half a step from each coordinate
/// of the three, a step being the spacing of floats at the largest coordinate. Along the axis on
/// which the ends are closer, a whole step restores at least half of the largest such loss, so
/// three steps suffice.
std::vector<std::size_t> widen(RoundedPolygon& polygon) {
  const Ends ends = ends_of(polygon.exact);
  std::vector<std::size_t> rows{ends.low, ends.high, ends.aside};
  std::sort(rows.begin(), rows.end());
  std::vector<Point>& points = polygon.rounded;
  double largest = std::numeric_limits<float>::min();
  for (const Point& point : points) {
    for (const double value : point) largest = std::max(largest, std::abs(value));
  }
  const double step = largest * static_cast<double>(std::numeric_limits<float>::epsilon());
  const auto move = [&](std::size_t row, int axis, double by) {
    double& value = points[row][axis];
    value = static_cast<double>(static_cast<float>(value + by));
  };
  if (points[ends.low] == points[ends.high]) {
    points[rows[1]] = points[rows[2]] = points[rows[0]];
    move(rows[1], 0, step);
    move(rows[2], 1, step);
    return rows;
  }
  // The turn grows to the left of the line from the vertex after the moved one to the one before.
  const bool is_between = ends.aside == rows[1];
  const Point way = is_between ? difference(points[ends.low], points[ends.high])
                               : difference(points[ends.high], points[ends.low]);
  const int axis = std::abs(way[0]) >= std::abs(way[1]) ? 1 : 0;
  const bool is_forward = axis == 1 ? way[0] > 0 : way[1] < 0;
  const auto turn = [&]() {
    return orientation(point_of(points[rows[0]]), point_of(points[rows[1]]),
                       point_of(points[rows[2]]));
  };
  constexpr int kMostSteps = 8;
  for (int i = 0; i < kMostSteps && turn() <= 0; ++i) {
    move(ends.aside, axis, is_forward ? step : -step);
  }
  return rows;
}

/// The longest ascending subsequence of some rows, the first of equally long ones.
std::vector<std::size_t> longest_ascent(const std::vector<std::size_t>& rows) {
  std::vector<std::size_t> length(rows.size(), 1), before(rows.size(), rows.size());
  std::size_t last = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (rows[j] >= rows[i] || length[j] + 1 <= length[i]) continue;
      length[i] = length[j] + 1;
      before[i] = j;
    }
    if (length[i] > length[last]) last = i;
  }
  std::vector<std::size_t> ascent;
  for (std::size_t i = last; i < rows.size(); i = before[i]) ascent.push_back(rows[i]);
  std::reverse(ascent.begin(), ascent.end());
  return ascent;
}

/// How far a polygon's vertices are outside the polygon of these rows, as rounded: that of the
/// farthest.
double left_out(const RoundedPolygon& polygon, const std::vector<std::size_t>& rows) {
  double most = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Point from = polygon.rounded[rows[i]];
    const Point side = difference(polygon.rounded[rows[(i + 1) % rows.size()]], from);
    const double length = std::sqrt(dot(side, side));
    for (const Point& vertex : polygon.exact) {
      most = std::max(most, cross(difference(vertex, from), side) / length);
    }
  }
  return most;
}

/// The rows of a rounded polygon that stay, in ascending order.
std::vector<std::size_t> rows_that_stay(RoundedPolygon& polygon) {
  const std::vector<std::size_t> sorted = sorted_rows(polygon.rounded);
  std::vector<std::size_t> hull;
  if (sorted.size() >= kFewestPolygonVertices) {
    hull = strict_hull(polygon.rounded, sorted);
    std::rotate(hull.begin(), std::min_element(hull.begin(), hull.end()), hull.end());
  }
  const std::vector<std::size_t> ascent = longest_ascent(hull);
  const bool is_polygon = ascent.size() >= kFewestPolygonVertices;
  if (is_polygon && ascent.size() == hull.size()) return hull;
  // Rounding exchanges vertices that are within a step of one another. The most that still ascend
  // stay. If rounding leaves no area but the polygon has some, the alternative is a triangle; the
  // one that leaves less out is taken.
  RoundedPolygon widened = polygon;
  const std::vector<std::size_t> triangle = widen(widened);
  if (is_polygon && left_out(polygon, ascent) <= left_out(widened, triangle)) return ascent;
  polygon = widened;
  return triangle;
}

}  // namespace

GeometryTable<Owned<2, float>> rounded_polygons(
    const GeometryTable<Borrowed<2, double>>& polygons) {
  if (auto finding = wrong_polygon_layout(polygons)) throw Error(*std::move(finding));
  GeometryTable<Owned<2, float>> result;
  if (!polygons.offsets.empty()) result.offsets.push_back({0});
  for (std::size_t g = 0; g + 1 < polygons.offsets.size(); ++g) {
    const auto begin = static_cast<std::size_t>(polygons.offsets(g));
    const auto end = static_cast<std::size_t>(polygons.offsets(g + 1));
    RoundedPolygon polygon;
    polygon.exact = points_of<double, 2>(polygons.vertices, begin, end);
    if (const auto refusal = refuse_numbers(polygon.exact)) {
      throw refused_geometry<2>(*refusal, g, begin);
    }
    for (std::size_t row = begin; row < end; ++row) {
      const Point& point = polygon.exact[row - begin];
      const Point rounded{static_cast<double>(static_cast<float>(point[0])),
                          static_cast<double>(static_cast<float>(point[1]))};
      for (const int axis : {0, 1}) {
        if (std::isfinite(rounded[axis])) continue;
        throw Error(Finding{
            "polygons.vertices", static_cast<std::int64_t>(row),
            "is " + number(point[axis]) + " in geometry " + number(g) + ", which is beyond float"});
      }
      polygon.rounded.push_back(rounded);
      if (!polygons.inner.empty()) polygon.inner.push_back(polygons.inner(row));
    }
    std::vector<std::size_t> rows;
    if (polygon.exact.size() >= kFewestPolygonVertices) rows = rows_that_stay(polygon);
    const std::size_t first = result.vertices.size();
    append_geometry(result, polygon.rounded, rows);
    if (polygons.inner.empty()) continue;
    result.inner.resize(first);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::size_t to = rows[i + 1 == rows.size() ? 0 : i + 1];
      result.inner.push_back({polygon.inner_between(rows[i], to)});
    }
  }
  return result;
}

template <class T>
std::int32_t add_polygon(GeometryTable<Owned<2, T>>& polygons,
                         const std::type_identity_t<ColumnSpan<T, 2>>& points) {
  return add_points(polygons, points);
}

template <class T>
std::int32_t add_box_polygon(GeometryTable<Owned<2, T>>& polygons, std::type_identity_t<T> half_x,
                             std::type_identity_t<T> half_y) {
  expect_length("half_x", half_x);
  expect_length("half_y", half_y);
  const Column<T, 2> corners{
      {-half_x, -half_y}, {half_x, -half_y}, {half_x, half_y}, {-half_x, half_y}};
  return add_points(polygons, corners.span());
}

template <class T>
std::int32_t add_regular_polygon(GeometryTable<Owned<2, T>>& polygons, int count,
                                 std::type_identity_t<T> circumradius) {
  expect_count("count", count, kFewestPolygonVertices, kMostPolygonVertices);
  expect_length("circumradius", circumradius);
  const auto radius = static_cast<double>(circumradius);
  Column<T, 2> points;
  for (int i = 0; i < count; ++i) {
    const Turn2<double> turn = turn_of_part(i, count);
    points.push_back({static_cast<T>(radius * turn.cosine), static_cast<T>(radius * turn.sine)});
  }
  return add_points(polygons, points.span());
}

template <class T>
std::int32_t add_capsule_polygon(GeometryTable<Owned<2, T>>& polygons,
                                 std::type_identity_t<T> half_length,
                                 std::type_identity_t<T> radius, int arc_segments) {
  expect_length("half_length", half_length, true);
  expect_length("radius", radius);
  expect_count("arc_segments", arc_segments, half_length == 0 ? 2 : 1,
               kMostPolygonVertices / 2 - 1);
  Column<T, 2> points;
  for (const int side : {1, -1}) {
    for (int i = 0; i <= arc_segments; ++i) {
      // From three quarters of the circle to one quarter, through +x; the other cap is opposite.
      const Turn2<double> turn = turn_of_part(3 * arc_segments + 2 * i, 4 * arc_segments);
      const double x = static_cast<double>(half_length) + static_cast<double>(radius) * turn.cosine;
      const double y = static_cast<double>(radius) * turn.sine;
      points.push_back({static_cast<T>(side * x), static_cast<T>(side * y)});
    }
  }
  return add_points(polygons, points.span());
}

template <class T>
void make_convex(GeometryTable<Owned<2, T>>& polygons) {
  build_hulls(polygons, nullptr);
}

template <class T>
void make_convex(GeometryTable<Owned<2, T>>& polygons, std::vector<Finding>& refused) {
  refused.clear();
  build_hulls(polygons, &refused);
}

template <template <int, class> class Storage, class T>
PolygonProperties<T> properties(const GeometryTable<Storage<2, T>>& polygons, std::int32_t index) {
  std::vector<Point> points = vertices_of(polygons, index);
  const Point origin = points.at(0);
  for (Point& point : points) point = difference(point, origin);
  // A fan of triangles from the first vertex.
  double area = 0;
  Point centroid{};
  for (std::size_t i = 1; i + 1 < points.size(); ++i) {
    const double twice = cross(points[i], points[i + 1]);
    area += twice / 2;
    for (int k = 0; k < 2; ++k) centroid[k] += twice / 6 * (points[i][k] + points[i + 1][k]);
  }
  for (double& value : centroid) value /= area;
  // A fan from the centroid: all its terms are positive, where the parallel axis theorem would
  // subtract.
  double second_moment = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Point a = difference(points[i], centroid);
    const Point b = difference(points[i + 1 == points.size() ? 0 : i + 1], centroid);
    second_moment += cross(a, b) / 12 * (dot(a, a) + dot(a, b) + dot(b, b));
  }
  return {static_cast<T>(area),
          {static_cast<T>(origin[0] + centroid[0]), static_cast<T>(origin[1] + centroid[1])},
          static_cast<T>(second_moment)};
}

template <class Storage>
Column<typename Storage::Real, 2> edge_normals(const GeometryTable<Storage>& polygons,
                                               std::int32_t index) {
  using T = typename Storage::Real;
  const std::vector<Point> points = vertices_of(polygons, index);
  Column<T, 2> normals;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Point normal = edge_normal(points[i], points[i + 1 == points.size() ? 0 : i + 1]);
    normals.push_back({static_cast<T>(normal[0]), static_cast<T>(normal[1])});
  }
  return normals;
}

// NOLINTBEGIN(bugprone-macro-parentheses)
#define WIDEPHASE_INSTANTIATE(T)                                                                \
  template std::int32_t add_polygon(GeometryTable<Owned<2, T>>&, const ColumnSpan<T, 2>&);      \
  template std::int32_t add_box_polygon(GeometryTable<Owned<2, T>>&, T, T);                     \
  template std::int32_t add_regular_polygon(GeometryTable<Owned<2, T>>&, int, T);               \
  template std::int32_t add_capsule_polygon(GeometryTable<Owned<2, T>>&, T, T, int);            \
  template void make_convex(GeometryTable<Owned<2, T>>&);                                       \
  template void make_convex(GeometryTable<Owned<2, T>>&, std::vector<Finding>&);                \
  template PolygonProperties<T> properties(const GeometryTable<Owned<2, T>>&, std::int32_t);    \
  template PolygonProperties<T> properties(const GeometryTable<Borrowed<2, T>>&, std::int32_t); \
  template Column<T, 2> edge_normals(const GeometryTable<Owned<2, T>>&, std::int32_t);          \
  template Column<T, 2> edge_normals(const GeometryTable<Borrowed<2, T>>&, std::int32_t);
WIDEPHASE_FOR_EACH_REAL(WIDEPHASE_INSTANTIATE)
// NOLINTEND(bugprone-macro-parentheses)

}  // namespace widephase
