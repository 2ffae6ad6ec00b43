// Failures of other libraries with hulls and cylinders, from their issue trackers. The shapes are
// rebuilt from the numbers in the descriptions, and the answers are derived from the geometry. Each
// test names its thread. published_failures_test.cpp has the other kinds.
//
// Each case runs in float and double, on every instruction set, by every method, in both orders.

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <numbers>

#include <widephase/hulls.hpp>

#include "support/error_of.hpp"
#include "support/methods.hpp"
#include "support/verify.hpp"

namespace widephase::test {
namespace {

using Points = std::vector<Point<3>>;

const Quaternion kUpright{0, 0, 0, 1};

/// A shape given by its support function, from which depths are derived.
using Support = std::function<double(const Point<3>& direction)>;

double dot3(const Point<3>& u, const Point<3>& v) {
  return u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
}

Support reach_of(const Points& points) {
  return [=](const Point<3>& direction) {
    double most = -std::numeric_limits<double>::max();
    for (const Point<3>& point : points) most = std::max(most, dot3(point, direction));
    return most;
  };
}

/// The reach of a cylinder along z.
Support reach_of_cylinder(const Point<3>& center, double half_height, double radius) {
  return [=](const Point<3>& direction) {
    return dot3(center, direction) + half_height * std::abs(direction[2]) +
           radius * std::hypot(direction[0], direction[1]);
  };
}

Points corners(const Point<3>& center, const Point<3>& halves) {
  Points points;
  for (int corner = 0; corner < 8; ++corner) {
    points.push_back(center);
    for (int k = 0; k < 3; ++k) points.back()[k] += (corner >> k & 1) != 0 ? halves[k] : -halves[k];
  }
  return points;
}

template <class T>
void add_points_as_hull(SceneColumns<3, T>& scene, const Points& points) {
  Column<T, 3> rows;
  for (const Point<3>& p : points) {
    rows.push_back({static_cast<T>(p[0]), static_cast<T>(p[1]), static_cast<T>(p[2])});
  }
  scene.hulls.geometry.push_back({add_hull(scene.geometries, rows)});
  scene.hulls.center.push_back({0, 0, 0});
  scene.hulls.turn.push_back({0, 0, 0, 1});
}

template <class T>
void add_upright_cylinder(SceneColumns<3, T>& scene, const Point<3>& center, double half_height,
                          double radius) {
  scene.cylinders.center.push_back(
      {static_cast<T>(center[0]), static_cast<T>(center[1]), static_cast<T>(center[2])});
  scene.cylinders.turn.push_back({0, 0, 0, 1});
  scene.cylinders.half_height.push_back({static_cast<T>(half_height)});
  scene.cylinders.radius.push_back({static_cast<T>(radius)});
}

template <class T>
void add_box(SceneColumns<3, T>& scene, const Point<3>& center, const Quaternion& turn,
             const Point<3>& halves) {
  const auto row = [](const auto& values) {
    return std::array<T, 3>{static_cast<T>(values[0]), static_cast<T>(values[1]),
                            static_cast<T>(values[2])};
  };
  scene.boxes.center.push_back(row(center));
  scene.boxes.turn.push_back({static_cast<T>(turn[0]), static_cast<T>(turn[1]),
                              static_cast<T>(turn[2]), static_cast<T>(turn[3])});
  scene.boxes.half_extents.push_back(row(halves));
}

/// Two shapes: ids 0 and 1 of the scenes that `build` makes.
struct Case {
  std::function<void(SceneColumns<3, float>&)> build_float;
  std::function<void(SceneColumns<3, double>&)> build_double;
  Support reach_a, reach_b;
  double size = 1;        ///< of both together: errors allowed are shares of it
  bool is_round = false;  ///< what touches is a curved surface
};

/// Calls `build(scene)` in float and in double.
template <class Build>
Case make_case(Build build, Support reach_a, Support reach_b, double size = 1,
               bool is_round = false) {
  return {build, build, std::move(reach_a), std::move(reach_b), size, is_round};
}

/// Checks properties of every answer: a unit normal along which separating takes the depth, and
/// points on the outermost planes of both shapes. Checks `normal` if it is unique. On round
/// surfaces a direction that is off by t takes only t^2 / 2 of their size more, so the depth is
/// more exact than the direction.
template <class T>
void expect_answer(const Contact<3, T>& contact, const Support& reach_a, const Support& reach_b,
                   double depth, const std::optional<Point<3>>& normal, double tolerance,
                   double normal_tolerance) {
  const Point<3> n{static_cast<double>(contact.normal[0]), static_cast<double>(contact.normal[1]),
                   static_cast<double>(contact.normal[2])};
  EXPECT_NEAR(dot3(n, n), 1, sizeof(T) == 4 ? 1e-6 : 1e-14);
  EXPECT_NEAR(static_cast<double>(contact.depth), depth, tolerance);
  const Point<3> back{-n[0], -n[1], -n[2]};
  EXPECT_NEAR(reach_a(n) + reach_b(back), depth, tolerance);
  if (normal) {
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(n[k], (*normal)[k], normal_tolerance);
  }
  EXPECT_NE(contact.status, static_cast<int>(Status::iterations));
  ASSERT_GE(contact.points.size(), 1u);
  ASSERT_LE(contact.points.size(), 4u);
  double deepest = -std::numeric_limits<double>::max();
  for (std::size_t i = 0; i < contact.points.size(); ++i) {
    const Point<3> point{static_cast<double>(contact.points[i][0]),
                         static_cast<double>(contact.points[i][1]),
                         static_cast<double>(contact.points[i][2])};
    const auto point_depth = static_cast<double>(contact.point_depths[i]);
    deepest = std::max(deepest, point_depth);
    // Neither the point nor its partner is beyond its shape; the deepest are outermost.
    EXPECT_LE(dot3(point, n), reach_a(n) + 4 * tolerance);
    EXPECT_GE(dot3(point, n) - point_depth, -reach_b(back) - 4 * tolerance);
  }
  EXPECT_EQ(deepest, static_cast<double>(contact.depth));
}

/// Calls `check(contacts)` with the contacts of a case, in both orders.
template <class Check>
void ask_case(const Case& pair, double margin, Check&& check) {
  const auto in = [&]<class T>(T, const auto& build) {
    SceneColumns<3, T> scene;
    build(scene);
    for (const Isa isa : usable_isas()) {
      SCOPED_TRACE(std::string(isa_name(isa)) + (sizeof(T) == 4 ? " float" : " double"));
      for (const Method method : kMethods) {
        SCOPED_TRACE(name_of_method(method));
        CollideOptions options;
        options.margin = margin;
        options.isa = isa;
        options.method = method;
        options.order = Order::source;
        Workspace<3, T> workspace;
        ContactBuffer<3, T> contacts;
        const std::vector<Pair> pairs{{0, 1}, {1, 0}};
        collide_pairs<3, T>(scene, pairs, contacts, workspace, options);
        check(contacts);
      }
    }
  };
  in(float{}, pair.build_float);
  in(double{}, pair.build_double);
}

/// Runs a case in both orders and checks the result.
void expect_case(const Case& pair, double depth, const std::optional<Point<3>>& normal,
                 double margin, std::size_t least_points = 1) {
  ask_case(pair, margin, [&]<class T>(const ContactBuffer<3, T>& contacts) {
    if (depth < -margin) {
      EXPECT_EQ(contacts.size(), 0u);
      return;
    }
    ASSERT_EQ(contacts.size(), 2u);
    const double tolerance = (sizeof(T) == 4 ? 1e-5 : 1e-12) * pair.size;
    const Contact<3, T> contact = contact_at(contacts, 0);
    const Contact<3, T> swapped = contact_at(contacts, 1);
    SCOPED_TRACE(describe(contact));
    expect_answer<T>(contact, pair.reach_a, pair.reach_b, depth, normal, tolerance,
                     pair.is_round ? std::sqrt(2 * tolerance / pair.size) : 8 * tolerance);
    EXPECT_GE(contact.points.size(), least_points);
    EXPECT_EQ(swapped.depth, contact.depth);
    for (int k = 0; k < 3; ++k) EXPECT_EQ(swapped.normal[k], -contact.normal[k]);
    EXPECT_EQ(swapped.points.size(), contact.points.size());
  });
}

// flexible-collision-library/fcl 493 and 495, with the boxes as hulls: two cubes of 0.25 with the
// same orientation. Along the cubes' own y, their centres are one width apart plus a gap near 0 of
// either sign. EPA threw that the origin is outside of the polytope. The depth is minus the gap,
// the normal is that y axis, and the faces share four corners.
TEST(published_failures_hulls, kissing_hulls_do_not_fail) {
  // The columns of the rotation, its quaternion by its trace.
  const Point<3> x{0.94096063217417758029, -0.23569836841299879326, -0.2429801799032638987};
  const Point<3> y{0.29296840037289501035, 0.92661523595848427348, 0.23569836841299884878};
  const Point<3> z{0.16959541586174811667, -0.29296840037289506586, 0.94096063217417758029};
  const double w = std::sqrt(1 + x[0] + y[1] + z[2]) / 2;
  const Quaternion turn{(y[2] - z[1]) / (4 * w), (z[0] - x[2]) / (4 * w), (x[1] - y[0]) / (4 * w),
                        w};
  const double half = 0.125;
  const Point<3> here{0, 0, 1.25}, halves{half, half, half};
  const auto reach_of_cube = [=](const Point<3>& center) {
    return [=](const Point<3>& n) {
      return dot3(center, n) +
             half * (std::abs(dot3(x, n)) + std::abs(dot3(y, n)) + std::abs(dot3(z, n)));
    };
  };
  const auto add_cube = [=]<class T>(SceneColumns<3, T>& scene, const Point<3>& center) {
    add_points_as_hull(scene, corners({0, 0, 0}, halves));
    const std::size_t row = row_count(scene.hulls) - 1;
    for (int k = 0; k < 3; ++k) scene.hulls.center(row, k) = static_cast<T>(center[k]);
    for (int k = 0; k < 4; ++k) scene.hulls.turn(row, k) = static_cast<T>(turn[k]);
  };
  for (const double size : {0.0, 1e-16, 2e-16, 1e-15, 1e-12, 1e-9, 1e-7, 1e-6, 1e-4}) {
    for (const double gap : {size, -size}) {
      SCOPED_TRACE(gap);
      Point<3> there = here;
      for (int k = 0; k < 3; ++k) there[k] += (2 * half + gap) * y[k];
      const auto hulls = [=](auto& scene) {
        add_cube(scene, here);
        add_cube(scene, there);
      };
      const auto box_and_hull = [=](auto& scene) {
        add_box(scene, here, turn, halves);
        add_cube(scene, there);
      };
      expect_case(make_case(hulls, reach_of_cube(here), reach_of_cube(there)), -gap, y, 0.01, 4);
      expect_case(make_case(box_and_hull, reach_of_cube(here), reach_of_cube(there)), -gap, y, 0.01,
                  4);
    }
  }
}

// dimforge/parry 253: EPA ran out of faces on two triangles of a mesh. One lies at height 1, the
// other stands below it with a corner at height 1 on an edge of the first: they touch. Our hulls
// have a volume, so the first is a slab above its triangle, and the second has a fourth corner
// below. The direction that separates a corner from an edge is not unique, but its depth must be 0.
TEST(published_failures_hulls, a_corner_on_an_edge_is_touching) {
  Points slab;
  for (const double y : {1.0, 2.0}) {
    slab.push_back({-13.174434, y, 8.736801});
    slab.push_back({3.5251038, y, 12.1});
    slab.push_back({3.2048466, y, 12.218325});
  }
  const Points standing{
      {-1.63, 0, 11.19}, {-2.349647, 0, 11.037681}, {-2.349647, 1, 11.037681}, {-1.63, 0, 10}};
  // The corner is on the edge to the last of the digits given.
  const double along = (-2.349647 + 13.174434) / (3.2048466 + 13.174434);
  EXPECT_NEAR(8.736801 + along * (12.218325 - 8.736801), 11.037681, 1e-6);
  const auto build = [=](auto& scene) {
    add_points_as_hull(scene, slab);
    add_points_as_hull(scene, standing);
  };
  // 1e-6 is what the digits leave open, as a share of the size.
  const Case pair = make_case(build, reach_of(slab), reach_of(standing), 17);
  ask_case(pair, 0.001, [&]<class T>(const ContactBuffer<3, T>& contacts) {
    ASSERT_EQ(contacts.size(), 2u);
    expect_answer<T>(contact_at(contacts, 0), pair.reach_a, pair.reach_b, 0, std::nullopt, 2e-5, 0);
    expect_answer<T>(contact_at(contacts, 1), pair.reach_b, pair.reach_a, 0, std::nullopt, 2e-5, 0);
  });
}

// flexible-collision-library/fcl 545: a small cube with its centre on the diagonal of a large one,
// at (0.4, 0.4, 0.4) where the corner is (0.5, 0.5, 0.5), one or both as convex meshes. The half
// extent of the small one is 0.2. It separates through any of three faces, by 0.5 + 0.2 - 0.4. The
// answer was along the diagonal, sqrt(3) times as far.
TEST(published_failures_hulls, a_cube_on_a_diagonal_leaves_through_a_face) {
  const Point<3> large{0.5, 0.5, 0.5}, small{0.2, 0.2, 0.2}, place{0.4, 0.4, 0.4};
  const Points large_points = corners({0, 0, 0}, large), small_points = corners(place, small);
  const auto hulls = [=](auto& scene) {
    add_points_as_hull(scene, large_points);
    add_points_as_hull(scene, small_points);
  };
  expect_case(make_case(hulls, reach_of(large_points), reach_of(small_points)), 0.3, std::nullopt,
              0, 4);
  const auto box_and_hull = [=](auto& scene) {
    add_box(scene, place, kUpright, small);
    add_points_as_hull(scene, large_points);
  };
  expect_case(make_case(box_and_hull, reach_of(small_points), reach_of(large_points)), 0.3,
              std::nullopt, 0, 4);
}

// danfis/libccd 25, with the cubes as hulls: side 2, one 1.9 above the other. GJK found no
// intersection and returned a direction of NaN.
TEST(published_failures_hulls, a_cube_sunk_into_another_is_found) {
  const Points low = corners({0, 0, 0}, {1, 1, 1}), high = corners({0, 0, 1.9}, {1, 1, 1});
  const auto build = [=](auto& scene) {
    add_points_as_hull(scene, low);
    add_points_as_hull(scene, high);
  };
  expect_case(make_case(build, reach_of(low), reach_of(high)), 2 - 1.9, Point<3>{0, 0, 1}, 0, 4);
}

// coal-library/coal 636: GJK stopped early on a mesh and a shape that are apart, and made a contact
// of NaN. Shapes apart by 1 have no contact with a margin of 0.5. With 1.5 they have one, with
// finite numbers.
TEST(published_failures_hulls, shapes_apart_make_no_contact_of_no_numbers) {
  const Points mesh = corners({3, 0.25, 0.5}, {1, 0.5, 0.5}), cube = corners({0, 0, 0}, {1, 1, 1});
  const auto build = [=](auto& scene) {
    add_box(scene, {0, 0, 0}, kUpright, {1, 1, 1});
    add_points_as_hull(scene, mesh);
  };
  const Case pair = make_case(build, reach_of(cube), reach_of(mesh));
  for (const double margin : {0.0, 0.5}) expect_case(pair, -1, Point<3>{1, 0, 0}, margin);
  expect_case(pair, -1, Point<3>{1, 0, 0}, 1.5);
}

// flexible-collision-library/fcl 375: a flat cylinder, radius 0.08 and 0.002 high, sits on a box of
// 0.49 x 0.63 x 0.015 that is rotated by a quarter turn about z. The normal was not a direction. It
// must be up, and the whole disc lies on the face: at least three points of its rim.
TEST(published_failures_hulls, a_disc_on_a_box_has_the_normal_of_the_face) {
  const double quarter = std::sqrt(0.5), top = 0.0075 + 0.001;
  const auto build = [=](auto& scene) {
    add_box(scene, {-0.25, 0, 0}, {0, 0, quarter, quarter}, {0.245, 0.315, 0.0075});
    add_upright_cylinder(scene, {0, 0, top}, 0.001, 0.08);
  };
  const Case pair = make_case(build, reach_of(corners({-0.25, 0, 0}, {0.315, 0.245, 0.0075})),
                              reach_of_cylinder({0, 0, top}, 0.001, 0.08), 0.1);
  expect_case(pair, 0, Point<3>{0, 0, 1}, 1e-5, 3);
}

// flexible-collision-library/fcl 319: a box of 0.05 x 0.39 x 1.47, rotated by a quarter turn about
// z, and an upright cylinder of radius 0.18 beside it. EPA threw when they touched. The box's face
// is at x = 0.8 - 0.195, from y = -0.41 to -0.36. The cylinder's side is at x = 0.4 + 0.18, y =
// -0.4.
TEST(published_failures_hulls, a_cylinder_beside_a_box_does_not_fail) {
  const double quarter = std::sqrt(0.5);
  const Point<3> place{0.4, -0.4, 0.93};
  const auto build = [=](auto& scene) {
    add_box(scene, {0.8, -0.385, 0.735}, {0, 0, quarter, quarter}, {0.025, 0.195, 0.735});
    add_upright_cylinder(scene, place, 0.09, 0.18);
  };
  const Case pair = make_case(build, reach_of(corners({0.8, -0.385, 0.735}, {0.195, 0.025, 0.735})),
                              reach_of_cylinder(place, 0.09, 0.18), 1, true);
  expect_case(pair, -(0.605 - 0.58), Point<3>{-1, 0, 0}, 0.05, 2);
  expect_case(pair, -(0.605 - 0.58), Point<3>{-1, 0, 0}, 0.01);
}

// flexible-collision-library/fcl 391: an upright cylinder of radius 0.03 and a ball of radius 0.055
// that touches its side; EPA threw. The ball's centre is hypot(dx, dy) from the axis, and beside
// the cylinder, between heights 0 and 0.65.
TEST(published_failures_hulls, a_ball_at_the_side_of_a_cylinder_does_not_fail) {
  const Point<3> place{0.5419794018, -0.0621175025, 0.6016236576};
  const double dx = 0.6 - place[0], dy = -place[1];
  const double away = std::hypot(dx, dy);
  const auto build = [=](auto& scene) {
    using T = typename std::remove_reference_t<decltype(scene.spheres.radius)>::value_type;
    scene.spheres.center.push_back(
        {static_cast<T>(place[0]), static_cast<T>(place[1]), static_cast<T>(place[2])});
    scene.spheres.radius.push_back({static_cast<T>(0.055)});
    add_upright_cylinder(scene, {0.6, 0, 0.325}, 0.325, 0.03);
  };
  const auto reach = [=](const Point<3>& n) {
    return dot3(place, n) + 0.055 * std::sqrt(dot3(n, n));
  };
  expect_case(make_case(build, reach, reach_of_cylinder({0.6, 0, 0.325}, 0.325, 0.03), 1, true),
              0.055 + 0.03 - away, Point<3>{dx / away, dy / away, 0}, 0.01, 1);
}

// dimforge/ncollide 157: an upright cylinder (along y there) of radius 0.5 at x = 10.97 and a thin
// box from 11.45 on, far from the origin. They intersect, but had no contact. Here z is up and the
// cylinder is at (10.97, 61.02). The box's side spans 60 to 61 there, so the nearest part is its
// upright edge at (11.45, 61), hypot(0.48, 0.02) from the axis.
TEST(published_failures_hulls, a_cylinder_far_from_the_origin_is_found) {
  const Point<3> place{10.97, 61.02, 0.925}, block{11.5, 60.5, 0.75};
  const double away = std::hypot(0.48, 0.02);
  const auto build = [=](auto& scene) {
    add_box(scene, block, kUpright, {0.05, 0.5, 0.75});
    add_upright_cylinder(scene, place, 0.925, 0.5);
  };
  // 1e-5 of a place of 61 is what float leaves.
  expect_case(make_case(build, reach_of(corners(block, {0.05, 0.5, 0.75})),
                        reach_of_cylinder(place, 0.925, 0.5), 4, true),
              0.5 - away, Point<3>{-0.48 / away, 0.02 / away, 0}, 0);
}

// flexible-collision-library/fcl 387: the position of a contact of a box and a cylinder was NaN
// because a transform was NaN. Such a transform is an error that says where, for hulls too.
TEST(published_failures_hulls, a_place_that_is_no_number_is_refused_by_name) {
  const double bad = std::numeric_limits<double>::quiet_NaN();
  const std::vector<Pair> pairs{{0, 1}};
  Workspace<3, double> workspace;
  ContactBuffer<3, double> contacts;
  SceneColumns<3, double> scene;
  add_box(scene, {0, 0, 0}, kUpright, {1, 1, 1});
  add_upright_cylinder(scene, {0, bad, 0}, 1, 1);
  const std::string message =
      error_of([&] { collide_pairs<3, double>(scene, pairs, contacts, workspace); });
  EXPECT_EQ(message.rfind("cylinder.center[0]", 0), 0u) << message;

  scene = {};
  add_box(scene, {0, 0, 0}, kUpright, {1, 1, 1});
  add_points_as_hull(scene, corners({0, 0, 0}, {1, 1, 1}));
  scene.hulls.turn.set(0, {0, 0, bad, 1});
  const std::string turned =
      error_of([&] { collide_pairs<3, double>(scene, pairs, contacts, workspace); });
  EXPECT_EQ(turned.rfind("hull.turn[0]", 0), 0u) << turned;
}

}  // namespace
}  // namespace widephase::test
