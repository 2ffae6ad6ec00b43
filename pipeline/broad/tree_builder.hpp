#pragma once

// Builds a tile tree: boxes that are sorted, or in the order kept from the last call, become tiles,
// and tiles the levels above. Shapes that stick far out of their tiles are moved to lists of their
// own.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "kernels/broad_table.hpp"
#include "pipeline/broad/box_sorter.hpp"
#include "pipeline/broad/find_pairs.hpp"
#include "pipeline/broad/kept_order.hpp"
#include "pipeline/broad/tile_copies.hpp"
#include "pipeline/broad/tile_tree.hpp"
#include "soa/crew.hpp"
#include "soa/large_pages.hpp"
#include "soa/radix_sort.hpp"

namespace widephase {

/// Below this many boxes a tree is too low for shapes that stick out to cost much.
inline constexpr std::size_t kLeastSplit = 512;
/// Worlds of up to as many boxes are searched as they stand where the order of pairs is free.
inline constexpr std::size_t kMostAsGiven = 128;
/// Lists of one tree: a few rounds of splitting, then the classes of axes.
inline constexpr int kMostSplits = 6;

template <int D, class T>
class TreeBuilder {
 public:
  TreeBuilder(const BroadTable<D, T>& kernels, const Crew& crew, BuildScratch<D, T>& scratch)
      : kernels_(kernels), crew_(crew), scratch_(scratch), sorter_(kernels, crew, scratch) {}

  /// `shared_origin`: the frame of another tree that this one is walked with; null: its own. `ids`:
  /// names for the rows if `source` has none.
  void build(TileTree<D, T>& tree, const BoxSource<D, T>& source, std::size_t count,
             const T* shared_origin = nullptr, const std::int32_t* ids = nullptr) {
    tree.box_count = count;
    tree.ids = ids != nullptr ? ids : source.ids;
    tree.first_id = source.first;
    tree.level_count = 0;
    tree.names.clear();
    if (count == 0) return;
    if constexpr (!TileTree<D, T>::kHasExact) {
      if (is_one_tile(count) && ids == nullptr) {
        build_one_tile(tree, source);
        return;
      }
    }
    const KeyFrame<D, T> frame = sorter_.key_frame(tree, source, shared_origin);
    make_rows(tree, source, frame);
    sorter_.sort(count, frame);
    make_leaves(tree);
    make_levels(tree);
  }

  /// The same, and lists the rows in the order of the lanes; fewer than `kLeastSplit`.
  void build_listed(TileTree<D, T>& tree, const BoxSource<D, T>& source, std::size_t count,
                    const T* shared_origin, std::int32_t* rows) {
    build(tree, source, count, shared_origin);
    const bool is_sorted = !is_one_tile(count);
    const std::uint64_t* const records = sorter_.records();
    for (std::size_t i = 0; i < count; ++i) {
      rows[i] = static_cast<std::int32_t>(is_sorted ? records[i] : i);
    }
  }
  /// In the order of such a list. The boxes are those of shapes: valid, or NaN.
  void build_in_order(TileTree<D, T>& tree, const BoxSource<D, T>& source, std::size_t count,
                      const T* shared_origin, const std::int32_t* rows) {
    tree.box_count = count;
    tree.ids = source.ids;
    tree.first_id = source.first;
    tree.names.clear();
    if constexpr (TileTree<D, T>::kHasExact) {
      make_rows(tree, source, sorter_.key_frame(tree, source, shared_origin));
      std::uint64_t* const records = sorter_.records();
      for (std::size_t i = 0; i < count; ++i) records[i] = static_cast<std::uint32_t>(rows[i]);
      make_leaves(tree);
    } else {
      const std::size_t tiles = (count + kTileLanes - 1) / kTileLanes;
      resize_tiles(tree, tiles);
      copy_tiles<D, T>(tree, source, rows, tiles);
      kernels_.raise_level(tree.leaves.plane(), 0, tiles, tree.upper.plane());
      set_leaves(tree, {0, 1, tiles - 1});
    }
    make_levels(tree);
  }

  /// As `sequence` allows; `filter` is that of the boxes, or null.
  void build(TileTree<D, T>& tree, const BoxSource<D, T>& source, std::size_t count,
             PairSequence sequence, const PairFilter* filter, const T* shared_origin = nullptr) {
    if (sequence == PairSequence::free && count <= kMostAsGiven) {
      build_as_given(tree, source, count, filter, shared_origin);
    } else {
      build(tree, source, count, shared_origin);
    }
  }

  /// In the kept order. If there is none for as many boxes, or it is worn, in a new one, which is
  /// kept from then on.
  void build(TileTree<D, T>& tree, const BoxSource<D, T>& source, std::size_t count,
             KeptOrder<D, T>& kept) {
    if (kept.box_count == count && !kept.is_worn() && build_as_kept(tree, source, kept)) return;
    kept.box_count = 0;
    const bool is_kept = count >= kLeastKept;
    // Includes room for the tiles of strays, since columns grow by doubling.
    if (is_kept) resize_tiles(tree, most_tiles(count) + kept.most_stray_tiles(count));
    build(tree, source, count);
    if (is_kept) keep_order(tree, kept);
  }

 private:
  /// Whether a tree is one tile, whose boxes stay in their order, and is not made of rows.
  static bool is_one_tile(std::size_t count) {
    return !TileTree<D, T>::kHasExact && count <= kTileLanes;
  }
  void build_one_tile(TileTree<D, T>& tree, const BoxSource<D, T>& source) {
    std::fill_n(tree.origin, D, T(0));
    resize_tiles(tree, 1);
    copy_few<D, T>(tree, source);
    kernels_.raise_level(tree.leaves.plane(), 0, 1, tree.upper.plane());
    set_leaves(tree, {0, 1, 0});
    make_levels(tree);
  }

  void make_rows(TileTree<D, T>& tree, const BoxSource<D, T>& source, const KeyFrame<D, T>& frame) {
    sorter_.resize_records(tree.box_count);
    fill_rows(tree, source, frame, nullptr, sorter_.records());
  }
  void fill_rows(TileTree<D, T>& tree, const BoxSource<D, T>& source, const KeyFrame<D, T>& frame,
                 const std::int32_t* slots, std::uint64_t* records) {
    const std::size_t count = tree.box_count;
    // One more than boxes: for the row of `kNoBox` of a kept order.
    resize_scratch(scratch_.rows, (count + 1) * kRowFloats<D>);
    tree.source = source;
    if (tree.keeps_exact) resize_scratch(tree.exact, count * kExactNumbers<D>);
    T* const exact = tree.keeps_exact ? tree.exact.plane() : nullptr;
    crew_.run_ranges(count, crew_.chunk_count(count, kBoxGrain), 16,
                     [&](std::size_t, std::size_t begin, std::size_t end) {
                       kernels_.make_rows(source, frame, begin, end, slots, scratch_.rows.plane(),
                                          exact, records);
                     });
  }

  struct List {
    std::size_t begin;
    std::size_t count;
    std::size_t first_tile;
    std::size_t tile_count() const { return (count + kTileLanes - 1) / kTileLanes; }
  };

  static std::size_t most_tiles(std::size_t count) {
    const std::size_t tiles = (count + kTileLanes - 1) / kTileLanes;
    return tiles + (count >= kLeastSplit ? kMostSplits + (1 << D) : 0);
  }

  void resize_tiles(TileTree<D, T>& tree, std::size_t most_tiles) {
    resize_scratch(tree.leaves, most_tiles * kTileFloats<D>);
    resize_scratch(tree.lane_ids, most_tiles * kTileLanes);
    std::size_t upper_tiles = 0;
    for (std::size_t tiles = most_tiles; tiles != 0;) {
      const std::size_t parents = (tiles + kTileLanes - 1) / kTileLanes;
      upper_tiles += parents;
      tiles = tiles == 1 ? 0 : parents;
    }
    resize_scratch(tree.upper, upper_tiles * kTileFloats<D>);
  }

  void make_leaves(TileTree<D, T>& tree) {
    List list{0, tree.box_count, 0};
    const bool may_split = tree.box_count >= kLeastSplit;
    resize_tiles(tree, most_tiles(list.count));
    list_count_ = 0;

    std::size_t sticking = gather(tree, list, may_split);
    for (int split = 0; split < kMostSplits && may_split; ++split) {
      const bool is_good = sticking * kTileLanes <= list.count;
      // If nearly all stick out, a list of the others would be too thin to be better.
      const bool is_hopeless = (list.count - sticking) * 8 < list.count;
      if (is_good || is_hopeless) break;
      const std::size_t kept = split_off_sticking(tree, list);
      if (kept == 0) break;
      const List kept_list{list.begin, kept, list.first_tile};
      gather(tree, kept_list, false);
      lists_[list_count_++] = kept_list;
      list = {list.begin + kept, list.count - kept, list.first_tile + kept_list.tile_count()};
      sticking = gather(tree, list, true);
    }
    if (may_split && sticking * kTileLanes > list.count) {
      split_by_axes(tree, list);
    } else {
      lists_[list_count_++] = list;
    }
    set_leaves(tree, lists_[list_count_ - 1]);
  }

  /// In the order of the source, which costs next to nothing. The boxes are those of shapes: valid,
  /// or NaN. A tile ends where the names that filters go by change, unless few shapes have them.
  void build_as_given(TileTree<D, T>& tree, const BoxSource<D, T>& source, std::size_t count,
                      const PairFilter* filter, const T* shared_origin) {
    static_assert(kMostAsGiven < kLeastSplit);
    tree.box_count = count;
    tree.ids = source.ids;
    tree.first_id = source.first;
    tree.level_count = 0;
    tree.names.clear();
    if (count == 0) return;
    std::size_t ends[kMostAsGiven];
    const bool has_names = filter != nullptr && filter->has_names();
    const std::size_t tiles =
        has_names ? cut_by_names(tree, *filter, ends) : (count + kTileLanes - 1) / kTileLanes;
    for (std::size_t t = 0; t < tiles && !has_names; ++t) {
      ends[t] = std::min<std::size_t>(count, (t + 1) * kTileLanes);
    }
    resize_tiles(tree, tiles);
    if constexpr (TileTree<D, T>::kHasExact) {
      make_rows(tree, source, sorter_.key_frame(tree, source, shared_origin));
    }
    for (std::size_t t = 0; t < tiles; ++t) {
      const std::size_t first = t == 0 ? 0 : ends[t - 1];
      if constexpr (TileTree<D, T>::kHasExact) {
        gather(tree, {first, ends[t] - first, t}, false);
      } else {
        copy_tile<D, T>(tree, source, first, ends[t] - first, t);
      }
    }
    if constexpr (!TileTree<D, T>::kHasExact) {
      kernels_.raise_level(tree.leaves.plane(), 0, tiles, tree.upper.plane());
    }
    set_leaves(tree, {0, 1, tiles - 1});
    make_levels(tree);
  }

  /// Returns the count of tiles.
  static std::size_t cut_by_names(TileTree<D, T>& tree, const PairFilter& filter,
                                  std::size_t* ends) {
    constexpr std::size_t kFew = 3;
    const std::size_t count = tree.box_count;
    const auto names_at = [&](std::size_t row) {
      return filter.names_of(
          static_cast<std::size_t>(tree.id_of_row(static_cast<std::int32_t>(row))));
    };
    std::size_t tiles = 0;
    bool has_few = false;  // the last tile has
    for (std::size_t row = 0; row < count;) {
      const SharedNames names = names_at(row);
      const std::size_t first = row++;
      while (row < count && row - first < kTileLanes && names_at(row) == names) ++row;
      const bool is_few = row - first < kFew;
      const std::size_t begin = tiles < 2 ? 0 : ends[tiles - 2];
      if (has_few && is_few && row - begin <= kTileLanes) {
        ends[tiles - 1] = row;
        tree.names[tiles - 1] = {};
        continue;
      }
      ends[tiles] = row;
      tree.names.resize_uninitialized(++tiles);
      tree.names[tiles - 1] = names;
      has_few = is_few;
    }
    return tiles;
  }

  static void set_leaves(TileTree<D, T>& tree, const List& last) {
    tree.level[0] = tree.leaves.plane();
    tree.tile_count[0] = last.first_tile + last.tile_count();
  }

  GatherJob<D> job_of(TileTree<D, T>& tree, const List& list) const {
    GatherJob<D> job{};
    job.rows = scratch_.rows.plane();
    job.records = sorter_.records() + list.begin;
    job.count = list.count;
    // Double trees keep rows, since their pairs are first looked up in the unrounded boxes.
    job.ids = TileTree<D, T>::kHasExact ? nullptr : tree.ids;
    job.first = TileTree<D, T>::kHasExact ? 0 : tree.first_id;
    job.tiles = tree.leaves.plane();
    job.lane_ids = tree.lane_ids.plane();
    job.parents = tree.upper.plane();
    job.first_tile = list.first_tile;
    return job;
  }

  std::size_t gather(TileTree<D, T>& tree, const List& list, bool counts_sticking) {
    GatherJob<D> job = job_of(tree, list);
    job.counts_sticking = counts_sticking;
    return gather(job);
  }

  std::size_t gather(const GatherJob<D>& job) {
    const std::size_t tiles = (job.count + kTileLanes - 1) / kTileLanes;
    const std::size_t chunks = crew_.chunk_count(tiles, kBoxGrain / kTileLanes);
    if (chunks == 1) return kernels_.gather_tiles(job, 0, tiles);
    Column<std::size_t>& results = scratch_.chunk_results;
    results.resize_uninitialized(chunks);
    crew_.run(chunks, [&](std::size_t chunk) {
      results[chunk] = kernels_.gather_tiles(job, Crew::boundary(tiles, chunks, kTileLanes, chunk),
                                             Crew::boundary(tiles, chunks, kTileLanes, chunk + 1));
    });
    std::size_t found = 0;
    for (const std::size_t part : results) found += part;
    return found;
  }

  /// Moves the shapes that stick out of their tiles behind the others; returns how many stay in
  /// front.
  std::size_t split_off_sticking(TileTree<D, T>& tree, const List& list) {
    const std::size_t tiles = list.tile_count();
    scratch_.masks.resize_uninitialized(tiles);
    crew_.run_ranges(tiles, crew_.chunk_count(tiles, kBoxGrain / kTileLanes), kTileLanes,
                     [&](std::size_t, std::size_t begin, std::size_t end) {
                       kernels_.sticking(
                           tree.leaves.plane() + (list.first_tile + begin) * kTileFloats<D>,
                           end - begin, scratch_.masks.plane() + begin);
                     });
    std::size_t counts[2];
    partition(
        list,
        [&](std::size_t i) {
          return static_cast<std::size_t>(scratch_.masks[i / kTileLanes] >> (i % kTileLanes) & 1);
        },
        counts);
    return counts[0];
  }

  /// Sorts the records of a list stably by `class_of(index in the list)`, and counts each class.
  template <std::size_t kClasses, class ClassOf>
  void partition(const List& list, const ClassOf& class_of, std::size_t (&counts)[kClasses]) {
    std::uint64_t* const records = sorter_.records() + list.begin;
    std::uint64_t* const swap = sorter_.swap();
    const std::size_t chunks = crew_.chunk_count(list.count, kBoxGrain);
    Column<std::size_t>& places = scratch_.chunk_results;
    places.resize_uninitialized(chunks * kClasses);
    crew_.run_ranges(list.count, chunks, kTileLanes,
                     [&](std::size_t chunk, std::size_t begin, std::size_t end) {
                       std::size_t mine[kClasses] = {};
                       for (std::size_t i = begin; i < end; ++i) ++mine[class_of(i)];
                       std::copy_n(mine, kClasses, places.plane() + chunk * kClasses);
                     });
    std::size_t sum = 0;
    for (std::size_t c = 0; c < kClasses; ++c) {
      const std::size_t before = sum;
      for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
        sum += std::exchange(places[chunk * kClasses + c], sum);
      }
      counts[c] = sum - before;
    }
    crew_.run_ranges(list.count, chunks, kTileLanes,
                     [&](std::size_t chunk, std::size_t begin, std::size_t end) {
                       std::size_t mine[kClasses];
                       std::copy_n(places.plane() + chunk * kClasses, kClasses, mine);
                       for (std::size_t i = begin; i < end; ++i) {
                         swap[mine[class_of(i)]++] = records[i];
                       }
                     });
    crew_.run_ranges(list.count, chunks, kTileLanes,
                     [&](std::size_t, std::size_t begin, std::size_t end) {
                       std::copy(swap + begin, swap + end, records + begin);
                     });
  }

  /// Shapes that stick out however they are grouped are long. Those long along the same axes (with
  /// an extent of at least a quarter of the longest) are grouped.
  void split_by_axes(TileTree<D, T>& tree, const List& list) {
    constexpr std::size_t kClasses = 1 << D;
    const float* const tiles = tree.leaves.plane() + list.first_tile * kTileFloats<D>;
    const auto class_of = [&](std::size_t i) {
      const float* const box = tiles + i / kTileLanes * kTileFloats<D> + i % kTileLanes;
      float extent[D];
      float longest = 0;
      for (int d = 0; d < D; ++d) {
        extent[d] = box[(D + d) * kTileLanes] - box[d * kTileLanes];
        longest = extent[d] > longest ? extent[d] : longest;
      }
      std::size_t axes = 0;
      for (int d = 0; d < D; ++d) {
        axes |= static_cast<std::size_t>(extent[d] >= 0.25f * longest) << d;
      }
      return axes;
    };
    std::size_t counts[kClasses];
    partition(list, class_of, counts);
    List next = list;
    for (const std::size_t count : counts) {
      if (count == 0) continue;
      next.count = count;
      if (count != list.count) gather(tree, next, false);
      lists_[list_count_++] = next;
      next = {next.begin + count, 0, next.first_tile + next.tile_count()};
    }
  }

  // --- kept orders ---

  /// Returns false if too many boxes are strays.
  bool build_as_kept(TileTree<D, T>& tree, const BoxSource<D, T>& source, KeptOrder<D, T>& kept) {
    const std::size_t count = kept.box_count;
    tree.box_count = count;
    tree.names.clear();
    tree.ids = source.ids;
    tree.first_id = source.first;
    KeyFrame<D, T> frame{};
    for (int d = 0; d < D; ++d) tree.origin[d] = frame.origin[d] = kept.origin[d];
    fill_rows(tree, source, frame, kept.slots.plane(), nullptr);
    std::fill_n(scratch_.rows.plane() + count * kRowFloats<D>, kRowFloats<D>,
                std::numeric_limits<float>::quiet_NaN());
    resize_tiles(tree, kept.tile_count + kept.most_stray_tiles(count));

    GatherJob<D> job = job_of(tree, {0, kept.tile_count * kTileLanes, 0});
    job.records = kept.records.plane();
    job.has_slots = true;
    job.homes = kept.homes.plane();
    scratch_.masks.resize_uninitialized(kept.tile_count);
    job.strays = scratch_.masks.plane();
    const std::size_t found = gather(job);
    if (kept.strays.size() + found > kept.most_strays(count)) return false;
    if (found != 0) take_strays(kept);

    const List strays{0, kept.strays.size(), kept.tile_count};
    sorter_.resize_records(strays.count);
    if (strays.count != 0) {
      std::uint64_t* const records = sorter_.records();
      std::copy_n(kept.strays.plane(), strays.count, records);
      sorter_.refine_run(0, strays.count);
      for (std::size_t i = 0; i < strays.count; ++i) records[i] = kept.record_of(records[i]);
      job = job_of(tree, strays);
      job.has_slots = true;
      gather(job);
    }
    set_leaves(tree, strays);
    make_levels(tree);
    return true;
  }

  void take_strays(KeptOrder<D, T>& kept) {
    for (std::size_t t = 0; t < kept.tile_count; ++t) {
      for (std::uint32_t bits = scratch_.masks[t]; bits != 0; bits &= bits - 1) {
        std::uint64_t& record =
            kept.records[t * kTileLanes + static_cast<std::size_t>(std::countr_zero(bits))];
        kept.strays.push_back({record & 0xFFFFFFFFu});
        record = kept.box_count;
      }
    }
  }

  /// Keeps the order of the tree that was just built.
  void keep_order(const TileTree<D, T>& tree, KeptOrder<D, T>& kept) {
    const std::size_t count = tree.box_count;
    const std::size_t tiles = tree.tile_count[0];
    const std::size_t lanes = tiles * kTileLanes;
    const std::size_t chunks = crew_.chunk_count(count, kBoxGrain);
    kept.tile_count = tiles;
    std::copy_n(tree.origin, D, kept.origin);
    std::uint64_t* const records = sorter_.records();
    std::uint64_t* const swap = sorter_.swap();
    // Lane and row, by row, then stably by the block of lanes: the index is the slot.
    for (int i = 0; i < list_count_; ++i) {
      const List& list = lists_[i];
      crew_.run_ranges(list.count, crew_.chunk_count(list.count, kBoxGrain), 1,
                       [&](std::size_t, std::size_t begin, std::size_t end) {
                         for (std::size_t k = begin; k < end; ++k) {
                           const std::uint64_t row = records[list.begin + k] & 0xFFFFFFFFu;
                           swap[row] = std::uint64_t{list.first_tile * kTileLanes + k} << 32 | row;
                         }
                       });
    }
    const int lane_bits = static_cast<int>(std::bit_width(lanes));
    const std::uint64_t* sorted = swap;
    if (lane_bits > kBlockBits) {
      sorted = radix_sort(crew_, swap, records, count, 32 + kBlockBits, lane_bits - kBlockBits,
                          scratch_.counters);
    }
    resize_scratch(kept.slots, count);
    resize_scratch(kept.rows, count + 1);
    resize_scratch(kept.records, lanes);
    kept.rows[count] = 0;
    std::fill_n(kept.records.plane(), lanes, std::uint64_t{count});
    crew_.run_ranges(count, chunks, 16, [&](std::size_t, std::size_t begin, std::size_t end) {
      for (std::size_t slot = begin; slot < end; ++slot) {
        const std::size_t row = sorted[slot] & 0xFFFFFFFFu;
        kept.slots[row] = static_cast<std::int32_t>(slot);
        kept.rows[slot] = static_cast<std::int32_t>(row);
        kept.records[sorted[slot] >> 32] = static_cast<std::uint64_t>(row) << 32 | slot;
      }
    });
    keep_homes(tree, kept);
    kept.box_count = count;
    kept.strays.clear();
    kept.strays.reserve(kept.most_strays(count));
    kept.least_opened = std::numeric_limits<std::size_t>::max();
    kept.opened_in_vain = 0;
  }

  void keep_homes(const TileTree<D, T>& tree, KeptOrder<D, T>& kept) {
    const std::size_t tiles = kept.tile_count;
    resize_scratch(kept.homes, tiles * 2 * D);
    crew_.run_ranges(tiles, crew_.chunk_count(tiles, kBoxGrain / kTileLanes), 1,
                     [&](std::size_t, std::size_t begin, std::size_t end) {
                       for (std::size_t t = begin; t < end; ++t) {
                         const float* const box =
                             tree.level[1] + t / kTileLanes * kTileFloats<D> + t % kTileLanes;
                         float longest = 0;
                         for (int d = 0; d < D; ++d) {
                           const float extent = box[(D + d) * kTileLanes] - box[d * kTileLanes];
                           const bool is_finite = extent <= std::numeric_limits<float>::max();
                           longest = is_finite && extent > longest ? extent : longest;
                         }
                         float* const home = kept.homes.plane() + t * 2 * D;
                         for (int d = 0; d < D; ++d) {
                           home[d] = box[d * kTileLanes] - kHomeMargin * longest;
                           home[D + d] = box[(D + d) * kTileLanes] + kHomeMargin * longest;
                         }
                       }
                     });
  }

  void make_levels(TileTree<D, T>& tree) {
    float* tiles = tree.leaves.plane();
    float* parents = tree.upper.plane();
    std::size_t count = tree.tile_count[0];
    int level = 0;
    for (;;) {
      // The leaves' boxes were stored together with the leaves.
      if (level > 0) {
        crew_.run_ranges(count, crew_.chunk_count(count, kBoxGrain / kTileLanes), kTileLanes,
                         [&](std::size_t, std::size_t begin, std::size_t end) {
                           kernels_.raise_level(tiles, begin, end, parents);
                         });
      }
      const std::size_t parent_count = (count + kTileLanes - 1) / kTileLanes;
      for (std::size_t lane = count; lane < parent_count * kTileLanes; ++lane) {
        float* const box = parents + lane / kTileLanes * kTileFloats<D> + lane % kTileLanes;
        for (int k = 0; k < 2 * D; ++k) {
          box[k * kTileLanes] = std::numeric_limits<float>::quiet_NaN();
        }
      }
      ++level;
      tree.level[level] = parents;
      tree.tile_count[level] = parent_count;
      if (count == 1) break;
      tiles = parents;
      parents += parent_count * kTileFloats<D>;
      count = parent_count;
    }
    tree.level_count = level + 1;
  }

  const BroadTable<D, T>& kernels_;
  const Crew& crew_;
  BuildScratch<D, T>& scratch_;
  BoxSorter<D, T> sorter_;
  /// The lists of the tree that was built last.
  List lists_[kMostSplits + (1 << D)];
  int list_count_ = 0;
};

}  // namespace widephase
