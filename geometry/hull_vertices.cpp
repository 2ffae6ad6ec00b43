#include "geometry/hull_vertices.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "geometry/long_vector.hpp"
#include "geometry/orientation3.hpp"

namespace widephase {

namespace {

double distance_to_segment(Point3 p, Point3 a, Point3 b) {
  const Point3 edge = difference(b, a);
  const Point3 from_a = difference(p, a);
  const Point3 from_b = difference(p, b);
  const double along = dot(from_a, edge);
  const double square = dot(edge, edge);
  if (!(along > 0) || square == 0) return length(from_a);
  if (along >= square) return length(from_b);
  // From the nearer end, where rounding is least.
  const Point3 from = 2 * along < square ? from_a : from_b;
  return length(cross(from, edge)) / std::sqrt(square);
}

/// The corners of the triangles around a vertex, counter-clockwise.
void find_link(const TriangleMesh& mesh, std::int32_t half_edge_from_it,
               std::vector<std::int32_t>& link) {
  link.clear();
  std::int32_t h = half_edge_from_it;
  do {
    link.push_back(mesh.origin[static_cast<std::size_t>(TriangleMesh::next(h))]);
    h = mesh.twin[static_cast<std::size_t>(TriangleMesh::previous(h))];
  } while (h != half_edge_from_it);
}

/// Whether all points are within `tolerance` of the line through the first and the one farthest
/// from it.
bool is_line(const std::vector<Point3>& points, double tolerance) {
  const Point3 a = points[0];
  Point3 b = a;
  for (const Point3& p : points) {
    if (length(difference(p, a)) > length(difference(b, a))) b = p;
  }
  const Point3 ab = difference(b, a);
  const double size = length(ab);
  return std::all_of(points.begin(), points.end(), [&](const Point3& p) {
    const Point3 from_a = difference(p, a);
    const Point3 from_b = difference(p, b);
    const Point3 from = dot(from_a, from_a) < dot(from_b, from_b) ? from_a : from_b;
    return length(cross(ab, from)) <= tolerance * size;
  });
}

/// Whether all neighbours of a vertex are more than `least` below it along the sum of the normals
/// of the triangles around it. None is above any of these, and each is below some.
bool is_above_neighbours(Point3 top, const std::vector<Point3>& around, double least) {
  Point3 way;
  Point3 before = difference(around.back(), top);
  for (const Point3& p : around) {
    const Point3 edge = difference(p, top);
    const Point3 normal = cross(before, edge);
    const double size = length(normal);
    if (size > 0) way = sum(way, times(1 / size, normal));
    before = edge;
  }
  const double height = least * length(way);
  return std::all_of(around.begin(), around.end(),
                     [&](Point3 p) { return dot(way, difference(top, p)) > height; });
}

/// How far a vertex of a hull is from the hull of the others. Its neighbours are given in their
/// order around it.
double height_of_vertex(Point3 top, const std::vector<Point3>& around) {
  // Behind the vertex lies the hull of its neighbours, as far as it sees it. If they are in one
  // plane, they are a convex polygon in their order around the vertex.
  std::vector<std::int32_t> order(around.size());
  std::iota(order.begin(), order.end(), 0);
  TriangleMesh under;
  double least = std::numeric_limits<double>::infinity();
  if (!find_triangle_hull(around, order, under)) {
    for (std::size_t i = 2; i < around.size(); ++i) {
      least = std::min(least, distance_to_triangle(top, around[0], around[i - 1], around[i]));
    }
    return least;
  }
  for (std::size_t t = 0; t < under.origin.size(); t += 3) {
    const auto corner = [&](std::size_t i) {
      return around[static_cast<std::size_t>(under.origin[t + i])];
    };
    if (orientation(corner(0), corner(1), corner(2), top) <= 0) continue;
    least = std::min(least, distance_to_triangle(top, corner(0), corner(1), corner(2)));
  }
  return least;
}

/// Whether all vertices are within the tolerance of the plane of one of the triangles.
bool is_flat(const std::vector<Point3>& points, const HullVertices& hull) {
  std::vector<std::int32_t> corners(3);
  for (std::size_t t = 0; t < hull.mesh.origin.size(); t += 3) {
    std::copy_n(hull.mesh.origin.begin() + static_cast<std::ptrdiff_t>(t), 3, corners.begin());
    const Point3 normal = normal_of(points, corners);
    const Point3 a = points[static_cast<std::size_t>(corners[0])];
    if (std::all_of(hull.vertices.begin(), hull.vertices.end(), [&](std::int32_t v) {
          return dot(normal, difference(a, points[static_cast<std::size_t>(v)])) <= hull.tolerance;
        })) {
      return true;
    }
  }
  return false;
}

}  // namespace

HullPoints hull_points(const std::vector<std::array<double, 3>>& given) {
  HullPoints to;
  double largest = 0;
  for (const auto& point : given) {
    for (const double value : point) largest = std::max(largest, std::abs(value));
  }
  std::frexp(largest, &to.exponent);
  std::vector<std::array<double, 3>> scaled(given.size());
  for (std::size_t row = 0; row < given.size(); ++row) {
    for (std::size_t k = 0; k < 3; ++k) {
      const double value = std::ldexp(given[row][k], -to.exponent);
      scaled[row][k] = std::abs(value) < kLeastCoordinate ? 0 : value;
    }
  }
  std::vector<std::size_t> rows(given.size());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  std::sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
    return scaled[a] != scaled[b] ? scaled[a] < scaled[b] : a < b;
  });
  for (const std::size_t row : rows) {
    if (!to.rows.empty() && scaled[row] == scaled[to.rows.back()]) continue;
    to.rows.push_back(row);
    to.points.push_back(point_of(scaled[row]));
  }
  return to;
}

Point3 normal_of(const std::vector<Point3>& points, const std::vector<std::int32_t>& corners) {
  const auto corner = [&](std::size_t i) { return points[static_cast<std::size_t>(corners[i])]; };
  LongVector total;
  double square = 0;
  LongVector left = long_difference(corner(1), corner(0));
  for (std::size_t i = 2; i < corners.size(); ++i) {
    const LongVector right = long_difference(corner(i), corner(0));
    add_cross(left, right, total);
    square = std::max(square, size_of(left) * size_of(right));
    left = right;
  }
  return unit_of(total, square);
}

double distance_to_triangle(Point3 p, Point3 a, Point3 b, Point3 c) {
  LongVector total;
  const LongVector ab = long_difference(b, a), ac = long_difference(c, a);
  add_cross(ab, ac, total);
  const Point3 normal = unit_of(total, size_of(ab) * size_of(ac));
  // Twice the area of the triangle of p's projection and an edge. If it were rounded to a double
  // first, points far beyond the ends of a sliver would count as inside.
  const auto is_left = [&](Point3 from, Point3 to) {
    LongVector area;
    add_cross(long_difference(from, p), long_difference(to, p), area);
    return dot(normal, {area.x.high, area.y.high, area.z.high}) >= 0;
  };
  const bool has_normal = normal != Point3{};
  if (has_normal && is_left(a, b) && is_left(b, c) && is_left(c, a)) {
    return std::abs(dot(normal, difference(p, a)));
  }
  return std::min(
      {distance_to_segment(p, a, b), distance_to_segment(p, b, c), distance_to_segment(p, c, a)});
}

Flatness find_hull_vertices(const std::vector<Point3>& points, double tolerance,
                            HullVertices& hull) {
  hull.is_whole = true;
  hull.vertices.resize(points.size());
  std::iota(hull.vertices.begin(), hull.vertices.end(), 0);
  if (is_line(points, tolerance * extent_of(points, hull.vertices))) return Flatness::line;
  enum class Mark : std::uint8_t { none, beside, dropped };
  std::vector<Mark> marks(points.size());
  std::vector<std::pair<double, std::int32_t>> flat;
  std::vector<std::int32_t> link;
  std::vector<Point3> around;
  for (;;) {
    if (!find_triangle_hull(points, hull.vertices, hull.mesh)) return Flatness::plane;
    hull.vertices = vertices_of(hull.mesh);
    hull.tolerance = tolerance * extent_of(points, hull.vertices);
    if (is_flat(points, hull)) return Flatness::plane;
    const std::vector<std::int32_t> first = half_edges_from(hull.mesh, points.size());
    flat.clear();
    const double extent = extent_of(points, hull.vertices);
    // Most vertices are so far from the hull of the others that no rounding brings them near it.
    const double surely = 16 * tolerance * extent + 0x1p-20 * extent;
    for (const std::int32_t v : hull.vertices) {
      find_link(hull.mesh, first[static_cast<std::size_t>(v)], link);
      around.clear();
      for (const std::int32_t p : link) around.push_back(points[static_cast<std::size_t>(p)]);
      const Point3 top = points[static_cast<std::size_t>(v)];
      if (is_above_neighbours(top, around, surely)) continue;
      const double height = height_of_vertex(top, around);
      if (height <= hull.tolerance) flat.emplace_back(height, v);
    }
    if (flat.empty()) return Flatness::none;
    hull.is_whole = false;
    std::sort(flat.begin(), flat.end());
    std::fill(marks.begin(), marks.end(), Mark::none);
    const auto mark = [&](std::int32_t v) -> Mark& { return marks[static_cast<std::size_t>(v)]; };
    for (const auto& [height, v] : flat) {
      if (mark(v) != Mark::none) continue;
      mark(v) = Mark::dropped;
      find_link(hull.mesh, first[static_cast<std::size_t>(v)], link);
      for (const std::int32_t near : link) mark(near) = Mark::beside;
    }
    std::erase_if(hull.vertices, [&](std::int32_t v) { return mark(v) == Mark::dropped; });
  }
}

}  // namespace widephase
