#pragma once

// Finds what is wrong with an outline with integer coordinates. Uses integers only and no code of
// the library: it computes the winding numbers on either side of each edge.

#include "support/outlines.hpp"

namespace widephase::test {

enum class StepsFlaw {
  none,
  no_area,  ///< all winding numbers are 0
  winding,  ///< some winding number is neither 0 nor 1: rings cross, overlap or lie outside
};

/// Coordinates are below 2^17 in size. Checks the edge from vertex `vertex` of ring `ring` first,
/// then those around it, until it finds a wrong winding number. Each edge checked takes time
/// proportional to their number.
StepsFlaw steps_flaw(const Rings& rings, std::size_t ring, std::size_t vertex);

}  // namespace widephase::test
