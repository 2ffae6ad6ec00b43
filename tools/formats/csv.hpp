#pragma once

#include <string>
#include <vector>

#include "tools/formats/output_file.hpp"
#include "tools/formats/scene_file.hpp"

namespace widephase::tools {

/// Circles or spheres, one a line, under a header line `x,y[,z],radius[,world]`.
SceneFile read_csv(const std::string& path);

/// Throws `FileError` for a scene with more than CSV can hold. Answers the names of columns that
/// were left out without changing what collides.
std::vector<std::string> write_csv(const SceneFile& scene, OutputFile& file);

}  // namespace widephase::tools
