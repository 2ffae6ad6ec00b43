#pragma once

#include <cstdint>
#include <span>
#include <type_traits>

#include <widephase/export.h>
#include <widephase/cast_status.hpp>
#include <widephase/static_scene.hpp>

namespace widephase {

/// Rays: columns of one length, borrowed. Ray i is all points `origin + t * direction` with t from
/// 0 to `max_t`. Every column but the first two may be empty (its default), and one row for all is
/// a column with stride 0 (`ColumnSpan::repeated`).
template <int D, class T>
struct RaySpan {
  ColumnSpan<PositionOf<T>, D> origin;  ///< where they begin, t = 0
  /// Any length whose square neither vanishes nor overflows: 1e-18 to 1e18 in float.
  ColumnSpan<SizeOf<T>, D> direction;
  ColumnSpan<SizeOf<T>> max_t;  ///< >= 0; default: the largest finite number
  /// One row per ray. World -1 asks the shapes of all worlds. `body` is one of the static scene, so
  /// that a robot's own links are left out; `excluded` has rows (static shape, ray). Without
  /// `fixed`: all static shapes are.
  FilterSpan filters;

  /// Rays.
  std::size_t size() const { return origin.size(); }
};

/// Answers to rays, one row per ray.
template <int D, class T>
struct RayHits {
  Column<std::int32_t> shape;  ///< id in the static scene, -1: none
  Column<SizeOf<T>> t;         ///< `max_t` where there is none
  /// Unit, outwards from the shape; zeros where there is none. If the ray starts inside
  /// (`Inside::hit`), against its direction.
  Column<SizeOf<T>, D> normal;
  /// On the shape. If the ray starts inside, or no `max_t` was given and nothing is met, its
  /// origin; else, where nothing is met, its end.
  Column<PositionOf<T>, D> point;
  Column<std::uint32_t> feature;  ///< of the shape, numbered as a half of a contact's; else 0
  Column<std::uint8_t> status;    ///< a `CastStatus`
  /// The triangle (2D: segment) of a surface that is hit, -1 for other shapes and rays that start
  /// inside. Empty unless the static scene has a surface.
  Column<std::int32_t> part;

  /// Rays.
  std::size_t size() const { return shape.size(); }
  /// Takes all rows away and keeps the memory.
  void clear() {
    shape.clear();
    t.clear();
    normal.clear();
    point.clear();
    feature.clear();
    status.clear();
    part.clear();
  }
  /// Bytes held.
  std::size_t bytes() const {
    return shape.bytes() + t.bytes() + normal.bytes() + point.bytes() + feature.bytes() +
           status.bytes() + part.bytes();
  }
};

/// What a call with rays did.
struct CastStats {
  Isa isa = Isa::scalar;         ///< that it ran on, never `widest`
  int threads = 1;               ///< that it had
  std::int64_t rays = 0;         ///< that were asked
  std::int64_t hits = 0;         ///< of these
  std::int64_t packet_rays = 0;  ///< that went through the tree together
  std::int64_t tiles = 0;        ///< of 16 boxes that were opened, for a packet once
  std::int64_t tests = 0;        ///< of a shape by its kernel, for each ray
};

/// How rays are answered. The members `margin`, `threads`, `isa`, `world_mask` and `world_status`
/// count; a margin makes the ray a cast ball of that radius. With `world_status`, worlds with an
/// invalid ray are left out.
struct CastOptions : CollideOptions {
  Inside inside = Inside::hit;  ///< what a shape is to a ray that starts in it
  bool wants_normals = true;    ///< without, `normal`, `point`, `feature`, `part` are empty
  CastStats* stats = nullptr;   ///< written, if given
};

/// For each ray the nearest shape that it meets: closed solids, so touching counts, also at t = 0
/// and at `max_t`. Of equal t the lowest id. Neither threads, instruction set, the other rays nor
/// their order change a bit. Where several features of a shape are met at once, a face is named
/// before an edge before a vertex, that of the lowest axis or number.
///
/// Throws `Error` for columns of different lengths and for a static scene in a periodic domain. It
/// also does for the first ray with a number that is not finite, no length or `max_t` < 0. `hits`
/// is then empty.
template <int D, class T>
WIDEPHASE_API void cast_rays(const StaticScene<D, T>& kept,
                             const std::type_identity_t<RaySpan<D, T>>& rays, RayHits<D, T>& hits,
                             Workspace<D, T>& workspace, const CastOptions& options = {});

/// Whether each ray meets a shape: `hits[i]` is 1 exactly where `cast_rays` names one. It is
/// faster, since a ray ends at the first shape that is found. `hits` has one entry per ray. Throws
/// as `cast_rays`.
template <int D, class T>
WIDEPHASE_API void any_hit(const StaticScene<D, T>& kept,
                           const std::type_identity_t<RaySpan<D, T>>& rays,
                           std::span<std::uint8_t> hits, Workspace<D, T>& workspace,
                           const CastOptions& options = {});

/// A hash of every array, lengths included, without an empty `part`; alike on every machine.
template <int D, class T>
WIDEPHASE_API std::uint64_t hash(const RayHits<D, T>& hits);

}  // namespace widephase
