#pragma once

// What a static scene holds: its packed rows, the tree of their bounds, names and frames.

#include <cstdint>
#include <memory>
#include <mutex>

#include <widephase/bounds_tree.hpp>
#include <widephase/collide.hpp>
#include <widephase/static_scene.hpp>

#include "pipeline/rows/flush_parts.hpp"
#include "pipeline/rows/scene_rows.hpp"
#include "pipeline/rows/shape_frames.hpp"
#include "pipeline/rows/shape_names.hpp"

namespace widephase {

template <int D, class T>
class WorldTrees;

/// The word for the rows of a library.
inline const char* library_words(std::string_view library) {
  if (library == "heightfields") return "fields";
  if (library == "chains") return "chains";
  return library == "meshes" ? "meshes" : "point sets";
}

template <int D, class T>
struct StaticScene<D, T>::State {
  SceneRows<D, T> rows;               ///< bodies are `kept_body`
  BoundsTree<D, PositionOf<T>> tree;  ///< of all except halfspaces
  SceneGeometries<Owned<D, T>> libraries;
  Column<std::int32_t, 2> excluded_owners;
  Domain<D, PositionOf<T>> domain;
  double margin = 0;
  FlushParts flush;
  BoundsBuffer<D, PositionOf<T>> own_bounds;  ///< without that margin; empty if it is 0
  std::int32_t world_count = 0;
  std::size_t body_count = 0;
  std::uint64_t stamp = 0;  ///< 0: empty
  /// What `min_distance` searches, made by the first call that does: threads may share the scene.
  mutable std::mutex nearest_mutex;
  mutable std::shared_ptr<const WorldTrees<D, T>> nearest_trees;
  /// What a tracker compares with the next step, when this scene may be gone.
  std::shared_ptr<const NamedShapes<D, T>> named = std::make_shared<NamedShapes<D, T>>();
};

/// Where filters see bodies of both scenes, those of the kept one are below -1. It is its own
/// inverse.
constexpr std::int32_t kept_body(std::int32_t body) { return body == -1 ? -1 : -2 - body; }

/// The filters of the kept shapes, whose column `fixed` is the caller's: all are.
template <int D, class T>
FilterSpan kept_filters(const SceneRows<D, T>& rows, const Column<std::uint8_t>& fixed) {
  FilterSpan filters;
  filters.world = rows.world;
  filters.category = rows.category;
  filters.mask = rows.mask;
  filters.owner = rows.owner;
  filters.body = rows.body;
  filters.fixed = fixed;
  return filters;
}

/// What follows the reading of its rows: the tree of their bounds, and a stamp.
template <int D, class T>
void finish_static_scene(typename StaticScene<D, T>::State& state,
                         PairWorkspace<D, PositionOf<T>>& workspace, const CollideOptions& options);

}  // namespace widephase
