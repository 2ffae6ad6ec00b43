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

/// The direction on both circles that is nearest to `n`, and half the distance to the other one.
/// Answers whether they cross.
template <class T>
bool take_crossing(const NormalCircles<T>& circles, Vec<T, 3>& n, T& reach) {
  const Vec<T, 3>&u = circles.axis[0], &v = circles.axis[1];
  const Vec<T, 3> w = cross(u, v);
  const T k = dot(u, v), w2 = dot(w, w);
  const T at_u = circles.level[0], at_v = circles.level[1];
  const T of_u = (at_u - k * at_v) / w2, of_v = (at_v - k * at_u) / w2;
  const T rest = 1 - (at_u * of_u + at_v * of_v);
  if (!(rest >= 0)) return false;
  const T of_w = root(rest / w2);
  reach = root(rest);
  n = unit_of((of_u * u + of_v * v) + (dot(n, w) < 0 ? -of_w : of_w) * w);
  return true;
}

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

/// Takes a Newton step of at most `most_step` on a line's circle. Answers the depth where it
/// starts, and moves the normal there if it is off the circle (`from`). Slopes below `noise` are
/// rounding: along an arc of equal depths there is nowhere to go.
template <class T>
T step_on_circle(const ShapePair<T>& pair, const NormalCircles<T>& circles, T noise, T most_step,
                 SmoothMeeting<T>& at, Vec<T, 3>& from) {
  Vec<T, 3>& n = at.normal;
  const Vec<T, 3>& u = circles.axis[0];
  const T level = circles.level[0], radius = circles.radius[0];
  // Twice: what is left of a normal along the axis is mostly rounding.
  const Vec<T, 3> once = n - dot(n, u) * u;
  const Vec<T, 3> out = unit_of(once - dot(once, u) * u);
  from = n = unit_of(level * u + radius * out);
  const SmoothPoints<T> points(pair, at);
  const Vec<T, 3> along = cross(u, out), by = radius * along;
  const T slope = dot(by, points.gap);
  T bend = (smooth_bend(pair.a, at.a, points.a, n, by, by) +
            smooth_bend(pair.b, at.b, points.b, -n, by, by)) -
           radius * dot(out, points.gap);
  if (!(bend > 0)) bend = magnitude(bend);
  at.bend = bend / (radius * radius);
  T turn = bend > 0 && magnitude(slope) > noise ? -slope / bend : T(0);
  turn = clamped(turn, -most_step, most_step);
  n = unit_of(level * u + radius * unit_of(out + turn * along));
  return dot(from, points.gap);
}
/// The same on the sphere.
template <class T>
T step_on_sphere(const ShapePair<T>& pair, T noise, T most_step, SmoothMeeting<T>& at,
                 Vec<T, 3>& from) {
  Vec<T, 3>& n = at.normal;
  from = n;
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
  // Along each principal direction of the bend by its size, so that a step leads down where the
  // depth has no minimum too.
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
  n = unit_of(n + ((cosine * by_most - sine * by_least) * tangent[0] +
                   (sine * by_most + cosine * by_least) * tangent[1]));
  return height;
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
  const auto step_to = [&](T most_step, Vec<T, 3>& from) {
    return circles.count == 1 ? step_on_circle(pair, circles, noise, most_step, at, from)
                              : step_on_sphere(pair, noise, most_step, at, from);
  };
  for (const bool is_guarded : {false, true}) {
    Vec<T, 3> best = start, from;
    at.normal = start;
    T least = kInfinite<T>, most_step = kMostStep;
    for (int step = 0; step < kMostSteps; ++step) {
      const T depth = step_to(most_step, from);
      if (is_guarded && depth > least + 4 * noise) {
        const Vec<T, 3> back = from - best;
        most_step = T(0.125) * root(dot(back, back));
        at.normal = best;
        step_to(most_step, from);
      } else {
        best = from;
        least = depth;
        most_step = lesser_of(4 * most_step, kMostStep);
      }
      const Vec<T, 3> moved = at.normal - from;
      if (!(dot(moved, moved) > 16 * kRounding<T> * kRounding<T>)) return;
    }
  }
}

/// How far a feature's point moves per radian.
template <class T>
T curvature_of(const ConvexShape<T>& shape, const SmoothFeature<T>& feature,
               const SmoothPoint<T>& at, const Vec<T, 3>& direction) {
  const Vec<T, 3> s = across_of(direction), t = cross(direction, s);
  return smooth_bend(shape, feature, at, direction, s, s) +
         smooth_bend(shape, feature, at, direction, t, t);
}

/// Moves the points of lines to where they are opposite the other core's, and puts them into the
/// witness. Answers whether they are opposite, to `rounding` and the normal's own.
template <class T>
bool put_opposite(const ShapePair<T>& pair, T rounding, SmoothMeeting<T>& at) {
  const SmoothPoints<T> points(pair, at);
  const Vec<T, 3>&a = points.a.half, &b = points.b.half;
  const Vec<T, 3> gap = points.gap - at.depth * at.normal;
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
  if (bend_a <= bend_b) {
    at.witness.on_a = points.a.point + on_a * a;
    at.witness.on_b = (at.witness.on_a - out) - pair.apart;
  } else {
    at.witness.on_b = points.b.point + on_b * b;
    at.witness.on_a = (pair.apart + at.witness.on_b) + out;
  }
  // A point that could be anywhere says nothing.
  const T astray = (16 * kRounding<T>)*(bend_a + bend_b);
  constexpr T kMostAstray = sizeof(T) == 4 ? T(0x1p12) : T(0x1p28);
  const T slack = astray <= kMostAstray * rounding ? rounding + astray : rounding;
  if (a2 > 0) at.to_end = (1 - magnitude(on_a)) * root(a2);
  if (b2 > 0) at.to_end = lesser_of(at.to_end, (1 - magnitude(on_b)) * root(b2));
  at.is_at_end = at.to_end <= rounding;
  return root(dot(beside, beside)) <= slack;
}

/// Whether a feature that is level with a face, to `slack`, is a line or a face itself: then the
/// faces' own overlap says where they meet.
template <class T>
bool is_level(const ConvexShape<T>& shape, const SmoothFeature<T>& feature,
              const Vec<T, 3>& direction, T slack) {
  if (feature.form == SmoothForm::face) return level_count(shape, direction, slack) > 2;
  return feature.form == SmoothForm::line && level_count(shape, direction, slack) >= 2;
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

/// The meeting of a face, A's if `is_a`, with the other core. Answers whether they do.
template <class T>
bool meet_on_face(const ShapePair<T>& pair, bool is_a, T size, T rounding, SmoothMeeting<T>& at,
                  ConvexFace<T>& face) {
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
    if (level_count(other, -out, slack) < 2) return false;
    point.point = point.point + by * point.half;
    on_own = on_own + by * point.half;
  } else if (is_level(other, beside, -out, slack)) {
    at.to_end = 0;
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

/// Finds how two features meet, from the normal and depth in `at`. Answers whether they do, and are
/// no deeper than the depth given, to `rounding`.
template <class T>
bool meet(const ShapePair<T>& pair, T size, T rounding, SmoothMeeting<T>& at, FacesRoom<T>& room) {
  const T most = at.depth + rounding;
  const bool is_face_a = at.a.form == SmoothForm::face, is_face_b = at.b.form == SmoothForm::face;
  if (is_face_a || is_face_b) {
    return meet_on_face(pair, is_face_a, size, rounding, at, is_face_a ? room.a : room.b) &&
           at.depth <= most;
  }
  NormalCircles<T> circles;
  if (at.a.form == SmoothForm::line) circles.add(at.a, 1);
  if (at.b.form == SmoothForm::line) circles.add(at.b, -1);
  if (circles.count == 2) {
    T reach;
    if (!take_crossing(circles, at.normal, reach)) return false;
    at.bend = size * (reach * reach);
  } else {
    find_least(pair, circles, size, at);
  }
  at.depth = dot(at.normal, farthest(pair, at.normal).point);
  if (!(at.depth <= most)) return false;
  return put_opposite(pair, rounding, at);
}

/// The features that meet about a direction, the first ones or, if `is_every`, the ones that are
/// least deep among all. Answers whether there are any.
template <class T>
bool find_meeting(const ShapePair<T>& pair, T size, T rounding, const Vec<T, 3>& normal, T depth,
                  const Witness<T>& witness, bool is_every, SmoothMeeting<T>& best,
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
      if (is_found && !is_lower && !is_vertex) continue;
      is_found = true;
      best = at;
      if (!is_every && !at.is_at_end) return true;
    }
  }
  return is_found;
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
  const auto find = [&](bool all) {
    return find_meeting(pair, size, rounding, normal, depth, witness, all, best, room);
  };
  const bool is_near = !is_every && find(false);
  if ((!is_near || best.is_at_end) && !find(true) && !is_near) return false;
  if (reach != nullptr) {
    // Two minima that are close together have a low bend: the depth between them is of fourth
    // order, so they are farther apart than the root of it. Beyond a line's end, h = depth cos(t) +
    // to_end sin(t) at an angle t, which is above the depth up to t = 2 to_end / depth.
    *reach = T(0.5) * root(best.bend / size);
    if (best.depth > 0) *reach = lesser_of(*reach, best.to_end / best.depth);
  }
  normal = best.normal;
  depth = best.depth;
  witness.on_a = best.witness.on_a;
  witness.on_b = best.witness.on_b;
  witness.count = best.a.count > best.b.count ? best.a.count : best.b.count;
  for (int k = 0; k < 3; ++k) {
    witness.a[k] = best.a.number[k];
    witness.b[k] = best.b.number[k];
  }
  return true;
}

/// Whether the exit has a tie: turned about an axis that a core is round about, or mirrored in a
/// plane of a core's axes, it is equally short.
template <class T>
bool has_smooth_tie(const ShapePair<T>& pair, const Vec<T, 3>& n, T depth, T rounding) {
  constexpr T kTurn = T(0.05);
  const auto is_tie = [&](const Vec<T, 3>& other) {
    const Vec<T, 3> turn = other - n;
    return dot(turn, turn) >= kTurn * kTurn / 2 &&
           dot(other, farthest(pair, other).point) <= depth + rounding;
  };
  for (const ConvexShape<T>* shape : {&pair.a, &pair.b}) {
    if (has_vertices(shape->form)) continue;
    for (int k = 0; k < 3; ++k) {
      const Vec<T, 3>& u = shape->turn.column[k];
      if (is_tie(n - (2 * dot(n, u)) * u)) return true;
      const bool is_round =
          shape->form == CoreForm::ellipsoid
              ? shape->ellipsoid.share[(k + 1) % 3] == shape->ellipsoid.share[(k + 2) % 3]
              : k == 2;
      if (!is_round) continue;
      const Vec<T, 3> round = cross(u, n);
      for (const T turn : {-kTurn, kTurn}) {
        if (is_tie(unit_of(n + turn * round))) return true;
      }
    }
  }
  return is_tie(-n);
}

}  // namespace
}  // namespace widephase
