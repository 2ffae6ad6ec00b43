#pragma once

// Two lists of pairs matched with each other: each is put into rows by the lower id, one counting
// sort a list, and rows of one id are matched by a scan, or, where they are long, sorted and
// merged. No hash is probed. The k-th pair of its like is matched with the k-th of the other list.

#include <algorithm>
#include <bit>
#include <numeric>

#include <widephase/types.hpp>

#include "large_pages.hpp"
#include "radix_sort.hpp"

namespace widephase {

/// Pairs a chunk of a pass over them is worth.
inline constexpr std::size_t kPairGrain = 8192;
inline constexpr std::uint32_t kNoPair = 0xffffffffu;

/// A pair with its lower id first.
inline Pair ascending(Pair pair) { return pair.a < pair.b ? pair : Pair{pair.b, pair.a}; }

struct PairRowScratch {
  Column<std::uint64_t> records;
  Column<std::uint64_t> swap;
  Column<std::uint32_t> counters;
  Column<std::uint8_t> has_long_rows;  ///< by chunk

  std::size_t bytes() const {
    return records.bytes() + swap.bytes() + counters.bytes() + has_long_rows.bytes();
  }
};

/// A list's pairs by their lower id.
class PairRows {
 public:
  /// `pair_at(place)` is in ascending order, with its lower id below `row_count`.
  template <class PairAt>
  void build(const Crew& crew, std::size_t row_count, std::size_t pair_count, const PairAt& pair_at,
             PairRowScratch& scratch) {
    row_count_ = row_count;
    resize_scratch(entry_, pair_count);
    resize_scratch(start_, row_count + 2);
    const std::size_t chunks = crew.chunk_count(pair_count, kPairGrain);
    if (chunks == 1) {
      sort_alone(pair_count, pair_at);
    } else {
      sort_in_chunks(crew, chunks, pair_count, pair_at, scratch);
    }
  }

  /// match[place] for each pair of the rows below `row_count`: the place of its like in `last`, or
  /// `kNoPair`. Long rows of both are sorted on the way.
  void match(const Crew& crew, std::size_t row_count, PairRows& last, PairRowScratch& scratch,
             Column<std::uint32_t>& match) {
    resize_scratch(match, entry_.size());
    const std::size_t chunks = crew.chunk_count(entry_.size(), kPairGrain);
    scratch.has_long_rows.resize_uninitialized(chunks);
    std::uint8_t* const has_long_rows = scratch.has_long_rows.plane();
    std::fill_n(has_long_rows, chunks, std::uint8_t{0});
    crew.run_ranges(row_count, chunks, 1,
                    [&](std::size_t chunk, std::size_t begin, std::size_t end) {
                      for (std::size_t row = begin; row < end; ++row) {
                        const std::span<const std::uint64_t> here = entries(row);
                        if (here.empty()) continue;
                        const std::span<const std::uint64_t> there = last.entries(row);
                        if (here.size() > kShortRow || there.size() > kShortRow) {
                          has_long_rows[chunk] = 1;
                        } else {
                          match_by_scan(here, there, match.plane());
                        }
                      }
                    });
    // Few rows are long, and each is worth all threads.
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
      if (has_long_rows[chunk] == 0) continue;
      const std::size_t end = Crew::boundary(row_count, chunks, 1, chunk + 1);
      for (std::size_t row = Crew::boundary(row_count, chunks, 1, chunk); row < end; ++row) {
        const std::span<std::uint64_t> here = entries(row), there = last.entries(row);
        if (here.size() <= kShortRow && there.size() <= kShortRow) continue;
        if (here.empty()) continue;
        sort_row(crew, here, scratch);
        sort_row(crew, there, scratch);
        match_by_merge(here, there, match.plane());
      }
    }
  }

  void clear() {
    row_count_ = 0;
    entry_.clear();
  }
  void make_room_of(const PairRows& other) {
    start_.reserve(other.start_.capacity());
    entry_.reserve(other.entry_.capacity());
  }
  std::size_t bytes() const { return start_.bytes() + entry_.bytes(); }

 private:
  static constexpr std::size_t kShortRow = 32;

  static std::uint64_t entry_of(std::int32_t higher, std::size_t place) {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(higher)) << 32 | place;
  }

  /// Pairs of one id lie near each other in a list that goes through space, so that counters by id
  /// are at hand, as the digits of a sort would be; and there is one pass less.
  template <class PairAt>
  void sort_alone(std::size_t pair_count, const PairAt& pair_at) {
    // Counts stand two places on, so that the sums of those before have become starts, one place
    // on, when all pairs are in.
    std::uint32_t* const starts = start_.plane();
    std::fill_n(starts, row_count_ + 2, 0u);
    for (std::size_t i = 0; i < pair_count; ++i) {
      ++starts[static_cast<std::size_t>(pair_at(i).a) + 2];
    }
    std::partial_sum(starts, starts + row_count_ + 2, starts);
    std::uint64_t* const entries = entry_.plane();
    for (std::size_t i = 0; i < pair_count; ++i) {
      const Pair pair = pair_at(i);
      entries[starts[static_cast<std::size_t>(pair.a) + 1]++] = entry_of(pair.b, i);
    }
  }

  template <class PairAt>
  void sort_in_chunks(const Crew& crew, std::size_t chunks, std::size_t pair_count,
                      const PairAt& pair_at, PairRowScratch& scratch) {
    resize_scratch(scratch.records, pair_count);
    resize_scratch(scratch.swap, pair_count);
    std::uint64_t* const records = scratch.records.plane();
    crew.run_ranges(pair_count, chunks, 1, [&](std::size_t, std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) records[i] = entry_of(pair_at(i).a, i);
    });
    const std::uint64_t* const sorted =
        radix_sort(crew, records, scratch.swap.plane(), pair_count, 32,
                   std::bit_width(row_count_ - 1), scratch.counters);
    std::uint64_t* const entries = entry_.plane();
    std::uint32_t* const starts = start_.plane();
    crew.run_ranges(pair_count, chunks, 1, [&](std::size_t, std::size_t begin, std::size_t end) {
      // The first row that has no start yet.
      std::size_t next = begin == 0 ? 0 : (sorted[begin - 1] >> 32) + 1;
      for (std::size_t i = begin; i < end; ++i) {
        const std::uint64_t row = sorted[i] >> 32, place = sorted[i] & 0xffffffffu;
        while (next <= row) starts[next++] = static_cast<std::uint32_t>(i);
        entries[i] = entry_of(pair_at(place).b, place);
      }
    });
    const std::size_t next = (sorted[pair_count - 1] >> 32) + 1;
    std::fill(starts + next, starts + row_count_ + 1, static_cast<std::uint32_t>(pair_count));
  }

  /// Higher id and place of each pair of a row.
  std::span<std::uint64_t> entries(std::size_t row) {
    if (row >= row_count_) return {};
    return {entry_.plane() + start_[row], start_[row + 1] - start_[row]};
  }

  static std::uint32_t place_of(std::uint64_t entry) { return static_cast<std::uint32_t>(entry); }

  /// The first that is not taken is the right one wherever a row stayed as it was.
  static void match_by_scan(std::span<const std::uint64_t> here,
                            std::span<const std::uint64_t> there, std::uint32_t* match) {
    std::uint64_t is_left = (std::uint64_t{1} << there.size()) - 1;
    for (const std::uint64_t entry : here) {
      std::uint32_t found = kNoPair;
      for (std::uint64_t left = is_left; left != 0; left &= left - 1) {
        const std::uint64_t other = there[static_cast<std::size_t>(std::countr_zero(left))];
        if ((entry ^ other) >> 32 != 0) continue;
        found = place_of(other);
        is_left &= ~(left & (0 - left));
        break;
      }
      match[place_of(entry)] = found;
    }
  }

  static void match_by_merge(std::span<const std::uint64_t> here,
                             std::span<const std::uint64_t> there, std::uint32_t* match) {
    std::size_t at = 0;
    for (const std::uint64_t entry : here) {
      while (at < there.size() && there[at] >> 32 < entry >> 32) ++at;
      const bool is_found = at < there.size() && there[at] >> 32 == entry >> 32;
      match[place_of(entry)] = is_found ? place_of(there[at++]) : kNoPair;
    }
  }

  /// By higher id, then place.
  static void sort_row(const Crew& crew, std::span<std::uint64_t> row, PairRowScratch& scratch) {
    if (std::is_sorted(row.begin(), row.end())) return;
    // Rows hold places in ascending order until they are sorted.
    if (scratch.swap.size() < row.size()) resize_scratch(scratch.swap, row.size());
    const std::uint64_t* const sorted =
        radix_sort(crew, row.data(), scratch.swap.plane(), row.size(), 32, 31, scratch.counters);
    if (sorted != row.data()) std::copy_n(sorted, row.size(), row.data());
  }

  std::size_t row_count_ = 0;
  Column<std::uint32_t> start_;
  Column<std::uint64_t> entry_;
};

}  // namespace widephase
