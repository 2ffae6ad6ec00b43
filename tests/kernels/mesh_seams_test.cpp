// Seams of meshes: triangles that meet without an edge of both, as where vertices lie on edges of
// others, are one surface. Where nothing is beyond an edge it is felt.
// Labels: dated

#include <gtest/gtest.h>

#include "support/cut_meshes.hpp"
#include "support/mesh_patches.hpp"

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

}  // namespace
}  // namespace widephase::test
