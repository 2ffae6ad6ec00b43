// The reference itself: derived by hand, and against random directions, which can only be worse.
// Labels: plain reference

#include "reference/reference.hpp"

#include <gtest/gtest.h>

#include "reference/polytope.hpp"
#include "support/reference_checks.hpp"

namespace widephase::test {
namespace {

TEST(reference, circles_overlap_by_the_sum_of_radii_less_the_distance) {
  // Centres 5 apart (3, 4), radii 3 and 2.5: overlap 0.5.
  const auto r = reference_of<2>(ball<2>({0, 0}, 3), ball<2>({3, 4}, 2.5));
  EXPECT_DOUBLE_EQ(static_cast<double>(r.depth), 0.5);
  EXPECT_DOUBLE_EQ(static_cast<double>(r.normals[0][0]), 0.6);
  EXPECT_DOUBLE_EQ(static_cast<double>(r.normals[0][1]), 0.8);
}

TEST(reference, crossing_segments_leave_over_the_nearest_end) {
  // A lies on x from -2 to 2; B crosses it along y from -1 to 3: pushed up by 1, B's lower end
  // leaves A. Radii 0.25 and 0.5 on top: 1.75.
  const auto r =
      reference_of<2>(capsule<2>({-2, 0}, {2, 0}, 0.25), capsule<2>({0, -1}, {0, 3}, 0.5));
  EXPECT_DOUBLE_EQ(static_cast<double>(r.depth), 1.75);
  EXPECT_FALSE(
      (has_tie<2>(capsule<2>({-2, 0}, {2, 0}, 0.25), capsule<2>({0, -1}, {0, 3}, 0.5), r, 1e-9L)));
}

TEST(reference, crossing_segments_in_3d_leave_either_way) {
  // The segments meet in a point; in both directions along z the depth is the sum of the radii.
  const auto a = capsule<3>({-2, 0, 0}, {2, 0, 0}, 0.25);
  const auto b = capsule<3>({0, -1, 0}, {0, 3, 0}, 0.5);
  const auto r = reference_of<3>(a, b);
  EXPECT_DOUBLE_EQ(static_cast<double>(r.depth), 0.75);
  EXPECT_TRUE(has_tie(a, b, r, 1e-9L));
}

TEST(reference, box_diagonal_to_a_sphere) {
  // Corner (1, 1, 1) to centre (2, 3, 3): 3 away; radius 2: apart by 1.
  const auto r = reference_of<3>(ball<3>({2, 3, 3}, 2), aabb<3>({-1, -1, -1}, {1, 1, 1}));
  EXPECT_DOUBLE_EQ(static_cast<double>(r.depth), -1);
  EXPECT_DOUBLE_EQ(static_cast<double>(r.normals[0][0]), -1. / 3);
}

TEST(reference, halfspace_below_a_box) {
  // The floor y <= 0.5, and a box that starts at 0.25: 0.25 deep, and the floor moves down.
  const auto r = reference_of<3>(aabb<3>({0, 0.25, 0}, {1, 2, 1}), halfspace<3>({0, 1, 0}, 0.5));
  EXPECT_DOUBLE_EQ(static_cast<double>(r.depth), 0.25);
  EXPECT_DOUBLE_EQ(static_cast<double>(r.normals[0][1]), -1);
}

TEST(reference, leaning_box_and_a_circle) {
  // Axes (0.8, 0.6) and (-0.6, 0.8): the centre is 1.5 up the second, the face at 1; radius 0.75.
  const auto r =
      reference_of<2>(ball<2>({-0.9, 1.2}, 0.75), box({0, 0}, std::atan2(0.6, 0.8), {2, 1}));
  EXPECT_NEAR(static_cast<double>(r.depth), 0.25, 1e-15);
  EXPECT_NEAR(static_cast<double>(r.normals[0][0]), 0.6, 1e-15);
  EXPECT_NEAR(static_cast<double>(r.normals[0][1]), -0.8, 1e-15);
}

TEST(reference, rounded_corner_of_a_box_to_a_vertex) {
  // From (1, 1) to (4, 5): 5; radii 2 and 3.5.
  const Solid<2> triangle = polygon({4, 5}, 0, {{0, 0}, {4, 0}, {0, 3}}, 3.5);
  const auto r = reference_of<2>(box({0, 0}, 0, {1, 1}, 2), triangle);
  EXPECT_DOUBLE_EQ(static_cast<double>(r.depth), 0.5);
  EXPECT_DOUBLE_EQ(static_cast<double>(r.core_gap[0]), 3);
  EXPECT_DOUBLE_EQ(static_cast<double>(r.core_gap[1]), 4);
}

TEST(reference, a_polygon_leaves_through_the_nearest_side) {
  // The point (1, 0.5) is 0.5 above the lower side of the 3-4-5 triangle, 1 from the left one, 1.4
  // from the long one. In a frame 10 away, rounding is relative to that distance.
  const Solid<2> triangle = polygon({-10, 0}, 0, {{10, 0}, {14, 0}, {10, 3}});
  const auto r = reference_of<2>(ball<2>({1, 0.5}, 0.25), triangle);
  EXPECT_DOUBLE_EQ(static_cast<double>(r.depth), 0.75);
  EXPECT_EQ(r.core_distance, 0);
  EXPECT_GT(r.size, 20);
  EXPECT_FALSE((has_tie<2>(ball<2>({1, 0.5}, 0.25), triangle, r, 1e-9L)));
}

TEST(reference, a_tilted_box_on_the_floor) {
  // Axes (0.96, 0.28) and (-0.28, 0.96): its lowest corner is 2 * 0.28 + 0.96 below its centre.
  const auto r =
      reference_of<2>(box({0, 0.25}, std::atan2(0.28, 0.96), {2, 1}), halfspace<2>({0, 1}, 0));
  EXPECT_NEAR(static_cast<double>(r.depth), 1.27, 1e-15);
}

TEST(reference, a_quaternion_turns_the_axes) {
  // A quarter turn about z takes x to y and y to -x; the quaternion may have any length.
  const auto axes = axes_of({0, 0, 0.70710678, 0.70710678});
  EXPECT_NEAR(static_cast<double>(length(minus(axes[0], Vec<3>{0, 1, 0}))), 0, 1e-18);
  EXPECT_NEAR(static_cast<double>(length(minus(axes[1], Vec<3>{-1, 0, 0}))), 0, 1e-18);
  EXPECT_NEAR(static_cast<double>(length(minus(axes[2], Vec<3>{0, 0, 1}))), 0, 1e-18);
  // A third of a turn about the diagonal takes x to y, y to z and z to x.
  const auto third = axes_of({0.5, 0.5, 0.5, 0.5});
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(static_cast<double>(third[static_cast<std::size_t>(k)][(k + 1) % 3]), 1);
  }
}

const Quaternion kLevel{0, 0, 0, 1};
const Quaternion kOnEdge = about({0, 0, 1}, kEighthTurn);

TEST(reference, boxes_face_to_face) {
  // Tops at 1, undersides 0.25 below and above that; the rotation about z does not matter.
  const Solid<3> cube = box({0, 0, 0}, kLevel, {1, 1, 1});
  for (double angle = 0; angle < 7; angle += 0.5) {
    expect_depth(cube, box({0.5, 0, 2.75}, about({0, 0, 1}, angle), {1, 1, 2}), 0.25);
    expect_depth(cube, box({0.5, 0, 3.25}, about({0, 0, 1}, angle), {1, 1, 2}), -0.25);
    expect_depth(cube, box({0.5, 0, 3.25}, about({0, 0, 1}, angle), {1, 1, 2}, 0.5), 0.25);
  }
  EXPECT_NEAR(
      static_cast<double>(reference_of(cube, box({0.5, 0, 3.25}, kOnEdge, {1, 1, 2})).core_gap[2]),
      0.25, 1e-15);
}

TEST(reference, a_vertex_of_a_box_over_a_face) {
  // A cube of half extents 1 on its corner: that is sqrt(3) below its centre.
  const Quaternion on_corner = about({1, -1, 0}, std::acos(std::sqrt(1. / 3)));
  const Solid<3> slab = aabb<3>({-4, -4, -4}, {4, 4, 0});
  expect_depth(slab, box({1, 2, 2}, on_corner, {1, 1, 1}), std::sqrt(3.) - 2);
  expect_depth(slab, box({1, 2, 1.5}, on_corner, {1, 1, 1}), std::sqrt(3.) - 1.5);
  expect_depth(slab, box({1, 2, 2}, on_corner, {1, 1, 1}, 0.5), std::sqrt(3.) - 1.5);
}

TEST(reference, a_box_edge_on_a_face) {
  // Turned by 45 degrees about z a cube reaches sqrt(2) along x.
  const Solid<3> cube = box({0, 0, 0}, kLevel, {1, 1, 1});
  expect_depth(cube, box({2.5, 0.25, 0.5}, kOnEdge, {1, 1, 1}), std::sqrt(2.) - 1.5);
  expect_depth(cube, box({2, 0.25, 0.5}, kOnEdge, {1, 1, 1}), std::sqrt(2.) - 1);
}

TEST(reference, box_edges_that_cross) {
  // Beams along x and y, each turned by 45 degrees about its length: the upper edge of one is
  // sqrt(2) above its middle line, the lower edge of the other as far below its own.
  const double root2 = std::sqrt(2.);
  const Solid<3> lower = box({0, 0, 0}, about({1, 0, 0}, kEighthTurn), {9, 1, 1});
  const Quaternion across = about({0, 1, 0}, kEighthTurn);
  expect_depth(lower, box({0, 0, 2 * root2 + 0.25}, across, {1, 9, 1}), -0.25);
  expect_depth(lower, box({0, 0, 2 * root2 - 0.25}, across, {1, 9, 1}), 0.25);
  // At 45 degrees to each other: the same heights. Faces would take more: the normals of either are
  // at 45 degrees, and along them the long one reaches far.
  const Quaternion oblique = product(about({0, 0, 1}, kEighthTurn), about({1, 0, 0}, kEighthTurn));
  const Solid<3> upper = box({0, 0, 2 * root2 - 0.25}, oblique, {9, 1, 1});
  expect_depth(lower, upper, 0.25);
  EXPECT_FALSE(has_tie(lower, upper, reference_of(lower, upper), 1e-3L));
  // Also nearly parallel, by angles that sines in single precision lose. In the end the direction
  // across a face is shorter. 0.25 up is 0.25 / sqrt(2) across a face of A. B's edge leaves the
  // face by 9 angle, which is divided by sqrt(2) once more.
  for (const double angle : {3e-3, 1e-6, 1e-9, 1e-15}) {
    const Quaternion along = product(about({0, 0, 1}, angle), about({1, 0, 0}, kEighthTurn));
    const double lift = 2 * root2 - 0.001;
    const double by_face = (0.001 + 9 * std::sin(angle)) / root2;
    // B rises above A by `lift`. Its faces lean by `angle`, which changes by_face only by its
    // square.
    const Solid<3> near = box({0, 0, lift}, along, {9, 1, 1});
    EXPECT_NEAR(static_cast<double>(reference_of(lower, near).depth), std::min(0.001, by_face),
                20 * angle * angle + 2e-15)
        << angle;
    // If they are apart there is no shorter way: the edges are 0.001 from each other.
    expect_depth(lower, box({0, 0, 2 * root2 + 0.001}, along, {9, 1, 1}), -0.001);
  }
}

TEST(reference, concentric_boxes) {
  // Cubes of half extents 1 and 0.5, one rotated by 45 degrees. Separating through a face takes 1
  // plus half the width of the small one: 0.5 along its own axes, 0.5 sqrt(2) between them. Along
  // z, where both are level, it takes 1.5.
  const Solid<3> cube = box({0, 0, 0}, kLevel, {1, 1, 1});
  expect_depth(cube, box({0, 0, 0}, kOnEdge, {0.5, 0.5, 0.5}), 1.5);
  // If it is long in z, it separates sideways: along x by 1 + 0.5 sqrt(2), along the small one's
  // own axes by sqrt(2) + 0.5.
  const Solid<3> post = box({0, 0, 0}, kOnEdge, {0.5, 0.5, 3});
  expect_depth(cube, post, 1 + std::sqrt(0.5));
  EXPECT_TRUE(has_tie(cube, post, reference_of(cube, post), 1e-9L));
  // Two points in one place, and a point in the centre of a plate.
  expect_depth(box({0, 0, 0}, kOnEdge, {0, 0, 0}, 0.25), box({0, 0, 0}, kLevel, {0, 0, 0}), 0.25);
  expect_depth(box({0, 0, 0}, kOnEdge, {1, 1, 0}), box({0, 0, 0}, kLevel, {0, 0, 0}, 0.5), 0.5);
}

TEST(reference, flat_boxes_in_one_plane) {
  // Side by side, 0.5 apart; their common plane does not separate them.
  const Solid<3> plate = box({0, 0, 0}, kLevel, {1, 1, 0});
  expect_depth(plate, box({2.5, 0.25, 0}, kLevel, {1, 1, 0}), -0.5);
  expect_depth(plate, box({1, 0.25, 0}, kOnEdge, {1, 1, 0}), 0);
  // A stick beside the plate's edge, one along its diagonal: (2, 2) is sqrt(2) from (1, 1).
  expect_depth(plate, box({2, 0, 0}, kLevel, {0, 3, 0}), -1);
  expect_depth(plate, capsule<3>({2, 2, 0}, {3, 3, 0}, 0.25), 0.25 - std::sqrt(2.));
  // Sticks along one line: the ends are 1 apart.
  expect_depth(box({0, 0, 0}, kLevel, {1, 0, 0}), box({3, 0, 0}, kLevel, {1, 0, 0}), -1);
}

template <int D>
void no_direction_beats_any_kind() {
  for (const Kind a : kinds(D)) {
    for (const Kind b : kinds(D)) {
      if (a == Kind::halfspace || b == Kind::halfspace) continue;
      no_direction_beats_it(random_pairs<D>(a, b, scaled(50, 5), 1));
      no_direction_beats_it(sized_pairs<D>(a, b, scaled(50, 5), 2));
      no_direction_beats_it(grid_pairs<D>(a, b, scaled(100, 10), 3));
      no_direction_beats_it(near_grid_pairs<D>(a, b, scaled(100, 10), 4));
    }
  }
}

/// A polygon with the corners of a box, in another order than the box's features.
Solid<2> as_polygon(const Solid<2>& solid) {
  return polygon(solid.p, solid.angle, rectangle(solid.q[0], solid.q[1]), solid.size);
}

/// Generators and corners are two methods that only share vectors.
TEST(reference, corners_agree_with_generators) {
  const auto check = [](const std::vector<SolidPair<2>>& pairs) {
    for (const auto& [a, b] : pairs) {
      const Reference<2> expected = zonotope_reference_of(a, b);
      const Reference<2> r = outline_reference_of(a, b);
      const double tolerance = 1e-17 * static_cast<double>(expected.size);
      const std::string text = describe(a) + " and " + describe(b);
      ASSERT_NEAR(static_cast<double>(r.size - expected.size), 0, tolerance) << text;
      ASSERT_NEAR(static_cast<double>(r.depth - expected.depth), 0, tolerance) << text;
      // Along nearly parallel sides, all nearest points are equally good.
      ASSERT_NEAR(static_cast<double>(length(minus(r.core_gap, expected.core_gap))), 0,
                  1e6 * tolerance)
          << text;
      // Corners try more directions.
      if (r.core_distance == 0 && has_tie(a, b, expected, 1e-9L)) {
        ASSERT_TRUE(has_tie(a, b, r, 1e-9L)) << text;
      }
      if (a.kind != Kind::box || a.q[0] == 0 || a.q[1] == 0) continue;
      const Reference<2> same = reference_of(as_polygon(a), b);
      ASSERT_NEAR(static_cast<double>(same.depth - expected.depth), 0, tolerance) << text;
      const Vec<2> n = expected.normals[0];
      ASSERT_NEAR(static_cast<double>(depth_along(a, b, n) - depth_along(as_polygon(a), b, n)), 0,
                  tolerance)
          << text;
    }
  };
  for (const Kind a : {Kind::circle, Kind::capsule, Kind::aabb, Kind::box}) {
    for (const Kind b : {Kind::circle, Kind::capsule, Kind::aabb, Kind::box}) {
      check(random_pairs<2>(a, b, scaled(200, 20), 5));
      check(sized_pairs<2>(a, b, scaled(200, 20), 6));
      check(grid_pairs<2>(a, b, scaled(400, 40), 7));
      check(near_grid_pairs<2>(a, b, scaled(400, 40), 8));
      check(special_pairs<2>(a, b));
    }
  }
}

TEST(reference, distances_to_a_box_agree_with_a_polygons) {
  Random random(9);
  for (std::size_t i = 0; i < scaled(500, 50); ++i) {
    Solid<2> solid = random_box(random, random.point<2>(-1, 1), 1);
    const Vec<2> point = widened(random.point<2>(-2, 2));
    const Real expected = distance_to_core_surface(as_polygon(solid), point);
    ASSERT_NEAR(static_cast<double>(distance_to_core_surface(solid, point) - expected), 0, 1e-17);
    const Solid<2> plane = halfspace<2>(random.direction<2>(), random.uniform(-1, 1));
    ASSERT_NEAR(static_cast<double>(reference_of(solid, plane).depth -
                                    reference_of(as_polygon(solid), plane).depth),
                0, 1e-17);
    // Without rotation: the distance to an aabb.
    solid.angle = 0;
    const Solid<2> level = aabb<2>({-solid.q[0], -solid.q[1]}, solid.q);
    const Vec<2> local = minus(point, widened(solid.p));
    ASSERT_NEAR(static_cast<double>(distance_to_core_surface(solid, point) -
                                    distance_to_core_surface(level, local)),
                0, 1e-17);
  }
}

/// The aabb that equals a box without rotation.
Solid<3> as_aabb(const Solid<3>& solid) {
  Solid<3> result = aabb<3>(solid.p, solid.p);
  for (int k = 0; k < 3; ++k) {
    result.p[k] -= solid.q[k];
    result.q[k] += solid.q[k];
  }
  return result;
}

const std::initializer_list<Kind> kKinds3{Kind::sphere, Kind::capsule, Kind::aabb, Kind::box};

/// Calls `check(pairs)` with families of pairs that have a box.
template <class Check>
void for_each_family_of_boxes(Check&& check) {
  for (const Kind a : kKinds3) {
    for (const Kind b : kKinds3) {
      if (a != Kind::box && b != Kind::box) continue;
      check(random_pairs<3>(a, b, scaled(100, 10), 5));
      check(sized_pairs<3>(a, b, scaled(100, 10), 6));
      check(grid_pairs<3>(a, b, scaled(200, 20), 7));
      check(near_grid_pairs<3>(a, b, scaled(200, 20), 8));
      check(special_pairs<3>(a, b));
      check(far_pairs<3>(random_pairs<3>(a, b, scaled(50, 5), 9), 10));
      if (a == Kind::sphere || b == Kind::sphere) continue;
      check(crossing_edges(a, b, scaled(200, 20), 11));
    }
  }
  check(thin_boxes(scaled(200, 20), 12));
  check(concentric_boxes(scaled(200, 20), 13));
  check(stacked_boxes(scaled(200, 20), 14));
}

TEST(reference, corners_agree_with_generators_in_3d) {
  for_each_family_of_boxes([](const std::vector<SolidPair<3>>& pairs) {
    for (const auto& [a, b] : pairs) {
      const Reference<3> expected = zonotope_reference_of(a, b);
      const Reference<3> r = polytope_reference_of(a, b);
      const double tolerance = 1e-17 * static_cast<double>(expected.size);
      const std::string text = describe(a) + " and " + describe(b);
      ASSERT_NEAR(static_cast<double>(r.size - expected.size), 0, tolerance) << text;
      ASSERT_NEAR(static_cast<double>(r.depth - expected.depth), 0, tolerance) << text;
    }
  });
}

TEST(reference, edges_that_cross_have_an_axis_of_their_own) {
  // For a good part of the family, faces alone would give more than 1.5 times the depth.
  std::size_t count = 0;
  std::size_t edge_count = 0;
  for (const auto& [a, b] : crossing_edges(Kind::box, Kind::box, scaled(1000, 100), 16)) {
    const Reference<3> r = reference_of(a, b);
    if (r.core_distance > 0) continue;
    ++count;
    const PolytopePair pair(a, b);
    Real by_faces = r.size;
    for (const Polytope* core : {&pair.a, &pair.b}) {
      for (const Vec<3>& n : core->normals) {
        by_faces = std::min({by_faces, pair.support(n), pair.support(times(n, -1))});
      }
    }
    const Real depth = r.depth - radius_of(a) - radius_of(b);
    if (by_faces > 1.5L * depth && by_faces > depth + 1e-9L) ++edge_count;
  }
  EXPECT_GT(count, scaled(300, 30));
  EXPECT_GT(edge_count, count / 5);
}

TEST(reference, a_box_comes_back_from_a_scene) {
  Random random(17);
  const Solid<3> first = random_box3(random, {1, 2, 3}, 1);
  const Solid<3> second = box({4, 5, 6}, about({1, 2, 3}, 1), {1, 0, 2}, 0.5);
  SceneColumns<3, float> scene;
  append(scene, ball<3>({0, 0, 0}, 1));
  EXPECT_EQ(append(scene, first), 0);
  EXPECT_EQ(append(scene, second), 1);
  EXPECT_EQ(describe(solid_of(scene, 1)), describe(stored<float>(first)));
  EXPECT_EQ(describe(solid_of(scene, 2)), describe(stored<float>(second)));
  EXPECT_TRUE((validate<3, float>(scene).empty()));
  with_table(scene, Kind::box, [](const auto& table) { EXPECT_EQ(row_count(table), 2u); });
  const Point<3> centre = moved<3>(first, {1, 1, 1}).p;
  for (int k = 0; k < 3; ++k) EXPECT_EQ(centre[k], k + 2);
}

TEST(reference, level_boxes_agree_with_aabbs) {
  // With the rotations of a cube, axes exchange and the shape is an aabb.
  Random random(15);
  for (std::size_t i = 0; i < scaled(2000, 100); ++i) {
    const auto level_box = [&] {
      const Point<3> center = random.point<3>(-2, 2);
      return random.chance(0.5) ? random_box3(random, center, 1) : grid_box3(random, center);
    };
    SolidPair<3> pair{level_box(), level_box()};
    SolidPair<3> level = pair;
    for (const bool is_a : {true, false}) {
      Solid<3>& solid = is_a ? pair.a : pair.b;
      solid.size = 0;
      solid.orientation = any_of(random, cube_rotations());
      // |R| times the half extents.
      Solid<3> upright = solid;
      for (int k = 0; k < 3; ++k) {
        const Vec<3> axis = axes_of(solid.orientation)[static_cast<std::size_t>(k)];
        for (int j = 0; j < 3; ++j) {
          if (std::abs(axis[j]) > 0.5L) upright.q[j] = solid.q[k];
        }
      }
      (is_a ? level.a : level.b) = as_aabb(upright);
    }
    const Reference<3> expected = reference_of(level.a, level.b);
    for (const SolidPair<3>& either : {pair, {pair.a, level.b}, {level.a, pair.b}}) {
      // min and max of an aabb are rounded.
      const Reference<3> r = reference_of(either.a, either.b);
      ASSERT_NEAR(static_cast<double>(r.depth - expected.depth), 0, 4e-15)
          << describe(either.a) << describe(either.b);
      const Vec<3> error = minus(r.core_gap, expected.core_gap);
      // Faces that overlap sideways have many nearest points but only one gap.
      ASSERT_NEAR(static_cast<double>(length(error)), 0, 4e-15);
    }
    const Vec<3> point = widened(random.point<3>(-3, 3));
    ASSERT_NEAR(static_cast<double>(distance_to_core_surface(pair.a, point) -
                                    distance_to_core_surface(level.a, point)),
                0, 4e-15);
    // The same with any rotation.
    const Quaternion turn = random.direction<4>();
    const Reference<3> leaning = reference_of(turned_by(turn, pair.a), turned_by(turn, pair.b));
    ASSERT_NEAR(static_cast<double>(leaning.depth - expected.depth), 0, 1e-14);
  }
}

TEST(reference, no_direction_beats_it_for_boxes_in_3d) {
  for_each_family_of_boxes(
      [](const std::vector<SolidPair<3>>& pairs) { no_direction_beats_it(pairs); });
}

TEST(reference, quaternions_of_families_are_ones_that_a_scene_may_have) {
  for_each_family_of_boxes([](const std::vector<SolidPair<3>>& pairs) {
    for (const SolidPair<3>& pair : pairs) {
      for (const Solid<3>& solid : {stored<float>(pair.a), stored<double>(pair.b)}) {
        ASSERT_NEAR(square_of(solid.orientation), 1, 1e-4) << describe(solid);
        for (const double extent : solid.q) {
          if (solid.kind == Kind::box) {
            ASSERT_GE(extent, 0);
          }
        }
      }
    }
  });
  EXPECT_EQ(cube_rotations().size(), 24u);
}

/// The library accepts every polygon of every family, in either precision.
TEST(reference, polygons_of_families_are_strictly_convex) {
  const auto check = [](const std::vector<SolidPair<2>>& pairs) {
    for (const auto& pair : pairs) {
      for (const Solid<2>& solid : {stored<float>(pair.a), stored<double>(pair.a)}) {
        const std::size_t count = solid.vertices.size();
        ASSERT_GE(count, 3u) << describe(pair.a);
        ASSERT_LE(count, 64u);
        Real area = 0;
        for (std::size_t i = 0; i < count; ++i) {
          const Vec<2> u = widened(solid.vertices[i]);
          const Vec<2> v = widened(solid.vertices[(i + 1) % count]);
          const Vec<2> w = widened(solid.vertices[(i + 2) % count]);
          ASSERT_GT(cross(minus(v, u), minus(w, v)), 0) << describe(solid);
          area += cross(minus(u, widened(solid.vertices[0])), minus(v, u)) / 2;
        }
        // Exactly one turn around: not a star.
        Real turn = 0;
        for (std::size_t i = 0; i < count; ++i) {
          const Vec<2> u = widened(solid.vertices[i]);
          const Vec<2> v = widened(solid.vertices[(i + 1) % count]);
          const Vec<2> w = widened(solid.vertices[(i + 2) % count]);
          turn += std::atan2(cross(minus(v, u), minus(w, v)), dot(minus(v, u), minus(w, v)));
        }
        ASSERT_GT(area, 0) << describe(solid);
        ASSERT_NEAR(static_cast<double>(turn), 8 * kEighthTurn, 1e-9) << describe(solid);
      }
    }
  };
  constexpr Kind kPolygon = Kind::polygon;
  check(random_pairs<2>(kPolygon, kPolygon, 500, 12));
  check(sized_pairs<2>(kPolygon, kPolygon, 500, 13));
  check(grid_pairs<2>(kPolygon, kPolygon, 500, 14));
  check(near_grid_pairs<2>(kPolygon, kPolygon, 500, 15));
  check(special_pairs<2>(kPolygon, kPolygon));
}

TEST(reference, no_direction_beats_it_in_2d) { no_direction_beats_any_kind<2>(); }
TEST(reference, no_direction_beats_it_in_3d) { no_direction_beats_any_kind<3>(); }

}  // namespace
}  // namespace widephase::test
