// Single cases of bodies at rest whose points can be derived by reading: planks, edges, overhanging
// ends, ridges. The tables are in resting_test.cpp.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <set>
#include <utility>

#include "support/expect.hpp"
#include "support/generate_resting.hpp"
#include "support/resting_points.hpp"

namespace widephase::test {
namespace {

constexpr double kMargin = 0.02;

/// Expects `count` points in the contact of A and B (0: three or four), each of them right.
void expect_points(const Solid<3>& a, const Solid<3>& b, std::size_t count,
                   Methods methods = kMethods, double margin = kMargin) {
  ask<3>(
      a, b, margin,
      [&]<class T>(const ContactBuffer<3, T>& contacts, const Solid<3>& stored_a,
                   const Solid<3>& stored_b) {
        ASSERT_EQ(contacts.size(), 1u);
        const Contact<3, T> contact = contact_at(contacts, 0);
        if (count == 0) {
          EXPECT_GE(contact.points.size(), 3u) << describe(contact);
        } else {
          EXPECT_EQ(contact.points.size(), count) << describe(contact);
        }
        EXPECT_EQ(points_flaw(stored_a, stored_b, contact, margin, 0, 1), "") << describe(contact);
      },
      methods);
}

/// Expects the points at `places` on A, to within `tolerance`.
void expect_places(const Solid<3>& a, const Solid<3>& b, const std::vector<Point<3>>& places,
                   Real tolerance, double margin = kMargin, Methods methods = kMethods) {
  ask<3>(
      a, b, margin,
      [&]<class T>(const ContactBuffer<3, T>& contacts, const Solid<3>&, const Solid<3>&) {
        ASSERT_EQ(contacts.size(), 1u);
        const Contact<3, T> contact = contact_at(contacts, 0);
        EXPECT_EQ(contact.points.size(), places.size()) << describe(contact);
        for (const Point<3>& place : places) {
          Real nearest = 1e9L;
          for (const Vec<3>& point : contact.points) {
            nearest = std::min(nearest, length(minus(point, widened(place))));
          }
          EXPECT_LE(nearest, tolerance) << place[0] << " " << place[1] << " " << place[2] << "\n"
                                        << describe(contact);
        }
      },
      methods);
}

const Quaternion kLevel{0, 0, 0, 1};

/// The shape rotated about its centre by `angle`, about a horizontal axis at `direction` from x.
Solid<3> leaning(Solid<3> solid, double angle, double direction) {
  const Point<3> middle = solid.kind == Kind::capsule ? Point<3>{(solid.p[0] + solid.q[0]) / 2,
                                                                 (solid.p[1] + solid.q[1]) / 2,
                                                                 (solid.p[2] + solid.q[2]) / 2}
                                                      : solid.p;
  const Point<3> back{-middle[0], -middle[1], -middle[2]};
  const Quaternion turn = about({std::cos(direction), std::sin(direction), 0}, angle);
  return moved<3>(turned_by(turn, moved<3>(solid, back)), middle);
}

TEST(resting_cases, crossed_planks_that_lean_share_a_square_of_four_corners) {
  // 2 long, 0.4 wide, 0.2 thick, one across the other, overlapping by 0.02. A tilt of 0.001 lifts
  // the corners of the square of 0.4 by at most 0.0003, so all four stay.
  const Solid<3> lower = box({0, 0, 0}, kLevel, {1, 0.2, 0.1});
  const Solid<3> upper = box({0, 0, 0.18}, kLevel, {0.2, 1, 0.1});
  const std::vector<Point<3>> corners{
      {-0.2, -0.2, 0.1}, {0.2, -0.2, 0.1}, {-0.2, 0.2, 0.1}, {0.2, 0.2, 0.1}};
  for (const double direction : {0.0, 0.7, 1.3, 2.2}) {
    expect_places(lower, leaning(upper, 0.001, direction), corners, 0.003);
  }
}

TEST(resting_cases, nearly_aligned_cubes_share_a_square_of_four_corners) {
  // Nearly parallel edges give no direction of their own. Whichever direction wins, the square that
  // the faces share has four corners, as far apart as its area requires.
  for (const auto& [lower, upper] :
       {std::pair{"aabb", "box"}, {"box", "box"}, {"box", "hull"}, {"hull", "hull"}}) {
    for (const double lean : {1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2}) {
      for (const double yaw : {0.0, lean, -0.3 * lean}) {
        for (const double aside : {0.0, 0.1}) {
          for (const double direction : {0.0, 0.6, std::numbers::pi / 4}) {
            const RestingPose pose{lean, direction, yaw, {aside, aside}, 0.02};
            const auto& [a, b] = resting_pair(lower, upper, pose, 1);
            SCOPED_TRACE(testing::Message()
                         << lower << "/" << upper << " leans by " << lean << " about " << direction
                         << ", yaw " << yaw << ", " << aside);
            ask<3>(
                a, b, kMargin,
                [&]<class T>(const ContactBuffer<3, T>& contacts, const Solid<3>& sa,
                             const Solid<3>& sb) {
                  ASSERT_EQ(contacts.size(), 1u);
                  const Contact<3, T> contact = contact_at(contacts, 0);
                  EXPECT_EQ(contact.points.size(), 4u);
                  // Where edges cross that are parallel to rounding, the position depends on their
                  // angle.
                  EXPECT_EQ(points_flaw(sa, sb, contact, kMargin, 0, 1, 1e-8), "")
                      << describe(contact);
                  EXPECT_GE(face_share(sa, sb, contact.normal, contact.points).area, 0.9)
                      << describe(contact);
                },
                kMethods);
            if (HasFailure()) return;  // one of many similar failures
          }
        }
      }
    }
  }
}

TEST(resting_cases, a_small_box_on_a_big_one_stands_on_its_own_four_vertices) {
  const Solid<3> big = box({0, 0, -1}, kLevel, {1, 1, 1});
  for (const double lean : {0.0, 1e-6, 1e-4, 1e-3}) {
    const Solid<3> small =
        leaning(box({0.3, -0.2, 0.19}, about({0, 0, 1}, 0.4), {0.2, 0.2, 0.2}), lean, 0.9);
    ask<3>(
        big, small, kMargin,
        [&]<class T>(const ContactBuffer<3, T>& contacts, const Solid<3>&, const Solid<3>&) {
          ASSERT_EQ(contacts.size(), 1u);
          std::set<std::uint32_t> vertices;
          for (const std::uint32_t feature : contact_at(contacts, 0).features) {
            vertices.insert(feature & 0xffff);
          }
          // Its lower four corners: the bit of its z axis is 0.
          const auto vertex = [](int i) { return feature_half(Feature::vertex, i); };
          EXPECT_EQ(vertices, (std::set<std::uint32_t>{vertex(0), vertex(1), vertex(2), vertex(3)}))
              << describe(contact_at(contacts, 0));
        },
        kMethods);
  }
}

TEST(resting_cases, a_box_half_over_the_end_has_two_vertices_and_two_crossings) {
  // The upper box reaches from x = 0.5 to 1.5; the lower one ends at 1.
  const Solid<3> lower = box({0, 0, -1}, kLevel, {1, 1, 1});
  const Solid<3> upper = box({1, 0, 0.48}, kLevel, {0.5, 0.5, 0.5});
  const std::vector<Point<3>> corners{{0.5, -0.5, 0}, {0.5, 0.5, 0}, {1, -0.5, 0}, {1, 0.5, 0}};
  expect_places(lower, upper, corners, 1e-5);
  for (const double direction : {0.0, 0.8, 2.0}) {
    expect_places(lower, leaning(upper, 1e-3, direction), corners, 0.03);
  }
}

/// A box that lies on one edge, so that the opposite edge, along x from -1 to 1, is on top at z =
/// 0.
Solid<3> knife() {
  const double half = 0.5;
  return box({0, 0, -half * std::sqrt(2.0)}, about({1, 0, 0}, std::numbers::pi / 4),
             {1, half, half});
}

TEST(resting_cases, a_cap_or_base_on_the_edge_of_a_box_rests_on_both_ends_of_its_chord) {
  // Radius 0.5, with the axis 0.3 beside the edge: the edge enters the cap at x = 0.1 - 0.4 and
  // leaves it at 0.1 + 0.4. With a margin of 0.02, points of the box's faces, which slope by 45
  // degrees, would count where the rim is near the edge.
  constexpr double kNear = 0.002;
  for (const Solid<3>& body :
       {cylinder({0.1, 0.3, 0.49}, kLevel, 0.5, 0.5), cone({0.1, 0.3, 0.49}, kLevel, 0.5, 0.5)}) {
    SCOPED_TRACE(describe(body));
    expect_places(knife(), body, {{-0.3, 0, 0}, {0.5, 0, 0}}, 1e-4, kNear);
    for (const double lean : {1e-6, 1e-4, 1e-3}) {
      for (const double direction : {0.0, 0.8, 1.6}) {
        expect_places(knife(), leaning(body, lean, direction), {{-0.3, 0, 0}, {0.5, 0, 0}}, 0.003,
                      kNear);
      }
    }
  }
}

TEST(resting_cases, a_cone_lies_on_the_edge_of_a_box_with_two_points_of_its_side) {
  // Height 0.8 and radius 0.6: the line of its side is 1 long, 0.24 from the centre, and reaches
  // 0.32 from there to the apex, 0.68 to the rim. Its normal is atan(0.8 / 0.6) from the axis. With
  // the apex at x = 1.12, the edge covers the part from 0.12 to 1.
  const Quaternion turn = about({0, 1, 0}, std::numbers::pi - std::atan2(0.8, 0.6));
  const Solid<3> body = cone({0.8, 0, 0.23}, turn, 0.4, 0.6);
  expect_places(knife(), body, {{0.12, 0, 0}, {1, 0, 0}}, 1e-4);
  for (const double lean : {1e-6, 1e-4, 1e-3}) {
    expect_places(knife(), leaning(body, lean, std::numbers::pi / 2), {{0.12, 0, 0}, {1, 0, 0}},
                  0.003);
  }
  // On a face it has both ends of the line.
  const Solid<3> table = box({0, 0, -1}, kLevel, {2, 2, 1});
  expect_places(table, body, {{0.12, 0, 0}, {1.12, 0, 0}}, 1e-4);
}

TEST(resting_cases, an_ellipsoid_has_one_point_on_an_edge_or_face) {
  const Solid<3> body = ellipsoid({0.1, 0, 0.49}, kLevel, {0.5, 0.4, 0.5});
  expect_places(knife(), body, {{0.1, 0, 0}}, 1e-4);
  expect_places(box({0, 0, -1}, kLevel, {2, 2, 1}), body, {{0.1, 0, 0}}, 1e-4);
}

TEST(resting_cases, a_capsule_or_cylinder_along_the_edge_of_a_box_has_two_points) {
  // From x = -0.5 to 1.5; the edge covers the part below 1.
  const Solid<3> rod = capsule<3>({-0.5, 0, 0.24}, {1.5, 0, 0.24}, 0.25);
  const Solid<3> drum = cylinder({0.5, 0, 0.24}, about({0, 1, 0}, std::numbers::pi / 2), 1, 0.25);
  for (const Solid<3>& body : {rod, drum}) {
    SCOPED_TRACE(describe(body));
    expect_places(knife(), body, {{-0.5, 0, 0}, {1, 0, 0}}, 1e-4);
    // If it leans along the edge it keeps both points: one end is 0.0015 higher than the other.
    for (const double lean : {1e-6, 1e-4, 1e-3}) {
      expect_places(knife(), leaning(body, lean, std::numbers::pi / 2), {{-0.5, 0, 0}, {1, 0, 0}},
                    0.003);
    }
  }
}

TEST(resting_cases, a_corner_on_a_lid_keeps_its_name_with_steadiness) {
  // A cube on its corner, vertex 0 down: rotated by 45 degrees about x, then by atan(1 / sqrt(2))
  // about y. Half its diagonal is 0.75 sqrt(3) = 1.299; the corner is 0.0005 inside the lid at 1.
  const Quaternion on_edge{std::sin(std::numbers::pi / 8), 0, 0, std::cos(std::numbers::pi / 8)};
  const double lift = std::atan(1 / std::numbers::sqrt2) / 2;
  const Quaternion turn = product({0, -std::sin(lift), 0, std::cos(lift)}, on_edge);
  const Solid<3> can = cylinder({0, 0, 0}, kLevel, 1, 1);
  const double height = 1 + 0.75 * std::numbers::sqrt3 - 0.0005;
  const Solid<3> cube = box({0.1, 0.05, height}, turn, {0.75, 0.75, 0.75});
  for (const Method method : {Method::automatic, Method::gjk_epa}) {
    const PairScene<3, double> input(std::vector<SolidPair<3>>{{can, cube}});
    CollideOptions options;
    options.method = method;
    options.steadiness = 0.002;
    ContactBuffer<3, double> contacts;
    Workspace<3, double> workspace;
    Tracker<3, double> tracker;
    for (int step = 0; step < 3; ++step) {
      collide_pairs<3, double>(input.scene, input.pairs, contacts, workspace, tracker, options);
      ASSERT_EQ(contacts.size(), 1u);
      ASSERT_EQ(contacts.point_count(), 1u);
      EXPECT_NEAR(contacts.depth[0], 0.0005, 1e-9);
      // For either order of the shapes.
      const std::uint32_t feature = contacts.feature[0];
      const std::set<std::uint32_t> halves{feature >> 16, feature & 0xffff};
      const std::uint32_t lid = feature_half(Feature::face, 1);
      EXPECT_EQ(halves.count(lid), 1u) << describe(contact_at(contacts, 0));
      const auto is_vertex = [](std::uint32_t half) {
        return half >= feature_half(Feature::vertex, 0) && half < feature_half(Feature::vertex, 8);
      };
      EXPECT_TRUE(std::ranges::any_of(halves, is_vertex)) << describe(contact_at(contacts, 0));
    }
  }
}

TEST(resting_cases, a_capsule_on_a_halfspace_has_both_ends_until_it_stands) {
  // 2 long and 0.4 wide, its low end 0.1 inside the ground. If it is raised by 40 degrees, the
  // other end is 2 sin(40) - 0.1 above the ground, outside a margin of 0.02 but inside one of 1.5.
  // At 75 degrees it stands.
  const Solid<3> ground = halfspace<3>({0, 0, 1}, 0);
  for (const auto& [degrees, margin, count] : {std::tuple{0.0, 0.02, 2u},
                                               {0.5, 0.02, 2u},
                                               {40.0, 0.02, 1u},
                                               {40.0, 1.5, 2u},
                                               {50.0, 1.5, 2u},
                                               {75.0, 2.5, 1u},
                                               {90.0, 2.5, 1u}}) {
    const double angle = degrees / 180 * std::numbers::pi;
    const Point<3> low{0, 0, 0.1}, high{2 * std::cos(angle), 0, 0.1 + 2 * std::sin(angle)};
    for (const bool is_turned : {false, true}) {
      const Solid<3> rod = is_turned ? capsule(high, low, 0.2) : capsule(low, high, 0.2);
      SCOPED_TRACE(testing::Message() << degrees << " degrees, margin " << margin);
      ask<3>(
          rod, ground, margin,
          [&, count = count]<class T>(const ContactBuffer<3, T>& contacts, const Solid<3>&,
                                      const Solid<3>&) {
            ASSERT_EQ(contacts.size(), 1u);
            EXPECT_NEAR(static_cast<double>(contacts.depth[0]), 0.1, 1e-6);
            EXPECT_EQ(contacts.point_depth.size(), count);
          },
          kMethods);
    }
  }
}

TEST(resting_cases, a_capsule_that_leans_over_a_box_has_two_points_while_both_are_near) {
  // Its ends at x = -0.5 and 0.5 are 0.001 apart in height: 0.0105 and 0.0095 deep.
  const Solid<3> table = box({0, 0, -1}, kLevel, {1, 1, 1});
  const Solid<3> rod = capsule<3>({-0.5, 0, 0.24}, {0.5, 0, 0.24}, 0.25);
  for (const double lean : {1e-6, 1e-3}) {
    expect_places(table, leaning(rod, lean, std::numbers::pi / 2), {{-0.5, 0, 0}, {0.5, 0, 0}},
                  1e-3);
  }
}

/// Two cubes, ridge over ridge. Each is rotated about its own edge along x until one face of that
/// edge is at `lean` to the horizontal. The upper cube is upside down and rotated by `crossing`
/// more.
SolidPair<3> ridges(double lean, double crossing, double depth) {
  const Quaternion turn = about({1, 0, 0}, lean);
  const Quaternion across = product(about({0, 0, 1}, crossing), turn);
  const Point<3> top = rotated(turn, {0, 0.5, 0.5}), bottom = rotated(across, {0, -0.5, -0.5});
  return {box({-top[0], -top[1], -top[2]}, turn, {0.5, 0.5, 0.5}),
          box({-bottom[0], -bottom[1], -bottom[2] - depth}, across, {0.5, 0.5, 0.5})};
}

TEST(resting_cases, true_ridges_stay_one_point_and_flat_ones_are_faces) {
  const double degree = std::numbers::pi / 180;
  for (const double crossing : {30.0, 60.0, 90.0}) {
    // Ridges of 45 degrees keep one point down to a fifth of the size, ridges of 20 down to a
    // twentieth.
    for (const double depth : {0.001, 0.01, 0.05, 0.2}) {
      SCOPED_TRACE(testing::Message() << "crossed at " << crossing << ", depth " << depth);
      const auto& [a, b] = ridges(45 * degree, crossing * degree, depth);
      expect_points(a, b, 1);
      if (depth > 0.05) continue;
      const auto& [flat_a, flat_b] = ridges(20 * degree, crossing * degree, depth);
      expect_points(flat_a, flat_b, 1);
    }
    // At one degree all of both faces is within the margin, or deeper.
    for (const double depth : {0.01, 0.05}) {
      SCOPED_TRACE(testing::Message() << "crossed at " << crossing << ", depth " << depth);
      const auto& [a, b] = ridges(degree, crossing * degree, depth);
      expect_points(a, b, 0);
    }
  }
}

}  // namespace
}  // namespace widephase::test
