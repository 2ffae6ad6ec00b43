#pragma once

// The direction in which a smooth core meets another one, and their points there, to rounding, from
// a direction that a search has found.
//
// A search knows the depth to rounding, but the direction only to the root of rounding. Between two
// features the depth is a smooth function of the direction, h(n) = n.(p_A(n) - p_B(-n) - apart),
// and is stationary where p_A and p_B are opposite each other. Newton steps find that direction: on
// the sphere, on a line's circle, or where two such circles cross. Support points then say how deep
// the cores really are along it, so a wrong feature cannot give a wrong depth, and the two points
// say whether the features meet there. Cores that are apart have no other such direction, so the
// distance is then proven.

#include "kernels/core/faces/convex_manifold.hpp"
#include "kernels/core/smooth/level_rims.hpp"
#include "kernels/core/smooth/smooth_steps.hpp"

namespace widephase {
namespace {

/// The circles n.axis = level on which lines keep the normal: none, one or two.
template <class T>
struct NormalCircles {
  int count = 0;
  Vec<T, 3> axis[2];
  T level[2], radius[2];

  void add(const SmoothFeature<T>& line, T side) {
    const Vec<T, 3>& u = line.axis;
    // Lines along one another keep it on the same circle.
    if (count == 1) {
      const Vec<T, 3> across = cross(axis[0], u);
      const T least = 64 * kRounding<T>;
      if (dot(across, across) <= least * least) return;
    }
    axis[count] = u;
    radius[count] = line.radius;
    level[count++] = side * line.level;
  }
};

/// The direction opposite `n`, on one circle, or where two cross once more.
template <class T>
Vec<T, 3> opposite_on(const NormalCircles<T>& circles, const Vec<T, 3>& n) {
  const Vec<T, 3>& u = circles.axis[0];
  if (circles.count == 1) return (2 * dot(n, u)) * u - n;
  const Vec<T, 3> w = unit_of(across_edges(u, circles.axis[1]));
  return n - (2 * dot(n, w)) * w;
}

/// The direction on both circles that is nearest to `n`, and half the distance to the other one.
/// Answers whether they cross.
template <class T>
bool take_crossing(const NormalCircles<T>& circles, Vec<T, 3>& n, T& reach) {
  // By the sum and the difference of the axes, turned to the same side: the difference of nearly
  // parallel axes is exact. They are perpendicular but for rounding.
  const T side = dot(circles.axis[0], circles.axis[1]) < 0 ? T(-1) : T(1);
  const Vec<T, 3>& u = circles.axis[0];
  const Vec<T, 3> v = side * circles.axis[1];
  const Vec<T, 3> sum = u + v, less = u - v;
  const T at_u = circles.level[0], at_v = side * circles.level[1];
  const T both = dot(sum, less), sum2 = dot(sum, sum);
  const T of_less = ((at_u - at_v) - (at_u + at_v) / sum2 * both) / dot(less, less);
  const T of_sum = ((at_u + at_v) - of_less * both) / sum2;
  const Vec<T, 3> flat = of_sum * sum + of_less * less;
  const T rest = 1 - dot(flat, flat);
  if (!(rest >= 0)) return false;
  const Vec<T, 3> w = unit_of(cross(less, sum));
  reach = root(rest);
  n = unit_of(flat + (dot(n, w) < 0 ? -reach : reach) * w);
  return true;
}

/// How far a feature's point moves per radian.
template <class T>
T curvature_of(const ConvexShape<T>& shape, const SmoothFeature<T>& feature,
               const SmoothPoint<T>& at, const Vec<T, 3>& direction) {
  const Vec<T, 3> s = across_of(direction), t = cross(direction, s);
  return smooth_bend(shape, feature, at, direction, s, s) +
         smooth_bend(shape, feature, at, direction, t, t);
}

/// Whether a level rim's point moves farther than that of an ellipsoid opposite it, in some
/// direction at least. If not, steps about the rim's axis lead astray: beside a flat ellipsoid the
/// rim is nearly a point.
template <class T>
bool moves_more(const ShapePair<T>& pair, const LevelRim<T>& rim, const SmoothMeeting<T>& at) {
  const ConvexShape<T>& other = rim.is_a ? pair.b : pair.a;
  const SmoothFeature<T>& feature = rim.is_a ? at.b : at.a;
  if (feature.form != SmoothForm::surface) return true;
  const Vec<T, 3> n = rim.is_a ? -at.normal : at.normal;
  const SmoothPoint<T> point = smooth_point(other, feature, n);
  const Vec<T, 3> s = across_of(n), t = cross(n, s);
  const T of_s = smooth_bend(other, feature, point, n, s, s);
  const T of_t = smooth_bend(other, feature, point, n, t, t);
  const T both = smooth_bend(other, feature, point, n, s, t);
  const T middle = T(0.5) * (of_s + of_t), half = T(0.5) * (of_s - of_t);
  const T least = middle - root(half * half + both * both);
  return rim.sine * least <= rim.radius;
}

/// Moves the normal of two features to where their depth is least, by Newton steps. Along a curved
/// valley they lead up in between. About an edge of a flat ellipsoid the depth bends within the
/// ellipsoid's flatness, and they lead up for good: then steps that do are taken back and tried
/// shorter.
template <class T>
void find_least(const ShapePair<T>& pair, const NormalCircles<T>& circles, T size,
                SmoothMeeting<T>& at) {
  constexpr int kMostSteps = 24;
  constexpr T kMostStep = T(0.2);
  const T noise = 2 * kRounding<T> * size;
  const Vec<T, 3> start = at.normal;
  const auto step_from = [&](T most_step) {
    const LevelRim<T> rim(pair, at.a, at.b, at.normal);
    if (circles.count == 1) {
      return step_on_circle(pair, circles.axis[0], circles.level[0], circles.radius[0], rim, noise,
                            most_step, at);
    }
    return rim.is_found && moves_more(pair, rim, at)
               ? step_about_rim(pair, rim, noise, most_step, at)
               : step_on_sphere(pair, noise, most_step, at);
  };
  for (const bool is_guarded : {false, true}) {
    Vec<T, 3> best = start;
    at.normal = start;
    T least = kInfinite<T>, most_step = kMostStep, last = 0;
    for (int k = 0; k < kMostSteps; ++k) {
      NewtonStep<T> step = step_from(most_step);
      if (is_guarded && step.depth > least + 4 * noise) {
        most_step = T(0.125) * last;
        at.normal = best;
        step = step_from(most_step);
      } else {
        best = step.from;
        least = step.depth;
        most_step = lesser_of(4 * most_step, kMostStep);
      }
      last = step.length;
      const Vec<T, 3> moved = at.normal - step.from;
      if (!(dot(moved, moved) > 16 * kRounding<T> * kRounding<T>)) return;
    }
  }
}

/// How far along `step` (a line's half, or along a needle) a point that is opposite a rim or an
/// ellipsoid meets it. `from` is the point opposite, relative to that core's middle. The direction
/// alone leaves the place on a nearly level rim, or on a flat ellipsoid, open by `astray`.
template <class T>
T to_surface(const ConvexShape<T>& shape, const SmoothFeature<T>& feature,
             const Vec<T, 3>& direction, const Vec<T, 3>& from, const Vec<T, 3>& step, T astray,
             T rounding) {
  T by = 0;
  const T length = root(dot(step, step));
  if (!(length > 0)) return 0;
  if (feature.form == SmoothForm::rim) {
    // Where it crosses the rim, seen along the axis.
    const Vec<T, 3>& up = shape.turn.column[2];
    const Vec<T, 3> across = from - dot(from, up) * up;
    const T distance = root(dot(across, across)), slope = dot(across, step);
    if (!(magnitude(slope) > T(1e-3) * (distance * length))) return 0;
    by = (root(dot(shape.axis[0], shape.axis[0])) - distance) * distance / slope;
  } else if (feature.form == SmoothForm::surface) {
    // Where it touches the ellipsoid: where the quadratic form is least, unless it is inside of it
    // already.
    const T ball = shape.ellipsoid.ball * shape.ellipsoid.most;
    const Vec<T, 3> at = rotate_back(shape.turn, from + ball * direction);
    const Vec<T, 3> along = rotate_back(shape.turn, step);
    T slope = 0, square = 0, own = 0;
    for (int k = 0; k < 3; ++k) {
      const T half = shape.ellipsoid.share[k] * shape.ellipsoid.most;
      if (!(half > 0)) return 0;
      // As if it were longer by the rounding, below which a flat one has no surface.
      const T part = at[k] / (half + rounding), by_step = along[k] / (half + rounding);
      own += part * part;
      slope += part * by_step;
      square += by_step * by_step;
    }
    if (own <= 1) return 0;
    by = -slope / square;
  }
  return clamped(by, -astray / length, astray / length);
}

/// Along a needle's axis, in its tangent plane: there the direction leaves open where the point is.
/// Zero for ellipsoids that are not needles.
template <class T>
Vec<T, 3> along_needle(const ConvexShape<T>& shape, const Vec<T, 3>& normal) {
  constexpr T kMostShare = T(1) / 64;
  const auto& share = shape.ellipsoid.share;
  for (int k = 0; k < 3; ++k) {
    if (share[(k + 1) % 3] > kMostShare || share[(k + 2) % 3] > kMostShare) continue;
    const Vec<T, 3>& axis = shape.turn.column[k];
    return shape.ellipsoid.most * (axis - dot(axis, normal) * normal);
  }
  return {{0, 0, 0}};
}

/// Whether a point of an ellipsoid's supporting plane is the one on it, to `rounding`.
template <class T>
bool is_on_ellipsoid(const ConvexShape<T>& shape, const SmoothFeature<T>& feature,
                     const Vec<T, 3>& direction, const Vec<T, 3>& point, T rounding) {
  if (feature.form != SmoothForm::surface) return false;
  const EllipsoidCore<SingleNumbers<T>>& core = shape.ellipsoid;
  const Vec<T, 3> at = rotate_back(shape.turn, point + (core.ball * core.most) * direction);
  T square = 0, slope = 0, near = 0;
  for (int k = 0; k < 3; ++k) {
    const T half = core.share[k] * core.most;
    if (!(half > 0)) return false;
    const T part = at[k] / half, near_part = at[k] / (half + 64 * rounding);
    square += part * part;
    slope += (part / half) * (part / half);
    near += near_part * near_part;
  }
  // The slope says nothing where rounding is larger than a flat one's extent.
  return square - 1 <= 2 * rounding * root(slope) && near <= 1;
}

/// Moves the points of lines to where they are opposite the other core's, and puts them into the
/// witness. Answers whether they are opposite, to `rounding` and the normal's own.
template <class T>
bool put_opposite(const ShapePair<T>& pair, T rounding, SmoothMeeting<T>& at) {
  SmoothPoints<T> points(pair, at);
  put_rims_opposite(pair, rounding, at, points);
  const Vec<T, 3>&a = points.a.half, &b = points.b.half;
  const Vec<T, 3> gap = points.gap - at.depth * at.normal;
  // Others may be farther out there.
  if (!(magnitude(dot(gap, at.normal)) <= rounding)) return false;
  const T a2 = dot(a, a), b2 = dot(b, b);
  T on_a = 0, on_b = 0;
  if (a2 > 0 && b2 > 0) {
    const Vec<T, 3> w = cross(a, b);
    const T w2 = dot(w, w), least = 64 * kRounding<T>;
    if (w2 > (least * least) * (a2 * b2)) {
      on_a = clamped(dot(cross(b, gap), w) / w2, T(-1), T(1));
      on_b = clamped(dot(gap + on_a * a, b) / b2, T(-1), T(1));
      on_a = clamped(-dot(gap - on_b * b, a) / a2, T(-1), T(1));
    } else {
      // The middle of what they have in common.
      const T middle = -dot(gap, a) / a2, reach = root(b2 / a2);
      on_a = T(0.5) * (clamped(middle - reach, T(-1), T(1)) + clamped(middle + reach, T(-1), T(1)));
      on_b = clamped(dot(gap + on_a * a, b) / b2, T(-1), T(1));
    }
  } else if (a2 > 0) {
    on_a = clamped(-dot(gap, a) / a2, T(-1), T(1));
  } else if (b2 > 0) {
    on_b = clamped(dot(gap, b) / b2, T(-1), T(1));
  }
  const Vec<T, 3> beside = (gap + on_a * a) - on_b * b;
  // On flat ellipsoids a point moves far as the normal turns by its rounding. The other core's
  // point then says more.
  const T bend_a = curvature_of(pair.a, at.a, points.a, at.normal);
  const T bend_b = curvature_of(pair.b, at.b, points.b, -at.normal);
  const Vec<T, 3> out = at.depth * at.normal;
  const T astray = (16 * kRounding<T>)*(bend_a + bend_b);
  const bool is_a = bend_a <= bend_b;
  const ConvexShape<T>&own = is_a ? pair.a : pair.b, &other = is_a ? pair.b : pair.a;
  const SmoothFeature<T>&of_own = is_a ? at.a : at.b, &of_other = is_a ? at.b : at.a;
  const SmoothPoint<T>& point = is_a ? points.a : points.b;
  const Vec<T, 3> toward = is_a ? -at.normal : at.normal;
  const auto opposite = [&](const Vec<T, 3>& from) {
    return is_a ? (from - out) - pair.apart : (pair.apart + from) + out;
  };
  T& on_own = is_a ? on_a : on_b;
  Vec<T, 3> from = point.point + on_own * point.half;
  const auto by = [&](const Vec<T, 3>& step) {
    return to_surface(other, of_other, toward, opposite(from), step, astray, rounding);
  };
  if (dot(point.half, point.half) > 0) {
    on_own = clamped(on_own + by(point.half), T(-1), T(1));
    from = point.point + on_own * point.half;
  } else if (of_own.form == SmoothForm::surface) {
    const Vec<T, 3> step = along_needle(own, at.normal);
    from = from + by(step) * step;
  }
  const Vec<T, 3> on_other = opposite(from);
  at.witness.on_a = is_a ? from : on_other;
  at.witness.on_b = is_a ? on_other : from;
  // A point that could be anywhere says nothing.
  constexpr T kMostAstray = sizeof(T) == 4 ? T(0x1p12) : T(0x1p28);
  const T slack = astray <= kMostAstray * rounding ? rounding + astray : rounding;
  if (a2 > 0) at.to_end = (1 - magnitude(on_a)) * root(a2);
  if (b2 > 0) at.to_end = lesser_of(at.to_end, (1 - magnitude(on_b)) * root(b2));
  at.is_at_end = at.to_end <= rounding;
  if (root(dot(beside, beside)) <= slack) return true;
  return is_on_ellipsoid(other, of_other, toward, on_other, rounding);
}

/// Whether a feature that is level with a face, to `slack`, is a line or a face itself: then the
/// faces' own overlap says where they meet. A line's own ends must be level: from a sliver's level
/// edge other edges lead away, nearly along it.
template <class T>
bool is_level(const ConvexShape<T>& shape, const SmoothFeature<T>& feature,
              const Vec<T, 3>& direction, T slack) {
  if (feature.form == SmoothForm::face) return level_count(shape, direction, slack) > 2;
  if (feature.form != SmoothForm::line) return false;
  if (!has_vertices(shape.form)) return level_count(shape, direction, slack) >= 2;
  const T most = dot(direction, farthest(shape, direction).point);
  const auto is_behind = [&](int vertex) {
    return most - dot(direction, vertex_of(shape, vertex)) > slack;
  };
  return !is_behind(feature.number[0]) && !is_behind(feature.number[1]);
}

/// How far a point of a polygon's or a cap's plane lies inside its border.
template <class T>
T inside_of(const ConvexFace<T>& face, const Vec<T, 3>& point) {
  if (face.radius > 0) {
    const Vec<T, 3> from = point - face.middle;
    const Vec<T, 3> across = from - dot(from, face.normal) * face.normal;
    return face.radius - root(dot(across, across));
  }
  T least = kInfinite<T>;
  for (int c = 0; c < face.count; ++c) {
    const Vec<T, 3>& along = face.along[c];
    const T length = root(dot(along, along));
    if (!(length > 0)) continue;
    least = lesser_of(least, dot(cross(along, point - face.corner[c]), face.normal) / length);
  }
  return least;
}

/// Whether a line, given by its middle and half, passes over a face, to `rounding`, and where: in
/// halves from the middle.
template <class T>
bool passes_over(const ConvexFace<T>& face, const Vec<T, 3>& middle, const Vec<T, 3>& half,
                 T rounding, T& at) {
  if (face.radius > 0) {
    const Vec<T, 3> to = face.middle - middle;
    const T length2 = dot(half, half);
    at = length2 > 0 ? clamped(dot(to, half) / length2, T(-1), T(1)) : T(0);
    return inside_of(face, middle + at * half) >= -rounding;
  }
  T enter = -1, leave = 1;
  for (int c = 0; c < face.count; ++c) {
    const Vec<T, 3>& along = face.along[c];
    const T length = root(dot(along, along));
    if (!(length > 0)) continue;
    const T inside = dot(cross(along, middle - face.corner[c]), face.normal) / length + rounding;
    const T slope = dot(cross(along, half), face.normal) / length;
    if (slope > 0) enter = greater_of(enter, -inside / slope);
    if (slope < 0) leave = lesser_of(leave, inside / -slope);
    if (slope == 0 && inside < 0) return false;
  }
  at = T(0.5) * (enter + leave);
  return enter <= leave;
}

/// Whether the face of another core, moved by `apart`, lies over a face that is level with it, to
/// `rounding`. Of two caps, finds the middle of what they have in common.
template <class T>
bool lies_over(const ConvexFace<T>& face, const ConvexFace<T>& other, const Vec<T, 3>& apart,
               T rounding, Vec<T, 3>& middle) {
  if (!(other.radius > 0)) {
    return !(face.radius > 0) || inside_of(other, face.middle - apart) >= -face.radius - rounding;
  }
  const Vec<T, 3> center = other.middle + apart;
  if (!(face.radius > 0)) return inside_of(face, center) >= -other.radius - rounding;
  const Vec<T, 3> to = center - face.middle;
  const Vec<T, 3> across = to - dot(to, face.normal) * face.normal;
  const T distance = root(dot(across, across));
  const T low = greater_of(-face.radius, distance - other.radius);
  const T high = lesser_of(face.radius, distance + other.radius);
  middle = face.middle + (T(0.5) * (low + high)) * unit_of(across);
  return low - high <= rounding;
}

/// The meeting of a face, A's if `is_a`, with the other core. Answers whether they do.
template <class T>
bool meet_on_face(const ShapePair<T>& pair, bool is_a, T size, T rounding, SmoothMeeting<T>& at,
                  FacesRoom<T>& room) {
  ConvexFace<T>&face = is_a ? room.a : room.b, &opposite = is_a ? room.b : room.a;
  const ConvexShape<T>&own = is_a ? pair.a : pair.b, &other = is_a ? pair.b : pair.a;
  const SmoothFeature<T>& beside = is_a ? at.b : at.a;
  const T slack = flush_slack(size);
  Vec<T, 3> out = is_a ? at.normal : -at.normal;
  const bool is_disc = own.form == CoreForm::ellipsoid;
  if (is_disc) {
    out = (is_a ? at.a : at.b).axis;
  } else {
    find_face<T>(own, out, slack, is_a ? &at.witness.on_a : &at.witness.on_b, face);
    if (face.count < 3 || !(dot(face.normal, out) > 1 - T(1e-2))) return false;
    out = face.normal;
    for (int k = 0; has_vertices(own.form) && k < 3; ++k) {
      (is_a ? at.a : at.b).number[k] =
          static_cast<int>(face.corner_feature[k] - vertex_feature(T(0)));
    }
  }
  at.normal = is_a ? out : -out;
  at.depth = dot(at.normal, farthest(pair, at.normal).point);
  SmoothPoint<T> point = smooth_point(other, beside, -out);
  // From the other core's middle to the own one's.
  const Vec<T, 3> apart = is_a ? pair.apart : -pair.apart;
  Vec<T, 3> on_own = (point.point + apart) + at.depth * out;
  if (is_disc && beside.form == SmoothForm::line) {
    // A line along the disc: the middle of its stretch over it, in units of the half extents.
    const Vec<T, 3> from = rotate_back(own.turn, on_own), along = rotate_back(own.turn, point.half);
    T across = 0, length2 = 0;
    for (int k = 0; k < 3; ++k) {
      const T share = own.ellipsoid.share[k];
      if (share == 0) continue;
      across += (from[k] / share) * (along[k] / share);
      length2 += (along[k] / share) * (along[k] / share);
    }
    const T by = length2 > 0 ? clamped(-across / length2, T(-1), T(1)) : T(0);
    if (!is_level(other, beside, -out, slack)) return false;
    point.point = point.point + by * point.half;
    on_own = on_own + by * point.half;
  } else if (is_level(other, beside, -out, slack)) {
    at.to_end = 0;
    if (beside.form == SmoothForm::line) {
      T by = 0;
      if (!passes_over(face, on_own, point.half, rounding, by)) return false;
      point.point = point.point + by * point.half;
      on_own = on_own + by * point.half;
    } else {
      if (is_disc) return true;
      find_face<T>(other, -out, slack, is_a ? &at.witness.on_b : &at.witness.on_a, opposite);
      if (!lies_over(face, opposite, apart, rounding, on_own)) return false;
      if (!(face.radius > 0 && opposite.radius > 0)) return true;
      point.point = (on_own - apart) - at.depth * out;
    }
    at.witness.on_a = is_a ? on_own : point.point;
    at.witness.on_b = is_a ? point.point : on_own;
    return true;
  }
  if (!is_disc && (beside.form == SmoothForm::line || beside.form == SmoothForm::face)) {
    return false;
  }
  at.witness.on_a = is_a ? on_own : point.point;
  at.witness.on_b = is_a ? point.point : on_own;
  if (is_disc) {
    const Vec<T, 3> local = rotate_back(own.turn, on_own);
    T square = 0;
    for (int k = 0; k < 3; ++k) {
      const T share = own.ellipsoid.share[k], length = share * own.ellipsoid.most;
      if (share == 0 && !(magnitude(local[k]) <= rounding)) return false;
      // As if it were longer by the rounding.
      const T part = share == 0 ? T(0) : local[k] / (length + rounding);
      square += part * part;
    }
    at.to_end = 0;
    return square <= 1;
  }
  const T over = dot(on_own - (face.radius > 0 ? face.middle : face.corner[0]), out);
  const T inside = inside_of(face, on_own);
  at.to_end = greater_of(inside, T(0));
  return magnitude(over) <= rounding && inside >= -rounding;
}

/// Finds how two features that are no faces meet, from the normal in `at`. Answers whether they do,
/// and are no deeper than `most`.
template <class T>
bool meet_about(const ShapePair<T>& pair, const NormalCircles<T>& circles, T size, T rounding,
                T most, SmoothMeeting<T>& at) {
  if (circles.count == 2) {
    T reach;
    if (!take_crossing(circles, at.normal, reach)) return false;
    at.bend = size * (reach * reach);
  } else {
    find_least(pair, circles, size, at);
  }
  at.depth = dot(at.normal, farthest(pair, at.normal).point);
  return at.depth <= most && put_opposite(pair, rounding, at);
}

/// Finds how two features meet, from the normal and depth in `at`. Answers whether they do, and are
/// no deeper than the depth given, to `rounding`.
template <class T>
bool meet(const ShapePair<T>& pair, T size, T rounding, SmoothMeeting<T>& at, FacesRoom<T>& room) {
  const T most = at.depth + rounding;
  const bool is_face_a = at.a.form == SmoothForm::face, is_face_b = at.b.form == SmoothForm::face;
  if (is_face_a || is_face_b) {
    return meet_on_face(pair, is_face_a, size, rounding, at, room) && at.depth <= most;
  }
  if (meet_at_level_rims(pair, at)) return at.depth <= most;
  NormalCircles<T> circles;
  if (at.a.form == SmoothForm::line) circles.add(at.a, 1);
  if (at.b.form == SmoothForm::line) circles.add(at.b, -1);
  SmoothMeeting<T> other = at;
  const bool is_met = meet_about(pair, circles, size, rounding, most, at);
  // Around a flat cone the circle is small, and two circles may cross in two directions that are
  // close together. Where cores overlap, there may be a minimum on either side, and no polytope
  // tells them apart.
  if (!(circles.count > 0 && most > 0)) return is_met;
  constexpr T kMostApart = T(0.3);
  const Vec<T, 3> opposite = opposite_on(circles, at.normal), apart = opposite - at.normal;
  if (!(dot(apart, apart) <= kMostApart * kMostApart)) return is_met;
  other.normal = opposite;
  if (!meet_about(pair, circles, size, rounding, most, other)) return is_met;
  if (!is_met || other.depth < at.depth) at = other;
  return true;
}

/// The features that meet about a direction, the first ones or, if `is_every`, the ones that are
/// least deep among all, and less deep than `best` if there is one. Answers whether there are any.
template <class T>
bool find_meeting(const ShapePair<T>& pair, T size, T rounding, const Vec<T, 3>& normal, T depth,
                  const Witness<T>& witness, bool is_every, bool has_best, SmoothMeeting<T>& best,
                  FacesRoom<T>& room) {
  SmoothChoice<T> of_a, of_b;
  find_smooth_features(pair.a, normal, witness.a, witness.count, is_every, of_a);
  find_smooth_features(pair.b, -normal, witness.b, witness.count, is_every, of_b);
  bool is_found = false;
  for (int i = 0; i < of_a.count; ++i) {
    for (int j = 0; j < of_b.count; ++j) {
      SmoothMeeting<T> at{of_a.feature[i], of_b.feature[j], normal, depth, witness};
      if (!meet(pair, size, rounding, at, room)) continue;
      const bool is_lower = at.depth < best.depth - rounding;
      const bool is_vertex = best.is_at_end && !at.is_at_end && at.depth <= best.depth + rounding;
      if ((is_found || has_best) && !is_lower && !is_vertex) continue;
      is_found = true;
      best = at;
      if (!is_every && !at.is_at_end) return true;
    }
  }
  return is_found;
}

/// Moves a contact's normal, depth and witness to a meeting.
template <class T>
void take_meeting(const SmoothMeeting<T>& at, Vec<T, 3>& normal, T& depth, Witness<T>& witness) {
  normal = at.normal;
  depth = at.depth;
  witness.on_a = at.witness.on_a;
  witness.on_b = at.witness.on_b;
  witness.count = at.a.count > at.b.count ? at.a.count : at.b.count;
  for (int k = 0; k < 3; ++k) {
    witness.a[k] = at.a.number[k];
    witness.b[k] = at.b.number[k];
  }
}

/// Whether a meeting is so far from ends of lines and borders of faces that no other features may
/// meet there less deep.
template <class T>
bool is_sure(const SmoothMeeting<T>& at, T size) {
  return at.to_end > T(0.02) * size;
}

/// Moves a contact's normal, depth and witness to where features about them meet. Answers whether
/// there are any. `size` is the pair's, `rounding` that of its coordinates. The features that the
/// witness names come first, unless `is_every`. `reach` gets the angle within which the features
/// have no shorter exit.
template <class T>
__attribute__((noinline)) bool settle_smooth(const ShapePair<T>& pair, T size, T rounding,
                                             bool is_every, Vec<T, 3>& normal, T& depth,
                                             Witness<T>& witness, FacesRoom<T>& room,
                                             T* reach = nullptr) {
  SmoothMeeting<T> best{};
  const auto find = [&](bool all, bool has_best) {
    return find_meeting(pair, size, rounding, normal, depth, witness, all, has_best, best, room);
  };
  const bool is_near = !is_every && find(false, false);
  // Close to an end what meets the vertex there may be less deep.
  if (!(is_near && is_sure(best, size)) && !find(true, is_near) && !is_near) return false;
  if (reach != nullptr) {
    // Two minima that are close together have a low bend: the depth between them is of fourth
    // order, so they are farther apart than the root of it. Beyond a line's end, h = depth cos(t) +
    // to_end sin(t) at an angle t, which is above the depth up to t = 2 to_end / depth.
    *reach = T(0.5) * root(best.bend / size);
    if (best.depth > 0) *reach = lesser_of(*reach, best.to_end / best.depth);
  }
  take_meeting(best, normal, depth, witness);
  return true;
}

}  // namespace
}  // namespace widephase
