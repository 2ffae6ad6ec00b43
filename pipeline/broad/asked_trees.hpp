#pragma once

// What rays and points ask of a static scene: the trees and halfspaces of their worlds, and which
// shapes pass their filters.

#include <algorithm>

#include "pipeline/broad/bounds_tree_state.hpp"
#include "pipeline/broad/ray_scratch.hpp"
#include "pipeline/rows/static_scene_state.hpp"
#include "soa/column_layout.hpp"
#include "soa/number_text.hpp"
#include "soa/unbounded_ids.hpp"

namespace widephase {

/// Throws `Error` for a column of filters that has not a row for each of the `count` rays or
/// points.
inline void require_filters(const FilterSpan& filters, std::size_t count, std::string_view what) {
  const auto require = [&](const char* array, std::size_t size) {
    if (size == count || size == 0) return;
    throw Error(Finding{array, -1,
                        "has " + number(size) + " rows; give one per " + std::string(what) + " (" +
                            number(count) + ") or none"});
  };
  require("world", filters.world.size());
  require("category", filters.category.size());
  require("mask", filters.mask.size());
  require("owner", filters.owner.size());
  require("body", filters.body.size());
  if (filters.fixed.empty()) return;
  throw Error(
      Finding{"fixed", -1, "is not for " + std::string(what) + "s: all static shapes are fixed"});
}

/// Sets the filter of shapes and of what asks; false if all of one world may meet.
template <int D, class T>
bool set_filter(const typename StaticScene<D, T>::State& kept, FilterSpan of_rays,
                std::size_t count, RayScratch<D, T>& scratch) {
  FilterSpan of_shapes = kept.tree.state().filters.span();
  of_shapes.fixed = {};
  of_rays.world = {};
  of_rays.world_mask = {};
  const auto copy = [](const ColumnSpan<std::int32_t, 2>& from, const auto& name_of,
                       Column<std::int32_t, 2>& to) {
    const std::size_t before = to.size();
    to.resize_uninitialized(before + from.size());
    for (std::size_t i = 0; i < from.size(); ++i) {
      for (int w = 0; w < 2; ++w) to(before + i, w) = name_of(from(i, w));
    }
  };
  require_layout("body", of_rays.body);
  require_layout("excluded_owners", of_rays.excluded_owners);
  require_layout("excluded_bodies", of_rays.excluded_bodies);
  scratch.body.resize_uninitialized(of_rays.body.size());
  for (std::size_t i = 0; i < of_rays.body.size(); ++i) {
    scratch.body[i] = kept_body(of_rays.body[i]);
  }
  of_rays.body = scratch.body;
  scratch.excluded_owners.clear();
  copy(
      of_rays.excluded_owners, [](std::int32_t owner) { return owner; }, scratch.excluded_owners);
  copy(
      kept.excluded_owners, [](std::int32_t owner) { return owner; }, scratch.excluded_owners);
  of_rays.excluded_owners = scratch.excluded_owners;
  scratch.excluded_bodies.clear();
  copy(of_rays.excluded_bodies, kept_body, scratch.excluded_bodies);
  of_rays.excluded_bodies = scratch.excluded_bodies;
  scratch.filter.set(of_shapes, kept.tree.state().size, of_rays, count);
  const auto both = [](const auto& a, const auto& b) { return !a.empty() && !b.empty(); };
  return !of_shapes.category.empty() || !of_shapes.mask.empty() || !of_rays.category.empty() ||
         !of_rays.mask.empty() || both(of_shapes.owner, of_rays.owner) ||
         both(of_shapes.body, of_rays.body) || !of_rays.excluded.empty();
}

/// The filter as kernels ask it.
inline bool may_meet_kept(const void* filter, std::int32_t shape, std::int64_t ray) {
  Pair pair{shape, static_cast<std::int32_t>(ray)};
  return static_cast<const PairFilter*>(filter)->keep(&pair, 1) == 1;
}

/// Lists the trees and halfspaces that each world that asks meets.
template <int D, class T>
void find_worlds(const typename StaticScene<D, T>::State& kept, const WorldMask& mask,
                 const BroadTable<D, PositionOf<T>>& kernels, BuildScratch<D, PositionOf<T>>& build,
                 RayScratch<D, T>& scratch) {
  using P = PositionOf<T>;
  const auto& tree = kept.tree.state();
  const std::vector<WorldRange>& ranges = tree.groups.ranges();
  scratch.trees.clear();
  scratch.halfspaces.clear();
  scratch.worlds.clear();
  scratch.halfspaces_by_world.clear();
  const UnboundedIds unbounded = unbounded_ids(kept.rows.layout);
  for (std::int32_t id = unbounded.begin; id < unbounded.end; ++id) {
    const auto world = static_cast<std::uint64_t>(kept.rows.world_of(id) + 1);
    scratch.halfspaces_by_world.push_back(world << 32 | static_cast<std::uint32_t>(id));
  }
  std::sort(scratch.halfspaces_by_world.begin(), scratch.halfspaces_by_world.end());
  const auto add_tree = [&](std::size_t range) {
    if (range >= ranges.size() || tree.size == 0) return;
    const TileTree<D, P>& made = tree_of_range<D, P>(kernels, tree, range, build);
    if (made.level_count == 0) return;
    RayTree<D, P> of_rays{made.level, made.level_count, made.lane_ids.plane(),
                          made.ids,   made.first_id,    {}};
    std::copy_n(made.origin, D, of_rays.origin);
    scratch.trees.push_back(of_rays);
  };
  const auto add_halfspaces = [&](std::int32_t world) {
    const auto first = static_cast<std::uint64_t>(world + 1) << 32;
    auto at = std::lower_bound(scratch.halfspaces_by_world.begin(),
                               scratch.halfspaces_by_world.end(), first);
    for (; at != scratch.halfspaces_by_world.end() && *at >> 32 == first >> 32; ++at) {
      scratch.halfspaces.push_back(static_cast<std::int32_t>(*at & 0xFFFFFFFFu));
    }
  };
  for (const WorldRange& range : scratch.groups.ranges()) {
    RayWorld world{scratch.trees.size(), 0, scratch.halfspaces.size(), 0};
    if (range.world == -1) {
      for (std::size_t r = 0; r < ranges.size(); ++r) {
        if (mask.has(ranges[r].world)) add_tree(r);
      }
      for (const std::uint64_t entry : scratch.halfspaces_by_world) {
        if (!mask.has(static_cast<std::int32_t>(entry >> 32) - 1)) continue;
        scratch.halfspaces.push_back(static_cast<std::int32_t>(entry & 0xFFFFFFFFu));
      }
    } else {
      for (const std::int32_t of : {-1, range.world}) {
        if (tree.size != 0) add_tree(tree.range_of(of));
        add_halfspaces(of);
      }
    }
    world.tree_count = scratch.trees.size() - world.first_tree;
    world.halfspace_count = scratch.halfspaces.size() - world.first_halfspace;
    scratch.worlds.push_back(world);
  }
}

}  // namespace widephase
