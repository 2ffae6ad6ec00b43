#pragma once

// The functions that shape casts need from an instruction set, in objects of their own: plain
// functions over plain structs. Every such object includes this header, so it has no inline
// function.

#include "kernels/ray_table.hpp"

namespace widephase {

/// What a moving shape met: one that stands, in the scene's axes and in double.
struct CastFound {
  std::int32_t shape;    ///< that stands; -1: none
  std::int32_t part;     ///< triangle or segment; -1 for other shapes
  std::int32_t feature;  ///< of it; -1 for other shapes
  CastStatus status;
  bool has_point;  ///< else it is measured where the shapes touch
  double t;
  double normal[3];  ///< unit, outwards from the standing shape; unset for a start
  double point[3];   ///< on the standing shape; unset for a start
};

/// What all casts of a call have in common. Shapes are named by the ids of `shapes`.
template <int D, class T>
struct CastWays {
  using S = SizeOf<T>;
  const RayShapes<D, T>* shapes;
  Plane<S> direction[D];  ///< by row
  Plane<S> max_t;         ///< likewise; null data: 1
  S margin;
  double tolerance;  ///< a length by which a cast may end before the contact
};

/// The caller's pairs: B moves, A stands.
template <int D, class T>
struct CastPairJob {
  CastWays<D, T> ways;
  const Pair* pairs;
  std::int64_t first, count;
  CastFound* found;  ///< by pair
};

/// Moving shapes of one world, and what stands in it.
template <int D, class T>
struct CastSceneJob {
  using P = PositionOf<T>;
  CastWays<D, T> ways;
  const RayTree<D, P>* trees;
  std::int32_t tree_count;
  const std::int32_t* halfspaces;  ///< kept ids
  std::int32_t halfspace_count;
  const std::int32_t* order;  ///< moving ids; null: first + i
  std::int64_t first;
  std::int64_t count;
  /// From an id of either scene to one of `shapes`: the first id of each kind, and what to add.
  const std::int32_t* first_kept;
  const std::int32_t* first_moving;
  const std::int32_t* shift_kept;
  const std::int32_t* shift_moving;
  /// Whether two of `shapes` may meet; null: all may.
  bool (*may_meet)(const void* filter, std::int32_t kept, std::int32_t moving);
  const void* filter;
  bool has_starts;    ///< shapes that overlap at the start count
  Pair* starts;       ///< null, or where pairs (kept, moving) that overlap at the start go instead
  std::int64_t room;  ///< for starts
  CastFound* found;   ///< by moving id
};

/// How far a call came before there was no more room for starts.
struct CastDone {
  std::int64_t shapes;
  std::int64_t starts;
  std::int64_t tests;  ///< of pairs
};

template <int D, class T>
struct CastTable {
  void (*cast_pairs)(const CastPairJob<D, T>& job);
  CastDone (*cast_scene)(const CastSceneJob<D, T>& job);
};

template <int D, class Real>
using CastTables = PrecisionTables<CastTable, D, Real>;

/// The table of an instruction set that is in this build and that the CPU has (`chosen_isa`).
template <int D, class T>
const CastTable<D, T>& cast_table(Isa isa);

}  // namespace widephase
