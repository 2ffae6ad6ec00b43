#include <widephase/hulls.hpp>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>

#include "geometry/add_geometry.hpp"
#include "geometry/long_vector.hpp"
#include "geometry/orientation3.hpp"
#include "geometry/validate_hulls.hpp"
#include "soa/instantiate.hpp"

namespace widephase {

namespace {

template <class List>
auto& at(List& list, std::int32_t index) {
  return list[static_cast<std::size_t>(index)];
}

/// Joins the triangles of a hull into faces. A face is a ring of half-edges; joining two faces
/// takes their common edge out of both rings. No vertex ever vanishes. Two faces never share more
/// than one edge: a face that would lie along two edges of another stays separate.
class FaceJoiner {
 public:
  FaceJoiner(const std::vector<Point3>& points, const HullVertices& hull)
      : points_(points),
        hull_(hull),
        next_(count()),
        previous_(count()),
        face_(count()),
        areas_(count() / 3),
        cost_(count(), kNever) {
    for (std::int32_t h = 0; h < hull.mesh.size(); ++h) {
      at(next_, h) = TriangleMesh::next(h);
      at(previous_, h) = TriangleMesh::previous(h);
      at(face_, h) = h / 3;
      if (h % 3 == 0) add_cross(edge(h), edge(h + 1), at(areas_, h / 3));
    }
  }

  void join_all();
  /// The first half-edge of each face, at its vertex of the lowest `number`; faces ascend by them.
  std::vector<std::vector<std::int32_t>> rings(const std::vector<std::size_t>& numbers) const;
  std::int32_t origin(std::int32_t h) const { return at(hull_.mesh.origin, h); }
  std::int32_t twin(std::int32_t h) const { return at(hull_.mesh.twin, h); }

 private:
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  std::size_t count() const { return hull_.mesh.origin.size(); }
  const Point3& point(std::int32_t vertex) const { return at(points_, vertex); }

  /// Along a half-edge of a triangle.
  LongVector edge(std::int32_t h) const {
    return long_difference(point(origin(TriangleMesh::next(h))), point(origin(h)));
  }

  std::vector<std::int32_t> ring_without(std::int32_t h) const;
  std::vector<std::int32_t> joined_ring(std::int32_t h) const;
  double cost_of(std::int32_t h) const;
  bool are_in_one_plane(std::int32_t h) const;
  std::int32_t join(std::int32_t h);

  const std::vector<Point3>& points_;
  const HullVertices& hull_;
  std::vector<std::int32_t> next_;
  std::vector<std::int32_t> previous_;
  std::vector<std::int32_t> face_;
  std::vector<LongVector> areas_;  ///< of a face: along its normal, twice its area
  /// The cost of joining the faces on both sides of a half-edge, kept for its lower number. kNever
  /// for the other one, for removed edges, and where joining is not allowed.
  std::vector<double> cost_;
};

/// The half-edges of a face, starting after h.
std::vector<std::int32_t> FaceJoiner::ring_without(std::int32_t h) const {
  std::vector<std::int32_t> ring;
  for (std::int32_t e = at(next_, h); e != h; e = at(next_, e)) ring.push_back(e);
  return ring;
}

std::vector<std::int32_t> FaceJoiner::joined_ring(std::int32_t h) const {
  std::vector<std::int32_t> ring = ring_without(h);
  const std::vector<std::int32_t> other = ring_without(twin(h));
  ring.insert(ring.end(), other.begin(), other.end());
  return ring;
}

/// The thickness of a slab that holds the joined face and all of the hull above its vertices.
/// kNever if it exceeds the tolerance, or if the face is not convex or would share two edges.
double FaceJoiner::cost_of(std::int32_t h) const {
  const std::int32_t t = twin(h);
  LongVector area = at(areas_, at(face_, h));
  add(at(areas_, at(face_, t)), area);
  const Point3 normal = unit_of(area, size_of(area));
  const Point3 from = point(origin(h));
  const auto height = [&](std::int32_t v) { return dot(normal, difference(point(v), from)); };
  double low = 0, high = 0;
  for (const std::int32_t side : {h, t}) {
    for (std::int32_t e = at(next_, side); e != side; e = at(next_, e)) {
      low = std::min(low, height(origin(e)));
      high = std::max(high, height(origin(e)));
      if (!(high - low <= hull_.tolerance)) return kNever;
    }
  }
  for (const std::int32_t v : hull_.vertices) {
    high = std::max(high, height(v));
    if (!(high - low <= hull_.tolerance)) return kNever;
  }
  std::vector<std::int32_t> beside;
  for (const std::int32_t e : joined_ring(h)) beside.push_back(at(face_, twin(e)));
  std::sort(beside.begin(), beside.end());
  if (std::adjacent_find(beside.begin(), beside.end()) != beside.end()) return kNever;
  // The corners at both ends of the removed edge; others bend as before.
  for (const std::int32_t e : {h, t}) {
    const std::int32_t corners[] = {origin(at(previous_, e)), origin(e),
                                    origin(at(next_, at(next_, twin(e))))};
    LongVector turn;
    add_cross(long_difference(point(corners[1]), point(corners[0])),
              long_difference(point(corners[2]), point(corners[1])), turn);
    if (!(dot(normal, {turn.x.high, turn.y.high, turn.z.high}) > 0)) return kNever;
  }
  return high - low;
}

/// Whether the triangles that h lay between are in one plane, exactly.
bool FaceJoiner::are_in_one_plane(std::int32_t h) const {
  const auto apex = [&](std::int32_t e) { return point(origin(TriangleMesh::previous(e))); };
  const std::int32_t t = twin(h);
  return orientation(point(origin(h)), point(origin(t)), apex(h), apex(t)) == 0;
}

/// Returns a half-edge of the joined face.
std::int32_t FaceJoiner::join(std::int32_t h) {
  const std::int32_t t = twin(h);
  add(at(areas_, at(face_, t)), at(areas_, at(face_, h)));
  for (const std::int32_t e : ring_without(t)) at(face_, e) = at(face_, h);
  const std::int32_t after = at(next_, h);
  for (const auto& [from, to] :
       {std::pair(at(previous_, h), at(next_, t)), std::pair(at(previous_, t), after)}) {
    at(next_, from) = to;
    at(previous_, to) = from;
  }
  at(face_, h) = at(face_, t) = -1;
  at(cost_, h) = at(cost_, t) = kNever;
  return after;
}

void FaceJoiner::join_all() {
  // Triangles of one plane first, whatever divides it: then the division no longer matters.
  for (std::int32_t h = 0; h < hull_.mesh.size(); ++h) {
    if (h < twin(h) && are_in_one_plane(h)) join(h);
  }
  const auto update = [&](std::int32_t h) {
    const std::int32_t lower = std::min(h, twin(h));
    at(cost_, lower) = cost_of(lower);
  };
  for (std::int32_t h = 0; h < hull_.mesh.size(); ++h) {
    if (h < twin(h) && at(face_, h) >= 0) update(h);
  }
  for (;;) {
    const auto least = std::min_element(cost_.begin(), cost_.end());
    if (*least == kNever) return;
    const auto h = static_cast<std::int32_t>(least - cost_.begin());
    // Joins elsewhere may have changed which faces share an edge with both.
    const double known = *least;
    update(h);
    if (at(cost_, h) != known) continue;
    const std::int32_t after = join(h);
    update(after);
    for (const std::int32_t e : ring_without(after)) update(e);
  }
}

std::vector<std::vector<std::int32_t>> FaceJoiner::rings(
    const std::vector<std::size_t>& numbers) const {
  const auto number = [&](std::int32_t h) { return at(numbers, origin(h)); };
  std::vector<std::vector<std::int32_t>> list;
  std::vector<bool> is_done(count());
  for (std::int32_t h = 0; h < hull_.mesh.size(); ++h) {
    if (at(face_, h) < 0 || is_done[static_cast<std::size_t>(at(face_, h))]) continue;
    is_done[static_cast<std::size_t>(at(face_, h))] = true;
    std::vector<std::int32_t> ring = ring_without(h);
    ring.push_back(h);
    std::rotate(ring.begin(),
                std::min_element(ring.begin(), ring.end(),
                                 [&](auto a, auto b) { return number(a) < number(b); }),
                ring.end());
    list.push_back(std::move(ring));
  }
  std::sort(list.begin(), list.end(), [&](const auto& a, const auto& b) {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                        [&](auto p, auto q) { return number(p) < number(q); });
  });
  return list;
}

/// A rounded normal and the smallest offset that has all vertices behind it.
template <class T>
void add_plane(Point3 normal, const std::vector<std::array<double, 3>>& vertices,
               HullTopology<T>& topology) {
  const std::array<T, 3> rounded{static_cast<T>(normal.x), static_cast<T>(normal.y),
                                 static_cast<T>(normal.z)};
  double most = -std::numeric_limits<double>::infinity();
  for (const auto& v : vertices) {
    double product = 0;
    for (std::size_t k = 0; k < 3; ++k) product += static_cast<double>(rounded[k]) * v[k];
    most = std::max(most, product);
  }
  T offset = static_cast<T>(most);
  if (static_cast<double>(offset) < most) {
    offset = std::nextafter(offset, std::numeric_limits<T>::infinity());
  }
  topology.normals.push_back(rounded);
  topology.offsets.push_back({offset});
}

}  // namespace

template <class T>
HullTopology<T> topology_of(const CheckedHull& checked,
                            const std::vector<std::array<double, 3>>& vertices) {
  FaceJoiner joiner(checked.points.points, checked.hull);
  joiner.join_all();
  const auto rings = joiner.rings(checked.points.rows);
  HullTopology<T> topology;
  topology.face_offsets.push_back(0);
  std::vector<std::int32_t> places(checked.hull.mesh.origin.size(), -1);
  std::vector<std::int32_t> faces;  // of a place
  for (const auto& ring : rings) {
    std::vector<std::int32_t> corners;
    for (const std::int32_t h : ring) {
      const std::int32_t v = joiner.origin(h);
      corners.push_back(v);
      places[static_cast<std::size_t>(h)] = static_cast<std::int32_t>(faces.size());
      faces.push_back(topology.face_count());
      topology.face_vertices.push_back(
          static_cast<std::int32_t>(checked.points.rows[static_cast<std::size_t>(v)]));
    }
    add_plane(normal_of(checked.points.points, corners), vertices, topology);
    topology.face_offsets.push_back(static_cast<std::int32_t>(faces.size()));
  }
  for (const auto& ring : rings) {
    for (const std::int32_t h : ring) {
      topology.twins.push_back(places[static_cast<std::size_t>(joiner.twin(h))]);
    }
  }
  for (std::size_t i = 0; i < faces.size(); ++i) {
    const auto across = static_cast<std::size_t>(topology.twins[i]);
    const std::int32_t a = topology.face_vertices[i], b = topology.face_vertices[across];
    if (a < b) topology.edges.push_back({a, b, faces[i], faces[across]});
  }
  std::sort(topology.edges.begin(), topology.edges.end(),
            [](const auto& p, const auto& q) { return p.a != q.a ? p.a < q.a : p.b < q.b; });
  assert(vertices.size() + rings.size() == topology.edges.size() + 2);
  return topology;
}

template <class Storage>
HullTopology<typename Storage::Real> hull_topology(const GeometryTable<Storage>& hulls,
                                                   std::int32_t index) {
  return topology_of<typename Storage::Real>(checked_hull(hulls, index), vertices_of(hulls, index));
}

// NOLINTBEGIN(bugprone-macro-parentheses)
#define WIDEPHASE_INSTANTIATE(T)                                                           \
  template HullTopology<T> topology_of(const CheckedHull&,                                 \
                                       const std::vector<std::array<double, 3>>&);         \
  template HullTopology<T> hull_topology(const GeometryTable<Owned<3, T>>&, std::int32_t); \
  template HullTopology<T> hull_topology(const GeometryTable<Borrowed<3, T>>&, std::int32_t);
WIDEPHASE_FOR_EACH_REAL(WIDEPHASE_INSTANTIATE)
// NOLINTEND(bugprone-macro-parentheses)

}  // namespace widephase
