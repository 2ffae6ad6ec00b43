#pragma once

#include <optional>
#include <vector>

#include <widephase/shapes.hpp>

namespace widephase {

/// What is wrong with the columns of a table before any vertex is read: both offsets must rise from
/// 0 to the count of what they part, and the other columns have a row per mesh. An empty table is
/// valid.
template <class T>
std::optional<Finding> wrong_mesh_layout(const MeshTable<Borrowed<3, T>>& table);

/// What is wrong with mesh `m` of a table whose layout is right: vertices that are not finite,
/// triangles of vertices that are not there, no triangle with an area.
template <class T>
std::optional<Finding> wrong_mesh(const MeshTable<Borrowed<3, T>>& table, std::size_t m);

/// What is wrong with the meshes of a scene, the first finding per mesh, in their order, at most
/// `limit`.
template <class T>
std::vector<Finding> mesh_findings(const MeshTable<Borrowed<3, T>>& table, std::size_t limit);

}  // namespace widephase
