#pragma once

// The meshes that 3D shapes share (`SceneColumns<3, T>::mesh_geometries`).

#include <type_traits>

#include <widephase/export.h>
#include <widephase/shapes.hpp>

namespace widephase {

/// The most triangles, and the most vertices, of a mesh, so that all have numbers.
inline constexpr std::int64_t kMostTriangles = std::int64_t{1} << 29;

/// Appends a mesh and returns its index. `indices` are its triangles, three vertices each,
/// counter-clockwise as seen from the front; with `two_sided` both sides are fronts. The last
/// `beyond` of them are neighbours'.
///
/// Throws `Error` naming `vertices`, `indices` or `beyond`, with the row where a number is at
/// fault; the table then stays as it was. What is allowed is in `MeshTable`.
template <class T>
WIDEPHASE_API std::int32_t add_mesh(MeshTable<Owned<3, T>>& table,
                                    const std::type_identity_t<ColumnSpan<T, 3>>& vertices,
                                    const ColumnSpan<std::int32_t, 3>& indices,
                                    bool two_sided = false, std::int32_t beyond = 0);

/// What a mesh is made of.
struct MeshSummary {
  std::int64_t triangles = 0;     ///< of the table
  std::int64_t beyond = 0;        ///< the last of these, which are neighbours'
  std::int64_t vertices = 0;      ///< places: equal vertices are one
  std::int64_t borders = 0;       ///< edges that are not between two triangles of one front
  std::int64_t flips = 0;         ///< borders between two triangles whose fronts differ
  std::int64_t duplicates = 0;    ///< triangles that repeat an earlier one, which meet nothing
  std::int64_t without_area = 0;  ///< triangles without an area, which meet nothing
};

/// Counts what mesh `index` is made of: scans have flips and borders where none should be. Throws
/// `Error` if there is no such mesh or it is not valid.
template <class Storage>
WIDEPHASE_API MeshSummary mesh_summary(const MeshTable<Storage>& table, std::int32_t index);

}  // namespace widephase
