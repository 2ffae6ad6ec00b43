#include "support/contact_area.hpp"

#include <optional>

#include "support/features3.hpp"
#include "support/manifold3.hpp"

namespace widephase::test {
namespace {

/// The corners of a face, in order, or two ends of an edge; and the most that one lags.
struct Ring {
  std::vector<Vec<3>> corners;
  bool is_cap = false;
  Real lag = 0;

  bool is_edge() const { return corners.size() < 3; }
  bool is_level(Real slack) const { return !is_edge() && lag <= slack; }
};

Real lag_of(const std::vector<Vec<3>>& corners, const Vec<3>& n) {
  Real low = dot(corners[0], n), high = low;
  for (const Vec<3>& corner : corners) {
    low = std::min(low, dot(corner, n));
    high = std::max(high, dot(corner, n));
  }
  return high - low;
}

/// A cap with its rim's sixteen points and the foremost one, or a line of the side; neither where
/// the direction is about as far from either.
std::vector<Ring> rings_of_cylinder(const CylinderCore& core, const Vec<3>& n, Real slack) {
  static const Real kTurn = 2 * std::acos(Real{-1});
  const Real along = dot(n, core.axes[2]), lean = core.lean(n);
  if (core.radius == 0) {
    const Vec<3> half = times(core.axes[2], core.half_height);
    return {{{minus(core.center, half), plus(core.center, half)}}};
  }
  if (std::abs(std::abs(along) - lean) < 1e-3L) return {};
  const Vec<3> middle =
      plus(core.center, core.axes[2], along > 0 ? core.half_height : -core.half_height);
  const Vec<3> out = lean > 0 ? times(core.across(n), core.radius / lean) : Vec<3>{};
  Ring ring;
  if (std::abs(along) > lean) {
    for (int k = 0; k < kRimPoints; ++k) {
      const Real angle = kTurn * static_cast<Real>(k) / kRimPoints;
      ring.corners.push_back(plus(
          middle, core.turned({core.radius * std::cos(angle), core.radius * std::sin(angle), 0})));
    }
    ring.is_cap = true;
    if (lean * core.radius > slack) {
      const Real turn = std::atan2(dot(n, core.axes[1]), dot(n, core.axes[0])) / kTurn;
      const auto after = static_cast<std::ptrdiff_t>((turn + 1) * kRimPoints) % kRimPoints;
      ring.corners.insert(ring.corners.begin() + 1 + after, plus(middle, out));
    }
  } else {
    for (const Real side : {-1, 1}) {
      ring.corners.push_back(plus(plus(core.center, out), core.axes[2], side * core.half_height));
    }
  }
  return {ring};
}

/// Of the faces at the outermost corners those with most of these, of such the one that looks most
/// along `n`; more than one where rounding may take any.
std::vector<Ring> rings_of_polytope(const Polytope& polytope, const Vec<3>& n, Real slack) {
  if (polytope.faces.empty()) {
    return polytope.corners.size() == 2 ? std::vector<Ring>{{polytope.corners}}
                                        : std::vector<Ring>{};
  }
  const Real least = polytope.support(n) - slack;
  std::vector<std::pair<std::ptrdiff_t, Real>> looks;
  for (const PolytopeFace& face : polytope.faces) {
    looks.emplace_back(std::ranges::count_if(face.corners,
                                             [&](std::size_t corner) {
                                               return dot(polytope.corners[corner], n) >= least;
                                             }),
                       dot(face.normal, n));
  }
  const auto best = *std::ranges::max_element(looks);
  std::vector<Ring> rings;
  for (std::size_t i = 0; i < looks.size(); ++i) {
    if (looks[i].first < best.first || looks[i].second < best.second - 1e-5L) continue;
    rings.emplace_back();
    for (const std::size_t corner : polytope.faces[i].corners) {
      rings.back().corners.push_back(polytope.corners[corner]);
    }
  }
  return rings;
}

std::vector<Ring> rings_of(const Solid<3>& solid, const Vec<3>& origin, const Vec<3>& n,
                           Real slack) {
  std::vector<Ring> rings = is_cylinder(solid)
                                ? rings_of_cylinder(cylinder_of(solid, origin), n, slack)
                                : rings_of_polytope(polytope_of(solid, origin), n, slack);
  for (Ring& ring : rings) ring.lag = lag_of(ring.corners, n);
  return rings;
}

/// Seen along the normal: x and y across it, and how deep.
using Corner = Vec<3>;

Real side_of(const Corner& from, const Corner& to, const Corner& at) {
  return (to[0] - from[0]) * (at[1] - from[1]) - (to[1] - from[1]) * (at[0] - from[0]);
}
Real distance_across(const Corner& u, const Corner& v) {
  return std::hypot(u[0] - v[0], u[1] - v[1]);
}

/// Sutherland and Hodgman 1974. Each cut takes what is linear along it with it.
std::vector<Corner> cut(std::vector<Corner> ring, const std::vector<Corner>& by) {
  const Real turn = side_of(by[0], by[1], by[2]) > 0 ? 1 : -1;
  for (std::size_t i = 0; i < by.size(); ++i) {
    const auto inside = [&](const Corner& at) {
      return turn * side_of(by[i], by[(i + 1) % by.size()], at);
    };
    std::vector<Corner> kept;
    for (std::size_t j = 0; j < ring.size(); ++j) {
      const Corner &u = ring[j], &v = ring[(j + 1) % ring.size()];
      const Real of_u = inside(u), of_v = inside(v);
      if (of_u >= 0) kept.push_back(u);
      if ((of_u < 0) != (of_v < 0)) kept.push_back(plus(u, minus(v, u), of_u / (of_u - of_v)));
    }
    ring = kept;
  }
  return ring;
}

/// What a cap's circle cuts an edge or a polygon to, and of its rim's points those that are within.
std::vector<Corner> cut_by_circle(const std::vector<Corner>& ring, const std::vector<Corner>& rim,
                                  const Corner& middle, Real radius) {
  std::vector<Corner> kept;
  for (std::size_t j = 0; j < ring.size(); ++j) {
    const Corner &u = ring[j], &v = ring[(j + 1) % ring.size()];
    const Corner way = minus(v, u), from = minus(u, middle);
    const Real way2 = way[0] * way[0] + way[1] * way[1];
    const Real toward = -(way[0] * from[0] + way[1] * from[1]);
    const Real square =
        toward * toward - way2 * (from[0] * from[0] + from[1] * from[1] - radius * radius);
    if (!(way2 > 0) || square < 0) continue;
    const Real enter = (toward - std::sqrt(square)) / way2;
    const Real leave = (toward + std::sqrt(square)) / way2;
    if (enter > 1 || leave < 0) continue;
    kept.push_back(plus(u, way, std::max(enter, Real{0})));
    kept.push_back(plus(u, way, std::min(leave, Real{1})));
  }
  if (ring.size() < 3) return kept;
  const Vec<3> normal = cross(minus(ring[1], ring[0]), minus(ring[2], ring[0]));
  for (Corner point : rim) {
    bool is_within = true;
    for (std::size_t j = 0; j < ring.size(); ++j) {
      is_within =
          is_within && side_of(ring[j], ring[(j + 1) % ring.size()], point) * normal[2] >= 0;
    }
    if (!is_within) continue;
    point[2] =
        ring[0][2] -
        (normal[0] * (point[0] - ring[0][0]) + normal[1] * (point[1] - ring[0][1])) / normal[2];
    kept.push_back(point);
  }
  return kept;
}

/// The greatest of the triangle pqr on one side of pq and of that on the other, together.
Real area_over(const Corner& p, const Corner& q, const std::vector<Corner>& corners) {
  Real left = 0, right = 0;
  for (const Corner& corner : corners) {
    left = std::max(left, side_of(p, q, corner));
    right = std::max(right, -side_of(p, q, corner));
  }
  return (left + right) / 2;
}

/// With every two corners as a diagonal.
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

/// What the rule keeps, the least of all that rounding by `tolerance` may take for the deepest and
/// the farthest.
Real area_by_rule(const std::vector<Corner>& corners, Real tolerance) {
  Real deepest = corners[0][2];
  for (const Corner& corner : corners) deepest = std::max(deepest, corner[2]);
  Real least = std::numeric_limits<Real>::infinity();
  for (const Corner& p : corners) {
    if (p[2] < deepest - tolerance) continue;
    Real farthest = 0;
    for (const Corner& q : corners) farthest = std::max(farthest, distance_across(p, q));
    for (const Corner& q : corners) {
      if (distance_across(p, q) >= farthest - tolerance) {
        least = std::min(least, area_over(p, q, corners));
      }
    }
  }
  return least;
}

/// Without one of its extents.
bool is_flat(const Solid<3>& solid) {
  if (solid.kind == Kind::cylinder) return solid.size == 0 || solid.q[2] == 0;
  if (solid.kind != Kind::box && solid.kind != Kind::aabb) return false;
  for (int k = 0; k < 3; ++k) {
    if (solid.q[k] == (solid.kind == Kind::box ? 0 : solid.p[k])) return true;
  }
  return false;
}

/// What of one face another one, or a plane without `reference`, has before it.
std::vector<Corner> shared_corners(const Ring& incident, const Ring* reference, const Vec<3>& n,
                                   Real plane, Real sign) {
  const std::array<Vec<3>, 2> tangents = across(n);
  const auto seen = [&](const std::vector<Vec<3>>& corners) {
    std::vector<Corner> result;
    for (const Vec<3>& corner : corners) {
      result.push_back(
          {dot(corner, tangents[0]), dot(corner, tangents[1]), sign * (dot(corner, n) - plane)});
    }
    return result;
  };
  const std::vector<Corner> ring = seen(incident.corners);
  if (reference == nullptr) return ring;
  const std::vector<Corner> by = seen(reference->corners);
  if (!reference->is_cap) return cut(ring, by);
  // Sixteenths of a turn apart, so the mean is the middle.
  Corner middle{};
  for (int k = 0; k < kRimPoints; ++k)
    middle = plus(middle, by[static_cast<std::size_t>(k)], Real{1} / kRimPoints);
  return cut_by_circle(ring, by, middle, distance_across(by[0], middle));
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
  // What leans by less is level to the kernels, what leans by more is not; between, rounding says.
  const Real level = tolerance / 64, leaning = 4 * tolerance;

  std::vector<Ring> rings_a = rings_of(a, origin, n, level), rings_b;
  if (!has_plane) rings_b = rings_of(b, origin, times(n, -1), level);
  AreaVerdict verdict;
  for (const auto* rings : {&rings_a, &rings_b}) {
    for (const Ring& ring : *rings) {
      if (ring.lag > level && ring.lag < leaning) return verdict;
    }
  }
  const auto is_open = [&](const Solid<3>& solid, const Vec<3>& direction) {
    return has_joined_faces<SizeOf<T>>(solid, direction, leaning);
  };
  if (is_open(a, n) || (!has_plane && is_open(b, times(n, -1)))) return verdict;

  const Real radii = radius_of(a) + (has_plane ? 0 : radius_of(b));
  std::vector<std::vector<Corner>> choices;
  bool has_cap = false;
  const auto choose = [&](const Ring& incident, const Ring* reference, Real plane, Real sign) {
    // Of an edge that leans the end alone touches, of a flat shape perhaps its border.
    if (incident.lag > level && (incident.is_edge() || is_flat(a) || is_flat(b))) return;
    choices.push_back(shared_corners(incident, reference, n, plane, sign));
    has_cap = has_cap || incident.is_cap || (reference != nullptr && reference->is_cap);
  };
  if (has_plane) {
    // B is solid below its plane and n leads down.
    const Vec<3> up = plane_of(b).normal;
    const Real plane = -(plane_of(b).offset - dot(up, origin));
    for (const Ring& ring : rings_a) choose(ring, nullptr, plane, 1);
  } else {
    for (const Ring& of_a : rings_a) {
      for (const Ring& of_b : rings_b) {
        const Real top = core_support(a, n) - dot(n, origin);
        const Real bottom = -core_support(b, times(n, -1)) - dot(n, origin);
        if (of_a.is_level(level)) {
          choose(of_b, &of_a, top, -1);
        } else if (of_b.is_level(level)) {
          choose(of_a, &of_b, bottom, 1);
        }
      }
    }
  }

  // The points' own.
  std::vector<Corner> kept;
  const std::array<Vec<3>, 2> tangents = across(n);
  for (const Vec<3>& point : contact.points) {
    const Vec<3> from = minus(point, origin);
    kept.push_back({dot(from, tangents[0]), dot(from, tangents[1]), 0});
  }
  const Real kept_length = longest(kept), kept_area = greatest_quadrilateral(kept);
  const Real place = 8 * tolerance + 4 * kUnitTolerance<PositionOf<T>> * length(origin);

  // Where rounding leaves several faces the points may be those of any.
  for (std::vector<Corner>& corners : choices) {
    if (corners.empty()) return {};
    Real deepest = -std::numeric_limits<Real>::infinity();
    for (const Corner& corner : corners) deepest = std::max(deepest, corner[2] + radii);
    // What is deepest lies beside the face.
    if (std::abs(deepest - contact.depth) > tolerance) return {};
    for (const Corner& corner : corners) {
      if (std::abs(corner[2] + radii + static_cast<Real>(margin)) <= 2 * tolerance) return {};
    }
    std::erase_if(corners, [&](const Corner& corner) {
      return corner[2] + radii < -static_cast<Real>(margin);
    });
    if (corners.empty()) return {};
    const Real extent = longest(corners), greatest = greatest_quadrilateral(corners);
    AreaVerdict here;
    std::ostringstream text;
    text.precision(12);
    if (greatest <= 4 * place * extent) {
      if (extent <= 8 * place) return {};
      here.what = What::segment;
      here.share = kept_length / extent;
      if (kept_length < extent - 2 * place) {
        text << "the points are " << kept_length << " apart, the ends " << extent << "; ";
      }
    } else {
      here.what = What::polygon;
      here.share = kept_area / greatest;
      if (kept_area < kLeastAreaShare * greatest - place * extent) {
        text << "the area is " << kept_area << ", the greatest quadrilateral's " << greatest
             << "; ";
      }
      // Of a level cap any point may be the foremost, half a sixteenth from its corners.
      const Real by_rule = (has_cap ? 0.95L : 1) * area_by_rule(corners, 2 * tolerance);
      if (kept_area < by_rule - place * extent) {
        text << "the area is " << kept_area << ", by the rule it is " << by_rule << "; ";
      }
    }
    here.problem = text.str();
    if (verdict.what == What::other || here.problem.empty()) verdict = here;
    if (here.problem.empty()) break;
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
