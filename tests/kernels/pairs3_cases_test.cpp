// Cases in 3D whose answers can be derived by reading.
// Labels: valgrind emulated-arm own-sets

#include <gtest/gtest.h>

#include "support/expect.hpp"

namespace widephase::test {
namespace {

const Solid<3> kFloor = halfspace<3>({0, 0, 1}, 0);  // solid below z = 0
const Solid<3> kCube = aabb<3>({-1, -1, -1}, {1, 1, 1});
const double kHalfRoot = std::sqrt(0.5);

TEST(sphere_sphere, overlap_along_z) {
  // Centres 1.5 apart, radii 1: overlap 0.5. The point is A's topmost.
  expect_contact(ball<3>({1, 2, 0}, 1), ball<3>({1, 2, 1.5}, 1), {{0, 0, 1}, 0.5, {{1, 2, 1}}, {}});
}
TEST(sphere_sphere, touching_counts) {
  // (2, 3, 6) has length 7; radii 3 and 4.
  expect_contact(ball<3>({0, 0, 0}, 3), ball<3>({2, 3, 6}, 4),
                 {{2. / 7, 3. / 7, 6. / 7}, 0, {{6. / 7, 9. / 7, 18. / 7}}, {}});
}
TEST(sphere_sphere, coincident_centres_part_along_x) {
  expect_contact(ball<3>({3, 1, 2}, 2), ball<3>({3, 1, 2}, 0.5),
                 {{1, 0, 0}, 2.5, {{5, 1, 2}}, {}, 1});
}
TEST(sphere_sphere, one_inside_the_other) {
  // B's lowest point, 0.25 below A's centre, leaves A, whose radius is 2: 2.25.
  expect_contact(ball<3>({0, 0, 0}, 2), ball<3>({0, 0, 0.25}, 0.5),
                 {{0, 0, 1}, 2.25, {{0, 0, 2}}, {}});
}
TEST(sphere_sphere, apart_within_the_margin) {
  expect_apart(ball<3>({0, 0, 0}, 1), ball<3>({0, 2.25, 0}, 1), 0.125);
  expect_contact(ball<3>({0, 0, 0}, 1), ball<3>({0, 2.25, 0}, 1),
                 {{0, 1, 0}, -0.25, {{0, 1, 0}}, {}}, 0.25);
}

TEST(sphere_capsule, beside_the_middle) {
  // The centre is 1 above the axis; radii 0.75 and 0.5.
  expect_contact(ball<3>({1, 0, 1}, 0.75), capsule<3>({-2, 0, 0}, {2, 0, 0}, 0.5),
                 {{0, 0, -1}, 0.25, {{1, 0, 0.25}}, {}});
}
TEST(sphere_capsule, beyond_the_end) {
  // From the centre to the end (2, 0, 0): (-2, -3, -6), 7 long; radii 3 and 4.5.
  expect_contact(ball<3>({4, 3, 6}, 3), capsule<3>({-2, 0, 0}, {2, 0, 0}, 4.5),
                 {{-2. / 7, -3. / 7, -6. / 7}, 0.5, {{4 - 6. / 7, 3 - 9. / 7, 6 - 18. / 7}}, {}});
}
TEST(sphere_capsule, centre_on_the_core_leaves_sideways) {
  expect_tie(ball<3>({0, 0, 0}, 0.5), capsule<3>({-1, -1, -1}, {1, 1, 1}, 0.25), 0.75);
  expect_tie(ball<3>({0, 0.5, 0}, 0.5), capsule<3>({0, -1, 0}, {0, 1, 0}, 0), 0.5);
}
TEST(sphere_capsule, capsule_of_no_length_is_a_sphere) {
  expect_contact(ball<3>({0, 0, 0}, 3), capsule<3>({2, 3, 6}, {2, 3, 6}, 4),
                 {{2. / 7, 3. / 7, 6. / 7}, 0, {{6. / 7, 9. / 7, 18. / 7}}, {}});
}

TEST(sphere_aabb, beside_a_face) {
  expect_contact(ball<3>({0.5, 0.25, 1.5}, 0.75), kCube,
                 {{0, 0, -1}, 0.25, {{0.5, 0.25, 0.75}}, {}});
}
TEST(sphere_aabb, at_an_edge) {
  // From the centre to the edge x = 1, z = 1: (-3, 0, -4), 5 long; radius 5.5.
  expect_contact(ball<3>({4, 0.5, 5}, 5.5), kCube, {{-0.6, 0, -0.8}, 0.5, {{0.7, 0.5, 0.6}}, {}});
}
TEST(sphere_aabb, at_a_corner) {
  // From the centre to (1, 1, 1): (-2, -3, -6), 7 long; radius 7.
  expect_contact(ball<3>({3, 4, 7}, 7), kCube, {{-2. / 7, -3. / 7, -6. / 7}, 0, {{1, 1, 1}}, {}});
  expect_apart(ball<3>({3, 4, 7}, 6.9375), kCube);
}
TEST(sphere_aabb, centre_inside_leaves_through_the_nearest_face) {
  // Half extents 1, 2, 3; centre 0.25 below the +x face; radius 0.5: leaving through +x takes
  // 0.25 + 0.5, and it is the box that moves.
  expect_contact(ball<3>({0.75, 0, 0}, 0.5), aabb<3>({-1, -2, -3}, {1, 2, 3}),
                 {{-1, 0, 0}, 0.75, {{0.25, 0, 0}}, {}});
}
TEST(sphere_aabb, centre_in_the_middle_of_a_cube) {
  expect_tie(ball<3>({0, 0, 0}, 0.5), kCube, 1.5);
}
TEST(sphere_aabb, centre_on_a_corner_is_a_tie) { expect_tie(ball<3>({1, 1, 1}, 0.5), kCube, 0.5); }
TEST(sphere_aabb, centre_on_a_face) {
  expect_contact(ball<3>({0.5, -1, 0}, 0.25), kCube, {{0, 1, 0}, 0.25, {{0.5, -0.75, 0}}, {}});
}

TEST(sphere_halfspace, resting_on_the_floor) {
  expect_contact(ball<3>({3, 2, 1}, 1), kFloor, {{0, 0, -1}, 0, {{3, 2, 0}}, {}});
}
TEST(sphere_halfspace, below_the_floor) {
  expect_contact(ball<3>({3, 2, -2}, 0.5), kFloor, {{0, 0, -1}, 2.5, {{3, 2, -2.5}}, {}});
}
TEST(sphere_halfspace, on_a_slope) {
  // The centre is at 7 along (2, 3, 6) / 7, the surface at 1, the radius 6.5: 0.5 past it.
  expect_contact(ball<3>({2, 3, 6}, 6.5), halfspace<3>({2. / 7, 3. / 7, 6. / 7}, 1),
                 {{-2. / 7, -3. / 7, -6. / 7}, 0.5, {{1. / 7, 1.5 / 7, 3. / 7}}, {}});
}

TEST(capsule_capsule, skew) {
  // One along x, one along y 0.75 above; radii 0.5: 0.25 deep, one point over the crossing.
  expect_contact(capsule<3>({-2, 0, 0}, {2, 0, 0}, 0.5),
                 capsule<3>({0, -2, 0.75}, {0, 2, 0.75}, 0.5),
                 {{0, 0, 1}, 0.25, {{0, 0, 0.5}}, {}});
}
TEST(capsule_capsule, side_by_side_give_both_ends_of_the_shared_stretch) {
  // Axes 0.75 apart, radii 0.5: 0.25 deep. They share x from 1 to 4.
  const Answer<3> answer{{0, 0, 1}, 0.25, {{1, 2, 0.5}, {4, 2, 0.5}}, {}};
  const Solid<3> lower = capsule<3>({0, 2, 0}, {4, 2, 0}, 0.5);
  expect_contact(lower, capsule<3>({1, 2, 0.75}, {6, 2, 0.75}, 0.5), answer);
  expect_contact(lower, capsule<3>({6, 2, 0.75}, {1, 2, 0.75}, 0.5), answer);
}
TEST(capsule_capsule, parallel_sharing_no_stretch) {
  // From the end (4, 0, 0) to the end (7, 0, 4): 5; radii 2 and 3.5.
  expect_contact(capsule<3>({0, 0, 0}, {4, 0, 0}, 2), capsule<3>({7, 0, 4}, {9, 0, 4}, 3.5),
                 {{0.6, 0, 0.8}, 0.5, {{5.2, 0, 1.6}}, {}});
}
TEST(capsule_capsule, crossing_in_a_point_leaves_either_way) {
  expect_tie(capsule<3>({-2, 0, 0}, {2, 0, 0}, 0.25), capsule<3>({0, -1, 0}, {0, 3, 0}, 0.5), 0.75,
             1);
}
TEST(capsule_capsule, collinear_and_overlapping_leave_sideways) {
  expect_tie(capsule<3>({0, 0, 0}, {3, 0, 0}, 0.25), capsule<3>({1, 0, 0}, {5, 0, 0}, 0.5), 0.75,
             2);
}
TEST(capsule_capsule, end_on_a_core) {
  // A T in one plane: B ends on A's axis; only A's sideways direction across the T, up or down,
  // takes no more than the radii.
  expect_tie(capsule<3>({-2, 0, 0}, {2, 0, 0}, 0.25), capsule<3>({0, 0, 0}, {0, 2, 0}, 0.5), 0.75);
}

TEST(capsule_aabb, lying_on_a_face) {
  // The axis is 0.25 above the face, radius 0.5; they share x from -1 to 0.5.
  expect_contact(capsule<3>({-2, 0.5, 1.25}, {0.5, 0.5, 1.25}, 0.5), kCube,
                 {{0, 0, -1}, 0.25, {{-1, 0.5, 0.75}, {0.5, 0.5, 0.75}}, {}});
}
TEST(capsule_aabb, lying_across_a_face) {
  // Along the diagonal of the upper face; the corners end the shared stretch.
  expect_contact(capsule<3>({-2, -2, 1.25}, {2, 2, 1.25}, 0.5), kCube,
                 {{0, 0, -1}, 0.25, {{-1, -1, 0.75}, {1, 1, 0.75}}, {}});
}
TEST(capsule_aabb, across_an_edge) {
  // The axis runs through (1.25, 0, 1.25) along (1, 0, -1): 0.25 sqrt(2) from the edge.
  const double depth = 0.5 - 0.5 * kHalfRoot;
  const double on_capsule = 1.25 - 0.5 * kHalfRoot;
  expect_contact(capsule<3>({0.25, 0, 2.25}, {2.25, 0, 0.25}, 0.5), kCube,
                 {{-kHalfRoot, 0, -kHalfRoot}, depth, {{on_capsule, 0, on_capsule}}, {}});
}
TEST(capsule_aabb, piercing_leaves_through_the_nearest_side) {
  // The axis pierces along z, 0.75 left of the +y face: 0.75 and the radius 0.5.
  expect_contact(capsule<3>({0, 0.25, -3}, {0, 0.25, 3}, 0.5), kCube,
                 {{0, -1, 0}, 1.25, {{0, -0.25, -1}, {0, -0.25, 1}}, {}});
}
TEST(capsule_aabb, piercing_along_the_diagonal_is_a_tie) {
  // Across the diagonal the cube's shadow is a hexagon; its sides are sqrt(2) from the middle.
  expect_tie(capsule<3>({-2, -2, -2}, {2, 2, 2}, 0.25), kCube, std::sqrt(2.0) + 0.25);
}
TEST(capsule_aabb, end_at_a_corner) {
  // From the end to (1, 1, 1): (-2, -3, -6), 7 long; radius 7.5; the capsule goes on outwards.
  expect_contact(
      capsule<3>({3, 4, 7}, {5, 7, 13}, 7.5), kCube,
      {{-2. / 7, -3. / 7, -6. / 7}, 0.5, {{3 - 15. / 7, 4 - 22.5 / 7, 7 - 45. / 7}}, {}});
}
TEST(capsule_aabb, inside) {
  // Up: the lower end at -0.25 has 1.25 to go, and the radius 0.25. Sideways: 2.25. The upper
  // end, 0.25 inside the face, is in by 0.5.
  expect_contact(capsule<3>({0, 0, -0.25}, {0, 0, 0.75}, 0.25), aabb<3>({-2, -2, -1}, {2, 2, 1}),
                 {{0, 0, -1}, 1.5, {{0, 0, -0.5}, {0, 0, 0.5}}, {1.5, 0.5}});
}
TEST(capsule_aabb, segment_in_a_face) {
  // No radius, the axis lies in the +x face: touching along all of it.
  expect_contact(capsule<3>({1, -0.5, 0}, {1, 0.5, 0}, 0), kCube,
                 {{-1, 0, 0}, 0, {{1, -0.5, 0}, {1, 0.5, 0}}, {}});
}

TEST(capsule_halfspace, lying_on_the_floor) {
  expect_contact(capsule<3>({-1, 0, 0.5}, {2, 1, 0.5}, 0.5), kFloor,
                 {{0, 0, -1}, 0, {{-1, 0, 0}, {2, 1, 0}}, {}});
}
TEST(capsule_halfspace, leaning_has_one_point_within_no_margin_and_two_within_a_large_one) {
  // The lower end is 0.25 above the floor, radius 0.5; the upper end's lowest point is at 3.5.
  const Solid<3> leaning = capsule<3>({0, 0, 0.25}, {3, 1, 4}, 0.5);
  expect_contact(leaning, kFloor, {{0, 0, -1}, 0.25, {{0, 0, -0.25}}, {}});
  expect_contact(leaning, kFloor, {{0, 0, -1}, 0.25, {{0, 0, -0.25}, {3, 1, 3.5}}, {0.25, -3.5}},
                 3.75);
}
TEST(capsule_halfspace, of_no_length) {
  // One place, so one point.
  expect_contact(capsule<3>({1, 1, 0.25}, {1, 1, 0.25}, 0.5), kFloor,
                 {{0, 0, -1}, 0.25, {{1, 1, -0.25}}, {}});
}

TEST(aabb_aabb, face_against_face) {
  // z overlaps by 0.25, the others by more. They share x 0 to 1 and y -1 to 0.5.
  expect_contact(kCube, aabb<3>({0, -3, 0.75}, {3, 0.5, 4}),
                 {{0, 0, 1}, 0.25, {{0, -1, 1}, {1, -1, 1}, {0, 0.5, 1}, {1, 0.5, 1}}, {}});
}
TEST(aabb_aabb, crossing_beams) {
  // One along x, one along y, 0.25 of their heights shared; the crossing is a square of 2.
  expect_contact(aabb<3>({-5, -1, -1}, {5, 1, 1}), aabb<3>({-1, -5, 0.75}, {1, 5, 3}),
                 {{0, 0, 1}, 0.25, {{-1, -1, 1}, {1, -1, 1}, {-1, 1, 1}, {1, 1, 1}}, {}});
}
TEST(aabb_aabb, edge_to_edge) {
  // From the edge x = 1, z = 1 to the edge x = 4, z = 5: 5 apart. They share y from 0 to 1.
  const Solid<3> other = aabb<3>({4, 0, 5}, {6, 3, 6});
  expect_apart(kCube, other, 4.75);
  expect_contact(kCube, other, {{0.6, 0, 0.8}, -5, {{1, 0, 1}, {1, 1, 1}}, {}}, 5);
}
TEST(aabb_aabb, corner_to_corner) {
  // From (1, 1, 1) to (3, 4, 7): 7 apart.
  expect_contact(kCube, aabb<3>({3, 4, 7}, {9, 9, 9}),
                 {{2. / 7, 3. / 7, 6. / 7}, -7, {{1, 1, 1}}, {}}, 8);
}
TEST(aabb_aabb, sharing_an_edge_is_a_tie) { expect_tie(kCube, aabb<3>({1, 1, -1}, {3, 3, 1}), 0); }
TEST(aabb_aabb, twice_the_same_cube) { expect_tie(kCube, kCube, 2, 4); }

TEST(aabb_halfspace, flat_on_the_floor) {
  expect_contact(
      aabb<3>({-1, -2, -0.25}, {1, 2, 2}), kFloor,
      {{0, 0, -1}, 0.25, {{-1, -2, -0.25}, {1, -2, -0.25}, {-1, 2, -0.25}, {1, 2, -0.25}}, {}});
}
TEST(aabb_halfspace, on_an_edge) {
  // Along (0, 0.6, 0.8) the edge y = -0.5, z = 0.25 is at -0.1; the next ones are above 0.
  const Solid<3> slope = halfspace<3>({0, 0.6, 0.8}, 0);
  expect_contact(aabb<3>({-1, -0.5, 0.25}, {2, 1, 2}), slope,
                 {{0, -0.6, -0.8}, 0.1, {{-1, -0.5, 0.25}, {2, -0.5, 0.25}}, {}});
}
TEST(aabb_halfspace, on_a_corner) {
  // Along (2, 3, 6) / 7 the corner (0, 0, 0) is at 0, the surface at 1/7; the next corner along
  // x, (1, 0, 0), is at 2/7.
  const Solid<3> slope = halfspace<3>({2. / 7, 3. / 7, 6. / 7}, 1. / 7);
  expect_contact(aabb<3>({0, 0, 0}, {1, 1, 1}), slope,
                 {{-2. / 7, -3. / 7, -6. / 7}, 1. / 7, {{0, 0, 0}}, {}});
}

TEST(swapped, the_aabb_named_first) {
  // The mirror of sphere_aabb.beside_a_face: the point is on the cube.
  expect_contact(kCube, ball<3>({0.5, 0.25, 1.5}, 0.75), {{0, 0, 1}, 0.25, {{0.5, 0.25, 1}}, {}});
}
TEST(features, say_which_end_and_which_face) {
  // A capsule standing on its end b above the +z face (axis 2, far side: face 5).
  ask(capsule<3>({0.5, 0, 4}, {0.5, 0, 1.25}, 0.5), kCube, 0,
      [](const auto& contacts, const auto&, const auto&) {
        ASSERT_EQ(contacts.point_count(), 1u);
        EXPECT_EQ(contacts.feature[0],
                  feature_half(Feature::vertex, 1) << 16 | feature_half(Feature::face, 5));
      });
}

}  // namespace
}  // namespace widephase::test
