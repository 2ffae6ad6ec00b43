#pragma once

// Any two convex shapes: the GJK ray cast (van den Bergh, Ray Casting against General Convex
// Objects with Application to Continuous Collision Detection, 2004) against the difference of the
// cores, grown by the radii and the margin.
//
// B moves, A stands. Each support point gives a plane that has the whole difference behind it. The
// way up to that plane is free, so t is early or exact, never late, whatever the simplex is. The
// end is reached where the simplex, which lies in the difference, is within the radii of the place
// reached: by what is left, `end` at most, t may be early.
// Normal: A to B, of the last plane that moved t; it supports both shapes there.
// Cost: two support points and one simplex per step.

#include "kernels/casts/cast_simplex.hpp"

namespace widephase {
namespace {

/// Polytopes need about 10 steps, smooth cores up to about 40.
inline constexpr int kMostCastSteps = 256;
/// What rounding leaves of a way that has ended, as a share of the size and of the way.
inline constexpr double kCastEnd = 1e-12, kCastRounding = 4e-16;
/// Beyond this share of the size what is left counts as open.
inline constexpr double kCastOpen = 1e-7;

struct ConvexMeet {
  bool is_met = false;
  bool is_start = false;  ///< they touch or overlap at t = 0
  bool is_open = false;
  bool has_points = true;
  double t = 0;
  Vector normal{{0, 0, 0}};  ///< unit, from A to B
  Vector on_a{{0, 0, 0}};    ///< on A's surface
  Vector on_b{{0, 0, 0}};    ///< on B's, where B is at t = 0
  int corners = 0;           ///< bits of A's corners between which it is met, if it has corners
};

/// How B moves, and how near it must come. Nothing behind `most` is wanted, nor strictly behind
/// `enough`.
struct CastWay {
  Vector along;
  double most;
  double enough;
  double margin;
  double tolerance;
};

template <class S>
ConvexMeet cast_convex(const CastCore<S>& a, const CastCore<S>& b, const CastWay& way) {
  ConvexMeet meet;
  const double reach = a.radius + b.radius + way.margin;
  const double size = a.reach + b.reach + reach;
  const Vector apart = a.middle - b.middle;  // of the cores' difference from the origin
  const double far = size_of(apart);
  const double speed = size_of(way.along);
  CastSimplex simplex;
  Vector of_a[4], of_b[4], behind[4];
  double t = 0;
  Vector place{{0, 0, 0}};
  Vector plane{{0, 0, 0}};
  Vector gap = -apart;  // from the difference's middle to the place
  double distance = root(dot(gap, gap));
  if (!(distance > 0)) gap = {{1, 0, 0}};
  double end = way.tolerance;
  SimplexPoint nearest;
  bool is_end = false;
  for (int step = 0; step < kMostCastSteps; ++step) {
    const double rounding = kCastEnd * size + kCastRounding * (far + t * speed);
    end = way.tolerance > rounding ? way.tolerance : rounding;
    const Vector axis = unit_of(gap);
    const int newest = simplex.count;
    of_a[newest] = farthest_of_core(a, axis);
    of_b[newest] = farthest_of_core(b, -axis);
    behind[newest] = (of_a[newest] - of_b[newest]) + apart;
    const double height = dot(axis, place - behind[newest]) - reach;
    bool has_moved = false;
    if (height > 0.25 * rounding) {
      const double rise = dot(axis, way.along);
      // What the last digits of a way along the plane say is nothing.
      if (rise >= 0) return {};
      const double next = t + height / -rise;
      if (!(next <= way.enough)) return {};
      if (next > way.most) {
        if (height + (way.most - t) * rise > end) return {};
        has_moved = way.most > t;
        t = way.most;
      } else {
        has_moved = next > t;
        t = next;
      }
      if (has_moved) {
        place = scaled(way.along, t);
        plane = axis;
      }
    }
    simplex.count = newest + 1;
    for (int i = 0; i < simplex.count; ++i) simplex.point[i] = place - behind[i];
    const SimplexPoint before = nearest;
    nearest = simplex.nearest();
    const double left = nearest.is_inside ? 0 : root(nearest.square);
    // At the start only rounding counts: what is merely near may yet part.
    is_end = nearest.is_inside || left <= reach + (t > 0 ? end : rounding);
    // Nothing has changed: it would not do so again.
    const bool is_still = !has_moved && step > 0 && nearest.count == before.count &&
                          !(nearest.square < before.square);
    // Only what is between points is kept.
    Vector kept_a[3], kept_b[3], kept[3];
    for (int i = 0; i < nearest.count; ++i) {
      kept_a[i] = of_a[nearest.from[i]];
      kept_b[i] = of_b[nearest.from[i]];
      kept[i] = behind[nearest.from[i]];
    }
    simplex.count = nearest.count;
    for (int i = 0; i < nearest.count; ++i) {
      of_a[i] = kept_a[i];
      of_b[i] = kept_b[i];
      behind[i] = kept[i];
    }
    distance = left;
    if (is_end || is_still) break;
    gap = nearest.at;
  }
  meet.is_met = true;
  meet.t = t;
  meet.is_start = is_end && t == 0;
  meet.is_open = !is_end && distance - reach > kCastOpen * size + end;
  const bool is_round = reach > 1e-6 * size && distance > 0.5 * reach;
  const bool has_plane = dot(plane, plane) > 0;
  meet.normal = is_round || !has_plane ? unit_of(nearest.at) : plane;
  Vector at_a{{0, 0, 0}}, at_b{{0, 0, 0}};
  for (int i = 0; i < nearest.count; ++i) {
    at_a = at_a + scaled(of_a[i], nearest.share[i]);
    at_b = at_b + scaled(of_b[i], nearest.share[i]);
  }
  meet.on_a = (a.middle + at_a) + scaled(meet.normal, a.radius);
  meet.on_b = (b.middle + at_b) - scaled(meet.normal, b.radius);
  for (int i = 0; i < nearest.count && a.form == CastForm::corners; ++i) {
    for (int k = 0; k < a.corner_count; ++k) {
      const Vector away = of_a[i] - a.corner[k];
      if (dot(away, away) == 0) {
        meet.corners |= 1 << k;
        break;
      }
    }
  }
  return meet;
}

}  // namespace
}  // namespace widephase
