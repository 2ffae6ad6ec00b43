#pragma once

// Contacts of a cut outline against the union of its parts, by exhaustion.

#include "support/outlines.hpp"

namespace widephase::test {

/// Which of some circles are said to touch the solid but don't, or the other way round; empty where
/// none does. Circles within rounding of touching are left out.
std::string contacts_problem(const Rings& rings, const Parts& parts, int circle_count,
                             Random& random);

}  // namespace widephase::test
