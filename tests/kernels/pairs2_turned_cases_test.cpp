// Cases of oriented boxes and polygons in 2D whose answers can be derived by reading.
//
// Boxes are rotated by the 3-4-5 triangle: their own axes are x' = (0.8, 0.6) and y' = (-0.6, 0.8),
// and u x' + v y' is written [u, v]. Shapes that touch exactly are not rotated, so that they touch
// in every precision.
// Labels: own-sets

#include <gtest/gtest.h>

#include "support/expect.hpp"

namespace widephase::test {
namespace {

const double kLean = std::atan2(0.6, 0.8);
const double kTilt = std::atan2(0.28, 0.96);  // 7-24-25
const double kEighth = std::atan(1.0);
const double kQuarter = 2 * std::atan(1.0);
const double kHalfRoot = std::sqrt(0.5);

/// [u, v] as x and y.
Point<2> lean(double u, double v) { return {0.8 * u - 0.6 * v, 0.6 * u + 0.8 * v}; }

const Solid<2> kFloor = halfspace<2>({0, 1}, 0);  // solid below y = 0
const Solid<2> kSquare = aabb<2>({-1, -1}, {1, 1});
const Solid<2> kBox = box({0, 0}, 0, {1, 1});
const Solid<2> kBeam = box({0, 0}, kLean, {2, 1});  // [-2, -1] to [2, 1]
/// Corners at (+-1, 0) and (0, +-1) about `center`.
Solid<2> diamond_box(Point<2> center) { return box(center, kEighth, {kHalfRoot, kHalfRoot}); }

const std::vector<Point<2>> kSquareVertices{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
const std::vector<Point<2>> kDiamondVertices{{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
/// Sides 3, 4 and 5; the long one lies on 0.6 x + 0.8 y = 2.4.
const std::vector<Point<2>> kTriangleVertices{{0, 0}, {4, 0}, {0, 3}};
const Solid<2> kSquarePolygon = polygon({0, 0}, 0, kSquareVertices);
const Solid<2> kTriangle = polygon({0, 0}, 0, kTriangleVertices);

// --- circle_box ---

TEST(circle_box, beside_a_leaning_face) {
  // The centre [0.5, 1.5] is 0.5 above the face; radius 0.75: the lowest point is [0.5, 0.75].
  expect_contact(ball<2>(lean(0.5, 1.5), 0.75), kBeam, {lean(0, -1), 0.25, {lean(0.5, 0.75)}, {}});
}
TEST(circle_box, apart_within_the_margin) {
  // A gap of 0.25 below the lowest point [0.5, 1.25].
  const Solid<2> circle = ball<2>(lean(0.5, 1.5), 0.25);
  expect_apart(circle, kBeam);
  expect_apart(circle, kBeam, 0.125);
  expect_contact(circle, kBeam, {lean(0, -1), -0.25, {lean(0.5, 1.25)}, {}}, 0.5);
}
TEST(circle_box, touching_a_face_counts) {
  expect_contact(ball<2>({0.5, 1.75}, 0.75), kBox, {{0, -1}, 0, {{0.5, 1}}, {}});
}
TEST(circle_box, touching_a_rounded_corner_counts) {
  // From the centre (4, 5) to the corner (1, 1): 5 along (-0.6, -0.8); radii 3 and 2.
  expect_contact(ball<2>({4, 5}, 3), box({0, 0}, 0, {1, 1}, 2),
                 {{-0.6, -0.8}, 0, {{2.2, 2.6}}, {}});
}
TEST(circle_box, at_a_rounded_corner_of_a_box_on_its_side) {
  // Half extents 1 and 2, turned by a quarter: its corner is (2, 1). From (5, 5): 5 along
  // (-0.6, -0.8); radii 4.5 and 1.
  expect_contact(ball<2>({5, 5}, 4.5), box({0, 0}, kQuarter, {1, 2}, 1),
                 {{-0.6, -0.8}, 0.5, {{2.3, 1.4}}, {}});
}
TEST(circle_box, centre_inside_leaves_through_the_nearest_face) {
  // The centre [0.5, 0.75] is 0.25 below the upper face, radius 0.5: the box moves down by 0.75.
  expect_contact(ball<2>(lean(0.5, 0.75), 0.5), kBeam, {lean(0, -1), 0.75, {lean(0.5, 0.25)}, {}});
}
TEST(circle_box, centre_on_a_face) {
  expect_contact(ball<2>({1, 0.5}, 0.25), kBox, {{-1, 0}, 0.25, {{0.75, 0.5}}, {}});
}
TEST(circle_box, concentric) {
  // Four exits of 1, and the radii 0.5 and 0.25.
  expect_tie(ball<2>({3, 1}, 0.5), box({3, 1}, kLean, {1, 1}, 0.25), 1.75);
}
TEST(circle_box, a_box_of_no_height_is_a_capsule) {
  // The centre [0, 1] is 1 above the core; radii 0.75 and 0.5.
  const Solid<2> flat = box({0, 0}, kLean, {2, 0}, 0.5);
  expect_contact(ball<2>(lean(0, 1), 0.75), flat, {lean(0, -1), 0.25, {lean(0, 0.25)}, {}});
  expect_tie(ball<2>({0, 0}, 0.75), flat, 1.25);
}
TEST(circle_box, a_box_of_no_size_is_a_circle) {
  const Solid<2> point = box({3, 4}, 1, {0, 0}, 3);
  expect_contact(ball<2>({0, 0}, 2), point, {{0.6, 0.8}, 0, {{1.2, 1.6}}, {}});
  expect_tie(ball<2>({3, 4}, 2), point, 5);
}
TEST(circle_box, the_box_named_first) {
  // The mirror of beside_a_leaning_face: the point is on the face.
  expect_contact(kBeam, ball<2>(lean(0.5, 1.5), 0.75), {lean(0, 1), 0.25, {lean(0.5, 1)}, {}});
}

// --- circle_polygon ---

TEST(circle_polygon, beside_the_long_side) {
  // 1 out from its middle (2, 1.5); radius 1.25.
  expect_contact(ball<2>({2.6, 2.3}, 1.25), kTriangle, {{-0.6, -0.8}, 0.25, {{1.85, 1.3}}, {}});
}
TEST(circle_polygon, apart_within_the_margin) {
  // 1 out from (2, 1.5), radius 0.75: a gap of 0.25.
  expect_apart(ball<2>({2.6, 2.3}, 0.75), kTriangle, 0.125);
  expect_contact(ball<2>({2.6, 2.3}, 0.75), kTriangle, {{-0.6, -0.8}, -0.25, {{2.15, 1.7}}, {}},
                 0.5);
}
TEST(circle_polygon, at_a_rounded_vertex) {
  // From (7, -4) to the vertex (4, 0): 5 along (-0.6, 0.8); radii 3 and 2.5, then 3 and 2.
  expect_contact(ball<2>({7, -4}, 3), polygon({0, 0}, 0, kTriangleVertices, 2.5),
                 {{-0.6, 0.8}, 0.5, {{5.2, -1.6}}, {}});
  expect_contact(ball<2>({7, -4}, 3), polygon({0, 0}, 0, kTriangleVertices, 2),
                 {{-0.6, 0.8}, 0, {{5.2, -1.6}}, {}});
}
TEST(circle_polygon, vertex_just_out_of_reach) {
  expect_apart(ball<2>({7, -4}, 3), polygon({0, 0}, 0, kTriangleVertices, 1.9375));
}
TEST(circle_polygon, centre_inside_leaves_through_the_nearest_side) {
  // 0.5 above the lower side, 1 right of the left one, 2.4 - 0.6 - 0.4 = 1.4 below the long one.
  expect_contact(ball<2>({1, 0.5}, 0.25), kTriangle, {{0, 1}, 0.75, {{1, 0.75}}, {}});
}
TEST(circle_polygon, centre_on_a_side) {
  expect_contact(ball<2>({2, 0}, 0.5), kTriangle, {{0, 1}, 0.5, {{2, 0.5}}, {}});
}
TEST(circle_polygon, concentric) { expect_tie(ball<2>({0, 0}, 0.5), kSquarePolygon, 1.5); }
TEST(circle_polygon, concentric_with_a_flat_one_of_many_corners) {
  // 16 corners, level above and below; those two sides, of numbers eight apart, are the nearest.
  std::vector<Point<2>> corners;
  for (int i = 0; i < 16; ++i) {
    const double angle = (i + 0.5) * std::acos(-1.0) / 8;
    corners.push_back({std::cos(angle), 0.25 * std::sin(angle)});
  }
  expect_tie(ball<2>({0, 0}, 0.5), polygon({0, 0}, 0, corners),
             0.5 + 0.25 * std::cos(std::acos(-1.0) / 16));
}
TEST(circle_polygon, turned_by_a_quarter) {
  // The long side runs from (0, 4) to (-3, 0), outwards is (-0.8, 0.6); the centre is 1 out from
  // its middle (-1.5, 2).
  expect_contact(ball<2>({-2.3, 2.6}, 1.25), polygon({0, 0}, kQuarter, kTriangleVertices),
                 {{0.8, -0.6}, 0.25, {{-1.3, 1.85}}, {}});
}
TEST(circle_polygon, vertices_far_from_the_origin_of_their_frame) {
  // The square from -1 to 1: its frame is at (-8, 4).
  expect_contact(ball<2>({1.5, 0.25}, 0.75),
                 polygon({-8, 4}, 0, {{7, -5}, {9, -5}, {9, -3}, {7, -3}}),
                 {{-1, 0}, 0.25, {{0.75, 0.25}}, {}});
}
TEST(circle_polygon, the_polygon_named_first) {
  // The mirror of beside_the_long_side.
  expect_contact(kTriangle, ball<2>({2.6, 2.3}, 1.25), {{0.6, 0.8}, 0.25, {{2, 1.5}}, {}});
}

// --- capsule_box ---

TEST(capsule_box, lying_along_a_leaning_face) {
  // The core is 0.25 above the face, radius 0.5; they share [-2, .] to [0.5, .].
  expect_contact(capsule<2>(lean(-3, 1.25), lean(0.5, 1.25), 0.5), kBeam,
                 {lean(0, -1), 0.25, {lean(-2, 0.75), lean(0.5, 0.75)}, {}});
}
TEST(capsule_box, touching_along_a_face) {
  expect_contact(capsule<2>({-1, 1.5}, {0.5, 1.5}, 0.5), kBox,
                 {{0, -1}, 0, {{-1, 1}, {0.5, 1}}, {}});
}
TEST(capsule_box, apart_along_a_face_within_the_margin) {
  // The core is 0.5 above the face, radius 0.25.
  const Solid<2> above = capsule<2>({-1, 1.5}, {0.5, 1.5}, 0.25);
  expect_apart(above, kBox, 0.125);
  expect_contact(above, kBox, {{0, -1}, -0.25, {{-1, 1.25}, {0.5, 1.25}}, {}}, 0.25);
}
TEST(capsule_box, lying_along_a_rounded_face) {
  // Cores 0.5 apart, radii 0.5 and 0.25. The rounding beyond the corners is no part of the face.
  expect_contact(capsule<2>({-2, 1.5}, {0.5, 1.5}, 0.5), box({0, 0}, 0, {1, 1}, 0.25),
                 {{0, -1}, 0.25, {{-1, 1}, {0.5, 1}}, {}});
}
TEST(capsule_box, piercing_leaves_through_the_nearest_side) {
  // Pierces along [., 0.25], 0.75 below the upper face; radius 0.5.
  expect_contact(capsule<2>(lean(-4, 0.25), lean(4, 0.25), 0.5), kBeam,
                 {lean(0, -1), 1.25, {lean(-2, -0.25), lean(2, -0.25)}, {}});
}
TEST(capsule_box, end_at_a_rounded_corner) {
  // Corner (2, 1), end (5, 5), the capsule goes away along (4, 3); radii 4.5 and 1.
  expect_contact(capsule<2>({5, 5}, {9, 8}, 4.5), box({0, 0}, kQuarter, {1, 2}, 1),
                 {{-0.6, -0.8}, 0.5, {{2.3, 1.4}}, {}});
}
TEST(capsule_box, a_corner_at_its_side) {
  // The corner (0, 1) is 0.25 below the core; radius 0.5.
  expect_contact(capsule<2>({-1, 1.25}, {1, 1.25}, 0.5), diamond_box({0, 0}),
                 {{0, -1}, 0.25, {{0, 0.75}}, {}});
}
TEST(capsule_box, inside_and_leaning_has_a_depth_an_end) {
  // Ends [-1, 0.75] and [1, 0.5] are 0.25 and 0.5 below the upper face, radius 0.25. Through any
  // other side takes more than the 0.75 of the deeper end.
  expect_contact(capsule<2>(lean(-1, 0.75), lean(1, 0.5), 0.25), kBeam,
                 {lean(0, -1), 0.75, {lean(-1, 0.5), lean(1, 0.25)}, {0.5, 0.75}});
}
TEST(capsule_box, of_no_length_in_the_middle) {
  expect_tie(capsule<2>({1, 2}, {1, 2}, 0.25), box({1, 2}, kLean, {1, 1}), 1.25);
}
TEST(capsule_box, crossing_a_box_of_no_width) {
  // As crossing capsules do: B's lower end is 1 below A's axis; radii 0.25 and 0.5.
  expect_contact(capsule<2>({-2, 0}, {2, 0}, 0.25), box({0, 1}, 0, {0, 2}, 0.5),
                 {{0, 1}, 1.75, {{0, 0.25}}, {}});
}
TEST(capsule_box, the_box_named_first) {
  // The mirror of lying_along_a_leaning_face: points on the face.
  expect_contact(kBeam, capsule<2>(lean(-3, 1.25), lean(0.5, 1.25), 0.5),
                 {lean(0, 1), 0.25, {lean(-2, 1), lean(0.5, 1)}, {}});
}

// --- capsule_polygon ---

TEST(capsule_polygon, lying_along_the_long_side) {
  // 0.75 out from its stretch from (3.2, 0.6) to (1.6, 1.8), that is by (0.45, 0.6); radius 1.
  expect_contact(capsule<2>({3.65, 1.2}, {2.05, 2.4}, 1), kTriangle,
                 {{-0.6, -0.8}, 0.25, {{3.05, 0.4}, {1.45, 1.6}}, {}});
}
TEST(capsule_polygon, touching_along_a_side) {
  expect_contact(capsule<2>({-1, -0.5}, {3, -0.5}, 0.5), kTriangle,
                 {{0, 1}, 0, {{0, 0}, {3, 0}}, {}});
}
TEST(capsule_polygon, apart_along_a_side_within_the_margin) {
  const Solid<2> below = capsule<2>({-1, -0.5}, {3, -0.5}, 0.25);
  expect_apart(below, kTriangle, 0.125);
  expect_contact(below, kTriangle, {{0, 1}, -0.25, {{0, -0.25}, {3, -0.25}}, {}}, 0.25);
}
TEST(capsule_polygon, end_at_a_rounded_vertex) {
  // From (7, -4) to (4, 0): 5; the capsule goes on the same way; radii 3 and 2.5.
  expect_contact(capsule<2>({7, -4}, {10, -8}, 3), polygon({0, 0}, 0, kTriangleVertices, 2.5),
                 {{-0.6, 0.8}, 0.5, {{5.2, -1.6}}, {}});
}
TEST(capsule_polygon, a_vertex_at_its_side) {
  expect_contact(capsule<2>({-1, 1.25}, {1, 1.25}, 0.5), polygon({0, 0}, 0, kDiamondVertices),
                 {{0, -1}, 0.25, {{0, 0.75}}, {}});
}
TEST(capsule_polygon, piercing_leaves_through_the_nearest_side) {
  expect_contact(capsule<2>({-3, 0.25}, {3, 0.25}, 0.5), kSquarePolygon,
                 {{0, -1}, 1.25, {{-1, -0.25}, {1, -0.25}}, {}});
}
TEST(capsule_polygon, inside_and_leaning_has_a_depth_an_end) {
  // Ends 0.25 and 0.5 above the lower side, radius 0.25; the others are farther away.
  expect_contact(capsule<2>({1, 0.25}, {2, 0.5}, 0.25), kTriangle,
                 {{0, 1}, 0.75, {{1, 0.5}, {2, 0.75}}, {0.5, 0.75}});
}
TEST(capsule_polygon, of_no_length_in_the_middle) {
  expect_tie(capsule<2>({0, 0}, {0, 0}, 0.25), kSquarePolygon, 1.25);
}
TEST(capsule_polygon, the_polygon_named_first) {
  expect_contact(kTriangle, capsule<2>({3.65, 1.2}, {2.05, 2.4}, 1),
                 {{0.6, 0.8}, 0.25, {{3.2, 0.6}, {1.6, 1.8}}, {}});
}

// --- aabb_box ---

TEST(aabb_box, face_against_face_of_a_box_on_its_side) {
  // It spans x from 0.75 to 2.75 and y from -0.25 to 0.75.
  expect_contact(kSquare, box({1.75, 0.25}, kQuarter, {0.5, 1}),
                 {{1, 0}, 0.25, {{1, -0.25}, {1, 0.75}}, {}});
}
TEST(aabb_box, touching_face_to_face) {
  // They share y from -0.5 to 1.
  expect_contact(kSquare, box({2, 0.5}, 0, {1, 1}), {{1, 0}, 0, {{1, -0.5}, {1, 1}}, {}});
}
TEST(aabb_box, a_corner_in_a_face) {
  // The corner (0.75, 0.25); the next ones are 0.75 out.
  expect_contact(kSquare, diamond_box({1.75, 0.25}), {{1, 0}, 0.25, {{1, 0.25}}, {}});
}
TEST(aabb_box, corner_to_rounded_corner) {
  // From (1, 1) to (4, 5): 5; radius 5.5, then 4.5.
  expect_contact(kSquare, box({5, 6}, 0, {1, 1}, 5.5), {{0.6, 0.8}, 0.5, {{1, 1}}, {}});
  expect_apart(kSquare, box({5, 6}, 0, {1, 1}, 4.5), 0.25);
  expect_contact(kSquare, box({5, 6}, 0, {1, 1}, 4.5), {{0.6, 0.8}, -0.5, {{1, 1}}, {}}, 1);
}
TEST(aabb_box, tilted_has_a_depth_a_corner) {
  // Along 0.96, 0.28 and -0.28, 0.96: the lower corners are (-1.64, -1.52) and (2.2, -0.4) from
  // the centre, which is 0.25 above the top.
  const Solid<2> ground = aabb<2>({-8, -8}, {8, 0});
  const Solid<2> tilted = box({0, 0.25}, kTilt, {2, 1});
  expect_contact(ground, tilted, {{0, 1}, 1.27, {{-1.64, 0}, {2.2, 0}}, {1.27, 0.15}});
  expect_contact(tilted, ground, {{0, -1}, 1.27, {{-1.64, -1.27}, {2.2, -0.15}}, {1.27, 0.15}});
}
TEST(aabb_box, tilted_keeps_the_corners_within_the_margin) {
  // The corners are at -0.02 and 1.1.
  const Solid<2> ground = aabb<2>({-8, -8}, {8, 0});
  const Solid<2> tilted = box({0, 1.5}, kTilt, {2, 1});
  expect_contact(ground, tilted, {{0, 1}, 0.02, {{-1.64, 0}}, {}});
  expect_contact(ground, tilted, {{0, 1}, 0.02, {{-1.64, 0}}, {}}, 1);
  expect_contact(ground, tilted, {{0, 1}, 0.02, {{-1.64, 0}, {2.2, 0}}, {0.02, -1.1}}, 1.25);
}
TEST(aabb_box, inside_near_the_right_face) {
  // Its left side at 1 leaves at 2.
  expect_contact(aabb<2>({-2, -2}, {2, 2}), box({1.25, 0}, 0, {0.25, 0.5}),
                 {{1, 0}, 1, {{2, -0.5}, {2, 0.5}}, {}});
}
TEST(aabb_box, twice_the_same_square) { expect_tie(kSquare, kBox, 2, 2); }
TEST(aabb_box, the_box_named_first) {
  expect_contact(box({1.75, 0.25}, kQuarter, {0.5, 1}), kSquare,
                 {{-1, 0}, 0.25, {{0.75, -0.25}, {0.75, 0.75}}, {}});
}

// --- aabb_polygon ---

TEST(aabb_polygon, face_against_side) {
  expect_contact(kSquare, polygon({1.75, 0.25}, 0, {{-1, -0.5}, {1, -0.5}, {1, 0.5}, {-1, 0.5}}),
                 {{1, 0}, 0.25, {{1, -0.25}, {1, 0.75}}, {}});
}
TEST(aabb_polygon, a_corner_in_the_long_side) {
  // (1.5, 1.5) is at 0.9 + 1.2 = 2.1, 0.3 inside 2.4. Of the box's sides at it the lower one looks
  // more at the triangle; its other end (3, 1.5) is at 3, 0.6 out.
  const Solid<2> corner = aabb<2>({1.5, 1.5}, {3, 3});
  expect_contact(corner, kTriangle, {{-0.6, -0.8}, 0.3, {{1.5, 1.5}}, {}});
  expect_contact(corner, kTriangle, {{-0.6, -0.8}, 0.3, {{1.5, 1.5}, {3, 1.5}}, {0.3, -0.6}}, 1);
}
TEST(aabb_polygon, a_vertex_that_touches_a_face) {
  // The diamond's left vertex is (1, 0.25).
  expect_contact(kSquare, polygon({2, 0.25}, 0, kDiamondVertices), {{1, 0}, 0, {{1, 0.25}}, {}});
}
TEST(aabb_polygon, a_vertex_apart_within_the_margin) {
  const Solid<2> diamond = polygon({2.25, 0.25}, 0, kDiamondVertices);
  expect_apart(kSquare, diamond, 0.125);
  expect_contact(kSquare, diamond, {{1, 0}, -0.25, {{1, 0.25}}, {}}, 0.25);
}
TEST(aabb_polygon, corner_to_rounded_vertex) {
  // From (1, 1) to the vertex (4, 5): 5; radius 5.5.
  expect_contact(kSquare, polygon({4, 5}, 0, kTriangleVertices, 5.5),
                 {{0.6, 0.8}, 0.5, {{1, 1}}, {}});
}
TEST(aabb_polygon, inside_near_the_right_face) {
  expect_contact(aabb<2>({-2, -2}, {2, 2}),
                 polygon({1.25, 0}, 0, {{-0.25, -0.5}, {0.25, -0.5}, {0.25, 0.5}, {-0.25, 0.5}}),
                 {{1, 0}, 1, {{2, -0.5}, {2, 0.5}}, {}});
}
TEST(aabb_polygon, twice_the_same_square) { expect_tie(kSquare, kSquarePolygon, 2, 2); }
TEST(aabb_polygon, the_polygon_named_first) {
  // The mirror of a_corner_in_the_long_side: from (1.5, 1.5) out by 0.3 (0.6, 0.8).
  expect_contact(kTriangle, aabb<2>({1.5, 1.5}, {3, 3}), {{0.6, 0.8}, 0.3, {{1.68, 1.74}}, {}});
}

// --- box_box ---

TEST(box_box, face_against_face_leaning) {
  // The upper one reaches down to [., 0.75] and from [-0.5, .] to [1.5, .].
  expect_contact(kBeam, box(lean(0.5, 1.75), kLean, {1, 1}),
                 {lean(0, 1), 0.25, {lean(-0.5, 1), lean(1.5, 1)}, {}});
}
TEST(box_box, face_against_face_a_quarter_apart) {
  expect_contact(kBeam, box(lean(0.5, 1.75), kLean + kQuarter, {1, 1}),
                 {lean(0, 1), 0.25, {lean(-0.5, 1), lean(1.5, 1)}, {}});
}
TEST(box_box, touching_face_to_face) {
  expect_contact(kBox, box({2, 0.5}, 0, {1, 1}), {{1, 0}, 0, {{1, -0.5}, {1, 1}}, {}});
}
TEST(box_box, rounded_faces_apart_within_the_margin) {
  // Cores 1.5 apart, radii 0.5 and 0.75. Above the first one's upper face at 1.5.
  const Solid<2> lower = box({0, 0}, 0, {1, 1}, 0.5);
  const Solid<2> upper = box({0.5, 3.5}, 0, {1, 1}, 0.75);
  expect_apart(lower, upper, 0.125);
  expect_contact(lower, upper, {{0, 1}, -0.25, {{-0.5, 1.5}, {1, 1.5}}, {}}, 0.25);
}
TEST(box_box, a_corner_in_a_face) {
  expect_contact(kBox, diamond_box({1.75, 0.25}), {{1, 0}, 0.25, {{1, 0.25}}, {}});
}
TEST(box_box, rounded_corner_to_rounded_corner) {
  // From (1, 1) to (4, 5): 5; radii 2 and 3.5.
  expect_contact(box({0, 0}, 0, {1, 1}, 2), box({5, 6}, kQuarter, {1, 1}, 3.5),
                 {{0.6, 0.8}, 0.5, {{2.2, 2.6}}, {}});
}
TEST(box_box, tilted_has_a_depth_a_corner) {
  // As aabb_box of that name, either one first.
  const Solid<2> ground = box({0, -4}, 0, {8, 4});
  const Solid<2> tilted = box({0, 0.25}, kTilt, {2, 1});
  expect_contact(ground, tilted, {{0, 1}, 1.27, {{-1.64, 0}, {2.2, 0}}, {1.27, 0.15}});
  expect_contact(tilted, ground, {{0, -1}, 1.27, {{-1.64, -1.27}, {2.2, -0.15}}, {1.27, 0.15}});
}
TEST(box_box, inside_near_the_right_face) {
  expect_contact(box({0, 0}, 0, {2, 2}), box({1.25, 0}, kQuarter, {0.5, 0.25}),
                 {{1, 0}, 1, {{2, -0.5}, {2, 0.5}}, {}});
}
TEST(box_box, twice_the_same_square) { expect_tie(kBox, kBox, 2, 2); }
TEST(box_box, crossing_without_width_leaves_over_the_nearest_end) {
  // B's lower end is 1 below A's axis; radii 0.25 and 0.5.
  expect_contact(box({0, 0}, 0, {2, 0}, 0.25), box({0, 1}, 0, {0, 2}, 0.5),
                 {{0, 1}, 1.75, {{0, 0.25}}, {}});
}
TEST(box_box, both_of_no_size_on_one_place) {
  expect_tie(box({1, 2}, kLean, {0, 0}, 0.25), box({1, 2}, 0, {0, 0}, 0.5), 0.75, 1);
}
TEST(box_box, both_of_no_size_are_circles) {
  expect_contact(box({0, 0}, kLean, {0, 0}, 2.25), box({3, 4}, 0, {0, 0}, 3),
                 {{0.6, 0.8}, 0.25, {{1.35, 1.8}}, {}});
}

// --- box_polygon ---

TEST(box_polygon, face_against_the_long_side) {
  // A box on the long side: its lower face is at 2.4 - 0.25 along (0.6, 0.8), its middle 0.5 to
  // the right of the side's middle (2, 1.5). It spans 1 either way along (0.8, -0.6).
  const Point<2> out{0.6, 0.8};
  const Point<2> right{0.8, -0.6};
  const Point<2> center{2 + 0.75 * out[0] + 0.5 * right[0], 1.5 + 0.75 * out[1] + 0.5 * right[1]};
  const Solid<2> above = box(center, std::atan2(-0.6, 0.8), {1, 1});
  // The box's points: 0.25 in from (2, 1.5), and from 0.5 left to 1.5 right of there.
  expect_contact(above, kTriangle,
                 {{-0.6, -0.8}, 0.25, {{1.85 - 0.4, 1.3 + 0.3}, {1.85 + 1.2, 1.3 - 0.9}}, {}});
  expect_contact(kTriangle, above, {out, 0.25, {{2 - 0.4, 1.5 + 0.3}, {2 + 1.2, 1.5 - 0.9}}, {}});
}
TEST(box_polygon, touching_face_to_side) {
  // They share x from 1 to 3.
  expect_contact(box({2, -1}, 0, {1, 1}), kTriangle, {{0, 1}, 0, {{1, 0}, {3, 0}}, {}});
}
TEST(box_polygon, a_vertex_in_a_leaning_face) {
  // The diamond leans with the box and stands on its corner at [0.5, 0.75].
  expect_contact(kBeam, polygon(lean(0.5, 1.75), kLean, kDiamondVertices),
                 {lean(0, 1), 0.25, {lean(0.5, 1)}, {}});
}
TEST(box_polygon, a_vertex_apart_within_the_margin) {
  const Solid<2> diamond = polygon(lean(0.5, 2.25), kLean, kDiamondVertices);
  expect_apart(kBeam, diamond, 0.125);
  expect_contact(kBeam, diamond, {lean(0, 1), -0.25, {lean(0.5, 1)}, {}}, 0.5);
}
TEST(box_polygon, rounded_corner_to_rounded_vertex) {
  // From (1, 1) to (4, 5): 5; radii 2 and 3.5.
  expect_contact(box({0, 0}, 0, {1, 1}, 2), polygon({4, 5}, 0, kTriangleVertices, 3.5),
                 {{0.6, 0.8}, 0.5, {{2.2, 2.6}}, {}});
}
TEST(box_polygon, tilted_has_a_depth_a_corner) {
  const Solid<2> ground = polygon({0, 0}, 0, {{-8, -8}, {8, -8}, {8, 0}, {-8, 0}});
  const Solid<2> tilted = box({0, 0.25}, kTilt, {2, 1});
  expect_contact(tilted, ground, {{0, -1}, 1.27, {{-1.64, -1.27}, {2.2, -0.15}}, {1.27, 0.15}});
  expect_contact(ground, tilted, {{0, 1}, 1.27, {{-1.64, 0}, {2.2, 0}}, {1.27, 0.15}});
}
TEST(box_polygon, a_box_of_no_size_inside) {
  // The point (1, 0.5) is nearest to the lower side; radius 0.25.
  expect_contact(box({1, 0.5}, kLean, {0, 0}, 0.25), kTriangle, {{0, 1}, 0.75, {{1, 0.75}}, {}});
}
TEST(box_polygon, twice_the_same_square) { expect_tie(kBox, kSquarePolygon, 2, 2); }

// --- polygon_polygon ---

TEST(polygon_polygon, long_sides_against_each_other) {
  // Turned by half a turn about (2, 1.5) the triangle completes a rectangle; moved 0.25 into A and
  // 1 along the side it shares all but 1 of it, from (0.8, 2.4) to (4, 0).
  const Solid<2> other = polygon({4 - 0.15 + 0.8, 3 - 0.2 - 0.6}, 2 * kQuarter, kTriangleVertices);
  expect_contact(kTriangle, other, {{0.6, 0.8}, 0.25, {{0.8, 2.4}, {4, 0}}, {}});
}
TEST(polygon_polygon, touching_side_to_side) {
  expect_contact(kSquarePolygon, polygon({2, 0.5}, 0, kSquareVertices),
                 {{1, 0}, 0, {{1, -0.5}, {1, 1}}, {}});
}
TEST(polygon_polygon, a_vertex_in_a_side) {
  // The diamond's lower vertex is (0.25, 0.75).
  expect_contact(kSquarePolygon, polygon({0.25, 1.75}, 0, kDiamondVertices),
                 {{0, 1}, 0.25, {{0.25, 1}}, {}});
}
TEST(polygon_polygon, a_vertex_that_touches_a_side) {
  expect_contact(kSquarePolygon, polygon({0.25, 2}, 0, kDiamondVertices),
                 {{0, 1}, 0, {{0.25, 1}}, {}});
}
TEST(polygon_polygon, a_vertex_apart_within_the_margin) {
  const Solid<2> diamond = polygon({0.25, 2.25}, 0, kDiamondVertices);
  expect_apart(kSquarePolygon, diamond, 0.125);
  expect_contact(kSquarePolygon, diamond, {{0, 1}, -0.25, {{0.25, 1}}, {}}, 0.25);
}
TEST(polygon_polygon, rounded_vertex_to_rounded_vertex) {
  // Right angles that look at each other from (0, 0) and (3, 4): 5; radii 2 and 3.5.
  expect_contact(polygon({0, 0}, 2 * kQuarter, kTriangleVertices, 2),
                 polygon({3, 4}, 0, kTriangleVertices, 3.5), {{0.6, 0.8}, 0.5, {{1.2, 1.6}}, {}});
}
TEST(polygon_polygon, rounded_sides_apart_within_the_margin) {
  // Cores 1.5 apart, radii 0.5 and 0.75.
  const Solid<2> lower = polygon({0, 0}, 0, kSquareVertices, 0.5);
  const Solid<2> upper = polygon({0.5, 3.5}, 0, kSquareVertices, 0.75);
  expect_apart(lower, upper, 0.125);
  expect_contact(lower, upper, {{0, 1}, -0.25, {{-0.5, 1.5}, {1, 1.5}}, {}}, 0.25);
}
TEST(polygon_polygon, tilted_has_a_depth_a_corner) {
  // As aabb_box of that name.
  const Solid<2> ground = polygon({0, 0}, 0, {{-8, -8}, {8, -8}, {8, 0}, {-8, 0}});
  const Solid<2> tilted = polygon({0, 0.25}, kTilt, {{-2, -1}, {2, -1}, {2, 1}, {-2, 1}});
  expect_contact(ground, tilted, {{0, 1}, 1.27, {{-1.64, 0}, {2.2, 0}}, {1.27, 0.15}});
  expect_contact(tilted, ground, {{0, -1}, 1.27, {{-1.64, -1.27}, {2.2, -0.15}}, {1.27, 0.15}});
}
TEST(polygon_polygon, inside_near_the_right_side) {
  // Its left side at 1 leaves at 2.
  expect_contact(polygon({0, 0}, 0, {{-2, -2}, {2, -2}, {2, 2}, {-2, 2}}),
                 polygon({1.25, 0}, 0, {{-0.25, -0.5}, {0.25, 0}, {-0.25, 0.5}}),
                 {{1, 0}, 1, {{2, -0.5}, {2, 0.5}}, {}});
}
TEST(polygon_polygon, twice_the_same_square) {
  expect_tie(kSquarePolygon, kSquarePolygon, 2, 2);
  // From another vertex on, in another frame.
  expect_tie(kSquarePolygon, polygon({-8, 4}, 0, {{9, -3}, {7, -3}, {7, -5}, {9, -5}}), 2, 2);
}

// --- box_halfspace ---

TEST(box_halfspace, flat_on_the_floor) {
  // The lower side is at -0.25.
  expect_contact(box({0, 0.75}, 0, {2, 1}), kFloor, {{0, -1}, 0.25, {{-2, -0.25}, {2, -0.25}}, {}});
  expect_contact(box({0, 0.75}, kQuarter, {1, 2}), kFloor,
                 {{0, -1}, 0.25, {{-2, -0.25}, {2, -0.25}}, {}});
}
TEST(box_halfspace, resting_on_the_floor) {
  expect_contact(box({0, 1}, 0, {2, 1}), kFloor, {{0, -1}, 0, {{-2, 0}, {2, 0}}, {}});
}
TEST(box_halfspace, rounded) {
  // The core's lower side is at 0.5, the radius 0.75.
  expect_contact(box({0, 1}, 0, {1, 0.5}, 0.75), kFloor,
                 {{0, -1}, 0.25, {{-1, -0.25}, {1, -0.25}}, {}});
}
TEST(box_halfspace, lying_on_a_slope) {
  // The slope is [., -0.75], the box's lower side [., -1].
  expect_contact(kBeam, halfspace<2>({-0.6, 0.8}, -0.75),
                 {lean(0, -1), 0.25, {lean(-2, -1), lean(2, -1)}, {}});
}
TEST(box_halfspace, tilted_has_a_depth_a_corner) {
  // The lower corners are (-1.64, -1.52) and (2.2, -0.4) from the centre.
  expect_contact(box({0, 0.25}, kTilt, {2, 1}), kFloor,
                 {{0, -1}, 1.27, {{-1.64, -1.27}, {2.2, -0.15}}, {1.27, 0.15}});
}
TEST(box_halfspace, tilted_keeps_the_corners_within_the_margin) {
  const Solid<2> tilted = box({0, 1.5}, kTilt, {2, 1});
  expect_contact(tilted, kFloor, {{0, -1}, 0.02, {{-1.64, -0.02}}, {}});
  expect_contact(tilted, kFloor, {{0, -1}, 0.02, {{-1.64, -0.02}, {2.2, 1.1}}, {0.02, -1.1}}, 1.25);
}
TEST(box_halfspace, above_the_floor) {
  const Solid<2> above = box({0, 1.25}, 0, {2, 1});
  expect_apart(above, kFloor, 0.125);
  expect_contact(above, kFloor, {{0, -1}, -0.25, {{-2, 0.25}, {2, 0.25}}, {}}, 0.25);
}
TEST(box_halfspace, of_no_size_is_a_circle) {
  expect_contact(box({1, 0.25}, kLean, {0, 0}, 0.5), kFloor, {{0, -1}, 0.25, {{1, -0.25}}, {}});
}
TEST(box_halfspace, the_halfspace_named_first) {
  expect_contact(kFloor, box({0, 0.75}, 0, {2, 1}), {{0, 1}, 0.25, {{-2, 0}, {2, 0}}, {}});
}

// --- polygon_halfspace ---

TEST(polygon_halfspace, flat_on_the_floor) {
  expect_contact(polygon({0, -0.25}, 0, kTriangleVertices), kFloor,
                 {{0, -1}, 0.25, {{0, -0.25}, {4, -0.25}}, {}});
}
TEST(polygon_halfspace, lying_on_a_slope) {
  // Along (-0.6, -0.8) the long side is at -2.4, the slope at -2.15.
  expect_contact(kTriangle, halfspace<2>({-0.6, -0.8}, -2.15),
                 {{0.6, 0.8}, 0.25, {{4, 0}, {0, 3}}, {}});
}
TEST(polygon_halfspace, a_vertex_below_the_floor) {
  expect_contact(polygon({1, 0.75}, 0, kDiamondVertices), kFloor,
                 {{0, -1}, 0.25, {{1, -0.25}}, {}});
}
TEST(polygon_halfspace, a_vertex_that_touches_the_floor) {
  expect_contact(polygon({1, 1}, 0, kDiamondVertices), kFloor, {{0, -1}, 0, {{1, 0}}, {}});
}
TEST(polygon_halfspace, a_rounded_vertex) {
  // The vertex is at 0.25, the radius 0.5.
  expect_contact(polygon({1, 1.25}, 0, kDiamondVertices, 0.5), kFloor,
                 {{0, -1}, 0.25, {{1, -0.25}}, {}});
}
TEST(polygon_halfspace, tilted_and_wholly_below) {
  // The lower corners are (-1.64, -1.52) and (2.2, -0.4) from the centre.
  expect_contact(polygon({0, -4}, kTilt, {{-2, -1}, {2, -1}, {2, 1}, {-2, 1}}), kFloor,
                 {{0, -1}, 5.52, {{-1.64, -5.52}, {2.2, -4.4}}, {5.52, 4.4}});
}
TEST(polygon_halfspace, above_the_floor) {
  const Solid<2> above = polygon({0, 0.25}, 0, kTriangleVertices);
  expect_apart(above, kFloor, 0.125);
  expect_contact(above, kFloor, {{0, -1}, -0.25, {{0, 0.25}, {4, 0.25}}, {}}, 0.25);
}
TEST(polygon_halfspace, the_halfspace_named_first) {
  expect_contact(kFloor, polygon({0, -0.25}, 0, kTriangleVertices),
                 {{0, 1}, 0.25, {{0, 0}, {4, 0}}, {}});
}

}  // namespace
}  // namespace widephase::test
