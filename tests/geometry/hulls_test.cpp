// Hulls of any points: known solids, brute force, measures against formulas, what is refused.
// Labels: plain optimized other-compiler dated

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <vector>

#include "geometry/orientation3.hpp"
#include "geometry/validate_hulls.hpp"
#include "reference/scaled.hpp"
#include "support/hulls.hpp"

namespace widephase::test {
namespace {

const Vertices3 kCube{{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1},
                      {-1, -1, 1},  {1, -1, 1},  {-1, 1, 1},  {1, 1, 1}};

Vertices3 grid(int side) {
  Vertices3 points;
  for (int i = 0; i < side * side * side; ++i) {
    points.push_back({static_cast<double>(i % side), static_cast<double>(i / side % side),
                      static_cast<double>(i / side / side)});
  }
  return points;
}

Vertices3 ball(std::size_t count, Random& random) {
  Vertices3 points;
  while (points.size() < count) {
    const Vertex3 p{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    const double size = std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
    if (size > 1 || size < 0.1) continue;
    points.push_back({p[0] / size, p[1] / size, p[2] / size});
  }
  return points;
}

/// The points that are not a mixture of others, in O(n^4): corners of triangles with no point above
/// them and no point of their plane outside them.
std::set<Vertex3> brute_hull(const Vertices3& points) {
  const std::set<Vertex3> all(points.begin(), points.end());
  std::set<Vertex3> inside;
  const auto is_between = [](const Vertex3& p, const Vertex3& a, const Vertex3& b) {
    return p != a && p != b && are_on_one_line(point_of(p), point_of(a), point_of(b)) &&
           std::min(a, b) <= p && p <= std::max(a, b);
  };
  std::set<Vertex3> hull;
  for (const Vertex3& a : all) {
    for (const Vertex3& b : all) {
      for (const Vertex3& c : all) {
        if (!(a < b && a < c) || b == c) continue;
        if (are_on_one_line(point_of(a), point_of(b), point_of(c))) continue;
        const bool is_face = std::all_of(all.begin(), all.end(), [&](const Vertex3& p) {
          return orientation(point_of(a), point_of(b), point_of(c), point_of(p)) <= 0;
        });
        if (is_face) hull.insert({a, b, c});
      }
    }
  }
  // Points on faces between two others, or in a triangle of others, are not corners.
  std::set<Vertex3> corners = hull;
  for (const Vertex3& p : hull) {
    for (const Vertex3& a : hull) {
      for (const Vertex3& b : hull) {
        if (is_between(p, a, b)) corners.erase(p);
        for (const Vertex3& c : hull) {
          if (!(a < b && b < c) || p == a || p == b || p == c) continue;
          const Point3 q = point_of(p), u = point_of(a), v = point_of(b), w = point_of(c);
          if (are_on_one_line(u, v, w) || orientation(u, v, w, q) != 0) continue;
          // In the plane of the triangle: on the same side of its edges as seen from a point above.
          Point3 top = sum(q, cross(difference(v, u), difference(w, u)));
          const int first = orientation(u, v, top, q), second = orientation(v, w, top, q),
                    third = orientation(w, u, top, q);
          if (first == second && second == third) corners.erase(p);
        }
      }
    }
  }
  return corners;
}

template <class T>
HullTopology<T> surface_of(const Vertices3& points) {
  HullTable<T> table;
  add_hull(table, column_of<T>(points));
  return hull_topology(table, 0);
}

/// Counts of vertices, edges and faces, after checking all properties of the surface, in float and
/// double.
std::array<std::size_t, 3> counts_of(const Vertices3& points) {
  const auto in = [&]<class T>(T) {
    HullTable<T> table;
    add_hull(table, column_of<T>(points));
    double most_outside = 0;
    EXPECT_EQ(hull_problem(points, table, 0, most_outside), "");
    EXPECT_LE(most_outside, 1);
    const HullTopology<T> surface = hull_topology(table, 0);
    return std::array{table.vertices.size(), surface.edges.size(),
                      static_cast<std::size_t>(surface.face_count())};
  };
  EXPECT_EQ(in(float{}), in(double{}));
  return in(double{});
}

using Counts = std::array<std::size_t, 3>;

TEST(hulls, a_cube_has_eight_vertices_twelve_edges_and_six_faces) {
  EXPECT_EQ(counts_of(kCube), (Counts{8, 12, 6}));
  EXPECT_EQ(hull_of<float>(kCube), kCube);
  const HullTopology<double> surface = surface_of<double>(kCube);
  // The face at y = -1 from vertex 0 on: seen from -y, x to the right and z upwards.
  EXPECT_EQ(
      std::vector<std::int32_t>(surface.face_vertices.begin(), surface.face_vertices.begin() + 4),
      (std::vector<std::int32_t>{0, 1, 5, 4}));
  EXPECT_EQ(surface.normals.row(0), (std::array<double, 3>{0, -1, 0}));
  EXPECT_EQ(surface.offsets[0], 1);
  EXPECT_EQ(surface.edges[0], (HullEdge{0, 1, 0, 1}));
  EXPECT_EQ(surface.normals.row(1), (std::array<double, 3>{0, 0, -1}));
}

TEST(hulls, points_on_faces_on_edges_and_inside_vanish) {
  // Behind the corners: the centre, a face's centre, the middle of an edge, a corner again.
  Vertices3 points{{0, 0, 0}, {1, 0, 0}, {1, 1, 0.5}};
  points.insert(points.end(), kCube.begin(), kCube.end());
  points.push_back({1, 1, 1});
  EXPECT_EQ(hull_of<float>(points), kCube);
  EXPECT_EQ(hull_of<double>(points), kCube);
  EXPECT_EQ(counts_of(points), (Counts{8, 12, 6}));
}

TEST(hulls, grids_are_cubes) {
  Random random(1);
  for (int side = 2; side <= 5; ++side) {
    EXPECT_EQ(counts_of(shuffled(grid(side), random)), (Counts{8, 12, 6})) << side;
    // Turned, so that all coordinates are rounded: still the eight corners.
    for (std::size_t i = 0; i < scaled(20, 3); ++i) {
      const Vertices3 points = turned(grid(side), random, {0.5, -3, 1});
      EXPECT_EQ(counts_of(shuffled(points, random)), (Counts{8, 12, 6})) << side;
    }
  }
}

TEST(hulls, turned_solids_keep_their_faces) {
  // Prisms of n sides: 2n vertices, 3n edges, n + 2 faces; pyramids n + 1, 2n, n + 1.
  Random random(2);
  HullTable<double> table;
  for (const int sides : {3, 4, 5, 8, 17, 64, 127}) {
    const auto n = static_cast<std::size_t>(sides);
    const Vertices3 prism = vertices_of(table, add_cylinder_hull(table, sides, 0.5, 2));
    const Vertices3 pyramid = vertices_of(table, add_cone_hull(table, sides, 0.5, 2));
    for (std::size_t i = 0; i < scaled(10, 2); ++i) {
      EXPECT_EQ(counts_of(turned(prism, random, {1, -1, 0.5})), (Counts{2 * n, 3 * n, n + 2}));
      EXPECT_EQ(counts_of(turned(pyramid, random, {1, 2, 3})), (Counts{n + 1, 2 * n, n + 1}));
    }
  }
  const Vertices3 ball = vertices_of(table, add_icosphere_hull(table, 2, 1));
  EXPECT_EQ(counts_of(turned(ball, random)), (Counts{162, 480, 320}));
  // A dodecahedron: each face has five vertices.
  const double g = (1 + std::sqrt(5.0)) / 2;
  Vertices3 dodecahedron = kCube;
  for (const double a : {-1.0, 1.0}) {
    for (const double b : {-1.0, 1.0}) {
      dodecahedron.push_back({0, a / g, b * g});
      dodecahedron.push_back({a / g, b * g, 0});
      dodecahedron.push_back({b * g, 0, a / g});
    }
  }
  EXPECT_EQ(counts_of(dodecahedron), (Counts{20, 30, 12}));
  EXPECT_EQ(counts_of(turned(dodecahedron, random)), (Counts{20, 30, 12}));
}

TEST(hulls, needles_and_plates_keep_their_faces) {
  // A box of 1000 to 1, plates 1e-4 thick, turned: far above the tolerance of 2e-6 in float.
  Random random(3);
  HullTable<double> table;
  const Vertices3 needle = vertices_of(table, add_box_hull(table, 1000, 1, 1));
  const Vertices3 plate = vertices_of(table, add_box_hull(table, 1, 1, 5e-5));
  const Vertices3 sliver = vertices_of(table, add_cylinder_hull(table, 24, 5e-5, 1));
  EXPECT_EQ(counts_of(needle), (Counts{8, 12, 6}));
  EXPECT_EQ(counts_of(plate), (Counts{8, 12, 6}));
  EXPECT_EQ(counts_of(sliver), (Counts{48, 72, 26}));
  for (std::size_t i = 0; i < scaled(50, 5); ++i) {
    EXPECT_EQ(counts_of(turned(needle, random)), (Counts{8, 12, 6}));
    EXPECT_EQ(counts_of(turned(plate, random)), (Counts{8, 12, 6}));
    EXPECT_EQ(counts_of(turned(sliver, random)), (Counts{48, 72, 26}));
  }
}

TEST(hulls, vertices_keep_the_order_of_their_rows) {
  Random random(4);
  for (std::size_t i = 0; i < scaled(200, 20); ++i) {
    const Vertices3 points = shuffled(kCube, random);
    EXPECT_EQ(hull_of<float>(points), points);
  }
}

template <class T>
void expect_like_brute_force(const Vertices3& given) {
  const Vertices3 points = rows_of(column_of<T>(given));
  const std::set<Vertex3> expected = brute_hull(points);
  HullTable<T> table;
  const auto corner = [&](std::size_t i) {
    return point_of(*std::next(expected.begin(), static_cast<std::ptrdiff_t>(i)));
  };
  bool is_flat = true;
  for (std::size_t i = 3; i < expected.size(); ++i) {
    is_flat &= orientation(corner(0), corner(1), corner(2), corner(i)) == 0;
  }
  if (is_flat) {
    EXPECT_NE(error_of([&] { add_hull(table, column_of<T>(points)); }), "no error");
    return;
  }
  ASSERT_EQ(add_hull(table, column_of<T>(points)), 0);
  const Vertices3 hull = vertices_of(table, 0);
  EXPECT_EQ(std::set<Vertex3>(hull.begin(), hull.end()), expected);
  EXPECT_EQ(hull.size(), expected.size());
  double most_outside = 0;
  EXPECT_EQ(hull_problem(points, table, 0, most_outside), "");
  EXPECT_LE(most_outside, 0);
}

TEST(hulls, random_points_have_the_hull_of_brute_force) {
  Random random(5);
  for (std::size_t i = 0; i < scaled(300, 20); ++i) {
    const double size = std::pow(10, random.uniform(-3, 4));
    Vertices3 points(static_cast<std::size_t>(random.integer(4, 16)));
    const Vertex3 far{random.uniform(-9, 9), random.uniform(-9, 9), random.uniform(-9, 9)};
    for (Vertex3& p : points) {
      for (std::size_t k = 0; k < 3; ++k) p[k] = size * (far[k] + random.uniform(-1, 1));
    }
    expect_like_brute_force<float>(points);
    expect_like_brute_force<double>(points);
  }
}

TEST(hulls, small_grids_with_many_points_in_one_plane_and_duplicates) {
  Random random(6);
  for (std::size_t i = 0; i < scaled(300, 20); ++i) {
    // Whole numbers up to 2^20 away: exact in float too.
    const double far = random.chance(0.5) ? 0 : 1048576;
    const int side = random.integer(1, 3);
    Vertices3 points(static_cast<std::size_t>(random.integer(4, 18)));
    for (Vertex3& p : points) {
      p = {far + random.integer(0, side), random.integer(0, side) - far,
           static_cast<double>(random.integer(0, side))};
    }
    expect_like_brute_force<float>(points);
    expect_like_brute_force<double>(points);
  }
}

template <class T>
void expect_sound(const Vertices3& points, Random& random) {
  HullTable<T> table;
  ASSERT_EQ(add_hull(table, column_of<T>(points)), 0);
  double most_outside = 0;
  ASSERT_EQ(hull_problem(points, table, 0, most_outside), "");
  EXPECT_LE(most_outside, 2);
  const Vertices3 hull = vertices_of(table, 0);
  EXPECT_EQ(hull_of<T>(hull), hull);
  EXPECT_TRUE(hull_findings(borrow(table), 1).empty());
  // The same vertices, and the same faces, from shuffled points.
  HullTable<T> other;
  add_hull(other, column_of<T>(shuffled(points, random)));
  const Vertices3 again = vertices_of(other, 0);
  EXPECT_EQ(std::set<Vertex3>(again.begin(), again.end()),
            std::set<Vertex3>(hull.begin(), hull.end()));
  EXPECT_EQ(hull_topology(other, 0).edges.size(), hull_topology(table, 0).edges.size());
}

TEST(hulls, large_sets_are_inside_and_order_changes_nothing) {
  Random random(7);
  for (std::size_t i = 0; i < scaled(30, 3); ++i) {
    Vertices3 points = ball(static_cast<std::size_t>(random.integer(10, 250)), random);
    for (int k = 0; k < 2000; ++k) {
      points.push_back({random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), 0});
    }
    points = turned(points, random, {0, 1, 2});
    expect_sound<float>(points, random);
    expect_sound<double>(points, random);
  }
}

TEST(hulls, points_computed_on_faces_and_edges_add_no_vertices) {
  // Points on the faces of a tetrahedron, rounded: within the tolerance of them.
  Random random(8);
  for (std::size_t i = 0; i < scaled(100, 10); ++i) {
    const double size = std::pow(10, random.uniform(-3, 4));
    Vertices3 corners{
        {size, size, size}, {size, -size, -size}, {-size, size, -size}, {-size, -size, size}};
    corners = rows_of(column_of<float>(turned(corners, random)));
    Vertices3 points = corners;
    for (int k = 0; k < 300; ++k) {
      double share[4] = {random.uniform(0, 1), random.uniform(0, 1), random.uniform(0, 1), 0};
      if (k % 3 == 0) share[0] = 0;
      const double total = share[0] + share[1] + share[2];
      Vertex3 p{};
      for (std::size_t c = 0; c < 3; ++c) {
        for (std::size_t x = 0; x < 3; ++x) {
          p[x] += share[c] / total * corners[(c + static_cast<std::size_t>(k)) % 4][x];
        }
      }
      points.push_back(p);
    }
    EXPECT_EQ(hull_of<float>(points), corners) << i;
    EXPECT_EQ(hull_of<double>(points), corners) << i;
    expect_sound<float>(points, random);
  }
}

TEST(hulls, many_flat_vertices_are_thinned_out) {
  // Caps so flat that neighbours are within the tolerance: few vertices stay and no point sticks
  // out by more than twice the tolerance.
  Random random(9);
  for (std::size_t i = 0; i < scaled(20, 3); ++i) {
    const double bulge = std::pow(10, random.uniform(-6.5, -4));
    Vertices3 points;
    for (int k = 0; k < 400; ++k) {
      const double x = random.uniform(-1, 1), y = random.uniform(-1, 1);
      points.push_back({x, y, 1 + bulge * (2 - x * x - y * y)});
      points.push_back({x, y, -1 - bulge * (2 - x * x - y * y)});
    }
    HullTable<float> table;
    try {
      add_hull(table, column_of<float>(points));
    } catch (const Error&) {
      continue;  // more than 255 vertices: not of interest here
    }
    expect_sound<float>(points, random);
  }
}

TEST(hulls, solids_with_noise_around_the_tolerance) {
  // Points on the surface of solids, off by 1 / 4 to 512 epsilons. Some vertices are dropped and
  // some triangles joined; the result must always be valid.
  Random random(12);
  HullTable<double> solids;
  add_box_hull(solids, 1, 1, 1);
  add_box_hull(solids, 100, 1, 0.01);
  add_cylinder_hull(solids, 12, 1, 1);
  add_cone_hull(solids, 24, 1e-3, 1);
  add_icosphere_hull(solids, 1, 1);
  const auto in = [&]<class T>(T) {
    const Vertices3 corners = vertices_of(solids, random.integer(0, 4));
    const double noise = std::numeric_limits<T>::epsilon() * std::pow(2, random.uniform(-2, 9));
    Vertices3 points;
    for (std::size_t k = 0; k < 100; ++k) {
      const Vertex3& a = corners[k % corners.size()];
      const Vertex3& b = corners[random.bits() % corners.size()];
      const double share = k < corners.size() ? 0 : random.uniform(0, 1);
      Vertex3 p{};
      for (std::size_t x = 0; x < 3; ++x) {
        p[x] = a[x] + share * (b[x] - a[x]) + noise * extent_of(corners) * random.uniform(-1, 1);
      }
      points.push_back(p);
    }
    expect_sound<T>(turned(points, random), random);
  };
  for (std::size_t i = 0; i < scaled(200, 20); ++i) {
    in(float{});
    in(double{});
  }
}

TEST(hulls, clusters_at_the_corners_of_a_cube_are_one_vertex_each) {
  // 20 points within 1 epsilon of each corner.
  Random random(10);
  Vertices3 points;
  const double epsilon = std::numeric_limits<float>::epsilon();
  for (int k = 0; k < 160; ++k) {
    Vertex3 p = kCube[static_cast<std::size_t>(k % 8)];
    for (double& value : p) value += epsilon * random.integer(-1, 1);
    points.push_back(p);
  }
  expect_sound<float>(points, random);
  EXPECT_EQ(hull_of<float>(points).size(), 8u);
  // In double they are many.
  EXPECT_GT(hull_of<double>(points).size(), 8u);
}

TEST(hulls, vertices_within_the_tolerance_are_dropped) {
  // A tip `height` above the middle of a cube's face; the tolerance is 16 epsilons of the extent,
  // which is 2.
  const auto vertices = []<class T>(T, double height, double size) {
    Vertices3 points = kCube;
    points.push_back({0, 0.25, 1 + height});
    for (Vertex3& p : points) p = {size * p[0], size * p[1], size * p[2]};
    return hull_of<T>(points).size();
  };
  for (const double size : {1.0, 16384.0, 0x1p-10}) {
    const double narrow = std::numeric_limits<double>::epsilon();
    EXPECT_EQ(vertices(double{}, 31 * narrow, size), 8u);
    EXPECT_EQ(vertices(double{}, 34 * narrow, size), 9u);
    const double wide = std::numeric_limits<float>::epsilon();
    EXPECT_EQ(vertices(float{}, 31 * wide, size), 8u);
    EXPECT_EQ(vertices(float{}, 34 * wide, size), 9u);
  }
}

TEST(hulls, plates_thinner_than_a_third_of_the_tolerance_are_refused) {
  // The tolerance is 16 epsilons of the extent, which is 2; plates of four of it are hulls.
  Random random(11);
  const double tolerance = 2 * kFlatHullEpsilons * std::numeric_limits<float>::epsilon();
  for (std::size_t i = 0; i < scaled(200, 20); ++i) {
    const auto error_at = [&](double thickness) {
      Vertices3 points{{-1, -1, 0}, {1, -1, 0}, {-1, 1, 0}, {1, 1, thickness}};
      for (int k = random.integer(0, 40); k > 0; --k) {
        points.push_back({random.uniform(-1, 1), random.uniform(-1, 1), thickness * (k % 2)});
      }
      HullTable<float> table;
      return error_of([&] { add_hull(table, column_of<float>(points)); });
    };
    EXPECT_EQ(error_at(tolerance / 3),
              "points has its points in a plane, within 16 epsilons of its extent; a hull needs 4 "
              "that span a volume");
    EXPECT_EQ(error_at(4 * tolerance), "no error");
  }
}

TEST(hulls, faces_within_the_tolerance_are_joined) {
  // A cube with one corner of its top moved down by `depth`: one face or two triangles.
  const auto faces = []<class T>(T, double depth) {
    Vertices3 points = kCube;
    points[7][2] -= depth;
    return surface_of<T>(points).face_count();
  };
  const double epsilon = std::numeric_limits<double>::epsilon();
  EXPECT_EQ(faces(double{}, 8 * epsilon), 6);
  EXPECT_EQ(faces(double{}, 31 * epsilon), 6);
  EXPECT_EQ(faces(double{}, 132 * epsilon), 7);
  const double wide = std::numeric_limits<float>::epsilon();
  EXPECT_EQ(faces(float{}, 31 * wide), 6);
  EXPECT_EQ(faces(float{}, 132 * wide), 7);
}

TEST(hulls, far_from_the_origin_no_digit_is_lost) {
  // A cube of side 2^-9 near 1024, where floats are 2^-13 apart, and a corner one step farther out.
  Vertices3 points;
  for (const Vertex3& p : kCube) {
    points.push_back({1024 + p[0] * 0x1p-9, -1024 + p[1] * 0x1p-9, 1024 + p[2] * 0x1p-9});
  }
  EXPECT_EQ(counts_of(points), (Counts{8, 12, 6}));
  points[7][2] += 0x1p-13;
  const HullTopology<float> surface = surface_of<float>(points);
  EXPECT_EQ(surface.face_count(), 7);  // two triangles on top
}

}  // namespace
}  // namespace widephase::test
