#pragma once

// Shapes as plain numbers, the way a test states them, and scenes made of them.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <widephase/widephase.hpp>

#include "support/scaled.hpp"

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
/// centre and angle and vertices and radius, normal and offset.
template <int D>
struct Solid {
  Kind kind = Kind::sphere;
  Point<D> p{};      ///< centre, a, min, normal
  Point<D> q{};      ///< b, max, half extents
  double size = 0;   ///< radius, offset
  double angle = 0;  ///< of a box or polygon, 2D
  /// Of a polygon, in its own frame; strictly convex, counter-clockwise.
  std::vector<Point<2>> vertices{};
  Quaternion orientation{0, 0, 0, 1};  ///< of a box, 3D
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
      write("center", solid.p);
      text << " angle " << solid.angle << " vertices {";
      for (const Point<2>& v : solid.vertices) text << '{' << v[0] << ", " << v[1] << "}, ";
      text << "} radius " << solid.size;
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

/// The shape after its numbers were stored as `T`. A polygon loses the vertices that are then no
/// corners.
template <class T, int D>
Solid<D> stored(Solid<D> solid) {
  // Through memory: g++ 12.2 at -O2 drops the rounding of some elements when it vectorizes
  // double -> float -> double over a struct's arrays.
  const auto round = [](double& value) {
    const volatile T narrow = static_cast<T>(value);
    value = static_cast<double>(narrow);
  };
  for (double& value : solid.p) round(value);
  for (double& value : solid.q) round(value);
  round(solid.size);
  round(solid.angle);
  for (double& value : solid.orientation) round(value);
  if (solid.kind == Kind::polygon) {
    for (Point<2>& vertex : solid.vertices) {
      for (double& value : vertex) round(value);
    }
    solid.vertices = strictly_convex(solid.vertices);
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

/// Kinds that have kernels; the halfspace comes last.
inline std::span<const Kind> kinds(int dimension) {
  static constexpr std::array<Kind, 6> kKinds2{Kind::circle, Kind::capsule, Kind::aabb,
                                               Kind::box,    Kind::polygon, Kind::halfspace};
  static constexpr std::array<Kind, 5> kKinds3{Kind::sphere, Kind::capsule, Kind::aabb, Kind::box,
                                               Kind::halfspace};
  if (dimension == 2) return kKinds2;
  return kKinds3;
}
inline bool has_kind(int dimension, Kind kind) {
  return std::ranges::find(kinds(dimension), kind) != kinds(dimension).end();
}

template <class AnyScene>
auto& balls(AnyScene& scene) {
  if constexpr (AnyScene::dimension == 2) {
    return scene.circles;
  } else {
    return scene.spheres;
  }
}

/// Calls `visit(table)` for the table of one of `kinds`.
template <class AnyScene, class Visit>
void with_table(AnyScene& scene, Kind kind, Visit&& visit) {
  if (kind == Kind::sphere) visit(balls(scene));
  if (kind == Kind::capsule) visit(scene.capsules);
  if (kind == Kind::aabb) visit(scene.aabbs);
  if (kind == Kind::box) visit(scene.boxes);
  if constexpr (AnyScene::dimension == 2) {
    if (kind == Kind::polygon) visit(scene.polygons);
  }
  if (kind == Kind::halfspace) visit(scene.halfspaces);
}

/// Appends a box or a polygon, the latter with a geometry of its own; returns its row.
template <class T>
std::int32_t append_turned(SceneColumns<2, T>& scene, const Solid<2>& solid) {
  const auto as_row = [](const Point<2>& point) {
    return std::array<T, 2>{static_cast<T>(point[0]), static_cast<T>(point[1])};
  };
  const auto append_to = [&](auto& table) {
    table.center.push_back(as_row(solid.p));
    table.turn.push_back({static_cast<T>(solid.angle)});
    table.radius.push_back({static_cast<T>(solid.size)});
    return static_cast<std::int32_t>(table.radius.size() - 1);
  };
  if (solid.kind == Kind::box) {
    scene.boxes.half_extents.push_back(as_row(solid.q));
    return append_to(scene.boxes);
  }
  auto& geometries = scene.geometries;
  if (geometries.offsets.empty()) geometries.offsets.push_back({0});
  for (const Point<2>& v : stored<T>(solid).vertices) geometries.vertices.push_back(as_row(v));
  geometries.offsets.push_back({static_cast<std::int64_t>(geometries.vertices.size())});
  scene.polygons.geometry.push_back({static_cast<std::int32_t>(geometries.offsets.size() - 2)});
  return append_to(scene.polygons);
}

/// Appends a shape to its table and returns its row.
template <int D, class T>
std::int32_t append(SceneColumns<D, T>& scene, const Solid<D>& solid) {
  const auto as_row = [](const Point<D>& point) {
    std::array<T, D> row;
    for (int k = 0; k < D; ++k) row[k] = static_cast<T>(point[k]);
    return row;
  };
  if constexpr (D == 2) {
    if (solid.kind == Kind::box || solid.kind == Kind::polygon) return append_turned(scene, solid);
  }
  const T size = static_cast<T>(solid.size);
  std::size_t row = 0;
  if (solid.kind == Kind::sphere) {
    auto& table = balls(scene);
    row = table.radius.size();
    table.center.push_back(as_row(solid.p));
    table.radius.push_back({size});
  } else if (solid.kind == Kind::capsule) {
    row = scene.capsules.radius.size();
    scene.capsules.a.push_back(as_row(solid.p));
    scene.capsules.b.push_back(as_row(solid.q));
    scene.capsules.radius.push_back({size});
  } else if (solid.kind == Kind::aabb) {
    row = scene.aabbs.min.size();
    scene.aabbs.min.push_back(as_row(solid.p));
    scene.aabbs.max.push_back(as_row(solid.q));
  } else if (solid.kind == Kind::box) {
    if constexpr (D == 3) {
      row = scene.boxes.radius.size();
      std::array<T, 4> turn;
      for (int k = 0; k < 4; ++k) {
        turn[static_cast<std::size_t>(k)] = static_cast<T>(solid.orientation[k]);
      }
      scene.boxes.center.push_back(as_row(solid.p));
      scene.boxes.turn.push_back(turn);
      scene.boxes.half_extents.push_back(as_row(solid.q));
      scene.boxes.radius.push_back({size});
    }
  } else {
    row = scene.halfspaces.offset.size();
    scene.halfspaces.normal.push_back(as_row(solid.p));
    scene.halfspaces.offset.push_back({size});
  }
  return static_cast<std::int32_t>(row);
}

/// Two shapes to be tested against each other, A first.
template <int D>
struct SolidPair {
  Solid<D> a;
  Solid<D> b;
};

/// A scene that holds the shapes of every pair, and the pairs' ids.
template <int D, class T>
struct PairScene {
  SceneColumns<D, T> scene;
  std::vector<Pair> pairs;

  explicit PairScene(const std::vector<SolidPair<D>>& solids) {
    std::vector<std::int32_t> rows;
    for (const SolidPair<D>& pair : solids) {
      rows.push_back(append(scene, pair.a));
      rows.push_back(append(scene, pair.b));
    }
    const SceneLayout layout = layout_of(scene);
    for (std::size_t i = 0; i < solids.size(); ++i) {
      pairs.push_back(
          {layout.id(solids[i].a.kind, rows[2 * i]), layout.id(solids[i].b.kind, rows[2 * i + 1])});
    }
  }
};

/// The shape with an id.
template <int D, class T>
Solid<D> solid_of(const SceneColumns<D, T>& scene, std::int32_t id) {
  const SceneLayout layout = layout_of(scene);
  const std::size_t row = static_cast<std::size_t>(layout.row(id));
  const auto point = [row](const auto& column) {
    Point<D> values;
    for (int k = 0; k < D; ++k) values[k] = static_cast<double>(column(row, k));
    return values;
  };
  const Kind kind = layout.kind_of(id);
  if constexpr (D == 2) {
    if (kind == Kind::box) {
      return box(point(scene.boxes.center), scene.boxes.turn[row], point(scene.boxes.half_extents),
                 value_or(scene.boxes.radius, row, T(0)));
    }
    if (kind == Kind::polygon) {
      const auto geometry = static_cast<std::size_t>(scene.polygons.geometry[row]);
      std::vector<Point<2>> vertices;
      for (auto i = scene.geometries.offsets[geometry]; i < scene.geometries.offsets[geometry + 1];
           ++i) {
        const auto v = static_cast<std::size_t>(i);
        vertices.push_back({static_cast<double>(scene.geometries.vertices(v, 0)),
                            static_cast<double>(scene.geometries.vertices(v, 1))});
      }
      return polygon(point(scene.polygons.center), scene.polygons.turn[row], std::move(vertices),
                     value_or(scene.polygons.radius, row, T(0)));
    }
  } else if (kind == Kind::box) {
    Quaternion turn;
    for (int k = 0; k < 4; ++k) turn[k] = static_cast<double>(scene.boxes.turn(row, k));
    return box(point(scene.boxes.center), turn, point(scene.boxes.half_extents),
               value_or(scene.boxes.radius, row, T(0)));
  }
  switch (kind) {
    case Kind::capsule:
      return capsule<D>(point(scene.capsules.a), point(scene.capsules.b),
                        scene.capsules.radius[row]);
    case Kind::aabb:
      return aabb<D>(point(scene.aabbs.min), point(scene.aabbs.max));
    case Kind::halfspace:
      return halfspace<D>(point(scene.halfspaces.normal), scene.halfspaces.offset[row]);
    default:
      return ball<D>(point(balls(scene).center), balls(scene).radius[row]);
  }
}

/// The built instruction sets that this CPU has.
inline std::vector<Isa> usable_isas() {
  std::vector<Isa> isas;
  for (const Isa isa : built_isas()) {
    if (cpu_has(isa)) isas.push_back(isa);
  }
  return isas;
}

/// Random numbers that are alike on every machine (splitmix64; Steele, Lea, Flood 2014).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t bits() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// In [low, high).
  double uniform(double low, double high) {
    return low + (high - low) * (static_cast<double>(bits() >> 11) * 0x1p-53);
  }
  /// In low ... high.
  int integer(int low, int high) {
    return low + static_cast<int>(bits() % static_cast<std::uint64_t>(high - low + 1));
  }
  bool chance(double probability) { return uniform(0, 1) < probability; }
  /// Any kind but the halfspace.
  Kind bounded_kind(int dimension) {
    const auto last = static_cast<int>(kinds(dimension).size()) - 2;
    return kinds(dimension)[static_cast<std::size_t>(integer(0, last))];
  }

  template <int D>
  Point<D> point(double low, double high) {
    Point<D> result;
    for (double& value : result) value = uniform(low, high);
    return result;
  }
  template <int D>
  Point<D> direction() {
    for (;;) {
      Point<D> result = point<D>(-1, 1);
      double length2 = 0;
      for (const double value : result) length2 += value * value;
      if (length2 > 1 || length2 < 0.01) continue;
      for (double& value : result) value /= std::sqrt(length2);
      return result;
    }
  }

 private:
  std::uint64_t state_;
};

}  // namespace widephase::test
