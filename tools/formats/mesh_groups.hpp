#pragma once

// What the readers of meshes return: groups of faces, which become hulls or surfaces.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace widephase::tools {

/// A group of the faces of a mesh.
struct MeshGroup {
  std::string name;                                    ///< empty: no name
  std::vector<std::array<double, 3>> points;           ///< finite; in any order, may repeat
  std::vector<std::array<std::int32_t, 3>> triangles;  ///< of points; for surfaces only
};

/// What is made of a mesh. A hull needs points alone. `all_vertices` are those of a PLY, whether a
/// face names them or not.
enum class MeshUse { hull, hull_of_all_vertices_without_faces, surface, all_vertices };

/// The groups of faces of a mesh; groups without faces are left out.
std::vector<MeshGroup> read_obj(const std::string& path, MeshUse use);
std::vector<MeshGroup> read_stl(const std::string& path, MeshUse use);
std::vector<MeshGroup> read_ply(const std::string& path, MeshUse use);
/// The same from the bytes of a file; `path` is for messages.
std::vector<MeshGroup> read_obj(const std::string& path, const std::string& text, MeshUse use);
std::vector<MeshGroup> read_stl(const std::string& path, const std::string& bytes, MeshUse use);
std::vector<MeshGroup> read_ply(const std::string& path, const std::string& bytes, MeshUse use);

}  // namespace widephase::tools
