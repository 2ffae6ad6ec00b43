#pragma once

// Ellipsoids, cones and rounded cylinders: random shapes for the families of `generate.hpp`, and
// families of pairs with one of them.

#include <array>
#include <ostream>
#include <string>
#include <vector>

#include "reference/generate_hulls.hpp"

namespace widephase::test {

/// About as large as `size`. One in ten is flat or a needle, thinner than a thousandth; some have
/// zero extents; one in four is rounded.
Solid<3> random_ellipsoid(Random& random, const Point<3>& center, double size);
Solid<3> random_cone(Random& random, const Point<3>& center, double size);

/// All sizes in quarters, possibly 0.
Solid<3> grid_ellipsoid(Random& random, const Point<3>& center);
Solid<3> grid_cone(Random& random, const Point<3>& center);

/// Changes half of the numbers, but not the rounding, by 1e-9 to 1e-2.
void shake_round(Random& random, Solid<3>& solid);

/// In special positions around the box from -1 to 1.
std::vector<Solid<3>> special_ellipsoids();
std::vector<Solid<3>> special_cones();

/// Families of pairs with an ellipsoid, a cone or a rounded cylinder.
enum class RoundFamily {
  any,             ///< sizes alike or up to ten times apart, concentric to apart
  shallow,         ///< overlapping or apart by 1e-6 to 0.1 of the size along some direction
  deep,            ///< one centre within the other shape
  flat,            ///< one or both 1e-4 to 1e-2 as thick as wide
  needle,          ///< one or both 1e-4 to 1e-2 as wide as long
  round,           ///< extents equal, exactly or up to 1e-7 to 1e-2
  nested,          ///< a small one anywhere in a large one
  concentric,      ///< one centre, exactly or up to 1e-9 to 1e-3; axes alike or not
  coaxial,         ///< one axis, exactly
  nearly_coaxial,  ///< one axis but for a tilt of 1e-9 to 1e-2 or a shift as small
  touching,        ///< touching to rounding
  flush,           ///< a face or side line on the other's, to a tilt of 1e-9 to 1e-2
  zero,            ///< extents, heights or radii of 0
  sized,           ///< sizes from 1e-3 to 1e4
  units,           ///< as `any`, sizes alike; to be taken in units of any length (`in_unit`)
  grid,            ///< numbers in quarters
};
inline constexpr std::array kRoundFamilies{RoundFamily::any,      RoundFamily::shallow,
                                           RoundFamily::deep,     RoundFamily::flat,
                                           RoundFamily::needle,   RoundFamily::round,
                                           RoundFamily::nested,   RoundFamily::concentric,
                                           RoundFamily::coaxial,  RoundFamily::nearly_coaxial,
                                           RoundFamily::touching, RoundFamily::flush,
                                           RoundFamily::zero,     RoundFamily::sized,
                                           RoundFamily::units,    RoundFamily::grid};
std::string name_of(RoundFamily family);
inline void PrintTo(RoundFamily family, std::ostream* out) { *out << name_of(family); }

/// All lengths times `unit`.
Solid<3> in_unit(double unit, Solid<3> solid);

/// Hulls come from a few dozen point sets.
SolidPair<3> round_pair(Random& random, RoundFamily family, Kind a, Kind b);

}  // namespace widephase::test
