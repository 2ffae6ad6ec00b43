#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <widephase/scene.hpp>

namespace widephase::tools {

/// What was left out of a scene, and the earlier ids of the other shapes.
struct DroppedShapes {
  std::vector<std::string> messages;      ///< one per problem: array and row, what was left out
  std::size_t count = 0;                  ///< shapes left out
  std::vector<std::int32_t> original_id;  ///< indexed by the new id; empty if nothing was left out
};

/// Removes from the scene the shapes that `validate` rejects and those that name an empty geometry.
/// Also removes the entries of `excluded` and of the caller's pairs that name them. `refused` has
/// the reason for each empty geometry, in their order (from `make_convex`). Throws `Error` for a
/// problem that is not about a single shape.
template <int D, class T>
DroppedShapes drop_invalid(SceneColumns<D, T>& scene, const std::vector<Finding>& refused,
                           std::optional<std::vector<Pair>>& pairs, double margin);

}  // namespace widephase::tools
