#pragma once

#include <string>
#include <vector>

#include "tools/formats/scene_file.hpp"

namespace widephase::tools {

/// One scene with the shapes of all: the rows of each kind one scene after the other. Owners,
/// bodies, point sets and keys of later scenes are numbered on so that none is shared; names that
/// an earlier scene has get the ending "#2". If some scenes name worlds, the shapes of those that
/// do not are in all worlds (-1), and a note says so. Throws a `FileError` that names both files
/// where scenes contradict each other: dimension, periodic domain, frames, `pairs`.
SceneFile merged(const std::string& path, const std::vector<const SceneFile*>& scenes,
                 std::vector<std::string>& notes);

}  // namespace widephase::tools
