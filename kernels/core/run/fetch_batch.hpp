#pragma once

// Fetches a batch of a run's pairs: orders each pair as the kernel takes it, loads the rows into
// lanes, and prefetches rows that lie far away. Dead lanes of the last batch hold copies of the
// last pair.

#include "kernels/core/basis/rows.hpp"
#include "kernels/core/run/kernel_members.hpp"

namespace widephase {
namespace {

/// A batch's pairs with the kernel's A first, and which of them were named in the other order.
template <class F>
struct KernelPairs {
  Pair pairs[LaneTraits<F>::count];
  RealOf<F> is_flipped[LaneTraits<F>::count];
};

/// The bits of 1 as an integer, to store a flag without a conversion or a branch.
constexpr std::uint32_t one_bits(float) { return 0x3f800000u; }
constexpr std::uint64_t one_bits(double) { return 0x3ff0000000000000u; }

/// Whether the caller named a pair in the other order than the kernel.
template <bool HigherFirst>
WIDEPHASE_INLINE bool is_turned_round(const Pair& pair) {
  return HigherFirst ? pair.a < pair.b : pair.a > pair.b;
}

/// The pair with the kernel's A first: the lower id, or the higher one if `HigherFirst`.
template <bool HigherFirst>
WIDEPHASE_INLINE Pair kernel_pair(const Pair& pair) {
  std::uint64_t word;
  __builtin_memcpy(&word, &pair, 8);
  const std::uint64_t swapped = word << 32 | word >> 32;
  word ^= (word ^ swapped) & (0 - static_cast<std::uint64_t>(is_turned_round<HigherFirst>(pair)));
  Pair own;
  __builtin_memcpy(static_cast<void*>(&own), &word, 8);
  return own;
}

template <class F, bool HigherFirst>
WIDEPHASE_INLINE void to_kernel_pairs(const Pair* pairs, KernelPairs<F>& order) {
  using Bits = decltype(one_bits(RealOf<F>()));
  for (int i = 0; i < LaneTraits<F>::count; ++i) {
    order.pairs[i] = kernel_pair<HigherFirst>(pairs[i]);
    const bool is_flipped = is_turned_round<HigherFirst>(pairs[i]);
    const Bits flag = (0 - static_cast<Bits>(is_flipped)) & one_bits(RealOf<F>());
    __builtin_memcpy(&order.is_flipped[i], &flag, sizeof flag);
  }
}

/// Room for the last batch of a list if it is not full: its pairs and sources, padded with copies
/// of the last pair.
template <class F>
struct TailCopy {
  Pair pairs[LaneTraits<F>::count];
  std::int64_t source[LaneTraits<F>::count];
  RealOf<F> is_live[LaneTraits<F>::count];
};

template <class F, int D, class T>
__attribute__((noinline)) void copy_tail(const PairRun<D, T>& run, std::int64_t first,
                                         TailCopy<F>& tail) {
  for (int i = 0; i < LaneTraits<F>::count; ++i) {
    const std::int64_t from = first + i < run.count ? first + i : run.count - 1;
    tail.pairs[i] = run.pairs[from];
    tail.source[i] = run.source == nullptr ? run.first_source + from : run.source[from];
    tail.is_live[i] = first + i < run.count ? RealOf<F>(1) : RealOf<F>(0);
  }
}

template <class Lanes, class F, int D, class T>
WIDEPHASE_INLINE Lanes load_lanes(const PairRun<D, T>& run, Kind kind, const T* rows,
                                  const std::int32_t* ids) {
  if constexpr (requires { Lanes::load(run, kind, rows, ids); }) {
    return Lanes::load(run, kind, rows, ids);
  } else {
    F row[4 * Lanes::quads];
    load_quads<Lanes::quads>(rows, ids, row);
    if constexpr (requires { Lanes::kind; }) {
      return Lanes(row, run.library, kind, run.question);
    } else if constexpr (requires { Lanes::library; }) {
      return Lanes(row, run.library);
    } else {
      return Lanes(row);
    }
  }
}

template <class Lanes, class T>
WIDEPHASE_INLINE const T* row_of(const T* rows, Kind kind, std::int32_t id) {
  if constexpr (requires { Lanes::quads; }) {
    return rows + std::ptrdiff_t{id} * (4 * Lanes::quads);
  } else {
    return rows + std::ptrdiff_t{id} * (4 * Lanes::quads_of(kind));
  }
}

WIDEPHASE_INLINE const double* anchor_of(const double* anchors, int width, std::int32_t id) {
  return anchors + std::ptrdiff_t{id} * width;
}

/// Prefetches the rows of a batch some batches ahead if the rows are far away. The distance covers
/// the latency of memory, given the time that kernels take per pair. Kernels in steps always
/// prefetch, for the next round of batches, because it costs them almost nothing.
template <class F, class Kernel, int D, class T>
WIDEPHASE_INLINE void prefetch_rows(const PairRun<D, T>& run, std::int64_t first) {
  constexpr std::int64_t kAhead = Kernel::max_points == 1 || is_in_steps<Kernel> ? 64 : 32;
  if (!run.is_far && !is_in_steps<Kernel>) return;
  if (run.count - first < kAhead + LaneTraits<F>::count) return;
  const Pair* const pairs = run.pairs + first + kAhead;
  const auto ask = [&](const auto& order) __attribute__((always_inline)) {
    for (int i = 0; i < LaneTraits<F>::count; ++i) {
      const Pair own = order(pairs[i]);
      __builtin_prefetch(row_of<typename Kernel::A>(run.rows_a, run.kind_a, own.a));
      __builtin_prefetch(row_of<typename Kernel::B>(run.rows_b, run.kind_b, own.b));
    }
  };
  if (run.is_ascending) {
    ask([](const Pair& pair) { return pair; });
  } else {
    ask(kernel_pair<takes_higher_first<Kernel>>);
  }
  if (run.anchors_a == nullptr) return;
  for (int i = 0; i < LaneTraits<F>::count; ++i) {
    const Pair own = kernel_pair<takes_higher_first<Kernel>>(pairs[i]);
    __builtin_prefetch(anchor_of(run.anchors_a, run.anchor_width_a, own.a));
    __builtin_prefetch(anchor_of(run.anchors_b, run.anchor_width_b, own.b));
  }
}

/// Prefetches the outlines that rows refer to in the library. The rows must already be in a cache.
template <class Lanes, class F, int D, class T>
WIDEPHASE_INLINE void prefetch_outline(const PairRun<D, T>& run, const T* row) {
  if constexpr (requires { Lanes::place_column; }) {
    constexpr int kLine = 64 / static_cast<int>(sizeof(T));
    // One block and the records of four edges cover a small outline. A search by support points
    // for the deepest point reads only the vertices of most outlines.
    constexpr bool is_by_support = requires(Lanes lanes) { lanes.question; };
    const int numbers = is_by_support && run.question == Question::deepest
                            ? PolygonLayout::normal_x
                            : PolygonLayout::block + 4 * PolygonLayout::record;
    const T* const outline =
        run.library + std::ptrdiff_t{PolygonLayout::record} * integer_in(row[Lanes::place_column]);
    for (int k = 0; k < numbers; k += kLine) __builtin_prefetch(outline + k);
  }
}
template <class F, class Kernel, int D, class T>
__attribute__((noinline)) void prefetch_outlines(const PairRun<D, T>& run, std::int64_t first) {
  constexpr std::int64_t kAhead = 32;
  if (run.count - first < kAhead + LaneTraits<F>::count) return;
  const Pair* const pairs = run.pairs + first + kAhead;
  for (int i = 0; i < LaneTraits<F>::count; ++i) {
    const Pair own = kernel_pair<takes_higher_first<Kernel>>(pairs[i]);
    prefetch_outline<typename Kernel::A, F>(
        run, row_of<typename Kernel::A>(run.rows_a, run.kind_a, own.a));
    prefetch_outline<typename Kernel::B, F>(
        run, row_of<typename Kernel::B>(run.rows_b, run.kind_b, own.b));
  }
}

/// Shapes with their own margins are rare, so this stays out of line.
template <class F, int D, class T>
__attribute__((noinline)) void gather_margins(const PairRun<D, T>& run, const Pair* pairs,
                                              T (&margins)[LaneTraits<F>::count]) {
  for (int i = 0; i < LaneTraits<F>::count; ++i) {
    margins[i] = run.margin + (run.margins[pairs[i].a] + run.margins[pairs[i].b]);
  }
}

/// One fetched batch of pairs.
template <class F, class Kernel>
struct FetchedBatch {
  typename Kernel::A a;
  typename Kernel::B b;
  F margin;
  F is_flipped;
  const Pair* pairs;
  std::int64_t first_source;    ///< of the first lane, if sources count up
  const std::int64_t* sources;  ///< null if sources count up
  unsigned live;
  typename FirstLookOf<Kernel>::Type found;  ///< for a second look: what the first one found
};

template <class F, class Kernel, int D, class T>
WIDEPHASE_INLINE FetchedBatch<F, Kernel> fetch_batch(const PairRun<D, T>& run, std::int64_t first,
                                                     TailCopy<F>& tail) {
  prefetch_rows<F, Kernel>(run, first);
  if constexpr (is_long<Kernel> && has_fixed_rows<Kernel>) {
    if (run.is_library_far) prefetch_outlines<F, Kernel>(run, first);
  }
  const Pair* pairs = run.pairs + first;
  const std::int64_t* sources = run.source == nullptr ? nullptr : run.source + first;
  unsigned live = LaneTraits<F>::all;
  if (run.count - first < LaneTraits<F>::count) {
    copy_tail<F>(run, first, tail);
    pairs = tail.pairs;
    sources = tail.source;
    live = (1u << (run.count - first)) - 1u;
  }
  KernelPairs<F> order;
  const Pair* own = pairs;
  F is_flipped = F(0);
  if (!run.is_ascending) {
    to_kernel_pairs<F, takes_higher_first<Kernel>>(pairs, order);
    own = order.pairs;
    is_flipped = load(order.is_flipped);
  }
  F margin = F(run.margin);
  if (run.margins != nullptr) {
    T margins[LaneTraits<F>::count];
    gather_margins<F>(run, own, margins);
    margin = load(margins);
  }
  return {load_lanes<typename Kernel::A, F>(run, run.kind_a, run.rows_a, &own->a),
          load_lanes<typename Kernel::B, F>(run, run.kind_b, run.rows_b, &own->b),
          margin,
          is_flipped,
          pairs,
          run.first_source + first,
          sources,
          live,
          {}};
}

}  // namespace
}  // namespace widephase
