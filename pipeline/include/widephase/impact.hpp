#pragma once

#include <cstdint>
#include <span>
#include <type_traits>

#include <widephase/export.h>
#include <widephase/collide.hpp>
#include <widephase/shape_cast_options.hpp>

namespace widephase {

/// Where the bodies of a scene are at t = 1: one row per body, borrowed. At t = 0 they are where
/// `Scene::bodies` says. Positions are linear in t. An empty column: that part does not change.
/// Shapes of body -1 stand still.
template <int D, class T>
struct Motion;

/// In 2D.
template <class T>
struct Motion<2, T> {
  ColumnSpan<PositionOf<T>, 2> position_end;  ///< of the origin of a body's frame
  /// Radians, less than half a turn from the angle at the start. The points (cos, sin) of both
  /// angles are joined by a straight line, and its points are normalized.
  ColumnSpan<SizeOf<T>> angle_end;

  /// The column of the dimension.
  const ColumnSpan<SizeOf<T>>& turn_end() const { return angle_end; }
};

/// In 3D.
template <class T>
struct Motion<3, T> {
  ColumnSpan<PositionOf<T>, 3> position_end;  ///< of the origin of a body's frame
  /// Unit quaternions x y z w. Between both ends they are linear and normalized, along the shorter
  /// arc: q and -q are the same. For exactly half a turn the signs that are given choose the arc.
  ColumnSpan<SizeOf<T>, 4> orientation_end;

  /// The column of the dimension.
  const ColumnSpan<SizeOf<T>, 4>& turn_end() const { return orientation_end; }
};

/// When shapes meet first. One row per pair (`time_of_impact`) or per body (`first_impacts`).
template <int D, class T>
struct ImpactHits {
  Column<Pair> pair;               ///< ids of A and B; -1 and -1 where nothing is met
  Column<SizeOf<T>> t;             ///< 0 to 1, when; 1 where nothing is met
  Column<SizeOf<T>, D> normal;     ///< unit, from A to B at t; zeros where nothing is met
  Column<PositionOf<T>, D> point;  ///< on A's surface at t; likewise
  /// Where the pair starts inside: as of `distances`, minus the distance. Else 0.
  Column<SizeOf<T>> depth;
  Column<std::uint32_t> feature;  ///< high half A's, low half B's (`feature_half`); else 0
  Column<std::uint8_t> status;    ///< a `CastStatus`
  /// The triangles (2D: segments) of A and of B that the point is on, -1 for a shape without and
  /// where nothing is met. Empty unless the scene has a surface.
  Column<std::int32_t, 2> part;

  /// Pairs or bodies.
  std::size_t size() const { return t.size(); }
  /// Takes all rows away and keeps the memory.
  void clear() {
    pair.clear();
    t.clear();
    normal.clear();
    point.clear();
    depth.clear();
    feature.clear();
    status.clear();
    part.clear();
  }
  /// Bytes held.
  std::size_t bytes() const {
    return pair.bytes() + t.bytes() + normal.bytes() + point.bytes() + depth.bytes() +
           feature.bytes() + status.bytes() + part.bytes();
  }
};

/// When the shapes of each of the caller's pairs meet first while bodies move: the least t at which
/// they are no farther apart than the margin. Pairs are taken as they are, A is the first named.
/// Exchanged shapes have the same answer: that of the lower id first, seen from the other side.
///
/// - At t they are at least the margin and at most `options.tolerance` more apart. No earlier time
///   has less than the margin, but for rounding. So nothing is missed and nothing is late.
/// - Shapes that touch or overlap at t = 0 have the status `started_inside`, with all that
///   `distances` says of them, the lower id first. `options.start_overlap` may pass them over.
/// - Shapes that come within the tolerance of the margin and part again may count as met.
/// - Status `bound`: a limit of 4,096 steps was met; `t` is early. A step goes by the gap over the
///   speed at which turns might close it, so shapes that stay barely apart while they turn need
///   many.
///
/// A tolerance of 0 stands for 1e-4 of the smaller shape: of half its longest side in its own frame
/// (kept: of its bounds). Terrain does not count, nor do halfspaces. `method` counts as for
/// `distances`. Threads and instruction sets change no bit, nor do other pairs.
///
/// Throws `Error` for an invalid scene, motion or pair, a periodic domain, and an aabb of a body
/// that rotates. It also does for two halfspaces or two surfaces. `hits` is then
/// empty. Source: Mirtich, Impulse-based Dynamic Simulation of Rigid Body Systems, 1996, 2.3.
template <int D, class T>
WIDEPHASE_API void time_of_impact(SceneArgument<D, T> scene,
                                  const std::type_identity_t<Motion<D, T>>& motion,
                                  std::span<const Pair> pairs, ImpactHits<D, T>& hits,
                                  Workspace<D, T>& workspace, const ShapeCastOptions& options = {});

/// What each body meets first, one row per body: the pair of least t. Pairs pass the scene's
/// filters as in `collide`, those with a kept scene too. B is a shape of the body, and A is what it
/// meets. Of equal t the lowest A, then the lowest B. Every pair's answer is that of
/// `time_of_impact`.
///
/// Pairs are found by the bounds of the moving shapes. `world_mask`, `world_status`, `max_pairs`
/// and `moving_pairs` count as in `collide`. A motion that is invalid is an error in any world.
template <int D, class T>
WIDEPHASE_API void first_impacts(SceneArgument<D, T> scene,
                                 const std::type_identity_t<Motion<D, T>>& motion,
                                 ImpactHits<D, T>& hits, Workspace<D, T>& workspace,
                                 const ShapeCastOptions& options = {});

/// A hash of every array, lengths included, without an empty `part`; alike on every machine.
template <int D, class T>
WIDEPHASE_API std::uint64_t hash(const ImpactHits<D, T>& hits);

}  // namespace widephase
