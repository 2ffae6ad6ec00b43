#pragma once

// Distances compared bit by bit.

#include <widephase/distance.hpp>

#include "support/compare.hpp"

namespace widephase::test {

/// Row i as bits: equal vectors are equal answers.
template <int D, class T>
std::vector<std::uint64_t> row_bits(const DistanceBuffer<D, T>& distances, std::size_t i) {
  std::vector<std::uint64_t> bits{bits_of(distances.distance[i]), distances.feature[i],
                                  distances.status[i]};
  for (int k = 0; k < D; ++k) {
    bits.push_back(bits_of(distances.normal(i, k)));
    bits.push_back(bits_of(distances.point_a(i, k)));
    bits.push_back(bits_of(distances.point_b(i, k)));
  }
  return bits;
}

}  // namespace widephase::test
