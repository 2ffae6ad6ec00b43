#pragma once

// One Newton step from a direction towards the one in which the depth of two smooth features,
// h(n) = n.(p_A(n) - p_B(-n) - apart), is least: on a line's circle, or on the sphere.
//
// About the axis of a rim that is nearly level its support function is a cone, radius * sine. Its
// point turns by whole radians as the direction moves within the sine, and plain steps bounce
// across the axis. There the steps are in polar coordinates about the axis, in which the rim is
// linear; on a circle that passes the axis at the sine d, in z with the turn d 2z / (1 - z^2), in
// which the rim's slope is 2z / (1 + z^2).

#include "kernels/core/faces/convex_manifold.hpp"
#include "kernels/core/smooth/smooth_features.hpp"

namespace widephase {
namespace {

/// Two features, and what is known of them.
template <class T>
struct SmoothMeeting {
  SmoothFeature<T> a, b;
  Vec<T, 3> normal;
  T depth;  ///< along the normal, by support points
  Witness<T> witness;
  T bend = kInfinite<T>;    ///< how much the depth bends at least where the normal may turn
  bool is_at_end = false;   ///< of a line, where a vertex meets that has a name of its own
  T to_end = kInfinite<T>;  ///< how far points are from ends of lines or borders of faces
};

template <class T>
struct SmoothPoints {
  SmoothPoint<T> a, b;
  Vec<T, 3> gap;  ///< from B's point to A's

  SmoothPoints(const ShapePair<T>& pair, const SmoothMeeting<T>& at)
      : a(smooth_point(pair.a, at.a, at.normal)), b(smooth_point(pair.b, at.b, -at.normal)) {
    gap = (a.point - b.point) - pair.apart;
  }
};

template <class T>
T clamped(T x, T low, T high) {
  return x < low ? low : x > high ? high : x;
}

/// What a step has done: where it has begun, the depth there, and how long it was.
template <class T>
struct NewtonStep {
  Vec<T, 3> from;
  T depth, length;
};

/// The rim whose axis is nearest to a direction, if it is near.
template <class T>
struct LevelRim {
  bool is_found = false, is_a = false;
  T radius = 0, sine = 0;  ///< of the rim; of the direction's angle to its axis
  Vec<T, 3> x, y, up;      ///< across the axis, and along it on the direction's side

  LevelRim(const ShapePair<T>& pair, const SmoothFeature<T>& a, const SmoothFeature<T>& b,
           const Vec<T, 3>& n) {
    sine = T(0.05);
    for (const bool is_of_a : {true, false}) {
      const ConvexShape<T>& shape = is_of_a ? pair.a : pair.b;
      if ((is_of_a ? a : b).form != SmoothForm::rim) continue;
      const Vec<T, 3>(&axis)[3] = shape.turn.column;
      const T own = root(dot(axis[0], n) * dot(axis[0], n) + dot(axis[1], n) * dot(axis[1], n));
      if (!(own < sine)) continue;
      is_found = true;
      is_a = is_of_a;
      sine = own;
      radius = root(dot(shape.axis[0], shape.axis[0]));
      x = axis[0];
      y = axis[1];
      up = dot(axis[2], n) > 0 ? axis[2] : -axis[2];
    }
  }
  T sine_of(const Vec<T, 3>& n) const {
    const T of_x = dot(x, n), of_y = dot(y, n);
    return root(of_x * of_x + of_y * of_y);
  }
};

/// Takes a step of at most `most_step` on a line's circle n.axis = level, after moving the normal
/// there. Slopes below `noise` are rounding: along an arc of equal depths there is nowhere to go.
template <class T>
NewtonStep<T> step_on_circle(const ShapePair<T>& pair, const Vec<T, 3>& axis, T level, T radius,
                             const LevelRim<T>& rim, T noise, T most_step, SmoothMeeting<T>& at) {
  Vec<T, 3>& n = at.normal;
  // Twice: what is left of a normal along the axis is mostly rounding.
  const auto across = [&](const Vec<T, 3>& v) {
    const Vec<T, 3> once = v - dot(v, axis) * axis;
    return unit_of(once - dot(once, axis) * axis);
  };
  const auto on_circle = [&](const Vec<T, 3>& out) { return unit_of(level * axis + radius * out); };
  const Vec<T, 3> out = across(n);
  n = on_circle(out);
  const SmoothPoints<T> points(pair, at);
  const Vec<T, 3> along = cross(axis, out), tangent = radius * along;
  const T slope = dot(tangent, points.gap);
  T bend = (smooth_bend(pair.a, at.a, points.a, n, tangent, tangent) +
            smooth_bend(pair.b, at.b, points.b, -n, tangent, tangent)) -
           radius * dot(out, points.gap);
  if (!(bend > 0)) bend = magnitude(bend);
  at.bend = bend / (radius * radius);
  const T turn = bend > 0 && magnitude(slope) > noise ? -slope / bend : T(0);
  NewtonStep<T> step{n, dot(n, points.gap), 0};
  const T past = dot(rim.up, axis);
  if (rim.is_found && past * past < T(0.9)) {
    const Vec<T, 3> nearest = across(rim.up);
    const T distance = rim.sine_of(on_circle(nearest)) / radius;
    const Vec<T, 3> aside = cross(axis, nearest);
    const T t = dot(aside, out) / dot(nearest, out), far = root(distance * distance + t * t);
    if (distance > kRounding<T>) {
      const T z = t / (distance + far);
      const T rest = 2 * distance / (distance + far);               // 1 - z^2
      const T change = 2 * distance * (1 + z * z) / (rest * rest);  // of the turn, per z
      const T by = clamped(turn / change, -most_step, most_step);
      step.length = magnitude(by);
      if (turn != 0) {
        // Far beyond the distance z is 1 but for rounding, so it is the turn that is moved.
        const T left = rest - by * (2 * z + by);
        const T most_t = lesser_of(T(0.2), magnitude(t) + T(0.2));
        const T end = by < 0 ? lesser_of(-most_t, t) : greater_of(most_t, t);
        T to = end;
        if (left > 0) {
          to = t + 2 * distance * by * (1 + z * (z + by)) / (rest * left);
          to = by < 0 ? greater_of(to, end) : lesser_of(to, end);
        }
        n = on_circle(unit_of(nearest + to * aside));
      }
      return step;
    }
  }
  const T taken = clamped(turn, -most_step, most_step);
  step.length = magnitude(taken);
  n = on_circle(unit_of(out + taken * along));
  return step;
}

/// Takes a step on the sphere, along each principal direction of the bend by its size, so that it
/// leads down where the depth has no minimum too.
template <class T>
NewtonStep<T> step_on_sphere(const ShapePair<T>& pair, T noise, T most_step, SmoothMeeting<T>& at) {
  Vec<T, 3>& n = at.normal;
  const SmoothPoints<T> points(pair, at);
  const Vec<T, 3> tangent[2] = {across_of(n), cross(n, across_of(n))};
  T slope[2], bend[3];
  for (int i = 0; i < 2; ++i) slope[i] = dot(tangent[i], points.gap);
  const T height = dot(n, points.gap);
  for (int k = 0; k < 3; ++k) {
    const int i = k / 2, j = (k + 1) / 2;
    bend[k] = (smooth_bend(pair.a, at.a, points.a, n, tangent[i], tangent[j]) +
               smooth_bend(pair.b, at.b, points.b, -n, tangent[i], tangent[j])) -
              (i == j ? height : T(0));
  }
  const T middle = T(0.5) * (bend[0] + bend[2]), half = T(0.5) * (bend[0] - bend[2]);
  const T spread = root(half * half + bend[1] * bend[1]);
  T cosine = 1, sine = 0;  // of the direction of the greater bend
  if (spread > 0) {
    const bool is_first = half >= 0;
    const T own = spread + magnitude(half), size = root(own * own + bend[1] * bend[1]);
    cosine = (is_first ? own : bend[1]) / size;
    sine = (is_first ? bend[1] : own) / size;
  }
  const T most = magnitude(middle + spread), least = magnitude(middle - spread);
  at.bend = greater_of(middle - spread, T(0));
  const T slope_most = cosine * slope[0] + sine * slope[1];
  const T slope_least = cosine * slope[1] - sine * slope[0];
  const auto step_of = [&](T down, T curve) {
    const T turn = curve > 0 && magnitude(down) > noise ? -down / curve : T(0);
    return clamped(turn, -most_step, most_step);
  };
  const T by_most = step_of(slope_most, most), by_least = step_of(slope_least, least);
  const NewtonStep<T> step{n, height, greater_of(magnitude(by_most), magnitude(by_least))};
  n = unit_of(n + ((cosine * by_most - sine * by_least) * tangent[0] +
                   (sine * by_most + cosine * by_least) * tangent[1]));
  return step;
}

/// Takes a step on the sphere, in polar coordinates about a level rim's axis.
template <class T>
NewtonStep<T> step_about_rim(const ShapePair<T>& pair, const LevelRim<T>& rim, T noise, T most_step,
                             SmoothMeeting<T>& at) {
  Vec<T, 3>& n = at.normal;
  const SmoothPoints<T> points(pair, at);
  const T of_x = dot(rim.x, n), of_y = dot(rim.y, n), sine = rim.sine, cosine = dot(rim.up, n);
  // On the axis the rim's point is the one that `smooth_point` takes.
  T c = sine > 0 ? of_x / sine : T(1), s = sine > 0 ? of_y / sine : T(0);
  // The gap to the rim's middle. If it points elsewhere, the rim's lowest point is opposite, and
  // the depth falls toward that point alone.
  const Vec<T, 3> rest = points.gap - rim.radius * (c * rim.x + s * rim.y);
  const T to_x = -dot(rim.x, rest), to_y = -dot(rim.y, rest);
  const T aside = root(to_x * to_x + to_y * to_y);
  Vec<T, 3> gap = points.gap;
  if (aside > noise && c * to_x + s * to_y < T(0.5) * aside) {
    c = to_x / aside;
    s = to_y / aside;
    gap = rest + rim.radius * (c * rim.x + s * rim.y);
  }
  const Vec<T, 3> out = c * rim.x + s * rim.y, round = c * rim.y - s * rim.x;
  const Vec<T, 3> down = cosine * out - sine * rim.up;
  // The bend of the other core.
  const auto bend = [&](const Vec<T, 3>& u, const Vec<T, 3>& v) {
    return rim.is_a ? smooth_bend(pair.b, at.b, points.b, -n, u, v)
                    : smooth_bend(pair.a, at.a, points.a, n, u, v);
  };
  const T height = dot(n, points.gap);
  const T slope_down = dot(down, gap), slope_round = dot(round, rest);
  // Per angle to the axis and per angle around it, the latter's slope in units of the sine. What
  // the turn of `down` adds vanishes where the slopes do.
  const T both = bend(down, round), bend_down = bend(down, down) - height;
  const T bend_round = sine * bend(round, round) - dot(out, rest);
  const T area = bend_down * bend_round - sine * (both * both);
  T by_down = 0, by_round = 0;
  if (bend_down > 0 && area > 0) {
    by_down = (sine * (both * slope_round) - bend_round * slope_down) / area;
    by_round = (both * slope_down - bend_down * slope_round) / area;
    at.bend = area / bend_round;
  } else {
    if (bend_down != 0) by_down = -slope_down / magnitude(bend_down);
    if (bend_round != 0) by_round = -slope_round / magnitude(bend_round);
    at.bend = 0;
  }
  if (!(magnitude(slope_down) > noise)) by_down = 0;
  by_down = clamped(by_down, -most_step, most_step);
  by_round = clamped(by_round, -5 * most_step, 5 * most_step);
  const NewtonStep<T> step{n, height, greater_of(magnitude(by_down), T(0.2) * magnitude(by_round))};
  const Vec<T, 3> to = unit_of(out + by_round * round);
  n = unit_of((sine + by_down * cosine) * to + (cosine - by_down * sine) * rim.up);
  return step;
}

}  // namespace
}  // namespace widephase
