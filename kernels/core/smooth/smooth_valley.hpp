#pragma once

// Cores that can leave one another nearly equally far in many directions, as two that are round
// about nearly the same axis. The polytope of EPA runs out of vertices before it can tell these
// exits apart. Then the faces that may still hide a shorter exit are starts of Newton steps: the
// depth along such a valley is smooth, with few minima, and the faces lie close together there.

#include "kernels/core/epa/epa3.hpp"
#include "kernels/core/smooth/smooth_contact.hpp"

namespace widephase {
namespace {

/// How far below the best exit the polytope may lie, as a share of the size, for its faces to
/// resolve the valley. It is a tenth of a right angle's sagitta in a full circle.
template <class T>
inline constexpr T kValleyShare = T(4e-3);

/// Improves the exit of a search that has run out of vertices.
template <class T>
__attribute__((noinline)) void settle_valley(const ExitSearch<T>& search, const ShapePair<T>& pair,
                                             T size, T rounding, LeastExit<T>& exit,
                                             FacesRoom<T>& room) {
  constexpr int kMostStarts = 96;
  // Starts are at least 0.15 rad from one another.
  constexpr T kNearest = T(0.98877);
  const T depth = exit.depth;
  Vec<T, 3> start[kMostStarts];
  int count = 0;
  search.for_each_open(depth, [&](const Vec<T, 3>& normal, const Witness<T>& witness) {
    bool is_far = count < kMostStarts;
    for (int n = 0; is_far && n < count; ++n) is_far = !(dot(start[n], normal) > kNearest);
    if (!is_far) return;
    start[count++] = normal;
    LeastExit<T> found = exit;
    found.direction = normal;
    found.witness = witness;
    if (!settle_smooth(pair, size, rounding, true, found.direction, found.depth, found.witness,
                       room)) {
      return;
    }
    if (found.depth < exit.depth) exit = found;
  });
  exit.is_capped = !(depth - search.lowest() <= kValleyShare<T> * size);
}

}  // namespace
}  // namespace widephase
