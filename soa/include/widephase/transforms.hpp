#pragma once

// Moves, rotates and scales whole scenes in place.

#include <array>
#include <type_traits>

#include <widephase/export.h>
#include <widephase/scene.hpp>

namespace widephase {

/// Moves everything by `offset`: all shapes, halfspaces and the domain too; ids, tags and excluded
/// pairs stay. New numbers are computed in double and rounded to the scene's type. The scene itself
/// is not checked; the next call does that. Throws `Error` for a number that is not finite and for
/// a scene with `bodies`, whose shapes are in frames of their own; the scene then stays as it was.
/// All of this holds for `rotate` and `scale` too.
template <int D, class T>
WIDEPHASE_API void translate(SceneColumns<D, T>& scene,
                             const std::type_identity_t<std::array<PositionOf<T>, D>>& offset);

/// Rotates everything by `angle` radians, counter-clockwise, about a point. Angles of boxes and
/// polygons are added and not wrapped. Cosine and sine are our own, with the same bits on every
/// CPU, exact to 1e-16 for angles up to 1e6. So only the angle 0 is free of rounding: a quarter
/// turn leaves 6e-17 of the other component in `double`. A domain that is not periodic stays as it
/// is.
///
/// Throws `Error` for a scene with aabbs, which cannot rotate (make them boxes), and for a periodic
/// domain; the scene then stays as it was.
template <class T>
WIDEPHASE_API void rotate(SceneColumns<2, T>& scene, SizeOf<T> angle,
                          const std::type_identity_t<std::array<PositionOf<T>, 2>>& about);

/// Scales everything about a point by a factor above 0: distances from the point, sizes, margins,
/// and vertices, heights and cells of the geometries, which scale about their own origin. This is a
/// change of unit: contacts of the scaled scene are the scaled contacts if the call's margin is
/// scaled too. That holds to the bit if the factor is a power of two and `about` the origin. By
/// other factors vertices are rounded. Polygons from `add_polygon` stay convex if their frame's
/// origin lies within their bounds; `validate` reports those that do not.
template <int D, class T>
WIDEPHASE_API void scale(SceneColumns<D, T>& scene, SizeOf<T> factor,
                         const std::type_identity_t<std::array<PositionOf<T>, D>>& about = {});

}  // namespace widephase
