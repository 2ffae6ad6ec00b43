#pragma once

// What calls with rays keep from one to the next.

#include <cstdint>
#include <vector>

#include "kernels/ray_table.hpp"
#include "pipeline/broad/tile_tree.hpp"
#include "pipeline/broad/world_groups.hpp"
#include "pipeline/rows/pair_filter.hpp"

namespace widephase {

/// Rays of one world and what they meet, by places in lists of all worlds.
struct RayPiece {
  std::size_t range;  ///< of the rays' worlds
  std::size_t begin;  ///< places of the rays
  std::size_t end;
};
/// What the rays of a world meet.
struct RayWorld {
  std::size_t first_tree, tree_count;
  std::size_t first_halfspace, halfspace_count;
};

template <int D, class T>
struct RayScratch {
  WorldGroups groups;
  GroupScratch group;
  PairFilter filter;
  Column<std::uint8_t> world_mask;  ///< by world
  Column<std::int32_t> body;        ///< of the rays, as filters see bodies of a kept scene
  Column<std::int32_t, 2> excluded_owners, excluded_bodies;
  std::vector<std::uint64_t> halfspaces_by_world;  ///< world + 1 and id
  std::vector<std::int32_t> halfspaces;
  std::vector<RayTree<D, PositionOf<T>>> trees;
  std::vector<RayWorld> worlds;
  std::vector<RayPiece> pieces;
  std::vector<std::size_t> tasks;  ///< the first piece of each
  std::vector<RayCounts> counts;   ///< of each task
  Column<std::int32_t> order;  ///< rays in the order in which they go, where that is not their own
  TileTree<D, PositionOf<T>> frame_of;  ///< the frame in which they are sorted, and no boxes
  std::vector<FieldTops<SizeOf<T>>> fields;  ///< by geometry, and their numbers
  Column<SizeOf<T>> tops;
  RayPath path = RayPath::by_counts;

  std::size_t bytes() const {
    return groups.bytes() + group.bytes() + filter.bytes() + world_mask.bytes() + body.bytes() +
           excluded_owners.bytes() + excluded_bodies.bytes() +
           halfspaces_by_world.capacity() * sizeof(std::uint64_t) +
           halfspaces.capacity() * sizeof(std::int32_t) +
           trees.capacity() * sizeof(RayTree<D, PositionOf<T>>) +
           worlds.capacity() * sizeof(RayWorld) + pieces.capacity() * sizeof(RayPiece) +
           order.bytes() + frame_of.bytes() + tasks.capacity() * sizeof(std::size_t) +
           counts.capacity() * sizeof(RayCounts) +
           fields.capacity() * sizeof(FieldTops<SizeOf<T>>) + tops.bytes();
  }
};

}  // namespace widephase
