#pragma once

// The function that `nearest_shapes` needs from an instruction set, in the objects of rays: from
// points to the shapes that may be nearest to them, by boxes alone. Every such object includes this
// header, so it has no inline function.

#include <cstddef>
#include <cstdint>

#include <widephase/isa.hpp>
#include <widephase/types.hpp>

#include "kernels/ray_table.hpp"

namespace widephase {

/// Points that go through a tree together.
inline constexpr int kPacketPoints = 16;

/// A shape that may be among the nearest of points of a packet.
struct NearCandidate {
  std::int32_t shape;
  std::uint32_t points;  ///< a bit for each of these
};

/// Points of one world, in the order of `order`.
template <int D, class P>
struct NearestJob {
  const RayTree<D, P>* trees;
  std::int32_t tree_count;
  const std::int32_t* halfspaces;  ///< ids
  std::int32_t halfspace_count;
  const std::int32_t* first_of_kind;  ///< kKindCount + 1 ids
  /// The boxes of the shapes by id; null if those of the tree are these.
  const P* box_min[D];
  const P* box_max[D];
  P grown;  ///< boxes are this much wider than their shapes, at most
  P slack;  ///< the relative error allowed for distances
  /// Whether a shape's depth may be as large as its box: parts of outlines.
  bool has_inner_edges;
  Plane<P> point[D];
  const std::int32_t* order;  ///< rows; null: first_point + i
  std::int64_t first_point;
  std::int64_t count;
  std::int64_t k;
  P most;  ///< no farther ones are wanted
  /// Whether a shape and a point may meet; null: all may.
  bool (*may_meet)(const void* filter, std::int32_t shape, std::int64_t point);
  const void* filter;
  P* bounds;             ///< room for k numbers of each point of a packet
  NearCandidate* found;  ///< room for the candidates of a packet
  P* least;              ///< and for lower bounds of their distances to its points
  std::size_t found_room;
  Pair* pairs;  ///< {shape, row}, the pairs of a point one after the other
  std::size_t pair_room;
  std::int32_t* pair_count;  ///< of each point, in order
};

/// How far a job came. Where room is lacking it ends before a packet.
struct NearestDone {
  std::int64_t points;
  std::size_t pairs;
};

template <int D, class P>
struct NearestTable {
  NearestDone (*find)(const NearestJob<D, P>& job);
};

/// The table of an instruction set that is in this build and that the CPU has (`chosen_isa`).
template <int D, class P>
const NearestTable<D, P>& nearest_table(Isa isa);

}  // namespace widephase
