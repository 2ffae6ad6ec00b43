#pragma once

// The loop over a run for a kernel that processes several batches together, in steps.

#include "kernels/core/run/collide_batch.hpp"

namespace widephase {
namespace {

/// Runs a kernel in steps: all batches of a round finish one step before any starts the next.
template <class F, class Kernel, int D, class T>
WIDEPHASE_INLINE void collide_in_steps(const PairRun<D, T>& run, TailCopy<F>& tail,
                                       RunRoom<F, Kernel, D>& room, ContactCursor<D, T>& cursor,
                                       LaneCounter<F>& counter) {
  auto& [batches, fetched, contexts, warm] = room;
  constexpr int kMost = Kernel::Batches::most;
  for (std::int64_t first = 0; first < run.count;) {
    int count = 0;
    for (; count < kMost && first < run.count; ++count, first += LaneTraits<F>::count) {
      FetchedBatch<F, Kernel>& batch = fetched[count];
      batch = fetch_batch<F, Kernel>(run, first, tail);
      set_context(run, batch, contexts[count]);
      counter.live = batch.live;
      read_words<F, Kernel>(run, batch, warm[count]);
      batches.begin(count, batch.a, batch.b, counter);
    }
    batches.find_axes(count, run.question == Question::contact, warm, counter);
    for (int n = 0; n < count; ++n) {
      const FetchedBatch<F, Kernel>& batch = fetched[n];
      counter.live = batch.live;
      batches.answer(n, batch.a, batch.b, batch.margin, warm[n], counter);
    }
    batches.find_points(counter);
    for (int n = 0; n < count; ++n) {
      auto manifold = batches.manifold(n, fetched[n].a, fetched[n].b, fetched[n].margin, counter);
      write_words<F, Kernel>(run, fetched[n], manifold, warm[n]);
      emit_batch(fetched[n], contexts[n], tail, manifold, cursor);
    }
  }
}

}  // namespace
}  // namespace widephase
