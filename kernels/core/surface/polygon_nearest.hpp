#pragma once

// The nearest points of a convex core and a few points' hull (a triangle, or a triangle with what
// is under it), one pair at a time: GJK. All in double, but for the core's support points.
// Sources: Gilbert, Johnson, Keerthi 1988; Ericson, Real-Time Collision Detection, 5.1.

#include "kernels/core/support/convex_shape.hpp"

namespace widephase {
namespace {

using Vector = Vec<double, 3>;

WIDEPHASE_INLINE Vector scaled(const Vector& v, double by) {
  return {{v[0] * by, v[1] * by, v[2] * by}};
}
template <class T>
WIDEPHASE_INLINE Vector widened(const Vec<T, 3>& v) {
  return {{double(v[0]), double(v[1]), double(v[2])}};
}
template <class T>
WIDEPHASE_INLINE Vec<T, 3> narrowed(const Vector& v) {
  return {{static_cast<T>(v[0]), static_cast<T>(v[1]), static_cast<T>(v[2])}};
}

struct CoreSupport {
  Vector point;  ///< relative to the core's middle
  int number;
};

/// A box's corner by its sides, each 0 or 1, without a branch: they are as good as random.
template <class T>
WIDEPHASE_INLINE CoreSupport box_corner(const ConvexShape<T>& box, const int (&up)[3]) {
  const Vec<T, 3> sides[3][2] = {
      {-box.axis[0], box.axis[0]}, {-box.axis[1], box.axis[1]}, {-box.axis[2], box.axis[2]}};
  return {widened((sides[0][up[0]] + sides[1][up[1]]) + sides[2][up[2]]),
          up[0] + 2 * up[1] + 4 * up[2]};
}

/// The core's farthest point along a direction of any length above 0.
template <class T>
WIDEPHASE_INLINE CoreSupport support_of(const ConvexShape<T>& shape, const Vector& direction) {
  double most = magnitude(direction[0]);
  for (int k = 1; k < 3; ++k) {
    most = magnitude(direction[k]) > most ? magnitude(direction[k]) : most;
  }
  // Directions are squared in T: none may overflow or vanish.
  const Vector even = most > 0 ? scaled(direction, 1 / most) : direction;
  if (shape.form == CoreForm::box) {
    const Vec<T, 3> along = narrowed<T>(even);
    int up[3];
    for (int k = 0; k < 3; ++k) up[k] = dot(shape.axis[k], along) > 0;
    return box_corner(shape, up);
  }
  const ShapePoint<T> found = farthest(shape, narrowed<T>(even));
  return {widened(found.point), found.number};
}

/// A vertex of the difference: a core's point less one of the others.
struct DifferencePoint {
  Vector point;
  Vector of_core;
  int core_number;
  int other;  ///< which of the others
};

WIDEPHASE_INLINE bool is_same_point(const Vector& a, const Vector& b) {
  return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

struct NearestPair {
  double distance;  ///< 0 if they overlap or touch to rounding
  Vector on_core, on_other;
  int count;
  DifferencePoint vertex[4];
  double share[4];  ///< of the nearest point, above 0
};

namespace nearest {

WIDEPHASE_INLINE void keep(NearestPair& s, const int (&index)[3], const double (&share)[3],
                           int count) {
  DifferencePoint kept[3];
  double shares[3];
  int n = 0;
  for (int k = 0; k < count; ++k) {
    if (!(share[k] > 0)) continue;
    kept[n] = s.vertex[index[k]];
    shares[n++] = share[k];
  }
  for (int k = 0; k < n; ++k) {
    s.vertex[k] = kept[k];
    s.share[k] = shares[k];
  }
  s.count = n;
}

struct OnFace {
  double share[3];
  double distance2;
};

/// The point of a triangle, edge or vertex nearest to the origin.
inline OnFace on_edge(const Vector& a, const Vector& b) {
  const Vector along = b - a;
  const double length2 = dot(along, along), at = -dot(a, along);
  double t = length2 > 0 ? at / length2 : 0;
  t = t > 0 ? (t < 1 ? t : 1) : 0;
  const Vector p = a + scaled(along, t);
  return {{1 - t, t, 0}, dot(p, p)};
}
inline OnFace on_triangle(const Vector& a, const Vector& b, const Vector& c) {
  const Vector ab = b - a, ac = c - a;
  const Vector normal = cross(ab, ac);
  const double area2 = dot(normal, normal);
  if (area2 > 0) {
    // Shares by areas; inside if all are above 0.
    const double of_c = dot(cross(a, b), normal), of_a = dot(cross(b, c), normal);
    const double of_b = dot(cross(c, a), normal);
    if (of_a > 0 && of_b > 0 && of_c > 0) {
      const double sum = (of_a + of_b) + of_c, height = dot(a, normal);
      return {{of_a / sum, of_b / sum, of_c / sum}, height / area2 * height};
    }
  }
  OnFace best = on_edge(a, b);
  const OnFace second = on_edge(b, c), third = on_edge(c, a);
  if (second.distance2 < best.distance2) {
    best = {{0, second.share[0], second.share[1]}, second.distance2};
  }
  if (third.distance2 < best.distance2) {
    best = {{third.share[1], 0, third.share[0]}, third.distance2};
  }
  return best;
}

/// Reduces the simplex to the part that has the point nearest to the origin. Returns false if the
/// origin is inside.
inline bool reduce(NearestPair& s) {
  const Vector a = s.vertex[0].point;
  if (s.count == 1) {
    s.share[0] = 1;
    return true;
  }
  if (s.count == 2) {
    keep(s, {0, 1, 0}, on_edge(a, s.vertex[1].point).share, 2);
    return true;
  }
  if (s.count == 3) {
    keep(s, {0, 1, 2}, on_triangle(a, s.vertex[1].point, s.vertex[2].point).share, 3);
    return true;
  }
  constexpr int kFaces[4][4] = {{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}};
  int best = -1;
  OnFace at{};
  for (int f = 0; f < 4; ++f) {
    const Vector &p = s.vertex[kFaces[f][0]].point, &q = s.vertex[kFaces[f][1]].point;
    const Vector &r = s.vertex[kFaces[f][2]].point, &other = s.vertex[kFaces[f][3]].point;
    const Vector normal = cross(q - p, r - p);
    const Vector to_other = other - p;
    const double of_other = dot(normal, to_other), of_origin = -dot(normal, p);
    // Rounding would decide all four sides of a flat one.
    const double size = root(dot(normal, normal)) * root(dot(to_other, to_other));
    const bool is_flat = !(magnitude(of_other) > 1e-12 * size);
    // The other vertex's share is their quotient, and at most 1 inside; more is rounding's.
    const bool is_inside = of_other > 0 ? of_origin > 0 && of_origin <= of_other
                                        : of_origin < 0 && of_origin >= of_other;
    if (is_inside && !is_flat) continue;
    const OnFace here = on_triangle(p, q, r);
    if (best >= 0 && !(here.distance2 < at.distance2)) continue;
    best = f;
    at = here;
  }
  if (best < 0) return false;
  keep(s, {kFaces[best][0], kFaces[best][1], kFaces[best][2]}, at.share, 3);
  return true;
}

}  // namespace nearest

/// `start` leads from the others to the core, or is any direction. Beyond `most` (a distance) the
/// search may end early. Points apart by no more than `touching` touch.
template <class T>
__attribute__((noinline)) NearestPair nearest_of(const ConvexShape<T>& shape, const Vector* others,
                                                 int count, const Vector& start, double touching,
                                                 double most) {
  constexpr int kMostSteps = 96;
  const auto add = [&](const Vector& toward, NearestPair& s) {
    const CoreSupport of_core = support_of(shape, -toward);
    int best = 0;
    double highest = dot(others[0], toward);
    for (int k = 1; k < count; ++k) {
      const double height = dot(others[k], toward);
      if (!(height > highest)) continue;
      highest = height;
      best = k;
    }
    s.vertex[s.count++] = {of_core.point - others[best], of_core.point, of_core.number, best};
  };
  NearestPair s;
  s.count = 0;
  Vector v = dot(start, start) > 0 ? start : Vector{{0, 0, 1}};
  add(v, s);
  nearest::reduce(s);
  v = s.vertex[0].point;
  double square = dot(v, v);
  bool is_overlap = !(square > touching * touching);
  DifferencePoint before[3];
  double before_share[3];
  for (int step = 0; step < kMostSteps && !is_overlap; ++step) {
    const int count_before = s.count;
    add(v, s);
    const DifferencePoint& w = s.vertex[s.count - 1];
    const double height = dot(v, w.point);
    // The cores are at least height / |v| apart.
    bool is_end =
        square - height <= 1e-12 * square + double(kRounding<T>) * (touching * root(square));
    is_end |= height > 0 && height * height > most * most * square;
    for (int k = 0; k < count_before; ++k) is_end |= is_same_point(s.vertex[k].point, w.point);
    if (is_end) {
      s.count = count_before;
      break;
    }
    for (int k = 0; k < count_before; ++k) {
      before[k] = s.vertex[k];
      before_share[k] = s.share[k];
    }
    if (!nearest::reduce(s)) {
      is_overlap = true;
      s.count = count_before;
      break;
    }
    Vector to = {{0, 0, 0}};
    for (int k = 0; k < s.count; ++k) to = to + scaled(s.vertex[k].point, s.share[k]);
    const double less = dot(to, to);
    if (!(less < square)) {
      for (int k = 0; k < count_before; ++k) {
        s.vertex[k] = before[k];
        s.share[k] = before_share[k];
      }
      s.count = count_before;
      break;
    }
    v = to;
    square = less;
    is_overlap = !(square > touching * touching);
  }
  s.distance = is_overlap ? 0 : root(square);
  s.on_core = s.on_other = {{0, 0, 0}};
  for (int k = 0; k < s.count; ++k) {
    s.on_core = s.on_core + scaled(s.vertex[k].of_core, s.share[k]);
    s.on_other = s.on_other + scaled(others[s.vertex[k].other], s.share[k]);
  }
  return s;
}

}  // namespace
}  // namespace widephase
