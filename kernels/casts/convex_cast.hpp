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

#include "kernels/casts/cast_portal.hpp"

namespace widephase {
namespace {

/// Polytopes need about 10 steps, smooth cores up to about 40.
inline constexpr int kMostCastSteps = 256;
/// Steps that lead no nearer.
inline constexpr int kMostLevelSteps = 8;
/// What rounding leaves of a way that has ended, as a share of the size and of the way.
inline constexpr double kCastEnd = 1e-12, kCastRounding = 4e-16;
/// A way that passes by at more than this share of the size meets nothing.
inline constexpr double kCastBeside = 1e-15;
/// A share of the distance by which it is too long where the normal is off by its root.
inline constexpr double kCastNormal = 5e-15;
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
  CastPoints points;
  double t = 0;
  Vector place{{0, 0, 0}};
  Vector plane{{0, 0, 0}};
  Vector gap = -apart;  // from the difference's middle to the place
  double distance = root(dot(gap, gap));
  if (!(distance > 0)) gap = {{1, 0, 0}};
  double end = way.tolerance, rounding = 0;
  SimplexPoint nearest;
  bool is_end = false, has_moved = false;
  int levels = 0;
  const auto find_rounding = [&] {
    rounding = kCastEnd * size + kCastRounding * (far + t * speed);
    end = way.tolerance > rounding ? way.tolerance : rounding;
  };
  // Goes up to the plane through a point of the difference. False if nothing is met.
  const auto advance = [&](const Vector& axis, const Vector& behind) {
    has_moved = false;
    const double height = dot(axis, place - behind) - reach;
    if (!(height > 0.25 * rounding)) return true;
    const double rise = dot(axis, way.along);
    // What the last digits of a way along the plane say is nothing.
    if (rise >= 0) return false;
    const double next = t + height / -rise;
    if (!(next <= way.enough)) return false;
    if (next > way.most && height + (way.most - t) * rise > end) return false;
    const double to = next < way.most ? next : way.most;
    has_moved = to > t;
    if (!has_moved) return true;
    t = to;
    place = scaled(way.along, t);
    plane = axis;
    return true;
  };
  // The point nearest to the place, and the points that it lies between, which alone are kept.
  const auto find_nearest = [&] {
    CastSimplex simplex;
    simplex.count = points.count;
    simplex.rounding = kCastRounding * (size + far + t * speed);
    for (int i = 0; i < points.count; ++i) simplex.point[i] = place - points.behind[i];
    nearest = simplex.nearest();
    for (int i = 0; i < nearest.count; ++i) points.copy(i, points, nearest.from[i]);
    points.count = nearest.count;
    distance = nearest.is_inside ? 0 : root(nearest.square);
    // At the start only rounding counts: what is merely near may yet part.
    is_end = nearest.is_inside || distance <= reach + (t > 0 ? end : rounding);
  };
  for (int step = 0; step < kMostCastSteps; ++step) {
    find_rounding();
    const Vector axis = unit_of(gap);
    const int newest = points.count++;
    points.of_a[newest] = farthest_of_core(a, axis);
    points.of_b[newest] = farthest_of_core(b, -axis);
    points.behind[newest] = (points.of_a[newest] - points.of_b[newest]) + apart;
    if (!advance(axis, points.behind[newest])) return {};
    const SimplexPoint before = nearest;
    const bool is_on = has_moved;
    find_nearest();
    // Nothing has changed: it would not do so again. Among features that are equally near to
    // rounding it may change a few times.
    const bool is_level =
        !is_on && step > 0 && nearest.count == before.count && !(nearest.square < before.square);
    levels += is_level ? 1 : 0;
    bool has_newest = false;
    for (int i = 0; i < nearest.count; ++i) has_newest = has_newest || nearest.from[i] == newest;
    if (is_end || (is_level && (!has_newest || levels == kMostLevelSteps))) break;
    gap = nearest.at;
  }
  if (!is_end && speed > 0) {
    CastPortal<S> portal(a, b, apart, place, way.along, 0.25 * rounding);
    portal.points = points;
    bool is_missed = false;
    double beside;
    if (portal.find(beside)) {
      portal.move([&](const Vector& axis, const Vector& behind) {
        is_missed = is_missed || !advance(axis, behind);
      });
      if (is_missed) return {};
      find_rounding();
      // The way goes through the triangle of the cores; where they have radii it ends before, and
      // may be nearer to what was found so far.
      const CastPoints so_far = points;
      find_nearest();
      const double from_so_far = distance;
      points = portal.points;
      points.count = 3;
      find_nearest();
      if (from_so_far < distance) {
        points = so_far;
        find_nearest();
      }
    } else if (beside > reach + kCastBeside * size + kCastRounding * (far + t * speed)) {
      // Even if only by rounding: near the outline of smooth cores steps would end early, since no
      // plane that leads on can be found.
      return {};
    }
  }
  const auto is_round = [&] {
    return !nearest.is_inside && reach > 1e-6 * size && distance > 0.5 * reach;
  };
  // What is near to the last digit of the distance may be half its digits aside, and the normal of
  // something round with it. A plane across the right normal has nothing before it.
  {
    const bool is_ended = is_end;
    CastPoints best_points = points;
    SimplexPoint best = nearest;
    double least = __builtin_inf();
    for (int step = 0; step < kMostLevelSteps && is_round(); ++step) {
      const Vector axis = unit_of(nearest.at);
      const Vector of_a = farthest_of_core(a, axis), of_b = farthest_of_core(b, -axis);
      const Vector behind = (of_a - of_b) + apart;
      const double before = distance - dot(axis, place - behind);
      if (!(before < least)) break;
      least = before;
      best_points = points;
      best = nearest;
      if (before <= kCastNormal * distance) break;
      const int newest = points.count++;
      points.of_a[newest] = of_a;
      points.of_b[newest] = of_b;
      points.behind[newest] = behind;
      find_nearest();
    }
    points = best_points;
    nearest = best;
    distance = nearest.is_inside ? 0 : root(nearest.square);
    is_end = is_ended;
  }
  meet.is_met = true;
  meet.t = t;
  meet.is_start = is_end && t == 0;
  meet.is_open = !is_end && distance - reach > kCastOpen * size + end;
  const bool has_plane = dot(plane, plane) > 0;
  meet.normal = is_round() || !has_plane ? unit_of(nearest.at) : plane;
  Vector at_a{{0, 0, 0}}, at_b{{0, 0, 0}};
  for (int i = 0; i < nearest.count; ++i) {
    at_a = at_a + scaled(points.of_a[i], nearest.share[i]);
    at_b = at_b + scaled(points.of_b[i], nearest.share[i]);
  }
  meet.on_a = (a.middle + at_a) + scaled(meet.normal, a.radius);
  meet.on_b = (b.middle + at_b) - scaled(meet.normal, b.radius);
  for (int i = 0; i < nearest.count && a.form == CastForm::corners; ++i) {
    for (int k = 0; k < a.corner_count; ++k) {
      const Vector away = points.of_a[i] - a.corner[k];
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
