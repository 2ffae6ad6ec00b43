#pragma once

// A certificate for shapes that are apart. Any two points of theirs are at least as far from one
// another as they are, and along any direction they are at most that far apart. So a distance is
// right when its points are in the shapes, and as far from one another, and the supports along its
// normal leave as much between them. It needs no reference.

#include <string>

#include <widephase/distance.hpp>

#include "support/verify.hpp"

namespace widephase::test {

/// What rounding of a pair is relative to: how far the shapes reach, and the way between them.
template <int D>
Real pair_size(const Solid<D>& a, const Solid<D>& b);

/// What is wrong with row `i`, of A and B as stored in `T`; empty when nothing is, or where the
/// shapes are not apart by more than rounding. Lengths may be off by 1e-5 of the pair's size, in
/// double by 1e-12, and points by four times as much.
template <int D, class T>
std::string apart_flaw(const Solid<D>& a, const Solid<D>& b, const DistanceBuffer<D, T>& rows,
                       std::size_t i);

}  // namespace widephase::test
