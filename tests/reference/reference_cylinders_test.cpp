// The reference for cylinders: derived by hand, between inner and outer prisms, against random
// directions, moved and rotated.
// Labels: plain reference long

#include <gtest/gtest.h>

#include "support/reference_checks.hpp"
#include "support/verify.hpp"

namespace widephase::test {
namespace {

const Quaternion kLevel{0, 0, 0, 1};
const Quaternion kAlongX = about({0, 1, 0}, 2 * kEighthTurn);
const Quaternion kAlongY = about({1, 0, 0}, 2 * kEighthTurn);
const double kRoot2 = std::sqrt(2.);

TEST(reference_cylinders, a_ball_in_every_region) {
  // Half height 2, radius 1.
  const Solid<3> solid = cylinder({0, 0, 0}, kLevel, 2, 1);
  // Beside the side, 3-4-5: 5 from the axis, 4 from the side. Over a cap. Off the rim, whose
  // nearest point is (0.6, 0.8, 2): 3-4-5 again, 4 outwards and 3 up.
  expect_depth(solid, ball<3>({3, 4, 1}, 0.5), -3.5);
  expect_depth(solid, ball<3>({0.5, 0.5, 3}, 0.5), -0.5);
  expect_depth(solid, ball<3>({3, 4, 5}, 0.5), -4.5);
  const Reference<3> rim = reference_of(solid, ball<3>({3, 4, 5}, 0.5));
  const Vec<3> gap{2.4L, 3.2L, 3};
  EXPECT_NEAR(static_cast<double>(length(minus(rim.core_gap, gap))), 0, 1e-15);
  // Inside: 0.5 from the axis, 0.5 from the side, 1 from the cap; then 0.25 from the cap.
  expect_depth(solid, ball<3>({0.3, 0.4, 1}, 0.25), 0.75);
  expect_depth(solid, ball<3>({0.3, 0.4, 1.75}, 0.25), 0.5);
  // On the axis: any direction across it. At the centre of a disc: up or down.
  expect_depth(solid, ball<3>({0, 0, 0.5}, 0.25), 1.25);
  EXPECT_TRUE(has_tie(solid, ball<3>({0, 0, 0.5}, 0.25),
                      reference_of(solid, ball<3>({0, 0, 0.5}, 0.25)), 1e-9L));
  const Solid<3> disc = cylinder({0, 0, 0}, kLevel, 0, 1);
  expect_depth(disc, ball<3>({0.5, 0, 0}, 0.25), 0.25);
  expect_depth(disc, ball<3>({4, 0, 4}, 1), -4);
  // A segment and a point: a capsule's core and a ball's.
  expect_depth(cylinder({0, 0, 0}, kLevel, 2, 0), ball<3>({3, 4, 1}, 1), -4);
  expect_depth(cylinder({0, 0, 0}, kLevel, 0, 0), ball<3>({2, 3, 6}, 1), -6);
}

TEST(reference_cylinders, caps_and_sides_on_faces) {
  const Solid<3> slab = aabb<3>({-4, -4, -4}, {4, 4, 0});
  const Solid<3> floor = halfspace<3>({0, 0, 1}, 0);
  for (const Solid<3>& below : {slab, floor, hull({0, 0, -2}, kLevel, block(4, 4, 2)),
                                box({0, 0, -2}, about({0, 0, 1}, 1), {4, 4, 2})}) {
    SCOPED_TRACE(describe(below));
    // Upright: the lower cap 1 below the centre. On its side: the line 0.5 below.
    expect_depth(below, cylinder({0.5, 0, 0.75}, kLevel, 1, 0.5), 0.25);
    expect_depth(below, cylinder({0.5, 0, 1.25}, kLevel, 1, 0.5), -0.25);
    expect_depth(below, cylinder({0.5, 0, 0.25}, kAlongX, 1, 0.5), 0.25);
    expect_depth(below, cylinder({0.5, 0, 0.75}, kAlongY, 1, 0.5), -0.25);
    // Leaning by 45 degrees the rim reaches (1 + 0.5) sqrt(0.5) down.
    const Quaternion leaning = about({1, 2, 0}, kEighthTurn);
    expect_depth(below, cylinder({0.5, 0, 1}, leaning, 1, 0.5), 1.5 / kRoot2 - 1);
    expect_depth(below, cylinder({0.5, 0, 2}, leaning, 1, 0.5), 1.5 / kRoot2 - 2);
  }
}

TEST(reference_cylinders, edges_and_corners_of_a_box) {
  const Solid<3> cube = box({0, 0, 0}, kLevel, {1, 1, 1});
  // The side by the upright edge at (1, 1): the axis at (4, 5) is 5 away.
  expect_depth(cube, cylinder({4, 5, 0}, kLevel, 1, 2), -3);
  // Above as well: 5 less 1 sideways, 3 from the cube's top to the lower cap.
  expect_depth(cube, cylinder({4, 5, 4.5}, kLevel, 0.5, 1), -5);
  // An edge along y at x = 1, z = 1 against the rim of a cylinder along z above it: the rim's
  // nearest point is at (2.2, 0, 2.6), the distance 2 (1.2, 1.6).
  expect_depth(cube, cylinder({3.2, 0, 3.6}, kLevel, 1, 1), -2);
  // Lying along x over the edge along y: across both, only the heights count.
  expect_depth(cube, cylinder({3, 0, 2}, kAlongX, 2.5, 0.5), -0.5);
  // The beam's corner edge, level and along x, reaches sqrt(2) up; the cylinder along y, 1 below
  // its middle.
  const Solid<3> beam = box({0, 0, 0}, about({1, 0, 0}, kEighthTurn), {9, 1, 1});
  expect_depth(beam, cylinder({0, 0, kRoot2 + 1.25}, kAlongY, 4, 1), -0.25);
  expect_depth(beam, cylinder({0, 0, kRoot2 + 0.75}, kAlongY, 4, 1), 0.25);
}

TEST(reference_cylinders, two_cylinders) {
  const Solid<3> solid = cylinder({0, 0, 0}, kLevel, 2, 1);
  // Parallel: axes 2.5 apart, radii 1 and 0.75; cap on cap, 0.25 in; both beyond: rims (0.6, 0.8)
  // inwards of (3, 4), 3 apart sideways and 4 up.
  expect_depth(solid, cylinder({1.5, 2, 1}, kLevel, 2, 0.75), -0.75);
  expect_depth(solid, cylinder({1.5, 2, 1}, kLevel, 2, 1.75), 0.25);
  expect_depth(solid, cylinder({0.5, 0, 3.75}, kLevel, 2, 0.75), 0.25);
  expect_depth(solid, cylinder({3, 4, 8}, kLevel, 2, 1), -5);
  // Crossed: axes 1.75 apart.
  expect_depth(solid, cylinder({1.75, 0.5, 0}, kAlongY, 3, 0.5), -0.25);
  expect_depth(solid, cylinder({1.25, 0.5, 0}, kAlongY, 3, 0.5), 0.25);
  // A cap to the side: one ends at y = 1.25.
  expect_depth(solid, cylinder({0, 3, 0.5}, kAlongY, 1.75, 0.5), -0.25);
  // On the side of the cap: its line at z = 2.25.
  expect_depth(solid, cylinder({0.5, 0, 2.75}, kAlongX, 3, 0.5), -0.25);
  // One axis: the upper one's lower cap at 3.
  expect_depth(solid, cylinder({0, 0, 5}, kLevel, 2, 3), -1);
  // Concentric: along the axis takes 4, sideways 2. Discs at right angles: along the first one's
  // axis, only the second one's radius counts.
  expect_depth(solid, solid, 2);
  expect_depth(cylinder({0, 0, 0}, kLevel, 0, 1), cylinder({0, 0, 0}, kAlongX, 0, 0.5), 0.5);
  EXPECT_TRUE(has_tie(solid, solid, reference_of(solid, solid), 1e-9L));
}

TEST(reference_cylinders, rim_to_rim) {
  // Discs at right angles in the planes z = 0 and x = 4: the nearest points are (1, 0, 0) and
  // (4, 0, 4), where the other disc's lowest point is: 3-4-5.
  const Solid<3> disc = cylinder({0, 0, 0}, kLevel, 0, 1);
  expect_depth(disc, cylinder({4, 0, 5}, kAlongX, 0, 1), -5);
  // The same with height: the rims of the upper cap and of the left one.
  expect_depth(cylinder({0, 0, -2}, kLevel, 2, 1), cylinder({7, 0, 5}, kAlongX, 3, 1), -5);
  // Discs like linked rings: the second one's lowest point is 0.25 below the first, 0.5 from its
  // rim, so up by 0.25.
  expect_depth(disc, cylinder({0.5, 0, 0.75}, kAlongX, 0, 1), 0.25);
}

TEST(reference_cylinders, a_capsule) {
  const Solid<3> solid = cylinder({0, 0, 0}, kLevel, 2, 1);
  // Along it, 5 from the axis; across, 3 over the cap; past the rim, at (1, 0, 2), sloping down:
  // the line through (4, 0, 2) and (1, 0, 6), 3-4-5, is 3 * 4 / 5 from (1, 0, 2).
  expect_depth(solid, capsule<3>({3, 4, -1}, {3, 4, 1}, 0.5), -3.5);
  expect_depth(solid, capsule<3>({-4, 0.5, 5}, {4, 0.5, 5}, 0.5), -2.5);
  expect_depth(solid, capsule<3>({4, 0, 2}, {1, 0, 6}, 0.5), -1.9);
  // Through the axis: along y it leaves by 1, along z by 1.5, then by 0.25.
  expect_depth(solid, capsule<3>({-4, 0, 0.5}, {4, 0, 0.5}, 0.5), 1.5);
  expect_depth(solid, capsule<3>({-4, 0, 1.75}, {4, 0, 1.75}, 0.5), 0.75);
  // Crossing segments separate by their radii.
  expect_depth(cylinder({0, 0, 0}, kLevel, 2, 0), capsule<3>({-1, 0, 0}, {1, 0, 0}, 0.25), 0.25);
}

/// A prism of `count` sides whose inner or outer circle is the cylinder's.
Solid<3> as_prism(const Solid<3>& solid, int count, bool is_outer) {
  const double outwards = is_outer ? 1 / std::cos(4 * kEighthTurn / count) : 1;
  return hull(solid.p, solid.orientation, prism(regular(count, solid.size * outwards), solid.q[2]),
              solid.rounding);
}

const std::initializer_list<Kind> kOthers{Kind::sphere, Kind::capsule, Kind::aabb,
                                          Kind::box,    Kind::hull,    Kind::cylinder};

TEST(reference_cylinders, prisms_inside_and_outside_bound_it) {
  // In any direction the inner prism reaches less than the cylinder, and the outer one more. With
  // 24 sides, the inner one reaches less by up to radius (1 - cos(7.5 degrees)), 0.86 percent, and
  // the outer one more by radius (1 / cos(7.5 degrees) - 1), 0.87 percent. The same holds for
  // depths.
  std::size_t count = 0;
  for (const Kind other : kOthers) {
    std::vector<SolidPair<3>> pairs = random_pairs<3>(Kind::cylinder, other, scaled(12, 3), 61);
    for (const auto& family : {grid_pairs<3>(Kind::cylinder, other, scaled(12, 3), 62),
                               sized_pairs<3>(Kind::cylinder, other, scaled(8, 3), 63)}) {
      pairs.insert(pairs.end(), family.begin(), family.end());
    }
    for (const auto& [a, b] : pairs) {
      if (a.size < 1e-3 || a.q[2] < 1e-3 || b.vertices.size() > 16) continue;
      const Reference<3> r = reference_of(a, b);
      const auto inner = static_cast<double>(reference_of(as_prism(a, 24, false), b).depth);
      const auto outer = static_cast<double>(reference_of(as_prism(a, 24, true), b).depth);
      const double depth = static_cast<double>(r.depth);
      const double tolerance = 1e-15 * static_cast<double>(r.size);
      const std::string text = describe(a) + " and " + describe(b);
      ASSERT_LE(inner, depth + tolerance) << text;
      ASSERT_GE(outer, depth - tolerance) << text;
      ASSERT_LE(outer - inner, 0.0174 * a.size + 2 * tolerance) << text;
      ++count;
    }
  }
  EXPECT_GT(count, scaled(100, 20));
}

template <class Check>
void for_each_family(Check&& check) {
  for (const Kind other : kOthers) {
    check(random_pairs<3>(Kind::cylinder, other, scaled(60, 6), 71));
    check(sized_pairs<3>(other, Kind::cylinder, scaled(60, 6), 72));
    check(grid_pairs<3>(Kind::cylinder, other, scaled(80, 8), 73));
    check(near_grid_pairs<3>(Kind::cylinder, other, scaled(80, 8), 74));
    if (other == Kind::sphere) continue;
    check(crossing_edges(Kind::cylinder, other, scaled(40, 4), 75));
    if (other == Kind::capsule) continue;
    check(stacked_solids(Kind::cylinder, other, scaled(60, 6), 76));
    if (other == Kind::aabb) continue;
    check(corner_to_corner(Kind::cylinder, other, scaled(60, 6), 77));
    check(concentric_solids(Kind::cylinder, other, scaled(40, 4), 78));
  }
}

TEST(reference_cylinders, no_direction_beats_it) {
  for_each_family([](const std::vector<SolidPair<3>>& pairs) { no_direction_beats_it<3>(pairs); });
}

/// Descends from `n` by ever smaller steps in many directions: slow, and unlike the method of the
/// reference.
Real least_near(const std::function<Real(const Vec<3>&)>& depth, Vec<3> n, Random& random) {
  Real here = depth(n);
  Real step = 0.2L;
  while (step > 1e-13L) {
    bool was_better = false;
    for (int i = 0; i < 12 && !was_better; ++i) {
      const Vec<3> next = plus(n, widened(random.direction<3>()), step);
      const Vec<3> unit = times(next, 1 / length(next));
      const Real there = depth(unit);
      if (!(there < here)) continue;
      was_better = true;
      here = there;
      n = unit;
    }
    step *= was_better ? 1.5L : 0.6L;
  }
  return here;
}

TEST(reference_cylinders, no_search_from_anywhere_gets_lower) {
  Random random(81);
  for_each_family([&](const std::vector<SolidPair<3>>& pairs) {
    for (std::size_t i = 0; i < pairs.size(); i += 16) {
      const auto& [a, b] = pairs[i];
      const Reference<3> r = reference_of(a, b);
      const auto depth = depths_of(a, b);
      Real least = r.size;
      for (int start = 0; start < 8; ++start) {
        const Vec<3> n = widened(random.direction<3>());
        least = std::min(least, least_near(depth, times(n, 1 / length(n)), random));
      }
      ASSERT_GE(static_cast<double>(least - r.depth), -1e-16 * static_cast<double>(r.size))
          << describe(a) << " and " << describe(b);
    }
  });
}

// The box's edge along y and the upper rim: the depth along (sin(t), 0, -cos(t)) has its minimum at
// 0.0438, lower by 1.3e-6 than on the face at 0 and by less than its maximum next to it.
TEST(reference_cylinders, a_shallow_minimum_beside_a_face_is_found) {
  const Solid<3> block = aabb<3>({0.86053037465386373, 0.99037832657976776, 0.7054864557811551},
                                 {2.6936256800436547, 2.1612647816414499, 0.9102524491198376});
  const Solid<3> drum = cylinder(
      {2.7578952416411497, 1.3455295676018668, 0.40951441636081398},
      {0.31740736079507625, -0.70596596154038449, -0.26196147477766774, -0.57640334332112808},
      0.22615936189912206, 0.62744311957951171);
  const Reference<3> r = reference_of(block, drum);
  EXPECT_NEAR(static_cast<double>(r.depth), 0.36385411239176, 1e-13);
  const auto depth_at = [&, depth = depths_of(block, drum)](Real t) {
    return static_cast<double>(depth({std::sin(t), 0, -std::cos(t)}) - r.depth);
  };
  EXPECT_NEAR(depth_at(0.0437837592L), 0, 1e-15);
  EXPECT_GT(depth_at(0), 1e-6);
  EXPECT_GT(depth_at(0.04L), 1e-9);
  EXPECT_GT(depth_at(0.05L), 1e-9);
}

TEST(reference_cylinders, moved_and_turned_pairs_keep_their_depths) {
  Random random(83);
  for_each_family([&](const std::vector<SolidPair<3>>& pairs) {
    for (const auto& [a, b] : pairs) {
      const Reference<3> expected = reference_of(a, b);
      const double tolerance = 1e-15 * static_cast<double>(expected.size + 40);
      const Point<3> offset = random.point<3>(-9, 9);
      const Reference<3> there = reference_of(moved(a, offset), moved(b, offset));
      const std::string text = describe(a) + " and " + describe(b);
      ASSERT_NEAR(static_cast<double>(there.depth - expected.depth), 0, 2 * tolerance) << text;
      const Reference<3> mirrored = reference_of(b, a);
      ASSERT_NEAR(static_cast<double>(mirrored.depth - expected.depth), 0,
                  1e-16 * static_cast<double>(expected.size))
          << text;
      if (a.kind == Kind::aabb || b.kind == Kind::aabb) continue;
      const SolidPair<3> turned = turned_by(random.direction<4>(), {a, b});
      ASSERT_NEAR(static_cast<double>(reference_of(turned.a, turned.b).depth - expected.depth), 0,
                  8 * tolerance)
          << text;
    }
  });
}

TEST(reference_cylinders, without_a_radius_it_is_a_segment) {
  Random random(85);
  for (const Kind other : kOthers) {
    if (other == Kind::cylinder) continue;
    for (auto [a, b] : random_pairs<3>(Kind::cylinder, other, scaled(60, 6), 86)) {
      a.size = 0;
      const Vec<3> axis = times(axes_of(a.orientation)[2], a.q[2]);
      Solid<3> segment = capsule<3>(a.p, a.p, a.rounding);
      for (int k = 0; k < 3; ++k) {
        segment.p[k] -= static_cast<double>(axis[k]);
        segment.q[k] += static_cast<double>(axis[k]);
      }
      // The ends are rounded.
      ASSERT_NEAR(static_cast<double>(reference_of(a, b).depth - reference_of(segment, b).depth), 0,
                  1e-15)
          << describe(a) << " and " << describe(b);
    }
  }
}

TEST(reference_cylinders, distances_to_the_surface) {
  // Along x from 2 to 8, radius 2, its own z along x.
  const Solid<3> solid = cylinder({5, 0, 0}, kAlongX, 3, 2);
  const auto distance = [&](const Vec<3>& point) {
    return static_cast<double>(distance_to_core_surface(solid, point));
  };
  EXPECT_NEAR(distance({5, 0, 0}), 2, 1e-15);
  EXPECT_NEAR(distance({2.5L, 0, 1}), 0.5, 1e-15);
  EXPECT_NEAR(distance({2.5L, 0, 1.75L}), 0.25, 1e-15);
  EXPECT_NEAR(distance({5, 3, 4}), 3, 1e-15);
  EXPECT_NEAR(distance({0, 1, 1}), 2, 1e-15);
  EXPECT_NEAR(distance({12, 3, 4}), 5, 1e-15);  // 4 beyond the cap, 3 beyond the side
}

TEST(reference_cylinders, features_by_their_numbers) {
  const Solid<3> solid = cylinder({5, 0, 0}, kAlongX, 3, 2);
  const auto is_at = [&](Feature kind, int index, const Vec<3>& point) {
    return feature_problem<double>(solid, feature_half(kind, index), point, 1e-9L).empty();
  };
  // The lower cap at x = 2, the upper one at x = 8; the side and a line of it.
  EXPECT_TRUE(is_at(Feature::face, 0, {2, 1, 1}));
  EXPECT_FALSE(is_at(Feature::face, 1, {2, 1, 1}));
  EXPECT_FALSE(is_at(Feature::face, 0, {2, 2, 1}));
  EXPECT_TRUE(is_at(Feature::face, 1, {8, 1, 1}));
  EXPECT_TRUE(is_at(Feature::face, 2, {6, 1.2L, -1.6L}));
  EXPECT_FALSE(is_at(Feature::face, 2, {6, 1, 1}));
  EXPECT_FALSE(is_at(Feature::face, 2, {9, 2, 0}));
  EXPECT_TRUE(is_at(Feature::edge, 32, {8, 0, 2}));
  EXPECT_TRUE(is_at(Feature::edge, 32, {3, -2, 0}));
  EXPECT_FALSE(is_at(Feature::edge, 33, {3, -2, 0}));
  EXPECT_FALSE(is_at(Feature::face, 3, {3, -2, 0}));
  EXPECT_FALSE(is_at(Feature::whole, 0, {2, 0, 0}));
}

TEST(reference_cylinders, stretches_of_rims_by_their_numbers) {
  // Upright, radius 5, from z = -1 to 1. Point k of a rim is at k and a half sixteenths of a turn:
  // 0 and 16 at 11.25 degrees, 4 and 20 at 101.25.
  const Solid<3> solid = cylinder({0, 0, 0}, kLevel, 1, 5);
  const auto is_at = [&](Feature kind, int index, const Vec<3>& point) {
    return feature_problem<double>(solid, feature_half(kind, index), point, 1e-9L).empty();
  };
  const Real half = std::acos(-1.0L) / 16;  // of a sixteenth
  const Vec<3> first{5 * std::cos(half), 5 * std::sin(half), 0}, up{0, 0, 1};
  const Vec<3> fourth{-first[1], first[0], 0};
  EXPECT_TRUE(is_at(Feature::vertex, 0, minus(first, up)));
  EXPECT_FALSE(is_at(Feature::vertex, 0, plus(first, up)));
  EXPECT_FALSE(is_at(Feature::vertex, 0, {5, 0, -1}));
  EXPECT_TRUE(is_at(Feature::vertex, 16, plus(first, up)));
  EXPECT_TRUE(is_at(Feature::vertex, 20, plus(fourth, up)));
  EXPECT_FALSE(is_at(Feature::vertex, 4, minus(first, up)));
  // The ends of a side line may be anywhere on the rims.
  EXPECT_TRUE(is_at(Feature::vertex, 32, {5, 0, -1}));
  EXPECT_TRUE(is_at(Feature::vertex, 32, {3, 4, -1}));
  EXPECT_FALSE(is_at(Feature::vertex, 32, {3, 4, 1}));
  EXPECT_FALSE(is_at(Feature::vertex, 32, {3, 3, -1}));
  EXPECT_TRUE(is_at(Feature::vertex, 33, {3, 4, 1}));
  EXPECT_FALSE(is_at(Feature::vertex, 34, {3, 4, 1}));
  // The same for crossings: 33 and 34 on the lower rim, 35 and 36 on the upper one.
  EXPECT_TRUE(is_at(Feature::edge, 33, {3, 4, -1}));
  EXPECT_TRUE(is_at(Feature::edge, 34, {3, 4, -1}));
  EXPECT_FALSE(is_at(Feature::edge, 35, {3, 4, -1}));
  EXPECT_TRUE(is_at(Feature::edge, 36, {3, 4, 1}));
  EXPECT_FALSE(is_at(Feature::edge, 37, {3, 4, 1}));
  // 3-4-5: at 53.13 degrees, beyond place 1 (33.75), before place 2 (56.25).
  EXPECT_TRUE(is_at(Feature::edge, 1, {3, 4, -1}));
  EXPECT_FALSE(is_at(Feature::edge, 2, {3, 4, -1}));
  EXPECT_FALSE(is_at(Feature::edge, 1, {3, 4, 1}));
  EXPECT_TRUE(is_at(Feature::edge, 17, {3, 4, 1}));
  // The chord of that stretch is 5 cos(11.25 degrees) = 4.904 from the axis at its middle, which is
  // at 45 degrees.
  const Real middle = std::acos(-1.0L) / 4;
  const Vec<3> out{std::cos(middle), std::sin(middle), 0};
  EXPECT_TRUE(is_at(Feature::edge, 1, plus({0, 0, -1}, out, 4.91L)));
  EXPECT_FALSE(is_at(Feature::edge, 1, plus({0, 0, -1}, out, 4.9L)));
}

TEST(reference_cylinders, a_cylinder_comes_back_from_a_scene) {
  const Solid<3> solid = cylinder({4, 5, 6}, about({1, 2, 3}, 1), 0.7, 0.3);
  SceneColumns<3, float> scene;
  append(scene, ball<3>({0, 0, 0}, 1));
  EXPECT_EQ(append(scene, cylinder({0, 0, 0}, kLevel, 0, 0)), 0);
  EXPECT_EQ(append(scene, solid), 1);
  EXPECT_EQ(describe(solid_of(scene, 2)), describe(stored<float>(solid)));
  EXPECT_TRUE((validate<3, float>(scene).empty()));
}

}  // namespace
}  // namespace widephase::test
