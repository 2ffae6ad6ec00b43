#pragma once

// A box in double as one in T that takes no less: what bounds of parts are compared with on a walk.

#include "kernels/core/support/convex_shape.hpp"
#include "kernels/lanes/limits.hpp"

namespace widephase {
namespace {

/// Bounds that meet the box meet this one, and so may some that miss it by less than T rounds.
template <class T, int D>
struct WidenedBox {
  T least[D], most[D];

  WidenedBox() = default;
  WIDEPHASE_INLINE WidenedBox(const double (&low)[D], const double (&high)[D]) {
    for (int k = 0; k < D; ++k) {
      least[k] = static_cast<T>(low[k]);
      most[k] = static_cast<T>(high[k]);
      if (sizeof(T) == 4) {
        least[k] -= 4 * kRounding<T> * magnitude(least[k]) + kLeastNormal<T>;
        most[k] += 4 * kRounding<T> * magnitude(most[k]) + kLeastNormal<T>;
      }
      // Places past the last one of a tile have infinite bounds.
      least[k] = least[k] >= -kLargest<T> ? least[k] : -kLargest<T>;
      most[k] = most[k] <= kLargest<T> ? most[k] : kLargest<T>;
    }
  }
};

}  // namespace
}  // namespace widephase
