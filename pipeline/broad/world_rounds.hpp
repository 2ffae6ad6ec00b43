#pragma once

// Worlds that advance together: in each round every undecided one puts its next pairs into a batch.
// So the kernels' lanes stay full however few pairs a world has, and a world ends as soon as its
// answer is known.

#include <algorithm>
#include <vector>

#include <widephase/columns.hpp>
#include <widephase/types.hpp>

#include "pipeline/broad/nearest_pairs.hpp"

namespace widephase {

/// Pairs of a world in the first round; each later round takes twice as many. A world with fewer is
/// done in one.
inline constexpr std::size_t kPairsAFirstRound = 4;

/// A run of a list of pairs, all of one world.
struct WorldPairs {
  std::int32_t world;
  std::size_t begin;
  std::size_t end;
};

/// Pairs of a round, grouped by world, and where those of each begin.
struct WorldBatch {
  Column<Pair> pairs;
  std::vector<WorldPairs> worlds;

  void clear() {
    pairs.clear();
    worlds.clear();
  }
  std::size_t bytes() const { return pairs.bytes() + worlds.capacity() * sizeof(WorldPairs); }
};

/// What `any_contact` keeps between calls.
struct AnyContactScratch {
  std::vector<WorldPairs> undecided;  ///< the remaining pairs of each world
  WorldBatch batch;
  Column<std::uint8_t> is_contact;  ///< of the batch

  std::size_t bytes() const {
    return undecided.capacity() * sizeof(WorldPairs) + batch.bytes() + is_contact.bytes();
  }
};

/// Worlds that are searched at the same time for the minimum distance: more would not fill lanes
/// better, and each holds a heap.
inline constexpr std::int32_t kSearchesAtOnce = 1024;

/// What `min_distance` keeps between calls.
template <int D, class T>
struct MinDistanceScratch {
  PairFilter filter;
  WorldTrees<D, T> trees;
  std::vector<NearestPairs<D, T>> searches;
  std::vector<std::size_t> undecided;  ///< of the searches
  WorldBatch batch;
  Column<std::int32_t> search_of_pair;  ///< of the batch

  std::size_t bytes() const {
    std::size_t sum = filter.bytes() + trees.bytes() + batch.bytes() + search_of_pair.bytes() +
                      searches.capacity() * sizeof(NearestPairs<D, T>) +
                      undecided.capacity() * sizeof(std::size_t);
    for (const NearestPairs<D, T>& search : searches) sum += search.bytes();
    return sum;
  }
};

}  // namespace widephase
