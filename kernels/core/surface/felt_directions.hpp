#pragma once

// How far a core on or below a surface must move to leave it: along a direction u, from a feature's
// point x, max u . (x - p) over the core's points p. Which directions are felt at a feature is in
// felt_ways.hpp.

#include "kernels/core/surface/ellipsoid_exits.hpp"
#include "kernels/core/surface/listed_triangles.hpp"

namespace widephase {
namespace {

struct WayOut {
  Vector direction;  ///< unit
  double depth;
  CoreSupport lowest;
};

/// A way out at a feature of a triangle in the list.
struct FeatureWay {
  WayOut way;
  std::int32_t triangle;
  int feature;
  bool is_straight;  ///< the core's point is straight behind the vertex
  bool is_faces;     ///< it is no shorter than that of a face at the edge or vertex
  bool is_edges = false;   ///< a vertex's of a mesh, no shorter than that of an edge at it
  bool is_along = false;   ///< of the patch that is asked for its points
  double least_depth = 0;  ///< of what it is shorter than
};

/// `Core`: a `ConvexShape`, or what else has support points.
template <class Core>
WayOut way_out_along(const Core& core, const Vector& direction, const Vector& from) {
  const CoreSupport lowest = support_of(core, -direction);
  return {direction, dot(direction, from - lowest.point), lowest};
}

WIDEPHASE_INLINE Vector unit_or(const Vector& v, const Vector& otherwise) {
  const double size = root(dot(v, v));
  if (!(size > 0)) return otherwise;
  return {{v[0] / size, v[1] / size, v[2] / size}};
}

/// A direction of an arc, its way out, and the core's point that bounds ways out towards the arc's
/// other directions.
struct ArcPlace {
  WayOut way;
  Vector point;
};

/// Whether one direction goes before another that is as short: the first of the core's axes along
/// which they differ decides, so triangles and the field's axes do not.
template <class T>
bool goes_before(const ConvexShape<T>& core, const Vector& a, const Vector& b) {
  for (const Vec<T, 3>& column : core.turn.column) {
    const Vector axis = widened(column);
    const double ahead = dot(axis, a - b);
    if (ahead * ahead > 1e-12 * dot(axis, axis)) return ahead > 0;
  }
  return false;
}

/// The way out of a box along a unit direction, if its lowest point is the same along all others
/// that are no more than `turn` away. Answers false if that is not clear at once.
template <class T>
bool box_way_out(const ConvexShape<T>& core, const Vector& direction, const Vector& from,
                 double turn, WayOut& way) {
  if (core.form != CoreForm::box) return false;
  const double least2 = 16 * turn * turn;
  bool is_clear = true;
  int up[3];
  for (int k = 0; k < 3; ++k) {
    const Vector axis = widened(core.axis[k]);
    const double along = dot(axis, direction);
    is_clear &= along * along > least2 * dot(axis, axis);
    up[k] = along < 0 ? 1 : 0;
  }
  if (!is_clear) return false;
  way.direction = direction;
  way.lowest = box_corner(core, up);
  way.depth = dot(direction, from - way.lowest.point);
  return true;
}

/// The least way out of all directions from `from` to `to`, less than half a turn apart, at a point
/// `at`. Each of the core's points p gives a bound u . (at - p), a wave that is concave where it is
/// above 0, so between two directions the larger one of their bounds is least at an end or where
/// they meet. There the next direction is asked, unless the bound shows that nothing is shorter; a
/// polytope's edge is found exactly. Of directions that are equally short `goes_before` chooses.
/// Where the bound shows that nothing is shorter than `most` none is sought.
template <class Core>
__attribute__((noinline)) WayOut least_on_arc(const Core& core, const Vector& from,
                                              const Vector& to, const Vector& at, double most) {
  using T = decltype(Core::reach);
  constexpr int kMostSteps = 64, kMostOpen = 32;
  const double turn = sizeof(T) == 4 ? 1e-5 : 1e-10;  // finds the vertex of several level ones
  const double rounding = 4 * double(kRounding<T>) * (double(core.reach) + root(dot(at, at)));
  const auto across = [](const Vector& u, const Vector& other) {
    return unit_or(other - scaled(u, dot(u, other)), {{0, 0, 0}});
  };
  const auto ask_end = [&](const Vector& u, const Vector& other) {
    ArcPlace place;
    if (box_way_out(core, u, at, turn, place.way)) {
      place.point = place.way.lowest.point;
      return place;
    }
    const WayOut way = way_out_along(core, u, at);
    const Vector beside = u + scaled(across(u, other), turn);
    return ArcPlace{way, support_of(core, -beside).point};
  };
  ArcPlace open[kMostOpen];  // the ends of parts that are not done, the nearest to `from` last
  open[0] = ask_end(to, from);
  ArcPlace low = ask_end(from, to);
  WayOut least = low.way;
  const auto add = [&](const WayOut& way) {
    const double longer = way.depth - least.depth;
    if (longer > rounding) return;
    if (longer < -rounding || goes_before(core, way.direction, least.direction)) least = way;
  };
  add(open[0].way);
  if (is_same_point(low.point, open[0].point)) return least;
  const Vector toward = across(from, to);
  int open_count = 1;
  for (int step = 0; step < kMostSteps && open_count > 0;) {
    const ArcPlace& high = open[open_count - 1];
    // Both bounds are equal across what leads from one point to the other.
    const Vector apart = low.point - high.point;
    Vector u = scaled(from, dot(toward, apart)) - scaled(toward, dot(from, apart));
    const double length = root(dot(u, u));
    const Vector middle = low.way.direction + high.way.direction;
    if (length > 0) u = scaled(u, (dot(u, middle) < 0 ? -1 : 1) / length);
    const double bound = dot(u, at - low.point);
    const bool meet = length > 0 && dot(cross(low.way.direction, u), cross(from, to)) >= 0 &&
                      dot(cross(u, high.way.direction), cross(from, to)) >= 0;
    if (meet && bound <= least.depth + rounding && bound <= most + rounding &&
        open_count < kMostOpen) {
      ++step;
      const WayOut way = way_out_along(core, u, at);
      add(way);
      if (way.depth - bound > rounding) {
        open[open_count++] = {way, way.lowest.point};
        continue;
      }
    }
    low = open[--open_count];
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
