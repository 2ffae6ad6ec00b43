#pragma once

#include <widephase/scene.hpp>

#include "soa/kind_traits.hpp"

namespace widephase {

/// The first id of a shape without bounds; all from there on are such.
inline std::int32_t first_unbounded_id(const SceneLayout& layout) {
  return layout.first[static_cast<std::size_t>(first_unbounded_kind())];
}

}  // namespace widephase
