#pragma once

// Families of pairs that the kernels are tried on.

#include <algorithm>
#include <numeric>
#include <vector>

#include "reference/scaled.hpp"
#include "support/generate_cylinders.hpp"

namespace widephase::test {

/// A shape of about `size` around `center`.
template <int D>
Solid<D> random_solid(Random& random, Kind kind, const Point<D>& center, double size);

/// All numbers but vertices to quarters, the angle to eighths of a turn, the orientation to one of
/// the grid's; vertices where a polygon or hull remains.
template <int D>
Solid<D> snapped(Solid<D> solid);

/// Shapes of like size, from deep inside one another to apart.
template <int D>
std::vector<SolidPair<D>> random_pairs(Kind a, Kind b, std::size_t count, std::uint64_t seed);

/// Outlines of 3 to 64 corners side by side, most of more than eight: regular and flattened ones,
/// the same twice, turned by whole edges or nearly so, about one centre, touching, apart.
std::vector<SolidPair<2>> pairs_of_many_corners(std::size_t count, std::uint64_t seed);

/// Sizes from 1e-3 to 1e4, a power law; a small shape lies anywhere near a large one.
template <int D>
std::vector<SolidPair<D>> sized_pairs(Kind a, Kind b, std::size_t count, std::uint64_t seed);

/// A shape whose numbers are quarters: centres on faces, edges and corners, zero lengths, zero
/// radii, flat boxes, parallel and crossing segments, exact touching all come up.
template <int D>
Solid<D> grid_solid(Random& random, Kind kind);

template <int D>
std::vector<SolidPair<D>> grid_pairs(Kind a, Kind b, std::size_t count, std::uint64_t seed);

/// Grid pairs with every number but radii off by 1e-9 to 1e-2: nearly parallel, nearly touching,
/// nearly of no length.
template <int D>
std::vector<SolidPair<D>> near_grid_pairs(Kind a, Kind b, std::size_t count, std::uint64_t seed);

/// Grid pairs turned by any angle, both shapes alike: what touches, is level or is parallel is so
/// to rounding. Without an aabb.
template <int D>
std::vector<SolidPair<D>> turned_grid_pairs(Kind a, Kind b, std::size_t count, std::uint64_t seed);

/// Any pairs, moved 1e4 to 1e6 away from the origin; stored numbers round there.
template <int D>
std::vector<SolidPair<D>> far_pairs(std::vector<SolidPair<D>> pairs, std::uint64_t seed);

/// Shapes chosen for their special places about the box from -1 to 1.
template <int D>
std::vector<Solid<D>> special_solids(Kind kind);

/// Every special shape of one kind against every one of the other; of more than 1,500, and of
/// scaled runs, evenly chosen ones, which take in every shape.
template <int D>
std::vector<SolidPair<D>> special_pairs(Kind a, Kind b);

}  // namespace widephase::test
