#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "geometry/triangle_hull.hpp"

namespace widephase {

/// Scaled coordinates below this count as 0.
inline constexpr double kLeastCoordinate = 1e-75;

/// A point set as the makers of hulls read it. It is scaled by a power of two to coordinates of at
/// most about 1, so that orientation3.hpp holds. It is sorted by x, y and z without repeats, so
/// that the order of the rows changes nothing.
struct HullPoints {
  std::vector<Point3> points;
  std::vector<std::size_t> rows;  ///< the first row of each
  int exponent = 0;               ///< the points are 2^exponent times these
};

/// Reads finite numbers.
HullPoints hull_points(const std::vector<std::array<double, 3>>& given);

/// What a point set may be instead of a solid.
enum class Flatness { none, line, plane };

/// The vertices of a hull, ascending, and its surface as triangles.
struct HullVertices {
  std::vector<std::int32_t> vertices;
  TriangleMesh mesh;
  double tolerance = 0;  ///< as a length
  bool is_whole = true;  ///< none was dropped: it is the hull of all points
};

/// Finds the vertices that are farther than `tolerance`, times the extent of the vertices, from the
/// hull of the others. Of those nearer, the flattest is dropped first. At most one of two
/// neighbours is dropped in a pass, so that many of them are thinned out evenly. Gives the reason
/// if there are none: all points are within the tolerance of a line, or, in some pass, of the plane
/// of one of the triangles.
Flatness find_hull_vertices(const std::vector<Point3>& points, double tolerance,
                            HullVertices& hull);

/// The distance of a point from a triangle. A distance of 0 is exact up to roundings of the
/// distances between the points.
double distance_to_triangle(Point3 p, Point3 a, Point3 b, Point3 c);

/// The unit normal of a polygon: the sum of its triangles' from the first corner, in twice the
/// digits of a double. So it is as accurate for slivers as for others. All 0 if no area remains
/// beyond these digits.
Point3 normal_of(const std::vector<Point3>& points, const std::vector<std::int32_t>& corners);

}  // namespace widephase
