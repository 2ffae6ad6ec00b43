#pragma once

#include <vector>

#include "tools/formats/scene_file.hpp"

namespace widephase::tools {

/// The scene whose box several scenes have together; null if they have none. Throws `FileError` for
/// two that wrap differently.
const SceneFile* scene_with_domain(const std::vector<const SceneFile*>& scenes);

}  // namespace widephase::tools
