#pragma once

// What kernels read of a mesh. Every instruction set's object includes this header, so it has no
// function.

#include <cstdint>

namespace widephase {

/// Bounds are tested this many at a time.
inline constexpr int kMeshTile = 16;
/// Sixteen to the power of this is more than the triangles of a mesh.
inline constexpr int kMostMeshLevels = 8;
/// In `MeshView::across`: the edge is a border; it is of a triangle without area; it is of one that
/// repeats an earlier one. The last two meet nothing.
inline constexpr std::int32_t kNoTriangle = -1, kWithoutArea = -2, kRepeated = -3;

/// How the triangles of a mesh hang together.
struct MeshTopology {
  const std::int32_t* corners = nullptr;     ///< three vertices by triangle
  const std::int32_t* across = nullptr;      ///< by edge (k leads from corner k to the next)
  const std::int32_t* ring_begin = nullptr;  ///< by vertex, and an end: where its ring begins
  const std::int32_t* ring = nullptr;        ///< the triangles at a vertex, ascending
};

/// A mesh as kernels read it: its triangles, what is beside them, and a tree of
/// the bounds of its own.
///
/// The tree is implicit. Place i of level 0 is the triangle `order[i]`; place i of the next level
/// is the tile of the places 16 i ... 16 i + 15. A tile holds 96 numbers: the least x of its 16
/// places, then y and z, then the greatest ones. Places past the last one have no bounds: their
/// least numbers are infinite.
template <class T>
struct MeshView : MeshTopology {
  const T* positions = nullptr;         ///< x, y, z by vertex; no two are equal
  const std::int32_t* order = nullptr;  ///< the own triangles that may be met, by place
  const T* tiles = nullptr;             ///< level after level
  std::int32_t vertex_count = 0;
  std::int32_t triangle_count = 0;
  std::int32_t own_count = 0;    ///< of these; the others are neighbours'
  std::int32_t place_count = 0;  ///< of level 0
  int level_count = 0;
  std::int32_t level_begin[kMostMeshLevels] = {};  ///< the first tile of each level
  T low[3] = {};                                   ///< the bounds of all that may be met
  T high[3] = {};
  bool is_two_sided = false;
  /// The same mesh with a tree of the neighbours' triangles beyond its borders; null for none.
  const MeshView* beyond = nullptr;
};

}  // namespace widephase
