#pragma once

// The functions that rays need from an instruction set, in objects of their own: plain functions
// over plain structs. Every such object includes this header, so it has no inline function.

#include <cstddef>
#include <cstdint>

#include <widephase/cast_status.hpp>
#include <widephase/isa.hpp>
#include <widephase/types.hpp>

#include "kernels/table.hpp"
#include "soa/chain_view.hpp"
#include "soa/heightfield_view.hpp"
#include "soa/mesh_view.hpp"

namespace widephase {

/// Rays that go through a tree together; groups of as many are loaded at once.
inline constexpr int kPacketRays = 64;

/// One world's tile tree (kernels/broad_table.hpp).
template <int D, class P>
struct RayTree {
  const float* const* levels;  ///< the topmost has one tile
  int level_count;
  const std::int32_t* lanes;  ///< ids of the leaves' lanes; in double their rows
  const std::int32_t* ids;    ///< of rows; null: first_id + row
  std::int32_t first_id;
  P origin[D];
};

/// Cells along a side of the blocks in which rays look a field over.
inline constexpr int kFieldBlock = 8;

/// The highest sample of each block of a height field's cells, row by row; of samples that are all
/// holes, minus infinity.
template <class S>
struct FieldTops {
  const S* tops;
  std::int32_t columns;
};

/// The shapes that rays meet.
template <int D, class T>
struct RayShapes {
  using S = SizeOf<T>;
  using P = PositionOf<T>;
  const S* rows[kKindCount];     ///< packed rows, offset so that ids index them
  const P* anchors[kKindCount];  ///< only for `Mixed`, likewise
  std::int32_t first[kKindCount + 1];
  const S* rests;  ///< of polygons or hulls, likewise; null if there are none
  const S* library;
  const std::int16_t* indices;
  const HeightfieldView<S>* fields;  ///< by geometry
  const MeshView<S>* meshes;         ///< likewise
  const S* margins;                  ///< by id; null if no shape has its own
  /// The boxes that decide about candidates, by id; null if those of the tree do.
  const P* box_min[D];
  const P* box_max[D];
  const FieldTops<S>* tops;    ///< by geometry; null: not known. They change no answer.
  const ChainView<S>* chains;  ///< by geometry
};

/// How groups of rays go through a tree. It changes no answer.
enum class RayPath : std::uint8_t { by_counts, packets, singles };

/// Rays of one world, in the order of `order`, and where their answers go, by row.
template <int D, class T>
struct RayJob {
  using S = SizeOf<T>;
  using P = PositionOf<T>;
  const RayShapes<D, T>* shapes;
  const RayTree<D, P>* trees;
  std::int32_t tree_count;
  const std::int32_t* halfspaces;  ///< ids
  std::int32_t halfspace_count;
  Plane<P> origin[D];
  Plane<S> direction[D];
  Plane<S> max_t;             ///< null data: none
  const std::int32_t* order;  ///< rows; null: first_ray + i
  std::int64_t first_ray;
  std::int64_t count;
  S margin;
  Inside inside;
  RayPath path;
  /// Whether a shape and a ray may meet; null: all may.
  bool (*may_meet)(const void* filter, std::int32_t shape, std::int64_t ray);
  const void* filter;
  std::uint8_t* any;  ///< not null: only whether something is hit, and nothing below is written
  std::int32_t* shape;
  S* t;
  S* normal[D];  ///< null without normals, as are the next two
  P* point[D];
  std::uint32_t* feature;
  std::uint8_t* status;
  std::int32_t* part;  ///< null without surfaces, or without normals
};

/// Counts over the jobs so far.
struct RayCounts {
  std::int64_t hits;
  std::int64_t packet_rays;
  std::int64_t tiles;
  std::int64_t tests;
};

template <int D, class T>
struct RayTable {
  void (*cast)(const RayJob<D, T>& job, RayCounts& counts);
};

/// As for `KernelTable`: what the objects in float and in double have.
template <template <int, class> class Table, int D, class Real>
struct PrecisionTables;
template <template <int, class> class Table, int D>
struct PrecisionTables<Table, D, float> {
  Table<D, float> plain;
};
template <template <int, class> class Table, int D>
struct PrecisionTables<Table, D, double> {
  Table<D, double> plain;
  Table<D, Mixed> mixed;
};
template <int D, class Real>
using RayTables = PrecisionTables<RayTable, D, Real>;

/// The table of an instruction set that is in this build and that the CPU has (`chosen_isa`).
template <int D, class T>
const RayTable<D, T>& ray_table(Isa isa);

}  // namespace widephase
