#include "reference/hull_polytope.hpp"

#include "reference/by_vertices.hpp"

namespace widephase::test {

namespace {

/// Adds `direction`, unless it or its opposite is already there within the rounding of unit
/// vectors.
void add_line(std::vector<Vec<3>>& lines, const Vec<3>& direction) {
  constexpr Real kSame = 1e-18L;
  for (const Vec<3>& line : lines) {
    if (length(minus(line, direction)) <= kSame || length(plus(line, direction)) <= kSame) return;
  }
  lines.push_back(direction);
}

/// The plane through three corners: its unit normal, and how far off a height above it may be due
/// to rounding.
struct CornerPlane {
  Vec<3> normal;
  Real rounding;
};

CornerPlane plane_through(const Vec<3>& u, const Vec<3>& v, const Vec<3>& w, Real extent) {
  const Vec<3> across = cross(minus(v, u), minus(w, u));
  const Real area = length(across);
  const Real longest = std::max({length(minus(v, u)), length(minus(w, u)), length(minus(w, v))});
  // The normal of a sliver is off by rounding divided by its width, which is area / longest.
  return {times(across, 1 / area), 1e-18L * extent * (1 + extent * longest / area)};
}

/// Sorts the corners of a face around it, starting with the lowest index.
void sort_about(std::vector<std::size_t>& face, const std::vector<Vec<3>>& corners,
                const Vec<3>& normal) {
  // Each step goes to the corner that has all others on its left. No two corners coincide, and none
  // lies between two others.
  std::vector<std::size_t> sorted{*std::min_element(face.begin(), face.end())};
  while (sorted.size() < face.size()) {
    const Vec<3>& from = corners[sorted.back()];
    const std::size_t none = corners.size();
    std::size_t next = none;
    for (const std::size_t corner : face) {
      if (std::find(sorted.begin(), sorted.end(), corner) != sorted.end()) continue;
      if (next == none ||
          dot(cross(minus(corners[next], from), minus(corners[corner], from)), normal) < 0) {
        next = corner;
      }
    }
    sorted.push_back(next);
  }
  face = sorted;
}

}  // namespace

Polytope exhausted_hull(const std::vector<Vec<3>>& corners) {
  Polytope result;
  result.corners = corners;
  const std::size_t count = corners.size();
  Real extent = 0;
  for (const Vec<3>& corner : corners) extent = std::max(extent, length(minus(corner, corners[0])));
  struct Found {
    std::set<std::size_t> corners;
    Vec<3> normal;
    Real rounding;
  };
  std::vector<Found> found;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = i + 1; j < count; ++j) {
      for (std::size_t k = j + 1; k < count; ++k) {
        const CornerPlane plane = plane_through(corners[i], corners[j], corners[k], extent);
        const auto height_of = [&](std::size_t other) {
          const bool is_own = other == i || other == j || other == k;
          return is_own ? 0 : dot(minus(corners[other], corners[i]), plane.normal);
        };
        bool has_above = false;
        bool has_below = false;
        for (std::size_t other = 0; other < count && !(has_above && has_below); ++other) {
          const Real height = height_of(other);
          has_above = has_above || height > plane.rounding;
          has_below = has_below || height < -plane.rounding;
        }
        if (has_above && has_below) continue;
        std::set<std::size_t> level;
        for (std::size_t other = 0; other < count; ++other) {
          if (std::abs(height_of(other)) <= plane.rounding) level.insert(other);
        }
        found.push_back({level, times(plane.normal, has_above ? -1 : 1), plane.rounding});
      }
    }
  }
  // Planes with the least rounding first: for a face with many corners, that of the widest
  // triangle.
  std::sort(found.begin(), found.end(), [](const Found& u, const Found& v) {
    return u.rounding != v.rounding ? u.rounding < v.rounding : u.corners < v.corners;
  });
  std::vector<std::set<std::size_t>> known;
  std::set<std::pair<std::size_t, std::size_t>> edges;
  for (const Found& plane : found) {
    const auto has_all = [&](const std::set<std::size_t>& larger) {
      return std::includes(larger.begin(), larger.end(), plane.corners.begin(),
                           plane.corners.end());
    };
    if (std::any_of(known.begin(), known.end(), has_all)) continue;
    known.push_back(plane.corners);
    PolytopeFace face{plane.normal, {plane.corners.begin(), plane.corners.end()}, {}};
    sort_about(face.corners, corners, face.normal);
    for (std::size_t i = 0; i < face.corners.size(); ++i) {
      const std::size_t from = face.corners[i];
      const std::size_t to = face.corners[(i + 1) % face.corners.size()];
      face.along.push_back(direction_between(corners[from], corners[to]));
      edges.insert(std::minmax(from, to));
    }
    add_line(result.normals, face.normal);
    result.faces.push_back(face);
  }
  for (const auto& [from, to] : edges) {
    result.edges.push_back({from, to, direction_between(corners[from], corners[to])});
    add_line(result.directions, result.edges.back().direction);
  }
  return result;
}

const Polytope& hull_polytope(const std::vector<Point<3>>& vertices) {
  return by_vertices(vertices, [&] {
    std::vector<Vec<3>> corners;
    for (const Point<3>& vertex : vertices) corners.push_back(widened(vertex));
    return exhausted_hull(corners);
  });
}

Polytope placed(Polytope polytope, const Vec<3>& center, const std::array<Vec<3>, 3>& axes) {
  const auto turn = [&](Vec<3>& v) {
    v = plus(plus(times(axes[0], v[0]), axes[1], v[1]), axes[2], v[2]);
  };
  for (Vec<3>& corner : polytope.corners) {
    turn(corner);
    corner = plus(center, corner);
  }
  for (PolytopeEdge& edge : polytope.edges) turn(edge.direction);
  for (PolytopeFace& face : polytope.faces) {
    turn(face.normal);
    for (Vec<3>& along : face.along) turn(along);
  }
  for (Vec<3>& direction : polytope.directions) turn(direction);
  for (Vec<3>& normal : polytope.normals) turn(normal);
  return polytope;
}

}  // namespace widephase::test
