#pragma once

#include <cstdint>

#include "kernels/core/basis/lane_array.hpp"

namespace widephase {
namespace {

/// The power of two whose product with x is about 1, and its inverse, both exact.
template <class F>
struct UnitScale {
  F into, back;

  WIDEPHASE_INLINE explicit UnitScale(const F& x) {
    using T = RealOf<F>;
    constexpr int kLanes = LaneTraits<F>::count;
    Lanes<F> sizes(x), scales, inverses;
    for (int i = 0; i < kLanes; ++i) {
      if constexpr (sizeof(T) == 4) {
        scale<std::uint32_t, 23, 254>(sizes.number[i], scales.number[i], inverses.number[i]);
      } else {
        scale<std::uint64_t, 52, 2046>(sizes.number[i], scales.number[i], inverses.number[i]);
      }
    }
    into = load(scales.number);
    back = load(inverses.number);
  }

 private:
  template <class Bits, int Digits, int Sum, class T>
  static WIDEPHASE_INLINE void scale(const T& x, T& by, T& inverse) {
    Bits bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    const Bits exponent = bits >> Digits & (Sum + 1);
    const Bits low = exponent < 2 ? 2 : exponent > Sum - 2 ? Sum - 2 : exponent;
    const Bits of_scale = (Sum - low) << Digits, of_inverse = low << Digits;
    __builtin_memcpy(&by, &of_scale, sizeof by);
    __builtin_memcpy(&inverse, &of_inverse, sizeof inverse);
  }
};

}  // namespace
}  // namespace widephase
