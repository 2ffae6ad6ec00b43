#pragma once

// Builds scenes from the shapes that a test states.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <utility>
#include <vector>

#include "reference/random.hpp"
#include "reference/scaled.hpp"
#include "reference/solid.hpp"

namespace widephase::test {

/// The kinds of a dimension that are solids, in the order of ids: all but height fields, meshes and
/// chains.
std::span<const Kind> kinds(int dimension);
inline bool has_kind(int dimension, Kind kind) {
  return std::ranges::find(kinds(dimension), kind) != kinds(dimension).end();
}
/// Any kind except the halfspace.
inline Kind bounded_kind(Random& random, int dimension) {
  const std::span<const Kind> all = kinds(dimension);
  const auto number = random.integer(0, static_cast<int>(all.size()) - 2);
  const auto halfspace = std::ranges::find(all, Kind::halfspace) - all.begin();
  return all[static_cast<std::size_t>(number < halfspace ? number : number + 1)];
}

template <class AnyScene>
auto& balls(AnyScene& scene) {
  if constexpr (AnyScene::dimension == 2) {
    return scene.circles;
  } else {
    return scene.spheres;
  }
}

/// Calls `visit(table)` for the table of `kind`.
template <class AnyScene, class Visit>
void with_table(AnyScene& scene, Kind kind, Visit&& visit) {
  for_each_table(scene, [&](auto& table) {
    if (std::remove_cvref_t<decltype(table)>::kind == kind) visit(table);
  });
}

/// A point as a row of a column.
template <int D, class T>
std::array<T, D> as_row(const Point<D>& point) {
  std::array<T, D> row;
  for (int k = 0; k < D; ++k) row[static_cast<std::size_t>(k)] = static_cast<T>(point[k]);
  return row;
}

/// Appends a box, or a polygon with its own geometry; returns its row.
template <class T>
std::int32_t append_turned(SceneColumns<2, T>& scene, const Solid<2>& solid);

/// Appends a shape that has an orientation, a hull with its own geometry; returns its row.
template <class T>
std::int32_t append_turned(SceneColumns<3, T>& scene, const Solid<3>& solid);

/// Appends a shape to its table and returns its row.
template <int D, class T>
std::int32_t append(SceneColumns<D, T>& scene, const Solid<D>& solid);

/// Two shapes to test against each other, A first.
template <int D>
struct SolidPair {
  Solid<D> a;
  Solid<D> b;
};

/// A scene with the shapes of every pair, and the pairs of ids.
template <int D, class T>
struct PairScene {
  SceneColumns<D, T> scene;
  std::vector<Pair> pairs;

  explicit PairScene(const std::vector<SolidPair<D>>& solids);
};

/// The shape of an id.
template <int D, class T>
Solid<D> solid_of(const SceneColumns<D, T>& scene, std::int32_t id);

/// The instruction sets that are built and that this CPU has.
std::vector<Isa> usable_isas();

}  // namespace widephase::test
