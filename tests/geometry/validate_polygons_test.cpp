// Validation of polygons that were not made by a builder: it is exact, and its messages.
// Labels: plain

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include <widephase/scene.hpp>

#include "geometry/orientation.hpp"
#include "geometry/validate_polygons.hpp"
#include "reference/scaled.hpp"
#include "support/polygons.hpp"

namespace widephase::test {
namespace {

constexpr double kPi = 3.141592653589793;

std::vector<Vertex> regular(int count, int step) {
  std::vector<Vertex> points;
  for (int i = 0; i < count; ++i) {
    points.push_back({std::cos(2 * kPi * i * step / count), std::sin(2 * kPi * i * step / count)});
  }
  return points;
}

template <class T>
std::string first_finding(const PolygonTable<T>& table) {
  SceneColumns<2, T> scene;
  scene.geometries = table;
  const auto findings = validate<2, T>(scene);
  EXPECT_EQ(findings.empty(), are_valid_polygons(borrow(table)));
  return findings.empty() ? "valid" : findings[0].text();
}

template <class T>
PolygonTable<T> table_of(const std::vector<std::vector<Vertex>>& polygons) {
  PolygonTable<T> table;
  table.offsets.push_back({0});
  for (const auto& points : polygons) {
    for (const Vertex& point : points) {
      table.vertices.push_back({static_cast<T>(point[0]), static_cast<T>(point[1])});
    }
    table.offsets.push_back({static_cast<std::int64_t>(table.vertices.size())});
  }
  return table;
}

TEST(validate_polygons, names_array_row_and_geometry) {
  const std::vector<Vertex> good{{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  const std::string advice = "; build polygons by add_polygon, which takes any point set";
  const auto finding = [&](const std::vector<Vertex>& bad) {
    const std::string text = first_finding(table_of<float>({good, bad, good}));
    EXPECT_EQ(first_finding(table_of<double>({good, bad, good})), text);
    return text;
  };
  EXPECT_EQ(finding(good), "valid");
  EXPECT_EQ(finding(regular(64, 1)), "valid");
  EXPECT_EQ(finding({{0, 0}, {0, 1}, {1, 1}, {1, 0}}),
            "geometries.vertices[4] turns clockwise within geometry 1" + advice);
  EXPECT_EQ(finding({{0, 0}, {2, 0}, {2, 2}, {1, 0.5}, {0, 2}}),
            "geometries.vertices[7] turns clockwise within geometry 1" + advice);
  EXPECT_EQ(finding({{0, 0}, {1, 0}, {2, 0}, {2, 2}}),
            "geometries.vertices[5] does not turn within geometry 1" + advice);
  EXPECT_EQ(finding({{0, 0}, {2, 0}, {2, 0}, {2, 2}}),
            "geometries.vertices[5] does not turn within geometry 1" + advice);
  EXPECT_EQ(finding({{0, 0}, {2, 0}, {2, 2}, {0, 0}}),
            "geometries.vertices[4] repeats the vertex before it within geometry 1" + advice);
  EXPECT_EQ(finding({{0, 0}, {2, 0}}),
            "geometries.offsets[1] begins geometry 1, which has 2 vertices; a polygon has 3 to 64");
  EXPECT_EQ(
      finding(regular(65, 1)),
      "geometries.offsets[1] begins geometry 1, which has 65 vertices; a polygon has 3 to 64");
  EXPECT_EQ(finding({{0, 0}, {2, std::numeric_limits<double>::infinity()}, {0, 2}}),
            "geometries.vertices[5] is inf in geometry 1; a vertex must be two finite numbers");
  // Stars: they only turn left, but go around more than once.
  EXPECT_EQ(finding(regular(5, 2)),
            "geometries.vertices[4] begins geometry 1, whose outline goes "
            "round 2 times" +
                advice);
  EXPECT_EQ(finding(regular(7, 3)),
            "geometries.vertices[4] begins geometry 1, whose outline goes "
            "round 3 times" +
                advice);
  EXPECT_EQ(finding(regular(5, 3)),
            "geometries.vertices[4] turns clockwise within geometry 1" + advice);
}

TEST(validate_polygons, checks_the_table) {
  const PolygonTable<double> good = table_of<double>({regular(3, 1), regular(6, 1)});
  EXPECT_EQ(first_finding(good), "valid");
  EXPECT_EQ(first_finding(PolygonTable<double>{}), "valid");
  const auto finding = [&](const auto& spoil) {
    PolygonTable<double> table = good;
    spoil(table);
    return first_finding(table);
  };
  using T = PolygonTable<double>;
  EXPECT_EQ(finding([](T& t) {
              t.offsets = {0, 3};
            }),
            "geometries.offsets[1] is 3; the last offset must be the count of vertices, 9");
  EXPECT_EQ(finding([](T& t) {
              t.offsets = {-3, 3, 9};
            }),
            "geometries.offsets[0] is -3; the first geometry begins at 0");
  EXPECT_EQ(finding([](T& t) {
              t.offsets = {0, std::numeric_limits<std::int64_t>::max(), 9};
            }),
            "geometries.offsets[2] is 9, below the 9223372036854775807 before it; geometries lie "
            "one after the other");
  EXPECT_EQ(
      finding([](T& t) { t.offsets.clear(); }),
      "geometries.offsets is empty, but geometries.vertices has 9 rows; it must begin with 0 and "
      "end with their count");
  EXPECT_EQ(finding([](T& t) { t.inner = {0, 1, 0, 0, 0, 0, 0, 1, 1}; }), "valid");
  EXPECT_EQ(finding([](T& t) { t.inner = {0, 1, 0, 0, 0, 0, 0, 1, 2}; }),
            "geometries.inner[8] is 2; it must be 0 or 1");
  EXPECT_EQ(finding([](T& t) { t.inner = {0}; }),
            "geometries.inner has 1 rows, but geometries.vertices has 9");
  // One finding per geometry, up to the limit.
  PolygonTable<double> both = table_of<double>({regular(5, 2), regular(3, 1), regular(5, 2)});
  EXPECT_EQ(polygon_findings(borrow(both), 10).size(), 2u);
  EXPECT_EQ(polygon_findings(borrow(both), 10)[1].row, 8);
  EXPECT_EQ(polygon_findings(borrow(both), 1).size(), 1u);
}

TEST(validate_polygons, the_quick_check_agrees_with_the_findings) {
  // Squares with a fifth corner on an edge, moved by a few roundings: the sign decides, exactly.
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> place(-1, 1);
  int valid = 0;
  const std::size_t count = scaled(20000, 500);
  for (std::size_t i = 0; i < count; ++i) {
    const Vertex a{place(random), place(random) - 3}, b{place(random) + 3, place(random)};
    const Vertex c{place(random), place(random) + 3};
    const auto nudge = [&](double value) {
      return value + std::ldexp(static_cast<double>(random() % 5) - 2, -52);
    };
    const Vertex middle{nudge((a[0] + b[0]) / 2), nudge((a[1] + b[1]) / 2)};
    const bool is_left = orientation(point_of(a), point_of(middle), point_of(b)) > 0;
    const PolygonTable<double> table = table_of<double>({{a, middle, b, c}});
    ASSERT_EQ(are_valid_polygons(borrow(table)), is_left);
    ASSERT_EQ(first_finding(table) == "valid", is_left);
    valid += is_left ? 1 : 0;
  }
  EXPECT_GT(valid, static_cast<int>(count / 5));
}

TEST(validate_polygons, any_numbers_are_checked_without_harm) {
  std::mt19937_64 random(6);
  const double odd[] = {0,
                        -0.0,
                        1,
                        -1,
                        5e-324,
                        1e308,
                        -1e308,
                        std::numeric_limits<double>::infinity(),
                        std::numeric_limits<double>::quiet_NaN()};
  for (std::size_t i = 0; i < scaled(20000, 500); ++i) {
    std::vector<Vertex> points(random() % 6);
    for (Vertex& point : points) point = {odd[random() % 9], odd[random() % 9]};
    const PolygonTable<double> table = table_of<double>({points});
    first_finding(table);
    PolygonTable<double> hull;
    try {
      add_polygon(hull, column_of<double>(points));
    } catch (const Error&) {
      continue;
    }
    ASSERT_EQ(first_finding(hull), "valid");
  }
}

}  // namespace
}  // namespace widephase::test
