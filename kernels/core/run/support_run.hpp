#pragma once

// What the batch functions of widephase/support.hpp share in 2D and 3D: one query per lane.

#include "kernels/core/run/closest.hpp"

namespace widephase {
namespace {

/// The ids of the lanes' shapes, laid out for `load_quads` like the ids of pairs. Lanes past the
/// last repeat it.
template <class F>
struct LaneIds {
  static constexpr int lanes = LaneTraits<F>::count;
  std::int32_t index[2 * lanes];

  WIDEPHASE_INLINE LaneIds(const std::int32_t* ids, std::int64_t live) {
    for (int i = 0; i < lanes; ++i) {
      index[2 * i] = index[2 * i + 1] = ids[i < live ? i : live - 1];
    }
  }
};

/// What rounding removed from the centres of the lanes' shapes.
template <class F, int D, class T>
WIDEPHASE_INLINE Vec<F, D> rests_of(const SupportRun<D, T>& run, const LaneIds<F>& ids) {
  if (run.rests == nullptr) return zero_vec<F, D>();
  F rest[4];
  load_quads<1>(run.rests, ids.index, rest);
  return each_axis<F, D>([&](int k) { return rest[k]; });
}

/// Stores features, which are whole numbers in every lane, as integers.
template <class F>
WIDEPHASE_INLINE void store_features(std::uint32_t* to, const F& feature, std::int64_t live) {
  RealOf<F> numbers[LaneTraits<F>::count];
  store(numbers, feature);
  for (int i = 0; i < LaneTraits<F>::count && i < live; ++i) {
    to[i] = static_cast<std::uint32_t>(numbers[i]);
  }
}

}  // namespace
}  // namespace widephase
