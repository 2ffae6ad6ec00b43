#pragma once

#include <string>
#include <vector>

#include "tools/formats/output_file.hpp"
#include "tools/formats/scene_file.hpp"

namespace widephase::tools {

/// Circles or spheres, one per line, under a header line `x,y[,z],radius[,world]`.
SceneFile read_csv(const std::string& path);

/// Throws `FileError` if the scene has shapes or columns that matter and CSV cannot hold. Returns
/// the names of columns that were left out without changing the contacts.
std::vector<std::string> write_csv(const SceneFile& scene, OutputFile& file);

}  // namespace widephase::tools
