#pragma once

// Contacts of shapes with surfaces (height fields and meshes), as an instruction set's object
// provides them. Such a pair has as many contacts as the surface has patches that touch the shape,
// so its room is not known before: a call that needs more says how much, and the caller repeats it.
// Every such object includes this header, so it has no inline function.

#include "kernels/table.hpp"
#include "soa/heightfield_view.hpp"
#include "soa/mesh_view.hpp"

namespace widephase {

/// A run of pairs (shape, surface); rows, anchors, rests and margins are as in `PairRun`.
template <class T>
struct SurfaceRun {
  PairRun<3, T> pairs;
  const HeightfieldView<T>* fields;  ///< by geometry
  const MeshView<T>* meshes;         ///< likewise
  std::int64_t most_patches;         ///< of a pair; 0: all
  double patch_cosine;               ///< patches have normals that agree to this
};

template <class T>
struct SurfacePoint {
  double offset[3];  ///< from A's anchor (the point of its row) to the point on A
  T depth;
  std::uint32_t feature;  ///< A's half and the surface's
  std::int32_t part;      ///< triangle
};

/// One contact: A's normal into the surface, in the scene's axes.
template <class T>
struct SurfacePatch {
  T normal[3];
  T depth;
  std::uint8_t status;
  std::int32_t point_count;
  SurfacePoint<T> points[4];
};

/// Scratch of one thread, which grows outside of kernels.
struct SurfaceRoom {
  std::byte* memory;  ///< aligned to 64
  std::size_t bytes;
};

/// What was found of pairs: patches within the room, a pair's ascending by their lowest triangle.
template <class T>
struct SurfaceAnswer {
  const SurfacePatch<T>* patches;
  std::int64_t count;
  std::int64_t triangles;              ///< that were listed
  std::int64_t left_out;               ///< patches beyond `most_patches`
  std::size_t bytes_needed;            ///< above the room's: the search was not made
  const std::int32_t* pair = nullptr;  ///< of each patch, from `begin` on; null: it is `begin`
  std::int64_t begin = 0, end = 0;     ///< the pairs of the run that were searched
};

template <class T>
struct SurfaceTable {
  /// The answer to `run.pairs.question` for pair `i` of the run, and for as many after it as are
  /// searched in lanes and find room: for `deepest` one patch of the least distance, whatever the
  /// margin.
  SurfaceAnswer<T> (*find_patches)(const SurfaceRun<T>& run, std::int64_t i,
                                   const SurfaceRoom& room);
};

/// The table of an instruction set that is in this build and that the CPU has (`chosen_isa`).
template <class T>
const SurfaceTable<T>& surface_table(Isa isa);

}  // namespace widephase
