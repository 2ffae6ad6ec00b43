#include "reference/surface_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "reference/felt_search.hpp"
#include "reference/reference.hpp"

namespace widephase::test {

namespace {

Vec<3> unit(const Vec<3>& v) { return times(v, 1 / length(v)); }

/// The part of a spherical polygon where n.along <= 0.
std::vector<Vec<3>> clipped(const std::vector<Vec<3>>& polygon, const Vec<3>& along) {
  std::vector<Vec<3>> result;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec<3>&u = polygon[i], &v = polygon[(i + 1) % polygon.size()];
    const Real at_u = dot(u, along), at_v = dot(v, along);
    if (at_u <= 0) result.push_back(u);
    // The plane of the great circle meets the chord where it meets the arc, seen from the centre.
    if ((at_u < 0 && at_v > 0) || (at_u > 0 && at_v < 0)) {
      result.push_back(unit(plus(u, minus(v, u), at_u / (at_u - at_v))));
    }
  }
  return result;
}

/// The unit sum of the normals of what an edge asks.
Vec<3> front_of_edge(const Surface& surface, std::size_t triangle, std::size_t k) {
  Vec<3> sum{};
  for (const std::size_t t : surface.asked_at(triangle, k)) sum = plus(sum, surface.normals[t]);
  return sum;
}

bool is_border_vertex(const Surface& surface, std::size_t vertex) {
  for (const std::size_t t : surface.at_vertex[vertex]) {
    for (std::size_t k = 0; k < 3; ++k) {
      const Surface::Edge edge = surface.edge_of(t, k);
      if (edge.first != vertex && edge.second != vertex) continue;
      if (surface.is_border(t, k)) return true;
    }
  }
  return false;
}

Vec<3> front_of_vertex(const Surface& surface, std::size_t vertex) {
  Vec<3> sum{};
  for (const std::size_t t : surface.at_vertex[vertex]) sum = plus(sum, surface.normals[t]);
  return sum;
}

constexpr Real kNever = 2;  ///< more than the sine of any angle

/// The slack of an edge or vertex. From behind the surface no direction is felt; at a border both
/// sides are in front.
Real edge_slack(const Surface& surface, std::size_t triangle, std::size_t k, const Vec<3>& n) {
  const Real slack = surface.slack_at_edge(triangle, k, n);
  if (surface.is_border(triangle, k)) return slack;
  return dot(n, front_of_edge(surface, triangle, k)) >= 0 ? slack : kNever;
}
Real vertex_slack(const Surface& surface, std::size_t vertex, const Vec<3>& n) {
  const Real slack = surface.slack_at_vertex(vertex, n);
  if (is_border_vertex(surface, vertex)) return slack;
  return dot(n, front_of_vertex(surface, vertex)) >= 0 ? slack : kNever;
}

/// The distance of a point from a segment.
Real distance_to_segment(const Vec<3>& p, const Vec<3>& from, const Vec<3>& to) {
  const Vec<3> along = minus(to, from), at = minus(p, from);
  const Real share = std::clamp<Real>(dot(at, along) / dot(along, along), 0, 1);
  return length(plus(at, along, -share));
}

Real reach_of(const Solid<3>& solid) {
  // How far the core goes from the shape's position.
  if (solid.kind == Kind::capsule || solid.kind == Kind::aabb) {
    return length(minus(widened(solid.q), widened(solid.p)));
  }
  if (solid.kind == Kind::box) return length(widened(solid.q));
  return core_reach(solid);
}

}  // namespace

bool KnownWays::is_before(const std::vector<Vec<3>>& left, const std::vector<Vec<3>>& right) {
  return std::ranges::lexicographical_compare(left, right, [](const Vec<3>& u, const Vec<3>& v) {
    return std::ranges::lexicographical_compare(u, v);
  });
}

SurfacePair::SurfacePair(const Solid<3>& solid, const Surface& surface,
                         std::shared_ptr<KnownWays> known)
    : surface_(surface),
      core_(rolled_core(solid, widened(solid.p))),
      radius_(radius_of(solid) + core_.ball),
      size_(reach_of(solid) + radius_of(solid)),
      known_(std::move(known)) {}

Real SurfacePair::way_out(std::size_t triangle, const Vec<3>& n) const {
  Real high = -std::numeric_limits<Real>::infinity();
  for (std::size_t k = 0; k < 3; ++k) high = std::max(high, dot(surface_.corner(triangle, k), n));
  return high - dot(core_.point(times(n, -1)), n) + radius_;
}

Real SurfacePair::least_core_way_out(std::size_t triangle) const {
  const auto [known, is_new] = known_->triangles.try_emplace(
      {surface_.corner(triangle, 0), surface_.corner(triangle, 1), surface_.corner(triangle, 2)});
  if (is_new) known->second = least_way_out(surface_.core(triangle, {}));
  return known->second;
}

Real SurfacePair::least_way_out(const Polytope& other) const {
  RoundCore of_other;
  of_other.polytope = other;
  Real size = size_;
  for (const Vec<3>& corner : other.corners) size = std::max(size, length(corner));
  const RoundPair round(core_, of_other);
  if (const auto apart = round.least_if_apart(size)) return *apart;
  if (!core_.has_corners()) return round.least(size).directions[0].first;
  const PolytopePair pair(core_.polytope, other);
  Real least = std::numeric_limits<Real>::infinity();
  for (const Vec<3>& n : pair.candidate_normals()) least = std::min(least, pair.support(n));
  const Vec<3> gap = pair.gap();
  const Real distance = length(gap);
  if (distance > 1e-17L * size_) {
    if (least < 0 || pair.support(times(gap, 1 / distance)) < 0) return -distance;
  }
  return std::max<Real>(least, 0);
}

SurfacePlace SurfacePair::place(std::size_t triangle, bool asks_crossing) const {
  if (asks_crossing) return crossing_place(triangle);
  const Polytope core = surface_.core(triangle, {});
  if (!core_.has_corners()) {
    RoundCore flat;
    flat.polytope = core;
    const auto least = RoundPair(core_, flat).least(size_).directions[0];
    if (least.first >= 0) return crossing_place(triangle);
    return apart_place(triangle, times(least.second, -1), -least.first);
  }
  if (least_core_way_out(triangle) >= 0) return crossing_place(triangle);
  const Vec<3> gap = PolytopePair(core_.polytope, core).gap();
  const Real distance = length(gap);
  return apart_place(triangle, times(gap, -1 / distance), distance);
}

SurfacePlace SurfacePair::apart_place(std::size_t triangle, const Vec<3>& n, Real distance) const {
  SurfacePlace place;
  place.triangle = triangle;
  place.normal = n;
  place.depth = place.lower = radius_ - distance;

  // The foremost corners of the triangle are those of the feature that holds all nearest points.
  Real extent = 0, high = -std::numeric_limits<Real>::infinity();
  for (std::size_t k = 0; k < 3; ++k) {
    high = std::max(high, dot(surface_.corner(triangle, k), n));
    extent = std::max(extent, length(minus(surface_.corner(triangle, (k + 1) % 3),
                                           surface_.corner(triangle, k))));
  }
  const Real near = 1e-9L * (extent + distance);
  std::array<bool, 3> is_foremost{};
  std::size_t count = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    is_foremost[k] = dot(surface_.corner(triangle, k), n) >= high - near;
    count += is_foremost[k] ? 1u : 0u;
  }
  // One of the nearest points of the triangle, in the middle of them where the core has corners.
  bool is_known = true;
  if (core_.has_corners()) {
    Vec<3> sum{};
    Real weight = 0;
    const auto pairs = PolytopePair(core_.polytope, surface_.core(triangle, {})).near_pairs();
    for (const auto& [on_core, on_triangle] : pairs) {
      if (length(minus(on_core, on_triangle)) > distance * (1 + 1e-14L) + 1e-17L * size_) continue;
      sum = plus(sum, on_triangle);
      weight += 1;
    }
    is_known = weight > 0;
    if (is_known) place.point = times(sum, 1 / weight);
  } else {
    place.point = plus(core_.point(times(n, -1)), n, -distance);
  }
  if (count == 1) {
    for (std::size_t k = 0; k < 3; ++k) {
      if (is_foremost[k]) place.point = surface_.corner(triangle, k);
    }
    is_known = true;
  }
  const bool is_front = dot(n, surface_.normals[triangle]) > 0;
  place.least_slack = kNever;
  place.most_slack = -kNever;
  const auto add = [&](Real slack) {
    place.least_slack = std::min(place.least_slack, slack);
    place.most_slack = std::max(place.most_slack, slack);
  };
  // A round core's point is one of several nearest ones where the core is flat, and may lie beside
  // the triangle: all features stay open then.
  const Real aside = is_known ? (core_.has_corners() ? near : 1e-7L * (extent + size_)) : extent;
  const auto is_at = [&](std::size_t k) {
    return !is_known || distance_to_segment(place.point, surface_.corner(triangle, k),
                                            surface_.corner(triangle, (k + 1) % 3)) <= aside;
  };
  if (count == 3) add(is_front ? Real{-1} : kNever);
  for (std::size_t k = 0; k < 3; ++k) {
    if (is_foremost[k] && is_foremost[(k + 1) % 3] && (count == 2 || is_at(k))) {
      add(edge_slack(surface_, triangle, k, n));
    }
    if (!is_foremost[k]) continue;
    if (count == 1 || !is_known ||
        length(minus(place.point, surface_.corner(triangle, k))) <= aside) {
      add(vertex_slack(surface_, surface_.triangles[triangle][k], n));
    }
  }
  return place;
}

namespace {

/// The arc of directions at an edge: from a triangle's normal away from it, until the neighbour's.
/// A border has no neighbour: a solid goes on straight down there, so the arc ends level; another
/// surface's ends at a right angle to its front. Empty if the edge is level or concave.
std::vector<Vec<3>> felt_arc(const Surface& surface, std::size_t triangle, std::size_t k) {
  const Vec<3>& front = surface.normals[triangle];
  const Vec<3> out = times(surface.inward(triangle, surface.edge_of(triangle, k)), -1);
  Real turn = std::atan2(dot(front, surface.up), -dot(out, surface.up));
  if (length(surface.up) == 0) turn = std::numbers::pi_v<Real> / 2;
  for (const std::size_t t : surface.asked_at(triangle, k)) {
    if (t == triangle) continue;
    const Vec<3>& other = surface.normals[t];
    turn = std::atan2(dot(other, out), dot(other, front));
  }
  if (!(turn > 0)) return {};
  return {front, plus(times(front, std::cos(turn)), out, std::sin(turn))};
}

/// The part of an arc that has no component along any of `sides`, to rounding.
std::vector<Vec<3>> clipped_arc(const std::vector<Vec<3>>& arc, const std::vector<Vec<3>>& sides) {
  Real low = 0, high = 1;
  for (const Vec<3>& side : sides) {
    const Real from = dot(arc[0], side), to = dot(arc[1], side);
    if (from <= 1e-7L && to <= 1e-7L) continue;
    if (from >= -1e-7L && to >= -1e-7L) return {};
    (from > 0 ? low : high) =
        from > 0 ? std::max(low, from / (from - to)) : std::min(high, from / (from - to));
  }
  if (!(low < high)) return {};
  const auto between = [&](Real share) {
    return unit(plus(times(arc[0], 1 - share), arc[1], share));
  };
  return {between(low), between(high)};
}

}  // namespace

std::vector<FeltPart> felt_parts(const Surface& surface, std::size_t triangle) {
  std::vector<FeltPart> parts;
  const auto add = [&](const std::vector<Vec<3>>& feature, const std::vector<Vec<3>>& directions) {
    if (!directions.empty()) parts.push_back({feature, directions});
  };
  const Vec<3>&a = surface.corner(triangle, 0), &b = surface.corner(triangle, 1);
  const Vec<3>& c = surface.corner(triangle, 2);
  add({a, b, c}, {surface.normals[triangle]});
  add({a, b}, felt_arc(surface, triangle, 0));
  add({b, c}, felt_arc(surface, triangle, 1));
  add({c, a}, felt_arc(surface, triangle, 2));
  for (const std::size_t vertex : surface.triangles[triangle]) {
    const std::vector<Vec<3>> at{surface.vertices[vertex]};
    std::vector<Vec<3>> sides = surface.ring(vertex);
    // A cone may be as thin as the arcs that are its sides.
    for (const std::size_t t : surface.at_vertex[vertex]) {
      for (std::size_t k = 0; k < 3; ++k) {
        const Surface::Edge edge = surface.edge_of(t, k);
        if (edge.first != vertex && edge.second != vertex) continue;
        const std::vector<Vec<3>> arc = felt_arc(surface, t, k);
        if (!arc.empty()) add(at, clipped_arc(arc, sides));
      }
    }
    sides.push_back(times(surface.up, -1));
    if (!is_border_vertex(surface, vertex)) {
      sides.push_back(times(front_of_vertex(surface, vertex), -1));
    }
    for (const std::size_t octant : {0u, 1u, 2u, 3u, 4u, 5u, 6u, 7u}) {
      std::vector<Vec<3>> polygon;
      for (int axis = 0; axis < 3; ++axis) {
        Vec<3> direction{};
        direction[axis] = (octant >> axis & 1) != 0 ? -1 : 1;
        polygon.push_back(direction);
      }
      for (const Vec<3>& side : sides) polygon = clipped(polygon, side);
      for (std::size_t i = 2; i < polygon.size(); ++i) {
        add(at, {polygon[0], polygon[i - 1], polygon[i]});
      }
    }
  }
  return parts;
}

const std::vector<FeltPart>& SurfacePair::felt_at(std::size_t triangle) const {
  const auto [known, is_new] = felt_.try_emplace(triangle);
  if (is_new) known->second = felt_parts(surface_, triangle);
  return known->second;
}

SurfacePlace SurfacePair::crossing_place(std::size_t triangle) const {
  std::vector<std::vector<Vec<3>>> parts;
  for (const FeltPart& part : felt_at(triangle)) {
    if (length(surface_.up) > 0 && part.feature.size() < 3 && depth_below(part.feature) < 0) {
      continue;
    }
    parts.push_back(part.directions);
  }
  return least_over(triangle, parts);
}

Real SurfacePair::least_within(std::size_t triangle, const Vec<3>& n, Real angle) const {
  // A polygon around the cone's circle.
  constexpr int kSides = 16;
  constexpr Real kTurn = 2 * std::numbers::pi_v<Real> / kSides;
  const Vec<3> aside = unit(cross(n, std::abs(n[0]) < 0.6L ? Vec<3>{1, 0, 0} : Vec<3>{0, 1, 0}));
  const Vec<3> beyond = cross(n, aside);
  const auto corner = [&](int k) {
    const Real far = std::tan(angle) / std::cos(kTurn / 2);
    return unit(plus(plus(n, aside, far * std::cos(k * kTurn)), beyond, far * std::sin(k * kTurn)));
  };
  std::vector<std::vector<Vec<3>>> parts;
  for (int k = 0; k < kSides; ++k) parts.push_back({n, corner(k), corner(k + 1)});
  return least_over(triangle, parts).depth;
}

SurfacePlace SurfacePair::least_over(std::size_t triangle,
                                     const std::vector<std::vector<Vec<3>>>& parts) const {
  SurfacePlace place;
  place.triangle = triangle;
  place.crosses = true;
  // In the shape's size, so that no search depends on the unit.
  const Real scale = size_ > 0 ? size_ : 1;
  const auto narrow = [](const Vec<3>& v) {
    return Vec3d{static_cast<double>(v[0]), static_cast<double>(v[1]), static_cast<double>(v[2])};
  };
  const auto point = [&](Vec3d direction) {
    const Vec<3> n{direction.x, direction.y, direction.z};
    std::size_t foremost = 0;
    for (std::size_t k = 1; k < 3; ++k) {
      if (dot(surface_.corner(triangle, k), n) > dot(surface_.corner(triangle, foremost), n)) {
        foremost = k;
      }
    }
    const Vec<3> on_core = core_.point(times(n, -1));
    return narrow(times(minus(surface_.corner(triangle, foremost), on_core), 1 / scale));
  };
  FeltSearch search(point);
  for (const std::vector<Vec<3>>& part : parts) {
    std::vector<Vec3d> corners;
    for (const Vec<3>& corner : part) corners.push_back(narrow(corner));
    search.add(corners);
  }
  search.run(1e-10, 6000);
  place.normal = unit({search.normal().x, search.normal().y, search.normal().z});
  place.depth = search.upper() * scale + radius_;
  place.lower = search.lower() * scale + radius_;
  return place;
}

namespace {

/// How far `n` is from a part of the sphere: a corner, an arc, or within.
Real angle_to_part(const std::vector<Vec<3>>& part, const Vec<3>& n) {
  Real least = std::numeric_limits<Real>::infinity();
  bool is_within = part.size() == 3;
  for (std::size_t k = 0; k < part.size(); ++k) {
    least = std::min(least, length(minus(part[k], n)));
    if (part.size() == 1) continue;
    const Vec<3>&u = part[k], &v = part[(k + 1) % part.size()];
    const Vec<3> across = cross_of_units(u, v);
    const Real norm = length(across);
    if (!(norm > 0)) continue;
    const Vec<3> pole = times(across, 1 / norm);
    const Vec<3> foot = plus(n, pole, -dot(n, pole));
    if (dot(cross(u, foot), pole) >= 0 && dot(cross(foot, v), pole) >= 0) {
      least = std::min(least, std::abs(dot(n, pole)));
    }
    is_within = is_within && dot(n, pole) * dot(part[(k + 2) % 3], pole) >= 0;
  }
  if (is_within && dot(n, plus(plus(part[0], part[1]), part[2])) > 0) return 0;
  return least;
}

}  // namespace

Real SurfacePair::angle_to_felt(std::size_t triangle, const Vec<3>& n, Real tolerance) const {
  Real least = std::numeric_limits<Real>::infinity();
  for (const FeltPart& part : felt_at(triangle)) {
    const Real angle = angle_to_part(part.directions, n);
    if (!(angle < least)) continue;
    // A core that crosses a triangle beside its edge is behind the edge without meeting it.
    if (length(surface_.up) > 0 && depth_below(part.feature) < -tolerance) continue;
    least = angle;
  }
  return least;
}

std::pair<Real, Vec<3>> SurfacePair::gain_nearby(std::size_t triangle, const Vec<3>& n,
                                                 Real tolerance) const {
  const Real here = way_out(triangle, n);
  std::pair<Real, Vec<3>> most{0, n};
  // At a vertex of a border a core leaves nothing to its back.
  const auto is_in_front = [&](const FeltPart& felt, const Vec<3>& u) {
    if (length(surface_.up) > 0 || felt.feature.size() > 1) return true;
    for (const std::size_t vertex : surface_.triangles[triangle]) {
      if (length(minus(surface_.vertices[vertex], felt.feature[0])) > 0) continue;
      if (!is_border_vertex(surface_, vertex)) return true;
      for (const std::size_t t : surface_.at_vertex[vertex]) {
        if (dot(u, surface_.normals[t]) < 0) return false;
      }
    }
    return true;
  };
  for (const FeltPart& felt : felt_at(triangle)) {
    const std::vector<Vec<3>>& part = felt.directions;
    if (angle_to_part(part, n) > 1e-3L || !(depth_below(felt.feature) > tolerance)) continue;
    // Towards the corners, the middles of the sides and the middle.
    std::vector<Vec<3>> goals = part;
    Vec<3> middle{};
    for (std::size_t k = 0; k < part.size(); ++k) {
      goals.push_back(unit(plus(part[k], part[(k + 1) % part.size()])));
      middle = plus(middle, part[k]);
    }
    goals.push_back(unit(middle));
    for (const Vec<3>& goal : goals) {
      const Vec<3> way = minus(goal, n);
      const Real far = length(way);
      for (const Real step : {1e-3L, 3e-3L, 1e-2L}) {
        const Vec<3> there = step < far ? unit(plus(n, way, step / far)) : goal;
        if (!is_in_front(felt, there)) continue;
        const Real gain = here - way_out(triangle, there);
        if (gain > most.first) most = {gain, there};
      }
    }
  }
  return most;
}

Real SurfacePair::depth_in(const std::vector<Vec<3>>& corners) const {
  Polytope flat;
  flat.corners = corners;
  for (std::size_t k = 0; k + 1 < corners.size() + (corners.size() > 2 ? 1 : 0); ++k) {
    const std::size_t next = (k + 1) % corners.size();
    const Vec<3> along = direction_between(corners[k], corners[next]);
    flat.edges.push_back({k, next, along});
    flat.directions.push_back(along);
  }
  if (corners.size() == 3) {
    const Vec<3> across = cross(minus(corners[1], corners[0]), minus(corners[2], corners[0]));
    if (!(length(across) > 0)) return -std::numeric_limits<Real>::infinity();
    flat.normals = {unit(across)};
    flat.faces.push_back({flat.normals[0], {0, 1, 2}, flat.directions});
  }
  return least_way_out(flat);
}

Real SurfacePair::depth_below(const std::vector<Vec<3>>& corners) const {
  const auto [known, is_new] = known_->below.try_emplace(corners);
  if (is_new) known->second = searched_depth_below(corners);
  return known->second;
}

Real SurfacePair::searched_depth_below(const std::vector<Vec<3>>& corners) const {
  if (length(surface_.up) == 0) return depth_in(corners);
  // Between the feature and a copy far below the shape.
  Real far = 3 * size_;
  for (const Vec<3>& corner : corners) far = std::max(far, 3 * (length(corner) + size_));
  const Vec<3> down = times(surface_.up, -1);
  std::vector<Vec<3>> all = corners;
  for (const Vec<3>& corner : corners) all.push_back(plus(corner, down, far));
  if (corners.size() == 3) return least_way_out(exhausted_hull(all));
  Polytope flat;
  const auto add = [&](std::size_t from, std::size_t to, const Vec<3>& along) {
    flat.edges.push_back({from, to, along});
  };
  if (corners.size() == 1) {
    flat.corners = all;
    flat.directions = {down};
    add(0, 1, down);
    return least_way_out(flat);
  }
  const Vec<3> along = direction_between(corners[0], corners[1]);
  flat.corners = {all[0], all[1], all[3], all[2]};
  flat.directions = {along, down};
  flat.normals = {unit(cross(along, down))};
  flat.faces.push_back(
      {flat.normals[0], {0, 1, 2, 3}, {along, down, times(along, -1), times(down, -1)}});
  add(0, 1, along);
  add(1, 2, down);
  add(3, 2, along);
  add(0, 3, down);
  return least_way_out(flat);
}

bool SurfacePair::reaches_below(std::size_t triangle, Real tolerance) const {
  return depth_below({surface_.corner(triangle, 0), surface_.corner(triangle, 1),
                      surface_.corner(triangle, 2)}) >= -tolerance;
}

bool SurfacePair::reaches_top(std::size_t triangle, const Vec<3>& n, Real within,
                              Real tolerance) const {
  Real high = -std::numeric_limits<Real>::infinity();
  for (std::size_t k = 0; k < 3; ++k) high = std::max(high, dot(surface_.corner(triangle, k), n));
  std::vector<Vec<3>> part;
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec<3>&a = surface_.corner(triangle, k), &b = surface_.corner(triangle, (k + 1) % 3);
    const Real at_a = dot(a, n) - high + within, at_b = dot(b, n) - high + within;
    if (at_a > 0) part.push_back(a);
    if ((at_a > 0) != (at_b > 0)) part.push_back(plus(a, minus(b, a), at_a / (at_a - at_b)));
  }
  for (std::size_t k = 2; k < part.size(); ++k) {
    if (depth_below({part[0], part[k - 1], part[k]}) > tolerance) return true;
  }
  return false;
}

std::vector<BallPlace> ball_places(const Surface& surface, const Vec<3>& center, Real slack) {
  std::vector<BallPlace> places;
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    if (surface.numbers[t] < 0) continue;
    const Vec<3>& normal = surface.normals[t];
    const Real height = dot(minus(center, surface.corner(t, 0)), normal);
    const Vec<3> foot = plus(center, normal, -height);
    bool is_inside = true;
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec<3> in = surface.inward(t, surface.edge_of(t, k));
      const Vec<3> side = minus(surface.corner(t, (k + 1) % 3), surface.corner(t, k));
      const Real within = dot(minus(foot, surface.corner(t, k)), in);
      is_inside = is_inside && within > 1e-16L * length(side);  // else the edge has it
    }
    if (is_inside) {
      places.push_back({Feature::face, surface.numbers[t], foot, std::abs(height), -1});
    }
  }
  for (const auto& [edge, around] : surface.at_edge) {
    const Vec<3>&from = surface.vertices[edge.first], &to = surface.vertices[edge.second];
    const Vec<3> along = direction_between(from, to);
    const Real at = dot(minus(center, from), along);
    if (at <= 0 || at >= length(minus(to, from))) continue;
    const Vec<3> foot = plus(from, along, at);
    const Vec<3> away = minus(center, foot);
    const Real distance = length(away);
    if (!(distance > 0)) continue;
    const Vec<3> n = times(away, 1 / distance);
    const std::int32_t number = surface.lowest_at_edge(edge);
    if (number == std::numeric_limits<std::int32_t>::max()) continue;
    // Every triangle at the edge, also where it is a border.
    Real most = -std::numeric_limits<Real>::infinity();
    for (const std::size_t t : around) most = std::max(most, dot(n, surface.inward(t, edge)));
    if (most <= slack) places.push_back({Feature::edge, number, foot, distance, most});
  }
  for (std::size_t vertex = 0; vertex < surface.vertices.size(); ++vertex) {
    const std::int32_t number = surface.lowest_at_vertex(vertex);
    if (number == std::numeric_limits<std::int32_t>::max()) continue;
    const Vec<3> away = minus(center, surface.vertices[vertex]);
    const Real distance = length(away);
    if (!(distance > 0)) continue;
    const Real most = surface.slack_at_vertex(vertex, times(away, 1 / distance));
    if (most <= slack) {
      places.push_back({Feature::vertex, number, surface.vertices[vertex], distance, most});
    }
  }
  return places;
}

}  // namespace widephase::test
