#pragma once

// Parts of motions, as proofs divide them.

#include <cstdint>
#include <memory>
#include <vector>

namespace widephase {

/// What rounding may take from the numbers of joints, as a share of these.
inline constexpr double kNumberRoundings = 0x1p-50;

/// Some pairs of a list; null: all.
using OpenPairs = std::shared_ptr<const std::vector<std::int32_t>>;

/// A part of a motion: all times within `width` of `t`.
struct Interval {
  std::size_t motion;
  double t, width;
  OpenPairs open;    ///< of `MotionPairs`; others are apart
  OpenPairs listed;  ///< of `ProofScene`, likewise
};

/// Values of motions, row by row.
struct MotionEnds {
  const double* from;
  const double* to;
  std::size_t width, count;
};

}  // namespace widephase
