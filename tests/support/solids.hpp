#pragma once

// Shapes as plain numbers, the way a test states them, and scenes made of them.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>
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

/// One shape. The fields mean what the kind's columns mean, in their order:
/// centre and radius, a and b and radius, min and max, normal and offset.
template <int D>
struct Solid {
  Kind kind = Kind::sphere;
  Point<D> p{};     ///< centre, a, min, normal
  Point<D> q{};     ///< b, max
  double size = 0;  ///< radius, offset
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
template <int D>
Solid<D> halfspace(Point<D> normal, double offset) {
  return {Kind::halfspace, normal, {}, offset};
}

template <int D>
std::string describe(const Solid<D>& solid) {
  std::ostringstream text;
  text.precision(17);
  const auto write = [&](const char* name, const Point<D>& point) {
    text << ' ' << name << " (";
    for (int k = 0; k < D; ++k) text << (k == 0 ? "" : ", ") << point[k];
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

/// The shape after its numbers were stored as `T`.
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
      if (solid.kind != Kind::sphere) solid.q[k] += offset[k];
    }
  }
  return solid;
}

/// Kinds that have kernels.
inline constexpr std::array<Kind, 4> kKinds{Kind::sphere, Kind::capsule, Kind::aabb,
                                            Kind::halfspace};

template <class AnyScene>
auto& balls(AnyScene& scene) {
  if constexpr (AnyScene::dimension == 2) {
    return scene.circles;
  } else {
    return scene.spheres;
  }
}

/// Calls `visit(table)` for the table of one of `kKinds`.
template <class AnyScene, class Visit>
void with_table(AnyScene& scene, Kind kind, Visit&& visit) {
  if (kind == Kind::sphere) visit(balls(scene));
  if (kind == Kind::capsule) visit(scene.capsules);
  if (kind == Kind::aabb) visit(scene.aabbs);
  if (kind == Kind::halfspace) visit(scene.halfspaces);
}

/// Appends a shape to its table and returns its row.
template <int D, class T>
std::int32_t append(SceneColumns<D, T>& scene, const Solid<D>& solid) {
  const auto as_row = [](const Point<D>& point) {
    std::array<T, D> row;
    for (int k = 0; k < D; ++k) row[k] = static_cast<T>(point[k]);
    return row;
  };
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
  switch (layout.kind_of(id)) {
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
