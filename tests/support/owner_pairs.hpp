#pragma once

// Ways to put two outlines beside, against and inside one another.

#include "support/owner_contacts.hpp"

namespace widephase::test {

inline constexpr int kWayCount = 6;

/// A point on the border of an outline with the outward direction, both in the outline's own frame.
struct RimPoint {
  Point<2> point;
  Point<2> corner;  ///< the first corner of the edge
  Point<2> outwards;
};

RimPoint rim_point(const CutOutline& cut, double share, Random& random);

/// The centre of an outline's bounds, and half of their longer side.
struct Extents2 {
  Point<2> middle;
  double half;
};
Extents2 extents_of(const Rings& rings);

/// An outline with each of `partners`, `each` pairs; the ways alternate.
template <class T>
std::vector<OwnerPair> put_together(const std::vector<CutOutline>& outlines, std::size_t a,
                                    const std::vector<std::size_t>& partners, std::size_t each,
                                    Random& random);

}  // namespace widephase::test
