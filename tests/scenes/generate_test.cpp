// Every generated scene: the promises of its description, its pairs against brute force, and its
// contacts on every instruction set and number of threads.
// Labels: long own-sets

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numeric>

#include <widephase/meshes.hpp>

#include "reference/scaled.hpp"
#include "scenes/make.hpp"
#include "support/boxes.hpp"
#include "support/executors.hpp"
#include "support/generated.hpp"

namespace widephase::test {
namespace {

using scenes::generate;

template <class Case>
class generate_in : public testing::Test {};
TYPED_TEST_SUITE(generate_in, BoxCases);

std::size_t scene_size() { return scaled(2000, 200); }

TYPED_TEST(generate_in, scenes_are_valid_and_have_the_count_that_was_asked_for) {
  WIDEPHASE_CASE
  for_each_generator<D>([](std::string_view name) {
    for (const std::size_t count :
         {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{65}, scaled(1000, 200)}) {
      SCOPED_TRACE(count);
      const SceneColumns<D, T> scene = generate<D, T>(name, {count, 5});
      const std::vector<Finding> findings = validate<D, T>(scene);
      ASSERT_TRUE(findings.empty()) << findings.front().text();
      ASSERT_EQ(body_count(scene), count);
      if (count == 0) {
        ASSERT_EQ(layout_of(scene).shape_count(), 0);
      }
    }
  });
}

TYPED_TEST(generate_in, worlds_share_the_bodies_and_each_has_its_own_floor_or_walls) {
  WIDEPHASE_CASE
  for_each_generator<D>([](std::string_view name) {
    // 103 = 3 * 21 + 2 * 20.
    const SceneColumns<D, T> scene = generate<D, T>(name, {103, 5, 5});
    ASSERT_TRUE((validate<D, T>(scene).empty()));
    const SceneLayout layout = layout_of(scene);
    const std::vector<std::int32_t> worlds = worlds_by_id(scene);
    std::array<int, 5> bodies{}, walls{};
    for (std::int32_t id = 0; id < layout.shape_count(); ++id) {
      const auto world = static_cast<std::size_t>(worlds[static_cast<std::size_t>(id)]);
      ASSERT_LT(world, 5u);
      const Kind kind = layout.kind_of(id);
      const bool is_ground =
          kind == Kind::halfspace || kind == Kind::heightfield || kind == Kind::mesh;
      ++(is_ground ? walls : bodies)[world];
    }
    EXPECT_EQ(bodies, (std::array{21, 21, 21, 20, 20}));
    const SceneLayout one = layout_of(generate<D, T>(name, {20, 5, 1}));
    const int each =
        one.count(Kind::halfspace) + one.count(Kind::heightfield) + one.count(Kind::mesh);
    EXPECT_EQ(walls, (std::array{each, each, each, each, each}));
  });
}

// --- contacts ---

/// `workspace` keeps what was computed for the hulls from call to call.
template <int D, class T>
std::uint64_t contacts_hash(const SceneColumns<D, T>& scene, Workspace<D, T>& workspace, Isa isa,
                            int threads) {
  ContactBuffer<D, T> contacts;
  CollideOptions options;
  options.isa = isa;
  options.threads.count = threads;
  collide<D, T>(scene, contacts, workspace, options);
  EXPECT_GT(contacts.size(), 0u);
  return hash(contacts);
}

TYPED_TEST(generate_in, instruction_sets_and_threads_agree_on_the_contacts) {
  WIDEPHASE_CASE
  for_each_generator<D>([](std::string_view name) {
    const SceneColumns<D, T> scene = generate<D, T>(name, {scene_size(), 1});
    Workspace<D, T> workspace;
    const std::uint64_t expected = contacts_hash(scene, workspace, isas().front(), 1);
    for (const Isa isa : isas()) {
      for (const int threads : {1, 3}) {
        EXPECT_EQ(contacts_hash(scene, workspace, isa, threads), expected)
            << isa_name(isa) << ' ' << threads;
      }
    }
  });
}

template <int D, class T>
void expect_threads_to_agree() {
  for_each_generator<D>([](std::string_view name) {
    // Enough for the broad phase to use several threads as well.
    const SceneColumns<D, T> scene = generate<D, T>(name, {scaled(10000, 1200), 1});
    Workspace<D, T> workspace;
    const std::uint64_t expected = contacts_hash(scene, workspace, Isa::widest, 1);
    for (const int threads : kThreadCounts) {
      EXPECT_EQ(contacts_hash(scene, workspace, Isa::widest, threads), expected) << threads;
    }
  });
}

TEST(generate, threads_agree_on_the_contacts_in_2d) { expect_threads_to_agree<2, double>(); }
TEST(generate, threads_agree_on_the_contacts_in_3d) { expect_threads_to_agree<3, float>(); }

// --- promises of the descriptions ---

template <int D>
struct Found {
  SceneColumns<D, double> scene;
  ContactBuffer<D, double> contacts;
  double pairs_each = 0;

  Found(std::string_view name, const scenes::Recipe& recipe)
      : scene(generate<D, double>(name, recipe)) {
    Workspace<D, double> workspace;
    collide<D, double>(scene, contacts, workspace);
    pairs_each = static_cast<double>(workspace.pairs().size()) / static_cast<double>(recipe.count);
  }
  double contacts_each() const {
    return static_cast<double>(contacts.size()) / static_cast<double>(body_count(scene));
  }
  double mean_depth() const {
    return std::accumulate(contacts.depth.begin(), contacts.depth.end(), 0.0) /
           static_cast<double>(contacts.size());
  }
};

TEST(generate, uniform_and_mixed_shapes_have_two_pairs_each) {
  // A few less, because bodies near the sides of the domain have fewer neighbours.
  for (const char* name : {"uniform", "mixed"}) {
    EXPECT_NEAR(Found<2>(name, {20000}).pairs_each, 1.95, 0.1) << name;
    EXPECT_NEAR(Found<3>(name, {20000}).pairs_each, 1.9, 0.12) << name;
  }
  EXPECT_NEAR(Found<3>("smooth", {20000}).pairs_each, 1.9, 0.12);
}

/// The share of radii above 0.002, for a law where the share of radii above r is proportional to
/// r^-power within [0.001, 1].
double share_above(double power) {
  return (std::pow(0.002, -power) - 1) / (std::pow(0.001, -power) - 1);
}

template <class Radii>
void expect_power_law(const Radii& radii, double power) {
  const auto above = std::count_if(radii.begin(), radii.end(), [](double r) { return r > 0.002; });
  const auto count = static_cast<double>(radii.size());
  // Four standard deviations of 20,000 draws are 0.014.
  EXPECT_NEAR(static_cast<double>(above) / count, share_above(power), 0.014);
  const auto [least, most] = std::minmax_element(radii.begin(), radii.end());
  EXPECT_GE(*least, 0.001 * (1 - 1e-15));
  EXPECT_LE(*most, 1);
  EXPECT_GT(*most, 0.05);
}

TEST(generate, radii_by_a_power_law) {
  expect_power_law(generate<2, double>("power_law", {20000}).circles.radius, 1.5);
  expect_power_law(generate<3, double>("power_law", {20000}).spheres.radius, 2.5);
  // The few largest bodies have many of the pairs.
  EXPECT_NEAR(Found<2>("power_law", {200000}).pairs_each, 0.4, 0.15);
  EXPECT_NEAR(Found<3>("power_law", {200000}).pairs_each, 0.4, 0.15);
}

TEST(generate, two_outliers) {
  const auto scene = generate<3, float>("outliers", {3000});
  const auto uniform = generate<3, float>("uniform", {3000});
  std::vector<std::size_t> differing;
  for (std::size_t i = 0; i < 3000; ++i) {
    if (scene.spheres.center.row(i) != uniform.spheres.center.row(i)) differing.push_back(i);
  }
  ASSERT_EQ(differing, (std::vector<std::size_t>{1000, 1500}));
  EXPECT_EQ(scene.spheres.center.row(1000), (std::array{1e7f, 1e7f, 1e7f}));
  EXPECT_EQ(scene.spheres.center.row(1500), (std::array{-1e7f, -1e7f, -1e7f}));
}

TEST(generate, clusters_reach_over_the_square_of_their_middles) {
  // Centres of clusters are uniform in [0, s], and bodies are normal about them with deviation s /
  // 12. Along an axis, a share of 2 / 12 E[max(0, z)] = 2 / 12 * 0.399 = 0.0665 is beyond a side.
  const auto scene = generate<2, double>("clustered", {20000});
  const double side = 4 * std::sqrt(20000.0);
  int outside = 0;
  for (std::size_t i = 0; i < 20000; ++i) {
    const double x = scene.circles.center(i, 0);
    outside += x < 0 || x > side ? 1 : 0;
  }
  EXPECT_NEAR(outside / 20000.0, 0.0665, 0.04);
  // The bodies of a cluster are next to one another. 100 clusters of 200 bodies each leave more of
  // 10,000 cells empty than scattered bodies would, which leave e^-2 of them.
  std::vector<int> cells(10000);
  for (std::size_t i = 0; i < 20000; ++i) {
    const double x = scene.circles.center(i, 0) / side * 100;
    const double y = scene.circles.center(i, 1) / side * 100;
    if (x >= 0 && x < 100 && y >= 0 && y < 100)
      ++cells[static_cast<std::size_t>(x) * 100 + static_cast<std::size_t>(y)];
  }
  EXPECT_GT(std::count(cells.begin(), cells.end(), 0), 10000 * 1.2 * std::exp(-2));
}

TEST(generate, packed_cells_touch) {
  // n cells along an axis have 3 n - 2 pairs of cells that are the same or neighbours, so a lattice
  // has ((3 n - 2)^D - n^D) / 2 pairs of cells that touch.
  const Found<2> flat("packed", {900});
  EXPECT_EQ(flat.pairs_each * 900, (88 * 88 - 900) / 2);
  const Found<3> full("packed", {1000});
  EXPECT_EQ(full.pairs_each * 1000, (28 * 28 * 28 - 1000) / 2);
  for (const double depth : flat.contacts.depth) ASSERT_EQ(depth, 0);
  for (const double depth : full.contacts.depth) ASSERT_EQ(depth, 0);
  // Shapes that share a face touch, whatever their kinds: n^2 (n - 1) faces along each of three
  // axes.
  EXPECT_GE(full.contacts.size(), 2700u);
}

template <int D>
void expect_extents(std::string_view name, double least, double most) {
  const auto scene = generate<D, double>(name, {500});
  std::array<int, D> along{};
  for (std::size_t i = 0; i < 500; ++i) {
    std::array<double, D> extents;
    for (int k = 0; k < D; ++k) extents[k] = scene.aabbs.max(i, k) - scene.aabbs.min(i, k);
    const double odd = name == "plates" ? least : most;
    const auto at = std::find_if(extents.begin(), extents.end(),
                                 [&](double value) { return std::abs(value - odd) < 1e-9; });
    ASSERT_NE(at, extents.end());
    ++along[static_cast<std::size_t>(at - extents.begin())];
    std::sort(extents.begin(), extents.end());
    ASSERT_NEAR(extents[0], least, 1e-9);
    ASSERT_NEAR(extents[D - 1], most, 1e-9);
  }
  for (const int count : along) EXPECT_GT(count, 100);
}

TEST(generate, plates_are_ten_to_one_and_sticks_thirty_along_every_axis) {
  expect_extents<2>("plates", 1, 10);
  expect_extents<3>("plates", 1, 10);
  expect_extents<2>("sticks", 1, 30);
  expect_extents<3>("sticks", 1, 30);
}

TEST(generate, mixed_shapes_are_as_many_of_each_kind) {
  const auto flat = generate<2, float>("mixed", {3000});
  for (const std::size_t rows :
       {row_count(flat.circles), row_count(flat.boxes), row_count(flat.polygons)}) {
    EXPECT_EQ(rows, 1000u);
  }
  const auto full = generate<3, float>("mixed", {3000});
  for (const std::size_t rows :
       {row_count(full.spheres), row_count(full.capsules), row_count(full.boxes),
        row_count(full.hulls), row_count(full.cylinders)}) {
    EXPECT_EQ(rows, 600u);
  }
}

TEST(generate, smooth_shapes_are_as_many_of_each_kind) {
  const auto scene = generate<3, float>("smooth", {3000});
  EXPECT_EQ(layout_of(scene).shape_count(), 3000);
  EXPECT_EQ(row_count(scene.ellipsoids), 1000u);
  EXPECT_EQ(row_count(scene.cones), 1000u);
  ASSERT_EQ(row_count(scene.cylinders), 1000u);
  for (const float rounding : scene.cylinders.rounding) {
    ASSERT_GE(rounding, 0.05f);
    ASSERT_LE(rounding, 0.2f);
  }
  // In a heap half are ellipsoids, a quarter cones and a quarter rounded cylinders. Six standard
  // deviations of 3,000 draws are 164 and 142.
  const auto heap = generate<3, float>("smooth_pile", {3000});
  EXPECT_NEAR(static_cast<double>(row_count(heap.ellipsoids)), 1500, 164);
  EXPECT_NEAR(static_cast<double>(row_count(heap.cones)), 750, 142);
  EXPECT_EQ(heap.cylinders.rounding.size(), row_count(heap.cylinders));
  EXPECT_EQ(layout_of(heap).shape_count(), 3001) << "with the floor";
}

TEST(generate, terrain_and_stairs_are_fields_that_worlds_share) {
  for (const char* name : {"terrain", "stairs"}) {
    const auto scene = generate<3, float>(name, {600, 1, 20});
    EXPECT_EQ(layout_of(scene).shape_count(), 620) << "with a field in each world";
    ASSERT_EQ(row_count(scene.heightfields), 20u);
    EXPECT_EQ(scene.heightfield_geometries.columns.size(), 1u);
    EXPECT_EQ(scene.heightfields.fixed[7], 1);
    EXPECT_EQ(scene.heightfields.world[7], 7);
    // A quarter of eight kinds are spheres: six standard deviations are 64.
    EXPECT_NEAR(static_cast<double>(row_count(scene.spheres)), 150, 64) << name;
    EXPECT_GT(row_count(scene.capsules) * row_count(scene.boxes) * row_count(scene.hulls) *
                  row_count(scene.cylinders) * row_count(scene.ellipsoids) * row_count(scene.cones),
              0u);
    EXPECT_TRUE((validate<3, float>(scene).empty()));
  }
}

TEST(generate, spheres_rest_on_terrain_and_stairs) {
  for (const char* name : {"terrain", "stairs"}) {
    const auto scene = generate<3, double>(name, {2000});
    const auto& fields = scene.heightfield_geometries;
    const auto columns = static_cast<std::size_t>(fields.columns[0]);
    const double cell = fields.cell(0, 0);
    ASSERT_GT(row_count(scene.spheres), 300u);
    for (std::size_t i = 0; i < row_count(scene.spheres); ++i) {
      const double x = scene.spheres.center(i, 0), y = scene.spheres.center(i, 1),
                   z = scene.spheres.center(i, 2), radius = scene.spheres.radius[i];
      ASSERT_GT(x, 0);
      ASSERT_LT(x, static_cast<double>(columns - 1) * cell);
      // The deepest sample in it: a sphere rests on the surface between samples, which are at most
      // 0.09 from any point of it and, on a riser, 0.17 high.
      double deepest = -1;
      const auto around = static_cast<int>(radius / cell) + 1;
      for (int r = -around; r <= around; ++r) {
        for (int c = -around; c <= around; ++c) {
          const auto row = static_cast<std::int64_t>(y / cell) + r;
          const auto column = static_cast<std::int64_t>(x / cell) + c;
          const auto last = static_cast<std::int64_t>(columns) - 1;
          if (row < 0 || column < 0 || row > last || column > last) continue;
          const double height = fields.heights[static_cast<std::size_t>(row) * columns +
                                               static_cast<std::size_t>(column)];
          const double dx = static_cast<double>(column) * cell - x;
          const double dy = static_cast<double>(row) * cell - y;
          deepest = std::max(deepest,
                             radius - std::sqrt(dx * dx + dy * dy + (height - z) * (height - z)));
        }
      }
      EXPECT_GT(deepest, -0.12) << name << " " << i;
      EXPECT_LT(deepest, 0.12) << name << " " << i;
    }
  }
}

TEST(generate, level_and_walls_are_meshes_that_worlds_share) {
  for (const char* name : {"level", "walls"}) {
    const auto scene = generate<3, float>(name, {600, 1, 20});
    EXPECT_EQ(layout_of(scene).shape_count(), 620) << "with a mesh in each world";
    ASSERT_EQ(row_count(scene.meshes), 20u);
    EXPECT_EQ(scene.mesh_geometries.vertex_offsets.size(), 2u);
    EXPECT_EQ(scene.meshes.fixed[7], 1);
    EXPECT_EQ(scene.meshes.world[7], 7);
    EXPECT_TRUE((validate<3, float>(scene).empty()));
    EXPECT_EQ(mesh_summary(scene.mesh_geometries, 0).without_area, 0) << name;
    EXPECT_EQ(mesh_summary(scene.mesh_geometries, 0).duplicates, 0) << name;
  }
  // 144 tiles of eight triangles. Whatever looks up is the whole square seen from above; the faces
  // between tiles are upright.
  const auto level = generate<3, double>("level", {100});
  const auto& meshes = level.mesh_geometries;
  double seen = 0;
  for (std::size_t t = 0; t < meshes.indices.size(); ++t) {
    std::array<std::array<double, 3>, 3> corner;
    for (int c = 0; c < 3; ++c) {
      corner[c] = meshes.vertices.row(static_cast<std::size_t>(meshes.indices(t, c)));
    }
    const double area = (corner[1][0] - corner[0][0]) * (corner[2][1] - corner[0][1]) -
                        (corner[1][1] - corner[0][1]) * (corner[2][0] - corner[0][0]);
    EXPECT_GE(area, 0) << t;
    if (t >= 144 * 8) {
      EXPECT_EQ(area, 0) << t;
    }
    seen += area / 2;
  }
  EXPECT_EQ(seen, 18 * 18);
}

TEST(generate, spheres_rest_on_a_level_and_lean_against_walls) {
  for (const char* name : {"level", "walls"}) {
    auto scene = generate<3, double>(name, {400});
    const std::size_t count = row_count(scene.spheres);
    ASSERT_GT(count, 60u);
    ContactBuffer<3, double> contacts;
    Workspace<3, double> workspace;
    collide<3, double>(scene, contacts, workspace);
    std::vector<int> of_sphere(count);
    const std::int32_t mesh = layout_of(scene).id(Kind::mesh, 0);
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      const auto& [a, b] = contacts.pair[i];
      ASSERT_EQ(b, mesh) << "bodies are apart";
      if (static_cast<std::size_t>(a) >= count) continue;
      ++of_sphere[static_cast<std::size_t>(a)];
      // On a ramp of slope 1 / 3 a sphere overlaps by 0.01 along z, which is 0.0095 along the
      // normal. The places that are asked for its height miss the lowest one by up to 15 degrees on
      // a ring of a third of its radius 0.4, which leaves it up to 0.0017 lower.
      EXPECT_NEAR(contacts.depth[i], 0.01, name == std::string("walls") ? 1e-9 : 0.002);
    }
    std::array<std::int64_t, 3> by_count{};
    for (const int n : of_sphere) ++by_count.at(static_cast<std::size_t>(n));
    if (name == std::string("level")) {
      EXPECT_EQ(by_count[1], static_cast<std::int64_t>(count));
    } else {
      EXPECT_EQ(by_count[0], 0);
      EXPECT_GT(by_count[1], 20) << "the floor alone";
      EXPECT_GT(by_count[2], 20) << "a wall too";
    }
  }
}

TEST(generate, hulls_have_8_to_32_vertices) {
  for (const char* name : {"mixed", "pile"}) {
    const auto scene = generate<3, float>(name, {3000});
    const Column<std::int64_t>& offsets = scene.geometries.offsets;
    std::array<int, 33> counts{};
    for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
      const std::int64_t vertices = offsets[i + 1] - offsets[i];
      ASSERT_LE(vertices, 32);
      ++counts[static_cast<std::size_t>(vertices)];
    }
    for (std::size_t i = 0; i < counts.size(); ++i) EXPECT_EQ(counts[i], i < 8 ? 0 : 8) << i;
  }
}

template <int D>
void expect_stacks() {
  // 200 stacks: each box overlaps the one below it by 0.005, and the first of ten the floor. If
  // boxes overlapped sideways as well, their edges would be nearer than their faces: none do.
  const Found<D> found("stack", {2000});
  std::vector<int> under(2000, 0);
  for (std::size_t i = 0; i < found.contacts.size(); ++i) {
    const auto [a, b] = found.contacts.pair[i];
    ASSERT_NEAR(found.contacts.depth[i], 0.005, 1e-9);
    if (b == 2000) {
      ASSERT_EQ(a % 10, 0);
      ++under[static_cast<std::size_t>(a)];
    } else {
      ASSERT_EQ(b, a + 1);
      ++under[static_cast<std::size_t>(b)];
    }
  }
  EXPECT_EQ(under, std::vector<int>(2000, 1));
}

TEST(generate, stacks_of_ten_rest_on_the_floor) {
  expect_stacks<2>();
  expect_stacks<3>();
}

TEST(generate, pyramids_rest_on_the_floor) {
  // 10 + 9 + ... + 1 boxes, each above the lowest ten on two; squares of 25, 16, 9, 4 and 1, each
  // above the lowest 25 on four.
  const Found<2> flat("pyramid", {55});
  EXPECT_EQ(flat.contacts.size(), 10u + 2 * 45u);
  const Found<3> full("pyramid", {55});
  EXPECT_EQ(full.contacts.size(), 25u + 4 * 30u);
  for (const double depth : flat.contacts.depth) ASSERT_NEAR(depth, 0.005, 1e-12);
  for (const double depth : full.contacts.depth) ASSERT_NEAR(depth, 0.005, 1e-12);
}

TEST(generate, piled_bodies_touch_about_six_others) {
  // A contact belongs to both its bodies. Bodies are about 1 wide.
  const Found<3> full("pile", {5000});
  EXPECT_NEAR(2 * full.contacts_each(), 6, 0.5);
  EXPECT_LT(full.mean_depth(), 0.08);
  const Found<2> flat("pile", {5000});
  EXPECT_NEAR(2 * flat.contacts_each(), 4, 0.5);
  EXPECT_LT(flat.mean_depth(), 0.08);
  const Found<3> smooth("smooth_pile", {5000});
  EXPECT_NEAR(2 * smooth.contacts_each(), 5.6, 0.5);
  EXPECT_LT(smooth.mean_depth(), 0.09);
  // No body is more than a quarter below the floor.
  Workspace<3, double> workspace;
  for (const Found<3>* found : {&full, &smooth}) {
    update_bounds<3, double>(found->scene, workspace);
    for (std::size_t id = 0; id < 5001; ++id) {
      if (layout_of(found->scene).kind_of(static_cast<std::int32_t>(id)) == Kind::halfspace)
        continue;
      ASSERT_GT(workspace.bounds().min(id, 2), -0.25) << id;
    }
  }
}

TEST(generate, nobody_walks_outside_the_corridor) {
  const Found<2> found("corridor", {2000});
  const auto& people = found.scene.circles;
  ASSERT_EQ(row_count(found.scene.halfspaces), 2u);
  const double width = -found.scene.halfspaces.offset[1];
  int along = 0;
  double length = 0;
  for (std::size_t i = 0; i < 2000; ++i) {
    // They lean on a wall by 0.05 m at most.
    ASSERT_GE(people.center(i, 1) - people.radius[i], -0.05 - 1e-9);
    ASSERT_LE(people.center(i, 1) + people.radius[i], width + 0.05 + 1e-9);
    length = std::max(length, people.center(i, 0));
    along += people.category[i] == 1 ? 1 : 0;
  }
  EXPECT_NEAR(length / width, 16, 3);
  EXPECT_NEAR(along, 1000, 100);
  // Two cells are 0.5 m apart, and people at most 0.2 m nearer: 0.3 m, with radii of up to 0.25 m
  // each.
  EXPECT_LE(*std::max_element(found.contacts.depth.begin(), found.contacts.depth.end()), 0.2);
  EXPECT_GT(found.contacts_each(), 0.2);
}

TEST(generate, worlds_of_64_are_as_dense_as_one_and_have_no_pairs_across) {
  const auto many = generate<3, float>("worlds", {64000});
  std::vector<int> sizes(1000);
  const std::vector<std::int32_t> worlds = worlds_by_id(many);
  for (const std::int32_t world : worlds) ++sizes[static_cast<std::size_t>(world)];
  EXPECT_EQ(sizes, std::vector<int>(1000, 64));
  Workspace<3, float> workspace;
  update_bounds<3, float>(many, workspace);
  find_pairs<3, float>(many, workspace);
  EXPECT_GT(workspace.pairs().size(), 64000u);
  for (const Pair& pair : workspace.pairs()) {
    ASSERT_EQ(worlds[static_cast<std::size_t>(pair.a)], worlds[static_cast<std::size_t>(pair.b)]);
  }
  // A thousand worlds in the volume of one: each has a tenth of its side. 12,800 spheres are nearly
  // that.
  const auto side_of = [](const SceneColumns<3, float>& scene) {
    const float* const x = scene.spheres.center.plane(0);
    return static_cast<double>(*std::max_element(x, x + row_count(scene.spheres)));
  };
  EXPECT_NEAR(side_of(generate<3, float>("mixed", {64000})) / side_of(many), 10, 0.02);
}

TEST(generate, what_cannot_be_made_is_an_error) {
  EXPECT_THROW((generate<2, float>("vortex", {10})), Error);
  EXPECT_THROW((generate<3, float>("corridor", {10})), Error);
  EXPECT_THROW((generate<3, float>("uniform", {10, 1, 11})), Error);
  EXPECT_EQ(scenes::find_generator("vortex"), nullptr);
}

TEST(generate, roots_are_those_of_powers) {
  for (const int n : {2, 3, 5}) {
    EXPECT_EQ(scenes::root(0, n), 0);
    EXPECT_EQ(scenes::root(1, n), 1);
    for (const double number : {1e-9, 0.3, 0.5, 2.0, 7.0, 32.0, 1e3, 3.1622e7, 1e15}) {
      const double value = scenes::root(number, n);
      EXPECT_NEAR(std::pow(value, n) / number, 1, 1e-15 * 2 * n) << number << ", " << n;
    }
  }
}

}  // namespace
}  // namespace widephase::test
