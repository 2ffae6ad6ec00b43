#include <widephase/hulls.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/find_hull.hpp"
#include "geometry/validate_hulls.hpp"
#include "soa/instantiate.hpp"
#include "soa/turn.hpp"

namespace widephase {

namespace {

using Point = std::array<double, 3>;

/// Calls `visit(a, b, c)` for each triangle of a mesh.
template <class Visit>
void for_each_triangle(const std::vector<Point3>& points, const TriangleMesh& mesh, Visit visit) {
  const auto corner = [&](std::size_t h) {
    return points[static_cast<std::size_t>(mesh.origin[h])];
  };
  for (std::size_t h = 0; h < mesh.origin.size(); h += 3) {
    visit(corner(h), corner(h + 1), corner(h + 2));
  }
}

struct SolidSum {
  double volume = 0;
  Point3 moment;  ///< the integral of the position
};

/// Tetrahedra from one point of the hull to its triangles: no volume is negative.
SolidSum sum_of_solid(const std::vector<Point3>& points, const TriangleMesh& mesh, Point3 from) {
  SolidSum total;
  for_each_triangle(points, mesh, [&](Point3 a, Point3 b, Point3 c) {
    const Point3 p = difference(a, from), q = difference(b, from), r = difference(c, from);
    const double volume = dot(p, cross(q, r)) / 6;
    total.volume += volume;
    total.moment = sum(total.moment, times(volume / 4, sum(p, sum(q, r))));
  });
  return total;
}

/// The integrals of xx, yy, zz, xy, xz, yz relative to a point inside.
std::array<double, 6> second_moments(const std::vector<Point3>& points, const TriangleMesh& mesh,
                                     Point3 from) {
  std::array<double, 6> total{};
  for_each_triangle(points, mesh, [&](Point3 a, Point3 b, Point3 c) {
    const Point3 p = difference(a, from), q = difference(b, from), r = difference(c, from);
    const double share = dot(p, cross(q, r)) / 120;
    const Point3 s = sum(p, sum(q, r));
    const auto add = [&](std::size_t entry, double Point3::* i, double Point3::* k) {
      total[entry] += share * (p.*i * (p.*k) + q.*i * (q.*k) + r.*i * (r.*k) + s.*i * (s.*k));
    };
    add(0, &Point3::x, &Point3::x);
    add(1, &Point3::y, &Point3::y);
    add(2, &Point3::z, &Point3::z);
    add(3, &Point3::x, &Point3::y);
    add(4, &Point3::x, &Point3::z);
    add(5, &Point3::y, &Point3::z);
  });
  return total;
}

/// The rows of `given` that are its hull, as add_hull promises, or why there is none.
std::optional<Refusal> find_rows(const std::vector<Point>& given, double epsilon,
                                 std::vector<std::size_t>& rows) {
  HullPoints points;
  HullVertices hull;
  if (auto refusal = find_hull(given, epsilon, points, hull)) return refusal;
  if (hull.vertices.size() > static_cast<std::size_t>(kMostHullVertices)) {
    return Refusal{-1, "has a hull of " + number(hull.vertices.size()) +
                           " vertices; a hull has at most " + number(kMostHullVertices) +
                           ", and add_hull with max_vertices makes a simpler one"};
  }
  rows.clear();
  for (const std::int32_t v : hull.vertices) {
    rows.push_back(points.rows[static_cast<std::size_t>(v)]);
  }
  std::sort(rows.begin(), rows.end());
  return std::nullopt;
}

template <class T>
std::int32_t add_points(GeometryTable<Owned<3, T>>& hulls, const ColumnSpan<T, 3>& column) {
  require_layout("points", column);
  const std::vector<Point> points = points_of<T, 3>(column, 0, column.size());
  std::vector<std::size_t> rows;
  const auto refusal = find_rows(points, std::numeric_limits<T>::epsilon(), rows);
  if (refusal) throw refused_points<3>(*refusal);
  return append_geometry(hulls, points, rows);
}

/// A regular polygon around the z axis, at a given height.
template <class T>
void add_ring(int sides, T radius, T height, Column<T, 3>& points) {
  for (int i = 0; i < sides; ++i) {
    const Turn2<double> turn = turn_of_part(i, sides);
    points.push_back({static_cast<T>(static_cast<double>(radius) * turn.cosine),
                      static_cast<T>(static_cast<double>(radius) * turn.sine), height});
  }
}

/// An icosahedron and its triangles: the corners of three rectangles in the golden ratio.
void make_icosahedron(std::vector<Point3>& points, TriangleMesh& mesh) {
  const double golden = (1 + std::sqrt(5.0)) / 2;
  points.clear();
  for (const double one : {-1.0, 1.0}) {
    for (const double side : {-golden, golden}) {
      points.push_back({0, one, side});
      points.push_back({side, 0, one});
      points.push_back({one, side, 0});
    }
  }
  std::vector<std::int32_t> all;
  for (std::int32_t i = 0; i < 12; ++i) all.push_back(i);
  find_triangle_hull(points, all, mesh);
}

template <class T>
void build_hulls(GeometryTable<Owned<3, T>>& hulls, std::vector<Finding>* refused) {
  const GeometryTable<Borrowed<3, T>> given{hulls.vertices, hulls.offsets, hulls.inner};
  if (auto finding = wrong_hull_layout(given)) throw Error(*std::move(finding));
  const auto find = [](const std::vector<Point>& points, std::vector<std::size_t>& rows) {
    return find_rows(points, std::numeric_limits<T>::epsilon(), rows);
  };
  hulls = convex_table(hulls, find, refused);
}

}  // namespace

std::optional<Refusal> find_hull(const std::vector<Point>& given, double epsilon,
                                 HullPoints& points, HullVertices& hull) {
  if (auto refusal = refuse_numbers(given)) return refusal;
  points = hull_points(given);
  if (points.points.size() < kFewestHullVertices) {
    return Refusal{-1, "has fewer than 4 distinct points; a hull needs 4 that span a volume"};
  }
  const Flatness flatness = find_hull_vertices(points.points, kFlatHullEpsilons * epsilon, hull);
  if (flatness == Flatness::none) return std::nullopt;
  return Refusal{-1, std::string("has its points ") +
                         (flatness == Flatness::line ? "on a line" : "in a plane") + ", within " +
                         number(static_cast<int>(kFlatHullEpsilons)) +
                         " epsilons of its extent; a hull needs 4 that span a volume"};
}

Point3 centroid_of(const std::vector<Point3>& points, const TriangleMesh& mesh) {
  const Point3 from = points[static_cast<std::size_t>(mesh.origin[0])];
  const SolidSum total = sum_of_solid(points, mesh, from);
  return sum(from, times(1 / total.volume, total.moment));
}

template <class T>
std::int32_t add_hull(GeometryTable<Owned<3, T>>& hulls,
                      const std::type_identity_t<ColumnSpan<T, 3>>& points) {
  return add_points(hulls, points);
}

template <class T>
std::int32_t add_box_hull(GeometryTable<Owned<3, T>>& hulls, std::type_identity_t<T> half_x,
                          std::type_identity_t<T> half_y, std::type_identity_t<T> half_z) {
  expect_length("half_x", half_x);
  expect_length("half_y", half_y);
  expect_length("half_z", half_z);
  Column<T, 3> points;
  for (int i = 0; i < 8; ++i) {
    points.push_back({(i & 1) != 0 ? half_x : -half_x, (i & 2) != 0 ? half_y : -half_y,
                      (i & 4) != 0 ? half_z : -half_z});
  }
  return add_points(hulls, points.span());
}

template <class T>
std::int32_t add_tetrahedron_hull(GeometryTable<Owned<3, T>>& hulls,
                                  std::type_identity_t<T> circumradius) {
  expect_length("circumradius", circumradius);
  const T c = static_cast<T>(static_cast<double>(circumradius) / std::sqrt(3.0));
  const Column<T, 3> points{{c, c, c}, {c, -c, -c}, {-c, c, -c}, {-c, -c, c}};
  return add_points(hulls, points.span());
}

template <class T>
std::int32_t add_cylinder_hull(GeometryTable<Owned<3, T>>& hulls, int sides,
                               std::type_identity_t<T> half_height,
                               std::type_identity_t<T> radius) {
  expect_count("sides", sides, 3, kMostHullVertices / 2);
  expect_length("half_height", half_height);
  expect_length("radius", radius);
  Column<T, 3> points;
  add_ring(sides, radius, -half_height, points);
  add_ring(sides, radius, half_height, points);
  return add_points(hulls, points.span());
}

template <class T>
std::int32_t add_cone_hull(GeometryTable<Owned<3, T>>& hulls, int sides,
                           std::type_identity_t<T> half_height, std::type_identity_t<T> radius) {
  expect_count("sides", sides, 3, kMostHullVertices - 1);
  expect_length("half_height", half_height);
  expect_length("radius", radius);
  Column<T, 3> points;
  add_ring(sides, radius, -half_height, points);
  points.push_back({0, 0, half_height});
  return add_points(hulls, points.span());
}

template <class T>
std::int32_t add_icosphere_hull(GeometryTable<Owned<3, T>>& hulls, int subdivisions,
                                std::type_identity_t<T> radius) {
  expect_count("subdivisions", subdivisions, 0, 2);
  expect_length("radius", radius);
  std::vector<Point3> points;
  TriangleMesh mesh;
  make_icosahedron(points, mesh);
  for (int i = 0; i < subdivisions; ++i) {
    const std::size_t corners = points.size();
    for (std::size_t h = 0; h < mesh.origin.size(); ++h) {
      const auto next = static_cast<std::size_t>(TriangleMesh::next(static_cast<std::int32_t>(h)));
      const auto a = static_cast<std::size_t>(mesh.origin[h]);
      const auto b = static_cast<std::size_t>(mesh.origin[next]);
      if (a < b) points.push_back(times(0.5, sum(points[a], points[b])));
    }
    // Move all onto one sphere before the next halving.
    for (std::size_t p = corners; p < points.size(); ++p) {
      points[p] = times(length(points[0]) / length(points[p]), points[p]);
    }
    std::vector<std::int32_t> all(points.size());
    for (std::size_t p = 0; p < all.size(); ++p) all[p] = static_cast<std::int32_t>(p);
    find_triangle_hull(points, all, mesh);
  }
  Column<T, 3> column;
  for (const Point3& p : points) {
    const Point3 on = times(static_cast<double>(radius) / length(p), p);
    column.push_back({static_cast<T>(on.x), static_cast<T>(on.y), static_cast<T>(on.z)});
  }
  return add_points(hulls, column.span());
}

template <class T>
void make_convex(GeometryTable<Owned<3, T>>& hulls) {
  build_hulls(hulls, nullptr);
}

template <class T>
void make_convex(GeometryTable<Owned<3, T>>& hulls, std::vector<Finding>& refused) {
  refused.clear();
  build_hulls(hulls, &refused);
}

template <class T>
HullProperties<T> properties_of(const CheckedHull& checked) {
  const std::vector<Point3>& points = checked.points.points;
  const Point3 from = points[0];
  const SolidSum total = sum_of_solid(points, checked.hull.mesh, from);
  const Point3 centroid = sum(from, times(1 / total.volume, total.moment));
  // Again from the centroid: all terms are positive, where the parallel axis theorem would
  // subtract.
  const std::array<double, 6> m = second_moments(points, checked.hull.mesh, centroid);
  const auto scaled = [&](double value, int power) {
    return static_cast<T>(std::ldexp(value, power * checked.points.exponent));
  };
  return {scaled(total.volume, 3),
          {scaled(centroid.x, 1), scaled(centroid.y, 1), scaled(centroid.z, 1)},
          {scaled(m[1] + m[2], 5), scaled(m[0] + m[2], 5), scaled(m[0] + m[1], 5), scaled(-m[3], 5),
           scaled(-m[4], 5), scaled(-m[5], 5)}};
}

template <template <int, class> class Storage, class T>
HullProperties<T> properties(const GeometryTable<Storage<3, T>>& hulls, std::int32_t index) {
  return properties_of<T>(checked_hull(hulls, index));
}

// NOLINTBEGIN(bugprone-macro-parentheses)
#define WIDEPHASE_INSTANTIATE(T)                                                          \
  template std::int32_t add_hull(GeometryTable<Owned<3, T>>&, const ColumnSpan<T, 3>&);   \
  template std::int32_t add_box_hull(GeometryTable<Owned<3, T>>&, T, T, T);               \
  template std::int32_t add_tetrahedron_hull(GeometryTable<Owned<3, T>>&, T);             \
  template std::int32_t add_cylinder_hull(GeometryTable<Owned<3, T>>&, int, T, T);        \
  template std::int32_t add_cone_hull(GeometryTable<Owned<3, T>>&, int, T, T);            \
  template std::int32_t add_icosphere_hull(GeometryTable<Owned<3, T>>&, int, T);          \
  template void make_convex(GeometryTable<Owned<3, T>>&);                                 \
  template void make_convex(GeometryTable<Owned<3, T>>&, std::vector<Finding>&);          \
  template HullProperties<T> properties_of(const CheckedHull&);                           \
  template HullProperties<T> properties(const GeometryTable<Owned<3, T>>&, std::int32_t); \
  template HullProperties<T> properties(const GeometryTable<Borrowed<3, T>>&, std::int32_t);
WIDEPHASE_FOR_EACH_REAL(WIDEPHASE_INSTANTIATE)
// NOLINTEND(bugprone-macro-parentheses)

}  // namespace widephase
