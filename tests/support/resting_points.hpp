#pragma once

// What the points of a contact owe a solver that lets a body stand on them.

#include <string>

#include "support/manifold3.hpp"
#include "support/verify.hpp"

namespace widephase::test {

/// How far a point is above the surface of a shape; below 0 inside. Beyond an edge it is the
/// largest height over a face there, which may be less than the distance.
Real height_over_surface(const Solid<3>& solid, const Vec<3>& point);

/// What is wrong with the points of a contact of A and B, of about `size`; empty when nothing is:
/// none is deeper than the pair, the deepest is as deep (within `steadiness`), none is farther
/// apart than `margin`, each lies on A and its partner on B, and no two are in one place, which is
/// within 1e-4 of the size. Points may be off the surfaces by rounding and `slack`, a length.
template <class T>
std::string points_flaw(const Solid<3>& a, const Solid<3>& b, const Contact<3, T>& contact,
                        double margin, double steadiness, double size, double slack = 0);

/// How the points of a contact lie in the polygon that is common to the two faces that look at each
/// other, all seen along the normal.
struct FaceShare {
  bool is_face = false;     ///< both have a face there, and a polygon is common to them
  double area = 0;          ///< of the points' hull, in that of the polygon's best four corners
  bool is_quad = false;     ///< four corners are the whole polygon
  double center_above = 0;  ///< how far the polygon's centroid is outside the points' hull
};
FaceShare face_share(const Solid<3>& a, const Solid<3>& b, const Vec<3>& normal,
                     const std::vector<Vec<3>>& points);

}  // namespace widephase::test
