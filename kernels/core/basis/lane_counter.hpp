#pragma once

// How many lanes did useful work (`CollideStats::KindStats::lanes`), counted per step of a kernel,
// not per pair. The loop over a run counts one step per batch. Each step of a search in lanes
// counts too, and so does each pair that leaves its batch to be solved alone.

#include "kernels/lanes/lanes.hpp"
#include "kernels/lanes/tile.hpp"
#include "kernels/table.hpp"

namespace widephase {
namespace {

/// The mask that has the lanes whose bits are set.
template <class F>
WIDEPHASE_INLINE MaskOf<F> lanes_of(unsigned bits) {
  RealOf<F> is_set[LaneTraits<F>::count];
  for (int i = 0; i < LaneTraits<F>::count; ++i) is_set[i] = RealOf<F>(bits >> i & 1);
  return load(is_set) > F(0);
}

template <class F>
struct LaneCounter {
  static constexpr int lanes = LaneTraits<F>::count;
  LaneCount sum{};
  unsigned live = LaneTraits<F>::all;  ///< the lanes that are not copies of the batch's last pair

  MaskOf<F> live_lanes() const { return lanes_of<F>(live); }

  /// One step that only the lanes of `used` need.
  WIDEPHASE_INLINE void add_step(const MaskOf<F>& used) { add_step_of(mask_bits(used)); }
  WIDEPHASE_INLINE void add_step_of(unsigned used) { add_queue(bit_count(used & live)); }
  /// One step on `used` entries of a queue.
  WIDEPHASE_INLINE void add_queue(int used) {
    sum.in_use += used;
    sum.ran += lanes;
  }
  /// Steps that run for one lane's pair alone.
  WIDEPHASE_INLINE void add_alone(int steps) {
    sum.in_use += steps;
    sum.ran += steps * lanes;
  }
  /// Hook for tools that watch a search's state step by step (web/lab/lab.cpp); does nothing here.
  template <class... State>
  WIDEPHASE_INLINE void note(const State&...) const {}
};

}  // namespace
}  // namespace widephase
