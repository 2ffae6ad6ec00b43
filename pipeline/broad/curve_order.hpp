#pragma once

// The order of points along a Hilbert curve, in which they ask a tree: neighbours meet the same
// tiles. Within a cell of the curve they may be parted by a rank of a few bits.

#include <cstdint>

#include "pipeline/broad/box_sorter.hpp"

namespace widephase {

struct NoRank {
  static constexpr int bits = 0;
  std::uint64_t operator()(std::int32_t) const { return 0; }
};

/// Lists the rows of `count` points of `source` in `order`. `frame_of` becomes their frame.
template <int D, class P, class Rank = NoRank>
void order_along_curve(const BoxSource<D, P>& source, std::size_t count,
                       const BroadTable<D, P>& broad, const Crew& crew, BuildScratch<D, P>& build,
                       TileTree<D, P>& frame_of, std::int32_t* order, const Rank& rank = {}) {
  const auto row_of = [&](std::size_t place) {
    return source.ids == nullptr ? source.first + static_cast<std::int32_t>(place)
                                 : source.ids[place];
  };
  frame_of.box_count = count;
  BoxSorter<D, P> sorter(broad, crew, build);
  KeyFrame<D, P> frame = sorter.key_frame(frame_of, source, nullptr);
  for (; frame.bits * D + Rank::bits > 32; --frame.bits) frame.scale *= P(0.5);
  sorter.resize_records(count);
  resize_scratch(build.rows, (count + 1) * kRowFloats<D>);
  const auto in_chunks = [&](const auto& op) {
    crew.run_ranges(count, crew.chunk_count(count, kBoxGrain), 16,
                    [&](std::size_t, std::size_t begin, std::size_t end) { op(begin, end); });
  };
  in_chunks([&](std::size_t begin, std::size_t end) {
    broad.make_rows(source, frame, begin, end, nullptr, build.rows.plane(), nullptr,
                    sorter.records());
    if constexpr (Rank::bits > 0) {
      for (std::size_t i = begin; i < end; ++i) {
        const std::uint64_t key = sorter.records()[i] >> 32;
        sorter.records()[i] = (key << Rank::bits | rank(row_of(i))) << 32 | i;
      }
    }
  });
  const std::uint64_t* records = sorter.records();
  if constexpr (Rank::bits > 0) {
    records = radix_sort(crew, sorter.records(), sorter.swap(), count, 32,
                         frame.bits * D + Rank::bits, build.counters);
  } else {
    sorter.sort(count, frame);
    records = sorter.records();
  }
  in_chunks([&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) order[i] = row_of(records[i] & 0xFFFFFFFFu);
  });
}

}  // namespace widephase
