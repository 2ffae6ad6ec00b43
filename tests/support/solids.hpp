#pragma once

// Scenes of shapes that a test states, and random numbers.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <utility>
#include <vector>

#include "support/scaled.hpp"
#include "support/solid.hpp"

namespace widephase::test {

/// Kinds that have kernels; the halfspace comes last.
inline std::span<const Kind> kinds(int dimension) {
  static constexpr std::array<Kind, 6> kKinds2{Kind::circle, Kind::capsule, Kind::aabb,
                                               Kind::box,    Kind::polygon, Kind::halfspace};
  static const std::vector<Kind> kKinds3 = [] {
    std::vector<Kind> kinds{Kind::sphere, Kind::capsule, Kind::aabb, Kind::box};
    for (const Kind kind : {Kind::hull, Kind::cylinder}) {
      if (has_kernel(3, kind, kind)) kinds.push_back(kind);
    }
    kinds.push_back(Kind::halfspace);
    return kinds;
  }();
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
  } else {
    if (kind == Kind::hull) visit(scene.hulls);
    if (kind == Kind::cylinder) visit(scene.cylinders);
  }
  if (kind == Kind::halfspace) visit(scene.halfspaces);
}

/// A row of a column of points.
template <int D, class T>
std::array<T, D> as_row(const Point<D>& point) {
  std::array<T, D> row;
  for (int k = 0; k < D; ++k) row[static_cast<std::size_t>(k)] = static_cast<T>(point[k]);
  return row;
}

/// Appends a box or a polygon, the latter with a geometry of its own; returns its row.
template <class T>
std::int32_t append_turned(SceneColumns<2, T>& scene, const Solid<2>& solid) {
  using Size = SizeOf<T>;
  const auto append_to = [&](auto& table) {
    table.center.push_back(as_row<2, PositionOf<T>>(solid.p));
    table.turn.push_back({static_cast<Size>(solid.angle)});
    table.radius.push_back({static_cast<Size>(solid.size)});
    return static_cast<std::int32_t>(table.radius.size() - 1);
  };
  if (solid.kind == Kind::box) {
    scene.boxes.half_extents.push_back(as_row<2, Size>(solid.q));
    return append_to(scene.boxes);
  }
  auto& geometries = scene.geometries;
  if (geometries.offsets.empty()) geometries.offsets.push_back({0});
  for (const Point<2>& v : stored<T>(solid).vertices) {
    geometries.vertices.push_back(as_row<2, Size>(v));
  }
  geometries.offsets.push_back({static_cast<std::int64_t>(geometries.vertices.size())});
  scene.polygons.geometry.push_back({static_cast<std::int32_t>(geometries.offsets.size() - 2)});
  return append_to(scene.polygons);
}

/// Appends a box, a hull, with a geometry of its own, or a cylinder; returns its row.
template <class T>
std::int32_t append_turned(SceneColumns<3, T>& scene, const Solid<3>& solid) {
  using Size = SizeOf<T>;
  const auto append_to = [&](auto& table) {
    std::array<Size, 4> turn;
    for (int k = 0; k < 4; ++k) {
      turn[static_cast<std::size_t>(k)] = static_cast<Size>(solid.orientation[k]);
    }
    table.center.push_back(as_row<3, PositionOf<T>>(solid.p));
    table.turn.push_back(turn);
    table.radius.push_back({static_cast<Size>(solid.size)});
    return static_cast<std::int32_t>(table.radius.size() - 1);
  };
  if (solid.kind == Kind::box) {
    scene.boxes.half_extents.push_back(as_row<3, Size>(solid.q));
    return append_to(scene.boxes);
  }
  if (solid.kind == Kind::cylinder) {
    scene.cylinders.half_height.push_back({static_cast<Size>(solid.q[2])});
    return append_to(scene.cylinders);
  }
  const Column<Size, 3> vertices = points_column<Size>(solid.vertices);
  scene.hulls.geometry.push_back({add_hull(scene.geometries, vertices.span())});
  return append_to(scene.hulls);
}

/// Appends a shape to its table and returns its row.
template <int D, class T>
std::int32_t append(SceneColumns<D, T>& scene, const Solid<D>& solid) {
  using Size = SizeOf<T>;
  using Position = PositionOf<T>;
  if (solid.kind == Kind::box || solid.kind == Kind::polygon || solid.kind == Kind::hull ||
      solid.kind == Kind::cylinder) {
    return append_turned(scene, solid);
  }
  const auto size = static_cast<Size>(solid.size);
  std::size_t row = 0;
  if (solid.kind == Kind::sphere) {
    auto& table = balls(scene);
    row = table.radius.size();
    table.center.push_back(as_row<D, Position>(solid.p));
    table.radius.push_back({size});
  } else if (solid.kind == Kind::capsule) {
    row = scene.capsules.radius.size();
    scene.capsules.a.push_back(as_row<D, Position>(solid.p));
    scene.capsules.b.push_back(as_row<D, Position>(solid.q));
    scene.capsules.radius.push_back({size});
  } else if (solid.kind == Kind::aabb) {
    row = scene.aabbs.min.size();
    scene.aabbs.min.push_back(as_row<D, Position>(solid.p));
    scene.aabbs.max.push_back(as_row<D, Position>(solid.q));
  } else {
    row = scene.halfspaces.offset.size();
    scene.halfspaces.normal.push_back(as_row<D, Size>(solid.p));
    scene.halfspaces.offset.push_back({static_cast<Position>(solid.size)});
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

template <int D, class T>
std::vector<Point<D>> geometry_points(const SceneColumns<D, T>& scene, std::int32_t geometry) {
  const auto& [vertices, offsets, inner] = scene.geometries;
  const auto g = static_cast<std::size_t>(geometry);
  std::vector<Point<D>> points;
  for (auto i = static_cast<std::size_t>(offsets[g]); i < static_cast<std::size_t>(offsets[g + 1]);
       ++i) {
    points.emplace_back();
    for (int k = 0; k < D; ++k) points.back()[k] = static_cast<double>(vertices(i, k));
  }
  return points;
}

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
                 value_or(scene.boxes.radius, row, SizeOf<T>(0)));
    }
    if (kind == Kind::polygon) {
      return polygon(point(scene.polygons.center), scene.polygons.turn[row],
                     geometry_points(scene, scene.polygons.geometry[row]),
                     value_or(scene.polygons.radius, row, SizeOf<T>(0)));
    }
  } else {
    const auto turn = [row](const auto& column) {
      Quaternion values;
      for (int k = 0; k < 4; ++k) values[k] = static_cast<double>(column(row, k));
      return values;
    };
    if (kind == Kind::box) {
      return box(point(scene.boxes.center), turn(scene.boxes.turn), point(scene.boxes.half_extents),
                 value_or(scene.boxes.radius, row, SizeOf<T>(0)));
    }
    if (kind == Kind::cylinder) {
      return cylinder(point(scene.cylinders.center), turn(scene.cylinders.turn),
                      scene.cylinders.half_height[row], scene.cylinders.radius[row]);
    }
    if (kind == Kind::hull) {
      return hull(point(scene.hulls.center), turn(scene.hulls.turn),
                  geometry_points(scene, scene.hulls.geometry[row]),
                  value_or(scene.hulls.radius, row, SizeOf<T>(0)));
    }
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
