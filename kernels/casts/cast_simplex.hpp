#pragma once

// The point nearest to the origin of up to four points in double. All edges, triangles and the
// inside are tried: in a cast the newest point need not be in the nearest feature, because the
// origin has moved since the others were found.

#include "kernels/casts/cast_core.hpp"

namespace widephase {
namespace {

/// The least squared sine of a triangle's angle that has a plane: below it its edges answer.
inline constexpr double kFlatTriangle = 1e-24;
/// Squared distances count as equal up to this share, which is what rounding makes of a sliver's.
inline constexpr double kEqualSquares = 1e-8;

struct SimplexPoint {
  Vector at{{0, 0, 0}};
  double square = __builtin_inf();
  int count = 0;
  int from[3] = {0, 0, 0};      ///< the points that it lies between, ascending
  double share[3] = {0, 0, 0};  ///< of each, above 0
  bool is_inside = false;       ///< of four points: no distance
};

class CastSimplex {
 public:
  Vector point[4];
  int count = 0;
  double rounding = 0;  ///< distances count as equal up to this too

  SimplexPoint nearest() const {
    SimplexPoint best;
    for (int i = 0; i < count; ++i) {
      take(best, point[i], 1, i, 0, 0, 1, 0, 0);
    }
    for (int i = 0; i < count; ++i) {
      for (int j = i + 1; j < count; ++j) try_edge(best, i, j);
    }
    for (int i = 0; i < count; ++i) {
      for (int j = i + 1; j < count; ++j) {
        for (int k = j + 1; k < count; ++k) try_triangle(best, i, j, k);
      }
    }
    if (count == 4 && has_origin()) best.is_inside = true;
    if (best.count == 2) square_up(best);
    return best;
  }

 private:
  /// Near an edge the point is a difference of nearly equal ones: takes away what rounding has left
  /// of it along the edge, so that the plane across it holds the whole edge.
  void square_up(SimplexPoint& best) const {
    const Vector along = point[best.from[1]] - point[best.from[0]];
    const Vector at = best.at - scaled(along, dot(best.at, along) / dot(along, along));
    const double square = dot(at, at);
    if (!(square > 0)) return;
    best.at = at;
    best.square = square;
  }
  /// How far, times the distance, a point lies nearer along `at` than the plane across it.
  double before(const Vector& at) const {
    double most = 0;
    for (int i = 0; i < count; ++i) {
      const double by = dot(at, at - point[i]);
      most = by > most ? by : most;
    }
    return most;
  }
  /// Next to where two features meet their squares are equal to rounding, and the wrong one's point
  /// leads off by the root of that: a cast would stand still before its end. Then the one is taken
  /// that has the other points behind it.
  void take(SimplexPoint& best, const Vector& at, int count, int i, int j, int k, double a,
            double b, double c) const {
    const double square = dot(at, at);
    if (best.count > 0) {
      const double more = square - best.square;
      const bool is_level = magnitude(more) <= kEqualSquares * best.square ||
                            more * more <= 4 * rounding * rounding * best.square;
      if (is_level ? !(before(at) < before(best.at)) : !(more < 0)) return;
    }
    best.at = at;
    best.square = square;
    best.count = count;
    best.from[0] = i;
    best.from[1] = j;
    best.from[2] = k;
    best.share[0] = a;
    best.share[1] = b;
    best.share[2] = c;
  }
  void try_edge(SimplexPoint& best, int i, int j) const {
    const Vector along = point[j] - point[i];
    const double square = dot(along, along), part = -dot(point[i], along);
    if (!(part > 0) || !(part < square)) return;
    const double t = part / square;
    take(best, point[i] + scaled(along, t), 2, i, j, 0, 1 - t, t, 0);
  }
  void try_triangle(SimplexPoint& best, int i, int j, int k) const {
    const Vector &a = point[i], &b = point[j], &c = point[k];
    // Seen from the point nearest to the origin: from a far one a sliver's plane is off by its
    // length times the rounding of its normal, and slivers at rims are compared wrongly.
    const double of[3] = {dot(a, a), dot(b, b), dot(c, c)};
    const int base = of[1] < of[0] ? (of[2] < of[1] ? 2 : 1) : (of[2] < of[0] ? 2 : 0);
    const Vector& near = base == 0 ? a : base == 1 ? b : c;
    const Vector to_next = (base == 0 ? b : base == 1 ? c : a) - near;
    const Vector to_last = (base == 0 ? c : base == 1 ? a : b) - near;
    const Vector normal = cross(to_next, to_last);
    const double square = dot(normal, normal);
    if (!(square > kFlatTriangle * dot(to_next, to_next) * dot(to_last, to_last))) return;
    const double of_c = dot(cross(a, b), normal), of_a = dot(cross(b, c), normal);
    const double of_b = dot(cross(c, a), normal);
    if (!(of_a > 0) || !(of_b > 0) || !(of_c > 0)) return;
    const double sum = of_a + of_b + of_c;
    take(best, scaled(normal, dot(near, normal) / square), 3, i, j, k, of_a / sum, of_b / sum,
         of_c / sum);
  }
  bool has_origin() const {
    const Vector ab = point[1] - point[0], ac = point[2] - point[0], ad = point[3] - point[0];
    const Vector bc = cross(point[1], point[2]);
    const double whole = dot(cross(ab, ac), ad);
    const double flat = 1e-12 * root(dot(ab, ab) * dot(ac, ac) * dot(ad, ad));
    if (!(magnitude(whole) > flat)) return false;
    const Vector& d = point[3];
    const double of_d = -dot(bc, point[0]);  // signed volumes with the origin in a point's place
    const double of_a = dot(bc, d), of_b = -dot(cross(point[0], point[2]), d);
    const double of_c = dot(cross(point[0], point[1]), d);
    const bool is_up = of_a > 0 && of_b > 0 && of_c > 0 && of_d > 0;
    const bool is_down = of_a < 0 && of_b < 0 && of_c < 0 && of_d < 0;
    return is_up || is_down;
  }
};

}  // namespace
}  // namespace widephase
