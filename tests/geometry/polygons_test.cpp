// Polygons of any points: hulls against brute force, measures against formulas, what is refused.
// Labels: plain

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <set>
#include <vector>

#include "geometry/orientation.hpp"
#include "geometry/validate_polygons.hpp"
#include "reference/scaled.hpp"
#include "support/polygons.hpp"

namespace widephase::test {
namespace {

constexpr double kPi = 3.141592653589793;

/// The corners of the hull as a set, in O(n^3). A point is not a corner if it is between two
/// others, or inside or on a triangle of others.
std::set<Vertex> brute_hull(const std::vector<Vertex>& points) {
  std::set<Vertex> all(points.begin(), points.end());
  std::set<Vertex> hull;
  for (const Vertex& a : all) {
    for (const Vertex& b : all) {
      if (a == b) continue;
      // a -> b is an edge between corners if all others are left of it or between them.
      const bool is_edge = std::all_of(all.begin(), all.end(), [&](const Vertex& c) {
        const int side = orientation(point_of(a), point_of(b), point_of(c));
        const auto [low, high] = std::minmax(a, b);
        return side > 0 || (side == 0 && low <= c && c <= high);
      });
      if (is_edge) hull.insert({a, b});
    }
  }
  return hull;
}

/// Distance by which `point` lies outside the polygon, 0 inside.
double outside(const std::vector<Vertex>& polygon, const Vertex& point) {
  double most = 0;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vertex& a = polygon[i];
    const Vertex& b = polygon[(i + 1) % polygon.size()];
    const double x = b[0] - a[0], y = b[1] - a[1];
    const double cross = (point[0] - a[0]) * y - (point[1] - a[1]) * x;
    most = std::max(most, cross / std::sqrt(x * x + y * y));
  }
  return most;
}

TEST(polygons, interior_points_and_duplicates_vanish) {
  // A unit square, its centre, a point on its lower edge and the first corner again.
  const std::vector<Vertex> square{{0, 0}, {0.5, 0.5}, {1, 1}, {1, 0}, {0.5, 0}, {0, 1}, {0, 0}};
  const std::vector<Vertex> expected{{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  EXPECT_EQ(hull_of<float>(square), expected);
  EXPECT_EQ(hull_of<double>(square), expected);
}

TEST(polygons, a_convex_polygon_keeps_order_and_numbers) {
  const std::vector<Vertex> given{{1, 1}, {-1, 2}, {-3, 0}, {-1, -2}, {1, -1}, {2, 0}};
  for (std::size_t shift = 0; shift < given.size(); ++shift) {
    std::vector<Vertex> rotated = given;
    std::rotate(rotated.begin(), rotated.begin() + static_cast<std::ptrdiff_t>(shift),
                rotated.end());
    EXPECT_EQ(hull_of<float>(rotated), rotated);
    // Clockwise: the same first vertex, then back round.
    std::vector<Vertex> backwards = rotated;
    std::reverse(backwards.begin() + 1, backwards.end());
    EXPECT_EQ(hull_of<float>(backwards), rotated);
  }
}

TEST(polygons, begins_at_the_corner_of_the_lowest_row) {
  // Row 0 is inside, row 1 on an edge; row 2 is the corner (1, 0).
  const std::vector<Vertex> expected{{1, 0}, {1, 1}, {0, 1}, {0, 0}};
  EXPECT_EQ(hull_of<float>({{0.5, 0.5}, {0, 0.5}, {1, 0}, {0, 0}, {0, 1}, {1, 1}}), expected);
}

TEST(polygons, appends_to_the_table) {
  PolygonTable<float> table;
  EXPECT_EQ(add_polygon(table, column_of<float>({{0, 0}, {1, 0}, {0, 1}})), 0);
  EXPECT_EQ(add_polygon(table, column_of<float>({{0, 0}, {2, 0}, {2, 2}, {0, 2}})), 1);
  EXPECT_EQ(std::vector<std::int64_t>(table.offsets.begin(), table.offsets.end()),
            (std::vector<std::int64_t>{0, 3, 7}));
  EXPECT_TRUE(table.inner.empty());
  table.inner = {0, 1, 0, 0, 0, 0, 1};
  // Points may lie in the table itself.
  EXPECT_EQ(add_polygon(table, table.vertices), 2);
  EXPECT_EQ(vertices_of(table, 2), vertices_of(table, 1));
  EXPECT_EQ(std::vector<std::uint8_t>(table.inner.begin(), table.inner.end()),
            (std::vector<std::uint8_t>{0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0}));
}

TEST(polygons, refuses_what_is_none_and_changes_nothing) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  PolygonTable<float> table;
  add_polygon(table, column_of<float>({{0, 0}, {1, 0}, {0, 1}}));
  const auto refused = [&](const std::vector<Vertex>& points) {
    const std::string error = error_of([&] { add_polygon(table, column_of<float>(points)); });
    EXPECT_EQ(table.vertices.size(), 3u);
    EXPECT_EQ(table.offsets.size(), 2u);
    return error;
  };
  EXPECT_EQ(refused({{0, 0}, {1, 0}, {0, nan}}),
            "points[2] is nan; a point must be two finite numbers");
  EXPECT_EQ(refused({{0, 0}, {-1e300, 0}, {0, 1}}),
            "points[1] is -inf; a point must be two finite numbers");
  const std::string too_few =
      "points has fewer than 3 distinct points; a polygon needs 3 that span an area";
  EXPECT_EQ(refused({}), too_few);
  EXPECT_EQ(refused({{0, 0}, {1, 0}, {0, 0}, {1, 0}}), too_few);
  const std::string no_area =
      "points has its points on a line, within 4 epsilons of its extent; a polygon needs 3 that "
      "span an area";
  EXPECT_EQ(refused({{0, 0}, {1, 1}, {2, 2}, {-5, -5}}), no_area);
  EXPECT_EQ(refused({{0, 0}, {1, 0}, {0.5, 1e-8}}), no_area);
  std::vector<Vertex> circle;
  for (int i = 0; i < 65; ++i) {
    circle.push_back({std::cos(2 * kPi * i / 65), std::sin(2 * kPi * i / 65)});
  }
  EXPECT_EQ(refused(circle), "points has a hull of 65 vertices; a polygon has at most 64");
  circle.pop_back();
  EXPECT_EQ(add_polygon(table, column_of<float>(circle)), 1);
}

TEST(polygons, corners_within_the_tolerance_of_straight_are_dropped) {
  // A triangle with a corner in the middle of its base of length 1, `depth` below it; the tolerance
  // is 4 epsilons of the extent, which is 1.
  const auto corners = [](double depth) {
    return hull_of<double>({{0, 0}, {0.5, -depth}, {1, 0}, {0.5, 0.875}}).size();
  };
  const double epsilon = std::numeric_limits<double>::epsilon();
  EXPECT_EQ(corners(-epsilon), 3u);
  EXPECT_EQ(corners(3.9 * epsilon), 3u);
  EXPECT_EQ(corners(4.1 * epsilon), 4u);
  // The same in float, scaled to 1e4 and to 1e-3.
  const double wide = std::numeric_limits<float>::epsilon();
  for (const double size : {1.0, 1e4, 1e-3}) {
    const auto scaled = [&](double depth) {
      return hull_of<float>({{0, 0}, {size / 2, -depth * size}, {size, 0}, {size / 2, size}})
          .size();
    };
    EXPECT_EQ(scaled(3.8 * wide), 3u);
    EXPECT_EQ(scaled(4.2 * wide), 4u);
  }
  // A run of corners on an arc flatter than the tolerance: the ends stay.
  std::vector<Vertex> arc{{1, 1}, {0, 1}};
  for (int i = 0; i <= 100; ++i) arc.push_back({i / 100.0, (i - 100) * i * 1e-4 * epsilon});
  EXPECT_EQ(hull_of<double>(arc).size(), 4u);
}

template <class T>
void expect_like_brute_force(const std::vector<Vertex>& given, const char* what) {
  const Column<T, 2> column = column_of<T>(given);
  const std::vector<Vertex> points = rows_of(column, 0, column.size());
  const std::set<Vertex> expected = brute_hull(points);
  PolygonTable<T> table;
  if (expected.size() < 3) {
    EXPECT_NE(error_of([&] { add_polygon(table, column); }), "no error") << what;
    return;
  }
  ASSERT_EQ(add_polygon(table, column), 0) << what;
  const std::vector<Vertex> hull = vertices_of(table, 0);
  EXPECT_EQ(std::set<Vertex>(hull.begin(), hull.end()), expected) << what;
  EXPECT_EQ(hull.size(), expected.size()) << what;
  EXPECT_TRUE(are_valid_polygons(borrow(table))) << what;
  const auto first_row = [&](const Vertex& point) {
    return std::find(points.begin(), points.end(), point);
  };
  for (const Vertex& point : hull) EXPECT_LE(first_row(hull[0]), first_row(point)) << what;
}

TEST(polygons, random_points_have_the_hull_of_brute_force) {
  std::mt19937_64 random(1);
  for (std::size_t i = 0; i < scaled(1500, 100); ++i) {
    std::uniform_real_distribution<double> place(-1, 1);
    const double size = std::pow(10, 3.5 * place(random) + 0.5);  // 1e-3 to 1e4
    const Vertex far{place(random) * 10 * size, place(random) * 10 * size};
    std::vector<Vertex> points(3 + random() % 30);
    for (Vertex& point : points) {
      point = {far[0] + size * place(random), far[1] + size * place(random)};
    }
    expect_like_brute_force<float>(points, "float");
    expect_like_brute_force<double>(points, "double");
  }
}

TEST(polygons, grids_with_many_collinear_points_and_duplicates) {
  std::mt19937_64 random(2);
  for (std::size_t i = 0; i < scaled(3000, 200); ++i) {
    const int side = 1 + static_cast<int>(random() % 6);
    // Whole numbers up to 2^20 away: exact in float too.
    const double far = random() % 2 == 0 ? 0 : 1048576;
    std::vector<Vertex> points(3 + random() % 40);
    for (Vertex& point : points) {
      point = {far + static_cast<double>(random() % static_cast<unsigned>(side)),
               static_cast<double>(random() % static_cast<unsigned>(side)) - far};
    }
    expect_like_brute_force<float>(points, "float");
    expect_like_brute_force<double>(points, "double");
  }
}

TEST(polygons, points_computed_on_the_edges_of_a_polygon_add_no_corners) {
  // Points on the edges of a triangle, rounded: within the tolerance of them.
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> place(-1, 1);
  for (std::size_t i = 0; i < scaled(500, 100); ++i) {
    const double size = std::pow(10, 3.5 * place(random) + 0.5);
    std::vector<Vertex> points{
        {size * place(random), -size}, {size, size * place(random)}, {-size, size * place(random)}};
    points = rows_of(column_of<float>(points), 0, 3);
    for (int k = 0; k < 60; ++k) {
      const Vertex a = points[static_cast<std::size_t>(k % 3)];
      const Vertex b = points[static_cast<std::size_t>((k + 1) % 3)];
      const double along = 0.5 + 0.5 * place(random);
      points.push_back({a[0] + along * (b[0] - a[0]), a[1] + along * (b[1] - a[1])});
    }
    const std::vector<Vertex> triangle{points[0], points[1], points[2]};
    EXPECT_EQ(hull_of<float>(points), triangle) << i;
    EXPECT_EQ(hull_of<double>(points), triangle) << i;
  }
}

TEST(polygons, the_hull_contains_all_points_and_is_its_own_hull) {
  // Many points on a rounded outline, where runs of flat corners are thinned out: nothing sticks
  // out by more than twice the tolerance, and building again changes nothing.
  std::mt19937_64 random(4);
  std::uniform_real_distribution<double> place(-1, 1);
  const double epsilon = std::numeric_limits<float>::epsilon();
  for (std::size_t i = 0; i < scaled(300, 50); ++i) {
    std::vector<Vertex> points;
    const double bulge = std::pow(10, -4 - 2 * std::abs(place(random)));
    for (int k = 0; k < 400; ++k) {
      const double x = place(random);
      points.push_back({x, 1 + bulge * (1 - x * x)});
      points.push_back({x, -1 - bulge * (1 - x * x)});
    }
    const Column<float, 2> column = column_of<float>(points);
    PolygonTable<float> table;
    try {
      add_polygon(table, column);
    } catch (const Error&) {
      continue;  // more than 64 corners: not of interest here
    }
    const std::vector<Vertex> hull = vertices_of(table, 0);
    for (const Vertex& point : rows_of(column, 0, column.size())) {
      ASSERT_LE(outside(hull, point), 2 * kFlatCornerEpsilons * epsilon * 2);
    }
    EXPECT_EQ(hull_of<float>(hull), hull);
  }
}

TEST(polygons, boxes_regular_polygons_and_capsules) {
  PolygonTable<double> table;
  EXPECT_EQ(add_box_polygon(table, 2, 0.5), 0);
  EXPECT_EQ(vertices_of(table, 0),
            (std::vector<Vertex>{{-2, -0.5}, {2, -0.5}, {2, 0.5}, {-2, 0.5}}));
  EXPECT_EQ(add_regular_polygon(table, 4, 3), 1);
  EXPECT_EQ(vertices_of(table, 1), (std::vector<Vertex>{{3, 0}, {0, 3}, {-3, 0}, {0, -3}}));
  // Caps of two edges each: by way of their tips.
  EXPECT_EQ(add_capsule_polygon(table, 2, 1, 2), 2);
  EXPECT_EQ(vertices_of(table, 2),
            (std::vector<Vertex>{{2, -1}, {3, 0}, {2, 1}, {-2, 1}, {-3, 0}, {-2, -1}}));
  EXPECT_EQ(add_capsule_polygon(table, 2, 1, 1), 3);
  EXPECT_EQ(vertices_of(table, 3), (std::vector<Vertex>{{2, -1}, {2, 1}, {-2, 1}, {-2, -1}}));
  EXPECT_EQ(add_capsule_polygon(table, 0, 1, 2), 4);
  EXPECT_EQ(vertices_of(table, 4), (std::vector<Vertex>{{0, -1}, {1, 0}, {0, 1}, {-1, 0}}));
  for (int count = 3; count <= 64; ++count) {
    EXPECT_EQ(vertices_of(table, add_regular_polygon(table, count, 1e-3)).size(),
              static_cast<std::size_t>(count));
  }
  for (int segments = 1; segments <= 31; ++segments) {
    EXPECT_EQ(vertices_of(table, add_capsule_polygon(table, 0.25, 1e4, segments)).size(),
              static_cast<std::size_t>(2 * segments + 2));
  }
  EXPECT_TRUE(are_valid_polygons(borrow(table)));
}

TEST(polygons, makers_name_bad_arguments) {
  PolygonTable<float> table;
  EXPECT_EQ(error_of([&] { add_box_polygon(table, 0, 1); }),
            "half_x is 0; it must be a finite number above 0");
  EXPECT_EQ(error_of([&] { add_box_polygon(table, 1, -1); }),
            "half_y is -1; it must be a finite number above 0");
  EXPECT_EQ(error_of([&] { add_regular_polygon(table, 2, 1); }), "count is 2; it must be 3 to 64");
  EXPECT_EQ(error_of([&] { add_regular_polygon(table, 65, 1); }),
            "count is 65; it must be 3 to 64");
  EXPECT_EQ(
      error_of([&] { add_regular_polygon(table, 3, std::numeric_limits<float>::infinity()); }),
      "circumradius is inf; it must be a finite number above 0");
  EXPECT_EQ(error_of([&] { add_capsule_polygon(table, -1, 1, 4); }),
            "half_length is -1; it must be a finite number >= 0");
  EXPECT_EQ(error_of([&] { add_capsule_polygon(table, 1, 0, 4); }),
            "radius is 0; it must be a finite number above 0");
  EXPECT_EQ(error_of([&] { add_capsule_polygon(table, 1, 1, 32); }),
            "arc_segments is 32; it must be 1 to 31");
  EXPECT_EQ(error_of([&] { add_capsule_polygon(table, 0, 1, 1); }),
            "arc_segments is 1; it must be 2 to 31");
  EXPECT_TRUE(table.vertices.empty());
  EXPECT_TRUE(table.offsets.empty());
}

TEST(polygons, measures_of_a_rectangle_and_a_triangle) {
  // 4 x 1 around (1e6, 3): second moment (w^3 h + w h^3) / 12 = 68 / 12.
  PolygonTable<double> table;
  add_polygon(table,
              column_of<double>({{999998, 2.5}, {1000002, 2.5}, {1000002, 3.5}, {999998, 3.5}}));
  const auto box = properties(table, 0);
  EXPECT_DOUBLE_EQ(box.area, 4);
  EXPECT_DOUBLE_EQ(box.centroid[0], 1e6);
  EXPECT_DOUBLE_EQ(box.centroid[1], 3);
  EXPECT_DOUBLE_EQ(box.second_moment, 68.0 / 12);
  // Legs 3 and 6 along the axes: b h^3 / 36 + h b^3 / 36.
  add_polygon(table, column_of<double>({{0, 0}, {3, 0}, {0, 6}}));
  const auto triangle = properties(borrow(table), 1);
  EXPECT_DOUBLE_EQ(triangle.area, 9);
  EXPECT_DOUBLE_EQ(triangle.centroid[0], 1);
  EXPECT_DOUBLE_EQ(triangle.centroid[1], 2);
  EXPECT_DOUBLE_EQ(triangle.second_moment, (3.0 * 216 + 6.0 * 27) / 36);
}

TEST(polygons, measures_of_regular_polygons_near_and_far) {
  for (const double size : {1e-3, 1.0, 1e4}) {
    for (const int count : {3, 5, 64}) {
      PolygonTable<double> near;
      add_regular_polygon(near, count, size);
      // n triangles: area n r^2 sin(2 pi / n) / 2, second moment area r^2 (2 + cos) / 6.
      const double step = 2 * kPi / count;
      const double area = count * size * size * std::sin(step) / 2;
      const double second = area * size * size * (2 + std::cos(step)) / 6;
      const auto here = properties(near, 0);
      EXPECT_NEAR(here.area, area, 1e-14 * area);
      EXPECT_NEAR(here.second_moment, second, 2e-14 * second);
      // A thousand radii away, where vertices keep 13 digits.
      PolygonTable<double> far;
      std::vector<Vertex> points = vertices_of(near, 0);
      for (Vertex& point : points) point = {point[0] + 1000 * size, point[1] - 1000 * size};
      add_polygon(far, column_of<double>(points));
      const auto there = properties(far, 0);
      EXPECT_NEAR(there.area, area, 1e-12 * area);
      EXPECT_NEAR(there.centroid[0], 1000 * size, 1e-12 * size);
      EXPECT_NEAR(there.second_moment, second, 2e-12 * second);
    }
  }
}

TEST(polygons, edge_normals_point_outwards) {
  PolygonTable<float> table;
  add_polygon(table, column_of<float>({{0, 0}, {4, 0}, {4, 3}}));
  const Column<float, 2> normals = edge_normals(table, 0);
  ASSERT_EQ(normals.size(), 3u);
  EXPECT_EQ(normals.row(0), (std::array<float, 2>{0, -1}));
  EXPECT_EQ(normals.row(1), (std::array<float, 2>{1, 0}));
  // From (4, 3) to (0, 0): a 3-4-5 triangle.
  EXPECT_EQ(normals.row(2), (std::array<float, 2>{-0.6f, 0.8f}));
  EXPECT_EQ(error_of([&] { edge_normals(table, 1); }),
            "index is 1; the table has 1 geometries, counted from 0");
  EXPECT_EQ(error_of([&] { properties(borrow(table), -1); }),
            "index is -1; the table has 1 geometries, counted from 0");
}

TEST(polygons, edge_normals_of_every_magnitude) {
  using Limits = std::numeric_limits<double>;
  for (const double size : {Limits::denorm_min(), Limits::min(), 1e-170, 1e170, Limits::max()}) {
    PolygonTable<double> table;
    add_polygon(table, column_of<double>({{-size, -size}, {size, -size}, {size, size}}));
    const Column<double, 2> normals = edge_normals(table, 0);
    EXPECT_EQ(normals.row(0), (std::array<double, 2>{0, -1}));
    EXPECT_NEAR(normals(2, 0), -std::sqrt(0.5), 1e-15);
    EXPECT_NEAR(normals(2, 1), std::sqrt(0.5), 1e-15);
  }
}

TEST(polygons, make_convex_builds_every_hull_in_place) {
  PolygonTable<double> table;
  table.vertices = {{0, 0}, {0, 1}, {1, 0}, {5, 5}, {6, 6}, {5, 6}, {6, 5}, {5.5, 5.5}};
  table.offsets = {0, 3, 8};
  make_convex(table);
  EXPECT_EQ(vertices_of(table, 0), (std::vector<Vertex>{{0, 0}, {1, 0}, {0, 1}}));
  EXPECT_EQ(vertices_of(table, 1), (std::vector<Vertex>{{5, 5}, {6, 5}, {6, 6}, {5, 6}}));
  PolygonTable<double> empty;
  make_convex(empty);
  EXPECT_TRUE(empty.offsets.empty());
  empty.offsets = {0};
  make_convex(empty);
  EXPECT_EQ(empty.offsets.size(), 1u);
}

TEST(polygons, make_convex_empties_what_has_no_hull_when_asked_to) {
  // A triangle with a NaN coordinate, a valid one, and three points on a line.
  PolygonTable<double> table;
  table.vertices = {{0, 0}, {1, 0}, {0, 1}, {0, 0}, {0, 1}, {1, 0}, {0, 0}, {1, 1}, {2, 2}};
  table.vertices(1, 0) = std::numeric_limits<double>::infinity();
  table.offsets = {0, 3, 6, 9};
  std::vector<Finding> refused;
  make_convex(table, refused);
  ASSERT_EQ(refused.size(), 2u);
  EXPECT_EQ(refused[0].text(),
            "geometries.vertices[1] is inf in geometry 0; a vertex must be two finite numbers");
  EXPECT_EQ(refused[1].text(),
            "geometries.offsets[2] begins geometry 2, which has its points on a line, within 4 "
            "epsilons of its extent; a polygon needs 3 that span an area");
  EXPECT_TRUE(vertices_of(table, 0).empty());
  EXPECT_EQ(vertices_of(table, 1), (std::vector<Vertex>{{0, 0}, {1, 0}, {0, 1}}));
  EXPECT_TRUE(vertices_of(table, 2).empty());
  // Offsets that make no sense do not belong to a single geometry.
  table.offsets = {1, 3};
  EXPECT_EQ(error_of([&] { make_convex(table, refused); }),
            "geometries.offsets[0] is 1; the first geometry begins at 0");
}

TEST(polygons, make_convex_says_what_is_wrong_and_where) {
  const auto error_with = [](const auto& spoil) {
    PolygonTable<float> table;
    table.vertices = {{0, 0}, {1, 0}, {0, 1}, {0, 0}, {1, 1}, {2, 0}};
    table.offsets = {0, 3, 6};
    spoil(table);
    const std::size_t vertices = table.vertices.size();
    const std::string error = error_of([&] { make_convex(table); });
    EXPECT_EQ(table.vertices.size(), vertices);
    return error;
  };
  using T = PolygonTable<float>;
  EXPECT_EQ(error_with([](T& t) { t.vertices(4, 1) = std::numeric_limits<float>::quiet_NaN(); }),
            "geometries.vertices[4] is nan in geometry 1; a vertex must be two finite numbers");
  EXPECT_EQ(error_with([](T& t) { t.vertices(4, 1) = 0; }),
            "geometries.offsets[1] begins geometry 1, which has its points on a line, within 4 "
            "epsilons of its extent; a polygon needs 3 that span an area");
  EXPECT_EQ(error_with([](T& t) {
              t.offsets = {0, 4, 6};
            }),
            "geometries.offsets[1] begins geometry 1, which has fewer than 3 distinct points; a "
            "polygon needs 3 that span an area");
  EXPECT_EQ(error_with([](T& t) {
              t.offsets = {1, 3, 6};
            }),
            "geometries.offsets[0] is 1; the first geometry begins at 0");
  EXPECT_EQ(
      error_with([](T& t) {
        t.offsets = {0, 7, 6};
      }),
      "geometries.offsets[2] is 6, below the 7 before it; geometries lie one after the other");
  EXPECT_EQ(error_with([](T& t) {
              t.offsets = {0, 3, 7};
            }),
            "geometries.offsets[2] is 7; the last offset must be the count of vertices, 6");
  EXPECT_EQ(
      error_with([](T& t) { t.offsets.clear(); }),
      "geometries.offsets is empty, but geometries.vertices has 6 rows; it must begin with 0 and "
      "end with their count");
  // With inner edges, vertices must not be renumbered.
  EXPECT_EQ(error_with([](T& t) { t.inner.resize(6); }),
            "geometries.vertices[3] turns clockwise within geometry 1; polygons with inner edges "
            "must be convex and counter-clockwise as given");
  EXPECT_EQ(error_with([](T& t) { t.inner.resize(5); }),
            "geometries.inner has 5 rows, but geometries.vertices has 6");
  EXPECT_EQ(error_with([](T& t) {
              t.inner.resize(6);
              t.vertices(4, 1) = -1;
            }),
            "no error");
}

// Polygons of parts in double, as they are in float.

struct Part {
  std::vector<Vertex> vertices;
  std::vector<std::uint8_t> inner;
};

PolygonTable<float> rounded(const std::vector<Part>& parts) {
  PolygonTable<double> table;
  table.offsets = {0};
  for (const Part& part : parts) {
    for (const Vertex& vertex : part.vertices) table.vertices.push_back(vertex);
    for (const std::uint8_t flag : part.inner) table.inner.push_back({flag});
    table.offsets.push_back({static_cast<std::int64_t>(table.vertices.size())});
  }
  return rounded_polygons({table.vertices, table.offsets, table.inner});
}

std::vector<int> flags_of(const PolygonTable<float>& table) {
  return {table.inner.begin(), table.inner.end()};
}

TEST(rounded_polygons, keep_all_that_stays_convex) {
  // 0.1 and 0.3 are other numbers in float; an empty one stays empty.
  const PolygonTable<float> table = rounded({{{{0.1, 0}, {1, 0.3}, {0.3, 1}}, {0, 1, 0}},
                                             {{}, {}},
                                             {{{0, 0}, {1, 0}, {1, 1}, {0, 1}}, {1, 0, 1, 1}}});
  EXPECT_EQ(vertices_of(table, 0), (std::vector<Vertex>{{0.1f, 0}, {1, 0.3f}, {0.3f, 1}}));
  EXPECT_TRUE(vertices_of(table, 1).empty());
  EXPECT_EQ(vertices_of(table, 2).size(), 4u);
  EXPECT_EQ(flags_of(table), (std::vector<int>{0, 1, 0, 1, 0, 1, 1}));
}

TEST(rounded_polygons, a_corner_that_rounding_flattens_is_dropped) {
  // The corner above the upper side of a unit square is 1e-9 high, at a quarter of it from the
  // right: in float it is on the side, which then has the flag of its longer piece.
  for (const int flag : {0, 1}) {
    const auto longer = static_cast<std::uint8_t>(flag), shorter = std::uint8_t(1 - flag);
    const PolygonTable<float> table =
        rounded({{{{0, 0}, {1, 0}, {1, 1}, {0.75, 1 + 1e-9}, {0, 1}}, {1, 1, shorter, longer, 0}}});
    EXPECT_EQ(vertices_of(table, 0), (std::vector<Vertex>{{0, 0}, {1, 0}, {1, 1}, {0, 1}}));
    EXPECT_EQ(flags_of(table), (std::vector<int>{1, 1, flag, 0}));
  }
}

TEST(rounded_polygons, a_part_without_area_becomes_a_triangle) {
  // 1e-9 high over a base of 1: flat in float, and the edges keep their flags.
  const PolygonTable<float> flat = rounded(
      {{{{0, 0}, {1, 0}, {0.5, 1e-9}}, {1, 0, 0}}, {{{0, 1}, {0.5, 1 - 1e-9}, {1, 1}}, {0, 0, 1}}});
  EXPECT_EQ(flags_of(flat), (std::vector<int>{1, 0, 0, 0, 0, 1}));
  for (const int part : {0, 1}) {
    const std::vector<Vertex> points = vertices_of(flat, part);
    ASSERT_EQ(points.size(), 3u);
    EXPECT_GT(orientation(point_of(points[0]), point_of(points[1]), point_of(points[2])), 0);
    for (const Vertex& point : points) EXPECT_LE(std::abs(point[1] - part), 2 * 0x1p-23);
  }
  // A millionth across, a million away, where floats are a sixteenth apart: one point.
  const PolygonTable<float> dot =
      rounded({{{{1e6, 1e6}, {1e6 + 1e-6, 1e6}, {1e6 + 1e-6, 1e6 + 1e-6}, {1e6, 1e6 + 1e-6}},
                {0, 1, 0, 1}}});
  const std::vector<Vertex> points = vertices_of(dot, 0);
  ASSERT_EQ(points.size(), 3u);
  EXPECT_GT(orientation(point_of(points[0]), point_of(points[1]), point_of(points[2])), 0);
  for (const Vertex& point : points) {
    for (const double value : point) EXPECT_LE(std::abs(value - 1e6), 0.125);
  }
  // At the origin too, and where all of it is below the smallest float.
  for (const double size : {1e-20, 1e-60}) {
    const PolygonTable<float> tiny = rounded({{{{0, 0}, {size, 0}, {0, size}}, {0, 0, 1}}});
    EXPECT_EQ(vertices_of(tiny, 0).size(), 3u);
    EXPECT_TRUE(polygon_findings<float>({tiny.vertices, tiny.offsets, tiny.inner}, 1).empty());
  }
}

TEST(rounded_polygons, numbers_beyond_float_are_named) {
  EXPECT_EQ(error_of([] {
              rounded({{{{0, 0}, {1e300, 0}, {0, 1}}, {0, 0, 0}}});
            }),
            "geometries.vertices[1] is 1e+300 in geometry 0, which is beyond float");
}

TEST(rounded_polygons, slivers_of_any_width_stay_convex_and_where_they_are) {
  // Points of thin ellipses anywhere, from much wider than floats are apart to much thinner.
  std::mt19937_64 random(29);
  const auto uniform = [&](double low, double high) {
    return low + (high - low) * (static_cast<double>(random() >> 11) * 0x1p-53);
  };
  std::size_t flat = 0;
  for (std::size_t i = 0; i < scaled(20000, 2000); ++i) {
    const double width = std::pow(10, uniform(-11, -3)), angle = uniform(0, 2 * kPi);
    const Vertex middle{uniform(-1, 1) * std::pow(10, uniform(-2, 4)),
                        uniform(-1, 1) * std::pow(10, uniform(-2, 4))};
    const double far = std::max(std::abs(middle[0]), std::abs(middle[1]));
    PolygonTable<double> table;
    Column<double, 2> points;
    const int count = 3 + static_cast<int>(random() % 10);
    for (int k = 0; k < count; ++k) {
      const double at = uniform(0, 2 * kPi), x = std::cos(at), y = width * std::sin(at);
      points.push_back({middle[0] + x * std::cos(angle) - y * std::sin(angle),
                        middle[1] + x * std::sin(angle) + y * std::cos(angle)});
    }
    try {
      add_polygon(table, points.span());
    } catch (const Error&) {
      continue;  // on a line in double
    }
    table.inner.resize(table.vertices.size());
    for (std::size_t row = 0; row < table.inner.size(); ++row) table.inner[row] = random() % 2;
    const PolygonTable<float> result =
        rounded_polygons({table.vertices, table.offsets, table.inner});
    const std::vector<Finding> findings =
        polygon_findings<float>({result.vertices, result.offsets, result.inner}, 1);
    ASSERT_TRUE(findings.empty()) << i << " " << findings[0].text();
    flat += result.vertices.size() < table.vertices.size() ? 1 : 0;
    // Each vertex of either is within a few roundings of the other. Along each axis this is half a
    // step for the vertex itself, and up to four for one that was moved aside. A vertex that was
    // left out adds, across the ends, as much as rounding three vertices flattens: a step and a
    // half. A step is at most 2^-23 of the largest coordinate.
    const double most = (4.5 + 1.5) * std::sqrt(2) * 0x1p-23 * (far + 2);
    const std::vector<Vertex> exact = vertices_of(table, 0), seen = vertices_of(result, 0);
    for (const Vertex& vertex : exact) ASSERT_LE(outside(seen, vertex), most) << i;
    for (const Vertex& vertex : seen) ASSERT_LE(outside(exact, vertex), most) << i;
  }
  EXPECT_GT(flat, scaled(20000, 2000) / 20);
}

}  // namespace
}  // namespace widephase::test
