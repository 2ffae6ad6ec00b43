#pragma once

// What a kept tree holds: per world a tile tree, and the filters of its boxes.

#include <algorithm>
#include <vector>

#include <widephase/bounds_tree.hpp>

#include "pipeline/broad/periodic.hpp"
#include "pipeline/broad/tile_tree.hpp"
#include "pipeline/broad/world_groups.hpp"

namespace widephase {

/// The filters' columns, kept.
struct FilterColumns {
  Column<std::uint32_t> category;
  Column<std::uint32_t> mask;
  Column<std::int32_t> owner;
  Column<std::uint8_t> fixed;
  Column<std::int32_t> body;

  void copy(const FilterSpan& filters) {
    copy_column(filters.category, category);
    copy_column(filters.mask, mask);
    copy_column(filters.owner, owner);
    copy_column(filters.fixed, fixed);
    copy_column(filters.body, body);
  }
  FilterSpan span() const {
    FilterSpan filters;
    filters.category = category;
    filters.mask = mask;
    filters.owner = owner;
    filters.fixed = fixed;
    filters.body = body;
    return filters;
  }
  std::size_t bytes() const {
    return category.bytes() + mask.bytes() + owner.bytes() + fixed.bytes() + body.bytes();
  }

 private:
  template <class Value>
  static void copy_column(const ColumnSpan<Value>& from, Column<Value>& to) {
    to.resize_uninitialized(from.size());
    for (std::size_t i = 0; i < from.size(); ++i) to[i] = from[i];
  }
};

template <int D, class T>
struct BoundsTree<D, T>::State {
  std::size_t size = 0;
  WorldGroups groups;
  std::vector<TileTree<D, T>> trees;  ///< one per range of `groups`, and spare ones
  FilterColumns filters;
  Domain<D, T> domain;
  Box<D, T> hull;  ///< around all, wrapped; periodic domains only
  T widest[D] = {};

  /// The tree of a world, null if there is none.
  const TileTree<D, T>* tree_of(std::int32_t world) const {
    const std::vector<WorldRange>& ranges = groups.ranges();
    const auto found =
        std::lower_bound(ranges.begin(), ranges.end(), world,
                         [](const WorldRange& range, std::int32_t w) { return range.world < w; });
    const bool is_found = found != ranges.end() && found->world == world;
    return is_found ? &trees[static_cast<std::size_t>(found - ranges.begin())] : nullptr;
  }
  std::size_t bytes() const {
    std::size_t sum = groups.bytes() + filters.bytes();
    for (const TileTree<D, T>& tree : trees) sum += sizeof tree + tree.bytes();
    return sum;
  }
};

}  // namespace widephase
