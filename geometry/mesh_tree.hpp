#pragma once

// The tree of a mesh (`MeshView`): which triangle is at which place, and bounds.

#include <cstdint>

#include <widephase/executor.hpp>

#include "soa/mesh_view.hpp"

namespace widephase {

/// Sets the numbers of places, levels and tiles of a mesh of which `places` triangles may be met.
/// Returns the tiles of all levels.
template <class T>
std::int32_t count_tiles(std::int32_t places, MeshView<T>& mesh);

/// Orders triangles so that those of a tile, and the tiles of a tile, lie together: halves of equal
/// numbers along the longest side of their middles, again and again. `order` holds them ascending.
/// Which triangles a tile has does not depend on the way of sorting or on threads.
template <class T>
void order_triangles(const MeshView<T>& mesh, std::int32_t* order, const Threads& threads);

/// How large tiles are, as sums of half their surfaces: of the boxes of triangles and of the lowest
/// tiles. A walk opens about as many tiles as their ratio says.
struct TileSizes {
  double triangles = 0, tiles = 0;
};

/// Writes the bounds of all tiles, and of the mesh. Past the positions memory may be read for one
/// more. With `have_area` tells whether all triangles with a place still have an area.
template <class T>
TileSizes fit_tiles(MeshView<T>& mesh, T* tiles, const Threads& threads, bool* have_area = nullptr);

}  // namespace widephase
