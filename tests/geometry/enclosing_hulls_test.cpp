// add_hull with max_vertices: the simpler hull encloses all points and exceeds them as it reports.
// Labels: plain long dated

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "geometry/orientation3.hpp"
#include "geometry/triangle_hull.hpp"
#include "reference/scaled.hpp"
#include "support/hulls.hpp"

namespace widephase::test {
namespace {

const Vertices3 kCube{{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1},
                      {-1, -1, 1},  {1, -1, 1},  {-1, 1, 1},  {1, 1, 1}};

std::vector<Point3> points_of(const Vertices3& given) {
  std::vector<Point3> points;
  for (const Vertex3& p : given) points.push_back(point_of(p));
  return points;
}

TriangleMesh mesh_of(const std::vector<Point3>& points) {
  std::vector<std::int32_t> all(points.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::int32_t>(i);
  TriangleMesh mesh;
  EXPECT_TRUE(find_triangle_hull(points, all, mesh));
  return mesh;
}

/// Whether every point is inside or on the exact hull of the vertices.
bool encloses(const Vertices3& vertices, const Vertices3& given) {
  const std::vector<Point3> corners = points_of(vertices), points = points_of(given);
  const TriangleMesh mesh = mesh_of(corners);
  for (std::size_t h = 0; h < mesh.origin.size(); h += 3) {
    const auto corner = [&](std::size_t i) {
      return corners[static_cast<std::size_t>(mesh.origin[h + i])];
    };
    for (const Point3& p : points) {
      if (orientation(corner(0), corner(1), corner(2), p) > 0) return false;
    }
  }
  return true;
}

struct Between {
  double low = 0;
  double high = 0;
};

/// Bounds the distance of a point from the hull of points from both sides (Frank and Wolfe). Each
/// step goes from a point of the hull towards the support point along the remaining vector. The
/// length of that vector is an upper bound, and the plane perpendicular to it through the support
/// point gives a lower bound.
Between distance_to_hull(Vertex3 from, const Vertices3& points) {
  Vertex3 nearest = points[0];
  Between distance;
  for (int i = 0; i < 2000; ++i) {
    Vertex3 left{};
    for (std::size_t k = 0; k < 3; ++k) left[k] = from[k] - nearest[k];
    const auto along = [&](const Vertex3& p) {
      return left[0] * p[0] + left[1] * p[1] + left[2] * p[2];
    };
    const Vertex3 far =
        *std::max_element(points.begin(), points.end(),
                          [&](const Vertex3& a, const Vertex3& b) { return along(a) < along(b); });
    distance.high = std::sqrt(left[0] * left[0] + left[1] * left[1] + left[2] * left[2]);
    double square = 0, gain = 0, gap = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      square += (far[k] - nearest[k]) * (far[k] - nearest[k]);
      gain += (far[k] - nearest[k]) * left[k];
      gap += (from[k] - far[k]) * left[k];
    }
    if (distance.high > 0) distance.low = std::max(distance.low, gap / distance.high);
    if (gain <= 0 || square == 0) break;
    const double step = std::min(1.0, gain / square);
    for (std::size_t k = 0; k < 3; ++k) nearest[k] += step * (far[k] - nearest[k]);
  }
  return distance;
}

template <class T>
double expect_simpler(const Vertices3& given, int max_vertices) {
  const Vertices3 points = rows_of(column_of<T>(given));
  HullTable<T> table;
  const SimplerHull<T> simpler = add_hull(table, column_of<T>(points), max_vertices);
  EXPECT_EQ(simpler.index, 0);
  const Vertices3 hull = vertices_of(table, 0);
  EXPECT_LE(hull.size(), static_cast<std::size_t>(max_vertices));
  EXPECT_TRUE(encloses(hull, points));
  EXPECT_EQ(surface_problem(hull, hull_topology(table, 0)), "");
  EXPECT_EQ(hull_of<T>(hull), hull);
  Between excess;
  for (const Vertex3& v : hull) {
    const Between distance = distance_to_hull(v, points);
    excess = {std::max(excess.low, distance.low), std::max(excess.high, distance.high)};
  }
  // The reported excess is at least the distance, and hardly more.
  const double size = extent_of(points);
  const auto reported = static_cast<double>(simpler.excess);
  EXPECT_LE(excess.low, reported + 1e-14 * size);
  EXPECT_GE(excess.high, reported * (1 - 1e-6) - 1e-14 * size);
  EXPECT_LE(excess.high - excess.low, 0.02 * size);
  return static_cast<double>(simpler.excess) / size;
}

TEST(enclosing_hulls, a_hull_of_few_enough_vertices_stays_as_it_is) {
  Random random(1);
  Vertices3 points = kCube;
  for (int i = 0; i < 50; ++i) {
    points.push_back({random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)});
  }
  points = shuffled(points, random);
  for (const int most : {8, 9, 255}) {
    HullTable<float> plain, simpler;
    add_hull(plain, column_of<float>(points));
    const auto report = add_hull(simpler, column_of<float>(points), most);
    EXPECT_EQ(report.excess, 0);
    EXPECT_EQ(vertices_of(simpler, 0), vertices_of(plain, 0));
  }
}

TEST(enclosing_hulls, points_outside_within_the_tolerance_are_enclosed_too) {
  // A rotated grid: rounding makes points stick out of the hull of the eight corners.
  Random random(2);
  Vertices3 points;
  for (int i = 0; i < 125; ++i) {
    points.push_back({i % 5 - 2.0, i / 5 % 5 - 2.0, i / 25 - 2.0});
  }
  for (std::size_t i = 0; i < scaled(50, 5); ++i) {
    const Vertices3 turn = turned(points, random, {1, 2, 3});
    EXPECT_LE(expect_simpler<float>(turn, 8), 100 * std::numeric_limits<float>::epsilon());
    EXPECT_LE(expect_simpler<double>(turn, 8), 100 * std::numeric_limits<double>::epsilon());
  }
}

TEST(enclosing_hulls, a_cube_in_a_tetrahedron) {
  // The regular one around a cube of half side 1 that shares its axes: vertices at 3 (+-1, +-1,
  // +-1), which is 2 sqrt(3) from the cube. Corners of the cube, scaled up, are much farther.
  const double excess = 2 * expect_simpler<double>(kCube, 4);
  EXPECT_GE(excess, 1);
  EXPECT_LE(excess, 2 * std::sqrt(3.0) + 1e-9);
}

TEST(enclosing_hulls, balls_in_fewer_and_fewer_vertices) {
  Random random(3);
  Vertices3 points;
  while (points.size() < 1000) {
    const Vertex3 p{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    const double size = std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
    if (size < 0.1) continue;
    points.push_back({p[0] / size, p[1] / size, p[2] / size});
  }
  HullTable<float> table;
  const std::string error = error_of([&] { add_hull(table, column_of<float>(points)); });
  EXPECT_EQ(error,
            "points has a hull of 1000 vertices; a hull has at most 255, and add_hull with "
            "max_vertices makes a simpler one");
  EXPECT_TRUE(table.offsets.empty());
  // The diameter is 2. A tetrahedron exceeds by 2 radii at least, bounds by sqrt(3) - 1.
  const double bounds = (std::sqrt(3.0) - 1) / 2 + 0.01;
  const std::pair<int, double> limits[] = {
      {4, 1.01}, {8, bounds}, {20, 0.2}, {64, 0.06}, {255, 0.02}};
  for (const auto& [most, limit] : limits) {
    EXPECT_LE(expect_simpler<float>(points, most), limit) << most;
    EXPECT_LE(expect_simpler<double>(points, most), limit) << most;
  }
}

TEST(enclosing_hulls, random_sets_near_and_far) {
  Random random(4);
  for (std::size_t i = 0; i < scaled(100, 10); ++i) {
    const double size = std::pow(10, random.uniform(-3, 4));
    const double flat = std::pow(10, random.uniform(-3, 0));
    const Vertex3 far{random.uniform(-9, 9), random.uniform(-9, 9), random.uniform(-9, 9)};
    Vertices3 points;
    for (int k = 0; k < 60; ++k) {
      points.push_back({size * (far[0] + random.uniform(-1, 1)),
                        size * (far[1] + random.uniform(-1, 1)),
                        size * (far[2] + flat * random.uniform(-1, 1))});
    }
    const int most = random.integer(4, 24);
    expect_simpler<float>(points, most);
    expect_simpler<double>(points, most);
  }
}

// The smallest tetrahedron around an octahedron with corners on the bounds reaches 2 / sqrt(3) of
// its radius beyond it. That may or may not be a number of the type.
TEST(enclosing_hulls, an_excess_beyond_the_range_is_refused) {
  const auto octahedron = [](float radius) {
    const double r = radius;
    return column_of<float>({{r, 0, 0}, {-r, 0, 0}, {0, r, 0}, {0, -r, 0}, {0, 0, r}, {0, 0, -r}});
  };
  HullTable<float> table;
  const auto simpler = add_hull(table, octahedron(2.9e38F), 4);
  EXPECT_GE(simpler.excess, 1.15F * 2.9e38F);
  EXPECT_LE(simpler.excess, 1.16F * 2.9e38F);
  HullTable<float> refused;
  EXPECT_EQ(error_of([&] { add_hull(refused, octahedron(3.4e38F), 4); }),
            "points has no enclosing hull of 4 vertices within the range and the digits of its "
            "numbers; choose another unit or an origin nearer to it");
  EXPECT_TRUE(refused.offsets.empty());
}

TEST(enclosing_hulls, says_what_is_wrong_and_changes_nothing) {
  HullTable<float> table;
  EXPECT_EQ(error_of([&] { add_hull(table, column_of<float>(kCube), 3); }),
            "max_vertices is 3; it must be 4 to 255");
  EXPECT_EQ(error_of([&] { add_hull(table, column_of<float>(kCube), 256); }),
            "max_vertices is 256; it must be 4 to 255");
  EXPECT_EQ(error_of([&] { add_hull(table, column_of<float>({{0, 0, 0}, {1, 0, 0}}), 4); }),
            "points has fewer than 4 distinct points; a hull needs 4 that span a volume");
  Vertices3 large = kCube;
  for (Vertex3& p : large) {
    for (double& value : p) value *= 3e38;
  }
  EXPECT_EQ(error_of([&] { add_hull(table, column_of<float>(large), 4); }),
            "points has no enclosing hull of 4 vertices within the range and the digits of its "
            "numbers; choose another unit or an origin nearer to it");
  EXPECT_TRUE(table.vertices.empty());
  EXPECT_TRUE(table.offsets.empty());
}

}  // namespace
}  // namespace widephase::test
