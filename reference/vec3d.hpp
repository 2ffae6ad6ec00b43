#pragma once

// Vectors in plain double, for what runs very often.

#include <array>
#include <cmath>

namespace widephase::test {

struct Vec3d {
  double x = 0, y = 0, z = 0;

  friend Vec3d operator+(Vec3d u, Vec3d v) { return {u.x + v.x, u.y + v.y, u.z + v.z}; }
  friend Vec3d operator-(Vec3d u, Vec3d v) { return {u.x - v.x, u.y - v.y, u.z - v.z}; }
  friend Vec3d operator-(Vec3d u) { return {-u.x, -u.y, -u.z}; }
  friend Vec3d operator*(double s, Vec3d u) { return {s * u.x, s * u.y, s * u.z}; }
};
inline double dot(Vec3d u, Vec3d v) { return u.x * v.x + u.y * v.y + u.z * v.z; }
inline double length(Vec3d u) { return std::sqrt(dot(u, u)); }
inline Vec3d cross(Vec3d u, Vec3d v) {
  return {u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
}

}  // namespace widephase::test
