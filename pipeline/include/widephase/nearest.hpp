#pragma once

#include <cstdint>
#include <span>
#include <type_traits>

#include <widephase/export.h>
#include <widephase/static_scene.hpp>

namespace widephase {

/// The shapes nearest to points: k rows per point, point i's from i * k on, the nearest first.
/// Where fewer shapes are near, the rest of the rows names none.
template <int D, class T>
struct NearestHits {
  std::size_t k = 0;           ///< rows per point
  Column<std::int32_t> shape;  ///< id in the static scene, -1: none
  /// From the surface, negative inside, as `distances` has it; the largest finite number for none.
  Column<SizeOf<T>> distance;
  Column<SizeOf<T>, D> normal;     ///< unit, outwards from the shape; zeros for none
  Column<PositionOf<T>, D> point;  ///< on the shape's surface; zeros for none

  /// Rows.
  std::size_t size() const { return shape.size(); }
  /// Takes all rows away and keeps the memory.
  void clear() {
    k = 0;
    shape.clear();
    distance.clear();
    normal.clear();
    point.clear();
  }
  /// Bytes held.
  std::size_t bytes() const {
    return shape.bytes() + distance.bytes() + normal.bytes() + point.bytes();
  }
};

/// For each point the `k` nearest shapes that are no farther than `max_distance`, of equally near
/// ones the lowest ids. Distance, normal and point have the bits that `distances` gives for the
/// shape and a sphere of radius 0. Neither threads, instruction set, the other points nor their
/// order change them.
///
/// `filters` has one row per point, or empty columns, as for rays: world -1 asks the shapes of all
/// worlds, and `excluded` has rows (static shape, point). Points of a world that a `world_mask`
/// leaves out have no shapes, and no point has theirs; `options` or `filters` may give it. Of
/// `options`, `threads`, `isa` and `method` count too; margins do not.
///
/// Throws `Error` for the first point that is not finite, k < 1, a `max_distance` that is not a
/// number >= 0 and filters of another length. It also does for a periodic domain and for a distance
/// that overflows. `hits` is then empty.
template <int D, class T>
WIDEPHASE_API void nearest_shapes(const StaticScene<D, T>& kept,
                                  const std::type_identity_t<ColumnSpan<PositionOf<T>, D>>& points,
                                  std::size_t k, SizeOf<T> max_distance, const FilterSpan& filters,
                                  NearestHits<D, T>& hits, Workspace<D, T>& workspace,
                                  const CollideOptions& options = {});

/// Whether each moving shape has a contact with a kept one: `is_overlap[i]` is 1 exactly where
/// `collide` of `moving` with `kept` gives shape i one. It has one entry per moving shape. Throws
/// as `collide`.
template <int D, class T>
WIDEPHASE_API void any_overlap(SceneArgument<D, T> moving, const StaticScene<D, T>& kept,
                               std::span<std::uint8_t> is_overlap, Workspace<D, T>& workspace,
                               const CollideOptions& options = {});

/// A hash of every array, lengths included; alike on every machine.
template <int D, class T>
WIDEPHASE_API std::uint64_t hash(const NearestHits<D, T>& hits);

}  // namespace widephase
