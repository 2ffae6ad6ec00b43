// Cases of spheres and capsules with boxes in 3D whose answers can be derived by reading.
// support/turned_boxes3.hpp explains their orientation and what [u, v, w] means.
// Labels: own-sets

#include <gtest/gtest.h>

#include "support/turned_boxes3.hpp"

namespace widephase::test {
namespace {

const Solid<3> kOnItsSide = box({0, 0, 0}, kOnSide, {1, 2, 3});  // (-3, -1, -2) to (3, 1, 2)

// --- sphere_box ---

TEST(sphere_box, beside_a_leaning_face) {
  // The centre [0.5, 1, 3.5] is 0.5 above the face; radius 0.75: the lowest point is at 2.75.
  const Solid<3> sphere = ball<3>(lean(0.5, 1, 3.5), 0.75);
  expect_both_ways(sphere, kBlock, {kLeanDown, 0.25, {lean(0.5, 1, 2.75)}, {}});
  expect_features(sphere, kBlock, {{kWhole, face(5)}});
}
TEST(sphere_box, apart_within_the_margin) {
  // A gap of 0.25 below the lowest point.
  const Solid<3> sphere = ball<3>(lean(0.5, 1, 3.5), 0.25);
  expect_apart(sphere, kBlock);
  expect_apart(sphere, kBlock, 0.125);
  expect_both_ways(sphere, kBlock, {kLeanDown, -0.25, {lean(0.5, 1, 3.25)}, {}}, 0.5);
}
TEST(sphere_box, over_a_leaning_edge) {
  // From the edge [1, ., 3] to the centre: [3, 0, 4], 5 long; radius 5.5. The edge runs along y'
  // on the upper sides of x' and z': 4 + 1 + 2.
  const Solid<3> sphere = ball<3>(lean(4, 0.5, 7), 5.5);
  expect_both_ways(sphere, kBlock, {lean(-0.6, 0, -0.8), 0.5, {lean(0.7, 0.5, 2.6)}, {}});
  expect_features(sphere, kBlock, {{kWhole, edge(7)}});
}
TEST(sphere_box, over_a_leaning_corner) {
  // From the corner [1, 2, 3] to the centre: [2, 3, 6], 7 long; radius 7.5.
  const Solid<3> sphere = ball<3>(lean(3, 5, 9), 7.5);
  expect_both_ways(
      sphere, kBlock,
      {lean(-2. / 7, -3. / 7, -6. / 7), 0.5, {lean(3 - 15. / 7, 5 - 22.5 / 7, 9 - 45. / 7)}, {}});
  expect_features(sphere, kBlock, {{kWhole, vertex(7)}});
}
TEST(sphere_box, touching_a_rounded_corner_of_a_box_on_its_side) {
  // From the corner (3, 1, 2) to the centre: (2, 3, 6), 7 long; radii 4 and 3.
  expect_both_ways(ball<3>({5, 4, 8}, 4), box({0, 0, 0}, kOnSide, {1, 2, 3}, 3),
                   {{-2. / 7, -3. / 7, -6. / 7}, 0, {{5 - 8. / 7, 4 - 12. / 7, 8 - 24. / 7}}, {}});
  expect_apart(ball<3>({5, 4, 8}, 4), box({0, 0, 0}, kOnSide, {1, 2, 3}, 2.9375));
}
TEST(sphere_box, beside_a_rounded_leaning_face) {
  // 1 above the core's face; radii 0.75 and 0.5.
  expect_both_ways(ball<3>(lean(0.5, 1, 4), 0.75), box({0, 0, 0}, kLean, {1, 2, 3}, 0.5),
                   {kLeanDown, 0.25, {lean(0.5, 1, 3.25)}, {}});
}
TEST(sphere_box, centre_inside_leaves_through_the_nearest_face) {
  // The centre is 0.25 below the upper face of x', radius 0.5: the box moves down by 0.75.
  const Solid<3> sphere = ball<3>(lean(0.75, 0, 0.5), 0.5);
  expect_both_ways(sphere, kBlock, {lean(-1, 0, 0), 0.75, {lean(0.25, 0, 0.5)}, {}});
  expect_features(sphere, kBlock, {{kWhole, face(1)}});
}
TEST(sphere_box, centre_on_a_face) {
  // On its side the upper face of x' looks along y.
  expect_both_ways(ball<3>({0.5, 1, 0}, 0.25), kOnItsSide,
                   {{0, -1, 0}, 0.25, {{0.5, 0.75, 0}}, {}});
}
TEST(sphere_box, concentric_leaves_through_the_low_face_of_the_first_axis) {
  // Six exits of 1, and the radii 0.5 and 0.25. The sphere leaves down x', the box up.
  const Solid<3> cube = box({3, 1, 2}, kLean, {1, 1, 1}, 0.25);
  const Point<3> up = lean(1, 0, 0);
  expect_both_ways(ball<3>({3, 1, 2}, 0.5), cube,
                   {up, 1.75, {{3 + 0.5 * up[0], 1 + 0.5 * up[1], 2 + 0.5 * up[2]}}, {}, 1});
}
TEST(sphere_box, a_box_of_no_size_is_a_sphere) {
  const Solid<3> point = box({2, 3, 6}, kLean, {0, 0, 0}, 4);
  expect_both_ways(ball<3>({0, 0, 0}, 3), point, {kSevenths, 0, {{6. / 7, 9. / 7, 18. / 7}}, {}});
  expect_tie(ball<3>({2, 3, 6}, 3), point, 7);
}

// --- capsule_box ---

TEST(capsule_box, lying_on_a_leaning_face) {
  // The core is 0.25 above the face, radius 0.5; they share [., -2, .] to [., 1, .].
  expect_both_ways(capsule<3>(lean(0.5, -3, 3.25), lean(0.5, 1, 3.25), 0.5), kBlock,
                   {kLeanDown, 0.25, {lean(0.5, -2, 2.75), lean(0.5, 1, 2.75)}, {}});
}
TEST(capsule_box, lying_across_a_leaning_face) {
  // Along the face's diagonal, whose corners end the shared stretch.
  expect_both_ways(capsule<3>(lean(-2, -4, 3.25), lean(2, 4, 3.25), 0.5), kBlock,
                   {kLeanDown, 0.25, {lean(-1, -2, 2.75), lean(1, 2, 2.75)}, {}});
}
TEST(capsule_box, lying_on_a_face_between_its_sides_has_the_features_of_its_ends) {
  const Solid<3> inside = capsule<3>(lean(0.5, -1, 3.25), lean(0.5, 1, 3.25), 0.5);
  expect_both_ways(inside, kBlock,
                   {kLeanDown, 0.25, {lean(0.5, -1, 2.75), lean(0.5, 1, 2.75)}, {}});
  expect_features(inside, kBlock, {{vertex(0), face(5)}, {vertex(1), face(5)}});
}
TEST(capsule_box, touching_along_a_face) {
  // The face z = 2 of the box on its side; they share x from -3 to 1.
  expect_both_ways(capsule<3>({-4, 0.5, 2.5}, {1, 0.5, 2.5}, 0.5), kOnItsSide,
                   {{0, 0, -1}, 0, {{-3, 0.5, 2}, {1, 0.5, 2}}, {}});
}
TEST(capsule_box, apart_along_a_face_within_the_margin) {
  // The core is 0.5 above the face, radius 0.25.
  const Solid<3> above = capsule<3>(lean(0.5, -3, 3.5), lean(0.5, 1, 3.5), 0.25);
  expect_apart(above, kBlock, 0.125);
  expect_both_ways(above, kBlock, {kLeanDown, -0.25, {lean(0.5, -2, 3.25), lean(0.5, 1, 3.25)}, {}},
                   0.5);
}
TEST(capsule_box, lying_on_a_rounded_face) {
  // Cores 0.5 apart, radii 0.5 and 0.25. The rounding beyond the edges is no part of the face.
  expect_both_ways(capsule<3>(lean(0.5, -3, 3.5), lean(0.5, 1, 3.5), 0.5),
                   box({0, 0, 0}, kLean, {1, 2, 3}, 0.25),
                   {kLeanDown, 0.25, {lean(0.5, -2, 3), lean(0.5, 1, 3)}, {}});
}
TEST(capsule_box, across_a_leaning_edge) {
  // The core runs through [1.25, 0.5, 3.25], which is 0.25 sqrt(2) from the edge [1, ., 3], along
  // [1, 0, -1], then along [1, 1, -1]: both are across the way to the edge.
  const double on_capsule = 0.5 * kHalfRoot;
  const Answer<3> answer{lean(-kHalfRoot, 0, -kHalfRoot),
                         0.5 - 0.5 * kHalfRoot,
                         {lean(1.25 - on_capsule, 0.5, 3.25 - on_capsule)},
                         {}};
  const Solid<3> straight = capsule<3>(lean(0.25, 0.5, 4.25), lean(2.25, 0.5, 2.25), 0.5);
  expect_both_ways(straight, kBlock, answer);
  expect_features(straight, kBlock, {{edge(0), edge(7)}});
  const Solid<3> skew = capsule<3>(lean(0.25, -0.5, 4.25), lean(2.25, 1.5, 2.25), 0.5);
  expect_both_ways(skew, kBlock, answer);
  expect_features(skew, kBlock, {{edge(0), edge(7)}});
}
TEST(capsule_box, piercing_leaves_through_the_nearest_side) {
  // Pierces along [0.5, 0.5, .], 0.5 below the upper face of x'; radius 0.25.
  expect_both_ways(capsule<3>(lean(0.5, 0.5, -4), lean(0.5, 0.5, 4), 0.25), kBlock,
                   {lean(-1, 0, 0), 0.75, {lean(0.25, 0.5, -3), lean(0.25, 0.5, 3)}, {}});
}
TEST(capsule_box, piercing_the_middle_leaves_by_the_first_axis) {
  // On its side x' looks along y and y' along z, both 1 from the core; the box leaves up x'.
  expect_both_ways(capsule<3>({-4, 0, 0}, {4, 0, 0}, 0.25), box({0, 0, 0}, kOnSide, {1, 1, 3}),
                   {{0, 1, 0}, 1.25, {{-3, 0.25, 0}, {3, 0.25, 0}}, {}, 1});
}
TEST(capsule_box, inside_and_leaning_has_a_depth_an_end) {
  // The ends are 0.75 and 0.5 below the upper face of x', radius 0.25; every other way is longer.
  expect_both_ways(capsule<3>(lean(0.25, 0, -1), lean(0.5, 0, 1), 0.25), kBlock,
                   {lean(-1, 0, 0), 1, {lean(0, 0, -1), lean(0.25, 0, 1)}, {1, 0.75}});
}
TEST(capsule_box, end_at_a_rounded_corner) {
  // From the corner (3, 1, 2) to the end: 7 along (2, 3, 6), and the capsule goes on that way;
  // radii 4.5 and 3.
  expect_both_ways(
      capsule<3>({5, 4, 8}, {7, 7, 14}, 4.5), box({0, 0, 0}, kOnSide, {1, 2, 3}, 3),
      {{-2. / 7, -3. / 7, -6. / 7}, 0.5, {{5 - 9. / 7, 4 - 13.5 / 7, 8 - 27. / 7}}, {}});
}
TEST(capsule_box, of_no_length_has_one_point) {
  // A sphere but for its features. 0.5 above the face [., ., 3], radius 0.75; 0.25 below the upper
  // face of x', radius 0.5; [2, 3, 6], 7 long, from the corner, radius 7.5.
  const auto round = [](const Point<3>& at, double radius) { return capsule<3>(at, at, radius); };
  const Solid<3> above = round(lean(0.5, 1, 3.5), 0.75);
  expect_both_ways(above, kBlock, {kLeanDown, 0.25, {lean(0.5, 1, 2.75)}, {}});
  expect_features(above, kBlock, {{vertex(0), face(5)}});
  const Solid<3> within = round(lean(0.75, 0, 0.5), 0.5);
  expect_both_ways(within, kBlock, {lean(-1, 0, 0), 0.75, {lean(0.25, 0, 0.5)}, {}});
  expect_features(within, kBlock, {{vertex(0), face(1)}});
  const Solid<3> at_corner = round(lean(3, 5, 9), 7.5);
  expect_both_ways(
      at_corner, kBlock,
      {lean(-2. / 7, -3. / 7, -6. / 7), 0.5, {lean(3 - 15. / 7, 5 - 22.5 / 7, 9 - 45. / 7)}, {}});
  expect_features(at_corner, kBlock, {{vertex(0), vertex(7)}});
  // 0.5 above the rounded face of an upright box, whose radius is 0.25.
  expect_both_ways(round({0.5, 0, 1.75}, 1), box({0, 0, 0}, kUpright, {1, 1, 1}, 0.25),
                   {{0, 0, -1}, 0.5, {{0.5, 0, 0.75}}, {}});
}
TEST(capsule_aabb, of_no_length_has_one_point) {
  // 0.5 above the upper face of the cube, radius 0.75; in its face, and in its middle, radius 0.5.
  const auto round = [](const Point<3>& at, double radius) { return capsule<3>(at, at, radius); };
  const Solid<3> above = round({0.5, 0.25, 1.5}, 0.75);
  expect_both_ways(above, kCube, {{0, 0, -1}, 0.25, {{0.5, 0.25, 0.75}}, {}});
  expect_features(above, kCube, {{vertex(0), face(5)}});
  expect_both_ways(round({0.5, 0.25, 1}, 0.5), kCube, {{0, 0, -1}, 0.5, {{0.5, 0.25, 0.5}}, {}});
  // The cube leaves up the first axis.
  const Solid<3> centred = round({0, 0, 0}, 0.5);
  expect_both_ways(centred, kCube, {{1, 0, 0}, 1.5, {{0.5, 0, 0}}, {}, 1});
  expect_features(centred, kCube, {{vertex(0), face(0)}});
  // (1, 0, 1) from the edge along y on the upper sides of x and z.
  const Solid<3> beside = round({2, 0.5, 2}, 1.5);
  expect_both_ways(beside, kCube,
                   {{-kHalfRoot, 0, -kHalfRoot},
                    1.5 - 2 * kHalfRoot,
                    {{2 - 1.5 * kHalfRoot, 0.5, 2 - 1.5 * kHalfRoot}},
                    {}});
  expect_features(beside, kCube, {{vertex(0), edge(7)}});
}
TEST(capsule_box, across_a_box_of_no_height) {
  // The core pierces a plate [-2, -2, 0] to [2, 2, 0], rounded by 0.5, with 1 of its length above
  // and 3 below: the plate leaves up along it. Radii 0.25 and 0.5.
  expect_both_ways(capsule<3>(lean(0, 0, -3), lean(0, 0, 1), 0.25),
                   box({0, 0, 0}, kLean, {2, 2, 0}, 0.5), {kLeanUp, 1.75, {lean(0, 0, 1.25)}, {}});
}

}  // namespace
}  // namespace widephase::test
