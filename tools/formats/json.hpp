#pragma once

#include <string>

#include "tools/formats/output_file.hpp"
#include "tools/formats/scene_file.hpp"

namespace widephase::tools {

/// A scene written by hand: the names of the archive as nested objects. A single number may stand
/// for a whole column if all shapes have the same.
SceneFile read_json(const std::string& path);

void write_json(const SceneFile& scene, OutputFile& file);

}  // namespace widephase::tools
