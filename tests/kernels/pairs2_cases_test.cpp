// Cases in 2D whose answers can be derived by reading.
// Labels: valgrind emulated-arm

#include <gtest/gtest.h>

#include "support/expect.hpp"

namespace widephase::test {
namespace {

const Solid<2> kFloor = halfspace<2>({0, 1}, 0);  // solid below y = 0
const Solid<2> kSquare = aabb<2>({-1, -1}, {1, 1});
const double kHalfRoot = std::sqrt(0.5);

TEST(circle_circle, overlap_along_x) {
  // Centres 1.5 apart, radii 1: overlap 0.5. The point is A's rightmost.
  expect_contact(ball<2>({0, 0}, 1), ball<2>({1.5, 0}, 1), {{1, 0}, 0.5, {{1, 0}}, {}});
}
TEST(circle_circle, touching_counts) {
  // A 3-4-5 triangle: centres 5 apart, radii 2 and 3. The point is 2 along (0.6, 0.8).
  expect_contact(ball<2>({0, 0}, 2), ball<2>({3, 4}, 3), {{0.6, 0.8}, 0, {{1.2, 1.6}}, {}});
}
TEST(circle_circle, coincident_centres_part_along_x) {
  expect_contact(ball<2>({3, 1}, 2), ball<2>({3, 1}, 0.5), {{1, 0}, 2.5, {{5, 1}}, {}, 1});
}
TEST(circle_circle, one_inside_the_other) {
  // B's left edge is at 0; it leaves A, which ends at 2, by 2.
  expect_contact(ball<2>({0, 0}, 2), ball<2>({0.25, 0}, 0.25), {{1, 0}, 2, {{2, 0}}, {}});
}
TEST(circle_circle, apart_within_the_margin) {
  // Centres 2.25 apart, radii 1: a gap of 0.25.
  expect_apart(ball<2>({0, 0}, 1), ball<2>({0, 2.25}, 1));
  expect_apart(ball<2>({0, 0}, 1), ball<2>({0, 2.25}, 1), 0.125);
  expect_contact(ball<2>({0, 0}, 1), ball<2>({0, 2.25}, 1), {{0, 1}, -0.25, {{0, 1}}, {}}, 0.5);
}
TEST(circle_circle, points_without_size_that_coincide) {
  expect_contact(ball<2>({1, 1}, 0), ball<2>({1, 1}, 0), {{1, 0}, 0, {{1, 1}}, {}, 1});
}

TEST(circle_capsule, beside_the_middle) {
  // The centre is 1 above the axis; radii 0.75 and 0.5 overlap by 0.25. The circle's lowest point
  // is at y = 0.25.
  expect_contact(ball<2>({1, 1}, 0.75), capsule<2>({-2, 0}, {2, 0}, 0.5),
                 {{0, -1}, 0.25, {{1, 0.25}}, {}});
}
TEST(circle_capsule, beyond_the_end) {
  // From the centre (5, 4) to the end (2, 0): 5 along (-0.6, -0.8); radii 3 and 2.5.
  expect_contact(ball<2>({5, 4}, 3), capsule<2>({-2, 0}, {2, 0}, 2.5),
                 {{-0.6, -0.8}, 0.5, {{3.2, 1.6}}, {}});
}
TEST(circle_capsule, centre_on_the_core_leaves_sideways) {
  // Either side is as near: the radii 0.5 and 0.25 must be crossed.
  expect_tie(ball<2>({1, 1}, 0.5), capsule<2>({0, 0}, {2, 2}, 0.25), 0.75);
}
TEST(circle_capsule, capsule_of_no_length_is_a_circle) {
  expect_contact(ball<2>({0, 0}, 2), capsule<2>({3, 4}, {3, 4}, 3),
                 {{0.6, 0.8}, 0, {{1.2, 1.6}}, {}});
  expect_tie(ball<2>({3, 4}, 2), capsule<2>({3, 4}, {3, 4}, 3), 5);
}

TEST(circle_aabb, beside_a_face) {
  // The centre is 0.5 right of the face; radius 0.75.
  expect_contact(ball<2>({1.5, 0.25}, 0.75), kSquare, {{-1, 0}, 0.25, {{0.75, 0.25}}, {}});
}
TEST(circle_aabb, at_a_corner) {
  // From the centre (4, 5) to the corner (1, 1): 5 along (-0.6, -0.8); radius 5.5.
  expect_contact(ball<2>({4, 5}, 5.5), kSquare, {{-0.6, -0.8}, 0.5, {{0.7, 0.6}}, {}});
}
TEST(circle_aabb, centre_inside_leaves_through_the_nearest_face) {
  // Half extents 1 and 2, the centre 0.25 inside the +x face, radius 0.5: 0.75. The box moves
  // left; the circle's leftmost point is at 0.25.
  expect_contact(ball<2>({0.75, 0}, 0.5), aabb<2>({-1, -2}, {1, 2}),
                 {{-1, 0}, 0.75, {{0.25, 0}}, {}});
}
TEST(circle_aabb, centre_in_the_middle_of_a_square) {
  // Four exits of 1, and the radius.
  expect_tie(ball<2>({0, 0}, 0.5), kSquare, 1.5);
}
TEST(circle_aabb, centre_on_a_face) {
  expect_contact(ball<2>({1, 0.5}, 0.25), kSquare, {{-1, 0}, 0.25, {{0.75, 0.5}}, {}});
}
TEST(circle_aabb, corner_just_out_of_reach) {
  // The corner is 5 away, farther than either coordinate alone says.
  expect_apart(ball<2>({4, 5}, 4.9375), kSquare);
}

TEST(circle_halfspace, resting_on_the_floor) {
  expect_contact(ball<2>({3, 1}, 1), kFloor, {{0, -1}, 0, {{3, 0}}, {}});
}
TEST(circle_halfspace, below_the_floor) {
  // The lowest point is at -2.5, where the surface has to come down to.
  expect_contact(ball<2>({3, -2}, 0.5), kFloor, {{0, -1}, 2.5, {{3, -2.5}}, {}});
}
TEST(circle_halfspace, on_a_slope) {
  // The centre is at 5 along (0.6, 0.8), the surface at 1, the radius 4.5: the surface is passed
  // by 0.5. The point is 4.5 down the normal from (3, 4).
  expect_contact(ball<2>({3, 4}, 4.5), halfspace<2>({0.6, 0.8}, 1),
                 {{-0.6, -0.8}, 0.5, {{0.3, 0.4}}, {}});
}
TEST(circle_halfspace, a_normal_slightly_long_is_normalized_with_its_offset) {
  // Both 1 + 2^-15: the surface is at y = 1.
  const double length = 1 + 0x1p-15;
  expect_contact(ball<2>({0, 1.5}, 0.75), halfspace<2>({0, length}, length),
                 {{0, -1}, 0.25, {{0, 0.75}}, {}});
}

TEST(capsule_capsule, side_by_side_give_both_ends_of_the_shared_stretch) {
  // Axes 0.75 apart, radii 0.5: 0.25 deep. They share x from 1 to 4.
  const Answer<2> answer{{0, 1}, 0.25, {{1, 0.5}, {4, 0.5}}, {}};
  const Solid<2> lower = capsule<2>({0, 0}, {4, 0}, 0.5);
  expect_contact(lower, capsule<2>({1, 0.75}, {6, 0.75}, 0.5), answer);
  expect_contact(lower, capsule<2>({6, 0.75}, {1, 0.75}, 0.5), answer);
}
TEST(capsule_capsule, side_by_side_apart_within_the_margin) {
  // Axes 1.25 apart, radii 0.5: a gap of 0.25 all along.
  const Solid<2> lower = capsule<2>({0, 0}, {4, 0}, 0.5);
  const Solid<2> upper = capsule<2>({1, 1.25}, {6, 1.25}, 0.5);
  expect_apart(lower, upper);
  expect_contact(lower, upper, {{0, 1}, -0.25, {{1, 0.5}, {4, 0.5}}, {}}, 0.25);
}
TEST(capsule_capsule, crossing_leaves_over_the_nearest_end) {
  // B's lower end is 1 below A's axis: up by 1, and the radii 0.25 and 0.5. The upper end is far
  // above A.
  expect_contact(capsule<2>({-2, 0}, {2, 0}, 0.25), capsule<2>({0, -1}, {0, 3}, 0.5),
                 {{0, 1}, 1.75, {{0, 0.25}}, {}});
}
TEST(capsule_capsule, end_to_end) {
  // From the end (2, 0) to the end (5, 4): 5; radii 2 and 3.5. B goes on along (4, 3).
  expect_contact(capsule<2>({-2, 0}, {2, 0}, 2), capsule<2>({5, 4}, {9, 7}, 3.5),
                 {{0.6, 0.8}, 0.5, {{3.2, 1.6}}, {}});
}
TEST(capsule_capsule, collinear_and_overlapping_leave_sideways) {
  expect_tie(capsule<2>({0, 0}, {3, 0}, 0.25), capsule<2>({1, 0}, {5, 0}, 0.5), 0.75, 2);
}
TEST(capsule_capsule, both_of_no_length_on_one_place) {
  expect_tie(capsule<2>({1, 2}, {1, 2}, 0.25), capsule<2>({1, 2}, {1, 2}, 0.5), 0.75, 1);
}
TEST(capsule_capsule, collinear_with_a_gap) {
  // From x = 2 to x = 3, radii 0.25 and 0.5: 0.25 apart.
  expect_contact(capsule<2>({0, 0}, {2, 0}, 0.25), capsule<2>({5, 0}, {3, 0}, 0.5),
                 {{1, 0}, -0.25, {{2.25, 0}}, {}}, 1);
}

TEST(capsule_aabb, lying_on_a_face) {
  // The axis is 0.25 above the face, radius 0.5; they share x from -1 to 0.5.
  expect_contact(capsule<2>({-2, 1.25}, {0.5, 1.25}, 0.5), kSquare,
                 {{0, -1}, 0.25, {{-1, 0.75}, {0.5, 0.75}}, {}});
}
TEST(capsule_aabb, piercing_leaves_through_the_nearest_side) {
  // The axis pierces along x, 0.75 below the upper face: 0.75 and the radius 0.5. The capsule's
  // lower side is at -0.25.
  expect_contact(capsule<2>({-3, 0.25}, {3, 0.25}, 0.5), kSquare,
                 {{0, -1}, 1.25, {{-1, -0.25}, {1, -0.25}}, {}});
}
TEST(capsule_aabb, end_at_a_corner) {
  // From the end (4, 5) to the corner (1, 1): 5; radius 5.5; the capsule goes away along (4, 3).
  expect_contact(capsule<2>({4, 5}, {8, 8}, 5.5), kSquare, {{-0.6, -0.8}, 0.5, {{0.7, 0.6}}, {}});
}
TEST(capsule_aabb, grazing_a_corner) {
  // The axis runs through the corner (1, 1), across the diagonal; radius 0.25.
  expect_contact(
      capsule<2>({0, 2}, {2, 0}, 0.25), kSquare,
      {{-kHalfRoot, -kHalfRoot}, 0.25, {{1 - 0.25 * kHalfRoot, 1 - 0.25 * kHalfRoot}}, {}});
}
TEST(capsule_aabb, inside) {
  // Right: the left end at -0.25 has 1.25 to go, and the radius 0.25. Up and down: 2.25. The core
  // is square to the face and shares no stretch with it: one point.
  expect_contact(capsule<2>({-0.25, 0}, {0.75, 0}, 0.25), aabb<2>({-1, -2}, {1, 2}),
                 {{-1, 0}, 1.5, {{-0.5, 0}}, {}});
}

TEST(capsule_halfspace, lying_on_the_floor) {
  expect_contact(capsule<2>({-1, 0.5}, {2, 0.5}, 0.5), kFloor, {{0, -1}, 0, {{-1, 0}, {2, 0}}, {}});
}
TEST(capsule_halfspace, leaning_has_one_point_within_no_margin_and_two_within_a_large_one) {
  // The lower end is 0.25 above the floor, radius 0.5; the upper end's lowest point is at 3.5.
  const Solid<2> leaning = capsule<2>({0, 0.25}, {3, 4}, 0.5);
  expect_contact(leaning, kFloor, {{0, -1}, 0.25, {{0, -0.25}}, {}});
  expect_contact(leaning, kFloor, {{0, -1}, 0.25, {{0, -0.25}}, {}}, 3.25);
  expect_contact(leaning, kFloor, {{0, -1}, 0.25, {{0, -0.25}, {3, 3.5}}, {0.25, -3.5}}, 3.75);
}
TEST(capsule_halfspace, wholly_below) {
  // Ends at -3 and -1, radius 0.5.
  expect_contact(capsule<2>({0, -3}, {2, -1}, 0.5), kFloor,
                 {{0, -1}, 3.5, {{0, -3.5}, {2, -1.5}}, {3.5, 1.5}});
}

TEST(aabb_aabb, face_against_face) {
  // x overlaps by 0.25; y would take 0.5. They share y from 0 to 0.5.
  expect_contact(aabb<2>({0, 0}, {2, 1}), aabb<2>({1.75, -0.5}, {3, 0.5}),
                 {{1, 0}, 0.25, {{2, 0}, {2, 0.5}}, {}});
}
TEST(aabb_aabb, sharing_a_corner_is_a_tie) {
  expect_tie(aabb<2>({0, 0}, {1, 1}), aabb<2>({1, 1}, {2, 2}), 0);
}
TEST(aabb_aabb, corner_to_corner) {
  // From (1, 1) to (4, 5): 5 apart.
  expect_apart(kSquare, aabb<2>({4, 5}, {6, 6}), 4.75);
  expect_contact(kSquare, aabb<2>({4, 5}, {6, 6}), {{0.6, 0.8}, -5, {{1, 1}}, {}}, 5.25);
}
TEST(aabb_aabb, inside_near_the_right_face) {
  // Its left side at 1 leaves at 2.
  expect_contact(aabb<2>({-2, -2}, {2, 2}), aabb<2>({1, -0.5}, {1.5, 0.5}),
                 {{1, 0}, 1, {{2, -0.5}, {2, 0.5}}, {}});
}
TEST(aabb_aabb, twice_the_same_square) { expect_tie(kSquare, kSquare, 2, 2); }

TEST(aabb_halfspace, flat_on_the_floor) {
  expect_contact(aabb<2>({-1, -0.25}, {1, 2}), kFloor,
                 {{0, -1}, 0.25, {{-1, -0.25}, {1, -0.25}}, {}});
}
TEST(aabb_halfspace, on_a_slope) {
  // Along (0.6, 0.8): the corner (-0.5, 0.25) at -0.1, (1, 0.25) at 0.8, (-0.5, 2) at 1.3.
  const Solid<2> box = aabb<2>({-0.5, 0.25}, {1, 2});
  const Solid<2> slope = halfspace<2>({0.6, 0.8}, 0);
  expect_contact(box, slope, {{-0.6, -0.8}, 0.1, {{-0.5, 0.25}}, {}});
  expect_contact(box, slope, {{-0.6, -0.8}, 0.1, {{-0.5, 0.25}, {1, 0.25}}, {0.1, -0.8}}, 1);
}
TEST(aabb_halfspace, above_the_floor) {
  expect_apart(aabb<2>({0, 0.25}, {1, 1}), kFloor);
  expect_contact(aabb<2>({0, 0.25}, {1, 1}), kFloor, {{0, -1}, -0.25, {{0, 0.25}, {1, 0.25}}, {}},
                 0.25);
}

TEST(halfspace_halfspace, never_meet) {
  expect_apart(halfspace<2>({0, 1}, 0), halfspace<2>({0, -1}, 5), 1);
  expect_apart(halfspace<3>({0, 0, 1}, 0), halfspace<3>({0, 0, 1}, 0), 1);
}

TEST(swapped, the_capsule_named_first) {
  // The mirror of circle_capsule.beside_the_middle: the point is on the capsule's upper side.
  expect_contact(capsule<2>({-2, 0}, {2, 0}, 0.5), ball<2>({1, 1}, 0.75),
                 {{0, 1}, 0.25, {{1, 0.5}}, {}});
}
TEST(swapped, coincident_centres_mirror_the_choice) {
  // The choice is made for the lower id, which is named second here.
  SceneColumns<2, float> scene;
  append(scene, ball<2>({0, 0}, 1));
  append(scene, ball<2>({0, 0}, 1));
  ContactBuffer<2, float> contacts;
  Workspace<2, float> workspace;
  const std::vector<Pair> pairs{{1, 0}};
  collide_pairs<2, float>(scene, pairs, contacts, workspace);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_EQ(contacts.normal(0, 0), -1);
  EXPECT_EQ(contacts.status[0], 1);
}

}  // namespace
}  // namespace widephase::test
