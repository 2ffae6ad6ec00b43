#pragma once

// What a kept tree holds: per world a tile tree, and the filters of its boxes.

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <vector>

#include <widephase/bounds_tree.hpp>

#include "pipeline/broad/box_sorter.hpp"
#include "pipeline/broad/kept_order.hpp"
#include "pipeline/broad/periodic.hpp"
#include "pipeline/broad/tile_tree.hpp"
#include "pipeline/broad/world_groups.hpp"
#include "soa/copy_column.hpp"

namespace widephase {

/// Worlds of up to as many boxes have no tiles before a question needs them.
inline constexpr std::size_t kMostLate = 128;

/// A small world's boxes are sorted anew after as many steps in their kept order.
inline constexpr std::uint8_t kMostOrdered = 16;

/// The orders of the boxes of worlds, kept from one build to the next.
template <int D, class T>
struct TreeOrders {
  bool is_kept = false;
  std::vector<WorldRange> ranges;      ///< of the last build
  std::vector<KeptOrder<D, T>> large;  ///< per range, of worlds from `kLeastKept` boxes on
  Column<std::int32_t> rows;           ///< of smaller ones, by place
  std::vector<std::uint8_t> age;       ///< steps since the rows of a range were sorted; 0: none are

  /// Keeps the orders only while worlds have as many boxes as before.
  void begin(bool keeps, const std::vector<WorldRange>& now) {
    const auto is_same = [](const WorldRange& a, const WorldRange& b) {
      return a.begin == b.begin && a.end == b.end;
    };
    const bool is_as_before =
        keeps && is_kept &&
        std::equal(ranges.begin(), ranges.end(), now.begin(), now.end(), is_same);
    if (is_as_before) return;
    is_kept = false;  // until there is memory for all of it
    large.clear();
    age.clear();
    ranges.clear();
    if (!keeps) return;
    ranges = now;
    std::size_t places = 0;
    for (const WorldRange& range : ranges) places = std::max(places, range.end);
    rows.resize_uninitialized(places);
    age.assign(ranges.size(), 0);
    large.resize(ranges.size());
    is_kept = true;
  }
  std::size_t bytes() const {
    std::size_t sum = rows.bytes() + age.capacity() + ranges.capacity() * sizeof(WorldRange);
    for (const KeptOrder<D, T>& order : large) sum += sizeof order + order.bytes();
    return sum;
  }
};

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
};

template <int D, class T>
struct BoundsTree<D, T>::State {
  std::size_t size = 0;
  WorldGroups groups;
  /// One per range of `groups`, and spare ones. Those of small worlds are made of `boxes` by the
  /// first question that needs them; threads may share the tree.
  mutable std::vector<TileTree<D, T>> trees;
  BoundsBuffer<D, T> boxes;                   ///< by id, wrapped; empty if no world is small
  mutable std::vector<std::uint8_t> is_made;  ///< per range, by `std::atomic_ref`
  mutable std::mutex mutex;
  mutable TreeOrders<D, T> orders;
  FilterColumns filters;
  Domain<D, T> domain;
  Box<D, T> hull;  ///< around all, wrapped; periodic domains only
  T widest[D] = {};

  /// Whether the tree of a range is made when it is needed. The first one gives others its frame.
  bool is_late(std::size_t range) const {
    return range != 0 && groups.ranges()[range].box_count() <= kMostLate;
  }

  /// The range of a world, or the count of ranges.
  std::size_t range_of(std::int32_t world) const {
    const std::vector<WorldRange>& ranges = groups.ranges();
    const auto found =
        std::lower_bound(ranges.begin(), ranges.end(), world,
                         [](const WorldRange& range, std::int32_t w) { return range.world < w; });
    const bool is_found = found != ranges.end() && found->world == world;
    return is_found ? static_cast<std::size_t>(found - ranges.begin()) : ranges.size();
  }
  std::size_t bytes() const {
    const std::lock_guard lock(mutex);
    std::size_t sum =
        groups.bytes() + filters.bytes() + boxes.min.bytes() + boxes.max.bytes() + orders.bytes();
    for (const TileTree<D, T>& tree : trees) sum += sizeof tree + tree.bytes();
    return sum;
  }
};

/// The tree of a range of the worlds, which is made unless it is there. Threads may share `kept`.
template <int D, class T>
const TileTree<D, T>& tree_of_range(const BroadTable<D, T>& kernels,
                                    const typename BoundsTree<D, T>::State& kept, std::size_t range,
                                    BuildScratch<D, T>& scratch);

}  // namespace widephase
