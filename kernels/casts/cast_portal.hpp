#pragma once

// How a cast ends where GJK stands still. The distance left is then a difference of nearly equal
// points, whose direction has few digits: between faces that are nearly parallel no plane that
// follows from it leads on. The normal of a triangle of points of the difference has all digits. So
// a triangle that the way passes through is moved towards the surface, a point of the surface in
// the place of one of its own at each step, until no point lies above it (Snethen, XenoCollide:
// Complex Collision Made Simple, Game Programming Gems 7, 2008; in other words the simplex method
// for the least t, with support points as columns).
// Cost: two support points per step; about 4 steps to find a triangle, about 4 to move it.

#include "kernels/casts/cast_simplex.hpp"

namespace widephase {
namespace {

/// Steps to find a triangle, and to move it.
inline constexpr int kMostPortalSteps = 64;

/// Points of the difference of two cores, A's less B's at t = 0.
struct CastPoints {
  Vector of_a[4], of_b[4], behind[4];
  int count = 0;

  void copy(int to, const CastPoints& from, int at) {
    of_a[to] = from.of_a[at];
    of_b[to] = from.of_b[at];
    behind[to] = from.behind[at];
  }
};

template <class S>
class CastPortal {
 public:
  CastPoints points;

  /// `apart` is where the difference's middle is. The way goes from `place` along `along`, which
  /// has a length; points of the surface this near to a plane lie in it.
  CastPortal(const CastCore<S>& a, const CastCore<S>& b, const Vector& apart, const Vector& place,
             const Vector& along, double near)
      : a_(a), b_(b), apart_(apart), place_(place), along_(along), near_(near) {
    across_[0] = across_of(unit_of(along));
    across_[1] = unit_of(cross(along, across_[0]));
  }

  /// Adds the farthest point along a direction.
  void add(const Vector& axis) { put(points.count++, axis); }

  /// Adds points until the way passes through their triangle. False if none is found; `gap` is then
  /// how far from the difference the way passes, if that is known.
  bool find(double& gap) {
    gap = 0;
    drop_flat();
    for (int step = 0; step < kMostPortalSteps; ++step) {
      double x, y;  // away from what is there, towards the way
      if (points.count == 3) {
        double share[3];
        if (!shares_of(0, 0, share)) return false;
        const int outside =
            share[0] < share[1] ? (share[0] < share[2] ? 0 : 2) : (share[1] < share[2] ? 1 : 2);
        if (share[outside] >= 0) return true;
        points.copy(outside, points, 2);
        points.count = 2;
      }
      if (points.count == 2) {
        const double from[2] = {seen(0, 0), seen(0, 1)};
        const double edge[2] = {seen(1, 0) - from[0], seen(1, 1) - from[1]};
        const double side = edge[0] * from[1] - edge[1] * from[0];
        x = side > 0 ? edge[1] : -edge[1];
        y = side > 0 ? -edge[0] : edge[0];
      } else {
        x = -seen(0, 0);
        y = -seen(0, 1);
      }
      const double size = root(x * x + y * y);
      if (!(size > 0)) return false;
      const int newest = points.count;
      add(scaled(across_[0], x / size) + scaled(across_[1], y / size));
      const double beyond = (seen(newest, 0) * x + seen(newest, 1) * y) / size;
      if (beyond < 0) {
        gap = -beyond;
        return false;
      }
      if (newest == 2 && !is_wide()) return false;
    }
    return false;
  }

  /// Moves the triangle to the surface. `op(axis, farthest)` takes each plane against the way.
  template <class Op>
  void move(const Op& op) {
    for (int step = 0; step < kMostPortalSteps; ++step) {
      const Vector normal =
          cross(points.behind[1] - points.behind[0], points.behind[2] - points.behind[0]);
      const double rise = dot(normal, along_);
      if (!(rise < 0) && !(rise > 0)) return;
      const Vector axis = unit_of(rise < 0 ? normal : -normal);
      put(3, axis);
      op(axis, points.behind[3]);
      if (!(dot(axis, points.behind[3] - points.behind[0]) > near_)) return;
      double share[3], of_new[3];
      if (!shares_of(0, 0, share) || !shares_of(seen(3, 0), seen(3, 1), of_new)) return;
      int leaving = -1;
      double least = __builtin_inf();
      for (int k = 0; k < 3; ++k) {
        const double here = share[k] > 0 ? share[k] : 0;
        if (!(of_new[k] > 0) || !(here < least * of_new[k])) continue;
        least = here / of_new[k];
        leaving = k;
      }
      if (leaving < 0) return;
      points.copy(leaving, points, 3);
    }
  }

 private:
  void put(int at, const Vector& axis) {
    points.of_a[at] = farthest_of_core(a_, axis);
    points.of_b[at] = farthest_of_core(b_, -axis);
    points.behind[at] = (points.of_a[at] - points.of_b[at]) + apart_;
  }
  /// Where a point is seen along the way, which is at 0.
  double seen(int point, int axis) const {
    return dot(across_[axis], points.behind[point] - place_);
  }
  /// The shares of the three points at a place that is seen. False for a triangle seen edge-on.
  bool shares_of(double x, double y, double (&share)[3]) const {
    double of[3][2];
    for (int k = 0; k < 3; ++k) {
      of[k][0] = seen(k, 0);
      of[k][1] = seen(k, 1);
    }
    const double whole = (of[1][0] - of[0][0]) * (of[2][1] - of[0][1]) -
                         (of[1][1] - of[0][1]) * (of[2][0] - of[0][0]);
    if (whole == 0) return false;
    for (int k = 0; k < 3; ++k) {
      const double* const next = of[(k + 1) % 3];
      const double* const last = of[(k + 2) % 3];
      share[k] = ((next[0] - x) * (last[1] - y) - (next[1] - y) * (last[0] - x)) / whole;
    }
    return true;
  }
  bool is_wide() const {
    double share[3];
    return shares_of(0, 0, share);
  }
  /// Leaves only points to begin with that are not seen in one.
  void drop_flat() {
    if (points.count == 3 && !is_wide()) points.count = 2;
    if (points.count == 2 && seen(0, 0) == seen(1, 0) && seen(0, 1) == seen(1, 1)) points.count = 1;
  }

  const CastCore<S>& a_;
  const CastCore<S>& b_;
  const Vector apart_, place_, along_;
  const double near_;
  Vector across_[2];
};

}  // namespace
}  // namespace widephase
