#pragma once

// Shapes as plain numbers, the way that tests state them.

#include <algorithm>
#include <array>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <widephase/hulls.hpp>
#include <widephase/widephase.hpp>

namespace widephase::test {

template <int D, class R>
struct Tuple {
  R values[D];
  R& operator[](int k) { return values[k]; }
  const R& operator[](int k) const { return values[k]; }
  R* begin() { return values; }
  R* end() { return values + D; }
  const R* begin() const { return values; }
  const R* end() const { return values + D; }
};

template <int D>
using Point = Tuple<D, double>;

/// x, y, z, w as stored, which is only near unit length.
using Quaternion = Tuple<4, double>;

/// Whether a kind has an orientation in 3D.
constexpr bool has_orientation(Kind kind) {
  return kind == Kind::box || kind == Kind::hull || kind == Kind::cylinder ||
         kind == Kind::ellipsoid || kind == Kind::cone;
}

/// Whether cores of a kind have a curved surface.
constexpr bool is_round(Kind kind) {
  return kind == Kind::cylinder || kind == Kind::ellipsoid || kind == Kind::cone;
}

/// Whether pairs with a kind are searched by support points.
constexpr bool is_searched(Kind kind) { return kind == Kind::ellipsoid || kind == Kind::cone; }

/// Whether cores of a kind are points or segments, which have no interior.
constexpr bool is_thin(Kind kind) { return kind == Kind::sphere || kind == Kind::capsule; }

/// One shape. The fields mean what the kind's columns mean, in their order: centre and radius, a
/// and b and radius, min and max, centre and angle or orientation and half extents and radius,
/// centre and angle or orientation and vertices and radius, centre and orientation and half height
/// and radius (cylinder, cone) or half extents (ellipsoid) and rounding, normal and offset.
template <int D>
struct Solid {
  Kind kind = Kind::sphere;
  Point<D> p{};      ///< centre, a, min, normal
  Point<D> q{};      ///< b, max, half extents; for a cylinder or cone 0, 0, half height
  double size = 0;   ///< radius, offset
  double angle = 0;  ///< of a box or polygon in 2D
  /// In the shape's own frame. A polygon's are strictly convex and counter-clockwise.
  std::vector<Point<D>> vertices{};
  Quaternion orientation{0, 0, 0, 1};  ///< in 3D, of the kinds that have one
  double rounding = 0;                 ///< of a cylinder, ellipsoid or cone
};

template <int D>
Solid<D> ball(Point<D> center, double radius) {
  return {Kind::sphere, center, {}, radius};
}
template <int D>
Solid<D> capsule(Point<D> a, Point<D> b, double radius) {
  return {Kind::capsule, a, b, radius};
}
template <int D>
Solid<D> aabb(Point<D> min, Point<D> max) {
  return {Kind::aabb, min, max, 0};
}
inline Solid<2> box(Point<2> center, double angle, Point<2> half_extents, double radius = 0) {
  return {Kind::box, center, half_extents, radius, angle};
}
inline Solid<3> box(Point<3> center, Quaternion orientation, Point<3> half_extents,
                    double radius = 0) {
  return {Kind::box, center, half_extents, radius, 0, {}, orientation};
}
inline Solid<2> polygon(Point<2> center, double angle, std::vector<Point<2>> vertices,
                        double radius = 0) {
  return {Kind::polygon, center, {}, radius, angle, std::move(vertices)};
}
inline Solid<3> hull(Point<3> center, Quaternion orientation, std::vector<Point<3>> vertices,
                     double radius = 0) {
  return {Kind::hull, center, {}, radius, 0, std::move(vertices), orientation};
}
inline Solid<3> cylinder(Point<3> center, Quaternion orientation, double half_height,
                         double radius, double rounding = 0) {
  return {Kind::cylinder, center, {0, 0, half_height}, radius, 0, {}, orientation, rounding};
}
inline Solid<3> ellipsoid(Point<3> center, Quaternion orientation, Point<3> half_extents,
                          double rounding = 0) {
  return {Kind::ellipsoid, center, half_extents, 0, 0, {}, orientation, rounding};
}
inline Solid<3> cone(Point<3> center, Quaternion orientation, double half_height, double radius,
                     double rounding = 0) {
  return {Kind::cone, center, {0, 0, half_height}, radius, 0, {}, orientation, rounding};
}
template <int D>
Solid<D> halfspace(Point<D> normal, double offset) {
  return {Kind::halfspace, normal, {}, offset};
}

template <int D>
std::string describe(const Solid<D>& solid);

/// The corners of the points' convex hull, counter-clockwise, without points on a line between two
/// neighbours. Starts with the first of `points` that is a corner. Source: Andrew 1979 (monotone
/// chain).
std::vector<Point<2>> strictly_convex(const std::vector<Point<2>>& points);

/// A column with these points as rows.
template <class T, int D>
Column<T, D> points_column(const std::vector<Point<D>>& points);

/// The vertices that a scene's geometry keeps of `points`, in their order; all, if every point is a
/// vertex.
template <class T>
std::vector<Point<3>> hull_vertices(const std::vector<Point<3>>& points);

/// The shape with its numbers rounded to `T`. A polygon or hull loses points that are then not
/// vertices.
template <class T, int D>
Solid<D> stored(Solid<D> solid);

/// The shape translated by `offset`.
template <int D>
Solid<D> moved(Solid<D> solid, const Point<D>& offset);

}  // namespace widephase::test
