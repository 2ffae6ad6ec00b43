#pragma once

#include <cstdint>
#include <span>
#include <type_traits>

#include <widephase/export.h>
#include <widephase/shape_cast_options.hpp>
#include <widephase/static_scene.hpp>

namespace widephase {

/// Answers to shape casts, one row per moving shape or per pair.
template <int D, class T>
struct CastHits {
  Column<std::int32_t> shape;  ///< the shape that stands, -1: none
  /// The moving shape touches there, moved by `t` times its direction; `max_t` where there is none.
  Column<SizeOf<T>> t;
  Column<SizeOf<T>, D> normal;     ///< unit, outwards from the standing shape; zeros for none
  Column<PositionOf<T>, D> point;  ///< on the standing shape; zeros for none
  Column<std::uint32_t> feature;   ///< of the standing shape, as a half of a contact's; else 0
  Column<std::uint8_t> status;     ///< a `CastStatus`
  Column<SizeOf<T>> depth;         ///< of an overlap at the start, as `distances` has it; else 0
  /// The triangle (2D: segment) of a surface that is hit, -1 for other shapes and starts. Empty
  /// unless the scene has a surface.
  Column<std::int32_t> part;

  /// Rows.
  std::size_t size() const { return shape.size(); }
  /// Takes all rows away and keeps the memory.
  void clear() {
    shape.clear();
    t.clear();
    normal.clear();
    point.clear();
    feature.clear();
    status.clear();
    depth.clear();
    part.clear();
  }
  /// Bytes held.
  std::size_t bytes() const {
    return shape.bytes() + t.bytes() + normal.bytes() + point.bytes() + feature.bytes() +
           status.bytes() + depth.bytes() + part.bytes();
  }
};

/// For each of the caller's pairs where B, moved along `direction`, first touches A, which stands.
/// Shapes do not turn. For two that move, give the difference of their motions. `direction` has one
/// row per pair, `max_t` as many or none: then it is 1. No direction asks for an overlap alone.
///
/// `t` is never late but for rounding. What is left of the way along the normal is 1e-12 of the
/// shapes' size, or `tolerance`. The status `bound` tells where more is left, beyond 1e-7. Starts
/// have normal, point and depth of `distances`, bit for bit. Filters are not used.
///
/// Throws `Error` for an invalid scene or pair, for two halfspaces or surfaces, and for the first
/// direction or `max_t` that is not finite or below 0. It also does for a periodic domain.
/// `hits` is then empty.
template <int D, class T>
WIDEPHASE_API void cast_pairs(SceneArgument<D, T> scene, std::span<const Pair> pairs,
                              const std::type_identity_t<ColumnSpan<SizeOf<T>, D>>& direction,
                              const std::type_identity_t<ColumnSpan<SizeOf<T>>>& max_t,
                              CastHits<D, T>& hits, Workspace<D, T>& workspace,
                              const ShapeCastOptions& options = {});

/// For each moving shape the first kept one that it touches on its way, of equal t the lowest id.
/// Rows are the moving shapes' ids, `shape` is an id of `kept`. Worlds and filters are those of
/// `collide` with `kept`, and so are fixed moving shapes, which hit nothing. Moving shapes do not
/// meet one another. All else is as for `cast_pairs`; threads, instruction set and other shapes
/// change no bit.
///
/// Throws as `cast_pairs`, and for moving surfaces and halfspaces: cast pairs of these. With
/// `world_status`, worlds with an invalid shape, direction or `max_t` are left out: their shapes
/// hit nothing.
template <int D, class T>
WIDEPHASE_API void cast_shapes(SceneArgument<D, T> moving,
                               const std::type_identity_t<ColumnSpan<SizeOf<T>, D>>& direction,
                               const std::type_identity_t<ColumnSpan<SizeOf<T>>>& max_t,
                               const StaticScene<D, T>& kept, CastHits<D, T>& hits,
                               Workspace<D, T>& workspace, const ShapeCastOptions& options = {});

/// A hash of every array, lengths included, without an empty `part`; alike on every machine.
template <int D, class T>
WIDEPHASE_API std::uint64_t hash(const CastHits<D, T>& hits);

}  // namespace widephase
