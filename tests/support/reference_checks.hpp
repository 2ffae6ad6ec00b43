#pragma once

// Properties of every answer of the reference.

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "reference/reference.hpp"
#include "support/generate.hpp"

namespace widephase::test {

/// Checks the depth of boxes to 1e-15: quaternions of irrational rotations are rounded to double.
inline void expect_depth(const Solid<3>& a, const Solid<3>& b, double depth) {
  EXPECT_NEAR(static_cast<double>(reference_of(a, b).depth), depth, 2e-15) << describe(b);
  EXPECT_NEAR(static_cast<double>(reference_of(b, a).depth), depth, 2e-15) << describe(b);
}

/// Tries many directions: none has less than the depth, and one that the reference names attains
/// it.
template <int D>
void no_direction_beats_it(const std::vector<SolidPair<D>>& pairs);

}  // namespace widephase::test
