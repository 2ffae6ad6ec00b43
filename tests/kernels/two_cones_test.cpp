// Two cones: distances by directions in lanes, which their nearest points prove, and exits where a
// side's normals pass the other's axis.
// Labels: own-sets

#include <gtest/gtest.h>

#include <numbers>

#include "support/generate.hpp"
#include "support/generate_round.hpp"
#include "support/methods.hpp"
#include "support/proven_distances.hpp"

namespace widephase::test {
namespace {

const Quaternion kUpright{0, 0, 0, 1};
const Quaternion kOnItsHead = about({1, 0, 0}, 4 * kEighthTurn);
const Quaternion kAlongX = about({0, 1, 0}, 2 * kEighthTurn);

TEST(two_cones, distances_of_all_families_are_proven) {
  for (const RoundFamily family : kRoundFamilies) {
    Random random(71);
    std::vector<SolidPair<3>> pairs(scaled(400, 50));
    for (auto& pair : pairs) pair = round_pair(random, family, Kind::cone, Kind::cone);
    expect_both_proven(name_of(family), pairs);
  }
}

TEST(two_cones, distances_between_places_of_a_grid_are_proven) {
  // Cones on a grid, turned by eighths about one axis: parallel axes, lines in one plane, coplanar
  // rims, apexes over apexes and rims.
  Random random(72);
  const auto one = [&] {
    const auto quarter = [&](int most) { return 0.25 * random.integer(0, most); };
    const Point<3> axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    return cone({quarter(12), quarter(12), quarter(12)},
                about(axes[random.integer(0, 2)], random.integer(0, 7) * kEighthTurn), quarter(3),
                quarter(3));
  };
  std::vector<SolidPair<3>> pairs(scaled(3000, 300));
  for (auto& pair : pairs) pair = {one(), one()};
  expect_both_proven("grid", pairs);
}

TEST(two_cones, apexes_are_nearest) {
  // Apexes at (0, 0, 1) and, from (4, 0, 5) along -x, at (3, 0, 5): 3 to the side and 4 up.
  const Solid<3> low = cone({0, 0, 0}, kUpright, 1, 0.5);
  expect_both(low, cone({4, 0, 5}, about({0, 1, 0}, -2 * kEighthTurn), 1, 0.5), 5, {0.6, 0, 0.8});
  expect_both(low, cone({0, 0, 4}, kOnItsHead, 1, 0.75), 2, {0, 0, 1});
}

TEST(two_cones, an_apex_is_nearest_to_a_base_a_rim_and_a_side) {
  // Along x from (2, 0, 0) to the apex at (3, 0, 0), before the base of a cone along x at x = 4.
  const Solid<3> point = cone({2, 0.25, 0}, kAlongX, 1, 0.5);
  expect_both(point, cone({5, 0, 0}, kAlongX, 1, 1), 1, {1, 0, 0});
  // The rim's lowest point is at (4, 3.25, 0): 1 along and 3 up.
  expect_both(point, cone({5, 4, 0}, kAlongX, 1, 0.75), std::sqrt(10.),
              {1 / std::sqrt(10.), 3 / std::sqrt(10.), 0});
  // An upright side from (5, 0, -1) to (6, 0, 1) has the normal (-2, 0, 1) / sqrt 5. From its
  // middle (5.5, 0, 0) by sqrt 5 along that is (3.5, 0, 1).
  expect_both(cone({2.5, 0, 1}, kAlongX, 1, 0.5), cone({6, 0, 0}, kUpright, 1, 1), std::sqrt(5.),
              {2 / std::sqrt(5.), 0, -1 / std::sqrt(5.)});
}

TEST(two_cones, sides_cross_at_their_middles) {
  // A is upright, B's apex is toward -y. Both have slope 1 : 2, so n = (c, s, s) with s = 1 / sqrt
  // 5 and c = sqrt(3 / 5) is a normal of A's side, and -n one of B's.
  const double s = 1 / std::sqrt(5.), c = std::sqrt(0.6), distance = 0.5;
  const double wide = std::sqrt(0.8);
  // The lines' middles are half the radius 1 out from the middles of the cones.
  const Vec<3> on_a{0.5 * c / wide, 0.5 * s / wide, 0};
  const Vec<3> from_b{-0.5 * c / wide, 0, -0.5 * s / wide};
  Point<3> middle;
  const double n[3] = {c, s, s};
  for (int k = 0; k < 3; ++k) {
    middle[k] = static_cast<double>(on_a[k] - from_b[k]) + distance * n[k];
  }
  const Quaternion down_y = about({1, 0, 0}, 2 * kEighthTurn);
  expect_both(cone({0, 0, 0}, kUpright, 1, 1), cone(middle, down_y, 1, 1), distance, {c, s, s});
}

TEST(two_cones, rims_are_nearest) {
  // Base to base: one of radius 1 at z = 0 looks down, one of radius 0.5 at z = -3
  // looks up. In the plane of the axes the rims' points are (1, 0, 0) and (5, 0, -3).
  expect_both(cone({0, 0, 1}, kUpright, 1, 1), cone({5.5, 0, -4}, kOnItsHead, 1, 0.5), 5,
              {0.8, 0, -0.6});
  // Across: the base of the second is the plane x = 3.5 and its rim's lowest point (3.5, 0, 2).
  expect_both(cone({0, 0, -1}, kOnItsHead, 1, 1), cone({5.5, 0, 3}, kAlongX, 2, 1),
              std::hypot(2.5, 2), {2.5 / std::hypot(2.5, 2), 0, 2 / std::hypot(2.5, 2)});
}

/// A cone whose side lies in the base of another, or crosses it by up to `deep`, but for tilts of
/// `turn` about the line and about its middle. So the circle of its normals passes the other's
/// axis, or just misses it on either side.
SolidPair<3> side_at_base(Random& random, double turn, double deep) {
  const auto length = [&] { return random.uniform(0.3, 1.2); };
  const double half = length(), radius = length(), other_half = length(), other_radius = length();
  // The line from the rim's point (radius, 0, -half) to the apex (0, 0, half) turns down to the
  // plane z = 0; `other`'s base is there and looks up.
  const double slope = std::atan2(2 * half, radius);
  const Solid<3> other = cone({0, 0, -other_half}, kOnItsHead, other_half, other_radius);
  Solid<3> lying = cone({-radius / 2, 0, 0}, kUpright, half, radius);
  lying = turned_by(about({0, 1, 0}, std::numbers::pi - slope), lying);
  const auto small = [&] { return random.uniform(-turn, turn); };
  lying = turned_by(about({1, 0, 0}, small()), lying);
  lying = turned_by(about({0, 1, 0}, small()), lying);
  lying = turned_by(about({0, 0, 1}, random.uniform(0, 6)), lying);
  const auto shift = [&] { return random.chance(0.25) ? 0 : random.uniform(-1, 1) * other_radius; };
  lying = moved<3>(lying, {shift(), shift(), random.uniform(-deep, deep / 2)});
  return turned_by(random.direction<4>(), {other, lying});
}

TEST(two_cones, a_sides_circle_past_the_others_axis_has_two_minima) {
  // The circle of the side's normals goes around the other cone's axis. Along it the depth at the
  // other's rim has a minimum on either side of where it bends down, and here the one on the far
  // side, toward where the other's apex takes over, is the exit. The other one is longer by 0.01 to
  // 0.09.
  const std::vector<SolidPair<3>> pairs{
      {cone({0.91374683147329494, 0.12809274201207904, -0.14550157056801485},
            {-0.31246553942379668, -0.69300069856606261, -0.34669134825972064,
             -0.54947286329845446},
            0.93408336331476227, 0.99512487251198234),
       cone({0.098237972344860217, 0.07251233105403318, 1.0999922825189627},
            {0.89262607910108693, -0.05390913116165634, 0.060150363449104127,
             -0.44350244899318875},
            0.46013287490817967, 0.34706344256168425)},
      {cone({-0.42647947395671293, -0.55853233819340886, 0.025022652165395121},
            {-0.37862846806111977, 0.5821066202440508, -0.24131107334096027, -0.67790953063426651},
            0.70318507353013526, 1.0206691045828682),
       cone({-0.72611059095126995, 0.49979859561234163, -0.41464211125387329},
            {0.26155717447686894, -0.72787352581581843, 0.61846990170495053, -0.1388630821391883},
            0.40720579084523423, 0.48336590319652672)},
      {cone({-0.32135913562156548, 0.11059120609604924, 0.1875151355337078},
            {0.46641063773535396, 0.20227253796563799, -0.63554656032057177, -0.58105723216988669},
            0.38815465341464528, 1.1233407852420194),
       cone({-0.39100767567639505, 0.46768113254238181, -1.0047836676226658},
            {0.06852997393537319, 0.2983223086195731, 0.95076174731080676, -0.048575124321065477},
            0.85754889591313166, 0.72283943788004446)}};
  check_pairs_everywhere<3, float>(pairs, {0});
  check_pairs_everywhere<3, double>(pairs, {0});
}

TEST(two_cones, a_sides_normals_pass_the_others_axis) {
  // Over a base the rim's normals are a point, about which the depth along the circle has a kink.
  for (const double turn : {0., 1e-6, 1e-4, 1e-2, 0.2}) {
    Random random(73);
    std::vector<SolidPair<3>> pairs(scaled(300, 40));
    for (auto& pair : pairs) pair = side_at_base(random, turn, random.chance(0.5) ? 0.01 : 0.3);
    check_pairs_everywhere<3, float>(pairs, {0});
    check_pairs_everywhere<3, double>(pairs, {0});
    expect_both_proven("sides at bases", pairs);
  }
}

}  // namespace
}  // namespace widephase::test
