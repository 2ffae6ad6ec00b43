#pragma once

// Pairs of triangles, in 2D of segments, by brute force: the nearest points of every two of their
// features, from the normal equations of these features' planes and lines. Nothing is as the
// kernels do it (kernels/core/concave).

#include <vector>

#include "reference/vec.hpp"

namespace widephase::test {

/// The corners of a point, a segment or a triangle.
template <int D>
using Piece = std::vector<Vec<D>>;

template <int D>
struct NearestOfPieces {
  Real distance = 0;
  Vec<D> on_a{}, on_b{};
};
/// The nearest points of two pieces; 0 where they meet.
template <int D>
NearestOfPieces<D> nearest_of_pieces(const Piece<D>& a, const Piece<D>& b);

/// How far the lowest part of a triangle is above another one, along `up`, over what both cover as
/// seen along it; infinite if that is nothing. `top` rises from itself to `up`.
Real lowest_over(const Piece<3>& triangle, const Piece<3>& top, const Vec<3>& up);

/// How far a point is from a piece.
template <int D>
Real distance_to_piece(const Vec<D>& point, const Piece<D>& piece) {
  return nearest_of_pieces<D>({point}, piece).distance;
}

}  // namespace widephase::test
