#pragma once

#include <widephase/export.h>
#include <widephase/collide.hpp>

namespace widephase {

/// Distances and nearest points, one row per pair, in the order of the pairs.
template <int D, class T>
struct DistanceBuffer {
  Column<SizeOf<T>> distance;        ///< of the surfaces; for shapes that overlap minus the depth
  Column<SizeOf<T>, D> normal;       ///< unit, from A to B
  Column<PositionOf<T>, D> point_a;  ///< on A's surface
  Column<PositionOf<T>, D> point_b;  ///< on B's: point_a + distance * normal
  Column<std::uint32_t> feature;     ///< high half A's, low half B's (`feature_half`)
  Column<std::uint8_t> status;       ///< a `Status`
};

/// Distance, direction and nearest points of each of the caller's pairs, taken as they are: A is
/// the first named. Overlapping shapes have the distance -depth, along the minimum translation, and
/// the points of the deepest contact. With `options.method` `gjk_epa`, all pairs without a
/// halfspace use GJK (and EPA if cores overlap). Margins and order are not used. Throws `Error` for
/// an invalid scene or pair, for two halfspaces, which have no distance, and for a distance that
/// overflows. If a search fails, no rows are left.
///
/// Two surfaces (height fields, meshes, chains) have 0 where they cross or part of one is below a
/// field, and also nearer than they are thick. With `warm_starts` their search begins at the last
/// nearest pieces.
template <int D, class T>
WIDEPHASE_API void distances(SceneArgument<D, T> scene, std::span<const Pair> pairs,
                             DistanceBuffer<D, T>& distances, Workspace<D, T>& workspace,
                             const CollideOptions& options = {});

}  // namespace widephase
