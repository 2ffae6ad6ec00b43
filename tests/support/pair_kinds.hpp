#pragma once

// Test parameters: every ordered pair of kinds that has a kernel, in both dimensions.

#include <gtest/gtest.h>

#include <ostream>
#include <vector>

#include "reference/solids.hpp"

namespace widephase::test {

struct PairKindCase {
  int dimension;
  Kind a;
  Kind b;
};

inline std::string name_of(const PairKindCase& pair) {
  return std::string(kind_name(pair.a, pair.dimension)) + "_" +
         std::string(kind_name(pair.b, pair.dimension)) + "_in_" + std::to_string(pair.dimension) +
         "d";
}

inline void PrintTo(const PairKindCase& pair, std::ostream* out) { *out << name_of(pair); }

inline std::string case_name(const ::testing::TestParamInfo<PairKindCase>& info) {
  return name_of(info.param);
}

/// Both orders of every pair that has a kernel: all except two halfspaces, which never collide.
std::vector<PairKindCase> all_pair_kinds();

/// Calls `check<D, T>(a, b)` in float and in double.
template <class Check>
void for_each_real(const PairKindCase& pair, Check&& check) {
  const auto in = [&]<int D>() {
    {
      SCOPED_TRACE("float");
      check.template operator()<D, float>(pair.a, pair.b);
    }
    {
      SCOPED_TRACE("double");
      check.template operator()<D, double>(pair.a, pair.b);
    }
  };
  if (pair.dimension == 2) {
    in.template operator()<2>();
  } else {
    in.template operator()<3>();
  }
}

}  // namespace widephase::test
