// Shapes of bodies: placed, repeated for many worlds, and their contacts by body.

#include <gtest/gtest.h>

#include <limits>

#include "reference/scaled.hpp"
#include "reference/vec.hpp"
#include "support/allocations.hpp"
#include "support/compare.hpp"
#include "support/error_of.hpp"
#include "support/executors.hpp"
#include "support/scenes.hpp"

#include <widephase/bodies.hpp>

namespace widephase::test {
namespace {

/// The turn of a quaternion x y z w applied to a vector: v + 2 w (u x v) + 2 u x (u x v).
Vec<3> turned(const Vec<4>& quaternion, const Vec<3>& v) {
  const auto cross = [](const Vec<3>& a, const Vec<3>& b) {
    return Vec<3>{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  };
  const Vec<3> u{quaternion[0], quaternion[1], quaternion[2]};
  const Vec<3> once = cross(u, v);
  return plus(plus(v, once, 2 * quaternion[3]), cross(u, once), 2);
}

template <class C>
Vec<C::width> row_of(const C& column, std::size_t row) {
  Vec<C::width> numbers{};
  for (int w = 0; w < C::width; ++w) numbers[w] = static_cast<Real>(column(row, w));
  return numbers;
}
/// The numbers of a row, to compare bits.
template <class C>
std::array<double, C::width> numbers_of(const C& column, std::size_t row) {
  std::array<double, C::width> numbers;
  for (int w = 0; w < C::width; ++w) numbers[w] = static_cast<double>(column(row, w));
  return numbers;
}
template <class C>
Vec<4> unit_row_of(const C& column, std::size_t row) {
  const Vec<4> quaternion = row_of(column, row);
  return times(quaternion, 1 / length(quaternion));
}

TEST(place, carries_points_turns_and_planes_in_2d) {
  // A body at (10, 20), turned by a quarter: local (x, y) goes to (10 - y, 20 + x).
  SceneColumns<2, double> scene;
  scene.circles.center = {{1, 0}, {1, 0}};
  scene.circles.radius = {0.5, 0.5};
  scene.circles.body = {0, -1};
  scene.capsules.a = {{0, 1}};
  scene.capsules.b = {{2, 3}};
  scene.capsules.radius = {0.25};
  scene.capsules.body = {0};
  scene.boxes.center = {{0, 2}};
  scene.boxes.turn = {0.25};
  scene.boxes.half_extents = {{1, 2}};
  scene.boxes.body = {0};
  // Solid where x <= 3, thus where y <= 20 + 3 in the world.
  scene.halfspaces.normal = {{1, 0}};
  scene.halfspaces.offset = {3};
  scene.halfspaces.body = {0};
  const double quarter = 1.5707963267948966;
  scene.bodies.position = {{10, 20}};
  scene.bodies.turn = {quarter};
  PlacedScene<2, double> placed;
  place(scene, SceneSpan<2, double>(scene).bodies, placed);
  const SceneSpan<2, double>& world = placed.scene();
  const auto expect_near = [](const auto& column, std::size_t row, double x, double y) {
    EXPECT_NEAR(column(row, 0), x, 1e-14);
    EXPECT_NEAR(column(row, 1), y, 1e-14);
  };
  expect_near(world.circles.center, 0, 10, 21);
  expect_near(world.circles.center, 1, 1, 0);
  expect_near(world.capsules.a, 0, 9, 20);
  expect_near(world.capsules.b, 0, 7, 22);
  expect_near(world.boxes.center, 0, 8, 20);
  EXPECT_EQ(world.boxes.turn[0], quarter + 0.25);
  expect_near(world.halfspaces.normal, 0, 0, 1);
  EXPECT_NEAR(world.halfspaces.offset[0], 23, 1e-14);
  EXPECT_TRUE(world.bodies.empty());
  EXPECT_EQ(world.circles.radius.plane(), scene.circles.radius.plane()) << "borrowed, not copied";
}

TEST(place, carries_ellipsoids_and_cones) {
  // A quarter turn about z takes (x, y) to (-y, x). The cone's axis is along x of its body.
  SceneColumns<3, double> scene;
  const double half = std::sqrt(0.5);
  scene.ellipsoids.center = {{1, 2, 3}};
  scene.ellipsoids.turn = {{0, 0, 0, 1}};
  scene.ellipsoids.half_extents = {{1, 2, 3}};
  scene.ellipsoids.rounding = {0.5};
  scene.ellipsoids.body = {0};
  scene.cones.center = {{4, 0, 0}};
  scene.cones.turn = {{0, half, 0, half}};
  scene.cones.half_height = {1};
  scene.cones.radius = {0.5};
  scene.cones.rounding = {0.25};
  scene.cones.body = {0};
  scene.bodies.position = {{10, 0, 0}};
  scene.bodies.turn = {{0, 0, half, half}};
  PlacedScene<3, double> placed;
  place(scene, SceneSpan<3, double>(scene).bodies, placed);
  const auto& [ellipsoids, cones] = std::tie(placed.scene().ellipsoids, placed.scene().cones);
  const auto expect_near = [](const auto& column, const auto& expected) {
    for (int k = 0; k < column.width; ++k) {
      EXPECT_NEAR(column(0, k), expected[static_cast<std::size_t>(k)], 1e-14) << k;
    }
  };
  expect_near(ellipsoids.center, std::array{8.0, 1.0, 3.0});
  expect_near(ellipsoids.turn, std::array{0.0, 0.0, half, half});
  EXPECT_EQ(ellipsoids.half_extents.plane(2), scene.ellipsoids.half_extents.plane(2));
  EXPECT_EQ(ellipsoids.rounding.plane(), scene.ellipsoids.rounding.plane());
  expect_near(cones.center, std::array{10.0, 4.0, 0.0});
  const double x = cones.turn(0, 0), y = cones.turn(0, 1), z = cones.turn(0, 2),
               w = cones.turn(0, 3);  // its axis, z, goes to x and on to y
  EXPECT_NEAR(2 * (y * z - x * w), 1, 1e-14);
  EXPECT_EQ(cones.rounding.plane(), scene.cones.rounding.plane());
  // Each of many worlds has the rounding.
  SceneColumns<3, double> farm;
  replicate(scene, 2, farm);
  ASSERT_EQ(farm.ellipsoids.rounding.size(), 2u);
  EXPECT_EQ(farm.ellipsoids.rounding[1], 0.5);
  EXPECT_EQ(farm.cones.rounding[1], 0.25);
}

template <class T>
SceneColumns<3, T> carried_scene(std::size_t count, std::int32_t body_count, std::uint64_t seed) {
  SceneColumns<3, T> scene;
  add_mixed(scene, {count, seed});
  Random random(seed);
  scene.aabbs = {};
  for_each_table(scene, [&](auto& table) {
    const std::size_t rows = row_count(table);
    for (std::size_t row = 0; row < rows; ++row) {
      table.body.push_back({random.integer(-1, body_count - 1)});
    }
  });
  for (std::int32_t body = 0; body < body_count; ++body) {
    const auto position = random.point<3>(-5, 5);
    const auto axis = random.direction<3>();
    const double half = random.uniform(-3, 3);
    scene.bodies.position.push_back(
        {static_cast<T>(position[0]), static_cast<T>(position[1]), static_cast<T>(position[2])});
    scene.bodies.turn.push_back(
        {static_cast<T>(axis[0] * std::sin(half)), static_cast<T>(axis[1] * std::sin(half)),
         static_cast<T>(axis[2] * std::sin(half)), static_cast<T>(std::cos(half))});
  }
  return scene;
}

/// Checks each placed number against Rodrigues' formula in long double.
template <class T>
void expect_placed(const SceneColumns<3, T>& scene, const SceneSpan<3, T>& world) {
  const Real tolerance = 20 * std::numeric_limits<T>::epsilon();
  const auto body_frame = [&](const auto& table, std::size_t row) {
    return static_cast<std::size_t>(table.body[row]);
  };
  const auto expect_point = [&](const auto& table, const auto& local, const auto& placed) {
    for (std::size_t row = 0; row < local.size(); ++row) {
      Vec<3> expected = row_of(local, row);
      if (table.body[row] >= 0) {
        const std::size_t body = body_frame(table, row);
        expected = plus(turned(unit_row_of(scene.bodies.turn, body), expected),
                        row_of(scene.bodies.position, body));
      }
      EXPECT_LE(length(minus(row_of(placed, row), expected)), 20 * tolerance) << row;
      if (table.body[row] < 0) {
        EXPECT_EQ(numbers_of(placed, row), numbers_of(local, row)) << row;
      }
    }
  };
  const auto expect_turn = [&](const auto& table, const auto& placed_table) {
    for (std::size_t row = 0; row < row_count(table); ++row) {
      for (int k = 0; k < 3; ++k) {
        Vec<3> axis{};
        axis[k] = 1;
        Vec<3> expected = turned(unit_row_of(table.turn, row), axis);
        if (table.body[row] >= 0) {
          expected = turned(unit_row_of(scene.bodies.turn, body_frame(table, row)), expected);
        }
        const Vec<3> found = turned(unit_row_of(placed_table.turn, row), axis);
        EXPECT_LE(length(minus(found, expected)), tolerance) << row;
      }
    }
  };
  expect_point(scene.spheres, scene.spheres.center, world.spheres.center);
  expect_point(scene.capsules, scene.capsules.a, world.capsules.a);
  expect_point(scene.capsules, scene.capsules.b, world.capsules.b);
  expect_point(scene.boxes, scene.boxes.center, world.boxes.center);
  expect_point(scene.hulls, scene.hulls.center, world.hulls.center);
  expect_turn(scene.boxes, world.boxes);
  expect_turn(scene.hulls, world.hulls);
  for (std::size_t row = 0; row < scene.halfspaces.offset.size(); ++row) {
    if (scene.halfspaces.body[row] < 0) continue;
    const std::size_t body = body_frame(scene.halfspaces, row);
    const Vec<3> normal =
        turned(unit_row_of(scene.bodies.turn, body), row_of(scene.halfspaces.normal, row));
    EXPECT_LE(length(minus(row_of(world.halfspaces.normal, row), normal)), tolerance);
    // A point of the local plane, offset * normal, stays on the plane.
    const Real offset = static_cast<Real>(scene.halfspaces.offset[row]) +
                        dot(normal, row_of(scene.bodies.position, body));
    EXPECT_LE(std::abs(static_cast<Real>(world.halfspaces.offset[row]) - offset), 20 * tolerance);
  }
}

TEST(place, agrees_with_rodrigues_formula_on_random_scenes) {
  const auto judge = [](auto zero) {
    using T = decltype(zero);
    const SceneColumns<3, T> scene = carried_scene<T>(2000, 40, 7);
    ASSERT_GT(row_count(scene.hulls), 20u);
    PlacedScene<3, T> placed;
    place(scene, SceneSpan<3, T>(scene).bodies, placed);
    expect_placed(scene, placed.scene());
  };
  judge(0.0f);
  judge(0.0);
}

TEST(place, reads_strided_poses_and_both_orders_of_quaternions) {
  // A simulator's structures: position, then w x y z. A third of a turn about (1, 1, 1) takes x to
  // y, so the sphere at (2, 0, 0) goes to position + (0, 2, 0).
  struct BodyState {
    float mass;
    float position[3];
    float wxyz[4];
  };
  const BodyState states[2] = {{9, {1, 2, 3}, {1, 0, 0, 0}},
                               {9, {4, 5, 6}, {0.5f, 0.5f, 0.5f, 0.5f}}};
  SceneColumns<3, float> scene;
  scene.spheres.center = {{2, 0, 0}, {2, 0, 0}};
  scene.spheres.radius = {1, 1};
  scene.spheres.body = {0, 1};
  Poses<3, float> poses;
  poses.position = ColumnSpan<float, 3>::interleaved(states[0].position, 2, sizeof(BodyState));
  poses.turn = quaternions(states[0].wxyz, 2, QuaternionOrder::wxyz, sizeof(BodyState));
  PlacedScene<3, float> placed;
  place(scene, poses, placed);
  const auto& center = placed.scene().spheres.center;
  EXPECT_EQ(numbers_of(center, 0), (std::array<double, 3>{3, 2, 3}));
  EXPECT_EQ(numbers_of(center, 1), (std::array<double, 3>{4, 7, 6}));
  const float xyzw[8] = {0, 0, 0, 1, 0.5f, 0.5f, 0.5f, 0.5f};
  poses.turn = quaternions(xyzw, 2, QuaternionOrder::xyzw);
  place(scene, poses, placed);
  EXPECT_EQ(numbers_of(placed.scene().spheres.center, 1), (std::array<double, 3>{4, 7, 6}));
}

TEST(place, gives_the_same_bits_on_any_threads) {
  const SceneColumns<3, float> scene = carried_scene<float>(scaled(60000, 20000), 40000, 8);
  PlacedScene<3, float> alone, together;
  Threads one, four;
  one.count = 1;
  four.count = 4;
  place(scene, SceneSpan<3, float>(scene).bodies, alone, one);
  place(scene, SceneSpan<3, float>(scene).bodies, together, four);
  for_each_table_pair(alone.scene(), together.scene(), [](const auto& a, const auto& b) {
    for_each_field_pair(a, b, [](const auto& field, const auto& column, const auto& other) {
      ASSERT_EQ(column.size(), other.size());
      for (std::size_t row = 0; row < column.size(); ++row) {
        ASSERT_EQ(numbers_of(column, row), numbers_of(other, row)) << field.name;
      }
    });
  });
}

TEST(place, second_call_allocates_nothing) {
  const SceneColumns<3, float> scene = carried_scene<float>(5000, 50, 9);
  const SceneSpan<3, float> view(scene);
  PlacedScene<3, float> placed;
  Threads one;
  one.count = 1;
  place(view, view.bodies, placed, one);
  EXPECT_EQ(count_allocations([&] { place(view, view.bodies, placed, one); }), 0);
  ContactBuffer<3, float> contacts;
  Workspace<3, float> workspace;
  CollideOptions options;
  options.threads.count = 1;
  collide<3, float>(view, contacts, workspace, options);
  EXPECT_GT(contacts.size(), 0u);
  EXPECT_EQ(count_allocations([&] { collide<3, float>(view, contacts, workspace, options); }), 0);
}

TEST(place, leaves_no_difference_to_a_scene_given_in_the_world) {
  // But to point sets apart from their origin, which calls place by their middles, more exactly.
  SceneColumns<3, double> scene = carried_scene<double>(3000, 60, 10);
  center_point_sets(scene);
  PlacedScene<3, double> placed;
  place(scene, SceneSpan<3, double>(scene).bodies, placed);
  ContactBuffer<3, double> carried, given;
  Workspace<3, double> workspace;
  collide(scene, carried, workspace);
  collide(placed.scene(), given, workspace);
  EXPECT_GT(carried.size(), 100u);
  EXPECT_EQ(hash(carried), hash(given));
  // Every other call places the shapes too.
  const std::vector<Pair> pairs(workspace.pairs().begin(), workspace.pairs().end());
  std::vector<std::uint8_t> is_contact(pairs.size());
  test_pairs(scene, pairs, is_contact, workspace);
  const auto hits = static_cast<std::size_t>(std::count(is_contact.begin(), is_contact.end(), 1));
  EXPECT_EQ(hits, given.size());
}

TEST(place, carries_aabbs_without_a_turn) {
  SceneColumns<2, float> scene;
  scene.aabbs.min = {{0, 0}};
  scene.aabbs.max = {{1, 2}};
  scene.aabbs.body = {0};
  scene.bodies.position = {{10, 20}};
  PlacedScene<2, float> placed;
  place(scene, SceneSpan<2, float>(scene).bodies, placed);
  EXPECT_EQ(numbers_of(placed.scene().aabbs.max, 0), (std::array<double, 2>{11, 22}));
  scene.bodies.turn = {0};
  EXPECT_TRUE((validate<2, float>(scene).empty()));
  scene.bodies.turn = {0.125f};
  EXPECT_EQ(error_of([&] { place(scene, SceneSpan<2, float>(scene).bodies, placed); }),
            "aabb.body[0] is 0, which is turned; an aabb can't turn, so make it a box");
}

TEST(place, refuses_poses_that_are_none) {
  SceneColumns<3, double> scene;
  scene.spheres.center = {{1, 0, 0}, {2, 0, 0}};
  scene.spheres.radius = {1, 1};
  scene.spheres.body = {0, 1};
  scene.bodies.position = {{0, 0, 0}, {0, 0, 5}};
  scene.bodies.turn = {{0, 0, 0, 1}, {0, 0, 0, 1}};
  const auto said = [&] {
    ContactBuffer<3, double> contacts;
    Workspace<3, double> workspace;
    const std::string text = error_of([&] { collide(scene, contacts, workspace); });
    const auto findings = validate<3, double>(scene);
    EXPECT_EQ(findings.empty() ? "no error" : findings.front().text(), text);
    return text;
  };
  EXPECT_TRUE((validate<3, double>(scene).empty()));
  scene.bodies.turn.set(1, {0, 0, 1, 1});
  EXPECT_EQ(said(), "bodies.turn[1] has squared length 2; it must be 1 within 1e-4");
  scene.bodies.turn.set(1, {0, 0, 0, 1});
  scene.bodies.position(0, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(said(), "bodies.position[0] is nan; position must be a finite number");
  scene.bodies.position(0, 1) = 0;
  scene.spheres.body[1] = 2;
  EXPECT_EQ(said(), "sphere.body[1] is 2; the scene has 2 bodies, counted from 0");
  scene.spheres.body[1] = -2;
  EXPECT_EQ(said(), "sphere.body[1] is -2; it must be -1 to 2147483646");
  scene.spheres.body[1] = 1;
  scene.spheres.radius[1] = -1;
  EXPECT_EQ(said(), "sphere.radius[1] is -1; radius must be a finite number >= 0");
  scene.spheres.radius[1] = 1;
  scene.bodies.turn.push_back({0, 0, 0, 1});
  EXPECT_EQ(said(), "bodies.turn has 3 rows, but bodies.position has 2");
  EXPECT_EQ(error_of([&] { translate(scene, {1, 0, 0}); }),
            "bodies carry shapes in frames of their own; place the scene first, or change the "
            "poses");
}

TEST(place, judges_periodic_planes_where_they_are) {
  // The plane's own normal is along x, which is periodic; its body turns it to y, which is not.
  SceneColumns<2, double> scene;
  scene.halfspaces.normal = {{0, 1}};
  scene.halfspaces.offset = {0};
  scene.halfspaces.body = {0};
  scene.bodies.position = {{0, 0}};
  scene.bodies.turn = {1.0};
  scene.domain = {{0, 0}, {9, 9}, {true, false}};
  ContactBuffer<2, double> contacts;
  Workspace<2, double> workspace;
  const std::string text = error_of([&] { collide(scene, contacts, workspace); });
  EXPECT_NE(text.find("halfspace.normal[0] has -0.84"), text.npos) << text;  // -sin(1)
}

TEST(replicate, gives_every_world_shapes_and_bodies_of_its_own) {
  // A pair of spheres on one body each, which are excluded, a third that meets both, and a floor
  // that all worlds share.
  SceneColumns<3, float> scene;
  scene.spheres.center = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  scene.spheres.radius = {1, 2, 3};
  scene.spheres.body = {0, 1, -1};
  scene.spheres.owner = {4, 5, 6};
  scene.halfspaces.normal = {{0, 0, 1}};
  scene.halfspaces.offset = {0};
  scene.halfspaces.world = {-1};
  scene.excluded = {{1, 0}, {0, 3}};
  scene.excluded_bodies = {{1, 0}};
  scene.bodies.position = {{0, 0, 10}, {1, 0, 10}};
  scene.bodies.turn = {{0, 0, 0, 1}, {0, 0, 1, 0}};
  SceneColumns<3, float> farm;
  replicate(scene, 3, farm);
  EXPECT_TRUE((validate<3, float>(farm).empty()));
  ASSERT_EQ(row_count(farm.spheres), 9u);
  ASSERT_EQ(row_count(farm.halfspaces), 1u);
  EXPECT_EQ(farm.halfspaces.world[0], -1);
  const std::int32_t bodies[9] = {0, 1, -1, 2, 3, -1, 4, 5, -1};
  for (std::size_t row = 0; row < 9; ++row) {
    EXPECT_EQ(farm.spheres.world[row], static_cast<std::int32_t>(row / 3));
    EXPECT_EQ(farm.spheres.body[row], bodies[row]);
    EXPECT_EQ(farm.spheres.radius[row], static_cast<float>(1 + row % 3));
    EXPECT_EQ(farm.spheres.owner[row], static_cast<std::int32_t>(4 + row % 3));
  }
  ASSERT_EQ(farm.bodies.position.size(), 6u);
  EXPECT_EQ(farm.bodies.position(5, 0), 1);
  EXPECT_EQ(farm.bodies.turn(5, 2), 1);
  // The floor is shape 9 of 10; its exclusion holds in every world.
  const std::int32_t excluded[6][2] = {{1, 0}, {4, 3}, {7, 6}, {0, 9}, {3, 9}, {6, 9}};
  ASSERT_EQ(farm.excluded.size(), 6u);
  for (std::size_t row = 0; row < 6; ++row) {
    EXPECT_EQ(farm.excluded(row, 0), excluded[row][0]);
    EXPECT_EQ(farm.excluded(row, 1), excluded[row][1]);
  }
  ASSERT_EQ(farm.excluded_bodies.size(), 3u);
  EXPECT_EQ(farm.excluded_bodies(2, 0), 5);
  EXPECT_EQ(farm.excluded_bodies(2, 1), 4);
  // In world 1 both bodies come down to the floor: spheres 0 and 1 meet sphere 2 there, which
  // stands in the floor in every world, and sphere 1 the floor, from which 0 is excluded.
  farm.bodies.position.set(2, {0, 0, 0});
  farm.bodies.position.set(3, {0, 0, 0});
  ContactBuffer<3, float> contacts;
  Workspace<3, float> workspace;
  CollideOptions options;
  options.order = Order::id;
  collide(farm, contacts, workspace, options);
  const std::vector<Pair> expected{{2, 9}, {3, 5}, {4, 5}, {4, 9}, {5, 9}, {8, 9}};
  ASSERT_EQ(contacts.size(), expected.size());
  Column<std::int32_t, 2> by_body;
  contact_bodies(farm, contacts, by_body);
  const std::int32_t expected_bodies[6][2] = {{-1, -1}, {2, -1},  {3, -1},
                                              {3, -1},  {-1, -1}, {-1, -1}};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(contacts.pair[i], expected[i]);
    EXPECT_EQ(by_body(i, 0), expected_bodies[i][0]);
    EXPECT_EQ(by_body(i, 1), expected_bodies[i][1]);
  }
}

TEST(replicate, gives_each_world_the_contacts_of_the_template) {
  const SceneColumns<3, float> scene = carried_scene<float>(300, 12, 11);
  ContactBuffer<3, float> one, all;
  Workspace<3, float> workspace;
  CollideOptions options;
  options.order = Order::world;
  collide(scene, one, workspace, options);
  ASSERT_GT(one.size(), 20u);
  SceneColumns<3, float> farm;
  replicate(scene, 16, farm);
  collide(farm, all, workspace, options);
  ASSERT_EQ(all.size(), 16 * one.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    ASSERT_EQ(all.depth[i], one.depth[i % one.size()]);
    ASSERT_EQ(numbers_of(all.normal, i), numbers_of(one.normal, i % one.size()));
  }
}

TEST(bodies, whose_pose_is_faulty_make_their_world_invalid_alone) {
  // A pair of touching spheres on a body, and an aabb on another, in each of 5 worlds.
  SceneColumns<3, float> pair;
  pair.spheres.center = {{0, 0, 0}, {1, 0, 0}};
  pair.spheres.radius = {0.5f, 0.5f};
  pair.spheres.body = {0, -1};
  pair.aabbs.min = {{5, 5, 5}};
  pair.aabbs.max = {{6, 6, 6}};
  pair.aabbs.body = {1};
  pair.bodies.position = {{0, 0, 0}, {0, 0, 0}};
  pair.bodies.turn = {{0, 0, 0, 1}, {0, 0, 0, 1}};
  SceneColumns<3, float> farm;
  replicate<3, float>(pair, 5, farm);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  farm.bodies.position(2, 1) = nan;       // world 1's first body
  farm.bodies.turn(4, 3) = 2;             // world 2's first body: no unit quaternion
  farm.bodies.turn.set(7, {1, 0, 0, 0});  // world 3's second body, which carries the aabb
  farm.spheres.body[8] = 10;              // world 4's: there are bodies 0 to 9
  std::vector<std::uint8_t> status(5, 9);
  CollideOptions options;
  ContactBuffer<3, float> contacts;
  Workspace<3, float> workspace;
  EXPECT_THROW((collide<3, float>(farm, contacts, workspace, options)), Error);
  options.world_status = status;
  collide<3, float>(farm, contacts, workspace, options);
  EXPECT_EQ(status, (std::vector<std::uint8_t>{0, 1, 1, 1, 1}));
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_EQ(contacts.pair[0], (Pair{0, 1}));
  // Left out, none of them is asked.
  const std::vector<std::uint8_t> mask{1, 0, 0, 0, 0};
  options.world_status = {};
  options.world_mask = mask;
  collide<3, float>(farm, contacts, workspace, options);
  EXPECT_EQ(contacts.size(), 1u);
}

TEST(bodies, errors_name_the_numbers_that_were_given) {
  SceneColumns<3, float> scene;
  scene.spheres.center = {{0, 0, 0}, {0, 0, 0}};
  scene.spheres.radius = {1, 1};
  scene.spheres.world = {0, 1};
  scene.spheres.body = {0, 1};
  scene.aabbs.min = {{5, 5, 5}};
  scene.aabbs.max = {{6, 6, 6}};
  scene.aabbs.world = {1};
  scene.bodies.position = {{0, 0, 0}, {0, 0, 0}};
  scene.bodies.turn = {{0, 0, 0, 1}, {0, 0, 0, 1}};
  const std::vector<std::uint8_t> mask{0, 1};
  const auto error_with = [&](const auto& change) {
    SceneColumns<3, float> changed = scene;
    change(changed);
    CollideOptions options;
    options.world_mask = mask;
    ContactBuffer<3, float> contacts;
    Workspace<3, float> workspace;
    return error_of([&] { collide<3, float>(changed, contacts, workspace, options); });
  };
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(error_with([&](auto&) {}), "no error");
  // A body of world 0, which is left out, then one of world 1.
  EXPECT_EQ(error_with([&](auto& changed) { changed.bodies.position(0, 1) = nan; }), "no error");
  EXPECT_EQ(error_with([&](auto& changed) { changed.bodies.position(1, 1) = nan; }).substr(0, 18),
            "bodies.position[1]");
  EXPECT_EQ(error_with([&](auto& changed) { changed.spheres.body[1] = 7; }).substr(0, 14),
            "sphere.body[1]");
  EXPECT_EQ(error_with([&](auto& changed) {
              changed.aabbs.body = {1};
              changed.bodies.turn.set(1, {1, 0, 0, 0});
            }).substr(0, 4),
            "aabb");
}

TEST(bodies, carry_what_misses_unit_length_by_no_more_than_is_accepted) {
  // The square of every quaternion and normal is 1.0001 less 1e-7: with the body's turn, too.
  const double length = std::sqrt(1.0001 - 1e-7);
  SceneColumns<3, float> scene;
  scene.bodies.position = {{1, 2, 3}};
  scene.bodies.turn = {{0.5f, 0.5f, 0.5f, 0.5f}};
  Random random(5);
  for (int i = 0; i < 300; ++i) {
    const Point<3> direction = random.direction<3>();
    const auto part = [&](int k) { return static_cast<float>(length * direction[k]); };
    scene.boxes.center.push_back({0, 0, 0});
    scene.boxes.half_extents.push_back({1, 1, 1});
    scene.boxes.turn.push_back({part(0), part(1), part(2), 0});
    scene.boxes.body.push_back({0});
    scene.halfspaces.normal.push_back({part(0), part(1), part(2)});
    scene.halfspaces.offset.push_back({1});
    scene.halfspaces.body.push_back({i % 2 - 1});
  }
  EXPECT_TRUE((validate<3, float>(scene).empty()));
  Workspace<3, float> workspace;
  EXPECT_NO_THROW((update_bounds<3, float>(scene, workspace)));
}

TEST(contact_bodies, refuses_a_column_that_is_too_short) {
  SceneColumns<3, float> scene;
  scene.spheres.center = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  scene.spheres.radius = {1, 1, 1};
  ContactBuffer<3, float> contacts;
  Workspace<3, float> workspace;
  collide<3, float>(scene, contacts, workspace);
  scene.spheres.body = {4};
  Column<std::int32_t, 2> bodies;
  EXPECT_EQ(error_of([&] { contact_bodies<3, float>(scene, contacts, bodies); }),
            "sphere.body has 1 rows, but sphere.center has 3");
}

}  // namespace
}  // namespace widephase::test
