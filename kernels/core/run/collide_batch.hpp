#pragma once

// Runs one batch through a kernel: the words of its warm starts, the kernel's working memory, and
// its contacts.

#include <type_traits>

#include "kernels/core/basis/lane_counter.hpp"
#include "kernels/core/basis/warm_start.hpp"
#include "kernels/core/run/emit.hpp"

namespace widephase {
namespace {

/// Working memory of a run that is too large for the stacks of some threads. The caller provides it
/// if the kernel needs any (`PairKernel::room_bytes`).
template <class F, class Kernel, int D>
struct RunRoom {};
template <class F, class Kernel, int D>
requires(is_in_steps<Kernel>) struct RunRoom<F, Kernel, D> {
  static constexpr int most = Kernel::Batches::most;
  typename Kernel::Batches batches;
  FetchedBatch<F, Kernel> fetched[most];
  EmitContext<F, D> contexts[most];
  WarmStartLanes<F> warm[most];
};
template <class F, class Kernel, int D>
requires(!is_in_steps<Kernel> && has_room<Kernel>) struct RunRoom<F, Kernel, D> {
  typename Kernel::Room of_kernel;
};
template <class F, class Kernel, int D>
constexpr std::size_t room_bytes = std::is_empty_v<RunRoom<F, Kernel, D>>
                                       ? 0
                                       : sizeof(RunRoom<F, Kernel, D>);

/// Calls the kernel's `contact`, with `Room` as the last argument if the kernel has one.
template <class F, class Kernel, int D, class... Arguments>
WIDEPHASE_INLINE auto contact_in([[maybe_unused]] RunRoom<F, Kernel, D>* room,
                                 Arguments&... arguments) {
  if constexpr (has_room<Kernel>) {
    return Kernel::contact(arguments..., room->of_kernel);
  } else {
    return Kernel::contact(arguments...);
  }
}

/// Whether a run reads and writes words.
template <class Kernel, int D, class T>
WIDEPHASE_INLINE bool uses_words(const PairRun<D, T>& run) {
  return run.warm_starts != nullptr && (!is_warm_when_steady<Kernel> || run.steadiness > 0);
}

/// The word of one lane of a batch.
template <class F, class Kernel, int D, class T>
WIDEPHASE_INLINE WarmStart& word_of(const PairRun<D, T>& run, const FetchedBatch<F, Kernel>& batch,
                                    int i) {
  return run.warm_starts[batch.sources == nullptr ? batch.first_source + i : batch.sources[i]];
}
/// Reads the words of a batch's live lanes before the search.
template <class F, class Kernel, int D, class T>
WIDEPHASE_INLINE void read_words(const PairRun<D, T>& run, const FetchedBatch<F, Kernel>& batch,
                                 WarmStartLanes<F>& warm) {
  if (!uses_words<Kernel>(run)) return;
  warm = {};
  warm.is_given = true;
  warm.steadiness = run.steadiness;
  for (unsigned left = batch.live; left != 0; left &= left - 1) {
    const int i = __builtin_ctz(left);
    warm.pair[i] = word_of(run, batch, i);
  }
}

/// Writes the words back after the search, with the points that were found.
template <class F, class Kernel, int D, class T, class Found>
WIDEPHASE_INLINE void write_words(const PairRun<D, T>& run, const FetchedBatch<F, Kernel>& batch,
                                  const Found& manifold, WarmStartLanes<F>& warm) {
  if (!warm.is_given) return;
  if constexpr (D == 3 && Kernel::max_points == 4) {
    if (run.steadiness > 0 && run.question == Question::points) {
      note_points(manifold, mask_bits(is_within(manifold, batch.margin)), warm);
    }
  }
  for (unsigned left = batch.live; left != 0; left &= left - 1) {
    const int i = __builtin_ctz(left);
    word_of(run, batch, i) = warm.pair[i];
  }
}

/// Moves both shapes to A's origin and notes how to undo it.
template <class F, class Kernel, int D, class T>
WIDEPHASE_INLINE void set_context(const PairRun<D, T>& run, FetchedBatch<F, Kernel>& batch,
                                  EmitContext<F, D>& context) {
  move_to_origin<F, takes_higher_first<Kernel>>(run, batch.pairs, batch.a, batch.b, context);
  context.is_flipped = batch.is_flipped;
  context.has_flips = !run.is_ascending;
  context.has_shift = run.is_periodic;
}
template <class F, class Kernel, int D, class T>
WIDEPHASE_INLINE auto contact_of(const PairRun<D, T>& run, FetchedBatch<F, Kernel>& batch,
                                 EmitContext<F, D>& context, RunRoom<F, Kernel, D>* room,
                                 LaneCounter<F>& counter) {
  const typename Kernel::A& a = batch.a;
  const typename Kernel::B& b = batch.b;
  const F& margin = batch.margin;
  set_context(run, batch, context);
  if constexpr (begins_warm<Kernel, F>) {
    WarmStartLanes<F> warm;
    read_words<F, Kernel>(run, batch, warm);
    const auto manifold = [&] {
      if constexpr (finds_at_first<Kernel>) {
        return Kernel::contact(a, b, margin, batch.found, warm);
      } else {
        return contact_in(room, a, b, margin, warm, counter);
      }
    }();
    write_words<F, Kernel>(run, batch, manifold, warm);
    return manifold;
  } else if constexpr (counts_lanes<Kernel, F>) {
    return contact_in(room, a, b, margin, counter);
  } else {
    return Kernel::contact(a, b, margin);
  }
}

/// `contact_of`, out of line for long kernels of several points. Otherwise the variables of the
/// surrounding loop would push the kernel's numbers out of the registers.
template <class F, class Kernel, int D, class T>
__attribute__((noinline)) auto contact_apart_of(const PairRun<D, T>& run,
                                                FetchedBatch<F, Kernel>& batch,
                                                EmitContext<F, D>& context,
                                                RunRoom<F, Kernel, D>* room,
                                                LaneCounter<F>& counter) {
  return contact_of(run, batch, context, room, counter);
}
template <class F, class Kernel, int D, class T>
WIDEPHASE_INLINE auto answer_of(const PairRun<D, T>& run, FetchedBatch<F, Kernel>& batch,
                                EmitContext<F, D>& context, RunRoom<F, Kernel, D>* room,
                                LaneCounter<F>& counter) {
  if constexpr (D == 3 && is_long<Kernel> && Kernel::max_points > 1) {
    return contact_apart_of(run, batch, context, room, counter);
  } else {
    return contact_of(run, batch, context, room, counter);
  }
}

template <class F, class Kernel, int D, class T>
WIDEPHASE_INLINE void collide_batch(const PairRun<D, T>& run, FetchedBatch<F, Kernel>& batch,
                                    const TailCopy<F>& tail, RunRoom<F, Kernel, D>* room,
                                    ContactCursor<D, T>& cursor, LaneCounter<F>& counter) {
  EmitContext<F, D> context;
  counter.live = batch.live;
  auto manifold = answer_of(run, batch, context, room, counter);
  emit_batch(batch, context, tail, manifold, cursor);
}

}  // namespace
}  // namespace widephase
