#pragma once

// Solids on bodies that move.

#include "reference/reference.hpp"

namespace widephase::test {

/// Poses of a body at both ends.
template <int D>
struct BodyWay {
  Point<D> start{}, end{};
  double angle_start = 0, angle_end = 0;                    ///< in 2D
  Quaternion turn_start{0, 0, 0, 1}, turn_end{0, 0, 0, 1};  ///< in 3D
};

/// A pair of solids, each on a body of its own.
template <int D>
struct MovingPair {
  Solid<D> a, b;
  BodyWay<D> way_a, way_b;
};

}  // namespace widephase::test
