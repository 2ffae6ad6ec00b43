#include "support/contact_area.hpp"

#include <optional>
#include <set>

#include "support/features3.hpp"
#include "support/manifold3.hpp"

namespace widephase::test {
namespace {

/// The corners of a face in order, or the two ends of an edge.
struct Ring {
  std::vector<Vec<3>> corners;  ///< for a cap, points of its rim
  Vec<3> normal{};              ///< outward, for a face
  Vec<3> middle{};              ///< for a cap
  Real radius = 0;

  bool is_edge() const { return corners.size() < 3; }
  bool is_cap() const { return radius > 0; }
};

Real lag_of(const std::vector<Vec<3>>& corners, const Vec<3>& n) {
  Real low = dot(corners[0], n), high = low;
  for (const Vec<3>& corner : corners) {
    low = std::min(low, dot(corner, n));
    high = std::max(high, dot(corner, n));
  }
  return high - low;
}

/// A cap with sixteen points of its rim, or the foremost line of the side. Returns both if the
/// direction is about as near to either.
std::vector<Ring> rings_of_cylinder(const CylinderCore& core, const Vec<3>& n) {
  static const Real kTurn = 2 * std::acos(Real{-1});
  const Real along = dot(n, core.axes[2]), lean = core.lean(n);
  const Vec<3> half = times(core.axes[2], core.half_height);
  if (core.radius == 0) return {{{minus(core.center, half), plus(core.center, half)}, {}, {}, 0}};
  std::vector<Ring> rings;
  if (std::abs(along) > lean - 1e-4L) {
    const Real up = along > 0 ? 1 : -1;
    Ring ring;
    ring.middle = plus(core.center, half, up);
    ring.normal = times(core.axes[2], up);
    ring.radius = core.radius;
    for (int k = 0; k < kRimPoints; ++k) {
      const Real angle = kTurn * (static_cast<Real>(k) + 0.5L) / kRimPoints;
      ring.corners.push_back(plus(ring.middle, core.turned({core.radius * std::cos(angle),
                                                            core.radius * std::sin(angle), 0})));
    }
    rings.push_back(ring);
  }
  if (lean > std::abs(along) - 1e-4L) {
    const Vec<3> foot = plus(core.center, core.across(n), core.radius / lean);
    rings.push_back({{minus(foot, half), plus(foot, half)}, {}, {}, 0});
  }
  return rings;
}

/// The base of a cone with sixteen points of its rim, the foremost line of its side, or nothing at
/// its apex; several if the direction is about as near to either.
std::vector<Ring> rings_of_cone(const CylinderCore& core, const Vec<3>& n) {
  const Vec<3> half = times(core.axes[2], core.half_height);
  const Vec<3> apex = plus(core.center, half), base = minus(core.center, half);
  const Real lean = core.lean(n), down = -dot(n, core.axes[2]);
  const Real height = 2 * core.half_height, side = std::hypot(core.radius, height);
  if (!(side > 0)) return {};
  if (core.radius == 0) return {{{base, apex}, {}, {}, 0}};
  const Real by_side = (height * lean - core.radius * down) / side;
  std::vector<Ring> rings;
  const bool is_disc = height == 0;
  if (is_disc || down > by_side - 1e-4L) {
    Ring ring;
    ring.middle = base;
    ring.normal = times(core.axes[2], is_disc && down < 0 ? 1 : -1);
    ring.radius = core.radius;
    for (int k = 0; k < kRimPoints; ++k) {
      const Real angle = 2 * std::acos(Real{-1}) * (static_cast<Real>(k) + 0.5L) / kRimPoints;
      ring.corners.push_back(plus(
          base, core.turned({core.radius * std::cos(angle), core.radius * std::sin(angle), 0})));
    }
    rings.push_back(ring);
  }
  // Above the side's normal by half, the apex is foremost.
  if (!is_disc && by_side < -down - 1e-4L) return {};
  if (!is_disc && by_side > down - 1e-4L && lean > 0) {
    rings.push_back({{plus(base, core.across(n), core.radius / lean), apex}, {}, {}, 0});
  }
  return rings;
}

/// The face with the most outermost corners. Among several, the one that faces `n` most. Several if
/// rounding may choose any of them.
std::vector<Ring> rings_of_polytope(const Polytope& polytope, const Vec<3>& n,
                                    std::initializer_list<Real> slacks) {
  if (polytope.faces.empty()) {
    return polytope.corners.size() == 2 ? std::vector<Ring>{{polytope.corners, {}, {}, 0}}
                                        : std::vector<Ring>{};
  }
  std::set<std::size_t> chosen;
  for (const Real slack : slacks) {
    const Real least = polytope.support(n) - slack;
    std::vector<std::pair<std::ptrdiff_t, Real>> looks;
    for (const PolytopeFace& face : polytope.faces) {
      const auto is_outermost = [&](std::size_t corner) {
        return dot(polytope.corners[corner], n) >= least;
      };
      looks.emplace_back(std::ranges::count_if(face.corners, is_outermost), dot(face.normal, n));
    }
    const auto best = *std::ranges::max_element(looks);
    for (std::size_t i = 0; i < looks.size(); ++i) {
      if (looks[i].first == best.first && looks[i].second >= best.second - 1e-5L) chosen.insert(i);
    }
  }
  std::vector<Ring> rings;
  for (const std::size_t i : chosen) {
    Ring ring;
    ring.normal = polytope.faces[i].normal;
    for (const std::size_t corner : polytope.faces[i].corners) {
      ring.corners.push_back(polytope.corners[corner]);
    }
    rings.push_back(ring);
  }
  return rings;
}

std::vector<Ring> rings_of(const Solid<3>& solid, const Vec<3>& origin, const Vec<3>& n,
                           std::initializer_list<Real> slacks) {
  if (solid.kind == Kind::ellipsoid) return {};
  if (solid.kind == Kind::cone) return rings_of_cone(cylinder_of(solid, origin), n);
  return is_cylinder(solid) ? rings_of_cylinder(cylinder_of(solid, origin), n)
                            : rings_of_polytope(polytope_of(solid, origin), n, slacks);
}

/// A point seen along the normal: x and y perpendicular to it, then the depth.
using Corner = Vec<3>;

Real side_of(const Corner& from, const Corner& to, const Corner& at) {
  return (to[0] - from[0]) * (at[1] - from[1]) - (to[1] - from[1]) * (at[0] - from[0]);
}
Real distance_across(const Corner& u, const Corner& v) {
  return std::hypot(u[0] - v[0], u[1] - v[1]);
}

/// The frame of the normal, in which two faces overlap.
struct View {
  Vec<3> n;
  std::array<Vec<3>, 2> tangents;

  Corner seen(const Vec<3>& at) const {
    return {dot(at, tangents[0]), dot(at, tangents[1]), dot(at, n)};
  }
  /// The point of a face, or of an edge's line, that is seen at `at`.
  Vec<3> on(const Ring& ring, const Corner& at) const {
    const Vec<3> foot = plus(times(tangents[0], at[0]), tangents[1], at[1]);
    const Vec<3>& from = ring.corners[0];
    if (!ring.is_edge()) {
      return plus(foot, n, dot(ring.normal, minus(from, foot)) / dot(ring.normal, n));
    }
    const Corner p = seen(from), q = seen(ring.corners[1]);
    const Real x = q[0] - p[0], y = q[1] - p[1];
    const Real t = ((at[0] - p[0]) * x + (at[1] - p[1]) * y) / (x * x + y * y);
    return plus(foot, n, p[2] + t * (q[2] - p[2]));
  }
  /// The distance of a point from the border of a face, negative outside.
  Real inside(const Ring& ring, const Corner& at) const {
    if (ring.is_cap()) return ring.radius - length(minus(on(ring, at), ring.middle));
    Real least = std::numeric_limits<Real>::infinity();
    const Real turn = dot(ring.normal, n) > 0 ? 1 : -1;
    for (std::size_t i = 0; i < ring.corners.size(); ++i) {
      const Corner p = seen(ring.corners[i]);
      const Corner q = seen(ring.corners[(i + 1) % ring.corners.size()]);
      const Real size = distance_across(p, q);
      if (size > 0) least = std::min(least, turn * side_of(p, q, at) / size);
    }
    return least;
  }
};

/// The points where the straight edge from p to q crosses the border of a face.
std::vector<Corner> crossings_of(const View& view, const Corner& p, const Corner& q,
                                 const Ring& face) {
  std::vector<Real> shares;
  if (face.is_cap()) {
    const Vec<3> from = minus(view.on(face, p), face.middle);
    const Vec<3> way = minus(view.on(face, q), view.on(face, p));
    const Real way2 = dot(way, way), toward = -dot(way, from);
    const Real square = toward * toward - way2 * (dot(from, from) - face.radius * face.radius);
    if (!(way2 > 0) || square < 0) return {};
    shares = {(toward - std::sqrt(square)) / way2, (toward + std::sqrt(square)) / way2};
  } else {
    for (std::size_t i = 0; i < face.corners.size(); ++i) {
      const Corner a = view.seen(face.corners[i]);
      const Corner b = view.seen(face.corners[(i + 1) % face.corners.size()]);
      const Real of_p = side_of(a, b, p), of_q = side_of(a, b, q);
      if ((of_p < 0) == (of_q < 0)) continue;
      const Real share = of_p / (of_p - of_q);
      const Corner at = plus(p, minus(q, p), share);
      const Real along = (at[0] - a[0]) * (b[0] - a[0]) + (at[1] - a[1]) * (b[1] - a[1]);
      const Real size = distance_across(a, b);
      if (along >= 0 && along <= size * size) shares.push_back(share);
    }
  }
  std::vector<Corner> found;
  for (const Real share : shares) {
    if (share >= 0 && share <= 1) found.push_back(plus(p, minus(q, p), share));
  }
  return found;
}

/// The points where the rims of two caps cross.
std::vector<Corner> rim_crossings(const View& view, const Ring& a, const Ring& b) {
  constexpr int kParts = 720;
  static const Real kTurn = 2 * std::acos(Real{-1});
  const std::array<Vec<3>, 2> axes = across(a.normal);
  const auto at = [&](Real angle) {
    return view.seen(plus(plus(a.middle, axes[0], a.radius * std::cos(angle)), axes[1],
                          a.radius * std::sin(angle)));
  };
  std::vector<Corner> found;
  for (int k = 0; k < kParts; ++k) {
    Real low = kTurn * k / kParts, high = kTurn * (k + 1) / kParts;
    const bool is_inside = view.inside(b, at(low)) > 0;
    if (is_inside == (view.inside(b, at(high)) > 0)) continue;
    for (int round = 0; round < 60; ++round) {
      const Real middle = (low + high) / 2;
      ((view.inside(b, at(middle)) > 0) == is_inside ? low : high) = middle;
    }
    found.push_back(at(low));
  }
  return found;
}

/// The corners of the area that two faces share, or of the part of an edge over a face. For a
/// plane, without `b`, all corners of A. Points within `slack` of a border count as inside.
std::vector<Corner> shared_corners(const View& view, const Ring& a, const Ring* b, Real slack) {
  std::vector<Corner> found;
  for (const bool by_a : {true, false}) {
    const Ring* const own = by_a ? &a : b;
    const Ring* const other = by_a ? b : &a;
    if (own == nullptr) continue;
    for (const Vec<3>& corner : own->corners) {
      const Corner at = view.seen(corner);
      if (other == nullptr || (!other->is_edge() && view.inside(*other, at) >= -slack)) {
        found.push_back(at);
      }
    }
  }
  if (b == nullptr) return found;
  if (a.is_cap() && b->is_cap()) {
    for (const Corner& at : rim_crossings(view, a, *b)) found.push_back(at);
    return found;
  }
  // Where the straight edges of one cross the other: the other is a cap if there is one, or else a
  // face.
  const bool by_a = !a.is_cap() && (a.is_edge() || b->is_cap() || !b->is_edge());
  const Ring &own = by_a ? a : *b, &other = by_a ? *b : a;
  for (std::size_t i = 0; i < (own.is_edge() ? 1 : own.corners.size()); ++i) {
    const Corner p = view.seen(own.corners[i]);
    const Corner q = view.seen(own.corners[(i + 1) % own.corners.size()]);
    for (const Corner& at : crossings_of(view, p, q, other)) found.push_back(at);
  }
  return found;
}

/// The largest triangle pqr on one side of pq plus the largest on the other.
Real area_over(const Corner& p, const Corner& q, const std::vector<Corner>& corners) {
  Real left = 0, right = 0;
  for (const Corner& corner : corners) {
    left = std::max(left, side_of(p, q, corner));
    right = std::max(right, -side_of(p, q, corner));
  }
  return (left + right) / 2;
}

/// Tries every two corners as a diagonal.
Real greatest_quadrilateral(const std::vector<Corner>& corners) {
  Real most = 0;
  for (const Corner& p : corners) {
    for (const Corner& q : corners) most = std::max(most, area_over(p, q, corners));
  }
  return most;
}

Real longest(const std::vector<Corner>& corners) {
  Real most = 0;
  for (const Corner& p : corners) {
    for (const Corner& q : corners) most = std::max(most, distance_across(p, q));
  }
  return most;
}

Flat convex_of(const std::vector<Corner>& corners) {
  Flat flat;
  for (const Corner& at : corners) {
    flat.push_back({static_cast<double>(at[0]), static_cast<double>(at[1])});
  }
  return strictly_convex(flat);
}

/// Whether one of its extents is 0.
bool is_flat(const Solid<3>& solid) {
  if (solid.kind == Kind::cylinder || solid.kind == Kind::cone)
    return solid.size == 0 || solid.q[2] == 0;
  if (solid.kind != Kind::box && solid.kind != Kind::aabb) return false;
  for (int k = 0; k < 3; ++k) {
    if (solid.q[k] == (solid.kind == Kind::box ? 0 : solid.p[k])) return true;
  }
  return false;
}

}  // namespace

template <class T>
AreaVerdict area_verdict(const Solid<3>& a, const Solid<3>& b, double margin,
                         const Contact<3, T>& contact) {
  using What = AreaVerdict::What;
  if (a.kind == Kind::halfspace) {
    Contact<3, T> mirrored = contact;
    mirrored.normal = times(contact.normal, -1);
    for (std::size_t i = 0; i < mirrored.points.size(); ++i) {
      mirrored.points[i] = plus(contact.points[i], contact.normal, -contact.point_depths[i]);
    }
    return area_verdict<T>(b, a, margin, mirrored);
  }
  const Vec<3> n = times(contact.normal, 1 / length(contact.normal));
  const Vec<3> origin = widened(a.p);
  const bool has_plane = b.kind == Kind::halfspace;
  const Real size = has_plane
                        ? reference_of(a, b).size
                        : core_reach(a) + core_reach(b) + length(minus(widened(b.p), widened(a.p)));
  const Real tolerance = kDepthTolerance<T> * (size + static_cast<Real>(margin));
  // Kernels treat a smaller tilt as level and a larger one as not level; in between, rounding
  // decides.
  const Real level = tolerance / 64, leaning = 4 * tolerance;
  const auto is_open = [&](const Solid<3>& solid, const Vec<3>& direction) {
    return has_joined_faces<SizeOf<T>>(solid, direction, leaning);
  };
  if (is_open(a, n) || (!has_plane && is_open(b, times(n, -1)))) return {};

  const View view{n, across(n)};
  const Real radii = radius_of(a) + (has_plane ? 0 : radius_of(b));
  const auto least_depth = -static_cast<Real>(margin);
  const Real position_rounding = 4 * kUnitTolerance<PositionOf<T>> * length(origin);
  // The points of the contact.
  std::vector<Corner> kept;
  for (std::size_t i = 0; i < contact.points.size(); ++i) {
    kept.push_back(view.seen(minus(contact.points[i], origin)));
    kept.back()[2] = contact.point_depths[i];
  }
  Corner deepest_kept = kept[0];
  for (const Corner& at : kept) deepest_kept = at[2] > deepest_kept[2] ? at : deepest_kept;
  const Real kept_length = longest(kept), kept_area = greatest_quadrilateral(kept);

  const auto verdict_of = [&](const Ring& of_a, const Ring* of_b) -> std::optional<AreaVerdict> {
    // If not level, an edge may touch only at its end, and a flat shape only at its border.
    for (const auto& [ring, solid] : {std::pair{&of_a, &a}, std::pair{of_b, &b}}) {
      if (ring == nullptr) continue;
      const Real lag = lag_of(ring->corners, n);
      if (is_flat(*solid) && lag > level) return std::nullopt;
      // If the normal is nearly parallel to a face, depths along it are inexact.
      if (!ring->is_edge() && std::abs(dot(ring->normal, n)) < 0.05L) return std::nullopt;
      if (ring->is_edge() && lag > 0.95L * length(minus(ring->corners[0], ring->corners[1]))) {
        return std::nullopt;
      }
    }
    if (of_b != nullptr && of_a.is_edge() && of_b->is_edge()) return std::nullopt;
    // Corners count as one within 1e-4 of the smaller face.
    const auto extent_of = [&](const Ring& ring) {
      std::vector<Corner> seen;
      for (const Vec<3>& corner : ring.corners) seen.push_back(view.seen(corner));
      return longest(seen);
    };
    const Real smaller =
        of_b == nullptr ? extent_of(of_a) : std::min(extent_of(of_a), extent_of(*of_b));
    const Real place = 8 * tolerance + position_rounding + 2e-4L * smaller;
    const auto depth_at = [&](const Corner& at) {
      const Real of_plane =
          has_plane ? dot(plane_of(b).normal, origin) - plane_of(b).offset : Real{0};
      // B is solid below its plane, and n points down.
      if (of_b == nullptr) return dot(view.on(of_a, at), n) - of_plane + radii;
      return dot(minus(view.on(of_a, at), view.on(*of_b, at)), n) + radii;
    };
    std::vector<Corner> corners = shared_corners(view, of_a, of_b, 0);
    Real deepest = -std::numeric_limits<Real>::infinity();
    for (Corner& at : corners) {
      at[2] = depth_at(at);
      deepest = std::max(deepest, at[2]);
    }
    AreaVerdict here;
    std::ostringstream text;
    text.precision(12);
    if (deepest > contact.depth + 4 * tolerance) {
      text << "a corner is " << deepest << " deep; ";
    }
    for (const Corner& at : corners) {
      if (std::abs(at[2] - least_depth) <= 4 * tolerance) return AreaVerdict{};
    }
    std::erase_if(corners, [&](const Corner& at) { return at[2] < least_depth; });
    // The deepest point is not on the shared area: the point that the search found counts as a
    // corner too.
    const bool has_found = !(deepest >= contact.depth - level);
    if (has_found) corners.push_back(deepest_kept);
    const Real extent = longest(corners), greatest = greatest_quadrilateral(corners);
    if (extent <= 8 * place) return AreaVerdict{};
    const Flat outline = convex_of(corners);
    if (greatest <= 4 * place * extent || outline.size() < 3) {
      here.what = What::segment;
      here.share = kept_length / extent;
      if (kept_length < extent - 4 * place) {
        text << "the points are " << kept_length << " apart, the ends " << extent << "; ";
      }
    } else {
      here.what = What::polygon;
      here.share = kept_area / greatest;
      const bool is_rectangle = outline.size() == 4;
      const Real least = is_rectangle && !has_found ? kLeastRectangleShare : kLeastAreaShare;
      if (kept_area < least * greatest - place * extent) {
        text << "the area is " << kept_area << ", the greatest quadrilateral's " << greatest
             << "; ";
      }
      const Flat own = convex_of(kept);
      if (own.size() >= 3) {
        const Point<2> middle = centroid_of(outline);
        if (inside_flat(own, middle) < static_cast<double>(-2 * place)) {
          text << "the middle is " << -inside_flat(own, middle) << " beside the points; ";
        }
      }
      // While there is room, a corner is only left out if it adds no area.
      if (kept.size() < 4 && kept_area < greatest - 4 * place * extent) {
        text << "there are " << kept.size() << " points, and corners left; ";
      }
      for (const Corner& at : kept) {
        if (inside_flat(outline, {static_cast<double>(at[0]), static_cast<double>(at[1])}) <
            static_cast<double>(-place)) {
          text << "a point is beside the faces; ";
        }
        Real nearest = std::numeric_limits<Real>::infinity();
        for (const Corner& corner : corners) {
          nearest = std::min(nearest, distance_across(at, corner));
        }
        if (nearest > 2 * place) text << "a point is " << nearest << " from any corner; ";
      }
    }
    here.problem = text.str();
    return here;
  };

  // If rounding leaves several faces, the points may be those of any of them.
  const std::vector<Ring> rings_a = rings_of(a, origin, n, {level, leaning});
  std::vector<Ring> rings_b;
  if (!has_plane) rings_b = rings_of(b, origin, times(n, -1), {level, leaning});
  AreaVerdict verdict;
  for (const Ring& of_a : rings_a) {
    for (std::size_t i = 0; i < (has_plane ? 1 : rings_b.size()); ++i) {
      const std::optional<AreaVerdict> here = verdict_of(of_a, has_plane ? nullptr : &rings_b[i]);
      if (!here || here->what == What::other) return {};
      if (verdict.what == What::other || here->problem.empty()) verdict = *here;
      if (here->problem.empty()) return verdict;
    }
  }
  return verdict;
}

#define WIDEPHASE_INSTANTIATE(T)                                                            \
  template AreaVerdict area_verdict<T>(const Solid<3>& a, const Solid<3>& b, double margin, \
                                       const Contact<3, T>& contact)
WIDEPHASE_INSTANTIATE(float);
WIDEPHASE_INSTANTIATE(double);
#undef WIDEPHASE_INSTANTIATE

}  // namespace widephase::test
