#pragma once

// How many lanes did useful work (`CollideStats::KindStats::lanes`): counted a step of a kernel,
// not a pair. A batch counts one step, by the loop over a run; so does each step of a search on it
// in lanes, and each pair that is taken out of its batch to be answered alone.

#include "kernels/lanes/lanes.hpp"
#include "kernels/lanes/tile.hpp"
#include "kernels/table.hpp"

namespace widephase {
namespace {

/// Lanes of a mask of bits.
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
  unsigned live = LaneTraits<F>::all;  ///< the batch's lanes that are no copies of its last pair

  MaskOf<F> live_lanes() const { return lanes_of<F>(live); }

  /// A step for the lanes of `used`.
  WIDEPHASE_INLINE void add_step(const MaskOf<F>& used) { add_step_of(mask_bits(used)); }
  WIDEPHASE_INLINE void add_step_of(unsigned used) { add_queue(bit_count(used & live)); }
  /// A step for so many entries of a queue.
  WIDEPHASE_INLINE void add_queue(int used) {
    sum.in_use += used;
    sum.ran += lanes;
  }
  /// Steps of a lane's pair alone.
  WIDEPHASE_INLINE void add_alone(int steps) {
    sum.in_use += steps;
    sum.ran += steps * lanes;
  }
  /// What a search has come to, for who looks at its steps (web/lab/lab.cpp); nobody does here.
  template <class... State>
  WIDEPHASE_INLINE void note(const State&...) const {}
};

}  // namespace
}  // namespace widephase
