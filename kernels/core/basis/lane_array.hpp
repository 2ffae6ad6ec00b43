#pragma once

#include "kernels/lanes/lanes.hpp"

namespace widephase {
namespace {

/// A batch's lanes stored in memory, to read them one at a time.
template <class F>
struct Lanes {
  RealOf<F> number[LaneTraits<F>::count];
  Lanes() = default;
  WIDEPHASE_INLINE explicit Lanes(const F& batch) { store(number, batch); }
  WIDEPHASE_INLINE const RealOf<F>& operator[](int i) const { return number[i]; }
};

}  // namespace
}  // namespace widephase
