#pragma once

// What the points of a contact must satisfy so that a solver can let a body stand on them.

#include <string>

#include "support/manifold3.hpp"
#include "support/verify.hpp"

namespace widephase::test {

/// The height of a point above the surface of a shape; below 0 inside. Beyond an edge it is the
/// largest height above a face, which may be less than the distance.
Real height_over_surface(const Solid<3>& solid, const Vec<3>& point);

/// What is wrong with the points of a contact of A and B, of about `size`; empty if nothing is. No
/// point may be deeper than the pair, and the deepest must be as deep (to within `steadiness`). No
/// point may be farther apart than `margin`. Each must lie on A, and its partner on B. No two may
/// be in the same place, to within 1e-4 of the size. Points may be off the surfaces by rounding and
/// by the length `slack`.
template <class T>
std::string points_flaw(const Solid<3>& a, const Solid<3>& b, const Contact<3, T>& contact,
                        double margin, double steadiness, double size, double slack = 0);

/// How the points of a contact are spread in the polygon shared by the two faces that face each
/// other, all seen along the normal.
struct FaceShare {
  bool is_face = false;     ///< both have a face there, and the faces share a polygon
  double area = 0;          ///< of the points' hull, relative to the polygon's best four corners
  bool is_quad = false;     ///< the whole polygon has four corners
  double center_above = 0;  ///< how far the polygon's centroid is outside of the points' hull
};
FaceShare face_share(const Solid<3>& a, const Solid<3>& b, const Vec<3>& normal,
                     const std::vector<Vec<3>>& points);

}  // namespace widephase::test
