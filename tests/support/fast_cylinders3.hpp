#pragma once

// The least depth of an overlap with a cylinder, in plain double (see fast_reference3.hpp). The
// candidates for its normal are
//   - the normals of the caps and of a polytope's faces;
//   - a side line and an edge, or another cylinder's side line: perpendicular to both;
//   - a corner and the round side: straight away from the axis;
//   - an edge and the rim: on the circle perpendicular to the edge, between the edge's two faces;
//   - a side line and another's rim: on the circle perpendicular to the axis;
//   - two rims: any direction.
// On circles, and for two rims on the sphere, the minimum is searched.

#include "support/fast_reference3.hpp"

namespace widephase::test {

inline constexpr double kQuarterTurn = 1.5707963267948966;

/// n = cos(t) u + sin(t) w.
struct CircleArc {
  Vec3d u, w;
  double from, to;
  Vec3d direction(double t) const { return std::cos(t) * u + std::sin(t) * w; }
};

/// Calls consider(n) for the minima of `value(n)` on an arc. The arc is sampled at `count` points,
/// then narrowed by golden section around every sample that is below its neighbours.
template <class Value, class Consider>
void search_arc(const CircleArc& arc, int count, Value&& value, Consider&& consider) {
  constexpr double kGolden = 0.6180339887498949;
  const double step = (arc.to - arc.from) / count;
  const double infinity = std::numeric_limits<double>::infinity();
  double before = infinity, here = value(arc.direction(arc.from));
  for (int i = 0; i <= count; ++i) {
    const double at = arc.from + i * step;
    const double after = i < count ? value(arc.direction(at + step)) : infinity;
    if (here <= before && here <= after) {
      double low = i > 0 ? at - step : at, high = i < count ? at + step : at;
      double x = high - kGolden * (high - low), y = low + kGolden * (high - low);
      double at_x = value(arc.direction(x)), at_y = value(arc.direction(y));
      while (high - low > 1e-8) {
        if (at_x < at_y) {
          high = y;
          y = x;
          at_y = at_x;
          x = high - kGolden * (high - low);
          at_x = value(arc.direction(x));
        } else {
          low = x;
          x = y;
          at_x = at_y;
          y = low + kGolden * (high - low);
          at_y = value(arc.direction(y));
        }
      }
      consider(arc.direction((low + high) / 2));
    }
    before = here;
    here = after;
  }
}

/// The circle perpendicular to `direction`. It starts where it is perpendicular to `axis`: a
/// cylinder's reach has kinks there and after a quarter turn.
CircleArc circle_across(Vec3d direction, Vec3d axis);

/// `search_arc` from kink to kink.
template <class Value, class Consider>
void search_quarters(CircleArc arc, Value&& value, Consider&& consider) {
  const double end = arc.to;
  while (arc.from < end) {
    const double quarter = (std::floor(arc.from / kQuarterTurn + 1e-9) + 1) * kQuarterTurn;
    arc.to = std::min(quarter, end);
    search_arc(arc, 2 + static_cast<int>((arc.to - arc.from) / 0.15), value, consider);
    arc.from = quarter;
  }
}

/// A cylinder and a polytope, with `points` relative to the cylinder's centre. n points from the
/// cylinder to the polytope, also in `consider(n)` and `consider(n, bound)`.
template <class Consider, class Least>
void try_cylinder_and_polytope(const FastShape& cylinder, const FastPolytope& points,
                               Consider&& consider, Least&& least) {
  const double no_bound = -std::numeric_limits<double>::infinity();
  const Vec3d axis = cylinder.axes[2];
  consider(axis, no_bound);
  consider(-axis, no_bound);
  for (const auto& face : points.faces) {
    consider(-face.normal, cylinder.around(face.normal) + face.offset);
  }
  for (const Vec3d& corner : points.corners) {
    const double x = dot(corner, cylinder.axes[0]), y = dot(corner, cylinder.axes[1]);
    const double away = std::sqrt(x * x + y * y);
    const Vec3d n =
        away > 0 ? x / away * cylinder.axes[0] + y / away * cylinder.axes[1] : cylinder.axes[0];
    consider(n, cylinder.cylinder_radius - dot(n, corner));
  }
  for (const auto& edge : points.edges) {
    CircleArc arc = circle_across(edge.direction, axis);
    const auto value = [&](Vec3d n) { return cylinder.around(n) - dot(n, edge.point); };
    Vec3d middle{};
    if (edge.left >= 0) {
      // n is between the normals of the faces, with opposite signs. direction = left x right, so
      // `right` comes after `left`.
      const Vec3d left = -points.faces[static_cast<std::size_t>(edge.left)].normal;
      const Vec3d right = -points.faces[static_cast<std::size_t>(edge.right)].normal;
      middle = left + right;
      arc.from = std::atan2(dot(left, arc.w), dot(left, arc.u));
      arc.to = arc.from + std::atan2(dot(cross(left, right), edge.direction), dot(left, right));
    }
    for (const Vec3d across : {arc.u, -arc.u}) {
      if (edge.left < 0 || dot(across, middle) > 0) consider(across, value(across));
    }
    // Over half the arc the value changes by at most the reach times the angle.
    const double angle = (arc.to - arc.from) / 2;
    const double reach = cylinder.reach + length(edge.point);
    if (value(arc.direction(arc.from + angle)) - reach * angle > least()) continue;
    search_quarters(arc, value, [&](Vec3d n) { consider(n, value(n)); });
  }
}

/// Two cylinders, from A to B.
void try_cylinders(const FastShape& a, const FastShape& b, LeastDepth& best);

}  // namespace widephase::test
