// Bodies that a solver slides without friction over a floor of flush tiles: they keep their speed
// and their height at every joint, as on one box of the floor's size.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include <widephase/hulls.hpp>
#include <widephase/static_scene.hpp>

#include "examples/soft_steps.hpp"

namespace widephase::test {
namespace {

constexpr int kBodies = 3;  // a capsule, a box and a hull, by their ids
constexpr int kSteps = 400;
constexpr float kHalf = 0.3f;  // of a body's height

/// A floor of `side` x `side` boxes over -4 to 4, with its top at height 0; `library` gives it the
/// point sets of the moving scene.
SceneColumns<3, float> floor_of(int side, const SceneColumns<3, float>& library) {
  SceneColumns<3, float> tiles;
  const float half = 4.f / static_cast<float>(side);
  for (int i = 0; i < side * side; ++i) {
    const auto at = [&](int k) { return static_cast<float>(2 * k + 1) * half - 4; };
    tiles.boxes.center.push_back({at(i % side), at(i / side), -0.5f});
    tiles.boxes.turn.push_back({0, 0, 0, 1});
    tiles.boxes.half_extents.push_back({half, half, 0.5f});
    tiles.boxes.owner.push_back(0);
    tiles.boxes.world.push_back(-1);
  }
  tiles.geometries = library.geometries;
  return tiles;
}

/// The bodies, each in a world of its own, at x = -3 and with a speed along x and y.
SceneColumns<3, float> bodies_of(::Motion& motion) {
  SceneColumns<3, float> scene;
  const float yaw = 0.35f;
  motion.body_count = kBodies;
  motion.friction = 0;
  for (int id = 0; id < kBodies; ++id) {
    scene.bodies.position.push_back({-3, -2, kHalf});
    scene.bodies.turn.push_back({0, 0, std::sin(yaw / 2), std::cos(yaw / 2)});
    motion.bodies.push_back({});
    motion.bodies.back().inverse_mass = 1;
    motion.bodies.back().across = 10;
    motion.bodies.back().velocity = {0.9f, 0.55f, 0};
  }
  motion.bodies.push_back({});
  motion.position = scene.bodies.position;
  motion.orientation = scene.bodies.turn;
  const auto carry = [](auto& table, int body) {
    table.body.push_back(body);
    table.world.push_back(body);
  };
  scene.capsules.a.push_back({-0.4f, 0, 0});
  scene.capsules.b.push_back({0.4f, 0, 0});
  scene.capsules.radius.push_back(kHalf);
  carry(scene.capsules, 0);
  scene.boxes.center.push_back({0, 0, 0});
  scene.boxes.turn.push_back({0, 0, 0, 1});
  scene.boxes.half_extents.push_back({0.4f, 0.3f, kHalf});
  carry(scene.boxes, 1);
  Column<float, 3> corners;
  for (int v = 0; v < 10; ++v) {
    const float angle = 1.2566371f * static_cast<float>(v % 5);
    corners.push_back({0.45f * std::cos(angle), 0.45f * std::sin(angle), v < 5 ? -kHalf : kHalf});
  }
  scene.hulls.center.push_back({0, 0, 0});
  scene.hulls.turn.push_back({0, 0, 0, 1});
  scene.hulls.geometry.push_back({add_hull(scene.geometries, corners.span())});
  carry(scene.hulls, 2);
  return scene;
}

struct Slide {
  std::vector<float> height;  ///< of each body in each step
  double slower[kBodies]{};   ///< the most by which the speed along the floor differs
  double spin[kBodies]{};     ///< the fastest
  double way = 0;             ///< of the slowest body along x
};

Slide slide_over(int side, float flush_tolerance) {
  ::Motion motion;
  SceneColumns<3, float> scene = bodies_of(motion);
  const SceneColumns<3, float> ground = floor_of(side, scene);
  scene.geometries = {};
  CollideOptions options;
  options.threads.count = 1;
  options.margin = 0.02f;
  options.flush_tolerance = flush_tolerance;
  StaticScene<3, float> floor;
  build_static_scene<3, float>(ground, floor, motion.workspace, options);
  options.steadiness = 0.001f;
  Slide slide;
  const ::Vec begun = motion.bodies[0].velocity;
  for (int step = 0; step < kSteps; ++step) {
    scene.bodies.position = motion.position;
    scene.bodies.turn = motion.orientation;
    SceneSpan<3, float> both = scene;
    both.kept = &floor;
    collide<3, float>(both, motion.contacts, motion.workspace, motion.tracker, options);
    begin_solving(motion);
    step_bodies(motion, 0, kBodies, 0, static_cast<std::int64_t>(motion.contacts.size()));
    for (int id = 0; id < kBodies; ++id) {
      const Body& body = motion.bodies[static_cast<std::size_t>(id)];
      const double x = body.velocity.x - begun.x, y = body.velocity.y - begun.y;
      slide.slower[id] = std::max(slide.slower[id], std::sqrt(x * x + y * y));
      slide.spin[id] = std::max(slide.spin[id], double(std::sqrt(::dot(body.spin, body.spin))));
      slide.height.push_back(motion.position(static_cast<std::size_t>(id), 2));
    }
  }
  slide.way = 100;
  for (std::size_t id = 0; id < kBodies; ++id) {
    slide.way = std::min(slide.way, double(motion.position(id, 0)) + 3);
  }
  return slide;
}

TEST(sliding, over_flush_tiles_keeps_speed_and_height_as_on_one_box) {
  // 0.9 in a second for 400 / 60 of them are 6: twelve joints of tiles that are 0.5 wide, and seven
  // along y.
  const Slide plain = slide_over(1, 0), tiled = slide_over(16, 1e-4f);
  EXPECT_GT(plain.way, 5.9);
  EXPECT_GT(tiled.way, 5.9);
  for (int id = 0; id < kBodies; ++id) {
    EXPECT_LT(plain.slower[id], 1e-3) << "body " << id;
    EXPECT_LT(tiled.slower[id], 1e-3) << "body " << id;
    EXPECT_LT(tiled.spin[id], 1e-2) << "body " << id;
  }
  for (std::size_t i = 0; i < plain.height.size(); ++i) {
    EXPECT_NEAR(plain.height[i], kHalf, 2e-3);
    EXPECT_NEAR(tiled.height[i], plain.height[i], 1e-4)
        << "body " << i % kBodies << " step " << i / kBodies;
  }
}

TEST(sliding, over_tiles_that_are_not_told_to_be_flush_is_stopped) {
  const Slide tiled = slide_over(16, 0);
  for (int id = 0; id < kBodies; ++id) EXPECT_GT(tiled.slower[id], 0.05) << "body " << id;
}

}  // namespace
}  // namespace widephase::test
