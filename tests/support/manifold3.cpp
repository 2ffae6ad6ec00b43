#include "support/manifold3.hpp"

#include "reference/round_core.hpp"

namespace widephase::test {

Frame3 frame_of(const Solid<3>& solid) {
  const Vec<3> p = widened(solid.p);
  const Vec<3> q = widened(solid.q);
  if (solid.kind == Kind::box) return {p, axes_of(solid.orientation), q};
  return {times(plus(p, q), 0.5L), axes_of({0, 0, 0, 1}), times(minus(q, p), 0.5L)};
}

std::vector<int> sides_of_feature(Feature kind, int index) {
  if (kind == Feature::vertex && index < 8) {
    return {(index & 1) * 2 - 1, (index >> 1 & 1) * 2 - 1, (index >> 2 & 1) * 2 - 1};
  }
  std::vector<int> sides{0, 0, 0};
  if (kind == Feature::face && index < 6) {
    sides[static_cast<std::size_t>(index / 2)] = index % 2 * 2 - 1;
    return sides;
  }
  if (kind != Feature::edge || index >= 12) return {};
  // The index is 4 times the axis plus the sides on the other two axes, the lower axis first.
  int bits = index % 4;
  for (int k = 0; k < 3; ++k) {
    if (k == index / 4) continue;
    sides[static_cast<std::size_t>(k)] = bits % 2 * 2 - 1;
    bits /= 2;
  }
  return sides;
}

std::string box_feature_problem(const Solid<3>& solid, Feature kind, int index,
                                const Vec<3>& core_point, Real tolerance) {
  const std::vector<int> sides = sides_of_feature(kind, index);
  if (sides.empty()) return "is no feature of a box";
  const Frame3 frame = frame_of(solid);
  const Vec<3> local = along_axes(frame.axes, minus(core_point, frame.center));
  Vec<3> off = local;
  for (int k = 0; k < 3; ++k) {
    const int side = sides[static_cast<std::size_t>(k)];
    off[k] -= side == 0 ? std::clamp(local[k], -frame.half[k], frame.half[k])
                        : static_cast<Real>(side) * frame.half[k];
  }
  return length(off) <= tolerance ? "" : "is another than the point's";
}

namespace {

double longest_in(const Flat& flat) {
  double longest = 0;
  for (const Point<2>& u : flat) {
    for (const Point<2>& v : flat) longest = std::max(longest, distance_between(u, v));
  }
  return longest;
}

}  // namespace

double width_of(const Flat& flat) {
  if (flat.size() < 3) return 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < flat.size(); ++i) {
    double highest = 0;
    for (const Point<2>& corner : flat) {
      highest = std::max(highest, height_over(flat[i], flat[(i + 1) % flat.size()], corner));
    }
    least = std::min(least, highest);
  }
  return least;
}

Point<2> centroid_of(const Flat& flat) {
  double area = 0, x = 0, y = 0;
  for (std::size_t i = 1; i + 1 < flat.size(); ++i) {
    const double u0 = flat[i][0] - flat[0][0], u1 = flat[i][1] - flat[0][1];
    const double v0 = flat[i + 1][0] - flat[0][0], v1 = flat[i + 1][1] - flat[0][1];
    const double part = u0 * v1 - u1 * v0;
    area += part;
    x += part * (u0 + v0) / 3;
    y += part * (u1 + v1) / 3;
  }
  return {flat[0][0] + x / area, flat[0][1] + y / area};
}

double inside_flat(const Flat& flat, const Point<2>& at) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < flat.size(); ++i) {
    least = std::min(least, height_over(flat[i], flat[(i + 1) % flat.size()], at));
  }
  return least;
}

std::array<Vec<3>, 2> across(const Vec<3>& n) {
  int least = 0;
  for (int k = 1; k < 3; ++k) least = std::abs(n[k]) < std::abs(n[least]) ? k : least;
  Vec<3> axis{};
  axis[least] = 1;
  const Vec<3> u = cross(n, axis);
  const Vec<3> unit = times(u, 1 / length(u));
  return {unit, cross(n, unit)};
}

namespace {

/// The part of a cylinder that is outermost along `n` to within `slack`, as seen along it: the
/// corners of a cap, the ends of a side line, or a point of a rim. A cap is an inscribed polygon.
Flat outermost_of_cylinder(const CylinderCore& cylinder, const Vec<3>& n,
                           const std::array<Vec<3>, 2>& tangents, Real slack) {
  constexpr int kCorners = 48;
  const Real along = dot(n, cylinder.axes[2]);
  const Vec<3> across = cylinder.across(n);
  const Real lean = length(across);
  std::vector<Vec<3>> reaches;
  if (2 * cylinder.radius <= slack) {
    reaches.push_back({});
  } else if (2 * cylinder.radius * lean > slack) {
    reaches.push_back(times(across, cylinder.radius / lean));
  } else {
    for (int i = 0; i < kCorners; ++i) {
      const Real angle = 2 * std::acos(Real{-1}) * static_cast<Real>(i) / kCorners;
      reaches.push_back(cylinder.turned(
          {cylinder.radius * std::cos(angle), cylinder.radius * std::sin(angle), 0}));
    }
  }
  Flat corners;
  for (const Real side : {-1, 1}) {
    const bool is_lower = side * along < 0 || (side < 0 && along == 0);
    const Real height = 2 * cylinder.half_height;
    if (is_lower && (height <= slack || height * std::abs(along) > slack)) continue;
    for (const Vec<3>& reach : reaches) {
      const Vec<3> point =
          plus(plus(cylinder.center, reach), cylinder.axes[2], side * cylinder.half_height);
      corners.push_back({static_cast<double>(dot(point, tangents[0])),
                         static_cast<double>(dot(point, tangents[1]))});
    }
  }
  const Flat hull = strictly_convex(corners);
  return hull.empty() ? Flat{corners[0]} : hull;
}

/// The same for a cone: the base, a line of the side, or the point of the rim or apex.
Flat outermost_of_cone(const CylinderCore& cone, const Vec<3>& n,
                       const std::array<Vec<3>, 2>& tangents, Real slack) {
  const Vec<3> up = times(cone.axes[2], cone.half_height);
  const Vec<3> apex = plus(cone.center, up), base = minus(cone.center, up);
  const Vec<3> across = cone.across(n);
  const Real lean = length(across);
  std::vector<Vec<3>> points{apex};
  if (2 * cone.radius <= slack) {
    points.push_back(base);
  } else if (2 * cone.radius * lean > slack) {
    points.push_back(plus(base, across, cone.radius / lean));
  } else {
    constexpr int kCorners = 48;
    for (int i = 0; i < kCorners; ++i) {
      const Real angle = 2 * std::acos(Real{-1}) * static_cast<Real>(i) / kCorners;
      points.push_back(plus(
          base, cone.turned({cone.radius * std::cos(angle), cone.radius * std::sin(angle), 0})));
    }
  }
  Real most = dot(points[0], n);
  for (const Vec<3>& point : points) most = std::max(most, dot(point, n));
  Flat corners;
  for (const Vec<3>& point : points) {
    if (dot(point, n) < most - slack) continue;
    corners.push_back({static_cast<double>(dot(point, tangents[0])),
                       static_cast<double>(dot(point, tangents[1]))});
  }
  const Flat hull = strictly_convex(corners);
  return hull.empty() ? Flat{corners[0]} : hull;
}

/// The corners that are outermost along `n` to within `slack`, as seen along it.
Flat outermost_corners(const Polytope& polytope, const Vec<3>& n,
                       const std::array<Vec<3>, 2>& tangents, Real slack) {
  const Real least = polytope.support(n) - slack;
  Flat corners;
  for (const Vec<3>& corner : polytope.corners) {
    if (dot(corner, n) < least) continue;
    corners.push_back({static_cast<double>(dot(corner, tangents[0])),
                       static_cast<double>(dot(corner, tangents[1]))});
  }
  const Flat hull = strictly_convex(corners);
  return hull.empty() ? Flat{corners[0]} : hull;
}

}  // namespace

Flat outermost_of(const Solid<3>& solid, const Vec<3>& origin, const Vec<3>& n,
                  const std::array<Vec<3>, 2>& tangents, Real slack) {
  if (solid.kind == Kind::ellipsoid) {
    const Vec<3> point = round_core(solid, origin).point(n);
    return {{static_cast<double>(dot(point, tangents[0])),
             static_cast<double>(dot(point, tangents[1]))}};
  }
  if (solid.kind == Kind::cone) {
    return outermost_of_cone(cylinder_of(solid, origin), n, tangents, slack);
  }
  if (!is_cylinder(solid)) {
    return outermost_corners(polytope_of(solid, origin), n, tangents, slack);
  }
  return outermost_of_cylinder(cylinder_of(solid, origin), n, tangents, slack);
}

Flat clipped(Flat flat, const Flat& by, double inset) {
  for (std::size_t i = 0; i < by.size(); ++i) {
    const auto height = [&](const Point<2>& point) {
      return height_over(by[i], by[(i + 1) % by.size()], point) - inset;
    };
    Flat kept;
    for (std::size_t j = 0; j < flat.size(); ++j) {
      const Point<2>& u = flat[j];
      const Point<2>& v = flat[(j + 1) % flat.size()];
      const double height_u = height(u);
      const double height_v = height(v);
      if (height_u >= 0) kept.push_back(u);
      if ((height_u < 0) == (height_v < 0)) continue;
      const double t = height_u / (height_u - height_v);
      kept.push_back({u[0] + t * (v[0] - u[0]), u[1] + t * (v[1] - u[1])});
    }
    flat = kept;
  }
  return flat;
}

namespace {

/// Removes corners that are nearer than `tolerance` to the previous one or to the line through
/// their neighbours.
Flat distinct_corners(Flat flat, double tolerance) {
  for (std::size_t i = 0; i < flat.size() && flat.size() >= 3;) {
    const Point<2>& before = flat[(i + flat.size() - 1) % flat.size()];
    const Point<2>& after = flat[(i + 1) % flat.size()];
    const bool is_needless = distance_between(before, flat[i]) <= tolerance ||
                             distance_between(before, after) <= tolerance ||
                             height_over(before, after, flat[i]) >= -tolerance;
    if (is_needless) flat.erase(flat.begin() + static_cast<std::ptrdiff_t>(i));
    i = is_needless ? 0 : i + 1;
  }
  return flat;
}

}  // namespace

namespace {

bool has_cap(const Solid<3>& solid) {
  return solid.kind == Kind::cylinder || solid.kind == Kind::cone;
}

}  // namespace

std::size_t facing_point_count(const Solid<3>& a, const Solid<3>& b, const Vec<3>& n, Real margin,
                               Real tolerance) {
  if (!(depth_along(a, b, n) > tolerance - margin)) return 1;
  // Less than the allowed difference of the corners' depths. Faces that lean more are not judged:
  // there the least depth may be along two edges, which share only one point.
  const Real slack = tolerance / 512;
  const Vec<3> origin = widened(a.p);
  const std::array<Vec<3>, 2> tangents = across(n);
  const Flat outer_a = outermost_of(a, origin, n, tangents, slack);
  const Flat outer_b =
      b.kind == Kind::halfspace ? outer_a : outermost_of(b, origin, times(n, -1), tangents, slack);
  // Corners count as one within 1e-4 of the smaller face.
  const double smaller = std::min(longest_in(outer_a), longest_in(outer_b));
  const double limit =
      std::max({static_cast<double>(tolerance),
                1e-6 * static_cast<double>(core_reach(a) + core_reach(b)), 1e-4 * smaller});
  const auto count_of_face = [&](const Flat& shared) -> std::size_t {
    if (has_cap(a) || has_cap(b)) return 3;
    return std::min<std::size_t>(distinct_corners(shared, limit).size(), 4);
  };
  if (b.kind == Kind::halfspace) {
    if (width_of(outer_a) > limit) return count_of_face(outer_a);
    return longest_in(outer_a) > limit ? 2 : 1;
  }
  const bool is_wide_a = width_of(outer_a) > limit;
  const bool is_wide_b = width_of(outer_b) > limit;
  if (!is_wide_a && !is_wide_b) return 1;
  if (is_wide_a && is_wide_b) {
    const Flat shared = strictly_convex(clipped(outer_a, outer_b, 0));
    return width_of(shared) > limit ? count_of_face(shared) : 1;
  }
  const bool is_cap = has_cap(is_wide_a ? a : b);
  if (is_cap && !has_cap(is_wide_a ? b : a)) return 1;
  // At the rim of a face, rounding decides whether the edge is on it.
  const Flat shared =
      is_wide_a ? clipped(outer_b, outer_a, limit) : clipped(outer_a, outer_b, limit);
  return longest_in(shared) > limit ? 2 : 1;
}

bool is_on_foremost(const Solid<3>& solid, const Vec<3>& n, const Vec<3>& core_point,
                    Real tolerance) {
  const Vec<3> origin = widened(solid.p);
  if (solid.kind == Kind::ellipsoid) {
    return length(minus(round_core(solid, {}).point(n), core_point)) <= tolerance;
  }
  if (solid.kind == Kind::cone) {
    // The base, the line of the side or, straight up, the apex, whichever faces the direction more.
    const CylinderCore cone = cylinder_of(solid, {});
    const Real height = 2 * cone.half_height, side = std::hypot(cone.radius, height);
    const Real along = dot(n, cone.axes[2]), lean = cone.lean(n);
    const Real by_side = side > 0 ? (height * lean + cone.radius * along) / side : lean;
    // Without a radius it is a segment, without a height, or nearly so, a disc that looks both
    // ways.
    const bool is_base = height <= tolerance || -along >= by_side - 1e-5L;
    if (cone.radius > 0 && is_base &&
        std::abs(cone.local(core_point)[2] + cone.half_height) <= tolerance) {
      return true;
    }
    const Vec<3> up = times(cone.axes[2], cone.half_height);
    if (cone.radius > 0 && height > 0 && along > by_side + 1e-5L) {
      return length(minus(minus(core_point, cone.center), up)) <= tolerance;
    }
    const Vec<3> foot = lean > 0 ? times(cone.across(n), cone.radius / lean) : Vec<3>{};
    Polytope line;
    line.corners = {plus(minus(cone.center, up), foot), plus(cone.center, up)};
    if (side > 0) line.edges = {{0, 1, direction_between(line.corners[0], line.corners[1])}};
    return (!(cone.radius > 0) || by_side >= -along - 1e-5L) &&
           distance_to_surface(line, core_point) <= tolerance;
  }
  if (is_cylinder(solid)) {
    const CylinderCore cylinder = cylinder_of(solid, {});
    const Vec<3> local = cylinder.local(core_point);
    const Real along = dot(n, cylinder.axes[2]), lean = cylinder.lean(n);
    const Real over = local[2] - (along > 0 ? cylinder.half_height : -cylinder.half_height);
    if (std::abs(over) <= tolerance && std::abs(along) >= lean - 1e-5L) return true;
    const Vec<3> across = cylinder.across(n);
    const Vec<3> foot = lean > 0 ? times(across, cylinder.radius / lean) : Vec<3>{};
    const Vec<3> off = minus(minus(core_point, cylinder.center), foot);
    return length(cylinder.across(off)) <= tolerance && lean >= std::abs(along) - 1e-5L;
  }
  const Polytope polytope = polytope_of(solid, origin);
  if (polytope.faces.empty()) return true;
  const Vec<3> point = minus(core_point, origin);
  const Real least = polytope.support(n) - tolerance;
  return std::ranges::any_of(polytope.faces, [&](const PolytopeFace& face) {
    const auto is_outermost = [&](std::size_t corner) {
      return dot(polytope.corners[corner], n) >= least;
    };
    const Real over = dot(face.normal, minus(point, polytope.corners[face.corners[0]]));
    return std::ranges::any_of(face.corners, is_outermost) && std::abs(over) <= tolerance;
  });
}

}  // namespace widephase::test
