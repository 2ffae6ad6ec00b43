// Whether moving shapes overlap kept ones, against the contacts of collide.
// Labels: threads emulated-x86 emulated-arm dated other-compiler

#include <gtest/gtest.h>

#include <algorithm>

#include <widephase/widephase.hpp>

#include "support/error_of.hpp"
#include "support/scenes.hpp"
#include "support/worlds_scene.hpp"

namespace widephase::test {
namespace {

template <int D, class T>
void check_overlaps(std::uint64_t seed) {
  SceneColumns<D, T> moving = worlds_scene<D, T>(scaled(500, 200), seed, 0.9);
  for_each_table(moving, [&](auto& table) {
    using Table = std::remove_cvref_t<decltype(table)>;
    if constexpr (Table::kind == Kind::halfspace) table = {};
  });
  moving.excluded.clear();
  const SceneColumns<D, T> fixed = worlds_scene<D, T>(scaled(500, 200), seed + 1, 0.9);
  // Moving shapes name the point sets of the kept scene, which has fewer.
  auto& instances = [&]() -> auto& {
    if constexpr (D == 2) {
      return moving.polygons;
    } else {
      return moving.hulls;
    }
  }
  ();
  const auto sets = static_cast<std::int32_t>(fixed.geometries.offsets.size()) - 1;
  for (std::size_t row = 0; row < instances.geometry.size(); ++row) {
    instances.geometry[row] = instances.geometry[row] % sets;
  }
  SceneSpan<D, T> asked = moving;
  asked.for_each_geometry_column([](auto, auto, auto& column) { column = {}; }, asked);
  Workspace<D, T> workspace;
  StaticScene<D, T> kept;
  CollideOptions options;
  options.margin = 0.05;
  build_static_scene(fixed, kept, workspace, options);
  const auto count = static_cast<std::size_t>(layout_of(moving).shape_count());
  std::vector<std::uint8_t> expected(count, 0), answers(count, 7);
  ContactBuffer<D, T> contacts;
  options.moving_pairs = false;
  collide(asked, kept, contacts, workspace, options);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Pair pair = contacts.pair[i];
    expected[static_cast<std::size_t>(std::min(pair.a, pair.b))] = 1;
  }
  const auto touching = std::count(expected.begin(), expected.end(), 1);
  EXPECT_GT(touching, 20);
  EXPECT_LT(touching, static_cast<std::ptrdiff_t>(count));
  for (const int threads : {1, 3}) {
    options.threads.count = threads;
    any_overlap(asked, kept, answers, workspace, options);
    EXPECT_EQ(answers, expected);
  }
  std::vector<std::uint8_t> few(count - 1);
  EXPECT_EQ(error_of([&] { any_overlap(asked, kept, few, workspace, options); }),
            "is_overlap has " + std::to_string(count - 1) + " entries for " +
                std::to_string(count) + " shapes");
}
TEST(any_overlap, is_whether_collide_has_a_contact) {
  check_overlaps<2, float>(301);
  check_overlaps<3, float>(302);
  check_overlaps<3, double>(303);
  check_overlaps<3, Mixed>(304);
}

// Every rod of a sheaf is a candidate for every ball, since they lie across the axes. Half of the
// balls touch one rod of the hundred, the others lie between two.
TEST(any_overlap, one_contact_among_many_candidates_is_found) {
  SceneColumns<3, float> sheaf, balls;
  for (int i = 0; i < 100; ++i) {
    const float x = static_cast<float>(i) - 50, offset = 0.01f * static_cast<float>(i);
    sheaf.capsules.a.push_back({-50, -50 + offset, 0});
    sheaf.capsules.b.push_back({50, 50 + offset, 0});
    sheaf.capsules.radius.push_back({0.001f});
    // The next rod is 0.01 / sqrt(2) = 0.007 away; between two it is 0.0035 to both.
    for (const float beside : {0.0f, 0.005f}) {
      balls.spheres.center.push_back({x, x + offset + beside, 0});
      balls.spheres.radius.push_back({0.002f});
    }
  }
  Workspace<3, float> workspace;
  StaticScene<3, float> kept;
  build_static_scene(sheaf, kept, workspace);
  std::vector<std::uint8_t> answers(200, 7);
  any_overlap(balls, kept, answers, workspace);
  for (std::size_t i = 0; i < 200; ++i) EXPECT_EQ(answers[i], i % 2 == 0 ? 1 : 0) << i;
}

}  // namespace
}  // namespace widephase::test
