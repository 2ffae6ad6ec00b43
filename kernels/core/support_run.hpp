#pragma once

// What the batch functions of widephase/support.hpp share in 2D and 3D: a lane a question.

#include "core/closest.hpp"

namespace widephase {
namespace {

/// Ids of the lanes' shapes, as `load_quads` reads those of pairs; lanes past the last repeat it.
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

/// Features are whole numbers in every lane.
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
