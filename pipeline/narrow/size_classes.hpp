#pragma once

#include <cstring>

#include "kernels/table.hpp"
#include "pipeline/narrow/contacts_in_order.hpp"
#include "pipeline/rows/scene_rows.hpp"

namespace widephase {

/// Computes small polygons apart from large ones. A batch of pairs is as slow as its largest
/// outline: with one outline of more than eight vertices in ten, pairs took 65 ns (GJK: 310), and
/// in lists sorted beforehand 49 (214). So kernels get one class after the other, one chunk at a
/// time, and the chunk's contacts are put back into the order of its pairs. Hulls gain nothing
/// (below 1%, for 8 to 32 vertices and for 8 and 100), since their faces are processed one hull at
/// a time.
template <class T>
class SizeClasses {
  using Size = SizeOf<T>;

 public:
  /// Makes room for chunks of this many pairs.
  void reserve(std::size_t pairs) {
    is_large_.resize_uninitialized(pairs);
    pairs_.resize_uninitialized(pairs);
    source_.resize_uninitialized(pairs);
    order_.resize_uninitialized(pairs);
  }

  /// Splits the run; returns whether it has pairs of both classes.
  bool split(const SceneRows<2, T>& rows, const PairRun<2, Size>& run) {
    constexpr int kWidth = row_width(instance_kind(2), 2), kCounts = 6;
    const int polygon = static_cast<int>(instance_kind(2));
    const std::int32_t first = rows.layout.first[polygon], end = rows.layout.first[polygon + 1];
    const Size* const polygons =
        rows.rows[static_cast<std::size_t>(polygon)].plane() +
        std::ptrdiff_t{rows.rows_before[static_cast<std::size_t>(polygon)]} * kWidth;
    const auto is_large = [&](std::int32_t id) {
      if (id < first || id >= end) return false;
      std::int32_t counts;
      std::memcpy(&counts, polygons + std::ptrdiff_t{id - first} * kWidth + kCounts, sizeof counts);
      return PolygonLibrary<Size>::vertices_of(counts) > PolygonLibrary<Size>::kBlockVertices;
    };
    const auto count = static_cast<std::size_t>(run.count);
    std::size_t large = 0;
    for (std::size_t i = 0; i < count; ++i) {
      is_large_[i] = is_large(run.pairs[i].a) || is_large(run.pairs[i].b) ? 1 : 0;
      large += is_large_[i];
    }
    if (large == 0 || large == count) return false;
    std::size_t next[2] = {0, count - large};
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t at = next[is_large_[i]]++;
      pairs_[at] = run.pairs[i];
      source_[at] =
          run.source == nullptr ? run.first_source + static_cast<std::int64_t>(i) : run.source[i];
    }
    small_count_ = count - large;
    return true;
  }

  /// One of the two parts of the split run.
  PairRun<2, Size> part(PairRun<2, Size> run, bool is_large) const {
    const std::size_t first = is_large ? small_count_ : 0;
    run.pairs = pairs_.plane() + first;
    run.source = source_.plane() + first;
    run.count = is_large ? run.count - static_cast<std::int64_t>(small_count_)
                         : static_cast<std::int64_t>(small_count_);
    return run;
  }

  /// Appends the contacts of both parts in the order of the run's pairs; the first `small` of them
  /// are those of small polygons.
  void join(const ContactBuffer<2, T>& parts, std::size_t small, ContactBuffer<2, T>& contacts) {
    std::size_t of_small = 0, of_large = small;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const bool is_small = of_large == parts.size() ||
                            (of_small < small && parts.source[of_small] < parts.source[of_large]);
      order_[i] = static_cast<std::uint32_t>(is_small ? of_small++ : of_large++);
    }
    append_in_order(parts, {order_.plane(), parts.size()}, contacts);
  }

  std::size_t bytes() const {
    return is_large_.bytes() + pairs_.bytes() + source_.bytes() + order_.bytes();
  }

 private:
  Column<std::uint8_t> is_large_;
  Column<Pair> pairs_;
  Column<std::int64_t> source_;
  Column<std::uint32_t> order_;
  std::size_t small_count_ = 0;
};

}  // namespace widephase
