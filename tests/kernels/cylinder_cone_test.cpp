// A cylinder and a cone: minimum translations and distances by directions in lanes.
// Labels: own-sets

#include <gtest/gtest.h>

#include <cmath>

#include "support/generate.hpp"
#include "support/generate_round.hpp"
#include "support/methods.hpp"
#include "support/proven_distances.hpp"

namespace widephase::test {
namespace {

const Quaternion kUpright{0, 0, 0, 1};
const Quaternion kOnItsHead = about({1, 0, 0}, 4 * kEighthTurn);
const Quaternion kAlongX = about({0, 1, 0}, 2 * kEighthTurn);

/// No depth is more than that of a search by support points, which knows nothing of the list of
/// directions. The depth along any direction is an upper bound, so a direction that is missing
/// from the list shows as a larger depth.
template <class T>
void expect_none_missing(const std::string& name, const std::vector<SolidPair<3>>& pairs) {
  const DistanceBuffer<3, T> found = rows_of<T>(pairs);
  const DistanceBuffer<3, T> searched = rows_of<T>(pairs, Method::gjk_epa);
  const double near = sizeof(T) == 4 ? 4e-6 : 1e-12;
  std::size_t overlapping = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const double size = std::max(1.0, static_cast<double>(pair_size(pairs[i].a, pairs[i].b)));
    overlapping += found.distance[i] < T(0) ? 1 : 0;
    EXPECT_GE(static_cast<double>(found.distance[i]),
              static_cast<double>(searched.distance[i]) - near * size)
        << name << " in " << sizeof(T) << " bytes: " << describe(pairs[i].a) << " "
        << describe(pairs[i].b) << " " << describe_row(found, i) << " "
        << describe_row(searched, i);
  }
  EXPECT_GT(overlapping, pairs.size() / 8) << name;
}
void expect_complete(const std::string& name, const std::vector<SolidPair<3>>& pairs) {
  expect_none_missing<float>(name, pairs);
  expect_none_missing<double>(name, pairs);
}

/// A cylinder about the origin and a cone, with lengths from 0.2 to 1 and middles at most `reach`
/// apart.
SolidPair<3> any_pair(Random& random, double reach) {
  const auto length = [&] { return random.uniform(0.2, 1); };
  const Solid<3> a = cylinder({0, 0, 0}, kUpright, length(), length());
  const Point<3> way = random.direction<3>();
  const double away = random.uniform(0, reach);
  const Point<3> at{away * way[0], away * way[1], away * way[2]};
  return {a, cone(at, random.direction<4>(), length(), length())};
}

template <class Make>
std::vector<SolidPair<3>> many(std::uint64_t seed, std::size_t count, const Make& make) {
  Random random(seed);
  std::vector<SolidPair<3>> pairs(count);
  for (auto& pair : pairs) pair = turned_by(random.direction<4>(), make(random));
  return pairs;
}

/// Moves the cones along the exits until the pairs are at most `deep` deep.
std::vector<SolidPair<3>> made_shallow(Random& random, std::vector<SolidPair<3>> pairs,
                                       double deep) {
  const DistanceBuffer<3, double> rows = rows_of<double>(pairs, Method::gjk_epa);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const double by = -rows.distance[i] - random.uniform(0, deep);
    const auto part = [&](int k) { return by * rows.normal(i, k); };
    pairs[i].b = moved<3>(pairs[i].b, {part(0), part(1), part(2)});
  }
  return pairs;
}

TEST(cylinder_cone, distances_of_all_families_are_proven) {
  for (const RoundFamily family : kRoundFamilies) {
    Random random(81);
    std::vector<SolidPair<3>> pairs(scaled(400, 50));
    for (auto& pair : pairs) pair = round_pair(random, family, Kind::cylinder, Kind::cone);
    expect_both_proven(name_of(family), pairs);
  }
}

TEST(cylinder_cone, distances_between_places_of_a_grid_are_proven) {
  // On a grid, turned by eighths about one axis: parallel axes, lines in one plane, coplanar rims,
  // apexes over caps and rims, and extents of 0.
  Random random(82);
  const auto quarter = [&](int most) { return 0.25 * random.integer(0, most); };
  const auto place = [&] { return Point<3>{quarter(12), quarter(12), quarter(12)}; };
  const auto turn = [&] {
    const Point<3> axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    return about(axes[random.integer(0, 2)], random.integer(0, 7) * kEighthTurn);
  };
  std::vector<SolidPair<3>> pairs(scaled(3000, 300));
  for (auto& pair : pairs) {
    pair.a = cylinder(place(), turn(), quarter(3), quarter(3));
    pair.b = cone(place(), turn(), quarter(3), quarter(3));
  }
  expect_both_proven("grid", pairs);
}

TEST(cylinder_cone, no_direction_is_missing) {
  const auto within = [](double reach) {
    return [reach](Random& random) { return any_pair(random, reach); };
  };
  expect_complete("any", many(83, scaled(4000, 800), within(1.2)));
  expect_complete("deep", many(84, scaled(2000, 400), within(0.2)));
  Random random(85);
  const auto pairs = many(86, scaled(3000, 600), within(0.5));
  for (const double deep : {1e-4, 0.05}) {
    expect_complete("shallow", made_shallow(random, pairs, deep));
  }
}

TEST(cylinder_cone, no_direction_is_missing_for_special_shapes) {
  const std::size_t count = scaled(2000, 400);
  expect_complete("nearly parallel", many(87, count, [](Random& random) {
                    SolidPair<3> pair = any_pair(random, 1);
                    const Point<3> at = pair.b.p;
                    pair.b.p = {0, 0, 0};
                    pair.b.orientation = random.chance(0.5) ? kUpright : kOnItsHead;
                    const double tilt = std::pow(10, random.uniform(-7, -1));
                    pair.b = turned_by(about(random.direction<3>(), tilt), pair.b);
                    pair.b.p = at;
                    return pair;
                  }));
  expect_complete("thin and flat", many(88, count, [](Random& random) {
                    SolidPair<3> pair = any_pair(random, 0.5);
                    Solid<3>& one = random.chance(0.5) ? pair.a : pair.b;
                    double& extent = random.chance(0.5) ? one.size : one.q[2];
                    extent *= std::pow(10, random.uniform(-4, -1));
                    return pair;
                  }));
  expect_complete("equal radii", many(89, count, [](Random& random) {
                    SolidPair<3> pair = any_pair(random, 1);
                    pair.b.size = pair.a.size;
                    return pair;
                  }));
  expect_complete("crossing axes", many(90, count, [](Random& random) {
                    SolidPair<3> pair = any_pair(random, 0);
                    pair.b.p = {0, 0, random.uniform(-1, 1)};
                    return pair;
                  }));
  // The apex at the upper cap's middle, or at its rim's point along x.
  expect_complete("apex at a cap", many(91, count, [](Random& random) {
                    SolidPair<3> pair = any_pair(random, 0);
                    const auto up = axes_of(pair.b.orientation)[2];
                    const auto part = [&](int k) {
                      return pair.b.q[2] * static_cast<double>(up[k]);
                    };
                    const double x = random.chance(0.5) ? pair.a.size : 0;
                    pair.b.p = {x - part(0), -part(1), pair.a.q[2] - part(2)};
                    return pair;
                  }));
}

TEST(cylinder_cone, depths_are_those_of_the_reference) {
  Random random(92);
  std::vector<SolidPair<3>> pairs;
  for (std::size_t i = 0; i < scaled(120, 24); ++i) {
    pairs.push_back(turned_by(random.direction<4>(), any_pair(random, i % 2 == 0 ? 1 : 0.2)));
  }
  check_pairs_everywhere<3, float>(pairs, {0, 0.1});
  check_pairs_everywhere<3, double>(pairs, {0, 0.1});
}

TEST(cylinder_cone, a_cones_side_has_two_minima_along_the_cylinders_rim) {
  // Along the circle of the cone's normals the depth at the cylinder's rim bends down in between.
  // Here the minimum on the far side is the exit. The other one is longer by 0.005 to 0.02.
  const std::vector<SolidPair<3>> pairs{
      {cylinder({0, 0, 0}, kUpright, 0.78588813410320801, 0.87955374933283559),
       cone({-0.2547198868693874, -0.16420509611099118, 0.64892439721975348},
            {0.25007341479086415, -0.59665485065349622, 0.65125500125381319, -0.39665249242679212},
            0.59976550917890736, 0.70422888278776452)},
      {cylinder({0, 0, 0}, kUpright, 0.6181134529678316, 0.38312587692077671),
       cone({-0.21580130539229156, -0.19753995322725326, -0.32981311644677153},
            {0.052574902929174577, 0.3315166249749612, -0.49793879334316682, 0.79961838712672795},
            0.25543931763381489, 0.73356371544158772)},
      {cylinder({0, 0, 0}, kUpright, 0.74010326652044167, 0.98154760184048961),
       cone({-0.78169288235272283, 0.1757833861885697, 0.40995757021721002},
            {0.5095286884067689, -0.051702950276606478, 0.83474603300669004, -0.20225325956030146},
            0.78079267087128312, 0.98154760184048961)}};
  check_pairs_everywhere<3, float>(pairs, {0});
  check_pairs_everywhere<3, double>(pairs, {0});
}

/// In units of powers of two, the same bits but for the exponent.
template <class T>
void expect_same_bits_in_units(const std::vector<SolidPair<3>>& pairs) {
  const DistanceBuffer<3, T> ones = rows_of<T>(pairs);
  for (const int power : {-20, -3, 1, 30}) {
    std::vector<SolidPair<3>> other;
    const double unit = std::ldexp(1, power);
    for (const SolidPair<3>& pair : pairs) {
      other.push_back({in_unit(unit, pair.a), in_unit(unit, pair.b)});
    }
    const DistanceBuffer<3, T> rows = rows_of<T>(other);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      EXPECT_EQ(static_cast<double>(rows.distance[i]),
                std::ldexp(static_cast<double>(ones.distance[i]), power))
          << describe(pairs[i].a) << " " << describe(pairs[i].b);
      for (int k = 0; k < 3; ++k) EXPECT_EQ(rows.normal(i, k), ones.normal(i, k));
    }
  }
}

TEST(cylinder_cone, units_of_powers_of_two_do_not_matter) {
  const auto pairs = many(93, scaled(500, 100), [](Random& random) {
    const SolidPair<3> pair = any_pair(random, 2);
    return SolidPair<3>{stored<float>(pair.a), stored<float>(pair.b)};
  });
  expect_same_bits_in_units<float>(pairs);
  expect_same_bits_in_units<double>(pairs);
}

TEST(cylinder_cone, an_apex_is_nearest_to_a_cap_a_rim_and_a_side) {
  // A cylinder of radius 1 and half height 1; the cone's apex is 0.5 before its middle, along -x.
  const Solid<3> drum = cylinder({0, 0, 0}, kUpright, 1, 1);
  const Quaternion down_x = about({0, 1, 0}, -2 * kEighthTurn);
  expect_both(drum, cone({3.5, 0, 0.25}, down_x, 0.5, 0.25), 2, {1, 0, 0});
  // From the rim's point (1, 0, 1) to the apex (4, 0, 5).
  expect_both(drum, cone({4.5, 0, 5}, down_x, 0.5, 0.25), 5, {0.6, 0, 0.8});
  expect_both(drum, cone({0.25, 0, 3}, kOnItsHead, 0.5, 0.25), 1.5, {0, 0, 1});
}

TEST(cylinder_cone, rims_are_nearest) {
  // A cone of radius 0.5 looks away: its base's rim is nearest, at (4, 0, 5). The cylinder's is
  // (1, 0, 1).
  const Solid<3> drum = cylinder({0, 0, 0}, kUpright, 1, 1);
  expect_both(drum, cone({4.5, 0, 6}, kUpright, 1, 0.5), 5, {0.6, 0, 0.8});
  // Beside the side: a base with its middle at (3, 0, 0) looks to it.
  expect_both(drum, cone({3.5, 0, 0.1}, kAlongX, 0.5, 0.25), 2, {1, 0, 0});
}

TEST(cylinder_cone, crossing_axes_leave_either_way) {
  // Seen along x, the axes cross at the origin and both shapes are as wide on either side: A leaves
  // along y by its radius 0.5 and the cone's, or nearly, one way and the other.
  const Solid<3> tall = cylinder({0, 0, 0}, kUpright, 2, 0.5);
  const Solid<3> lying = cone({0, 0, 0}, kAlongX, 2, 0.5);
  for (const bool is_swapped : {false, true}) {
    const PairScene<3, float> input(
        {is_swapped ? SolidPair<3>{lying, tall} : SolidPair<3>{tall, lying}});
    for (const Isa isa : usable_isas()) {
      const DistanceBuffer<3, float> rows =
          ask_distances<3, float>(input.scene, input.pairs, isa, Method::automatic);
      EXPECT_EQ(rows.status[0], 1) << describe_row(rows, 0);
    }
  }
}

}  // namespace
}  // namespace widephase::test
