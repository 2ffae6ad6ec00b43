#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <widephase/scene.hpp>

#include "tools/formats/mesh_groups.hpp"
#include "tools/formats/scene_file.hpp"

namespace widephase::tools {

/// What welding did to the meshes of a file.
struct Welded {
  std::int64_t vertices = 0;  ///< of all meshes, before
  std::int64_t united = 0;    ///< vertices that moved to another one
  std::int64_t collapsed =
      0;                ///< triangles that this left without three corners; they are left out
  double farthest = 0;  ///< that a vertex moved
};

/// Appends a group as a mesh. Equal vertices become one; with `weld` also each vertex that is
/// within this distance of an earlier one that stays. Throws `Error` for a mesh that the library
/// refuses.
void add_surface(MeshTable<Owned<3, double>>& meshes, const MeshGroup& group,
                 std::optional<double> weld, Welded& welded);

/// "scan.ply: welding within 0.001 united 12 of 300 vertices, ...".
std::string welded_text(const std::string& path, double weld, const Welded& welded);

/// A scene with one mesh per group, where its points are. Throws a `FileError` with the group's
/// name for a mesh that the library refuses.
SceneFile scene_of_surfaces(const std::string& path, const std::vector<MeshGroup>& groups,
                            std::optional<double> weld, std::vector<std::string>& notes);

}  // namespace widephase::tools
