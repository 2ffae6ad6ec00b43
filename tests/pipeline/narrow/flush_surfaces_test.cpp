// Meshes, height fields and chains on floors of parts that lie flush (`flush_tolerance`) feel no
// joint. The references are a plane, and in 2D all parts by brute force.
// Labels: own-sets threads

#include <gtest/gtest.h>

#include <map>

#include <widephase/meshes.hpp>

#include "reference/flush.hpp"
#include "reference/scaled.hpp"
#include "support/flat_tiles.hpp"
#include "support/floor_tiles.hpp"
#include "support/lines.hpp"
#include "support/mesh_judge.hpp"

namespace widephase::test {
namespace {

template <class T>
class flush_surfaces : public ::testing::Test {};
template <class T_>
struct In {
  using T = T_;
};
using Precisions = testing::Types<In<float>, In<double>, In<Mixed>>;
TYPED_TEST_SUITE(flush_surfaces, Precisions);

template <class T>
constexpr double kAngle = sizeof(SizeOf<T>) == 4 ? 1e-4 : 1e-9;
template <class T>
constexpr double kLength = sizeof(SizeOf<T>) == 4 ? 1e-5 : 1e-12;

/// Parts are of owner 1; they and the rest meet one another, but not their own.
template <int D, class T>
void sort_sides(SceneColumns<D, T>& scene, bool are_parts) {
  for_each_table(scene, [&](auto& table) {
    const std::size_t count = row_count(table);
    table.owner.resize(count, are_parts ? 1 : -1);
    table.category.resize(count, are_parts ? 1 : 2);
    table.mask.resize(count, are_parts ? 2 : 1);
  });
}
template <int D, class T>
void add_parts(SceneColumns<D, T>& scene, const std::vector<Solid<D>>& parts) {
  for (const Solid<D>& part : parts) append<D, T>(scene, stored<T>(part));
  sort_sides(scene, true);
}
CollideOptions flush_options(double tolerance = kTolerance) {
  CollideOptions options;
  options.flush_tolerance = tolerance;
  options.threads.count = 1;
  return options;
}
template <int D, class T>
ContactBuffer<D, T> contacts_in(const SceneColumns<D, T>& scene, const CollideOptions& options) {
  Workspace<D, T> workspace;
  ContactBuffer<D, T> contacts;
  collide<D, T>(scene, contacts, workspace, options);
  return contacts;
}
/// How far a contact's normal is from a direction; A is the part.
template <int D, class T>
double lean(const ContactBuffer<D, T>& contacts, std::size_t c, const Point<D>& up) {
  double square = 0;
  for (int k = 0; k < D; ++k) {
    const double off = static_cast<double>(contacts.normal(c, k)) - up[k];
    square += off * off;
  }
  return std::sqrt(square);
}

/// A convex shape's surface.
PlacedMesh mesh_of(const Solid<3>& solid) {
  const Polytope core = polytope_of(solid, {0, 0, 0});
  PlacedMesh mesh;
  for (const Vec<3>& v : core.corners) {
    mesh.vertices.push_back(
        {static_cast<double>(v[0]), static_cast<double>(v[1]), static_cast<double>(v[2])});
  }
  Vec<3> middle{};
  for (const Vec<3>& v : core.corners) {
    middle = plus(middle, v, Real{1} / static_cast<Real>(core.corners.size()));
  }
  for (const PolytopeFace& face : core.faces) {
    const auto corner = [&](std::size_t k) { return core.corners[face.corners[k]]; };
    const Vec<3> across = cross(minus(corner(1), corner(0)), minus(corner(2), corner(0)));
    const bool is_front = dot(across, minus(corner(0), middle)) > 0;
    for (std::size_t k = 2; k < face.corners.size(); ++k) {
      const auto number = [&](std::size_t n) { return static_cast<std::int32_t>(face.corners[n]); };
      mesh.triangles.push_back(
          {number(0), number(is_front ? k - 1 : k), number(is_front ? k : k - 1)});
    }
  }
  return mesh;
}

/// Cubes of which one side passes a joint, in steps of 1e-4.
template <class T>
SceneColumns<3, T> sliding_cubes(int count, double deep, double radius = 0) {
  SceneColumns<3, T> scene;
  PlacedMesh mesh = mesh_of(aabb<3>({-0.2, -0.2, -0.2}, {0.2, 0.2, 0.2}));
  mesh.radius = radius;
  for (int k = 0; k < count; ++k) {
    mesh.center = {0.795 - radius + k * 1e-4, 0.31, 0.2 + radius - deep};
    append<T>(scene, stored<T>(mesh));
  }
  return scene;
}

TYPED_TEST(flush_surfaces, a_cube_passes_joints) {
  using T = typename TypeParam::T;
  for (const Kind kind : {Kind::aabb, Kind::box, Kind::hull}) {
    for (const double radius : {0.0, 0.05}) {
      Random random(1);
      SceneColumns<3, T> floor;
      add_parts<3, T>(floor, floor_tiles(random, Tiling::grid, kind, {}));
      SceneColumns<3, T> moving = sliding_cubes<T>(100, 0.002, radius);
      std::swap(floor.mesh_geometries, moving.mesh_geometries);
      sort_sides(moving, false);
      Workspace<3, T> workspace;
      for (const bool is_flush : {false, true}) {
        StaticScene<3, T> kept;
        build_static_scene<3, T>(floor, kept, workspace, flush_options(is_flush ? kTolerance : 0));
        ContactBuffer<3, T> contacts;
        collide<3, T>(moving, kept, contacts, workspace, {});
        std::map<std::int32_t, double> deepest;
        std::size_t leaning = 0;
        for (std::size_t c = 0; c < contacts.size(); ++c) {
          const bool is_part_a = contacts.pair[c].a >= 100;
          double& depth = deepest[is_part_a ? contacts.pair[c].b : contacts.pair[c].a];
          depth = std::max(depth, static_cast<double>(contacts.depth[c]));
          leaning += lean<3, T>(contacts, c, {0, 0, is_part_a ? 1.0 : -1.0}) > kAngle<T> ? 1 : 0;
        }
        ASSERT_EQ(deepest.size(), 100u);
        if (!is_flush) {
          if (radius == 0) {
            EXPECT_GT(leaning, 10u);
          }
          continue;
        }
        EXPECT_EQ(leaning, 0u) << kind_name(kind, 3) << " " << radius;
        for (const auto& [id, depth] : deepest) EXPECT_NEAR(depth, 0.002, kLength<T>);
      }
    }
  }
}

TYPED_TEST(flush_surfaces, convex_meshes_touch_a_floor_of_tiles_as_a_plane) {
  using T = typename TypeParam::T;
  Random random(2);
  std::size_t touched = 0;
  for (const Tiling tiling : {Tiling::grid, Tiling::bricks, Tiling::mixed, Tiling::prisms}) {
    Pose pose;
    if (tiling != Tiling::grid)
      pose = {about(random.direction<3>(), random.uniform(0, 3)), {1, 2, 3}};
    const Kind kind = tiling == Tiling::prisms ? Kind::hull : Kind::box;
    SceneColumns<3, T> scene;
    add_parts<3, T>(scene, floor_tiles(random, tiling, kind, pose));
    std::vector<double> depths;
    for (int n = 0; n < 40; ++n) {
      const double most = n % 4 == 0 ? 0 : n % 4 == 1 ? 0.1 : 3;
      const Quaternion turn = about(random.direction<3>(), random.uniform(0, most));
      PlacedMesh mesh = mesh_of(body_of(random, n % 2 == 0 ? Kind::aabb : Kind::hull, kUpright));
      double low = 1e9;
      for (const Point<3>& v : mesh.vertices) low = std::min(low, rotated(turn, v)[2]);
      depths.push_back(n % 3 == 0 ? -0.01 : random.uniform(0.0005, 0.01));
      const Point<3> at{random.uniform(-3, 3), random.uniform(-3, 3), -low - depths.back()};
      mesh.center = pose.placed(at);
      mesh.orientation = product(pose.turn, turn);
      append<T>(scene, stored<T>(mesh));
    }
    sort_sides(scene, false);
    CollideOptions options = flush_options();
    options.margin = 0.02;
    const ContactBuffer<3, T> contacts = contacts_in<3, T>(scene, options);
    std::vector<double> deepest(depths.size(), -1);
    const std::int32_t first = layout_of(scene).id(Kind::mesh, 0);
    for (std::size_t c = 0; c < contacts.size(); ++c) {
      const auto n = static_cast<std::size_t>(contacts.pair[c].b - first);
      EXPECT_LT((lean<3, T>(contacts, c, pose.up())), 4 * kAngle<T>) << n;
      deepest[n] = std::max(deepest[n], static_cast<double>(contacts.depth[c]));
      ASSERT_GT(contacts.offset[c + 1], contacts.offset[c]);
    }
    for (std::size_t n = 0; n < depths.size(); ++n) {
      EXPECT_NEAR(deepest[n], depths[n], kLength<T>) << n;
      ++touched;
    }
  }
  EXPECT_EQ(touched, 160u);
}

TEST(flush_surfaces_directions, of_convex_meshes_are_those_of_hulls) {
  // Two blocks in a row, and a wall of two: inner and outer corners. Where a hull and its surface
  // have the same contact without the tolerance, they have the same with it.
  const std::vector<Solid<3>> blocks{
      aabb<3>({-1, 0, -1}, {0, 1, 0}), aabb<3>({0, 0, -1}, {1, 1, 0}),
      aabb<3>({-1, 1, -1}, {0, 2, 2}), aabb<3>({0, 1, -1}, {1, 2, 2})};
  Random random(8);
  SceneColumns<3, double> scene, of_meshes;
  add_parts<3, double>(scene, blocks);
  add_parts<3, double>(of_meshes, blocks);
  constexpr int kBodyCount = 400;
  for (int n = 0; n < kBodyCount; ++n) {
    const Solid<3> body = body_of(random, n % 2 == 0 ? Kind::aabb : Kind::hull, kUpright);
    const Quaternion turn = about(random.direction<3>(), random.uniform(0, n % 4 < 2 ? 0.1 : 3));
    PlacedMesh mesh = mesh_of(body);
    Point<3> at{random.uniform(-0.3, 0.3), random.uniform(-0.2, 1.2), random.uniform(0, 0.4)};
    if (at[1] > 0.8) at[2] = random.uniform(0.2, 1);
    mesh.center = at;
    mesh.orientation = turn;
    append<double>(of_meshes, mesh);
    append<3, double>(scene, hull(at, turn, mesh.vertices));
  }
  sort_sides(scene, false);
  sort_sides(of_meshes, false);
  using Contacts = std::map<std::pair<int, int>, std::vector<std::array<double, 4>>>;
  const auto told = [&](const SceneColumns<3, double>& of, Kind kind, double tolerance) {
    Contacts found;
    const auto contacts = contacts_in<3, double>(of, flush_options(tolerance));
    const std::int32_t first = layout_of(of).id(kind, 0);
    for (std::size_t c = 0; c < contacts.size(); ++c) {
      found[{contacts.pair[c].a, contacts.pair[c].b - first}].push_back(
          {contacts.normal(c, 0), contacts.normal(c, 1), contacts.normal(c, 2), contacts.depth[c]});
    }
    return found;
  };
  Contacts hulls = told(scene, Kind::hull, 0), meshes = told(of_meshes, Kind::mesh, 0);
  Contacts flush_hulls = told(scene, Kind::hull, kTolerance);
  Contacts flush_meshes = told(of_meshes, Kind::mesh, kTolerance);
  const auto off = [](const std::array<double, 4>& a, const std::array<double, 4>& b) {
    return std::hypot(std::hypot(a[0] - b[0], a[1] - b[1]), std::hypot(a[2] - b[2], a[3] - b[3]));
  };
  std::size_t stayed = 0, replaced = 0;
  for (const auto& [pair, of_mesh] : meshes) {
    const auto& of_hull = hulls[pair];
    if (of_hull.size() != 1 || of_mesh.size() != 1 || off(of_hull[0], of_mesh[0]) > 1e-9) continue;
    ASSERT_EQ(flush_meshes[pair].size(), 1u);
    const bool has_moved = off(flush_hulls[pair][0], of_hull[0]) > 1e-6;
    (has_moved ? replaced : stayed) += 1;
    EXPECT_LT(off(flush_hulls[pair][0], flush_meshes[pair][0]), 1e-8)
        << pair.first << " " << pair.second << " was " << of_mesh[0][0] << " " << of_mesh[0][1]
        << " " << of_mesh[0][2] << " " << of_mesh[0][3] << " hull " << flush_hulls[pair][0][0]
        << " " << flush_hulls[pair][0][1] << " " << flush_hulls[pair][0][2] << " "
        << flush_hulls[pair][0][3] << " mesh " << flush_meshes[pair][0][0] << " "
        << flush_meshes[pair][0][1] << " " << flush_meshes[pair][0][2] << " "
        << flush_meshes[pair][0][3];
  }
  EXPECT_GT(stayed, 50u);
  EXPECT_GT(replaced, 50u);
}

TYPED_TEST(flush_surfaces, fields_upside_down_touch_a_floor_of_tiles_as_a_plane) {
  using T = typename TypeParam::T;
  Random random(3);
  for (const Tiling tiling : {Tiling::grid, Tiling::mixed}) {
    SurfaceScene<T> surfaces;
    SceneColumns<3, T>& scene = surfaces.scene;
    add_parts<3, T>(scene, floor_tiles(random, tiling, Kind::box, {}));
    constexpr int kFields = 60;
    for (int n = 0; n < kFields; ++n) {
      PlacedField field;
      field.samples = height_samples(4, 5, {0.13, 0.11}, [&](double, double) {
        return n % 2 == 0 ? 0 : -random.uniform(0, 0.02);
      });
      const double most = *std::ranges::max_element(field.samples.heights);
      const double angle = n % 3 == 0 ? 0 : random.uniform(-3, 3);
      field.orientation = product(about({0, 0, 1}, angle), Quaternion{1, 0, 0, 0});
      const double x = n % 3 == 0 ? 0.479 + n * 1e-4 : random.uniform(-3, 3);
      field.center = {x, random.uniform(-3, 3), most - 0.002};
      surfaces.add(field);
    }
    sort_sides(scene, false);
    const ContactBuffer<3, T> contacts = contacts_in<3, T>(scene, flush_options());
    std::vector<double> deepest(kFields, 0);
    const std::int32_t first = layout_of(scene).id(Kind::heightfield, 0);
    for (std::size_t c = 0; c < contacts.size(); ++c) {
      const auto n = static_cast<std::size_t>(contacts.pair[c].b - first);
      EXPECT_LT((lean<3, T>(contacts, c, {0, 0, 1})), kAngle<T>) << n;
      deepest[n] = std::max(deepest[n], static_cast<double>(contacts.depth[c]));
    }
    for (const double depth : deepest) EXPECT_NEAR(depth, 0.002, 10 * kLength<T>);
  }
}

TYPED_TEST(flush_surfaces, a_crate_of_parts_rests_on_a_mesh) {
  using T = typename TypeParam::T;
  for (const double angle : {0.0, 1e-3, 0.02}) {
    SceneColumns<3, T> scene;
    std::vector<Solid<3>> parts;
    for (int v = 0; v < 8; ++v) {
      const auto side = [&](int k, double half) { return (v >> k & 1) != 0 ? half : -half; };
      parts.push_back(box({side(0, 0.3), side(1, 0.2), side(2, 0.1)}, kUpright, {0.3, 0.2, 0.1}));
    }
    add_parts<3, T>(scene, parts);
    scene.boxes.body.resize(8, 0);
    scene.bodies.position.push_back({0.03, 0.01, SizeOf<T>(0.199)});
    const Quaternion turn = about({0.6, 0.8, 0}, angle);
    std::array<SizeOf<T>, 4> numbers;
    for (int k = 0; k < 4; ++k) numbers[static_cast<std::size_t>(k)] = SizeOf<T>(turn[k]);
    scene.bodies.turn.push_back(numbers);
    PlacedMesh ground;
    Random random(4);
    for (int y = 0; y <= 8; ++y) {
      for (int x = 0; x <= 8; ++x) {
        const auto place = [&](int k) { return 0.25 * (k - 4) + random.uniform(-0.1, 0.1); };
        ground.vertices.push_back({place(x), place(y), 0});
        const int at = 9 * y + x;
        if (x == 8 || y == 8) continue;
        ground.triangles.push_back({at, at + 1, at + 10});
        ground.triangles.push_back({at, at + 10, at + 9});
      }
    }
    append<T>(scene, stored<T>(ground));
    sort_sides(scene, false);
    scene.meshes.body.resize(1, -1);
    const ContactBuffer<3, T> contacts = contacts_in<3, T>(scene, flush_options());
    EXPECT_GE(contacts.size(), 1u);
    for (std::size_t c = 0; c < contacts.size(); ++c) {
      EXPECT_LT((lean<3, T>(contacts, c, {0, 0, -1})), angle + kAngle<T>) << angle;
      EXPECT_LT(static_cast<double>(contacts.depth[c]), 0.0011 + 0.8 * angle);
    }
  }
}

TYPED_TEST(flush_surfaces, a_cube_stands_on_a_step_before_the_next) {
  using T = typename TypeParam::T;
  for (int n = 0; n < 40; ++n) {  // the upper block covers half of the lower one's top
    SceneColumns<3, T> scene;
    add_parts<3, T>(scene, {aabb<3>({0, 0, -1}, {2, 1, 0}), aabb<3>({1, 0, 0}, {2, 1, 1})});
    PlacedMesh mesh = mesh_of(aabb<3>({-0.2, -0.2, -0.2}, {0.2, 0.2, 0.2}));
    const double over = (n - 20) * 1e-4;
    mesh.center = {0.8 + over, 0.5, 0.198};
    append<T>(scene, stored<T>(mesh));
    sort_sides(scene, false);
    const ContactBuffer<3, T> contacts = contacts_in<3, T>(scene, flush_options());
    ASSERT_EQ(contacts.size(), over > 1e-6 ? 2u : contacts.size());
    ASSERT_GE(contacts.size(), 1u);
    for (std::size_t c = 0; c < contacts.size(); ++c) {
      const bool is_lower = contacts.pair[c].a == 0;
      EXPECT_LT((lean<3, T>(contacts, c, is_lower ? Point<3>{0, 0, 1} : Point<3>{-1, 0, 0})),
                kAngle<T>);
      EXPECT_NEAR(static_cast<double>(contacts.depth[c]), is_lower ? 0.002 : over, kLength<T>);
    }
  }
}

TYPED_TEST(flush_surfaces, a_crate_of_parts_rests_on_a_chain) {
  using T = typename TypeParam::T;
  for (const double angle : {0.0, 1e-3, 0.02}) {
    Random random(9);
    Lines<T> lines;
    std::vector<Solid<2>> parts;
    for (int v = 0; v < 4; ++v) {
      parts.push_back(box({v % 2 != 0 ? 0.3 : -0.3, v / 2 != 0 ? 0.1 : -0.1}, 0, {0.3, 0.1}));
    }
    add_parts<2, T>(lines.scene, parts);
    std::vector<double> places{-4};
    while (places.back() < 4) places.push_back(places.back() + random.uniform(0.05, 0.6));
    lines.place(lines.add(line_of(places, [](double) { return 0.0; })));
    sort_sides(lines.scene, false);
    lines.scene.boxes.body.resize(4, 0);
    lines.scene.chains.body.resize(1, -1);
    lines.scene.bodies.position.push_back({PositionOf<T>(0.03), PositionOf<T>(0.199)});
    lines.scene.bodies.turn.push_back({SizeOf<T>(angle)});
    const ContactBuffer<2, T> contacts = contacts_of(lines.scene, flush_options(kFlatTolerance));
    EXPECT_GE(contacts.size(), 1u);
    for (std::size_t c = 0; c < contacts.size(); ++c) {
      EXPECT_LT((lean<2, T>(contacts, c, {0, -1})), angle + kAngle<T>) << angle;
      EXPECT_LT(static_cast<double>(contacts.depth[c]), 0.0011 + 0.7 * angle);
    }
  }
}

/// The same contacts whatever runs them and whoever is named first.
template <int D, class T>
void expect_same_bits(const SceneColumns<D, T>& scene, double tolerance) {
  CollideOptions options = flush_options(tolerance);
  options.margin = 0.01;
  const ContactBuffer<D, T> contacts = contacts_in<D, T>(scene, options);
  EXPECT_NE(hash(contacts), hash(contacts_in<D, T>(scene, [&] {
              CollideOptions plain = options;
              plain.flush_tolerance = 0;
              return plain;
            }())));
  for (const Isa isa : usable_isas()) {
    CollideOptions on = options;
    on.isa = isa;
    EXPECT_EQ((hash(contacts_in<D, T>(scene, on))), hash(contacts));
  }
  CollideOptions on_threads = options;
  on_threads.threads.count = 3;
  Workspace<D, T> workspace;
  ContactBuffer<D, T> again;
  for (int step = 0; step < 2; ++step) {
    collide<D, T>(scene, again, workspace, on_threads);
    EXPECT_EQ(hash(again), hash(contacts));
  }
  std::vector<Pair> pairs, reversed;
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const Pair pair = contacts.pair[c];
    if (!pairs.empty() && pairs.back().a == pair.a && pairs.back().b == pair.b) continue;
    pairs.push_back(pair);
    reversed.push_back({pair.b, pair.a});
  }
  options.order = Order::source;
  ContactBuffer<D, T> straight, mirrored;
  collide_pairs<D, T>(scene, pairs, straight, workspace, options);
  collide_pairs<D, T>(scene, reversed, mirrored, workspace, options);
  ASSERT_EQ(straight.size(), contacts.size());
  ASSERT_EQ(mirrored.size(), straight.size());
  ASSERT_EQ(mirrored.point_count(), straight.point_count());
  for (std::size_t c = 0; c < straight.size(); ++c) {
    EXPECT_EQ(mirrored.depth[c], straight.depth[c]);
    for (int k = 0; k < D; ++k) EXPECT_EQ(mirrored.normal(c, k), 0 - straight.normal(c, k));
  }
}

TEST(flush_surfaces_bits, sets_and_threads_and_whose_name_is_first_change_no_bit) {
  Random random(5);
  SceneColumns<3, float> scene = sliding_cubes<float>(300, 0.004);
  add_parts<3, float>(scene, floor_tiles(random, Tiling::bricks, Kind::box, {}));
  scene.meshes.owner = {};
  scene.meshes.category = {};
  scene.meshes.mask = {};
  sort_sides(scene, false);
  expect_same_bits<3, float>(scene, kTolerance);
}

TYPED_TEST(flush_surfaces, box_shaped_chains_pass_joints) {
  using T = typename TypeParam::T;
  for (const FlatTiling tiling :
       {FlatTiling::even, FlatTiling::mixed, FlatTiling::bricks, FlatTiling::wedges}) {
    for (const Kind kind : {Kind::aabb, Kind::box, Kind::polygon}) {
      Random random(6);
      Lines<T> lines;
      add_parts<2, T>(lines.scene, flat_tiles(random, tiling, kind, {}));
      const double half = 0.2;
      std::vector<double> depths;
      for (int n = 0; n < 200; ++n) {
        const double angle = n % 3 == 0 ? 0 : random.uniform(-3, 3);
        const double low = half * (std::abs(std::cos(angle)) + std::abs(std::sin(angle)));
        const double x = n % 3 == 0 ? 0.29 + n * 1e-4 : random.uniform(-3, 3);
        const double radius = n % 2 == 0 ? 0 : 0.03;
        depths.push_back(n % 5 == 4 ? -0.005 : 0.002);
        lines.place(
            lines.add({{-half, -half}, {half, -half}, {half, half}, {-half, half}}, {.loop = true}),
            {x, low + radius - depths.back()}, angle, radius);
      }
      sort_sides(lines.scene, false);
      CollideOptions options = flush_options(kFlatTolerance);
      options.margin = 0.01;
      const ContactBuffer<2, T> contacts = contacts_of(lines.scene, options);
      std::vector<double> deepest(depths.size(), -1);
      const std::int32_t first = layout_of(lines.scene).id(Kind::chain, 0);
      for (std::size_t c = 0; c < contacts.size(); ++c) {
        const auto n = static_cast<std::size_t>(contacts.pair[c].b - first);
        EXPECT_LT((lean<2, T>(contacts, c, {0, 1})), kAngle<T>) << n << " " << kind_name(kind, 2);
        deepest[n] = std::max(deepest[n], static_cast<double>(contacts.depth[c]));
        ASSERT_GT(contacts.offset[c + 1], contacts.offset[c]);
      }
      for (std::size_t n = 0; n < depths.size(); ++n) {
        EXPECT_NEAR(deepest[n], depths[n], kLength<T>) << n;
      }
      if (tiling == FlatTiling::bricks) expect_same_bits<2, T>(lines.scene, kFlatTolerance);
    }
  }
}

/// Squares and triangles of a jittered grid, some of them left out.
std::vector<Solid<2>> random_parts(Random& random) {
  constexpr int kCells = 4;
  Point<2> corner[kCells + 1][kCells + 1];
  for (int y = 0; y <= kCells; ++y) {
    for (int x = 0; x <= kCells; ++x) {
      corner[y][x] = {x + random.uniform(-0.2, 0.2), y + random.uniform(-0.2, 0.2)};
    }
  }
  std::vector<Solid<2>> parts;
  const double share = random.uniform(0.4, 1);
  for (int y = 0; y < kCells; ++y) {
    for (int x = 0; x < kCells; ++x) {
      if (!random.chance(share)) continue;
      const std::vector<Point<2>> cell{corner[y][x], corner[y][x + 1], corner[y + 1][x + 1],
                                       corner[y + 1][x]};
      if (random.chance(0.5)) {
        parts.push_back(polygon({0, 0}, 0, cell));
        continue;
      }
      parts.push_back(polygon({0, 0}, 0, {cell[0], cell[1], cell[2]}));
      parts.push_back(polygon({0, 0}, 0, {cell[0], cell[2], cell[3]}));
    }
  }
  return parts;
}

TEST(flush_surfaces_directions, of_convex_loops_are_those_of_polygons) {
  // What stays is told by brute force; what replaces the rest is that of the polygon, whose own
  // test has a reference.
  constexpr double kTight = 1e-8;
  Random random(7);
  std::size_t stayed = 0, replaced = 0, doubtful = 0;
  for (std::size_t s = 0; s < scaled(40, 15); ++s) {
    const std::vector<Solid<2>> parts = random_parts(random);
    std::vector<Outline> outlines;
    for (const Solid<2>& part : parts) outlines.push_back(outline_of(part, {0, 0}));
    const FlushOutlines solid(outlines, kTight);
    Lines<double> lines;
    SceneColumns<2, double> polygons;
    add_parts<2, double>(lines.scene, parts);
    add_parts<2, double>(polygons, parts);
    std::vector<Outline> loops;
    for (int n = 0; n < 25; ++n) {
      const Solid<2> body =
          moved(flat_body(random, n % 2 == 0 ? Kind::box : Kind::polygon, random.uniform(-3, 3)),
                {random.uniform(-0.3, 4.3), random.uniform(-0.3, 4.3)});
      loops.push_back(outline_of(body, {0, 0}));
      std::vector<Point2d> points;
      std::vector<Point<2>> corners;
      for (const Vec<2>& v : loops.back()) {
        points.push_back({static_cast<double>(v[0]), static_cast<double>(v[1])});
        corners.push_back({points.back()[0], points.back()[1]});
      }
      append<2, double>(polygons, polygon({0, 0}, 0, corners));
      lines.place(lines.add(points, {.loop = true}));
    }
    sort_sides(lines.scene, false);
    sort_sides(polygons, false);
    const auto plain = contacts_of(lines.scene, flush_options(0));
    const auto flush = contacts_of(lines.scene, flush_options(kTight));
    ASSERT_EQ(plain.size(), flush.size());
    std::map<std::pair<int, int>, std::array<double, 3>> of_polygons[2];
    for (const bool is_flush : {false, true}) {
      const auto contacts = contacts_of(polygons, flush_options(is_flush ? kTight : 0));
      const auto first_body = static_cast<std::int32_t>(parts.size());
      for (std::size_t c = 0; c < contacts.size(); ++c) {
        const Pair pair = contacts.pair[c];
        of_polygons[is_flush ? 1 : 0][{pair.a, pair.b - first_body}] = {
            contacts.normal(c, 0), contacts.normal(c, 1), contacts.depth[c]};
      }
    }
    const std::int32_t first = layout_of(lines.scene).id(Kind::chain, 0);
    for (std::size_t c = 0; c < plain.size(); ++c) {
      const Pair pair = plain.pair[c];
      ASSERT_EQ(flush.pair[c].a, pair.a);
      const bool is_alone =
          (c == 0 || plain.pair[c - 1].a != pair.a || plain.pair[c - 1].b != pair.b) &&
          (c + 1 == plain.size() || plain.pair[c + 1].a != pair.a || plain.pair[c + 1].b != pair.b);
      if (!is_alone) continue;
      const auto p = static_cast<std::size_t>(pair.a);
      const Outline& core = loops[static_cast<std::size_t>(pair.b - first)];
      const Vec<2> was{plain.normal(c, 0), plain.normal(c, 1)};
      const Vec<2> now{flush.normal(c, 0), flush.normal(c, 1)};
      auto deepest = static_cast<std::size_t>(plain.offset[c]);
      for (auto n = deepest; n < static_cast<std::size_t>(plain.offset[c + 1]); ++n) {
        if (plain.point_depth[n] > plain.point_depth[deepest]) deepest = n;
      }
      const Vec<2> place{plain.point(deepest, 0), plain.point(deepest, 1)};
      const FlushOutlines::Felt felt = solid.felt(p, was, place);
      if (felt.is_doubtful) {
        ++doubtful;
        continue;
      }
      SCOPED_TRACE(testing::Message()
                   << "scene " << s << " pair " << pair.a << " " << pair.b - first << " was "
                   << plain.normal(c, 0) << " " << plain.normal(c, 1) << " " << plain.depth[c]
                   << " now " << flush.normal(c, 0) << " " << flush.normal(c, 1) << " "
                   << flush.depth[c]);
      if (felt.longer == 0) {
        ++stayed;
        EXPECT_EQ(flush.normal(c, 0), plain.normal(c, 0));
        EXPECT_EQ(flush.normal(c, 1), plain.normal(c, 1));
        EXPECT_EQ(flush.depth[c], plain.depth[c]);
        continue;
      }
      const auto& before = of_polygons[0][{pair.a, pair.b - first}];
      const auto& after = of_polygons[1][{pair.a, pair.b - first}];
      if (std::hypot(before[0] - plain.normal(c, 0), before[1] - plain.normal(c, 1)) > 1e-9)
        continue;
      ++replaced;
      EXPECT_NEAR(flush.normal(c, 0), after[0], 1e-9);
      EXPECT_NEAR(flush.normal(c, 1), after[1], 1e-9);
      // A polygon may part sooner, where what is deepest is beside it.
      EXPECT_GE(flush.depth[c], after[2] - 1e-9);
      // Along another part's direction the part itself may part sooner.
      EXPECT_LE(flush.depth[c], static_cast<double>(solid.length_along(p, now, core, 0)) + 1e-9);
      EXPECT_GE(flush.depth[c], static_cast<double>(solid.parting_along(p, now, core, 0)) - 1e-9);
    }
  }
  EXPECT_GT(stayed, 100u);
  EXPECT_GT(replaced, 100u);
  EXPECT_LT(doubtful, (stayed + replaced) / 20);
}

}  // namespace
}  // namespace widephase::test
