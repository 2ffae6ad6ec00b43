#pragma once

// The order of a tile tree's boxes, when it is made anew: a frame for their keys along a Hilbert
// curve, a radix sort by key, and finer keys where many are equal.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <widephase/columns.hpp>

#include "kernels/broad_table.hpp"
#include "pipeline/broad/tile_tree.hpp"
#include "soa/crew.hpp"
#include "soa/large_pages.hpp"
#include "soa/radix_sort.hpp"

namespace widephase {

/// Scratch for building, not needed for walking.
template <int D, class T>
struct BuildScratch {
  Column<float> rows;
  Column<std::uint64_t> records[2];
  Column<std::uint32_t> counters;
  Column<std::uint16_t> masks;
  Column<std::size_t> chunk_results;
  std::vector<CentreRange<D, T>> ranges;
  std::vector<CentreRange<D, float>> row_ranges;

  std::size_t bytes() const {
    return rows.bytes() + records[0].bytes() + records[1].bytes() + counters.bytes() +
           masks.bytes() + chunk_results.bytes();
  }
};

/// Sorts the records of boxes: the upper half of one is a key, the lower half a row (or a slot of a
/// kept order).
template <int D, class T>
class BoxSorter {
 public:
  BoxSorter(const BroadTable<D, T>& kernels, const Crew& crew, BuildScratch<D, T>& scratch)
      : kernels_(kernels), crew_(crew), scratch_(scratch) {}

  std::uint64_t* records() const { return records_; }
  /// Scratch for as many.
  std::uint64_t* swap() const { return swap_; }

  /// The frame of the keys of `source`, whose origin becomes that of the tree.
  KeyFrame<D, T> key_frame(TileTree<D, T>& tree, const BoxSource<D, T>& source,
                           const T* shared_origin) {
    CentreRange<D, T> range = empty_range<T>();
    const std::size_t chunks = crew_.chunk_count(tree.box_count, kBoxGrain);
    if (chunks == 1) {
      kernels_.centre_range(source, 0, tree.box_count, range);
    } else {
      scratch_.ranges.resize(chunks);
      crew_.run(chunks, [&](std::size_t chunk) {
        scratch_.ranges[chunk] = empty_range<T>();
        kernels_.centre_range(source, Crew::boundary(tree.box_count, chunks, 16, chunk),
                              Crew::boundary(tree.box_count, chunks, 16, chunk + 1),
                              scratch_.ranges[chunk]);
      });
      for (const CentreRange<D, T>& part : scratch_.ranges) {
        for (int d = 0; d < D; ++d) {
          if (part.min[d] < range.min[d]) range.min[d] = part.min[d];
          if (part.max[d] > range.max[d]) range.max[d] = part.max[d];
        }
      }
    }
    KeyFrame<D, T> frame = frame_of(range, tree.box_count);
    for (int d = 0; d < D; ++d) {
      T origin = 0;
      if constexpr (TileTree<D, T>::kHasExact) {
        // The range is that of twice the centres.
        origin = shared_origin != nullptr       ? shared_origin[d]
                 : range.min[d] <= range.max[d] ? range.min[d] * T(0.25) + range.max[d] * T(0.25)
                                                : T(0);
      }
      frame.origin[d] = origin;
      tree.origin[d] = origin;
    }
    return frame;
  }

  void resize_records(std::size_t count) {
    for (Column<std::uint64_t>& records : scratch_.records) resize_scratch(records, count);
    records_ = scratch_.records[0].plane();
    swap_ = scratch_.records[1].plane();
  }

  void sort(std::size_t count, const KeyFrame<D, T>& frame) {
    if (count <= kTileLanes || frame.scale == 0) return;
    if (radix_sort(crew_, records_, swap_, count, 32, frame.bits * D, scratch_.counters) !=
        records_) {
      std::swap(records_, swap_);
    }
    refine(0, count);
  }

  /// Gives records new keys, in a frame around their own rows, and sorts them by these.
  void refine_run(std::size_t begin, std::size_t end) {
    const std::size_t count = end - begin;
    std::uint64_t* const records = records_ + begin;
    const std::size_t chunks = crew_.chunk_count(count, kBoxGrain);
    CentreRange<D, float> range = empty_range<float>();
    if (chunks == 1) {
      kernels_.row_range(scratch_.rows.plane(), records, count, range);
    } else {
      scratch_.row_ranges.resize(chunks);
      crew_.run(chunks, [&](std::size_t chunk) {
        const std::size_t from = Crew::boundary(count, chunks, 16, chunk);
        scratch_.row_ranges[chunk] = empty_range<float>();
        kernels_.row_range(scratch_.rows.plane(), records + from,
                           Crew::boundary(count, chunks, 16, chunk + 1) - from,
                           scratch_.row_ranges[chunk]);
      });
      for (const CentreRange<D, float>& part : scratch_.row_ranges) {
        for (int d = 0; d < D; ++d) {
          if (part.min[d] < range.min[d]) range.min[d] = part.min[d];
          if (part.max[d] > range.max[d]) range.max[d] = part.max[d];
        }
      }
    }
    const KeyFrame<D, float> frame = frame_of(range, count);
    if (frame.scale == 0) return;
    crew_.run_ranges(count, chunks, 16, [&](std::size_t, std::size_t from, std::size_t to) {
      kernels_.row_keys(scratch_.rows.plane(), frame, records + from, to - from);
    });
    std::uint64_t* const swap = swap_ + begin;
    if (radix_sort(crew_, records, swap, count, 32, frame.bits * D, scratch_.counters) != records) {
      std::copy_n(swap, count, records);
    }
    // Rounding may leave all in one cell, however small the frame.
    if (records[0] >> 32 == records[count - 1] >> 32) return;
    refine(begin, end);
  }

 private:
  static constexpr int kMostKeyBits = D == 2 ? 15 : 10;

  static int key_bits(std::size_t count) {
    const int bits = (static_cast<int>(std::bit_width(count)) + D - 1) / D + 3;
    return bits < kMostKeyBits ? bits : kMostKeyBits;
  }

  template <class Real>
  static CentreRange<D, Real> empty_range() {
    CentreRange<D, Real> range;
    for (int d = 0; d < D; ++d) {
      range.min[d] = std::numeric_limits<Real>::infinity();
      range.max[d] = -std::numeric_limits<Real>::infinity();
    }
    return range;
  }

  /// One scale for all axes, from the largest width; 0 if all centres are equal.
  template <class Real>
  static KeyFrame<D, Real> frame_of(const CentreRange<D, Real>& range, std::size_t count) {
    KeyFrame<D, Real> frame{};
    Real widest = 0;
    for (int d = 0; d < D; ++d) {
      const bool has_centre = range.min[d] <= range.max[d];
      frame.min[d] = has_centre ? range.min[d] : 0;
      const Real width = has_centre ? range.max[d] - range.min[d] : 0;
      widest = width > widest ? width : widest;
    }
    frame.bits = key_bits(count);
    const Real scale = static_cast<Real>((1 << frame.bits) - 1) / widest;
    const bool is_usable = widest > 0 && scale > 0 && scale <= std::numeric_limits<Real>::max();
    frame.scale = is_usable ? scale : 0;
    return frame;
  }

  /// A run of more than 16 equal keys would be a heap of tiles in no order, so it gets its own
  /// keys. One far outlier puts a whole scene into such a run.
  void refine(std::size_t begin, std::size_t end) {
    const std::uint64_t* const records = records_;
    std::size_t i = first_run(records, begin, end);
    while (i < end) {
      std::size_t run_end = i + kTileLanes + 1;
      while (run_end < end && records[run_end] >> 32 == records[i] >> 32) ++run_end;
      refine_run(i, run_end);
      i = kernels_.find_run(records, run_end, end);
    }
  }

  std::size_t first_run(const std::uint64_t* records, std::size_t begin, std::size_t end) {
    const std::size_t count = end - begin;
    const std::size_t chunks = crew_.chunk_count(count, 4 * kBoxGrain);
    if (chunks == 1) return kernels_.find_run(records, begin, end);
    Column<std::size_t>& results = scratch_.chunk_results;
    results.resize_uninitialized(chunks);
    crew_.run(chunks, [&](std::size_t chunk) {
      const std::size_t from = begin + Crew::boundary(count, chunks, 1, chunk);
      const std::size_t to = begin + Crew::boundary(count, chunks, 1, chunk + 1);
      const std::size_t seen = to + kTileLanes < end ? to + kTileLanes : end;
      const std::size_t found = kernels_.find_run(records, from, seen);
      results[chunk] = found < seen ? found : end;
    });
    for (const std::size_t found : results) {
      if (found < end) return found;
    }
    return end;
  }

  const BroadTable<D, T>& kernels_;
  const Crew& crew_;
  BuildScratch<D, T>& scratch_;
  std::uint64_t* records_ = nullptr;
  std::uint64_t* swap_ = nullptr;
};

}  // namespace widephase
