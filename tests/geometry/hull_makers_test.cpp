// Boxes, prisms and other solids as hulls: their measures against formulas, and what is refused.
// Labels: plain

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <widephase/polygons.hpp>

#include "reference/scaled.hpp"
#include "support/hulls.hpp"

namespace widephase::test {
namespace {

constexpr double kPi = 3.141592653589793;

TEST(hull_makers, boxes_and_tetrahedra) {
  HullTable<double> table;
  EXPECT_EQ(add_box_hull(table, 1, 2, 3), 0);
  EXPECT_EQ(vertices_of(table, 0), (Vertices3{{-1, -2, -3},
                                              {1, -2, -3},
                                              {-1, 2, -3},
                                              {1, 2, -3},
                                              {-1, -2, 3},
                                              {1, -2, 3},
                                              {-1, 2, 3},
                                              {1, 2, 3}}));
  EXPECT_EQ(add_tetrahedron_hull(table, std::sqrt(3.0)), 1);
  EXPECT_EQ(vertices_of(table, 1), (Vertices3{{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}));
  EXPECT_EQ(hull_topology(table, 1).face_count(), 4);
}

TEST(hull_makers, prisms_and_pyramids) {
  HullTable<double> table;
  EXPECT_EQ(add_cylinder_hull(table, 4, 2, 3), 0);
  EXPECT_EQ(vertices_of(table, 0), (Vertices3{{3, 0, -2},
                                              {0, 3, -2},
                                              {-3, 0, -2},
                                              {0, -3, -2},
                                              {3, 0, 2},
                                              {0, 3, 2},
                                              {-3, 0, 2},
                                              {0, -3, 2}}));
  EXPECT_EQ(add_cone_hull(table, 4, 2, 3), 1);
  EXPECT_EQ(vertices_of(table, 1),
            (Vertices3{{3, 0, -2}, {0, 3, -2}, {-3, 0, -2}, {0, -3, -2}, {0, 0, 2}}));
  for (const int sides : {3, 5, 126, 127}) {
    const std::int32_t prism = add_cylinder_hull(table, sides, 0.01, 1e-3);
    EXPECT_EQ(vertices_of(table, prism).size(), static_cast<std::size_t>(2 * sides));
    EXPECT_EQ(hull_topology(table, prism).face_count(), sides + 2);
  }
  HullTable<float> floats;
  for (const int sides : {3, 5, 253, 254}) {
    const std::int32_t pyramid = add_cone_hull(floats, sides, 100, 1e4f);
    const auto n = static_cast<std::size_t>(sides);
    EXPECT_EQ(vertices_of(floats, pyramid).size(), n + 1);
    EXPECT_EQ(hull_topology(floats, pyramid).edges.size(), 2 * n);
  }
}

TEST(hull_makers, icospheres_are_on_the_ball_and_symmetric) {
  const std::array<std::size_t, 3> counts[] = {{12, 30, 20}, {42, 120, 80}, {162, 480, 320}};
  for (int i = 0; i <= 2; ++i) {
    HullTable<double> table;
    EXPECT_EQ(add_icosphere_hull(table, i, 5), 0);
    const Vertices3 vertices = vertices_of(table, 0);
    const HullTopology<double> surface = hull_topology(table, 0);
    EXPECT_EQ(surface_problem(vertices, surface), "");
    EXPECT_EQ((std::array{vertices.size(), surface.edges.size(),
                          static_cast<std::size_t>(surface.face_count())}),
              counts[i]);
    for (const Vertex3& v : vertices) {
      EXPECT_NEAR(v[0] * v[0] + v[1] * v[1] + v[2] * v[2], 25, 1e-13);
      EXPECT_TRUE(std::any_of(vertices.begin(), vertices.end(), [&](const Vertex3& w) {
        return std::abs(v[0] + w[0]) + std::abs(v[1] + w[1]) + std::abs(v[2] + w[2]) < 1e-13;
      }));
    }
    const auto measures = properties(table, 0);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(measures.centroid[k], 0, 1e-14);
    EXPECT_NEAR(measures.inertia[0], measures.inertia[2], 1e-12 * measures.inertia[0]);
  }
}

TEST(hull_makers, name_bad_arguments) {
  HullTable<float> table;
  EXPECT_EQ(error_of([&] { add_box_hull(table, 0, 1, 1); }),
            "half_x is 0; it must be a finite number above 0");
  EXPECT_EQ(error_of([&] { add_box_hull(table, 1, -1, 1); }),
            "half_y is -1; it must be a finite number above 0");
  EXPECT_EQ(error_of([&] { add_box_hull(table, 1, 1, std::numeric_limits<float>::quiet_NaN()); }),
            "half_z is nan; it must be a finite number above 0");
  EXPECT_EQ(error_of([&] { add_tetrahedron_hull(table, -2); }),
            "circumradius is -2; it must be a finite number above 0");
  EXPECT_EQ(error_of([&] { add_cylinder_hull(table, 2, 1, 1); }),
            "sides is 2; it must be 3 to 127");
  EXPECT_EQ(error_of([&] { add_cylinder_hull(table, 128, 1, 1); }),
            "sides is 128; it must be 3 to 127");
  EXPECT_EQ(error_of([&] { add_cylinder_hull(table, 3, 0, 1); }),
            "half_height is 0; it must be a finite number above 0");
  EXPECT_EQ(error_of([&] { add_cylinder_hull(table, 3, 1, 0); }),
            "radius is 0; it must be a finite number above 0");
  EXPECT_EQ(error_of([&] { add_cone_hull(table, 255, 1, 1); }),
            "sides is 255; it must be 3 to 254");
  EXPECT_EQ(error_of([&] { add_cone_hull(table, 3, std::numeric_limits<float>::infinity(), 1); }),
            "half_height is inf; it must be a finite number above 0");
  EXPECT_EQ(error_of([&] { add_cone_hull(table, 3, 1, -1); }),
            "radius is -1; it must be a finite number above 0");
  EXPECT_EQ(error_of([&] { add_icosphere_hull(table, 3, 1); }),
            "subdivisions is 3; it must be 0 to 2");
  EXPECT_EQ(error_of([&] { add_icosphere_hull(table, 0, 0); }),
            "radius is 0; it must be a finite number above 0");
  // Flatter than the tolerance of 16 epsilons of the extent.
  EXPECT_EQ(error_of([&] { add_box_hull(table, 1, 1, 1e-7f); }),
            "points has its points in a plane, within 16 epsilons of its extent; a hull needs 4 "
            "that span a volume");
  EXPECT_TRUE(table.vertices.empty());
  EXPECT_TRUE(table.offsets.empty());
}

/// The tensor of a body whose axes are those of the frame.
void expect_measures(const HullProperties<double>& found, double volume, Vertex3 centroid,
                     Vertex3 inertia, double share) {
  EXPECT_NEAR(found.volume, volume, share * volume);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(found.centroid[k], centroid[k], share * std::cbrt(volume));
    EXPECT_NEAR(found.inertia[k], inertia[k], share * inertia[k]);
    EXPECT_NEAR(found.inertia[3 + k], 0, share * inertia[k]);
  }
}

TEST(hull_measures, of_boxes_near_and_far) {
  // Sides a, b, c: volume a b c, inertia m (b^2 + c^2) / 12 and so on.
  HullTable<double> table;
  add_box_hull(table, 1, 2, 3);
  const Vertex3 inertia{48.0 * (16 + 36) / 12, 48.0 * (4 + 36) / 12, 48.0 * (4 + 16) / 12};
  expect_measures(properties(table, 0), 48, {0, 0, 0}, inertia, 1e-15);
  Vertices3 points = vertices_of(table, 0);
  for (Vertex3& p : points) p = {p[0] + 1048576, p[1] - 1048576, p[2] + 3};
  add_hull(table, column_of<double>(points));
  expect_measures(properties(borrow(table), 1), 48, {1048576, -1048576, 3}, inertia, 1e-15);
}

TEST(hull_measures, of_a_tetrahedron) {
  // Legs 1, 2, 3 along the axes: volume 1, centroid at a quarter; the integrals of x^2 and of x y
  // about the centroid are 3 / 80 V a^2 and -1 / 80 V a b.
  HullTable<double> table;
  add_hull(table, column_of<double>({{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}}));
  const auto found = properties(table, 0);
  EXPECT_NEAR(found.volume, 1, 1e-15);
  const double expected[] = {3 * (4 + 9) / 80.0, 3 * (1 + 9) / 80.0, 3 * (1 + 4) / 80.0,
                             2 / 80.0,           3 / 80.0,           6 / 80.0};
  for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(found.inertia[k], expected[k], 1e-15) << k;
  EXPECT_NEAR(found.centroid[0], 0.25, 1e-15);
  EXPECT_NEAR(found.centroid[1], 0.5, 1e-15);
  EXPECT_NEAR(found.centroid[2], 0.75, 1e-15);
}

TEST(hull_measures, of_prisms_and_pyramids) {
  for (const int sides : {3, 5, 64, 127}) {
    HullTable<double> table;
    const double radius = 2, half = 1.5, height = 2 * half, step = 2 * kPi / sides;
    // A regular polygon: area n r^2 sin / 2, second moment along an axis A r^2 (2 + cos) / 12.
    const double area = sides * radius * radius * std::sin(step) / 2;
    const double second = area * radius * radius * (2 + std::cos(step)) / 12;
    add_cylinder_hull(table, sides, half, radius);
    const double across = second * height + area * height * height * height / 12;
    expect_measures(properties(table, 0), area * height, {0, 0, 0},
                    {across, across, 2 * second * height}, 1e-13);
    // A pyramid has a third of the volume, a fifth of the second moments; its centroid is a quarter
    // of its height up, and m h^2 3 / 80 along.
    add_cone_hull(table, sides, half, radius);
    const double volume = area * height / 3;
    const double leaning = second * height / 5 + volume * height * height * 3 / 80;
    expect_measures(properties(table, 1), volume, {0, 0, -half + height / 4},
                    {leaning, leaning, 2 * second * height / 5}, 1e-13);
  }
}

TEST(hull_measures, turn_and_scale_with_the_hull) {
  // The trace of the tensor does not depend on the frame; sizes differ by a factor of 2^12.
  Random random(1);
  for (std::size_t i = 0; i < scaled(100, 10); ++i) {
    Vertices3 points(20);
    for (Vertex3& p : points) {
      p = {random.uniform(-1, 1), random.uniform(-3, 3), random.uniform(0, 1)};
    }
    HullTable<double> table;
    add_hull(table, column_of<double>(points));
    Vertices3 moved = turned(points, random, {5, 6, 7});
    for (Vertex3& p : moved) p = {4096 * p[0], 4096 * p[1], 4096 * p[2]};
    add_hull(table, column_of<double>(moved));
    const auto a = properties(table, 0), b = properties(table, 1);
    EXPECT_NEAR(b.volume, std::ldexp(a.volume, 36), std::ldexp(a.volume, 36) * 1e-12);
    const double trace = std::ldexp(a.inertia[0] + a.inertia[1] + a.inertia[2], 60);
    EXPECT_NEAR(b.inertia[0] + b.inertia[1] + b.inertia[2], trace, 1e-12 * trace);
  }
}

TEST(hull_measures, polygons_keep_theirs) {
  GeometryTable<Owned<2, double>> polygons;
  add_box_polygon(polygons, 1, 1);
  EXPECT_EQ(properties(polygons, 0).area, 4);
}

TEST(hulls, appends_to_the_table) {
  HullTable<float> table;
  EXPECT_EQ(add_tetrahedron_hull(table, 1), 0);
  EXPECT_EQ(add_box_hull(table, 1, 1, 1), 1);
  EXPECT_EQ(std::vector<std::int64_t>(table.offsets.begin(), table.offsets.end()),
            (std::vector<std::int64_t>{0, 4, 12}));
  // Points may lie in the table itself: the tetrahedron is inside the box.
  EXPECT_EQ(add_hull(table, table.vertices), 2);
  EXPECT_EQ(vertices_of(table, 2), vertices_of(table, 1));
  EXPECT_TRUE(table.inner.empty());
}

TEST(hulls, refuses_what_is_none_and_changes_nothing) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  HullTable<float> table;
  add_tetrahedron_hull(table, 1);
  const auto refused = [&](const Vertices3& points) {
    const std::string error = error_of([&] { add_hull(table, column_of<float>(points)); });
    EXPECT_EQ(table.vertices.size(), 4u);
    EXPECT_EQ(table.offsets.size(), 2u);
    return error;
  };
  EXPECT_EQ(refused({{0, 0, 0}, {1, 0, 0}, {0, nan, 1}}),
            "points[2] is nan; a point must be three finite numbers");
  EXPECT_EQ(refused({{0, 0, 0}, {-1e300, 0, 0}, {0, 1, 0}}),
            "points[1] is -inf; a point must be three finite numbers");
  const std::string too_few =
      "points has fewer than 4 distinct points; a hull needs 4 that span a volume";
  EXPECT_EQ(refused({}), too_few);
  EXPECT_EQ(refused({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, 0}}), too_few);
  const std::string ending =
      ", within 16 epsilons of its extent; a hull needs 4 that span a volume";
  const std::string on_a_line = "points has its points on a line" + ending;
  EXPECT_EQ(refused({{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {-5, -5, -5}}), on_a_line);
  EXPECT_EQ(refused({{0, 0, 0}, {1, 0, 0}, {0.5, 1e-7, 1e-7}, {2, 0, -1e-7}}), on_a_line);
  const std::string in_a_plane = "points has its points in a plane" + ending;
  EXPECT_EQ(refused({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0.5, 0.5, 0}}), in_a_plane);
  EXPECT_EQ(refused({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 1e-7}}), in_a_plane);
  // A plate half as thick as the tolerance, with both sides.
  EXPECT_EQ(refused({{0, 0, 0},
                     {1, 0, 0},
                     {0, 1, 0},
                     {1, 1, 0},
                     {0, 0, 1e-6},
                     {1, 0, 1e-6},
                     {0, 1, 1e-6},
                     {1, 1, 1e-6}}),
            in_a_plane);
}

TEST(hulls, indices_out_of_range_are_errors) {
  HullTable<float> table;
  EXPECT_EQ(error_of([&] { properties(table, 0); }),
            "index is 0; the table has 0 geometries, counted from 0");
  add_tetrahedron_hull(table, 1);
  EXPECT_EQ(error_of([&] { hull_topology(table, 1); }),
            "index is 1; the table has 1 geometries, counted from 0");
  EXPECT_EQ(error_of([&] { properties(borrow(table), -1); }),
            "index is -1; the table has 1 geometries, counted from 0");
  // Points that are not a hull have no surface.
  table.vertices(3, 2) = -table.vertices(3, 2);
  EXPECT_EQ(error_of([&] { hull_topology(table, 0); }), "no error");
  table.vertices.set(3, table.vertices.row(2));
  EXPECT_EQ(
      error_of([&] { hull_topology(table, 0); }),
      "geometries.offsets[0] begins geometry 0, which has fewer than 4 distinct points; a hull "
      "needs 4 that span a volume");
  EXPECT_EQ(error_of([&] { properties(table, 0); }),
            error_of([&] { hull_topology(borrow(table), 0); }));
}

TEST(hulls, make_convex_builds_every_hull_in_place) {
  HullTable<double> table;
  table.vertices = {{0, 0, 0}, {0, 1, 0}, {0.1, 0.1, 0.1}, {1, 0, 0}, {0, 0, 1}, {0, 0, 0},
                    {2, 2, 2}, {2, 0, 0}, {2, 1, 1},       {0, 2, 0}, {0, 0, 2}};
  table.offsets = {0, 5, 11};
  make_convex(table);
  EXPECT_EQ(vertices_of(table, 0), (Vertices3{{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, 1}}));
  EXPECT_EQ(vertices_of(table, 1),
            (Vertices3{{0, 0, 0}, {2, 2, 2}, {2, 0, 0}, {0, 2, 0}, {0, 0, 2}}));
  HullTable<double> empty;
  make_convex(empty);
  EXPECT_TRUE(empty.offsets.empty());
  empty.offsets = {0};
  make_convex(empty);
  EXPECT_EQ(empty.offsets.size(), 1u);
}

TEST(hulls, make_convex_says_what_is_wrong_and_where) {
  const auto error_with = [](const auto& spoil) {
    HullTable<float> table;
    table.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1},
                      {5, 5, 5}, {6, 5, 5}, {5, 6, 5}, {5, 5, 6}};
    table.offsets = {0, 4, 8};
    spoil(table);
    const std::size_t vertices = table.vertices.size();
    const std::string error = error_of([&] { make_convex(table); });
    EXPECT_EQ(table.vertices.size(), vertices);
    return error;
  };
  using T = HullTable<float>;
  EXPECT_EQ(error_with([](T& t) { t.vertices(5, 1) = std::numeric_limits<float>::quiet_NaN(); }),
            "geometries.vertices[5] is nan in geometry 1; a vertex must be three finite numbers");
  EXPECT_EQ(
      error_with([](T& t) { t.vertices(7, 2) = 5; }),
      "geometries.offsets[1] begins geometry 1, which has fewer than 4 distinct points; a hull "
      "needs 4 that span a volume");
  EXPECT_EQ(error_with([](T& t) {
              t.vertices.set(7, {6, 6, 5});
            }),
            "geometries.offsets[1] begins geometry 1, which has its points in a plane, within 16 "
            "epsilons of its extent; a hull needs 4 that span a volume");
  EXPECT_EQ(error_with([](T& t) {
              t.offsets = {1, 4, 8};
            }),
            "geometries.offsets[0] is 1; the first geometry begins at 0");
  EXPECT_EQ(
      error_with([](T& t) {
        t.offsets = {0, 9, 8};
      }),
      "geometries.offsets[2] is 8, below the 9 before it; geometries lie one after the other");
  EXPECT_EQ(error_with([](T& t) {
              t.offsets = {0, 4, 7};
            }),
            "geometries.offsets[2] is 7; the last offset must be the count of vertices, 8");
  EXPECT_EQ(error_with([](T& t) { t.offsets.clear(); }),
            "geometries.offsets is empty, but geometries.vertices has 8 rows; it must begin with 0 "
            "and end "
            "with their count");
  EXPECT_EQ(error_with([](T& t) { t.inner.resize(8); }),
            "geometries.inner has 8 rows; only polygons have inner edges, so it must be empty");
}

}  // namespace
}  // namespace widephase::test
