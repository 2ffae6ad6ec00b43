// `distances`, `test_pairs`, `any_contact` and `min_distance` of convex shapes and height fields:
// at rest, crossing, far, beyond borders, over holes, below and near seams, against brute force.
// Labels: dated

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <widephase/heightfields.hpp>

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

/// Each shape in its own world.
template <class T>
void add_worlds(SceneColumns<3, T>& scene, const std::vector<Solid<3>>& solids) {
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
      case Kind::chain:
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

/// The deepest patch's depth.
template <class T>
Real deepest_of(const std::vector<PatchAnswer<T>>& patches) {
  Real deepest = patches[0].depth;
  for (const auto& patch : patches) deepest = std::max(deepest, patch.depth);
  return deepest;
}

/// Whether the points are as far apart as the distance says, along the normal, and on the surfaces.
template <class T>
void check_points(const DistanceBuffer<3, T>& found, std::size_t i, const Solid<3>& solid,
                  const Surface& surface, Real tolerance, Real size) {
  const double distance = found.distance[i];
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
  EXPECT_LE(distance_to_core_surface(solid, core_point), 8 * (tolerance + place_rounding) + aside);
  Real off = std::numeric_limits<Real>::infinity();
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    off = std::min(off, distance_to_surface(surface.core(t, {}), b));
  }
  EXPECT_LE(off, 8 * (tolerance + place_rounding) + aside);
}

/// Whether a core ends straight above or below a border: whether it is over the field is then a
/// matter of rounding.
bool ends_at_border(const Solid<3>& solid, const PlacedField& field, Real tolerance) {
  for (const std::size_t k : {0u, 1u}) {
    const Vec<3> axis = field.axes()[k];
    const Real origin = dot(axis, widened(field.center));
    const std::size_t cells = (k == 0 ? field.samples.columns : field.samples.rows) - 1;
    const Real high = core_support(solid, axis) - origin;
    const Real low = -core_support(solid, times(axis, -1)) - origin;
    for (const Real border : {Real{0}, Real{field.samples.cell[k] * static_cast<double>(cells)}}) {
      if (std::abs(high - border) <= tolerance || std::abs(low - border) <= tolerance) return true;
    }
  }
  return false;
}

/// Every shape with every field. With neighbours, patches are those of the seam, but without a
/// patch the distance is that to the field alone.
template <class T>
void check_pairs(const std::vector<PlacedField>& fields,
                 const std::vector<std::array<std::int32_t, 4>>& neighbours,
                 const std::vector<Solid<3>>& solids) {
  const std::size_t count = fields.size();
  SurfaceScene<T> input;
  for (const PlacedField& field : fields) {
    input.add(field);
  }
  for (const Solid<3>& solid : solids) {
    for (std::size_t f = 0; f < count; ++f) input.add_pair(solid, static_cast<std::int32_t>(f));
  }
  input.name_pairs();
  SurfaceScene<T> alone = input;
  for (const auto& beside : neighbours) {
    input.scene.heightfield_geometries.neighbours.push_back(beside);
  }

  Workspace<3, T> workspace;
  ContactBuffer<3, T> contacts, contacts_alone;
  collide_pairs<3, T>(input.scene, input.pairs, contacts, workspace);
  collide_pairs<3, T>(alone.scene, alone.pairs, contacts_alone, workspace);
  std::vector<std::uint8_t> touches(input.pairs.size());
  test_pairs<3, T>(input.scene, input.pairs, touches, workspace);
  DistanceBuffer<3, T> found;
  distances<3, T>(input.scene, input.pairs, found, workspace);
  ASSERT_EQ(found.distance.size(), input.pairs.size());

  for (std::size_t i = 0; i < input.pairs.size(); ++i) {
    const Solid<3>& solid = solids[i / count];
    const PlacedField& field = fields[i % count];
    const auto patches = patches_of(contacts, static_cast<std::int64_t>(i));
    const double distance = found.distance[i];
    SCOPED_TRACE(std::to_string(i) + ": " + describe(solid) + " distance " +
                 std::to_string(distance) + describe(patches));
    EXPECT_EQ(touches[i] != 0, !patches.empty());

    const Surface surface =
        surface_of(field.samples)
            .placed(minus(widened(field.center), widened(solid.p)), field.axes());
    const SurfacePair pair(solid, surface);
    const Vec<3> local = field.local(widened(solid.p));
    const Real size = pair.size() + length(local) + std::abs(Real{distance});
    const Real tolerance =
        kDepthTolerance<T> * pair.size() + (sizeof(SizeOf<T>) == 4 ? 1e-6L : 2e-15L) * size;
    if (!patches.empty()) {
      EXPECT_NEAR(distance, static_cast<double>(-deepest_of(patches)),
                  static_cast<double>(tolerance));
      continue;
    }
    if (ends_at_border(solid, field, tolerance)) continue;
    const auto of_field = patches_of(contacts_alone, static_cast<std::int64_t>(i));
    if (!of_field.empty()) {
      EXPECT_NEAR(distance, static_cast<double>(-deepest_of(of_field)),
                  static_cast<double>(tolerance));
      continue;
    }
    const auto [triangle, least] = nearest_triangle(pair);
    EXPECT_NEAR(distance, static_cast<double>(least), static_cast<double>(tolerance))
        << "triangle " << triangle;
    check_points(found, i, solid, surface, tolerance, size);
  }

  // Every copy of a shape in a world with all fields: the nearest of its pairs.
  std::vector<Solid<3>> copies;
  for (std::size_t i = 0; i < input.pairs.size(); ++i) copies.push_back(solids[i / count]);
  add_worlds(input.scene, copies);
  for (std::size_t f = 0; f < count; ++f) input.scene.heightfields.world.push_back({-1});
  std::vector<std::uint8_t> any(copies.size());
  any_contact<3, T>(input.scene, any, workspace);
  WorldDistanceBuffer<3, T> by_world;
  min_distance<3, T>(input.scene, by_world, workspace);
  ASSERT_EQ(by_world.distance.size(), copies.size());
  for (std::size_t i = 0; i < copies.size(); ++i) {
    const auto first = static_cast<std::ptrdiff_t>(i - i % count);
    const auto last = first + static_cast<std::ptrdiff_t>(count);
    EXPECT_EQ(any[i], *std::max_element(touches.begin() + first, touches.begin() + last));
    EXPECT_EQ(by_world.distance[i],
              *std::min_element(found.distance.begin() + first, found.distance.begin() + last));
  }
}

template <class T>
void check_distances(Ground ground, std::uint64_t seed) {
  SCOPED_TRACE(name_of(ground));
  Random random(seed);
  const PlacedField field = stored<T>(random_field(random, ground));
  std::vector<Solid<3>> solids = solids_about(random, field, scaled(160, 32));
  for (Solid<3>& solid : solids) solid = stored<T>(solid);
  check_pairs<T>({field}, {}, solids);
}

/// A field is cut in two along x or y; the shapes are near the seam.
template <class T>
void check_seam(Ground ground, std::uint64_t seed) {
  Random random(seed);
  for (const std::size_t axis : {0u, 1u}) {
    SCOPED_TRACE(name_of(ground) + (axis == 0 ? " cut across x" : " cut across y"));
    const PlacedField whole = stored<T>(random_field(random, ground));
    const std::size_t all[2] = {whole.samples.columns, whole.samples.rows};
    const std::size_t seam = all[axis] / 2;
    const double seam_at = whole.samples.cell[axis] * static_cast<double>(seam);
    std::vector<PlacedField> parts;
    for (const bool is_high : {false, true}) {
      std::size_t first[2] = {0, 0}, count[2] = {all[0], all[1]};
      first[axis] = is_high ? seam : 0;
      count[axis] = is_high ? all[axis] - seam : seam + 1;
      PlacedField part = whole;
      part.samples.columns = count[0];
      part.samples.rows = count[1];
      part.samples.heights.clear();
      for (std::size_t row = 0; row < count[1]; ++row) {
        for (std::size_t column = 0; column < count[0]; ++column) {
          part.samples.heights.push_back(whole.samples.at(first[1] + row, first[0] + column));
        }
      }
      Point<3> corner{};
      if (is_high) corner[static_cast<int>(axis)] = seam_at;
      part.center = whole.placed(corner);
      parts.push_back(stored<T>(part));
    }
    std::vector<Solid<3>> solids;
    while (solids.size() < scaled(48, 24)) {
      for (const Solid<3>& solid : solids_about(random, whole, 8)) {
        const Vec<3> at = whole.local(widened(solid.p));
        if (std::abs(at[static_cast<int>(axis)] - Real{seam_at}) > 1.5L * whole.unit) continue;
        solids.push_back(stored<T>(solid));
      }
    }
    if (axis == 0) {
      check_pairs<T>(parts, {{-1, 1, -1, -1}, {0, -1, -1, -1}}, solids);
    } else {
      check_pairs<T>(parts, {{-1, -1, -1, 1}, {-1, -1, 0, -1}}, solids);
    }
  }
}

/// Distances were found through the wrong side of a face: a normal away from it, other points.
template <class T>
void check_behind_a_face() {
  // The face is in the plane 10 x - z = 0, between x 0 and 1. Shapes at (1.5, 0.5, 5), beside its
  // border, are 10 / sqrt(101) behind it, over (0.51, 0.5, 5.1).
  const double root = std::sqrt(101.0);
  SceneColumns<3, T> scene;
  const std::vector<SizeOf<T>> heights{0, 10, 0, 10};
  add_heightfield(scene.heightfield_geometries, ColumnSpan<SizeOf<T>>(heights), 2, 1, 1);
  scene.heightfields.center.push_back({0, 0, 0});
  scene.heightfields.turn.push_back({0, 0, 0, 1});
  scene.heightfields.geometry.push_back({0});
  scene.spheres.center.push_back({1.5, 0.5, 5});
  scene.spheres.radius.push_back({SizeOf<T>(0.25)});
  const auto size = SizeOf<T>(0.125);
  scene.boxes.center.push_back({1.5, 0.5, 5});
  scene.boxes.turn.push_back({0, 0, 0, 1});
  scene.boxes.half_extents.push_back({size, size, size});
  scene.ellipsoids.center.push_back({1.5, 0.5, 5});
  scene.ellipsoids.turn.push_back({0, 0, 0, 1});
  scene.ellipsoids.half_extents.push_back({size, 2 * size, size});
  const double reaches[] = {0.25, 0.125 * 11 / root, 0.125};

  const std::vector<Pair> pairs{{0, 3}, {1, 3}, {2, 3}};
  DistanceBuffer<3, T> found;
  Workspace<3, T> workspace;
  distances<3, T>(scene, pairs, found, workspace);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    SCOPED_TRACE(i);
    EXPECT_NEAR(found.distance[i], 10 / root - reaches[i], 1e-5);
    EXPECT_NEAR(found.normal(i, 0), -10 / root, 1e-5);
    EXPECT_NEAR(found.normal(i, 2), 1 / root, 1e-5);
    EXPECT_NEAR(10 * found.point_b(i, 0), found.point_b(i, 2), 1e-4);  // on the plane
  }
}
TEST(height_fields_distances, behind_a_face_the_normal_leads_to_it) {
  check_behind_a_face<float>();
  check_behind_a_face<double>();
}

/// This took 42 seconds: squares of cells about the nearest one were asked, most beyond the field.
TEST(height_fields_distances, far_from_a_long_field_the_nearest_cell_is_found_in_time) {
  SceneColumns<3, float> scene;
  constexpr std::int32_t kColumns = 100000;
  const std::vector<float> heights(2 * std::size_t{kColumns}, 0.0f);
  add_heightfield(scene.heightfield_geometries, ColumnSpan<float>(heights), kColumns, 0.125f,
                  0.125f);
  scene.heightfields.center.push_back({0, 0, 0});
  scene.heightfields.turn.push_back({0, 0, 0, 1});
  scene.heightfields.geometry.push_back({0});
  scene.spheres.center.push_back({6000, 0.0625f, 5000});
  scene.spheres.radius.push_back({1});
  DistanceBuffer<3, float> found;
  Workspace<3, float> workspace;
  const std::vector<Pair> pairs{{0, 1}};
  distances<3, float>(scene, pairs, found, workspace);
  EXPECT_EQ(found.distance[0], 4999);
  // Nor does level ground far below fill memory: all its triangles would take 50 MB.
  EXPECT_LT(workspace.bytes(), std::size_t{16} << 20);
}

// A ball's nearest triangle was farther than the bound on it, by rounding, and then none was left:
// one ball in a hundred had no distance in double.
TEST(height_fields_distances, a_small_ball_near_a_large_triangle_has_one) {
  SceneColumns<3, double> scene;
  add_heightfield(scene.heightfield_geometries, Column<double>{0.53125, 0.125, 1, 0.375}, 2, 0.5,
                  0.75);
  scene.heightfields.center.push_back({0, 0, 0});
  scene.heightfields.turn.push_back({0, 0, 0, 1});
  scene.heightfields.geometry.push_back({0});
  Random random(916);
  const int count = static_cast<int>(scaled(20000, 4000));
  std::vector<Pair> pairs;
  for (int i = 0; i < count; ++i) {
    scene.spheres.center.push_back(
        {random.uniform(0, 0.5), random.uniform(0, 0.75), random.uniform(0.1, 1.2)});
    scene.spheres.radius.push_back({i % 2 == 0 ? 0 : 1e-3});
    pairs.push_back({i, count});
  }
  Workspace<3, double> workspace;
  DistanceBuffer<3, double> found;
  distances(scene, pairs, found, workspace);
  for (const double distance : found.distance) EXPECT_LT(std::abs(distance), 1);
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

/// Told in time, too: rings of cells about the end are as long as the field.
TEST(height_fields_distances, beyond_the_end_of_a_long_field) {
  constexpr std::int32_t kLong = 100000;
  Column<double> heights;
  for (std::int32_t i = 0; i < 2 * kLong; ++i) heights.push_back({0.0});
  for (const bool has_many_rows : {true, false}) {
    SceneColumns<3, double> scene;
    scene.heightfields.geometry.push_back(
        {add_heightfield(scene.heightfield_geometries, ColumnSpan<double>(heights),
                         has_many_rows ? 2 : kLong, 1.0, 1.0)});
    scene.heightfields.center.push_back({0, 0, 0});
    scene.heightfields.turn.push_back({0, 0, 0, 1});
    const double far = 2.0 * kLong;
    scene.spheres.center.push_back({has_many_rows ? 0.5 : far, has_many_rows ? far : 0.5, 3});
    scene.spheres.radius.push_back({1});
    const std::vector<Pair> pairs{{0, 1}};
    DistanceBuffer<3, double> found;
    Workspace<3, double> workspace;
    distances(scene, pairs, found, workspace);
    EXPECT_NEAR(found.distance[0], std::hypot(far - (kLong - 1), 3) - 1, 1e-6);
  }
}

constexpr std::array kCut{Ground::flat,  Ground::bumpy, Ground::stairs, Ground::steep,
                          Ground::holes, Ground::hills, Ground::far};

TEST(height_fields_distances, near_a_seam_float) {
  for (const Ground ground : kCut) check_seam<float>(ground, 913);
}
TEST(height_fields_distances, near_a_seam_double) {
  for (const Ground ground : kCut) check_seam<double>(ground, 914);
}
TEST(height_fields_distances, near_a_seam_mixed) {
  for (const Ground ground : kCut) check_seam<Mixed>(ground, 915);
}

}  // namespace
}  // namespace widephase::test
