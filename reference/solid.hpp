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

/// What tests ask of a kind.
struct SolidTraits {
  bool is_thin = false;          ///< its cores are points or segments, which have no interior
  bool is_round = false;         ///< its cores have a curved surface
  bool has_orientation = false;  ///< in 3D
  bool has_rim = false;          ///< its faces have sixteen points of their rims for corners
  bool has_one_point = false;    ///< it has neither edges nor faces: a contact is one point
  bool is_searched = false;      ///< its pairs are searched by support points
};

constexpr SolidTraits solid_traits(Kind kind) {
  switch (kind) {
    case Kind::sphere:
      return {.is_thin = true, .has_one_point = true};
    case Kind::capsule:
      return {.is_thin = true};
    case Kind::aabb:
    case Kind::polygon:
    case Kind::halfspace:
    case Kind::heightfield:
    case Kind::mesh:  // no solid: tests/support has its own judge
    case Kind::chain:
      return {};
    case Kind::box:
    case Kind::hull:
      return {.has_orientation = true};
    case Kind::cylinder:
      return {.is_round = true, .has_orientation = true, .has_rim = true};
    case Kind::ellipsoid:
      return {
          .is_round = true, .has_orientation = true, .has_one_point = true, .is_searched = true};
    case Kind::cone:
      return {.is_round = true, .has_orientation = true, .has_rim = true, .is_searched = true};
  }
  return {};
}
constexpr bool is_thin(Kind kind) { return solid_traits(kind).is_thin; }
constexpr bool is_round(Kind kind) { return solid_traits(kind).is_round; }
constexpr bool has_orientation(Kind kind) { return solid_traits(kind).has_orientation; }
constexpr bool has_rim(Kind kind) { return solid_traits(kind).has_rim; }
constexpr bool has_one_point(Kind kind) { return solid_traits(kind).has_one_point; }
constexpr bool is_searched(Kind kind) { return solid_traits(kind).is_searched; }

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
inline Solid<3> cylinder(Point<3> center, Quaternion orientation, double half_height, double radius,
                         double rounding = 0) {
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
