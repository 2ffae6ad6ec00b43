// Seams of meshes: triangles that meet without an edge of both, as where vertices lie on edges of
// others, are one surface. Where nothing is beyond an edge it is felt.
// Labels: dated

#include <gtest/gtest.h>

#include <widephase/distance.hpp>

#include "reference/scaled.hpp"
#include "support/cut_meshes.hpp"
#include "support/mesh_patches.hpp"
#include "support/rays.hpp"

namespace widephase::test {
namespace {

template <class T>
class mesh_seams : public ::testing::Test {};
template <class Scalar>
struct In {
  using T = Scalar;
};
using Precisions = ::testing::Types<In<float>, In<double>>;
TYPED_TEST_SUITE(mesh_seams, Precisions);

/// Places on edges that numbers of few digits have exactly, and others.
double quarter(Random& random) { return random.integer(1, 3) / 4.0; }
double anywhere(Random& random) { return random.uniform(0.2, 0.8); }

constexpr std::size_t kShapesAtSeams = 640;

/// Level ground turned by `q`, cut in any way: each shape has the one patch of the plane.
template <class T, class Share>
void expect_plane(Random& random, const Quat& q, const Share& share) {
  const MeshShape whole = grid_mesh(8, 1, [](int, int) { return 0.0; });
  MeshShape cut = cut_at_edges(random, whole, 3, share);
  for (Point3d& p : cut.vertices) p = turned(q, p);
  const Point3d up = turned(q, {0, 0, 1});
  Ground<T> on_mesh, on_plane;
  for (std::size_t i = 0; i < kShapesAtSeams; ++i) {
    const Kind kind = kShapes[i % 8];
    if (kind == Kind::aabb) continue;
    Point3d at{random.uniform(1.5, 6.5), random.uniform(1.5, 6.5), random.uniform(0.02, 0.4)};
    const Point3d half{random.uniform(0.05, 0.4), random.uniform(0.05, 0.4),
                       random.uniform(0.05, 0.4)};
    const Quat turn = any_turn(random);
    at = turned(q, at);
    on_mesh.add(kind, at, half, turn);
    on_plane.add(kind, at, half, turn);
  }
  on_mesh.place_mesh(on_mesh.add_mesh_of(cut.vertices, cut.triangles));
  MeshShape plane;
  for (const Point3d& p : {Point3d{-50, -50, 0}, {50, -50, 0}, {0, 90, 0}})
    plane.vertices.push_back(turned(q, p));
  plane.triangles = {{0, 1, 2}};
  on_plane.place_mesh(on_plane.add_mesh_of(plane.vertices, plane.triangles));
  const auto found = patches_of(on_mesh.scene), wanted = patches_of(on_plane.scene);
  std::size_t touching = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    touching += wanted[i].empty() ? 0u : 1u;
    const std::string what = "shape " + std::to_string(i);
    expect_alike(found[i], wanted[i], 4 * kLength<T>, 1e-3, 0, false, what);
    EXPECT_LE(found[i].size(), 1u) << what << text_of(found[i]);
    for (const Patch& patch : found[i]) {
      EXPECT_LT(product(patch.normal, up), -0.9999) << what << text_of(found[i]);
    }
  }
  EXPECT_GT(touching, kShapesAtSeams / 4);
}

TYPED_TEST(mesh_seams, of_level_ground_are_not_felt) {
  using T = typename TypeParam::T;
  Random random(71);
  expect_plane<T>(random, kLevel, [&] { return quarter(random); });
  expect_plane<T>(random, {0, 0, std::sin(0.3), std::cos(0.3)}, [&] { return anywhere(random); });
  expect_plane<T>(random, any_turn(random), [&] { return anywhere(random); });
}

/// Bumpy ground, and its borders, are as they were before their triangles were cut.
TYPED_TEST(mesh_seams, of_coplanar_triangles_change_no_patch) {
  using T = typename TypeParam::T;
  Random random(72);
  const MeshShape whole =
      grid_mesh(16, 0.5, [&](int, int) { return std::round(64 * random.uniform(-0.2, 0.2)) / 64; });
  const MeshShape cut = cut_at_edges(random, whole, 2, [&] { return quarter(random); });
  expect_same_patches<T>(random, whole, cut, false);
}

/// Neither do those of deep shapes that cross only some of an area's triangles.
TYPED_TEST(mesh_seams, of_areas_that_are_crossed_in_part_change_no_patch) {
  using T = typename TypeParam::T;
  Random random(74);
  const MeshShape whole =
      grid_mesh(16, 0.5, [&](int, int) { return std::round(64 * random.uniform(-0.2, 0.2)) / 64; });
  const MeshShape inside = cut_grid(whole);
  const MeshShape cuts[] = {inside, cut_at_edges(random, whole, 1, [&] { return quarter(random); }),
                            cut_at_edges(random, whole, 2, [&] { return quarter(random); }),
                            cut_at_edges(random, inside, 1, [&] { return quarter(random); })};
  for (const MeshShape& cut : cuts) {
    Ground<T> first;
    for (std::size_t i = 0; i < scaled(240, 16); ++i) {
      const Point3d at{random.uniform(1, 7), random.uniform(1, 7), random.uniform(0, 0.3)};
      const Point3d half{random.uniform(0.05, 0.4), random.uniform(0.05, 0.4),
                         random.uniform(0.05, 0.4)};
      first.add(kShapes[i % 8], at, half, any_turn(random));
    }
    Ground<T> second = first;
    first.place_mesh(first.add_mesh_of(whole.vertices, whole.triangles));
    second.place_mesh(second.add_mesh_of(cut.vertices, cut.triangles));
    const auto a = patches_of(first.scene), b = patches_of(second.scene);
    for (std::size_t i = 0; i < a.size(); ++i) {
      expect_alike(a[i], b[i], kLength<T>, 1e-3, 0, false, "shape " + std::to_string(i));
    }
  }
}

/// A shape on ground of square cells, with heights in 64ths.
struct CutCase {
  const char* what;  ///< differed once the triangles were cut
  Kind kind;
  Point3d at, half;
  Quat turn;
  int cut, cells;  ///< a number for a cut at edges; below 0 that of `cut_grid`
  std::vector<int> heights;
};

TYPED_TEST(mesh_seams, of_ground_that_failed_change_no_patch) {
  using T = typename TypeParam::T;
  const CutCase cases[] = {
      {"a piece was left by a way that leaves others of its area, so less than the area was left",
       Kind::aabb,
       {1.2001953125, 1.2490234375, 0.189453125},
       {0.3662109375, 0.302734375, 0.2314453125},
       kLevel,
       -1,
       4,
       {-7, -1, -9, -8, 11, 10, -1, -7, 7, 4,   8, 9, 0,
        -7, -2, -8, 7,  -4, 11, -4, -2, 7, -12, 3, 7}},
      {"the same",
       Kind::hull,
       {1.0947265625, 1.423828125, 0.1845703125},
       {0.255859375, 0.388671875, 0.2275390625},
       {0, 0, -0.60156135261387078, -0.79882660136062711},
       0,
       4,
       {10, 9, -5, -9, 6, 3, 13, -5, 2, 7, -9, 5, 6, -1, -3, -9, 5, 2, -12, 8, -5, -3, -4, 1, -4}},
      {"the same",
       Kind::cylinder,
       {1.1845703125, 1.3671875, 0.138671875},
       {0.3828125, 0.203125, 0.3876953125},
       {-0.36818600875033158, 0.48147401144274127, -0.79399263955973354, 0.046877794217548847},
       0,
       4,
       {9, 11, 1, 2, -4, -11, 6, -8, -9, 7, 5, 2, 3, 4, -5, 2, -2, 3, -12, 10, 11, 7, 3, -11, -6}},
      {"an edge of the area was beyond the shape's bounds",
       Kind::box,
       {1.142578125, 1.3505859375, 0.0224609375},
       {0.388671875, 0.3505859375, 0.099609375},
       {0, 0, -0.55762649397380526, -0.83009197877011298},
       1,
       4,
       {1,  -12, -7, 4,  1,  0, -10, -8, -4, 12, 6,   10, 12,
        -7, -12, -5, -3, -6, 5, 8,   8,  9,  7,  -11, 8}},
      {"a nearer triangle along a border counted as one at its end alone",
       Kind::sphere,
       {1.0184879302978516, 1.0077753067016602, 0.058190345764160156},
       {0.1484375, 0.27734375, 0.388671875},
       kLevel,
       0,
       5,
       {-6, -4, -5, 0,  5,  -6, -1, 5,  0,  -1, -4, -4, 1,  -2, -3, -3, 5, 2,
        -5, -5, -3, -2, -4, 3,  -3, -5, -4, -5, 1,  1,  -6, -6, 6,  1,  4, -5}},
      {"of a triangle that the shape is behind only the piece at the seam was asked how near it is",
       Kind::capsule,
       {1.2607421875, 1.10546875, 0.1337890625},
       {0.20041847229003906, 0.090718269348144531, 0.33560752868652344},
       {0.42762469997890007, -0.70388221333377943, -0.092350005569075536, 0.55960559521120523},
       4,
       4,
       {7,  -5, -8, -9, -1,  5,  -7, -3,  7,  8,  -2, 7, 7,
        -8, -3, 1,  -2, -10, 10, -9, -12, -7, -7, -2, -5}},
      {"round a corner of a plateau the pieces were left one by one",
       Kind::cone,
       {1.15625, 1.0283203125, 0.01953125},
       {0.328125, 0.3125, 0.376953125},
       {0.63286380348566318, -0.57524194483496238, 0.49711061107130028, -0.14649625080686648},
       5,
       4,
       {0, 0, 0, 0, -32, 0, 0, 0, -32, 0, 0, 0, 0, 0, -32, 0, 0, 0, -32, 0, 0, 0, -32, -32, 0}},
      {"the same",
       Kind::cone,
       {1.1181640625, 1.408203125, 0.0869140625},
       {0.3974609375, 0.2685546875, 0.072265625},
       {0.22370952354897636, 0.26766991027257431, -0.25203955054862837, -0.90265327405787843},
       0,
       4,
       {0, 0, 0, -16, -16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -16, 0, 0, 0, 0, 0, 0, 0, -16}},
  };
  for (const CutCase& of : cases) {
    const MeshShape whole = grid_mesh(of.cells, 0.5, [&](int row, int column) {
      return of.heights[static_cast<std::size_t>(row * (of.cells + 1) + column)] / 64.0;
    });
    Random random(1000 + static_cast<std::uint64_t>(std::max(of.cut, 0)));
    const MeshShape cut = of.cut < 0
                              ? cut_grid(whole)
                              : cut_at_edges(random, whole, 2, [&] { return quarter(random); });
    Ground<T> first;
    first.add(of.kind, of.at, of.half, of.turn);
    Ground<T> second = first;
    first.place_mesh(first.add_mesh_of(whole.vertices, whole.triangles));
    second.place_mesh(second.add_mesh_of(cut.vertices, cut.triangles));
    expect_alike(patches_of(first.scene)[0], patches_of(second.scene)[0], kLength<T>, 1e-3, 0,
                 false, of.what);
  }
}

/// Other numbers of triangles give as many points where capsules end at a seam: only triangles of
/// those edges and vertices that had the contact counted, which rounding decides.
TYPED_TEST(mesh_seams, have_points_that_do_not_depend_on_numbers) {
  using T = typename TypeParam::T;
  const CutCase cases[] = {
      {"seam",
       Kind::capsule,
       {1.1787109375, 1.193359375, 0.330078125},
       {0.1474609375, 0.119140625, 0.2216796875},
       {-0.61123690468013281, -0.22848152666957042, -0.75769942177601135, -0.0087877510257527089},
       1003,
       4,
       {0, 4, 11, 12, -3, -3, 12, 9, -6, 5, -5, 3, 13, 9, -11, -8, -5, 12, 7, -1, 2, 10, 8, -4, 1}},
      {"another one",
       Kind::capsule,
       {1.23046875, 1.2578125, 0.2900390625},
       {0.22483730316162109, 0.25555229187011719, 0.30710697174072266},
       {-0.71858623967303303, -0.23607835157652721, 0.53454133214475108, 0.37704958864636745},
       999,
       4,
       {-6,  13, 10, 4,  -11, 7,  -10, 2,  8,  -11, 5,  12, -6,
        -11, 3,  5,  -3, 2,   10, -12, -8, -9, -1,  12, 1}},
      // An edge across a seam and that of the contact had a corner at one place, by two names.
      {"names of edges across a seam",
       Kind::cone,
       {1.1723302806817415, 0.96100040064880887, 0.25878336457636997},
       {0.3916015625, 0.1875, 0.0634765625},
       {-0.014656168937424512, 0.28335259945687391, -0.75039584959613503, -0.59699461471775839},
       1001,
       5,
       {4, -1, 1, -1, 0, -1, 0, 3, -6, 6, 1,  1,  2, 5,  4, -2, -4, 5,
        0, -6, 3, 0,  3, -3, 5, 4, -5, 2, -4, -1, 1, -5, 5, 4,  -6, -2}},
      {"another one",
       Kind::cylinder,
       {0.93506935576877881, 1.1064848080575107, 0.32750244263465433},
       {0.3291015625, 0.18359375, 0.287109375},
       {0, 0, 0.51349047220133126, -0.85809529480032343},
       1000,
       4,
       {-3, -6, 1, 3, -5, 0, -2, -5, 4, -5, -5, 3, 2, 2, -6, 2, -3, 0, -6, -5, 3, -2, 2, -5, -3}},
  };
  for (const CutCase& of : cases) {
    const MeshShape whole = grid_mesh(of.cells, 0.5, [&](int row, int column) {
      return of.heights[static_cast<std::size_t>(row * (of.cells + 1) + column)] / 64.0;
    });
    Random random(7);
    const MeshShape cut = cut_at_edges(random, whole, 2, [&] { return quarter(random); });
    Random numbers(static_cast<std::uint64_t>(of.cut));
    const MeshShape other = renumbered(numbers, cut);
    Ground<T> first;
    first.add(of.kind, of.at, of.half, of.turn);
    Ground<T> second = first;
    first.place_mesh(first.add_mesh_of(cut.vertices, cut.triangles));
    second.place_mesh(second.add_mesh_of(other.vertices, other.triangles));
    expect_alike(patches_of(first.scene)[0], patches_of(second.scene)[0], kLength<T>, 1e-3, 0, true,
                 of.what);
  }
}

/// Shapes beside and over the border of a sheet have the contacts with it, however it is cut.
TYPED_TEST(mesh_seams, leave_borders_felt) {
  using T = typename TypeParam::T;
  Random random(73);
  const MeshShape whole = grid_mesh(3, 1, [](int, int) { return 0.0; });
  const MeshShape cut = cut_at_edges(random, whole, 3, [&] { return quarter(random); });
  for (const bool two_sided : {false, true}) {
    Ground<T> first;
    for (std::size_t i = 0; i < kShapesAtSeams; ++i) {
      Point3d at{random.uniform(-0.3, 0.3), random.uniform(0.1, 2.9), random.uniform(-0.2, 0.4)};
      if (i % 3 == 0) std::swap(at[0], at[1]);
      const Point3d half{random.uniform(0.05, 0.3), random.uniform(0.05, 0.3),
                         random.uniform(0.05, 0.3)};
      first.add(kShapes[i % 8], at, half, any_turn(random));
    }
    Ground<T> second = first;
    first.place_mesh(first.add_mesh_of(whole.vertices, whole.triangles, two_sided));
    second.place_mesh(second.add_mesh_of(cut.vertices, cut.triangles, two_sided));
    const auto a = patches_of(first.scene), b = patches_of(second.scene);
    std::size_t of_border = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      expect_alike(a[i], b[i], kLength<T>, 1e-3, 0, false, "shape " + std::to_string(i));
      for (const Patch& patch : b[i]) of_border += std::abs(patch.normal[2]) < 0.99 ? 1u : 0u;
    }
    EXPECT_GT(of_border, kShapesAtSeams / 32);
  }
}

/// What comes down exactly on an inner edge or vertex of level ground, also where a vertex lies on
/// another triangle's edge, meets the plane: no ray passes, and no normal leans.
TYPED_TEST(mesh_seams, are_met_by_casts_and_rays_as_their_plane_is) {
  using T = typename TypeParam::T;
  Random random(75);
  MeshShape mesh = grid_mesh(8, 1, [](int, int) { return 0.0; });
  mesh = cut_at_edges(random, mesh, 2, [&] { return quarter(random); });
  Ground<T> ground;
  ground.place_mesh(ground.add_mesh_of(mesh.vertices, mesh.triangles));
  for (const Kind kind : kShapes) {
    Ground<T> moving;
    Column<SizeOf<T>, 3> ways;
    RayColumns<3, T> rays;
    for (std::size_t i = 0; i < kShapesAtSeams / 4; ++i) {
      const auto& triangle = mesh.triangles[static_cast<std::size_t>(
          random.integer(0, static_cast<int>(mesh.triangles.size()) - 1))];
      const Point3d& a = mesh.vertices[static_cast<std::size_t>(triangle[0])];
      const Point3d& b = mesh.vertices[static_cast<std::size_t>(triangle[1])];
      Point3d at = a;
      for (std::size_t k = 0; k < 3 && i % 2 != 0; ++k) at[k] = 0.5 * (a[k] + b[k]);
      if (at[0] < 0.5 || at[0] > 7.5 || at[1] < 0.5 || at[1] > 7.5) continue;
      const Point3d way{random.integer(-8, 8) / 8.0, random.integer(-8, 8) / 8.0,
                        -random.integer(1, 8) / 8.0};
      Ray<3> ray;
      Point3d center;
      for (std::size_t k = 0; k < 3; ++k) {
        center[k] = at[k] - 2 * way[k];
        ray.origin[static_cast<int>(k)] = center[k];
        ray.direction[static_cast<int>(k)] = way[k];
      }
      rays.add(ray);
      // A cone stands on its tip, a box on an edge; others rest on a face, a round end or a vertex.
      center[2] += kind == Kind::capsule ? 0.5 : kind == Kind::box ? 0.25 * std::sqrt(2.0) : 0.25;
      const double turn = kind == Kind::cone  ? 1
                          : kind == Kind::box ? std::sin(std::atan(1) / 2)
                                              : 0;
      moving.add(kind, center, {0.25, 0.25, 0.25}, {turn, 0, 0, std::sqrt(1 - turn * turn)});
      ways.push_back(moving.size({4 * way[0], 4 * way[1], 4 * way[2]}));
    }
    SceneColumns<3, T> standing = ground.scene, shapes = moving.scene;
    standing.geometries = std::move(shapes.geometries);
    shapes.geometries = {};
    Workspace<3, T> workspace;
    StaticScene<3, T> kept;
    build_static_scene(standing, kept, workspace);
    CastHits<3, T> casts;
    cast_shapes<3, T>(shapes, ways, {}, kept, casts, workspace);
    RayHits<3, T> hits;
    cast_rays<3, T>(kept, rays.span(), hits, workspace);
    ASSERT_GT(casts.size(), kShapesAtSeams / 16);
    for (std::size_t i = 0; i < casts.size(); ++i) {
      const std::string what(kind_name(kind, 3));
      EXPECT_NEAR(static_cast<double>(casts.t[i]), 0.5, 1e-5) << what << i;
      EXPECT_GT(static_cast<double>(casts.normal(i, 2)), 0.9999) << what << i;
      EXPECT_NEAR(static_cast<double>(hits.t[i]), 2, 1e-5) << i;
      EXPECT_EQ(static_cast<double>(hits.normal(i, 2)), 1) << i;
    }
  }
}

/// Where a sheet ends over another one, farther than rounding, its border is felt; not on it.
TYPED_TEST(mesh_seams, are_no_farther_than_rounding) {
  using T = typename TypeParam::T;
  for (const double step : {0.0, 1.0 / 1024, 1.0 / 16}) {
    // The upper sheet ends at x = 0, where a vertex of the lower one is beside its edge.
    MeshShape mesh;
    mesh.vertices = {{-2, -2, step}, {0, -2, step}, {0, 2, step}, {-2, 2, step},
                     {0, -2, 0},     {2, 0, 0},     {0, 0.5, 0},  {0, 2, 0}};
    mesh.triangles = {{0, 1, 2}, {0, 2, 3}, {4, 5, 6}, {6, 5, 7}};
    Ground<T> ground;
    // Over the lower sheet, farther from the border than from the sheet's plane, but within reach.
    ground.add_sphere({0.1875, 0, 0.25}, 0.375);
    ground.place_mesh(ground.add_mesh_of(mesh.vertices, mesh.triangles));
    const auto patches = patches_of(ground.scene)[0];
    const std::size_t of_border = step > 0 ? 1 : 0;
    EXPECT_EQ(patches.size(), 1 + of_border) << step << text_of(patches);
  }
}

/// There, contacts at inner edges were left out by a rule, and some stayed where a flat surface has
/// many small triangles.
TYPED_TEST(mesh_seams, parry_101_small_triangles_of_a_flat_surface_have_no_edges) {
  using T = typename TypeParam::T;
  Ground<T> ground;
  const MeshShape flat = cut_grid(grid_mesh(96, 1.0 / 32, [](int, int) { return 0.0; }));
  constexpr int kRows = 8;
  const Point3d half{0.1, 0.0625, 0.125};
  for (int i = 0; i < kRows * kRows; ++i) {
    const Kind kind = kShapes[i % 8];
    const double low = kind == Kind::sphere    ? half[0]
                       : kind == Kind::capsule ? half[0] + half[2]
                                               : half[2];
    const double x = 0.2 + 0.35 * (i / kRows) + 0.0137 * (i % kRows), turn = 0.37 * i;
    ground.add(kind, {x, 0.2 + 0.35 * (i % kRows) + 0.0071 * (i / kRows), low - 0.002}, half,
               {0, 0, std::sin(turn), std::cos(turn)});
  }
  ground.place_mesh(ground.add_mesh_of(flat.vertices, flat.triangles));
  const ContactBuffer<3, T> contacts = contacts_of(ground.scene);
  EXPECT_EQ(contacts.size(), static_cast<std::size_t>(kRows * kRows));
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    EXPECT_NEAR(static_cast<double>(contacts.normal(c, 2)), -1, 1e-7) << contacts.pair[c].a;
    EXPECT_NEAR(static_cast<double>(contacts.depth[c]), 0.002, 1e-6) << contacts.pair[c].a;
  }
}

/// There, an open mesh without inner edges had an inside all the same, in which balls were that lay
/// before it.
TYPED_TEST(mesh_seams, parry_333_an_open_mesh_has_no_inside) {
  using T = typename TypeParam::T;
  Random random(333);
  const MeshShape sheet = grid_mesh(8, 1, [&](int, int) { return random.uniform(0, 0.75); });
  Ground<T> ground;
  std::vector<Point3d> at;
  constexpr double kRadius = 0.5;
  for (int i = 0; i < 400; ++i) {
    at.push_back({random.uniform(-1, 9), random.uniform(-1, 9), random.uniform(0.8, 1.8)});
    ground.add_sphere(at.back(), kRadius);
  }
  ground.place_mesh(ground.add_mesh_of(sheet.vertices, sheet.triangles));
  std::vector<Pair> pairs;
  for (int i = 0; i < 400; ++i) pairs.push_back({i, ground.mesh_id()});
  Workspace<3, T> workspace;
  DistanceBuffer<3, T> found;
  distances<3, T>(ground.scene, pairs, found, workspace);
  std::vector<std::uint8_t> touches(pairs.size());
  test_pairs<3, T>(ground.scene, pairs, touches, workspace);
  std::size_t touching = 0;
  for (std::size_t i = 0; i < at.size(); ++i) {
    double nearest = 1e300;
    for (const auto& triangle : sheet.triangles) {
      const std::array<Point3d, 3> t{sheet.vertices[static_cast<std::size_t>(triangle[0])],
                                     sheet.vertices[static_cast<std::size_t>(triangle[1])],
                                     sheet.vertices[static_cast<std::size_t>(triangle[2])]};
      nearest = std::min(nearest, nearest_on(t, at[i]).distance);
    }
    const double expected = std::max(0.0, nearest - kRadius);
    EXPECT_NEAR(static_cast<double>(found.distance[i]), expected, 1e-5) << i;
    if (std::abs(nearest - kRadius) < 1e-5) continue;
    EXPECT_EQ(touches[i] != 0, nearest < kRadius) << i;
    touching += nearest < kRadius ? 1 : 0;
  }
  EXPECT_GT(touching, 20u);
}

}  // namespace
}  // namespace widephase::test
