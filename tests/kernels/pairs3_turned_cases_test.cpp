// Cases of boxes in 3D with boxes and with a halfspace whose answers can be derived by reading.
// support/turned_boxes3.hpp explains their orientation and what [u, v, w] means.
// Labels: own-sets

#include <gtest/gtest.h>

#include "support/turned_boxes3.hpp"

namespace widephase::test {
namespace {

/// An eighth of a turn about an axis: tan(pi / 8) = sqrt(2) - 1.
const double kEighth = std::sqrt(2.0) - 1;
const Quaternion kEighthAboutX = unit(kEighth, 0, 0, 1);
const Quaternion kEighthAboutY = unit(0, kEighth, 0, 1);
const Quaternion kEighthAboutZ = unit(0, 0, kEighth, 1);
/// The angles whose cosine and sine are 0.8 and 0.6, and 0.96 and 0.28: tan(half) = 1/3 and 1/7.
const Quaternion kFifthsAboutZ = unit(0, 0, 1, 3);
const Quaternion kTiltAboutX = unit(1, 0, 0, 7);

const Solid<3> kFloor = halfspace<3>({0, 0, 1}, 0);  // solid below z = 0
const Solid<3> kCubeBox = box({0, 0, 0}, kUpright, {1, 1, 1});

/// A beam along y, its edges 1 from its axis along x and z.
Solid<3> beam_along_y(Point<3> center) {
  return box(center, kEighthAboutY, {kHalfRoot, 2, kHalfRoot});
}
/// A beam along x, its edges 1 from its axis along y and z.
Solid<3> beam_along_x(Point<3> center) {
  return box(center, kEighthAboutX, {2, kHalfRoot, kHalfRoot});
}

// --- aabb_box ---

TEST(aabb_box, an_upright_edge_in_a_face) {
  // A box turned by an eighth about z, its edges at 1 along x and y: that at x = 0.75, y = 0.25 is
  // 0.25 inside the face x = 1; they share z from -0.5 to 1.
  const Solid<3> turned = box({1.75, 0.25, 0.5}, kEighthAboutZ, {kHalfRoot, kHalfRoot, 1});
  expect_both_ways(kCube, turned, {{1, 0, 0}, 0.25, {{1, 0.25, -0.5}, {1, 0.25, 1}}, {}});
}
TEST(aabb_box, face_against_face_of_a_box_on_its_side) {
  // It spans (0.75, -0.5, -1.5) to (6.75, 1.5, 2.5): 0.25 deep along x. Shared: y from -0.5 to 1,
  // z from -1 to 1.
  expect_both_ways(kCube, box({3.75, 0.5, 0.5}, kOnSide, {1, 2, 3}),
                   {{1, 0, 0}, 0.25, {{1, -0.5, -1}, {1, 1, -1}, {1, -0.5, 1}, {1, 1, 1}}, {}});
}
TEST(aabb_box, touching_face_to_face) {
  expect_both_ways(kCube, box({4, 0.5, 0.5}, kOnSide, {1, 2, 3}),
                   {{1, 0, 0}, 0, {{1, -0.5, -1}, {1, 1, -1}, {1, -0.5, 1}, {1, 1, 1}}, {}});
}
TEST(aabb_box, a_corner_in_a_face) {
  // The leaning cube's lowest corner is [-1, -1, 1] = (1, 5, -11) / 7, the next one 4/7 higher.
  const Solid<3> ground = aabb<3>({-8, -8, -8}, {8, 8, 0});
  const Solid<3> cube = box({0, 0, 11. / 7 - 0.25}, kLean, {1, 1, 1});
  expect_both_ways(ground, cube, {{0, 0, 1}, 0.25, {{1. / 7, 5. / 7, 0}}, {}});
  expect_features(ground, cube, {{face(5), vertex(4)}});
}
TEST(aabb_box, corner_to_rounded_corner) {
  // From (1, 1, 1) to (3, 4, 7): 7; radius 7.5, then 6.5.
  expect_both_ways(kCube, box({6, 5, 9}, kOnSide, {1, 2, 3}, 7.5),
                   {kSevenths, 0.5, {{1, 1, 1}}, {}});
  expect_apart(kCube, box({6, 5, 9}, kOnSide, {1, 2, 3}, 6.5), 0.25);
  expect_both_ways(kCube, box({6, 5, 9}, kOnSide, {1, 2, 3}, 6.5),
                   {kSevenths, -0.5, {{1, 1, 1}}, {}}, 1);
}
TEST(aabb_box, tilted_has_a_depth_a_corner) {
  // y' and z' are (0.96, 0.28) and (-0.28, 0.96) in y and z: the lower corners are at
  // (-1.64, -1.52) and (2.2, -0.4) from the centre, which is 0.25 above the ground.
  const Solid<3> ground = aabb<3>({-8, -8, -8}, {8, 8, 0});
  expect_both_ways(ground, box({0, 0, 0.25}, kTiltAboutX, {1, 2, 1}),
                   {{0, 0, 1},
                    1.27,
                    {{-1, -1.64, 0}, {1, -1.64, 0}, {-1, 2.2, 0}, {1, 2.2, 0}},
                    {1.27, 1.27, 0.15, 0.15}});
}
TEST(aabb_box, inside_near_the_right_face) {
  // On its side the box spans x from 0.5 to 1.5: its left face leaves at 2.
  expect_both_ways(
      aabb<3>({-2, -2, -2}, {2, 2, 2}), box({1, 0, 0}, kOnSide, {0.25, 1, 0.5}),
      {{1, 0, 0}, 1.5, {{2, -0.25, -1}, {2, 0.25, -1}, {2, -0.25, 1}, {2, 0.25, 1}}, {}});
}
TEST(aabb_box, twice_the_same_cube_leaves_up_the_first_axis) {
  expect_both_ways(kCube, kCubeBox,
                   {{1, 0, 0}, 2, {{1, -1, -1}, {1, 1, -1}, {1, -1, 1}, {1, 1, 1}}, {}, 1});
}

// --- box_box: faces ---

TEST(box_box, standing_flush_on_one_of_the_same_size) {
  // The features show what lies flush: the upper box's lower corners 0 to 3 on face 5. In the other
  // order, the lower box's upper corners 4 to 7 on face 4.
  const Solid<3> upper = box({0, 0, 1.75}, kUpright, {1, 1, 1});
  expect_both_ways(kCubeBox, upper,
                   {{0, 0, 1}, 0.25, {{-1, -1, 1}, {1, -1, 1}, {-1, 1, 1}, {1, 1, 1}}, {}});
  const Features features{
      {face(5), vertex(0)}, {face(5), vertex(1)}, {face(5), vertex(2)}, {face(5), vertex(3)}};
  const Features other_way{
      {face(4), vertex(4)}, {face(4), vertex(5)}, {face(4), vertex(6)}, {face(4), vertex(7)}};
  expect_features(kCubeBox, upper, features);
  expect_features(upper, kCubeBox, other_way);
  // At an angle, the faces are flush only to rounding.
  const Solid<3> leaning = box(lean(0, 0, 5.75), kLean, {1, 2, 3});
  expect_both_ways(
      kBlock, leaning,
      {kLeanUp, 0.25, {lean(-1, -2, 3), lean(1, -2, 3), lean(-1, 2, 3), lean(1, 2, 3)}, {}});
  expect_features(kBlock, leaning, features);
  expect_features(leaning, kBlock, other_way);
}
TEST(box_box, touching_face_to_face) {
  // They share y from -0.5 to 1 and all of z.
  expect_both_ways(kCubeBox, box({2, 0.5, 0}, kUpright, {1, 1, 1}),
                   {{1, 0, 0}, 0, {{1, -0.5, -1}, {1, 1, -1}, {1, -0.5, 1}, {1, 1, 1}}, {}});
}
TEST(box_box, a_smaller_one_on_a_larger_one) {
  // Turned about z, its x' = (0.8, 0.6) and y' = (-0.6, 0.8): the corners of its lower face are at
  // 0.5 x' and y' from (0.5, 0).
  const Solid<3> larger = box({0, 0, 0}, kUpright, {2, 2, 1});
  const Solid<3> smaller = box({0.5, 0, 1.75}, kFifthsAboutZ, {0.5, 1, 1});
  expect_both_ways(
      larger, smaller,
      {{0, 0, 1}, 0.25, {{0.7, -1.1, 1}, {1.5, -0.5, 1}, {-0.5, 0.5, 1}, {0.3, 1.1, 1}}, {}});
  expect_features(
      larger, smaller,
      {{face(5), vertex(0)}, {face(5), vertex(1)}, {face(5), vertex(2)}, {face(5), vertex(3)}});
  // A's corners: the larger box is B.
  expect_features(
      smaller, larger,
      {{vertex(0), face(5)}, {vertex(1), face(5)}, {vertex(2), face(5)}, {vertex(3), face(5)}});
}
TEST(box_box, crossing_beams) {
  // One along x', one along y' 0.25 into its upper face: they cross in a square of 2. A's edges
  // along x' on the upper side of z' are 2 and 3, B's along y' on the lower side 4 and 5.
  const Solid<3> lower = box({0, 0, 0}, kLean, {5, 1, 1});
  const Solid<3> upper = box(lean(0, 0, 1.75), kLean, {1, 5, 1});
  expect_both_ways(
      lower, upper,
      {kLeanUp, 0.25, {lean(-1, -1, 1), lean(1, -1, 1), lean(-1, 1, 1), lean(1, 1, 1)}, {}});
  expect_features(lower, upper,
                  {{edge(2), edge(4)}, {edge(2), edge(5)}, {edge(3), edge(4)}, {edge(3), edge(5)}});
}
/// A cube, 0.25 deep in the upper face of `lower`, which is a cube too, turned by an eighth about
/// z: the faces share a regular octagon with corners at 1 and sqrt(2) - 1. Of its corners four
/// stay, the first, the one opposite, and those farthest from the line through both: every other
/// one, a square, whose middle is the origin.
void expect_half_an_octagon(const Solid<3>& lower) {
  const Solid<3> upper = box({0, 0, 1.75}, kEighthAboutZ, {1, 1, 1});
  expect_derived(lower, upper, 0.25);
  ask(lower, upper, 0,
      []<class T>(const ContactBuffer<3, T>& contacts, const Solid<3>& a, const Solid<3>& b) {
        ASSERT_EQ(contacts.size(), 1u);
        const Contact<3, T> contact = contact_at(contacts, 0);
        SCOPED_TRACE(describe(contact));
        EXPECT_EQ((contact_problem<3, T>(a, b, reference_of(a, b), 0, contact)), "");
        EXPECT_EQ(contact.status, 0);
        ASSERT_EQ(contact.points.size(), 4u);
        const double tolerance = sizeof(T) == 4 ? 4e-6 : 1e-13;
        Vec<3> sum{};
        for (std::size_t i = 0; i < 4; ++i) {
          const Vec<3>& point = contact.points[i];
          sum = plus(sum, point);
          const Real x = std::abs(point[0]), y = std::abs(point[1]);
          EXPECT_NEAR(static_cast<double>(std::max(x, y)), 1, tolerance);
          EXPECT_NEAR(static_cast<double>(std::min(x, y)), kEighth, tolerance);
          EXPECT_NEAR(static_cast<double>(point[2]), 1, tolerance);
          EXPECT_NEAR(static_cast<double>(contact.point_depths[i]), 0.25, tolerance);
          // No corner of either square lies in the other one: edges on edges.
          EXPECT_EQ(contact.features[i] >> 30, 2u);
          EXPECT_EQ(contact.features[i] >> 14 & 3, 2u);
        }
        EXPECT_NEAR(static_cast<double>(sum[0]), 0, 4 * tolerance);
        EXPECT_NEAR(static_cast<double>(sum[1]), 0, 4 * tolerance);
      });
}
TEST(box_box, turned_by_an_eighth_on_another_keeps_every_other_corner_of_the_octagon) {
  expect_half_an_octagon(kCubeBox);
}
TEST(aabb_box, turned_by_an_eighth_keeps_every_other_corner_of_the_octagon) {
  expect_half_an_octagon(kCube);
}
TEST(box_box, a_vertex_over_a_face) {
  // As aabb_box.a_corner_in_a_face.
  const Solid<3> ground = box({0, 0, -4}, kUpright, {8, 8, 4});
  const Solid<3> cube = box({0, 0, 11. / 7 - 0.25}, kLean, {1, 1, 1});
  expect_both_ways(ground, cube, {{0, 0, 1}, 0.25, {{1. / 7, 5. / 7, 0}}, {}});
  expect_features(ground, cube, {{face(5), vertex(4)}});
  expect_features(cube, ground, {{vertex(4), face(5)}});
}
TEST(box_box, an_edge_on_a_face) {
  // The beam's lower edge, 0 of those along x', is at y = 0.25, z = 0.75, 0.25 below the face. Its
  // shared stretch ends at the face's edges along y, on the upper side of z: 4 + 2, 4 + 1 + 2.
  const Solid<3> beam = beam_along_x({0, 0.25, 1.75});
  expect_both_ways(kCubeBox, beam, {{0, 0, 1}, 0.25, {{-1, 0.25, 1}, {1, 0.25, 1}}, {}});
  expect_features(kCubeBox, beam, {{edge(6), edge(0)}, {edge(7), edge(0)}});
}
TEST(box_box, tilted_keeps_the_corners_within_the_margin) {
  // As aabb_box.tilted_has_a_depth_a_corner, 1.25 higher: the corners are at -0.02 and 1.1.
  const Solid<3> ground = box({0, 0, -4}, kUpright, {8, 8, 4});
  const Solid<3> tilted = box({0, 0, 1.5}, kTiltAboutX, {1, 2, 1});
  const Answer<3> two{{0, 0, 1}, 0.02, {{-1, -1.64, 0}, {1, -1.64, 0}}, {}};
  expect_both_ways(ground, tilted, two);
  expect_both_ways(ground, tilted, two, 1);
  expect_both_ways(ground, tilted,
                   {{0, 0, 1},
                    0.02,
                    {{-1, -1.64, 0}, {1, -1.64, 0}, {-1, 2.2, 0}, {1, 2.2, 0}},
                    {0.02, 0.02, -1.1, -1.1}},
                   1.25);
}
TEST(box_box, rounded_faces) {
  // The cores' faces are 0.5 apart, radii 0.5 and 0.25; points on the rounded face of A.
  expect_both_ways(box({0, 0, 0}, kLean, {5, 1, 1}, 0.5),
                   box(lean(0, 0, 2.5), kLean, {1, 5, 1}, 0.25),
                   {kLeanUp,
                    0.25,
                    {lean(-1, -1, 1.5), lean(1, -1, 1.5), lean(-1, 1, 1.5), lean(1, 1, 1.5)},
                    {}});
}
TEST(box_box, inside_near_a_leaning_face) {
  // The inner cube's lower face [., ., 2.25] leaves at 3.
  expect_both_ways(
      kBlock, box(lean(0.25, 0.25, 2.5), kLean, {0.25, 0.25, 0.25}),
      {kLeanUp, 0.75, {lean(0, 0, 3), lean(0.5, 0, 3), lean(0, 0.5, 3), lean(0.5, 0.5, 3)}, {}});
}
TEST(box_box, faces_apart) {
  // A gap of 0.25 above the face.
  const Solid<3> upper = box(lean(0.5, 0, 5.25), kLean, {1, 1, 2});
  expect_apart(kBlock, upper);
  expect_apart(kBlock, upper, 0.125);
  expect_both_ways(
      kBlock, upper,
      {kLeanUp, -0.25, {lean(-0.5, -1, 3), lean(1, -1, 3), lean(-0.5, 1, 3), lean(1, 1, 3)}, {}},
      0.5);
}

// --- box_box: edges and vertices ---

TEST(box_box, crossing_edges) {
  // A's upper edge runs along y at x = 0, z = 1, B's lower edge along x at y = 0.25, z = 0.75. Up
  // is -x' and z' of A: the edge on the lower side of x' and the upper one of z', 4 + 2. Down is
  // -y' and -z' of B: 0.
  const Solid<3> lower = beam_along_y({0, 0, 0});
  const Solid<3> upper = beam_along_x({0.5, 0.25, 1.75});
  expect_both_ways(lower, upper, {{0, 0, 1}, 0.25, {{0, 0.25, 1}}, {}});
  expect_features(lower, upper, {{edge(6), edge(0)}});
}
TEST(box_box, crossing_edges_apart) {
  // A gap of 0.25 between the edges at 1 and 1.25.
  const Solid<3> lower = beam_along_y({0, 0, 0});
  const Solid<3> upper = beam_along_x({0.5, 0.25, 2.25});
  expect_apart(lower, upper);
  expect_apart(lower, upper, 0.125);
  expect_both_ways(lower, upper, {{0, 0, 1}, -0.25, {{0, 0.25, 1}}, {}}, 0.5);
  expect_features(lower, upper, {{edge(6), edge(0)}}, 0.5);
}
TEST(box_box, rounded_crossing_edges) {
  // The cores' edges are 0.25 apart; radii 0.25 and 0.5.
  Solid<3> lower = beam_along_y({0, 0, 0});
  Solid<3> upper = beam_along_x({0.5, 0.25, 2.25});
  lower.size = 0.25;
  upper.size = 0.5;
  expect_both_ways(lower, upper, {{0, 0, 1}, 0.5, {{0, 0.25, 1.25}}, {}});
}
TEST(box_box, vertex_to_vertex_apart) {
  // From [1, 2, 3] to [3, 5, 9]: 7 along [2, 3, 6].
  const Solid<3> other = box(lean(4, 6, 10), kLean, {1, 1, 1});
  expect_apart(kBlock, other, 6.75);
  expect_both_ways(kBlock, other, {lean(2. / 7, 3. / 7, 6. / 7), -7, {lean(1, 2, 3)}, {}}, 8);
  expect_features(kBlock, other, {{vertex(7), vertex(0)}}, 8);
}
TEST(box_box, rounded_corner_to_rounded_corner) {
  // 7 apart, radii 3 and 4.5: A's point is 3 out.
  expect_both_ways(
      box({0, 0, 0}, kLean, {1, 2, 3}, 3), box(lean(4, 6, 10), kLean, {1, 1, 1}, 4.5),
      {lean(2. / 7, 3. / 7, 6. / 7), 0.5, {lean(1 + 6. / 7, 2 + 9. / 7, 3 + 18. / 7)}, {}});
}
TEST(box_box, touching_at_rounded_corners) {
  // From (1, 1, 1) to (3, 4, 7): 7; radii 3 and 4.
  expect_both_ways(box({0, 0, 0}, kUpright, {1, 1, 1}, 3), box({6, 5, 9}, kOnSide, {1, 2, 3}, 4),
                   {kSevenths, 0, {{1 + 6. / 7, 1 + 9. / 7, 1 + 18. / 7}}, {}});
}
TEST(box_box, vertex_to_edge_apart) {
  // All axes of the leaning cube look along (0.6, 0, 0.8): by 6/7, 3.4/7 and 1.2/7. So its corner
  // [-1, -1, -1] = (-11, 1, -5) / 7 comes first, here at (4, 0.25, 5): 5 from the edge x = 1, z = 1
  // on the upper sides of x and z, 4 + 1 + 2.
  const Solid<3> cube = box({4 + 11. / 7, 0.25 - 1. / 7, 5 + 5. / 7}, kLean, {1, 1, 1});
  expect_apart(kCubeBox, cube, 4.75);
  expect_both_ways(kCubeBox, cube, {{0.6, 0, 0.8}, -5, {{1, 0.25, 1}}, {}}, 5.5);
  expect_features(kCubeBox, cube, {{edge(7), vertex(0)}}, 5.5);
  expect_features(cube, kCubeBox, {{vertex(0), edge(7)}}, 5.5);
}
TEST(box_box, a_vertex_over_a_face_apart) {
  // As a_vertex_over_a_face, 0.5 higher.
  const Solid<3> ground = box({0, 0, -4}, kUpright, {8, 8, 4});
  const Solid<3> cube = box({0, 0, 11. / 7 + 0.25}, kLean, {1, 1, 1});
  expect_apart(ground, cube, 0.125);
  expect_both_ways(ground, cube, {{0, 0, 1}, -0.25, {{1. / 7, 5. / 7, 0}}, {}}, 0.5);
}

// --- box_box: ties and boxes of no size ---

TEST(box_box, concentric_cubes_leave_up_the_first_axis) {
  // Each way takes 2. The first axis of a box on its side looks along y; B's axes are A's.
  expect_contact(kCubeBox, box({0, 0, 0}, kOnSide, {1, 1, 1}),
                 {{1, 0, 0}, 2, {{1, -1, -1}, {1, 1, -1}, {1, -1, 1}, {1, 1, 1}}, {}, 1});
  expect_contact(box({0, 0, 0}, kOnSide, {1, 1, 1}), kCubeBox,
                 {{0, 1, 0}, 2, {{-1, 1, -1}, {1, 1, -1}, {-1, 1, 1}, {1, 1, 1}}, {}, 1});
  expect_tie(box({1, 2, 3}, kLean, {1, 1, 1}), box({1, 2, 3}, kLean, {1, 1, 1}), 2, 4);
}
TEST(box_box, concentric_but_thinner_one_way) {
  // 1 and 0.5 along x', more along the others: up or down it takes 1.5; B leaves up.
  const Answer<3> answer{
      lean(1, 0, 0),
      1.5,
      {lean(1, -0.5, -0.5), lean(1, 0.5, -0.5), lean(1, -0.5, 0.5), lean(1, 0.5, 0.5)},
      {},
      1};
  expect_contact(kBlock, box({0, 0, 0}, kLean, {0.5, 0.5, 0.5}), answer);
}
TEST(box_box, a_box_of_no_size_is_a_sphere) {
  // From the origin to the corner (2, 3, 6): 7; radii 3 and 4.
  expect_both_ways(box({0, 0, 0}, kOnSide, {0, 0, 0}, 3), box({3, 4, 7}, kUpright, {1, 1, 1}, 4),
                   {kSevenths, 0, {{6. / 7, 9. / 7, 18. / 7}}, {}});
}
TEST(box_box, a_plate_of_no_height_on_a_face) {
  // The plate is 0.25 below the face.
  expect_both_ways(
      kBlock, box(lean(0, 0, 2.75), kLean, {0.5, 0.5, 0}),
      {kLeanUp,
       0.25,
       {lean(-0.5, -0.5, 3), lean(0.5, -0.5, 3), lean(-0.5, 0.5, 3), lean(0.5, 0.5, 3)},
       {}});
}

// --- box_halfspace ---

TEST(box_halfspace, flat_on_the_floor) {
  // On its side it reaches 2 along z: 0.25 below the floor. Along x' is y, along y' z, along z' x:
  // the lower corners have bit 1 not set.
  const Solid<3> on_side = box({0, 0, 1.75}, kOnSide, {1, 2, 3});
  expect_both_ways(
      on_side, kFloor,
      {{0, 0, -1}, 0.25, {{-3, -1, -0.25}, {3, -1, -0.25}, {-3, 1, -0.25}, {3, 1, -0.25}}, {}});
  expect_features(
      on_side, kFloor,
      {{vertex(0), kWhole}, {vertex(1), kWhole}, {vertex(4), kWhole}, {vertex(5), kWhole}});
}
TEST(box_halfspace, touching_the_floor_counts) {
  expect_both_ways(box({0, 0, 2}, kOnSide, {1, 2, 3}), kFloor,
                   {{0, 0, -1}, 0, {{-3, -1, 0}, {3, -1, 0}, {-3, 1, 0}, {3, 1, 0}}, {}});
}
TEST(box_halfspace, flat_on_a_slope) {
  // The slope is [., ., 0], the centre 2.75 above it.
  expect_both_ways(
      box(lean(0, 0, 2.75), kLean, {1, 2, 3}), halfspace<3>(kLeanUp, 0),
      {kLeanDown,
       0.25,
       {lean(-1, -2, -0.25), lean(1, -2, -0.25), lean(-1, 2, -0.25), lean(1, 2, -0.25)},
       {}});
}
TEST(box_halfspace, on_an_edge) {
  // The beam's lower edge, x' up and z' down, is at z = -0.25; the next ones are at 0.75.
  const Solid<3> beam = beam_along_y({0.5, 0.25, 0.75});
  expect_both_ways(beam, kFloor, {{0, 0, -1}, 0.25, {{0.5, -1.75, -0.25}, {0.5, 2.25, -0.25}}, {}});
  expect_features(beam, kFloor, {{vertex(1), kWhole}, {vertex(3), kWhole}});
}
TEST(box_halfspace, on_a_corner) {
  // The leaning cube's lowest corner is [-1, -1, 1] = (1, 5, -11) / 7, the next one 4/7 higher.
  const Solid<3> cube = box({2, 3, 11. / 7 - 0.25}, kLean, {1, 1, 1});
  expect_both_ways(cube, kFloor, {{0, 0, -1}, 0.25, {{2 + 1. / 7, 3 + 5. / 7, -0.25}}, {}});
  expect_features(cube, kFloor, {{vertex(4), kWhole}});
}
TEST(box_halfspace, tilted_keeps_the_corners_within_the_margin) {
  // The corners are at -0.02 and 1.1, as in box_box.
  const Solid<3> tilted = box({0, 0, 1.5}, kTiltAboutX, {1, 2, 1});
  expect_both_ways(tilted, kFloor, {{0, 0, -1}, 0.02, {{-1, -1.64, -0.02}, {1, -1.64, -0.02}}, {}});
  expect_both_ways(tilted, kFloor,
                   {{0, 0, -1},
                    0.02,
                    {{-1, -1.64, -0.02}, {1, -1.64, -0.02}, {-1, 2.2, 1.1}, {1, 2.2, 1.1}},
                    {0.02, 0.02, -1.1, -1.1}},
                   1.25);
}
TEST(box_halfspace, rounded) {
  // The core ends 0.25 above the floor; radius 0.5.
  expect_both_ways(
      box({0, 0, 2.25}, kOnSide, {1, 2, 3}, 0.5), kFloor,
      {{0, 0, -1}, 0.25, {{-3, -1, -0.25}, {3, -1, -0.25}, {-3, 1, -0.25}, {3, 1, -0.25}}, {}});
}
TEST(box_halfspace, above_the_floor) {
  const Solid<3> above = box({0, 0, 2.25}, kOnSide, {1, 2, 3});
  expect_apart(above, kFloor);
  expect_apart(above, kFloor, 0.125);
  expect_both_ways(
      above, kFloor,
      {{0, 0, -1}, -0.25, {{-3, -1, 0.25}, {3, -1, 0.25}, {-3, 1, 0.25}, {3, 1, 0.25}}, {}}, 0.5);
}
TEST(box_halfspace, a_box_of_no_size_has_one_point) {
  expect_both_ways(box({1, 1, 0.25}, kLean, {0, 0, 0}, 0.5), kFloor,
                   {{0, 0, -1}, 0.25, {{1, 1, -0.25}}, {}});
}

}  // namespace
}  // namespace widephase::test
