#pragma once

// Families of pairs for tests of the kernels.

#include <algorithm>
#include <numeric>
#include <vector>

#include "reference/scaled.hpp"
#include "support/generate_cylinders.hpp"
#include "support/generate_round.hpp"

namespace widephase::test {

/// A shape of about `size` around `center`.
template <int D>
Solid<D> random_solid(Random& random, Kind kind, const Point<D>& center, double size);

/// Rounds all numbers except vertices to quarters, the angle to eighths of a turn, and the
/// orientation to one of the grid. Vertices are rounded if a polygon or hull remains.
template <int D>
Solid<D> snapped(Solid<D> solid);

/// Shapes of similar size, from deep overlap to apart.
template <int D>
std::vector<SolidPair<D>> random_pairs(Kind a, Kind b, std::size_t count, std::uint64_t seed);

/// Pairs of outlines with 3 to 64 corners, mostly more than eight: regular and flattened ones, two
/// equal ones, rotated by whole edges or nearly so, concentric, touching or apart.
std::vector<SolidPair<2>> pairs_of_many_corners(std::size_t count, std::uint64_t seed);

/// Sizes from 1e-3 to 1e4 by a power law; a small shape is anywhere near a large one.
template <int D>
std::vector<SolidPair<D>> sized_pairs(Kind a, Kind b, std::size_t count, std::uint64_t seed);

/// A shape with numbers in quarters. This gives centres on faces, edges and corners, zero lengths,
/// zero radii, flat boxes, parallel and crossing segments, and exact touching.
template <int D>
Solid<D> grid_solid(Random& random, Kind kind);

template <int D>
std::vector<SolidPair<D>> grid_pairs(Kind a, Kind b, std::size_t count, std::uint64_t seed);

/// Grid pairs with every number except radii off by 1e-9 to 1e-2: nearly parallel, nearly touching,
/// nearly of length 0.
template <int D>
std::vector<SolidPair<D>> near_grid_pairs(Kind a, Kind b, std::size_t count, std::uint64_t seed);

/// Grid pairs rotated as a whole by any angle: they are touching, level or parallel only to
/// rounding. Not for aabbs.
template <int D>
std::vector<SolidPair<D>> turned_grid_pairs(Kind a, Kind b, std::size_t count, std::uint64_t seed);

/// Any pairs moved 1e4 to 1e6 away from the origin, where stored numbers are rounded.
template <int D>
std::vector<SolidPair<D>> far_pairs(std::vector<SolidPair<D>> pairs, std::uint64_t seed);

/// A third of `most` for kinds whose reference is searched; round_pairs3_test has more of them.
inline std::size_t count_for(Kind a, Kind b, std::size_t most, std::size_t least) {
  return scaled(is_searched(a) || is_searched(b) ? most / 3 : most, least);
}

/// Shapes in special positions around the box from -1 to 1.
template <int D>
std::vector<Solid<D>> special_solids(Kind kind);

/// Every special shape of one kind with every one of the other. If there are more than 1,500, or
/// 500 of kinds whose reference is searched, and in scaled runs, an even selection that includes
/// every shape.
template <int D>
std::vector<SolidPair<D>> special_pairs(Kind a, Kind b);

}  // namespace widephase::test
