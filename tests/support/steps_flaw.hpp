#pragma once

// What is wrong with an outline whose coordinates are whole numbers, decided in integers and with
// nothing of the library: how often it winds round what lies on either side of each of its edges.

#include "support/outlines.hpp"

namespace widephase::test {

enum class StepsFlaw {
  none,
  no_area,  ///< it winds round nothing
  winding,  ///< it winds round something, but not once: rings cross, overlap or lie outside
};

/// Coordinates below 2^17 in size. The edge from vertex `vertex` of ring `ring` is looked at first,
/// then those around it, up to the first flaw of winding: time n a edge that is looked at.
StepsFlaw steps_flaw(const Rings& rings, std::size_t ring, std::size_t vertex);

}  // namespace widephase::test
