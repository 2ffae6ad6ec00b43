#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "geometry/triangle_hull.hpp"

namespace widephase {

/// Scaled coordinates below this count as 0.
inline constexpr double kLeastCoordinate = 1e-75;

/// A point set as the makers of hulls read it: scaled by a power of two to coordinates of about 1
/// at most, so that orientation3.hpp holds; sorted by x, y and z
/// without repeats, so that the order of the rows changes nothing.
struct HullPoints {
  std::vector<Point3> points;
  std::vector<std::size_t> rows;  ///< the first row of each
  int exponent = 0;               ///< the points are 2^exponent times these
};

/// Reads finite numbers.
HullPoints hull_points(const std::vector<std::array<double, 3>>& given);

/// What a point set may lack.
enum class Flatness { none, line, plane };

/// The vertices of a hull, ascending, and its surface as triangles.
struct HullVertices {
  std::vector<std::int32_t> vertices;
  TriangleMesh mesh;
  double tolerance = 0;  ///< as a length
};

/// Finds the vertices that are farther than `tolerance`, times the extent of the vertices, from the
/// hull of the others. Of those nearer, the flattest goes first; of two neighbours at most one goes
/// in a pass, so that many of them are thinned out evenly. Says why when there are none: all points
/// are within the tolerance of a line, or, in some pass, of the plane of one of the triangles.
Flatness find_hull_vertices(const std::vector<Point3>& points, double tolerance,
                            HullVertices& hull);

/// The distance of a point from a triangle. 0 is never missed by more than roundings of the
/// distances between the points.
double distance_to_triangle(Point3 p, Point3 a, Point3 b, Point3 c);

/// The unit normal of a polygon as the sum of its triangles' from the first corner, each twice as
/// long as a double: as accurate for slivers as for others. All 0 where there is no area beyond
/// these digits.
Point3 normal_of(const std::vector<Point3>& points, const std::vector<std::int32_t>& corners);

}  // namespace widephase
