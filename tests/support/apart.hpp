#pragma once

// A certificate for shapes that are apart. The distance of any two of their points is an upper
// bound of their distance, and the gap along any direction is a lower bound. So a distance is right
// if its points are in the shapes and that far apart, and if the gap along its normal is as large.
// This needs no reference.

#include <string>

#include <widephase/distance.hpp>

#include "support/verify.hpp"

namespace widephase::test {

/// The length that rounding of a pair is relative to: the reach of both shapes plus the distance
/// between them.
template <int D>
Real pair_size(const Solid<D>& a, const Solid<D>& b);

/// What is wrong with row `i` for A and B as stored in `T`. Empty if nothing is, or if the shapes
/// are not apart by more than rounding. Lengths may be off by 1e-5 of the pair's size, in double by
/// 1e-12, and points by four times as much.
template <int D, class T>
std::string apart_flaw(const Solid<D>& a, const Solid<D>& b, const DistanceBuffer<D, T>& rows,
                       std::size_t i);

}  // namespace widephase::test
