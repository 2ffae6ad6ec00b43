#pragma once

#include "soa/kind_traits.hpp"

namespace widephase {

using KindTable = int[kKindCount][kKindCount];

/// About how many nanoseconds a pair takes (`pairs_bench`, one core, AVX-512, float), of hulls of 8
/// to 32 vertices and polygons of 3 to 8: enough to cut work into pieces that end together. A row a
/// lower kind, in the order of `Kind`.
inline constexpr KindTable kPairNanoseconds2 = {
    {2, 3, 3, 4, 11, 0, 0, 2, 0, 0, 0, 0, 1500},    //
    {0, 9, 10, 10, 23, 0, 0, 4, 0, 0, 0, 0, 2500},  //
    {0, 0, 5, 9, 25, 0, 0, 4, 0, 0, 0, 0, 4000},    //
    {0, 0, 0, 10, 25, 0, 0, 4, 0, 0, 0, 0, 4000},   //
    {0, 0, 0, 0, 31, 0, 0, 10, 0, 0, 0, 0, 5000},   //
    {},                                             //
    {},                                             //
    {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 200},
    {},  //
    {},  //
    {},  //
    {},  //
    {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10000},
};
inline constexpr KindTable kPairNanoseconds3 = {
    {2, 4, 4, 7, 0, 60, 8, 2, 40, 400, 500, 500},              //
    {0, 6, 16, 19, 0, 280, 120, 4, 800, 800, 2800, 2800},      //
    {0, 0, 15, 48, 0, 480, 510, 7, 1500, 2000, 9000, 9000},    //
    {0, 0, 0, 49, 0, 480, 510, 9, 1500, 2000, 9000, 9000},     //
    {},                                                        //
    {0, 0, 0, 0, 0, 440, 750, 170, 1500, 2000, 10000, 10000},  //
    {0, 0, 0, 0, 0, 0, 300, 210, 2000, 2800, 10000, 10000},    //
    {0, 0, 0, 0, 0, 0, 0, 0, 100, 210, 10000, 10000},          //
    {0, 0, 0, 0, 0, 0, 0, 0, 100, 2000, 10000, 10000},         //
    {0, 0, 0, 0, 0, 0, 0, 0, 0, 2800, 10000, 10000},
    {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 100000, 100000},
    {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 100000},
};
/// By support points in 3D; all 2D kinds take about as long.
inline constexpr KindTable kSupportNanoseconds3 = {
    {54, 77, 130, 160, 0, 250, 250, 0, 400, 400},     //
    {0, 110, 340, 330, 0, 450, 850, 0, 800, 800},     //
    {0, 0, 650, 1100, 0, 1300, 2200, 0, 1500, 2000},  //
    {0, 0, 0, 1000, 0, 1200, 2200, 0, 1500, 2000},    //
    {},                                               //
    {0, 0, 0, 0, 0, 1350, 2200, 0, 1500, 2000},       //
    {0, 0, 0, 0, 0, 0, 2800, 0, 2000, 2800},          //
    {},                                               //
    {0, 0, 0, 0, 0, 0, 0, 0, 2000, 2000},             //
    {0, 0, 0, 0, 0, 0, 0, 0, 0, 2800},
};
inline constexpr int kSupportNanoseconds2 = 120;

/// Whether every pair that can meet has a cost: without one its work would not be cut.
constexpr bool has_every_cost(const KindTable& costs, int dimension, bool is_by_support) {
  for (int kind = 0; kind < kPairKindCount; ++kind) {
    const KindsOfPair kinds = kinds_of(kind);
    const bool has_no_support = has_unbounded(kinds) || has_surface(kinds);
    if (!can_meet(kinds.a, kinds.b, dimension) || (is_by_support && has_no_support)) continue;
    if (costs[static_cast<int>(kinds.a)][static_cast<int>(kinds.b)] == 0) return false;
  }
  return true;
}
static_assert(has_every_cost(kPairNanoseconds2, 2, false));
static_assert(has_every_cost(kPairNanoseconds3, 3, false));
static_assert(has_every_cost(kSupportNanoseconds3, 3, true));

/// Numbers that the library has of each geometry of those sizes. Half of what a pair of two
/// geometries costs grows with them.
inline constexpr double kPolygonNumbers = 92;
inline constexpr double kHullNumbers = 1200;

/// `numbers`: that a geometry of the scene has in its library.
inline double pair_nanoseconds(int dimension, KindsOfPair kinds, bool is_by_support,
                               double numbers) {
  const auto a = static_cast<std::size_t>(kinds.a), b = static_cast<std::size_t>(kinds.b);
  const double typical = dimension == 2 ? kPolygonNumbers : kHullNumbers;
  const Kind geometry = instance_kind(dimension);
  double cost = 0;
  if (dimension == 2) {
    cost = is_by_support ? kSupportNanoseconds2 : kPairNanoseconds2[a][b];
  } else {
    cost = is_by_support ? kSupportNanoseconds3[a][b] : kPairNanoseconds3[a][b];
  }
  const int geometries = (kinds.a == geometry ? 1 : 0) + (kinds.b == geometry ? 1 : 0);
  return cost * (1 + 0.25 * geometries * (numbers / typical - 1));
}

}  // namespace widephase
