#pragma once

// Boxes by world: each world's ids lie together, ascending.

#include <bit>
#include <span>
#include <string>
#include <vector>

#include <widephase/columns.hpp>
#include <widephase/types.hpp>

#include "broad/broad_table.hpp"
#include "radix_sort.hpp"

namespace widephase {

/// Worlds from this size on get all threads one after another; smaller ones are dealt out whole.
inline constexpr std::size_t kLargeWorld = 50000;

/// Shapes and halfspaces of one world: places [begin, split) and [split, end) of the ids in the
/// order of worlds.
struct WorldRange {
  std::int32_t world;
  std::size_t begin;
  std::size_t split;
  std::size_t end;
  std::size_t box_count() const { return split - begin; }
};

struct GroupScratch {
  Column<std::uint64_t> records;
  Column<std::uint64_t> swap;
  Column<std::uint32_t> counters;

  std::size_t bytes() const { return records.bytes() + swap.bytes() + counters.bytes(); }
};

/// The worlds that a mask with an entry a world leaves in: all by an empty one, and -1 by any.
class WorldMask {
 public:
  explicit WorldMask(std::span<const std::uint8_t> mask) : mask_(mask) {}

  /// Throws `Error` where the largest world has no entry.
  void require(std::int32_t largest) const {
    if (mask_.empty() || largest < static_cast<std::int64_t>(mask_.size())) return;
    throw Error(Finding{"world_mask", -1,
                        "has " + std::to_string(mask_.size()) + " entries; the largest world is " +
                            std::to_string(largest) + ", so give it one more"});
  }
  bool has(std::int32_t world) const {
    return world < 0 || mask_.empty() || mask_[static_cast<std::size_t>(world)] != 0;
  }

 private:
  std::span<const std::uint8_t> mask_;
};

class WorldGroups {
 public:
  /// `world` may be empty: all in world 0. Ids from `first_halfspace` on are halfspaces. Worlds
  /// that the mask leaves out have no range. Throws `Error` for a world below -1 or without an
  /// entry.
  void group(const Crew& crew, const ColumnSpan<std::int32_t>& world, const WorldMask& mask,
             std::size_t count, std::size_t first_halfspace, GroupScratch& scratch) {
    ranges_.clear();
    has_ids_ = false;
    if (count == 0) return;
    if (world.empty()) {
      if (mask.has(0)) ranges_.push_back({0, 0, first_halfspace, count});
      return;
    }
    std::int32_t largest = world[0];
    bool is_grouped = true;
    for (std::size_t i = 0, before = 0; i < count; before = i++) {
      const std::int32_t of_box = world[i];
      if (of_box < -1) {
        throw Error(Finding{
            "world", static_cast<std::int64_t>(i),
            "is " + std::to_string(of_box) + "; a world must be -1 (meets every world) or more"});
      }
      is_grouped &= world[before] <= of_box;
      largest = of_box > largest ? of_box : largest;
    }
    mask.require(largest);
    if (is_grouped) {
      add_ranges(count, first_halfspace, mask, [&](std::size_t i) { return world[i]; });
      return;
    }
    scratch.records.resize_uninitialized(count);
    scratch.swap.resize_uninitialized(count);
    ids_.resize_uninitialized(count);
    std::uint64_t* const records = scratch.records.plane();
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count; ++i) {
      records[kept] =
          static_cast<std::uint64_t>(static_cast<std::uint32_t>(world[i] + 1)) << 32 | i;
      kept += mask.has(world[i]) ? 1 : 0;
    }
    count = kept;
    const int bits = std::bit_width(static_cast<std::uint32_t>(largest) + 1);
    const std::uint64_t* const sorted =
        radix_sort(crew, records, scratch.swap.plane(), count, 32, bits, scratch.counters);
    for (std::size_t i = 0; i < count; ++i) {
      ids_[i] = static_cast<std::int32_t>(sorted[i] & 0xFFFFFFFFu);
    }
    has_ids_ = true;
    add_ranges(count, first_halfspace, mask,
               [&](std::size_t i) { return static_cast<std::int32_t>(sorted[i] >> 32) - 1; });
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
  /// Ids ascend within a world, so its halfspaces come last.
  template <class WorldAt>
  void add_ranges(std::size_t count, std::size_t first_halfspace, const WorldMask& mask,
                  const WorldAt& world_at) {
    std::size_t begin = 0;
    std::size_t halfspaces = 0;
    for (std::size_t i = 0; i < count; ++i) {
      halfspaces += id_at(i) >= first_halfspace ? 1 : 0;
      if (i + 1 < count && world_at(i + 1) == world_at(begin)) continue;
      if (mask.has(world_at(begin))) {
        ranges_.push_back({world_at(begin), begin, i + 1 - halfspaces, i + 1});
      }
      begin = i + 1;
      halfspaces = 0;
    }
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
