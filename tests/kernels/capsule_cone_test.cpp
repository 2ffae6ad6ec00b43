// A capsule and a cone: minimum translations, distances and points come from lists of directions,
// with pairs in lanes. A search by support points knows nothing of these.
// Labels: own-sets

#include <gtest/gtest.h>

#include <cmath>
#include <span>

#include "support/generate.hpp"
#include "support/generate_round.hpp"
#include "support/methods.hpp"
#include "support/proven_distances.hpp"
#include "support/searched_points.hpp"

namespace widephase::test {
namespace {

const Quaternion kUpright{0, 0, 0, 1};

Point<3> plus(const Point<3>& p, double by, const Point<3>& way) {
  return {p[0] + by * way[0], p[1] + by * way[1], p[2] + by * way[2]};
}

/// Where a capsule's core is beside or in an upright cone. Then both are turned.
enum class Place {
  any,
  deep,
  along_side,
  through_apex,
  on_axis,
  along_base,
  at_rim,
  upright,
  short_core,
  thin_or_flat
};
constexpr Place kPlaces[] = {
    Place::any,        Place::deep,   Place::along_side, Place::through_apex, Place::on_axis,
    Place::along_base, Place::at_rim, Place::upright,    Place::short_core,   Place::thin_or_flat};

/// A tilt of 0 or from 1e-9 to 1e-2.
double any_tilt(Random& random) {
  return random.chance(0.2) ? 0 : std::pow(10, random.uniform(-9, -2));
}

SolidPair<3> pair_at(Random& random, Place place) {
  const auto length = [&] { return random.uniform(0.2, 1.5); };
  double half = length(), radius = length();
  const double off = random.chance(0.2) ? 0 : random.uniform(-0.3, 0.3);
  const double angle = random.uniform(0, 6.2), x = std::cos(angle), y = std::sin(angle);
  const Point<3> apex{0, 0, half}, rim{radius * x, radius * y, -half};
  Point<3> middle = random.point<3>(-1.5, 1.5), way = random.direction<3>();
  double reach = length();
  switch (place) {
    case Place::any:
    case Place::short_core:
    case Place::thin_or_flat:
      break;
    case Place::deep:
      middle = random.point<3>(-0.3, 0.3);
      break;
    case Place::along_side: {
      // The line from the rim to the apex, moved along it and off the side.
      const double side = std::hypot(radius, 2 * half);
      way = {-radius * x / side, -radius * y / side, 2 * half / side};
      const Point<3> out{2 * half * x / side, 2 * half * y / side, radius / side};
      middle = plus(plus(rim, random.uniform(-0.2, 1.2) * side, way), off, out);
      break;
    }
    case Place::through_apex:
      middle = plus(apex, random.uniform(-1, 1) * reach, way);
      if (random.chance(0.5)) middle[2] -= off;
      break;
    case Place::on_axis:
      middle = {0, 0, random.uniform(-2, 2) * half};
      way = {0, 0, 1};
      break;
    case Place::along_base:
      middle = {middle[0], middle[1], -half + off};
      way = {x, y, 0};
      break;
    case Place::at_rim:
      middle = plus(rim, random.uniform(-1, 1) * reach, way);
      if (random.chance(0.5)) middle = plus(middle, off, {x, y, 0});
      break;
    case Place::upright:
      way = {0, 0, 1};
      break;
  }
  way = plus(way, any_tilt(random), random.direction<3>());
  if (place == Place::short_core) reach = random.chance(0.2) ? 0 : 0.1 * any_tilt(random);
  if (place == Place::thin_or_flat) {
    (random.chance(0.5) ? half : radius) *= std::pow(10, random.uniform(-4, -1));
  }
  const double round = random.chance(0.3) ? 0 : random.uniform(0, 0.3);
  const SolidPair<3> pair{capsule<3>(plus(middle, -reach, way), plus(middle, reach, way), round),
                          cone({0, 0, 0}, kUpright, half, radius)};
  return random.chance(0.2) ? pair : turned_by(random.direction<4>(), pair);
}

std::vector<SolidPair<3>> pairs_at(Place place, std::size_t count, std::uint64_t seed,
                                   double unit = 1) {
  Random random(seed);
  std::vector<SolidPair<3>> pairs(count);
  for (auto& pair : pairs) {
    pair = pair_at(random, place);
    pair = {in_unit(unit, pair.a), in_unit(unit, pair.b)};
  }
  return pairs;
}

/// Distances and depths are those of a search, but where that is left open.
template <class T>
void expect_as_searched(const std::vector<SolidPair<3>>& pairs, double unit = 1) {
  const DistanceBuffer<3, T> listed = rows_of<T>(pairs);
  const DistanceBuffer<3, T> searched = rows_of<T>(pairs, Method::gjk_epa);
  const double slack = unit * (sizeof(T) == 4 ? 1e-5 : 1e-13);
  std::size_t ties = 0, wrong = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto own = static_cast<double>(listed.distance[i]);
    const auto other = static_cast<double>(searched.distance[i]);
    const bool is_right = own >= other - slack && (own <= other + slack || searched.status[i] == 2);
    if (!is_right && ++wrong <= 3) {
      ADD_FAILURE() << sizeof(T) << " bytes: " << describe(pairs[i].a) << "\n"
                    << describe(pairs[i].b) << "\n"
                    << describe_row(listed, i) << "\n"
                    << describe_row(searched, i);
    }
    ties += (listed.status[i] == 1) != (searched.status[i] == 1) ? 1 : 0;
  }
  EXPECT_EQ(wrong, 0u) << "of " << pairs.size();
  EXPECT_LE(ties, 2 + pairs.size() / 200);
}

TEST(capsule_cone, depths_and_distances_are_those_of_a_search) {
  for (const Place place : kPlaces) {
    SCOPED_TRACE(static_cast<int>(place));
    const auto pairs = pairs_at(place, scaled(2000, 200), 61);
    expect_as_searched<float>(pairs);
    expect_as_searched<double>(pairs);
  }
}

TEST(capsule_cone, depths_and_distances_are_those_of_a_search_at_any_scale) {
  for (const double unit : {1e-12, 1e-6, 1e-3, 1e4, 1e9}) {
    SCOPED_TRACE(unit);
    for (const Place place : {Place::any, Place::deep, Place::at_rim}) {
      const auto pairs = pairs_at(place, scaled(300, 50), 62, unit);
      expect_as_searched<float>(pairs, unit);
      expect_as_searched<double>(pairs, unit);
    }
  }
}

TEST(capsule_cone, distances_of_all_families_are_proven) {
  for (const RoundFamily family : kRoundFamilies) {
    Random random(63);
    std::vector<SolidPair<3>> pairs(scaled(400, 50));
    for (auto& pair : pairs) pair = round_pair(random, family, Kind::capsule, Kind::cone);
    expect_both_proven(name_of(family), pairs);
  }
}

TEST(capsule_cone, distances_at_all_places_are_proven) {
  for (const Place place : kPlaces) {
    expect_both_proven(std::to_string(static_cast<int>(place)),
                       pairs_at(place, scaled(400, 50), 64));
  }
}

TEST(capsule_cone, contacts_are_right_by_the_reference) {
  for (const Place place : kPlaces) {
    SCOPED_TRACE(static_cast<int>(place));
    const auto pairs = pairs_at(place, scaled(60, 10), 65);
    check_pairs_everywhere<3, float>(pairs, {0, 0.25});
    check_pairs_everywhere<3, double>(pairs, {0, 0.25});
  }
}

TEST(capsule_cone, points_are_those_of_a_search) {
  for (const Place place : {Place::any, Place::deep, Place::at_rim, Place::along_base}) {
    SCOPED_TRACE(static_cast<int>(place));
    const auto pairs = pairs_at(place, scaled(1000, 200), 66);
    for (const double margin : {0., 0.5}) {
      SCOPED_TRACE(margin);
      expect_points_of_search(pairs, margin);
    }
  }
}

TEST(capsule_cone, a_pair_has_the_same_contact_in_any_batch) {
  const auto solids = pairs_at(Place::any, 67, 67);
  const PairScene<3, float> input(solids);
  const std::span<const Pair> pairs = input.pairs;
  for (const Method method : {Method::automatic, Method::gjk_epa}) {
    const auto all = contacts_of<float>(input.scene, pairs, method, 0.25);
    for (const std::size_t count : {1u, 2u, 3u, 17u, 33u}) {
      for (std::size_t first = 0; first + count <= pairs.size(); first += count) {
        const auto part =
            contacts_of<float>(input.scene, pairs.subspan(first, count), method, 0.25);
        std::size_t at = 0;
        while (at < all.size() && static_cast<std::size_t>(all.source[at]) < first) ++at;
        for (std::size_t i = 0; i < part.size(); ++i) {
          ASSERT_EQ(static_cast<std::size_t>(part.source[i]) + first,
                    static_cast<std::size_t>(all.source[at + i]));
          EXPECT_EQ(part.depth[i], all.depth[at + i]);
          EXPECT_EQ((describe(contact_at<3, float>(part, i))),
                    (describe(contact_at<3, float>(all, at + i))));
        }
      }
    }
  }
}

/// Expects this depth and direction, on every set.
template <class T>
void expect_exit(const Solid<3>& a, const Solid<3>& b, double depth, const Point<3>& normal,
                 int status) {
  const DistanceBuffer<3, T> rows = rows_of<T>({{a, b}});
  const double near = sizeof(T) == 4 ? 2e-6 : 1e-14;
  EXPECT_NEAR(static_cast<double>(rows.distance[0]), -depth, near);
  EXPECT_EQ(rows.status[0], status);
  for (int k = 0; k < 3 && status == 0; ++k) {
    EXPECT_NEAR(static_cast<double>(rows.normal(0, k)), normal[k], near);
  }
}
void expect_overlap(const Solid<3>& a, const Solid<3>& b, double depth, const Point<3>& normal,
                    int status = 0) {
  expect_exit<float>(a, b, depth, normal, status);
  expect_exit<double>(a, b, depth, normal, status);
}

// The side from (2, 0, -1) to the apex (0, 0, 1) has the normal (1, 0, 1) / sqrt 2 and passes
// (1, 0, 0).
const Solid<3> kCone = cone({0, 0, 0}, kUpright, 1, 2);
const double kSlant = 1 / std::sqrt(2.);

TEST(capsule_cone, an_end_leaves_through_the_side_or_the_base) {
  // The end (0.75, 0, -0.25) is 0.5 / sqrt 2 below the side; the other end is far out.
  expect_overlap(capsule<3>({0.75, 0, -0.25}, {4, 0, 3.5}, 0.125), kCone, 0.5 * kSlant + 0.125,
                 {-kSlant, 0, -kSlant});
  // The end (0.5, 0, -0.75) is 0.25 over the base.
  expect_overlap(capsule<3>({0.75, 0.25, -4}, {0.5, 0, -0.75}, 0.5), kCone, 0.75, {0, 0, 1});
}

TEST(capsule_cone, a_line_leaves_through_the_side_and_over_the_rim) {
  // Along y in the plane x = 0.75, z = -0.25, as above.
  expect_overlap(capsule<3>({0.75, -3, -0.25}, {0.75, 3, -0.25}, 0.125), kCone,
                 0.5 * kSlant + 0.125, {-kSlant, 0, -kSlant});
  // A rim of radius 2 about z at z = -1. A line along z at x = 1.75 passes it, far below the side:
  // the cone is steep.
  expect_overlap(capsule<3>({1.75, 0, -9}, {1.75, 0, 0}, 0.125), cone({0, 0, 9}, kUpright, 10, 2),
                 0.375, {-1, 0, 0});
}

TEST(capsule_cone, an_end_on_the_axis_is_a_tie) {
  // All directions of the side are as good: 2 below the apex of a cone of slope 1 : 2.
  expect_overlap(capsule<3>({0, 0, 0}, {0, 0, 9}, 0), cone({0, 0, 0}, kUpright, 2, 2),
                 2 / std::sqrt(5.), {}, 1);
}

}  // namespace
}  // namespace widephase::test
