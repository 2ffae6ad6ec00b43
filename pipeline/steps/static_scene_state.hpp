#pragma once

// What a static scene holds: its packed rows, and the tree of their bounds.

#include <cstdint>

#include <widephase/bounds_tree.hpp>
#include <widephase/static_scene.hpp>

#include "pipeline/rows/scene_rows.hpp"

namespace widephase {

template <int D, class T>
struct StaticScene<D, T>::State {
  SceneRows<D, T> rows;
  BoundsTree<D, PositionOf<T>> tree;  ///< of all except halfspaces
  GeometryTable<Owned<D, T>> geometries;
  Column<std::int32_t, 2> excluded_owners;
  Domain<D, PositionOf<T>> domain;
  double margin = 0;
  std::uint64_t stamp = 0;  ///< 0: empty
};

}  // namespace widephase
