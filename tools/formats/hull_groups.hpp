#pragma once

#include <array>
#include <string>
#include <vector>

#include "tools/formats/scene_file.hpp"

namespace widephase::tools {

/// A part of a mesh that becomes one hull.
struct HullGroup {
  std::string name;                           ///< empty: none
  std::vector<std::array<double, 3>> points;  ///< finite; any order, with repeats
};

/// A scene of a hull a group, where its points are. `max_vertices` limits the vertices (4 to 255;
/// 0: no limit but 255): beyond, a simpler hull that encloses the group's, and a note says by how
/// much it exceeds. `FileError` naming the group for points that have no hull.
SceneFile scene_of_groups(const std::string& path, const std::vector<HullGroup>& groups,
                          int max_vertices, std::vector<std::string>& notes);

/// The groups of faces of a mesh; those without faces are left out.
std::vector<HullGroup> read_obj(const std::string& path);
std::vector<HullGroup> read_stl(const std::string& path);

}  // namespace widephase::tools
