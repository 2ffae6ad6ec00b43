#pragma once

// Which links of a robot meet in random configurations.

#include <widephase/robot.hpp>

namespace widephase {

/// Pairs of links with shapes that may meet: one row per pair.
struct LearnedPairs {
  Column<std::int32_t, 2> links;  ///< the lower one first
  Column<std::int64_t> contacts;  ///< samples in which the two touch
  std::int64_t samples = 0;         ///< configurations that were asked
};

/// Counts in how many of `count` random configurations each pair of links touches. Values are
/// uniform within their limits. Without limits angles are within a turn, and lengths stay at their
/// start; rotations are uniform. Pairs that touch always (all samples) or never are candidates
/// for links that need not be checked. That a pair never touches is known of the samples alone.
/// Throws `Error` for more than 2^31 - 1 samples.
WIDEPHASE_API void learn_allowed(const Robot& robot, std::size_t count, std::uint64_t seed,
                                 LearnedPairs& learned, Workspace<3, double>& workspace,
                                 const CollideOptions& options = {});

}  // namespace widephase
