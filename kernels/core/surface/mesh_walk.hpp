#pragma once

// Walks over the tree of a mesh (soa/mesh_view.hpp), in its own frame. Bounds are compared in
// double, so exactly.

#include <cstdint>

#include "kernels/lanes/inline.hpp"
#include "kernels/lanes/limits.hpp"
#include "soa/mesh_view.hpp"

namespace widephase {
namespace {

inline constexpr int kMeshTileNumbers = 6 * kMeshTile;
/// More than a walk has open: of each level all of one tile.
inline constexpr int kMostOpenTiles = kMostMeshLevels * kMeshTile;

template <class T>
WIDEPHASE_INLINE const T* mesh_tile(const MeshView<T>& mesh, int level, std::int32_t number) {
  return mesh.tiles + std::ptrdiff_t{kMeshTileNumbers} * (mesh.level_begin[level] + number);
}

/// Whether place i of a tile has bounds. Places past the last are at infinity, and what reaches
/// there must not meet them.
template <class T>
WIDEPHASE_INLINE bool has_bounds(const T* tile, int i) {
  return tile[i] < kInfinite<T>;
}

struct OpenTile {
  int level;
  std::int32_t number;
  double distance;
};

/// Calls `op(number)` for the triangles whose bounds meet a box, in any order.
template <class T, class Op>
void walk_mesh(const MeshView<T>& mesh, const double (&low)[3], const double (&high)[3],
               const Op& op) {
  if (mesh.level_count == 0) return;
  OpenTile open[kMostOpenTiles];
  int count = 1;
  open[0] = {mesh.level_count - 1, 0, 0};
  while (count > 0) {
    const OpenTile at = open[--count];
    const T* const tile = mesh_tile(mesh, at.level, at.number);
    for (int i = 0; i < kMeshTile; ++i) {
      bool meets = true;
      for (int k = 0; k < 3; ++k) {
        meets &= double(tile[k * kMeshTile + i]) <= high[k];
        meets &= double(tile[(3 + k) * kMeshTile + i]) >= low[k];
      }
      if (!meets || !has_bounds(tile, i)) continue;
      const std::int32_t place = at.number * kMeshTile + i;
      if (at.level == 0) {
        op(mesh.order[place]);
      } else {
        open[count++] = {at.level - 1, place, 0};
      }
    }
  }
}

/// Calls `op(number)` for triangles, the near ones first, as long as their bounds are nearer than
/// `best`, which `op` may lower. `distance_of(low, high)` is at most that of all that is between.
template <class T, class DistanceOf, class Op>
void walk_nearest(const MeshView<T>& mesh, const DistanceOf& distance_of, const double& best,
                  const Op& op) {
  if (mesh.level_count == 0) return;
  OpenTile open[kMostOpenTiles];
  int count = 1;
  open[0] = {mesh.level_count - 1, 0, -__builtin_inf()};
  while (count > 0) {
    const OpenTile at = open[--count];
    if (!(at.distance < best)) continue;
    const T* const tile = mesh_tile(mesh, at.level, at.number);
    const int first = count;  // the tile's own, the nearest last
    for (int i = 0; i < kMeshTile; ++i) {
      double low[3], high[3];
      for (int k = 0; k < 3; ++k) {
        low[k] = double(tile[k * kMeshTile + i]);
        high[k] = double(tile[(3 + k) * kMeshTile + i]);
      }
      if (!(low[0] <= high[0])) continue;  // past the last place
      const double distance = distance_of(low, high);
      if (!(distance < best)) continue;
      const std::int32_t place = at.number * kMeshTile + i;
      if (at.level == 0) {
        op(mesh.order[place]);
        continue;
      }
      int to = count++;
      for (; to > first && open[to - 1].distance < distance; --to) open[to] = open[to - 1];
      open[to] = {at.level - 1, place, distance};
    }
  }
}

/// The same by squared distances from a point.
template <class T, class Op>
void walk_to_nearest(const MeshView<T>& mesh, const double (&point)[3], const double& best,
                     const Op& op) {
  const auto distance2 = [&](const double(&low)[3], const double(&high)[3]) {
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
      const double away = low[k] > point[k]    ? low[k] - point[k]
                          : point[k] > high[k] ? point[k] - high[k]
                                               : 0;
      sum += away * away;
    }
    return sum;
  };
  walk_nearest(mesh, distance2, best, op);
}

}  // namespace
}  // namespace widephase
