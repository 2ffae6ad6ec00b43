// The bits of every generated scene: the same on every machine and with every compiler.
// Labels: plain

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

#include "support/generated.hpp"
#include "support/golden_scenes.hpp"

namespace widephase::test {
namespace {

constexpr std::size_t kCount = 2000;

template <int D, class T>
std::uint64_t hash_of(std::string_view name, std::uint64_t seed) {
  return scenes::hash(scenes::generate<D, T>(name, {kCount, seed}));
}

template <int D>
void expect_golden_hashes() {
  std::ptrdiff_t found = 0;
  for_each_generator<D>([&](std::string_view name) {
    const std::uint64_t single = hash_of<D, float>(name, 1);
    const std::uint64_t twofold = hash_of<D, double>(name, 1);
    for (const GoldenScene& golden : kGoldenScenes) {
      if (golden.name != name || golden.dimension != D) continue;
      ++found;
      EXPECT_EQ(single, golden.single);
      EXPECT_EQ(twofold, golden.twofold);
      return;
    }
    ADD_FAILURE() << std::hex << "{\"" << name << "\", " << D << ", 0x" << single << ", 0x"
                  << twofold << "},";
  });
  const auto is_of_d = [](const GoldenScene& golden) { return golden.dimension == D; };
  EXPECT_EQ(found, std::count_if(std::begin(kGoldenScenes), std::end(kGoldenScenes), is_of_d));
}

TEST(generate_hashes, scenes_in_2d_are_those_of_every_machine) { expect_golden_hashes<2>(); }
TEST(generate_hashes, scenes_in_3d_are_those_of_every_machine) { expect_golden_hashes<3>(); }

TEST(generate_hashes, a_seed_makes_one_scene_and_another_seed_another) {
  for_each_generator<2>([](std::string_view name) {
    EXPECT_EQ((hash_of<2, float>(name, 7)), (hash_of<2, float>(name, 7)));
    EXPECT_NE((hash_of<2, float>(name, 7)), (hash_of<2, float>(name, 8)));
  });
  for_each_generator<3>([](std::string_view name) {
    EXPECT_EQ((hash_of<3, double>(name, 7)), (hash_of<3, double>(name, 7)));
    EXPECT_NE((hash_of<3, double>(name, 7)), (hash_of<3, double>(name, 8)));
  });
}

TEST(generate_hashes, the_hash_sees_every_column) {
  SceneColumns<3, float> scene = scenes::generate<3, float>("pile", {60, 1});
  const std::uint64_t before = scenes::hash(scene);
  const auto expect_seen = [&](auto& value) {
    const auto kept = value;
    value = static_cast<std::remove_cvref_t<decltype(value)>>(value + 1);
    EXPECT_NE(scenes::hash(scene), before);
    value = kept;
    EXPECT_EQ(scenes::hash(scene), before);
  };
  expect_seen(scene.hulls.center(3, 2));
  expect_seen(scene.hulls.geometry(0));
  expect_seen(scene.boxes.turn(1, 3));
  expect_seen(scene.halfspaces.fixed(0));
  expect_seen(scene.geometries.vertices(5, 1));
  expect_seen(scene.geometries.offsets(1));
}

TEST(generate_hashes, the_hash_sees_columns_that_were_added_later) {
  SceneColumns<3, float> scene = scenes::generate<3, float>("smooth", {60, 1});
  const std::uint64_t before = scenes::hash(scene);
  const auto expect_seen = [&](float& value) {
    const float kept = value;
    value += 1;
    EXPECT_NE(scenes::hash(scene), before);
    value = kept;
    EXPECT_EQ(scenes::hash(scene), before);
  };
  expect_seen(scene.ellipsoids.half_extents(3, 2));
  expect_seen(scene.cones.radius(0));
  expect_seen(scene.cylinders.rounding(1));
  scene.cylinders.rounding.clear();
  EXPECT_NE(scenes::hash(scene), before);
}

TEST(generate_hashes, the_hash_sees_height_fields_where_there_are_some) {
  SceneColumns<3, float> scene = scenes::generate<3, float>("terrain", {60, 1});
  const std::uint64_t before = scenes::hash(scene);
  const auto expect_seen = [&](auto& value) {
    const auto kept = value;
    value = static_cast<std::remove_cvref_t<decltype(value)>>(value + 1);
    EXPECT_NE(scenes::hash(scene), before);
    value = kept;
    EXPECT_EQ(scenes::hash(scene), before);
  };
  expect_seen(scene.heightfields.center(0, 2));
  expect_seen(scene.heightfields.geometry(0));
  expect_seen(scene.heightfield_geometries.heights(77));
  expect_seen(scene.heightfield_geometries.columns(0));
  expect_seen(scene.heightfield_geometries.cell(0, 1));
}

TEST(generate_hashes, the_hash_sees_meshes_where_there_are_some) {
  SceneColumns<3, float> scene = scenes::generate<3, float>("walls", {60, 1});
  const std::uint64_t before = scenes::hash(scene);
  const auto expect_seen = [&](auto& value) {
    const auto kept = value;
    value = static_cast<std::remove_cvref_t<decltype(value)>>(value + 1);
    EXPECT_NE(scenes::hash(scene), before);
    value = kept;
    EXPECT_EQ(scenes::hash(scene), before);
  };
  expect_seen(scene.meshes.center(0, 2));
  expect_seen(scene.meshes.geometry(0));
  expect_seen(scene.mesh_geometries.vertices(77, 1));
  expect_seen(scene.mesh_geometries.indices(77, 2));
  expect_seen(scene.mesh_geometries.triangle_offsets(1));
  expect_seen(scene.mesh_geometries.two_sided(0));
}

}  // namespace
}  // namespace widephase::test
