#pragma once

// What manifolds in 3D owe: where the features of a box lie (features3.hpp: of others), and how
// many points a shared face has.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "reference/reference.hpp"
#include "support/features3.hpp"

namespace widephase::test {

/// A box or aabb by its own axes.
struct Frame3 {
  Vec<3> center;
  std::array<Vec<3>, 3> axes;
  Vec<3> half;
};

Frame3 frame_of(const Solid<3>& solid);

/// Which sides a feature of a box is on: -1 the lower one of an axis, 1 the upper one, 0 both and
/// all between. Empty where there is no such feature.
std::vector<int> sides_of_feature(Feature kind, int index);

/// What is wrong with a feature of a box or aabb, given where its core has the contact point.
std::string box_feature_problem(const Solid<3>& solid, Feature kind, int index,
                                const Vec<3>& core_point, Real tolerance);

/// A flat convex polygon, counter-clockwise; also of two corners or one.
using Flat = std::vector<Point<2>>;

inline double height_over(const Point<2>& from, const Point<2>& to, const Point<2>& point) {
  const double x = to[0] - from[0];
  const double y = to[1] - from[1];
  return (x * (point[1] - from[1]) - y * (point[0] - from[0])) / std::hypot(x, y);
}

inline double distance_between(const Point<2>& u, const Point<2>& v) {
  return std::hypot(u[0] - v[0], u[1] - v[1]);
}

/// The least distance of two parallel lines that hold it between them.
double width_of(const Flat& flat);

/// The middle of a polygon's area.
Point<2> centroid_of(const Flat& flat);

/// How far within a polygon a place is, negative beyond.
double inside_flat(const Flat& flat, const Point<2>& at);

/// Two unit vectors across `n`.
std::array<Vec<3>, 2> across(const Vec<3>& n);

/// The same of any shape but a halfspace.
Flat outermost_of(const Solid<3>& solid, const Vec<3>& origin, const Vec<3>& n,
                  const std::array<Vec<3>, 2>& tangents, Real slack);

/// What of `flat` lies within a polygon of three corners or more whose sides are moved inwards by
/// `inset`.
Flat clipped(Flat flat, const Flat& by, double inset);

/// `least_point_count` where one shape is a box, hull or cylinder in 3D: two where an edge, or a
/// line of a cylinder's side, lies on a face; three or four where a face does and they share that
/// much, three where one is a cylinder's cap. Open where a shape's face is no wider, or what is
/// shared no longer, than `tolerance`, a millionth of the shapes or 1e-4 of the smaller face; where
/// edges lie along one another; and where an edge lies on a cap.
std::size_t facing_point_count(const Solid<3>& a, const Solid<3>& b, const Vec<3>& n, Real margin,
                               Real tolerance);

/// Whether a point of a core is on a face that holds what is outermost along `n`, or of a cylinder
/// on the cap or line that is, of which the foremost is.
bool is_on_foremost(const Solid<3>& solid, const Vec<3>& n, const Vec<3>& core_point,
                    Real tolerance);

}  // namespace widephase::test
