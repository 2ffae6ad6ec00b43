// Failures of other libraries, from their issue trackers. The shapes are rebuilt from the numbers
// in the descriptions, and the answers are derived from the geometry, for every method. Each test
// names its thread. published_failures_hulls_test.cpp has hulls and cylinders.

#include <gtest/gtest.h>

#include <limits>

#include <widephase/hulls.hpp>

#include "support/error_of.hpp"
#include "support/expect.hpp"

namespace widephase::test {
namespace {

const Quaternion kUpright{0, 0, 0, 1};
constexpr Method kByGjkAndEpa[] = {Method::gjk_epa};

/// A rotation as an issue prints it: row by row.
struct Rotation {
  Point<3> rows[3];
  Point<3> axis(int k) const { return {rows[0][k], rows[1][k], rows[2][k]}; }
  /// For a rotation by less than 120 degrees: its trace is above 0.
  Quaternion quaternion() const {
    const double w = std::sqrt(1 + rows[0][0] + rows[1][1] + rows[2][2]) / 2;
    return {(rows[2][1] - rows[1][2]) / (4 * w), (rows[0][2] - rows[2][0]) / (4 * w),
            (rows[1][0] - rows[0][1]) / (4 * w), w};
  }
};

Point<3> moved_along(Point<3> point, const Point<3>& direction, double length) {
  for (int k = 0; k < 3; ++k) point[k] += length * direction[k];
  return point;
}

Answer<3> mirrored(Answer<3> answer) {
  for (std::size_t i = 0; i < answer.points.size(); ++i) {
    const double depth = answer.point_depths.empty() ? answer.depth : answer.point_depths[i];
    answer.points[i] = moved_along(answer.points[i], answer.normal, -depth);
  }
  for (double& value : answer.normal) value = 0 - value;
  return answer;
}

void expect_both_ways(const Solid<3>& a, const Solid<3>& b, const Answer<3>& answer,
                      double margin = 0, Methods methods = kMethods) {
  expect_contact(a, b, answer, margin, methods);
  SCOPED_TRACE("the other way round");
  expect_contact(b, a, mirrored(answer), margin, methods);
}

/// Two cubes of half extent `half` with the same orientation. B's centre is one cube's width plus
/// `gap` from A's along the cubes' own y: A's face touches all of B's, or misses it by `gap`.
void expect_flush(const Rotation& rotation, double half, const Point<3>& center_a, double gap) {
  SCOPED_TRACE(gap);
  const Point<3> x = rotation.axis(0), y = rotation.axis(1), z = rotation.axis(2);
  const Point<3> center_b = moved_along(center_a, y, 2 * half + gap);
  const Point<3> halves{half, half, half};
  Answer<3> answer{y, -gap, {}, {}};
  for (const double i : {-half, half}) {
    for (const double j : {-half, half}) {
      answer.points.push_back(moved_along(moved_along(moved_along(center_a, y, half), x, i), z, j));
    }
  }
  const Quaternion turn = rotation.quaternion();
  expect_both_ways(box(center_a, turn, halves), box(center_b, turn, halves), answer, 0.01);
}

// flexible-collision-library/fcl 493: two boxes of 0.5 with the same orientation, their centres 0.5
// apart along the boxes' own y. The faces touch, apart by less than rounding. EPA threw that the
// origin is outside of the polytope.
TEST(published_failures, kissing_boxes_do_not_fail) {
  const Rotation rotation{
      {{0.96193976625564348026, 0.15401279915737359216, 0.22572537250328919556},
       {-0.19134171618254486313, 0.96936494951283913579, 0.15401279915737359216},
       {-0.19509032201612822033, -0.19134171618254486313, 0.96193976625564348026}}};
  const Point<3> here{2, 0, 1.25};
  expect_flush(rotation, 0.25, here, 0);
  // The other centre as printed is that place to its last digits.
  const Point<3> printed{2.0770063995786869349, 0.48468247475641951239, 1.1543291419087275962};
  const Point<3> there = moved_along(here, rotation.axis(1), 0.5);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(printed[k], there[k], 1e-15);
}

// flexible-collision-library/fcl 495: the same with boxes of 0.25 that are apart by an epsilon. GJK
// said touching, EPA said apart. The issue asks whether distances near 0, on either side, are all
// classified in the same way.
TEST(published_failures, boxes_an_epsilon_apart_or_deep_have_that_depth) {
  const Rotation rotation{
      {{0.94096063217417758029, 0.29296840037289501035, 0.16959541586174811667},
       {-0.23569836841299879326, 0.92661523595848427348, -0.29296840037289506586},
       {-0.2429801799032638987, 0.23569836841299884878, 0.94096063217417758029}}};
  for (const double gap : {0.0, 1e-16, 2e-16, 1e-15, 1e-12, 1e-9, 1e-7, 1e-6, 1e-4}) {
    expect_flush(rotation, 0.125, {0, 0, 1.25}, gap);
    expect_flush(rotation, 0.125, {0, 0, 1.25}, -gap);
  }
}

// Flush without any rotation, where all numbers are exact and nothing needs a margin: a face on a
// face, an edge along an edge, a corner at a corner. The directions of the last two are not unique,
// but they must touch.
TEST(published_failures, flush_boxes_do_not_fail) {
  const auto cube = [](Point<3> center) { return box(center, kUpright, {0.5, 0.5, 0.5}); };
  expect_both_ways(
      cube({0, 0, 0}), cube({0, 0, 1}),
      {{0, 0, 1}, 0, {{-0.5, -0.5, 0.5}, {0.5, -0.5, 0.5}, {-0.5, 0.5, 0.5}, {0.5, 0.5, 0.5}}, {}});
  for (const Point<3>& center : {Point<3>{0, 1, 1}, Point<3>{1, 1, 1}}) {
    const auto check = [&]<class T>(const ContactBuffer<3, T>& contacts, const Solid<3>& a,
                                    const Solid<3>& b) {
      ASSERT_EQ(contacts.size(), 1u);
      const Contact<3, T> contact = contact_at(contacts, 0);
      EXPECT_EQ(contact.depth, 0) << describe(contact);
      EXPECT_EQ((contact_problem<3, T>(a, b, reference_of(a, b), 0, contact)), "")
          << describe(contact);
    };
    ask(cube({0, 0, 0}), cube(center), 0, check, kMethods);
    ask(cube(center), cube({0, 0, 0}), 0, check, kMethods);
  }
}

// danfis/libccd 25: two cubes of side 2, one 1.9 above the other. GJK found no intersection and
// returned a direction of NaN.
TEST(published_failures, a_cube_sunk_into_another_is_found) {
  const Point<3> halves{1, 1, 1};
  expect_both_ways(box({0, 0, 0}, kUpright, halves), box({0, 0, 1.9}, kUpright, halves),
                   {{0, 0, 1}, 2 - 1.9, {{-1, -1, 1}, {1, -1, 1}, {-1, 1, 1}, {1, 1, 1}}, {}});
}

// flexible-collision-library/fcl 508: unit boxes with centres 4 apart along y or z were reported
// sqrt(10) apart instead of 3.
TEST(published_failures, the_distance_of_boxes_is_that_of_their_faces) {
  const Point<3> halves{0.5, 0.5, 0.5};
  for (int axis = 0; axis < 3; ++axis) {
    Point<3> normal{};
    normal[axis] = 1;
    Answer<3> answer{normal, -3, {}, {}};
    for (int corner = 0; corner < 4; ++corner) {
      Point<3> point;
      point[axis] = 0.5;
      point[(axis + 1) % 3] = (corner & 1) != 0 ? 0.5 : -0.5;
      point[(axis + 2) % 3] = (corner & 2) != 0 ? 0.5 : -0.5;
      answer.points.push_back(point);
    }
    expect_both_ways(box({0, 0, 0}, kUpright, halves),
                     box(moved_along({0, 0, 0}, normal, 4), kUpright, halves), answer, 4);
  }
}

// flexible-collision-library/fcl 415: a rod in a block, both along the axes; EPA threw that a new
// vertex is collinear with an edge. The rod is [0.044, 0.064] x [-0.937, -0.607] x [0.395, 0.415],
// the block [-0.105, 0.347] x [-0.764605, -0.494605] x [0.09, 0.51]. The rod leaves upwards, by
// 0.51 - 0.395: along -x it takes 0.169, along -y 0.1576. They share the rod's lower side from the
// block's -y face on.
TEST(published_failures, a_rod_along_the_edges_of_a_block_does_not_fail) {
  const double block_y = -0.629605057504326826;
  const Solid<3> rod = box({0.054, -0.772, 0.405}, kUpright, {0.01, 0.165, 0.01});
  const Solid<3> block = box({0.121, block_y, 0.3}, kUpright, {0.226, 0.135, 0.21});
  const double low = block_y - 0.135;
  expect_both_ways(
      rod, block,
      {{0, 0, -1},
       0.51 - 0.395,
       {{0.044, low, 0.395}, {0.064, low, 0.395}, {0.044, -0.607, 0.395}, {0.064, -0.607, 0.395}},
       {}});
}

// flexible-collision-library/fcl 395, as its fix (397) describes it: the support point of a box
// along an axis was the centre of a face. It lies on a line with two opposite corners of that face,
// and EPA got a triangle without area. A cube of half extent 0.25 in the centre of a face of one of
// half extent 1 makes GJK only use axes as directions.
TEST(published_failures, a_cube_in_the_middle_of_a_face_does_not_fail) {
  for (int axis = 0; axis < 3; ++axis) {
    Point<3> normal{};
    normal[axis] = 1;
    std::vector<Point<3>> points;
    for (int corner = 0; corner < 4; ++corner) {
      Point<3> point;
      point[axis] = 1;
      point[(axis + 1) % 3] = (corner & 1) != 0 ? 0.25 : -0.25;
      point[(axis + 2) % 3] = (corner & 2) != 0 ? 0.25 : -0.25;
      points.push_back(point);
    }
    for (const double depth : {0.0, 0.125, 0.25, 0.5, 0.75}) {
      expect_both_ways(
          box({0, 0, 0}, kUpright, {1, 1, 1}),
          box(moved_along({0, 0, 0}, normal, 1.25 - depth), kUpright, {0.25, 0.25, 0.25}),
          {normal, depth, points, {}});
    }
  }
}

// flexible-collision-library/fcl 399: a block and a thin wall, rotated about z only, that overlap
// by 3.4e-5. EPA threw that the origin is outside of the polytope.
TEST(published_failures, a_block_just_in_a_wall_does_not_fail) {
  const Rotation of_block{{{-0.099432387353076273628, 0.99504432079443971837, 0},
                           {-0.99504432079443971837, -0.099432387353076273628, 0},
                           {0, 0, 1}}};
  const Rotation of_wall{{{0.99506598442099225554, 0.099215354901756730444, 0},
                          {-0.099215354901756730444, 0.99506598442099225554, 0},
                          {0, 0, 1}}};
  const Solid<3> block = box({0.29526406526565551758, -0.013230856508016586304, 0},
                             of_block.quaternion(), {0.118840187787, 0.0785115286707, 0.125});
  const Solid<3> wall = box({0.22759585694545214629, 0.14974093549228112421, 0},
                            of_wall.quaternion(), {0.005, 0.390828549861, 0.125});
  const auto check = [&]<class T>(const ContactBuffer<3, T>& contacts, const Solid<3>& a,
                                  const Solid<3>& b) {
    ASSERT_EQ(contacts.size(), 1u);
    const Contact<3, T> contact = contact_at(contacts, 0);
    EXPECT_NEAR(contact.depth, 3.38e-5, 1e-6);
    EXPECT_EQ((contact_problem<3, T>(a, b, reference_of(a, b), 0.01, contact)), "")
        << describe(contact);
  };
  ask(block, wall, 0.01, check, kMethods);
  ask(wall, block, 0.01, check, kMethods);
}

// flexible-collision-library/fcl 545: a small cube with its centre on the diagonal of a large one,
// at (0.4, 0.4, 0.4) where the corner is (0.5, 0.5, 0.5). The half extent of the small one is 0.2.
// It separates through any of three faces, by 0.5 + 0.2 - 0.4. The answer was along the diagonal,
// sqrt(3) times as far.
TEST(published_failures, a_cube_on_a_diagonal_leaves_through_a_face) {
  const Solid<3> large = box({0, 0, 0}, kUpright, {0.5, 0.5, 0.5});
  const Solid<3> small = box({0.4, 0.4, 0.4}, kUpright, {0.2, 0.2, 0.2});
  expect_tie(large, small, 0.3, 4, kMethods);
  expect_tie(small, large, 0.3, 4, kMethods);
}

// dimforge/parry 378: an upright capsule on a long box, in 2D. At a depth of 0.0109 all was well.
// When they just touched, EPA did not finish, and the point on the box was at its end (4, 0.5), in
// its own frame, instead of below the capsule. The box's top is at -1.25 + 0.5, the capsule's
// lowest point at -0.25 - 0.5.
TEST(published_failures, touching_gives_the_point_that_touches) {
  const Solid<2> upright = capsule<2>({0, -0.25}, {0, 0.25}, 0.5);
  const auto long_box = [](double y) { return box({-2.0373735, y}, 0, {4, 0.5}); };
  expect_contact(upright, long_box(-1.2391), {{0, -1}, 1.25 - 1.2391, {{0, -0.75}}, {}}, 0.002,
                 kMethods);
  expect_contact(upright, long_box(-1.25), {{0, -1}, 0, {{0, -0.75}}, {}}, 0.002, kMethods);
  expect_contact(long_box(-1.25), upright, {{0, 1}, 0, {{0, -0.75}}, {}}, 0.002, kMethods);
  // The same in 3D, the box one half deep.
  const auto deep_box = [](double y) { return box({-2.0373735, y, 0}, kUpright, {4, 0.5, 0.5}); };
  const Solid<3> upright3 = capsule<3>({0, -0.25, 0}, {0, 0.25, 0}, 0.5);
  expect_both_ways(upright3, deep_box(-1.2391), {{0, -1, 0}, 1.25 - 1.2391, {{0, -0.75, 0}}, {}},
                   0.002);
  expect_both_ways(upright3, deep_box(-1.25), {{0, -1, 0}, 0, {{0, -0.75, 0}}, {}}, 0.002);
}

// dimforge/parry 34: a ball with its centre at a corner of a box had no contact. The centre is on
// two sides (three faces in 3D); through each it separates by the radius.
TEST(published_failures, a_ball_about_a_corner_is_found) {
  expect_tie(ball<2>({1, 1}, 1), aabb<2>({-1, -1}, {1, 1}), 1, 1, kMethods);
  expect_tie(ball<2>({1, 1}, 1), box({0, 0}, 0, {1, 1}), 1, 1, kMethods);
  expect_tie(ball<3>({1, 1, 1}, 1), aabb<3>({-1, -1, -1}, {1, 1, 1}), 1, 1, kMethods);
  expect_tie(ball<3>({1, 1, 1}, 1), box({0, 0, 0}, kUpright, {1, 1, 1}), 1, 1, kMethods);
}

// dimforge/parry 70: an upright capsule, core from -0.5 to 0.5 and radius 0.5, and a ball of that
// radius, also as a capsule without length, were moved up and down through the top of a box 100
// wide, at height 0; some heights gave no contact. A ball about an end of the core comes down to
// 0.5 below that end: where the upper end's is in the box too, it is a point as well. Steps of
// 1/256, so that all heights are exact.
TEST(published_failures, a_capsule_swept_through_a_face_is_found_at_every_height) {
  const Solid<3> floor = box({0, -50, 0}, kUpright, {50, 50, 50});
  for (int step = -128; step <= 128; ++step) {
    const double y = step / 256.0;
    SCOPED_TRACE(y);
    const double low = y - 0.5;
    expect_both_ways(ball<3>({0, y, 0}, 0.5), floor, {{0, -1, 0}, -low, {{0, low, 0}}, {}});
    // Both ends of a core without length may give the one point.
    const Solid<3> round = capsule<3>({0, y, 0}, {0, y, 0}, 0.5);
    const auto check = [&]<class T>(const ContactBuffer<3, T>& contacts, const Solid<3>& a,
                                    const Solid<3>& b) {
      ASSERT_EQ(contacts.size(), 1u);
      const Contact<3, T> contact = contact_at(contacts, 0);
      SCOPED_TRACE(describe(contact));
      EXPECT_EQ((contact_problem<3, T>(a, b, reference_of(a, b), 0, contact)), "");
      EXPECT_NEAR(static_cast<double>(contact.depth), -low, sizeof(T) == 4 ? 4e-6 : 1e-13);
    };
    ask(round, floor, 0, check, kMethods);
    ask(floor, round, 0, check, kMethods);
    const Solid<3> upright = capsule<3>({0, y - 0.5, 0}, {0, y + 0.5, 0}, 0.5);
    Answer<3> answer{{0, -1, 0}, 0.5 - low, {{0, low - 0.5, 0}}, {0.5 - low}};
    // By support points the lower end alone touches.
    expect_both_ways(upright, floor, answer, 0, kByGjkAndEpa);
    if (y <= 0) {
      answer.points.push_back({0, y, 0});
      answer.point_depths.push_back(-y);
    }
    expect_both_ways(upright, floor, answer, 0, kAutomatic);
  }
}

// Genesis-Embodied-AI/genesis-world 2525: balls of radius 0.1 and 0.08 with centres sqrt(0.08^2 +
// 0.06^2 + 0.06^2) = sqrt(0.0136) apart were missed in float, because an error was bounded by the
// sizes of the shapes only. Here a ball may be a sphere, a capsule of length 0 or a rounded box of
// extent 0.
TEST(published_failures, balls_on_a_diagonal_are_not_missed) {
  const auto balls = [](Point<3> center, double radius) {
    return std::vector<Solid<3>>{ball<3>(center, radius), capsule<3>(center, center, radius),
                                 box(center, kUpright, {0, 0, 0}, radius)};
  };
  const double distance = std::sqrt(0.0136);
  const Point<3> normal{0.08 / distance, 0.06 / distance, 0.06 / distance};
  const Answer<3> answer{normal, 0.18 - distance, {moved_along({0, 0, 0}, normal, 0.1)}, {}};
  for (const Solid<3>& a : balls({0, 0, 0}, 0.1)) {
    for (const Solid<3>& b : balls({0.08, 0.06, 0.06}, 0.08)) {
      SCOPED_TRACE(describe(a) + " and " + describe(b));
      expect_both_ways(a, b, answer);
    }
  }
}

// coal-library/coal 636: GJK stopped early on shapes that are apart, and made a contact of NaN.
// Shapes that are apart have no contact. Within a margin they have one, with finite numbers: a face
// at 1, a ball down to 2.
TEST(published_failures, shapes_apart_make_no_contact_of_no_numbers) {
  const Solid<3> cube = box({0, 0, 0}, kUpright, {1, 1, 1});
  const Solid<3> far_ball = ball<3>({3, 0.25, 0.5}, 1);
  expect_apart(cube, far_ball, 0, kMethods);
  expect_apart(far_ball, cube, 0.5, kMethods);
  expect_both_ways(cube, far_ball, {{1, 0, 0}, -1, {{1, 0.25, 0.5}}, {}}, 1.5);
}

// flexible-collision-library/fcl 387: contact positions were NaN because a transform was NaN. Such
// a transform is an error that says where.
TEST(published_failures, a_place_that_is_no_number_is_refused_by_name) {
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    SceneColumns<3, double> scene;
    scene.boxes.center = {{0, 0, 0}, {0, bad, 0}};
    scene.boxes.turn = {{0, 0, 0, 1}, {0, 0, 0, 1}};
    scene.boxes.half_extents = {{1, 1, 1}, {1, 1, 1}};
    const std::vector<Pair> pairs{{0, 1}};
    Workspace<3, double> workspace;
    ContactBuffer<3, double> contacts;
    const std::string message =
        error_of([&] { collide_pairs<3, double>(scene, pairs, contacts, workspace); });
    EXPECT_EQ(message.rfind("box.center[1]", 0), 0u) << message;
    EXPECT_EQ(contacts.size(), 0u);

    scene.boxes.center = {{0, 0, 0}, {0, 0, 0}};
    scene.boxes.turn = {{0, 0, 0, 1}, {0, 0, bad, 1}};
    const std::string turned =
        error_of([&] { collide_pairs<3, double>(scene, pairs, contacts, workspace); });
    EXPECT_EQ(turned.rfind("box.turn[1]", 0), 0u) << turned;
  }
}

}  // namespace
}  // namespace widephase::test
