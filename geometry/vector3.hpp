#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace widephase {

struct Point3 {
  double x = 0;
  double y = 0;
  double z = 0;
  friend bool operator==(const Point3&, const Point3&) = default;
};

inline Point3 point_of(const std::array<double, 3>& coordinates) {
  return {coordinates[0], coordinates[1], coordinates[2]};
}

inline Point3 sum(Point3 a, Point3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Point3 difference(Point3 a, Point3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Point3 times(double factor, Point3 a) { return {factor * a.x, factor * a.y, factor * a.z}; }
inline double dot(Point3 a, Point3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Point3 cross(Point3 a, Point3 b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline double length(Point3 a) { return std::sqrt(dot(a, a)); }

/// The longest side of the bounds of some points, given by rows; 0 for none.
inline double extent_of(const std::vector<Point3>& points, const std::vector<std::int32_t>& rows) {
  if (rows.empty()) return 0;
  Point3 low = points[static_cast<std::size_t>(rows[0])];
  Point3 high = low;
  for (const std::int32_t row : rows) {
    const Point3& p = points[static_cast<std::size_t>(row)];
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  return std::max({high.x - low.x, high.y - low.y, high.z - low.z});
}

}  // namespace widephase
