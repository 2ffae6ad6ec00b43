#pragma once

#include <widephase/export.h>
#include <widephase/collide.hpp>

namespace widephase {

/// Support points, one row per question.
template <int D, class T>
struct SupportBuffer {
  Column<PositionOf<T>, D> point;  ///< on the surface, rounding included
  /// Where the core is farthest (`feature_half`): which vertex; whole for circles and spheres. For
  /// a cylinder the stretch of rim or the rim's point, or the cap if the direction is its normal.
  Column<std::uint32_t> feature;
};

/// The point of shape `ids[i]` farthest along `direction` i, for each i. Of equally far vertices it
/// is the one of the lowest number, of a cylinder's rims the lower one, of its cap the middle.
/// Directions have any length whose square neither vanishes nor overflows: 1e-18 to 1e18 in float.
/// `ids` and `direction` have the same length. Every vertex of a hull is evaluated. Throws `Error`
/// for an invalid scene, an id out of range, a direction without length and a halfspace, which has
/// no farthest point.
template <int D, class T>
WIDEPHASE_API void support_points(SceneArgument<D, T> scene, std::span<const std::int32_t> ids,
                                  const ColumnSpan<SizeOf<T>, D>& direction,
                                  SupportBuffer<D, T>& support, Workspace<D, T>& workspace,
                                  const CollideOptions& options = {});

}  // namespace widephase
