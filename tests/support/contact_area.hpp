#pragma once

// What the points of a contact across faces owe the area, by brute force: of either shape the face
// at its foremost corners that looks at the other most, both seen along the normal; the corners of
// where they lie over one another, each as deep as one face is there above the other; of these
// those within the margin. Where none is as deep as the pair, its deepest point is one more.
//
// Up to four of these stay (docs/conventions.md, Points), which hold the centroid of the whole
// polygon between them and have at least 0.7 of the area that the best four have, 0.9 of a
// rectangle, where all four corners are. That the deepest is among them is verify.hpp's business.

#include <string>

#include "support/verify.hpp"

namespace widephase::test {

inline constexpr Real kLeastAreaShare = 0.7L;
inline constexpr Real kLeastRectangleShare = 0.9L;

struct AreaVerdict {
  enum class What { other, segment, polygon };
  What what = What::other;  ///< other: there are no such faces, or rounding decides
  Real share = 1;           ///< of the greatest quadrilateral, or of the segment
  std::string problem;      ///< empty when nothing is wrong
};

/// For a contact of A and B (shapes as stored in `T`), at least one of them a halfspace or a core
/// with faces.
template <class T>
AreaVerdict area_verdict(const Solid<3>& a, const Solid<3>& b, double margin,
                         const Contact<3, T>& contact);

}  // namespace widephase::test
