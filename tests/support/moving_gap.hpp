#pragma once

// A bound from below on how far two moving polygons or boxes are apart, quick enough for millions:
// the widest gap along the normals of their sides, and across two edges of boxes, in double. It is
// exact where cores overlap. It shares nothing with the library, nor with the slower reference.

#include <functional>

#include "support/moving_pair.hpp"

namespace widephase::test {

/// The bound at t; empty for other kinds. The pair must outlive it.
std::function<Real(Real)> quick_gap(const MovingPair<2>& pair);
std::function<Real(Real)> quick_gap(const MovingPair<3>& pair);

}  // namespace widephase::test
