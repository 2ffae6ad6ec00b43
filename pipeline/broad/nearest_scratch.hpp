#pragma once

// What `nearest_shapes` and `any_overlap` keep from one call to the next.

#include <cstdint>
#include <vector>

#include <widephase/distance.hpp>

#include "kernels/nearest_table.hpp"
#include "pipeline/broad/tile_tree.hpp"

namespace widephase {

/// The candidates that a thread finds at a time.
template <class P>
struct NearBlock {
  Column<P> bounds;
  Column<NearCandidate> found;
  Column<P> least;
  Column<Pair> pairs;
  Column<std::int32_t> pair_count;  ///< of each point
  NearestDone done{};
  std::size_t first_pair = 0;  ///< among those of all blocks
  std::vector<std::size_t> order;

  std::size_t bytes() const {
    return bounds.bytes() + found.bytes() + least.bytes() + pairs.bytes() + pair_count.bytes() +
           order.capacity() * sizeof(std::size_t);
  }
};

/// A row of the answer where one shape is asked for, on one cache line.
template <int D, class T>
struct alignas(32) NearRecord {
  PositionOf<T> point[D];
  SizeOf<T> distance;
  SizeOf<T> normal[D];
  std::int32_t shape;
};

template <int D, class T>
struct NearestScratch {
  TileTree<D, PositionOf<T>> frame_of;  ///< the frame in which points are sorted, and no boxes
  Column<std::int32_t> order;           ///< rows of the points, by world and along a curve
  Column<std::size_t> active;           ///< pieces that are not done
  std::vector<NearBlock<PositionOf<T>>> blocks;
  Column<Pair> pairs;                ///< by the ids of the rows that kernels read
  DistanceBuffer<D, T> distances;    ///< of them
  Column<NearRecord<D, T>> records;  ///< of the points, by their rows
  Column<std::uint8_t> is_contact;   ///< of `any_overlap`

  std::size_t bytes() const {
    std::size_t sum = frame_of.bytes() + order.bytes() + active.bytes() + pairs.bytes() +
                      records.bytes() + is_contact.bytes() + distances.distance.bytes() +
                      distances.normal.bytes() + distances.point_a.bytes() +
                      distances.point_b.bytes() + distances.feature.bytes() +
                      distances.status.bytes();
    for (const NearBlock<PositionOf<T>>& block : blocks) sum += sizeof block + block.bytes();
    return sum;
  }
};

}  // namespace widephase
