#pragma once

// What calls of the broad phase keep from one to the next, and how worlds are dealt to threads.

#include <memory>
#include <vector>

#include <widephase/pairs.hpp>

#include "pipeline/broad/box_sorter.hpp"
#include "pipeline/broad/kept_order.hpp"
#include "pipeline/broad/periodic.hpp"
#include "pipeline/broad/tile_tree.hpp"
#include "pipeline/broad/tile_walk.hpp"
#include "pipeline/broad/world_groups.hpp"
#include "soa/column_layout.hpp"

namespace widephase {

template <int D, class T>
struct HalfspaceList {
  std::vector<HalfspaceRow<D>> rows;
  std::vector<T> exact;  ///< normal and offset, double only

  void clear() {
    rows.clear();
    exact.clear();
  }
  std::size_t bytes() const {
    return rows.capacity() * sizeof(HalfspaceRow<D>) + exact.capacity() * sizeof(T);
  }
};

/// The scratch of one thread that finds the pairs of one world after another.
template <int D, class T>
struct WorldScratch {
  TileTree<D, T> tree;
  TileTree<D, T> framed;  ///< `tree` in the frame of world -1's, double only
  TileTree<D, T> ghost_tree;
  Ghosts<D, T> ghosts;
  std::vector<Box<D, T>> hulls;
  HalfspaceList<D, T> halfspaces;
  BuildScratch<D, T> build;
  WalkScratch walk;
  Column<Pair> pairs;

  std::size_t bytes() const {
    return tree.bytes() + framed.bytes() + ghost_tree.bytes() + ghosts.bytes() +
           halfspaces.bytes() + build.bytes() + walk.bytes() + pairs.bytes();
  }
};

template <int D, class T>
struct PairWorkspace<D, T>::State {
  PairFilter filter;
  PeriodicBoxes<D, T> periodic;
  WorldGroups groups;
  GroupScratch group;
  std::vector<std::unique_ptr<WorldScratch<D, T>>> scratch;
  TileTree<D, T> shared_tree;
  std::vector<KeptOrder<D, T>> kept;  ///< one per range of `groups`
  std::vector<std::size_t> cuts;
  PairCap cap;

  WorldScratch<D, T>& scratch_of(std::size_t chunk) {
    while (scratch.size() <= chunk) scratch.push_back(std::make_unique<WorldScratch<D, T>>());
    return *scratch[chunk];
  }
  std::size_t bytes() const {
    std::size_t sum =
        filter.bytes() + periodic.bytes() + groups.bytes() + group.bytes() + shared_tree.bytes();
    for (const auto& one : scratch) sum += one->bytes();
    for (const KeptOrder<D, T>& one : kept) sum += sizeof one + one.bytes();
    return sum;
  }
};

/// Threads are not asked for if there would be one chunk anyway: asking may wake a pool.
inline Crew crew_of(const Threads& threads, std::size_t box_count) {
  return {&threads, box_count < 2 * kBoxGrain ? 1 : thread_count(threads)};
}

/// `find(range, crew, scratch, pairs)` for the worlds from `next` on; their pairs are joined in the
/// order of worlds.
template <int D, class T, class Find>
void find_in_worlds(typename PairWorkspace<D, T>::State& state, const Crew& crew, std::size_t next,
                    Column<Pair>& pairs, const Find& find) {
  const std::vector<WorldRange>& worlds = state.groups.ranges();
  const auto alone = [&](std::size_t w, const Crew& all) {
    find(worlds[w], all, state.scratch_of(0), pairs);
  };
  const auto dealt = [&](std::vector<std::size_t>& cuts) {
    const std::size_t chunks = cuts.size() - 1;
    state.scratch_of(chunks - 1);
    crew.run(chunks, [&](std::size_t chunk) {
      WorldScratch<D, T>& scratch = *state.scratch[chunk];
      scratch.pairs.clear();
      for (std::size_t w = cuts[chunk]; w < cuts[chunk + 1]; ++w) {
        find(worlds[w], Crew{}, scratch, scratch.pairs);
      }
    });
    if (state.cap.is_passed()) return;
    std::size_t total = pairs.size();
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
      cuts[chunk] = total;
      total += state.scratch[chunk]->pairs.size();
    }
    resize_scratch(pairs, total);
    crew.run(chunks, [&](std::size_t chunk) {
      const Column<Pair>& part = state.scratch[chunk]->pairs;
      std::copy_n(part.plane(), part.size(), pairs.plane() + cuts[chunk]);
    });
  };
  visit_worlds(crew, worlds, next, state.cuts, alone, dealt);
}

template <int D, class T>
BoxSource<D, T> box_source(const BoundsSpan<D, T>& bounds) {
  BoxSource<D, T> source{};
  for (int d = 0; d < D; ++d) {
    source.min[d] = bounds.min.plane(d);
    source.max[d] = bounds.max.plane(d);
  }
  source.min_stride = bounds.min.stride();
  source.max_stride = bounds.max.stride();
  return source;
}

/// Throws `Error` if `bounds` does not have one row per box, or has more rows than ids.
template <int D, class T>
void check_count(const BoundsSpan<D, T>& bounds) {
  if (bounds.min.size() != bounds.max.size()) {
    throw Error(Finding{"max", -1,
                        "has " + number(bounds.max.size()) + " rows and min " +
                            number(bounds.min.size()) + "; give both one row a box"});
  }
  require_layout("min", bounds.min);
  require_layout("max", bounds.max);
  if (bounds.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
    throw Error("there are more than 2147483647 boxes; split them into several calls");
  }
}

}  // namespace widephase
