#pragma once

#include <array>
#include <string>
#include <vector>

#include "tools/formats/scene_file.hpp"

namespace widephase::tools {

/// A part of a mesh that becomes one hull.
struct HullGroup {
  std::string name;                           ///< empty: no name
  std::vector<std::array<double, 3>> points;  ///< finite; in any order, may repeat
};

/// A scene with one hull per group, where its points are. `max_vertices` limits the vertices of
/// each hull (4 to 255; 0: up to 255). A hull with more vertices is replaced by a simpler one that
/// encloses it, and a note says by how much it is larger. Throws a `FileError` with the group's
/// name for points that have no hull.
SceneFile scene_of_groups(const std::string& path, const std::vector<HullGroup>& groups,
                          int max_vertices, std::vector<std::string>& notes);

/// Appends the hull of the points, or if it has more than `max_vertices`, a simpler one that
/// encloses them. Returns how far that one extends beyond the hull, else 0. Throws `Error` for
/// points that have no hull.
double add_hull_within(GeometryTable<Owned<3, double>>& hulls, const Column<double, 3>& points,
                       int max_vertices);

/// The groups of faces of a mesh; groups without faces are left out.
std::vector<HullGroup> read_obj(const std::string& path);
std::vector<HullGroup> read_stl(const std::string& path);
/// The same from the bytes of a file; `path` is for messages. `may_be_points`: without any faces,
/// all vertices are a group.
std::vector<HullGroup> read_obj(const std::string& path, const std::string& text,
                                bool may_be_points = false);
std::vector<HullGroup> read_stl(const std::string& path, const std::string& bytes);

}  // namespace widephase::tools
