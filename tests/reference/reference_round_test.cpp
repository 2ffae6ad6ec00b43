// The reference for ellipsoids, cones and rounded cylinders: derived by hand, as other kinds where
// they are equal, between inner and outer pyramids, against random directions, moved and rotated.
// Labels: plain reference long

#include <gtest/gtest.h>

#include "reference/round_core.hpp"
#include "support/reference_checks.hpp"
#include "support/verify.hpp"

namespace widephase::test {
namespace {

const Quaternion kLevel{0, 0, 0, 1};
const Quaternion kAlongX = about({0, 1, 0}, 2 * kEighthTurn);
const Quaternion kDown = about({1, 0, 0}, 4 * kEighthTurn);

constexpr std::array<Kind, 2> kRoundKinds{Kind::ellipsoid, Kind::cone};

double depth_of(const Solid<3>& a, const Solid<3>& b) {
  return static_cast<double>(reference_of(a, b).depth);
}

TEST(reference_round, a_ball_in_every_region_of_a_cone) {
  // From the rim, 3 out and 2 down, to the apex at 2: 3-4-5. The side's normal is (4, 3) / 5.
  const Solid<3> solid = cone({0, 0, 0}, kLevel, 2, 3);
  // 5 away from the side's middle at (1.5, 0).
  expect_depth(solid, ball<3>({5.5, 0, 3}, 0.5), -4.5);
  // Over the apex, 5 away to the right and up. Under the base. Off the rim.
  expect_depth(solid, ball<3>({3, 0, 6}, 1), -4);
  expect_depth(solid, ball<3>({1, 2, -4}, 0.5), -1.5);
  expect_depth(solid, ball<3>({6, 0, -6}, 0.5), -4.5);
  // Inside: 0.5 from the base; 0.5 from the side. On the axis, any direction around it is as short.
  expect_depth(solid, ball<3>({0.5, 0, -1.5}, 0.25), 0.75);
  expect_depth(solid, ball<3>({1.1, 0, -0.3}, 0.25), 0.75);
  const Solid<3> high = ball<3>({0, 0, 1}, 0.5);
  expect_depth(solid, high, 0.5 + 0.6);
  EXPECT_TRUE(has_tie(solid, high, reference_of(solid, high), 1e-9L));
  // Rounded, turned over and moved.
  expect_depth(cone({1, 2, 3}, kDown, 2, 3, 0.25), ball<3>({6.5, 2, 0}, 0.5), -4.25);
}

TEST(reference_round, cones_on_faces) {
  const Solid<3> slab = aabb<3>({-4, -4, -4}, {4, 4, 0});
  const Solid<3> floor = halfspace<3>({0, 0, 1}, 0);
  for (const Solid<3>& below : {slab, floor, hull({0, 0, -2}, kLevel, block(4, 4, 2)),
                                cylinder({0, 0, -2}, kLevel, 2, 4)}) {
    SCOPED_TRACE(describe(below));
    // On its base, on its apex, on its side: the side's line is 3/5 of half the height below.
    expect_depth(below, cone({0.5, 0, 0.75}, kLevel, 1, 0.5), 0.25);
    expect_depth(below, cone({0.5, 0, 0.75}, kDown, 1, 0.5), 0.25);
    const Quaternion on_side = about({0, 1, 0}, std::acos(-1.) - std::atan2(4, 3));
    expect_depth(below, cone({0.5, 0, 1}, on_side, 2, 3), 0.2);
    expect_depth(below, cone({0.5, 0, 1}, on_side, 2, 3, 0.5), 0.7);
  }
}

TEST(reference_round, an_ellipsoid_on_its_axes) {
  const Solid<3> solid = ellipsoid({0, 0, 0}, kLevel, {3, 2, 1});
  expect_depth(solid, ball<3>({5, 0, 0}, 0.5), -1.5);
  expect_depth(solid, ball<3>({0, 5, 0}, 0.5), -2.5);
  // At the centre it leaves along the short axis, up or down.
  const Solid<3> inside = ball<3>({0, 0, 0}, 0.5);
  expect_depth(solid, inside, 1.5);
  EXPECT_TRUE(has_tie(solid, inside, reference_of(solid, inside), 1e-9L));
  // Two of them along an axis: half extents 3 and 1 with 1.5 between.
  expect_depth(solid, ellipsoid({5.5, 0, 0}, kAlongX, {3, 2, 1}), -1.5);
  expect_depth(solid, ellipsoid({3.5, 0, 0}, kAlongX, {3, 2, 1}, 0.25), 0.75);
  // Over a face, a disc and a segment: 1 above.
  expect_depth(solid, aabb<3>({-9, -9, -5}, {9, 9, -2}), -1);
  expect_depth(solid, cylinder({0, 0, -2}, kLevel, 0, 1), -1);
  expect_depth(solid, capsule<3>({-1, 0, -2}, {2, 0, -2}, 0), -1);
}

TEST(reference_round, straight_over_any_point_of_an_ellipsoid) {
  // The point e u of the surface, u a unit vector, has the normal u / e. Whatever is as far along
  // it has its distance there; and from inside too, up to the least radius of curvature.
  Random random(91);
  for (std::size_t i = 0; i < scaled(400, 40); ++i) {
    Point<3> half = random.point<3>(0.1, 1);
    if (i % 5 == 0) half[0] *= 1e-4;
    if (i % 7 == 0) half[1] = half[2] *= 1e-2;
    const Solid<3> solid = ellipsoid({0, 0, 0}, kLevel, half);
    const Point<3> u = random.direction<3>();
    Vec<3> at, normal;
    for (int k = 0; k < 3; ++k) {
      at[k] = Real{half[k]} * u[k];
      normal[k] = u[k] / Real{half[k]};
    }
    normal = times(normal, 1 / length(normal));
    const Real least = *std::ranges::min_element(half), most = *std::ranges::max_element(half);
    const Real away = random.chance(0.5) ? Real{random.uniform(0, 2)}
                                         : -least * least / most * random.uniform(0, 0.9);
    const Vec<3> center = plus(at, normal, away);
    const Solid<3> point = ball<3>({static_cast<double>(center[0]), static_cast<double>(center[1]),
                                    static_cast<double>(center[2])},
                                   0);
    // `u` has unit length to 1e-16, and the centre is rounded.
    EXPECT_NEAR(depth_of(solid, point), static_cast<double>(-away), 1e-15) << describe(solid);
    EXPECT_NEAR(static_cast<double>(distance_to_core_surface(solid, widened(point.p))),
                static_cast<double>(std::abs(away)), 1e-15)
        << describe(solid);
  }
}

constexpr std::array<Kind, 6> kOthers{Kind::sphere, Kind::capsule, Kind::aabb,
                                      Kind::box,    Kind::hull,    Kind::cylinder};

/// Pairs of every family, B of the kind.
template <class Check>
void for_each_family(Kind kind, Kind other, std::size_t count, Check&& check) {
  Random random(92);
  for (const RoundFamily family : kRoundFamilies) {
    SCOPED_TRACE(name_of(family));
    for (std::size_t i = 0; i < count; ++i) {
      const SolidPair<3> pair = round_pair(random, family, other, kind);
      check(pair.a, pair.b);
    }
  }
}

/// Another kind that is the same shape.
struct Same {
  Solid<3> round, other;
};

std::vector<Same> equal_shapes(const Solid<3>& at) {
  const Point<3>& p = at.p;
  const Quaternion& q = at.orientation;
  const double size = std::abs(at.q[2]), rounding = at.rounding;
  const Vec<3> axis = times(axes_of(q)[2], size);
  Solid<3> segment = capsule<3>(p, p, rounding);
  for (int k = 0; k < 3; ++k) {
    segment.p[k] -= static_cast<double>(axis[k]);
    segment.q[k] += static_cast<double>(axis[k]);
  }
  const Solid<3> disc = cylinder(p, q, 0, size, rounding);
  return {{ellipsoid(p, q, {size, size, size}, rounding), ball<3>(p, size + rounding)},
          {ellipsoid(p, q, {0, 0, size}, rounding), segment},
          {ellipsoid(p, q, {size, size, 0}, rounding), disc},
          {ellipsoid(p, q, {0, 0, 0}, rounding), ball<3>(p, rounding)},
          {cone(p, q, size, 0, rounding), segment},
          {cone(p, q, 0, size, rounding), disc},
          {cone(p, q, 0, 0, rounding), ball<3>(p, rounding)}};
}

TEST(reference_round, what_is_another_kind_has_its_depths) {
  for (const Kind other : kOthers) {
    for_each_family(Kind::cone, other, scaled(3, 1), [&](const Solid<3>& a, const Solid<3>& b) {
      for (const Same& same : equal_shapes(b)) {
        const Reference<3> expected = reference_of(a, same.other);
        // The ends of a segment are rounded.
        ASSERT_NEAR(static_cast<double>(reference_of(a, same.round).depth - expected.depth), 0,
                    1e-15 * static_cast<double>(expected.size))
            << describe(a) << " and " << describe(same.round);
      }
    });
  }
}

/// The search answers the pairs of other kinds too, which have references of their own.
TEST(reference_round, the_search_agrees_with_other_references) {
  for (const Kind kind : {Kind::capsule, Kind::box, Kind::hull, Kind::cylinder}) {
    for (const Kind other : kOthers) {
      for_each_family(kind, other, scaled(4, 1), [&](const Solid<3>& a, const Solid<3>& b) {
        const Reference<3> expected = reference_of(a, b);
        const Real found = RoundPair(a, b).least(expected.size).directions[0].first;
        ASSERT_NEAR(static_cast<double>(found + radius_of(a) + radius_of(b) - expected.depth), 0,
                    1e-14 * static_cast<double>(expected.size))
            << describe(a) << " and " << describe(b);
      });
    }
  }
}

/// A pyramid of `count` sides whose base is in the cone's, or around it.
Solid<3> as_pyramid(const Solid<3>& solid, int count, bool is_outer) {
  const double outwards = is_outer ? 1 / std::cos(4 * kEighthTurn / count) : 1;
  std::vector<Point<3>> vertices{{0, 0, solid.q[2]}};
  for (const Point<2>& at : regular(count, solid.size * outwards)) {
    vertices.push_back({at[0], at[1], -solid.q[2]});
  }
  return hull(solid.p, solid.orientation, vertices, solid.rounding);
}

TEST(reference_round, pyramids_inside_and_outside_bound_a_cone) {
  // With 24 sides, the radius differs by less than 1.74 percent.
  for (const Kind other : kOthers) {
    for_each_family(Kind::cone, other, scaled(2, 1), [&](const Solid<3>& a, const Solid<3>& b) {
      if (b.size < 1e-3 || b.q[2] < 1e-3) return;
      const Reference<3> r = reference_of(a, b);
      const double depth = static_cast<double>(r.depth);
      const double tolerance = 1e-15 * static_cast<double>(r.size);
      const double inner = depth_of(a, as_pyramid(b, 24, false));
      const double outer = depth_of(a, as_pyramid(b, 24, true));
      const std::string text = describe(a) + " and " + describe(b);
      ASSERT_LE(inner, depth + tolerance) << text;
      ASSERT_GE(outer, depth - tolerance) << text;
      ASSERT_LE(outer - inner, 0.0174 * b.size + 2 * tolerance) << text;
    });
  }
}

/// Calls `check` for pairs of each of the new kinds with every kind but the halfspace.
template <class Check>
void for_each_pair(std::size_t count, Check&& check) {
  for (const Kind kind : kRoundKinds) {
    for (const Kind other : kinds(3)) {
      if (other == Kind::halfspace) continue;
      for_each_family(kind, other, count, check);
    }
  }
}

TEST(reference_round, no_direction_beats_it) {
  std::vector<SolidPair<3>> pairs;
  for_each_pair(scaled(3, 1), [&](const Solid<3>& a, const Solid<3>& b) {
    pairs.push_back({a, b});
  });
  no_direction_beats_it<3>(pairs);
}

/// The search's own bound from below: near the depth unless many directions are equally short. What
/// cores that are apart are asked first agrees.
TEST(reference_round, few_depths_are_not_bounded_from_below) {
  std::size_t count = 0, open_count = 0, apart_count = 0;
  for_each_pair(scaled(4, 1), [&](const Solid<3>& a, const Solid<3>& b) {
    const Reference<3> r = reference_of(a, b);
    const auto least = RoundPair(a, b).least(r.size);
    const Real depth = least.directions[0].first;
    ASSERT_LE(static_cast<double>(least.lower - depth), 1e-15 * static_cast<double>(r.size));
    ++count;
    if (depth - least.lower > 2e-13L * r.size) ++open_count;
    const auto apart = RoundPair(a, b).least_if_apart(r.size);
    if (!apart) return;
    ++apart_count;
    ASSERT_NEAR(static_cast<double>(*apart - depth), 0, 1e-15 * static_cast<double>(r.size))
        << describe(a) << " and " << describe(b);
  });
  EXPECT_LT(open_count, count / 5);
  EXPECT_GT(apart_count, count / 5);
}

TEST(reference_round, moved_and_turned_pairs_keep_their_depths) {
  Random random(93);
  for_each_pair(scaled(2, 1), [&](const Solid<3>& a, const Solid<3>& b) {
    const Reference<3> expected = reference_of(a, b);
    // Positions and orientations are rounded.
    const double tolerance = 1e-15 * static_cast<double>(expected.size + 40);
    const std::string text = describe(a) + " and " + describe(b);
    const Reference<3> mirrored = reference_of(b, a);
    ASSERT_NEAR(static_cast<double>(mirrored.depth - expected.depth), 0,
                1e-15 * static_cast<double>(expected.size))
        << text;
    if (a.kind == Kind::aabb || b.kind == Kind::aabb) return;
    const SolidPair<3> turned = turned_by(random.direction<4>(), {a, b});
    ASSERT_NEAR(depth_of(turned.a, turned.b), static_cast<double>(expected.depth), 16 * tolerance)
        << text;
  });
}

}  // namespace
}  // namespace widephase::test
