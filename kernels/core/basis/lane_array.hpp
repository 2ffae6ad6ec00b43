#pragma once

#include "kernels/lanes/lanes.hpp"

namespace widephase {
namespace {

/// The numbers of a batch of lanes, to be read one at a time.
template <class F>
struct Lanes {
  RealOf<F> number[LaneTraits<F>::count];
  Lanes() = default;
  WIDEPHASE_INLINE explicit Lanes(const F& batch) { store(number, batch); }
  WIDEPHASE_INLINE const RealOf<F>& operator[](int i) const { return number[i]; }
};

}  // namespace
}  // namespace widephase
