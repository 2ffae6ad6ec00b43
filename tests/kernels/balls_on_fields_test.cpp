// Very many balls on rough ground, apart from it or shallow: each has the local minima of its
// distance to the triangles around it, none more and none less. At a scale of 500 they are 10^7.

#include <gtest/gtest.h>

#include "reference/scaled.hpp"
#include "support/mesh_shapes.hpp"

namespace widephase::test {
namespace {

constexpr int kSide = 64;
constexpr double kCell = 0.5;

template <class T>
double stored(double x) {
  return static_cast<double>(static_cast<SizeOf<T>>(x));
}

/// The cells of a field up to `reach` from a place, and one more around them, as a mesh.
MeshShape cells_near(const std::vector<double>& heights, double x, double y, double reach) {
  const auto cells = [&](double at) {
    const int from = std::max(0, static_cast<int>(std::floor((at - reach) / kCell)) - 1);
    const int to = std::min(kSide - 1, static_cast<int>(std::floor((at + reach) / kCell)) + 1);
    return std::pair{from, to};
  };
  const auto [first_row, last_row] = cells(y);
  const auto [first_column, last_column] = cells(x);
  MeshShape mesh;
  const int columns = last_column - first_column + 2;
  for (int row = first_row; row <= last_row + 1; ++row) {
    for (int column = first_column; column <= last_column + 1; ++column) {
      mesh.vertices.push_back({kCell * column, kCell * row,
                               heights[static_cast<std::size_t>((kSide + 1) * row + column)]});
    }
  }
  for (int row = 0; row <= last_row - first_row; ++row) {
    for (int column = 0; column <= last_column - first_column; ++column) {
      const int at = row * columns + column;
      mesh.triangles.push_back({at, at + 1, at + columns + 1});
      mesh.triangles.push_back({at, at + columns + 1, at + columns});
    }
  }
  return mesh;
}

struct Count {
  std::size_t places = 0, unsure = 0, missed = 0, extra = 0;
};

template <class T>
void count_balls(std::size_t balls, std::uint64_t seed, double rough, Count& count) {
  Random random(seed);
  std::vector<double> heights;
  for (int n = 0; n < (kSide + 1) * (kSide + 1); ++n) {
    heights.push_back(stored<T>(random.uniform(-rough, rough)));
  }
  const auto height = [&](int row, int column) {
    return heights[static_cast<std::size_t>((kSide + 1) * row + column)];
  };
  const auto ground_at = [&](double x, double y) {
    const int column = static_cast<int>(x / kCell), row = static_cast<int>(y / kCell);
    const double u = x / kCell - column, v = y / kCell - row;
    const double low = height(row, column), high = height(row + 1, column + 1);
    const double beside = u >= v ? height(row, column + 1) : height(row + 1, column);
    const double more = std::max(u, v), less = std::min(u, v);
    return low + more * (beside - low) + less * (high - beside);
  };
  Ground<T> ground;
  std::vector<Point3d> centers;
  std::vector<double> radii;
  while (centers.size() < balls) {
    Point3d p{random.uniform(0, kSide * kCell), random.uniform(0, kSide * kCell), 0};
    const double radius = stored<T>(random.uniform(0.05, 0.6));
    p[2] = ground_at(p[0], p[1]) + random.uniform(0.01, 1.1) * radius;
    for (double& x : p) x = stored<T>(x);
    if (!(p[0] < kSide * kCell && p[1] < kSide * kCell)) continue;
    centers.push_back(p);
    radii.push_back(radius);
    ground.add_sphere(p, radius);
  }
  ground.place_field(ground.add_field(kSide + 1, kSide + 1, kCell, height));
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < balls; ++i) {
    pairs.push_back({static_cast<std::int32_t>(i), ground.field_id()});
  }
  CollideOptions options;
  options.patch_angle = 0;
  ContactBuffer<3, T> contacts;
  Workspace<3, T> workspace;
  collide_pairs<3, T>(ground.scene, pairs, contacts, workspace, options);

  const double rounding = sizeof(SizeOf<T>) == 4 ? 1e-5 : 1e-10;
  std::size_t next = 0;
  for (std::size_t i = 0; i < balls; ++i) {
    const std::size_t first = next;
    while (next < contacts.size() && contacts.source[next] == static_cast<std::int64_t>(i)) ++next;
    const Point3d& p = centers[i];
    const auto places =
        near_places(cells_near(heights, p[0], p[1], radii[i]), true, p, radii[i], rounding);
    const auto is_same = [&](const NearPlace& place, std::size_t c) {
      double off = 0;
      for (int k = 0; k < 3; ++k) {
        off = std::max(off, std::abs(place.normal[k] - double(contacts.normal(c, k))));
      }
      return off * place.distance < 20 * rounding &&
             std::abs(radii[i] - place.distance - double(contacts.depth[c])) < 4 * rounding;
    };
    for (const NearPlace& place : places) {
      // From below nothing is felt.
      if (!(place.normal[2] < 0)) continue;
      ++count.places;
      count.unsure += place.unsure ? 1u : 0u;
      bool is_found = place.unsure;
      for (std::size_t c = first; c < next && !is_found; ++c) is_found = is_same(place, c);
      if (is_found) continue;
      if (++count.missed < 3) ADD_FAILURE() << "seed " << seed << " ball " << i << " misses one";
    }
    for (std::size_t c = first; c < next; ++c) {
      bool is_found = false;
      for (const NearPlace& place : places) is_found = is_found || is_same(place, c);
      if (is_found) continue;
      if (++count.extra < 3) ADD_FAILURE() << "seed " << seed << " ball " << i << " has one more";
    }
  }
}

template <class T>
void expect_all(std::uint64_t seed) {
  constexpr std::size_t kBatch = 2500;
  Count count;
  for (std::size_t n = 0; n < scaled(4, 2); ++n) {
    count_balls<T>(kBatch, seed + n, n % 2 == 0 ? 0.3 : 0.03, count);
  }
  ::testing::Test::RecordProperty("places", std::to_string(count.places));
  ::testing::Test::RecordProperty("unsure", std::to_string(count.unsure));
  EXPECT_GT(count.places, kBatch / 2);
  EXPECT_LT(count.unsure, count.places / 50);
  EXPECT_EQ(count.missed, 0u) << "of " << count.places;
  EXPECT_EQ(count.extra, 0u) << "of " << count.places;
}

TEST(balls_on_fields, touch_at_all_local_minima_float) { expect_all<float>(5000); }
TEST(balls_on_fields, touch_at_all_local_minima_double) { expect_all<double>(6000); }

}  // namespace
}  // namespace widephase::test
