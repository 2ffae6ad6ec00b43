#pragma once

// Whether two overlapping cylinders may leave each other between their rims, the one kind of exit
// that has no closed form (core/cylinder/cylinder_exits.hpp). Answers that no such exit is shorter
// than all others, or leaves it open.
//
// Let x and y be the parts of a direction n along the axes, and z its part along w, which is
// perpendicular to both. Then the rims leave each other by
//   h(n) = c_x x + c_y y + c_w z + radius_a sqrt(1 - x^2) + radius_b sqrt(1 - y^2),
// with c from the middle of B's rim to that of A's. If both axes are in one plane, c_w is 0 and h
// is concave in x and y. So its least is on the border: on the circles x = 0 and y = 0, where sides
// begin, or in the plane of the axes. In that plane h is a sinusoid between the axes' directions
// and those perpendicular to them. Where it is above 0, its least is at these directions: caps and
// sides again.
//
// Otherwise the sphere is cut into smaller and smaller triangles, until each of them meets one of
// two conditions. Either the support point in the direction of its middle says that all exits there
// are longer. Or none of the exits there is stationary: the gap from rim to rim, p(n), would have
// to be along n. In a cap of chord d about n, p(n) changes by no more than the points of the rims
// move. For a rim whose plane has the part s of n, that is d / (s - d / 2) of the radius. If the
// direction is nearly the axis, its rim may be met anywhere. Then the part of the gap perpendicular
// to n must not be as long as the rim's radius.
//
// If the axes are nearly parallel, few cells meet these conditions. But on the great circle through
// n and the axis of A, all terms are sinusoids, for which f'' = -f, except B's radius_b g. Here g =
// sqrt(1 - y^2) is the support function of an ellipse with half axes 1 and at most s, the sine of
// the angle between both axes: g'' + g = s^2 / g^3 at most. So where h is least, it is at most
// radius_b s^2 / g^3. The same holds for A.

#include "kernels/core/support/polytope3.hpp"

namespace widephase {
namespace {

/// Whether the axes of two cylinders are in one plane. Then a direction and its mirror image are
/// equally good. Support points round by `rounding`.
template <class T>
bool has_axes_in_plane(const ShapePair<T>& pair, T rounding) {
  const Vec<T, 3> across = cross(pair.a.turn.column[2], pair.b.turn.column[2]);
  const Vec<T, 3>& apart = pair.apart;
  return magnitude(dot(apart, across)) <=
         rounding * root(dot(across, across)) + 4 * kRounding<T> * root(dot(apart, apart));
}

template <class T>
class RimExits {
 public:
  /// Exits of `least` or longer do not count. Support points round by `rounding`.
  RimExits(const ShapePair<T>& pair, T least, T rounding)
      : pair_(pair), least_(least), rounding_(rounding) {
    const ConvexShape<T>* const shapes[2] = {&pair.a, &pair.b};
    for (int i = 0; i < 2; ++i) {
      axis_[i] = shapes[i]->turn.column[2];
      up_[i] = dot(shapes[i]->axis[2], axis_[i]) < 0 ? -shapes[i]->axis[2] : shapes[i]->axis[2];
      radius_[i] = root(dot(shapes[i]->axis[0], shapes[i]->axis[0]));
    }
    const Vec<T, 3> across = cross(axis_[0], axis_[1]);
    sine2_ = dot(across, across);
  }

  bool are_none() const {
    if (has_axes_in_plane(pair_, rounding_)) return true;
    constexpr int kMostCells = 4096, kMostSplits = 12;
    struct Cell {
      Vec<T, 3> corner[3];
      int splits;
    };
    Cell stack[8 + 3 * kMostSplits];
    int count = 0;
    for (int octant = 0; octant < 8; ++octant) {
      Cell& cell = stack[count++];
      for (int k = 0; k < 3; ++k) {
        cell.corner[k] = {{0, 0, 0}};
        cell.corner[k][k] = (octant >> k & 1) != 0 ? T(1) : T(-1);
      }
      cell.splits = 0;
    }
    for (int cells = 0; count > 0; ++cells) {
      const Cell cell = stack[--count];
      const auto& c = cell.corner;
      const Vec<T, 3> middle = unit_of((c[0] + c[1]) + c[2]);
      T chord2 = 0;
      for (int k = 0; k < 3; ++k) {
        const Vec<T, 3> to = c[k] - middle;
        chord2 = dot(to, to) > chord2 ? dot(to, to) : chord2;
      }
      if (is_free(middle, root(chord2))) continue;
      if (cells >= kMostCells || cell.splits == kMostSplits) return false;
      Vec<T, 3> between[3];
      for (int k = 0; k < 3; ++k) between[k] = unit_of(c[k] + c[(k + 1) % 3]);
      const int splits = cell.splits + 1;
      for (int k = 0; k < 3; ++k)
        stack[count++] = {{c[k], between[k], between[(k + 2) % 3]}, splits};
      stack[count++] = {{between[0], between[1], between[2]}, splits};
    }
    return true;
  }

 private:
  bool is_free(const Vec<T, 3>& n, T chord) const {
    const Vec<T, 3> vertex = farthest(pair_, n).point;
    const T height = dot(n, vertex);
    const Vec<T, 3> beside = vertex - height * n;
    const T low = height - T(0.5) * chord * chord * height - chord * root(dot(beside, beside));
    if (low >= least_) return true;
    for (int i = 0; i < 2; ++i) {
      const Vec<T, 3> across = cross(axis_[i], n);
      const T sine = root(dot(across, across)) - chord;
      if (low > 0 && sine > 0 && low * (sine * (sine * sine)) > 2 * (radius_[i] * sine2_)) {
        return true;
      }
    }
    for (const T side_a : {T(-1), T(1)}) {
      for (const T side_b : {T(-1), T(1)}) {
        if (side_a * dot(n, axis_[0]) < -chord || side_b * dot(n, axis_[1]) < -chord) continue;
        if (!is_steep(n, chord, side_a, side_b)) return false;
      }
    }
    return true;
  }
  /// Whether no exit within `chord` of n between these two rims is stationary.
  bool is_steep(const Vec<T, 3>& n, T chord, T side_a, T side_b) const {
    Vec<T, 3> gap = (side_a * up_[0] + side_b * up_[1]) - pair_.apart;
    T moves = 0, tip = 0;
    for (int i = 0; i < 2; ++i) {
      if (!(radius_[i] > 0)) continue;
      const Vec<T, 3> across = n - dot(n, axis_[i]) * axis_[i];
      const T part = root(dot(across, across));
      if (part > 2 * chord) {
        gap = gap + (radius_[i] / part) * across;
        moves += radius_[i] * chord / (part - T(0.5) * chord);
      } else {
        if (tip > 0) return false;
        tip = radius_[i];
        moves += tip * (part + chord);
      }
    }
    const Vec<T, 3> beside = gap - dot(n, gap) * n;
    return magnitude(root(dot(beside, beside)) - tip) > moves + 2 * chord * root(dot(gap, gap));
  }

  const ShapePair<T>& pair_;
  T least_, rounding_;
  Vec<T, 3> axis_[2], up_[2];
  T radius_[2];
  T sine2_;  ///< of the angle between both axes, squared
};

}  // namespace
}  // namespace widephase
