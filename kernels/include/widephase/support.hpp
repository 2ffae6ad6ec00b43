#pragma once

#include <widephase/collide.hpp>

namespace widephase {

/// Support points, a row a question.
template <int D, class T>
struct SupportBuffer {
  Column<T, D> point;             ///< on the surface, rounding included
  Column<std::uint32_t> feature;  ///< which vertex (`feature_half`); whole for circles
};

/// The point of shape `ids[i]` farthest along `direction` i, for each i; of vertices that are
/// equally far, that of the lowest number. Directions have any length whose square neither vanishes
/// nor overflows: 1e-18 to 1e18 in float. 2D; `ids` and `direction` have the same length. Throws
/// `Error` for an invalid scene, an id out of range, a direction without length and a halfspace,
/// which has no farthest point.
template <class T>
void support_points(SceneArgument<2, T> scene, std::span<const std::int32_t> ids,
                    const ColumnSpan<T, 2>& direction, SupportBuffer<2, T>& support,
                    Workspace<2, T>& workspace, const CollideOptions& options = {});

}  // namespace widephase
