#pragma once

// The loop over a run for a kernel that looks at its pairs twice.

#include "kernels/core/run/collide_batch.hpp"

namespace widephase {
namespace {

/// Pairs that passed the first look, and what it found.
template <class F, class Kernel>
struct LookQueue {
  using Found = typename Kernel::FirstLook;
  static constexpr int lanes = LaneTraits<F>::count;
  static constexpr int most_looks = 8 * lanes;         ///< then whole batches are taken out
  static constexpr int room = most_looks + 2 * lanes;  ///< also for leftovers and one more vector
  /// It consists of batches only.
  static constexpr int columns = finds_at_first<Kernel> ? sizeof(Found) / sizeof(F) : 0;
  int count = 0;
  Pair pairs[room];
  std::int64_t sources[room];
  RealOf<F> numbers[columns > 0 ? columns : 1][columns > 0 ? room : 1] = {};

  WIDEPHASE_INLINE void add(const FetchedBatch<F, Kernel>& batch, unsigned bits) {
    const Compressor<RealOf<F>> left(bits);
    left.store_pairs(pairs + count, batch.pairs);
    if (batch.sources == nullptr) {
      left.store_sources(sources + count, batch.first_source);
    } else {
      left.store_sources(sources + count, batch.sources);
    }
    if constexpr (columns > 0) {
      F column[columns];
      __builtin_memcpy(static_cast<void*>(column), &batch.found, sizeof batch.found);
      for (int n = 0; n < columns; ++n) left.store(numbers[n] + count, column[n]);
    }
    count += left.count();
  }
  WIDEPHASE_INLINE Found found(int at) const {
    Found all;
    if constexpr (columns > 0) {
      F column[columns];
      for (int n = 0; n < columns; ++n) column[n] = load(numbers[n] + at);
      __builtin_memcpy(static_cast<void*>(&all), column, sizeof all);
    }
    return all;
  }
  /// Lanes after the last entry are read as copies of its pair, so they get what it found.
  WIDEPHASE_INLINE void fill_last_batch() {
    for (int n = 0; n < columns && count > 0; ++n) {
      store(numbers[n] + count, F(numbers[n][count - 1]));
    }
  }
  /// Removes the first `dropped` entries; less than one batch remains.
  WIDEPHASE_INLINE void drop(int dropped) {
    count -= dropped;
    __builtin_memcpy(pairs, pairs + dropped, lanes * sizeof pairs[0]);
    __builtin_memcpy(sources, sources + dropped, lanes * sizeof sources[0]);
    for (int n = 0; n < columns; ++n) store(numbers[n], load(numbers[n] + dropped));
  }
};

/// Takes a first look at some batches, then computes the manifolds of the pairs that passed. In a
/// mixed batch, lanes that miss would cost as much as those that hit. The rows are read again, from
/// the nearest cache.
template <class F, class Kernel, int D, class T>
WIDEPHASE_INLINE void collide_in_two_looks(const PairRun<D, T>& run, TailCopy<F>& tail,
                                           RunRoom<F, Kernel, D>* room, ContactCursor<D, T>& cursor,
                                           LaneCounter<F>& counter) {
  constexpr int kLanes = LaneTraits<F>::count;
  LookQueue<F, Kernel> queue;
  PairRun<D, T> left = run;
  left.pairs = queue.pairs;
  left.source = queue.sources;
  left.is_far = left.is_library_far = false;
  for (std::int64_t first = 0; first < run.count; first += queue.most_looks) {
    const bool is_last = run.count - first <= queue.most_looks;
    const std::int64_t end = is_last ? run.count : first + queue.most_looks;
    for (std::int64_t at = first; at < end; at += kLanes) {
      auto batch = fetch_batch<F, Kernel>(run, at, tail);
      EmitContext<F, D> context;
      move_to_origin<F, takes_higher_first<Kernel>>(run, batch.pairs, batch.a, batch.b, context);
      // Words are also kept for pairs that are apart, however far.
      const bool needs_all = keeps_words<Kernel, F, D> && uses_words<Kernel>(run);
      const F margin = needs_all ? F(kLargest<RealOf<F>>) : batch.margin;
      const auto may_meet = Kernel::first_look(batch.a, batch.b, margin, batch.found);
      const unsigned asked = needs_all ? LaneTraits<F>::all : mask_bits(may_meet);
      queue.add(batch, asked & batch.live);
    }
    if (is_last) queue.fill_last_batch();
    left.count = queue.count;
    const int taken = is_last ? queue.count : queue.count / kLanes * kLanes;
    for (int at = 0; at < taken; at += kLanes) {
      auto batch = fetch_batch<F, Kernel>(left, at, tail);
      batch.found = queue.found(at);
      collide_batch(left, batch, tail, room, cursor, counter);
    }
    if (!is_last) queue.drop(taken);
  }
}

}  // namespace
}  // namespace widephase
