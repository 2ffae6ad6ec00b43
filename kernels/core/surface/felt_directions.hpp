#pragma once

// The directions along which a core on or below a surface may leave it. A direction is felt at a
// point of the surface if no other point nearby is in the way: at a face its normal, at a convex
// edge the arc between the two normals, at a convex vertex the cone of the normals around it. How
// far the core must move along a direction u from a feature's point x is max u . (x - p) over the
// core's points p.

#include "kernels/core/surface/ellipsoid_exits.hpp"
#include "kernels/core/surface/listed_triangles.hpp"

namespace widephase {
namespace {

struct WayOut {
  Vector direction;  ///< unit
  double depth;
  CoreSupport lowest;
};

template <class T>
WayOut way_out_along(const ConvexShape<T>& core, const Vector& direction, const Vector& from) {
  const CoreSupport lowest = support_of(core, -direction);
  return {direction, dot(direction, from - lowest.point), lowest};
}

WIDEPHASE_INLINE Vector unit_or(const Vector& v, const Vector& otherwise) {
  const double size = root(dot(v, v));
  if (!(size > 0)) return otherwise;
  return {{v[0] / size, v[1] / size, v[2] / size}};
}

/// The least way out along the arc from `from` to `to`, shorter than half a turn, at a point `at`.
/// Each of the core's points p gives a bound u . (at - p). Between two directions the shortest way
/// out is at one of them, or not below the place where the bounds of their points meet: that one is
/// asked next. So a polytope's edge is found exactly.
template <class T>
__attribute__((noinline)) WayOut least_on_arc(const ConvexShape<T>& core, const Vector& from,
                                              const Vector& to, const Vector& at) {
  constexpr int kMostSteps = 64;
  struct Piece {
    Vector from, to, from_point, to_point;
  };
  const Vector toward = unit_or(to - scaled(from, dot(from, to)), {{0, 0, 0}});
  const Vector pole = cross(from, toward);
  const double rounding = 4 * double(kRounding<T>) * (double(core.reach) + root(dot(at, at)));
  WayOut least = way_out_along(core, from, at);
  const WayOut last = way_out_along(core, to, at);
  Piece pieces[kMostSteps + 1];
  int count = 0;
  pieces[count++] = {from, to, least.lowest.point, last.lowest.point};
  if (last.depth < least.depth) least = last;
  for (int step = 0; step < kMostSteps && count > 0; ++step) {
    const Piece piece = pieces[--count];
    const Vector apart = piece.from_point - piece.to_point;
    const Vector across = scaled(from, dot(toward, apart)) - scaled(toward, dot(from, apart));
    Vector u = unit_or(across, {{0, 0, 0}});
    if (dot(u, piece.from + piece.to) < 0) u = -u;
    if (!(dot(cross(piece.from, u), pole) > 0 && dot(cross(u, piece.to), pole) > 0)) continue;
    if (!(dot(u, at - piece.from_point) < least.depth - rounding)) continue;
    const WayOut here = way_out_along(core, u, at);
    if (here.depth < least.depth) least = here;
    pieces[count++] = {piece.from, u, piece.from_point, here.lowest.point};
    pieces[count++] = {u, piece.to, here.lowest.point, piece.to_point};
  }
  return least;
}

/// Calls `op(u)` for the directions u along which a point, seen from the core's middle, leaves the
/// core by the nearest of its faces or sides, as far as the point is over them. -u is their outward
/// normal.
template <class T, class Op>
void for_each_exit(const ConvexShape<T>& core, const Vector& point, const Op& op) {
  const Vec<T, 3> own = rotate_back(core.turn, narrowed<T>(point));
  const auto out = [&](const Vec<T, 3>& local) { op(-unit_of(widened(rotate(core.turn, local)))); };
  T half[3];
  for (int k = 0; k < 3; ++k)
    half[k] = core.form == CoreForm::hull ? T(0) : root(dot(core.axis[k], core.axis[k]));
  const T across = root(own[0] * own[0] + own[1] * own[1]);
  switch (core.form) {
    case CoreForm::point:
    case CoreForm::segment:
      return;
    case CoreForm::box:
      for (int k = 0; k < 3; ++k) {
        const int u = (k + 1) % 3, v = (k + 2) % 3;
        if (!(magnitude(own[u]) <= half[u] && magnitude(own[v]) <= half[v])) continue;
        for (const T sign : {T(1), T(-1)}) {
          Vec<T, 3> local{{0, 0, 0}};
          local[k] = sign;
          out(local);
        }
      }
      return;
    case CoreForm::hull: {
      const HullView<T> hull = core.hull();
      for (int face = 0; face < hull.face_count; ++face) {
        if (inside_of_face(hull, face, own) >= 0) out(hull.face_normal(face));
      }
      return;
    }
    case CoreForm::cylinder:
      if (across <= half[0]) {
        out({{0, 0, 1}});
        out({{0, 0, -1}});
      }
      if (across > 0 && magnitude(own[2]) <= half[2]) out({{own[0] / across, own[1] / across, 0}});
      return;
    case CoreForm::cone:
      if (across <= half[0]) out({{0, 0, -1}});
      if (across > 0) {
        // Beside the side's line, from the rim to the apex.
        const T height = 2 * half[2];
        const T along = (half[0] - across) * half[0] + (own[2] + half[2]) * height;
        if (!(along >= 0 && along <= half[0] * half[0] + height * height)) return;
        out({{own[0] / across * height, own[1] / across * height, half[0]}});
      }
      return;
    case CoreForm::ellipsoid:
      for_each_ellipsoid_exit(Vector{{double(half[0]), double(half[1]), double(half[2])}},
                              widened(own),
                              [&](const Vector& local) { out(narrowed<T>(unit_of(local))); });
      return;
  }
}

}  // namespace
}  // namespace widephase
