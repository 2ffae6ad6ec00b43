// Distances of all kinds from cones and ellipsoids: by features or a descent in lanes, which their
// nearest points prove.
// Labels: own-sets

#include <gtest/gtest.h>

#include "support/generate.hpp"
#include "support/generate_round.hpp"
#include "support/methods.hpp"
#include "support/proven_distances.hpp"
#include "support/searched_points.hpp"

namespace widephase::test {
namespace {

const Quaternion kUpright{0, 0, 0, 1};
struct Kinds {
  Kind first, second;
};
const Kinds kKinds[] = {{Kind::capsule, Kind::ellipsoid},  {Kind::aabb, Kind::ellipsoid},
                        {Kind::box, Kind::ellipsoid},      {Kind::hull, Kind::ellipsoid},
                        {Kind::cylinder, Kind::ellipsoid}, {Kind::capsule, Kind::cone},
                        {Kind::aabb, Kind::cone},          {Kind::box, Kind::cone},
                        {Kind::hull, Kind::cone},          {Kind::ellipsoid, Kind::cone}};

TEST(smooth_distances, of_all_families_are_proven) {
  for (const Kinds& kinds : kKinds) {
    for (const RoundFamily family : kRoundFamilies) {
      Random random(81);
      std::vector<SolidPair<3>> pairs(scaled(300, 50));
      for (auto& pair : pairs) pair = round_pair(random, family, kinds.first, kinds.second);
      expect_both_proven(name_of(family), pairs);
    }
  }
}

/// Shapes apart by up to ten times their sizes, of 1e-3 to 1e3.
SolidPair<3> apart_pair(Random& random, Kind kind, Kind smooth) {
  SolidPair<3> pair = round_pair(random, RoundFamily::sized, kind, smooth);
  const double size = static_cast<double>(pair_size(pair.a, pair.b));
  const Point<3> out = random.direction<3>();
  const double by = size * std::pow(10, random.uniform(-4, 1));
  pair.b = moved<3>(pair.b, {by * out[0], by * out[1], by * out[2]});
  return pair;
}

TEST(smooth_distances, near_and_far_are_proven_and_scale) {
  for (const Kinds& kinds : kKinds) {
    Random random(82);
    std::vector<SolidPair<3>> pairs(scaled(3000, 300)), doubled;
    for (auto& pair : pairs) {
      pair = apart_pair(random, kinds.first, kinds.second);
      doubled.push_back({in_unit(64, stored<float>(pair.a)), in_unit(64, stored<float>(pair.b))});
      pair = {stored<float>(pair.a), stored<float>(pair.b)};
    }
    expect_both_proven("near and far", pairs);
    const DistanceBuffer<3, float> rows = rows_of<float>(pairs), larger = rows_of<float>(doubled);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (!(rows.distance[i] > 0)) continue;
      EXPECT_EQ(64 * rows.distance[i], larger.distance[i]) << describe_row(rows, i);
      EXPECT_EQ(rows.feature[i], larger.feature[i]) << describe_row(rows, i);
    }
  }
}

TEST(smooth_distances, points_within_a_margin_of_a_cone_are_those_of_a_search) {
  // Faces that lean, and that reach beyond the other shape, keep all their points.
  for (const Kind kind :
       {Kind::capsule, Kind::aabb, Kind::box, Kind::hull, Kind::cylinder, Kind::cone}) {
    SCOPED_TRACE(kind_name(kind, 3));
    for (const double most : {0.02, 0.5}) {
      Random random(83);
      std::vector<SolidPair<3>> pairs(scaled(1000, 150));
      for (auto& pair : pairs) pair = round_pair(random, RoundFamily::units, kind, Kind::cone);
      const DistanceBuffer<3, double> rows = rows_of<double>(pairs, Method::gjk_epa);
      for (std::size_t i = 0; i < pairs.size(); ++i) {
        const double by = random.uniform(0.01, 1) * most - rows.distance[i];
        const auto part = [&](int k) { return by * rows.normal(i, k); };
        pairs[i].b = moved<3>(pairs[i].b, {part(0), part(1), part(2)});
      }
      expect_points_of_search(pairs, most);
    }
  }
}

constexpr std::uint32_t vertex(int i) { return 0x4000u | static_cast<std::uint32_t>(i); }
constexpr std::uint32_t edge(int i) { return 0x8000u | static_cast<std::uint32_t>(i); }
constexpr std::uint32_t face(int i) { return 0xc000u | static_cast<std::uint32_t>(i); }

template <class T>
void expect_apart(const SolidPair<3>& pair, double distance, const Point<3>& normal,
                  std::uint32_t feature_a, std::uint32_t feature_b) {
  const DistanceBuffer<3, T> rows = rows_of<T>({pair});
  const double near = sizeof(T) == 4 ? 1e-6 : 1e-14;
  EXPECT_NEAR(static_cast<double>(rows.distance[0]), distance, near) << describe_row(rows, 0);
  EXPECT_EQ(rows.status[0], 0) << describe_row(rows, 0);
  EXPECT_EQ(rows.feature[0], feature_a << 16 | feature_b) << describe_row(rows, 0);
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(static_cast<double>(rows.normal(0, k)), normal[k], near) << describe_row(rows, 0);
  }
}
void expect_both(const Solid<3>& a, const Solid<3>& b, double distance, const Point<3>& normal,
                 std::uint32_t feature_a, std::uint32_t feature_b) {
  expect_apart<float>({a, b}, distance, normal, feature_a, feature_b);
  expect_apart<double>({a, b}, distance, normal, feature_a, feature_b);
}

// From the apex (0, 0, 1) to the base of radius 0.5 at z = -1; the side's normal in the plane of x
// and z is (4, 1) / sqrt 17.
const Solid<3> kCone = cone({0, 0, 0}, kUpright, 1, 0.5);
const double kSlant = std::sqrt(17.);

TEST(smooth_distances, a_face_is_over_an_apex) {
  expect_both(aabb<3>({-1, -0.5, 2}, {1, 2, 3}), kCone, 1, {0, 0, -1}, face(4), vertex(33));
  expect_both(box({0.25, 0.25, 3}, kUpright, {1, 1, 1}), kCone, 1, {0, 0, -1}, face(4), vertex(33));
}

TEST(smooth_distances, a_side_is_beside_an_edge_and_an_end) {
  // A line's middle is (0.25, 0, 0). From there by sqrt 17 / 4 along the normal is (1.25, 0, 0.25).
  const Point<3> toward{-4 / kSlant, 0, -1 / kSlant};
  expect_both(aabb<3>({1.25, -1, 0.25}, {3, 2, 2}), kCone, kSlant / 4, toward, edge(4), edge(32));
  expect_both(capsule<3>({1.25, -1, 0.25}, {1.25, 2, 0.25}, 0.125), kCone, kSlant / 4 - 0.125,
              toward, edge(0), edge(32));
  expect_both(capsule<3>({1.25, 0, 0.25}, {3, 0, 3}, 0.125), kCone, kSlant / 4 - 0.125, toward,
              vertex(0), face(2));
}

TEST(smooth_distances, a_rim_is_beside_an_edge) {
  // From the rim's point (0.5, 0, -1) by 1.25 along (3, 0, -4) / 5.
  expect_both(aabb<3>({1.25, -1, -5}, {3, 2, -2}), kCone, 1.25, {-0.6, 0, 0.8}, edge(6), edge(15));
}

TEST(smooth_distances, an_end_is_below_a_base) {
  expect_both(capsule<3>({0.125, 0, -2}, {0.5, 0.25, -4}, 0.25), kCone, 0.75, {0, 0, 1}, vertex(0),
              face(0));
}

TEST(smooth_distances, a_capsule_without_length_is_its_first_end) {
  expect_both(capsule<3>({0, 0, 3}, {0, 0, 3}, 0.5), kCone, 1.5, {0, 0, -1}, vertex(0), vertex(33));
}

TEST(smooth_distances, an_ellipsoid_is_beside_a_face_an_edge_and_an_end) {
  const Solid<3> round = ellipsoid({0, 0, 0}, kUpright, {1, 2, 3});
  expect_both(aabb<3>({-1, -1, 4}, {1, 1, 5}), round, 1, {0, 0, -1}, face(4), 0);
  expect_both(capsule<3>({3, -1, 0}, {3, 2, 0}, 0.5), round, 1.5, {-1, 0, 0}, edge(0), 0);
  // Along (1, 0, 1) / sqrt 2 its farthest point is (1, 0, 9) / sqrt 10.
  const double half = std::sqrt(0.5), x = 1 / std::sqrt(10.) + 2 * half;
  expect_both(aabb<3>({x, -1, x + 8 / std::sqrt(10.)}, {9, 2, 9}), round, 2, {-half, 0, -half},
              edge(4), 0);
  expect_both(capsule<3>({3, 0, 0}, {5, 1, 1}, 0.5), round, 1.5, {-1, 0, 0}, vertex(0), 0);
}

TEST(smooth_distances, an_ellipsoid_is_beside_a_cap_a_rim_and_a_side) {
  const Solid<3> round = ellipsoid({0, 0, 0}, kUpright, {1, 2, 3});
  expect_both(cylinder({0.25, 0.125, 5}, kUpright, 1, 2), round, 1, {0, 0, -1}, face(0), 0);
  expect_both(cylinder({5, 0, 0.5}, kUpright, 1, 2), round, 2, {-1, 0, 0}, face(2), 0);
  // Along (1, 0, 1) / sqrt 2 its farthest point is (1, 0, 9) / sqrt 10. The rim's point is by 2
  // beyond.
  const double half = std::sqrt(0.5), x = 1 / std::sqrt(10.) + 2 * half;
  expect_both(cylinder({x + 2, 0, x + 8 / std::sqrt(10.) + 1}, kUpright, 1, 2), round, 2,
              {-half, 0, -half}, edge(7), 0);
}

TEST(smooth_distances, a_cone_is_beside_an_ellipsoid) {
  const Solid<3> round = ellipsoid({0, 0, 4}, kUpright, {1, 1.5, 2});
  expect_both(round, kCone, 1, {0, 0, -1}, 0, vertex(33));
  expect_both(ellipsoid({0.125, 0, -4}, kUpright, {1, 1.5, 2}), kCone, 1, {0, 0, 1}, 0, face(0));
  // An ellipsoid whose long axis is along a line of the side: from that line's middle.
  const double angle = std::atan2(0.5, 2.);
  const Quaternion leaning{0, -std::sin(angle / 2), 0, std::cos(angle / 2)};
  const Point<3> out{4 / kSlant, 0, 1 / kSlant};
  expect_both(ellipsoid({0.25 + 3 * out[0], 0, 3 * out[2]}, leaning, {1, 1, 2}), kCone, 2,
              {-out[0], 0, -out[2]}, 0, face(2));
}

}  // namespace
}  // namespace widephase::test
