// Shapes against height fields: ground cut into triangles is the halfspace, whatever the cut; ways
// out of ridges, hills and cliffs; holes, borders and seams; every call, precision and number of
// threads.
// Labels: threads own-sets valgrind

#include <gtest/gtest.h>

#include <cmath>

#include "support/ground.hpp"

namespace widephase::test {
namespace {

template <class T>
class heightfield_contacts : public ::testing::Test {};
template <class Scalar>
struct In {
  using T = Scalar;
};
using Precisions = ::testing::Types<In<float>, In<double>, In<Mixed>>;
TYPED_TEST_SUITE(heightfield_contacts, Precisions);

TYPED_TEST(heightfield_contacts, level_and_tilted_ground_is_the_halfspace_for_every_shape) {
  using T = typename TypeParam::T;
  using Size = SizeOf<T>;
  // A plane that rises by `slope` along x and half as much along y, once as a field of cells of
  // 0.1 and once as a halfspace.
  for (const double slope : {0.0, 1e-6, 1e-3, 0.02, 0.4}) {
    Random random(7);
    Ground<T> field;
    const auto z = [&](double x, double y) { return slope * x + 0.5 * slope * y; };
    add_shapes<T>(random, 160, 6, z, field);
    Ground<T> plane = field;
    field.place_field(field.add_field(
        61, 61, 0.1, [&](int row, int column) { return z(0.1 * column, 0.1 * row); }));
    const double size = std::sqrt(1 + 1.25 * slope * slope);
    plane.scene.halfspaces.normal.push_back(
        plane.size({-slope / size, -0.5 * slope / size, 1 / size}));
    plane.scene.halfspaces.offset.push_back({0});
    CollideOptions options;
    options.margin = 0.02;
    options.order = Order::id;
    const std::int32_t shapes = field.field_id();
    std::vector<Pair> pairs;
    const std::int32_t halfspace = layout_of(plane.scene).id(Kind::halfspace, 0);
    for (std::int32_t i = 0; i < shapes; ++i) pairs.push_back({i, shapes});
    Workspace<3, T> workspace;
    ContactBuffer<3, T> found, expected;
    collide_pairs(field.scene, std::span<const Pair>(pairs), found, workspace, options);
    for (std::int32_t i = 0; i < shapes; ++i) {
      const std::int32_t id = i < halfspace ? i : i + 1;
      pairs[static_cast<std::size_t>(i)] =
          id < halfspace ? Pair{id, halfspace} : Pair{halfspace, id};
    }
    options.order = Order::source;
    collide_pairs(plane.scene, std::span<const Pair>(pairs), expected, workspace, options);
    const double near = sizeof(Size) == 4 ? 3e-6 : 1e-13;
    std::size_t at = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (expected.depth[i] < -0.02 + near) continue;
      ASSERT_LT(at, found.size());
      const auto shape = static_cast<std::int32_t>(expected.source[i]);
      while (at < found.size() && found.pair[at].a < shape && found.depth[at] < -0.02 + near) ++at;
      ASSERT_EQ(found.pair[at].a, shape) << "slope " << slope;
      EXPECT_NEAR(found.depth[at], expected.depth[i], near)
          << "slope " << slope << " shape " << shape;
      const Size sign = expected.pair[i].a == halfspace ? -1 : 1;
      for (int k = 0; k < 3; ++k) {
        EXPECT_NEAR(found.normal(at, k), sign * expected.normal(i, k), 10 * near)
            << "slope " << slope << " shape " << shape;
      }
      for (std::int64_t p = found.offset[at]; p < found.offset[at + 1]; ++p) {
        const auto point = static_cast<std::size_t>(p);
        // The partner is on the plane.
        double height = 0;
        const double n[3] = {-slope / size, -0.5 * slope / size, 1 / size};
        for (int k = 0; k < 3; ++k) {
          height += n[k] * (static_cast<double>(found.point(point, k)) -
                            static_cast<double>(found.point_depth[point]) * found.normal(at, k));
        }
        EXPECT_NEAR(height, 0, 10 * near);
        EXPECT_EQ(found.part(point, 0), -1);
        EXPECT_GE(found.part(point, 1), 0);
      }
      ++at;
      ASSERT_TRUE(at == found.size() || found.pair[at].a != shape)
          << "a second patch of shape " << shape << ", slope " << slope;
    }
  }
}

TYPED_TEST(heightfield_contacts, pairs_named_the_other_way_round_are_mirrored) {
  using T = typename TypeParam::T;
  Random random(11);
  Ground<T> ground;
  const auto z = [](double x, double y) { return 0.2 * std::sin(3 * x) * std::cos(2 * y); };
  add_shapes<T>(random, 80, 4, z, ground);
  ground.place_field(ground.add_field(
      41, 41, 0.1, [&](int row, int column) { return z(0.1 * column, 0.1 * row); }));
  std::vector<Pair> forward, backward;
  for (std::int32_t i = 0; i < ground.field_id(); ++i) {
    forward.push_back({i, ground.field_id()});
    backward.push_back({ground.field_id(), i});
  }
  Workspace<3, T> workspace;
  ContactBuffer<3, T> a, b;
  collide_pairs(ground.scene, std::span<const Pair>(forward), a, workspace);
  collide_pairs(ground.scene, std::span<const Pair>(backward), b, workspace);
  ASSERT_EQ(a.size(), b.size());
  ASSERT_GT(a.size(), 40u);
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a.pair[i].a, b.pair[i].b);
    EXPECT_EQ(a.depth[i], b.depth[i]);
    ASSERT_EQ(a.offset[i], b.offset[i]);
    for (int k = 0; k < 3; ++k) EXPECT_EQ(a.normal(i, k), 0 - b.normal(i, k));
    for (auto p = static_cast<std::size_t>(a.offset[i]);
         p < static_cast<std::size_t>(a.offset[i + 1]); ++p) {
      EXPECT_EQ(a.part(p, 1), b.part(p, 0));
      EXPECT_EQ(a.feature[p] << 16 | a.feature[p] >> 16, b.feature[p]);
      for (int k = 0; k < 3; ++k) {
        const double partner = static_cast<double>(a.point(p, k)) -
                               static_cast<double>(a.point_depth[p]) * a.normal(i, k);
        EXPECT_NEAR(partner, static_cast<double>(b.point(p, k)), 1e-6);
      }
    }
  }
}

TYPED_TEST(heightfield_contacts, threads_and_sets_change_no_bit) {
  using T = typename TypeParam::T;
  Random random(13);
  Ground<T> ground;
  const auto z = [](double x, double y) { return 0.1 * std::sin(9 * x) * std::cos(7 * y); };
  add_shapes<T>(random, 800, 8, z, ground);
  ground.place_field(ground.add_field(
      81, 81, 0.1, [&](int row, int column) { return z(0.1 * column, 0.1 * row); }));
  expect_alike_on_threads_and_sets(ground.scene);
  const ContactBuffer<3, T> all = contacts_of(ground.scene);
  Workspace<3, T> workspace;
  std::size_t points = 0, contacts = 0;
  stream_collide<3, T>(
      ground.scene,
      [&](const ContactBuffer<3, T>& chunk) {
        contacts += chunk.size();
        points += chunk.point_count();
        ASSERT_EQ(chunk.part.size(), chunk.point_count());
      },
      workspace);
  EXPECT_EQ(contacts, all.size());
  EXPECT_EQ(points, all.point_count());
}

TYPED_TEST(heightfield_contacts, every_call_agrees) {
  using T = typename TypeParam::T;
  Random random(17);
  Ground<T> ground;
  const auto z = [](double x, double y) { return 0.3 * std::sin(2 * x) * std::cos(3 * y); };
  add_shapes<T>(random, 160, 5, z, ground);
  ground.place_field(ground.add_field(
      51, 51, 0.1, [&](int row, int column) { return z(0.1 * column, 0.1 * row); }));
  std::vector<Pair> pairs;
  for (std::int32_t i = 0; i < ground.field_id(); ++i) pairs.push_back({i, ground.field_id()});
  Workspace<3, T> workspace;
  ContactBuffer<3, T> contacts;
  collide_pairs(ground.scene, std::span<const Pair>(pairs), contacts, workspace);
  std::vector<std::uint8_t> is_contact(pairs.size());
  test_pairs<3, T>(ground.scene, pairs, is_contact, workspace);
  DistanceBuffer<3, T> rows;
  distances<3, T>(ground.scene, pairs, rows, workspace);
  std::vector<double> deepest(pairs.size(), -1e9);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    double& most = deepest[static_cast<std::size_t>(contacts.source[i])];
    most = std::max(most, static_cast<double>(contacts.depth[i]));
  }
  int touching = 0, apart = 0;
  double least = 1e9;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    EXPECT_EQ(is_contact[i] != 0, deepest[i] >= 0);
    least = std::min(least, static_cast<double>(rows.distance[i]));
    if (deepest[i] >= 0) {
      ++touching;
      EXPECT_NEAR(rows.distance[i], -deepest[i], 1e-5) << "shape " << i;
    } else {
      ++apart;
      EXPECT_GE(rows.distance[i], -1e-6);
    }
  }
  EXPECT_GT(touching, 40);
  EXPECT_GT(apart, 40);
  std::vector<std::uint8_t> any(1);
  any_contact<3, T>(ground.scene, any, workspace);
  EXPECT_EQ(any[0], 1);
  // Shapes of one owner never meet: what is left are the pairs with the field.
  for (const std::size_t rows_of : {ground.scene.spheres.center.size()}) {
    for (std::size_t i = 0; i < rows_of; ++i) ground.scene.spheres.owner.push_back({1});
  }
  WorldDistanceBuffer<3, T> worlds;
  min_distance<3, T>(ground.scene, worlds, workspace);
  ASSERT_EQ(worlds.distance.size(), 1u);
  EXPECT_LE(worlds.distance[0], least + 1e-6);
}

TEST(heightfield_cases, a_box_on_a_roof_of_many_small_triangles_leaves_it_upwards) {
  // Slopes of 45 degrees that meet at x = 0.6. The box's lower side is at -0.02: 0.02 deep. Each
  // slope's own normal would move it sideways by more than its half width.
  Ground<double> ground;
  ground.place_field(ground.add_field(
      61, 61, 0.02, [](int, int column) { return -0.02 * std::abs(column - 30); }));
  ground.add_box({0.6, 0.6, 0.28}, {0.3, 0.3, 0.3});
  const ContactBuffer<3, double> contacts = contacts_of(ground.scene);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_NEAR(contacts.normal(0, 2), -1, 1e-12);
  EXPECT_NEAR(contacts.depth[0], 0.02, 1e-12);
}

TEST(heightfield_cases, a_box_on_a_hill_has_one_patch_as_deep_as_the_top) {
  // z = -(x^2 + y^2) / 2 about (0.8, 0.8); the box's lower side is at -0.01.
  Ground<double> ground;
  ground.place_field(ground.add_field(81, 81, 0.02, [](int row, int column) {
    const double x = 0.02 * (column - 40), y = 0.02 * (row - 40);
    return -0.5 * (x * x + y * y);
  }));
  ground.add_box({0.8, 0.8, 0.09}, {0.1, 0.1, 0.1});
  const ContactBuffer<3, double> contacts = contacts_of(ground.scene);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_NEAR(contacts.normal(0, 2), -1, 1e-9);
  EXPECT_NEAR(contacts.depth[0], 0.01, 1e-9);
}

TEST(heightfield_cases, a_box_in_a_cliff_is_pushed_out_of_the_wall_not_up) {
  // A step of height 1 between x = 0.58 and 0.6; the box reaches 0.01 into it, far below its top.
  Ground<double> ground;
  ground.place_field(
      ground.add_field(61, 61, 0.02, [](int, int column) { return column >= 30 ? 1.0 : 0.0; }));
  ground.add_box({0.49, 0.6, 0.3}, {0.1, 0.1, 0.1});
  const ContactBuffer<3, double> contacts = contacts_of(ground.scene);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_GT(contacts.normal(0, 0), 0.99);
  EXPECT_LT(contacts.depth[0], 0.02);
}

TEST(heightfield_cases, shapes_below_the_ground_are_pushed_up) {
  for (const Kind kind : kShapes) {
    Ground<double> ground;
    ground.place_field(ground.add_field(41, 41, 0.1, [](int, int) { return 0.0; }));
    // Its middle is 3 below: it leaves by 3 and its extent below the middle.
    ground.add(kind, {2, 2, -3}, {0.25, 0.25, 0.25}, kLevel);
    const ContactBuffer<3, double> contacts = contacts_of(ground.scene);
    ASSERT_EQ(contacts.size(), 1u) << kind_name(kind, 3);
    EXPECT_NEAR(contacts.normal(0, 2), -1, 1e-12);
    const double below = kind == Kind::capsule ? 0.5 : 0.25;
    EXPECT_NEAR(contacts.depth[0], 3 + below, 1e-9) << kind_name(kind, 3);
  }
}

TEST(heightfield_cases, holes_have_no_triangles) {
  // The sample under the ball is missing: the six triangles at it are holes.
  Ground<float> ground;
  ground.place_field(ground.add_field(
      5, 5, 1, [](int row, int column) { return row == 2 && column == 2 ? kHole : 0.0; }));
  ground.add_sphere({2, 2, 0.1}, 0.5);
  EXPECT_EQ(contacts_of(ground.scene).size(), 0u);
  for (int k = 0; k < 3; ++k) ground.scene.spheres.center(0, k) = k < 2 ? 0.5f : 0.4f;
  EXPECT_EQ(contacts_of(ground.scene).size(), 1u);
}

TEST(heightfield_cases, a_ball_on_two_by_two_samples_has_one_contact) {
  Ground<float> ground;
  ground.place_field(ground.add_field(2, 2, 1, [](int, int) { return 0.0; }));
  ground.add_sphere({0.5, 0.5, 0.4}, 0.5);
  const ContactBuffer<3, float> contacts = contacts_of(ground.scene);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_EQ(contacts.point_count(), 1u);
  EXPECT_EQ(contacts.part(0, 1), 0);  // on the diagonal: named by the lower triangle
}

TEST(heightfield_cases, a_seam_between_neighbours_is_not_felt) {
  // Two fields side by side, 2 wide each, the second from x = 2 on. A ball rolls over the seam.
  Ground<double> ground;
  const std::int32_t left = ground.add_field(5, 5, 0.5, [](int, int) { return 0.0; });
  const std::int32_t right = ground.add_field(5, 5, 0.5, [](int, int) { return 0.0; });
  ground.place_field(left);
  ground.place_field(right, {2, 0, 0});
  ground.add_sphere({2.05, 1.1, 0.19}, 0.2);
  const auto has_ghost = [&] {
    const ContactBuffer<3, double> contacts = contacts_of(ground.scene);
    bool is_any = false;
    for (std::size_t i = 0; i < contacts.size(); ++i) is_any |= contacts.normal(i, 2) > -0.9999;
    EXPECT_GE(contacts.size(), 1u);
    return is_any;
  };
  EXPECT_TRUE(has_ghost());  // each field alone feels its border
  ground.scene.heightfield_geometries.neighbours.push_back({-1, right, -1, -1});
  ground.scene.heightfield_geometries.neighbours.push_back({left, -1, -1, -1});
  EXPECT_FALSE(has_ghost());
}

TEST(heightfield_cases, halfspaces_touch_the_lowest_samples) {
  // A bowl whose middle sample is 0.25 below the plane z = 0 and whose rim is above.
  Ground<double> ground;
  ground.place_field(ground.add_field(5, 5, 1, [](int row, int column) {
    return 0.5 * ((row - 2) * (row - 2) + (column - 2) * (column - 2)) - 0.25;
  }));
  ground.scene.halfspaces.normal.push_back({0, 0, 1});
  ground.scene.halfspaces.offset.push_back({0});
  const ContactBuffer<3, double> contacts = contacts_of(ground.scene);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_EQ(contacts.normal(0, 2), 1);  // from the halfspace into the field
  EXPECT_NEAR(contacts.depth[0], 0.25, 1e-12);
  ASSERT_EQ(contacts.point_count(), 1u);
  EXPECT_NEAR(contacts.point(0, 0), 2, 1e-12);
  EXPECT_NEAR(contacts.point(0, 2), 0, 1e-12);
}

TEST(heightfield_cases, patches_of_a_corner_are_two_and_most_patches_keeps_the_deepest) {
  // A floor and a wall of 60 degrees that rises from x = 2; the ball touches both.
  Ground<double> ground;
  ground.place_field(ground.add_field(41, 41, 0.1, [](int, int column) {
    return column < 20 ? 0.0 : std::sqrt(3.0) * 0.1 * (column - 20);
  }));
  ground.add_sphere({1.89, 2.03, 0.195}, 0.2);
  CollideOptions options;
  ContactBuffer<3, double> contacts = contacts_of(ground.scene, options);
  ASSERT_EQ(contacts.size(), 2u);
  const double most = std::max(contacts.depth[0], contacts.depth[1]);
  options.most_patches = 1;
  Workspace<3, double> workspace;
  collide(ground.scene, contacts, workspace, options);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_EQ(contacts.depth[0], most);
  std::int64_t left_out = 0;
  for (const CollideStats::KindStats& kind : workspace.stats().kinds) left_out += kind.left_out;
  EXPECT_EQ(left_out, 1);
}

TEST(heightfield_cases, fields_of_any_numbers_end) {
  // Heights from 1e-6 to 1e9, needles, and shapes beside and far from them.
  Random random(19);
  for (int i = 0; i < 60; ++i) {
    Ground<float> ground;
    const double cell = std::pow(10, random.uniform(-5, 5));
    const double tall = std::pow(10, random.uniform(-6, 9));
    ground.place_field(ground.add_field(6, 7, cell, [&](int, int) {
      return random.uniform(0, 1) < 0.2 ? kHole : random.uniform(-tall, tall);
    }));
    for (const Kind kind : kShapes) {
      const double size = std::pow(10, random.uniform(-4, 4)) * cell;
      ground.add(kind,
                 {random.uniform(-2, 8) * cell, random.uniform(-2, 8) * cell,
                  random.uniform(-1, 1) * tall},
                 {size, 0.5 * size, 2 * size}, any_turn(random));
    }
    const ContactBuffer<3, float> contacts = contacts_of(ground.scene);
    for (std::size_t c = 0; c < contacts.size(); ++c) {
      double square = 0;
      for (int k = 0; k < 3; ++k) square += contacts.normal(c, k) * contacts.normal(c, k);
      EXPECT_NEAR(square, 1, 1e-4);
      EXPECT_TRUE(std::isfinite(contacts.depth[c]));
      EXPECT_LT(contacts.offset[c], contacts.offset[c + 1]);
    }
  }
}

}  // namespace
}  // namespace widephase::test
