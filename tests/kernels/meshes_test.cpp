// Meshes of triangles: as brute force over all triangles says for balls, as boxes, halfspaces and
// height fields where they are the same surface, and answered whatever they are made of.
// Labels: dated

#include <gtest/gtest.h>

#include <algorithm>

#include "support/mesh_patches.hpp"

namespace widephase::test {
namespace {

template <class T>
class mesh_contacts : public ::testing::Test {};
template <class Scalar>
struct In {
  using T = Scalar;
};
using Precisions = ::testing::Types<In<float>, In<double>, In<Mixed>>;
TYPED_TEST_SUITE(mesh_contacts, Precisions);

/// What rows of T hold.
template <class T>
double stored(double x) {
  return static_cast<double>(static_cast<SizeOf<T>>(x));
}

template <class T>
void expect_brute_force(MeshShape mesh, bool two_sided, std::uint64_t seed, double spread) {
  for (Point3d& p : mesh.vertices) {
    for (double& x : p) x = stored<T>(x);
  }
  Random random(seed);
  Ground<T> ground;
  std::vector<Point3d> centers;
  std::vector<double> radii;
  for (int i = 0; i < 300; ++i) {
    Point3d p = mesh.vertices[static_cast<std::size_t>(
        random.integer(0, static_cast<int>(mesh.vertices.size()) - 1))];
    for (double& x : p) x = stored<T>(x + random.uniform(-spread, spread));
    centers.push_back(p);
    radii.push_back(stored<T>(random.uniform(0.1, 1) * spread));
    ground.add_sphere(p, radii.back());
  }
  const double thickness = stored<T>(0.1 * spread);
  ground.place_mesh(ground.add_mesh_of(mesh.vertices, mesh.triangles, two_sided), {}, kLevel,
                    thickness);
  CollideOptions options;
  options.margin = stored<T>(0.05 * spread);
  options.patch_angle = 0;
  const auto answers = patches_of(ground.scene, options);
  std::size_t places = 0;
  for (std::size_t i = 0; i < centers.size(); ++i) {
    const double rounding = kLength<T> * spread;
    const double reach = radii[i] + thickness + options.margin;
    const auto wanted = near_places(mesh, two_sided, centers[i], reach, rounding);
    const auto is_same = [&](const NearPlace& place, const Patch& patch) {
      const Point3d off = minus(place.normal, patch.normal);
      const double depth = radii[i] + thickness - place.distance;
      return std::sqrt(product(off, off)) * place.distance < 20 * rounding &&
             std::abs(depth - patch.depth) < 4 * rounding;
    };
    for (const NearPlace& place : wanted) {
      ++places;
      if (place.unsure) continue;
      EXPECT_TRUE(std::any_of(answers[i].begin(), answers[i].end(),
                              [&](const Patch& patch) { return is_same(place, patch); }))
          << "ball " << i << " misses a place " << place.distance << " away; it has"
          << text_of(answers[i]);
    }
    for (const Patch& patch : answers[i]) {
      EXPECT_TRUE(std::any_of(wanted.begin(), wanted.end(),
                              [&](const NearPlace& place) { return is_same(place, patch); }))
          << "ball " << i << " of radius " << radii[i] << " at " << centers[i][0] << " "
          << centers[i][1] << " " << centers[i][2] << " has a patch of no place"
          << text_of({patch});
      EXPECT_FALSE(patch.points.empty());
    }
  }
  EXPECT_GT(places, 50u);
}

TYPED_TEST(mesh_contacts, of_balls_are_those_of_all_triangles) {
  using T = typename TypeParam::T;
  Random random(5);
  for (const bool two_sided : {false, true}) {
    SCOPED_TRACE(two_sided);
    SCOPED_TRACE(__LINE__);
    expect_brute_force<T>(bumpy_ball(random, 3, 0.1), two_sided, 1, 0.2);
    SCOPED_TRACE(__LINE__);
    expect_brute_force<T>(box_mesh({1, 0.5, 0.25}), two_sided, 2, 0.4);
    SCOPED_TRACE(__LINE__);
    expect_brute_force<T>(grid_mesh(12, 0.5, [&](int, int) { return random.uniform(-0.3, 0.3); }),
                          two_sided, 3, 0.5);
    SCOPED_TRACE(__LINE__);
    expect_brute_force<T>(moebius_band(24), two_sided, 4, 0.2);
    // Three sheets that meet in one edge, and one that repeats.
    MeshShape book;
    book.vertices = {{0, 0, 0}, {0, 1, 0}, {1, 0.5, 0}, {-1, 0.5, 0.3}, {-0.2, 0.5, 1}};
    book.triangles = {{0, 2, 1}, {0, 1, 3}, {0, 1, 4}, {1, 0, 2}, {0, 0, 1}};
    SCOPED_TRACE(__LINE__);
    expect_brute_force<T>(book, two_sided, 5, 0.5);
    // Beside its edge a ball is in front of one sheet and behind the other, equally far from both.
    Random turns(7);
    for (const int pieces : {1, 100}) {
      MeshShape knife = knife_mesh(pieces);
      const Quat q = any_turn(turns);
      for (Point3d& p : knife.vertices) p = turned(q, p);
      SCOPED_TRACE(__LINE__);
      expect_brute_force<T>(knife, two_sided, 6, 0.4);
    }
  }
}

/// Boxes, capsules, hulls, ... shallow in the top of a box, or at its edges and corners.
TYPED_TEST(mesh_contacts, of_twelve_triangles_are_those_of_the_box) {
  using T = typename TypeParam::T;
  const Point3d half{1, 0.75, 0.5};
  Random random(11);
  Ground<T> as_box, as_mesh;
  for (int i = 0; i < 200; ++i) {
    const Kind kind = kShapes[i % 8];
    const Quat q = any_turn(random);
    Point3d p, size;
    for (double& x : size) x = random.uniform(0.1, 0.3);
    // Over the top, well within it.
    for (int k = 0; k < 2; ++k) p[k] = random.uniform(-0.4, 0.4) * half[k];
    p[2] = half[2] + random.uniform(0.05, 0.3);
    for (Ground<T>* ground : {&as_box, &as_mesh}) ground->add(kind, p, size, q);
  }
  as_mesh.place_mesh(as_mesh.add_mesh_of(box_mesh(half).vertices, box_mesh(half).triangles));
  as_box.scene.aabbs.owner.clear();
  // The box is an aabb, so that it is the last of its kind only in a scene of its own pairs.
  const auto meshes = patches_of(as_mesh.scene);
  const std::int32_t shapes = layout_of(as_box.scene).shape_count();
  as_box.scene.halfspaces.normal.push_back(as_box.size({0, 0, 1}));
  as_box.scene.halfspaces.offset.push_back({static_cast<PositionOf<T>>(half[2])});
  SceneColumns<3, T> scene = as_box.scene;
  std::vector<Pair> pairs;
  const SceneLayout layout = layout_of(scene);
  for (std::int32_t id = 0; id < shapes; ++id) {
    // A halfspace comes before ellipsoids and cones.
    pairs.push_back(
        {id + (id >= layout.id(Kind::halfspace, 0) ? 1 : 0), layout.id(Kind::halfspace, 0)});
  }
  ContactBuffer<3, T> contacts;
  Workspace<3, T> workspace;
  collide_pairs<3, T>(scene, pairs, contacts, workspace);
  std::vector<std::vector<Patch>> plane(static_cast<std::size_t>(shapes));
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    plane[static_cast<std::size_t>(contacts.source[c])].push_back(patch_of(contacts, c));
  }
  for (std::size_t i = 0; i < plane.size(); ++i) {
    expect_alike(meshes[i], plane[i], 10 * kLength<T>, 1e-3, 0, false,
                 "shape " + std::to_string(i));
  }
}

/// The triangles of a convex body are as deep as the body, as long as the other's middle is
/// outside.
TYPED_TEST(mesh_contacts, of_convex_bodies_are_those_of_the_hull) {
  using T = typename TypeParam::T;
  Random random(61);
  const MeshShape ball = bumpy_ball(random, 2, 0);
  std::size_t touching = 0;
  for (int i = 0; i < 160; ++i) {
    const Kind kind = kShapes[i % 8];
    Ground<T> as_hull, as_mesh;
    Point3d p, size;
    double length = 0;
    for (double& x : p) x = random.uniform(-1, 1), length += x * x;
    for (double& x : size) x = random.uniform(0.1, 0.3);
    for (double& x : p) x *= random.uniform(1.02, 1.15) / std::sqrt(length);
    const Quat q = any_turn(random);
    as_mesh.add(kind, p, size, q);
    as_mesh.place_mesh(as_mesh.add_mesh_of(ball.vertices, ball.triangles));
    Column<SizeOf<T>, 3> points;
    for (const Point3d& vertex : ball.vertices) points.push_back(as_hull.size(vertex));
    // The first hull of the kind is the ball, so that both scenes have it second.
    as_hull.add(kind, p, size, q);
    const std::int32_t geometry = add_hull(as_hull.scene.geometries, points.span());
    as_hull.scene.hulls.center.push_back(as_hull.at({0, 0, 0}));
    as_hull.scene.hulls.turn.push_back(as_hull.turn(kLevel));
    as_hull.scene.hulls.geometry.push_back({geometry});
    const auto mesh = patches_of(as_mesh.scene)[0];
    const ContactBuffer<3, T> hull = contacts_of(as_hull.scene);
    if (hull.size() == 0) {
      EXPECT_TRUE(mesh.empty()) << text_of(mesh);
      continue;
    }
    ASSERT_EQ(hull.size(), 1u);
    ++touching;
    const auto depth = static_cast<double>(hull.depth[0]);
    // Where a shape leaves by two directions that are equally short, both may be patches.
    ASSERT_GE(mesh.size(), 1u) << kind_name(kind, 3) << " " << depth;
    double deepest = -1, least = 1;
    for (const Patch& patch : mesh) {
      deepest = std::max(deepest, patch.depth);
      least = std::min(least, patch.depth);
    }
    const double rounding = sizeof(SizeOf<T>) == 4 ? 2e-4 : 1e-6;
    EXPECT_NEAR(least, depth, rounding) << kind_name(kind, 3) << i << text_of(mesh);
    EXPECT_NEAR(deepest, depth, rounding) << kind_name(kind, 3) << i << text_of(mesh);
  }
  EXPECT_GT(touching, 100u);
}

/// Level ground in any cut is a height field and, in the middle, a halfspace.
TYPED_TEST(mesh_contacts, of_ground_are_those_of_the_height_field) {
  using T = typename TypeParam::T;
  // So low that middles are in front of every plane: those behind do not meet a mesh.
  for (const double bumps : {0.0, 1.0 / 64, 1.0 / 16}) {
    SCOPED_TRACE(bumps);
    Random random(21);
    std::vector<double> heights;
    for (int i = 0; i < 21 * 21; ++i)
      heights.push_back(std::round(256 * random.uniform(-bumps, bumps)) / 256);
    const Height height = [&](int row, int column) {
      return heights[static_cast<std::size_t>(21 * row + column)];
    };
    Ground<T> field;
    const auto z = [&](double, double) { return bumps; };
    add_shapes<T>(random, 160, 10, z, field);
    Ground<T> mesh = field;
    field.place_field(field.add_field(21, 21, 0.5, height), {0, 0, 0.03125});
    const MeshShape shape = grid_mesh(20, 0.5, height);
    mesh.place_mesh(mesh.add_mesh_of(shape.vertices, shape.triangles), {0, 0, 0.03125});
    const auto fields = patches_of(field.scene), meshes = patches_of(mesh.scene);
    for (std::size_t i = 0; i < fields.size(); ++i) {
      expect_alike(meshes[i], fields[i], kLength<T>, 1e-3, 0, true, "shape " + std::to_string(i));
    }
  }
}

/// Other numbers of triangles and vertices, and another first corner, change nothing but parts.
TYPED_TEST(mesh_contacts, do_not_depend_on_numbers) {
  using T = typename TypeParam::T;
  Random random(31);
  const MeshShape shape =
      grid_mesh(16, 0.5, [&](int, int) { return std::round(64 * random.uniform(-0.2, 0.2)) / 64; });
  const MeshShape other = renumbered(random, shape);
  // Shallow ones and deep ones.
  expect_same_patches<T>(random, shape, other, true);
  expect_same_patches<T>(random, shape, other, true, 800, 0.0);
}

/// Neither do points on triangles and on their edges, by which they are cut.
TYPED_TEST(mesh_contacts, do_not_depend_on_how_triangles_are_cut) {
  Random random(32);
  const MeshShape whole =
      grid_mesh(16, 0.5, [&](int, int) { return std::round(64 * random.uniform(-0.2, 0.2)) / 64; });
  expect_same_patches<typename TypeParam::T>(random, whole, cut_grid(whole), false);
}

/// The four points are chosen as if no corner were the first: its distances from the others told
/// what share of the face counts as one place.
TYPED_TEST(mesh_contacts, have_points_that_do_not_depend_on_numbers) {
  using T = typename TypeParam::T;
  struct Case {
    Kind kind;
    Point3d at, half;
    Quat turn;
    std::uint64_t seed;
    std::array<int, 25> heights;
  };
  const Case cases[] = {
      {Kind::box,
       {1.142578125, 1.28125, 0.1337890625},
       {0.328125, 0.3818359375, 0.2197265625},
       {0.080106014047398186, -0.16314273592579875, -0.65257094370319502, -0.73560766558159552},
       999,
       {-6, -7, -3, 5, 12, 11, -3, -5, 10, -8, 6, 8, -7,
        12, 13, -3, 7, 8,  -1, -3, 8,  -7, 6,  6, -6}},
      {Kind::hull,
       {1.369140625, 1.19921875, 0.16015625},
       {0.3974609375, 0.158203125, 0.294921875},
       {-0.61522821439370334, -0.70311795930708954, -0.26952855106771767, -0.23339610038110334},
       1000,
       {1, 1, -3, -1, 3, -2, -3, -3, 1, 0, -2, 1, 2, 3, 3, -1, 2, 0, 1, 1, -3, -2, -3, 2, 1}},
      // A face's way out at another triangle's vertex had that triangle's points.
      {Kind::hull,
       {1.060546875, 1.4462890625, 0.0849609375},
       {0.1298828125, 0.37890625, 0.0546875},
       {0.13871639781955053, 0.7590326838435969, -0.57928749230277088, -0.26277965502435979},
       1001,
       {-4, 5, -2, 0, 0, 1, 4, -6, -6, 6, 5, -2, 2, -3, 5, 0, -6, 3, -5, -5, 1, -5, -5, 4, 3}},
      // By the slack of sides, a capsule that ends at a vertex or an edge crossed a side beside it.
      {Kind::capsule,
       {1.126953125, 1.490234375, 0.330078125},
       {0.1689453125, 0.3173828125, 0.09375},
       {-0.0322232745032568, 0.72453544489141053, -0.038082051685667133, -0.68742985606947848},
       999,
       {8, 12, 0, -8, 12, -10, 4, 6, 5, 2, 4, 10, 0, -12, 7, 6, -10, 13, -4, 0, 0, -2, -6, 8, 3}},
      {Kind::capsule,
       {1.4318805633281366, 1.3858862095498594, 0.2258284739842206},
       {0.103515625, 0.126953125, 0.0615234375},
       {0.34476750002123319, 0.7598558499051542, -0.43462191929022315, -0.33890742919934258},
       999,
       {-9, 12, 6,  12, 1,  4, -5, -10, -9,  7,  3,  9, 8,
        -3, 9,  -5, -3, -8, 7, 11, 0,   -10, -3, -2, 10}},
      {Kind::capsule,
       {1.4413198689467244, 1.3267873819339542, 0.30418002204912942},
       {0.25737476348876953, 0.31626033782958984, 0.074316978454589844},
       {-0.45479471651014403, -0.80298680345349249, -0.30542648529670186, 0.23470965338754893},
       999,
       {-7, -1, 6, -8, 10, 4,  -11, 11, 2,  7,   9,  9, -8,
        9,  -4, 6, 1,  12, -3, -1,  -7, -7, -10, -9, 12}},
      // By it the crossing of two edges was deeper than their way out.
      {Kind::capsule,
       {1.1836671829223633, 1.1401805877685547, 0.072666168212890625},
       {0.3603515625, 0.2900390625, 0.0888671875},
       {0.76486510955609943, -0.3184495858432802, -0.51870162602080305, 0.21099727160168261},
       999,
       {-1, 2,  1,   13, 6,   1,  7,   9, -9, -10, 4, 10, 4,
        -8, -6, -11, 2,  -10, 10, -11, 6, -7, 10,  6, 13}},
      // The less deep one of two corners at one place could be chosen.
      {Kind::aabb,
       {1.1650390625, 1.255859375, 0.04296875},
       {0.35912799835205078, 0.36273288726806641, 0.23906612396240234},
       kLevel,
       1000,
       {0, -3, 6, -4, 2, 0, 4, 4, -5, 4, -3, 4, 1, -4, -5, 1, 6, 5, 0, -2, -1, 2, -5, -1, 0}},
      // The edge of a wall had points only if the wall, not the ground above it, had the edge's
      // way.
      {Kind::cylinder,
       {1.46484375, 1.0810546875, 0.2734375},
       {0.375, 0.37890625, 0.0556640625},
       {-0.48541174644397411, 0.071297902395191362, -0.5830801058894417, -0.6475412231234503},
       1000,
       {-32, 0, 0, 0, 0, 0, 0, 0, -32, 0, 0, 0, -32, 0, 0, 0, 0, -32, 0, -32, 0, 0, 0, 0, 0}},
      {Kind::cone,
       {0.79296875, 1.3408203125, 0.2841796875},
       {0.3740234375, 0.1142578125, 0.2255859375},
       {-0.32620983115659841, 0.22072880790835703, 0.62507273035994915, 0.67390653741932016},
       1001,
       {0, 0, 0, -64, 0, 0, 0, 0, 0, 0, -64, 0, -64, 0, 0, 0, -64, 0, 0, 0, 0, 0, 0, -64, -64}}};
  for (const Case& of : cases) {
    const MeshShape mesh = grid_mesh(4, 0.5, [&](int row, int column) {
      return of.heights[static_cast<std::size_t>(5 * row + column)] / 64.0;
    });
    Random random(of.seed);
    const MeshShape other = renumbered(random, mesh);
    Ground<T> first;
    first.add(of.kind, of.at, of.half, of.turn);
    Ground<T> second = first;
    first.place_mesh(first.add_mesh_of(mesh.vertices, mesh.triangles));
    second.place_mesh(second.add_mesh_of(other.vertices, other.triangles));
    expect_alike(patches_of(first.scene)[0], patches_of(second.scene)[0], kLength<T>, 1e-3, 0, true,
                 std::string(kind_name(of.kind, 3)));
  }
}

TYPED_TEST(mesh_contacts, of_a_side_are_for_those_in_front) {
  using T = typename TypeParam::T;
  const MeshShape sheet = grid_mesh(4, 1, [](int, int) { return 0.0; });
  for (const bool two_sided : {false, true}) {
    for (const Kind kind : kShapes) {
      Ground<T> ground;
      ground.add(kind, {2, 2, 0.1}, {0.25, 0.25, 0.25}, kLevel);
      ground.add(kind, {2, 2, -0.1}, {0.25, 0.25, 0.25}, kLevel);
      ground.place_mesh(ground.add_mesh_of(sheet.vertices, sheet.triangles, two_sided));
      const auto answers = patches_of(ground.scene);
      ASSERT_EQ(answers[0].size(), 1u) << kind_name(kind, 3) << text_of(answers[0]);
      EXPECT_NEAR(answers[0][0].normal[2], -1, 1e-6);
      ASSERT_EQ(answers[1].size(), two_sided ? 1u : 0u)
          << kind_name(kind, 3) << text_of(answers[1]);
      if (!two_sided) continue;
      EXPECT_NEAR(answers[1][0].normal[2], 1, 1e-6);
      // A hull's two sides differ.
      if (kind == Kind::hull || kind == Kind::cone) continue;
      EXPECT_NEAR(answers[1][0].depth, answers[0][0].depth, 1e-6) << kind_name(kind, 3);
    }
  }
}

TYPED_TEST(mesh_contacts, have_a_thickness) {
  using T = typename TypeParam::T;
  using Size = SizeOf<T>;
  const MeshShape sheet = grid_mesh(4, 1, [](int, int) { return 0.0; });
  Ground<T> ground;
  ground.add_sphere({1, 2, 1}, 0.25);
  ground.add_box({2.75, 2, 1}, {0.5, 0.5, 0.25});
  ground.place_mesh(ground.add_mesh_of(sheet.vertices, sheet.triangles), {}, kLevel, 0.875);
  const ContactBuffer<3, T> contacts = contacts_of(ground.scene);
  ASSERT_EQ(contacts.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(contacts.depth[i], Size(0.125));
    for (auto n = contacts.offset[i]; n < contacts.offset[i + 1]; ++n) {
      const auto point = static_cast<std::size_t>(n);
      EXPECT_NEAR(static_cast<double>(contacts.point(point, 2)), 0.75, 1e-6) << "on the shape";
      EXPECT_EQ(contacts.point_depth[point], Size(0.125));
    }
  }
  EXPECT_EQ(contacts.point_count(), 5u);
}

/// A plate whose border has a step up from each column to the next.
MeshShape stairs_plate(int columns) {
  MeshShape plate;
  double before = -4;
  for (int k = 0; k < columns; ++k) {
    const double x = 0.25 * k, next = x + 0.25, y = 0.0078125 * k;
    const auto first = static_cast<std::int32_t>(plate.vertices.size());
    plate.vertices.insert(plate.vertices.end(),
                          {{next, y, 0}, {x, y, 0}, {x, before, 0}, {x, -4, 0}, {next, -4, 0}});
    for (const std::int32_t v : {1, 2, 3}) {
      if (k == 0 && v == 2) continue;
      plate.triangles.push_back({first, first + v, first + v + 1});
    }
    before = y;
  }
  return plate;
}

// Each step needs a way of its own: no other clears what is round its corner.
TYPED_TEST(mesh_contacts, of_a_plate_of_many_corners_say_that_a_limit_was_met) {
  using T = typename TypeParam::T;
  for (const int columns : {4, 8, 40}) {
    Ground<T> ground;
    ground.add_box({0.125 * columns, 0.96875, 0}, {0.125 * columns, 1, 1});
    const MeshShape plate = stairs_plate(columns);
    ground.place_mesh(ground.add_mesh_of(plate.vertices, plate.triangles));
    const ContactBuffer<3, T> contacts = contacts_of(ground.scene);
    // Over the last step, or, beyond the limit, along the plate's normal.
    const bool is_limited = columns == 40;
    const double over_all = 0.03125 + 0.0078125 * (columns - 1);
    ASSERT_EQ(contacts.size(), is_limited ? 2u : 1u) << columns;
    const std::size_t deepest = is_limited && contacts.depth[0] < contacts.depth[1] ? 1 : 0;
    EXPECT_EQ(contacts.status[deepest], is_limited ? 2 : 0) << columns;
    EXPECT_NEAR(static_cast<double>(contacts.depth[deepest]), is_limited ? 1 : over_all, 1e-6);
  }
}

TYPED_TEST(mesh_contacts, agree_with_every_call) {
  using T = typename TypeParam::T;
  Random random(41);
  Ground<T> ground;
  add_shapes<T>(
      random, 160, 8, [](double, double) { return 0.1; }, ground);
  const MeshShape shape = grid_mesh(16, 0.5, [&](int, int) { return random.uniform(-0.2, 0.2); });
  ground.place_mesh(ground.add_mesh_of(shape.vertices, shape.triangles, true), {0, 0, 0},
                    {0, 0, std::sin(0.05), std::cos(0.05)});
  const std::int32_t mesh = ground.mesh_id();
  std::vector<Pair> pairs;
  for (std::int32_t id = 0; id < mesh; ++id) {
    pairs.push_back(id % 2 == 0 ? Pair{id, mesh} : Pair{mesh, id});
  }
  Workspace<3, T> workspace;
  ContactBuffer<3, T> contacts;
  collide_pairs<3, T>(ground.scene, pairs, contacts, workspace);
  std::vector<bool> has(pairs.size(), false);
  for (std::size_t c = 0; c < contacts.size(); ++c)
    has[static_cast<std::size_t>(contacts.source[c])] = true;
  std::vector<std::uint8_t> is_contact(pairs.size());
  test_pairs<3, T>(ground.scene, pairs, is_contact, workspace);
  DistanceBuffer<3, T> distances_to;
  distances<3, T>(ground.scene, pairs, distances_to, workspace);
  std::size_t touching = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    EXPECT_EQ(is_contact[i] != 0, has[i]) << i;
    touching += has[i] ? 1u : 0u;
    const auto distance = static_cast<double>(distances_to.distance[i]);
    EXPECT_GE(distance, 0) << i;
    // Both sides are fronts, so that a shape without contacts crosses nothing.
    EXPECT_EQ(distance <= 0, has[i]) << i << " " << distance;
  }
  EXPECT_GT(touching, 30u);
}

TYPED_TEST(mesh_contacts, answer_for_worlds) {
  using T = typename TypeParam::T;
  const MeshShape sheet = grid_mesh(4, 1, [](int, int) { return 0.0; });
  Ground<T> ground;
  ground.add_sphere({2, 2, 1}, 0.25);
  ground.add_sphere({2, 2, -0.125}, 0.25);
  ground.scene.spheres.world = {0, 1};
  ground.place_mesh(ground.add_mesh_of(sheet.vertices, sheet.triangles));
  ground.scene.meshes.world = {-1};
  Workspace<3, T> workspace;
  std::vector<std::uint8_t> is_contact(2);
  any_contact<3, T>(ground.scene, is_contact, workspace);
  EXPECT_EQ(is_contact[0], 0);
  EXPECT_EQ(is_contact[1], 0) << "behind a one-sided mesh";
  WorldDistanceBuffer<3, T> found;
  min_distance<3, T>(ground.scene, found, workspace);
  EXPECT_EQ(found.distance[0], SizeOf<T>(0.75));
  EXPECT_EQ(found.distance[1], 0) << "distances see both sides";
  ground.scene.mesh_geometries.two_sided = {1};
  any_contact<3, T>(ground.scene, is_contact, workspace);
  EXPECT_EQ(is_contact[1], 1);
}

TYPED_TEST(mesh_contacts, with_halfspaces_are_the_lowest_vertices) {
  using T = typename TypeParam::T;
  Ground<T> ground;
  ground.scene.halfspaces.normal.push_back(ground.size({0, 0, 1}));
  ground.scene.halfspaces.offset.push_back({0});
  const MeshShape box = box_mesh({1, 1, 0.5});
  ground.place_mesh(ground.add_mesh_of(box.vertices, box.triangles), {0, 0, 0.625}, kLevel, 0.25);
  ground.scene.meshes.fixed.clear();
  const ContactBuffer<3, T> contacts = contacts_of(ground.scene);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_EQ(contacts.point_count(), 4u);
  EXPECT_EQ(contacts.depth[0], SizeOf<T>(0.125));
  for (std::size_t n = 0; n < 4; ++n) EXPECT_GE(contacts.part(n, 1), 0);
}

TEST(mesh_cases, of_a_million_equal_triangles_do_not_hang) {
  Ground<float> ground;
  std::vector<std::array<std::int32_t, 3>> triangles(1000000, {0, 1, 2});
  for (std::size_t t = 1; t < triangles.size(); t += 2) triangles[t] = {0, 1, 1};
  for (int i = 0; i < 50; ++i) {
    ground.add(kShapes[i % 8], {0.2, 0.2, 0.1}, {0.25, 0.25, 0.25}, kLevel);
  }
  ground.place_mesh(ground.add_mesh_of({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, triangles));
  for (const auto& patches : patches_of(ground.scene)) {
    ASSERT_EQ(patches.size(), 1u);
    EXPECT_EQ(patches[0].parts(), std::set<std::int32_t>{0}) << "the first one has the name";
  }
}

/// A vertex of very many triangles is asked once, not by each of them.
TEST(mesh_cases, of_a_vertex_of_many_triangles_do_not_hang) {
  constexpr int kCount = 50000;
  MeshShape fan;
  fan.vertices.push_back({0, 0, 0.5});
  for (int i = 0; i < kCount; ++i) {
    const double turn = 6.283185307179586 * i / kCount;
    fan.vertices.push_back({std::cos(turn), std::sin(turn), 0});
    fan.triangles.push_back({0, 1 + i, 1 + (i + 1) % kCount});
  }
  Ground<double> ground;
  ground.add_sphere({0, 0, 0.9}, 0.5);
  ground.place_mesh(ground.add_mesh_of(fan.vertices, fan.triangles));
  const auto patches = patches_of(ground.scene)[0];
  ASSERT_EQ(patches.size(), 1u);
  EXPECT_NEAR(patches[0].depth, 0.1, 1e-9);
  EXPECT_EQ(patches[0].parts(), std::set<std::int32_t>{0});
}

/// Ridges and valleys in turn: each of them is asked whether it is felt, among all the others.
TEST(mesh_cases, of_a_rough_vertex_of_many_triangles_do_not_hang) {
  constexpr int kCount = 5000;
  MeshShape fan;
  fan.vertices.push_back({0, 0, 0.5});
  for (int i = 0; i < kCount; ++i) {
    const double turn = 6.283185307179586 * i / kCount;
    fan.vertices.push_back({std::cos(turn), std::sin(turn), i % 2 == 0 ? 0.02 : -0.02});
    fan.triangles.push_back({0, 1 + i, 1 + (i + 1) % kCount});
  }
  Ground<double> ground;
  // The box's lowest face is 0.05 below the top, and wider than what is above that.
  ground.add(Kind::box, {0, 0, 0.75}, {0.3, 0.3, 0.3}, kLevel);
  ground.place_mesh(ground.add_mesh_of(fan.vertices, fan.triangles));
  const auto patches = patches_of(ground.scene)[0];
  ASSERT_EQ(patches.size(), 1u);
  EXPECT_NEAR(patches[0].depth, 0.05, 1e-9);
  EXPECT_NEAR(patches[0].normal[2], -1, 1e-9);
}

/// Surfaces that are no solids' still have finite answers for every shape.
TEST(mesh_cases, of_any_form_are_answered) {
  Random random(51);
  for (int form = 0; form < 24; ++form) {
    MeshShape mesh;
    for (int v = 0; v < 12; ++v) {
      mesh.vertices.push_back(
          {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)});
      if (v % 4 == 3) mesh.vertices.back() = mesh.vertices[static_cast<std::size_t>(v - 1)];
    }
    for (int t = 0; t < 40; ++t) {
      mesh.triangles.push_back(
          {random.integer(0, 11), random.integer(0, 11), random.integer(0, 11)});
    }
    Ground<float> ground;
    for (int i = 0; i < 64; ++i) {
      ground.add(kShapes[i % 8],
                 {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)},
                 {0.3, 0.2, 0.4}, any_turn(random));
    }
    ground.place_mesh(ground.add_mesh_of(mesh.vertices, mesh.triangles, form % 2 == 0), {},
                      any_turn(random), form % 3 == 0 ? 0.1 : 0);
    std::size_t count = 0;
    for (const auto& patches : patches_of(ground.scene)) {
      count += patches.size();
      for (const Patch& patch : patches) {
        EXPECT_TRUE(std::isfinite(patch.depth));
        EXPECT_NEAR(product(patch.normal, patch.normal), 1, 1e-5);
        EXPECT_GE(patch.points.size(), 1u);
        EXPECT_LE(patch.points.size(), 4u);
      }
    }
    EXPECT_GT(count, 0u);
  }
}

}  // namespace
}  // namespace widephase::test
