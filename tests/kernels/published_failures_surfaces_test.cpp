// Failures of other libraries with height fields and triangles, from their issue trackers, rebuilt
// from the descriptions, and values of their tests. The answers are derived from the geometry. Each
// test names its thread.

#include <gtest/gtest.h>

#include <numbers>

#include <widephase/distance.hpp>

#include "support/mesh_judge.hpp"
#include "support/surface_answers.hpp"

namespace widephase::test {
namespace {

const Quaternion kLevel{0, 0, 0, 1};

PlacedField flat_field(std::size_t rows, std::size_t columns, double cell, double height = 0) {
  return level_field(
      height_samples(rows, columns, {cell, cell}, [&](double, double) { return height; }));
}

/// One patch, straight down, of this depth.
template <class T>
void expect_down(const std::vector<PatchAnswer<T>>& patches, double depth,
                 std::size_t least_points) {
  ASSERT_EQ(patches.size(), 1u) << describe(patches);
  EXPECT_LT(length(minus(patches[0].normal, Vec<3>{0, 0, -1})), 1e-6L) << describe(patches);
  EXPECT_NEAR(static_cast<double>(patches[0].depth), depth, 1e-6);
  EXPECT_GE(patches[0].points.size(), least_points) << describe(patches);
}

TEST(published_failures_surfaces, mujoco_689_a_ball_on_two_by_two_samples_has_one_contact) {
  // There 50: the ball met the prism of every subdivision. Here on the diagonal, off it, on an
  // edge.
  for (const Point<3> at : {Point<3>{5, 5, 0.9}, {3, 5, 0.9}, {0, 5, 0.9}, {10, 10, 0.9}}) {
    expect_down(ask_field<float>(flat_field(2, 2, 10), ball<3>(at, 1)), 0.1, 1);
    expect_down(ask_field<double>(flat_field(2, 2, 10), ball<3>(at, 1)), 0.1, 1);
  }
}

TEST(published_failures_surfaces, newton_3982_a_thin_box_below_the_top_is_pushed_up) {
  // There a skirt of 1 below the surface gave depth 1 and a normal down. The box's lower face is
  // 0.06 and 0.56 below the surface: the second one is wholly below.
  for (const double depth : {0.06, 0.56}) {
    const Solid<3> thin = box({4, 4, 0.02 - depth}, kLevel, {0.5, 0.5, 0.02});
    expect_down(ask_field<float>(flat_field(9, 9, 1), thin), depth, 3);
    expect_down(ask_field<double>(flat_field(9, 9, 1), thin), depth, 3);
  }
}

TEST(published_failures_surfaces, physx_502_shapes_at_the_rim) {
  // There the missing neighbour of a triangle at the rim was read. Over, on and beside the border
  // and the corner, every kind; the judge looks at each.
  Random random(502);
  const PlacedField field = flat_field(3, 3, 1);
  for (const Kind kind : kConvexKinds) {
    for (int i = 0; i < 20; ++i) {
      const Point<3> at{random.integer(0, 2) * 1.0 + random.uniform(-0.3, 0.3),
                        random.integer(0, 1) * 2.0 + random.uniform(-0.3, 0.3), 0.4};
      ask_field<float>(field, random_solid<3>(random, kind, at, 0.6));
    }
  }
}

TEST(published_failures_surfaces, rapier_524_a_slab_on_two_triangles_keeps_its_contacts) {
  // There the removal of internal edges removed what held the slab of 2 by 2 by 0.03.
  for (const double yaw : {0.0, 0.3, 0.785}) {
    for (const double x : {2.0, 2.5, 3.0}) {
      const Solid<3> slab = box({x, 2.7, 0.01}, about({0, 0, 1}, yaw), {1, 1, 0.015});
      expect_down(ask_field<float>(flat_field(2, 2, 6), slab), 0.005, 4);
      expect_down(ask_field<double>(flat_field(2, 2, 6), slab), 0.005, 4);
    }
  }
}

/// Two flat fields of 4 by 4 cells that meet along x = 4.
template <class T>
SurfaceScene<T> two_fields(bool are_neighbours) {
  SurfaceScene<T> scene;
  PlacedField field = flat_field(5, 5, 1);
  scene.add(field);
  field.center = {4, 0, 0};
  scene.add(field);
  if (are_neighbours) {
    scene.scene.heightfield_geometries.neighbours.push_back({-1, 1, -1, -1});
    scene.scene.heightfield_geometries.neighbours.push_back({0, -1, -1, -1});
  }
  return scene;
}

TEST(published_failures_surfaces, rapier_182_jolt_1922_nothing_falls_or_bumps_between_two_fields) {
  // There a box fell through the gap; with overlapping chunks a wheel bumped at the seam.
  Random random(182);
  for (const bool are_neighbours : {true, false}) {
    SurfaceScene<float> input = two_fields<float>(are_neighbours);
    std::vector<Solid<3>> solids;
    for (int i = 0; i < 40; ++i) {
      const double at = 4 + (i % 3 == 0 ? 0 : random.uniform(-0.3, 0.3));
      solids.push_back(i % 2 == 0 ? ball<3>({at, 2.2, 0.245}, 0.25)
                                  : box({at, 2.2, 0.245}, about({0, 0, 1}, random.uniform(0, 3)),
                                        {0.4, 0.3, 0.25}));
      input.add_pair(solids.back(), 0);
      input.add_pair(solids.back(), 1);
    }
    input.name_pairs();
    ContactBuffer<3, float> contacts;
    Workspace<3, float> workspace;
    collide_pairs<3, float>(input.scene, input.pairs, contacts, workspace);
    for (std::size_t i = 0; i < solids.size(); ++i) {
      auto patches = patches_of(contacts, static_cast<std::int64_t>(2 * i));
      const auto right = patches_of(contacts, static_cast<std::int64_t>(2 * i + 1));
      patches.insert(patches.end(), right.begin(), right.end());
      bool is_held = false;
      for (const auto& patch : patches) {
        const bool is_down = patch.normal[2] < -0.999999L;
        is_held = is_held || (is_down && std::abs(patch.depth - 0.005L) < 1e-6L);
        // Without neighbours the border is felt, as any border is.
        if (are_neighbours) {
          EXPECT_TRUE(is_down) << describe(solids[i]) << describe(patches);
        }
      }
      EXPECT_TRUE(is_held) << describe(solids[i]) << describe(patches);
      // A box across the seam is held on both sides.
      if (are_neighbours && solids[i].kind == Kind::box) {
        EXPECT_EQ(patches.size(), 2u) << describe(solids[i]);
      }
    }
  }
}

TEST(published_failures_surfaces, newton_4065_a_ball_falls_into_a_channel) {
  // There the mesh of a U was replaced by its hull, and the ball lay on top. The channel is 3 deep,
  // its bottom 7 wide.
  const PlacedField wide = level_field(
      height_samples(3, 10, {1, 4}, [](double x, double) { return x < 0.5 || x > 8.5 ? 3. : 0.; }));
  EXPECT_TRUE(ask_field<float>(wide, ball<3>({4.5, 4, 2.5}, 1)).empty());
  expect_down(ask_field<float>(wide, ball<3>({4.5, 4, 0.9}, 1)), 0.1, 1);
  // Wedged between wall and bottom: 3 up per 1, so the wall's normal is (3, 0, 1) / sqrt(10).
  const auto wedged = ask_field<double>(wide, ball<3>({1.5, 4, 0.9}, 1));
  EXPECT_EQ(wedged.size(), 2u) << describe(wedged);
}

TEST(published_failures_surfaces, fcl_106_the_points_of_a_box_lie_within_its_face) {
  // There points beside the face. Four within the box's lower face, each on the surface: the judge
  // looks; they span it.
  for (const double yaw : {0.0, 0.1, 0.7}) {
    const Solid<3> solid = box({3.3, 3.6, 0.49}, about({0, 0, 1}, yaw), {1, 1, 0.5});
    const auto patches = ask_field<double>(flat_field(9, 9, 1), solid);
    expect_down(patches, 0.01, 4);
    EXPECT_NEAR(area_of_points(patches[0]), 4, 1e-6);
  }
}

TEST(published_failures_surfaces, mujoco_2420_and_newton_1807_every_kind_meets_a_field) {
  Random random(2420);
  for (const Kind kind : kConvexKinds) {
    Solid<3> solid = random_solid<3>(random, kind, {0, 0, 0}, 0.7);
    const double low = static_cast<double>(core_support(solid, {0, 0, -1}) + radius_of(solid));
    solid = moved(solid, {4.1, 3.8, low - 0.01});
    expect_down(ask_field<double>(flat_field(9, 9, 1), solid), 0.01, 1);
  }
}

TEST(published_failures_surfaces, godot_proposals_11531_nothing_meets_a_hole) {
  PlacedField field = flat_field(9, 9, 1);
  field.samples.at(4, 4) = std::nan("");
  EXPECT_TRUE(ask_field<float>(field, ball<3>({4, 4, 0.1}, 0.5)).empty());
  EXPECT_EQ(ask_field<float>(field, ball<3>({2.5, 4.2, 0.4}, 0.5)).size(), 1u);
}

TEST(published_failures_surfaces, bullet3_92_and_rapier_95_no_bump_on_level_ground) {
  // A ball and a box that slide over cells of 0.1: the ground's normal all the way.
  for (int i = 0; i < 300; ++i) {
    const double x = 0.5 + i * 0.0137, y = 1.9 - i * 0.0021;
    for (const Solid<3>& solid : {ball<3>({x, y, 0.095}, 0.1),
                                  box({x, y, 0.098}, about({0, 0, 1}, 0.2), {0.2, 0.1, 0.1})}) {
      const auto patches = ask_field<float>(flat_field(24, 50, 0.1), solid);
      ASSERT_EQ(patches.size(), 1u) << describe(solid) << describe(patches);
      EXPECT_LT(length(minus(patches[0].normal, Vec<3>{0, 0, -1})), 1e-6L);
    }
  }
}

TEST(published_failures_surfaces, jolt_338_and_sbox_1523_triangles_without_area_change_nothing) {
  // There a crash. Beside two triangles slivers of no width: of one vertex, of two, of three in a
  // line along the edge that they share.
  PlacedMesh mesh;
  mesh.vertices = {{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {0, 4, 0}, {2, 2, 0}};
  mesh.triangles = {{0, 0, 0}, {0, 1, 2}, {2, 2, 0}, {0, 4, 2}, {2, 4, 0}, {0, 2, 3}, {1, 1, 2}};
  for (const double x : {1.9, 2.0, 2.1}) {
    for (const Solid<3>& solid :
         {ball<3>({x, 2, 0.49}, 0.5), box({x, 2, 0.49}, kLevel, {0.4, 0.3, 0.5})}) {
      SceneColumns<3, float> scene;
      append(scene, solid);
      append(scene, mesh);
      ContactBuffer<3, float> contacts;
      Workspace<3, float> workspace;
      collide<3, float>(scene, contacts, workspace);
      ASSERT_EQ(contacts.size(), 1u) << describe(solid);
      EXPECT_EQ(contacts.normal(0, 2), -1);
      EXPECT_NEAR(contacts.depth[0], 0.01f, 1e-6f);
    }
  }
}

TEST(published_failures_surfaces, mujoco_warp_528_no_more_patches_than_asked) {
  // There a box on rough ground had tens of contacts, and its users wanted four.
  Random random(528);
  const PlacedField rough = level_field(
      height_samples(33, 33, {0.25, 0.25}, [&](double, double) { return random.uniform(0, 0.2); }));
  const std::vector<Solid<3>> solids{box({4, 4, 0.5}, kLevel, {1.4, 1.4, 0.4})};
  CollideOptions options;
  EXPECT_GT(ask_all<float>(rough, solids, options)[0].size(), 4u);
  options.most_patches = 4;
  EXPECT_EQ(ask_all<float>(rough, solids, options)[0].size(), 4u);
}

TEST(published_failures_surfaces, physx_289_and_jolt_682_sides_are_as_the_mesh_says) {
  for (const bool is_two_sided : {false, true}) {
    PlacedMesh mesh;
    mesh.is_two_sided = is_two_sided;
    mesh.vertices = {{0, 0, 0}, {4, 0, 0}, {4, 4, 0}};
    mesh.triangles = {{0, 1, 2}};
    for (const double side : {1.0, -1.0}) {
      SceneColumns<3, float> scene;
      append(scene, ball<3>({3, 1, side * 0.375}, 0.5));
      append(scene, mesh);
      ContactBuffer<3, float> contacts;
      Workspace<3, float> workspace;
      collide<3, float>(scene, contacts, workspace);
      ASSERT_EQ(contacts.size(), side > 0 || is_two_sided ? 1u : 0u);
      if (contacts.size() == 0) continue;
      EXPECT_EQ(contacts.normal(0, 2), static_cast<float>(-side));
      EXPECT_EQ(contacts.depth[0], 0.125f);
    }
  }
}

/// The two-sided surface of a cone or an ellipsoid about the origin: rings of 16 vertices between
/// its ends along z.
PlacedMesh rings_of(const Solid<3>& round) {
  constexpr int kEach = 16;
  const double end = round.q[2];
  std::vector<Point<3>> rings;  // z, then the radii along x and y
  if (round.kind == Kind::cone) rings.push_back({-end, round.size, round.size});
  for (int k = 1; k < kEach && round.kind == Kind::ellipsoid; ++k) {
    const double angle = std::numbers::pi * k / kEach, wide = std::sin(angle);
    rings.push_back({end * std::cos(angle), round.q[0] * wide, round.q[1] * wide});
  }
  PlacedMesh mesh;
  mesh.is_two_sided = true;
  mesh.vertices = {{0, 0, end}, {0, 0, -end}};
  for (std::size_t r = 0; r < rings.size(); ++r) {
    const auto first = static_cast<std::int32_t>(mesh.vertices.size());
    for (int i = 0; i < kEach; ++i) {
      const double angle = 2 * std::numbers::pi * i / kEach;
      mesh.vertices.push_back(
          {rings[r][1] * std::cos(angle), rings[r][2] * std::sin(angle), rings[r][0]});
      const std::int32_t here = first + i, next = first + (i + 1) % kEach;
      mesh.triangles.push_back({r == 0 ? 0 : here - kEach, here, next});
      if (r > 0) mesh.triangles.push_back({here - kEach, next, next - kEach});
      if (r + 1 == rings.size()) mesh.triangles.push_back({1, next, here});
    }
  }
  return mesh;
}

// FCL, test_fcl_shape_mesh_consistency.cpp (e5efcc41), and coal, shape_mesh_consistency.cpp
// (cf759661): a cone or an ellipsoid and another at `apart` answer as with the other's mesh. They
// allow a twentieth; vertices lie where these meet, so that it takes none.
template <class T>
void expect_consistent(const Solid<3>& solid, const Solid<3>& meshed, const Point<3>& apart,
                       bool is_contact, double distance = 0) {
  SceneColumns<3, T> scene;
  append(scene, solid);
  PlacedMesh mesh = rings_of(meshed);
  mesh.center = apart;
  append(scene, mesh);
  const std::vector<Pair> pair{{0, 1}};
  Workspace<3, T> workspace;
  ContactBuffer<3, T> contacts;
  collide_pairs<3, T>(scene, pair, contacts, workspace);
  EXPECT_EQ(contacts.size() > 0, is_contact) << apart[0] << ' ' << apart[2];
  if (distance == 0) return;
  DistanceBuffer<3, T> found;
  distances<3, T>(scene, pair, found, workspace);
  EXPECT_NEAR(static_cast<double>(found.distance[0]), distance, sizeof(T) == 4 ? 1e-5 : 1e-13);
}

template <class T>
void expect_all_consistent() {
  const Solid<3> pointed = cone({0, 0, 0}, kLevel, 5, 5);
  expect_consistent<T>(pointed, pointed, {9.9, 0, 0}, true);
  expect_consistent<T>(pointed, pointed, {0, 0, 9.9}, true);
  expect_consistent<T>(pointed, pointed, {0, 0, -9.9}, true);
  for (const double x : {10.1, 15.0, 20.0}) {
    expect_consistent<T>(pointed, pointed, {x, 0, 0}, false, x - 10);
  }
  expect_consistent<T>(pointed, pointed, {0, 0, 10.1}, false, 0.1);
  expect_consistent<T>(pointed, pointed, {0, 0, -10.1}, false, 0.1);
  const Solid<3> large = ellipsoid({0, 0, 0}, kLevel, {20, 40, 50});
  const Solid<3> small = ellipsoid({0, 0, 0}, kLevel, {10, 10, 10});
  expect_consistent<T>(large, small, {0, 0, 0}, true);
  // Within a mesh there is nothing to meet: the nearest of it is 10 away, at its sides along x.
  expect_consistent<T>(small, large, {0, 0, 0}, false);
  for (const bool is_large : {false, true}) {
    const Solid<3>&one = is_large ? large : small, &other = is_large ? small : large;
    for (const double x : {29.9, -29.9}) expect_consistent<T>(one, other, {x, 0, 0}, true);
    expect_consistent<T>(one, other, {30.1, 0, 0}, false, 0.1);
    expect_consistent<T>(one, other, {40, 0, 0}, false, 10);
  }
}

TEST(published_failures_surfaces, fcl_and_coal_cones_and_ellipsoids_are_as_their_meshes) {
  expect_all_consistent<float>();
  expect_all_consistent<double>();
}

}  // namespace
}  // namespace widephase::test
