#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/formats/file_error.hpp"
#include "tools/formats/output_file.hpp"
#include "tools/formats/scene_file.hpp"

namespace widephase::tools {

/// A CSV whose header names no radius, although no radius of all is given.
class NoRadius : public FileError {
 public:
  using FileError::FileError;
};

/// Circles or spheres, one per line, under a header line `x,y[,z],radius[,world]` in any order and
/// case. `radius` is that of all where the header names none.
SceneFile read_csv(const std::string& path, std::optional<double> radius = {});

/// Throws `FileError` if the scene has shapes or columns that matter and CSV cannot hold. Returns
/// the names of columns that were left out without changing the contacts.
std::vector<std::string> write_csv(const SceneFile& scene, OutputFile& file);

}  // namespace widephase::tools
