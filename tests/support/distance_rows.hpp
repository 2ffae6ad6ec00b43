#pragma once

// Compares distances bit by bit.

#include <widephase/distance.hpp>

#include "support/compare.hpp"

namespace widephase::test {

/// The bits of row i: equal vectors are equal answers.
template <int D, class T>
std::vector<std::uint64_t> row_bits(const DistanceBuffer<D, T>& distances, std::size_t i);

}  // namespace widephase::test
