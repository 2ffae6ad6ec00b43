// The messages of validation for hulls that were not made by a builder.
// Labels: plain

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <widephase/scene.hpp>

#include "geometry/validate_hulls.hpp"
#include "reference/scaled.hpp"
#include "support/hulls.hpp"

namespace widephase::test {
namespace {

const Vertices3 kTetrahedron{{0, 0, 0}, {3, 0, 0}, {0, 3, 0}, {0, 0, 3}};

template <class T>
std::string first_finding(const HullTable<T>& table) {
  SceneColumns<3, T> scene;
  scene.geometries = table;
  const auto findings = validate<3, T>(scene);
  return findings.empty() ? "valid" : findings[0].text();
}

template <class T>
HullTable<T> table_of(const std::vector<Vertices3>& hulls) {
  HullTable<T> table;
  table.offsets.push_back({0});
  for (const Vertices3& hull : hulls) {
    const Column<T, 3> column = column_of<T>(hull);
    for (std::size_t row = 0; row < column.size(); ++row) table.vertices.push_back(column.row(row));
    table.offsets.push_back({static_cast<std::int64_t>(table.vertices.size())});
  }
  return table;
}

TEST(validate_hulls, says_which_vertex_and_why) {
  // Behind a good tetrahedron, whose rows are 0 to 3.
  const auto finding = [](const Vertices3& points) {
    return first_finding(table_of<float>({kTetrahedron, points}));
  };
  const std::string advice =
      " within geometry 1; build hulls by add_hull, which takes any point set";
  EXPECT_EQ(finding(kTetrahedron), "valid");
  Vertices3 points = kTetrahedron;
  points.push_back({1, 1, 1});
  const std::string inside =
      "] does not stick out of geometry 1 by 16 epsilons of its extent; build hulls by add_hull, "
      "which takes any point set";
  EXPECT_EQ(finding(points), "geometries.vertices[8" + inside);
  // Beyond the face x + y + z = 3 by less than the tolerance, then by more.
  points[4] = {1, 1, 1 + 2e-6};
  EXPECT_EQ(finding(points), "geometries.vertices[8" + inside);
  points[4] = {1, 1, 1.5};
  EXPECT_EQ(finding(points), "valid");
  std::swap(points[1], points[4]);
  EXPECT_EQ(finding(points), "valid");
  points[1] = {1, 1, 0.5};
  EXPECT_EQ(finding(points), "geometries.vertices[5" + inside);
  points[1] = points[0];
  EXPECT_EQ(finding(points), "geometries.vertices[5] repeats a vertex before it" + advice);
  points[1][1] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(finding(points),
            "geometries.vertices[5] is inf in geometry 1; a vertex must be three finite numbers");
  EXPECT_EQ(finding({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}),
            "geometries.offsets[1] begins geometry 1, which has 3 vertices; a hull has 4 to 255");
  EXPECT_EQ(finding(Vertices3(256)),
            "geometries.offsets[1] begins geometry 1, which has 256 vertices; a hull has 4 to 255");
  EXPECT_EQ(finding({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}),
            "geometries.offsets[1] begins geometry 1, which has its points in a plane, within 16 "
            "epsilons of its extent; a hull needs 4 that span a volume");
  EXPECT_EQ(finding({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}}),
            "geometries.offsets[1] begins geometry 1, which has its points on a line, within 16 "
            "epsilons of its extent; a hull needs 4 that span a volume");
}

TEST(validate_hulls, checks_the_table) {
  const HullTable<double> good = table_of<double>({kTetrahedron, kTetrahedron});
  EXPECT_EQ(first_finding(good), "valid");
  EXPECT_EQ(first_finding(HullTable<double>{}), "valid");
  const auto finding = [&](const auto& spoil) {
    HullTable<double> table = good;
    spoil(table);
    return first_finding(table);
  };
  using T = HullTable<double>;
  EXPECT_EQ(finding([](T& t) {
              t.offsets = {0, 4};
            }),
            "geometries.offsets[1] is 4; the last offset must be the count of vertices, 8");
  EXPECT_EQ(finding([](T& t) {
              t.offsets = {-4, 4, 8};
            }),
            "geometries.offsets[0] is -4; the first geometry begins at 0");
  EXPECT_EQ(
      finding([](T& t) {
        t.offsets = {0, std::numeric_limits<std::int64_t>::max(), 8};
      }),
      "geometries.offsets[2] is 8, below the 9223372036854775807 before it; geometries lie one "
      "after the other");
  EXPECT_EQ(finding([](T& t) { t.offsets.clear(); }),
            "geometries.offsets is empty, but geometries.vertices has 8 rows; it must begin with 0 "
            "and end "
            "with their count");
  EXPECT_EQ(finding([](T& t) { t.inner = {0}; }),
            "geometries.inner has 1 rows; only polygons have inner edges, so it must be empty");
  // One finding per geometry, up to the limit.
  const Vertices3 flat{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
  HullTable<double> both = table_of<double>({flat, kTetrahedron, flat});
  EXPECT_EQ(hull_findings(borrow(both), 10).size(), 2u);
  EXPECT_EQ(hull_findings(borrow(both), 10)[1].row, 2);
  EXPECT_EQ(hull_findings(borrow(both), 1).size(), 1u);
  EXPECT_TRUE(hull_findings(borrow(both), 0).empty());
}

TEST(validate_hulls, any_numbers_are_checked_without_harm) {
  Random random(6);
  const double odd[] = {0,
                        -0.0,
                        1,
                        -1,
                        1 + 0x1p-52,
                        1e-76,
                        -1e-74,
                        5e-324,
                        1e308,
                        -1e308,
                        std::numeric_limits<double>::infinity(),
                        std::numeric_limits<double>::quiet_NaN()};
  int accepted = 0;
  for (std::size_t i = 0; i < scaled(20000, 500); ++i) {
    Vertices3 points(static_cast<std::size_t>(random.integer(0, 9)));
    const int last = random.integer(1, 11);
    for (Vertex3& p : points) {
      for (double& value : p) value = odd[random.integer(0, last)];
    }
    first_finding(table_of<double>({points}));
    HullTable<double> hull;
    try {
      add_hull(hull, column_of<double>(points));
    } catch (const Error&) {
      continue;
    }
    ++accepted;
    ASSERT_EQ(first_finding(hull), "valid");
    const HullTopology<double> surface = hull_topology(hull, 0);
    ASSERT_EQ(hull.vertices.size() + static_cast<std::size_t>(surface.face_count()),
              surface.edges.size() + 2);
    HullTable<double> simpler;
    try {
      add_hull(simpler, column_of<double>(points), 4);
    } catch (const Error&) {
      continue;
    }
    ASSERT_EQ(first_finding(simpler), "valid");
  }
  EXPECT_GT(accepted, 100);
}

TEST(validate_hulls, what_was_built_is_valid_and_what_was_spoilt_is_not) {
  // A vertex moved towards the middle of its hull until it is inside.
  Random random(7);
  for (std::size_t i = 0; i < scaled(300, 30); ++i) {
    Vertices3 points(30);
    for (Vertex3& p : points) {
      p = {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    }
    HullTable<float> table;
    add_hull(table, column_of<float>(points));
    ASSERT_EQ(first_finding(table), "valid");
    const auto row = random.bits() % table.vertices.size();
    table.vertices.set(row, {0, 0, 0});
    ASSERT_TRUE(
        first_finding(table).starts_with("geometries.vertices[" + std::to_string(row) + "] "));
  }
}

}  // namespace
}  // namespace widephase::test
