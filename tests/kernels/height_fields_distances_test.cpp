// `distances`, `test_pairs`, `any_contact` and `min_distance` of convex shapes and height fields:
// at rest, crossing, far, beyond borders, over holes and below, against brute force.
// Labels: dated

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/surface_answers.hpp"

namespace widephase::test {
namespace {

constexpr std::array kAsked{Ground::flat,  Ground::bumpy,    Ground::stairs,  Ground::steep,
                            Ground::holes, Ground::one_cell, Ground::needles, Ground::far};

/// At rest, crossing or anywhere; half of them lifted, moved beside the field, or put below it.
std::vector<Solid<3>> solids_about(Random& random, const PlacedField& field, std::size_t count) {
  std::vector<Solid<3>> solids;
  for (std::size_t i = 0; i < count; ++i) {
    Solid<3> solid = solid_near(random, field, kConvexKinds[i % kConvexKinds.size()]);
    const auto axes = field.axes();
    const double way = std::pow(10, random.uniform(-2, 2)) * field.unit;
    const int where = random.integer(0, 7);
    const std::size_t axis = where == 0 ? 0u : where == 1 ? 1u : 2u;
    if (where < 4) {
      const double side = where == 3 || (where < 2 && random.chance(0.5)) ? -way : way;
      const Vec<3> shift = times(axes[axis], side);
      solid = moved(solid, {static_cast<double>(shift[0]), static_cast<double>(shift[1]),
                            static_cast<double>(shift[2])});
    }
    solids.push_back(solid);
  }
  return solids;
}

/// The shape in its own world, the field in all of them.
template <class T>
void add_worlds(SceneColumns<3, T>& scene, const std::vector<Solid<3>>& solids) {
  scene.heightfields.world.push_back({-1});
  for (std::size_t i = 0; i < solids.size(); ++i) {
    const auto put = [&](auto& table) { table.world.push_back({static_cast<std::int32_t>(i)}); };
    switch (solids[i].kind) {
      case Kind::sphere:
        put(scene.spheres);
        break;
      case Kind::capsule:
        put(scene.capsules);
        break;
      case Kind::aabb:
        put(scene.aabbs);
        break;
      case Kind::box:
        put(scene.boxes);
        break;
      case Kind::hull:
        put(scene.hulls);
        break;
      case Kind::cylinder:
        put(scene.cylinders);
        break;
      case Kind::ellipsoid:
        put(scene.ellipsoids);
        break;
      case Kind::cone:
        put(scene.cones);
        break;
      case Kind::polygon:
      case Kind::halfspace:
      case Kind::heightfield:
      case Kind::mesh:
        FAIL() << "no convex shape";
    }
  }
}

/// The nearest of all triangles, and how far it is; below 0 if the core crosses one.
std::pair<std::size_t, Real> nearest_triangle(const SurfacePair& pair) {
  std::pair<std::size_t, Real> nearest{0, std::numeric_limits<Real>::infinity()};
  for (std::size_t t = 0; t < pair.surface().triangles.size(); ++t) {
    const Real distance = -pair.least_core_way_out(t) - pair.radius();
    if (distance < nearest.second) nearest = {t, distance};
  }
  return nearest;
}

template <class T>
void check_distances(Ground ground, std::uint64_t seed) {
  SCOPED_TRACE(name_of(ground));
  Random random(seed);
  const PlacedField field = stored<T>(random_field(random, ground));
  std::vector<Solid<3>> solids = solids_about(random, field, scaled(160, 32));
  for (Solid<3>& solid : solids) solid = stored<T>(solid);
  SurfaceScene<T> input;
  const std::int32_t row = input.add(field);
  for (const Solid<3>& solid : solids) input.add_pair(solid, row);
  add_worlds(input.scene, solids);
  input.name_pairs();

  Workspace<3, T> workspace;
  ContactBuffer<3, T> contacts;
  collide_pairs<3, T>(input.scene, input.pairs, contacts, workspace);
  std::vector<std::uint8_t> touches(solids.size()), any(solids.size());
  test_pairs<3, T>(input.scene, input.pairs, touches, workspace);
  any_contact<3, T>(input.scene, any, workspace);
  DistanceBuffer<3, T> found;
  distances<3, T>(input.scene, input.pairs, found, workspace);
  WorldDistanceBuffer<3, T> by_world;
  min_distance<3, T>(input.scene, by_world, workspace);
  ASSERT_EQ(by_world.distance.size(), solids.size());

  for (std::size_t i = 0; i < solids.size(); ++i) {
    const Solid<3>& solid = solids[i];
    const auto patches = patches_of(contacts, static_cast<std::int64_t>(i));
    const double distance = found.distance[i];
    SCOPED_TRACE(std::to_string(i) + ": " + describe(solid) + " distance " +
                 std::to_string(distance) + describe(patches));
    EXPECT_EQ(touches[i] != 0, !patches.empty());
    EXPECT_EQ(any[i], touches[i]);
    EXPECT_EQ(by_world.distance[i], found.distance[i]);

    const Surface surface =
        surface_of(field.samples)
            .placed(minus(widened(field.center), widened(solid.p)), field.axes());
    const SurfacePair pair(solid, surface);
    const Vec<3> local = field.local(widened(solid.p));
    const Real size = pair.size() + length(local) + std::abs(Real{distance});
    const Real tolerance =
        kDepthTolerance<T> * pair.size() + (sizeof(SizeOf<T>) == 4 ? 1e-6L : 2e-15L) * size;
    if (!patches.empty()) {
      Real deepest = patches[0].depth;
      for (const auto& patch : patches) deepest = std::max(deepest, patch.depth);
      EXPECT_NEAR(distance, static_cast<double>(-deepest), static_cast<double>(tolerance));
      continue;
    }
    const auto [triangle, least] = nearest_triangle(pair);
    EXPECT_NEAR(distance, static_cast<double>(least), static_cast<double>(tolerance));

    // Both points are as far apart as it says, along the normal, and on their surfaces.
    Vec<3> normal, a, b;
    Real world = 0;
    for (int k = 0; k < 3; ++k) {
      normal[k] = found.normal(i, k);
      a[k] = Real{found.point_a(i, k)} - Real{solid.p[k]};
      b[k] = Real{found.point_b(i, k)} - Real{solid.p[k]};
      world = std::max(world, std::abs(Real{solid.p[k]}) + std::abs(b[k]));
    }
    const Real place_rounding = (sizeof(PositionOf<T>) == 4 ? 5e-7L : 1e-15L) * (world + size);
    EXPECT_NEAR(static_cast<double>(length(normal)), 1, static_cast<double>(4 * kUnitTolerance<T>));
    EXPECT_LE(length(minus(b, plus(a, normal, distance))), 4 * (tolerance + place_rounding));
    // A point on a flat place is as good as one beside it: a root of the tolerance away.
    const Real aside = is_searched(solid.kind) ? std::sqrt(tolerance * size) : 0;
    const Vec<3> core_point = plus(plus(a, normal, -radius_of(solid)), widened(solid.p));
    EXPECT_LE(distance_to_core_surface(solid, core_point),
              8 * (tolerance + place_rounding) + aside);
    Real off = std::numeric_limits<Real>::infinity();
    for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
      off = std::min(off, distance_to_surface(surface.core(t, {}), b));
    }
    EXPECT_LE(off, 8 * (tolerance + place_rounding) + aside) << "triangle " << triangle;
  }
}

TEST(height_fields_distances, float_) {
  for (const Ground ground : kAsked) check_distances<float>(ground, 910);
}
TEST(height_fields_distances, double_) {
  for (const Ground ground : kAsked) check_distances<double>(ground, 911);
}
TEST(height_fields_distances, mixed) {
  for (const Ground ground : kAsked) check_distances<Mixed>(ground, 912);
}

}  // namespace
}  // namespace widephase::test
