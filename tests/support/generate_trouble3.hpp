#pragma once

// Families of pairs in 3D in which wrong answers were found: shapes that are nearly level, nearly
// parallel and nearly touching, with angles of 1e-8 to 1e-2 and equally small gaps. Bodies at rest
// are in generate_resting.hpp.

#include <array>
#include <ostream>
#include <string>
#include <vector>

#include "support/generate_resting.hpp"

namespace widephase::test {

enum class Trouble {
  walls,        ///< neighbours in a wall of blocks: beside, above or diagonal
  bundles,      ///< long bodies side by side
  end_to_end,   ///< long bodies, one continuing beside the end of the other
  stacks,       ///< one on the other, face to face
  edges,        ///< edge over edge, crossing at any angle or nearly parallel
  along_edges,  ///< a long body along the edge of a block
  lattice,      ///< shapes in quarters, nearly
};
inline constexpr std::array<Trouble, 7> kTroubles{
    Trouble::walls, Trouble::bundles,     Trouble::end_to_end, Trouble::stacks,
    Trouble::edges, Trouble::along_edges, Trouble::lattice};
std::string name_of(Trouble trouble);
inline void PrintTo(Trouble trouble, std::ostream* out) { *out << name_of(trouble); }

/// Whether a family has pairs of these two kinds.
bool has_pairs(Trouble trouble, Kind a, Kind b);

/// A is of the first kind. Every number is exact in float, so scenes in float and double have the
/// same shapes.
std::vector<SolidPair<3>> troubled_pairs(Trouble trouble, Kind a, Kind b, std::size_t count,
                                         std::uint64_t seed);

}  // namespace widephase::test
