#include "geometry/triangle_hull.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

#include "geometry/orientation3.hpp"

namespace widephase {

namespace {

struct Face {
  std::array<std::int32_t, 3> vertices{};
  OrientedPlane plane;
  double size;  ///< the length of the plane's normal; may vanish by rounding
  std::array<std::int32_t, 3> neighbours{};  ///< across the edge from vertex i to the next
  std::vector<std::int32_t> outside{};       ///< points strictly above, each in one face's list
  std::int32_t farthest = -1;                ///< the farthest of these
  double height = 0;                         ///< of the farthest, rounded
  bool is_gone = false;
  std::int32_t visit = -1;  ///< the last point that asked whether it sees this face
  bool is_seen = false;     ///< its answer
};

/// An edge between the faces that a new point sees and the others, along the seen face.
struct HorizonEdge {
  std::int32_t from;
  std::int32_t to;
  std::int32_t behind;  ///< the face on the other side, which stays
};

class Quickhull {
 public:
  Quickhull(const std::vector<Point3>& points, std::span<const std::int32_t> chosen)
      : points_(points), chosen_(chosen), edge_faces_(points.size(), -1) {}

  bool begin();
  void grow(std::int32_t most_vertices);
  void write(TriangleMesh& hull) const;

 private:
  const Point3& point(std::int32_t index) const { return points_[static_cast<std::size_t>(index)]; }
  Face& face(std::int32_t index) { return faces_[static_cast<std::size_t>(index)]; }
  double rounded_height(const Face& f, std::int32_t p) const {
    return f.size > 0 ? f.plane.scaled_height(point(p)) / f.size : 0;
  }

  std::int32_t add_face(std::array<std::int32_t, 3> vertices);
  bool give(std::int32_t p, std::int32_t to);
  void rank(std::int32_t from);
  std::int32_t take_highest_face();
  void see(std::int32_t p, std::int32_t first);
  void find_horizon();
  void add_point(std::int32_t p, std::int32_t seen_from);
  std::int32_t vertex_count() const { return (living_ + 4) / 2; }  // Euler's relation of triangles

  const std::vector<Point3>& points_;
  std::span<const std::int32_t> chosen_;
  std::vector<Face> faces_;
  std::int32_t living_ = 0;
  /// A heap of faces with points above, the highest first; removed faces stay in it.
  std::vector<std::pair<double, std::int32_t>> ranking_;
  std::vector<std::int32_t> seen_;
  std::vector<HorizonEdge> horizon_;
  std::vector<std::int32_t> edge_faces_;  ///< per point on the horizon: the new face from it
};

std::int32_t Quickhull::add_face(std::array<std::int32_t, 3> vertices) {
  const OrientedPlane plane(point(vertices[0]), point(vertices[1]), point(vertices[2]));
  faces_.push_back(Face{vertices, plane, length(plane.normal())});
  ++living_;
  return static_cast<std::int32_t>(faces_.size()) - 1;
}

/// Puts a point on a face's list if it lies strictly above.
bool Quickhull::give(std::int32_t p, std::int32_t to) {
  Face& f = face(to);
  if (f.plane.side(point(p)) <= 0) return false;
  const double height = rounded_height(f, p);
  if (f.outside.empty() || height > f.height) {
    f.farthest = p;
    f.height = height;
  }
  f.outside.push_back(p);
  return true;
}

/// A tetrahedron of points far apart. Rounded measures choose the points; exact signs confirm that
/// it is not flat.
bool Quickhull::begin() {
  if (chosen_.size() < 4) return false;
  const auto farthest = [&](const auto& measure, const auto& is_good) {
    std::int32_t best = -1;
    double most = 0;
    for (const std::int32_t p : chosen_) {
      const double value = measure(p);
      if ((best < 0 || value > most) && is_good(p)) {
        best = p;
        most = value;
      }
    }
    return best;
  };
  const std::int32_t a = chosen_[0];
  const std::int32_t b =
      farthest([&](std::int32_t p) { return length(difference(point(p), point(a))); },
               [&](std::int32_t p) { return p != a; });
  const Point3 ab = difference(point(b), point(a));
  std::int32_t c =
      farthest([&](std::int32_t p) { return length(cross(ab, difference(point(p), point(a)))); },
               [&](std::int32_t p) { return !are_on_one_line(point(a), point(b), point(p)); });
  if (c < 0) return false;
  const Point3 normal = cross(ab, difference(point(c), point(a)));
  const std::int32_t d = farthest(
      [&](std::int32_t p) { return std::abs(dot(normal, difference(point(p), point(a)))); },
      [&](std::int32_t p) { return orientation(point(a), point(b), point(c), point(p)) != 0; });
  if (d < 0) return false;
  std::int32_t second = b;
  if (orientation(point(a), point(b), point(c), point(d)) > 0) std::swap(second, c);
  // d lies below (a, second, c).
  const std::int32_t f[] = {add_face({a, second, c}), add_face({a, d, second}),
                            add_face({second, d, c}), add_face({c, d, a})};
  face(f[0]).neighbours = {f[1], f[2], f[3]};
  face(f[1]).neighbours = {f[3], f[2], f[0]};
  face(f[2]).neighbours = {f[1], f[3], f[0]};
  face(f[3]).neighbours = {f[2], f[1], f[0]};
  for (const std::int32_t p : chosen_) {
    if (p == a || p == b || p == c || p == second || p == d) continue;
    for (const std::int32_t to : f) {
      if (give(p, to)) break;
    }
  }
  rank(0);
  return true;
}

/// Puts the faces from `from` on into the ranking.
void Quickhull::rank(std::int32_t from) {
  for (auto i = from; i < static_cast<std::int32_t>(faces_.size()); ++i) {
    if (face(i).outside.empty()) continue;
    ranking_.emplace_back(face(i).height, i);
    std::push_heap(ranking_.begin(), ranking_.end());
  }
}

std::int32_t Quickhull::take_highest_face() {
  while (!ranking_.empty()) {
    std::pop_heap(ranking_.begin(), ranking_.end());
    const std::int32_t highest = ranking_.back().second;
    ranking_.pop_back();
    if (!face(highest).is_gone) return highest;
  }
  return -1;
}

/// Collects the faces that p is above or level with. Faces in whose plane p lies are removed too.
/// Then no edge of the horizon is collinear with p, since p would be in the plane of the face
/// behind it, and vertices that are no longer corners lose all their faces. If p moved outwards by
/// a hair it would see the same faces, so they are one patch.
void Quickhull::see(std::int32_t p, std::int32_t first) {
  seen_ = {first};
  face(first).visit = p;
  face(first).is_seen = true;
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    for (const std::int32_t next : face(seen_[i]).neighbours) {
      Face& f = face(next);
      if (f.visit == p) continue;
      f.visit = p;
      f.is_seen = f.plane.side(point(p)) >= 0;
      if (f.is_seen) seen_.push_back(next);
    }
  }
}

void Quickhull::find_horizon() {
  horizon_.clear();
  for (const std::int32_t index : seen_) {
    const Face& f = face(index);
    for (std::size_t i = 0; i < 3; ++i) {
      if (face(f.neighbours[i]).is_seen) continue;
      horizon_.push_back({f.vertices[i], f.vertices[i == 2 ? 0 : i + 1], f.neighbours[i]});
    }
  }
}

void Quickhull::add_point(std::int32_t p, std::int32_t seen_from) {
  see(p, seen_from);
  find_horizon();
  const auto first_added = static_cast<std::int32_t>(faces_.size());
  for (const HorizonEdge& edge : horizon_) {
    const std::int32_t added = add_face({edge.from, edge.to, p});
    edge_faces_[static_cast<std::size_t>(edge.from)] = added;
    face(added).neighbours[0] = edge.behind;
    Face& behind = face(edge.behind);
    for (std::size_t i = 0; i < 3; ++i) {
      if (behind.vertices[i] == edge.to) behind.neighbours[i] = added;
    }
  }
  for (std::size_t i = 0; i < horizon_.size(); ++i) {
    const std::int32_t left = first_added + static_cast<std::int32_t>(i);
    const std::int32_t right = edge_faces_[static_cast<std::size_t>(horizon_[i].to)];
    face(left).neighbours[1] = right;
    face(right).neighbours[2] = left;
  }
  // A point above a seen face and outside the new hull is above one of the new faces. Otherwise it
  // would lie beyond the hull on a ray from p; since p is not below the face, the point would be
  // below it.
  for (const std::int32_t index : seen_) {
    const std::vector<std::int32_t> outside = std::move(face(index).outside);
    face(index).is_gone = true;
    --living_;
    for (const std::int32_t q : outside) {
      if (q == p) continue;
      for (auto to = first_added; to < static_cast<std::int32_t>(faces_.size()); ++to) {
        if (give(q, to)) break;
      }
    }
  }
  rank(first_added);
}

void Quickhull::grow(std::int32_t most_vertices) {
  while (vertex_count() < most_vertices) {
    const std::int32_t from = take_highest_face();
    if (from < 0) return;
    add_point(face(from).farthest, from);
  }
}

void Quickhull::write(TriangleMesh& hull) const {
  std::vector<std::int32_t> places(faces_.size(), -1);
  std::int32_t count = 0;
  for (std::size_t i = 0; i < faces_.size(); ++i) {
    if (!faces_[i].is_gone) places[i] = count++;
  }
  for (const Face& f : faces_) {
    if (f.is_gone) continue;
    for (std::size_t i = 0; i < 3; ++i) {
      const auto across = static_cast<std::size_t>(f.neighbours[i]);
      const auto& around = faces_[across].vertices;
      const auto place = std::find(around.begin(), around.end(), f.vertices[i == 2 ? 0 : i + 1]);
      assert(place != around.end() && places[across] >= 0);
      hull.origin.push_back(f.vertices[i]);
      hull.twin.push_back(3 * places[across] + static_cast<std::int32_t>(place - around.begin()));
    }
  }
}

}  // namespace

bool find_triangle_hull(const std::vector<Point3>& points, std::span<const std::int32_t> chosen,
                        TriangleMesh& hull, std::int32_t most_vertices) {
  hull.origin.clear();
  hull.twin.clear();
  Quickhull quickhull(points, chosen);
  if (!quickhull.begin()) return false;
  quickhull.grow(most_vertices);
  quickhull.write(hull);
  return true;
}

std::vector<std::int32_t> half_edges_from(const TriangleMesh& hull, std::size_t point_count) {
  std::vector<std::int32_t> first(point_count, -1);
  for (std::int32_t h = hull.size() - 1; h >= 0; --h) {
    first[static_cast<std::size_t>(hull.origin[static_cast<std::size_t>(h)])] = h;
  }
  return first;
}

std::vector<std::int32_t> vertices_of(const TriangleMesh& hull) {
  std::vector<std::int32_t> vertices = hull.origin;
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  return vertices;
}

}  // namespace widephase
