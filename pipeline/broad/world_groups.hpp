#pragma once

// Boxes by world: each world's ids lie together, ascending.

#include <algorithm>
#include <bit>
#include <span>
#include <string>
#include <vector>

#include <widephase/columns.hpp>
#include <widephase/types.hpp>

#include "kernels/broad_table.hpp"
#include "soa/number_text.hpp"
#include "soa/radix_sort.hpp"
#include "soa/unbounded_ids.hpp"

namespace widephase {

/// Worlds from this size on get all threads one after another; smaller ones are dealt out whole.
inline constexpr std::size_t kLargeWorld = 50000;

/// One world: its bounded shapes are places [begin, split) of the ids in the order of worlds, and
/// its unbounded ones [split, end).
struct WorldRange {
  std::int32_t world;
  std::size_t begin;
  std::size_t split;
  std::size_t end;
  std::size_t box_count() const { return split - begin; }
};

/// What a look at boxes' worlds tells.
struct WorldsSeen {
  std::int32_t least = 0;
  std::int32_t largest = -1;
  bool is_grouped = true;
};

struct GroupScratch {
  Column<std::uint64_t> records;
  Column<std::uint64_t> swap;
  Column<std::uint32_t> counters;
  std::vector<WorldsSeen> seen;
  std::vector<std::vector<std::size_t>> begins;  ///< of worlds, a chunk's

  std::size_t bytes() const {
    std::size_t sum = records.bytes() + swap.bytes() + counters.bytes();
    for (const std::vector<std::size_t>& part : begins) sum += part.capacity() * sizeof part[0];
    return sum;
  }
};

/// The worlds that a mask with an entry a world leaves in: all by an empty one, and -1 by any.
class WorldMask {
 public:
  explicit WorldMask(std::span<const std::uint8_t> mask) : mask_(mask) {}

  /// Throws `Error` where the largest world has no entry.
  void require(std::int32_t largest) const {
    if (mask_.empty() || largest < static_cast<std::int64_t>(mask_.size())) return;
    throw Error(Finding{"world_mask", -1,
                        "has " + number(mask_.size()) + " entries; the largest world is " +
                            number(largest) + ", so give it one more"});
  }
  bool is_empty() const { return mask_.empty(); }
  bool has(std::int32_t world) const {
    return world < 0 || mask_.empty() || mask_[static_cast<std::size_t>(world)] != 0;
  }

 private:
  std::span<const std::uint8_t> mask_;
};

class WorldGroups {
 public:
  /// `world` may be empty: all in world 0. Worlds that the mask leaves out have no range. Throws
  /// `Error` for a world below -1 or without an entry.
  void group(const Crew& crew, const ColumnSpan<std::int32_t>& world, const WorldMask& mask,
             std::size_t count, UnboundedIds unbounded, GroupScratch& scratch) {
    ranges_.clear();
    has_ids_ = false;
    if (count == 0) return;
    const BoundedFirst order(unbounded, count);
    if (world.empty()) {
      if (!order.is_identity())
        list_ids(crew, count, [&](std::size_t i) { return order.id_at(i); });
      if (mask.has(0)) ranges_.push_back({0, 0, order.bounded_count(), count});
      return;
    }
    const WorldsSeen seen = look_at(crew, world, count, scratch);
    mask.require(seen.largest);
    const auto world_at = [&](std::size_t i) { return world[i]; };
    if (seen.is_grouped && order.is_identity()) {
      add_ranges(crew, count, unbounded, mask, scratch, true, world_at);
      return;
    }
    if (seen.least == -1 && order.is_identity() && is_grouped_apart(world, count)) {
      add_ranges(crew, count, unbounded, mask, scratch, false, world_at);
      if (bring_shared_forward()) return;
      ranges_.clear();
    }
    scratch.records.resize_uninitialized(count);
    scratch.swap.resize_uninitialized(count);
    std::uint64_t* const records = scratch.records.plane();
    const auto record_of = [&](std::size_t id) {
      return static_cast<std::uint64_t>(static_cast<std::uint32_t>(world[id] + 1)) << 32 | id;
    };
    // The sort is stable: a world's unbounded ids stay behind its others.
    if (mask.is_empty()) {
      if (order.is_identity()) {
        run_over(crew, count, [&](std::size_t i) { records[i] = record_of(i); });
      } else {
        run_over(crew, count, [&](std::size_t i) { records[i] = record_of(order.id_at(i)); });
      }
    } else {
      std::size_t kept = 0;
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t id = order.id_at(i);
        records[kept] = record_of(id);
        kept += mask.has(world[id]) ? 1 : 0;
      }
      count = kept;
      if (count == 0) return;  // `begins` still has the last call's
    }
    const int bits = std::bit_width(static_cast<std::uint32_t>(seen.largest) + 1);
    const std::uint64_t* const sorted =
        radix_sort(crew, records, scratch.swap.plane(), count, 32, bits, scratch.counters);
    list_ids(crew, count, [&](std::size_t i) { return sorted[i] & 0xFFFFFFFFu; });
    add_ranges(crew, count, unbounded, mask, scratch, true,
               [&](std::size_t i) { return static_cast<std::int32_t>(sorted[i] >> 32) - 1; });
  }

  /// Leaves out what is unbounded.
  void keep_boxes() {
    for (WorldRange& range : ranges_) range.end = range.split;
    std::erase_if(ranges_, [](const WorldRange& range) { return range.begin == range.end; });
  }

  /// Ascending by world, none empty.
  const std::vector<WorldRange>& ranges() const { return ranges_; }

  std::size_t id_at(std::size_t place) const {
    return has_ids_ ? static_cast<std::size_t>(ids_[place]) : place;
  }

  /// The boxes of one world among all.
  template <int D, class T>
  BoxSource<D, T> source_of(const WorldRange& range, const BoxSource<D, T>& boxes) const {
    BoxSource<D, T> source = boxes;
    source.ids = has_ids_ ? ids_.plane() + range.begin : nullptr;
    source.first = has_ids_ ? 0 : static_cast<std::int32_t>(range.begin);
    return source;
  }

  std::size_t bytes() const { return ids_.bytes() + ranges_.capacity() * sizeof(WorldRange); }

 private:
  template <class Body>
  static void run_over(const Crew& crew, std::size_t count, const Body& body) {
    crew.run_ranges(count, crew.chunk_count(count, kBoxGrain), 1,
                    [&](std::size_t, std::size_t begin, std::size_t end) {
                      for (std::size_t i = begin; i < end; ++i) body(i);
                    });
  }
  template <class IdAt>
  void list_ids(const Crew& crew, std::size_t count, const IdAt& id_at) {
    ids_.resize_uninitialized(count);
    run_over(crew, count, [&](std::size_t i) { ids_[i] = static_cast<std::int32_t>(id_at(i)); });
    has_ids_ = true;
  }

  /// Throws `Error` for the first world below -1.
  static WorldsSeen look_at(const Crew& crew, const ColumnSpan<std::int32_t>& world,
                            std::size_t count, GroupScratch& scratch) {
    const std::size_t chunks = crew.chunk_count(count, kBoxGrain);
    scratch.seen.assign(chunks, WorldsSeen{});
    crew.run_ranges(count, chunks, 1, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
      WorldsSeen seen;
      std::int32_t before = world[begin == 0 ? 0 : begin - 1];
      for (std::size_t i = begin; i < end; ++i) {
        const std::int32_t of_box = world[i];
        seen.least = of_box < seen.least ? of_box : seen.least;
        seen.largest = of_box > seen.largest ? of_box : seen.largest;
        seen.is_grouped &= before <= of_box;
        before = of_box;
      }
      scratch.seen[chunk] = seen;
    });
    WorldsSeen all;
    for (const WorldsSeen& part : scratch.seen) {
      all.least = std::min(all.least, part.least);
      all.largest = std::max(all.largest, part.largest);
      all.is_grouped &= part.is_grouped;
    }
    for (std::size_t i = 0; all.least < -1; ++i) {
      if (world[i] >= -1) continue;
      throw Error(Finding{
          "world", static_cast<std::int64_t>(i),
          "is " + number(world[i]) + "; a world must be -1 (meets every world) or more"});
    }
    return all;
  }

  template <class WorldAt>
  void add_ranges(const Crew& crew, std::size_t count, UnboundedIds unbounded,
                  const WorldMask& mask, GroupScratch& scratch, bool is_ascending,
                  const WorldAt& world_at) {
    constexpr std::size_t kStride = 16;  // most are equal to the one so far ahead
    const std::size_t chunks = crew.chunk_count(count, kBoxGrain);
    if (scratch.begins.size() < chunks) scratch.begins.resize(chunks);
    crew.run_ranges(count, chunks, 1, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
      std::vector<std::size_t>& begins = scratch.begins[chunk];
      begins.clear();
      for (std::size_t i = begin; i < end; ++i) {
        if (is_ascending && i != 0 && i + kStride < end &&
            world_at(i + kStride) == world_at(i - 1)) {
          i += kStride;
          continue;
        }
        if (i == 0 || world_at(i) != world_at(i - 1)) begins.push_back(i);
      }
    });
    std::size_t begin = 0;
    const auto end_range = [&](std::size_t end) {
      if (begin == end) return;
      const std::int32_t world = world_at(begin);
      if (mask.has(world)) {
        ranges_.push_back({world, begin, split_of(begin, end, unbounded), end});
      }
      begin = end;
    };
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
      for (const std::size_t next : scratch.begins[chunk]) end_range(next);
    }
    end_range(count);
  }

  /// Whether worlds ascend but for one run of world -1, which often comes last: the shelf behind
  /// all robots.
  static bool is_grouped_apart(const ColumnSpan<std::int32_t>& world, std::size_t count) {
    std::int32_t before = -1, last = -1;
    int runs = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::int32_t of_box = world[i];
      if (of_box == -1) {
        runs += i == 0 || before != -1 ? 1 : 0;
      } else if (of_box < last) {
        return false;
      } else {
        last = of_box;
      }
      before = of_box;
      if (runs > 1) return false;
    }
    return runs == 1;
  }

  /// Puts the range of world -1 first; false if it parts another world's.
  bool bring_shared_forward() {
    const auto shared = std::find_if(ranges_.begin(), ranges_.end(),
                                     [](const WorldRange& range) { return range.world == -1; });
    std::rotate(ranges_.begin(), shared, std::next(shared));
    return std::adjacent_find(ranges_.begin(), ranges_.end(),
                              [](const WorldRange& left, const WorldRange& right) {
                                return left.world == right.world;
                              }) == ranges_.end();
  }

  /// Where a world's unbounded ids begin, which come last.
  std::size_t split_of(std::size_t begin, std::size_t end, UnboundedIds unbounded) const {
    while (begin < end) {
      const std::size_t middle = begin + (end - begin) / 2;
      if (!unbounded.has(id_at(middle))) {
        begin = middle + 1;
      } else {
        end = middle;
      }
    }
    return begin;
  }

  std::vector<WorldRange> ranges_;
  Column<std::int32_t> ids_;
  bool has_ids_ = false;
};

/// Worlds from `next` on, in order: `alone(w, crew)` for large ones, on all threads, and
/// `dealt(cuts)` for runs of smaller ones: chunk c, each for one thread, is worlds cuts[c] to
/// cuts[c + 1] - 1.
template <class Alone, class Dealt>
void visit_worlds(const Crew& crew, const std::vector<WorldRange>& worlds, std::size_t next,
                  std::vector<std::size_t>& cuts, const Alone& alone, const Dealt& dealt) {
  // The places of world -1 may lie behind those of the others.
  if (next < worlds.size() && worlds[next].world == -1) alone(next++, crew);
  while (next < worlds.size()) {
    std::size_t last = next;
    while (crew.size > 1 && last < worlds.size() && worlds[last].box_count() < kLargeWorld) ++last;
    if (last - next < 2) {
      alone(next, crew);
      ++next;
      continue;
    }
    const std::size_t begin = worlds[next].begin;
    const std::size_t count = worlds[last - 1].end - begin;
    const std::size_t chunks = std::min(crew.chunk_count(count, kBoxGrain), last - next);
    cuts.assign(chunks + 1, last);
    cuts[0] = next;
    for (std::size_t chunk = 1; chunk < chunks; ++chunk) {
      while (next < last && worlds[next].begin - begin < count * chunk / chunks) ++next;
      cuts[chunk] = next;
    }
    dealt(cuts);
    next = last;
  }
}

}  // namespace widephase
