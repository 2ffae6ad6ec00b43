#pragma once

#include <string>
#include <vector>

#include "tools/formats/file_error.hpp"
#include "tools/formats/mesh_groups.hpp"
#include "tools/formats/scene_file.hpp"

namespace widephase::tools {

/// A scene with one hull per group, where its points are. `max_vertices` limits the vertices of
/// each hull (4 to 255; 0: up to 255). A hull with more vertices is replaced by a simpler one that
/// encloses it, and a note says by how much it is larger. Throws a `FileError` with the group's
/// name for points that have no hull.
SceneFile scene_of_hulls(const std::string& path, const std::vector<MeshGroup>& groups,
                         int max_vertices, std::vector<std::string>& notes);

/// Appends the hull of the points, or if it has more than `max_vertices`, a simpler one that
/// encloses them. Returns how far that one extends beyond the hull, else 0. Throws `Error` for
/// points that have no hull.
double add_hull_within(GeometryTable<Owned<3, double>>& hulls, const Column<double, 3>& points,
                       int max_vertices);

/// `group 2 "wheel"`; the number is the index of its hull or mesh.
std::string group_text(const MeshGroup& group, std::size_t number);
/// What is wrong with the hull or mesh of a group.
FileError refused_group(const std::string& path, const MeshGroup& group, std::size_t number,
                        const Error& error);

}  // namespace widephase::tools
