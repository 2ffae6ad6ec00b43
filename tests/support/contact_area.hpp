#pragma once

// What the points of a contact across a face owe the area, by brute force: the face that looks at
// the other shape (incident) is cut along the normal by the one that is level with it (reference),
// or not at all by a halfspace, and of the corners of that polygon those within the margin count.
//
// Of these up to four stay (docs/conventions.md, Features): the deepest p, the one q farthest from
// it, and on either side of the line through both the one farthest from that line. With d the
// length of pq and h the width of the corners across it, what stays has the area d h / 2. All
// corners lie within d of p and in a strip h wide along pq, hence in a rectangle of 2 d h: so any
// quadrilateral of them has at most four times the area of what stays, and no rule of this kind has
// a better bound: beside p as a vertex of a long flat rectangle, in the middle of its side, it has
// a quarter. That the deepest is among them is verify.hpp's business.

#include <string>

#include "support/verify.hpp"

namespace widephase::test {

inline constexpr Real kLeastAreaShare = 0.25L;

struct AreaVerdict {
  enum class What { other, segment, polygon };
  What what = What::other;  ///< other: no face is level, or whether one is rounding decides
  Real share = 1;           ///< of the greatest quadrilateral, or of the segment
  std::string problem;      ///< empty when nothing is wrong
};

/// Of a contact of A and B (shapes as stored in `T`), at least one of them a halfspace or a core
/// with faces.
template <class T>
AreaVerdict area_verdict(const Solid<3>& a, const Solid<3>& b, double margin,
                         const Contact<3, T>& contact);

}  // namespace widephase::test
