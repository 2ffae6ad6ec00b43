#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <widephase/scene.hpp>

namespace widephase::tools {

/// What was left out of a scene and how its ids were called before.
struct DroppedShapes {
  std::vector<std::string> messages;      ///< one a problem: array and row, what was left out
  std::size_t count = 0;                  ///< shapes left out
  std::vector<std::int32_t> original_id;  ///< by the new id; empty when nothing was left out
};

/// Takes the shapes that `validate` objects to out of the scene, those that name an empty geometry
/// with it, and out of `excluded` and the caller's pairs what names them. `refused`: why each
/// geometry that is empty is so, in their order (`make_convex`). Throws `Error` for a problem that
/// is no single shape's.
template <int D, class T>
DroppedShapes drop_invalid(SceneColumns<D, T>& scene, const std::vector<Finding>& refused,
                           std::optional<std::vector<Pair>>& pairs, double margin);

}  // namespace widephase::tools
