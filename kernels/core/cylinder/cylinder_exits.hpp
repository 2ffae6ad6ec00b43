#pragma once

// The directions in which the minimum translation of a cylinder and another core can lie, in closed
// form.
//
// The largest ball about the origin within the Minkowski difference touches its surface where that
// is flat or smooth, never on a ridge. The flat parts are the other core's faces and the caps. The
// smooth parts are: the side against a vertex, with the exit straight out from the axis; the side
// against an edge, with the exit perpendicular to both; and a rim along an edge. Along such a rim n
// turns about the edge, n = c x + s y, where x is the part of the cylinder's axis u perpendicular
// to the edge, and y is perpendicular to both. There the depth
//   h = radius sqrt(1 - (n.u)^2) + half |n.u| - n.q   for a point q of the edge's line
// is stationary. With t = s / c, and with sine and cosine of the angle between u and the edge, that
// is where
//   (k t + b)^2 (t^2 + cosine^2) = radius^2 sine^4 t^2,   k = half sine - q.x,   b = q.y.
// Between two cylinders the other's axis is such an edge, with its own radius added all around.
// (Two rims are smooth too, but their exits are not among these: see core/cylinder/rim_exits.hpp.)
// If the cores are apart or touch, a vertex may also be nearest to a rim.

#include "kernels/core/support/polytope3.hpp"

namespace widephase {
namespace {

/// The zeros of c[0] + c[1] t + ... + c[degree] t^degree between -1 and 1 where it changes its
/// sign, in ascending order.
inline int zeros_within_one(const double* c, int degree, double* zeros) {
  constexpr int kMostDegree = 4, kHalvings = 52;
  if (degree == 0) return 0;
  double slope[kMostDegree], bound[kMostDegree + 1];
  for (int k = 0; k < degree; ++k) slope[k] = (k + 1) * c[k + 1];
  bound[0] = -1;
  const int turns = zeros_within_one(slope, degree - 1, bound + 1);
  bound[turns + 1] = 1;
  const auto value_at = [&](double t) {
    double value = c[degree];
    for (int k = degree - 1; k >= 0; --k) value = value * t + c[k];
    return value;
  };
  int count = 0;
  for (int i = 0; i <= turns; ++i) {
    double low = bound[i], high = bound[i + 1];
    const bool is_up = value_at(low) < 0;
    if ((value_at(high) < 0) == is_up) continue;
    for (int halving = 0; halving < kHalvings; ++halving) {
      const double middle = 0.5 * (low + high);
      const bool is_before = (value_at(middle) < 0) == is_up;
      low = is_before ? middle : low;
      high = is_before ? high : middle;
    }
    zeros[count++] = low;
  }
  return count;
}

/// Visits vertices by number, edges as pairs of vertices, and face normals of a core that has them.
template <class T, class Visit>
void for_each_vertex(const ConvexShape<T>& shape, Visit&& visit) {
  const int count = core_vertex_count(shape.form, [&] { return shape.hull().vertex_count; });
  for (int v = 0; v < count; ++v) visit(v);
}
template <class T, class Visit>
void for_each_edge(const ConvexShape<T>& shape, Visit&& visit) {
  // Pairs of vertices whose numbers differ in one bit.
  const auto visit_axes = [&](int axes) {
    for (int axis = 0; axis < axes; ++axis) {
      for (int v = 0; v < 1 << axes; ++v) {
        if ((v >> axis & 1) == 0) visit(v, v | 1 << axis);
      }
    }
  };
  switch (shape.form) {
    case CoreForm::segment:
      visit_axes(1);
      break;
    case CoreForm::box:
      visit_axes(3);
      break;
    case CoreForm::hull: {
      const HullView<T> hull = shape.hull();
      for (int e = 0; e < hull.edge_count; ++e) {
        visit(hull.edge_vertex(e, 0), hull.edge_vertex(e, 1));
      }
      break;
    }
    case CoreForm::point:
    case CoreForm::cylinder:
    case CoreForm::ellipsoid:
    case CoreForm::cone:
      break;
  }
}
template <class T, class Visit>
void for_each_face_normal(const ConvexShape<T>& shape, Visit&& visit) {
  switch (shape.form) {
    case CoreForm::box:
      for (const Vec<T, 3>& axis : shape.turn.column) {
        visit(axis);
        visit(-axis);
      }
      break;
    case CoreForm::hull: {
      const HullView<T> hull = shape.hull();
      for (int f = 0; f < hull.face_count; ++f) visit(rotate(shape.turn, hull.face_normal(f)));
      break;
    }
    case CoreForm::point:
    case CoreForm::segment:
    case CoreForm::cylinder:
    case CoreForm::ellipsoid:
    case CoreForm::cone:
      break;
  }
}

/// A direction along which the cores may leave each other soonest.
template <class T>
struct CylinderExit {
  Vec<T, 3> direction;  ///< of unit length
  bool is_side;         ///< out of the cylinder's side
  int count;            ///< vertices of the other core's edge or vertex there; 0: a face
  int vertex[2];
};

/// Calls `visit(exit)` for each of them. `to(v)` is the place of the other core's vertex v, as seen
/// from the cylinder's middle. For another cylinder, 0 and 1 are the ends of its axis.
template <class T, class To, class Visit>
void for_each_cylinder_exit(const ConvexShape<T>& cylinder, const ConvexShape<T>& other, To&& to,
                            Visit&& visit) {
  using Wide = Vec<double, 3>;
  const auto wide = [](const Vec<T, 3>& v) {
    return Wide{{static_cast<double>(v[0]), static_cast<double>(v[1]), static_cast<double>(v[2])}};
  };
  const auto visit_one = [&](const Wide& along, bool is_side, int count, int v, int w) {
    const Wide n = unit_of(along);
    const Vec<T, 3> direction{{static_cast<T>(n[0]), static_cast<T>(n[1]), static_cast<T>(n[2])}};
    visit(CylinderExit<T>{unit_of(direction), is_side, count, {v, w}});
  };
  const auto visit_both = [&](const Wide& along, bool is_side, int count, int v, int w) {
    visit_one(along, is_side, count, v, w);
    visit_one(-along, is_side, count, v, w);
  };
  const Wide u = unit_of(wide(cylinder.turn.column[2]));
  // Twice, since a short part rounds by the digits of the long vector.
  const auto unit_across = [](const Wide& v, const Wide& axis) {
    const Wide across = unit_of(v - dot(v, axis) * axis);
    return unit_of(across - dot(across, axis) * axis);
  };
  const Wide radii = wide(cylinder.axis[0]), heights = wide(cylinder.axis[2]);
  const double radius = root(dot(radii, radii)), half = root(dot(heights, heights));
  const auto visit_edge = [&](int v, int w) {
    const Wide q = wide(to(v)), edge = wide(to(w)) - q;
    if (!(dot(edge, edge) > 0)) return;
    const Wide e = unit_of(edge);
    const Wide part = u - dot(u, e) * e;
    if (!(dot(part, part) > 1e-28)) return;
    const Wide across = unit_across(part, e);
    const double sine = dot(u, across), sine2 = sine * sine, cosine = dot(u, e);
    const Wide y = unit_across(cross(e, across), u);
    visit_both(y, true, 2, v, w);
    for (const double side : {1., -1.}) {
      const Wide x = side * across;
      visit_one(x, false, 2, v, w);
      const double k = half * sine - dot(q, x), b = dot(q, y);
      const double cosine2 = cosine * cosine, rim = radius * sine2;
      double c[5] = {b * b * cosine2, 2 * k * b * cosine2, (b * b + k * k * cosine2) - rim * rim,
                     2 * k * b, k * k};
      for (const bool is_steep : {false, true}) {
        double slope[4], t[7];
        for (int n = 0; n < 4; ++n) slope[n] = (n + 1) * c[n + 1];
        int count = zeros_within_one(c, 4, t);
        count += zeros_within_one(slope, 3, t + count);  // where it may touch zero
        for (int n = 0; n < count; ++n) {
          // c > 0: x and y as they are, or both turned around.
          const Wide along = !is_steep ? x + t[n] * y : t[n] < 0 ? -t[n] * x - y : t[n] * x + y;
          visit_one(along, false, 2, v, w);
        }
        // The same in 1 / t.
        for (int n = 0; n < 2; ++n) {
          const double last = c[4 - n];
          c[4 - n] = c[n];
          c[n] = last;
        }
      }
    }
  };
  // Exits with a point of their own come first, because the first of equals is taken.
  if (other.form == CoreForm::cylinder) {
    visit_edge(0, 1);
    visit_both(wide(other.turn.column[2]), false, 0, 0, 0);
  } else {
    for_each_vertex(other, [&](int v) {
      const Wide q = wide(to(v));
      const Wide out = q - dot(q, u) * u;
      const Wide across = dot(out, out) > 0 ? unit_across(out, u) : wide(cylinder.turn.column[0]);
      visit_both(across, true, 1, v, v);
      // The rim's point nearest to the vertex, and the middle of the directions in which it is
      // outermost.
      const Wide up = dot(q, u) < 0 ? -u : u;
      visit_one((q - half * up) - radius * across, false, 1, v, v);
      visit_one(across + up, false, 1, v, v);
    });
    for_each_edge(other, visit_edge);
    for_each_face_normal(
        other, [&](const Vec<T, 3>& normal) { visit_both(wide(normal), false, 0, 0, 0); });
  }
  visit_both(u, false, 0, 0, 0);
}

/// An exit of a cylinder against the other core of a pair, as seen from the cylinder's middle. If
/// the cylinder is B, the pair is mirrored there, so the exit leads away from the cylinder in
/// either case.
template <class T>
class CylinderExitSearch {
 public:
  /// `rounding` is that of support points.
  CylinderExitSearch(const ShapePair<T>& pair, bool is_a, T rounding)
      : pair_(pair),
        cylinder_(is_a ? pair.a : pair.b),
        other_(is_a ? pair.b : pair.a),
        is_a_(is_a),
        rounding_(rounding),
        thickness_(other_.form == CoreForm::cylinder ? radius_of(other_) : T(0)) {}

  /// Puts the best of all exits in the place of `least`, if it is not longer.
  bool take(LeastExit<T>& least) const {
    LeastExit<T> best = least;
    best.depth = kInfinite<T>;
    for_each_cylinder_exit(
        cylinder_, other_, [&](int v) { return to(v); },
        [&](const CylinderExit<T>& exit) {
          const T height = dot(exit.direction, farthest(pair_, exit.direction).point);
          Witness<T> witness = least.witness;
          if (!(height < best.depth) || !is_outermost(exit)) return;
          if (exit.count > 0 && !find_witness(exit, height, witness)) return;
          best.depth = height;
          best.direction = exit.direction;
          best.witness = witness;
        });
    if (!(best.depth <= least.depth + rounding_)) return false;
    least = best;
    return true;
  }
  /// Finds the witness: the point of the other core's edge or vertex, and the cylinder's point
  /// straight out from it. Answers false if the cylinder has no point there.
  bool find_witness(const CylinderExit<T>& exit, T depth, Witness<T>& witness) const {
    const Vec<T, 3>& n = exit.direction;
    const Vec<T, 3>& u = cylinder_.turn.column[2];
    const Vec<T, 3> out = depth * n;
    const ShapePoint<T> rim = farthest(cylinder_, n);
    const Vec<T, 3> from = to(exit.vertex[0]), along = to(exit.vertex[1]) - from;
    Vec<T, 3> on_other = from;
    T share = 0;
    if (exit.count == 2) {
      // Over the side: where the edge crosses the side's line along n. Else: under the rim's point.
      const Vec<T, 3> across = cross(n, u);
      const Vec<T, 3> under = (rim.point - out) + thickness_ * n;
      const T run = exit.is_side ? dot(along, across) : dot(along, along);
      const T gap = exit.is_side ? -dot(from, across) : dot(under - from, along);
      share = run != 0 ? gap / run : T(0.5);
      share = share > 0 ? share < 1 ? share : T(1) : T(0);
      on_other = (from + share * along) - thickness_ * n;
    }
    const Vec<T, 3> on_cylinder = exit.is_side ? on_other + out : rim.point;
    // An exit that is a double zero is known only to the root of rounding.
    const T slack = root(kRounding<T>) * cylinder_.reach + rounding_;
    const Vec<T, 3> beside = (on_other + out) - on_cylinder;
    const T half = root(dot(cylinder_.axis[2], cylinder_.axis[2]));
    const bool is_on = exit.is_side ? magnitude(dot(on_cylinder, u)) <= half + rounding_
                                    : dot(beside, beside) <= slack * slack;
    if (!is_on) return false;
    witness.on_a = is_a_ ? on_cylinder : pair_.apart - on_other;
    witness.on_b = is_a_ ? on_other - pair_.apart : -on_cylinder;
    witness.count = 2;
    for (int k = 0; k < 2; ++k) {
      // A line of the side is named by its two ends; so is an edge, unless the point is at an end.
      const int end = exit.is_side ? k : is_a_ ? rim.number : 1 - rim.number;
      const int vertex = exit.vertex[share == 0 ? 0 : share == 1 ? 1 : k];
      witness.a[k] = is_a_ ? end : vertex;
      witness.b[k] = is_a_ ? vertex : end;
    }
    return true;
  }

 private:
  static T radius_of(const ConvexShape<T>& shape) {
    return root(dot(shape.axis[0], shape.axis[0]));
  }
  Vec<T, 3> to(int v) const {
    const Vec<T, 3> vertex = other_.form != CoreForm::cylinder ? vertex_of(other_, v)
                             : v == 0                          ? -other_.axis[2]
                                                               : other_.axis[2];
    return is_a_ ? pair_.apart + vertex : pair_.apart - vertex;
  }
  /// Whether the other core has nothing in front of the exit's feature.
  bool is_outermost(const CylinderExit<T>& exit) const {
    if (exit.count == 0) return true;
    const Vec<T, 3>& n = exit.direction;
    const T first = is_a_ ? dot(n, pair_.apart + farthest(other_, -n).point)
                          : dot(n, pair_.apart - farthest(other_, n).point);
    return dot(n, to(exit.vertex[0])) - thickness_ <= first + rounding_;
  }
  const ShapePair<T>& pair_;
  const ConvexShape<T>&cylinder_, &other_;
  bool is_a_;
  T rounding_, thickness_;
};

/// Puts the best exit between the features of a cylinder and another core in the place of `least`.
/// Answers whether there is one that is not longer, up to `rounding`.
template <class T>
bool take_cylinder_exit(const ShapePair<T>& pair, T rounding, LeastExit<T>& least) {
  bool is_taken = false;
  if (pair.a.form == CoreForm::cylinder) {
    is_taken = CylinderExitSearch<T>(pair, true, rounding).take(least);
  }
  if (pair.b.form == CoreForm::cylinder) {
    is_taken = CylinderExitSearch<T>(pair, false, rounding).take(least) || is_taken;
  }
  return is_taken;
}

}  // namespace
}  // namespace widephase
