#pragma once

#include <array>

namespace widephase::bench {

/// What widephase or a peer says of a pair.
struct Answer {
  bool is_hit = false;
  double depth = 0;  ///< of the deepest point; minus the distance
  /// From A to B, the way that B leaves by; without a meaning where distances are asked. In 2D the
  /// third is 0.
  std::array<double, 3> normal{};
};

}  // namespace widephase::bench
