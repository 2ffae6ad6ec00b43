#pragma once

// Checks contacts of a cut outline against the union of its parts, by brute force.

#include "support/outlines.hpp"

namespace widephase::test {

/// Tests random circles. Names those with a contact that do not touch the solid, or that touch it
/// without a contact; empty if there are none. Circles that touch to rounding are left out.
std::string contacts_problem(const Rings& rings, const Parts& parts, int circle_count,
                             Random& random);

}  // namespace widephase::test
