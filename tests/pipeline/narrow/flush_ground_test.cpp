// Crates of parts that lie flush, anywhere on rough height fields and meshes: every part that
// touches the ground without `flush_tolerance` does so with it, and contacts are sound.
// Labels: dated

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "reference/scaled.hpp"
#include "support/floor_tiles.hpp"
#include "support/mesh_judge.hpp"

namespace widephase::test {
namespace {

/// The field's triangles as a mesh, one in ten left out.
PlacedMesh mesh_like(Random& random, const PlacedField& field) {
  PlacedMesh mesh;
  mesh.center = field.center;
  mesh.orientation = field.orientation;
  mesh.is_two_sided = random.chance(0.5);
  mesh.radius = random.chance(0.5) ? 0.03 * field.unit : 0;
  const HeightSamples& samples = field.samples;
  for (std::size_t row = 0; row < samples.rows; ++row) {
    for (std::size_t column = 0; column < samples.columns; ++column) {
      const double height = samples.at(row, column);
      mesh.vertices.push_back({static_cast<double>(column) * samples.cell[0],
                               static_cast<double>(row) * samples.cell[1],
                               std::isfinite(height) ? height : 0});
      if (row + 1 == samples.rows || column + 1 == samples.columns) continue;
      if (!mesh.triangles.empty() && random.chance(0.1)) continue;
      const auto wide = static_cast<std::int32_t>(samples.columns);
      const auto at = static_cast<std::int32_t>(row) * wide + static_cast<std::int32_t>(column);
      mesh.triangles.push_back({at, at + 1, at + wide + 1});
      mesh.triangles.push_back({at, at + wide + 1, at + wide});
    }
  }
  return mesh;
}

template <class T>
void expect_sound(std::uint64_t seed) {
  Random random(seed);
  std::size_t touched = 0, changed = 0;
  for (std::size_t round = 0; round < scaled(4, 2); ++round) {
    for (const Ground ground : kGrounds) {
      if (ground == Ground::far || ground == Ground::units) continue;
      const PlacedField field = random_field(random, ground);
      SurfaceScene<T> surfaces;
      SceneColumns<3, T>& scene = surfaces.scene;
      for (int crate = 0; crate < 15; ++crate) {
        const double size = field.unit * random.uniform(0.2, 1.5);
        const Quaternion turn = about(random.direction<3>(), random.uniform(0, 3));
        const auto along = [&](std::size_t samples, double cell) {
          return cell * random.uniform(-0.5, static_cast<double>(samples));
        };
        const Point<3> at = field.placed({along(field.samples.columns, field.samples.cell[0]),
                                          along(field.samples.rows, field.samples.cell[1]),
                                          field.unit * random.uniform(-0.5, 1)});
        const Point<3> half{0.3 * size, 0.2 * size, 0.1 * size};
        for (int v = 0; v < 8; ++v) {
          Point<3> off;
          for (int k = 0; k < 3; ++k) off[k] = (v >> k & 1) != 0 ? half[k] : -half[k];
          append<3, T>(scene, stored<T>(box(plus(at, rotated(turn, off)), turn, half)));
          scene.boxes.owner.push_back({crate});
        }
      }
      scene.boxes.category.resize(row_count(scene.boxes), 1);
      scene.boxes.mask.resize(row_count(scene.boxes), 2);
      if (round % 2 == 0) {
        surfaces.add(field);
        scene.heightfields.category.resize(1, 2);
      } else {
        append<T>(scene, stored<T>(mesh_like(random, field)));
        scene.meshes.category.resize(1, 2);
      }
      std::set<std::int32_t> parts[2];
      std::uint64_t hashes[2];
      for (const bool is_flush : {false, true}) {
        CollideOptions options;
        options.flush_tolerance = is_flush ? 1e-4 * field.unit : 0;
        options.margin = 0.01 * field.unit;
        options.threads.count = 1;
        Workspace<3, T> workspace;
        ContactBuffer<3, T> contacts;
        collide<3, T>(scene, contacts, workspace, options);
        hashes[is_flush ? 1 : 0] = hash(contacts);
        for (std::size_t c = 0; c < contacts.size(); ++c) {
          parts[is_flush ? 1 : 0].insert(contacts.pair[c].a);
          double square = 0;
          for (int k = 0; k < 3; ++k) {
            square += static_cast<double>(contacts.normal(c, k) * contacts.normal(c, k));
          }
          EXPECT_NEAR(square, 1, 1e-5);
          EXPECT_GE(static_cast<double>(contacts.depth[c]), -0.0101 * field.unit);
          EXPECT_LT(static_cast<double>(contacts.depth[c]), 100 * field.unit);
          ASSERT_GT(contacts.offset[c + 1], contacts.offset[c]);
          for (auto p = static_cast<std::size_t>(contacts.offset[c]);
               p < static_cast<std::size_t>(contacts.offset[c + 1]); ++p) {
            EXPECT_LE(contacts.point_depth[p], contacts.depth[c]);
            EXPECT_GE(contacts.part(p, 1), 0);
          }
        }
      }
      EXPECT_EQ(parts[0], parts[1]) << name_of(ground);
      touched += parts[1].size();
      changed += hashes[0] != hashes[1] ? 1 : 0;
    }
  }
  EXPECT_GT(touched, 100 * scaled(4, 2));
  EXPECT_GT(changed, 5 * scaled(4, 2));
}

TEST(flush_ground, no_contact_of_a_crate_of_parts_is_lost) {
  expect_sound<float>(1);
  expect_sound<double>(2);
  expect_sound<Mixed>(3);
}

}  // namespace
}  // namespace widephase::test
