// Numbers that other libraries' own tests expect of ellipsoids and cones. FCL's stand in
// test/test_fcl_geometric_shapes.cpp (revision e5efcc41), coal's in test/geometric_shapes.cpp,
// test/contact_patch.cpp and test/swept_sphere_radius.cpp (cf759661), MuJoCo's in
// test/engine/engine_collision_gjk_test.cc (a7255075). Where one is not the least depth, the right
// number is derived here.
//
// Their reversible tests expect no numbers, but the same in both orders.
//
// Each case runs in float and double, on every instruction set, by every method, in both orders,
// as it stands and rotated and moved as a whole: their tests do so at random.
// Labels: own-sets

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <widephase/collide.hpp>
#include <widephase/distance.hpp>

#include "reference/generate_turned3.hpp"
#include "support/methods.hpp"

namespace widephase::test {
namespace {

struct Shape {
  Kind kind;
  /// An ellipsoid's half extents; a cone's or cylinder's radius and height; a halfspace's normal;
  /// a box's half extents.
  Point<3> size;
  Point<3> center{0, 0, 0};
  Quaternion turn{0, 0, 0, 1};
  double rounding = 0;

  Shape at(const Point<3>& place) const {
    Shape shape = *this;
    shape.center = place;
    return shape;
  }
  Shape rounded(double radius) const {
    Shape shape = *this;
    shape.rounding = radius;
    return shape;
  }
  Shape turned(const Quaternion& orientation) const {
    Shape shape = *this;
    shape.turn = orientation;
    return shape;
  }
};

Shape ellipsoid(double x, double y, double z) { return {Kind::ellipsoid, {x, y, z}}; }
Shape cone(double radius, double height) { return {Kind::cone, {radius, height, 0}}; }
Shape cylinder(double radius, double height) { return {Kind::cylinder, {radius, height, 0}}; }
/// Through its centre.
Shape halfspace(const Point<3>& normal) { return {Kind::halfspace, normal}; }
Shape box(double x, double y, double z) { return {Kind::box, {x, y, z}}; }

Point<3> moved_along(Point<3> point, const Point<3>& direction, double length) {
  for (int k = 0; k < 3; ++k) point[k] += length * direction[k];
  return point;
}

Point<3> negated(const Point<3>& v) { return {-v[0], -v[1], -v[2]}; }

double dot(const Point<3>& u, const Point<3>& v) { return u[0] * v[0] + u[1] * v[1] + u[2] * v[2]; }

double length(const Point<3>& v) { return std::sqrt(dot(v, v)); }

/// A rotation about the origin, then a translation.
struct Motion {
  Quaternion turn{0, 0, 0, 1};
  Point<3> shift{0, 0, 0};

  Point<3> of_direction(const Point<3>& v) const { return rotated(turn, v); }
  Point<3> of_point(const Point<3>& p) const { return moved_along(of_direction(p), shift, 1); }
  Point<3> direction_back(const Point<3>& v) const {
    return rotated({-turn[0], -turn[1], -turn[2], turn[3]}, v);
  }
  Point<3> point_back(const Point<3>& p) const { return direction_back(moved_along(p, shift, -1)); }
};

/// The second for shapes of this size, with a quaternion of length 1.
std::vector<Motion> motions_of(double size) {
  return {{}, {{0.5, -0.1, 0.7, 0.5}, {0.3 * size, -0.7 * size, 0.2 * size}}};
}

template <class T, class C>
void append(C& column, const double (&row)[C::width]) {
  std::array<T, C::width> rounded;
  for (int k = 0; k < C::width; ++k) rounded[static_cast<std::size_t>(k)] = static_cast<T>(row[k]);
  column.push_back(rounded);
}

template <class T>
void add(SceneColumns<3, T>& scene, const Shape& shape, const Motion& motion) {
  const Point<3> center = motion.of_point(shape.center);
  const auto place = [&](auto& table) {
    append<T>(table.center, center.values);
    append<T>(table.turn, product(motion.turn, shape.turn).values);
  };
  const auto place_about_axis = [&](auto& table) {
    place(table);
    append<T>(table.radius, {shape.size[0]});
    append<T>(table.half_height, {shape.size[1] / 2});
    append<T>(table.rounding, {shape.rounding});
  };
  switch (shape.kind) {
    case Kind::ellipsoid:
      place(scene.ellipsoids);
      append<T>(scene.ellipsoids.half_extents, shape.size.values);
      append<T>(scene.ellipsoids.rounding, {shape.rounding});
      break;
    case Kind::cone:
      place_about_axis(scene.cones);
      break;
    case Kind::cylinder:
      place_about_axis(scene.cylinders);
      break;
    case Kind::box:
      place(scene.boxes);
      append<T>(scene.boxes.half_extents, shape.size.values);
      append<T>(scene.boxes.radius, {shape.rounding});
      break;
    case Kind::halfspace: {
      const Point<3> normal = motion.of_direction(shape.size);
      append<T>(scene.halfspaces.normal, normal.values);
      append<T>(scene.halfspaces.offset, {dot(normal, center)});
      break;
    }
    case Kind::sphere:
    case Kind::capsule:
    case Kind::aabb:
    case Kind::polygon:
    case Kind::hull:
    case Kind::heightfield:
    case Kind::mesh:
    case Kind::chain:
      FAIL() << "no case has this kind";
  }
}

/// A contact in the case's own frame and order, whichever way it was asked.
struct Found {
  Point<3> normal{};
  double depth = 0;
  int status = 0;
  std::vector<Point<3>> middles;  ///< of each point, between the surfaces: where FCL puts a contact
  std::vector<double> depths;
  double tolerance = 0;  ///< of a length
};

using Founds = std::vector<Found>;

/// Calls `check` with the contacts of the pair, none or one, each way that the head of this file
/// says.
void ask(const Shape& a, const Shape& b, double margin,
         const std::function<void(const Founds&)>& check) {
  const double size = length(a.size) + length(b.size) + a.rounding + b.rounding +
                      length(moved_along(a.center, b.center, -1));
  const auto in = [&]<class T>(T, const Motion& motion, const CollideOptions& options) {
    SceneColumns<3, T> scene;
    add(scene, a, motion);
    add(scene, b, motion);
    // Ids ascend by kind.
    const SceneLayout layout = layout_of(SceneSpan<3, T>(scene));
    const Pair pair{layout.id(a.kind, 0), layout.id(b.kind, a.kind == b.kind ? 1 : 0)};
    Workspace<3, T> workspace;
    ContactBuffer<3, T> contacts;
    for (const bool is_swapped : {false, true}) {
      SCOPED_TRACE(is_swapped ? "the other way round" : "as named");
      const std::vector<Pair> pairs{is_swapped ? Pair{pair.b, pair.a} : pair};
      collide_pairs<3, T>(scene, pairs, contacts, workspace, options);
      Founds founds(contacts.size());
      for (std::size_t i = 0; i < contacts.size(); ++i) {
        const auto row = [&](const auto& column, std::size_t at) {
          return Point<3>{static_cast<double>(column(at, 0)), static_cast<double>(column(at, 1)),
                          static_cast<double>(column(at, 2))};
        };
        const Point<3> normal = row(contacts.normal, i);
        founds[i].normal = motion.direction_back(is_swapped ? negated(normal) : normal);
        founds[i].depth = static_cast<double>(contacts.depth[i]);
        founds[i].status = contacts.status[i];
        founds[i].tolerance = size * (sizeof(T) == 4 ? 2e-6 : 2e-14);
        for (auto p = static_cast<std::size_t>(contacts.offset[i]);
             p < static_cast<std::size_t>(contacts.offset[i + 1]); ++p) {
          const auto depth = static_cast<double>(contacts.point_depth[p]);
          founds[i].depths.push_back(depth);
          founds[i].middles.push_back(
              motion.point_back(moved_along(row(contacts.point, p), normal, -depth / 2)));
        }
      }
      check(founds);
    }
  };
  for (const Motion& motion : motions_of(size)) {
    SCOPED_TRACE(motion.shift[0] == 0 ? "as it stands" : "moved");
    for (const Isa isa : usable_isas()) {
      for (const Method method : kMethods) {
        SCOPED_TRACE(std::string(isa_name(isa)) + " " + name_of_method(method));
        CollideOptions options;
        options.margin = margin;
        options.isa = isa;
        options.method = method;
        {
          SCOPED_TRACE("float");
          in(float{}, motion, options);
        }
        SCOPED_TRACE("double");
        in(double{}, motion, options);
      }
    }
  }
}

void expect_near(const Point<3>& found, const Point<3>& expected, double tolerance) {
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(found[k], expected[k], tolerance) << "along " << k;
}

void expect_apart(const Shape& a, const Shape& b, double margin = 0) {
  ask(a, b, margin, [](const Founds& founds) { EXPECT_TRUE(founds.empty()); });
}

struct Expected {
  Point<3> normal;
  double depth;
  std::vector<Point<3>> middles = {};  ///< in any order; not asked if empty
};

void expect_contact(const Shape& a, const Shape& b, const Expected& expected, double margin = 0) {
  ask(a, b, margin, [&](const Founds& founds) {
    ASSERT_EQ(founds.size(), 1u);
    const Found& found = founds[0];
    EXPECT_NEAR(found.depth, expected.depth, found.tolerance);
    expect_near(found.normal, expected.normal, found.tolerance);
    EXPECT_EQ(found.status, 0);
    if (expected.middles.empty()) return;
    ASSERT_EQ(found.middles.size(), expected.middles.size());
    for (const Point<3>& middle : expected.middles) {
      bool is_found = false;
      for (std::size_t i = 0; i < found.middles.size(); ++i) {
        is_found |= length(moved_along(found.middles[i], middle, -1)) < 4 * found.tolerance;
      }
      EXPECT_TRUE(is_found) << middle[0] << ' ' << middle[1] << ' ' << middle[2] << "; first found "
                            << found.middles[0][0] << ' ' << found.middles[0][1] << ' '
                            << found.middles[0][2];
    }
  });
}

/// A contact whose direction is not unique.
void expect_tie(const Shape& a, const Shape& b, double depth) {
  ask(a, b, 0, [&](const Founds& founds) {
    ASSERT_EQ(founds.size(), 1u);
    EXPECT_NEAR(founds[0].depth, depth, founds[0].tolerance);
    EXPECT_EQ(founds[0].status, 1);
  });
}

Point<3> along(int axis, double value) {
  Point<3> point{0, 0, 0};
  point[axis] = value;
  return point;
}

const double kRoot5 = std::sqrt(5.0);

/// What FCL expects of a shape in the origin and a halfspace whose normal is an axis: the halfspace
/// is at `offset`, and the contact at `middle` on that axis.
struct AtOffset {
  double offset, middle, depth;
};

// FCL, shapeIntersection_halfspaceellipsoid. The ellipsoid's half extents are 5, 10 and 20. A
// halfspace that ends at an offset is as deep as the half extent and the offset.
TEST(published_values, an_ellipsoid_in_a_halfspace) {
  const Shape shape = ellipsoid(5, 10, 20);
  const std::vector<AtOffset> published[] = {
      {{0, -2.5, 5}, {1.25, -1.875, 6.25}, {-1.25, -3.125, 3.75}, {5.01, 0.005, 10.01}},
      {{0, -5, 10}, {1.25, -4.375, 11.25}, {-1.25, -5.625, 8.75}, {10.01, 0.005, 20.01}},
      {{0, -10, 20}, {1.25, -9.375, 21.25}, {-1.25, -10.625, 18.75}, {20.01, 0.005, 40.01}}};
  for (int axis = 0; axis < 3; ++axis) {
    const Shape plane = halfspace(along(axis, 1));
    for (const auto& [offset, middle, depth] : published[axis]) {
      SCOPED_TRACE(offset);
      EXPECT_NEAR(depth, shape.size[axis] + offset, 1e-12);
      expect_contact(shape, plane.at(along(axis, offset)),
                     {along(axis, -1), depth, {along(axis, middle)}});
    }
    expect_apart(shape, plane.at(along(axis, -shape.size[axis] - 0.01)));
  }
}

// FCL, shapeIntersection_planeellipsoid and shapeIntersection_planecone; coal, collide_planecone,
// where the cone is 1e-6 aside instead of in the middle. Their plane is solid on neither side: a
// shape leaves it to the nearer one. Here it is the shallower of two halfspaces. Their point is the
// deepest one's projection on the plane (a cone's is halfway up to the centre).
TEST(published_values, a_plane_is_the_shallower_of_two_halfspaces) {
  const auto expect_plane = [](const Shape& shape, int axis, double offset, double depth) {
    SCOPED_TRACE(offset);
    const double up = offset < 0 ? -1 : 1;
    // A halfspace's normal is out of it: a shape leaves the lower one upwards.
    const Shape above = halfspace(along(axis, -up)).at(along(axis, offset));
    const Shape below = halfspace(along(axis, up)).at(along(axis, offset));
    expect_contact(shape, above, {along(axis, up), depth});
    ask(shape, below, 0, [&](const Founds& founds) {
      ASSERT_EQ(founds.size(), 1u);
      EXPECT_GE(founds[0].depth, depth - founds[0].tolerance);
    });
  };
  const Shape ball = ellipsoid(5, 10, 20), pointed = cone(5, 10);
  const double depth_of_ball[] = {3.75, 8.75, 18.75};
  for (int axis = 0; axis < 3; ++axis) {
    expect_plane(ball, axis, 0, ball.size[axis]);
    expect_plane(ball, axis, 1.25, depth_of_ball[axis]);
    expect_plane(ball, axis, -1.25, depth_of_ball[axis]);
    expect_plane(pointed, axis, 0, 5);
    expect_plane(pointed, axis, 1e-6, 5 - 1e-6);
    expect_plane(pointed, axis, -1e-6, 5 - 1e-6);
    expect_plane(pointed, axis, 2.5, 2.5);
    expect_plane(pointed, axis, -2.5, 2.5);
    for (const double up : {-1, 1}) {
      const Shape away = halfspace(along(axis, -up));
      expect_apart(ball, away.at(along(axis, up * (ball.size[axis] + 0.01))));
      expect_apart(pointed, away.at(along(axis, up * 5.1)));
    }
  }
}

// FCL, shapeIntersection_halfspacecone; coal, collide_halfspacecone: the same numbers. The cone has
// a radius of 5 and a height of 10. They give one point. Against the cone's side it is the deepest,
// on the rim at z = -5; we also give the tip, the other end of that side's line, where it is in the
// halfspace. Against the base it is on the axis; ours are four about it, on the rim.
TEST(published_values, a_cone_in_a_halfspace) {
  const Shape shape = cone(5, 10);
  const AtOffset published[] = {
      {0, -2.5, 5}, {2.5, -1.25, 7.5}, {-2.5, -3.75, 2.5}, {5.1, 0.05, 10.1}};
  for (int axis = 0; axis < 3; ++axis) {
    const Shape plane = halfspace(along(axis, 1));
    for (const AtOffset& row : published) {
      SCOPED_TRACE(row.offset);
      const Shape there = plane.at(along(axis, row.offset));
      expect_contact(shape, there, {along(axis, -1), row.depth});
      ask(shape, there, 0, [&](const Founds& founds) {
        ASSERT_EQ(founds.size(), 1u);
        const Found& found = founds[0];
        const double tolerance = 4 * found.tolerance;
        if (axis == 2) {
          ASSERT_EQ(found.middles.size(), 4u);
          Point<3> mean{0, 0, 0};
          for (const Point<3>& point : found.middles) {
            EXPECT_NEAR(std::hypot(point[0], point[1]), 5, tolerance);
            mean = moved_along(mean, point, 0.25);
          }
          expect_near(mean, {0, 0, row.middle}, tolerance);
          return;
        }
        expect_near(found.middles.at(0), moved_along(along(axis, row.middle), {0, 0, 1}, -5),
                    tolerance);
        // The tip is as deep as the offset; where that is 0, rounding decides.
        if (row.offset == 0) return;
        ASSERT_EQ(found.middles.size(), row.offset > 0 ? 2u : 1u);
        if (row.offset < 0) return;
        expect_near(found.middles[1], moved_along(along(axis, row.offset / 2), {0, 0, 1}, 5),
                    tolerance);
      });
    }
    expect_apart(shape, plane.at(along(axis, -5.1)));
  }
}

// coal, halfspace_cone of contact_patch.cpp: a radius of 0.25, a height of 1, in a halfspace by
// 0.001: on its base, on its tip, and on its rim with the axis level. The last two touch at one
// point. coal samples six points of the rim where the base is flat on the plane, we take four.
TEST(published_values, a_cone_stands_on_base_tip_and_rim) {
  const Shape floor = halfspace({0, 0, 1}), shape = cone(0.25, 1);
  const Point<3> down{0, 0, -1};
  ask(shape.at({0, 0, 0.499}), floor, 0, [&](const Founds& founds) {
    ASSERT_EQ(founds.size(), 1u);
    EXPECT_NEAR(founds[0].depth, 0.001, founds[0].tolerance);
    expect_near(founds[0].normal, down, founds[0].tolerance);
    EXPECT_EQ(founds[0].middles.size(), 4u);
    for (const Point<3>& point : founds[0].middles) {
      EXPECT_NEAR(std::hypot(point[0], point[1]), 0.25, 4 * founds[0].tolerance);
    }
  });
  // Half a turn about y, then a quarter: the axis, own z, is along -x, and the rim's lowest point
  // is half a height along +x.
  const double half = std::sqrt(0.5);
  expect_contact(shape.at({0, 0, 0.499}).turned({0, 1, 0, 0}), floor,
                 {down, 0.001, {{0, 0, -0.0005}}});
  expect_contact(shape.at({0, 0, 0.249}).turned({0, -half, 0, half}), floor,
                 {down, 0.001, {{0.5, 0, -0.0005}}});
}

// FCL, shapeIntersection_conecone; coal, collide_conecone. Both cones are upright, with a radius of
// 5 and a height of 10. With centres 9.9 apart along x their rims share 0.1. FCL expects the normal
// (1, 0, 0), which takes 0.1. It takes less along the outward normal of one's side, (2, 0, +-1) /
// sqrt(5): 0.1 * 2 / sqrt(5), a tie. coal breaks the tie by 1e-5 in z and expects that normal.
TEST(published_values, two_cones) {
  const Shape one = cone(5, 10);
  expect_tie(one, one.at({9.9, 0, 0}), 0.2 / kRoot5);
  // B is higher by 1e-5, so that A's side leaves sooner.
  const Point<3> side{2 / kRoot5, 0, 1 / kRoot5};
  ask(one, one.at({9.9, 0, 0.00001}), 0, [&](const Founds& founds) {
    ASSERT_EQ(founds.size(), 1u);
    EXPECT_NEAR(founds[0].depth, 0.2 / kRoot5 - 0.00001 / kRoot5, founds[0].tolerance);
    // In float, 1e-5 is less than rounding: either side may be taken.
    const bool is_exact = founds[0].tolerance < 1e-9;
    const double up = is_exact || founds[0].normal[2] > 0 ? 1 : -1;
    expect_near(founds[0].normal, {side[0], 0, up * side[2]}, founds[0].tolerance);
  });
  expect_apart(one, one.at({10.001, 0, 0}));
  expect_apart(one, one.at({10.1, 0, 0}));
  // One above the other: the lower tip, at z = 5, is 0.1 above the upper base.
  expect_contact(one, one.at({0, 0, 9.9}), {{0, 0, 1}, 0.1, {{0, 0, 4.95}}});
  // FCL, shapeDistance_conecone; coal, GJKSolver_shapeDistance_conecone: of the rims, and of a base
  // and the tip below it.
  expect_contact(one, one.at({10.1, 0, 0}), {{1, 0, 0}, -0.1, {{5.05, 0, -5}}}, 1);
  expect_contact(one, one.at({0, 0, 40}), {{0, 0, 1}, -30, {{0, 0, 20}}}, 100);
  // Both, consistency_distance_conecone and consistency_collision_conecone; beside meshes see
  // published_failures_surfaces_test.cpp.
  expect_contact(one, one.at({15, 0, 0}), {{1, 0, 0}, -5, {{7.5, 0, -5}}}, 10);
  expect_contact(one, one.at({20, 0, 0}), {{1, 0, 0}, -10, {{10, 0, -5}}}, 20);
  expect_apart(one, one.at({0, 0, 10.1}));
}

// FCL, shapeIntersection_cylindercone; coal, collide_conecylinder: an upright cylinder, then the
// cone, both with a radius of 5 and a height of 10. With centres 9.9 apart along x, FCL expects the
// normal (1, 0, 0) to 0.061, or to 0.46 if they are rotated. It takes 0.1. It takes 0.1 * 2 /
// sqrt(5) along (2, 0, -1) / sqrt(5), minus the normal of the cone's side, which coal expects. With
// the cone higher by 0.1, leaving along x still takes 0.1, and along the side's normal 0.3 /
// sqrt(5): then (1, 0, 0) is right.
TEST(published_values, a_cylinder_and_a_cone) {
  const Shape first = cylinder(5, 10), second = cone(5, 10);
  expect_contact(first, second.at({9.9, 0, 0}), {{2 / kRoot5, 0, -1 / kRoot5}, 0.2 / kRoot5});
  // Along (cos t, sin t, 0) it takes 10 - 9.9 cos t, in which an error of t hardly shows: the
  // normal comes from where it is least.
  expect_contact(first, second.at({9.9, 0, 0.1}), {{1, 0, 0}, 0.1});
  expect_apart(first, second.at({10.01, 0, 0}));
  expect_apart(first, second.at({0, 0, 10.01}));
  // The base is on the upper cap.
  expect_contact(first, second.at({0, 0, 9.9}), {{0, 0, 1}, 0.1});
  // Both expect a hit where they just touch. FCL does so at its own GJK only.
  expect_contact(first, second.at({0, 0, 10}), {{0, 0, 1}, 0}, 0.001);
  ask(first, second.at({10, 0, 0}), 0.001, [](const Founds& founds) {
    ASSERT_EQ(founds.size(), 1u);
    EXPECT_NEAR(founds[0].depth, 0, founds[0].tolerance);
  });
  // FCL, shapeDistance_conecylinder; coal, GJKSolver_shapeDistance_conecylinder.
  expect_contact(first, second.at({10.1, 0, 0}), {{1, 0, 0}, -0.1, {{5.05, 0, -5}}}, 1);
  expect_contact(first, second.at({40, 0, 0}), {{1, 0, 0}, -30, {{20, 0, -5}}}, 100);
}

// FCL and coal, the same two pairs in one place, where both only expect a hit; coal calls it the
// worst case of EPA, and allows 1000 rounds and an error of 0.01. The cone leaves itself by its
// least width: the triangle of base 10 and height 10 has sides of sqrt(125), so the width is
// 100 / sqrt(125) = 20 / sqrt(5). A cylinder leaves along the same side's normal: it reaches
// 5 * 2 / sqrt(5) + 5 / sqrt(5), the side is 5 / sqrt(5) from the centre. All directions about the
// axis are equal.
TEST(published_values, superposed_cones_leave_along_a_side) {
  expect_tie(cone(5, 10), cone(5, 10), 20 / kRoot5);
  expect_tie(cylinder(5, 10), cone(5, 10), 20 / kRoot5);
}

// FCL, shapeIntersection_ellipsoidellipsoid and shapeDistance_ellipsoidellipsoid: half extents 20,
// 40 and 50, and a ball of 10. Along x they touch at 30, where FCL's libccd says no and its own GJK
// yes. Overlapping it only expects a negative distance: it is 30 minus the distance of the centres,
// since the ball is smaller than each radius of curvature there (80 and 125).
TEST(published_values, two_ellipsoids) {
  const Shape large = ellipsoid(20, 40, 50), ball = ellipsoid(10, 10, 10);
  for (const double side : {-1, 1}) {
    const auto there = [&](double x) { return ball.at({side * x, 0, 0}); };
    const Point<3> normal{side, 0, 0};
    expect_apart(large, there(40));
    expect_apart(large, there(30.01));
    expect_contact(large, there(30), {normal, 0, {{side * 20, 0, 0}}}, 0.001);
    expect_contact(large, there(29.99), {normal, 0.01, {{side * 19.995, 0, 0}}});
    expect_contact(large, there(29.9), {normal, 0.1, {{side * 19.95, 0, 0}}});
    expect_contact(large, there(30.1), {normal, -0.1, {{side * 20.05, 0, 0}}}, 1);
    expect_contact(large, there(40), {normal, -10, {{side * 25, 0, 0}}}, 100);
  }
  // In one place it leaves through the nearer sides: 20 + 10.
  expect_tie(large, ball, 30);
}

// MuJoCo, EllipsoidEllipsoid and EllipsoidEllipsoidIntersect. The distance is 0.7542 to 1e-4; with
// margins that make 15 of depth they expect -14.245732934582151 to 1e-6. By Newton's method in 40
// digits, the distance is 0.75426646628621257. Their margin is our rounding, half for each.
TEST(published_values, two_ellipsoids_far_apart_or_rounded) {
  const Shape lower = ellipsoid(0.15, 0.30, 0.20).at({1.5, 0, -0.5});
  const Shape upper = ellipsoid(0.10, 0.10, 0.15).at({1.5, 0.5, 0.5});
  const double distance = 0.75426646628621257;
  EXPECT_NEAR(distance, 0.7542, 1e-4);
  EXPECT_NEAR(15 - distance, 14.245732934582151, 1e-6);
  const Point<3> normal{0, 0.40515181552942258, 0.91424942240791858};
  expect_contact(lower, upper, {normal, -distance}, 1);
  expect_contact(lower.rounded(7.5), upper.rounded(7.5), {normal, 15 - distance});
}

/// A rotation row by row, of less than 120 degrees: its trace is above 0.
Quaternion quaternion_of(const Point<3> (&rows)[3]) {
  const double w = std::sqrt(1 + rows[0][0] + rows[1][1] + rows[2][2]) / 2;
  return {(rows[2][1] - rows[1][2]) / (4 * w), (rows[0][2] - rows[2][0]) / (4 * w),
          (rows[1][0] - rows[0][1]) / (4 * w), w};
}

// MuJoCo, EllipsoidEllipsoidPenetrating: -0.00022548856248122027 to 1e-6. By Newton's method in 40
// digits it is 0.00022591335023150030, so that theirs is 4e-7 too little, one part of 500.
// EllipsoidEllipsoidSlowConvergence: two alike that touch, within 1e-6; the depth is 1.15321e-8.
TEST(published_values, two_ellipsoids_that_hardly_touch) {
  const Quaternion stored{0.155468, 0.00454524, 1.60038e-06, 0.98783};
  const Quaternion turn = scaled_by(stored, 1 / std::sqrt(square_of(stored)));
  expect_contact(ellipsoid(0.1, 0.1, 0.1).at({0, 0, -0.1}),
                 ellipsoid(0.01, 0.02, 0.1).at({0.000886189, -0.0303047, 0.0951303}).turned(turn),
                 {{-0.0000242709088111034469, -0.0084258053242841399, 0.9999645019777253},
                  0.00022591335023150030});
  const Point<3> rows_a[] = {{0.98799245191271645, -0.13055117805648397, -0.08262750674904573},
                             {-0.03910798838001149, 0.30606703783583483, -0.95120635699897815},
                             {0.14947066671547388, 0.94301609650019369, 0.29728632920665871}};
  const Point<3> rows_b[] = {{0.53301656081215953, -0.59335516633486651, -0.60317741377119038},
                             {-0.39469414877746378, 0.45620167535223110, -0.79755661888461082},
                             {0.74840488695679441, 0.66318148194106108, 0.00896923573374096}};
  const Shape slim = ellipsoid(0.05, 0.07, 0.15);
  expect_contact(slim.at({0.44826351361072503, -0.10441423315171690, 0.21216466278453650})
                     .turned(quaternion_of(rows_a)),
                 slim.at({0.39694137187624301, 0.00961542646741688, 0.29832742817753182})
                     .turned(quaternion_of(rows_b)),
                 {{-0.53254520197517828, 0.45769224742838668, 0.71197852109257419}, 1.153209755e-8},
                 1e-5);
}

// coal, swept_sphere_radius.cpp: a ball about each point of a shape (our rounding) adds its radius
// to the depth, and keeps the normal, for all kinds and for radii up to 100 times the shapes'.
TEST(published_values, rounding_adds_to_the_depth) {
  const Quaternion turn{0.1, 0.7, -0.5, 0.5};
  const Shape shapes[] = {ellipsoid(0.2, 0.3, 0.5), cone(0.3, 0.6), cylinder(0.4, 0.5),
                          box(0.2, 0.3, 0.4)};
  for (const Shape& a : shapes) {
    for (const Shape& b : shapes) {
      if (a.kind == Kind::box && b.kind == Kind::box) continue;
      for (const double distance : {0.4, 1.5}) {
        const Shape there = b.at({0.5 * distance, 0.6 * distance, -0.7 * distance}).turned(turn);
        std::vector<Found> sharp;
        ask(a, there, 10, [&](const Founds& founds) {
          ASSERT_EQ(founds.size(), 1u);
          sharp.push_back(founds[0]);
        });
        for (const double radius_a : {0.0, 0.1, 1.0, 10.0}) {
          for (const double radius_b : {0.1, 10.0}) {
            SCOPED_TRACE(radius_a + 100 * radius_b);
            std::size_t i = 0;
            ask(a.rounded(radius_a), there.rounded(radius_b), 10, [&](const Founds& founds) {
              ASSERT_EQ(founds.size(), 1u);
              const Found& before = sharp.at(i++);
              const double tolerance = founds[0].tolerance;
              EXPECT_NEAR(founds[0].depth, before.depth + radius_a + radius_b, tolerance);
              // Rounding may take the other of two directions that are nearly equal.
              if (dot(founds[0].normal, before.normal) < 0.999) return;
              expect_near(founds[0].normal, before.normal, std::max(30 * tolerance, 1e-9));
            });
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace widephase::test
