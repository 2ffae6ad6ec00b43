#pragma once

#include <cstdint>

#include "kernels/lanes/inline.hpp"

namespace widephase {
namespace {

/// Sorts in place, never slower than n log n; few are inserted one by one. `comes_before` decides
/// between any two.
template <class Before>
void heap_sort(std::int32_t* order, std::int32_t count, const Before& comes_before) {
  constexpr std::int32_t kFew = 24;
  if (count <= kFew) {
    for (std::int32_t n = 1; n < count; ++n) {
      const std::int32_t moved = order[n];
      std::int32_t at = n;
      for (; at > 0 && comes_before(moved, order[at - 1]); --at) order[at] = order[at - 1];
      order[at] = moved;
    }
    return;
  }
  const auto swap = [&](std::int32_t a, std::int32_t b) {
    const std::int32_t c = order[a];
    order[a] = order[b];
    order[b] = c;
  };
  const auto sink = [&](std::int32_t at, std::int32_t end) {
    for (std::int32_t child = 2 * at + 1; child < end; child = 2 * at + 1) {
      if (child + 1 < end && comes_before(order[child], order[child + 1])) ++child;
      if (!comes_before(order[at], order[child])) return;
      swap(at, child);
      at = child;
    }
  };
  for (std::int32_t at = count / 2; at-- > 0;) sink(at, count);
  for (std::int32_t end = count; end-- > 1;) {
    swap(0, end);
    sink(0, end);
  }
}

}  // namespace
}  // namespace widephase
