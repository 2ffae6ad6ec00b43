#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include <widephase/columns.hpp>

#include "soa/crew.hpp"

namespace widephase {

/// Records that are worth a chunk of the sort.
inline constexpr std::size_t kSortGrain = 16384;

/// Wide digits save passes, but their counters must stay small beside the records.
inline int widest_digit(std::size_t count) {
  if (count < 512) return 6;
  if (count < 4096) return 8;
  if (count < 65536) return 9;
  return 11;
}

inline constexpr int kMostPasses = 6;

/// On one thread: counts the digits of all passes in one sweep.
inline std::uint64_t* radix_sort_alone(std::uint64_t* records, std::uint64_t* swap,
                                       std::size_t count, int low_bit, int bits, int passes,
                                       Column<std::uint32_t>& counters) {
  std::size_t first_counter[kMostPasses + 1] = {};
  int shift[kMostPasses];
  std::uint64_t mask[kMostPasses];
  for (int pass = 0; pass < passes; ++pass) {
    const int first_bit = bits * pass / passes;
    const std::size_t digits = std::size_t{1} << (bits * (pass + 1) / passes - first_bit);
    shift[pass] = low_bit + first_bit;
    mask[pass] = digits - 1;
    first_counter[pass + 1] = first_counter[pass] + digits;
  }
  counters.resize_uninitialized(first_counter[passes]);
  std::uint32_t* const all = counters.plane();
  std::fill_n(all, first_counter[passes], 0u);
  for (std::size_t i = 0; i < count; ++i) {
    for (int pass = 0; pass < passes; ++pass) {
      ++all[first_counter[pass] + (records[i] >> shift[pass] & mask[pass])];
    }
  }
  for (int pass = 0; pass < passes; ++pass) {
    std::uint32_t* const places = all + first_counter[pass];
    std::uint32_t sum = 0;
    for (std::size_t digit = 0; digit <= mask[pass]; ++digit) {
      const std::uint32_t in_digit = places[digit];
      places[digit] = sum;
      sum += in_digit;
    }
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t record = records[i];
      swap[places[record >> shift[pass] & mask[pass]]++] = record;
    }
    std::swap(records, swap);
  }
  return records;
}

/// Stable sort by bits [low_bit, low_bit + bits) of the records. `records` and `swap` are both
/// written; returns the one that holds the result.
inline std::uint64_t* radix_sort(const Crew& crew, std::uint64_t* records, std::uint64_t* swap,
                                 std::size_t count, int low_bit, int bits,
                                 Column<std::uint32_t>& counters) {
  const int digit_most = widest_digit(count);
  const int passes = (bits + digit_most - 1) / digit_most;
  const std::size_t chunks = crew.chunk_count(count, kSortGrain);
  if (chunks == 1 && passes <= kMostPasses) {
    return radix_sort_alone(records, swap, count, low_bit, bits, passes, counters);
  }
  for (int pass = 0; pass < passes; ++pass) {
    const int first_bit = bits * pass / passes;
    const int digit_bits = bits * (pass + 1) / passes - first_bit;
    const int shift = low_bit + first_bit;
    const std::size_t digits = std::size_t{1} << digit_bits;
    const std::uint64_t mask = digits - 1;
    counters.resize_uninitialized(chunks * digits);
    std::uint32_t* const all = counters.plane();
    std::fill_n(all, chunks * digits, 0u);
    crew.run_ranges(count, chunks, 1, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
      std::uint32_t* const mine = all + chunk * digits;
      for (std::size_t i = begin; i < end; ++i) ++mine[records[i] >> shift & mask];
    });
    std::uint32_t sum = 0;
    for (std::size_t digit = 0; digit < digits; ++digit) {
      for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
        const std::uint32_t in_chunk = all[chunk * digits + digit];
        all[chunk * digits + digit] = sum;
        sum += in_chunk;
      }
    }
    crew.run_ranges(count, chunks, 1, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
      std::uint32_t* const mine = all + chunk * digits;
      for (std::size_t i = begin; i < end; ++i) {
        const std::uint64_t record = records[i];
        swap[mine[record >> shift & mask]++] = record;
      }
    });
    std::swap(records, swap);
  }
  return records;
}

/// Stable sort of row indices by `key_of(index)`, of 32 bits.
template <class KeyOf>
void sort_places(const Crew& crew, const KeyOf& key_of, Column<std::uint64_t>& records,
                 Column<std::uint64_t>& swap, Column<std::uint32_t>& counters,
                 Column<std::uint32_t>& places) {
  const std::size_t count = places.size();
  records.resize_uninitialized(count);
  swap.resize_uninitialized(count);
  std::uint32_t all_bits = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t key = key_of(places[i]);
    all_bits |= key;
    records[i] = static_cast<std::uint64_t>(key) << 32 | places[i];
  }
  if (all_bits == 0) return;
  const std::uint64_t* const sorted = radix_sort(crew, records.plane(), swap.plane(), count, 32,
                                                 32 - __builtin_clz(all_bits), counters);
  for (std::size_t i = 0; i < count; ++i) places[i] = static_cast<std::uint32_t>(sorted[i]);
}

}  // namespace widephase
