#pragma once

// Judges the area of a face contact's points by brute force. For each shape, takes the face at its
// foremost corners that faces the other shape most. Both are seen along the normal. The candidates
// are the corners of their shared area. The depth of each is how far one face is above the other
// there. Only corners within the margin count. If none is as deep as the pair, its deepest point is
// one more candidate.
//
// Up to four of these are kept (docs/conventions.md, Points). They must enclose the centroid of the
// whole polygon, and have at least 0.7 of the area of the best four, or 0.9 for a rectangle, where
// all four corners count. verify.hpp checks that the deepest is among them.

#include <string>

#include "support/verify.hpp"

namespace widephase::test {

inline constexpr Real kLeastAreaShare = 0.7L;
inline constexpr Real kLeastRectangleShare = 0.9L;

struct AreaVerdict {
  enum class What { other, segment, polygon };
  What what = What::other;  ///< other: there are no such faces, or rounding decides
  Real share = 1;           ///< of the largest quadrilateral, or of the segment
  std::string problem;      ///< empty if nothing is wrong
};

/// Judges a contact of A and B, as stored in `T`. At least one of them is a halfspace or has a core
/// with faces.
template <class T>
AreaVerdict area_verdict(const Solid<3>& a, const Solid<3>& b, double margin,
                         const Contact<3, T>& contact);

}  // namespace widephase::test
