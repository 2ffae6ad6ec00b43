// Point clouds of a game's convex hulls, some of them flat: each becomes a hull or is refused as
// flat.
// Labels: plain real-data long

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include "geometry/hull_vertices.hpp"
#include "geometry/validate_hulls.hpp"
#include "support/data_path.hpp"
#include "support/hull_clouds.hpp"

namespace widephase::test {
namespace {

/// The least distance between two parallel planes that enclose all points, one of them through
/// three points. It must be small for a flat set.
double thickness_of(const Vertices3& cloud) {
  const HullPoints points = hull_points(cloud);
  std::vector<std::int32_t> all(points.points.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::int32_t>(i);
  TriangleMesh mesh;
  if (!find_triangle_hull(points.points, all, mesh)) return 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t h = 0; h < mesh.origin.size(); h += 3) {
    const Point3 normal =
        normal_of(points.points, {mesh.origin[h], mesh.origin[h + 1], mesh.origin[h + 2]});
    const Point3 a = points.points[static_cast<std::size_t>(mesh.origin[h])];
    double depth = 0;
    for (const Point3& p : points.points) depth = std::max(depth, dot(normal, difference(a, p)));
    least = std::min(least, depth);
  }
  return std::ldexp(least, points.exponent);
}

template <class T>
void expect_hulls(const std::vector<Vertices3>& clouds, std::size_t flat) {
  std::size_t refused = 0;
  double most_outside = 0;
  for (std::size_t i = 0; i < clouds.size(); ++i) {
    SCOPED_TRACE(i);
    const double tolerance =
        kFlatHullEpsilons * std::numeric_limits<T>::epsilon() * extent_of(clouds[i]);
    HullTable<T> table;
    const std::string error = error_of([&] { add_hull(table, column_of<T>(clouds[i])); });
    if (error != "no error") {
      ++refused;
      EXPECT_TRUE(error.starts_with("points has its points in a plane, within 16")) << error;
      EXPECT_LE(thickness_of(clouds[i]), 4 * tolerance);
      continue;
    }
    EXPECT_GT(thickness_of(clouds[i]), tolerance);
    ASSERT_EQ(hull_problem(clouds[i], table, 0, most_outside), "");
    ASSERT_TRUE(hull_findings(borrow(table), 1).empty());
    const auto measures = properties(table, 0);
    EXPECT_GT(measures.volume, 0);
    std::array<double, 3> centroid{};
    for (std::size_t k = 0; k < 3; ++k) centroid[k] = static_cast<double>(measures.centroid[k]);
    EXPECT_LE(outside(hull_topology(table, 0), centroid), tolerance);
  }
  EXPECT_LE(most_outside, 2);
  EXPECT_EQ(refused, flat);
}

TEST(hulls_data, every_cloud_is_a_hull_or_flat) {
  const auto path = data_path("hulls/convex_hulls.bin");
  if (!path) GTEST_SKIP() << "no data: WIDEPHASE_DATA is not set and ../shared/data is not there";
  const std::vector<Vertices3> clouds = read_clouds(*path);
  EXPECT_EQ(clouds.size(), 3378u);
  // The others are plates of thickness 0.
  expect_hulls<float>(clouds, 12);
  expect_hulls<double>(clouds, 12);
}

}  // namespace
}  // namespace widephase::test
