#pragma once

// Shapes as plain numbers, the way a test states them.

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

/// x, y, z, w; as stored, which is near unit length.
using Quaternion = Tuple<4, double>;

/// One shape. The fields mean what the kind's columns mean, in their order: centre and radius, a
/// and b and radius, min and max, centre and angle or orientation and half extents and radius,
/// centre and angle or orientation and vertices and radius, centre and orientation and half height
/// and radius, normal and offset.
template <int D>
struct Solid {
  Kind kind = Kind::sphere;
  Point<D> p{};      ///< centre, a, min, normal
  Point<D> q{};      ///< b, max, half extents; of a cylinder 0, 0, half height
  double size = 0;   ///< radius, offset
  double angle = 0;  ///< of a box or polygon, 2D
  /// In the shape's own frame: of a polygon, strictly convex and counter-clockwise; of a hull.
  std::vector<Point<D>> vertices{};
  Quaternion orientation{0, 0, 0, 1};  ///< of a box, hull or cylinder, 3D
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
                         double radius) {
  return {Kind::cylinder, center, {0, 0, half_height}, radius, 0, {}, orientation};
}
template <int D>
Solid<D> halfspace(Point<D> normal, double offset) {
  return {Kind::halfspace, normal, {}, offset};
}

template <int D>
std::string describe(const Solid<D>& solid) {
  std::ostringstream text;
  text.precision(17);
  const auto write = [&](const char* name, const auto& values) {
    text << ' ' << name << " (";
    for (const double& value : values) text << (&value == values.begin() ? "" : ", ") << value;
    text << ')';
  };
  text << kind_name(solid.kind, D);
  switch (solid.kind) {
    case Kind::capsule:
      write("a", solid.p);
      write("b", solid.q);
      text << " radius " << solid.size;
      break;
    case Kind::aabb:
      write("min", solid.p);
      write("max", solid.q);
      break;
    case Kind::box:
      write("center", solid.p);
      if (D == 2) text << " angle " << solid.angle;
      if (D == 3) write("orientation", solid.orientation);
      write("half extents", solid.q);
      text << " radius " << solid.size;
      break;
    case Kind::polygon:
    case Kind::hull:
      write("center", solid.p);
      if (D == 2) text << " angle " << solid.angle;
      if (D == 3) write("orientation", solid.orientation);
      text << " vertices {";
      for (const Point<D>& vertex : solid.vertices) {
        for (int k = 0; k < D; ++k) text << (k == 0 ? "{" : ", ") << vertex[k];
        text << "}, ";
      }
      text << "} radius " << solid.size;
      break;
    case Kind::cylinder:
      write("center", solid.p);
      write("orientation", solid.orientation);
      text << " half height " << solid.q[D - 1] << " radius " << solid.size;
      break;
    case Kind::halfspace:
      write("normal", solid.p);
      text << " offset " << solid.size;
      break;
    default:
      write("center", solid.p);
      text << " radius " << solid.size;
  }
  return text.str();
}

/// The corners of the points' convex hull, counter-clockwise, none of them on the line through its
/// neighbours; begins with the first such point. Source: Andrew 1979 (monotone chain).
inline std::vector<Point<2>> strictly_convex(const std::vector<Point<2>>& points) {
  const auto is_before = [](const Point<2>& u, const Point<2>& v) {
    return u[0] != v[0] ? u[0] < v[0] : u[1] < v[1];
  };
  const auto turns_left = [](const Point<2>& u, const Point<2>& v, const Point<2>& w) {
    using Real = long double;
    return (Real{v[0]} - u[0]) * (Real{w[1]} - v[1]) > (Real{v[1]} - u[1]) * (Real{w[0]} - v[0]);
  };
  std::vector<Point<2>> sorted = points;
  std::sort(sorted.begin(), sorted.end(), is_before);
  std::vector<Point<2>> hull;
  for (const bool is_upper : {false, true}) {
    const std::size_t begin = hull.size();
    for (const Point<2>& point : sorted) {
      while (hull.size() >= begin + 2 && !turns_left(hull[hull.size() - 2], hull.back(), point)) {
        hull.pop_back();
      }
      hull.push_back(point);
    }
    // The last point of a chain is the first of the other.
    if (!hull.empty()) hull.pop_back();
    if (!is_upper) std::reverse(sorted.begin(), sorted.end());
  }
  for (const Point<2>& point : points) {
    const auto first = std::find_if(hull.begin(), hull.end(), [&](const Point<2>& v) {
      return v[0] == point[0] && v[1] == point[1];
    });
    if (first == hull.end()) continue;
    std::rotate(hull.begin(), first, hull.end());
    break;
  }
  return hull;
}

/// The rows of a column of points.
template <class T, int D>
Column<T, D> points_column(const std::vector<Point<D>>& points) {
  Column<T, D> column;
  for (const Point<D>& point : points) {
    std::array<T, D> row;
    for (int k = 0; k < D; ++k) row[static_cast<std::size_t>(k)] = static_cast<T>(point[k]);
    column.push_back(row);
  }
  return column;
}

/// What a scene's geometry keeps of `points`, in their order; a hull that is one keeps all.
template <class T>
std::vector<Point<3>> hull_vertices(const std::vector<Point<3>>& points) {
  GeometryTable<Owned<3, T>> table;
  const Column<T, 3> column = points_column<T>(points);
  add_hull(table, column.span());
  std::vector<Point<3>> vertices;
  for (std::size_t i = 0; i < table.vertices.size(); ++i) {
    vertices.push_back({static_cast<double>(table.vertices(i, 0)),
                        static_cast<double>(table.vertices(i, 1)),
                        static_cast<double>(table.vertices(i, 2))});
  }
  return vertices;
}

/// The shape after its numbers were stored as `T`. A polygon or hull loses the vertices that are
/// then no corners.
template <class T, int D>
Solid<D> stored(Solid<D> solid) {
  // Through memory: g++ 12.2 at -O2 drops the rounding of some elements when it vectorizes
  // double -> float -> double over a struct's arrays.
  const auto round = [](double& value) {
    const volatile SizeOf<T> narrow = static_cast<SizeOf<T>>(value);
    value = static_cast<double>(narrow);
  };
  const auto round_if = [&](bool is_size, double& value) {
    if (is_size || !is_mixed<T>) round(value);
  };
  const bool is_plane = solid.kind == Kind::halfspace;
  const bool has_two_points = solid.kind == Kind::capsule || solid.kind == Kind::aabb;
  for (double& value : solid.p) round_if(is_plane, value);
  for (double& value : solid.q) round_if(!has_two_points, value);
  round_if(!is_plane, solid.size);
  round(solid.angle);
  for (double& value : solid.orientation) round(value);
  for (Point<D>& vertex : solid.vertices) {
    for (double& value : vertex) round(value);
  }
  if constexpr (D == 2) {
    if (solid.kind == Kind::polygon) solid.vertices = strictly_convex(solid.vertices);
  } else {
    if (solid.kind == Kind::hull) solid.vertices = hull_vertices<SizeOf<T>>(solid.vertices);
  }
  return solid;
}

/// The shape moved by `offset`.
template <int D>
Solid<D> moved(Solid<D> solid, const Point<D>& offset) {
  for (int k = 0; k < D; ++k) {
    if (solid.kind == Kind::halfspace) {
      solid.size += solid.p[k] * offset[k];
    } else {
      solid.p[k] += offset[k];
      if (solid.kind == Kind::capsule || solid.kind == Kind::aabb) solid.q[k] += offset[k];
    }
  }
  return solid;
}

}  // namespace widephase::test
