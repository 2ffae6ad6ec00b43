#pragma once

// Pairs with an ellipsoid or a cone, by support functions: the least h(n) of A - B.
//
// A search that bounds the minimum from both sides (direction_search.hpp) finds where it is. From
// there it is computed to rounding, in long double. h is smooth except where a core shows a line
// to the direction: on the circle perpendicular to an edge, on the circle of a cone's or cylinder's
// side normals, and at normals of faces. So the minimum is at a face's normal, where two such
// circles cross, on one circle or between circles, and there Newton's method finds it. Each
// direction that is tried bounds the depth from above.

#include <optional>
#include <utility>
#include <vector>

#include "reference/cylinder.hpp"
#include "reference/vec3d.hpp"

namespace widephase::test {

/// The unit directions n with n.axis = level, on which a core shows a line.
struct LineCircle {
  Vec<3> axis;
  Real level;
};

/// The core of any kind except the halfspace.
struct RoundCore {
  Kind kind = Kind::sphere;
  Vec<3> center{};
  std::array<Vec<3>, 3> axes{Vec<3>{1, 0, 0}, Vec<3>{0, 1, 0}, Vec<3>{0, 0, 1}};
  Vec<3> half{};  ///< of an ellipsoid; of a cylinder or cone 0, 0, half height
  Real radius = 0;
  Real ball = 0;      ///< of an ellipsoid: the radius that is taken off all around
  Polytope polytope;  ///< of the other kinds

  bool has_corners() const { return !polytope.corners.empty(); }
  Vec<3> local(const Vec<3>& v) const { return along_axes(axes, v); }
  Vec<3> turned(const Vec<3>& v) const {
    return plus(plus(times(axes[0], v[0]), axes[1], v[1]), axes[2], v[2]);
  }
  /// The farthest point along `n`.
  Vec<3> point(const Vec<3>& n) const;
  /// The second derivative of the support along u and v, tangents at `n`.
  Real bend(const Vec<3>& n, const Vec<3>& u, const Vec<3>& v) const;
  /// Circles and normals at most `slack` from `n`, and all for which that is not worth telling.
  void kinks(const Vec<3>& n, Real slack, std::vector<LineCircle>& circles,
             std::vector<Vec<3>>& normals) const;
};

/// Relative to `origin`.
RoundCore round_core(const Solid<3>& solid, const Vec<3>& origin);

/// The same, but an ellipsoid without the largest ball that rolls in it everywhere, whose radius is
/// its least radius of curvature: the square of the least half extent, divided by the greatest.
RoundCore rolled_core(const Solid<3>& solid, const Vec<3>& origin);

/// The distance of a point from an ellipsoid's or cone's surface; `local` is in the shape's own
/// frame.
Real distance_to_ellipsoid(const Vec<3>& half, const Vec<3>& local);
Real distance_to_cone(Real half_height, Real radius, const Vec<3>& local);

/// The point of a solid ellipsoid or cone that is nearest to a point outside, in its own frame.
Vec<3> nearest_on_ellipsoid(const Vec<3>& half, const Vec<3>& local);
Vec<3> nearest_on_cone(Real half_height, Real radius, const Vec<3>& local);

struct RoundPair {
  RoundCore a, b;  ///< relative to A's position

  RoundPair(const Solid<3>& a, const Solid<3>& b);
  RoundPair(RoundCore core_a, RoundCore core_b) : a(std::move(core_a)), b(std::move(core_b)) {}
  Vec<3> point(const Vec<3>& n) const { return minus(a.point(n), b.point(times(n, -1))); }
  Real support(const Vec<3>& n) const { return dot(point(n), n); }

  struct Least {
    std::vector<std::pair<Real, Vec<3>>> directions;  ///< from the least depth on
    Real lower;                                       ///< no direction has less than this
  };
  /// The least depth and directions that have it or nearly. `size` is the pair's.
  Least least(Real size) const;

  /// The least depth alone, minus the distance, if the cores are seen to be apart by more than 1e-9
  /// of the pair's size: right to 1e-16 of it. Where they are not, `least` has to search.
  std::optional<Real> least_if_apart(Real size) const;

 private:
  Vec<3> settled_on_circle(const LineCircle& circle, const Vec<3>& n) const;
  Vec<3> settled(Vec<3> n) const;
};

}  // namespace widephase::test
