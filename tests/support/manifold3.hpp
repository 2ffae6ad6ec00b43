#pragma once

// Requirements for manifolds in 3D: the positions of a box's features (features3.hpp has other
// kinds), and the number of points of a shared face.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "reference/reference.hpp"
#include "support/features3.hpp"

namespace widephase::test {

/// A box or aabb in terms of its own axes.
struct Frame3 {
  Vec<3> center;
  std::array<Vec<3>, 3> axes;
  Vec<3> half;
};

Frame3 frame_of(const Solid<3>& solid);

/// The side of a box's feature for each axis: -1 lower, 1 upper, 0 both and everything between.
/// Empty if there is no such feature.
std::vector<int> sides_of_feature(Feature kind, int index);

/// What is wrong with a feature of a box or aabb, if the contact point of its core is at
/// `core_point`.
std::string box_feature_problem(const Solid<3>& solid, Feature kind, int index,
                                const Vec<3>& core_point, Real tolerance);

/// A flat convex polygon, counter-clockwise; it may also have two corners or one.
using Flat = std::vector<Point<2>>;

inline double height_over(const Point<2>& from, const Point<2>& to, const Point<2>& point) {
  const double x = to[0] - from[0];
  const double y = to[1] - from[1];
  return (x * (point[1] - from[1]) - y * (point[0] - from[0])) / std::hypot(x, y);
}

inline double distance_between(const Point<2>& u, const Point<2>& v) {
  return std::hypot(u[0] - v[0], u[1] - v[1]);
}

/// The least distance of two parallel lines that enclose it.
double width_of(const Flat& flat);

/// The centroid of a polygon's area.
Point<2> centroid_of(const Flat& flat);

/// The distance of a point from the border of a polygon, negative outside.
double inside_flat(const Flat& flat, const Point<2>& at);

/// Two unit vectors perpendicular to `n`.
std::array<Vec<3>, 2> across(const Vec<3>& n);

/// The part of a shape that is outermost along `n`, seen along it, for all kinds except halfspaces.
Flat outermost_of(const Solid<3>& solid, const Vec<3>& origin, const Vec<3>& n,
                  const std::array<Vec<3>, 2>& tangents, Real slack);

/// The part of `flat` inside a polygon of three corners or more, whose sides are moved inward by
/// `inset`.
Flat clipped(Flat flat, const Flat& by, double inset);

/// `least_point_count` if one shape is a box or hull or round in 3D. It is two if an edge, or a
/// line of a side, lies on a face. It is three or four if a face lies on a face and they
/// share that many corners, and three if one is a cap. The answer is open if a face
/// is no wider, or the shared part no longer, than `tolerance`, a millionth of the shapes, or 1e-4
/// of the smaller face; if edges lie along one another; and if an edge lies on a cap.
std::size_t facing_point_count(const Solid<3>& a, const Solid<3>& b, const Vec<3>& n, Real margin,
                               Real tolerance);

/// Whether a point of a core is on a face that contains what is outermost along `n`, or for
/// cylinders and cones on the outermost cap or line.
bool is_on_foremost(const Solid<3>& solid, const Vec<3>& n, const Vec<3>& core_point,
                    Real tolerance);

}  // namespace widephase::test
