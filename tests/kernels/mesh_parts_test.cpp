// A mesh cut in parts, each with its neighbours' triangles beyond its borders and a pose of its
// own, answers as the whole: no seam is felt, nothing is lost, and each place has one part.

#include <gtest/gtest.h>

#include <algorithm>

#include "support/cut_meshes.hpp"
#include "support/mesh_patches.hpp"
#include "support/rays.hpp"

namespace widephase::test {
namespace {

struct Part {
  MeshShape mesh;
  std::vector<std::int32_t> number;  ///< of its own triangles in the whole, ascending
  std::int32_t beyond = 0;
  Point3d center{};
  Quat turn = kLevel;
};

/// A part with the triangles of a number, and those around them so many times.
Part part_of(const MeshShape& whole, const std::vector<int>& owner, int own, int rings,
             Random& random) {
  Part part;
  std::vector<int> is_taken(whole.triangles.size(), 0);
  std::vector<std::int32_t> order;
  for (std::size_t t = 0; t < owner.size(); ++t) {
    if (owner[t] != own) continue;
    is_taken[t] = 1;
    order.push_back(static_cast<std::int32_t>(t));
  }
  part.number = order;
  for (int ring = 0; ring < rings; ++ring) {
    std::set<std::int32_t> corners;
    for (const std::int32_t t : order) {
      corners.insert(whole.triangles[t].begin(), whole.triangles[t].end());
    }
    for (std::size_t t = 0; t < whole.triangles.size(); ++t) {
      const auto& triangle = whole.triangles[t];
      if (is_taken[t] != 0 || std::none_of(triangle.begin(), triangle.end(),
                                           [&](std::int32_t v) { return corners.count(v) != 0; })) {
        continue;
      }
      is_taken[t] = 1;
      order.push_back(static_cast<std::int32_t>(t));
    }
  }
  part.beyond = static_cast<std::int32_t>(order.size() - part.number.size());
  part.turn = any_turn(random);
  for (double& x : part.center) x = random.uniform(-2, 2);
  const Quat back{-part.turn[0], -part.turn[1], -part.turn[2], part.turn[3]};
  std::map<std::int32_t, std::int32_t> vertex_of;
  for (const std::int32_t t : order) {
    std::array<std::int32_t, 3> corners;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::int32_t vertex = whole.triangles[t][k];
      const auto [at, is_new] =
          vertex_of.try_emplace(vertex, static_cast<std::int32_t>(part.mesh.vertices.size()));
      if (is_new) {
        part.mesh.vertices.push_back(
            turned(back, minus(whole.vertices[static_cast<std::size_t>(vertex)], part.center)));
      }
      corners[k] = at->second;
    }
    part.mesh.triangles.push_back(corners);
  }
  return part;
}

/// How the triangles of a square of a width are given to parts.
enum class Cut : std::uint8_t { halves, quarters, ragged, patchwork };

std::vector<Part> parts_of(const MeshShape& whole, Cut cut, double width, int rings,
                           Random& random) {
  std::vector<int> owner;
  for (const auto& triangle : whole.triangles) {
    double x = 0, y = 0;
    for (const std::int32_t v : triangle) {
      x += whole.vertices[static_cast<std::size_t>(v)][0] / 3;
      y += whole.vertices[static_cast<std::size_t>(v)][1] / 3;
    }
    if (cut == Cut::ragged) x += random.uniform(-0.2, 0.2) * width;
    int own = x > width / 2 ? 1 : 0;
    if (cut == Cut::quarters) own += y > width / 2 ? 2 : 0;
    if (cut == Cut::patchwork) own = random.integer(0, 2);
    owner.push_back(own);
  }
  std::vector<Part> parts;
  const int count = 1 + *std::max_element(owner.begin(), owner.end());
  for (int own = 0; own < count; ++own) {
    parts.push_back(part_of(whole, owner, own, rings, random));
  }
  return parts;
}

/// Shapes above ground, then the whole mesh, then its parts.
template <class T>
struct CutGround : Ground<T> {
  std::vector<Part> parts;

  void place_whole(const MeshShape& whole, bool two_sided, double radius) {
    this->place_mesh(this->add_mesh_of(whole.vertices, whole.triangles, two_sided), {}, kLevel,
                     radius);
  }
  void place_parts(bool two_sided, double radius) {
    for (const Part& part : parts) {
      const std::int32_t geometry =
          this->add_mesh_of(part.mesh.vertices, part.mesh.triangles, two_sided);
      auto& beyond = this->scene.mesh_geometries.beyond;
      beyond.resize(static_cast<std::size_t>(geometry) + 1);
      beyond[static_cast<std::size_t>(geometry)] = part.beyond;
      this->place_mesh(geometry, part.center, part.turn, radius);
    }
  }
  std::int32_t shape_count() const { return this->mesh_id(0); }
  /// Pairs of a shape with the whole, then with each part.
  std::vector<Pair> pairs() const {
    std::vector<Pair> all;
    for (std::int32_t id = 0; id < shape_count(); ++id) {
      for (std::size_t m = 0; m <= parts.size(); ++m) {
        all.push_back({id, this->mesh_id(static_cast<std::int32_t>(m))});
      }
    }
    return all;
  }
  std::int32_t number_in_whole(std::size_t part, std::int32_t number) const {
    if (number < 0 || number >= static_cast<std::int32_t>(parts[part].number.size())) return -1;
    return parts[part].number[static_cast<std::size_t>(number)];
  }
};

/// The patches of each shape: of the whole, and of all parts.
template <class T>
std::vector<std::array<std::vector<Patch>, 2>> patches_of_sides(const CutGround<T>& ground,
                                                                const CollideOptions& options) {
  const auto pairs = ground.pairs();
  const std::size_t each = ground.parts.size() + 1;
  ContactBuffer<3, T> contacts;
  Workspace<3, T> workspace;
  collide_pairs<3, T>(ground.scene, pairs, contacts, workspace, options);
  std::vector<std::array<std::vector<Patch>, 2>> all(pairs.size() / each);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const auto source = static_cast<std::size_t>(contacts.source[i]);
    Patch patch = patch_of(contacts, i);
    for (PatchPoint& point : patch.points) {
      if (source % each > 0) point.part = ground.number_in_whole(source % each - 1, point.part);
      EXPECT_GE(point.part, 0) << "a neighbour's triangle has a contact";
    }
    all[source / each][source % each > 0 ? 1 : 0].push_back(patch);
  }
  return all;
}

/// Parts are turned and moved, so they round otherwise.
template <class T>
constexpr double kPartLength = sizeof(SizeOf<T>) == 4 ? 5e-5 : 1e-9;
template <class T>
constexpr double kTurn = sizeof(SizeOf<T>) == 4 ? 2e-3 : 1e-6;

/// Within rounding of a seam both sides may have the contact, a little apart.
template <class T>
constexpr double kSeamTurn = sizeof(SizeOf<T>) == 4 ? 0.02 : 2e-5;

/// Each patch of the whole is one of the parts', and each of a part has the normal of one of the
/// whole that is as deep.
template <class T>
void expect_as_whole(const std::array<std::vector<Patch>, 2>& of, double margin,
                     const std::string& what) {
  const auto& [whole, parts] = of;
  const auto agrees = [&](const Patch& a, const Patch& b, double turn) {
    const Point3d off = minus(a.normal, b.normal);
    return std::sqrt(product(off, off)) <= turn;
  };
  for (const Patch& patch : whole) {
    if (patch.depth <= kPartLength<T> - margin) continue;
    EXPECT_TRUE(std::any_of(parts.begin(), parts.end(),
                            [&](const Patch& other) {
                              return agrees(patch, other, kTurn<T>) &&
                                     std::abs(patch.depth - other.depth) <= kPartLength<T>;
                            }))
        << what << "lost; whole" << text_of(whole) << "\nparts" << text_of(parts);
  }
  for (const Patch& patch : parts) {
    if (patch.depth <= kPartLength<T> - margin) continue;
    EXPECT_TRUE(std::any_of(whole.begin(), whole.end(),
                            [&](const Patch& other) {
                              return agrees(patch, other, kSeamTurn<T>) &&
                                     patch.depth <= other.depth + kPartLength<T>;
                            }))
        << what << "ghost; whole" << text_of(whole) << "\nparts" << text_of(parts);
  }
}

template <class T>
void add_shapes_near(Random& random, int count, double width,
                     const std::function<double(double, double)>& z, double low, double high,
                     Ground<T>& ground) {
  for (int i = 0; i < count; ++i) {
    const double x =
        width / 2 + (random.chance(0.7) ? random.uniform(-0.4, 0.4) : random.uniform(-1.5, 1.5));
    const double y = width / 2 + random.uniform(-1.5, 1.5);
    const Point3d half{random.uniform(0.05, 0.3), random.uniform(0.05, 0.3),
                       random.uniform(0.05, 0.3)};
    const Quat q =
        i / 8 % 2 == 0 ? Quat{0, 0, std::sin(0.1 * i), std::cos(0.1 * i)} : any_turn(random);
    ground.add(kShapes[i % 8], {x, y, z(x, y) + random.uniform(low, high)}, half, q);
  }
}

/// `rough` of 0: a level floor. `times` over, its triangles are cut at edges.
template <class T>
void check_contacts(Cut cut, double rough, bool two_sided, double radius, std::uint64_t seed,
                    int times = 0) {
  Random random(seed);
  constexpr int kCells = 12;
  constexpr double kCell = 0.5, kWidth = kCells * kCell;
  const MeshShape whole = cut_at_edges(
      random,
      grid_mesh(kCells, kCell, [&](int, int) { return rough * random.uniform(-0.25, 0.25); }),
      times, [&] { return random.uniform(0.2, 0.8); });
  CutGround<T> ground;
  ground.parts = parts_of(whole, cut, kWidth, 2, random);
  add_shapes_near<T>(
      random, scaled(160, 48), kWidth, [](double, double) { return 0.0; }, 0.02, 0.4, ground);
  ground.place_whole(whole, two_sided, radius);
  ground.place_parts(two_sided, radius);
  for (const double margin : {0.0, 0.06}) {
    CollideOptions options;
    options.margin = margin;
    options.patch_angle = 0;
    const auto all = patches_of_sides(ground, options);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Kind kind = layout_of(ground.scene).kind_of(static_cast<std::int32_t>(i));
      const std::string what = std::to_string(i) + ", " + std::string(kind_name(kind, 3)) + ": ";
      expect_as_whole<T>(all[i], margin, what);
      if (kind != Kind::sphere) continue;
      // A place within a face is of one part.
      std::vector<std::int32_t> faces[2];
      for (std::size_t side = 0; side < 2; ++side) {
        for (const Patch& patch : all[i][side]) {
          if (patch.depth <= kPartLength<T> - margin) continue;
          for (const PatchPoint& point : patch.points) {
            if (point.is_face) faces[side].push_back(point.part);
          }
        }
        std::sort(faces[side].begin(), faces[side].end());
      }
      EXPECT_EQ(faces[0], faces[1])
          << what << text_of(all[i][0]) << "\nparts" << text_of(all[i][1]);
    }
  }
}

template <class T>
void check_all_contacts() {
  std::uint64_t seed = 900;
  for (const Cut cut : {Cut::halves, Cut::quarters, Cut::ragged, Cut::patchwork}) {
    for (const double rough : {0.0, 0.1, 1.0}) {
      SCOPED_TRACE(std::to_string(static_cast<int>(cut)) + " rough " + std::to_string(rough));
      ++seed;
      check_contacts<T>(cut, rough, seed % 2 == 0, seed % 3 == 0 ? 0.03 : 0, seed);
    }
  }
}
/// Seams at which vertices of one part lie on edges of another.
template <class T>
void check_cut_contacts() {
  std::uint64_t seed = 920;
  for (const Cut cut : {Cut::halves, Cut::ragged}) {
    for (const double rough : {0.0, 1.0}) {
      SCOPED_TRACE(std::to_string(static_cast<int>(cut)) + " rough " + std::to_string(rough));
      check_contacts<T>(cut, rough, false, 0, ++seed, 2);
    }
  }
}
TEST(mesh_parts, go_on_where_vertices_lie_on_edges_float) { check_cut_contacts<float>(); }
TEST(mesh_parts, go_on_where_vertices_lie_on_edges_double) { check_cut_contacts<double>(); }

TEST(mesh_parts, have_the_contacts_of_the_whole_float) { check_all_contacts<float>(); }
TEST(mesh_parts, have_the_contacts_of_the_whole_double) { check_all_contacts<double>(); }

/// On level ground all points of a patch are as deep: what lies across a seam is held by both
/// sides, as far out as by the whole.
TEST(mesh_parts, hold_what_lies_across_their_seam) {
  Random random(940);
  const MeshShape whole = grid_mesh(12, 0.5, [](int, int) { return 0.0; });
  CutGround<double> ground;
  ground.parts = parts_of(whole, Cut::halves, 6, 1, random);
  for (int i = 0; i < 40; ++i) {
    const Point3d half{0.3, 0.2, 0.1};
    const Point3d at{3 + random.uniform(-0.1, 0.1), random.uniform(2, 4), 0.09};
    const double turn = random.uniform(0, 3);
    ground.add(i % 2 == 0 ? Kind::box : Kind::cylinder, at, half,
               {0, 0, std::sin(turn), std::cos(turn)});
  }
  ground.place_whole(whole, false, 0);
  ground.place_parts(false, 0);
  for (const auto& [of_whole, of_parts] : patches_of_sides(ground, {})) {
    ASSERT_EQ(of_whole.size(), 1u);
    ASSERT_EQ(of_parts.size(), 2u) << text_of(of_parts);
    for (int n = 0; n < 8; ++n) {
      const Point3d along{std::cos(0.7853981633974483 * n), std::sin(0.7853981633974483 * n), 0};
      const auto farthest = [&](const std::vector<Patch>& patches) {
        double most = -1e9;
        for (const Patch& patch : patches) {
          for (const PatchPoint& point : patch.points)
            most = std::max(most, product(along, point.at));
        }
        return most;
      };
      EXPECT_GE(farthest(of_parts), farthest(of_whole) - 0.05) << text_of(of_parts);
    }
  }
}

template <class T>
StaticScene<3, T> kept_scene(const Ground<T>& ground) {
  StaticScene<3, T> kept;
  Workspace<3, T> workspace;
  build_static_scene(ground.scene, kept, workspace);
  return kept;
}

TEST(mesh_parts, have_the_distances_rays_and_casts_of_the_whole) {
  Random random(950);
  constexpr int kCells = 12;
  constexpr double kCell = 0.5, kWidth = kCells * kCell;
  for (const Cut cut : {Cut::halves, Cut::quarters, Cut::patchwork}) {
    const double radius = cut == Cut::quarters ? 0.05 : 0;
    const bool two_sided = cut == Cut::patchwork;
    const MeshShape whole =
        grid_mesh(kCells, kCell, [&](int, int) { return random.integer(-16, 16) / 64.0; });
    CutGround<double> ground, alone, cut_up;
    ground.parts = cut_up.parts = parts_of(whole, cut, kWidth, 1, random);
    add_shapes_near<double>(
        random, scaled(160, 48), kWidth, [](double, double) { return 0.0; }, 0, 1.5, ground);
    SceneColumns<3, double> moving = ground.scene;
    // Moving shapes name the static scene's hulls.
    alone.scene.geometries = cut_up.scene.geometries = moving.geometries;
    moving.geometries = {};
    ground.place_whole(whole, two_sided, radius);
    ground.place_parts(two_sided, radius);
    alone.place_whole(whole, two_sided, radius);
    cut_up.place_parts(two_sided, radius);
    Workspace<3, double> workspace;

    const auto pairs = ground.pairs();
    const std::size_t each = ground.parts.size() + 1;
    DistanceBuffer<3, double> found;
    distances<3, double>(ground.scene, pairs, found, workspace);
    std::size_t apart = 0;
    for (std::size_t i = 0; i < pairs.size(); i += each) {
      double least = std::numeric_limits<double>::infinity();
      for (std::size_t m = 1; m < each; ++m) least = std::min(least, found.distance[i + m]);
      EXPECT_NEAR(least, found.distance[i], 1e-9) << i / each;
      apart += least > 0 ? 1 : 0;
    }
    EXPECT_GT(apart, 0u);

    const StaticScene<3, double> kept[2] = {kept_scene(alone), kept_scene(cut_up)};
    const std::size_t count = pairs.size() / each;
    std::vector<std::uint8_t> overlaps[2];
    CastHits<3, double> casts[2];
    Column<double, 3> way;
    for (std::size_t i = 0; i < count; ++i) {
      way.push_back({random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-2, 0.2)});
    }
    RayColumns<3, double> rays;
    for (std::size_t i = 0; i < scaled(400, 100); ++i) {
      Ray<3> ray;
      ray.origin = {random.uniform(1, 5), random.uniform(1, 5), random.uniform(-1, 2)};
      ray.direction = {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 0.5)};
      rays.add(ray);
    }
    RayHits<3, double> hits[2];
    for (std::size_t side = 0; side < 2; ++side) {
      overlaps[side].resize(count);
      any_overlap<3, double>(moving, kept[side], overlaps[side], workspace);
      cast_shapes<3, double>(moving, way, {}, kept[side], casts[side], workspace);
      cast_rays<3, double>(kept[side], rays.span(), hits[side], workspace);
    }
    EXPECT_EQ(overlaps[0], overlaps[1]);
    std::size_t met = 0;
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_EQ(casts[0].shape[i] < 0, casts[1].shape[i] < 0) << i;
      EXPECT_NEAR(casts[0].t[i], casts[1].t[i], 1e-7) << i;
      met += casts[0].shape[i] < 0 ? 0 : 1;
    }
    EXPECT_GT(met, count / 4);
    met = 0;
    for (std::size_t i = 0; i < rays.size(); ++i) {
      EXPECT_EQ(hits[0].shape[i] < 0, hits[1].shape[i] < 0) << i;
      if (hits[0].shape[i] < 0) continue;
      ++met;
      EXPECT_NEAR(hits[0].t[i], hits[1].t[i], 1e-9) << i;
      const auto part = static_cast<std::size_t>(hits[1].shape[i]);
      if (radius > 0) continue;  // an edge is of both
      EXPECT_EQ(hits[0].part[i], cut_up.number_in_whole(part, hits[1].part[i])) << i;
    }
    EXPECT_GT(met, rays.size() / 4);
  }
}

}  // namespace
}  // namespace widephase::test
