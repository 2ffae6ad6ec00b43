#pragma once

// For tests of properties that hold for all kinds, dimensions and precisions.

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "support/generate.hpp"

namespace widephase::test {

/// Pairs of every two kinds in both orders, from every family. The kinds are mixed, so neighbours
/// in the list differ in kind.
template <int D>
std::vector<SolidPair<D>> mixed_pairs(std::size_t count, std::uint64_t seed);

/// Calls `check<D, T>()` for each dimension and precision.
template <class Check>
void in_every_dimension_and_precision(Check&& check) {
  const auto run = [&]<int D, class T>(const char* name) {
    SCOPED_TRACE(name);
    check.template operator()<D, T>();
  };
  run.template operator()<2, float>("2D float");
  run.template operator()<2, double>("2D double");
  run.template operator()<2, Mixed>("2D mixed");
  run.template operator()<3, float>("3D float");
  run.template operator()<3, double>("3D double");
  run.template operator()<3, Mixed>("3D mixed");
}

}  // namespace widephase::test
