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

/// A way out on an arc, the core's point that bounds it towards the arc's other places, and by how
/// much it grows per angle towards the arc's end.
struct ArcPlace {
  WayOut way;
  Vector point;
  double growth;
};

/// The least way out along the arc from `from` to `to`, shorter than half a turn, at a point `at`,
/// or at one of the least places if there are several. Each of the core's points p gives a bound
/// u . (at - p), and the last bounds of both sides meet at the next direction; a polytope's edge is
/// found exactly.
template <class T>
__attribute__((noinline)) WayOut least_on_arc(const ConvexShape<T>& core, const Vector& from,
                                              const Vector& to, const Vector& at) {
  constexpr int kMostSteps = 40, kPieces = 8;
  constexpr double kWide = 0.8;  // cosine of an arc that may have several least places
  const double turn = sizeof(T) == 4 ? 1e-5 : 1e-10;  // finds the vertex of several level ones
  const Vector toward = unit_or(to - scaled(from, dot(from, to)), {{0, 0, 0}});
  const double size = double(core.reach) + root(dot(at, at));
  const auto place = [&](const Vector& u, const WayOut& way, const Vector& point) {
    const Vector along = scaled(toward, dot(u, from)) - scaled(from, dot(u, toward));
    return ArcPlace{way, point, dot(along, at - point)};
  };
  const auto ask = [&](const Vector& u) {
    const WayOut way = way_out_along(core, u, at);
    return place(u, way, way.lowest.point);
  };
  const auto ask_end = [&](const Vector& u, const Vector& inside) {
    const Vector beside = u + scaled(inside, turn);
    return place(u, way_out_along(core, u, at), support_of(core, -beside).point);
  };
  ArcPlace before = ask_end(from, toward);
  WayOut least = before.way;
  const auto add = [&](const WayOut& way) {
    if (way.depth < least.depth) least = way;
  };
  const auto is_past = [&](const Vector& a, const Vector& b) {
    return dot(cross(a, b), cross(from, toward)) >= 0;
  };
  const auto search = [&](ArcPlace low, ArcPlace high) {
    for (int step = 0; step < kMostSteps; ++step) {
      const Vector apart = low.point - high.point;
      const double x = dot(toward, apart), y = -dot(from, apart);
      const Vector middle = unit_or(low.way.direction + high.way.direction, from);
      Vector u = unit_or(scaled(from, x) + scaled(toward, y), middle);
      if (dot(u, middle) < 0) u = -u;
      // Rounding, or a smooth core's new points, may leave the arc's rest: then its middle.
      const bool meet = is_past(low.way.direction, u) && is_past(u, high.way.direction);
      if (!meet) u = middle;
      const ArcPlace here = ask(u);
      add(here.way);
      const double bound = dot(u, at - low.point);
      if (meet && here.way.depth - bound <= 4 * double(kRounding<T>) * size) break;
      if (here.growth < 0 && here.way.depth <= low.way.depth) {
        low = here;
      } else {
        high = here;
      }
    }
  };
  const Vector back = unit_or(from - scaled(to, dot(from, to)), {{0, 0, 0}});
  const ArcPlace last = ask_end(to, back);
  add(last.way);
  const int pieces = dot(from, to) < kWide ? kPieces : 1;
  for (int k = 1; k <= pieces; ++k) {
    const double share = double(k) / pieces;
    const ArcPlace here =
        k == pieces ? last : ask(unit_or(scaled(from, 1 - share) + scaled(to, share), from));
    add(here.way);
    const bool dips = before.growth < 0 && (here.growth > 0 || here.way.depth >= before.way.depth);
    const bool rises = here.growth > 0 && before.way.depth >= here.way.depth;
    if (dips || rises) search(before, here);
    before = here;
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
