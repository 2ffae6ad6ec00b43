#pragma once

// The directions along which a point leaves an ellipsoid, or its core, by the nearest way: the
// normals e^-2 x of the places x at which the distance from the point y has a local minimum. There
// y - x = t e^-2 x, so x = e^2 y / (t + e^2), and the squares of e y / (t + e^2) add up to 1. With
// the least extent e0 and s = |t + e0^2|, one minimum has t > -e0^2, on the point's side of the
// plane across the shortest axis. The other one, if there is any, is on the other side: the least
// s with t < -e0^2.
// Source: Eberly, Distance from a Point to an Ellipse, an Ellipsoid, or a Hyperellipsoid, 2013.

#include "kernels/core/surface/polygon_nearest.hpp"

namespace widephase {
namespace {

/// Calls `op(normal)`, of any length, in the ellipsoid's frame.
template <class Op>
void for_each_ellipsoid_exit(const Vector& half, const Vector& point, const Op& op) {
  constexpr int kMostSteps = 100;
  int thin = 0;
  for (int k = 1; k < 3; ++k) thin = half[k] < half[thin] ? k : thin;
  const double least = half[thin];
  double product[3], above[3];
  for (int k = 0; k < 3; ++k) {
    product[k] = half[k] * magnitude(point[k]);
    above[k] = (half[k] - least) * (half[k] + least);
  }
  for (const double side : {1.0, -1.0}) {
    // The sum falls and is convex up to the root.
    double s = 0;
    for (int k = 0; k < 3; ++k) {
      if (k == thin || above[k] == 0) s += product[k] * product[k];
    }
    s = root(s);
    bool is_found = false;
    for (int step = 0; step < kMostSteps && !is_found; ++step) {
      double sum = 0, slope = 0;
      bool is_on = true;
      for (int k = 0; k < 3; ++k) {
        if (!(product[k] > 0)) continue;
        const double below = k == thin ? s : above[k] + side * s;
        is_on &= below > 0;
        const double share = product[k] / below;
        sum += share * share;
        slope -= 2 * (k == thin ? 1 : side) * share * share / below;
      }
      const bool is_rising = sum > 1 && !(slope < 0);
      if (!(sum < kInfinite<double>) || !is_on || is_rising) break;
      const double next = sum > 1 ? s + (1 - sum) / slope : s;
      is_found = !(next > s + 2 * kRounding<double> * s);
      s = next;
    }
    if (!is_found) continue;
    Vector normal;
    double rest = 1;
    for (int k = 0; k < 3; ++k) {
      const double below = above[k] + side * s;
      normal[k] = product[k] > 0 ? point[k] / below : 0;
      if (k != thin) rest -= (half[k] * normal[k]) * (half[k] * normal[k]);
    }
    // A point in the plane across the shortest axis leaves on both sides alike.
    if (!(product[thin] > 0) && rest > 0) {
      if (!(least > 0)) normal = {{0, 0, 0}};  // a disc
      normal[thin] = least > 0 ? side * root(rest) / least : side;
    }
    op(normal);
  }
}

}  // namespace
}  // namespace widephase
