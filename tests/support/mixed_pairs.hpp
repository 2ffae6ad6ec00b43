#pragma once

// For tests of what holds whatever the kinds, the dimension and the precision are.

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "support/generate.hpp"

namespace widephase::test {

/// Pairs of every two kinds, in both orders, from every family, kinds mixed: neighbours in the list
/// are of other kinds.
template <int D>
std::vector<SolidPair<D>> mixed_pairs(std::size_t count, std::uint64_t seed) {
  std::vector<SolidPair<D>> all;
  for (const Kind a : kinds(D)) {
    for (const Kind b : kinds(D)) {
      for (const auto& family :
           {random_pairs<D>(a, b, count, seed), grid_pairs<D>(a, b, count, seed + 1),
            near_grid_pairs<D>(a, b, count, seed + 2), sized_pairs<D>(a, b, count, seed + 3),
            far_pairs<D>(random_pairs<D>(a, b, count, seed + 4), seed + 5)}) {
        all.insert(all.end(), family.begin(), family.end());
      }
    }
  }
  if constexpr (D == 2) {
    const auto family = pairs_of_many_corners(10 * count, seed + 6);
    all.insert(all.end(), family.begin(), family.end());
  } else {
    for (const auto& family :
         {crossing_edges(Kind::box, Kind::box, 2 * count, seed + 6), thin_boxes(count, seed + 7),
          concentric_boxes(count, seed + 8), stacked_boxes(2 * count, seed + 9)}) {
      all.insert(all.end(), family.begin(), family.end());
    }
    for (const Kind a : {Kind::box, Kind::hull, Kind::cylinder}) {
      for (const Kind b : {Kind::hull, Kind::cylinder}) {
        if (!has_kind(D, a) || !has_kind(D, b)) continue;
        const auto family = stacked_solids(a, b, count, seed + 10);
        all.insert(all.end(), family.begin(), family.end());
      }
    }
  }
  Random random(seed);
  for (std::size_t i = all.size(); i > 1; --i) {
    std::swap(all[i - 1],
              all[static_cast<std::size_t>(random.integer(0, static_cast<int>(i) - 1))]);
  }
  return all;
}

/// Calls `check<D, T>()`.
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
