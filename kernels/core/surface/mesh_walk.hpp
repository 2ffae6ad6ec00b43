#pragma once

// Walks over the tree of a mesh (soa/mesh_view.hpp), in its own frame. Bounds are compared in
// double, so exactly.

#include <cstdint>
#include <type_traits>

#include "kernels/core/support/widened_box.hpp"
#include "kernels/lanes/limits.hpp"
#include "kernels/lanes/vec.hpp"
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

/// Calls `op(number)` for the triangles of a tree whose bounds a test takes, in any order, until it
/// answers false if it answers.
/// `takes(low, high)` tells of a batch of bounds, each by axis.
template <class T, class Takes, class Op>
void walk_tiles(const MeshView<T>& mesh, const Takes& takes, const Op& op) {
  using F = Batch<T>;
  constexpr int lanes = LaneTraits<F>::count;
  static_assert(kMeshTile % lanes == 0);
  if (mesh.level_count == 0) return;
  struct Open {
    int level;
    std::int32_t number;
  };
  Open open[kMostOpenTiles];
  int count = 1;
  open[0] = {mesh.level_count - 1, 0};
  while (count > 0) {
    const Open at = open[--count];
    const T* const tile = mesh_tile(mesh, at.level, at.number);
    for (int first = 0; first < kMeshTile; first += lanes) {
      Vec<F, 3> low, high;
      for (int k = 0; k < 3; ++k) {
        low[k] = load(tile + k * kMeshTile + first);
        high[k] = load(tile + (3 + k) * kMeshTile + first);
      }
      for (unsigned bits = mask_bits(takes(low, high)); bits != 0; bits &= bits - 1) {
        const std::int32_t place = at.number * kMeshTile + first + __builtin_ctz(bits);
        if (at.level == 0) {
          const std::int32_t number = mesh.order[place];
          if constexpr (std::is_same_v<decltype(op(number)), bool>) {
            if (!op(number)) return;
          } else {
            op(number);
          }
          continue;
        }
        open[count++] = {at.level - 1, place};
        __builtin_prefetch(mesh_tile(mesh, at.level - 1, place));
      }
    }
  }
}

/// Calls `op(number)` for the triangles whose bounds meet a box, and for some that miss it by less
/// than T rounds, as `walk_tiles`.
template <class T, class Op>
void walk_mesh(const MeshView<T>& mesh, const double (&low)[3], const double (&high)[3],
               const Op& op) {
  using F = Batch<T>;
  const WidenedBox<T, 3> box(low, high);
  const T(&least)[3] = box.least;
  const T(&most)[3] = box.most;
  walk_tiles(
      mesh,
      [&](const Vec<F, 3>& tile_low, const Vec<F, 3>& tile_high) {
        return ((tile_low[0] <= F(most[0])) & (tile_high[0] >= F(least[0]))) &
               ((tile_low[1] <= F(most[1])) & (tile_high[1] >= F(least[1]))) &
               ((tile_low[2] <= F(most[2])) & (tile_high[2] >= F(least[2])));
      },
      op);
}

/// Calls `op(number)` for a mesh's own triangles whose bounds meet a box and for its neighbours',
/// as `walk_mesh`, until it answers false.
template <class T, class Op>
void walk_with_beyond(const MeshView<T>& mesh, const double (&low)[3], const double (&high)[3],
                      const Op& op) {
  bool goes_on = true;
  for (const MeshView<T>* view = &mesh; view != nullptr && goes_on; view = view->beyond) {
    walk_mesh(*view, low, high, [&](std::int32_t number) { return goes_on = op(number); });
  }
}

/// Whether squares of distances about a point are numbers of T.
template <class T>
WIDEPHASE_INLINE bool has_squares(const double (&point)[3], double reach) {
  double size = reach;
  for (const double x : point) size += magnitude(x);
  return size < (sizeof(T) == 4 ? 1e15 : 1e150);
}

/// Calls `op(place)` for the places of a tile whose bounds are no farther from a point than
/// `reach`, and for some that are by little more than T rounds, ascending.
template <class T, class Op>
WIDEPHASE_INLINE void for_each_near_point(const MeshView<T>& mesh, int level, std::int32_t number,
                                          const double (&point)[3], double reach, const Op& op) {
  using F = Batch<T>;
  constexpr int lanes = LaneTraits<F>::count;
  static_assert(kMeshTile % lanes == 0);
  double size = reach;
  for (const double x : point) size += magnitude(x);
  const auto far = static_cast<T>(reach + 16 * double(kRounding<T>) * size);
  const T* const tile = mesh_tile(mesh, level, number);
  for (int first = 0; first < kMeshTile; first += lanes) {
    F away2(0);
    for (int k = 0; k < 3; ++k) {
      const F at(static_cast<T>(point[k]));
      const F low = load(tile + k * kMeshTile + first);
      const F high = load(tile + (3 + k) * kMeshTile + first);
      const F away = greater(greater(low - at, at - high), F(0));
      away2 = away2 + away * away;
    }
    for (unsigned bits = mask_bits(away2 <= F(far * far)); bits != 0; bits &= bits - 1) {
      op(number * kMeshTile + first + __builtin_ctz(bits));
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
