#pragma once

// Contacts of shapes with surfaces (height fields, meshes and chains) and of two of these, as an
// instruction set's object provides them. Such a pair has as many contacts as the surface has
// patches that touch the shape, so its room is not known before: a call that needs more says how
// much, and the caller repeats it. Every such object includes this header, so it has no inline
// function.

#include "kernels/table.hpp"
#include "soa/chain_view.hpp"
#include "soa/heightfield_view.hpp"
#include "soa/mesh_view.hpp"

namespace widephase {

template <class T>
struct FlushRows;

/// A run of pairs (shape, surface) or of two surfaces; rows, anchors, rests and margins are as in
/// `PairRun`.
template <class T, int D = 3>
struct SurfaceRun {
  PairRun<D, T> pairs;
  const HeightfieldView<T>* fields;  ///< by geometry; in 3D
  const MeshView<T>* meshes;         ///< likewise
  const ChainView<T>* chains;        ///< in 2D
  std::int64_t most_patches;         ///< of a pair; 0: all
  double patch_cosine;               ///< patches have normals that agree to this
  const FlushRows<T>* flush;         ///< null: shapes are no flush parts
};

template <class T, int D = 3>
struct SurfacePoint {
  double offset[D];  ///< from A's anchor (the point of its row) to the point on A
  T depth;
  std::uint32_t feature;  ///< A's half and the surface's
  std::int32_t part;      ///< triangle or segment
  std::int32_t part_a;    ///< A's, where A is a surface too
};

/// One contact: A's normal into the surface, in the scene's axes.
template <class T, int D = 3>
struct SurfacePatch {
  T normal[D];
  T depth;
  std::uint8_t status;
  std::int32_t point_count;
  SurfacePoint<T, D> points[D == 2 ? 2 : 4];
};

/// Scratch of one thread, which grows outside of kernels.
struct SurfaceRoom {
  std::byte* memory;  ///< aligned to 64
  std::size_t bytes;
};

/// What was found of pairs: patches within the room, a pair's ascending by their lowest part.
template <class T, int D = 3>
struct SurfaceAnswer {
  const SurfacePatch<T, D>* patches;
  std::int64_t count;
  std::int64_t triangles;              ///< or segments, that were listed
  std::int64_t left_out;               ///< patches beyond `most_patches`
  std::size_t bytes_needed;            ///< above the room's: the search was not made
  const std::int32_t* pair = nullptr;  ///< of each patch, from `begin` on; null: it is `begin`
  std::int64_t begin = 0, end = 0;     ///< the pairs of the run that were searched
};

template <class T, int D = 3>
struct SurfaceTable {
  /// The answer to `run.pairs.question` for pair `i` of the run, and for as many after it as are
  /// searched in lanes and find room: for `deepest` one patch of the least distance, whatever the
  /// margin.
  SurfaceAnswer<T, D> (*find_patches)(const SurfaceRun<T, D>& run, std::int64_t i,
                                      const SurfaceRoom& room);
};

/// The table of an instruction set that is in this build and that the CPU has (`chosen_isa`).
template <class T, int D = 3>
const SurfaceTable<T, D>& surface_table(Isa isa);

}  // namespace widephase
